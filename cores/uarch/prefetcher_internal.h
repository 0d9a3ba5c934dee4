/* A kind of prefetcher: its operations. */
#ifndef SAHM_CORES_UARCH_PREFETCHER_INTERNAL_H
#define SAHM_CORES_UARCH_PREFETCHER_INTERNAL_H

#include <stddef.h>

#include "cores/uarch/prefetcher.h"
#include "cores/uarch/storage_bits.h"

struct prefetcher_ops {
	size_t state_bytes;    /* cleared at first */
	uint64_t storage_bits; /* of the hardware: all fields of all entries */
	unsigned (*watch)(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
			  uint64_t *lines);
};

/* Addresses of hardware, as far as storage counts them. The models compare all 64 bits. */
#define PREFETCH_ADDRESS_BITS STORAGE_ADDRESS_BITS
#define PREFETCH_PAGE_NUMBER_BITS STORAGE_PAGE_NUMBER_BITS

extern const struct prefetcher_ops prefetch_next_line, prefetch_stride, prefetch_best_offset, prefetch_stream;

/* Whether line number `line` is in the page of the trigger. */
static inline bool prefetch_is_near(const struct prefetch_trigger *t, uint64_t line)
{
	return (line << t->line_shift) / PREFETCH_PAGE_BYTES == t->address / PREFETCH_PAGE_BYTES;
}

#endif
