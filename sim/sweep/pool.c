#include "sim/sweep/pool.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/sweep/pool_internal.h"

/* Work that a worker is given at a time. */
#define BATCH_NS (20 * NS_PER_MS)
/* Where a job takes less, a worker gets the next ones before it asks: it never waits for them. Where it takes more, the
 * last jobs are better spread without. */
#define AHEAD_NS (4 * NS_PER_MS)
/* Number of jobs between two estimates of their duration. */
#define ADAPT_NS (50 * NS_PER_MS)
/* How often one looks, if nothing happens. */
#define LOOK_MS 200
/* A job whose worker was killed from outside is not to blame at first: it is tried this number of times. */
#define MAX_TRIES 3u
/* Workers that die before they have done anything. */
#define MAX_EARLY_DEATHS 16u

uint32_t pool_nr_processors(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	int nr = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
	return nr < 1 ? 1 : (uint32_t)nr;
}

/* Jobs to be repeated come first, one at a time. */
static size_t next_jobs(struct pool *p, uint64_t *jobs, uint8_t *tries, size_t room)
{
	if (p->nr_retries > 0) {
		const struct retry *r = &p->retries[--p->nr_retries];
		jobs[0] = r->job;
		tries[0] = r->tries;
		return 1;
	}
	size_t nr = p->no_more ? 0 : p->ops->next(p->ctx, jobs, room);
	p->no_more |= nr == 0 && !p->ops->wait;
	memset(tries, 0, nr);
	return nr;
}

