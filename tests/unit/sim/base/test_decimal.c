/* Exact decimals. */
#include "sim/base/decimal.h"

#include <string.h>

#include "tests/unit/test.h"

static void test_read(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum number_fault fault;
		const char *written;
	} cases[] = {
		{"0", NUMBER_OK, "0"},
		{"12", NUMBER_OK, "12"},
		{"-3", NUMBER_OK, "-3"},
		{"+3.50", NUMBER_OK, "3.5"},
		{"-0.000000001", NUMBER_OK, "-0.000000001"},
		{".5", NUMBER_OK, "0.5"},
		{"5.", NUMBER_OK, "5"},
		{"0.0000000004999", NUMBER_OK, "0"},
		{"0.0000000005", NUMBER_OK, "0.000000001"},
		{"-0.0000000005", NUMBER_OK, "-0.000000001"},
		{"1.2e+09", NUMBER_OK, "1200000000"},
		{"125E-2", NUMBER_OK, "1.25"},
		{"1e-1000000", NUMBER_OK, "0"},
		{"0e999999", NUMBER_OK, "0"},
		{"18446744073709551615.000000001", NUMBER_OK, "18446744073709551615.000000001"},
		{"000000000000000000000000000000000000000000000000012", NUMBER_OK, "12"},
		{"99999999999999999999.999999999", NUMBER_OK, "99999999999999999999.999999999"},
		{"99999999999999999999.9999999995", NUMBER_OVERFLOW, NULL},
		{"100000000000000000000", NUMBER_OVERFLOW, NULL},
		{"1e20", NUMBER_OVERFLOW, NULL},
		{"9e999999999999", NUMBER_OVERFLOW, NULL},
		{"", NUMBER_NOT, NULL},
		{"-", NUMBER_NOT, NULL},
		{".", NUMBER_NOT, NULL},
		{"1.2.3", NUMBER_NOT, NULL},
		{"1,2", NUMBER_NOT, NULL},
		{"1e", NUMBER_NOT, NULL},
		{"1e+", NUMBER_NOT, NULL},
		{" 1", NUMBER_NOT, NULL},
		{"1 ", NUMBER_NOT, NULL},
		{"0x10", NUMBER_NOT, NULL},
		{"nan", NUMBER_NOT, NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		decimal value = 77;
		enum number_fault fault = decimal_read(cases[i].text, strlen(cases[i].text), &value);
		if (fault != cases[i].fault)
			fail_msg("'%s': %d", cases[i].text, fault);
		if (fault != NUMBER_OK)
			continue;
		struct textbuf b;
		textbuf_init(&b);
		decimal_write(&b, value);
		if (strcmp(b.text, cases[i].written) != 0)
			fail_msg("'%s': '%s'", cases[i].text, b.text);
		textbuf_release(&b);
	}
	decimal value;
	assert_int_equal(decimal_read("12.5x", 4, &value), NUMBER_OK);
	assert_true(value == 12 * (decimal)DECIMAL_ONE + DECIMAL_ONE / 2);
}

TEST_FILE(test_decimal)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_read)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
