/* Reading replies: whatever a server sends, in whatever pieces, within the limits; and taking them for what they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/queue/redis_link_internal.h"
#include "tests/unit/test.h"

/* A reply as text: its kind, what it holds, "(" and ")" around an array. */
static void write_reply(const struct reply *r, struct textbuf *out)
{
	static const char marks[] = {'_', ':', '$', '+', '-', '('};
	textbuf_putc(out, marks[r->kind]);
	if (r->kind == REPLY_INTEGER)
		textbuf_printf(out, "%lld", (long long)r->integer);
	if (r->kind != REPLY_ARRAY)
		textbuf_add(out, r->bytes, r->len);
	assert_int_equal(r->bytes[r->len], '\0');
	for (size_t i = 0; i < r->nr; i++) {
		if (i)
			textbuf_putc(out, ' ');
		write_reply(r->elements[i], out);
	}
	if (r->kind == REPLY_ARRAY)
		textbuf_putc(out, ')');
}

/* Feeds `bytes` in pieces of `piece`, and writes down the replies as they come. */
static enum reply_fault read_all(struct reply_reader *r, const char *bytes, size_t len, size_t piece,
				 struct textbuf *out)
{
	for (size_t at = 0; at < len; at += piece) {
		struct reply *reply;
		enum reply_fault fault = reply_reader_feed(r, bytes + at, len - at < piece ? len - at : piece);
		assert_int_equal(fault, REPLY_FINE);
		while ((fault = reply_reader_next(r, &reply)) == REPLY_FINE && reply) {
			write_reply(reply, out);
			textbuf_putc(out, ';');
			reply_free(reply);
		}
		if (fault != REPLY_FINE) {
			assert_null(reply);
			return fault;
		}
	}
	return REPLY_FINE;
}

static struct reply_reader *new_reader(void)
{
	struct reply_reader *r = reply_reader_new();
	assert_non_null(r);
	return r;
}

static const struct {
	const char *name, *bytes, *replies;
	enum reply_fault fault;
} rows[] = {
	{"status", "+OK\r\n", "+OK;", REPLY_FINE},
	{"error", "-ERR no\r\n", "-ERR no;", REPLY_FINE},
	{"integers", ":1\r\n:-9223372036854775808\r\n:9223372036854775807\r\n",
	 ":1;:-9223372036854775808;:9223372036854775807;", REPLY_FINE},
	{"strings", "$3\r\na\r\n\r\n$0\r\n\r\n", "$a\r\n;$;", REPLY_FINE},
	{"nothing", "$-1\r\n*-1\r\n", "_;_;", REPLY_FINE},
	{"arrays", "*0\r\n*2\r\n*1\r\n:1\r\n$-1\r\n", "();((:1) _);", REPLY_FINE},
	{"seven deep", "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "(((((((:1)))))));", REPLY_FINE},
	{"error inside", "*2\r\n-OOM x\r\n+OK\r\n", "(-OOM x +OK);", REPLY_FINE},
	{"unfinished", "*2\r\n:1\r\n", "", REPLY_FINE},
	{"too deep", "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n", "", REPLY_MALFORMED},
	{"another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", "", REPLY_MALFORMED},
	{"RESP3", "%1\r\n+a\r\n+b\r\n", "", REPLY_MALFORMED},
	{"good, then bad", "+OK\r\n?", "+OK;", REPLY_MALFORMED},
	{"negative length", "$-5\r\n", "", REPLY_MALFORMED},
	{"negative count", "*-5\r\n", "", REPLY_MALFORMED},
	{"no length", "$\r\n", "", REPLY_MALFORMED},
	{"no count", "*\r\n", "", REPLY_MALFORMED},
	{"letters for a length", "$abc\r\n", "", REPLY_MALFORMED},
	{"length without end", "$111111111111111111111111111", "", REPLY_MALFORMED},
	{"length beyond all", "$9223372036854775807\r\nx", "", REPLY_TOO_LARGE},
	{"length that wraps", "$18446744073709551615\r\nx", "", REPLY_MALFORMED},
	{"length with a lone CR", "$3\rx\r\nabc\r\n", "", REPLY_MALFORMED},
	{"no number", ":one\r\n", "", REPLY_MALFORMED},
	{"number too large", ":9223372036854775808\r\n", "", REPLY_MALFORMED},
	{"huge count", "*1000000000\r\n", "", REPLY_TOO_LARGE},
	{"count one beyond", "*1048576\r\n", "", REPLY_TOO_LARGE},
	{"count that wraps", "*4294967297\r\n", "", REPLY_MALFORMED},
	{"count that wraps in bytes", "*2305843009213693953\r\n", "", REPLY_MALFORMED},
	{"huge counts inside", "*3\r\n*1000000\r\n", "", REPLY_FINE},
	{"inside what is left", "*2\r\n:1\r\n*1048574\r\n", "", REPLY_TOO_LARGE},
	{"huge string", "$67108865\r\n", "", REPLY_TOO_LARGE},
	{"huge string inside", "*2\r\n$3\r\nabc\r\n$67108862\r\n", "", REPLY_TOO_LARGE},
	{"largest string, announced", "$67108864\r\nx", "", REPLY_FINE},
};

static void test_replies(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t piece = 1; piece < 70; piece++) {
			struct reply_reader *r = new_reader();
			struct textbuf out;
			textbuf_init(&out);
			enum reply_fault fault = read_all(r, rows[i].bytes, strlen(rows[i].bytes), piece, &out);
			if (fault != rows[i].fault || strcmp(out.text, rows[i].replies) != 0)
				fail_msg("%s in pieces of %zu: fault %d, '%s'", rows[i].name, piece, (int)fault,
					 out.text);
			textbuf_release(&out);
			reply_reader_free(r);
		}
}

