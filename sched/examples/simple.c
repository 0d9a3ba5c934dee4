/* simple: the kernel's example scheduler of that name, written by hand for the simulator: one queue for all cores in
 * the order of virtual time, and an idle core at once for a thread that wakes. `sahm policy build` makes the same
 * policy of the kernel's file (tools/sched_ext/scx_simple.bpf.c).
 *
 * Does badly: what threads do, and what a move costs, is nothing to it.
 */
#include "sched/ext.h"

enum { SHARED_QUEUE };

struct state {
	u64 vtime_now; /* of the thread that began to run with the most */
};

static s32 BPF_STRUCT_OPS(simple_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);
	if (is_idle)
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SCX_SLICE_DFL, 0);
	return cpu;
}

static void BPF_STRUCT_OPS(simple_enqueue, struct task_struct *p, u64 enq_flags)
{
	const struct state *s = sahm_state();
	u64 vtime = p->scx.dsq_vtime;
	/* A thread that has slept saves up one slice at most. */
	if (time_before(vtime, s->vtime_now - SCX_SLICE_DFL))
		vtime = s->vtime_now - SCX_SLICE_DFL;
	scx_bpf_dsq_insert_vtime(p, SHARED_QUEUE, SCX_SLICE_DFL, vtime, enq_flags);
}

static void BPF_STRUCT_OPS(simple_dispatch, s32 cpu, struct task_struct *prev)
{
	scx_bpf_dsq_move_to_local(SHARED_QUEUE, 0);
}

static void BPF_STRUCT_OPS(simple_running, struct task_struct *p)
{
	struct state *s = sahm_state();
	if (time_before(s->vtime_now, p->scx.dsq_vtime))
		s->vtime_now = p->scx.dsq_vtime;
}

static void BPF_STRUCT_OPS(simple_stopping, struct task_struct *p, bool runnable)
{
	p->scx.dsq_vtime += (SCX_SLICE_DFL - p->scx.slice) * 100 / p->scx.weight;
}

static void BPF_STRUCT_OPS(simple_enable, struct task_struct *p)
{
	const struct state *s = sahm_state();
	p->scx.dsq_vtime = s->vtime_now;
}

static s32 BPF_STRUCT_OPS_SLEEPABLE(simple_init)
{
	return scx_bpf_create_dsq(SHARED_QUEUE, -1);
}

SCX_OPS_DEFINE(simple_ops, .select_cpu = (void *)simple_select_cpu, .enqueue = (void *)simple_enqueue,
	       .dispatch = (void *)simple_dispatch, .running = (void *)simple_running,
	       .stopping = (void *)simple_stopping, .enable = (void *)simple_enable, .init = (void *)simple_init,
	       .name = "simple", .summary = "the kernel's scx_simple, by hand: one queue by virtual time",
	       .sahm_state_bytes = sizeof(struct state));
