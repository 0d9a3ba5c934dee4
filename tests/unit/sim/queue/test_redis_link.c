/* Links to real servers: requests are answered, even if the connection breaks in between. */
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/time.h>

#include "sim/base/array.h"
#include "sim/queue/redis_link_internal.h"
#include "tests/unit/sim/queue/made_link.h"

static struct made_redis redis;

static int start(void **state)
{
	(void)state;
	if (redis_is_built_in() && has_redis())
		start_redis(&redis, "");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	if (redis.pid)
		stop_redis(&redis);
	return 0;
}

/* A link to an empty database. */
static struct redis_link *fresh_link(unsigned database)
{
	need_redis();
	struct redis_link *link = open_link("", redis.port, database);
	expect_answer(link, "FLUSHDB", "OK");
	return link;
}

static void test_calls(void **state)
{
	struct redis_link *link = fresh_link(1);
	struct sahm_err err;
	char name[64];
	(void)state;
	assert_string_equal(redis_link_error(link), "");
	assert_int_equal(redis_link_nr_connections(link), 1);
	assert_true(redis_link_is_up(link));
	snprintf(name, sizeof(name), "127.0.0.1:%u", (unsigned)redis.port);
	assert_string_equal(redis_link_name(link), name);

	struct redis_words w;
	redis_words_init(&w);
	redis_words_begin(&w, "SET key");
	redis_word_bytes(&w, "a\0\r\n", 4);
	MUST_WORK(redis_link_call(link, &w, 0, NULL, ERR));
	redis_words_release(&w);
	struct reply *reply = call(link, "GET key");
	assert_int_equal(reply->kind, REPLY_STRING);
	assert_int_equal(reply->len, 4);
	assert_memory_equal(reply->bytes, "a\0\r\n", 5);
	reply_free(reply);

	expect_answer(link, "GET nothing", NULL);
	expect_number(link, "INCR n", 1);
	expect_number(link, "GET n", 1);
	expect_number(link, "HSET h a 1 b 2", 2);
	reply = call(link, "HGETALL h");
	assert_true(reply_is_array(reply, 4, 4));
	assert_string_equal(reply_member(reply, "b")->bytes, "2");
	reply_free(reply);

	/* An error ends nothing. */
	char expected[192];
	snprintf(
		expected, sizeof(expected),
		"the Redis server '%s' refuses INCR: WRONGTYPE Operation against a key holding the wrong kind of value",
		name);
	expect_failure(try_call(link, "INCR h", &reply, &err), &err, SAHM_TOOL, expected);
	assert_null(reply);
	assert_string_equal(redis_link_error(link), "WRONGTYPE");
	assert_int_equal(try_call(link, "HGET h", NULL, &err), SAHM_TOOL);
	assert_string_equal(redis_link_error(link), "ERR");
	expect_number(link, "INCR n", 2);
	assert_int_equal(redis_link_nr_connections(link), 1);
	redis_link_free(link);
	redis_link_free(NULL);
}

static void send_words(struct redis_link *link, const char *words)
{
	struct redis_words w;
	redis_words_init(&w);
	redis_words_begin(&w, words);
	MUST_WORK(redis_link_send(link, &w, ERR));
	redis_words_release(&w);
}

static void test_pipeline(void **state)
{
	struct redis_link *link = fresh_link(1);
	struct sahm_err err;
	struct reply *reply;
	(void)state;
	expect_answer(link, "SET text x", "OK");
	for (int i = 0; i < 2000; i++)
		send_words(link, i == 1000 ? "INCR text" : "INCR n");
	for (int i = 0; i < 2000; i++) {
		MUST_WORK(redis_link_receive(link, &reply, ERR));
		assert_int_equal(reply->kind, i == 1000 ? REPLY_ERROR : REPLY_INTEGER);
		if (i != 1000)
			assert_int_equal(reply->integer, i < 1000 ? i + 1 : i);
		reply_free(reply);
	}
	assert_string_equal(redis_link_error(link), "ERR");
	assert_int_equal(redis_link_receive(link, &reply, &err), SAHM_IO);
	assert_null(reply);
	assert_true(redis_link_is_up(link));
	/* Replies that nobody fetches are not taken for others. */
	for (int i = 0; i < 3; i++)
		send_words(link, "INCR n");
	expect_answer(link, "GET text", "x");
	expect_number(link, "GET n", 2002);
	redis_link_free(link);
}

