/* sahm completion: what shells need to complete command lines of sahm. */
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/complete.h"
#include "sim/cli/output.h"

struct request {
	const char *shell;
	char **words; /* NULL: nobody asks */
};

/* All that is left is somebody's command line. */
static enum sahm_status take_words(void *words, struct option_walk *w, struct sahm_err *err)
{
	(void)err;
	*(char ***)words = w->args + (*w->args && strcmp(*w->args, "--") == 0);
	while (*w->args)
		w->args++;
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"words", 0, NULL, "print the possible completions of the last word after --, one per line; for the scripts",
	 OPTION_TAKE, AT(char **, words), .take = take_words},
	{ONE_OPERAND(shell, "shell", NULL)},
};

/* What shells read to complete command lines: each script only asks `sahm completion --words` and hands on its answer.
 */
extern const char completion_bash[], completion_zsh[], completion_fish[];

static const struct {
	const char *shell, *text;
} scripts[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static enum sahm_status print_script(const char *shell, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, shell);
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		suggest_offer(&s, scripts[i].shell);
		if (strcmp(scripts[i].shell, shell) != 0)
			continue;
		fputs(scripts[i].text, data_output());
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_USAGE, "no completion for '%.60s', there is one for bash, zsh and fish%s", shell,
			 suggest_text(&s, near));
}

static enum sahm_status print_words(const struct program *p, char **words, struct sahm_err *err)
{
	struct textbuf answers;
	textbuf_init(&answers);
	complete_words(p, words, &answers);
	enum sahm_status status =
		textbuf_failed(&answers) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &answers, err);
	textbuf_release(&answers);
	return status;
}

static enum sahm_status run_about(const struct program *p, char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status != SAHM_OK)
		return status;
	if (r.words && r.shell)
		return sahm_fail(err, SAHM_USAGE, "--words takes no shell");
	if (r.words)
		return print_words(p, r.words, err);
	if (!r.shell)
		return sahm_fail(err, SAHM_USAGE, "a shell is missing: sahm completion bash, zsh or fish");
	return print_script(r.shell, err);
}

extern const struct command command_completion;
const struct command command_completion = {
	.name = "completion",
	.operands = "bash|zsh|fish",
	.summary = "print a script that completes command lines in a shell",
	.details = "`make install` puts these scripts where the shells look for them. Without it: `source "
		   "<(sahm completion bash)` in ~/.bashrc; `sahm completion zsh > _sahm` in a folder of $fpath; "
		   "`sahm completion fish > ~/.config/fish/completions/sahm.fish`.\n"
		   "The scripts complete commands, options, keys after --set and their values, names (policies, "
		   "engines, formats, suites, processors) and files. They ask the program itself, so they fit "
		   "any version.",
	.options = options,
	.run_about = run_about,
};
