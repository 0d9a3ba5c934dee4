/* The interface of a scheduling policy: all that a policy includes, built in or as a plug-in.
 *
 * A policy is a table of operations (struct sched_ext_ops) that the simulator calls, and calls that the policy makes.
 * Names and meaning are those of sched_ext in Linux 7.1 (Documentation/scheduler/sched-ext.rst) wherever it has
 * the same thing; what it has not begins with `sahm_`. There are no floats; fixed point helpers stand at the end.
 *
 * Threads and cores. A thread is a struct task_struct, a core a number from 0. A core runs only what is in its local
 * dispatch queue (DSQ), first in, first out. When that is empty it looks into the global queue, then calls dispatch(),
 * then looks into both again; with nothing there, the thread whose slice is used up goes on, or the core idles.
 * A thread that is ready is offered to select_cpu() (when it wakes) and enqueue(); either inserts it into a queue, or
 * the policy keeps it and inserts it in a later dispatch(). A thread belongs to the scheduler's core, to the policy, or
 * to a queue; inserting one that the policy does not have is ignored and counted. A thread owes the migration cost
 * when it begins to run on another core than before.
 *
 * Two kinds of policies. One with `enqueue` or `dispatch` works as above, in continuous time, with slices of
 * SCX_SLICE_DFL unless it says otherwise. One with neither, but with sahm_pass (or SAHM_OPS_RUN_QUEUES), has a run
 * queue per core, its local DSQ: a thread stays on its core, those of a core take turns, a timestep each, and
 * sahm_pass() moves them about with sahm_move() and sahm_swap(). One with none of them all gets the kernel's default:
 * the global queue.
 *
 * Memory. A policy may run several times in one process: it keeps its state not in globals but in sahm_state() and
 * sahm_task_state(), zeroed memory of the sizes that it asks for. Pointers to threads stay valid from init_task to
 * exit_task. Nothing else that a call returns may be freed.
 *
 * Errors. A call from the wrong operation, with a core or queue that does not exist, or one that the simulator does not
 * have, ends the run with a message that names policy and call; the call returns 0 or NULL meanwhile.
 */
#ifndef SAHM_SCHED_HOST_EXT_H
#define SAHM_SCHED_HOST_EXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cores/chip/counters.h"
#include "cores/chip/state.h"

/* Changes with every change of this header that an existing plug-in would notice. */
#define SAHM_POLICY_ABI 2u

#define SAHM_PUBLIC __attribute__((visibility("default")))

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

/* Queues. User queues have ids below 2^63 and are made by scx_bpf_create_dsq(). */
#define SCX_DSQ_FLAG_BUILTIN (UINT64_C(1) << 63)
#define SCX_DSQ_FLAG_LOCAL_ON (UINT64_C(1) << 62)
#define SCX_DSQ_INVALID (SCX_DSQ_FLAG_BUILTIN | 0)
#define SCX_DSQ_GLOBAL (SCX_DSQ_FLAG_BUILTIN | 1)
#define SCX_DSQ_LOCAL (SCX_DSQ_FLAG_BUILTIN | 2)
#define SCX_DSQ_LOCAL_ON (SCX_DSQ_FLAG_BUILTIN | SCX_DSQ_FLAG_LOCAL_ON) /* | core */
#define SCX_DSQ_LOCAL_CPU_MASK UINT64_C(0xffffffff)

/* Slices, in ns. */
#define SCX_SLICE_DFL (UINT64_C(20) * 1000 * 1000)
#define SAHM_SLICE_MIN_NS UINT64_C(1000) /* a shorter one is as long as this */
#define SCX_SLICE_INF UINT64_MAX	 /* never used up */

