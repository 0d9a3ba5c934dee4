/* The policy `eas`: light threads on little cores, heavy ones on big cores, and neither where nothing is known. */
#include "tests/unit/sched/policies/made_policy_run.h"

#define SECONDS(s) ((uint64_t)(s)*NS_PER_S)

/* Capacities and powers of the kernel's worked example (test_energy_model.c). */
#define LEVEL(level_mhz, capacity, uw)                                                                                 \
	{                                                                                                              \
		.mhz = (level_mhz), .speedup_ppm = {[0 ... NR_STATES - 1] = (capacity)*1000000 / 1024 - 1000000},      \
		.power_uw = {                                                                                          \
			[0 ... NR_STATES - 1] = (uw)                                                                   \
		}                                                                                                      \
	}
static const struct core_level little[] = {LEVEL(500, 170, 50), LEVEL(1000, 341, 150), LEVEL(1500, 512, 300)};
static const struct core_level big[] = {LEVEL(1000, 512, 400), LEVEL(1500, 768, 800), LEVEL(2000, 1024, 1700)};
static const struct core_level unknown_little[] = {LEVEL(500, 170, 0), LEVEL(1000, 341, 0), LEVEL(1500, 512, 0)};
static const struct core_level unknown_big[] = {LEVEL(1000, 512, 0), LEVEL(1500, 768, 0), LEVEL(2000, 1024, 0)};

/* Cores 0 and 1 are big, 2 and 3 little. */
static const struct way ways[] = {{BASE, 0}, {BASE, 0}, {TABLE, -50}, {TABLE, -50}};
static const struct core_levels known[] = {{3, big, 0}, {3, big, 0}, {3, little, 0}, {3, little, 0}};
static const struct core_levels unknown[] = {
	{3, unknown_big, 0}, {3, unknown_big, 0}, {3, unknown_little, 0}, {3, unknown_little, 0}};

/* A tenth of a big core. */
static const struct burst_model light_bursts = {
	.run = {.shape = BURST_FIXED, .mean_ns = US(1600)},
	.sleep = {.shape = BURST_FIXED, .mean_ns = US(14400)},
};
static const struct sim_thread hog = TRACE(all_low, MS(100));
static const struct sim_thread light = {
	.states = all_low, .nr_epochs = 1, .epoch_ns = MS(100), .bursts = &light_bursts};

static void run(const struct setup *setup, const struct core_levels *levels, uint64_t residency[4][3],
		struct outcome *o)
{
	static const uint32_t groups[] = {2, 5, 8, 11};
	struct activity activity[TOP_THREADS * 12 * NR_STATES];
	struct setup with_policy = *setup;
	struct made_chip made;
	struct sahm_err err;

	with_policy.policy = "eas";
	struct sim_config config = config_of(&with_policy, &made);
	config.levels = levels;
	config.activity = activity;
	config.core_groups = groups;
	config.nr_groups = 12;
	config.residency = residency ? residency[0] : NULL;
	memset(activity, 0, sizeof(activity));
	memset(o, 0, sizeof(*o));
	if (sim_run(&config, &o->whole, o->threads, o->cores, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static uint64_t big_ns(const struct outcome *o)
{
	return o->cores[0].executed + o->cores[1].executed;
}

static uint64_t little_ns(const struct outcome *o)
{
	return o->cores[2].executed + o->cores[3].executed;
}

/* A new thread is taken to need half of the core, 512 of 1024: so it begins at the level of 768, the slowest with 1.25
 * x 512. There its utilisation is 768 - 256 x 2^-(t / 32 ms), and 1.25 x that is above 768 from 23.6 ms on: the next
 * timestep begins at 30 ms. */
static void test_utilisation(void **state)
{
	static const struct way one[] = {{BASE, 0}};
	const struct sim_thread threads[] = {hog};
	uint64_t residency[4][3] = {{0}};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(one), THREADS(threads), .steps = 100}, known, residency, &o);
	assert_int_equal(residency[0][0], 0);
	assert_int_equal(residency[0][1], MS(30));
	assert_int_equal(residency[0][2], MS(970));
	assert_int_equal(o.threads[0].completed_ns, MS(30) * 3 / 4 + MS(970));
}

/* Two begin on big cores, since new threads go to the fastest idle ones. As soon as no core is over-utilised, the next
 * wake-up takes each to a little core, where it stays, at a level that leaves a fifth of the core free. */
static void test_light_threads(void **state)
{
	const struct sim_thread threads[] = {light, light, light, light};
	uint64_t residency[4][3] = {{0}};
	struct outcome o;

	(void)state;
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 1000}, known, residency, &o);
	assert_true(big_ns(&o) < MS(100));
	assert_true(little_ns(&o) > SECONDS(5));
	assert_true(o.whole.decisions < 10);
	for (unsigned c = 2; c < 4; c++)
		assert_true(residency[c][1] > SECONDS(9));
	for (unsigned c = 0; c < 2; c++)
		assert_true(residency[c][0] > SECONDS(9));
}

