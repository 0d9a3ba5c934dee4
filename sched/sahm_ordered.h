/* The ordered pass of the study as a policy carries it out: by the calls of sched/ext.h alone.
 *
 * Its rules are those of sched/sahm_pass.h, to the last bit. What it does beyond them is to say when it wants to be
 * asked again. Where no core has a queue, a pass that has moved nobody would move nobody in the next one either, unless
 * something changes or somebody's inertia runs out; until then passes are left out. Inertia counts passes in which a
 * thread is the head of its core, those left out included: in them every thread that is awake is one. So it is kept as
 * a counter beside the number of passes left out when it was last looked at.
 */
#ifndef SAHM_SCHED_SAHM_ORDERED_H
#define SAHM_SCHED_SAHM_ORDERED_H

#include "sched/ext.h"

/* The largest chip. */
#define SAHM_ORDERED_TOP_CORES 4096u

/* Of the policy. */
struct sahm_ordered {
	u64 last;    /* time of the pass that was made last */
	u64 skipped; /* passes left out before it */
	u32 nr_cores;
	uint16_t matches[SAHM_ORDERED_TOP_CORES]; /* by core: set of the states that it matches */
	uint16_t serves[SAHM_ORDERED_TOP_CORES];
	u32 nr_matching[NR_STATES];
	uint16_t matching[NR_STATES]
			 [SAHM_ORDERED_TOP_CORES]; /* cores that match a state, best speedup first, then by index */
};

/* Of a thread. */
struct sahm_ordered_task {
	u64 moved;   /* 1 + time of the pass in which it last moved */
	u64 seen;    /* passes left out when `inertia` was true */
	u32 inertia; /* passes as a head that it still stays */
};

/* The operations of a policy that makes this pass; its memory is of the two sizes above. */
s32 sahm_ordered_init(void);
void sahm_ordered_runnable(struct task_struct *p, u64 enq_flags);
void sahm_ordered_quiescent(struct task_struct *p, u64 deq_flags);

/* The pass at `now`; returns what sahm_pass() returns. */
u64 sahm_ordered_pass(u64 now, enum swap_rule rule);

#endif
