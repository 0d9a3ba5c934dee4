/* Random small systems in continuous time: threads that come, go, sleep, yield, may not run everywhere, and change;
 * cores with levels, and groups of them that share. */
#ifndef SAHM_TESTS_HELPER_RANDOM_RUN_H
#define SAHM_TESTS_HELPER_RANDOM_RUN_H

#include "sched/host/host.h"
#include "sim/engine/sim.h"
#include "tests/helper/chaos.h"

#define RUN_TOP_CORES CHAOS_TOP_CORES
#define RUN_TOP_THREADS CHAOS_TOP_THREADS
#define RUN_TOP_EPOCHS 12
#define RUN_TOP_BURSTS 5
#define RUN_TOP_CHANGES 8
#define RUN_TOP_LEVELS 4
#define RUN_TOP_SHARED 2
#define RUN_TOP_TENANTS 2
#define RUN_TOP_GROUPS (RUN_TOP_CORES * RUN_TOP_LEVELS) /* of activity: each core at each level */

/* It points into itself: not to be copied. */
struct random_run {
	struct sim_config config;
	struct sched_ext_ops ops;
	enum chaos_kind kind;
	struct chip chip;
	struct core_type types[RUN_TOP_CORES];
	const struct core_type *cores[RUN_TOP_CORES];
	struct sim_thread threads[RUN_TOP_THREADS];
	uint8_t states[RUN_TOP_THREADS][RUN_TOP_EPOCHS];
	uint64_t allowed[RUN_TOP_THREADS];
	uint64_t counters[RUN_TOP_EPOCHS * NR_COUNTERS]; /* of all threads */
	struct burst_model bursts[RUN_TOP_THREADS];
	struct burst list[RUN_TOP_THREADS][RUN_TOP_BURSTS];
	struct burst_end ends[RUN_TOP_THREADS][RUN_TOP_BURSTS];
	struct sim_change changes[RUN_TOP_CHANGES];
	struct host_tenant tenants[RUN_TOP_TENANTS];
	uint64_t changed_allowed[RUN_TOP_CHANGES];
	uint64_t matrix_ns[RUN_TOP_CORES * RUN_TOP_CORES];
	struct sim_waits waits;
	struct core_levels levels[RUN_TOP_CORES];
	struct core_level level_rows[RUN_TOP_CORES][RUN_TOP_LEVELS];
	uint32_t shared_of[RUN_TOP_CORES];
	uint64_t capacity[RUN_TOP_SHARED];
	uint64_t demand[RUN_TOP_THREADS][NR_STATES];
	uint32_t core_groups[RUN_TOP_CORES];
	uint64_t residency[RUN_TOP_GROUPS];
	uint64_t over_ns[RUN_TOP_SHARED];
	struct activity activity[RUN_TOP_THREADS * RUN_TOP_GROUPS * NR_STATES];
};

/* Draws a run, of at most `top_steps` timesteps, and its policy, whose rules are broken once in `illegal` (0: never).
 * `from` stays the caller's and is drawn from while the run lasts. */
void random_run(struct random_run *run, struct chaos_source *from, uint64_t top_steps, unsigned illegal);

#endif
