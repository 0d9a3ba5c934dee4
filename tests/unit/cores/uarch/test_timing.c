/* Timing models against cases worked by hand (docs/cores.md): each resource on both sides of its limit. Those of
 * caches and memory are in test_timing_memory.c. */
#include "tests/unit/cores/uarch/timed_core.h"

/* ---- Chains and widths ---- */

static void test_chain(void **state)
{
	(void)state;
	for (unsigned latency = 1; latency <= 7; latency += 3)
		for (unsigned n = 1; n <= 200; n += 199) {
			struct core_timing o = wide(CORE_OUT_OF_ORDER), i = wide(CORE_IN_ORDER);
			o.latency[INSN_INTEGER] = i.latency[INSN_INTEGER] = (uint16_t)latency;
			begin();
			for (unsigned k = 0; k < n; k++)
				add(INSN_INTEGER, 5, 5);
			check("out of order", run(&o), DECODE + DISPATCH + n * latency + COMMIT + 1);
			check("in order", run(&i), DECODE + n * latency + 1);
		}
}

/* The width of fetch, dispatch, issue, units and commit, one at a time: n independent uops take n / w cycles. */
static void test_widths(void **state)
{
	(void)state;
	enum { FETCHED, DISPATCHED, ISSUED, UNITS, COMMITTED, NR };
	for (unsigned what = 0; what < NR; what++)
		for (uint16_t w = 1; w <= 4; w++)
			for (unsigned n = 12; n <= 13; n++) {
				struct core_timing t = wide(CORE_OUT_OF_ORDER), i = wide(CORE_IN_ORDER);
				uint16_t *limit[NR] = {&t.fetch_width, &t.dispatch_width, &t.queues[0].issue,
						       &t.groups[0].units, &t.commit_width};
				*limit[what] = w;
				i.fetch_width = what == FETCHED ? w : i.fetch_width;
				i.issue_width = what == ISSUED ? w : i.issue_width;
				i.groups[0].units = what == UNITS ? w : i.groups[0].units;
				i.commit_width = what == COMMITTED ? w : i.commit_width;
				begin();
				for (unsigned k = 0; k < n; k++)
					add(INSN_INTEGER, k % 30, NONE);
				uint64_t rounds = (n - 1) / w;
				check("out of order", run(&t), DECODE + DISPATCH + 1 + COMMIT + 1 + rounds);
				check("in order", run(&i), DECODE + 1 + 1 + (what == DISPATCHED ? 0 : rounds));
			}
}

/* Three FP operations of latency 6 on one unit (Calipers paper, figure 5). */
static void test_unit(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned pipelined = 0; pipelined < 2; pipelined++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.groups[1].units = 1;
			t.groups[1].is_pipelined = pipelined;
			t.latency[INSN_FP_ADD] = 6;
			begin();
			for (unsigned k = 0; k < 3; k++)
				add(INSN_FP_ADD, 32 + k, NONE);
			run(&t);
			check("second", p.at[1].issue - p.at[0].issue, pipelined ? 1 : 6);
			check("third", p.at[2].issue - p.at[1].issue, pipelined ? 1 : 6);
		}
}

/* A younger division goes before an older one only where it fits. */
static void test_unit_gap(void **state)
{
	(void)state;
	for (unsigned latency = 20; latency <= 21; latency++) {
		struct core_timing t = wide(CORE_OUT_OF_ORDER);
		t.groups[1].units = 1;
		t.groups[1].is_pipelined = false;
		t.latency[INSN_FP_ADD] = (uint16_t)latency;
		t.latency[INSN_MULTIPLY] = 20;
		begin();
		add(INSN_MULTIPLY, 1, NONE);
		add(INSN_FP_ADD, 32, 1);
		add(INSN_FP_ADD, 33, NONE);
		run(&t);
		check("older", p.at[1].issue, p.at[0].issue + 20);
		check("younger", p.at[2].issue, latency == 20 ? p.at[0].issue : p.at[1].issue + latency);
	}
}

