/* The configuration space: which chips there are, and what the best core of one gives. */

#include "cores/chip/study_space.h"
#include "sim/base/array.h"
#include "tests/unit/made_chip.h"

static unsigned nr_cores(const struct space_config *config)
{
	return (unsigned)__builtin_popcount(config->components);
}

/* One core each of 10, 20 or 30 % for some of four components: (4 over k) x 3^k chips have k of them. */
static void test_counts(void **state)
{
	(void)state;
	static const unsigned expected[NR_COMPONENTS + 1] = {1, 12, 54, 108, 81};
	unsigned nr[NR_COMPONENTS + 1] = {0};
	struct space_config configs[NR_SPACE_CONFIGS];
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		configs[i] = space_config_at(i);
		nr[nr_cores(&configs[i])]++;
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			int32_t pct = configs[i].speedup_ppm[c] / PPM_PER_PCT;
			bool has_core = configs[i].components >> c & 1u;
			assert_true(has_core ? pct == 10 || pct == 20 || pct == 30 : pct == 0);
		}
		for (unsigned j = 0; j < i; j++)
			assert_memory_not_equal(configs[i].speedup_ppm, configs[j].speedup_ppm,
						sizeof(configs[i].speedup_ppm));
	}
	assert_memory_equal(nr, expected, sizeof(nr));
	assert_int_equal(NR_SPACE_CONFIGS, 256);
}

static void test_order(void **state)
{
	(void)state;
	static const struct {
		unsigned index;
		int32_t pct[NR_COMPONENTS];
	} rows[] = {
		{0, {0, 0, 0, 0}},   {1, {10, 0, 0, 0}},  {3, {30, 0, 0, 0}},	   {4, {0, 10, 0, 0}},
		{9, {10, 20, 0, 0}}, {64, {0, 0, 0, 10}}, {253, {10, 30, 30, 30}}, {SPACE_CANONICAL, {30, 30, 30, 30}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct space_config config = space_config_at(rows[i].index);
		for (unsigned c = 0; c < NR_COMPONENTS; c++)
			assert_int_equal(config.speedup_ppm[c], rows[i].pct[c] * PPM_PER_PCT);
	}
}

/* Speedups of all states, in % and in the order of their numbers, by hand. */
static void test_best_speedups(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned components;
		int32_t pct[NR_COMPONENTS];
		int32_t expected[NR_STATES];
	} rows[] = {
		{"baseline alone", 0, {0}, {0}},
		{"what has no core gives nothing", 0, {30, 30, 30, 30}, {0}},
		{"branch 20", BRANCH, {20, 0, 0, 0}, {0, 20, 0, 20, 0, 20, 0, 20, 0, 20, 0, 20, 0, 20, 0, 20}},
		{"branch 30, L2 10",
		 BRANCH | L2,
		 {30, 0, 0, 10},
		 {0, 30, 0, 30, 0, 30, 0, 30, 10, 30, 10, 30, 10, 30, 10, 30}},
		{"branch 10, L1D 20, L2 30",
		 BRANCH | L1D | L2,
		 {10, 0, 20, 30},
		 {0, 10, 0, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 30, 30}},
		{"branch 0, others 30",
		 BRANCH | L1I | L1D | L2,
		 {0, 30, 30, 30},
		 {0, 0, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30}},
		{"worse than the baseline core",
		 BRANCH | L1I,
		 {-20, 10, 0, 0},
		 {0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 10, 10}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct space_config config = {.components = rows[i].components};
		int32_t ppm[NR_STATES];
		for (unsigned c = 0; c < NR_COMPONENTS; c++)
			config.speedup_ppm[c] = rows[i].pct[c] * PPM_PER_PCT;
		space_best_speedups(&config, ppm);
		for (unsigned s = 0; s < NR_STATES; s++)
			if (ppm[s] != rows[i].expected[s] * PPM_PER_PCT)
				fail_msg("%s: %s has %d", rows[i].name, state_name(s), ppm[s]);
	}
}

TEST_FILE(test_study_space)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_best_speedups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
