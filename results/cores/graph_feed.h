/* Streams as the published graph takes them: the same uops and costs that a timing model has.
 *
 * A uop counts as an instruction of the graph. Its cycles of fetch and memory are those that the timing model charges
 * for the levels that the functional pass found; lines that are still on their way count as there.
 * docs/critical-path.md has the rules.
 */
#ifndef SAHM_RESULTS_CORES_GRAPH_FEED_H
#define SAHM_RESULTS_CORES_GRAPH_FEED_H

#include "cores/uarch/core_timing.h"
#include "cores/uarch/graph/graph.h"

/* The configuration of the graph that is closest to core `t`, all costs from the trace. Latencies of units are not
 * among them: those of the graph are fixed. Values above those of a graph are cut: returns the key of the first one,
 * NULL if there is none. */
const char *graph_feed_config(const struct core_timing *t, struct graph_config *c);

struct graph_feed {
	const struct core_timing *timing;
	struct graph *graph;
	uint32_t fetch_cycles; /* that a taken branch before adds */
};

/* Adds the uops of `batch`, on which the functional pass of the core ran. As graph_add() fails. */
enum sahm_status graph_feed_batch(struct graph_feed *f, const struct uop_batch *batch, struct sahm_err *err);

#endif
