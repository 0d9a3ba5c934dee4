/* The order in which threads join a simulation. */
#include <stdlib.h>

#include "sim/engine/sim_internal.h"

struct arrival {
	uint64_t step;
	uint32_t thread;
};

static int compare_arrivals(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;
	int order = (x->step > y->step) - (x->step < y->step);
	return order ? order : (x->thread > y->thread) - (x->thread < y->thread);
}

enum sahm_status arrivals_init(struct arrivals *arrivals, struct arena *a, const struct sim_config *config,
			       struct sahm_err *err)
{
	struct arrival *sorted = arena_alloc(a, config->nr_threads, sizeof(*sorted));
	*arrivals = (struct arrivals){.threads = arena_alloc(a, config->nr_threads, sizeof(*arrivals->threads)),
				      .nr = config->nr_threads};
	if (!sorted || !arrivals->threads)
		return sahm_fail_nomem(err);
	bool in_order = true;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		sorted[t] = (struct arrival){arrival_step(config, t), t};
		in_order &= t == 0 || sorted[t].step >= sorted[t - 1].step;
	}
	if (!in_order)
		qsort(sorted, config->nr_threads, sizeof(*sorted), compare_arrivals);
	for (uint32_t i = 0; i < config->nr_threads; i++)
		arrivals->threads[i] = sorted[i].thread;
	return SAHM_OK;
}
