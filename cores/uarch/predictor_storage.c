/* What a predictor would cost in hardware. An empty tag stands for an invalid entry, as in predictor.c. */
#include "cores/uarch/predictor_internal.h"
#include "cores/uarch/storage_bits.h"

/* The longest part of the global history that anything takes. */
static uint64_t history_bits(const struct predictor_spec *spec)
{
	uint64_t bits = predictor_is_tage(spec) ? spec->tables[spec->nr_tables - 1].history_bits : spec->gshare_history;
	uint64_t others = predictor_target_tables(spec) > 1 ? LONG_TARGET_HISTORY : 0;
	if (spec->kind == PREDICTOR_TAGE_SC_L && corrector_history(spec->corrector_tables) > others)
		others = corrector_history(spec->corrector_tables);
	return bits > others ? bits : others;
}

static uint64_t direction_bits(const struct predictor_spec *spec)
{
	uint64_t bits = ((uint64_t)BASE_COUNTER_BITS << spec->base_bits) + history_bits(spec);
	if (!predictor_is_tage(spec))
		return bits;
	for (unsigned i = 0; i < spec->nr_tables; i++)
		bits += (uint64_t)(spec->tables[i].tag_bits + COUNTER_BITS + USEFUL_BITS)
			<< spec->tables[i].entries_bits;
	return bits + FADE_BITS + NEW_TRUST_BITS + ALLOCATIONS_BITS;
}

static uint64_t target_bits(const struct predictor_spec *spec)
{
	uint64_t nr_tables = predictor_target_tables(spec);
	if (spec->kind == PREDICTOR_CALLGRIND)
		return (uint64_t)STORAGE_ADDRESS_BITS << spec->target_bits;
	/* The last bit says whether the target is confirmed. */
	uint64_t entry = TARGET_TAG_BITS + STORAGE_ADDRESS_BITS + 1;
	return (nr_tables * entry << (spec->target_bits ? spec->target_bits : DEFAULT_TARGET_BITS)) +
	       (nr_tables > 1 ? PATH_BITS : 0);
}

struct predictor_storage predictor_storage(const struct predictor_spec *spec)
{
	struct predictor_storage s = {.directions = direction_bits(spec), .targets = target_bits(spec)};
	if (spec->kind != PREDICTOR_CALLGRIND)
		s.returns =
			(uint64_t)spec->return_stack * STORAGE_ADDRESS_BITS + storage_bits_below(spec->return_stack);
	if (spec->kind == PREDICTOR_TAGE_SC_L) {
		s.loops = loop_predictor_bits(spec->loop_bits);
		s.corrector = corrector_bits(spec->corrector_tables, spec->corrector_bits);
	}
	return s;
}

uint64_t predictor_storage_bits(const struct predictor_spec *spec)
{
	struct predictor_storage s = predictor_storage(spec);
	return s.directions + s.loops + s.corrector + s.targets + s.returns;
}
