/* The policy `bias`: threads go to kinds of cores that help against their stalls, however much these help. */
#include "tests/unit/sched/policies/made_policy_run.h"

static void run(const struct setup *setup, struct outcome *o)
{
	struct setup with_policy = *setup;
	with_policy.policy = "bias";
	simulate(&with_policy, o);
}

static void expect_migrations(const struct way ways[2], const uint8_t *first, const uint8_t *second, uint64_t expected)
{
	const struct sim_thread threads[] = {{.states = first, .nr_epochs = 1, .epoch_ns = MS(100)},
					     {.states = second, .nr_epochs = 1, .epoch_ns = MS(100)}};
	struct outcome o;

	run(&(struct setup){.ways = ways, .nr_cores = 2, THREADS(threads), .steps = 100}, &o);
	for (uint32_t t = 0; t < 2; t++)
		same(&o, t, "migrations", o.threads[t].migrations, expected);
}

static void test_bias(void **state)
{
	static const struct way branch[] = {{BRANCH, 30}, {BASE, 0}}, weak_l2[] = {{L2, 60}, {L2, 5}};
	static const uint8_t outside_too[] = {L2 | BRANCH}, inside[] = {L1D | BRANCH};

	(void)state;
	expect_migrations(branch, all_low, all_branch, 1);
	expect_migrations(branch, all_low, inside, 1);
	/* Nobody loses a core that helps. */
	expect_migrations(branch, all_branch, all_branch, 0);
	/* Who stalls on the L2 is not biased towards a core for branches. */
	expect_migrations(branch, all_low, outside_too, 0);
	/* A bias has no size. */
	expect_migrations(weak_l2, all_low, all_l2, 0);
}

/* Two of the L2 core's threads leave; it takes the one of the other three that is biased towards it. */
static void test_balance(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_l2, MS(30)),	TRACE(all_low, MS(100)),
				       TRACE(all_l2, MS(30)),	TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	threads[1].once = threads[3].once = true;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 100}, &o);
	for (uint32_t t = 0; t < 6; t++)
		same(&o, t, "migrations", o.threads[t].migrations, t == 4);
}

TEST_FILE(test_policy_bias)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bias), cmocka_unit_test(test_balance)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
