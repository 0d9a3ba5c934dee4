/* Speed of the published graph: synthetic instructions from memory, and the same from Calipers' text, as ratios against
 * a baseline timed in the same run: summing the bytes of that text. Medians of several runs, one core. */
#include <inttypes.h>
#include <string.h>

#include "cores/uarch/graph/graph.h"
#include "cores/uarch/graph/graph_text.h"
#include "sim/base/array.h"
#include "tests/bench/bench.h"
#include "tests/helper/made_graph.h"

#define NR_INSNS 1000000u

/* Instructions of the program, which loops: text repeats, as that of real programs does. */
#define PROGRAM 4096u

static struct graph_insn *insns;
static struct textbuf text;

/* A program with branches back over a few instructions; one load or store in twenty misses, one branch in 25 is
 * mispredicted. */
static void make_program(void)
{
	static struct graph_insn program[PROGRAM];
	static const struct made_graph_mix mix = {
		.weights = {[GRAPH_INT] = 50,
			    [GRAPH_LOAD] = 25,
			    [GRAPH_STORE] = 10,
			    [GRAPH_BRANCH] = 13,
			    [GRAPH_INT_MUL] = 1,
			    [GRAPH_FP] = 1},
		.nr_registers = 15,
		.max_memory_cycles = 100,
	};
	struct rng r;
	uint64_t pc = 0x10000, at = 0;
	rng_init(&r, 1, "bench", "graph");
	for (size_t i = 0; i < PROGRAM; i++) {
		uint64_t next = pc;
		made_graph_insn(&r, &mix, &next, &program[i]);
		program[i].pc = pc;
		pc += program[i].bytes;
	}
	for (size_t i = 0; i < NR_INSNS; i++) {
		struct graph_insn *insn = &insns[i];
		*insn = program[at];
		bool is_branch = insn->class == GRAPH_BRANCH;
		insn->fetch_cycles = rng_below(&r, 500) == 0 ? 20 : 0;
		insn->mispredicted = is_branch && rng_below(&r, 25) == 0;
		if (insn->loads || insn->stores)
			insn->memory_cycles = rng_below(&r, 20) ? 2 : rng_below(&r, 3) ? 13 : 100;
		uint64_t back = is_branch && rng_below(&r, 2) ? rng_below(&r, 30) : 0;
		at = back > 0 && back <= at ? at - back : (at + 1) % PROGRAM;
		made_graph_write(insn, false, &text);
	}
}

static const struct row {
	const char *name;
	enum graph_algorithm algorithm;
	double required, wanted; /* million instructions per second */
} rows[] = {
	{"in order", GRAPH_ONE_PASS, 10, 25},
	{"out of order, two_pass", GRAPH_TWO_PASS, 3, 8},
	{"out of order, sliding_exact", GRAPH_SLIDING_EXACT, 1, 4},
};

/* The configurations of Calipers' demonstration; all costs are from the trace. */
static void config_for(enum graph_algorithm algorithm, struct graph_config *c)
{
	static const struct graph_config in_order =
						 {
							 .core = GRAPH_IN_ORDER,
							 .fetch_bandwidth = 16,
							 .dispatch_bandwidth = 2,
							 .issue_bandwidth = 2,
							 .commit_bandwidth = 2,
							 .decode_cycles = 2,
							 .dispatch_cycles = 1,
							 .prediction_cycles = 2,
							 .mem_issue_bandwidth = 1,
							 .mem_commit_bandwidth = 1,
							 .max_mem_accesses = 1,
							 .int_alu_count = 2,
							 .int_mul_count = 2,
							 .int_div_count = 2,
							 .fpu_count = 2,
							 .lsu_count = 1,
							 .load_dependent_early_issue = 1,
						 },
					 out_of_order = {
						 .core = GRAPH_OUT_OF_ORDER,
						 .instr_buffer_size = 192,
						 .instr_queue_size = 64,
						 .fetch_bandwidth = 32,
						 .dispatch_bandwidth = 8,
						 .issue_bandwidth = 8,
						 .commit_bandwidth = 8,
						 .decode_cycles = 1,
						 .dispatch_cycles = 3,
						 .execute_to_commit_cycles = 1,
						 .misprediction_penalty = 2,
						 .mem_issue_bandwidth = 8,
						 .mem_commit_bandwidth = 8,
						 .int_alu_count = 6,
						 .int_mul_div_count = 2,
						 .fp_alu_count = 4,
						 .fp_mul_div_count = 2,
						 .lsu_count = 4,
						 .lq_size = 32,
						 .sq_size = 32,
					 };
	*c = algorithm == GRAPH_ONE_PASS ? in_order : out_of_order;
}

static void fail(const struct sahm_err *err)
{
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static double sum_bytes(volatile uint64_t *sink)
{
	double start = now();
	uint64_t sum = 0;
	for (size_t i = 0; i < text.len; i++)
		sum += (unsigned char)text.text[i];
	*sink = sum;
	return now() - start;
}

static double run(const struct row *row, bool from_text, uint64_t *length)
{
	struct graph_config c;
	struct graph *g;
	struct graph_counts counts;
	struct sahm_err err;
	config_for(row->algorithm, &c);
	double start = now();
	if (graph_new(&c, row->algorithm, 1, &g, &err) != SAHM_OK)
		fail(&err);
	if (from_text) {
		struct graph_text *t;
		struct graph_insn insn;
		bool more = true;
		FILE *stream = fmemopen(text.text, text.len, "r");
		if (graph_text_open(stream, "synthetic", &c, &t, &err) != SAHM_OK)
			fail(&err);
		for (;;) {
			if (graph_text_next(t, &insn, &more, &err) != SAHM_OK)
				fail(&err);
			if (!more)
				break;
			if (graph_add(g, &insn, &err) != SAHM_OK)
				fail(&err);
		}
		graph_text_close(t);
		fclose(stream);
	} else {
		for (size_t i = 0; i < NR_INSNS; i++)
			if (graph_add(g, &insns[i], &err) != SAHM_OK)
				fail(&err);
	}
	if (graph_finish(g, &counts, &err) != SAHM_OK)
		fail(&err);
	graph_free(g);
	*length = counts.length;
	return now() - start;
}

int main(void)
{
	volatile uint64_t sink;
	textbuf_init(&text);
	insns = calloc(NR_INSNS, sizeof(*insns));
	if (!insns)
		return 1;
	make_program();
	printf("published graph of %u synthetic instructions, one core (median of %d runs)\n", NR_INSNS, RUNS);
	printf("%-30s %10s %10s %12s %10s %10s %10s\n", "", "MIPS", "of text", "x bytes sum", "required", "wanted",
	       "CPI");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double alone[RUNS], with_text[RUNS], sweep[RUNS];
		uint64_t length = 0, same = 0;
		for (size_t k = 0; k < RUNS; k++) {
			sweep[k] = sum_bytes(&sink);
			alone[k] = run(&rows[i], false, &length);
			with_text[k] = run(&rows[i], true, &same);
			if (same != length)
				return 1;
		}
		double text_s = median(with_text);
		printf("%-30s %10.1f %10.1f %12.1f %10.0f %10.0f %10.3f\n", rows[i].name,
		       NR_INSNS / median(alone) / 1e6, NR_INSNS / text_s / 1e6, text_s / median(sweep),
		       rows[i].required, rows[i].wanted, (double)length / NR_INSNS);
	}
	textbuf_release(&text);
	free(insns);
	return 0;
}
