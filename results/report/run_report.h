/* A run's result as text: a table for people, JSON and CSV for programs. */
#ifndef SAHM_RESULTS_REPORT_RUN_REPORT_H
#define SAHM_RESULTS_REPORT_RUN_REPORT_H

#include "sim/base/textbuf.h"
#include "sim/engine/config/run.h"

/* How the form for people looks. */
struct run_report_look {
	const char *title; /* names the configuration */
	bool bold;	   /* headings in bold */
	bool details;	   /* tables by core and by state */
};

/* Each appends to `out`; false when memory was short. */
bool run_report_text(const struct run_config *config, const struct run_result *result,
		     const struct run_report_look *look, struct textbuf *out);

/* One object; member names and units are those of the man page, "JSON". */
bool run_report_json(const struct run_config *config, const struct run_result *result, struct textbuf *out);

/* A header, a row per thread; with `details` a row per core and per state; with several samples a row per metric; a row
 * `mean` (over threads that were present, each weighing the same) and a row `system` (totals, and shares over all
 * executed timesteps). Columns are those of the man page, "CSV"; with introspection some more at the end, and before
 * these, in continuous time, some for sleep and waits. Simulated time is that of all simulations together in the last
 * two. */
bool run_report_csv(const struct run_config *config, const struct run_result *result, bool details,
		    struct textbuf *out);

#endif
