/* The reference of signals (tests/reference/refsignals.h) itself: programs small enough to count their cycles on paper,
 * and sums over random ones.
 *
 * SAHM_SIGNALS_CASES=n draws n programs, SAHM_SIGNALS_SEED=s other ones. */
#include <stdlib.h>

#include "tests/helper/environment.h"
#include "tests/reference/refsignals.h"
#include "tests/unit/cores/uarch/drawn_observed.h"
#include "tests/unit/cores/uarch/timed_core.h"
#include "tests/unit/test.h"

#define NR_CASES 300u

static struct refsignals *s;

static void observe(const struct core_timing *t, unsigned wrong_path_issue_pct)
{
	const struct refsignals_options options = {.wrong_path_issue_pct = wrong_path_issue_pct};
	uint64_t nr_cycles = run(t);
	refsignals_free(s);
	s = refsignals_new(t, batch->uops, batch->nr, batch->prefetches, p.at, &options);
	assert_non_null(s);
	check("cycles", s->nr_cycles, nr_cycles);
}

/* The lanes of each cycle in hexadecimal, a dot where there are none, and none after the end. */
static void check_lanes(enum signal signal, const char *expected)
{
	static const char digits[] = ".123456789abcdef";
	char shown[80] = "";
	size_t nr = 0, length = strlen(expected);
	assert_true(s->nr_cycles < sizeof(shown));
	for (uint64_t c = 0; c < s->nr_cycles; c++)
		if (s->rows[c].lanes[signal])
			nr = c + 1;
	nr = nr < length ? length : nr;
	for (size_t c = 0; c < nr && c < s->nr_cycles; c++)
		shown[c] = digits[s->rows[c].lanes[signal] & 15];
	if (strcmp(shown, expected) != 0)
		fail_msg("signal %d: \"%s\" instead of \"%s\"", (int)signal, shown, expected);
}

/* D 1 1 2 2, E 2 2 3 3, C 4 4 5 5. */
static void test_two_a_cycle(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	for (unsigned k = 0; k < 3; k++)
		add(INSN_INTEGER, 1, NONE);
	add(INSN_FP_ADD, 33, NONE);
	observe(&t, 60);
	check_lanes(SIGNAL_FETCH_BUBBLE, "3");
	check_lanes(SIGNAL_UOP_ISSUED, "..33");
	check_lanes(SIGNAL_UOP_RETIRED, "....33");
	check_lanes(SIGNAL_INSTRUCTION, "....33");
	check_lanes(SIGNAL_ARITHMETIC, "....31");
	check_lanes(SIGNAL_FP_ADD, ".....2");
	assert_int_equal(s->rows[4].retired, 0);
	assert_int_equal(s->rows[4].next, 2);
	assert_int_equal(s->rows[5].next, 3);
}

/* F 0 1 2: decode has one instruction a cycle. */
static void test_bubble_in_second_lane(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.fetch_width = 1;
	begin();
	for (unsigned k = 0; k < 3; k++)
		add(INSN_INTEGER, 1, NONE);
	observe(&t, 60);
	check_lanes(SIGNAL_FETCH_BUBBLE, "322");
}

/* Branch: D 1, E 2, X 3, C 4; then F 5, D 6, E 7, X 8, C 9. Of the wrong path, 4 uops are dispatched and 2 issue: in
 * cycle 2 beside the branch, and in cycle 3. */
