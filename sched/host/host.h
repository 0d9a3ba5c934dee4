/* What runs a policy: threads, cores and queues as the policy's calls see them, and the order in which its operations
 * are called. A model of the kernel's core of sched_ext, without time: an engine reports when threads wake, sleep,
 * yield and leave, and when a slice is used up, and learns who runs where.
 *
 * The order of things at one point in time: threads stop (host_block(), host_leave(), host_slice_over()), threads come
 * (host_arrive(), host_wake()), host_tick(), host_pass(), and last host_settle(), which lets every core that has reason
 * to look for work.
 *
 * Which host a call of the policy means is known by thread (of this process): host_enter() and host_exit() stand around
 * all that can call an operation.
 */
#ifndef SAHM_SCHED_HOST_HOST_H
#define SAHM_SCHED_HOST_HOST_H

#include "cores/chip/core.h"
#include "cores/chip/core_list.h"
#include "cores/chip/distance.h"
#include "cores/chip/level.h"
#include "sched/host/dsq.h"
#include "sim/base/arena.h"
#include "sim/base/bitset.h"
#include "sim/base/err.h"
#include "sim/base/rng.h"
#include "sim/base/units.h"

enum host_op {
	HOST_NO_OP,
#define OP(name, kind, when) HOST_OP_##name,
#include "sched/host/op_list.h"
#undef OP
	HOST_IN_TIMER, /* the function of a timer */
};

struct cpumask {
	const uint64_t *words; /* NULL: all cores */
	u32 nr_cpus;
};

/* Who has a thread. */
enum host_owner {
	HOST_NONE,	  /* the scheduler's core: it runs, sleeps, or is in no one's hands */
	HOST_QUEUEING,	  /* on its way through select_cpu() and enqueue() */
	HOST_QUEUED,	  /* the policy, or a user queue */
	HOST_DISPATCHING, /* inserted in the dispatch() under way */
};

struct host_task {
	struct task_struct pub; /* first: policies have a pointer to it */
	struct dsq_node node;
	struct cpumask mask;
	const char *name; /* whole */
	u32 index;
	s32 cpu;  /* where it runs, waits or ran last */
	s32 home; /* the core to which it has moved, or where it ran last: from there a move costs */
	enum host_owner owner;
	bool is_present, is_runnable, is_running, has_init, is_enabled, has_run;
	bool is_waking; /* woken, and not run since */
	bool is_new;	/* arrived, and not run since */
	u8 observed;	/* state, or STATE_NONE */
	u64 ready_ns;	/* runnable, and not running, since then */
	u64 woke_ns;
	u64 debt_ns, cold_ns;
	u64 migrations;
	void *state;						 /* the policy's */
	u64 direct_id, direct_slice, direct_vtime, direct_flags; /* as inserted in select_cpu() or enqueue() */
	bool is_direct, is_direct_vtime;
	u32 tenant; /* 0: none, or host.tenants[tenant - 1] */
	struct css_set css;
	u64 iterated_by;     /* number of the last iterator that has come to it */
	const u64 *epochs;   /* [NR_STATES]: of its whole trace; NULL: nobody has asked yet */
	const u64 *counters; /* [NR_COUNTERS]: of the epoch in which it was observed; NULL: none */
};

struct host_cpu {
	struct dsq local;
	struct host_task *curr;
	bool is_idle;	    /* as passed to update_idle() */
	u32 nr_begun;	    /* threads whose first core it was */
	u64 slice_end_ns;   /* of curr; NEVER: it does not end */
	u64 ran_to_ns;	    /* up to which curr's se.sum_exec_runtime counts */
	bool has_set_level; /* the policy has asked for a level */
	struct rq rq;
};

/* A tenant, as the engine gives it. */
struct host_tenant {
	const char *name;
	u32 weight;
};

/* A cgroup: the root, which has no threads but those without a tenant, or a tenant. */
struct host_cgroup {
	struct cgroup pub; /* first */
	struct kernfs_node kn;
	u32 weight;
	bool has_init;
};

#define DEFAULT_CGROUP_WEIGHT 100u

/* Timers of a BPF program that are running, by the time at which they are due, and by their start on a tie. */
struct host_timers {
	struct host_timer *first;
	struct host_timer *all; /* that are ready, those that do not run too */
};

struct host_insert {
	struct host_task *p;
	u64 id, slice, vtime, flags;
	bool is_vtime;
};

