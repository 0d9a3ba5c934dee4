/* What a functional pass needs of a core: caches, TLBs, predictor, prefetchers, DRAM. Cores of equal geometry can
 * share a pass. Files of configs/cores give it (core_model.h). */
#ifndef SAHM_CORES_UARCH_CORE_GEOMETRY_H
#define SAHM_CORES_UARCH_CORE_GEOMETRY_H

#include <stdbool.h>
#include <string.h>

#include "cores/uarch/cache.h"
#include "cores/uarch/predictor.h"
#include "cores/uarch/prefetcher.h"
#include "cores/uarch/uop.h"

/* A table by page, or by branch. */
struct table_spec {
	uint32_t entries; /* ways x a power of two; 0: there is none */
	uint32_t ways;
};

#define MAX_TABLE_ENTRIES (UINT32_C(1) << 16)
#define PAGE_BYTES 4096u

struct dram_spec {
	uint32_t banks, row_bytes; /* powers of two */
};

#define MAX_DRAM_BANKS 1024u
#define MAX_ROW_BYTES (UINT32_C(1) << 20)

/* Prefetchers of a cache, each of which sees its accesses; requests are made in their order. */
#define MAX_PREFETCHERS 2u

/* The nominal clock of prefetchers that need time, and the latencies that they see. 0 where no prefetcher does, so that
 * cores that differ only in timing have equal geometry. */
struct clock_spec {
	uint32_t cpi;						 /* thousandths of a cycle that an instruction takes */
	uint16_t code[NR_MEMORY_LEVELS], data[NR_MEMORY_LEVELS]; /* cycles, by the level that a line comes from */
};

#define MAX_CLOCK_CPI 100000u

/* Every byte of it counts where two are compared: cleared before it is filled. */
struct core_geometry {
	struct cache_spec l1i, l1d, l2, llc; /* llc.bytes 0: there is none */
	/* Of kind NONE after the last one. */
	struct prefetcher_spec l1i_prefetchers[MAX_PREFETCHERS], l1d_prefetchers[MAX_PREFETCHERS];
	struct prefetcher_spec l2_prefetchers[MAX_PREFETCHERS], llc_prefetchers[MAX_PREFETCHERS];
	struct table_spec itlb, dtlb, second_tlb, btb;
	struct predictor_spec predictor;
	struct dram_spec dram;
	uint32_t seed; /* of caches with random replacement */
	struct clock_spec clock;
};

static inline bool core_geometry_needs_clock(const struct core_geometry *g)
{
	return g->clock.cpi > 0;
}

/* Of the prefetchers of a cache. */
static inline bool prefetchers_need_clock(const struct prefetcher_spec prefetchers[MAX_PREFETCHERS])
{
	for (unsigned i = 0; i < MAX_PREFETCHERS; i++)
		if (prefetcher_kind_needs_clock((enum prefetcher_kind)prefetchers[i].kind))
			return true;
	return false;
}

/* Whether cores of both see the same in a functional pass. */
static inline bool core_geometry_is_same(const struct core_geometry *a, const struct core_geometry *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* The same of all but predictor and BTB. */
static inline bool core_geometry_same_memory(const struct core_geometry *a, const struct core_geometry *b)
{
	struct core_geometry other = *b;
	other.predictor = a->predictor;
	other.btb = a->btb;
	return core_geometry_is_same(a, &other);
}

/* Makes a cache of a table's entries, to be asked by number of page or branch: its lines are nominal. SAHM_NOMEM. */
static inline enum sahm_status table_cache_init(struct cache *c, const struct table_spec *t, struct sahm_err *err)
{
	const struct cache_spec spec = {
		.bytes = t->entries * MIN_LINE_BYTES, .ways = t->ways, .line_bytes = MIN_LINE_BYTES};
	return cache_init(c, &spec, err);
}

#endif
