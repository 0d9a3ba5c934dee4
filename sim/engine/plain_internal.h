/* The plain engine's parts, of which the one for introspection is made, too. */
#ifndef SAHM_SIM_ENGINE_PLAIN_INTERNAL_H
#define SAHM_SIM_ENGINE_PLAIN_INTERNAL_H

#include "sim/engine/sim_internal.h"
#include "workloads/trace/cursor.h"

/* Reported state of the simulation (timeline_listener.h). */
struct plain_timeline {
	uint32_t *running;   /* [nr_cores]: who ran there in the timestep before, NO_THREAD */
	uint32_t *cores;     /* [nr_threads]: where each one is */
	uint32_t *leaving;   /* [nr_cores] */
	uint32_t nr_arrived; /* of the arrivals */
	uint64_t decisions;
};

struct plain {
	const struct sim_config *config;
	struct sched sched;
	struct arrivals arrivals;
	struct probes *probes;		   /* NULL: the states that policies observe are reported here */
	struct cursor *cursors;		   /* [nr_threads] */
	struct sim_thread_result *threads; /* [nr_threads] */
	struct sim_counts *cores;	   /* [nr_cores] */
	uint8_t *began_in; /* [nr_threads]: state in which the last executed timestep began, or STATE_NONE */
	uint32_t *ended;   /* [nr_cores]: threads whose trace ended in this timestep */
	uint32_t nr_ended;
	uint32_t nr_present;
	uint64_t step;
	struct sim_result result;
	struct plain_timeline timeline; /* where config->timeline is */
};

/* As sim_run_plain() says. */
enum sahm_status plain_init(struct plain *sim, struct arena *a, const struct sim_config *config, struct probes *probes,
			    struct sahm_err *err);

/* Takes out the threads whose traces ended in the timestep before. */
void plain_let_leave(struct plain *sim);

/* Puts those that are due into their queues. */
void plain_let_arrive(struct plain *sim);

/* All threads have been there and have left. */
static inline bool plain_is_over(const struct plain *sim)
{
	return sim->nr_present == 0 && sim->arrivals.next == sim->arrivals.nr;
}

/* One timestep of the thread at the head of `core`'s queue, if there is one. */
void plain_execute(struct plain *sim, uint32_t core);

/* The run has ended before timestep sim->step. */
void plain_conclude(struct plain *sim, const struct sim_span *span, struct sim_result *result,
		    struct sim_thread_result *threads, struct sim_counts *cores);

/* Only where config->timeline is: makes room, and notes where those that have just arrived are to wait; tells what a
 * timestep begins with, after its pass; tells what a run ends with, before timestep sim->step. */
enum sahm_status plain_timeline_init(struct plain *sim, struct arena *a, struct sahm_err *err);
void plain_timeline_arrive(struct plain *sim);
void plain_timeline_step(struct plain *sim);
void plain_timeline_end(struct plain *sim);

#endif
