/* Short runs in which threads arrive, leave and warm up; every number is worked out beside it. */
#include "sim/base/array.h"
#include "tests/unit/made_run.h"

static void expect_presence(const struct outcome *o, uint32_t t, uint64_t present_ns, bool left)
{
	same(o, t, "present_ns", o->threads[t].present_ns, present_ns);
	same(o, t, "left", o->threads[t].left, left);
}

/* "it joins at the first timestep that begins then or later" */
static void test_arrival(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	static const struct {
		uint64_t arrive_ns, executed;
	} rows[] = {{0, 5}, {1, 4}, {MS(20) - 1, 3}, {MS(20), 3}, {MS(20) + 1, 2}, {MS(40), 1}, {MS(40) + 1, 0}};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t nr = rows[i].executed;
		struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100))};
		threads[1].arrive_ns = rows[i].arrive_ns;
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = 5}, &o);
		expect_thread(&o, 0, MS(50), 5, 0, 5, 0, 0);
		expect_presence(&o, 0, MS(50), false);
		expect_thread(&o, 1, nr * MS(10), nr, 0, nr, 0, 0);
		expect_presence(&o, 1, nr * MS(10), false);
		assert_int_equal(o.whole.present_timesteps, 5 + nr);
		assert_int_equal(o.whole.capacity_timesteps, 5 + nr);
	}
}

/* "each at the tail of the shortest queue of a core on which it may run, lowest index on a tie, free of charge" */
static void test_arrival_on_shortest_queue(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	static const uint64_t on_0 = 1, on_1 = 2;
	static const struct {
		const uint64_t *second, *third;
		uint64_t executed[2]; /* by both cores in 4 timesteps, of which 3 have the third thread */
	} rows[] = {
		{NULL, NULL, {4, 4}},	/* 0 and 2; 1 */
		{NULL, &on_0, {4, 4}},	/* the same */
		{&on_0, NULL, {4, 3}},	/* 0 and 1; 2 */
		{&on_0, &on_0, {4, 0}}, /* all on one */
		{&on_1, &on_1, {4, 4}}, /* 0; 1 and 2 */
	};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100)),
					       TRACE(all_low, MS(100))};
		threads[1].allowed = rows[i].second;
		threads[2].allowed = rows[i].third;
		threads[2].arrive_ns = MS(10);
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .cost_ns = MS(1),
					 .steps = 4},
			 &o);
		assert_int_equal(o.cores[0].executed, rows[i].executed[0]);
		assert_int_equal(o.cores[1].executed, rows[i].executed[1]);
		assert_int_equal(o.whole.present_timesteps, 2 + 3 * 3);
		assert_int_equal(o.whole.capacity_timesteps, 2 * 4);
		assert_int_equal(o.threads[2].paid_ns, 0);
	}
}

/* "where its trace ends in the midst of a timestep, the core is idle for the rest", and the run is over with that
 * timestep where nobody else is there. */
static void test_leave(void **state)
{
	static const struct way ways[] = {{L2, 30}};
	static const struct {
		const char *name;
		const uint8_t *states;
		uint64_t epoch_ns, present_ns, nr_timesteps;
	} rows[] = {
		{"within a timestep", all_low, MS(25), MS(25), 3},
		{"at the end of one", all_low, MS(20), MS(20), 2},
		{"1 ns before that", all_low, MS(20) - 1, MS(20) - 1, 2},
		{"1 ns after that", all_low, MS(20) + 1, MS(20) + 1, 3},
		/* 20 x 1.3 = 26; 20,000,001 ns make 26,000,001.3 */
		{"at the end, at 30 %", all_l2, MS(26), MS(20), 2},
		{"1 ns more, at 30 %", all_l2, MS(26) + 1, MS(20) + 1, 3},
	};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_thread threads[] = {
			{.states = rows[i].states, .nr_epochs = 1, .epoch_ns = rows[i].epoch_ns, .once = true}};
		uint64_t nr = rows[i].nr_timesteps, served = rows[i].states == all_l2 ? nr : 0;
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static"}, &o);
		if (o.whole.nr_timesteps != nr)
			fail_msg("%s: %" PRIu64 " timesteps", rows[i].name, o.whole.nr_timesteps);
		expect_thread(&o, 0, rows[i].epoch_ns, nr, served, served, 0, 0);
		expect_presence(&o, 0, rows[i].present_ns, true);
		/* a given time goes by without it */
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 5}, &o);
		expect_thread(&o, 0, rows[i].epoch_ns, nr, served, served, 0, 0);
		expect_presence(&o, 0, rows[i].present_ns, true);
		assert_int_equal(o.whole.present_timesteps, nr);
		/* where it does not leave, it begins again at once */
		threads[0].once = false;
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 5}, &o);
		expect_thread(&o, 0, served ? MS(65) : MS(50), 5, served ? 5 : 0, served ? 5 : 0, 0, 0);
		expect_presence(&o, 0, MS(50), false);
	}
}

