/* Calipers' configurations: what is written is read as it was, and what is wrong is reported by line and key. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_config.h"
#include "tests/helper/made_graph.h"

static enum sahm_status read_text(const char *text, struct graph_config *c, struct sahm_err *err)
{
	FILE *in = text[0] ? fmemopen((void *)(uintptr_t)text, strlen(text), "r") : fopen("/dev/null", "r");
	assert_non_null(in);
	enum sahm_status status = graph_config_read(in, "a.cfg", c, err);
	fclose(in);
	return status;
}

/* ---- Round trips ---- */

static uint32_t below(struct rng *r, uint32_t bound)
{
	return (uint32_t)rng_below(r, bound);
}

static void make_cache(struct rng *r, struct graph_cache_config *c)
{
	*c = (struct graph_cache_config){.source = (enum graph_source)below(r, GRAPH_REAL + 1)};
	for (unsigned i = 0; i < NR_GRAPH_ACCESSES; i++) {
		if (c->source == GRAPH_STATISTICAL)
			c->hit_permille[i] = below(r, 1001);
		if (c->source == GRAPH_REAL)
			c->l2_hit_cycles[i] = below(r, GRAPH_MAX_CYCLES + 1);
		if (c->source == GRAPH_STATISTICAL || c->source == GRAPH_REAL) {
			c->hit_cycles[i] = below(r, 20);
			c->miss_cycles[i] = below(r, GRAPH_MAX_CYCLES + 1);
		}
	}
	for (unsigned level = 0; level < 2 && c->source == GRAPH_REAL; level++) {
		c->ways[level] = 1 + below(r, GRAPH_MAX_WAYS);
		c->bytes[level] = GRAPH_LINE_BYTES * c->ways[level] + below(r, 1u << 20);
	}
}

static void assert_same_cache(const struct graph_cache_config *got, const struct graph_cache_config *want)
{
	assert_int_equal(got->source, want->source);
	assert_memory_equal(got->hit_permille, want->hit_permille, sizeof(got->hit_permille));
	assert_memory_equal(got->hit_cycles, want->hit_cycles, sizeof(got->hit_cycles));
	assert_memory_equal(got->l2_hit_cycles, want->l2_hit_cycles, sizeof(got->l2_hit_cycles));
	assert_memory_equal(got->miss_cycles, want->miss_cycles, sizeof(got->miss_cycles));
	assert_memory_equal(got->bytes, want->bytes, sizeof(got->bytes));
	assert_memory_equal(got->ways, want->ways, sizeof(got->ways));
}

/* Keys of the other core are not written. */
static void assert_same(const struct graph_config *got, const struct graph_config *want)
{
	enum { IN_ORDER = 1 << GRAPH_IN_ORDER, OUT_OF_ORDER = 1 << GRAPH_OUT_OF_ORDER, BOTH = 3 };
	assert_int_equal(got->core, want->core);
	assert_int_equal(got->predictor, want->predictor);
	assert_int_equal(got->accuracy_permille, want->accuracy_permille);
	assert_same_cache(&got->icache, &want->icache);
	assert_same_cache(&got->dcache, &want->dcache);
#define GRAPH_KEY(member, name, cores, minimum, maximum)                                                               \
	assert_int_equal(got->member, (cores)&1 << want->core ? want->member : 0);
#include "cores/uarch/graph/graph_key_list.h"
#undef GRAPH_KEY
}

static void test_round_trip(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct rng r;
		struct graph_config c, again;
		struct textbuf text;
		struct sahm_err err = {0};
		rng_init(&r, seed, "test", "graph config");
		made_graph_config(&r, seed % 3 ? GRAPH_OUT_OF_ORDER : GRAPH_IN_ORDER, &c);
		if (c.core == GRAPH_OUT_OF_ORDER) {
			c.predictor = below(&r, 2) ? GRAPH_STATISTICAL : GRAPH_TRACE;
			c.accuracy_permille = c.predictor == GRAPH_STATISTICAL ? below(&r, 1001) : 0;
			make_cache(&r, &c.icache);
			make_cache(&r, &c.dcache);
		}
		assert_int_equal(graph_config_check(&c, &err), SAHM_OK);
		textbuf_init(&text);
		graph_config_write(&c, &text);
		if (read_text(text.text, &again, &err) != SAHM_OK)
			fail_msg("seed %d: %s\n%s", (int)seed, err.msg, text.text);
		assert_same(&again, &c);
		textbuf_release(&text);
	}
}

