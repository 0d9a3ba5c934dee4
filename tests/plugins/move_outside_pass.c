/* Moves a thread when it is not its time to. */
#include "sched/ext.h"

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SCX_SLICE_DFL, enq_flags);
}

static void running(struct task_struct *p)
{
	sahm_move(p, 0);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .running = running, .name = "move-outside-pass");
