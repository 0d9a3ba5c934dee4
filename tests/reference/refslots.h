/* Slot-exact top-down analysis, a second time: tma.md, section D, slow and obvious.
 *
 * Each slot of dispatch (in-order: of issue) of each cycle has one cause. In a cycle, the slots of its uops come first,
 * and all others have the same cause.
 *
 * Readings, where the section leaves a question open (more in refobserved.h):
 * - Rule 2: of two flushes in one cycle the later uop's counts, and of one uop's the later one of cores.md, 3.8.
 *   "V - x <= c < V" after a flush is Frontend even where a resource of i is not free.
 * - Rule 3, step 1: F + decode_cycles and the D before are no candidates. The queue's bound is one where the queue has
 *   no room at the largest of all others; it then ends at D and decides the whole gap.
 * - Step 1, in-order: `same_cycle_memory` is a bound, treated as a unit's.
 * - Step 3: a source counts while its producer's X is past c; of equal X the first source. In-order, waiting for the
 *   store that `forward` names is waiting for an operand, without such a source.
 * - Step 4: a load that forwards has no miss of any kind. A TLB miss counts whatever it costs. Stores count only as
 *   blocking misses.
 * - Step 5: a unit is free in c if younger uops leave it free too.
 * - After the last uop, an in-order core waits for nothing: of the oldest uop with C >= c the memory or the unit.
 *
 * Fetch bubbles (refsignals.h) are the Frontend slots but for those of is_after_flush, as tma.md has it, unless an
 * instruction can be decoded in the shadow of a flush. Bubbles leave out the shadow, and slots need not. This happens
 * with decode_cycles 0, in the very cycle of the flush, and in-order if X of a branch is past the cycle in which fetch
 * goes on, that is with a latency above resolve_cycles + mispredict_cycles. Both rules are followed as they stand.
 */
#ifndef SAHM_TESTS_REFERENCE_REFSLOTS_H
#define SAHM_TESTS_REFERENCE_REFSLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cores/uarch/core_timing.h"

enum refslot {
	REFSLOT_RETIRING,
	/* BadSpec/BranchMispredicts, BadSpec/MachineClears */
	REFSLOT_MISPREDICT_RESTEER,
	REFSLOT_MISPREDICT_RECOVERY,
	REFSLOT_CLEAR_RESTEER,
	REFSLOT_CLEAR_RECOVERY,
	/* Frontend/FetchLatency, Frontend/FetchBandwidth */
	REFSLOT_FETCH_BTB,
	REFSLOT_FETCH_TLB,
	REFSLOT_FETCH_LINE,
	REFSLOT_FETCH_BANDWIDTH,
	/* Backend/MemBound */
	REFSLOT_L1,
	REFSLOT_L2,
	REFSLOT_LLC,
	REFSLOT_MEMORY,
	REFSLOT_TLB,
	REFSLOT_STORE,
	/* Backend/CoreBound */
	REFSLOT_DEPENDENCE,
	REFSLOT_QUEUE,
	REFSLOT_SERIAL,
	REFSLOT_UNIT, /* of group 0, and so on */
	NR_REFSLOTS = REFSLOT_UNIT + MAX_UNIT_GROUPS
};

struct refslots {
	uint64_t nr_cycles;
	unsigned width;
	uint8_t *slots; /* [nr_cycles * width]: enum refslot, cycle by cycle */
	/* [nr_cycles]: the slots that no uop takes are Frontend by rule 2, since a line comes after a flush. */
	bool *is_after_flush;
	uint64_t totals[NR_REFSLOTS];
};

/* Of uops[nr], whole instructions, with all their prefetches and stamps. NULL when memory is short. */
struct refslots *refslots_new(const struct core_timing *t, const struct uop *uops, size_t nr,
			      const struct uop_prefetch *prefetches, const struct uop_stamps *stamps);
void refslots_free(struct refslots *s);

static inline bool refslot_is_frontend(enum refslot slot)
{
	return slot >= REFSLOT_FETCH_BTB && slot <= REFSLOT_FETCH_BANDWIDTH;
}

#endif
