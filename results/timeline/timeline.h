/* The timeline of a run as a file for other programs: who ran where, in which state, and when threads woke and moved.
 *
 * Two forms: Chrome's trace-event JSON, which Perfetto and chrome://tracing show, and the text of the kernel's ftrace
 * (sched_switch, sched_wakeup, sched_migrate_task). Events of a run are written at once; kept
 * is, per core, what runs there, and per thread, where it ran last. A thread that goes on in the same state on the same
 * core makes one slice, whatever the events say in between; what lasts for no time at all makes none. Which fields
 * there are: docs/timeline.md.
 */
#ifndef SAHM_RESULTS_TIMELINE_TIMELINE_H
#define SAHM_RESULTS_TIMELINE_TIMELINE_H

#include <stdio.h>

#include "sim/engine/config/run_config.h"
#include "sim/engine/timeline_listener.h"

/* Forms: ROW(suffix, name, the endings of names of files that are of this form; that of compressed files may follow).
 * To add one: a row here, and a `struct timeline_writer timeline_<name>` in a separate file (timeline_internal.h). */
#define TIMELINE_FORM_LIST(ROW)                                                                                        \
	ROW(CHROME, chrome, ".json")                                                                                   \
	ROW(FTRACE, ftrace, ".txt", ".trace", ".ftrace")

enum timeline_form {
#define ROW(suffix, ...) TIMELINE_##suffix,
	TIMELINE_FORM_LIST(ROW) NR_TIMELINE_FORMS
#undef ROW
};

/* Names of the forms, NULL at the end. */
extern const char *const timeline_form_names[NR_TIMELINE_FORMS + 1];

/* The form that the end of the name `path` asks for, compressed or not; false when it asks for none. */
bool timeline_form_of(const char *path, enum timeline_form *form);

struct timeline;

/* Begins the timeline of a run of `config`, called `title` in one line, on `out`; all three must outlive it. NULL when
 * memory is short. */
struct timeline *timeline_new(const struct run_config *config, const char *title, enum timeline_form form, FILE *out);

/* Events that run_execute_told() reports; the timeline's. */
struct timeline_sink *timeline_listener(struct timeline *timeline);

/* Completes and frees it. Whether all could be written, `out` knows. */
void timeline_free(struct timeline *timeline);

/* The same as a file, which is complete in the end or not there: as sim/base/file.h says, compressed when its name ends
 * as those of compressed files do. */
struct timeline_file;

/* Begins the file `path`. SAHM_IO, SAHM_NOMEM; there is nothing to release then. */
enum sahm_status timeline_file_open(struct timeline_file **file, const char *path, bool replaces,
				    enum timeline_form form, const struct run_config *config, const char *title,
				    struct sahm_err *err);

struct timeline_sink *timeline_file_listener(struct timeline_file *file);

/* Ends it, where `status` (with *err) is what came of the run: on SAHM_OK the file is completed, else it is given up.
 * Returns `status`, or SAHM_IO when something could not be written. Frees `file`. */
enum sahm_status timeline_file_close(struct timeline_file *file, enum sahm_status status, struct sahm_err *err);

#endif