/* ---- Queues ---- */

/* A load that misses, then uops that depend on it: as many as the queue has entries are dispatched. */
static void test_queue(void **state)
{
	(void)state;
	enum { ENTRIES = 5 };
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.queues[1].entries = ENTRIES;
	begin();
	add_miss(LEVEL_MEMORY, 1, NONE);
	for (unsigned k = 0; k <= ENTRIES; k++)
		add(INSN_FP_ADD, 32 + k, 1);
	run(&t);
	uint64_t filled = p.at[0].complete;
	check("last that fits", p.at[ENTRIES].dispatch, DECODE);
	check("its issue", p.at[ENTRIES].issue, filled);
	check("first that does not", p.at[ENTRIES + 1].dispatch, filled + 1);
	check("stalled", p.result.stalls[STALL_QUEUE], filled - DECODE);
}

/* Entries leave in any order: the last ones first here. */
static void test_queue_order(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.queues[1].entries = 2;
	begin();
	add_miss(LEVEL_MEMORY, 1, NONE);
	add(INSN_FP_ADD, 32, 1);
	add(INSN_FP_ADD, 33, NONE);
	add(INSN_FP_ADD, 34, NONE);
	add(INSN_FP_ADD, 35, NONE);
	run(&t);
	check("second", p.at[2].issue, DECODE + DISPATCH);
	check("third", p.at[3].dispatch, p.at[2].issue + 1);
	check("fourth", p.at[4].dispatch, p.at[3].issue + 1);
}

/* ROB, load queue, store queue and registers: entry n frees entry n + entries. */
static void test_held(void **state)
{
	(void)state;
	enum { ROB, LOADS, STORES, INT, FP, NR };
	static const enum stall reason[NR] = {STALL_ROB, STALL_LOAD_QUEUE, STALL_STORE_QUEUE, STALL_INT_REGISTERS,
					      STALL_FP_REGISTERS};
	enum { ENTRIES = 4, UOPS = 1000 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned what = 0; what < NR; what++) {
			struct core_timing t = wide((enum core_kind)kind);
			uint16_t *limit[NR] = {&t.rob, &t.load_queue, &t.store_queue, &t.int_registers,
					       &t.fp_registers};
			if (kind == CORE_IN_ORDER && what != STORES)
				continue;
			*limit[what] = ENTRIES + (what >= INT ? ARCHITECTURAL_REGISTERS : 0);
			begin();
			for (unsigned k = 0; k < UOPS; k++)
				add(what == LOADS    ? INSN_LOAD
				    : what == STORES ? INSN_STORE
				    : what == FP     ? INSN_FP_ADD
						     : INSN_INTEGER,
				    what == STORES ? NONE
				    : what == FP   ? 40
						   : 1,
				    NONE);
			run(&t);
			check("all fit", p.at[ENTRIES - 1].dispatch, DECODE);
			for (unsigned k = ENTRIES; k < UOPS; k++) {
				const struct uop_stamps *before = &p.at[k - ENTRIES];
				check("entry", p.at[k].dispatch, (what == STORES ? before->drain : before->commit) + 1);
				/* A store's I, X, S, and the next D. */
				if (kind == CORE_IN_ORDER)
					check("round", p.at[k].dispatch, DECODE + k / ENTRIES * (uint64_t)(1 + 1 + 1));
			}
			assert_true(p.result.stalls[reason[what]] > 0);
		}
}

/* The largest ROB, whose ring of commits wraps, and one of an entry less: a load that misses holds up the uop that many
 * after it. */
