/* Submissions: noted once per part, committed, and gone when they have come to their end. */
#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "tests/unit/made_store.h"
#include "tests/unit/results/store/run_sql.h"

#define ID(digit) #digit "123456789abcdef0123456789abcdef"

static void note(struct store *store, const char *id, struct store_part part)
{
	struct store_submission s = {.part = part};
	snprintf(s.id, sizeof(s.id), "%s", id);
	MUST_WORK(store_note_submission(store, &s, ERR));
}

/* All of a store: "<first digit of the id> sweep index/nr threads;". */
static void expect_submissions(struct store *store, const char *expected)
{
	struct arena a;
	struct textbuf b;
	struct store_submission *all;
	size_t nr;
	arena_init(&a);
	textbuf_init(&b);
	MUST_WORK(store_submissions(store, &a, &all, &nr, ERR));
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(strlen(all[i].id), SUBMISSION_BYTES - 1);
		textbuf_printf(&b, "%c %lld %llu/%llu %d;", all[i].id[0], (long long)all[i].part.sweep,
			       (unsigned long long)all[i].part.index, (unsigned long long)all[i].part.nr,
			       all[i].part.threads);
	}
	assert_string_equal(b.text, expected);
	textbuf_release(&b);
	arena_release(&a);
}

static struct store *make_store(const char *path)
{
	struct store *store = open_store(path, STORE_WRITE);
	assert_int_equal(plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1}), 1);
	assert_int_equal(plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1}), 2);
	return store;
}

static void test_notes(void **state)
{
	struct made_folder f = make_folder();
	struct store *store = make_store(in_folder(&f, "s.db"));
	struct made_record made;
	(void)state;
	expect_submissions(store, "");
	note(store, ID(a), (struct store_part){2, 0, 1, false});
	note(store, ID(b), (struct store_part){1, 1, 2, false});
	note(store, ID(c), (struct store_part){1, 0, 2, false});
	note(store, ID(d), (struct store_part){1, 0, 1, true});
	note(store, ID(e), (struct store_part){1, INT64_MAX - 1, INT64_MAX, false});
	expect_submissions(store, "d 1 0/1 1;c 1 0/2 0;b 1 1/2 0;e 1 9223372036854775806/9223372036854775807 0;"
				  "a 2 0/1 0;");
	/* The same part, under another id; one that differs only in its threads is another one. */
	note(store, ID(f), (struct store_part){1, 1, 2, false});
	note(store, ID(0), (struct store_part){1, 1, 2, true});
	MUST_WORK(store_end_submission(store, ID(e), ERR));
	MUST_WORK(store_put(store, 1, make_record(&made, 0), true, ERR));
	/* They are committed. */
	MUST_WORK(store_end_submission(store, ID(d), ERR));
	MUST_WORK(store_put(store, 2, make_record(&made, 1), true, ERR));
	store_abandon(store);
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	expect_submissions(store, "c 1 0/2 0;f 1 1/2 0;0 1 1/2 1;a 2 0/1 0;");
	/* So is what was put before one came to its end. */
	expect_counts(store, 1, &(struct store_counts){4, 3, 1, 0, 0});
	MUST_WORK(store_close(store, ERR));
	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	/* One that is not there, or twice. */
	MUST_WORK(store_end_submission(store, ID(9), ERR));
	MUST_WORK(store_end_submission(store, ID(c), ERR));
	MUST_WORK(store_end_submission(store, ID(c), ERR));
	/* An id in another place leaves the former. */
	note(store, ID(a), (struct store_part){1, 0, 1, false});
	expect_submissions(store, "a 1 0/1 0;f 1 1/2 0;0 1 1/2 1;");
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

static void test_refused(void **state)
{
	static const char words[] = "results file 'temporary': a submission has no id or no part";
	static const struct {
		const char *name, *id;
		struct store_part part;
		const char *message;
	} rows[] = {
		{"no id", "", {1, 0, 1, false}, words},
		{"short id", "0123456789abcdef0123456789abcde", {1, 0, 1, false}, words},
		{"capitals", "0123456789ABCDEF0123456789abcdef", {1, 0, 1, false}, words},
		{"no hexadecimal", "0123456789abcdeg0123456789abcdef", {1, 0, 1, false}, words},
		{"no parts", ID(a), {1, 0, 0, false}, words},
		{"no such part", ID(a), {1, 2, 2, false}, words},
		{"too many parts", ID(a), {1, 0, (uint64_t)INT64_MAX + 1, false}, words},
		{"no such sweep", ID(a), {3, 0, 1, false}, "results file 'temporary' has no sweep 3"},
	};
	struct store *store = make_store(NULL);
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct store_submission s = {.part = rows[i].part};
		struct sahm_err err = {0};
		snprintf(s.id, sizeof(s.id), "%s", rows[i].id);
		enum sahm_status status = store_note_submission(store, &s, &err);
		if (status != SAHM_RANGE || strcmp(err.msg, rows[i].message) != 0)
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		expect_submissions(store, "");
	}
	/* An id without an end is none. */
	struct store_submission s = {.part = {1, 0, 1, false}};
	struct sahm_err err;
	memset(s.id, 'a', sizeof(s.id));
	expect_failure(store_note_submission(store, &s, &err), &err, SAHM_RANGE, words);
	MUST_WORK(store_close(store, ERR));
}

/* Rows from elsewhere. */
static void test_damaged(void **state)
{
	static const struct {
		const char *name, *sql;
	} rows[] = {
		{"short id", "UPDATE submission SET id = 'abc'"},
		{"id of bytes", "UPDATE submission SET id = CAST(id AS BLOB)"},
		{"id with a NUL", "UPDATE submission SET id = CAST(substr(CAST(id AS BLOB), 1, 31) || x'00' AS TEXT)"},
		{"long id", "UPDATE submission SET id = id || 'a'"},
		{"id for another server", "UPDATE submission SET id = replace(id, '9', '*')"},
		{"sweep that is not there", "UPDATE submission SET sweep = 9"},
		{"sweep in words", "UPDATE submission SET sweep = 'x'"},
		{"no parts", "UPDATE submission SET nr_shards = 0"},
		{"part beyond", "UPDATE submission SET shard = 2"},
		{"part below", "UPDATE submission SET shard = -1"},
		{"threads", "UPDATE submission SET threads = 2"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_folder f = make_folder();
		struct store *store = make_store(in_folder(&f, "s.db"));
		struct sahm_err err = {0};
		struct store_submission *all;
		struct arena a;
		size_t nr;
		char expected[256];
		arena_init(&a);
		note(store, ID(a), (struct store_part){1, 1, 2, false});
		MUST_WORK(store_close(store, ERR));
		run_sql(in_folder(&f, "s.db"), rows[i].sql);
		snprintf(expected, sizeof(expected), "results file '%s' is damaged: a submission is invalid",
			 in_folder(&f, "s.db"));
		store = open_store(in_folder(&f, "s.db"), STORE_READ);
		enum sahm_status status = store_submissions(store, &a, &all, &nr, &err);
		if (status != SAHM_FORMAT || strcmp(err.msg, expected) != 0)
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		store_abandon(store);
		arena_release(&a);
		remove_folder(&f);
	}
}

TEST_FILE(test_store_submission)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
