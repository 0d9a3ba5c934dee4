/* What workers do with a queue: take runs, keep them, lose them, answer them; on a real server. */
#include "sim/base/array.h"
#include "tests/unit/sim/queue/made_queue.h"

static struct made_hand hand, other_hand;

/* A queue with one submission and runs 0 to nr - 1. */
static struct queue fill_queue(unsigned claim_s, size_t nr)
{
	struct queue q = open_queue(claim_s);
	submit(&q, "0a", nr);
	assert_int_equal(enqueue(&q, 0, nr, false), nr);
	return q;
}

/* As if nothing had been heard of the job's worker for so long, and it had been delivered so often. */
static void set_idle(struct queue *q, const char *worker, const struct queue_job *job, unsigned idle_ms,
		     unsigned deliveries)
{
	char command[256];
	snprintf(command, sizeof(command), "XCLAIM " JOBS_KEY " " QUEUE_GROUP " %s 0 %s IDLE %u RETRYCOUNT %u JUSTID",
		 worker, job->id, idle_ms, deliveries);
	tell(q, command);
}

static void beat(struct queue *q, const char *worker, const struct made_hand *h, bool *lost)
{
	const struct queue_vitals vitals = {.host = "here", .pid = 7, .processes = 2, .held = h ? h->nr : 0};
	MUST_WORK(queue_beat(q, worker, PROGRAM, &vitals, h ? h->list : NULL, h ? h->nr : 0, lost, ERR));
}

/* Dead letters, all of them, and what the first one says. */
static void expect_letters(struct queue *q, size_t nr, uint64_t tries, const char *why)
{
	struct queue_letter *letters;
	size_t found;
	struct arena a;
	arena_init(&a);
	MUST_WORK(queue_letters(q, &a, 100, &letters, &found, ERR));
	assert_int_equal(found, nr);
	if (nr > 0) {
		assert_string_equal(letters[0].why, why);
		assert_int_equal(letters[0].tries, tries);
		assert_string_equal(letters[0].program, PROGRAM);
	}
	arena_release(&a);
}

/* ---- How many ---- */

static void test_shares(void **state)
{
	static const struct {
		const char *name;
		size_t waiting, want, least, workers, nr;
	} rows[] = {
		{"nobody known: half", 10, 100, 1, 0, 5},
		{"one worker: half", 10, 100, 1, 1, 5},
		{"half, rounded up", 11, 100, 1, 1, 6},
		{"two workers: a quarter, rounded up", 10, 100, 1, 2, 3},
		{"as many as wanted", 100, 4, 1, 1, 4},
		{"one more than the share", 10, 6, 1, 1, 5},
		{"the share", 10, 5, 1, 1, 5},
		{"one less than the share", 10, 4, 1, 1, 4},
		{"at least", 10, 100, 8, 1, 8},
		{"at least, though fewer are wanted", 100, 1, 8, 1, 8},
		{"no more than there are", 3, 100, 8, 1, 3},
		{"the last one", 1, 100, 1, 5, 1},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = fill_queue(0, rows[i].waiting);
		for (size_t w = 0; w < rows[i].workers; w++) {
			const char name[3] = {'w', (char)('0' + w), '\0'};
			beat(&q, name, NULL, NULL);
		}
		take_runs(&q, "w0", rows[i].want, rows[i].least, NULL, &hand);
		if (hand.nr != rows[i].nr)
			fail_msg("%s: %zu, not %zu", rows[i].name, hand.nr, rows[i].nr);
		expect_hand(&hand, rows[i].nr, 0, 1);
		expect_runs(&q, rows[i].waiting - rows[i].nr, rows[i].nr, 0);
		queue_disconnect(&q);
	}
}

/* Claimed runs do not wait: shares are of the rest. */
static void test_shares_of_the_rest(void **state)
{
	static const size_t nrs[] = {5, 3, 1, 1, 0};
	uint64_t first = 0;
	(void)state;
	struct queue q = fill_queue(0, 10);
	for (size_t i = 0; i < ARRAY_SIZE(nrs); i++) {
		take_runs(&q, "w", 100, 1, NULL, &hand);
		expect_hand(&hand, nrs[i], first, 1);
		first += nrs[i];
	}
	assert_int_equal(first, 10);
	queue_disconnect(&q);
}