/* What an engine does for its host. */
struct host_engine {
	/* Thread `p` runs on `cpu` from now on, or no longer. Its debt and warm-up are up to date. */
	void (*begin)(void *engine, struct host_task *p, u32 cpu);
	void (*end)(void *engine, struct host_task *p, u32 cpu);
	/* Brings the debt of `p`, which runs, up to date. */
	void (*update)(void *engine, struct host_task *p);
	/* The slice of the thread on `cpu` ends at another time, or matters now. */
	void (*slice)(void *engine, u32 cpu);
	/* It moves: it runs on `to` next, unless it moves again. */
	void (*moved)(void *engine, struct host_task *p, u32 from, u32 to);
	/* Core `cpu`, which has several, is to go to another of its levels; may be that at which it is. */
	void (*set_level)(void *engine, u32 cpu, u32 level);
	/* At which of several it is. */
	u32 (*level)(void *engine, u32 cpu);
	/* The first of the policy's timers is due at `at_ns`, NEVER: there is none. */
	void (*timer)(void *engine, u64 at_ns);
	/* Sets `epochs` of all threads. */
	void (*count_epochs)(void *engine);
};

/* Receives the actions of a policy, line by line while it runs: each operation that is called, and each call that the
 * policy makes. An operation's line comes before those of its calls, and its result, if it has one, in a line after
 * them; a call's line comes when it returns. Not told are calls that only find the policy's own memory, and those that
 * read a set of cores. */
struct host_listener {
	/* `text`, a line without its end, valid during the call, was done at `now_ns`, within `depth` operations: 0 for
	 * one that the host itself calls. */
	void (*hear)(struct host_listener *listener, u64 now_ns, unsigned depth, const char *text);
};

struct host {
	/* Given by the engine: */
	const struct sched_ext_ops *ops;
	const struct host_engine *engine;
	void *engine_data;
	const struct chip *chip;
	const struct core_levels *levels; /* [nr_cores]; NULL: none is known */
	const struct distances *distances;
	u64 warmup_ns, timestep_ns;
	u32 inertia;
	bool is_oracle;
	struct host_task **tasks; /* [nr_tasks], filled but for what the host keeps */
	u32 nr_tasks;
	const struct host_tenant *tenants; /* [nr_tenants] */
	u32 nr_tenants;
	const char *const *settings; /* [nr_settings]: "NAME=VALUE" of a BPF program's variables */
	u32 nr_settings;

	/* The host's: */
	bool has_queues; /* a run queue per core */
	bool tracks_idle;
	u64 now;
	u64 boot_ns;		   /* how long the machine has been up before, by the clock that the policy reads */
	enum host_op op;	   /* the operation under way */
	u64 nr_calls;		   /* of operations */
	struct host_task *at_hand; /* the thread that select_cpu() or enqueue() is called for */
	u32 nr_turns;		   /* of loops in the operation, as bpf_can_loop() counts */
	s32 this_cpu;		   /* core on which the operation runs: that of its thread; 0 without one */
	s32 dispatching;	   /* core, -1: none */
	struct host_cpu *cpus;	   /* [nr_cpus] */
	u32 nr_cpus;
	uint64_t *free; /* set of cores that the built-in tracking takes for idle, and that nobody has taken */
	struct cpumask free_mask, all_mask;
	u32 distributed_at;	     /* core after the last that bpf_cpumask_any_distribute() gave out */
	struct host_task idle;	     /* runs where nothing else does, as far as policies ask; index nr_tasks */
	struct host_cgroup *cgroups; /* [nr_cgroups]: the root, then the tenants */
	u32 nr_cgroups;
	struct host_timers timers;
	struct host_task **iterated[MAX_DSQ_ITERATORS]; /* [nr_tasks]: what each is to come to */
	u32 nr_iterators;				/* under way */
	u64 nr_iterations;				/* iterators so far */
	struct host_objects *objects;			/* of a BPF program; NULL: it is none */
	struct bpf_cpumask *unused_masks;		/* that it made and gave back */
	struct dsq global;
	struct dsq **user; /* by id */
	u32 nr_user, room_user;
	struct host_insert *inserts; /* [max_batch] */
	u32 nr_inserts, max_batch, nr_flushed;
	uint64_t *entered, *left; /* sets of cores, empty between calls */
	uint64_t *resched;	  /* set of cores that look for work at the end of this point in time */
	void *state;
	struct rng rng;
	u64 decisions, nr_ignored;
	struct scx_event_stats events;
	bool is_changed; /* something that a pass sleeps through otherwise */
	bool has_failed;
	bool is_marked;			/* it has failed, or the next call must be reported */
	struct host_listener *listener; /* the engine's: receives the actions of the policy; NULL: nobody */
	enum scx_exit_kind exit_kind;
	s64 exit_code;
	struct sahm_err err; /* why it has failed */
	unsigned depth;	     /* operations under way, where they are reported */
	u64 number;	     /* of this host among those that this thread has entered, from 1 */
	struct arena *arena;
};

/* Begins, with what the engine has put into `h`, the rest of which is zero: init() is called. What the policy draws
 * follows from `seed`. SAHM_NOMEM, or what the policy did wrong. host_conclude() is to follow in any case. */
enum sahm_status host_init(struct host *h, struct arena *a, u64 seed, struct sahm_err *err);

/* The run is over: threads leave, exit() is called. Returns what `status` is, or, where that is SAHM_OK, what went
 * wrong in the last operations. */
enum sahm_status host_conclude(struct host *h, enum sahm_status status, struct sahm_err *err);