/* ---- Files with one change ---- */

static const char *const in_order = "ISA RISC-V\n"
				    "Core InO\n"
				    "Branch_Predictor TraceB\n"
				    "I_Cache TraceC\n"
				    "D_Cache TraceC\n"
				    "Fetch_Bandwidth 2\n"
				    "Dispatch_Bandwidth 2\n"
				    "Issue_Bandwidth 2\n"
				    "Commit_Bandwidth 2\n"
				    "Decode_Cycles 2\n"
				    "Dispatch_Cycles 1\n"
				    "Execute_To_Commit_Cycles 1\n"
				    "Prediction_Cycles 1\n"
				    "Misprediction_Penalty 3\n"
				    "Mem_Issue_Bandwidth 1\n"
				    "Mem_Commit_Bandwidth 1\n"
				    "Int_ALU_Count 2\n"
				    "LSU_Count 1\n"
				    "Max_Mem_Accesses 2\n"
				    "Int_Mul_Count 1\n"
				    "Int_Div_Count 1\n"
				    "FPU_Count 1\n"
				    "Load_Dependent_Early_Issue 1\n"
				    "Load_Early_Issue 0\n";

static const char *const out_of_order = "ISA RISC-V\n"
					"Core OoO\n"
					"Branch_Predictor StatisticalB\n"
					"Branch_Predictor_Config 97.5:1\n"
					"I_Cache StatisticalC\n"
					"I_Cache_Config 99.99:1:10:100:2:20\n"
					"D_Cache RealC\n"
					"D_Cache_Config 1024:2:8192:4:2:10:60:1:9:50\n"
					"Fetch_Bandwidth 2\n"
					"Dispatch_Bandwidth 2\n"
					"Issue_Bandwidth 2\n"
					"Commit_Bandwidth 2\n"
					"Decode_Cycles 2\n"
					"Dispatch_Cycles 1\n"
					"Execute_To_Commit_Cycles 1\n"
					"Prediction_Cycles 1\n"
					"Misprediction_Penalty 3\n"
					"Mem_Issue_Bandwidth 4\n"
					"Mem_Commit_Bandwidth 1\n"
					"Int_ALU_Count 2\n"
					"LSU_Count 1\n"
					"Instr_Buffer_Size 40\n"
					"Instr_Queue_Size 16\n"
					"Int_Mul_Div_Count 1\n"
					"FP_ALU_Count 1\n"
					"FP_Mul_Div_Count 1\n"
					"LQ_Size 3\n"
					"SQ_Size 1\n";

/* The text with the line `before`, which must be there, replaced by `after`; the caller frees it. */
static char *changed(const char *text, const char *before, const char *after)
{
	char line[200];
	snprintf(line, sizeof(line), "%s\n", before);
	const char *at = strstr(text, line);
	size_t room = strlen(text) + strlen(after) + 1;
	char *made = malloc(room);
	if (!at || !made) {
		free(made);
		fail_msg("no line '%s'", before);
	}
	snprintf(made, room, "%.*s%s%s", (int)(at - text), text, after, at + strlen(line));
	return made;
}

