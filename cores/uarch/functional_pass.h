/* The functional pass: what a core's structures do for a program, in program order and without time, except for a
 * nominal clock that prefetchers can see: each instruction takes the same number of cycles.
 *
 * Caches, TLBs, branch predictor, BTB, DRAM rows, store forwarding and prefetchers see each uop once, and leave in it
 * what timing models need (uop.h). They see only the program: no wrong path, no system code; predictors learn at once.
 * Timing models of cores with equal geometry can share a pass.
 *
 * Choices. Caches are neither inclusive nor exclusive: a line goes into each level on its way. A dirty line that
 * leaves a cache makes the next one's copy dirty, without changing the order of use there; where there is no copy, it
 * goes to memory. DRAM keeps rows open: a bank has no open row only before its first use. Rows are opened by every line
 * that comes from memory, of code too. A prefetch to another page needs a translation in a TLB, which it does not use
 * otherwise; one for the next cache is dropped if the line is in this one.
 */
#ifndef SAHM_CORES_UARCH_FUNCTIONAL_PASS_H
#define SAHM_CORES_UARCH_FUNCTIONAL_PASS_H

#include "cores/chip/counters.h"
#include "cores/uarch/branch_pass.h"
#include "cores/uarch/core_geometry.h"
#include "cores/uarch/uop.h"

/* Counts since the pass began; those of the program's demands, unless it says otherwise. */
struct functional_counts {
	/* Instructions, branches and the misses of L1I, L1D and L2, counted as recorders do (counted_core.h); no
	 * cycles. */
	struct epoch_counts epoch;
	uint64_t llc_misses;
	uint64_t itlb_misses, dtlb_misses; /* of the first level */
	uint64_t walks;
	uint64_t btb_misses; /* of taken branches that were predicted right */
	uint64_t prefetches; /* lines requested */
	/* Of L1I: lines fetched, those that prefetchers brought in, and first uses of these. */
	uint64_t l1i_lines, l1i_prefetches, l1i_prefetches_used;
	/* Dirty lines that left a cache, for whatever reason. Those without a copy in the next one go to memory. */
	uint64_t l1d_write_backs, l2_write_backs, llc_write_backs;
};

struct functional_pass;

/* SAHM_NOMEM: NULL. `g` must have no fault (core_model.h reads it so). */
struct functional_pass *functional_pass_new(const struct core_geometry *g, struct sahm_err *err);
/* The same without predictor and BTB: it takes part in no branch, and counts none. A branch_pass, which several can
 * share, does. */
struct functional_pass *functional_pass_new_memory(const struct core_geometry *g, struct sahm_err *err);
void functional_pass_free(struct functional_pass *p);

/* Fills in the second group of members of the batch's uops, and its prefetches. */
void functional_pass_run(struct functional_pass *p, struct uop_batch *batch);

/* Each instruction that follows takes `cpi` thousandths of a cycle of the nominal clock; 0: as many as the geometry
 * says. No prefetcher needs time: nothing happens. */
void functional_pass_set_clock(struct functional_pass *p, uint32_t cpi);

/* The clock of the next batch's instructions: clocks[batch->nr], by their first uops, of which none is below the one
 * before. NULL: the nominal clock, which goes on from there. */
void functional_pass_set_times(struct functional_pass *p, const uint64_t *clocks);

/* The batches before were not timed, or only in part: no fill or store of theirs is named any more, so that each counts
 * as complete. */
void functional_pass_gap(struct functional_pass *p);

void functional_counts_set_branches(struct functional_counts *c, const struct branch_counts *b);

/* Valid until `p` is freed. */
const struct functional_counts *functional_pass_counts(const struct functional_pass *p);

#endif
