/* Traces as stays: expanded back they are the trace, and no stay is longer than it may be. */
#include <stdlib.h>
#include <string.h>

#include "tests/helper/random.h"
#include "tests/unit/test.h"
#include "workloads/trace/stays.h"

#define TOP_EPOCHS 2000

/* An epoch of which `nr` are the most that one stay can hold. */
#define EPOCH_NS_FOR(nr) (MAX_STAY_PROGRESS / PROGRESS_PER_NS / (nr))

static uint32_t *make(struct arena *a, const uint8_t *states, uint64_t nr_epochs, uint64_t epoch_ns, uint32_t *nr_stays)
{
	uint8_t *copy = malloc(nr_epochs);

	assert_non_null(copy);
	memcpy(copy, states, nr_epochs);
	uint32_t *stays = stays_make(a, copy, nr_epochs, epoch_ns, nr_stays);
	free(copy);
	assert_non_null(stays);
	return stays;
}

/* The stays of `states` are `expected`, pairs of epochs and state. */
static void expect_stays(const char *name, const uint8_t *states, uint64_t nr_epochs, uint64_t epoch_ns,
			 const uint32_t (*expected)[2], uint32_t nr)
{
	struct arena a = {0};
	uint32_t nr_stays, *stays = make(&a, states, nr_epochs, epoch_ns, &nr_stays);

	if (nr_stays != nr)
		fail_msg("%s: %u stays, not %u", name, nr_stays, nr);
	for (uint32_t i = 0; i < nr; i++)
		if (stay_epochs(stays[i]) != expected[i][0] || stay_state(stays[i]) != expected[i][1])
			fail_msg("%s: stay %u is %u epochs in state %u", name, i, stay_epochs(stays[i]),
				 stay_state(stays[i]));
	arena_release(&a);
}

#define EXPECT(name, epoch_ns, states, ...)                                                                            \
	do {                                                                                                           \
		static const uint32_t expected[][2] = {__VA_ARGS__};                                                   \
		expect_stays(name, (const uint8_t *)(states), sizeof(states) - 1, epoch_ns, expected,                  \
			     ARRAY_SIZE(expected));                                                                    \
	} while (0)

static void test_runs(void **state)
{
	(void)state;
	EXPECT("one epoch", 1000, "\3", {1, 3});
	EXPECT("one state", 1000, "\3\3\3", {3, 3});
	EXPECT("runs are joined", 1000, "\3\3\0\0\0\17", {2, 3}, {3, 0}, {1, 15});
	EXPECT("every epoch another", 1000, "\1\2\1\2", {1, 1}, {1, 2}, {1, 1}, {1, 2});
	EXPECT("the first state is the last", 1000, "\1\1\2\1", {2, 1}, {1, 2}, {1, 1});
}

/* Both sides of the longest stay. */
static void test_longest(void **state)
{
	(void)state;
	EXPECT("one at a time", MAX_EPOCH_NS, "\1\1\2\2\2", {1, 1}, {1, 1}, {1, 2}, {1, 2}, {1, 2});
	EXPECT("as many as fit", EPOCH_NS_FOR(3), "\1\1\1\2", {3, 1}, {1, 2});
	EXPECT("one more", EPOCH_NS_FOR(3), "\1\1\1\1\2", {3, 1}, {1, 1}, {1, 2});
	EXPECT("twice as many as fit", EPOCH_NS_FOR(3), "\1\1\1\1\1\1", {3, 1}, {3, 1});
	EXPECT("twice and one more", EPOCH_NS_FOR(3), "\1\1\1\1\1\1\1\2", {3, 1}, {3, 1}, {1, 1}, {1, 2});
	EXPECT("a ns too long for three", EPOCH_NS_FOR(3) + 1, "\1\1\1", {2, 1}, {1, 1});
}

static void check_random(uint64_t *rng)
{
	static const uint64_t epochs_ns[] = {
		MIN_EPOCH_NS, 10 * NS_PER_MS, EPOCH_NS_FOR(7), EPOCH_NS_FOR(2), EPOCH_NS_FOR(2) + 1, MAX_EPOCH_NS,
	};
	struct arena a = {0};
	uint8_t states[TOP_EPOCHS];
	uint64_t nr_epochs = between(rng, 1, one_in(rng, 2) ? 20 : TOP_EPOCHS), top_run = between(rng, 1, 40);
	uint64_t epoch_ns = PICK(rng, epochs_ns), sum = 0, e = 0, nr_runs = 0;

	while (e < nr_epochs) {
		uint64_t end = e + between(rng, 1, top_run);
		uint8_t s = (uint8_t)between(rng, 0, NR_STATES - 1);
		for (; e < end && e < nr_epochs; e++)
			states[e] = s;
	}
	for (e = 0; e < nr_epochs; e++)
		nr_runs += e == 0 || states[e] != states[e - 1];
	uint32_t nr_stays, *stays = make(&a, states, nr_epochs, epoch_ns, &nr_stays);
	for (uint32_t i = 0; i < nr_stays; i++) {
		uint32_t nr = stay_epochs(stays[i]);
		assert_in_range(nr, 1, nr_epochs - sum);
		assert_true(nr * epoch_ns <= (uint64_t)(MAX_STAY_PROGRESS / PROGRESS_PER_NS));
		for (uint32_t k = 0; k < nr; k++)
			assert_int_equal(states[sum + k], stay_state(stays[i]));
		sum += nr;
	}
	assert_int_equal(sum, nr_epochs);
	if (epoch_ns < NS_PER_S)
		assert_int_equal(nr_stays, nr_runs);
	arena_release(&a);
}

static void test_random(void **state)
{
	uint64_t rng = 1;

	(void)state;
	for (int i = 0; i < 2000; i++)
		check_random(&rng);
}

TEST_FILE(test_stays)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
