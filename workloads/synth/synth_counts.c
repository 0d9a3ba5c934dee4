/* Counts of the epochs of a stay. */
#include "workloads/synth/synth_internal.h"

#define PCT_100 (100 * (decimal)DECIMAL_ONE)

void counts_init(struct counts *c, const struct profile *p, const struct profile_row *row, uint64_t seed)
{
	*c = (struct counts){.profile = p, .row = row};
	rng_init(&c->rng, seed, row->name, "counts");
}

static bool is_high(unsigned state, enum component c)
{
	return (state >> c) & 1u;
}

/* A level of a metric on its side of the cut. */
static decimal draw_level(struct counts *c, enum component m)
{
	bool high = is_high(c->state, m);
	decimal typical = c->row->value[profile_metric_column(m, high)], spread = c->row->value[PROFILE_SPREAD];
	decimal cut = (decimal)c->profile->cuts.ppb[m] * DECIMAL_ONE / metric_rows[m].ppb_per_unit;
	decimal low = typical * DECIMAL_ONE / spread, top = typical * spread / DECIMAL_ONE;
	if (high && low < cut)
		low = cut;
	if (!high && top > cut)
		top = cut;
	/* The ratios end at 100 %, and so do levels in other units that nobody needs to be larger. */
	if (m != COMPONENT_L1I && top > PCT_100)
		top = PCT_100;
	bool below = rng_next(&c->rng) >> 63;
	decimal from = below ? low : typical, to = below ? typical : top;
	return from + (decimal)rng_below(&c->rng, (uint64_t)(to - from) + 1);
}

void counts_begin_stay(struct counts *c, unsigned state)
{
	const decimal slower = PCT_100 - c->row->value[PROFILE_SLOWER_PCT];
	decimal instructions = c->row->value[PROFILE_MINSTR] * 1000000;
	c->state = state;
	for (unsigned m = 0; m < NR_COMPONENTS; m++) {
		c->level[m] = draw_level(c, (enum component)m);
		if (is_high(state, (enum component)m))
			instructions = instructions * slower / PCT_100;
	}
	c->instructions = (uint64_t)(instructions / DECIMAL_ONE);
}

/* `value`, at most 10^30 (L2 accesses at all bounds of a profile), times 1 +- jitter. */
static decimal jittered(struct counts *c, decimal value)
{
	decimal jitter = c->row->value[PROFILE_JITTER_PCT];
	decimal by = (decimal)rng_below(&c->rng, (uint64_t)(2 * jitter) + 1) - jitter;
	return value + value / PCT_100 * by + value % PCT_100 * by / PCT_100;
}

/* The nearest number with `digits` significant digits, halves up. */
static uint64_t rounded(uint64_t value, unsigned digits)
{
	uint64_t end = 10, unit = 1;
	for (unsigned d = 1; d < digits && end <= UINT64_MAX / 10; d++)
		end *= 10;
	while (value / unit >= end)
		unit *= 10;
	return unit == 1 ? value : (value / unit + (value % unit >= unit / 2)) * unit;
}

/* `whole` x `per_thousand` / 1000. */
static uint64_t part_of(struct counts *c, uint64_t whole, decimal per_thousand)
{
	decimal part = jittered(c, (decimal)whole * per_thousand) / (1000 * (decimal)DECIMAL_ONE);
	return rounded((uint64_t)part, c->profile->digits);
}

/* A metric's numerator: the jittered level, on the state's side of the cut, and no more than the denominator where it
 * is a part of that. */
static uint64_t misses(struct counts *c, enum component m, uint64_t denominator)
{
	const struct metric_row *metric = &metric_rows[m];
	decimal ppb = jittered(c, c->level[m]) * metric->ppb_per_unit / DECIMAL_ONE;
	uint64_t count = rounded((uint64_t)((decimal)denominator * ppb / PPB_ONE), c->profile->digits);
	uint64_t most_low = (uint64_t)((decimal)denominator * c->profile->cuts.ppb[m] / PPB_ONE);
	if (is_high(c->state, m))
		count = count > most_low ? count : most_low + 1;
	else
		count = count < most_low ? count : most_low;
	bool is_part = counter_rows[metric->numerator].part_of == metric->denominator;
	return is_part && count > denominator ? denominator : count;
}

/* A metric with a denominator of 0 would be LOW. */
static uint64_t at_least(uint64_t count, bool high)
{
	return count == 0 && high ? 1 : count;
}

void counts_next(struct counts *c, struct epoch_counts *e)
{
	const decimal *value = c->row->value;
	uint64_t *count = e->count;
	*e = (struct epoch_counts){0};
	count[COUNTER_INSTRUCTIONS] = at_least(part_of(c, c->instructions, 1000 * (decimal)DECIMAL_ONE), true);
	count[COUNTER_BRANCHES] = at_least(part_of(c, count[COUNTER_INSTRUCTIONS], value[PROFILE_BRANCHES_PKI]),
					   is_high(c->state, COMPONENT_BRANCH));
	count[COUNTER_BRANCH_MISSES] = misses(c, COMPONENT_BRANCH, count[COUNTER_BRANCHES]);
	count[COUNTER_L1I_MISSES] = misses(c, COMPONENT_L1I, count[COUNTER_INSTRUCTIONS]);
	count[COUNTER_L1D_ACCESSES] = at_least(part_of(c, count[COUNTER_INSTRUCTIONS], value[PROFILE_L1D_ACCESSES_PKI]),
					       is_high(c->state, COMPONENT_L1D));
	count[COUNTER_L1D_MISSES] = misses(c, COMPONENT_L1D, count[COUNTER_L1D_ACCESSES]);
	uint64_t l1_misses = count[COUNTER_L1I_MISSES] + count[COUNTER_L1D_MISSES];
	count[COUNTER_L2_ACCESSES] =
		at_least(part_of(c, l1_misses, 1000 * value[PROFILE_L2_PER_MISS]), is_high(c->state, COMPONENT_L2));
	count[COUNTER_L2_MISSES] = misses(c, COMPONENT_L2, count[COUNTER_L2_ACCESSES]);
}
