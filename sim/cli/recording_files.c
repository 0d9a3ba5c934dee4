#include "sim/cli/recording_files.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/file.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/record/qemu_share.h"

/* Members of a list that are named. */
#define MAX_LISTED 5u

#define SUITE_ENDING ".cfg"

struct names {
	const struct recording_files *files;
	struct textbuf stem;
	const char *ending; /* of a trace; "": none */
	unsigned attempt;   /* the number in the names; 1: none */
};

static enum sahm_status names_init(struct names *n, const struct recording_files *f, struct sahm_err *err)
{
	static const char *const endings[] = {".csv.zst", ".trc.zst", ".csv", ".trc", ".zst"};
	*n = (struct names){.files = f, .ending = ".trc", .attempt = 1};
	textbuf_init(&n->stem);
	if (f->output) {
		size_t len = strlen(f->output);
		n->ending = f->output + len;
		for (size_t i = 0; !*n->ending && i < ARRAY_SIZE(endings); i++)
			if (len > strlen(endings[i]) && text_ends_in(f->output, endings[i]))
				n->ending -= strlen(endings[i]);
		textbuf_add(&n->stem, f->output, (size_t)(n->ending - f->output));
	} else {
		name_as_file(f->name, &n->stem);
	}
	return textbuf_failed(&n->stem) ? sahm_fail_nomem(err) : SAHM_OK;
}

/* `thread` from 1 on; 0: of one trace. */
static void add_number(const struct names *n, unsigned thread, struct textbuf *path)
{
	textbuf_puts(path, n->stem.text);
	if (n->attempt > 1)
		textbuf_printf(path, "-%u", n->attempt);
	if (thread)
		textbuf_printf(path, ".t%u", thread);
}

/* Without an ending, a trace of a thread would be called as if it had one. */
static void trace_path(const struct names *n, unsigned thread, struct textbuf *path)
{
	textbuf_init(path);
	add_number(n, thread, path);
	textbuf_puts(path, thread && !*n->ending ? ".trc" : n->ending);
}

static void suite_path(const struct names *n, struct textbuf *path)
{
	textbuf_init(path);
	add_number(n, 0, path);
	textbuf_puts(path, SUITE_ENDING);
}

/* Whether writing it would replace something. Only what the user named can be a pipe or device, which is none. Releases
 * the path. */
static enum sahm_status refuse_taken(const struct names *n, struct textbuf *path, struct sahm_err *err)
{
	struct stat st;
	const char *output = n->files->output;
	enum sahm_status status = textbuf_failed(path) ? sahm_fail_nomem(err) : SAHM_OK;
	if (status == SAHM_OK &&
	    (output && strcmp(path->text, output) == 0 ? file_would_replace(output) : lstat(path->text, &st) == 0))
		status = sahm_fail(err, SAHM_USAGE, FILE_EXISTS, path->text);
	textbuf_release(path);
	return status;
}

static enum sahm_status refuse_taken_names(const struct names *n, const struct recording *recording,
					   struct sahm_err *err)
{
	struct textbuf path;
	enum sahm_status status = SAHM_OK;
	if (recording->nr_threads == 0) {
		trace_path(n, 0, &path);
		return refuse_taken(n, &path, err);
	}
	for (size_t i = 0; status == SAHM_OK && i < recording->nr_threads; i++) {
		if (!recording->threads[i].trace)
			continue;
		trace_path(n, recording->threads[i].number, &path);
		status = refuse_taken(n, &path, err);
	}
	if (status != SAHM_OK)
		return status;
	suite_path(n, &path);
	return refuse_taken(n, &path, err);
}

static enum sahm_status write_one(const struct names *n, unsigned thread, struct trace *trace, uint64_t nr_instructions,
				  struct textbuf *suite, struct sahm_err *err)
{
	struct textbuf path;
	char remark[64];
	snprintf(remark, sizeof(remark), ", %llu instructions in all", (unsigned long long)nr_instructions);
	trace_path(n, thread, &path);
	enum sahm_status status = textbuf_failed(&path) ? sahm_fail_nomem(err)
							: write_trace(path.text, n->files->force, trace, remark, err);
	if (suite)
		cfg_write_string(suite, base_name(path.text));
	textbuf_release(&path);
	return status;
}

