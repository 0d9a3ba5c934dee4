/* Distributions as the study's box plots show them: box from the 25th to the 75th percentile, whiskers over the entire
 * range, median and mean. Source: dissertation, figures 4.8 and 4.9 and appendix A.3.
 *
 * Percentiles are those of sim/base/stats.h (workloads/trace/percentile.h does the same for many integers, exactly).
 */
#ifndef SAHM_RESULTS_METRICS_BOX_H
#define SAHM_RESULTS_METRICS_BOX_H

#include <stddef.h>

struct box {
	double least, p25, median, p75, most;
	double mean;
};

/* The box of values[nr], nr at least 1, none NAN; sorts them, so that the result does not depend on their order. */
struct box box_of(double *values, size_t nr);

/* A box each of whose numbers is the mean of those of boxes[nr], nr at least 1. */
struct box box_mean(const struct box *boxes, size_t nr);

#endif