/* Sets which host the calls of policies mean, and returns which they meant before. */
struct host *host_enter(struct host *h);
void host_exit(struct host *before);

void host_arrive(struct host *h, struct host_task *const *tasks, u32 nr); /* all that arrive at once */
void host_wake(struct host *h, struct host_task *p);
void host_block(struct host *h, u32 cpu); /* the thread that runs there falls asleep */
void host_yield(struct host *h, u32 cpu);
void host_leave(struct host *h, u32 cpu); /* ... leaves */
void host_slice_over(struct host *h, u32 cpu);
void host_tick(struct host *h);
u64 host_pass(struct host *h);
void host_settle(struct host *h);
/* Lets the first timer, which is due, run. */
void host_expire_timer(struct host *h);
void host_set_weight(struct host *h, struct host_task *p, u32 weight);
void host_set_allowed(struct host *h, struct host_task *p, const uint64_t *allowed);

/* Thread `p` belongs to another tenant from now on, unless the policy refuses: whether it does; a tenant has another
 * weight. Numbers of tenants are from 1, 0 being none. */
bool host_set_tenant(struct host *h, struct host_task *p, u32 tenant);
void host_set_tenant_weight(struct host *h, u32 tenant, u32 weight);

/* Tells that `p` has been observed in `state`. */
void host_observe(struct host *h, struct host_task *p, unsigned state);

/* When the slice of the thread on `cpu` makes a difference, in ns; NEVER: as things are, it does not. */
static inline u64 host_slice_event(const struct host *h, u32 cpu)
{
	const struct host_cpu *c = &h->cpus[cpu];
	if (!c->curr || (h->has_queues && c->local.nr == 0))
		return NEVER;
	/* It is used up, and the core is about to look for work. */
	if (c->slice_end_ns <= h->now && bitset_has(h->resched, cpu))
		return NEVER;
	return c->slice_end_ns;
}

/* Fails for a thread that has waited for longer than `timeout_ns`, or because nothing can happen any more while threads
 * wait. */
void host_check_waits(struct host *h, u64 timeout_ns);
void host_check_stall(struct host *h);
/* Who waits longest, lowest index on a tie; NULL: nobody. */
const struct host_task *host_longest_waiting(const struct host *h);

/* Notes the first thing that went wrong. */
void host_fail(struct host *h, enum scx_exit_kind kind, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* "dispatch()"; constant storage. */
const char *host_op_name(enum host_op op);

/* For calls. The host at hand, NULL outside of runs. */
struct host *host_current(void);
/* Between a policy's pointer and ours. */
static inline struct host_task *host_task_of(const struct task_struct *p)
{
	return (struct host_task *)(uintptr_t)p;
}

/* Inserts, as the calls do. */
bool host_insert(struct host *h, const struct host_insert *insert);
bool host_move_to_local(struct host *h, u64 id, u64 flags);
bool host_move(struct host *h, struct host_task *p, u32 cpu);
bool host_swap(struct host *h, struct host_task *a, struct host_task *b);
bool host_permute(struct host *h, struct task_struct *const *threads, const s32 *cpus, u32 nr);
struct host_task *host_head(const struct host *h, u32 cpu);
struct dsq *host_find_queue(const struct host *h, u64 id);
/* The first idle core that is in `mask`, and in `also` unless that is NULL; it is taken. Below 0: there is none. */
s32 host_pick_idle(struct host *h, const struct cpumask *mask, const struct cpumask *also);
/* Takes core `cpu` if it is idle; whether it was. */
bool host_take_idle(struct host *h, u32 cpu);
s32 host_select_default(struct host *h, struct host_task *p, s32 prev_cpu, bool *is_idle);
void host_kick(struct host *h, u32 cpu, u64 flags);
/* What core `cpu` can do at most, of SCX_CPUPERF_ONE. */
u32 host_capacity(const struct host *h, u32 cpu);
void host_set_slice(struct host *h, struct host_task *p, u64 slice);

/* Whether core `cpu`, which need not exist, is in `mask`, which may be NULL. */
static inline bool host_mask_has(const struct cpumask *mask, u32 cpu)
{
	return mask && cpu < mask->nr_cpus && (!mask->words || (mask->words[cpu / 64] >> cpu % 64 & 1));
}

/* 64 cores of a mask, from 64 * `word` on. */
static inline u64 host_mask_word(const struct cpumask *mask, u32 word)
{
	u32 rest = mask->nr_cpus - 64 * word;
	return (mask->words ? mask->words[word] : UINT64_MAX) & (rest < 64 ? (UINT64_C(1) << rest) - 1 : UINT64_MAX);
}

static inline u32 host_mask_words(const struct cpumask *mask)
{
	return (mask->nr_cpus + 63) / 64;
}

static inline bool host_may_run(const struct host_task *p, u32 cpu)
{
	return !p->mask.words || (p->mask.words[cpu / 64] >> cpu % 64 & 1);
}

#endif
