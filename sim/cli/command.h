/* Commands of the program: one row each says how a command is called, explained and run.
 *
 * A command parses its arguments, checks them, calls the library and prints: data to standard output, everything
 * else to standard error. Only this folder prints. */
#ifndef SAHM_SIM_CLI_COMMAND_H
#define SAHM_SIM_CLI_COMMAND_H

#include "sim/base/options.h"

struct program;

struct command {
	const char *name;     /* one to three words: "trace import" */
	const char *operands; /* "CONFIG", "TRACE..." */
	const char *summary;  /* one line */
	const char *details;  /* paragraphs for its help page, each a line; may be "" */
	const struct option_row *options;
	/* Exactly one is set; `args` follow the command's name and end with NULL. A command that runs a program for
	 * the user sets *exit_code, 0 to 255, with which sahm then ends; on failure it leaves it 0, or sets a code
	 * that is more specific than the status. */
	enum sahm_status (*run)(char **args, struct sahm_err *err);
	enum sahm_status (*run_program)(char **args, int *exit_code, struct sahm_err *err);
	/* For commands about commands, which are given all of them. */
	enum sahm_status (*run_about)(const struct program *p, char **args, struct sahm_err *err);
};

/* How many of `words` (NULL at the end) are the name of a command: all words of its name, or 0. */
size_t command_match(const struct command *c, char *const *words);

struct program {
	const struct command *const *commands; /* in list order, NULL at the end */
	const char *const *headings;	       /* of each command: the heading of the group that it begins, or NULL */
	const char *const *uses;	       /* of each command: its heading in the short list, or NULL */
	const struct option_row *options;      /* they precede any command */
};

#endif
