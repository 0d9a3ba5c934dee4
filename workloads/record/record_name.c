#include "workloads/record/record_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/file.h"

/* Interpreters, without their versions (python3.11), and the letters of their options: after one of `code` comes the
 * program's text or a module, and so there is no script; one of `value` takes the rest of its word, or the next one. */
static const struct interpreter {
	const char *name, *code, *value;
} interpreters[] = {
	{"python", "cm", "WX"},	 {"pypy", "cm", "WX"}, {"bash", "cs", "oO"},  {"sh", "cs", "o"},
	{"dash", "cs", "o"},	 {"zsh", "cs", "o"},   {"ksh", "cs", "o"},    {"perl", "eE", "IMm"},
	{"ruby", "e", "rICEWT"}, {"node", "ep", "r"},  {"nodejs", "ep", "r"}, {"Rscript", "e", ""},
	{"java", "", ""},	 {"lua", "e", "l"},    {"luajit", "e", "lj"}, {"php", "rBR", "dcz"},
};

static const char *const code_options[] = {"--eval", "--print", "--command", "--run"};
static const char *const value_options[] = {"-cp",	 "-classpath", "--class-path", "--rcfile", "--init-file",
					    "--require", "--import",   "--loader",     "--define"};

/* Endings of scripts, which names leave out. */
static const char *const endings[] = {".py", ".pyw", ".sh",  ".bash", ".zsh", ".ksh", ".pl",  ".rb",
				      ".js", ".mjs", ".cjs", ".R",    ".r",   ".lua", ".php", ".jar"};

static bool is_among(const char *word, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

static const struct interpreter *find_interpreter(const char *word)
{
	const char *base = base_name(word);
	size_t len = strlen(base);
	while (len > 0 && strchr("0123456789.", base[len - 1]))
		len--;
	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (strlen(interpreters[i].name) == len && memcmp(interpreters[i].name, base, len) == 0)
			return &interpreters[i];
	return NULL;
}

/* The command that `env` runs, after its options and settings; NULL: it is not to be found. */
static char *const *behind_env(char *const *words)
{
	for (; *words; words++) {
		if (strcmp(*words, "-u") == 0 || strcmp(*words, "-C") == 0) {
			if (!*++words)
				return NULL;
		} else if (strncmp(*words, "-S", 2) == 0 || strncmp(*words, "--split-string", 14) == 0) {
			return NULL;
		} else if (**words != '-' && !strchr(*words, '=')) {
			return words;
		}
	}
	return NULL;
}

/* Meaning of the letters of the option `word`: -1: there is no script; 1: the next word belongs to it; 0: neither. */
static int read_letters(const struct interpreter *in, const char *word)
{
	for (const char *p = word + 1; *p; p++) {
		if (strchr(in->code, *p))
			return -1;
		if (strchr(in->value, *p))
			return !p[1];
	}
	return 0;
}

/* The script that `in` runs; NULL: none. */
static const char *find_script(const struct interpreter *in, char *const *words)
{
	for (; *words; words++) {
		const char *word = *words;
		if (strcmp(word, "--") == 0)
			return words[1];
		if (word[0] != '-' && word[0] != '+')
			return word;
		if (word[1] == '\0' || is_among(word, code_options, ARRAY_SIZE(code_options)))
			return NULL;
		int next = is_among(word, value_options, ARRAY_SIZE(value_options)) ? 1
			   : word[1] == '-'					    ? 0
										    : read_letters(in, word);
		if (next < 0 || (next > 0 && !*++words))
			return NULL;
	}
	return NULL;
}

void record_name(char *const *command, char name[RECORD_NAME_BYTES])
{
	char *const *words = command;
	if (strcmp(base_name(*words), "env") == 0 && behind_env(words + 1))
		words = behind_env(words + 1);
	const struct interpreter *in = find_interpreter(*words);
	const char *script = in ? find_script(in, words + 1) : NULL, *path = *words;
	if (script && *base_name(script))
		path = script;
	const char *base = *base_name(path) ? base_name(path) : path, *dot = strrchr(base, '.');
	bool has_ending = dot && dot > base && is_among(dot, endings, ARRAY_SIZE(endings));
	snprintf(name, RECORD_NAME_BYTES, "%.*s", has_ending ? (int)(dot - base) : (int)strlen(base), base);
}
