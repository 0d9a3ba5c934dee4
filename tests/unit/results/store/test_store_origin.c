/* Origins of counters: kept per sweep, joined by planning again and by merges, and part of what a store is about. */
#include "results/store/query.h"
#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "tests/unit/made_store.h"
#include "tests/unit/results/store/run_sql.h"

#define ASSUMED(counter) ((struct counter_origins){.of[ORIGIN_ASSUMED] = 1u << (counter)})
#define MODELLED(counter) ((struct counter_origins){.of[ORIGIN_MODELLED] = 1u << (counter)})

/* A results file with a sweep of this number of points, a number that also names it, and no or one fact about it. */
static void make_store(const char *path, unsigned nr_x, struct counter_origins origins)
{
	struct store *store = open_store(path, STORE_WRITE);
	MUST_WORK(store_add_origins(store, plan_sweep(store, &(struct made_sweep){.nr_x = nr_x, .step = 1}), origins,
				    ERR));
	MUST_WORK(store_close(store, ERR));
}

/* Asks what the store is about: its text has `words`, its JSON `members`; NULL: neither says a word. */
static void expect_origins(struct store *store, const char *sweep, const char *words, const char *members)
{
	struct query q;
	struct query_answer a;
	struct textbuf text, json;
	textbuf_init(&text);
	textbuf_init(&json);
	query_answer_init(&a);
	MUST_WORK(query_begin(&q, store, "s.db", sweep, ERR));
	MUST_WORK(query_overview(&q, &a, ERR));
	assert_true(query_answer_text(&a, false, &text) && query_answer_json(&a, &json));
	if (words ? !strstr(text.text, words) || !strstr(json.text, members)
		  : strstr(text.text, "measured") || strstr(json.text, "_counters"))
		fail_msg("not '%s' in %s%s", words ? words : "nothing", text.text, json.text);
	query_answer_release(&a);
	query_release(&q);
	textbuf_release(&text);
	textbuf_release(&json);
}

static void test_joined(void **state)
{
	struct made_folder f = make_folder();
	int64_t has;
	(void)state;
	make_store(in_folder(&f, "none.db"), 2, (struct counter_origins){0});
	make_store(in_folder(&f, "one.db"), 2, ASSUMED(COUNTER_L2_MISSES));
	/* The same sweep again, of traces that were imported in another way. */
	make_store(in_folder(&f, "one.db"), 2, ASSUMED(COUNTER_L1I_MISSES));
	make_store(in_folder(&f, "two.db"), 2, MODELLED(COUNTER_BRANCH_MISSES));
	make_store(in_folder(&f, "two.db"), 3, MODELLED(COUNTER_L2_MISSES));

	struct store *store = open_store(in_folder(&f, "none.db"), STORE_WRITE);
	MUST_WORK(store_ask(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'counter_origin'", &has, ERR));
	assert_int_equal(has, 0);
	expect_origins(store, NULL, NULL, NULL);
	MUST_WORK(store_merge(store, in_folder(&f, "one.db"), false, ERR));
	expect_origins(store, NULL,
		       "not all counts were measured: 2 of 8 counters assumed: l1i_misses, l2_misses (in one trace or "
		       "more)\n",
		       "\"assumed_counters\": [\"l1i_misses\", \"l2_misses\"],\n  \"modelled_counters\": []");
	for (int again = 0; again < 2; again++) {
		MUST_WORK(store_merge(store, in_folder(&f, "two.db"), false, ERR));
		expect_origins(store, "1",
			       "2 of 8 counters assumed: l1i_misses, l2_misses; 1 modelled: branch_misses (in",
			       "\"modelled_counters\": [\"branch_misses\"]");
		expect_origins(store, "2", "1 of 8 counters modelled: l2_misses (in", "\"assumed_counters\": []");
	}
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

static void test_damage(void **state)
{
	static const char *const rows[] = {
		"UPDATE counter_origin SET counter = 'l3_misses'",
		"UPDATE counter_origin SET origin = 'guessed'",
		"UPDATE counter_origin SET origin = x'00'",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_folder f = make_folder();
		struct query q;
		struct query_answer a;
		struct sahm_err err;
		make_store(in_folder(&f, "s.db"), 2, ASSUMED(COUNTER_L2_MISSES));
		run_sql(in_folder(&f, "s.db"), rows[i]);
		struct store *store = open_store(in_folder(&f, "s.db"), STORE_READ);
		query_answer_init(&a);
		MUST_WORK(query_begin(&q, store, "s.db", NULL, ERR));
		assert_int_equal(query_overview(&q, &a, &err), SAHM_FORMAT);
		if (!strstr(err.msg, "results file 's.db' is damaged: origin of a counter is not "))
			fail_msg("%s: %s", rows[i], err.msg);
		query_answer_release(&a);
		query_release(&q);
		MUST_WORK(store_close(store, ERR));
		remove_folder(&f);
	}
}

TEST_FILE(test_store_origin)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
