/* What benchmarks of simulations share: the study's programs as generated traces, synthetic, and the array sweep. */
#ifndef SAHM_TESTS_BENCH_BENCH_SUITE_H
#define SAHM_TESTS_BENCH_BENCH_SUITE_H

#include <stdio.h>
#include <stdlib.h>

#include "sim/base/units.h"
#include "tests/bench/bench.h"
#include "workloads/synth/synth.h"

#define PROFILE "workloads/suites/synthetic/spec2017.profile"
#define NR_TRACES 39u
#define NR_EPOCHS 6000u
#define EPOCH_NS (100 * NS_PER_MS)
#define TIMESTEP_NS (10 * NS_PER_MS)
#define STEPS_PER_EPOCH (EPOCH_NS / TIMESTEP_NS)

static uint8_t states[NR_TRACES][NR_EPOCHS];

static inline void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static inline void generate(void)
{
	struct sahm_err err;
	struct profile p;
	struct cuts cuts;
	must(profile_read(PROFILE, &p, &err), &err);
	cuts_named("intuitive", &cuts);
	for (size_t row = 0; row < NR_TRACES; row++) {
		struct trace *trace;
		p.rows[row].value[PROFILE_EPOCHS] = NR_EPOCHS * DECIMAL_ONE;
		must(synth_trace(&p, row, p.seed, &trace, NULL, &err), &err);
		must(trace_states(trace, &cuts, states[row], &err), &err);
		trace_free(trace);
	}
	profile_release(&p);
}

/* What no loop over timesteps can do without, and nothing else: in every timestep every thread comes a step nearer to
 * the end of its epoch, and if it is there goes on to the next. */
static inline double sweep(uint32_t nr_threads, uint64_t nr_timesteps, volatile uint64_t *sink)
{
	uint32_t *left = calloc(nr_threads, sizeof(*left)), *epoch = calloc(nr_threads, sizeof(*epoch));
	uint64_t sum = 0;
	double start = now();
	for (uint64_t step = 0; step < nr_timesteps; step++) {
		for (uint32_t t = 0; t < nr_threads; t++) {
			uint32_t over = left[t] == 0;
			epoch[t] += over;
			left[t] = over ? STEPS_PER_EPOCH - 1 : left[t] - 1;
		}
		sum += states[step % NR_TRACES][epoch[0] % NR_EPOCHS];
	}
	*sink = sum;
	double seconds = now() - start;
	free(left);
	free(epoch);
	return seconds;
}

#endif
