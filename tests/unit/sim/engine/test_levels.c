/* Frequency levels and shared memory: short runs whose numbers are worked out beside them. */
#include "sched/host/ext.h"
#include "tests/unit/made_run.h"

#define SECOND (100 * STEP_NS)

/* Two levels: half and full speed. */
static const struct core_level half_full[] = {
	{.mhz = 500, .speedup_ppm = {[0 ... NR_STATES - 1] = -500000}, .power_uw = {[0 ... NR_STATES - 1] = 300}},
	{.mhz = 1000, .power_uw = {[0 ... NR_STATES - 1] = 1000}},
};

static void run_levels(struct sim_config *config, struct outcome *o)
{
	struct sahm_err err;

	if (sim_run(config, &o->whole, o->threads, o->cores, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* A policy that asks for level 0 at 30 ms, and says what it sees. */
static u32 seen_level, seen_cap, seen_cur;

static u64 slow_down_at_30(u64 now)
{
	if (now == MS(30))
		sahm_set_perf(0, 0);
	seen_level = sahm_level(0);
	seen_cap = scx_bpf_cpuperf_cap(0);
	seen_cur = scx_bpf_cpuperf_cur(0);
	assert_int_equal(sahm_nr_levels(0), 2);
	assert_int_equal(sahm_level_ppm(0, 0, 3), -500000);
	assert_int_equal(sahm_level_power_uw(0, 1, 3), 1000);
	assert_int_equal(sahm_speedup_ppm(0, 3), 0);
	return 0;
}

/* "A new level takes effect `transition_ns` after it was asked for" */
static void test_one_thread_at_one_level(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, SECOND)};
	static const struct sched_ext_ops policy = {.name = "slow", .sahm_pass = slow_down_at_30};
	static const struct {
		uint64_t transition_ns, full_ms; /* of 100 */
	} rows[] = {{0, 30}, {1, 40}, {MS(10), 40}, {MS(10) + 1, 50}, {MS(70), 100}};
	struct made_chip made;
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t full_ns = MS(rows[i].full_ms), half_ns = MS(100) - full_ns;
		struct core_levels levels = {ARRAY_SIZE(half_full), half_full, rows[i].transition_ns};
		struct activity activity[2 * NR_STATES] = {{0}};
		uint32_t group = 1;
		uint64_t residency[2] = {0};
		struct sim_config config = config_of(
			&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 10}, &made);
		config.policy = &policy;
		config.levels = &levels;
		config.activity = activity;
		config.core_groups = &group;
		config.nr_groups = 2;
		config.residency = residency;
		run_levels(&config, &o);
		same(&o, 0, "completed_ns", o.threads[0].completed_ns, full_ns + half_ns / 2);
		assert_int_equal(residency[1], full_ns);
		assert_int_equal(residency[0], half_ns);
		assert_int_equal(activity[NR_STATES].executed, full_ns / STEP_NS);
		assert_int_equal(activity[0].executed, half_ns / STEP_NS);
		assert_int_equal(seen_level, half_ns == 0);
		assert_int_equal(seen_cap, 1024);
		assert_int_equal(seen_cur, half_ns == 0 ? 1024 : 512);
	}
}

static u64 keep_fast(u64 now)
{
	if (now == 0)
		sahm_set_perf(0, 1);
	return 0;
}

/* "the slowest level whose frequency is at least 1.25 x the frequency that it had x the share of the last timestep in
 * which it was busy": an idle core goes to the slowest at the end of its first timestep, a busy one stays. A thread
 * that arrives then finds 500 MHz, and after a timestep of that the governor wants 625. "A core whose level the policy
 * has set keeps that." */
