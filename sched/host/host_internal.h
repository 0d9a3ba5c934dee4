/* What the files of the host share. */
#ifndef SAHM_SCHED_HOST_HOST_INTERNAL_H
#define SAHM_SCHED_HOST_HOST_INTERNAL_H

#include "sched/host/bpf_calls.h"
#include "sched/host/host.h"
#include "sched/host/host_trace_internal.h"

/* Calls an operation; its callees know where it is. */
#define CALL_OP(h, name, ...)                                                                                          \
	do {                                                                                                           \
		if ((h)->listener)                                                                                     \
			TELL_OP(h, name, HOST_VALUES(__VA_ARGS__), RUN_OP(h, (void), name, __VA_ARGS__), HOST_END);    \
		else                                                                                                   \
			RUN_OP(h, (void), name, __VA_ARGS__);                                                          \
	} while (0)

/* The same, and sets `result`. */
#define CALL_OP_FOR(h, result, name, ...)                                                                              \
	do {                                                                                                           \
		if ((h)->listener)                                                                                     \
			TELL_OP(h, name, HOST_VALUES(__VA_ARGS__), RUN_OP(h, result =, name, __VA_ARGS__), result);    \
		else                                                                                                   \
			RUN_OP(h, result =, name, __VA_ARGS__);                                                        \
	} while (0)

/* Tells what `run`, which calls the operation, does. */
#define TELL_OP(h, name, arguments, run, result)                                                                       \
	do {                                                                                                           \
		host_trace_begin(h, #name, arguments);                                                                 \
		run;                                                                                                   \
		host_trace_end(h, #name, HOST_VALUE(result));                                                          \
	} while (0)

#define RUN_OP(h, to, name, ...)                                                                                       \
	do {                                                                                                           \
		enum host_op before_ = (h)->op;                                                                        \
		s32 cpu_before_ = (h)->this_cpu;                                                                       \
		(h)->op = HOST_OP_##name;                                                                              \
		(h)->this_cpu = HOST_CPU_OF(__VA_ARGS__, 0);                                                           \
		(h)->nr_calls++;                                                                                       \
		(h)->nr_turns = 0;                                                                                     \
		to(h)->ops->name(__VA_ARGS__);                                                                         \
		(h)->op = before_;                                                                                     \
		(h)->this_cpu = cpu_before_;                                                                           \
	} while (0)

/* The core on which an operation with these arguments runs. */
#define HOST_CPU_OF(...) HOST_CPU_OF_FIRST(__VA_ARGS__, 0)
#define HOST_CPU_OF_FIRST(first, ...)                                                                                  \
	_Generic((first), struct task_struct *                                                                         \
		 : host_cpu_of_task, s32                                                                               \
		 : host_cpu_itself, u64                                                                                \
		 : host_cpu_0, default                                                                                 \
		 : host_cpu_none)(first)

static inline s32 host_cpu_of_task(const struct task_struct *p)
{
	return host_task_of(p)->cpu;
}

static inline s32 host_cpu_itself(s32 cpu)
{
	return cpu;
}

static inline s32 host_cpu_0(u64 now)
{
	(void)now;
	return 0;
}

static inline s32 host_cpu_none(const void *other)
{
	(void)other;
	return 0;
}

/* The same where there is such an operation. */
#define CALL_OP_IF(h, name, ...)                                                                                       \
	do {                                                                                                           \
		if ((h)->ops->name)                                                                                    \
			CALL_OP(h, name, __VA_ARGS__);                                                                 \
	} while (0)

/* The memory of the policy's BPF program: host_calls_bpf.c */

/* Begins the program: its variables as they were, and maps with nothing in them. */
void host_begin_program(struct host *h);
/* Timers of the map values from `from` on, before `to`, go with them: host_timer.c */
void host_drop_timers(struct host *h, const void *from, const void *to);

/* Cgroups: host_cgroup.c */

bool host_make_cgroups(struct host *h);
/* Calls cgroup_init(), and cgroup_exit(), of all. */
void host_init_cgroups(struct host *h);
void host_exit_cgroups(struct host *h);

/* Takes a ready thread that does not run back from where it waits; lets it wait again: host_changes.c */
void host_take_back(struct host *h, struct host_task *p);
void host_requeue(struct host *h, struct host_task *p);

/* Places: host_common.c */

/* Thread `p` moves: it owes the cost, and is cold. */
void host_charge(struct host *h, struct host_task *p, u32 from, u32 to);
/* The core with the fewest threads on which `p` may run, and the first one, lowest index on a tie. */
u32 host_emptiest_core(const struct host *h, const struct host_task *p);
u32 host_first_allowed(const struct host *h, const struct host_task *p);
u32 host_count_allowed(const struct host *h, const struct host_task *p);

/* Who runs: host_run.c */

/* Core `cpu` looks for work before time goes on. */
void host_look(struct host *h, u32 cpu);
/* The slice of who runs on `cpu` ends `slice` ns from now; is used up. */
void host_begin_slice(struct host *h, u32 cpu, u64 slice);
void host_use_up_slice(struct host *h, u32 cpu);
/* Brings p->scx.slice up to date for an operation, and takes over what that has made of it. */
void host_tell_slice(const struct host *h, struct host_task *p);
void host_take_slice(struct host *h, struct host_task *p);
/* Counts what the thread on `cpu` has executed up to now. */
void host_count_runtime(struct host *h, u32 cpu);
/* Another thread waits in the run queue of `cpu` from now on: the turn under way ends, while without others the thread
 * had turn after turn. */
void host_end_turn(struct host *h, u32 cpu);
/* Takes the running thread off its core; the caller decides about it. */
struct host_task *host_stop(struct host *h, u32 cpu, bool is_runnable);
/* Offers the ready thread `p`, which is in no queue, to the policy. */
void host_enqueue(struct host *h, struct host_task *p, u64 flags);
/* Thread insert->p joins its queue, on behalf of core `own`: its policy has given it away. */
void host_commit(struct host *h, const struct host_insert *insert, s32 own);
/* Whether there is such a queue, and of such a kind; else the run has failed. */
bool host_check_queue(struct host *h, const struct host_insert *insert);

#endif
