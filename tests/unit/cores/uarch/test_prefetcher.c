/* Best-offset and stream prefetchers: patterns with known answers, slow references on random ones, and what L2 then
 * misses. Next-line and stride are in test_functional_pass.c. */
#include "cores/uarch/prefetcher.h"

#include <stdlib.h>

#include "cores/uarch/functional_pass.h"
#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/reference/refprefetch.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

#define OFFSETS 52u
#define PAGE_LINES 64u

static uint64_t lines[MAX_PREFETCH_DEGREE];

static struct prefetcher *make(enum prefetcher_kind kind, unsigned degree)
{
	struct prefetcher *p = prefetcher_new(&(struct prefetcher_spec){.kind = kind, .degree = degree});
	assert_non_null(p);
	return p;
}

static unsigned watch(struct prefetcher *p, const struct prefetch_trigger *t)
{
	struct prefetch_request requests[MAX_PREFETCH_REQUESTS];
	unsigned nr = prefetcher_watch(p, t, requests);
	for (unsigned i = 0; i < nr; i++) {
		assert_false(requests[i].is_beyond);
		lines[i] = requests[i].line;
	}
	return nr;
}

static struct prefetch_trigger trigger(uint64_t address, uint8_t line_shift, bool is_new)
{
	return (struct prefetch_trigger){
		.pc = 0x400000, .address = address, .sight = {.is_new = is_new}, .line_shift = line_shift};
}

/* A miss of a line of 64 bytes. */
static unsigned miss(struct prefetcher *p, uint64_t line)
{
	struct prefetch_trigger t = trigger(line * 64, 6, true);
	return watch(p, &t);
}

static void hit(struct prefetcher *p, uint64_t address)
{
	struct prefetch_trigger t = trigger(address, 6, false);
	watch(p, &t);
}

/* ---- Best offset ---- */

/* Every page has the lines 0, `stride`, 2 `stride` and so on, from `first` on; returns the line after `nr` misses. */
static uint64_t walk(struct prefetcher *p, uint64_t line, unsigned stride, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		miss(p, line);
		bool is_last = line % PAGE_LINES + stride >= PAGE_LINES;
		line = is_last ? (line / PAGE_LINES + 1) * PAGE_LINES : line + stride;
	}
	return line;
}

/* Strides are found within one learning phase of at most 100 rounds, and then requested: the offset is the stride or a
 * multiple of it, as none of them is too late. */
static void test_offset_is_found(void **state)
{
	(void)state;
	static const unsigned strides[] = {1, 3, 5, 8, 12, 15, 25};
	for (size_t i = 0; i < ARRAY_SIZE(strides); i++) {
		struct prefetcher *p = make(PREFETCHER_BEST_OFFSET, 1);
		uint64_t line = walk(p, 1000 * PAGE_LINES, strides[i], 100 * OFFSETS);
		line = (line / PAGE_LINES + 1) * PAGE_LINES;
		assert_int_equal(miss(p, line), 1);
		assert_int_not_equal(lines[0], line);
		if ((lines[0] - line) % strides[i] != 0 || lines[0] - line >= PAGE_LINES)
			fail_msg("stride %u: offset %u", strides[i], (unsigned)(lines[0] - line));
		prefetcher_free(p);
	}
}

/* Lines 3, 33 and 63 of each page score with the offset 30, in two accesses of three: the phase ends with the round of
 * the 31st score. */
static void test_one_phase(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_BEST_OFFSET, 2);
	unsigned nr = 0;
	for (uint64_t page = 1000; miss(p, page * PAGE_LINES + 3 + nr % 3 * 30) == 0; page += nr % 3 == 0)
		nr++;
	unsigned score = 0, round = 0;
	for (; score < 31; round++)
		score += (round * OFFSETS + 17) % 3 > 0; /* 30 is the 18th offset */
	assert_in_range(nr, round * OFFSETS - 1, round * OFFSETS + 1);
	assert_int_equal((lines[0] - 3) % PAGE_LINES % 30, 0);
	prefetcher_free(p);
}