/* Feeds `what` again and again until there is a fault, or `most` bytes were fed. */
static enum reply_fault feed_on(struct reply_reader *r, const char *what, uint64_t most, uint64_t *fed)
{
	static char piece[REPLY_PIECE];
	enum reply_fault fault = REPLY_FINE;
	struct reply *reply;
	size_t len = 0, each = strlen(what);
	while (len + each <= sizeof(piece)) {
		memcpy(piece + len, what, each);
		len += each;
	}
	for (*fed = 0; *fed < most && fault == REPLY_FINE; *fed += len) {
		len = most - *fed < len ? (size_t)(most - *fed) : len;
		assert_int_equal(reply_reader_feed(r, piece, len), REPLY_FINE);
		fault = reply_reader_next(r, &reply);
		reply_free(reply);
	}
	return fault;
}

/* An endless reply is given up before it fills the memory. */
static void test_endless(void **state)
{
	static const struct {
		const char *name, *begin, *more;
		enum reply_fault fault;
		uint64_t most;
	} streams[] = {
		{"status", "+", "x", REPLY_TOO_LARGE, 2 * MAX_REPLY_LINE + REPLY_PIECE},
		{"error inside", "*1\r\n-", "x", REPLY_TOO_LARGE, 2 * MAX_REPLY_LINE + REPLY_PIECE},
		{"number", ":", "1", REPLY_TOO_LARGE, 2 * MAX_REPLY_LINE + REPLY_PIECE},
		{"count", "*", "1", REPLY_TOO_LARGE, 2 * MAX_REPLY_LINE + REPLY_PIECE},
		{"length", "$", "1", REPLY_MALFORMED, REPLY_PIECE},
		{"strings", "*1048000\r\n",
		 "$200\r\n"
		 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		 "\r\n",
		 REPLY_TOO_LARGE, MAX_REPLY_BYTES + MAX_REPLY_BYTES / 8},
		{"arrays", "*1048000\r\n", "*2\r\n:1\r\n:2\r\n", REPLY_TOO_LARGE, MAX_REPLY_ELEMENTS * UINT64_C(16)},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++) {
		struct reply_reader *r = new_reader();
		struct reply *reply;
		uint64_t fed;
		reply_reader_feed(r, streams[i].begin, strlen(streams[i].begin));
		assert_int_equal(reply_reader_next(r, &reply), REPLY_FINE);
		enum reply_fault fault = feed_on(r, streams[i].more, streams[i].most, &fed);
		if (fault != streams[i].fault)
			fail_msg("%s: fault %d after %llu bytes", streams[i].name, (int)fault, (unsigned long long)fed);
		reply_reader_free(r);
	}
}

/* Just within the limits, and one beyond. */
static void test_limits(void **state)
{
	struct reply *reply;
	char heading[32];
	uint64_t fed;
	(void)state;
	struct reply_reader *r = new_reader();
	/* Limits are for each reply: there can be any number. */
	for (int i = 0; i < 2; i++) {
		snprintf(heading, sizeof(heading), "$%llu\r\n", (unsigned long long)MAX_REPLY_BYTES);
		reply_reader_feed(r, heading, strlen(heading));
		assert_int_equal(feed_on(r, "0123456789abcdef", MAX_REPLY_BYTES, &fed), REPLY_FINE);
		reply_reader_feed(r, "\r\n", 2);
		assert_int_equal(reply_reader_next(r, &reply), REPLY_FINE);
		assert_true(reply_is_bytes(reply, MAX_REPLY_BYTES, MAX_REPLY_BYTES));
		assert_memory_equal(reply->bytes + reply->len - 8, "89abcdef", 9);
		assert_true(reply_reader_is_empty(r));
		reply_free(reply);
	}
	for (int i = 0; i < 2; i++) {
		size_t nr = MAX_REPLY_ELEMENTS - 1;
		snprintf(heading, sizeof(heading), "*%zu\r\n", nr);
		reply_reader_feed(r, heading, strlen(heading));
		assert_int_equal(feed_on(r, ":7\r\n", 4 * (nr - 1), &fed), REPLY_FINE);
		assert_false(reply_reader_is_empty(r));
		reply_reader_feed(r, ":8\r\n", 4);
		assert_int_equal(reply_reader_next(r, &reply), REPLY_FINE);
		assert_true(reply_is_array(reply, nr, nr));
		assert_int_equal(reply->elements[nr - 2]->integer, 7);
		assert_int_equal(reply->elements[nr - 1]->integer, 8);
		reply_free(reply);
	}
	reply_reader_free(r);
}

