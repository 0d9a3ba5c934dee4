/* L1I or L1D with a prefetcher that needs time, L2 and TLBs, written down slowly: every line has the time of its last
 * use and when it arrives, and a search goes over all lines.
 *
 * The reference for what a functional pass does for such a prefetcher. It has the slow versions of these. */
#ifndef SAHM_TESTS_REFERENCE_REFFIRST_H
#define SAHM_TESTS_REFERENCE_REFFIRST_H

#include "cores/uarch/core_geometry.h"

struct reffirst;

/* Of `g`, which has no LLC, replaces by LRU, and has either an entangling L1I (is_code) or a berti L1D; L2 has no
 * prefetcher or next-line of degree 1. Up to `most` accesses follow. NULL when memory is short. */
struct reffirst *reffirst_new(const struct core_geometry *g, bool is_code, unsigned most);
void reffirst_free(struct reffirst *f);

/* A fetch of the instruction that accesses data next, by the other first cache: of one line, whose page is translated.
 */
void reffirst_other(struct reffirst *f, uint64_t address);

struct reffirst_prefetch {
	uint64_t address;
	bool is_in_l2; /* else in the first cache */
	bool is_from_memory;
};

/* An access of an instruction at `clock` cycles, to a line other than that of the access before if it is code. Where
 * the line comes from; what is prefetched: out[MAX_UOP_PREFETCHES], *nr. */
enum memory_level reffirst_access(struct reffirst *f, uint64_t pc, uint64_t address, uint64_t clock,
				  struct reffirst_prefetch *out, unsigned *nr);

#endif
