/* The published graph against a naive one, and by hand. */
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph.h"
#include "cores/uarch/graph/graph_text.h"
#include "tests/helper/made_graph.h"
#include "tests/reference/refgraph.h"

static struct graph_counts run_graph(const struct graph_config *c, enum graph_algorithm algorithm,
				     const struct graph_insn *insns, size_t nr)
{
	struct graph *g = NULL;
	struct graph_counts counts;
	struct sahm_err err = {0};
	assert_int_equal(graph_new(c, algorithm, 1, &g, &err), SAHM_OK);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(graph_add(g, &insns[i], &err), SAHM_OK);
	assert_int_equal(graph_finish(g, &counts, &err), SAHM_OK);
	graph_free(g);
	uint64_t sum = 0;
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++)
		sum += counts.cycles[i];
	assert_int_equal(sum, counts.length);
	assert_int_equal(counts.instructions, nr);
	return counts;
}

static struct graph_insn *draw_insns(struct rng *r, size_t nr)
{
	struct graph_insn *insns = calloc(nr, sizeof(*insns));
	struct made_graph_mix mix;
	uint64_t pc = 0x1000;
	assert_non_null(insns);
	made_graph_mix(r, &mix);
	for (size_t i = 0; i < nr; i++)
		made_graph_insn(r, &mix, &pc, &insns[i]);
	return insns;
}

/* ---- Against the naive graph ---- */

static void test_naive(void **state)
{
	static const enum graph_core cores[NR_GRAPH_ALGORITHMS] = {GRAPH_IN_ORDER, GRAPH_OUT_OF_ORDER,
								   GRAPH_OUT_OF_ORDER};
	static const size_t sizes[] = {1, 2, 50, 300, 1300};
	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct rng r;
		rng_init(&r, seed, "test", "graph");
		size_t nr = sizes[seed % ARRAY_SIZE(sizes)];
		struct graph_insn *insns = draw_insns(&r, nr);
		for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS; a++) {
			struct graph_config c;
			made_graph_config(&r, cores[a], &c);
			struct graph_counts counts = run_graph(&c, (enum graph_algorithm)a, insns, nr);
			int64_t naive = refgraph_length(&c, (enum graph_algorithm)a, insns, nr);
			if (naive != (int64_t)counts.length)
				fail_msg("seed %d, %s, %zu instructions: %d, naive %d", (int)seed,
					 graph_algorithm_name((enum graph_algorithm)a), nr, (int)counts.length,
					 (int)naive);
		}
		free(insns);
	}
}

/* Buffers above READ_STEP: instructions that were not read cannot be scheduled. */
static void test_large_buffer(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 6; seed++) {
		struct rng r;
		struct graph_config c;
		rng_init(&r, seed, "test", "large buffer");
		struct graph_insn *insns = draw_insns(&r, 1900);
		made_graph_config(&r, GRAPH_OUT_OF_ORDER, &c);
		c.instr_buffer_size = 600 + (uint32_t)rng_below(&r, 201);
		struct graph_counts counts = run_graph(&c, GRAPH_SLIDING_EXACT, insns, 1900);
		assert_int_equal(counts.length, refgraph_length(&c, GRAPH_SLIDING_EXACT, insns, 1900));
		counts = run_graph(&c, GRAPH_TWO_PASS, insns, 1900);
		assert_int_equal(counts.length, refgraph_length(&c, GRAPH_TWO_PASS, insns, 1900));
		free(insns);
	}
}

/* Buffers and queues of a few entries: edges end where the buffer does. */
static void test_small_buffer(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct rng r;
		struct graph_config c;
		rng_init(&r, seed, "test", "small buffer");
		struct graph_insn *insns = draw_insns(&r, 60);
		made_graph_config(&r, GRAPH_OUT_OF_ORDER, &c);
		c.instr_buffer_size = 2 + (uint32_t)rng_below(&r, 8);
		c.lq_size = 1 + (uint32_t)rng_below(&r, 4);
		c.sq_size = 1 + (uint32_t)rng_below(&r, 4);
		c.decode_cycles = c.dispatch_cycles = c.execute_to_commit_cycles = 0;
		struct graph_counts counts = run_graph(&c, GRAPH_SLIDING_EXACT, insns, 60);
		assert_int_equal(counts.length, refgraph_length(&c, GRAPH_SLIDING_EXACT, insns, 60));
		counts = run_graph(&c, GRAPH_TWO_PASS, insns, 60);
		assert_int_equal(counts.length, refgraph_length(&c, GRAPH_TWO_PASS, insns, 60));
		free(insns);
	}
}

/* In order, a vertex is never earlier than that of the instruction 400 before, even where a misprediction has ended all
 * other edges from it. */
