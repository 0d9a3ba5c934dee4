#include "sim/cli/core_study_ipu_pics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/studies/ipu_pics_study.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/ipu_loaded.h"
#include "sim/engine/core_probe.h"

#define STUDY_NAME "pics" /* of the program and of the ABI spec */

/* A stream that runs. */
struct watched {
	struct stack_pass *pass;
	struct core_probe *probe;
	struct ipu_samples samples[NR_IPU_PICS_UNITS];
};

struct study {
	const struct ipu_pics_request *request;
	struct core_runs runs;
	struct ipu_pics_study study;
	struct ipu_loaded loaded;
	struct core_wiring wiring;
	struct core_ipu ipus[NR_IPU_PICS_UNITS];
	uint64_t ready_at;		   /* all timers count from this cycle */
	struct watched *streams;	   /* [streams] */
	struct ipu_pics_program *programs; /* [streams] */
};

/* ---- The program ---- */

static enum sahm_status load_program(struct study *s, struct sahm_err *err)
{
	char period[40];
	const char *settings[] = {period};
	const struct option_list list = {.items = settings, .nr = 1};
	const struct ipu_load_request load = {
		.program = STUDY_NAME, .abi = STUDY_NAME, .settings = &list, .engine = DEFAULT_HART_ENGINE};
	snprintf(period, sizeof(period), "period=%" PRIu64, s->request->period);
	enum sahm_status status = ipu_loaded_read_abi(&s->loaded, &load, err);
	if (status == SAHM_OK)
		status = core_wire(&s->loaded.abi, &s->wiring, err);
	return status == SAHM_OK ? ipu_loaded_read(&s->loaded, &load, err) : status;
}

static void drain(void *ctx, struct ipu_unit *u)
{
	struct ipu_packet packet;
	while (ipu_unit_take(u, &packet))
		ipu_samples_add(ctx, &packet);
}

static enum sahm_status align(struct study *s, struct sahm_err *err)
{
	for (unsigned i = 0; i < NR_IPU_PICS_UNITS; i++)
		s->ipus[i] = (struct core_ipu){
			.config = ipu_pics_config((enum ipu_pics_unit)i), .program = s->loaded.program, .drain = drain};
	return core_ipus_align(s->ipus, NR_IPU_PICS_UNITS, &s->ready_at, err);
}

/* ---- Running ---- */

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct study *s = ctx;
	struct watched *x = &s->streams[stream];
	const struct core_timing *t = &s->runs.models[core].timing;
	const struct stack_sampling sampling = {.period = s->request->period, .delay = s->ready_at + 1};
	struct core_ipu ipus[NR_IPU_PICS_UNITS];
	for (unsigned i = 0; i < NR_IPU_PICS_UNITS; i++) {
		ipus[i] = s->ipus[i];
		ipus[i].ctx = &x->samples[i];
	}
	x->pass = stack_pass_new(t, &sampling, 1);
	if (!x->pass)
		return sahm_fail_nomem(err);
	watch->signatures = stack_pass_signatures(x->pass);
	return core_probe_new(&x->probe, t, &s->wiring, ipus, NR_IPU_PICS_UNITS, err);
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct study *s = ctx;
	struct watched *x = &s->streams[stream];
	(void)core;
	(void)notes;
	/* First: the pass gives each uop the signature of its whole instruction. */
	enum sahm_status status = core_probe_run(x->probe, batch, stamps, stack_pass_signatures(x->pass), err);
	return status == SAHM_OK && !stack_pass_run(x->pass, batch, stamps) ? sahm_fail_nomem(err) : status;
}

static enum sahm_status reduce(struct study *s, size_t stream, struct function_map *map, struct sahm_err *err)
{
	struct watched *x = &s->streams[stream];
	struct pics_counts counts = core_probe_counts(x->probe);
	struct ipu_pics_run runs[NR_IPU_PICS_UNITS];
	for (unsigned i = 0; i < NR_IPU_PICS_UNITS; i++) {
		if (!ipu_samples_end(&x->samples[i]))
			return sahm_fail_nomem(err);
		runs[i] = (struct ipu_pics_run){&x->samples[i], ipu_unit_counts(core_probe_unit(x->probe, i))};
	}
	return ipu_pics_reduce(x->pass, &counts, runs, map, &s->programs[stream], err);
}

static void release(struct watched *x)
{
	stack_pass_free(x->pass);
	core_probe_free(x->probe);
	for (unsigned i = 0; i < NR_IPU_PICS_UNITS; i++)
		ipu_samples_release(&x->samples[i]);
	x->pass = NULL;
	x->probe = NULL;
}

