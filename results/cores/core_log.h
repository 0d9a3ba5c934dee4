/* What a core did with every uop: its times, and what the timing model was given. */
#ifndef SAHM_RESULTS_CORES_CORE_LOG_H
#define SAHM_RESULTS_CORES_CORE_LOG_H

#include <stdio.h>

#include "workloads/stream/core_run.h"

/* Writes the heading of the times, CSV. */
void core_log_stamps_head(FILE *out);

/* Appends a row per uop; *seq is the number of the first one, and of the next one afterwards. */
void core_log_stamps(FILE *out, uint64_t *seq, const struct uop_batch *batch, const struct uop_stamps *stamps);

/* Appends a JSON object a line per uop: with the resolved model, all that its times follow from. */
void core_log_uops(FILE *out, uint64_t *seq, const struct core_timing *t, const struct uop_batch *batch);

#endif