static void test_window(void **state)
{
	struct rng r;
	struct graph_config c;
	struct graph_insn insns[401] = {{.class = GRAPH_LOAD, .bytes = 4, .loads = true, .memory_cycles = 5000},
					{.class = GRAPH_SYSCALL, .bytes = 4, .mispredicted = true}};
	(void)state;
	for (size_t i = 2; i < ARRAY_SIZE(insns); i++)
		insns[i] = (struct graph_insn){.class = GRAPH_INT, .bytes = 4};
	rng_init(&r, 1, "test", "window");
	made_graph_config(&r, GRAPH_IN_ORDER, &c);
	/* The instruction after the system call, which has no unit, does not wait for the load. */
	c.commit_bandwidth = 8;
	c.mem_commit_bandwidth = 1;
	assert_true(run_graph(&c, GRAPH_ONE_PASS, insns, 400).length < 5000);
	uint64_t length = run_graph(&c, GRAPH_ONE_PASS, insns, 401).length;
	assert_true(length >= 5000);
	assert_int_equal(length, refgraph_length(&c, GRAPH_ONE_PASS, insns, 401));
}

/* ---- The algorithms against each other ---- */

static void test_no_contention(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct rng r;
		struct graph_config c;
		rng_init(&r, seed, "test", "no contention");
		struct graph_insn *insns = draw_insns(&r, 2000);
		/* Slots are taken in turn by the length to E, and divisions wait for their unit: neither occurs here.
		 */
		for (size_t i = 0; i < 2000; i++)
			if (insns[i].class == GRAPH_INT_DIV || insns[i].class == GRAPH_FP_DIV)
				insns[i].class = GRAPH_INT;
		made_graph_free_config(&c);
		uint64_t exact = run_graph(&c, GRAPH_SLIDING_EXACT, insns, 2000).length;
		assert_int_equal(run_graph(&c, GRAPH_TWO_PASS, insns, 2000).length, exact);
		free(insns);
	}
}

static void test_contention(void **state)
{
	double sum = 0, largest = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct rng r;
		struct graph_config c;
		rng_init(&r, seed, "test", "contention");
		struct graph_insn *insns = draw_insns(&r, 3000);
		made_graph_config(&r, GRAPH_OUT_OF_ORDER, &c);
		double exact = (double)run_graph(&c, GRAPH_SLIDING_EXACT, insns, 3000).length;
		double approximate = (double)run_graph(&c, GRAPH_TWO_PASS, insns, 3000).length;
		double difference = 100 * (approximate < exact ? exact - approximate : approximate - exact) / exact;
		sum += difference;
		largest = difference > largest ? difference : largest;
		free(insns);
	}
	print_message(
		"two_pass against sliding_exact, 60 random programs and cores: mean difference %.1f %%, largest %.1f %%\n",
		sum / 60, largest);
	assert_true(largest > 0);
}

/* ---- By hand ---- */

/* The paper's figure 2, which no configuration can express: an explicit graph, as the naive one consists of. Two loads
 * that miss, a multiplication of the first one's result, an addition. */
static int64_t figure_2(int64_t multiply, bool has_two_mshrs, bool is_fused)
{
	enum { F0, E0, M0, C0, F1, E1, M1, C1, F2, E2, M2, C2, F3, E3, M3, C3, NR };
	struct explicit_graph *g = explicit_graph_new(NR);
	unsigned nr_insns = is_fused ? 3 : 4;
	for (unsigned i = 0; i < nr_insns; i++) {
		int64_t execute = i == 2 ? multiply : 1;
		explicit_graph_edge(g, 4 * i + F0, 4 * i + E0, 1);
		explicit_graph_edge(g, 4 * i + E0, 4 * i + M0, execute);
		explicit_graph_edge(g, 4 * i + M0, 4 * i + C0, i < 2 ? 6 : 1);
		if (i == 0)
			continue;
		explicit_graph_edge(g, 4 * i - 4 + F0, 4 * i + F0, 1);
		explicit_graph_edge(g, 4 * i - 4 + C0, 4 * i + C0, 1);
	}
	explicit_graph_edge(g, M0, E2, 6);
	if (!is_fused)
		explicit_graph_edge(g, E2, E3, multiply);
	if (!has_two_mshrs)
		explicit_graph_edge(g, M0, M1, 5);
	int64_t length = explicit_graph_length(g, is_fused ? C2 : C3);
	explicit_graph_free(g);
	return length;
}

static void test_figure_2(void **state)
{
	(void)state;
	assert_int_equal(figure_2(5, false, false), 15);
	assert_int_equal(figure_2(2, false, false), 15);
	assert_int_equal(figure_2(2, true, false), 12);
	assert_int_equal(figure_2(2, true, true), 11);
}

