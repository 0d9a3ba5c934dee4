/* A run's result as text: a table for people, JSON and CSV for programs. */
#ifndef SAHM_RESULTS_RUN_REPORT_H
#define SAHM_RESULTS_RUN_REPORT_H

#include "sim/base/textbuf.h"
#include "sim/engine/run.h"

/* Each appends to `out`; false when memory was short. `title` names the configuration; `bold` sets headings in bold. */
bool run_report_text(const struct run_config *config, const struct run_result *result, const char *title, bool bold,
		     struct textbuf *out);

/* One object; member names and units are those of the man page, "JSON". */
bool run_report_json(const struct run_config *config, const struct run_result *result, struct textbuf *out);

/* A header, a row per thread; a row `mean` (over threads, each weighing the same) and a row `system` (totals, and
 * shares over all executed timesteps). Simulated time is that of all simulations together in both. */
bool run_report_csv(const struct run_config *config, const struct run_result *result, struct textbuf *out);

#endif
