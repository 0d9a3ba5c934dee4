/* Writes to the memory that its process shares with the caller: a packet without an end, positions that cannot be. */
#include "ipu/soft/soft_internal.h"
#include "tests/soft/sums.h"

/* As soft_child.c has it. */
struct block {
	struct soft_instance instance;
	struct {
		struct soft_shared *shared;
	} * child;
};

static void scribble(void *m, uint32_t offset, uint32_t value)
{
	const struct sums *s = m;
	const struct soft_instance *i = s->outside->ctx;
	const struct block *b = i->ctx;
	struct soft_shared *shared = b->child->shared;
	if (offset != SUMS_START)
		return;
	switch (value) {
	case 0:
		shared->packets_head = UINT64_MAX / 2;
		break;
	case 1:
		shared->packets[0] = soft_head_word(0, 0, 500000);
		shared->packets_head += 100000;
		break;
	case 2:
		shared->commands_tail += 1000000;
		for (volatile int goes_on = 1; goes_on;)
			;
		break;
	default:
		shared->packets[0] = soft_head_word(0, 4000, 8);
		shared->packets_head += 3;
		break;
	}
}

SUMS_OBJECT(.write = scribble, .name = "scribbles")
