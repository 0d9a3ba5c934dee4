/* What the forms of the study of samplers share. */
#ifndef SAHM_RESULTS_STUDIES_TEA_STUDY_INTERNAL_H
#define SAHM_RESULTS_STUDIES_TEA_STUDY_INTERNAL_H

#include "results/metrics/box.h"
#include "results/studies/tea_study.h"

/* The mean number of TEA's samples at a period. */
static inline double tea_mean_samples(const struct tea_program *programs, size_t nr, unsigned period)
{
	double sum = 0;
	for (size_t i = 0; i < nr; i++)
		sum += (double)programs[i].errors[period][SCHEME_TEA].samples;
	return sum / (double)nr;
}

/* The correlations of an event: values[], as many as the result. */
static inline size_t tea_correlations(const struct tea_program *programs, size_t nr, enum stack_event event,
				      double *values)
{
	size_t n = 0;
	for (size_t i = 0; i < nr; i++)
		if (programs[i].has_r[event])
			values[n++] = programs[i].r[event];
	return n;
}

static inline uint32_t tea_storage_bits(const struct tea_storage *s)
{
	return s->fetch_buffer + s->rob + s->last_committed + s->lsu + s->front_end;
}

#endif
