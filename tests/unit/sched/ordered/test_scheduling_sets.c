/* Sets of cores, costs and warm-up in single passes and moves; the rules of a pass are in test_scheduling.c. */
#include "sim/base/array.h"
#include "tests/unit/sched/ordered/made_queues.h"

/* Sets of cores: "Only cores on which a thread may run count for it, in all steps; in step 4 those of both threads do."
 */

/* Core c of a set. */
#define ON(c) (UINT64_C(1) << (c))

static void test_set_in_step_3(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 10}, {L2, 30}};
	static const struct place places[] = {{0, L2, 0}};
	static const struct {
		uint64_t allowed;
		const char *queues;
	} rows[] = {
		{ON(0) | ON(1) | ON(2), "- - 0"},
		{ON(0) | ON(1), "- 0 -"}, /* not the fastest */
		{ON(0), "0 - -"},
	};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		MAKE(&sys, ways, places);
		sys.threads[0].allowed = &rows[i].allowed;
		pass(&sys, "sahm");
		expect_queues(&sys, rows[i].queues);
	}
}

static void test_set_in_step_4(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 10}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}, {2, BRANCH, 0}};
	static const struct {
		uint64_t mover, first, second;
		const char *queues;
	} rows[] = {
		{ON(0) | ON(1), ON(0) | ON(1), ON(2), "1 0 2"},
		{ON(0) | ON(2), ON(0) | ON(1), ON(0) | ON(2), "2 1 0"},		/* the mover may not */
		{ON(0) | ON(1) | ON(2), ON(1) | ON(2), ON(0) | ON(2), "2 1 0"}, /* the first victim may not */
		{ON(0) | ON(1), ON(1) | ON(2), ON(0) | ON(2), "0 1 2"},
		{ON(0), ON(0) | ON(1), ON(0) | ON(2), "0 1 2"},
	};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		MAKE(&sys, ways, places);
		sys.threads[0].allowed = &rows[i].mover;
		sys.threads[1].allowed = &rows[i].first;
		sys.threads[2].allowed = &rows[i].second;
		pass(&sys, "sahm");
		expect_queues(&sys, rows[i].queues);
	}
}

static void test_set_in_step_5(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {BASE, 0}, {BASE, 0}};
	/* own without thread 0: 2; others 1, 0, 0 */
	static const struct place places[] = {{0, BRANCH, 0}, {0, L2, 0}, {0, L2, 0}, {1, LOW, 0}};
	static const struct {
		uint64_t allowed;
		const char *queues;
	} rows[] = {
		{ON(0) | ON(1) | ON(2) | ON(3), "1,2 3 0 -"},
		{ON(0) | ON(1) | ON(3), "1,2 3 - 0"},
		{ON(0) | ON(1), "1,2 3,0 - -"},
		{ON(0), "0,1,2 3 - -"},
	};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		MAKE(&sys, ways, places);
		sys.threads[0].allowed = &rows[i].allowed;
		pass(&sys, "sahm");
		expect_queues(&sys, rows[i].queues);
	}
}

static void test_sets_of_several_words(void **state)
{
	static const uint64_t allowed[] = {ON(63), ON(0) | ON(63), ON(1)};
	struct sched_thread thread = {.allowed = allowed};
	const struct sched s = {.threads = &thread};

	(void)state;
	for (uint32_t c = 0; c < 192; c++) {
		bool may = c == 63 || c == 64 || c == 127 || c == 129;
		assert_true(sched_may_run(&s, 0, c) == may);
	}
	thread.allowed = NULL;
	assert_true(sched_may_run(&s, 0, 4095));
}

/* Costs */

/* The smallest block that holds both cores, of 2 or of 4 of the 8. */
static void test_cost_by_level(void **state)
{
	static const struct way ways[8] = {{BASE, 0}};
	static const struct place places[] = {{0, LOW, 0}};
	static const struct {
		uint32_t from, to;
		uint64_t cost_ns;
	} rows[] = {{0, 1, 10},	     {1, 0, 10},      {1, 2, 100}, {2, 1, 100}, {0, 3, 100},
		    {3, 4, COST_NS}, {4, 3, COST_NS}, {4, 5, 10},  {5, 6, 100}, {7, 0, COST_NS}};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		MAKE(&sys, ways, places);
		sys.distances.nr_levels = 2;
		sys.distances.levels[0] = (struct distance_level){2, 10};
		sys.distances.levels[1] = (struct distance_level){4, 100};
		sched_move(&sys.s, 0, rows[i].from);
		sys.threads[0].debt_ns = 0;
		sched_move(&sys.s, 0, rows[i].to);
		assert_int_equal(sys.threads[0].debt_ns, rows[i].cost_ns);
	}
}

/* "before levels"; each of two threads that swap owes its own way. */
static void test_cost_by_matrix(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L1D, 30}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}};
	static const uint64_t matrix_ns[] = {901, 12, 13, 21, 902, 23, 31, 32, 903};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sys.distances.matrix_ns = matrix_ns;
	sys.distances.nr_levels = 1;
	sys.distances.levels[0] = (struct distance_level){3, 5};
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0 -");
	assert_int_equal(sys.threads[0].debt_ns, 12);
	assert_int_equal(sys.threads[1].debt_ns, 21);
	assert_int_equal(sys.s.decisions, 1);
	sched_move(&sys.s, 0, 2);
	assert_int_equal(sys.threads[0].debt_ns, 12 + 23);
	assert_int_equal(sys.s.decisions, 2);
}

/* A migration begins a warm-up, or restarts it. */
static void test_warmup_begins(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sys.s.warmup_ns = 500;
	pass(&sys, "sahm");
	assert_int_equal(sys.threads[0].cold_ns, 500);
	assert_int_equal(sys.threads[1].cold_ns, 500);
	sys.threads[0].cold_ns = 3;
	sched_move(&sys.s, 0, 0);
	assert_int_equal(sys.threads[0].cold_ns, 500);
}

/* A thread that leaves takes nobody's place with it. */
static void test_dequeue(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	static const struct place places[] = {{0, LOW, 0}, {0, LOW, 0}, {0, LOW, 0}, {0, LOW, 0}, {1, LOW, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sched_dequeue(&sys.s, 1);
	expect_queues(&sys, "0,2,3 4");
	sched_dequeue(&sys.s, 3);
	expect_queues(&sys, "0,2 4");
	sched_dequeue(&sys.s, 0);
	expect_queues(&sys, "2 4");
	sched_dequeue(&sys.s, 4);
	expect_queues(&sys, "2 -");
	sched_enqueue(&sys.s, 4, 0);
	expect_queues(&sys, "2,4 -");
}

TEST_FILE(test_scheduling_sets)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_in_step_3), cmocka_unit_test(test_set_in_step_4),
		cmocka_unit_test(test_set_in_step_5), cmocka_unit_test(test_sets_of_several_words),
		cmocka_unit_test(test_cost_by_level), cmocka_unit_test(test_cost_by_matrix),
		cmocka_unit_test(test_warmup_begins), cmocka_unit_test(test_dequeue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