static void test_mispredicted(void **state)
{
	(void)state;
	static const struct {
		enum insn_class class;
		enum signal signal;
	} rows[] = {
		{INSN_BRANCH, SIGNAL_MISPREDICTED_BRANCH},	  {INSN_JUMP, SIGNAL_MISPREDICTED_DIRECT},
		{INSN_CALL, SIGNAL_MISPREDICTED_DIRECT},	  {INSN_RETURN, SIGNAL_MISPREDICTED_TARGET},
		{INSN_INDIRECT_JUMP, SIGNAL_MISPREDICTED_TARGET}, {INSN_INDIRECT_CALL, SIGNAL_MISPREDICTED_TARGET},
	};
	for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
		struct core_timing t = pair(CORE_OUT_OF_ORDER);
		begin();
		add(rows[k].class, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
		add(INSN_INTEGER, 1, NONE);
		observe(&t, 60);
		check_lanes(rows[k].signal, "...1");
		check_lanes(SIGNAL_BRANCH_RESOLVED, "...1");
		check_lanes(SIGNAL_RECOVERING, "....11");
		check_lanes(SIGNAL_FETCH_BUBBLE, "3");
		check_lanes(SIGNAL_UOP_ISSUED, "..31...1");
		assert_int_equal(s->nr_wrong_path, 2);
		assert_int_equal(s->rows[3].of[rows[k].signal], 0);
		assert_int_equal(s->rows[4].of[SIGNAL_RECOVERING], 1);
		/* Three entries of the ROB are free for it, of which one and a half issue. */
		t.rob = 4;
		observe(&t, 50);
		check_lanes(SIGNAL_UOP_ISSUED, "..3....1");
	}
	/* In-order: I 1, X 2, redirect 1 + 3 + 2, I 7. */
	struct core_timing t = pair(CORE_IN_ORDER);
	t.resolve_cycles = 3;
	observe(&t, 60);
	check_lanes(SIGNAL_MISPREDICTED_TARGET, "..1");
	check_lanes(SIGNAL_RECOVERING, "...1111");
	check_lanes(SIGNAL_FETCH_BUBBLE, "3");
	check_lanes(SIGNAL_UOP_ISSUED, ".11....1");
}

/* D 1, C 4; the system instruction: D 5, X 7, C 8; then F 11, D 12, C 15. */
static void test_serializing(void **state)
{
	(void)state;
	for (unsigned is_fence = 0; is_fence < 2; is_fence++) {
		struct core_timing t = pair(CORE_OUT_OF_ORDER);
		t.fence_flushes = true;
		begin();
		add(INSN_INTEGER, 1, NONE);
		add(is_fence ? INSN_FENCE : INSN_SYSTEM, NONE, NONE)->flags |= is_fence ? UOP_FENCE : UOP_SYSTEM;
		add(INSN_INTEGER, 1, NONE);
		observe(&t, 60);
		check_lanes(is_fence ? SIGNAL_FLUSH_FENCE : SIGNAL_FLUSH_SYSTEM, "........1");
		check_lanes(is_fence ? SIGNAL_FENCE : SIGNAL_SYSTEM, "........1");
		check_lanes(SIGNAL_FENCE_RETIRED, is_fence ? "........1" : "");
		check_lanes(SIGNAL_RECOVERING, ".........111");
		check_lanes(SIGNAL_FETCH_BUBBLE, "3");
		check_lanes(SIGNAL_UOP_ISSUED, "..1...1......1");
	}
}

/* Two flushes of an instruction: its branch's in cycle 3, and its own in cycle 4. Both recover until cycle 7. */
static void test_recoveries_touch(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags = UOP_FIRST | UOP_SYSTEM | UOP_BRANCH | UOP_MISPREDICTED;
	add(INSN_SYSTEM, NONE, NONE)->flags = UOP_LAST | UOP_SYSTEM;
	add(INSN_INTEGER, 1, NONE);
	observe(&t, 0);
	check_lanes(SIGNAL_MISPREDICTED_BRANCH, "...1");
	check_lanes(SIGNAL_FLUSH_SYSTEM, "....1");
	check_lanes(SIGNAL_RECOVERING, "....1111");
	check_lanes(SIGNAL_INSTRUCTION, "....1......1");
}

/* A load of what a late store writes: the store issues in 6 (X 7), the load in 2; E again in 7, X 8. */
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
	observe(&t, 60);
	check_lanes(SIGNAL_FLUSH_ORDER, "........1");
	/* F 11, D 12. */
	check_lanes(SIGNAL_RECOVERING, ".........111");
	check_lanes(SIGNAL_FETCH_BUBBLE, "3");
	check_lanes(SIGNAL_LOAD, ".........1");
	check_lanes(SIGNAL_STORE, "........1");
}

/* Line: F 0 and 4 (D 1, 5). With a translation of 2 cycles first: F 6, and the line from 2 on. */
static void test_line(void **state)
{
	(void)state;
	for (unsigned tlb = 0; tlb < 2; tlb++) {
		struct core_timing t = pair(CORE_OUT_OF_ORDER);
		begin();
		add(INSN_INTEGER, 1, NONE);
		struct uop *u = add(INSN_INTEGER, 1, NONE);
		u->fetch_lines = u->fetch_fills = 1;
		u->fetch_level = LEVEL_L2;
		u->fetch_tlb = (uint8_t)tlb;
		observe(&t, 60);
		check_lanes(SIGNAL_ICACHE_MISS, tlb ? "..1" : "1");
		check_lanes(SIGNAL_ITLB_MISS, tlb ? "....1" : "");
		check_lanes(SIGNAL_ICACHE_REFILL, tlb ? "..1111" : "1111");
		check_lanes(SIGNAL_ICACHE_BLOCKED, tlb ? "..1111" : "..11");
		check_lanes(SIGNAL_FETCH_BUBBLE, tlb ? "3233333" : "32333");
	}
}