/* A trace of each thread, and a suite that lists them. */
static enum sahm_status write_threads(const struct names *n, const struct recording *recording, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct textbuf suite, path;
	size_t nr = 0;
	textbuf_init(&suite);
	textbuf_puts(
		&suite,
		"# The threads of one program, recorded by sahm trace record, for a configuration that has this file as a line in\n"
		"# its workload: @include \"NAME.cfg\"\n\n"
		"traces = [");
	for (size_t i = 0; status == SAHM_OK && i < recording->nr_threads; i++) {
		const struct thread_recording *t = &recording->threads[i];
		if (!t->trace)
			continue;
		textbuf_puts(&suite, nr++ ? ",\n\t" : "\n\t");
		status = write_one(n, t->number, t->trace, t->nr_instructions, &suite, err);
	}
	textbuf_puts(&suite, "\n];\n");
	suite_path(n, &path);
	if (status == SAHM_OK)
		status = textbuf_failed(&suite) || textbuf_failed(&path)
				 ? sahm_fail_nomem(err)
				 : write_output(path.text, n->files->force, OUTPUT_CSV, &suite, err);
	if (status == SAHM_OK)
		print_remark("%s: %zu of %zu threads, %llu instructions in all", path.text, nr, recording->nr_threads,
			     (unsigned long long)recording->nr_instructions);
	textbuf_release(&path);
	textbuf_release(&suite);
	return status;
}

/* A remark that names the first members of a list and counts the others. */
struct listing {
	struct textbuf text;
	size_t nr;
};

/* Whether the next member is named. */
static bool list_next(struct listing *l)
{
	if (l->nr++ >= MAX_LISTED)
		return false;
	if (l->nr > 1)
		textbuf_puts(&l->text, ", ");
	return true;
}

static void print_listing(struct listing *l, const char *what)
{
	if (l->nr > MAX_LISTED)
		textbuf_printf(&l->text, " and %zu other%s", l->nr - MAX_LISTED, l->nr == MAX_LISTED + 1 ? "" : "s");
	if (l->nr > 0)
		print_remark("%s: %s", what, l->text.text);
	textbuf_release(&l->text);
}

void print_recording_end(const char *command, const struct recording *recording, bool on_request)
{
	if (recording->was_cut)
		print_warning("'%s' was ended %s", command,
			      on_request ? "on request" : "after the requested number of epochs (--epochs)");
	else if (recording->signal)
		print_warning("'%s' was ended by signal %d (%s)", command, recording->signal,
			      strsignal(recording->signal));
	else if (recording->exit_code != 0)
		print_warning("'%s' ended with exit code %d", command, recording->exit_code);
}

void print_threads_without_trace(const struct recording *recording)
{
	struct listing l = {.nr = 0};
	textbuf_init(&l.text);
	for (size_t i = 0; i < recording->nr_threads; i++) {
		const struct thread_recording *t = &recording->threads[i];
		if (!t->trace && list_next(&l))
			textbuf_printf(&l.text, "thread %u%s%s (%llu instructions)", t->number, *t->name ? " " : "",
				       t->name, (unsigned long long)t->nr_instructions);
	}
	print_listing(&l, "without a whole epoch");
}

/* Whether a trace of the thread is there that the recording does not have. */
static bool is_leftover(const struct names *n, const struct recording *recording, unsigned thread)
{
	struct textbuf path;
	struct stat st;
	if (thread <= recording->nr_threads && recording->threads[thread - 1].trace)
		return false;
	trace_path(n, thread, &path);
	bool is_there = !textbuf_failed(&path) && lstat(path.text, &st) == 0;
	textbuf_release(&path);
	return is_there;
}

/* Releases the path. */
static void list_path(struct listing *l, struct textbuf *path)
{
	if (list_next(l))
		textbuf_printf(&l->text, "'%s'", path->text);
	textbuf_release(path);
}

/* What --force did not replace, since this recording has fewer threads, or one where there were several. A suite of
 * that name may be somebody's configuration unless there are traces of threads beside it. */
