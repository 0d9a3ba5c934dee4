/* What the policy `assign` does, in short runs by the whole simulator. */
#include "tests/unit/made_run.h"
#include "tests/unit/test.h"

#define BOTH (L1D | L2)

static const uint8_t all_both[] = {BOTH};

/* Three threads that each sit where the next one wants to be: all move, and each pays once. */
static void test_cycle_pays_once(void **state)
{
	static const struct way ways[] = {{BRANCH, 30}, {L1D, 30}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l1d, MS(100)), TRACE(all_l2, MS(100)),
						    TRACE(all_branch, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .cost_ns = MS(1), .steps = 3}, &o);
	/* nothing is known in the first timestep; then 9 and 10 ms at 1.3 */
	for (uint32_t t = 0; t < 3; t++) {
		expect_thread(&o, t, US(10000 + 11700 + 13000), 3, 2, 2, 0, 1);
		assert_int_equal(o.threads[t].paid_ns, MS(1));
	}
}

/* A move is made if the timestep gains by it: (10 ms - cost) x 1.3 against 10 ms, on both sides of the boundary. */
static void test_cost_against_gain(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	for (uint64_t cost_ns = 2307692; cost_ns <= 2307693; cost_ns++) {
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .cost_ns = cost_ns,
					 .steps = 4},
			 &o);
		assert_int_equal(o.threads[0].migrations, cost_ns == 2307692);
	}
}

/* Where two move so that one gains, both costs count. */
static void test_both_pay(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	/* 3 ms gained; 1.3 and 1 times the cost lost */
	for (uint64_t cost_ns = 1304347; cost_ns <= 1304348; cost_ns++) {
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .cost_ns = cost_ns,
					 .steps = 4},
			 &o);
		for (uint32_t t = 0; t < 2; t++)
			assert_int_equal(o.threads[t].migrations, cost_ns == 1304347);
	}
}

/* Equal cores, equal threads, nothing to gain: nobody moves although it is free. */
static void test_ties_stay(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 30}, {BRANCH, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
						    TRACE(all_l2, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .steps = 20}, &o);
	for (uint32_t t = 0; t < 4; t++)
		assert_int_equal(o.threads[t].migrations, 0);
	assert_int_equal(o.whole.decisions, 0);
}

/* The oracle's assignment is the best one from the first timestep on; observed, it comes a timestep later. */
static void test_oracle(void **state)
{
	static const struct way ways[] = {{L1D, 30}, {L2, 20}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_both, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_l1d, MS(100))};
	struct outcome o;

	(void)state;
	/* thread 0 makes room for thread 2: 20 % and 30 % are more than 30 % and nothing */
	for (int oracle = 0; oracle < 2; oracle++) {
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .oracle = oracle,
					 .steps = 2},
			 &o);
		expect_thread(&o, 0, oracle ? MS(24) : MS(25), 2, 2, 2, 0, 1);
		expect_thread(&o, 1, MS(20), 2, 0, oracle ? 2 : 1, 0, 1);
		expect_thread(&o, 2, oracle ? MS(26) : MS(23), 2, oracle ? 2 : 1, oracle ? 2 : 1, 0, 1);
	}
}

/* A thread may run on some cores only: others are not offered, however good they are. */
static void test_allowed(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 10}};
	static const uint64_t but_1 = 5;
	static const struct sim_thread threads[] = {
		{.states = all_l2, .nr_epochs = 1, .epoch_ns = MS(100), .allowed = &but_1}};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .steps = 3}, &o);
	expect_thread(&o, 0, MS(10 + 11 + 11), 3, 2, 2, 0, 1);
}

