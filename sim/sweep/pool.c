#include "sim/sweep/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/units.h"

/* Work that a worker is given at a time. */
#define BATCH_NS (20 * NS_PER_MS)
/* Where a job takes less, a worker gets the next ones before it asks: it never waits for them. Where it takes more, the
 * last jobs are better spread without. */
#define AHEAD_NS (4 * NS_PER_MS)
/* Answers that a worker keeps back until they are so many bytes, or so old. */
#define FLUSH_BYTES 32768u
#define FLUSH_NS (50 * NS_PER_MS)
/* How often one looks, if nothing happens. */
#define LOOK_MS 200
/* A job whose worker was killed from outside is not to blame at first: it is tried so many times. */
#define MAX_TRIES 3u
/* Workers that die before they have done anything. */
#define MAX_EARLY_DEATHS 16u
/* Of what a worker wrote to standard error, so much is kept. */
#define LAST_WORDS_BYTES 600

#define MAX_PENDING (2 * MAX_POOL_BATCH)

/* What a worker shows of itself, in memory that both see. */
struct window {
	volatile uint64_t under_way; /* number of the job in the order in which this worker got them, from 1; 0: none */
	volatile uint64_t started_ns; /* when, by the monotonic clock */
};

struct worker {
	pid_t pid; /* 0: none */
	int fd;
	int words; /* its standard output and error */
	struct window *window;
	uint64_t pending[MAX_PENDING]; /* jobs that it has and that are not answered, oldest first, from `first` */
	uint8_t tries[MAX_PENDING];    /* how often each was begun before */
	size_t first, nr_pending;
	uint64_t nr_answered; /* since it was forked */
	struct textbuf in;    /* bytes that are no whole answer yet */
	bool timed_out;
};

/* A job that is to be tried again. */
struct retry {
	uint64_t job;
	uint8_t tries;
};

struct pool {
	const struct pool_ops *ops;
	const struct pool_options *options;
	void *ctx;
	struct worker *workers; /* [nr_workers] */
	struct window *windows; /* [nr_workers] */
	struct pollfd *polled;	/* [nr_workers] */
	struct retry *retries;
	size_t nr_retries, room_retries;
	size_t batch;
	uint64_t mean_ns; /* of a job, as of late; 0: not known */
	unsigned early_deaths;
	bool no_more; /* next() has nothing left */
	struct sahm_err *err;
};

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

uint32_t pool_nr_processors(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	int nr = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
	return nr < 1 ? 1 : (uint32_t)nr;
}

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

static bool write_all(int fd, const void *bytes, size_t len)
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

/* An answer on its way: the job, the length, then the bytes. Both sides are one program on one machine. */
struct heading {
	uint64_t job;
	uint64_t len;
};

static void flush_answers(int fd, struct textbuf *answers)
{
	/* Without memory, or with nobody there to read, a worker has no business any more. */
	if (textbuf_failed(answers) || !write_all(fd, answers->text, answers->len))
		_exit(1);
	answers->len = 0;
}

/* What was said about jobs that went well interests nobody. */
static void forget_words(int words)
{
	if (lseek(words, 0, SEEK_END) > 0 && ftruncate(words, 0) == 0)
		lseek(words, 0, SEEK_SET);
}

static void work_off(struct pool *p, const struct worker *w)
{
	uint64_t jobs[MAX_POOL_BATCH], nr, nr_begun = 0, flushed_ns = now_ns();
	struct textbuf answers, answer;
	textbuf_init(&answers);
	textbuf_init(&answer);
	while (read_all(w->fd, &nr, sizeof(nr)) && nr > 0 && read_all(w->fd, jobs, nr * sizeof(*jobs))) {
		for (uint64_t i = 0; i < nr; i++) {
			uint64_t now = now_ns();
			w->window->started_ns = now;
			w->window->under_way = ++nr_begun;
			answer.len = 0;
			p->ops->work(p->ctx, jobs[i], &answer);
			w->window->under_way = 0;
			if (textbuf_failed(&answer))
				_exit(1);
			const struct heading heading = {jobs[i], answer.len};
			textbuf_add(&answers, (const char *)&heading, sizeof(heading));
			textbuf_add(&answers, answer.text, answer.len);
			forget_words(w->words);
			if (answers.len < FLUSH_BYTES && now - flushed_ns < FLUSH_NS)
				continue;
			flush_answers(w->fd, &answers);
			flushed_ns = now;
		}
		flush_answers(w->fd, &answers);
		flushed_ns = now_ns();
	}
}

