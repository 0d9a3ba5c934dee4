/* Carrying out what is planned: workers evaluate, only this process writes the results file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/sweep/sweep_internal.h"

/* How often results are committed: what a crash of this process can cost. */
#define COMMIT_NS (NS_PER_S / 2)
#define COMMIT_RUNS 2000u

/* A job is a run and one of its points in a number. */
#define POSITION_BITS 24
_Static_assert(MAX_SPACE_POINTS <= UINT64_C(1) << POSITION_BITS, "positions do not fit into jobs");
#define POSITION_OF(job) ((job) & ((UINT64_C(1) << POSITION_BITS) - 1))
#define RUN_OF(job) ((int64_t)((job) >> POSITION_BITS))

struct carrying {
	const struct sweep *sweep;
	const struct sweep_options *options;
	struct store *store;
	const struct sweep_plan *plan;
	struct sweep_outcome *outcome;
	int64_t after; /* the last run that was handed out */
	uint64_t started_ns, committed_ns;
	uint32_t nr_uncommitted;
	enum sahm_status failure; /* of what can fail where nothing can be returned */
	struct sahm_err err;
	uint32_t worker; /* in a worker: which */
};

static void begin(void *ctx, uint32_t worker)
{
	struct carrying *c = ctx;
	c->worker = worker;
	sweep_begin_worker(c->options, c->store);
}

static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	const struct carrying *c = ctx;
	sweep_evaluate(c->sweep, POSITION_OF(job), c->worker, answer);
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct carrying *c = ctx;
	struct store_job found[MAX_POOL_BATCH];
	size_t nr = 0;
	if (c->failure != SAHM_OK)
		return 0;
	c->failure = store_jobs(c->store, &c->plan->part, c->after, found,
				room < MAX_POOL_BATCH ? room : MAX_POOL_BATCH, &nr, &c->err);
	if (c->failure != SAHM_OK)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		jobs[i] = (uint64_t)found[i].run << POSITION_BITS | found[i].position;
		c->after = found[i].run;
	}
	return nr;
}

static enum sahm_status keep(struct carrying *c, uint64_t job, const struct record *record, struct sahm_err *err)
{
	if (record->failed && c->outcome->failed == 0)
		snprintf(c->outcome->why, sizeof(c->outcome->why), "%s", record->message);
	*(record->failed ? &c->outcome->failed : &c->outcome->done) += 1;
	c->nr_uncommitted++;
	return store_put(c->store, RUN_OF(job), record, c->options->keep_threads, err);
}

/* The machine fails, not the run: nothing is kept of it. */
static enum sahm_status stop_at(uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	return sahm_fail(err, cause, "the sweep stops at point %llu: %s", (unsigned long long)POSITION_OF(job), why);
}

/* The run must be the planned one: a file that it reads may have been replaced meanwhile, or be gone. */
static enum sahm_status check_hash(struct carrying *c, uint64_t job, const uint8_t *hash, const struct record *record,
				   struct sahm_err *err)
{
	static const uint8_t unresolved[HASH_BYTES];
	uint8_t planned[HASH_BYTES];
	if (memcmp(hash, unresolved, HASH_BYTES) == 0)
		return sahm_fail(err, SAHM_IO, "point %llu could be resolved when it was planned, but not now: %s",
				 (unsigned long long)POSITION_OF(job), record->message);
	enum sahm_status status = store_run_hash(c->store, RUN_OF(job), planned, err);
	if (status != SAHM_OK || memcmp(hash, planned, HASH_BYTES) == 0)
		return status;
	return sahm_fail(err, SAHM_CHECKSUM,
			 "point %llu has changed since it was planned: a file that it reads was replaced "
			 "meanwhile; its result was not kept, and the same command plans it again",
			 (unsigned long long)POSITION_OF(job));
}

static enum sahm_status lose(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	struct carrying *c = ctx;
	struct record record;
	struct arena a;
	char limit[SWEEP_MEMORY_BYTES];
	if (cause == SAHM_NOMEM && sweep_limits_memory(c->options->memory_bytes)) {
		sweep_explain_memory(c->options->memory_bytes, limit);
		why = limit;
	} else if (sahm_is_environment(cause)) {
		return stop_at(job, cause, why, err);
	}
	arena_init(&a);
	enum sahm_status status = record_of_failure(&a, why, &record, err);
	if (status == SAHM_OK)
		status = keep(c, job, &record, err);
	arena_release(&a);
	return status;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct carrying *c = ctx;
	struct sweep_answer head;
	struct record record;
	struct arena a;
	memcpy(&head, answer, sizeof(head));
	arena_init(&a);
	enum sahm_status status = record_decode(&a, answer + sizeof(head), len - sizeof(head), &record, err);
	if (status == SAHM_OK && head.status == SAHM_NOMEM && sweep_limits_memory(c->options->memory_bytes)) {
		arena_release(&a);
		return lose(ctx, job, head.status, record.message, err);
	}
	if (status == SAHM_OK)
		status = check_hash(c, job, head.hash, &record, err);
	if (status == SAHM_OK && sahm_is_environment(head.status))
		status = stop_at(job, head.status, record.message, err);
	if (status == SAHM_OK)
		status = keep(c, job, &record, err);
	arena_release(&a);
	return status;
}

static bool tick(void *ctx)
{
	struct carrying *c = ctx;
	const struct sweep_options *o = c->options;
	const struct store_counts *counts = &c->plan->counts;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (c->failure == SAHM_OK && c->nr_uncommitted > 0 &&
	    (c->nr_uncommitted >= COMMIT_RUNS || now - c->committed_ns >= COMMIT_NS)) {
		c->failure = store_commit(c->store, &c->err);
		c->committed_ns = now;
		c->nr_uncommitted = 0;
	}
	const struct sweep_progress progress = {.total = sweep_nr_left(c->plan) + counts->done + counts->failed,
						.before = counts->done + counts->failed,
						.done = c->outcome->done,
						.failed = c->outcome->failed,
						.elapsed_ns = now - c->started_ns};
	return c->failure == SAHM_OK && (!o->progress || o->progress(o->ctx, &progress));
}

static const struct pool_ops ops = {
	.begin = begin,
	.work = work,
	.next = next,
	.take = take,
	.lost = lose,
	.tick = tick,
};

enum sahm_status sweep_carry_out(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
				 const struct sweep_plan *plan, struct sweep_outcome *outcome, struct sahm_err *err)
{
	struct carrying c = {.sweep = sweep,
			     .options = options,
			     .store = store,
			     .plan = plan,
			     .outcome = outcome,
			     .started_ns = clock_ns(CLOCK_MONOTONIC),
			     .committed_ns = clock_ns(CLOCK_MONOTONIC)};
	uint64_t left = sweep_nr_left(plan), nr = left < options->nr_workers ? left : options->nr_workers;
	const struct pool_options pool = {.nr_workers = (uint32_t)nr, .batch = 1, .timeout_s = options->timeout_s};
	enum sahm_status status = SAHM_OK;
	*outcome = (struct sweep_outcome){0};
	if (nr > 0)
		status = pool_run(&ops, &pool, &c, &outcome->interrupted, err);
	if (status == SAHM_OK && c.failure != SAHM_OK)
		status = sahm_fail(err, c.failure, "%s", c.err.msg);
	/* After a failure of the store nothing can be committed; after any other everything is. */
	struct sahm_err ignored;
	enum sahm_status committed = store_commit(store, status == SAHM_OK ? err : &ignored);
	outcome->elapsed_ns = clock_ns(CLOCK_MONOTONIC) - c.started_ns;
	return status == SAHM_OK ? committed : status;
}