/* With clusters, the same gain is taken where it is nearer. */
static void test_near(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_l2, MS(100))};
	struct made_chip made;
	struct outcome o;
	struct sahm_err err;

	(void)state;
	make_chip(&made, ways, 4);
	struct sim_config config = {
		.chip = &made.chip,
		.threads = threads,
		.nr_threads = 3,
		.policy = sched_policy_find("assign"),
		.timestep_ns = STEP_NS,
		.distances = {.cost_ns = MS(1), .nr_levels = 1, .levels = {{2, US(100)}}},
		.duration_ns = 3 * STEP_NS,
	};
	assert_int_equal(sim_run(&config, &o.whole, o.threads, o.cores, &err), SAHM_OK);
	expect_thread(&o, 2, US(10000 + 12870 + 13000), 3, 2, 2, 0, 1);
	assert_int_equal(o.threads[2].paid_ns, US(100));
	assert_int_equal(o.threads[0].migrations, 0);
}

/* A core that a thread has left gets one that waits; turns are taken where there are two. */
static void test_idle_core_is_filled(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	static const struct sim_thread threads[] = {
		TRACE(all_low, MS(100)),
		{.states = all_low, .nr_epochs = 1, .epoch_ns = MS(20), .once = true},
		TRACE(all_low, MS(100)),
	};
	struct outcome o;

	(void)state;
	/* two timesteps in which threads 0 and 2 share core 0, then four in which each has one */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "assign", .cost_ns = MS(1), .steps = 6}, &o);
	assert_int_equal(o.threads[0].executed + o.threads[2].executed, 2 + 8);
	assert_int_equal(o.threads[0].migrations + o.threads[2].migrations, 1);
}

/* A set that changes divides a class of cores: the thread goes to the one of its cores that is best now. */
static void test_set_divides_class(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	static const uint64_t but_1 = 5;
	static const struct sim_change changes[] = {
		{.at_ns = 2 * STEP_NS, .thread = 0, .sets_allowed = true, .allowed = &but_1}};
	struct made_chip made;
	struct outcome o;
	struct sahm_err err;

	(void)state;
	make_chip(&made, ways, 3);
	for (int i = 0; i < 2; i++) {
		struct sim_config config = {
			.chip = &made.chip,
			.threads = threads,
			.nr_threads = 1,
			.policy = sched_policy_find(i ? "keen" : "assign"),
			.timestep_ns = STEP_NS,
			.changes = changes,
			.nr_changes = 1,
			.duration_ns = 5 * STEP_NS,
		};
		assert_int_equal(sim_run(&config, &o.whole, o.threads, o.cores, &err), SAHM_OK);
		/* unknown on core 0, then on core 1, and from the change on on core 2, by way of core 0 */
		assert_int_equal(o.threads[0].completed_ns, MS(10 + 4 * 13));
		assert_int_equal(o.threads[0].migrations, 3);
	}
}

/* A core becomes idle while one waits who gains nothing there, after one who does: that one goes, and nobody else. */
static void test_head_makes_room(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {
		TRACE(all_low, MS(100)),
		{.states = all_low, .nr_epochs = 1, .epoch_ns = MS(30), .once = true},
		TRACE(all_l2, MS(100)),
	};
	static const char *const policies[] = {"assign", "keen"};
	struct outcome o;

	(void)state;
	for (int i = 0; i < 2; i++) {
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = policies[i], .cost_ns = MS(1),
					 .steps = 6},
			 &o);
		assert_int_equal(o.threads[0].migrations, 0);
		assert_int_equal(o.threads[2].migrations, 1);
		assert_int_equal(o.whole.decisions, 1);
		assert_int_equal(o.threads[2].paid_ns, MS(1));
	}
}

TEST_FILE(test_assign)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycle_pays_once),
		cmocka_unit_test(test_cost_against_gain),
		cmocka_unit_test(test_both_pay),
		cmocka_unit_test(test_ties_stay),
		cmocka_unit_test(test_oracle),
		cmocka_unit_test(test_allowed),
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_idle_core_is_filled),
		cmocka_unit_test(test_set_divides_class),
		cmocka_unit_test(test_head_makes_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
