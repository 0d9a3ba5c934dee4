/* What `sahm sweep` says of a sweep: rows with a word in front. */
#ifndef SAHM_SIM_CLI_SWEEP_SUMMARY_H
#define SAHM_SIM_CLI_SWEEP_SUMMARY_H

#include "sim/sweep/sweep.h"

/* Appends the beginning of a row. */
void summary_row(struct textbuf *out, const char *what);

/* The space and its runs. */
void summary_space(const struct sweep *sweep, const struct sweep_plan *plan, const struct sweep_shard *shard,
		   struct textbuf *out);

/* The estimate; `is_new`: there is no results database yet. */
void summary_estimate(const struct sweep_plan *plan, const struct sweep_estimate *e, uint32_t nr_workers, bool is_new,
		      struct textbuf *out);

/* What became of it, in the store at `path`. */
void summary_outcome(const char *path, const struct sweep_plan *plan, const struct sweep_outcome *outcome,
		     struct textbuf *out);

/* Fails: `nr` runs of the store at `path` failed; `rest` comes last. SAHM_POLICY, SAHM_NOMEM. */
enum sahm_status summary_failed(uint64_t nr, const char *path, const char *rest, struct sahm_err *err);

/* That runs have second results, if any has. */
void summary_seconds(uint64_t nr, struct textbuf *out);

#endif