static void test_taken_for(void **state)
{
	struct reply text = {.kind = REPLY_STRING, .bytes = "12", .len = 2},
		     status = {.kind = REPLY_STATUS, .bytes = "OK", .len = 2},
		     error = {.kind = REPLY_ERROR, .bytes = "12", .len = 2},
		     number = {.kind = REPLY_INTEGER, .bytes = "", .integer = -3}, nil = {.bytes = ""};
	struct reply *pairs[] = {&text, &number, &status, &text, &number, &nil, &text};
	struct reply array = {.kind = REPLY_ARRAY, .bytes = "", .elements = pairs, .nr = 7};
	int64_t value = 0;
	(void)state;
	assert_true(reply_is_array(&array, 7, 7));
	assert_false(reply_is_array(&array, 8, 9));
	assert_false(reply_is_array(&array, 0, 6));
	assert_false(reply_is_array(&text, 0, 9));
	assert_false(reply_is_array(NULL, 0, 9));

	assert_true(reply_is_bytes(&text, 2, 2));
	assert_true(reply_is_bytes(&status, 0, 2));
	assert_false(reply_is_bytes(&text, 3, 9));
	assert_false(reply_is_bytes(&text, 0, 1));
	assert_false(reply_is_bytes(&error, 0, 9));
	assert_false(reply_is_bytes(&nil, 0, 9));
	assert_false(reply_is_bytes(NULL, 0, 9));

	assert_true(reply_number(&text, 12, 12, &value) && value == 12);
	assert_true(reply_number(&number, -3, 0, &value) && value == -3);
	assert_false(reply_number(&text, 13, 20, &value));
	assert_false(reply_number(&text, 0, 11, &value));
	assert_false(reply_number(&status, 0, 20, &value));
	assert_false(reply_number(&error, 0, 20, &value));
	assert_false(reply_number(&nil, -9, 9, &value));
	assert_false(reply_number(NULL, -9, 9, &value));
	assert_int_equal(value, -3);

	assert_ptr_equal(reply_member(&array, "12"), &number);
	assert_ptr_equal(reply_member(&array, "OK"), &text);
	assert_null(reply_member(&array, "O"));
	assert_null(reply_member(&array, "OKs"));
	assert_null(reply_member(&array, ""));
	assert_null(reply_member(&text, "12"));
	assert_null(reply_member(NULL, "12"));
	reply_free(NULL);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		bool is_number;
		int64_t value;
	} numbers[] = {
		{"0", true, 0},
		{"-1", true, -1},
		{"9223372036854775807", true, INT64_MAX},
		{"-9223372036854775808", true, INT64_MIN},
		{"9223372036854775808", false, 0},
		{"-9223372036854775809", false, 0},
		{"18446744073709551616", false, 0},
		{"", false, 0},
		{"-", false, 0},
		{"--1", false, 0},
		{"+1", false, 0},
		{" 1", false, 0},
		{"1 ", false, 0},
		{"1.5", false, 0},
		{"0x1", false, 0},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct reply r = {.kind = REPLY_STRING, .bytes = numbers[i].text, .len = strlen(numbers[i].text)};
		int64_t value = 0;
		if (reply_number(&r, INT64_MIN, INT64_MAX, &value) != numbers[i].is_number || value != numbers[i].value)
			fail_msg("'%s' is %lld", numbers[i].text, (long long)value);
	}
	/* A NUL inside ends nothing. */
	struct reply r = {.kind = REPLY_STRING, .bytes = "1\0002", .len = 3};
	int64_t value;
	assert_false(reply_number(&r, 0, 9, &value));
}

TEST_FILE(test_redis_reply)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken_for), cmocka_unit_test(test_numbers), cmocka_unit_test(test_replies),
		cmocka_unit_test(test_endless),	  cmocka_unit_test(test_limits),
	};
	if (!redis_is_built_in()) {
		puts("built without hiredis");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
