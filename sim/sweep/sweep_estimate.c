/* What a sweep would take, from some of its runs. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/sweep/sweep_internal.h"

/* Runs that are made, spread over those that are planned, unless that takes longer. */
#define MAX_TRIED 16u
#define MAX_TRYING_NS (3 * NS_PER_S)
/* And if none has ended by then, that is it. */
#define MAX_WAITING_NS (15 * NS_PER_S)
/* Rows that the size is taken from: a store grows by whole pages. */
#define ROWS 512u

struct trying {
	const struct sweep *sweep;
	const struct sweep_options *options;
	struct store *store;
	uint64_t positions[MAX_TRIED];
	size_t nr, next;
	struct textbuf answers[MAX_TRIED];
	uint64_t nr_answered, busy_ns, started_ns;
	bool interrupted;
};

static void begin(void *ctx, uint32_t worker)
{
	struct trying *t = ctx;
	(void)worker;
	sweep_begin_worker(t->options, t->store);
}

/* The answer is how long it took, then the record. */
static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	const struct trying *t = ctx;
	struct textbuf record;
	uint64_t before = clock_ns(CLOCK_MONOTONIC);
	textbuf_init(&record);
	sweep_evaluate(t->sweep, t->positions[job], 0, &record);
	uint64_t took_ns = clock_ns(CLOCK_MONOTONIC) - before;
	textbuf_add(answer, (const char *)&took_ns, sizeof(took_ns));
	textbuf_add(answer, record.text, record.len);
	answer->failed |= textbuf_failed(&record);
	textbuf_release(&record);
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct trying *t = ctx;
	(void)room;
	if (t->next == t->nr)
		return 0;
	jobs[0] = t->next++;
	return 1;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct trying *t = ctx;
	uint64_t took_ns;
	(void)job;
	memcpy(&took_ns, answer, sizeof(took_ns));
	t->busy_ns += took_ns;
	size_t before = sizeof(took_ns) + sizeof(struct sweep_answer);
	textbuf_add(&t->answers[t->nr_answered], answer + before, len - before);
	return textbuf_failed(&t->answers[t->nr_answered++]) ? sahm_fail_nomem(err) : SAHM_OK;
}

/* It is one that will fail. */
static enum sahm_status lose(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	(void)ctx;
	(void)job;
	(void)cause;
	(void)why;
	(void)err;
	return SAHM_OK;
}

static bool tick(void *ctx)
{
	struct trying *t = ctx;
	const struct sweep_options *o = t->options;
	uint64_t elapsed_ns = clock_ns(CLOCK_MONOTONIC) - t->started_ns;
	const struct sweep_progress progress = {.total = t->nr, .done = t->nr_answered, .elapsed_ns = elapsed_ns};
	t->interrupted = o->progress && !o->progress(o->ctx, &progress);
	return !t->interrupted && elapsed_ns < (t->nr_answered ? MAX_TRYING_NS : MAX_WAITING_NS);
}

static const struct pool_ops ops = {
	.begin = begin,
	.work = work,
	.next = next,
	.take = take,
	.lost = lose,
	.tick = tick,
};

/* Positions of runs that are planned, as evenly as their ids are spread. */
static enum sahm_status choose(struct trying *t, const struct sweep_plan *plan, struct sahm_err *err)
{
	struct store_job job;
	int64_t first = 0, last = 0;
	size_t nr = 1;
	enum sahm_status status = store_jobs(t->store, &plan->part, 0, &job, 1, &nr, err);
	if (status != SAHM_OK || nr == 0)
		return status;
	first = job.run;
	last = first + (int64_t)sweep_nr_left(plan) - 1;
	for (int64_t i = 0; i < MAX_TRIED && status == SAHM_OK; i++) {
		status = store_jobs(t->store, &plan->part, first - 1 + (last - first + 1) * i / MAX_TRIED, &job, 1, &nr,
				    err);
		if (status == SAHM_OK && nr && (t->nr == 0 || t->positions[t->nr - 1] != job.position))
			t->positions[t->nr++] = job.position;
	}
	return status;
}

/* By how much a store grows with `nr` rows like those of the answers. */
static enum sahm_status grow(struct store *store, const struct trying *t, bool keep_threads, struct sahm_err *err)
{
	const struct store_sweep sweep = {"estimate", "run", "", ROWS};
	uint8_t hash[HASH_BYTES] = {0};
	int64_t id, run = 0;
	enum sahm_status status = store_set_program(store, "estimate", true, err);
	if (status == SAHM_OK)
		status = store_plan_begin(store, &sweep, err);
	for (uint32_t i = 0; i < ROWS && status == SAHM_OK; i++) {
		struct hash h;
		hash_init(&h);
		hash_add_u64(&h, i);
		hash_end(&h, hash);
		status = store_plan_point(store, i, hash, err);
	}
	if (status == SAHM_OK)
		status = store_plan_end(store, hash, &id, err);
	for (uint32_t i = 0; i < ROWS && status == SAHM_OK; i++) {
		const struct textbuf *answer = &t->answers[i % t->nr_answered];
		struct record record;
		struct store_job job;
		struct arena a;
		size_t nr;
		arena_init(&a);
		status = store_jobs(store, STORE_WHOLE(id), run, &job, 1, &nr, err);
		run = job.run;
		if (status == SAHM_OK)
			status = record_decode(&a, answer->text, answer->len, &record, err);
		if (status == SAHM_OK)
			status = store_put(store, run, &record, keep_threads, err);
		arena_release(&a);
	}
	return status == SAHM_OK ? store_commit(store, err) : status;
}

static enum sahm_status measure(const struct trying *t, uint64_t nr_runs, struct sweep_estimate *e,
				struct sahm_err *err)
{
	struct store *store = NULL;
	enum sahm_status status = store_open(&store, NULL, STORE_WRITE, err);
	if (status != SAHM_OK)
		return status;
	uint64_t before = store_bytes(store);
	status = grow(store, t, t->options->keep_threads, err);
	e->bytes = (double)(store_bytes(store) - before) / ROWS * (double)nr_runs;
	e->new_bytes = (double)before;
	store_abandon(store);
	return status;
}

enum sahm_status sweep_estimate(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
				const struct sweep_plan *plan, struct sweep_estimate *estimate, struct sahm_err *err)
{
	struct trying t = {.sweep = sweep, .options = options, .store = store, .started_ns = clock_ns(CLOCK_MONOTONIC)};
	const struct pool_options pool = {.nr_workers = 1, .batch = 1, .timeout_s = options->timeout_s};
	bool stopped;
	*estimate = (struct sweep_estimate){0};
	for (size_t i = 0; i < MAX_TRIED; i++)
		textbuf_init(&t.answers[i]);
	enum sahm_status status = choose(&t, plan, err);
	if (status == SAHM_OK && t.nr > 0)
		status = pool_run(&ops, &pool, &t, &stopped, err);
	estimate->interrupted = t.interrupted;
	if (status == SAHM_OK && t.nr_answered > 0 && !t.interrupted) {
		uint32_t at_once = options->nr_workers, processors = pool_nr_processors();
		at_once = at_once < processors ? at_once : processors;
		estimate->nr_tried = t.nr_answered;
		/* The next one plans again. */
		uint64_t runs_ns = t.busy_ns / t.nr_answered * sweep_nr_left(plan) / at_once;
		estimate->seconds = (double)(plan->elapsed_ns + runs_ns) / (double)NS_PER_S;
		status = measure(&t, sweep_nr_left(plan), estimate, err);
	}
	for (size_t i = 0; i < MAX_TRIED; i++)
		textbuf_release(&t.answers[i]);
	return status;
}
