/* Ends the run itself, with a message. */
#include "sched/ext.h"

static void tick(struct task_struct *p)
{
	scx_bpf_error("thread %d is not to my liking", p->pid);
}

/* The last operations come also when the run has failed, and have the policy's memory. */
static void last(struct scx_exit_info *info)
{
	u64 *nr_ends = sahm_state();
	++*nr_ends;
}

SCX_OPS_DEFINE(ops, .exit = last, .sahm_state_bytes = sizeof(u64), .tick = tick, .name = "gives-up");
