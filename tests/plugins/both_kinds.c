/* It wants run queues, and to dispatch. */
#include "sched/ext.h"

static void dispatch(s32 cpu, struct task_struct *prev)
{
}

SCX_OPS_DEFINE(ops, .dispatch = dispatch, .flags = SAHM_OPS_RUN_QUEUES, .name = "both-kinds");
