#include "sim/cli/bpf_compiler.h"

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

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/spawn.h"
#include "workloads/record/record_program.h"

#define MAX_ARGUMENTS 512
#define STAND_INS "stand-in"

/* The same code with any compiler, and only errors that name something missing. Implicit declarations are errors, so
 * that all missing calls are listed at once. */
static const char *const options[] = {"-std=gnu11",
				      "-fPIC",
				      "-fno-strict-aliasing",
				      "-fwrapv",
				      "-fvisibility=hidden",
				      "-ffp-contract=off",
				      "-Werror=implicit-function-declaration",
				      "-Wno-error=int-conversion",
				      "-Wno-error=incompatible-pointer-types"};
static const char *const gcc_options[] = {"-fmax-errors=0", "-ftrack-macro-expansion=0"};
static const char *const clang_options[] = {"-ferror-limit=0", "-Wno-unknown-warning-option", "-fno-color-diagnostics"};

bool bpf_source_is(const char *path)
{
	return text_ends_in(path, ".bpf.c");
}

char *bpf_compiler_path(struct bpf_compiler *c, const char *name)
{
	size_t room = strlen(c->folder) + strlen(name) + 2;
	char *path = arena_alloc(&c->arena, room, 1);
	if (path)
		snprintf(path, room, "%s/%s", c->folder, name);
	return path;
}

/* Two texts, one after the other. */
static char *join(struct bpf_compiler *c, const char *a, const char *b)
{
	size_t room = strlen(a) + strlen(b) + 1;
	char *text = arena_alloc(&c->arena, room, 1);
	if (text)
		snprintf(text, room, "%s%s", a, b);
	return text;
}

/* ---- The folder ---- */

static enum sahm_status make_folder(struct bpf_compiler *c, struct sahm_err *err)
{
	const char *given = getenv("TMPDIR");
	char *folder = join(c, given && *given ? given : "/tmp", "/sahm-bpf-XXXXXX");
	if (!folder)
		return sahm_fail_nomem(err);
	if (!mkdtemp(folder))
		return sahm_fail(err, SAHM_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
	c->folder = folder;
	char *stand_ins = bpf_compiler_path(c, STAND_INS);
	if (!stand_ins)
		return sahm_fail_nomem(err);
	if (mkdir(stand_ins, 0700) != 0)
		return sahm_fail(err, SAHM_IO, "cannot make the folder '%s': %s", stand_ins, strerror(errno));
	return SAHM_OK;
}

/* Only this program and the compiler have written there: no links, and few folders. */
static void empty_folder(int fd)
{
	DIR *d = fdopendir(fd);
	for (struct dirent *e; d && (e = readdir(d));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    unlinkat(dirfd(d), e->d_name, 0) == 0)
			continue;
		int inner = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (inner >= 0)
			empty_folder(inner);
		unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	if (d)
		closedir(d);
	else
		close(fd);
}

static void remove_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		empty_folder(fd);
	rmdir(folder);
}

