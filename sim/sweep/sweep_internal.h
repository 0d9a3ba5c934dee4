/* Between the files that carry out sweeps. */
#ifndef SAHM_SIM_SWEEP_SWEEP_INTERNAL_H
#define SAHM_SIM_SWEEP_SWEEP_INTERNAL_H

#include "sim/sweep/pool.h"
#include "sim/sweep/sweep.h"

/* Traces of configurations that are not in use any more are forgotten when they take more. */
#define MAX_CACHE_BYTES ((size_t)1 << 30)

/* The configuration of the point at `position`; strings and room for its settings come from `a`. */
enum sahm_status sweep_point(const struct sweep *sweep, uint64_t position, struct arena *a, struct run_config *config,
			     struct sahm_err *err);

/* Makes the text with which `sahm sweep` does the same again from what `sweep` has now. */
enum sahm_status sweep_write_text(struct sweep *sweep, struct sahm_err *err);

/* Opens the traces of the first point, so that processes that are forked share them. What goes wrong shows later. */
void sweep_warm(const struct sweep *sweep, struct textbuf *notes);

/* What every worker of a sweep begins with. */
void sweep_begin_worker(const struct sweep_options *options, struct store *store);

#endif
