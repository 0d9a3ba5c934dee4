#include "sim/cli/core_study_edge.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "results/studies/edge_study.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/core_jobs.h"

const char *const edge_block_words[] = {"four", "one", NULL};

/* A stream. */
struct job {
	enum sahm_status status;
	struct sahm_err err;
	atomic_uint_fast64_t nr_done; /* instructions */
};

struct crew {
	const struct edge_request *request;
	const struct edge_study *study;
	struct edge_program *programs; /* [nr] */
	struct job *jobs;	       /* [nr] */
	size_t nr;
};

static void take_progress(void *ctx, uint64_t nr_instructions)
{
	struct job *j = ctx;
	atomic_store(&j->nr_done, nr_instructions);
}

static void run_stream(void *ctx, size_t i)
{
	struct crew *c = ctx;
	struct job *j = &c->jobs[i];
	struct stream *s = NULL;
	/* Notes were printed when the streams were first looked at. */
	j->status = stream_open(c->request->operands->streams.items[i], NULL, &s, &j->err);
	if (j->status == SAHM_OK)
		j->status = edge_study_run(c->study, s, take_progress, j, &c->programs[i], &j->err);
	stream_free(s);
}

static uint64_t done(void *ctx)
{
	struct crew *c = ctx;
	uint64_t nr = 0;
	for (size_t i = 0; i < c->nr; i++)
		nr += atomic_load(&c->jobs[i].nr_done);
	return nr;
}

/* The first failure in the order of streams is reported. */
static enum sahm_status run_streams(const struct edge_request *r, const struct edge_study *s, uint64_t total,
				    struct edge_program *programs, struct sahm_err *err)
{
	struct crew c = {.request = r, .study = s, .programs = programs, .nr = r->operands->streams.nr};
	const struct core_crew crew = {
		.ctx = &c, .work = run_stream, .nr = c.nr, .done = done, .total = total, .nr_threads = r->jobs};
	c.jobs = calloc(c.nr, sizeof(*c.jobs));
	enum sahm_status status = c.jobs ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		core_crew_run(&crew);
	for (size_t i = 0; i < c.nr && status == SAHM_OK; i++)
		if (c.jobs[i].status != SAHM_OK)
			status = sahm_fail(err, c.jobs[i].status, "%s", c.jobs[i].err.msg);
	free(c.jobs);
	return status;
}

static enum sahm_status print(const struct edge_request *r, const struct edge_study *s,
			      const struct edge_program *programs, struct sahm_err *err)
{
	size_t nr = r->operands->streams.nr;
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		edge_study_json(s, programs, nr, &out);
	else if (r->form == OUTPUT_CSV)
		edge_study_csv(s, programs, nr, &out);
	else
		ok = edge_study_text(s, programs, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = edge_study_plot_write(s, programs, nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = edge_study_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status prepare(const struct edge_request *r, struct sahm_err *err)
{
	static const struct option_list no_cores;
	const char *const outputs[] = {r->operands->keep};
	enum sahm_status status =
		core_operands_check_outputs(r->operands, &no_cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = core_request_check_figures(r->plot, edge_study_figures, r->force, err);
	return status == SAHM_OK ? core_operands_record(r->operands, r->force, err) : status;
}

enum sahm_status core_study_edge(const struct edge_request *r, struct sahm_err *err)
{
	const struct edge_study study = {.has_large_blocks = r->blocks > 0,
					 .has_hammocks = r->has_hammocks,
					 .seed = r->seed,
					 .decode_cycles = r->decode_cycles,
					 .sampling = *r->sampling};
	enum sahm_status status = prepare(r, err);
	if (status != SAHM_OK)
		return status;
	size_t nr = r->operands->streams.nr;
	struct edge_program *programs = calloc(nr, sizeof(*programs));
	uint64_t *nr_sampled = calloc(nr, sizeof(*nr_sampled)), total = 0;
	status = programs && nr_sampled ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_operands_look(r->operands, r->sampling, nr_sampled, &total, err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		programs[i].stream = core_operands_label(r->operands, i);
		programs[i].nr_sampled = nr_sampled[i];
	}
	if (status == SAHM_OK)
		status = run_streams(r, &study, total, programs, err);
	if (status == SAHM_OK)
		status = print(r, &study, programs, err);
	free(nr_sampled);
	free(programs);
	return status;
}
