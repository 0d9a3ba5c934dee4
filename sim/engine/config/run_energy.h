/* Energy of a simulation, from what its threads did where (cores/chip/activity.h) and what its cores draw.
 *
 * A core draws static power for as long as the simulation lasts, and dynamic power while a thread executes, the time
 * in which it pays for a migration included. Each unit of work takes the energy of the events in it: an epoch's are
 * taken to be those of the average epoch of its trace in the same state. A thread has the dynamic energy, the energy of
 * its migrations, and the static energy of cores while it executes there; the chip has all of it. J, as doubles added
 * up in a fixed order: the same on every machine.
 */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_ENERGY_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_ENERGY_H

#include "sim/engine/config/run.h"

/* Cells of activity that a simulation may have: 1 GiB of them. */
#define MAX_ACTIVITY_CELLS (UINT64_C(1) << 25)

/* What is needed to tell the energy of simulations of a configuration. */
struct run_energy {
	const struct run_config *config;
	struct activity *activity;  /* [nr_threads][nr_points][NR_STATES], of one simulation */
	struct core_levels *levels; /* [nr_cores]: those of the configuration, or one, with what they draw */
	/* Events per ns of baseline time by trace and state, [nr_traces]. */
	double (*events)[NR_STATES][NR_COUNTERS];
};

/* `states[i]` are those of the epochs of trace i. Memory is from `a`. SAHM_RANGE where that is too much, SAHM_NOMEM,
 * and as trace_read() fails. */
enum sahm_status run_energy_init(struct run_energy *e, const struct run_config *config, const uint8_t *const *states,
				 struct arena *a, struct sahm_err *err);

/* Adds the energy of a simulation of threads first to first + nr - 1, whose results `threads` are, and whose cores were
 * at each operating point for residency[nr_points] ns, to each of `results`, and clears the activity. */
void run_energy_add(struct run_energy *e, const struct sim_result *sum, const struct sim_thread_result *threads,
		    const uint64_t *residency, uint32_t first, uint32_t nr, struct run_result *const *results,
		    unsigned nr_results);

#endif
