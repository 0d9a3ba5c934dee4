#include "workloads/record/record_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/clock.h"

/* How often a command is looked at where the kernel cannot tell its end. */
#define LOOK_MS 5.0

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Handlers of ours are no business of the child, which has their signals blocked still. */
static void reset_handlers(void)
{
	for (int s = 1; s < NSIG; s++) {
		struct sigaction action;
		if (sigaction(s, NULL, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
			continue;
		action = (struct sigaction){.sa_handler = SIG_DFL};
		sigaction(s, &action, NULL);
	}
}

/* What the forked process does: it becomes the command, or tells why it cannot. */
static void become(char **command, int go, int error, int keep_fd, const sigset_t *mask)
{
	char byte;
	ssize_t n;
	reset_handlers();
	/* The program ignores it for itself, so that a write that is too large fails instead. */
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1) {
		if (keep_fd >= 0)
			fcntl(keep_fd, F_SETFD, 0);
		execvp(command[0], command);
		int cause = errno;
		/* A pipe that nobody reads any more has nobody to tell. */
		ssize_t told = write(error, &cause, sizeof(cause));
		(void)told;
	}
	_exit(127);
}

static int open_pid_fd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

enum sahm_status record_child_start(struct record_child *c, char **command, int keep_fd, struct sahm_err *err)
{
	int go[2] = {-1, -1}, error[2] = {-1, -1};
	sigset_t all, before;
	*c = (struct record_child){.pid = -1, .go_fd = -1, .error_fd = -1, .pid_fd = -1, .command = command[0]};
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0) {
		int cause = errno;
		close_end(&go[0]);
		close_end(&go[1]);
		return sahm_fail(err, SAHM_IO, "cannot make a pipe: %s", strerror(cause));
	}
	/* A signal between fork and exec must not run our handler in the child. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	c->pid = fork();
	int cause = errno;
	if (c->pid == 0) {
		close(go[1]);
		close(error[0]);
		become(command, go[0], error[1], keep_fd, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close_end(&go[0]);
	close_end(&error[1]);
	c->go_fd = go[1];
	c->error_fd = error[0];
	if (c->pid < 0) {
		close_end(&c->go_fd);
		close_end(&c->error_fd);
		return sahm_fail(err, SAHM_IO, "cannot fork: %s", strerror(cause));
	}
	c->pid_fd = open_pid_fd(c->pid);
	return SAHM_OK;
}

/* Reaps it if it has ended. */
static bool reap(struct record_child *c, int flags)
{
	pid_t pid;
	if (c->has_ended)
		return true;
	do
		pid = waitpid(c->pid, &c->wait_status, flags);
	while (pid < 0 && errno == EINTR && !(flags & WNOHANG));
	/* Somebody else who reaped it (SIGCHLD is ignored) leaves nothing to know. */
	c->has_ended = pid == c->pid || (pid < 0 && errno == ECHILD);
	return c->has_ended;
}

enum sahm_status record_child_go(struct record_child *c, struct sahm_err *err)
{
	int cause = 0;
	char byte = 1;
	ssize_t n;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	/* A child that was killed meanwhile reads no more. */
	sigaction(SIGPIPE, &ignore, &before);
	do
		n = write(c->go_fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	sigaction(SIGPIPE, &before, NULL);
	close_end(&c->go_fd);
	/* The other end is closed by an exec that succeeds. */
	do
		n = read(c->error_fd, &cause, sizeof(cause));
	while (n < 0 && errno == EINTR);
	close_end(&c->error_fd);
	if (n != (ssize_t)sizeof(cause))
		return SAHM_OK;
	reap(c, 0);
	return sahm_fail(err, SAHM_IO, "cannot run '%s': %s", c->command, strerror(cause));
}

/* Waits for its end or the deadline, or a signal. */
static void sleep_until(const struct record_child *c, uint64_t deadline_ns)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	if (left_ns == 0)
		return;
	if (c->pid_fd < 0 && left_ns > ns_of_ms(LOOK_MS))
		left_ns = ns_of_ms(LOOK_MS);
	struct timespec left = {(time_t)(left_ns / NS_PER_S), (long)(left_ns % NS_PER_S)};
	struct pollfd end = {.fd = c->pid_fd, .events = POLLIN};
	ppoll(&end, c->pid_fd >= 0, &left, NULL);
}

static int stop_of(const volatile sig_atomic_t *stop)
{
	return stop ? (int)*stop : 0;
}

enum child_state record_child_wait(struct record_child *c, uint64_t deadline_ns, const volatile sig_atomic_t *stop)
{
	for (;;) {
		if (reap(c, WNOHANG))
			return CHILD_HAS_ENDED;
		if (stop_of(stop) > 0) {
			record_child_end(c, stop);
			return CHILD_HAS_ENDED;
		}
		if (clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
			return CHILD_RUNS;
		sleep_until(c, deadline_ns);
	}
}

void record_child_end(struct record_child *c, const volatile sig_atomic_t *stop)
{
	uint64_t patience_ns = clock_ns(CLOCK_MONOTONIC) + ns_of_ms(CHILD_GRACE_MS);
	bool was_waiting = c->go_fd >= 0;
	/* One that still waits for its turn ends when nobody can give it any more. */
	close_end(&c->go_fd);
	close_end(&c->error_fd);
	if (!was_waiting && stop_of(stop) <= 1 && !reap(c, WNOHANG))
		kill(c->pid, SIGTERM);
	while (!reap(c, WNOHANG)) {
		if (stop_of(stop) > 1 || clock_ns(CLOCK_MONOTONIC) >= patience_ns) {
			kill(c->pid, SIGKILL);
			reap(c, 0);
		} else {
			sleep_until(c, patience_ns);
		}
	}
	close_end(&c->pid_fd);
}

void record_child_tell(const struct record_child *c, struct recording *r)
{
	bool by_signal = WIFSIGNALED(c->wait_status);
	r->signal = by_signal ? WTERMSIG(c->wait_status) : 0;
	r->exit_code = by_signal ? -1 : WEXITSTATUS(c->wait_status);
}
