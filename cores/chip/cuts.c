#include "cores/chip/cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"

__extension__ typedef unsigned __int128 u128;

const struct metric_row metric_rows[NR_COMPONENTS] = {
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive)                                         \
	[COMPONENT_##suffix] = {COMPONENT_##suffix, COUNTER_##num, COUNTER_##den, key, unit, ppb_per_unit},
#include "cores/chip/metric_list.h"
#undef METRIC
};

const char *const cut_set_names[NR_CUT_SETS + 1] = {"p25", "p50", "intuitive", NULL};

/* [set][component], as decimal text in the metric's unit. */
static const char *const cut_values[NR_CUT_SETS][NR_COMPONENTS] = {
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive) [COMPONENT_##suffix] = p25,
	{
#include "cores/chip/metric_list.h"
	},
#undef METRIC
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive) [COMPONENT_##suffix] = p50,
	{
#include "cores/chip/metric_list.h"
	},
#undef METRIC
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive) [COMPONENT_##suffix] = intuitive,
	{
#include "cores/chip/metric_list.h"
	},
#undef METRIC
};

bool cuts_named(const char *name, struct cuts *cuts)
{
	for (size_t set = 0; cut_set_names[set]; set++) {
		if (strcmp(cut_set_names[set], name) != 0)
			continue;
		for (int c = 0; c < NR_COMPONENTS; c++)
			cuts_set(cuts, (enum component)c, strtod(cut_values[set][c], NULL));
		return true;
	}
	return false;
}

void cuts_set(struct cuts *cuts, enum component c, double value)
{
	cuts->ppb[c] = (uint64_t)llround(value * (double)metric_rows[c].ppb_per_unit);
}

double cuts_get(const struct cuts *cuts, enum component c)
{
	return (double)cuts->ppb[c] / (double)metric_rows[c].ppb_per_unit;
}

void cuts_write(const struct cuts *cuts, struct textbuf *out)
{
	for (int c = 0; c < NR_COMPONENTS; c++) {
		textbuf_printf(out, "%s%s=", c > 0 ? "," : "", metric_rows[c].key);
		number_write_double(out, cuts_get(cuts, (enum component)c), 0);
	}
}

bool cuts_metric_ppb(enum component c, const struct epoch_counts *e, uint64_t *ppb)
{
	uint64_t num = e->count[metric_rows[c].numerator], den = e->count[metric_rows[c].denominator];
	if (den == 0)
		return false;
	u128 quotient = ((u128)num * PPB_ONE + den / 2) / den;
	*ppb = quotient > UINT64_MAX ? UINT64_MAX : (uint64_t)quotient;
	return true;
}

/* 5 misses of 0 accesses are not HIGH. */
static inline bool is_high(uint64_t num, uint64_t den, uint64_t ppb)
{
	return den > 0 && (u128)num * PPB_ONE > (u128)ppb * den;
}

unsigned cuts_classify(const struct cuts *cuts, const struct epoch_counts *e)
{
	unsigned state = 0;
	for (int c = 0; c < NR_COMPONENTS; c++)
		if (is_high(e->count[metric_rows[c].numerator], e->count[metric_rows[c].denominator], cuts->ppb[c]))
			state |= 1u << c;
	return state;
}

void cuts_classify_component(const struct cuts *cuts, enum component c, const uint64_t *numerators,
			     const uint64_t *denominators, size_t nr, uint8_t *states)
{
	uint64_t ppb = cuts->ppb[c];
	for (size_t i = 0; i < nr; i++)
		states[i] |= (uint8_t)(is_high(numerators[i], denominators[i], ppb) << c);
}
