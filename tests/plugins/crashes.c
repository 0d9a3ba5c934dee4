/* Writes where nothing is. */
#include "sched/ext.h"

static int *nowhere;

static void running(struct task_struct *p)
{
	*nowhere = p->pid;
}

SCX_OPS_DEFINE(ops, .running = running, .name = "crashes");
