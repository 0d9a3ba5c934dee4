/* The prefetchers best-offset and stream written down slowly: they remember every access, keep no tables, and work out
 * from the whole history what the tables would hold.
 *
 * The reference for prefetch_best_offset.c and prefetch_stream.c in cores/uarch. It shares only the interface with
 * them.
 */
#ifndef SAHM_TESTS_REFERENCE_REFPREFETCH_H
#define SAHM_TESTS_REFERENCE_REFPREFETCH_H

#include "cores/uarch/prefetcher.h"

struct refprefetch;

/* `spec` is of kind BEST_OFFSET or STREAM; up to `most` accesses follow. NULL when memory is short. */
struct refprefetch *refprefetch_new(const struct prefetcher_spec *spec, unsigned most);
void refprefetch_free(struct refprefetch *p);

/* The lines to prefetch: lines[MAX_PREFETCH_DEGREE]; how many. */
unsigned refprefetch_watch(struct refprefetch *p, const struct prefetch_trigger *t, uint64_t *lines);

#endif
