/* A worker's life: runs in hand, results out, claims renewed; and its end. */
#include "sim/sweep/queue_worker.h"

#include <stddef.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sodium/randombytes.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/engine/model.h"
#include "sim/sweep/queue_internal.h"
#include "sim/sweep/queue_worker_internal.h"

/* Work that should be in hand for each process: more is taken when half of it is done, which is a second's and more. */
#define TARGET_NS (2 * NS_PER_S)
/* How often one thinks anew how much that is. */
#define THINK_NS (100 * NS_PER_MS)
/* How long a result waits for others to go with it, and with how many bytes of them it goes at once. */
#define FLUSH_NS (100 * NS_PER_MS)
#define FLUSH_BYTES ((size_t)256 << 10)
/* Longest record that goes through. */
#define MAX_RECORD_BYTES ((size_t)16 << 20)
/* How soon one asks again where there was nothing, where something failed, and for what others have left. */
#define EMPTY_NS (50 * NS_PER_MS)
#define FAILED_NS NS_PER_S
#define RECLAIM_NS NS_PER_S
/* How long one leaves runs to others when some could not be done here. */
#define REFUSED_NS (2 * NS_PER_S)
/* How long one waits for a new run in one go, and sleeps where one cannot ask. */
#define WAIT_MS 500u
#define SLEEP_NS (100 * NS_PER_MS)
/* How often at least one tells how far one is. */
#define SHOW_NS (2 * NS_PER_S)
/* How often one says that others' runs wait. */
#define TELL_NS (60 * NS_PER_S)

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void say(struct working *w, const char *text)
{
	if (w->options->say)
		w->options->say(w->options->ctx, text);
}

/* What fails again and again for the same reason is told once. */
static void say_failure(struct working *w, const struct sahm_err *err)
{
	if (w->said.status == err->status && strcmp(w->said.msg, err->msg) == 0)
		return;
	w->said = *err;
	say(w, err->msg);
}

/* After a failure one waits a little with everything but what is under way. */
static void note_failure(struct working *w, const struct sahm_err *err)
{
	say_failure(w, err);
	w->pause_ns = now_ns() + (redis_link_is_up(w->queue.link) ? FAILED_NS : EMPTY_NS);
}

static bool is_paused(const struct working *w)
{
	return now_ns() < w->pause_ns;
}

/* Tries to have a connection; tells of what changes. */
static bool has_link(struct working *w)
{
	struct sahm_err err;
	bool up = redis_link_try(w->queue.link, &err) == SAHM_OK;
	if (!up && w->was_up)
		say_failure(w, &err);
	if (up && !w->was_up) {
		char text[256];
		snprintf(text, sizeof(text), "connected to redis at '%.160s' again", redis_link_name(w->queue.link));
		say(w, text);
		w->said = (struct sahm_err){0};
		/* Others may not have been able to renew their claims either: they come first. */
		w->beat_ns = 0;
		w->reclaim_ns = now_ns() + w->queue.claim_ms * NS_PER_MS;
	}
	w->was_up = up;
	return up;
}

static void drop_outgoing(struct working *w)
{
	struct outgoing *o = w->first_out;
	w->first_out = o->next;
	if (!w->first_out)
		w->last_out = NULL;
	textbuf_release(&o->results.hashes);
	textbuf_release(&o->results.records);
	free(o);
}

/* The table's place of a job that it holds. */
static uint32_t place_of(const struct working *w, const struct queue_job *job)
{
	return (uint32_t)((const struct held *)(const void *)job - w->held);
}
_Static_assert(offsetof(struct held, job) == 0, "a held run is found by its job");

/* Sends results that are ripe, or all. False: they have to wait. */
static bool flush(struct working *w, bool all)
{
	while (w->first_out) {
		struct outgoing *o = w->first_out;
		const struct queue_results *r = &o->results;
		bool full = o != w->last_out || r->nr == MAX_RESULT_RUNS || r->records.len >= FLUSH_BYTES;
		struct sahm_err err;
		if (!all && !full && now_ns() - o->since_ns < FLUSH_NS)
			return true;
		if (now_ns() < w->retry_out_ns || !has_link(w))
			return false;
		enum sahm_status status = queue_put_results(&w->queue, w->name, w->streams[o->stream].program, r, &err);
		if (status != SAHM_OK) {
			note_failure(w, &err);
			w->retry_out_ns = w->pause_ns;
			return false;
		}
		for (size_t i = 0; i < r->nr; i++)
			hold_drop(w, place_of(w, r->jobs[i]));
		drop_outgoing(w);
	}
	return true;
}

