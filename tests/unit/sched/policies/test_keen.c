/* What the policy `keen` does, in short runs by the whole simulator, and what it learns of a thread. */
#include <string.h>

#include "sched/policies/outlook.h"
#include "sim/base/rng.h"
#include "tests/unit/made_run.h"
#include "tests/unit/test.h"

#define BOTH (L1D | L2)

static const uint8_t all_both[] = {BOTH};

/* Thread 0, stressed in two components, holds the only core that thread 2 could use; the other core that would serve
 * it has thread 1, in Low. Only if all three move, all are where they gain. */
static void test_chain(void **state)
{
	static const struct way ways[] = {{L2, 30}, {L1D, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_both, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(1), .steps = 20}, &o);
	for (uint32_t t = 0; t < 3; t++) {
		assert_int_equal(o.threads[t].migrations, 1);
		assert_int_equal(o.threads[t].paid_ns, MS(1));
	}
	assert_int_equal(o.threads[0].served, 20);
	assert_int_equal(o.threads[1].matched, 19);
	assert_int_equal(o.threads[2].served, 19);
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(1), .steps = 20}, &o);
	assert_int_equal(o.threads[2].served, 0);
}

/* A thread in Low stays where it is, on whatever core, until that is wanted. */
static void test_low_stays(void **state)
{
	static const uint8_t low_then_l2[] = {LOW, L2};
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {L1D, 30}};
	static const struct sim_thread calm[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100))};
	static const struct sim_thread wanted[] = {TRACE(all_low, MS(100)), TRACE(low_then_l2, MS(200))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(calm), .policy = "keen", .steps = 50}, &o);
	assert_int_equal(o.whole.decisions, 0);
	simulate(&(struct setup){CORES(ways), THREADS(wanted), .policy = "keen", .cost_ns = MS(1), .steps = 40}, &o);
	assert_int_equal(o.threads[0].migrations, 1);
	assert_int_equal(o.threads[1].migrations, 1);
	/* first seen a timestep after it began; the remaining 190 ms take 1 + 146.2 */
	assert_int_equal(o.threads[1].served, 15);
}

/* Equal gains: nobody moves although it is free; nor does one who would gain move into the place of one who gains as
 * much, when it is not. */
static void test_ties_stay(void **state)
{
	static const struct way ways[] = {{L2, 30}, {L2, 30}, {L1D, 30}, {L1D, 30}, {BASE, 0}};
	static const struct sim_thread alike[] = {TRACE(all_l2, MS(100)), TRACE(all_both, MS(100)),
						  TRACE(all_l1d, MS(100)), TRACE(all_both, MS(100))};
	static const struct sim_thread rivals[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
						   TRACE(all_l1d, MS(100)), TRACE(all_l1d, MS(100)),
						   TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(alike), .policy = "keen", .steps = 100}, &o);
	assert_int_equal(o.whole.decisions, 0);
	simulate(&(struct setup){CORES(ways), THREADS(rivals), .policy = "keen", .cost_ns = MS(1), .steps = 500}, &o);
	assert_int_equal(o.whole.decisions, 0);
}

/* From 29 % to 30 % is not worth a move that costs, and worth one that does not. */
static void test_cost_above_gain(void **state)
{
	static const struct way ways[] = {{L2, 29}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(9), .steps = 100}, &o);
	assert_int_equal(o.threads[0].migrations, 0);
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .steps = 100}, &o);
	assert_int_equal(o.threads[0].migrations, 1);
}

/* A program that is mostly in L2, with short stays elsewhere: once it is known, those are sat out. It is worth more
 * than following each, which is what `sahm-strict` does. */
static void test_sits_short_stays_out(void **state)
{
	static const uint8_t mostly_l2[] = {L2, L2, L2, BRANCH, L2, L2, L2, L2, BRANCH, L2, L2, BRANCH};
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {BRANCH, 30}};
	static const struct sim_thread threads[] = {TRACE(mostly_l2, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_low, MS(100))};
	struct outcome keen, strict;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm-strict", .cost_ns = MS(9),
				 .steps = 6000},
		 &strict);
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(9), .steps = 6000},
		 &keen);
	assert_true(strict.threads[0].migrations > 200);
	assert_in_range(keen.threads[0].migrations, 1, 20);
	uint64_t all_keen = 0, all_strict = 0;
	for (int t = 0; t < 3; t++) {
		all_keen += keen.threads[t].completed_ns;
		all_strict += strict.threads[t].completed_ns;
	}
	assert_true(all_keen > all_strict);
}

