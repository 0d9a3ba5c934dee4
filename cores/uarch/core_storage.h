/* The storage of a core's structures: bits of all fields of all entries, not area.
 *
 * Addresses have STORAGE_ADDRESS_BITS. A line of a cache has its data, and as tags an address without line and set, a
 * valid bit, a dirty bit (not in L1I) and, where there is a prefetcher, the mark of a prefetched line; the state of
 * replacement is separate. An entry of a TLB has the page without the set, the page that it translates to, a valid bit
 * and its place in the order of use; one of the BTB the same with the addresses of branch and target, the branch's
 * without its lowest bit. Queues, registers, MSHRs and DRAM are left out: cores whose structures differ share them.
 */
#ifndef SAHM_CORES_UARCH_CORE_STORAGE_H
#define SAHM_CORES_UARCH_CORE_STORAGE_H

#include "cores/uarch/core_geometry.h"
#include "sim/base/textbuf.h"

enum core_part {
#define CORE_PART(suffix, name, in_core) PART_##suffix,
#include "cores/uarch/core_part_list.h"
#undef CORE_PART
	NR_CORE_PARTS
};

struct core_storage {
	uint64_t bytes[NR_CORE_PARTS]; /* each rounded up; 0: the core does not have it */
	uint64_t core_bytes;	       /* the sum without the last-level cache, which cores of a chip share */
	uint64_t all_bytes;	       /* and with it */
};

/* "l1d.tags": constant storage. */
const char *core_part_name(enum core_part part);

/* `g` must have no fault. */
struct core_storage core_storage(const struct core_geometry *g);

/* Appends a line for each structure that the core has, and the sums: comments in files of cores. */
void core_storage_write(const struct core_geometry *g, struct textbuf *out);

#endif
