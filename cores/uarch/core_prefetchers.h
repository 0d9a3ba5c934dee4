/* Prefetchers of a cache, as files of cores give them. */
#ifndef SAHM_CORES_UARCH_CORE_PREFETCHERS_H
#define SAHM_CORES_UARCH_CORE_PREFETCHERS_H

#include "cores/uarch/core_geometry.h"
#include "sim/base/cfg.h"
#include "sim/base/textbuf.h"

/* Reads those of cache `cache` ("l1i") from its group, which may be NULL. key[0] is that of the prefetcher, key[1] that
 * of the degree; of a cache that can have an entangling prefetcher, key[2] is that of the entries. `specs` is cleared
 * before. SAHM_CONFIG. */
enum sahm_status core_prefetchers_read(const struct cfg_node *group, const char *cache, const struct cfg_key *key,
				       struct prefetcher_spec specs[MAX_PREFETCHERS], struct sahm_err *err);

/* Appends their keys: `prefetcher = "stride"; degree = 2;`. */
void core_prefetchers_write(const struct prefetcher_spec specs[MAX_PREFETCHERS], struct textbuf *out);

#endif
