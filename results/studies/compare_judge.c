/* What a comparison says of policies: losses, shares, records, claims. */
#include <math.h>

#include "results/studies/compare.h"

static double speedup(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t cost)
{
	return compare_cell(c, suite, policy, cost)->speedup;
}

double compare_loss(const struct comparison *c, uint32_t suite, uint32_t policy)
{
	return speedup(c, suite, policy, 0) - speedup(c, suite, policy, c->study->nr_costs - 1);
}

double compare_share(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t of)
{
	double whole = speedup(c, suite, of, 0);
	return whole > 0 ? speedup(c, suite, policy, 0) / whole : NAN;
}

bool compare_costs_are_idle(const struct comparison *c, uint32_t suite)
{
	bool moves = false;
	for (uint32_t p = 0; p < c->study->nr_policies; p++) {
		const struct compare_cell *first = compare_cell(c, suite, p, 0);
		moves |= first->migrations_per_s > 0;
		for (uint32_t i = 1; i < c->study->nr_costs; i++) {
			const struct compare_cell *cell = compare_cell(c, suite, p, i);
			if (cell->speedup != first->speedup || cell->migrations_per_s != first->migrations_per_s)
				return false;
		}
	}
	return moves && c->study->nr_costs > 1;
}

struct compare_record compare_against(const struct comparison *c, uint32_t policy, uint32_t other, uint32_t first,
				      uint32_t nr)
{
	struct compare_record r = {.margin = NAN};
	for (uint32_t s = first; s < first + nr; s++) {
		for (uint32_t i = 0; i < c->study->nr_costs; i++) {
			double margin = speedup(c, s, policy, i) - speedup(c, s, other, i);
			r.won += margin > 0;
			r.lost += margin < 0;
			r.even += margin == 0;
			if (!isnan(r.margin) && !(margin < r.margin))
				continue;
			r.margin = margin;
			r.suite = s;
			r.cost = i;
		}
	}
	return r;
}

static struct compare_verdict judge(const struct comparison *c, const struct study_claim *claim)
{
	struct compare_record r;
	double value;
	switch (claim->kind) {
	case CLAIM_LOSS:
		value = compare_loss(c, claim->suite, claim->policy);
		return (struct compare_verdict){.value = value, .holds = 100 * value <= claim->bound};
	case CLAIM_SHARE:
		value = compare_share(c, claim->suite, claim->policy, claim->other);
		return (struct compare_verdict){.value = value, .holds = 100 * value >= claim->bound};
	case CLAIM_ABOVE:
		break;
	}
	r = compare_against(c, claim->policy, claim->other, claim->suite, 1);
	return (struct compare_verdict){.value = r.margin, .worst = r.cost, .holds = r.won == c->study->nr_costs};
}

void compare_judge(struct comparison *c)
{
	for (uint32_t i = 0; i < c->study->nr_claims; i++)
		c->verdicts[i] = judge(c, &c->study->claims[i]);
}

uint32_t compare_nr_broken(const struct comparison *c)
{
	uint32_t nr = 0;
	for (uint32_t i = 0; i < c->study->nr_claims; i++)
		nr += c->study->claims[i].required && !c->verdicts[i].holds;
	return nr;
}
