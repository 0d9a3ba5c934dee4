/* Windows of counts: where they end, and which instructions are a region's. */
#include "cores/uarch/hpm_windows.h"

#include "tests/unit/cores/uarch/counted_run.h"

struct fixture {
	struct hpm *hpm;
	struct hpm_set *set;
};

static struct fixture begin_kind(enum event_family family, enum hpm_kind kind, const char *event)
{
	struct fixture f = {.hpm = counters(family, kind, 2)};
	f.set = hpm_set_new(f.hpm);
	assert_non_null(f.set);
	assert_int_equal(hpm_set_add(f.set, event, NULL), SAHM_OK);
	assert_int_equal(hpm_set_start(f.set, NULL), SAHM_OK);
	return f;
}

static struct fixture begin(void)
{
	return begin_kind(FAMILY_U74, HPM_PLAIN, "PAPI_BR_CN");
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
 * retires, for several lengths too; the multiples of its length stay where they are. */
static void test_intervals(void **state)
{
	(void)state;
	struct fixture f = begin();
	struct hpm_windows *w = hpm_windows_new(&(struct hpm_windows_options){.set = f.set, .interval_cycles = 10});
	struct signal_run wait = {.nr = 18};
	pass_branches(w, 15);
	hpm_windows_run(w, &wait);
	pass_branches(w, 9);
	assert_true(hpm_windows_end(w));
	assert_int_equal(hpm_windows_nr(w), 4);
	check(hpm_windows_at(w, 0), 10, 10, 19);
	check(hpm_windows_at(w, 1), 34, 24, 12);
	check(hpm_windows_at(w, 2), 40, 6, 12);
	check(hpm_windows_at(w, 3), 42, 2, 5);
	check(hpm_windows_total(w), 42, 42, 48);
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

/* ---- Bounds ---- */

/* Four cycles in which all of four slots are bubbles and one instruction retires: the local counters of 2 bits are full
 * in the last, and their turns come in the next four. */
static void pass_bubbles(struct hpm_windows *w)
{
	struct signal_run run = {.nr = 4};
	run.lanes[SIGNAL_INSTRUCTION] = 1;
	run.lanes[SIGNAL_FETCH_BUBBLE] = 0xf;
	hpm_windows_run(w, &run);
}

static void check_count(const struct hpm_window *w, int64_t value, int64_t truth, uint64_t bound)
{
	assert_int_equal(w->counts[0].value, value);
	assert_int_equal(w->counts[0].truth, truth);
	assert_int_equal(w->counts[0].bound, bound);
}

/* Events that are pending when counters stop are the last epoch's. Those that one epoch misses, the next can count. */
static void test_distributed_epochs(void **state)
{
	(void)state;
	for (unsigned nr = 1; nr <= 2; nr++) {
		struct fixture f = begin_kind(FAMILY_BOOM, HPM_DISTRIBUTED, "FETCH_BUBBLE");
		struct hpm_windows *w = hpm_windows_new(&(struct hpm_windows_options){.set = f.set});
		for (unsigned i = 0; i < nr; i++) {
			assert_true(hpm_windows_cut(w, 4, i));
			pass_bubbles(w);
		}
		assert_true(hpm_windows_end(w));
		assert_int_equal(hpm_windows_nr(w), nr);
		if (nr == 2)
			check_count(hpm_windows_at(w, 0), 0, 16, 12 + 16);
		check_count(hpm_windows_at(w, nr - 1), 16 * nr, 16, nr == 1 ? 12 : 12 + 16);
		check_count(hpm_windows_total(w), 16 * nr, 16 * nr, 12);
		end(&f, w);
	}
}

/* Plain counters miss three of four in each cycle that they count. */
static void test_plain_epochs(void **state)
{
	(void)state;
	struct fixture f = begin_kind(FAMILY_BOOM, HPM_PLAIN, "FETCH_BUBBLE");
	struct hpm_windows *w = hpm_windows_new(&(struct hpm_windows_options){.set = f.set});
	assert_true(hpm_windows_cut(w, 3, 0));
	assert_true(hpm_windows_cut(w, 5, 1));
	pass_bubbles(w);
	pass_bubbles(w);
	assert_true(hpm_windows_end(w));
	check_count(hpm_windows_at(w, 0), 3, 12, 9);
	check_count(hpm_windows_at(w, 1), 5, 20, 15);
	check_count(hpm_windows_total(w), 8, 32, 24);
	end(&f, w);
}

/* Each visit to a region begins and ends with events that a distributed counter still has to count. */
static void test_distributed_region(void **state)
{
	(void)state;
	static const struct pc_span spans[] = {{10, 11}};
	struct fixture f = begin_kind(FAMILY_BOOM, HPM_DISTRIBUTED, "FETCH_BUBBLE");
	struct hpm_windows *w =
		hpm_windows_new(&(struct hpm_windows_options){.set = f.set, .spans = spans, .nr_spans = 1});
	for (uint64_t i = 0; i < 5; i++) {
		struct signal_cause retired[1] = {{.pc = i % 2 ? 10 : 20}};
		struct signal_causes causes = {.retired = retired, .next = {.pc = i % 2 ? 20 : 10}};
		struct signal_run run = {.nr = 1, .causes = &causes};
		run.lanes[SIGNAL_INSTRUCTION] = 1;
		run.lanes[SIGNAL_FETCH_BUBBLE] = 1;
		hpm_windows_run(w, &run);
	}
	assert_true(hpm_windows_end(w));
	assert_int_equal(hpm_windows_total(w)->instructions, 2);
	assert_int_equal(hpm_windows_total(w)->counts[0].bound, 3 * (12 + 16)); /* the third visit has no instruction */
	assert_int_equal(hpm_windows_at(w, 0)->counts[0].bound, 3 * (12 + 16));
	end(&f, w);
}

TEST_FILE(test_hpm_windows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),    cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_region),	     cmocka_unit_test(test_distributed_epochs),
		cmocka_unit_test(test_plain_epochs), cmocka_unit_test(test_distributed_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
