/* The path that leads to a vertex, and its cycles by cause, in memory that does not grow with the trace.
 *
 * A vertex has a length, and the node of the last edge of its longest path that has a weight. Nodes form a tree: each
 * knows the node before it. When no room is left for nodes, the cycles of those that are still needed are summed up,
 * and the others are forgotten (graph_path_shrink()).
 */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_PATH_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_PATH_H

#include <stddef.h>

#include "cores/uarch/graph/graph_insn.h"
#include "sim/base/err.h"

enum graph_cause {
#define GRAPH_CAUSE(suffix, name) GRAPH_BY_##suffix,
#include "cores/uarch/graph/graph_cause_list.h"
#undef GRAPH_CAUSE
	NR_GRAPH_CAUSES
};

/* "Good fetch hit" */
const char *graph_cause_name(enum graph_cause cause);

struct graph_vertex {
	int64_t length; /* cycles from the first fetch to this event */
	uint32_t node;	/* the path to it; 0 at the beginning of the trace */
};

struct graph_path_node {
	uint32_t before; /* the node before it, or the number of a sum if `cause` is NR_GRAPH_CAUSES */
	uint32_t cycles;
};

struct graph_path {
	struct graph_path_node *nodes;
	uint8_t *causes; /* of nodes */
	uint32_t nr, room;
	uint64_t (*sums)[NR_GRAPH_CAUSES]; /* of nodes that begin paths, and of some others while shrinking */
	uint32_t nr_sums, sums_room;
};

/* Nodes that are kept. */
#define GRAPH_PATH_NODES (UINT32_C(1) << 19)

/* SAHM_NOMEM; nothing to release then. */
enum sahm_status graph_path_init(struct graph_path *p, struct sahm_err *err);
void graph_path_release(struct graph_path *p);

/* Whether there is room for `nr` more nodes. */
static inline bool graph_path_has_room(const struct graph_path *p, uint32_t nr)
{
	return p->room - p->nr >= nr;
}

/* The node of a path that goes on from `before` by `cycles` for `cause`. The caller has checked that there is room. */
static inline uint32_t graph_path_add(struct graph_path *p, uint32_t before, uint32_t cycles, enum graph_cause cause)
{
	if (cycles == 0)
		return before;
	p->nodes[p->nr] = (struct graph_path_node){before, cycles};
	p->causes[p->nr] = (uint8_t)cause;
	return p->nr++;
}

/* Makes room: `vertices[nr]` are all vertices that are still needed, whose nodes are renumbered. SAHM_NOMEM. */
enum sahm_status graph_path_shrink(struct graph_path *p, struct graph_vertex **vertices, size_t nr,
				   struct sahm_err *err);

/* Cycles by cause on the path to `node`. */
void graph_path_sum(const struct graph_path *p, uint32_t node, uint64_t cycles[NR_GRAPH_CAUSES]);

#endif
