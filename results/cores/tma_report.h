/* Top-down analysis of cores (cores/uarch/tma.h), as text, CSV, JSON and figures: shares of slots by class, as formulas
 * have them and as they are, side by side. The gap of a class is its share by a formula less its share of exact slots.
 */
#ifndef SAHM_RESULTS_CORES_TMA_REPORT_H
#define SAHM_RESULTS_CORES_TMA_REPORT_H

#include "cores/uarch/tma.h"
#include "results/cores/core_report.h"

#define TMA_SCHEMA "sahm-core-tma/1"

struct tma_epoch {
	uint64_t number;
	struct tma_window window;
};

struct tma_result {
	const struct core_result *run; /* names and model; its counts and epochs are not looked at */
	struct tma_window window;
	const struct tma_epoch *epochs; /* [nr_epochs], or NULL */
	size_t nr_epochs;
};

struct tma_report {
	size_t nr_streams, nr_cores;
	const struct tma_result *results; /* [nr_streams][nr_cores] */
	unsigned kinds;			  /* bits: what is shown, of those that a core has */
	unsigned level;			  /* 1 to NR_TMA_LEVELS: the deepest shown */
	enum hpm_kind counters;
	bool per_lane;
	const char *const *remarks; /* [nr_remarks]: sentences on all results, without a full stop */
	size_t nr_remarks;
};

/* Append the report. Several streams have sums for each core. False when memory was short. */
bool tma_text(const struct tma_report *r, bool bold, struct textbuf *out);
bool tma_json(const struct tma_report *r, struct textbuf *out);

/* A row for each class of each kind, of each epoch where results have them. */
bool tma_csv(const struct tma_report *r, struct textbuf *out);

/* A row for each lane of the events that are counted by lane, and for what counters read of each event with several
 * sources: what tma_text() shows of lanes. */
bool tma_lanes_csv(const struct tma_report *r, struct textbuf *out);

/* Appends the formulas of these kinds, and what they are of, as core `t` sees them. False when memory was short. */
bool tma_explain(const struct core_timing *t, enum event_family family, unsigned kinds, bool bold, struct textbuf *out);

/* Figures (results/chart/plot.h) "tma_level1" to that of the report's level: a bar per stream, core and kind. */
extern const char *const tma_figure_names[NR_TMA_LEVELS];
enum sahm_status tma_plot_write(const struct tma_report *r, const char *folder, struct sahm_err *err);

#endif
