/* A pass over run queues: effect and cost of moves, swaps and permutations, when they are refused, and when a pass is
 * requested. And the messages for a policy that loses threads, or time. */
#include "tests/unit/sched/host/made_host.h"

static const struct sched_ext_ops passes = {SAYS(sahm_observed), .sahm_pass = told_pass};

/* Who is on each core, heads first: "13|2". */
static char *queues(char text[64])
{
	size_t len = 0;
	for (u32 cpu = 0; cpu < scx_bpf_nr_cpu_ids(); cpu++) {
		if (cpu)
			text[len++] = '|';
		for (struct task_struct *p = sahm_head((s32)cpu); p; p = sahm_next(p))
			text[len++] = (char)('0' + p->pid);
	}
	text[len] = '\0';
	return text;
}

#define EXPECT_QUEUES(expected) assert_string_equal(queues((char[64]){0}), expected)

static struct task_struct *task(u32 pid)
{
	return sahm_task(pid - 1);
}

/* Threads 1, 4 on core 0; 2, 5 on core 1; 3 on core 2; core 3 has nobody. */
static void make_five(struct made_host *m, u64 (*pass)(u64))
{
	static const uint64_t first = 7;
	make_host(m, &passes, 4, 5, 2 * STEP_NS);
	for (int t = 0; t < 5; t++)
		m->threads[t].allowed = &first;
	hooks.pass = pass;
	m->config.distances.cost_ns = 10;
}

static u64 move_about(u64 now)
{
	if (now > 0)
		return 0;
	EXPECT_QUEUES("14|25|3|");
	assert_true(sahm_move(task(1), 2)); /* after the one that is there */
	EXPECT_QUEUES("4|25|31|");
	assert_int_equal(sahm_debt_ns(task(1)), 10);
	assert_true(sahm_swap(task(5), task(3)));
	EXPECT_QUEUES("4|23|51|");
	/* Refused: where it is, where it may not run, with one of its own core. */
	assert_false(sahm_move(task(1), 2));
	assert_false(sahm_move(task(1), 3));
	assert_false(sahm_swap(task(1), task(5)));
	assert_false(sahm_swap(task(1), task(1)));
	EXPECT_QUEUES("4|23|51|");
	return 0;
}

static void test_moves(void **state)
{
	struct made_host m;
	(void)state;
	make_five(&m, move_about);
	expect_run(&m, NULL);
	expect_count("decisions", m.whole.decisions, 2);
	expect_count("migrations", m.results[0].migrations, 1);
	expect_count("thread 4 in timesteps", m.results[3].executed, 2);
	/* 5 runs before 1, which paid in its turn. */
	expect_count("thread 5", m.results[4].paid_ns, 10);
	expect_count("thread 1", m.results[0].paid_ns, 10);
	expect_count("thread 1", m.results[0].completed_ns, STEP_NS - 10);
}

static bool permute(u32 a, s32 to_a, u32 b, s32 to_b, u32 nr)
{
	struct task_struct *threads[] = {task(a), task(b)};
	const s32 cores[] = {to_a, to_b};
	return sahm_permute(threads, cores, nr);
}

static u64 permute_heads(u64 now)
{
	struct task_struct *threads[] = {task(1), task(2), task(3)};
	const s32 cores[] = {1, 2, 0};
	if (now > 0)
		return 0;
	/* Not heads, twice the same core or thread, a core that keeps its head, one on which it may not run. */
	assert_false(permute(4, 1, 2, 0, 2));
	assert_false(permute(1, 1, 3, 1, 2));
	assert_false(permute(1, 1, 1, 2, 2));
	assert_false(permute(1, 1, 3, 0, 1));
	assert_false(permute(1, 3, 3, 0, 2));
	assert_false(permute(1, 0, 3, 2, 2));
	EXPECT_QUEUES("14|25|3|");
	assert_true(sahm_permute(threads, cores, 3));
	EXPECT_QUEUES("34|15|2|");
	assert_int_equal(sahm_debt_ns(task(1)), 10);
	assert_true(sahm_permute(threads, cores, 0));
	return 0;
}

static void test_permute(void **state)
{
	struct made_host m;
	(void)state;
	make_five(&m, permute_heads);
	expect_run(&m, NULL);
	expect_count("migrations", m.results[1].migrations, 1);
	expect_count("paid", m.results[1].paid_ns, 10);
}

/* One thread cannot be named twice although both cores are free: it cannot be in two places. */
static u64 permute_twice(u64 now)
{
	if (now == 0) {
		assert_false(permute(1, 1, 1, 2, 2));
		assert_true(permute(1, 2, 1, 1, 1));
		EXPECT_QUEUES("||1");
	}
	return 0;
}

static void test_permute_alone(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &passes, 3, 1, 2 * STEP_NS);
	hooks.pass = permute_twice;
	expect_run(&m, NULL);
	expect_count("executed", m.cores[2].executed, 2);
}

