/* The parts of the event-driven engine.
 *
 * Between two events of a thread its state and its place stay as they are, so what it does is a product: its timesteps
 * are accounted for (event_thread_internal.h) only when it changes its state, moves, or the length of its queue
 * changes. When the state will change is known in advance and kept in a timing wheel, and so is the pass in which its
 * inertia runs out. A core's queue of n threads runs each of them every n-th timestep (event_queue.c). A scheduling
 * pass is carried out only when an index says that it can do something (event_pass.c).
 *
 * All functions work at a point in time: timestep `now` is the first one that has not been executed.
 */
#ifndef SAHM_SIM_ENGINE_EVENT_INTERNAL_H
#define SAHM_SIM_ENGINE_EVENT_INTERNAL_H

#include "sched/ordered/sahm_index.h"
#include "sim/base/reciprocal.h"
#include "sim/engine/sim_internal.h"
#include "sim/engine/wheel.h"
#include "workloads/trace/stays.h"

/* Queues up to this length have a view per phase, unless views take too much memory. */
#define LONGEST_VIEW 32u

/* How fast a class of cores is in a state. */
struct rate {
	struct reciprocal per_ns;   /* progress per ns */
	struct reciprocal per_step; /* progress per timestep, unless sim->is_wide */
	uint8_t kind;
	uint8_t shows; /* how a head in this state is shown in the index */
};

/* Where a thread runs. Two threads that swap trade these. */
struct event_place {
	uint32_t core;
	uint32_t class;		  /* of its core */
	uint32_t stride;	  /* threads in its queue: it executes every stride-th timestep */
	uint32_t activity;	  /* of the cells of a thread, the first for its core */
	const struct rate *rates; /* [NR_STATES]: of its core */
	struct sahm_view *view;	  /* in which it is shown */
};

/* What an event looks at stands first, in two cache lines of 64 bytes: large systems wait for memory. */
struct event_thread {
	/* Where it stands in its trace at the beginning of its execution in timestep `next`. */
	int64_t progress; /* within its stay */
	int64_t length;	  /* of its stay */
	uint64_t next;	  /* the first of its executions that is not accounted for */
	uint64_t due;	  /* when it is looked at again: see thread_schedule() */
	uint64_t debt_ns;
	const uint32_t *stays;
	uint32_t nr_stays, stay;
	const struct rate *rate; /* in its state, on its core */

	struct event_place place;
	uint8_t state;	     /* of its stay */
	uint8_t observed;    /* by the policy, or STATE_NONE */
	uint8_t began_in;    /* state in which its last accounted execution began, or STATE_NONE */
	uint8_t shown;	     /* in the index; 0: not at all */
	uint8_t shown_state; /* as what */
	bool is_present, once, ended;
	int64_t epoch_progress;
	/* Number of the pass, from 1, in which its inertia counter falls to 0, at its core's turn; 0 when it never had
	 * one. While its queue is open, the counter. */
	uint64_t free_pass;
	uint64_t cold_ns; /* of a warm-up, still ahead */

	uint64_t counts[NR_KINDS]; /* executed timesteps */
	uint64_t transitions, migrations, paid_ns;
	uint64_t moved_pass; /* in which it last moved, from 1 */

	struct activity *activity; /* its cells; NULL: not wanted */
	int64_t accounted;	   /* progress within its stay that these have */

	const uint64_t *allowed;
	uint64_t nr_laps;    /* times that it went through its whole trace */
	uint64_t rest_ns;    /* ended: what was left of its last timestep */
	uint64_t present_ns; /* once it has left */
};

struct event_core {
	uint32_t *slots; /* threads in the order in which they execute from timestep `base` on */
	uint32_t length;
	uint32_t size_class; /* of slots: room for 1 << size_class */
	uint64_t base;
	uint64_t counts[NR_KINDS];
	uint32_t shown;	 /* crowded: the head that is shown */
	bool is_crowded; /* longer than there are views for: its head is shown again in each timestep */
	bool is_open;	 /* between queue_open() and queue_close() */
};

/* Blocks for the slots of queues that no queue uses. */
struct slot_blocks {
	uint32_t **free;
	uint32_t nr;
};

struct event_sim {
	const struct sim_config *config;
	uint64_t timestep_ns;
	bool oracle;
	uint64_t limit; /* the run ends before this timestep, or with the one before */
	struct event_thread *threads;
	struct event_core *cores;
	const struct rate *rates; /* [class][NR_STATES] */
	uint64_t counts[NR_STATES][NR_KINDS];
	struct wheel wheel;   /* states: by `due` */
	struct wheel inertia; /* by `free_pass`: who can then be shown */
	struct arrivals arrivals;
	bool is_settled;       /* all have arrived, nobody leaves, and no queue changes its length any more */
	uint64_t next_arrival; /* timestep, NEVER when nobody is to come */
	uint32_t nr_present;
	uint64_t counted_to; /* timestep up to which presence is in the result */
	bool has_sets;	     /* some thread may not run everywhere */
	bool has_once;	     /* some thread leaves when its trace ends */
	bool is_wide;	     /* progress per timestep can be too much for short arithmetic */
	struct sim_result result;

