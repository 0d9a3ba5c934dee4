/* Prefetchers: which lines to bring into a cache before they are asked for.
 *
 * A prefetcher watches the accesses to one cache. Most know addresses and hits, and stay within the page of
 * PREFETCH_PAGE_BYTES of their trigger, as hardware that knows only physical addresses must. Those that need time,
 * which learn from the nominal clock of the functional pass, cross pages: they work at the first caches, by virtual
 * address.
 *
 * To add a prefetcher: a row in prefetcher_list.h, a file prefetch_<name>.c with its ops, its row in prefetcher.c, and
 * its section in docs/cores.md.
 */
#ifndef SAHM_CORES_UARCH_PREFETCHER_H
#define SAHM_CORES_UARCH_PREFETCHER_H

#include <stdbool.h>
#include <stdint.h>

enum prefetcher_kind {
#define PREFETCHER(suffix, name, help) PREFETCHER_##suffix,
#include "cores/uarch/prefetcher_list.h"
#undef PREFETCHER
	NR_PREFETCHER_KINDS
};

#define MAX_PREFETCH_DEGREE 8u
#define PREFETCH_PAGE_BYTES 4096u
/* Entries of ENTANGLING's table: sets of this many ways. */
#define ENTANGLING_WAYS 16u
#define MAX_ENTANGLING_ENTRIES 16384u
/* Lines that a trigger can request, at most: a block of 16 lines and four others, less the line of the trigger. */
#define MAX_PREFETCH_REQUESTS 79u

/* Cleared before it is filled. */
struct prefetcher_spec {
	uint32_t kind;	  /* enum prefetcher_kind */
	uint32_t degree;  /* lines per request, 1 to MAX_PREFETCH_DEGREE; 0 with kinds that have none */
	uint32_t entries; /* of ENTANGLING, a multiple of ENTANGLING_WAYS; else 0 */
};

enum prefetch_use {
	USE_OTHER, /* not the first use of a prefetched line */
	USE_IN_TIME,
	USE_LATE, /* before the line has arrived */
};

/* How a line was found. */
struct prefetch_sight {
	uint32_t mark;	  /* of the request, at the first use of a prefetched line; 0: it had none */
	uint16_t latency; /* of a new line: cycles from where it came from; 0 in cores without the nominal clock */
	uint8_t use;	  /* enum prefetch_use */
	bool is_new;	  /* the line missed, or this is the first use of a prefetched line */
};

/* An access to the cache. */
struct prefetch_trigger {
	uint64_t pc;	  /* of the instruction */
	uint64_t address; /* of the access; of a fetch, of its line */
	struct prefetch_sight sight;
	uint64_t clock; /* nominal, in cycles; 0 in cores without a prefetcher that needs it */
	uint8_t line_shift;
};

#define PREFETCH_MARK_BITS 15u

struct prefetch_request {
	uint64_t line; /* number */
	uint32_t mark; /* of PREFETCH_MARK_BITS, handed back with the first use of the line or when it leaves unused; 0:
			  none */
	bool is_beyond; /* into the next cache instead of the watched one */
};

struct prefetcher;

/* "none", "next-line": constant storage. */
const char *prefetcher_kind_name(enum prefetcher_kind kind);

/* The only cache that such a prefetcher can be at, "l1i"; NULL: it can be at any. */
const char *prefetcher_kind_cache(enum prefetcher_kind kind);

/* Whether it needs the nominal clock. */
bool prefetcher_kind_needs_clock(enum prefetcher_kind kind);

/* Whether it requests as many lines as `degree` says. */
bool prefetcher_kind_has_degree(enum prefetcher_kind kind);

/* Bits of the hardware at a cache of nr_lines lines: all fields of all entries, with addresses of 48 bits and lines of
 * 64 bytes. That a line was prefetched is a bit of the cache's, not counted here. */
uint64_t prefetcher_storage_bits(const struct prefetcher_spec *spec, uint32_t nr_lines);

/* NULL when memory is short. `spec` is of another kind than NONE. */
struct prefetcher *prefetcher_new(const struct prefetcher_spec *spec);
void prefetcher_free(struct prefetcher *p);

/* Learns from an access. The lines to prefetch, in their order: requests[MAX_PREFETCH_REQUESTS]; how many. */
unsigned prefetcher_watch(struct prefetcher *p, const struct prefetch_trigger *t, struct prefetch_request *requests);

/* A prefetched line, of this prefetcher or another one, left the cache before its first use. */
void prefetcher_evicted(struct prefetcher *p, uint64_t line, uint32_t mark);

#endif
