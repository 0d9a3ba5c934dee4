/* The JSON and CSV that other programs read: parsed by a library that knows nothing of the writer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/report/characterize_report.h"
#include "sim/base/array.h"
#include "sim/base/units.h"
#include "tests/unit/reports.h"

/* The result of a configuration, changed by `change` (may be NULL) after it was read. */
static json_t *changed_run_json(const char *path, const char *const *settings, size_t nr,
				void (*change)(struct run_config *config))
{
	struct run_config config;
	struct run_result result;
	struct sahm_err err = {0};
	struct textbuf out;
	json_error_t where;
	load(&config, path, settings, nr);
	if (change)
		change(&config);
	assert_int_equal(run_execute(&config, SIM_EVENT, &result, &err), SAHM_OK);
	textbuf_init(&out);
	assert_true(run_report_json(&config, &result, &out));
	json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &where);
	if (!root)
		fail_msg("line %d: %s", where.line, where.text);
	textbuf_release(&out);
	run_result_release(&result);
	run_config_release(&config);
	return root;
}

static json_t *run_json(const char *path, const char *const *settings, size_t nr)
{
	return changed_run_json(path, settings, nr, NULL);
}

/* Every promised member is there with its type, and the sums fit together. */
static void test_run_contract(void **state)
{
	(void)state;
	json_t *root = run_json("configs/realistic-39.cfg", NULL, 0);
	assert_true(json_is_string(json_object_get(root, "schema")));
	assert_int_equal(strlen(json_string_value(json_object_get(root, "config_hash"))), 64);
	assert_string_equal(json_string_value(json_object_get(root, "policy")), "sahm");
	assert_true(json_is_false(json_object_get(root, "oracle")));
	assert_true(json_is_false(json_object_get(root, "synthetic")));
	assert_true(json_is_true(json_object_get(root, "nominal_time")));
	const json_t *threads = json_object_get(root, "threads");
	assert_int_equal(json_array_size(threads), 39);
	double speedups = 0, completed_ns = 0, migrations = 0, simulated_ns = number(root, "simulated_ns");
	for (size_t i = 0; i < json_array_size(threads); i++) {
		const json_t *t = json_array_get(threads, i);
		assert_true(json_is_string(json_object_get(t, "name")));
		assert_true(json_is_null(json_object_get(t, "tenant")));
		assert_true(json_is_integer(json_object_get(t, "completed_ns")));
		assert_true(json_is_integer(json_object_get(t, "migrations")));
		assert_true(number(t, "served_share") >= 0 && number(t, "served_share") <= 1);
		assert_true(number(t, "matched_share") >= number(t, "served_share"));
		assert_true(number(t, "present_ns") == simulated_ns && number(t, "arrived_ns") == 0);
		assert_true(json_is_false(json_object_get(t, "left")) && json_is_null(json_object_get(t, "left_ns")));
		assert_true(number(t, "paid_ns") <= number(t, "migrations") * 1e6);
		/* speedup = baseline time completed / time present - 1 */
		assert_true(fabs(number(t, "completed_ns") / simulated_ns - 1 - number(t, "speedup")) < 1e-12);
		speedups += number(t, "speedup");
		completed_ns += number(t, "completed_ns");
		migrations += number(t, "migrations");
	}
	assert_true(fabs(speedups / 39 - number(root, "speedup_mean")) < 1e-12);
	assert_true(fabs(completed_ns / (39 * simulated_ns) - 1 - number(root, "speedup_system")) < 1e-12);
	assert_true(fabs(migrations / (simulated_ns * 1e-9) - number(root, "migrations_per_s")) < 1e-9);
	assert_true(number(root, "simulated_ns") == 60e9);
	/* 39 threads on 39 cores: all of them run all the time, 6,000 timesteps each. */
	assert_true(number(root, "running_share") == 1);
	assert_true(number(root, "thread_timesteps") == 39 * 6000);
	assert_true(json_is_false(json_object_get(root, "given_up")));
	/* Where all are there throughout, STP and ANTT are the means in other words. */
	assert_true(fabs(number(root, "stp") - 39 * (1 + number(root, "speedup_mean"))) < 1e-9);
	assert_true(fabs(number(root, "antt") * (1 + number(root, "speedup_harmonic")) - 1) < 1e-12);
	assert_true(number(root, "speedup_harmonic") < number(root, "speedup_geometric"));
	assert_true(number(root, "speedup_geometric") < number(root, "speedup_mean"));
	assert_true(number(root, "jain") > 0.9 && number(root, "jain") < 1);
	assert_true(number(root, "migrations") == migrations);
	assert_true(number(root, "decisions") <= migrations && number(root, "decisions") * 2 >= migrations);
	assert_true(fabs(number(root, "mismatched_ns") / 10e6 - (1 - number(root, "matched_share")) * 39 * 6000) <
		    1e-6);
	assert_true(fabs(number(root, "paid_ns") / (39 * 60e9) - number(root, "paid_share")) < 1e-12);
	/* Cores and states are two more ways to divide the same timesteps. */
	const json_t *cores = json_object_get(root, "cores"), *states = json_object_get(root, "states");
	double executed = 0, share = 0, matched = 0;
	assert_int_equal(json_array_size(cores), 39);
	assert_int_equal(json_array_size(states), 16);
	for (size_t i = 0; i < 39; i++) {
		const json_t *c = json_array_get(cores, i);
		assert_int_equal(json_integer_value(json_object_get(c, "core")), i);
		assert_true(number(c, "utilisation") == 1);
		assert_true(json_is_null(json_object_get(c, "tenant")));
		executed += number(c, "executed_timesteps");
		matched += number(c, "executed_timesteps") * number(c, "matched_share");
	}
	assert_string_equal(json_string_value(json_object_get(json_array_get(cores, 38), "type")), "L2");
	assert_true(executed == 39 * 6000);
	assert_true(fabs(matched / executed - number(root, "matched_share")) < 1e-12);
	for (size_t i = 0; i < 16; i++)
		share += number(json_array_get(states, i), "share");
	assert_true(fabs(share - 1) < 1e-12);
	assert_null(json_object_get(root, "samples"));
	assert_null(json_object_get(root, "intervals"));
	json_decref(root);
}

