#include "cores/uarch/core_storage.h"

#include <inttypes.h>

#include "cores/uarch/storage_bits.h"

/* The parts of a cache, from its first one on in the order of core_part_list.h. */
enum { DATA, TAGS, REPLACEMENT, PREFETCHERS };

const char *core_part_name(enum core_part part)
{
	static const char *const names[NR_CORE_PARTS] = {
#define CORE_PART(suffix, name, in_core) [PART_##suffix] = name,
#include "cores/uarch/core_part_list.h"
#undef CORE_PART
	};
	return names[part];
}

static bool is_in_core(enum core_part part)
{
	static const bool in_core_of[NR_CORE_PARTS] = {
#define CORE_PART(suffix, name, in_core) [PART_##suffix] = in_core,
#include "cores/uarch/core_part_list.h"
#undef CORE_PART
	};
	return in_core_of[part];
}

static void add_cache(uint64_t *bytes, const struct cache_spec *c, const struct prefetcher_spec *prefetchers,
		      bool has_stores)
{
	if (c->bytes == 0)
		return;
	uint64_t nr_lines = c->bytes / c->line_bytes, prefetching = 0;
	uint64_t tag =
		STORAGE_ADDRESS_BITS - storage_bits_below(c->line_bytes) - storage_bits_below(nr_lines / c->ways);
	bool has_prefetcher = prefetchers[0].kind != PREFETCHER_NONE;
	for (unsigned i = 0; i < MAX_PREFETCHERS; i++)
		prefetching += prefetcher_storage_bits(&prefetchers[i], (uint32_t)nr_lines);
	bytes[DATA] = c->bytes;
	bytes[TAGS] = storage_bytes(nr_lines * (tag + 1 + has_stores + has_prefetcher));
	bytes[REPLACEMENT] = storage_bytes(cache_replacement_bits(c));
	bytes[PREFETCHERS] = storage_bytes(prefetching);
}

/* A table whose entries are found by a number of `key` bits and give one of `value`. */
static uint64_t table_bytes(const struct table_spec *t, uint64_t key, uint64_t value)
{
	if (t->entries == 0)
		return 0;
	uint64_t tag = key - storage_bits_below(t->entries / t->ways);
	return storage_bytes(t->entries * (tag + value + 1 + storage_bits_below(t->ways)));
}

struct core_storage core_storage(const struct core_geometry *g)
{
	struct core_storage s = {.bytes = {0}};
	const struct predictor_storage p = predictor_storage(&g->predictor);
	add_cache(&s.bytes[PART_L1I_DATA], &g->l1i, g->l1i_prefetchers, false);
	add_cache(&s.bytes[PART_L1D_DATA], &g->l1d, g->l1d_prefetchers, true);
	add_cache(&s.bytes[PART_L2_DATA], &g->l2, g->l2_prefetchers, true);
	add_cache(&s.bytes[PART_LLC_DATA], &g->llc, g->llc_prefetchers, true);
	s.bytes[PART_ITLB] = table_bytes(&g->itlb, STORAGE_PAGE_NUMBER_BITS, STORAGE_PAGE_NUMBER_BITS);
	s.bytes[PART_DTLB] = table_bytes(&g->dtlb, STORAGE_PAGE_NUMBER_BITS, STORAGE_PAGE_NUMBER_BITS);
	s.bytes[PART_SECOND_TLB] = table_bytes(&g->second_tlb, STORAGE_PAGE_NUMBER_BITS, STORAGE_PAGE_NUMBER_BITS);
	s.bytes[PART_BTB] = table_bytes(&g->btb, STORAGE_ADDRESS_BITS - 1, STORAGE_ADDRESS_BITS);
	s.bytes[PART_DIRECTIONS] = storage_bytes(p.directions);
	s.bytes[PART_CORRECTOR] = storage_bytes(p.corrector);
	s.bytes[PART_LOOPS] = storage_bytes(p.loops);
	s.bytes[PART_TARGETS] = storage_bytes(p.targets);
	s.bytes[PART_RETURNS] = storage_bytes(p.returns);
	for (unsigned i = 0; i < NR_CORE_PARTS; i++) {
		s.all_bytes += s.bytes[i];
		s.core_bytes += is_in_core((enum core_part)i) ? s.bytes[i] : 0;
	}
	return s;
}

void core_storage_write(const struct core_geometry *g, struct textbuf *out)
{
	const struct core_storage s = core_storage(g);
	for (unsigned i = 0; i < NR_CORE_PARTS; i++)
		if (s.bytes[i] > 0)
			textbuf_printf(out, "# storage of %s: %" PRIu64 " bytes\n", core_part_name((enum core_part)i),
				       s.bytes[i]);
	textbuf_printf(out, "# storage of the core: %" PRIu64 " bytes\n", s.core_bytes);
	if (s.all_bytes > s.core_bytes)
		textbuf_printf(out, "# storage with the LLC: %" PRIu64 " bytes\n", s.all_bytes);
}