/* Where it costs nothing, every change is followed. */
static void test_follows_for_nothing(void **state)
{
	static const uint8_t mostly_l2[] = {L2, L2, L2, BRANCH};
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {BRANCH, 30}};
	static const struct sim_thread threads[] = {TRACE(mostly_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .oracle = true, .steps = 1000}, &o);
	assert_int_equal(o.threads[0].served, o.threads[0].executed);
}

/* With two threads to a core, heads change places with heads; each core's turns stay its own. */
static void test_more_threads_than_cores(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_l2, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(1), .steps = 200}, &o);
	for (uint32_t t = 0; t < 4; t++) {
		assert_int_equal(o.threads[t].migrations, 1);
		assert_int_equal(o.threads[t].executed, 100);
	}
	assert_true(o.threads[0].served >= 98 && o.threads[2].served >= 98);
}

/* A small gain that lasts is worth a move, however large the largest speedup of the chip: one thread has the core of
 * 60 %, and the other goes to that of 5 %. */
static void test_small_gain_that_lasts(void **state)
{
	static const struct way ways[] = {{BRANCH, 60}, {BASE, 0}, {BRANCH, 5}};
	static const struct sim_thread threads[] = {TRACE(all_branch, MS(100)), TRACE(all_branch, MS(100))};
	struct outcome o;

	(void)state;
	for (uint64_t cost_ns = MS(1); cost_ns <= MS(9); cost_ns += MS(1)) {
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = cost_ns,
					 .steps = 1000},
			 &o);
		assert_int_equal(o.threads[0].migrations, 0);
		assert_int_equal(o.threads[1].migrations, 1);
		assert_true(o.threads[1].served > 900);
	}
}

/* The same where the core has to be left by one who gains nothing there: who makes room for long pays for long. */
static void test_makes_room_for_small_gain(void **state)
{
	static const struct way ways[] = {{L2, 5}, {BASE, 0}, {BRANCH, 60}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_l2, MS(100)),
						    TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(9), .steps = 1000}, &o);
	assert_int_equal(o.threads[0].migrations, 1);
	assert_int_equal(o.threads[1].migrations, 1);
	assert_int_equal(o.threads[2].migrations, 0);
	assert_true(o.threads[1].served > 900);
}

/* Two queues whose heads alternate in step: who gains on the other core is never head together with the one who would
 * make room for nothing. So it trades places with that one while it waits. */
static void test_waiting_threads_trade(void **state)
{
	static const struct way ways[] = {{L2, 60}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(1), .steps = 1000}, &o);
	assert_int_equal(o.whole.decisions, 1);
	assert_in_range(o.threads[2].served, 490, 500);
	assert_in_range(o.threads[3].served, 490, 500);
}

/* All times multiplied: the same, with all that is counted in time multiplied, but for whole ns. */
static void test_time_scale(void **state)
{
	static const uint8_t some[] = {L2, L2, BRANCH, L2, LOW, BRANCH, BRANCH}, others[] = {BRANCH, LOW, LOW, L2, L1D};
	static const struct way ways[] = {{BASE, 0}, {L2, 37}, {BRANCH, 11}};
	struct outcome first, o;

	(void)state;
	for (uint64_t scale = 1; scale <= 100; scale *= 10) {
		const struct sim_thread threads[] = {TRACE(some, MS(70) * scale), TRACE(others, MS(110) * scale),
						     TRACE(some, MS(130) * scale)};
		struct made_chip made;
		struct sahm_err err;
		struct sim_config config = config_of(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen",
								     .cost_ns = MS(3) * scale, .steps = 3000},
						     &made);
		config.timestep_ns *= scale;
		config.duration_ns *= scale;
		assert_int_equal(sim_run(&config, &o.whole, o.threads, o.cores, &err), SAHM_OK);
		first = scale == 1 ? o : first;
		assert_int_equal(o.whole.decisions, first.whole.decisions);
		for (int t = 0; t < 3; t++) {
			assert_int_equal(o.threads[t].served, first.threads[t].served);
			assert_in_range(o.threads[t].completed_ns, (first.threads[t].completed_ns - 1) * scale,
					(first.threads[t].completed_ns + 1) * scale);
		}
	}
}

