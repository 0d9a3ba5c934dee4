#include "results/studies/limit.h"

#include <math.h>
#include <stdlib.h>

#include "cores/chip/core_list.h"
#include "sim/base/stats.h"
#include "sim/base/units.h"
#include "sim/engine/config/run.h"

void limit_weights(const uint64_t in_state[NR_STATES], double weights[NR_STATES])
{
	for (unsigned s = 0; s < NR_STATES; s++)
		weights[s] = (double)in_state[s];
}

/* Place of a speedup among those that the chip has, in ascending order, each once. */
static unsigned place_of(struct limit_chip *chip, int32_t ppm)
{
	unsigned at = 0;
	while (at < chip->nr && chip->speedup_ppm[at] < ppm)
		at++;
	if (at < chip->nr && chip->speedup_ppm[at] == ppm)
		return at;
	for (unsigned i = chip->nr++; i > at; i--)
		chip->speedup_ppm[i] = chip->speedup_ppm[i - 1];
	chip->speedup_ppm[at] = ppm;
	return at;
}

void limit_chip_init(struct limit_chip *chip, const int32_t speedup_ppm[NR_STATES])
{
	chip->nr = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		place_of(chip, speedup_ppm[s]);
	for (unsigned s = 0; s < NR_STATES; s++)
		chip->place[s] = (uint8_t)place_of(chip, speedup_ppm[s]);
}

double limit_on(const struct limit_chip *chip, const double weights[NR_STATES])
{
	double baseline = 0, limit = 0, sum[NR_STATES] = {0};
	for (unsigned s = 0; s < NR_STATES; s++) {
		baseline += weights[s];
		sum[chip->place[s]] += weights[s];
	}
	for (unsigned i = 0; i < chip->nr; i++)
		limit += sum[i] * (double)PROGRESS_PER_NS / (double)(PROGRESS_PER_NS + chip->speedup_ppm[i]);
	return baseline / limit - 1;
}

double limit_speedup(const double weights[NR_STATES], const int32_t speedup_ppm[NR_STATES])
{
	struct limit_chip chip;
	limit_chip_init(&chip, speedup_ppm);
	return limit_on(&chip, weights);
}

bool limit_of_chip(const struct chip *chip, const uint64_t *allowed, int32_t speedup_ppm[NR_STATES])
{
	const struct core_type *last = NULL; /* equal cores stand side by side: each kind is looked at once in a row */
	for (uint32_t c = 0; c < chip->nr_cores; c++) {
		const struct core_type *type = chip->cores[c];
		if (type == last || !core_set_has(allowed, c))
			continue;
		for (unsigned s = 0; s < NR_STATES; s++)
			if (!last || type->speedup_ppm[s] > speedup_ppm[s])
				speedup_ppm[s] = type->speedup_ppm[s];
		last = type;
	}
	return last != NULL;
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

/* Epochs of trace `i` by state. */
static enum sahm_status count_states(const struct run_config *config, uint32_t i, uint64_t in_state[NR_STATES],
				     struct sahm_err *err)
{
	const uint8_t *states = NULL;
	uint64_t nr = trace_nr_epochs(config->traces[i].trace);
	uint8_t *own = config->cache ? NULL : malloc(nr);
	enum sahm_status status =
		own || config->cache ? run_states(config, i, own, &states, err) : sahm_fail_nomem(err);
	for (unsigned s = 0; s < NR_STATES; s++)
		in_state[s] = 0;
	for (uint64_t e = 0; e < nr && status == SAHM_OK; e++)
		in_state[states[e]]++;
	free(own);
	return status;
}

/* Means of the speedups that there are. */
static enum sahm_status put_means(struct record *r, struct sahm_err *err)
{
	double *speedups = calloc(r->nr_threads, sizeof(*speedups));
	double inverses = 0;
	size_t nr = 0;
	if (!speedups)
		return sahm_fail_nomem(err);
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		if (isnan(r->threads[t].speedup))
			continue;
		speedups[nr++] = r->threads[t].speedup;
		inverses += 1 / (1 + r->threads[t].speedup);
	}
	if (nr > 0) {
		r->metrics[RUN_METRIC_speedup_mean] = stats_mean(speedups, nr);
		for (size_t i = 0; i < nr; i++)
			speedups[i] += 1;
		r->metrics[RUN_METRIC_speedup_harmonic] = (double)nr / inverses - 1;
		r->metrics[RUN_METRIC_speedup_geometric] = stats_geometric_mean(speedups, nr) - 1;
	}
	free(speedups);
	return SAHM_OK;
}

enum sahm_status record_of_limit(struct arena *a, const struct run_config *config, struct record *r,
				 struct sahm_err *err)
{
	double(*weights)[NR_STATES] = calloc(config->nr_traces, sizeof(*weights));
	enum sahm_status status = weights ? record_of_config(a, config, r, err) : sahm_fail_nomem(err);
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++) {
		uint64_t in_state[NR_STATES];
		status = count_states(config, i, in_state, err);
		limit_weights(in_state, weights[i]);
	}
	int32_t speedup_ppm[NR_STATES];
	bool any = false;
	for (uint32_t t = 0; t < config->nr_threads && status == SAHM_OK; t++) {
		const struct run_thread *th = &config->threads[t];
		if (t == 0 || th->allowed != config->threads[t - 1].allowed)
			any = limit_of_chip(&config->chip, th->allowed, speedup_ppm);
		r->threads[t].speedup = any ? limit_speedup(weights[th->trace], speedup_ppm) : NAN;
	}
	if (status == SAHM_OK)
		status = put_means(r, err);
	free(weights);
	return status;
}
