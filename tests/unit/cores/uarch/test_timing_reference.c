/* Timing models against the second model of tests/reference: every time of every uop, and the entries held, of random
 * programs on random cores.
 *
 * SAHM_TIMING_CASES=n compares n random cases, SAHM_TIMING_SEED=s other ones. SAHM_TIMING_COVERAGE prints how often
 * each mechanism occurred. */
#include <stdlib.h>

#include "cores/uarch/timing.h"
#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/reference/refcycle.h"
#include "tests/unit/test.h"

#define NR_CASES 5000u
#define MAX_INSN_UOPS 4u
#define USUAL_UOPS 400u
#define LONG_UOPS 3000u /* of a few programs, which fill the largest ROB */
#define MAX_UOPS (VIOLATION_PERIOD + LONG_UOPS + 100)
#define MAX_PREFETCHES (LONG_UOPS * 2)

static uint64_t rng;
static bool is_wide; /* the core that is drawn */

static struct program {
	struct uop uops[MAX_UOPS];
	struct uop_prefetch prefetches[MAX_PREFETCHES];
	size_t nr, nr_prefetches;
} program;

static unsigned pick(unsigned low, unsigned high)
{
	return (unsigned)between(&rng, low, high);
}

/* Mostly small, so that limits bind; in wide cores mostly large, so that uops overtake others. Sometimes a bound. */
static uint16_t size(unsigned least, unsigned most)
{
	if (one_in(&rng, 10))
		return (uint16_t)(one_in(&rng, 2) ? least : most);
	if (is_wide && !one_in(&rng, 10))
		return (uint16_t)pick(least + (most - least) / 4, most);
	unsigned usual = one_in(&rng, 4) ? most : least + 8;
	return (uint16_t)pick(least, usual < most ? usual : most);
}

static uint16_t cycles(unsigned least)
{
	static const unsigned most[] = {3, 12, 12, 60, 300};
	return (uint16_t)pick(least, least + (one_in(&rng, 200) ? MAX_LATENCY - least : PICK(&rng, most)));
}

/* Every second core has pipelined units and no bus, and mostly more MSHRs than its program needs: the second model
 * steps it. */
static struct core_timing draw_core(void)
{
	bool is_simple = one_in(&rng, 2);
	is_wide = one_in(&rng, 2);
	struct core_timing t = {
		.kind = (uint8_t)(one_in(&rng, 4) ? CORE_IN_ORDER : CORE_OUT_OF_ORDER),
		.fetch_width = size(1, MAX_WIDTH),
		.fetch_buffer = size(1, MAX_FETCH_BUFFER),
		.itlb_cycles = {cycles(0), cycles(0), cycles(0)},
		.btb_miss_cycles = cycles(0),
		.decode_cycles = cycles(0),
		.mispredict_cycles = cycles(0),
		.dispatch_width = size(1, MAX_WIDTH),
		.dispatch_cycles = cycles(0),
		.rob = size(1, one_in(&rng, 2) ? MAX_ROB : 64),
		.int_registers =
			one_in(&rng, 2) ? 0 : (uint16_t)(ARCHITECTURAL_REGISTERS + size(1, MAX_RENAME_REGISTERS)),
		.fp_registers =
			one_in(&rng, 2) ? 0 : (uint16_t)(ARCHITECTURAL_REGISTERS + size(1, MAX_RENAME_REGISTERS)),
		.load_queue = size(1, MAX_QUEUE_ENTRIES),
		.commit_cycles = cycles(0),
		.flush_cycles = cycles(0),
		.memory_order = one_in(&rng, 3) ? ORDER_SPECULATIVE : (uint8_t)pick(0, NR_MEMORY_ORDERS - 1),
		.nr_queues = (uint8_t)pick(1, one_in(&rng, 4) ? MAX_ISSUE_QUEUES : 3),
		.issue_width = size(1, MAX_WIDTH),
		.same_cycle_memory = size(1, MAX_WIDTH),
		.resolve_cycles = cycles(0),
		.is_blocking = one_in(&rng, 2),
		.store_queue = size(1, MAX_QUEUE_ENTRIES),
		.commit_width = size(1, MAX_WIDTH),
		.drain_width = size(1, MAX_WIDTH),
		.fence_flushes = one_in(&rng, 2),
		.store_fill = (uint8_t)pick(0, NR_STORE_FILLS - 1),
		.nr_groups = (uint8_t)pick(1, MAX_UNIT_GROUPS),
		.l1d_cycles = cycles(1),
		.dtlb_cycles = {cycles(0), cycles(0), cycles(0)},
		.forward_cycles = cycles(1),
		.row_cycles = {cycles(0), cycles(0), cycles(0)},
		.line_cycles = is_simple || one_in(&rng, 4) ? 0 : cycles(0),
		.mshrs = is_simple && !one_in(&rng, 8) ? MAX_MSHRS : size(1, MAX_MSHRS),
	};
	for (unsigned i = 0; i < NR_MEMORY_LEVELS; i++) {
		t.icache_cycles[i] = cycles(0);
		t.data_cycles[i] = cycles(1);
	}
	for (unsigned i = 0; i < t.nr_queues; i++) {
		t.queues[i].entries = size(1, MAX_QUEUE_ENTRIES);
		t.queues[i].issue = size(1, MAX_WIDTH);
	}
	for (unsigned i = 0; i < t.nr_groups; i++)
		t.groups[i] = (struct unit_group){.units = size(1, MAX_WIDTH),
						  .is_pipelined = is_simple || !one_in(&rng, 3),
						  .queue = (uint8_t)pick(0, t.nr_queues - 1u)};
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		t.group[i] = (uint8_t)pick(0, t.nr_groups - 1u);
		t.latency[i] = cycles(1);
	}
	return t;
}

