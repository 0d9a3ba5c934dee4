/* One simulation: threads that replay sequences of states on a chip under a scheduling policy.
 *
 * Time runs in timesteps. In each, one scheduling pass over the cores in index order, then every core executes the
 * thread at the head of its run queue for one timestep; a core's queue is round-robin, one timestep each. Thread i
 * starts on core i modulo the number of cores, free of charge. Progress is baseline time (sim/base/units.h); a trace
 * that ends restarts at once. A run is a pure function of its `struct sim_config`. Source: first-order model of the
 * dissertation, sections 4.3 and 4.5. Arithmetic: ARCHITECTURE.md.
 */
#ifndef SAHM_ENGINE_SIM_H
#define SAHM_ENGINE_SIM_H

#include "cores/core.h"
#include "sched/sched.h"
#include "sim/base/err.h"

/* Largest number of threads in one simulation. */
#define MAX_THREADS 16384u

/* Longest run, trace and timestep: at the highest rate, the baseline time completed in it stays below 2^63 ns. */
#define MAX_RUN_NS UINT64_C(1000000000000000)

/* One thread. `states[e]` is the state of epoch e (0 to nr_epochs - 1), nr_epochs at least 1; every epoch lasts
 * epoch_ns (MIN_EPOCH_NS to MAX_EPOCH_NS) at baseline speed, all of them together at most MAX_RUN_NS. The thread begins
 * `offset_ns` into the trace, below nr_epochs * epoch_ns. The states stay the caller's. */
struct sim_thread {
	const uint8_t *states;
	uint64_t nr_epochs;
	uint64_t epoch_ns;
	uint64_t offset_ns;
};

struct sim_config {
	const struct chip *chip;
	const struct sim_thread *threads;
	uint32_t nr_threads; /* 1 to MAX_THREADS */
	const struct sched_policy *policy;
	bool oracle;	       /* the policy sees the state in which the coming timestep begins */
	uint32_t inertia;      /* passes that a thread stays after a move */
	uint64_t timestep_ns;  /* 1 to MAX_RUN_NS */
	uint64_t migration_ns; /* cost that every move adds to the thread's debt */
	uint64_t duration_ns;  /* at most MAX_RUN_NS; 0: as long as the longest trace; rounded up to timesteps */
};

/* Per thread. Shares divide by `executed`. */
struct sim_thread_result {
	uint64_t completed_ns; /* baseline time completed, cut to whole ns */
	uint64_t executed;     /* timesteps in which it ran, those spent on debt included */
	uint64_t served;       /* of these: the core serves the state in which the timestep began */
	uint64_t matched;      /* of these: the core matches that state */
	uint64_t transitions;  /* of these: that state differs from the one in which its last executed timestep began */
	uint64_t migrations;   /* moves to another core, by a swap or alone */
};

struct sim_result {
	uint64_t nr_timesteps;
	uint64_t simulated_ns; /* nr_timesteps whole timesteps */
};

/* Runs the simulation. `threads` has room for config->nr_threads results; both outputs are written on success only.
 * Fails with SAHM_RANGE when the configuration breaks a bound above, SAHM_NOMEM. */
enum sahm_status sim_run(const struct sim_config *config, struct sim_result *result, struct sim_thread_result *threads,
			 struct sahm_err *err);

#endif
