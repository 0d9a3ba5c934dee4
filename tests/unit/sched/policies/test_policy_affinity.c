/* The policy `affinity`: the best core for the whole trace, once and for all. */
#include "tests/helper/random.h"
#include "tests/unit/sched/policies/made_policy_run.h"

/* Half of each epoch's length would do as well: frequency counts. */
static const uint8_t mostly_branch[] = {BRANCH, BRANCH, L2, BRANCH}, mostly_l2[] = {L2, L2, BRANCH, L2},
		     some_l2[] = {LOW, LOW, L2, LOW};

static void run(const struct setup *setup, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "affinity";
	run_policy(&with_policy, 1, NULL, o);
}

static void test_goes_to_the_best_core_and_stays(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {BRANCH, 30}};
	static const struct sim_thread threads[] = {TRACE(mostly_branch, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(mostly_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .cost_ns = MS(1), .steps = 400}, &o);
	for (uint32_t t = 0; t < 3; t++) {
		assert_int_equal(o.threads[t].migrations, 1);
		assert_int_equal(o.threads[t].paid_ns, MS(1));
	}
	/* three quarters of an epoch's work at 1.3, a quarter at 1 */
	expect_about("served", 0, served_ns(&o, 0), 400 * STEP_NS * 90 / 121, MS(400));
	expect_about("served", 2, served_ns(&o, 2), 400 * STEP_NS * 90 / 121, MS(400));
	assert_int_equal(o.threads[1].completed_ns, 400 * STEP_NS - MS(1));
}

/* The core goes to the thread that loses most without it, not to the first. */
static void test_regret(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(some_l2, MS(100)), TRACE(mostly_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 400}, &o);
	assert_int_equal(served_ns(&o, 0), 0);
	assert_true(served_ns(&o, 1) > 0);
}

/* More threads than cores are divided evenly, whatever they would like. */
static void test_balance(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
						    TRACE(mostly_l2, MS(100)), TRACE(some_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 400}, &o);
	for (uint32_t t = 0; t < 4; t++) {
		expect_about("time", t, ran_ns(&o, t), 200 * STEP_NS, STEP_NS);
		assert_true(t < 2 ? served_ns(&o, t) == ran_ns(&o, t) : served_ns(&o, t) == 0);
	}
}

/* Who comes later takes what is left, and moves nobody; who leaves makes room for those to come. */
static void test_arrivals(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	struct sim_thread threads[] = {TRACE(some_l2, MS(1000)), TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	threads[0].once = true;
	threads[1].arrive_ns = MS(100);
	threads[2].arrive_ns = MS(5000);
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 600}, &o);
	assert_true(o.threads[0].left);
	assert_int_equal(o.threads[0].migrations, 1);
	assert_true(served_ns(&o, 0) > 0);
	assert_int_equal(served_ns(&o, 1), 0);
	assert_true(o.threads[1].migrations <= 1);
	assert_int_equal(served_ns(&o, 2), MS(1000));
}

static void test_sets(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 10}};
	static const uint64_t last[] = {4}, not_last[] = {3};
	struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	threads[0].allowed = not_last;
	threads[2].allowed = last;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	/* the second could go anywhere, so the others get what they can */
	assert_int_equal(o.threads[0].completed_ns + o.threads[1].completed_ns, MS(2300));
	assert_int_equal(o.threads[2].completed_ns, MS(1100));
}

#define NR_SMALL 4u

/* The work that threads pinned in order `order` get done. */
static uint64_t work_when_pinned(const struct setup *setup, const uint32_t order[NR_SMALL])
{
	struct sim_thread threads[NR_SMALL];
	uint64_t allowed[NR_SMALL], work = 0;
	struct setup pinned = *setup;
	struct outcome o;

	for (uint32_t t = 0; t < NR_SMALL; t++) {
		allowed[t] = UINT64_C(1) << order[t];
		threads[t] = setup->threads[t];
		threads[t].allowed = &allowed[t];
	}
	pinned.threads = threads;
	pinned.policy = "static";
	run_policy(&pinned, 1, NULL, &o);
	for (uint32_t t = 0; t < NR_SMALL; t++)
		work += o.threads[t].completed_ns;
	return work;
}

static uint64_t best_when_pinned(const struct setup *setup, uint32_t order[NR_SMALL], uint32_t from)
{
	uint64_t best = from == NR_SMALL ? work_when_pinned(setup, order) : 0;

	for (uint32_t i = from; i < NR_SMALL; i++) {
		uint32_t first = order[from];
		order[from] = order[i];
		order[i] = first;
		uint64_t work = best_when_pinned(setup, order, from + 1);
		best = work > best ? work : best;
		order[i] = order[from];
		order[from] = first;
	}
	return best;
}

/* No way of pinning as many threads as cores gets more done, but for the beginnings of laps. */
static void test_nothing_is_better(void **state)
{
	uint64_t rng = 11;

	(void)state;
	for (int round = 0; round < 40; round++) {
		uint8_t states[NR_SMALL][8];
		struct sim_thread threads[NR_SMALL];
		struct way ways[NR_SMALL];
		uint32_t order[NR_SMALL];
		struct outcome o;
		uint64_t work = 0;
		for (uint32_t t = 0; t < NR_SMALL; t++) {
			for (int e = 0; e < 8; e++)
				states[t][e] = (uint8_t)(1u << between(&rng, 0, 3));
			threads[t] = (struct sim_thread){.states = states[t], .nr_epochs = 8, .epoch_ns = MS(10)};
			ways[t] = (struct way){between(&rng, 0, 4) ? 1u << between(&rng, 0, 3) : BASE,
					       (int)between(&rng, 1, 3) * 10};
			order[t] = t;
		}
		struct setup setup = {CORES(ways), THREADS(threads), .steps = 2000};
		run(&setup, &o);
		for (uint32_t t = 0; t < NR_SMALL; t++)
			work += o.threads[t].completed_ns;
		uint64_t best = best_when_pinned(&setup, order, 0);
		if (work + MS(80) < best)
			fail_msg("round %d: %" PRIu64 " ns of work, %" PRIu64 " otherwise", round, work, best);
	}
}

TEST_FILE(test_policy_affinity)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goes_to_the_best_core_and_stays),
		cmocka_unit_test(test_regret),
		cmocka_unit_test(test_balance),
		cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_nothing_is_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
