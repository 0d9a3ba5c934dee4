/* Frees what is not its own, so that the C library ends it. */
#include "tests/soft/sums.h"

static void reset(void *m)
{
	(void)m;
	abort();
}

SUMS_OBJECT(.reset = reset, .name = "aborts")
