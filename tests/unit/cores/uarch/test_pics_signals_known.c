/* Programs of which it is known what a core shows for cycle stacks, cycle by cycle. PCs are 1, 2, 3, ...
 *
 * Where nothing holds an instruction up, it has D = F + 1, E = D + 1, X = E + 1 and C = X + 1 (pair()). */
#include "cores/uarch/pics_signals.h"

#include "tests/unit/compared_pics.h"
#include "tests/unit/cores/uarch/timed_core.h"

#define BIT(signal) (1u << PICS_##signal)
#define MAX_ROWS 16u

struct known {
	uint64_t cycle;
	uint32_t flags;
	/* In the order of the signals. */
	struct {
		uint64_t rob_empty, fetch, dispatch, lsq, head, flush, commit;
	} levels;
};

struct taken {
	struct pics_row rows[MAX_ROWS];
	unsigned nr;
};

static uint64_t take(void *ctx, const struct pics_row *row)
{
	struct taken *taken = ctx;
	assert_true(taken->nr < MAX_ROWS);
	taken->rows[taken->nr++] = *row;
	return UINT64_MAX;
}

static struct pics_counts show(const struct core_timing *t, const struct pics_options *options)
{
	static uint16_t signatures[BATCH_UOPS];
	struct timing *m = timing_new(t);
	struct pics_pass *pass = pics_pass_new(t, options);
	assert_true(m && pass);
	timing_take_signatures(m, signatures);
	timing_batch(m, batch, p.at);
	assert_true(pics_pass_run(pass, batch, p.at, signatures));
	assert_true(pics_pass_end(pass));
	struct pics_counts counts = pics_pass_counts(pass);
	pics_pass_free(pass);
	timing_free(m);
	return counts;
}

static void compare_rows(const struct taken *taken, const struct known *known, unsigned nr)
{
	for (unsigned i = 0; i < nr && i < taken->nr; i++) {
		const struct pics_row *row = &taken->rows[i];
		const uint64_t *levels = (const uint64_t *)&known[i].levels;
		check("cycle", row->cycle, known[i].cycle);
		if (row->flags != known[i].flags)
			fail_msg("cycle %llu: flags %#x, not %#x", (unsigned long long)row->cycle, row->flags,
				 known[i].flags);
		for (unsigned k = PICS_ROB_EMPTY; k < NR_PICS_SIGNALS; k++)
			if (row->values[k] != levels[k - PICS_ROB_EMPTY])
				fail_msg("cycle %llu: %s is %llu, not %llu", (unsigned long long)row->cycle,
					 pics_signal_name((enum pics_signal)k), (unsigned long long)row->values[k],
					 (unsigned long long)levels[k - PICS_ROB_EMPTY]);
	}
	check("rows", taken->nr, nr);
}

/* Of the program in `batch`, whose instructions get their PCs. The slow reference agrees. */
static struct pics_counts check_rows(const struct core_timing *t, const struct known *known, unsigned nr)
{
	struct taken taken = {.nr = 0};
	uint64_t pc = 0;
	for (uint32_t i = 0; i < batch->nr; i++)
		batch->uops[i].pc = pc += batch->uops[i].flags & UOP_FIRST ? 1 : 0;
	struct pics_counts counts =
		show(t, &(struct pics_options){.has_all = true, .asked = UINT64_MAX, .take = take, .ctx = &taken});
	compare_rows(&taken, known, nr);
	struct refpics *slow = refpics_new(t, batch->uops, batch->nr, batch->prefetches, p.at);
	assert_non_null(slow);
	struct compared_pics compared = {.what = "known program", .slow = slow};
	struct pics_options options = compared_pics_options(&compared);
	struct pics_counts again = show(t, &options);
	compare_pics_end(&compared, &again);
	refpics_free(slow);
	return counts;
}

static void test_miss(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},	 {1, 0, {1, 0, 1, 0, 0, 0, 0}},
		{2, 0, {0, 0, 0, 0, 1, 0, 0}},	 {6, BIT(DCACHE) | BIT(LLC), {0, 0, 0, 1, 1, 0, 0}},
		{107, 0, {0, 0, 0, 1, 1, 0, 1}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add_miss(LEVEL_MEMORY, 1, NONE);
	struct pics_counts counts = check_rows(&t, known, ARRAY_SIZE(known));
	check("cycles", counts.cycles, 108);
	check("cycles with events", counts.event_cycles, 1);
}

