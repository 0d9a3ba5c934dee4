/* Timing models against the second model of tests/reference: every time of every uop, of random programs on random
 * cores. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/timing.h"
#include "tests/helper/random.h"
#include "tests/reference/refcore.h"
#include "tests/unit/test.h"

#define NR_CASES 5000u
#define MAX_UOPS 500u
#define MAX_PREFETCHES (MAX_UOPS * 2)

static uint64_t rng;

static struct program {
	struct uop uops[MAX_UOPS];
	struct uop_prefetch prefetches[MAX_PREFETCHES];
	size_t nr, nr_prefetches;
} program;

static unsigned pick(unsigned low, unsigned high)
{
	return (unsigned)between(&rng, low, high);
}

/* Mostly small, so that limits bind; sometimes up to `most`. */
static uint16_t size(unsigned least, unsigned most)
{
	unsigned usual = one_in(&rng, 4) ? most : least + 8;
	return (uint16_t)pick(least, usual < most ? usual : most);
}

static uint16_t cycles(unsigned least)
{
	static const unsigned most[] = {3, 12, 12, 60, 300};
	return (uint16_t)pick(least, least + (one_in(&rng, 200) ? MAX_LATENCY - least : PICK(&rng, most)));
}

static struct core_timing draw_core(void)
{
	struct core_timing t = {
		.kind = (uint8_t)pick(0, NR_CORE_KINDS - 1),
		.fetch_width = size(1, MAX_WIDTH),
		.fetch_buffer = size(1, 64),
		.itlb_cycles = {cycles(0), cycles(0), cycles(0)},
		.btb_miss_cycles = cycles(0),
		.decode_cycles = cycles(0),
		.mispredict_cycles = cycles(0),
		.dispatch_width = size(1, MAX_WIDTH),
		.dispatch_cycles = cycles(0),
		.rob = size(1, one_in(&rng, 2) ? MAX_ROB : 64),
		.int_registers = one_in(&rng, 2) ? 0 : (uint16_t)(ARCHITECTURAL_REGISTERS + size(1, 100)),
		.fp_registers = one_in(&rng, 2) ? 0 : (uint16_t)(ARCHITECTURAL_REGISTERS + size(1, 100)),
		.load_queue = size(1, MAX_QUEUE_ENTRIES),
		.commit_cycles = cycles(0),
		.flush_cycles = cycles(0),
		.memory_order = (uint8_t)pick(0, NR_MEMORY_ORDERS - 1),
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
		.line_cycles = one_in(&rng, 2) ? 0 : cycles(0),
		.mshrs = size(1, MAX_MSHRS),
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
						  .is_pipelined = !one_in(&rng, 3),
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

static void draw_program(void)
{
	struct named n = {0};
	unsigned nr_uops = pick(60, MAX_UOPS - 4), nr_registers = pick(2, 16), miss_pct = pick(0, 60);
	memset(&program, 0, sizeof(program));
	while (program.nr < nr_uops) {
		unsigned nr = one_in(&rng, 3) ? pick(2, 4) : 1;
		uint8_t flags = one_in(&rng, 150) ? UOP_SYSTEM : one_in(&rng, 60) ? UOP_FENCE : 0;
		bool branches = one_in(&rng, 6);
		for (unsigned i = 0; i < nr; i++) {
			struct uop *u = &program.uops[program.nr++];
			u->pc = 0x1000 + 2 * (uint64_t)pick(0, one_in(&rng, 2) ? 20 : 2000);
			u->class = (uint8_t)(one_in(&rng, 3)   ? INSN_LOAD
					     : one_in(&rng, 4) ? INSN_STORE
							       : pick(0, NR_INSN_CLASSES - 1));
			for (unsigned s = 0; s < MAX_SOURCES; s++)
				u->source[s] = one_in(&rng, 2) ? NO_REGISTER : draw_register(nr_registers);
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
static void run_first(const struct core_timing *t, struct uop_stamps *out)
{
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	while (from < program.nr) {
		size_t most = pick(1, MAX_UOPS), nr = 0;
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

static void test_random(void **state)
{
	(void)state;
	static struct uop_stamps first[MAX_UOPS], second[MAX_UOPS];
	struct refcore_seen seen = {0};
	for (unsigned i = 0; i < NR_CASES; i++) {
		rng = i + 1;
		struct core_timing t = draw_core();
		draw_program();
		run_first(&t, first);
		assert_true(refcore_run(&t, program.uops, program.nr, program.prefetches, second, &seen));
		compare(i, &t, first, second);
	}
	/* No mechanism was left out. */
	const size_t *counts = (const size_t *)&seen;
	for (size_t i = 0; i < sizeof(seen) / sizeof(*counts); i++)
		if (counts[i] < 100)
			fail_msg("member %zu of struct refcore_seen occurred %zu times", i, counts[i]);
}

TEST_FILE(test_timing_reference)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
