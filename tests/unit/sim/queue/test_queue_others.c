/* Several submissions and several workers of one queue: who waits for which results, and whose turn a run is that
 * failed with somebody. */
#include "sim/base/array.h"
#include "tests/unit/sim/queue/made_queue.h"

static struct made_hand hand;

/* A run of a bundle of `text`, by its number. */
static struct queue_run run_in(const char *text, uint64_t number)
{
	struct queue_run run = {.position = number};
	const struct bundle b = make_bundle(text);
	hash_of_number(number, run.hash);
	memcpy(run.bundle, b.hash, HASH_BYTES);
	return run;
}

static void submit_text(struct queue *q, const char *id, const char *text)
{
	const struct bundle b = make_bundle(text);
	MUST_WORK(queue_submit(q, id, &b, 9, ERR));
}

/* Asks for one run; returns whether it was new. */
static bool ask_for(struct queue *q, const char *id, const char *text, uint64_t number)
{
	const struct queue_run run = run_in(text, number);
	uint64_t added;
	MUST_WORK(queue_enqueue(q, id, PROGRAM, &run, 1, false, &added, ERR));
	return added == 1;
}

/* Does all runs that wait, an entry each. */
static size_t do_all(struct queue *q)
{
	size_t nr = 0;
	for (take_runs(q, "w", 1, 1, NULL, &hand); hand.nr > 0; take_runs(q, "w", 1, 1, NULL, &hand)) {
		answer(q, "w", &hand);
		nr++;
	}
	return nr;
}

static enum sahm_status count(void *ctx, const struct queue_result *r, struct sahm_err *err)
{
	(void)r;
	(void)err;
	++*(size_t *)ctx;
	return SAHM_OK;
}

/* Collects for a submission, and acknowledges; how many results came. */
static size_t collect_all(struct queue *q, const char *id)
{
	struct queue_collecting c = {.id = id};
	size_t nr_results = 0, nr = 0;
	textbuf_init(&c.ids);
	do
		MUST_WORK(queue_collect(q, &c, false, 0, count, &nr_results, &nr, ERR));
	while (nr > 0);
	MUST_WORK(queue_settle(q, &c, ERR));
	textbuf_release(&c.ids);
	return nr_results;
}

static int64_t nr_entries(struct queue *q)
{
	return ask_number(q, "XLEN " KEY("results"));
}

static void expect_bytes(struct queue *q, bool any)
{
	int64_t nr = ask_number(q, "HEXISTS " KEY("meta") " result_bytes");
	assert_int_equal(nr, any);
}

/* A submission that never collects keeps only its own results. */
static void test_interest(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	submit_text(&q, "0a", "of a");
	submit_text(&q, "0b", "of b");
	assert_true(ask_for(&q, "0a", "of a", 1));
	assert_true(ask_for(&q, "0b", "of b", 2));
	assert_true(ask_for(&q, "0b", "of b", 3));
	assert_int_equal(do_all(&q), 3);
	assert_int_equal(collect_all(&q, "0b"), 3);
	assert_int_equal(nr_entries(&q), 1);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 1);
	expect_bytes(&q, true);
	assert_int_equal(collect_all(&q, "0a"), 1);
	assert_int_equal(nr_entries(&q), 0);
	expect_bytes(&q, false);
	queue_disconnect(&q);
}

/* A run that another bundle has brought is waited for, too, by who asked for it later. */
static void test_sharing(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	submit_text(&q, "0a", "of a");
	submit_text(&q, "0b", "of b");
	assert_true(ask_for(&q, "0a", "of a", 1));
	assert_false(ask_for(&q, "0b", "of b", 1));
	/* Its own again is nothing new. */
	assert_false(ask_for(&q, "0a", "of a", 1));
	assert_int_equal(ask_number(&q, "HEXISTS " KEY("submission:0a") " shares"), 0);
	assert_int_equal(do_all(&q), 1);
	assert_int_equal(collect_all(&q, "0a"), 1);
	assert_int_equal(nr_entries(&q), 1);
	assert_int_equal(collect_all(&q, "0b"), 1);
	assert_int_equal(nr_entries(&q), 0);
	queue_disconnect(&q);
}

/* A dead letter that another bundle requests again: its first submission gets the result. */
static void test_shared_letter(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	submit_text(&q, "0a", "of a");
	submit_text(&q, "0b", "of b");
	assert_true(ask_for(&q, "0a", "of a", 1));
	take_runs(&q, "w", 1, 1, NULL, &hand);
	for (unsigned i = 1; i <= QUEUE_TRIES; i++) {
		assert_int_equal(hand.nr, 1);
		MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "it is broken", ERR));
		take_left(&q, "w", 1, &hand);
	}
	expect_runs(&q, 0, 0, 1);
	assert_int_equal(collect_all(&q, "0a"), 1);
	assert_true(ask_for(&q, "0b", "of b", 1));
	assert_int_equal(do_all(&q), 1);
	assert_int_equal(collect_all(&q, "0b"), 1);
	assert_int_equal(nr_entries(&q), 1);
	assert_int_equal(collect_all(&q, "0a"), 1);
	assert_int_equal(nr_entries(&q), 0);
	queue_disconnect(&q);
}

