/* Random numbers for tests, the same everywhere: splitmix64. */
#ifndef SAHM_TESTS_HELPER_RANDOM_H
#define SAHM_TESTS_HELPER_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/array.h"

static inline uint64_t next_random(uint64_t *rng)
{
	uint64_t z = *rng += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* The numbers for system `index` of a seed. */
static inline uint64_t random_of_index(uint64_t seed, uint64_t index)
{
	return next_random(&seed) ^ index;
}

/* From `low` to `high`, both included. */
static inline uint64_t between(uint64_t *rng, uint64_t low, uint64_t high)
{
	return low + next_random(rng) % (high - low + 1);
}

static inline bool one_in(uint64_t *rng, uint64_t n)
{
	return next_random(rng) % n == 0;
}

#define PICK(rng, array) ((array)[next_random(rng) % ARRAY_SIZE(array)])

static inline uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
	return x < low ? low : x > high ? high : x;
}

#endif
