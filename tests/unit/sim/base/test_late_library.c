/* Libraries that are loaded late: one that is not there, or lacks a function, is a failure that names it. */
#include "sim/base/late_library.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "tests/unit/test.h"

static void test_missing(void **state)
{
	static const struct {
		const char *soname, *function, *lacks;
	} rows[] = {
		{"libsahm-nowhere.so.1", "cos", "libsahm-nowhere.so.1: "},
		{"libc.so.6", "sahm_nowhere", "undefined symbol: sahm_nowhere"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		void (*found)(void) = NULL;
		const struct late_call call = {rows[i].function, &found};
		struct sahm_err err;
		char message[128];
		snprintf(message, sizeof(message), "library '%s' cannot be used: ", rows[i].soname);
		assert_int_equal(late_library_load(rows[i].soname, &call, 1, &err), SAHM_TOOL);
		assert_int_equal(err.status, SAHM_TOOL);
		if (strncmp(err.msg, message, strlen(message)) != 0 || !strstr(err.msg, rows[i].lacks))
			fail_msg("'%s'", err.msg);
		assert_null(found);
	}
}

static void test_found(void **state)
{
	size_t (*length)(const char *) = NULL;
	const struct late_call call = {"strlen", &length};
	struct sahm_err err;
	(void)state;
	assert_int_equal(late_library_load("libc.so.6", &call, 1, &err), SAHM_OK);
	assert_non_null(length);
	assert_int_equal(length("four"), 4);
}

TEST_FILE(test_late_library)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
