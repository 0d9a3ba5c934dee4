/* Temporal analysis of cores (cores/uarch/temporal.h), as text, CSV, JSON and a figure: slots that two classes could
 * claim, beside the shares of these classes, and how long recoveries are. */
#ifndef SAHM_RESULTS_CORES_TEMPORAL_REPORT_H
#define SAHM_RESULTS_CORES_TEMPORAL_REPORT_H

#include "cores/uarch/temporal.h"
#include "cores/uarch/tma.h"
#include "results/cores/core_report.h"

#define TEMPORAL_SCHEMA "sahm-core-temporal/1"

struct temporal_result {
	const struct core_result *run; /* names and model */
	struct temporal_counts counts;
	struct tma_window window; /* with has_overlap */
};

struct temporal_report {
	size_t nr_streams, nr_cores;
	const struct temporal_result *results; /* [nr_streams][nr_cores] */
	unsigned padding;
	bool has_overlap, has_recoveries;
};

/* Append the report; several streams have sums for each core in tables. False when memory was short. */
bool temporal_text(const struct temporal_report *r, bool bold, struct textbuf *out);
bool temporal_json(const struct temporal_report *r, struct textbuf *out);

/* Rows of what the report has: one of the two. */
bool temporal_csv(const struct temporal_report *r, struct textbuf *out);

/* The figure (results/chart/plot.h): per core, how many recoveries of all streams are of at most a length (paper 000,
 * figure 8). Of at most MAX_STEPS_SERIES cores. SAHM_IO, SAHM_NOMEM. */
extern const char recoveries_figure_name[];
enum sahm_status temporal_plot_write(const struct temporal_report *r, const char *folder, struct sahm_err *err);

#endif
