/* Uses memory for which it has not asked. */
#include "sched/ext.h"

static void running(struct task_struct *p)
{
	int *nr_runs = sahm_task_state(p);
	if (nr_runs)
		++*nr_runs;
}

SCX_OPS_DEFINE(ops, .running = running, .name = "no-memory");
