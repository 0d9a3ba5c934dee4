/* The policy `equal-progress`: who is slowed down most gets the good core. */
#include "tests/unit/sched/policies/made_policy_run.h"

static const struct way good_and_base[] = {{L2, 60}, {BASE, 0}};

static void run(const struct setup *setup, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "equal-progress";
	simulate(&with_policy, o);
}

/* After a timestep the first has done 1.6 of 1.6, the second 1 of 1.6: they trade. After the next they are level, and
 * unequal again a timestep later. */
static void test_turns(void **state)
{
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	static const uint64_t migrations_by_step[] = {0, 1, 1, 2, 2, 3, 3};
	struct outcome o;

	(void)state;
	for (uint64_t steps = 1; steps <= ARRAY_SIZE(migrations_by_step); steps++) {
		run(&(struct setup){CORES(good_and_base), THREADS(threads), .steps = steps}, &o);
		same(&o, 0, "migrations", o.threads[0].migrations, migrations_by_step[steps - 1]);
	}
	/* In the long run they differ by no more than the margin, a hundredth, and a timestep. */
	run(&(struct setup){CORES(good_and_base), THREADS(threads), .steps = 1000}, &o);
	expect_about("completed", 0, o.threads[0].completed_ns, o.threads[1].completed_ns, 17 * STEP_NS);
	assert_true(o.threads[0].migrations < 100);
}

/* Low is not slowed down anywhere: it gives the core away and does not get it back. */
static void test_need(void **state)
{
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(good_and_base), THREADS(threads), .steps = 100}, &o);
	same(&o, 1, "migrations", o.threads[1].migrations, 1);
	same(&o, 1, "served", o.threads[1].served, 99);
}

/* Both gain: progress does not matter. */
static void test_both_gain(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BRANCH, 30}};
	static const struct sim_thread threads[] = {TRACE(all_branch, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	for (uint32_t t = 0; t < 2; t++) {
		same(&o, t, "migrations", o.threads[t].migrations, 1);
		same(&o, t, "served", o.threads[t].served, 99);
	}
}

/* Progress is relative to the cores that a thread may use. */
static void test_sets(void **state)
{
	static const struct way ways[] = {{L2, 60}, {BASE, 0}, {BASE, 0}};
	static const uint64_t last[] = {4};
	struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_low, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	threads[2].allowed = last;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	for (uint32_t t = 0; t < 3; t++)
		same(&o, t, "migrations", o.threads[t].migrations, 0);
}

TEST_FILE(test_policy_equal_progress)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_need),
		cmocka_unit_test(test_both_gain),
		cmocka_unit_test(test_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
