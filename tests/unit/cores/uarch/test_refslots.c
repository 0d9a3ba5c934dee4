/* The reference of slots (tests/reference/refslots.h) itself: programs small enough to count their slots on paper, and
 * sums over random ones, which also compare it with the reference of signals.
 *
 * SAHM_SIGNALS_CASES=n draws n programs, SAHM_SIGNALS_SEED=s other ones. */
#include <stdlib.h>

#include "tests/helper/environment.h"
#include "tests/reference/refsignals.h"
#include "tests/reference/refslots.h"
#include "tests/unit/cores/uarch/drawn_observed.h"
#include "tests/unit/cores/uarch/timed_core.h"
#include "tests/unit/test.h"

#define NR_CASES 300u

/* Letters of slots: what is not one retires, waits for a unit of group 0 (U), or of another. */
static const char letters[NR_REFSLOTS + 1] = "RbBcCtilw1234dsDQSUVWXYZefghjk";

/* Compares both slots of each cycle. */
static void check_slots(const struct core_timing *t, const char *first, const char *second)
{
	uint64_t nr_cycles = run(t), totals[NR_REFSLOTS] = {0};
	char shown[2][80] = {"", ""};
	struct refslots *s = refslots_new(t, batch->uops, batch->nr, batch->prefetches, p.at);
	assert_non_null(s);
	assert_int_equal(s->width, 2);
	check("cycles", s->nr_cycles, nr_cycles);
	assert_true(s->nr_cycles < sizeof(shown[0]));
	for (uint64_t k = 0; k < 2 * s->nr_cycles; k++) {
		totals[s->slots[k]]++;
		shown[k % 2][k / 2] = letters[s->slots[k]];
	}
	assert_memory_equal(totals, s->totals, sizeof(totals));
	refslots_free(s);
	if (strcmp(shown[0], first) != 0 || strcmp(shown[1], second) != 0)
		fail_msg("slots\n%s\n%s instead of\n%s\n%s", shown[0], shown[1], first, second);
}

static void test_dispatch(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	for (unsigned k = 0; k < 3; k++)
		add(INSN_INTEGER, 1, NONE);
	/* D 1 1 2, E 2 2 3, C 4 4 5. The last uop is not ready in its D. */
	check_slots(&t, "wRRUUU", "wRUUUU");
	t.fetch_width = 1;
	check_slots(&t, "wRRRUUU", "wwwUUUU");
}

/* Branch: D 1, X 3; then F 5, D 6, C 9, or with a line F 9, D 10. In-order I 1, X 2; then I 7, after 3 cycles until it
 * is resolved. */
static void test_mispredicted(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	struct uop *u = add(INSN_INTEGER, 1, NONE);
	check_slots(&t, "wRbbBBRUUU", "wbbbBBDUUU");
	u->fetch_lines = u->fetch_fills = 1;
	u->fetch_level = LEVEL_L2;
	check_slots(&t, "wRbbBBllllRUUU", "wbbbBBllllDUUU");
	u->fetch_lines = u->fetch_fills = 0;
	u->fetch_level = LEVEL_L1;
	t = pair(CORE_IN_ORDER);
	t.resolve_cycles = 3;
	check_slots(&t, "wRbBBBBRU", "wbbBBBBUU");
}

/* C 4; the system instruction: D 5, C 8; then F 11, D 12. */
static void test_serializing(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_INTEGER, 1, NONE);
	add(INSN_SYSTEM, NONE, NONE)->flags |= UOP_SYSTEM;
	add(INSN_INTEGER, 1, NONE);
	check_slots(&t, "wRSSSRcccCCCRUUU", "wSSSSccccCCCDUUU");
}

/* The later one of two flushes decides: a branch's in cycle 3, and the system instruction's in 4. */
static void test_two_flushes(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags = UOP_FIRST | UOP_SYSTEM | UOP_BRANCH | UOP_MISPREDICTED;
	add(INSN_SYSTEM, NONE, NONE)->flags = UOP_LAST | UOP_SYSTEM;
	add(INSN_INTEGER, 1, NONE);
	check_slots(&t, "wRcccCCCRUUU", "wRcccCCCDUUU");
}

/* Store: X 7; the load issues too early, X 8; then F 11, D 12. */
static void test_violation(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.memory_order = ORDER_SPECULATIVE;
	t.latency[INSN_MULTIPLY] = 4;
	begin();
	add(INSN_MULTIPLY, 1, NONE);
	add(INSN_STORE, NONE, 1)->bytes = 8;
	struct uop *u = add_access(INSN_LOAD, 2);
	u->forward = 1;
	u->covers = true;
	add(INSN_INTEGER, 3, NONE);
	check_slots(&t, "wRRccccccCCCRUUU", "wRcccccccCCCDUUU");
}

