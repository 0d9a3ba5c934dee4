#include "ipu/soft/verilog.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipu/soft/soft.h"
#include "sim/base/child_end.h"
#include "sim/base/file.h"
#include "sim/base/hold.h"
#include "sim/base/spawn.h"

#define MAX_SOURCE_BYTES ((size_t)4 << 20)
#define MAX_SAID_BYTES ((size_t)1 << 20)
#define PATH_BYTES 4096

/* The class that Verilator makes, which harness.cpp knows, and the file that the compiler makes. */
#define CLASS "Vsoft"
#define OBJECT "soft.so"

/* The copy of the source that Verilator reads: names with blanks or a leading '+' or '-' mean something else to it. No
 * module can be called so, which it would look for. */
#define COPY "sahm-source.v"

/* A build on its way, in a folder that goes away at its end. It is in /tmp: make takes no paths with blanks. */
struct build {
	const struct verilog_build *b;
	struct arena arena;
	char *folder, *source;
	size_t source_len;
	struct verilog_ports ports;
	struct signal_hold hold;
	struct textbuf *said;
};

/* ---- Names ---- */

static bool is_identifier(const char *text)
{
	size_t len = 0;
	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return len > 0 && !text[len] && !isdigit((unsigned char)*text);
}

static enum sahm_status check_names(const struct verilog_build *b, struct sahm_err *err)
{
	if (!is_identifier(b->top))
		return sahm_fail(err, SAHM_USAGE, "'%.80s' is no name of a module in Verilog", b->top);
	if (!soft_is_title(b->name))
		return sahm_fail(err, SAHM_USAGE,
				 "bad name '%.80s', must be " SOFT_TITLE_FORM " (--name gives another)", b->name);
	if (!soft_is_title(b->version))
		return sahm_fail(err, SAHM_USAGE, "bad version '%.80s', must be " SOFT_TITLE_FORM, b->version);
	return SAHM_OK;
}

/* ---- The folder ---- */

static enum sahm_status make_folder(struct build *w, struct sahm_err *err)
{
	char path[] = "/tmp/sahm-soft-XXXXXX";
	if (!mkdtemp(path))
		return sahm_fail(err, SAHM_IO, "cannot make a folder in /tmp: %s", strerror(errno));
	w->folder = arena_strdup(&w->arena, path);
	if (w->folder)
		return SAHM_OK;
	rmdir(path);
	return sahm_fail_nomem(err);
}

/* Nobody but Verilator and the compiler has written there, and no folders. */
static void remove_folder(const char *folder)
{
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d));)
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(folder);
}

/* `name` has few letters. */
static void name_in_folder(const struct build *w, const char *name, char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "%s/%s", w->folder, name);
}

static enum sahm_status copy_data(const struct build *w, const char *name, struct sahm_err *err)
{
	char from[PATH_BYTES], to[PATH_BYTES], *text = NULL;
	size_t len;
	snprintf(from, sizeof(from), "%s/ipu/soft/%s", w->b->data, name);
	name_in_folder(w, name, to);
	enum sahm_status status = file_read_regular(from, MAX_SOURCE_BYTES, &text, &len, err);
	if (status == SAHM_OK)
		status = file_write(to, text, len, err);
	free(text);
	return status;
}

/* ---- Other programs ---- */

/* Runs a program to its end; *how is that of waitpid(), *words its output, which the caller frees. */
static enum sahm_status run(struct build *w, char *const *argv, int *how, char **words, struct sahm_err *err)
{
	/* In English, and without what an outer make tells the makes that it starts. */
	static const char *const set[] = {"LC_ALL=C", NULL};
	static const char *const outer[] = {"MAKEFLAGS=", "MAKELEVEL=", "MFLAGS=", "MAKEOVERRIDES=", NULL};
	char path[PATH_BYTES];
	pid_t pid;
	size_t len;
	name_in_folder(w, "said.txt", path);
	unlink(path); /* of the run before */
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "cannot write '%s': %s", path, strerror(errno));
	char **env = spawn_environment(&w->arena, set, outer);
	const struct spawn spawn = {.argv = argv, .env = env, .mask = &w->hold.before, .output = fd};
	int cause = env ? spawn_start(&spawn, &pid) : ENOMEM;
	close(fd);
	if (cause == ENOENT)
		return sahm_fail(err, SAHM_TOOL, "%s is not installed (Debian: apt install verilator g++ make)",
				 argv[0]);
	if (cause)
		return sahm_fail(err, SAHM_IO, "cannot run %s: %s", argv[0], strerror(cause));
	while (waitpid(pid, how, 0) < 0)
		if (errno != EINTR)
			return sahm_fail(err, SAHM_IO, "cannot wait for %s: %s", argv[0], strerror(errno));
	return file_read_regular(path, MAX_SAID_BYTES, words, &len, err);
}