/* A prefetched line is on its way until 4, and no miss. */
static void test_line_on_its_way(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	struct uop *u = add(INSN_INTEGER, 1, NONE);
	u->nr_prefetches = 1;
	batch->prefetches[0] = (struct uop_prefetch){.target = PREFETCH_L1I, .level = LEVEL_L2, .is_code = true};
	batch->nr_prefetches = 1;
	u = add(INSN_INTEGER, 1, NONE);
	u->fetch_lines = u->fetch_fill = 1;
	observe(&t, 60);
	check_lanes(SIGNAL_ICACHE_MISS, "");
	check_lanes(SIGNAL_ICACHE_REFILL, "1111");
	check_lanes(SIGNAL_ICACHE_BLOCKED, "..11");
}

/* A load that misses: D 1, E 2, MSHR from 6 through X 11, C 12. Its user waits until then, and the third instruction
 * for the ROB, until 13. */
static void test_full_rob(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.rob = 2;
	begin();
	struct uop *u = add_miss(LEVEL_L2, 1, NONE);
	u->tlb = TLB_WALK;
	u->releases = true;
	t.dtlb_cycles[TLB_WALK] = 0;
	add(INSN_INTEGER, 2, 1);
	add(INSN_INTEGER, 3, NONE);
	observe(&t, 60);
	check_lanes(SIGNAL_DCACHE_MISS, "......1");
	check_lanes(SIGNAL_DCACHE_RELEASE, "...........1");
	check_lanes(SIGNAL_DTLB_MISS, "..1");
	check_lanes(SIGNAL_TLB_WALK, "..1");
	check_lanes(SIGNAL_DCACHE_BLOCKED, "......33333");
	check_lanes(SIGNAL_FETCH_BUBBLE, "3");
	check_lanes(SIGNAL_UOP_RETIRED, "............11..1");
	check_lanes(SIGNAL_LOAD, "............1");
}

/* Who caused it: a taken branch in cycle 3, a load that misses in 6; the instruction after them waits. */
static void test_causes(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	struct uop *u = add_miss(LEVEL_L2, 1, NONE);
	u->pc = 0x2000;
	u->address = 0x8888;
	u = add(INSN_BRANCH, NONE, NONE);
	u->pc = 0x2004;
	u->flags |= UOP_BRANCH | UOP_TAKEN;
	add(INSN_INTEGER, 3, NONE)->fetch_level = LEVEL_L2;
	batch->uops[2].fetch_lines = batch->uops[2].fetch_fills = 1;
	observe(&t, 60);
	struct signal_cause load = refsignals_cause(s, s->rows[6].of[SIGNAL_DCACHE_MISS]);
	assert_int_equal(load.pc, 0x2000);
	assert_int_equal(load.address, 0x8888);
	assert_true(load.has_address && !load.is_taken && load.number == 0);
	struct signal_cause branch = refsignals_cause(s, s->rows[3].of[SIGNAL_BRANCH_RESOLVED]);
	assert_int_equal(branch.pc, 0x2004);
	assert_true(!branch.has_address && branch.is_taken && branch.number == 1);
	assert_int_equal(s->rows[1].of[SIGNAL_ICACHE_MISS], 2);
	/* The load retires next. */
	assert_int_equal(s->rows[4].of[SIGNAL_ICACHE_BLOCKED], 0);
}

/* ---- In-order ---- */

