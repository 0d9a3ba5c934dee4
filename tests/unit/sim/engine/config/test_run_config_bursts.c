/* When threads sleep and what they weigh: what a configuration says of it, and what comes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/engine/config/run.h"
#include "sim/engine/sim.h"
#include "tests/unit/config_text.h"
#include "tests/unit/test.h"

#define PLAIN "chip:{cores=({type=\"baseline\";count=4;});};"
#define CC1 "file=\"workloads/suites/small/cc1.csv\";"
#define ONE(keys) PLAIN "workload:{traces=({" CC1 keys "});};"
#define BURSTS(keys) ONE("bursts={" keys "};")

/* A list of three bursts, in a separate file. */
static char list_path[] = "/tmp/sahm-bursts-XXXXXX";

static int make_list(void **state)
{
	(void)state;
	FILE *f = fdopen(mkstemp(list_path), "w");
	fputs("# sahm bursts 1\n# source: synthetic\nrun_ns,sleep_ns\n1000,1\n2000,2\n3000,3\n", f);
	return fclose(f);
}

static int remove_list(void **state)
{
	(void)state;
	return remove(list_path);
}

/* A configuration with @ for the path of the list. */
static char *with_list(const char *text)
{
	static char whole[4096];
	size_t len = 0;
	for (; *text; text++)
		len += (size_t)snprintf(whole + len, sizeof(whole) - len, "%.*s",
					*text == '@' ? (int)strlen(list_path) : 1, *text == '@' ? list_path : text);
	return whole;
}

static void test_drawn(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		struct burst_times run, sleep;
	} rows[] = {
		{BURSTS("run_ms=2;sleep_ms=0;"),
		 {BURST_EXPONENTIAL, 2000000, 0, 0, 0},
		 {BURST_EXPONENTIAL, 0, 0, 0, 0}},
		{BURSTS("run=\"fixed\";run_ms=0.001;sleep=\"fixed\";sleep_ms=1000000;"),
		 {BURST_FIXED, 1000, 0, 0, 0},
		 {BURST_FIXED, UINT64_C(1000000000000), 0, 0, 0}},
		{BURSTS("run=\"uniform\";run_min_ms=0.5;run_max_ms=0.5;sleep=\"uniform\";"
			"sleep_min_ms=0;sleep_max_ms=7.000001;"),
		 {BURST_UNIFORM, 0, 500000, 500000, 0},
		 {BURST_UNIFORM, 0, 0, 7000001, 0}},
		{BURSTS("run=\"pareto\";run_min_ms=1;run_max_ms=2;run_alpha=0.1;sleep=\"pareto\";sleep_min_ms=0.000001;"
			"sleep_max_ms=5;"),
		 {BURST_PARETO, 0, 1000000, 2000000, 100},
		 {BURST_PARETO, 0, 1, 5000000, 1500}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		print_message("%s\n", rows[i].text);
		load(&config, rows[i].text);
		const struct burst_model *m = config.threads[0].bursts;
		assert_non_null(m);
		assert_true(!m->list && !config.threads[0].burst_list);
		assert_memory_equal(&m->run, &rows[i].run, sizeof(m->run));
		assert_memory_equal(&m->sleep, &rows[i].sleep, sizeof(m->sleep));
		run_config_release(&config);
	}
	struct run_config config;
	load(&config, ONE(""));
	assert_true(!config.threads[0].bursts && config.threads[0].weight == DEFAULT_WEIGHT);
	run_config_release(&config);
}

