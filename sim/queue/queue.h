/* The queue: runs of sweeps on their way to workers, and results on their way back, in Redis.
 *
 * All keys of a queue begin with sahm:{NAME}: and are, in this order below: jobs:<program> (stream, group `workers`:
 * the runs that wait or are in progress), runs (hash: hash of a run -> "q<bundle>" while it is in a stream, "d<id>"
 * while it is a dead letter), results (stream, one group per submission), dead (stream: runs that were given up),
 * errors (hash: the last error of a run), submissions (set of ids), submission:<id> (hash), files (file:<hash>, see
 * transfer.h), programs (set), workers (sorted set: name -> last sign of life), worker:<name> (hash),
 * unable:<bundle> (set of workers, expires), meta (hash).
 *
 * Life of a run: *enqueued* once, for any number of submitters; *taken* by a worker, which renews its claim while it
 * lives; without renewal the claim expires after `claim_ms` and any worker may take the run; *answered*: its result
 * appears and its entry goes in one transaction. The run of a lost worker is taken again, and so is one that failed
 * for reasons that may lie with its worker. After QUEUE_TRIES deliveries without a result it becomes a dead letter,
 * and its submitters get that as the result. A result stays until every submission that waits for it has collected
 * it: those of its bundles, and those that share runs with other bundles. Then the run is forgotten. A run can be
 * carried out more than once (a worker that only slept answers, too): collectors receive every answer and compare
 * later ones with the first.
 *
 * All functions fail with SAHM_IO when the connection is lost (repeating the call later is safe and doubles
 * nothing), SAHM_TOOL when the server answers with an error (no memory, no permission), SAHM_FORMAT when it answers
 * with something unexpected, and SAHM_NOMEM. */
#ifndef SAHM_SIM_QUEUE_QUEUE_H
#define SAHM_SIM_QUEUE_QUEUE_H

#include "sim/queue/bundle.h"
#include "sim/queue/redis_link.h"

/* Deliveries without a result after which a run is given up. */
#define QUEUE_TRIES 3u

/* How long a run stays with a worker of which nothing is heard, where nobody said otherwise, and the bounds. */
#define QUEUE_CLAIM_S 30u
#define MIN_QUEUE_CLAIM_S 1u
#define MAX_QUEUE_CLAIM_S 86400u

/* Results that nobody has collected, beyond which workers take nothing more. */
#define QUEUE_MAX_RESULT_BYTES (INT64_C(256) << 20)

#define DEFAULT_QUEUE "default"
#define MAX_QUEUE_NAME 64u
#define MAX_WORKER_NAME 128u
/* An id of a stream's entry, with its closing NUL. */
#define QUEUE_ID_BYTES 44u
/* Longest error of a run that is kept. */
#define MAX_QUEUE_ERROR 500u

/* Texts of messages of runs that the queue gave up begin with this. */
#define QUEUE_GIVEN_UP "given up by the queue after "

struct queue {
	struct redis_link *link; /* the queue's */
	char name[MAX_QUEUE_NAME + 1];
	char prefix[MAX_QUEUE_NAME + 16]; /* of all keys */
	uint64_t claim_ms;
	struct redis_words words; /* the command in the making */
	struct arena arena;
};

struct queue_options {
	const char *url;
	const char *name;		       /* letters, digits, "-", "_", "."; NULL: DEFAULT_QUEUE */
	bool look;			       /* nothing is written for it: for those who only want to see */
	bool any_meta;			       /* a `meta` that is none is fine: for those who remove everything */
	unsigned claim_s;		       /* 0: as the queue has it, or QUEUE_CLAIM_S */
	const struct redis_link_options *link; /* NULL: defaults */
};

/* Opens the queue; one that is not there begins to be when something is put into it. On success the caller closes it.
 * Also SAHM_USAGE (URL or name), SAHM_CONFIG: another version of the layout; another claim than the queue has. */
enum sahm_status queue_connect(struct queue *q, const struct queue_options *options, struct sahm_err *err);
void queue_disconnect(struct queue *q);

