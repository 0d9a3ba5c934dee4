/* The ordered pass of the study as a policy carries it out: only by the calls of sched/ext.h.
 *
 * Its rules are those of sched/ordered/sahm_pass.h, to the last bit. In addition, it looks only where something can
 * happen, and returns when it wants to be called again. Where no core has a queue, sets of cores say who seeks another
 * core and who can be let go; they are kept true by the policy's notifications and its own actions. A pass then costs
 * nothing when nobody who seeks can find anything, and none is needed before something changes or somebody's inertia
 * runs out. Where a core has a queue (or the chip too many kinds of cores), every pass walks over all heads.
 *
 * Inertia counts passes in which a thread is the head of its core. Where no core has a queue that is every pass, those
 * left out included: such passes are counted in one number, and a thread's inertia is kept as a counter beside the
 * number that was true when it was looked at.
 */
#ifndef SAHM_SCHED_ORDERED_SAHM_ORDERED_H
#define SAHM_SCHED_ORDERED_SAHM_ORDERED_H

#include "sched/host/ext.h"
#include "sim/base/bitset.h"
#include "sim/base/reciprocal.h"
#include "sim/base/units.h"

/* The largest chip, and the most kinds of cores (of the same speedups and sets) for which there are sets. */
#define SAHM_ORDERED_TOP_CORES MAX_BITSET
#define SAHM_ORDERED_TOP_KINDS 64u
#define SAHM_ORDERED_NOBODY UINT16_MAX

/* Of a core. */
struct sahm_ordered_core {
	uint16_t matches, serves; /* sets of states */
	uint16_t next, prev;	  /* in the list of those with inertia */
	u8 kind;
	/* What the sets say of it: */
	u8 state; /* observed, of its thread */
	u8 shown; /* SHOWN_* of sahm_ordered_sets.c */
	struct task_struct *head;
	struct sahm_ordered_task *task; /* the policy's memory for it */
	u64 expires; /* its thread's inertia falls to 0 in the pass after this number of counted ones */
};

/* Of the policy. */
struct sahm_ordered {
	struct reciprocal timestep_ns;
	u32 inertia, nr_cores;
	u64 next;    /* the first timestep whose pass has not been made */
	u64 counted; /* passes before it that count for everybody's inertia */
	enum swap_rule rule;
	bool knows_rule;
	bool has_kinds; /* there are sets */
	bool is_whole;	/* passes walk over all heads: some core has a queue */

	/* Kinds of cores, bit by bit. */
	u64 matching_kinds[NR_STATES];		     /* those that match a state */
	uint16_t matched[SAHM_ORDERED_TOP_KINDS];    /* states that they match */
	u8 shows[SAHM_ORDERED_TOP_KINDS][NR_STATES]; /* how a thread in a state is shown there, by `rule` */
	u8 kinds[NR_STATES][SAHM_ORDERED_TOP_KINDS]; /* the same, best speedup first */
	u64 same[NR_STATES];			     /* bit i: kinds[state][i] is as fast as the one before */

	/* The sets: seekers by state, then for each kind the cores whose heads can be let go, and the idle ones. */
	u32 set_words;
	uint16_t seeks;	    /* states with seekers */
	u64 released, idle; /* kinds with such cores, */
	uint16_t offered;   /* and the states that these match */
	uint16_t first_inert, last_inert;
	uint64_t stale[1 + MAX_BITSET / 64];	/* cores of which the sets may say what is not true any more */
	uint64_t expiring[1 + MAX_BITSET / 64]; /* whose thread's inertia runs out in the pass under way */
	uint64_t sets[(NR_STATES + 2 * SAHM_ORDERED_TOP_KINDS) * (1 + MAX_BITSET / 64)];

	struct sahm_ordered_core cores[SAHM_ORDERED_TOP_CORES];
	u32 nr_matching[NR_STATES];
	uint16_t matching[NR_STATES]
			 [SAHM_ORDERED_TOP_CORES]; /* cores that match a state, best speedup first, then by index */
};

/* Of a thread. */
struct sahm_ordered_task {
	u64 moved;   /* 1 + time of the pass in which it last moved, when all was walked over */
	u64 seen;    /* passes counted when `inertia` was true */
	u32 inertia; /* passes as a head that it still stays */
};

/* The operations of a policy that makes this pass; its memory is of the two sizes above. */
s32 sahm_ordered_init(void);
void sahm_ordered_runnable(struct task_struct *p, u64 enq_flags);
void sahm_ordered_quiescent(struct task_struct *p, u64 deq_flags);
void sahm_ordered_set_cpumask(struct task_struct *p, const struct cpumask *cpumask);
void sahm_ordered_observed(struct task_struct *p, u32 state);

#define SAHM_ORDERED_OPS                                                                                               \
	.flags = SAHM_OPS_ASKS, .init = sahm_ordered_init, .runnable = sahm_ordered_runnable,                          \
	.quiescent = sahm_ordered_quiescent, .set_cpumask = sahm_ordered_set_cpumask,                                  \
	.sahm_observed = sahm_ordered_observed, .sahm_state_bytes = sizeof(struct sahm_ordered),                       \
	.sahm_task_state_bytes = sizeof(struct sahm_ordered_task)

/* The pass at `now`; returns what sahm_pass() returns. */
u64 sahm_ordered_pass(u64 now, enum swap_rule rule);

/* What its files share: whether `p` may run on core `cpu`. */
static inline bool sahm_ordered_may_run(const struct sahm_ordered *st, const struct task_struct *p, u32 cpu)
{
	return (u32)p->nr_cpus_allowed == st->nr_cores || bpf_cpumask_test_cpu(cpu, p->cpus_ptr);
}

/* The sets: sahm_ordered_sets.c */

void sahm_ordered_init_sets(struct sahm_ordered *st);
/* The rule of the pass under way, which is the same for all. */
void sahm_ordered_set_rule(struct sahm_ordered *st, enum swap_rule rule);
/* Takes a look at the cores of which something is not known. False: one of them has a queue. */
bool sahm_ordered_catch_up(struct sahm_ordered *st);
/* The pass by the sets, in timestep st->next; what is to follow: passes until the next one, NEVER for none. */
u64 sahm_ordered_pass_sets(struct sahm_ordered *st);

/* Nothing is known of core `cpu`, or of any, any more. */
static inline void sahm_ordered_forget(struct sahm_ordered *st, u32 cpu)
{
	bitset_add(st->stale, cpu);
}

static inline void sahm_ordered_forget_all(struct sahm_ordered *st)
{
	for (u32 cpu = 0; cpu < st->nr_cores; cpu++)
		bitset_add(st->stale, cpu);
}

#endif
