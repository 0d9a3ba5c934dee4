/* Histograms with bins in memory: of bytes, of values by size with bins that saturate, of pairs; and what is done with
 * them: running sums, percentiles, putting values in order. */
#include "kernel.h"

#define NR_VALUES 8192
#define NR_BUCKETS 128
#define BUCKET_MAX 250
#define NR_LEVELS 16

const uint32_t kernel_iterations = 1300;

static uint32_t values[NR_VALUES];
static uint32_t byte_bins[256];
static uint8_t buckets[NR_BUCKETS];
static uint16_t pairs[NR_LEVELS][NR_LEVELS];
static uint32_t starts[257];
static uint8_t ordered[NR_VALUES];

static void make_values(uint32_t *state)
{
	for (uint32_t i = 0; i < NR_VALUES; i++) {
		uint32_t x = kernel_random(state);
		values[i] = x >> (x & 15);
	}
}

static void count_bytes(void)
{
	const uint8_t *bytes = (const uint8_t *)values;
	memset(byte_bins, 0, sizeof(byte_bins));
	for (uint32_t i = 0; i < sizeof(values); i++)
		byte_bins[bytes[i]]++;
}

/* Four buckets for each power of two. */
static uint32_t bucket_of(uint32_t value)
{
	uint32_t log = 0;
	if (value < 4)
		return value;
	for (uint32_t step = 16; step; step >>= 1)
		if (value >> (log + step))
			log += step;
	return log << 2 | (value >> (log - 2) & 3);
}

static void count_values(void)
{
	memset(buckets, 0, sizeof(buckets));
	for (uint32_t i = 0; i < NR_VALUES; i++) {
		uint8_t *bucket = &buckets[bucket_of(values[i])];
		if (*bucket < BUCKET_MAX)
			++*bucket;
	}
}

/* How often a level follows a level. */
static void count_pairs(void)
{
	uint32_t last = 0;
	memset(pairs, 0, sizeof(pairs));
	for (uint32_t i = 0; i < NR_VALUES; i++) {
		uint32_t level = (values[i] >> 8) % NR_LEVELS;
		if (pairs[last][level] < UINT16_MAX)
			pairs[last][level]++;
		last = level;
	}
}

/* Lowest bytes in their order, by counting. */
static void put_in_order(void)
{
	memset(starts, 0, sizeof(starts));
	for (uint32_t i = 0; i < NR_VALUES; i++)
		starts[(values[i] & 255) + 1]++;
	for (uint32_t i = 0; i < 256; i++)
		starts[i + 1] += starts[i];
	for (uint32_t i = 0; i < NR_VALUES; i++) {
		uint8_t byte = (uint8_t)values[i];
		ordered[starts[byte]++] = byte;
	}
}

/* The byte below which `pct` percent of all are. */
static uint32_t percentile(uint32_t pct)
{
	uint32_t wanted = sizeof(values) / 100 * pct, below = 0, byte = 0;
	while (byte < 255 && (below += byte_bins[byte]) < wanted)
		byte++;
	return byte;
}

static bool bins_are_right(void)
{
	uint32_t nr_bytes = 0, nr_pairs = 0;
	for (uint32_t i = 0; i < 256; i++)
		nr_bytes += byte_bins[i];
	for (uint32_t i = 0; i < NR_LEVELS * NR_LEVELS; i++)
		nr_pairs += pairs[i / NR_LEVELS][i % NR_LEVELS];
	for (uint32_t i = 1; i < NR_VALUES; i++)
		if (ordered[i - 1] > ordered[i])
			return false;
	return nr_bytes == sizeof(values) && nr_pairs == NR_VALUES;
}

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	uint32_t state = 1;
	bool right = true;
	for (uint32_t i = 0; i < nr_iterations; i++) {
		make_values(&state);
		count_bytes();
		count_values();
		count_pairs();
		put_in_order();
		right = right && bins_are_right();
		for (uint32_t pct = 5; pct <= 95; pct += 5)
			*checksum = kernel_mix(*checksum, percentile(pct));
		for (uint32_t bucket = 0; bucket < NR_BUCKETS; bucket++)
			*checksum = kernel_mix(*checksum, buckets[bucket]);
		*checksum = kernel_mix(*checksum, ordered[i % NR_VALUES] + pairs[i % NR_LEVELS][3]);
	}
	return right;
}
