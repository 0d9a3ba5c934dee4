/* Commands and scripts as they go over the line. */

#include "sim/queue/redis_link_internal.h"
#include "tests/unit/test.h"

static void expect_line(const struct redis_words *w, const char *expected)
{
	struct textbuf out;
	textbuf_init(&out);
	assert_false(redis_words_failed(w));
	redis_words_write(w, &out);
	assert_false(textbuf_failed(&out));
	assert_string_equal(out.text, expected);
	textbuf_release(&out);
}

static void test_words(void **state)
{
	struct redis_words w;
	struct textbuf out;
	(void)state;
	redis_words_init(&w);
	redis_words_begin(&w, "SCRIPT LOAD");
	redis_word(&w, "a b\r\n");
	redis_word(&w, "");
	expect_line(&w, "*4\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$5\r\na b\r\n\r\n$0\r\n\r\n");

	redis_words_begin(&w, "X");
	redis_word_u64(&w, UINT64_MAX);
	redis_word_i64(&w, INT64_MIN);
	expect_line(&w, "*3\r\n$1\r\nX\r\n$20\r\n18446744073709551615\r\n$20\r\n-9223372036854775808\r\n");

	/* Any bytes, NUL included. */
	redis_words_begin(&w, "SET");
	redis_word_bytes(&w, "\0\n", 2);
	textbuf_init(&out);
	redis_words_write(&w, &out);
	assert_int_equal(out.len, 4 + 9 + 8);
	assert_memory_equal(out.text, "*2\r\n$3\r\nSET\r\n$2\r\n\0\n\r\n", out.len);
	textbuf_release(&out);

	redis_words_begin(&w, "MANY");
	for (int i = 1; i < 1000; i++)
		redis_word_i64(&w, i);
	assert_int_equal(w.nr, 1000);
	assert_int_equal(w.ends[999], 4 + 9 + 2 * 90 + 3 * 900);
	redis_words_release(&w);
	redis_words_release(&w);
}

/* A command without memory is one until it restarts. */
static void test_failed_words(void **state)
{
	struct redis_words w;
	(void)state;
	redis_words_init(&w);
	redis_words_begin(&w, "GET");
	w.failed = true;
	assert_true(redis_words_failed(&w));
	redis_words_begin(&w, "GET");
	expect_line(&w, "*1\r\n$3\r\nGET\r\n");
	redis_words_release(&w);
}

static void test_scripts(void **state)
{
	static const struct redis_script script = {"example", "return 1", NULL};
	static const struct redis_script longer = {"longer", "return f()", "local f = 1\n"};
	struct redis_words w;
	(void)state;
	redis_words_init(&w);
	redis_script_begin(&w, &script, 1);
	redis_word(&w, "key");
	redis_word(&w, "a b");
	expect_line(&w, "*5\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n1\r\n$3\r\nkey\r\n$3\r\na b\r\n");
	redis_script_begin(&w, &longer, 0);
	expect_line(&w, "*3\r\n$4\r\nEVAL\r\n$22\r\nlocal f = 1\nreturn f()\r\n$1\r\n0\r\n");
	redis_words_release(&w);
}

/* Longer with every failure, up to a limit, and never all of the clients at once. */
static void test_pauses(void **state)
{
	(void)state;
	for (unsigned nr = 0; nr < 100; nr++) {
		unsigned nominal = nr < 7 ? REDIS_FIRST_PAUSE_MS << nr : REDIS_LONGEST_PAUSE_MS;
		unsigned least = nominal, most = 0;
		for (uint64_t noise = 0; noise < 6000; noise++) {
			unsigned pause = redis_pause_ms(nr, noise);
			least = pause < least ? pause : least;
			most = pause > most ? pause : most;
		}
		assert_int_equal(most, nominal);
		assert_int_equal(least, nominal - nominal / 2);
	}
}

TEST_FILE(test_redis_words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_failed_words),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_pauses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
