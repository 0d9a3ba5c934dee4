/* vtime: weighted fair shares, by one queue in the order of virtual time.
 *
 * In the manner of the kernel's scx_simple: threads that no core has yet wait in one queue, ordered by vtime, the time
 * that a thread has run, divided by its weight. The thread that had the smallest time for its weight runs next, so that
 * over time each gets its share. A thread whose slice is used up is compared with the queue before it has to go: if it
 * still had the smallest, it continues. A thread that slept comes back with at most one slice of credit, so that nobody
 * saves up time by sleeping.
 *
 * Does badly: it is blind to what cores are good at, so a thread gets whichever core is free, and pays for the move;
 * and where the first of the queue may not run on a core, its own thread makes way for the next, whatever both have
 * had.
 *
 * Ports to the kernel but for three things. A policy here may run several times in one process, and keeps its state in
 * sahm_state(); in the kernel it would be a global variable, `static u64 vtime_now`. And the kernel's dispatch() may be
 * given a `prev` that is about to sleep; one that can go on has SCX_TASK_QUEUED in prev->scx.flags there. And
 * sahm_scale() is scale_by_task_weight_inverse() there.
 */
#include "sched/ext.h"

#define SHARED 1
#define SLICE SCX_SLICE_DFL
#define DEFAULT_WEIGHT 100

struct state {
	u64 vtime_now; /* of the thread that began to run last: what a thread that comes new begins with */
};

s32 BPF_STRUCT_OPS_SLEEPABLE(vtime_init)
{
	return scx_bpf_create_dsq(SHARED, -1);
}

/* An idle core takes the thread at once: it goes past the queue, in which nobody waits then. */
s32 BPF_STRUCT_OPS(vtime_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);
	if (is_idle)
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SLICE, 0);
	return cpu;
}

/* The time `vtime`, or where it lies too far back, what a thread is given credit for. Times are compared by their
 * difference, which is right even when they have run over. */
static u64 with_credit(u64 vtime)
{
	const struct state *state = sahm_state();
	u64 least = state->vtime_now - SLICE;
	return time_before64(vtime, least) ? least : vtime;
}

/* A thread's vtime including the used part of its slice, which counts less with more weight. One that
 * yields has nothing left of its slice, as if it had used all. */
static u64 vtime_with_use(const struct task_struct *p)
{
	u64 used = p->scx.slice < SLICE ? SLICE - p->scx.slice : 0;
	return p->scx.dsq_vtime + sahm_scale(used, DEFAULT_WEIGHT, p->scx.weight);
}

/* The clock of the queue follows the threads that run; it never goes back. */
static void follow(u64 vtime)
{
	struct state *state = sahm_state();
	if (time_before64(state->vtime_now, vtime))
		state->vtime_now = vtime;
}

void BPF_STRUCT_OPS(vtime_enqueue, struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert_vtime(p, SHARED, SLICE, with_credit(p->scx.dsq_vtime), enq_flags);
}

/* `prev` is in no queue yet: it is enqueued only after this, when another is to run. So it is compared here. One that
 * goes on is charged for its slice and gets another; one that has to go is charged when it stops. */
void BPF_STRUCT_OPS(vtime_dispatch, s32 cpu, struct task_struct *prev)
{
	const struct task_struct *first = scx_bpf_dsq_peek(SHARED);
	if (prev && first) {
		u64 vtime = with_credit(vtime_with_use(prev));
		if (!time_before64(first->scx.dsq_vtime, vtime)) {
			scx_bpf_task_set_dsq_vtime(prev, vtime);
			scx_bpf_task_set_slice(prev, SLICE);
			follow(vtime);
			return;
		}
	}
	scx_bpf_dsq_move_to_local(SHARED, 0);
}

void BPF_STRUCT_OPS(vtime_running, struct task_struct *p)
{
	follow(p->scx.dsq_vtime);
}

void BPF_STRUCT_OPS(vtime_stopping, struct task_struct *p, bool runnable)
{
	p->scx.dsq_vtime = vtime_with_use(p);
}

/* A thread that comes begins where the others are. */
void BPF_STRUCT_OPS(vtime_enable, struct task_struct *p)
{
	const struct state *state = sahm_state();
	p->scx.dsq_vtime = state->vtime_now;
}

SCX_OPS_DEFINE(vtime_ops, .init = (void *)vtime_init, .enable = (void *)vtime_enable,
	       .select_cpu = (void *)vtime_select_cpu, .enqueue = (void *)vtime_enqueue,
	       .dispatch = (void *)vtime_dispatch, .running = (void *)vtime_running, .stopping = (void *)vtime_stopping,
	       .sahm_state_bytes = sizeof(struct state), .name = "vtime",
	       .summary = "weighted fair shares by one queue in the order of vtime");
