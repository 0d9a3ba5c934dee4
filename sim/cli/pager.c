#include "sim/cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cli/output.h"

#define MAX_PAGER_WORDS 16u
#define MAX_PAGER_BYTES 512u

extern char **environ;

/* The pager; 0: there is none. Set once, before anything is printed. */
static pid_t pager;

/* Splits $PAGER at its blanks: no shell is called. */
static bool pager_words(char text[MAX_PAGER_BYTES], char *words[MAX_PAGER_WORDS + 1])
{
	const char *value = getenv("PAGER");
	unsigned nr = 0;
	if (!value)
		value = "less";
	if (strlen(value) >= MAX_PAGER_BYTES)
		return false;
	strcpy(text, value);
	for (char *word = strtok(text, " \t"); word && nr < MAX_PAGER_WORDS; word = strtok(NULL, " \t"))
		words[nr++] = word;
	words[nr] = NULL;
	return nr > 0 && strcmp(words[0], "cat") != 0;
}

static pid_t spawn_pager(char *const words[], int from)
{
	posix_spawn_file_actions_t actions;
	pid_t pid = 0;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return 0;
	if (posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO) != 0 ||
	    posix_spawnp(&pid, words[0], &actions, NULL, words, environ) != 0)
		pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

void pager_begin(void)
{
	char text[MAX_PAGER_BYTES], *words[MAX_PAGER_WORDS + 1];
	struct sahm_err err;
	int ends[2];
	if (pager || !isatty(STDOUT_FILENO) || !pager_words(text, words) || flush_output(&err) != SAHM_OK)
		return;
	/* As git does: less ends at once if everything fits the screen, and leaves it there. */
	setenv("LESS", "FRX", 0);
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	pager = spawn_pager(words, ends[0]);
	if (pager && dup2(ends[1], STDOUT_FILENO) >= 0) {
		/* The user leaves the pager before the end, or presses Ctrl-C in it. */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, SIG_IGN);
	}
	close(ends[0]);
	close(ends[1]);
}

bool pager_end(void)
{
	struct sahm_err err;
	if (!pager)
		return false;
	flush_output(&err);
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}
