/* Never returns from a read. */
#include "tests/soft/sums.h"

static uint32_t hang(void *m, uint32_t offset)
{
	for (volatile int goes_on = 1; goes_on;)
		;
	return sums_read(m, offset);
}

SUMS_OBJECT(.read = hang, .name = "hangs")
