/* From counts to metrics: what a run's result says. Shares and speedups are fractions (0.18 is 18 %).
 * Source: first-order model of the dissertation, sections 4.5 and 4.6. */
#ifndef SAHM_RESULTS_RUN_METRICS_H
#define SAHM_RESULTS_RUN_METRICS_H

#include "sim/engine/run.h"

struct thread_metrics {
	double speedup;	      /* baseline time completed / simulated time - 1 */
	double served_share;  /* executed timesteps whose core serves the state in which the timestep began; NAN if none
			       */
	double matched_share; /* the same, with `Low` on a baseline core */
};

struct run_metrics {
	double speedup_mean;	 /* arithmetic means over threads: of their speedups, */
	double served_mean;	 /* of their served shares (NAN ones left out), */
	double matched_mean;	 /* and of their matched shares */
	double speedup_system;	 /* sum of baseline time completed / (min(threads, cores) x simulated time) - 1 */
	double served_share;	 /* over all executed timesteps */
	double matched_share;	 /* over all executed timesteps */
	double running_share;	 /* executed timesteps / (threads x timesteps) */
	double transition_share; /* executed timesteps that began in another state than the thread's last one */
	double migrations_per_s; /* moves of all threads per simulated second */
	uint64_t executed;	 /* thread-timesteps executed */
	uint64_t transitions;	 /* of these: at state transitions */
	uint64_t migrations;
	double completed_ns; /* baseline time completed by all threads; can exceed 64 bits */
};

void run_metrics_of_thread(const struct run_thread_result *r, struct thread_metrics *m);
void run_metrics_of(const struct run_result *r, struct run_metrics *m);

#endif
