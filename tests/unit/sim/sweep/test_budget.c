/* Break-even areas, compared with closed forms: baseline cores have throughput 1, the general one 1.05, specialised
 * ones 1.3, and threads on one core share it. */
#include "sim/sweep/budget.h"

#include <math.h>

#include "sim/base/array.h"
#include "tests/unit/test.h"

#define NEAR 1e-12

enum { GENERAL_5 = 105, SPECIAL_30 = 130 }; /* in % of a baseline core */

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= NEAR))
		fail_msg("%.15g, not %.15g", value, expected);
}

/* All chips of up to `most` cores of each type with `threads` threads, which take the fastest cores; general cores only
 * with their like. */
static struct budget_chips make(uint32_t threads, uint32_t most, struct budget_chip *chips)
{
	struct budget_chips c = {.chips = chips, .nr_types = 3};
	for (uint32_t b = 0; b <= most; b++)
		for (uint32_t g = 0; g <= most; g++)
			for (uint32_t s = 0; s <= most; s++) {
				uint32_t on_s = s < threads ? s : threads, left = threads - on_s;
				uint32_t on_b = b < left ? b : left, on_g = g < threads ? g : threads;
				if (b + g + s == 0 || (g > 0 && b + s > 0))
					continue;
				chips[c.nr++] = (struct budget_chip){
					{b, g, s}, (SPECIAL_30 * on_s + 100 * on_b + GENERAL_5 * on_g) / 100.0};
			}
	return c;
}

/* With one thread one core is enough, so that it may be as large as the budget, but no core is fast enough to beat 1.3.
 */
static void test_one_thread(void **state)
{
	struct budget_chip chips[64];
	const struct budget_chips c = make(1, 2, chips);
	(void)state;
	for (unsigned budget = 1; budget <= 8; budget++) {
		assert_near(budget_break_even(&c, budget, BUDGET_GENERAL, 1), budget);
		assert_near(budget_break_even(&c, budget, BUDGET_SPECIALISED, 1), budget);
		assert_near(budget_break_even(&c, budget, BUDGET_MIXED, 1.05), budget);
		assert_true(isnan(budget_break_even(&c, budget, BUDGET_GENERAL, 1.06)));
	}
	assert_near(budget_break_even(&c, 8, BUDGET_SPECIALISED, 1.3), 8);
	assert_true(isnan(budget_break_even(&c, 8, BUDGET_SPECIALISED, 1.3001)));
}

/* With two threads B / 2 for two cores of a kind; with a baseline core beside a specialised one, B - 1, but only as
 * long as 2.3 is enough. */
static void test_two_threads(void **state)
{
	struct budget_chip chips[64];
	const struct budget_chips c = make(2, 2, chips);
	(void)state;
	for (unsigned budget = 2; budget <= 8; budget++) {
		assert_near(budget_break_even(&c, budget, BUDGET_GENERAL, 2), budget / 2.0);
		assert_near(budget_break_even(&c, budget, BUDGET_SPECIALISED, 2), budget / 2.0);
		assert_near(budget_break_even(&c, budget, BUDGET_MIXED, 2), budget - 1);
		assert_near(budget_break_even(&c, budget, BUDGET_MIXED, 2.3), budget - 1);
		assert_near(budget_break_even(&c, budget, BUDGET_MIXED, 2.31), budget / 2.0);
	}
	/* Rounding does not decide; a millionth does. */
	assert_near(budget_break_even(&c, 4, BUDGET_SPECIALISED, 2.6 * (1 + 1e-12)), 2);
	assert_true(isnan(budget_break_even(&c, 4, BUDGET_SPECIALISED, 2.6 * (1 + 1e-6))));
}

