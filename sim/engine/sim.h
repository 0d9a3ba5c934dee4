/* One simulation: threads that replay sequences of states on a chip under a scheduling policy.
 *
 * Time runs in timesteps. In each,
 *   1. threads whose trace ended in the timestep before leave, if they do not repeat it;
 *   2. threads that are due arrive, in the order of the configuration, each at the tail of the shortest queue of a core
 *      on which it may run, lowest index on a tie, free of charge and warm. (Where all are there from the start and may
 *      run anywhere, thread i so starts on core i modulo the number of cores.)
 *   3. one scheduling pass over the cores in index order;
 *   4. every core executes the thread at the head of its run queue for one timestep; a core's queue is round-robin, one
 *      timestep each. Migration debt is paid first, then the thread makes progress; where its trace ends in the midst
 *      of a timestep, the core is idle for the rest.
 * Where threads sleep (struct burst_model), where their properties change (struct sim_change), or where the policy
 * dispatches (sched/ext.h), time is continuous instead: a core looks for work the moment that it has none, and
 * what threads and policy do has its own ns; arrivals and passes stay at the beginnings of timesteps. Progress is
 * baseline time (sim/base/units.h); a trace that ends restarts at once, unless the thread leaves. The engine reports to
 * a policy what it observes, or, with introspection, the IPUs beside the cores do (probe.h). A run is a pure function
 * of its `struct sim_config`. Source: first-order model of the dissertation, sections 4.3 and 4.5; arrivals, sets of
 * allowed cores, distances and warm-up are additions. Arithmetic: sim/base/units.h.
 *
 * The loops of the engines allocate nothing, except for packets of IPUs that are under way for longer than any before
 * (test_sim_memory.c). What a simulation reports to a listener adds up to what it returns, and nothing changes when
 * nobody listens (tests/helper/audit.h, test_chaos.c).
 */
#ifndef SAHM_SIM_ENGINE_SIM_H
#define SAHM_SIM_ENGINE_SIM_H

#include "cores/chip/activity.h"
#include "cores/chip/core.h"
#include "cores/chip/distance.h"
#include "cores/chip/level.h"
#include "cores/chip/warmup.h"
#include "sched/ordered/sched.h"
#include "sched/policies/policies.h"
#include "sim/base/err.h"
#include "sim/base/time_histogram.h"
#include "sim/engine/probe.h"
#include "sim/engine/timeline_listener.h"
#include "workloads/bursts/bursts.h"

/* Largest number of threads in one simulation. */
#define MAX_THREADS 16384u

/* Longest run, trace and timestep: at the highest rate, the baseline time completed in it stays below 2^63 ns. */
#define MAX_RUN_NS UINT64_C(1000000000000000)

/* A run that lasts until all threads have left is given up after this multiple of the sum of their traces and the
 * latest arrival, at most MAX_RUN_NS: debts can grow faster than they are paid. */
#define GIVE_UP_FACTOR 10

/* One thread. `states[e]` is the state of epoch e (0 to nr_epochs - 1), nr_epochs at least 1; every epoch lasts
 * epoch_ns (MIN_EPOCH_NS to MAX_EPOCH_NS) at baseline speed, all of them together at most MAX_RUN_NS. The thread begins
 * `offset_ns` into the trace, below nr_epochs * epoch_ns. States and set stay the caller's. */
