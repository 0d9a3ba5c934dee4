/* Dispatch queues as a policy sees them: order, places, slices, who has a thread, limits. */
#include <stdlib.h>

#include "sim/base/array.h"
#include "tests/unit/sched/host/made_host.h"

static const struct sched_ext_ops dispatches = {SAYS(select_cpu), SAYS(enqueue), SAYS(dispatch), SAYS(running)};
static const struct sched_ext_ops quiet = {
	.init = told_init, .enqueue = told_enqueue, .dispatch = told_dispatch, .select_cpu = told_select_cpu};

static void make_queue(const char *op, struct task_struct *p)
{
	(void)p;
	if (strcmp(op, "init") == 0)
		assert_int_equal(scx_bpf_create_dsq(7, -1), 0);
}

static void take_from_7(s32 cpu, struct task_struct *prev)
{
	(void)cpu;
	(void)prev;
	scx_bpf_dsq_move_to_local(7, 0);
}

/* The order in which threads first run on one core, as text: "231". */
static void expect_order(struct made_host *m, const char *order)
{
	char expected[TOP_THREADS + 1] = "", *end = expected;
	expect_run(m, NULL);
	for (const char *line = told; (line = strstr(line, " running ")); line++)
		if (end < expected + TOP_THREADS)
			*end++ = line[strlen(" running ")];
	assert_string_equal(expected, order);
}

static const struct sched_ext_ops with_queue = {SAYS(init), SAYS(select_cpu), SAYS(enqueue), SAYS(dispatch),
						SAYS(running)};

static void by_vtime(struct task_struct *p, u64 enq_flags)
{
	static const u64 vtimes[] = {0, 30, 10, 20, 10};
	scx_bpf_dsq_insert_vtime(p, 7, SLICE, vtimes[p->pid], enq_flags);
}

static void test_user_vtime(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &with_queue, 1, 4, 4 * SLICE);
	hooks = (struct hooks){.at = make_queue, .enqueue = by_vtime, .dispatch = take_from_7};
	/* 2 and 4 have the lowest vtime, 2 came first; then each comes back with the same vtime. */
	expect_order(&m, "2424");
}

static void at_end(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 7, SLICE, enq_flags);
	assert_int_equal(scx_bpf_dsq_insert(p, 7, SLICE, enq_flags), 0); /* once */
}

static void test_user_fifo(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &with_queue, 1, 3, 5 * SLICE);
	hooks = (struct hooks){.at = make_queue, .enqueue = at_end, .dispatch = take_from_7};
	expect_order(&m, "12312");
	expect_count("ignored", m.whole.nr_ignored, 3 + 4);
}

static void at_front(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 7, SLICE, enq_flags | SCX_ENQ_HEAD);
}

static void test_head(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &with_queue, 1, 3, SLICE);
	hooks = (struct hooks){.at = make_queue, .enqueue = at_front, .dispatch = take_from_7};
	expect_order(&m, "3");
}

/* Only who may run there is taken, and the others stay in their order. */
static void test_affinity(void **state)
{
	static const uint64_t second = 2;
	struct made_host m;
	(void)state;
	make_host(&m, &with_queue, 2, 3, SLICE);
	hooks = (struct hooks){.at = make_queue, .enqueue = at_end, .dispatch = take_from_7};
	m.threads[0].allowed = m.threads[1].allowed = &second;
	expect_run(&m, NULL);
	expect_count("thread 0", m.results[0].executed, SLICE);
	expect_count("thread 1", m.results[1].executed, 0);
	expect_count("thread 2", m.results[2].executed, SLICE);
	expect_count("core 0", m.cores[0].executed, SLICE);
}

/* Slices are used up to the ns; one of 0 is what the thread has left, or 1 ns. */
static void uneven(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, p->pid == 1 ? 1234 : 777, enq_flags);
}