/* A thread that always runs gets a big core; where one of those that have them leaves, a third one follows. */
static void test_heavy_thread(void **state)
{
	struct sim_thread threads[] = {hog, hog, hog};
	struct outcome o;

	(void)state;
	threads[0].once = true;
	threads[0].epoch_ns = SECONDS(1);
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 1000}, known, NULL, &o);
	assert_true(o.threads[0].left);
	assert_int_equal(o.threads[1].migrations, 0);
	/* it begins at a lower level, until it is known to be heavy */
	expect_about("completed", 1, o.threads[1].completed_ns, SECONDS(10), MS(20));
	assert_int_equal(o.threads[2].migrations, 1);
	assert_true(o.threads[2].completed_ns > SECONDS(9));
	expect_about("little", 2, little_ns(&o), SECONDS(1), MS(20));
}

/* Beside a thread that never sleeps placement is not by energy: who wakes goes on where it was. So it is where powers
 * are not known. */
static void test_over_utilised(void **state)
{
	struct sim_thread threads[] = {hog, light};
	const struct sim_thread two[] = {light, light};
	struct outcome o;

	(void)state;
	threads[1].arrive_ns = SECONDS(1);
	run(&(struct setup){CORES(ways), THREADS(threads), .steps = 1000}, known, NULL, &o);
	assert_int_equal(o.whole.decisions, 0);
	assert_int_equal(little_ns(&o), 0);
	run(&(struct setup){CORES(ways), THREADS(two), .steps = 1000}, unknown, NULL, &o);
	assert_int_equal(o.whole.decisions, 0);
	assert_int_equal(little_ns(&o), 0);
	run(&(struct setup){CORES(ways), THREADS(two), .steps = 1000}, known, NULL, &o);
	assert_true(little_ns(&o) > 2 * big_ns(&o));
}

/* Threads that share a core do so by weight; an idle core takes one, the others even out numbers by capacity: three on
 * two big cores and one on each little one, or two on each big one. */
static void test_queues(void **state)
{
	static const struct way one[] = {{BASE, 0}};
	struct sim_thread threads[] = {hog, hog, hog, hog, hog, hog};
	static const uint64_t first[] = {1};
	struct outcome o;

	(void)state;
	for (uint32_t t = 0; t < 3; t++)
		threads[t].weight = 100 * (t + 1);
	run(&(struct setup){CORES(one), .threads = threads, .nr_threads = 3, .steps = 1200}, known, NULL, &o);
	for (uint32_t t = 0; t < 3; t++)
		expect_about("time", t, ran_ns(&o, t), SECONDS(2) * (t + 1), MS(10));
	/* All begin on core 0; four of them may leave it after a second. */
	static const uint64_t all[] = {0xf};
	const struct sim_change changes[] = {
		{.at_ns = SECONDS(1), .thread = 1, .sets_allowed = true, .allowed = all},
		{.at_ns = SECONDS(1), .thread = 2, .sets_allowed = true, .allowed = all},
		{.at_ns = SECONDS(1), .thread = 3, .sets_allowed = true, .allowed = all},
		{.at_ns = SECONDS(1), .thread = 4, .sets_allowed = true, .allowed = all},
	};
	struct made_chip made;
	struct sahm_err err;
	for (uint32_t t = 0; t < ARRAY_SIZE(threads); t++)
		threads[t].allowed = first;
	struct sim_config config =
		config_of(&(struct setup){CORES(ways), THREADS(threads), .policy = "eas", .steps = 1100}, &made);
	config.levels = known;
	config.changes = changes;
	config.nr_changes = ARRAY_SIZE(changes);
	memset(&o, 0, sizeof(o));
	if (sim_run(&config, &o.whole, o.threads, o.cores, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	for (unsigned c = 1; c < 4; c++)
		expect_about("core", c, o.cores[c].executed, SECONDS(10), MS(50));
	assert_true(o.whole.decisions >= 4 && o.whole.decisions < 10);
}

TEST_FILE(test_policy_eas)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utilisation),  cmocka_unit_test(test_light_threads),
		cmocka_unit_test(test_heavy_thread), cmocka_unit_test(test_over_utilised),
		cmocka_unit_test(test_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
