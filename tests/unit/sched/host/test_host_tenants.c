/* Tenants as cgroups: when their operations are called, and what changes of tenants and weights do. */
#include "sched/host/bpf_calls.h"
#include "sched/host/host.h"
#include "tests/unit/sched/host/made_host.h"

static const struct host_tenant tenants[] = {{"web", 100}, {"batch", 300}};
enum { NONE, WEB, BATCH };

static unsigned id_of(const struct cgroup *cgrp)
{
	return (unsigned)cgrp->kn->id;
}

/* Of the cgroup with this id, cgroup_init() fails; of the thread with this pid, cgroup_prep_move(). */
static unsigned refused_id;
static s32 refused_pid;

static s32 told_cgroup_init(struct cgroup *cgrp, struct scx_cgroup_init_args *args)
{
	report("cgroup_init %u %s level %d weight %u", id_of(cgrp), cgrp->kn->name, cgrp->level, args->weight);
	return id_of(cgrp) == refused_id ? -12 : 0;
}

static void told_cgroup_exit(struct cgroup *cgrp)
{
	report("cgroup_exit %u", id_of(cgrp));
}

static s32 told_cgroup_prep_move(struct task_struct *p, struct cgroup *from, struct cgroup *to)
{
	report("cgroup_prep_move %d %u %u", p->pid, id_of(from), id_of(to));
	return p->pid == refused_pid ? -1 : 0;
}

static void told_cgroup_move(struct task_struct *p, struct cgroup *from, struct cgroup *to)
{
	report("cgroup_move %d %u %u%s", p->pid, id_of(from), id_of(to),
	       p->scx.flags & SCX_TASK_QUEUED ? " queued" : "");
	assert_ptr_equal(scx_bpf_task_cgroup(p), from);
}

static void told_cgroup_set_weight(struct cgroup *cgrp, u32 weight)
{
	report("cgroup_set_weight %u %u", id_of(cgrp), weight);
}

static s32 told_init_task_of(struct task_struct *p, struct scx_init_task_args *args)
{
	report("init_task %d in %u", p->pid, id_of(args->cgroup));
	assert_ptr_equal(scx_bpf_task_cgroup(p), args->cgroup);
	return 0;
}

/* With two tenants. */
static void make(struct made_host *m, const struct sched_ext_ops *ops, uint32_t nr_cores, uint32_t nr_threads)
{
	make_host(m, ops, nr_cores, nr_threads, STEP_NS);
	m->config.tenants = tenants;
	m->config.nr_tenants = ARRAY_SIZE(tenants);
	refused_id = 0;
	refused_pid = 0;
}

/* The root comes first and leaves last; a thread without a tenant is in the root. */
static void test_life(void **state)
{
	static const struct sched_ext_ops few = {SAYS(init),	  SAYS(cgroup_init), .init_task = told_init_task_of,
						 SAYS(exit_task), SAYS(cgroup_exit), SAYS(exit)};
	struct made_host m;
	(void)state;
	make(&m, &few, 1, 2);
	m.threads[0].tenant = BATCH;
	expect_run(&m, "0 init\n0 cgroup_init 1 / level 0 weight 100\n0 cgroup_init 2 web level 1 weight 100\n"
		       "0 cgroup_init 3 batch level 1 weight 300\n0 init_task 1 in 3\n0 init_task 2 in 1\n"
		       "1000 exit_task 1\n1000 exit_task 2 cancelled\n"
		       "1000 cgroup_exit 2\n1000 cgroup_exit 3\n1000 cgroup_exit 1\n1000 exit 1\n");
}

static void test_refused(void **state)
{
	static const struct sched_ext_ops few = {SAYS(cgroup_init), SAYS(init_task), SAYS(cgroup_exit)};
	struct made_host m;
	(void)state;
	make(&m, &few, 1, 1);
	refused_id = 2;
	expect_failure(&m, "cgroup_init() refused tenant 'web': -12");
	expect_told("0 cgroup_init 1 / level 0 weight 100\n0 cgroup_init 2 web level 1 weight 100\n0 cgroup_exit 1\n");
}

static void find_cgroups(const char *op, struct task_struct *p)
{
	(void)p;
	if (strcmp(op, "init") != 0)
		return;
	struct cgroup *root = bpf_cgroup_from_id(1), *batch = bpf_cgroup_from_id(3);
	assert_true(root && root->level == 0 && batch && batch->level == 1);
	assert_string_equal(batch->kn->name, "batch");
	assert_null(bpf_cgroup_from_id(0));
	assert_null(bpf_cgroup_from_id(4));
	assert_ptr_equal(bpf_cgroup_ancestor(batch, 1), batch);
	assert_ptr_equal(bpf_cgroup_ancestor(batch, 0), root);
	assert_null(bpf_cgroup_ancestor(root, 1));
	assert_null(bpf_cgroup_ancestor(batch, -1));
}

