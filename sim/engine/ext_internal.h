/* The parts of the engine for policies that dispatch, for passes, and for threads that sleep.
 *
 * It runs a policy through its host (sched/host/host.h) in continuous time, and works only where something happens: an
 * event per core, when the thread that runs there has to be looked at; one per thread that arrives or sleeps; one for
 * the next timestep at whose beginning there is something to do; one for the watchdog. At one point in time come first
 * the cores, then the threads, by index, then what belongs to the beginning of a timestep, and last the cores that look
 * for work.
 *
 * A *stretch* is what a thread executes on a core from one point on at which its state is noted: when it begins to run,
 * and at the beginning of a timestep when its state has changed since. Time counts under the state in which its stretch
 * began. At the end of a timestep, or when the thread stops, that state is what is observed.
 *
 * A core goes to another level when the governor or the policy says so; a stretch under way is counted in two parts
 * then. Demand for what cores share changes where stretches begin and end, and counts from then on, so that it stays
 * the same within a timestep unless the policy dispatches. Whenever it changes, so do the rates of all threads that it
 * slows. Those that would have the same full rate share a *pace*, whose progress is added up once for all of them; a
 * thread at a pace looks at it as late as it could reach the end of its piece at the full rate. Those near their end,
 * or with a debt, a warm-up or bursts, have separate rates, and are brought up to date at each change.
 *
 * Where threads have run queues and none sleeps, everything happens at the beginning of timesteps, as in plain.c and
 * with the same results; a thread whose trace ends then stays on its core up to the end of the timestep. Else time is
 * continuous: counts are of ns, and a core looks for work the moment that it has none.
 */
#ifndef SAHM_SIM_ENGINE_EXT_INTERNAL_H
#define SAHM_SIM_ENGINE_EXT_INTERNAL_H

#include "sched/host/host.h"
#include "sim/base/reciprocal.h"
#include "sim/engine/agenda.h"
#include "sim/engine/sim_internal.h"
#include "workloads/trace/cursor.h"

/* How fast a core is in a state, once warm. */
struct ext_rate {
	struct reciprocal per_ns; /* progress per ns */
	uint8_t kind;		  /* of what it executes then */
};

struct ext_thread {
	struct host_task task; /* first */
	struct cursor cursor;
	struct sim_thread_result result;
	uint64_t counts[NR_KINDS]; /* ns executed */
	const struct sim_thread *from;
	uint64_t stay_end;   /* epoch after the present one's run of equal states, or sooner: */
	int64_t stay_length; /* progress from the beginning of the present epoch to there */
	uint64_t longest_stay;
	bool is_late;	 /* nobody asks when its state changes before it is observed, */
	bool is_at_tick; /* or before the next timestep begins */

	/* While it runs: */
	uint64_t at;	     /* ns up to which its progress is accounted for */
	uint64_t piece_end;  /* ns up to which it goes on at `rate`, having paid its debt */
	uint64_t piece_tick; /* first beginning of a timestep at or past that */
	int64_t rate;
	uint64_t began_at;   /* its stretch, */
	uint64_t counted_to; /* counted up to here */
	uint64_t look_at;    /* beginning of the timestep in which its state is recorded next, ns; NEVER: unchanged */
	uint64_t publish_at; /* when the stretch's state is observed, NEVER: it has been */
	uint64_t stretch_epoch; /* in which its stretch began, */
	uint8_t state;		/* and its state */
	uint8_t told;		/* state that the timeline knows of */
	uint64_t demand;	/* of its stretch, in the group of its core */
	struct ext_pace *pace;	/* NULL: its rate is separate */
	uint64_t mark;		/* progress of the pace at `at` */
	uint32_t own_rate_at;	/* place among the separate rates of its group; NO_PLACE: none */

	uint8_t began_in; /* state in which its last stretch began, or STATE_NONE */
	struct bursts bursts;
	int64_t burst_left;   /* progress of it that is still to be made */
	uint64_t asleep_from; /* NEVER: it is awake */
	uint64_t yielded_at;  /* when it last has; NEVER: it has not */
	uint64_t arrived_ns;  /* NEVER: it has not */
};