/* Fills and stores so far: what a uop can name. */
struct named {
	unsigned l1i, l1d, stores;
};

static uint8_t name_one(unsigned nr)
{
	nr = nr < MAX_RECENT ? nr : MAX_RECENT;
	return nr > 0 && one_in(&rng, 2) ? (uint8_t)pick(1, one_in(&rng, 2) ? (nr < 4 ? nr : 4) : nr) : 0;
}

static void draw_prefetches(struct uop *u, bool is_code, unsigned *fills)
{
	for (unsigned i = pick(0, 2); i > 0 && program.nr_prefetches < MAX_PREFETCHES; i--) {
		struct uop_prefetch *p = &program.prefetches[program.nr_prefetches++];
		*p = (struct uop_prefetch){.target = (uint8_t)(is_code ? PREFETCH_L1I : PREFETCH_L1D),
					   .level = (uint8_t)pick(LEVEL_L2, LEVEL_MEMORY),
					   .row = (uint8_t)pick(0, NR_ROW_STATES - 1),
					   .is_code = is_code};
		if (one_in(&rng, 3)) {
			p->target = (uint8_t)pick(PREFETCH_L2, PREFETCH_LLC);
			p->level = (uint8_t)pick(p->target + 0u, LEVEL_MEMORY);
		} else {
			++*fills;
		}
		u->nr_prefetches++;
	}
}

static void draw_fetch(struct uop *u, struct named *n)
{
	if (!one_in(&rng, 6))
		return;
	u->fetch_lines = (uint8_t)pick(1, 2);
	u->fetch_tlb = (uint8_t)pick(0, NR_TLB_LEVELS - 1);
	u->fetch_fill = name_one(n->l1i);
	if (one_in(&rng, 3)) {
		u->fetch_level = (uint8_t)pick(LEVEL_L2, LEVEL_MEMORY);
		u->fetch_fills = (uint8_t)pick(1, u->fetch_lines);
	}
	n->l1i += u->fetch_fills;
	if (one_in(&rng, 4))
		draw_prefetches(u, true, &n->l1i);
}

static void draw_access(struct uop *u, unsigned miss_pct, struct named *n)
{
	u->bytes = 8;
	u->tlb = (uint8_t)(one_in(&rng, 10) ? pick(0, NR_TLB_LEVELS - 1) : TLB_HIT);
	u->fill = name_one(n->l1d);
	if (pick(1, 100) <= miss_pct) {
		u->level = (uint8_t)pick(LEVEL_L2, LEVEL_MEMORY);
		u->row = (uint8_t)pick(0, NR_ROW_STATES - 1);
		u->fills = (uint16_t)(one_in(&rng, 8) ? 2 : 1);
		u->releases = one_in(&rng, 3);
	}
	if (u->class == INSN_LOAD) {
		u->forward = name_one(n->stores);
		u->covers = u->forward > 0 && one_in(&rng, 2);
	}
	n->l1d += u->fills;
	n->stores += u->class == INSN_STORE;
	if (one_in(&rng, 8))
		draw_prefetches(u, false, &n->l1d);
}

static uint8_t draw_register(unsigned nr)
{
	static const unsigned bases[] = {0, 0, 32, INTEGER_TEMPORARY, FP_TEMPORARY};
	unsigned base = PICK(&rng, bases);
	return one_in(&rng, 5) ? NO_REGISTER : (uint8_t)(base + pick(0, base < 64 ? nr - 1 : MAX_TEMPORARIES - 1));
}

