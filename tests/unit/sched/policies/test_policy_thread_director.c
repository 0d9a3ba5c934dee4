/* The policy `thread-director`: hardware classes, seen a round late, and some of them wrong. */
#include "tests/unit/sched/policies/made_policy_run.h"

static void run(const struct setup *setup, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "thread-director";
	simulate(&with_policy, o);
}

/* Observed after a timestep, seen one round later: a thread trades after the second. */
static void test_late(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 2}, &o);
	same(&o, 1, "migrations", o.threads[1].migrations, 0);
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	same(&o, 1, "migrations", o.threads[1].migrations, 1);
	same(&o, 1, "served", o.threads[1].served, 98);
	run(&(struct setup){CORES(ways), THREADS(threads), .inertia = 4, .steps = 100}, &o);
	same(&o, 1, "served", o.threads[1].served, 90);
}

/* The outermost component makes the class: the core for branches, as good, is left for that for the L2. */
static void test_class(void **state)
{
	static const struct way ways[] = {{BRANCH, 30}, {L2, 30}};
	static const uint8_t both[] = {L2 | BRANCH};
	static const struct sim_thread threads[] = {TRACE(both, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	same(&o, 0, "migrations", o.threads[0].migrations, 1);
}

/* A first state of L1D and branches is one of those that are misclassified, as L1I: as long as it lasts, the thread has
 * the wrong core. */
static void test_error(void **state)
{
	static const struct way ways[] = {{L1D, 30}, {L1I, 30}};
	static const uint8_t wrong[] = {L1D | BRANCH};
	static const struct sim_thread threads[] = {TRACE(wrong, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	same(&o, 0, "migrations", o.threads[0].migrations, 1);
	same(&o, 0, "served", o.threads[0].served, 2);
}

/* One state in eight is wrong, and takes its 100 timesteps; the others take 2 of them until they are seen, and 98 / 1.3
 * on the right core. */
static void test_error_rate(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BRANCH, 30}, {L1D, 30}, {BASE, 0}};
	static const uint8_t states[] = {L2, BRANCH, L1D};
	static const struct sim_thread threads[] = {TRACE(states, MS(1000)), TRACE(all_low, MS(1000)),
						    TRACE(all_low, MS(1000)), TRACE(all_low, MS(1000))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100000}, &o);
	expect_about("served", 0, served_ns(&o, 0), 82200 * STEP_NS, 1500 * STEP_NS);
}

/* Of cores that are as fast for its class, a thread prefers the efficient one, where that is idle. */
static void test_efficiency(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	same(&o, 0, "migrations", o.threads[0].migrations, 1);
}

TEST_FILE(test_policy_thread_director)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late),	   cmocka_unit_test(test_class),      cmocka_unit_test(test_error),
		cmocka_unit_test(test_error_rate), cmocka_unit_test(test_efficiency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
