/* sahm ipu new: a folder to begin an introspection program in. */
#include <stdio.h>

#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/scaffold.h"

struct request {
	const char *name;
};

static const struct option_row options[] = {
	{ONE_OPERAND(name, "program", "a name is missing: sahm ipu new NAME"), .written = true},
};

static const struct scaffold_file files[] = {
	{NULL, "ipu/programs/new/program.c"},
	{"Makefile", "ipu/programs/new/Makefile"},
	{"signals.csv", "ipu/programs/new/signals.csv"},
	{"introspect.h", "ipu/programs/introspect.h"},
	{"ipu.ld", "ipu/programs/ipu.ld"},
	{"core.cfg", "ipu/abi/core.cfg"},
};

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct textbuf program;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = scaffold_check_name(r.name, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&program);
	status = scaffold_write_self(&program, err);
	const struct scaffold_word words[] = {{"@NAME@", r.name}, {"@SAHM@", program.text}};
	if (status == SAHM_OK)
		status = scaffold_make(r.name, r.name, files, ARRAY_SIZE(files), words, ARRAY_SIZE(words), err);
	textbuf_release(&program);
	if (status == SAHM_OK)
		print_remark("%s: a program to begin with; try `make -C %s run`", r.name, r.name);
	return status;
}

extern const struct command command_ipu_new;
const struct command command_ipu_new = {
	.name = "ipu new",
	.operands = "NAME",
	.summary = "start an introspection program in a new folder",
	.details = "Makes the new folder NAME with a small working program (NAME.c), a Makefile and invented "
		   "signals to try it on (signals.csv). The header introspect.h, the linker script ipu.ld and "
		   "the ABI spec core.cfg are copied into it. There, `make` builds the program with "
		   "riscv64-unknown-elf-gcc (Debian: gcc-riscv64-unknown-elf; RISCV_CC= names another "
		   "compiler), and `make run` runs it on the signals.\n"
		   "NAME has up to 63 letters, digits, - and _, and begins with a letter.",
	.options = options,
	.run = run,
};