/* Flags of wake_flags, enq_flags, deq_flags and kicks. */
#define SCX_WAKE_FORK UINT64_C(0x04) /* select_cpu: the thread has just arrived */
#define SCX_WAKE_TTWU UINT64_C(0x08) /* it wakes */
#define SCX_WAKE_SYNC UINT64_C(0x10) /* never given: wake-ups come from timers */
#define SCX_ENQ_WAKEUP UINT64_C(0x01)
#define SCX_ENQ_HEAD (UINT64_C(1) << 4)		 /* insert at the front, of a local queue or a FIFO */
#define SCX_ENQ_CPU_SELECTED (UINT64_C(1) << 10) /* given to enqueue(): select_cpu() has been called */
#define SCX_ENQ_PREEMPT (UINT64_C(1) << 32) /* SCX_ENQ_HEAD; into a local queue: its core also stops what it runs */
#define SCX_ENQ_REENQ (UINT64_C(1) << 40)   /* never given: no other scheduling class takes a core */
#define SCX_ENQ_LAST (UINT64_C(1) << 41) /* given to enqueue(): nothing else is there to run, with SCX_OPS_ENQ_LAST */
#define SCX_DEQ_SLEEP UINT64_C(0x01)
#define SCX_DEQ_SAVE UINT64_C(0x02)		    /* a property changes; the thread is enqueued again at once */
#define SCX_DEQ_CORE_SCHED_EXEC (UINT64_C(1) << 32) /* never given: cores have no siblings */
#define SCX_PICK_IDLE_CORE UINT64_C(1)		    /* without meaning: every core is one without siblings */
#define SCX_KICK_IDLE UINT64_C(1)		    /* only if it is idle; no other */
#define SCX_KICK_PREEMPT UINT64_C(2)
#define SCX_KICK_WAIT UINT64_C(4) /* as without: simulated cores answer at once */

#define SCX_CPUPERF_ONE 1024u

/* Flags of the policy. */
#define SCX_OPS_KEEP_BUILTIN_IDLE UINT64_C(1) /* track idle cores although there is update_idle */
#define SCX_OPS_ENQ_LAST UINT64_C(2) /* enqueue() also the thread that would go on since nothing else is there */
/* Those of the kernel that make no difference here: threads neither exit slowly nor refuse to migrate, all are the
 * policy's, there is one node, and tenants have weights in any case. */
#define SCX_OPS_ENQ_EXITING UINT64_C(4)
#define SCX_OPS_SWITCH_PARTIAL UINT64_C(8)
#define SCX_OPS_ENQ_MIGRATION_DISABLED UINT64_C(0x10)
#define SCX_OPS_ALLOW_QUEUED_WAKEUP UINT64_C(0x20)
#define SCX_OPS_BUILTIN_IDLE_PER_NODE UINT64_C(0x40)
#define SCX_OPS_HAS_CGROUP_WEIGHT (UINT64_C(1) << 16)
#define SAHM_OPS_RUN_QUEUES (UINT64_C(1) << 56) /* a run queue per core, without a pass */
#define SAHM_OPS_COUNTERS (UINT64_C(1) << 57)	/* calls sahm_observed_counter(): traces' counters are kept in memory */
#define SAHM_OPS_ASKS (UINT64_C(1) << 58)	/* observed states call for a pass only through sahm_ask_for_pass() */

/* Set of cores; read by bpf_cpumask_*(). */
struct cpumask;

/* What a policy sees of a thread. Read only, but for `slice` and `dsq_vtime`. */
struct sched_ext_entity {
	u64 slice;     /* ns that it may still run; as of the last operation that was called for it */
	u64 dsq_vtime; /* its place in queues ordered by vtime */
	u32 weight;    /* 1 to 10000, 100 by default */
	u32 flags;     /* SCX_TASK_QUEUED: it is runnable */
	bool disallow; /* without meaning: a thread cannot be refused */
};

#define SCX_TASK_QUEUED 1u

struct sched_entity {
	u64 sum_exec_runtime; /* ns on cores, up to the last tick() or stopping() */
};

/* A tenant, or the root of them all. */
struct cgroup {
	s32 level; /* 0: the root; tenants have 1 */
	struct kernfs_node *kn;
};