/* The second store waits until the first has written its line in cycle 104. Its own access is past the last cycle. */
static void test_store_queue(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},
		{1, 0, {1, 0, 1, 0, 0, 0, 0}},
		{2, 0, {0, 0, 2, 0, 1, 0, 0}},
		{4, 0, {0, 0, 2, 0, 1, 0, 1}},
		{5, BIT(SQ_FULL), {1, 0, 2, 0, 1, 0, 0}},
		{6, 0, {1, 0, 2, 1, 1, 0, 0}},
		{106, 0, {0, 0, 0, 1, 2, 0, 0}},
		{108, 0, {0, 0, 0, 1, 2, 0, 2}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.store_queue = 1;
	begin();
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_MEMORY;
	u->fills = 1;
	add_access(INSN_STORE, NONE);
	check_rows(&t, known, ARRAY_SIZE(known));
}

/* Decoding of the second store ends in cycle 20, long after the ROB is empty. */
static void test_store_queue_after_decoding(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},		{1, 0, {1, 2, 1, 0, 0, 0, 0}},
		{2, 0, {0, 2, 0, 0, 1, 0, 0}},		{4, 0, {0, 2, 0, 0, 1, 0, 1}},
		{5, 0, {1, 2, 0, 0, 1, 0, 0}},		{6, 0, {1, 2, 0, 1, 1, 0, 0}},
		{19, BIT(ITLB), {1, 2, 0, 1, 1, 0, 0}}, {20, BIT(SQ_FULL), {1, 0, 2, 1, 1, 0, 0}},
		{106, 0, {0, 0, 0, 1, 2, 0, 0}},	{108, 0, {0, 0, 0, 1, 2, 0, 2}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.store_queue = 1;
	t.itlb_cycles[TLB_WALK] = 19;
	begin();
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_MEMORY;
	u->fills = 1;
	u = add_access(INSN_STORE, NONE);
	u->fetch_lines = 1;
	u->fetch_tlb = TLB_WALK;
	check_rows(&t, known, ARRAY_SIZE(known));
}

static void test_mispredicted(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}}, {1, 0, {1, 2, 1, 0, 0, 0, 0}},
		{2, 0, {0, 2, 0, 0, 1, 0, 0}}, {3, BIT(MISPREDICTED), {0, 2, 0, 0, 1, 1, 0}},
		{4, 0, {0, 2, 0, 0, 1, 1, 1}}, {5, 0, {1, 2, 0, 0, 1, 1, 0}},
		{6, 0, {1, 0, 2, 0, 1, 1, 0}}, {7, 0, {0, 0, 0, 0, 2, 1, 0}},
		{9, 0, {0, 0, 0, 0, 2, 1, 2}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	add(INSN_INTEGER, 1, NONE);
	check_rows(&t, known, ARRAY_SIZE(known));
}

static void test_fence(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},
		{1, 0, {1, 3, 1, 0, 0, 0, 0}},
		{2, 0, {0, 3, 2, 0, 1, 0, 0}},
		{4, 0, {0, 3, 2, 0, 1, 0, 1}},
		{5, 0, {1, 3, 2, 0, 1, 0, 0}},
		{6, 0, {0, 3, 0, 0, 2, 0, 0}},
		{8, BIT(EXCEPTION), {0, 3, 0, 0, 2, 2, 2}},
		{9, 0, {1, 3, 0, 0, 2, 2, 0}},
		{12, 0, {1, 0, 3, 0, 2, 2, 0}},
		{13, 0, {0, 0, 0, 0, 3, 2, 0}},
		{15, 0, {0, 0, 0, 0, 3, 2, 3}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.fence_flushes = true;
	begin();
	add(INSN_INTEGER, 1, NONE);
	add(INSN_FENCE, NONE, NONE)->flags |= UOP_FENCE;
	add(INSN_INTEGER, 1, NONE);
	check_rows(&t, known, ARRAY_SIZE(known));
}

/* Two entries: uops 2 and 4, the third and the fifth. */
static void test_recycle(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},
		{1, 0, {1, 3, 1, 0, 0, 0, 0}},
		{2, 0, {0, 5, 3, 0, 1, 0, 0}},
		{3, 0, {0, 0, 3, 0, 1, 0, 0}},
		{4, 0, {0, 0, 3, 0, 1, 0, 1}},
		{5, BIT(RECYCLE), {1, 0, 3, 0, 2, 0, 0}},
		{6, 0, {0, 0, 5, 0, 3, 0, 0}},
		{8, 0, {0, 0, 5, 0, 3, 0, 3}},
		{9, BIT(RECYCLE), {1, 0, 5, 0, 4, 0, 0}},
		{10, 0, {0, 0, 0, 0, 5, 0, 0}},
		{12, 0, {0, 0, 0, 0, 5, 0, 5}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.rob = 2;
	begin();
	for (unsigned i = 0; i < 5; i++)
		add(INSN_INTEGER, 1 + i, NONE);
	struct pics_counts counts = check_rows(&t, known, ARRAY_SIZE(known));
	check("cycles with events", counts.event_cycles, 0);
}

/* ---- Several events in a cycle ---- */