/* More than fits into any buffer on the way, in both directions. */
static void test_large(void **state)
{
	static char bytes[1 << 20];
	struct redis_link *link = fresh_link(1);
	struct redis_words w;
	struct reply *reply;
	(void)state;
	redis_words_init(&w);
	for (int i = 0; i < 20; i++) {
		memset(bytes, 'a' + i, sizeof(bytes));
		redis_words_begin(&w, "SET");
		redis_word_u64(&w, (uint64_t)i);
		redis_word_bytes(&w, bytes, sizeof(bytes));
		MUST_WORK(redis_link_send(link, &w, ERR));
		redis_words_begin(&w, "GET");
		redis_word_u64(&w, (uint64_t)i);
		MUST_WORK(redis_link_send(link, &w, ERR));
	}
	for (int i = 0; i < 20; i++) {
		MUST_WORK(redis_link_receive(link, &reply, ERR));
		reply_free(reply);
		MUST_WORK(redis_link_receive(link, &reply, ERR));
		assert_int_equal(reply->len, sizeof(bytes));
		assert_int_equal(reply->bytes[0], 'a' + i);
		assert_int_equal(reply->bytes[sizeof(bytes) - 1], 'a' + i);
		reply_free(reply);
	}
	redis_words_release(&w);
	expect_answer(link, "FLUSHDB", "OK");
	redis_link_free(link);
}

static const struct redis_script script = {"example", "return redis.call('INCRBY', KEYS[1], ARGV[1])", NULL};
static const struct redis_script faulty = {"faulty", "return redis.call('NOTHING')", NULL};

static void expect_script(struct redis_link *link, int64_t expected)
{
	struct redis_words w;
	struct reply *reply;
	int64_t value;
	redis_words_init(&w);
	redis_script_begin(&w, &script, 1);
	redis_word(&w, "n");
	redis_word_i64(&w, 5);
	MUST_WORK(redis_link_script(link, &script, &w, &reply, ERR));
	assert_true(reply_number(reply, expected, expected, &value));
	reply_free(reply);
	redis_words_release(&w);
}

static void test_scripts(void **state)
{
	struct redis_words w;
	struct sahm_err err;
	struct reply *reply;
	struct redis_link *link = fresh_link(1);
	(void)state;
	expect_script(link, 5);
	expect_script(link, 10);
	/* One that has forgotten it. */
	expect_answer(link, "SCRIPT FLUSH", "OK");
	expect_script(link, 15);
	restart_redis(&redis);
	assert_int_equal(try_call(link, "PING", NULL, &err), SAHM_IO);
	wait_for_link(link);
	expect_script(link, 5);
	expect_script(link, 10);

	redis_words_init(&w);
	redis_script_begin(&w, &faulty, 0);
	assert_int_equal(redis_link_script(link, &faulty, &w, &reply, &err), SAHM_TOOL);
	assert_null(reply);
	assert_non_null(strstr(err.msg, "script 'faulty': the Redis server"));
	assert_non_null(strstr(err.msg, "refuses EVAL: ERR "));
	redis_words_release(&w);
	redis_link_free(link);
}

/* Nothing is there, for a while; then something is, and all is as before. */
static void test_comes_back(void **state)
{
	struct made_redis kept;
	struct sahm_err err;
	char told[192];
	(void)state;
	need_redis();
	start_redis(&kept, "--appendonly yes --appendfsync always --requirepass secret");
	struct redis_link *link = open_link(":secret", kept.port, 3);
	expect_answer(link, "SET where three", "OK");
	kill_redis(&kept);
	snprintf(told, sizeof(told), "the connection to the Redis server '127.0.0.1:%u' is lost: it has closed it",
		 (unsigned)kept.port);
	expect_failure(try_call(link, "GET where", NULL, &err), &err, SAHM_IO, told);
	assert_false(redis_link_is_up(link));
	/* In the pause the reason is reported again; after it one tries. */
	expect_failure(redis_link_try(link, &err), &err, SAHM_IO, told);
	sleep_ms(REDIS_FIRST_PAUSE_MS + 1);
	snprintf(told, sizeof(told), "cannot connect to the Redis server '127.0.0.1:%u': Connection refused",
		 (unsigned)kept.port);
	expect_failure(try_call(link, "GET where", NULL, &err), &err, SAHM_IO, told);
	run_redis(&kept);
	wait_for_link(link);
	assert_true(redis_link_is_up(link));
	assert_int_equal(redis_link_nr_connections(link), 2);
	expect_answer(link, "GET where", "three");
	expect_answer(link, "SELECT 0", "OK");
	expect_answer(link, "GET where", NULL);

	/* A pipeline that is under way is lost as a whole. */
	struct reply *reply;
	send_words(link, "PING");
	send_words(link, "PING");
	restart_redis(&kept);
	assert_int_equal(redis_link_receive(link, &reply, &err), SAHM_IO);
	assert_null(reply);
	assert_int_equal(redis_link_receive(link, &reply, &err), SAHM_IO);
	/* Without waiting, the first call after the pause does. */
	sleep_ms(REDIS_FIRST_PAUSE_MS + 1);
	expect_answer(link, "GET where", "three");
	assert_int_equal(redis_link_nr_connections(link), 3);
	redis_link_free(link);
	stop_redis(&kept);
}

