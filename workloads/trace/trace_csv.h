/* Reading the CSV form of traces (workloads/FORMAT.md). */
#ifndef SAHM_WORKLOADS_TRACE_TRACE_CSV_H
#define SAHM_WORKLOADS_TRACE_TRACE_CSV_H

#include <stdio.h>

#include "sim/base/lines.h"
#include "sim/base/textbuf.h"
#include "workloads/trace/trace.h"

/* How the first line of a profile (workloads/synth/profile.h) begins; its version follows. A profile is no trace. */
#define PROFILE_FIRST_WORDS "# sahm profile "

/* Options of the reader beside the file. */
struct csv_options {
	uint64_t epoch_ns;	      /* 0: as the file says, or DEFAULT_EPOCH_MS */
	struct provenance provenance; /* what is set here replaces what the file says */
	bool brief;		      /* note what had to be assumed, not what was passed over or looks odd */
};

/* Reads a CSV trace from `in`. `file` stands in messages, and its stem is the name where nothing else gives one.
 * Remarks about skipped or odd lines are appended to `notes` (may be NULL), a line each. SAHM_FORMAT names file, line
 * and column. */
enum sahm_status trace_csv_read(FILE *in, const char *file, const struct csv_options *options, struct textbuf *notes,
				struct trace **trace, struct sahm_err *err);

/* The same from a reader of lines that has read none yet; its file stands in messages. */
enum sahm_status trace_csv_read_lines(struct line_reader *lines, const struct csv_options *options,
				      struct textbuf *notes, struct trace **trace, struct sahm_err *err);

#endif
