/* Slots: an exact top-down account of dispatch. Each of the cycles x width slots of dispatch (in-order: of issue) has
 * one cause.
 *
 * The rules are those of docs/top-down.md. It is a pass over the uops of a core in program order, with their stamps and
 * notes; counts are integers, and memory is constant.
 */
#ifndef SAHM_CORES_UARCH_SLOTS_H
#define SAHM_CORES_UARCH_SLOTS_H

#include "cores/uarch/timing.h"

enum slot {
#define SLOT(suffix, top, class, name, help) SLOT_##suffix,
#include "cores/uarch/slot_list.h"
#undef SLOT
	NR_SLOTS = SLOT_CORE_UNIT + MAX_UNIT_GROUPS /* SLOT_CORE_UNIT + g: group g of the core */
};

struct slot_counts {
	uint64_t slots[NR_SLOTS];
};

struct slot_pass;

/* NULL when memory is short. `t` is copied. */
struct slot_pass *slot_pass_new(const struct core_timing *t);
void slot_pass_free(struct slot_pass *p);

/* Takes the uops of a batch; the first batch is the stream's first. */
void slot_pass_run(struct slot_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		   const struct timing_notes *notes);

/* No uop follows: the slots from the last dispatch to the last commit are charged, too. */
void slot_pass_end(struct slot_pass *p);

/* The slots so far: those up to that of the last uop, and after slot_pass_end() all of the cycles up to the last
 * commit, cycles x width. */
const struct slot_counts *slot_pass_counts(const struct slot_pass *p);

#endif