/* ---- Verilator ---- */

/* Adds Verilator's words to those that are shown, with the source's name for that of its copy. */
static void say(const struct build *w, const char *words)
{
	char copy[PATH_BYTES];
	name_in_folder(w, COPY, copy);
	for (const char *at; (at = strstr(words, copy)); words = at + strlen(copy)) {
		textbuf_add(w->said, words, (size_t)(at - words));
		textbuf_puts(w->said, w->b->source);
	}
	textbuf_puts(w->said, words);
}

/* The first error that Verilator reports, as ours: "%Error: FILE:LINE:COLUMN: TEXT", "%Error-KIND: ..." or
 * "%Error: TEXT". */
static enum sahm_status fail_design(const struct build *w, char *words, int how, struct sahm_err *err)
{
	const char *at = words;
	while (at && strncmp(at, "%Error", 6) != 0)
		at = (at = strchr(at, '\n')) ? at + 1 : NULL;
	if (!at || !(at = strstr(at, ": "))) {
		struct textbuf end;
		textbuf_init(&end);
		child_end_write(how, &end);
		const char *last = child_last_line(words);
		sahm_fail(err, SAHM_TOOL, "verilator fails: %s", *last ? last : end.text);
		textbuf_release(&end);
		return SAHM_TOOL;
	}
	char *text = (char *)at + 2, *number = strchr(text, ':'), *end;
	text[strcspn(text, "\n")] = '\0';
	unsigned long line = number && number < text + strlen(text) ? strtoul(number + 1, &end, 10) : 0;
	if (line == 0)
		return sahm_fail_at(err, SAHM_FORMAT, w->b->source, 0, "Verilator: %s", text);
	*number = '\0';
	end += strspn(end, ":0123456789 ");
	char copy[PATH_BYTES];
	name_in_folder(w, COPY, copy);
	return sahm_fail_at(err, SAHM_FORMAT, strcmp(text, copy) == 0 ? w->b->source : text, (unsigned)line,
			    "Verilator: %s", end);
}

static enum sahm_status translate(struct build *w, struct sahm_err *err)
{
	const struct verilog_build *b = w->b;
	const char *base = base_name(b->source);
	char include[PATH_BYTES], source[PATH_BYTES], *words = NULL;
	int how = 0;
	/* Files that the source includes are beside it. */
	bool has_folder = base > b->source;
	snprintf(include, sizeof(include), "-I%.*s", has_folder ? (int)(base - b->source) : 1,
		 has_folder ? b->source : ".");
	name_in_folder(w, COPY, source);
	/* Warnings do not end it. Nothing is random, nothing is checked while it runs. A cycle calls many small
	 * functions of Verilator's library: with the whole program at once, the compiler makes it 30 % faster. */
	char *argv[] = {"verilator",
			"--cc",
			"--exe",
			"-O3",
			"-Wno-fatal",
			"--x-assign",
			"0",
			"--x-initial",
			"0",
			"--noassert",
			"--prefix",
			CLASS,
			"--top-module",
			(char *)b->top,
			include,
			"-Mdir",
			w->folder,
			"-CFLAGS",
			"-fPIC -flto -ffat-lto-objects -fvisibility=hidden -fno-gnu-unique -I. "
			"-DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL",
			"-LDFLAGS",
			"-shared",
			"-o",
			OBJECT,
			"harness.cpp",
			source,
			NULL};
	enum sahm_status status = file_write(source, w->source, w->source_len, err);
	if (status == SAHM_OK)
		status = run(w, argv, &how, &words, err);
	if (status == SAHM_OK && words)
		say(w, words);
	if (status == SAHM_OK && how != 0)
		status = fail_design(w, words, how, err);
	free(words);
	return status;
}