/* The threads of a group are spread over its list, or begin at given places; it is read once. */
static void test_lists(void **state)
{
	(void)state;
	static const struct {
		const char *keys;
		uint32_t nr;
		uint64_t first[3];
	} rows[] = {
		{"bursts={file=\"@\";};", 1, {0}},
		{"bursts={file=\"@\";first=2;};", 1, {2}},
		{"offset_ms=[0,1,2];bursts={file=\"@\";};", 3, {0, 1, 2}},
		{"offset_ms=[0,1];bursts={file=\"@\";};", 2, {0, 1}},
		{"offset_ms=[0,1,2];bursts={file=\"@\";first=0;};", 3, {0, 0, 0}},
		{"arrive_ms=[0,1,2];bursts={file=\"@\";first=[2,0,2];};", 3, {2, 0, 2}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		char text[512];
		snprintf(text, sizeof(text), PLAIN "workload:{traces=({" CC1 "%s},{" CC1 "bursts={file=\"@\";};});};",
			 rows[i].keys);
		print_message("%s\n", rows[i].keys);
		load(&config, with_list(text));
		assert_int_equal(config.nr_threads, rows[i].nr + 1);
		for (uint32_t t = 0; t < rows[i].nr; t++) {
			const struct burst_model *m = config.threads[t].bursts;
			assert_int_equal(m->nr, 3);
			assert_int_equal(m->first, rows[i].first[t]);
			assert_true(m->list[1].run_ns == 2000 && m->list[1].sleep_ns == 2);
			assert_ptr_equal(m->list, config.threads[rows[i].nr].bursts->list);
			assert_string_equal(config.threads[t].burst_list->path, list_path);
		}
		run_config_release(&config);
	}
}

/* The kernel's table in hundredths, to the nearest, as sched_ext has it. */
static void test_weights(void **state)
{
	(void)state;
	static const struct {
		const char *keys;
		uint32_t weight;
	} rows[] = {
		{"weight=1;", 1}, {"weight=10000;", 10000}, {"nice=-20;", 8668}, {"nice=-1;", 125}, {"nice=0;", 100},
		{"nice=1;", 80},  {"nice=10;", 11},	    {"nice=19;", 1},	 {"nice=18;", 2},
	};
	uint32_t before = UINT32_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		char text[256];
		snprintf(text, sizeof(text), ONE("%s"), rows[i].keys);
		load(&config, text);
		assert_int_equal(config.threads[0].weight, rows[i].weight);
		run_config_release(&config);
	}
	for (int nice = -20; nice < 20; nice++) {
		struct run_config config;
		char text[256];
		snprintf(text, sizeof(text), ONE("nice=%d;"), nice);
		load(&config, text);
		assert_true(config.threads[0].weight <= before && config.threads[0].weight >= 1);
		before = config.threads[0].weight;
		run_config_release(&config);
	}
}