/* The paper's figure 5: three FP operations on one unit. Pipelined they start a cycle after each other, divisions after
 * the latency. */
static void test_one_unit(void **state)
{
	struct graph_config c;
	struct graph_insn insns[3] = {0};
	(void)state;
	made_graph_free_config(&c);
	c.fp_mul_div_count = 1;
	for (unsigned kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < 3; i++)
			insns[i] = (struct graph_insn){.class = kind ? GRAPH_FP_DIV : GRAPH_FP_MUL, .bytes = 4};
		int64_t before = c.decode_cycles + c.dispatch_cycles, after = c.execute_to_commit_cycles;
		int64_t last = kind ? 2 * 12 + 12 : 2 * 1 + 4;
		assert_int_equal(run_graph(&c, GRAPH_SLIDING_EXACT, insns, 3).length, before + last + after);
		assert_int_equal(run_graph(&c, GRAPH_TWO_PASS, insns, 3).length, before + last + after);
	}
}

static void test_circle(void **state)
{
	/* Loads that wait for each other: each issues after the one before it, and takes the entry of a later one. */
	struct graph_config c;
	struct graph *g = NULL;
	struct sahm_err err = {0};
	enum sahm_status status = SAHM_OK;
	struct graph_counts counts;
	(void)state;
	made_graph_free_config(&c);
	c.dcache = (struct graph_cache_config){.source = GRAPH_IDEAL};
	c.mem_issue_bandwidth = 1;
	c.lq_size = 1;
	assert_int_equal(graph_new(&c, GRAPH_SLIDING_EXACT, 1, &g, &err), SAHM_OK);
	for (size_t i = 0; i < 4 && status == SAHM_OK; i++) {
		struct graph_insn in = {
			.class = i % 2 ? GRAPH_LOAD : GRAPH_INT_DIV, .writes = 1, .bytes = 4, .loads = i % 2};
		in.reads[0] = i == 1 ? 1 : 0;
		status = graph_add(g, &in, &err);
	}
	status = status == SAHM_OK ? graph_finish(g, &counts, &err) : status;
	assert_int_equal(status, SAHM_RANGE);
	assert_non_null(strstr(err.msg, "wait for each other in a circle"));
	graph_free(g);
}

