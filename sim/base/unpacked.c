#include "sim/base/unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/child_end.h"
#include "sim/base/spawn.h"

/* Programs that unpack standard input, by what their files begin with. A file's dictionary may not take all memory. */
static const struct packer {
	const char *sign;
	size_t len;
	char *argv[4];
	const char *package;
} packers[] = {
	{"\x1f\x8b\x08", 3, {"gzip", "-dc"}, "gzip"},
	{"\xfd"
	 "7zXZ",
	 6,
	 {"xz", "-dc", "--memlimit-decompress=1GiB"},
	 "xz-utils"},
};

#define SIGN_BYTES 6

/* Exit code of both where they only warn, of bytes after the end. */
#define WARNING_CODE 2

static enum sahm_status fail_run(const char *program, int cause, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_IO, "cannot run %s: %s", program, strerror(cause));
}

/* Runs `p` on `fd`. */
static enum sahm_status start(const struct packer *p, int fd, struct unpacked *u, struct sahm_err *err)
{
	/* In English, and with no other options than these. */
	static const char *const set[] = {"LC_ALL=C", NULL}, *const left_out[] = {"LANGUAGE=", "GZIP=", "XZ_DEFAULTS=",
										  "XZ_OPT=", NULL};
	int data[2], words[2];
	struct arena arena;
	sigset_t mask;
	pid_t pid;
	if (pipe2(data, O_CLOEXEC) != 0)
		return fail_run(p->argv[0], errno, err);
	if (pipe2(words, O_CLOEXEC) != 0) {
		int cause = errno;
		close(data[0]);
		close(data[1]);
		return fail_run(p->argv[0], cause, err);
	}
	sigprocmask(SIG_BLOCK, NULL, &mask);
	arena_init(&arena);
	char **env = spawn_environment(&arena, set, left_out);
	const struct spawn spawn = {
		.argv = p->argv, .env = env, .mask = &mask, .input = fd, .output = data[1], .errors = words[1]};
	int cause = env ? spawn_start(&spawn, &pid) : ENOMEM;
	arena_release(&arena);
	close(data[1]);
	close(words[1]);
	u->stream = cause ? NULL : fdopen(data[0], "r");
	if (!cause && !u->stream) {
		cause = ENOMEM;
		close(data[0]);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	} else if (cause) {
		close(data[0]);
	}
	if (!cause) {
		u->program = p->argv[0];
		u->pid = pid;
		u->errors = words[0];
		return SAHM_OK;
	}
	close(words[0]);
	if (cause == ENOMEM)
		return sahm_fail_nomem(err);
	return cause == ENOENT ? sahm_fail(err, SAHM_TOOL, "%s is not installed (Debian: apt install %s)", p->argv[0],
					   p->package)
			       : fail_run(p->argv[0], cause, err);
}

enum sahm_status unpacked_open(const char *path, struct unpacked *u, struct sahm_err *err)
{
	char head[SIGN_BYTES];
	*u = (struct unpacked){.path = path, .errors = -1};
	if (strcmp(path, "-") == 0) {
		u->stream = stdin;
		return SAHM_OK;
	}
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	ssize_t len = pread(fd, head, sizeof(head), 0);
	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		if (len < (ssize_t)packers[i].len || memcmp(head, packers[i].sign, packers[i].len) != 0)
			continue;
		enum sahm_status status = start(&packers[i], fd, u, err);
		close(fd);
		return status;
	}
	u->stream = fdopen(fd, "r");
	if (u->stream)
		return SAHM_OK;
	close(fd);
	return sahm_fail_nomem(err);
}

enum sahm_status unpacked_close(struct unpacked *u, enum sahm_status status, struct sahm_err *err)
{
	char text[1024];
	size_t len = 0;
	int how = 0;
	bool is_whole = feof(u->stream);
	if (u->stream != stdin)
		fclose(u->stream);
	if (!u->program)
		return status;
	for (ssize_t n; len + 1 < sizeof(text); len += (size_t)n) {
		do
			n = read(u->errors, text + len, sizeof(text) - 1 - len);
		while (n < 0 && errno == EINTR);
		if (n <= 0)
			break;
	}
	text[len] = '\0';
	close(u->errors);
	pid_t ended;
	do
		ended = waitpid(u->pid, &how, 0);
	while (ended < 0 && errno == EINTR);
	/* A parent that ignores SIGCHLD leaves no status: then its words count. */
	bool failed =
		ended < 0 ? len > 0 : !WIFEXITED(how) || (WEXITSTATUS(how) != 0 && WEXITSTATUS(how) != WARNING_CODE);
	if (!is_whole || !failed)
		return status;
	if (len > 0)
		return sahm_fail_at(err, SAHM_FORMAT, u->path, 0, "cannot be unpacked: %s", child_last_line(text));
	struct textbuf end;
	textbuf_init(&end);
	child_end_write(how, &end);
	status = sahm_fail_at(err, SAHM_FORMAT, u->path, 0, "%s cannot unpack it: %s", u->program, end.text);
	textbuf_release(&end);
	return status;
}
