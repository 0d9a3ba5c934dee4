/* Threads at the heads of run queues as a transportation problem over classes of cores, for policies that work it out.
 *
 * Two cores are of one class when no thread could tell them apart: equal speedups, serves and matches, the same threads
 * may run there, and a move between either and any core of another class costs the same. So with costs that are the
 * same everywhere classes are core types (times tenants), with clusters core types within the smallest cluster, and
 * with a matrix of costs, in the worst case, single cores. Classes are numbered by their first core.
 *
 * A policy gives each head what it would gain in each class (seating_set()), in units of its own; who is not given in a
 * pass and is no head any more is forgotten. seating_carry_out() then moves those whose class has changed, as one
 * permutation, so that each of them pays once; all others keep their cores. Everybody has a place: no gain is large
 * enough to put somebody out. Seats of a class are all its cores, idle ones included.
 */
#ifndef SAHM_SCHED_SEATING_H
#define SAHM_SCHED_SEATING_H

#include "sched/ext.h"
#include "sched/transport.h"

#define SEATING_NEVER INT64_MIN

struct seating {
	u32 nr_cores, nr_classes;
	u32 *class_of; /* [nr_cores] */
	s32 *first;    /* [nr_classes], the first core of each */
	u32 *capacity; /* [nr_classes] */
	bool is_flat;  /* every move costs cost_ns */
	u64 cost_ns;
	struct transport *transport;
	s64 offset; /* so that being somewhere is better than being nowhere */
	u32 shift;  /* of gains, so that they fit */
	/* Of the pass under way: */
	struct task_struct **heads; /* [nr_cores] */
	struct task_struct **was;   /* [nr_cores], heads of the pass before */
	/* Seats of threads that sleep, kept for them for hold_ns (0: not), which the policy sets before its first pass;
	 * and when the next of them becomes free. */
	u64 hold_ns, next_free_ns;
	struct task_struct **holders; /* [nr_cores] */
	u64 *held_until;	      /* [nr_cores] */
	s64 *values;		      /* [nr_classes] */
	struct task_struct **movers;  /* [nr_cores] */
	s32 *targets;		      /* [nr_cores] */
	bool *is_free;		      /* [nr_cores], idle or about to be left */
	s32 *next_free;		      /* [nr_cores + nr_classes], lists of free cores by class */
};

/* To be called in init(): finds the classes and takes all memory from `a`. Gains will lie between -max_gain and
 * max_gain. False when memory is short. */
bool seating_init(struct seating *s, struct arena *a, s64 max_gain);

/* Begins a pass at time `now`: reads the heads, and lets go of those that no longer are. Idle cores get threads from
 * the longest queues before that. Returns whether any queue is longer than 1. */
bool seating_begin(struct seating *s, u64 now);

/* Whether `p` has been given gains that still hold. */
static inline bool seating_has(const struct seating *s, const struct task_struct *p)
{
	return transport_is_active(s->transport, (u32)p->pid - 1);
}

/* Gives head `p` the gains gain[nr_classes]; classes where it may not run are left out by themselves, as are those with
 * SEATING_NEVER. */
void seating_set(struct seating *s, struct task_struct *p, const s64 *gain);

/* Moves threads to the classes where they are best; returns how many. */
u32 seating_carry_out(struct seating *s);

/* Cost of a move of a thread on core `from` to a core of another class. */
static inline u64 seating_cost_ns(const struct seating *s, s32 from, u32 class)
{
	return s->is_flat ? s->cost_ns : sahm_move_cost_ns(from, s->first[class]);
}

#endif
