/* Random larger systems, too large for the reference simulator: up to hundreds of cores and threads, few or many types
 * of cores, queues of very uneven lengths, traces whose states last. A system is a function of a seed and an index, and
 * points into itself: it is not to be copied.
 */
#ifndef SAHM_TESTS_HELPER_LARGE_SYSTEM_H
#define SAHM_TESTS_HELPER_LARGE_SYSTEM_H

#include "sim/engine/sim.h"

#define LARGE_TOP_CORES 200
#define LARGE_TOP_THREADS 500
#define LARGE_TOP_EPOCHS 400
#define LARGE_TOP_QUEUE 60 /* threads that may run on only one core, those that may run anywhere not counted */
#define LARGE_SET_WORDS ((LARGE_TOP_CORES + 63) / 64)

struct large_system {
	uint64_t seed, index;
	struct sim_config config;
	struct chip chip;
	uint32_t nr_types;
	uint32_t longest_pinned; /* maximum number of threads that may run on only one certain core */
	struct core_type types[LARGE_TOP_CORES];
	const struct core_type *cores[LARGE_TOP_CORES];
	struct sim_thread threads[LARGE_TOP_THREADS];
	uint8_t states[LARGE_TOP_THREADS][LARGE_TOP_EPOCHS];
	uint64_t allowed[LARGE_TOP_THREADS][LARGE_SET_WORDS];
	uint64_t matrix_ns[LARGE_TOP_CORES * LARGE_TOP_CORES];
};

/* System `index` of `seed`. */
void large_system(struct large_system *system, uint64_t seed, uint64_t index);

/* Writes to stderr how to get only this system, and its outline. */
void large_system_describe(const struct large_system *system);

#endif