struct kernfs_node {
	u64 id; /* 1: the root; then the tenants, in the order in which the configuration names them */
	const char *name;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

#define TASK_COMM_LEN 16

struct task_struct {
	s32 pid;			/* index of the thread in the simulation, from 1 */
	char comm[TASK_COMM_LEN];	/* beginning of its name */
	const struct cpumask *cpus_ptr; /* cores on which it may run */
	s32 nr_cpus_allowed;
	struct sched_ext_entity scx;
	s32 tgid;    /* its pid: each thread is a process */
	u32 flags;   /* PF_IDLE and PF_KTHREAD: of the idle thread, with which scx_bpf_cpu_curr() answers */
	u32 __state; /* TASK_RUNNING, TASK_INTERRUPTIBLE (asleep), TASK_DEAD (left) */
	struct sched_entity se;
	u64 utime, stime;		  /* se.sum_exec_runtime, and 0 */
	u64 nvcsw, nivcsw;		  /* stops to sleep or yield; others */
	u64 start_time;			  /* ns, when it arrived */
	u16 migration_disabled;		  /* always 0 */
	struct task_struct *group_leader; /* itself */
	struct css_set *cgroups;
};

#define PF_IDLE 0x2u
#define PF_EXITING 0x4u
#define PF_KTHREAD 0x200000u
#define TASK_RUNNING 0u
#define TASK_INTERRUPTIBLE 1u
#define TASK_DEAD 0x80u

struct scx_init_task_args {
	bool fork; /* always true */
	struct cgroup *cgroup;
};

struct scx_cgroup_init_args {
	u32 weight;				    /* 1 to 10000 */
	u64 bw_period_us, bw_quota_us, bw_burst_us; /* without limits: 100000, UINT64_MAX, 0 */
};

/* How often something has happened in the run. Things that never happen here stay at 0: cores do not go offline,
 * threads do not exit slowly or refuse to migrate, nothing is enqueued again, and no policy is bypassed. */
struct scx_event_stats {
	s64 SCX_EV_SELECT_CPU_FALLBACK; /* select_cpu() chose a core on which the thread may not run */
	s64 SCX_EV_DISPATCH_LOCAL_DSQ_OFFLINE;
	s64 SCX_EV_DISPATCH_KEEP_LAST; /* a thread went on since there was no other */
	s64 SCX_EV_ENQ_SKIP_EXITING;
	s64 SCX_EV_ENQ_SKIP_MIGRATION_DISABLED;
	s64 SCX_EV_REENQ_IMMED;
	s64 SCX_EV_REENQ_LOCAL_REPEAT;
	s64 SCX_EV_REFILL_SLICE_DFL; /* a thread got SCX_SLICE_DFL since it had no slice */
	s64 SCX_EV_BYPASS_DURATION;
	s64 SCX_EV_BYPASS_DISPATCH;
	s64 SCX_EV_BYPASS_ACTIVATE;
	s64 SCX_EV_INSERT_NOT_OWNED; /* an insert was ignored */
	s64 SCX_EV_SUB_BYPASS_DISPATCH;
};

/* Of a core. */
struct rq {
	struct task_struct *curr; /* as scx_bpf_cpu_curr() */
};

#define SCX_DSQ_ITER_REV UINT64_C(1)
#define MAX_DSQ_ITERATORS 8

/* Of the threads of a queue; the host's. */
struct bpf_iter_scx_dsq {
	u64 opaque[10];
};

struct scx_cpu_acquire_args;
struct scx_cpu_release_args;
struct scx_dump_ctx;
struct scx_sub_attach_args;
struct scx_sub_detach_args;

struct scx_exit_task_args {
	bool cancelled; /* it never ran */
};

/* Why a policy ended. */
enum scx_exit_kind {
	SCX_EXIT_NONE = 0,
	SCX_EXIT_DONE = 1,	  /* the run is over */
	SCX_EXIT_UNREG = 64,	  /* never: policies are not unloaded while they run */
	SCX_EXIT_UNREG_BPF = 65,  /* scx_bpf_exit() */
	SCX_EXIT_UNREG_KERN = 66, /* never, nor the next */
	SCX_EXIT_SYSRQ = 67,
	SCX_EXIT_ERROR = 1024,	     /* a rule was broken */
	SCX_EXIT_ERROR_BPF = 1025,   /* scx_bpf_error() */
	SCX_EXIT_ERROR_STALL = 1026, /* the watchdog */
};

struct scx_exit_info {
	enum scx_exit_kind kind;
	s64 exit_code;
	const char *reason; /* for people */
	const char *msg;
};

/* With whose thread the ordered pass lets a thread swap places (sched/ordered/sahm_pass.h). */
enum swap_rule {
	SWAP_NEVER,
	SWAP_UNSERVED,	/* with a thread that its own core does not serve */
	SWAP_UNMATCHED, /* with one that its own core does not even match */
};

/* The ordered pass of the study under a rule. */
struct sahm_rules {
	enum swap_rule swaps;
};

#define SCX_OPS_NAME_LEN 128
#define SCX_OPS_TIMEOUT_MS 30000u /* the longest watchdog, and the default */
#define SCX_DSP_DFL_MAX_BATCH 32u

/* A policy. Every operation may be NULL; only `name` is required: letters, digits, '-' and '_'. op_list.h says when
 * each is called. */
struct sched_ext_ops {
	s32 (*select_cpu)(struct task_struct *p, s32 prev_cpu, u64 wake_flags);
	void (*enqueue)(struct task_struct *p, u64 enq_flags);
	void (*dequeue)(struct task_struct *p, u64 deq_flags);
	void (*dispatch)(s32 cpu, struct task_struct *prev);
	void (*tick)(struct task_struct *p);
	void (*runnable)(struct task_struct *p, u64 enq_flags);
	void (*running)(struct task_struct *p);
	void (*stopping)(struct task_struct *p, bool runnable);
	void (*quiescent)(struct task_struct *p, u64 deq_flags);
	bool (*yield)(struct task_struct *from, struct task_struct *to);
	void (*set_weight)(struct task_struct *p, u32 weight);
	void (*set_cpumask)(struct task_struct *p, const struct cpumask *cpumask);
	void (*update_idle)(s32 cpu, bool idle);
	s32 (*init_task)(struct task_struct *p, struct scx_init_task_args *args);
	void (*exit_task)(struct task_struct *p, struct scx_exit_task_args *args);
	void (*enable)(struct task_struct *p);
	void (*disable)(struct task_struct *p);
	s32 (*cgroup_init)(struct cgroup *cgrp, struct scx_cgroup_init_args *args);
	void (*cgroup_exit)(struct cgroup *cgrp);
	s32 (*cgroup_prep_move)(struct task_struct *p, struct cgroup *from, struct cgroup *to);
	void (*cgroup_move)(struct task_struct *p, struct cgroup *from, struct cgroup *to);
	void (*cgroup_set_weight)(struct cgroup *cgrp, u32 weight);
	s32 (*init)(void);
	void (*exit)(struct scx_exit_info *info);
	/* Never called: the simulator has no occasion for them. */
	bool (*core_sched_before)(struct task_struct *a, struct task_struct *b);
	void (*cpu_acquire)(s32 cpu, struct scx_cpu_acquire_args *args);
	void (*cpu_release)(s32 cpu, struct scx_cpu_release_args *args);
	void (*cpu_online)(s32 cpu);
	void (*cpu_offline)(s32 cpu);
	void (*dump)(struct scx_dump_ctx *ctx);
	void (*dump_cpu)(struct scx_dump_ctx *ctx, s32 cpu, bool idle);
	void (*dump_task)(struct scx_dump_ctx *ctx, struct task_struct *p);
	void (*cgroup_cancel_move)(struct task_struct *p, struct cgroup *from, struct cgroup *to);
	void (*cgroup_set_bandwidth)(struct cgroup *cgrp, u64 period_us, u64 quota_us, u64 burst_us);
	void (*cgroup_set_idle)(struct cgroup *cgrp, bool idle);
	/* Not simulated: a policy that defines any of the following is refused. */
	s32 (*sub_attach)(struct scx_sub_attach_args *args);
	void (*sub_detach)(struct scx_sub_detach_args *args);
	u32 dispatch_max_batch; /* inserts of one dispatch(); 0: SCX_DSP_DFL_MAX_BATCH */
	u64 flags;
	u32 timeout_ms; /* a runnable thread that waits longer ends the run; 0 or more than that: SCX_OPS_TIMEOUT_MS */
	u32 exit_dump_len; /* without meaning here, nor the next */
	u64 hotplug_seq;
	char name[SCX_OPS_NAME_LEN];

