/* Where a recording goes: NAME.trc for one trace; for several threads NAME.t1.trc and so on, and NAME.cfg, a suite that
 * lists them. */
#ifndef SAHM_SIM_CLI_RECORDING_FILES_H
#define SAHM_SIM_CLI_RECORDING_FILES_H

#include <stdbool.h>

#include "sim/base/err.h"
#include "workloads/record/record.h"

struct recording_files {
	const char *output; /* the file that the user named; NULL: `name` says it, in the current folder */
	const char *name;   /* of the trace */
	const char *input;  /* a file that is read, which is never replaced; NULL: none */
	bool force;	    /* files of these names are replaced */
};

/* Whether they can be written: to be asked before the command runs, perhaps for hours. `may_have_threads`: there may be
 * several traces. Leaves nothing. SAHM_USAGE where a file that the user named, or one that goes with it, exists. */
enum sahm_status recording_files_try(const struct recording_files *f, bool may_have_threads, struct sahm_err *err);

/* Writes the traces of `recording`, at least one. Without `force`, where one of the files exists by now, all of them
 * get the next free number: a recording is not lost. Says on standard error what was written and which threads have no
 * trace; with `force`, also which files are left of an earlier recording. SAHM_IO, or as trace_read() fails. */
enum sahm_status recording_files_write(const struct recording_files *f, const struct recording *recording,
				       struct sahm_err *err);

/* Warns where `command` did not end well; `on_request`: a signal ended it. */
void print_recording_end(const char *command, const struct recording *recording, bool on_request);

/* Says how many instructions the threads without a trace executed, if there are any. */
void print_threads_without_trace(const struct recording *recording);

#endif
