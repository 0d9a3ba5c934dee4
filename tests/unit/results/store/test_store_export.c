/* Exports: these bytes, whatever happened before. */
#include "results/store/store_export.h"
#include "sim/base/array.h"
#include "tests/unit/made_store.h"

static char *export_of(struct store *store, int64_t sweep, enum export_kind kind, enum export_form form,
		       struct export_counts *counts)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	assert_non_null(out);
	MUST_WORK(store_export(store, sweep, kind, form, out, counts, ERR));
	assert_int_equal(fclose(out), 0);
	return text;
}

static void expect_export(struct store *store, int64_t sweep, enum export_kind kind, enum export_form form,
			  const char *expected)
{
	struct export_counts counts;
	char *text = export_of(store, sweep, kind, form, &counts);
	assert_string_equal(text, expected);
	free(text);
}

#define METRIC_NAMES                                                                                                   \
	"speedup_mean,speedup_harmonic,speedup_geometric,speedup_system,stp,antt,jain,jain_weighted,"                  \
	"slowdown_max,unfairness,served_share,matched_share,"                                                          \
	"running_share,transition_share,migrations_per_s,decisions_per_s,mismatched_ns,paid_ns,paid_share,"            \
	"energy_j,instruction_nj,power_w,edp,ed2p,"                                                                    \
	"latency_p50_ns,latency_p95_ns,latency_p99_ns,wait_p50_ns,wait_p95_ns,wait_p99_ns"

/* Hashes of the numbers 7 to 10, BLAKE2b of 8 bytes. */
#define HASHES 4
static void hex_of_number(uint64_t number, char hex[HASH_HEX_BYTES])
{
	uint8_t hash[HASH_BYTES];
	hash_of_number(number, hash);
	hash_hex(hash, hex);
}

/* A sweep of four points: one done, one failed, one done, one planned. */
static struct store *make_small(int64_t *id)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct made_record made;
	struct arena a;
	struct record failure;
	arena_init(&a);
	*id = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1, .first_run = 7});
	MUST_WORK(store_put(store, 3, make_record(&made, 2), false, ERR));
	MUST_WORK(store_put(store, 1, make_record(&made, 1), true, ERR));
	MUST_WORK(record_of_failure(&a, "policy 'x' gave up, \"early\"", &failure, ERR));
	failure.timing.worker = 3;
	MUST_WORK(store_put(store, 2, &failure, true, ERR));
	MUST_WORK(store_commit(store, ERR));
	arena_release(&a);
	return store;
}

static void test_points(void **state)
{
	int64_t id;
	struct store *store = make_small(&id);
	struct export_counts counts;
	char expected[8192], hex[HASHES][HASH_HEX_BYTES];
	(void)state;
	for (uint64_t i = 0; i < HASHES; i++)
		hex_of_number(7 + i, hex[i]);
	snprintf(expected, sizeof(expected),
		 "position,x,policy,state,message,hash,program,made_of,nr_cores,nr_threads,synthetic,"
		 "nominal_time," METRIC_NAMES "\n"
		 "0,0,sahm,done,,%s," PROGRAM ",\"1 baseline + 8 l2+branch 20,30 %%\",9,3,true,true,"
		 "1,1.125,1.25,1.375,1.5,,,,,,,,,,,,,,,,,,,,,,,,,\n"
		 "1,0,\"fair, as ever\",failed,\"policy 'x' gave up, \"\"early\"\"\",%s," PROGRAM
		 ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
		 "2,1,sahm,done,,%s," PROGRAM
		 ",1 baseline,1,3,true,false,2,2.125,2.25,2.375,2.5,,,,,,,,,,,,,,,,,,,,,,,,,\n"
		 "3,1,\"fair, as ever\",planned,,%s," PROGRAM ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n",
		 hex[0], hex[1], hex[2], hex[3]);
	expect_export(store, id, EXPORT_POINTS, EXPORT_CSV, expected);
	char *text = export_of(store, id, EXPORT_POINTS, EXPORT_JSONL, &counts);
	assert_int_equal(counts.points, 4);
	assert_int_equal(counts.planned, 1);
	assert_int_equal(counts.failed, 1);
	snprintf(expected, sizeof(expected),
		 "{\"position\": 0, \"x\": 0, \"policy\": \"sahm\", \"state\": \"done\", \"message\": null, \"hash\": "
		 "\"%s\", \"program\": \"" PROGRAM
		 "\", \"made_of\": \"1 baseline + 8 l2+branch 20,30 %%\", \"nr_cores\": 9, "
		 "\"nr_threads\": 3, \"synthetic\": true, \"nominal_time\": true, \"speedup_mean\": 1.0, "
		 "\"speedup_harmonic\": 1.125, ",
		 hex[0]);
	assert_memory_equal(text, expected, strlen(expected));
	assert_non_null(strstr(text, "\"state\": \"planned\", \"message\": null, "));
	free(text);
	MUST_WORK(store_close(store, ERR));
}