	/* What the kernel has not. */
	const char *summary; /* one line, for lists */
	/* The scheduling pass at the beginning of the timestep at `now`. Returns the time at which the policy wants to
	 * be asked again: at the first timestep that begins then or later, or at any before that at whose beginning
	 * something has changed since: a thread is observed in another state, came, left, woke or fell asleep. 0: in
	 * every timestep; SAHM_WHEN_CHANGED: not before such a change. With SAHM_OPS_ASKS an observed state is no such
	 * change: sahm_observed() knows whether it matters. */
	u64 (*sahm_pass)(u64 now);
	void (*sahm_observed)(struct task_struct *p, u32 state);
	size_t sahm_state_bytes;      /* of sahm_state() */
	size_t sahm_task_state_bytes; /* of sahm_task_state() */
	/* Promises that sahm_pass() is the ordered pass under these rules, inertia included, so that the simulator may
	 * carry it out itself, faster, where threads never sleep: no operation is called then. NULL: no promise. */
	const struct sahm_rules *sahm_rules;
	/* Maps and variables of a BPF program that was built for the kernel's interface (sched/host/bpf_program.h);
	 * NULL: it is none. */
	const struct sahm_bpf_program *sahm_bpf;
};

#define SAHM_WHEN_CHANGED UINT64_MAX

/* A plug-in is a shared object that defines the symbol `sahm_plugin`, which SCX_OPS_DEFINE() does. */
struct sahm_plugin {
	u32 abi;       /* SAHM_POLICY_ABI */
	u32 ops_bytes; /* sizeof(struct sched_ext_ops) */
	const struct sched_ext_ops *ops;
};

/* Defines an operation, and the policy of a plug-in, as the kernel's headers do:
 *   void BPF_STRUCT_OPS(mine_enqueue, struct task_struct *p, u64 enq_flags) { ... }
 *   SCX_OPS_DEFINE(mine_ops, .enqueue = (void *)mine_enqueue, .name = "mine"); */
#define BPF_STRUCT_OPS(name, ...) name(__VA_ARGS__)
#define BPF_STRUCT_OPS_SLEEPABLE(name, ...) name(__VA_ARGS__)
#define SCX_OPS_DEFINE(ops_name, ...)                                                                                  \
	static const struct sched_ext_ops ops_name = {__VA_ARGS__};                                                    \
	SAHM_PUBLIC extern const struct sahm_plugin sahm_plugin;                                                       \
	SAHM_PUBLIC const struct sahm_plugin sahm_plugin = {SAHM_POLICY_ABI, sizeof(struct sched_ext_ops), &ops_name}

/* Calls; call_list.h says from which operations. The kernel's: */

/* Makes the user queue `id`, below 2^63; `node` is ignored. 0, or below 0 when there is one already or memory is short.
 */
SAHM_PUBLIC s32 scx_bpf_create_dsq(u64 id, s32 node);
/* Removes it; one that is not empty is an error. */
SAHM_PUBLIC void scx_bpf_destroy_dsq(u64 id);
/* Inserts thread `p` into queue `id` with a slice of `slice` ns (0: what it has left). In dispatch() inserts take
 * effect when it returns, or with scx_bpf_dsq_move_to_local(). In select_cpu() and enqueue() only the thread at hand
 * may be inserted; SCX_DSQ_LOCAL is the local queue of the core that select_cpu() returns, in enqueue() of the thread's
 * core, in dispatch() of the core that dispatches. False when the policy does not hold the thread: the insert is
 * ignored and counted. */
SAHM_PUBLIC bool scx_bpf_dsq_insert(struct task_struct *p, u64 id, u64 slice, u64 enq_flags);
/* The same into a user queue in the order of `vtime`, which becomes the thread's; first come, first served on a tie. A
 * queue holds threads inserted in one way only, at a time. */
SAHM_PUBLIC bool scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 id, u64 slice, u64 vtime, u64 enq_flags);
/* Moves the first thread of the user queue `id` that may run on the dispatching core to its local queue; false: there
 * is none.
 */
