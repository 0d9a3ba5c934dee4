/* The functional pass against small cases worked by hand, and against the recorders' model of a core. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/counted_core.h"
#include "cores/uarch/functional_pass.h"
#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

/* L1 of 4 sets of 2 lines, L2 of 16 lines, LLC of 64; TLBs of 2 pages, then 4; 2 banks with rows of 1 KiB. */
static const struct core_geometry small = {
	.l1i = {512, 2, 64, REPLACE_LRU},
	.l1d = {512, 2, 64, REPLACE_LRU},
	.l2 = {1024, 4, 64, REPLACE_LRU},
	.llc = {4096, 4, 64, REPLACE_LRU},
	.itlb = {2, 2},
	.dtlb = {2, 2},
	.second_tlb = {4, 4},
	.btb = {2, 1},
	.predictor = {.kind = PREDICTOR_GSHARE, .base_bits = 4, .return_stack = 2},
	.dram = {2, 1024},
};

static void begin(void)
{
	memset(batch, 0, sizeof(*batch));
}

/* An instruction of one uop in the first line of code. */
static struct uop *add(enum insn_class class, uint64_t address, uint16_t bytes)
{
	struct uop *u = batch_add(class, 0x400000);
	u->address = address;
	u->bytes = bytes;
	return u;
}

static void load(uint64_t address)
{
	add(INSN_LOAD, address, 8);
}

static const struct uop *run(const struct core_geometry *g)
{
	struct sahm_err err;
	struct functional_pass *p = functional_pass_new(g, &err);
	assert_non_null(p);
	functional_pass_run(p, batch);
	functional_pass_free(p);
	return batch->uops;
}

static void test_levels(void **state)
{
	(void)state;
	const struct core_geometry *g = &small;
	begin();
	load(0x10000); /* memory */
	load(0x10008); /* L1D */
	for (uint64_t i = 1; i <= 2; i++)
		load(0x10000 + i * 256); /* pushes it out of its set of L1D */
	load(0x10000);			 /* L2 */
	for (uint64_t i = 1; i <= 4; i++)
		load(0x20000 + i * 256); /* and of L2 */
	load(0x10000);			 /* LLC */
	const struct uop *u = run(g);
	assert_int_equal(u[0].level, LEVEL_MEMORY);
	assert_int_equal(u[1].level, LEVEL_L1);
	assert_int_equal(u[4].level, LEVEL_L2);
	assert_int_equal(u[9].level, LEVEL_LLC);
	assert_int_equal(u[0].fills, 1);
	assert_int_equal(u[1].fills, 0);
	/* The code's line: from memory, then fetched no more. */
	assert_int_equal(u[0].fetch_lines, 1);
	assert_int_equal(u[0].fetch_level, LEVEL_MEMORY);
	assert_int_equal(u[1].fetch_lines, 0);
}

static void test_two_lines(void **state)
{
	(void)state;
	begin();
	load(0x10000);
	add(INSN_LOAD, 0x1003c, 8); /* the end of a line that is there, and the next one */
	add(INSN_INTEGER, 0, 0)->pc = 0x40003e;
	batch->uops[2].flags = UOP_FIRST | UOP_LAST;
	const struct uop *u = run(&small);
	assert_int_equal(u[1].level, LEVEL_MEMORY);
	assert_int_equal(u[1].fills, 1);
	assert_int_equal(u[1].fill, 1);
	assert_int_equal(u[2].fetch_lines, 1);
	assert_int_equal(u[2].fetch_fills, 1);
}

/* Of the two lines and pages of an instruction the farther ones count, whichever of them they are. */
static void test_two_fetches(void **state)
{
	(void)state;
	begin();
	/* All in one set of L1I: the first one is then only in L2. */
	for (uint64_t pc = 0x400fc0; pc >= 0x400dc0; pc -= 0x100)
		add(INSN_INTEGER, 0, 0)->pc = pc;
	add(INSN_INTEGER, 0, 0)->pc = 0x400ffe; /* a line of L2 and its page, then new ones */
	for (uint64_t pc = 0x402000; pc <= 0x402200; pc += 0x100)
		add(INSN_INTEGER, 0, 0)->pc = pc;
	add(INSN_INTEGER, 0, 0)->pc = 0x401ffe; /* a new line, then one of L2 */
	add(INSN_INTEGER, 0, 0)->pc = 0x3ffffe; /* a new page, then one of the second-level TLB */
	const struct uop *u = run(&small);
	for (unsigned i = 3; i <= 7; i += 4) {
		assert_int_equal(u[i].fetch_lines, 2);
		assert_int_equal(u[i].fetch_fills, 2);
		assert_int_equal(u[i].fetch_level, LEVEL_MEMORY);
	}
	assert_int_equal(u[3].fetch_tlb, TLB_WALK);
	assert_int_equal(u[8].fetch_tlb, TLB_WALK);
}

