/* Lengths of stays.
 *
 * A program spends `pace` x its restlessness % of its time in single epochs, at most MOST_SINGLE_PCT, and the share
 * `calm` of what remains in long stays. The simplex method finds the two numbers at which the generated suite has the
 * study's share of epochs that stay in their state, and a majority of its time in intervals of 10 s and more.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/fit/fit.h"

#define MOST_SINGLE_PCT 80.0
#define MAX_STEPS 60
/* Where the search begins. */
#define FIRST_PACE 15
#define FIRST_CALM 0.7
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

static double cost_of(const double *x, void *data)
{
	struct search *s = data;
	double ours[NR_CLAIMS];
	set_stays(s->fit, exp(x[0]), exp(x[1]));
	if (s->status == SAHM_OK)
		s->status = fit_measure(s->fit, ours, s->err);
	if (s->status != SAHM_OK)
		return NAN;
	double same = ours[CLAIM_SAME_STATE] - strtod(claim_rows[CLAIM_SAME_STATE].expected, NULL);
	double in_long = ours[CLAIM_LONG_TIME] - LONG_TIME_PCT;
	return same * same + in_long * in_long / 25;
}

enum sahm_status fit_stays(struct fit *f, struct sahm_err *err)
{
	struct sahm_err why;
	struct search s = {.fit = f, .err = &why};
	const struct fit_target target = {cost_of, &s, 2, 0.15, 2e-3, MAX_STEPS, "lengths of stays"};
	double x[2] = {log(FIRST_PACE), log(FIRST_CALM)};
	enum sahm_status status = fit_minimize(&target, x, err);
	if (s.status != SAHM_OK)
		return sahm_fail(err, s.status, "%s", why.msg);
	if (status != SAHM_OK)
		return status;
	set_stays(f, exp(x[0]), exp(x[1]));
	fprintf(stderr, "stays: pace %.3f, calm %.3f\n", exp(x[0]), exp(x[1]));
	return SAHM_OK;
}
