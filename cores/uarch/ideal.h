/* What-if: a core of which some parts cost nothing.
 *
 * Most ideals are other values of keys, which replace those of the file: latencies of 0, sizes and widths at their
 * bounds. `branch`, `l1d` and `value_prediction` are rules of the timing models. The functional pass remains as it is:
 * an ideal part makes neither caches nor predictors see anything else. Only prefetchers that need time do
 * (core_model_idealize()).
 */
#ifndef SAHM_CORES_UARCH_IDEAL_H
#define SAHM_CORES_UARCH_IDEAL_H

#include "cores/uarch/core_timing.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* "fetch", "branch": constant storage. */
const char *ideal_name(enum ideal part);

/* What then costs nothing, in words. */
const char *ideal_help(enum ideal part);

/* Makes the parts of `ideals`, a bit for each enum ideal, ideal as well. The order of several calls does not matter.
 * `llc` needs a core with an LLC: of others it takes a latency that means nothing. */
void ideal_apply(struct core_timing *t, unsigned ideals);

struct cfg_node;

/* The ideals that a list of names, or a string of them with commas, gives. SAHM_CONFIG, with a suggestion. */
enum sahm_status ideal_read(const struct cfg_node *node, unsigned *ideals, struct sahm_err *err);

/* Appends the names as a list of a file: ["fetch", "branch"]. */
void ideal_write(unsigned ideals, struct textbuf *out);

#endif