static void test_threads(void **state)
{
	int64_t id;
	struct store *store = make_small(&id);
	char expected[4096], hex[HASH_HEX_BYTES];
	(void)state;
	hex_of_number(7, hex);
	snprintf(
		expected, sizeof(expected),
		"position,x,policy,hash,synthetic,nominal_time,thread,name,speedup,served_share,matched_share,"
		"completed_ns,present_ns,migrations,energy_j,instruction_nj,power_w,edp,ed2p\n"
		"0,0,sahm,%s,true,true,0,gcc,,0.25,1,1000,2000,0,,,,,\n"
		"0,0,sahm,%s,true,true,1,\"a, \"\"quoted\"\" name\",0.5,0.25,1,1001,2000,1,0.5,0.125,250000,998002.9960049939,1994011.9800299576\n"
		"0,0,sahm,%s,true,true,2,lbm (synthetic),0.25,0.25,1,1002,2000,2,1,0.125,500000,1992023.9361596163,3976095.6809573174\n",
		hex, hex, hex);
	expect_export(store, id, EXPORT_THREADS, EXPORT_CSV, expected);
	MUST_WORK(store_close(store, ERR));
}

static void test_timings(void **state)
{
	int64_t id;
	struct store *store = make_small(&id);
	char expected[4096], hex[HASHES][HASH_HEX_BYTES];
	(void)state;
	for (uint64_t i = 0; i < HASHES; i++)
		hex_of_number(7 + i, hex[i]);
	snprintf(expected, sizeof(expected),
		 "{\"position\": 0, \"x\": 0, \"policy\": \"sahm\", \"hash\": \"%s\", \"started_unix_ms\": "
		 "1700000000000, \"wall_ns\": 12346, \"cpu_ns\": 12000, \"worker\": 1}\n"
		 "{\"position\": 1, \"x\": 0, \"policy\": \"fair, as ever\", \"hash\": \"%s\", \"started_unix_ms\": 0, "
		 "\"wall_ns\": 0, \"cpu_ns\": 0, \"worker\": 3}\n"
		 "{\"position\": 2, \"x\": 1, \"policy\": \"sahm\", \"hash\": \"%s\", \"started_unix_ms\": "
		 "1700000000000, \"wall_ns\": 12347, \"cpu_ns\": 12000, \"worker\": 1}\n",
		 hex[0], hex[1], hex[2]);
	expect_export(store, id, EXPORT_TIMINGS, EXPORT_JSONL, expected);
	MUST_WORK(store_close(store, ERR));
}

/* The order of insertion does not show, nor do other sweeps, nor when it was. */
static void test_order(void **state)
{
	struct made_sweep sweep = {.nr_x = 40, .step = 1};
	struct store *one = open_store(NULL, STORE_WRITE), *other = open_store(NULL, STORE_WRITE);
	struct made_record made;
	struct store_job jobs[80];
	struct export_counts counts;
	size_t nr;
	(void)state;
	int64_t id = plan_sweep(one, &sweep);
	assert_int_equal(do_jobs(one, id, 100, true), 80);
	plan_sweep(other, &(struct made_sweep){.nr_x = 7, .step = 1, .begin = 3});
	int64_t id_of_other = plan_sweep(other, &sweep);
	assert_int_not_equal(id, id_of_other);
	MUST_WORK(store_jobs(other, STORE_WHOLE(id_of_other), 0, jobs, 80, &nr, ERR));
	assert_int_equal(nr, 80);
	for (size_t i = 0; i < nr; i++) {
		struct store_job job = jobs[i * 37 % nr];
		struct record *r = (struct record *)make_record(&made, job.position);
		r->timing.wall_ns = i;
		MUST_WORK(store_put(other, job.run, r, true, ERR));
	}
	MUST_WORK(store_commit(other, ERR));
	for (int kind = EXPORT_POINTS; kind <= EXPORT_THREADS; kind++)
		for (int form = EXPORT_CSV; form <= EXPORT_JSONL; form++) {
			char *a = export_of(one, id, (enum export_kind)kind, (enum export_form)form, &counts);
			char *b =
				export_of(other, id_of_other, (enum export_kind)kind, (enum export_form)form, &counts);
			assert_string_equal(a, b);
			free(a);
			free(b);
		}
	MUST_WORK(store_close(one, ERR));
	MUST_WORK(store_close(other, ERR));
}

/* Bounds have columns where some run of the sweep has them. */
static void test_intervals(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct made_record made;
	struct export_counts counts;
	(void)state;
	int64_t other = plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1, .first_run = 50});
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
	struct record *r = (struct record *)make_record(&made, 4);
	r->has_intervals = true;
	for (int m = 0; m < NR_RUN_METRICS; m++)
		r->intervals[m] = (struct stats_interval){NAN, m - 0.5, m ? m + 0.5 : NAN};
	MUST_WORK(store_put(store, 4, r, false, ERR));
	MUST_WORK(store_commit(store, ERR));
	char *text = export_of(store, id, EXPORT_POINTS, EXPORT_CSV, &counts);
	assert_non_null(strstr(text, ",wait_p99_ns,speedup_mean_low,speedup_mean_high,speedup_harmonic_low,"));
	assert_non_null(strstr(text, ",-0.5,,0.5,1.5,1.5,2.5,"));
	free(text);
	text = export_of(store, other, EXPORT_POINTS, EXPORT_CSV, &counts);
	assert_null(strstr(text, "_low"));
	free(text);
	MUST_WORK(store_close(store, ERR));
}

