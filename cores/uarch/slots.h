/* Slots: an exact top-down account of dispatch. Each of the cycles x width slots of dispatch (in-order: of issue) has
 * one cause, a class of tma_list.h without children.
 *
 * The rules are those of docs/top-down.md. A timing model passes its uops on (timing_take_slots()); counts are
 * integers, and memory is constant but for marks.
 */
#ifndef SAHM_CORES_UARCH_SLOTS_H
#define SAHM_CORES_UARCH_SLOTS_H

#include "cores/uarch/timing.h"
#include "cores/uarch/tma.h"

struct slot_pass;

/* NULL when memory is short. `t` is copied. */
struct slot_pass *slot_pass_new(const struct core_timing *t);
void slot_pass_free(struct slot_pass *p);

/* A boundary between windows: the cycle after the last commit so far. */
struct slot_mark {
	uint64_t cycle;
	struct tma_slots before; /* all slots of the cycles before */
};

/* Marks it. False when memory is short. */
bool slot_pass_mark(struct slot_pass *p);

/* No uop follows: the slots from the last dispatch to the last commit are charged, too. */
void slot_pass_end(struct slot_pass *p);

/* The slots so far: those up to that of the last uop, and after slot_pass_end() all of the cycles up to the last
 * commit, cycles x width. */
const struct tma_slots *slot_pass_counts(const struct slot_pass *p);

/* Cycles up to the last commit so far. */
uint64_t slot_pass_cycles(struct slot_pass *p);

/* The marks whose slots are known, *nr of them: after slot_pass_end() all. Valid until the next batch or mark. */
const struct slot_mark *slot_pass_marks(const struct slot_pass *p, size_t *nr);

#endif
