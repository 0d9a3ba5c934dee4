/* The simulation beside the limit: what a thread reaches that has the chip to itself, knows its state at the beginning
 * of each timestep and moves for nothing, and is yet looked at only once in a timestep.
 *
 * Each thread runs alone from the beginning of its trace to its end, once, under the policy `assign` with the oracle,
 * which puts it on the core that is best for the state in which a timestep begins; where the state changes within the
 * timestep, it stays there to the timestep's end. Its loss against the bound is therefore about half a timestep per
 * change of state, and shrinks with the timestep.
 *
 * It never exceeds the limit but for the simulation's clock, which has whole ns: a boundary between epochs is noticed
 * at the first ns at or past it, so that less than one ns of the new epoch is done at the old one's rate. In time that
 * is less than (maximum rate / minimum rate - 1) ns for each epoch.
 */
#ifndef SAHM_RESULTS_STUDIES_LIMIT_STEPS_H
#define SAHM_RESULTS_STUDIES_LIMIT_STEPS_H

#include "sim/engine/config/run_config.h"

/* The policy that takes the best core for a state, whatever cores differ in. */
#define LIMIT_STEPS_POLICY "assign"

/* Simulates each thread of `config` on its chip, of whose cores it has those that it may run on at first, with each of
 * the timesteps timesteps_ns[nr] (1 to MAX_RUN_NS): speedups[t * nr + i] is the speedup of thread t, a fraction, with
 * the i-th. NAN where a thread may run nowhere, or is so slow that the simulation was given up (GIVE_UP_FACTOR). Of the
 * configuration's scheduler, costs, times, bursts, changes and introspection nothing counts. Fails as trace_states()
 * and sim_run() do. */
enum sahm_status limit_simulate(const struct run_config *config, const uint64_t *timesteps_ns, size_t nr,
				double *speedups, struct sahm_err *err);

#endif
