/* Cycle stacks and samples of random programs on random cores, compared with the slow reference.
 *
 * SAHM_STACKS_CASES=n draws n programs, SAHM_STACKS_SEED=s other ones. */
#include "cores/uarch/cycle_stacks.h"

#include <stdio.h>

#include "tests/helper/environment.h"
#include "tests/unit/compared_stacks.h"
#include "tests/unit/cores/uarch/drawn_observed.h"

#define NR_CASES 1200u
#define NR_SAMPLINGS 5u

/* Makes what is at a pc the same each time: branches have odd ones. */
static void settle_pcs(void)
{
	for (size_t i = 0, first = 0; i < program.nr; i++) {
		if (!(program.uops[i].flags & UOP_LAST))
			continue;
		bool is_branch = false;
		for (size_t k = first; k <= i; k++)
			is_branch |= (program.uops[k].flags & UOP_BRANCH) != 0;
		for (; first <= i; first++) {
			program.uops[first].pc = program.uops[i].pc | is_branch;
			program.uops[first].length = 2;
		}
	}
}

static void run_program(const struct core_timing *t, struct stack_pass *pass)
{
	static struct uop_stamps stamps[BATCH_UOPS];
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	timing_take_signatures(m, stack_pass_signatures(pass));
	while (from < program.nr) {
		draw_batch(b, pick(1, one_in(&rng, 2) ? 20 : BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		timing_batch(m, b, stamps);
		assert_true(stack_pass_run(pass, b, stamps));
	}
	assert_true(stack_pass_end(pass));
	free(b);
	timing_free(m);
}

static void check_insns(const struct stacks *s)
{
	for (size_t i = 0; i < s->nr_insns; i++) {
		const struct stack_insn *insn = &s->insns[i];
		bool is_target = false;
		for (size_t k = 1; k < program.nr; k++)
			is_target |= program.uops[k].pc == insn->pc && program.uops[k].flags & UOP_FIRST &&
				     program.uops[k - 1].pc & 1;
		assert_true(i == 0 || s->insns[i - 1].pc < insn->pc);
		assert_int_equal(insn->length, 2);
		assert_int_equal(insn->is_branch, insn->pc & 1);
		assert_int_equal(insn->is_target, is_target);
	}
}

/* How often each thing occurred that must not be missing. */
struct seen {
	uint64_t signatures[NR_STACK_EVENTS], states[NR_COMMIT_STATES], fates[2][NR_REFSAMPLE_FATES];
};

/* Only a core that speculates on memory order violates it. */
static void check_order(const struct core_timing *t, const struct stacks *s)
{
	bool speculates = t->kind == CORE_OUT_OF_ORDER && t->memory_order == ORDER_SPECULATIVE;
	for (size_t i = 0; i < s->nr_cells; i++)
		assert_true(speculates || !(s->cells[i].signature & SIGNATURE_FL_MO));
}

static void count(struct seen *seen, const struct stacks *s, const struct stack_samples *of)
{
	for (unsigned k = 0; k < NR_COMMIT_STATES; k++)
		seen->states[k] += s->states[k];
	for (size_t i = 0; i < s->nr_cells; i++)
		for (unsigned k = 0; k < NR_STACK_EVENTS; k++)
			seen->signatures[k] += s->cells[i].signature >> k & 1 ? s->cells[i].executions : 0;
	for (unsigned k = 0; k < 2; k++) {
		seen->fates[k][REFSAMPLE_TAKEN] += of->of[SAMPLER_DISPATCH + k].taken;
		seen->fates[k][REFSAMPLE_WRONG_PATH] += of->of[SAMPLER_DISPATCH + k].wrong_path;
		seen->fates[k][REFSAMPLE_SKIPPED] += of->of[SAMPLER_DISPATCH + k].skipped;
		seen->fates[k][REFSAMPLE_LATE] += of->of[SAMPLER_DISPATCH + k].late;
	}
}

static void check_seen(const struct seen *seen)
{
	const uint64_t *counts = (const uint64_t *)seen;
	for (size_t i = 0; i < sizeof(*seen) / sizeof(*counts); i++)
		if (counts[i] < 200)
			fail_msg("thing %zu occurred only %llu times", i, (unsigned long long)counts[i]);
}

static void test_reference(void **state)
{
	(void)state;
	static const uint16_t widths[] = {1, 3, 4, 5, 8};
	static struct uop_stamps stamps[MAX_UOPS];
	struct seen seen = {0};
	uint64_t nr_cases = environment_number("SAHM_STACKS_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_STACKS_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		char what[32];
		rng = random_of_index(seed, i);
		struct core_timing t = draw_core();
		if (i % 6 < ARRAY_SIZE(widths))
			t.commit_width = widths[i % 6];
		const struct stack_sampling samplings[NR_SAMPLINGS] = {
			{.period = 1},
			{.period = pick(2, 40)},
			{.period = pick(2, 40), .has_jitter = true, .seed = i},
			{.period = pick(1, 4000), .has_jitter = i & 1, .seed = UINT64_MAX - i},
			{.period = UINT64_MAX},
		};
		struct timing_result result;
		draw_observed_program();
		settle_pcs();
		time_program(&t, stamps, &result);
		struct refstacks *slow = refstacks_new(&t, program.uops, program.nr, program.prefetches, stamps);
		struct stack_pass *pass = stack_pass_new(&t, samplings, NR_SAMPLINGS);
		assert_true(slow && pass);
		run_program(&t, pass);
		snprintf(what, sizeof(what), "case %u", i);
		const struct stacks *fast = stack_pass_stacks(pass);
		assert_int_equal(fast->cycles, result.cycles);
		compare_stacks(what, fast, slow);
		for (unsigned k = 0; k < NR_SAMPLINGS; k++)
			compare_samples(what, stack_pass_samples(pass, k), fast, slow);
		check_sampled_exactly(stack_pass_samples(pass, 0), fast);
		check_insns(fast);
		check_order(&t, fast);
		count(&seen, fast, stack_pass_samples(pass, 1));
		stack_pass_free(pass);
		refstacks_free(slow);
	}
	if (nr_cases >= NR_CASES)
		check_seen(&seen);
}

/* Of a stream of nothing. */
static void test_empty(void **state)
{
	(void)state;
	struct core_timing t = {.commit_width = 4};
	struct stack_pass *pass = stack_pass_new(&t, &(struct stack_sampling){.period = 1}, 1);
	assert_non_null(pass);
	assert_true(stack_pass_end(pass));
	assert_int_equal(stack_pass_stacks(pass)->cycles, 0);
	assert_int_equal(stack_pass_stacks(pass)->nr_cells, 0);
	assert_int_equal(stack_pass_samples(pass, 0)->nr_due, 0);
	stack_pass_free(pass);
}

static void test_units(void **state)
{
	(void)state;
	static const unsigned units[][2] = {{1, 1}, {2, 2}, {3, 6}, {4, 12}, {5, 60}, {6, 60}, {8, 840}, {16, 720720}};
	for (unsigned i = 0; i < ARRAY_SIZE(units); i++)
		assert_int_equal(stack_units(&(struct core_timing){.commit_width = (uint16_t)units[i][0]}),
				 units[i][1]);
}

static void test_sample_cycles(void **state)
{
	(void)state;
	const struct stack_sampling plain = {.period = 7}, last = {.period = UINT64_MAX};
	struct stack_sampling one = {.period = 1000, .has_jitter = true, .seed = 1}, other = one;
	unsigned nr_equal = 0, halves[2] = {0};
	other.seed = 2;
	for (uint64_t k = 0; k < 1000; k++) {
		assert_int_equal(stack_sampling_cycle(&plain, k), 7 * k + 6);
		uint64_t within = stack_sampling_cycle(&one, k) - 1000 * k;
		assert_true(within < 1000);
		assert_int_equal(stack_sampling_cycle(&one, k), 1000 * k + within);
		nr_equal += stack_sampling_cycle(&other, k) == stack_sampling_cycle(&one, k);
		halves[within / 500]++;
	}
	assert_true(nr_equal < 20);
	assert_in_range(halves[0], 400, 600);
	/* No sample before the end of time is lost to an overflow. */
	assert_int_equal(stack_sampling_cycle(&last, 0), UINT64_MAX - 1);
	assert_int_equal(stack_sampling_cycle(&last, 1), UINT64_MAX);
	assert_int_equal(stack_sampling_cycle(&last, 1000), UINT64_MAX);
}

TEST_FILE(test_cycle_stacks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_sample_cycles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
