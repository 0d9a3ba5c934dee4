/* The predictor of kind tage-sc-l: patterns of which the misses are known, its storage added up by hand, and the slow
 * version in tests/reference on random branches. */
#include <math.h>
#include <string.h>

#include "cores/uarch/predictor.h"
#include "tests/helper/random.h"
#include "tests/reference/refpredictor.h"
#include "tests/unit/cores/uarch/made_cpu.h"
#include "tests/unit/cores/uarch/made_predictor.h"

#define PC UINT64_C(0x401000)
#define NR_SIZES 4

static const unsigned sizes_kb[NR_SIZES] = {8, 16, 64, 256};

/* The predictor of configs/cores/KIND-KB.inc. */
static struct predictor_spec preset(const char *kind, unsigned kb)
{
	char text[512];
	struct cpu cpu;
	struct sahm_err err;
	snprintf(
		text, sizeof(text),
		"name = \"x\"; source = \"x\"; l1i = { size_kib = 32; ways = 8; line_bytes = 64; };"
		"l1d = { size_kib = 32; ways = 8; line_bytes = 64; }; l2 = { size_kib = 512; ways = 8; line_bytes = 64; };\n"
		"@include \"configs/cores/%s-%u.inc\"\n",
		kind, kb);
	if (cpu_read_text("t.cfg", text, strlen(text), &cpu, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return cpu.predictor;
}

static struct predictor_spec sized(unsigned kb)
{
	return preset("tage-sc-l", kb);
}

/* The same tables without corrector and loop predictor. */
static struct predictor_spec only_tage(struct predictor_spec spec)
{
	spec.kind = PREDICTOR_TAGE;
	return spec;
}

static void test_faults(void **state)
{
	(void)state;
	static const char loops[] = "a loop predictor has 2^2 to 2^16 entries";
	static const char tables[] = "a corrector has 3 to 10 tables";
	static const char counters[] = "a table of the corrector has 2^1 to 2^20 counters";
	static const struct {
		uint8_t loop_bits, tables, counter_bits;
		const char *fault;
	} rows[] = {
		{2, 3, 1, NULL},   {16, 10, 20, NULL}, {1, 3, 1, loops},    {17, 3, 1, loops},
		{2, 2, 1, tables}, {2, 11, 1, tables}, {2, 3, 0, counters}, {2, 3, 21, counters},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct predictor_spec s = sized(8);
		s.loop_bits = rows[i].loop_bits;
		s.corrector_tables = rows[i].tables;
		s.corrector_bits = rows[i].counter_bits;
		const char *fault = predictor_spec_fault(&s);
		if (rows[i].fault)
			assert_string_equal(fault, rows[i].fault);
		else
			predictor_free(make(&s));
	}
}

/* Misses of a loop branch in `rounds` rounds of `length` branches, after 20 rounds. */
static uint32_t loop_misses(const struct predictor_spec *spec, uint32_t length, uint32_t rounds, bool direction)
{
	struct predictor *p = make(spec);
	uint32_t misses = 0;
	for (uint32_t n = 0; n < (20 + rounds) * length; n++) {
		bool missed = miss(p, PC, (n % length + 1 < length) == direction);
		misses += missed && n >= 20 * length;
	}
	predictor_free(p);
	return misses;
}

/* The end of a round of 1,000 is further back than any history: TAGE misses each. The longest round that a count of 14
 * bits reaches is 16,383: the entry is given up when that many have not ended it. */
static void test_long_loops(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_SIZES; i++) {
		struct predictor_spec with = sized(sizes_kb[i]), without = only_tage(with);
		for (int direction = 0; direction < 2; direction++) {
			assert_int_equal(loop_misses(&with, 1000, 50, direction), 0);
			assert_int_equal(loop_misses(&without, 1000, 50, direction), 50);
		}
		assert_int_equal(loop_misses(&with, 3, 50, true), 0);
	}
	struct predictor_spec with = sized(8);
	assert_int_equal(loop_misses(&with, 16383, 10, true), 0);
	assert_int_equal(loop_misses(&with, 16384, 10, true), 10);
}

/* Trained on 1,000, a loop of another length is missed at its old and at its new end, then once a round until the new
 * length has come as often as confidence needs. */
static void test_loop_that_changes(void **state)
{
	(void)state;
	struct predictor_spec spec = sized(64);
	struct predictor *p = make(&spec);
	uint32_t misses[40] = {0};
	for (uint32_t round = 0; round < 40; round++) {
		uint32_t length = round < 20 ? 1000 : 1500;
		for (uint32_t n = 1; n <= length; n++)
			misses[round] += miss(p, PC, n < length);
	}
	assert_int_equal(misses[19], 0);
	assert_int_equal(misses[20], 2);
	for (uint32_t round = 21; round < 40; round++)
		assert_int_equal(misses[round], round <= 27);
	predictor_free(p);
}

static void test_alternating(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_SIZES; i++) {
		struct predictor_spec spec = sized(sizes_kb[i]);
		struct predictor *p = make(&spec);
		uint32_t later = 0;
		for (uint32_t n = 0; n < 2000; n++) {
			bool missed = miss(p, PC, n & 1);
			later += missed && n >= 200;
		}
		assert_int_equal(later, 0);
		predictor_free(p);
	}
}

