/* Histogram of times: how often which value, to a known precision, in little memory.
 *
 * Values below 2^HISTOGRAM_BITS have a bucket each; above, each power of two is divided into 2^(HISTOGRAM_BITS - 1)
 * equal buckets, so that a value is known to within 1 part in 2^(HISTOGRAM_BITS - 1) (0.8 %). Percentiles are those of
 * the nearest rank, given as the largest value of its bucket, but never more than the largest value added. Only
 * integers: the same on every machine, and sums of histograms are histograms of all their values.
 */
#ifndef SAHM_SIM_BASE_TIME_HISTOGRAM_H
#define SAHM_SIM_BASE_TIME_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BITS 8
#define HISTOGRAM_BUCKETS ((64 - HISTOGRAM_BITS + 2) << (HISTOGRAM_BITS - 1))

struct histogram {
	uint64_t nr; /* values added */
	uint64_t max;
	uint64_t counts[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *h, uint64_t value);

/* Adds all values of `from`. */
void histogram_merge(struct histogram *h, const struct histogram *from);

/* The value at or below which `ppm` millionths (at most 1,000,000) of all values are; 0 when there are none. */
uint64_t histogram_percentile(const struct histogram *h, uint32_t ppm);

#endif
