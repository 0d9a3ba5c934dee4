/* The results of a worker, on their way to the server: collected, then sent together. */
#include <stdlib.h>

#include "sim/base/units.h"
#include "sim/queue/queue_worker_internal.h"

/* How long a result waits for others to go with it, and at how many bytes they are sent at once. */
#define FLUSH_NS (100 * NS_PER_MS)
#define FLUSH_BYTES ((size_t)256 << 10)

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
