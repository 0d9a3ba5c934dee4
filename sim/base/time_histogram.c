#include "sim/base/time_histogram.h"

#define HALF (UINT64_C(1) << (HISTOGRAM_BITS - 1))

__extension__ typedef unsigned __int128 wide;

static unsigned bucket_of(uint64_t value)
{
	if (value < 2 * HALF)
		return (unsigned)value;
	unsigned shift = 63 - HISTOGRAM_BITS + 1 - (unsigned)__builtin_clzll(value);
	return (unsigned)((shift + 1) * HALF + ((value >> shift) - HALF));
}

static uint64_t last_of(unsigned bucket)
{
	if (bucket < 2 * HALF)
		return bucket;
	unsigned shift = (unsigned)(bucket / HALF - 1);
	return ((bucket % HALF + HALF) << shift) + ((UINT64_C(1) << shift) - 1);
}

void histogram_add(struct histogram *h, uint64_t value)
{
	h->nr++;
	h->max = value > h->max ? value : h->max;
	h->counts[bucket_of(value)]++;
}

void histogram_merge(struct histogram *h, const struct histogram *from)
{
	h->nr += from->nr;
	h->max = from->max > h->max ? from->max : h->max;
	for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
		h->counts[b] += from->counts[b];
}

uint64_t histogram_percentile(const struct histogram *h, uint32_t ppm)
{
	uint64_t rank = (uint64_t)(((wide)h->nr * ppm + 999999) / 1000000), sum = 0;
	if (h->nr == 0)
		return 0;
	rank = rank ? rank : 1;
	for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++) {
		sum += h->counts[b];
		if (sum >= rank)
			return last_of(b) < h->max ? last_of(b) : h->max;
	}
	return h->max;
}
