/* sahm core path: what the critical path of a program on a core waits for. */
#include <stdlib.h>

#include "results/chart/plot.h"
#include "results/cores/core_path.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/output.h"

#define DEFAULT_TOP 10u
/* Two tables for each of more results than that are listed only if they are asked for. */
#define FEW_RESULTS 8u

struct request {
	enum output_form form;
	struct option_list cores;
	struct settings settings;
	struct option_list axes;
	struct stream_sampling sampling;
	const char *of_warm, *of_top, *plot;
	uint32_t jobs, top;
	unsigned lanes; /* enum lane_form */
	bool per_epoch, force;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "; can be repeated")},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{CORE_AXIS_OPTION(axes)},
	{"top", 0, "N",
	 "list the N instructions that are waited for longest, and the N edges (waits of one instruction for another) "
	 "with the most cycles; 0: none (10, or 0 with more than 8 streams and configurations; never in CSV)",
	 OPTION_WHOLE, AT(uint32_t, top), .most = MAX_PATH_TOP, .preset = DEFAULT_TOP, NOTE(of_top)},
	{"per-epoch", 0, NULL, "also print each epoch of the stream", OPTION_FLAG, AT(bool, per_epoch)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per stream, core and cause, or per epoch and cause")},
	{"plot", 0, "DIR",
	 "write a figure of the shares by cause, a bar per stream and core, to DIR: data, script, and .svg and .png "
	 "drawn by gnuplot",
	 OPTION_STRING, AT(const char *, plot), .written = true, .folder = true},
	{CORE_JOBS_OPTION(jobs)},
	{LANES_OPTION(lanes)},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- What is watched ---- */

struct watch {
	struct core_runs *runs;
	struct path_tops *tops; /* [runs->nr], or NULL */
	size_t top;
};

static enum sahm_status take_epoch(void *ctx, size_t stream, size_t core, uint64_t epoch,
				   const struct core_counts *counts, struct sahm_err *err)
{
	struct watch *w = ctx;
	return core_result_add_epoch(&w->runs->results[stream * w->runs->nr_cores + core], epoch, counts, err);
}

static enum sahm_status take_edges(void *ctx, size_t stream, size_t core, const struct path_edges *edges,
				   struct sahm_err *err)
{
	struct watch *w = ctx;
	return path_tops_take(&w->tops[stream * w->runs->nr_cores + core], edges, w->top, err);
}

/* ---- The command ---- */

static enum sahm_status print(const struct request *r, const struct path_report *report, struct sahm_err *err)
{
	struct textbuf out, notes;
	bool ok;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		ok = path_json(report, &out);
	else if (r->form == OUTPUT_CSV)
		ok = path_csv(report, &out);
	else
		ok = path_text(report, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = path_plot_write(report, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = plot_draw(r->plot, path_figure_name, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* Streams know which files the program had mapped. */
static enum sahm_status locate(const struct request *r, const struct watch *w, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->operands.streams.nr && status == SAHM_OK; i++) {
		struct stream *s = NULL;
		status = stream_open(r->operands.streams.items[i], NULL, &s, err);
		for (size_t k = 0; k < w->runs->nr_cores && status == SAHM_OK; k++)
			status = path_tops_locate(&w->tops[i * w->runs->nr_cores + k], s, err);
		stream_free(s);
	}
	return status;
}

static bool wants_tops(const struct request *r, const struct core_runs *runs)
{
	bool few = runs->nr_cores * r->operands.streams.nr <= FEW_RESULTS;
	return r->top > 0 && r->form != OUTPUT_CSV && (few || r->of_top);
}

static enum sahm_status run_streams(const struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	bool has_tops = wants_tops(r, runs);
	struct watch w = {.runs = runs, .top = r->top};
	struct core_jobs jobs = {.form = (enum lane_form)r->lanes,
				 .nr_threads = r->jobs,
				 .ctx = &w,
				 .epoch = r->per_epoch ? take_epoch : NULL,
				 .path = has_tops ? PATH_EDGES : PATH_CAUSES,
				 .edges = has_tops ? take_edges : NULL};
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	if (status == SAHM_OK && has_tops) {
		w.tops = calloc(runs->nr, sizeof(*w.tops));
		status = w.tops ? SAHM_OK : sahm_fail_nomem(err);
	}
	if (status == SAHM_OK)
		status = core_runs_finish(runs, &jobs, err);
	if (status == SAHM_OK && has_tops)
		status = locate(r, &w, err);
	const struct path_report report = {.nr_streams = r->operands.streams.nr,
					   .nr_cores = runs->nr_cores,
					   .results = runs->results,
					   .tops = w.tops};
	if (status == SAHM_OK)
		status = print(r, &report, err);
	for (size_t i = 0; w.tops && i < runs->nr; i++)
		path_tops_release(&w.tops[i]);
	free(w.tops);
	return status;
}

static enum sahm_status check_outputs(const struct request *r, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep}, *const figures[] = {path_figure_name, NULL};
	enum sahm_status status =
		core_operands_check_outputs(&r->operands, &r->cores, outputs, ARRAY_SIZE(outputs), err);
	return status == SAHM_OK ? core_request_check_figures(r->plot, figures, r->force, err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.top = DEFAULT_TOP};
	struct core_runs runs = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r.operands, err);
	if (status == SAHM_OK)
		status = core_operands_check(&r.operands, "sahm core path", err);
	if (status == SAHM_OK)
		status = core_jobs_check_form((enum lane_form)r.lanes, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r.sampling, r.of_warm, err);
	if (status == SAHM_OK)
		status = core_runs_read(&runs, &r.cores, &r.settings.list, &r.axes, err);
	if (status == SAHM_OK)
		status = check_outputs(&r, err);
	if (status == SAHM_OK)
		status = core_operands_record(&r.operands, r.force, err);
	if (status == SAHM_OK)
		status = run_streams(&r, &runs, err);
	core_runs_release(&runs);
	free(r.cores.items);
	free(r.axes.items);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_path;
const struct command command_core_path = {
	.name = "core path",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "find what the critical path of a program on a core waits for",
	.details =
		"The critical path is the chain of waits that makes the program take as long as it does. Each of its "
		"cycles has one cause, and the shares add up to 100 %. Tables leave out causes below 0.05 %. sahm "
		"help rob and so on explain the causes; queue-NAME is an entry of that issue queue, issue-NAME an "
		"issue slot of it, units-NAME a free unit, latency-CLASS the time that an instruction of that class "
		"takes. The front end is everything that brings instructions into the core.\n"
		"An instruction has the cycles that the path waits for it: for its result, for the room that it "
		"makes, or for fetch after it if it is a mispredicted branch. Its file is one that the program had "
		"mapped.\n"
		"A path is walked in windows of about 65,536 uops. If it leads back beyond what is kept of them, it "
		"is cut, and what came before has the cause cut.\n"
		"--plot needs gnuplot. Without gnuplot, data and scripts are still written.",
	.options = options,
	.run = run,
};
