/* Critical paths of small programs whose path is known: what the whole graph of tests/reference charges to each cause.
 */
#include <stdlib.h>

#include "tests/reference/refpath.h"
#include "tests/unit/cores/uarch/timed_core.h"

struct share {
	unsigned cause;
	uint64_t cycles;
};

#define LATENCY(class) ((unsigned)PATH_LATENCY + INSN_##class)

/* What each program begins and ends with. */
#define DEPTH                                                                                                          \
	{PATH_DECODE, DECODE}, {PATH_DISPATCH, DISPATCH},                                                              \
	{                                                                                                              \
		PATH_COMMIT, COMMIT + 1                                                                                \
	}
#define IN_ORDER_DEPTH                                                                                                 \
	{PATH_DECODE, DECODE},                                                                                         \
	{                                                                                                              \
		PATH_COMMIT, 1                                                                                         \
	}

/* Of the uops from `first` to before `end`. */
static void walk(const struct core_timing *t, size_t first, size_t end, struct path_counts *counts)
{
	struct refpath *g = refpath_new(t, batch->uops, batch->nr, batch->prefetches);
	assert_non_null(g);
	*counts = (struct path_counts){0};
	assert_true(refpath_walk(g, first, end, counts, NULL));
	refpath_free(g);
}

static void check_shares(const char *what, const struct core_timing *t, const struct path_counts *counts,
			 const struct share *shares, size_t nr)
{
	uint64_t expected[NR_PATH_CAUSES] = {0};
	char name[PATH_CAUSE_NAME_BYTES];
	for (size_t k = 0; k < nr; k++)
		expected[shares[k].cause] += shares[k].cycles;
	for (unsigned k = 0; k < NR_PATH_CAUSES; k++)
		if (counts->cycles[k] != expected[k])
			fail_msg("%s, kind %u, %s: %llu instead of %llu", what, t->kind, path_cause_name(t, k, name),
				 (unsigned long long)counts->cycles[k], (unsigned long long)expected[k]);
}

/* The program in `batch` takes as long as the shares together, on the model too. */
static void check_path(const char *what, const struct core_timing *t, const struct share *shares, size_t nr)
{
	struct path_counts counts;
	uint64_t sum = 0;
	walk(t, 0, batch->nr, &counts);
	check_shares(what, t, &counts, shares, nr);
	for (size_t k = 0; k < nr; k++)
		sum += shares[k].cycles;
	check(what, run(t), sum);
}

#define PATH(what, t, ...)                                                                                             \
	check_path(what, t, (const struct share[]){__VA_ARGS__},                                                       \
		   sizeof((const struct share[]){__VA_ARGS__}) / sizeof(struct share))

static struct uop *add_many(enum insn_class class, unsigned nr)
{
	struct uop *u = NULL;
	for (unsigned k = 0; k < nr; k++)
		u = add(class, NONE, NONE);
	return u;
}

/* A chain of dependent uops takes their latency. */
static void test_chain(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER), i = wide(CORE_IN_ORDER);
	t.latency[INSN_DIVIDE] = i.latency[INSN_DIVIDE] = 20;
	begin();
	for (unsigned k = 0; k < 50; k++)
		add(INSN_DIVIDE, 1, 1);
	PATH("chain", &t, DEPTH, {LATENCY(DIVIDE), 1000});
	PATH("chain", &i, IN_ORDER_DEPTH, {LATENCY(DIVIDE), 1000});
}

/* A pointer chase takes the latency of memory. A window that ends between two loads takes the latter part of an edge.
 */
static void test_pointer_chase(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER), i = wide(CORE_IN_ORDER);
	struct path_counts counts;
	begin();
	for (unsigned k = 0; k < 20; k++)
		add_miss(LEVEL_MEMORY, 1, 1)->row = ROW_CLOSED;
	PATH("chase", &t, DEPTH, {PATH_DATA_L1, 20 * L1D}, {PATH_DATA_MEMORY, 20 * (MEMORY + 5)});
	PATH("chase", &i, IN_ORDER_DEPTH, {PATH_DATA_L1, 20 * L1D}, {PATH_DATA_MEMORY, 20 * (MEMORY + 5)});

	const struct share shares[] = {
		{PATH_COMMIT, COMMIT}, {PATH_DATA_L1, 2 * L1D - COMMIT}, {PATH_DATA_MEMORY, 2 * (MEMORY + 5)}};
	walk(&t, 10, 12, &counts);
	check_shares("window", &t, &counts, shares, ARRAY_SIZE(shares));
}