struct sim_thread {
	const uint8_t *states;
	uint64_t nr_epochs;
	uint64_t epoch_ns;
	uint64_t offset_ns;
	uint64_t arrive_ns; /* at most MAX_RUN_NS; it joins at the first timestep that begins then or later */
	bool once;	    /* it leaves when its trace ends */
	/* Cores on which it may run: bit c % 64 of word c / 64, in as many words as the chip's cores need, at least one
	 * bit, those past the last core ignored; NULL: all. */
	const uint64_t *allowed;
	struct probe_inputs inputs;	  /* with introspection: as many epochs as `states` has */
	const struct burst_model *bursts; /* NULL: it never sleeps */
	uint32_t weight;		  /* 1 to MAX_WEIGHT; 0 stands for DEFAULT_WEIGHT */
	uint32_t tenant;		  /* 0: none, or tenants[tenant - 1] of struct sim_config */
	const char *name;		  /* NULL: none */
	/* L2 misses per s of baseline time by state, [NR_STATES], at most MAX_MISSES_PER_S, where cores share. */
	const uint64_t *demand;
	/* Counters of its epochs, [nr_epochs][NR_COUNTERS], where the policy has SAHM_OPS_COUNTERS. */
	const uint64_t *counters;
};

#define DEFAULT_WEIGHT 100u
#define MAX_WEIGHT 10000u

/* Properties of a thread, or the weight of a tenant, that change while time runs. */
struct sim_change {
	uint64_t at_ns;	   /* at most MAX_RUN_NS */
	bool is_of_tenant; /* `weight` is that of `tenant`; the rest says nothing */
	uint32_t thread;
	uint32_t tenant;   /* to which the thread moves; 0: it stays. If the policy refuses, its cores stay, too */
	uint32_t weight;   /* 0: it stays */
	bool sets_allowed; /* `allowed` says something */
	const uint64_t *allowed; /* as in struct sim_thread */
};

/* How long threads waited, in ns: from waking to running, and from each time that one became ready to running. Of what
 * is still waiting at the end, nothing. */
struct sim_waits {
	struct histogram latency, wait;
};

/* How a simulation is carried out; the results are the same. What the ordered pass does, and where threads never sleep.
 * Any other policy, threads that sleep or change, a governor and cores that share need the engine in continuous time,
 * whichever is asked for (ext_internal.h). */
enum sim_engine {
	/* Works where something changes: states, decisions, moves, arrivals (event.c); with introspection, where IPUs
	 * look at every timestep, it does the same of the passes (introspected.c). A run with a timeline is carried out
	 * by the other. */
	SIM_EVENT,
	SIM_PLAIN, /* every timestep of every core, one after the other (plain.c) */
};

struct sim_config {
	const struct chip *chip;
	const struct sim_thread *threads;
	uint32_t nr_threads;		   /* 1 to MAX_THREADS */
	const struct host_tenant *tenants; /* [nr_tenants]: weights are from 1 to MAX_WEIGHT */
	uint32_t nr_tenants;
	const struct sched_ext_ops *policy;
	const char *const *settings; /* [nr_settings]: "NAME=VALUE" of variables of a BPF program, checked before */
	uint32_t nr_settings;
	/* For tests: a pass written on the run queues themselves, carried out by the plain engine; `policy` has no
	 * rules then. NULL: none. */
	void (*pass)(struct sched *s);
	bool oracle;		    /* the policy sees the state in which the coming timestep begins */
	uint32_t inertia;	    /* passes that a thread stays after a move */
	uint64_t timestep_ns;	    /* 1 to MAX_RUN_NS */
	struct distances distances; /* cost that every move adds to the thread's debt */
	uint64_t warmup_ns;	    /* at most MAX_WARMUP_NS */
	/* At most MAX_RUN_NS, rounded up to timesteps. 0: until the last thread has left, if none repeats its trace;
	 * else to the latest end of a trace that begins when its thread is due and runs at baseline speed, MAX_RUN_NS
	 * at most. */
	uint64_t duration_ns;
	const struct sim_change *changes; /* [nr_changes], by time */
	uint32_t nr_changes;
	enum sim_engine engine;
	uint64_t seed;			  /* of bursts that are drawn, and of what the policy draws */
	struct timeline_sink *timeline;	  /* receives the events; NULL: nobody */
	struct host_listener *listener;	  /* receives the policy's actions (sched/host/host.h); NULL: nobody */
	const struct probe_config *probe; /* introspection, not together with `oracle`; NULL: none */
	struct sim_waits *waits;	  /* in continuous time: an output; NULL: not wanted */
	/* [nr_cores]: levels of each core, which is at its fastest at first (level.h); NULL: policies know of none. */
	const struct core_levels *levels;
	bool governor; /* it sets the levels that the policy does not set */
	/* Groups of cores that share: shared_of[c] is that of core c, nr_shared: none. capacity[g] is at least 1 and at
	 * most MAX_MISSES_PER_S. */
	const uint32_t *shared_of;
	const uint64_t *capacity;
	uint32_t nr_shared;
	uint64_t *over_ns; /* [nr_shared]: time in which demand exceeded capacity, added to what is there; NULL: not
			      wanted */
	/* [nr_threads][nr_groups][NR_STATES], an output that is all 0 before; NULL: not wanted. core_groups[c], below
	 * nr_groups, is the group of core c at its fastest level; that of a level which is n slower is n before it. */
	struct activity *activity;
	const uint32_t *core_groups;
	uint32_t nr_groups;
	uint64_t *residency; /* [nr_groups]: ns of cores in each group, added to what is there; NULL: not wanted */
	struct probe_counts *probe_counts; /* [nr_cores]: what the IPUs did, an output like those of sim_run() */
};