/* Puts the record of a run in hand among those that go out. */
static bool put_out(struct working *w, uint32_t held, const char *record, size_t len)
{
	struct held *h = &w->held[held];
	struct outgoing *o = w->last_out;
	if (!o || o->stream != h->stream || o->results.nr == MAX_RESULT_RUNS || o->results.records.len >= FLUSH_BYTES) {
		o = calloc(1, sizeof(*o));
		if (!o)
			return false;
		textbuf_init(&o->results.hashes);
		textbuf_init(&o->results.records);
		o->stream = h->stream;
		o->since_ns = now_ns();
		if (w->last_out)
			w->last_out->next = o;
		else
			w->first_out = o;
		w->last_out = o;
	}
	struct queue_results *r = &o->results;
	const char length[4] = {(char)(len & 0xff), (char)(len >> 8 & 0xff), (char)(len >> 16 & 0xff),
				(char)(len >> 24 & 0xff)};
	textbuf_add(&r->hashes, (const char *)h->job.run.hash, HASH_BYTES);
	textbuf_add(&r->records, length, sizeof(length));
	textbuf_add(&r->records, record, len);
	r->jobs[r->nr++] = &h->job;
	h->state = HELD_ANSWERED;
	return !textbuf_failed(&r->hashes) && !textbuf_failed(&r->records);
}

void worker_beat(struct working *w)
{
	uint64_t now = now_ns();
	if (now < w->beat_ns || !redis_link_is_up(w->queue.link))
		return;
	/* Three times within a claim, so that two can be late; and people look at how it goes. */
	uint64_t pause = w->queue.claim_ms * NS_PER_MS / 3;
	w->beat_ns = now + (pause < SHOW_NS ? pause : SHOW_NS);
	w->vitals.done = w->outcome->done;
	w->vitals.failed = w->outcome->failed;
	w->vitals.held = w->nr_held;
	for (uint32_t s = 0; s < w->nr_streams; s++) {
		struct sahm_err err;
		size_t nr = hold_list(w, s, false);
		if (nr == 0 && s > 0)
			continue;
		if (queue_beat(&w->queue, w->name, w->streams[s].program, &w->vitals, w->listed, nr, w->lost, &err) !=
		    SAHM_OK) {
			note_failure(w, &err);
			return;
		}
		for (size_t i = 0; i < nr; i++)
			w->held[place_of(w, w->listed[i])].lost |= w->lost[i];
	}
}

/* What was answered since shows how many runs the processes do in TARGET_NS. */
static void think(struct working *w)
{
	uint64_t now = now_ns(), elapsed = now - w->mark_ns;
	if (elapsed < THINK_NS || w->nr_marked == 0)
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
static void fail_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why)
{
	char text[SAHM_ERR_BYTES + 160], hex[HASH_HEX_BYTES];
	struct sahm_err err;
	hash_hex(job->run.hash, hex);
	snprintf(text, sizeof(text), "run %.12s, delivery %u of %u: %.900s", hex, job->deliveries, QUEUE_TRIES, why);
	say(w, text);
	w->outcome->failed++;
	if (queue_fail_job(&w->queue, w->name, w->streams[stream].program, job, why, &err) != SAHM_OK)
		note_failure(w, &err);
}

/* A run that cannot be done here goes to those who may be able to, as if it had never come; where nobody is, it is a
 * delivery that came to nothing. Otherwise one worker that lacks something would spend all tries of all runs, since
 * nobody is as quick as who does nothing. */