/* Each round of a loop whose branch is always mispredicted takes from fetch to the branch, and the redirect. The last
 * branch commits with the uop before it, and of equal bounds that one counts. */
static void test_mispredicted_loop(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER), i = wide(CORE_IN_ORDER);
	enum { ROUNDS = 30 };
	begin();
	for (unsigned k = 0; k < ROUNDS; k++) {
		add(INSN_INTEGER, NONE, NONE);
		add(INSN_BRANCH, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	}
	PATH("loop", &t, {PATH_DECODE, ROUNDS * DECODE}, {PATH_DISPATCH, ROUNDS * DISPATCH},
	     {LATENCY(BRANCH), ROUNDS - 1}, {PATH_MISPREDICT, (ROUNDS - 1) * REDIRECT}, {LATENCY(INTEGER), 1},
	     {PATH_COMMIT, COMMIT + 1});
	PATH("loop", &i, {PATH_DECODE, ROUNDS * DECODE}, {PATH_MISPREDICT, (ROUNDS - 1) * (1 + REDIRECT)},
	     {LATENCY(INTEGER), 1}, {PATH_COMMIT, 1});
}

/* Each miss waits for the ROB entry of the one before, with uops between them that need nothing else. */
static void test_rob(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	enum { MISSES = 6 };
	t.rob = 8;
	begin();
	for (unsigned k = 0; k < MISSES; k++) {
		add_miss(LEVEL_MEMORY, NONE, NONE);
		add_many(INSN_INTEGER, 7);
	}
	PATH("rob", &t, {PATH_DECODE, DECODE}, {PATH_DISPATCH, MISSES * DISPATCH}, {PATH_DATA_L1, MISSES * L1D},
	     {PATH_DATA_MEMORY, MISSES * MEMORY}, {PATH_ROB, MISSES - 1}, {PATH_COMMIT, MISSES * COMMIT + 1});
}

/* Independent misses take the time of the bus, twice with a dirty line, or rounds of MSHRs. */
static void test_misses(void **state)
{
	(void)state;
	for (unsigned releases = 0; releases < 2; releases++) {
		struct core_timing t = wide(CORE_OUT_OF_ORDER);
		t.line_cycles = 20;
		begin();
		for (unsigned k = 0; k < 16; k++)
			add_miss(LEVEL_MEMORY, NONE, NONE)->releases = releases;
		PATH("bus", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_BUS, 15 * 20 * (1 + releases)},
		     {PATH_DATA_MEMORY, MEMORY});
	}
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.mshrs = 2;
	begin();
	for (unsigned k = 0; k < 8; k++)
		add_miss(LEVEL_L2, NONE, NONE);
	PATH("mshrs", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_MSHR, 3}, {PATH_DATA_L2, 4 * L2});
}

/* The way of data: a line on its way, the DTLB, a store that forwards or has to leave first, a full store queue. */
static void test_data(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	begin();
	add_miss(LEVEL_MEMORY, NONE, NONE);
	add_hit(1, 1);
	add(INSN_INTEGER, NONE, 1);
	PATH("line on its way", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_DATA_LINE, MEMORY}, {LATENCY(INTEGER), 1});

	begin();
	add_access(INSN_LOAD, 1)->tlb = TLB_WALK;
	PATH("dtlb", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_DTLB, 40});

	for (unsigned covers = 0; covers < 2; covers++) {
		begin();
		add_access(INSN_STORE, NONE);
		struct uop *u = add_access(INSN_LOAD, 1);
		u->forward = 1;
		u->covers = covers;
		if (covers)
			PATH("forwards", &t, DEPTH, {LATENCY(STORE), 1}, {PATH_FORWARD, FORWARD});
		else
			PATH("leaves first", &t, {PATH_DECODE, DECODE}, {PATH_DISPATCH, DISPATCH}, {LATENCY(STORE), 1},
			     {PATH_DRAIN, 1}, {PATH_FORWARD, 1}, {PATH_DATA_L1, L1D}, {PATH_COMMIT, 2 * COMMIT + 1});
	}

	t.store_queue = 1;
	begin();
	add_access(INSN_STORE, NONE);
	add_access(INSN_STORE, NONE);
	PATH("store queue", &t, {PATH_DECODE, DECODE}, {PATH_DISPATCH, 2 * DISPATCH}, {LATENCY(STORE), 2},
	     {PATH_DRAIN, 1}, {PATH_STORE_QUEUE, 1}, {PATH_COMMIT, 2 * COMMIT + 1});
}

