#include "sim/cli/complete.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"

#define NAME_BYTES 64

/* The next word of each command that begins with `words`, all of them but the last. */
static void offer_commands(struct completion *c, char *const *words)
{
	for (const struct command *const *row = c->program->commands; *row; row++) {
		const char *name = (*row)->name;
		char next[NAME_BYTES];
		char *const *word = words;
		for (size_t len;
		     word[1] && (len = strcspn(name, " ")) == strlen(*word) && memcmp(name, *word, len) == 0; word++)
			name += len + (name[len] == ' ');
		if (word[1] || !*name)
			continue;
		size_t len = strcspn(name, " ");
		snprintf(next, sizeof(next), "%.*s", (int)len, name);
		complete_offer(c, next, name[len] ? "..." : (*row)->summary, true);
	}
}

static void offer_options(struct completion *c, const struct option_row *rows)
{
	char dashed[NAME_BYTES];
	for (const struct option_row *row = rows; row->name; row++) {
		snprintf(dashed, sizeof(dashed), "--%s", row->name);
		complete_offer(c, dashed, row->help, true);
		snprintf(dashed, sizeof(dashed), "-%c", row->letter);
		if (row->letter)
			complete_offer(c, dashed, row->help, true);
	}
	complete_offer(c, "--help", "print this command's page", true);
	complete_offer(c, "-h", "print this command's page", true);
}

/* `sahm help trace import`: the first word, or the second after a group's first. */
static void offer_commands_for_help(struct completion *c)
{
	char *words[] = {(char *)(uintptr_t)c->operand, (char *)(uintptr_t)c->word, NULL};
	complete_words(c->program, *c->operand ? words : words + 1, c->answers);
}

/* One of the names of a value, of `len` bytes: "FILE", "closed". A name in small letters stands for itself. */
static void offer_named(struct completion *c, const char *command, const char *text, size_t len)
{
	char name[NAME_BYTES];
	snprintf(name, sizeof(name), "%.*s", (int)len, text);
	if (*name >= 'a' && *name <= 'z')
		complete_offer(c, name, NULL, true);
	else if (strcmp(command, "help") == 0 && strcmp(name, "COMMAND") == 0)
		offer_commands_for_help(c);
	else
		complete_value(c, command, name);
}

static void offer_value(struct completion *c, const char *command, const struct option_row *row)
{
	char option[NAME_BYTES];
	snprintf(option, sizeof(option), "--%s", row->name);
	for (const char *const *word = row->words; word && *word; word++)
		complete_offer(c, *word, NULL, true);
	if (!row->words && !complete_value(c, command, option) && !complete_value(c, command, row->value))
		offer_named(c, command, row->value, strlen(row->value));
}

/* The operand with this index, from how the command names them: "STORE [QUESTION [POSITION]]", "CONFIG | TRACE...". */
static void offer_operand(struct completion *c, const struct command *command, unsigned index)
{
	const char *at = command->operands, *last = NULL;
	size_t last_len = 0;
	for (unsigned seen = 0; *at;) {
		at += strspn(at, " []-");
		size_t len = strcspn(at, " []");
		/* Alternatives with blanks around the bar are one operand. */
		while (strncmp(at + len, " | ", 3) == 0)
			len += 3 + strcspn(at + len + 3, " []");
		if (len == 0)
			break;
		bool repeats = len > 3 && memcmp(at + len - 3, "...", 3) == 0;
		if (seen == index || repeats || (at[len] == ']' && strncmp(at + len, "]...", 4) == 0)) {
			last = at;
			last_len = len - (repeats ? 3 : 0);
		}
		if (seen++ == index)
			break;
		at += len;
		at += at[0] == ']' && strncmp(at, "]...", 4) == 0 ? 4 : 0;
	}
	if (!last)
		return;
	for (const char *end = last + last_len; last < end;) {
		size_t len = strcspn(last, " |]");
		if (last + len > end)
			len = (size_t)(end - last);
		offer_named(c, command->name, last, len);
		last += len;
		last += strspn(last, " |]");
	}
}

/* The command that the first words name, and where its arguments begin. */
static const struct command *find(const struct program *p, char **words, char ***args)
{
	for (const struct command *const *row = p->commands; *row; row++) {
		size_t nr_words = command_match(*row, words);
		*args = words + nr_words;
		if (nr_words > 0)
			return **args ? *row : NULL;
	}
	return NULL;
}

/* Walks over the arguments as the command would: the word in question is the last one. */
static void complete_argument(struct completion *c, const struct command *command, char **args)
{
	struct option_walk w;
	struct sahm_err err;
	unsigned nr_operands = 0;
	int option;
	bool runs_another = strncmp(command->operands, "[--]", 4) == 0;
	option_walk_init(&w, command->options, args);
	w.unfinished = true;
	do {
		option = option_walk_next(&w, &err);
		if (option >= 0 && *w.args && strcmp(command->options[option].name, "sweep") == 0)
			c->sweep = w.value;
		if (option == OPTION_OPERAND && *w.args) {
			c->first = nr_operands++ ? c->first : w.value;
			c->operand = w.value;
			/* Words after a program's name belong to that program. */
			w.operands_only |= runs_another;
		}
	} while (option != OPTION_END && *w.args);
	/* A value that is a word of its own may look like an option. */
	bool is_value = option >= 0 && w.value;
	if (is_value) {
		c->typed = w.value;
		offer_value(c, command->name, &command->options[option]);
		return;
	}
	/* The name of a command, which `sahm help` takes, may be two words. */
	if (option == OPTION_OPERAND)
		offer_operand(c, command, strcmp(command->name, "help") == 0 ? 0 : nr_operands);
	/* A bare "--" may still become an option. */
	if (*c->word == '-' && (!w.operands_only || option == OPTION_END))
		offer_options(c, command->options);
}

/* Skips options before a command and returns the words after them; NULL if one of them is being completed, which is
 * then done, or is unknown. */
static char **skip_global_options(struct completion *c, char **words)
{
	while (strncmp(*words, "--", 2) == 0 && (words[1] || strchr(*words, '='))) {
		struct option_walk w;
		struct sahm_err err;
		option_walk_init(&w, c->program->options, words);
		int option = option_walk_next(&w, &err);
		if (option < 0)
			return NULL;
		if (!*w.args) {
			c->typed = w.value;
			offer_value(c, "", &c->program->options[option]);
			return NULL;
		}
		words = w.args;
	}
	return words;
}

static void offer_global_options(struct completion *c)
{
	complete_offer(c, "--help", NULL, true);
	complete_offer(c, "--version", NULL, true);
	for (const struct option_row *row = c->program->options; row->name; row++) {
		char dashed[NAME_BYTES];
		snprintf(dashed, sizeof(dashed), "--%s", row->name);
		complete_offer(c, dashed, row->help, true);
	}
}

void complete_words(const struct program *p, char **words, struct textbuf *answers)
{
	struct completion c = {.program = p, .operand = "", .first = "", .answers = answers};
	for (char **word = words; *word; word++)
		c.word = c.typed = *word;
	if (!c.word || !(words = skip_global_options(&c, words)))
		return;
	char **args = NULL;
	const struct command *command = words[1] ? find(p, words, &args) : NULL;
	if (command)
		complete_argument(&c, command, args);
	else
		offer_commands(&c, words);
	if (!words[1] && *c.word == '-')
		offer_global_options(&c);
}
