/* What the processes of a worker do: they open bundles from disk, and evaluate points. */
#include <stdlib.h>

#include "sim/base/file.h"
#include "sim/queue/queue_worker_internal.h"

/* Bundles that a process keeps open: each takes as much as its axes are long. */
#define MAX_OPENED 8u

/* A bundle that this process has opened. */
struct opened {
	uint64_t generation;
	uint64_t used; /* when it was, in runs */
	struct sweep sweep;
};

void process_begin(void *ctx, uint32_t worker)
{
	struct working *w = ctx;
	w->process = worker;
	w->memory_bytes = pool_memory();
	redis_link_leave(w->queue.link);
	if (w->options->process_begin)
		w->options->process_begin();
}

static void close_opened(struct working *w, uint32_t slot)
{
	if (w->opened[slot]) {
		sweep_release(&w->opened[slot]->sweep);
		free(w->opened[slot]);
	}
	w->opened[slot] = NULL;
}

/* Makes room for one more. */
static void close_oldest(struct working *w)
{
	uint32_t oldest = MAX_SLOTS, nr = 0;
	for (uint32_t i = 0; i < MAX_SLOTS; i++) {
		nr += w->opened[i] != NULL;
		if (w->opened[i] && (oldest == MAX_SLOTS || w->opened[i]->used < w->opened[oldest]->used))
			oldest = i;
	}
	if (nr >= MAX_OPENED)
		close_opened(w, oldest);
}

static enum sahm_status open_bundle(struct working *w, const struct slot *s, struct sweep *sweep, struct sahm_err *err)
{
	struct textbuf path;
	struct bundle b;
	char *text = NULL;
	size_t len;
	textbuf_init(&path);
	textbuf_printf(&path, "%s/" BUNDLE_CONFIG, s->folder);
	enum sahm_status status = textbuf_failed(&path)
					  ? sahm_fail_nomem(err)
					  : file_read_regular(path.text, MAX_BUNDLE_BYTES, &text, &len, err);
	textbuf_release(&path);
	if (status == SAHM_OK)
		status = bundle_read(&b, text, len, s->hash, err);
	free(text);
	if (status != SAHM_OK)
		return status;
	const struct bundle_host host = {.trust = w->options->trust, .cache = w->traces};
	status = bundle_open(sweep, &b, s->folder, &host, err);
	bundle_release(&b);
	return status;
}

static enum sahm_status find_sweep(struct working *w, uint32_t slot, const struct sweep **sweep, struct sahm_err *err)
{
	const struct slot *s = &w->slots[slot];
	if (w->opened[slot] && w->opened[slot]->generation != s->generation)
		close_opened(w, slot);
	if (!w->traces)
		w->traces = run_cache_new();
	if (!w->opened[slot]) {
		close_oldest(w);
		struct opened *o = w->traces ? calloc(1, sizeof(*o)) : NULL;
		if (!o)
			return sahm_fail_nomem(err);
		o->generation = s->generation;
		enum sahm_status status = open_bundle(w, s, &o->sweep, err);
		if (status != SAHM_OK) {
			free(o);
			return status;
		}
		w->opened[slot] = o;
	}
	w->opened[slot]->used = ++w->nr_runs;
	*sweep = &w->opened[slot]->sweep;
	return SAHM_OK;
}

/* As sweep_evaluate() answers: where there is no sweep to evaluate anything of, the hash is all 0. */
void process_work(void *ctx, uint64_t job, struct textbuf *answer)
{
	struct working *w = ctx;
	const struct sweep *sweep = NULL;
	struct sahm_err err;
	enum sahm_status status = find_sweep(w, SLOT_OF(job), &sweep, &err);
	if (status == SAHM_OK && POSITION_OF(job) >= sweep->space.nr_points)
		status = sahm_fail(&err, SAHM_RANGE, "the sweep has no point %llu",
				   (unsigned long long)POSITION_OF(job));
	if (status == SAHM_OK) {
		const uint64_t limit = w->slots[SLOT_OF(job)].memory_bytes;
		pool_limit_memory(limit && limit < w->memory_bytes ? limit : w->memory_bytes);
		sweep_evaluate(sweep, POSITION_OF(job), w->process, answer);
		return;
	}
	const struct sweep_answer head = {.status = (uint8_t)status};
	struct record record;
	struct arena a;
	arena_init(&a);
	textbuf_add(answer, (const char *)&head, sizeof(head));
	if (record_of_failure(&a, err.msg, &record, NULL) == SAHM_OK)
		record_encode(&record, answer);
	else
		answer->failed = true;
	arena_release(&a);
}
