/* What the parts of a worker share: the runs in hand, what it says, whether it can speak to the server, the beat of its
 * claims, and results on their way out. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/queue/queue_worker_internal.h"

/* How soon one tries again where something failed, and where there was no connection. */
#define FAILED_NS NS_PER_S
#define LOST_NS (50 * NS_PER_MS)
/* How often at most one says how it goes. */
#define REPORT_NS (60 * NS_PER_S)
/* How often at least one tells how far one is. */
#define SHOW_NS (2 * NS_PER_S)
/* How long a result waits for others to go with it, and with how many bytes of them it goes at once. */
#define FLUSH_NS (100 * NS_PER_MS)
#define FLUSH_BYTES ((size_t)256 << 10)

/* ---- Runs in hand: a table, in which those that are free and those that wait are lists ---- */

enum sahm_status hold_init(struct working *w, struct sahm_err *err)
{
	void *shared =
		mmap(NULL, MAX_SLOTS * sizeof(*w->slots), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	w->slots = shared == MAP_FAILED ? NULL : shared;
	w->held = calloc(MAX_HELD, sizeof(*w->held));
	w->taken = calloc(MAX_TAKE, sizeof(*w->taken));
	w->listed = calloc(MAX_HELD + MAX_TAKE, sizeof(*w->listed));
	w->lost = calloc(MAX_HELD + MAX_TAKE, sizeof(*w->lost));
	w->first_free = 0;
	w->first_waiting = w->last_waiting = NONE_HELD;
	if (!w->slots || !w->held || !w->taken || !w->listed || !w->lost)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < MAX_HELD; i++)
		w->held[i].next = i + 1 < MAX_HELD ? i + 1 : NONE_HELD;
	return SAHM_OK;
}

void hold_release(struct working *w)
{
	if (w->slots)
		munmap(w->slots, MAX_SLOTS * sizeof(*w->slots));
	free(w->held);
	free(w->taken);
	free(w->listed);
	free(w->lost);
}

bool hold_has_room(const struct working *w, size_t nr)
{
	return w->nr_held + nr <= MAX_HELD;
}

void hold_add(struct working *w, uint32_t stream, uint32_t slot, const struct queue_job *job, bool first)
{
	uint32_t i = w->first_free;
	struct held *h = &w->held[i];
	w->first_free = h->next;
	*h = (struct held){*job, slot, (uint8_t)stream, HELD_WAITING, false, NONE_HELD};
	if (first)
		h->next = w->first_waiting;
	if (first || w->last_waiting == NONE_HELD)
		w->first_waiting = i;
	else
		w->held[w->last_waiting].next = i;
	if (h->next == NONE_HELD)
		w->last_waiting = i;
	w->nr_held++;
	w->nr_waiting++;
	w->used[slot]++;
}

uint32_t hold_next(struct working *w)
{
	uint32_t i = w->first_waiting;
	if (i == NONE_HELD)
		return NONE_HELD;
	struct held *h = &w->held[i];
	w->first_waiting = h->next;
	if (w->first_waiting == NONE_HELD)
		w->last_waiting = NONE_HELD;
	h->state = HELD_GIVEN;
	w->nr_waiting--;
	return i;
}

void hold_drop(struct working *w, uint32_t held)
{
	struct held *h = &w->held[held];
	w->used[h->slot]--;
	h->state = HELD_FREE;
	h->next = w->first_free;
	w->first_free = held;
	w->nr_held--;
}

size_t hold_list(struct working *w, uint32_t stream, bool waiting_alone)
{
	size_t nr = 0;
	for (uint32_t i = 0; i < MAX_HELD && w->nr_held > 0; i++) {
		const struct held *h = &w->held[i];
		if (h->state != HELD_FREE && h->stream == stream && (!waiting_alone || h->state == HELD_WAITING))
			w->listed[nr++] = &h->job;
	}
	return nr;
}

size_t hold_to_do(const struct working *w)
{
	size_t nr = w->nr_held;
	for (const struct outgoing *o = w->first_out; o; o = o->next)
		nr -= o->results.nr;
	return nr;
}

/* The table's place of a job that it holds. */
uint32_t hold_place(const struct working *w, const struct queue_job *job)
{
	return (uint32_t)((const struct held *)(const void *)job - w->held);
}
_Static_assert(offsetof(struct held, job) == 0, "a held run is found by its job");

/* ---- What it says, and its connection ---- */

uint64_t working_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

enum worker_stop working_stop(const struct working *w)
{
	return w->options->stop ? w->options->stop(w->options->ctx) : WORKER_GO_ON;
}

void working_say(struct working *w, const char *text)
{
	if (w->options->say)
		w->options->say(w->options->ctx, text);
}

/* What fails again and again for the same reason is told once. */
void working_say_failure(struct working *w, const struct sahm_err *err)
{
	if (w->said.status == err->status && strcmp(w->said.msg, err->msg) == 0)
		return;
	w->said = *err;
	working_say(w, err->msg);
}

/* After a failure one waits a little with everything but what is under way. */
void working_note_failure(struct working *w, const struct sahm_err *err)
{
	working_say_failure(w, err);
	w->pause_ns = working_now_ns() + (redis_link_is_up(w->queue.link) ? FAILED_NS : LOST_NS);
}

bool working_is_paused(const struct working *w)
{
	return working_now_ns() < w->pause_ns;
}

