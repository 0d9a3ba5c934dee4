#include "sim/cli/core_study_fidelity.h"

#include <stdlib.h>
#include <string.h>

#include "results/cores/graph_feed.h"
#include "results/studies/fidelity_study.h"
#include "sim/base/array.h"
#include "sim/cli/core_runs.h"

struct study {
	const struct fidelity_request *request;
	struct core_runs runs;
	char **names;					 /* [cores]: with the values of axes */
	struct graph_feed (*feeds)[NR_GRAPH_ALGORITHMS]; /* [streams][cores]: of those that run */
	struct fidelity_result *results;		 /* the same */
};

/* ---- Running ---- */

static bool has_algorithm(const struct core_model *model, enum graph_algorithm algorithm)
{
	return (model->timing.kind == CORE_IN_ORDER) == (algorithm == GRAPH_ONE_PASS);
}

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct study *s = ctx;
	struct graph_feed *feeds = s->feeds[stream * s->runs.nr_cores + core];
	const struct core_model *model = &s->runs.models[core];
	struct graph_config c;
	enum sahm_status status = SAHM_OK;
	(void)watch;
	graph_feed_config(&model->timing, &c);
	for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS && status == SAHM_OK; a++) {
		feeds[a].timing = &model->timing;
		if (has_algorithm(model, (enum graph_algorithm)a))
			status = graph_new(&c, (enum graph_algorithm)a, 1, &feeds[a].graph, err);
	}
	return status;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct study *s = ctx;
	struct graph_feed *feeds = s->feeds[stream * s->runs.nr_cores + core];
	enum sahm_status status = SAHM_OK;
	(void)stamps;
	(void)notes;
	for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS && status == SAHM_OK; a++)
		if (feeds[a].graph)
			status = graph_feed_batch(&feeds[a], batch, err);
	return status;
}

static enum sahm_status end(void *ctx, size_t stream, size_t core, struct sahm_err *err)
{
	struct study *s = ctx;
	size_t i = stream * s->runs.nr_cores + core;
	enum sahm_status status = SAHM_OK;
	for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS && status == SAHM_OK; a++) {
		if (!s->feeds[i][a].graph)
			continue;
		status = graph_finish(s->feeds[i][a].graph, &s->results[i].graphs[a], err);
		graph_free(s->feeds[i][a].graph);
		s->feeds[i][a].graph = NULL;
	}
	return status;
}

static enum sahm_status run_streams(struct study *s, struct sahm_err *err)
{
	const struct fidelity_request *r = s->request;
	struct core_jobs jobs = {.form = LANES_SCALAR,
				 .nr_threads = r->jobs,
				 .ctx = s,
				 .begin = begin,
				 .batch = take_batch,
				 .end = end,
				 .path = PATH_CAUSES};
	enum sahm_status status = core_runs_begin(&s->runs, r->operands, r->sampling, &jobs, err);
	if (status != SAHM_OK)
		return status;
	s->feeds = calloc(s->runs.nr, sizeof(*s->feeds));
	s->results = calloc(s->runs.nr, sizeof(*s->results));
	if (!s->feeds || !s->results)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < s->runs.nr; i++) {
		s->results[i].recurrence = &s->runs.results[i];
		s->results[i].core = s->names[i % s->runs.nr_cores];
	}
	return core_runs_finish(&s->runs, &jobs, err);
}

/* ---- The study ---- */

static enum sahm_status print(const struct study *s, struct sahm_err *err)
{
	const struct fidelity_request *r = s->request;
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		fidelity_json(s->results, s->runs.nr, &out);
	else if (r->form == OUTPUT_CSV)
		fidelity_csv(s->results, s->runs.nr, &out);
	else
		ok = fidelity_text(s->results, s->runs.nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = fidelity_plot_write(s->results, s->runs.nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = fidelity_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* "gem5-ooo rob=64" */
static enum sahm_status name_cores(struct study *s, struct sahm_err *err)
{
	s->names = calloc(s->runs.nr_cores, sizeof(char *));
	for (size_t i = 0; s->names && i < s->runs.nr_cores; i++) {
		const struct core_axes *axes = &s->runs.axes;
		struct textbuf name;
		textbuf_init(&name);
		textbuf_puts(&name, s->runs.names[i]);
		for (unsigned k = 0; k < axes->nr; k++)
			textbuf_printf(&name, " %s",
				       axes->axes[k].arguments[core_axes_value(axes, i % axes->nr_points, k)]);
		s->names[i] = textbuf_detach(&name);
		if (!s->names[i])
			return sahm_fail_nomem(err);
	}
	return s->names ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status prepare(struct study *s, struct sahm_err *err)
{
	const struct fidelity_request *r = s->request;
	const char *const outputs[] = {r->operands->keep};
	enum sahm_status status = core_runs_read(&s->runs, r->cores, r->settings, r->axes, err);
	if (status == SAHM_OK)
		status = name_cores(s, err);
	for (size_t i = 0; i < s->runs.nr_cores && status == SAHM_OK; i++) {
		struct graph_config c;
		const char *cut = graph_feed_config(&s->runs.models[i].timing, &c);
		if (cut)
			print_warning("%s: the core has a larger %s than a graph can have, which is cut", s->names[i],
				      cut);
	}
	if (status == SAHM_OK)
		status = core_operands_check_outputs(r->operands, r->cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = core_request_check_figures(r->plot, fidelity_figures, r->force, err);
	return status == SAHM_OK ? core_operands_record(r->operands, r->force, err) : status;
}

enum sahm_status core_study_fidelity(const struct fidelity_request *r, struct sahm_err *err)
{
	struct study s = {.request = r};
	enum sahm_status status = prepare(&s, err);
	if (status == SAHM_OK)
		status = run_streams(&s, err);
	if (status == SAHM_OK)
		status = print(&s, err);
	for (size_t i = 0; s.feeds && i < s.runs.nr; i++)
		for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS; a++)
			graph_free(s.feeds[i][a].graph);
	for (size_t i = 0; s.names && i < s.runs.nr_cores; i++)
		free(s.names[i]);
	free(s.names);
	free(s.feeds);
	free(s.results);
	core_runs_release(&s.runs);
	return status;
}
