/* Makes a call that is not simulated. */
#include "sched/ext.h"

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_reenqueue_local();
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SCX_SLICE_DFL, enq_flags);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .name = "unsupported-call");
