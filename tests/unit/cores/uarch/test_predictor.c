/* Branch predictors against what can be said of a pattern beforehand. Each branch is predicted and learnt from at once,
 * so that a stream of outcomes says how many of them can be missed. Targets and returns: test_predictor_targets.c. */
#include "cores/uarch/predictor.h"

#include <math.h>

#include "tests/helper/random.h"
#include "tests/unit/cores/uarch/made_cpu.h"
#include "tests/unit/cores/uarch/made_predictor.h"

#define PC UINT64_C(0x401000)

static const struct predictor_spec by_pc = {.kind = PREDICTOR_GSHARE, .base_bits = 12, .return_stack = 1};

static struct predictor_spec gshare(uint16_t history)
{
	struct predictor_spec spec = by_pc;
	spec.gshare_history = history;
	spec.base_bits = 16;
	return spec;
}

/* Predictors of all shipped processors, and two more. */
#define NR_SPECS (NR_SHIPPED_CPUS + 2)

static void all_specs(struct predictor_spec specs[NR_SPECS])
{
	for (size_t i = 0; i < NR_SHIPPED_CPUS; i++)
		specs[i] = shipped_cpu(shipped_cpu_names[i]).predictor;
	specs[NR_SHIPPED_CPUS] = by_pc;
	specs[NR_SHIPPED_CPUS + 1] = gshare(12);
}

static uint32_t longest_history(const struct predictor_spec *s)
{
	return s->kind == PREDICTOR_GSHARE ? s->gshare_history : s->tables[s->nr_tables - 1].history_bits;
}

static void test_specs(void **state)
{
	(void)state;
	const struct predictor_spec good = shipped_cpu("golden-cove").predictor;
	static const char history[] = "histories of tagged tables become longer from one to the next";
	assert_null(predictor_spec_fault(&good));
#define FAULT(change, message)                                                                                         \
	do {                                                                                                           \
		struct predictor_spec s = good;                                                                        \
		change;                                                                                                \
		assert_non_null(predictor_spec_fault(&s));                                                             \
		assert_string_equal(predictor_spec_fault(&s), message);                                                \
	} while (0)
#define FINE(change)                                                                                                   \
	do {                                                                                                           \
		struct predictor_spec s = good;                                                                        \
		change;                                                                                                \
		assert_null(predictor_spec_fault(&s));                                                                 \
		predictor_free(make(&s));                                                                              \
	} while (0)
	FAULT(s.kind = NR_PREDICTOR_KINDS, "there is no such kind of predictor");
	FAULT(s.base_bits = 0, "its base table has 2^1 to 2^20 counters");
	FAULT(s.base_bits = 21, "its base table has 2^1 to 2^20 counters");
	FINE(s.base_bits = 1);
	FINE(s.base_bits = 20);
	FAULT(s.target_bits = 21, "a table of targets has at most 2^20 entries");
	FINE(s.target_bits = 0);
	FAULT(s.return_stack = 0, "its return stack has 1 to 256 entries");
	FAULT(s.return_stack = 257, "its return stack has 1 to 256 entries");
	FINE(s.return_stack = 256);
	FAULT(s.nr_tables = 0, "TAGE has 1 to 16 tagged tables");
	FAULT(s.nr_tables = 17, "TAGE has 1 to 16 tagged tables");
	FAULT(s.tables[0].history_bits = 0, "a tagged table takes 1 to 256 bits of history");
	FAULT(s.tables[7].history_bits = 257, "a tagged table takes 1 to 256 bits of history");
	FINE(s.tables[7].history_bits = 256);
	FAULT(s.tables[1].history_bits = s.tables[0].history_bits, history);
	FAULT(s.tables[1].history_bits = s.tables[2].history_bits, history);
	FAULT(s.tables[0].entries_bits = 0, "a tagged table has 2^1 to 2^20 entries");
	FAULT(s.tables[0].entries_bits = 21, "a tagged table has 2^1 to 2^20 entries");
	FAULT(s.tables[0].tag_bits = 3, "a tag has 4 to 15 bits");
	FAULT(s.tables[0].tag_bits = 16, "a tag has 4 to 15 bits");
	FAULT(s.kind = PREDICTOR_GSHARE; s.gshare_history = 33, "gshare takes at most 32 bits of history");
	FINE(s.kind = PREDICTOR_GSHARE; s.gshare_history = 32);
#undef FAULT
#undef FINE
}

/* Counters begin weakly not taken: a branch that never is, is never missed. One that always is, is missed by a counter
 * by pc once. gshare looks through the histories 0, 1, 11, ... to h ones, each of them a counter that it has not seen,
 * in places that differ: h + 1 misses. */
