/* Second results: kept once beside the first, through merges, and gone with the failure that they belong to. */
#include <signal.h>
#include <sys/resource.h>

#include "results/store/query.h"
#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "tests/unit/results/store/made_child.h"
#include "tests/unit/results/store/run_sql.h"

static const struct record failure = {.failed = true, .message = "it was killed"},
			   other_failure = {.failed = true, .message = "it took too long"};

static int64_t ask(struct store *store, const char *sql)
{
	int64_t value = -1;
	MUST_WORK(store_ask(store, sql, &value, ERR));
	return value;
}

static bool put_second(struct store *store, int64_t run, const struct record *r, const char *from)
{
	bool is_new = false;
	MUST_WORK(store_put_second(store, run, r, from, &is_new, ERR));
	return is_new;
}

static uint64_t seconds(struct store *store, int64_t sweep)
{
	uint64_t nr = 99;
	MUST_WORK(store_count_seconds(store, sweep, &nr, ERR));
	return nr;
}

/* All second results of a store: "<run> <number> <state> <message> <made by>;". */
static void expect_seconds_of(struct store *store, const char *name, const char *expected)
{
	struct textbuf b;
	textbuf_init(&b);
	sqlite3_stmt *s = store_prepare(store, "SELECT run, number, state, coalesce(message, '-'), made_by, "
					       "length(record) > 0 FROM second_result ORDER BY run, number");
	assert_non_null(s);
	while (sqlite3_step(s) == SQLITE_ROW)
		textbuf_printf(&b, "%d %d %d %s %s;", sqlite3_column_int(s, 0), sqlite3_column_int(s, 1),
			       sqlite3_column_int(s, 2), (const char *)sqlite3_column_text(s, 3),
			       (const char *)sqlite3_column_text(s, 4));
	sqlite3_finalize(s);
	if (strcmp(b.text, expected) != 0)
		fail_msg("%s: '%s', not '%s'", name, b.text, expected);
	textbuf_release(&b);
}

static void expect_seconds(struct store *store, const char *expected)
{
	expect_seconds_of(store, "second results", expected);
}

/* A store with a sweep of four points, of which run 1 is done, and run 2 has failed. */
static struct store *make_store(const char *path)
{
	struct made_record made;
	struct store *store = open_store(path, STORE_WRITE);
	plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1});
	MUST_WORK(store_put(store, 1, make_record(&made, 0), true, ERR));
	MUST_WORK(store_put(store, 2, &failure, true, ERR));
	MUST_WORK(store_commit(store, ERR));
	return store;
}

static void test_kept_once(void **state)
{
	struct made_folder f = make_folder();
	struct made_record made;
	struct store *store = make_store(in_folder(&f, "s.db"));
	(void)state;
	make_record(&made, 7);
	assert_true(put_second(store, 1, &made.record, "worker 1"));
	assert_false(put_second(store, 1, &made.record, "worker 1"));
	assert_false(put_second(store, 1, &made.record, "worker 2"));
	made.record.timing.wall_ns++;
	assert_false(put_second(store, 1, &made.record, "worker 2"));
	made.threads[2].migrations++;
	made.record.message = "a remark";
	assert_true(put_second(store, 1, &made.record, "worker 2"));
	assert_true(put_second(store, 1, &other_failure, "worker 3"));
	/* Of another run it is another one. */
	assert_true(put_second(store, 2, &other_failure, "worker 3"));
	MUST_WORK(store_close(store, ERR));

	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	assert_false(put_second(store, 1, &made.record, "worker 4"));
	expect_seconds(store, "1 1 1 - worker 1;1 2 1 a remark worker 2;1 3 2 it took too long worker 3;"
			      "2 1 2 it took too long worker 3;");
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* The record is kept, all of it except its timing. */
static void test_bytes(void **state)
{
	struct store *store = make_store(NULL);
	struct made_record made;
	struct textbuf expected;
	struct record read;
	struct arena a;
	char bytes[4096];
	(void)state;
	arena_init(&a);
	textbuf_init(&expected);
	make_record(&made, 7);
	made.record.metrics[0] = -0.0;
	made.threads[0].present_ns = UINT64_MAX;
	assert_true(put_second(store, 1, &made.record, "w"));
	made.record.timing = (struct record_timing){0};
	record_encode(&made.record, &expected);
	assert_true(expected.len < sizeof(bytes));
	sqlite3_stmt *s = store_prepare(store, "SELECT record FROM second_result");
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	size_t len = (size_t)sqlite3_column_bytes(s, 0);
	assert_int_equal(len, expected.len - RECORD_TIMING_BYTES);
	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, sqlite3_column_blob(s, 0), len);
	sqlite3_finalize(s);
	assert_memory_equal(bytes, expected.text, expected.len);
	MUST_WORK(record_decode(&a, bytes, expected.len, &read, ERR));
	assert_string_equal(read.threads[1].name, "a, \"quoted\" name");
	textbuf_release(&expected);
	arena_release(&a);
	MUST_WORK(store_close(store, ERR));
}