/* Thread 0 has 15 ms of work: its first timestep, and half of the third. Then only thread 1 has the core. */
static void test_leave_to_others(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	static const struct sim_thread threads[] = {
		{.states = all_low, .nr_epochs = 1, .epoch_ns = MS(18), .offset_ns = MS(3), .once = true},
		TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 6}, &o);
	expect_thread(&o, 0, MS(15), 2, 0, 2, 0, 0);
	expect_presence(&o, 0, MS(25), true);
	expect_thread(&o, 1, MS(40), 4, 0, 4, 0, 0);
	expect_presence(&o, 1, MS(60), false);
	assert_int_equal(o.cores[0].executed, 6);
	assert_int_equal(o.whole.states[LOW].executed, 6);
	assert_int_equal(o.whole.present_timesteps, 3 * 2 + 3);
	assert_int_equal(o.whole.capacity_timesteps, 6);
}

/* "0: until the last thread has left, if none repeats its trace", which may come long after all others have; "else as
 * long as the longest trace, counted from its thread's arrival". */
static void test_run_until_all_have_left(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	struct sim_thread threads[] = {
		{.states = all_low, .nr_epochs = 1, .epoch_ns = MS(5), .once = true},
		{.states = all_low, .nr_epochs = 1, .epoch_ns = MS(10) + 1, .arrive_ns = MS(41), .once = true},
	};
	struct outcome o;

	(void)state;
	/* one timestep; four without anybody; two */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm"}, &o);
	assert_int_equal(o.whole.nr_timesteps, 7);
	assert_int_equal(o.whole.present_timesteps, 3);
	expect_presence(&o, 0, MS(5), true);
	expect_presence(&o, 1, MS(10) + 1, true);
	/* 41 ms and 10 ms and 1 ns make 6 timesteps */
	threads[0].once = false;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm"}, &o);
	assert_int_equal(o.whole.nr_timesteps, 6);
	expect_presence(&o, 0, MS(60), false);
	expect_presence(&o, 1, MS(10), false);
}

/* 10 ms take 1 s at -99 %: too long for GIVE_UP_FACTOR times 10 ms. */
static void test_given_up(void **state)
{
	static const struct way ways[] = {{TABLE, -99}};
	static const struct sim_thread threads[] = {
		{.states = all_low, .nr_epochs = 1, .epoch_ns = MS(10), .once = true}};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static"}, &o);
	assert_int_equal(o.whole.nr_timesteps, 10);
	expect_thread(&o, 0, MS(1), 10, 0, 0, 0, 0);
	expect_presence(&o, 0, MS(100), false);
}

/* Warm-up over 16 ms of progress at 32 %: part i, of 1 ms, is at 2 i + 1 %. */
static void test_warmup(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 32}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	struct setup setup = {CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(2), .warmup_ns = MS(16)};
	struct outcome o;

	(void)state;
	/* 10 on baseline; 2 of debt, parts 0 to 7: 8 + 0.64 */
	setup.steps = 2;
	simulate(&setup, &o);
	expect_thread(&o, 0, US(18640), 2, 1, 1, 0, 1);
	same(&o, 0, "paid_ns", o.threads[0].paid_ns, MS(2));
	/* parts 8 to 15: 8 + 1.92; 2 at 1.32 */
	setup.steps = 3;
	simulate(&setup, &o);
	expect_thread(&o, 0, US(18640 + 9920 + 2640), 3, 2, 2, 0, 1);
	setup.steps = 4;
	simulate(&setup, &o);
	expect_thread(&o, 0, US(18640 + 9920 + 2640 + 13200), 4, 3, 3, 0, 1);
	assert_int_equal(o.whole.decisions, 1);
}

TEST_FILE(test_sim_presence)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arrival),
		cmocka_unit_test(test_arrival_on_shortest_queue),
		cmocka_unit_test(test_leave),
		cmocka_unit_test(test_leave_to_others),
		cmocka_unit_test(test_run_until_all_have_left),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_warmup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
