/* Timing models against cases worked by hand, as in test_timing.c: loads and stores, MSHRs, bus, prefetches. */
#include "cores/uarch/functional_pass.h"
#include "tests/unit/cores/uarch/timed_core.h"

static void test_chase(void **state)
{
	(void)state;
	enum { LOADS = 300 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = wide((enum core_kind)kind);
		begin();
		for (unsigned k = 0; k < LOADS; k++)
			add_miss(LEVEL_MEMORY, 1, 1)->row = ROW_CONFLICT;
		run(&t);
		check("all", p.at[LOADS - 1].complete - p.at[0].issue, LOADS * (L1D + MEMORY + 11));
	}
}

/* The same with levels that the functional pass finds, in L1D, L2, LLC and memory: two rounds over lines that fit
 * there. The cache before is too small for them, so that LRU evicts each line before its next use. */
static void test_chase_through_caches(void **state)
{
	(void)state;
	static const struct core_geometry g = {
		.l1i = {512, 2, 64, REPLACE_LRU},
		.l1d = {512, 2, 64, REPLACE_LRU},
		.l2 = {1024, 4, 64, REPLACE_LRU},
		.llc = {4096, 4, 64, REPLACE_LRU},
		.itlb = {2, 2},
		.dtlb = {2, 2},
		.predictor = {.kind = PREDICTOR_GSHARE, .base_bits = 4},
		.dram = {1, 1024},
	};
	static const struct {
		unsigned nr_lines;
		uint64_t hop;
	} rows[] = {{8, L1D}, {12, L1D + L2}, {32, L1D + 30}, {128, L1D + MEMORY + 11}};
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct core_timing t = wide((enum core_kind)kind);
			struct sahm_err err;
			struct functional_pass *f = functional_pass_new(&g, &err);
			unsigned n = rows[i].nr_lines;
			assert_non_null(f);
			begin();
			/* Each line is in another DRAM row than the one before. */
			for (unsigned k = 0; k < 2 * n; k++) {
				struct uop *u = add(INSN_LOAD, 1, 1);
				u->bytes = 8;
				u->address = 0x10000 + k * 17 % n * UINT64_C(64);
			}
			functional_pass_run(f, batch);
			functional_pass_free(f);
			run(&t);
			check("second round", p.at[2 * n - 1].complete - p.at[n - 1].complete, n * rows[i].hop);
		}
}

/* Rounds of latency + 1 where there are more misses than MSHRs. */
static void test_mshrs(void **state)
{
	(void)state;
	enum { MSHRS = 4 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned n = MSHRS; n <= 3 * MSHRS + 1; n++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.mshrs = MSHRS;
			begin();
			for (unsigned k = 0; k < n; k++)
				add_miss(LEVEL_LLC, k, NONE);
			run(&t);
			for (unsigned k = 0; k < n; k++)
				check("fill", p.at[k].complete, p.at[0].issue + L1D + 30 + k / MSHRS * (30 + 1));
		}
}

/* A stream of misses has the bus to itself for a line each, for two where a dirty line leaves. */
static void test_bus(void **state)
{
	(void)state;
	enum { LINE = 20 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned dirty = 0; dirty < 2; dirty++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.line_cycles = LINE;
			begin();
			for (unsigned k = 0; k < 50; k++)
				add_miss(LEVEL_MEMORY, k % 30, NONE)->releases = dirty;
			run(&t);
			for (unsigned k = 0; k < 50; k++)
				check("line", p.at[k].complete,
				      first_issue(kind) + L1D + MEMORY + (uint64_t)k * LINE * (dirty ? 2 : 1));
		}
}

/* When a load that misses to memory can have the bus after an access that issues with it: only an access to memory
 * takes the bus, twice as long if a dirty line leaves. Cycles count from the issue of both. */