/* A core's level. */
struct ext_core {
	const struct ext_rate *rates; /* [levels][NR_STATES] */
	uint32_t level;
	uint32_t wanted;   /* the level under way, where an event is planned */
	uint64_t since_ns; /* the present level */
	/* For the governor: */
	uint64_t busy_since; /* a thread runs since then, NEVER: none does */
	uint64_t busy_ns;    /* in the present timestep before that */
};

#define NO_PLACE UINT32_MAX

/* Threads of a group that have the same rate. */
struct ext_pace {
	int64_t full, rate; /* progress per ns, not slowed and slowed */
	uint64_t sum;	    /* progress, modulo 2^64, up to the last change of rates */
	uint32_t nr;	    /* threads at this pace */
};

/* A group of cores that share. */
struct ext_shared {
	uint64_t capacity;
	uint64_t demand;     /* of all stretches under way */
	uint64_t over_since; /* demand exceeds the capacity since then, where it does */
	uint64_t charged;    /* demand that progress is slowed by; at most the capacity: by none */
	bool is_changed;
	struct ext_pace *paces;	       /* room for its cores, of which nr_paces have been in use */
	struct ext_thread **own_rates; /* [nr_own_rates]: those that are slowed but at no pace; room for its cores */
	uint32_t nr_paces, nr_own_rates;
	uint64_t paced_to_ns; /* last change of rates */
};

struct ext {
	const struct sim_config *config;
	struct host host;
	struct agenda agenda;
	struct ext_thread *threads;
	struct host_task **tasks;      /* [nr_threads] */
	struct host_task **coming;     /* [nr_threads]: those that arrive at once */
	const struct ext_rate **rates; /* [nr_cores], each [NR_STATES]: at its level */
	struct ext_core *levels;       /* [nr_cores]; NULL: cores have no levels */
	struct ext_shared *shared;     /* [nr_shared] */
	bool is_shared_changed;	       /* by one of them */
	uint64_t (*cores)[NR_KINDS];   /* [nr_cores]: ns executed */
	uint64_t states[NR_STATES][NR_KINDS];
	uint64_t (*epochs)[NR_STATES]; /* [nr_threads]: room for how often its trace is in each state */
	struct probes *probes;
	struct arrivals arrivals;
	uint64_t timestep_ns, end_ns;
	struct reciprocal timesteps; /* to divide by timestep_ns */
	uint64_t next_pass_ns;	     /* as the policy wants it */
	uint64_t tick_ns;	     /* next timestep at whose beginning there is something to do */
	uint64_t watchdog_ns;
	uint64_t begun_ns; /* timestep at whose beginning there was something to do last, NEVER: none */
	uint64_t timeout_ns;
	uint32_t nr_present, nr_awake;
	uint32_t nr_sleepers; /* threads with events that wake them: all, or none if none ever sleeps */
	uint64_t counted_to;  /* ns up to which presence is in the result */
	uint32_t nr_running;
	uint32_t next_change; /* of properties */
	bool is_stepped;
	struct sim_result result;
};

/* Numbers of the agenda's events: cores from 0, then threads, then these. */
static inline uint32_t ext_thread_event(const struct ext *sim, uint32_t t)
{
	return sim->config->chip->nr_cores + t;
}

static inline uint32_t ext_level_event(const struct ext *sim, uint32_t cpu)
{
	return sim->config->chip->nr_cores + sim->nr_sleepers + cpu;
}

static inline uint32_t ext_arrival_event(const struct ext *sim)
{
	return ext_level_event(sim, sim->levels ? sim->config->chip->nr_cores : 0);
}

static inline uint32_t ext_change_event(const struct ext *sim)
{
	return ext_arrival_event(sim) + 1;
}

/* The policy's first timer. */
static inline uint32_t ext_timer_event(const struct ext *sim)
{
	return ext_change_event(sim) + 1;
}

static inline uint32_t ext_nr_events(const struct ext *sim)
{
	return ext_timer_event(sim) + 1;
}

/* Beginning of the first timestep at or past `ns`; NEVER stays that. */
static inline uint64_t ext_tick_from(const struct ext *sim, uint64_t ns)
{
	uint64_t rest;
	if (ns > MAX_RUN_NS)
		return NEVER;
	reciprocal_divide(sim->timesteps, ns, &rest);
	return rest ? ns - rest + sim->timestep_ns : ns;
}

