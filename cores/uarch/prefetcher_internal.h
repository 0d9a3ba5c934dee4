/* A kind of prefetcher: its operations. */
#ifndef SAHM_CORES_UARCH_PREFETCHER_INTERNAL_H
#define SAHM_CORES_UARCH_PREFETCHER_INTERNAL_H

#include <stddef.h>

#include "cores/uarch/prefetcher.h"
#include "cores/uarch/storage_bits.h"

struct prefetcher_ops {
	const char *cache; /* the only one that it can be at, or NULL */
	bool needs_clock, has_degree;
	size_t state_bytes;    /* cleared at first */
	size_t entry_bytes;    /* of each of spec->entries that follow, cleared as well */
	uint64_t storage_bits; /* of the hardware: all fields of all entries */
	/* Those that depend on the size of table and cache; or NULL. */
	uint64_t (*more_storage_bits)(const struct prefetcher_spec *spec, uint32_t nr_lines);
	/* Or NULL: nothing is learned from lines that leave unused. */
	void (*evicted)(void *state, uint64_t line, uint32_t mark);
	unsigned (*watch)(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
			  struct prefetch_request *requests);
};

/* Addresses of hardware, as far as storage counts them. The models compare all 64 bits. */
#define PREFETCH_ADDRESS_BITS STORAGE_ADDRESS_BITS
#define PREFETCH_PAGE_NUMBER_BITS STORAGE_PAGE_NUMBER_BITS
#define PREFETCH_LINE_NUMBER_BITS (PREFETCH_ADDRESS_BITS - 6)

extern const struct prefetcher_ops prefetch_next_line, prefetch_stride, prefetch_best_offset, prefetch_stream,
	prefetch_berti, prefetch_entangling;

/* Whether line number `line` is in the page of the trigger. */
static inline bool prefetch_is_near(const struct prefetch_trigger *t, uint64_t line)
{
	return (line << t->line_shift) / PREFETCH_PAGE_BYTES == t->address / PREFETCH_PAGE_BYTES;
}

#endif
