/* Executes what is no instruction. */
#include "sched/ext.h"

static void running(struct task_struct *p)
{
	__builtin_trap();
}

SCX_OPS_DEFINE(ops, .running = running, .name = "crashes");
