/* Threads of different kinds of cores change places, best pair first, for policies that decide so at intervals.
 *
 * Cores are of one kind when they are equally fast in every state, and of one class when, besides, the same threads may
 * run there: so tenants with separate cores share no class. A round comes every period. In it a pair is a taker, which
 * goes to the core of the giver, and the giver, which gets the taker's core, or an idle core. The policy scores both;
 * the pair with the largest sum trades places, then the next, until no sum is above 0. No thread trades twice in a
 * round. Of equal sums the pair wins whose taker's class, and in it whose core, comes first; another tenant cannot
 * change that. Threads that wait in queues take part as those that run.
 *
 * Before that queues are evened out: a core that has at least two threads fewer than another takes one from the longest
 * queue that has one for it: the one with the largest score as a taker. EXCHANGE_NEVER is the lowest score there, and
 * no refusal.
 *
 * A round takes O(classes x threads), and about O(threads) for each pair.
 */
#ifndef SAHM_SCHED_POLICIES_EXCHANGE_H
#define SAHM_SCHED_POLICIES_EXCHANGE_H

#include "sched/host/ext.h"
#include "sim/base/arena.h"

#define EXCHANGE_NEVER INT64_MIN

struct exchange;

/* A thread on a core of class `from`, with its state of the policy `t`: what it would be worth that it goes to `to`.
 * Sums of two scores fit. EXCHANGE_NEVER: it does not, except to even out queues. */
typedef s64 exchange_score(const struct exchange *x, const void *t, u32 from, u32 to);

struct exchange_rule {
	u64 periods; /* of (inertia + 1) timesteps, from round to round */
	exchange_score *take;
	exchange_score *give;
	s64 idle; /* score of an idle core as the giver */
	/* `p` was awake for `ns` more, in the state of its struct exchange_stretch; NULL: nobody asks. */
	void (*account)(const struct task_struct *p, u64 ns);
	/* Brings what is known of a runnable thread up to date, before the pairs of a round are found. */
	void (*update)(const struct task_struct *p);
};

/* The stretch of time that a thread is in, at the beginning of sahm_task_state() where the rule accounts. */
struct exchange_stretch {
	u64 since; /* until then it is accounted for */
	u32 state;
	bool is_awake, is_observed;
};

struct exchange_pair {
	s64 gain;
	struct task_struct *taker, *giver; /* giver NULL: core `to` is idle */
	s32 to;
};

struct exchange {
	struct arena arena;
	const struct exchange_rule *rule;
	u32 nr_cores, nr_kinds, nr_classes;
	u32 *kind_of, *class_of;     /* [nr_cores] */
	s32 *kind_first;	     /* [nr_kinds], the first core of each; there is room for as many as cores */
	s32 *class_first;	     /* [nr_classes], likewise */
	u32 *capacity;		     /* [nr_classes], cores */
	s32 *speedup_ppm;	     /* [nr_kinds][NR_STATES] */
	u64 period_ns, next;	     /* of rounds */
	u64 round;		     /* number of the round under way, from 1 */
	bool is_stale;		     /* classes must be found again */
	u64 *set_of;		     /* [nr_cores], a hash of the threads that may run there */
	u64 *traded;		     /* [nr_tasks], the round in which it last did */
	struct exchange_pair *best;  /* [nr_classes], with a taker there */
	struct exchange_pair *offer; /* [nr_classes], of givers there */
	s32 *cores, *cores_at;	     /* [nr_cores] by class, and where each class begins; one more */
};

/* To be called in init(), for sahm_state(). 0, or below that when memory is short. */
s32 exchange_init(const struct exchange_rule *rule);

/* Operations for every policy that has a struct exchange at the beginning of its sahm_state(). */
void exchange_exit(struct scx_exit_info *info);
void exchange_set_cpumask(struct task_struct *p, const struct cpumask *cpumask);
u64 exchange_pass(u64 now);

/* And for those whose rule accounts. */
void exchange_observed(struct task_struct *p, u32 state);
void exchange_runnable(struct task_struct *p, u64 enq_flags);
void exchange_quiescent(struct task_struct *p, u64 deq_flags);

/* Speedups of a core of class `class`, by state. */
static inline const s32 *exchange_speedups(const struct exchange *x, u32 class)
{
	return x->speedup_ppm + (size_t)x->kind_of[x->class_first[class]] * NR_STATES;
}

/* Whether `p` may run on the cores of a class. */
static inline bool exchange_may_run(const struct exchange *x, const struct task_struct *p, u32 class)
{
	return (u32)p->nr_cpus_allowed == x->nr_cores || bpf_cpumask_test_cpu((u32)x->class_first[class], p->cpus_ptr);
}

#endif
