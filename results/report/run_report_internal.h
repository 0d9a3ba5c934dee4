/* What the forms of a run's report have in common. */
#ifndef SAHM_RESULTS_REPORT_RUN_REPORT_INTERNAL_H
#define SAHM_RESULTS_REPORT_RUN_REPORT_INTERNAL_H

#include "results/metrics/json.h"
#include "results/metrics/run_facts.h"
#include "results/metrics/run_metrics.h"
#include "results/metrics/run_samples.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "results/report/run_report.h"

struct run_report {
	const struct run_config *config;
	const struct run_result *result;
	struct run_metrics metrics; /* counts and sums of all samples; of metrics in the list, but times, their means */
	struct run_samples samples;
	struct trace_counts
		traces; /* with any that are synthetic, or of an assumed time base, what is reported is so */
	char hash[HASH_HEX_BYTES];
};

/* Introspection; what it says nothing of, it writes nothing for. For people: a line of the heading, a line, a table by
 * core. */
void run_report_write_probe_heading(const struct run_config *config, struct textbuf *out);
void run_report_write_probe_line(const struct run_report *report, struct textbuf *out);
void run_report_fill_probe_table(const struct run_report *report, struct table *t);
/* JSON: a member. CSV: names of columns, which come last, and their fields in one row. */
enum probe_row { PROBE_ROW_EMPTY, PROBE_ROW_CORE, PROBE_ROW_ALL };
enum { NR_PROBE_COLUMNS = 13 };
void run_report_write_probe_json(const struct run_report *report, struct jwriter *j);
void run_report_write_probe_columns(struct textbuf *out);
void run_report_write_probe_fields(const struct run_report *report, enum probe_row row, uint32_t core,
				   struct textbuf *out);

void run_report_write_json(const struct run_report *report, struct textbuf *out);
void run_report_write_csv(const struct run_report *report, bool details, struct textbuf *out);

#endif