static void test_largest_rob(void **state)
{
	(void)state;
	/* E, L1D, memory, commit. */
	const uint64_t committed = DECODE + DISPATCH + L1D + MEMORY + COMMIT;
	for (unsigned entries = MAX_ROB - 1; entries <= MAX_ROB; entries++) {
		struct core_timing t = wide(CORE_OUT_OF_ORDER);
		t.rob = (uint16_t)entries;
		begin();
		add_miss(LEVEL_MEMORY, 1, NONE);
		for (unsigned k = 1; k < BATCH_UOPS; k++)
			add(INSN_INTEGER, 2, NONE);
		run_times(&t, 2);
		for (unsigned k = 0; k < entries + BATCH_UOPS && k < 2 * BATCH_UOPS; k++)
			check("dispatch", p.at[k].dispatch,
			      k < entries ? DECODE + k / MAX_WIDTH : committed + 1 + (k - entries) / MAX_WIDTH);
	}
}

static void test_fetch_buffer(void **state)
{
	(void)state;
	enum { ENTRIES = 4 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = wide((enum core_kind)kind);
		t.fetch_buffer = ENTRIES;
		begin();
		for (unsigned k = 0; k < 40; k++)
			add(INSN_INTEGER, 1, NONE);
		run(&t);
		for (unsigned k = ENTRIES; k < 40; k++)
			check("fetch", p.at[k].fetch,
			      (kind == CORE_IN_ORDER ? p.at[k - ENTRIES].issue : p.at[k - ENTRIES].dispatch) + 1);
	}
}

/* Slots are known however far ahead they are: beyond any ring of cycles. */
static void test_far(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.latency[INSN_DIVIDE] = MAX_LATENCY;
	t.groups[1].units = 1;
	begin();
	for (unsigned k = 0; k < 3; k++)
		add(INSN_DIVIDE, 1, 1);
	for (unsigned k = 0; k < 200; k++)
		add(INSN_FP_ADD, 33, 1);
	add(INSN_DIVIDE, 2, 1);
	for (unsigned k = 0; k < 20; k++)
		add(INSN_FP_ADD, 33, 2);
	run(&t);
	uint64_t known = DECODE + DISPATCH + 3 * (uint64_t)MAX_LATENCY;
	for (unsigned k = 0; k < 200; k++)
		check("far", p.at[3 + k].issue, known + k);
	for (unsigned k = 0; k < 20; k++)
		check("farther", p.at[204 + k].issue, known + MAX_LATENCY + k);
}

/* Entries held, summed over cycles, through the cycle of their release. With one MSHR the second load's miss begins
 * after the first one's fill, and the store's prefetch after the second one's. */
static void test_occupancy(void **state)
{
	(void)state;
	static const struct timing_result expected[NR_CORE_KINDS] = {
		/* D is 3 for all. E is 5, 5, 19, 5; C 20, 31, 31, 31; S 32. Misses from 9 to 19, 20 to 30, 31 to 41. */
		[CORE_OUT_OF_ORDER] = {.rob_held = 18 + 29 + 29 + 29,
				       .queue_held = {3 + 3 + 3, 17},
				       .load_queue_held = 18 + 29,
				       .store_queue_held = 30,
				       .mshrs_held = 11 + 11 + 11},
		/* D is 3 for all. I is 3, 3, 17, 17; C 17, 28, 28, 28; S 29. Misses from 7 to 17, 18 to 28, 29 to 39.
		 */
		[CORE_IN_ORDER] = {.store_queue_held = 27, .mshrs_held = 11 + 11 + 11},
	};
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = wide((enum core_kind)kind);
		const struct timing_result *e = &expected[kind], *r = &p.result;
		t.mshrs = 1;
		begin();
		add_miss(LEVEL_L2, 1, NONE);
		add_miss(LEVEL_L2, 2, NONE);
		add(INSN_FP_ADD, 32, 1);
		add_access(INSN_STORE, NONE)->nr_prefetches = 1;
		batch->prefetches[0] = (struct uop_prefetch){.target = PREFETCH_L1D, .level = LEVEL_L2};
		batch->nr_prefetches = 1;
		run(&t);
		check("ROB", r->rob_held, e->rob_held);
		check("first queue", r->queue_held[0], e->queue_held[0]);
		check("second queue", r->queue_held[1], e->queue_held[1]);
		check("load queue", r->load_queue_held, e->load_queue_held);
		check("store queue", r->store_queue_held, e->store_queue_held);
		check("MSHRs", r->mshrs_held, e->mshrs_held);
	}
}