static void test_drained_and_full(void **state)
{
	char command[128];
	(void)state;
	struct queue q = fill_queue(0, 4);
	snprintf(command, sizeof(command), "HINCRBY " KEY("meta") " result_bytes %lld",
		 (long long)QUEUE_MAX_RESULT_BYTES - 1);
	tell(&q, command);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	expect_hand(&hand, 1, 0, 1);
	tell(&q, "HINCRBY " KEY("meta") " result_bytes 1");
	take_runs(&q, "w", 1, 1, NULL, &hand);
	assert_int_equal(hand.answer, QUEUE_FULL);
	assert_int_equal(hand.nr, 0);
	MUST_WORK(queue_drain(&q, true, ERR));
	take_runs(&q, "w", 1, 1, NULL, &hand);
	assert_int_equal(hand.answer, QUEUE_DRAINED);
	tell(&q, "HDEL " KEY("meta") " result_bytes");
	take_runs(&q, "w", 1, 1, NULL, &hand);
	assert_int_equal(hand.answer, QUEUE_DRAINED);
	MUST_WORK(queue_drain(&q, false, ERR));
	take_runs(&q, "w", 1, 1, NULL, &hand);
	expect_hand(&hand, 1, 1, 1);
	queue_disconnect(&q);
}

static void test_stream_that_is_gone(void **state)
{
	(void)state;
	struct queue q = fill_queue(0, 2);
	tell(&q, "DEL " JOBS_KEY);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	expect_hand(&hand, 0, 0, 0);
	assert_int_equal(enqueue(&q, 0, 2, true), 2);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	expect_hand(&hand, 2, 0, 1);
	/* Only the group: all entries are new to the next one. */
	tell(&q, "XGROUP DESTROY " JOBS_KEY " " QUEUE_GROUP);
	take_left(&q, "v", 2, &hand);
	expect_hand(&hand, 0, 0, 0);
	take_runs(&q, "v", 2, 2, NULL, &hand);
	expect_hand(&hand, 2, 0, 1);
	queue_disconnect(&q);
}

/* ---- What others have left ---- */

static void test_claim_ends(void **state)
{
	static const struct {
		const char *name;
		unsigned idle_ms;
		size_t nr;
	} rows[] = {
		{"well before", 100, 0}, {"before", 29000, 0}, {"at its end", 30000, 1}, {"long after", 90000000, 1}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = fill_queue(30, 1);
		take_runs(&q, "w", 1, 1, NULL, &hand);
		set_idle(&q, "w", &hand.jobs[0], rows[i].idle_ms, 1);
		take_left(&q, "v", 1, &hand);
		if (hand.nr != rows[i].nr)
			fail_msg("%s: %zu", rows[i].name, hand.nr);
		expect_hand(&hand, rows[i].nr, 0, 2);
		queue_disconnect(&q);
	}
}

/* On the clock: a claim of 1 s holds for 0.5 s, and not for 1.1 s. */
static void test_claim_of_a_second(void **state)
{
	(void)state;
	struct queue q = fill_queue(1, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	sleep_ms(500);
	take_left(&q, "v", 1, &hand);
	expect_hand(&hand, 0, 0, 0);
	sleep_ms(600);
	take_left(&q, "v", 1, &hand);
	expect_hand(&hand, 1, 0, 2);
	take_left(&q, "u", 1, &hand);
	expect_hand(&hand, 0, 0, 0);
	queue_disconnect(&q);
}

/* Only these, though new runs wait, and `least` at a time; then new ones come again. */
static void test_left_comes_alone(void **state)
{
	char cursor[QUEUE_ID_BYTES] = "0-0";
	(void)state;
	struct queue q = fill_queue(30, 20);
	take_runs(&q, "w", 5, 5, NULL, &hand);
	expect_hand(&hand, 5, 0, 1);
	for (size_t i = 0; i < 5; i++)
		set_idle(&q, "w", &hand.jobs[i], 30000, 1);
	take_runs(&q, "v", 10, 2, cursor, &hand);
	expect_hand(&hand, 2, 0, 2);
	assert_string_not_equal(cursor, "0-0");
	take_runs(&q, "v", 10, 2, cursor, &hand);
	expect_hand(&hand, 2, 2, 2);
	/* One does not want them: new runs alone. */
	take_runs(&q, "u", 3, 1, NULL, &other_hand);
	expect_hand(&other_hand, 3, 5, 1);
	take_runs(&q, "v", 10, 2, cursor, &hand);
	expect_hand(&hand, 1, 4, 2);
	take_runs(&q, "v", 2, 2, cursor, &hand);
	expect_hand(&hand, 2, 8, 1);
	expect_runs(&q, 10, 10, 0);
	queue_disconnect(&q);
}

/* Found after many good ones. */
static void test_left_is_found_among_many(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 500);
	take_runs(&q, "w", 500, 500, NULL, &hand);
	assert_int_equal(hand.nr, 500);
	set_idle(&q, "w", &hand.jobs[487], 30000, 1);
	take_left(&q, "v", 1, &other_hand);
	expect_hand(&other_hand, 1, 487, 2);
	queue_disconnect(&q);
}

