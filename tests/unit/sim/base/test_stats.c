/* Means, percentiles and the bootstrap: against values known exactly, and against what theory says. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/rng.h"
#include "sim/base/stats.h"
#include "tests/unit/test.h"

static void test_mean(void **state)
{
	double same[1000];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		same[i] = 0.1;
	assert_true(stats_mean(same, ARRAY_SIZE(same)) == 0.1);
	assert_true(stats_mean((double[]){3}, 1) == 3);
	assert_true(stats_mean((double[]){1, 2, 6}, 3) == 3);
}

/* Places p % of n - 1 after the smallest, and between them. */
static void test_percentile(void **state)
{
	double values[] = {40, 10, 30, 20};

	(void)state;
	stats_sort(values, 4);
	assert_true(values[0] == 10 && values[3] == 40);
	assert_true(stats_percentile(values, 4, 0) == 10);
	assert_true(stats_percentile(values, 4, 100) == 40);
	assert_true(stats_percentile(values, 4, 50) == 25);
	assert_true(stats_percentile(values, 4, 25) == 17.5);
	assert_true(stats_percentile(values, 1, 97.5) == 10);
}

/* Equal values have exactly theirs, whatever their last bits, and however many. */
static void test_geometric_of_equal_values(void **state)
{
	static const double values[] = {
		1,     1.3, 0.1, 1 - DBL_EPSILON / 2, 1 + DBL_EPSILON, 2 - DBL_EPSILON, 1.0 / 3, 1e6, 0.987654321098765,
		1e-300};
	double same[257];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(same); k++)
			same[k] = values[i];
		for (size_t nr = 1; nr <= ARRAY_SIZE(same); nr = nr < 4 ? nr + 1 : nr * 4 + 1)
			if (stats_geometric_mean(same, nr) != values[i])
				fail_msg("%zu times %.17g: %.17g", nr, values[i], stats_geometric_mean(same, nr));
	}
}

static void test_geometric_of_powers(void **state)
{
	(void)state;
	assert_true(stats_geometric_mean((double[]){1, 4}, 2) == 2);
	assert_true(stats_geometric_mean((double[]){8, 0.125}, 2) == 1);
	assert_true(stats_geometric_mean((double[]){2, 1, 0.5}, 3) == 1);
	assert_true(stats_geometric_mean((double[]){1, 8, 64}, 3) == 8);
	assert_true(stats_geometric_mean((double[]){0.25, 0.25, 0.25, 64}, 4) == 1);
	assert_true(stats_geometric_mean((double[]){0x1p-400, 0x1p400, 0x1p-400, 0x1p400}, 4) == 1);
	assert_true(stats_geometric_mean((double[]){3, 0, 5}, 3) == 0);
}

/* Against a sum of logarithms in higher precision; whatever the order of the values. */
static void test_geometric_of_others(void **state)
{
	enum { MOST = 300 };
	double values[MOST];
	struct rng r;

	(void)state;
	rng_init(&r, 1, "test", "geometric");
	for (unsigned round = 0; round < 200; round++) {
		size_t nr = 2 + rng_below(&r, MOST - 1);
		long double sum = 0;
		for (size_t i = 0; i < nr; i++) {
			values[i] = 0.01 + (double)rng_below(&r, 2000000) / 1e6;
			sum += logl((long double)values[i]);
		}
		double expected = (double)expl(sum / (long double)nr), found = stats_geometric_mean(values, nr);
		if (!(fabs(found - expected) <= 4 * DBL_EPSILON * expected))
			fail_msg("%zu values: %.17g, not %.17g", nr, found, expected);
	}
	/* The same bytes on every machine. */
	assert_true(stats_geometric_mean((double[]){1.1, 1.25, 0.9, 1.3}, 4) == 0x1.204fc48a6c9bp+0);
}

static struct stats_interval bootstrap(const double *values, size_t nr, uint64_t seed, const char *what)
{
	struct stats_interval interval;
	assert_int_equal(stats_bootstrap(values, nr, seed, what, &interval, NULL), SAHM_OK);
	return interval;
}