static void test_governor(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	static const struct sched_ext_ops keeper = {.name = "keeper", .sahm_pass = keep_fast};
	struct core_levels levels = {ARRAY_SIZE(half_full), half_full, 0};
	struct sim_thread thread = TRACE(all_low, SECOND);
	struct made_chip made;
	struct outcome o;

	(void)state;
	for (uint64_t arrive = 0; arrive <= 3; arrive++) {
		thread.arrive_ns = arrive * STEP_NS;
		struct sim_config config = config_of(&(struct setup){.ways = ways,
								     .nr_cores = 1,
								     .threads = &thread,
								     .nr_threads = 1,
								     .policy = "static",
								     .steps = 10},
						     &made);
		config.levels = &levels;
		config.governor = true;
		run_levels(&config, &o);
		same(&o, 0, "completed_ns", o.threads[0].completed_ns,
		     arrive == 0 ? MS(100) : MS(5) + (9 - arrive) * STEP_NS);
		config.policy = &keeper;
		run_levels(&config, &o);
		same(&o, 0, "completed_ns", o.threads[0].completed_ns, (10 - arrive) * STEP_NS);
	}
}

/* The other core has a quarter of the speed. */
static void set_target(struct task_struct *p)
{
	assert_int_equal(scx_bpf_cpuperf_cap(0), 1024);
	assert_int_equal(scx_bpf_cpuperf_cap(1), 256);
	scx_bpf_cpuperf_set(0, (u32)(p->pid == 1 ? 512 * 4 / 5 : 512 * 4 / 5 + 1));
}

/* scx_bpf_cpuperf_set(): the slowest level with 1.25 x the target. */
static void test_performance_target(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {TABLE, -75}};
	static const struct sched_ext_ops policy = {.name = "target", .running = set_target};
	static const uint64_t first_core = 1;
	const struct sim_thread thread = {
		.states = all_low, .nr_epochs = 1, .epoch_ns = SECOND, .allowed = &first_core};
	const struct sim_thread threads[] = {thread, thread};
	const struct core_levels levels[] = {{ARRAY_SIZE(half_full), half_full, 0}, {1, half_full, 0}};
	struct made_chip made;
	struct outcome o;

	(void)state;
	/* The first thread asks for at most half, the second for a little more. */
	for (uint32_t nr = 1; nr <= 2; nr++) {
		struct sim_config config = config_of(&(struct setup){.ways = ways,
								     .nr_cores = 2,
								     .threads = threads,
								     .nr_threads = nr,
								     .policy = "static",
								     .steps = 4},
						     &made);
		config.policy = &policy;
		config.levels = levels;
		run_levels(&config, &o);
		/* in slices of 20 ms */
		same(&o, 0, "completed_ns", o.threads[0].completed_ns, nr == 1 ? MS(20) : MS(10));
		if (nr == 2)
			same(&o, 1, "completed_ns", o.threads[1].completed_ns, MS(20));
	}
}

/* When the first thread goes to sleep, the policy touches the other, which begins another epoch in that ns. */
static bool touches_level;

static void never_preempt(struct task_struct *p)
{
	p->scx.slice = SCX_SLICE_INF;
}

static void touch_other(struct task_struct *p, bool runnable)
{
	(void)runnable;
	if (p->pid != 1)
		return;
	if (touches_level)
		sahm_set_perf(1, 0);
	else
		sahm_debt_ns(sahm_task(1));
}

/* The state that begins in that ns counts from then on. */
static void test_state_that_begins_now(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	static const struct sched_ext_ops policy = {.name = "touch", .running = never_preempt, .stopping = touch_other};
	static const uint64_t sets[] = {1, 2};
	static const struct burst burst = {MS(20), MS(20)};
	static const struct burst_model bursts = {.list = &burst, .nr = 1};
	static const uint8_t low_l2[] = {LOW, L2};
	const struct core_levels levels[] = {{ARRAY_SIZE(half_full), half_full, 0},
					     {ARRAY_SIZE(half_full), half_full, 0}};
	const struct sim_thread threads[] = {
		{.states = all_low, .nr_epochs = 1, .epoch_ns = SECOND, .allowed = &sets[0], .bursts = &bursts},
		{.states = low_l2, .nr_epochs = 2, .epoch_ns = MS(20), .allowed = &sets[1], .once = true}};
	struct made_chip made;
	struct outcome o;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct sim_config config = config_of(
			&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 3}, &made);
		config.policy = &policy;
		config.levels = levels;
		touches_level = i;
		run_levels(&config, &o);
		same(&o, 1, "completed_ns", o.threads[1].completed_ns, touches_level ? MS(25) : MS(30));
		assert_int_equal(o.whole.states[LOW].executed, MS(40));
		assert_int_equal(o.whole.states[L2].executed, MS(10));
	}
}