static void test_given_up_when_workers_are_lost(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	for (uint32_t d = 2; d <= QUEUE_TRIES; d++) {
		set_idle(&q, "w", &hand.jobs[0], 30000, d - 1);
		take_left(&q, "w", 1, &hand);
		expect_hand(&hand, 1, 0, d);
		expect_letters(&q, 0, 0, "");
	}
	set_idle(&q, "w", &hand.jobs[0], 30000, QUEUE_TRIES);
	take_left(&q, "w", 1, &hand);
	expect_hand(&hand, 0, 0, 0);
	expect_letters(&q, 1, QUEUE_TRIES, "its workers were lost");
	expect_runs(&q, 0, 0, 1);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 1);
	queue_disconnect(&q);
}

/* What was given up does not count as given. */
static void test_given_up_and_the_next_one(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 3);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	set_idle(&q, "w", &hand.jobs[0], 30000, QUEUE_TRIES);
	set_idle(&q, "w", &hand.jobs[1], 30000, 1);
	take_left(&q, "v", 1, &hand);
	expect_hand(&hand, 1, 1, 2);
	expect_runs(&q, 1, 1, 1);
	queue_disconnect(&q);
}

/* Counts of deliveries that nobody can have made. */
static void test_strange_deliveries(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	set_idle(&q, "w", &hand.jobs[0], 30000, UINT32_MAX);
	take_left(&q, "v", 1, &hand);
	expect_hand(&hand, 0, 0, 0);
	expect_letters(&q, 1, UINT32_MAX, "its workers were lost");
	queue_disconnect(&q);
}

/* ---- Failing, handing back ---- */

static void test_fail(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	/* A worker that does not have it cannot fail with it. */
	MUST_WORK(queue_fail_job(&q, "v", PROGRAM, &hand.jobs[0], "not mine", ERR));
	take_left(&q, "v", 1, &other_hand);
	expect_hand(&other_hand, 0, 0, 0);
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "first", ERR));
	take_left(&q, "v", 1, &hand);
	expect_hand(&hand, 1, 0, 2);
	MUST_WORK(queue_fail_job(&q, "v", PROGRAM, &hand.jobs[0], "second", ERR));
	take_left(&q, "v", 1, &hand);
	expect_hand(&hand, 1, 0, 3);
	expect_letters(&q, 0, 0, "");
	MUST_WORK(queue_fail_job(&q, "v", PROGRAM, &hand.jobs[0], "third\n\x1b[31m", ERR));
	expect_letters(&q, 1, 3, "third??[31m");
	expect_runs(&q, 0, 0, 1);
	assert_int_equal(ask_number(&q, "HLEN " KEY("errors")), 0);
	/* Again: it has no entry any more. */
	MUST_WORK(queue_fail_job(&q, "v", PROGRAM, &hand.jobs[0], "fourth", ERR));
	expect_letters(&q, 1, 3, "third??[31m");
	queue_disconnect(&q);
}

/* The last error stays with a run whose workers are lost afterwards. */
static void test_lost_after_an_error(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "no such policy", ERR));
	take_left(&q, "w", 1, &hand);
	set_idle(&q, "w", &hand.jobs[0], 30000, QUEUE_TRIES);
	take_left(&q, "w", 1, &hand);
	expect_letters(&q, 1, 3, "no such policy");
	queue_disconnect(&q);
}