static void test_release(void **state)
{
	(void)state;
	enum { LINE = 20 };
	static const struct {
		enum insn_class class;
		enum memory_level level;
		bool releases;
		unsigned bus;
	} rows[] = {
		/* the load's own t is L1D */
		{INSN_LOAD, LEVEL_L2, true, L1D},
		{INSN_LOAD, LEVEL_LLC, true, L1D},
		/* the first load has the bus from L1D on */
		{INSN_LOAD, LEVEL_MEMORY, false, L1D + LINE},
		{INSN_LOAD, LEVEL_MEMORY, true, L1D + 2 * LINE},
		/* a store has it from its issue on */
		{INSN_STORE, LEVEL_L2, true, L1D},
		{INSN_STORE, LEVEL_MEMORY, false, LINE},
		{INSN_STORE, LEVEL_MEMORY, true, 2 * LINE},
	};
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.line_cycles = LINE;
			t.store_fill = FILL_AT_EXECUTE;
			begin();
			struct uop *first = add_access(rows[i].class, rows[i].class == INSN_LOAD ? 1 : NONE);
			first->level = (uint8_t)rows[i].level;
			first->fills = 1;
			first->releases = rows[i].releases;
			add_miss(LEVEL_MEMORY, 2, NONE);
			run(&t);
			check("second", p.at[1].complete, first_issue(kind) + rows[i].bus + MEMORY);
		}
}

/* An access to two lines is one miss: one MSHR, one line on the bus, but two fills. */
static void test_two_lines(void **state)
{
	(void)state;
	enum { LINE = 20 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (uint16_t mshrs = 1; mshrs <= 2; mshrs++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.line_cycles = LINE;
			t.mshrs = mshrs;
			begin();
			add_miss(LEVEL_MEMORY, 1, NONE)->fills = 2;
			add_miss(LEVEL_MEMORY, 2, NONE);
			for (unsigned fill = 1; fill <= 3; fill++)
				add_hit(fill, 2 + fill);
			run(&t);
			uint64_t known = first_issue(kind) + L1D, filled = known + MEMORY;
			/* With two MSHRs it waits for the bus, with one for the fill and a cycle. */
			uint64_t second = (mshrs == 2 ? known + LINE : filled + 1) + MEMORY;
			check("first", p.at[0].complete, filled);
			check("second", p.at[1].complete, second);
			check("last fill", p.at[2].complete, second);
			check("second line", p.at[3].complete, filled);
			check("first line", p.at[4].complete, filled);
		}
}

/* A hit on a line that is on its way waits for it: one that comes a cycle before the data would, or after. */
static void test_fill_in_flight(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (int gap = -1; gap <= 1; gap++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.latency[INSN_MULTIPLY] = (uint16_t)(L2 + gap);
			begin();
			add_miss(LEVEL_L2, 1, NONE);
			add(INSN_MULTIPLY, 2, NONE);
			struct uop *hit = add(INSN_LOAD, 3, 2);
			hit->bytes = 8;
			hit->fill = 1;
			run(&t);
			uint64_t filled = p.at[0].complete, ready = p.at[2].issue + L1D;
			check("order", ready, filled + (uint64_t)(int64_t)gap);
			check("data", p.at[2].complete, gap > 0 ? ready : filled);
		}
}

/* A load from a store in the queue: it has all its bytes there, some, or none. */
static void test_forwarding(void **state)
{
	(void)state;
	enum { NOTHING, PART, ALL, NR };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned what = 0; what < NR; what++) {
			struct core_timing t = wide((enum core_kind)kind);
			begin();
			add(INSN_STORE, NONE, NONE)->bytes = 8;
			struct uop *load = add(INSN_LOAD, 1, NONE);
			load->bytes = 8;
			load->forward = what == NOTHING ? 0 : 1;
			load->covers = what == ALL;
			run(&t);
			if (what == NOTHING) {
				check("independent", p.at[1].issue, p.at[0].issue);
				check("from L1D", p.at[1].complete, p.at[1].issue + L1D);
			} else if (what == ALL) {
				check("after the store", p.at[1].issue, p.at[0].complete);
				check("forwarded", p.at[1].complete, p.at[1].issue + FORWARD);
			} else {
				check("after the drain", p.at[1].issue, p.at[0].drain + 1);
				if (kind == CORE_IN_ORDER)
					check("waits for its data", p.result.stalls[STALL_OPERANDS],
					      p.at[1].issue - p.at[0].issue - 1);
				check("from L1D", p.at[1].complete, p.at[1].issue + L1D);
			}
		}
}

