/* The last MAX_RECENT stores, byte by byte: which of them a load reads from.
 *
 * A table by granule of 8 bytes holds the last store that may have written there, so that most loads look at no store.
 */
#ifndef SAHM_CORES_UARCH_STORE_WINDOW_H
#define SAHM_CORES_UARCH_STORE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/uarch/uop.h"

#define STORE_GRANULES 4096u
#define GRANULE_SHIFT 3u

struct store_window {
	uint64_t nr; /* stores so far */
	struct {
		uint64_t address;
		uint32_t bytes; /* 0: it has no access */
	} recent[MAX_RECENT];
	uint64_t last[STORE_GRANULES]; /* number of the last store of a granule, from 1 on; those of others may be in it
					*/
};

static inline uint32_t store_window_slot(uint64_t granule)
{
	return (uint32_t)(granule ^ granule >> 12) % STORE_GRANULES;
}

/* Granules that an access touches after its first one; it may wrap around the end of memory. */
static inline uint64_t more_granules(uint64_t address, uint32_t bytes)
{
	return ((address & ((UINT64_C(1) << GRANULE_SHIFT) - 1)) + bytes - 1) >> GRANULE_SHIFT;
}

/* A store of `bytes` (0: without an access) at `address`. */
static inline void store_window_add(struct store_window *w, uint64_t address, uint32_t bytes)
{
	w->recent[w->nr % MAX_RECENT].address = address;
	w->recent[w->nr % MAX_RECENT].bytes = bytes;
	w->nr++;
	if (bytes == 0)
		return;
	uint64_t first = address >> GRANULE_SHIFT, nr = more_granules(address, bytes);
	for (uint64_t i = 0; i <= nr; i++)
		w->last[store_window_slot(first + i)] = w->nr;
}

/* The youngest store that wrote a byte of a load, counted back: 1 is the last store; 0: none of the last MAX_RECENT.
 * *covers: whether it wrote all bytes of the load. */
static inline unsigned store_window_find(const struct store_window *w, uint64_t address, uint32_t bytes, bool *covers)
{
	uint64_t youngest = 0, first = address >> GRANULE_SHIFT;
	uint64_t nr = bytes > 0 ? more_granules(address, bytes) : 0;
	*covers = false;
	for (uint64_t i = 0; i <= nr; i++) {
		uint64_t last = w->last[store_window_slot(first + i)];
		youngest = last > youngest ? last : youngest;
	}
	for (; youngest > 0 && bytes > 0 && w->nr - youngest < MAX_RECENT; youngest--) {
		uint64_t from = w->recent[(youngest - 1) % MAX_RECENT].address;
		uint32_t len = w->recent[(youngest - 1) % MAX_RECENT].bytes;
		uint64_t after = address - from; /* beyond the store's bytes where the load begins before it */
		if (len == 0 || (after >= len && from - address >= bytes))
			continue;
		*covers = after < len && bytes <= len - after;
		return (unsigned)(w->nr - youngest + 1);
	}
	return 0;
}

#endif