/* How recent a fill is, up to MAX_RECENT. */
static void test_fill(void **state)
{
	(void)state;
	struct core_geometry g = small;
	g.l1d = (struct cache_spec){65536, 4, 64, REPLACE_LRU};
	for (unsigned n = MAX_RECENT; n <= MAX_RECENT + 1; n++) {
		begin();
		for (unsigned i = 0; i < n; i++)
			load(0x10000 + (uint64_t)i * 64);
		load(0x10000);
		load(0x10000 + (uint64_t)(n - 1) * 64);
		const struct uop *u = run(&g);
		assert_int_equal(u[n].fill, n <= MAX_RECENT ? n : 0);
		assert_int_equal(u[n + 1].fill, 1);
	}
}

/* Of two lines the more recent fill counts, if it is recent at all, whichever of them it is; L1I and L1D alike. */
static void test_two_fills(void **state)
{
	(void)state;
	struct core_geometry g = small;
	g.l1i = g.l1d = (struct cache_spec){65536, 4, 64, REPLACE_LRU};
	for (unsigned downwards = 0; downwards <= 1; downwards++)
		for (unsigned n = MAX_RECENT; n <= MAX_RECENT + 2; n++) {
			begin();
			for (unsigned i = 0; i < n; i++) {
				uint64_t offset = 64 * (uint64_t)(downwards ? n - 1 - i : i);
				add(INSN_LOAD, 0x10000 + offset, 8)->pc += offset;
			}
			/* The end of the first of the two that were filled first, and the beginning of the second. */
			uint64_t offset = (downwards ? n - 2 : 0) * UINT64_C(64) + 62;
			add(INSN_LOAD, 0x10000 + offset, 4)->pc += offset;
			const struct uop *u = &run(&g)[n];
			assert_int_equal(u->fill, n - 1 <= MAX_RECENT ? n - 1 : 0);
			assert_int_equal(u->fetch_fill, u->fill);
			assert_int_equal(u->fetch_lines, 2);
			assert_int_equal(u->fills + u->fetch_fills, 0);
		}
}

/* Each seed makes one sequence of misses, by other lines that leave at random. */
static void test_seed(void **state)
{
	(void)state;
	static const uint32_t seeds[] = {1, 1, 2};
	uint8_t levels[3][BATCH_UOPS];
	struct core_geometry g = small;
	g.l1d = (struct cache_spec){512, 8, 64, REPLACE_RANDOM};
	for (unsigned s = 0; s < 3; s++) {
		g.seed = seeds[s];
		begin();
		while (batch->nr < BATCH_UOPS)
			load(0x10000 + (uint64_t)(batch->nr % 12) * 64);
		const struct uop *u = run(&g);
		for (unsigned i = 0; i < BATCH_UOPS; i++)
			levels[s][i] = u[i].level;
	}
	assert_memory_equal(levels[0], levels[1], BATCH_UOPS);
	assert_memory_not_equal(levels[0], levels[2], BATCH_UOPS);
}

static void test_release(void **state)
{
	(void)state;
	begin();
	add(INSN_STORE, 0x10000, 8);
	load(0x10100);
	load(0x10200); /* the dirty line leaves */
	load(0x10300); /* a clean one does */
	const struct uop *u = run(&small);
	assert_false(u[1].releases);
	assert_true(u[2].releases);
	assert_false(u[3].releases);
}

/* A line is stored to, then lines at `offsets` from it are loaded: 256 apart they share its set in L1D and L2, 1024
 * apart in the LLC too. */