/* Who is present, and who runs: ext_thread.c */

/* Brings the counts of present threads up to now, before their number changes. */
void ext_count_present(struct ext *sim);
void ext_thread_init(struct ext *sim, uint32_t t);
/* Callbacks of the host. */
void ext_begin(void *engine, struct host_task *p, u32 cpu);
void ext_end(void *engine, struct host_task *p, u32 cpu);
void ext_slice(void *engine, u32 cpu);
void ext_update(void *engine, struct host_task *p);
void ext_moved(void *engine, struct host_task *p, u32 from, u32 to);
/* Tells the timeline that a thread is awake. */
void ext_report_wake(struct ext *sim, const struct ext_thread *th);

/* Levels, and changes of demand: ext_core.c, which calls ext_thread.c */

enum sahm_status ext_core_init(struct ext *sim, struct arena *a, struct sahm_err *err);
/* Callbacks of the host. */
void ext_set_level(void *engine, u32 cpu, u32 level);
u32 ext_level(void *engine, u32 cpu);
/* The event of a core whose level changes. */
void ext_reach_level(struct ext *sim, uint32_t cpu);
/* Lets the governor set levels at the beginning of a timestep, except where the policy has. */
void ext_govern(struct ext *sim);
/* Demands have changed: slows or speeds up the threads that run. */
void ext_share(struct ext *sim);
void ext_core_conclude(struct ext *sim);

/* Demands and paces: ext_shared.c, which ext_thread.c calls */

/* False: memory is short. */
bool ext_shared_init(struct ext *sim, struct arena *a);
/* Thread `th`, which runs on `cpu`, begins a stretch there, or is in none any more. */
void ext_demand_begin(struct ext *sim, struct ext_thread *th, uint32_t cpu);
void ext_demand_end(struct ext *sim, struct ext_thread *th, uint32_t cpu);
/* From now on the group's demand slows its paces; threads with separate rates are accounted for up to now. */
void ext_shared_charge(struct ext *sim, struct ext_shared *shared);
/* Counts the time above its capacity up to now. */
void ext_shared_count_over(struct ext *sim, struct ext_shared *shared);
/* A piece of `th` begins, which would go on for `piece_ns` at th->rate, its full rate: slows it if others do, and
 * returns the ns for which it goes on, at most `longest_ns`, or less. Ends the one before. */
uint64_t ext_share_piece(struct ext *sim, struct ext_thread *th, int64_t left, uint64_t piece_ns, uint64_t longest_ns);
/* It does not run any more, or its piece is no longer slowed. */
void ext_leave_shared(struct ext *sim, struct ext_thread *th);
/* Brings the progress of a thread at a pace up to now, or to the end of its stay if that is sooner. */
void ext_follow_pace(struct ext *sim, struct ext_thread *th);

/* The thread that runs on `cpu`, or NULL. */
static inline struct ext_thread *ext_running(const struct ext *sim, uint32_t cpu)
{
	return (struct ext_thread *)sim->host.cpus[cpu].curr;
}

/* The thread's cells on `cpu` at its level; NULL: activity is not wanted. */
static inline struct activity *ext_activity(const struct ext *sim, const struct ext_thread *th, uint32_t cpu)
{
	struct activity *row = activity_row(sim->config, th->task.index, cpu);
	if (!row || !sim->levels)
		return row;
	return row - (size_t)(nr_levels_of(sim->config, cpu) - 1 - sim->levels[cpu].level) * NR_STATES;
}

/* The thread, which runs on `cpu`, goes on at another rate: it is accounted for up to now, and its core's event set. */
void ext_change_rate(struct ext *sim, struct ext_thread *th, uint32_t cpu);
/* Accounts for the thread, which runs, up to now. */
void ext_sync(struct ext *sim, struct ext_thread *th);
/* Counts its stretch under way up to now. */
void ext_split_stretch(struct ext *sim, struct ext_thread *th, uint32_t cpu);

/* The event of a core. */
void ext_look_at(struct ext *sim, uint32_t cpu);
/* Lets IPUs see what the cores execute in the timestep that begins. */
void ext_feed(struct ext *sim);
/* The run is over: accounts for what still runs. */
void ext_thread_conclude(struct ext *sim, uint32_t t);

#endif