/* The first instruction issues in 1; the second one uses its result, or its unit, and arrives in 1 too. */
static void test_interlocks(void **state)
{
	(void)state;
#define OF(suffix) (UINT64_C(1) << SIGNAL_##suffix)
	static const struct {
		const char *name, *blocked;
		enum insn_class first, second;
		enum memory_level level;
		uint64_t high;
		unsigned last; /* cycle in which the second one waits */
		bool is_independent;
	} rows[] = {
		{"load", "", INSN_LOAD, INSN_INTEGER, LEVEL_L1, OF(INTERLOCK_LOAD), 4, false},
		{"address", "", INSN_LOAD, INSN_LOAD, LEVEL_L1, OF(INTERLOCK_LOAD) | OF(INTERLOCK_ADDRESS), 4, false},
		{"address of store", "", INSN_LOAD, INSN_STORE, LEVEL_L1, OF(INTERLOCK_LOAD) | OF(INTERLOCK_ADDRESS), 4,
		 false},
		{"missed load", ".233333333", INSN_LOAD, INSN_LOAD, LEVEL_L2, OF(INTERLOCK_LONG), 9, false},
		{"division", "", INSN_DIVIDE, INSN_INTEGER, LEVEL_L1, OF(INTERLOCK_LONG) | OF(INTERLOCK_MULTIPLY), 4,
		 false},
		{"multiplication", "", INSN_MULTIPLY, INSN_LOAD, LEVEL_L1, OF(INTERLOCK_MULTIPLY), 4, false},
		{"root", "", INSN_FP_DIVIDE, INSN_STORE, LEVEL_L1, OF(INTERLOCK_LONG) | OF(INTERLOCK_FP), 4, false},
		{"addition", "", INSN_FP_ADD, INSN_FP_ADD, LEVEL_L1, OF(INTERLOCK_FP), 4, false},
		{"multiply-add", "", INSN_FP_MULTIPLY_ADD, INSN_FP_OTHER, LEVEL_L1, OF(INTERLOCK_FP), 4, false},
		{"integer", "", INSN_INTEGER, INSN_INTEGER, LEVEL_L1, 0, 4, false},
		{"vector", "", INSN_VECTOR, INSN_FP_ADD, LEVEL_L1, 0, 4, false},
		{"unit of division", "", INSN_DIVIDE, INSN_DIVIDE, LEVEL_L1, OF(INTERLOCK_MULTIPLY), 4, true},
		{"unit of FP", "", INSN_FP_DIVIDE, INSN_FP_DIVIDE, LEVEL_L1, OF(INTERLOCK_FP), 4, true},
		{"both of FP", "", INSN_FP_ADD, INSN_FP_DIVIDE, LEVEL_L1, OF(INTERLOCK_FP), 4, false},
		{"unit of integer", "", INSN_INTEGER, INSN_INTEGER, LEVEL_L1, 0, 4, true},
	};
	for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
		struct core_timing t = pair(CORE_IN_ORDER);
		for (unsigned class = 0; class < NR_INSN_CLASSES; class ++)
			t.latency[class] = 4;
		t.groups[0].is_pipelined = !rows[k].is_independent;
		t.groups[0].units = rows[k].is_independent ? 1 : 2;
		begin();
		struct uop *u = add(rows[k].first, 1, NONE);
		u->level = (uint8_t)rows[k].level;
		u->fills = rows[k].level != LEVEL_L1;
		add(rows[k].second, NONE, rows[k].is_independent ? NONE : 1);
		observe(&t, 60);
		char high[16];
		memset(high, '.', sizeof(high));
		memset(high + 1, '1', rows[k].last);
		high[rows[k].last + 1] = '\0';
		for (unsigned signal = SIGNAL_INTERLOCK_LOAD; signal <= SIGNAL_INTERLOCK_FP; signal++)
			check_lanes((enum signal)signal, rows[k].high >> signal & 1 ? high : "");
		check_lanes(SIGNAL_DCACHE_BLOCKED, rows[k].blocked);
		check_lanes(SIGNAL_FETCH_BUBBLE, "3");
	}
#undef OF
}

/* Only uops of a SYSTEM instruction can wait for its result: the next instruction is fetched after it. */
static void test_interlock_csr(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_IN_ORDER);
	t.latency[INSN_SYSTEM] = 3;
	begin();
	add(INSN_SYSTEM, 1, NONE)->flags = UOP_FIRST | UOP_SYSTEM;
	add(INSN_INTEGER, 2, 1)->flags = UOP_LAST | UOP_SYSTEM;
	add(INSN_INTEGER, 3, 2);
	observe(&t, 60);
	check_lanes(SIGNAL_INTERLOCK_CSR, ".111");
	/* C 5, F 8, I 9. */
	check_lanes(SIGNAL_RECOVERING, "......111");
}