/* What a forked process does, to its end. */
static void be_worker(struct pool *p, struct worker *w, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* An interrupt from the terminal is for whoever hands out the jobs. */
	signal(SIGINT, SIG_IGN);
	for (uint32_t i = 0; i < p->options->nr_workers; i++)
		if (&p->workers[i] != w && p->workers[i].pid)
			close(p->workers[i].fd);
	dup2(w->words, STDOUT_FILENO);
	dup2(w->words, STDERR_FILENO);
	if (p->ops->begin)
		p->ops->begin(p->ctx, (uint32_t)(w - p->workers));
	work_off(p, w);
	_exit(0);
}

static enum sahm_status start(struct pool *p, struct worker *w)
{
	int ends[2];
	pid_t parent = getpid();
	w->words = memfd_create("words", MFD_CLOEXEC);
	if (w->words < 0)
		return sahm_fail(p->err, SAHM_IO, "cannot make a file in memory: %s", strerror(errno));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		close(w->words);
		return sahm_fail(p->err, SAHM_IO, "cannot make a pair of sockets: %s", strerror(errno));
	}
	*w->window = (struct window){0};
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		w->fd = ends[1];
		be_worker(p, w, parent);
	}
	close(ends[1]);
	if (pid < 0) {
		enum sahm_status status = sahm_fail(p->err, SAHM_IO, "cannot fork: %s", strerror(errno));
		close(ends[0]);
		close(w->words);
		return status;
	}
	w->pid = pid;
	w->fd = ends[0];
	w->nr_answered = 0;
	w->timed_out = false;
	w->in.len = 0;
	return SAHM_OK;
}

/* Jobs that are to be tried again come first, one at a time. */
static size_t next_jobs(struct pool *p, uint64_t *jobs, uint8_t *tries, size_t room)
{
	if (p->nr_retries > 0) {
		const struct retry *r = &p->retries[--p->nr_retries];
		jobs[0] = r->job;
		tries[0] = r->tries;
		return 1;
	}
	size_t nr = p->no_more ? 0 : p->ops->next(p->ctx, jobs, room);
	p->no_more |= nr == 0;
	memset(tries, 0, nr);
	return nr;
}

static bool is_hungry(const struct pool *p, const struct worker *w)
{
	bool ahead = p->mean_ns > 0 && p->mean_ns < AHEAD_NS;
	return w->nr_pending <= (ahead ? p->batch / 2 : 0) && w->nr_pending + p->batch <= MAX_PENDING;
}

/* Gives a worker jobs, if there are any; starts it if it is not there. */
static enum sahm_status feed(struct pool *p, struct worker *w)
{
	uint64_t jobs[1 + MAX_POOL_BATCH];
	uint8_t tries[MAX_POOL_BATCH];
	if (!is_hungry(p, w))
		return SAHM_OK;
	size_t nr = next_jobs(p, jobs + 1, tries, p->batch);
	if (nr == 0)
		return SAHM_OK;
	if (!w->pid) {
		enum sahm_status status = start(p, w);
		if (status != SAHM_OK)
			return status;
	}
	jobs[0] = nr;
	for (size_t i = 0; i < nr; i++) {
		size_t at = (w->first + w->nr_pending++) % MAX_PENDING;
		w->pending[at] = jobs[1 + i];
		w->tries[at] = tries[i];
	}
	/* A worker that is gone shows when it is read from. */
	write_all(w->fd, jobs, (1 + nr) * sizeof(*jobs));
	return SAHM_OK;
}

static uint64_t pop_pending(struct worker *w, uint8_t *tries)
{
	uint64_t job = w->pending[w->first];
	*tries = w->tries[w->first];
	w->first = (w->first + 1) % MAX_PENDING;
	w->nr_pending--;
	return job;
}

/* Takes the whole answers among what was read; the rest waits. A worker answers in the order of its jobs. */
static enum sahm_status take_answers(struct pool *p, struct worker *w)
{
	size_t used = 0;
	struct heading h;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK && w->in.len - used >= sizeof(h)) {
		memcpy(&h, w->in.text + used, sizeof(h));
		if (w->in.len - used - sizeof(h) < h.len)
			break;
		uint8_t tries;
		pop_pending(w, &tries);
		w->nr_answered++;
		p->early_deaths = 0;
		status = p->ops->take(p->ctx, h.job, w->in.text + used + sizeof(h), h.len, p->err);
		used += sizeof(h) + h.len;
	}
	memmove(w->in.text, w->in.text + used, w->in.len - used);
	w->in.len -= used;
	return status;
}

