/* sahm_pass() that looks only where something can happen.
 *
 * Where no queue holds more than one thread, a thread that seeks another core finds one only if an idle core matches
 * its state, or a core whose thread can be swapped away. An index (sahm_index.h) says for which states there is such a
 * core; for the few threads left, the steps of the pass itself decide. Otherwise, all of it is carried out.
 */
#ifndef SAHM_SCHED_ORDERED_SAHM_WATCH_H
#define SAHM_SCHED_ORDERED_SAHM_WATCH_H

#include "sched/ordered/sahm_index.h"

struct sahm_watch {
	struct sched *s;
	enum swap_rule rule;
	struct sahm_index index;
	uint8_t *shown, *shown_state; /* [nr_cores]: what the index says of the core's thread */
	bool *is_idle;		      /* [nr_cores]: as the index has it */
	uint64_t *inert;	      /* set of cores whose thread has inertia */
	bool is_whole;		      /* passes are carried out whole: some queue is longer, or nobody has looked yet */
};

/* Watches `s` for a policy with the rules `rule`. False when memory is short. */
bool sahm_watch_init(struct sahm_watch *w, struct arena *a, struct sched *s, enum swap_rule rule);

/* Threads have come or gone. */
void sahm_watch_all(struct sahm_watch *w);

/* The observed state of the thread of `core` has changed. */
void sahm_watch_core(struct sahm_watch *w, uint32_t core);

/* The pass s->pass: the same as sahm_pass(). */
void sahm_watch_pass(struct sahm_watch *w);

#endif