static void test_longest_error(void **state)
{
	char why[2 * MAX_QUEUE_ERROR], kept[MAX_QUEUE_ERROR + 1];
	(void)state;
	struct queue q = fill_queue(30, 1);
	memset(why, 'y', sizeof(why));
	why[sizeof(why) - 1] = '\0';
	memcpy(kept, why, MAX_QUEUE_ERROR);
	kept[MAX_QUEUE_ERROR] = '\0';
	take_runs(&q, "w", 1, 1, NULL, &hand);
	set_idle(&q, "w", &hand.jobs[0], 0, QUEUE_TRIES);
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], why, ERR));
	expect_letters(&q, 1, 3, kept);
	queue_disconnect(&q);
}

static void test_hand_back(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 2);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	MUST_WORK(queue_hand_back(&q, "v", PROGRAM, hand.list, 2, ERR));
	take_left(&q, "v", 2, &other_hand);
	expect_hand(&other_hand, 0, 0, 0);
	MUST_WORK(queue_hand_back(&q, "w", PROGRAM, hand.list, 0, ERR));
	/* At once somebody else's, as if it had not been delivered. */
	for (unsigned i = 0; i < 2 * QUEUE_TRIES; i++) {
		MUST_WORK(queue_hand_back(&q, "w", PROGRAM, hand.list, 2, ERR));
		take_left(&q, "w", 2, &hand);
		expect_hand(&hand, 2, 0, 1);
	}
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "no", ERR));
	take_left(&q, "w", 1, &hand);
	expect_hand(&hand, 1, 0, 2);
	MUST_WORK(queue_hand_back(&q, "w", PROGRAM, hand.list, 1, ERR));
	take_left(&q, "w", 1, &hand);
	expect_hand(&hand, 1, 0, 2);
	queue_disconnect(&q);
}

static void test_nothing_to_give_back_to(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 2);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	tell(&q, "DEL " JOBS_KEY);
	MUST_WORK(queue_hand_back(&q, "w", PROGRAM, hand.list, 2, ERR));
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "no", ERR));
	expect_runs(&q, 0, 0, 0);
	queue_disconnect(&q);
}

/* ---- Beating ---- */

static void test_beat(void **state)
{
	bool lost[4] = {true, true, true, true};
	(void)state;
	struct queue q = fill_queue(30, 4);
	take_runs(&q, "w", 4, 4, NULL, &hand);
	for (size_t i = 0; i < 4; i++)
		set_idle(&q, "w", &hand.jobs[i], 29000, 1);
	/* The third is somebody else's by now, the fourth is gone. */
	set_idle(&q, "v", &hand.jobs[2], 29000, 2);
	struct made_hand *gone = &other_hand;
	*gone = (struct made_hand){.jobs[0] = hand.jobs[3], .nr = 1};
	gone->list[0] = &gone->jobs[0];
	answer(&q, "v", gone);
	beat(&q, "w", &hand, lost);
	assert_false(lost[0]);
	assert_false(lost[1]);
	assert_true(lost[2]);
	assert_true(lost[3]);
	char command[192];
	static const bool renewed[3] = {true, true, false};
	for (size_t i = 0; i < 3; i++) {
		snprintf(command, sizeof(command), "XPENDING " JOBS_KEY " " QUEUE_GROUP " %s %s 1", hand.jobs[i].id,
			 hand.jobs[i].id);
		struct reply *row = ask(&q, command);
		assert_true(reply_is_array(row, 1, 1) && reply_is_array(row->elements[0], 4, 4));
		assert_string_equal(row->elements[0]->elements[1]->bytes, renewed[i] ? "w" : "v");
		assert_true((row->elements[0]->elements[2]->integer < 20000) == renewed[i]);
		/* It is no delivery. */
		assert_int_equal(row->elements[0]->elements[3]->integer, renewed[i] ? 1 : 2);
		reply_free(row);
	}
	assert_int_equal(ask_number(&q, "HGET " KEY("worker:w") " held"), 4);
	assert_int_equal(ask_number(&q, "HGET " KEY("worker:w") " pid"), 7);
	assert_true(ask_number(&q, "PTTL " KEY("worker:w")) > 200000);
	queue_disconnect(&q);
}

