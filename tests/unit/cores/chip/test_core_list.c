/* Lists of cores as Linux tools write them. */
#include <string.h>

#include "cores/chip/core.h"
#include "cores/chip/core_list.h"
#include "tests/unit/test.h"

#define WORDS (MAX_CORES / 64)

static void test_lists(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t nr_cores;
		uint64_t low, next; /* cores 0 to 63, 64 to 127 */
	} rows[] = {
		{"0", 1, 1, 0},
		{"5", 6, 1 << 5, 0},
		{"0-3", 4, 0xf, 0},
		{"3-3", 4, 1 << 3, 0},
		{"0-3,8,10-14", 16, 0x7d0f, 0},
		{"10-14,8,0-3", 16, 0x7d0f, 0},
		{"0-3,2-5,5,5", 16, 0x3f, 0},
		{"007", 8, 1 << 7, 0},
		{"0-30:2", 31, 0x55555555, 0},
		{"0-31:2", 32, 0x55555555, 0},
		{"1-31:2", 32, 0xaaaaaaaa, 0},
		{"1-7:3", 8, 1 << 1 | 1 << 4 | 1 << 7, 0},
		{"0-3:1", 4, 0xf, 0},
		{"2-7:6", 8, 1 << 2, 0},
		{"2-7:18446744073709551615", 8, 1 << 2, 0},
		{"2-7:99999999999999999999", 8, 1 << 2, 0},
		{"0-63", 64, UINT64_MAX, 0},
		{"63-64", 128, UINT64_C(1) << 63, 1},
		{"0-127", 128, UINT64_MAX, UINT64_MAX},
		{"1-126", 128, UINT64_MAX - 1, UINT64_MAX >> 1},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t set[2] = {0};
		struct sahm_err err = {.msg = "untouched"};
		if (core_list_read(rows[i].text, rows[i].nr_cores, set, &err) != SAHM_OK)
			fail_msg("'%s': %s", rows[i].text, err.msg);
		if (set[0] != rows[i].low || set[1] != rows[i].next)
			fail_msg("'%s': %llx %llx", rows[i].text, (unsigned long long)set[0],
				 (unsigned long long)set[1]);
		assert_string_equal(err.msg, "untouched");
	}
	uint64_t set[WORDS] = {0};
	struct sahm_err err;
	assert_int_equal(core_list_read("0-4095", MAX_CORES, set, &err), SAHM_OK);
	for (size_t w = 0; w < WORDS; w++)
		assert_true(set[w] == UINT64_MAX);
}

#define NO_RANGE " is neither a core nor a range of cores (0-3 or 0-30:2)"

static void test_refused(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"", "the list of cores is empty"},
		{",", "nothing stands before a comma in the list of cores"},
		{",0", "nothing stands before a comma in the list of cores"},
		{"0,,1", "nothing stands before a comma in the list of cores"},
		{"0,", "nothing stands behind a comma in the list of cores"},
		{"-", "'-'" NO_RANGE},
		{"5-", "'5-'" NO_RANGE},
		{"-5", "'-5'" NO_RANGE},
		{"0--1", "'0--1'" NO_RANGE},
		{"0-1-2", "'0-1-2'" NO_RANGE},
		{"a", "'a'" NO_RANGE},
		{"0,a-3", "'a-3'" NO_RANGE},
		{"1.0", "'1.0'" NO_RANGE},
		{"0x1", "'0x1'" NO_RANGE},
		{"+1", "'+1'" NO_RANGE},
		{" 0", "' 0'" NO_RANGE},
		{"0, 1", "' 1'" NO_RANGE},
		{"5:2", "'5:2'" NO_RANGE},
		{"0:1-2", "'0:1-2'" NO_RANGE},
		{"0-3:", "'0-3:'" NO_RANGE},
		{"0-3:a", "'0-3:a'" NO_RANGE},
		{"0-3:1:1", "'0-3:1:1'" NO_RANGE},
		{"0-3:0", "range '0-3:0' has a stride of 0"},
		{"1-0", "range '1-0' runs backwards"},
		{"16", "there is no core 16, the last is 15"},
		{"15-16", "there is no core 16, the last is 15"},
		{"0-4095", "there is no core 4095, the last is 15"},
		{"18446744073709551616", "there is no core 18446744073709551616, the last is 15"},
		{"\xc3\xa9", "'\xc3\xa9'" NO_RANGE},
		{"0\n", "'0?'" NO_RANGE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t set = 0;
		struct sahm_err err = {0};
		enum sahm_status status = core_list_read(rows[i][0], 16, &set, &err);
		if (status != SAHM_CONFIG || strcmp(err.msg, rows[i][1]) != 0)
			fail_msg("'%s': status %d, '%s'", rows[i][0], status, err.msg);
	}
}

TEST_FILE(test_core_list)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