/* What a worker said last, in one line without what a program puts in front of its errors. */
static void read_last_words(const struct worker *w, char words[LAST_WORDS_BYTES])
{
	off_t len = lseek(w->words, 0, SEEK_END);
	off_t from = len > LAST_WORDS_BYTES - 1 ? len - (LAST_WORDS_BYTES - 1) : 0;
	ssize_t nr = pread(w->words, words, LAST_WORDS_BYTES - 1, from);
	words[nr > 0 ? nr : 0] = '\0';
	for (size_t end = strlen(words); end > 0 && words[end - 1] == '\n';)
		words[--end] = '\0';
	const char *line = strrchr(words, '\n');
	line = line ? line + 1 : words;
	static const char prefix[] = "sahm: error: ";
	if (strncmp(line, prefix, sizeof(prefix) - 1) == 0)
		line += sizeof(prefix) - 1;
	memmove(words, line, strlen(line) + 1);
	clean_text(words);
}

static enum sahm_status put_back(struct pool *p, uint64_t job, uint8_t tries)
{
	if (p->nr_retries == p->room_retries) {
		size_t room = p->room_retries ? 2 * p->room_retries : 64;
		struct retry *retries = realloc(p->retries, room * sizeof(*retries));
		if (!retries)
			return sahm_fail_nomem(p->err);
		p->retries = retries;
		p->room_retries = room;
	}
	p->retries[p->nr_retries++] = (struct retry){job, tries};
	return SAHM_OK;
}

/* Says why the worker, whose end waitpid() has told of, did not answer the job that it was about. */
static void explain(const struct pool *p, const struct worker *w, int end, struct textbuf *why)
{
	char words[LAST_WORDS_BYTES];
	read_last_words(w, words);
	if (w->timed_out)
		textbuf_printf(why, "it took longer than %u s", p->options->timeout_s);
	else if (words[0])
		textbuf_puts(why, words);
	else if (WIFSIGNALED(end))
		textbuf_printf(why, "its process was ended by signal %d (%s)", WTERMSIG(end), strsignal(WTERMSIG(end)));
	else
		textbuf_printf(why, "its process ended with exit code %d", WEXITSTATUS(end));
}

/* Whether somebody from outside ended the worker, so that the job has another try. */
static bool was_killed(const struct worker *w, int end)
{
	return WIFSIGNALED(end) && !w->timed_out && (WTERMSIG(end) == SIGKILL || WTERMSIG(end) == SIGTERM);
}

/* A worker is gone: the job that it was about is lost or has another try, the others go back. */
static enum sahm_status bury(struct pool *p, struct worker *w)
{
	struct textbuf why;
	int end = 0;
	enum sahm_status status = SAHM_OK;
	while (waitpid(w->pid, &end, 0) < 0 && errno == EINTR)
		;
	uint64_t under_way = w->window->under_way;
	textbuf_init(&why);
	explain(p, w, end, &why);
	close(w->fd);
	close(w->words);
	w->pid = 0;
	if (under_way == 0 && w->nr_answered == 0 && ++p->early_deaths > MAX_EARLY_DEATHS)
		status = sahm_fail(p->err, SAHM_TOOL, "worker processes end before they have done anything: %s",
				   why.text);
	for (uint64_t nr = w->nr_answered + 1; w->nr_pending > 0 && status == SAHM_OK; nr++) {
		uint8_t tries;
		uint64_t job = pop_pending(w, &tries);
		if (nr != under_way)
			status = put_back(p, job, tries);
		else if (was_killed(w, end) && tries + 1u < MAX_TRIES)
			status = put_back(p, job, (uint8_t)(tries + 1u));
		else
			status = p->ops->lost(p->ctx, job, why.text, p->err);
	}
	if (textbuf_failed(&why))
		status = sahm_fail_nomem(p->err);
	textbuf_release(&why);
	return status;
}

/* Reads what a worker has sent; `gone` when it is at its end. */
static enum sahm_status hear(struct pool *p, struct worker *w)
{
	char bytes[65536];
	ssize_t nr = read(w->fd, bytes, sizeof(bytes));
	if (nr < 0 && (errno == EINTR || errno == EAGAIN))
		return SAHM_OK;
	if (nr <= 0)
		return bury(p, w);
	textbuf_add(&w->in, bytes, (size_t)nr);
	return textbuf_failed(&w->in) ? sahm_fail_nomem(p->err) : take_answers(p, w);
}

static void end_late_ones(struct pool *p)
{
	uint64_t now = now_ns(), most_ns = p->options->timeout_s * NS_PER_S;
	for (uint32_t i = 0; i < p->options->nr_workers && most_ns > 0; i++) {
		struct worker *w = &p->workers[i];
		uint64_t under_way = w->pid ? w->window->under_way : 0, started = w->window->started_ns;
		if (under_way == 0 || now <= started || now - started <= most_ns || under_way != w->window->under_way)
			continue;
		w->timed_out = true;
		kill(w->pid, SIGKILL);
	}
}

