/* Which host is at hand, and what every call checks. */
#include "sched/host/host_calls_internal.h"

static const char *const op_names[] = {
	"no operation",
#define OP(name, kind, when) #name "()",
#include "sched/host/op_list.h"
#undef OP
	"a timer",
};

const char *host_op_name(enum host_op op)
{
	return op_names[op];
}

_Thread_local struct host *host_at_hand;
static _Thread_local u64 nr_entered;

struct host *host_current(void)
{
	return host_at_hand;
}

struct host *host_enter(struct host *h)
{
	struct host *before = host_at_hand;
	h->number = ++nr_entered;
	host_at_hand = h;
	return before;
}

void host_exit(struct host *before)
{
	host_at_hand = before;
}

__attribute__((noinline, cold)) void host_fail_call(struct host *h, enum call call)
{
	static const char *const words[] = {
		[SCHED_INIT] = "init(), init_task() and cgroup_init()",
		[SCHED_ENQUEUE] = "select_cpu(), enqueue() and dispatch()",
		[SCHED_DISPATCH] = "dispatch()",
		[SCHED_UNLOCKED] = "dispatch() and timers",
		[SCHED_PASS] = "sahm_pass()",
	};
	host_fail(h, SCX_EXIT_ERROR, "it called %s() from %s; only %s may", host_call_rows[call].name, op_names[h->op],
		  words[host_call_rows[call].from]);
}

struct host *host_called(enum call call)
{
	struct host *h = host_at_hand;
	return h && !h->has_failed && host_check_from(h, call) ? h : NULL;
}

bool host_check_cpu(struct host *h, enum call call, s64 cpu)
{
	if (cpu >= 0 && cpu < (s64)h->nr_cpus)
		return true;
	host_fail(h, SCX_EXIT_ERROR, "it called %s() for core %lld, which does not exist (cores 0 to %u)",
		  host_call_rows[call].name, (long long)cpu, h->nr_cpus - 1);
	return false;
}

bool host_check_state(struct host *h, enum call call, u32 state)
{
	if (state < NR_STATES)
		return true;
	host_fail(h, SCX_EXIT_ERROR, "it called %s() for state %u, which does not exist (states 0 to %u)",
		  host_call_rows[call].name, state, NR_STATES - 1);
	return false;
}

bool host_check_task(struct host *h, enum call call, const struct task_struct *p)
{
	if (p)
		return true;
	host_fail(h, SCX_EXIT_ERROR, "it called %s() without a thread (NULL)", host_call_rows[call].name);
	return false;
}

bool host_check_idle_tracking(struct host *h, enum call call)
{
	if (!h->tracks_idle)
		host_fail(h, SCX_EXIT_ERROR,
			  "it called %s() although it has update_idle() and not SCX_OPS_KEEP_BUILTIN_IDLE: idle cores "
			  "are not tracked",
			  host_call_rows[call].name);
	return h->tracks_idle;
}