/* ---- Fetch ---- */

/* A loop whose branch is always mispredicted: from the fetch of its first uop to the branch's result, and the redirect.
 */
static void test_mispredicted(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (uint16_t resolves = 0; resolves <= 3; resolves++) {
			struct core_timing t = wide((enum core_kind)kind);
			/* Only an in-order core has the first, only an out-of-order one waits for the second. */
			t.resolve_cycles = resolves;
			t.latency[INSN_BRANCH] = 2;
			begin();
			for (unsigned k = 0; k < 100; k++) {
				add(INSN_INTEGER, 1, NONE);
				add(INSN_BRANCH, NONE, 1)->flags |= UOP_BRANCH | UOP_TAKEN | UOP_MISPREDICTED;
			}
			run(&t);
			uint64_t round = kind == CORE_IN_ORDER ? DECODE + 1 + resolves + REDIRECT
							       : DECODE + DISPATCH + 1 + 2 + REDIRECT;
			for (unsigned k = 0; k < 100; k++)
				check("round", p.at[2 * k].fetch, k * round);
		}
}

/* A taken branch ends the fetch group, in its last slot too, and costs more where its target is not known. */
static void test_taken(void **state)
{
	(void)state;
	enum { WIDTH = 4 };
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned slot = 0; slot <= WIDTH; slot++)
			for (unsigned miss = 0; miss < 2; miss++) {
				struct core_timing t = wide((enum core_kind)kind);
				t.fetch_width = WIDTH;
				begin();
				for (unsigned k = 0; k < slot; k++)
					add(INSN_INTEGER, 1, NONE);
				add(INSN_JUMP, NONE, NONE)->flags |= UOP_BRANCH | UOP_TAKEN | (miss ? UOP_BTB_MISS : 0);
				for (unsigned k = 0; k <= WIDTH; k++)
					add(INSN_INTEGER, 1, NONE);
				run(&t);
				uint64_t jump = p.at[slot].fetch;
				check("branch", jump, slot / WIDTH);
				check("target", p.at[slot + 1].fetch, jump + 1 + (miss ? 2 : 0));
				check("its group", p.at[slot + WIDTH].fetch, p.at[slot + 1].fetch);
				check("the next", p.at[slot + WIDTH + 1].fetch, p.at[slot + 1].fetch + 1);
			}
}

/* A line from memory, then a jump to a line that is on its way: its fill comes a cycle after fetch could go on, at the
 * same time, or a cycle before. */
static void test_line(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (int gap = -1; gap <= 1; gap++) {
			struct core_timing t = wide((enum core_kind)kind);
			/* The jump's target is not fetched before 1 + btb_miss_cycles after it. */
			t.btb_miss_cycles = (uint16_t)(L2 - 1 + gap);
			begin();
			struct uop *u = add(INSN_INTEGER, 1, NONE);
			u->fetch_lines = u->fetch_fills = 1;
			u->fetch_level = LEVEL_MEMORY;
			u = add(INSN_JUMP, NONE, NONE);
			u->flags |= UOP_BRANCH | UOP_TAKEN | UOP_BTB_MISS;
			u->nr_prefetches = 1;
			batch->prefetches[0] =
				(struct uop_prefetch){.target = PREFETCH_L1I, .level = LEVEL_L2, .is_code = true};
			batch->nr_prefetches = 1;
			u = add(INSN_INTEGER, 1, NONE);
			u->fetch_lines = 1;
			u->fetch_fill = 1;
			run(&t);
			uint64_t late = gap > 0 ? 1 : 0;
			check("miss", p.at[0].fetch, MEMORY);
			check("same line", p.at[1].fetch, MEMORY);
			check("prefetched line", p.at[2].fetch, MEMORY + L2 + late);
			/* In an in-order core the dispatch is the issue, in the cycle of D. */
			check("stalled", p.result.stalls[STALL_FETCH], MEMORY + DECODE + L2 - 1 + late);
		}
}

