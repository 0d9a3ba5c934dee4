/* Stores: planned, put and committed rows are there, once, and nothing else. */
#include "results/store/store_internal.h"
#include "tests/unit/made_store.h"

static void test_plans_and_does(void **state)
{
	struct made_folder f = make_folder();
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	struct made_sweep sweep = {.nr_x = 10, .step = 1};
	(void)state;
	int64_t id = plan_sweep(store, &sweep);
	expect_counts(store, id, &(struct store_counts){20, 20, 0, 0, 0});
	assert_int_equal(do_jobs(store, id, 7, true), 7);
	expect_counts(store, id, &(struct store_counts){20, 13, 7, 0, 0});
	MUST_WORK(store_close(store, ERR));
	/* One file remains. */
	assert_int_equal(access(in_folder(&f, "s.db-wal"), F_OK), -1);
	assert_int_equal(access(in_folder(&f, "s.db-shm"), F_OK), -1);

	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	assert_int_equal(plan_sweep(store, &sweep), id);
	expect_counts(store, id, &(struct store_counts){20, 13, 7, 0, 0});
	assert_int_equal(do_jobs(store, id, 100, true), 13);
	assert_int_equal(do_jobs(store, id, 100, true), 0);
	expect_counts(store, id, &(struct store_counts){20, 0, 20, 0, 0});
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* Points that lead to the same run have it once, in one sweep and across sweeps. */
static void test_shares_runs(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	(void)state;
	int64_t one = plan_sweep(store, &(struct made_sweep){.nr_x = 5, .step = 1, .nr_shared = 4});
	expect_counts(store, one, &(struct store_counts){10, 6, 0, 0, 0});
	assert_int_equal(do_jobs(store, one, 100, false), 6);
	int64_t other = plan_sweep(store, &(struct made_sweep){.nr_x = 6, .step = 1});
	assert_int_not_equal(one, other);
	expect_counts(store, other, &(struct store_counts){12, 6, 6, 0, 0});
	MUST_WORK(store_close(store, ERR));
}

/* Shards of a sweep, planned one after the other, are one sweep. */
static void test_adds_shards(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	(void)state;
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 8, .begin = 0, .step = 2});
	expect_counts(store, id, &(struct store_counts){8, 8, 0, 0, 0});
	do_jobs(store, id, 3, false);
	assert_int_equal(plan_sweep(store, &(struct made_sweep){.nr_x = 8, .begin = 1, .step = 2}), id);
	expect_counts(store, id, &(struct store_counts){16, 13, 3, 0, 0});
	assert_int_equal(plan_sweep(store, &(struct made_sweep){.nr_x = 8, .step = 1}), id);
	expect_counts(store, id, &(struct store_counts){16, 13, 3, 0, 0});
	MUST_WORK(store_close(store, ERR));
}

static void test_plan_abandoned(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct sahm_err err;
	uint8_t hash[HASH_BYTES] = {1};
	(void)state;
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1}), which;
	MUST_WORK(store_plan_begin(store, &(struct store_sweep){"lost", "run", "", 1}, ERR));
	MUST_WORK(store_plan_point(store, 0, hash, ERR));
	store_plan_abandon(store);
	MUST_WORK(store_find_sweep(store, NULL, &which, ERR));
	assert_int_equal(which, id);
	expect_counts(store, id, &(struct store_counts){4, 4, 0, 0, 0});
	expect_failure(store_plan_point(store, 0, hash, &err), &err, SAHM_CONFIG,
		       "results file 'temporary': no sweep is being planned");
	/* An abandoned plan leaves nothing in the way of the next. */
	assert_int_equal(plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1}), id + 1);
	MUST_WORK(store_close(store, ERR));
}

