/* What checks of `sahm doctor` share: what they say, and what other programs say of their versions. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/clean.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/cli/doctor.h"
#include "workloads/record/record_program.h"

#define ANSWER_BYTES 4096

void doctor_say(struct doctor_finding *f, enum doctor_state state, const char *fmt, ...)
{
	char text[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	f->lacks_memory |= textbuf_failed(&f->text);
	textbuf_release(&f->text);
	textbuf_init(&f->text);
	f->state = state;
	clean_text(text);
	textbuf_puts(&f->text, text);
}

void doctor_note(struct doctor_finding *f, enum sahm_status status)
{
	f->lacks_memory |= status == SAHM_NOMEM;
}

/* Starts `path` --version in a new process group; *fd reads its output. Returns an errno, or 0. */
static int start(char *path, int *fd, pid_t *pid)
{
	static char option[] = "--version";
	char *argv[] = {path, option, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	int cause = posix_spawn(pid, path, &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*fd = ends[0];
	if (cause)
		close(ends[0]);
	return cause;
}

/* Reads the answer until its end; false where that does not come in time. */
static bool listen_to(int fd, uint64_t end_ns, char answer[ANSWER_BYTES])
{
	char rest[ANSWER_BYTES];
	size_t len = 0;
	answer[0] = '\0';
	for (;;) {
		uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (now_ns >= end_ns || (poll(&p, 1, (int)((end_ns - now_ns) / NS_PER_MS) + 1) <= 0 && errno != EINTR))
			return false;
		bool has_room = len + 1 < ANSWER_BYTES;
		ssize_t got =
			read(fd, has_room ? answer + len : rest, has_room ? ANSWER_BYTES - 1 - len : sizeof(rest));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		len += has_room ? (size_t)got : 0;
		answer[len] = '\0';
	}
}

/* Waits for the child, which may run on after closing its output, and kills it when its time is over. Returns
 * whether it ended well and in time. */
static bool ended_well(pid_t pid, uint64_t end_ns, bool *in_time, int *how)
{
	const struct timespec interval = {.tv_nsec = 2 * NS_PER_MS};
	pid_t ended;
	while ((ended = waitpid(pid, how, *in_time ? WNOHANG : 0)) == 0 || (ended < 0 && errno == EINTR)) {
		*in_time = *in_time && clock_ns(CLOCK_MONOTONIC) < end_ns;
		if (!*in_time)
			kill(-pid, SIGKILL);
		else
			nanosleep(&interval, NULL);
	}
	return *in_time && ended == pid && WIFEXITED(*how) && WEXITSTATUS(*how) == 0;
}

bool doctor_version(struct doctor_finding *f, const char *name)
{
	char answer[ANSWER_BYTES] = "", *path;
	struct sahm_err err;
	struct arena a;
	pid_t pid = 0;
	int fd = -1, how = 0, cause = 0;
	bool ok = false;
	arena_init(&a);
	enum sahm_status status = record_program_path(&a, name, &path, &err);
	if (status != SAHM_OK) {
		doctor_note(f, status);
	} else if (!path) {
		doctor_say(f, DOCTOR_MISSING, "no %s in PATH", name);
	} else if ((cause = start(path, &fd, &pid))) {
		f->lacks_memory |= cause == ENOMEM;
		doctor_say(f, DOCTOR_BROKEN, "cannot run '%s': %s", path, strerror(cause));
	} else {
		uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + DOCTOR_WAIT_S * NS_PER_S;
		bool in_time = listen_to(fd, end_ns, answer);
		close(fd);
		if (!in_time)
			kill(-pid, SIGKILL);
		ok = ended_well(pid, end_ns, &in_time, &how);
		answer[strcspn(answer, "\r\n")] = '\0';
		clean_text(answer);
		if (ok)
			textbuf_printf(&f->text, "%s%.200s (%s)", f->text.len ? "; " : "", answer, path);
		else if (!in_time)
			doctor_say(f, DOCTOR_BROKEN, "'%s --version' does not end", path);
		else if (WIFSIGNALED(how))
			doctor_say(f, DOCTOR_BROKEN, "'%s --version' was ended by signal %d", path, WTERMSIG(how));
		else
			doctor_say(f, DOCTOR_BROKEN, "'%s --version' fails with exit status %d%s%.200s", path,
				   WEXITSTATUS(how), *answer ? ": " : "", answer);
	}
	arena_release(&a);
	return ok;
}