/* Whether a call failed because the server does not have the stream or its group: it never knew it, has lost its data,
 * or it went while one waited for it. */
bool queue_is_gone(const struct queue *q, enum sahm_status status);

/* A run on its way. */
struct queue_run {
	uint8_t hash[HASH_BYTES]; /* evaluate_hash() */
	uint8_t bundle[HASH_BYTES];
	uint64_t position;
};

/* ---- Submitting ---- */

/* Makes a submission known before anything else of it is put there: its results are kept from now on, and the files
 * of `b` belong to it. Doing it again changes nothing. */
enum sahm_status queue_submit(struct queue *q, const char *id, const struct bundle *b, uint64_t nr_runs,
			      struct sahm_err *err);

/* Whether the server knows the submission: it does not after it has lost its data. */
enum sahm_status queue_has_submission(struct queue *q, const char *id, bool *has, struct sahm_err *err);

/* Sends the bundle and all its files, as far as they are not there. */
enum sahm_status queue_send_files(struct queue *q, const struct bundle *b, struct sahm_err *err);

/* Runs that queue_enqueue() takes at a time, at most. */
#define MAX_ENQUEUE 512u

/* Puts those of runs[nr], all of one bundle, that are not there into the stream of `program`; *added are new. `force`:
 * those, too, of which the server believes that they are there. `id`: the submission that asks for them. */
enum sahm_status queue_enqueue(struct queue *q, const char *id, const char *program, const struct queue_run *runs,
			       size_t nr, bool force, uint64_t *added, struct sahm_err *err);

/* ---- Working ---- */

/* A run that a worker has. */
struct queue_job {
	char id[QUEUE_ID_BYTES];
	struct queue_run run;
	uint32_t deliveries; /* this one included */
};

enum queue_answer { QUEUE_JOBS, QUEUE_DRAINED, QUEUE_FULL };

/* Jobs that queue_take() gives at a time, at most. */
#define MAX_TAKE 4096u

struct queue_taking {
	const char *worker;  /* its name */
	const char *program; /* whose runs */
	size_t want;	     /* 1 to MAX_TAKE; fewer are handed out when few are left, but at least `least` */
	size_t least;
	bool reclaim;		     /* look for what other workers have left */
	char cursor[QUEUE_ID_BYTES]; /* where that was left off; "0-0" at first */
	size_t nr_left;		     /* runs that others had left at the last take */
};

/* Takes runs without waiting: *nr of them. Runs that others have left come first, in a batch without others, `least`
 * at a time. QUEUE_DRAINED: nothing is handed out for now; QUEUE_FULL: results must be collected first. */
enum sahm_status queue_take(struct queue *q, struct queue_taking *taking, struct queue_job *jobs, size_t *nr,
			    enum queue_answer *answer, struct sahm_err *err);

/* The same, but waits up to `wait_ms` for a new run, of which it takes at most one. */
enum sahm_status queue_wait(struct queue *q, const struct queue_taking *taking, unsigned wait_ms, struct queue_job *job,
			    size_t *nr, struct sahm_err *err);

/* What a worker tells of itself, in whole numbers of this life. */
struct queue_vitals {
	char host[65];
	char program[129]; /* whose runs it takes first */
	int64_t pid, processes, started_unix_ms;
	uint64_t done, failed, busy_ms, held; /* runs answered, given back with an error; ms of work; runs in hand */
};

/* Renews the claim on jobs[nr] and shows that the worker lives. lost[i] becomes true for those that are somebody else's
 * by now. */
enum sahm_status queue_beat(struct queue *q, const char *worker, const char *program, const struct queue_vitals *vitals,
			    const struct queue_job *const *jobs, size_t nr, bool *lost, struct sahm_err *err);

/* Results that go together. */
#define MAX_RESULT_RUNS 1024u
struct queue_results {
	struct textbuf hashes;	/* of their runs, concatenated */
	struct textbuf records; /* a length of 4 bytes, then the record (record_encode()), for each */
	const struct queue_job *jobs[MAX_RESULT_RUNS]; /* all of one bundle */
	size_t nr;
};

