/* Rows of counts that come from no file but as they are counted: the importer's rules, reports and trace for a
 * recorder.
 *
 * Lines of messages are rows, from 1. Rows that become no epoch are counted and told, as of files.
 */
#ifndef SAHM_WORKLOADS_IMPORT_IMPORT_LIVE_H
#define SAHM_WORKLOADS_IMPORT_IMPORT_LIVE_H

#include "sim/base/decimal.h"
#include "workloads/import/import.h"

struct import_live;

/* Begins. `options` (epoch_ns, map, provenance, keep_idle, no_cycles are of use), `label` (in messages, and the trace's
 * name unless the provenance has one), `notes` and `err` must live until import_live_free(). SAHM_NOMEM. */
enum sahm_status import_live_begin(const char *label, const struct import_options *options, struct textbuf *notes,
				   struct import_live **live, struct sahm_err *err);

/* Adds the event called `name`; *column is its number from then on. */
enum sahm_status import_live_column(struct import_live *live, const char *name, unsigned *column);

/* The event's count in this row; running_pct100 as in import_count(). */
void import_live_count(struct import_live *live, unsigned column, decimal value, int running_pct100);

enum live_lack { LIVE_NOT_COUNTED, LIVE_NOT_SUPPORTED, LIVE_BACKWARDS };

/* Why there is none. */
void import_live_no_count(struct import_live *live, unsigned column, enum live_lack why);

/* Ends the row `stamp_ns` after the recording's begin. Fails as trace_import() does. */
enum sahm_status import_live_end_row(struct import_live *live, uint64_t stamp_ns);

/* Epochs so far. */
uint64_t import_live_nr_epochs(const struct import_live *live);

/* Makes the trace, the caller's, and writes the notes; *trace is NULL when there is no epoch. */
enum sahm_status import_live_finish(struct import_live *live, struct trace **trace);

/* NULL is fine. */
void import_live_free(struct import_live *live);

#endif
