/* Workloads of rt-app: the bursts of their tasks, and what is refused. */
#include "workloads/bursts/rtapp.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

#define US(n) (UINT64_C(1000) * (n))
#define TASK(members) "{\"tasks\":{\"t\":{" members "}}}"
#define TIMER(ref, rest) "\"timer\":{\"ref\":\"" ref "\"," rest "}"

static enum sahm_status read_text(struct rtapp *w, struct arena *a, const char *text, struct sahm_err *err)
{
	arena_init(a);
	return rtapp_read_text(w, a, "w.json", text, strlen(text), NULL, err);
}

/* Run, sleep, period, timer and flags of each burst. */
struct expected {
	uint64_t run_ns, sleep_ns, period_ns;
	uint8_t timer;
	bool is_absolute, yields;
};

static void test_bursts(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t nr_rounds, nr;
		struct expected bursts[5];
	} rows[] = {
		{TASK("\"run\":5,\"sleep\":7"), 0, 1, {{US(5), US(7), 0, 0, 0, 0}}},
		{TASK("\"run\":5,\"run\":6,\"sleep\":7,\"sleep0\":1"), 0, 1, {{US(11), US(8), 0, 0, 0, 0}}},
		{TASK("\"loop\":3,\"runtime\":5,\"sleep\":0,\"run1\":2"), 3, 1, {{US(7), 0, 0, 0, 0, 0}}},
		{TASK("\"run\":5"), 0, 1, {{MAX_BURST_NS, 0, 0, 0, 0, 0}}},
		{TASK("\"run\":0,\"sleep\":7"), 0, 1, {{MIN_BURST_RUN_NS, US(7), 0, 0, 0, 0}}},
		{TASK("\"run\":5,\"sleep\":7,\"run\":6"), 0, 2, {{US(5), US(7), 0, 0, 0, 0}, {US(6), 0, 0, 0, 0, 0}}},
		{TASK("\"run\":5,\"yield\",\"run\":6,\"yield\":\"\""),
		 0,
		 2,
		 {{US(5), 0, 0, 0, 0, 1}, {US(6), 0, 0, 0, 0, 1}}},
		{TASK("\"run\":5,\"sleep\":1," TIMER("unique", "\"period\":20")),
		 0,
		 1,
		 {{US(5), US(1), US(20), 0, 0, 0}}},
		{TASK(TIMER("uniqueA", "\"period\":20,\"mode\":\"absolute\"") "\"run\":3" TIMER(
			 "b", "\"period\":30,\"mode\":\"relative\"") TIMER("uniqueA", "\"period\":9,")),
		 0,
		 3,
		 {{US(1), 0, US(20), 0, 1, 0}, {US(3), 0, US(30), 1, 0, 0}, {US(1), 0, US(9), 0, 0, 0}}},
		{TASK("\"loop\":2,\"phases\":{\"a\":{\"loop\":2,\"run\":1,\"sleep\":2},\"b\":{\"run\":3}}"),
		 2,
		 3,
		 {{US(1), US(2), 0, 0, 0, 0}, {US(1), US(2), 0, 0, 0, 0}, {US(3), 0, 0, 0, 0, 0}}},
		/* The loop of the only phase is not written out. */
		{TASK("\"loop\":1000000,\"phases\":{\"a\":{\"loop\":1000000,\"run\":1,\"sleep\":2}}"),
		 UINT64_C(1000000000000),
		 1,
		 {{US(1), US(2), 0, 0, 0, 0}}},
		{TASK("\"loop\":2,\"phases\":{\"a\":{\"loop\":-1,\"run\":1,\"sleep\":2}}"),
		 0,
		 1,
		 {{US(1), US(2), 0, 0, 0, 0}}},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rtapp w;
		struct arena a;
		struct sahm_err err = {0};
		print_message("%s\n", rows[i].text);
		if (read_text(&w, &a, rows[i].text, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		const struct burst_model *m = &w.tasks[0].bursts;
		assert_int_equal(m->nr, rows[i].nr);
		assert_int_equal(m->nr_rounds, rows[i].nr_rounds);
		for (uint64_t b = 0; b < m->nr; b++) {
			const struct expected *e = &rows[i].bursts[b];
			assert_int_equal(m->list[b].run_ns, e->run_ns);
			assert_int_equal(m->list[b].sleep_ns, e->sleep_ns);
			assert_int_equal(m->ends[b].period_ns, e->period_ns);
			assert_int_equal(m->ends[b].timer, e->timer);
			assert_int_equal(m->ends[b].is_absolute, e->is_absolute);
			assert_int_equal(m->ends[b].yields, e->yields);
		}
		arena_release(&a);
	}
}

/* Comments, commas and order are workgen's. */
static void test_properties(void **state)
{
	(void)state;
	struct rtapp w;
	struct arena a;
	struct sahm_err err = {0};
	static const char text[] =
		"// first\n{ /* a\n * b */ \"global\" : { \"duration\" : 3, \"gnuplot\" : False,, }\n"
		"\"tasks\" : { \"a\" : { \"instance\" : 2 \"delay\" : 1500, \"priority\" : -7,\n"
		"\"cpus\" : [ 2, 0 ], \"policy\" : \"SCHED_OTHER\", \"taskgroup\" : \"\", \"run\" : 1 },\n"
		"\"b\" : { \"phases\" : { \"p\" : { \"priority\" : 19, \"cpus\" : [1], \"run\" : 1 } } },\n"
		"\"a\" : { \"instance\" : 0, \"run\" : 1 } }, \"resources\" : {} }";
	if (read_text(&w, &a, text, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_true(w.nr_tasks == 3 && w.nr_threads == 3 && w.duration_s == 3);
	assert_true(w.tasks[0].nr_instances == 2 && w.tasks[0].nice == -7 && w.tasks[0].delay_us == 1500);
	assert_string_equal(w.tasks[0].cpu_list, "2,0");
	assert_true(w.tasks[1].nice == 19 && w.tasks[1].nr_instances == 1 && w.tasks[2].nr_instances == 0);
	assert_string_equal(w.tasks[1].cpu_list, "1");
	arena_release(&a);
}

static void test_refusals(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "w.json:1: not a workload of rt-app: it begins with no '{'"},
		{"{}", "w.json:1: not a workload of rt-app: it has no tasks"},
		{"{\"tasks\":{\n", "w.json:2: the file ends within the bracket of line 1"},
		{"{} 1", "w.json:1: text after the closing '}'"},
		{"{tasks:1}", "w.json:1: a key in quotes is missing"},
		{"{\"tasks\n\"", "w.json:1: a string does not end on its line"},
		{"{\"tasks\":nothing}", "w.json:1: 'nothing' is no value"},
		{"{\"task\":1}", "w.json:1: 'task' is not supported: there are tasks, global and resources"},
		{TASK("\n\n\"run\":1,\"lock\":\"m\""),
		 "w.json:3: 'lock' of 't' is not supported: events are run, runtime, sleep, timer and yield, properties "
		 "instance, loop, delay, priority, policy, cpus and phases"},
		{TASK("\"policy\":\"SCHED_FIFO\""),
		 "w.json:1: the policy 'SCHED_FIFO' is not supported: threads are SCHED_OTHER"},
		{TASK("\"taskgroup\":\"/a\",\"run\":1"), "w.json:1: task groups are not supported"},
		{TASK("\"run\":1.5"), "w.json:1: 'run' must be a whole number from 0 to 1000000000"},
		{TASK("\"run\":1000000000,\"run\":1"), "w.json:1: events in a row add up to more than 1000 s"},
		{TASK("\"instance\":2,\"run\":1," TIMER("x", "\"period\":1")),
		 "w.json:1: the timer 'x' is shared by several threads, which is not supported: one whose name begins "
		 "with \"unique\" is each thread's"},
		{TASK("\"run\":1," TIMER("x", "\"period\":0")), "w.json:1: a timer needs ref and a period above 0"},
		{TASK("\"run\":0"), "w.json:1: the task 't' does nothing"},
		{TASK("\"run\":1,\"phases\":{\"p\":{\"run\":1}}"),
		 "w.json:1: 'run' stands beside phases: it belongs into one of them"},
		{TASK("\"phases\":{\"p\":{\"run\":1},\"q\":{\"cpus\":[1],\"run\":1}}"),
		 "w.json:1: 'cpus' of one phase of several is not supported"},
		{TASK("\"phases\":{\"p\":{\"run\":1},\"q\":{\"loop\":2000000000,\"sleep\":0}}"),
		 "w.json:1: more than 1000000 events, with the loops of phases written out"},
		{TASK("\"loop\":2000000000,\"phases\":{\"q\":{\"loop\":2000000000,\"run\":1}}"),
		 "w.json:1: the loops of task and phase make more than 1099511627776"},
		{"{\"global\":{\"cpufreq\":1},\"tasks\":{}}", "w.json:1: global 'cpufreq' is not supported"},
		{TASK("\"instance\":0,\"run\":1"), "w.json:1: no task has an instance"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rtapp w;
		struct arena a;
		struct sahm_err err = {0};
		print_message("%s\n", rows[i].text);
		assert_int_equal(read_text(&w, &a, rows[i].text, &err), SAHM_CONFIG);
		assert_string_equal(err.msg, rows[i].message);
		arena_release(&a);
	}
}

TEST_FILE(test_rtapp)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
