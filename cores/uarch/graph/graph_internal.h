/* Shared by the files of the published graph: latencies, vertices in the making, and what each algorithm offers. */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_INTERNAL_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_INTERNAL_H

#include "cores/uarch/graph/graph.h"

/* Limits between a hit in L1, a hit in L2 and a miss, in cycles of an edge. */
#define GRAPH_L1_CYCLES 5u
#define GRAPH_L2_CYCLES 20u

/* Cycles in the load-store unit. */
#define GRAPH_LSU_CYCLES 1u

/* Nodes that adding one instruction, or finishing, takes at most: those of all instructions that are scheduled then. */
#define GRAPH_NODES_PER_ADD (UINT32_C(1) << 15)

/* A vertex whose longest path is looked for: bounds are applied in the order in which the released program adds edges,
 * and of equal ones the last one wins. */
struct graph_best {
	struct graph_vertex to; /* its length so far, and the node before the edge */
	uint32_t cycles;	/* of the edge */
	enum graph_cause cause;
};

/* Begins with what is known of the vertex; at first nothing: {0, 0}. */
static inline struct graph_best graph_best_of(struct graph_vertex v)
{
	return (struct graph_best){v, 0, GRAPH_BY_OTHER};
}

static inline struct graph_best graph_best_start(void)
{
	return graph_best_of((struct graph_vertex){0, 0});
}

/* An edge from `from`. */
static inline void graph_raise(struct graph_best *b, struct graph_vertex from, uint32_t cycles, enum graph_cause cause)
{
	if (from.length + cycles >= b->to.length)
		*b = (struct graph_best){{from.length + cycles, from.node}, cycles, cause};
}

static inline struct graph_vertex graph_settle(struct graph_path *p, const struct graph_best *b)
{
	return (struct graph_vertex){b->to.length, graph_path_add(p, b->to.node, b->cycles, b->cause)};
}

/* The vertex of F after a misprediction: `execute` is E of the branch, which takes `branch_cycles` of the edge. */
static inline struct graph_vertex graph_after_misprediction(struct graph_path *p, struct graph_vertex execute,
							    uint32_t branch_cycles)
{
	return (struct graph_vertex){execute.length + branch_cycles,
				     graph_path_add(p, execute.node, branch_cycles, GRAPH_BY_BRANCH)};
}

static inline enum graph_cause graph_fetch_cause(uint32_t cycles, bool is_good)
{
	if (cycles <= GRAPH_L2_CYCLES)
		return is_good ? GRAPH_BY_GOOD_FETCH_HIT : GRAPH_BY_BAD_FETCH_HIT;
	return is_good ? GRAPH_BY_GOOD_FETCH_MISS : GRAPH_BY_BAD_FETCH_MISS;
}

/* Of an edge from E of an instruction of `class`. */
static inline enum graph_cause graph_execute_cause(enum graph_class class)
{
	static const uint8_t causes[] = {
#define GRAPH_CLASS(suffix, cause) GRAPH_BY_##cause,
#include "cores/uarch/graph/graph_class_list.h"
#undef GRAPH_CLASS
	};
	return (enum graph_cause)causes[class];
}

/* Of an edge from M of an instruction of `class`. */
static inline enum graph_cause graph_memory_cause(enum graph_class class, uint32_t cycles)
{
	unsigned level = cycles <= GRAPH_L1_CYCLES ? 0 : cycles <= GRAPH_L2_CYCLES ? 1 : 2;
	return (enum graph_cause)((class == GRAPH_LOAD ? GRAPH_BY_LOAD_L1_HIT : GRAPH_BY_STORE_L1_HIT) + level);
}

/* An algorithm: a state that takes instructions. */
struct graph_ops {
	/* NULL: no memory. `c` and `path` outlive the state. */
	void *(*new_state)(const struct graph_config *c, struct graph_path *path, uint64_t seed);
	void (*free_state)(void *state);
	enum sahm_status (*add)(void *state, const struct graph_insn *insn, struct sahm_err *err);
	/* *last is the last commit. */
	enum sahm_status (*finish)(void *state, struct graph_vertex *last, struct sahm_err *err);
	/* Lists the addresses of all vertices that are still needed, GRAPH_MAX_VERTICES at most; returns their number.
	 */
	size_t (*vertices)(void *state, struct graph_vertex **list);
};

#define GRAPH_MAX_VERTICES (UINT32_C(1) << 16)

extern const struct graph_ops graph_one_pass, graph_sliding_exact, graph_two_pass;

#endif
