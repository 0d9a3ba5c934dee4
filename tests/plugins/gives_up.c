/* Ends the run itself, with a message. */
#include "sched/ext.h"

static void tick(struct task_struct *p)
{
	scx_bpf_error("thread %d is not to my liking", p->pid);
}

SCX_OPS_DEFINE(ops, .tick = tick, .name = "gives-up");