/* Without spread there is no doubt. */
static void test_bootstrap_of_equal_values(void **state)
{
	static const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};

	(void)state;
	struct stats_interval i = bootstrap(same, ARRAY_SIZE(same), 7, "same");
	assert_true(i.mean == 0.1 && i.low == 0.1 && i.high == 0.1);
	i = bootstrap((double[]){-3}, 1, 7, "one");
	assert_true(i.mean == -3 && i.low == -3 && i.high == -3);
}

/* The same seed and name draw the same; another of either draws otherwise. */
/* Strata count the same, whatever their sizes: pooled, the mean would be 1.5. */
static void test_bootstrap_of_strata(void **state)
{
	static const double values[] = {1, 1, 1, 3, 2, 4};
	static const size_t apart[] = {3, 1}, both[] = {4, 2};
	struct stats_interval i, one;
	(void)state;
	assert_int_equal(stats_bootstrap_strata(values, apart, 2, 1, "x", &i, NULL), SAHM_OK);
	assert_true(i.mean == 2 && i.low == 2 && i.high == 2);
	/* Within a stratum values vary: from (1 + 2) / 2 to (3 + 4) / 2 at most. */
	assert_int_equal(stats_bootstrap_strata(values, both, 2, 1, "x", &i, NULL), SAHM_OK);
	assert_true(i.mean == (1.5 + 3) / 2 && i.low >= 1.5 && i.low < i.mean && i.high > i.mean && i.high <= 3.5);
	assert_int_equal(stats_bootstrap_strata(values, (const size_t[]){6}, 1, 1, "x", &i, NULL), SAHM_OK);
	assert_int_equal(stats_bootstrap(values, 6, 1, "x", &one, NULL), SAHM_OK);
	assert_memory_equal(&i, &one, sizeof(i));
}

static struct stats_interval of_samples(const double *values, const size_t *sizes, size_t nr)
{
	struct stats_interval interval;
	assert_int_equal(stats_of_samples(values, sizes, nr, 1, "x", &interval, NULL), SAHM_OK);
	return interval;
}

static void near_to(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-6))
		fail_msg("%.9f, not %.9f", value, expected);
}

/* Computed by hand. Drawn: 1, 2, 3, of mean 2, variance 1, and 4.302653 / sqrt(3) beside it; the first counts only for
 * the mean. In strata of means 2 and 5 and variances of means 1/3 and 1: sqrt(4/3) / 2 times 12.706205 or, where both
 * have two degrees of freedom, 4.302653. */
static void test_few_samples(void **state)
{
	static const double one[] = {10, 1, 2, 3};
	static const double two[] = {10, 1, 2, 3, 7, 5, 4, 6}, last[] = {7, 1, 2, 3, 9, 4, 6};
	(void)state;
	struct stats_interval i = of_samples(one, (const size_t[]){4}, 1);
	assert_true(i.mean == 4);
	near_to(i.low, 2 - 2.484138);
	near_to(i.high, 2 + 2.484138);
	i = of_samples(two, (const size_t[]){4, 4}, 2);
	assert_true(i.mean == (4 + 5.5) / 2);
	near_to(i.low, 3.5 - 4.302653 * sqrt(2.0 / 3) / 2);
	near_to(i.high, 3.5 + 4.302653 * sqrt(2.0 / 3) / 2);
	i = of_samples(last, (const size_t[]){4, 3}, 2);
	near_to(i.low, 3.5 - 12.706205 * sqrt(4.0 / 3) / 2);
	/* A stratum of one sample adds no doubt. */
	i = of_samples(one, (const size_t[]){1, 3}, 2);
	assert_true(i.mean == (10 + 2) / 2.0);
	near_to(i.low, (10 + 2.5 - 12.706205 * 0.5) / 2);
	/* Nothing drawn, or one. */
	assert_true(isnan(of_samples(one, (const size_t[]){1}, 1).low));
	i = of_samples(one, (const size_t[]){2}, 1);
	assert_true(i.mean == 5.5 && isnan(i.low) && isnan(i.high));
}