/* Two threads share one core: each runs half of the time, and the system's capacity is one core. */
static void test_fewer_cores_than_threads(void **state)
{
	(void)state;
	const char *settings[] = {
		"chip.cores=({type=\"baseline\";})",
		"workload.traces=({file=\"workloads/suites/small/cc1.csv\"; offset_ms=[0,100];})",
		"workload.mode=together",
		"workload.duration_ms=1000",
	};
	json_t *root = run_json("configs/canonical.cfg", settings, 4);
	assert_true(number(root, "running_share") == 0.5);
	assert_true(number(root, "thread_timesteps") == 100);
	assert_true(number(root, "speedup_mean") == -0.5);
	assert_true(number(root, "speedup_system") == 0);
	json_decref(root);
}

/* Mode `alone`: every thread is simulated as long as its own trace lasts. */
static void test_alone_adds_up(void **state)
{
	(void)state;
	json_t *root = run_json("configs/canonical.cfg", NULL, 0);
	assert_true(number(root, "simulated_ns") == (19 + 107 + 35 + 55 + 70 + 31 + 131 + 49) * 1e8);
	assert_true(number(root, "thread_timesteps") == 4970);
	/* One thread at a time. */
	assert_true(number(root, "stp") > 1.29 && number(root, "stp") < 1.3);
	const json_t *cc1 = json_array_get(json_object_get(root, "threads"), 0);
	/* 190 timesteps; the first on the baseline core, then 1 ms of migration, the rest at 1.3. */
	assert_true(number(cc1, "completed_ns") == 10e6 + (1890e6 - 1e6) * 1.3);
	assert_true(number(cc1, "speedup") == (number(cc1, "completed_ns") - 1.9e9) / 1.9e9);
	json_decref(root);
}

static void take_samples(struct run_config *config)
{
	config->nr_samples = 8;
	config->seed = 1;
}

