/* Events of a run, put in order for the forms.
 *
 * Whether a thread that stops goes on shows only later, at the same time: where another thread's turn has come, or its
 * own again. So a stop is not written before time goes on, its core has another thread, or its thread is elsewhere. */
#include "results/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "results/timeline/timeline_internal.h"
#include "sim/base/file.h"
#include "sim/base/zstd_stream.h"

#define MAX_ENDINGS 3

static const struct {
	const struct timeline_writer *writer;
	const char *endings[MAX_ENDINGS];
} forms[NR_TIMELINE_FORMS] = {
#define ROW(suffix, name, ...) {&timeline_##name, {__VA_ARGS__}},
	TIMELINE_FORM_LIST(ROW)
#undef ROW
};

const char *const timeline_form_names[NR_TIMELINE_FORMS + 1] = {
#define ROW(suffix, name, ...) #name,
	TIMELINE_FORM_LIST(ROW)
#undef ROW
};

/* Whether the first `len` bytes of `path` end in `ending`. */
static bool ends_in(const char *path, size_t len, const char *ending)
{
	size_t nr = strlen(ending);
	return len >= nr && memcmp(path + len - nr, ending, nr) == 0;
}

bool timeline_form_of(const char *path, enum timeline_form *form)
{
	size_t len = strlen(path);
	if (ends_in(path, len, COMPRESSED_SUFFIX))
		len -= strlen(COMPRESSED_SUFFIX);
	for (unsigned f = 0; f < NR_TIMELINE_FORMS; f++) {
		for (unsigned i = 0; i < MAX_ENDINGS && forms[f].endings[i]; i++) {
			const char *ending = forms[f].endings[i];
			/* A name that is nothing but an ending asks for none. */
			if (len > strlen(ending) && ends_in(path, len, ending)) {
				*form = (enum timeline_form)f;
				return true;
			}
		}
	}
	return false;
}

/* Lets `next` (NOBODY: nobody) run on `core`, replacing the thread there. */
static void switch_to(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t next, unsigned state)
{
	struct timeline_core *c = &tl->cores[core];
	tl->writer->switch_threads(tl, ns, core, next, state);
	if (c->thread != NOBODY && ns > c->began_ns) {
		tl->threads[c->thread].core = core;
		tl->threads[c->thread].ran_ns = ns;
	}
	if (c->thread != NOBODY)
		tl->threads[c->thread].on = NOBODY;
	if (next != NOBODY)
		tl->threads[next].on = core;
	*c = (struct timeline_core){
		.thread = next,
		.state = (uint8_t)state,
		.since_ns = ns,
		.began_ns = ns,
		.is_listed = c->is_listed,
	};
}

/* A stop of this core is final. */
static void settle(struct timeline *tl, uint32_t core)
{
	if (tl->cores[core].is_stopping)
		switch_to(tl, tl->stopped_ns, core, NOBODY, STATE_LOW);
}

static void settle_all(struct timeline *tl)
{
	for (uint32_t i = 0; i < tl->nr_stopping; i++) {
		settle(tl, tl->stopping[i]);
		tl->cores[tl->stopping[i]].is_listed = false;
	}
	tl->nr_stopping = 0;
}

/* Thread `t` is not to be running any more: where it is about to stop, it has. */
static void settle_thread(struct timeline *tl, uint32_t t)
{
	if (tl->threads[t].on != NOBODY)
		settle(tl, tl->threads[t].on);
}

static void take_run(struct timeline *tl, const struct timeline_event *event, uint32_t t)
{
	struct timeline_core *c = &tl->cores[event->core];
	if (c->thread != t) {
		settle_thread(tl, t);
		switch_to(tl, event->ns, event->core, t, event->state);
		return;
	}
	c->is_stopping = false;
	if (c->state == event->state)
		return;
	if (tl->writer->change_state)
		tl->writer->change_state(tl, event->ns, event->core);
	c->state = event->state;
	c->since_ns = event->ns;
}

static void take_stop(struct timeline *tl, const struct timeline_event *event, uint32_t t)
{
	struct timeline_core *c = &tl->cores[event->core];
	if (c->thread != t)
		return;
	/* It is listed already after a stop at this time that came to nothing. */
	if (!c->is_listed)
		tl->stopping[tl->nr_stopping++] = event->core;
	c->is_listed = true;
	tl->stopped_ns = event->ns;
	c->is_stopping = true;
	c->reason = event->reason;
}