/* A miss that blocks until 10, and a full store buffer until 4 (I 1, C 2, S 3). */
static void test_blocked(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_IN_ORDER);
	t.is_blocking = true;
	begin();
	add_miss(LEVEL_L2, 1, NONE);
	add(INSN_INTEGER, 2, NONE);
	observe(&t, 60);
	check_lanes(SIGNAL_DCACHE_BLOCKED, ".233333333");
	check_lanes(SIGNAL_INTERLOCK_LONG, "");
	t.store_queue = 1;
	begin();
	add_access(INSN_STORE, NONE);
	add_access(INSN_STORE, NONE);
	observe(&t, 60);
	check_lanes(SIGNAL_DCACHE_BLOCKED, ".233");
	check_lanes(SIGNAL_FETCH_BUBBLE, "3");
	check_lanes(SIGNAL_STORE, "..1..1");
}

/* ---- Classes ---- */

static struct uop *add_part(enum insn_class class, uint8_t flags, unsigned destination, unsigned source)
{
	struct uop *u = add(class, destination, source);
	u->bytes = class == INSN_LOAD || class == INSN_STORE ? 8 : 0;
	u->flags = flags;
	return u;
}

/* Instructions of several uops, in an in-order core of which only the order takes time. */
static void test_classes(void **state)
{
	(void)state;
	struct core_timing t = pair(CORE_IN_ORDER);
	t.fetch_width = t.commit_width = t.issue_width = MAX_WIDTH;
	t.l1d_cycles = 1;
	t.same_cycle_memory = MAX_WIDTH;
	t.groups[0].units = MAX_WIDTH;
	begin();
	/* An atomic of RISC-V, and an addition to memory: C 3 and 5. */
	add_part(INSN_LOAD, UOP_FIRST, 1, 2);
	add_part(INSN_STORE, UOP_LAST, NONE, 1);
	add_part(INSN_LOAD, UOP_FIRST, INTEGER_TEMPORARY, 2);
	add_part(INSN_INTEGER, 0, 3, INTEGER_TEMPORARY);
	add_part(INSN_STORE, UOP_LAST, NONE, 3);
	observe(&t, 60);
	check_lanes(SIGNAL_INSTRUCTION, "...1.1");
	check_lanes(SIGNAL_ATOMIC, "...1");
	check_lanes(SIGNAL_ARITHMETIC, ".....1");
	check_lanes(SIGNAL_LOAD, ".....1");
	check_lanes(SIGNAL_STORE, ".....1");
	begin();
	/* x86-64 pushes from memory, which stores elsewhere: a load and a store, but no atomic. */
	add_part(INSN_LOAD, UOP_FIRST, INTEGER_TEMPORARY, 2)->address = 64;
	add_part(INSN_STORE, UOP_LAST, NONE, INTEGER_TEMPORARY);
	observe(&t, 60);
	check_lanes(SIGNAL_INSTRUCTION, "...1");
	check_lanes(SIGNAL_ATOMIC, "");
	check_lanes(SIGNAL_LOAD, "...1");
	check_lanes(SIGNAL_STORE, "...1");
	begin();
	/* FP loads and stores: plain ones, then an FP addition from memory, all but that in C 2. */
	add_part(INSN_LOAD, UOP_FIRST | UOP_LAST, 40, 2);
	add_part(INSN_STORE, UOP_FIRST | UOP_LAST, NONE, 41);
	add_part(INSN_LOAD, UOP_FIRST, FP_TEMPORARY, 2);
	add_part(INSN_FP_ADD, UOP_LAST, 42, FP_TEMPORARY);
	observe(&t, 60);
	check_lanes(SIGNAL_INSTRUCTION, "..31");
	check_lanes(SIGNAL_FP_LOAD, "..11");
	check_lanes(SIGNAL_FP_STORE, "..2");
	check_lanes(SIGNAL_LOAD, "");
	check_lanes(SIGNAL_STORE, "");
	check_lanes(SIGNAL_FP_ADD, "...1");
}

/* ---- Random programs ---- */

static uint64_t sum(enum signal signal)
{
	uint64_t nr = 0;
	for (uint64_t c = 0; c < s->nr_cycles; c++)
		nr += (uint64_t)__builtin_popcountll(s->rows[c].lanes[signal]);
	return nr;
}

static uint64_t count_flags(uint8_t flags)
{
	uint64_t nr = 0;
	for (size_t i = 0; i < program.nr; i++)
		nr += (program.uops[i].flags & flags) == flags;
	return nr;
}

