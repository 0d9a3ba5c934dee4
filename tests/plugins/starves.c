/* Lets its second thread wait while there is any other: it is in a separate queue, which cores look into last. */
#include "sched/ext.h"

#define OTHERS 1
#define LAST 2

static s32 init(void)
{
	s32 status = scx_bpf_create_dsq(OTHERS, -1);
	return status < 0 ? status : scx_bpf_create_dsq(LAST, -1);
}

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, p->pid == 2 ? LAST : OTHERS, SCX_SLICE_DFL, enq_flags);
}

static void dispatch(s32 cpu, struct task_struct *prev)
{
	if (!scx_bpf_dsq_move_to_local(OTHERS, 0) && !prev)
		scx_bpf_dsq_move_to_local(LAST, 0);
}

SCX_OPS_DEFINE(ops, .init = init, .enqueue = enqueue, .dispatch = dispatch, .timeout_ms = 500, .name = "starves");