/* Of two accesses the one that misses is shown; of two that miss the older one; of one instruction both. */
static void test_accesses(void **state)
{
	(void)state;
	static const uint64_t loads[][2] = {{LEVEL_L1, LEVEL_L2}, {LEVEL_L2, LEVEL_L1}, {LEVEL_L2, LEVEL_L2}};
	for (unsigned i = 0; i < ARRAY_SIZE(loads); i++) {
		uint64_t shown = i == 0 ? 2 : 1;
		const struct known known[] = {
			{0, 0, {1, 1, 0, 0, 0, 0, 0}},
			{1, 0, {1, 0, 1, 0, 0, 0, 0}},
			{2, 0, {0, 0, 0, 0, 1, 0, 0}},
			{6, BIT(DCACHE), {0, 0, 0, shown, 1, 0, 0}},
			{i == 0 ? 7 : 12, 0, {0, 0, 0, shown, 1, 0, 1}},
			{i == 0 ? 8 : 0, 0, {0, 0, 0, shown, 2, 0, 0}},
			{12, 0, {0, 0, 0, shown, 2, 0, 2}},
		};
		struct core_timing t = pair(CORE_OUT_OF_ORDER);
		begin();
		for (unsigned k = 0; k < 2; k++) {
			struct uop *u = add_access(INSN_LOAD, 1 + k);
			u->level = (uint8_t)loads[i][k];
			u->fills = u->level != LEVEL_L1;
		}
		struct pics_counts counts = check_rows(&t, known, i == 0 ? 7 : 5);
		check("lost", counts.lost_access, i == 2);
	}
}

static void test_accesses_of_one(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},	{1, 0, {1, 0, 1, 0, 0, 0, 0}},
		{2, 0, {0, 0, 0, 0, 1, 0, 0}},	{6, BIT(DCACHE) | BIT(DTLB), {0, 0, 0, 1, 1, 0, 0}},
		{12, 0, {0, 0, 0, 1, 1, 0, 1}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.dtlb_cycles[TLB_SECOND] = 0;
	begin();
	add_miss(LEVEL_L2, 1, NONE)->flags = UOP_FIRST;
	struct uop *u = add_access(INSN_LOAD, 2);
	u->tlb = TLB_SECOND;
	u->flags = UOP_LAST;
	batch->nr_instructions--;
	struct pics_counts counts = check_rows(&t, known, ARRAY_SIZE(known));
	check("lost", counts.lost_access, 0);
}

/* Misses that take no time do not keep their instructions from being fetched together. */
static void test_fetches(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, BIT(ITLB), {1, 1, 0, 0, 0, 0, 0}},
		{1, 0, {1, 0, 1, 0, 0, 0, 0}},
		{2, 0, {0, 0, 0, 0, 1, 0, 0}},
		{4, 0, {0, 0, 0, 0, 1, 0, 1}},
	};
	struct core_timing t = pair(CORE_OUT_OF_ORDER);
	t.itlb_cycles[TLB_SECOND] = t.icache_cycles[LEVEL_L2] = 0;
	begin();
	struct uop *u = add(INSN_INTEGER, 1, NONE);
	u->fetch_lines = 1;
	u->fetch_tlb = TLB_SECOND;
	u = add(INSN_INTEGER, 2, NONE);
	u->fetch_lines = u->fetch_fills = 1;
	u->fetch_level = LEVEL_L2;
	struct pics_counts counts = check_rows(&t, known, ARRAY_SIZE(known));
	check("lost", counts.lost_fetch, 1);
	check("cycles with events", counts.event_cycles, 1);
}

/* In-order, a branch can resolve before its X. */
static void test_flushes(void **state)
{
	(void)state;
	static const struct known known[] = {
		{0, 0, {1, 1, 0, 0, 0, 0, 0}},
		{1, 0, {1, 2, 1, 0, 0, 0, 0}},
		{2, 0, {0, 0, 2, 0, 1, 0, 0}},
		{3, 0, {0, 0, 0, 0, 1, 0, 0}},
		{4, BIT(MISPREDICTED), {0, 0, 0, 0, 1, 1, 1}},
	};
	struct core_timing t = pair(CORE_IN_ORDER);
	t.resolve_cycles = t.mispredict_cycles = 0;
	t.latency[INSN_BRANCH] = 3;
	t.latency[INSN_JUMP] = 2;
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	add(INSN_JUMP, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	struct pics_counts counts = check_rows(&t, known, ARRAY_SIZE(known));
	check("lost", counts.lost_flush, 1);
}

TEST_FILE(test_pics_signals_known)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_miss),
		cmocka_unit_test(test_store_queue),
		cmocka_unit_test(test_store_queue_after_decoding),
		cmocka_unit_test(test_mispredicted),
		cmocka_unit_test(test_fence),
		cmocka_unit_test(test_recycle),
		cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_accesses_of_one),
		cmocka_unit_test(test_fetches),
		cmocka_unit_test(test_flushes),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
