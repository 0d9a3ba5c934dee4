/* Caches and branch predictors of the published graph: costs that the trace does not have.
 *
 * A statistical model draws from a seeded generator of our own, so that its results differ from those of the released
 * program, which uses the C library's. A real cache has two levels of tree pseudo-LRU; stores are complete in the
 * first.
 */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_MODELS_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_MODELS_H

#include "cores/uarch/graph/graph_config.h"
#include "sim/base/rng.h"

struct graph_level {
	uint64_t nr_sets;
	uint32_t nr_ways, levels; /* of the tree */
	uint32_t tree_ways;	  /* nr_ways rounded up to a power of two */
	uint64_t *lines;	  /* [set * nr_ways + way]: number of the line + 1; 0: empty */
	uint64_t *trees;	  /* by set */
	uint16_t *dirty;	  /* by set, a bit per way */
	uint64_t evicted;	  /* line of the last miss's victim + 1, or 0 */
	bool evicted_is_dirty;
};

struct graph_cache {
	const struct graph_cache_config *config;
	struct rng rng;		      /* statistical */
	struct graph_level levels[2]; /* real */
};

/* Makes a cache that is called `name` ("icache", "dcache") among those of `seed`. `config` must outlive it. SAHM_NOMEM.
 */
enum sahm_status graph_cache_init(struct graph_cache *c, const struct graph_cache_config *config, uint64_t seed,
				  const char *name, struct sahm_err *err);
void graph_cache_release(struct graph_cache *c);

/* The cycles of an access to `address`, a load or store; not for GRAPH_TRACE. */
uint32_t graph_cache_access(struct graph_cache *c, uint64_t address, bool is_store);

#endif