/* A store that has left its queue forwards nothing: it has to be there in the cycle of the load's issue. */
static void test_drained(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned late = 0; late < 2; late++) {
			struct core_timing t = wide((enum core_kind)kind);
			begin();
			add_access(INSN_STORE, NONE);
			add(INSN_MULTIPLY, 1, NONE);
			struct uop *load = add(INSN_LOAD, 2, 1);
			load->bytes = 8;
			load->forward = 1;
			load->covers = true;
			/* From the store's issue to its drain: X, C (in order with X), S. */
			unsigned drains = 1 + (kind == CORE_IN_ORDER ? 0 : COMMIT) + 1;
			t.latency[INSN_MULTIPLY] = (uint16_t)(drains + late);
			run(&t);
			check("drain", p.at[0].drain, first_issue(kind) + drains);
			check("load", p.at[2].issue, p.at[0].drain + late);
			check("data", p.at[2].complete, p.at[2].issue + (late ? L1D : FORWARD));
		}
}

/* `drain_width` stores a cycle, in order: hits, or hits after a store that misses. */
static void test_drain_width(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned misses = 0; misses < 2; misses++)
			for (uint16_t w = 1; w <= 3; w++) {
				struct core_timing t = wide((enum core_kind)kind);
				t.drain_width = w;
				begin();
				for (unsigned k = 0; k < 7; k++)
					add_access(INSN_STORE, NONE);
				if (misses) {
					batch->uops[0].level = LEVEL_MEMORY;
					batch->uops[0].fills = 1;
				}
				run(&t);
				/* All commit together; the line is requested then. */
				uint64_t committed = first_issue(kind) + 1 + (kind == CORE_IN_ORDER ? 0 : COMMIT);
				for (unsigned k = 0; k < 7; k++) {
					check("commit", p.at[k].commit, committed);
					check("drain", p.at[k].drain, committed + (misses ? MEMORY : 1) + k / w);
				}
			}
}

static void test_memory_order(void **state)
{
	(void)state;
	for (unsigned order = 0; order < NR_MEMORY_ORDERS; order++) {
		struct core_timing t = wide(CORE_OUT_OF_ORDER);
		t.memory_order = (uint8_t)order;
		t.latency[INSN_MULTIPLY] = 30;
		begin();
		add(INSN_MULTIPLY, 1, NONE);
		add(INSN_STORE, NONE, 1)->bytes = 8;
		add(INSN_LOAD, 2, NONE)->bytes = 8; /* another address */
		struct uop *load = add(INSN_LOAD, 3, NONE);
		load->bytes = 8;
		load->forward = 1;
		load->covers = true;
		load->pc = 0x2000;
		add(INSN_INTEGER, 4, NONE);
		run(&t);
		uint64_t stored = p.at[1].complete, first = DECODE + DISPATCH;
		check("other address", p.at[2].issue, order == ORDER_CONSERVATIVE ? stored : first);
		check("same address", p.at[3].issue, stored);
		check("violations", p.result.violations, order == ORDER_SPECULATIVE);
		check("fetch after it", p.at[4].fetch,
		      order == ORDER_SPECULATIVE ? p.at[3].complete + FLUSH : p.at[3].fetch);
	}
}

/* A load that has violated the order waits the next time; the table is cleared after a period. */
static void test_violation_table(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	struct timing *m;
	struct timing_result r;
	uint64_t nr = 0;
	t.memory_order = ORDER_SPECULATIVE;
	t.latency[INSN_MULTIPLY] = 30;
	begin();
	add(INSN_MULTIPLY, 1, NONE);
	add(INSN_STORE, NONE, 1)->bytes = 8;
	struct uop *load = add(INSN_LOAD, 3, NONE);
	load->bytes = 8;
	load->forward = 1;
	load->covers = true;
	add(INSN_INTEGER, 2, NONE);
	m = timing_new(&t);
	assert_non_null(m);
	for (; nr + 4 <= VIOLATION_PERIOD; nr += 4)
		timing_batch(m, batch, NULL);
	timing_result(m, &r);
	check("before", r.violations, 1);
	timing_batch(m, batch, NULL);
	timing_result(m, &r);
	check("after", r.violations, 2);
	timing_free(m);
}