static void check_sums(const struct core_timing *t, const struct timing_result *result)
{
	static const enum signal classes[] = {
		SIGNAL_ATOMIC,	SIGNAL_SYSTEM,	    SIGNAL_ARITHMETIC, SIGNAL_BRANCH,	SIGNAL_JAL,
		SIGNAL_JALR,	SIGNAL_FENCE,	    SIGNAL_MULTIPLY,   SIGNAL_DIVIDE,	SIGNAL_FP_ADD,
		SIGNAL_FP_MADD, SIGNAL_FP_MULTIPLY, SIGNAL_FP_DIVIDE,  SIGNAL_FP_OTHER,
	};
	uint64_t retired = 0, nr_classes = 0;
	check("cycles", s->nr_cycles, result->cycles);
	check("uops", sum(SIGNAL_UOP_RETIRED), program.nr);
	check("instructions", sum(SIGNAL_INSTRUCTION), result->instructions);
	check("issued", sum(SIGNAL_UOP_ISSUED), program.nr + s->nr_wrong_path);
	check("fences", sum(SIGNAL_FENCE_RETIRED), count_flags(UOP_FENCE | UOP_LAST));
	check("system", sum(SIGNAL_SYSTEM), count_flags(UOP_SYSTEM | UOP_LAST));
	check("violations", sum(SIGNAL_FLUSH_ORDER) <= result->violations, true);
	check("MSHRs", s->mshrs_held, result->mshrs_held);
	for (uint64_t c = 0; c < s->nr_cycles; c++) {
		const struct refsignals_row *row = &s->rows[c];
		check("first to retire", row->retired, retired);
		retired += (uint64_t)__builtin_popcountll(row->lanes[SIGNAL_INSTRUCTION]);
		check("next", row->next, retired < result->instructions ? retired : result->instructions - 1);
		for (unsigned k = 0; k < NR_SIGNALS; k++) {
			unsigned nr = refsignals_nr_lanes(t, (enum signal)k);
			if (nr < 64)
				check("lanes", row->lanes[k] >> nr, 0);
		}
		for (size_t k = 0; k < ARRAY_SIZE(classes); k++) {
			check("class", row->lanes[classes[k]] & ~row->lanes[SIGNAL_INSTRUCTION], 0);
			nr_classes += (uint64_t)__builtin_popcountll(row->lanes[classes[k]]);
		}
		check("a blocked fetch is on its way",
		      row->lanes[SIGNAL_ICACHE_BLOCKED] & ~row->lanes[SIGNAL_ICACHE_REFILL], 0);
		check("bubbles are the last lanes",
		      row->lanes[SIGNAL_FETCH_BUBBLE] & (row->lanes[SIGNAL_RECOVERING] ? UINT64_MAX : 0), 0);
	}
	check("one class each", nr_classes <= result->instructions, true);
}

static void test_random(void **state)
{
	(void)state;
	static struct uop_stamps stamps[MAX_UOPS];
	uint64_t nr_cases = environment_number("SAHM_SIGNALS_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_SIGNALS_SEED", 0), seen[NR_SIGNALS] = {0};
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_observed_core();
		struct timing_result result;
		struct refsignals_options options = {.wrong_path_issue_pct = pick(0, 1) * pick(0, 100)};
		draw_observed_program();
		time_program(&t, stamps, &result);
		refsignals_free(s);
		s = refsignals_new(&t, program.uops, program.nr, program.prefetches, stamps, &options);
		assert_non_null(s);
		check_sums(&t, &result);
		for (unsigned k = 0; k < NR_SIGNALS; k++)
			seen[k] += sum((enum signal)k);
	}
	/* A uop rarely waits for another one of its own system instruction. */
	for (unsigned k = 0; k < NR_SIGNALS && nr_cases >= NR_CASES; k++)
		if (seen[k] == 0 && k != SIGNAL_INTERLOCK_CSR)
			fail_msg("signal %u was never high", k);
}

static int teardown(void **state)
{
	refsignals_free(s);
	return batch_teardown(state);
}

TEST_FILE(test_refsignals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_a_cycle),
		cmocka_unit_test(test_bubble_in_second_lane),
		cmocka_unit_test(test_mispredicted),
		cmocka_unit_test(test_serializing),
		cmocka_unit_test(test_recoveries_touch),
		cmocka_unit_test(test_violation),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_line_on_its_way),
		cmocka_unit_test(test_full_rob),
		cmocka_unit_test(test_interlocks),
		cmocka_unit_test(test_interlock_csr),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, batch_setup, teardown);
}
