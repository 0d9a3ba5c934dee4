/* Runs on their way into a worker: how many, which, and their bundles, which are fetched, checked and placed on disk.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/engine/model.h"
#include "sim/queue/queue_worker_internal.h"
#include "sim/queue/transfer.h"

/* Work that should be in hand for each process: more is taken when half of it is done, which is a second's and more. */
#define TARGET_NS (2 * NS_PER_S)
/* How often this number is computed again. */
#define ADAPT_NS (100 * NS_PER_MS)
/* How soon one asks again where there was nothing, and for what others have left. */
#define EMPTY_NS (50 * NS_PER_MS)
#define RECLAIM_NS NS_PER_S
/* How long one leaves runs to others when some could not be done here. */
#define REFUSED_NS (2 * NS_PER_S)
#define MAX_REST_NS (60 * NS_PER_S)
/* How long one does not ask again for a bundle that cannot be had. */
#define BAD_NS NS_PER_S

static bool find_bundle(const struct working *w, const uint8_t hash[HASH_BYTES], uint32_t *slot)
{
	for (uint32_t i = 0; i < MAX_SLOTS; i++)
		if (w->slots[i].generation && memcmp(w->slots[i].hash, hash, HASH_BYTES) == 0) {
			*slot = i;
			return true;
		}
	return false;
}

/* The place that has been of no use for longest; false: all are in use. */
static bool find_place(const struct working *w, uint32_t *slot)
{
	bool found = false;
	for (uint32_t i = 0; i < MAX_SLOTS; i++)
		if (w->used[i] == 0 && (!found || w->touched[i] < w->touched[*slot])) {
			*slot = i;
			found = true;
		}
	return found;
}

static enum sahm_status check_program(const struct working *w, const struct bundle *b, struct sahm_err *err)
{
	if (w->options->any_program || strcmp(b->program, model_version()) == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_CONFIG, "it was planned by program '%s', this is '%s'", b->program, model_version());
}

/* Files can be large, and lines slow. */
static bool go_on(void *ctx)
{
	struct working *w = ctx;
	working_beat(w);
	return working_stop(w) == WORKER_GO_ON;
}

static enum sahm_status fetch_files(struct working *w, const struct bundle *b, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < b->nr_files && status == SAHM_OK; i++) {
		const struct bundle_file *f = &b->files[i];
		if (f->kind == BUNDLE_PLUGIN || file_cache_has(w->cache, f->hash, f->bytes))
			continue;
		status =
			transfer_fetch_file(w->queue.link, w->queue.prefix, w->cache, f->hash, f->bytes, go_on, w, err);
	}
	return status;
}

/* A bundle can ask for less than the worker allows, never for more. 0 is any. Whether the result is the worker's. */
static bool take_limit(uint64_t asked, uint64_t own, uint64_t *limit)
{
	bool is_own = own && (!asked || asked > own);
	*limit = is_own ? own : asked;
	return is_own;
}

static void set_limits(struct working *w, const struct bundle *b, uint32_t at)
{
	uint64_t timeout_s;
	w->is_own_timeout[at] = take_limit(b->timeout_s, w->options->timeout_s, &timeout_s);
	w->is_own_memory[at] = take_limit(b->memory_bytes, w->options->memory_bytes, &w->slots[at].memory_bytes);
	w->timeout_s[at] = (unsigned)timeout_s;
}

static enum sahm_status place_bundle(struct working *w, const struct bundle *b, uint32_t at, struct sahm_err *err)
{
	struct textbuf folder;
	textbuf_init(&folder);
	enum sahm_status status = file_cache_place(w->cache, b, &folder, err);
	if (status == SAHM_OK && textbuf_failed(&folder))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK && folder.len >= sizeof(w->slots[at].folder))
		status = sahm_fail(err, SAHM_RANGE, "the name of the cache's folder is too long");
	if (status == SAHM_OK) {
		struct slot *s = &w->slots[at];
		memcpy(s->folder, folder.text, folder.len + 1);
		memcpy(s->hash, b->hash, HASH_BYTES);
		s->generation++;
		set_limits(w, b, at);
	}
	textbuf_release(&folder);
	return status;
}

/* Fetches the bundle and all that it needs into the place `at`. */
static enum sahm_status fetch_bundle(struct working *w, const uint8_t hash[HASH_BYTES], uint32_t at,
				     struct sahm_err *err)
{
	struct bundle b;
	char *text = NULL;
	size_t len;
	enum sahm_status status =
		transfer_fetch(w->queue.link, w->queue.prefix, hash, MAX_BUNDLE_BYTES, &text, &len, err);
	if (status == SAHM_OK)
		status = bundle_read(&b, text, len, hash, err);
	free(text);
	if (status != SAHM_OK)
		return status;
	status = check_program(w, &b, err);
	if (status == SAHM_OK)
		status = fetch_files(w, &b, err);
	if (status == SAHM_OK)
		status = place_bundle(w, &b, at, err);
	bundle_release(&b);
	return status;
}

