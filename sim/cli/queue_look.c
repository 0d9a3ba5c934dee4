#include "sim/cli/queue_look.h"

#include <string.h>

#include "sim/base/clock.h"

enum sahm_status queue_look_take(struct queue *q, bool with_letters, struct queue_look *look, struct sahm_err *err)
{
	*look = (struct queue_look){.at_ns = clock_ns(CLOCK_MONOTONIC),
				    .unix_ms = (int64_t)(clock_ns(CLOCK_REALTIME) / NS_PER_MS)};
	arena_init(&look->arena);
	enum sahm_status status = queue_workers(q, &look->arena, &look->workers, &look->nr_workers, err);
	if (status == SAHM_OK)
		status = queue_count_each(q, &look->arena, &look->all, &look->programs, &look->nr_programs,
					  look->workers, look->nr_workers, err);
	if (status == SAHM_OK)
		status = queue_submissions(q, &look->arena, &look->submissions, &look->nr_submissions, err);
	if (status == SAHM_OK && with_letters)
		status = queue_letters(q, &look->arena, MAX_LISTED_LETTERS, &look->letters, &look->nr_letters, err);
	if (status == SAHM_OK)
		status = queue_memory(q, &look->memory_bytes, err);
	if (status == SAHM_OK)
		status = queue_check_server(q, &look->evicts, err);
	if (status != SAHM_OK) {
		queue_look_release(look);
		return status;
	}
	/* As many as are shown. */
	look->all.workers = 0;
	for (size_t i = 0; i < look->nr_workers; i++)
		look->all.workers += queue_worker_lives(q, &look->workers[i]);
	return SAHM_OK;
}

void queue_look_release(struct queue_look *look)
{
	arena_release(&look->arena);
	*look = (struct queue_look){0};
}

bool queue_look_is_empty(const struct queue_look *look)
{
	return look->nr_programs == 0 && look->nr_submissions == 0 && look->nr_workers == 0 && look->all.results == 0 &&
	       look->all.dead == 0 && !look->all.draining;
}

/* Longest and shortest time that rates are taken over. */
#define LONGEST_WINDOW_MS 30000u
#define SHORTEST_WINDOW_MS 2000u

void queue_looks_init(struct queue_looks *looks, const struct queue *q)
{
	uint64_t ms = q->claim_ms < LONGEST_WINDOW_MS ? q->claim_ms : LONGEST_WINDOW_MS;
	*looks = (struct queue_looks){.window_ns = (ms > SHORTEST_WINDOW_MS ? ms : SHORTEST_WINDOW_MS) * NS_PER_MS};
}

void queue_looks_release(struct queue_looks *looks)
{
	for (unsigned i = 0; i < looks->nr; i++)
		queue_look_release(&looks->earlier[i]);
	looks->nr = 0;
}

static void drop_oldest(struct queue_looks *looks)
{
	queue_look_release(&looks->earlier[0]);
	memmove(&looks->earlier[0], &looks->earlier[1], --looks->nr * sizeof(looks->earlier[0]));
}

void queue_looks_keep(struct queue_looks *looks, struct queue_look *look)
{
	const uint64_t apart_ns = looks->window_ns / (NR_EARLIER_LOOKS - 2);
	if (looks->nr > 0 && look->at_ns - looks->earlier[looks->nr - 1].at_ns < apart_ns) {
		queue_look_release(look);
		return;
	}
	while (looks->nr == NR_EARLIER_LOOKS ||
	       (looks->nr > 1 && look->at_ns - looks->earlier[1].at_ns >= looks->window_ns))
		drop_oldest(looks);
	looks->earlier[looks->nr++] = *look;
	*look = (struct queue_look){0};
}

const struct queue_look *queue_looks_before(const struct queue_looks *looks, const struct queue_look *now)
{
	const struct queue_look *oldest = &looks->earlier[0];
	return looks->nr > 0 && now->at_ns - oldest->at_ns >= looks->window_ns ? oldest : NULL;
}

double queue_worker_rate(const struct queue_look *now, const struct queue_look *before,
			 const struct queue_worker_row *worker)
{
	const struct queue_vitals *v = &worker->vitals;
	for (size_t i = 0; before && i < before->nr_workers; i++) {
		const struct queue_worker_row *then = &before->workers[i];
		if (strcmp(then->name, worker->name) == 0 && then->vitals.started_unix_ms == v->started_unix_ms &&
		    then->vitals.done <= v->done)
			return (double)(v->done - then->vitals.done) * (double)NS_PER_S /
			       (double)(now->at_ns - before->at_ns);
	}
	if (worker->claimed == 0 || v->busy_ms == 0)
		return 0;
	return (double)v->done * 1000 * (double)v->processes / (double)v->busy_ms;
}

bool queue_worker_lives(const struct queue *q, const struct queue_worker_row *worker)
{
	return worker->silent_ms <= 2 * q->claim_ms;
}

double queue_rate(const struct queue *q, const struct queue_look *now, const struct queue_look *before)
{
	double rate = 0;
	for (size_t i = 0; i < now->nr_workers; i++)
		if (queue_worker_lives(q, &now->workers[i]))
			rate += queue_worker_rate(now, before, &now->workers[i]);
	return rate;
}
