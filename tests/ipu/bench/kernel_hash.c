/* Hash functions over buffers of several lengths, and a table with open addressing.
 *
 * FNV-1a: Fowler, Noll and Vo, IETF draft-eastlake-fnv. MurmurHash3 (x86, 32 bits): Appleby, 2010. xxHash (32 bits):
 * Collet, XXH32 algorithm description 0.1.1.
 */
#include "kernel.h"

#define BUFFER_BYTES 2048
#define NR_SLOTS 2048 /* a power of two */
#define NR_KEYS 1200

const uint32_t kernel_iterations = 12000;

static uint32_t buffer[BUFFER_BYTES / sizeof(uint32_t)];

static inline uint32_t rotl(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

/* Buffers are aligned to words. */
static inline uint32_t word_at(const uint8_t *bytes)
{
	uint32_t word;
	__builtin_memcpy(&word, __builtin_assume_aligned(bytes, sizeof(word)), sizeof(word));
	return word;
}

static uint32_t fnv1a(const uint8_t *bytes, uint32_t n)
{
	uint32_t h = 2166136261u;
	while (n--)
		h = (h ^ *bytes++) * 16777619u;
	return h;
}

static uint32_t murmur3(const uint8_t *bytes, uint32_t n, uint32_t seed)
{
	uint32_t h = seed, k = 0, left = n;
	for (; left >= 4; left -= 4, bytes += 4) {
		h ^= rotl(word_at(bytes) * 0xcc9e2d51u, 15) * 0x1b873593u;
		h = rotl(h, 13) * 5 + 0xe6546b64u;
	}
	while (left--)
		k = k << 8 | bytes[left];
	h ^= rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u;
	h ^= n;
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

#define XXH_1 0x9e3779b1u
#define XXH_2 0x85ebca77u
#define XXH_3 0xc2b2ae3du
#define XXH_4 0x27d4eb2fu
#define XXH_5 0x165667b1u

static uint32_t xxh32(const uint8_t *bytes, uint32_t n, uint32_t seed)
{
	uint32_t h = seed + XXH_5, left = n;
	if (n >= 16) {
		uint32_t lanes[4] = {seed + XXH_1 + XXH_2, seed + XXH_2, seed, seed - XXH_1};
		for (; left >= 16; left -= 16)
			for (int i = 0; i < 4; i++, bytes += 4)
				lanes[i] = rotl(lanes[i] + word_at(bytes) * XXH_2, 13) * XXH_1;
		h = rotl(lanes[0], 1) + rotl(lanes[1], 7) + rotl(lanes[2], 12) + rotl(lanes[3], 18);
	}
	h += n;
	for (; left >= 4; left -= 4, bytes += 4)
		h = rotl(h + word_at(bytes) * XXH_3, 17) * XXH_4;
	while (left--)
		h = rotl(h + *bytes++ * XXH_5, 11) * XXH_1;
	h = (h ^ h >> 15) * XXH_2;
	h = (h ^ h >> 13) * XXH_3;
	return h ^ h >> 16;
}

/* A table from keys to counts: linear probing; no key is 0, which marks a slot that was never used. */
struct table {
	uint32_t keys[NR_SLOTS], counts[NR_SLOTS];
	uint32_t nr_keys;
};

static struct table table;

static uint32_t slot_of(const struct table *t, uint32_t key)
{
	uint32_t slot = (key * 2654435769u >> 21) % NR_SLOTS;
	while (t->keys[slot] && t->keys[slot] != key)
		slot = (slot + 1) % NR_SLOTS;
	return slot;
}

static void table_count(struct table *t, uint32_t key)
{
	uint32_t slot = slot_of(t, key);
	if (!t->keys[slot]) {
		t->keys[slot] = key;
		t->nr_keys++;
	}
	t->counts[slot]++;
}

static uint32_t table_look_up(const struct table *t, uint32_t key)
{
	uint32_t slot = slot_of(t, key);
	return t->keys[slot] ? t->counts[slot] : 0;
}

static uint32_t use_table(uint32_t *state)
{
	uint32_t first = *state, again, sum = 0;
	memset(&table, 0, sizeof(table));
	for (uint32_t i = 0; i < NR_KEYS; i++)
		table_count(&table, kernel_random(state) % 4096 + 1);
	again = first;
	for (uint32_t i = 0; i < NR_KEYS; i++)
		sum += table_look_up(&table, kernel_random(&again) % 4096 + 1);
	for (uint32_t i = 0; i < NR_KEYS; i++)
		sum += table_look_up(&table, kernel_random(&again) % 8192 + 1);
	return kernel_mix(sum, table.nr_keys);
}

static bool known_values_are_met(void)
{
	static const _Alignas(4) uint8_t hello[] = "hello", foobar[] = "foobar", nothing[] = "", abc[] = "abc";
	return fnv1a(foobar, 6) == 0xbf9cf968u && murmur3(hello, 5, 0) == 0x248bfa47u &&
	       xxh32(nothing, 0, 0) == 0x02cc5d05u && xxh32(abc, 3, 0) == 0x32d153ffu;
}

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	const uint8_t *bytes = (const uint8_t *)buffer;
	uint32_t state = 1;
	for (uint32_t i = 0; i < BUFFER_BYTES / sizeof(uint32_t); i++)
		buffer[i] = kernel_random(&state);
	for (uint32_t i = 0; i < nr_iterations; i++) {
		uint32_t n = BUFFER_BYTES - i % 61;
		uint32_t h = fnv1a(bytes, n) + murmur3(bytes, n, i) + xxh32(bytes, n, i);
		buffer[i % (BUFFER_BYTES / sizeof(uint32_t))] ^= h;
		*checksum = kernel_mix(*checksum, h + use_table(&state));
	}
	return known_values_are_met();
}
