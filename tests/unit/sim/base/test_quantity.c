/* Numbers with units. */
#include "sim/base/quantity.h"

#include <string.h>

#include "tests/unit/test.h"

static void test_which_are(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool is_one;
	} rows[] = {
		{"5ms", true},
		{"5 ms", true},
		{"-0.5%", true},
		{"1.3x", true},
		{"2 parsecs", true},
		{"12mm2", true},
		{"5", false},
		{"", false},
		{"ms", false},
		{"5.", false},
		{"5.ms", false},
		{".5ms", false},
		{"1e5", false},
		{"1e-5", false},
		{"1e", false},
		{"0x5", false},
		{"5L", false},
		{"5LL", true},
		{"5..9", false},
		{"1.2.3", false},
		{"5*ms", false},
		{"+5ms", false},
		{"0.1234567891ms", false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (quantity_is_one(rows[i].text) != rows[i].is_one)
			fail_msg("%s", rows[i].text);
}

static void test_conversion(void **state)
{
	(void)state;
	static const struct {
		const char *text, *unit;
		bool is_speedup;
		const char *written; /* or the message */
	} rows[] = {
		{"5ms", "ms", false, "5"},
		{"5 ms", "ms", false, "5"},
		{"0.1ms", "ms", false, "0.1"},
		{"60s", "ms", false, "60000"},
		{"1us", "ms", false, "0.001"},
		{"1ns", "ms", false, "0.000001"},
		{"-250us", "ms", false, "-0.25"},
		{"0.001ns", "ms", false, "0.000000001"},
		{"0.0001ns", "ms", false, "is '0.0001ns', which has more than nine decimals in ms"},
		{"1ms", "us", false, "1000"},
		{"99999999999999999999s", "us", false, "99999999999999999999000000"},
		{"2.5GHz", "MHz", false, "2500"},
		{"250mW", "W", false, "0.25"},
		{"30%", "%", false, "30"},
		{"30%", "%", true, "30"},
		{"1.3x", "%", true, "30"},
		{"0.5x", "%", true, "-50"},
		{"1.3x", "%", false, "is '1.3x', must be in %"},
		{"5ms", "%", true, "is '5ms', must be in % or x"},
		{"5%", "ms", false, "is '5%', must be in ns, us, ms or s"},
		{"5MS", "ms", false, "is '5MS', must be in ns, us, ms or s"},
		{"5s", "MHz", false, "is '5s', must be in Hz, kHz, MHz or GHz"},
		{"4 scheduling passes", "scheduling passes", false, "4"},
		{"4 passes", "scheduling passes", false, "is '4 passes', must be in scheduling passes"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		decimal value = 77;
		struct sahm_err err = {0};
		struct textbuf b;
		textbuf_init(&b);
		enum sahm_status status = quantity_read(rows[i].text, strlen(rows[i].text), rows[i].unit,
							rows[i].is_speedup, &value, &err);
		if (status == SAHM_OK)
			decimal_write(&b, value);
		else
			textbuf_puts(&b, err.msg);
		if (strcmp(b.text, rows[i].written) != 0 || (status != SAHM_OK && value != 77))
			fail_msg("%s: '%s'", rows[i].text, b.text);
		textbuf_release(&b);
	}
}

/* The same double as that of the plain number, also where there are more digits than a double has. */
static void test_doubles(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"0.1",
		"-0.3",
		"0.000000001",
		"123456789.123456789",
		"9007199254740993.5",
		"18446744073709551615.000000001",
		"99999999999999999999.999999999",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		decimal value;
		double plain;
		assert_int_equal(decimal_read(texts[i], strlen(texts[i]), &value), NUMBER_OK);
		assert_int_equal(number_read_double(texts[i], &plain), NUMBER_OK);
		if (quantity_to_double(value) != plain)
			fail_msg("%s: %.17g", texts[i], quantity_to_double(value));
	}
}

static void test_neighbours(void **state)
{
	(void)state;
	const char *words;
	assert_string_equal(quantity_neighbour("ms", true, &words), "s");
	assert_string_equal(words, "seconds");
	assert_string_equal(quantity_neighbour("ms", false, &words), "us");
	assert_null(quantity_neighbour("s", true, &words));
	assert_null(quantity_neighbour("Hz", false, &words));
	assert_null(quantity_neighbour("ns", false, &words));
	assert_null(quantity_neighbour("W", true, &words));
	assert_null(quantity_neighbour("%", true, &words));
}

TEST_FILE(test_quantity)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which_are),
		cmocka_unit_test(test_conversion),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_neighbours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
