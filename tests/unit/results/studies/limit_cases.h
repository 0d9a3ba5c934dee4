/* What tests of limits share: sequences of states, trace files that hold them, and the walk from epoch to epoch that a
 * limit stands for. */
#ifndef SAHM_TESTS_UNIT_RESULTS_STUDIES_LIMIT_CASES_H
#define SAHM_TESTS_UNIT_RESULTS_STUDIES_LIMIT_CASES_H

#include <math.h>
#include <string.h>

#include "cores/chip/core_list.h"
#include "results/studies/limit.h"
#include "tests/helper/random.h"
#include "tests/unit/config_text.h"

/* Stays of 1 to `longest` epochs in states of which `states` has a bit. */
static inline void random_states(uint64_t *rng, unsigned states, uint64_t longest, uint8_t *out, uint64_t nr)
{
	for (uint64_t e = 0; e < nr;) {
		uint8_t state = (uint8_t)(next_random(rng) % NR_STATES & states);
		for (uint64_t left = between(rng, 1, longest); left > 0 && e < nr; left--)
			out[e++] = state;
	}
}

/* Counters that DEFAULT_CUTS takes for `state`. */
static inline struct epoch_counts counts_of(unsigned state)
{
	struct epoch_counts e = {{0}};
	e.count[COUNTER_INSTRUCTIONS] = 1000000;
	e.count[COUNTER_BRANCHES] = e.count[COUNTER_L1D_ACCESSES] = e.count[COUNTER_L2_ACCESSES] = 1000;
	e.count[COUNTER_BRANCH_MISSES] = state >> COMPONENT_BRANCH & 1 ? 11 : 10;
	e.count[COUNTER_L1I_MISSES] = state >> COMPONENT_L1I & 1 ? 1001 : 1000;
	e.count[COUNTER_L1D_MISSES] = state >> COMPONENT_L1D & 1 ? 21 : 20;
	e.count[COUNTER_L2_MISSES] = state >> COMPONENT_L2 & 1 ? 101 : 100;
	return e;
}

/* Writes a trace to `path`, a template of mkstemp(), as CSV or in binary form. */
static inline void write_states(const uint8_t *states, uint64_t nr, uint64_t epoch_ns, bool as_csv, char *path)
{
	struct provenance p = {0};
	struct trace_builder *b = trace_builder_new(false);
	struct trace *trace = NULL;
	struct sahm_err err = {0};
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	assert_true(b && f);
	p.text[PROVENANCE_NAME] = "made";
	for (uint64_t e = 0; e < nr; e++) {
		struct epoch_counts counts = counts_of(states[e]);
		assert_int_equal(trace_builder_add(b, &counts, &err), SAHM_OK);
	}
	assert_int_equal(trace_builder_finish(b, "made", epoch_ns, &p, &trace, &err), SAHM_OK);
	if (as_csv)
		assert_int_equal(trace_write_csv(trace, f, &err), SAHM_OK);
	else
		trace_write_binary(trace, f, NULL);
	assert_int_equal(fclose(f), 0);
	trace_free(trace);
	trace_builder_free(b);
}

/* Parts of an epoch's baseline time in which the walk counts; each epoch is cut to whole ones. */
#define WALK_BITS 80

/* The best core for every epoch, one after the other: what remains of the sum of their times, exact but for less than
 * 2^-80 of an epoch each. */
static inline double walk(const struct chip *chip, const uint64_t *allowed, const uint8_t *states, uint64_t nr)
{
	__extension__ unsigned __int128 one = (unsigned __int128)1 << WALK_BITS, sum = 0;
	for (uint64_t e = 0; e < nr; e++) {
		int64_t best = 0;
		for (uint32_t c = 0; c < chip->nr_cores; c++) {
			int64_t rate = 1000000 + (int64_t)chip->cores[c]->speedup_ppm[states[e]];
			if (core_set_has(allowed, c) && rate > best)
				best = rate;
		}
		assert_true(best > 0);
		sum += one * 1000000 / (uint64_t)best;
	}
	return (double)((long double)(one * nr) / (long double)sum - 1);
}

#endif
