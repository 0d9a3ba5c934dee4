/* Stride: a table by pc of the last address and the difference to the one before, with a 2-bit confidence (Fu, Patel
 * and Janssens, "Stride directed prefetching in scalar processors", MICRO 1992). At confidence 2 or more it asks for
 * the lines of the next `degree` steps. Does badly on pointers, and where one instruction walks several arrays. */
#include "cores/uarch/prefetcher_internal.h"

#define ENTRIES 256u
#define MAX_CONFIDENCE 3u
#define ENOUGH_CONFIDENCE 2u

struct entry {
	uint64_t pc, last, stride;
	uint32_t confidence;
};

struct table {
	struct entry entries[ENTRIES];
};

static void learn(struct entry *e, const struct prefetch_trigger *t)
{
	uint64_t stride = t->address - e->last;
	if (e->pc != t->pc) {
		*e = (struct entry){.pc = t->pc, .last = t->address};
		return;
	}
	if (stride == e->stride) {
		e->confidence += e->confidence < MAX_CONFIDENCE;
	} else if (e->confidence > 0) {
		e->confidence--;
	} else {
		e->stride = stride;
	}
	e->last = t->address;
}

static unsigned watch(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
		      struct prefetch_request *requests)
{
	struct table *table = state;
	struct entry *e = &table->entries[(t->pc >> 1 ^ t->pc >> 9) % ENTRIES];
	unsigned nr = 0;
	learn(e, t);
	if (e->confidence < ENOUGH_CONFIDENCE || e->stride == 0)
		return 0;
	uint64_t before = t->address >> t->line_shift;
	for (unsigned i = 1; i <= spec->degree; i++) {
		uint64_t line = (t->address + i * e->stride) >> t->line_shift;
		if (line == before || !prefetch_is_near(t, line))
			continue;
		requests[nr++] = (struct prefetch_request){.line = line};
		before = line;
	}
	return nr;
}

/* pc, last address and stride are whole addresses. */
#define ENTRY_BITS (3 * PREFETCH_ADDRESS_BITS + 2)

const struct prefetcher_ops prefetch_stride = {
	.has_degree = true, .state_bytes = sizeof(struct table), .storage_bits = ENTRIES * ENTRY_BITS, .watch = watch};