/* The base, its multiples, and no line of the next page. */
static void test_degree_and_page_end(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_BEST_OFFSET, 3);
	uint64_t page = 5000 * PAGE_LINES;
	for (unsigned i = 0; i < 100 * OFFSETS; i++)
		miss(p, (1000 + i / 2) * PAGE_LINES + i % 2 * 20);
	assert_int_equal(miss(p, page), 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(lines[i], page + (i + 1) * 20);
	assert_int_equal(miss(p, page + 4), 2);
	assert_int_equal(miss(p, page + 43), 1);
	assert_int_equal(lines[0], page + 63);
	assert_int_equal(miss(p, page + 44), 0);
	prefetcher_free(p);
}

/* Nothing is requested at first; random lines turn it off again, one phase later, and hits teach it nothing. */
static void test_off(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_BEST_OFFSET, 1);
	uint64_t rng = 3;
	assert_int_equal(miss(p, 0), 0);
	prefetcher_free(p);
	p = make(PREFETCHER_BEST_OFFSET, 1);
	for (unsigned i = 0; i < 100 * OFFSETS; i++)
		hit(p, (uint64_t)i * 64);
	for (unsigned i = 0; i < 100 * OFFSETS; i++)
		assert_int_equal(miss(p, between(&rng, 0, UINT64_MAX >> 8)), 0);
	walk(p, 0, 1, 100 * OFFSETS);
	assert_int_equal(miss(p, 0), 1);
	for (unsigned i = 0; i < 200 * OFFSETS; i++)
		miss(p, between(&rng, 0, UINT64_MAX >> 8));
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(miss(p, between(&rng, 0, UINT64_MAX >> 8)), 0);
	prefetcher_free(p);
}

/* A score of 1 is not enough, 2 are. Pairs of lines that are 1 apart meet the offset 1 in a given round only. */
static void test_bad_score(void **state)
{
	(void)state;
	for (unsigned pairs = 1; pairs <= 2; pairs++) {
		struct prefetcher *p = make(PREFETCHER_BEST_OFFSET, 1);
		uint64_t page = 1000 * PAGE_LINES;
		for (unsigned i = 0; i < 100 * OFFSETS; i++, page += PAGE_LINES) {
			bool is_second = i > 0 && i % OFFSETS == 0 && i / OFFSETS <= pairs;
			miss(p, is_second ? page - PAGE_LINES + 1 : page);
		}
		assert_int_equal(miss(p, page), pairs - 1);
		prefetcher_free(p);
	}
}

/* ---- Streams ---- */

/* One goes up and one down, by turns, each in its page: both are found at their third line, and end with the page. */
static void test_two_streams(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_STREAM, 4);
	const uint64_t up = 1000 * PAGE_LINES, down = 3001 * PAGE_LINES - 1;
	for (unsigned i = 0; i < PAGE_LINES; i++) {
		/* Four lines at a time, until they are 16 ahead; then one for one. */
		unsigned ahead = i < 2 ? 0 : 4 * (i - 1) - (i - 2) < 16 ? 4 * (i - 1) - (i - 2) : 16;
		unsigned room = PAGE_LINES - 1 - i;
		unsigned nr = miss(p, up + i);
		assert_int_equal(nr > 0, i >= 2 && (room >= 16 || i + ahead < PAGE_LINES - 1));
		if (nr > 0)
			assert_int_equal(lines[nr - 1], up + i + ahead);
		assert_int_equal(miss(p, down - i), nr);
		if (nr > 0)
			assert_int_equal(lines[nr - 1], down - i - ahead);
	}
	prefetcher_free(p);
}

/* The page's last line is requested, and the first; neither of the next page's. */
static void test_stream_page_ends(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_STREAM, MAX_PREFETCH_DEGREE);
	const uint64_t page = 1000 * PAGE_LINES;
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(miss(p, page + 58 + i), 0);
	assert_int_equal(miss(p, page + 60), 3);
	assert_int_equal(lines[2], page + 63);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(miss(p, page + PAGE_LINES + 5 - i), 0);
	assert_int_equal(miss(p, page + PAGE_LINES + 3), 3);
	assert_int_equal(lines[2], page + PAGE_LINES);
	prefetcher_free(p);
}

/* One wrong step leaves confidence 2 of 3; the next step in the direction goes on where the requests ended. Hits and
 * the same line again change nothing; a step beyond what was requested begins there. */