/* More than the script reads at a time, and renews at a time. */
static void test_beat_with_many(void **state)
{
	static bool lost[MAX_TAKE];
	(void)state;
	struct queue q = open_queue(30);
	submit(&q, "0a", 2048);
	for (unsigned i = 0; i < 4; i++)
		enqueue(&q, i * MAX_ENQUEUE, MAX_ENQUEUE, false);
	take_runs(&q, "w", 2048, 2048, NULL, &hand);
	assert_int_equal(hand.nr, 2048);
	set_idle(&q, "v", &hand.jobs[0], 0, 1);
	set_idle(&q, "v", &hand.jobs[1500], 0, 1);
	set_idle(&q, "w", &hand.jobs[2047], 40000, 1);
	beat(&q, "w", &hand, lost);
	for (size_t i = 0; i < hand.nr; i++)
		assert_int_equal(lost[i], i == 0 || i == 1500);
	take_left(&q, "u", 1, &other_hand);
	expect_hand(&other_hand, 0, 0, 0);
	queue_disconnect(&q);
}

static void test_beat_without_a_stream(void **state)
{
	bool lost[1] = {true};
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	tell(&q, "FLUSHALL");
	beat(&q, "w", &hand, lost);
	assert_false(lost[0]);
	beat(&q, "w", NULL, NULL);
	assert_int_equal(ask_number(&q, "ZCARD " KEY("workers")), 1);
	queue_disconnect(&q);
}

/* Those that have not been heard of for four claims are not waited for when shares are made. */
static void test_silent_workers(void **state)
{
	(void)state;
	struct queue q = open_queue(30);
	beat(&q, "w", NULL, NULL);
	struct reply *time = ask(&q, "TIME");
	long long now = atoll(time->elements[0]->bytes);
	char command[128];
	reply_free(time);
	snprintf(command, sizeof(command), "ZADD " KEY("workers") " %lld000 gone %lld000 late", now - 121, now - 110);
	tell(&q, command);
	beat(&q, "w", NULL, NULL);
	assert_int_equal(ask_number(&q, "ZCARD " KEY("workers")), 2);
	struct reply *score = ask(&q, "ZSCORE " KEY("workers") " gone");
	assert_int_equal(score->kind, REPLY_NIL);
	reply_free(score);
	queue_disconnect(&q);
}

static void test_leave(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 2);
	beat(&q, "w", NULL, NULL);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	/* What it has stays claimed. */
	MUST_WORK(queue_leave(&q, "w", PROGRAM, ERR));
	assert_int_equal(ask_number(&q, "ZCARD " KEY("workers")), 0);
	assert_int_equal(ask_number(&q, "EXISTS " KEY("worker:w")), 0);
	expect_runs(&q, 0, 2, 0);
	answer(&q, "w", &hand);
	MUST_WORK(queue_leave(&q, "w", PROGRAM, ERR));
	struct reply *consumers = ask(&q, "XINFO CONSUMERS " JOBS_KEY " " QUEUE_GROUP);
	assert_int_equal(consumers->nr, 0);
	reply_free(consumers);
	tell(&q, "DEL " JOBS_KEY);
	MUST_WORK(queue_leave(&q, "w", PROGRAM, ERR));
	queue_disconnect(&q);
}

/* ---- Answering ---- */

static void test_results(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 3);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "not now", ERR));
	assert_int_equal(ask_number(&q, "HLEN " KEY("errors")), 1);
	answer(&q, "w", &hand);
	expect_runs(&q, 1, 0, 0);
	assert_int_equal(ask_number(&q, "XLEN " JOBS_KEY), 1);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 1);
	assert_int_equal(ask_number(&q, "HLEN " KEY("errors")), 0);
	assert_true(ask_number(&q, "HGET " KEY("meta") " result_bytes") > 0);
	/* A worker that was asleep answers, too, though it has lost them. */
	answer(&q, "v", &hand);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 2);
	expect_runs(&q, 1, 0, 0);
	queue_disconnect(&q);
}

/* Somebody else has it by now: its entry goes all the same. */
static void test_results_of_a_lost_run(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	set_idle(&q, "v", &hand.jobs[0], 30000, 2);
	answer(&q, "w", &hand);
	expect_runs(&q, 0, 0, 0);
	take_left(&q, "u", 1, &other_hand);
	expect_hand(&other_hand, 0, 0, 0);
	queue_disconnect(&q);
}