/* A pass is asked for when it wants to be, and at the next timestep after something has changed. */
static u64 wanted;
static u64 want(u64 now)
{
	return now < 5000 ? wanted : SAHM_WHEN_CHANGED;
}

static void test_pass_times(void **state)
{
	static const uint8_t states[] = {LOW, L2};
	struct made_host m;
	(void)state;
	make_host(&m, &passes, 1, 1, 8000);
	m.threads[0] = (struct sim_thread){.states = states, .nr_epochs = 2, .epoch_ns = 6200, .name = "t"};
	hooks.pass = want;
	wanted = SAHM_WHEN_CHANGED;
	/* It comes; its first state is observed at 1000. The timestep from 7000 is the first in the other state. */
	expect_run(&m, "0 sahm_pass\n1000 sahm_observed 1 0\n1000 sahm_pass\n");
	make_host(&m, &passes, 1, 1, 9000);
	m.threads[0] = (struct sim_thread){.states = states, .nr_epochs = 2, .epoch_ns = 6200, .name = "t"};
	hooks.pass = want;
	wanted = 3001;
	expect_run(&m, "0 sahm_pass\n1000 sahm_observed 1 0\n1000 sahm_pass\n4000 sahm_pass\n5000 sahm_pass\n"
		       "8000 sahm_observed 1 8\n8000 sahm_pass\n");
}

static void ask_late(const char *op, struct task_struct *p)
{
	(void)p;
	if (strcmp(op, "sahm_observed") == 0 && scx_bpf_now() > 5000)
		sahm_ask_for_pass();
}

/* Of two observed states the policy asks for a pass for one. */
static void test_asks(void **state)
{
	static const uint8_t states[] = {LOW, L2};
	struct made_host m;
	(void)state;
	make_host(&m, &passes, 1, 1, 9000);
	m.threads[0] = (struct sim_thread){.states = states, .nr_epochs = 2, .epoch_ns = 6200, .name = "t"};
	m.ops.flags = SAHM_OPS_ASKS;
	hooks.pass = want;
	hooks.at = ask_late;
	wanted = SAHM_WHEN_CHANGED;
	expect_run(&m, "0 sahm_pass\n1000 sahm_observed 1 0\n8000 sahm_observed 1 8\n8000 sahm_pass\n");
}

/* The watchdog */

static void keep(struct task_struct *p, u64 enq_flags)
{
	if (p->pid != 1)
		scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SLICE, enq_flags);
}

static const struct sched_ext_ops enqueues = {SAYS(select_cpu), SAYS(enqueue)};

/* At the end the thread that has waited longest is named: here one that the policy has in no queue. */
static void test_lost(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &enqueues, 1, 2, 100 * STEP_NS);
	hooks.enqueue = keep;
	expect_run(&m, NULL);
	assert_int_equal(m.whole.waiting.thread, 0);
	assert_int_equal(m.whole.waiting.ns, 100 * STEP_NS);
	assert_true(m.whole.waiting.is_kept);
}

static void forever(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SCX_SLICE_INF, enq_flags);
}

static void test_starved(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &enqueues, 1, 2, 10 * NS_PER_MS);
	m.ops.timeout_ms = 2;
	hooks.enqueue = forever;
	expect_failure(&m,
		       "it starves a thread: thread t (pid 2) has waited for 3.000 ms, since 0.000000 ms: it is in the "
		       "global queue");
}

static void make_queue(const char *op, struct task_struct *p)
{
	(void)p;
	if (strcmp(op, "init") == 0)
		scx_bpf_create_dsq(7, -1);
}

static void into_7(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 7, SLICE, enq_flags);
}

/* Nothing is ever taken from the queue: nobody waits for the watchdog. */
static void test_never_dispatches(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &enqueues, 2, 2, 10 * NS_PER_MS);
	m.ops.init = told_init;
	hooks = (struct hooks){.at = make_queue, .enqueue = into_7};
	expect_failure(
		&m,
		"policy 'told' at 0.000000 ms: every core idles for good while a thread waits: thread t (pid 1) has "
		"waited for 0.000 ms, since 0.000000 ms: it is in queue 7, from which no core has taken it");
}

static void kick_self(const char *op, struct task_struct *p)
{
	if (strcmp(op, "running") == 0)
		scx_bpf_kick_cpu(scx_bpf_task_cpu(p), SCX_KICK_PREEMPT);
}

static void test_livelock(void **state)
{
	static const struct sched_ext_ops few = {.running = told_running};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 2, 10 * STEP_NS);
	hooks.at = kick_self;
	expect_failure(&m, "it does not let time pass: cores have looked for work ");
}

TEST_FILE(test_host_moves)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves),	      cmocka_unit_test(test_permute),
		cmocka_unit_test(test_permute_alone), cmocka_unit_test(test_pass_times),
		cmocka_unit_test(test_asks),	      cmocka_unit_test(test_lost),
		cmocka_unit_test(test_starved),	      cmocka_unit_test(test_never_dispatches),
		cmocka_unit_test(test_livelock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