static void print_leftovers(const struct names *n, const struct recording *recording)
{
	struct listing l = {.nr = 0};
	struct textbuf path;
	struct stat st;
	unsigned thread = 1;
	textbuf_init(&l.text);
	while (thread <= MAX_QEMU_THREADS && !is_leftover(n, recording, thread))
		thread++;
	if (recording->nr_threads > 0)
		trace_path(n, 0, &path);
	else
		suite_path(n, &path);
	if ((recording->nr_threads > 0 || thread <= MAX_QEMU_THREADS) && lstat(path.text, &st) == 0)
		list_path(&l, &path);
	else
		textbuf_release(&path);
	for (; thread <= MAX_QEMU_THREADS; thread++) {
		if (!is_leftover(n, recording, thread))
			continue;
		trace_path(n, thread, &path);
		list_path(&l, &path);
	}
	print_listing(&l, "of an earlier recording, and still there");
}

static enum sahm_status write_traces(const struct names *n, const struct recording *recording, struct sahm_err *err)
{
	if (recording->nr_threads)
		return write_threads(n, recording, err);
	return write_one(n, 0, recording->trace, recording->nr_instructions, NULL, err);
}

enum sahm_status recording_files_write(const struct recording_files *f, const struct recording *recording,
				       struct sahm_err *err)
{
	struct names n;
	struct stat st;
	struct sahm_err taken;
	if (f->output && recording->nr_threads && stat(f->output, &st) == 0 && !S_ISREG(st.st_mode))
		return sahm_fail(
			err, SAHM_IO,
			"'%s' is no regular file and has no room for the traces of %zu threads; --threads sum makes one "
			"of them",
			f->output, recording->nr_threads);
	enum sahm_status status = names_init(&n, f, err);
	if (status == SAHM_OK && f->force) {
		status = write_traces(&n, recording, err);
		if (status == SAHM_OK)
			print_leftovers(&n, recording);
	} else if (status == SAHM_OK) {
		do {
			status = refuse_taken_names(&n, recording, &taken);
			/* Somebody else may be faster. */
			if (status == SAHM_OK)
				status = write_traces(&n, recording, &taken);
			if (status == SAHM_USAGE && f->output && n.attempt == 1)
				print_remark("%s: another number is taken", taken.msg);
		} while (status == SAHM_USAGE && n.attempt++ < UINT_MAX);
		if (status != SAHM_OK)
			*err = taken;
	}
	if (status == SAHM_OK)
		print_threads_without_trace(recording);
	textbuf_release(&n.stem);
	return status;
}

/* The files that go with a trace if there are several threads. */
static enum sahm_status try_companions(const struct names *n, struct sahm_err *err)
{
	struct sahm_err taken;
	struct textbuf path;
	suite_path(n, &path);
	if (n->files->force) {
		enum sahm_status status = textbuf_failed(&path) ? sahm_fail_nomem(err)
								: refuse_overwriting(path.text, n->files->input, err);
		textbuf_release(&path);
		return status;
	}
	enum sahm_status status = refuse_taken(n, &path, &taken);
	if (status == SAHM_OK) {
		trace_path(n, 1, &path);
		status = refuse_taken(n, &path, &taken);
	}
	return status == SAHM_OK ? SAHM_OK
				 : sahm_fail(err, status, "%s; --force replaces it, -o names another", taken.msg);
}

enum sahm_status recording_files_try(const struct recording_files *f, bool may_have_threads, struct sahm_err *err)
{
	struct names n;
	struct textbuf path;
	enum sahm_status status = names_init(&n, f, err);
	textbuf_init(&path);
	if (status == SAHM_OK && f->output) {
		status = try_output(f->output, f->force, err);
	} else if (status == SAHM_OK) {
		/* One that is there is no hindrance: another number is taken. */
		trace_path(&n, 0, &path);
		status = textbuf_failed(&path) ? sahm_fail_nomem(err) : try_output(path.text, true, err);
	}
	if (status == SAHM_OK && may_have_threads && (f->output || f->force))
		status = try_companions(&n, err);
	textbuf_release(&path);
	textbuf_release(&n.stem);
	return status;
}
