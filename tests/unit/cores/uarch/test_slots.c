/* Slots of random programs on random cores, compared with the slow reference.
 *
 * SAHM_SLOTS_CASES=n draws n programs, SAHM_SLOTS_SEED=s other ones. */
#include "cores/uarch/slots.h"

#include "tests/helper/environment.h"
#include "tests/reference/refslots.h"
#include "tests/unit/cores/uarch/drawn_observed.h"
#include "tests/unit/cores/uarch/timed_core.h"

#define NR_CASES 2000u

/* In the order of enum refslot. */
static const enum tma_class classes[] = {
	TMA_RETIRING,	     TMA_BRANCH_RESTEER, TMA_BRANCH_RECOVERY, TMA_CLEAR_RESTEER,   TMA_CLEAR_RECOVERY,
	TMA_FETCH_BTB,	     TMA_FETCH_TLB,	 TMA_FETCH_LINE,      TMA_FETCH_BANDWIDTH, TMA_MEM_L1,
	TMA_MEM_L2,	     TMA_MEM_LLC,	 TMA_MEM_MEMORY,      TMA_MEM_TLB,	   TMA_MEM_STORE,
	TMA_CORE_DEPENDENCE, TMA_CORE_QUEUE,	 TMA_CORE_SERIAL,
};
_Static_assert(ARRAY_SIZE(classes) == REFSLOT_UNIT, "units follow");

static enum tma_class class_of(unsigned slot)
{
	return slot < REFSLOT_UNIT ? classes[slot] : (enum tma_class)(TMA_UNITS + slot - REFSLOT_UNIT);
}

static void run_program(const struct core_timing *t, struct slot_pass *pass)
{
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	timing_take_slots(m, pass);
	while (from < program.nr) {
		draw_batch(b, pick(1, BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		timing_batch(m, b, NULL);
		assert_true(slot_pass_mark(pass));
	}
	slot_pass_end(pass);
	free(b);
	timing_free(m);
}

/* Windows that end at marks have the slots of their cycles. */
static void check_marks(const struct slot_pass *pass, const struct refslots *slow)
{
	size_t nr;
	const struct slot_mark *marks = slot_pass_marks(pass, &nr);
	uint64_t totals[NR_REFSLOTS] = {0}, c = 0;
	for (size_t i = 0; i < nr; i++) {
		for (; c < marks[i].cycle * slow->width; c++)
			totals[slow->slots[c]]++;
		for (unsigned k = 0; k < NR_REFSLOTS; k++)
			assert_int_equal(marks[i].before.nr[class_of(k)], totals[k]);
	}
	assert_int_equal(c, slow->nr_cycles * slow->width);
}

static void test_reference(void **state)
{
	(void)state;
	static struct uop_stamps stamps[MAX_UOPS];
	uint64_t nr_cases = environment_number("SAHM_SLOTS_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_SLOTS_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_observed_core();
		struct timing_result result;
		draw_observed_program();
		time_program(&t, stamps, &result);
		struct refslots *slow = refslots_new(&t, program.uops, program.nr, program.prefetches, stamps);
		struct slot_pass *pass = slot_pass_new(&t);
		assert_true(slow && pass);
		run_program(&t, pass);
		const struct tma_slots *fast = slot_pass_counts(pass);
		for (unsigned k = 0; k < NR_REFSLOTS; k++) {
			char name[TMA_NAME_BYTES];
			uint64_t nr = fast->nr[class_of(k)];
			if (nr != slow->totals[k])
				fail_msg("case %u: %s has %u slots, not %u", i, tma_class_path(&t, class_of(k), name),
					 (unsigned)nr, (unsigned)slow->totals[k]);
		}
		check_marks(pass, slow);
		slot_pass_free(pass);
		refslots_free(slow);
	}
}

/* An operand that was written 65,538 uops ago is not that of the load, 2 uops ago, that is still on its way. */
static void test_old_writer(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.rob = 64;
	t.latency[INSN_MULTIPLY] = 20;
	struct slot_pass *pass = slot_pass_new(&t);
	struct timing *m = timing_new(&t);
	assert_true(pass && m);
	timing_take_slots(m, pass);
	begin();
	while (batch->nr < 1024)
		add(INSN_INTEGER, batch->nr == 0 ? 1 : NONE, NONE);
	for (unsigned nr = 0; nr < 65536; nr += batch->nr) {
		timing_batch(m, batch, NULL);
		batch->uops[0].destination = NONE;
	}
	begin();
	add_miss(LEVEL_MEMORY, 3, NONE);
	add(INSN_MULTIPLY, 2, NONE);
	/* They fill the queue. */
	while (batch->nr < 20)
		add(INSN_INTEGER, NONE, 1)->source[1] = 2;
	timing_batch(m, batch, NULL);
	assert_true(slot_pass_counts(pass)->nr[TMA_CORE_DEPENDENCE] > 0);
	assert_int_equal(slot_pass_counts(pass)->nr[TMA_MEM_MEMORY], 0);
	timing_free(m);
	slot_pass_free(pass);
}

TEST_FILE(test_slots)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_old_writer),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