static bool needs_jobs(const struct pool *p, const struct worker *w)
{
	bool ahead = p->mean_ns > 0 && p->mean_ns < AHEAD_NS;
	return w->nr_pending <= (ahead ? p->batch / 2 : 0) && w->nr_pending + p->batch <= MAX_PENDING;
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

static bool has_workers(const struct pool *p)
{
	for (uint32_t i = 0; i < p->options->nr_workers; i++)
		if (p->workers[i].pid)
			return true;
	return false;
}

/* Gives a worker jobs, if there are any; starts it if it is not there. */
static enum sahm_status feed(struct pool *p, struct worker *w)
{
	uint64_t jobs[1 + MAX_POOL_BATCH];
	uint8_t tries[MAX_POOL_BATCH];
	if (!needs_jobs(p, w) || (p->is_full && !w->pid))
		return SAHM_OK;
	size_t nr = next_jobs(p, jobs + 1, tries, p->batch);
	if (nr == 0)
		return SAHM_OK;
	if (!w->pid) {
		enum sahm_status status = worker_start(p, w);
		/* Where no more processes or descriptors are available, the existing ones do all. */
		if (status != SAHM_OK && has_workers(p)) {
			p->is_full = true;
			for (size_t i = 0; i < nr && status != SAHM_NOMEM; i++)
				status = put_back(p, jobs[1 + i], tries[i]);
			return status;
		}
		if (status != SAHM_OK)
			return status;
	}
	jobs[0] = nr;
	for (size_t i = 0; i < nr; i++) {
		size_t at = (w->first + w->nr_pending++) % MAX_PENDING;
		w->pending[at] = jobs[1 + i];
		w->tries[at] = tries[i];
	}
	/* A worker that does not get its jobs whole can do nothing more. Its end shows when it is read from. */
	if (!pool_write_all(w->fd, jobs, (1 + nr) * sizeof(*jobs)))
		kill(w->pid, SIGKILL);
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

/* A worker is gone: the job that it was about is lost or has another try, the others go back. */
static enum sahm_status bury(struct pool *p, struct worker *w)
{
	struct textbuf why;
	enum sahm_status status = SAHM_OK;
	unsigned most_tries = p->options->tries ? p->options->tries : MAX_TRIES;
	uint64_t under_way = w->window->under_way;
	/* It may have gone on to the next one just before. */
	w->timed_out = w->late != 0 && w->late == under_way;
	const struct worker_end end = worker_see_off(w);
	textbuf_init(&why);
	worker_explain(w, &end, &why);
	close(w->fd);
	worker_close_words(w);
	p->is_full = false;
	if (under_way == 0 && w->nr_answered == 0 && ++p->early_deaths > MAX_EARLY_DEATHS)
		status = sahm_fail(p->err, SAHM_TOOL, "worker processes end before they have done anything: %s",
				   why.text);
	for (uint64_t nr = w->nr_answered + 1; w->nr_pending > 0 && status == SAHM_OK; nr++) {
		uint8_t tries;
		uint64_t job = pop_pending(w, &tries);
		if (nr != under_way)
			status = put_back(p, job, tries);
		else if (worker_was_killed(w, &end) && tries + 1u < most_tries)
			status = put_back(p, job, (uint8_t)(tries + 1u));
		else
			status = p->ops->lost(p->ctx, job,
					      w->timed_out		       ? SAHM_RANGE
					      : worker_ran_out_of_memory(&end) ? SAHM_NOMEM
									       : SAHM_TOOL,
					      why.text, p->err);
	}
	if (textbuf_failed(&why))
		status = sahm_fail_nomem(p->err);
	textbuf_release(&why);
	return status;
}

/* Reads what a worker has sent; at its end it is buried. */
static enum sahm_status read_messages(struct pool *p, struct worker *w)
{
	char bytes[65536];
	ssize_t nr = recv(w->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (nr < 0 && (errno == EINTR || errno == EAGAIN))
		return SAHM_OK;
	if (nr <= 0)
		return bury(p, w);
	textbuf_add(&w->in, bytes, (size_t)nr);
	return textbuf_failed(&w->in) ? sahm_fail_nomem(p->err) : take_answers(p, w);
}

/* Workers that have ended while something that they forked keeps the socket. */
static enum sahm_status look_for_dead(struct pool *p)
{
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < p->options->nr_workers && status == SAHM_OK; i++) {
		struct worker *w = &p->workers[i];
		if (!w->pid || !worker_has_ended(w))
			continue;
		/* What it has sent comes first. */
		struct pollfd polled = {.fd = w->fd, .events = POLLIN};
		while (status == SAHM_OK && w->pid && poll(&polled, 1, 0) > 0)
			status = read_messages(p, w);
		if (status == SAHM_OK && w->pid)
			status = bury(p, w);
	}
	return status;
}

/* Limits of the job that is under way, `under_way` by its number; 0: any time. */
static unsigned timeout_of(const struct pool *p, const struct worker *w, uint64_t under_way)
{
	uint64_t ahead = under_way - w->nr_answered - 1;
	if (!p->ops->timeout_s)
		return p->options->timeout_s;
	/* Jobs missing from its list were answered meanwhile. */
	return ahead < w->nr_pending ? p->ops->timeout_s(p->ctx, w->pending[(w->first + ahead) % MAX_PENDING]) : 0;
}

static void kill_overdue_workers(struct pool *p)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	for (uint32_t i = 0; i < p->options->nr_workers; i++) {
		struct worker *w = &p->workers[i];
		uint64_t under_way = w->pid ? w->window->under_way : 0, started = w->window->started_ns;
		unsigned most_s = under_way ? timeout_of(p, w, under_way) : 0;
		if (most_s == 0 || now <= started || now - started <= most_s * NS_PER_S ||
		    under_way != w->window->under_way)
			continue;
		w->late = under_way;
		w->late_s = most_s;
		kill(-w->pid, SIGKILL);
		kill(w->pid, SIGKILL);
	}
}

/* Reads from all workers that have answers; *nr_busy workers have jobs. */
static enum sahm_status look_around(struct pool *p, uint32_t nr_busy, uint64_t *nr_answered)
{
	enum sahm_status status = SAHM_OK;
	uint32_t nr = p->options->nr_workers, at = 0;
	/* Only the existing ones: there may be more places than descriptors. */
	for (uint32_t i = 0; i < nr; i++) {
		const struct worker *w = &p->workers[i];
		if (!w->pid)
			continue;
		p->polled[at++] = (struct pollfd){.fd = w->fd, .events = POLLIN};
		p->polled[at++] = (struct pollfd){.fd = w->words, .events = POLLIN};
	}
	int nr_ready = nr_busy > 0 ? poll(p->polled, at, LOOK_MS) : 0;
	if (nr_ready < 0 && errno != EINTR)
		return sahm_fail(p->err, SAHM_IO, "cannot wait for worker processes: %s", strerror(errno));
	const struct pollfd *polled = p->polled;
	for (uint32_t i = 0; i < nr && status == SAHM_OK && nr_ready > 0; i++) {
		struct worker *w = &p->workers[i];
		if (!w->pid)
			continue;
		uint64_t before = w->nr_answered;
		const struct pollfd *answers = polled++, *words = polled++;
		if (words->revents)
			worker_read_messages(w);
		if (answers->revents)
			status = read_messages(p, w);
		*nr_answered += w->nr_answered - before;
	}
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (status != SAHM_OK || now - p->looked_ns < LOOK_MS * NS_PER_MS)
		return status;
	p->looked_ns = now;
	kill_overdue_workers(p);
	return look_for_dead(p);
}

/* Records that this number of jobs was answered in this time by this number of workers. */
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
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC), nr_answered = 0;
	for (;;) {
		uint32_t nr_busy = 0;
		enum sahm_status status = SAHM_OK;
		for (uint32_t i = 0; i < p->options->nr_workers && status == SAHM_OK; i++) {
			status = feed(p, &p->workers[i]);
			nr_busy += p->workers[i].nr_pending > 0;
		}
		if (status == SAHM_OK && nr_busy == 0) {
			if (!p->ops->wait || !p->ops->wait(p->ctx))
				return SAHM_OK;
			/* Of idle time nothing is concluded. */
			before_ns = clock_ns(CLOCK_MONOTONIC);
			nr_answered = 0;
		}
		if (status == SAHM_OK)
			status = look_around(p, nr_busy, &nr_answered);
		if (status != SAHM_OK)
			return status;
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		if (now - before_ns > ADAPT_NS && nr_answered > 0) {
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

enum sahm_status pool_run(const struct pool_ops *ops, const struct pool_options *options, void *ctx, bool *stopped,
			  struct sahm_err *err)
{
	uint32_t nr = options->nr_workers;
	struct pool p = {.ops = ops,
			 .options = options,
			 .ctx = ctx,
			 .workers = calloc(nr, sizeof(*p.workers)),
			 .polled = calloc(2 * (size_t)nr, sizeof(*p.polled)),
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
		worker_dismiss(&p.workers[i]);
		textbuf_release(&p.workers[i].in);
	}
	if (p.windows)
		munmap(p.windows, nr * sizeof(*p.windows));
	free(p.retries);
	free(p.polled);
	free(p.workers);
	return status;
}
