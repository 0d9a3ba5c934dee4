/* Counts of events on a modelled core, in the forms of perf stat and as JSON (perf-stat(1)). */
#ifndef SAHM_RESULTS_CORES_STAT_REPORT_H
#define SAHM_RESULTS_CORES_STAT_REPORT_H

#include "cores/uarch/hpm_windows.h"
#include "results/cores/core_report.h"

#define STAT_SCHEMA "sahm-core-stat/1"

struct stat_result {
	const struct core_result *run; /* names and model; its counts and epochs are not looked at */
	const struct hpm_set *set;
	const struct hpm_windows *windows;
};

struct stat_report {
	const struct stat_result *results; /* [nr_streams] */
	size_t nr_streams;
	const char *counters;	    /* their kind: "plain" */
	const char *separator;	    /* of CSV */
	const char *region;	    /* NULL: all of the program */
	uint32_t mhz;		    /* 0: not known; needed where each window is shown in CSV */
	bool per_window, per_epoch; /* each window is shown, which is an epoch's */
	bool has_truth;
};

/* Append the report. */
void stat_text(const struct stat_report *r, struct textbuf *out);
void stat_json(const struct stat_report *r, struct textbuf *out);

/* The fields of perf stat -x: of windows the time, then count, unit (none), event, run time (ns, or cycles where the
 * frequency is not known), per cent of the time in which it was counted, and a metric with its unit: the truth where it
 * is asked for. A count that can be off has another line then, which has only a metric: the bound. */
void stat_csv(const struct stat_report *r, struct textbuf *out);

#endif
