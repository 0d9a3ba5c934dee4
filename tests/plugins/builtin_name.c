/* It is called like a built-in policy. */
#include "sched/ext.h"

SCX_OPS_DEFINE(ops, .flags = SAHM_OPS_RUN_QUEUES, .name = "static");
