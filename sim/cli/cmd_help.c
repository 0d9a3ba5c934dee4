/* sahm help: pages from the same tables that the program works with; also the generated parts of its man pages. */
#include <stdio.h>
#include <string.h>

#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/help.h"
#include "sim/cli/option_words.h"
#include "sim/cli/pager.h"

#define TOPICS                                                                                                         \
	"config, cores, policies, policy-interface, states, traces, import, synth, results, comparisons, sweeps, "     \
	"glossary"

struct request {
	bool all;
	const char *part; /* of the man pages */
	char name[128];	  /* of a command, of one word or two, of a topic, or a word */
};

static enum sahm_status take_word(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	size_t len = strlen(r->name);
	(void)err;
	snprintf(r->name + len, sizeof(r->name) - len, "%s%s", len ? " " : "", w->value);
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"all", 'a', NULL, "list all commands", OPTION_FLAG, AT(bool, all)},
	{"man", 0, "PART",
	 "print a generated part of the man pages, as roff: commands, keys, cores, policies, operations, calls, "
	 "formats, events, profile-columns, profile-keys, comparison-keys, sweep-keys",
	 OPTION_STRING, AT(const char *, part)},
	{TAKE_OPERANDS(take_word)},
};

static void print_all(const struct program *p, FILE *out)
{
	for (const struct command *const *c = p->commands; *c; c++) {
		if (p->headings[c - p->commands])
			fprintf(out, "\n%s:\n", p->headings[c - p->commands]);
		print_item(out, (*c)->name, (*c)->summary, 18);
	}
}

/* The headings in the order of their first commands. */
static void print_common(const struct program *p, FILE *out)
{
	for (size_t i = 0; p->commands[i]; i++) {
		const char *use = p->uses[i];
		bool is_first = use;
		for (size_t k = 0; use && k < i; k++)
			is_first &= !p->uses[k] || strcmp(p->uses[k], use) != 0;
		if (!is_first)
			continue;
		fprintf(out, "\n%s:\n", use);
		for (size_t k = i; p->commands[k]; k++)
			if (p->uses[k] && strcmp(p->uses[k], use) == 0)
				print_item(out, p->commands[k]->name, p->commands[k]->summary, 18);
	}
}

void help_overview(const struct program *p, bool all, bool to_stderr)
{
	FILE *out = to_stderr ? stderr : stdout;
	fputs("usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...\n\n"
	      "Replays hardware-counter traces of programs on chips of specialised cores.\n",
	      out);
	if (all)
		print_all(p, out);
	else
		print_common(p, out);
	fputs("\noptions before a command:\n", out);
	for (const struct option_row *row = p->options; row->name; row++) {
		char term[96];
		snprintf(term, sizeof(term), "--%s %s", row->name, row->value);
		print_item(out, term, row->help, 18);
	}
	print_item(out, "-h, --help", "print this; after a command: explain the command", 18);
	print_item(out, "-V, --version", "print the version", 18);
	fputs("\nmore help:\n", out);
	if (!all)
		print_item(out, "sahm help -a", "all commands", 24);
	print_item(out, "sahm help quickstart", "the first hour, as commands", 24);
	print_item(out, "sahm help COMMAND", "a command and its options", 24);
	print_item(out, "sahm help TOPIC", TOPICS, 24);
	print_item(out, "sahm help WORD",
		   "a configuration key (scheduler.inertia), metric (stp), state, policy, core type or term", 24);
}

static void option_term(const struct option_row *row, char *term, size_t room)
{
	char letter[8] = "    ";
	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(term, room, "%s--%s%s%s", letter, row->name, row->value ? " " : "", row->value ? row->value : "");
}

void help_command(const struct command *c)
{
	char term[96];
	printf("usage: sahm %s [OPTION]...%s%s\n\n", c->name, *c->operands ? " " : "", c->operands);
	for (const char *at = c->details; *at;) {
		size_t len = strcspn(at, "\n");
		char paragraph[1024];
		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)len, at);
		print_wrapped(stdout, paragraph, 0, 0);
		puts("");
		at += len + (at[len] == '\n');
	}
	if (!*c->details)
		printf("%s\n\n", c->summary);
	puts("options:");
	for (const struct option_row *row = c->options; row->name; row++) {
		option_term(row, term, sizeof(term));
		print_item(stdout, term, row->help, 30);
	}
	print_item(stdout, "-h, --help", "print this", 30);
}

