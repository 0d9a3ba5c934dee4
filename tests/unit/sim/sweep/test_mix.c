/* Mixes of core types, compared with nested loops. */
#include "sim/sweep/mix.h"

#include <math.h>

#include "tests/unit/test.h"

#define MAX_TRIED 4u
#define NR_SPACES 4000u

static struct mix_space plain(uint32_t nr_types, uint32_t least, uint32_t most, uint32_t most_of_type)
{
	struct mix_space s = {
		.nr_types = nr_types, .least = least, .most = most, .max_area_mm2 = INFINITY, .max_power_w = INFINITY};
	for (uint32_t i = 0; i < nr_types; i++)
		s.types[i] = (struct mix_type){"baseline", "", 0, most_of_type, 0, 0};
	return s;
}

static uint32_t below(uint64_t *seed, uint32_t end)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % end;
}

static struct mix_space random_space(uint64_t *seed)
{
	struct mix_space s = plain(1 + below(seed, MAX_TRIED), 1, 0, 0);
	s.least = 1 + below(seed, 6);
	s.most = s.least + below(seed, 5);
	for (uint32_t i = 0; i < s.nr_types; i++) {
		struct mix_type *type = &s.types[i];
		type->least = below(seed, 3) == 0 ? below(seed, 3) : 0;
		type->most = type->least + below(seed, 6);
		/* Tenths, whose sums depend on their order. */
		type->area_mm2 = below(seed, 30) / 10.0;
		type->power_w = below(seed, 20) / 10.0;
	}
	if (below(seed, 2))
		s.max_area_mm2 = below(seed, 120) / 10.0;
	if (below(seed, 2))
		s.max_power_w = below(seed, 80) / 10.0;
	return s;
}

/* Whether a mix is in the space, by the words of the header. */
static bool belongs(const struct mix_space *s, const uint32_t counts[MAX_MIX_TYPES])
{
	uint32_t cores = 0;
	long area = 0, power = 0; /* in tenths, which all prices are */
	for (uint32_t i = 0; i < s->nr_types; i++) {
		if (counts[i] < s->types[i].least || counts[i] > s->types[i].most)
			return false;
		cores += counts[i];
		area += (long)counts[i] * lround(10 * s->types[i].area_mm2);
		power += (long)counts[i] * lround(10 * s->types[i].power_w);
	}
	return cores >= s->least && cores <= s->most && (double)area <= 10 * s->max_area_mm2 + 0.5 &&
	       (double)power <= 10 * s->max_power_w + 0.5;
}

/* Goes through all numbers from 0 to `end` - 1 of each type, the last fastest; false after the last. */
static bool odometer(const struct mix_space *s, uint32_t counts[MAX_MIX_TYPES], uint32_t end)
{
	for (uint32_t i = s->nr_types; i-- > 0;) {
		if (++counts[i] < end)
			return true;
		counts[i] = 0;
	}
	return false;
}

static void test_against_nested_loops(void **state)
{
	uint64_t seed = 1, nr_empty = 0, nr_mixes = 0;
	(void)state;
	for (uint32_t k = 0; k < NR_SPACES; k++) {
		struct mix_space s = random_space(&seed);
		uint32_t counts[MAX_MIX_TYPES], loop[MAX_MIX_TYPES] = {0};
		uint64_t nr = 0;
		bool more = mix_first(&s, counts);
		do {
			bool in = belongs(&s, loop);
			assert_int_equal(mix_fits(&s, loop), in);
			if (!in)
				continue;
			assert_true(more);
			assert_memory_equal(counts, loop, s.nr_types * sizeof(*loop));
			more = mix_next(&s, counts);
			nr++;
		} while (odometer(&s, loop, 11));
		assert_false(more);
		assert_int_equal(mix_count(&s, UINT64_MAX), nr);
		assert_int_equal(mix_count(&s, nr + 1), nr);
		assert_int_equal(mix_count(&s, nr ? nr - 1 : 0), nr ? nr - 1 : 0);
		nr_empty += nr == 0;
		nr_mixes += nr;
	}
	assert_true(nr_empty > 100 && nr_mixes > NR_SPACES);
}