/* Labels are numbers where they are; an axis is called otherwise where a column is called so. */
static void test_labels(void **state)
{
	static const char *const labels[] = {"5", "-5", "0.10", "1e3", "true", "07x", "1,2", "12345678901234567890"};
	struct store *store = open_store(NULL, STORE_WRITE);
	struct export_counts counts;
	uint8_t hash[HASH_BYTES] = {1};
	int64_t id;
	(void)state;
	MUST_WORK(store_plan_begin(store, &(struct store_sweep){"labels", "run", "", 8}, ERR));
	MUST_WORK(store_plan_axis(store, &(struct store_axis){"State", 8, 1, false}, ERR));
	for (size_t i = 0; i < 8; i++)
		MUST_WORK(store_plan_value(store, labels[i], "", ERR));
	MUST_WORK(store_plan_axis(store, &(struct store_axis){"it's \"quoted\"", 1, 8, false}, ERR));
	MUST_WORK(store_plan_value(store, "0", "", ERR));
	for (uint64_t p = 0; p < 8; p++)
		MUST_WORK(store_plan_point(store, p, hash, ERR));
	MUST_WORK(store_plan_end(store, hash, &id, ERR));
	char *text = export_of(store, id, EXPORT_POINTS, EXPORT_CSV, &counts);
	static const char *const starts[] = {"position,axis.State,\"it's \"\"quoted\"\"\",state,",
					     "0,5,0,planned,",
					     "1,-5,0,",
					     "2,0.1,0,",
					     "3,1000,0,",
					     "4,true,0,",
					     "5,07x,0,",
					     "6,\"1,2\",0,",
					     "7,12345678901234567000,0,"};
	const char *line = text;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		if (strncmp(line, starts[i], strlen(starts[i])) != 0 && i < 8)
			fail_msg("'%.40s' does not begin with '%s'", line, starts[i]);
		line = strchr(line, '\n') + 1;
	}
	free(text);
	MUST_WORK(store_close(store, ERR));
}

/* Names are what they are, even where they look like numbers. */
static void test_names(void **state)
{
	static const char *const names[] = {"007", "7", "1.0", "-0"};
	struct store *store = open_store(NULL, STORE_WRITE);
	struct export_counts counts;
	uint8_t hash[HASH_BYTES] = {1};
	int64_t id;
	(void)state;
	MUST_WORK(store_plan_begin(store, &(struct store_sweep){"names", "run", "", 4}, ERR));
	MUST_WORK(store_plan_axis(store, &(struct store_axis){"point", 4, 1, true}, ERR));
	for (size_t i = 0; i < 4; i++)
		MUST_WORK(store_plan_value(store, names[i], "", ERR));
	for (uint64_t p = 0; p < 4; p++)
		MUST_WORK(store_plan_point(store, p, hash, ERR));
	MUST_WORK(store_plan_end(store, hash, &id, ERR));
	char *csv = export_of(store, id, EXPORT_POINTS, EXPORT_CSV, &counts);
	char *json = export_of(store, id, EXPORT_POINTS, EXPORT_JSONL, &counts);
	for (size_t i = 0; i < 4; i++) {
		char line[32], member[32];
		snprintf(line, sizeof(line), "\n%zu,%s,planned,", i, names[i]);
		snprintf(member, sizeof(member), "\"point\": \"%s\",", names[i]);
		if (!strstr(csv, line) || !strstr(json, member))
			fail_msg("no %s in %s%s", names[i], csv, json);
	}
	free(csv);
	free(json);
	MUST_WORK(store_close(store, ERR));
}

/* A reader that takes no more is not written to for ever. */
static void test_full_stream(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct export_counts counts;
	char room[64];
	(void)state;
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 2000, .step = 1});
	FILE *out = fmemopen(room, sizeof(room), "w");
	setvbuf(out, NULL, _IONBF, 0);
	MUST_WORK(store_export(store, id, EXPORT_POINTS, EXPORT_CSV, out, &counts, ERR));
	assert_true(ferror(out));
	fclose(out);
	MUST_WORK(store_close(store, ERR));
}

TEST_FILE(test_store_export)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points), cmocka_unit_test(test_threads),	   cmocka_unit_test(test_timings),
		cmocka_unit_test(test_order),  cmocka_unit_test(test_intervals),   cmocka_unit_test(test_labels),
		cmocka_unit_test(test_names),  cmocka_unit_test(test_full_stream),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