/* Nothing is acknowledged, nothing half there, and afterwards it goes on. */
static void test_results_without_memory(void **state)
{
	struct sahm_err err = {0};
	(void)state;
	struct queue q = fill_queue(30, 2);
	take_runs(&q, "w", 2, 2, NULL, &hand);
	MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[1], "not now", ERR));
	tell(&q, "CONFIG SET maxmemory 1");
	assert_int_equal(try_answer(&q, "w", &hand, &err), SAHM_TOOL);
	assert_non_null(strstr(err.msg, "does not take results: OOM"));
	expect_runs(&q, 0, 2, 0);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 0);
	assert_int_equal(ask_number(&q, "HLEN " KEY("errors")), 1);
	assert_int_equal(ask_number(&q, "HEXISTS " KEY("meta") " result_bytes"), 0);
	tell(&q, "CONFIG SET maxmemory 0");
	answer(&q, "w", &hand);
	expect_runs(&q, 0, 0, 0);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 1);
	queue_disconnect(&q);
}

static void test_results_where_there_is_no_stream(void **state)
{
	struct sahm_err err = {0};
	(void)state;
	struct queue q = fill_queue(30, 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	tell(&q, "SET " KEY("results") " 1");
	assert_int_equal(try_answer(&q, "w", &hand, &err), SAHM_TOOL);
	assert_non_null(strstr(err.msg, "WRONGTYPE"));
	/* The connection is as good as before. */
	tell(&q, "FLUSHALL");
	answer(&q, "w", &hand);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 1);
	queue_disconnect(&q);
}

/* ---- Waiting ---- */

static size_t wait_for_run(struct queue *q, unsigned wait_ms, struct queue_job *job)
{
	const struct queue_taking t = {.worker = "w", .program = PROGRAM, .want = 1, .least = 1};
	size_t nr = 7;
	MUST_WORK(queue_wait(q, &t, wait_ms, job, &nr, ERR));
	return nr;
}

static void test_wait(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(wait_for_run(&q, 10000, &hand.jobs[0]), 1);
		hand.nr = 1;
		hand.answer = QUEUE_JOBS;
		expect_hand(&hand, 1, i, 1);
	}
	assert_int_equal(wait_for_run(&q, 50, &hand.jobs[0]), 0);
	tell(&q, "DEL " JOBS_KEY);
	assert_int_equal(wait_for_run(&q, 50, &hand.jobs[0]), 0);
	assert_int_equal(enqueue(&q, 1, 1, true), 1);
	assert_int_equal(wait_for_run(&q, 10000, &hand.jobs[0]), 1);
	queue_disconnect(&q);
}

/* Events during a wait: `words` are sent a little later, by somebody else. */
static void during(struct queue *q, const char *words, size_t nr)
{
	struct queue_job job;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		redis_link_leave(q->link);
		struct queue other = join_queue(0);
		sleep_ms(200);
		if (words)
			tell(&other, words);
		else
			enqueue(&other, 77, 1, false);
		queue_disconnect(&other);
		_exit(0);
	}
	assert_int_equal(wait_for_run(q, 5000, &job), nr);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_what_happens_while_one_waits(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 0);
	during(&q, NULL, 1);
	during(&q, "DEL " JOBS_KEY, 0);
	during(&q, "XGROUP DESTROY " JOBS_KEY " " QUEUE_GROUP, 0);
	during(&q, "FLUSHALL", 0);
	during(&q, NULL, 1);
	queue_disconnect(&q);
}

/* ---- What no sahm has put there ---- */

#define A32 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_strange_entries(void **state)
{
	static const struct {
		const char *name, *fields;
		bool good;
	} rows[] = {
		{"as it should be", "b " A32 " p 0 r " A32, true},
		{"another order", "r " A32 " p 0 b " A32, true},
		{"a field more", "b " A32 " p 0 r " A32 " new thing", true},
		{"last position", "b " A32 " p 16777215 r " A32, true},
		{"no bundle", "p 0 r " A32, false},
		{"no position", "b " A32 " r " A32, false},
		{"no run", "b " A32 " p 0", false},
		{"nothing of it", "x y", false},
		{"bundle too short", "b aaa p 0 r " A32, false},
		{"bundle too long", "b " A32 "a p 0 r " A32, false},
		{"run too short", "b " A32 " p 0 r aaa", false},
		{"run too long", "b " A32 " p 0 r " A32 "a", false},
		{"empty position", "b " A32 " p  r " A32, false},
		{"position below 0", "b " A32 " p -1 r " A32, false},
		{"position out of range", "b " A32 " p 16777216 r " A32, false},
		{"position beyond 64 bits", "b " A32 " p 999999999999916777215 r " A32, false},
		{"position with a point", "b " A32 " p 1.0 r " A32, false},
		{"position in words", "b " A32 " p one r " A32, false},
	};
	char command[512];
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int how = 0; how < 3; how++) {
			struct queue q = fill_queue(30, 0);
			snprintf(command, sizeof(command), "XADD " JOBS_KEY " * %s", rows[i].fields);
			tell(&q, command);
			if (how == 0) {
				hand.nr = wait_for_run(&q, 100, &hand.jobs[0]);
			} else if (how == 1) {
				take_runs(&q, "w", 1, 1, NULL, &hand);
			} else {
				/* Left by somebody else. */
				tell(&q, "XREADGROUP GROUP " QUEUE_GROUP " v STREAMS " JOBS_KEY " >");
				struct reply *all = ask(&q, "XRANGE " JOBS_KEY " - +");
				snprintf(hand.jobs[0].id, QUEUE_ID_BYTES, "%s", all->elements[0]->elements[0]->bytes);
				reply_free(all);
				set_idle(&q, "v", &hand.jobs[0], 40000, 1);
				take_left(&q, "w", 1, &hand);
			}
			if (hand.nr != rows[i].good)
				fail_msg("%s: %zu taken", rows[i].name, hand.nr);
			/* It comes to nobody any more. */
			expect_runs(&q, 0, rows[i].good, 0);
			queue_disconnect(&q);
		}
}