/* Writes results and acknowledges their jobs in one transaction. */
enum sahm_status queue_put_results(struct queue *q, const char *worker, const char *program,
				   const struct queue_results *results, struct sahm_err *err);

/* A delivery that failed, for a reason that may be the worker's: the run is somebody's next, or a dead letter. */
enum sahm_status queue_fail_job(struct queue *q, const char *worker, const char *program, const struct queue_job *job,
				const char *why, struct sahm_err *err);

/* Reports that the worker cannot carry out runs of the bundle: a file, a plug-in, trust or room is missing.
 * *nr_able: live workers that take runs of `program` and have not reported this. */
enum sahm_status queue_note_unable(struct queue *q, const char *worker, const char *program,
				   const uint8_t bundle[HASH_BYTES], uint64_t *nr_able, struct sahm_err *err);

/* Gives jobs back, as if they had not been delivered. */
enum sahm_status queue_hand_back(struct queue *q, const char *worker, const char *program,
				 const struct queue_job *const *jobs, size_t nr, struct sahm_err *err);

/* The worker goes: it is no more among those that live. What it still has stays claimed. */
enum sahm_status queue_leave(struct queue *q, const char *worker, const char *program, struct sahm_err *err);

/* ---- Collecting ---- */

/* Calls `take` for each result that has arrived for the submission and was not acknowledged: those that were read
 * before first if `again`, else new ones, for the first of which it waits up to `wait_ms`. `record` may be anything:
 * record_decode(); it is NULL where the run was given up, `why`. */
struct queue_result {
	uint8_t hash[HASH_BYTES];
	const char *record;
	size_t len;
	const char *why;    /* cleaned, up to MAX_QUEUE_ERROR bytes; "" where there is a record */
	uint64_t tries;	    /* where it was given up */
	const char *worker; /* cleaned */
};
typedef enum sahm_status queue_result_fn(void *ctx, const struct queue_result *result, struct sahm_err *err);

struct queue_collecting {
	const char *id;	    /* of the submission */
	struct textbuf ids; /* ids of entries that were taken and not acknowledged, each with a NUL */
	size_t nr_ids;
	uint64_t nr_damaged; /* entries that were none */
};
enum sahm_status queue_collect(struct queue *q, struct queue_collecting *c, bool again, unsigned wait_ms,
			       queue_result_fn *take, void *ctx, size_t *nr_entries, struct sahm_err *err);

/* A quick summary for those who wait. */
struct queue_pulse {
	uint64_t workers; /* that were heard of lately */
	uint64_t result_bytes;
	bool draining;
};
enum sahm_status queue_feel(struct queue *q, struct queue_pulse *pulse, struct sahm_err *err);

/* How runs stand with the queue: states[nr]. */
enum queue_state { QUEUE_UNKNOWN, QUEUE_ON_ITS_WAY, QUEUE_DEAD };
enum sahm_status queue_states(struct queue *q, const uint8_t (*hashes)[HASH_BYTES], size_t nr, enum queue_state *states,
			      struct sahm_err *err);

/* They are kept elsewhere for good: acknowledges all that were taken, and removes what of them nobody waits for any
 * more. */
enum sahm_status queue_settle(struct queue *q, struct queue_collecting *c, struct sahm_err *err);

/* The submission has come to its end, or is given up: its files go, unless others have them; with the last submission
 * everything of the queue goes but its workers. */
enum sahm_status queue_forget(struct queue *q, const char *id, struct sahm_err *err);

/* ---- Operating ---- */

struct queue_counts {
	uint64_t waiting, claimed;     /* runs that nobody has, and that workers have */
	uint64_t abandoned;	       /* claimed runs without a sign of life for the length of a claim; any
					* worker may take them */
	uint64_t dead;		       /* letters */
	uint64_t results;	       /* entries that some submission has not collected yet */
	uint64_t result_bytes;	       /* of these */
	uint64_t submissions, workers; /* workers that were heard of within two claims */
	bool draining;
};