/* Two tenants: what the threads of one do, and its cores, changes nothing for the other. */
static void test_tenants(void **state)
{
	static const uint64_t mine[] = {0x3}, theirs[] = {0xc};
	static const struct way ways[] = {{BASE, 0}, {L2, 20}, {BRANCH, 60}, {L2, 30}};
	static const struct way others[] = {{BASE, 0}, {L2, 20}, {BASE, 0}, {BRANCH, 5}};
	static const uint8_t some[] = {L2, L2, LOW, L2, LOW, LOW, LOW, L2}, busy[] = {BRANCH, L2, LOW, L2, BRANCH};
	const struct sim_thread before[] = {
		{.states = some, .nr_epochs = sizeof(some), .epoch_ns = MS(100), .allowed = mine},
		{.states = some, .nr_epochs = 7, .epoch_ns = MS(100), .allowed = mine},
		{.states = busy, .nr_epochs = sizeof(busy), .epoch_ns = MS(30), .allowed = theirs},
		{.states = some, .nr_epochs = 5, .epoch_ns = MS(500), .allowed = theirs},
	};
	const struct sim_thread after[] = {
		before[0],
		before[1],
		before[3],
		{.states = all_branch, .nr_epochs = 1, .epoch_ns = MS(10), .allowed = theirs}};
	struct outcome a, b;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(before), .policy = "keen", .cost_ns = MS(5), .steps = 3000}, &a);
	simulate(&(struct setup){CORES(others), THREADS(after), .policy = "keen", .cost_ns = MS(5), .steps = 3000}, &b);
	for (int t = 0; t < 2; t++) {
		assert_true(a.threads[t].migrations > 0);
		assert_int_equal(a.threads[t].migrations, b.threads[t].migrations);
		assert_int_equal(a.threads[t].completed_ns, b.threads[t].completed_ns);
	}
}

/* The core of a thread that sleeps: kept for it for what four moves cost, then somebody else's. */
static void test_sleeper_keeps_its_core(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct burst shortly[] = {{MS(30), MS(10)}}, long_after[] = {{MS(30), MS(500)}};
	static const struct burst_model naps = {.list = shortly, .nr = 1}, sleeps = {.list = long_after, .nr = 1};
	struct outcome o;

	(void)state;
	for (int is_long = 0; is_long < 2; is_long++) {
		const struct sim_thread threads[] = {
			{.states = all_l2, .nr_epochs = 1, .epoch_ns = MS(100), .bursts = is_long ? &sleeps : &naps},
			TRACE(all_l2, MS(100)),
		};
		simulate(
			&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(9), .steps = 50},
			&o);
		assert_true(is_long ? o.threads[1].migrations > 0 : o.threads[1].migrations == 0);
		assert_true(is_long || o.threads[0].migrations == 0);
	}
}

/* The outlook of a thread that has been in `state` for this number of looks. */
static void outlook_of(const struct outlook_common *common, const struct outlook_thread *th, u32 state, u32 nr_looks,
		       u32 *share)
{
	u32 stay[NR_HORIZONS], after[NR_HORIZONS][NR_STATES];

	outlook_stay(common, th, state, nr_looks, stay);
	outlook_after(common, th, state, after);
	for (u32 i = 0; i < NR_STATES; i++)
		share[i] = (u32)((u64)after[0][i] * (OUTLOOK_ONE - stay[0]) / OUTLOOK_ONE) + (i == state ? stay[0] : 0);
}

static u32 sum_of(const u32 *share)
{
	u32 sum = 0;
	for (u32 i = 0; i < NR_STATES; i++)
		sum += share[i];
	return sum;
}

/* Stays of 100 ms, two states by turns: the look is found, and after one comes the other. */
/* The core of a thread that has left is kept for nobody: who waits for it has it from the next timestep on. */
static void test_leaver_keeps_nothing(void **state)
{
	static const uint8_t short_l2[] = {L2};
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	const struct sim_thread threads[] = {{.states = short_l2, .nr_epochs = 1, .epoch_ns = MS(26), .once = true},
					     TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "keen", .cost_ns = MS(1), .steps = 20}, &o);
	/* 26 ms take 20 ms there: two timesteps. */
	assert_int_equal(o.threads[0].executed, 2);
	assert_int_equal(o.threads[1].migrations, 1);
	assert_int_equal(o.threads[1].served, 18);
}

static void test_outlook_turns(void **state)
{
	static struct outlook_common common;
	static struct outlook_thread th;
	u32 share[NR_STATES];

	(void)state;
	memset(&common, 0, sizeof(common));
	memset(&th, 0, sizeof(th));
	outlook_init(&common, MS(170), MS(500));
	for (int i = 0; i < 201; i++)
		outlook_learn(&common, &th, i % 2 ? L2 : BRANCH, i % 2 ? BRANCH : L2, MS(100));
	assert_int_equal(common.look, MS(100));
	outlook_of(&common, &th, L2, 0, share);
	/* by turns, weighed by 2^-(100/170) = 0.665 each: 1 / 1.665 of what is ahead */
	assert_in_range(share[L2], OUTLOOK_ONE * 58 / 100, OUTLOOK_ONE * 63 / 100);
	assert_in_range(share[BRANCH], OUTLOOK_ONE * 37 / 100, OUTLOOK_ONE * 42 / 100);
	assert_in_range(sum_of(share), OUTLOOK_ONE - OUTLOOK_ONE / 50, OUTLOOK_ONE);
}