/* A taken branch, whose target is not in the BTB: F 3; its translation: 5; its line: 9. */
static void test_fetch(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_JUMP, NONE, NONE)->flags |= UOP_BRANCH | UOP_TAKEN | UOP_BTB_MISS;
	struct uop *u = add(INSN_INTEGER, 1, NONE);
	u->fetch_lines = u->fetch_fills = 1;
	u->fetch_level = LEVEL_L2;
	u->fetch_tlb = TLB_SECOND;
	check_slots(&t, "wRttiillllRUUU", "wwttiillllDUUU");
}

/* The ROB's head is a load: D 1, E 2. The third instruction waits for its C. */
static void test_rob(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.rob = 2;
	begin();
	struct uop *u = add_miss(LEVEL_L2, 1, NONE);
	add(INSN_INTEGER, 2, 1);
	add(INSN_INTEGER, 3, NONE);
	/* X 11, C 12 and 13. */
	check_slots(&t, "wR22222222222RUUU", "wR22222222222UUUU");
	/* X 12 with a translation of 6 cycles, without a miss. */
	u->level = LEVEL_L1;
	u->fills = 0;
	u->tlb = TLB_SECOND;
	check_slots(&t, "wRddddddddddddRUUU", "wRddddddddddddUUUU");
	/* X 6 of a hit. */
	u->tlb = TLB_HIT;
	check_slots(&t, "wRUUUUUURUUU", "wRUUUUUUUUUU");
}

/* The ROB's head hits a line that the first load requests: E 2 and 9, X 11 and 13, of which the line's level is L2. */
static void test_line_on_its_way(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.rob = 1;
	begin();
	/* A prefetch from memory on behalf of the load: MSHR from 6 through 16, C 7 and D 8 of the next, E 9, X 16. */
	struct uop *u = add_access(INSN_LOAD, 1);
	t.data_cycles[LEVEL_MEMORY] = 10;
	u->nr_prefetches = 1;
	batch->prefetches[0] = (struct uop_prefetch){.target = PREFETCH_L1D, .level = LEVEL_MEMORY};
	batch->nr_prefetches = 1;
	add_hit(1, 2);
	check_slots(&t, "wRUUUUUUR111111111", "wDUUUUUUD111111111");
}

/* A queue of two entries: the multiplication issues in 2 and has X 8, its users R 8. Then the same with a load that
 * misses: X 11. */
static void test_queue(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.queues[0].entries = 2;
	t.latency[INSN_MULTIPLY] = 6;
	begin();
	struct uop *u = add(INSN_MULTIPLY, 1, NONE);
	for (unsigned k = 0; k < 3; k++)
		add(INSN_INTEGER, 2, 1);
	check_slots(&t, "wRURDDDDURUUU", "wRUDDDDDUUUUU");
	u->class = INSN_LOAD;
	u->level = LEVEL_L2;
	u->fills = 1;
	check_slots(&t, "wR2R2222222URUUU",
		    "wR22222222"
		    "2U2UUU");
}

/* A load that the store before it only partly wrote waits for its drain: S 9, E 10. Its unit is free. */
static void test_waiting_with_unit(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.rob = 2;
	begin();
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_L2;
	u->fills = 1;
	add_access(INSN_LOAD, 1)->forward = 1;
	add(INSN_INTEGER, 2, NONE);
	add(INSN_INTEGER, 2, NONE);
	check_slots(&t, "wRUUURQQQQUUUUUURUUU", "wRUUUQQQQQUUUUUUDUUU");
}

/* S 5 of the first store. */
static void test_store_queue(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.store_queue = 1;
	begin();
	add_access(INSN_STORE, NONE);
	add_access(INSN_STORE, NONE);
	check_slots(&t, "wRssssRUUU", "wsssssDUUU");
	/* In-order: I 1, S 3. */
	t.kind = CORE_IN_ORDER;
	check_slots(&t, "wRssRU", "wsssUU");
}

/* The first instruction issues in 1, the second one waits for it. */
static void test_in_order(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_IN_ORDER);
	t.latency[INSN_MULTIPLY] = t.latency[INSN_DIVIDE] = 4;
	begin();
	add_miss(LEVEL_L2, 1, NONE);
	add(INSN_INTEGER, 2, 1);
	check_slots(&t, "wR22222222RU", "w2222222222U");
	begin();
	add(INSN_MULTIPLY, 1, NONE);
	add(INSN_INTEGER, 2, 1);
	check_slots(&t, "wRDDDRU", "wDDDDUU");
	begin();
	add_access(INSN_LOAD, 1);
	add_access(INSN_LOAD, 2);
	t.same_cycle_memory = 1;
	check_slots(&t, "wRRUUUU", "wQUUUUU");
	/* A store that misses blocks: C 2, its fill 7. */
	begin();
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_L2;
	u->fills = 1;
	add(INSN_INTEGER, 2, NONE);
	t.is_blocking = true;
	check_slots(&t, "wR22222RU", "w222222UU");
	begin();
	add(INSN_DIVIDE, 1, NONE);
	add(INSN_DIVIDE, 2, NONE);
	t.groups[0].is_pipelined = false;
	t.groups[0].units = 1;
	check_slots(&t, "wRUUURUUUU", "wUUUUUUUUU");
}

