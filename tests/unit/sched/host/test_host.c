/* The order in which a policy's operations are called, and when, to the ns. */
#include "sim/base/array.h"
#include "tests/unit/sched/host/made_host.h"

static const struct sched_ext_ops all = {
	SAYS(select_cpu), SAYS(enqueue),   SAYS(dequeue),    SAYS(dispatch),	SAYS(runnable), SAYS(running),
	SAYS(stopping),	  SAYS(quiescent), SAYS(init_task),  SAYS(exit_task),	SAYS(enable),	SAYS(disable),
	SAYS(init),	  SAYS(exit),	   SAYS(set_weight), SAYS(set_cpumask),
};

/* A thread from its arrival to the end of its trace. */
static void test_life(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &all, 1, 1, 4000);
	m.ops.update_idle = told_update_idle;
	m.threads[0] = (struct sim_thread){.states = (const uint8_t[]){LOW},
					   .nr_epochs = 1,
					   .epoch_ns = 1500,
					   .arrive_ns = 900,
					   .once = true,
					   .name = "t",
					   .weight = 7};
	expect_run(&m, "0 init\n0 dispatch 0 prev 0\n0 update_idle 0 idle\n"
		       "1000 init_task 1\n1000 enable 1\n1000 set_weight 1 7\n1000 set_cpumask 1 1\n"
		       /* It may run on one core only: nothing to select. */
		       "1000 runnable 1\n1000 enqueue 1 wakeup\n1000 update_idle 0 busy\n1000 running 1\n"
		       "2500 stopping 1\n2500 quiescent 1\n2500 disable 1\n2500 exit_task 1\n"
		       "2500 dispatch 0 prev 0\n2500 update_idle 0 idle\n4000 exit 1\n");
	assert_true(m.results[0].left);
	expect_count("present", m.results[0].present_ns, 1500);
	expect_count("executed", m.results[0].executed, 1500);
}

/* Two threads share a core: a slice is used up, and threads that are still there at the end are notified. */
static void test_slices(void **state)
{
	static struct sched_ext_ops few = {SAYS(enqueue), SAYS(dispatch), SAYS(running), SAYS(stopping)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 2, 5000);
	expect_run(&m, "0 dispatch 0 prev 0\n0 enqueue 1 wakeup\n0 enqueue 2 wakeup\n0 running 1\n"
		       "2000 stopping 1 runnable\n2000 enqueue 1\n2000 running 2\n"
		       "4000 stopping 2 runnable\n4000 enqueue 2\n4000 running 1\n");
	expect_count("executed", m.results[0].executed, 3000);
	expect_count("executed", m.results[1].executed, 2000);
	/* The first waits for 0, the second for 2000, the first again for 2000. */
	expect_count("waits", m.waits.wait.nr, 3);
	expect_count("longest wait", m.waits.wait.max, 2000);
	expect_count("wakings", m.waits.latency.nr, 0);
}

/* A thread without others goes on, with the default slice; dispatch() is asked when its slice is used up. */
static void test_goes_on(void **state)
{
	static struct sched_ext_ops few = {SAYS(enqueue), SAYS(dispatch), SAYS(running), SAYS(stopping)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 1, 2 * SCX_SLICE_DFL);
	m.config.timestep_ns = 1000000;
	expect_run(&m, "0 dispatch 0 prev 0\n0 enqueue 1 wakeup\n0 running 1\n"
		       "2000 dispatch 0 prev 1\n20002000 dispatch 0 prev 1\n");
}

/* With SCX_OPS_ENQ_LAST it is enqueued. */
static void test_enqueue_last(void **state)
{
	static struct sched_ext_ops few = {SAYS(enqueue), SAYS(running), SAYS(stopping), .flags = SCX_OPS_ENQ_LAST};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 1, 3000);
	expect_run(&m,
		   "0 enqueue 1 wakeup\n0 running 1\n2000 stopping 1 runnable\n2000 enqueue 1 last\n2000 running 1\n");
	expect_count("executed", m.results[0].executed, 3000);
}

