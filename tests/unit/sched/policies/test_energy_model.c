/* The energy model: the worked example of the kernel's document, and levels that are never chosen. */
#include "sched/policies/energy_model.h"
#include "sim/base/array.h"
#include "tests/unit/test.h"

/* "cpu_nrg = power * util / capacity", of the kernel's Documentation/scheduler/sched-energy.rst. Two little cores, CPU0
 * and CPU1, and two big ones; the unit of power is 1, here millionths of it. */
#define ONE 1000000
static const struct energy_level little_levels[] = {
	{.capacity = 170, .power_uw = 50 * ONE},
	{.capacity = 341, .power_uw = 150 * ONE},
	{.capacity = 512, .power_uw = 300 * ONE},
};
static const struct energy_level big_levels[] = {
	{.capacity = 512, .power_uw = 400 * ONE},
	{.capacity = 768, .power_uw = 800 * ONE},
	{.capacity = 1024, .power_uw = 1700 * ONE},
};
static const struct energy_table little = {ARRAY_SIZE(little_levels), little_levels};
static const struct energy_table big = {ARRAY_SIZE(big_levels), big_levels};

static u64 domain_power_uw(const struct energy_table *table, u64 util_a, u64 util_b)
{
	return energy_power_uw(table, util_a > util_b ? util_a : util_b, util_a + util_b);
}

/* "CPU0 util_avg 400 (200 of it P), CPU1 100, CPU2 600, CPU3 500": P wakes. The document cuts each term off, and gets
 * 1364, 1485 and 1437; the exact sums are 1365.8, 1486.1 and 1438.8. CPU1 is chosen. */
static void test_worked_example(void **state)
{
	static const struct {
		const char *where;
		u64 util[4];
		u64 tenths;
	} rows[] = {
		{"CPU1", {200, 300, 600, 500}, 13658},
		{"CPU3", {200, 100, 600, 700}, 14861},
		{"CPU0", {400, 100, 600, 500}, 14388},
	};
	u64 found[ARRAY_SIZE(rows)];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const u64 *util = rows[i].util;
		found[i] = domain_power_uw(&little, util[0], util[1]) + domain_power_uw(&big, util[2], util[3]);
		if ((found[i] + ONE / 20) / (ONE / 10) != rows[i].tenths)
			fail_msg("%s: %llu", rows[i].where, (unsigned long long)found[i]);
	}
	assert_true(found[0] < found[2] && found[2] < found[1]);
}

/* "The slowest level with at least the capacity `wanted`; the fastest, if none has it." */
static void test_level(void **state)
{
	static const struct {
		u64 wanted;
		u32 level;
	} rows[] = {{0, 0}, {170, 0}, {171, 1}, {341, 1}, {342, 2}, {512, 2}, {513, 2}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(energy_level_for(&little, rows[i].wanted), rows[i].level);
}

/* "A level is inefficient, and never chosen, when a faster one draws less for the same work." */
static void test_inefficient(void **state)
{
	struct energy_level levels[] = {
		{.capacity = 100, .power_uw = 41}, /* 400 draw 160 */
		{.capacity = 200, .power_uw = 81}, /* 400 draw 160 */
		{.capacity = 300, .power_uw = 120}, {.capacity = 400, .power_uw = 160},
		{.capacity = 500, .power_uw = 300},
	};
	struct energy_level unknown[] = {{.capacity = 1}, {.capacity = 2}};
	const struct energy_table table = {ARRAY_SIZE(levels), levels};

	(void)state;
	energy_find_inefficient(levels, ARRAY_SIZE(levels));
	for (u32 l = 0; l < ARRAY_SIZE(levels); l++)
		assert_int_equal(levels[l].is_inefficient, l < 2);
	assert_int_equal(energy_level_for(&table, 50), 2);
	assert_int_equal(energy_level_for(&table, 401), 4);
	energy_find_inefficient(unknown, ARRAY_SIZE(unknown));
	assert_false(unknown[0].is_inefficient);
}

TEST_FILE(test_energy_model)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_level),
		cmocka_unit_test(test_inefficient),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
