/* Prefetchers: which lines to bring into a cache before they are asked for.
 *
 * A prefetcher watches the accesses to one cache. It knows addresses and hits, not time. It stays within the page of
 * PREFETCH_PAGE_BYTES of its trigger, as hardware that knows only physical addresses must.
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

struct prefetcher_spec {
	uint32_t kind;	 /* enum prefetcher_kind */
	uint32_t degree; /* lines per request, 1 to MAX_PREFETCH_DEGREE; 0 with kind NONE */
};

/* An access to the cache. */
struct prefetch_trigger {
	uint64_t pc;	  /* of the instruction */
	uint64_t address; /* of the access; of a fetch, of its line */
	uint8_t line_shift;
	bool is_new; /* the line missed, or this is the first use of a prefetched line */
};

struct prefetcher;

/* "none", "next-line": constant storage. */
const char *prefetcher_kind_name(enum prefetcher_kind kind);

/* Bits of the hardware: all fields of all entries, with addresses of 48 bits. The mark of a prefetched line is the
 * cache's, not counted here. */
uint64_t prefetcher_storage_bits(const struct prefetcher_spec *spec);

/* NULL when memory is short. `spec` is of another kind than NONE. */
struct prefetcher *prefetcher_new(const struct prefetcher_spec *spec);
void prefetcher_free(struct prefetcher *p);

/* Learns from an access. The lines to prefetch, by number: lines[MAX_PREFETCH_DEGREE]; how many. */
unsigned prefetcher_watch(struct prefetcher *p, const struct prefetch_trigger *t, uint64_t *lines);

#endif
