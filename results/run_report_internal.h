/* What the forms of a run's report have in common. */
#ifndef SAHM_RESULTS_RUN_REPORT_INTERNAL_H
#define SAHM_RESULTS_RUN_REPORT_INTERNAL_H

#include "results/json.h"
#include "results/run_metrics.h"
#include "results/run_report.h"
#include "results/run_samples.h"
#include "results/table.h"
#include "results/trace_words.h"

struct run_report {
	const struct run_config *config;
	const struct run_result *result;
	struct run_metrics metrics; /* counts and sums of all samples; of metrics in the list, but times, their means */
	struct run_samples samples;
	struct trace_counts traces; /* with any that are synthetic, or of nominal time, what is reported is so */
	char hash[HASH_HEX_BYTES];
};

/* Beginning of the timestep in which a thread arrived, and the mean over the simulations in which it left of when that
 * was, cut to whole ns. False when it never did. */
bool run_report_arrived(const struct run_thread_result *r, uint64_t *ns);
bool run_report_left(const struct run_thread_result *r, uint64_t *ns);

/* Threads that do not repeat their traces, and those of them that left in every simulation that they took part in. */
void run_report_count_left(const struct run_config *config, const struct run_result *result, uint32_t *nr_once,
			   uint32_t *nr_left);

/* Whose core `core` is; NULL: of threads without a tenant. */
const char *run_report_core_tenant(const struct run_config *config, uint32_t core);

/* What was run, in lines for people. */
void run_report_write_heading(const struct run_report *report, const char *title, struct textbuf *out);

/* The chip, and the end of the line: "39 cores: baseline x 7, L2 +30 % x 8 (web)". */
void run_report_write_chip(const struct run_config *config, struct textbuf *out);

/* " +30 %" or " +30/+20 %": the speedups of a group, one if they are all the same, else in the order of the type's
 * name. */
void run_report_write_speedups(const struct core_group *group, struct textbuf *out);

/* Whether some thread has slept. */
bool run_report_any_slept(const struct run_result *result);

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

void run_report_write_text(const struct run_report *report, const struct run_report_look *look, struct textbuf *out);
void run_report_write_json(const struct run_report *report, struct textbuf *out);
void run_report_write_csv(const struct run_report *report, bool details, struct textbuf *out);

#endif
