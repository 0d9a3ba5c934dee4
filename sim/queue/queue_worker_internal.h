/* Between the files of a worker: its life (queue_worker.c), how runs come (queue_worker_take.c), what its processes do
 * (queue_worker_process.c), the runs in hand (queue_worker_hold.c), results on their way out (queue_worker_results.c),
 * and what these share (queue_worker_common.c). */
#ifndef SAHM_SIM_QUEUE_QUEUE_WORKER_INTERNAL_H
#define SAHM_SIM_QUEUE_QUEUE_WORKER_INTERNAL_H

#include <limits.h>

#include "sim/queue/file_cache.h"
#include "sim/queue/queue_worker.h"
#include "sim/sweep/pool.h"

/* Bundles that are known at a time. */
#define MAX_SLOTS 256u

/* Runs that are in hand, at most. */
#define MAX_HELD (3 * MAX_TAKE)

/* Programs whose runs are taken: this one, and others where they are wanted. */
#define MAX_STREAMS 16u

/* A bundle that is at hand, as the processes see it. */
struct slot {
	volatile uint64_t generation; /* grows whenever another bundle takes the place; 0: none */
	uint8_t hash[HASH_BYTES];
	uint64_t memory_bytes; /* that the process of a run may have; 0: any */
	char folder[PATH_MAX];
};

enum held_state { HELD_FREE, HELD_WAITING, HELD_GIVEN, HELD_ANSWERED };

/* A run in hand. */
struct held {
	struct queue_job job;
	uint32_t slot;
	uint8_t stream;
	uint8_t state;
	bool lost;     /* somebody else has it */
	uint32_t next; /* of those that wait, or are free */
};

/* Results on their way. */
struct outgoing {
	struct queue_results results; /* of runs of one bundle */
	uint32_t slot;
	uint8_t stream;
	uint64_t since_ns; /* when the first of them was there */
	struct outgoing *next;
};

struct stream {
	char program[129];
	struct queue_taking taking;
};

struct working {
	const struct queue_worker_options *options;
	struct queue_worker_outcome *outcome;
	struct queue queue;
	struct file_cache *cache;
	char name[MAX_WORKER_NAME + 1];
	struct queue_vitals vitals;
	struct stream streams[MAX_STREAMS];
	uint32_t nr_streams;

	/* Bundles: what processes see of them, and what this one knows. */
	struct slot *slots;					  /* [MAX_SLOTS], shared */
	uint32_t used[MAX_SLOTS];				  /* runs in hand of each */
	uint64_t touched[MAX_SLOTS];				  /* when each was needed last, in takes */
	unsigned timeout_s[MAX_SLOTS];				  /* of their runs; 0: any */
	bool is_own_timeout[MAX_SLOTS], is_own_memory[MAX_SLOTS]; /* the worker's limit, not the submission's */
	uint64_t nr_takes;
	uint64_t busy_ns;    /* that runs took */
	struct sahm_err bad; /* why the bundle `bad_hash` could not be had last */
	uint8_t bad_hash[HASH_BYTES];
	uint64_t bad_ns;  /* until when one does not try again */
	uint64_t rest_ns; /* how long one rests while this machine fails; 0: it does not */

	/* Runs. */
	struct held *held; /* [MAX_HELD] */
	uint32_t first_free, first_waiting, last_waiting;
	size_t nr_held, nr_waiting;
	struct queue_job *taken;	 /* [MAX_TAKE] */
	const struct queue_job **listed; /* [MAX_HELD + MAX_TAKE] */
	bool *lost;			 /* [MAX_HELD + MAX_TAKE] */
	/* Taken, and on their way into the table, while their files are fetched. */
	struct queue_job *admitting; /* [nr_admitting] */
	size_t nr_admitting;
	uint32_t admitting_stream;
	struct outgoing *first_out, *last_out;

	/* How fast it goes. */
	size_t target; /* runs that should be in hand */
	uint64_t mean_ns, mark_ns, nr_marked;

	/* When what is next. */
	uint64_t worked_ns; /* when there was work last */
	uint64_t beat_ns, take_ns, refused_ns, reclaim_ns, retry_out_ns, pause_ns, told_ns;
	uint64_t starved_ns; /* since when lack of memory keeps it from the server; 0: it does not */
	uint64_t give_up_ns; /* when runs under way are given up; 0: nobody has asked it to end */
	uint64_t end_ns;     /* when it says nothing more to the server */
	bool stopping, was_up;
	uint64_t nr_connections;		   /* when there was one last */
	uint64_t report_ns, reported_ns, reported; /* when it says how it goes next and did last, and runs until then */
	bool found;				   /* the last look for runs found some */
	struct sahm_err said;			   /* the last report */

