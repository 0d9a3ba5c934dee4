/* The policy `fair`: shares of time by weight, no long waits, balanced cores, and no eye for what cores are good at. */
#include "tests/unit/sched/policies/made_policy_run.h"

#define SECONDS(s) ((uint64_t)(s)*NS_PER_S)
/* A share is right to within some slices. */
#define SLICES_NS MS(10)

static const struct way one_core[] = {{BASE, 0}}, two_cores[] = {{BASE, 0}, {BASE, 0}},
			three_cores[] = {{BASE, 0}, {BASE, 0}, {BASE, 0}};

/* A thread that always wants to run. */
static const struct sim_thread hog = TRACE(all_low, MS(100));

/* Now and then it does something short. */
static const struct burst_model short_bursts = {
	.run = {.shape = BURST_FIXED, .mean_ns = MS(1)},
	.sleep = {.shape = BURST_FIXED, .mean_ns = MS(20)},
};

static void run(const struct setup *setup, struct sim_waits *waits, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "fair";
	run_policy(&with_policy, 1, waits, o);
}

static void test_shares_by_weight(void **state)
{
	struct sim_thread threads[] = {hog, hog, hog};
	struct outcome o;

	(void)state;
	for (uint32_t t = 0; t < 3; t++)
		threads[t].weight = 100 * (t + 1);
	run(&(struct setup){CORES(one_core), THREADS(threads), .steps = 3000}, NULL, &o);
	for (uint32_t t = 0; t < 3; t++)
		expect_about("time", t, ran_ns(&o, t), SECONDS(5) * (t + 1), SLICES_NS);
	threads[0].weight = 37;
	threads[1].weight = 1000;
	threads[2].weight = 2963;
	run(&(struct setup){CORES(one_core), THREADS(threads), .steps = 4000}, NULL, &o);
	for (uint32_t t = 0; t < 3; t++)
		expect_about("time", t, ran_ns(&o, t), MS(10) * threads[t].weight, SLICES_NS);
}

/* The lightest thread beside the heaviest has its turns, and nobody waits for longer than a watchdog would. */
static void test_no_starvation(void **state)
{
	struct sim_thread threads[] = {hog, hog, hog};
	struct sim_waits waits = {0};
	struct outcome o;

	(void)state;
	threads[0].weight = 1;
	threads[1].weight = 10000;
	threads[2].weight = 10000;
	run(&(struct setup){CORES(one_core), THREADS(threads), .steps = 10000}, &waits, &o);
	expect_about("time", 0, ran_ns(&o, 0), MS(5), MS(1));
	assert_true(waits.wait.max < SECONDS(10));
}

/* A thread that does something short has the core after a slice or two, and no more of it than it asks for. */
static void test_latency_beside_hogs(void **state)
{
	static struct sim_waits waits;
	struct sim_thread threads[] = {hog, hog, hog};
	struct outcome o;

	(void)state;
	threads[2].bursts = &short_bursts;
	run(&(struct setup){CORES(one_core), THREADS(threads), .steps = 3000}, &waits, &o);
	assert_true(waits.latency.nr > 1000);
	assert_true(waits.latency.max <= MS(7));
	assert_true(histogram_percentile(&waits.latency, 500000) <= MS(4));
	uint64_t asked = ran_ns(&o, 2);
	assert_true(asked > SECONDS(1));
	for (uint32_t t = 0; t < 2; t++)
		expect_about("time", t, ran_ns(&o, t), (SECONDS(30) - asked) / 2, SLICES_NS);
}

/* Who has slept for long has saved nothing up: others do not wait for it. */
static void test_sleep_is_no_credit(void **state)
{
	static const struct burst_model long_bursts = {
		.run = {.shape = BURST_FIXED, .mean_ns = SECONDS(2)},
		.sleep = {.shape = BURST_FIXED, .mean_ns = SECONDS(2)},
	};
	static struct sim_waits waits;
	struct sim_thread threads[] = {hog, hog};
	struct outcome o;

	(void)state;
	threads[1].bursts = &long_bursts;
	run(&(struct setup){CORES(one_core), THREADS(threads), .steps = 2400}, &waits, &o);
	assert_true(waits.wait.max <= MS(10));
	/* two seconds' work take four beside the other, and two more go by asleep */
	expect_about("time", 1, ran_ns(&o, 1), SECONDS(8), MS(40));
}

