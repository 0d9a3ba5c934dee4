/* Remedies that `sahm core pics` is asked for: what is changed of a program, in lanes.
 *
 * Lane 0 is the program as it is. Lane k has the k-th distance of each --soft-prefetch, or its only one; all lanes but
 * the first have all of --no-flush.
 */
#ifndef SAHM_SIM_CLI_PICS_REMEDIES_H
#define SAHM_SIM_CLI_PICS_REMEDIES_H

#include "sim/base/arena.h"
#include "sim/base/options.h"
#include "workloads/stream/remedies.h"

#define MAX_PICS_LANES 64u

struct pics_remedies {
	struct arena arena;	       /* of all that follows */
	size_t nr_lanes;	       /* 1: there is no remedy */
	const char **labels;	       /* [nr_lanes] */
	const struct remedies **lanes; /* [nr_lanes]; the first is NULL */
};

/* Reads PC[,PC..]:N[,N..] and PC[,PC..]. Release it in any case. SAHM_USAGE, SAHM_NOMEM. A run finds
 * out whether the program has these instructions. */
enum sahm_status pics_remedies_read(struct pics_remedies *r, const struct option_list *soft_prefetches,
				    const struct option_list *no_flushes, struct sahm_err *err);
void pics_remedies_release(struct pics_remedies *r);

#endif
