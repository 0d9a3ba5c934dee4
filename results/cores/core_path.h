/* Critical paths of cores (cores/uarch/critical_path.h), as text, CSV, JSON and a figure: the cycles by cause, and the
 * instructions that are waited for. */
#ifndef SAHM_RESULTS_CORES_CORE_PATH_H
#define SAHM_RESULTS_CORES_CORE_PATH_H

#include "results/cores/core_report.h"
#include "results/cores/path_tops.h"

#define PATH_SCHEMA "sahm-core-path/1"

struct path_report {
	size_t nr_streams, nr_cores;
	const struct core_result *results; /* [nr_streams][nr_cores]: with paths, and epochs or none */
	const struct path_tops *tops;	   /* [nr_streams][nr_cores], or NULL */
};

/* Append the report. Several streams have sums for each core, but not of instructions and edges, which are each
 * program's own, nor of epochs. False when memory was short. */
bool path_text(const struct path_report *r, bool bold, struct textbuf *out);
bool path_json(const struct path_report *r, struct textbuf *out);

/* A row for each cause with cycles, of each epoch where results have them; without instructions and edges. */
bool path_csv(const struct path_report *r, struct textbuf *out);

/* The figure "path_causes" (results/chart/plot.h): a bar per stream and core. */
extern const char path_figure_name[];
enum sahm_status path_plot_write(const struct path_report *r, const char *folder, struct sahm_err *err);

#endif
