/* What cycle stacks cost: the speed of a pass that makes them as a ratio to one without, which is `sahm core time` of
 * the same core and stream. Processor time from an opened stream to the stacks, functional pass included; medians of
 * several runs, taken in turns. The stream is of perl, recorded in QEMU. */
#include "cores/uarch/cycle_stacks.h"
#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"

#define NR_TIMES 5u
#define PERL 1u /* of program_names[] */
#define MAX_SAMPLINGS 1u

/* How stacks are made: exact ones, and samples of all schemes. */
static const struct {
	const char *title;
	double required, wanted; /* 0: nothing is asked for */
	bool has_stacks;
	unsigned nr_samplings;
	struct stack_sampling samplings[MAX_SAMPLINGS];
} rows[] = {
	{"core time", 0, 0, false, 0, {{0}}},
	{"exact stacks", 0.6, 0.85, true, 0, {{0}}},
	{"and samples, every 10,000", 0.4, 0.7, true, 1, {{.period = 10000, .has_jitter = true}}},
	{"and samples, every 20", 0.4, 0.7, true, 1, {{.period = 20, .has_jitter = true}}},
};

static const char *const cores[] = {"tea", "rocket", "golden-cove"};

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, struct sahm_err *err)
{
	(void)core;
	return stack_pass_run(ctx, batch, stamps) ? SAHM_OK : sahm_fail_nomem(err);
}

static double seconds(const char *path, const struct core_model *m, size_t row)
{
	static const struct stream_sampling all;
	struct core_observer o = {0};
	struct core_watch watch = {0};
	struct stack_pass *p = NULL;
	struct core_counts counts;
	struct sahm_err err;
	struct stream *s;
	double began = now();
	must(stream_open(path, NULL, &s, &err), &err);
	if (rows[row].has_stacks) {
		p = stack_pass_new(&m->timing, rows[row].samplings, rows[row].nr_samplings);
		if (!p)
			exit(1);
		watch.signatures = stack_pass_signatures(p);
		o = (struct core_observer){.ctx = p, .batch = take_batch, .watches = &watch};
	}
	must(core_run(s, &m, 1, LANES_BEST, &all, &o, &counts, &err), &err);
	if (p && (!stack_pass_end(p) || stack_pass_stacks(p)->cycles != counts.timing.cycles))
		exit(1);
	stack_pass_free(p);
	stream_free(s);
	return now() - began;
}

static void measure(const char *path, const char *core)
{
	double times[ARRAY_SIZE(rows)][NR_TIMES];
	static struct core_model m;
	read_core(core, &m);
	for (unsigned k = 0; k < NR_TIMES; k++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			times[i][k] = seconds(path, &m, i);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double time = median_of(times[i], NR_TIMES);
		printf("%-26s %-12s %8.2f %8.2f", rows[i].title, core, NR_EPOCHS * EPOCH_INSTRUCTIONS * 1e-6 / time,
		       median_of(times[0], NR_TIMES) / time);
		if (rows[i].required > 0)
			printf(" %9.2f %7.2f", rows[i].required, rows[i].wanted);
		printf("\n");
	}
	fflush(stdout);
}

int main(void)
{
	char path[] = "/tmp/sahm-bench-pics-XXXXXX";
	if (!has_recorder("pics"))
		return 0;
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	record_program(PERL, path);
	printf("cycle stacks, medians of %u runs, M instructions a second of processor time\n%-26s %-12s %8s %8s %9s "
	       "%7s\n",
	       NR_TIMES, "", "core", "MIPS", "ratio", "required", "wanted");
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		measure(path, cores[i]);
	unlink(path);
	return 0;
}