static void test_serializing(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned what = 0; what < 3; what++) {
			struct core_timing t = wide((enum core_kind)kind);
			bool serializes = what < 2;
			t.fence_flushes = what == 1;
			t.latency[INSN_MULTIPLY] = 30;
			begin();
			add(INSN_MULTIPLY, 1, NONE);
			add(what == 0 ? INSN_SYSTEM : INSN_FENCE, NONE, NONE)->flags |=
				what == 0 ? UOP_SYSTEM : UOP_FENCE;
			add(INSN_INTEGER, 2, NONE);
			run(&t);
			check("dispatch", p.at[1].dispatch, serializes ? p.at[0].commit + 1 : DECODE);
			check("fetch", p.at[2].fetch, serializes ? p.at[1].commit + FLUSH : 0);
		}
}

/* ---- Reasons of stalls ---- */

/* Two uops of a class, the second of which waits for several things that all end in cycle `end`: the cycles from the
 * first one's dispatch on are charged to the last of them in the list. Queues and units are not among them where they
 * have room by then. */
static void test_ties(void **state)
{
	(void)state;
#define OF(reason) (1u << STALL_##reason)
	static const struct {
		enum core_kind kind;
		enum insn_class class;
		unsigned bounds;
		enum stall charged;
		uint64_t end;
	} rows[] = {
		/* A load that misses: D 3, E 5, X 19, C 20; a store: X 6, C 7, S 8. */
		{CORE_OUT_OF_ORDER, INSN_LOAD, OF(FETCH) | OF(ROB), STALL_ROB, 21},
		{CORE_OUT_OF_ORDER, INSN_LOAD, OF(ROB) | OF(INT_REGISTERS), STALL_INT_REGISTERS, 21},
		{CORE_OUT_OF_ORDER, INSN_LOAD, OF(ROB) | OF(FP_REGISTERS), STALL_FP_REGISTERS, 21},
		{CORE_OUT_OF_ORDER, INSN_LOAD, OF(FP_REGISTERS) | OF(LOAD_QUEUE), STALL_LOAD_QUEUE, 21},
		{CORE_OUT_OF_ORDER, INSN_LOAD, OF(FETCH) | OF(ROB) | OF(LOAD_QUEUE) | OF(SERIALIZE), STALL_SERIALIZE,
		 21},
		{CORE_OUT_OF_ORDER, INSN_STORE, OF(FETCH) | OF(STORE_QUEUE), STALL_STORE_QUEUE, 9},
		{CORE_OUT_OF_ORDER, INSN_LOAD, OF(FETCH) | OF(QUEUE), STALL_FETCH, 6},
		/* I 3, X and C 17; a store: X and C 4, S 5. */
		{CORE_IN_ORDER, INSN_LOAD, OF(FETCH) | OF(SERIALIZE), STALL_SERIALIZE, 18},
		{CORE_IN_ORDER, INSN_STORE, OF(FETCH) | OF(STORE_QUEUE), STALL_STORE_QUEUE, 6},
		{CORE_IN_ORDER, INSN_LOAD, OF(FETCH) | OF(OPERANDS), STALL_OPERANDS, 17},
		{CORE_IN_ORDER, INSN_LOAD, OF(OPERANDS) | OF(BLOCKED), STALL_BLOCKED, 17},
		{CORE_IN_ORDER, INSN_LOAD, OF(FETCH) | OF(BLOCKED), STALL_BLOCKED, 17},
		{CORE_IN_ORDER, INSN_MULTIPLY, OF(OPERANDS) | OF(UNITS), STALL_OPERANDS, 13},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct core_timing t = wide(rows[i].kind);
		unsigned bounds = rows[i].bounds, result = bounds & OF(FP_REGISTERS) ? 33 : 1;
		bool is_store = rows[i].class == INSN_STORE;
		t.icache_cycles[LEVEL_L2] = (uint16_t)(rows[i].end - DECODE);
		t.rob = bounds & OF(ROB) ? 1 : t.rob;
		t.int_registers = bounds & OF(INT_REGISTERS) ? ARCHITECTURAL_REGISTERS + 1 : 0;
		t.fp_registers = bounds & OF(FP_REGISTERS) ? ARCHITECTURAL_REGISTERS + 1 : 0;
		t.load_queue = bounds & OF(LOAD_QUEUE) ? 1 : t.load_queue;
		t.store_queue = bounds & OF(STORE_QUEUE) ? 1 : t.store_queue;
		t.queues[0].entries = bounds & OF(QUEUE) ? 1 : t.queues[0].entries;
		t.is_blocking = bounds & OF(BLOCKED);
		t.groups[0].is_pipelined = !(bounds & OF(UNITS));
		t.groups[0].units = 1;
		t.latency[INSN_MULTIPLY] = 10;
		begin();
		struct uop *first = add(rows[i].class, is_store ? NONE : result, NONE);
		first->level = rows[i].class == INSN_LOAD ? LEVEL_L2 : LEVEL_L1;
		struct uop *second =
			add(rows[i].class, is_store ? NONE : result, bounds & OF(OPERANDS) ? result : NONE);
		second->flags |= bounds & OF(SERIALIZE) ? UOP_SYSTEM : 0;
		second->fetch_lines = bounds & OF(FETCH) ? 1 : 0;
		second->fetch_level = bounds & OF(FETCH) ? LEVEL_L2 : LEVEL_L1;
		run(&t);
		check("end", rows[i].kind == CORE_IN_ORDER ? p.at[1].issue : p.at[1].dispatch, rows[i].end);
		for (unsigned r = 0; r < STALL_END; r++) {
			uint64_t before_first = r == STALL_FETCH ? DECODE : 0;
			uint64_t between = r == rows[i].charged ? rows[i].end - DECODE - 1 : 0;
			if (p.result.stalls[r] != before_first + between)
				fail_msg("row %zu: %s has %d cycles", i, stall_name((enum stall)r),
					 (int)p.result.stalls[r]);
		}
	}
#undef OF
}

