/* The simplex method of Nelder and Mead: all that is used of GSL. */
#include <gsl/gsl_multimin.h>

#include "sim/fit/fit.h"

static double cost_at(const gsl_vector *x, void *data)
{
	const struct fit_target *target = data;
	return target->cost(x->data, target->data);
}

enum sahm_status fit_minimize(const struct fit_target *target, double *x, struct sahm_err *err)
{
	gsl_multimin_function function = {cost_at, target->nr, (void *)(uintptr_t)target};
	gsl_vector_view start = gsl_vector_view_array(x, target->nr);
	gsl_vector *step = gsl_vector_alloc(target->nr);
	gsl_multimin_fminimizer *m = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, target->nr);
	enum sahm_status status = step && m ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		gsl_vector_set_all(step, target->step);
		int fault = gsl_multimin_fminimizer_set(m, &function, &start.vector, step);
		for (unsigned i = 0; i < target->max_steps && !fault; i++) {
			fault = gsl_multimin_fminimizer_iterate(m);
			if (gsl_multimin_test_size(gsl_multimin_fminimizer_size(m), target->close) == GSL_SUCCESS)
				break;
		}
		if (fault)
			status = sahm_fail(err, SAHM_TOOL, "no %s were found: %s", target->what, gsl_strerror(fault));
		else
			gsl_vector_memcpy(&start.vector, m->x);
	}
	if (m)
		gsl_multimin_fminimizer_free(m);
	gsl_vector_free(step);
	return status;
}
