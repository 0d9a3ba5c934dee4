/* Recordings of schedulers: what becomes a burst, in every form that tools print, and what does not. */
#include "workloads/bursts/import_sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define DATA "tests/data/sched/"

static enum sahm_status read_text(const char *text, struct sched_log *log, struct textbuf *notes, struct sahm_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	assert_non_null(in);
	enum sahm_status status = sched_log_read(log, in, "a.txt", notes, err);
	fclose(in);
	return status;
}

static struct recorded_thread *thread_of(struct sched_log *log, uint32_t tid)
{
	struct recorded_thread *t = NULL;
	struct sahm_err err;
	if (sched_log_choose(log, &(struct sched_choice){.has_tid = true, .tid = tid}, &t, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return t;
}

/* The same run in the forms of three tools: known times, in ns. */
static void test_tools_agree(void **state)
{
	(void)state;
	static const struct {
		const char *file, *tool;
		bool tells_processes;
	} rows[] = {
		{DATA "synthetic-perf.txt", "perf script", true},
		{DATA "synthetic-ftrace.txt", "ftrace", true},
		{DATA "synthetic-trace-cmd.txt", "trace-cmd report", false},
		{DATA "synthetic-trace-cmd-raw.txt", "trace-cmd report", false},
	};
	static const struct burst editor[] = {
		{1000000, 16000000}, {1000000, 50000}, {200000, 6000000}, {1000, 4000000}};
	static const struct burst render[] = {{3000000, 10000000}, {1000000, 1000000}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sched_log log;
		struct textbuf notes;
		struct sahm_err err;
		textbuf_init(&notes);
		print_message("%s\n", rows[i].file);
		if (sched_log_open(&log, rows[i].file, &notes, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_string_equal(log.tool, rows[i].tool);
		assert_string_equal(notes.text, "");
		assert_true(log.nr_threads == 3 && log.nr_switches == 18 && log.nr_wakeups == 8);
		const struct recorded_thread *t = thread_of(&log, 101);
		assert_string_equal(t->comm, "my editor");
		assert_int_equal(t->process, rows[i].tells_processes ? 100 : 0);
		assert_int_equal(t->list.nr, 4);
		assert_memory_equal(t->list.bursts, editor, sizeof(editor));
		/* The last burst is under way; one sleep ended without a wake-up. */
		assert_true(t->nr_dropped == 1 && t->nr_unwoken == 1 && t->nr_preempted == 1);
		assert_true(t->nr_raised == 0 && t->nr_shortened == 0);
		t = thread_of(&log, 102);
		assert_int_equal(t->list.nr, 2);
		assert_memory_equal(t->list.bursts, render, sizeof(render));
		assert_int_equal(t->nr_dropped, 1); /* with which it ended */
		t = thread_of(&log, 201);
		assert_true(t->list.nr == 0 && t->nr_preempted == 6);
		sched_log_release(&log);
		textbuf_release(&notes);
	}
}

/* One thread, 7, on CPU 0; each line stands for a tool's. */
#define IN(s) "a 7 [000] " s ": sched:sched_switch: b:8 [120] R ==> a:7 [120]\n"
#define OUT(s, state) "a 7 [000] " s ": sched:sched_switch: a:7 [120] " state " ==> b:8 [120]\n"
#define WAKE(s) "b 8 [000] " s ": sched:sched_wakeup: a:7 [120] CPU:000\n"
#define ALIVE WAKE("0.000001") IN("0.000002")

static void test_rules(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
		uint64_t nr;
		struct burst bursts[3];
		uint64_t nr_dropped, nr_unwoken, nr_raised;
		const char *note; /* begins so; NULL: none */
	} rows[] = {
		{"run, sleep, woken",
		 ALIVE OUT("0.010002", "S") WAKE("0.030002"),
		 1,
		 {{10000000, 20000000}},
		 1,
		 0,
		 0,
		 NULL},
		{"what it waits is neither",
		 ALIVE OUT("0.001002", "R") IN("0.005002") OUT("0.006002", "R+") IN("0.006003") OUT("0.006004", "D|W")
			 WAKE("0.007004"),
		 1,
		 {{2001000, 1000000}},
		 1,
		 0,
		 0,
		 NULL},
		{"each state but R is sleep",
		 ALIVE OUT("0.1", "S") WAKE("0.2") IN("0.2") OUT("0.3", "I") WAKE("0.4") IN("0.4") OUT("0.5", "t")
			 WAKE("0.6"),
		 3,
		 {{99998000, 100000000}, {100000000, 100000000}, {100000000, 100000000}},
		 1,
		 0,
		 0,
		 NULL},
		{"the first wake-up counts, others say nothing",
		 ALIVE WAKE("0.000500")
			 OUT("0.001002", "S") "b 8 [001] 0.002002: sched:sched_waking: comm=a pid=7 prio=120 "
					      "target_cpu=000\n" WAKE("0.002009") WAKE("0.002010"),
		 1,
		 {{1000000, 1000000}},
		 1,
		 0,
		 0,
		 NULL},
		{"an attempt is no wake-up",
		 ALIVE OUT("0.001002", "S") "b 8 [001] 0.001500: sched_wakeup: comm=a pid=7 prio=120 success=0 "
					    "target_cpu=000\n" WAKE("0.002002"),
		 1,
		 {{1000000, 1000000}},
		 1,
		 0,
		 0,
		 NULL},
		{"a new thread begins whole",
		 "b 8 [000] 0.1: sched:sched_wakeup_new: comm=a pid=7 prio=120 target_cpu=000\n" IN("0.2")
			 OUT("0.3", "S") WAKE("0.4"),
		 1,
		 {{100000000, 100000000}},
		 1,
		 0,
		 0,
		 NULL},
		{"one that ran before does not",
		 OUT("0.1", "S") WAKE("0.2") IN("0.2") OUT("0.3", "S") WAKE("0.4"),
		 1,
		 {{100000000, 100000000}},
		 2,
		 0,
		 0,
		 NULL},
		{"nor one that waited before", IN("0.1") OUT("0.2", "S") WAKE("0.3"), 0, {{0, 0}}, 2, 0, 0, NULL},
		{"an end is no sleep", ALIVE OUT("0.1", "X"), 0, {{0, 0}}, 1, 0, 0, NULL},
		{"no run is shorter than can be",
		 ALIVE OUT("0.000002", "S") WAKE("0.000003"),
		 1,
		 {{1000, 1000}},
		 1,
		 0,
		 1,
		 NULL},
		{"no time longer",
		 ALIVE OUT("1001.000002", "S") WAKE("3000.5"),
		 1,
		 {{MAX_BURST_NS, MAX_BURST_NS}},
		 1,
		 0,
		 0,
		 NULL},
		{"without wake-ups until it runs",
		 IN("0.1") OUT("0.2", "S") IN("0.3") OUT("0.4", "S") IN("0.6"),
		 1,
		 {{100000000, 200000000}},
		 2,
		 2,
		 0,
		 "a.txt: no wake-ups in it: sleeps last until"},
		{"lost events",
		 ALIVE OUT("0.1", "S") "CPU:1 [LOST 12 EVENTS]\n" WAKE("0.2") IN("0.2")
			 OUT("0.3", "S") "CPU:0 [EVENTS DROPPED]\n",
		 0,
		 {{0, 0}},
		 2,
		 0,
		 0,
		 "a.txt:4: events were lost in 2 places, here first; bursts under way there are dropped"},
		{"lost events of perf",
		 ALIVE "a 7 [000] 0.05: PERF_RECORD_LOST lost 3\n" OUT("0.1", "S") WAKE("0.2"),
		 0,
		 {{0, 0}},
		 3,
		 0,
		 0,
		 "a.txt:3: events were lost in 1 place; "},
		{"a switch that is missing",
		 ALIVE IN("0.1") OUT("0.2", "S") WAKE("0.3") IN("0.3") OUT("0.4", "S") WAKE("0.5"),
		 1,
		 {{100000000, 100000000}},
		 2,
		 0,
		 0,
		 "a.txt:3: a thread is switched although it was elsewhere, 2 times, here first: "}, /* both threads */
		{"another CPU",
		 ALIVE "a 7 [001] 0.2: sched:sched_switch: a:7 [120] S ==> b:8 [120]\n" WAKE("0.3"),
		 0,
		 {{0, 0}},
		 2,
		 0,
		 0,
		 "a.txt:3: a thread is switched although it was elsewhere, 1 time: "},
		{"the last line is cut short",
		 ALIVE OUT("0.1", "S") WAKE("0.2") "b 8 [000] 0.3: sched_switch: b:8 [12",
		 1,
		 {{99998000, 100000000}},
		 1,
		 0,
		 0,
		 "a.txt:5: the last line is cut short, and passed over\n"},
		{"names with anything in them",
		 "x: [1] y==> 7 [000] 0.1: sched:sched_switch: prev_comm=b prev_pid=8 prev_prio=1 prev_state=R ==> "
		 "next_comm=x: [1] y==> next_pid=7 next_prio=1\n"
		 "x: [1] y==> 7 [000] 0.2: sched:sched_switch: prev_comm=x: [1] y==> prev_pid=7 prev_prio=1 "
		 "prev_state=S ==> "
		 "next_comm=b next_pid=8 next_prio=1\n" WAKE("0.3"),
		 0,
		 {{0, 0}},
		 2,
		 0,
		 0,
		 NULL},
		{"periods, differences, no CPUs, ns",
		 "a 7 0.100000001:          1 sched:sched_switch: b:8 [120] R ==> a:7 [120]\n"
		 "a-7 0d..2. 0.200000001: (+3.000) sched_switch: a:7 [120] S ==> b:8 [120]\n"
		 "b 8 0.300000002: sched:sched_wakeup: a:7 [120]<CANT FIND FIELD success> CPU:006\n"
		 "a 7 0.300000003: 1 sched:sched_switch: b:8 [120] R ==> a:7 [120]\n"
		 "a 7 0.300005003: 1 sched:sched_switch: a:7 [120] S ==> b:8 [120]\n"
		 "b 8 0.300006002: sched:sched_wakeup: a:7 [120] CPU:006\n",
		 1,
		 {{5000, 999}},
		 2,
		 0,
		 0,
		 NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sched_log log;
		struct textbuf notes;
		struct sahm_err err;
		textbuf_init(&notes);
		print_message("%s\n", rows[i].name);
		if (read_text(rows[i].text, &log, &notes, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		const struct recorded_thread *t = thread_of(&log, 7);
		assert_int_equal(t->list.nr, rows[i].nr);
		for (uint64_t b = 0; b < rows[i].nr; b++) {
			assert_int_equal(t->list.bursts[b].run_ns, rows[i].bursts[b].run_ns);
			assert_int_equal(t->list.bursts[b].sleep_ns, rows[i].bursts[b].sleep_ns);
		}
		assert_int_equal(t->nr_dropped, rows[i].nr_dropped);
		assert_int_equal(t->nr_unwoken, rows[i].nr_unwoken);
		assert_int_equal(t->nr_raised, rows[i].nr_raised);
		if (rows[i].note)
			assert_memory_equal(notes.text, rows[i].note, strlen(rows[i].note));
		else
			assert_string_equal(notes.text, "");
		sched_log_release(&log);
		textbuf_release(&notes);
	}
}

static void test_refusals(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "a.txt: no sched_switch in it: "},
		{"# a comment\nwords\n", "a.txt: no sched_switch in it: "},
		{WAKE("0.1"), "a.txt: no sched_switch in it: "},
		{"PERFILE2 and more", "a.txt: a binary recording of perf; its text is wanted: perf sched script"},
		{"\x17\x08\x44tracing6",
		 "a.txt: a binary recording of trace-cmd; its text is wanted: trace-cmd report"},
		{IN("0.2") OUT("0.1", "S"), "a.txt:2: time goes back from 0.200000000 s to 0.100000000 s"},
		{IN("0.2") "a 7 [000] 0.3: sched:sched_switch: a:7 [120] ==> b:8 [120]\n",
		 "a.txt:2: not readable: 'sched_switch: a:7 [120] ==> b:8 [120]'"},
		{IN("0.2") "a 7 [000] 0.3: sched_switch: prev_comm=a prev_pid=x\n",
		 "a.txt:2: not readable: 'sched_switch: prev_comm=a prev_pid=x'"},
		{IN("0.2") "a 7 [000] 0.3: sched_switch: prev_comm=a prev_pid=7 prev_prio=1 prev_state=0y1 ==> "
			   "next_comm=b next_pid=8 next_prio=1\n",
		 "a.txt:2: not readable: 'sched_switch: prev_comm=a prev_pid=7 prev_prio=1 prev_state=0y1"},
		{IN("0.2") "a 7 [000] 0.3: sched_wakeup: comm=a\n", "a.txt:2: not readable: 'sched_wakeup: comm=a'"},
		{IN("0.2") "a 7 [000] 0.3: sched:sched_wakeup: a:4294967296 [1]\n",
		 "a.txt:2: not readable: 'sched_wakeup: a:"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sched_log log;
		struct sahm_err err;
		enum sahm_status status = SAHM_OK;
		print_message("%s\n", rows[i].message);
		if (*rows[i].text) {
			status = read_text(rows[i].text, &log, NULL, &err);
		} else {
			FILE *in = fopen("/dev/null", "r");
			status = sched_log_read(&log, in, "a.txt", NULL, &err);
			fclose(in);
		}
		assert_int_equal(status, SAHM_FORMAT);
		if (strncmp(err.msg, rows[i].message, strlen(rows[i].message)) != 0)
			fail_msg("%s", err.msg);
	}
}

/* Excerpts of real recordings: few of their lines are whole, but each is read. */
static void test_real(void **state)
{
	(void)state;
	static const struct {
		const char *file;
		uint64_t nr_switches, nr_wakeups;
		uint32_t nr_threads, tid;
		uint64_t on_cpu_ns;
	} rows[] = {
		{DATA "perf-sleep.txt", 1, 4, 1, 20919, 0},
		{DATA "ftrace-instance.txt", 4, 6, 4, 9, 7000},
		{DATA "trace-cmd-latency.txt", 4, 4, 6, 16133, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sched_log log;
		struct textbuf notes;
		struct sahm_err err;
		textbuf_init(&notes);
		if (sched_log_open(&log, rows[i].file, &notes, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		print_message("%s: %s\n", rows[i].file, notes.text);
		assert_string_equal(notes.text, "");
		assert_true(log.nr_switches == rows[i].nr_switches && log.nr_wakeups == rows[i].nr_wakeups);
		assert_int_equal(log.nr_threads, rows[i].nr_threads);
		assert_int_equal(thread_of(&log, rows[i].tid)->on_cpu_ns, rows[i].on_cpu_ns);
		sched_log_release(&log);
		textbuf_release(&notes);
	}
}

static void test_choice(void **state)
{
	(void)state;
	static const struct {
		struct sched_choice choice;
		const char *message; /* or NULL */
	} rows[] = {
		{{.comm = "my editor"}, NULL},
		{{.has_process = true, .process = 100, .comm = "render"}, NULL},
		{{.comm = "my-editor"}, "there is no thread called 'my-editor'; did you mean 'my editor'?"},
		{{.has_tid = true, .tid = 5}, "there is no thread with tid 5"},
		{{.has_process = true, .process = 100}, "there are 2 threads of process 100: tid 101, 102"},
		{{.has_process = true, .process = 201, .comm = "render"},
		 "there is no thread called 'render' of process 201"},
	};
	struct sched_log log;
	struct recorded_thread *t;
	struct sahm_err err;
	assert_int_equal(sched_log_open(&log, DATA "synthetic-perf.txt", NULL, &err), SAHM_OK);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum sahm_status status = sched_log_choose(&log, &rows[i].choice, &t, &err);
		assert_int_equal(status, rows[i].message ? SAHM_RANGE : SAHM_OK);
		if (rows[i].message)
			assert_string_equal(err.msg, rows[i].message);
	}
	struct provenance given = {.text = {[PROVENANCE_SOURCE] = "synthetic", [PROVENANCE_NAME] = "ed"}};
	t = thread_of(&log, 101);
	assert_int_equal(sched_thread_finish(&log, t, &given, &err), SAHM_OK);
	assert_string_equal(t->list.provenance.text[PROVENANCE_NAME], "ed");
	assert_true(provenance_is_synthetic(&t->list.provenance));
	assert_string_equal(
		t->list.provenance.text[PROVENANCE_NOTE],
		"1 burst not whole in the recording left out; 1 sleep without a wake-up, until switched in");
	t = thread_of(&log, 201);
	assert_int_equal(sched_thread_finish(&log, t, &given, &err), SAHM_FORMAT);
	sched_log_release(&log);
	assert_int_equal(sched_log_open(&log, DATA "synthetic-trace-cmd.txt", NULL, &err), SAHM_OK);
	assert_int_equal(sched_log_choose(&log, &rows[4].choice, &t, &err), SAHM_RANGE);
	assert_string_equal(err.msg,
			    "there is no thread of process 100; the recording does not tell processes, its pids "
			    "are threads'");
	sched_log_release(&log);
}

TEST_FILE(test_import_sched)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tools_agree), cmocka_unit_test(test_rules),  cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_real),	    cmocka_unit_test(test_choice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
