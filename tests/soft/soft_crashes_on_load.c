/* Executes what is no instruction, as soon as it is loaded. */
#include "tests/soft/sums.h"

__attribute__((constructor)) static void crash(void)
{
	__builtin_trap();
}

SUMS_OBJECT(.name = "crashes-on-load")
