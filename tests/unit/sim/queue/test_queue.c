/* The queue: opening it, and how runs get into it; on a real server. */
#include "sim/base/array.h"
#include "tests/unit/sim/queue/made_queue.h"

/* ---- Opening ---- */

static void test_names(void **state)
{
	static const struct {
		const char *name, *queue;
		bool good;
	} rows[] = {
		{"one letter", "a", true},
		{"all kinds", "aZ09-_.", true},
		{"longest", "1234567890123456789012345678901234567890123456789012345678901234", true},
		{"one more", "12345678901234567890123456789012345678901234567890123456789012345", false},
		{"empty", "", false},
		{"a brace", "a}b", false},
		{"a space", "a b", false},
		{"a colon", "a:b", false},
		{"another alphabet", "\xc3\xa4", false},
	};
	(void)state;
	need_redis();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q;
		struct sahm_err err = {0};
		const struct queue_options options = {.url = made_server.url, .name = rows[i].queue};
		enum sahm_status status = queue_connect(&q, &options, &err);
		if (status != (rows[i].good ? SAHM_OK : SAHM_USAGE))
			fail_msg("%s: status %d, %s", rows[i].name, status, err.msg);
		if (status == SAHM_OK)
			queue_disconnect(&q);
	}
}

static void test_default_name(void **state)
{
	(void)state;
	struct queue q, first = open_queue(0);
	MUST_WORK(queue_connect(&q, &(struct queue_options){.url = made_server.url}, ERR));
	assert_string_equal(q.name, DEFAULT_QUEUE);
	assert_int_equal(q.claim_ms, QUEUE_CLAIM_S * 1000);
	assert_int_equal(ask_number(&q, "EXISTS sahm:{default}:meta"), 1);
	queue_disconnect(&q);
	queue_disconnect(&first);
}

/* Who only looks writes nothing, and sees what is there. */
static void test_look(void **state)
{
	(void)state;
	struct queue q, first = open_queue(7);
	struct queue_options options = {.url = made_server.url, .name = "unknown", .look = true};
	MUST_WORK(queue_connect(&q, &options, ERR));
	assert_int_equal(q.claim_ms, QUEUE_CLAIM_S * 1000);
	assert_int_equal(ask_number(&q, "EXISTS sahm:{unknown}:meta"), 0);
	queue_disconnect(&q);
	options.name = MADE_QUEUE;
	MUST_WORK(queue_connect(&q, &options, ERR));
	assert_int_equal(q.claim_ms, 7000);
	queue_disconnect(&q);
	queue_disconnect(&first);
}

static void test_claims_agree(void **state)
{
	(void)state;
	struct queue q = open_queue(7), other = join_queue(7);
	struct sahm_err err = {0};
	assert_int_equal(other.claim_ms, 7000);
	queue_disconnect(&other);
	other = join_queue(0);
	assert_int_equal(other.claim_ms, 7000);
	queue_disconnect(&other);
	const struct queue_options options = {.url = made_server.url, .name = MADE_QUEUE, .claim_s = 8};
	expect_failure(queue_connect(&other, &options, &err), &err, SAHM_CONFIG,
		       "queue 'tried' has claims of 7 s already, and all workers the same: 8 s cannot be had before it "
		       "is purged");
	queue_disconnect(&q);
}

/* A server that has lost its data gets the claim of those who still use it, not the default. */
static void test_claim_after_loss(void **state)
{
	(void)state;
	struct queue q = open_queue(7);
	tell(&q, "FLUSHALL");
	submit(&q, ONE, 1);
	struct queue other = join_queue(7);
	assert_int_equal(other.claim_ms, 7000);
	queue_disconnect(&other);
	queue_disconnect(&q);
}

