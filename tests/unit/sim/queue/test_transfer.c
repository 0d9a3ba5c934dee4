/* Files on their way through a real server. */
#include "sim/queue/transfer.h"

#include <unistd.h>

#include "sim/base/array.h"
#include "tests/unit/sim/queue/made_bundle.h"
#include "tests/unit/sim/queue/made_redis.h"

#define PREFIX "test:"

/* What a test has: a server, a connection, and a cache. */
struct trial {
	struct made_redis redis;
	struct redis_link *link;
	struct file_cache *cache;
	struct arena arena;
	struct redis_words words;
};

static void connect_link(struct trial *t)
{
	struct redis_url url;
	struct sahm_err err;
	const struct redis_link_options options = {0};
	must(redis_url_read(&url, t->redis.url, &t->arena, &err), &err);
	must(redis_link_open(&t->link, &url, &options, &err), &err);
}

static void begin_trial(struct trial *t, const char *options)
{
	static unsigned nr;
	char name[32];
	need_redis();
	*t = (struct trial){0};
	start_redis(&t->redis, options);
	connect_link(t);
	redis_words_init(&t->words);
	snprintf(name, sizeof(name), "cache-%u", nr++);
	t->cache = open_cache(name);
}

static void end_trial(struct trial *t)
{
	redis_link_free(t->link);
	redis_words_release(&t->words);
	file_cache_free(t->cache);
	arena_release(&t->arena);
	stop_redis(&t->redis);
}

/* A command of words without spaces and further bytes, if there are any; the number that it answers, or of what it
 * answers how many. */
static int64_t ask(struct trial *t, const char *command, const char *key, const char *value)
{
	struct reply *reply = NULL;
	struct sahm_err err;
	int64_t number = -1;
	redis_words_begin(&t->words, command);
	redis_word(&t->words, key);
	if (value)
		redis_word(&t->words, value);
	must(redis_link_call(t->link, &t->words, 0, &reply, &err), &err);
	if (reply->kind == REPLY_ARRAY)
		number = (int64_t)reply->nr;
	else
		(void)reply_number(reply, INT64_MIN, INT64_MAX, &number);
	reply_free(reply);
	return number;
}

static const char *key_of(const uint8_t hash[HASH_BYTES])
{
	static char key[128];
	char text[HASH_HEX_BYTES];
	hash_hex(hash, text);
	snprintf(key, sizeof(key), PREFIX "file:%s", text);
	return key;
}

/* Bytes that do not repeat with the pieces. */
static char *make_bytes(size_t len)
{
	char *bytes = malloc(len + 1);
	assert_non_null(bytes);
	uint32_t state = 12345;
	for (size_t i = 0; i < len; i++) {
		state = state * 1664525u + 1013904223u;
		bytes[i] = (char)(state >> 24);
	}
	bytes[len] = '\0';
	return bytes;
}

static struct bundle_file make_file(const char *name, const char *bytes, size_t len)
{
	struct bundle_file file = {.name = name, .bytes = len, .path = in_own(name)};
	put_file(file.path, bytes, len);
	hash_of(bytes, len, file.hash);
	return file;
}

/* Lengths around pieces go there and back, once. */
static void test_there_and_back(void **state)
{
	static const size_t lengths[] = {
		0, 1, TRANSFER_PIECE - 1, TRANSFER_PIECE, TRANSFER_PIECE + 1, 3 * TRANSFER_PIECE + 17};
	struct trial t;
	struct sahm_err err = {.msg = "untouched"};
	(void)state;
	begin_trial(&t, "");
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		const size_t len = lengths[i];
		char *bytes = make_bytes(len), *back = NULL;
		struct bundle_file file = make_file("f", bytes, len);
		size_t back_len = 0;
		bool sent = false;
		must(transfer_send_file(t.link, PREFIX, &file, &sent, &err), &err);
		assert_true(sent);
		must(transfer_send_file(t.link, PREFIX, &file, &sent, &err), &err);
		assert_false(sent);
		must(transfer_send(t.link, PREFIX, file.hash, bytes, len, &sent, &err), &err);
		assert_false(sent);
		/* It is whole, stays, and nothing else is there. */
		assert_int_equal(ask(&t, "STRLEN", key_of(file.hash), NULL), len);
		assert_int_equal(ask(&t, "PTTL", key_of(file.hash), NULL), -1);
		assert_int_equal(ask(&t, "KEYS", "*", NULL), i + 1);
		must(transfer_fetch(t.link, PREFIX, file.hash, len, &back, &back_len, &err), &err);
		assert_int_equal(back_len, len);
		assert_memory_equal(back, bytes, len);
		assert_false(file_cache_has(t.cache, file.hash, len));
		must(transfer_fetch_file(t.link, PREFIX, t.cache, file.hash, len, NULL, NULL, &err), &err);
		assert_true(file_cache_has(t.cache, file.hash, len));
		if (len > 0)
			assert_int_equal(transfer_fetch(t.link, PREFIX, file.hash, len - 1, &back, &back_len, &err),
					 SAHM_RANGE);
		free(bytes);
		free(back);
		err = (struct sahm_err){.msg = "untouched"};
	}
	char *bytes = make_bytes(100);
	uint8_t hash[HASH_BYTES];
	bool sent = false;
	hash_of(bytes, 100, hash);
	must(transfer_send(t.link, PREFIX, hash, bytes, 100, &sent, &err), &err);
	assert_true(sent);
	must(transfer_send(t.link, PREFIX, hash, bytes, 100, NULL, &err), &err);
	free(bytes);
	end_trial(&t);
}