/* Several samples: each has every metric of the whole, and their mean lies between its bounds. */
static void test_samples(void **state)
{
	(void)state;
	const char *setting = "workload.duration_ms=2000";
	json_t *root = changed_run_json("configs/realistic-39.cfg", &setting, 1, take_samples);
	json_t *again = changed_run_json("configs/realistic-39.cfg", &setting, 1, take_samples);
	json_t *one = run_json("configs/realistic-39.cfg", &setting, 1);
	const json_t *samples = json_object_get(root, "samples"), *interval;
	const char *name;
	assert_int_equal(json_array_size(samples), 8);
	assert_int_equal(json_object_size(json_object_get(root, "intervals")), 19);
	json_object_foreach(json_object_get(root, "intervals"), name, interval)
	{
		double sum = 0;
		for (size_t i = 0; i < 8; i++)
			sum += number(json_array_get(samples, i), name);
		if (!(fabs(sum / 8 - number(interval, "mean")) <= 1e-12 * fabs(sum)))
			fail_msg("%s", name);
		assert_true(number(interval, "low") <= number(interval, "mean"));
		assert_true(number(interval, "mean") <= number(interval, "high"));
		assert_true(number(json_array_get(samples, 0), name) == number(one, name));
	}
	interval = json_object_get(json_object_get(root, "intervals"), "speedup_mean");
	assert_true(number(interval, "low") < number(interval, "high"));
	assert_true(number(root, "simulated_ns") == 16e9);
	assert_true(json_equal(root, again));
	json_decref(root);
	json_decref(again);
	json_decref(one);
}

/* Thread 1 leaves, thread 2 comes late, thread 3 never. */
static void come_and_go(struct run_config *config)
{
	config->threads[1].once = true;
	config->threads[2].arrive_ns = UINT64_C(1505000000);
	config->threads[3].arrive_ns = UINT64_C(60000000000);
}

static void test_arrivals(void **state)
{
	(void)state;
	const char *setting = "workload.duration_ms=60000";
	json_t *root = changed_run_json("configs/realistic-39.cfg", &setting, 1, come_and_go);
	const json_t *threads = json_object_get(root, "threads");
	const json_t *t = json_array_get(threads, 1);
	assert_true(json_is_true(json_object_get(t, "left")));
	assert_true(number(t, "left_ns") == number(t, "present_ns") && number(t, "present_ns") < 1.6e9);
	t = json_array_get(threads, 2);
	assert_true(number(t, "arrived_ns") == 1.51e9 && number(t, "present_ns") == 60e9 - 1.51e9);
	t = json_array_get(threads, 3);
	assert_true(json_is_null(json_object_get(t, "arrived_ns")) && json_is_null(json_object_get(t, "speedup")));
	assert_true(number(t, "present_ns") == 0);
	json_decref(root);
}

static unsigned count_lines(const char *text, const char *begin)
{
	unsigned nr = 0;
	for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		nr += strncmp(line, begin, strlen(begin)) == 0;
	return nr;
}

/* What is printed of the canonical chip, its eight threads together, with these settings. */
static char *report_of(const char *const *settings, size_t nr)
{
	const char *all[16] = {"workload.mode=together"};
	const struct run_report_look look = {"a title", false, true};
	struct run_config config;
	struct run_result result;
	struct textbuf out;
	assert_true(nr < ARRAY_SIZE(all));
	memcpy(all + 1, settings, nr * sizeof(*settings));
	load(&config, "configs/canonical.cfg", all, nr + 1);
	assert_int_equal(run_execute(&config, SIM_EVENT, &result, NULL), SAHM_OK);
	textbuf_init(&out);
	assert_true(run_report_text(&config, &result, &look, &out));
	run_result_release(&result);
	run_config_release(&config);
	return textbuf_detach(&out);
}

static void expect_text(const char *name, const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("%s: no '%s' in\n%s", name, expected, text);
}

static void expect_no_text(const char *name, const char *text, const char *unexpected)
{
	if (strstr(text, unexpected))
		fail_msg("%s: '%s' in\n%s", name, unexpected, text);
}

