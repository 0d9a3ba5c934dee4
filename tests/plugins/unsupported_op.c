/* Attaches sub-schedulers, as the simulator does not. */
#include "sched/ext.h"

static s32 attach(struct scx_sub_attach_args *args)
{
	(void)args;
	return 0;
}

SCX_OPS_DEFINE(ops, .sub_attach = attach, .name = "unsupported-op");
