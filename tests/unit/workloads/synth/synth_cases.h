/* Synthetic traces for tests: a profile to change, and traces checked against their stays. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_WORKLOADS_SYNTH_SYNTH_CASES_H
#define SAHM_TESTS_UNIT_WORKLOADS_SYNTH_SYNTH_CASES_H

#include <math.h>

#include "tests/unit/trace_cases.h"
#include "tests/unit/workloads/synth/profile_cases.h"
#include "workloads/synth/synth_internal.h"

#define LOW 0u
#define BRANCH (1u << COMPONENT_BRANCH)
#define L1I (1u << COMPONENT_L1I)
#define L1D (1u << COMPONENT_L1D)
#define L2 (1u << COMPONENT_L2)

/* Every value can be changed in the profile that is read; all states are there, so that all typical values are. */
static const char base[] =
	"# sahm profile 1\n# seed: 1\n# epoch_ms: 100\n# cuts: intuitive\n# digits: 3\n# machine: made up\n# licence: "
	"MIT\n"
	"# minstr: 250\n# slower_pct: 10\n# branches_pki: 180\n# l1d_accesses_pki: 350\n# l2_per_miss: 1.5\n"
	"# single_pct: 20\n# short_epochs: 5\n# long_pct: 30\n# long_epochs: 60\n"
	"# branch_low_pct: 0.5\n# branch_high_pct: 3\n# l1i_low_mpki: 0.4\n# l1i_high_mpki: 12\n"
	"# l1d_low_pct: 1.2\n# l1d_high_pct: 5\n# l2_low_pct: 5\n# l2_high_pct: 30\n# spread: 2\n# jitter_pct: 5\n"
	"name, epochs, Low, Branch, L1I, L1I+Branch, L1D, L1D+Branch, L1D+L1I, L1D+L1I+Branch, L2, L2+Branch, L2+L1I,"
	" L2+L1I+Branch, L2+L1D, L2+L1D+Branch, L2+L1D+L1I, L2+L1D+L1I+Branch\n"
	"all,   3001, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2.5, 3.3, 4, 5, 6, 7, 0.2\n"
	"few,   2000, 50, 30, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0\n"
	"small,  150, 10, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 10, 0, 0, 0\n";
enum { ALL, FEW, SMALL };

static inline void begin(struct profile *p)
{
	must_read_profile("base", base, p);
}

static inline void set(struct profile *p, unsigned row, enum profile_column c, double value)
{
	p->rows[row].value[c] = (decimal)llround(value * 1e9);
}

static inline void set_shares(struct profile *p, unsigned row, unsigned nr, const unsigned *states,
			      const unsigned *shares)
{
	memset(p->rows[row].share, 0, sizeof(p->rows[row].share));
	for (unsigned i = 0; i < nr; i++)
		p->rows[row].share[states[i]] = shares[i] * (decimal)DECIMAL_ONE;
}

/* A trace that was made, and all of it. */
struct made {
	struct trace *trace;
	struct epoch_counts *epochs;
	uint8_t *states;
	uint64_t nr, displaced, in_state[NR_STATES];
};

/* Makes a trace and checks it against its stays, walked a second time: every epoch is in its stay's state. */
static inline struct made make(const char *name, const struct profile *p, size_t row, uint64_t seed)
{
	struct sahm_err err = untouched;
	struct made m = {0};
	struct plan plan;
	struct synth_outcome outcome;
	enum counter wrong;
	uint64_t at = 0;
	if (synth_trace(p, row, seed, &m.trace, &outcome, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	assert_string_equal(err.msg, "untouched");
	m.nr = trace_nr_epochs(m.trace);
	m.epochs = calloc(m.nr, sizeof(*m.epochs));
	m.states = calloc(m.nr, 1);
	assert_true(m.epochs && m.states);
	assert_true(m.nr == (uint64_t)(p->rows[row].value[PROFILE_EPOCHS] / DECIMAL_ONE));
	assert_int_equal(trace_read(m.trace, 0, m.nr, m.epochs, &err), SAHM_OK);
	assert_int_equal(trace_states(m.trace, &p->cuts, m.states, &err), SAHM_OK);
	assert_int_equal(plan_make(&plan, p, &p->rows[row], seed, &err), SAHM_OK);
	for (size_t i = 0; i < plan.nr; i++) {
		uint64_t length = plan.stays[i].length;
		unsigned state = plan.stays[i].state;
		for (uint64_t end = at + length; at < end; at++) {
			assert_true(at < m.nr);
			if (m.states[at] != state)
				fail_msg("%s: epoch %" PRIu64 " is in %s, not in %s", name, at,
					 state_name(m.states[at]), state_name(state));
			if (counters_contradict(&m.epochs[at], &wrong))
				fail_msg("%s: epoch %" PRIu64 " has too many %s", name, at, counter_rows[wrong].name);
			assert_true(m.epochs[at].count[COUNTER_INSTRUCTIONS] > 0);
			m.in_state[state]++;
		}
	}
	assert_true(at == m.nr && plan.displaced == outcome.displaced);
	m.displaced = outcome.displaced;
	plan_release(&plan);
	return m;
}

static inline void unmake(struct made *m)
{
	trace_free(m->trace);
	free(m->epochs);
	free(m->states);
}

/* By ranks: a part gets one more when fewer than there are left to give have a larger remainder, or the same before. */
static inline void apportion(uint64_t total, const decimal *shares, size_t nr, uint64_t *parts)
{
	decimal sum = 0;
	uint64_t left = total, remainder[NR_STATES];
	for (size_t i = 0; i < nr; i++)
		sum += shares[i] / 1000;
	for (size_t i = 0; i < nr; i++) {
		decimal product = (decimal)total * (shares[i] / 1000);
		parts[i] = (uint64_t)(product / sum);
		remainder[i] = (uint64_t)(product % sum);
		left -= parts[i];
	}
	for (size_t i = 0; i < nr; i++) {
		uint64_t before = 0;
		for (size_t j = 0; j < nr; j++)
			before += remainder[j] > remainder[i] || (remainder[j] == remainder[i] && j < i);
		parts[i] += before < left;
	}
}

#endif