/* Executed timesteps of a thread, a core or a state. */
struct sim_counts {
	uint64_t executed; /* timesteps in which it ran, those spent on debt included */
	uint64_t served;   /* of these: the core serves the state in which the timestep began */
	uint64_t matched;  /* of these: the core matches that state */
};

/* Per thread. Shares divide by `executed`. */
struct sim_thread_result {
	uint64_t completed_ns; /* whole ns of baseline time completed, none past the end of a trace not repeated */
	uint64_t executed;     /* as in struct sim_counts */
	uint64_t served;
	uint64_t matched;
	uint64_t transitions; /* executed timesteps that began in another state than its last executed one */
	uint64_t migrations;  /* migrations to another core, by a swap or singly */
	uint64_t paid_ns;     /* migration debt paid */
	/* From the beginning of the timestep in which it arrived to the end of its trace if it left, else to the end of
	 * the run; 0 if it did not arrive. */
	uint64_t present_ns;
	uint64_t slept_ns; /* of these */
	bool left;	   /* its trace ended, and it did not repeat it */
};

/* The thread that had waited longest, ready but not running, when a simulation in continuous time ended (ext.c).
 * Whether a user hears of it: run_facts_waiting(). */
struct sim_waiting {
	uint32_t thread;
	bool is_kept; /* the policy held it, in no queue of the simulator */
	uint64_t ns;  /* how long it had waited; 0: there was no such thread */
};

struct sim_result {
	uint64_t nr_timesteps;
	uint64_t simulated_ns;		     /* nr_timesteps whole timesteps */
	uint64_t present_timesteps;	     /* sum over timesteps of the threads present in it */
	uint64_t capacity_timesteps;	     /* sum over timesteps of the lesser of these and the cores */
	uint64_t decisions;		     /* moves and swaps, a swap counting one */
	bool given_up;			     /* it was to last until all threads have left, and they did not */
	struct sim_counts states[NR_STATES]; /* timesteps by the state in which they began */
	/* In continuous time counts of timesteps are counts of ns. */
	bool is_continuous;
	uint64_t nr_ignored;	    /* inserts by the policy of threads that it did not have */
	struct sim_waiting waiting; /* in continuous time: who had waited longest at the end */
};

/* Runs the simulation. `threads` has room for config->nr_threads results, `cores` for one per core (NULL: not wanted);
 * all outputs are written on success only. Fails with SAHM_RANGE when the configuration breaks a bound above, or a
 * speedup those of sim/base/units.h, SAHM_NOMEM. */
enum sahm_status sim_run(const struct sim_config *config, struct sim_result *result, struct sim_thread_result *threads,
			 struct sim_counts *cores, struct sahm_err *err);

#endif
