/* A cache written down slowly: every line has the time of its last use, and a search goes over all lines of the cache.
 * Replacement is LRU, RRIP or PDP; PDP works from all accesses so far.
 *
 * The reference for cores/uarch/cache.c and replacement_pdp.c. It shares nothing with them but their specification.
 */
#ifndef SAHM_TESTS_REFERENCE_REFCACHE_H
#define SAHM_TESTS_REFERENCE_REFCACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/uarch/cache.h"

struct refcache;

/* For at most `nr_accesses`. NULL when memory is short. */
struct refcache *refcache_new(const struct cache_spec *spec, uint32_t nr_accesses);
void refcache_free(struct refcache *c);

/* Accesses the byte at `address`; whether its line was in the cache. */
bool refcache_access(struct refcache *c, uint64_t address);

#endif
