/* Pages of help and of the manual: how they are laid out, and their topics. */
#ifndef SAHM_SIM_CLI_HELP_H
#define SAHM_SIM_CLI_HELP_H

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/cfg.h"
#include "sim/base/suggest.h"
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

/* The topics of `sahm help`, and the parts of the man pages; a row without a name at the end. The part `commands`
 * has no function here: cmd_help.c, which knows the commands, prints it. */
extern const struct help_topic help_topics[], help_man_parts[];

/* Prints the page of one command to standard output. */
void help_command(const struct command *c);

/* Prints the overview, of all commands or of the common ones, to standard output or error. */
void help_overview(const struct program *p, bool all, bool to_stderr);

/* Prints a key with its help, default and range. False when out of memory. */
bool help_key(const struct cfg_key *key);

/* Explains `word`: a configuration key or its last part, a metric, counter, state, policy, core type, model of a core
 * or term, letter case ignored. Prints every meaning; false if there is none. */
bool help_word(const char *word);

/* Offers all words that help_word() knows. Names of files are kept in `a`. */
void help_offer_words(struct arena *a, struct suggest *s);

/* Terms and their meanings, with a row without a term at the end: what a run reports, and the glossary. */
struct help_item {
	const char *term, *text;
};
extern const struct help_item help_results_items[], help_glossary_items[];

#endif