static void test_store_fill(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned when = 0; when < NR_STORE_FILLS; when++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.store_fill = (uint8_t)when;
			begin();
			struct uop *store = add_access(INSN_STORE, NONE);
			store->level = LEVEL_MEMORY;
			store->fills = 1;
			run(&t);
			/* An in-order core commits in the cycle of X. */
			uint64_t commit = first_issue(kind) + 1 + (kind == CORE_IN_ORDER ? 0 : COMMIT);
			check("drain", p.at[0].drain, (when == FILL_AT_EXECUTE ? first_issue(kind) : commit) + MEMORY);
		}
}

static void test_tlb(void **state)
{
	(void)state;
	static const uint64_t cycles[NR_TLB_LEVELS] = {0, 6, 40};
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned tlb = 0; tlb < NR_TLB_LEVELS; tlb++) {
			struct core_timing t = wide((enum core_kind)kind);
			begin();
			struct uop *u = add(INSN_LOAD, 1, NONE);
			u->bytes = 8;
			u->tlb = (uint8_t)tlb;
			u->fetch_lines = 1;
			u->fetch_level = LEVEL_L2;
			u->fetch_fills = 1;
			u->fetch_tlb = (uint8_t)tlb;
			run(&t);
			check("fetch", p.at[0].fetch, L2 + cycles[tlb]);
			check("data", p.at[0].complete, p.at[0].issue + cycles[tlb] + L1D);
		}
}

/* A prefetched line can be used from its fill on; it takes an MSHR from those that come later. */
static void test_prefetch(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = wide((enum core_kind)kind);
		t.mshrs = 1;
		begin();
		add_access(INSN_LOAD, 1)->nr_prefetches = 1;
		batch->prefetches[0] = (struct uop_prefetch){.target = PREFETCH_L1D, .level = LEVEL_MEMORY};
		batch->nr_prefetches = 1;
		add_hit(1, 2);
		add_miss(LEVEL_L2, 3, NONE);
		run(&t);
		uint64_t filled = first_issue(kind) + L1D + MEMORY;
		check("trigger", p.at[0].complete, first_issue(kind) + L1D);
		check("hit", p.at[1].complete, filled);
		check("miss", p.at[2].complete, filled + 1 + L2);
	}
}

/* A prefetch takes MSHR and bus (into L1D), only the bus (data from memory into L2 or LLC), or nothing from a load that
 * misses to memory and issues with the load that triggers it. Both want them at L1D after their issue. */
static void test_prefetch_takes(void **state)
{
	(void)state;
	enum { LINE = 20 };
	static const struct {
		struct uop_prefetch prefetch;
		unsigned line_cycles, delay;
	} rows[] = {
		{{.target = PREFETCH_L2, .level = LEVEL_MEMORY}, LINE, LINE},
		{{.target = PREFETCH_LLC, .level = LEVEL_MEMORY}, LINE, LINE},
		{{.target = PREFETCH_L2, .level = LEVEL_MEMORY}, 0, 0},
		{{.target = PREFETCH_L2, .level = LEVEL_LLC}, LINE, 0},
		{{.target = PREFETCH_L2, .level = LEVEL_MEMORY, .is_code = true}, LINE, 0},
		{{.target = PREFETCH_L1I, .level = LEVEL_MEMORY, .is_code = true}, LINE, 0},
		/* the one MSHR, through the fill */
		{{.target = PREFETCH_L1D, .level = LEVEL_L2}, LINE, L2 + 1},
		{{.target = PREFETCH_L1D, .level = LEVEL_MEMORY}, LINE, MEMORY + 1},
		{{.target = PREFETCH_L1D, .level = LEVEL_MEMORY, .row = ROW_CONFLICT}, LINE, MEMORY + 11 + 1},
	};
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.mshrs = 1;
			t.line_cycles = (uint16_t)rows[i].line_cycles;
			begin();
			add_access(INSN_LOAD, 1)->nr_prefetches = 1;
			batch->prefetches[0] = rows[i].prefetch;
			batch->nr_prefetches = 1;
			add_miss(LEVEL_MEMORY, 2, NONE);
			run(&t);
			check("miss", p.at[1].complete, first_issue(kind) + L1D + rows[i].delay + MEMORY);
		}
}