/* Eight branches, each taken nine times out of ten, independently. Nobody misses less than one in ten but by luck,
 * which five standard deviations bound. TAGE takes patterns for real that mean nothing; the corrector notices and comes
 * within 2 % of the bound. */
static void test_biased(void **state)
{
	(void)state;
	const uint32_t n = 400000;
	const double bound = 0.1 * n, luck = 5 * sqrt(n * 0.1 * 0.9);
	for (size_t i = 0; i < NR_SIZES; i++) {
		struct predictor_spec with = sized(sizes_kb[i]), without = only_tage(with);
		struct predictor *p = make(&with), *tage = make(&without);
		uint64_t rng = 23;
		uint32_t misses = 0, tage_misses = 0;
		for (uint32_t k = 0; k < n; k++) {
			bool taken = between(&rng, 0, 9) != 0;
			misses += miss(p, PC + k % 8 * 20, taken);
			tage_misses += miss(tage, PC + k % 8 * 20, taken);
		}
		assert_true(misses > bound - luck);
		assert_true(misses < bound * 1.02 + luck);
		assert_true(tage_misses > misses);
		predictor_free(p);
		predictor_free(tage);
	}
}

static void test_storage(void **state)
{
	(void)state;
	const struct predictor_spec spec = {
		.kind = PREDICTOR_TAGE_SC_L,
		.base_bits = 4,
		.nr_tables = 2,
		.tables = {{.history_bits = 5, .entries_bits = 3, .tag_bits = 7},
			   {.history_bits = 12, .entries_bits = 2, .tag_bits = 9}},
		.loop_bits = 3,
		.corrector_tables = 4,
		.corrector_bits = 5,
		.target_bits = 2,
		.return_stack = 6,
	};
	const struct predictor_storage s = predictor_storage(&spec);
	/* 16 counters of 2 bits; 8 entries of 7 + 3 + 2 and 4 of 9 + 3 + 2 (tag, counter, useful); 16 outcomes, which
	 * targets need; counters of 18 bits (fading), 4 (new entries) and 2 (allocations). */
	assert_int_equal(s.directions, 32 + 96 + 56 + 16 + 24);
	/* Tag 14, two counts of 14, confidence 3, age 3, direction, valid; trust 7. */
	assert_int_equal(s.loops, 8 * 50 + 7);
	/* 6 bits; threshold 10, its step 6, three counters of trust. */
	assert_int_equal(s.corrector, 4 * 32 * 6 + 10 + 6 + 3 * 6);
	/* Three tables of 4, with a tag and an address of 48 bits and a bit; 32 bits of path. */
	assert_int_equal(s.targets, 3 * 4 * 97 + 32);
	assert_int_equal(s.returns, 6 * 48 + 3);
	assert_int_equal(predictor_storage_bits(&spec), 224 + 407 + 802 + 1196 + 291);
	for (size_t i = 0; i < NR_SIZES; i++) {
		const struct predictor_spec specs[] = {sized(sizes_kb[i]), preset("tage", sizes_kb[i])};
		for (size_t k = 0; k < 2; k++) {
			const struct predictor_storage all = predictor_storage(&specs[k]);
			uint64_t bits = all.directions + all.loops + all.corrector,
				 budget = sizes_kb[i] * UINT64_C(8192);
			assert_in_range(bits, budget * 95 / 100, budget);
			assert_int_equal(specs[k].kind, k == 0 ? PREDICTOR_TAGE_SC_L : PREDICTOR_TAGE);
		}
	}
}

