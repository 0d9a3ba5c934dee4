/* Dispatches to a core that the chip does not have. */
#include "sched/ext.h"

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | scx_bpf_nr_cpu_ids(), SCX_SLICE_DFL, enq_flags);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .name = "missing-core");
