/* What tables and figures of what-if share. */
#ifndef SAHM_RESULTS_CORES_CORE_WHATIF_INTERNAL_H
#define SAHM_RESULTS_CORES_CORE_WHATIF_INTERNAL_H

#include "results/cores/core_whatif.h"

/* Cycles and instructions of results[nr] together. */
void whatif_sum(const struct whatif *w, const struct whatif_result *results, size_t nr, struct whatif_result *sum);

/* The sums of their Shapley values: sum[nr_parts]. */
void whatif_sum_shares(const struct whatif *w, const struct whatif_result *results, size_t nr,
		       struct whatif_share *sum);

#endif