/* A load that issues before an older store to its bytes; a system call. */
static void test_flushes(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.memory_order = ORDER_SPECULATIVE;
	t.latency[INSN_DIVIDE] = 20;
	begin();
	add(INSN_DIVIDE, 1, NONE);
	add(INSN_STORE, NONE, 1)->bytes = 8;
	struct uop *u = add_access(INSN_LOAD, 2);
	u->forward = 1;
	u->covers = true;
	add(INSN_INTEGER, NONE, NONE);
	PATH("violation", &t, {PATH_DECODE, 2 * DECODE}, {PATH_DISPATCH, 2 * DISPATCH}, {LATENCY(DIVIDE), 20},
	     {LATENCY(STORE), 1}, {PATH_FORWARD, FORWARD}, {PATH_VIOLATION, FLUSH}, {LATENCY(INTEGER), 1},
	     {PATH_COMMIT, COMMIT + 1});

	begin();
	add(INSN_INTEGER, NONE, NONE);
	add(INSN_SYSTEM, NONE, NONE)->flags |= UOP_SYSTEM;
	add(INSN_INTEGER, NONE, NONE);
	PATH("system call", &t, {PATH_DECODE, 2 * DECODE}, {PATH_DISPATCH, 3 * DISPATCH}, {LATENCY(INTEGER), 2},
	     {LATENCY(SYSTEM), 1}, {PATH_SERIALIZE, 1}, {PATH_SYSTEM, FLUSH}, {PATH_COMMIT, 3 * COMMIT + 1});
}

/* The way of instructions: taken branches, new lines. */
static void test_fetch(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	begin();
	for (unsigned k = 0; k < 10; k++)
		add(INSN_JUMP, NONE, NONE)->flags |= UOP_BRANCH | UOP_TAKEN | UOP_BTB_MISS;
	PATH("branches", &t, DEPTH, {PATH_TAKEN_BRANCH, 9}, {PATH_BTB, 18}, {LATENCY(JUMP), 1});

	begin();
	struct uop *u = add(INSN_INTEGER, NONE, NONE);
	u->fetch_lines = u->fetch_fills = 1;
	u->fetch_level = LEVEL_MEMORY;
	u->fetch_tlb = TLB_SECOND;
	PATH("new line", &t, DEPTH, {PATH_FETCH_MEMORY, MEMORY}, {PATH_ITLB, 6}, {LATENCY(INTEGER), 1});

	/* The first instruction prefetches the line of the second one from memory. */
	begin();
	add(INSN_INTEGER, NONE, NONE)->nr_prefetches = 1;
	batch->prefetches[0] = (struct uop_prefetch){.target = PREFETCH_L1I, .level = LEVEL_MEMORY, .is_code = true};
	u = add(INSN_INTEGER, NONE, NONE);
	u->fetch_lines = u->fetch_fill = 1;
	PATH("prefetched line", &t, DEPTH, {PATH_FETCH_LINE, MEMORY}, {LATENCY(INTEGER), 1});

	t.fetch_buffer = 1;
	begin();
	add_many(INSN_INTEGER, 5);
	PATH("fetch buffer", &t, {PATH_DECODE, 5 * DECODE}, {PATH_DISPATCH, DISPATCH}, {PATH_FETCH_BUFFER, 4},
	     {LATENCY(INTEGER), 1}, {PATH_COMMIT, COMMIT + 1});
}

/* Independent uops wait for a width, for slots, for units or for room in their queue. */
static void test_widths(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.fetch_width = 1;
	begin();
	add_many(INSN_INTEGER, 10);
	PATH("fetch", &t, DEPTH, {PATH_FETCH_WIDTH, 9}, {LATENCY(INTEGER), 1});
	t = wide(CORE_OUT_OF_ORDER);
	t.dispatch_width = 1;
	PATH("dispatch", &t, DEPTH, {PATH_DISPATCH_WIDTH, 9}, {LATENCY(INTEGER), 1});
	t = wide(CORE_OUT_OF_ORDER);
	t.queues[0].issue = 1;
	PATH("issue", &t, DEPTH, {PATH_ISSUE, 9}, {LATENCY(INTEGER), 1});
	t = wide(CORE_OUT_OF_ORDER);
	t.groups[0].units = 1;
	PATH("units", &t, DEPTH, {PATH_UNITS, 9}, {LATENCY(INTEGER), 1});
	t = wide(CORE_OUT_OF_ORDER);
	t.commit_width = 1;
	PATH("commit", &t, DEPTH, {PATH_COMMIT_WIDTH, 9}, {LATENCY(INTEGER), 1});
	t = wide(CORE_IN_ORDER);
	t.issue_width = 1;
	PATH("issue", &t, IN_ORDER_DEPTH, {PATH_ISSUE, 9}, {LATENCY(INTEGER), 1});

	/* Uops that depend on a miss: the last one enters the queue once one of them has issued. */
	t = wide(CORE_OUT_OF_ORDER);
	t.queues[0].entries = 4;
	begin();
	add_miss(LEVEL_MEMORY, 1, NONE);
	for (unsigned k = 0; k < 5; k++)
		add(INSN_INTEGER, NONE, 1);
	PATH("queue", &t, {PATH_DECODE, DECODE}, {PATH_DISPATCH, 2 * DISPATCH}, {PATH_DATA_L1, L1D},
	     {PATH_DATA_MEMORY, MEMORY}, {PATH_QUEUE, 1}, {LATENCY(INTEGER), 1}, {PATH_COMMIT, COMMIT + 1});
}

