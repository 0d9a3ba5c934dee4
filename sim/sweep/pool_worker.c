/* Workers: how they are forked, what they do, how they end. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/child_end.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/sweep/pool_internal.h"

/* Answers that a worker keeps back until they reach this number of bytes, or this age. */
#define FLUSH_BYTES 32768u
#define FLUSH_NS (50 * NS_PER_MS)
/* How long a worker may take to end once nothing can be heard of it. */
#define ENDING_MS 500

/* Reads or writes all of it; false when the other side is gone. */
static bool read_all(int fd, void *bytes, size_t len)
{
	for (char *at = bytes; len > 0;) {
		ssize_t nr = read(fd, at, len);
		if (nr <= 0 && !(nr < 0 && errno == EINTR))
			return false;
		at += nr > 0 ? nr : 0;
		len -= nr > 0 ? (size_t)nr : 0;
	}
	return true;
}

bool pool_write_all(int fd, const void *bytes, size_t len)
{
	for (const char *at = bytes; len > 0;) {
		ssize_t nr = send(fd, at, len, MSG_NOSIGNAL);
		if (nr < 0 && errno != EINTR)
			return false;
		at += nr > 0 ? nr : 0;
		len -= nr > 0 ? (size_t)nr : 0;
	}
	return true;
}

uint64_t pool_memory(void)
{
	struct rlimit space;
	return getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY ? space.rlim_cur : UINT64_MAX;
}

void pool_limit_memory(uint64_t bytes)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	struct rlimit space;
	if (getrlimit(RLIMIT_AS, &space) != 0)
		return;
	space.rlim_cur = bytes < space.rlim_max ? bytes : space.rlim_max;
	setrlimit(RLIMIT_AS, &space);
#else
	(void)bytes;
#endif
}

static void flush_answers(int fd, struct textbuf *answers)
{
	/* With nobody there to read, a worker has no business any more. */
	if (!pool_write_all(fd, answers->text, answers->len))
		_exit(1);
	answers->len = 0;
}

/* Whether the worker's end of the socket is still there: code of a plug-in can close anything. */
static bool has_socket(int fd, ino_t inode)
{
	struct stat st;
	return fstat(fd, &st) == 0 ? st.st_ino == inode : errno != EBADF;
}

static void work_off(struct pool *p, const struct worker *w)
{
	uint64_t jobs[MAX_POOL_BATCH], nr, nr_begun = 0, flushed_ns = clock_ns(CLOCK_MONOTONIC);
	struct textbuf answers, answer;
	struct stat st = {0};
	fstat(w->fd, &st);
	textbuf_init(&answers);
	textbuf_init(&answer);
	while (read_all(w->fd, &nr, sizeof(nr)) && nr > 0 && read_all(w->fd, jobs, nr * sizeof(*jobs))) {
		for (uint64_t i = 0; i < nr; i++) {
			uint64_t now = clock_ns(CLOCK_MONOTONIC);
			w->window->started_ns = now;
			w->window->under_way = ++nr_begun;
			answer.len = 0;
			p->ops->work(p->ctx, jobs[i], &answer);
			const struct heading heading = {jobs[i], answer.len};
			textbuf_add(&answers, (const char *)&heading, sizeof(heading));
			textbuf_add(&answers, answer.text, answer.len);
			/* The job is to blame, which is under way as long as it cannot be answered. */
			if (textbuf_failed(&answer) || textbuf_failed(&answers))
				_exit(EXIT_NO_MEMORY);
			if (!has_socket(w->fd, st.st_ino))
				_exit(EXIT_CLOSED);
			w->window->under_way = 0;
			if (answers.len < FLUSH_BYTES && now - flushed_ns < FLUSH_NS)
				continue;
			flush_answers(w->fd, &answers);
			flushed_ns = now;
		}
		flush_answers(w->fd, &answers);
		flushed_ns = clock_ns(CLOCK_MONOTONIC);
	}
}

/* Runs a forked process to its end; `words` is where its standard files lead. */
static void be_worker(struct pool *p, struct worker *w, int words, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* An interrupt from the terminal is for the process that hands out the jobs; and what plug-ins fork can be
	 * ended with it. */
	setpgid(0, 0);
	for (uint32_t i = 0; i < p->options->nr_workers; i++)
		if (&p->workers[i] != w && p->workers[i].pid) {
			close(p->workers[i].fd);
			worker_close_words(&p->workers[i]);
		}
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	dup2(nothing, STDIN_FILENO);
	dup2(words, STDOUT_FILENO);
	dup2(words, STDERR_FILENO);
	close(words);
	if (p->ops->begin)
		p->ops->begin(p->ctx, (uint32_t)(w - p->workers));
	work_off(p, w);
	_exit(0);
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

enum sahm_status worker_start(struct pool *p, struct worker *w)
{
	int ends[2], words[2];
	pid_t parent = getpid();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return sahm_fail(p->err, SAHM_IO, "cannot make a pair of sockets: %s", strerror(errno));
	if (pipe2(words, O_CLOEXEC) != 0) {
		close_both(ends);
		return sahm_fail(p->err, SAHM_IO, "cannot make a pipe: %s", strerror(errno));
	}
	*w->window = (struct window){0};
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		close(words[0]);
		w->fd = ends[1];
		be_worker(p, w, words[1], parent);
	}
	if (pid < 0) {
		enum sahm_status status = sahm_fail(p->err, SAHM_IO, "cannot fork: %s", strerror(errno));
		close_both(ends);
		close_both(words);
		return status;
	}
	/* Whichever of the two is first. */
	setpgid(pid, pid);
	close(ends[1]);
	close(words[1]);
	fcntl(words[0], F_SETFL, O_NONBLOCK);
	w->pid = pid;
	w->fd = ends[0];
	w->words = words[0];
	w->nr_words = 0;
	w->nr_answered = 0;
	w->late = 0;
	w->timed_out = false;
	w->in.len = 0;
	return SAHM_OK;
}