/* From ten drawn samples on it is the bootstrap of these. */
static void test_many_samples(void **state)
{
	static const double values[] = {50, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	(void)state;
	struct stats_interval i = of_samples(values, (const size_t[]){11}, 1),
			      drawn = bootstrap(values + 1, 10, 1, "x");
	assert_true(i.low == drawn.low && i.high == drawn.high);
	near_to(i.mean, 105.0 / 11);
	i = of_samples(values, (const size_t[]){10}, 1);
	near_to(i.low, 5 - 2.306004 * sqrt(7.5 / 9));
}

/* As many of the intervals of few normal samples cover their mean as they say. */
static void test_few_samples_cover(void **state)
{
	(void)state;
	for (size_t nr = 3; nr <= 10; nr++) {
		struct rng rng;
		unsigned covers = 0;
		rng_init(&rng, nr, "few", "samples");
		for (unsigned round = 0; round < 4000; round++) {
			double values[10] = {100};
			for (size_t k = 1; k < nr; k++)
				for (unsigned d = 0; d < 12; d++)
					values[k] += (double)rng_below(&rng, 1001) / 1000 - 0.5;
			struct stats_interval i = of_samples(values, &nr, 1);
			covers += i.low <= 0 && i.high >= 0;
		}
		if (covers < 3760 || covers > 3840)
			fail_msg("of %zu samples: %u of 4000", nr, covers);
	}
}

static void test_bootstrap_follows_seed(void **state)
{
	static const double values[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

	(void)state;
	struct stats_interval a = bootstrap(values, 10, 1, "x"), b = bootstrap(values, 10, 1, "x");
	assert_memory_equal(&a, &b, sizeof(a));
	b = bootstrap(values, 10, 2, "x");
	assert_true(a.mean == b.mean && (a.low != b.low || a.high != b.high));
	b = bootstrap(values, 10, 1, "y");
	assert_true(a.low != b.low || a.high != b.high);
	/* The same bytes on every machine. */
	assert_true(a.mean == 102.3);
	assert_true(a.low == 0x1.599999999999ap+4 && a.high == 0x1.b0eccccccccd5p+7);
}

/* Bounds lie on both sides of the mean, equally far where the values do. */
static void test_bootstrap_is_balanced(void **state)
{
	double values[101];

	(void)state;
	for (int i = 0; i < 101; i++)
		values[i] = i - 50;
	struct stats_interval i = bootstrap(values, 101, 3, "balanced");
	assert_true(i.mean == 0);
	/* Standard error 2.915 (deviation 29.15 of 101 values, in tenths), times 1.96: 5.69. */
	assert_true(i.low < -5 && i.low > -6.4);
	assert_true(i.high > 5 && i.high < 6.4);
	assert_true(fabs(i.low + i.high) < 0.8);
}

/* Of many samples of a known distribution, about 95 % have the true mean between their bounds. */
static void test_bootstrap_covers(void **state)
{
	enum { ROUNDS = 300, NR = 40 };
	unsigned nr_covering = 0;
	double values[NR];
	struct rng r;

	(void)state;
	rng_init(&r, 5, "test", "coverage");
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < NR; i++)
			values[i] = (double)rng_below(&r, 1000001) / 1e6;
		struct stats_interval interval = bootstrap(values, NR, round, "coverage");
		nr_covering += interval.low <= 0.5 && 0.5 <= interval.high;
	}
	if (nr_covering < ROUNDS * 89 / 100 || nr_covering > ROUNDS * 99 / 100)
		fail_msg("%u of %u", nr_covering, ROUNDS);
}

static struct stats_interval ratio(const double *parts, const double *wholes, size_t nr, uint64_t seed)
{
	struct stats_interval interval;
	assert_int_equal(stats_bootstrap_ratio(parts, wholes, nr, 1000, seed, "ratio", &interval, NULL), SAHM_OK);
	return interval;
}