static void test_blocking(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_IN_ORDER);
	t.is_blocking = true;
	begin();
	add_miss(LEVEL_MEMORY, NONE, NONE);
	add(INSN_INTEGER, NONE, NONE);
	PATH("blocking", &t, IN_ORDER_DEPTH, {PATH_DATA_L1, L1D}, {PATH_DATA_MEMORY, MEMORY}, {LATENCY(INTEGER), 1});
}

/* Of equal bounds the last in the table of docs/critical-path.md counts. */
static void test_ties(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.latency[INSN_MULTIPLY] = t.latency[INSN_DIVIDE] = 3;
	for (unsigned first = 0; first < 2; first++) {
		begin();
		add(first ? INSN_DIVIDE : INSN_MULTIPLY, 1, NONE);
		add(first ? INSN_MULTIPLY : INSN_DIVIDE, 2, NONE);
		add(INSN_INTEGER, NONE, 1)->source[1] = 2;
		PATH("sources", &t, DEPTH, {first ? LATENCY(MULTIPLY) : LATENCY(DIVIDE), 3}, {LATENCY(INTEGER), 1});
	}

	t.btb_miss_cycles = DECODE + DISPATCH + 1 + REDIRECT - 1;
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags |= UOP_BRANCH | UOP_TAKEN | UOP_MISPREDICTED | UOP_BTB_MISS;
	add(INSN_INTEGER, NONE, NONE);
	PATH("taken branch", &t, DEPTH, {PATH_TAKEN_BRANCH, 1}, {PATH_BTB, t.btb_miss_cycles}, {LATENCY(INTEGER), 1});

	/* A hit that ends with the fill. The miss takes one cycle from L2, the hit issues that much later. */
	t.data_cycles[LEVEL_L2] = 1;
	begin();
	add_miss(LEVEL_L2, NONE, NONE);
	add(INSN_INTEGER, 1, NONE);
	add_hit(1, 2)->source[0] = 1;
	add(INSN_INTEGER, NONE, 2);
	PATH("line on its way", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_DATA_LINE, 1}, {LATENCY(INTEGER), 1});

	t.mshrs = 1;
	t.line_cycles = MEMORY + 1;
	begin();
	add_miss(LEVEL_MEMORY, NONE, NONE);
	add_miss(LEVEL_MEMORY, NONE, NONE);
	PATH("bus", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_BUS, MEMORY + 1}, {PATH_DATA_MEMORY, MEMORY});

	/* Two fills end together: the paths of the third and of the fourth miss go through the younger one. */
	t.mshrs = 2;
	t.data_cycles[LEVEL_L2] = t.data_cycles[LEVEL_LLC] = 10;
	for (unsigned nr = 3; nr < 5; nr++) {
		begin();
		add_miss(LEVEL_L2, NONE, NONE);
		for (unsigned k = 1; k < nr; k++)
			add_miss(LEVEL_LLC, k, NONE);
		add(INSN_INTEGER, NONE, nr - 1);
		PATH("mshrs", &t, DEPTH, {PATH_DATA_L1, L1D}, {PATH_DATA_LLC, 10}, {PATH_MSHR, 1}, {PATH_DATA_LLC, 10},
		     {LATENCY(INTEGER), 1});
	}
}

