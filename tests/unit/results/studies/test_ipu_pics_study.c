/* Heights of PCs in the study of cycle stacks by an introspection unit, worked out by hand. */
#include "results/studies/ipu_pics_study.h"

#include "tests/unit/test.h"

static struct ipu_row rows0[] = {{0x10, 0, 4}, {0x10, 8, 4}, {0x20, 0, 2}, {0x30, 64, 10}};
static struct ipu_row rows1[] = {{0x08, 0, 5}, {0x10, 0, 8}, {0x30, 64, 5}, {0x30, 320, 5}};
static const struct ipu_samples reference = {.rows = rows0, .nr = 4, .total = 20};
static const struct ipu_samples seen = {.rows = rows1, .nr = 4, .total = 23}, none = {0};

/* By PC: 8 of 8, 0 of 2, 10 of 10. PCs that only the unit has do not count. */
static void test_by_pc(void **state)
{
	double error, missing;
	(void)state;
	ipu_pics_heights(&reference, &seen, false, &error, &missing);
	assert_true(error == (0.0 + 1.0 + 0.0) / 3);
	assert_true(missing == 2.0 / 20);
}

/* By row: 8 of 4, 0 of 4, 0 of 2, 5 of 10. */
static void test_by_row(void **state)
{
	double error, missing;
	(void)state;
	ipu_pics_heights(&reference, &seen, true, &error, &missing);
	assert_true(error == (1.0 + 1.0 + 1.0 + 0.5) / 4);
	assert_true(missing == 6.0 / 20);
}

static void test_none(void **state)
{
	double error, missing;
	(void)state;
	ipu_pics_heights(&none, &seen, false, &error, &missing);
	assert_true(error == 0 && missing == 0);
	ipu_pics_heights(&reference, &none, false, &error, &missing);
	assert_true(error == 1 && missing == 1);
	ipu_pics_heights(&reference, &reference, true, &error, &missing);
	assert_true(error == 0 && missing == 0);
}

TEST_FILE(test_ipu_pics_study)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_pc), cmocka_unit_test(test_by_row),
					   cmocka_unit_test(test_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
