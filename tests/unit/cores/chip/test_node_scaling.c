/* Scaling between process nodes: the example that the authors publish, both ways round, and what cannot be scaled. */
#include "cores/chip/node_scaling.h"

#include <math.h>

#include "tests/unit/test.h"

static void test_factors(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum node_figure figure;
		enum node_devices devices;
		struct node from, to;
		double factor, within;
	} rows[] = {
		/* The erratum of the paper: 1 pJ becomes 0.1755 pJ, by factors of four digits. */
		{"published", NODE_ENERGY, NODE_HP, {65, 1.3}, {32, 0.9}, 0.1755, 1e-4},
		{"and back", NODE_ENERGY, NODE_HP, {32, 0.9}, {65, 1.3}, 1 / 0.1755, 3e-3},
		{"low power", NODE_ENERGY, NODE_LP, {65, 1.3}, {32, 0.9}, (0.774279 - 0.70407 + 0.471) / 2.60355, 1e-9},
		{"power", NODE_POWER, NODE_HP, {45, 1}, {7, 0.7}, (577.71 - 360.99 + 123.4) / 4224.4, 1e-9},
		{"low power's", NODE_POWER, NODE_LP, {90, 1}, {7, 0.7}, (399.448 - 215.11 + 87.54) / 10418, 1e-9},
		{"area", NODE_AREA, NODE_HP, {45, 0}, {32, 0}, 0.46, 0},
		{"area grows", NODE_AREA, NODE_LP, {32, 1}, {45, 0.5}, 2.2, 0},
		{"first and last", NODE_AREA, NODE_HP, {130, 0}, {7, 0}, 0.0092, 0},
		{"last and first", NODE_AREA, NODE_HP, {7, 0}, {130, 0}, 110, 0},
		{"the same node", NODE_POWER, NODE_HP, {32, 0.9}, {32, 0.9}, 1, 0},
		{"of any size", NODE_ENERGY, NODE_HP, {28, 0}, {28, 0}, 1, 0},
		{"area at any voltage", NODE_AREA, NODE_HP, {28, 1}, {28, 0}, 1, 0},
		{"another voltage", NODE_ENERGY, NODE_HP, {65, 1.3}, {65, 1}, 1.332 / 2.60355, 1e-9},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {.msg = ""};
		double factor = 0;
		print_message("%s\n", rows[i].name);
		assert_int_equal(
			node_factor(rows[i].figure, rows[i].devices, &rows[i].from, &rows[i].to, &factor, &err),
			SAHM_OK);
		assert_true(fabs(factor - rows[i].factor) <= rows[i].within);
	}
}

static void test_refused(void **state)
{
	(void)state;
#define IN_TABLE " cannot be scaled: Stillmaker and Baas (2017) have 130, 90, 65, 45, 32, 20, 16, 14, 10 and 7 nm; "
	static const struct {
		enum node_figure figure;
		struct node from, to;
		const char *message;
	} rows[] = {
		{NODE_AREA, {40, 1}, {32, 1}, "40 nm" IN_TABLE "45 nm is nearest"},
		{NODE_ENERGY, {32, 1}, {28, 1}, "28 nm" IN_TABLE "32 nm is nearest"},
		{NODE_POWER, {5, 1}, {7, 1}, "5 nm" IN_TABLE "7 nm is nearest"},
		{NODE_ENERGY,
		 {45, 0},
		 {32, 1},
		 "figures of 45 nm cannot be scaled without a supply voltage: add volts"},
		{NODE_POWER, {45, 1}, {45, 0}, "figures of 45 nm cannot be scaled without a supply voltage: add volts"},
		{NODE_ENERGY, {65, 0.5}, {32, 1}, "0.5 V is too low to be scaled at 65 nm"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err;
		double factor;
		assert_int_equal(node_factor(rows[i].figure, NODE_HP, &rows[i].from, &rows[i].to, &factor, &err),
				 SAHM_CONFIG);
		assert_string_equal(err.msg, rows[i].message);
	}
}

TEST_FILE(test_node_scaling)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_factors), cmocka_unit_test(test_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