/* The heading says what moves cost on this chip, of five cores, and no other cost. */
static void test_costs(void **state)
{
	(void)state;
	static const struct {
		const char *name, *setting, *expected;
	} rows[] = {
		{"flat", "migration={cost_ms=3;}", "; 3 ms per migration\n"},
		{"nothing", "migration.cost_ms=0", "; 0 ms per migration\n"},
		{"every digit", "migration.cost_ms=123456.789", "; 123456.789 ms per migration\n"},
		{"timestep", "scheduler.timestep_ms=123456.789", "timestep 123456.789 ms"},
		{"levels", "migration={levels=({cores=2;cost_ms=0.1;},{cores=4;cost_ms=0.5;}); cost_ms=3;}",
		 "; 0.1, 0.5 or 3 ms per migration by distance\n"},
		{"a level of the whole chip",
		 "migration={levels=({cores=2;cost_ms=0.1;},{cores=6;cost_ms=0.5;},{cores=12;cost_ms=2;});}",
		 "; 0.1 or 0.5 ms per migration by distance\n"},
		{"nobody is as far", "migration={levels=({cores=5;cost_ms=0.5;}); cost_ms=3;}",
		 "; 0.5 ms per migration\n"},
		{"one core is", "migration={levels=({cores=4;cost_ms=0.5;}); cost_ms=3;}",
		 "; 0.5 or 3 ms per migration by distance\n"},
		{"each cost once", "migration={levels=({cores=2;cost_ms=3;},{cores=4;cost_ms=0.5;}); cost_ms=3;}",
		 "; 3 or 0.5 ms per migration by distance\n"},
		{"matrix", "migration={matrix_ms=([9,2,3,4,5],[6,0,3,3,3],[3,3,0,3,3],[3,3,3,0,3],[3,3,3,3,1]);}",
		 "; 2 to 6 ms per migration by matrix\n"},
		{"even matrix", "migration={matrix_ms=([0,2,2,2,2],[2,0,2,2,2],[2,2,0,2,2],[2,2,2,0,2],[2,2,2,2,0]);}",
		 "; 2 ms per migration by matrix\n"},
		{"warm-up", "migration={cost_ms=3;warmup_ms=5;}", "; 3 ms per migration, warm-up 5 ms\n"},
		{"one core alone", "chip.cores=({type=\"baseline\";})", "; no core to migrate to\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *settings[] = {rows[i].setting, "workload.duration_ms=10"};
		char *text = report_of(settings, 2);
		expect_text(rows[i].name, text, rows[i].expected);
		free(text);
	}
}

/* Two threads have 1 s of work each and share a core that does 1 % of it: given up after GIVE_UP_FACTOR times their
 * traces of 1.9 s. */
#define SLOW                                                                                                           \
	"chip.cores=({type=\"table\"; "                                                                                \
	"speedup_pct=[-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99];})"
#define LEAVING "workload.traces=({file=\"workloads/suites/small/cc1.csv\"; repeat=false; offset_ms=[900,900];})"

static void test_given_up(void **state)
{
	(void)state;
	const char *settings[] = {SLOW, LEAVING, "workload.mode=together"};
	char *text = report_of(settings, 3);
	expect_text("together", text, "\nleft                         0 of 2 threads that do not repeat\n");
	expect_text("together", text,
		    "\ngiven up                     after 38.00 s: 2 of 2 threads had not finished\n");
	expect_text("together", text, "baseline time  left\n");
	free(text);
	json_t *root = run_json("configs/canonical.cfg", settings, 3);
	assert_true(json_is_true(json_object_get(root, "given_up")));
	json_decref(root);
	/* A simulation for each. */
	settings[2] = "workload.mode=alone";
	text = report_of(settings, 3);
	expect_text("alone", text,
		    "\ngiven up                     2 of 2 simulations: 2 of 2 threads had not finished\n");
	free(text);
	/* A run with a duration does not give up. */
	settings[2] = "workload.duration_ms=20";
	text = report_of(settings, 3);
	expect_text("duration", text, "0 of 2 threads that do not repeat\n");
	expect_no_text("duration", text, "given up");
	free(text);
}

/* Columns follow from the configuration, whatever came of it. */
static void test_columns(void **state)
{
	(void)state;
	static const struct {
		const char *name, *trace, *mode;
		bool arrived, left;
	} rows[] = {
		{"neither", "", "workload.mode=together", false, false},
		{"at once", "arrive_ms=0;", "workload.mode=together", false, false},
		{"too late", "arrive_ms=9000;", "workload.mode=together", true, false},
		{"alone", "arrive_ms=9000;", "workload.mode=alone", false, false},
		{"never left", "repeat=false;", "workload.mode=together", false, true},
		{"both", "repeat=false; arrive_ms=10;", "workload.mode=together", true, true},
		{"left alone", "repeat=false; arrive_ms=10;", "workload.mode=alone", false, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char trace[128];
		snprintf(trace, sizeof(trace), "workload.traces=({file=\"workloads/suites/small/cc1.csv\"; %s})",
			 rows[i].trace);
		const char *settings[] = {trace, rows[i].mode, "workload.duration_ms=50"};
		char *text = report_of(settings, 3), *end = strstr(text, "----");
		assert_non_null(end);
		/* One thread: its line ends in dashes for what it has not done. */
		assert_int_equal(strstr(text, "  arrived") && strstr(text, "  arrived") < end, rows[i].arrived);
		assert_int_equal(strstr(text, "  left\n") && strstr(text, "  left\n") < end, rows[i].left);
		assert_int_equal(count_lines(text, "left   "), rows[i].left);
		free(text);
	}
}

static void test_tenants(void **state)
{
	(void)state;
	const char *settings[] = {
		"chip.cores=({type=\"baseline\"; count=2; tenant=\"we,b\";},{type=\"l2\"; speedup_pct=30;})",
		("workload.traces=({file=\"workloads/suites/small/cc1.csv\"; "
		 "tenant=\"we,b\";},\"workloads/suites/small/gzip.csv\")"),
		"workload.duration_ms=50",
		"workload.mode=together",
	};
	char *text = report_of(settings, 4);
	expect_text("chip", text, "3 cores: baseline x 2 (we,b), L2 +30 %\n");
	expect_text("heading", text, "\nthread                    tenant  ");
	expect_text("whose", text, "\ncc1                       we,b    ");
	expect_text("nobody's", text, "\ngzip                      -       ");
	expect_text("mean", text, "\nmean (assumed time base)          ");
	expect_text("cores", text, "\ncore  type      tenant  utilisation");
	expect_text("a core", text, "\n   1  baseline  we,b    ");
	expect_text("a core of all", text, "\n   2  L2 +30 %  -       ");
	free(text);
	json_t *root = run_json("configs/canonical.cfg", settings, 4);
	const json_t *threads = json_object_get(root, "threads"), *cores = json_object_get(root, "cores");
	assert_string_equal(json_string_value(json_object_get(json_array_get(threads, 0), "tenant")), "we,b");
	assert_true(json_is_null(json_object_get(json_array_get(threads, 1), "tenant")));
	for (size_t c = 0; c < 2; c++)
		assert_string_equal(json_string_value(json_object_get(json_array_get(cores, c), "tenant")), "we,b");
	assert_true(json_is_null(json_object_get(json_array_get(cores, 2), "tenant")));
	json_decref(root);
	/* Without any there is no such column. */
	settings[0] = "chip.cores=({type=\"baseline\"; count=3;})";
	settings[1] = "workload.traces=(\"workloads/suites/small/gzip.csv\")";
	text = report_of(settings, 4);
	expect_no_text("none", text, "tenant");
	free(text);
}

/* A time that is shown keeps its first digits: in ms below 10 s. Each thread moves once, at the same cost. */
static void test_small_times(void **state)
{
	(void)state;
	static const struct {
		const char *setting, *expected;
	} rows[] = {
		{"migration.cost_ms=27.25", "\nmigration cost paid          54.50 ms\n"},
		{"migration.cost_ms=0.0015", "\nmigration cost paid          3.00 us\n"},
		{"migration.cost_ms=0.0005", "\nmigration cost paid          1.00 us\n"},
		{"migration.cost_ms=0.5", "\nmigration cost paid          1.00 ms\n"},
		{"migration.cost_ms=0", "\nmigration cost paid          0.00 ms\n"},
		{"migration.cost_ms=4999.9", "\nmigration cost paid          9999.80 ms\n"},
		{"migration.cost_ms=5000", "\nmigration cost paid          10.00 s\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *settings[] = {
			"chip.cores=({type=\"baseline\"; count=2;},{type=\"branch\"; speedup_pct=30; count=2;})",
			"workload.traces=({file=\"workloads/suites/small/perl.csv\"; offset_ms=[0,100];})",
			"workload.duration_ms=12000",
			rows[i].setting,
		};
		char *text = report_of(settings, 4);
		expect_text(rows[i].setting, text, rows[i].expected);
		free(text);
	}
}

/* Text and CSV, line by line where they depend on the configuration. */
static char *report(void (*change)(struct run_config *config), bool csv, bool details)
{
	const char *setting = "workload.duration_ms=1600";
	const struct run_report_look look = {"a title", false, details};
	struct run_config config;
	struct run_result result;
	struct textbuf out;
	load(&config, "configs/realistic-39.cfg", &setting, 1);
	if (change)
		change(&config);
	assert_int_equal(run_execute(&config, SIM_EVENT, &result, NULL), SAHM_OK);
	textbuf_init(&out);
	assert_true(csv ? run_report_csv(&config, &result, details, &out)
			: run_report_text(&config, &result, &look, &out));
	run_result_release(&result);
	run_config_release(&config);
	return textbuf_detach(&out);
}

static void test_text(void **state)
{
	(void)state;
	char *plain = report(NULL, false, false), *moving = report(come_and_go, false, true);
	char *samples = report(take_samples, false, false);
	assert_null(strstr(plain, "arrived"));
	assert_null(strstr(plain, "utilisation"));
	assert_null(strstr(plain, "samples"));
	assert_null(strstr(plain, "\nleft"));
	assert_non_null(strstr(moving, "baseline time  arrived    left\n"));
	assert_non_null(strstr(moving, "utilisation"));
	/* It has not come: a dash for each thing that it might have. */
	assert_non_null(strstr(
		moving,
		"cc1+1100ms                       -         -         -           0         0.00 s        -       -\n"));
	assert_non_null(strstr(samples, "12.80 s in 8 samples"));
	assert_int_equal(count_lines(samples, "all samples together"), 1);
	assert_int_equal(count_lines(samples, "of 8 samples"), 1);
	assert_int_equal(count_lines(samples, "turnaround, ANTT"), 1);
	assert_int_equal(count_lines(plain, "synthetic"), 0);
	free(plain);
	free(moving);
	free(samples);
}

static void test_csv(void **state)
{
	(void)state;
	char *plain = report(NULL, true, false), *details = report(take_samples, true, true);
	unsigned nr_columns = 1, nr = 1;
	for (const char *p = plain; *p != '\n'; p++)
		nr_columns += *p == ',';
	for (const char *p = details; *p; p++) {
		nr += *p == ',';
		if (*p == '\n') {
			assert_int_equal(nr, nr_columns);
			nr = 1;
		}
	}
	assert_int_equal(count_lines(plain, "thread,"), 39);
	assert_int_equal(count_lines(plain, "core,") + count_lines(plain, "state,") + count_lines(plain, "samples,"),
			 0);
	assert_int_equal(count_lines(details, "core,"), 39);
	assert_int_equal(count_lines(details, "state,"), 16);
	assert_int_equal(count_lines(details, "samples,"), 19);
	/* The last two rows, whatever stands before them. */
	const char *mean = strstr(details, "\nmean,"), *whole = mean ? strchr(mean + 1, '\n') : NULL;
	assert_non_null(whole);
	assert_int_equal(strncmp(whole, "\nsystem,", 8), 0);
	assert_string_equal(strchr(whole + 1, '\n'), "\n");
	free(plain);
	free(details);
}

static void test_characterize_contract(void **state)
{
	(void)state;
	struct characterized rows[2] = {{.name = "one"}, {.name = "a \"b\",\xff", .synthetic = true}};
	struct cuts cuts;
	const struct characterize_study study = {rows, 2, &cuts, "intuitive", false};
	const uint8_t one[] = {8}, many[] = {0, 0, 5, 5, 5, 0, 15, 15};
	struct textbuf out;
	characterize_states(one, 1, &rows[0].counts);
	characterize_states(many, 8, &rows[1].counts);
	cuts_named("intuitive", &cuts);
	textbuf_init(&out);
	assert_true(characterize_report_json(&study, &out));
	json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	const json_t *traces = json_object_get(root, "traces"), *mean = json_object_get(root, "mean");
	assert_int_equal(json_array_size(traces), 2);
	const json_t *first = json_array_get(traces, 0), *second = json_array_get(traces, 1);
	assert_true(number(first, "epochs") == 1);
	/* A single epoch has no predecessor: no share, rather than an invented one. */
	assert_true(json_is_null(json_object_get(first, "self_transition_share")));
	assert_string_equal(json_string_value(json_object_get(second, "name")), "a \"b\",\xef\xbf\xbd");
	assert_true(number(second, "self_transition_share") == 4.0 / 7);
	assert_true(number(mean, "self_transition_share") == 4.0 / 7);
	const json_t *occupancy = json_object_get(second, "occupancy");
	assert_int_equal(json_array_size(occupancy), 16);
	assert_true(json_number_value(json_array_get(occupancy, 0)) == 3.0 / 8);
	assert_true(json_number_value(json_array_get(occupancy, 15)) == 2.0 / 8);
	assert_true(json_number_value(json_array_get(json_object_get(mean, "occupancy"), 8)) == 0.5);
	const json_t *intervals = json_object_get(second, "interval_counts");
	assert_int_equal(json_integer_value(json_array_get(intervals, 0)), 2);
	assert_int_equal(json_integer_value(json_array_get(intervals, 5)), 1);
	assert_true(json_is_true(json_object_get(root, "synthetic")));
	assert_true(json_is_false(json_object_get(root, "nominal_time")));
	assert_true(json_is_false(json_object_get(mean, "nominal_time")));
	assert_true(number(json_object_get(root, "cuts_values"), "l2_pct") == 10);
	assert_int_equal(json_array_size(json_object_get(json_object_get(root, "occupancy_by_cuts"), "p25")), 16);
	/* One of seven transitions goes from 0 to 5; the trace without any has no say. 5 to 15 is never seen. */
	const json_t *transitions = json_object_get(root, "transitions");
	assert_int_equal(json_array_size(transitions), 16);
	assert_true(json_number_value(json_array_get(json_array_get(transitions, 0), 5)) == 1.0 / 7);
	assert_true(json_number_value(json_array_get(json_array_get(transitions, 5), 5)) == 2.0 / 7);
	assert_true(json_is_null(json_array_get(json_array_get(transitions, 5), 15)));
	/* Lengths 1 against 2, 3, 1, 2. */
	const json_t *bins = json_object_get(root, "intervals"), *of_one = json_array_get(bins, 0);
	assert_int_equal(json_array_size(bins), 2);
	assert_true(number(of_one, "min_epochs") == 1 && number(of_one, "max_epochs") == 1);
	assert_true(number(of_one, "count_share") == (1 + 0.25) / 2);
	assert_true(number(of_one, "time_share") == (1 + 0.125) / 2);
	assert_true(number(json_array_get(bins, 1), "max_epochs") == 4);
	json_decref(root);
	textbuf_release(&out);
}

/* Numbers read back to the same double; what JSON cannot say becomes null. */
static void test_json_values(void **state)
{
	(void)state;
	static const double values[] = {0.1, 0.30000000000000004, 1e22, -2.5e-7, 123456789.125, 0};
	struct textbuf out;
	struct jwriter j;
	textbuf_init(&out);
	jwrite_init(&j, &out);
	jwrite_begin_object(&j, NULL);
	jwrite_begin_array(&j, "numbers", true);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		jwrite_double(&j, NULL, values[i]);
	jwrite_end_array(&j);
	jwrite_double(&j, "nan", NAN);
	jwrite_u64(&j, "large", UINT64_C(9007199254740993));
	jwrite_string(&j, "text", "tab\t \"quoted\" back\\slash \x01 \xc3\xa4 \xf0\x9f\x98\x80 \xed\xa0\x80");
	jwrite_begin_object(&j, "empty");
	jwrite_end_object(&j);
	jwrite_end_object(&j);
	json_t *root = json_loads(out.text, 0, NULL);
	assert_non_null(root);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		assert_true(json_number_value(json_array_get(json_object_get(root, "numbers"), i)) == values[i]);
	assert_true(json_is_null(json_object_get(root, "nan")));
	assert_int_equal(json_integer_value(json_object_get(root, "large")), 9007199254740993);
	assert_string_equal(json_string_value(json_object_get(root, "text")),
			    "tab\t \"quoted\" back\\slash \x01 \xc3\xa4 \xf0\x9f\x98\x80 "
			    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	json_decref(root);
	textbuf_release(&out);
}

static void test_csv_quotes(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	csv_string(&out, "plain");
	csv_string(&out, "a,b");
	csv_string(&out, "say \"x\"");
	csv_string(&out, "");
	csv_double(&out, 0.5);
	csv_double(&out, NAN);
	csv_u64(&out, UINT64_MAX);
	csv_end_row(&out);
	assert_string_equal(out.text, "plain,\"a,b\",\"say \"\"x\"\"\",\"\",0.5,,18446744073709551615\n");
	textbuf_release(&out);
}

/* Written back and read again, a configuration gives the same text, hash and result: one row per shape of setting. */
static void test_resolved_configuration_round_trip(void **state)
{
	(void)state;
	static const struct {
		const char *name, *setting;
	} rows[] = {
		{"as it is", "scheduler.policy=sahm"},
		{"cost that is no short decimal", "migration.cost_ms=0.30000000000000004"},
		{"timestep of odd ns", "scheduler.timestep_ms=7.300001"},
		{"duration", "workload.duration_ms=1234.567891"},
		{"negative speedup", "chip.cores[1].speedup_pct=-33.3333"},
		{"average figure of a work", "chip.cores[1]={type=\"itp-xptp\"; figure=\"average\"; count=3;}"},
		{"group of no cores", "chip.cores[1].count=0"},
		{"custom cuts", "cuts.l1i_mpki=0.0041"},
		{"oracle", "scheduler.oracle=true"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[] = "/tmp/sahm-round-trip-XXXXXX";
		struct run_config first, second;
		struct textbuf a, b;
		uint8_t hash_a[HASH_BYTES], hash_b[HASH_BYTES];
		print_message("%s\n", rows[i].name);
		load(&first, "configs/canonical.cfg", &rows[i].setting, 1);
		textbuf_init(&a);
		textbuf_init(&b);
		run_config_write(&first, &a);
		int fd = mkstemp(path);
		assert_true(fd >= 0);
		FILE *f = fdopen(fd, "w");
		fputs(a.text, f);
		fclose(f);
		load(&second, path, NULL, 0);
		remove(path);
		run_config_write(&second, &b);
		assert_string_equal(a.text, b.text);
		run_config_hash(&first, hash_a);
		run_config_hash(&second, hash_b);
		assert_memory_equal(hash_a, hash_b, HASH_BYTES);
		textbuf_release(&a);
		textbuf_release(&b);
		run_config_release(&first);
		run_config_release(&second);
	}
}

/* Each thing that can change a result changes the hash; how a chip is written does not. */
static void test_hash(void **state)
{
	(void)state;
	static const struct {
		const char *setting;
		bool differs;
	} rows[] = {
		{"scheduler.inertia=5", false},
		{"chip.cores[1].type=BRANCH", false},
		{"chip.cores[1]={type=\"branch\"; speedup_pct=(30);}", false},
		{"workload.duration_ms=0", false},
		{"chip.cores[1].speedup_pct=30.0001", true},
		{"chip.cores[0].count=2", true},
		{"migration.cost_ms=1.000001", true},
		{"scheduler.inertia=4", true},
		{"scheduler.oracle=true", true},
		{"scheduler.policy=sahm-strict", true},
		{"scheduler.timestep_ms=9.999999", true},
		{"workload.duration_ms=5", true},
		{"workload.mode=together", true},
		{"workload.traces[0]=workloads/suites/small/xz.csv", true},
		{"cuts.set=p50", true},
		{"cuts.l2_pct=10.0000001", true},
	};
	uint8_t base[HASH_BYTES], hash[HASH_BYTES];
	struct run_config config;
	load(&config, "configs/canonical.cfg", NULL, 0);
	run_config_hash(&config, base);
	run_config_release(&config);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		load(&config, "configs/canonical.cfg", &rows[i].setting, 1);
		run_config_hash(&config, hash);
		run_config_release(&config);
		if ((memcmp(base, hash, HASH_BYTES) != 0) != rows[i].differs)
			fail_msg("%s", rows[i].setting);
	}
}

TEST_FILE(test_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_contract),
		cmocka_unit_test(test_fewer_cores_than_threads),
		cmocka_unit_test(test_alone_adds_up),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_tenants),
		cmocka_unit_test(test_small_times),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_characterize_contract),
		cmocka_unit_test(test_json_values),
		cmocka_unit_test(test_csv_quotes),
		cmocka_unit_test(test_resolved_configuration_round_trip),
		cmocka_unit_test(test_hash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
