#include "cores/uarch/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_internal.h"

static const struct {
	const char *name;
	const struct graph_ops *ops;
	enum graph_core core;
} algorithms[NR_GRAPH_ALGORITHMS] = {
	[GRAPH_ONE_PASS] = {"inorder", &graph_one_pass, GRAPH_IN_ORDER},
	[GRAPH_SLIDING_EXACT] = {"sliding_exact", &graph_sliding_exact, GRAPH_OUT_OF_ORDER},
	[GRAPH_TWO_PASS] = {"two_pass", &graph_two_pass, GRAPH_OUT_OF_ORDER},
};

struct graph {
	struct graph_config config;
	struct graph_path path;
	const struct graph_ops *ops;
	void *state;
	struct graph_counts counts;
	struct graph_vertex **vertices; /* room for a list */
};

const char *graph_algorithm_name(enum graph_algorithm algorithm)
{
	return algorithms[algorithm].name;
}

enum sahm_status graph_new(const struct graph_config *c, enum graph_algorithm algorithm, uint64_t seed,
			   struct graph **out, struct sahm_err *err)
{
	if (algorithms[algorithm].core != c->core)
		return sahm_fail(err, SAHM_USAGE, "algorithm '%s' is for %s cores; the configuration has an %s one",
				 algorithms[algorithm].name, c->core == GRAPH_IN_ORDER ? "out-of-order" : "in-order",
				 c->core == GRAPH_IN_ORDER ? "in-order" : "out-of-order");
	enum sahm_status status = graph_config_check(c, err);
	if (status != SAHM_OK)
		return status;
	struct graph *g = calloc(1, sizeof(*g));
	if (!g)
		return sahm_fail_nomem(err);
	g->config = *c;
	g->ops = algorithms[algorithm].ops;
	status = graph_path_init(&g->path, err);
	if (status != SAHM_OK) {
		free(g);
		return status;
	}
	g->vertices = malloc(GRAPH_MAX_VERTICES * sizeof(struct graph_vertex *));
	g->state = g->ops->new_state(&g->config, &g->path, seed);
	if (!g->vertices || !g->state) {
		graph_free(g);
		return sahm_fail_nomem(err);
	}
	*out = g;
	return SAHM_OK;
}

void graph_free(struct graph *g)
{
	if (!g)
		return;
	if (g->state)
		g->ops->free_state(g->state);
	free(g->vertices);
	graph_path_release(&g->path);
	free(g);
}

static enum sahm_status make_room(struct graph *g, struct sahm_err *err)
{
	if (graph_path_has_room(&g->path, GRAPH_NODES_PER_ADD))
		return SAHM_OK;
	return graph_path_shrink(&g->path, g->vertices, g->ops->vertices(g->state, g->vertices), err);
}

enum sahm_status graph_add(struct graph *g, const struct graph_insn *insn, struct sahm_err *err)
{
	enum sahm_status status = make_room(g, err);
	if (status != SAHM_OK)
		return status;
	g->counts.instructions++;
	g->counts.classes[insn->class]++;
	if (insn->class == GRAPH_BRANCH)
		g->counts.branches_mispredicted += insn->mispredicted;
	return g->ops->add(g->state, insn, err);
}

enum sahm_status graph_finish(struct graph *g, struct graph_counts *counts, struct sahm_err *err)
{
	struct graph_vertex last = {0, 0};
	enum sahm_status status = make_room(g, err);
	if (status == SAHM_OK && g->counts.instructions > 0)
		status = g->ops->finish(g->state, &last, err);
	if (status != SAHM_OK)
		return status;
	g->counts.length = (uint64_t)last.length;
	graph_path_sum(&g->path, last.node, g->counts.cycles);
	*counts = g->counts;
	return SAHM_OK;
}