/* The place of the bundle, which is fetched where it is not at hand, with all its files. SAHM_IO, and the connection is
 * lost: later; anything else: it cannot be had here. */
static enum sahm_status find_slot(struct working *w, const struct queue_run *run, uint32_t *slot, struct sahm_err *err)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool found = find_bundle(w, run->bundle, slot);
	if (!found && now < w->bad_ns && memcmp(run->bundle, w->bad_hash, HASH_BYTES) == 0)
		return sahm_fail(err, w->bad.status, "%s", w->bad.msg);
	if (!found && !find_place(w, slot))
		return sahm_fail(err, SAHM_RANGE, "runs of more than %u sweeps at a time", MAX_SLOTS);
	w->touched[*slot] = w->nr_takes;
	enum sahm_status status = found ? SAHM_OK : fetch_bundle(w, run->bundle, *slot, &w->bad);
	if (status == SAHM_OK)
		return SAHM_OK;
	/* Of the many runs that a bundle has each would ask again. */
	memcpy(w->bad_hash, run->bundle, HASH_BYTES);
	w->bad_ns = redis_link_is_up(w->queue.link) ? now + BAD_NS : 0;
	return sahm_fail(err, status, "%s", w->bad.msg);
}

/* What was answered since shows how many runs the processes do in TARGET_NS. */
static void adapt_batch_size(struct working *w)
{
	uint64_t now = working_now_ns(), elapsed = now - w->mark_ns;
	if (elapsed < ADAPT_NS || w->nr_marked == 0)
		return;
	uint64_t mean = elapsed * w->options->nr_processes / w->nr_marked, nr = w->options->nr_processes;
	w->mean_ns = w->mean_ns ? (3 * w->mean_ns + mean) / 4 : mean;
	uint64_t fit = nr * TARGET_NS / (w->mean_ns + 1), least = 2 * nr, most = 2 * (uint64_t)w->target;
	fit = fit > most ? most : fit;
	w->target = (size_t)(fit < least ? least : fit > 2 * MAX_TAKE ? 2 * MAX_TAKE : fit);
	w->mark_ns = now;
	w->nr_marked = 0;
}

/* A delivery that came to nothing; without a connection it is found out by the claim's end. */
void working_fail_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why)
{
	char text[SAHM_ERR_BYTES + 160], hex[HASH_HEX_BYTES];
	struct sahm_err err;
	hash_hex(job->run.hash, hex);
	snprintf(text, sizeof(text), "run %.12s, delivery %u of %u: %.900s", hex, job->deliveries, QUEUE_TRIES, why);
	working_report(w, text);
	w->outcome->failed++;
	if (queue_fail_job(&w->queue, w->name, w->streams[stream].program, job, why, &err) != SAHM_OK)
		working_note_failure(w, &err);
}

/* A run that cannot be done here goes to those who may be able to, as if it had never come; where nobody is, it is a
 * delivery that came to nothing. Otherwise one worker that lacks something would spend all tries of all runs, since
 * nobody is as quick as who does nothing. */
void working_refuse_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why)
{
	const char *program = w->streams[stream].program;
	uint64_t nr_able = 0;
	struct sahm_err err;
	if (queue_note_unable(&w->queue, w->name, program, job->run.bundle, &nr_able, &err) != SAHM_OK) {
		working_note_failure(w, &err);
		return;
	}
	if (nr_able == 0) {
		working_fail_job(w, stream, job, why);
		return;
	}
	sahm_fail(&err, SAHM_OK, "runs are left to %llu other worker%s: %.800s", (unsigned long long)nr_able,
		  nr_able == 1 ? "" : "s", why);
	working_report_failure(w, &err);
	if (queue_hand_back(&w->queue, w->name, program, &job, 1, &err) != SAHM_OK)
		working_note_failure(w, &err);
	w->outcome->handed_back++;
	w->refused_ns = working_now_ns() + REFUSED_NS;
}

/* Whether a run that was left by somebody had been left by this worker, which was late: then it has it already. */
static bool is_in_hand(struct working *w, uint32_t stream, const struct queue_job *job)
{
	for (uint32_t i = 0; i < MAX_HELD && job->deliveries > 1; i++) {
		struct held *h = &w->held[i];
		if (h->state == HELD_FREE || h->stream != stream || strcmp(h->job.id, job->id) != 0)
			continue;
		h->job.deliveries = job->deliveries;
		h->lost = false;
		return true;
	}
	return false;
}

/* What is not in hand yet goes back. */
static void hand_back_rest(struct working *w, const char *program)
{
	struct sahm_err err;
	for (size_t i = 0; i < w->nr_admitting; i++)
		w->listed[i] = &w->admitting[i];
	if (queue_hand_back(&w->queue, w->name, program, w->listed, w->nr_admitting, &err) != SAHM_OK)
		working_note_failure(w, &err);
	w->outcome->handed_back += w->nr_admitting;
	w->nr_admitting = 0;
}

/* Something is wrong with this machine, which may pass: no run should lose a try by it. The longer it lasts, the less
 * often one looks; runs that were in hand already and fail during a rest do not make it longer. */
