/* What the forms of the study of value prediction share. */
#ifndef SAHM_RESULTS_STUDIES_VALUE_PREDICTION_STUDY_INTERNAL_H
#define SAHM_RESULTS_STUDIES_VALUE_PREDICTION_STUDY_INTERNAL_H

#include "results/studies/value_prediction_study.h"

/* Points of others in figure 17. */
struct value_published {
	const char *name, *label; /* label: in the figure */
	double coverage_pct, speedup_pct;
};
#define NR_VALUE_PUBLISHED 3u
extern const struct value_published value_published[NR_VALUE_PUBLISHED];

/* "unaware", "aware"; the pass of an aware point, from 1, the last one that of latencies; the share of its loads. */
const char *value_point_way(unsigned point);
unsigned value_point_pass(unsigned point);
unsigned value_point_share_pct(unsigned point);

#endif
