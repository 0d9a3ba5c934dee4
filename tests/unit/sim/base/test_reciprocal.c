/* Division by multiplication against the language's own. */
#include <inttypes.h>

#include "sim/base/reciprocal.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define TOP ((uint64_t)INT64_MAX) /* largest divisor and dividend */

static void expect_divide(struct reciprocal r, uint64_t by, uint64_t a)
{
	uint64_t rest, quotient = reciprocal_divide(r, a, &rest);

	if (quotient != a / by || rest != a % by)
		fail_msg("%" PRIu64 " / %" PRIu64 " is %" PRIu64 " rest %" PRIu64 ", not %" PRIu64 " rest %" PRIu64, a,
			 by, quotient, rest, a / by, a % by);
}

/* Both sides of `a`, as far as they are in range. */
static void expect_about(struct reciprocal r, uint64_t by, uint64_t a)
{
	for (uint64_t x = a > 1 ? a - 2 : 0; x <= TOP && x <= a + 2; x++)
		expect_divide(r, by, x);
}

static void check_divisor(uint64_t by, uint64_t *rng)
{
	struct reciprocal r = reciprocal_of(by);
	uint64_t most = TOP / by;

	expect_about(r, by, 0);
	expect_about(r, by, TOP);
	expect_about(r, by, most * by);
	expect_about(r, by, UINT64_C(1) << 62);
	for (uint64_t k = 1; k <= 4 && k <= most; k++) {
		expect_about(r, by, k * by);
		expect_about(r, by, (most - k + 1) * by);
	}
	for (int i = 0; i < 100; i++) {
		uint64_t shift = between(rng, 0, 62);
		expect_about(r, by, between(rng, 0, most) * by);
		expect_divide(r, by, between(rng, 0, TOP) >> shift);
	}
}

static void test_divisors(void **state)
{
	uint64_t rng = 1;

	(void)state;
	for (uint64_t by = 1; by <= 1000; by++)
		check_divisor(by, &rng);
	for (unsigned bit = 0; bit < 63; bit++) {
		check_divisor(UINT64_C(1) << bit, &rng);
		check_divisor((UINT64_C(1) << bit) + 1, &rng);
		check_divisor((UINT64_C(2) << bit) - 1, &rng);
	}
	for (uint64_t by = 10; by < TOP / 10; by *= 10)
		for (uint64_t d = by - 1; d <= by + 1; d++)
			check_divisor(d, &rng);
	for (uint64_t less = 0; less < 5; less++)
		check_divisor(TOP - less, &rng);
}

/* Rates as cores have them, and anything. */
static void test_random_divisors(void **state)
{
	uint64_t rng = 2;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t shift = between(&rng, 0, 62), by = between(&rng, 1, TOP) >> shift;
		check_divisor(by ? by : 1, &rng);
		check_divisor(between(&rng, 1, 1000000000), &rng);
	}
}

TEST_FILE(test_reciprocal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_divisors),
		cmocka_unit_test(test_random_divisors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
