#include "cores/uarch/graph/graph_models.h"

#include <stdlib.h>
#include <string.h>

static bool level_init(struct graph_level *l, uint32_t bytes, uint32_t ways)
{
	l->nr_ways = ways;
	l->nr_sets = bytes / (GRAPH_LINE_BYTES * ways);
	l->tree_ways = 1;
	while (l->tree_ways < ways)
		l->tree_ways *= 2;
	for (uint32_t w = ways / 2; w > 0; w /= 2)
		l->levels++;
	l->lines = calloc(l->nr_sets * ways, sizeof(*l->lines));
	l->trees = calloc(l->nr_sets, sizeof(*l->trees));
	l->dirty = calloc(l->nr_sets, sizeof(*l->dirty));
	return l->lines && l->trees && l->dirty;
}

enum sahm_status graph_cache_init(struct graph_cache *c, const struct graph_cache_config *config, uint64_t seed,
				  const char *name, struct sahm_err *err)
{
	memset(c, 0, sizeof(*c));
	c->config = config;
	rng_init(&c->rng, seed, "graph", name);
	bool ok = true;
	for (unsigned i = 0; i < 2 && config->source == GRAPH_REAL; i++)
		ok = level_init(&c->levels[i], config->bytes[i], config->ways[i]) && ok;
	if (ok)
		return SAHM_OK;
	graph_cache_release(c);
	return sahm_fail_nomem(err);
}

void graph_cache_release(struct graph_cache *c)
{
	for (unsigned i = 0; i < 2; i++) {
		free(c->levels[i].lines);
		free(c->levels[i].trees);
		free(c->levels[i].dirty);
	}
	memset(c, 0, sizeof(*c));
}

/* The way to which the bits of the tree lead; the last one where there are fewer than the tree has. */
static uint32_t find_victim(const struct graph_level *l, uint64_t set)
{
	uint32_t victim = 0;
	for (uint32_t i = 0, node = 0; i < l->levels; i++) {
		unsigned bit = l->trees[set] >> node & 1;
		victim += bit ? l->tree_ways >> (i + 1) : 0;
		node = 2 * node + 1 + bit;
	}
	return victim < l->nr_ways ? victim : l->nr_ways - 1;
}

/* Makes the bits on the way to `way` lead elsewhere. */
static void touch(struct graph_level *l, uint64_t set, uint32_t way)
{
	for (uint32_t i = l->levels, node = 0; i-- > 0;) {
		unsigned bit = way >> i & 1;
		l->trees[set] = (l->trees[set] & ~(UINT64_C(1) << node)) | (uint64_t)!bit << node;
		node = 2 * node + 1 + bit;
	}
}

/* Whether the line is there; it is afterwards. */
static bool access_level(struct graph_level *l, uint64_t line, bool dirties)
{
	uint64_t set = line % l->nr_sets;
	uint64_t *lines = &l->lines[set * l->nr_ways];
	uint32_t way = 0;
	while (way < l->nr_ways && lines[way] != line + 1)
		way++;
	bool hit = way < l->nr_ways;
	if (!hit) {
		way = find_victim(l, set);
		l->evicted = lines[way];
		l->evicted_is_dirty = l->dirty[set] >> way & 1;
		lines[way] = line + 1;
		l->dirty[set] &= (uint16_t) ~(1u << way);
	}
	if (dirties)
		l->dirty[set] |= (uint16_t)(1u << way);
	touch(l, set, way);
	return hit;
}

static uint32_t access_real(struct graph_cache *c, uint64_t line, bool is_store)
{
	struct graph_level *l1 = &c->levels[0], *l2 = &c->levels[1];
	bool in_l1 = access_level(l1, line, is_store);
	if (is_store)
		return c->config->hit_cycles[GRAPH_STORES];
	if (in_l1)
		return c->config->hit_cycles[GRAPH_LOADS];
	bool in_l2 = access_level(l2, line, false);
	if (l1->evicted && l1->evicted_is_dirty)
		access_level(l2, l1->evicted - 1, true);
	return in_l2 ? c->config->l2_hit_cycles[GRAPH_LOADS] : c->config->miss_cycles[GRAPH_LOADS];
}

uint32_t graph_cache_access(struct graph_cache *c, uint64_t address, bool is_store)
{
	if (c->config->source == GRAPH_IDEAL)
		return 1;
	if (c->config->source == GRAPH_REAL)
		return access_real(c, address / GRAPH_LINE_BYTES, is_store);
	bool hits = rng_below(&c->rng, 1000) < c->config->hit_permille[is_store];
	return hits ? c->config->hit_cycles[is_store] : c->config->miss_cycles[is_store];
}
