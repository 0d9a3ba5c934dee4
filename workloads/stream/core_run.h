/* A stream through models of cores: functional passes and timing, epoch by epoch.
 *
 * Several cores share one reading of the stream, those with equal branch predictors and BTBs the prediction of
 * branches, and those with equal caches, TLBs, prefetchers and remedies the rest of a functional pass. Each gets the
 * same results as in a run with no other core.
 */
#ifndef SAHM_WORKLOADS_STREAM_CORE_RUN_H
#define SAHM_WORKLOADS_STREAM_CORE_RUN_H

#include "cores/uarch/core_model.h"
#include "cores/uarch/critical_path.h"
#include "cores/uarch/functional_pass.h"
#include "cores/uarch/timing_lanes.h"
#include "workloads/stream/remedies.h"
#include "workloads/stream/sampling.h"
#include "workloads/stream/stream.h"

/* What a core did in an epoch, or in a whole stream. */
struct core_counts {
	struct timing_result timing;
	struct functional_counts functional; /* of timed instructions; its epoch has the cycles too */
	struct path_counts path; /* of the critical path, where one is recorded; its causes add up to the cycles */
};

/* What watches a core besides observer.batch: each NULL if nothing does. */
struct core_watch {
	struct slot_pass *slots; /* gets the uops (timing_take_slots()) */
	uint16_t *signatures;	 /* [BATCH_UOPS], filled in for each batch (timing_take_signatures()) */
};

/* Functions that watch a run; each may be NULL. Cores whose uops are watched are timed one by one. */
struct core_observer {
	void *ctx;
	/* The uops of a batch on core `core` of models[], with their times. */
	enum sahm_status (*batch)(void *ctx, unsigned core, const struct uop_batch *batch,
				  const struct uop_stamps *stamps, struct sahm_err *err);
	/* The uops of a batch that only warms, as the functional pass leaves them. */
	enum sahm_status (*warm)(void *ctx, unsigned core, const struct uop_batch *batch, struct sahm_err *err);
	/* Filled in for each batch before it is passed on; NULL: nobody needs them. */
	struct timing_notes *notes;
	const struct core_watch *watches; /* [nr], by core; NULL: nothing watches */
	/* The batch before was the last one of epoch `epoch`, which has a timed instruction on core `core`. */
	enum sahm_status (*epoch_end)(void *ctx, unsigned core, uint64_t epoch, struct sahm_err *err);
	/* Epoch `epoch` of the program has ended on core `core` of models[]: its own counts. One without a timed
	 * instruction is none. Its cycles are those between last commits, its stalls those between last dispatches, the
	 * entries held those of its uops. Each count adds up to that of the whole stream. */
	enum sahm_status (*epoch)(void *ctx, unsigned core, uint64_t epoch, const struct core_counts *counts,
				  struct sahm_err *err);
	/* Whether critical paths are recorded; with PATH_EDGES, `edges` gets those of each core at the end of the
	 * stream, valid during the call. */
	enum path_detail path;
	enum sahm_status (*edges)(void *ctx, unsigned core, const struct path_edges *edges, struct sahm_err *err);
	/* Says in *p, for all uops of a batch that will be timed, which loads each core of models[] predicts. Its first
	 * uop of class LOAD is number `first_load` of all timed ones. */
	void (*predict)(void *ctx, const struct uop_batch *batch, uint64_t first_load, struct load_predictions *p);
	/* [nr], by core, where paths are recorded: timing_lanes_mark(); each may be NULL. */
	struct load_set *const *critical;
	/* The number of instructions of the stream that have been read; called about once in a million. */
	void (*progress)(void *ctx, uint64_t nr_instructions);
};

/* Runs `s`, which is at its beginning, to its end, on models[nr], from 1 to MAX_LANES; their results go to out[nr]. Of
 * a stream that is sampled already, `sampling` takes all. SAHM_NOMEM, SAHM_RANGE (timing_lanes_batch()), as
 * stream_next() or an observer fails. */
enum sahm_status core_run(struct stream *s, const struct core_model *const *models, unsigned nr, enum lane_form form,
			  const struct stream_sampling *sampling, const struct core_observer *observer,
			  struct core_counts *out, struct sahm_err *err);

/* The same with changes to the program, by core: remedies[nr], each NULL if there are none. Those that change nothing
 * are refused, as remedy_pass_new() does. */
enum sahm_status core_run_remedied(struct stream *s, const struct core_model *const *models,
				   const struct remedies *const *remedies, unsigned nr, enum lane_form form,
				   const struct stream_sampling *sampling, const struct core_observer *observer,
				   struct core_counts *out, struct sahm_err *err);

/* core_run() with a measured clock for the models with a prefetcher that needs one: a run of these before gives the
 * cycles per instruction of each epoch, in thousandths and at least one, which its instructions then take, those that
 * only warm included. The nominal clock is that of the first run, and of epochs without a timed instruction. Only the
 * second run is observed; progress counts half of each. */
enum sahm_status core_run_measured(struct stream *s, const struct core_model *const *models, unsigned nr,
				   enum lane_form form, const struct stream_sampling *sampling,
				   const struct core_observer *observer, struct core_counts *out, struct sahm_err *err);

#endif