/* What others may have written where the queue keeps its claim and its layout. */
static void test_strange_meta(void **state)
{
	static const struct {
		const char *name, *command;
		enum sahm_status status;
	} rows[] = {
		{"another layout", "HSET " KEY("meta") " format 2", SAHM_CONFIG},
		{"no layout", "HSET " KEY("meta") " format x", SAHM_CONFIG},
		{"a word", "HSET " KEY("meta") " claim_ms soon", SAHM_FORMAT},
		{"trailing letters", "HSET " KEY("meta") " claim_ms 3000s", SAHM_FORMAT},
		{"nearly too short", "HSET " KEY("meta") " claim_ms 1000", SAHM_OK},
		{"too short", "HSET " KEY("meta") " claim_ms 999", SAHM_FORMAT},
		{"0", "HSET " KEY("meta") " claim_ms 0", SAHM_FORMAT},
		{"below 0", "HSET " KEY("meta") " claim_ms -1", SAHM_FORMAT},
		{"nearly too long", "HSET " KEY("meta") " claim_ms 86400000", SAHM_OK},
		{"too long", "HSET " KEY("meta") " claim_ms 86400001", SAHM_FORMAT},
		{"beyond 64 bits", "HSET " KEY("meta") " claim_ms 99999999999999999999999", SAHM_FORMAT},
		{"no hash", "SET " KEY("meta") " 1", SAHM_TOOL},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue first = open_queue(0), q;
		struct sahm_err err = {0};
		const struct queue_options options = {.url = made_server.url, .name = MADE_QUEUE};
		if (rows[i].status == SAHM_TOOL)
			tell(&first, "DEL " KEY("meta"));
		tell(&first, rows[i].command);
		enum sahm_status status = queue_connect(&q, &options, &err);
		if (status != rows[i].status || (status == SAHM_OK) != !err.msg[0])
			fail_msg("%s: status %d, %s", rows[i].name, status, err.msg);
		if (status == SAHM_OK)
			queue_disconnect(&q);
		/* Who removes everything need not know what it is, unless another sahm has made it. */
		const struct queue_options any = {
			.url = made_server.url, .name = MADE_QUEUE, .look = true, .any_meta = true};
		status = queue_connect(&q, &any, &err);
		if (status != (rows[i].status == SAHM_CONFIG ? SAHM_CONFIG : SAHM_OK))
			fail_msg("%s, whatever it is: status %d, %s", rows[i].name, status, err.msg);
		if (rows[i].status != SAHM_OK && status == SAHM_OK)
			assert_int_equal(q.claim_ms, QUEUE_CLAIM_S * 1000);
		if (status == SAHM_OK)
			queue_disconnect(&q);
		queue_disconnect(&first);
	}
}

/* ---- Submitting ---- */

static void test_submit(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	bool has = true;
	MUST_WORK(queue_has_submission(&q, "0a", &has, ERR));
	assert_false(has);
	submit(&q, "0a", 5);
	MUST_WORK(queue_has_submission(&q, "0a", &has, ERR));
	assert_true(has);
	MUST_WORK(queue_has_submission(&q, "0b", &has, ERR));
	assert_false(has);
	assert_int_equal(ask_number(&q, "HGET " KEY("submission:0a") " runs"), 5);
	assert_int_equal(ask_number(&q, "SISMEMBER " KEY("programs") " " PROGRAM), 1);
	/* Again: nothing more. */
	submit(&q, "0a", 5);
	assert_int_equal(ask_number(&q, "SCARD " KEY("submissions")), 1);
	struct reply *groups = ask(&q, "XINFO GROUPS " KEY("results"));
	assert_int_equal(groups->nr, 1);
	reply_free(groups);
	expect_runs(&q, 0, 0, 0);
	queue_disconnect(&q);
}

/* After the server has lost everything, meta among it. */
static void test_submit_after_loss(void **state)
{
	(void)state;
	struct queue q = open_queue(7);
	tell(&q, "FLUSHALL");
	submit(&q, "0a", 1);
	assert_int_equal(ask_number(&q, "HGET " KEY("meta") " format"), 1);
	assert_int_equal(ask_number(&q, "EXISTS " KEY("results") " " JOBS_KEY), 2);
	queue_disconnect(&q);
}

static void test_send_files(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	struct bundle b = make_bundle(BUNDLE_TEXT);
	char hex[HASH_HEX_BYTES], command[256];
	MUST_WORK(queue_send_files(&q, &b, ERR));
	hash_hex(b.hash, hex);
	snprintf(command, sizeof(command), "STRLEN " KEY("file:%s"), hex);
	assert_int_equal(ask_number(&q, command), (int64_t)b.len);
	queue_disconnect(&q);
}

/* ---- Enqueueing ---- */

static void test_enqueue_once(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 5);
	assert_int_equal(enqueue(&q, 0, 5, false), 5);
	assert_int_equal(enqueue(&q, 0, 5, false), 0);
	/* Somebody else wants some of them, and others. */
	submit(&q, "0b", 4);
	assert_int_equal(enqueue(&q, 3, 4, false), 2);
	expect_runs(&q, 7, 0, 0);
	queue_disconnect(&q);
}

static void test_same_run_twice_in_one_go(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	struct queue_run runs[3] = {run_of(1), run_of(2), run_of(1)};
	uint64_t added = 0;
	submit(&q, "0a", 3);
	MUST_WORK(queue_enqueue(&q, ONE, PROGRAM, runs, 3, false, &added, ERR));
	assert_int_equal(added, 2);
	expect_runs(&q, 2, 0, 0);
	queue_disconnect(&q);
}

