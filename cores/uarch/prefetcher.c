#include "cores/uarch/prefetcher.h"

#include <stdlib.h>

#include "cores/uarch/prefetcher_internal.h"

struct prefetcher {
	struct prefetcher_spec spec;
	const struct prefetcher_ops *ops;
	uint64_t state[];
};

const char *prefetcher_kind_name(enum prefetcher_kind kind)
{
	static const char *const names[NR_PREFETCHER_KINDS] = {
#define PREFETCHER(suffix, name, help) [PREFETCHER_##suffix] = name,
#include "cores/uarch/prefetcher_list.h"
#undef PREFETCHER
	};
	return names[kind];
}

static const struct prefetcher_ops *const kinds[NR_PREFETCHER_KINDS] = {
	[PREFETCHER_NEXT_LINE] = &prefetch_next_line,
	[PREFETCHER_STRIDE] = &prefetch_stride,
	[PREFETCHER_BEST_OFFSET] = &prefetch_best_offset,
	[PREFETCHER_STREAM] = &prefetch_stream,
	[PREFETCHER_BERTI] = &prefetch_berti,
	[PREFETCHER_ENTANGLING] = &prefetch_entangling,
};

const char *prefetcher_kind_cache(enum prefetcher_kind kind)
{
	return kind == PREFETCHER_NONE ? NULL : kinds[kind]->cache;
}

bool prefetcher_kind_needs_clock(enum prefetcher_kind kind)
{
	return kind != PREFETCHER_NONE && kinds[kind]->needs_clock;
}

bool prefetcher_kind_has_degree(enum prefetcher_kind kind)
{
	return kind != PREFETCHER_NONE && kinds[kind]->has_degree;
}

uint64_t prefetcher_storage_bits(const struct prefetcher_spec *spec, uint32_t nr_lines)
{
	if (spec->kind == PREFETCHER_NONE)
		return 0;
	const struct prefetcher_ops *ops = kinds[spec->kind];
	return ops->storage_bits + (ops->more_storage_bits ? ops->more_storage_bits(spec, nr_lines) : 0);
}

struct prefetcher *prefetcher_new(const struct prefetcher_spec *spec)
{
	const struct prefetcher_ops *ops = kinds[spec->kind];
	struct prefetcher *p = calloc(1, sizeof(*p) + ops->state_bytes + spec->entries * ops->entry_bytes);
	if (!p)
		return NULL;
	p->spec = *spec;
	p->ops = ops;
	return p;
}

void prefetcher_free(struct prefetcher *p)
{
	free(p);
}

unsigned prefetcher_watch(struct prefetcher *p, const struct prefetch_trigger *t, struct prefetch_request *requests)
{
	return p->ops->watch(p->state, &p->spec, t, requests);
}

void prefetcher_evicted(struct prefetcher *p, uint64_t line, uint32_t mark)
{
	if (p->ops->evicted)
		p->ops->evicted(p->state, line, mark);
}
