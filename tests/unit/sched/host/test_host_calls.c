/* Calls: those that are not simulated, those from a wrong operation, and arguments that name nothing. */
#include <stdlib.h>

#include "sim/base/array.h"
#include "tests/unit/sched/host/made_host.h"

#define KERNEL 1
#define UNSUPPORTED 2
#define SAHM 3
enum { ANY, INIT, ENQUEUE, DISPATCH, UNLOCKED, PASS };

static struct task_struct *p;
static struct bpf_iter_scx_dsq it;
static struct scx_event_stats events;
static bool flag;
static s32 core;

/* A call of each, with arguments that are fine. */
static void make_call(const char *name)
{
	struct task_struct *one[1] = {p};
	const s32 cores[1] = {0};
#define TRY(call, ...)                                                                                                 \
	do {                                                                                                           \
		if (strcmp(name, #call) == 0) {                                                                        \
			(void)(call)(__VA_ARGS__);                                                                     \
			return;                                                                                        \
		}                                                                                                      \
	} while (0)
	TRY(scx_bpf_create_dsq, 3, -1);
	TRY(scx_bpf_destroy_dsq, 7);
	TRY(scx_bpf_dsq_insert, p, SCX_DSQ_GLOBAL, SLICE, 0);
	TRY(scx_bpf_dsq_insert_vtime, p, 7, SLICE, 0, 0);
	TRY(scx_bpf_dsq_move_to_local, 7, 0);
	TRY(scx_bpf_dsq_nr_queued, 7);
	TRY(scx_bpf_dsq_peek, 7);
	TRY(scx_bpf_dispatch_nr_slots, );
	TRY(scx_bpf_dispatch_cancel, );
	TRY(scx_bpf_select_cpu_dfl, p, 0, 0, &flag);
	TRY(scx_bpf_dsq_move, &it, p, 7, 0);
	TRY(scx_bpf_dsq_move_vtime, &it, p, 7, 0);
	TRY(scx_bpf_dsq_move_set_slice, &it, SLICE);
	TRY(scx_bpf_dsq_move_set_vtime, &it, 1);
	TRY(bpf_iter_scx_dsq_new, &it, 7, 0);
	TRY(bpf_iter_scx_dsq_next, &it);
	TRY(bpf_iter_scx_dsq_destroy, &it);
	TRY(scx_bpf_select_cpu_and, p, 0, 0, p->cpus_ptr, 0);
	TRY(scx_bpf_pick_idle_cpu, p->cpus_ptr, 0);
	TRY(scx_bpf_pick_any_cpu, p->cpus_ptr, 0);
	TRY(scx_bpf_test_and_clear_cpu_idle, 0);
	TRY(scx_bpf_kick_cpu, core, 0);
	TRY(scx_bpf_task_cpu, p);
	TRY(scx_bpf_task_running, p);
	TRY(scx_bpf_task_set_slice, p, SLICE);
	TRY(scx_bpf_task_set_dsq_vtime, p, 1);
	TRY(scx_bpf_now, );
	TRY(scx_bpf_nr_cpu_ids, );
	TRY(bpf_cpumask_test_cpu, 0, p->cpus_ptr);
	TRY(bpf_cpumask_first, p->cpus_ptr);
	TRY(bpf_cpumask_weight, p->cpus_ptr);
	TRY(scx_bpf_cpuperf_cap, 0);
	TRY(scx_bpf_cpuperf_cur, 0);
	TRY(scx_bpf_cpuperf_set, 0, 1);
	TRY(scx_bpf_get_idle_cpumask, );
	TRY(scx_bpf_get_idle_smtmask, );
	TRY(scx_bpf_put_idle_cpumask, p->cpus_ptr);
	TRY(scx_bpf_get_possible_cpumask, );
	TRY(scx_bpf_get_online_cpumask, );
	TRY(scx_bpf_put_cpumask, p->cpus_ptr);
	TRY(scx_bpf_reenqueue_local, );
	TRY(scx_bpf_task_cgroup, p);
	TRY(scx_bpf_cpu_rq, 0);
	TRY(scx_bpf_cpu_curr, 0);
	TRY(scx_bpf_cpu_node, 0);
	TRY(scx_bpf_nr_node_ids, );
	TRY(scx_bpf_events, &events, sizeof(events));
	TRY(sahm_observed_state, p);
	TRY(sahm_trace_epochs, p, 0);
	TRY(sahm_speedup_ppm, core, 0);
	TRY(sahm_serves, 0, 0);
	TRY(sahm_matches, 0, 0);
	TRY(sahm_nr_levels, 0);
	TRY(sahm_level, 0);
	TRY(sahm_set_perf, core, 0);
	TRY(sahm_level_ppm, 0, 0, 0);
	TRY(sahm_level_power_uw, 0, 0, 0);
	TRY(sahm_move_cost_ns, 0, 0);
	TRY(sahm_debt_ns, p);
	TRY(sahm_timestep_ns, );
	TRY(sahm_inertia, );
	TRY(sahm_is_oracle, );
	TRY(sahm_nr_tasks, );
	TRY(sahm_task, 0);
	TRY(sahm_is_runnable, p);
	TRY(sahm_head, 0);
	TRY(sahm_next, p);
	TRY(sahm_nr_on, 0);
	TRY(sahm_move, p, 0);
	TRY(sahm_swap, p, p);
	TRY(sahm_ask_for_pass, );
	TRY(sahm_permute, one, cores, 1);
	TRY(sahm_random, 5);
	TRY(sahm_state, );
	TRY(sahm_task_state, p);
	/* These end the run in their own ways: */
	if (strcmp(name, "scx_bpf_error") != 0 && strcmp(name, "scx_bpf_exit") != 0 &&
	    strcmp(name, "sahm_observed_counter") != 0)
		fail_msg("no test calls %s()", name);
}

/* The call that is made from the operation `from_op` of a thread that runs. */
static const char *called, *from_op;

static void call_from(const char *op, struct task_struct *task)
{
	if (strcmp(op, "init") == 0)
		scx_bpf_create_dsq(7, -1);
	p = task;
	if (strcmp(op, from_op) == 0)
		make_call(called);
}

static const struct sched_ext_ops ops = {SAYS(init),	 SAYS(running),		SAYS(tick),
					 SAYS(stopping), .sahm_state_bytes = 8, .sahm_task_state_bytes = 8};

static void test_each_call(void **state)
{
	static const struct {
		const char *name;
		int kind, from;
	} rows[] = {
#define CALL(name, kind, from, words) {#name, kind, from},
#include "sched/host/call_list.h"
#undef CALL
	};
	static const char *const words[] = {
		[INIT] = "init(), init_task() and cgroup_init()",
		[ENQUEUE] = "select_cpu(), enqueue() and dispatch()",
		[DISPATCH] = "dispatch()",
		[UNLOCKED] = "dispatch() and timers",
		[PASS] = "sahm_pass()",
	};
	char message[256];
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_host m;
		make_host(&m, &ops, 1, 1, 3 * STEP_NS);
		hooks.at = call_from;
		called = rows[i].name;
		from_op = "running";
		core = 0;
		if (rows[i].kind == UNSUPPORTED)
			snprintf(message, sizeof(message), "it called %s() from running(), which is not simulated",
				 called);
		else
			snprintf(message, sizeof(message), "it called %s() from running(); only %s may", called,
				 rows[i].from == ANY ? "" : words[rows[i].from]);
		if (rows[i].kind == UNSUPPORTED || rows[i].from != ANY)
			expect_failure(&m, message);
		else
			expect_run(&m, NULL);
	}
}

