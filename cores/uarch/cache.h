/* A set-associative cache with true LRU replacement: which lines are in it, no data.
 *
 * Every access that misses brings its line in (write-allocate; nothing is ever prefetched, and a write is an access
 * like any other). A level after another one is accessed by the model that owns both.
 */
#ifndef SAHM_CORES_UARCH_CACHE_H
#define SAHM_CORES_UARCH_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/err.h"

struct cache_spec {
	uint32_t bytes;	     /* capacity: ways x line_bytes x a power of two */
	uint32_t ways;	     /* 1 to MAX_CACHE_WAYS */
	uint32_t line_bytes; /* a power of two, MIN_LINE_BYTES to MAX_LINE_BYTES */
};

#define MAX_CACHE_WAYS 64u
#define MAX_CACHE_BYTES (UINT32_C(1) << 30)
#define MIN_LINE_BYTES 16u
#define MAX_LINE_BYTES 4096u

/* Where `spec` cannot be: the error, a short text ("ways are not ..."); NULL when it can. */
const char *cache_spec_fault(const struct cache_spec *spec);

/* Lines are kept in the order of their use, the last used first: most accesses end at the first comparison. */
struct cache {
	uint64_t *lines; /* [sets][ways]: line number + 1, 0 where nothing is */
	uint64_t set_mask;
	uint32_t ways;
	uint8_t line_shift;
};

/* SAHM_NOMEM. `spec` must have no fault. */
enum sahm_status cache_init(struct cache *c, const struct cache_spec *spec, struct sahm_err *err);
void cache_release(struct cache *c);

/* The part of cache_access() where the line is not the last used one of its set; `set` begins there. */
bool cache_access_other(struct cache *c, uint64_t *set, uint64_t tag);

/* Number of the line that holds the byte at `address`. */
static inline uint64_t cache_line(const struct cache *c, uint64_t address)
{
	return address >> c->line_shift;
}

/* Accesses line number `line`, which is in the cache and the last used one of its set after that. Whether it was. */
static inline bool cache_access(struct cache *c, uint64_t line)
{
	uint64_t *set = c->lines + (line & c->set_mask) * c->ways;
	if (set[0] == line + 1)
		return true;
	return cache_access_other(c, set, line + 1);
}

#endif