/* They are given up like others, where nobody looks into them. */
static void test_strange_entries_are_given_up(void **state)
{
	(void)state;
	struct queue q = fill_queue(30, 0);
	tell(&q, "XADD " JOBS_KEY " 5-1 x y");
	tell(&q, "XREADGROUP GROUP " QUEUE_GROUP " v STREAMS " JOBS_KEY " >");
	snprintf(hand.jobs[0].id, QUEUE_ID_BYTES, "5-1");
	set_idle(&q, "v", &hand.jobs[0], 40000, QUEUE_TRIES);
	take_left(&q, "w", 1, &hand);
	expect_hand(&hand, 0, 0, 0);
	expect_runs(&q, 0, 0, 1);
	assert_int_equal(ask_number(&q, "XLEN " JOBS_KEY), 0);
	queue_disconnect(&q);
}

static void test_wrong_types(void **state)
{
	static const char *const keys[] = {JOBS_KEY, KEY("meta"), KEY("workers")};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct queue q = fill_queue(30, 1);
		char command[128];
		struct sahm_err err = {0};
		enum queue_answer answer;
		struct queue_taking t = {.worker = "w", .program = PROGRAM, .want = 1, .least = 1};
		snprintf(command, sizeof(command), "SET %s x", keys[i]);
		tell(&q, command);
		enum sahm_status status = queue_take(&q, &t, hand.jobs, &hand.nr, &answer, &err);
		if (status != SAHM_TOOL || !strstr(err.msg, "WRONGTYPE") || hand.nr != 0)
			fail_msg("%s: status %d, %s", keys[i], status, err.msg);
		queue_disconnect(&q);
	}
}

TEST_FILE(test_queue_take)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_shares_of_the_rest),
		cmocka_unit_test(test_drained_and_full),
		cmocka_unit_test(test_stream_that_is_gone),
		cmocka_unit_test(test_claim_ends),
		cmocka_unit_test(test_claim_of_a_second),
		cmocka_unit_test(test_left_comes_alone),
		cmocka_unit_test(test_left_is_found_among_many),
		cmocka_unit_test(test_given_up_when_workers_are_lost),
		cmocka_unit_test(test_given_up_and_the_next_one),
		cmocka_unit_test(test_strange_deliveries),
		cmocka_unit_test(test_fail),
		cmocka_unit_test(test_lost_after_an_error),
		cmocka_unit_test(test_longest_error),
		cmocka_unit_test(test_hand_back),
		cmocka_unit_test(test_nothing_to_give_back_to),
		cmocka_unit_test(test_beat),
		cmocka_unit_test(test_beat_with_many),
		cmocka_unit_test(test_beat_without_a_stream),
		cmocka_unit_test(test_silent_workers),
		cmocka_unit_test(test_leave),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_results_of_a_lost_run),
		cmocka_unit_test(test_results_without_memory),
		cmocka_unit_test(test_results_where_there_is_no_stream),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_what_happens_while_one_waits),
		cmocka_unit_test(test_strange_entries),
		cmocka_unit_test(test_strange_entries_are_given_up),
		cmocka_unit_test(test_wrong_types),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