static void test_slice_length(void **state)
{
	static struct sched_ext_ops few = {SAYS(select_cpu), SAYS(enqueue), SAYS(running)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 2, 3000);
	hooks.enqueue = uneven;
	expect_run(&m, "0 enqueue 1 wakeup\n0 enqueue 2 wakeup\n0 running 1\n1234 enqueue 1\n1234 running 2\n"
		       "2234 enqueue 2\n2234 running 1\n");
	/* The second's 777 ns are too short for a slice. */
	expect_count("thread 0", m.results[0].executed, 1234 + (3000 - 1234 - SAHM_SLICE_MIN_NS));
}

/* A thread that wakes stops who runs on the core that it wants. */
static void preempt(struct task_struct *p, u64 enq_flags)
{
	if (enq_flags & SCX_ENQ_WAKEUP && p->pid == 3)
		enq_flags |= SCX_ENQ_PREEMPT;
	scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | 0, SLICE, enq_flags);
}

static void test_preempt(void **state)
{
	static struct sched_ext_ops few = {SAYS(select_cpu), SAYS(enqueue), SAYS(running), SAYS(stopping)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 3, 4000);
	hooks.enqueue = preempt;
	m.threads[2].arrive_ns = 1000;
	/* In front of the second, which waits since 0. */
	expect_run(&m, "0 enqueue 1 wakeup\n0 enqueue 2 wakeup\n0 running 1\n1000 enqueue 3 wakeup\n"
		       "1000 stopping 1 runnable\n1000 enqueue 1\n1000 running 3\n3000 stopping 3 runnable\n"
		       "3000 enqueue 3\n3000 running 2\n");
}

/* A kick: an idle core looks at once, a busy one when its slice is used up, which SCX_KICK_PREEMPT does. */
static u64 kick_flags;
static void kick(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 7, SLICE, enq_flags);
	scx_bpf_kick_cpu(1, kick_flags);
}

/* When the third thread, which comes at 1000 while both cores are busy up to 2000, begins to run. */
static unsigned long began(u64 flags)
{
	struct made_host m;
	make_host(&m, &with_queue, 2, 3, 6000);
	kick_flags = flags;
	hooks = (struct hooks){.at = make_queue, .enqueue = kick, .dispatch = take_from_7};
	m.threads[2].arrive_ns = 1000;
	expect_run(&m, NULL);
	const char *line = strstr(told, " running 3");
	assert_non_null(line);
	while (line > told && line[-1] != '\n')
		line--;
	return strtoul(line, NULL, 10);
}

static void test_kicks(void **state)
{
	struct made_host m;
	(void)state;
	/* Nobody but the kick makes core 1 look: threads wake for core 0. */
	make_host(&m, &with_queue, 2, 2, 1000);
	kick_flags = SCX_KICK_IDLE;
	hooks = (struct hooks){.at = make_queue, .enqueue = kick, .dispatch = take_from_7};
	expect_run(&m, NULL);
	expect_count("core 1", m.cores[1].executed, 1000);
	assert_int_equal(began(SCX_KICK_IDLE), 2000);
	assert_int_equal(began(0), 2000);
	assert_int_equal(began(SCX_KICK_PREEMPT), 1000);
	assert_int_equal(began(SCX_KICK_PREEMPT | SCX_KICK_WAIT), 1000);
}

/* A thread that the policy has is inserted by dispatch(), with as many slots as it says. */
static void keep(struct task_struct *p, u64 enq_flags)
{
	(void)p;
	(void)enq_flags;
}

static bool cancels, exceeds;
static void insert_all(s32 cpu, struct task_struct *prev)
{
	(void)cpu;
	if (prev)
		return;
	for (u32 t = 0; t < sahm_nr_tasks() && (exceeds || scx_bpf_dispatch_nr_slots() > 0); t++) {
		u32 slots = scx_bpf_dispatch_nr_slots();
		bool inserted = scx_bpf_dsq_insert(sahm_task(t), SCX_DSQ_LOCAL, SLICE, 0);
		assert_int_equal(scx_bpf_dispatch_nr_slots(), exceeds && slots == 0 ? 0 : slots - inserted);
		if (cancels && inserted && t == 0) {
			scx_bpf_dispatch_cancel();
			assert_int_equal(scx_bpf_dispatch_nr_slots(), slots);
		}
		/* It takes effect when dispatch() returns. */
		assert_true(scx_bpf_now() != 0 || scx_bpf_dsq_nr_queued(SCX_DSQ_LOCAL) <= 0);
	}
}

