/* Random small systems in the terms of the reference simulator, and the same in those of the product. They favour what
 * goes wrong: ties at boundaries, equal speedups, debts about as long as a timestep, epochs shorter than one, arrivals
 * beside a boundary, warm-ups of a few ns.
 *
 * A system is a function of a seed and an index, and points into itself: it is not to be copied.
 */
#ifndef SAHM_TESTS_HELPER_RANDOM_SYSTEM_H
#define SAHM_TESTS_HELPER_RANDOM_SYSTEM_H

#include "sched/ordered/sched.h"
#include "sim/engine/sim.h"
#include "tests/reference/refsim.h"

#define RANDOM_FEW_CORES 7   /* most systems have no more */
#define RANDOM_TOP_CORES 132 /* so that sets of cores span several words */
#define RANDOM_TOP_THREADS 10
#define RANDOM_TOP_EPOCHS 12
#define RANDOM_TOP_TIMESTEPS 400u

struct random_system {
	uint64_t seed, index;
	struct ref_config config;
	struct ref_core cores[RANDOM_TOP_CORES];
	struct ref_thread threads[RANDOM_TOP_THREADS];
	uint8_t states[RANDOM_TOP_THREADS][RANDOM_TOP_EPOCHS];
	uint8_t allowed[RANDOM_TOP_THREADS][RANDOM_TOP_CORES];
	unsigned long long matrix_ns[RANDOM_TOP_CORES * RANDOM_TOP_CORES]; /* after the rest, which is cleared */
};

/* System `index` of `seed`. */
void random_system(struct random_system *system, uint64_t seed, uint64_t index);

/* Speeds of cores and groups that share, and what threads demand. */
struct random_speeds {
	struct ref_speed speeds[RANDOM_FEW_CORES][REF_MAX_SPEEDS];
	int shared_of[RANDOM_FEW_CORES];
	unsigned long long demand[RANDOM_TOP_THREADS][NR_STATES];
};

/* Adds speeds, sharing or both to a system of at most RANDOM_FEW_CORES cores, which then points into `speeds`. */
void random_speeds(struct random_system *system, struct random_speeds *speeds);

/* What a single scheduling pass reads: chip, sets, policy, inertia, costs, warm-up, and as many threads. Observed
 * states and queues are in `pass`. */
void random_pass(struct random_system *system, struct ref_pass *pass, uint64_t *rng);

/* Writes the system to stderr, and how to get only this one. */
void random_system_describe(const struct random_system *system);

/* A system in the product's terms. It points into itself and into the traces of the other. */
struct product_system {
	struct sim_config config;
	struct chip chip;
	struct core_type types[RANDOM_TOP_CORES];
	const struct core_type *cores[RANDOM_TOP_CORES];
	struct sim_thread threads[RANDOM_TOP_THREADS];
	uint64_t allowed[RANDOM_TOP_THREADS][(RANDOM_TOP_CORES + 63) / 64];
	uint64_t matrix_ns[RANDOM_TOP_CORES * RANDOM_TOP_CORES];
	struct core_levels levels[RANDOM_FEW_CORES];
	struct core_level level_rows[RANDOM_FEW_CORES][REF_MAX_SPEEDS];
	uint32_t shared_of[RANDOM_FEW_CORES];
	uint64_t capacity[REF_MAX_SHARED];
	uint64_t demand[RANDOM_TOP_THREADS][NR_STATES];
};

/* Adds what random_speeds() has added. */
void product_speeds(struct product_system *product, const struct random_system *system);

void product_system(struct product_system *product, const struct random_system *system);

#endif
