/* Command-line options: a table per command drives parsing, help, man page and did-you-mean.
 *
 * `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the options; `-` is an operand. The letter `o` is
 * that of what is written, by its name, which is never empty.
 */
#ifndef SAHM_BASE_OPTIONS_H
#define SAHM_BASE_OPTIONS_H

#include <stdbool.h>

#include "sim/base/err.h"

struct option_row {
	const char *name;  /* long name without dashes; NULL ends a table */
	char letter;	   /* short name, or 0 */
	const char *value; /* what its value is called ("FILE"), NULL for a flag */
	const char *help;  /* one sentence, lower case, no full stop */
};

enum { OPTION_END = -1, OPTION_OPERAND = -2, OPTION_ERROR = -3 };

/* A walk over arguments. */
struct option_walk {
	const struct option_row *rows;
	char **args;	   /* the next one to look at */
	const char *value; /* the option's value, or the operand */
	bool operands_only;
	bool unfinished; /* for the caller to set: the last word is still being written, and may be empty */
};

/* Begins a walk over `args` (NULL-terminated, without program and command name) with the options of `rows`. */
void option_walk_init(struct option_walk *w, const struct option_row *rows, char **args);

/* Next argument: the index of its row, OPTION_OPERAND, OPTION_END, or OPTION_ERROR with `err` filled (SAHM_USAGE). */
int option_walk_next(struct option_walk *w, struct sahm_err *err);

#endif
