/* What random cores show of random programs for cycle stacks, compared with the slow reference, in batches of several
 * sizes.
 *
 * SAHM_PICS_CASES=n draws n programs, SAHM_PICS_SEED=s other ones. */
#include "cores/uarch/pics_signals.h"

#include <stdio.h>
#include <string.h>

#include "tests/helper/environment.h"
#include "tests/unit/compared_pics.h"
#include "tests/unit/cores/uarch/drawn_observed.h"

#define NR_CASES 800u

static struct uop_stamps stamps[MAX_UOPS];
static uint16_t signatures[MAX_UOPS];

/* Gives some instructions the same pc as the one before, and others one that is wider than its signal. */
static void draw_pcs(void)
{
	for (size_t i = 0; i < program.nr; i++) {
		if (i > 0 && (!(program.uops[i].flags & UOP_FIRST) || one_in(&rng, 6)))
			program.uops[i].pc = program.uops[i - 1].pc;
		else if (one_in(&rng, 4))
			program.uops[i].pc += UINT64_C(0xfedc) << 48;
	}
}

/* Batches of up to 1 uop (whole instructions, though), of a few and of many. */
static size_t draw_batch_uops(unsigned cut)
{
	return cut == 0 ? 1 : pick(1, cut == 1 ? 20 : BATCH_UOPS - MAX_INSN_UOPS);
}

/* Several instructions of a cycle can miss, and in-order several branches can flush in one. */
static void free_fetch(struct core_timing *t)
{
	t->mispredict_cycles = t->resolve_cycles = t->decode_cycles = 0;
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		t->latency[i] = (uint16_t)pick(1, 4);
	memset(t->itlb_cycles, 0, sizeof(t->itlb_cycles));
	memset(t->icache_cycles, 0, sizeof(t->icache_cycles));
}

static void sign_program(const struct core_timing *t)
{
	static uint16_t of_batch[BATCH_UOPS];
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	timing_take_signatures(m, of_batch);
	while (from < program.nr) {
		size_t first = from;
		draw_batch(b, draw_batch_uops(2), &from, &prefetches);
		timing_batch(m, b, stamps + first);
		memcpy(signatures + first, of_batch, b->nr * sizeof(*of_batch));
	}
	free(b);
	timing_free(m);
}

static struct pics_counts run_program(const struct core_timing *t, unsigned cut, const struct pics_options *options)
{
	struct pics_pass *pass = pics_pass_new(t, options);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(pass && b);
	while (from < program.nr) {
		size_t first = from;
		draw_batch(b, draw_batch_uops(cut), &from, &prefetches);
		assert_true(pics_pass_run(pass, b, stamps + first, signatures + first));
	}
	assert_true(pics_pass_end(pass));
	struct pics_counts counts = pics_pass_counts(pass);
	pics_pass_free(pass);
	free(b);
	return counts;
}

/* How often each thing occurred that must not be missing: cycles with a flag, changes of a level, lost events. Flushes
 * are hardly ever lost: younger instructions are fetched later. */
struct seen {
	uint64_t signals[NR_PICS_SIGNALS], lost[2];
};

static void count(struct seen *seen, const struct refpics *slow)
{
	for (uint64_t c = 0; c < slow->counts.cycles; c++)
		for (unsigned k = 0; k < NR_PICS_SIGNALS; k++)
			seen->signals[k] += (slow->cycles[c].flags | slow->cycles[c].changed) >> k & 1;
	seen->lost[0] += slow->counts.lost_fetch;
	seen->lost[1] += slow->counts.lost_access;
}

static void check_seen(const struct seen *seen)
{
	const uint64_t *counts = (const uint64_t *)seen;
	for (size_t i = 0; i < sizeof(*seen) / sizeof(*counts); i++)
		if (counts[i] < 100)
			fail_msg("thing %zu occurred only %llu times", i, (unsigned long long)counts[i]);
}

static void test_reference(void **state)
{
	(void)state;
	static const uint16_t widths[] = {1, 3, 4, 8};
	struct seen seen = {0};
	uint64_t nr_cases = environment_number("SAHM_PICS_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_PICS_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_core();
		if (i % 5 < ARRAY_SIZE(widths))
			t.commit_width = widths[i % 5];
		if (one_in(&rng, 8))
			free_fetch(&t);
		draw_observed_program();
		draw_pcs();
		sign_program(&t);
		struct refpics *slow = refpics_new(&t, program.uops, program.nr, program.prefetches, stamps);
		assert_non_null(slow);
		for (unsigned rows = 0; rows < NR_PICS_ROWS; rows++) {
			unsigned cut = (i + rows) % 3;
			char what[48];
			struct compared_pics p = {.what = what,
						  .slow = slow,
						  .rows = (enum pics_rows)rows,
						  .period = pick(1, one_in(&rng, 2) ? 8 : 4000),
						  .rng = i};
			snprintf(what, sizeof(what), "case %u, rows %u, cut %u", i, rows, cut);
			struct pics_options options = compared_pics_options(&p);
			struct pics_counts counts = run_program(&t, cut, &options);
			compare_pics_end(&p, &counts);
		}
		count(&seen, slow);
		refpics_free(slow);
	}
	if (nr_cases >= NR_CASES)
		check_seen(&seen);
}

static uint64_t take_nothing(void *ctx, const struct pics_row *row)
{
	(void)ctx, (void)row;
	fail();
	return UINT64_MAX;
}

/* Of a stream of nothing. */
static void test_empty(void **state)
{
	(void)state;
	const struct core_timing t = {.commit_width = 4, .rob = 8};
	const struct pics_options options = {.has_all = true, .asked = 0, .take = take_nothing};
	struct pics_pass *pass = pics_pass_new(&t, &options);
	assert_non_null(pass);
	assert_true(pics_pass_end(pass));
	assert_int_equal(pics_pass_counts(pass).cycles, 0);
	pics_pass_free(pass);
}

TEST_FILE(test_pics_signals)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_empty)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
