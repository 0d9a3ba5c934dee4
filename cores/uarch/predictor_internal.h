/* Parts of the predictor of kind "tage-sc-l" (predictor.h), and what they share with predictor.c. */
#ifndef SAHM_CORES_UARCH_PREDICTOR_INTERNAL_H
#define SAHM_CORES_UARCH_PREDICTOR_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/uarch/predictor.h"

static inline uint64_t predictor_mix(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 32;
}

/* ---- Widths of predictor.c ---- */

#define BASE_COUNTER_BITS 2
#define COUNTER_BITS 3 /* of tagged tables */
#define USEFUL_BITS 2
#define FADE_BITS 18
#define NEW_TRUST_BITS 4
#define ALLOCATIONS_BITS 2
#define DEFAULT_TARGET_BITS 5
#define NR_TARGET_TABLES 3
#define LONG_TARGET_HISTORY 16
#define PATH_BITS 32
/* In hardware; the models compare 64 bits. */
#define TARGET_TAG_BITS 48

/* How many tables of indirect targets there are. */
static inline unsigned predictor_target_tables(const struct predictor_spec *spec)
{
	return spec->target_bits && !spec->targets_by_pc ? NR_TARGET_TABLES : 1;
}

/* ---- Loop predictor ---- */

#define LOOP_WAYS 4
#define LOOP_TAG_BITS 14
#define LOOP_COUNT_BITS 14
#define LOOP_CONFIDENCE_BITS 3
#define LOOP_AGE_BITS 3
#define LOOP_TRUST_BITS 7

/* A branch that goes `direction` limit - 1 times, then the other way once. */
struct loop_entry {
	uint16_t tag;
	uint16_t limit; /* branches in a round; 0: no round has ended yet */
	uint16_t count; /* of the current round, so far */
	uint8_t confidence, age;
	bool direction, is_valid;
};

struct loop_predictor {
	struct loop_entry *entries; /* sets of LOOP_WAYS */
	uint32_t set_mask;
	int trust; /* used from 0 on: whether it is right where it differs */
};

/* False when memory is short. `entries_bits`: log2 of entries. */
bool loop_predictor_init(struct loop_predictor *l, uint8_t entries_bits);
void loop_predictor_release(struct loop_predictor *l);
uint64_t loop_predictor_bits(uint8_t entries_bits);

/* The prediction for the branch at `place`, for which the rest of the predictor said `other`; learns that it was
 * `taken`. */
bool loop_predictor_branch(struct loop_predictor *l, uint64_t place, bool other, bool taken);

/* ---- Statistical corrector ---- */

#define CORRECTOR_COUNTER_BITS 6
#define CORRECTOR_THRESHOLD_BITS 10
#define CORRECTOR_STEP_BITS 6
#define CORRECTOR_TRUST_BITS 6
#define CORRECTOR_CLASSES 3

struct corrector {
	int8_t *counters; /* [nr_tables][index_mask + 1] */
	uint32_t index_mask;
	unsigned nr_tables;
	int threshold;
	int step;		      /* the threshold moves when this counter is full */
	int trust[CORRECTOR_CLASSES]; /* by strength of TAGE's prediction */
};

bool corrector_init(struct corrector *c, uint8_t nr_tables, uint8_t entries_bits);
void corrector_release(struct corrector *c);
uint64_t corrector_bits(uint8_t nr_tables, uint8_t entries_bits);
/* The longest history that it takes. */
unsigned corrector_history(uint8_t nr_tables);

/* As above. `strength`: what TAGE says, above 0 for taken; odd multiples of its counter, -TAGE_STRENGTH to
 * TAGE_STRENGTH. `history`: the last 64 outcomes, the newest in bit 0. */
#define TAGE_STRENGTH 7
bool corrector_branch(struct corrector *c, uint64_t place, uint64_t history, int strength, bool taken);

#endif
