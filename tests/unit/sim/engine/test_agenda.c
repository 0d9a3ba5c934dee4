/* The agenda against a search of all times. */
#include "sim/engine/agenda.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

static uint32_t least(const uint64_t *times, uint32_t nr)
{
	uint32_t first = 0;
	for (uint32_t i = 1; i < nr; i++)
		if (times[i] < times[first])
			first = i;
	return first;
}

static void run_random(uint32_t nr, uint64_t top_ns)
{
	struct arena arena;
	struct agenda a;
	uint64_t times[100], rng = random_of_index(7, nr);
	arena_init(&arena);
	assert_true(agenda_init(&a, &arena, nr));
	for (uint32_t i = 0; i < nr; i++) {
		times[i] = NEVER;
		assert_true(agenda_ns(&a, i) == NEVER);
	}
	for (int step = 0; step < 30000; step++) {
		uint32_t i = (uint32_t)between(&rng, 0, nr - 1);
		if (one_in(&rng, 3))
			i = agenda_first(&a);
		times[i] = one_in(&rng, 4) ? NEVER : between(&rng, 0, top_ns);
		agenda_set(&a, i, times[i]);
		assert_true(agenda_ns(&a, i) == times[i]);
		assert_int_equal(agenda_first(&a), least(times, nr));
		assert_true(agenda_first_ns(&a) == times[least(times, nr)]);
	}
	arena_release(&arena);
}

static void test_random_times(void **state)
{
	static const uint32_t sizes[] = {1, 2, 3, 7, 8, 30, 100};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		run_random(sizes[i], 5); /* ties: the lowest number first */
		run_random(sizes[i], UINT64_MAX - 1);
	}
}

TEST_FILE(test_agenda)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
