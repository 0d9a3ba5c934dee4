/* sahm policy new: a folder to begin a policy in. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/shell.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/scaffold.h"

struct request {
	const char *name, *folder;
};

static const struct option_row options[] = {
	{"output", 'o', "DIR", "the folder to make (NAME)", OPTION_STRING, AT(const char *, folder)},
	{ONE_OPERAND(name, "policy", "a name is missing: sahm policy new NAME"), .written = true},
};

static const struct scaffold_file files[] = {
	{NULL, "sched/new/policy.c.in"},
	{"Makefile", "sched/new/Makefile"},
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (sched_policy_find(r->name))
		return sahm_fail(err, SAHM_USAGE, "'%s' is a built-in policy; choose another name", r->name);
	return scaffold_check_name(r->name, err);
}

/* Where the headers are, and this program: absolute. */
static enum sahm_status find_paths(struct textbuf *include, struct textbuf *program, struct sahm_err *err)
{
	char *headers = realpath(data_folder(), NULL);
	int cause = headers ? 0 : errno;
	scaffold_write_path(include, headers ? headers : data_folder());
	free(headers);
	if (cause == ENOMEM || textbuf_failed(include))
		return sahm_fail_nomem(err);
	if (cause && !file_is_absent(cause))
		return sahm_fail(err, SAHM_IO, "cannot look for '%s': %s", data_folder(), strerror(cause));
	return scaffold_write_self(program, err);
}

/* How to go on, for a shell. */
static void print_advice(const char *name, const char *folder)
{
	struct textbuf word;
	textbuf_init(&word);
	shell_write_file(&word, folder);
	print_remark("%s: a policy to begin with; try `make -C %s run`", name,
		     textbuf_failed(&word) ? folder : word.text);
	textbuf_release(&word);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct textbuf include, program;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status != SAHM_OK)
		return status;
	const char *name = r.name, *folder = r.folder ? r.folder : name;
	/* In C a name has no '-'. */
	char prefix[MAX_SCAFFOLD_NAME_BYTES + 1];
	snprintf(prefix, sizeof(prefix), "%s", name);
	for (char *p = prefix; *p; p++)
		*p = *p == '-' ? '_' : *p;
	textbuf_init(&include);
	textbuf_init(&program);
	status = find_paths(&include, &program, err);
	const struct scaffold_word words[] = {
		{"@NAME@", name}, {"@PREFIX@", prefix}, {"@INCLUDE@", include.text}, {"@SAHM@", program.text}};
	if (status == SAHM_OK)
		status = scaffold_make(folder, name, files, ARRAY_SIZE(files), words, ARRAY_SIZE(words), err);
	textbuf_release(&include);
	textbuf_release(&program);
	if (status == SAHM_OK)
		print_advice(name, folder);
	return status;
}

extern const struct command command_policy_new;
const struct command command_policy_new = {
	.name = "policy new",
	.operands = "NAME",
	.summary = "start a scheduling policy in a new folder",
	.details = "Makes the new folder NAME with a small working policy (NAME.c) and a Makefile. There, "
		   "`make` builds the plug-in NAME.so, `make check` lists what it uses, and `make run` runs a "
		   "shipped configuration with it. `sahm run --policy ./NAME.so CONFIG` runs any other.\n"
		   "NAME has up to 63 letters, digits, - and _, begins with a letter, and is not the name of a "
		   "built-in policy.",
	.options = options,
	.run = run,
};