/* Stays of one look or of ten, as it happens: who has outlasted one look has many ahead. */
static void test_outlook_ages(void **state)
{
	static struct outlook_common common;
	static struct outlook_thread th;
	u32 share[NR_STATES];
	struct rng r;

	(void)state;
	memset(&common, 0, sizeof(common));
	memset(&th, 0, sizeof(th));
	rng_init(&r, 1, "test", "outlook");
	outlook_init(&common, MS(170), MS(100));
	for (int i = 0; i < 200; i++) {
		outlook_learn(&common, &th, L2, BRANCH, rng_below(&r, 2) ? MS(1000) : MS(100));
		outlook_learn(&common, &th, BRANCH, L2, MS(100));
	}
	th.looks = 0;
	outlook_of(&common, &th, L2, 0, share);
	u32 fresh = share[L2];
	outlook_of(&common, &th, L2, 1, share);
	assert_true(share[L2] > fresh + OUTLOOK_ONE / 10);
	assert_in_range(sum_of(share), OUTLOOK_ONE - OUTLOOK_ONE / 50, OUTLOOK_ONE);
}

/* A program that repeats itself: each stay's length is foreseen, although the counts would not suffice. */
static void test_outlook_patterns(void **state)
{
	static const struct {
		u32 in;
		u64 looks;
	} stays[] = {{L2, 1}, {BRANCH, 1}, {L2, 5}, {L1D, 1}, {L2, 1}, {L1D, 2}, {BRANCH, 1}};
	static struct outlook_common common;
	static struct outlook_thread th;
	const size_t nr = ARRAY_SIZE(stays);

	(void)state;
	memset(&common, 0, sizeof(common));
	memset(&th, 0, sizeof(th));
	outlook_init(&common, MS(100), MS(100));
	for (size_t i = 0; i < 10 * nr; i++) {
		if (i >= 4 * nr) {
			/* half-life of a look: the rest of a stay of n has 1 - 2^-n of the outlook */
			u32 share[NR_HORIZONS], expected = OUTLOOK_ONE - (OUTLOOK_ONE >> stays[i % nr].looks);
			outlook_stay(&common, &th, stays[i % nr].in, 0, share);
			assert_in_range(share[0], expected - OUTLOOK_ONE / 100, expected + OUTLOOK_ONE / 100);
		}
		outlook_learn(&common, &th, stays[i % nr].in, stays[(i + 1) % nr].in, MS(100) * stays[i % nr].looks);
	}
}

/* Nothing learnt, stays of any length, for long: shares stay shares. */
static void test_outlook_bounds(void **state)
{
	static struct outlook_common common;
	static struct outlook_thread th;
	u32 share[NR_STATES];

	(void)state;
	memset(&common, 0, sizeof(common));
	memset(&th, 0, sizeof(th));
	outlook_init(&common, 1, 1);
	outlook_of(&common, &th, 3, 0, share);
	assert_true(sum_of(share) <= OUTLOOK_ONE + OUTLOOK_ONE / 1000);
	outlook_init(&common, MS(100), MS(100));
	for (u64 i = 0; i < 100000; i++) {
		u64 stay_ns = (i * i * 2654435761u) >> (i % 60);
		outlook_learn(&common, &th, (u32)(i * 7 % 16), (u32)((i + 1) * 7 % 16), stay_ns);
		outlook_of(&common, &th, (u32)((i + 1) * 7 % 16), (u32)(i % 70), share);
		assert_true(sum_of(share) <= OUTLOOK_ONE + OUTLOOK_ONE / 1000);
		assert_true(common.look > 0);
	}
}

TEST_FILE(test_keen)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_low_stays),
		cmocka_unit_test(test_ties_stay),
		cmocka_unit_test(test_cost_above_gain),
		cmocka_unit_test(test_sits_short_stays_out),
		cmocka_unit_test(test_follows_for_nothing),
		cmocka_unit_test(test_more_threads_than_cores),
		cmocka_unit_test(test_small_gain_that_lasts),
		cmocka_unit_test(test_makes_room_for_small_gain),
		cmocka_unit_test(test_waiting_threads_trade),
		cmocka_unit_test(test_time_scale),
		cmocka_unit_test(test_tenants),
		cmocka_unit_test(test_sleeper_keeps_its_core),
		cmocka_unit_test(test_leaver_keeps_nothing),
		cmocka_unit_test(test_outlook_turns),
		cmocka_unit_test(test_outlook_ages),
		cmocka_unit_test(test_outlook_patterns),
		cmocka_unit_test(test_outlook_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
