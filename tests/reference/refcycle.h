/* A second timing model: the rules of docs/cores.md again, slow and obvious.
 *
 * Out-of-order cores are stepped cycle by cycle: a ROB, queues and registers hold uops, each queue issues its oldest
 * ready ones, and nothing is known of later cycles. The rules name a few things that no such core can do, because they
 * follow program order where time runs differently: a unit that is not pipelined, or a bus, is kept free for an older
 * uop that is not ready yet, and a younger miss waits for the MSHR of an older one that comes later. Runs in which one
 * of them matters are computed again in program order, with tables by cycle. In-order cores always are.
 */
#ifndef SAHM_TESTS_REFERENCE_REFCYCLE_H
#define SAHM_TESTS_REFERENCE_REFCYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cores/uarch/timing.h"

/* How often each mechanism occurred, for tests that must not compare empty runs. */
struct refcycle_seen {
	size_t stepped;		     /* runs stepped cycle by cycle to their end */
	size_t stepped_uops;	     /* uops of these runs */
	size_t inexact;		     /* runs stepped, then computed in program order because a miss waits for an MSHR */
	size_t replayed;	     /* runs stepped again from their start: see refcycle_step.c */
	size_t violations, squashed; /* loads that violated memory order; stepped uops that this removed */
	size_t forwards, drained_first;
	size_t rob, queue, registers, load_queue, store_queue; /* uops whose dispatch these held back last */
	size_t mshr, bus, units;			       /* waits for them */
	size_t redirects, serialized, in_flight, prefetches, soft, blocked;
	size_t predicted, wrong; /* loads that nothing waits for; those after which fetch is redirected */
};

/* Whether the value of a load is predicted. */
enum refcycle_prediction { REFCYCLE_NONE, REFCYCLE_RIGHT, REFCYCLE_WRONG };

/* Entries held, summed over cycles; 0 of what a core does not have. */
struct refcycle_held {
	uint64_t rob, queues[MAX_ISSUE_QUEUES], load_queue, store_queue, mshrs;
};

/* The times of uops[nr], whole instructions: out[nr]. The prefetches are those of all uops, in order. Adds to *seen.
 * False when memory is short. */
bool refcycle_run(const struct core_timing *t, const struct uop *uops, size_t nr, const struct uop_prefetch *prefetches,
		  struct uop_stamps *out, struct refcycle_held *held, struct refcycle_seen *seen);

/* The same with predicted loads: predictions[nr], enum refcycle_prediction. */
bool refcycle_run_predicted(const struct core_timing *t, const struct uop *uops, size_t nr,
			    const struct uop_prefetch *prefetches, const uint8_t *predictions, struct uop_stamps *out,
			    struct refcycle_held *held, struct refcycle_seen *seen);

/* Whether the first model counted the same. */
static inline bool refcycle_held_equal(const struct refcycle_held *held, const struct timing_result *r)
{
	return held->rob == r->rob_held && held->load_queue == r->load_queue_held &&
	       held->store_queue == r->store_queue_held && held->mshrs == r->mshrs_held &&
	       memcmp(held->queues, r->queue_held, sizeof(held->queues)) == 0;
}

#endif
