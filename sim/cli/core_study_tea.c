#include "sim/cli/core_study_tea.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/studies/tea_study.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/cli/command.h"
#include "sim/cli/core_runs.h"

#define MAX_PERIOD (UINT64_C(1) << 62)

struct study {
	const struct tea_request *request;
	struct core_runs runs;
	struct tea_study study;
	uint64_t periods[MAX_TEA_PERIODS];
	struct stack_sampling samplings[MAX_TEA_PERIODS];
	struct stack_pass **passes;   /* [streams]: of those that run */
	struct tea_program *programs; /* [streams] */
};

/* ---- Periods ---- */

static enum sahm_status read_period(struct study *s, const char *text, struct sahm_err *err)
{
	unsigned nr = s->study.nr_periods;
	uint64_t period;
	if (number_read_u64(text, strlen(text), &period) != NUMBER_OK || period == 0 || period > MAX_PERIOD)
		return sahm_fail(err, SAHM_USAGE, "--periods: a period is a number of cycles from 1 on, not '%.40s'",
				 text);
	if (nr == MAX_TEA_PERIODS)
		return sahm_fail(err, SAHM_USAGE, "--periods: more than %u periods", MAX_TEA_PERIODS);
	if (nr > 0 && period <= s->periods[nr - 1])
		return sahm_fail(err, SAHM_USAGE, "--periods: %" PRIu64 " is not above the period before, %" PRIu64,
				 period, s->periods[nr - 1]);
	s->samplings[nr] = (struct stack_sampling){.period = period, .has_jitter = true, .seed = s->request->seed};
	s->periods[s->study.nr_periods++] = period;
	return SAHM_OK;
}

static enum sahm_status read_periods(struct study *s, struct sahm_err *err)
{
	const char *given[] = {s->request->periods};
	const struct option_list list = {.items = given, .nr = 1};
	struct option_list periods = {0};
	enum sahm_status status =
		core_request_split(&list, "--periods", "a period", &s->request->operands->arena, &periods, err);
	for (size_t i = 0; i < periods.nr && status == SAHM_OK; i++)
		status = read_period(s, periods.items[i], err);
	free(periods.items);
	return status;
}

/* ---- Running ---- */

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct study *s = ctx;
	s->passes[stream] = stack_pass_new(&s->runs.models[core].timing, s->samplings, s->study.nr_periods);
	if (!s->passes[stream])
		return sahm_fail_nomem(err);
	watch->signatures = stack_pass_signatures(s->passes[stream]);
	return SAHM_OK;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct study *s = ctx;
	(void)core;
	(void)notes;
	return stack_pass_run(s->passes[stream], batch, stamps) ? SAHM_OK : sahm_fail_nomem(err);
}

/* Numbers are all that stays of a stream. */
static enum sahm_status end(void *ctx, size_t stream, size_t core, struct sahm_err *err)
{
	struct study *s = ctx;
	struct stack_pass **pass = &s->passes[stream];
	struct function_map *map = NULL;
	(void)core;
	enum sahm_status status = stack_pass_end(*pass) ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = function_map_open(s->request->operands->streams.items[stream], &map, err);
	if (status == SAHM_OK)
		status = tea_study_reduce(&s->study, *pass, map, &s->programs[stream], err);
	function_map_free(map);
	stack_pass_free(*pass);
	*pass = NULL;
	return status;
}

static enum sahm_status run_streams(struct study *s, struct sahm_err *err)
{
	const struct tea_request *r = s->request;
	struct core_jobs jobs = {
		.form = LANES_SCALAR, .nr_threads = r->jobs, .ctx = s, .begin = begin, .batch = take_batch, .end = end};
	enum sahm_status status = core_runs_begin(&s->runs, r->operands, r->sampling, &jobs, err);
	if (status != SAHM_OK)
		return status;
	s->passes = calloc(r->operands->streams.nr, sizeof(struct stack_pass *));
	s->programs = calloc(r->operands->streams.nr, sizeof(*s->programs));
	status = s->passes && s->programs ? core_runs_finish(&s->runs, &jobs, err) : sahm_fail_nomem(err);
	for (size_t i = 0; s->programs && i < r->operands->streams.nr; i++) {
		s->programs[i].stream = s->runs.results[i].stream;
		s->programs[i].nr_sampled = s->runs.results[i].nr_sampled;
	}
	return status;
}

/* ---- Printing ---- */

static void warn_of_few(const struct study *s, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t samples = s->programs[i].errors[0][SCHEME_TEA].samples;
		if (samples < MIN_PICS_SAMPLES)
			print_warning("%s: only %" PRIu64 " samples at %" PRIu64 " cycles: errors are mostly chance",
				      s->programs[i].stream, samples, s->periods[0]);
	}
}

static enum sahm_status print(const struct study *s, struct sahm_err *err)
{
	const struct tea_request *r = s->request;
	size_t nr = r->operands->streams.nr;
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	warn_of_few(s, nr);
	if (r->form == OUTPUT_JSON)
		tea_study_json(&s->study, s->programs, nr, &out);
	else if (r->form == OUTPUT_CSV)
		tea_study_csv(&s->study, s->programs, nr, &out);
	else
		ok = tea_study_text(&s->study, s->programs, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = tea_study_plot_write(&s->study, s->programs, nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = tea_study_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status prepare(struct study *s, struct sahm_err *err)
{
	static const struct option_list no_axes;
	const struct tea_request *r = s->request;
	const char *core[] = {r->core};
	const struct option_list cores = {.items = core, .nr = 1};
	const char *const outputs[] = {r->operands->keep};
	enum sahm_status status = read_periods(s, err);
	if (status == SAHM_OK)
		status = core_runs_read(&s->runs, &cores, r->settings, &no_axes, err);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(r->operands, &cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = core_request_check_figures(r->plot, tea_study_figures, r->force, err);
	return status == SAHM_OK ? core_operands_record(r->operands, r->force, err) : status;
}

enum sahm_status core_study_tea(const struct tea_request *r, struct sahm_err *err)
{
	struct study s = {.request = r};
	enum sahm_status status = prepare(&s, err);
	if (status == SAHM_OK) {
		s.study.core = s.runs.names[0];
		s.study.config_hash = s.runs.hashes[0];
		s.study.timing = &s.runs.models[0].timing;
		s.study.periods = s.periods;
		s.study.seed = r->seed;
		s.study.sampling = *r->sampling;
		status = run_streams(&s, err);
	}
	if (status == SAHM_OK)
		status = print(&s, err);
	for (size_t i = 0; s.passes && i < r->operands->streams.nr; i++)
		stack_pass_free(s.passes[i]);
	free(s.passes);
	free(s.programs);
	core_runs_release(&s.runs);
	return status;
}
