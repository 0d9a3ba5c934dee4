/* What tables and figures of what-if share. */
#ifndef SAHM_RESULTS_CORES_CORE_WHATIF_INTERNAL_H
#define SAHM_RESULTS_CORES_CORE_WHATIF_INTERNAL_H

#include "results/cores/core_whatif.h"

/* The streams, and of several their sum, last. */
struct whatif_rows {
	const struct whatif *w;
	const struct whatif_result *results; /* [nr_streams] */
	size_t nr_streams, nr;
	size_t nr_folders; /* characters of streams' names: folders that all are in */
	struct whatif_result sum;
};

void whatif_rows_init(struct whatif_rows *rows, const struct whatif *w, const struct whatif_result *results, size_t nr);
const struct whatif_result *whatif_row(const struct whatif_rows *rows, size_t i);

/* The name of a row, without these folders. */
const char *whatif_row_name(const struct whatif_rows *rows, size_t i);

/* Shapley values of a row: shares[nr_parts]. */
void whatif_row_shares(const struct whatif_rows *rows, size_t i, struct whatif_share *shares);

/* 0 of nothing. */
double whatif_pct(int64_t part, uint64_t whole);

#endif
