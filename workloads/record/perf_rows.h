/* Rows of counts while a command runs: counters are read at the end of every interval, and what was counted since the
 * last time is a row of import_live.h. */
#ifndef SAHM_WORKLOADS_RECORD_PERF_ROWS_H
#define SAHM_WORKLOADS_RECORD_PERF_ROWS_H

#include "workloads/import/import_live.h"
#include "workloads/record/perf_set.h"
#include "workloads/record/record.h"

/* Plain data, the caller's, which sets the first three. */
struct perf_rows {
	struct perf_set set; /* open */
	uint64_t interval_ns;
	const char *label; /* in notes */
	struct import_live *live;
	unsigned column[MAX_PMU_EVENTS];
	struct perf_count before[MAX_PMU_EVENTS]; /* at the last read that was successful */
	uint64_t start_ns, row_ns;		  /* when the command, and the row, began */
};

/* Makes the columns. Fails as import_live_column() does. */
enum sahm_status perf_rows_begin(struct perf_rows *rows, struct import_live *live);

/* Follows the command, which has just begun, to its end, to request->max_epochs or *request->stop. Fills
 * nr_instructions (of the event that is called as the first of event_rows[]'s instructions: the set's first one)
 * and was_cut of `r`, and adds notes: what was left out at the end, counters that could not be read any more. Fails as
 * import_live_end_row() does. */
enum sahm_status perf_rows_follow(struct perf_rows *rows, struct record_child *child,
				  const struct record_request *request, struct recording *r);

/* The value of `now` less `before`, as if it had been counted all the time that it was enabled; *running_pct100 is the
 * share of that time in which it was. False when nothing can be said, with *why. */
bool perf_scale(const struct perf_count *before, const struct perf_count *now, decimal *value, int *running_pct100,
		enum live_lack *why);

/* Whether the event is one of the expression's. */
bool perf_names_event(const char *expression, const char *event);

#endif
