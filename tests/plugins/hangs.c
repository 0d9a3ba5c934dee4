/* Does not return from dispatch(). */
#include "sched/ext.h"

static volatile int forever = 1;

static s32 init(void)
{
	return scx_bpf_create_dsq(1, -1);
}

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 1, SCX_SLICE_DFL, enq_flags);
}

static void dispatch(s32 cpu, struct task_struct *prev)
{
	while (forever)
		;
}

SCX_OPS_DEFINE(ops, .init = init, .enqueue = enqueue, .dispatch = dispatch, .name = "hangs");
