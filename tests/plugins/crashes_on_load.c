/* Executes what is no instruction, as soon as it is loaded. */
#include "sched/ext.h"

__attribute__((constructor)) static void begin(void)
{
	__builtin_trap();
}

SCX_OPS_DEFINE(ops, .name = "crashes-on-load");