static void test_write_backs(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool has_llc;
		enum { NONE, IN_L1D, IN_LLC } prefetches;
		unsigned nr, l1d, l2, llc;
		uint16_t offsets[10];
	} rows[] = {
		{"it stays", true, NONE, 1, 0, 0, 0, {0x100}},
		{"to L2", true, NONE, 2, 1, 0, 0, {0x100, 0x200}},
		{"clean ones follow", true, NONE, 3, 1, 0, 0, {0x100, 0x200, 0x300}},
		{"to the LLC", true, NONE, 4, 1, 1, 0, {0x100, 0x200, 0x300, 0x500}},
		{"to memory, from L2", false, NONE, 4, 1, 1, 0, {0x100, 0x200, 0x300, 0x500}},
		/* The fourth that shares its set in the LLC: a line that is written back does not become recent. */
		{"dirty in the LLC", true, NONE, 7, 1, 1, 0, {0x100, 0x200, 0x300, 0x500, 0x400, 0x800, 0xc00}},
		{"to memory", true, NONE, 8, 1, 1, 1, {0x100, 0x200, 0x300, 0x500, 0x400, 0x800, 0xc00, 0x1000}},
		/* The LLC is filled first, and then has no copy any more. */
		{"past the LLC", true, NONE, 4, 1, 1, 0, {0x400, 0x800, 0xc00, 0x1000}},
		/* Hits keep it in L1D, but L2 does not see them. */
		{"past L2", true, NONE, 9, 1, 0, 0, {0x100, 0, 0x200, 0, 0x300, 0, 0x500, 0x600, 0x700}},
		/* The lines before those of its set are loaded, and the next ones prefetched. */
		{"by a prefetch", true, IN_L1D, 2, 1, 0, 0, {0xc0, 0x1c0}},
		{"by one of the LLC",
		 true,
		 IN_LLC,
		 8,
		 1,
		 1,
		 1,
		 {0x100, 0x200, 0x300, 0x500, 0x400, 0x800, 0xc00, 0xfc0}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct core_geometry g = small;
		struct sahm_err err;
		if (!rows[i].has_llc)
			g.llc.bytes = 0;
		if (rows[i].prefetches != NONE)
			*(rows[i].prefetches == IN_L1D ? &g.l1d_prefetchers[0] : &g.llc_prefetchers[0]) =
				(struct prefetcher_spec){.kind = PREFETCHER_NEXT_LINE, .degree = 1};
		begin();
		add(INSN_STORE, 0x10040, 8);
		for (unsigned n = 0; n < rows[i].nr; n++)
			load(0x10040 + rows[i].offsets[n]);
		struct functional_pass *p = functional_pass_new(&g, &err);
		assert_non_null(p);
		functional_pass_run(p, batch);
		const struct functional_counts *c = functional_pass_counts(p);
		if (c->l1d_write_backs != rows[i].l1d || c->l2_write_backs != rows[i].l2 ||
		    c->llc_write_backs != rows[i].llc)
			fail_msg("%s: %d %d %d", rows[i].name, (int)c->l1d_write_backs, (int)c->l2_write_backs,
				 (int)c->llc_write_backs);
		functional_pass_free(p);
	}
}

/* A tree over the four ways of L1D, by hand; the dirty line shows when it leaves. After the use of line 0 the tree
 * points to the other half, and there to line 2, since line 3 was used later; then in turn to each half. LRU would
 * evict lines 1, 2, 3, 0. */
static void test_plru(void **state)
{
	(void)state;
	static const unsigned leaves_at[4] = {3, 1, 0, 2};
	struct core_geometry g = small;
	g.l1d = (struct cache_spec){256, 4, 64, REPLACE_PLRU};
	for (unsigned dirty = 0; dirty < 4; dirty++) {
		begin();
		for (unsigned line = 0; line < 4; line++)
			add(line == dirty ? INSN_STORE : INSN_LOAD, 0x10000 + line * UINT64_C(64), 8);
		load(0x10000);
		for (uint64_t line = 4; line < 8; line++)
			load(0x10000 + line * 64);
		const struct uop *u = run(&g);
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(u[5 + i].releases, leaves_at[dirty] == i);
	}
}

static void test_tlb(void **state)
{
	(void)state;
	begin();
	load(0x10000);
	load(0x10100);
	load(0x11000);
	load(0x12000);
	load(0x10000);		    /* no more in the first level */
	add(INSN_LOAD, 0x10ffc, 8); /* two pages: the slower one counts */
	const struct uop *u = run(&small);
	assert_int_equal(u[0].tlb, TLB_WALK);
	assert_int_equal(u[1].tlb, TLB_HIT);
	assert_int_equal(u[2].tlb, TLB_WALK);
	assert_int_equal(u[4].tlb, TLB_SECOND);
	assert_int_equal(u[5].tlb, TLB_SECOND);
}

/* Accesses that end in the next page: of levels, translations and rows the slower one counts, of fills both. */
static void test_across_pages(void **state)
{
	(void)state;
	begin();
	add(INSN_LOAD, 0x10ffc, 8); /* bank 1, whose row is closed, and bank 0, where the code's is open */
	add(INSN_LOAD, 0x10ffc, 8);
	load(0x11fc0);
	add(INSN_LOAD, 0x11ffc, 8); /* a line and a page that are there, then new ones */
	load(0x10fc0);
	load(0x12fc0);
	add(INSN_STORE, 0x12ffc, 8); /* dirties two lines */
	for (uint64_t i = 1; i <= 2; i++) {
		load(0x12fc0 + i * 256);
		load(0x13000 + i * 256);
	}
	const struct uop *u = run(&small);
	static const struct {
		unsigned uop, level, tlb, fills, fill;
	} rows[] = {
		{0, LEVEL_MEMORY, TLB_WALK, 2, 0},
		{1, LEVEL_L1, TLB_HIT, 0, 1},
		{3, LEVEL_MEMORY, TLB_WALK, 1, 1},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(u[rows[i].uop].level, rows[i].level);
		assert_int_equal(u[rows[i].uop].tlb, rows[i].tlb);
		assert_int_equal(u[rows[i].uop].fills, rows[i].fills);
		assert_int_equal(u[rows[i].uop].fill, rows[i].fill);
	}
	assert_int_equal(u[0].row, ROW_CONFLICT);
	/* The first page left the DTLB, not the second-level one. */
	assert_int_equal(u[4].tlb, TLB_SECOND);
	assert_int_equal(u[6].tlb, TLB_WALK);
	for (unsigned i = 7; i <= 10; i++)
		assert_int_equal(u[i].releases, i >= 9);
}