	/* Queues */
	struct slot_blocks *free_slots; /* per size class */
	uint32_t *turned;		/* [nr_threads] to turn a queue round */
	uint32_t *lengths;		/* [nr_threads + 1]: cores with queues of that length */
	uint32_t shortest, longest;	/* lengths that occur */
	uint32_t nr_lengths;		/* how many lengths above 0 occur */
	uint32_t arrive_from;		/* no core before this one has a queue of the shortest length */
	uint64_t *opened;		/* set of cores that have been opened for arrivals */
	uint32_t nr_crowded;		/* cores */
	uint64_t *crowded;		/* set of them */

	/* Passes */
	struct sahm_index index;
	uint32_t longest_view;	/* queues up to this length have a view per phase */
	uint64_t examine_until; /* passes before this one may find something new */
	uint64_t *expiring;	/* set of cores whose head's inertia runs out in the pass under way */
	uint32_t *moved;	/* threads that moved in it, where inertia is 0 */
	uint32_t nr_moved;
	bool in_pass;
	uint64_t inert_from;			   /* pass: whose free_pass is not before it has inertia */
	uint32_t turn;				   /* only in a pass: the core whose turn it is, or was last */
	struct sahm_view *views[LONGEST_VIEW + 1]; /* in force in it */
	unsigned nr_views;
};

/* Queues: event_queue.c */

bool queues_init(struct event_sim *sim, struct arena *a);

/* The thread that `core`, which has some, executes in timestep `now`. */
static inline uint32_t *queue_head(const struct event_core *core, uint64_t now)
{
	return &core->slots[core->length == 1 ? 0 : (now - core->base) % core->length];
}

/* Opens a core's queue for changes at `now`: its threads are in sync, hidden, and slots[0] is the head. */
void queue_open(struct event_sim *sim, uint32_t core, uint64_t now);
void queue_append(struct event_sim *sim, uint32_t core, uint32_t t);
void queue_remove(struct event_sim *sim, uint32_t core, uint32_t t);
/* Closes it again: every thread is shown and scheduled. */
void queue_close(struct event_sim *sim, uint32_t core, uint64_t now);

/* Passes: event_pass.c */

bool passes_init(struct event_sim *sim, struct arena *a);

/* Number of the first view of queues of `length`; the one for crowded cores comes last. */
static inline uint32_t pass_first_view(uint32_t length)
{
	return length * (length - 1) / 2;
}

/* The view in which the head at timestep `step` of a queue of `length` threads is shown. */
static inline struct sahm_view *pass_view(const struct event_sim *sim, uint32_t length, uint64_t step)
{
	if (length > sim->longest_view)
		return &sim->index.views[sim->index.nr_views - 1];
	return &sim->index.views[pass_first_view(length) + (length == 1 ? 0 : step % length)];
}

/* Something has changed that passes up to `last` have not seen. */
static inline void pass_examine(struct event_sim *sim, uint64_t last)
{
	if (sim->examine_until <= last)
		sim->examine_until = last + 1;
}

/* Takes back what pass_show() has shown of thread `t`, if anything. */
static inline void pass_hide(struct event_sim *sim, uint32_t t)
{
	struct event_thread *th = &sim->threads[t];
	if (th->shown == 0)
		return;
	sahm_view_hide(&sim->index, th->place.view, th->place.core, th->place.class, th->shown_state, th->shown);
	th->shown = 0;
	if (sim->nr_crowded && sim->cores[th->place.core].shown == t)
		sim->cores[th->place.core].shown = NO_THREAD;
}

/* Whether thread `t` must be shown, its core being crowded or not: of a crowd only the head is. */
static inline bool pass_show_in_crowd(struct event_sim *sim, uint32_t t, uint64_t now)
{
	struct event_core *core = &sim->cores[sim->threads[t].place.core];
	if (!core->is_crowded)
		return true;
	if (*queue_head(core, now) != t)
		return false;
	if (core->shown != NO_THREAD)
		pass_hide(sim, core->shown);
	core->shown = t;
	return true;
}

/* Makes the index say of thread `t`, which it does not show, what is the case at timestep `now`; where inertia keeps it
 * out of the index, it is shown when that runs out. */
static inline void pass_show(struct event_sim *sim, uint32_t t, uint64_t now)
{
	struct event_thread *th = &sim->threads[t];
	if (th->observed == STATE_NONE)
		return;
	unsigned shown = th->place.rates[th->observed].shows;
	if (shown == 0)
		return;
	if (th->free_pass >= sim->inert_from) {
		/* Whose inertia runs out in the pass under way is noted in sim->expiring already. */
		if (!(sim->in_pass && th->free_pass == now + 1) && th->free_pass <= sim->limit)
			wheel_ensure(&sim->inertia, t, th->free_pass - 1, now);
		return;
	}
	if (sim->nr_crowded && !pass_show_in_crowd(sim, t, now))
		return;
	th->shown = (uint8_t)shown;
	th->shown_state = th->observed;
	sahm_view_show(&sim->index, th->place.view, th->place.core, th->place.class, th->observed, shown);
	pass_examine(sim, now + th->place.stride);
}

/* The next pass, from `now` on, that can do something as things are; NEVER if none. */
uint64_t pass_next(const struct event_sim *sim, uint64_t now);

void pass_run(struct event_sim *sim, uint64_t now);

#endif
