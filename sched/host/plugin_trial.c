#include "sched/host/plugin_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/child_end.h"

/* How often the parent looks whether the child has ended, where the pipe does not show it. */
#define LOOK_MS 10
#define LOOKS_PER_S (1000 / LOOK_MS)

/* Bytes of what the child writes to standard error that are kept: the first, which the pipe holds. */
#define WORDS_BYTES 4096

/* What the child answers: fewer bytes than a pipe takes at once. */
struct answer {
	enum sahm_status status;
	struct sahm_err err;
};

struct trial {
	const char *path;
	struct plugin_trial_limits limits;
	pid_t child;
	int answer[2], words[2]; /* pipes */
};

static enum sahm_status open_pipes(struct trial *t, struct sahm_err *err)
{
	/* Nobody reads the words while the child lives: the rest is lost. */
	if (pipe2(t->answer, O_CLOEXEC | O_NONBLOCK) != 0)
		return sahm_fail(err, SAHM_IO, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(t->words, O_CLOEXEC | O_NONBLOCK) == 0)
		return SAHM_OK;
	sahm_fail(err, SAHM_IO, "cannot make a pipe: %s", strerror(errno));
	close(t->answer[0]);
	close(t->answer[1]);
	return SAHM_IO;
}

/* What others do about crashes would hide them: a sanitizer, or the program's own guard of policies. */
static void restore_signals(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
}

static void limit_time(unsigned cpu_s)
{
	struct rlimit cpu;
	if (getrlimit(RLIMIT_CPU, &cpu) != 0 || cpu.rlim_cur <= cpu_s)
		return;
	cpu.rlim_cur = cpu_s;
	setrlimit(RLIMIT_CPU, &cpu);
}

static void be_child(const struct trial *t, pid_t parent, enum sahm_status (*load)(void *ctx, struct sahm_err *err),
		     void *ctx)
{
	struct answer answer = {0};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* What the plug-in forks can be ended with it. */
	setpgid(0, 0);
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(t->words[1], STDERR_FILENO);
	restore_signals();
	limit_time(t->limits.cpu_s);
	answer.status = load(ctx, &answer.err);
	ssize_t written = write(t->answer[1], &answer, sizeof(answer));
	_exit(written == (ssize_t)sizeof(answer) ? 0 : 1);
}

/* Whether the child has ended; it can still be waited for. */
static bool has_ended(const struct trial *t)
{
	siginfo_t info = {0};
	return waitid(P_PID, (id_t)t->child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == t->child;
}

enum outcome { ANSWERED, ENDED, LATE };

/* Waits for the child's answer, or its end without one. The pipe may be closed before the child ends, and stay open
 * after it in what the child has forked. */
static enum outcome wait_for_answer(const struct trial *t, struct answer *answer)
{
	struct pollfd pipe = {.fd = t->answer[0], .events = POLLIN};
	for (unsigned nr_looks = 0; nr_looks < t->limits.wall_s * LOOKS_PER_S;) {
		nr_looks += poll(&pipe, 1, LOOK_MS) == 0;
		bool ended = has_ended(t);
		if (read(t->answer[0], answer, sizeof(*answer)) == (ssize_t)sizeof(*answer))
			return ANSWERED;
		if (ended)
			return ENDED;
		if (pipe.revents & POLLHUP)
			pipe.fd = -1;
	}
	return LATE;
}

/* Ends the child, if it lives, and all that it has forked. */
static int end_child(const struct trial *t)
{
	int status = 0;
	kill(-t->child, SIGKILL);
	while (waitpid(t->child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static enum sahm_status explain(const struct trial *t, int end, struct sahm_err *err)
{
	char words[WORDS_BYTES + 1];
	struct textbuf why;
	if (WIFSIGNALED(end) && WTERMSIG(end) == SIGXCPU)
		return sahm_fail_at(err, SAHM_FORMAT, t->path, 0,
				    "cannot be loaded: it took longer than %u s of processor time", t->limits.cpu_s);
	textbuf_init(&why);
	child_end_write(end, &why);
	ssize_t nr = read(t->words[0], words, WORDS_BYTES);
	words[nr > 0 ? nr : 0] = '\0';
	const char *line = child_last_line(words);
	enum sahm_status status = textbuf_failed(&why)
					  ? sahm_fail_nomem(err)
					  : sahm_fail_at(err, SAHM_FORMAT, t->path, 0, "cannot be loaded: %s%s%s",
							 why.text, *line ? ": " : "", line);
	textbuf_release(&why);
	return status;
}

static enum sahm_status await_answer(const struct trial *t, struct sahm_err *err)
{
	struct answer answer;
	enum outcome outcome = wait_for_answer(t, &answer);
	int end = end_child(t);
	if (outcome == LATE)
		return sahm_fail_at(err, SAHM_FORMAT, t->path, 0, "cannot be loaded: it took longer than %u s",
				    t->limits.wall_s);
	if (outcome == ENDED)
		return explain(t, end, err);
	if (answer.status != SAHM_OK)
		*err = answer.err;
	return answer.status;
}

enum sahm_status plugin_trial(const char *path, struct plugin_trial_limits limits,
			      enum sahm_status (*load)(void *ctx, struct sahm_err *err), void *ctx,
			      struct sahm_err *err)
{
	struct trial t = {.path = path, .limits = limits};
	pid_t parent = getpid();
	enum sahm_status status = open_pipes(&t, err);
	if (status != SAHM_OK)
		return status;
	t.child = fork();
	if (t.child == 0)
		be_child(&t, parent, load, ctx);
	int why = errno;
	close(t.answer[1]);
	close(t.words[1]);
	if (t.child > 0) {
		/* Whichever of the two is first. */
		setpgid(t.child, t.child);
		status = await_answer(&t, err);
	} else {
		status = sahm_fail(err, SAHM_IO, "cannot fork: %s", strerror(why));
	}
	close(t.answer[0]);
	close(t.words[0]);
	return status;
}
