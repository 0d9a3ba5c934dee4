/* The published dependence graph of a program on a core: the method of Calipers (Golestani et al., ICS 2022,
 * section 3.7), as its released program has it.
 *
 * Each instruction has up to five vertices: fetch F, dispatch D, execution E, memory access M, commit C. Edges between
 * them stand for what must happen before what, with the cycles that it takes. The length of the longest path to the
 * last commit is the program's time. docs/critical-path.md lists all edges.
 *
 * In order, edges lead from older instructions to younger ones, and one pass suffices. Out of order, instructions take
 * issue slots, queue entries and units in the order of their lengths to E, which these edges change.
 * GRAPH_SLIDING_EXACT follows that at once; GRAPH_TWO_PASS orders them by lengths without such edges and propagates new
 * lengths once.
 *
 * Memory does not grow with the trace.
 */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_H

#include "cores/uarch/graph/graph_config.h"
#include "cores/uarch/graph/graph_insn.h"
#include "cores/uarch/graph/graph_path.h"

enum graph_algorithm { GRAPH_ONE_PASS, GRAPH_SLIDING_EXACT, GRAPH_TWO_PASS, NR_GRAPH_ALGORITHMS };

/* "inorder", "sliding_exact", "two_pass" */
const char *graph_algorithm_name(enum graph_algorithm algorithm);

struct graph_counts {
	uint64_t instructions;
	uint64_t length;		    /* cycles of the longest path */
	uint64_t cycles[NR_GRAPH_CAUSES];   /* on it; they add up to `length` */
	uint64_t classes[NR_GRAPH_CLASSES]; /* instructions by class */
	uint64_t branches_mispredicted;
};

struct graph;

/* Begins a graph of a core, with statistical models that draw from `seed`. GRAPH_ONE_PASS is the algorithm of in-order
 * cores, the others are those of out-of-order ones. SAHM_USAGE for another combination, SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status graph_new(const struct graph_config *c, enum graph_algorithm algorithm, uint64_t seed,
			   struct graph **g, struct sahm_err *err);
void graph_free(struct graph *g);

/* Adds the next instruction. SAHM_NOMEM. SAHM_RANGE: with a cache for data, accesses wait for each other in a circle.
 */
enum sahm_status graph_add(struct graph *g, const struct graph_insn *insn, struct sahm_err *err);

/* Completes the graph, to which nothing can be added afterwards. As graph_add(). */
enum sahm_status graph_finish(struct graph *g, struct graph_counts *counts, struct sahm_err *err);

#endif