SAHM_PUBLIC bool scx_bpf_dsq_move_to_local(u64 id, u64 enq_flags);
SAHM_PUBLIC s32 scx_bpf_dsq_nr_queued(u64 id);		  /* below 0: there is no such queue */
SAHM_PUBLIC struct task_struct *scx_bpf_dsq_peek(u64 id); /* NULL: it is empty */
SAHM_PUBLIC u32 scx_bpf_dispatch_nr_slots(void);
SAHM_PUBLIC void scx_bpf_dispatch_cancel(void);
/* The core `prev_cpu` if it is idle, else the first idle one on which `p` may run, else `prev_cpu`. An idle one is
 * taken: it is not idle any more to others that ask, and *is_idle is set. */
SAHM_PUBLIC s32 scx_bpf_select_cpu_dfl(struct task_struct *p, s32 prev_cpu, u64 wake_flags, bool *is_idle);
/* The core `prev_cpu` if it is idle, else the first idle one, both only if in `mask` and `p` may run there; it is
 * taken. Below 0: there is none. */
SAHM_PUBLIC s32 scx_bpf_select_cpu_and(struct task_struct *p, s32 prev_cpu, u64 wake_flags, const struct cpumask *mask,
				       u64 flags);
/* The first idle core of `mask`, which is taken; below 0: none. `flags` is ignored. */
SAHM_PUBLIC s32 scx_bpf_pick_idle_cpu(const struct cpumask *mask, u64 flags);
SAHM_PUBLIC s32 scx_bpf_pick_any_cpu(const struct cpumask *mask, u64 flags); /* or else the first of all in `mask` */
SAHM_PUBLIC bool scx_bpf_test_and_clear_cpu_idle(s32 cpu);
/* Makes core `cpu` look for work after the operation: an idle one at once, a busy one when its slice is used up;
 * SCX_KICK_PREEMPT uses it up. */