/* ---- Random programs ---- */

/* Slots of a cycle that are of the front end; all of those that retire. */
static unsigned count_slots(const struct refslots *s, uint64_t c, uint64_t *retiring)
{
	unsigned nr = 0;
	for (unsigned lane = 0; lane < s->width; lane++) {
		enum refslot slot = (enum refslot)s->slots[c * s->width + lane];
		nr += refslot_is_frontend(slot);
		*retiring += slot == REFSLOT_RETIRING;
	}
	return nr;
}

static void check_sums(const struct core_timing *t, const struct refslots *s, const struct refsignals *signals,
		       const struct timing_result *result)
{
	/* Bubbles are the front end's slots, unless an instruction can be decoded in the shadow of a flush: in the very
	 * cycle of the flush, or, in-order, because a branch has been resolved before its X. */
	bool has_bubbles = t->decode_cycles > 0;
	for (unsigned k = 0; k < NR_INSN_CLASSES && t->kind == CORE_IN_ORDER; k++)
		if (insn_is_branch((enum insn_class)k))
			has_bubbles &= t->latency[k] <= t->resolve_cycles + t->mispredict_cycles;
	uint64_t retiring = 0, busy_cycles = 0, all = 0;
	check("cycles", s->nr_cycles, result->cycles);
	for (unsigned k = 0; k < NR_REFSLOTS; k++)
		all += s->totals[k];
	check("slots", all, s->nr_cycles * s->width);
	for (uint64_t c = 0; c < s->nr_cycles; c++) {
		uint64_t before = retiring, bubbles = signals->rows[c].lanes[SIGNAL_FETCH_BUBBLE];
		unsigned nr = count_slots(s, c, &retiring);
		busy_cycles += retiring > before;
		if (!has_bubbles)
			continue;
		if (s->is_after_flush[c])
			check("no fetch bubbles after a flush", bubbles, 0);
		else
			check("fetch bubbles", (uint64_t)__builtin_popcountll(bubbles), nr);
	}
	check("retiring", retiring, program.nr);
	check("total of retiring", s->totals[REFSLOT_RETIRING], retiring);
	check("busy cycles", busy_cycles, result->busy_cycles);
}

static void test_random(void **state)
{
	(void)state;
	static struct uop_stamps stamps[MAX_UOPS];
	static const struct refsignals_options options = {.wrong_path_issue_pct = 60};
	uint64_t nr_cases = environment_number("SAHM_SIGNALS_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_SIGNALS_SEED", 0), seen[NR_CORE_KINDS][NR_REFSLOTS] = {{0}};
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_observed_core();
		struct timing_result result;
		draw_observed_program();
		time_program(&t, stamps, &result);
		struct refsignals *signals =
			refsignals_new(&t, program.uops, program.nr, program.prefetches, stamps, &options);
		struct refslots *s = refslots_new(&t, program.uops, program.nr, program.prefetches, stamps);
		assert_true(signals && s);
		check_sums(&t, s, signals, &result);
		for (unsigned k = 0; k < NR_REFSLOTS; k++)
			seen[t.kind][k] += s->totals[k];
		refslots_free(s);
		refsignals_free(signals);
	}
	for (unsigned kind = 0; kind < NR_CORE_KINDS && nr_cases >= NR_CASES; kind++)
		for (unsigned k = 0; k <= REFSLOT_UNIT; k++)
			if (seen[kind][k] == 0)
				fail_msg("kind %u: slot '%c' never occurred", kind, letters[k]);
}

TEST_FILE(test_refslots)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dispatch),    cmocka_unit_test(test_mispredicted),
		cmocka_unit_test(test_serializing), cmocka_unit_test(test_two_flushes),
		cmocka_unit_test(test_violation),   cmocka_unit_test(test_fetch),
		cmocka_unit_test(test_rob),	    cmocka_unit_test(test_line_on_its_way),
		cmocka_unit_test(test_queue),	    cmocka_unit_test(test_waiting_with_unit),
		cmocka_unit_test(test_store_queue), cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
