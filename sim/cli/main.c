/* The program: finds the command, runs it, reports how it went. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/suggest.h"
#include "sim/base/version.h"
#include "sim/cli/command.h"
#include "sim/cli/help.h"
#include "sim/cli/output.h"
#include "sim/cli/pager.h"
#include "sim/cli/policy_guard.h"
#include "sim/cli/supervisor.h"
#include "sim/engine/model.h"

#define COMMAND(symbol) extern const struct command command_##symbol;
#include "sim/cli/command_list.h"

static const struct command *const commands[] = {
#define COMMAND(symbol) &command_##symbol,
#include "sim/cli/command_list.h"
	NULL,
};

enum {
#define COMMAND(symbol) PLACE_##symbol,
#include "sim/cli/command_list.h"
	NR_COMMANDS
};

static const char *const command_headings[NR_COMMANDS] = {
#define GROUP(symbol, heading) [PLACE_##symbol] = heading,
#include "sim/cli/command_list.h"
};

static const char *const command_uses[NR_COMMANDS] = {
#define COMMON(symbol, use) [PLACE_##symbol] = use,
#include "sim/cli/command_list.h"
};

static const struct option_row global_options[] = {
	{"allow-includes", 0, "FOLDER",
	 "let configurations include files in FOLDER and below; can be repeated. By default they "
	 "include only files in their own folder and below, and shipped ones",
	 .kind = OPTION_STRING},
	{0},
};

static const struct program sahm = {commands, command_headings, command_uses, global_options};

/* The command that the first words of `args` name, and the words after it. */
static const struct command *find_command(char **args, char ***rest)
{
	for (const struct command *const *c = commands; *c; c++) {
		size_t nr_words = command_match(*c, args);
		*rest = args + nr_words;
		if (nr_words > 0)
			return *c;
	}
	return NULL;
}

static bool asks_for_help(char **args)
{
	for (; *args && strcmp(*args, "--") != 0; args++)
		if (strcmp(*args, "--help") == 0 || strcmp(*args, "-h") == 0)
			return true;
	return false;
}

#define WORDS_BYTES 512

/* Writes the words that follow those of the group `group` into `text`, separated by commas; false if there are none. */
static bool second_words(const char *group, char text[WORDS_BYTES])
{
	size_t len = strlen(group), used = 0, last_len = 0;
	const char *last = "";
	for (const struct command *const *c = commands; *c && used < WORDS_BYTES; c++) {
		if (strncmp((*c)->name, group, len) != 0 || (*c)->name[len] != ' ')
			continue;
		const char *word = (*c)->name + len + 1;
		size_t word_len = strcspn(word, " ");
		if (word_len != last_len || memcmp(word, last, word_len) != 0)
			used += (size_t)snprintf(text + used, WORDS_BYTES - used, "%s%.*s", used ? ", " : "",
						 (int)word_len, word);
		last = word;
		last_len = word_len;
	}
	return used > 0;
}

/* Writes the commands whose second word is `word` into `text`, as a suggestion; whether there is any. */
static bool first_word_missing(const char *word, char text[WORDS_BYTES])
{
	size_t used = 0;
	for (const struct command *const *c = commands; *c && used < WORDS_BYTES; c++) {
		const char *second = strchr((*c)->name, ' ');
		if (second && strcmp(second + 1, word) == 0)
			used += (size_t)snprintf(text + used, WORDS_BYTES - used, "%s'%s'",
						 used ? " or " : "; did you mean ", (*c)->name);
	}
	if (used > 0 && used < WORDS_BYTES - 1)
		memcpy(text + used, "?", 2);
	return used > 0;
}

static const char version_option[] = "--version";

static bool is_topic(const char *name)
{
	const struct help_topic *t = help_topics;
	while (t->name && strcmp(t->name, name) != 0)
		t++;
	return t->name;
}

/* No command is called so: a group of commands may be asked for help, anything else is a mistake. */
static enum sahm_status answer_unknown(char **args, struct sahm_err *err)
{
	char near[SUGGEST_BYTES], both[192], list[WORDS_BYTES];
	struct suggest s;
	snprintf(both, 128, "%s %s", args[0], args[1] ? args[1] : "");
	bool is_pair = args[1] && second_words(both, list), is_group = second_words(args[0], list);
	if (is_group && args[1] && asks_for_help(args)) {
		char *page[] = {is_pair ? both : args[0], NULL};
		return command_help.run_about(&sahm, page, err);
	}
	if (is_group && !args[1])
		return sahm_fail(err, SAHM_USAGE, "'%s' needs a second word: %s (sahm help %s)", args[0], list,
				 args[0]);
	if (is_pair) {
		second_words(both, list);
		if (!args[2])
			return sahm_fail(err, SAHM_USAGE, "'%s' needs a third word: %s (sahm help %s)", both, list,
					 both);
		snprintf(both + strlen(both), 64, " %s", args[2]);
	}
	/* A first word that is nearly that of a group is known by what follows it. */
	suggest_init(&s, both);
	for (const struct command *const *c = commands; *c && args[1]; c++)
		if (strchr((*c)->name, ' '))
			suggest_offer(&s, (*c)->name);
	if (!s.best && is_topic(args[0]) && !first_word_missing(args[0], list))
		return sahm_fail(err, SAHM_USAGE, "'%s' is a topic, not a command: sahm help %s", args[0], args[0]);
	const char *words = is_group ? both : args[0];
	if (!is_group && first_word_missing(args[0], list))
		return sahm_fail(err, SAHM_USAGE, "unknown command '%s'%s (sahm --help lists them)", words, list);
	if (!s.best) {
		suggest_init(&s, words);
		for (const struct command *const *c = commands; *c; c++)
			suggest_offer(&s, (*c)->name);
		suggest_offer(&s, version_option + 2);
		if (s.best == version_option + 2)
			s.best = version_option;
	}
	return sahm_fail(err, SAHM_USAGE, "unknown command '%s'%s (sahm --help lists them)", words,
			 suggest_text(&s, near));
}

