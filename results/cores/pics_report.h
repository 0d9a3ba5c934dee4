/* Per-instruction cycle stacks of streams on cores, exact and sampled, as text, CSV, JSON, folded stacks and figures.
 *
 * A lane is a core on which a program runs with remedies (workloads/stream/remedies.h). Lane 0 has none.
 */
#ifndef SAHM_RESULTS_CORES_PICS_REPORT_H
#define SAHM_RESULTS_CORES_PICS_REPORT_H

#include "results/cores/core_report.h"
#include "results/cores/ipu_samples.h"
#include "results/cores/pics_view.h"

#define PICS_SCHEMA "sahm-core-pics/1"

struct pics_result {
	const struct core_result *run; /* names and model */
	const struct stacks *stacks;
	const struct stack_samples *samples; /* NULL: none were taken */
	const struct code_name *names;	     /* [stacks->nr_insns] */
};

struct pics_report {
	const struct pics_result *results; /* [nr][nr_lanes] */
	size_t nr, nr_lanes;
	const char *const *lanes; /* [nr_lanes]: what each is called; NULL: there is one, without remedies */
	enum pics_by by;
	uint64_t top; /* units of each result that are shown; 0: all */
	enum stack_scheme schemes[NR_STACK_SCHEMES];
	unsigned nr_schemes; /* 0: no samples are shown */
	/* Of the only result: shown after the stacks, in CSV instead of them; NULL: none. */
	const struct ipu_stacks *ipu;
};

/* Append the report. False when memory was short. */
bool pics_text(const struct pics_report *r, bool bold, struct textbuf *out);
bool pics_json(const struct pics_report *r, struct textbuf *out);

/* A row for each unit and signature, of exact stacks and of each scheme. */
bool pics_csv(const struct pics_report *r, struct textbuf *out);

/* "program;function;file:line;ST-L1 count" for each, as flame graphs are made of. Counts are cycles, rounded so that
 * they add up to all cycles. */
bool pics_folded(const struct pics_report *r, struct textbuf *out);

/* Figures (results/chart/plot.h), NULL at the end: of lanes the stacks in each and the speedups, otherwise the highest
 * stacks, exact and by each scheme. Of one stream on one core. */
const char *const *pics_figure_names(bool has_lanes);
enum sahm_status pics_plot_write(const struct pics_report *r, const char *folder, struct sahm_err *err);

#endif