static void test_not_there(void **state)
{
	struct trial t;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	char *bytes = NULL;
	size_t len;
	(void)state;
	begin_trial(&t, "");
	hash_of("abc", 3, hash);
	assert_int_equal(transfer_fetch(t.link, PREFIX, hash, 100, &bytes, &len, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "does not have file"));
	assert_int_equal(transfer_fetch_file(t.link, PREFIX, t.cache, hash, 3, NULL, NULL, &err), SAHM_FORMAT);
	hash_of("", 0, hash);
	assert_int_equal(transfer_fetch_file(t.link, PREFIX, t.cache, hash, 0, NULL, NULL, &err), SAHM_FORMAT);
	assert_null(bytes);
	end_trial(&t);
}

/* A file replaced by another one is refused where it arrives, and replaced by its owner; one of equal length shows only
 * on arrival, and is removed there. */
static void test_others_bytes(void **state)
{
	static const struct {
		const char *name, *command, *value;
		enum sahm_status status;
		bool is_replaced;
	} rows[] = {
		{"shorter", "SET", "ab", SAHM_FORMAT, true}, {"longer", "SET", "abcd", SAHM_FORMAT, true},
		{"empty", "SET", "", SAHM_FORMAT, true},     {"a list", "LPUSH", "abc", SAHM_FORMAT, true},
		{"a set", "SADD", "abc", SAHM_FORMAT, true}, {"other bytes", "SET", "abd", SAHM_CHECKSUM, true},
	};
	struct trial t;
	(void)state;
	begin_trial(&t, "");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bundle_file file = make_file("abc", "abc", 3);
		struct sahm_err err = {0};
		bool sent = false;
		ask(&t, "DEL", key_of(file.hash), NULL);
		ask(&t, rows[i].command, key_of(file.hash), rows[i].value);
		if (transfer_fetch_file(t.link, PREFIX, t.cache, file.hash, 3, NULL, NULL, &err) != rows[i].status)
			fail_msg("%s: %s", rows[i].name, err.msg);
		assert_int_equal(err.status, rows[i].status);
		assert_false(file_cache_has(t.cache, file.hash, 3));
		must(transfer_send_file(t.link, PREFIX, &file, &sent, &err), &err);
		assert_int_equal(sent, rows[i].is_replaced);
		char *bytes = NULL;
		size_t len = 0;
		enum sahm_status status = transfer_fetch(t.link, PREFIX, file.hash, 100, &bytes, &len, &err);
		assert_int_equal(status, rows[i].is_replaced ? SAHM_OK : SAHM_CHECKSUM);
		if (rows[i].is_replaced)
			assert_string_equal(bytes, "abc");
		free(bytes);
		assert_int_equal(ask(&t, "KEYS", "*", NULL), 1);
	}
	end_trial(&t);
}

/* A file that has changed is not sent, and leaves nothing. */
static void test_changed_file(void **state)
{
	static const char *const now[] = {"abd", "ab", "abcd", ""};
	struct trial t;
	(void)state;
	begin_trial(&t, "");
	for (size_t i = 0; i < ARRAY_SIZE(now); i++) {
		struct bundle_file file = make_file("changing", "abc", 3);
		struct sahm_err err = {0};
		bool sent = true;
		put_text(file.path, now[i]);
		assert_int_equal(transfer_send_file(t.link, PREFIX, &file, &sent, &err), SAHM_CHECKSUM);
		assert_non_null(strstr(err.msg, "changing' is not what it was"));
		assert_true(sent);
		assert_int_equal(ask(&t, "KEYS", "*", NULL), 0);
		assert_int_equal(unlink(file.path), 0);
		assert_int_equal(transfer_send_file(t.link, PREFIX, &file, &sent, &err), SAHM_IO);
		assert_true(redis_link_is_up(t.link));
	}
	end_trial(&t);
}

/* A server without room says so, and has what it had before. */
static void test_no_room(void **state)
{
	struct trial t;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	const size_t len = 16 * TRANSFER_PIECE;
	(void)state;
	begin_trial(&t, "--maxmemory 8mb --maxmemory-policy noeviction");
	char *bytes = make_bytes(len);
	hash_of(bytes, len, hash);
	assert_int_equal(transfer_send(t.link, PREFIX, hash, bytes, len, NULL, &err), SAHM_TOOL);
	assert_string_equal(redis_link_error(t.link), "OOM");
	assert_non_null(strstr(err.msg, "OOM"));
	assert_int_equal(ask(&t, "KEYS", "*", NULL), 0);
	free(bytes);
	end_trial(&t);
}

