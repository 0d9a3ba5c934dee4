/* The statistical corrector of tage-sc-l. It does badly where TAGE is right and the tables still learn. */
#include <stdlib.h>

#include "cores/uarch/predictor_internal.h"

#define COUNTER_MAX ((1 << (CORRECTOR_COUNTER_BITS - 1)) - 1)
#define COUNTER_MIN (-(1 << (CORRECTOR_COUNTER_BITS - 1)))
#define STEP_MAX ((1 << (CORRECTOR_STEP_BITS - 1)) - 1)
#define STEP_MIN (-(1 << (CORRECTOR_STEP_BITS - 1)))
#define THRESHOLD_MAX ((1 << CORRECTOR_THRESHOLD_BITS) - 1)
#define THRESHOLD_FIRST 35
#define TRUST_MAX ((1 << (CORRECTOR_TRUST_BITS - 1)) - 1)
#define TRUST_MIN (-(1 << (CORRECTOR_TRUST_BITS - 1)))
/* How many counters of the tables weigh as much as TAGE's. */
#define TAGE_WEIGHT 4

/* Bits of global history that each table takes. The first two take TAGE's prediction instead, and its strength. */
static const uint8_t histories[MAX_CORRECTOR_TABLES] = {0, 0, 4, 9, 14, 20, 27, 35, 46, 63};

bool corrector_init(struct corrector *c, uint8_t nr_tables, uint8_t entries_bits)
{
	c->counters = calloc((size_t)nr_tables << entries_bits, 1);
	c->index_mask = (UINT32_C(1) << entries_bits) - 1;
	c->nr_tables = nr_tables;
	c->threshold = THRESHOLD_FIRST;
	return c->counters != NULL;
}

void corrector_release(struct corrector *c)
{
	free(c->counters);
}

uint64_t corrector_bits(uint8_t nr_tables, uint8_t entries_bits)
{
	return ((uint64_t)nr_tables * CORRECTOR_COUNTER_BITS << entries_bits) + CORRECTOR_THRESHOLD_BITS +
	       CORRECTOR_STEP_BITS + CORRECTOR_CLASSES * CORRECTOR_TRUST_BITS;
}

unsigned corrector_history(uint8_t nr_tables)
{
	return histories[nr_tables - 1];
}

static void count(int8_t *counter, bool up)
{
	if (up && *counter < COUNTER_MAX)
		(*counter)++;
	else if (!up && *counter > COUNTER_MIN)
		(*counter)--;
}

/* As in O-GEHL (A. Seznec, "Analysis of the O-GEometric History Length branch predictor", ISCA 2005): mispredictions
 * raise the threshold, right predictions below it lower it, so that both are as frequent. */
static void adapt(struct corrector *c, bool right)
{
	c->step += right ? -1 : 1;
	if (c->step > STEP_MAX && c->threshold < THRESHOLD_MAX)
		c->threshold++;
	else if (c->step < STEP_MIN && c->threshold > 1)
		c->threshold--;
	if (c->step > STEP_MAX || c->step < STEP_MIN)
		c->step = 0;
}

/* Whether the sum replaces TAGE's prediction: half the threshold is enough where this was right more often than not,
 * for predictions of TAGE that were about as sure. */
static bool corrects(struct corrector *c, int sum, int strength, bool taken)
{
	int *trust = &c->trust[abs(strength) / (TAGE_STRENGTH / CORRECTOR_CLASSES + 1)];
	if ((sum >= 0) == (strength > 0) || 2 * abs(sum) < c->threshold)
		return false;
	bool is_trusted = *trust >= 0;
	if ((sum >= 0) == taken && *trust < TRUST_MAX)
		++*trust;
	else if ((sum >= 0) != taken && *trust > TRUST_MIN)
		--*trust;
	return is_trusted;
}

bool corrector_branch(struct corrector *c, uint64_t place, uint64_t history, int strength, bool taken)
{
	int8_t *at[MAX_CORRECTOR_TABLES];
	bool tage = strength > 0;
	int sum = TAGE_WEIGHT * strength;
	for (unsigned i = 0; i < c->nr_tables; i++) {
		uint64_t recent = history & ((UINT64_C(1) << histories[i]) - 1);
		uint64_t said = i == 1 ? (uint64_t)(strength + TAGE_STRENGTH) : tage;
		uint64_t hash = predictor_mix(predictor_mix(place << 4 | said) ^ recent);
		at[i] = &c->counters[i * ((size_t)c->index_mask + 1) + (hash >> 32 & c->index_mask)];
		sum += 2 * *at[i] + 1;
	}
	bool own = sum >= 0;
	bool predicted = corrects(c, sum, strength, taken) ? own : tage;
	if (own != taken || abs(sum) < c->threshold) {
		adapt(c, own == taken);
		for (unsigned i = 0; i < c->nr_tables; i++)
			count(at[i], taken);
	}
	return predicted;
}
