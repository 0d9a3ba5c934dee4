/* The runs that a worker has in hand, and the renewal of their claims. The runs are a table, in which free entries and
 * those that wait are linked lists. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sim/base/units.h"
#include "sim/queue/queue_worker_internal.h"

/* Minimum time between two reports of progress. */
#define REPORT_NS (60 * NS_PER_S)
/* Maximum time between two beats, which show the progress to others. */
#define SHOW_NS (2 * NS_PER_S)

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

/* In a log one sees that it works. */
static void report(struct working *w, uint64_t now)
{
	uint64_t done = w->outcome->done - w->reported;
	if (now < w->report_ns || done == 0)
		return;
	char text[160];
	snprintf(text, sizeof(text), "%llu runs done, %.1f/s as of late", (unsigned long long)w->outcome->done,
		 (double)done * (double)NS_PER_S / (double)(now - w->reported_ns + 1));
	working_report(w, text);
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