/* Numbers are all that stays of a stream. */
static enum sahm_status end(void *ctx, size_t stream, size_t core, struct sahm_err *err)
{
	struct study *s = ctx;
	struct watched *x = &s->streams[stream];
	struct function_map *map = NULL;
	(void)core;
	enum sahm_status status = stack_pass_end(x->pass) ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_probe_end(x->probe, err);
	if (status == SAHM_OK)
		status = function_map_open(s->request->operands->streams.items[stream], &map, err);
	if (status == SAHM_OK)
		status = reduce(s, stream, map, err);
	function_map_free(map);
	release(x);
	return status;
}

static enum sahm_status run_streams(struct study *s, struct sahm_err *err)
{
	const struct ipu_pics_request *r = s->request;
	struct core_jobs jobs = {
		.form = LANES_SCALAR, .nr_threads = r->jobs, .ctx = s, .begin = begin, .batch = take_batch, .end = end};
	enum sahm_status status = core_runs_begin(&s->runs, r->operands, r->sampling, &jobs, err);
	if (status != SAHM_OK)
		return status;
	s->streams = calloc(r->operands->streams.nr, sizeof(*s->streams));
	s->programs = calloc(r->operands->streams.nr, sizeof(*s->programs));
	status = s->streams && s->programs ? core_runs_finish(&s->runs, &jobs, err) : sahm_fail_nomem(err);
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
		uint64_t samples = s->programs[i].of[IPU_PICS_REFERENCE].samples;
		if (samples < MIN_PICS_SAMPLES)
			print_warning("%s: only %" PRIu64 " samples at %" PRIu64
				      " cycles: errors are mostly chance; a smaller --period takes more",
				      s->programs[i].stream, samples, s->request->period);
	}
}

/* Then a unit has no time for anything else. */
static void warn_of_missed(const struct study *s, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		for (unsigned u = 0; u < NR_IPU_PICS_UNITS; u++) {
			uint64_t missed = s->programs[i].of[u].missed;
			if (missed > 0)
				print_warning("%s: the unit of setting %s misses %" PRIu64
					      " samples: one takes longer than a --period of %" PRIu64 " cycles",
					      s->programs[i].stream, ipu_pics_name((enum ipu_pics_unit)u), missed,
					      s->request->period);
		}
}

static enum sahm_status print(const struct study *s, struct sahm_err *err)
{
	const struct ipu_pics_request *r = s->request;
	size_t nr = r->operands->streams.nr;
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	warn_of_few(s, nr);
	warn_of_missed(s, nr);
	if (r->form == OUTPUT_JSON)
		ipu_pics_json(&s->study, s->programs, nr, &out);
	else if (r->form == OUTPUT_CSV)
		ipu_pics_csv(&s->study, s->programs, nr, &out);
	else
		ok = ipu_pics_text(&s->study, s->programs, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = ipu_pics_plot_write(&s->study, s->programs, nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = ipu_pics_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status prepare(struct study *s, struct sahm_err *err)
{
	static const struct option_list no_axes;
	const struct ipu_pics_request *r = s->request;
	const char *core[] = {r->core};
	const struct option_list cores = {.items = core, .nr = 1};
	const char *const outputs[] = {r->operands->keep};
	enum sahm_status status = load_program(s, err);
	if (status == SAHM_OK)
		status = align(s, err);
	if (status == SAHM_OK)
		status = core_runs_read(&s->runs, &cores, r->settings, &no_axes, err);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(r->operands, &cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = core_request_check_figures(r->plot, ipu_pics_figures, r->force, err);
	return status == SAHM_OK ? core_operands_record(r->operands, r->force, err) : status;
}

enum sahm_status core_study_ipu_pics(const struct ipu_pics_request *r, struct sahm_err *err)
{
	struct study s = {.request = r};
	enum sahm_status status = prepare(&s, err);
	if (status == SAHM_OK) {
		s.study = (struct ipu_pics_study){.core = s.runs.names[0],
						  .config_hash = s.runs.hashes[0],
						  .period = r->period,
						  .sampling = *r->sampling};
		status = run_streams(&s, err);
	}
	if (status == SAHM_OK)
		status = print(&s, err);
	for (size_t i = 0; s.streams && i < r->operands->streams.nr; i++)
		release(&s.streams[i]);
	free(s.streams);
	free(s.programs);
	core_runs_release(&s.runs);
	ipu_loaded_release(&s.loaded);
	return status;
}
