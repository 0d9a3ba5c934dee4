/* What a move between two cores costs.
 *
 * Flat, by the smallest cluster that holds both cores, or by a matrix. A cluster of a level is a block of consecutive
 * cores: core c is in block c / nr_cores of that level. Levels are nested: each block size is a multiple of the one
 * before. Times are ns. Plain data: the caller that fills it keeps the matrix.
 */
#ifndef SAHM_CORES_CHIP_DISTANCE_H
#define SAHM_CORES_CHIP_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

#define MAX_DISTANCE_LEVELS 8

struct distance_level {
	uint32_t nr_cores; /* of a block, at least 2 */
	uint64_t cost_ns;  /* of a move within a block */
};

struct distances {
	uint64_t cost_ns; /* where neither a level nor the matrix says otherwise */
	uint32_t nr_levels;
	struct distance_level levels[MAX_DISTANCE_LEVELS]; /* smallest blocks first */
	const uint64_t *matrix_ns; /* [from * number of cores + to], before levels; NULL when there is none */
};

/* Cost of a move from core `from` to core `to` of a chip of `nr_cores` cores. */
static inline uint64_t distance_cost_ns(const struct distances *d, uint32_t nr_cores, uint32_t from, uint32_t to)
{
	if (d->matrix_ns)
		return d->matrix_ns[(size_t)from * nr_cores + to];
	for (uint32_t i = 0; i < d->nr_levels; i++)
		if (from / d->levels[i].nr_cores == to / d->levels[i].nr_cores)
			return d->levels[i].cost_ns;
	return d->cost_ns;
}

/* A debt with the cost of a move added. One that no run lives long enough to pay stays one. */
static inline uint64_t debt_after_move_ns(uint64_t debt_ns, uint64_t cost_ns)
{
	return debt_ns > UINT64_MAX - cost_ns ? UINT64_MAX : debt_ns + cost_ns;
}

#endif
