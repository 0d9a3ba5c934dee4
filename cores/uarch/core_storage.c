#include "cores/uarch/core_storage.h"

#include <inttypes.h>

static void write_prefetcher(const char *cache, const struct prefetcher_spec *p, struct textbuf *out)
{
	unsigned i = 0;
	for (; i < MAX_PREFETCHERS && p->kind != PREFETCHER_NONE; i++, p++)
		textbuf_printf(out, "# storage: %s.prefetcher, %s: %" PRIu64 " bytes\n", cache,
			       prefetcher_kind_name((enum prefetcher_kind)p->kind),
			       (prefetcher_storage_bits(p) + 7) / 8);
}

void core_storage_write(const struct core_geometry *g, struct textbuf *out)
{
	write_prefetcher("l1i", g->l1i_prefetchers, out);
	write_prefetcher("l1d", g->l1d_prefetchers, out);
	write_prefetcher("l2", g->l2_prefetchers, out);
	write_prefetcher("llc", g->llc_prefetchers, out);
}