static void test_stream_confidence(void **state)
{
	(void)state;
	static const struct {
		uint8_t line, nr, last;
	} rows[] = {
		{10, 0, 0}, {11, 0, 0}, {12, 2, 14}, {13, 2, 16}, {13, 0, 0}, {12, 0, 0}, {14, 2, 18}, {30, 2, 32},
		{29, 0, 0}, {28, 0, 0}, {29, 2, 31}, {28, 0, 0},  {27, 0, 0}, {26, 0, 0}, {25, 2, 23},
	};
	struct prefetcher *p = make(PREFETCHER_STREAM, 2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		hit(p, 500 * 4096);
		unsigned nr = miss(p, 500 * PAGE_LINES + rows[i].line);
		if (nr != rows[i].nr || (nr > 0 && lines[nr - 1] != 500 * PAGE_LINES + rows[i].last))
			fail_msg("row %zu: %u lines to %u", i, nr, (unsigned)(lines[nr - 1] % PAGE_LINES));
	}
	prefetcher_free(p);
}

/* The 16 pages used last have streams: after 15 others a page's is still there, after 16 it begins again. */
static void test_stream_count(void **state)
{
	(void)state;
	for (unsigned others = 15; others <= 16; others++) {
		struct prefetcher *p = make(PREFETCHER_STREAM, 1);
		for (unsigned i = 0; i < 3; i++)
			miss(p, 100 * PAGE_LINES + i);
		for (unsigned i = 1; i <= others; i++)
			miss(p, (100 + i) * PAGE_LINES);
		assert_int_equal(miss(p, 100 * PAGE_LINES + 3), others == 15);
		prefetcher_free(p);
	}
}

/* ---- Both ---- */

/* Added up by hand. */
static void test_storage(void **state)
{
	(void)state;
	static const struct {
		struct prefetcher_spec spec;
		uint64_t bits;
	} rows[] = {
		{{PREFETCHER_NONE, 0, 0}, 0},
		{{PREFETCHER_NEXT_LINE, 8, 0}, 0},
		/* 256 entries of pc 48, last address 48, stride 48, confidence 2 */
		{{PREFETCHER_STRIDE, 2, 0}, 37376},
		/* 256 tags of 12 bits and valid bits; 52 scores of 5 bits; round 7; offset tested, best, in use: 6
		 * each; on 1 */
		{{PREFETCHER_BEST_OFFSET, 1, 0}, 3328 + 260 + 7 + 18 + 1},
		/* 16 times page 36, last line 8, line ahead 8, direction 2, confidence 2, valid 1, age 4 */
		{{PREFETCHER_STREAM, 4, 0}, 976},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(prefetcher_storage_bits(&rows[i].spec, 512), rows[i].bits);
}

/* A line of a mix: pages come back, lines go up, down, by strides or anywhere. */
static uint64_t draw_line(uint64_t *rng, uint64_t *at, unsigned nr_walks, unsigned page_lines)
{
	uint64_t *walk = &at[between(rng, 0, nr_walks - 1)];
	unsigned n = (unsigned)(walk - at);
	if (one_in(rng, 40))
		*walk = between(rng, 0, 1000) * page_lines + between(rng, 0, page_lines - 1);
	else
		*walk += n % 2 ? -(uint64_t)between(rng, 0, n) : between(rng, n / 2, n);
	return *walk;
}

/* How many lines were requested. */
static unsigned compare(enum prefetcher_kind kind, uint64_t seed, unsigned nr)
{
	uint64_t rng = seed, at[24] = {0}, slow_lines[MAX_PREFETCH_DEGREE];
	struct prefetcher_spec spec = {.kind = kind, .degree = (uint32_t)between(&rng, 1, MAX_PREFETCH_DEGREE)};
	struct prefetcher *p = make(kind, spec.degree);
	struct refprefetch *slow = refprefetch_new(&spec, nr);
	uint8_t shift = (uint8_t)between(&rng, 4, 7);
	unsigned nr_walks = (unsigned)between(&rng, 1, ARRAY_SIZE(at)), requests = 0;
	assert_non_null(slow);
	for (unsigned i = 0; i < nr; i++) {
		uint64_t line = draw_line(&rng, at, nr_walks, 4096u >> shift);
		struct prefetch_trigger t = trigger(line << shift, shift, !one_in(&rng, 8));
		unsigned n = watch(p, &t);
		requests += n;
		if (n != refprefetch_watch(slow, &t, slow_lines))
			fail_msg("seed %u, access %u: %u lines", (unsigned)seed, i, n);
		for (unsigned k = 0; k < n; k++)
			assert_int_equal(lines[k], slow_lines[k]);
	}
	prefetcher_free(p);
	refprefetch_free(slow);
	return requests;
}

static void test_references(void **state)
{
	(void)state;
	unsigned streams = 0, offsets = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		streams += compare(PREFETCHER_STREAM, seed, 2000);
		offsets += compare(PREFETCHER_BEST_OFFSET, seed, 12000);
	}
	print_message("%u %u\n", streams, offsets);
	assert_true(streams > 1000 && offsets > 1000);
}

