#include "sim/cli/core_jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/cli/output.h"
#include "sim/sweep/pool.h"

#define PROGRESS_NS (NS_PER_S / 5)

const char *const lane_form_words[] = {LANE_FORM_NAMES, NULL};

enum sahm_status core_jobs_check_form(enum lane_form form, struct sahm_err *err)
{
	if (lane_form_is_there(form))
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--lanes %s: this processor has no such vectors", lane_form_name(form));
}

/* A stream and some of the models. */
struct job {
	struct crew *crew;
	size_t stream;
	unsigned nr;
	size_t models[MAX_LANES];   /* [nr] */
	struct timing_notes *notes; /* NULL: none are taken */
	enum sahm_status status;
	struct sahm_err err;
	atomic_uint_fast64_t nr_done; /* instructions */
};

struct crew {
	const struct core_jobs *request;
	struct core_counts *counts;
	struct job *jobs; /* [nr] */
	size_t nr;
};

static enum sahm_status take_epoch(void *ctx, unsigned core, uint64_t epoch, const struct core_counts *counts,
				   struct sahm_err *err)
{
	struct job *j = ctx;
	const struct core_jobs *r = j->crew->request;
	return r->epoch(r->ctx, j->stream, j->models[core], epoch, counts, err);
}

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, struct sahm_err *err)
{
	struct job *j = ctx;
	const struct core_jobs *r = j->crew->request;
	return r->batch(r->ctx, j->stream, j->models[core], batch, stamps, j->notes, err);
}

static enum sahm_status take_warm(void *ctx, unsigned core, const struct uop_batch *batch, struct sahm_err *err)
{
	struct job *j = ctx;
	const struct core_jobs *r = j->crew->request;
	return r->warm(r->ctx, j->stream, j->models[core], batch, err);
}

static enum sahm_status take_epoch_end(void *ctx, unsigned core, uint64_t epoch, struct sahm_err *err)
{
	struct job *j = ctx;
	const struct core_jobs *r = j->crew->request;
	return r->epoch_end(r->ctx, j->stream, j->models[core], epoch, err);
}

static enum sahm_status take_edges(void *ctx, unsigned core, const struct path_edges *edges, struct sahm_err *err)
{
	struct job *j = ctx;
	const struct core_jobs *r = j->crew->request;
	return r->edges(r->ctx, j->stream, j->models[core], edges, err);
}

static void predict(void *ctx, const struct uop_batch *batch, uint64_t first_load, struct load_predictions *p)
{
	struct job *j = ctx;
	const struct core_jobs *r = j->crew->request;
	r->predict(r->ctx, j->stream, j->models, j->nr, batch, first_load, p);
}

static void take_progress(void *ctx, uint64_t nr_instructions)
{
	struct job *j = ctx;
	atomic_store(&j->nr_done, nr_instructions);
}