static enum sahm_status answer_unknown_option(const char *option, struct sahm_err *err)
{
	static const char *const known[] = {"--allow-includes", "--help", version_option};
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, option);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		suggest_offer(&s, known[i]);
	return sahm_fail(err, SAHM_USAGE,
			 "unknown option '%s' (before a command: --allow-includes, --help, --version)%s", option,
			 suggest_text(&s, near));
}

/* Takes the options that stand before a command and hold for any. */
static enum sahm_status take_global(char ***args, struct sahm_err *err)
{
	size_t len = strlen(global_options[0].name);
	enum sahm_status status = SAHM_OK;
	for (const char *arg; status == SAHM_OK && (arg = **args) && strncmp(arg, "--", 2) == 0;) {
		struct option_walk w;
		if (strncmp(arg + 2, global_options[0].name, len) != 0 || (arg[2 + len] && arg[2 + len] != '='))
			break;
		option_walk_init(&w, global_options, *args);
		if (option_walk_next(&w, err) == OPTION_ERROR)
			return err->status;
		status = cfg_allow_includes(w.value, err);
		*args = w.args;
	}
	return status;
}

/* A command does not know an option that stands before commands: says so, if that was it. */
static enum sahm_status explain_global_option(const struct command *c, struct sahm_err *err)
{
	char unknown[64];
	size_t len = (size_t)snprintf(unknown, sizeof(unknown), "unknown option '--%s'", global_options[0].name);
	if (strncmp(err->msg, unknown, len) != 0)
		return SAHM_USAGE;
	return sahm_fail(err, SAHM_USAGE, "option '--%s' stands before the command: sahm --%s %s %s",
			 global_options[0].name, global_options[0].name, global_options[0].value, c->name);
}

/* Sets *exit_code as struct command says. */
static enum sahm_status dispatch(char **args, int *exit_code, struct sahm_err *err)
{
	char **rest;
	enum sahm_status status = find_data_folder(err);
	if (status == SAHM_OK)
		status = allow_shipped_includes(err);
	if (status == SAHM_OK)
		status = take_global(&args, err);
	if (status != SAHM_OK)
		return status;
	if (!args[0]) {
		help_overview(&sahm, false, true);
		return sahm_fail(err, SAHM_USAGE, "a command is missing");
	}
	if (strcmp(args[0], "--help") == 0 || strcmp(args[0], "-h") == 0) {
		pager_begin();
		help_overview(&sahm, false, false);
		return SAHM_OK;
	}
	if (strcmp(args[0], version_option) == 0 || strcmp(args[0], "-V") == 0) {
		if (args[1])
			return sahm_fail(err, SAHM_USAGE, "%s takes no operand: '%s' is too many", args[0], args[1]);
		print_line("sahm %s (model %s)", SAHM_VERSION, model_version() + strlen(SAHM_VERSION) + 1);
		return SAHM_OK;
	}
	if (args[0][0] == '-')
		return answer_unknown_option(args[0], err);
	const struct command *c = find_command(args, &rest);
	if (!c)
		return answer_unknown(args, err);
	if (asks_for_help(rest)) {
		pager_begin();
		help_command(c);
		return SAHM_OK;
	}
	status = c->run_program ? c->run_program(rest, exit_code, err)
		 : c->run_about ? c->run_about(&sahm, rest, err)
				: c->run(rest, err);
	return status == SAHM_USAGE ? explain_global_option(c, err) : status;
}

/* Opens /dev/null for standard files that are closed, since the next file opened would otherwise become standard
 * output. Reading or writing them still fails: they are open in the wrong direction. */
static enum sahm_status fill_standard_files(struct sahm_err *err)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return sahm_fail(err, SAHM_IO, "cannot open '/dev/null': %s", strerror(errno));
	return SAHM_OK;
}

static bool names_data_folder(const struct sahm_err *err)
{
	return strstr(err->msg, data_folder()) != NULL;
}

int main(int argc, char **argv)
{
	struct sahm_err err;
	int exit_code = 0;
	/* A file that grows beyond a limit is an error of writing like any other. */
	signal(SIGXFSZ, SIG_IGN);
	supervise_plugins(policy_guard_fork);
	enum sahm_status status = fill_standard_files(&err);
	if (status == SAHM_OK)
		status = open_output(&err);
	if (status == SAHM_OK)
		status = dispatch(argc > 0 ? argv + 1 : argv, &exit_code, &err);
	struct sahm_err late;
	if (!pager_end() && flush_output(&late) != SAHM_OK && status == SAHM_OK) {
		err = late;
		status = late.status;
		exit_code = 0;
	}
	if (status != SAHM_OK) {
		if (names_data_folder(&err))
			explain_data_folder(&err);
		print_error(&err);
	}
	exit_code = exit_code ? exit_code : sahm_exit_code(status);
	supervised_end(exit_code);
	return exit_code;
}