static void test_ids(void **state)
{
	static const struct sched_ext_ops few = {SAYS(init)};
	struct made_host m;
	(void)state;
	make(&m, &few, 1, 1);
	hooks.at = find_cgroups;
	expect_run(&m, "0 init\n");
}

/* The policy keeps thread 2; the others have a core each. */
static void keep_second(struct task_struct *p, u64 enq_flags)
{
	if (p->pid != 2)
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | (p->pid == 3), SLICE, enq_flags);
}

static s32 select_first(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	(void)p;
	(void)prev_cpu;
	(void)wake_flags;
	return 0;
}

#define MOVE_OPS                                                                                                       \
	SAYS(cgroup_prep_move), SAYS(cgroup_move), SAYS(enqueue), SAYS(dequeue), SAYS(runnable), SAYS(running),        \
		SAYS(stopping), SAYS(quiescent), SAYS(set_cpumask)

/* Threads that run, wait and sleep. */
static void test_moves(void **state)
{
	static const struct sched_ext_ops few = {MOVE_OPS, .select_cpu = select_first};
	static const struct burst once[] = {{100, 5000}};
	static const struct sim_change changes[] = {{.at_ns = 500, .thread = 0, .tenant = BATCH},
						    {.at_ns = 600, .thread = 1, .tenant = BATCH},
						    {.at_ns = 700, .thread = 2, .tenant = BATCH},
						    {.at_ns = 800, .thread = 2, .tenant = BATCH}};
	struct made_host m;
	(void)state;
	make(&m, &few, 2, 3);
	for (int t = 0; t < 3; t++)
		m.threads[t].tenant = t == 1 ? NONE : WEB;
	SLEEPS(&m, 2, once);
	hooks.enqueue = keep_second;
	m.config.changes = changes;
	m.config.nr_changes = ARRAY_SIZE(changes);
	expect_run(&m, "0 set_cpumask 1 2\n0 set_cpumask 2 2\n0 set_cpumask 3 2\n"
		       "0 runnable 1\n0 enqueue 1 wakeup\n0 runnable 2\n0 enqueue 2 wakeup\n"
		       "0 runnable 3\n0 enqueue 3 wakeup\n0 running 1\n0 running 3\n"
		       "100 stopping 3\n100 quiescent 3 sleep\n"
		       "500 cgroup_prep_move 1 2 3\n500 stopping 1\n500 quiescent 1 save\n500 cgroup_move 1 2 3\n"
		       "500 runnable 1\n500 running 1\n"
		       "600 cgroup_prep_move 2 1 3\n600 dequeue 2 save\n600 quiescent 2 save\n"
		       "600 cgroup_move 2 1 3\n600 runnable 2\n600 enqueue 2\n"
		       "700 cgroup_prep_move 3 2 3\n700 cgroup_move 3 2 3\n");
	expect_count("completed by who ran", m.results[0].completed_ns, STEP_NS);
}

/* A thread that must stay in its tenant keeps its cores, too; another moves to other cores. */
static void test_move_refused(void **state)
{
	static const struct sched_ext_ops few = {SAYS(cgroup_prep_move), SAYS(cgroup_move), SAYS(set_cpumask)};
	static const uint64_t first = 1, second = 2;
	static const struct sim_change changes[] = {
		{.at_ns = 500, .thread = 0, .tenant = BATCH, .sets_allowed = true, .allowed = &second},
		{.at_ns = 600, .thread = 1, .tenant = BATCH, .sets_allowed = true, .allowed = &second}};
	struct made_host m;
	(void)state;
	make(&m, &few, 2, 2);
	for (int t = 0; t < 2; t++) {
		m.threads[t].tenant = WEB;
		m.threads[t].allowed = &first;
	}
	m.config.changes = changes;
	m.config.nr_changes = ARRAY_SIZE(changes);
	refused_pid = 1;
	expect_run(&m, "0 set_cpumask 1 1\n0 set_cpumask 2 1\n500 cgroup_prep_move 1 2 3\n"
		       "600 cgroup_prep_move 2 2 3\n600 cgroup_move 2 2 3\n600 set_cpumask 2 1\n");
	expect_count("executed on core 1", m.cores[1].executed, 400);
}

