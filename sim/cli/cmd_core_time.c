/* sahm core time: instruction streams through models of cores. */
#include <stdlib.h>
#include <string.h>

#include "results/cores/core_log.h"
#include "results/cores/core_report.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/output.h"

struct request {
	enum output_form form;
	struct option_list cores;
	struct settings settings;
	struct option_list axes;
	struct stream_sampling sampling;
	const char *of_warm;
	uint32_t jobs;
	unsigned lanes; /* enum lane_form */
	bool measure_clock, per_epoch, force;
	const char *stamps, *uops;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "; can be repeated")},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{CORE_AXIS_OPTION(axes)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{MEASURE_CLOCK_OPTION(measure_clock)},
	{"per-epoch", 0, NULL, "also print each epoch of the stream", OPTION_FLAG, AT(bool, per_epoch)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per core and stream, or per epoch")},
	{CORE_JOBS_OPTION(jobs)},
	{LANES_OPTION(lanes)},
	{"stamps", 0, "FILE", "write the times of every uop to FILE, as CSV", OPTION_STRING, AT(const char *, stamps),
	 .written = true},
	{"uops", 0, "FILE", "write what the timing model was given for every uop to FILE, a JSON object per line",
	 OPTION_STRING, AT(const char *, uops), .written = true},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- What is watched ---- */

struct watch {
	struct core_result *results; /* [streams][nr_cores] */
	size_t nr_cores;
	FILE *stamps, *uops; /* of a single result, or NULL */
	uint64_t seq_stamps, seq_uops;
};

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct watch *w = ctx;
	(void)stream;
	(void)core;
	(void)notes;
	(void)err;
	if (w->stamps)
		core_log_stamps(w->stamps, &w->seq_stamps, batch, stamps);
	if (w->uops)
		core_log_uops(w->uops, &w->seq_uops, &w->results->model->timing, batch);
	return SAHM_OK;
}

static enum sahm_status take_epoch(void *ctx, size_t stream, size_t core, uint64_t epoch,
				   const struct core_counts *counts, struct sahm_err *err)
{
	struct watch *w = ctx;
	return core_result_add_epoch(&w->results[stream * w->nr_cores + core], epoch, counts, err);
}

/* ---- The command ---- */

#define ONE_PAIR "--stamps and --uops take one core and one stream"

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	enum sahm_status status = core_operands_check(&r->operands, "sahm core time", err);
	if (status != SAHM_OK)
		return status;
	if ((r->stamps || r->uops) && r->operands.streams.nr > 1)
		return sahm_fail(err, SAHM_USAGE, ONE_PAIR);
	if ((r->stamps && strcmp(r->stamps, "-") == 0) || (r->uops && strcmp(r->uops, "-") == 0))
		return sahm_fail(err, SAHM_USAGE,
				 "--stamps and --uops need the name of a file: standard output has the tables");
	return SAHM_OK;
}

static enum sahm_status print(const struct request *r, const struct core_result *results, size_t nr,
			      struct sahm_err *err)
{
	struct textbuf out;
	bool ok = true;
	textbuf_init(&out);
	if (r->form == OUTPUT_JSON)
		core_report_json(results, nr, &out);
	else if (r->form == OUTPUT_CSV)
		core_report_csv(results, nr, &out);
	else
		ok = core_report_text(results, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status open_log(const char *path, bool force, struct atomic_file *f, FILE **stream,
				 struct sahm_err *err)
{
	if (!path)
		return SAHM_OK;
	enum sahm_status status = atomic_file_begin(f, path, force, err);
	if (status == SAHM_OK)
		*stream = f->stream;
	return status;
}

static enum sahm_status close_log(struct atomic_file *f, FILE *stream, enum sahm_status status, struct sahm_err *err)
{
	if (!stream)
		return status;
	if (status == SAHM_OK)
		return atomic_file_commit(f, err);
	atomic_file_abort(f);
	return status;
}

/* Files are opened after the streams were looked at: a stream that cannot be read leaves none. */
static enum sahm_status run_logged(const struct request *r, struct core_runs *runs, struct core_jobs *jobs,
				   struct sahm_err *err)
{
	struct watch w = {.results = runs->results, .nr_cores = runs->nr_cores};
	struct atomic_file stamps, uops;
	enum sahm_status status = open_log(r->stamps, r->force, &stamps, &w.stamps, err);
	if (status == SAHM_OK)
		status = open_log(r->uops, r->force, &uops, &w.uops, err);
	if (status == SAHM_OK && w.stamps)
		core_log_stamps_head(w.stamps);
	jobs->ctx = &w;
	jobs->epoch = r->per_epoch ? take_epoch : NULL;
	jobs->batch = w.stamps || w.uops ? take_batch : NULL;
	if (status == SAHM_OK)
		status = core_runs_finish(runs, jobs, err);
	status = close_log(&stamps, w.stamps, status, err);
	return close_log(&uops, w.uops, status, err);
}

static enum sahm_status run_streams(const struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	struct core_jobs jobs = {
		.form = (enum lane_form)r->lanes, .measures_clock = r->measure_clock, .nr_threads = r->jobs};
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	if (status == SAHM_OK)
		status = run_logged(r, runs, &jobs, err);
	if (status == SAHM_OK)
		status = print(r, runs->results, runs->nr, err);
	return status;
}

static bool any_needs_clock(const struct core_runs *runs)
{
	bool any = false;
	for (size_t i = 0; i < runs->nr_cores; i++)
		any |= core_geometry_needs_clock(&runs->models[i].geometry);
	return any;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_runs runs = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r.operands, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = core_jobs_check_form((enum lane_form)r.lanes, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r.sampling, r.of_warm, err);
	const char *const outputs[] = {r.stamps, r.uops, r.operands.keep};
	if (status == SAHM_OK)
		status = core_operands_check_outputs(&r.operands, &r.cores, outputs, ARRAY_SIZE(outputs), err);
	/* A mistake in a core is reported before a command is recorded, perhaps for long. */
	if (status == SAHM_OK)
		status = core_runs_read(&runs, &r.cores, &r.settings.list, &r.axes, err);
	if (status == SAHM_OK && r.measure_clock && !any_needs_clock(&runs))
		status = sahm_fail(err, SAHM_USAGE, NO_CLOCK);
	if (status == SAHM_OK && (r.stamps || r.uops) && runs.nr_cores > 1)
		status = sahm_fail(err, SAHM_USAGE, ONE_PAIR);
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

extern const struct command command_core_time;
const struct command command_core_time = {
	.name = "core time",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "compute the cycles that a core takes for a program, and what it waits for",
	.details = "Streams are recorded by sahm trace record --via qemu --instructions FILE. After --, COMMAND is "
		   "recorded into a temporary stream first; its standard output goes to standard error. A long "
		   "command is sampled: every second, fourth, ... epoch is taken, 16 to 32 in all. Ctrl-C ends the "
		   "command; the instructions recorded so far are timed.\n"
		   "The reason why nothing is dispatched in a cycle is what the next uop waits for longest. "
		   "An in-order core dispatches a uop when it issues.",
	.options = options,
	.run = run,
};
