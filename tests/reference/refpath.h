/* Critical paths, a second time: the whole graph of a program, slow and obvious.
 *
 * Each time of a uop is a vertex, and so are the starts and ends of transfers of lines. Its edges are the bounds that
 * docs/critical-path.md lists, in that order; the time is the largest of them. Vertices are in program order, so that
 * edges lead from vertices to later ones. Waits for a slot, for a unit or for the next cycle of a full one are edges
 * from the uop's own bound: as long as the wait was, whatever else changes.
 */
#ifndef SAHM_TESTS_REFERENCE_REFPATH_H
#define SAHM_TESTS_REFERENCE_REFPATH_H

#include <stddef.h>

#include "cores/uarch/critical_path.h"

enum refpath_kind {
	REFPATH_BEGIN, /* cycle 0 */
	REFPATH_F,     /* of an instruction: its first uop */
	REFPATH_D,
	REFPATH_E, /* in-order: I */
	REFPATH_X,
	REFPATH_C,
	REFPATH_S,
	REFPATH_START,	/* of the transfer of a line */
	REFPATH_FILL,	/* its end */
	REFPATH_BOUND,	/* of the vertex that follows, which may wait for a slot from here on */
	REFPATH_LATEST, /* of what older uops did */
};

struct refpath_part {
	uint32_t cycles, cause; /* enum path_cause */
};

#define REFPATH_PARTS 4u

struct refpath_edge {
	size_t from; /* vertex */
	bool is_hit; /* on a line that is on its way */
	unsigned nr_parts;
	struct refpath_part parts[REFPATH_PARTS]; /* in the order of time, none of them 0 */
};

struct refpath_vertex {
	enum refpath_kind kind;
	size_t uop; /* that it belongs to */
	uint64_t time;
	size_t first, nr; /* edges */
};

struct refpath {
	const struct uop *uops; /* the caller's: [nr_uops] */
	size_t nr_uops;
	size_t *commits; /* [nr_uops]: vertices C */
	struct refpath_vertex *vertices;
	struct refpath_edge *edges;
	size_t nr_vertices, nr_edges;
};

/* The graph of uops[nr], whole instructions, with all their prefetches. NULL when memory is short. */
struct refpath *refpath_new(const struct core_timing *t, const struct uop *uops, size_t nr,
			    const struct uop_prefetch *prefetches);
/* With predicted loads, as refcycle_run_predicted() has them. */
struct refpath *refpath_new_predicted(const struct core_timing *t, const struct uop *uops, size_t nr,
				      const struct uop_prefetch *prefetches, const uint8_t *predictions);
void refpath_free(struct refpath *g);

/* The vertex whose time is not that of stamps[g->nr_uops]; NULL: all are. */
const struct refpath_vertex *refpath_differs(const struct refpath *g, const struct uop_stamps *stamps);

uint64_t refpath_edge_cycles(const struct refpath_edge *e);

/* Cycles of a path from one instruction to another, for one cause: not sorted, and several times the same. */
struct refpath_sums {
	size_t nr, room;
	struct path_edge *list;
};

/* Walks the path from the last commit of uops `first` to `end` - 1 back to that of the uop before, and adds its cycles.
 * The cycle of the last commit of a program is charged with its first uop. False when memory is short for *sums, which
 * can be NULL. */
bool refpath_walk(const struct refpath *g, size_t first, size_t end, struct path_counts *counts,
		  struct refpath_sums *sums);

/* Marks the loads for whose registers that path waits: loads[g->nr_uops]. */
void refpath_mark_loads(const struct refpath *g, size_t first, size_t end, bool *loads);

/* Sorts and adds up as struct path_edges does. */
void refpath_sums_sort(struct refpath_sums *sums);

/* Whether each edge is on the path of the whole program: on_path[g->nr_edges]. */
void refpath_mark(const struct refpath *g, bool *on_path);

/* The last commit if an edge took `more` cycles more, or fewer. times[g->nr_vertices] is overwritten. */
uint64_t refpath_last_commit(const struct refpath *g, size_t edge, int64_t more, uint64_t *times);

#endif