bool bpf_compiler_stand_in(struct bpf_compiler *c, const char *name)
{
	char *folder = bpf_compiler_path(c, STAND_INS "/");
	char *path = folder && name[0] != '/' && !strstr(name, "..") ? join(c, folder, name) : NULL;
	if (!path)
		return false;
	for (char *at = path + strlen(folder); (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST)
			return false;
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* ---- Running it ---- */

static enum sahm_status run(struct bpf_compiler *c, const char *const *argv, char **words, bool *is_ok,
			    struct sahm_err *err)
{
	/* In English; temporary files go to the folder, and __DATE__ and __TIME__ do not make each build another one.
	 */
	const char *set[] = {"LC_ALL=C", join(c, "TMPDIR=", c->folder), "SOURCE_DATE_EPOCH=0", NULL};
	char *path = bpf_compiler_path(c, "said.txt");
	pid_t pid;
	size_t len;
	int how = 0;
	if (!path || !set[1])
		return sahm_fail_nomem(err);
	unlink(path); /* of the run before */
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "cannot write '%s': %s", path, strerror(errno));
	char **env = spawn_environment(&c->arena, set, (const char *const[]){"LANGUAGE=", NULL});
	const struct spawn spawn = {.argv = (char *const *)argv, .env = env, .mask = &c->hold.before, .output = fd};
	int cause = env ? spawn_start(&spawn, &pid) : ENOMEM;
	close(fd);
	if (cause == ENOENT)
		return sahm_fail(err, SAHM_TOOL, "the C compiler '%s' is not installed (Debian: apt install clang)",
				 argv[0]);
	if (cause)
		return sahm_fail(err, SAHM_IO, "cannot run %s: %s", argv[0], strerror(cause));
	while (waitpid(pid, &how, 0) < 0)
		if (errno != EINTR)
			return sahm_fail(err, SAHM_IO, "cannot wait for %s: %s", argv[0], strerror(errno));
	if (signal_hold_has_caught(&c->hold))
		return sahm_fail(err, SAHM_TOOL, "interrupted");
	*is_ok = how == 0;
	return file_read_regular(path, BPF_MAX_TEXT_BYTES, words, &len, err);
}

/* Words of a command line; NULL ends them. */
struct words {
	const char *items[MAX_ARGUMENTS];
	size_t nr;
	bool has_failed;
};

static void add(struct words *w, const char *word)
{
	if (!word || w->nr + 1 >= MAX_ARGUMENTS)
		w->has_failed = true;
	else
		w->items[w->nr++] = word;
}

static void add_all(struct words *w, const char *const *items, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add(w, items[i]);
}

/* Paths of this machine do not get into what is made: __FILE__ is the name below the source's folder. */
static void add_prefix(struct words *w, struct bpf_compiler *c, const char *folder)
{
	char *whole = folder ? join(c, "-ffile-prefix-map=", folder) : NULL;
	add(w, whole ? join(c, whole, "=") : NULL);
}

enum sahm_status bpf_compiler_run(struct bpf_compiler *c, const char *const *arguments, char **words, bool *is_ok,
				  struct sahm_err *err)
{
	struct words w = {.nr = 0};
	add_all(&w, c->arguments, c->nr_arguments);
	add_all(&w, options, ARRAY_SIZE(options));
	if (c->is_clang)
		add_all(&w, clang_options, ARRAY_SIZE(clang_options));
	else
		add_all(&w, gcc_options, ARRAY_SIZE(gcc_options));
	char *data = join(c, "-I", c->data);
	add(&w, data ? join(c, data, "/sched/scx") : NULL);
	add(&w, data);
	add(&w, join(c, "-I", c->file_folder));
	for (size_t i = 0; i < c->source->includes.nr; i++)
		add(&w, join(c, "-I", c->source->includes.items[i]));
	for (size_t i = 0; i < c->source->defines.nr; i++)
		add(&w, join(c, "-D", c->source->defines.items[i]));
	char *stand_ins = bpf_compiler_path(c, STAND_INS);
	add(&w, "-idirafter");
	add(&w, stand_ins);
	add_prefix(&w, c, join(c, c->data, "/"));
	add_prefix(&w, c, join(c, c->folder, "/"));
	add_prefix(&w, c, c->file_folder);
	while (*arguments)
		add(&w, *arguments++);
	if (w.has_failed)
		return sahm_fail_nomem(err);
	w.items[w.nr] = NULL;
	return run(c, w.items, words, is_ok, err);
}

/* ---- What there is ---- */

static enum sahm_status split_command(struct bpf_compiler *c, const char *command, struct sahm_err *err)
{
	for (const char *at = command; *(at += strspn(at, " \t"));) {
		size_t len = strcspn(at, " \t");
		char *word = arena_strndup(&c->arena, at, len);
		if (!word)
			return sahm_fail_nomem(err);
		if (c->nr_arguments == ARRAY_SIZE(c->arguments))
			return sahm_fail(err, SAHM_USAGE, "the C compiler has more than %zu words",
					 ARRAY_SIZE(c->arguments));
		c->arguments[c->nr_arguments++] = word;
		at += len;
	}
	return c->nr_arguments ? SAHM_OK : sahm_fail(err, SAHM_USAGE, "--cc is empty, must be a C compiler");
}

static enum sahm_status find_compiler(struct bpf_compiler *c, struct sahm_err *err)
{
	static const char *const usual[] = {"clang", "gcc", "cc"};
	const char *given = c->source->compiler ? c->source->compiler : getenv("CC");
	if (c->source->compiler || (given && *given))
		return split_command(c, given, err);
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		char *path;
		enum sahm_status status = record_program_path(&c->arena, usual[i], &path, err);
		if (status != SAHM_OK)
			return status;
		if (path)
			return split_command(c, usual[i], err);
	}
	return sahm_fail(err, SAHM_TOOL,
			 "no C compiler is installed: neither clang nor gcc (Debian: apt install clang)");
}

