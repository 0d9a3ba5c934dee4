/* Its name is none. */
#include "sched/ext.h"

SCX_OPS_DEFINE(ops, .name = "bad name");
