#include "cores/uarch/graph/graph_path.h"

#include <stdlib.h>
#include <string.h>

/* While shrinking, every SUM_EVERY-th node of a walked path gets a sum, at which later walks that join it end. */
#define SUM_EVERY 64u

const char *graph_cause_name(enum graph_cause cause)
{
	static const char *const names[] = {
#define GRAPH_CAUSE(suffix, name) name,
#include "cores/uarch/graph/graph_cause_list.h"
#undef GRAPH_CAUSE
	};
	return names[cause];
}

/* A node whose `before` is the number of a sum. */
#define BY_SUM ((uint8_t)NR_GRAPH_CAUSES)

static bool add_sum(struct graph_path *p)
{
	if (p->nr_sums == p->sums_room) {
		uint32_t room = p->sums_room ? 2 * p->sums_room : 1024;
		uint64_t(*sums)[NR_GRAPH_CAUSES] = realloc(p->sums, room * sizeof(*sums));
		if (!sums)
			return false;
		p->sums = sums;
		p->sums_room = room;
	}
	memset(p->sums[p->nr_sums++], 0, sizeof(*p->sums));
	return true;
}

enum sahm_status graph_path_init(struct graph_path *p, struct sahm_err *err)
{
	memset(p, 0, sizeof(*p));
	p->room = GRAPH_PATH_NODES;
	p->nodes = malloc(p->room * sizeof(*p->nodes));
	p->causes = malloc(p->room);
	if (!p->nodes || !p->causes || !add_sum(p)) {
		graph_path_release(p);
		return sahm_fail_nomem(err);
	}
	p->nodes[0] = (struct graph_path_node){0, 0};
	p->causes[0] = BY_SUM;
	p->nr = 1;
	return SAHM_OK;
}

void graph_path_release(struct graph_path *p)
{
	free(p->nodes);
	free(p->causes);
	free(p->sums);
	memset(p, 0, sizeof(*p));
}

void graph_path_sum(const struct graph_path *p, uint32_t node, uint64_t cycles[NR_GRAPH_CAUSES])
{
	memset(cycles, 0, NR_GRAPH_CAUSES * sizeof(*cycles));
	for (; p->causes[node] != BY_SUM; node = p->nodes[node].before)
		cycles[p->causes[node]] += p->nodes[node].cycles;
	const uint64_t *sum = p->sums[p->nodes[node].before];
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++)
		cycles[i] += sum[i];
}

/* Gives `node` and every SUM_EVERY-th node before it a sum. `walked` has room for all nodes. */
static bool sum_up(struct graph_path *p, uint32_t node, uint32_t *walked)
{
	uint32_t nr = 0;
	for (; p->causes[node] != BY_SUM; node = p->nodes[node].before)
		walked[nr++] = node;
	uint64_t cycles[NR_GRAPH_CAUSES];
	memcpy(cycles, p->sums[p->nodes[node].before], sizeof(cycles));
	while (nr > 0) {
		uint32_t at = walked[--nr];
		cycles[p->causes[at]] += p->nodes[at].cycles;
		if (nr % SUM_EVERY != 0)
			continue;
		if (!add_sum(p))
			return false;
		memcpy(p->sums[p->nr_sums - 1], cycles, sizeof(cycles));
		p->causes[at] = BY_SUM;
		p->nodes[at].before = p->nr_sums - 1;
	}
	return true;
}

/* Copies the sums of the vertices' nodes to `kept`, one for vertices that share a node; `moved` has the new number of
 * each node, 0 for none. Node 0 stays the beginning of the trace. */
static uint32_t keep_sums(const struct graph_path *p, struct graph_vertex **vertices, size_t nr, uint32_t *moved,
			  uint64_t (*kept)[NR_GRAPH_CAUSES])
{
	uint32_t nr_kept = 1;
	memset(kept[0], 0, sizeof(*kept));
	for (size_t i = 0; i < nr; i++) {
		uint32_t node = vertices[i]->node;
		if (node > 0 && moved[node] == 0) {
			memcpy(kept[nr_kept], p->sums[p->nodes[node].before], sizeof(*kept));
			moved[node] = nr_kept++;
		}
		vertices[i]->node = moved[node];
	}
	return nr_kept;
}

enum sahm_status graph_path_shrink(struct graph_path *p, struct graph_vertex **vertices, size_t nr,
				   struct sahm_err *err)
{
	uint32_t *walked = calloc(p->nr, sizeof(*walked));
	uint64_t(*kept)[NR_GRAPH_CAUSES] = malloc((nr + 1) * sizeof(*kept));
	bool ok = walked && kept;
	for (size_t i = 0; i < nr && ok; i++)
		ok = sum_up(p, vertices[i]->node, walked);
	if (ok) {
		memset(walked, 0, p->nr * sizeof(*walked));
		uint32_t nr_kept = keep_sums(p, vertices, nr, walked, kept);
		free(p->sums);
		p->sums = kept;
		p->sums_room = (uint32_t)nr + 1;
		kept = NULL;
		for (uint32_t i = 0; i < nr_kept; i++) {
			p->nodes[i] = (struct graph_path_node){i, 0};
			p->causes[i] = BY_SUM;
		}
		p->nr = p->nr_sums = nr_kept;
	}
	free(walked);
	free(kept);
	return ok ? SAHM_OK : sahm_fail_nomem(err);
}