/* Keys for only one submission go with it; what others wait for stays. */
static void test_forgotten(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	submit_text(&q, "0a", "of a");
	submit_text(&q, "0b", "of b");
	for (uint64_t i = 0; i < 40; i++)
		assert_true(ask_for(&q, i % 2 ? "0a" : "0b", i % 2 ? "of a" : "of b", i));
	assert_int_equal(do_all(&q), 40);
	assert_int_equal(collect_all(&q, "0b"), 40);
	assert_int_equal(nr_entries(&q), 20);
	MUST_WORK(queue_forget(&q, "0a", ERR));
	assert_int_equal(nr_entries(&q), 0);
	expect_bytes(&q, false);
	queue_disconnect(&q);
}

/* An answer that comes when everything has ended does not stay. */
static void test_late_answer(void **state)
{
	struct made_hand late;
	(void)state;
	struct queue q = open_queue(0);
	submit_text(&q, "0a", "of a");
	assert_true(ask_for(&q, "0a", "of a", 1));
	take_runs(&q, "w", 1, 1, NULL, &late);
	MUST_WORK(queue_forget(&q, "0a", ERR));
	answer(&q, "w", &late);
	assert_int_equal(nr_entries(&q), 1);
	MUST_WORK(queue_make_stream(&q, PROGRAM, ERR));
	take_runs(&q, "w", 1, 1, NULL, &hand);
	assert_int_equal(nr_entries(&q), 0);
	expect_bytes(&q, false);
	queue_disconnect(&q);
}

static void beat(struct queue *q, const char *worker, const char *program)
{
	struct queue_vitals vitals = {.host = "h", .pid = 1, .processes = 1};
	snprintf(vitals.program, sizeof(vitals.program), "%s", program);
	MUST_WORK(queue_beat(q, worker, PROGRAM, &vitals, NULL, 0, NULL, ERR));
}

/* A run that failed with a worker is another's next, if another lives that takes such runs and can. */
static void test_failed_with_somebody(void **state)
{
	static const struct {
		const char *name, *other, *program;
		bool is_unable, gets_it;
	} rows[] = {
		{"alone", NULL, NULL, false, true},
		{"with another", "w2", PROGRAM, false, false},
		{"with one of another program", "w2", OTHER_PROGRAM, false, true},
		{"with one that is not able", "w2", PROGRAM, true, true},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = open_queue(0);
		const struct queue_run run = run_in("of a", 1);
		uint64_t nr_able;
		submit_text(&q, "0a", "of a");
		assert_true(ask_for(&q, "0a", "of a", 1));
		beat(&q, "w1", PROGRAM);
		if (rows[i].other)
			beat(&q, rows[i].other, rows[i].program);
		if (rows[i].is_unable)
			MUST_WORK(queue_note_unable(&q, rows[i].other, PROGRAM, run.bundle, &nr_able, ERR));
		take_runs(&q, "w1", 1, 1, NULL, &hand);
		assert_int_equal(hand.nr, 1);
		MUST_WORK(queue_fail_job(&q, "w1", PROGRAM, &hand.jobs[0], "it broke", ERR));
		take_left(&q, "w1", 1, &hand);
		if (hand.nr != rows[i].gets_it)
			fail_msg("%s: it is given %zu", rows[i].name, hand.nr);
		if (!rows[i].gets_it)
			take_left(&q, rows[i].other, 1, &hand);
		/* And no try was lost by asking. */
		assert_int_equal(hand.nr, 1);
		assert_int_equal(hand.jobs[0].deliveries, 2);
		queue_disconnect(&q);
	}
}

static void test_unable(void **state)
{
	uint64_t nr_able = 77;
	(void)state;
	struct queue q = open_queue(0);
	const struct queue_run a = run_in("of a", 1), b = run_in("of b", 1);
	beat(&q, "w1", PROGRAM);
	beat(&q, "w2", PROGRAM);
	beat(&q, "w3", OTHER_PROGRAM);
	MUST_WORK(queue_note_unable(&q, "w1", PROGRAM, a.bundle, &nr_able, ERR));
	assert_int_equal(nr_able, 1);
	MUST_WORK(queue_note_unable(&q, "w2", PROGRAM, b.bundle, &nr_able, ERR));
	assert_int_equal(nr_able, 1);
	MUST_WORK(queue_note_unable(&q, "w2", PROGRAM, a.bundle, &nr_able, ERR));
	assert_int_equal(nr_able, 0);
	assert_true(ask_number(&q, "DBSIZE") > 0);
	queue_disconnect(&q);
}

TEST_FILE(test_queue_others)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interest),      cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_shared_letter), cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_late_answer),   cmocka_unit_test(test_failed_with_somebody),
		cmocka_unit_test(test_unable),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
