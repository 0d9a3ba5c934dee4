/* Submitting what is left of a plan. */
#include <stdlib.h>
#include <string.h>

#include <sodium/randombytes.h>

#include "sim/base/clock.h"
#include "sim/queue/sweep_remote_internal.h"

/* The submission of this part that was made before; its id is "" where there is none. */
static enum sahm_status find_known(struct store *store, const struct store_part *part, struct store_submission *note,
				   struct sahm_err *err)
{
	struct store_submission *known;
	size_t nr;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = store_submissions(store, &a, &known, &nr, err);
	*note = (struct store_submission){.part = *part};
	for (size_t i = 0; status == SAHM_OK && i < nr && !*note->id; i++)
		if (known[i].part.sweep == part->sweep && known[i].part.index == part->index &&
		    known[i].part.nr == part->nr && known[i].part.threads == part->threads)
			memcpy(note->id, known[i].id, sizeof(note->id));
	arena_release(&a);
	return status;
}

enum sahm_status sweep_is_submitted(const struct sweep_plan *plan, struct store *store, bool *is, struct sahm_err *err)
{
	struct store_submission note;
	enum sahm_status status = find_known(store, &plan->part, &note, err);
	*is = status == SAHM_OK && *note.id;
	return status;
}

/* That, or a new one. */
static enum sahm_status find_note(struct store *store, const struct store_part *part, struct store_submission *note,
				  struct sahm_err *err)
{
	uint8_t id[(SUBMISSION_BYTES - 1) / 2];
	enum sahm_status status = find_known(store, part, note, err);
	if (status != SAHM_OK || *note->id)
		return status;
	randombytes_buf(id, sizeof(id));
	for (size_t i = 0; i < sizeof(id); i++)
		snprintf(note->id + 2 * i, 3, "%02x", id[i]);
	status = store_note_submission(store, note, err);
	/* Before anything of it is elsewhere. */
	return status == SAHM_OK ? store_commit(store, err) : status;
}

/* The next runs that are left, after *after. */
static enum sahm_status list_runs(struct store *store, const struct store_part *part, const uint8_t bundle[HASH_BYTES],
				  int64_t *after, struct queue_run *runs, size_t *nr, struct sahm_err *err)
{
	struct store_job jobs[MAX_ENQUEUE];
	enum sahm_status status = store_jobs(store, part, *after, jobs, MAX_ENQUEUE, nr, err);
	for (size_t i = 0; i < *nr && status == SAHM_OK; i++) {
		status = store_run_hash(store, jobs[i].run, runs[i].hash, err);
		memcpy(runs[i].bundle, bundle, HASH_BYTES);
		runs[i].position = jobs[i].position;
		*after = jobs[i].run;
	}
	return status;
}

static enum sahm_status enqueue_all(const struct sweep_submission *s, struct store *store, struct queue *queue,
				    bool force, bool (*go_on)(void *ctx), void *ctx, uint64_t *added,
				    struct sahm_err *err)
{
	struct queue_run runs[MAX_ENQUEUE];
	int64_t after = 0;
	size_t nr = 0;
	enum sahm_status status;
	*added = 0;
	do {
		uint64_t some = 0;
		status = list_runs(store, &s->note.part, s->bundle.hash, &after, runs, &nr, err);
		if (status == SAHM_OK && nr > 0)
			status = queue_enqueue(queue, s->note.id, s->bundle.program, runs, nr, force, &some, err);
		*added += some;
	} while (status == SAHM_OK && nr > 0 && go_on(ctx));
	return status;
}

enum sahm_status submission_put(const struct sweep_submission *s, struct store *store, struct queue *queue, bool force,
				bool (*go_on)(void *ctx), void *ctx, uint64_t *added, struct sahm_err *err)
{
	*added = 0;
	enum sahm_status status = queue_submit(queue, s->note.id, &s->bundle, s->nr_runs, err);
	if (status == SAHM_OK)
		status = queue_send_files(queue, &s->bundle, err);
	return status == SAHM_OK ? enqueue_all(s, store, queue, force, go_on, ctx, added, err) : status;
}

static bool go_on(void *ctx)
{
	struct submitting *s = ctx;
	const struct sweep_progress progress = {
		.total = s->nr_runs, .remote = true, .elapsed_ns = clock_ns(CLOCK_MONOTONIC) - s->started_ns};
	s->interrupted |= s->progress && !s->progress(s->ctx, &progress);
	return !s->interrupted;
}

enum sahm_status sweep_submit(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
			      const struct sweep_plan *plan, struct queue *queue, struct sweep_submission *submission,
			      bool *interrupted, struct sahm_err *err)
{
	struct submitting s = {.progress = options->progress,
			       .ctx = options->ctx,
			       .nr_runs = sweep_nr_left(plan),
			       .started_ns = clock_ns(CLOCK_MONOTONIC)};
	uint64_t added;
	*interrupted = false;
	*submission = (struct sweep_submission){.nr_runs = sweep_nr_left(plan)};
	enum sahm_status status =
		bundle_make(&submission->bundle, sweep, options->timeout_s, options->memory_bytes, err);
	if (status != SAHM_OK)
		return status;
	status = find_note(store, &plan->part, &submission->note, err);
	while (status == SAHM_OK) {
		status = submission_put(submission, store, queue, false, go_on, &s, &added, err);
		if (status != SAHM_IO || redis_link_is_up(queue->link))
			break;
		status = redis_link_wait(queue->link, go_on, &s, err);
		/* Sends only what was not sent before. */
		if (s.interrupted)
			status = SAHM_OK;
		if (s.interrupted)
			break;
	}
	*interrupted = s.interrupted;
	if (status != SAHM_OK)
		sweep_submission_release(submission);
	return status;
}

void sweep_submission_release(struct sweep_submission *submission)
{
	bundle_release(&submission->bundle);
	*submission = (struct sweep_submission){0};
}
