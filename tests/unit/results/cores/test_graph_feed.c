/* The timing models and the published graph on the same uops. */
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/core_model.h"
#include "cores/uarch/timing.h"
#include "results/cores/graph_feed.h"
#include "tests/unit/cores/uarch/drawn.h"

static struct core_model model;
static struct uop_batch batch;

static void read_core(const char *name)
{
	char path[64];
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", name);
	assert_int_equal(core_model_read(path, NULL, 0, "configs/cpus", &model, &err), SAHM_OK);
}

/* Cycles of the timing model, and the graph's length, of the drawn or made program. */
static uint64_t run_both(enum graph_algorithm algorithm, uint64_t *length)
{
	struct graph_config c;
	struct graph *g = NULL;
	struct graph_counts counts;
	struct timing_result result;
	struct sahm_err err;
	struct timing *t = timing_new(&model.timing);
	size_t from = 0, prefetches = 0;
	assert_non_null(t);
	graph_feed_config(&model.timing, &c);
	assert_int_equal(graph_new(&c, algorithm, 1, &g, &err), SAHM_OK);
	struct graph_feed feed = {.timing = &model.timing, .graph = g};
	while (from < program.nr) {
		draw_batch(&batch, BATCH_UOPS / 2, &from, &prefetches);
		timing_batch(t, &batch, NULL);
		assert_int_equal(graph_feed_batch(&feed, &batch, &err), SAHM_OK);
	}
	assert_int_equal(graph_finish(g, &counts, &err), SAHM_OK);
	assert_int_equal(counts.instructions, program.nr);
	timing_result(t, &result);
	graph_free(g);
	timing_free(t);
	*length = counts.length;
	return result.cycles;
}

/* A program without contention takes the same time in both; the timing model counts the last cycle, too. */
static void assert_agree(void)
{
	uint64_t length, cycles = run_both(GRAPH_SLIDING_EXACT, &length);
	assert_int_equal(cycles, length + 1);
	cycles = run_both(GRAPH_TWO_PASS, &length);
	assert_int_equal(cycles, length + 1);
}

static struct uop *add_insn(enum insn_class class, uint8_t from, uint8_t to)
{
	struct uop *u = add_uop(class, 0x1000 + 4 * program.nr, UOP_FIRST | UOP_LAST);
	u->source[0] = from;
	u->destination = to;
	return u;
}

static void begin_program(void)
{
	program.nr = program.nr_prefetches = 0;
}

static void test_chains(void **state)
{
	static const enum insn_class classes[] = {INSN_INTEGER,	    INSN_MULTIPLY, INSN_FP_ADD,
						  INSN_FP_MULTIPLY, INSN_DIVIDE,   INSN_FP_DIVIDE};
	(void)state;
	read_core("gem5-ooo");
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		begin_program();
		for (size_t k = 0; k < 50; k++)
			add_insn(classes[i], 5, 5);
		assert_agree();
	}
}

static void test_load_chains(void **state)
{
	(void)state;
	read_core("gem5-ooo");
	for (unsigned level = LEVEL_L1; level <= LEVEL_MEMORY; level++) {
		if (level == LEVEL_LLC)
			continue; /* this core has none */
		begin_program();
		for (size_t k = 0; k < 50; k++) {
			struct uop *u = add_insn(INSN_LOAD, 5, 5);
			u->bytes = 8;
			u->level = (uint8_t)level;
			u->fills = level > LEVEL_L1;
		}
		assert_agree();
	}
}

static void test_mispredictions(void **state)
{
	(void)state;
	read_core("gem5-ooo");
	begin_program();
	for (size_t k = 0; k < 50; k++) {
		add_insn(INSN_INTEGER, 5, 5);
		add_insn(INSN_BRANCH, 5, NO_REGISTER)->flags |= UOP_BRANCH | UOP_MISPREDICTED | UOP_TAKEN;
	}
	assert_agree();
}