/* Pairs stay together: each has the ratio 2. One pair has no interval. */
static void test_ratio_of_pairs(void **state)
{
	static const double parts[] = {2, 40, 6, 0.5}, wholes[] = {1, 20, 3, 0.25};
	(void)state;
	struct stats_interval i = ratio(parts, wholes, 4, 1);
	assert_true(i.mean == 2 && i.low == 2 && i.high == 2);
	i = ratio((double[]){3}, (double[]){4}, 1, 1);
	assert_true(i.mean == 0.75 && isnan(i.low) && isnan(i.high));
	/* That of the sums, not the mean of ratios. */
	i = ratio((double[]){1, 30}, (double[]){1, 10}, 2, 1);
	assert_true(i.mean == 31.0 / 11 && i.low == 1 && i.high == 3);
}

/* A pair of mean ratio 1.1, nearly normal; or of 1.06 and skewed, as gains of programs are: most have little, a few up
 * to 30 %, and one weighs up to ten times what another one does. */
static void draw_pair(struct rng *r, bool is_skewed, double *part, double *whole)
{
	double sum = -6, u = (double)rng_below(r, 1000001) / 1e6;
	*whole = 1;
	for (unsigned k = 0; k < 12; k++)
		sum += (double)rng_below(r, 1000001) / 1e6;
	if (is_skewed)
		*whole = (double)(1 + rng_below(r, 10));
	*part = *whole * (is_skewed ? 1 + 0.3 * u * u * u * u : 1.1 + 0.1 * sum);
}

/* Of many samples from a known distribution, 95 % have the true ratio between their bounds; of five values 92 %, since
 * no resample is beyond the smallest or largest of them. Of skewed values with unequal weights they are fewer. */
static void test_ratio_covers(void **state)
{
	enum { ROUNDS = 1500, MAX = 40 };
	static const struct {
		size_t nr;
		bool is_skewed;
		unsigned pct;
	} rows[] = {{5, false, 92}, {10, false, 95}, {26, false, 95}, {40, false, 95},
		    {5, true, 85},  {12, true, 90},  {26, true, 92}};
	double parts[MAX], wholes[MAX];
	struct rng r;
	(void)state;
	rng_init(&r, 11, "test", "coverage of ratios");
	for (size_t s = 0; s < ARRAY_SIZE(rows); s++) {
		unsigned nr_covering = 0, expected = ROUNDS * rows[s].pct / 100;
		for (unsigned round = 0; round < ROUNDS; round++) {
			double truth = rows[s].is_skewed ? 1.06 : 1.1;
			for (size_t i = 0; i < rows[s].nr; i++)
				draw_pair(&r, rows[s].is_skewed, &parts[i], &wholes[i]);
			struct stats_interval i = ratio(parts, wholes, rows[s].nr, round);
			nr_covering += i.low <= truth && truth <= i.high;
		}
		/* 3.5 standard deviations of a number of 1,500 at 95 %: 30, at 78 %: 56. */
		unsigned far = rows[s].pct < 90 ? 56 : 30;
		if (nr_covering < expected - far || nr_covering > expected + far)
			fail_msg("%zu pairs: %u of %u", rows[s].nr, nr_covering, ROUNDS);
	}
}

TEST_FILE(test_stats)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean),
		cmocka_unit_test(test_percentile),
		cmocka_unit_test(test_geometric_of_equal_values),
		cmocka_unit_test(test_geometric_of_powers),
		cmocka_unit_test(test_geometric_of_others),
		cmocka_unit_test(test_bootstrap_of_equal_values),
		cmocka_unit_test(test_bootstrap_of_strata),
		cmocka_unit_test(test_few_samples),
		cmocka_unit_test(test_many_samples),
		cmocka_unit_test(test_few_samples_cover),
		cmocka_unit_test(test_bootstrap_follows_seed),
		cmocka_unit_test(test_bootstrap_is_balanced),
		cmocka_unit_test(test_bootstrap_covers),
		cmocka_unit_test(test_ratio_of_pairs),
		cmocka_unit_test(test_ratio_covers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
