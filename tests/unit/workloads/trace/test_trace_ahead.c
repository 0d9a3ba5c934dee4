/* Traces opened ahead by threads: the same traces, notes and errors as one by one, in the caller's order. */
#include "workloads/trace/trace_ahead.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/digits.h"
#include "sim/base/number.h"
#include "tests/unit/trace_cases.h"

/* Shipped traces, one that is not there, one that is none, and a pipe that nobody writes to. */
static void test_as_one_by_one(void **state)
{
	char pipe[] = "/tmp/sahm-test-XXXXXX";
	struct trace_ahead ahead[64] = {0};
	glob_t found;
	size_t nr = 0;
	(void)state;
	assert_int_equal(glob("workloads/suites/synthetic/spec2017/*.zst", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		ahead[nr++].path = found.gl_pathv[i];
		if (i == 3)
			ahead[nr++].path = "workloads/suites/small/none.csv";
		if (i == 7)
			ahead[nr++].path = "workloads/FORMAT.md";
	}
	assert_int_not_equal(mkstemp(pipe), -1);
	unlink(pipe);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	ahead[nr].path = pipe;
	trace_ahead_open(ahead, nr + 1);
	assert_false(ahead[nr].is_open);
	for (size_t i = 0; i + 1 < nr; i++) {
		struct trace *expected = NULL, *trace = NULL;
		struct sahm_err expected_err = untouched, err = untouched;
		enum sahm_status status = trace_open(ahead[i].path, NULL, &expected, &expected_err);
		assert_int_equal(trace_ahead_take(&ahead[i], NULL, &trace, &err), status);
		assert_string_equal(err.msg, expected_err.msg);
		if (status == SAHM_OK)
			assert_memory_equal(trace_hash(trace), trace_hash(expected), HASH_BYTES);
		trace_free(trace);
		trace_free(expected);
	}
	/* The last one was not taken. */
	trace_ahead_release(ahead, nr + 1);
	unlink(pipe);
	globfree(&found);
}

/* digits_read() agrees with strict reading, or leaves a number to it. */
static void test_digits(void **state)
{
	static const char *const texts[] = {
		"",
		"0",
		"7,",
		"12x",
		"00012",
		"1234567",
		"12345678",
		"123456789",
		"12345678/",
		"12345678:",
		"-1",
		"+1",
		" 1",
		"1.5",
		"\xff"
		"1",
		"1\xff",
		"1\x80\x80",
		"9999999999999999",
		"99999999999999999,5",
		"9999999999999999999",
		"18446744073709551615",
		"18446744073709551616",
		"100000000000000000000000001",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char text[64] = "";
		uint64_t value = 0, expected = 0;
		snprintf(text, sizeof(text), "%s", texts[i]);
		size_t len = strspn(text, "0123456789");
		const char *end = digits_read(text, &value);
		if (len == 0 || len > DIGITS_MAX) {
			assert_null(end);
			continue;
		}
		assert_int_equal(number_read_u64(text, len, &expected), NUMBER_OK);
		assert_ptr_equal(end, text + len);
		if (value != expected)
			fail_msg("%s: %llu", text, (unsigned long long)value);
	}
}

TEST_FILE(test_trace_ahead)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_one_by_one),
		cmocka_unit_test(test_digits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