/* Of one program, or of all (NULL). */
enum sahm_status queue_count(struct queue *q, const char *program, struct queue_counts *counts, struct sahm_err *err);

/* Programs whose runs the queue has or had, in order; strings come from `a`. */
enum sahm_status queue_programs(struct queue *q, struct arena *a, const char ***programs, size_t *nr,
				struct sahm_err *err);

struct queue_submission {
	char id[SUBMISSION_BYTES];
	const char *program, *name, *host;
	int64_t submitted_unix_ms;
	uint64_t nr_runs;
	uint64_t uncollected; /* entries of results, at most: some servers do not count them exactly */
};
/* In the order in which they were made. */
enum sahm_status queue_submissions(struct queue *q, struct arena *a, struct queue_submission **submissions, size_t *nr,
				   struct sahm_err *err);

struct queue_worker_row {
	const char *name;
	struct queue_vitals vitals;
	uint64_t silent_ms; /* since it was last heard of */
	uint64_t claimed;   /* runs that it has, as the server sees it: queue_count_each() */
};
/* By name. */
enum sahm_status queue_workers(struct queue *q, struct arena *a, struct queue_worker_row **workers, size_t *nr,
			       struct sahm_err *err);

/* Runs of one program: only waiting, claimed, abandoned and dead. */
struct queue_program {
	const char *name;
	struct queue_counts counts;
};
/* Of each program, in order; the totals are in *all, and workers[nr_workers] have their shares. Nothing is read
 * twice, so that all numbers agree. Dead letters without a program count in *all only. */
enum sahm_status queue_count_each(struct queue *q, struct arena *a, struct queue_counts *all,
				  struct queue_program **programs, size_t *nr, struct queue_worker_row *workers,
				  size_t nr_workers, struct sahm_err *err);

struct queue_letter {
	char id[QUEUE_ID_BYTES];
	struct queue_run run;
	const char *program, *why;
	uint64_t tries;
};
/* The oldest `most` dead letters. */
enum sahm_status queue_letters(struct queue *q, struct arena *a, size_t most, struct queue_letter **letters, size_t *nr,
			       struct sahm_err *err);

/* Bytes that the server uses for everything (its `used_memory`). */
enum sahm_status queue_memory(struct queue *q, uint64_t *bytes, struct sahm_err *err);

/* Whether the server removes runs and results when its memory is full: it has a limit, and a `maxmemory-policy` for all
 * keys. Those that expire (`volatile-`) can be missed. A server that does not say is taken for one that does not. */
enum sahm_status queue_check_server(struct queue *q, bool *evicts, struct sahm_err *err);
/* One worker. */
#define QUEUE_EVICTS                                                                                                   \
	"the server removes keys when its memory is full, and runs or results with them: its maxmemory-policy has to " \
	"be noeviction"

/* Nothing more is handed out, or (false) it is again. */
enum sahm_status queue_drain(struct queue *q, bool drain, struct sahm_err *err);

/* Puts all dead letters back, with all their tries; *nr of them. */
enum sahm_status queue_retry(struct queue *q, uint64_t *nr, struct sahm_err *err);

/* Removes dead letters. */
enum sahm_status queue_purge_dead(struct queue *q, uint64_t *nr, struct sahm_err *err);
/* Removes a submission, and its runs with their dead letters (*nr of them) unless another submission has the same
 * bundle, since the queue does not know which runs that one needs. Runs that a submission with another bundle also
 * asked for are removed, too: its `sahm sweep` asks again. SAHM_CONFIG: there is no such submission. */
enum sahm_status queue_purge_submission(struct queue *q, const char *id, uint64_t *nr, struct sahm_err *err);
/* Removes everything: *nr keys. */
enum sahm_status queue_purge(struct queue *q, uint64_t *nr, struct sahm_err *err);

#endif
