/* Every mix, by this process or by several. Mixes stand in memory, so that a job is known by its number alone. */
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/optimize_internal.h"
#include "sim/sweep/pool.h"

struct exhaustive {
	struct search *search;
	uint32_t *counts; /* [nr][nr_types]: the mixes, in order */
	double *values;	  /* [nr] */
	uint64_t nr, next, answered;
};

/* An answer of a worker: the status, then the value or the message. */
struct answer {
	enum sahm_status status;
	double value;
};

static void mix_at(const struct exhaustive *e, uint64_t at, uint32_t counts[MAX_MIX_TYPES])
{
	uint32_t nr_types = e->search->problem->space.nr_types;
	memset(counts, 0, MAX_MIX_TYPES * sizeof(*counts));
	memcpy(counts, e->counts + at * nr_types, nr_types * sizeof(*counts));
}

static enum sahm_status enumerate(struct exhaustive *e, struct sahm_err *err)
{
	const struct mix_space *space = &e->search->problem->space;
	uint32_t counts[MAX_MIX_TYPES];
	uint64_t nr = 0;
	e->nr = e->search->result->nr_mixes;
	e->counts = calloc(e->nr, space->nr_types * sizeof(*e->counts));
	e->values = calloc(e->nr, sizeof(*e->values));
	if (!e->counts || !e->values)
		return sahm_fail_nomem(err);
	for (bool more = mix_first(space, counts); more && nr < e->nr; more = mix_next(space, counts))
		memcpy(e->counts + nr++ * space->nr_types, counts, space->nr_types * sizeof(*counts));
	return SAHM_OK;
}

static void tell(const struct exhaustive *e)
{
	const struct optimize_options *o = e->search->options;
	if (o->progress)
		o->progress(o->progress_ctx, e->answered, e->nr);
}

static enum sahm_status evaluate_at(const struct exhaustive *e, uint64_t at, double *value, struct sahm_err *err)
{
	uint32_t counts[MAX_MIX_TYPES];
	mix_at(e, at, counts);
	return search_evaluate(e->search, counts, value, err);
}

static void begin(void *ctx, uint32_t worker)
{
	const struct exhaustive *e = ctx;
	(void)worker;
	if (e->search->options->worker_begin)
		e->search->options->worker_begin();
}

static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	struct sahm_err err;
	struct answer a = {.value = 0};
	a.status = evaluate_at(ctx, job, &a.value, &err);
	textbuf_add(answer, (const char *)&a, sizeof(a));
	if (a.status != SAHM_OK)
		textbuf_puts(answer, err.msg);
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct exhaustive *e = ctx;
	size_t nr = 0;
	while (nr < room && e->next < e->nr)
		jobs[nr++] = e->next++;
	return nr;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct exhaustive *e = ctx;
	struct answer a;
	memcpy(&a, answer, sizeof(a));
	if (a.status != SAHM_OK)
		return sahm_fail(err, a.status, "%.*s", (int)(len - sizeof(a)), answer + sizeof(a));
	e->values[job] = a.value;
	e->answered++;
	return SAHM_OK;
}

static enum sahm_status lost(void *ctx, uint64_t job, const char *why, struct sahm_err *err)
{
	const struct exhaustive *e = ctx;
	uint32_t counts[MAX_MIX_TYPES];
	struct textbuf label;
	mix_at(e, job, counts);
	textbuf_init(&label);
	mix_write_label(&e->search->problem->space, counts, &label);
	enum sahm_status status = sahm_fail(err, SAHM_TOOL, "chip '%.200s': %s", label.text, why);
	textbuf_release(&label);
	return status;
}

static bool tick(void *ctx)
{
	tell(ctx);
	return true;
}

static const struct pool_ops ops = {
	.begin = begin, .work = work, .next = next, .take = take, .lost = lost, .tick = tick};

static enum sahm_status evaluate_all(struct exhaustive *e, struct sahm_err *err)
{
	const struct pool_options options = {.nr_workers = e->search->options->nr_workers, .batch = 1};
	bool stopped;
	enum sahm_status status = SAHM_OK;
	if (options.nr_workers > 1)
		return pool_run(&ops, &options, e, &stopped, err);
	for (uint64_t i = 0; i < e->nr && status == SAHM_OK; i++) {
		status = evaluate_at(e, i, &e->values[i], err);
		e->answered++;
		tell(e);
	}
	return status;
}

enum sahm_status search_exhaustively(struct search *s, struct sahm_err *err)
{
	struct exhaustive e = {.search = s};
	enum sahm_status status = enumerate(&e, err);
	if (status == SAHM_OK)
		status = evaluate_all(&e, err);
	for (uint64_t i = 0; i < e.nr && status == SAHM_OK; i++) {
		uint32_t counts[MAX_MIX_TYPES];
		mix_at(&e, i, counts);
		search_take(s, counts, e.values[i]);
	}
	free(e.counts);
	free(e.values);
	return status;
}
