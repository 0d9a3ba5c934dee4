/* Random cores, and random programs as a functional pass would annotate them: what tests of timing models run. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_DRAWN_H
#define SAHM_TESTS_UNIT_CORES_UARCH_DRAWN_H

#include <string.h>

#include "cores/uarch/ideal.h"
#include "cores/uarch/timing.h"
#include "tests/helper/random.h"

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
	/* Of loads by core, as in struct load_predictions; other uops have bits, too, which mean nothing. */
	uint32_t right[MAX_UOPS], wrong[MAX_UOPS];
	bool has_soft; /* some loads are drawn with a prefetch instruction after them */
} program;

static inline unsigned pick(unsigned low, unsigned high)
{
	return (unsigned)between(&rng, low, high);
}

/* Mostly small, so that limits bind; in wide cores mostly large, so that uops overtake others. Sometimes a bound. */
static inline uint16_t size(unsigned least, unsigned most)
{
	if (one_in(&rng, 10))
		return (uint16_t)(one_in(&rng, 2) ? least : most);
	if (is_wide && !one_in(&rng, 10))
		return (uint16_t)pick(least + (most - least) / 4, most);
	unsigned usual = one_in(&rng, 4) ? most : least + 8;
	return (uint16_t)pick(least, usual < most ? usual : most);
}

static inline uint16_t cycles(unsigned least)
{
	static const unsigned most[] = {3, 12, 12, 60, 300};
	return (uint16_t)pick(least, least + (one_in(&rng, 200) ? MAX_LATENCY - least : PICK(&rng, most)));
}

/* Every second core has pipelined units and no bus, and mostly more MSHRs than its program needs: the second model
 * steps it. */
static inline struct core_timing draw_core(void)
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
	/* Of ideal parts, the models know these. */
	if (one_in(&rng, 8))
		ideal_apply(&t, pick(1, 3) << IDEAL_BRANCH);
	if (one_in(&rng, 16))
		ideal_apply(&t, 1u << IDEAL_VALUE_PREDICTION);
	return t;
}

/* Fills and stores so far: what a uop can name. */
struct named {
	unsigned l1i, l1d, stores;
};

static inline uint8_t name_one(unsigned nr)
{
	nr = nr < MAX_RECENT ? nr : MAX_RECENT;
	return nr > 0 && one_in(&rng, 2) ? (uint8_t)pick(1, one_in(&rng, 2) ? (nr < 4 ? nr : 4) : nr) : 0;
}

static inline void draw_prefetches(struct uop *u, bool is_code, unsigned *fills)
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

/* A prefetch instruction after a load. */
static inline void draw_soft(struct uop *u, unsigned *fills)
{
	if (program.nr_prefetches == MAX_PREFETCHES)
		return;
	struct uop_prefetch *p = &program.prefetches[program.nr_prefetches++];
	*p = (struct uop_prefetch){.target = PREFETCH_L1D,
				   .level = (uint8_t)pick(LEVEL_L1, LEVEL_MEMORY),
				   .row = (uint8_t)pick(0, NR_ROW_STATES - 1),
				   .is_soft = true,
				   .tlb = (uint8_t)pick(0, NR_TLB_LEVELS - 1)};
	*fills += p->level != LEVEL_L1;
	u->nr_prefetches++;
}

static inline void draw_fetch(struct uop *u, struct named *n)
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

static inline void draw_access(struct uop *u, unsigned miss_pct, struct named *n)
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
	if (program.has_soft && u->class == INSN_LOAD && one_in(&rng, 6))
		draw_soft(u, &n->l1d);
}

static inline uint8_t draw_register(unsigned nr)
{
	static const unsigned bases[] = {0, 0, 32, INTEGER_TEMPORARY, FP_TEMPORARY};
	unsigned base = PICK(&rng, bases);
	return one_in(&rng, 5) ? NO_REGISTER : (uint8_t)(base + pick(0, base < 64 ? nr - 1 : MAX_TEMPORARIES - 1));
}

static inline struct uop *add_uop(enum insn_class class, uint64_t pc, uint8_t flags)
{
	struct uop *u = &program.uops[program.nr++];
	*u = (struct uop){.pc = pc,
			  .class = (uint8_t) class,
			  .source = {NO_REGISTER, NO_REGISTER, NO_REGISTER},
			  .destination = NO_REGISTER,
			  .flags = flags};
	return u;
}

static inline uint64_t draw_pc(void)
{
	return 0x1000 + 2 * (uint64_t)pick(0, one_in(&rng, 2) ? 20 : 2000);
}

/* An instruction with several loads, some of what a late store writes. The first one waits a little, so that the others
 * overtake it. */
static inline void draw_race(unsigned miss_pct, struct named *n)
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
static inline void draw_program(size_t nr_before)
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

/* Which loads of the program are predicted. */
static inline void draw_predictions(void)
{
	unsigned share = pick(1, 4), wrong_share = pick(1, 20);
	for (size_t i = 0; i < program.nr; i++) {
		program.right[i] = program.wrong[i] = 0;
		for (unsigned core = 0; core < 32; core++)
			if (one_in(&rng, share)) {
				uint32_t *to = one_in(&rng, wrong_share) ? program.wrong : program.right;
				to[i] |= UINT32_C(1) << core;
			}
	}
}

/* Those of the uops from `from` to before `end`. */
static inline void copy_predictions(struct load_predictions *p, size_t from, size_t end)
{
	memcpy(p->right, program.right + from, (end - from) * sizeof(*p->right));
	memcpy(p->wrong, program.wrong + from, (end - from) * sizeof(*p->wrong));
}

/* Those of one core as enum refcycle_prediction: none, right, wrong. */
static inline const uint8_t *predictions_of(unsigned core)
{
	static uint8_t of_core[MAX_UOPS];
	for (size_t i = 0; i < program.nr; i++)
		of_core[i] = (uint8_t)((program.right[i] >> core & 1) + 2 * (program.wrong[i] >> core & 1));
	return of_core;
}

/* Makes a batch of the whole instructions from *from on, `most` uops or a few more; moves on. */
static inline void draw_batch(struct uop_batch *b, size_t most, size_t *from, size_t *prefetches)
{
	size_t nr = 0;
	b->nr_prefetches = b->nr_instructions = 0;
	do {
		b->uops[nr] = program.uops[*from + nr];
		for (unsigned i = 0; i < b->uops[nr].nr_prefetches; i++)
			b->prefetches[b->nr_prefetches++] = program.prefetches[(*prefetches)++];
		b->nr_instructions += b->uops[nr].flags & UOP_LAST ? 1 : 0;
		nr++;
	} while (*from + nr < program.nr && (nr < most || !(b->uops[nr - 1].flags & UOP_LAST)));
	b->nr = (uint32_t)nr;
	*from += nr;
}

#endif
