/* The loop predictor of tage-sc-l. It does badly where rounds vary in length: it then says nothing. */
#include <stdlib.h>

#include "cores/uarch/predictor_internal.h"

#define COUNT_MAX ((1u << LOOP_COUNT_BITS) - 1)
#define CONFIDENCE_MAX ((1u << LOOP_CONFIDENCE_BITS) - 1)
#define AGE_MAX ((1u << LOOP_AGE_BITS) - 1)
#define TRUST_MAX ((1 << (LOOP_TRUST_BITS - 1)) - 1)
#define TRUST_MIN (-(1 << (LOOP_TRUST_BITS - 1)))
/* Shorter rounds are left to TAGE. */
#define SHORTEST_ROUND 3

bool loop_predictor_init(struct loop_predictor *l, uint8_t entries_bits)
{
	l->entries = calloc((size_t)1 << entries_bits, sizeof(*l->entries));
	l->set_mask = (UINT32_C(1) << entries_bits) / LOOP_WAYS - 1;
	return l->entries != NULL;
}

void loop_predictor_release(struct loop_predictor *l)
{
	free(l->entries);
}

uint64_t loop_predictor_bits(uint8_t entries_bits)
{
	/* The last two are direction and validity. */
	const uint64_t entry = LOOP_TAG_BITS + 2 * LOOP_COUNT_BITS + LOOP_CONFIDENCE_BITS + LOOP_AGE_BITS + 1 + 1;
	return (entry << entries_bits) + LOOP_TRUST_BITS;
}

/* Like TAGE's useful bits: an entry leaves after AGE_MAX attempts to take its place. */
static void allocate(struct loop_entry *set, uint16_t tag, bool taken)
{
	struct loop_entry *free_entry = NULL;
	for (struct loop_entry *e = set; e < set + LOOP_WAYS && !free_entry; e++)
		if (e->age == 0)
			free_entry = e;
	if (free_entry) {
		/* The branch that was missed most likely ended a round. */
		*free_entry = (struct loop_entry){.tag = tag, .age = AGE_MAX, .direction = !taken, .is_valid = true};
		return;
	}
	for (struct loop_entry *e = set; e < set + LOOP_WAYS; e++)
		e->age--;
}

static void end_round(struct loop_entry *e)
{
	if (e->count < SHORTEST_ROUND) {
		*e = (struct loop_entry){0};
		return;
	}
	if (e->count == e->limit) {
		e->age = AGE_MAX;
		if (e->confidence < CONFIDENCE_MAX)
			e->confidence++;
	} else {
		/* The first round costs no age. */
		if (e->limit)
			e->age = 0;
		e->confidence = 0;
		e->limit = e->count;
	}
	e->count = 0;
}

static void learn(struct loop_entry *e, bool taken)
{
	e->count++;
	if (taken != e->direction)
		end_round(e);
	else if (e->count == COUNT_MAX)
		*e = (struct loop_entry){0};
	else if (e->limit && e->count >= e->limit)
		e->confidence = 0;
}

bool loop_predictor_branch(struct loop_predictor *l, uint64_t place, bool other, bool taken)
{
	uint64_t hash = predictor_mix(place);
	struct loop_entry *set = &l->entries[(hash >> 20 & l->set_mask) * LOOP_WAYS], *e = set;
	uint16_t tag = (uint16_t)(hash >> 40 & ((1u << LOOP_TAG_BITS) - 1));
	while (e < set + LOOP_WAYS && !(e->is_valid && e->tag == tag))
		e++;
	if (e == set + LOOP_WAYS) {
		if (other != taken)
			allocate(set, tag, taken);
		return other;
	}
	bool predicted = other;
	if (e->confidence == CONFIDENCE_MAX) {
		bool own = (e->count + 1u == e->limit) != e->direction;
		if (l->trust >= 0)
			predicted = own;
		if (own != other && own == taken && l->trust < TRUST_MAX)
			l->trust++;
		else if (own != other && own != taken && l->trust > TRUST_MIN)
			l->trust--;
	}
	learn(e, taken);
	return predicted;
}
