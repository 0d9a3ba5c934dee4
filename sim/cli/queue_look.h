/* What `sahm queue status` shows: everything of a queue at one moment, and how fast it goes. */
#ifndef SAHM_SIM_CLI_QUEUE_LOOK_H
#define SAHM_SIM_CLI_QUEUE_LOOK_H

#include "sim/queue/queue.h"

/* Dead letters that are listed, at most. */
#define MAX_LISTED_LETTERS 1000u

struct queue_look {
	struct arena arena; /* of all that is here */
	uint64_t at_ns;	    /* when, of CLOCK_MONOTONIC */
	int64_t unix_ms;    /* and for people */
	struct queue_counts all;
	struct queue_program *programs; /* [nr_programs] */
	struct queue_submission *submissions;
	struct queue_worker_row *workers;
	struct queue_letter *letters; /* the oldest, where they were asked for */
	size_t nr_programs, nr_submissions, nr_workers, nr_letters;
	uint64_t memory_bytes; /* of the whole server */
	bool evicts;	       /* queue_check_server() */
};

/* Takes a look. On success the caller releases it. Fails as the functions of queue.h do. */
enum sahm_status queue_look_take(struct queue *q, bool with_letters, struct queue_look *look, struct sahm_err *err);
void queue_look_release(struct queue_look *look);

/* Whether there is anything at all. */
bool queue_look_is_empty(const struct queue_look *look);

/* Looks of a while, against the oldest of which the newest is held. */
#define NR_EARLIER_LOOKS 10u
struct queue_looks {
	struct queue_look earlier[NR_EARLIER_LOOKS]; /* [nr], the oldest first */
	unsigned nr;
	uint64_t window_ns; /* how long rates are taken over: workers tell what they have done once in a while */
};

void queue_looks_init(struct queue_looks *looks, const struct queue *q);
void queue_looks_release(struct queue_looks *looks);

/* Keeps `look` for later ones, or releases it: it is the callers no more. */
void queue_looks_keep(struct queue_looks *looks, struct queue_look *look);

/* The earlier look to compare `now` with; NULL if none is old enough. */
const struct queue_look *queue_looks_before(const struct queue_looks *looks, const struct queue_look *now);

/* Runs per second of a worker: since the look `before`; or, if that is NULL or does not have the worker, over the
 * time that it has worked, as long as it has runs. 0: it has none, or has not done any yet. */
double queue_worker_rate(const struct queue_look *now, const struct queue_look *before,
			 const struct queue_worker_row *worker);

/* Whether the worker was heard of within two claims. */
bool queue_worker_lives(const struct queue *q, const struct queue_worker_row *worker);

/* Of all workers that live. */
double queue_rate(const struct queue *q, const struct queue_look *now, const struct queue_look *before);

/* Appends what there is, for people; `where` the queue is, and `bold` headings. */
void queue_look_write(const struct queue *q, const char *where, const struct queue_look *now,
		      const struct queue_look *before, bool bold, struct textbuf *out);

/* The same as one JSON object; on one line, if `line`. */
void queue_look_write_json(const struct queue *q, const char *where, const struct queue_look *now,
			   const struct queue_look *before, bool with_letters, bool line, struct textbuf *out);

/* Appends "1 run", "12,345 runs": `word` is of one. */
void write_number_of(uint64_t nr, const char *word, struct textbuf *out);

#endif