static void test_finds_sweeps(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct sahm_err err;
	int64_t which = 0;
	(void)state;
	expect_failure(
		store_find_sweep(store, NULL, &which, &err), &err, SAHM_CONFIG,
		"results file 'temporary' has no sweep yet: its planning is not finished, or its log 'temporary-wal' is missing");
	struct made_sweep a = {.nr_x = 2, .step = 1}, b = {.nr_x = 3, .step = 1};
	int64_t one = plan_sweep(store, &a), other = plan_sweep(store, &b);
	MUST_WORK(store_find_sweep(store, NULL, &which, ERR));
	assert_int_equal(which, other);
	/* Planned again, it is the last one. */
	assert_int_equal(plan_sweep(store, &a), one);
	MUST_WORK(store_find_sweep(store, NULL, &which, ERR));
	assert_int_equal(which, one);
	MUST_WORK(store_find_sweep(store, "2", &which, ERR));
	assert_int_equal(which, other);
	expect_failure(store_find_sweep(store, "3", &which, &err), &err, SAHM_CONFIG,
		       "results file 'temporary' has no sweep '3'; it has 1 'made', 2 'made'");
	expect_failure(store_find_sweep(store, "-1", &which, &err), &err, SAHM_CONFIG,
		       "results file 'temporary' has no sweep '-1'; it has 1 'made', 2 'made'");
	MUST_WORK(store_close(store, ERR));
}

static void test_retries(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct arena a;
	struct record r;
	struct store_job job;
	size_t nr;
	uint64_t retried = 7;
	(void)state;
	arena_init(&a);
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1});
	int64_t other = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1, .first_run = 100});
	MUST_WORK(record_of_failure(&a, "it was killed", &r, ERR));
	MUST_WORK(store_jobs(store, STORE_WHOLE(id), 0, &job, 1, &nr, ERR));
	MUST_WORK(store_put(store, job.run, &r, true, ERR));
	expect_counts(store, id, &(struct store_counts){6, 5, 0, 1, 0});
	/* Nobody can put what is not planned. */
	struct sahm_err err;
	expect_failure(store_put(store, job.run, &r, true, &err), &err, SAHM_RANGE,
		       "results file 'temporary' has no run 1 that is planned");
	expect_counts(store, id, &(struct store_counts){6, 6, 0, 0, 0});
	MUST_WORK(store_put(store, job.run, &r, true, ERR));
	MUST_WORK(store_commit(store, ERR));
	MUST_WORK(store_retry(store, STORE_WHOLE(other), &retried, ERR));
	assert_int_equal(retried, 0);
	MUST_WORK(store_retry(store, STORE_WHOLE(id), &retried, ERR));
	assert_int_equal(retried, 1);
	expect_counts(store, id, &(struct store_counts){6, 6, 0, 0, 0});
	assert_int_equal(do_jobs(store, id, 10, true), 6);
	arena_release(&a);
	MUST_WORK(store_close(store, ERR));
}

static int64_t ask_store(struct store *store, const char *sql)
{
	int64_t value = -1;
	MUST_WORK(store_ask(store, sql, &value, ERR));
	return value;
}

/* Runs that were put without their threads are repeated for them; those that have them, have none, have failed or
 * are another sweep's are not. */
