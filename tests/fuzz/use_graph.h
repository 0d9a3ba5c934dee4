/* Graphs of fuzzed configurations and instructions: cycles by cause add up to the length, with every algorithm. */
#ifndef SAHM_TESTS_FUZZ_USE_GRAPH_H
#define SAHM_TESTS_FUZZ_USE_GRAPH_H

#include "cores/uarch/graph/graph.h"
#include "tests/fuzz/fuzz.h"

static inline void must_add_up(const struct graph_counts *counts, uint64_t nr_instructions)
{
	uint64_t cycles = 0, instructions = 0;
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++)
		cycles += counts->cycles[i];
	for (unsigned i = 0; i < NR_GRAPH_CLASSES; i++)
		instructions += counts->classes[i];
	MUST(cycles == counts->length);
	MUST(counts->instructions == nr_instructions && instructions == nr_instructions);
	MUST(counts->branches_mispredicted <= counts->classes[GRAPH_BRANCH]);
}

/* Accesses may wait for each other in a circle where a model gives their cycles. */
static inline void must_be_circle(const struct graph_config *c, enum graph_algorithm algorithm,
				  const struct sahm_err *err, enum sahm_status status)
{
	MUST(status == SAHM_RANGE && algorithm == GRAPH_SLIDING_EXACT && c->dcache.source != GRAPH_TRACE);
	must_explain(err, status, "loads and stores wait for each other");
}

/* Whether the algorithm is one of the configuration's core. */
static inline bool is_for(const struct graph_config *c, enum graph_algorithm algorithm)
{
	return (c->core == GRAPH_IN_ORDER) == (algorithm == GRAPH_ONE_PASS);
}

#endif
