/* Short runs in a few words, and what is expected of them. Every one is made by both engines. */
#ifndef SAHM_TESTS_UNIT_MADE_RUN_H
#define SAHM_TESTS_UNIT_MADE_RUN_H

#include <inttypes.h>
#include <string.h>

#include "sched/ordered/sched.h"
#include "sim/base/array.h"
#include "sim/engine/sim.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/made_chip.h"

#define STEP_NS (10 * NS_PER_MS)
#define MS(ms) ((uint64_t)(ms)*NS_PER_MS)
#define US(us) ((uint64_t)(us)*1000)

struct setup {
	const struct way *ways;
	const struct sim_thread *threads;
	uint32_t nr_cores, nr_threads;
	const char *policy;
	bool oracle;
	uint32_t inertia;
	uint64_t cost_ns, warmup_ns;
	uint64_t steps;	      /* duration in timesteps; 0: see duration_ns */
	uint64_t duration_ns; /* 0: the longest trace */
};

/* Members of struct setup from arrays. */
#define CORES(array) .ways = (array), .nr_cores = ARRAY_SIZE(array)
#define THREADS(array) .threads = (array), .nr_threads = ARRAY_SIZE(array)

/* A thread whose trace is the array `trace`. */
#define TRACE(trace, length_ns)                                                                                        \
	{                                                                                                              \
		.states = (trace), .nr_epochs = sizeof(trace), .epoch_ns = (length_ns)                                 \
	}

struct outcome {
	struct sim_result whole;
	struct sim_thread_result threads[TOP_THREADS];
	struct sim_counts cores[TOP_CORES];
};

/* What the plain engine says must be what the other one has said. */
static inline void expect_from_plain(const struct sim_config *config, const struct outcome *o)
{
	struct sim_thread_result threads[TOP_THREADS], said[TOP_THREADS];
	struct sim_counts cores[TOP_CORES], counted[TOP_CORES];
	struct sim_outcome event = {.from = "the event engine", .whole = o->whole, .threads = said, .cores = counted};
	struct sim_outcome plain = {.threads = threads, .cores = cores};
	struct sahm_err err;

	memcpy(said, o->threads, sizeof(said));
	memcpy(counted, o->cores, sizeof(counted));
	assert_int_equal(run_engine(config, SIM_PLAIN, &plain, &err), SAHM_OK);
	if (!same_outcome(&plain, &event, config->nr_threads, config->chip->nr_cores))
		fail_msg("the engines disagree");
}

/* Result of a setup, on the chip that is made for it. */
static inline struct sim_config config_of(const struct setup *setup, struct made_chip *made)
{
	make_chip(made, setup->ways, setup->nr_cores);
	assert_true(setup->nr_threads <= TOP_THREADS);
	struct sim_config config = {
		.chip = &made->chip,
		.threads = setup->threads,
		.nr_threads = setup->nr_threads,
		.policy = sched_policy_find(setup->policy),
		.oracle = setup->oracle,
		.inertia = setup->inertia,
		.timestep_ns = STEP_NS,
		.distances.cost_ns = setup->cost_ns,
		.warmup_ns = setup->warmup_ns,
		.duration_ns = setup->steps ? setup->steps * STEP_NS : setup->duration_ns,
	};
	assert_non_null(config.policy);
	return config;
}

static inline void simulate(const struct setup *setup, struct outcome *o)
{
	struct made_chip made;
	struct sahm_err err;
	struct sim_config config = config_of(setup, &made);

	memset(o, 0xa5, sizeof(*o));
	if (sim_run(&config, &o->whole, o->threads, o->cores, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	expect_from_plain(&config, o);
	assert_int_equal(o->whole.simulated_ns, o->whole.nr_timesteps * STEP_NS);
	if (setup->steps)
		assert_int_equal(o->whole.nr_timesteps, setup->steps);
}

static inline void same(const struct outcome *o, uint32_t t, const char *field, uint64_t value, uint64_t expected)
{
	if (value != expected)
		fail_msg("thread %u after %" PRIu64 " timesteps: %s is %" PRIu64 ", not %" PRIu64, t,
			 o->whole.nr_timesteps, field, value, expected);
}

static inline void expect_thread(const struct outcome *o, uint32_t t, uint64_t completed_ns, uint64_t executed,
				 uint64_t served, uint64_t matched, uint64_t transitions, uint64_t migrations)
{
	const struct sim_thread_result *r = &o->threads[t];

	same(o, t, "completed_ns", r->completed_ns, completed_ns);
	same(o, t, "executed", r->executed, executed);
	same(o, t, "served", r->served, served);
	same(o, t, "matched", r->matched, matched);
	same(o, t, "transitions", r->transitions, transitions);
	same(o, t, "migrations", r->migrations, migrations);
}

static const uint8_t all_low[] = {LOW}, all_branch[] = {BRANCH}, all_l1d[] = {L1D}, all_l2[] = {L2};

#endif