static void test_rows(void **state)
{
	(void)state;
	begin();
	batch->uops[0].flags = 0;
	load(0x100000); /* the code's line opened bank 0 with another row */
	load(0x100040);
	load(0x100400); /* bank 1 */
	load(0x100800); /* bank 0, the next row */
	load(0x100440); /* bank 1's is still open */
	load(0x100040); /* from L1D: opens nothing */
	load(0x100840);
	load(0x100080); /* bank 0, the first one again */
	const struct uop *u = run(&small);
	assert_int_equal(u[0].row, ROW_CONFLICT);
	assert_int_equal(u[1].row, ROW_HIT);
	assert_int_equal(u[2].row, ROW_CLOSED);
	assert_int_equal(u[3].row, ROW_CONFLICT);
	assert_int_equal(u[4].row, ROW_HIT);
	assert_int_equal(u[5].level, LEVEL_L1);
	assert_int_equal(u[6].row, ROW_HIT);
	assert_int_equal(u[7].row, ROW_CONFLICT);
}

/* After a gap nothing of before is named; lines stay where they are. */
static void test_gap(void **state)
{
	struct sahm_err err;
	struct functional_pass *p = functional_pass_new(&small, &err);
	(void)state;
	assert_non_null(p);
	for (unsigned gap = 0; gap <= 1; gap++) {
		uint64_t address = 0x10000 + gap * 0x1000;
		begin();
		add(INSN_STORE, address, 8)->pc += gap * 0x1000;
		add(INSN_INTEGER, 0, 0)->pc += gap * 0x1000 + 64;
		functional_pass_run(p, batch);
		if (gap)
			functional_pass_gap(p);
		begin();
		add(INSN_LOAD, address, 8)->pc += gap * 0x1000;
		load(address + 64);
		load(address + 64);
		functional_pass_run(p, batch);
		const struct uop *u = batch->uops;
		assert_int_equal(u[0].level, LEVEL_L1);
		assert_int_equal(u[0].fill, gap ? 0 : 1);
		assert_int_equal(u[0].fetch_fill, gap ? 0 : 2);
		assert_int_equal(u[0].forward, gap ? 0 : 1);
		assert_int_equal(u[2].fill, 1);
	}
	functional_pass_free(p);
}

/* Every load against a search through all stores, byte by byte. */
static void test_forwarding(void **state)
{
	(void)state;
	uint64_t rng = 1;
	for (unsigned round = 0; round < 50; round++) {
		begin();
		while (batch->nr < BATCH_UOPS)
			add(one_in(&rng, 2) ? INSN_LOAD : INSN_STORE, 0x10000 + between(&rng, 0, 600),
			    one_in(&rng, 20) ? 0 : (uint16_t)between(&rng, 1, one_in(&rng, 10) ? 100 : 16));
		const struct uop *u = run(&small);
		for (uint32_t i = 0; i < batch->nr; i++) {
			unsigned n = 0, found = 0;
			bool covers = false;
			if (u[i].class != INSN_LOAD)
				continue;
			for (uint32_t s = i; s-- > 0 && found == 0 && n < MAX_RECENT;) {
				if (u[s].class != INSN_STORE)
					continue;
				n++;
				uint64_t end = u[s].address + u[s].bytes, load_end = u[i].address + u[i].bytes;
				if (u[s].address < load_end && u[i].address < end && u[s].bytes && u[i].bytes) {
					found = n;
					covers = u[s].address <= u[i].address && load_end <= end;
				}
			}
			assert_int_equal(u[i].forward, found);
			assert_int_equal(u[i].covers, covers);
		}
	}
}

