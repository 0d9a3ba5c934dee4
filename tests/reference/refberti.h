/* The prefetcher berti written down slowly: it remembers every access, and works out from the whole history what its
 * tables would hold. It is written from docs/cores.md, and shares only the interface with prefetch_berti.c. */
#ifndef SAHM_TESTS_REFERENCE_REFBERTI_H
#define SAHM_TESTS_REFERENCE_REFBERTI_H

#include "cores/uarch/prefetcher.h"

struct refberti;

/* Up to `most` accesses follow. NULL when memory is short. */
struct refberti *refberti_new(unsigned most);
void refberti_free(struct refberti *b);

/* As prefetcher_watch(). */
unsigned refberti_watch(struct refberti *b, const struct prefetch_trigger *t, struct prefetch_request *requests);

#endif
