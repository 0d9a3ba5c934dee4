/* The published graph, computed naively: all vertices and edges in memory, lengths by visiting them. */
#ifndef SAHM_TESTS_REFERENCE_REFGRAPH_H
#define SAHM_TESTS_REFERENCE_REFGRAPH_H

#include "cores/uarch/graph/graph.h"

/* An explicit graph: vertices are numbers, edges lead from one to another. */
struct explicit_graph;

struct explicit_graph *explicit_graph_new(size_t nr_vertices);
void explicit_graph_free(struct explicit_graph *g);
void explicit_graph_edge(struct explicit_graph *g, size_t from, size_t to, int64_t cycles);

/* The length of the longest path to `to`, from any vertex; the graph has no circle. */
int64_t explicit_graph_length(struct explicit_graph *g, size_t to);

/* The length that an algorithm gives insns[nr], whose costs are all in the trace. */
int64_t refgraph_length(const struct graph_config *c, enum graph_algorithm algorithm, const struct graph_insn *insns,
			size_t nr);

#endif
