/* Windows of counts: where they end, and which instructions are a region's. */
#include "cores/uarch/hpm_windows.h"

#include "tests/unit/cores/uarch/counted_run.h"

struct fixture {
	struct hpm *hpm;
	struct hpm_set *set;
};

static struct fixture begin(void)
{
	struct fixture f = {.hpm = counters(FAMILY_U74, HPM_PLAIN, 2)};
	f.set = hpm_set_new(f.hpm);
	assert_non_null(f.set);
	assert_int_equal(hpm_set_add(f.set, "PAPI_BR_CN", NULL), SAHM_OK);
	assert_int_equal(hpm_set_start(f.set, NULL), SAHM_OK);
	return f;
}

static void end(struct fixture *f, struct hpm_windows *w)
{
	hpm_windows_free(w);
	hpm_set_free(f->set);
	hpm_free(f->hpm);
}

/* `nr` cycles in which two branches retire. */
static void pass_branches(struct hpm_windows *w, uint64_t nr)
{
	struct signal_run run = {.nr = nr};
	run.lanes[SIGNAL_INSTRUCTION] = run.lanes[SIGNAL_BRANCH] = 3;
	hpm_windows_run(w, &run);
}

static void check(const struct hpm_window *w, uint64_t end, uint64_t cycles, uint64_t instructions)
{
	assert_int_equal(w->end, end);
	assert_int_equal(w->cycles, cycles);
	assert_int_equal(w->instructions, instructions);
	assert_int_equal(w->counts[0].value, instructions);
}

/* An interval ends with the first of two instructions that retire in the cycle that fills it, or later where nothing
 * retires; the multiples of its length stay where they are. */
static void test_intervals(void **state)
{
	(void)state;
	struct fixture f = begin();
	struct hpm_windows *w = hpm_windows_new(&(struct hpm_windows_options){.set = f.set, .interval_cycles = 10});
	struct signal_run wait = {.nr = 8};
	pass_branches(w, 15);
	hpm_windows_run(w, &wait);
	pass_branches(w, 9);
	assert_true(hpm_windows_end(w));
	assert_int_equal(hpm_windows_nr(w), 4);
	check(hpm_windows_at(w, 0), 10, 10, 19);
	check(hpm_windows_at(w, 1), 24, 14, 12);
	check(hpm_windows_at(w, 2), 30, 6, 12);
	check(hpm_windows_at(w, 3), 32, 2, 5);
	check(hpm_windows_total(w), 32, 32, 48);
	end(&f, w);
}

/* An epoch ends with its last instruction, in the middle of a cycle too. */
static void test_epochs(void **state)
{
	(void)state;
	struct fixture f = begin();
	struct hpm_windows *w = hpm_windows_new(&(struct hpm_windows_options){.set = f.set});
	assert_true(hpm_windows_cut(w, 5, 70));
	assert_true(hpm_windows_cut(w, 1, 71));
	pass_branches(w, 4);
	assert_true(hpm_windows_cut(w, 6, 72));
	pass_branches(w, 2);
	assert_true(hpm_windows_end(w));
	assert_int_equal(hpm_windows_nr(w), 3);
	check(hpm_windows_at(w, 0), 3, 3, 5);
	check(hpm_windows_at(w, 1), 3, 0, 1);
	check(hpm_windows_at(w, 2), 6, 3, 6);
	assert_int_equal(hpm_windows_at(w, 2)->epoch, 72);
	end(&f, w);
}

/* A region has the instructions in its spans, and the cycles from the boundary before each visit on. */
static void test_region(void **state)
{
	(void)state;
	static const struct pc_span spans[] = {{10, 13}, {20, 21}};
	static const uint64_t pcs[] = {10, 13, 12, 20, 21, 9, 11};
	struct fixture f = begin();
	struct hpm_windows *w =
		hpm_windows_new(&(struct hpm_windows_options){.set = f.set, .spans = spans, .nr_spans = 2});
	for (size_t i = 0; i < ARRAY_SIZE(pcs); i++) {
		struct signal_cause retired[1] = {{.pc = pcs[i]}};
		struct signal_causes causes = {.retired = retired,
					       .next = {.pc = i + 1 < ARRAY_SIZE(pcs) ? pcs[i + 1] : 0}};
		struct signal_run wait = {.nr = i}, run = {.nr = 1, .causes = &causes};
		run.lanes[SIGNAL_INSTRUCTION] = run.lanes[SIGNAL_BRANCH] = 1;
		hpm_windows_run(w, &wait);
		hpm_windows_run(w, &run);
	}
	assert_true(hpm_windows_end(w));
	assert_int_equal(hpm_windows_nr(w), 1);
	/* 1 + 3 + 4 + 7 cycles for the instructions at 10, 12, 20 and 11. */
	check(hpm_windows_total(w), 28, 15, 4);
	end(&f, w);
}

TEST_FILE(test_hpm_windows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
