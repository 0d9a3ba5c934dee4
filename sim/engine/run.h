/* Carrying out a configuration: one simulation, or one per thread in mode `alone`.
 *
 * Results of several simulations are pooled: times, timesteps and counts add up, and shares and rates divide the sums.
 */
#ifndef SAHM_ENGINE_RUN_H
#define SAHM_ENGINE_RUN_H

#include "sim/engine/run_config.h"
#include "sim/engine/sim.h"

struct run_thread_result {
	struct sim_thread_result counts;
	uint64_t simulated_ns; /* of the simulation that it took part in */
};

struct run_result {
	struct run_thread_result *threads; /* [config->nr_threads] */
	uint32_t nr_threads;
	uint64_t simulated_ns;	   /* all simulations together */
	uint64_t thread_timesteps; /* threads present in each timestep, added up: what could have been executed at most
				    */
	/* Sum over timesteps of min(threads present, cores) x timestep, in ns: the system's capacity at baseline speed.
	 * A double: it only ever divides, and may exceed 64 bits. */
	double capacity_ns;
};

/* Runs `config` with `engine`; in mode `alone` each thread arrives at once. On success the caller releases `result`
 * with run_result_release(). Fails as trace_states() and sim_run() do. */
enum sahm_status run_execute(const struct run_config *config, enum sim_engine engine, struct run_result *result,
			     struct sahm_err *err);

void run_result_release(struct run_result *result);

#endif
