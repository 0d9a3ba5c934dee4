/* Gives an operation that is not simulated. */
#include "sched/ext.h"

static void on_acquire(s32 cpu, void *args)
{
}

SCX_OPS_DEFINE(ops, .cpu_acquire = on_acquire, .name = "unsupported-op");