SAHM_PUBLIC void scx_bpf_kick_cpu(s32 cpu, u64 flags);
SAHM_PUBLIC s32 scx_bpf_task_cpu(const struct task_struct *p); /* where it runs, waits, or ran last */
SAHM_PUBLIC bool scx_bpf_task_running(const struct task_struct *p);
SAHM_PUBLIC bool scx_bpf_task_set_slice(struct task_struct *p, u64 slice);
SAHM_PUBLIC bool scx_bpf_task_set_dsq_vtime(struct task_struct *p, u64 vtime);
SAHM_PUBLIC u64 scx_bpf_now(void); /* ns since the beginning of the simulation */
SAHM_PUBLIC u32 scx_bpf_nr_cpu_ids(void);
SAHM_PUBLIC void scx_bpf_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
SAHM_PUBLIC void scx_bpf_exit(s64 code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
SAHM_PUBLIC bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *mask);
SAHM_PUBLIC u32 bpf_cpumask_first(const struct cpumask *mask); /* scx_bpf_nr_cpu_ids(): it is empty */
SAHM_PUBLIC u32 bpf_cpumask_weight(const struct cpumask *mask);

/* Performance, of SCX_CPUPERF_ONE. The most that core `cpu` can do, at least 1, over what the fastest core of the chip
 * can: speeds over all states, added up. Its present frequency over its highest. */
SAHM_PUBLIC u32 scx_bpf_cpuperf_cap(s32 cpu);
SAHM_PUBLIC u32 scx_bpf_cpuperf_cur(s32 cpu);
/* Lets the core go to the slowest level with 1.25 x `perf` (0 to SCX_CPUPERF_ONE) of its highest frequency, as the
 * kernel's schedutil does. It stays there until the policy asks for another; a core without levels stays as it is. */
SAHM_PUBLIC void scx_bpf_cpuperf_set(s32 cpu, u32 perf);