static void test_blocking(void **state)
{
	(void)state;
	static const struct {
		enum insn_class class;
		enum memory_level level;
		enum store_fill when;
		unsigned filled; /* after its issue */
	} rows[] = {
		{INSN_LOAD, LEVEL_L2, FILL_AT_EXECUTE, L1D + L2},
		{INSN_LOAD, LEVEL_MEMORY, FILL_AT_EXECUTE, L1D + MEMORY},
		{INSN_STORE, LEVEL_L2, FILL_AT_EXECUTE, L2},
		{INSN_STORE, LEVEL_MEMORY, FILL_AT_EXECUTE, MEMORY},
		{INSN_STORE, LEVEL_MEMORY, FILL_AT_COMMIT, 1 + MEMORY},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (unsigned blocks = 0; blocks < 2; blocks++) {
			struct core_timing t = wide(CORE_IN_ORDER);
			bool is_load = rows[i].class == INSN_LOAD;
			t.is_blocking = blocks;
			t.store_fill = (uint8_t)rows[i].when;
			begin();
			struct uop *miss = add_access(rows[i].class, is_load ? 1 : NONE);
			miss->level = (uint8_t)rows[i].level;
			miss->fills = 1;
			add(INSN_INTEGER, 2, NONE);
			add(INSN_INTEGER, 3, is_load ? 1 : NONE);
			run(&t);
			uint64_t filled = DECODE + rows[i].filled;
			check("independent", p.at[1].issue, blocks ? filled : DECODE);
			check("user", p.at[2].issue, blocks || is_load ? filled : DECODE);
			check("blocked", p.result.stalls[STALL_BLOCKED] > 0, blocks);
		}
}

/* A hit on a line that is on its way does not block, nor does a load that has its bytes from a store, whatever its
 * level.
 */
static void test_not_blocking(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_IN_ORDER);
	t.is_blocking = true;
	begin();
	add_access(INSN_LOAD, 1)->nr_prefetches = 1;
	batch->prefetches[0] = (struct uop_prefetch){.target = PREFETCH_L1D, .level = LEVEL_MEMORY};
	batch->nr_prefetches = 1;
	add_hit(1, 2);
	add(INSN_INTEGER, 3, NONE);
	add(INSN_INTEGER, 4, 2);
	run(&t);
	check("hit", p.at[1].complete, DECODE + L1D + MEMORY);
	check("independent", p.at[2].issue, DECODE);
	check("user", p.at[3].issue, DECODE + L1D + MEMORY);

	begin();
	add_access(INSN_STORE, NONE);
	struct uop *load = add_miss(LEVEL_MEMORY, 1, NONE);
	load->forward = 1;
	load->covers = true;
	add(INSN_INTEGER, 2, NONE);
	run(&t);
	/* The load issues at the store's X. */
	check("forwarded", p.at[1].complete, DECODE + 1 + FORWARD);
	check("independent", p.at[2].issue, DECODE + 1);
	check("blocked", p.result.stalls[STALL_BLOCKED], 0);
}

TEST_FILE(test_timing_memory)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chase),	       cmocka_unit_test(test_chase_through_caches),
		cmocka_unit_test(test_mshrs),	       cmocka_unit_test(test_bus),
		cmocka_unit_test(test_release),	       cmocka_unit_test(test_two_lines),
		cmocka_unit_test(test_fill_in_flight), cmocka_unit_test(test_forwarding),
		cmocka_unit_test(test_drained),	       cmocka_unit_test(test_drain_width),
		cmocka_unit_test(test_memory_order),   cmocka_unit_test(test_violation_table),
		cmocka_unit_test(test_store_fill),     cmocka_unit_test(test_tlb),
		cmocka_unit_test(test_prefetch),       cmocka_unit_test(test_prefetch_takes),
		cmocka_unit_test(test_blocking),       cmocka_unit_test(test_not_blocking),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
