/* Ends the process by a signal that no handler can catch, or by the one that KILLS_BY names by its number. */
#include "sched/ext.h"

#include <signal.h>
#include <stdlib.h>

static void running(struct task_struct *p)
{
	const char *number = getenv("KILLS_BY");
	raise(number ? atoi(number) : SIGKILL);
}

SCX_OPS_DEFINE(ops, .running = running, .name = "kills");
