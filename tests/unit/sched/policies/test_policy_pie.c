/* The policy `pie`: the pair with the largest sum of gains, by what was seen since the last round. */
#include "tests/unit/sched/policies/made_policy_run.h"

static void run(const struct setup *setup, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "pie";
	simulate(&with_policy, o);
}

static void expect_migrations(const struct outcome *o, uint32_t nr, const uint64_t *expected)
{
	for (uint32_t t = 0; t < nr; t++)
		same(o, t, "migrations", o->threads[t].migrations, expected[t]);
}

/* The good core goes to the thread that gains 60 points there, not to the one before it that gains 55. */
static void test_largest_sum(void **state)
{
	static const struct way ways[] = {{L2, 60}, {L2, 5}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_l2, MS(100)),
						    TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	expect_migrations(&o, 3, (const uint64_t[]){1, 0, 1});
	assert_int_equal(o.whole.decisions, 1);
	/* in its first timestep it has not been observed */
	assert_int_equal(o.threads[2].completed_ns, STEP_NS + 99 * STEP_NS * 8 / 5);
	assert_int_equal(o.threads[1].completed_ns, 100 * STEP_NS * 21 / 20);
}

/* A thread that loses less than another gains moves for it; with equal sums nobody does. */
static void test_sum_not_each(void **state)
{
	static const struct way ways[] = {{L2, 60}, {TABLE, 50}};
	static const uint8_t both[] = {L2 | BRANCH};
	static const struct sim_thread change[] = {TRACE(all_branch, MS(100)), TRACE(all_l2, MS(100))};
	static const struct sim_thread stay[] = {TRACE(both, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(change), .steps = 100}, &o);
	expect_migrations(&o, 2, (const uint64_t[]){1, 1});
	run(&(struct setup){CORES(ways), THREADS(stay), .steps = 100}, &o);
	expect_migrations(&o, 2, (const uint64_t[]){0, 0});
}

/* A round with inertia 3 comes after four timesteps: three of them were seen in L2, the last in Branch. */
static void test_mean_of_round(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {BRANCH, 40}};
	static const uint8_t mostly_l2[] = {L2, L2, L2, BRANCH};
	static const struct sim_thread threads[] = {TRACE(mostly_l2, STEP_NS), TRACE(all_low, MS(100)),
						    TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .inertia = 3, .steps = 4}, &o);
	expect_migrations(&o, 3, (const uint64_t[]){0, 0, 0});
	run(&(struct setup){CORES(ways), THREADS(threads), .inertia = 3, .steps = 8}, &o);
	expect_migrations(&o, 3, (const uint64_t[]){1, 1, 0});
}

/* An idle core is taken where that gains, and a longer queue is evened out. */
static void test_idle(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}, {L2, 30}};
	static const uint64_t first_two[] = {3};
	struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)), TRACE(all_l2, MS(30)),
				       TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), .threads = threads, .nr_threads = 2, .steps = 100}, &o);
	assert_int_equal(o.threads[0].migrations + o.threads[1].migrations, 1);
	/* The third leaves; the first and the fourth shared a core. */
	threads[1].allowed = first_two;
	threads[2].once = true;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	assert_int_equal(o.threads[0].migrations + o.threads[3].migrations, 1);
	assert_int_equal(o.threads[1].migrations, 0);
	assert_true(served_ns(&o, 0) + served_ns(&o, 3) > 90 * STEP_NS);
}

TEST_FILE(test_policy_pie)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_largest_sum),
		cmocka_unit_test(test_sum_not_each),
		cmocka_unit_test(test_mean_of_round),
		cmocka_unit_test(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
