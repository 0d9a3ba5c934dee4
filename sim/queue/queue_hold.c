/* What a worker has in hand: a table, in which those that are free and those that wait are lists. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sim/queue/queue_worker_internal.h"

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