/* Reads what a worker says, as far as it has; the end of it is kept. */
void worker_read_messages(struct worker *w)
{
	char bytes[4096];
	for (int i = 0; i < 64 && w->words >= 0; i++) {
		ssize_t nr = read(w->words, bytes, sizeof(bytes));
		if (nr < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (nr <= 0) {
			/* It has closed its end. */
			worker_close_words(w);
			return;
		}
		size_t more = (size_t)nr < sizeof(w->last_words) ? (size_t)nr : sizeof(w->last_words);
		size_t kept = w->nr_words + more <= sizeof(w->last_words) ? w->nr_words : sizeof(w->last_words) - more;
		memmove(w->last_words, w->last_words + w->nr_words - kept, kept);
		memcpy(w->last_words + kept, bytes + (size_t)nr - more, more);
		w->nr_words = kept + more;
	}
}

void worker_close_words(struct worker *w)
{
	if (w->words >= 0)
		close(w->words);
	w->words = -1;
}

/* Reads the last line that a worker wrote; returns whether it is the error with which it ended, of which the prefix is
 * taken off: what else it said may be of another job. */
static bool read_last_words(struct worker *w, char words[LAST_WORDS_BYTES + 1])
{
	static const char prefix[] = "sahm: error: ";
	worker_read_messages(w);
	memcpy(words, w->last_words, w->nr_words);
	words[w->nr_words] = '\0';
	const char *line = child_last_line(words);
	bool is_error = strncmp(line, prefix, sizeof(prefix) - 1) == 0;
	line += is_error ? sizeof(prefix) - 1 : 0;
	memmove(words, line, strlen(line) + 1);
	return is_error;
}

bool worker_ran_out_of_memory(const struct worker_end *end)
{
	return !end->deaf && WIFEXITED(end->status) && WEXITSTATUS(end->status) == EXIT_NO_MEMORY;
}

/* Says why the worker did not answer the job that it was about. */
void worker_explain(struct worker *w, const struct worker_end *end, struct textbuf *why)
{
	char words[LAST_WORDS_BYTES + 1];
	int status = end->status;
	if (w->timed_out)
		textbuf_printf(why, "it took longer than %u s", w->late_s);
	else if (end->deaf || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CLOSED))
		textbuf_puts(why, "it closed files of its process that were not its own");
	else if (worker_ran_out_of_memory(end))
		textbuf_puts(why, "its process had no more memory");
	else if (read_last_words(w, words))
		textbuf_puts(why, words);
	else {
		child_end_write(status, why);
		/* The dynamic linker says what it lacked, and ends the process. */
		if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND && *words)
			textbuf_printf(why, ": %s", words);
	}
}

/* Whether somebody from outside ended the worker, so that the job has another try. */
bool worker_was_killed(const struct worker *w, const struct worker_end *end)
{
	int status = end->status;
	return WIFSIGNALED(status) && !w->timed_out && !end->deaf &&
	       (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
}

/* Whether a process has ended; it can still be waited for. */
bool worker_has_ended(const struct worker *w)
{
	siginfo_t info = {0};
	return waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == w->pid;
}

/* Ends all that is left of a worker. Its process group is its own as long as it can still be waited for. */
static int end_all(struct worker *w)
{
	int status = 0;
	kill(-w->pid, SIGKILL);
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	return status;
}

/* The worker is silent for good: it is ending, or must be ended. */
struct worker_end worker_see_off(struct worker *w)
{
	const struct timespec one_ms = {0, (long)NS_PER_MS};
	bool ended = worker_has_ended(w);
	for (int i = 0; i < ENDING_MS && !ended; i++) {
		nanosleep(&one_ms, NULL);
		ended = worker_has_ended(w);
	}
	return (struct worker_end){.deaf = !ended, .status = end_all(w)};
}

/* Who is busy is given up; who is not has nothing that anybody wants, and may be stopped or stuck. */
void worker_dismiss(struct worker *w)
{
	if (!w->pid)
		return;
	close(w->fd);
	worker_close_words(w);
	end_all(w);
}
