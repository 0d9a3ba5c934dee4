#include "sim/cli/output.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/metrics/trace_words.h"
#include "sim/base/cfg.h"
#include "sim/base/clean.h"
#include "sim/base/companion.h"
#include "sim/base/file.h"
#include "sim/base/file_kind.h"
#include "sim/base/units.h"
#include "sim/base/zstd_stream.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/operands.h"
#include "workloads/synth/profile.h"

#ifndef SAHM_DATADIR
#define SAHM_DATADIR "/usr/local/share/sahm"
#endif

/* Ways from the program to its data. */
#define NR_WAYS 3u

/* From where the terminal is to the end of the line. */
#define ERASE_LINE "\033[K"

static bool wants_colour(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	return !(no && *no) && term && strcmp(term, "dumb") != 0 && isatty(fd);
}

static void print_message(const char *kind, const char *colour, const char *text)
{
	char msg[SAHM_ERR_BYTES];
	snprintf(msg, sizeof(msg), "%s", text);
	clean_text(msg);
	bool coloured = wants_colour(STDERR_FILENO);
	fprintf(stderr, "sahm: %s%s:%s %s\n", coloured ? colour : "", kind, coloured ? TEXT_PLAIN : "", msg);
}

void print_remark(const char *fmt, ...)
{
	char line[3 * PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	clean_text(line);
	fprintf(stderr, "%s\n", line);
}

void print_line(const char *fmt, ...)
{
	char line[3 * PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	clean_text(line);
	puts(line);
}

void print_text(struct textbuf *lines)
{
	clean_lines(lines->text);
	fputs(lines->text, stdout);
}

void print_aside(struct textbuf *lines)
{
	clean_lines(lines->text);
	fputs(lines->text, stderr);
}

void print_progress(const char *fmt, ...)
{
	char line[PATH_MAX];
	struct winsize size;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	/* One line, or every drawing would scroll. */
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && size.ws_col <= sizeof(line))
		line[size.ws_col - 1] = '\0';
	clean_text(line);
	fprintf(stderr, "\r%s" ERASE_LINE, line);
	fflush(stderr);
}

void end_progress(void)
{
	fputs("\r" ERASE_LINE, stderr);
}

void print_screen(struct textbuf *lines, bool is_first)
{
	struct winsize size;
	unsigned rows = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 ? size.ws_row - 1u : 1000;
	clean_lines(lines->text);
	fputs(is_first ? "\033[2J\033[H" : "\033[H", stdout);
	for (const char *line = lines->text; *line && rows > 0; rows--) {
		size_t len = strcspn(line, "\n");
		printf("%.*s" ERASE_LINE "\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
	fputs("\033[J", stdout);
	fflush(stdout);
}

static ssize_t write_all(void *cookie, const char *bytes, size_t size)
{
	size_t written = 0;
	while (written < size) {
		ssize_t nr = write((int)(intptr_t)cookie, bytes + written, size - written);
		if (nr < 0 && errno != EINTR)
			break;
		written += nr > 0 ? (size_t)nr : 0;
	}
	return (ssize_t)written;
}

enum sahm_status open_output(struct sahm_err *err)
{
	const cookie_io_functions_t writing = {.write = write_all};
	FILE *out = fopencookie((void *)(intptr_t)STDOUT_FILENO, "w", writing);
	FILE *error = fopencookie((void *)(intptr_t)STDERR_FILENO, "w", writing);
	if (!out || !error)
		return sahm_fail_nomem(err);
	setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
	setvbuf(error, NULL, _IONBF, 0);
	stdout = out;
	stderr = error;
	return SAHM_OK;
}

FILE *data_output(void)
{
	return stdout;
}

enum sahm_status flush_output(struct sahm_err *err)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot write standard output: %s", strerror(errno));
}

void print_error(const struct sahm_err *err)
{
	print_message("error", "\033[1;31m", err->msg);
}

void print_warning(const char *fmt, ...)
{
	char msg[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	print_message("warning", "\033[1;33m", msg);
}

void print_notes(const struct textbuf *notes)
{
	if (textbuf_failed(notes))
		print_warning("out of memory: warnings are lost");
	for (const char *line = notes->text; *line;) {
		size_t len = strcspn(line, "\n");
		print_warning("%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

enum sahm_status explain_config(const char *path, enum sahm_status status, struct sahm_err *err)
{
	if (trace_is_one(path))
		return sahm_fail(
			err, SAHM_FORMAT,
			"'%s' is a trace, not a configuration: `sahm run %s --print-config >mine.cfg` makes one", path,
			path);
	if (status != SAHM_USAGE && profile_is_one(path))
		return sahm_fail(err, SAHM_FORMAT,
				 "'%s' is a profile, not a configuration; `sahm trace synth` makes traces from it",
				 path);
	struct sahm_err foreign;
	if (file_refuse_foreign(path, &foreign) != SAHM_OK) {
		*err = foreign;
		return foreign.status;
	}
	struct stat st;
	if (status == SAHM_IO && !strchr(path, '/') && !text_ends_in(path, ".cfg") && stat(path, &st) != 0 &&
	    errno == ENOENT)
		return sahm_fail(
			err, SAHM_IO,
			"cannot open '%s': %s; `sahm run %s --print-config >mine.cfg` writes a configuration of "
			"what has that name",
			path, strerror(ENOENT), path);
	return status;
}

/* The one trace that is called `name`. */
static enum sahm_status find_named_trace(struct arena *a, const char *name, const char **path, struct sahm_err *err)
{
	struct option_list operands = {.items = &name, .nr = 1}, paths = {0};
	enum sahm_status status = operands_read_traces(a, &operands, data_folder(), &paths, err);
	if (status == SAHM_OK && paths.nr != 1)
		status = sahm_fail(err, SAHM_USAGE, "'%s' is a suite of %zu traces; one trace is taken here", name,
				   paths.nr);
	if (status == SAHM_OK && !(*path = arena_strdup(a, paths.items[0])))
		status = sahm_fail_nomem(err);
	free(paths.items);
	return status;
}

enum sahm_status open_trace(const char *path, struct trace **trace, struct sahm_err *err)
{
	struct textbuf notes;
	struct stat st;
	struct arena a;
	const char *found = path;
	enum sahm_status status = SAHM_OK;
	arena_init(&a);
	textbuf_init(&notes);
	/* Shipped ones have names. */
	if (strcmp(path, "-") != 0 && stat(path, &st) != 0 && errno == ENOENT)
		status = find_named_trace(&a, path, &found, err);
	if (status == SAHM_OK)
		status = file_refuse_foreign(found, err);
	if (status == SAHM_OK)
		status = trace_open(found, &notes, trace, err);
	if (status == SAHM_OK)
		print_notes(&notes);
	textbuf_release(&notes);
	arena_release(&a);
	return status;
}

enum sahm_status open_stream(const char *path, struct stream **stream, struct sahm_err *err)
{
	struct textbuf notes;
	textbuf_init(&notes);
	enum sahm_status status = stream_open(path, &notes, stream, err);
	if (status == SAHM_OK)
		print_notes(&notes);
	textbuf_release(&notes);
	return status;
}

void name_as_file(const char *name, struct textbuf *path)
{
	for (const char *p = name; *p; p++)
		textbuf_putc(path, *p == '/' || (*p == '.' && p == name) ? '_' : *p);
}

bool is_compressed_path(const char *path)
{
	return text_ends_in(path, COMPRESSED_SUFFIX);
}

bool is_csv_path(const char *path)
{
	return text_ends_in(path, ".csv") || text_ends_in(path, ".csv" COMPRESSED_SUFFIX);
}

static enum sahm_status write_form(struct trace *trace, bool as_csv, FILE *out, struct sahm_err *err)
{
	if (as_csv)
		return trace_write_csv(trace, out, err);
	return trace_write_binary(trace, out, err);
}

static ssize_t count_bytes(void *cookie, const char *buf, size_t size)
{
	(void)buf;
	*(uint64_t *)cookie += size;
	return (ssize_t)size;
}

/* How long `trace` is as CSV, which only writing it tells. */
static enum sahm_status count_csv(struct trace *trace, uint64_t *bytes, struct sahm_err *err)
{
	*bytes = 0;
	FILE *counter = fopencookie(bytes, "w", (cookie_io_functions_t){.write = count_bytes});
	if (!counter)
		return sahm_fail_nomem(err);
	enum sahm_status status = trace_write_csv(trace, counter, err);
	fclose(counter);
	return status;
}

static enum sahm_status write_compressed(const char *path, struct trace *trace, bool as_csv, FILE *out,
					 struct sahm_err *err)
{
	uint64_t bytes = trace_image_bytes(trace);
	/* CSV is written twice: a compressor that knows what comes takes as much time and memory as that needs. */
	enum sahm_status status = as_csv ? count_csv(trace, &bytes, err) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	struct zstd_writer *w = zstd_writer_new(out, bytes);
	if (!w)
		return sahm_fail_nomem(err);
	status = write_form(trace, as_csv, zstd_writer_stream(w), err);
	return zstd_writer_free(w, path, status, err);
}

enum sahm_status write_trace_file(const char *path, bool force, struct trace *trace, bool as_csv, struct sahm_err *err)
{
	struct atomic_file f;
	enum sahm_status status = atomic_file_begin(&f, path, force, err);
	if (status != SAHM_OK)
		return status;
	if (is_compressed_path(path))
		status = write_compressed(path, trace, as_csv, f.stream, err);
	else
		status = write_form(trace, as_csv, f.stream, err);
	if (status == SAHM_OK)
		return atomic_file_commit(&f, err);
	atomic_file_abort(&f);
	return status;
}

enum sahm_status write_trace(const char *path, bool force, struct trace *trace, const char *remark,
			     struct sahm_err *err)
{
	uint64_t nr = trace_nr_epochs(trace);
	bool to_stdout = strcmp(path, "-") == 0;
	enum sahm_status status = SAHM_OK;
	if (to_stdout)
		status = trace_write_binary(trace, stdout, err); /* failures of stdout show at the end */
	else
		status = write_trace_file(path, force, trace, is_csv_path(path), err);
	if (status != SAHM_OK)
		return status;
	char bytes[48] = "";
	if (to_stdout || !(is_csv_path(path) || is_compressed_path(path)))
		snprintf(bytes, sizeof(bytes), ", %zu bytes", trace_image_bytes(trace));
	const struct provenance *p = trace_provenance(trace);
	print_remark("%s: %" PRIu64 " epoch%s of " MS_TEXT "%s%s%s", path, nr, nr == 1 ? "" : "s",
		     ms_of_ns(trace_epoch_ns(trace)), bytes,
		     trace_words(provenance_is_synthetic(p), provenance_is_nominal(p)), remark);
	return SAHM_OK;
}

enum sahm_status write_named_trace(const char *stem, bool force, struct trace *trace, const char *remark,
				   struct sahm_err *err)
{
	enum sahm_status status;
	bool is_taken;
	unsigned number = 1;
	do {
		struct textbuf path;
		struct stat st;
		textbuf_init(&path);
		textbuf_puts(&path, stem);
		if (number > 1)
			textbuf_printf(&path, "-%u", number);
		textbuf_puts(&path, ".trc");
		status = textbuf_failed(&path) ? sahm_fail_nomem(err) : SAHM_OK;
		is_taken = status == SAHM_OK && !force && lstat(path.text, &st) == 0;
		if (status == SAHM_OK && !is_taken) {
			status = write_trace(path.text, force, trace, remark, err);
			/* Somebody else was faster. */
			is_taken = status == SAHM_USAGE && !force && lstat(path.text, &st) == 0;
		}
		textbuf_release(&path);
	} while (is_taken && number++ < UINT_MAX);
	return status;
}

bool bold_output(const char *path)
{
	return !path && wants_colour(STDOUT_FILENO);
}

enum sahm_status try_output(const char *path, bool force, struct sahm_err *err)
{
	struct atomic_file f;
	enum sahm_status status = path ? atomic_file_begin(&f, path, force, err) : SAHM_OK;
	if (path && status == SAHM_OK)
		atomic_file_abort(&f);
	return status;
}

enum sahm_status try_file_output(const char *path, bool force, struct sahm_err *err)
{
	struct stat st;
	if (path && strcmp(path, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "cannot write this to '-': it needs a file (./- is one)");
	if (path && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return sahm_fail(err, SAHM_IO, "cannot write to '%s': it is not a regular file", path);
	return try_output(path, force, err);
}

enum sahm_status try_folder(const char *path, struct sahm_err *err)
{
	struct stat st;
	bool was_there = !path || lstat(path, &st) == 0;
	enum sahm_status status = path ? file_make_folder(path, err) : SAHM_OK;
	if (status == SAHM_OK && !was_there)
		rmdir(path);
	else if (status == SAHM_OK && path && access(path, W_OK | X_OK) != 0)
		status = sahm_fail(err, SAHM_IO, "cannot write into folder '%s': %s", path, strerror(errno));
	return status;
}

enum sahm_status print_output(enum output_form form, struct textbuf *text, struct sahm_err *err)
{
	if (form == OUTPUT_TEXT)
		clean_lines(text->text);
	if (fwrite(text->text, 1, text->len, stdout) != text->len)
		return sahm_fail(err, SAHM_IO, "cannot write standard output: %s", strerror(errno));
	return SAHM_OK;
}

enum sahm_status write_output(const char *path, bool force, enum output_form form, struct textbuf *text,
			      struct sahm_err *err)
{
	if (!path || strcmp(path, "-") == 0)
		return print_output(form, text, err);
	if (form == OUTPUT_TEXT)
		clean_lines(text->text);
	return file_put(path, force, text->text, text->len, err);
}

/* Set by find_data_folder(), before any command runs. */
static char found_data_folder[DATA_FOLDER_BYTES] = SAHM_DATADIR;

/* Whether `path` is a folder; fails where that cannot be found out, since another folder must not be taken instead. */
static enum sahm_status look_for_folder(const char *path, bool *is_one, struct sahm_err *err)
{
	struct stat st;
	bool found = stat(path, &st) == 0;
	*is_one = found && S_ISDIR(st.st_mode);
	if (found || file_is_absent(errno))
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot look for what came with sahm in '%s': %s", path, strerror(errno));
}

/* The data folder as seen from the program, of which there are several ways; "" where there is none by that one. */
static enum sahm_status find_from_program(unsigned way, char folder[DATA_FOLDER_BYTES], struct sahm_err *err)
{
	static const char *const from_program[NR_WAYS] = {"/../share/sahm", "/..", "/../.."};
	char program[DATA_FOLDER_BYTES - 64], seen[DATA_FOLDER_BYTES], traces[DATA_FOLDER_BYTES + 32];
	bool is_there;
	*folder = '\0';
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (len < 0 && !file_is_absent(errno))
		return sahm_fail(err, SAHM_IO, "cannot find out where the program is: %s", strerror(errno));
	program[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(program, '/');
	if (!slash)
		return SAHM_OK;
	*slash = '\0';
	snprintf(seen, sizeof(seen), "%s%s", program, from_program[way]);
	snprintf(traces, sizeof(traces), "%s/workloads/suites/small", seen);
	enum sahm_status status = look_for_folder(traces, &is_there, err);
	if (status != SAHM_OK || !is_there)
		return status;
	if (!realpath(seen, folder))
		return sahm_fail(err, SAHM_IO, "cannot look for what came with sahm in '%s': %s", seen,
				 strerror(errno));
	return SAHM_OK;
}

static const char *given_folder(void)
{
	const char *given = getenv("SAHM_DATA");
	return given && *given ? given : NULL;
}

enum sahm_status find_data_folder(struct sahm_err *err)
{
	char folder[DATA_FOLDER_BYTES] = "";
	enum sahm_status status = SAHM_OK;
	if (given_folder())
		snprintf(folder, sizeof(folder), "%s", given_folder());
	/* Files beside the program belong to its version; another version may be installed. */
	for (unsigned way = 0; way < NR_WAYS && !*folder && status == SAHM_OK; way++)
		status = find_from_program(way, folder, err);
	if (status == SAHM_OK && *folder)
		memcpy(found_data_folder, folder, sizeof(folder));
	return status;
}

const char *data_folder(void)
{
	return found_data_folder;
}

void explain_data_folder(struct sahm_err *err)
{
	char before[SAHM_ERR_BYTES];
	struct sahm_err ignored;
	bool is_there;
	if (look_for_folder(data_folder(), &is_there, &ignored) != SAHM_OK || is_there || strstr(err->msg, "SAHM_DATA"))
		return;
	snprintf(before, sizeof(before), "%s", err->msg);
	sahm_fail(err, err->status, "%s; shipped files are looked for in '%s' (SAHM_DATA%s), which is not a folder",
		  before, data_folder(), given_folder() ? "" : " can name another");
}

static enum sahm_status allow_configs_of(const char *folder, struct sahm_err *err)
{
	char configs[DATA_FOLDER_BYTES + 16];
	bool is_there;
	snprintf(configs, sizeof(configs), "%s/configs", folder);
	enum sahm_status status = look_for_folder(configs, &is_there, err);
	return status == SAHM_OK && is_there ? cfg_allow_includes(configs, err) : status;
}

enum sahm_status allow_shipped_includes(struct sahm_err *err)
{
	char folder[DATA_FOLDER_BYTES];
	const char *given = given_folder();
	enum sahm_status status = given ? allow_configs_of(given, err) : SAHM_OK;
	if (status == SAHM_OK)
		status = allow_configs_of(SAHM_DATADIR, err);
	/* A source tree has its own, whatever is installed. */
	for (unsigned way = 0; way < NR_WAYS && status == SAHM_OK; way++) {
		status = find_from_program(way, folder, err);
		if (status == SAHM_OK && *folder)
			status = allow_configs_of(folder, err);
	}
	return status;
}