static void refuse_job(struct working *w, uint32_t stream, const struct queue_job *job, const char *why)
{
	const char *program = w->streams[stream].program;
	uint64_t nr_able = 0;
	struct sahm_err err;
	if (queue_note_unable(&w->queue, w->name, program, job->run.bundle, &nr_able, &err) != SAHM_OK) {
		note_failure(w, &err);
		return;
	}
	if (nr_able == 0) {
		fail_job(w, stream, job, why);
		return;
	}
	sahm_fail(&err, SAHM_OK, "runs are left to %llu other worker%s: %.800s", (unsigned long long)nr_able,
		  nr_able == 1 ? "" : "s", why);
	say_failure(w, &err);
	if (queue_hand_back(&w->queue, w->name, program, &job, 1, &err) != SAHM_OK)
		note_failure(w, &err);
	w->outcome->handed_back++;
	w->refused_ns = now_ns() + REFUSED_NS;
}

/* Whether a run that was left by somebody had been left by this worker, which was late: then it has it already. */
static bool is_in_hand(struct working *w, const struct queue_job *job)
{
	for (uint32_t i = 0; i < MAX_HELD && job->deliveries > 1; i++) {
		struct held *h = &w->held[i];
		if (h->state == HELD_FREE || strcmp(h->job.id, job->id) != 0)
			continue;
		h->job.deliveries = job->deliveries;
		h->lost = false;
		return true;
	}
	return false;
}

