/* SHA-256 (FIPS 180-4) of a buffer of a few KB, over and over. */
#include "kernel.h"

#define BLOCK_BYTES 64
#define BUFFER_BYTES 4096

const uint32_t kernel_iterations = 8000;

struct sha256 {
	uint32_t h[8];
	uint32_t nr_bytes, nr_pending;
	uint8_t pending[BLOCK_BYTES];
};

/* Section 4.2.2 */
static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* Section 6.2.2 */
static void sha256_block(struct sha256 *s, const uint8_t *block)
{
	uint32_t w[64];
	uint32_t a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3];
	uint32_t e = s->h[4], f = s->h[5], g = s->h[6], h = s->h[7];
	for (int t = 0; t < 16; t++, block += 4)
		w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
	for (int t = 16; t < 64; t++) {
		uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = w[t - 16] + s0 + w[t - 7] + s1;
	}
	for (int t = 0; t < 64; t++) {
		uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25), choice = (e & f) ^ (~e & g);
		uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22), majority = (a & b) ^ (a & c) ^ (b & c);
		uint32_t t1 = h + sum1 + choice + k[t] + w[t], t2 = sum0 + majority;
		h = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + t2;
	}
	s->h[0] += a;
	s->h[1] += b;
	s->h[2] += c;
	s->h[3] += d;
	s->h[4] += e;
	s->h[5] += f;
	s->h[6] += g;
	s->h[7] += h;
}

static void sha256_begin(struct sha256 *s)
{
	/* Section 5.3.3 */
	static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	memcpy(s->h, initial, sizeof(initial));
	s->nr_bytes = s->nr_pending = 0;
}

static void sha256_add(struct sha256 *s, const uint8_t *bytes, uint32_t n)
{
	s->nr_bytes += n;
	while (n) {
		uint32_t part = BLOCK_BYTES - s->nr_pending;
		if (part > n)
			part = n;
		memcpy(s->pending + s->nr_pending, bytes, part);
		s->nr_pending += part;
		bytes += part;
		n -= part;
		if (s->nr_pending == BLOCK_BYTES) {
			sha256_block(s, s->pending);
			s->nr_pending = 0;
		}
	}
}

static void sha256_end(struct sha256 *s)
{
	static const uint8_t padding[BLOCK_BYTES] = {0x80};
	uint32_t nr_bytes = s->nr_bytes, gap = (55 - nr_bytes) % BLOCK_BYTES + 1;
	uint8_t length[8] = {[3] = (uint8_t)(nr_bytes >> 29)};
	for (int i = 0; i < 4; i++)
		length[4 + i] = (uint8_t)(nr_bytes << 3 >> (24 - 8 * i));
	sha256_add(s, padding, gap);
	sha256_add(s, length, sizeof(length));
}

/* The example of one block. */
static bool example_is_met(void)
{
	static const uint32_t expected[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
					     0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
	struct sha256 s;
	sha256_begin(&s);
	sha256_add(&s, (const uint8_t *)"abc", 3);
	sha256_end(&s);
	for (int i = 0; i < 8; i++)
		if (s.h[i] != expected[i])
			return false;
	return true;
}

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	static uint8_t buffer[BUFFER_BYTES];
	uint32_t state = 1;
	for (uint32_t i = 0; i < BUFFER_BYTES; i++)
		buffer[i] = (uint8_t)kernel_random(&state);
	for (uint32_t i = 0; i < nr_iterations; i++) {
		struct sha256 s;
		sha256_begin(&s);
		sha256_add(&s, buffer, BUFFER_BYTES - i % 100);
		sha256_end(&s);
		memcpy(buffer, s.h, sizeof(s.h));
		*checksum = kernel_mix(*checksum, s.h[0]);
	}
	return example_is_met();
}
