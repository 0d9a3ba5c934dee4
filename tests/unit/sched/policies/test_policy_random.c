/* The policy `random`: it moves, everywhere and all the time, and the same seed moves in the same way. */
#include "tests/unit/sched/policies/made_policy_run.h"

#define STEPS 4000u

static const struct way ways[] = {{L2, 30}, {BASE, 0}, {BASE, 0}, {BASE, 0}};
static const struct sim_thread threads[] = {
	TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
	TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
};

static void run(uint32_t nr_threads, uint32_t inertia, uint64_t cost_ns, uint64_t seed, struct outcome *o)
{
	run_policy(&(struct setup){CORES(ways), .threads = threads, .nr_threads = nr_threads, .policy = "random",
				   .inertia = inertia, .cost_ns = cost_ns, .steps = STEPS},
		   seed, NULL, o);
}

static bool is_same(const struct outcome *a, const struct outcome *b)
{
	bool same = a->whole.decisions == b->whole.decisions;

	for (uint32_t t = 0; t < TOP_THREADS; t++)
		same = same && a->threads[t].migrations == b->threads[t].migrations &&
		       a->threads[t].served == b->threads[t].served &&
		       a->threads[t].completed_ns == b->threads[t].completed_ns;
	return same;
}

static void test_seed(void **state)
{
	struct outcome a, b;

	(void)state;
	run(5, 1, MS(1), 1, &a);
	run(5, 1, MS(1), 1, &b);
	assert_true(is_same(&a, &b));
	run(5, 1, MS(1), 2, &b);
	assert_false(is_same(&a, &b));
}

/* In the long run every thread is on each core for about as long, with one thread as in a full system. */
static void test_goes_everywhere(void **state)
{
	struct outcome o;

	(void)state;
	for (uint32_t nr = 1; nr <= 4; nr++) {
		run(nr, 0, 0, 3, &o);
		for (uint32_t t = 0; t < nr; t++)
			expect_about("time on core 0", t, served_ns(&o, t), STEPS / 4 * STEP_NS, STEPS / 20 * STEP_NS);
	}
}

/* Nobody moves more often than an inert thread could, and most moves that could be made are. */
static void test_pace(void **state)
{
	struct outcome o;

	(void)state;
	for (uint32_t inertia = 0; inertia <= 9; inertia += 3) {
		uint64_t most = (STEPS - 1) / (inertia + 1);
		run(4, inertia, 0, 4, &o);
		for (uint32_t t = 0; t < 4; t++) {
			assert_true(o.threads[t].migrations <= most);
			assert_true(o.threads[t].migrations >= most / 3);
		}
	}
}

/* Its cost: every migration is paid for, once. */
static void test_cost(void **state)
{
	struct outcome o;

	(void)state;
	run(4, 0, MS(1), 5, &o);
	for (uint32_t t = 0; t < 4; t++)
		expect_about("cost paid", t, o.threads[t].paid_ns, o.threads[t].migrations * MS(1), 0);
}

static void test_sets(void **state)
{
	static const uint64_t first_two[] = {3};
	static const struct way all[] = {{L2, 30}, {L2, 30}, {BASE, 0}};
	struct sim_thread some[] = {TRACE(all_l2, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	some[0].allowed = first_two;
	run_policy(&(struct setup){CORES(all), THREADS(some), .policy = "random", .steps = STEPS}, 6, NULL, &o);
	assert_true(o.threads[0].migrations > 0);
	expect_about("time on its cores", 0, served_ns(&o, 0), ran_ns(&o, 0), 0);
}

TEST_FILE(test_policy_random)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seed), cmocka_unit_test(test_goes_everywhere),
		cmocka_unit_test(test_pace), cmocka_unit_test(test_cost),
		cmocka_unit_test(test_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
