#include "sim/base/rng.h"

#include "sim/base/hash.h"

__extension__ typedef unsigned __int128 uint128;

void rng_init(struct rng *r, uint64_t seed, const char *whose, const char *what)
{
	uint8_t digest[HASH_BYTES];
	struct hash h;
	hash_init(&h);
	hash_add_u64(&h, seed);
	hash_add_string(&h, whose);
	hash_add_string(&h, what);
	hash_end(&h, digest);
	for (unsigned i = 0; i < 4; i++) {
		r->state[i] = 0;
		for (unsigned byte = 0; byte < 8; byte++)
			r->state[i] |= (uint64_t)digest[8 * i + byte] << (8 * byte);
	}
	/* The one state that never changes: no hash is known to be that, but the cost of being sure is nothing. */
	r->state[0] |= !(r->state[0] | r->state[1] | r->state[2] | r->state[3]);
}

static uint64_t rotated(uint64_t x, unsigned by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->state, result = rotated(s[1] * 5, 7) * 9, shifted = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotated(s[3], 45);
	return result;
}

/* Lemire 2019: the high half of a product, redrawn where the low half would make some numbers likelier. */
uint64_t rng_below(struct rng *r, uint64_t end)
{
	uint128 product = (uint128)rng_next(r) * end;
	if ((uint64_t)product < end) {
		uint64_t uneven = (0 - end) % end;
		while ((uint64_t)product < uneven)
			product = (uint128)rng_next(r) * end;
	}
	return (uint64_t)(product >> 64);
}
