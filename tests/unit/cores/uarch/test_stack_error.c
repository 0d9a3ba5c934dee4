#include "cores/uarch/stack_error.h"

#include <math.h>
#include <stdlib.h>

#include "tests/helper/random.h"
#include "tests/unit/test.h"

enum { NR_INSNS = 12, MAX_WEIGHTS = NR_INSNS * NR_SIGNATURES, ALL_EVENTS = NR_SIGNATURES - 1 };

static double error_of(const struct stack_profile *exact, const struct stack_profile *sampled, const uint32_t *units,
		       unsigned events)
{
	double error = NAN;
	assert_true(stack_error(exact, sampled, units, events, &error));
	return error;
}

/* Both are of weights[nr], by instruction and signature. */
static struct stack_profile profile_of(struct stack_weight *weights, size_t nr)
{
	struct stack_profile p = {.weights = weights, .nr = nr};
	for (size_t i = 0; i < nr; i++)
		p.total += weights[i].weight;
	return p;
}

static void check_error(double error, double expected)
{
	if (!(fabs(error - expected) < 1e-12))
		fail_msg("the error is %.15g, not %.15g", error, expected);
}

/* ---- Errors ---- */

static struct stack_weight drawn[2][MAX_WEIGHTS];

/* Some categories of some instructions, with `total` in all. */
static struct stack_profile draw_profile(uint64_t *rng, struct stack_weight *weights, uint64_t total)
{
	size_t nr = 0;
	uint64_t left = total;
	for (uint32_t insn = 0; insn < NR_INSNS; insn++)
		for (uint32_t s = (uint32_t)between(rng, 0, 40); s < NR_SIGNATURES; s += (uint32_t)between(rng, 1, 200))
			weights[nr++] = (struct stack_weight){insn, (uint16_t)s, 0};
	for (size_t i = 0; i < nr; i++) {
		uint64_t most = 2 * left / (nr - i);
		weights[i].weight = i + 1 == nr ? left : between(rng, 0, most < left ? most : left);
		left -= weights[i].weight;
	}
	return profile_of(weights, nr);
}

/* The error as section 4 has it, with a table of all units and categories. */
static double slow_error(const struct stack_profile *exact, const struct stack_profile *sampled, const uint32_t *units,
			 unsigned events)
{
	double table[2][NR_INSNS][NR_SIGNATURES] = {0}, correct = 0, total = (double)exact->total;
	const struct stack_profile *both[2] = {exact, sampled};
	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; i < both[k]->nr; i++) {
			const struct stack_weight *w = &both[k]->weights[i];
			table[k][units ? units[w->insn] : w->insn][w->signature & events] += (double)w->weight;
		}
	for (unsigned u = 0; u < NR_INSNS; u++)
		for (unsigned s = 0; s < NR_SIGNATURES; s++)
			correct += fmin(table[0][u][s], table[1][u][s] * (total / (double)sampled->total));
	return (total - correct) / total;
}

static void test_random(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		uint64_t rng = random_of_index(1, i), total = between(&rng, 1, 100000);
		uint32_t units[NR_INSNS];
		struct stack_profile exact = draw_profile(&rng, drawn[0], total);
		struct stack_profile sampled = draw_profile(&rng, drawn[1], i & 1 ? total : between(&rng, 1, 1000));
		unsigned events = one_in(&rng, 2) ? ALL_EVENTS : (unsigned)between(&rng, 0, ALL_EVENTS);
		for (unsigned k = 0; k < NR_INSNS; k++)
			units[k] = (uint32_t)between(&rng, 0, NR_INSNS - 1);
		const uint32_t *of = one_in(&rng, 2) ? units : NULL;
		double error = error_of(&exact, &sampled, of, events);
		check_error(error, slow_error(&exact, &sampled, of, events));
		check_error(error_of(&exact, &exact, of, events), 0);
		if (sampled.total == exact.total)
			check_error(error_of(&sampled, &exact, of, events), error);
	}
}

static void test_no_samples(void **state)
{
	(void)state;
	struct stack_weight one = {0, 0, 100};
	const struct stack_profile exact = profile_of(&one, 1), none = {.nr = 0};
	assert_true(error_of(&exact, &none, NULL, ALL_EVENTS) == 1);
}

/* Events that a scheme does not have are no error of it. */
static void test_projection(void **state)
{
	(void)state;
	struct stack_weight a[] = {{0, SIGNATURE_ST_L1, 60}, {0, SIGNATURE_FL_MO | SIGNATURE_ST_L1, 40}};
	struct stack_weight b[] = {{0, SIGNATURE_ST_L1, 7}};
	const struct stack_profile exact = profile_of(a, 2), sampled = profile_of(b, 1);
	check_error(error_of(&exact, &sampled, NULL, stack_scheme_events(SCHEME_TEA)), 0.4);
	check_error(error_of(&exact, &sampled, NULL, stack_scheme_events(SCHEME_IBS)), 0);
	/* Neither if only the samples have them. */
	check_error(error_of(&sampled, &exact, NULL, stack_scheme_events(SCHEME_IBS)), 0);
}

