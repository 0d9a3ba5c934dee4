/* Characterisations of traces as text: a table for people, JSON and CSV for programs. */
#ifndef SAHM_RESULTS_CHARACTERIZE_REPORT_H
#define SAHM_RESULTS_CHARACTERIZE_REPORT_H

#include "sim/base/textbuf.h"
#include "workloads/characterize.h"

/* One trace and its counts. */
struct characterized {
	const char *name;
	struct characterization counts;
};

/* Each appends what is known of rows[nr] (nr at least 1) and their mean over traces, every trace weighing the same;
 * false when memory was short. `cuts_name` says which cuts made the states; `bold` sets headings in bold. */
bool characterize_report_text(const struct characterized *rows, size_t nr, const char *cuts_name, bool bold,
			      struct textbuf *out);
bool characterize_report_json(const struct characterized *rows, size_t nr, const char *cuts_name, struct textbuf *out);
bool characterize_report_csv(const struct characterized *rows, size_t nr, struct textbuf *out);

#endif
