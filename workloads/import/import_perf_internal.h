/* What the readers of perf stat's three forms share. */
#ifndef SAHM_WORKLOADS_IMPORT_IMPORT_PERF_INTERNAL_H
#define SAHM_WORKLOADS_IMPORT_IMPORT_PERF_INTERNAL_H

#include "workloads/import/import_internal.h"

/* One field of a line. */
struct field {
	const char *text;
	size_t len;
};

bool field_is(const struct field *f, const char *word);
void field_trim(struct field *f);

/* What one line of a recording says. */
struct perf_line {
	uint64_t stamp_ns;
	struct field group;  /* CPU, thread, ...; empty: none */
	struct field cgroup; /* beside it; empty: none */
	struct field event;
	struct field value;
	int running_pct100; /* -1: not known */
};

/* Reads "0.107810946" seconds as ns; false when it is not a stamp. */
bool perf_stamp(const struct field *f, uint64_t *ns);

/* Length of blanks and stamp at the start of a line, "   0.107810946,..."; 0 where there is none. */
size_t perf_stamp_len(const char *line, size_t len);

/* Reads "99.97" (per cent) as hundredths; -1 when it is no percentage. */
int perf_percentage(const struct field *f);

/* Whether text names a CPU, core, die, socket, node or thread: "CPU0", "S0-D0-C1", "N0", "comm-1234". */
bool perf_is_group(const struct field *f);

/* Takes a line into the row of its stamp; closes the row before it when time went on. */
enum sahm_status perf_take(struct import *im, const struct perf_line *line);

/* Reads a file of recordings: `read_line` gets each line that is not blank and no comment. `tool` is its provenance. */
enum sahm_status perf_read(struct import *im, const char *tool, enum sahm_status (*read_line)(struct import *im));

#endif