/* Lines that are fetched one by one from L2, and taken branches, for which fetch waits a cycle. */
static void test_fetch(void **state)
{
	(void)state;
	read_core("gem5-ooo");
	begin_program();
	for (size_t k = 0; k < 50; k++) {
		struct uop *u = add_insn(INSN_BRANCH, NO_REGISTER, NO_REGISTER);
		u->flags |= UOP_BRANCH | UOP_TAKEN;
		u->fetch_lines = 1;
		u->fetch_level = k % 2 ? LEVEL_L2 : LEVEL_L1;
		u->fetch_fills = k % 2;
	}
	assert_agree();
}

/* Ideal parts that are rules of the timing models, not keys. */
static void test_ideal(void **state)
{
	(void)state;
	for (enum ideal part = IDEAL_BRANCH; part < NR_IDEALS; part++) {
		if (part != IDEAL_BRANCH && part != IDEAL_L1D && part != IDEAL_VALUE_PREDICTION)
			continue;
		read_core("gem5-ooo");
		core_model_idealize(&model, 1u << part);
		begin_program();
		for (size_t k = 0; k < 50; k++) {
			struct uop *u = add_insn(INSN_LOAD, 5, 5);
			u->bytes = 8;
			u->level = LEVEL_L2;
			u->fills = 1;
			add_insn(INSN_BRANCH, NO_REGISTER, NO_REGISTER)->flags |=
				UOP_BRANCH | UOP_MISPREDICTED | UOP_TAKEN;
		}
		uint64_t length, cycles = run_both(GRAPH_SLIDING_EXACT, &length);
		assert_in_range(length, cycles - 2, cycles + 2);
	}
}

/* Removes what the graph does not model: serialising instructions, lines that are still on their way, waits of loads
 * for stores, prefetches. */
static void simplify(void)
{
	program.nr_prefetches = 0;
	for (size_t i = 0; i < program.nr; i++) {
		struct uop *u = &program.uops[i];
		u->flags &= (uint8_t) ~(UOP_SYSTEM | UOP_FENCE);
		u->fill = u->fetch_fill = u->forward = u->nr_prefetches = 0;
		u->covers = u->releases = false;
	}
}

struct differences {
	double mean, largest; /* in %, without their signs */
};

static struct differences differ(bool is_simple)
{
	struct differences d = {0};
	for (uint64_t seed = 0; seed < 200; seed++) {
		uint64_t length;
		rng = random_of_index(7, seed);
		draw_program(0);
		if (is_simple)
			simplify();
		double cycles = (double)run_both(GRAPH_SLIDING_EXACT, &length);
		double difference = 100 * ((double)length - cycles) / cycles;
		difference = difference < 0 ? -difference : difference;
		d.mean += difference / 200;
		d.largest = difference > d.largest ? difference : d.largest;
	}
	return d;
}

/* Random programs, on a core whose latencies are those of the graph. They are two models: no difference is required,
 * but most of it comes from what only the timing model knows. */
static void test_random(void **state)
{
	(void)state;
	read_core("gem5-ooo");
	struct differences all = differ(false), simple = differ(true);
	print_message(
		"gem5-ooo, 200 random programs: mean difference of the graph to the timing model %.1f %%, largest %.1f %%; without "
		"serialisation, memory order, lines on their way and prefetches %.1f %% and %.1f %%\n",
		all.mean, all.largest, simple.mean, simple.largest);
	assert_true(simple.mean < all.mean / 2);
}

/* Configurations of all shipped cores are within what a graph can have. */
static void test_configs(void **state)
{
	static const char *const cores[] = {"gem5-ooo",	  "gem5-inorder", "golden-cove", "rocket", "boom-giga",
					    "boom-small", "tea",	  "u74",	 "ns-rob"};
	struct sahm_err err;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct graph_config c;
		read_core(cores[i]);
		graph_feed_config(&model.timing, &c);
		assert_int_equal(graph_config_check(&c, &err), SAHM_OK);
		assert_int_equal(c.fetch_bandwidth, model.timing.fetch_width);
		if (c.core == GRAPH_OUT_OF_ORDER)
			assert_int_equal(c.instr_buffer_size, model.timing.rob);
	}
}

TEST_FILE(test_graph_feed)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),	       cmocka_unit_test(test_load_chains),
		cmocka_unit_test(test_mispredictions), cmocka_unit_test(test_fetch),
		cmocka_unit_test(test_ideal),	       cmocka_unit_test(test_random),
		cmocka_unit_test(test_configs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