static void run_job(struct job *j)
{
	const struct core_jobs *r = j->crew->request;
	const struct core_model *models[MAX_LANES];
	struct core_counts counts[MAX_LANES];
	struct stream *s = NULL;
	j->notes = r->takes_notes ? malloc(sizeof(*j->notes)) : NULL;
	if (r->takes_notes && !j->notes) {
		j->status = sahm_fail_nomem(&j->err);
		return;
	}
	struct core_watch watches[MAX_LANES] = {{NULL, NULL}};
	const struct remedies *remedies[MAX_LANES] = {NULL};
	struct load_set *critical[MAX_LANES] = {NULL};
	for (unsigned i = 0; r->begin && i < j->nr && j->status == SAHM_OK; i++)
		j->status = r->begin(r->ctx, j->stream, j->models[i], &watches[i], &j->err);
	const struct core_observer o = {.ctx = j,
					.batch = r->batch ? take_batch : NULL,
					.warm = r->warm ? take_warm : NULL,
					.notes = j->notes,
					.watches = r->begin ? watches : NULL,
					.epoch_end = r->epoch_end ? take_epoch_end : NULL,
					.epoch = r->epoch ? take_epoch : NULL,
					.path = r->path,
					.edges = r->edges ? take_edges : NULL,
					.predict = r->predict ? predict : NULL,
					.critical = r->critical ? critical : NULL,
					.progress = take_progress};
	for (unsigned i = 0; i < j->nr; i++) {
		models[i] = r->models[j->models[i]];
		critical[i] = r->critical ? r->critical(r->ctx, j->stream, j->models[i]) : NULL;
		remedies[i] = r->remedies ? r->remedies[j->models[i]] : NULL;
	}
	/* Notes were printed when the streams were first looked at. */
	if (j->status == SAHM_OK)
		j->status = stream_open(r->streams[j->stream], NULL, &s, &j->err);
	if (j->status == SAHM_OK && r->measures_clock)
		j->status = core_run_measured(s, models, j->nr, r->form, r->sampling, &o, counts, &j->err);
	else if (j->status == SAHM_OK)
		j->status = core_run_remedied(s, models, remedies, j->nr, r->form, r->sampling, &o, counts, &j->err);
	for (unsigned i = 0; r->end && i < j->nr && j->status == SAHM_OK; i++)
		j->status = r->end(r->ctx, j->stream, j->models[i], &j->err);
	for (unsigned i = 0; i < j->nr && j->status == SAHM_OK; i++)
		j->crew->counts[j->stream * r->nr_models + j->models[i]] = counts[i];
	if (j->status == SAHM_OK)
		atomic_store(&j->nr_done, stream_nr_instructions(s));
	stream_free(s);
	free(j->notes);
}

static void work(void *ctx, size_t job)
{
	struct crew *c = ctx;
	run_job(&c->jobs[job]);
}

static uint64_t done(void *ctx)
{
	struct crew *c = ctx;
	uint64_t nr = 0;
	for (size_t i = 0; i < c->nr; i++)
		nr += atomic_load(&c->jobs[i].nr_done) * c->jobs[i].nr;
	return nr;
}

/* ---- Threads ---- */

struct running {
	const struct core_crew *crew;
	atomic_size_t next;
	atomic_size_t nr_ended;
};

static void *run_thread(void *ctx)
{
	struct running *r = ctx;
	for (size_t i; (i = atomic_fetch_add(&r->next, 1)) < r->crew->nr;) {
		r->crew->work(r->crew->ctx, i);
		atomic_fetch_add(&r->nr_ended, 1);
	}
	return NULL;
}

static void show_progress(const struct core_crew *c, uint64_t began_ns)
{
	uint64_t done = c->done(c->ctx), total = c->total, elapsed = clock_ns(CLOCK_MONOTONIC) - began_ns;
	double rate = (double)done / (double)(elapsed > 0 ? elapsed : 1);
	if (done > 0)
		print_progress("%.0f of %.0f million instructions, %.1f million a second, %.0f s left",
			       (double)done * 1e-6, (double)total * 1e-6, rate * 1e3,
			       (double)(total - done) / rate / 1e9);
}

void core_crew_run(const struct core_crew *c)
{
	pthread_t threads[MAX_CORE_JOBS];
	struct running r = {.crew = c};
	size_t nr = c->nr_threads > 0 ? c->nr_threads : pool_nr_processors(), nr_begun = 0;
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	bool shows = isatty(STDERR_FILENO);
	nr = nr < c->nr ? nr : c->nr;
	nr = nr < MAX_CORE_JOBS ? nr : MAX_CORE_JOBS;
	/* One job needs no thread, unless progress is shown beside it. */
	while ((nr > 1 || shows) && nr_begun < nr && pthread_create(&threads[nr_begun], NULL, run_thread, &r) == 0)
		nr_begun++;
	if (nr_begun == 0)
		run_thread(&r);
	while (shows && atomic_load(&r.nr_ended) < c->nr) {
		struct timespec pause = {.tv_nsec = PROGRESS_NS};
		nanosleep(&pause, NULL);
		show_progress(c, began_ns);
	}
	for (size_t i = 0; i < nr_begun; i++)
		pthread_join(threads[i], NULL);
	if (shows)
		end_progress();
}

