/* Bursts: against values that an independent implementation gave (Python: hashlib, whole numbers, logarithms of 60
 * digits, rounded down), and against what the distributions are known for. */
#include "workloads/bursts/bursts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/unit/test.h"

#define NR_DRAWS 200000u

static void test_known_draws(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct burst_model model;
		uint64_t seed;
		uint32_t thread;
		uint64_t run_ns[6], sleep_ns[6];
	} rows[] = {
		{"exponential, pareto",
		 {.run = {BURST_EXPONENTIAL, 2000000, 0, 0, 0}, .sleep = {BURST_PARETO, 0, 1000000, 500000000, 1500}},
		 7,
		 3,
		 {327952, 4825229, 3871913, 1269136, 5326024, 489388},
		 {1896832, 2828128, 2167750, 1939239, 4001722, 1769137}},
		{"uniform, the heaviest tail",
		 {.run = {BURST_UNIFORM, 0, 500000, 1000000, 0}, .sleep = {BURST_PARETO, 0, 1, MAX_BURST_NS, 100}},
		 7,
		 0,
		 {634686, 689423, 855620, 941296, 925289, 994868},
		 {UINT64_C(229920069914), 16, 294708, UINT64_C(72198950857), 354416457, UINT64_C(26097412199)}},
		{"the lightest tail, the narrowest bounds",
		 {.run = {BURST_PARETO, 0, 1000, MAX_BURST_NS, 10000}, .sleep = {BURST_PARETO, 0, 1000, 1001, 10000}},
		 1,
		 0,
		 {1146, 1019, 1078, 1156, 0},
		 {1000, 1000, 1000, 1000, 0}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bursts b;
		bursts_init(&b, &rows[i].model, rows[i].seed, rows[i].thread);
		for (size_t n = 0; n < 6 && rows[i].run_ns[n]; n++) {
			struct burst burst = bursts_next(&b);
			if (burst.run_ns != rows[i].run_ns[n] || burst.sleep_ns != rows[i].sleep_ns[n])
				fail_msg("%s: burst %zu is %llu, %llu", rows[i].name, n,
					 (unsigned long long)burst.run_ns, (unsigned long long)burst.sleep_ns);
		}
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Share of the draws that a distribution has below `ns`. */
static double share_below(const struct burst_times *t, double ns)
{
	double alpha = t->alpha_milli / 1000.0, low = (double)t->min_ns, high = (double)t->max_ns;
	switch (t->shape) {
	case BURST_UNIFORM:
		return (ns - low) / (high - low);
	case BURST_EXPONENTIAL:
		return 1 - exp(-ns / (double)t->mean_ns);
	default:
		return (1 - pow(low / ns, alpha)) / (1 - pow(low / high, alpha));
	}
}

/* Every percentile of many draws is where it should be: Kolmogorov and Smirnov, at a bound that chance passes in one
 * case of ten thousand and a fixed seed for ever. */
static void test_distributions(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct burst_times times;
		double mean_ns; /* 0: not looked at, it hangs on few draws */
	} rows[] = {
		{"uniform", {BURST_UNIFORM, 0, 1000, 9000000, 0}, 4500500},
		{"exponential", {BURST_EXPONENTIAL, 4000000, 0, 0, 0}, 4000000},
		{"exponential, long", {BURST_EXPONENTIAL, UINT64_C(10000000000), 0, 0, 0}, 1e10},
		{"pareto 1.5", {BURST_PARETO, 0, 1000000, 500000000, 1500}, 2866000},
		{"pareto 1", {BURST_PARETO, 0, 1000000, 1000000000, 1000}, 6915000},
		{"pareto 0.1", {BURST_PARETO, 0, 1000, MAX_BURST_NS, 100}, 0},
		{"pareto 10", {BURST_PARETO, 0, 1000000, 2000000, 10000}, 1110000},
		{"pareto without a bound in sight", {BURST_PARETO, 0, 1000000, MAX_BURST_NS, 4000}, 1333300},
	};
	uint64_t *draws = malloc(NR_DRAWS * sizeof(*draws));
	assert_non_null(draws);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct burst_model model = {.run = {BURST_FIXED, MIN_BURST_RUN_NS, 0, 0, 0}, .sleep = rows[i].times};
		struct bursts b;
		double sum = 0, worst = 0;
		bursts_init(&b, &model, 1, (uint32_t)i);
		for (unsigned n = 0; n < NR_DRAWS; n++) {
			draws[n] = bursts_next(&b).sleep_ns;
			sum += (double)draws[n];
			assert_true(draws[n] <= MAX_BURST_NS);
			if (rows[i].times.shape != BURST_EXPONENTIAL)
				assert_in_range(draws[n], rows[i].times.min_ns, rows[i].times.max_ns);
		}
		qsort(draws, NR_DRAWS, sizeof(*draws), compare);
		for (unsigned n = 0; n < NR_DRAWS; n++)
			worst = fmax(worst,
				     fabs(share_below(&rows[i].times, (double)draws[n] + 0.5) - (n + 0.5) / NR_DRAWS));
		print_message("%s: largest distance %g, mean %g\n", rows[i].name, worst, sum / NR_DRAWS);
		assert_true(worst < 2.22 / sqrt(NR_DRAWS));
		if (rows[i].mean_ns > 0)
			assert_true(fabs(sum / NR_DRAWS / rows[i].mean_ns - 1) < 0.03);
	}
	free(draws);
}

