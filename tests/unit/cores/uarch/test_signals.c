/* Signals of random programs on random cores, compared cycle by cycle with the slow reference.
 *
 * SAHM_SIGNALS_CASES=n draws n programs, SAHM_SIGNALS_SEED=s other ones. */
#include "tests/helper/environment.h"
#include "tests/reference/refsignals.h"
#include "tests/unit/cores/uarch/drawn_observed.h"

#define NR_CASES 1000u

struct comparing {
	const struct refsignals *slow;
	uint64_t cycle; /* the next one */
	bool has_causes;
	unsigned number;
	uint64_t wanted;
	struct signal_pass *pass;
	bool wants_boundaries;
};

static void check_cause(const struct comparing *c, enum signal signal, const struct signal_cause *a,
			const struct signal_cause *b)
{
	if (a->pc != b->pc || a->number != b->number || a->has_address != b->has_address || a->address != b->address ||
	    a->is_taken != b->is_taken)
		fail_msg("case %u, cycle %u: cause of %s is instruction %u, not %u", c->number, (unsigned)c->cycle,
			 signal < NR_SIGNALS ? signal_name(signal) : "others", (unsigned)a->number,
			 (unsigned)b->number);
}

/* Signals that the pass must report in the cycle. */
static uint64_t wanted_in(const struct comparing *c, const struct refsignals_row *row)
{
	const uint64_t instruction = UINT64_C(1) << SIGNAL_INSTRUCTION;
	bool is_high = false;
	for (unsigned k = 0; k < NR_SIGNALS; k++)
		is_high |= c->wanted >> k & 1 && row->lanes[k];
	return c->wanted | (c->has_causes && (is_high || c->wants_boundaries) ? instruction : 0);
}

static void check_causes(const struct comparing *c, const struct refsignals_row *row,
			 const struct signal_causes *causes, uint64_t wanted, bool is_high)
{
	for (unsigned k = 0; k < NR_SIGNALS; k++) {
		struct signal_cause slow;
		if (signal_width((enum signal)k) != SIGNAL_ONE || !row->lanes[k] || !(c->wanted >> k & 1))
			continue;
		slow = refsignals_cause(c->slow, row->of[k]);
		check_cause(c, (enum signal)k, &causes->of[k], &slow);
	}
	bool has_instructions = wanted >> SIGNAL_INSTRUCTION & 1;
	for (unsigned lane = 0; has_instructions && row->lanes[SIGNAL_INSTRUCTION] >> lane & 1; lane++) {
		struct signal_cause slow = refsignals_cause(c->slow, row->retired + lane);
		check_cause(c, SIGNAL_INSTRUCTION, &causes->retired[lane], &slow);
	}
	if (!has_instructions && !is_high)
		return;
	struct signal_cause next = refsignals_cause(c->slow, row->next);
	check_cause(c, NR_SIGNALS, &causes->next, &next);
}

static void compare_run(void *ctx, const struct signal_run *run)
{
	struct comparing *c = ctx;
	assert_int_equal(run->first, c->cycle);
	assert_true(run->nr > 0);
	for (uint64_t end = run->first + run->nr; c->cycle < end; c->cycle++) {
		assert_true(c->cycle < c->slow->nr_cycles);
		const struct refsignals_row *row = &c->slow->rows[c->cycle];
		uint64_t wanted = wanted_in(c, row);
		bool is_high = false;
		for (unsigned k = 0; k < NR_SIGNALS; k++) {
			uint64_t lanes = wanted >> k & 1 ? row->lanes[k] : 0;
			if (run->lanes[k] != lanes || (lanes && run->low >> k & 1))
				fail_msg("case %u, cycle %u: %s is %x, not %x", c->number, (unsigned)c->cycle,
					 signal_name((enum signal)k), (unsigned)run->lanes[k], (unsigned)lanes);
			is_high |= lanes != 0;
		}
		if (c->has_causes)
			check_causes(c, row, run->causes, wanted, is_high);
	}
	if (c->has_causes && run->low != UINT64_MAX && run->first % 5 == 0)
		signal_pass_want_boundaries(c->pass, c->wants_boundaries = run->first % 3 == 0);
}

static struct timing_notes notes;

/* Through the pass in batches of any size. */
static void run_program(const struct core_timing *t, struct signal_pass *pass)
{
	static struct uop_stamps stamps[BATCH_UOPS];
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	timing_take_notes(m, &notes);
	while (from < program.nr) {
		draw_batch(b, pick(1, BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		timing_batch(m, b, stamps);
		assert_true(signal_pass_run(pass, b, stamps, &notes));
	}
	assert_true(signal_pass_end(pass));
	free(b);
	timing_free(m);
}

static void test_reference(void **state)
{
	(void)state;
	static struct uop_stamps stamps[MAX_UOPS];
	uint64_t nr_cases = environment_number("SAHM_SIGNALS_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_SIGNALS_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_observed_core();
		struct timing_result result;
		unsigned issue_pct = pick(0, 1) * pick(0, 100);
		const struct refsignals_options slow_options = {.wrong_path_issue_pct = issue_pct,
								.has_no_multiply_add = i % 3 == 0};
		draw_observed_program();
		time_program(&t, stamps, &result);
		struct refsignals *slow =
			refsignals_new(&t, program.uops, program.nr, program.prefetches, stamps, &slow_options);
		struct comparing c = {.slow = slow, .has_causes = i % 2, .number = i, .wanted = UINT64_MAX};
		if (i % 4 > 1)
			c.wanted = (uint64_t)pick(1, UINT32_MAX) << 32 | pick(0, UINT32_MAX);
		const struct signal_options options = {.wrong_path_issue_pct = issue_pct,
						       .has_no_multiply_add = i % 3 == 0,
						       .wanted = c.wanted,
						       .has_causes = c.has_causes,
						       .take = compare_run,
						       .ctx = &c};
		struct signal_pass *pass = signal_pass_new(&t, &options);
		assert_true(slow && pass);
		c.pass = pass;
		run_program(&t, pass);
		assert_int_equal(c.cycle, result.cycles);
		signal_pass_free(pass);
		refsignals_free(slow);
	}
}

TEST_FILE(test_signals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