/* ---- In order ---- */

static void test_in_order(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_IN_ORDER);
	t.latency[INSN_MULTIPLY] = 5;
	begin();
	add(INSN_MULTIPLY, 1, NONE);
	add(INSN_INTEGER, 2, 1);
	add(INSN_INTEGER, 3, NONE);
	run(&t);
	check("user", p.at[1].issue, p.at[0].issue + 5);
	check("nothing passes it", p.at[2].issue, p.at[1].issue);
	check("stalled", p.result.stalls[STALL_OPERANDS], 4);
}

static void test_same_cycle_memory(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_IN_ORDER);
	t.same_cycle_memory = 2;
	begin();
	for (unsigned k = 0; k < 5; k++)
		add(k % 2 ? INSN_STORE : INSN_LOAD, k % 2 ? NONE : k, NONE);
	run(&t);
	for (unsigned k = 0; k < 5; k++)
		check("access", p.at[k].issue, p.at[0].issue + k / 2);
}

TEST_FILE(test_timing)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),	     cmocka_unit_test(test_widths),
		cmocka_unit_test(test_unit),	     cmocka_unit_test(test_unit_gap),
		cmocka_unit_test(test_queue),	     cmocka_unit_test(test_queue_order),
		cmocka_unit_test(test_held),	     cmocka_unit_test(test_largest_rob),
		cmocka_unit_test(test_occupancy),    cmocka_unit_test(test_ties),
		cmocka_unit_test(test_fetch_buffer), cmocka_unit_test(test_far),
		cmocka_unit_test(test_mispredicted), cmocka_unit_test(test_taken),
		cmocka_unit_test(test_line),	     cmocka_unit_test(test_serializing),
		cmocka_unit_test(test_in_order),     cmocka_unit_test(test_same_cycle_memory),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
