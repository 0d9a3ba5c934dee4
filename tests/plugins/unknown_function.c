/* Calls a function that is neither here nor in the C library. */
#include "sched/ext.h"

void nosuch_function(struct task_struct *p);

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	nosuch_function(p);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .name = "unknown-function");
