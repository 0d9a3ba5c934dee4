/* Lengths of stays.
 *
 * A program spends `pace` x its restlessness % of its time in single epochs, at most MOST_SINGLE_PCT, and the share
 * `calm` of what remains in long stays. The simplex method finds the two numbers at which the generated suite has the
 * study's share of epochs that stay in their state, and a majority of its time in intervals of 10 s and more.
 */
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#include "sim/fit/fit.h"

#define MOST_SINGLE_PCT 80.0
#define MAX_STEPS 60
/* The study says "the majority": so much of the time, in %. */
#define LONG_TIME_PCT 56.0

struct search {
	struct fit *fit;
	struct sahm_err *err;
	enum sahm_status status;
};

static void set_stays(struct fit *f, double pace, double calm)
{
	for (size_t i = 0; i < f->nr; i++) {
		struct program *p = &f->programs[i];
		p->single_pct = fmin(MOST_SINGLE_PCT, pace * p->restless);
		p->long_pct = fmin(1, calm) * (100 - p->single_pct);
	}
}

static double cost_of(const gsl_vector *x, void *data)
{
	struct search *s = data;
	double ours[NR_CLAIMS];
	set_stays(s->fit, exp(gsl_vector_get(x, 0)), exp(gsl_vector_get(x, 1)));
	if (s->status == SAHM_OK)
		s->status = fit_measure(s->fit, ours, s->err);
	if (s->status != SAHM_OK)
		return GSL_NAN;
	double same = ours[CLAIM_SAME_STATE] - strtod(claim_rows[CLAIM_SAME_STATE].expected, NULL);
	double in_long = ours[CLAIM_LONG_TIME] - LONG_TIME_PCT;
	return same * same + in_long * in_long / 25;
}

enum sahm_status fit_stays(struct fit *f, struct sahm_err *err)
{
	struct search s = {.fit = f, .err = err};
	gsl_multimin_function target = {cost_of, 2, &s};
	gsl_vector *x = gsl_vector_alloc(2), *step = gsl_vector_alloc(2);
	gsl_multimin_fminimizer *m = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 2);
	gsl_vector_set(x, 0, log(15));
	gsl_vector_set(x, 1, log(0.7));
	gsl_vector_set_all(step, 0.15);
	int fault = gsl_multimin_fminimizer_set(m, &target, x, step);
	for (unsigned i = 0; i < MAX_STEPS && !fault && s.status == SAHM_OK; i++) {
		fault = gsl_multimin_fminimizer_iterate(m);
		if (gsl_multimin_test_size(gsl_multimin_fminimizer_size(m), 2e-3) == GSL_SUCCESS)
			break;
	}
	double pace = exp(gsl_vector_get(m->x, 0)), calm = exp(gsl_vector_get(m->x, 1));
	set_stays(f, pace, calm);
	if (!fault)
		fprintf(stderr, "stays: cost %.4g, pace %.3f, calm %.3f\n", m->fval, pace, calm);
	gsl_multimin_fminimizer_free(m);
	gsl_vector_free(step);
	gsl_vector_free(x);
	if (s.status != SAHM_OK)
		return s.status;
	return fault ? sahm_fail(err, SAHM_TOOL, "no lengths of stays were found: %s", gsl_strerror(fault)) : SAHM_OK;
}
