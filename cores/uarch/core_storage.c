#include "cores/uarch/core_storage.h"

#include <inttypes.h>

static void write_prefetcher(const char *cache, const struct prefetcher_spec *p, struct textbuf *out)
{
	if (p->kind != PREFETCHER_NONE)
		textbuf_printf(out, "# storage: %s.prefetcher, %s: %" PRIu64 " bytes\n", cache,
			       prefetcher_kind_name((enum prefetcher_kind)p->kind),
			       (prefetcher_storage_bits(p) + 7) / 8);
}

void core_storage_write(const struct core_geometry *g, struct textbuf *out)
{
	write_prefetcher("l1i", &g->l1i_prefetcher, out);
	write_prefetcher("l1d", &g->l1d_prefetcher, out);
	write_prefetcher("l2", &g->l2_prefetcher, out);
	write_prefetcher("llc", &g->llc_prefetcher, out);
}