static void test_most_at_a_time(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", MAX_ENQUEUE);
	assert_int_equal(enqueue(&q, 0, MAX_ENQUEUE, false), MAX_ENQUEUE);
	expect_runs(&q, MAX_ENQUEUE, 0, 0);
	queue_disconnect(&q);
}

/* A run that a worker has is in the queue still; one that is answered is, until everybody has the result. */
static void test_enqueue_what_is_under_way(void **state)
{
	static struct made_hand hand;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1);
	assert_int_equal(enqueue(&q, 0, 1, false), 1);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	expect_hand(&hand, 1, 0, 1);
	assert_int_equal(enqueue(&q, 0, 1, false), 0);
	answer(&q, "w", &hand);
	expect_runs(&q, 0, 0, 0);
	assert_int_equal(enqueue(&q, 0, 1, false), 0);
	/* Unless it is declared lost. */
	assert_int_equal(enqueue(&q, 0, 1, true), 1);
	expect_runs(&q, 1, 0, 0);
	queue_disconnect(&q);
}

static void test_enqueue_revives_dead_letters(void **state)
{
	static struct made_hand hand;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 2);
	enqueue(&q, 0, 2, false);
	for (unsigned i = 0; i < QUEUE_TRIES; i++) {
		take_left(&q, "w", 2, &hand);
		expect_hand(&hand, 2, 0, i + 1);
		for (size_t j = 0; j < 2; j++)
			MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[j], "no", ERR));
	}
	expect_runs(&q, 0, 0, 2);
	/* One of them is wanted again, with all its tries. */
	assert_int_equal(enqueue(&q, 1, 1, false), 1);
	expect_runs(&q, 1, 0, 1);
	take_runs(&q, "w", 5, 1, NULL, &hand);
	expect_hand(&hand, 1, 1, 1);
	assert_int_equal(enqueue(&q, 1, 1, false), 0);
	/* The other one by force: once. */
	assert_int_equal(enqueue(&q, 0, 1, true), 1);
	expect_runs(&q, 1, 1, 0);
	queue_disconnect(&q);
}

/* Runs of another program have a separate stream. */
static void test_programs_apart(void **state)
{
	static struct made_hand hand;
	(void)state;
	struct queue q = open_queue(0);
	struct bundle b = make_bundle(BUNDLE_TEXT);
	struct queue_run run = run_of(9);
	uint64_t added;
	submit(&q, "0a", 1);
	b.program = OTHER_PROGRAM;
	MUST_WORK(queue_submit(&q, "0b", &b, 1, ERR));
	MUST_WORK(queue_enqueue(&q, ONE, OTHER_PROGRAM, &run, 1, false, &added, ERR));
	assert_int_equal(added, 1);
	take_runs(&q, "w", 5, 1, NULL, &hand);
	assert_int_equal(hand.nr, 0);
	expect_runs(&q, 0, 0, 0);
	queue_disconnect(&q);
}

/* Without memory nothing is put there, and it shows. */
static void test_enqueue_without_memory(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	struct queue_run run = run_of(0);
	struct sahm_err err = {0};
	uint64_t added = 7;
	submit(&q, "0a", 1);
	tell(&q, "CONFIG SET maxmemory 1");
	assert_int_equal(queue_enqueue(&q, ONE, PROGRAM, &run, 1, false, &added, &err), SAHM_TOOL);
	assert_int_equal(added, 0);
	assert_non_null(strstr(err.msg, "OOM"));
	tell(&q, "CONFIG SET maxmemory 0");
	expect_runs(&q, 0, 0, 0);
	assert_int_equal(enqueue(&q, 0, 1, false), 1);
	queue_disconnect(&q);
}

/* Results can be fetched from a server that has no room left; a queue that is not there yet cannot begin on it. */
static void test_full_server(void **state)
{
	(void)state;
	struct queue first = open_queue(7), q;
	const struct queue_options options = {.url = made_server.url, .name = MADE_QUEUE},
				   unknown = {.url = made_server.url, .name = "unknown"};
	struct sahm_err err;
	reply_free(ask(&first, "CONFIG SET maxmemory 1"));
	enum sahm_status known = queue_connect(&q, &options, &err);
	if (known == SAHM_OK) {
		assert_int_equal(q.claim_ms, 7000);
		queue_disconnect(&q);
	}
	enum sahm_status begun = queue_connect(&q, &unknown, &err);
	reply_free(ask(&first, "CONFIG SET maxmemory 0"));
	assert_int_equal(known, SAHM_OK);
	assert_int_equal(begun, SAHM_TOOL);
	assert_non_null(strstr(err.msg, "has no room left (OOM, its maxmemory)"));
	queue_disconnect(&first);
}