	/* In a process. */
	uint32_t process;
	uint64_t memory_bytes; /* that it could have when it began */
	uint64_t nr_runs;
	struct opened *opened[MAX_SLOTS];
	struct run_cache *traces;
};

#define NONE_HELD UINT32_MAX

/* A job of the pool: a run in hand, its bundle's place, its position. */
#define POSITION_BITS 24
#define SLOT_BITS 16
#define JOB_OF(held, slot, position)                                                                                   \
	((uint64_t)(held) << (POSITION_BITS + SLOT_BITS) | (uint64_t)(slot) << POSITION_BITS | (position))
#define HELD_OF(job) ((uint32_t)((job) >> (POSITION_BITS + SLOT_BITS)))
#define SLOT_OF(job) ((uint32_t)((job) >> POSITION_BITS & ((UINT32_C(1) << SLOT_BITS) - 1)))
#define POSITION_OF(job) ((job) & ((UINT64_C(1) << POSITION_BITS) - 1))

/* ---- Runs in hand (queue_worker_hold.c) ---- */

enum sahm_status hold_init(struct working *w, struct sahm_err *err);
void hold_release(struct working *w);

/* Whether there is room for this many more. */
bool hold_has_room(const struct working *w, size_t nr);

/* Takes a run in hand, to wait; `first`: before all others. */
void hold_add(struct working *w, uint32_t stream, uint32_t slot, const struct queue_job *job, bool first);

/* The first of those that wait, which is given to a process now; NONE_HELD: none waits. */
uint32_t hold_next(struct working *w);

/* The table's place of a run that it holds. */
uint32_t hold_place(const struct working *w, const struct queue_job *job);

/* It is not in hand any more. */
void hold_drop(struct working *w, uint32_t held);

/* Lists the runs in hand of a stream, all or only those that wait, in listed[] (w->listed); returns their number. */
size_t hold_list(struct working *w, uint32_t stream, bool waiting_alone);

/* Runs in hand that wait. */
size_t hold_to_do(const struct working *w);

/* Renews the claims of runs in hand, if that is due. */
void working_beat(struct working *w);

/* ---- Clock, reports, connection (queue_worker_common.c) ---- */

/* ns by the clock that all times of a worker are of. */
uint64_t working_now_ns(void);

/* How it is asked to end by now. */
enum worker_stop working_stop(const struct working *w);

/* Whether it has not been asked to end, or still has time for that. */
bool working_has_time(void *working);

/* Reports to the caller's callback; a failure only if it differs from the last one. */
void working_report(struct working *w, const char *text);
void working_report_failure(struct working *w, const struct sahm_err *err);

/* Tells, and pauses with everything but what is under way. */
void working_note_failure(struct working *w, const struct sahm_err *err);
bool working_is_paused(const struct working *w);

/* Whether there is a connection; tries to have one. */
bool working_has_link(struct working *w);

/* Whether lack of memory has kept it from the server for longer than a claim lasts: its runs belong to others by now.
 */
bool working_is_starved(const struct working *w);

/* ---- Results on their way out (queue_worker_results.c) ---- */

/* Puts the record of a run in hand among those that go out. False: no memory. */
bool working_put_out(struct working *w, uint32_t held, const char *record, size_t len);

/* Sends results that are ripe, or all. False: they have to wait. */
bool working_flush(struct working *w, bool all);

/* Gives up the first of them. */
void working_drop_outgoing(struct working *w);

/* ---- Runs on their way in (queue_worker_take.c) ---- */

/* A delivery came to nothing. Without a connection that is found out by the claim's end. */
void working_fail_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why);

/* It cannot be done here. */
void working_refuse_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why);

/* It came to nothing because this machine lacks something, such as memory, which may pass: it goes back as if it had
 * never come, and no more runs are asked for during a rest. */
void working_return_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why);

/* Takes jobs in hand for which all is there, or can be had; `left`: others had left them. */
void working_admit(struct working *w, uint32_t stream, struct queue_job *jobs, size_t nr, bool left);

/* Sees to it that there is enough in hand. */
void working_refill(struct working *w);

/* ---- In a process (queue_worker_process.c) ---- */

void process_begin(void *ctx, uint32_t worker);
void process_work(void *ctx, uint64_t job, struct textbuf *answer);

#endif