/* A load reads from the 64th last store at most; one without an access counts. */
static void test_store_distance(void **state)
{
	(void)state;
	for (unsigned n = MAX_RECENT; n <= MAX_RECENT + 1; n++) {
		begin();
		add(INSN_STORE, 0x10000, 8);
		add(INSN_STORE, 0, 0);
		for (unsigned i = 2; i < n; i++)
			add(INSN_STORE, 0x20000, 8);
		load(0x10000);
		const struct uop *u = &run(&small)[n];
		assert_int_equal(u->forward, n <= MAX_RECENT ? MAX_RECENT : 0);
		assert_int_equal(u->covers, n <= MAX_RECENT);
	}
}

/* Loads of the bytes 16 to 23, after stores that have some of them, or only their neighbours. */
/* An access that wraps around the end of memory touches the last bytes and the first ones. */
static void test_wrap(void **state)
{
	(void)state;
	begin();
	add(INSN_STORE, UINT64_MAX - 3, 8);
	load(UINT64_MAX - 7);
	load(0);
	load(8);
	const struct uop *u = run(&small);
	assert_int_equal(u[1].forward, 1);
	assert_false(u[1].covers);
	assert_int_equal(u[2].forward, 1);
	assert_int_equal(u[3].forward, 0);
}

static void test_covers(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct {
			uint8_t from, bytes;
		} stores[2]; /* the younger one last; 0 bytes: elsewhere */
		unsigned forward;
		bool covers;
	} rows[] = {
		{"all", {{0, 0}, {16, 8}}, 1, true},
		{"one more before", {{0, 0}, {15, 9}}, 1, true},
		{"one more after", {{0, 0}, {16, 9}}, 1, true},
		{"not the first", {{0, 0}, {17, 8}}, 1, false},
		{"not the last", {{0, 0}, {15, 8}}, 1, false},
		{"only the first", {{0, 0}, {9, 8}}, 1, false},
		{"only the last", {{0, 0}, {23, 8}}, 1, false},
		{"neither end", {{0, 0}, {17, 6}}, 1, false},
		{"just before", {{0, 0}, {8, 8}}, 0, false},
		{"just after", {{0, 0}, {24, 8}}, 0, false},
		{"a half from each", {{16, 4}, {20, 4}}, 1, false},
		{"a half from each, upper first", {{20, 4}, {16, 4}}, 1, false},
		{"a byte over all", {{16, 8}, {20, 1}}, 1, false},
		{"all over a byte", {{20, 1}, {16, 8}}, 1, true},
		{"all, a neighbour since", {{16, 8}, {24, 8}}, 2, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin();
		for (unsigned s = 0; s < 2; s++)
			add(INSN_STORE, rows[i].stores[s].bytes ? 0x10000u + rows[i].stores[s].from : 0x20000,
			    rows[i].stores[s].bytes ? rows[i].stores[s].bytes : 8);
		load(0x10010);
		const struct uop *u = &run(&small)[2];
		if (u->forward != rows[i].forward || u->covers != rows[i].covers)
			fail_msg("%s: %u %d", rows[i].name, u->forward, u->covers);
	}
}

static void test_btb(void **state)
{
	(void)state;
	begin();
	for (unsigned i = 0; i < 4; i++) {
		struct uop *u = add(INSN_JUMP, 0, 0);
		u->flags |= UOP_BRANCH | UOP_TAKEN;
		u->next_pc = 0x400100;
		/* The second and the third share an entry. */
		u->pc += i < 2 ? 0 : 4 * (i - 1);
	}
	/* The last jump again, after a branch that would take its entry, but is not taken. */
	struct uop *branch = add(INSN_BRANCH, 0, 0);
	branch->flags |= UOP_BRANCH;
	branch->next_pc = branch->pc + branch->length;
	*batch_add(INSN_JUMP, 0) = batch->uops[3];
	const struct uop *u = run(&small);
	assert_true(u[0].flags & UOP_BTB_MISS);
	assert_false(u[1].flags & UOP_BTB_MISS);
	assert_true(u[2].flags & UOP_BTB_MISS);
	assert_false(u[0].flags & UOP_MISPREDICTED);
	assert_true(u[3].flags & UOP_BTB_MISS);
	assert_false(u[5].flags & UOP_BTB_MISS);
}

static void test_next_line(void **state)
{
	(void)state;
	struct core_geometry g = small;
	g.l1d_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	begin();
	load(0x10000);
	load(0x10040); /* prefetched: its first use asks for the next */
	load(0x10040);
	load(0x10fc0); /* the last line of its page */
	const struct uop *u = run(&g);
	assert_int_equal(u[0].nr_prefetches, 1);
	assert_int_equal(batch->prefetches[0].line, 0x10040);
	assert_int_equal(batch->prefetches[0].target, PREFETCH_L1D);
	assert_int_equal(batch->prefetches[0].level, LEVEL_MEMORY);
	assert_int_equal(u[1].level, LEVEL_L1);
	assert_int_equal(u[1].fill, 1);
	assert_int_equal(u[1].nr_prefetches, 1);
	assert_int_equal(u[2].nr_prefetches, 0);
	assert_int_equal(u[3].nr_prefetches, 0);
	assert_int_equal(batch->nr_prefetches, 2);
}