static void error_in_tick(const char *op, struct task_struct *task)
{
	if (strcmp(op, "tick") == 0)
		scx_bpf_error("no more of %s", task->comm);
}

static void exit_in_tick(const char *op, struct task_struct *task)
{
	(void)task;
	if (strcmp(op, "tick") == 0)
		scx_bpf_exit(-3, "had %d", 5);
}

static void test_ends(void **state)
{
	struct made_host m;
	(void)state;
	make_host(&m, &ops, 1, 1, 3 * STEP_NS);
	m.ops.exit = told_exit;
	hooks.at = error_in_tick;
	expect_failure(&m, "policy 'told' at 0.001000 ms: it reports an error: no more of t");
	assert_non_null(strstr(told, "exit 1025\n"));
	make_host(&m, &ops, 1, 1, 3 * STEP_NS);
	m.ops.exit = told_exit;
	hooks.at = exit_in_tick;
	expect_failure(&m, "it ends the run with code -3: had 5");
	assert_non_null(strstr(told, "exit 65\n"));
}

static void test_no_such_core(void **state)
{
	static const char *const calls[] = {"scx_bpf_kick_cpu", "sahm_speedup_ppm", "sahm_set_perf"};
	static const s32 cores[] = {-1, 1, INT32_MAX, INT32_MIN};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls) * ARRAY_SIZE(cores); i++) {
		struct made_host m;
		char message[256];
		make_host(&m, &ops, 1, 1, 3 * STEP_NS);
		hooks.at = call_from;
		from_op = "tick";
		called = calls[i % ARRAY_SIZE(calls)];
		core = cores[i / ARRAY_SIZE(calls)];
		snprintf(message, sizeof(message), "it called %s() for core %d, which does not exist (cores 0 to 0)",
			 called, core);
		expect_failure(&m, message);
	}
}

TEST_FILE(test_host_calls)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_call),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_no_such_core),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