static void test_fixed_and_bounds(void **state)
{
	(void)state;
	/* Draws that would be too short are raised, and none is too long. */
	struct burst_model model = {.run = {BURST_EXPONENTIAL, MIN_BURST_RUN_NS, 0, 0, 0},
				    .sleep = {BURST_EXPONENTIAL, MAX_BURST_NS, 0, 0, 0}};
	struct bursts b;
	bool raised = false, cut = false;
	bursts_init(&b, &model, 1, 0);
	for (unsigned n = 0; n < 1000; n++) {
		struct burst burst = bursts_next(&b);
		assert_true(burst.run_ns >= MIN_BURST_RUN_NS && burst.sleep_ns <= MAX_BURST_NS);
		raised |= burst.run_ns == MIN_BURST_RUN_NS;
		cut |= burst.sleep_ns == MAX_BURST_NS;
	}
	assert_true(raised && cut);
	/* 0 is a yield, and one value is one value. */
	model = (struct burst_model){.run = {BURST_FIXED, 12345, 0, 0, 0}, .sleep = {BURST_EXPONENTIAL, 0, 0, 0, 0}};
	bursts_init(&b, &model, 1, 0);
	for (unsigned n = 0; n < 10; n++) {
		struct burst burst = bursts_next(&b);
		assert_true(burst.run_ns == 12345 && burst.sleep_ns == 0);
	}
	model.sleep = (struct burst_times){BURST_PARETO, 0, 777, 777, 1500};
	model.run = (struct burst_times){BURST_UNIFORM, 0, 5000, 5000, 0};
	bursts_init(&b, &model, 1, 0);
	for (unsigned n = 0; n < 10; n++) {
		struct burst burst = bursts_next(&b);
		assert_true(burst.run_ns == 5000 && burst.sleep_ns == 777);
	}
}

/* What one thread draws says nothing of another, nor run times of sleep times. */
static void test_streams(void **state)
{
	(void)state;
	struct burst_model model = {.run = {BURST_UNIFORM, 0, 1000, UINT64_C(1000001000), 0},
				    .sleep = {BURST_UNIFORM, 0, 1000, UINT64_C(1000001000), 0}};
	struct burst_model other = {.run = model.run, .sleep = {BURST_FIXED, 1, 0, 0, 0}};
	struct bursts a, same, thread, seed, lone;
	double correlation[3] = {0};
	bursts_init(&a, &model, 1, 0);
	bursts_init(&same, &model, 1, 0);
	bursts_init(&thread, &model, 1, 1);
	bursts_init(&seed, &model, 2, 0);
	bursts_init(&lone, &other, 1, 0);
	for (unsigned n = 0; n < NR_DRAWS; n++) {
		struct burst x = bursts_next(&a), y = bursts_next(&same);
		assert_true(x.run_ns == y.run_ns && x.sleep_ns == y.sleep_ns);
		/* Run times do not hang on how sleep times are drawn. */
		assert_true(bursts_next(&lone).run_ns == x.run_ns);
		double run = ((double)x.run_ns - 5e8) / 1e9;
		correlation[0] += run * ((double)x.sleep_ns - 5e8) / 1e9;
		correlation[1] += run * ((double)bursts_next(&thread).run_ns - 5e8) / 1e9;
		correlation[2] += run * ((double)bursts_next(&seed).run_ns - 5e8) / 1e9;
	}
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs(correlation[i] * 12 / NR_DRAWS) < 4 / sqrt(NR_DRAWS));
}

static void test_lists(void **state)
{
	(void)state;
	static const struct burst list[] = {{1000, 1}, {2000, 2}, {3000, 0}};
	struct burst_model model = {.list = list, .nr = 3, .first = 2};
	struct bursts b;
	bursts_init(&b, &model, 1, 0);
	for (unsigned n = 0; n < 10; n++) {
		struct burst burst = bursts_next(&b);
		assert_true(burst.run_ns == list[(n + 2) % 3].run_ns && burst.sleep_ns == list[(n + 2) % 3].sleep_ns);
	}
	model = (struct burst_model){.list = list, .nr = 1};
	bursts_init(&b, &model, 1, 0);
	assert_true(bursts_next(&b).run_ns == 1000 && bursts_next(&b).run_ns == 1000);
}

TEST_FILE(test_bursts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_draws),
		cmocka_unit_test(test_distributions),
		cmocka_unit_test(test_fixed_and_bounds),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
