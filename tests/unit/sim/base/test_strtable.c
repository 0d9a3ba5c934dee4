#include <stdio.h>

#include "sim/base/strtable.h"
#include "tests/unit/test.h"

static void test_rows(void **state)
{
	(void)state;
	struct arena a = {0};
	struct strtable t;
	strtable_init(&t, &a);
	assert_null(strtable_find(&t, "a"));
	char key[] = "a";
	uint32_t *value = strtable_at(&t, key);
	assert_int_equal(*value, 0);
	*value = 7;
	key[0] = 'b'; /* the table has a copy */
	assert_int_equal(*strtable_find(&t, "a"), 7);
	assert_null(strtable_find(&t, "b"));
	assert_null(strtable_find(&t, ""));
	*strtable_at(&t, "") = 8;
	assert_int_equal(*strtable_find(&t, ""), 8);
	assert_int_equal(*strtable_at(&t, "a"), 7);
	arena_release(&a);
}

/* Nothing is lost when the table grows. */
static void test_many(void **state)
{
	(void)state;
	struct arena a = {0};
	struct strtable t;
	char key[16];
	strtable_init(&t, &a);
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(key, sizeof(key), "%u", i);
		uint32_t *value = strtable_at(&t, key);
		assert_int_equal(*value, 0);
		*value = i + 1;
	}
	assert_int_equal(t.nr, 20000);
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(key, sizeof(key), "%u", i);
		assert_int_equal(*strtable_find(&t, key), i + 1);
	}
	assert_null(strtable_find(&t, "20000"));
	arena_release(&a);
}

TEST_FILE(test_strtable)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