static struct uop *add_uop(enum insn_class class, uint64_t pc, uint8_t flags)
{
	struct uop *u = &program.uops[program.nr++];
	*u = (struct uop){.pc = pc,
			  .class = (uint8_t) class,
			  .source = {NO_REGISTER, NO_REGISTER, NO_REGISTER},
			  .destination = NO_REGISTER,
			  .flags = flags};
	return u;
}

static uint64_t draw_pc(void)
{
	return 0x1000 + 2 * (uint64_t)pick(0, one_in(&rng, 2) ? 20 : 2000);
}

/* An instruction with several loads, some of what a late store writes. The first one waits a little, so that the others
 * overtake it. */
static void draw_race(unsigned miss_pct, struct named *n)
{
	uint8_t early = draw_register(16), late = draw_register(16);
	unsigned nr = pick(2, MAX_INSN_UOPS - 1);
	uint64_t pc = draw_pc();
	add_uop(INSN_MULTIPLY, draw_pc(), UOP_FIRST | UOP_LAST)->destination = early;
	struct uop *u = add_uop(INSN_DIVIDE, draw_pc(), UOP_FIRST | UOP_LAST);
	u->source[0] = early;
	u->destination = late;
	u = add_uop(INSN_STORE, draw_pc(), UOP_FIRST | UOP_LAST);
	u->source[0] = late;
	draw_access(u, miss_pct, n);
	for (unsigned i = 0; i < nr; i++) {
		u = add_uop(INSN_LOAD, pc, i == 0 ? UOP_FIRST : 0);
		u->source[0] = i == 0 ? early : NO_REGISTER;
		u->destination = draw_register(16);
		draw_access(u, miss_pct, n);
		if (i == 0 || one_in(&rng, 2)) {
			u->forward = 1;
			u->covers = one_in(&rng, 2);
		}
	}
	uint8_t loaded = u->destination;
	u = add_uop(INSN_INTEGER, pc, UOP_LAST);
	u->source[0] = loaded;
	u->destination = draw_register(16);
	/* The last load may hit a line before an older uop requests it. */
	add_uop(INSN_INTEGER, draw_pc(), UOP_FIRST | UOP_LAST)->destination = late;
	u = add_uop(INSN_LOAD, draw_pc(), UOP_FIRST | UOP_LAST);
	u->source[0] = late;
	draw_access(u, 100, n);
	u = add_uop(INSN_LOAD, draw_pc(), UOP_FIRST | UOP_LAST);
	u->fill = (uint8_t)pick(1, n->l1d < 4 ? n->l1d : 4);
	u->destination = draw_register(16);
}

/* After `nr_before` uops that are there already, without accesses. */
static void draw_program(size_t nr_before)
{
	struct named n = {0};
	unsigned nr_uops = pick(60, one_in(&rng, 64) ? LONG_UOPS : USUAL_UOPS);
	unsigned nr_registers = pick(2, 16), miss_pct = pick(0, 60);
	unsigned load_pct = pick(10, 60), source_pct = pick(10, 50);
	program.nr = nr_before;
	program.nr_prefetches = 0;
	bool has_races = one_in(&rng, 2);
	while (program.nr < nr_before + nr_uops) {
		if (has_races && one_in(&rng, 10))
			draw_race(miss_pct, &n);
		unsigned nr = one_in(&rng, 3) ? pick(2, MAX_INSN_UOPS) : 1;
		uint8_t flags = one_in(&rng, 150) ? UOP_SYSTEM : one_in(&rng, 60) ? UOP_FENCE : 0;
		bool branches = one_in(&rng, 6);
		uint64_t pc = draw_pc();
		for (unsigned i = 0; i < nr; i++) {
			struct uop *u = &program.uops[program.nr++];
			*u = (struct uop){.pc = pc};
			u->class = (uint8_t)(pick(1, 100) <= load_pct ? INSN_LOAD
					     : one_in(&rng, 4)	      ? INSN_STORE
								      : pick(0, NR_INSN_CLASSES - 1));
			for (unsigned s = 0; s < MAX_SOURCES; s++)
				u->source[s] = pick(1, 100) > source_pct ? NO_REGISTER : draw_register(nr_registers);
			u->destination = draw_register(nr_registers);
			u->flags = (uint8_t)(flags | (i == 0 ? UOP_FIRST : 0) | (i + 1 == nr ? UOP_LAST : 0));
			if (i == 0)
				draw_fetch(u, &n);
			if (u->class == INSN_LOAD || u->class == INSN_STORE)
				draw_access(u, miss_pct, &n);
			else if (branches && i + 1 == nr)
				u->flags |= (uint8_t)(UOP_BRANCH | (one_in(&rng, 2) ? UOP_TAKEN : 0) |
						      (one_in(&rng, 4) ? UOP_MISPREDICTED : 0) |
						      (one_in(&rng, 4) ? UOP_BTB_MISS : 0));
		}
	}
}

