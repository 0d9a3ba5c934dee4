#include "sim/cli/core_study_vp.h"

#include <stdlib.h>

#include "results/studies/value_prediction_study.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/core_runs.h"

struct study {
	const struct vp_request *request;
	struct core_runs runs;
	struct value_study study;
	enum value_phase phase;
	size_t nr; /* streams */
	struct value_loads **loads;
	struct value_program *programs;
};

/* ---- Running ---- */

static void predict(void *ctx, size_t stream, const size_t *cores, unsigned nr, const struct uop_batch *batch,
		    uint64_t first_load, struct load_predictions *p)
{
	const struct study *s = ctx;
	value_loads_predict(s->loads[stream], cores, nr, batch, first_load, p);
}

static struct load_set *critical(void *ctx, size_t stream, size_t core)
{
	const struct study *s = ctx;
	unsigned last;
	return value_phase_marks(s->phase, &last) && core == last ? value_loads_critical(s->loads[stream]) : NULL;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	const struct study *s = ctx;
	(void)core;
	(void)notes;
	(void)err;
	value_loads_stamp(s->loads[stream], batch, stamps);
	return SAHM_OK;
}

static void take_counts(struct study *s, unsigned nr_cores, const struct core_counts *counts)
{
	unsigned point;
	for (size_t i = 0; value_phase_point(s->phase, &point) && i < s->nr; i++)
		for (unsigned k = 0; k < nr_cores; k++) {
			const struct core_counts *c = &counts[i * nr_cores + k];
			s->programs[i].instructions = c->timing.instructions;
			s->programs[i].points[point + k].cycles = c->timing.cycles;
		}
}

static enum sahm_status run_phase(struct study *s, struct core_jobs jobs, struct sahm_err *err)
{
	const struct core_model *models[NR_UNAWARE_POINTS];
	unsigned nr_cores = value_phase_cores(s->phase), core;
	bool is_timed = s->phase == VALUE_LATENCIES, marks = value_phase_marks(s->phase, &core);
	struct core_counts *counts = calloc(s->nr * nr_cores, sizeof(*counts));
	enum sahm_status status = counts ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < s->nr && status == SAHM_OK; i++)
		status = value_loads_begin(s->loads[i], s->phase, &s->programs[i], err);
	for (unsigned i = 0; i < nr_cores; i++)
		models[i] = &s->runs.models[0];
	jobs.models = models;
	jobs.nr_models = nr_cores;
	jobs.predict = predict;
	jobs.critical = marks ? critical : NULL;
	jobs.path = marks ? PATH_CAUSES : PATH_NOT;
	jobs.batch = is_timed ? take_batch : NULL;
	if (status == SAHM_OK)
		status = core_jobs_run(&jobs, counts, err);
	if (status == SAHM_OK)
		take_counts(s, nr_cores, counts);
	free(counts);
	return status;
}

static enum sahm_status run_streams(struct study *s, struct sahm_err *err)
{
	const struct vp_request *r = s->request;
	bool fits = timing_lanes_take(&s->runs.models[0].timing);
	struct core_jobs jobs = {.form = fits ? r->lanes : LANES_SCALAR, .nr_threads = r->jobs, .ctx = s};
	enum sahm_status status = core_runs_begin(&s->runs, r->operands, r->sampling, &jobs, err);
	if (status != SAHM_OK)
		return status;
	s->nr = r->operands->streams.nr;
	s->loads = calloc(s->nr, sizeof(struct value_loads *));
	s->programs = calloc(s->nr, sizeof(*s->programs));
	status = s->loads && s->programs ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < s->nr && status == SAHM_OK; i++) {
		s->programs[i].stream = s->runs.results[i].stream;
		s->programs[i].nr_sampled = s->runs.results[i].nr_sampled;
		s->loads[i] = value_loads_new(&s->study);
		status = s->loads[i] ? SAHM_OK : sahm_fail_nomem(err);
	}
	for (s->phase = VALUE_UNAWARE; s->phase < NR_VALUE_PHASES && status == SAHM_OK; s->phase++)
		status = run_phase(s, jobs, err);
	return status;
}

/* ---- Printing ---- */

static enum sahm_status print(const struct study *s, struct sahm_err *err)
{
	const struct vp_request *r = s->request;
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		value_study_json(&s->study, s->programs, s->nr, &out);
	else if (r->form == OUTPUT_CSV)
		value_study_csv(&s->study, s->programs, s->nr, &out);
	else
		ok = value_study_text(&s->study, s->programs, s->nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = value_study_plot_write(&s->study, s->programs, s->nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = value_study_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status prepare(struct study *s, struct sahm_err *err)
{
	static const struct option_list no_axes;
	const struct vp_request *r = s->request;
	const char *core[] = {r->core};
	const struct option_list cores = {.items = core, .nr = 1};
	const char *const outputs[] = {r->operands->keep};
	enum sahm_status status = core_runs_read(&s->runs, &cores, r->settings, &no_axes, err);
	if (status == SAHM_OK && core_is_ideal(&s->runs.models[0].timing, IDEAL_VALUE_PREDICTION))
		status = sahm_fail(err, SAHM_USAGE, "%s predicts all loads already (ideal)", r->core);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(r->operands, &cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = core_request_check_figures(r->plot, value_study_figures, r->force, err);
	return status == SAHM_OK ? core_operands_record(r->operands, r->force, err) : status;
}

enum sahm_status core_study_vp(const struct vp_request *r, struct sahm_err *err)
{
	struct study s = {.request = r};
	enum sahm_status status = prepare(&s, err);
	if (status == SAHM_OK) {
		s.study = (struct value_study){.core = s.runs.names[0],
					       .config_hash = s.runs.hashes[0],
					       .seed = r->seed,
					       .accuracy = r->accuracy,
					       .sampling = *r->sampling};
		status = run_streams(&s, err);
	}
	if (status == SAHM_OK)
		status = print(&s, err);
	for (size_t i = 0; s.loads && i < s.nr; i++)
		value_loads_free(s.loads[i]);
	free(s.loads);
	free(s.programs);
	core_runs_release(&s.runs);
	return status;
}