/* Sleeping and waking; a sleep of 0 is a yield. */
static void test_sleep(void **state)
{
	static const struct burst list[] = {{1500, 700}, {1000, 0}};
	struct made_host m;
	(void)state;
	make_host(&m, &all, 2, 1, 5000);
	m.ops.yield = told_yield;
	SLEEPS(&m, 0, list);
	m.ops.dispatch = NULL;
	expect_run(&m, "0 init\n0 init_task 1\n0 enable 1\n0 set_weight 1 100\n0 set_cpumask 1 2\n"
		       "0 select_cpu 1 fork\n0 runnable 1\n0 enqueue 1 wakeup\n0 running 1\n"
		       "1500 stopping 1\n1500 quiescent 1 sleep\n"
		       "2200 select_cpu 1 wake\n2200 runnable 1\n2200 enqueue 1 wakeup\n2200 running 1\n"
		       "3200 yield 1\n4700 stopping 1\n4700 quiescent 1 sleep\n"
		       "5000 disable 1\n5000 exit_task 1\n5000 exit 1\n");
	expect_count("slept", m.results[0].slept_ns, 1000);
	expect_count("executed", m.results[0].executed, 4000);
	expect_count("wakings", m.waits.latency.nr, 1);
}

/* Without yield(), it gives its core to who waits. */
static void test_yield(void **state)
{
	static const struct burst list[] = {{1000, 0}};
	static struct sched_ext_ops few = {SAYS(running)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 2, 3000);
	SLEEPS(&m, 0, list);
	expect_run(&m, "0 running 1\n1000 running 2\n");
}

static s32 idle_core(struct task_struct *p, s32 prev_cpu)
{
	bool is_idle;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, 0, &is_idle);
	if (is_idle)
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SLICE, 0);
	return cpu;
}

/* Threads that arrive together find idle cores, each another one, and are not enqueued then. */
static void test_direct(void **state)
{
	static struct sched_ext_ops few = {SAYS(select_cpu), SAYS(enqueue), SAYS(running)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 2, 3, 1000);
	hooks.select_cpu = idle_core;
	expect_run(&m, "0 select_cpu 1 fork\n0 select_cpu 2 fork\n0 select_cpu 3 fork\n0 enqueue 3 wakeup\n"
		       "0 running 1\n0 running 2\n");
	expect_count("executed on core 0", m.cores[0].executed, 1000);
	expect_count("executed on core 1", m.cores[1].executed, 1000);
	expect_count("ignored", m.whole.nr_ignored, 0);
	/* Nobody had run anywhere before. */
	expect_count("migrations", m.results[1].migrations, 0);
}

/* tick() is called at the beginning of each timestep; a slice of 0 lets the core look for another thread. */
static void end_slice(const char *op, struct task_struct *p)
{
	if (strcmp(op, "tick") == 0 && scx_bpf_now() == 2000)
		p->scx.slice = 0;
}

static void test_tick(void **state)
{
	static struct sched_ext_ops few = {SAYS(tick), SAYS(running)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 2, 4000);
	hooks.at = end_slice;
	expect_run(&m, "0 running 1\n1000 tick 1\n2000 tick 1\n2000 running 2\n3000 tick 2\n");
}

/* What stopping() and running() ask and set changes nothing for others. */
static void ask_for_debt(const char *op, struct task_struct *p)
{
	if (strcmp(op, "stopping") == 0) {
		assert_int_equal(sahm_debt_ns(p), 0);
		scx_bpf_task_set_slice(p, 10);
	}
}

static void test_stopping_may_ask(void **state)
{
	static const struct burst list[] = {{1200, 5000}};
	static struct sched_ext_ops few = {SAYS(running), SAYS(stopping)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 1, 4000);
	SLEEPS(&m, 0, list);
	hooks.at = ask_for_debt;
	expect_run(&m, "0 running 1\n1200 stopping 1\n");
	expect_count("executed", m.results[0].executed, 1200);
}

/* Weight and cores change: a thread that the policy has is taken back and enqueued again, one that runs where it may
 * not any more goes. */
static void keep(struct task_struct *p, u64 enq_flags)
{
	(void)p;
	(void)enq_flags;
}