static void roff_commands(const struct program *p)
{
	char term[96];
	for (const struct command *const *c = p->commands; *c; c++) {
		if (p->headings[c - p->commands]) {
			fputs(c == p->commands ? ".I " : ".PP\n.I ", stdout);
			roff_text(p->headings[c - p->commands]);
			puts("");
		}
		printf(".SS sahm %s [OPTION]...%s%s\n", (*c)->name, *(*c)->operands ? " " : "", (*c)->operands);
		roff_text((*c)->summary);
		puts(".");
		if (*(*c)->details) {
			puts(".PP");
			roff_text((*c)->details);
			puts("");
		}
		for (const struct option_row *row = (*c)->options; row->name; row++) {
			option_term(row, term, sizeof(term));
			roff_item(term + strspn(term, " "), row->help);
		}
	}
}

/* *found: whether there is one that is called so. */
static enum sahm_status print_topic(const struct program *p, const struct help_topic *rows, const char *name,
				    bool *found, struct sahm_err *err)
{
	while (rows->name && strcmp(rows->name, name) != 0)
		rows++;
	*found = rows->name;
	if (!rows->name)
		return SAHM_OK;
	if (rows->build)
		return rows->build() ? SAHM_OK : sahm_fail_nomem(err);
	if (rows->print)
		rows->print();
	else
		roff_commands(p);
	return SAHM_OK;
}

/* Names the commands whose second word is `name`: somebody who read its page may have meant them. */
static void print_see_also(const struct program *p, const char *name)
{
	const char *before = "\nsee also: ";
	for (const struct command *const *c = p->commands; *c; c++) {
		const char *second = strchr((*c)->name, ' ');
		if (!second || strcmp(second + 1, name) != 0)
			continue;
		printf("%ssahm help %s", before, (*c)->name);
		before = ", ";
	}
	if (before[0] == ',')
		puts("");
}

static enum sahm_status print_page(const struct program *p, const char *name, struct sahm_err *err)
{
	bool is_name;
	enum sahm_status status = print_topic(p, help_topics, name, &is_name, err);
	bool found = is_name;
	size_t len = strlen(name);
	for (const struct command *const *c = p->commands; *c; c++)
		is_name |= strcmp((*c)->name, name) == 0;
	for (const struct command *const *c = p->commands; *c; c++) {
		const char *second = strchr((*c)->name, ' ');
		bool same = strcmp((*c)->name, name) == 0 || (!is_name && second && strcmp(second + 1, name) == 0);
		if (!same && !(strncmp((*c)->name, name, len) == 0 && (*c)->name[len] == ' '))
			continue;
		if (found)
			puts("");
		help_command(*c);
		found = true;
	}
	if (is_name)
		print_see_also(p, name);
	if (found)
		return status;
	if (help_word(name))
		return SAHM_OK;
	char near[SUGGEST_BYTES];
	struct suggest s;
	struct arena names;
	suggest_init(&s, name);
	arena_init(&names);
	for (const struct command *const *c = p->commands; *c; c++)
		suggest_offer(&s, (*c)->name);
	for (const struct help_topic *t = help_topics; t->name; t++)
		suggest_offer(&s, t->name);
	if (!s.best)
		help_offer_words(&names, &s);
	sahm_fail(err, SAHM_USAGE, "no help on '%s'%s", name,
		  suggest_or(&s, "sahm help -a lists the commands, sahm help glossary the terms", near));
	arena_release(&names);
	return SAHM_USAGE;
}

static enum sahm_status run_about(const struct program *p, char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && r.part) {
		bool found;
		status = print_topic(p, help_man_parts, r.part, &found, err);
		return found ? status : sahm_fail(err, SAHM_USAGE, "--man: no part is called '%s'", r.part);
	}
	if (status == SAHM_OK)
		pager_begin();
	if (status == SAHM_OK && r.name[0])
		status = print_page(p, r.name, err);
	else if (status == SAHM_OK)
		help_overview(p, r.all, false);
	return status;
}

extern const struct command command_help;
const struct command command_help = {
	.name = "help",
	.operands = "[COMMAND|TOPIC|WORD]",
	.summary = "explain a command, a topic, a configuration key or a term",
	.details =
		"The topics are " TOPICS ". A WORD is a configuration key or its last part (scheduler.inertia, "
		"inertia), a metric (stp), a counter, a state, a policy, a core type or a term of the glossary.\nOn a "
		"terminal, help goes through $PAGER (less unless it is set).",
	.options = options,
	.run_about = run_about,
};
