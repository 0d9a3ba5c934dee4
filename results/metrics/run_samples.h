/* Several samples of a run: the metrics of each, their means, and what they say of the mean over all samples that one
 * could draw (stats_of_samples()): the first, which begins where the configuration says, is no drawn one. */
#ifndef SAHM_RESULTS_METRICS_RUN_SAMPLES_H
#define SAHM_RESULTS_METRICS_RUN_SAMPLES_H

#include "results/metrics/run_metrics.h"
#include "sim/base/stats.h"

struct run_samples {
	struct run_metrics *metrics; /* [nr], of one sample each; NULL if there is but one */
	uint32_t nr;
	/* Mean over samples, and the interval; NAN where a sample has no such metric, or an infinite one. */
	struct stats_interval intervals[NR_RUN_METRICS];
};

/* Fills `s`, which is released by run_samples_release(); resampling is seeded by `seed` and the metric's name. There
 * are no metrics and no intervals when the result has but one sample. SAHM_NOMEM. */
enum sahm_status run_samples_of(const struct run_result *r, uint64_t seed, struct run_samples *s, struct sahm_err *err);

/* Puts the means over samples in the place of `m`'s metrics, if there are several, but for times, which add up as
 * counts do, and waits, whose percentiles are of all of them together: what is made of pooled counts evens out what
 * differs from sample to sample, and a fairness of that is another one. */
void run_samples_put_means(const struct run_samples *s, struct run_metrics *m);

void run_samples_release(struct run_samples *s);

#endif