/* Tries to have a connection; tells of what changes. */
bool working_has_link(struct working *w)
{
	struct sahm_err err;
	bool up = redis_link_try(w->queue.link, &err) == SAHM_OK;
	uint64_t nr = redis_link_nr_connections(w->queue.link);
	bool is_new = up && nr != w->nr_connections && w->nr_connections > 0;
	if (!up && w->was_up)
		working_say_failure(w, &err);
	if (is_new) {
		char text[256];
		snprintf(text, sizeof(text), "connected to redis at '%.160s' again", redis_link_name(w->queue.link));
		working_say(w, text);
		w->said = (struct sahm_err){0};
		/* Others may not have been able to renew their claims either: they come first. */
		w->beat_ns = 0;
		w->reclaim_ns = working_now_ns() + w->queue.claim_ms * NS_PER_MS;
	}
	if (up)
		w->starved_ns = 0;
	else if (err.status == SAHM_NOMEM && !w->starved_ns)
		w->starved_ns = working_now_ns();
	w->was_up = up;
	w->nr_connections = up ? nr : w->nr_connections;
	return up;
}

bool working_is_starved(const struct working *w)
{
	return w->starved_ns && working_now_ns() - w->starved_ns > w->queue.claim_ms * NS_PER_MS;
}

/* ---- Claims ---- */

/* In a log one sees that it works. */
static void report(struct working *w, uint64_t now)
{
	uint64_t done = w->outcome->done - w->reported;
	if (now < w->report_ns || done == 0)
		return;
	char text[160];
	snprintf(text, sizeof(text), "%llu runs done, %.1f/s as of late", (unsigned long long)w->outcome->done,
		 (double)done * (double)NS_PER_S / (double)(now - w->reported_ns + 1));
	working_say(w, text);
	w->reported = w->outcome->done;
	w->reported_ns = now;
	w->report_ns = now + REPORT_NS;
}

void working_beat(struct working *w)
{
	uint64_t now = working_now_ns();
	if (now < w->beat_ns || !redis_link_is_up(w->queue.link))
		return;
	/* Three times within a claim, so that two can be late; and people look at how it goes. */
	uint64_t pause = w->queue.claim_ms * NS_PER_MS / 3;
	w->beat_ns = now + (pause < SHOW_NS ? pause : SHOW_NS);
	w->vitals.done = w->outcome->done;
	w->vitals.failed = w->outcome->failed;
	w->vitals.busy_ms = w->busy_ns / NS_PER_MS;
	w->vitals.held = w->nr_held;
	report(w, now);
	for (uint32_t s = 0; s < w->nr_streams; s++) {
		struct sahm_err err;
		size_t nr_held = hold_list(w, s, false), nr = nr_held;
		for (size_t i = 0; i < w->nr_admitting && s == w->admitting_stream; i++)
			w->listed[nr++] = &w->admitting[i];
		if (nr == 0 && s > 0)
			continue;
		if (queue_beat(&w->queue, w->name, w->streams[s].program, &w->vitals, w->listed, nr, w->lost, &err) !=
		    SAHM_OK) {
			working_note_failure(w, &err);
			return;
		}
		for (size_t i = 0; i < nr_held; i++)
			w->held[hold_place(w, w->listed[i])].lost |= w->lost[i];
		/* Nobody's deliveries are none. */
		for (size_t i = nr_held; i < nr; i++)
			if (w->lost[i])
				w->admitting[i - nr_held].deliveries = 0;
	}
}

/* ---- Results on their way out ---- */

void working_drop_outgoing(struct working *w)
{
	struct outgoing *o = w->first_out;
	w->first_out = o->next;
	if (!w->first_out)
		w->last_out = NULL;
	textbuf_release(&o->results.hashes);
	textbuf_release(&o->results.records);
	free(o);
}

/* Sends results that are ripe, or all. False: they have to wait. */
bool working_flush(struct working *w, bool all)
{
	while (w->first_out) {
		struct outgoing *o = w->first_out;
		const struct queue_results *r = &o->results;
		bool full = o != w->last_out || r->nr == MAX_RESULT_RUNS || r->records.len >= FLUSH_BYTES;
		struct sahm_err err;
		if (!all && !full && working_now_ns() - o->since_ns < FLUSH_NS)
			return true;
		if (working_now_ns() < w->retry_out_ns || !working_has_link(w))
			return false;
		enum sahm_status status = queue_put_results(&w->queue, w->name, w->streams[o->stream].program, r, &err);
		if (status != SAHM_OK) {
			working_note_failure(w, &err);
			w->retry_out_ns = w->pause_ns;
			return false;
		}
		for (size_t i = 0; i < r->nr; i++)
			hold_drop(w, hold_place(w, r->jobs[i]));
		working_drop_outgoing(w);
	}
	return true;
}

/* Puts the record of a run in hand among those that go out. */
bool working_put_out(struct working *w, uint32_t held, const char *record, size_t len)
{
	struct held *h = &w->held[held];
	struct outgoing *o = w->last_out;
	if (!o || o->stream != h->stream || o->slot != h->slot || o->results.nr == MAX_RESULT_RUNS ||
	    o->results.records.len >= FLUSH_BYTES) {
		o = calloc(1, sizeof(*o));
		if (!o)
			return false;
		textbuf_init(&o->results.hashes);
		textbuf_init(&o->results.records);
		o->stream = h->stream;
		o->slot = h->slot;
		o->since_ns = working_now_ns();
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
