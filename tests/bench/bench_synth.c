/* Speed of the generator on the shipped suite's profile, as a ratio against a baseline timed in the same run: encoding
 * as many epochs that are there already, which every trace in the making has to pay for. Medians of several runs. */
#include <stdio.h>

#include "results/studies/suite.h"
#include "tests/bench/bench.h"
#include "workloads/synth/synth.h"

#define PROFILE "workloads/suites/synthetic/spec2017.profile"

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

/* Epochs of all traces together. */
static uint64_t generate(const struct profile *p)
{
	uint64_t nr = 0;
	for (size_t row = 0; row < p->nr_rows; row++) {
		struct trace *trace;
		struct sahm_err err;
		must(synth_trace(p, row, p->seed, &trace, NULL, &err), &err);
		nr += trace_nr_epochs(trace);
		trace_free(trace);
	}
	return nr;
}

static void encode(const struct epoch_counts *epochs, uint64_t nr)
{
	struct trace_builder *b = trace_builder_new(false);
	struct provenance origin = {.text = {[PROVENANCE_NAME] = "copy"}};
	struct trace *trace;
	struct sahm_err err;
	for (uint64_t e = 0; e < nr; e++)
		must(trace_builder_add(b, &epochs[e % 1000], &err), &err);
	must(trace_builder_finish(b, "copy", 100000000, &origin, &trace, &err), &err);
	trace_builder_free(b);
	trace_free(trace);
}

int main(void)
{
	struct claim_result results[NR_CLAIMS];
	struct epoch_counts epochs[1000];
	struct trace *trace;
	struct sahm_err err;
	struct profile p;
	double made[RUNS], base[RUNS], judged[RUNS];
	uint64_t nr = 0;
	must(profile_read(PROFILE, &p, &err), &err);
	must(synth_trace(&p, 0, p.seed, &trace, NULL, &err), &err);
	must(trace_read(trace, 0, 1000, epochs, &err), &err);
	trace_free(trace);
	for (int i = 0; i < RUNS; i++) {
		double start = now();
		nr = generate(&p);
		made[i] = now() - start;
		start = now();
		encode(epochs, nr);
		base[i] = now() - start;
		start = now();
		must(suite_evaluate(&p, p.seed, 1, results, &err), &err);
		judged[i] = now() - start;
	}
	printf("synthetic suite, %zu traces, %llu epochs (median of %d runs)\n", p.nr_rows, (unsigned long long)nr,
	       RUNS);
	printf("  generate       %7.2f million epochs/s, %.2f of encoding alone\n", (double)nr / median(made) * 1e-6,
	       median(base) / median(made));
	printf("  and judge      %7.0f ms for all claims\n", median(judged) * 1e3);
	profile_release(&p);
	return 0;
}
