#include "sim/base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static int add_actions(const struct spawn *s, posix_spawn_file_actions_t *actions)
{
	int cause = s->input ? posix_spawn_file_actions_adddup2(actions, s->input, STDIN_FILENO)
			     : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!cause)
		cause = posix_spawn_file_actions_adddup2(actions, s->output, STDOUT_FILENO);
	if (!cause)
		cause = posix_spawn_file_actions_adddup2(actions, s->errors ? s->errors : s->output, STDERR_FILENO);
	if (!cause && s->folder)
		cause = posix_spawn_file_actions_addchdir_np(actions, s->folder);
	return cause;
}

int spawn_start(const struct spawn *s, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int cause = posix_spawn_file_actions_init(&actions);
	if (cause)
		return cause;
	cause = posix_spawnattr_init(&attributes);
	if (cause) {
		posix_spawn_file_actions_destroy(&actions);
		return cause;
	}
	/* A reader that goes away must not make it wait for ever; nor is it to ignore what this process ignores. */
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setsigmask(&attributes, s->mask);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	cause = add_actions(s, &actions);
	if (!cause)
		cause = posix_spawnp(pid, s->argv[0], &actions, &attributes, s->argv, s->env ? s->env : environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return cause;
}

/* Whether `entry` sets the same variable as one of `list`: up to and including the '='. */
static bool is_in(const char *entry, const char *const *list)
{
	for (; list && *list; list++)
		if (strncmp(entry, *list, strcspn(*list, "=") + 1) == 0)
			return true;
	return false;
}

char **spawn_environment(struct arena *a, const char *const *set, const char *const *left_out)
{
	size_t nr = 0, nr_set = 0, kept = 0;
	while (environ[nr])
		nr++;
	while (set[nr_set])
		nr_set++;
	char **copy = arena_alloc(a, nr + nr_set + 1, sizeof(*copy));
	if (!copy)
		return NULL;
	for (size_t i = 0; i < nr; i++)
		if (!is_in(environ[i], set) && !is_in(environ[i], left_out))
			copy[kept++] = environ[i];
	for (size_t i = 0; i < nr_set; i++) {
		copy[kept] = arena_strdup(a, set[i]);
		if (!copy[kept++])
			return NULL;
	}
	return copy;
}
