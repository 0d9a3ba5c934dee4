/* Threads at the heads of run queues as a transportation problem over classes of cores, for policies that work it out.
 *
 * Two cores are of one class when no thread could tell them apart: equal speedups, serves and matches, the same threads
 * may run there, and a move between either and any core of another class costs the same. So with costs that are the
 * same everywhere classes are core types (times tenants), with clusters core types within the smallest cluster, and
 * with a matrix of costs, in the worst case, single cores. Classes are numbered by their first core. They are found
 * again when a thread gets a set of cores that divides one: they are other ones then, and all gains are forgotten.
 *
 * A policy gives each head its gain in each class (seating_set()), in any unit; who is not given in a
 * pass and is no head any more is forgotten. seating_carry_out() then moves those whose class has changed, as one
 * permutation, so that each of them pays once; all others keep their cores. A policy may make several plans, with other
 * gains each: a tenant follows the first that moves one of its threads. Everybody has a place: no gain is large
 * enough to put somebody out. Seats of a class are all its cores, idle ones included.
 *
 * For each idle core a thread that waits in one of the longest queues is asked for its gains as well, as if it were the
 * head there: it goes to where it is best in the end, or, when it is best where it is, its head has gone. So nobody
 * moves twice in a pass.
 */
#ifndef SAHM_SCHED_POLICIES_SEATING_H
#define SAHM_SCHED_POLICIES_SEATING_H

#include "sched/host/ext.h"
#include "sched/policies/transport.h"

#define SEATING_NEVER INT64_MIN
/* The largest number of plans made side by side. */
#define SEATING_PLANS 2

struct seating {
	u32 nr_cores, nr_classes;
	u32 *class_of; /* [nr_cores] */
	s32 *first;    /* [nr_classes], the first core of each */
	s32 *second;   /* [nr_classes], another one, if there is one */
	u32 *capacity; /* [nr_classes] */
	s32 *like;     /* [nr_cores], the first core of the tenant that differs in nothing but who may run there */
	s32 *group;    /* [nr_cores], the first core like that where the same threads may run */
	s32 *tenant;   /* [nr_cores], the first core of those that are linked to it by threads that may run on both */
	u32 *part;     /* [nr_classes], the tenant of each */
	bool is_stale; /* classes must be found again */
	bool are_new;  /* seating_begin() has found them again */
	bool is_flat;  /* every move costs cost_ns */
	u64 cost_ns;
	u32 nr_plans;
	struct transport *plan[SEATING_PLANS];
	/* Of the pass under way: whether anybody may move, and [nr_cores], by the first core of a tenant, the plan that
	 * it follows; SEATING_PLANS: none. */
	bool some_move;
	u32 *plan_of;
	s64 max_gain;
	s64 offset; /* so that being somewhere is better than being nowhere */
	u32 shift;  /* of gains, so that they fit */
	/* Of the pass under way: */
	struct task_struct **heads; /* [nr_cores], for an idle core: who is asked */
	struct task_struct **was;   /* [nr_cores], heads of the pass before */
	/* Seats of threads that sleep, kept for them for hold_ns[core] where the policy wants that (`holds`), which it
	 * says before the first is due; and when the next of them becomes free. */
	bool holds;
	u64 *hold_ns, next_free_ns;
	struct task_struct **holders; /* [nr_cores] */
	u64 *held_until;	      /* [nr_cores] */
	s64 *values;		      /* [nr_classes] */
	struct task_struct **movers;  /* [nr_cores] */
	s32 *targets;		      /* [nr_cores] */
	bool *is_free;		      /* [nr_cores], idle or about to be left */
	s32 *next_free;		      /* [nr_cores + nr_classes], lists of free cores by class */
	/* [nr_tasks], from 1, in the order in which threads have arrived, which does not depend on how they are listed;
	 * 0: not yet. */
	u32 *rank, nr_ranks;
	/* Of threads that are asked for idle cores: */
	u32 nr_asked;
	s32 *asked_for;	  /* [nr_tasks], the core; below 0: none */
	u32 *nr_asked_of; /* [nr_cores], threads in its queue */
	bool *has_idle;	  /* [nr_classes], an idle core */
	bool *has_asked;  /* [nr_cores], by the first core of a tenant */
};

/* To be called in init(): takes all memory from `a`, for up to as many classes as cores. Gains will lie between
 * -max_gain and max_gain, in each of `nr_plans` plans. False when memory is short. */
bool seating_init(struct seating *s, struct arena *a, s64 max_gain, u32 nr_plans);

/* To be called in set_cpumask(): `p` may run on other cores than before, or has arrived. */
void seating_allow(struct seating *s, const struct task_struct *p);

/* Thread `p` leaves: no seat is kept for it. */
void seating_leave(struct seating *s, const struct task_struct *p);

/* Begins a pass at time `now`: finds the classes when needed, as in the first pass, and reports that by `are_new`;
 * reads the heads, and lets go of those that no longer are. Returns whether any queue is longer than 1. */
bool seating_begin(struct seating *s, u64 now);

/* The thread's number in the transportation problem, where the lowest wins a tie. */
static inline u32 seating_rank(const struct seating *s, const struct task_struct *p)
{
	return s->rank[p->pid - 1] - 1;
}

/* Whether `p` has been given gains that still hold. */
static inline bool seating_has(const struct seating *s, const struct task_struct *p)
{
	return transport_is_active(s->plan[0], seating_rank(s, p));
}

/* The class where `p`, one of the heads, need not move, and where it gains without cost; TRANSPORT_NOWHERE: it is asked
 * for an idle core, and has to move even within its class. */
static inline u32 seating_home(const struct seating *s, const struct task_struct *p)
{
	u32 home = s->class_of[scx_bpf_task_cpu(p)];
	return s->asked_for[p->pid - 1] >= 0 && s->has_idle[home] ? TRANSPORT_NOWHERE : home;
}

/* Gives head `p` the gains gain[nr_classes] in a plan; classes where it may not run are left out automatically, as are
 * those with SEATING_NEVER. Who is asked for an idle core is in the first plan only. */
void seating_set(struct seating *s, u32 plan, struct task_struct *p, const s64 *gain);

/* Moves threads to the classes where they are best, and fills idle cores; returns how many have moved, each once. */
u32 seating_carry_out(struct seating *s);

/* Whether threads of the tenant of core `cpu` have moved in this pass. */
static inline bool seating_has_moved(const struct seating *s, s32 cpu)
{
	return s->some_move && s->plan_of[s->tenant[cpu]] < SEATING_PLANS;
}

/* After the others have moved: lets two threads, of which at least one waits, trade places. Returns whether they do. */
bool seating_trade(struct seating *s, struct task_struct *a, struct task_struct *b);

/* Cost of a move of a thread on core `from` to a core of a class. */
static inline u64 seating_cost_ns(const struct seating *s, s32 from, u32 class)
{
	s32 to = s->first[class] == from ? s->second[class] : s->first[class];
	return s->is_flat ? s->cost_ns : sahm_move_cost_ns(from, to);
}

#endif
