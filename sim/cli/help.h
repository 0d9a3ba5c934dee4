/* Pages of help and of the manual: how they are laid out, and their topics. */
#ifndef SAHM_SIM_CLI_HELP_H
#define SAHM_SIM_CLI_HELP_H

#include <stdio.h>

#include "sim/cli/command.h"

/* Prints `text` wrapped, its first line beginning at `column`, the others at `indent`. */
void print_wrapped(FILE *out, const char *text, unsigned column, unsigned indent);

/* Prints a term and what it means, aligned at `indent`. */
void print_item(FILE *out, const char *term, const char *text, unsigned indent);

/* Prints roff text with its special characters escaped; each line is a paragraph. */
void roff_text(const char *text);

/* Prints a term and what it means as an item of a man page. */
void roff_item(const char *term, const char *text);

struct help_topic {
	const char *name;
	void (*print)(void);
	bool (*build)(void); /* prints, too, and returns whether there was memory for everything */
};

/* The topics of `sahm help`, and the parts of the man pages; a row without a name at the end. The part `commands` has
 * no function here: whoever knows the commands prints it. */
extern const struct help_topic help_topics[], help_man_parts[];

/* Prints the page of one command to standard output. */
void help_command(const struct command *c);

/* Prints the overview to standard output or error. */
void help_overview(const struct program *p, bool to_stderr);

#endif
