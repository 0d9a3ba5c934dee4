/* Random instructions of the published graph, and a writer of Calipers' text. */
#ifndef SAHM_TESTS_HELPER_MADE_GRAPH_H
#define SAHM_TESTS_HELPER_MADE_GRAPH_H

#include "cores/uarch/graph/graph_config.h"
#include "cores/uarch/graph/graph_insn.h"
#include "sim/base/rng.h"
#include "sim/base/textbuf.h"

/* How random traces are made. */
struct made_graph_mix {
	unsigned weights[NR_GRAPH_CLASSES]; /* of classes */
	unsigned nr_registers;		    /* of each kind, 1 to 31 */
	unsigned mispredicted_permille;	    /* of branches */
	uint32_t max_memory_cycles;	    /* of one access in ten; others take up to 13 */
};

/* A mix of many branches, loads and a few of everything else. */
void made_graph_mix(struct rng *r, struct made_graph_mix *mix);

/* The next instruction after *pc, which is moved on: one of the text's opcodes, with operands in its places. */
void made_graph_insn(struct rng *r, const struct made_graph_mix *mix, uint64_t *pc, struct graph_insn *out);

/* A random configuration; all costs are from the trace. */
void made_graph_config(struct rng *r, enum graph_core core, struct graph_config *c);

/* One without contention: edges of slots, queues and units never delay anything. */
void made_graph_free_config(struct graph_config *c);

/* Appends the instruction that made_graph_insn() made, with all its lines. Every so often, if `varied`, in another
 * spelling. */
void made_graph_write(const struct graph_insn *insn, bool varied, struct textbuf *out);

#endif