/* Verilator takes its time: first, whether the compiler that it asks for is there. */
static enum sahm_status find_compiler(struct build *w, struct sahm_err *err)
{
	char *argv[] = {"g++", "--version", NULL}, *words = NULL;
	int how;
	enum sahm_status status = run(w, argv, &how, &words, err);
	free(words);
	return status;
}

static enum sahm_status write_ports(struct build *w, struct sahm_err *err)
{
	char path[PATH_BYTES], *header = NULL;
	struct textbuf text;
	size_t len;
	textbuf_init(&text);
	name_in_folder(w, CLASS ".h", path);
	enum sahm_status status = file_read_regular(path, MAX_SOURCE_BYTES, &header, &len, err);
	if (status == SAHM_OK)
		status = verilog_read_ports(&w->ports, &w->arena, w->b, w->source, header, err);
	if (status == SAHM_OK) {
		verilog_write_ports(&w->ports, w->b, &text);
		name_in_folder(w, "sahm_ports.h", path);
		status = textbuf_failed(&text) ? sahm_fail_nomem(err) : file_write(path, text.text, text.len, err);
	}
	textbuf_release(&text);
	free(header);
	return status;
}

static enum sahm_status compile(struct build *w, struct sahm_err *err)
{
	char *words = NULL,
	     *argv[] = {"make",		  "-s",	  "-C", w->folder, "-f", CLASS ".mk", "OPT_FAST=-O3", "OPT_SLOW=-O1",
			"OPT_GLOBAL=-O1", OBJECT, NULL};
	int how = 0;
	enum sahm_status status = run(w, argv, &how, &words, err);
	if (status == SAHM_OK && how != 0)
		textbuf_puts(w->said, words);
	if (status == SAHM_OK && how != 0)
		status = sahm_fail(err, SAHM_TOOL, "'%s' cannot be compiled as Verilator has translated it: %s",
				   w->b->source, child_last_line(words));
	free(words);
	return status;
}

static enum sahm_status put_object(const struct build *w, struct sahm_err *err)
{
	char path[PATH_BYTES], *bytes = NULL;
	size_t len;
	name_in_folder(w, OBJECT, path);
	enum sahm_status status = file_read_regular(path, SOFT_MAX_OBJECT_BYTES, &bytes, &len, err);
	if (status == SAHM_OK)
		status = file_put(w->b->output, w->b->replaces, bytes, len, err);
	free(bytes);
	return status;
}

/* ---- All of it ---- */

static enum sahm_status build_in_folder(struct build *w, struct sahm_err *err)
{
	enum sahm_status status = copy_data(w, "harness.cpp", err);
	if (status == SAHM_OK)
		status = copy_data(w, "module.h", err);
	if (status == SAHM_OK)
		status = find_compiler(w, err);
	if (status == SAHM_OK)
		status = translate(w, err);
	if (status == SAHM_OK)
		status = write_ports(w, err);
	if (status == SAHM_OK)
		status = compile(w, err);
	return status == SAHM_OK ? put_object(w, err) : status;
}

enum sahm_status verilog_build(const struct verilog_build *b, struct textbuf *said, struct sahm_err *err)
{
	struct build w = {.b = b, .said = said};
	enum sahm_status status = check_names(b, err);
	if (status != SAHM_OK)
		return status;
	arena_init(&w.arena);
	/* A signal ends Verilator or the compiler, and then this. */
	signal_hold_begin(&w.hold);
	status = file_read_regular(b->source, MAX_SOURCE_BYTES, &w.source, &w.source_len, err);
	if (status == SAHM_OK)
		status = verilog_read_registers(&w.ports, &w.arena, b->source, w.source, err);
	if (status == SAHM_OK)
		status = make_folder(&w, err);
	if (status == SAHM_OK) {
		status = build_in_folder(&w, err);
		remove_folder(w.folder);
	}
	signal_hold_end(&w.hold);
	free(w.source);
	arena_release(&w.arena);
	return status;
}
