/* How a call of a policy begins: where it may be made from, and what it is given is checked. For the files that answer
 * calls. */
#ifndef SAHM_SCHED_HOST_HOST_CALLS_INTERNAL_H
#define SAHM_SCHED_HOST_HOST_CALLS_INTERNAL_H

#include "sched/host/host.h"
#include "sched/host/host_trace_internal.h"
#include "sched/host/interface.h"

enum call {
#define CALL(name, kind, from, words) CALL_##name,
#include "sched/host/call_list.h"
#undef CALL
};

struct host_call {
	const char *name;
	enum sched_from from;
};

/* Inline: facts of a call that are known at compile time need no lookup. */
static const struct host_call host_call_rows[] = {
#define CALL(name, kind, from, words) {#name, SCHED_##from},
#include "sched/host/call_list.h"
#undef CALL
};

/* Which host a policy's calls mean: they have no argument for it, since the kernel's have none. */
extern _Thread_local struct host *host_at_hand;

__attribute__((always_inline)) static inline bool host_may_call(enum sched_from from, enum host_op op)
{
	switch (from) {
	case SCHED_INIT:
		return op == HOST_OP_init || op == HOST_OP_init_task || op == HOST_OP_cgroup_init;
	case SCHED_ENQUEUE:
		return op == HOST_OP_select_cpu || op == HOST_OP_enqueue || op == HOST_OP_dispatch;
	case SCHED_DISPATCH:
		return op == HOST_OP_dispatch;
	case SCHED_UNLOCKED:
		return op == HOST_OP_dispatch || op == HOST_IN_TIMER;
	case SCHED_PASS:
		return op == HOST_OP_sahm_pass;
	default:
		return true;
	}
}

/* The call must not be made from the operation under way: the run has failed. */
void host_fail_call(struct host *h, enum call call);

/* Whether the call may be made from the operation under way; else the run has failed. */
__attribute__((always_inline)) static inline bool host_check_from(struct host *h, enum call call)
{
	if (host_may_call(host_call_rows[call].from, h->op))
		return true;
	host_fail_call(h, call);
	return false;
}

/* The host at hand, NULL when the call must not be made now: then the run has failed, or there is none. */
struct host *host_called(enum call call);

/* Whether there is such a core, state or thread; else the run has failed. */
bool host_check_cpu(struct host *h, enum call call, s64 cpu);
bool host_check_state(struct host *h, enum call call, u32 state);
bool host_check_task(struct host *h, enum call call, const struct task_struct *p);
/* Whether the built-in idle tracking is on. */
bool host_check_idle_tracking(struct host *h, enum call call);

/* Beginnings of calls: what they need, or the value that they return without it. Where somebody listens, the call is
 * made again, and told: so it costs nothing where nobody does. `again` makes it, `result` is what that returns. */
#define BEGIN_TOLD_BY(tell, name, otherwise, again, result)                                                            \
	struct host *h = host_at_hand;                                                                                 \
	if (!h)                                                                                                        \
		return otherwise;                                                                                      \
	if (__builtin_expect(h->is_marked, 0)) {                                                                       \
		if (h->has_failed)                                                                                     \
			return otherwise;                                                                              \
		h->is_marked = false;                                                                                  \
		again;                                                                                                 \
		host_at_hand->is_marked = true;                                                                        \
		tell;                                                                                                  \
		return result;                                                                                         \
	}                                                                                                              \
	if (!host_check_from(h, CALL_##name))                                                                          \
	return otherwise
#define TELL(name, result, ...) host_trace_call(host_at_hand, #name, HOST_VALUE(result), HOST_VALUES(__VA_ARGS__))
#define BEGIN(type, name, otherwise, ...)                                                                              \
	BEGIN_TOLD_BY(TELL(name, result_, __VA_ARGS__), name, otherwise, type result_ = name(__VA_ARGS__), result_)
/* The same of calls without arguments, and without a result. */
#define BEGIN_BARE(type, name, otherwise)                                                                              \
	BEGIN_TOLD_BY(TELL(name, result_, HOST_END), name, otherwise, type result_ = name(), result_)
#define BEGIN_VOID(name, ...)                                                                                          \
	BEGIN_TOLD_BY(TELL(name, HOST_END, __VA_ARGS__), name, NOTHING, name(__VA_ARGS__), NOTHING)
#define NEED_CPU(name, cpu, otherwise)                                                                                 \
	if (!host_check_cpu(h, CALL_##name, cpu))                                                                      \
	return otherwise
#define NEED_STATE(name, state, otherwise)                                                                             \
	if (!host_check_state(h, CALL_##name, state))                                                                  \
	return otherwise
#define NEED_TASK(name, p, otherwise)                                                                                  \
	if (!host_check_task(h, CALL_##name, p))                                                                       \
	return otherwise
#define NOTHING

#endif
