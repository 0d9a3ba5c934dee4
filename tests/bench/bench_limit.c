/* Speed of limits: the study's space of configurations on its programs, from occupancies, with all boxes and
 * figure 4.9; beside the walk over all epochs that it stands for, timed in the same run. The traces are synthetic:
 * those of the shipped suite's profile, made NR_EPOCHS long. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/studies/limit_study.h"
#include "sim/base/array.h"
#include "tests/bench/bench_suite.h"

#define GOAL_MS 20
/* One study is too short for a clock. */
#define REPEATS 50

static void count(struct limit_trace traces[NR_TRACES])
{
	for (unsigned t = 0; t < NR_TRACES; t++) {
		uint64_t in_state[NR_STATES] = {0};
		for (unsigned e = 0; e < NR_EPOCHS; e++)
			in_state[states[t][e]]++;
		traces[t] = (struct limit_trace){.name = "synthetic", .nr_epochs = NR_EPOCHS, .synthetic = true};
		limit_weights(in_state, traces[t].weights);
	}
}

static double time_study(const struct limit_trace *traces, double *speedups)
{
	struct limit_against against[NR_LIMIT_NAMED];
	struct limit_study study;
	struct sahm_err err;
	double start = now();
	for (int i = 0; i < REPEATS; i++) {
		must(limit_study_of_space(&study, traces, NR_TRACES, &err), &err);
		must(limit_against(traces, NR_TRACES, 5, against, &err), &err);
		if (i == 0)
			memcpy(speedups, study.speedups, sizeof(double) * NR_SPACE_CONFIGS * NR_TRACES);
		limit_study_release(&study);
	}
	return (now() - start) / REPEATS;
}

/* Each configuration and trace epoch by epoch, on the best core for each; no boxes. */
static double time_walk(double *speedups)
{
	double start = now();
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(i);
		int32_t ppm[NR_STATES];
		double epochs_of[NR_STATES];
		space_best_speedups(&config, ppm);
		for (unsigned s = 0; s < NR_STATES; s++)
			epochs_of[s] = 1 / (1 + 1e-6 * ppm[s]);
		for (unsigned t = 0; t < NR_TRACES; t++) {
			double epochs = 0;
			for (unsigned e = 0; e < NR_EPOCHS; e++)
				epochs += epochs_of[states[t][e]];
			speedups[i * NR_TRACES + t] = NR_EPOCHS / epochs - 1;
		}
	}
	return now() - start;
}

int main(void)
{
	static struct limit_trace traces[NR_TRACES];
	static double speedups[NR_SPACE_CONFIGS * NR_TRACES], walked[NR_SPACE_CONFIGS * NR_TRACES];
	double of_study[RUNS], of_walk[RUNS], ratio[RUNS], most = 0;
	generate();
	count(traces);
	for (int i = 0; i < RUNS; i++) {
		of_study[i] = time_study(traces, speedups);
		of_walk[i] = time_walk(walked);
		ratio[i] = of_walk[i] / of_study[i];
	}
	for (size_t i = 0; i < ARRAY_SIZE(speedups); i++)
		most = fmax(most, fabs(speedups[i] - walked[i]));
	double ms = 1e3 * median(of_study);
	printf("limits, %u configurations x %u synthetic traces of %u epochs, boxes by trace and by configuration\n",
	       NR_SPACE_CONFIGS, NR_TRACES, NR_EPOCHS);
	printf("medians of %d runs; reading and classifying traces left out of both\n", RUNS);
	printf("%-28s %9.3f ms\n", "from occupancies", ms);
	printf("%-28s %9.3f ms, %.0f times as long\n", "walk over all epochs", 1e3 * median(of_walk), median(ratio));
	printf("greatest difference between the two: %.1g\n", most);
	printf("goal: at most %d ms: %s\n", GOAL_MS, ms <= GOAL_MS ? "met" : "missed");
	return 0;
}