/* Numbers of solutions that are known. */
static void test_counts(void **state)
{
	static const struct {
		const char *name;
		uint32_t nr_types, least, most, most_of_type;
		uint64_t nr;
	} rows[] = {
		{"one type", 1, 1, 9, 9, 9},
		{"exactly 8 of 5: 12 over 4", 5, 8, 8, 8, 495},
		{"up to 8 of 5, without none", 5, 1, 8, 8, 1286},
		{"none is enough", 2, 9, 9, 4, 0},
		{"the one that is", 2, 8, 8, 4, 1},
		{"4096 of 4: 4099 over 3", 4, 4096, 4096, 4096, UINT64_C(11470030849)},
		{"too many for the type", 16, 4096, 4096, 4096, UINT64_MAX},
		{"each or not", 16, 1, 16, 1, 65535},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mix_space s = plain(rows[i].nr_types, rows[i].least, rows[i].most, rows[i].most_of_type);
		uint64_t nr = mix_count(&s, UINT64_MAX);
		if (nr != rows[i].nr)
			fail_msg("%s: %llu", rows[i].name, (unsigned long long)nr);
	}
}

/* Thousands of millions of mixes are neither counted one by one nor searched for nothing. */
static void test_large(void **state)
{
	struct mix_space s = plain(16, 64, 64, 64);
	uint32_t counts[MAX_MIX_TYPES];
	(void)state;
	assert_true(mix_count(&s, UINT64_MAX) > UINT64_C(1000000000000));
	assert_true(mix_first(&s, counts));
	assert_int_equal(counts[15], 64);
	for (uint32_t i = 0; i < 100000; i++) {
		assert_true(mix_next(&s, counts));
		assert_int_equal(mix_cores(&s, counts), 64);
	}
	/* A budget that nothing keeps, or only one mix. */
	for (uint32_t i = 0; i < 16; i++)
		s.types[i].area_mm2 = 1 + i;
	s.max_area_mm2 = 63;
	assert_false(mix_first(&s, counts));
	s.max_area_mm2 = 64;
	assert_true(mix_first(&s, counts));
	assert_int_equal(counts[0], 64);
	assert_false(mix_next(&s, counts));
	assert_int_equal(mix_count(&s, UINT64_MAX), 1);
}

/* A mix that takes what the budget is belongs to it, though binary fractions would say otherwise; one that takes a
 * millionth more does not. */
static void test_edge_of_budget(void **state)
{
	struct mix_space s = plain(2, 1, 4, 4);
	uint32_t counts[MAX_MIX_TYPES] = {1, 3}, three[MAX_MIX_TYPES] = {3, 0};
	(void)state;
	s.types[0].area_mm2 = 0.1;
	s.types[1].area_mm2 = 0.2;
	s.types[1].power_w = 1;
	s.max_area_mm2 = 0.7;
	assert_true(mix_area_mm2(&s, counts) == 0.7 && mix_area_mm2(&s, three) == 0.3);
	assert_true(mix_fits(&s, counts));
	s.max_area_mm2 = 0.699999;
	assert_false(mix_fits(&s, counts));
	s.max_area_mm2 = 0.3;
	assert_true(mix_fits(&s, three));
	/* 1 or 2 or 3 of the first, 1 of the second, 1 of each. */
	assert_int_equal(mix_count(&s, UINT64_MAX), 5);
	s.max_area_mm2 = INFINITY;
	s.max_power_w = 3;
	assert_true(mix_power_w(&s, counts) == 3);
	assert_true(mix_fits(&s, counts));
	s.max_power_w = 2.999999;
	assert_false(mix_fits(&s, counts));
}

static void test_words(void **state)
{
	struct mix_space s = plain(3, 1, 9, 9);
	const uint32_t counts[MAX_MIX_TYPES] = {2, 1, 4}, fewer[MAX_MIX_TYPES] = {0, 3, 0};
	struct textbuf b;
	(void)state;
	s.types[1] = (struct mix_type){"branch", "30", 0, 9, 0, 0};
	s.types[2] = (struct mix_type){"l2+l1d", "12.5,20", 0, 9, 0, 0};
	textbuf_init(&b);
	mix_write_label(&s, counts, &b);
	textbuf_putc(&b, '\n');
	mix_write_setting(&s, counts, &b);
	textbuf_putc(&b, '\n');
	mix_write_label(&s, fewer, &b);
	assert_string_equal(b.text,
			    "2 baseline + 1 branch 30 % + 4 l2+l1d 12.5,20 %\n"
			    "chip.cores=({type=\"baseline\";count=2;},{type=\"branch\";speedup_pct=30;count=1;},"
			    "{type=\"l2+l1d\";speedup_pct=(12.5,20);count=4;})\n"
			    "3 branch 30 %");
	textbuf_release(&b);
}

TEST_FILE(test_mix)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_nested_loops),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_edge_of_budget),
		cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests_name("mix", tests, NULL, NULL);
}
