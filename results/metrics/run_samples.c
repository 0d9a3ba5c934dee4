#include "results/metrics/run_samples.h"

#include <math.h>
#include <stdlib.h>

void run_samples_release(struct run_samples *s)
{
	free(s->metrics);
	*s = (struct run_samples){0};
}

static enum sahm_status interval_of(const struct run_samples *s, enum run_metric which, uint64_t seed, double *values,
				    struct stats_interval *interval, struct sahm_err *err)
{
	for (uint32_t i = 0; i < s->nr; i++) {
		values[i] = run_metric(&s->metrics[i], which);
		if (!isfinite(values[i])) {
			*interval = (struct stats_interval){NAN, NAN, NAN};
			return SAHM_OK;
		}
	}
	const size_t nr = s->nr;
	return stats_of_samples(values, &nr, 1, seed, run_metric_rows[which].name, interval, err);
}

enum sahm_status run_samples_of(const struct run_result *r, uint64_t seed, struct run_samples *s, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*s = (struct run_samples){.nr = r->nr_samples};
	if (!r->samples)
		return SAHM_OK;
	double *values = calloc(s->nr, sizeof(*values));
	s->metrics = calloc(s->nr, sizeof(*s->metrics));
	if (!values || !s->metrics)
		status = sahm_fail_nomem(err);
	for (uint32_t i = 0; i < s->nr && status == SAHM_OK; i++)
		status = run_metrics_of(&r->samples[i], &s->metrics[i], err);
	for (int which = 0; which < NR_RUN_METRICS && status == SAHM_OK; which++)
		status = interval_of(s, (enum run_metric)which, seed, values, &s->intervals[which], err);
	free(values);
	if (status != SAHM_OK)
		run_samples_release(s);
	return status;
}

void run_samples_put_means(const struct run_samples *s, struct run_metrics *m)
{
	if (!s->metrics)
		return;
#define RUN_METRIC(member, form, words)                                                                                \
	if (RUN_##form != RUN_TIME && RUN_##form != RUN_WAIT)                                                          \
		m->member = s->intervals[RUN_METRIC_##member].mean;
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
}
