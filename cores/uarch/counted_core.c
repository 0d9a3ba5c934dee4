#include "cores/uarch/counted_core.h"

enum sahm_status counted_core_init(struct counted_core *c, const struct cpu *cpu, struct epoch_counts *counts,
				   struct sahm_err *err)
{
	*c = (struct counted_core){.fetched = UINT64_MAX, .counts = counts};
	enum sahm_status status = cache_init(&c->l1i, &cpu->l1i, err);
	if (status == SAHM_OK)
		status = cache_init(&c->l1d, &cpu->l1d, err);
	if (status == SAHM_OK)
		status = cache_init(&c->l2, &cpu->l2, err);
	if (status == SAHM_OK && !(c->predictor = predictor_new(&cpu->predictor)))
		status = sahm_fail_nomem(err);
	if (status != SAHM_OK)
		counted_core_release(c);
	return status;
}

void counted_core_release(struct counted_core *c)
{
	cache_release(&c->l1i);
	cache_release(&c->l1d);
	cache_release(&c->l2);
	predictor_free(c->predictor);
	c->predictor = NULL;
}

void counted_core_l2(struct counted_core *c, uint64_t address)
{
	c->counts->count[COUNTER_L2_ACCESSES]++;
	if (!cache_access(&c->l2, cache_line(&c->l2, address)))
		c->counts->count[COUNTER_L2_MISSES]++;
}