static void test_changes_of_kept(void **state)
{
	static const uint64_t second = 2;
	struct sim_change changes[] = {{.at_ns = 500, .thread = 0, .weight = 300},
				       {.at_ns = 700, .thread = 0, .sets_allowed = true, .allowed = &second}};
	static struct sched_ext_ops few = {SAYS(select_cpu), SAYS(enqueue), SAYS(dequeue), SAYS(set_weight),
					   SAYS(set_cpumask)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 2, 1, 2000);
	m.config.changes = changes;
	m.config.nr_changes = 2;
	hooks.enqueue = keep;
	expect_failure(
		&m, "every core idles for good while a thread waits: thread t (pid 1) has waited for 0.000 ms, since "
		    "0.000000 ms: the policy has it and has put it in no queue since (enqueue() did not");
	expect_told("0 set_weight 1 100\n0 set_cpumask 1 2\n0 select_cpu 1 fork\n0 enqueue 1 wakeup\n"
		    "500 dequeue 1 save\n500 set_weight 1 300\n500 enqueue 1\n"
		    "700 dequeue 1 save\n700 set_cpumask 1 1\n700 enqueue 1\n");
}

static void test_change_of_running(void **state)
{
	static const uint64_t second = 2;
	struct sim_change change = {.at_ns = 700, .thread = 0, .sets_allowed = true, .allowed = &second};
	static struct sched_ext_ops few = {SAYS(enqueue), SAYS(dequeue), SAYS(running), SAYS(stopping),
					   SAYS(set_cpumask)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 2, 1, 2000);
	m.config.changes = &change;
	m.config.nr_changes = 1;
	m.config.distances.cost_ns = 100;
	expect_run(&m, "0 set_cpumask 1 2\n0 running 1\n700 stopping 1 runnable\n"
		       "700 set_cpumask 1 1\n700 enqueue 1\n700 running 1\n");
	expect_count("migrations", m.results[0].migrations, 1);
	expect_count("paid", m.results[0].paid_ns, 100);
	expect_count("completed", m.results[0].completed_ns, 1900);
	expect_count("executed on core 1", m.cores[1].executed, 1300);
}

/* A thread that is refused ends the run; those before it had init_task, none was enabled. */
static s32 refuse_second(struct task_struct *p, struct scx_init_task_args *args)
{
	told_init_task(p, args);
	return p->pid == 2 ? -22 : 0;
}

static void test_refused(void **state)
{
	static struct sched_ext_ops few = {SAYS(enable), SAYS(disable), SAYS(exit_task), SAYS(exit)};
	struct made_host m;
	(void)state;
	make_host(&m, &few, 1, 3, 1000);
	m.ops.init_task = refuse_second;
	expect_failure(&m, "init_task() refused thread t (pid 2): -22");
	expect_told("0 init_task 1\n0 init_task 2\n0 exit_task 1 cancelled\n0 exit 1024\n");
}

/* Changes that cannot be are refused before time runs. */
static void test_bad_changes(void **state)
{
	static const uint64_t none = 4;
	static const struct {
		struct sim_change change;
		const char *message;
	} rows[] = {
		{{.at_ns = 900, .thread = 2}, "change 1 is of thread 2, and there are 2"},
		{{.at_ns = 499, .thread = 1}, "change 1 comes after 1e+06 s, or before the one in front of it"},
		{{.at_ns = MAX_RUN_NS + 1}, "change 1 comes after 1e+06 s, or before the one in front of it"},
		{{.at_ns = 500, .weight = MAX_WEIGHT + 1}, "change 1 is to a weight of 10001, must be from 1 to 10000"},
		{{.at_ns = 500, .sets_allowed = true, .allowed = &none}, "by change 1 thread 0 may run on no core"},
	};
	static struct sched_ext_ops few = {SAYS(running)};
	(void)state;
	for (size_t i = 0; i <= ARRAY_SIZE(rows); i++) {
		struct sim_change changes[] = {{.at_ns = 500, .weight = MAX_WEIGHT}, {.at_ns = 500, .weight = 1}};
		struct made_host m;
		make_host(&m, &few, 2, 2, 2000);
		m.config.changes = changes;
		m.config.nr_changes = 2;
		if (i == ARRAY_SIZE(rows)) {
			expect_run(&m, NULL);
			break;
		}
		changes[1] = rows[i].change;
		assert_int_equal(sim_run(&m.config, &m.whole, m.results, m.cores, &m.err), SAHM_RANGE);
		assert_string_equal(m.err.msg, rows[i].message);
	}
}

TEST_FILE(test_host)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_life),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_enqueue_last),
		cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_yield),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_tick),
		cmocka_unit_test(test_stopping_may_ask),
		cmocka_unit_test(test_changes_of_kept),
		cmocka_unit_test(test_change_of_running),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_bad_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