/* In batches of whole instructions, of any number. */
static void run_first(const struct core_timing *t, struct uop_stamps *out, struct timing_result *result)
{
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	while (from < program.nr) {
		size_t most = pick(1, BATCH_UOPS - MAX_INSN_UOPS), nr = 0;
		b->nr_prefetches = b->nr_instructions = 0;
		do {
			b->uops[nr] = program.uops[from + nr];
			for (unsigned i = 0; i < b->uops[nr].nr_prefetches; i++)
				b->prefetches[b->nr_prefetches++] = program.prefetches[prefetches++];
			b->nr_instructions += b->uops[nr].flags & UOP_LAST ? 1 : 0;
			nr++;
		} while (from + nr < program.nr && (nr < most || !(b->uops[nr - 1].flags & UOP_LAST)));
		b->nr = (uint32_t)nr;
		timing_batch(m, b, out + from);
		from += nr;
	}
	timing_result(m, result);
	free(b);
	timing_free(m);
}

static void compare(unsigned number, const struct core_timing *t, const struct uop_stamps *a,
		    const struct uop_stamps *b)
{
	static const char *const names[] = {"fetch", "dispatch", "ready", "issue", "complete", "commit", "drain"};
	for (size_t i = 0; i < program.nr; i++) {
		const uint64_t x[] = {a[i].fetch,    a[i].dispatch, a[i].ready, a[i].issue,
				      a[i].complete, a[i].commit,   a[i].drain};
		const uint64_t y[] = {b[i].fetch,    b[i].dispatch, b[i].ready, b[i].issue,
				      b[i].complete, b[i].commit,   b[i].drain};
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (x[k] != y[k])
				fail_msg("case %u, kind %u, uop %zu of %zu (%s): %s is %llu, by the second model %llu",
					 number, t->kind, i, program.nr,
					 insn_class_name((enum insn_class)program.uops[i].class), names[k],
					 (unsigned long long)x[k], (unsigned long long)y[k]);
	}
}

static void compare_case(unsigned number, const struct core_timing *t, struct refcycle_seen *seen)
{
	static struct uop_stamps first[MAX_UOPS], second[MAX_UOPS];
	struct timing_result result;
	struct refcycle_held held;
	run_first(t, first, &result);
	assert_true(refcycle_run(t, program.uops, program.nr, program.prefetches, second, &held, seen));
	compare(number, t, first, second);
	if (!refcycle_held_equal(&held, &result))
		fail_msg("case %u, kind %u: entries held differ from the second model", number, t->kind);
}

static const struct {
	const char *name;
	size_t member, fewest; /* in NR_CASES */
} mechanisms[] = {
#define MECHANISM(name, fewest)                                                                                        \
	{                                                                                                              \
#name, offsetof(struct refcycle_seen, name), fewest                                                    \
	}
	MECHANISM(stepped, NR_CASES / 4),
	MECHANISM(stepped_uops, NR_CASES / 4 * 200),
	MECHANISM(replayed, 100),
	MECHANISM(inexact, 20),
	MECHANISM(violations, 2000),
	MECHANISM(squashed, 2000),
	MECHANISM(forwards, 2000),
	MECHANISM(drained_first, 2000),
	MECHANISM(rob, 2000),
	MECHANISM(queue, 2000),
	MECHANISM(registers, 2000),
	MECHANISM(load_queue, 2000),
	MECHANISM(store_queue, 2000),
	MECHANISM(mshr, 2000),
	MECHANISM(bus, 2000),
	MECHANISM(units, 2000),
	MECHANISM(redirects, 2000),
	MECHANISM(serialized, 2000),
	MECHANISM(in_flight, 2000),
	MECHANISM(prefetches, 2000),
	MECHANISM(blocked, 2000),
#undef MECHANISM
};

static void test_random(void **state)
{
	(void)state;
	struct refcycle_seen seen = {0};
	uint64_t nr_cases = environment_number("SAHM_TIMING_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_TIMING_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_core();
		draw_program(0);
		compare_case(i, &t, &seen);
	}
	assert_int_equal(ARRAY_SIZE(mechanisms), sizeof(seen) / sizeof(size_t));
	for (size_t k = 0; k < ARRAY_SIZE(mechanisms); k++) {
		size_t nr = *(const size_t *)((const char *)&seen + mechanisms[k].member);
		if (getenv("SAHM_TIMING_COVERAGE"))
			print_message("%-16s %zu\n", mechanisms[k].name, nr);
		else if (nr_cases >= NR_CASES && nr < mechanisms[k].fewest)
			fail_msg("'%s' occurred %zu times only", mechanisms[k].name, nr);
	}
}

