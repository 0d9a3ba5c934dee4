/* A scheduler for the kernel, built by `sahm policy build`, against the same one written by hand: time of a run, both
 * in turns. */
#include <string.h>

#include "sim/base/array.h"
#include "sim/engine/config/run.h"
#include "tests/bench/bench.h"

#define GOAL_RATIO 1.3
#define NR_RUNS 15

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "bench_scx: %s\n", err->msg);
	exit(1);
}

static double run(const char *config_path, const char *duration, const char *policy, uint64_t *completed_ns)
{
	const char *settings[] = {policy, duration};
	struct run_config config;
	struct run_result result;
	struct sahm_err err;
	must(run_config_load(&config, config_path, settings, ARRAY_SIZE(settings), ".", &err), &err);
	double start = now();
	must(run_execute(&config, SIM_EVENT, &result, &err), &err);
	double seconds = now() - start;
	*completed_ns = 0;
	for (uint32_t t = 0; t < config.nr_threads; t++)
		*completed_ns += result.threads[t].counts.completed_ns;
	run_result_release(&result);
	run_config_release(&config);
	return seconds;
}

int main(void)
{
	static const struct {
		const char *path, *duration;
	} configs[] = {
		{"configs/desktop-8.cfg", "workload.duration_ms=200s"},
		{"configs/requests-8.cfg", "workload.duration_ms=5s"},
	};
	bool missed = false;
	allow_own_includes();
	printf("simple, by hand (sched/examples) and as built from simple.bpf.c, medians of %d runs each\n", NR_RUNS);
	printf("%-26s %12s %12s %8s\n", "configuration", "by hand", "built", "ratio");
	for (size_t c = 0; c < ARRAY_SIZE(configs); c++) {
		double by_hand[NR_RUNS], built[NR_RUNS], ratio[NR_RUNS];
		uint64_t a, b;
		for (int i = 0; i < NR_RUNS; i++) {
			by_hand[i] = run(configs[c].path, configs[c].duration, "scheduler.policy=" HAND, &a);
			built[i] = run(configs[c].path, configs[c].duration, "scheduler.policy=" BUILT, &b);
			ratio[i] = built[i] / by_hand[i];
			if (a != b) {
				fprintf(stderr, "bench_scx: %s: the two do not do the same\n", configs[c].path);
				return 1;
			}
		}
		double of_hand = median_of(ratio, NR_RUNS);
		missed |= of_hand > GOAL_RATIO;
		printf("%-26s %9.3f s %9.3f s %8.3f\n", configs[c].path, median_of(by_hand, NR_RUNS),
		       median_of(built, NR_RUNS), of_hand);
	}
	printf("at most %.1f: %s\n", GOAL_RATIO, missed ? "missed" : "kept");
	return 0;
}
