/* A set-associative cache: which lines are in it and a fact about each, no data.
 *
 * It can be used at two levels. cache_access() is a whole access: a line that misses is brought in, and a write is an
 * access like any other. cache_find() and cache_fill() are its halves, for a model that keeps facts about lines (dirty,
 * prefetched, which fill brought it in) and has to know which line leaves. A level after another one is accessed by the
 * model that owns both.
 */
#ifndef SAHM_CORES_UARCH_CACHE_H
#define SAHM_CORES_UARCH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

/* Which line of a full set leaves. To add a policy: a row in replacement_list.h, and its cases in cache.c. State of
 * more than a word per line or set is in a separate file, as that of replacement_pdp.h. */
enum cache_replacement {
#define REPLACEMENT(suffix, name, help) REPLACE_##suffix,
#include "cores/uarch/replacement_list.h"
#undef REPLACEMENT
	NR_REPLACEMENTS
};

struct pdp;

struct cache_spec {
	uint32_t bytes;	      /* capacity: ways x line_bytes x a power of two */
	uint32_t ways;	      /* 1 to MAX_CACHE_WAYS */
	uint32_t line_bytes;  /* a power of two, MIN_LINE_BYTES to MAX_LINE_BYTES */
	uint32_t replacement; /* enum cache_replacement */
};

#define MAX_CACHE_WAYS 64u
#define MAX_CACHE_BYTES (UINT32_C(1) << 30)
#define MIN_LINE_BYTES 16u
#define MAX_LINE_BYTES 4096u

/* Why `spec` is impossible: a short text ("ways are not ..."); NULL when it is possible. */
const char *cache_spec_fault(const struct cache_spec *spec);

/* "lru": constant storage. */
const char *cache_replacement_name(enum cache_replacement replacement);

/* Bits of the state of replacement: of LRU the place of each line in the order of its set; of random the state of the
 * sequence. `spec` must have no fault. */
uint64_t cache_replacement_bits(const struct cache_spec *spec);

/* With LRU, lines are kept in the order of their use, the last used first: most accesses end at the first comparison.
 * With PLRU, RRIP and PDP they stay in their ways. */
struct cache {
	uint64_t *lines; /* [sets][ways]: line number + 1, 0 where nothing is */
	uint64_t *facts; /* [sets][ways], or NULL without facts */
	uint64_t *trees; /* [sets], of PLRU */
	uint8_t *ages;	 /* [sets][ways], of RRIP: 0 to MAX_AGE */
	struct pdp *pdp; /* of PDP */
	uint64_t random; /* state of REPLACE_RANDOM, not 0: each makes another sequence */
	uint64_t set_mask;
	uint32_t ways;
	uint8_t line_shift;
	uint8_t replacement;
	bool is_first_latest; /* a hit in the first way changes nothing; false: lines stay in their ways */
};

/* A line that left to make room. */
struct cache_victim {
	uint64_t line, facts;
	bool is_there; /* false: the way was empty */
};

/* SAHM_NOMEM. `spec` must have no fault. */
enum sahm_status cache_init(struct cache *c, const struct cache_spec *spec, struct sahm_err *err);
/* The same, with a word of facts per line for cache_find() and cache_fill(), 0 at first. REPLACE_RANDOM begins with
 * `seed`, not 0; in caches without facts with 1. */
enum sahm_status cache_init_facts(struct cache *c, const struct cache_spec *spec, uint64_t seed, struct sahm_err *err);
void cache_release(struct cache *c);

/* The part of cache_access() where the line is not the last used one of its set; `set` begins there. */
bool cache_access_other(struct cache *c, uint64_t *set, uint64_t tag);

/* The same of cache_find(). */
uint64_t *cache_find_other(struct cache *c, size_t set, uint64_t tag);

/* Number of the line that holds the byte at `address`. */
static inline uint64_t cache_line(const struct cache *c, uint64_t address)
{
	return address >> c->line_shift;
}

/* Accesses line number `line`, which is in the cache afterwards. Returns whether it was before. */
static inline bool cache_access(struct cache *c, uint64_t line)
{
	uint64_t *set = c->lines + (line & c->set_mask) * c->ways;
	if (set[0] == line + 1 && c->is_first_latest)
		return true;
	return cache_access_other(c, set, line + 1);
}

/* Looks line number `line` up, as an access. Its facts, valid until the next call; NULL: it is not there. For caches
 * with facts. */
static inline uint64_t *cache_find(struct cache *c, uint64_t line)
{
	size_t set = (line & c->set_mask) * c->ways;
	if (c->lines[set] == line + 1 && c->is_first_latest)
		return &c->facts[set];
	return cache_find_other(c, set, line + 1);
}

/* The facts of a line, without accessing it; NULL: it is not there. */
uint64_t *cache_peek(const struct cache *c, uint64_t line);

/* Whether a line is there, without accessing it. */
bool cache_has(const struct cache *c, uint64_t line);

/* Brings in line number `line`, which is not there, with its facts. */
void cache_fill(struct cache *c, uint64_t line, uint64_t facts, struct cache_victim *victim);

#endif
