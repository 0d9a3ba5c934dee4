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

/* Values in 1/DECIMAL_ONE^2, from decimals. */
static decimal exact(const char *text)
{
	decimal value;
	assert_int_equal(decimal_read(text, strlen(text), &value), NUMBER_OK);
	return value * DECIMAL_ONE;
}

static void test_products_and_quotients(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b, *product;
	} cases[] = {
		{"0", "5", "0"},
		{"3", "-0.5", "-1.5"},
		{"-12345678901.25", "-4", "49382715605"},
		{"0.000000001", "1000000000", "1"},
		{"9999999999", "4000000000", "39999999996000000000"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		decimal a = exact(cases[i].a), b = exact(cases[i].b), result = 77;
		assert_true(exact_product(a, b, &result));
		assert_true(result == exact(cases[i].product));
		assert_true(exact_quotient(result, b, &result));
		assert_true(result == a);
	}
	/* Neither operand is a whole number of thousand-millionths: 1/3 * 1/3, 1/9 / 1/3, 2/3. */
	decimal third, ninth, result;
	assert_true(exact_quotient(exact("1"), exact("3"), &third));
	assert_true(third == exact("0.333333333") + 333333333);
	assert_true(exact_product(third, third, &ninth));
	assert_true(ninth == exact("0.111111111") + 111111111);
	assert_true(exact_quotient(ninth, third, &result));
	assert_true(result == third);
	assert_true(exact_quotient(exact("-2"), exact("3"), &result));
	assert_true(result == -(exact("0.666666666") + 666666667));
	/* EXACT_END is 42535295865117307932.921825928971026432. */
	result = 77;
	assert_true(exact_product(exact("42535295865"), exact("1000000000"), &result));
	result = 77;
	assert_false(exact_product(exact("42535295866"), exact("1000000000"), &result));
	assert_false(exact_product(EXACT_END - 1, EXACT_END - 1, &result));
	assert_false(exact_quotient(exact("1"), 0, &result));
	assert_false(exact_quotient(exact("42535295866"), exact("0.000000001"), &result));
	assert_false(exact_quotient(EXACT_END - 1, 1, &result));
	assert_true(result == 77);
}

TEST_FILE(test_decimal)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_products_and_quotients)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