static void test_wrong_types(void **state)
{
	static const char *const keys[] = {KEY("runs"), JOBS_KEY, KEY("dead"), KEY("submissions"), KEY("results")};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct queue q = open_queue(0);
		const struct bundle b = make_bundle(BUNDLE_TEXT);
		struct queue_run run = run_of(0);
		struct sahm_err err = {0};
		char command[128];
		uint64_t added;
		snprintf(command, sizeof(command), "SET %s 1", keys[i]);
		tell(&q, command);
		enum sahm_status status = queue_submit(&q, "0a", &b, 1, &err);
		if (status == SAHM_OK) {
			/* A dead letter that is none is looked for where that is no stream. */
			tell(&q, "DEL " KEY("runs"));
			if (i == 2)
				reply_free(ask_with(
					&q, "EVAL return{redis.call('HSET',KEYS[1],ARGV[1],'d1-1')} 1 " KEY("runs"),
					run.hash, HASH_BYTES));
			if (i == 0)
				tell(&q, command);
			status = queue_enqueue(&q, ONE, PROGRAM, &run, 1, false, &added, &err);
		}
		if (status != SAHM_TOOL || !strstr(err.msg, "WRONGTYPE"))
			fail_msg("%s: status %d, %s", keys[i], status, err.msg);
		queue_disconnect(&q);
	}
}

/* ---- Forgetting ---- */

static void test_forget(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	bool has;
	submit(&q, "0a", 2);
	submit(&q, "0b", 2);
	enqueue(&q, 0, 2, false);
	struct bundle b = make_bundle(BUNDLE_TEXT);
	MUST_WORK(queue_send_files(&q, &b, ERR));
	/* meta, submissions, 2 submissions, programs, jobs, results, runs, a file */
	assert_int_equal(ask_number(&q, "DBSIZE"), 9);
	MUST_WORK(queue_forget(&q, "0a", ERR));
	MUST_WORK(queue_has_submission(&q, "0a", &has, ERR));
	assert_false(has);
	/* The other one has the same file. */
	assert_int_equal(ask_number(&q, "DBSIZE"), 8);
	expect_runs(&q, 2, 0, 0);
	/* Again, and one that nobody knows. */
	MUST_WORK(queue_forget(&q, "0a", ERR));
	MUST_WORK(queue_forget(&q, "ff", ERR));
	assert_int_equal(ask_number(&q, "DBSIZE"), 8);
	MUST_WORK(queue_forget(&q, "0b", ERR));
	assert_int_equal(ask_number(&q, "DBSIZE"), 1);
	assert_int_equal(ask_number(&q, "HGET " KEY("meta") " claim_ms"), 30000);
	queue_disconnect(&q);
}

/* A new submission with another bundle removes all of the first. */
static void test_forget_both_bundles(void **state)
{
	(void)state;
	struct queue q = open_queue(0);
	struct bundle first = make_bundle(BUNDLE_TEXT), second = make_bundle("another");
	MUST_WORK(queue_submit(&q, "0a", &first, 1, ERR));
	MUST_WORK(queue_send_files(&q, &first, ERR));
	MUST_WORK(queue_submit(&q, "0a", &second, 1, ERR));
	MUST_WORK(queue_send_files(&q, &second, ERR));
	MUST_WORK(queue_submit(&q, "0a", &second, 1, ERR));
	struct reply *files = ask(&q, "HGET " KEY("submission:0a") " files");
	assert_int_equal(files->len, 2 * HASH_BYTES);
	reply_free(files);
	MUST_WORK(queue_forget(&q, "0a", ERR));
	assert_int_equal(ask_number(&q, "DBSIZE"), 1);
	queue_disconnect(&q);
}

TEST_FILE(test_queue)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_default_name),
		cmocka_unit_test(test_look),
		cmocka_unit_test(test_claims_agree),
		cmocka_unit_test(test_claim_after_loss),
		cmocka_unit_test(test_strange_meta),
		cmocka_unit_test(test_submit),
		cmocka_unit_test(test_submit_after_loss),
		cmocka_unit_test(test_send_files),
		cmocka_unit_test(test_enqueue_once),
		cmocka_unit_test(test_same_run_twice_in_one_go),
		cmocka_unit_test(test_most_at_a_time),
		cmocka_unit_test(test_enqueue_what_is_under_way),
		cmocka_unit_test(test_enqueue_revives_dead_letters),
		cmocka_unit_test(test_programs_apart),
		cmocka_unit_test(test_enqueue_without_memory),
		cmocka_unit_test(test_full_server),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_forget),
		cmocka_unit_test(test_forget_both_bundles),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