static void take(struct timeline_sink *sink, const struct timeline_event *event)
{
	struct timeline *tl = (struct timeline *)sink;
	uint32_t t = tl->first + event->thread;
	if (event->ns > tl->stopped_ns)
		settle_all(tl);
	tl->last_ns = event->ns;
	switch (event->kind) {
	case TIMELINE_RUN:
		take_run(tl, event, t);
		break;
	case TIMELINE_STOP:
		take_stop(tl, event, t);
		break;
	case TIMELINE_WAKE:
		settle_thread(tl, t);
		tl->writer->wake(tl, event->ns, event->core, t);
		break;
	case TIMELINE_MIGRATE:
		settle_thread(tl, t);
		tl->writer->migrate(tl, event->ns, event->from, event->core, t);
		break;
	}
}

static void begin(struct timeline_sink *sink, uint32_t first, uint32_t nr)
{
	struct timeline *tl = (struct timeline *)sink;
	settle_all(tl);
	tl->nr_simulations += tl->nr > 0;
	tl->begin_ns += tl->last_ns;
	tl->last_ns = tl->stopped_ns = 0;
	tl->first = first;
	tl->nr = nr;
	tl->writer->begin_simulation(tl);
}

static void release(struct timeline *tl)
{
	for (uint32_t t = 0; tl->threads && t < tl->config->nr_threads; t++)
		free(tl->threads[t].name);
	free(tl->threads);
	free(tl->cores);
	free(tl->stopping);
	free(tl);
}

static bool prepare_names(struct timeline *tl)
{
	for (uint32_t t = 0; t < tl->config->nr_threads; t++) {
		struct textbuf name;
		textbuf_init(&name);
		tl->writer->prepare_name(tl->config->threads[t].name, &name);
		tl->threads[t] = (struct timeline_thread){
			.name = textbuf_detach(&name), .on = NOBODY, .seen = NOBODY, .core = NOBODY};
		if (!tl->threads[t].name)
			return false;
	}
	return true;
}

struct timeline *timeline_new(const struct run_config *config, const char *title, enum timeline_form form, FILE *out)
{
	struct timeline *tl = calloc(1, sizeof(*tl));
	uint32_t nr_cores = config->chip.nr_cores;
	if (!tl)
		return NULL;
	*tl = (struct timeline){
		.sink = {.begin = begin, .take = take},
		.writer = forms[form].writer,
		.config = config,
		.title = title,
		.out = out,
		.nr_cores = nr_cores,
		.cores = calloc(nr_cores, sizeof(*tl->cores)),
		.threads = calloc(config->nr_threads, sizeof(*tl->threads)),
		.stopping = calloc(nr_cores, sizeof(*tl->stopping)),
	};
	if (!tl->cores || !tl->threads || !tl->stopping || !prepare_names(tl)) {
		release(tl);
		return NULL;
	}
	for (uint32_t c = 0; c < nr_cores; c++)
		tl->cores[c].thread = NOBODY;
	tl->writer->begin(tl);
	return tl;
}

struct timeline_sink *timeline_listener(struct timeline *timeline)
{
	return &timeline->sink;
}

void timeline_free(struct timeline *timeline)
{
	settle_all(timeline);
	timeline->writer->end(timeline);
	release(timeline);
}

struct timeline_file {
	struct atomic_file file;
	struct zstd_writer *compressor; /* NULL: none */
	struct timeline *timeline;
};

enum sahm_status timeline_file_open(struct timeline_file **file, const char *path, bool replaces,
				    enum timeline_form form, const struct run_config *config, const char *title,
				    struct sahm_err *err)
{
	struct timeline_file *f = calloc(1, sizeof(*f));
	if (!f)
		return sahm_fail_nomem(err);
	enum sahm_status status = atomic_file_begin(&f->file, path, replaces, err);
	if (status != SAHM_OK) {
		free(f);
		return status;
	}
	FILE *out = f->file.stream;
	if (ends_in(path, strlen(path), COMPRESSED_SUFFIX)) {
		f->compressor = zstd_writer_new(out, UNKNOWN_LARGE_SIZE);
		out = f->compressor ? zstd_writer_stream(f->compressor) : NULL;
	}
	f->timeline = out ? timeline_new(config, title, form, out) : NULL;
	if (!f->timeline)
		return timeline_file_close(f, sahm_fail_nomem(err), err);
	*file = f;
	return SAHM_OK;
}

struct timeline_sink *timeline_file_listener(struct timeline_file *file)
{
	return timeline_listener(file->timeline);
}

enum sahm_status timeline_file_close(struct timeline_file *file, enum sahm_status status, struct sahm_err *err)
{
	if (file->timeline && status == SAHM_OK && file->timeline->failed)
		status = sahm_fail_nomem(err);
	if (file->timeline)
		timeline_free(file->timeline);
	if (file->compressor)
		status = zstd_writer_free(file->compressor, file->file.path, status, err);
	if (status == SAHM_OK)
		status = atomic_file_commit(&file->file, err);
	else
		atomic_file_abort(&file->file);
	free(file);
	return status;
}
