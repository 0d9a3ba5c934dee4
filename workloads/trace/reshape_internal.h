/* What the files that reshape traces share. */
#ifndef SAHM_WORKLOADS_TRACE_RESHAPE_INTERNAL_H
#define SAHM_WORKLOADS_TRACE_RESHAPE_INTERNAL_H

#include "workloads/trace/reshape.h"

/* Epochs that are read at a time. */
#define RESHAPE_BATCH 256u

/* For messages and notes: no time that a trace can have is rounded by it. */
#define MS_FORMAT "%.13g"

/* Appends `did` to the note of `p`, after "; " where there is one already, cut to what a note can hold: of the old
 * note as much as there is room for. Sets the name unless `name` is NULL. Copies go to `a`. */
enum sahm_status reshape_note(struct provenance *p, struct arena *a, const char *name, const char *did,
			      struct sahm_err *err);

/* Checks that a trace called `file` may have `nr` epochs of `epoch_ns`: SAHM_RANGE. */
enum sahm_status reshape_check_length(const char *file, uint64_t nr, uint64_t epoch_ns, struct sahm_err *err);

#endif