/* The cycles of a path by instruction. */
static void test_instructions(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	struct refpath_sums sums = {0};
	struct path_counts counts = {0};
	t.latency[INSN_DIVIDE] = 20;
	begin();
	for (unsigned k = 0; k < 3; k++)
		add(INSN_DIVIDE, 1, 1)->pc = 0x1000 + 4 * (k % 2);
	add(INSN_BRANCH, NONE, 1)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	batch->uops[3].pc = 0x2000;
	add(INSN_INTEGER, NONE, NONE)->pc = 0x3000;
	static const struct path_edge expected[] = {
		{0x1000, 0x1000, LATENCY(DIVIDE), 40, 2}, {0x1004, 0x1004, LATENCY(DIVIDE), 20, 1},
		{0x2000, 0x3000, PATH_MISPREDICT, 7, 1},  {0x1000, 0x1000, PATH_DECODE, 3, 1},
		{0x3000, 0x3000, PATH_DECODE, 3, 1},	  {0x1000, 0x1000, PATH_DISPATCH, 2, 1},
		{0x3000, 0x3000, PATH_DISPATCH, 2, 1},	  {0x3000, 0x3000, PATH_COMMIT, 2, 2},
		{0x2000, 0x2000, LATENCY(BRANCH), 1, 1},  {0x3000, 0x3000, LATENCY(INTEGER), 1, 1},
	};
	struct refpath *g = refpath_new(&t, batch->uops, batch->nr, batch->prefetches);
	assert_non_null(g);
	assert_true(refpath_walk(g, 0, batch->nr, &counts, &sums));
	refpath_sums_sort(&sums);
	assert_int_equal(sums.nr, ARRAY_SIZE(expected));
	for (size_t k = 0; k < sums.nr; k++) {
		const struct path_edge *a = &sums.list[k], *b = &expected[k];
		if (a->from_pc != b->from_pc || a->to_pc != b->to_pc || a->cause != b->cause ||
		    a->cycles != b->cycles || a->times != b->times)
			fail_msg("edge %zu: from %llx to %llx, cause %u: %llu cycles", k,
				 (unsigned long long)a->from_pc, (unsigned long long)a->to_pc, a->cause,
				 (unsigned long long)a->cycles);
	}
	refpath_free(g);
	free(sums.list);
}

/* The last commit if every uop of `class` took `more` cycles more, by the graph: of one uop here. */
static uint64_t predicted(const struct core_timing *t, enum insn_class class, int64_t more)
{
	struct refpath *g = refpath_new(t, batch->uops, batch->nr, batch->prefetches);
	assert_non_null(g);
	uint64_t *times = calloc(g->nr_vertices, sizeof(*times)), last = 0;
	assert_non_null(times);
	for (size_t v = 0; v < g->nr_vertices; v++)
		if (g->vertices[v].kind == REFPATH_X && batch->uops[g->vertices[v].uop].class == class)
			last = refpath_last_commit(g, g->vertices[v].first, more, times);
	free(times);
	refpath_free(g);
	return last;
}

/* Slots and units stay as they were assigned in the graph; a core with a longer latency assigns them again. It can then
 * take longer than the graph says, or even be faster than before. Here a unit that takes one uop a cycle is all that is
 * scarce. */
static void test_assigned_again(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.group[INSN_MULTIPLY] = 1;
	t.groups[1].units = 1;
	t.latency[INSN_DIVIDE] = 9;
	t.latency[INSN_FP_ADD] = 10;
	t.group[INSN_FP_ADD] = 0;

	/* The division and the second multiplication are the path. The first multiplication is ready one cycle after
	 * the second and leaves the unit to it. If the division takes as long as the addition, both are ready in one
	 * cycle, and the older one goes first. */
	begin();
	add(INSN_FP_ADD, 1, NONE);
	add(INSN_MULTIPLY, NONE, 1);
	add(INSN_DIVIDE, 2, NONE);
	add(INSN_MULTIPLY, 3, 2);
	for (unsigned k = 0; k < 20; k++)
		add(INSN_INTEGER, 3, 3);
	uint64_t before = run(&t);
	assert_int_equal(before, DECODE + DISPATCH + 9 + 1 + 20 + COMMIT + 1);
	assert_int_equal(predicted(&t, INSN_DIVIDE, 1) + 1, before + 1);
	t.latency[INSN_DIVIDE] = 10;
	assert_int_equal(run(&t), before + 2);

	/* Now both multiplications are ready in one cycle, and the second one, on the path, waits for the first. If the
	 * addition before that takes longer, the second one does not wait. */
	assert_int_equal(predicted(&t, INSN_FP_ADD, 1) + 1, before + 2);
	t.latency[INSN_FP_ADD] = 11;
	assert_int_equal(run(&t), before + 1);
}

TEST_FILE(test_critical_path_known)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_pointer_chase),
		cmocka_unit_test(test_mispredicted_loop),
		cmocka_unit_test(test_rob),
		cmocka_unit_test(test_misses),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_flushes),
		cmocka_unit_test(test_fetch),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_blocking),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_assigned_again),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