/* The first hit of a prefetched line asks for the next line, as a miss does. Later hits do not: not even for one that
 * has left again. */
static void test_first_hit(void **state)
{
	(void)state;
	/* Code and data alike; the third and the fourth push line 0x80 out of L1, the last two line 0x40. */
	static const uint16_t offsets[] = {0, 0x40, 0x180, 0x280, 0x40, 0, 0x140, 0x240};
	const struct prefetcher_spec next_line = {.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	struct core_geometry g = small;
	g.l1i_prefetchers[0] = g.l1d_prefetchers[0] = next_line;
	begin();
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		add(offsets[i] == 0x40 ? INSN_STORE : INSN_LOAD, 0x10000 + offsets[i], 8)->pc += offsets[i];
	const struct uop *u = run(&g);
	assert_int_equal(batch->prefetches[0].line, 0x400040);
	assert_int_equal(batch->prefetches[0].target, PREFETCH_L1I);
	assert_true(batch->prefetches[0].is_code);
	assert_int_equal(batch->prefetches[1].line, 0x10040);
	assert_int_equal(batch->prefetches[1].target, PREFETCH_L1D);
	assert_false(batch->prefetches[1].is_code);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(u[i].nr_prefetches, 2);
	assert_int_equal(u[1].level, LEVEL_L1);
	assert_int_equal(u[1].fetch_level, LEVEL_L1);
	assert_int_equal(u[4].nr_prefetches, 0);
	/* Prefetches are fills too: 0, 40; 80; 180, 1c0; 280, 2c0. */
	assert_int_equal(u[1].fill, 1);
	assert_int_equal(u[4].fill, 6);
	assert_int_equal(u[5].fill, 7);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(u[i].fetch_fill, u[i].fill);
	assert_false(u[6].releases);
	assert_true(u[7].releases);
}

/* The same in L2, which sees what misses in L1D. */
static void test_first_hit_in_l2(void **state)
{
	(void)state;
	struct core_geometry g = small;
	g.l2_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	begin();
	add(INSN_INTEGER, 0, 0); /* fetches the line of code */
	load(0x10000);
	load(0x10040);
	load(0x10140);
	load(0x10240);
	load(0x10340);
	load(0x10480); /* with lines prefetched before it, pushes 0x10080 out */
	load(0x10040);
	const struct uop *u = run(&g);
	assert_int_equal(u[1].nr_prefetches, 1);
	assert_int_equal(batch->prefetches[1].line, 0x10040);
	assert_int_equal(batch->prefetches[1].target, PREFETCH_L2);
	assert_int_equal(batch->prefetches[1].level, LEVEL_MEMORY);
	assert_false(batch->prefetches[1].is_code);
	assert_int_equal(u[2].level, LEVEL_L2);
	assert_int_equal(u[2].nr_prefetches, 1);
	assert_int_equal(batch->prefetches[2].line, 0x10080);
	assert_int_equal(u[7].level, LEVEL_L2);
	assert_int_equal(u[7].nr_prefetches, 0);
}

/* And in the LLC, which sees what misses in L2. */
static void test_llc_prefetcher(void **state)
{
	(void)state;
	struct core_geometry g = small;
	g.llc_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	begin();
	add(INSN_INTEGER, 0, 0);
	load(0x10000);
	load(0x10040);
	const struct uop *u = run(&g);
	assert_int_equal(u[1].nr_prefetches, 1);
	assert_int_equal(batch->prefetches[1].line, 0x10040);
	assert_int_equal(batch->prefetches[1].target, PREFETCH_LLC);
	assert_int_equal(batch->prefetches[1].level, LEVEL_MEMORY);
	assert_int_equal(u[2].level, LEVEL_LLC);
	assert_int_equal(u[2].nr_prefetches, 1);
}

/* A request of L1D's prefetcher is an access to L2: it misses or uses a prefetched line first, like a
 * demand. It is reported before the requests that it gives rise to. */
static void test_prefetches_train_outer(void **state)
{
	(void)state;
	const struct prefetcher_spec next_line = {.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	static const struct uop_prefetch expected[] = {
		/* The load asks for the next line in L2, and in L1D, which has it from there by then. */
		{.line = 0x10040, .target = PREFETCH_L2, .level = LEVEL_MEMORY, .row = ROW_HIT},
		{.line = 0x10040, .target = PREFETCH_L1D, .level = LEVEL_L2, .row = 0},
		{.line = 0x10080, .target = PREFETCH_L2, .level = LEVEL_MEMORY, .row = ROW_HIT},
	};
	struct core_geometry g = small;
	g.l1d_prefetchers[0] = g.l2_prefetchers[0] = next_line;
	begin();
	load(0x10000);
	const struct uop *u = run(&g);
	unsigned first = batch->nr_prefetches - 3;
	assert_true(u[0].nr_prefetches >= 3);
	for (unsigned i = 0; i < 3; i++) {
		const struct uop_prefetch *p = &batch->prefetches[first + i];
		assert_int_equal(p->line, expected[i].line);
		assert_int_equal(p->target, expected[i].target);
		assert_int_equal(p->level, expected[i].level);
		assert_int_equal(p->is_code, expected[i].is_code);
	}
}

/* A prefetch instruction brings in line and translation, once; where the line is there, only its slot is left. */
static void test_soft_prefetch(void **state)
{
	(void)state;
	begin();
	load(0x10000);
	load(0x20000);
	load(0x10000);
	batch->soft[0] = (struct soft_access){0, 0x20008};
	batch->soft[1] = (struct soft_access){2, 0x20010};
	batch->nr_soft = 2;
	const struct uop *u = run(&small);
	const struct uop_prefetch *p = batch->prefetches;
	assert_int_equal(u[0].nr_prefetches, 1);
	assert_int_equal(p[0].line, 0x20000);
	assert_int_equal(p[0].target, PREFETCH_L1D);
	assert_int_equal(p[0].level, LEVEL_MEMORY);
	assert_true(p[0].is_soft);
	assert_int_equal(p[0].tlb, TLB_WALK);
	assert_int_equal(u[1].level, LEVEL_L1);
	assert_int_equal(u[1].tlb, TLB_HIT);
	assert_int_equal(u[1].fill, 1);
	assert_int_equal(u[1].nr_prefetches, 0);
	assert_int_equal(u[2].nr_prefetches, 1);
	assert_int_equal(p[1].level, LEVEL_L1);
	assert_true(p[1].is_soft);
	assert_int_equal(p[1].tlb, TLB_HIT);
}

/* Fetching a uop fills MAX_UOP_PREFETCHES: 8 lines for LLC; 8 for L2, each of which asks for one more in LLC; two for
 * L1I with one more in L2 and in LLC; one for L1I with one more in L2. Lines that its access requests are neither
 * reported nor brought in. */
static void test_prefetch_bound(void **state)
{
	(void)state;
	const struct prefetcher_spec next_lines = {.kind = PREFETCHER_NEXT_LINE, .degree = MAX_PREFETCH_DEGREE};
	struct core_geometry g = small;
	struct sahm_err err;
	g.l1i.line_bytes = g.l1d.line_bytes = g.l2.line_bytes = g.llc.line_bytes = MIN_LINE_BYTES;
	g.l1i_prefetchers[0] = g.l1d_prefetchers[0] = g.l2_prefetchers[0] = g.llc_prefetchers[0] = next_lines;
	struct functional_pass *p = functional_pass_new(&g, &err);
	assert_non_null(p);
	begin();
	load(0x10000);
	functional_pass_run(p, batch);
	assert_int_equal(batch->uops[0].nr_prefetches, MAX_UOP_PREFETCHES);
	assert_int_equal(batch->nr_prefetches, MAX_UOP_PREFETCHES);
	assert_int_equal(batch->prefetches[MAX_UOP_PREFETCHES - 1].target, PREFETCH_L2);
	assert_int_equal(batch->prefetches[MAX_UOP_PREFETCHES - 1].line, 0x400000 + 11 * MIN_LINE_BYTES);
	assert_int_equal(batch->prefetches[MAX_UOP_PREFETCHES].line, 0);
	begin();
	load(0x10000 + MIN_LINE_BYTES);
	functional_pass_run(p, batch);
	assert_int_equal(batch->uops[0].level, LEVEL_MEMORY);
	functional_pass_free(p);
}

static void test_stride(void **state)
{
	(void)state;
	struct core_geometry g = small;
	g.l1d_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_STRIDE, .degree = 2};
	begin();
	for (unsigned i = 0; i < 8; i++)
		load(0x10000 + (uint64_t)i * 192);
	/* Two wrong strides: only the second one leaves too little confidence. */
	load(0x20000);
	load(0x30000);
	const struct uop *u = run(&g);
	/* The stride is learned from the second access on; two more give confidence. */
	assert_int_equal(u[2].nr_prefetches, 0);
	assert_int_equal(u[3].nr_prefetches, 2);
	assert_int_equal(batch->prefetches[0].line, 0x10000 + 4 * 192);
	assert_int_equal(batch->prefetches[1].line, 0x10000 + 5 * 192);
	for (unsigned i = 4; i < 8; i++)
		assert_int_equal(u[i].level, LEVEL_L1);
	assert_int_equal(u[8].nr_prefetches, 2);
	assert_int_equal(u[9].nr_prefetches, 0);
}

/* Both see each access, and request in the order of the list; a line that the first one requested is there already. */
static void test_two_prefetchers(void **state)
{
	(void)state;
	static const int64_t steps[] = {-192, 64};
	const struct prefetcher_spec next_line = {.kind = PREFETCHER_NEXT_LINE, .degree = 1},
				     stride = {.kind = PREFETCHER_STRIDE, .degree = 2};
	for (unsigned is_up = 0; is_up < 2; is_up++)
		for (unsigned is_stride_first = 0; is_stride_first < 2; is_stride_first++) {
			struct core_geometry g = small;
			g.l1d_prefetchers[is_stride_first] = next_line;
			g.l1d_prefetchers[!is_stride_first] = stride;
			begin();
			for (int64_t i = 0; i < 4; i++)
				load(0x10c00 + (uint64_t)(i * steps[is_up]));
			const struct uop *u = run(&g);
			/* The fourth access gives the stride confidence. Upwards, the next line is the first of both.
			 */
			uint64_t at = u[3].address, step = (uint64_t)steps[is_up];
			uint64_t lines[3] = {at + 64, at + step, at + 2 * step};
			if (is_up)
				lines[1] = lines[2];
			else if (is_stride_first)
				lines[0] = at + step, lines[1] = at + 2 * step, lines[2] = at + 64;
			assert_int_equal(u[3].nr_prefetches, is_up ? 2 : 3);
			for (unsigned i = 0; i < u[3].nr_prefetches; i++)
				assert_int_equal(batch->prefetches[3 + i].line, lines[i]);
		}
}

/* Without prefetchers, counts are those of the recorders' model. */
static void test_counted_core(void **state)
{
	(void)state;
	const struct cpu cpu = {.l1i = small.l1i, .l1d = small.l1d, .l2 = small.l2, .predictor = small.predictor};
	struct epoch_counts counts = {0};
	struct counted_core c;
	struct sahm_err err;
	uint64_t rng = 7;
	struct functional_pass *p = functional_pass_new(&small, &err);
	assert_non_null(p);
	assert_int_equal(counted_core_init(&c, &cpu, &counts, &err), SAHM_OK);
	for (unsigned round = 0; round < 100; round++) {
		begin();
		while (batch->nr < BATCH_UOPS) {
			unsigned kind = (unsigned)between(&rng, 0, 2);
			struct uop *u = add(kind == 0	? INSN_BRANCH
					    : kind == 1 ? INSN_LOAD
							: INSN_STORE,
					    0x10000 + between(&rng, 0, 8000), kind == 0 ? 0 : 8);
			u->pc = 0x400000 + 2 * between(&rng, 0, 1000);
			if (kind == 0) {
				bool taken = one_in(&rng, 3);
				u->flags |= UOP_BRANCH | (taken ? UOP_TAKEN : 0);
				u->next_pc = taken ? 0x400800 : u->pc + u->length;
			}
			counted_core_fetch(&c, u->pc, u->pc + u->length - 1);
			if (kind > 0) {
				uint64_t first = u->address / 64, last = (u->address + 7) / 64;
				counted_core_data(&c, first);
				if (last != first)
					counted_core_data(&c, last);
			} else {
				counted_core_branch(&c, INSN_BRANCH, u->pc, u->pc + u->length, u->flags & UOP_TAKEN,
						    u->next_pc);
			}
			counts.count[COUNTER_INSTRUCTIONS]++;
		}
		functional_pass_run(p, batch);
	}
	for (int i = 0; i < NR_COUNTERS; i++)
		assert_int_equal(functional_pass_counts(p)->epoch.count[i], counts.count[i]);
	counted_core_release(&c);
	functional_pass_free(p);
}

TEST_FILE(test_functional_pass)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_two_lines),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_two_fills),
		cmocka_unit_test(test_two_fetches),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_plru),
		cmocka_unit_test(test_write_backs),
		cmocka_unit_test(test_tlb),
		cmocka_unit_test(test_across_pages),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_forwarding),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_covers),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_btb),
		cmocka_unit_test(test_store_distance),
		cmocka_unit_test(test_next_line),
		cmocka_unit_test(test_prefetches_train_outer),
		cmocka_unit_test(test_soft_prefetch),
		cmocka_unit_test(test_prefetch_bound),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_stride),
		cmocka_unit_test(test_first_hit),
		cmocka_unit_test(test_first_hit_in_l2),
		cmocka_unit_test(test_llc_prefetcher),
		cmocka_unit_test(test_two_prefetchers),
		cmocka_unit_test(test_counted_core),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
