#include "results/limit.h"

#include <math.h>
#include <stdlib.h>

#include "cores/core_list.h"
#include "sim/base/stats.h"
#include "sim/base/units.h"

void limit_weights(const uint64_t in_state[NR_STATES], double weights[NR_STATES])
{
	for (unsigned s = 0; s < NR_STATES; s++)
		weights[s] = (double)in_state[s];
}

double limit_speedup(const double weights[NR_STATES], const int32_t speedup_ppm[NR_STATES])
{
	double baseline = 0, limit = 0;
	for (unsigned s = 0; s < NR_STATES; s++) {
		baseline += weights[s];
		limit += weights[s] * (double)PROGRESS_PER_NS / (double)(PROGRESS_PER_NS + speedup_ppm[s]);
	}
	return baseline / limit - 1;
}

struct box limit_breadth(const double weights[NR_STATES])
{
	double speedups[NR_SPACE_CONFIGS - 1];
	for (unsigned i = 1; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(i);
		int32_t speedup_ppm[NR_STATES];
		space_best_speedups(&config, speedup_ppm);
		speedups[i - 1] = limit_speedup(weights, speedup_ppm);
	}
	return box_of(speedups, NR_SPACE_CONFIGS - 1);
}

/* Epochs of a trace by state. */
static enum sahm_status count_states(const struct run_config *config, struct trace *trace, uint64_t in_state[NR_STATES],
				     struct sahm_err *err)
{
	const uint8_t *states = NULL;
	uint8_t *own = NULL;
	uint64_t nr = trace_nr_epochs(trace);
	enum sahm_status status;
	if (config->cache) {
		status = run_cache_states(config->cache, trace, &config->cuts, &states, err);
	} else {
		states = own = malloc(nr);
		status = own ? trace_states(trace, &config->cuts, own, err) : sahm_fail_nomem(err);
	}
	for (unsigned s = 0; s < NR_STATES; s++)
		in_state[s] = 0;
	for (uint64_t e = 0; e < nr && status == SAHM_OK; e++)
		in_state[states[e]]++;
	free(own);
	return status;
}

/* For each state the best of the cores on which a thread may run. */
static void best_of_chip(const struct run_config *config, const uint64_t *allowed, int32_t speedup_ppm[NR_STATES])
{
	bool any = false;
	for (uint32_t c = 0; c < config->chip.nr_cores; c++) {
		const struct core_type *type = config->chip.cores[c];
		/* Cores of a group stand side by side. */
		if (!core_set_has(allowed, c) || (any && !allowed && c > 0 && type == config->chip.cores[c - 1]))
			continue;
		for (unsigned s = 0; s < NR_STATES; s++)
			if (!any || type->speedup_ppm[s] > speedup_ppm[s])
				speedup_ppm[s] = type->speedup_ppm[s];
		any = true;
	}
}

static enum sahm_status put_means(struct record *r, struct sahm_err *err)
{
	double *progress = calloc(r->nr_threads, sizeof(*progress));
	double inverses = 0;
	if (!progress)
		return sahm_fail_nomem(err);
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		progress[t] = r->threads[t].speedup;
		inverses += 1 / (1 + progress[t]);
	}
	r->metrics[RUN_METRIC_speedup_mean] = stats_mean(progress, r->nr_threads);
	for (uint32_t t = 0; t < r->nr_threads; t++)
		progress[t] += 1;
	r->metrics[RUN_METRIC_speedup_harmonic] = r->nr_threads / inverses - 1;
	r->metrics[RUN_METRIC_speedup_geometric] = stats_geometric_mean(progress, r->nr_threads) - 1;
	free(progress);
	return SAHM_OK;
}

enum sahm_status record_of_limit(struct arena *a, const struct run_config *config, struct record *r,
				 struct sahm_err *err)
{
	double(*weights)[NR_STATES] = calloc(config->nr_traces, sizeof(*weights));
	enum sahm_status status = weights ? record_of_config(a, config, r, err) : sahm_fail_nomem(err);
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++) {
		uint64_t in_state[NR_STATES];
		status = count_states(config, config->traces[i].trace, in_state, err);
		limit_weights(in_state, weights[i]);
	}
	int32_t speedup_ppm[NR_STATES];
	for (uint32_t t = 0; t < config->nr_threads && status == SAHM_OK; t++) {
		const struct run_thread *th = &config->threads[t];
		if (t == 0 || th->allowed || config->threads[t - 1].allowed)
			best_of_chip(config, th->allowed, speedup_ppm);
		r->threads[t].speedup = limit_speedup(weights[th->trace], speedup_ppm);
	}
	if (status == SAHM_OK)
		status = put_means(r, err);
	free(weights);
	return status;
}
