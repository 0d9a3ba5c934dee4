#include "sim/sweep/sha1.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64u
#define NR_WORDS 5u

static uint32_t rotate(uint32_t word, unsigned by)
{
	return word << by | word >> (32 - by);
}

/* FIPS 180-4, 6.1.2. */
static void add_block(uint32_t state[NR_WORDS], const uint8_t block[BLOCK_BYTES])
{
	static const uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	uint32_t w[80];
	for (unsigned t = 0; t < 16; t++)
		w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
		       (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (unsigned t = 16; t < 80; t++)
		w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
	for (unsigned t = 0; t < 80; t++) {
		uint32_t choice = b ^ c ^ d;
		if (t < 20)
			choice = (b & c) | (~b & d);
		else if (t >= 40 && t < 60)
			choice = (b & c) | (b & d) | (c & d);
		uint32_t next = rotate(a, 5) + choice + e + constants[t / 20] + w[t];
		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
}

void sha1_hex(const void *bytes, size_t len, char text[SHA1_HEX_BYTES])
{
	static const char digits[] = "0123456789abcdef";
	uint32_t state[NR_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	uint8_t last[2 * BLOCK_BYTES] = {0};
	const uint8_t *at = bytes;
	size_t left = len;
	for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, at += BLOCK_BYTES)
		add_block(state, at);
	/* What is left, a one bit, zeros, and the length in bits. */
	if (left > 0)
		memcpy(last, at, left);
	last[left] = 0x80;
	size_t end = left + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
	for (unsigned i = 0; i < 8; i++)
		last[end - 1 - i] = (uint8_t)((uint64_t)len * 8 >> 8 * i);
	for (size_t block = 0; block < end; block += BLOCK_BYTES)
		add_block(state, last + block);
	for (unsigned i = 0; i < 8 * NR_WORDS; i++)
		text[i] = digits[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
	text[8 * NR_WORDS] = '\0';
}