static void test_storage_of_others(void **state)
{
	(void)state;
	const struct predictor_spec rocket = shipped_cpu("rocket").predictor, callgrind = predictor_callgrind();
	/* 512 counters of 2 bits and 8 outcomes; targets only by pc; returns. */
	assert_int_equal(predictor_storage(&rocket).directions, 512 * 2 + (rocket.targets_by_pc ? 8 : 16));
	assert_int_equal(predictor_storage(&rocket).loops + predictor_storage(&rocket).corrector, 0);
	/* Targets without tags, and no stack. */
	assert_int_equal(predictor_storage_bits(&callgrind), 16384 * 2 + 7 + 512 * 48);
}

/* Small tables, so that branches meet in them. */
static struct predictor_spec drawn_spec(uint64_t *rng)
{
	struct predictor_spec s = {.kind = one_in(rng, 4) ? PREDICTOR_TAGE : PREDICTOR_TAGE_SC_L, .return_stack = 1};
	uint16_t history = 0;
	s.base_bits = (uint8_t)between(rng, 1, 6);
	s.nr_tables = (uint8_t)between(rng, 1, 6);
	for (unsigned i = 0; i < s.nr_tables; i++) {
		history = (uint16_t)(history + between(rng, 1, i + 1 == s.nr_tables ? 80 : 35));
		s.tables[i] = (struct tage_table_spec){.history_bits = history,
						       .entries_bits = (uint8_t)between(rng, 1, 6),
						       .tag_bits = (uint8_t)between(rng, MIN_TAG_BITS, MAX_TAG_BITS)};
	}
	s.loop_bits = (uint8_t)between(rng, MIN_LOOP_BITS, 4);
	s.corrector_tables = (uint8_t)between(rng, MIN_CORRECTOR_TABLES, MAX_CORRECTOR_TABLES);
	s.corrector_bits = (uint8_t)between(rng, 1, 7);
	return s;
}

struct drawn_branch {
	uint32_t length, count; /* of its rounds; 0: it is random */
	uint32_t chance;	/* one outcome in this many goes the other way, or one round changes the length */
};

static bool draw_outcome(struct drawn_branch *b, uint64_t *rng)
{
	if (b->length == 0)
		return one_in(rng, b->chance);
	if (++b->count < b->length)
		return true;
	b->count = 0;
	if (one_in(rng, b->chance))
		b->length = (uint32_t)between(rng, 2, 40);
	return false;
}

static void compare_with_reference(uint64_t *rng, uint32_t number)
{
	enum { NR_BRANCHES = 1500, NR_PLACES = 8 };
	struct predictor_spec spec = drawn_spec(rng);
	struct drawn_branch branches[NR_PLACES];
	struct predictor *p = make(&spec);
	struct refpredictor *r = refpredictor_new(&spec, NR_BRANCHES);
	assert_non_null(r);
	for (unsigned i = 0; i < NR_PLACES; i++)
		branches[i] = (struct drawn_branch){.length = one_in(rng, 2) ? (uint32_t)between(rng, 2, 40) : 0,
						    .chance = (uint32_t)between(rng, 1, 20)};
	unsigned at = 0;
	for (uint32_t n = 0; n < NR_BRANCHES; n++) {
		/* A loop stays where it is, mostly. */
		if (branches[at].count == 0 || one_in(rng, 50))
			at = (unsigned)between(rng, 0, NR_PLACES - 1);
		uint64_t pc = PC + at * (number % 2 ? 22 : 4096);
		bool taken = draw_outcome(&branches[at], rng);
		if (miss(p, pc, taken) == refpredictor_branch(r, pc, taken))
			fail_msg("predictor %u, branch %u", number, n);
	}
	predictor_free(p);
	refpredictor_free(r);
}

static void test_reference(void **state)
{
	(void)state;
	uint64_t rng = 41;
	for (uint32_t i = 0; i < 60; i++)
		compare_with_reference(&rng, i);
}

TEST_FILE(test_predictor_corrector)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_long_loops),
		cmocka_unit_test(test_loop_that_changes),
		cmocka_unit_test(test_alternating),
		cmocka_unit_test(test_biased),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_storage_of_others),
		cmocka_unit_test(test_reference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
