/* The dependence graph of a program in EDGE blocks, and its longest path.
 *
 * Source: as in edge_block.h; costs are those of section 6, latencies of operations those of the paper's released
 * out-of-order core. Misses and mispredictions are statistical: each is drawn by a hash of the seed and a number, that
 * of the block (I-cache, prediction) or of the access among loads and stores (D-cache), and equal in all graphs of a
 * seed. Results are synthetic.
 *
 * Vertices are BF and BC of each block (fetch, commit) and E of each instruction (issue). The time of a vertex is the
 * largest of its bounds, and the winner is the last of equal ones in this order.
 *
 * BF: BF of the block before + cycles to fetch that block, and 8 more if this one misses (10 instead of 2). If the last
 * branch of the block before is mispredicted, instead: its E + its latency + 2, or 10 with a miss. Then BC of the block
 * that leaves room for this one + its commit cycles. The first BF is at 0.
 *
 * E: BF + cycles until all fields of the instruction are fetched + decode cycles. Of LOAD, STORE and NULL: BC + commit
 * cycles of the block with the access EDGE_LSQ before. E of each operand's producer + its latency, and 1 if that is in
 * another partition. Of LOAD: E + latency of the youngest older store that overlaps, among the EDGE_LSQ accesses
 * before; it then hits. After that E waits for a unit of its class. In program order, each instruction takes the first
 * cycle in which one is free (if it is not pipelined, for as many cycles as it takes): an older one never waits for a
 * younger one. READ, MOV and NULL take an integer ALU for a cycle.
 *
 * BC: BC of the block before + that block's commit cycles; E of each output + its latency. Two stores and four
 * registers commit per cycle. The length is the last BC + its commit cycles.
 *
 * A block of up to 32 instructions is in one of four partitions, in turn; in a larger one, 32 instructions are.
 *
 * Each vertex keeps the cycles of the longest path to it by cause, so that the path's shares are exact and no graph is
 * stored.
 */
#ifndef SAHM_CORES_UARCH_GRAPH_EDGE_GRAPH_H
#define SAHM_CORES_UARCH_GRAPH_EDGE_GRAPH_H

#include "cores/uarch/graph/edge_block.h"

#define EDGE_MAX_BLOCKS 4u
#define EDGE_PARTITIONS 4u
#define EDGE_HIT_CYCLES 2u
#define EDGE_MISS_CYCLES 10u
#define EDGE_RIGHT_PCT 95u /* predictions */
#define EDGE_ICACHE_PCT 98u
#define EDGE_DCACHE_PCT 90u

/* Only counts. All cycles add up to the length of the path. */
struct edge_path {
	uint64_t insns[NR_EDGE_KINDS]; /* E vertices */
	/* By the kind of the instruction: until its fields are fetched; decode; its latency; waits for a unit. */
	uint64_t fetch[NR_EDGE_KINDS], decode[NR_EDGE_KINDS], execute[NR_EDGE_KINDS], units[NR_EDGE_KINDS];
	uint64_t block_fetch; /* from a block to the next one, and the first fetch after a misprediction */
	uint64_t partition, commit;
};

struct edge_result {
	uint64_t cycles; /* the length */
	uint64_t blocks, mispredictions, icache_misses, dcache_misses;
	struct edge_path path;
};

struct edge_core {
	enum edge_format format;
	uint32_t decode_cycles;
	uint32_t nr_blocks; /* in flight, 1 to EDGE_MAX_BLOCKS */
	uint64_t seed;
};

/* What is drawn, each at its rate. */
enum edge_draw { EDGE_DRAW_PREDICTION, EDGE_DRAW_ICACHE, EDGE_DRAW_DCACHE };

/* Whether number `number` is among the rare ones: mispredicted, or a miss. */
bool edge_draw_is_rare(uint64_t seed, enum edge_draw draw, uint64_t number);

/* Latency of an instruction; of a load that hits. */
unsigned edge_latency(const struct edge_insn *in);

struct edge_graph;

/* NULL when memory is short. */
struct edge_graph *edge_graph_new(const struct edge_core *core);
void edge_graph_free(struct edge_graph *g);

/* The next block. */
void edge_graph_add(struct edge_graph *g, const struct edge_block *b);

/* So far. */
void edge_graph_result(const struct edge_graph *g, struct edge_result *out);

#endif
