/* Links to servers that are none, or are hostile: whatever they send, there is a clear failure, in time, and memory
 * stays in bounds. */
#include <sys/resource.h>

#include "sim/base/array.h"
#include "tests/unit/sim/queue/made_impostor.h"
#include "tests/unit/sim/queue/made_link.h"

#define REPLY_MS 300u

/* Maximum time of a test with sanitizers, on a machine that is busy otherwise. */
#define MOST_MS 10000u

/* Beyond what the test itself takes; replies of MAX_REPLY_BYTES are there twice, sanitizers keep what was freed. */
#define MOST_KB (700u << 10)

static long most_kb(void)
{
	struct rusage usage;
	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

static void expect_bounds(const char *name, uint64_t begin_ms, long before_kb)
{
	if (now_ms() - begin_ms > MOST_MS)
		fail_msg("%s takes %llu ms", name, (unsigned long long)(now_ms() - begin_ms));
	if (most_kb() - before_kb > (long)MOST_KB)
		fail_msg("%s takes %ld KB", name, most_kb() - before_kb);
}

static void test_login(void **state)
{
	static const struct {
		const char *name;
		struct impostor impostor;
		enum sahm_status status;
		const char *message;
	} rows[] = {
		{"as it should be", {.answer = ""}, SAHM_OK, ""},
		{"oldest version", {.info = "$19\r\nredis_version:7.0.0\r\n"}, SAHM_OK, ""},
		{"shortest version", {.info = "$17\r\nredis_version:7.0\r\n"}, SAHM_OK, ""},
		{"version of many digits", {.info = "$18\r\nredis_version:10.0\r\n"}, SAHM_OK, ""},
		{"too old",
		 {.info = "$20\r\nredis_version:6.99.9\r\n"},
		 SAHM_TOOL,
		 "has version 6.99.9; 7.0 is needed at least"},
		{"far too old",
		 {.info = "$22\r\nredis_version:5.9.0\r\nx\r\n"},
		 SAHM_TOOL,
		 "has version 5.9.0; 7.0 is needed"},
		{"version without minor",
		 {.info = "$16\r\nredis_version:7.\r\n"},
		 SAHM_TOOL,
		 "does not answer as a Redis server"},
		{"version without numbers", {.info = "$18\r\nredis_version:a.b\n\r\n"}, SAHM_TOOL, "does not answer"},
		{"version beyond all",
		 {.info = "$40\r\nredis_version:99999999999999999999999.99\r\n"},
		 SAHM_TOOL,
		 "does not answer"},
		{"no version", {.info = "$5\r\nabcde\r\n"}, SAHM_TOOL, "does not answer"},
		{"empty information", {.info = "$0\r\n\r\n"}, SAHM_TOOL, "does not answer"},
		{"information of another kind",
		 {.info = "*1\r\n+redis_version:7.0.0\r\n"},
		 SAHM_TOOL,
		 "does not answer"},
		{"no information", {.info = "$-1\r\n"}, SAHM_TOOL, "does not answer"},
		{"huge information", {.info = "$99999999999\r\n"}, SAHM_TOOL, "does not answer"},
		{"half of the information", {.info = "$40\r\nredis_version:7"}, SAHM_IO, "it does not answer in time"},
		{"other greeting", {.ping = "+PANG\r\n"}, SAHM_TOOL, "does not answer"},
		{"greeting of another kind", {.ping = "$4\r\nPONG\r\n"}, SAHM_TOOL, "does not answer"},
		{"number for a greeting", {.ping = ":1\r\n"}, SAHM_TOOL, "does not answer"},
		{"server for pages", {.ping = "HTTP/1.1 400 Bad Request\r\n\r\n"}, SAHM_TOOL, "does not answer"},
		{"silence", {.ping = ""}, SAHM_IO, "it does not answer in time"},
		{"loading",
		 {.ping = "-LOADING Redis is loading\r\n"},
		 SAHM_IO,
		 "is not ready for a PING: LOADING Redis is loading"},
		{"busy", {.select = "-BUSY with a script\r\n"}, SAHM_IO, "is not ready for the database: BUSY"},
		{"without master",
		 {.info = "-MASTERDOWN Link\r\n"},
		 SAHM_IO,
		 "is not ready for a look at its version: MASTERDOWN"},
		{"too many", {.ping = "-ERR max number of clients reached\r\n"}, SAHM_IO, "max number of clients"},
		{"loading, but not so", {.ping = "-LOADINGS\r\n"}, SAHM_CONFIG, "refuses a PING: LOADINGS"},
		{"protected",
		 {.ping = "-DENIED Redis is running in protected mode\r\n"},
		 SAHM_CONFIG,
		 "refuses a PING: DENIED"},
		{"terminal", {.ping = "-\033[2Jx\r\n"}, SAHM_CONFIG, "refuses a PING: ?[2Jx"},
		{"what nobody asked for", {.greets = true, .answer = "+OK\r\n"}, SAHM_TOOL, "does not answer"},
		{"other database", {.select = "+KO\r\n"}, SAHM_TOOL, "does not answer"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct impostor impostor = rows[i].impostor;
		struct redis_link *link = NULL;
		struct sahm_err err = {0};
		long before_kb = most_kb();
		start_impostor(&impostor);
		uint64_t begin = now_ms();
		enum sahm_status status = try_link(&link, "", impostor.port, 1, REPLY_MS, &err);
		if (status != rows[i].status || !strstr(err.msg, rows[i].message))
			fail_msg("%s: status %d, '%s'", rows[i].name, (int)status, err.msg);
		expect_bounds(rows[i].name, begin, before_kb);
		redis_link_free(link);
		stop_impostor(&impostor);
	}
}

/* An old server repeats what it does not know. */
static void test_told_password(void **state)
{
	struct impostor impostor = {.answer = "-ERR unknown command `AUTH`, with args beginning with: `secret`\r\n"};
	struct redis_link *link = NULL;
	struct sahm_err err;
	char told[128];
	(void)state;
	start_impostor(&impostor);
	snprintf(told, sizeof(told), "the Redis server '127.0.0.1:%u' refuses the login", (unsigned)impostor.port);
	expect_failure(try_link(&link, ":secret", impostor.port, 0, REPLY_MS, &err), &err, SAHM_CONFIG, told);
	assert_int_equal(try_link(&link, "me:other", impostor.port, 0, REPLY_MS, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "unknown command"));
	stop_impostor(&impostor);
}

static void test_replies(void **state)
{
	static const struct {
		const char *name;
		struct impostor impostor;
		const char *message;
	} rows[] = {
		{"garbage", {.answer = "\x01\x02garbage"}, "sent something that is not a reply"},
		{"count of many", {.answer = "*1000000000\r\n"}, "is too large"},
		{"count of many, and more", {.answer = "*1048576\r\n", .more = ":1\r\n:1\r\n"}, "is too large"},
		{"count that wraps", {.answer = "*4611686018427387905\r\n"}, "sent something that is not a reply"},
		{"nothing but depth", {.answer = "*1\r\n", .more = "*1\r\n"}, "sent something that is not a reply"},
		{"negative length", {.answer = "$-5\r\n"}, "sent something that is not a reply"},
		{"negative count", {.answer = "*-2\r\n"}, "sent something that is not a reply"},
		{"announced length", {.answer = "$67108865\r\n", .more = "xxxxxxxxxxxxxxxxxxxxxxxx"}, "is too large"},
		{"endless status", {.answer = "+", .more = "xxxxxxxxxxxxxxxxxxxxxxxx"}, "is too large"},
		{"endless error", {.answer = "-", .more = "xxxxxxxxxxxxxxxxxxxxxxxx"}, "is too large"},
		{"endless heading",
		 {.answer = "$", .more = "000000000000000000000000"},
		 "sent something that is not a reply"},
		{"endless strings",
		 {.answer = "*1048000\r\n",
		  .more = "$100\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			  "xxxxxxxxxxxxxxxx\r\n"},
		 "is"},
		{"slow bytes", {.answer = "$1000\r\n", .more = "x", .pause_ms = 20}, "it does not answer in time"},
		{"nothing", {.answer = ""}, "it does not answer in time"},
		{"half a string, then silence", {.answer = "$100\r\nhalf"}, "it does not answer in time"},
		{"half an array, then silence", {.answer = "*2\r\n$-1\r\n"}, "it does not answer in time"},
		{"half a string, then the end", {.answer = "$100\r\nhalf", .closes = true}, "it has closed it"},
		{"half an array, then the end", {.answer = "*2\r\n+x\r\n", .closes = true}, "it has closed it"},
		{"the end", {.answer = NULL}, "is lost: "},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct impostor impostor = rows[i].impostor;
		struct redis_link *link = NULL;
		struct reply *reply = NULL;
		struct sahm_err err = {0};
		long before_kb = most_kb();
		start_impostor(&impostor);
		MUST_WORK(try_link(&link, "", impostor.port, 0, REPLY_MS, ERR));
		uint64_t begin = now_ms();
		enum sahm_status status = try_call(link, "GET key", &reply, &err);
		if (status != SAHM_IO || !strstr(err.msg, rows[i].message) || reply)
			fail_msg("%s: status %d, '%s'", rows[i].name, (int)status, err.msg);
		if (redis_link_is_up(link))
			fail_msg("%s: the link is still there", rows[i].name);
		expect_bounds(rows[i].name, begin, before_kb);
		/* It stays a link. */
		wait_for_link(link);
		assert_int_equal(redis_link_nr_connections(link), 2);
		redis_link_free(link);
		stop_impostor(&impostor);
	}
}

/* The caller checks replies of any kind; errors are reported without harm. */
static void test_kinds(void **state)
{
	static const struct {
		const char *answer;
		enum reply_kind kind;
	} rows[] = {
		{":1\r\n", REPLY_INTEGER}, {"$-1\r\n", REPLY_NIL},	     {"*-1\r\n", REPLY_NIL},
		{"*0\r\n", REPLY_ARRAY},   {"$1\r\n\xff\r\n", REPLY_STRING}, {"+\r\n", REPLY_STATUS},
	};
	static const struct {
		const char *answer, *word, *said;
	} errors[] = {
		{"-\r\n", "", "refuses GET: "},
		{"-one\r\n", "one", "refuses GET: one"},
		{"- x\r\n", "", "refuses GET:  x"},
		{"-a\033b c\r\n", "a?b", "refuses GET: a?b c"},
		{"-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA b\r\n", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAA b"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct impostor impostor = {.answer = rows[i].answer};
		start_impostor(&impostor);
		struct redis_link *link = open_link("", impostor.port, 0);
		struct reply *reply = call(link, "GET key");
		assert_int_equal(reply->kind, rows[i].kind);
		reply_free(reply);
		redis_link_free(link);
		stop_impostor(&impostor);
	}
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		struct impostor impostor = {.answer = errors[i].answer};
		struct sahm_err err;
		start_impostor(&impostor);
		struct redis_link *link = open_link("", impostor.port, 0);
		assert_int_equal(try_call(link, "GET key", NULL, &err), SAHM_TOOL);
		assert_string_equal(redis_link_error(link), errors[i].word);
		if (!strstr(err.msg, errors[i].said))
			fail_msg("'%s'", err.msg);
		assert_true(redis_link_is_up(link));
		redis_link_free(link);
		stop_impostor(&impostor);
	}
}

/* An answer too many is not taken for the next command's. */
static void test_unasked(void **state)
{
	struct impostor impostor = {.answer = "+one\r\n+two\r\n"};
	struct sahm_err err;
	(void)state;
	start_impostor(&impostor);
	struct redis_link *link = open_link("", impostor.port, 0);
	expect_answer(link, "GET key", "one");
	sleep_ms(20);
	assert_int_equal(try_call(link, "GET key", NULL, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "sent more than it was asked for"));
	wait_for_link(link);
	expect_answer(link, "GET key", "one");
	redis_link_free(link);
	stop_impostor(&impostor);
}

/* Who takes nothing: sending ends in time, too. */
static void test_full(void **state)
{
	struct impostor impostor = {.answer = "+x\r\n", .more = "", .pause_ms = 100};
	struct redis_link *link = NULL;
	struct redis_words w;
	struct sahm_err err;
	size_t len = (size_t)32 << 20;
	char *bytes = calloc(1, len);
	(void)state;
	assert_non_null(bytes);
	start_impostor(&impostor);
	MUST_WORK(try_link(&link, "", impostor.port, 0, 50, ERR));
	redis_words_init(&w);
	redis_words_begin(&w, "SET key");
	redis_word_bytes(&w, bytes, len);
	uint64_t begin = now_ms();
	assert_int_equal(redis_link_call(link, &w, 0, NULL, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "it takes nothing any more"));
	/* 50 ms for each MiB. */
	assert_true(now_ms() - begin >= 32 * 50 && now_ms() - begin < MOST_MS);
	redis_words_release(&w);
	redis_link_free(link);
	stop_impostor(&impostor);
	free(bytes);
}

/* Writing to a connection whose peer is gone fails, and does not end the program. */
static void test_broken_pipe(void **state)
{
	struct impostor impostor = {.answer = ""};
	static char bytes[1 << 20];
	struct redis_words w;
	struct reply *reply;
	struct sahm_err err;
	(void)state;
	assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
	start_impostor(&impostor);
	struct redis_link *link = open_link("", impostor.port, 0);
	redis_words_init(&w);
	redis_words_begin(&w, "SET key");
	redis_word_bytes(&w, bytes, sizeof(bytes));
	for (int i = 0; i < 32; i++)
		MUST_WORK(redis_link_send(link, &w, ERR));
	stop_impostor(&impostor);
	assert_int_equal(redis_link_receive(link, &reply, &err), SAHM_IO);
	assert_null(reply);
	assert_non_null(strstr(err.msg, "is lost: "));
	redis_words_release(&w);
	redis_link_free(link);
}

/* A waiting client is patient with a server that starts, and not with one that refuses. */
static void test_patience(void **state)
{
	struct impostor impostor = {.answer = NULL, .nr_not_ready = 4, .not_ready = "-LOADING x\r\n"};
	struct sahm_err err;
	struct redis_link *link = NULL;
	(void)state;
	start_impostor(&impostor);
	/* The first attempt does not wait. */
	assert_int_equal(try_link(&link, "", impostor.port, 0, REPLY_MS, &err), SAHM_IO);
	*impostor.nr_connections = impostor.nr_not_ready;
	link = open_link("", impostor.port, 0);
	*impostor.nr_connections = 0;
	assert_int_equal(try_call(link, "GET key", NULL, &err), SAHM_IO);
	struct watched_deadline d = deadline_in(20000);
	uint64_t begin = now_ms();
	MUST_WORK(redis_link_wait(link, before_deadline, &d, ERR));
	assert_int_equal(*impostor.nr_connections, 5);
	/* At least half of 50 + 50 + 100 + 200 + 400 ms. */
	assert_true(now_ms() - begin >= 375);
	assert_true(d.longest_ms < 1000);
	assert_int_equal(redis_link_nr_connections(link), 2);
	redis_link_free(link);
	stop_impostor(&impostor);
}

/* Attempts become rare, and who gives up is heard at once. */
static void test_backoff(void **state)
{
	struct impostor impostor = {.answer = NULL, .nr_not_ready = 1000, .not_ready = "-LOADING x\r\n"};
	struct sahm_err err;
	(void)state;
	start_impostor(&impostor);
	*impostor.nr_connections = impostor.nr_not_ready;
	struct redis_link *link = open_link("", impostor.port, 0);
	*impostor.nr_connections = 0;
	assert_int_equal(try_call(link, "GET key", NULL, &err), SAHM_IO);
	struct watched_deadline d = deadline_in(1000);
	uint64_t begin = now_ms();
	assert_int_equal(redis_link_wait(link, before_deadline, &d, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "is not ready for a PING: LOADING x"));
	assert_true(now_ms() - begin >= 1000 && now_ms() - begin < 2000);
	/* After 50, 100, 200, 400, 800 ms or as little as half of it each. */
	assert_in_range(*impostor.nr_connections, 2, 6);
	assert_true(d.nr_asked >= 10 && d.longest_ms < 500);
	redis_link_free(link);
	stop_impostor(&impostor);
}

TEST_FILE(test_redis_hostile)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_login),	    cmocka_unit_test(test_told_password),
		cmocka_unit_test(test_replies),	    cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_unasked),	    cmocka_unit_test(test_full),
		cmocka_unit_test(test_broken_pipe), cmocka_unit_test(test_patience),
		cmocka_unit_test(test_backoff),
	};
	if (!redis_is_built_in()) {
		puts("built without hiredis");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