static void test_batch(void **state)
{
	struct made_host m;
	(void)state;
	cancels = exceeds = false;
	make_host(&m, &dispatches, 1, 3, SLICE);
	m.ops.dispatch_max_batch = 2;
	hooks = (struct hooks){.enqueue = keep, .dispatch = insert_all};
	expect_order(&m, "1");
	cancels = true;
	make_host(&m, &dispatches, 1, 3, SLICE);
	hooks = (struct hooks){.enqueue = keep, .dispatch = insert_all};
	expect_order(&m, "2");
	cancels = false;
	exceeds = true;
	make_host(&m, &dispatches, 1, 3, SLICE);
	m.ops.dispatch_max_batch = 2;
	hooks = (struct hooks){.enqueue = keep, .dispatch = insert_all};
	expect_failure(&m, "it inserted more than 2 threads in one dispatch (dispatch_max_batch)");
}

/* What must not be inserted, and where. */
static u64 bad_id;
static bool bad_vtime;
static void insert_badly(struct task_struct *p, u64 enq_flags)
{
	if (bad_vtime)
		scx_bpf_dsq_insert_vtime(p, bad_id, SLICE, 5, enq_flags);
	else
		scx_bpf_dsq_insert(p, bad_id, SLICE, enq_flags);
}

static void insert_other(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(sahm_task(2 - (u32)p->pid), SCX_DSQ_GLOBAL, SLICE, enq_flags);
}

static void mix(struct task_struct *p, u64 enq_flags)
{
	if (p->pid == 1)
		scx_bpf_dsq_insert(p, 7, SLICE, enq_flags);
	else
		scx_bpf_dsq_insert_vtime(p, 7, SLICE, 5, enq_flags);
}

static void test_bad_inserts(void **state)
{
	static const uint64_t first = 1;
	static const struct {
		u64 id;
		bool vtime, bound;
		const char *message;
	} rows[] = {
		{99, false, false, "thread t (pid 1) was inserted into queue 99, which does not exist"},
		{SCX_DSQ_LOCAL_ON | 2, false, false,
		 "thread t (pid 1) was inserted into the local queue of core 2, which does not exist (cores 0 to 1)"},
		{SCX_DSQ_LOCAL_ON | 1, false, true,
		 "thread t (pid 1) was inserted into the local queue of core 1, on which it may not run"},
		{SCX_DSQ_GLOBAL, true, false, "thread t (pid 1) was inserted by vtime into a built-in queue"},
		{SCX_DSQ_INVALID, false, false, "was inserted into queue 9223372036854775808, which does not exist"},
	};
	struct made_host m;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		make_host(&m, &quiet, 2, 2, SLICE);
		hooks.enqueue = insert_badly;
		bad_id = rows[i].id;
		bad_vtime = rows[i].vtime;
		m.threads[0].allowed = rows[i].bound ? &first : NULL;
		expect_failure(&m, rows[i].message);
	}
	make_host(&m, &quiet, 1, 2, SLICE);
	hooks.enqueue = insert_other;
	expect_failure(&m, "it inserted thread t (pid 2) where only thread t (pid 1) is at hand");
	make_host(&m, &quiet, 1, 2, SLICE);
	hooks = (struct hooks){.at = make_queue, .enqueue = mix};
	expect_failure(&m, "queue 7 holds threads in order of vtime and others at once");
}

TEST_FILE(test_host_queues)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user_vtime),   cmocka_unit_test(test_user_fifo),
		cmocka_unit_test(test_head),	     cmocka_unit_test(test_affinity),
		cmocka_unit_test(test_slice_length), cmocka_unit_test(test_preempt),
		cmocka_unit_test(test_kicks),	     cmocka_unit_test(test_batch),
		cmocka_unit_test(test_bad_inserts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