static void test_constant(void **state)
{
	(void)state;
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++)
		for (int taken = 0; taken < 2; taken++) {
			struct predictor *p = make(&specs[i]);
			uint32_t first = 0, later = 0;
			for (int n = 0; n < 1000; n++)
				*(n < 100 ? &first : &later) += miss(p, PC, taken);
			assert_int_equal(later, 0);
			if (!taken)
				assert_int_equal(first, 0);
			else if (specs[i].kind == PREDICTOR_GSHARE)
				assert_int_equal(first, specs[i].gshare_history + 1);
			else
				assert_true(first >= 1 && first <= 2u + specs[i].nr_tables);
			predictor_free(p);
		}
}

/* Misses of a pattern of `period` outcomes over `rounds` rounds, after `warm_up` of them. */
static uint32_t misses_of(const struct predictor_spec *spec, const bool *pattern, uint32_t period, uint32_t warm_up,
			  uint32_t rounds)
{
	struct predictor *p = make(spec);
	uint32_t misses = 0;
	for (uint32_t n = 0; n < (warm_up + rounds) * period; n++) {
		bool missed = miss(p, PC, pattern[n % period]);
		misses += missed && n >= warm_up * period;
	}
	predictor_free(p);
	return misses;
}

/* A loop of n iterations: its branch is taken n - 1 times, then not. Only the h last outcomes are seen. Up to n = h + 1
 * the end of the loop looks like nothing else, since the last branch that was not taken is among them (or all of them
 * were taken, which happens only there): no misses. From n = h + 3 on the end looks as two or more other iterations do,
 * which are taken: one miss per loop. At n = h + 2 one other iteration looks so. A counter of 2 bits that begins weakly
 * not taken then goes back and forth between the middle values, wrong each time: two misses per loop from gshare; TAGE
 * has another opinion to fall back to, and one miss. */
static void test_loops(void **state)
{
	(void)state;
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++) {
		uint32_t h = longest_history(&specs[i]);
		for (uint32_t n = 2; n <= h + 20; n++) {
			bool loop[MAX_HISTORY_BITS + 20];
			for (uint32_t k = 0; k < n; k++)
				loop[k] = k + 1 < n;
			uint32_t misses = misses_of(&specs[i], loop, n, 200, 50);
			uint32_t per_loop = n <= h + 1 ? 0 : n == h + 2 && specs[i].kind == PREDICTOR_GSHARE ? 2 : 1;
			if (misses != 50 * per_loop)
				fail_msg("spec %zu, loop of %u: %u misses, not %u", i, n, misses, 50 * per_loop);
		}
	}
}

/* TNTN...: a counter by pc, begun weakly not taken, is wrong at every branch; any history at all tells the two apart.
 */
static void test_alternating(void **state)
{
	(void)state;
	static const bool pattern[] = {true, false};
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++)
		assert_int_equal(misses_of(&specs[i], pattern, 2, 100, 100), longest_history(&specs[i]) ? 0 : 200);
}

/* Patterns of random outcomes, as long as TAGE's longest history. Two places of one of them look alike only while they
 * agree in that many outcomes, which no two do: TAGE learns all of them. */
static void test_patterns(void **state)
{
	(void)state;
	struct predictor_spec specs[NR_SPECS];
	uint64_t rng = 17;
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++) {
		bool pattern[MAX_HISTORY_BITS];
		if (specs[i].kind != PREDICTOR_TAGE)
			continue;
		for (uint32_t period = 2; period <= longest_history(&specs[i]); period += period < 20 ? 1 : 7) {
			for (uint32_t k = 0; k < period; k++)
				pattern[k] = next_random(&rng) & 1;
			uint32_t misses = misses_of(&specs[i], pattern, period, 200, 50);
			if (misses)
				fail_msg("spec %zu, period %u: %u misses", i, period, misses);
		}
	}
}

/* Five standard deviations of a binomial distribution. */
static double five_sigma(double n, double chance)
{
	return 5 * sqrt(n * chance * (1 - chance));
}

/* Fair coins: whatever is predicted, and from whatever, is right with probability 1/2, independently of all else. The
 * number of misses is binomial for every predictor. */
static void test_random(void **state)
{
	(void)state;
	const uint32_t n = 200000;
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++) {
		struct predictor *p = make(&specs[i]);
		uint64_t rng = i;
		uint32_t misses = 0;
		for (uint32_t k = 0; k < n; k++)
			misses += miss(p, PC + 8 * between(&rng, 0, 9), next_random(&rng) >> 63);
		assert_true(fabs(misses - n * 0.5) < five_sigma(n, 0.5));
		predictor_free(p);
	}
}

/* Taken nine times out of ten, independently: no predictor can miss less than one in ten but by luck. A counter of 2
 * bits by pc is a walk over 0 to 3, up with p = 0.9 and down with q = 0.1, which is in state i with probability (p/q)^i
 * over their sum: 1, 9, 81 and 729 of 820. It misses (10 p + 810 q) / 820 = 10.976 %. Histories bring only noise:
 * entries for contexts that mean nothing cost less than another 5 % of branches. */
