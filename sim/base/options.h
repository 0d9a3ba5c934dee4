/* Command-line options: a table per command drives parsing, help, man page, completion and did-you-mean.
 *
 * `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the options; `-` is an operand. The letter `o` is
 * that of what is written, by its name, which is never empty. An output is no companion of a database (companion.h).
 * In a table with a row of OPTION_FORCE, the options that name what is written refuse an existing file, unless it is
 * given.
 *
 * A row says what an option is called and where its value goes: into which member of the command's request, in which
 * form, within which bounds. The last row, which has no name, says the same of operands:
 *
 *	#define AT(type, member) OPTION_AT(type, struct request, member)
 *	static const struct option_row options[] = {
 *		{"details", 'd', NULL, "also print ...", OPTION_FLAG, AT(bool, details)},
 *		{"jobs", 'j', "N", "processes ...", OPTION_WHOLE, AT(uint32_t, jobs), .least = 1, .most = 64},
 *		{.kind = OPTION_STRING, AT(const char *, config), .what = "configuration",
 *		 .missing = "a configuration is missing: sahm run CONFIG"},
 *	};
 *	struct request r = {0};
 *	enum sahm_status status = options_parse(options, args, &r, err);
 *
 * To add an option: a row, a member of the request, and what the command does with it. The command checks dependences
 * between options afterwards.
 */
#ifndef SAHM_SIM_BASE_OPTIONS_H
#define SAHM_SIM_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

struct option_walk;

/* What is made of a value. Messages name the option: "--jobs is a whole number from 1 to 64, not '0'". */
enum option_kind {
	OPTION_NONE,   /* operands: there are none; `what` is how the command is called */
	OPTION_FLAG,   /* bool: true */
	OPTION_CLEAR,  /* bool: false */
	OPTION_FORCE,  /* bool: true; existing files are replaced */
	OPTION_ONE_OF, /* int or enum: `value_is`; of options with one place but one can be given */
	OPTION_STRING, /* const char *: the last one; with `what` but one can be given */
	OPTION_LIST,   /* struct option_list: all; at most `most` of them, if that is not 0 */
	OPTION_WHOLE,  /* uint32_t or uint64_t, from `least` to `most` */
	OPTION_COUNT,  /* likewise, but says "--top is '0', must be a whole number from 1 to 9" */
	OPTION_SIZE,   /* the same, also 0x..., and K, M, G for multiples of 1024 ... */
	OPTION_MS,     /* uint64_t: ns of what is given in ms, or with a unit ("2s"); `least` and `most` in ns */
	OPTION_AMOUNT, /* double above 0 */
	OPTION_CHOICE, /* unsigned or enum: which of `words` it is */
	OPTION_TAKE    /* what `take` makes of it */
};

/* Reads the value w->value of the row w->row into `to`, the place in the request that the row names. It may take more
 * arguments from w->args. */
typedef enum sahm_status option_take(void *to, struct option_walk *w, struct sahm_err *err);

struct option_row {
	const char *name;  /* long name without dashes; NULL: operands, which ends a table */
	char letter;	   /* short name, or 0 */
	const char *value; /* name of its value ("FILE"), NULL for a flag */
	const char *help;  /* one sentence, lower case, no full stop */
	enum option_kind kind;
	size_t offset, size;	  /* of its place in the request: OPTION_AT */
	uint64_t least, most;	  /* bounds of numbers */
	uint64_t unit;		  /* numbers: unless 0, must be a multiple of it */
	uint64_t preset;	  /* numbers and choices: its default, where that is not 0 */
	const char *preset_text;  /* strings: likewise; NULL: none */
	int value_is;		  /* OPTION_ONE_OF */
	const char *what;	  /* choices, strings, operands: what is named, in messages ("configuration") */
	const char *must;	  /* numbers: what they must be, in messages; NULL: by their bounds */
	const char *missing;	  /* strings and lists: the message where it is not given; NULL: it need not be */
	const char *const *words; /* what can be chosen, NULL at the end; completed for any kind */
	option_take *take;
	bool written;	 /* the value names what is written; that of the letter `o` always does */
	bool folder;	 /* it names a folder */
	const char *old; /* a former long name, which still works and is not shown; NULL: none */
	size_t note; /* place of a const char * that gets the option's name when it is given: OPTION_NOTE; 0: none */
};

/* The place of a member of type `type` in the request: that it has this type is checked. */
#define OPTION_AT(type, request, member)                                                                               \
	.offset = offsetof(request, member) + _Generic(((request *)0)->member, type : 0), .size = sizeof(type)

/* The place of a note, which cannot be the request's first member. */
#define OPTION_NOTE(request, member)                                                                                   \
	.note = offsetof(request, member) + _Generic(((request *)0)->member, const char * : 0)

/* Strings that were given, in order. All zeros: none. */
struct option_list {
	const char **items; /* [nr], for the caller to free */
	size_t nr;
};

/* Appends one. SAHM_NOMEM. */
enum sahm_status option_list_add(struct option_list *list, const char *item, struct sahm_err *err);

/* Puts what `args` (NULL-terminated, without program and command name) say into `request`, as `rows` have it, over what
 * is there. SAHM_USAGE, SAHM_NOMEM, or as a row's `take` fails. Lists are the caller's to free either way. */
enum sahm_status options_parse(const struct option_row *rows, char **args, void *request, struct sahm_err *err);

/* Which of `names` (NULL at the end) `word` is; else SAHM_USAGE, with a suggestion. `what` it is the name of. */
enum sahm_status read_choice(const char *what, const char *word, const char *const *names, unsigned *which,
			     struct sahm_err *err);

enum { OPTION_END = -1, OPTION_OPERAND = -2, OPTION_ERROR = -3 };

/* A walk over arguments. */
struct option_walk {
	const struct option_row *rows;
	const struct option_row *row; /* that of the value; of an operand the last one */
	char **args;		      /* the next one to look at */
	const char *value;	      /* the option's value, or the operand */
	bool operands_only;
	bool unfinished; /* for the caller to set: the last word is still being written, and may be empty */
};

/* Begins a walk over `args` with the options of `rows`. */
void option_walk_init(struct option_walk *w, const struct option_row *rows, char **args);

/* Next argument: the index of its row, OPTION_OPERAND, OPTION_END, or OPTION_ERROR with `err` filled (SAHM_USAGE). */
int option_walk_next(struct option_walk *w, struct sahm_err *err);

#endif