static void test_wants_threads(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct arena a;
	struct record failure;
	struct made_record made;
	uint8_t before[HASH_BYTES], after[HASH_BYTES];
	(void)state;
	arena_init(&a);
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1});
	int64_t other = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1, .first_run = 100});
	assert_int_equal(do_jobs(store, other, 9, false), 4);
	MUST_WORK(record_of_failure(&a, "it was killed", &failure, ERR));
	MUST_WORK(store_put(store, 1, &failure, false, ERR));
	MUST_WORK(store_put(store, 2, make_record(&made, 1), true, ERR));
	make_record(&made, 2);
	made.record.nr_threads = 0;
	MUST_WORK(store_put(store, 3, &made.record, false, ERR));
	make_record(&made, 3);
	made.record.has_intervals = true;
	MUST_WORK(store_put(store, 4, &made.record, false, ERR));
	assert_int_equal(do_jobs(store, id, 9, false), 2);
	MUST_WORK(store_digest(store, id, 0, 5, false, before, ERR));
	const struct store_part wanted = {.sweep = id, .nr = 1, .threads = true},
				half = {.sweep = id, .index = 1, .nr = 2, .threads = true};
	struct store_counts counts;
	struct store_job jobs[8];
	size_t nr;
	MUST_WORK(store_count(store, &wanted, &counts, ERR));
	assert_true(counts.points == 6 && counts.planned == 0 && counts.done == 2 && counts.failed == 1 &&
		    counts.threadless == 3);
	expect_counts(store, id, &(struct store_counts){6, 0, 5, 1, 0});
	MUST_WORK(store_jobs(store, STORE_WHOLE(id), 0, jobs, 8, &nr, ERR));
	assert_int_equal(nr, 0);
	MUST_WORK(store_jobs(store, &half, 0, jobs, 8, &nr, ERR));
	assert_int_equal(nr, 2);
	assert_true(jobs[0].position == 3 && jobs[1].position == 5);
	/* A second time that fails takes nothing away. */
	MUST_WORK(store_put(store, jobs[0].run, &failure, true, ERR));
	expect_counts(store, id, &(struct store_counts){6, 0, 5, 1, 0});
	make_record(&made, 3);
	made.record.has_intervals = true;
	MUST_WORK(store_put(store, 4, &made.record, true, ERR));
	MUST_WORK(store_jobs(store, &wanted, 0, jobs, 8, &nr, ERR));
	assert_int_equal(nr, 2);
	for (size_t i = 0; i < nr; i++)
		MUST_WORK(store_put(store, jobs[i].run, make_record(&made, jobs[i].position), true, ERR));
	MUST_WORK(store_digest(store, id, 0, 5, false, after, ERR));
	assert_memory_equal(before, after, HASH_BYTES);
	assert_int_equal(ask_store(store, "SELECT count(*) FROM thread WHERE run IN (4, 5, 6)"), 3 * MADE_THREADS);
	MUST_WORK(store_count(store, &wanted, &counts, ERR));
	assert_int_equal(counts.threadless, 0);
	arena_release(&a);
	MUST_WORK(store_close(store, ERR));
}

/* Committed rows are there, others are not. */
static void test_abandons(void **state)
{
	struct made_folder f = make_folder();
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	struct made_record made;
	(void)state;
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1});
	MUST_WORK(store_put(store, 1, make_record(&made, 0), true, ERR));
	MUST_WORK(store_commit(store, ERR));
	MUST_WORK(store_put(store, 2, make_record(&made, 1), true, ERR));
	expect_counts(store, id, &(struct store_counts){6, 4, 2, 0, 0});
	store_abandon(store);
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	expect_counts(store, id, &(struct store_counts){6, 5, 1, 0, 0});
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

static void test_programs(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct sahm_err err;
	(void)state;
	/* One without runs is in nobody's way. */
	MUST_WORK(store_set_program(store, "other", false, ERR));
	MUST_WORK(store_set_program(store, PROGRAM, false, ERR));
	plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
	expect_failure(store_set_program(store, "other", false, &err), &err, SAHM_CONFIG,
		       "results file 'temporary' has runs of program '0.1.0-feedbeef', this one is 'other'");
	MUST_WORK(store_set_program(store, "other", true, ERR));
	plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1, .first_run = 9});
	assert_int_equal(store_set_program(store, PROGRAM, false, &err), SAHM_CONFIG);
	MUST_WORK(store_close(store, ERR));
}

static void test_nothing_to_close(void **state)
{
	(void)state;
	assert_int_equal(store_close(NULL, NULL), SAHM_OK);
	store_abandon(NULL);
}

TEST_FILE(test_store)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans_and_does), cmocka_unit_test(test_shares_runs),
		cmocka_unit_test(test_adds_shards),    cmocka_unit_test(test_plan_abandoned),
		cmocka_unit_test(test_finds_sweeps),   cmocka_unit_test(test_retries),
		cmocka_unit_test(test_wants_threads),  cmocka_unit_test(test_abandons),
		cmocka_unit_test(test_programs),       cmocka_unit_test(test_nothing_to_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
