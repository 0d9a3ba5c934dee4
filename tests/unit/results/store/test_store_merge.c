/* Merging: all that is in any of the stores, once; and nothing of one that contradicts. */
#include <sqlite3.h>

#include "results/store/store_export.h"
#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "tests/unit/made_store.h"

static char *export_of(struct store *store, enum export_kind kind)
{
	char *text = NULL;
	size_t len;
	int64_t sweep;
	struct export_counts counts;
	FILE *out = open_memstream(&text, &len);
	assert_non_null(out);
	MUST_WORK(store_find_sweep(store, NULL, &sweep, ERR));
	MUST_WORK(store_export(store, sweep, kind, EXPORT_CSV, out, &counts, ERR));
	assert_int_equal(fclose(out), 0);
	return text;
}

static void expect_same(struct store *a, struct store *b, enum export_kind kind)
{
	char *of_a = export_of(a, kind), *of_b = export_of(b, kind);
	assert_string_equal(of_a, of_b);
	free(of_a);
	free(of_b);
}

/* A store with a part of a sweep, of which some runs are done. */
static void make_part(const char *path, const struct made_sweep *sweep, size_t nr_done)
{
	struct store *store = open_store(path, STORE_WRITE);
	do_jobs(store, plan_sweep(store, sweep), nr_done, true);
	MUST_WORK(store_close(store, ERR));
}

/* Shards in stores of their own become the sweep, in whatever order they are added, and twice, too. */
static void test_shards(void **state)
{
	struct made_folder f = make_folder();
	struct store *whole = open_store(NULL, STORE_WRITE);
	struct made_sweep sweep = {.nr_x = 9, .step = 1};
	(void)state;
	do_jobs(whole, plan_sweep(whole, &sweep), 100, true);
	sweep.step = 3;
	for (unsigned i = 0; i < 3; i++) {
		char name[8] = {(char)('a' + i), '.', 'd', 'b', '\0'};
		sweep.begin = i;
		make_part(in_folder(&f, name), &sweep, 100);
	}
	static const char *const orders[] = {"abc", "cab", "aabbcc"};
	for (size_t o = 0; o < 3; o++) {
		struct store *all = open_store(NULL, STORE_WRITE);
		for (const char *p = orders[o]; *p; p++)
			MUST_WORK(store_merge(all, in_folder(&f, (char[]){*p, '.', 'd', 'b', '\0'}), false, ERR));
		for (int kind = EXPORT_POINTS; kind <= EXPORT_TIMINGS; kind++)
			expect_same(whole, all, (enum export_kind)kind);
		expect_counts(all, 1, &(struct store_counts){18, 0, 18, 0, 0});
		/* It can be added to as if it had been planned here. */
		assert_int_equal(plan_sweep(all, &(struct made_sweep){.nr_x = 9, .step = 1}), 1);
		expect_counts(all, 1, &(struct store_counts){18, 0, 18, 0, 0});
		MUST_WORK(store_close(all, ERR));
	}
	MUST_WORK(store_close(whole, ERR));
	/* Those that were read are as they were: one file each. */
	assert_int_equal(access(in_folder(&f, "a.db-wal"), F_OK), -1);
	assert_int_equal(access(in_folder(&f, "a.db-shm"), F_OK), -1);
	remove_folder(&f);
}

/* Done runs replace others, on either side. */
static void test_completes(void **state)
{
	struct made_folder f = make_folder();
	struct made_sweep sweep = {.nr_x = 5, .step = 1};
	(void)state;
	make_part(in_folder(&f, "few.db"), &sweep, 3);
	make_part(in_folder(&f, "many.db"), &sweep, 8);
	for (int i = 0; i < 2; i++) {
		struct store *store = open_store(in_folder(&f, i ? "few.db" : "many.db"), STORE_WRITE);
		MUST_WORK(store_merge(store, in_folder(&f, i ? "many.db" : "few.db"), false, ERR));
		expect_counts(store, 1, &(struct store_counts){10, 2, 8, 0, 0});
		MUST_WORK(store_close(store, ERR));
	}
	remove_folder(&f);
}

/* Run 1 of the sweep, which is all that is done, put as `record`. */
static void make_single(const char *path, const struct record *record, bool keep_threads)
{
	struct store *store = open_store(path, STORE_WRITE);
	plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
	MUST_WORK(store_put(store, 1, record, keep_threads, ERR));
	MUST_WORK(store_close(store, ERR));
}

