#include "cores/uarch/branch_pass.h"

#include <stdlib.h>

struct branch_pass {
	struct predictor *predictor;
	struct cache btb;
	bool has_btb;
	struct branch_counts counts;
	/* Of the last batch. */
	uint32_t nr;
	struct outcome {
		uint16_t uop;
		uint8_t flags;
	} outcomes[BATCH_UOPS]; /* [nr] */
};
_Static_assert(BATCH_UOPS <= UINT16_MAX, "uops have numbers of 16 bits");

struct branch_pass *branch_pass_new(const struct core_geometry *g, struct sahm_err *err)
{
	struct branch_pass *p = calloc(1, sizeof(*p));
	if (!p) {
		sahm_fail_nomem(err);
		return NULL;
	}
	p->has_btb = g->btb.entries > 0;
	p->predictor = predictor_new(&g->predictor);
	enum sahm_status status = p->predictor ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK && p->has_btb)
		status = table_cache_init(&p->btb, &g->btb, err);
	if (status == SAHM_OK)
		return p;
	branch_pass_free(p);
	return NULL;
}

void branch_pass_free(struct branch_pass *p)
{
	if (!p)
		return;
	predictor_free(p->predictor);
	cache_release(&p->btb);
	free(p);
}

static inline uint8_t branch(struct branch_pass *p, const struct uop *u)
{
	bool taken = u->flags & UOP_TAKEN;
	p->counts.branches++;
	bool is_known = !p->has_btb || !taken || cache_access(&p->btb, u->pc >> 1);
	if (!predictor_branch(p->predictor, (enum insn_class)u->class, u->pc, u->pc + u->length, taken, u->next_pc)) {
		p->counts.mispredicted++;
		return UOP_MISPREDICTED;
	}
	p->counts.btb_misses += !is_known;
	return is_known ? 0 : UOP_BTB_MISS;
}

void branch_pass_run(struct branch_pass *p, const struct uop_batch *batch)
{
	p->nr = 0;
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		/* The last branch before a gap leads nowhere that is known. */
		if (u->flags & UOP_BRANCH && u->next_pc != 0)
			p->outcomes[p->nr++] = (struct outcome){(uint16_t)i, branch(p, u)};
	}
}

void branch_pass_mark(const struct branch_pass *p, struct uop_batch *batch)
{
	const uint8_t both = UOP_MISPREDICTED | UOP_BTB_MISS;
	for (uint32_t i = 0; i < p->nr; i++) {
		uint8_t *flags = &batch->uops[p->outcomes[i].uop].flags;
		*flags = (uint8_t)((*flags & ~both) | p->outcomes[i].flags);
	}
}

const struct branch_counts *branch_pass_counts(const struct branch_pass *p)
{
	return &p->counts;
}
