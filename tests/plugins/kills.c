/* Ends the process by a signal that no handler can catch. */
#include "sched/ext.h"

#include <signal.h>

static void running(struct task_struct *p)
{
	raise(SIGKILL);
}

SCX_OPS_DEFINE(ops, .running = running, .name = "kills");
