/* The part of a functional pass that depends on no cache: branch predictor and BTB, in program order and without time.
 * Cores of which these are equal can share it, whatever else they have.
 */
#ifndef SAHM_CORES_UARCH_BRANCH_PASS_H
#define SAHM_CORES_UARCH_BRANCH_PASS_H

#include "cores/uarch/core_geometry.h"
#include "cores/uarch/uop.h"

/* Counts since the pass began. */
struct branch_counts {
	uint64_t branches, mispredicted;
	uint64_t btb_misses; /* of taken branches that were predicted right */
};

struct branch_pass;

/* SAHM_NOMEM: NULL. `g` must have no fault. */
struct branch_pass *branch_pass_new(const struct core_geometry *g, struct sahm_err *err);
void branch_pass_free(struct branch_pass *p);

/* Sees the branches of a batch. */
void branch_pass_run(struct branch_pass *p, const struct uop_batch *batch);

/* Sets UOP_MISPREDICTED and UOP_BTB_MISS in the uops of that batch, or of a copy, whatever these were. */
void branch_pass_mark(const struct branch_pass *p, struct uop_batch *batch);

/* Valid until `p` is freed. */
const struct branch_counts *branch_pass_counts(const struct branch_pass *p);

/* Whether both cores can share a pass. */
static inline bool branch_pass_is_same(const struct core_geometry *a, const struct core_geometry *b)
{
	return memcmp(&a->predictor, &b->predictor, sizeof(a->predictor)) == 0 &&
	       memcmp(&a->btb, &b->btb, sizeof(a->btb)) == 0;
}

#endif
