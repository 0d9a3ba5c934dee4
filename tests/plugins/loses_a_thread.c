/* Forgets its second thread: it is neither inserted nor kept in mind. */
#include "sched/ext.h"

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	if (p->pid != 2)
		scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SCX_SLICE_DFL, enq_flags);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .timeout_ms = 500, .name = "loses-a-thread");
