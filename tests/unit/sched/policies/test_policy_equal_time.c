/* The policy `equal-time`: everybody's share of every kind of core, in rounds of ten timesteps without inertia. */
#include "tests/unit/sched/policies/made_policy_run.h"

#define ROUND 10u

static void run(const struct setup *setup, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "equal-time";
	simulate(&with_policy, o);
}

/* After rounds 1, 3, 5, ... 39 one of the two is a round ahead: they change places. */
static void test_two(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = ROUND + 1}, &o);
	assert_int_equal(o.threads[0].migrations, 1);
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = ROUND}, &o);
	assert_int_equal(o.threads[0].migrations, 0);
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 40 * ROUND}, &o);
	for (uint32_t t = 0; t < 2; t++) {
		same(&o, t, "migrations", o.threads[t].migrations, 20);
		same(&o, t, "served", o.threads[t].served, 20 * ROUND);
	}
}

/* Four threads take turns on the one good core, whatever they stress; with tenants two and two of them. */
static void test_shares(void **state)
{
	static const struct way one[] = {{L2, 30}, {BASE, 0}, {BASE, 0}, {BASE, 0}};
	static const struct way two[] = {{L2, 30}, {BASE, 0}, {L2, 30}, {BASE, 0}};
	static const uint64_t first_two[] = {3}, last_two[] = {12};
	struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
				       TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(one), THREADS(threads), .steps = 400 * ROUND}, &o);
	for (uint32_t t = 0; t < 4; t++)
		expect_about("time on the good core", t, served_ns(&o, t), 100 * ROUND * STEP_NS, ROUND * STEP_NS);
	for (uint32_t t = 0; t < 4; t++)
		threads[t].allowed = t < 2 ? first_two : last_two;
	run(&(struct setup){CORES(two), THREADS(threads), .steps = 400 * ROUND}, &o);
	for (uint32_t t = 0; t < 4; t++)
		expect_about("time on the good core", t, served_ns(&o, t), 200 * ROUND * STEP_NS, ROUND * STEP_NS);
}

/* Three kinds: one third of the time on each. */
static void test_kinds(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BRANCH, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_branch, MS(100)),
						    TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 300 * ROUND}, &o);
	for (uint32_t t = 0; t < 3; t++)
		expect_about("time on its core", t, served_ns(&o, t), 100 * ROUND * STEP_NS, 2 * ROUND * STEP_NS);
}

TEST_FILE(test_policy_equal_time)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_two), cmocka_unit_test(test_shares),
					   cmocka_unit_test(test_kinds)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