/* By its macros: names and versions say different things on different systems. */
static enum sahm_status ask_compiler(struct bpf_compiler *c, struct sahm_err *err)
{
	static const char question[] = "#ifdef __clang__\nsahm_clang\n#endif\n";
	char *path = bpf_compiler_path(c, "question.c"), *answer = NULL;
	struct words w = {.nr = 0};
	bool is_ok;
	add_all(&w, c->arguments, c->nr_arguments);
	add(&w, "-E");
	add(&w, path);
	if (w.has_failed)
		return sahm_fail_nomem(err);
	w.items[w.nr] = NULL;
	enum sahm_status status = file_write(path, question, strlen(question), err);
	if (status == SAHM_OK)
		status = run(c, w.items, &answer, &is_ok, err);
	if (status == SAHM_OK && !is_ok)
		status = sahm_fail(err, SAHM_TOOL, "'%s' is no C compiler that works: %.*s", c->arguments[0],
				   (int)strcspn(answer, "\n"), answer);
	if (status == SAHM_OK)
		c->is_clang = strstr(answer, "\nsahm_clang");
	free(answer);
	return status;
}

static enum sahm_status find_source(struct bpf_compiler *c, struct sahm_err *err)
{
	const char *path = c->source->path;
	int fd = file_open_regular(path, err);
	if (fd < 0)
		return SAHM_IO;
	close(fd);
	char *file = realpath(path, NULL), *data = realpath(data_folder(), NULL);
	int cause = file && data ? 0 : errno;
	if (!cause) {
		c->file = arena_strdup(&c->arena, file);
		c->data = arena_strdup(&c->arena, data);
		c->file_folder = arena_strndup(&c->arena, file, (size_t)(base_name(file) - file));
	}
	free(file);
	free(data);
	if (cause == ENOMEM || (!cause && (!c->file || !c->data || !c->file_folder)))
		return sahm_fail_nomem(err);
	if (cause)
		return sahm_fail(err, SAHM_IO, "cannot find '%s' or the data folder '%s': %s", path, data_folder(),
				 strerror(cause));
	if (strpbrk(c->file, "\"\\\n"))
		return sahm_fail(err, SAHM_IO, "'%s' has a quotation mark, a backslash or a new line in its path",
				 path);
	return SAHM_OK;
}

const char *bpf_compiler_label(struct bpf_compiler *c, const char *path)
{
	const char *headers = join(c, c->data, "/sched/scx/"), *data = join(c, c->data, "/");
	if (!headers || !data)
		return NULL;
	if (strcmp(path, c->file) == 0)
		return c->source->path;
	if (strncmp(path, c->file_folder, strlen(c->file_folder)) == 0) {
		char *folder = arena_strndup(&c->arena, c->source->path,
					     (size_t)(base_name(c->source->path) - c->source->path));
		return folder ? join(c, folder, path + strlen(c->file_folder)) : NULL;
	}
	const char *const below[] = {headers, data};
	for (size_t i = 0; i < ARRAY_SIZE(below); i++)
		if (strncmp(path, below[i], strlen(below[i])) == 0)
			return arena_strdup(&c->arena, path + strlen(below[i]));
	return arena_strdup(&c->arena, path);
}

enum sahm_status bpf_compiler_begin(struct bpf_compiler *c, const struct bpf_source *source, struct sahm_err *err)
{
	*c = (struct bpf_compiler){.source = source};
	arena_init(&c->arena);
	/* A signal ends the compiler, and then this. */
	signal_hold_begin(&c->hold);
	enum sahm_status status = find_source(c, err);
	if (status == SAHM_OK)
		status = find_compiler(c, err);
	if (status == SAHM_OK)
		status = make_folder(c, err);
	return status == SAHM_OK ? ask_compiler(c, err) : status;
}

void bpf_compiler_end(struct bpf_compiler *c)
{
	if (c->folder)
		remove_folder(c->folder);
	signal_hold_end(&c->hold);
	arena_release(&c->arena);
}