static void change_nothing(struct record *r)
{
	r->timing.wall_ns++;
	r->timing.worker++;
}
static void change_metric(struct record *r)
{
	r->metrics[2] += 1e-12;
}
static void change_to_nan(struct record *r)
{
	r->metrics[2] = NAN;
}
static void change_message(struct record *r)
{
	r->message = "a remark";
}
static void change_chip(struct record *r)
{
	r->chip[0].count++;
}
static void change_cores(struct record *r)
{
	r->nr_cores++;
}
static void change_synthetic(struct record *r)
{
	r->synthetic = false;
}
static void change_nominal(struct record *r)
{
	r->nominal = !r->nominal;
}
static void change_thread(struct record *r)
{
	r->threads[1].present_ns++;
}
static void change_name(struct record *r)
{
	r->threads[1].name = "another";
}
static void change_intervals(struct record *r)
{
	r->has_intervals = true;
}

static void test_contradictions(void **state)
{
	static const struct {
		const char *name;
		void (*change)(struct record *r);
		bool agrees;
	} rows[] = {
		{"timing", change_nothing, true},	{"metric", change_metric, false},
		{"nan", change_to_nan, false},		{"message", change_message, false},
		{"chip", change_chip, false},		{"cores", change_cores, false},
		{"synthetic", change_synthetic, false}, {"nominal time", change_nominal, false},
		{"thread", change_thread, false},	{"name", change_name, false},
		{"intervals", change_intervals, false},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_folder f = make_folder();
		struct made_record one, other;
		struct sahm_err err = {0};
		make_record(&one, 0);
		make_record(&other, 0);
		rows[i].change(&other.record);
		make_single(in_folder(&f, "one.db"), &one.record, true);
		make_single(in_folder(&f, "other.db"), &other.record, true);
		struct store *store = open_store(in_folder(&f, "one.db"), STORE_WRITE),
			     *before = open_store(NULL, STORE_WRITE);
		MUST_WORK(store_merge(before, in_folder(&f, "one.db"), false, ERR));
		enum sahm_status status = store_merge(store, in_folder(&f, "other.db"), false, &err);
		if (status != (rows[i].agrees ? SAHM_OK : SAHM_CHECKSUM))
			fail_msg("%s: status %d: %s", rows[i].name, status, err.msg);
		if (!rows[i].agrees)
			assert_non_null(strstr(err.msg, "differ in what they found for run "));
		for (int kind = EXPORT_POINTS; kind <= EXPORT_TIMINGS; kind++)
			expect_same(store, before, (enum export_kind)kind);
		MUST_WORK(store_close(store, ERR));
		MUST_WORK(store_close(before, ERR));
		remove_folder(&f);
	}
}

/* A store that kept no threads says nothing about them. */
static void test_threads_of_one(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct made_folder f = make_folder();
		struct made_record made;
		make_single(in_folder(&f, "with.db"), make_record(&made, 0), true);
		make_single(in_folder(&f, "without.db"), make_record(&made, 0), false);
		struct store *store = open_store(in_folder(&f, i ? "with.db" : "without.db"), STORE_WRITE);
		MUST_WORK(store_merge(store, in_folder(&f, i ? "without.db" : "with.db"), false, ERR));
		char *text = export_of(store, EXPORT_THREADS);
		assert_non_null(strstr(text, ",lbm (synthetic),"));
		free(text);
		MUST_WORK(store_close(store, ERR));
		remove_folder(&f);
	}
}

static void test_failures(void **state)
{
	struct made_folder f = make_folder();
	struct arena a;
	struct record early, late;
	(void)state;
	arena_init(&a);
	MUST_WORK(record_of_failure(&a, "a: it was killed", &early, ERR));
	MUST_WORK(record_of_failure(&a, "b: it took too long", &late, ERR));
	make_single(in_folder(&f, "early.db"), &early, true);
	make_single(in_folder(&f, "late.db"), &late, true);
	for (int i = 0; i < 2; i++) {
		struct store *store = open_store(NULL, STORE_WRITE);
		MUST_WORK(store_merge(store, in_folder(&f, i ? "late.db" : "early.db"), false, ERR));
		MUST_WORK(store_merge(store, in_folder(&f, i ? "early.db" : "late.db"), false, ERR));
		char *text = export_of(store, EXPORT_POINTS);
		assert_non_null(strstr(text, ",a: it was killed,"));
		free(text);
		expect_counts(store, 1, &(struct store_counts){2, 1, 0, 1, 0});
		MUST_WORK(store_close(store, ERR));
	}
	arena_release(&a);
	remove_folder(&f);
}

