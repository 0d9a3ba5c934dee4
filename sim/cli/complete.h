/* What can stand next on a command line: for the shells, whose scripts (`sahm completion`) ask for it.
 *
 * All of it comes from the tables that the program itself works with: commands from command_list.h, options from each
 * command's own table, read by the parser that the command has, operands from how the command names them. What a value
 * may be goes by its name there (FILE, CPU), or by the option where that says too little: values[] of
 * complete_values.c.
 */
#ifndef SAHM_SIM_CLI_COMPLETE_H
#define SAHM_SIM_CLI_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/textbuf.h"
#include "sim/cli/command.h"

/* A word that is being completed: its fixed beginning, and what was typed of the value that follows. */
struct completion {
	const struct program *program;
	const char *word;	 /* all of it, up to the cursor */
	const char *typed;	 /* inside `word`; what is offered begins with it */
	const char *operand;	 /* the operand before it, "" where there is none */
	const char *first;	 /* the first operand before it, likewise */
	const char *sweep;	 /* value of --sweep before it; NULL: not said */
	struct textbuf *answers; /* see complete_words() */
};

/* Appends the possible completions of the last of `words` (NULL-terminated, without the program's name), one line
 * each with three columns separated by tabs:
 *
 * 	word	TEXT	DESCRIPTION	the whole word can be TEXT
 * 	more	TEXT	DESCRIPTION	likewise, and more follows: no blank after it
 * 	files	BEGIN			BEGIN and the name of a file
 * 	folders	BEGIN			BEGIN and the name of a folder
 * 	programs	BEGIN		BEGIN and the name of a program in PATH */
void complete_words(const struct program *p, char **words, struct textbuf *answers);

/* What sources of values do. Offers `text`, if it begins with what was typed; `is_whole` unless more has to follow. A
 * description may be NULL; its first words are taken. */
void complete_offer(struct completion *c, const char *text, const char *description, bool is_whole);

/* Offers files, folders or programs: `kind` as above. */
void complete_names(struct completion *c, const char *kind);

/* A source of values. */
typedef void complete_source(struct completion *c);

/* Offers what the value or operand `what` of a command can be: "--engine", or its name in capitals as help has it.
 * Returns whether anything is known of it: of numbers and names to be chosen freely nothing is. */
bool complete_value(struct completion *c, const char *command, const char *what);

#endif
