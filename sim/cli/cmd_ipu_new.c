/* sahm ipu new: a folder to begin an introspection program in. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"

static const struct option_row options[] = {{0}};

#define MAX_NAME_BYTES 63
#define MAX_TEMPLATE_BYTES ((size_t)1 << 20)
#define PLACEHOLDER "@NAME@"

/* What goes into the folder, from where in the data folder; NULL: it is called as the program. */
static const struct file_row {
	const char *name, *from;
} files[] = {
	{NULL, "ipu/programs/new/program.c"},
	{"Makefile", "ipu/programs/new/Makefile"},
	{"signals.csv", "ipu/programs/new/signals.csv"},
	{"introspect.h", "ipu/programs/introspect.h"},
	{"ipu.ld", "ipu/programs/ipu.ld"},
	{"core.cfg", "ipu/abi/core.cfg"},
};
#define PATH_BYTES (2 * MAX_NAME_BYTES + 16)
#define NR_FILES (sizeof(files) / sizeof(files[0]))

static void path_of(char path[PATH_BYTES], const char *name, size_t i)
{
	if (files[i].name)
		snprintf(path, PATH_BYTES, "%s/%s", name, files[i].name);
	else
		snprintf(path, PATH_BYTES, "%s/%s.c", name, name);
}

/* Reads what file `i` is made of, with the program's name in its places. */
static enum sahm_status read_template(size_t i, const char *name, struct textbuf *out, struct sahm_err *err)
{
	char folder[DATA_FOLDER_BYTES], path[DATA_FOLDER_BYTES + 64];
	char *text, *place;
	size_t len;
	snprintf(path, sizeof(path), "%s/%s", data_folder(folder), files[i].from);
	enum sahm_status status = file_read(path, MAX_TEMPLATE_BYTES, &text, &len, err);
	if (status != SAHM_OK)
		return status;
	const char *rest = text;
	while ((place = strstr(rest, PLACEHOLDER))) {
		textbuf_add(out, rest, (size_t)(place - rest));
		textbuf_puts(out, name);
		rest = place + strlen(PLACEHOLDER);
	}
	textbuf_puts(out, rest);
	free(text);
	return textbuf_failed(out) ? sahm_fail_nomem(err) : SAHM_OK;
}

static enum sahm_status make_folder(const char *name, const struct textbuf texts[NR_FILES], struct sahm_err *err)
{
	char path[PATH_BYTES];
	enum sahm_status status = SAHM_OK;
	size_t nr = 0;
	if (mkdir(name, 0777) != 0)
		return errno == EEXIST ? sahm_fail(err, SAHM_USAGE, "'%s' is there already; choose another name", name)
				       : sahm_fail(err, SAHM_IO, "cannot create '%s': %s", name, strerror(errno));
	for (; nr < NR_FILES && status == SAHM_OK; nr++) {
		path_of(path, name, nr);
		status = write_output(path, &texts[nr], err);
	}
	if (status == SAHM_OK)
		return SAHM_OK;
	/* Half a program is worse than none; the last one was not written. */
	for (size_t i = 0; i + 1 < nr; i++) {
		path_of(path, name, i);
		unlink(path);
	}
	rmdir(name);
	return status;
}

/* The name becomes that of files and stands in a Makefile. */
static enum sahm_status check_name(const char *name, struct sahm_err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t len = strspn(name, all);
	if (name[len] || len == 0 || len > MAX_NAME_BYTES || !strchr(letters, *name))
		return sahm_fail(err, SAHM_USAGE,
				 "bad name '%.80s', must be up to %d letters, digits, - and _, a letter first", name,
				 MAX_NAME_BYTES);
	return SAHM_OK;
}

static enum sahm_status parse(char **args, const char **name, struct sahm_err *err)
{
	struct option_walk w;
	int option;
	*name = NULL;
	option_walk_init(&w, options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option != OPTION_OPERAND)
			return SAHM_USAGE;
		if (*name)
			return sahm_fail(err, SAHM_USAGE, "one program at a time: '%s' is too many", w.value);
		*name = w.value;
	}
	if (!*name)
		return sahm_fail(err, SAHM_USAGE, "a name is missing: sahm ipu new NAME");
	return check_name(*name, err);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct textbuf texts[NR_FILES];
	const char *name;
	enum sahm_status status = parse(args, &name, err);
	if (status != SAHM_OK)
		return status;
	for (size_t i = 0; i < NR_FILES; i++)
		textbuf_init(&texts[i]);
	for (size_t i = 0; i < NR_FILES && status == SAHM_OK; i++)
		status = read_template(i, name, &texts[i], err);
	if (status == SAHM_OK)
		status = make_folder(name, texts, err);
	for (size_t i = 0; i < NR_FILES; i++)
		textbuf_release(&texts[i]);
	if (status == SAHM_OK)
		fprintf(stderr, "%s: a program to begin with; try `cd %s && make run`\n", name, name);
	return status;
}

extern const struct command command_ipu_new;
const struct command command_ipu_new = {
	.name = "ipu new",
	.operands = "NAME",
	.summary = "begin an introspection program in a new folder",
	.details = "Makes a folder NAME, which must not be there yet, with a small program that works (NAME.c), a "
		   "Makefile, and "
		   "made-up signals to try it with (signals.csv), beside copies of what it needs: the header "
		   "introspect.h, "
		   "the linker script ipu.ld, the ABI spec core.cfg. `make` there builds it by riscv64-unknown-elf-gcc "
		   "(Debian: gcc-riscv64-unknown-elf; RISCV_CC= names another compiler), `make run` runs it on the "
		   "signals.\n"
		   "NAME has up to 63 letters, digits, - and _, a letter first.",
	.options = options,
	.run = run,
};
