/* Executes what is no instruction, in its tenth set. */
#include "tests/soft/sums.h"

static void step(void *m, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	struct sums *s = m;
	sums_step(m, cycle, valid, values);
	if (s->nr_sets == 10)
		__builtin_trap();
}

SUMS_OBJECT(.step = step, .name = "crashes")