static void test_counts(void **state)
{
	struct made_folder f = make_folder();
	struct store *store = make_store(in_folder(&f, "s.db"));
	(void)state;
	/* Its points lead to separate runs, and one, to run 1. */
	int64_t other = plan_sweep(store, &(struct made_sweep){.nr_x = 4, .begin = 0, .step = 7, .nr_shared = 1});
	expect_counts(store, other, &(struct store_counts){2, 0, 1, 0, 0});
	assert_true(seconds(store, 0) == 0 && seconds(store, 1) == 0 && seconds(store, other) == 0);
	assert_true(put_second(store, 2, &other_failure, "w"));
	assert_true(seconds(store, 0) == 1 && seconds(store, 1) == 1 && seconds(store, other) == 0);
	assert_true(put_second(store, 1, &other_failure, "w"));
	assert_true(put_second(store, 1, &failure, "w"));
	assert_true(seconds(store, 0) == 2 && seconds(store, 1) == 2 && seconds(store, other) == 1);
	assert_true(seconds(store, 77) == 0);
	MUST_WORK(store_close(store, ERR));
	run_sql(in_folder(&f, "s.db"), "UPDATE second_result SET run = 55 WHERE run = 2");
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	assert_true(seconds(store, 0) == 1 && seconds(store, 1) == 1);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* Runs without a result have no second one; and what was not committed is given up, as by all that writes. */
static void test_out_of_range(void **state)
{
	static const struct {
		const char *name;
		int64_t run;
	} rows[] = {{"planned", 3}, {"none", 5}, {"below", -1}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct store *store = make_store(NULL);
		struct made_record made;
		struct sahm_err err = {0};
		bool is_new;
		char expected[128];
		MUST_WORK(store_put(store, 4, make_record(&made, 1), true, ERR));
		snprintf(expected, sizeof(expected), "results file 'temporary' has no run %lld that is done or failed",
			 (long long)rows[i].run);
		enum sahm_status status = store_put_second(store, rows[i].run, &failure, "w", &is_new, &err);
		if (status != SAHM_RANGE || strcmp(err.msg, expected) != 0)
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		expect_counts(store, 1, &(struct store_counts){4, 2, 1, 1, 0});
		assert_int_equal(ask(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'second_result'"), 0);
		MUST_WORK(store_close(store, ERR));
	}
}

static char *bytes_of(const char *path, size_t *len)
{
	char *bytes = malloc(1 << 20);
	FILE *in = fopen(path, "rb");
	assert_true(bytes && in);
	*len = fread(bytes, 1, 1 << 20, in);
	fclose(in);
	return bytes;
}

/* A store that nobody has put any into has no such tables, and its bytes stay what they are whatever is asked. */
static void test_without_tables(void **state)
{
	struct made_folder f = make_folder();
	struct made_record made;
	struct arena a;
	struct store_submission *submissions;
	size_t nr = 9, len, len_after;
	bool same = false;
	(void)state;
	arena_init(&a);
	MUST_WORK(store_close(make_store(in_folder(&f, "s.db")), ERR));
	char *before = bytes_of(in_folder(&f, "s.db"), &len);
	for (int access = STORE_READ; access <= STORE_WRITE; access++) {
		struct store *store = open_store(in_folder(&f, "s.db"), (enum store_access)access);
		assert_int_equal(seconds(store, 0), 0);
		assert_int_equal(seconds(store, 1), 0);
		MUST_WORK(store_submissions(store, &a, &submissions, &nr, ERR));
		assert_int_equal(nr, 0);
		MUST_WORK(store_is_same(store, 1, make_record(&made, 0), &same, ERR));
		assert_true(same);
		if (access == STORE_WRITE)
			MUST_WORK(store_end_submission(store, "00000000000000000000000000000000", ERR));
		MUST_WORK(store_close(store, ERR));
		char *after = bytes_of(in_folder(&f, "s.db"), &len_after);
		assert_int_equal(len, len_after);
		assert_memory_equal(before, after, len);
		free(after);
	}
	free(before);
	arena_release(&a);
	remove_folder(&f);
}

static void digest_store(struct store *store, uint8_t hash[HASH_BYTES])
{
	MUST_WORK(store_digest(store, 1, 0, 3, true, hash, ERR));
}

/* A result takes the place of a failure as if that had never been. */
static void test_put_over(void **state)
{
	struct store *store = make_store(NULL), *well = open_store(NULL, STORE_WRITE);
	struct made_record made, second;
	uint8_t of_store[HASH_BYTES], of_well[HASH_BYTES], before[HASH_BYTES];
	bool same = false;
	(void)state;
	plan_sweep(well, &(struct made_sweep){.nr_x = 2, .step = 1});
	MUST_WORK(store_put(well, 1, make_record(&made, 0), true, ERR));
	make_record(&made, 1);
	made.record.has_intervals = true;
	MUST_WORK(store_put(well, 2, &made.record, true, ERR));
	digest_store(well, of_well);
	digest_store(store, before);
	make_record(&second, 5);
	assert_true(put_second(store, 1, &other_failure, "of another run"));
	assert_true(put_second(store, 2, &other_failure, "w"));
	assert_true(put_second(store, 2, &second.record, "differs"));
	assert_true(put_second(store, 2, &made.record, "same"));
	/* Of second results a digest says nothing. */
	digest_store(store, of_store);
	assert_memory_equal(of_store, before, HASH_BYTES);
	MUST_WORK(store_put_over(store, 2, &made.record, true, ERR));
	MUST_WORK(store_is_same(store, 2, &made.record, &same, ERR));
	assert_true(same);
	digest_store(store, of_store);
	assert_memory_equal(of_store, of_well, HASH_BYTES);
	expect_counts(store, 1, &(struct store_counts){4, 2, 2, 0, 0});
	assert_int_equal(ask(store, "SELECT wall_ns FROM timing WHERE run = 2"), 12346);
	assert_int_equal(ask(store, "SELECT message IS NULL FROM run WHERE id = 2"), 1);
	expect_seconds(store, "1 1 2 it took too long of another run;2 2 1 - differs;");
	MUST_WORK(store_close(store, ERR));
	MUST_WORK(store_close(well, ERR));
}

/* Without their rows threads are those of a run whose sweep kept none; a failure can take the place of another one. */
static void test_put_over_kinds(void **state)
{
	struct store *store = make_store(NULL);
	struct made_record made;
	bool same = false;
	(void)state;
	assert_true(put_second(store, 2, &other_failure, "w"));
	MUST_WORK(store_put_over(store, 2, &other_failure, true, ERR));
	MUST_WORK(store_is_same(store, 2, &other_failure, &same, ERR));
	assert_true(same);
	assert_int_equal(seconds(store, 0), 0);
	MUST_WORK(store_put_over(store, 2, make_record(&made, 1), false, ERR));
	assert_int_equal(ask(store, "SELECT count(*) FROM thread WHERE run = 2"), 0);
	expect_counts(store, 1, &(struct store_counts){4, 2, 2, 0, 0});
	MUST_WORK(store_close(store, ERR));
}

static void test_put_over_nothing(void **state)
{
	static const struct {
		const char *name;
		int64_t run;
	} rows[] = {{"done", 1}, {"planned", 3}, {"none", 5}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct store *store = make_store(NULL);
		struct made_record made;
		struct sahm_err err = {0};
		uint8_t before[HASH_BYTES], after[HASH_BYTES];
		char expected[128];
		digest_store(store, before);
		MUST_WORK(store_put(store, 4, make_record(&made, 3), true, ERR));
		snprintf(expected, sizeof(expected), "results file 'temporary' has no run %lld that failed",
			 (long long)rows[i].run);
		enum sahm_status status = store_put_over(store, rows[i].run, make_record(&made, 1), true, &err);
		if (status != SAHM_RANGE || strcmp(err.msg, expected) != 0)
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		digest_store(store, after);
		assert_memory_equal(before, after, HASH_BYTES);
		MUST_WORK(store_close(store, ERR));
	}
}

/* Before it is committed the failure is there, with all that belongs to it. */
static void test_put_over_abandoned(void **state)
{
	struct made_folder f = make_folder();
	struct made_record made;
	uint8_t before[HASH_BYTES], after[HASH_BYTES];
	struct store *store = make_store(in_folder(&f, "s.db"));
	(void)state;
	assert_true(put_second(store, 2, &other_failure, "w"));
	MUST_WORK(store_commit(store, ERR));
	digest_store(store, before);
	MUST_WORK(store_put_over(store, 2, make_record(&made, 1), true, ERR));
	digest_store(store, after);
	assert_memory_not_equal(before, after, HASH_BYTES);
	store_abandon(store);
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	digest_store(store, after);
	assert_memory_equal(before, after, HASH_BYTES);
	assert_int_equal(ask(store, "SELECT count(*) FROM timing WHERE run = 2"), 1);
	expect_seconds(store, "2 1 2 it took too long w;");
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* Failures beside one that is tried again go; those beside a result, and of runs that are not meant, stay. */
static void test_retry(void **state)
{
	struct store *store = make_store(NULL);
	uint64_t nr = 0;
	(void)state;
	MUST_WORK(store_put(store, 3, &failure, true, ERR));
	for (int64_t run = 1; run <= 3; run++)
		assert_true(put_second(store, run, &other_failure, "w"));
	/* Position 1 is that of run 2. */
	MUST_WORK(store_retry(store, &(struct store_part){.sweep = 1, .index = 1, .nr = 2}, &nr, ERR));
	assert_int_equal(nr, 1);
	expect_seconds(store, "1 1 2 it took too long w;3 1 2 it took too long w;");
	expect_counts(store, 1, &(struct store_counts){4, 2, 1, 1, 0});
	MUST_WORK(store_close(store, ERR));
}

/* Theirs are added to ours, of the runs that they are of, each once. */
static void test_merge(void **state)
{
	struct made_folder f = make_folder();
	struct made_record made;
	(void)state;
	for (int both = 0; both < 2; both++) {
		struct store *theirs = make_store(in_folder(&f, "theirs.db"));
		make_record(&made, 7);
		assert_true(put_second(theirs, 1, &made.record, "their a"));
		made.record.message = "b";
		assert_true(put_second(theirs, 1, &made.record, "their b"));
		MUST_WORK(store_note_submission(
			theirs, &(struct store_submission){"0123456789abcdef0123456789abcdef", {1, 0, 1, false}}, ERR));
		MUST_WORK(store_close(theirs, ERR));
		/* Here their runs have other numbers. */
		struct store *ours = open_store(in_folder(&f, "ours.db"), STORE_WRITE);
		plan_sweep(ours, &(struct made_sweep){.nr_x = 3, .step = 1, .first_run = 50});
		plan_sweep(ours, &(struct made_sweep){.nr_x = 2, .step = 1});
		MUST_WORK(store_put(ours, 7, make_record(&made, 0), true, ERR));
		if (both) {
			make_record(&made, 7);
			made.record.message = "b";
			assert_true(put_second(ours, 7, &made.record, "our b"));
			made.record.message = "c";
			assert_true(put_second(ours, 7, &made.record, "our c"));
		}
		for (int again = 0; again < 2; again++) {
			MUST_WORK(store_merge(ours, in_folder(&f, "theirs.db"), false, ERR));
			expect_seconds(ours, both ? "7 1 1 b our b;7 2 1 c our c;7 3 1 - their a;"
						  : "7 1 1 - their a;7 2 1 b their b;");
		}
		assert_true(seconds(ours, 0) == 1 && seconds(ours, 1) == 0 && seconds(ours, 2) == 1);
		assert_int_equal(ask(ours, "SELECT count(*) FROM sqlite_schema WHERE name = 'submission'"), 0);
		/* Into one that is empty, and has no such table. */
		struct store *all = open_store(NULL, STORE_WRITE);
		MUST_WORK(store_close(ours, ERR));
		MUST_WORK(store_merge(all, in_folder(&f, "ours.db"), false, ERR));
		assert_int_equal(ask(all, "SELECT count(*) FROM second_result"), both ? 3 : 2);
		MUST_WORK(store_close(all, ERR));
		assert_int_equal(unlink(in_folder(&f, "ours.db")), 0);
		assert_int_equal(unlink(in_folder(&f, "theirs.db")), 0);
	}
	remove_folder(&f);
}

/* Stores without second results make none, and no table for them. */
static void test_merge_without(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	MUST_WORK(store_close(make_store(in_folder(&f, "none.db")), ERR));
	struct store *store = make_store(in_folder(&f, "gone.db"));
	assert_true(put_second(store, 1, &failure, "w"));
	MUST_WORK(store_close(store, ERR));
	run_sql(in_folder(&f, "gone.db"), "DELETE FROM second_result");
	store = open_store(NULL, STORE_WRITE);
	MUST_WORK(store_merge(store, in_folder(&f, "none.db"), false, ERR));
	MUST_WORK(store_merge(store, in_folder(&f, "gone.db"), false, ERR));
	assert_int_equal(ask(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'second_result'"), 0);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* Failures beside a failure belong to it: they go where a result comes in its place, and stay where it stays. */
static void test_merge_of_failures(void **state)
{
	static const struct record a_failure = {.failed = true, .message = "a"},
				   b_failure = {.failed = true, .message = "b"},
				   c_failure = {.failed = true, .message = "c"};
	struct made_folder f = make_folder();
	struct made_record made;
	(void)state;
	/* Run 1 in three stores: it failed as "b", and once as "c"; it failed as "a", and once as "b"; it is done, and
	 * failed once as "c". */
	static const struct {
		const char *name;
		const struct record *first, *second;
	} stores[] = {
		{"b.db", &b_failure, &c_failure}, {"a.db", &a_failure, &b_failure}, {"done.db", NULL, &c_failure}};
	for (size_t i = 0; i < 3; i++) {
		struct store *store = open_store(in_folder(&f, stores[i].name), STORE_WRITE);
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		const struct record *first = stores[i].first ? stores[i].first : make_record(&made, 0);
		MUST_WORK(store_put(store, 1, first, true, ERR));
		assert_true(put_second(store, 1, stores[i].second, stores[i].name));
		MUST_WORK(store_close(store, ERR));
	}
	static const struct {
		const char *order, *expected;
	} rows[] = {
		{"ba", "1 1 2 c b.db;1 2 2 b a.db;"}, {"ab", "1 1 2 b a.db;1 2 2 c b.db;"}, {"bd", "1 1 2 c done.db;"},
		{"db", "1 1 2 c done.db;"},	      {"abd", "1 1 2 c done.db;"},	    {"dab", "1 1 2 c done.db;"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct store *store = open_store(NULL, STORE_WRITE);
		for (const char *p = rows[i].order; *p; p++)
			MUST_WORK(store_merge(store,
					      in_folder(&f, *p == 'a'	? "a.db"
							    : *p == 'b' ? "b.db"
									: "done.db"),
					      false, ERR));
		expect_seconds_of(store, rows[i].order, rows[i].expected);
		MUST_WORK(store_close(store, ERR));
	}
	/* "a" beside "b" is the first result where both were merged, and no second one. */
	struct store *store = open_store(in_folder(&f, "b.db"), STORE_WRITE);
	assert_true(put_second(store, 1, &a_failure, "w"));
	MUST_WORK(store_merge(store, in_folder(&f, "a.db"), false, ERR));
	expect_seconds(store, "1 1 2 c b.db;1 3 2 b a.db;");
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* A disk that is full while second results are put: those that were committed are there. */
static int fill_up(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	struct made_record made;
	char expected[256];
	bool is_new;
	enum sahm_status status = SAHM_OK;
	signal(SIGXFSZ, SIG_IGN);
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_WRITE, &err) == SAHM_OK);
	CHILD_MUST(setrlimit(RLIMIT_FSIZE, &(struct rlimit){400000, 400000}) == 0);
	for (uint64_t i = 0; status == SAHM_OK; i++) {
		CHILD_MUST(i < 10000);
		status = store_put_second(store, 1, make_record(&made, 1000 + i), "w", &is_new, &err);
		if (status == SAHM_OK && i % 16 == 15)
			status = store_commit(store, &err);
	}
	snprintf(expected, sizeof(expected), "cannot write results file '%s': database or disk is full",
		 in_folder(f, "s.db"));
	CHILD_MUST(status == SAHM_IO && strcmp(err.msg, expected) == 0);
	store_abandon(store);
	return 0;
}

static void test_full_disk(void **state)
{
	struct made_folder f = make_folder();
	struct made_record made;
	(void)state;
	MUST_WORK(store_close(make_store(in_folder(&f, "s.db")), ERR));
	assert_int_equal(in_child(fill_up, &f), 0);
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	int64_t nr = ask(store, "SELECT count(*) FROM second_result");
	assert_true(nr >= 16 && nr % 16 == 0);
	assert_false(put_second(store, 1, make_record(&made, 1000 + (uint64_t)nr - 1), "w"));
	assert_true(put_second(store, 1, make_record(&made, 1000 + (uint64_t)nr), "w"));
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* The overview mentions them, where there are any. */
static void test_overview(void **state)
{
	static const char *const expected[] = {
		NULL, "1 run has given different results at different times: table second_result\n",
		"2 runs have given different results at different times: table second_result\n"};
	struct store *store = make_store(NULL);
	(void)state;
	for (int64_t nr = 0; nr <= 2; nr++) {
		struct query q;
		struct query_answer a;
		struct textbuf text, json;
		char fact[64];
		textbuf_init(&text);
		textbuf_init(&json);
		query_answer_init(&a);
		if (nr > 0)
			assert_true(put_second(store, nr, &other_failure, "w"));
		MUST_WORK(query_begin(&q, store, "s.db", NULL, ERR));
		MUST_WORK(query_overview(&q, &a, ERR));
		assert_true(query_answer_text(&a, false, &text) && query_answer_json(&a, &json));
		snprintf(fact, sizeof(fact), "\"runs_with_second_results\": %d", (int)nr);
		if (nr == 0 && (strstr(text.text, "different results") || strstr(json.text, "second_results")))
			fail_msg("none, but: %s", text.text);
		if (nr > 0 && (!strstr(text.text, expected[nr]) || !strstr(json.text, fact)))
			fail_msg("no '%s' in %s%s", expected[nr], text.text, json.text);
		query_answer_release(&a);
		query_release(&q);
		textbuf_release(&text);
		textbuf_release(&json);
	}
	MUST_WORK(store_close(store, ERR));
}

TEST_FILE(test_store_second)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept_once),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_out_of_range),
		cmocka_unit_test(test_without_tables),
		cmocka_unit_test(test_put_over),
		cmocka_unit_test(test_put_over_kinds),
		cmocka_unit_test(test_put_over_nothing),
		cmocka_unit_test(test_put_over_abandoned),
		cmocka_unit_test(test_retry),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_merge_without),
		cmocka_unit_test(test_merge_of_failures),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_overview),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