/* Sets that follow the simulation as it goes on; giving them back has no effect. */
SAHM_PUBLIC const struct cpumask *scx_bpf_get_idle_cpumask(void);
SAHM_PUBLIC const struct cpumask *scx_bpf_get_idle_smtmask(void);
SAHM_PUBLIC void scx_bpf_put_idle_cpumask(const struct cpumask *mask);
SAHM_PUBLIC const struct cpumask *scx_bpf_get_possible_cpumask(void);
SAHM_PUBLIC const struct cpumask *scx_bpf_get_online_cpumask(void);
SAHM_PUBLIC void scx_bpf_put_cpumask(const struct cpumask *mask);
SAHM_PUBLIC struct cgroup *scx_bpf_task_cgroup(struct task_struct *p);
SAHM_PUBLIC struct task_struct *scx_bpf_cpu_curr(s32 cpu);
SAHM_PUBLIC struct rq *scx_bpf_cpu_rq(s32 cpu);
SAHM_PUBLIC s32 scx_bpf_cpu_node(s32 cpu);
SAHM_PUBLIC u32 scx_bpf_nr_node_ids(void);

/* Iterates over the threads that are in queue `id` at the beginning, in its order, or from the last to the first with
 * SCX_DSQ_ITER_REV. A thread that leaves the queue meanwhile is passed over. At most MAX_DSQ_ITERATORS at a time. */
SAHM_PUBLIC s32 bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *it, u64 id, u64 flags);
SAHM_PUBLIC struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *it);
SAHM_PUBLIC void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *it);
/* Moves `p`, to which the iterator has come, out of its queue into another. False: it is no longer there. */
SAHM_PUBLIC bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 id, u64 enq_flags);
SAHM_PUBLIC bool scx_bpf_dsq_move_vtime(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 id, u64 enq_flags);
/* What the next move gives it; else it keeps its own. */
SAHM_PUBLIC void scx_bpf_dsq_move_set_slice(struct bpf_iter_scx_dsq *it, u64 slice);
SAHM_PUBLIC void scx_bpf_dsq_move_set_vtime(struct bpf_iter_scx_dsq *it, u64 vtime);

SAHM_PUBLIC void scx_bpf_events(struct scx_event_stats *events, size_t nr_bytes);

/* Those of the kernel that are not simulated: each ends the run by its name. */
SAHM_PUBLIC u32 scx_bpf_reenqueue_local(void);

/* What the kernel has not. What the scheduler knows of threads: */

/* The state in which the last executed stretch of `p` began (a stretch ends with its timestep, or when the thread
 * stops), or as its IPU tells; under the oracle the present one. STATE_NONE: not observed yet. */
SAHM_PUBLIC u32 sahm_observed_state(const struct task_struct *p);
/* Counter `which` of the epoch in which that stretch began; 0 before the first. Needs SAHM_OPS_COUNTERS. */
SAHM_PUBLIC u64 sahm_observed_counter(const struct task_struct *p, enum counter which);
/* Epochs of the whole trace of `p` that are in `state`: what no scheduler could know. */
SAHM_PUBLIC u64 sahm_trace_epochs(const struct task_struct *p, u32 state);

/* The chip: `cpu` below scx_bpf_nr_cpu_ids(), `state` below NR_STATES. */
SAHM_PUBLIC s32 sahm_speedup_ppm(s32 cpu, u32 state); /* millionths over the baseline core */
/* Whether the core is specialised for a component that `state` stresses; a general or measured core serves the states
 * in which its speedup is above 0. A core matches the states that it serves, and a baseline core matches STATE_LOW.
 * Test for STATE_NONE first. */
SAHM_PUBLIC bool sahm_serves(s32 cpu, u32 state);
SAHM_PUBLIC bool sahm_matches(s32 cpu, u32 state);
/* Frequency levels, from 0, the slowest; cores without any have one. A level asked for takes effect after the core's
 * transition time; from the first call on the governor leaves the core to the policy. sahm_speedup_ppm() is that of the
 * fastest level. Power, in uW, is what a core draws while a thread executes, besides its static power; 0 where the
 * configuration has no figures. */
