/* Random numbers: against values that an independent implementation (Python, whole numbers, hashlib) gave. */
#include "sim/base/rng.h"

#include <inttypes.h>
#include <stdbool.h>

#include "tests/unit/test.h"

static void test_known_numbers(void **state)
{
	(void)state;
	/* The first five are those of the authors' own C. */
	static const uint64_t small[] = {
		11520,
		0,
		1509978240,
		UINT64_C(1215971899390074240),
		UINT64_C(1216172134540287360),
		UINT64_C(607988272756665600),
		UINT64_C(16172922978634559625),
		UINT64_C(8476171486693032832),
	};
	struct rng r = {{1, 2, 3, 4}};
	for (size_t i = 0; i < ARRAY_SIZE(small); i++)
		assert_true(rng_next(&r) == small[i]);
	struct rng wide = {{UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210), UINT64_C(0xdeadbeefcafebabe),
			    UINT64_C(0x8000000000000001)}};
	assert_true(rng_next(&wide) == UINT64_C(0x6666666666666c65));
	assert_true(rng_next(&wide) == UINT64_C(0xbab7eca89c96396b));
	for (unsigned i = 2; i < 999; i++)
		rng_next(&wide);
	assert_true(rng_next(&wide) == UINT64_C(0x55ee05b692ffbf3f));
}

/* How a stream begins is part of what a seed means: the hash, and its bytes in order. */
static void test_known_stream(void **state)
{
	(void)state;
	static const uint64_t begun[4] = {UINT64_C(0x0219c5cb90daa262), UINT64_C(0xbfc352a4eb50169e),
					  UINT64_C(0xf0d7cbe0acee7b3b), UINT64_C(0xe65080ac18a7458d)};
	struct rng r;
	rng_init(&r, 1, "gcc", "stays");
	assert_memory_equal(r.state, begun, sizeof(begun));
	assert_true(rng_next(&r) == UINT64_C(0xaac37eae89fce657));
	assert_true(rng_next(&r) == UINT64_C(0xaca2a46e5c42ffc0));
}

static void test_streams_differ(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t seed;
		const char *whose, *what;
	} streams[] = {
		{"one", 1, "gcc", "stays"},
		{"another seed", 2, "gcc", "stays"},
		{"a seed that differs in the highest bit", (UINT64_C(1) << 63) + 1, "gcc", "stays"},
		{"another owner", 1, "gcb", "stays"},
		{"another use", 1, "gcc", "counts"},
		{"words swapped", 1, "stays", "gcc"},
		{"a letter moved from word to word", 1, "gccs", "tays"},
		{"no owner", 1, "", "gccstays"},
		{"no use", 1, "gccstays", ""},
	};
	const size_t nr = ARRAY_SIZE(streams);
	for (size_t i = 0; i < nr; i++) {
		struct rng a, b;
		rng_init(&a, streams[i].seed, streams[i].whose, streams[i].what);
		rng_init(&b, streams[i].seed, streams[i].whose, streams[i].what);
		for (unsigned n = 0; n < 8; n++)
			assert_true(rng_next(&a) == rng_next(&b));
		for (size_t j = 0; j < i; j++) {
			unsigned same = 0;
			rng_init(&a, streams[i].seed, streams[i].whose, streams[i].what);
			rng_init(&b, streams[j].seed, streams[j].whose, streams[j].what);
			for (unsigned n = 0; n < 64; n++)
				same += rng_next(&a) == rng_next(&b);
			if (same > 0)
				fail_msg("'%s' has numbers of '%s'", streams[i].name, streams[j].name);
		}
	}
}

static void test_below_bounds(void **state)
{
	(void)state;
	static const uint64_t ends[] = {1, 2, 3, 10, 1000, UINT64_C(1) << 32, (UINT64_C(1) << 63) + 1, UINT64_MAX};
	struct rng r;
	rng_init(&r, 3, "below", "bounds");
	for (size_t e = 0; e < ARRAY_SIZE(ends); e++)
		for (unsigned i = 0; i < 1000; i++)
			if (rng_below(&r, ends[e]) >= ends[e])
				fail_msg("end %" PRIu64 " is reached", ends[e]);
	for (unsigned i = 0; i < 100; i++)
		assert_true(rng_below(&r, 1) == 0);
	/* Both ends of a small range come up. */
	bool seen[3] = {false, false, false};
	for (unsigned i = 0; i < 100; i++)
		seen[rng_below(&r, 3)] = true;
	assert_true(seen[0] && seen[1] && seen[2]);
}

