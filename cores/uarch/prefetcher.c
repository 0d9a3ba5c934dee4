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
};

uint64_t prefetcher_storage_bits(const struct prefetcher_spec *spec)
{
	return spec->kind == PREFETCHER_NONE ? 0 : kinds[spec->kind]->storage_bits;
}

struct prefetcher *prefetcher_new(const struct prefetcher_spec *spec)
{
	const struct prefetcher_ops *ops = kinds[spec->kind];
	struct prefetcher *p = calloc(1, sizeof(*p) + ops->state_bytes);
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

unsigned prefetcher_watch(struct prefetcher *p, const struct prefetch_trigger *t, uint64_t *lines)
{
	return p->ops->watch(p->state, &p->spec, t, lines);
}
