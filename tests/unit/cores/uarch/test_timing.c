/* Timing models against cases worked by hand (docs/cores.md): each resource on both sides of its limit. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/timing.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

#define MAX_TIMED 2048u

/* A core in which nothing but operands, latencies and the depth of the pipeline takes time. */
enum { DECODE = 3, DISPATCH = 2, COMMIT = 1, L1D = 4, FORWARD = 5, L2 = 10, MEMORY = 100, REDIRECT = 7, FLUSH = 9 };

static struct core_timing wide(enum core_kind kind)
{
	struct core_timing t = {
		.kind = (uint8_t)kind,
		.fetch_width = MAX_WIDTH,
		.fetch_buffer = MAX_FETCH_BUFFER,
		.icache_cycles = {0, L2, 30, MEMORY},
		.itlb_cycles = {0, 6, 40},
		.btb_miss_cycles = 2,
		.decode_cycles = DECODE,
		.mispredict_cycles = REDIRECT,
		.dispatch_width = MAX_WIDTH,
		.dispatch_cycles = DISPATCH,
		.rob = MAX_ROB,
		.load_queue = MAX_QUEUE_ENTRIES,
		.commit_cycles = COMMIT,
		.flush_cycles = FLUSH,
		.nr_queues = 2,
		.queues = {{"all", MAX_QUEUE_ENTRIES, MAX_WIDTH}, {"fp", MAX_QUEUE_ENTRIES, MAX_WIDTH}},
		.issue_width = MAX_WIDTH,
		.same_cycle_memory = MAX_WIDTH,
		.resolve_cycles = 1,
		.store_queue = MAX_QUEUE_ENTRIES,
		.commit_width = MAX_WIDTH,
		.drain_width = MAX_WIDTH,
		.store_fill = FILL_AT_COMMIT,
		.nr_groups = 3,
		.groups = {{"all", MAX_WIDTH, true, 0}, {"fp", MAX_WIDTH, true, 1}, {"memory", MAX_WIDTH, true, 0}},
		.l1d_cycles = L1D,
		.dtlb_cycles = {0, 6, 40},
		.forward_cycles = FORWARD,
		.data_cycles = {0, L2, 30, MEMORY},
		.row_cycles = {0, 5, 11},
		.mshrs = MAX_MSHRS,
	};
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		t.latency[i] = 1;
	t.group[INSN_FP_ADD] = 1;
	t.group[INSN_LOAD] = t.group[INSN_STORE] = 2;
	return t;
}

/* When the first uop of a program issues: F is 0. */
static uint64_t first_issue(unsigned kind)
{
	return kind == CORE_IN_ORDER ? DECODE : DECODE + DISPATCH;
}

/* What a core did with the program in `batch`. */
struct timed {
	struct uop_stamps at[MAX_TIMED];
	struct timing_result result;
};

static struct timed p;

static void begin(void)
{
	memset(batch, 0, sizeof(*batch));
}

/* Adds an instruction of one uop. */
static struct uop *add(enum insn_class class, unsigned destination, unsigned source)
{
	assert_true(batch->nr < BATCH_UOPS);
	struct uop *u = batch_add(class, 0x1000);
	u->source[0] = (uint8_t)source;
	u->destination = (uint8_t)destination;
	return u;
}

/* A load or store; it hits L1D. */
static struct uop *add_access(enum insn_class class, unsigned destination)
{
	struct uop *u = add(class, destination, NO_REGISTER);
	u->bytes = 8;
	return u;
}

/* A load whose line is the `fill`-th last fill. */
static struct uop *add_hit(unsigned fill, unsigned destination)
{
	struct uop *u = add_access(INSN_LOAD, destination);
	u->fill = (uint8_t)fill;
	return u;
}

/* A load that misses L1D. */
static struct uop *add_miss(enum memory_level level, unsigned destination, unsigned source)
{
	struct uop *u = add(INSN_LOAD, destination, source);
	u->bytes = 8;
	u->level = (uint8_t)level;
	u->fills = 1;
	return u;
}

/* Runs the program in `batch` `times` times in a row. */
static uint64_t run_times(const struct core_timing *t, unsigned times)
{
	struct timing *m = timing_new(t);
	uint64_t counted = 0;
	assert_non_null(m);
	assert_true(times * batch->nr <= MAX_TIMED);
	for (unsigned i = 0; i < times; i++)
		timing_batch(m, batch, p.at + i * batch->nr);
	timing_result(m, &p.result);
	timing_free(m);
	for (unsigned i = 0; i < NR_STALLS; i++)
		counted += p.result.stalls[i];
	assert_int_equal(counted + p.result.busy_cycles, p.result.cycles);
	return p.result.cycles;
}

static uint64_t run(const struct core_timing *t)
{
	return run_times(t, 1);
}

static void check(const char *what, uint64_t value, uint64_t expected)
{
	if (value != expected)
		fail_msg("%s: %llu instead of %llu", what, (unsigned long long)value, (unsigned long long)expected);
}

enum { NONE = NO_REGISTER };

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

/* ---- Memory ---- */

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

/* What a prefetch takes from a load that misses to memory and issues with the load that triggers it: MSHR and bus (into
 * L1D), only the bus (data from memory into L2 or LLC), or nothing. Both want them at L1D after their issue. */
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

/* What does not block: a hit on a line that is on its way, and a load that has its bytes from a store, whatever its
 * level. */
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
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_unit),
		cmocka_unit_test(test_unit_gap),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_queue_order),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_largest_rob),
		cmocka_unit_test(test_fetch_buffer),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_chase),
		cmocka_unit_test(test_mshrs),
		cmocka_unit_test(test_bus),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_two_lines),
		cmocka_unit_test(test_fill_in_flight),
		cmocka_unit_test(test_forwarding),
		cmocka_unit_test(test_drained),
		cmocka_unit_test(test_drain_width),
		cmocka_unit_test(test_memory_order),
		cmocka_unit_test(test_violation_table),
		cmocka_unit_test(test_store_fill),
		cmocka_unit_test(test_tlb),
		cmocka_unit_test(test_prefetch),
		cmocka_unit_test(test_prefetch_takes),
		cmocka_unit_test(test_mispredicted),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_serializing),
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_blocking),
		cmocka_unit_test(test_not_blocking),
		cmocka_unit_test(test_same_cycle_memory),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
