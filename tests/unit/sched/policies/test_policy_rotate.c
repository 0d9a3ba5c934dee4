/* The policy `rotate`: everybody gets the same share of every core. */
#include "tests/unit/sched/policies/made_policy_run.h"

#define NR_CORES 4u

/* Threads 0 to nr - 1 are in L2, and one core after the other is the only one that serves that: each time each thread
 * has been there for the same time. */
static void expect_equal_shares(uint32_t nr, uint32_t inertia, uint64_t steps)
{
	struct sim_thread threads[TOP_THREADS];
	struct outcome o;

	for (uint32_t t = 0; t < nr; t++)
		threads[t] = (struct sim_thread)TRACE(all_l2, MS(100));
	for (uint32_t core = 0; core < NR_CORES; core++) {
		struct way ways[NR_CORES] = {{BASE, 0}, {BASE, 0}, {BASE, 0}, {BASE, 0}};
		ways[core] = (struct way){L2, 30};
		run_policy(&(struct setup){CORES(ways), .threads = threads, .nr_threads = nr, .policy = "rotate",
					   .inertia = inertia, .steps = steps},
			   1, NULL, &o);
		uint64_t whole = nr < NR_CORES ? steps : steps * NR_CORES / nr;
		for (uint32_t t = 0; t < nr; t++) {
			expect_about("time", t, ran_ns(&o, t), whole * STEP_NS, 0);
			expect_about("share of a core", t, served_ns(&o, t), whole * STEP_NS / NR_CORES, 0);
			assert_int_equal(o.threads[t].completed_ns, whole * STEP_NS * 43 / 40);
		}
	}
}

static void test_equal_shares(void **state)
{
	(void)state;
	expect_equal_shares(1, 0, 40);
	expect_equal_shares(3, 0, 40);
	expect_equal_shares(4, 0, 40);
	expect_equal_shares(4, 5, 240);
}

/* Queues go round as a whole; their threads take turns as often as any. */
static void test_equal_shares_of_queues(void **state)
{
	(void)state;
	expect_equal_shares(8, 0, 80);
	expect_equal_shares(8, 2, 160);
	/* queues of 2, 1, 1, 1: they stay for two timesteps, eight are a lap; one without others has one twice as often
	 */
	struct sim_thread threads[5];
	struct outcome o;
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}, {L2, 30}, {BASE, 0}};
	for (uint32_t t = 0; t < 5; t++)
		threads[t] = (struct sim_thread)TRACE(all_l2, MS(100));
	run_policy(&(struct setup){CORES(ways), THREADS(threads), .policy = "rotate", .steps = 80}, 1, NULL, &o);
	for (uint32_t t = 0; t < 5; t++) {
		uint64_t whole = t % 4 == 0 ? 40 : 80;
		expect_about("time", t, ran_ns(&o, t), whole * STEP_NS, 0);
		expect_about("share of a core", t, served_ns(&o, t), whole * STEP_NS / 4, 0);
	}
}

/* After one timestep more than the inertia everybody moves, and pays for one move. */
static void test_cost(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	run_policy(&(struct setup){CORES(ways), THREADS(threads), .policy = "rotate", .inertia = 5, .cost_ns = MS(1),
				   .steps = 6},
		   1, NULL, &o);
	assert_int_equal(o.whole.decisions, 0);
	run_policy(&(struct setup){CORES(ways), THREADS(threads), .policy = "rotate", .inertia = 5, .cost_ns = MS(1),
				   .steps = 60},
		   1, NULL, &o);
	for (uint32_t t = 0; t < 3; t++) {
		assert_int_equal(o.threads[t].migrations, 9);
		assert_int_equal(o.threads[t].paid_ns, MS(9));
		assert_int_equal(o.threads[t].completed_ns, MS(591));
	}
}

/* A thread goes round on the cores that it may run on. */
static void test_sets(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {BASE, 0}, {L2, 30}};
	static const uint64_t odd[] = {10}, last[] = {8};
	struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	threads[1].allowed = odd;
	run_policy(
		&(struct setup){CORES(ways), .threads = &threads[1], .nr_threads = 1, .policy = "rotate", .steps = 40},
		1, NULL, &o);
	assert_int_equal(o.threads[0].migrations, 39);
	expect_about("time on its cores", 0, served_ns(&o, 0), 40 * STEP_NS, 0);
	threads[1].allowed = last;
	run_policy(
		&(struct setup){CORES(ways), .threads = &threads[1], .nr_threads = 1, .policy = "rotate", .steps = 40},
		1, NULL, &o);
	assert_int_equal(o.threads[0].migrations, 0);
}

TEST_FILE(test_policy_rotate)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_shares),
		cmocka_unit_test(test_equal_shares_of_queues),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
