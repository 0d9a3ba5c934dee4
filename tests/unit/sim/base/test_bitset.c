/* Sets of small numbers against a plain array of truth values. */

#include "sim/base/bitset.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define MAX_WORDS (1 + MAX_BITSET / 64)

static const uint32_t sizes[] = {1, 63, 64, 65, MAX_BITSET};

static uint32_t plain_next(const bool *plain, uint32_t size, uint32_t from)
{
	while (from < size && !plain[from])
		from++;
	return from < size ? from : BITSET_END;
}

static void expect_next(const uint64_t *set, const bool *plain, uint32_t size, uint32_t from)
{
	uint32_t next = bitset_next(set, from), expected = plain_next(plain, size, from);

	if (next != expected)
		fail_msg("of %u numbers, the next from %u is %u, not %u", size, from, next, expected);
}

static void expect_same(const uint64_t *set, const bool *plain, uint32_t size)
{
	uint32_t next = BITSET_END;

	for (uint32_t i = size; i-- > 0;) {
		next = plain[i] ? i : next;
		if ((set[1 + i / 64] >> i % 64 & 1) != plain[i] || bitset_next(set, i) != next)
			fail_msg("of %u numbers, %u is %s, or the next is not %u", size, i, plain[i] ? "not in" : "in",
				 next);
	}
	assert_int_equal(bitset_first(set), next);
	assert_int_equal(bitset_is_empty(set), next == BITSET_END);
}

static void change(uint64_t *set, bool *plain, uint32_t i, uint64_t kind)
{
	switch (kind) {
	case 0:
		bitset_add(set, i);
		plain[i] = true;
		break;
	case 1:
		bitset_remove(set, i);
		plain[i] = false;
		break;
	case 2:
	case 3:
		bitset_add_if(set, i, kind - 2);
		plain[i] |= kind == 3;
		break;
	default:
		bitset_remove_if(set, i, kind - 4);
		plain[i] &= kind == 4;
	}
}

/* Crowded and nearly empty by turns. */
static void test_random(void **state)
{
	uint64_t rng = 1;

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		uint64_t set[MAX_WORDS] = {0};
		bool plain[MAX_BITSET] = {0};
		uint32_t size = sizes[s], whole = size > 64 ? 1000 : 10;
		for (uint32_t op = 0; op < 40 * whole; op++) {
			bool emptying = op / (10 * whole) % 2;
			uint32_t i = (uint32_t)between(&rng, 0, size - 1);
			change(set, plain, i, one_in(&rng, 4) ? between(&rng, 0, 5) : emptying);
			expect_next(set, plain, size, i);
			expect_next(set, plain, size, (uint32_t)between(&rng, 0, size - 1));
			assert_int_equal(bitset_first(set), plain_next(plain, size, 0));
			if (op % whole == 0)
				expect_same(set, plain, size);
		}
	}
}

/* One member, and every pair at the edges of words. */
static void test_edges(void **state)
{
	static const uint32_t edges[] = {0, 1, 62, 63, 64, 65, 127, 128, 2047, 2048, 4031, 4032, 4094, 4095};
	size_t nr = ARRAY_SIZE(edges);

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		for (size_t a = 0; a < nr; a++) {
			for (size_t b = 0; b < nr && edges[a] < sizes[s] && edges[b] < sizes[s]; b++) {
				uint64_t set[MAX_WORDS] = {0};
				bool plain[MAX_BITSET] = {0};
				change(set, plain, edges[a], 0);
				change(set, plain, edges[b], 0);
				expect_same(set, plain, sizes[s]);
				change(set, plain, edges[a], 1);
				change(set, plain, edges[a], 1);
				expect_same(set, plain, sizes[s]);
			}
		}
	}
}

/* No more memory is needed than promised. */
static void test_words(void **state)
{
	static const struct {
		uint32_t size, words;
	} rows[] = {{1, 2}, {63, 2}, {64, 2}, {65, 3}, {128, 3}, {129, 4}, {4032, 64}, {4033, 65}, {4096, 65}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t set[MAX_WORDS + 1] = {0};
		assert_int_equal(bitset_words(rows[i].size), rows[i].words);
		set[rows[i].words] = 0xa5;
		for (uint32_t n = 0; n < rows[i].size; n++)
			bitset_add(set, n);
		for (uint32_t n = 0; n < rows[i].size; n++) {
			assert_int_equal(bitset_next(set, n), n);
			bitset_remove(set, n);
		}
		assert_true(bitset_is_empty(set));
		assert_int_equal(set[rows[i].words], 0xa5);
	}
}

static void test_bits(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 64; i++) {
		assert_int_equal(lowest_bit(UINT64_C(1) << i), i);
		assert_int_equal(lowest_bit(~UINT64_C(0) << i), i);
		assert_true(bits_above(i) == (i == 63 ? 0 : ~UINT64_C(0) << (i + 1)));
	}
}

TEST_FILE(test_bitset)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