/* Takes jobs in hand for which all is there. */
static void admit(struct working *w, uint32_t stream, const struct queue_job *jobs, size_t nr)
{
	w->nr_takes++;
	w->found |= nr > 0;
	if (nr > 0)
		w->worked_ns = now_ns();
	for (size_t i = 0; i < nr; i++) {
		struct sahm_err err;
		uint32_t slot;
		if (is_in_hand(w, &jobs[i]))
			continue;
		enum sahm_status status = worker_find_slot(w, &jobs[i].run, &slot, &err);
		if (status == SAHM_OK)
			hold_add(w, stream, slot, &jobs[i]);
		else if (redis_link_is_up(w->queue.link))
			refuse_job(w, stream, &jobs[i], err.msg);
		else
			note_failure(w, &err);
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
	t->reclaim = now_ns() >= w->reclaim_ns;
	*answer = QUEUE_JOBS;
	if (!hold_has_room(w, MAX_TAKE))
		return;
	enum sahm_status status = queue_take(&w->queue, t, w->taken, &nr, answer, &err);
	if (status != SAHM_OK) {
		note_failure(w, &err);
		return;
	}
	/* Where something was left there may be more. */
	if (t->reclaim && t->nr_left == 0 && stream + 1 == w->nr_streams)
		w->reclaim_ns = now_ns() + RECLAIM_NS;
	admit(w, stream, w->taken, nr);
}

static void tell_answer(struct working *w, enum queue_answer answer)
{
	struct sahm_err err;
	if (answer == QUEUE_DRAINED)
		sahm_fail(&err, SAHM_OK,
			  "the queue is being drained: nothing is handed out until `sahm queue drain --off`");
	else if (answer == QUEUE_FULL)
		sahm_fail(&err, SAHM_OK, "results of %lld MB wait to be collected: nothing is handed out until then",
			  (long long)QUEUE_MAX_RESULT_BYTES >> 20);
	else
		return;
	note_failure(w, &err);
}

/* Sees to it that there is enough in hand. */
static void refill(struct working *w)
{
	uint64_t now = now_ns();
	enum queue_answer answer = QUEUE_JOBS;
	think(w);
	if (w->stopping || is_paused(w) || 2 * w->nr_waiting > w->target || now < w->take_ns || now < w->refused_ns ||
	    !has_link(w))
		return;
	size_t before = w->nr_held;
	w->found = false;
	for (uint32_t s = 0; s < w->nr_streams && w->nr_held == before && answer == QUEUE_JOBS; s++)
		take_from(w, s, &answer);
	tell_answer(w, answer);
	if (!w->found)
		w->take_ns = now_ns() + EMPTY_NS;
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct working *w = ctx;
	size_t nr = 0;
	refill(w);
	while (nr < room && !w->stopping) {
		uint32_t i = hold_next(w);
		if (i == NONE_HELD)
			break;
		const struct held *h = &w->held[i];
		/* Others do it by now. */
		if (h->lost)
			hold_drop(w, i);
		else
			jobs[nr++] = JOB_OF(i, h->slot, h->job.run.position);
	}
	return nr;
}

static unsigned timeout_of(void *ctx, uint64_t job)
{
	const struct working *w = ctx;
	return w->timeout_s[SLOT_OF(job)];
}

/* What was run has to be what was asked for; of another program's runs that cannot be said. */
static bool is_the_run(const struct working *w, const struct held *h, const uint8_t *hash)
{
	return memcmp(hash, h->job.run.hash, HASH_BYTES) == 0 ||
	       strcmp(w->streams[h->stream].program, model_version()) != 0;
}

static enum sahm_status take_answer(struct working *w, uint32_t held, const char *answer, size_t len,
				    struct sahm_err *err)
{
	static const uint8_t unresolved[HASH_BYTES];
	struct held *h = &w->held[held];
	const char *why = NULL;
	struct record record;
	struct arena a;
	arena_init(&a);
	if (memcmp(answer, unresolved, HASH_BYTES) == 0)
		why = record_decode(&a, answer + HASH_BYTES, len - HASH_BYTES, &record, err) == SAHM_OK
			      ? record.message
			      : "it cannot be resolved";
	else if (!is_the_run(w, h, (const uint8_t *)answer))
		why = "it resolves to another run here than where it was planned";
	else if (len - HASH_BYTES > MAX_RECORD_BYTES)
		why = "its result is too large to travel";
	enum sahm_status status = SAHM_OK;
	if (why) {
		refuse_job(w, h->stream, &h->job, why);
		hold_drop(w, held);
	} else {
		w->outcome->done++;
		if (!put_out(w, held, answer + HASH_BYTES, len - HASH_BYTES))
			status = sahm_fail_nomem(err);
	}
	arena_release(&a);
	return status;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct working *w = ctx;
	w->nr_marked++;
	w->worked_ns = now_ns();
	enum sahm_status status = take_answer(w, HELD_OF(job), answer, len, err);
	if (status == SAHM_OK)
		flush(w, false);
	return status;
}

static enum sahm_status lose(void *ctx, uint64_t job, const char *why, struct sahm_err *err)
{
	struct working *w = ctx;
	uint32_t held = HELD_OF(job);
	(void)err;
	w->worked_ns = now_ns();
	fail_job(w, w->held[held].stream, &w->held[held].job, why);
	hold_drop(w, held);
	return SAHM_OK;
}

/* Hands back what is in hand: what waits, or, when nothing is under way any more, all that has no result. */
static void hand_back(struct working *w, bool waiting_alone)
{
	for (uint32_t s = 0; s < w->nr_streams; s++) {
		struct sahm_err err;
		size_t nr = hold_list(w, s, waiting_alone), kept = 0;
		for (size_t i = 0; i < nr; i++)
			if (w->held[place_of(w, w->listed[i])].state != HELD_ANSWERED)
				w->listed[kept++] = w->listed[i];
		/* In pieces, as the server's stack allows. */
		for (size_t i = 0; i < kept; i += MAX_TAKE) {
			size_t some = kept - i < MAX_TAKE ? kept - i : MAX_TAKE;
			if (queue_hand_back(&w->queue, w->name, w->streams[s].program, w->listed + i, some, &err) !=
			    SAHM_OK) {
				say_failure(w, &err);
				return;
			}
			w->outcome->handed_back += some;
		}
	}
	if (!waiting_alone)
		return;
	for (uint32_t i; (i = hold_next(w)) != NONE_HELD;)
		hold_drop(w, i);
}

/* Looks whether it is to end. False: at once. */
static bool look_for_stop(struct working *w)
{
	enum worker_stop stop = w->options->stop ? w->options->stop(w->options->ctx) : WORKER_GO_ON;
	if (stop == WORKER_GO_ON)
		return true;
	if (!w->stopping) {
		w->stopping = true;
		w->stopped_ns = now_ns();
		if (has_link(w))
			hand_back(w, true);
	}
	return stop != WORKER_DROP && now_ns() - w->stopped_ns < w->options->grace_s * NS_PER_S;
}

static bool tick(void *ctx)
{
	struct working *w = ctx;
	if (!look_for_stop(w))
		return false;
	if (!is_paused(w) && has_link(w))
		worker_beat(w);
	flush(w, false);
	return true;
}

static void nap(void)
{
	const struct timespec t = {0, (long)SLEEP_NS};
	nanosleep(&t, NULL);
}

/* Runs of other programs that wait; *ours has any. */
static enum sahm_status look_at_others(struct working *w, uint64_t *nr_theirs, const char **whose, bool *ours,
				       struct arena *a, struct sahm_err *err)
{
	const char **programs;
	size_t nr;
	*nr_theirs = 0;
	*ours = false;
	enum sahm_status status = queue_programs(&w->queue, a, &programs, &nr, err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct queue_counts counts;
		status = queue_count(&w->queue, programs[i], &counts, err);
		if (status != SAHM_OK || counts.waiting + counts.claimed == 0)
			continue;
		if (strcmp(programs[i], model_version()) == 0) {
			*ours = true;
		} else {
			*nr_theirs += counts.waiting + counts.claimed;
			*whose = programs[i];
		}
	}
	return status;
}

static void add_stream(struct working *w, const char *program)
{
	if (w->nr_streams == MAX_STREAMS || strlen(program) >= sizeof(w->streams[0].program))
		return;
	for (uint32_t s = 0; s < w->nr_streams; s++)
		if (strcmp(w->streams[s].program, program) == 0)
			return;
	struct stream *s = &w->streams[w->nr_streams++];
	snprintf(s->program, sizeof(s->program), "%s", program);
	s->taking = (struct queue_taking){.worker = w->name, .program = s->program, .cursor = "0-0"};
}

/* Runs that this program does not take: it says so, or takes them where that is wanted. SAHM_CONFIG: there are no
 * others. */
static enum sahm_status mind_others(struct working *w, struct sahm_err *err)
{
	const char *whose = "";
	uint64_t nr = 0;
	bool ours = false;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = look_at_others(w, &nr, &whose, &ours, &a, err);
	if (status == SAHM_OK && nr > 0 && w->options->any_program) {
		const char **programs;
		size_t nr_programs;
		status = queue_programs(&w->queue, &a, &programs, &nr_programs, err);
		for (size_t i = 0; i < nr_programs && status == SAHM_OK; i++)
			add_stream(w, programs[i]);
	} else if (status == SAHM_OK && nr > 0) {
		struct sahm_err refusal;
		sahm_fail(
			&refusal, SAHM_CONFIG,
			"%llu runs in queue '%s' were planned by program '%.60s', this is '%s': it does not take them "
			"(--any-program: it does)",
			(unsigned long long)nr, w->queue.name, whose, model_version());
		if (ours || w->told_ns)
			say(w, refusal.msg);
		else
			status = sahm_fail(err, SAHM_CONFIG, "%s", refusal.msg);
	}
	w->told_ns = now_ns() + TELL_NS;
	arena_release(&a);
	return status;
}

static bool is_idle_for_long(const struct working *w)
{
	return w->options->idle_s && now_ns() - w->worked_ns > w->options->idle_s * NS_PER_S;
}

/* One look for work, without any under way. */
static void look_for_work(struct working *w)
{
	struct queue_job job;
	struct sahm_err err;
	size_t nr;
	refill(w);
	if (w->nr_waiting > 0 || w->stopping)
		return;
	bool can_ask = !is_paused(w) && now_ns() >= w->refused_ns && redis_link_is_up(w->queue.link);
	/* Where all that came failed at once there may be more. */
	if (can_ask && w->found)
		return;
	/* With several streams, or after a failure, one asks now and then. */
	if (!can_ask || w->nr_streams > 1) {
		nap();
		return;
	}
	enum sahm_status status = queue_wait(&w->queue, &w->streams[0].taking, WAIT_MS, &job, &nr, &err);
	if (status != SAHM_OK)
		note_failure(w, &err);
	else
		admit(w, 0, &job, nr);
	w->take_ns = 0;
}

static bool wait_for_work(void *ctx)
{
	struct working *w = ctx;
	struct sahm_err err;
	if (!look_for_stop(w))
		return false;
	bool sent = flush(w, true);
	if (w->stopping && sent)
		return false;
	if (is_idle_for_long(w) && sent && w->nr_waiting == 0)
		return false;
	if (!sent || !has_link(w)) {
		nap();
		return true;
	}
	worker_beat(w);
	if (now_ns() >= w->told_ns && mind_others(w, &err) != SAHM_OK)
		note_failure(w, &err);
	look_for_work(w);
	w->mark_ns = now_ns();
	w->nr_marked = 0;
	return true;
}

static const struct pool_ops ops = {
	.begin = process_begin,
	.work = process_work,
	.next = next,
	.take = take,
	.lost = lose,
	.tick = tick,
	.wait = wait_for_work,
	.timeout_s = timeout_of,
};

static void introduce(struct working *w)
{
	struct queue_vitals *v = &w->vitals;
	gethostname(v->host, sizeof(v->host) - 1);
	clean_text(v->host);
	snprintf(v->program, sizeof(v->program), "%s", model_version());
	v->pid = getpid();
	v->processes = w->options->nr_processes;
	v->started_unix_ms = (int64_t)(clock_ns(CLOCK_REALTIME) / NS_PER_MS);
	/* A name that nobody else has or had: whose it was is not to be mistaken. */
	snprintf(w->name, sizeof(w->name), "%.64s:%lld:%08x", v->host, (long long)v->pid, randombytes_random());
}

static enum sahm_status prepare(struct working *w, struct sahm_err *err)
{
	const struct queue_worker_options *o = w->options;
	enum sahm_status status = hold_init(w, err);
	if (status == SAHM_OK)
		status = file_cache_open(&w->cache, o->cache, o->cache_bytes, err);
	for (size_t i = 0; i < o->nr_plugins && status == SAHM_OK; i++) {
		uint8_t hash[HASH_BYTES];
		status = file_cache_add_plugin(w->cache, o->plugins[i], hash, err);
	}
	if (status == SAHM_OK)
		status = mind_others(w, err);
	return status == SAHM_OK ? queue_make_stream(&w->queue, w->streams[0].program, err) : status;
}

enum sahm_status queue_work(const struct queue_worker_options *options, struct queue_worker_outcome *outcome,
			    struct sahm_err *err)
{
	struct working *w = calloc(1, sizeof(*w));
	const struct pool_options pool = {.nr_workers = options->nr_processes, .batch = 1};
	uint64_t started = now_ns();
	bool stopped = false;
	*outcome = (struct queue_worker_outcome){0};
	if (!w)
		return sahm_fail_nomem(err);
	w->options = options;
	w->outcome = outcome;
	w->was_up = true;
	w->started_ns = w->worked_ns = w->mark_ns = started;
	w->target = 2 * (size_t)options->nr_processes;
	enum sahm_status status = queue_connect(&w->queue, &options->queue, err);
	bool opened = status == SAHM_OK;
	if (opened) {
		introduce(w);
		add_stream(w, model_version());
		status = prepare(w, err);
	}
	if (status == SAHM_OK)
		status = pool_run(&ops, &pool, w, &stopped, err);
	/* What has a result is sent, the rest is somebody else's. */
	if (w->first_out && !has_link(w))
		say(w, "there is no connection: results that could not be sent are found again by others");
	struct sahm_err ignored;
	if (status == SAHM_OK && has_link(w)) {
		w->retry_out_ns = 0;
		flush(w, true);
		hand_back(w, false);
		queue_leave(&w->queue, w->name, w->streams[0].program, &ignored);
	}
	while (w->first_out)
		drop_outgoing(w);
	file_cache_free(w->cache);
	hold_release(w);
	if (opened)
		queue_disconnect(&w->queue);
	outcome->elapsed_ns = now_ns() - started;
	free(w);
	return status;
}
