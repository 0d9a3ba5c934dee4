/* Calls what this sahm does not have. */
#include "sched/ext.h"

void scx_bpf_dsq_inserts(struct task_struct *p, u64 id);

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_inserts(p, SCX_DSQ_GLOBAL);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .name = "unknown-call");