/* A server that is silent: calls end in time, and late answers are not taken for those to other questions. */
static void test_silence(void **state)
{
	struct redis_link *link = NULL;
	struct sahm_err err;
	(void)state;
	need_redis();
	MUST_WORK(try_link(&link, "", redis.port, 0, 200, ERR));
	expect_answer(link, "SET late answer", "OK");
	freeze_redis(&redis);
	uint64_t begin = now_ms();
	assert_int_equal(try_call(link, "GET late", NULL, &err), SAHM_IO);
	assert_true(now_ms() - begin >= 200 && now_ms() - begin < 2000);
	assert_non_null(strstr(err.msg, "it does not answer in time"));
	assert_false(redis_link_is_up(link));
	/* The system accepts connections in its place; nobody logs in. */
	link->options.connect_ms = 5000;
	struct watched_deadline d = deadline_in(700);
	begin = now_ms();
	assert_int_equal(redis_link_wait(link, before_deadline, &d, &err), SAHM_IO);
	assert_true(now_ms() - begin >= 700 && now_ms() - begin < 3000);
	assert_true(d.nr_asked >= 7 && d.longest_ms < 1000);
	signal_redis(&redis, SIGCONT);
	wait_for_link(link);
	expect_answer(link, "ECHO other", "other");
	/* A call that may take longer does. */
	begin = now_ms();
	struct redis_words w;
	struct reply *reply;
	redis_words_init(&w);
	redis_words_begin(&w, "BLPOP nothing 0.5");
	MUST_WORK(redis_link_call(link, &w, 5000, &reply, ERR));
	assert_int_equal(reply->kind, REPLY_NIL);
	assert_true(now_ms() - begin >= 400);
	reply_free(reply);
	/* And the next ones may not. */
	assert_int_equal(redis_link_call(link, &w, 0, &reply, &err), SAHM_IO);
	redis_words_release(&w);
	redis_link_free(link);
}

static void test_login(void **state)
{
	static const struct {
		const char *name, *login;
		unsigned database;
		enum sahm_status status;
		const char *message;
	} rows[] = {
		{"password alone", ":secret", 0, SAHM_OK, NULL},
		{"default user", "default:secret", 15, SAHM_OK, NULL},
		{"user", "worker:s%20ecret", 0, SAHM_OK, NULL},
		{"user without a password", "open", 0, SAHM_OK, NULL},
		{"no password", "", 0, SAHM_CONFIG, "refuses a PING: NOAUTH"},
		{"wrong password", ":secret2", 0, SAHM_CONFIG, "refuses the login: WRONGPASS"},
		{"wrong user", "nobody:secret", 0, SAHM_CONFIG, "refuses the login: WRONGPASS"},
		{"wrong password of a user", "worker:secret", 0, SAHM_CONFIG, "refuses the login: WRONGPASS"},
		{"no such database", ":secret", 16, SAHM_CONFIG, "refuses the database: ERR DB index is out of range"},
		{"user who may not look", "blind:secret", 0, SAHM_CONFIG, "refuses a look at its version: NOPERM"},
	};
	struct made_redis guarded;
	(void)state;
	need_redis();
	start_redis(&guarded, "--requirepass secret");
	struct redis_link *link = open_link(":secret", guarded.port, 0);
	struct redis_words w;
	redis_words_init(&w);
	redis_words_begin(&w, "ACL SETUSER worker on");
	redis_word(&w, ">s ecret");
	redis_word(&w, "+@all");
	MUST_WORK(redis_link_call(link, &w, 0, NULL, ERR));
	redis_words_release(&w);
	expect_answer(link, "ACL SETUSER open on nopass +@all", "OK");
	expect_answer(link, "ACL SETUSER blind on >secret +@all -info", "OK");
	redis_link_free(link);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {0};
		link = NULL;
		enum sahm_status status = try_link(&link, rows[i].login, guarded.port, rows[i].database, 10000, &err);
		if (status != rows[i].status || (status != SAHM_OK && !strstr(err.msg, rows[i].message)))
			fail_msg("%s: status %d, '%s'", rows[i].name, (int)status, err.msg);
		if (strstr(err.msg, "secret"))
			fail_msg("%s shows a password: '%s'", rows[i].name, err.msg);
		redis_link_free(link);
	}
	/* Whom the server does not know any more: waiting ends at once. */
	struct redis_link *worker = open_link("worker:s%20ecret", guarded.port, 0);
	link = open_link(":secret", guarded.port, 0);
	expect_number(link, "ACL DELUSER worker", 1);
	struct sahm_err err;
	struct watched_deadline d = deadline_in(20000);
	assert_int_equal(try_call(worker, "PING", NULL, &err), SAHM_IO);
	assert_int_equal(redis_link_wait(worker, before_deadline, &d, &err), SAHM_CONFIG);
	assert_true(d.nr_asked < 20);
	redis_link_free(worker);
	redis_link_free(link);
	stop_redis(&guarded);
}