/* A thread that arrives later arrives in the tenant that it has by then. */
static void test_move_before_arrival(void **state)
{
	static const struct sched_ext_ops few = {SAYS(cgroup_prep_move), SAYS(cgroup_move),
						 .init_task = told_init_task_of};
	static const struct sim_change change = {.at_ns = 500, .thread = 1, .tenant = BATCH};
	struct made_host m;
	(void)state;
	make(&m, &few, 1, 2);
	m.config.duration_ns = 2 * STEP_NS;
	m.threads[1].arrive_ns = STEP_NS;
	m.config.changes = &change;
	m.config.nr_changes = 1;
	expect_run(&m, "0 init_task 1 in 1\n1000 init_task 2 in 3\n");
}

static void test_weight(void **state)
{
	static const struct sched_ext_ops few = {SAYS(cgroup_set_weight), SAYS(set_weight)};
	static const struct sim_change changes[] = {
		{.at_ns = 500, .is_of_tenant = true, .tenant = BATCH, .weight = 50},
		{.at_ns = 600, .is_of_tenant = true, .tenant = BATCH, .weight = 50}};
	struct made_host m;
	(void)state;
	make(&m, &few, 1, 1);
	m.config.changes = changes;
	m.config.nr_changes = ARRAY_SIZE(changes);
	expect_run(&m, "0 set_weight 1 100\n500 cgroup_set_weight 3 50\n");
}

/* A policy may destroy its queues at the end: nobody is in them any more. */
static void destroy_queue(const char *op, struct task_struct *p)
{
	(void)p;
	if (strcmp(op, "init") == 0)
		scx_bpf_create_dsq(7, -1);
	if (strcmp(op, "exit") == 0)
		scx_bpf_destroy_dsq(7);
}

static void insert_into_queue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 7, SLICE, enq_flags);
}

static void take_from_queue(s32 cpu, struct task_struct *prev)
{
	(void)cpu;
	(void)prev;
	scx_bpf_dsq_move_to_local(7, 0);
}

static void test_queues_at_end(void **state)
{
	static const struct sched_ext_ops few = {SAYS(init), SAYS(enqueue), SAYS(dispatch), SAYS(exit)};
	struct made_host m;
	(void)state;
	make(&m, &few, 1, 2);
	hooks.at = destroy_queue;
	hooks.enqueue = insert_into_queue;
	hooks.dispatch = take_from_queue;
	expect_run(&m, NULL);
	assert_true(m.whole.waiting.thread == 1 && m.whole.waiting.ns == STEP_NS && !m.whole.waiting.is_kept);
}

/* Tenants that cannot be are refused before time runs. */
static void test_bad_tenants(void **state)
{
	static const struct {
		struct sim_change change;
		uint32_t of_thread, weight;
		const char *message;
	} rows[] = {
		{{0}, 3, 100, "thread 0 is of tenant 3, and there are 2"},
		{{0}, 0, 0, "tenant 1 has a weight of 0, must be from 1 to 10000"},
		{{0}, 0, MAX_WEIGHT + 1, "tenant 1 has a weight of 10001, must be from 1 to 10000"},
		{{.tenant = 3}, 0, 100, "change 0 is of tenant 3, and there are 2, from 1"},
		{{.is_of_tenant = true, .weight = 1}, 0, 100, "change 0 is of tenant 0, and there are 2, from 1"},
		{{.is_of_tenant = true, .tenant = 1}, 0, 100, "change 0 is of nothing"},
		{{.is_of_tenant = true, .tenant = 1, .weight = 1, .thread = 9}, 2, MAX_WEIGHT, NULL},
	};
	static const struct sched_ext_ops few = {SAYS(running)};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_tenant own[] = {{"web", rows[i].weight}, {"batch", 1}};
		struct made_host m;
		make(&m, &few, 1, 1);
		m.config.tenants = own;
		m.threads[0].tenant = rows[i].of_thread;
		m.config.changes = &rows[i].change;
		m.config.nr_changes = 1;
		enum sahm_status status = sim_run(&m.config, &m.whole, m.results, m.cores, &m.err);
		assert_int_equal(status, rows[i].message ? SAHM_RANGE : SAHM_OK);
		if (rows[i].message)
			assert_string_equal(m.err.msg, rows[i].message);
	}
}

TEST_FILE(test_host_tenants)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_life),	     cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ids),	     cmocka_unit_test(test_moves),
		cmocka_unit_test(test_move_refused), cmocka_unit_test(test_move_before_arrival),
		cmocka_unit_test(test_weight),	     cmocka_unit_test(test_queues_at_end),
		cmocka_unit_test(test_bad_tenants),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