static void test_units(void **state)
{
	(void)state;
	static const uint32_t functions[] = {0, 1, 0}, program[] = {0, 0, 0};
	struct stack_weight a[] = {{0, 0, 50}, {1, 0, 30}, {2, 0, 20}};
	struct stack_weight b[] = {{1, 0, 3}, {2, 0, 7}};
	const struct stack_profile exact = profile_of(a, 3), sampled = profile_of(b, 2);
	check_error(error_of(&exact, &sampled, NULL, ALL_EVENTS), 0.5);
	check_error(error_of(&exact, &sampled, functions, ALL_EVENTS), 0);
	b[1].insn = 1;
	check_error(error_of(&exact, &sampled, functions, ALL_EVENTS), 0.7);
	check_error(error_of(&exact, &sampled, program, ALL_EVENTS), 0);
}

/* ---- Profiles ---- */

static void test_copies(void **state)
{
	(void)state;
	struct stack_cell cells[] = {{0, 0, 24, 2}, {0, SIGNATURE_FL_MB, 0, 1}, {1, 0, 36, 1}};
	struct sample_cell nci[] = {{1, SIGNATURE_ST_TLB, 3}, {2, 0, 4}};
	const struct stacks s = {.units = 12, .cells = cells, .nr_cells = 3};
	struct stack_samples samples = {.of = {[SAMPLER_NCI] = {.cells = nci, .nr_cells = 2}}};
	struct stack_profile p;
	assert_true(stack_profile_of_stacks(&s, &p));
	assert_int_equal(p.total, 60);
	assert_int_equal(p.weights[p.nr - 1].weight, 36);
	stack_profile_release(&p);
	assert_true(stack_profile_of_samples(&samples, SAMPLER_NCI, &p));
	assert_int_equal(p.total, 7);
	assert_int_equal(p.weights[0].insn, 1);
	assert_int_equal(p.weights[0].signature, SIGNATURE_ST_TLB);
	assert_int_equal(p.weights[0].weight, 3);
	stack_profile_release(&p);
	assert_true(stack_profile_of_samples(&samples, SAMPLER_FETCH, &p));
	assert_int_equal(p.total, 0);
	stack_profile_release(&p);
}

static bool are_equal(const struct stack_profile *a, const struct stack_profile *b)
{
	bool equal = a->nr == b->nr;
	for (size_t i = 0; i < a->nr && equal; i++)
		equal = a->weights[i].insn == b->weights[i].insn &&
			a->weights[i].signature == b->weights[i].signature &&
			a->weights[i].weight == b->weights[i].weight;
	return equal;
}

static void test_draw(void **state)
{
	(void)state;
	uint64_t rng = 5;
	const struct stack_profile exact = draw_profile(&rng, drawn[0], 123456), none = {.nr = 0};
	struct stack_profile a, b, c, empty;
	assert_true(stack_profile_draw(&exact, 1000, 1, &a) && stack_profile_draw(&exact, 1000, 1, &b) &&
		    stack_profile_draw(&exact, 1000, 2, &c) && stack_profile_draw(&none, 1000, 1, &empty));
	assert_int_equal(a.total, 1000);
	assert_int_equal(profile_of(a.weights, a.nr).total, 1000);
	assert_true(are_equal(&a, &b));
	assert_false(are_equal(&a, &c));
	assert_int_equal(empty.total, 0);
	stack_profile_release(&a);
	stack_profile_release(&b);
	stack_profile_release(&c);
	stack_profile_release(&empty);
}

static double chance_error(const struct stack_profile *exact, uint64_t nr)
{
	enum { NR_SEEDS = 10 };
	double sum = 0;
	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		struct stack_profile p;
		assert_true(stack_profile_draw(exact, nr, seed, &p));
		sum += error_of(exact, &p, NULL, ALL_EVENTS);
		stack_profile_release(&p);
	}
	return sum / NR_SEEDS;
}

/* n categories of one weight are off by sqrt(n / samples) * 0.4 on average. */
static void test_chance(void **state)
{
	(void)state;
	enum { NR = 50 };
	struct stack_weight weights[NR];
	for (uint32_t i = 0; i < NR; i++)
		weights[i] = (struct stack_weight){i / 2, (uint16_t)(i % 2), 1000};
	const struct stack_profile exact = profile_of(weights, NR);
	for (uint64_t nr = 1000; nr <= 100000; nr *= 10) {
		double error = chance_error(&exact, nr), expected = 0.4 * sqrt((double)NR / (double)nr);
		if (fabs(error - expected) > 0.15 * expected)
			fail_msg("of %llu samples the error is %g, not %g", (unsigned long long)nr, error, expected);
	}
}