SAHM_PUBLIC u32 sahm_nr_levels(s32 cpu);
SAHM_PUBLIC u32 sahm_level(s32 cpu);
SAHM_PUBLIC void sahm_set_perf(s32 cpu, u32 level);
SAHM_PUBLIC s32 sahm_level_ppm(s32 cpu, u32 level, u32 state);
SAHM_PUBLIC u64 sahm_level_power_uw(s32 cpu, u32 level, u32 state);
SAHM_PUBLIC u64 sahm_move_cost_ns(s32 from, s32 to);
SAHM_PUBLIC u64 sahm_debt_ns(const struct task_struct *p);
SAHM_PUBLIC u64 sahm_timestep_ns(void);
SAHM_PUBLIC u32 sahm_inertia(void); /* passes */
SAHM_PUBLIC bool sahm_is_oracle(void);

/* Threads by index, 0 to sahm_nr_tasks() - 1, those that have not arrived or have left included. */
SAHM_PUBLIC u32 sahm_nr_tasks(void);
SAHM_PUBLIC struct task_struct *sahm_task(u32 index);
SAHM_PUBLIC bool sahm_is_runnable(const struct task_struct *p);
/* The thread that core `cpu` runs or, where its turn is over, would run next; NULL: the core is idle. */
SAHM_PUBLIC struct task_struct *sahm_head(s32 cpu);
SAHM_PUBLIC struct task_struct *sahm_next(const struct task_struct *p); /* NULL: it is the last of its core */
SAHM_PUBLIC u32 sahm_nr_on(s32 cpu);

/* Moves thread `p`, which runs or is in a local queue, to the end of the local queue of another core, `cpu`; lets `a`
 * and `b`, of different cores, trade places. Both owe the cost. False, and nothing is done, when a thread may not run
 * there, is not in such a place, or is there already. */
SAHM_PUBLIC bool sahm_move(struct task_struct *p, s32 cpu);
SAHM_PUBLIC bool sahm_swap(struct task_struct *a, struct task_struct *b);
/* Lets several threads change their places at once: threads[i], the head of its core, takes the place of the head of
 * core cpus[i], and owes the cost once; nr is at most the number of cores. Each core named is the core
 * of another of these threads, or idle, and is named once. False, and nothing is done, when that is not so or a thread
 * may not run where it is to. */
SAHM_PUBLIC bool sahm_permute(struct task_struct *const *threads, const s32 *cpus, u32 nr);

/* Asks for a pass: that of the timestep that begins now if it is still to come, or else of the next. */
SAHM_PUBLIC void sahm_ask_for_pass(void);

/* A number below `end`, at least 1, each as likely as the others: the same in every run of a configuration. */
SAHM_PUBLIC u64 sahm_random(u64 end);

/* Zeroed memory: sahm_state_bytes, and sahm_task_state_bytes for each thread; an error where that is 0. */
SAHM_PUBLIC void *sahm_state(void);
SAHM_PUBLIC void *sahm_task_state(const struct task_struct *p);

/* Fixed point. Division as in BPF: by 0 gives 0. */

static inline u64 sahm_div(u64 x, u64 y)
{
	return y ? x / y : 0;
}

/* x * num / den, rounded down, without overflow on the way; UINT64_MAX when the result is too large. */
static inline u64 sahm_scale(u64 x, u64 num, u64 den)
{
	u64 product;
	if (den == 0)
		return 0;
	if (!__builtin_mul_overflow(x, num, &product))
		return product / den;
	__extension__ unsigned __int128 result = (unsigned __int128)x * num / den;
	return result > UINT64_MAX ? UINT64_MAX : (u64)result;
}

/* `x` with `ppm` millionths of it added. */
static inline s64 sahm_add_ppm(s64 x, s32 ppm)
{
	__extension__ __int128 result = (__int128)x * (1000000 + ppm) / 1000000;
	return (s64)result;
}

/* Whether time `a` is before `b`, both of a clock that may run over. */
static inline bool time_before64(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

#define time_before(a, b) time_before64(a, b)
#define time_after(a, b) time_before64(b, a)

#endif
