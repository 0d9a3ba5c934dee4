/* Between the files of the search. */
#ifndef SAHM_SIM_SWEEP_OPTIMIZE_INTERNAL_H
#define SAHM_SIM_SWEEP_OPTIMIZE_INTERNAL_H

#include "sim/base/strtable.h"
#include "sim/sweep/optimize.h"

/* A search under way: what was evaluated, and the best of it. */
struct search {
	const struct optimize_problem *problem;
	const struct optimize_options *options;
	struct optimize_result *result;
	uint64_t total;	       /* evaluations to come in all, 0: not known */
	struct arena arena;    /* of the table */
	struct strtable index; /* of mixes: their place in values[], from 1 */
	double *values;
	size_t nr_values, room;
};

/* Takes note of the objective of a mix that was not known: it may be among the best. */
void search_take(struct search *s, const uint32_t counts[MAX_MIX_TYPES], double value);

/* The objective of a mix, evaluated unless it is known from before. */
enum sahm_status search_value(struct search *s, const uint32_t counts[MAX_MIX_TYPES], double *value,
			      struct sahm_err *err);

/* Evaluates a mix, whatever is known; a failure has it in front. */
enum sahm_status search_evaluate(const struct search *s, const uint32_t counts[MAX_MIX_TYPES], double *value,
				 struct sahm_err *err);

/* The method for spaces that are too large for all mixes (optimize_anneal.c); some mix fits. */
enum sahm_status search_by_annealing(struct search *s, struct sahm_err *err);

#endif