/* ---- Blocks ---- */

static void test_blocks(void **state)
{
	(void)state;
	static struct stack_insn insns[] = {
		{.pc = 0x100, .length = 2},
		{.pc = 0x102, .length = 4, .is_branch = true}, /* ends a block */
		{.pc = 0x106, .length = 2},
		{.pc = 0x108, .length = 2, .is_target = true}, /* begins one */
		{.pc = 0x10a, .length = 2},
		{.pc = 0x10e, .length = 2}, /* after a gap */
		{.pc = 0x110, .length = 2, .is_branch = true},
		{.pc = 0x112, .length = 2, .is_branch = true, .is_target = true},
	};
	static const uint32_t expected[] = {0, 0, 1, 2, 2, 3, 3, 4};
	uint32_t units[ARRAY_SIZE(insns)];
	stack_blocks(&(struct stacks){.insns = insns, .nr_insns = ARRAY_SIZE(insns)}, units);
	for (unsigned i = 0; i < ARRAY_SIZE(insns); i++)
		assert_int_equal(units[i], expected[i]);
}

/* ---- Correlation ---- */

static bool correlate(struct stack_cell *cells, size_t nr, double *r)
{
	return stack_correlation(&(struct stacks){.units = 2, .cells = cells, .nr_cells = nr}, EVENT_ST_L1, r);
}

static void test_correlation(void **state)
{
	(void)state;
	enum { NO = SIGNATURE_FL_MB, YES = SIGNATURE_ST_L1, TOO = SIGNATURE_ST_L1 | SIGNATURE_ST_TLB };
	/* Cycles by executions: 10 by 1, 20 by 2, and 30 by 3, in two categories. */
	struct stack_cell line[] = {
		{0, YES, 20, 1}, {1, NO, 7777, 99}, {1, YES, 40, 2}, {2, YES, 50, 2}, {2, TOO, 10, 1}, {3, NO, 5, 50},
	};
	/* 1, 2 and 4 by 1, 2 and 3. */
	struct stack_cell bent[] = {{0, YES, 2, 1}, {1, YES, 4, 2}, {2, YES, 8, 3}};
	struct stack_cell falling[] = {{0, YES, 6, 1}, {1, YES, 4, 2}, {2, YES, 2, 3}};
	struct stack_cell one[] = {{0, YES, 2, 1}, {0, TOO, 4, 2}, {1, NO, 1, 1}};
	struct stack_cell alike[] = {{0, YES, 2, 1}, {1, YES, 4, 1}};
	struct stack_cell constant[] = {{0, YES, 4, 1}, {1, YES, 4, 2}};
	double r = 0;
	assert_true(correlate(line, ARRAY_SIZE(line), &r));
	check_error(r, 1);
	assert_true(correlate(bent, ARRAY_SIZE(bent), &r));
	check_error(r, 3 / sqrt(2 * 14. / 3));
	assert_true(correlate(falling, ARRAY_SIZE(falling), &r));
	check_error(r, -1);
	assert_false(correlate(one, ARRAY_SIZE(one), &r));
	assert_false(correlate(alike, ARRAY_SIZE(alike), &r));
	assert_false(correlate(constant, ARRAY_SIZE(constant), &r));
	assert_false(correlate(NULL, 0, &r));
}

/* ---- Storage ---- */

/* The paper's core: 249 bytes, 306 with TIP. */
static void test_storage(void **state)
{
	(void)state;
	const struct core_timing t = {.fetch_buffer = 48, .rob = 192, .load_queue = 32, .store_queue = 32};
	struct tea_storage s = tea_storage_of(&t);
	uint32_t bits = s.fetch_buffer + s.rob + s.last_committed + s.lsu + s.front_end;
	assert_int_equal(s.fetch_buffer, 8 * 12);
	assert_int_equal(s.rob, 8 * 216);
	assert_int_equal(s.last_committed, 8 * 2);
	assert_int_equal(s.lsu, 64);
	assert_int_equal(bits, 8 * 249);
	assert_int_equal(bits + TIP_STORAGE_BITS, 8 * 306);
}

TEST_FILE(test_stack_error)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),	cmocka_unit_test(test_no_samples), cmocka_unit_test(test_projection),
		cmocka_unit_test(test_units),	cmocka_unit_test(test_copies),	   cmocka_unit_test(test_draw),
		cmocka_unit_test(test_chance),	cmocka_unit_test(test_blocks),	   cmocka_unit_test(test_correlation),
		cmocka_unit_test(test_storage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
