/* Random numbers that are the same everywhere: xoshiro256** (Blackman and Vigna, 2018), in integers only.
 *
 * A stream is named by a seed and two words, and streams of different names have nothing to do with each other: numbers
 * drawn from one do not change when another is added, dropped or drawn from more often.
 */
#ifndef SAHM_SIM_BASE_RNG_H
#define SAHM_SIM_BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state[4];
};

/* Begins the stream `seed`, `whose`, `what`. */
void rng_init(struct rng *r, uint64_t seed, const char *whose, const char *what);

/* 64 random bits. */
uint64_t rng_next(struct rng *r);

/* A number from 0 to `end` - 1, each as likely as the others; `end` is at least 1. */
uint64_t rng_below(struct rng *r, uint64_t end);

#endif