/* ---- In L2 ---- */

/* L2 of 16 KiB. Misses of it, and prefetches, of two walks over `bytes` in steps of `stride`. */
static struct functional_counts walk_twice(enum prefetcher_kind kind, unsigned stride, uint64_t bytes)
{
	const struct core_geometry g = {
		.l1i = {512, 2, 64, REPLACE_LRU},
		.l1d = {512, 2, 64, REPLACE_LRU},
		.l2 = {16384, 8, 64, REPLACE_LRU},
		.l2_prefetchers = {{.kind = kind, .degree = kind == PREFETCHER_NONE ? 0 : 4}},
		.itlb = {2, 2},
		.dtlb = {2, 2},
		.predictor = {.kind = PREDICTOR_GSHARE, .base_bits = 4, .return_stack = 2},
		.dram = {2, 1024},
	};
	struct sahm_err err;
	struct functional_pass *p = functional_pass_new(&g, &err);
	assert_non_null(p);
	for (unsigned n = 0; n < 2; n++)
		for (uint64_t a = 0; a < bytes;) {
			batch->nr = batch->nr_instructions = batch->nr_prefetches = 0;
			for (; a < bytes && batch->nr < BATCH_UOPS; a += stride) {
				struct uop *u = batch_add(INSN_LOAD, 0x400000);
				u->address = 0x10000000 + a;
				u->bytes = 8;
			}
			functional_pass_run(p, batch);
		}
	struct functional_counts counts = *functional_pass_counts(p);
	functional_pass_free(p);
	return counts;
}

/* Two walks over 64 times L2 miss at most a third as often; those that stay in a line change nothing. */
static void test_walks(void **state)
{
	(void)state;
	static const enum prefetcher_kind kinds[] = {PREFETCHER_BEST_OFFSET, PREFETCHER_STREAM};
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		uint64_t without = walk_twice(PREFETCHER_NONE, 192, 1 << 20).epoch.count[COUNTER_L2_MISSES];
		struct functional_counts with = walk_twice(kinds[i], 192, 1 << 20);
		assert_int_equal(without, 2 * ((1 << 20) / 192 + 1) + 1);
		if (with.epoch.count[COUNTER_L2_MISSES] > without / 3)
			fail_msg("%s: %u of %u", prefetcher_kind_name(kinds[i]),
				 (unsigned)with.epoch.count[COUNTER_L2_MISSES], (unsigned)without);
		struct functional_counts none = walk_twice(PREFETCHER_NONE, 8, 64);
		struct functional_counts same = walk_twice(kinds[i], 8, 64);
		assert_memory_equal(&none, &same, sizeof(none));
	}
}

TEST_FILE(test_prefetcher)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offset_is_found),	    cmocka_unit_test(test_one_phase),
		cmocka_unit_test(test_degree_and_page_end), cmocka_unit_test(test_off),
		cmocka_unit_test(test_bad_score),	    cmocka_unit_test(test_two_streams),
		cmocka_unit_test(test_stream_page_ends),    cmocka_unit_test(test_stream_confidence),
		cmocka_unit_test(test_stream_count),	    cmocka_unit_test(test_storage),
		cmocka_unit_test(test_references),	    cmocka_unit_test(test_walks),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
