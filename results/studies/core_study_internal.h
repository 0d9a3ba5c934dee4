/* What tables and figures of studies of cores share. */
#ifndef SAHM_RESULTS_STUDIES_CORE_STUDY_INTERNAL_H
#define SAHM_RESULTS_STUDIES_CORE_STUDY_INTERNAL_H

#include "results/studies/core_study.h"

/* The streams, and of several their sum, last. */
struct study_rows {
	const struct core_study *study;
	const struct core_study_result *results; /* [nr_streams] */
	size_t nr_streams, nr;
	size_t nr_folders; /* characters of streams' names: folders that all are in */
	struct core_study_result sum;
};

void study_rows_init(struct study_rows *rows, const struct core_study *s, const struct core_study_result *results,
		     size_t nr);
const struct core_study_result *study_row(const struct study_rows *rows, size_t i);

/* The name of a row, without these folders. */
const char *study_row_name(const struct study_rows *rows, size_t i);

/* "fetch", "branch", "both". */
const char *study_set_name(enum study_set set);

/* 0 of nothing. */
double study_pct(int64_t part, uint64_t whole);

#endif