static void test_versions(void **state)
{
	struct made_folder f = make_folder();
	struct sahm_err err;
	char expected[512];
	(void)state;
	make_part(in_folder(&f, "one.db"), &(struct made_sweep){.nr_x = 2, .step = 1}, 4);
	struct store *store = open_store(in_folder(&f, "other.db"), STORE_WRITE);
	MUST_WORK(store_set_program(store, "0.2.0-other", false, ERR));
	plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1, .first_run = 77});
	snprintf(expected, sizeof(expected),
		 "results files '%s' and '%s' have runs of programs '0.1.0-feedbeef' and '0.2.0-other'",
		 in_folder(&f, "other.db"), in_folder(&f, "one.db"));
	expect_failure(store_merge(store, in_folder(&f, "one.db"), false, &err), &err, SAHM_CONFIG, expected);
	expect_counts(store, 1, &(struct store_counts){6, 6, 0, 0, 0});
	MUST_WORK(store_merge(store, in_folder(&f, "one.db"), true, ERR));
	expect_counts(store, 1, &(struct store_counts){6, 6, 0, 0, 0});
	expect_counts(store, 2, &(struct store_counts){4, 0, 4, 0, 0});
	snprintf(expected, sizeof(expected), "'%s' cannot be merged with itself", in_folder(&f, "other.db"));
	expect_failure(store_merge(store, in_folder(&f, "other.db"), true, &err), &err, SAHM_USAGE, expected);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* A store with `nr` sweeps of two runs: one is done, one has failed, and each has a second result. */
static void make_sweeps(const char *path, unsigned nr)
{
	struct store *store = open_store(path, STORE_WRITE);
	struct made_record made;
	struct arena a;
	struct record failure;
	bool is_new;
	arena_init(&a);
	for (unsigned i = 0; i < nr; i++) {
		int64_t run = 2 * (int64_t)i + 1;
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1, .first_run = 2 * i});
		MUST_WORK(store_put(store, run, make_record(&made, i), true, ERR));
		MUST_WORK(store_put_second(store, run, make_record(&made, i + 1), "a", &is_new, ERR));
		MUST_WORK(record_of_failure(&a, "killed", &failure, ERR));
		MUST_WORK(store_put(store, run + 1, &failure, true, ERR));
		MUST_WORK(record_of_failure(&a, "crashed", &failure, ERR));
		MUST_WORK(store_put_second(store, run + 1, &failure, "b", &is_new, ERR));
	}
	arena_release(&a);
	MUST_WORK(store_close(store, ERR));
}

static int count_step(void *nr)
{
	++*(uint64_t *)nr;
	return 0;
}

/* Instructions of SQLite's virtual machine that a merge takes. They include those that a statement runs inside itself,
 * such as reading sqlite_schema again. */
static uint64_t steps_of_merge(struct store *store, const char *from)
{
	uint64_t nr = 0;
	sqlite3_progress_handler(store_db(store), 1, count_step, &nr);
	MUST_WORK(store_merge(store, from, false, ERR));
	sqlite3_progress_handler(store_db(store), 0, NULL, NULL);
	return nr;
}

/* Pages that opening a store and finding its last sweep take. */
static uint64_t pages_of_opening(const char *path)
{
	struct store *store = open_store(path, STORE_READ);
	int hits = 0, misses = 0, unused;
	int64_t sweep;
	MUST_WORK(store_find_sweep(store, NULL, &sweep, ERR));
	sqlite3_db_status(store_db(store), SQLITE_DBSTATUS_CACHE_HIT, &hits, &unused, 0);
	sqlite3_db_status(store_db(store), SQLITE_DBSTATUS_CACHE_MISS, &misses, &unused, 0);
	MUST_WORK(store_close(store, ERR));
	return (uint64_t)hits + (uint64_t)misses;
}

static void expect_twice(const char *what, uint64_t one, uint64_t two)
{
	if (one == 0 || two > one * 2 + one / 10)
		fail_msg("%s: %llu, and %llu for twice as many sweeps", what, (unsigned long long)one,
			 (unsigned long long)two);
}

static void test_many_sweeps(void **state)
{
	enum { NR = 60 };
	struct made_folder f = make_folder();
	uint64_t new[2], again[2], opening[2];
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		unsigned nr = NR << i;
		make_sweeps(in_folder(&f, "from.db"), nr);
		struct store *store = open_store(in_folder(&f, "to.db"), STORE_WRITE);
		new[i] = steps_of_merge(store, in_folder(&f, "from.db"));
		again[i] = steps_of_merge(store, in_folder(&f, "from.db"));
		MUST_WORK(store_close(store, ERR));
		opening[i] = pages_of_opening(in_folder(&f, "to.db"));
		unlink(in_folder(&f, "from.db"));
		unlink(in_folder(&f, "to.db"));
	}
	expect_twice("steps of a merge", new[0], new[1]);
	expect_twice("steps of a merge without anything new", again[0], again[1]);
	expect_twice("pages of opening", opening[0], opening[1]);
	remove_folder(&f);
}

