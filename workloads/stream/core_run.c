#include "workloads/stream/core_run.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/stream/stream_uops.h"

#define PROGRESS_INSTRUCTIONS (UINT64_C(1) << 20)

struct core_pass {
	struct stream *s;
	struct functional_pass *functional;
	struct timing *timing;
	struct uop_batch *batch;
	struct uop_stamps *stamps; /* or NULL */
	const struct stream_sampling *sampling;
	const struct core_observer *observer;
	struct functional_counts warmed; /* what `functional` counted outside of timed instructions */
	struct core_counts before;	 /* at the beginning of the epoch */
	struct core_counts pending;	 /* of the last epoch with timed instructions, as yet without its end */
	uint64_t pending_number;
	bool has_pending;
	uint64_t nr_read, next_progress;
	uint64_t nr_to_warm; /* left, of what precedes a sampled epoch */
	bool has_warmed;     /* the functional pass has seen instructions that are not timed */
};

/* Every member of both is a count. */
_Static_assert(sizeof(struct functional_counts) % sizeof(uint64_t) == 0, "functional_counts has only counts");
_Static_assert(sizeof(struct timing_result) % sizeof(uint64_t) == 0, "timing_result has only counts");

/* *a less *b, or plus. */
static void combine(void *a, const void *b, size_t bytes, bool plus)
{
	uint64_t *to = a;
	const uint64_t *from = b;
	for (size_t i = 0; i < bytes / sizeof(*to); i++)
		to[i] = plus ? to[i] + from[i] : to[i] - from[i];
}

static enum sahm_status next_batch(struct core_pass *p, uint64_t max, struct sahm_err *err)
{
	uint64_t left;
	enum sampling_phase phase = sampling_phase_at(p->sampling, p->nr_read, &left);
	if (p->nr_to_warm > 0) {
		phase = PHASE_WARM;
		left = p->nr_to_warm;
	}
	struct functional_counts before;
	enum sahm_status status = stream_uops_read(p->s, left < max ? left : max, p->batch, err);
	if (status != SAHM_OK)
		return status;
	p->nr_read += p->batch->nr_instructions;
	p->nr_to_warm -= p->nr_to_warm > 0 ? p->batch->nr_instructions : 0;
	if (phase == PHASE_SKIP)
		return SAHM_OK;
	if (phase == PHASE_TAKE && p->has_warmed)
		functional_pass_gap(p->functional);
	p->has_warmed = phase == PHASE_WARM;
	if (phase == PHASE_WARM)
		before = *functional_pass_counts(p->functional);
	functional_pass_run(p->functional, p->batch);
	if (phase == PHASE_WARM) {
		combine(&p->warmed, functional_pass_counts(p->functional), sizeof(before), true);
		combine(&p->warmed, &before, sizeof(before), false);
		return SAHM_OK;
	}
	timing_batch(p->timing, p->batch, p->stamps);
	return p->stamps ? p->observer->batch(p->observer->ctx, p->batch, p->stamps, err) : SAHM_OK;
}

static void counts_so_far(const struct core_pass *p, struct core_counts *out)
{
	timing_result(p->timing, &out->timing);
	out->functional = *functional_pass_counts(p->functional);
	combine(&out->functional, &p->warmed, sizeof(p->warmed), false);
	out->functional.epoch.count[COUNTER_CYCLES] = out->timing.cycles;
}

/* Passes the pending epoch on; `end` cycles come after its last dispatch. */
static enum sahm_status report_pending(struct core_pass *p, uint64_t end, struct sahm_err *err)
{
	if (!p->has_pending)
		return SAHM_OK;
	p->has_pending = false;
	p->pending.timing.stalls[STALL_END] = end;
	return p->observer->epoch(p->observer->ctx, p->pending_number, &p->pending, err);
}

static enum sahm_status end_epoch(struct core_pass *p, uint64_t epoch, struct sahm_err *err)
{
	struct core_counts now, own;
	if (!p->observer->epoch)
		return SAHM_OK;
	counts_so_far(p, &now);
	own = now;
	combine(&own, &p->before, sizeof(own), false);
	p->before = now;
	if (own.timing.instructions == 0)
		return SAHM_OK;
	/* Its last uops commit while those of the next epoch are dispatched: only the last epoch waits for the end. */
	enum sahm_status status = report_pending(p, 0, err);
	p->pending = own;
	p->pending_number = stream_epoch_number(p->s, epoch);
	p->has_pending = true;
	return status;
}

static enum sahm_status run_epoch(struct core_pass *p, uint64_t epoch, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	p->nr_to_warm = stream_epoch_warm(p->s, epoch);
	for (uint64_t left = stream_epoch_instructions(p->s, epoch); left > 0 && status == SAHM_OK;) {
		status = next_batch(p, left, err);
		left -= p->batch->nr_instructions;
		/* An index that promises more than there is has been refused by stream_next(). */
		if (p->batch->nr_instructions == 0)
			break;
		if (p->nr_read >= p->next_progress && p->observer->progress) {
			p->next_progress = p->nr_read + PROGRESS_INSTRUCTIONS;
			p->observer->progress(p->observer->ctx, p->nr_read);
		}
	}
	return status == SAHM_OK ? end_epoch(p, epoch, err) : status;
}

enum sahm_status core_run(struct stream *s, const struct core_model *model, const struct stream_sampling *sampling,
			  const struct core_observer *observer, struct core_counts *out, struct sahm_err *err)
{
	static const struct core_observer nobody = {0};
	struct core_pass p = {.s = s, .sampling = sampling, .observer = observer ? observer : &nobody};
	enum sahm_status status = SAHM_OK;
	p.functional = functional_pass_new(&model->geometry, err);
	p.timing = timing_new(&model->timing);
	p.batch = malloc(sizeof(*p.batch));
	if (p.observer->batch)
		p.stamps = malloc(BATCH_UOPS * sizeof(*p.stamps));
	if (!p.functional || !p.timing || !p.batch || (p.observer->batch && !p.stamps))
		status = sahm_fail_nomem(err);
	for (uint64_t i = 0; i < stream_nr_epochs(s) && status == SAHM_OK; i++)
		status = run_epoch(&p, i, err);
	if (status == SAHM_OK) {
		counts_so_far(&p, out);
		status = report_pending(&p, out->timing.stalls[STALL_END], err);
	}
	functional_pass_free(p.functional);
	timing_free(p.timing);
	free(p.batch);
	free(p.stamps);
	return status;
}