/* An unfinished transfer expires, and the next one does not see it. The server does not let this sender finish,
 * nor clean up. */
static void test_left_behind(void **state)
{
	struct trial t;
	struct sahm_err err = {0};
	const size_t len = 2 * TRANSFER_PIECE + 1;
	char *bytes = make_bytes(len);
	struct bundle_file file = make_file("left", bytes, len);
	struct reply *reply = NULL;
	(void)state;
	begin_trial(&t, "");
	redis_words_begin(&t.words, "ACL SETUSER hasty on nopass ~* +@all -eval -evalsha -script -del");
	must(redis_link_call(t.link, &t.words, 0, NULL, &err), &err);
	redis_link_free(t.link);
	char own[64];
	strcpy(own, t.redis.url);
	snprintf(t.redis.url, sizeof(t.redis.url), "redis://hasty:x@127.0.0.1:%u", (unsigned)t.redis.port);
	connect_link(&t);
	assert_int_equal(transfer_send_file(t.link, PREFIX, &file, NULL, &err), SAHM_TOOL);
	assert_string_equal(redis_link_error(t.link), "NOPERM");
	redis_link_free(t.link);
	strcpy(t.redis.url, own);
	connect_link(&t);
	redis_words_begin(&t.words, "KEYS *");
	must(redis_link_call(t.link, &t.words, 0, &reply, &err), &err);
	assert_true(reply_is_array(reply, 1, 1));
	const char *left = reply->elements[0]->bytes;
	assert_int_equal(ask(&t, "STRLEN", left, NULL), len);
	assert_in_range(ask(&t, "PTTL", left, NULL), 3500000, 3600000);
	assert_memory_equal(left, key_of(file.hash), strlen(key_of(file.hash)));
	assert_int_equal(transfer_fetch_file(t.link, PREFIX, t.cache, file.hash, len, NULL, NULL, &err), SAHM_FORMAT);
	reply_free(reply);
	must(transfer_send_file(t.link, PREFIX, &file, NULL, &err), &err);
	must(transfer_fetch_file(t.link, PREFIX, t.cache, file.hash, len, NULL, NULL, &err), &err);
	assert_int_equal(ask(&t, "KEYS", "*", NULL), 2);
	free(bytes);
	end_trial(&t);
}

/* Two who send the same at once: it is there once, whole. */
static void test_two_senders(void **state)
{
	struct trial t;
	struct sahm_err err = {0};
	const size_t len = 4 * TRANSFER_PIECE;
	char *bytes = make_bytes(len);
	uint8_t hash[HASH_BYTES];
	pid_t pids[3];
	(void)state;
	begin_trial(&t, "");
	hash_of(bytes, len, hash);
	for (unsigned i = 0; i < 3; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] != 0)
			continue;
		redis_link_leave(t.link);
		redis_link_free(t.link);
		connect_link(&t);
		enum sahm_status status = transfer_send(t.link, PREFIX, hash, bytes, len, NULL, &err);
		redis_link_free(t.link);
		redis_words_release(&t.words);
		file_cache_free(t.cache);
		arena_release(&t.arena);
		free(bytes);
		_exit(status == SAHM_OK ? 0 : 1);
	}
	for (unsigned i = 0; i < 3; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(ask(&t, "KEYS", "*", NULL), 1);
	assert_int_equal(ask(&t, "PTTL", key_of(hash), NULL), -1);
	must(transfer_fetch_file(t.link, PREFIX, t.cache, hash, len, NULL, NULL, &err), &err);
	free(bytes);
	end_trial(&t);
}

/* A lost connection is no wrong file: the same call works on the next one. */
static void test_lost(void **state)
{
	struct trial t;
	struct sahm_err err = {0};
	struct bundle_file file = make_file("lost", "found again", 11);
	(void)state;
	begin_trial(&t, "");
	kill_redis(&t.redis);
	assert_int_equal(transfer_send_file(t.link, PREFIX, &file, NULL, &err), SAHM_IO);
	assert_false(redis_link_is_up(t.link));
	assert_int_equal(transfer_fetch_file(t.link, PREFIX, t.cache, file.hash, 11, NULL, NULL, &err), SAHM_IO);
	run_redis(&t.redis);
	for (unsigned i = 0; i < 100 && redis_link_try(t.link, &err) != SAHM_OK; i++)
		sleep_ms(50);
	must(transfer_send_file(t.link, PREFIX, &file, NULL, &err), &err);
	must(transfer_fetch_file(t.link, PREFIX, t.cache, file.hash, 11, NULL, NULL, &err), &err);
	assert_true(file_cache_has(t.cache, file.hash, 11));
	end_trial(&t);
}

TEST_FILE(test_transfer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_not_there),
		cmocka_unit_test(test_others_bytes),   cmocka_unit_test(test_changed_file),
		cmocka_unit_test(test_no_room),	       cmocka_unit_test(test_left_behind),
		cmocka_unit_test(test_two_senders),    cmocka_unit_test(test_lost),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