static void test_refusals(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{BURSTS(""), "missing key 'workload.traces[].bursts.run_ms': "},
		{BURSTS("run_ms=1;"), "missing key 'workload.traces[].bursts.sleep_ms': "},
		{BURSTS("run_ms=0.0009;sleep_ms=1;"),
		 "'workload.traces[0].bursts.run_ms' is 0.0009, must be from 0.001 to "},
		{BURSTS("run_ms=1;sleep_ms=1000001;"),
		 "'workload.traces[0].bursts.sleep_ms' is 1000001, must be from 0 to "},
		{BURSTS("run=\"uniform\";run_min_ms=1;sleep_ms=1;"),
		 "missing key 'workload.traces[].bursts.run_max_ms': "},
		{BURSTS("run=\"pareto\";run_max_ms=1;sleep_ms=1;"),
		 "missing key 'workload.traces[].bursts.run_min_ms': "},
		{BURSTS("run=\"expo\";run_ms=1;sleep_ms=1;"), "unknown value 'expo' of "
							      "'workload.traces[0].bursts.run' (fixed, uniform, "
							      "exponential, pareto); did you mean 'exponential'?"},
		{BURSTS("run_ms=1;sleep=\"pareto\";sleep_min_ms=0;sleep_max_ms=1;"),
		 "the shortest sleep time is 0; a pareto distribution begins above it"},
		{BURSTS("run=\"uniform\";run_min_ms=2;run_max_ms=1.5;sleep_ms=1;"),
		 "the shortest run time, 2 ms, is above the longest, 1.5 ms"},
		{BURSTS("run_ms=1;run_alpha=1;sleep_ms=1;"),
		 "'run_alpha' has no effect here: run times are exponential"},
		{BURSTS("run=\"fixed\";run_ms=1;sleep_ms=1;sleep_max_ms=2;"),
		 "'sleep_max_ms' has no effect here: sleep times are exponential"},
		{BURSTS("run_ms=1;sleep=\"uniform\";sleep_min_ms=1;sleep_max_ms=2;sleep_ms=1;"),
		 "'sleep_ms' has no effect here: sleep times are uniform"},
		{BURSTS("run_ms=1;sleep=\"pareto\";sleep_min_ms=1;sleep_max_ms=2;sleep_alpha=10.1;"),
		 "'workload.traces[0].bursts.sleep_alpha' is 10.1, must be from 0.1 to 10"},
		{BURSTS("run_ms=1;sleep_ms=1;first=0;"),
		 "'first' has no effect here: the bursts are drawn, not those of a file"},
		{BURSTS("file=\"@\";run=\"fixed\";"), "'run' has no effect here: the bursts are those of a file"},
		{BURSTS("file=\"@\";first=3;"), "burst 3 lies beyond the end of the list, which has 3"},
		{BURSTS("file=\"@\";first=-1;"), "'workload.traces[0].bursts.first' is -1, must be from 0 to "},
		{BURSTS("file=\"@\";first=[0,1];"), "first has 2 values, the trace makes 1 thread"},
		{BURSTS("file=\"@\";first=[];"), "first has 0 values, the trace makes 1 thread"},
		{BURSTS("file=\"no such\";"),
		 "cannot open list of bursts 'no such': No such file or directory (nor is it in '.')"},
		{BURSTS("flie=\"@\";"), "unknown key 'workload.traces[0].bursts.flie'; did you mean 'file'?"},
		{ONE("weight=0;"), "'workload.traces[0].weight' is 0, must be from 1 to 10000"},
		{ONE("weight=10001;"), "'workload.traces[0].weight' is 10001, must be from 1 to 10000"},
		{ONE("nice=20;"), "'workload.traces[0].nice' is 20, must be from -20 to 19"},
		{ONE("nice=-21;"), "'workload.traces[0].nice' is -21, must be from -20 to 19"},
		{ONE("nice=0;weight=100;"), "nice and weight together: either says what the thread weighs"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		struct sahm_err err = {0};
		char path[] = "/tmp/sahm-config-XXXXXX", message[512];
		enum sahm_status status = load_text(&config, with_list(rows[i].text), path, &err);
		if (status == SAHM_OK)
			fail_msg("%s is accepted", rows[i].text);
		snprintf(message, sizeof(message), "%s:1: %s", path, rows[i].message);
		if (strncmp(err.msg, message, strlen(message)) != 0)
			fail_msg("'%s' instead of '%s'", err.msg, message);
	}
	/* Errors in a list are reported with its own place. */
	struct run_config config;
	struct sahm_err err = {0};
	char path[] = "/tmp/sahm-config-XXXXXX";
	assert_int_equal(load_text(&config, BURSTS("file=\"workloads/suites/small/cc1.csv\";"), path, &err),
			 SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "/cc1.csv:1: not a list of bursts: "));
}

/* Written and read again it is the same, and so is its hash; which mentions only threads that sleep or have weights. */
static void test_written(void **state)
{
	(void)state;
	static const char *const rows[] = {
		ONE(""),
		ONE("weight=100;"),
		ONE("weight=101;"),
		ONE("nice=-3;"),
		BURSTS("run_ms=2.5;sleep=\"pareto\";sleep_min_ms=0.123456;sleep_max_ms=500;sleep_alpha=1.234;"),
		BURSTS("run_ms=2.5;sleep=\"pareto\";sleep_min_ms=0.123456;sleep_max_ms=500;sleep_alpha=1.235;"),
		BURSTS("run=\"fixed\";run_ms=2.5;sleep_ms=0;"),
		BURSTS("run=\"uniform\";run_min_ms=2.5;run_max_ms=4;sleep_ms=0;"),
		BURSTS("file=\"@\";"),
		BURSTS("file=\"@\";first=1;"),
		PLAIN "workload:{traces=({" CC1 "offset_ms=[0,1];bursts={file=\"@\";};weight=7;},"
		      "{" CC1 "bursts={run_ms=1;sleep_ms=1;};},{" CC1
		      "bursts={run_ms=1;sleep_ms=1;};},\"gzip.csv\");};",
	};
	uint8_t hashes[ARRAY_SIZE(rows)][HASH_BYTES], again[HASH_BYTES];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		struct textbuf first, second;
		textbuf_init(&first);
		textbuf_init(&second);
		load(&config, with_list(rows[i]));
		run_config_write(&config, &first);
		run_config_hash(&config, hashes[i]);
		run_config_release(&config);
		load(&config, first.text);
		run_config_write(&config, &second);
		run_config_hash(&config, again);
		run_config_release(&config);
		assert_string_equal(first.text, second.text);
		assert_memory_equal(hashes[i], again, HASH_BYTES);
		for (size_t j = 0; j < i; j++)
			if ((memcmp(hashes[i], hashes[j], HASH_BYTES) == 0) != (j == 0 && i == 1))
				fail_msg("%s and %s", rows[i], rows[j]);
		textbuf_release(&first);
		textbuf_release(&second);
	}
}

