/* The prefetcher entangling written down slowly: a list of entries, searched from one end to the other, and a list of
 * all heads. It is written from docs/cores.md, and shares only the interface with prefetch_entangling.c. */
#ifndef SAHM_TESTS_REFERENCE_REFENTANGLING_H
#define SAHM_TESTS_REFERENCE_REFENTANGLING_H

#include "cores/uarch/prefetcher.h"

struct refentangling;

/* Up to `most` fetches follow. NULL when memory is short. */
struct refentangling *refentangling_new(const struct prefetcher_spec *spec, unsigned most);
void refentangling_free(struct refentangling *e);

/* As prefetcher_watch() and prefetcher_evicted(). */
unsigned refentangling_watch(struct refentangling *e, const struct prefetch_trigger *t,
			     struct prefetch_request *requests);
void refentangling_evicted(struct refentangling *e, uint64_t line, uint32_t mark);

#endif
