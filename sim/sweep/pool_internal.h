/* Between distributing jobs (pool.c) and the processes that carry them out (pool_worker.c). */
#ifndef SAHM_SIM_SWEEP_POOL_INTERNAL_H
#define SAHM_SIM_SWEEP_POOL_INTERNAL_H

#include <poll.h>
#include <sys/types.h>

#include "sim/sweep/pool.h"

/* Of what a worker writes to its standard files, so much is kept. */
#define LAST_WORDS_BYTES 600u
/* Exit codes of workers that cannot answer: what was run has closed their files; there is no memory. */
#define EXIT_CLOSED 97
#define EXIT_NO_MEMORY 98
/* And of one that the dynamic linker ends. */
#define EXIT_NOT_FOUND 127

#define MAX_PENDING (2 * MAX_POOL_BATCH)

/* What a worker shows of itself, in memory that both see. */
struct window {
	volatile uint64_t under_way; /* number of the job in the order in which this worker got them, from 1; 0: none */
	volatile uint64_t started_ns; /* when, by the monotonic clock */
};

struct worker {
	pid_t pid; /* 0: none; also of its process group, in which everything is that it forks */
	int fd;
	int words; /* where its standard output and error can be read */
	char last_words[LAST_WORDS_BYTES];
	size_t nr_words; /* of these */
	struct window *window;
	uint64_t pending[MAX_PENDING]; /* jobs that it has and that are not answered, oldest first, from `first` */
	uint8_t tries[MAX_PENDING];    /* how often each was begun before */
	size_t first, nr_pending;
	uint64_t nr_answered; /* since it was forked */
	struct textbuf in;    /* bytes that are no whole answer yet */
	uint64_t late;	      /* number of the job that took too long, as in its window; 0: none */
	unsigned late_s;      /* how long that is */
	bool timed_out;	      /* and it ended for that */
};

/* A job to be repeated. */
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
	struct pollfd *polled;	/* [2 * nr_workers]: answers, words */
	struct retry *retries;
	size_t nr_retries, room_retries;
	size_t batch;
	uint64_t mean_ns; /* of a job, as of late; 0: not known */
	unsigned early_deaths;
	uint64_t looked_ns; /* when was last looked after workers that say nothing */
	bool no_more;	    /* next() has nothing left */
	bool is_full;	    /* no more workers are available for now */
	struct sahm_err *err;
};

/* An answer on its way: the job, the length, then the bytes. Both sides are one program on one machine. */
struct heading {
	uint64_t job;
	uint64_t len;
};

/* How a worker ended. */
struct worker_end {
	int status; /* as waitpid() has it */
	bool deaf;  /* nothing could be heard of it any more, and it had to be ended */
};

/* Writes all of it; false when the other side is gone. */
bool pool_write_all(int fd, const void *bytes, size_t len);

/* Forks a worker. SAHM_IO. */
enum sahm_status worker_start(struct pool *p, struct worker *w);

/* Reads what a worker says, as far as it has; the end of it is kept. */
void worker_read_messages(struct worker *w);

/* Closes what it says, if that is open. */
void worker_close_words(struct worker *w);

/* Whether its process has ended; it can still be waited for. */
bool worker_has_ended(const struct worker *w);

/* The worker is silent for good: it is ending, or is ended, with all that it has forked. */
struct worker_end worker_see_off(struct worker *w);

/* Ends it now, and all that it has forked, and closes what leads to it. */
void worker_dismiss(struct worker *w);

/* Says why the worker did not answer the job that it was about. */
void worker_explain(struct worker *w, const struct worker_end *end, struct textbuf *why);

/* Whether it ended because it had no more memory. */
bool worker_ran_out_of_memory(const struct worker_end *end);

/* Whether somebody from outside ended it, so that the job has another try. */
bool worker_was_killed(const struct worker *w, const struct worker_end *end);

#endif