/* The best chip changes right after the break-even area; of equal ones the smaller is taken. */
static void test_best_at(void **state)
{
	struct budget_chip chips[64];
	const struct budget_chips c = make(2, 2, chips);
	const struct {
		const char *name;
		double budget, area;
		enum budget_family family;
		uint32_t counts[3];
		double stp; /* 0: there is none */
	} rows[] = {
		{"baseline", 8, 9, BUDGET_BASELINE, {2, 0, 0}, 2},
		{"general", 4, 2, BUDGET_GENERAL, {0, 2, 0}, 2.1},
		{"general above", 4, 2.000001, BUDGET_GENERAL, {0, 1, 0}, 1.05},
		{"specialised", 4, 2, BUDGET_SPECIALISED, {0, 0, 2}, 2.6},
		{"specialised above", 4, 2.000001, BUDGET_SPECIALISED, {0, 0, 1}, 1.3},
		{"mixed", 4, 2, BUDGET_MIXED, {0, 0, 2}, 2.6},
		{"mixed above", 4, 2.000001, BUDGET_MIXED, {1, 0, 1}, 2.3},
		{"mixed at its end", 4, 3, BUDGET_MIXED, {1, 0, 1}, 2.3},
		{"mixed beyond", 4, 3.000001, BUDGET_MIXED, {0, 0, 1}, 1.3},
		{"none", 4, 4.000001, BUDGET_MIXED, {0}, 0},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct budget_chip *best = budget_best_at(&c, rows[i].budget, rows[i].area, rows[i].family);
		bool is_right = best ? best->stp == rows[i].stp : rows[i].stp == 0;
		for (unsigned t = 0; t < 3 && best; t++)
			is_right &= best->counts[t] == rows[i].counts[t];
		if (!is_right)
			fail_msg("%s", rows[i].name);
	}
}

/* Large chips lose nothing: the ratio of throughputs per core; beside baseline cores, what these leave to the others.
 */
static void test_large(void **state)
{
	struct budget_chip chips[64];
	const struct budget_chips c = make(2, 2, chips);
	(void)state;
	assert_near(budget_break_even_large(&c, 2, BUDGET_GENERAL, 1), 1.05);
	assert_near(budget_break_even_large(&c, 2, BUDGET_SPECIALISED, 1), 1.3);
	assert_near(budget_break_even_large(&c, 2, BUDGET_SPECIALISED, 1.05), 1.3 / 1.05);
	/* Two specialised ones are better than one that is 2.3 / 1.05 - 1. */
	assert_near(budget_break_even_large(&c, 2, BUDGET_MIXED, 1.05), 1.3 / 1.05);
	assert_near(budget_break_even_large(&c, 2, BUDGET_MIXED, 0.9), 2.3 / 0.9 - 1);
	assert_true(isnan(budget_break_even_large(&c, 5, BUDGET_MIXED, 1)));
}

/* By prices of types: an area and a power, and a family that no budget allows. */
static void test_prices(void **state)
{
	struct budget_chip chips[64];
	const struct budget_chips c = make(2, 2, chips);
	struct mix_space prices = {.nr_types = 3, .least = 1, .most = 8, .max_area_mm2 = INFINITY, .max_power_w = 5};
	(void)state;
	prices.types[0] = (struct mix_type){.most = 8, .area_mm2 = 1, .power_w = 2};
	prices.types[1] = (struct mix_type){.most = 8, .area_mm2 = 1, .power_w = 6};
	prices.types[2] = (struct mix_type){.most = 8, .area_mm2 = 3, .power_w = 2.5};
	assert_true(budget_best(&c, &prices, BUDGET_MIXED)->stp == 2.6);
	assert_null(budget_best(&c, &prices, BUDGET_GENERAL));
	prices.max_area_mm2 = 5;
	assert_true(budget_best(&c, &prices, BUDGET_MIXED)->stp == 2.3);
	assert_true(budget_best(&c, &prices, BUDGET_SPECIALISED)->stp == 1.3);
}

TEST_FILE(test_budget)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_thread), cmocka_unit_test(test_two_threads), cmocka_unit_test(test_best_at),
		cmocka_unit_test(test_large),	   cmocka_unit_test(test_prices),
	};
	return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