/* All views of a store, which is sound. */
static char *views_of(const char *path)
{
	sqlite3_stmt *s;
	struct store *store = open_store(path, STORE_READ);
	assert_int_equal(sqlite3_prepare_v2(store_db(store),
					    "SELECT group_concat(type || name || tbl_name || rootpage || sql) FROM "
					    "(SELECT * FROM sqlite_schema WHERE type = 'view' ORDER BY name)",
					    -1, &s, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	char *text = strdup((const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	assert_int_equal(sqlite3_prepare_v2(store_db(store), "PRAGMA integrity_check", -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_string_equal(sqlite3_column_text(s, 0), "ok");
	sqlite3_finalize(s);
	MUST_WORK(store_close(store, ERR));
	return text;
}

/* The views of merged sweeps are those that planning makes, and the schema is guarded again. */
static void test_views(void **state)
{
	struct made_folder f = make_folder();
	int defensive, writable;
	(void)state;
	make_sweeps(in_folder(&f, "few.db"), 2);
	make_sweeps(in_folder(&f, "many.db"), 5);
	struct store *store = open_store(in_folder(&f, "merged.db"), STORE_WRITE);
	MUST_WORK(store_merge(store, in_folder(&f, "few.db"), false, ERR));
	MUST_WORK(store_merge(store, in_folder(&f, "many.db"), false, ERR));
	sqlite3_db_config(store_db(store), SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
	sqlite3_db_config(store_db(store), SQLITE_DBCONFIG_WRITABLE_SCHEMA, -1, &writable);
	assert_true(defensive);
	assert_false(writable);
	/* It can be planned in at once. */
	assert_int_equal(plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1, .first_run = 90}), 6);
	MUST_WORK(store_close(store, ERR));
	store = open_store(in_folder(&f, "many.db"), STORE_WRITE);
	plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1, .first_run = 90});
	MUST_WORK(store_close(store, ERR));
	char *planned = views_of(in_folder(&f, "many.db")), *merged = views_of(in_folder(&f, "merged.db"));
	assert_string_equal(merged, planned);
	free(planned);
	free(merged);
	remove_folder(&f);
}

/* A view that SQLite refuses must not reach the schema, which it would make unreadable: the merge fails as a whole.
 * Here a text is as long as a statement may be, until the sweep gets an id of two digits. */
static void test_refused_view(void **state)
{
	struct made_folder f = make_folder();
	char name[20000] = "";
	struct sahm_err err = {0};
	sqlite3_stmt *s;
	int64_t sweep;
	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	struct store *from = open_store(in_folder(&f, "from.db"), STORE_WRITE);
	for (uint64_t i = 1; i <= 3; i++) {
		uint8_t hash[HASH_BYTES];
		hash_of_number(i, hash);
		MUST_WORK(store_plan_begin(from, &(struct store_sweep){"made", "run", "", 1}, ERR));
		MUST_WORK(store_plan_axis(from, &(struct store_axis){i == 2 ? name : "x", 1, 1, false}, ERR));
		MUST_WORK(store_plan_value(from, "1", "x=1", ERR));
		MUST_WORK(store_plan_point(from, 0, hash, ERR));
		MUST_WORK(store_plan_end(from, hash, &sweep, ERR));
	}
	assert_int_equal(sqlite3_prepare_v2(store_db(from), "SELECT max(length(sql)) FROM sqlite_schema", -1, &s, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	int longest = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	MUST_WORK(store_close(from, ERR));
	struct store *store = open_store(in_folder(&f, "to.db"), STORE_WRITE);
	for (uint64_t i = 1; i <= 9; i++)
		plan_sweep(store, &(struct made_sweep){.nr_x = i, .step = 1, .first_run = 50});
	sqlite3_limit(store_db(store), SQLITE_LIMIT_SQL_LENGTH, longest);
	assert_int_equal(store_merge(store, in_folder(&f, "from.db"), false, &err), SAHM_FORMAT);
	MUST_WORK(store_close(store, ERR));
	free(views_of(in_folder(&f, "to.db")));
	store = open_store(in_folder(&f, "to.db"), STORE_WRITE);
	MUST_WORK(store_find_sweep(store, NULL, &sweep, ERR));
	assert_int_equal(sweep, 9);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

TEST_FILE(test_store_merge)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shards),	       cmocka_unit_test(test_completes),
		cmocka_unit_test(test_contradictions), cmocka_unit_test(test_threads_of_one),
		cmocka_unit_test(test_failures),       cmocka_unit_test(test_versions),
		cmocka_unit_test(test_many_sweeps),    cmocka_unit_test(test_views),
		cmocka_unit_test(test_refused_view),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