/* Hears whoever has something to say; *nr_busy workers have jobs. */
static enum sahm_status look_around(struct pool *p, uint32_t nr_busy, uint64_t *nr_answered)
{
	enum sahm_status status = SAHM_OK;
	uint32_t nr = p->options->nr_workers;
	for (uint32_t i = 0; i < nr; i++)
		p->polled[i] = (struct pollfd){.fd = p->workers[i].pid ? p->workers[i].fd : -1, .events = POLLIN};
	if (nr_busy > 0 && poll(p->polled, nr, LOOK_MS) < 0 && errno != EINTR)
		return sahm_fail(p->err, SAHM_IO, "cannot wait for worker processes: %s", strerror(errno));
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++) {
		uint64_t before = p->workers[i].nr_answered;
		if (!p->polled[i].revents)
			continue;
		status = hear(p, &p->workers[i]);
		*nr_answered += p->workers[i].nr_answered - before;
	}
	end_late_ones(p);
	return status;
}

/* So many jobs were answered in so much time by so many workers. */
static void set_batch(struct pool *p, uint64_t nr_answered, uint64_t elapsed_ns, uint32_t nr_busy)
{
	if (nr_answered == 0)
		return;
	uint64_t mean_ns = elapsed_ns * nr_busy / nr_answered;
	p->mean_ns = p->mean_ns ? (7 * p->mean_ns + mean_ns) / 8 : mean_ns;
	uint64_t fit = BATCH_NS / (p->mean_ns + 1), most = 2 * p->batch;
	p->batch = (size_t)(fit < most ? fit : most);
	p->batch = p->batch < 1 ? 1 : p->batch > MAX_POOL_BATCH ? MAX_POOL_BATCH : p->batch;
}

static enum sahm_status carry_out(struct pool *p, bool *stopped)
{
	uint64_t before_ns = now_ns(), nr_answered = 0;
	for (;;) {
		uint32_t nr_busy = 0;
		enum sahm_status status = SAHM_OK;
		for (uint32_t i = 0; i < p->options->nr_workers && status == SAHM_OK; i++) {
			status = feed(p, &p->workers[i]);
			nr_busy += p->workers[i].nr_pending > 0;
		}
		if (status == SAHM_OK && nr_busy == 0)
			return SAHM_OK;
		if (status == SAHM_OK)
			status = look_around(p, nr_busy, &nr_answered);
		if (status != SAHM_OK)
			return status;
		uint64_t now = now_ns();
		if (now - before_ns > FLUSH_NS && nr_answered > 0) {
			set_batch(p, nr_answered, now - before_ns, nr_busy);
			before_ns = now;
			nr_answered = 0;
		}
		if (p->ops->tick && !p->ops->tick(p->ctx)) {
			*stopped = true;
			return SAHM_OK;
		}
	}
}

/* Who is busy is given up; who is not has nothing that anybody wants, and may be stopped or stuck. */
static void dismiss(struct worker *w)
{
	if (!w->pid)
		return;
	close(w->fd);
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(w->words);
	w->pid = 0;
}

enum sahm_status pool_run(const struct pool_ops *ops, const struct pool_options *options, void *ctx, bool *stopped,
			  struct sahm_err *err)
{
	uint32_t nr = options->nr_workers;
	struct pool p = {.ops = ops,
			 .options = options,
			 .ctx = ctx,
			 .workers = calloc(nr, sizeof(*p.workers)),
			 .polled = calloc(nr, sizeof(*p.polled)),
			 .batch = options->batch ? options->batch : 1,
			 .err = err};
	*stopped = false;
	void *shared = mmap(NULL, nr * sizeof(*p.windows), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	p.windows = shared == MAP_FAILED ? NULL : shared;
	enum sahm_status status = p.workers && p.polled && p.windows ? SAHM_OK : sahm_fail_nomem(err);
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++) {
		p.workers[i].window = &p.windows[i];
		textbuf_init(&p.workers[i].in);
	}
	bool ready = status == SAHM_OK;
	if (ready)
		status = carry_out(&p, stopped);
	for (uint32_t i = 0; i < nr && ready; i++) {
		dismiss(&p.workers[i]);
		textbuf_release(&p.workers[i].in);
	}
	if (p.windows)
		munmap(p.windows, nr * sizeof(*p.windows));
	free(p.retries);
	free(p.polled);
	free(p.workers);
	return status;
}