/* "While the demands of a group add up to more than its capacity, progress in states that stress the L2 is slower for
 * all threads there by capacity / demand": two threads at exactly the capacity, and one unit above it. A third thread,
 * in a state that does not stress the L2, only adds demand; a fourth is in no group. */
static void test_capacity(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}, {BASE, 0}, {BASE, 0}};
	static const uint64_t demand[NR_STATES] = {[0] = 100, [L2] = 1000};
	static const uint32_t shared_of[] = {0, 0, 0, 1};
	const struct sim_thread threads[] = {{.states = all_l2, .nr_epochs = 1, .epoch_ns = SECOND, .demand = demand},
					     {.states = all_l2, .nr_epochs = 1, .epoch_ns = SECOND, .demand = demand},
					     {.states = all_low, .nr_epochs = 1, .epoch_ns = SECOND, .demand = demand},
					     {.states = all_l2, .nr_epochs = 1, .epoch_ns = SECOND, .demand = demand}};
	static const uint64_t capacities[] = {2101, 2100, 2099, 1050, 1};
	struct made_chip made;
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(capacities); i++) {
		uint64_t capacity = capacities[i];
		uint64_t rate = capacity >= 2100 ? 1000000 : 1000000 * capacity / 2100;
		struct sim_config config = config_of(
			&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 10}, &made);
		config.shared_of = shared_of;
		config.capacity = &capacity;
		config.nr_shared = 1;
		run_levels(&config, &o);
		same(&o, 0, "completed_ns", o.threads[0].completed_ns, MS(100) * rate / 1000000);
		same(&o, 1, "completed_ns", o.threads[1].completed_ns, MS(100) * rate / 1000000);
		same(&o, 2, "completed_ns", o.threads[2].completed_ns, MS(100));
		same(&o, 3, "completed_ns", o.threads[3].completed_ns, MS(100));
	}
}

static void test_refused(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	static const struct core_level same_mhz[] = {{.mhz = 500}, {.mhz = 500}};
	static const struct core_level too_slow[] = {{.mhz = 500, .speedup_ppm = {-1000000}}, {.mhz = 600}};
	static const struct sim_thread threads[] = {TRACE(all_low, SECOND)};
	static const uint32_t shared_of[] = {0};
	static const struct {
		struct core_levels levels;
		uint64_t capacity;
		const char *message;
	} rows[] = {
		{{0, half_full, 0}, 0, "core 0: 0 levels, must be from 1 to 64, with transitions of at most 1 s"},
		{{2, half_full, NS_PER_S + 1},
		 0,
		 "core 0: 2 levels, must be from 1 to 64, with transitions of at most 1 s"},
		{{2, same_mhz, 0}, 0, "core 0: level 1 is no faster than the one before it"},
		{{2, too_slow, 0}, 0, "core 0: level 0: a speedup of -100 %, must be from -99.9999 to 99900"},
		{{2, half_full, 0}, 1, "thread 0: its demand is not known, or above 1000000000000 misses per s"},
	};
	struct made_chip made;
	struct outcome o;
	struct sahm_err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_config config = config_of(
			&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 1}, &made);
		config.levels = &rows[i].levels;
		config.shared_of = shared_of;
		config.capacity = &rows[i].capacity;
		config.nr_shared = rows[i].capacity > 0;
		assert_int_equal(sim_run(&config, &o.whole, o.threads, o.cores, &err), SAHM_RANGE);
		assert_string_equal(err.msg, rows[i].message);
	}
}

TEST_FILE(test_levels)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_thread_at_one_level),
		cmocka_unit_test(test_governor),
		cmocka_unit_test(test_performance_target),
		cmocka_unit_test(test_state_that_begins_now),
		cmocka_unit_test(test_capacity),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