/* ---- Division into jobs ---- */

struct place {
	size_t geometry, model;
};

static int by_geometry(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->geometry != y->geometry)
		return x->geometry < y->geometry ? -1 : 1;
	return x->model < y->model ? -1 : x->model > y->model;
}

/* The models, those of one geometry together: they share a functional pass. For the caller to free; NULL when memory is
 * short. */
static struct place *order_models(const struct core_jobs *r)
{
	struct place *order = calloc(r->nr_models, sizeof(*order));
	for (size_t i = 0; order && i < r->nr_models; i++) {
		size_t first = 0;
		while (!core_geometry_is_same(&r->models[first]->geometry, &r->models[i]->geometry))
			first++;
		order[i] = (struct place){first, i};
	}
	if (order)
		qsort(order, r->nr_models, sizeof(*order), by_geometry);
	return order;
}

/* Jobs per stream: as few as lanes allow, unless threads would have nothing to do. */
static size_t jobs_per_stream(const struct core_jobs *r, size_t nr_threads)
{
	size_t nr = (r->nr_models + MAX_LANES - 1) / MAX_LANES,
	       wanted = (nr_threads + r->nr_streams - 1) / r->nr_streams;
	wanted = wanted < r->nr_models ? wanted : r->nr_models;
	return nr > wanted ? nr : wanted;
}

static enum sahm_status make_jobs(struct crew *c, size_t nr_threads, struct sahm_err *err)
{
	const struct core_jobs *r = c->request;
	size_t nr = jobs_per_stream(r, nr_threads);
	struct place *order = order_models(r);
	c->jobs = calloc(nr * r->nr_streams, sizeof(*c->jobs));
	for (size_t i = 0; order && c->jobs && i < r->nr_streams; i++)
		for (size_t k = 0; k < nr; k++) {
			struct job *j = &c->jobs[c->nr++];
			j->crew = c;
			j->stream = i;
			for (size_t m = k * r->nr_models / nr; m < (k + 1) * r->nr_models / nr; m++)
				j->models[j->nr++] = order[m].model;
		}
	free(order);
	return c->nr > 0 ? SAHM_OK : sahm_fail_nomem(err);
}

/* Cores that are timed one by one although there are vectors. */
static void print_misfits(const struct core_jobs *r)
{
	for (size_t i = 0; i < r->nr_models && r->nr_models > 1 && r->form != LANES_SCALAR; i++)
		if (!timing_lanes_take(&r->models[i]->timing))
			print_remark(
				"%s has too many issue queues and groups of units for a lane: it is computed separately",
				r->models[i]->name);
}

enum sahm_status core_jobs_run(const struct core_jobs *r, struct core_counts *counts, struct sahm_err *err)
{
	size_t nr_threads = r->nr_threads > 0 ? r->nr_threads : pool_nr_processors();
	struct crew c = {.request = r, .counts = counts};
	print_misfits(r);
	enum sahm_status status = make_jobs(&c, nr_threads, err);
	const struct core_crew crew = {.ctx = &c,
				       .work = work,
				       .nr = c.nr,
				       .done = done,
				       .total = r->total * r->nr_models,
				       .nr_threads = r->nr_threads};
	if (status == SAHM_OK)
		core_crew_run(&crew);
	for (size_t i = 0; i < c.nr && status == SAHM_OK; i++)
		if (c.jobs[i].status != SAHM_OK)
			status = sahm_fail(err, c.jobs[i].status, "%s", c.jobs[i].err.msg);
	free(c.jobs);
	return status;
}