/* The demonstration that comes with Calipers. */
static void test_demonstration(void **state)
{
	const char *folder = getenv("SAHM_CALIPERS");
	char path[4096];
	struct graph_config c;
	struct graph_text *t = NULL;
	struct graph *g = NULL;
	struct graph_insn insn;
	struct graph_counts counts;
	struct sahm_err err = {0};
	bool more = true;
	(void)state;
	if (!folder) {
		print_message(
			"SAHM_CALIPERS does not name a folder with Calipers' demo/InO.cfg: its 348 cycles are not checked\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/demo/InO.cfg", folder);
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	assert_int_equal(graph_config_read(stream, path, &c, &err), SAHM_OK);
	fclose(stream);
	snprintf(path, sizeof(path), "%s/demo/sample1.trace", folder);
	stream = fopen(path, "r");
	assert_non_null(stream);
	assert_int_equal(graph_text_open(stream, path, &c, &t, &err), SAHM_OK);
	assert_int_equal(graph_new(&c, GRAPH_ONE_PASS, 1, &g, &err), SAHM_OK);
	while (graph_text_next(t, &insn, &more, &err) == SAHM_OK && more)
		assert_int_equal(graph_add(g, &insn, &err), SAHM_OK);
	assert_false(more);
	assert_int_equal(graph_finish(g, &counts, &err), SAHM_OK);
	assert_int_equal(counts.length, 348);
	graph_free(g);
	graph_text_close(t);
	fclose(stream);
}

/* ---- Paths ---- */

/* More nodes than there is room for: the sums stay those of the same path, however often it is shrunk. */
static void test_shrink(void **state)
{
	struct graph_path p;
	struct graph_vertex a = {0, 0}, b = {0, 0}, *all[] = {&a, &b};
	uint64_t of_a[NR_GRAPH_CAUSES], of_b[NR_GRAPH_CAUSES];
	struct sahm_err err;
	(void)state;
	assert_int_equal(graph_path_init(&p, &err), SAHM_OK);
	for (uint32_t i = 0; i < 3 * GRAPH_PATH_NODES; i++) {
		if (!graph_path_has_room(&p, 2))
			assert_int_equal(graph_path_shrink(&p, all, ARRAY_SIZE(all), &err), SAHM_OK);
		a.node = graph_path_add(&p, a.node, 1 + i % 2, GRAPH_BY_INT);
		if (i % 1000 == 0)
			b.node = graph_path_add(&p, a.node, 7, GRAPH_BY_COMMIT);
	}
	graph_path_sum(&p, a.node, of_a);
	graph_path_sum(&p, b.node, of_b);
	assert_int_equal(of_a[GRAPH_BY_INT], 3 * (uint64_t)GRAPH_PATH_NODES / 2 * 3);
	assert_int_equal(of_a[GRAPH_BY_COMMIT], 0);
	assert_int_equal(of_b[GRAPH_BY_COMMIT], 7);
	graph_path_release(&p);
}

/* ---- Models ---- */

static void test_seeds(void **state)
{
	struct rng r;
	struct graph_config c;
	(void)state;
	rng_init(&r, 1, "test", "seeds");
	struct graph_insn *insns = draw_insns(&r, 3000);
	made_graph_config(&r, GRAPH_OUT_OF_ORDER, &c);
	c.predictor = GRAPH_STATISTICAL;
	c.accuracy_permille = 900;
	c.icache = c.dcache = (struct graph_cache_config){
		.source = GRAPH_STATISTICAL, .hit_permille = {900, 900}, .hit_cycles = {2, 2}, .miss_cycles = {30, 30}};
	c.lq_size = c.sq_size = 100;
	uint64_t lengths[3];
	for (unsigned i = 0; i < 3; i++) {
		struct graph *g = NULL;
		struct graph_counts counts;
		struct sahm_err err;
		assert_int_equal(graph_new(&c, GRAPH_TWO_PASS, i / 2, &g, &err), SAHM_OK);
		for (size_t k = 0; k < 3000; k++)
			assert_int_equal(graph_add(g, &insns[k], &err), SAHM_OK);
		assert_int_equal(graph_finish(g, &counts, &err), SAHM_OK);
		lengths[i] = counts.length;
		graph_free(g);
	}
	assert_int_equal(lengths[0], lengths[1]);
	assert_int_not_equal(lengths[0], lengths[2]);
	free(insns);
}

/* Loads whose addresses depend on each other, by hand: levels of a real cache, a victim, data of an older store. */
static void test_real_cache(void **state)
{
	enum { L1 = 2, L2 = 11, MISS = 60 };
	static const struct {
		uint64_t address;
		uint32_t cycles;
		bool is_store;
	} accesses[] = {
		{0x8000, MISS, false}, {0x8038, L1, false}, {0x8200, MISS, false}, {0x8000, L1, false},
		{0x8400, MISS, false}, /* takes the place of 0x8200, the older one of two ways */
		{0x8000, L1, false},   {0x8200, L2, false}, {0x9000, 0, true},	   {0x9004, 0, false},
	};
	struct graph_config c;
	struct graph_insn insns[ARRAY_SIZE(accesses)];
	int64_t length;
	(void)state;
	made_graph_free_config(&c);
	c.dcache = (struct graph_cache_config){.source = GRAPH_REAL,
					       .hit_cycles = {L1, 1},
					       .l2_hit_cycles = {L2, 1},
					       .miss_cycles = {MISS, 1},
					       .bytes = {1024, 8192},
					       .ways = {2, 4}};
	length = c.decode_cycles + c.dispatch_cycles + c.execute_to_commit_cycles;
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++) {
		insns[i] = (struct graph_insn){.class = accesses[i].is_store ? GRAPH_STORE : GRAPH_LOAD,
					       .bytes = 4,
					       .address = accesses[i].address,
					       .access_bytes = 8,
					       .reads = {5},
					       .writes = accesses[i].is_store ? 0 : 5,
					       .loads = !accesses[i].is_store,
					       .stores = accesses[i].is_store};
		/* One cycle to issue; nothing waits for the store but the load of its bytes, which the next one does
		 * too. */
		length += accesses[i].is_store ? 0 : 1 + accesses[i].cycles;
	}
	assert_int_equal(run_graph(&c, GRAPH_SLIDING_EXACT, insns, ARRAY_SIZE(insns)).length, length);
	assert_int_equal(run_graph(&c, GRAPH_TWO_PASS, insns, ARRAY_SIZE(insns)).length, length);
}

TEST_FILE(test_graph)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_naive),	      cmocka_unit_test(test_large_buffer),
		cmocka_unit_test(test_small_buffer),  cmocka_unit_test(test_window),
		cmocka_unit_test(test_no_contention), cmocka_unit_test(test_contention),
		cmocka_unit_test(test_figure_2),      cmocka_unit_test(test_one_unit),
		cmocka_unit_test(test_circle),	      cmocka_unit_test(test_demonstration),
		cmocka_unit_test(test_shrink),	      cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_real_cache),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
