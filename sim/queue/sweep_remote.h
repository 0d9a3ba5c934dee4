/* Sweeps whose runs are carried out by workers elsewhere, through a queue.
 *
 * A planned sweep is *submitted*: noted in the results database, then put into the queue with all that workers need.
 * Results are *gathered*: each is stored as if it had been computed here, committed, and only then acknowledged. So
 * nothing is lost if either side ends, and the same command continues. If a result arrives twice, both must be equal
 * to the bit; otherwise the second is kept beside the first (store_put_second()) and reported. If the server has
 * lost its data, everything that is left is submitted again. */
#ifndef SAHM_SIM_QUEUE_SWEEP_REMOTE_H
#define SAHM_SIM_QUEUE_SWEEP_REMOTE_H

#include "sim/queue/queue.h"
#include "sim/sweep/sweep.h"

/* What is submitted: a plan of a sweep in a store. */
struct sweep_submission {
	struct store_submission note; /* as the store has it */
	struct bundle bundle;
	uint64_t nr_runs; /* that were left */
};

/* Submits all runs that are left of `plan`, which `sweep` made. On success the caller releases it. A submission of the
 * same part goes on under its id. Waits for the connection, where that is lost, as long as options->progress wants it
 * (*interrupted). As the store, the bundle and the queue fail. */
enum sahm_status sweep_submit(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
			      const struct sweep_plan *plan, struct queue *queue, struct sweep_submission *submission,
			      bool *interrupted, struct sahm_err *err);
/* Whether the part of `plan` was submitted before, and has not come to its end. */
enum sahm_status sweep_is_submitted(const struct sweep_plan *plan, struct store *store, bool *is, struct sahm_err *err);
void sweep_submission_release(struct sweep_submission *submission);

struct gathered {
	uint64_t done, failed; /* runs that have a result now, and that have failed */
	uint64_t mended;       /* by how much the number of failures has dropped since the beginning; then `failed`
				* is 0 */
	uint64_t given_up;     /* of the failed: by the queue */
	uint64_t again;	       /* results that arrived twice, both equal */
	uint64_t differing;    /* results that arrived twice, not equal */
	uint64_t damaged;      /* that were none */
	uint64_t resubmitted;  /* runs that the queue had lost */
	uint64_t left;	       /* runs without a result */
	bool interrupted;      /* `progress` wanted it */
	bool ended;	       /* all is there, and the submission has come to its end */
	bool missing; /* runs are left that the queue does not have, and there is no `submission` to submit them
		       * again */
	uint64_t elapsed_ns;
};

struct gather_options {
	const struct store_submission *note;
	const struct sweep_submission *submission; /* NULL: nothing is submitted again */
	bool wait;				   /* until all is there; else what is there by now */
	/* As in struct sweep_options. */
	bool (*progress)(void *ctx, const struct sweep_progress *progress);
	void *ctx;
};

/* Gathers results. Those that were gathered are committed when it returns, even on failure. Fails as the results
 * database and the queue do. */
enum sahm_status sweep_gather(const struct gather_options *options, struct store *store, struct queue *queue,
			      struct gathered *g, struct sahm_err *err);

#endif
