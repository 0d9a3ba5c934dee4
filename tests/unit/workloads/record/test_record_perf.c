/* Recording with counters: a made PMU for what it does, the kernel's own events for what is real. */
#include "workloads/record/record_perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"
#include "tests/unit/workloads/record/made_pmu.h"
#include "workloads/record/perf_rows.h"

static struct pmu_machine spr_machine(const char *pmu)
{
	struct sahm_err err;
	struct pmu_machine m = {.pmu = pmu_named(pmu, &err), .device_type = 4, .paranoia = 2};
	assert_non_null(m.pmu);
	snprintf(m.model, sizeof(m.model), "a made machine");
	snprintf(m.device, sizeof(m.device), "cpu");
	return m;
}

static char *a_command[] = {"true", "an argument", NULL};

/* A request for that PMU; `machine` is to live as long. */
static struct perf_request request_for(struct made_pmu *m, struct pmu_machine *machine)
{
	*machine = spr_machine("spr");
	return (struct perf_request){
		.common = {.command = a_command},
		.machine = machine,
		.ops = &m->ops,
		.interval_ns = 100 * MADE_MS,
	};
}

static void record(const struct perf_request *request, struct recording *r)
{
	struct sahm_err err;
	if (record_perf(request, r, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* What whole counts of eight groups that take turns can be off by. */
#define ROUNDING 16u

/* Every epoch is what the PMU counts in 100 ms. */
static void assert_epochs(struct trace *trace, uint64_t nr)
{
	static const struct epoch_counts expected = {
		{1000000, 200000, 5000, 3000, 400000, 10000, 13000, 2000, 1500000}};
	struct epoch_counts e[64];
	struct sahm_err err;
	assert_non_null(trace);
	assert_int_equal(trace_nr_epochs(trace), nr);
	assert_int_equal(trace_epoch_ns(trace), 100 * MADE_MS);
	assert_int_equal(trace_read(trace, 0, nr, e, &err), SAHM_OK);
	for (uint64_t i = 0; i < nr; i++)
		for (int c = 0; c < NR_COUNTERS; c++) {
			uint64_t got = e[i].count[c], want = expected.count[c];
			assert_true(got <= want + ROUNDING && got + ROUNDING >= want);
		}
}

static void assert_noted(const struct recording *r, const char *text)
{
	if (!strstr(r->notes.text, text))
		fail_msg("'%s' is not in '%s'", text, r->notes.text);
}

static void test_records(void **state)
{
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	(void)state;
	made_pmu_init(&m, 540);
	struct perf_request request = request_for(&m, &machine);
	request.common.provenance.text[PROVENANCE_DATE] = "today";
	record(&request, &r);
	assert_epochs(r.trace, 5);
	assert_int_equal(r.nr_instructions, 5400000);
	assert_true(r.exit_code == 0 && r.signal == 0 && !r.was_cut);
	assert_string_equal(r.notes.text,
			    "true: the last 40 ms, 400000 instructions, are left out: no whole interval\n");
	const struct provenance *p = trace_provenance(r.trace);
	assert_string_equal(p->text[PROVENANCE_NAME], "true");
	assert_string_equal(p->text[PROVENANCE_SOURCE], "recorded");
	assert_string_equal(p->text[PROVENANCE_PROGRAM], "true 'an argument'");
	assert_string_equal(p->text[PROVENANCE_MACHINE], "a made machine");
	assert_string_equal(p->text[PROVENANCE_DATE], "today");
	assert_string_equal(p->text[PROVENANCE_TOOL], "sahm trace record -I 100: perf_event_open, PMU spr, user mode");
	assert_string_equal(p->event[COUNTER_L1D_MISSES], "L2_RQSTS:ALL_DEMAND_REFERENCES - L2_RQSTS:ALL_CODE_RD");
	assert_string_equal(p->counted_pct[COUNTER_BRANCHES], "mean 100.00, minimum 100.00");
	assert_int_equal(m.nr_open, 0);
	recording_release(&r);
}

/* How events are asked for: one group, the leader waiting for the exec, children with them, the kernel left out. */
static void test_attributes(void **state)
{
	struct made_pmu m;
	struct perf_set s;
	struct sahm_err err;
	struct arena a;
	struct pmu_event events[MAX_PMU_EVENTS];
	unsigned nr;
	(void)state;
	arena_init(&a);
	made_pmu_init(&m, 100);
	assert_int_equal(pmu_events(spr_machine("spr").pmu, &a, events, &nr, &err), SAHM_OK);
	assert_int_equal(perf_set_open(&s, &m.ops, events, nr, 77, 2, &err), SAHM_OK);
	assert_int_equal(s.nr_groups, 1);
	for (unsigned i = 0; i < nr; i++) {
		const struct made_event *e = &m.events[s.fd[i] - MADE_FIRST_FD];
		assert_true(e->attr.exclude_kernel && e->attr.exclude_hv && e->attr.inherit && !e->on_self);
		assert_int_equal(e->attr.disabled, i == 0);
		assert_int_equal(e->attr.enable_on_exec, i == 0);
		assert_int_equal(e->attr.type, PERF_TYPE_RAW);
		assert_int_equal(e->attr.config, events[i].config);
	}
	perf_set_close(&s);
	assert_int_equal(m.nr_open, 0);
	arena_release(&a);
}

/* Whatever takes turns, epochs are the same, and the trace tells. */
static void test_takes_turns(void **state)
{
	static const struct {
		const char *name;
		unsigned capacity, never_runs;
		bool no_group_reads, no_exclude;
		unsigned groups;
	} rows[] = {
		{"all at once", 8, 0, false, false, 1},
		{"two groups", 7, 0, false, false, 2},
		{"three groups", 3, 0, false, false, 3},
		{"one by one", 1, 0, false, false, 8},
		{"groups that never run", 0, 5, false, false, 2},
		{"read one by one", 4, 0, true, false, 2},
		{"read one by one, never run", 0, 3, true, false, 4},
		{"the kernel cannot be left out", 0, 0, false, true, 1},
		{"neither of both", 4, 0, true, true, 2},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_pmu m;
		struct pmu_machine machine;
		struct recording r;
		char text[64];
		print_message("%s\n", rows[i].name);
		made_pmu_init(&m, 400);
		m.capacity = rows[i].capacity;
		m.never_runs = rows[i].never_runs;
		m.no_group_reads = rows[i].no_group_reads;
		m.no_exclude = rows[i].no_exclude;
		struct perf_request request = request_for(&m, &machine);
		record(&request, &r);
		assert_epochs(r.trace, 4);
		const char *pct = trace_provenance(r.trace)->counted_pct[COUNTER_INSTRUCTIONS];
		snprintf(text, sizeof(text), "mean %u.%02u", 100 / rows[i].groups, 10000 / rows[i].groups % 100);
		assert_memory_equal(pct, text, strlen(text));
		if (rows[i].groups > 1) {
			snprintf(text, sizeof(text), ": %u groups take turns", rows[i].groups);
			assert_noted(&r, text);
			assert_noted(&r, "events took turns (multiplexing)");
		}
		assert_true((strstr(r.notes.text, "cannot leave the kernel out") != NULL) == rows[i].no_exclude);
		assert_non_null(strstr(trace_provenance(r.trace)->text[PROVENANCE_TOOL],
				       rows[i].no_exclude ? "kernel included" : "user mode"));
		assert_int_equal(m.nr_open, 0);
		recording_release(&r);
	}
}

/* The command does not run when it cannot be counted. */
static void test_refused(void **state)
{
	static const struct {
		const char *name;
		int error, paranoia;
		unsigned max_files;
		const char *message;
	} rows[] = {
		{"paranoid", EACCES, 3, 0, "kernel.perf_event_paranoid is 3"},
		{"paranoid, otherwise", EPERM, 4, 0, "kernel.perf_event_paranoid is 4"},
		{"a container", EPERM, 2, 0, "for another reason than kernel.perf_event_paranoid"},
		{"who knows", EACCES, PARANOIA_UNKNOWN, 0, "for another reason"},
		{"no such call", ENOSYS, 2, 0, "the kernel has no perf_event_open()"},
		{"files", 0, 2, 3, "Too many open files (ulimit -n)"},
		{"nothing opens", ENOENT, 2, 0,
		 "instructions cannot be counted on this machine: INST_RETIRED:ANY_P: No"},
	};
	char path[256], script[300], *command[] = {"sh", "-c", script, NULL};
	(void)state;
	snprintf(path, sizeof(path), "%s/ran", own_folder);
	snprintf(script, sizeof(script), ": > %s", path);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_pmu m;
		struct pmu_machine machine;
		struct recording r;
		struct sahm_err err;
		print_message("%s\n", rows[i].name);
		made_pmu_init(&m, 400);
		m.all_fail = rows[i].error;
		m.max_files = rows[i].max_files;
		struct perf_request request = request_for(&m, &machine);
		machine.paranoia = rows[i].paranoia;
		request.common.command = command;
		assert_int_equal(record_perf(&request, &r, &err), SAHM_IO);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("%s", err.msg);
		assert_int_equal(access(path, F_OK), -1);
		assert_int_equal(m.nr_open, 0);
	}
}

/* Events that this PMU lacks: features that need them fail by name, cycles are left out, and assumed counts are there.
 */
static void test_missing_events(void **state)
{
	static const char *const assume[] = {"l2_misses=7", NULL};
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	struct sahm_err err;
	struct epoch_counts e;
	(void)state;
	made_pmu_init(&m, 400);
	m.missing_config = 0x2724;
	struct perf_request request = request_for(&m, &machine);
	assert_int_equal(record_perf(&request, &r, &err), SAHM_IO);
	assert_non_null(
		strstr(err.msg, "l2_misses cannot be counted on this machine: L2_RQSTS:ALL_DEMAND_MISS: No such"));
	made_pmu_init(&m, 400);
	m.missing_config = 0x2724;
	request.assume = assume;
	record(&request, &r);
	assert_int_equal(trace_nr_epochs(r.trace), 4);
	assert_int_equal(trace_read(r.trace, 0, 1, &e, &err), SAHM_OK);
	assert_int_equal(e.count[COUNTER_L2_MISSES], 7);
	assert_string_equal(trace_provenance(r.trace)->event[COUNTER_L2_MISSES], "7 an epoch, assumed");
	assert_string_equal(trace_provenance(r.trace)->origin[COUNTER_L2_MISSES], "assumed");
	assert_string_equal(trace_provenance(r.trace)->origin[COUNTER_L1D_MISSES], "measured");
	recording_release(&r);
	made_pmu_init(&m, 400);
	m.missing_config = 0x3c;
	request.assume = NULL;
	record(&request, &r);
	assert_false(trace_has_cycles(r.trace));
	assert_noted(&r, "true: cycles are left out: CPU_CLK_UNHALTED:THREAD_P: No such file");
	recording_release(&r);
}

/* A PMU that nobody counts L2 misses with. */
static void test_unsupported_counter(void **state)
{
	static const char *const assume[] = {"l2_misses=0", NULL}, *const wrong[] = {"l2_misses=x", NULL};
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	struct sahm_err err;
	(void)state;
	made_pmu_init(&m, 300);
	struct perf_request request = request_for(&m, &machine);
	machine = spr_machine("u74");
	assert_int_equal(record_perf(&request, &r, &err), SAHM_IO);
	assert_string_equal(err.msg, "l2_misses cannot be counted on this machine: nothing stands for it (--assume "
				     "l2_misses=N takes a value)");
	request.assume = wrong;
	assert_int_equal(record_perf(&request, &r, &err), SAHM_USAGE);
	assert_int_equal(m.nr_opened, 0);
	/* Each count is that of the PMU's other events: more misses than branches, so that nothing becomes an epoch. */
	request.assume = assume;
	record(&request, &r);
	recording_release(&r);
}

static void test_no_counters(void **state)
{
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	struct sahm_err err;
	(void)state;
	made_pmu_init(&m, 300);
	struct perf_request request = request_for(&m, &machine);
	machine.device[0] = '\0';
	assert_int_equal(record_perf(&request, &r, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "--via qemu"));
	assert_int_equal(m.nr_opened, 0);
}

static void test_cannot_run(void **state)
{
	static char *command[] = {"sahm-no-such-command", NULL};
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	struct sahm_err err;
	(void)state;
	made_pmu_init(&m, 300);
	struct perf_request request = request_for(&m, &machine);
	request.common.command = command;
	assert_int_equal(record_perf(&request, &r, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot run 'sahm-no-such-command': No such file or directory");
	assert_int_equal(m.nr_open, 0);
}

/* Counters that vanish: the recorded part is kept, and the command goes on to its end. */
static void test_read_fails(void **state)
{
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	(void)state;
	for (int apart = 0; apart < 2; apart++) {
		made_pmu_init(&m, 600);
		m.no_group_reads = apart;
		m.fail_read = apart ? 8 * 2 + 3 : 3;
		struct perf_request request = request_for(&m, &machine);
		record(&request, &r);
		assert_epochs(r.trace, 2);
		assert_string_equal(r.notes.text, "true: counters cannot be read any more: No such device; what was "
						  "recorded before is kept\n");
		assert_int_equal(r.nr_instructions, 2000000);
		assert_int_equal(r.exit_code, 0);
		recording_release(&r);
	}
	made_pmu_init(&m, 600);
	m.fail_read = 1;
	struct perf_request request = request_for(&m, &machine);
	record(&request, &r);
	assert_null(r.trace);
	recording_release(&r);
}

/* Missing counts, and counts that run backwards, are never taken for 0. */
static void test_odd_counts(void **state)
{
	static const struct {
		const char *name;
		double stops_ms, back_ms;
		uint64_t nr;
		const char *note;
	} rows[] = {
		{"stops", 200, 0, 2,
		 "true:3: 2 rows skipped: an event was not counted (idle or unscheduled) ('INST_RET"},
		{"backwards", 0, 300, 3, "true:3: 1 row skipped: a running total fell ('INST_RETIRED:ANY_P')\n"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_pmu m;
		struct pmu_machine machine;
		struct recording r;
		print_message("%s\n", rows[i].name);
		made_pmu_init(&m, 400);
		m.stops_ms = rows[i].stops_ms;
		m.back_ms = rows[i].back_ms;
		struct perf_request request = request_for(&m, &machine);
		record(&request, &r);
		assert_epochs(r.trace, rows[i].nr);
		assert_noted(&r, rows[i].note);
		recording_release(&r);
	}
}

static void test_idle(void **state)
{
	(void)state;
	for (int keep = 0; keep < 2; keep++) {
		struct made_pmu m;
		struct pmu_machine machine;
		struct recording r;
		made_pmu_init(&m, 500);
		m.idle_from_ms = 200;
		m.idle_to_ms = 400;
		struct perf_request request = request_for(&m, &machine);
		request.keep_idle = keep;
		record(&request, &r);
		if (!keep) {
			assert_epochs(r.trace, 3);
			assert_noted(&r, "true:3: 2 rows skipped: nothing happened: all counts are 0");
		} else {
			struct epoch_counts e;
			struct sahm_err err;
			assert_int_equal(trace_nr_epochs(r.trace), 5);
			assert_int_equal(trace_read(r.trace, 3, 1, &e, &err), SAHM_OK);
			assert_int_equal(e.count[COUNTER_INSTRUCTIONS], 0);
		}
		recording_release(&r);
	}
}

/* Deadlines are multiples of the interval whatever happens. */
static void test_deadlines(void **state)
{
	static const double expected_ms[] = {100, 200, 300, 600, 700, 800, 900};
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	(void)state;
	made_pmu_init(&m, 800);
	m.late_ms[0] = 3;
	m.late_ms[1] = 0.5;
	m.late_ms[2] = 250;
	m.late_ms[3] = 0;
	struct perf_request request = request_for(&m, &machine);
	record(&request, &r);
	assert_int_equal(m.nr_waits, 7);
	for (unsigned i = 0; i < m.nr_waits; i++)
		assert_true(m.deadlines_ns[i] == ns_of_ms(expected_ms[i]));
	/* The interval that was late by two and a half is one epoch, and told. */
	assert_int_equal(trace_nr_epochs(r.trace), 6);
	assert_noted(&r, "true: intervals of 50 to 103 ms are taken for 100 ms each\n");
	assert_noted(&r, "true:3: 1 gap, 0.2");
	assert_null(strstr(r.notes.text, "--by-time"));
	recording_release(&r);
}

/* A wait that ends early, as one that a signal interrupts, makes no row. */
static void test_early_waits(void **state)
{
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	(void)state;
	made_pmu_init(&m, 300);
	m.late_ms[0] = m.late_ms[2] = -30;
	struct perf_request request = request_for(&m, &machine);
	record(&request, &r);
	assert_epochs(r.trace, 3);
	assert_string_equal(r.notes.text, "");
	recording_release(&r);
}

static void test_ends_early(void **state)
{
	static const volatile sig_atomic_t stop = 1;
	static char *forever[] = {"sleep", "100", NULL};
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	(void)state;
	made_pmu_init(&m, 10000);
	struct perf_request request = request_for(&m, &machine);
	request.common.command = forever;
	request.common.max_epochs = 3;
	record(&request, &r);
	assert_epochs(r.trace, 3);
	assert_true(r.was_cut && r.signal == SIGTERM && r.exit_code == -1);
	recording_release(&r);
	made_pmu_init(&m, 250);
	request.common.max_epochs = 0;
	request.common.stop = &stop;
	record(&request, &r);
	assert_true(r.was_cut && r.signal == SIGTERM);
	recording_release(&r);
}

static void test_hybrid_is_told(void **state)
{
	struct made_pmu m;
	struct pmu_machine machine;
	struct recording r;
	(void)state;
	made_pmu_init(&m, 200);
	struct perf_request request = request_for(&m, &machine);
	snprintf(machine.device, sizeof(machine.device), "cpu_core");
	snprintf(machine.cpus, sizeof(machine.cpus), "0-7");
	record(&request, &r);
	assert_noted(&r, "true: only CPUs 0-7 are counted; `taskset -c 0-7`");
	recording_release(&r);
}

static void test_scale(void **state)
{
	static const struct {
		const char *name;
		struct perf_count before, now;
		bool ok;
		int64_t value_milli;
		int pct100;
		enum live_lack why;
	} rows[] = {
		{"all the time", {10, 0, 0}, {30, 100, 100}, true, 20000, 10000, 0},
		{"half of it", {10, 50, 50}, {30, 150, 100}, true, 40000, 5000, 0},
		{"a third, not whole", {0, 0, 0}, {10, 100, 30}, true, 33333, 3000, 0},
		{"more than all", {0, 0, 0}, {10, 100, 101}, true, 10000, 10000, 0},
		{"it slept", {10, 50, 50}, {10, 50, 50}, true, 0, 10000, 0},
		{"it did not run", {10, 50, 50}, {10, 90, 50}, false, 0, 0, LIVE_NOT_COUNTED},
		{"counted in no time", {10, 50, 50}, {11, 50, 50}, false, 0, 0, LIVE_NOT_COUNTED},
		{"fell", {10, 50, 50}, {9, 90, 90}, false, 0, 0, LIVE_BACKWARDS},
		{"time fell", {10, 50, 50}, {11, 49, 50}, false, 0, 0, LIVE_BACKWARDS},
		{"absurd", {0, 0, 0}, {UINT64_MAX, 100, 100}, false, 0, 0, LIVE_NOT_COUNTED},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		decimal value = 0;
		int pct100 = 0;
		enum live_lack why;
		print_message("%s\n", rows[i].name);
		assert_int_equal(perf_scale(&rows[i].before, &rows[i].now, &value, &pct100, &why), rows[i].ok);
		if (rows[i].ok) {
			assert_int_equal((int64_t)(value / (DECIMAL_ONE / 1000)), rows[i].value_milli);
			assert_int_equal(pct100, rows[i].pct100);
		} else {
			assert_int_equal(why, rows[i].why);
		}
	}
}

/* The kernel's own events, which need no PMU. False where it does not let us. */
static bool open_software(struct perf_set *s, struct arena *a, struct pmu_event *events, pid_t pid)
{
	struct sahm_err err;
	unsigned nr;
	assert_int_equal(pmu_events(spr_machine("software").pmu, a, events, &nr, &err), SAHM_OK);
	return perf_set_open(s, &perf_kernel, events, nr, pid, PARANOIA_UNKNOWN, &err) == SAHM_OK;
}

enum { TASK_CLOCK, PAGE_FAULTS };

/* Counts of a shell's text; false where counting is not allowed. */
static bool count(const char *text, struct perf_count counts[MAX_PMU_EVENTS])
{
	char *command[] = {"sh", "-c", (char *)(uintptr_t)text, NULL};
	struct record_child c;
	struct perf_set s;
	struct arena a;
	struct sahm_err err;
	struct pmu_event events[MAX_PMU_EVENTS];
	arena_init(&a);
	assert_int_equal(record_child_start(&c, command, -1, &err), SAHM_OK);
	bool ok = open_software(&s, &a, events, c.pid);
	if (ok) {
		assert_int_equal(perf_set_read(&s, counts, &err), SAHM_OK);
		/* Nothing before the exec. */
		assert_int_equal(counts[PAGE_FAULTS].value, 0);
		assert_int_equal(record_child_go(&c, &err), SAHM_OK);
		while (record_child_wait(&c, UINT64_MAX, NULL) == CHILD_RUNS)
			;
		assert_int_equal(perf_set_read(&s, counts, &err), SAHM_OK);
		perf_set_close(&s);
	}
	record_child_end(&c, NULL);
	arena_release(&a);
	return ok;
}

/* Children's events are their parent's. */
static void test_real_children(void **state)
{
	struct perf_count alone[MAX_PMU_EVENTS], forks[MAX_PMU_EVENTS];
	(void)state;
	if (!count(":", alone))
		skip();
	assert_true(count("for i in 1 2 3 4 5 6 7 8 9 10; do (:; (:)); done", forks));
	assert_true(alone[PAGE_FAULTS].value > 20);
	/* Twenty processes, each of which touches separate pages. */
	assert_true(forks[PAGE_FAULTS].value > alone[PAGE_FAULTS].value + 100);
	/* Not compared with one another: a hypervisor's pauses count, too. */
	assert_true(alone[TASK_CLOCK].value > 0 && forks[TASK_CLOCK].value > 0);
	assert_true(forks[TASK_CLOCK].running_ns > 0 && forks[TASK_CLOCK].running_ns <= forks[TASK_CLOCK].enabled_ns);
}

/* Counters made of the kernel's events: none of them a program's, but all of them real. */
static struct import_map *software_map(void)
{
	static const char *const rows[] = {
		"instructions=task-clock",	 "branches=task-clock",		 "branch_misses=0.001 * task-clock",
		"l1i_misses=page-faults",	 "l1d_accesses=task-clock",	 "l1d_misses=0.01 * task-clock",
		"l2_accesses=0.01 * task-clock", "l2_misses=0.001 * task-clock",
	};
	struct sahm_err err;
	struct import_map *map = import_map_new();
	assert_non_null(map);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (import_map_add(map, rows[i], &err) != SAHM_OK)
			fail_msg("%s", err.msg);
	return map;
}

/* Records a shell's text for real; false where counting is not allowed. */
static bool record_real(const char *text, bool keep_idle, const volatile sig_atomic_t *stop, struct recording *r)
{
	char *command[] = {"sh", "-c", (char *)(uintptr_t)text, NULL};
	struct record_request request = {.command = command, .stop = stop};
	struct import_options options = {.epoch_ns = 20 * MADE_MS, .keep_idle = keep_idle, .map = software_map()};
	struct perf_rows rows = {.interval_ns = 20 * MADE_MS, .label = "real"};
	struct record_child c;
	struct import_live *live;
	struct arena a;
	struct sahm_err err;
	struct pmu_event events[MAX_PMU_EVENTS];
	*r = (struct recording){0};
	textbuf_init(&r->notes);
	arena_init(&a);
	assert_int_equal(record_child_start(&c, command, -1, &err), SAHM_OK);
	bool ok = open_software(&rows.set, &a, events, c.pid);
	if (ok) {
		assert_int_equal(import_live_begin("real", &options, &r->notes, &live, &err), SAHM_OK);
		assert_int_equal(perf_rows_begin(&rows, live), SAHM_OK);
		assert_int_equal(record_child_go(&c, &err), SAHM_OK);
		assert_int_equal(perf_rows_follow(&rows, &c, &request, r), SAHM_OK);
		perf_set_close(&rows.set);
	}
	record_child_end(&c, stop);
	record_child_tell(&c, r);
	if (ok) {
		if (import_live_finish(live, &r->trace) != SAHM_OK)
			fail_msg("%s", err.msg);
		import_live_free(live);
	}
	import_map_free((struct import_map *)(uintptr_t)options.map);
	arena_release(&a);
	if (!ok)
		recording_release(r);
	return ok;
}

/*
 Repeats the recording until there is this number of epochs, and this was noted (NULL: whatever): a recorder that others
 keep from
 * running for long sees but one interval.
 */
static bool record_until(const char *text, bool keep_idle, uint64_t nr, const char *note, struct recording *r)
{
	enum { MAX_TRIES = 20 };
	for (unsigned tries = 0;; tries++) {
		if (!record_real(text, keep_idle, NULL, r))
			return false;
		uint64_t kept = r->trace ? trace_nr_epochs(r->trace) : 0;
		if (tries == MAX_TRIES || (kept >= nr && (!note || strstr(r->notes.text, note))))
			return true;
		recording_release(r);
	}
}

static uint64_t total_of(struct trace *trace, enum counter c)
{
	uint64_t total = 0;
	for (uint64_t i = 0; i < trace_nr_epochs(trace); i++) {
		struct epoch_counts e;
		struct sahm_err err;
		assert_int_equal(trace_read(trace, i, 1, &e, &err), SAHM_OK);
		total += e.count[c];
	}
	return total;
}

/* Intervals add up to the whole: nothing is lost between them, and nothing counted twice. */
static void test_real_intervals(void **state)
{
	struct recording r;
	(void)state;
	/* Children that work one after the other, in separate processes. */
	if (!record_until("for i in 1 2 3 4; do (i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done); done; exit 6",
			  false, 2, NULL, &r))
		skip();
	assert_int_equal(r.exit_code, 6);
	assert_non_null(r.trace);
	assert_true(trace_nr_epochs(r.trace) >= 2);
	uint64_t kept = total_of(r.trace, COUNTER_INSTRUCTIONS);
	unsigned long long rest = 0;
	const char *note = strstr(r.notes.text, " ms, ");
	if (note)
		assert_int_equal(sscanf(note, " ms, %llu instructions", &rest), 1);
	assert_int_equal(kept + rest, r.nr_instructions);
	recording_release(&r);
}

static void test_real_sleep(void **state)
{
	static const char idle[] = "nothing happened: all counts are 0";
	struct recording r;
	(void)state;
	if (!record_until("sleep 0.5", true, 5, NULL, &r))
		skip();
	assert_true(trace_nr_epochs(r.trace) >= 5);
	recording_release(&r);
	assert_true(record_until("sleep 0.5", false, 0, idle, &r));
	assert_noted(&r, idle);
	for (uint64_t i = 0; r.trace && i < trace_nr_epochs(r.trace); i++) {
		struct epoch_counts e;
		struct sahm_err err;
		assert_int_equal(trace_read(r.trace, i, 1, &e, &err), SAHM_OK);
		assert_true(e.count[COUNTER_INSTRUCTIONS] > 0);
	}
	recording_release(&r);
}

static volatile sig_atomic_t alarmed;

static void note_alarm(int number)
{
	(void)number;
	alarmed = 2;
}

/* A signal to the recorder ends the recording, whose epochs stay. */
static void test_real_signal(void **state)
{
	struct sigaction before, action = {.sa_handler = note_alarm};
	struct recording r;
	(void)state;
	alarmed = 0;
	sigaction(SIGALRM, &action, &before);
	alarm(1);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	bool ok = record_real("while :; do :; done", false, &alarmed, &r);
	alarm(0);
	sigaction(SIGALRM, &before, NULL);
	if (!ok)
		skip();
	assert_true(clock_ns(CLOCK_MONOTONIC) - begin_ns < 60 * NS_PER_S);
	assert_true(r.was_cut && r.signal == SIGKILL);
	assert_true(trace_nr_epochs(r.trace) >= 1);
	recording_release(&r);
}

TEST_FILE(test_record_perf)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),	       cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_takes_turns),    cmocka_unit_test(test_refused),
		cmocka_unit_test(test_missing_events), cmocka_unit_test(test_unsupported_counter),
		cmocka_unit_test(test_no_counters),    cmocka_unit_test(test_cannot_run),
		cmocka_unit_test(test_read_fails),     cmocka_unit_test(test_odd_counts),
		cmocka_unit_test(test_idle),	       cmocka_unit_test(test_deadlines),
		cmocka_unit_test(test_early_waits),    cmocka_unit_test(test_ends_early),
		cmocka_unit_test(test_hybrid_is_told), cmocka_unit_test(test_scale),
		cmocka_unit_test(test_real_children),  cmocka_unit_test(test_real_intervals),
		cmocka_unit_test(test_real_sleep),     cmocka_unit_test(test_real_signal),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