static void rest(struct working *w, const struct sahm_err *why)
{
	uint64_t now = working_now_ns();
	working_report_failure(w, why);
	if (w->rest_ns && now < w->refused_ns)
		return;
	w->rest_ns = w->rest_ns ? 2 * w->rest_ns : REFUSED_NS;
	w->rest_ns = w->rest_ns > MAX_REST_NS ? MAX_REST_NS : w->rest_ns;
	w->refused_ns = now + w->rest_ns;
}

/* The disk fails, or memory is short. */
static void rest_from_machine(struct working *w, const char *program, const struct sahm_err *why)
{
	struct sahm_err err;
	rest(w, why);
	hand_back_rest(w, program);
	file_cache_reopen(w->cache, &err);
	w->bad_ns = 0;
}

void working_return_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why)
{
	struct sahm_err err;
	sahm_fail(&err, SAHM_IO, "runs go back to the queue: %.900s", why);
	rest(w, &err);
	if (queue_hand_back(&w->queue, w->name, w->streams[stream].program, &job, 1, &err) != SAHM_OK)
		working_note_failure(w, &err);
	w->outcome->handed_back++;
}

void working_admit(struct working *w, uint32_t stream, struct queue_job *jobs, size_t nr, bool left)
{
	w->nr_takes++;
	w->found |= nr > 0;
	if (nr > 0)
		w->worked_ns = working_now_ns();
	w->admitting = jobs;
	w->nr_admitting = nr;
	w->admitting_stream = stream;
	for (; w->nr_admitting > 0; w->admitting++, w->nr_admitting--) {
		const struct queue_job *job = w->admitting;
		struct sahm_err err;
		uint32_t slot = 0;
		if (is_in_hand(w, stream, job))
			continue;
		enum sahm_status status = find_slot(w, &job->run, &slot, &err);
		bool is_up = redis_link_is_up(w->queue.link);
		if (status != SAHM_OK && is_up && working_stop(w) != WORKER_GO_ON) {
			hand_back_rest(w, w->streams[stream].program);
			return;
		}
		if (sahm_is_environment(status) && is_up) {
			rest_from_machine(w, w->streams[stream].program, &err);
			return;
		}
		if (job->deliveries == 0)
			continue;
		if (status == SAHM_OK)
			hold_add(w, stream, slot, job, left);
		else if (is_up)
			working_refuse_job(w, stream, job, err.msg);
		else
			working_note_failure(w, &err);
	}
}

/* Asks for runs, as many as should be in hand, of the stream. */
static void take_from(struct working *w, uint32_t stream, enum queue_answer *answer)
{
	struct queue_taking *t = &w->streams[stream].taking;
	size_t to_do = hold_to_do(w), want = w->target > to_do ? w->target - to_do : 1, nr;
	struct sahm_err err;
	t->least = w->options->nr_processes;
	t->want = want < t->least ? t->least : want > MAX_TAKE ? MAX_TAKE : want;
	t->least = t->least > MAX_TAKE ? MAX_TAKE : t->least;
	t->reclaim = working_now_ns() >= w->reclaim_ns;
	*answer = QUEUE_JOBS;
	if (!hold_has_room(w, MAX_TAKE))
		return;
	enum sahm_status status = queue_take(&w->queue, t, w->taken, &nr, answer, &err);
	if (status != SAHM_OK) {
		working_note_failure(w, &err);
		return;
	}
	/* Where something was left there may be more. */
	if (t->reclaim && t->nr_left == 0 && stream + 1 == w->nr_streams)
		w->reclaim_ns = working_now_ns() + RECLAIM_NS;
	working_admit(w, stream, w->taken, nr, t->nr_left > 0);
}

static void report_refusal(struct working *w, enum queue_answer answer)
{
	struct sahm_err err;
	if (answer == QUEUE_DRAINED)
		sahm_fail(&err, SAHM_OK,
			  "the queue is being drained: nothing is handed out until `sahm queue drain --off`");
	else if (answer == QUEUE_FULL)
		sahm_fail(&err, SAHM_OK,
			  "results of %lld MB wait to be collected, and nothing is handed out until then: `sahm queue "
			  "status` says whose they are, `sahm queue purge --submission ID` removes what nobody wants",
			  (long long)QUEUE_MAX_RESULT_BYTES >> 20);
	else
		return;
	working_note_failure(w, &err);
}

/* Sees to it that there is enough in hand. */
void working_refill(struct working *w)
{
	uint64_t now = working_now_ns();
	enum queue_answer answer = QUEUE_JOBS;
	adapt_batch_size(w);
	if (w->stopping || working_is_paused(w) || 2 * w->nr_waiting > w->target || now < w->take_ns ||
	    now < w->refused_ns || !working_has_link(w))
		return;
	size_t before = w->nr_held;
	w->found = false;
	for (uint32_t s = 0; s < w->nr_streams && w->nr_held == before && answer == QUEUE_JOBS; s++)
		take_from(w, s, &answer);
	report_refusal(w, answer);
	if (!w->found)
		w->take_ns = working_now_ns() + EMPTY_NS;
}
