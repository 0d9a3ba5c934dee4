/* Histograms of times: which values share a bucket, and what percentiles say of values that are known. */
#include "sim/base/time_histogram.h"

#include <stdlib.h>

#include "sim/base/rng.h"
#include "tests/unit/test.h"

/* Values below this have a bucket each. */
#define EXACT (UINT64_C(1) << HISTOGRAM_BITS)

static struct histogram *new_histogram(void)
{
	struct histogram *h = calloc(1, sizeof(*h));
	assert_non_null(h);
	return h;
}

/* The bucket of the only value of a histogram. */
static unsigned bucket_of(uint64_t value)
{
	struct histogram *h = new_histogram();
	unsigned bucket = 0;
	histogram_add(h, value);
	assert_int_equal(h->nr, 1);
	assert_int_equal(h->max, value);
	while (bucket < HISTOGRAM_BUCKETS && h->counts[bucket] == 0)
		bucket++;
	assert_true(bucket < HISTOGRAM_BUCKETS);
	free(h);
	return bucket;
}

/* The largest value of the bucket of `value`. */
static uint64_t last_beside(uint64_t value)
{
	struct histogram *h = new_histogram();
	histogram_add(h, value);
	h->max = UINT64_MAX;
	uint64_t last = histogram_percentile(h, 500000);
	free(h);
	return last;
}

/* "Values below 2^HISTOGRAM_BITS have a bucket each." */
static void test_small_values(void **state)
{
	(void)state;
	for (uint64_t value = 0; value < EXACT; value++) {
		assert_int_equal(bucket_of(value), value);
		assert_int_equal(last_beside(value), value);
	}
}

/* "Above, each power of two is divided into 2^(HISTOGRAM_BITS - 1) equal buckets." Both sides of each boundary. */
static void test_boundaries(void **state)
{
	(void)state;
	unsigned next = (unsigned)EXACT;
	for (unsigned power = HISTOGRAM_BITS; power < 64; power++) {
		uint64_t width = (UINT64_C(1) << power) >> (HISTOGRAM_BITS - 1);
		for (uint64_t i = 0; i < EXACT / 2; i++, next++) {
			uint64_t first = (UINT64_C(1) << power) + i * width, last = first + (width - 1);
			assert_int_equal(bucket_of(first), next);
			assert_int_equal(bucket_of(last), next);
			assert_int_equal(last_beside(first), last);
			assert_int_equal(bucket_of(first - 1), next - 1);
			/* "known to within 1 part in 2^(HISTOGRAM_BITS - 1)" */
			assert_true((last - first) <= first >> (HISTOGRAM_BITS - 1));
		}
	}
	assert_int_equal(next, HISTOGRAM_BUCKETS);
	assert_int_equal(bucket_of(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static void test_nothing(void **state)
{
	(void)state;
	struct histogram *h = new_histogram();
	assert_int_equal(histogram_percentile(h, 0), 0);
	assert_int_equal(histogram_percentile(h, 1000000), 0);
	histogram_add(h, 0);
	assert_int_equal(h->nr, 1);
	assert_int_equal(histogram_percentile(h, 1000000), 0);
	free(h);
}

/* Never more than the largest value that was added, also where its bucket goes on. */
static void test_largest(void **state)
{
	(void)state;
	struct histogram *h = new_histogram();
	histogram_add(h, 1000000);
	assert_true(last_beside(1000000) > 1000000);
	assert_int_equal(histogram_percentile(h, 500000), 1000000);
	histogram_add(h, UINT64_MAX);
	assert_int_equal(histogram_percentile(h, 500000), last_beside(1000000));
	assert_int_equal(histogram_percentile(h, 500001), UINT64_MAX);
	free(h);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void expect_percentiles(const struct histogram *h, const uint64_t *sorted, uint64_t nr)
{
	static const uint32_t ranks_ppm[] = {0, 1, 10000, 499999, 500000, 500001, 950000, 990000, 999999, 1000000};
	for (size_t i = 0; i < ARRAY_SIZE(ranks_ppm); i++) {
		/* the nearest rank: the smallest value at or below which this number are */
		uint64_t rank = (nr * ranks_ppm[i] + 999999) / 1000000;
		uint64_t exact = sorted[rank ? rank - 1 : 0], most = sorted[nr - 1], last = last_beside(exact);
		assert_int_equal(histogram_percentile(h, ranks_ppm[i]), last < most ? last : most);
	}
}

/* Percentiles by the nearest rank, against sorted values, of few and of many; and sums are histograms of all values. */
static void test_percentiles(void **state)
{
	enum { MOST = 3000 };
	static const unsigned sizes[] = {1, 2, 3, 7, 20, 100, 101, 1000, MOST};
	uint64_t values[MOST];
	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct histogram *all = new_histogram(), *parts[2] = {new_histogram(), new_histogram()};
		struct rng r;
		rng_init(&r, i, "test", "histogram");
		for (unsigned v = 0; v < sizes[i]; v++) {
			values[v] = rng_below(&r, UINT64_C(1) << rng_below(&r, 45));
			histogram_add(all, values[v]);
			histogram_add(parts[v % 3 == 0], values[v]);
		}
		qsort(values, sizes[i], sizeof(values[0]), compare);
		expect_percentiles(all, values, sizes[i]);
		histogram_merge(parts[0], parts[1]);
		assert_memory_equal(parts[0], all, sizeof(*all));
		free(all);
		free(parts[0]);
		free(parts[1]);
	}
}

TEST_FILE(test_time_histogram)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_values), cmocka_unit_test(test_boundaries),	 cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_largest),	     cmocka_unit_test(test_percentiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