static void test_refused(void **state)
{
	static const struct row {
		const char *name;
		const char *const *text;
		const char *before, *after, *message;
	} rows[] = {
		{"unknown key", &in_order, "FPU_Count 1", "FPU_Counts 1\n",
		 "a.cfg:22: unknown key 'FPU_Counts'; did you mean 'FPU_Count'?"},
		{"case of a key", &in_order, "ISA RISC-V", "isa RISC-V\n",
		 "a.cfg:1: unknown key 'isa'; did you mean 'ISA'?"},
		{"nothing like a key", &in_order, "ISA RISC-V", "[cores]\n", "a.cfg:1: unknown key '[cores]'"},
		{"missing key", &in_order, "FPU_Count 1", "", "a.cfg: 'FPU_Count' is missing"},
		{"missing key of the other core", &out_of_order, "LQ_Size 3", "Max_Mem_Accesses 2\n",
		 "a.cfg: 'LQ_Size' is missing"},
		{"missing word", &in_order, "Core InO", "", "a.cfg: 'Core' is missing"},
		{"missing list", &out_of_order, "Branch_Predictor_Config 97.5:1", "",
		 "a.cfg: 'Branch_Predictor_Config' is missing"},
		{"missing list of a cache", &out_of_order, "D_Cache_Config 1024:2:8192:4:2:10:60:1:9:50", "",
		 "a.cfg: 'D_Cache_Config' is missing"},
		{"number twice", &in_order, "FPU_Count 1", "FPU_Count 1\n\nFPU_Count 1\n",
		 "a.cfg:24: 'FPU_Count' was given in line 22 already"},
		{"word twice", &in_order, "Core InO", "Core InO\nCore OoO\n",
		 "a.cfg:3: 'Core' was given in line 2 already"},
		{"no value", &in_order, "FPU_Count 1", "FPU_Count\n", "a.cfg:22: 'FPU_Count' has no value"},
		{"comment for a value", &in_order, "FPU_Count 1", "FPU_Count # 1\n",
		 "a.cfg:22: 'FPU_Count' has no value"},
		{"equals sign", &in_order, "FPU_Count 1", "FPU_Count = 1\n",
		 "a.cfg:22: FPU_Count is '=', must be a whole number from 1 to 256"},
		{"below the minimum", &in_order, "FPU_Count 1", "FPU_Count 0\n",
		 "a.cfg:22: FPU_Count is '0', must be a whole number from 1 to 256"},
		{"above the maximum", &out_of_order, "LQ_Size 3", "LQ_Size 401\n",
		 "a.cfg:27: LQ_Size is '401', must be a whole number from 1 to 400"},
		{"fraction", &in_order, "FPU_Count 1", "FPU_Count 1.5\n",
		 "a.cfg:22: FPU_Count is '1.5', must be a whole number from 1 to 256"},
		{"beyond 64 bits", &in_order, "FPU_Count 1", "FPU_Count 18446744073709551617\n",
		 "a.cfg:22: FPU_Count is '18446744073709551617', must be a whole number from 1 to 256"},
		{"key of the other core", &in_order, "FPU_Count 1", "FPU_Count 1\nLQ_Size x\n",
		 "a.cfg:23: LQ_Size is 'x', must be a whole number from 1 to 400"},
		{"unknown ISA", &in_order, "ISA RISC-V", "ISA ARM\n", "a.cfg:1: ISA is 'ARM', must be RISC-V"},
		{"unknown core", &in_order, "Core InO", "Core Ino\n",
		 "a.cfg:2: Core is 'Ino', must be one of InO, OoO; did you mean 'InO'?"},
		{"unknown predictor", &in_order, "Branch_Predictor TraceB", "Branch_Predictor TraceC\n",
		 "a.cfg:3: Branch_Predictor is 'TraceC', must be one of TraceB, StatisticalB; did you mean 'TraceB'?"},
		{"unknown cache", &in_order, "I_Cache TraceC", "I_Cache Perfect\n",
		 "a.cfg:4: I_Cache is 'Perfect', must be one of TraceC, IdealC, StatisticalC, RealC"},
		{"models in order", &in_order, "I_Cache TraceC", "I_Cache IdealC\n",
		 "a.cfg: the in-order core takes mispredictions and cycles from the trace: Branch_Predictor TraceB, I_Cache "
		 "TraceC, D_Cache TraceC"},
		{"too few parts", &out_of_order, "Branch_Predictor_Config 97.5:1", "Branch_Predictor_Config 97.5\n",
		 "a.cfg:4: Branch_Predictor_Config is '97.5', must be 2 numbers with ':' between"},
		{"too many parts", &out_of_order, "Branch_Predictor_Config 97.5:1",
		 "Branch_Predictor_Config 97.5:1:2\n",
		 "a.cfg:4: Branch_Predictor_Config is '97.5:1:2', must be 2 numbers with ':' between"},
		{"too few parts of a real cache", &out_of_order, "D_Cache_Config 1024:2:8192:4:2:10:60:1:9:50",
		 "D_Cache_Config 1024:2:8192:4:2:10:60:1:9\n",
		 "a.cfg:8: D_Cache_Config is '1024:2:8192:4:2:10:60:1:9', must be 10 numbers with ':' between"},
		{"empty part", &out_of_order, "Branch_Predictor_Config 97.5:1", "Branch_Predictor_Config :1\n",
		 "a.cfg:4: the accuracy in Branch_Predictor_Config is '', must be a number from 0 to 100"},
		{"accuracy above 100", &out_of_order, "Branch_Predictor_Config 97.5:1",
		 "Branch_Predictor_Config 100.1:1\n",
		 "a.cfg:4: the accuracy in Branch_Predictor_Config is '100.1', must be a number from 0 to 100"},
		{"negative accuracy", &out_of_order, "Branch_Predictor_Config 97.5:1", "Branch_Predictor_Config -1:1\n",
		 "a.cfg:4: the accuracy in Branch_Predictor_Config is '-1', must be a number from 0 to 100"},
		{"word in a list", &out_of_order, "I_Cache_Config 99.99:1:10:100:2:20",
		 "I_Cache_Config 99.99:1:10:all:2:20\n",
		 "a.cfg:6: the hit rate of stores in I_Cache_Config is 'all', must be a number from 0 to 100"},
		{"cycles above the maximum", &out_of_order, "I_Cache_Config 99.99:1:10:100:2:20",
		 "I_Cache_Config 99.99:1:1000000001:100:2:20\n",
		 "a.cfg:6: the miss cycles of loads in I_Cache_Config is '1000000001', must be a whole number from 0 to "
		 "1000000000"},
		{"too many ways", &out_of_order, "D_Cache_Config 1024:2:8192:4:2:10:60:1:9:50",
		 "D_Cache_Config 1024:2:8192:17:2:10:60:1:9:50\n",
		 "a.cfg:8: the L2 associativity in D_Cache_Config is '17', must be a whole number from 1 to 16"},
		{"less than a line in each way", &out_of_order, "D_Cache_Config 1024:2:8192:4:2:10:60:1:9:50",
		 "D_Cache_Config 127:2:8192:4:2:10:60:1:9:50\n",
		 "a.cfg:8: the L1 size in D_Cache_Config has no room for a line of 64 bytes in each way"},
		{"issue above the queues", &out_of_order, "Mem_Issue_Bandwidth 4", "Mem_Issue_Bandwidth 5\n",
		 "a.cfg: Mem_Issue_Bandwidth is 5, above LQ_Size and SQ_Size together"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct graph_config c;
		struct sahm_err err = {0};
		char *text = changed(*rows[i].text, rows[i].before, rows[i].after);
		enum sahm_status status = read_text(text, &c, &err);
		free(text);
		if (status != SAHM_FORMAT || strcmp(err.msg, rows[i].message) != 0)
			fail_msg("%s:\n got '%s'\nwant '%s'", rows[i].name, err.msg, rows[i].message);
	}
	struct graph_config c;
	struct sahm_err err = {0};
	assert_int_equal(read_text("", &c, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "a.cfg: 'ISA' is missing");
}

/* Comments, empty lines, blanks, ends of lines of DOS, what follows a value, lists that nothing needs. */
static void test_accepted(void **state)
{
	struct graph_config c, plain;
	struct sahm_err err = {0};
	(void)state;
	assert_int_equal(read_text(in_order, &plain, &err), SAHM_OK);
	char *text = changed(in_order, "FPU_Count 1",
			     "# FPU_Count 2\n\n \t FPU_Count \t 1\r\n\t#\nI_Cache_Config none\nLQ_Size 4\n");
	char *more = changed(text, "Core InO", "Core InO # in order\n");
	assert_int_equal(read_text(more, &c, &err), SAHM_OK);
	free(more);
	free(text);
	assert_int_equal(c.lq_size, 4);
	c.lq_size = 0;
	assert_same(&c, &plain);
}

/* Percentages are rounded up to a tenth. */
static void test_percentages(void **state)
{
	struct graph_config c;
	struct sahm_err err = {0};
	(void)state;
	assert_int_equal(read_text(out_of_order, &c, &err), SAHM_OK);
	assert_int_equal(c.accuracy_permille, 975);
	assert_int_equal(c.icache.hit_permille[GRAPH_LOADS], 1000);
	assert_int_equal(c.icache.hit_permille[GRAPH_STORES], 1000);
	char *text = changed(out_of_order, "Branch_Predictor_Config 97.5:1", "Branch_Predictor_Config 97.41:1\n");
	assert_int_equal(read_text(text, &c, &err), SAHM_OK);
	free(text);
	assert_int_equal(c.accuracy_permille, 975);
	assert_int_equal(c.dcache.bytes[1], 8192);
	assert_int_equal(c.dcache.l2_hit_cycles[GRAPH_STORES], 9);
}

TEST_FILE(test_graph_config)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_percentages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