/* Each load may violate memory order. */
static const struct core_timing speculative = {
	.kind = CORE_OUT_OF_ORDER,
	.fetch_width = 4,
	.fetch_buffer = 16,
	.decode_cycles = 2,
	.dispatch_width = 4,
	.dispatch_cycles = 1,
	.rob = 64,
	.load_queue = 16,
	.store_queue = 16,
	.commit_width = 4,
	.drain_width = 1,
	.flush_cycles = 5,
	.memory_order = ORDER_SPECULATIVE,
	.nr_queues = 1,
	.queues = {{.entries = 32, .issue = 4}},
	.nr_groups = 1,
	.groups = {{.units = 4, .is_pipelined = true}},
	.l1d_cycles = 4,
	.forward_cycles = 4,
	.data_cycles = {0, 10, 20, 40},
	.mshrs = MAX_MSHRS,
};

/* Loads of a loop that run into a late store, in a program with more uops than the table of violations is kept for. It
 * is cleared between the two loads of an instruction. */
static void test_table_is_cleared(void **state)
{
	(void)state;
	struct core_timing t = speculative;
	for (size_t i = 0; i < NR_INSN_CLASSES; i++)
		t.latency[i] = i == INSN_DIVIDE ? 9 : 1;
	program.nr = program.nr_prefetches = 0;
	add_uop(INSN_INTEGER, 0x0ff0, UOP_FIRST | UOP_LAST);
	while (program.nr < VIOLATION_PERIOD + LONG_UOPS / 2) {
		add_uop(INSN_DIVIDE, 0x1000, UOP_FIRST | UOP_LAST)->destination = 1;
		add_uop(INSN_STORE, 0x1004, UOP_FIRST | UOP_LAST)->source[0] = 1;
		for (unsigned i = 0; i < 2; i++) {
			struct uop *u = add_uop(INSN_LOAD, 0x1008, i == 0 ? UOP_FIRST : UOP_LAST);
			u->forward = 1;
			u->covers = true;
		}
		add_uop(INSN_LOAD, 0x100c, UOP_FIRST | UOP_LAST)->forward = 1;
		add_uop(INSN_INTEGER, 0x1010, UOP_FIRST | UOP_LAST);
		add_uop(INSN_BRANCH, 0x1014, UOP_FIRST | UOP_LAST | UOP_BRANCH | UOP_TAKEN);
	}
	assert_int_equal(program.uops[VIOLATION_PERIOD].class, INSN_LOAD);
	assert_int_equal(program.uops[VIOLATION_PERIOD].flags, UOP_LAST);
	for (unsigned is_pipelined = 0; is_pipelined < 2; is_pipelined++) {
		struct refcycle_seen seen = {0};
		t.groups[0].is_pipelined = is_pipelined;
		compare_case(is_pipelined, &t, &seen);
		assert_int_equal(seen.stepped, is_pipelined);
		assert_int_equal(seen.violations, 4); /* each instruction, twice */
	}
}

/* Random programs in the middle of which it is cleared. */
static void test_table_is_cleared_random(void **state)
{
	(void)state;
	struct refcycle_seen seen = {0};
	uint64_t nr_cases = environment_number("SAHM_TIMING_CASES", NR_CASES) / 500;
	uint64_t seed = environment_number("SAHM_TIMING_SEED", 0);
	program.nr = program.nr_prefetches = 0;
	while (program.nr < VIOLATION_PERIOD)
		add_uop(INSN_INTEGER, 0x0ff0, UOP_FIRST | UOP_LAST);
	for (unsigned i = 0; i < nr_cases; i++) {
		struct core_timing t = speculative;
		rng = random_of_index(seed, i);
		for (size_t k = 0; k < NR_INSN_CLASSES; k++)
			t.latency[k] = (uint16_t)(k == INSN_INTEGER ? 1 : pick(1, 20));
		size_t nr_before = VIOLATION_PERIOD - pick(0, 60);
		draw_program(nr_before);
		compare_case(i, &t, &seen);
		while (nr_before < VIOLATION_PERIOD)
			program.uops[nr_before++] = program.uops[0];
	}
	assert_int_equal(seen.stepped, nr_cases);
}

TEST_FILE(test_timing_reference)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_table_is_cleared),
		cmocka_unit_test(test_table_is_cleared_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
