/* Runs of one policy in a few words, for the tests of single policies: the setup of made_run.h, one engine, a seed. */
#ifndef SAHM_TESTS_UNIT_SCHED_POLICIES_MADE_POLICY_RUN_H
#define SAHM_TESTS_UNIT_SCHED_POLICIES_MADE_POLICY_RUN_H

#include "tests/unit/made_run.h"

static inline void run_policy(const struct setup *setup, uint64_t seed, struct sim_waits *waits, struct outcome *o)
{
	struct made_chip made;
	struct sahm_err err;
	struct sim_config config = config_of(setup, &made);

	config.seed = seed;
	config.waits = waits;
	memset(o, 0, sizeof(*o));
	if (sim_run(&config, &o->whole, o->threads, o->cores, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* Time for which thread `t` ran, and on cores that served it, in ns. */
static inline uint64_t ran_ns(const struct outcome *o, uint32_t t)
{
	return o->threads[t].executed * (o->whole.is_continuous ? 1 : STEP_NS);
}

static inline uint64_t served_ns(const struct outcome *o, uint32_t t)
{
	return o->threads[t].served * (o->whole.is_continuous ? 1 : STEP_NS);
}

static inline void expect_about(const char *what, uint32_t t, uint64_t ns, uint64_t expected, uint64_t tolerance)
{
	if (ns > expected + tolerance || ns + tolerance < expected)
		fail_msg("%s of thread %u: %" PRIu64 " ns, not %" PRIu64 " give or take %" PRIu64, what, t, ns,
			 expected, tolerance);
}

#endif