static void test_biased(void **state)
{
	(void)state;
	const uint32_t n = 400000;
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++) {
		struct predictor *p = make(&specs[i]);
		uint64_t rng = 23;
		uint32_t misses = 0;
		for (uint32_t k = 0; k < n; k++)
			misses += miss(p, PC, between(&rng, 0, 9) != 0);
		assert_true(misses > n * 0.1 - five_sigma(n, 0.1));
		assert_true(misses < n * 0.15);
		/* Misses of a counter come in runs: its variance is a little larger than a binomial one. */
		if (longest_history(&specs[i]) == 0)
			assert_true(fabs(misses - n * (10 * 0.9 + 810 * 0.1) / 820) < 2 * five_sigma(n, 0.11));
		predictor_free(p);
	}
}

/* A branch that goes as a random one did, with `between_them` others that are always taken in between, which makes it
 * the outcome `between_them` + 1 back. Returns the misses of the second branch, after a warm-up. */
static uint32_t correlated(const struct predictor_spec *spec, uint32_t between_them, uint32_t rounds)
{
	struct predictor *p = make(spec);
	uint64_t rng = 29;
	uint32_t misses = 0;
	for (uint32_t n = 0; n < 2 * rounds; n++) {
		bool first = next_random(&rng) >> 63;
		miss(p, PC, first);
		for (uint32_t k = 0; k < between_them; k++)
			miss(p, PC + 0x1000, true);
		misses += miss(p, PC + 0x2000, first) && n >= rounds;
	}
	predictor_free(p);
	return misses;
}

/* gshare with h bits has the first branch in sight up to h - 1 others in between, and then misses nothing; with one
 * more the second branch is a fair coin to it, as it is to a counter by pc. TAGE tells the two apart with any of its
 * tables, but the random branch, of which every second is missed, goes on taking entries that the second one had: at
 * most one in 500 is missed then. */
static void test_correlated(void **state)
{
	(void)state;
	const uint32_t n = 20000;
	struct predictor_spec specs[NR_SPECS];
	static const uint16_t histories[] = {1, 4, 8};
	for (size_t i = 0; i < 3; i++) {
		const struct predictor_spec spec = gshare(histories[i]);
		assert_int_equal(correlated(&spec, histories[i] - 1u, n), 0);
		assert_true(fabs(correlated(&spec, histories[i], n) - n * 0.5) < five_sigma(n, 0.5));
	}
	const struct predictor_spec none = gshare(0);
	assert_true(fabs(correlated(&none, 0, n) - n * 0.5) < five_sigma(n, 0.5));
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++)
		if (specs[i].kind == PREDICTOR_TAGE)
			for (uint32_t d = 0; d < 8; d++)
				assert_in_range(correlated(&specs[i], d, n), 0, n / 500);
}

/* 64 branches, each of which always goes its own way, do not disturb one another where tables have room: none is missed
 * but while it is new. Rocket's 512 counters have none: there, places that histories spread meet. */
static void test_many_branches(void **state)
{
	(void)state;
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++) {
		struct predictor *p = make(&specs[i]);
		uint32_t misses = 0;
		for (uint32_t n = 0; n < 300 * 64; n++) {
			bool missed = miss(p, PC + n % 64 * 20, n % 64 % 3 == 0);
			misses += missed && n >= 200 * 64;
		}
		assert_int_equal(misses > 0, specs[i].base_bits == 9);
		predictor_free(p);
	}
}

/* The same stream, the same misses; and what one predictor learnt another knows nothing of. */
static void test_repeatable(void **state)
{
	(void)state;
	struct predictor_spec specs[NR_SPECS];
	all_specs(specs);
	for (size_t i = 0; i < NR_SPECS; i++) {
		struct predictor *a = make(&specs[i]), *b = NULL;
		uint64_t rng = 31, again = 31;
		bool missed[5000];
		for (size_t n = 0; n < 5000; n++) {
			uint64_t pc = PC + 2 * between(&rng, 0, 99);
			missed[n] = miss(a, pc, one_in(&rng, 3));
		}
		b = make(&specs[i]);
		for (size_t n = 0; n < 5000; n++) {
			uint64_t pc = PC + 2 * between(&again, 0, 99);
			assert_int_equal(miss(b, pc, one_in(&again, 3)), missed[n]);
		}
		predictor_free(a);
		predictor_free(b);
	}
}

TEST_FILE(test_predictor)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specs),	      cmocka_unit_test(test_constant),
		cmocka_unit_test(test_loops),	      cmocka_unit_test(test_alternating),
		cmocka_unit_test(test_patterns),      cmocka_unit_test(test_random),
		cmocka_unit_test(test_biased),	      cmocka_unit_test(test_correlated),
		cmocka_unit_test(test_many_branches), cmocka_unit_test(test_repeatable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
