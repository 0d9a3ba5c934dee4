/* Between submitting and gathering. */
#ifndef SAHM_SIM_QUEUE_SWEEP_REMOTE_INTERNAL_H
#define SAHM_SIM_QUEUE_SWEEP_REMOTE_INTERNAL_H

#include <stdio.h>

#include "sim/queue/sweep_remote.h"

struct submitting {
	bool (*progress)(void *ctx, const struct sweep_progress *progress);
	void *ctx;
	uint64_t nr_runs, started_ns;
	bool interrupted;
};

/* Makes the submission known, sends its files, and enqueues what the store has of it without a result, as long as
 * `go_on` is true; *added were new to the queue. */
enum sahm_status submission_put(const struct sweep_submission *s, struct store *store, struct queue *queue, bool force,
				bool (*go_on)(void *ctx), void *ctx, uint64_t *added, struct sahm_err *err);

#endif