static void test_wakes_on_an_idle_core(void **state)
{
	static struct sim_waits waits;
	struct sim_thread threads[] = {hog, hog};
	struct outcome o;

	(void)state;
	threads[1].bursts = &short_bursts;
	run(&(struct setup){CORES(two_cores), THREADS(threads), .steps = 1000}, &waits, &o);
	assert_int_equal(waits.latency.max, 0);
	assert_int_equal(ran_ns(&o, 0), SECONDS(10));
	assert_int_equal(o.whole.decisions, 0);
}

static void test_balance(void **state)
{
	const struct sim_thread threads[] = {hog, hog, hog, hog, hog, hog};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(three_cores), THREADS(threads), .steps = 2000}, NULL, &o);
	for (uint32_t t = 0; t < 6; t++)
		expect_about("time", t, ran_ns(&o, t), SECONDS(10), SLICES_NS);
	/* what cannot be divided evenly goes round */
	run(&(struct setup){CORES(two_cores), .threads = threads, .nr_threads = 3, .steps = 6000}, NULL, &o);
	for (uint32_t t = 0; t < 3; t++)
		expect_about("time", t, ran_ns(&o, t), SECONDS(40), SECONDS(1));
	run(&(struct setup){CORES(three_cores), .threads = threads, .nr_threads = 4, .steps = 6000}, NULL, &o);
	for (uint32_t t = 0; t < 4; t++)
		expect_about("time", t, ran_ns(&o, t), SECONDS(45), SECONDS(3));
}

/* A core whose threads have left takes one of another. */
static void test_idle_core_takes_work(void **state)
{
	struct sim_thread threads[] = {hog, hog, hog, hog};
	struct outcome o;
	uint64_t sum = 0;

	(void)state;
	for (uint32_t t = 0; t < 4; t += 2) {
		threads[t].once = true;
		threads[t].nr_epochs = 1;
		threads[t].epoch_ns = SECONDS(1);
	}
	run(&(struct setup){CORES(two_cores), THREADS(threads), .steps = 1000}, NULL, &o);
	for (uint32_t t = 0; t < 4; t++) {
		assert_int_equal(o.threads[t].left, t % 2 == 0);
		sum += ran_ns(&o, t);
	}
	expect_about("time", 1, ran_ns(&o, 1), SECONDS(9), MS(50));
	expect_about("time", 3, ran_ns(&o, 3), SECONDS(9), MS(50));
	assert_int_equal(sum, SECONDS(20));
}

static void test_sets(void **state)
{
	static const uint64_t first[] = {1};
	struct sim_thread threads[] = {hog, hog, hog};
	struct outcome o;

	(void)state;
	threads[0].allowed = threads[1].allowed = first;
	run(&(struct setup){CORES(two_cores), THREADS(threads), .steps = 1000}, NULL, &o);
	expect_about("time", 0, ran_ns(&o, 0), SECONDS(5), SLICES_NS);
	expect_about("time", 1, ran_ns(&o, 1), SECONDS(5), SLICES_NS);
	expect_about("time", 2, ran_ns(&o, 2), SECONDS(10), 0);
}

/* It does not see that two threads had better trade places. */
static void test_blind(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BRANCH, 30}};
	static const struct sim_thread threads[] = {TRACE(all_branch, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 1000}, NULL, &o);
	for (uint32_t t = 0; t < 2; t++) {
		assert_int_equal(o.threads[t].completed_ns, SECONDS(10));
		assert_int_equal(o.threads[t].migrations, 0);
	}
}

TEST_FILE(test_policy_fair)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares_by_weight),
		cmocka_unit_test(test_no_starvation),
		cmocka_unit_test(test_latency_beside_hogs),
		cmocka_unit_test(test_sleep_is_no_credit),
		cmocka_unit_test(test_wakes_on_an_idle_core),
		cmocka_unit_test(test_balance),
		cmocka_unit_test(test_idle_core_takes_work),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_blind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