static void test_nobody(void **state)
{
	struct redis_link *link = NULL;
	struct sahm_err err;
	(void)state;
	if (!redis_is_built_in())
		skip();
	uint16_t port = free_port();
	char told[192];
	snprintf(told, sizeof(told), "cannot connect to the Redis server '127.0.0.1:%u': Connection refused",
		 (unsigned)port);
	expect_failure(try_link(&link, ":secret", port, 0, 1000, &err), &err, SAHM_IO, told);
	assert_null(link);
}

/* A name with several addresses, of which only the last may have a server. */
static void test_names(void **state)
{
	struct redis_link *link = NULL;
	struct redis_url url = {.host = "localhost", .port = redis.port};
	(void)state;
	need_redis();
	MUST_WORK(redis_link_open(&link, &url, NULL, ERR));
	expect_answer(link, "PING", "PONG");
	redis_link_free(link);
}

static void on_alarm(int number)
{
	(void)number;
}

/* Signals end no waiting. */
static void test_signals(void **state)
{
	struct redis_link *link = fresh_link(1);
	struct sigaction action = {.sa_handler = on_alarm}, before;
	struct itimerval often = {{0, 3000}, {0, 3000}}, never = {0};
	(void)state;
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	uint64_t begin = now_ms();
	expect_answer(link, "BLPOP nothing 0.3", NULL);
	assert_true(now_ms() - begin >= 250);
	struct redis_link *other = open_link("", redis.port, 1);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	redis_link_free(other);
	redis_link_free(link);
}

static int option(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);
	assert_int_equal(getsockopt(fd, level, name, &value, &len), 0);
	return value;
}

static void test_socket(void **state)
{
	struct redis_link *link = fresh_link(1);
	(void)state;
	assert_true(fcntl(link->fd, F_GETFD) & FD_CLOEXEC);
	assert_true(option(link->fd, SOL_SOCKET, SO_KEEPALIVE));
	assert_true(option(link->fd, IPPROTO_TCP, TCP_NODELAY));
	redis_link_free(link);
}

/* A child leaves, and the parent does not notice. */
static void test_forked(void **state)
{
	struct redis_link *link = fresh_link(1);
	int status;
	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		int fd = link->fd;
		struct sahm_err err;
		redis_link_leave(link);
		bool good = fcntl(fd, F_GETFD) < 0 && !redis_link_is_up(link) &&
			    redis_link_try(link, &err) == SAHM_IO && strstr(err.msg, "another process's");
		sleep_ms(REDIS_FIRST_PAUSE_MS + 1);
		good = good && try_call(link, "PING", NULL, &err) == SAHM_IO;
		redis_link_free(link);
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	expect_answer(link, "PING", "PONG");
	assert_int_equal(redis_link_nr_connections(link), 1);
	redis_link_free(link);
}

/* Memory that was short is no reason to send half a command. */
static void test_failed_words(void **state)
{
	struct redis_link *link = fresh_link(1);
	struct redis_words w;
	struct sahm_err err;
	(void)state;
	redis_words_init(&w);
	redis_words_begin(&w, "FLUSHALL");
	w.failed = true;
	assert_int_equal(redis_link_call(link, &w, 0, NULL, &err), SAHM_NOMEM);
	redis_words_release(&w);
	expect_answer(link, "PING", "PONG");
	assert_int_equal(redis_link_nr_connections(link), 1);
	redis_link_free(link);
}

/* Without hiredis there is nothing but a message. */
static void test_not_built_in(void **state)
{
	struct redis_link *link = NULL;
	struct redis_url url = {.host = "localhost", .port = 1};
	struct sahm_err err;
	(void)state;
	enum sahm_status status = redis_link_open(&link, &url, NULL, &err);
	assert_int_equal(status, redis_is_built_in() ? SAHM_IO : SAHM_TOOL);
	assert_int_equal(strncmp(err.msg, "this program was built without hiredis", 38) != 0, redis_is_built_in());
	assert_null(link);
}

TEST_FILE(test_redis_link)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),	     cmocka_unit_test(test_pipeline),
		cmocka_unit_test(test_large),	     cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_signals),	     cmocka_unit_test(test_silence),
		cmocka_unit_test(test_comes_back),   cmocka_unit_test(test_login),
		cmocka_unit_test(test_nobody),	     cmocka_unit_test(test_names),
		cmocka_unit_test(test_socket),	     cmocka_unit_test(test_forked),
		cmocka_unit_test(test_failed_words), cmocka_unit_test(test_not_built_in),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