/* Chi-square under 0.1 % for 9 and 96 degrees of freedom: 27.9 and 144.6. */
static void test_below_is_even(void **state)
{
	(void)state;
	static const struct {
		unsigned end;
		double most;
	} cases[] = {{10, 27.9}, {97, 144.6}};
	for (size_t c = 0; c < 2; c++) {
		unsigned counts[97] = {0};
		const unsigned nr = 97000;
		double chi = 0, expected = (double)nr / cases[c].end;
		struct rng r;
		rng_init(&r, 11, "below", "even");
		for (unsigned i = 0; i < nr; i++)
			counts[rng_below(&r, cases[c].end)]++;
		for (unsigned i = 0; i < cases[c].end; i++)
			chi += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
		/* No less than a twentieth of the degrees of freedom either: numbers in turn would be too even. */
		if (chi > cases[c].most || chi < cases[c].end / 20.0)
			fail_msg("end %u: chi-square %g", cases[c].end, chi);
	}
}

/* Numbers and what is drawn next, which tells how many were redrawn. */
static void test_below_redraws(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t end, numbers[8], next;
	} cases[] = {
		{"just above half: 4 of 12 redrawn",
		 (UINT64_C(1) << 63) + 1,
		 {UINT64_C(0x64f00814a10f7b14), UINT64_C(0x2343dab8111a2d85), UINT64_C(0x5694303cee41ed54),
		  UINT64_C(0x6170ea25710635db), UINT64_C(0x1e6451ebac531d43), UINT64_C(0x6895226c03624ebc),
		  UINT64_C(0x57a6c0502c326179), UINT64_C(0x44b8aeb697f445f0)},
		 UINT64_C(0xc8caad09f64263fd)},
		{"above three quarters: 2 of 10 redrawn",
		 (UINT64_C(3) << 62) + 5,
		 {UINT64_C(0x97680c1ef19738a1), UINT64_C(0x44416dfa1566eb0c), UINT64_C(0x34e5c81419a74449),
		  UINT64_C(0x81de485b6562e401), UINT64_C(0x92295f38298950cc), UINT64_C(0x2d967ae1827cabe6),
		  UINT64_C(0x9b6c4e71c5b115bb), UINT64_C(0x837a2078424b9238)},
		 UINT64_C(0xa175ceb6c5da6347)},
		{"half: none redrawn",
		 UINT64_C(1) << 63,
		 {UINT64_C(0x64f00814a10f7b14), UINT64_C(0x2d80f3fc0e449cb2), UINT64_C(0x0d8769231bbd8ba7),
		  UINT64_C(0x2343dab8111a2d85), UINT64_C(0x5694303cee41ed54), UINT64_C(0x6170ea25710635db),
		  UINT64_C(0x1e6451ebac531d43), UINT64_C(0x679d89a12e760e7a)},
		 UINT64_C(0xd12a44d806c49d78)},
	};
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct rng r;
		rng_init(&r, 7, "below", "test");
		for (unsigned i = 0; i < 8; i++) {
			uint64_t number = rng_below(&r, cases[c].end);
			if (number != cases[c].numbers[i])
				fail_msg("%s: number %u is %" PRIx64, cases[c].name, i, number);
		}
		if (rng_next(&r) != cases[c].next)
			fail_msg("%s: another count of numbers was drawn", cases[c].name);
	}
}

TEST_FILE(test_rng)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_numbers),  cmocka_unit_test(test_known_stream),
		cmocka_unit_test(test_streams_differ), cmocka_unit_test(test_below_bounds),
		cmocka_unit_test(test_below_is_even),  cmocka_unit_test(test_below_redraws),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
