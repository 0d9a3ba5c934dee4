/* Calls exit() in an operation, with success. */
#include "sched/ext.h"

#include <stdlib.h>

static void running(struct task_struct *p)
{
	exit(0);
}

SCX_OPS_DEFINE(ops, .running = running, .name = "exits");
