/* Exports: a sweep of a store as rows, sorted by position, in CSV (RFC 4180, lines ending with \n) or JSON Lines (an
 * object per line).
 *
 * Columns: `position`, an axis each, then what the kind of export has (the table in store_export.c; docs/results.md).
 * Nothing depends on the order in which runs were carried out or put, on ids, or, but for EXPORT_TIMINGS, on time: two
 * stores that know the same of a sweep give the same bytes. A field of which there is nothing is empty, or null.
 */
#ifndef SAHM_RESULTS_STORE_STORE_EXPORT_H
#define SAHM_RESULTS_STORE_STORE_EXPORT_H

#include <stdio.h>

#include "results/store/store.h"

enum export_kind {
	EXPORT_POINTS, /* a row per point: its run; `<metric>_low` and `_high` where some run of the sweep has intervals
			*/
	EXPORT_THREADS, /* a row per point and thread, of runs that were kept with their threads */
	EXPORT_TIMINGS, /* a row per point whose run was carried out: when, how long, by which worker */
};

enum export_form { EXPORT_CSV, EXPORT_JSONL };

/* Points of the sweep that the store has, those among them whose run is still planned, or failed, and those that it
 * does not have. */
struct export_counts {
	uint64_t points, planned, failed, absent;
};

/* Writes `sweep` to `out`, a piece at a time, and fills *counts. Sees the store as it is when it begins. Writes to
 * `out` are for the caller to check, who need not go on to check them: it ends when one has failed. As store functions
 * fail. */
enum sahm_status store_export(struct store *store, int64_t sweep, enum export_kind kind, enum export_form form,
			      FILE *out, struct export_counts *counts, struct sahm_err *err);

#endif
