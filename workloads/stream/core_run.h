/* A stream through the model of a core: functional pass and timing, epoch by epoch. */
#ifndef SAHM_WORKLOADS_STREAM_CORE_RUN_H
#define SAHM_WORKLOADS_STREAM_CORE_RUN_H

#include "cores/uarch/core_model.h"
#include "cores/uarch/functional_pass.h"
#include "cores/uarch/timing.h"
#include "workloads/stream/sampling.h"
#include "workloads/stream/stream.h"

/* What a core did in an epoch, or in a whole stream. */
struct core_counts {
	struct timing_result timing;
	struct functional_counts functional; /* of timed instructions; its epoch has the cycles too */
};

/* Functions that watch a run; each may be NULL. */
struct core_observer {
	void *ctx;
	/* The uops of a batch, with their times. */
	enum sahm_status (*batch)(void *ctx, const struct uop_batch *batch, const struct uop_stamps *stamps,
				  struct sahm_err *err);
	/* Epoch `epoch` of the program has ended: its own counts. One without a timed instruction is none. Its cycles
	 * are those between last commits, its stalls those between last dispatches, the entries held those of its uops.
	 * Each count adds up to that of the whole stream. */
	enum sahm_status (*epoch)(void *ctx, uint64_t epoch, const struct core_counts *counts, struct sahm_err *err);
	/* The number of instructions of the stream that have been read; called about once in a million. */
	void (*progress)(void *ctx, uint64_t nr_instructions);
};

/* Runs `s`, which is at its beginning, to its end. Of a stream that is sampled already, `sampling` takes all.
 * SAHM_NOMEM, as stream_next() or an observer fails. */
enum sahm_status core_run(struct stream *s, const struct core_model *model, const struct stream_sampling *sampling,
			  const struct core_observer *observer, struct core_counts *out, struct sahm_err *err);

#endif
