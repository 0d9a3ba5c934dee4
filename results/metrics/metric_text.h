/* Metrics as people read them. */
#ifndef SAHM_RESULTS_METRICS_METRIC_TEXT_H
#define SAHM_RESULTS_METRICS_METRIC_TEXT_H

#include "results/metrics/run_metrics.h"

/* Longest of these texts, with its closing NUL. */
#define METRIC_TEXT_BYTES 64

/* A metric in its form, a time in the unit that is right for `like`: "+18.25 %", "12.34 s", "3.141"; a dash where there
 * is none. Returns `text`. */
const char *metric_text(enum run_form form, double value, double like, char text[METRIC_TEXT_BYTES]);

/* Why a run can be without metrics of this form, for messages; NULL: none can. */
const char *why_no_metric(enum run_form form);

/* Why speedups are negative where threads share cores. */
extern const char why_below_zero[];

/* The difference of two such metrics, with its sign; that of speedups and shares in percentage points. */
const char *metric_difference_text(enum run_form form, double value, double like, char text[METRIC_TEXT_BYTES]);

#endif
