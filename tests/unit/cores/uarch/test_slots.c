/* Slots of random programs on random cores, compared with the slow reference.
 *
 * SAHM_SLOTS_CASES=n draws n programs, SAHM_SLOTS_SEED=s other ones. */
#include "cores/uarch/slots.h"

#include "tests/helper/environment.h"
#include "tests/reference/refslots.h"
#include "tests/unit/cores/uarch/drawn_observed.h"

#define NR_CASES 2000u

_Static_assert((int)SLOT_CORE_UNIT == (int)REFSLOT_UNIT, "both have the same order");

static const char *const names[] = {
#define SLOT(suffix, top, class, name, help) #suffix,
#include "cores/uarch/slot_list.h"
#undef SLOT
};

static void run_program(const struct core_timing *t, struct slot_pass *pass)
{
	static struct uop_stamps stamps[BATCH_UOPS];
	static struct timing_notes notes;
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	timing_take_notes(m, &notes);
	while (from < program.nr) {
		draw_batch(b, pick(1, BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		timing_batch(m, b, stamps);
		slot_pass_run(pass, b, stamps, &notes);
	}
	slot_pass_end(pass);
	free(b);
	timing_free(m);
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
		const struct slot_counts *fast = slot_pass_counts(pass);
		for (unsigned k = 0; k < NR_SLOTS; k++)
			if (fast->slots[k] != slow->totals[k])
				fail_msg("case %u, kind %u: %s%s has %u slots, not %u", i, t.kind,
					 names[k < SLOT_CORE_UNIT ? k : SLOT_CORE_UNIT],
					 k > SLOT_CORE_UNIT ? "..." : "", (unsigned)fast->slots[k],
					 (unsigned)slow->totals[k]);
		slot_pass_free(pass);
		refslots_free(slow);
	}
}

TEST_FILE(test_slots)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
