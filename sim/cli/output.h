/* What commands share about printing. */
#ifndef SAHM_SIM_CLI_OUTPUT_H
#define SAHM_SIM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/err.h"
#include "sim/base/options.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/stream.h"
#include "workloads/trace/trace.h"

/* Forms in which a result can be asked for. */
enum output_form { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };

/* What people read goes through these functions, which clean it (sim/base/clean.h), and so does text in write_output();
 * check_calls.sh looks for prints elsewhere. */

/* Prints `sahm: error: ...` or `sahm: warning: ...` to standard error. */
void print_error(const struct sahm_err *err);
void print_warning(const char *fmt, ...) SAHM_PRINTF(1, 2);

/* A line on standard error that says what became of something: a file that was written. Cut where it is very long. */
void print_remark(const char *fmt, ...) SAHM_PRINTF(1, 2);

/* A line on standard output. Cut where it is very long. */
void print_line(const char *fmt, ...) SAHM_PRINTF(1, 2);

/* Lines on standard output, and on standard error. */
void print_text(struct textbuf *lines);
void print_aside(struct textbuf *lines);

/* A line on standard error, a terminal, in the place of the one before; end_progress() takes it away. */
void print_progress(const char *fmt, ...) SAHM_PRINTF(1, 2);
void end_progress(void);

/* `lines` on standard output, a terminal, in the place of those before: as many as there is room for. */
void print_screen(struct textbuf *lines, bool is_first);

/* Standard output for data that other programs read, which nobody cleans. */
FILE *data_output(void);

/* Opens standard output and standard error again, before anything is printed: stdio drops its buffer when a signal
 * interrupts a write, these streams continue. SAHM_NOMEM. */
enum sahm_status open_output(struct sahm_err *err);

/* Writes out what was printed. SAHM_IO. */
enum sahm_status flush_output(struct sahm_err *err);

/* Prints each line of `notes` as a warning. */
void print_notes(const struct textbuf *notes);

/* Why the configuration `path` could not be read, with `status` and *err: says so where it is a trace, a profile or a
 * store. Returns the status to go on with. */
enum sahm_status explain_config(const char *path, enum sahm_status status, struct sahm_err *err);

/* Opens a trace as trace_open() does and prints its notes as warnings. */
enum sahm_status open_trace(const char *path, struct trace **trace, struct sahm_err *err);

/* The same of a stream. */
enum sahm_status open_stream(const char *path, struct stream **stream, struct sahm_err *err);

/* Appends `name` as that of a file: nothing in it leads to another folder or hides it. */
void name_as_file(const char *name, struct textbuf *path);

/* How times are printed: none that a trace can have is rounded by it. */
#define MS_TEXT "%.13g ms"

/* What the name of a trace's file asks for: compression when it ends in ".zst", CSV when it ends in ".csv" or
 * ".csv.zst". */
bool is_compressed_path(const char *path);
bool is_csv_path(const char *path);

/* Writes `trace` to the file `path`, complete or not at all: as CSV or in binary form, compressed if
 * is_compressed_path(). Without `force` it replaces no file. SAHM_IO, SAHM_USAGE, or as trace_read() fails. */
enum sahm_status write_trace_file(const char *path, bool force, struct trace *trace, bool as_csv, struct sahm_err *err);

/* The same, as CSV if is_csv_path(); "-" is standard output, which gets the binary form. Says so on standard error,
 * and whether the trace is synthetic or of an assumed time base, with `remark` at the end of the line. */
enum sahm_status write_trace(const char *path, bool force, struct trace *trace, const char *remark,
			     struct sahm_err *err);

/* The same, to a file that nobody has named: STEM.trc, and without `force`, where that is taken, STEM-2.trc and so on.
 * Programs that do so at the same time take different names. */
enum sahm_status write_named_trace(const char *stem, bool force, struct trace *trace, const char *remark,
				   struct sahm_err *err);

/* Whether headings may be in bold: standard output is a terminal, `path` is NULL, and neither NO_COLOR nor TERM
 * objects. */
bool bold_output(const char *path);

/* Writes `text`, cleaned if `form` is OUTPUT_TEXT, to standard output. */
enum sahm_status print_output(enum output_form form, struct textbuf *text, struct sahm_err *err);

/* The same to the file `path`, complete or not at all, or to standard output when `path` is NULL. Without `force` it
 * replaces no file. */
enum sahm_status write_output(const char *path, bool force, enum output_form form, struct textbuf *text,
			      struct sahm_err *err);

/* Whether write_output() to `path` (may be NULL) can begin: to be asked before work that takes long. Leaves nothing. */
enum sahm_status try_output(const char *path, bool force, struct sahm_err *err);

/* The same of what is not written from front to back: a pipe or device cannot become it. */
enum sahm_status try_file_output(const char *path, bool force, struct sahm_err *err);

/* The same of a folder `path` (may be NULL), which is made where it is not there, and of files in it. */
enum sahm_status try_folder(const char *path, struct sahm_err *err);

/* Longest name of the data folder, with its closing NUL. */
#define DATA_FOLDER_BYTES 4096

/* Finds the folder with the data that came with the program: SAHM_DATA of the environment; else as seen from the
 * program, in an installation or in the source tree; else as configured at build time. SAHM_IO where a place cannot be
 * looked at: what another one has may be other data. */
enum sahm_status find_data_folder(struct sahm_err *err);

/* That folder, once it has been found. */
const char *data_folder(void);

/* Appends to a message of what is not there that the whole data folder is not, and where that was looked for; nothing
 * where the folder is there, or the message says so already. */
void explain_data_folder(struct sahm_err *err);

/* Lets configurations include those that came with the program, in whichever of these folders.
 * SAHM_IO as find_data_folder(). */
enum sahm_status allow_shipped_includes(struct sahm_err *err);

#endif