/* The seed says something where bursts are drawn, and not where they are those of a list. */
static void test_seed(void **state)
{
	(void)state;
	static const struct {
		const char *bursts;
		bool draws;
	} rows[] = {{"", false}, {"bursts={file=\"@\";};", false}, {"bursts={run_ms=1;sleep_ms=1;};", true}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t hashes[2][HASH_BYTES];
		for (int seed = 0; seed < 2; seed++) {
			struct run_config config;
			char text[512];
			snprintf(text, sizeof(text), PLAIN "workload:{seed=%d;traces=({" CC1 "%s});};", seed,
				 rows[i].bursts);
			load(&config, with_list(text));
			run_config_hash(&config, hashes[seed]);
			run_config_release(&config);
		}
		assert_int_equal(memcmp(hashes[0], hashes[1], HASH_BYTES) != 0, rows[i].draws);
	}
	/* Samples differ where bursts do, although no thread repeats its trace. */
	struct run_config config;
	load(&config, with_list(PLAIN "workload:{samples=2;traces=({" CC1 "repeat=false;bursts={file=\"@\";};});};"));
	run_config_release(&config);
}

static void run_text(struct run_result *result, const char *text)
{
	struct run_config config;
	struct sahm_err err = {0};
	load(&config, with_list(text));
	if (run_execute(&config, SIM_EVENT, result, &err) != SAHM_OK)
		fail_msg("%s: %s", text, err.msg);
	run_config_release(&config);
}

/* A thread that has a core to itself works as its bursts say. */
static void test_work(void **state)
{
	(void)state;
	static const struct {
		const char *bursts;
		uint64_t completed_ns;
	} rows[] = {
		{"run=\"fixed\";run_ms=2;sleep=\"fixed\";sleep_ms=8;", 200000000},
		{"run=\"fixed\";run_ms=25;sleep=\"fixed\";sleep_ms=75;", 250000000},
		{"run=\"fixed\";run_ms=2;sleep=\"fixed\";sleep_ms=0;", 1000000000},
		/* 6 us of work, 6 ns of sleep. */
		{"file=\"@\";", 1000000000 - 1000000},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_result result;
		char text[512];
		snprintf(text, sizeof(text), PLAIN "workload:{duration_ms=1000;traces=({" CC1 "bursts={%s};});};",
			 rows[i].bursts);
		run_text(&result, text);
		uint64_t completed_ns = result.threads[0].counts.completed_ns;
		if (completed_ns + 2000 < rows[i].completed_ns || completed_ns > rows[i].completed_ns + 2000)
			fail_msg("%s: %llu ns", rows[i].bursts, (unsigned long long)completed_ns);
		run_result_release(&result);
	}
}

/* Samples draw again, and so do threads of mode alone; the same configuration gives the same. */
static void test_samples(void **state)
{
	(void)state;
	static const char text[] = PLAIN "workload:{mode=\"alone\";samples=2;duration_ms=1000;traces=({" CC1
					 "arrive_ms=[0,0];repeat=false;bursts={run_ms=2;sleep_ms=2;};});};";
	uint64_t completed_ns[2][4];
	for (int again = 0; again < 2; again++) {
		struct run_result result;
		run_text(&result, text);
		for (int i = 0; i < 4; i++)
			completed_ns[again][i] = result.samples[i / 2].threads[i % 2].counts.completed_ns;
		run_result_release(&result);
	}
	assert_memory_equal(completed_ns[0], completed_ns[1], sizeof(completed_ns[0]));
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < i; j++)
			assert_int_not_equal(completed_ns[0][i], completed_ns[0][j]);
}

TEST_FILE(test_run_config_bursts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawn),	 cmocka_unit_test(test_lists),	 cmocka_unit_test(test_weights),
		cmocka_unit_test(test_refusals), cmocka_unit_test(test_written), cmocka_unit_test(test_seed),
		cmocka_unit_test(test_work),	 cmocka_unit_test(test_samples),
	};
	return cmocka_run_group_tests(tests, make_list, remove_list);
}
