/* sahm core time: instruction streams through models of cores. */
#include <stdlib.h>
#include <string.h>

#include "results/cores/core_log.h"
#include "results/cores/core_report.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_axes.h"
#include "sim/cli/core_jobs.h"
#include "sim/cli/core_request.h"
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
	bool per_epoch, force;
	const char *stamps, *uops;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "; can be repeated")},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{"axis", 'a', "KEY=VALUES",
	 "compute each core with several values of a key: KEY=V1,V2,... or KEY=FIRST..LAST or KEY=FIRST..LAST..STEP; of "
	 "several axes, with all combinations",
	 OPTION_LIST, AT(struct option_list, axes)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
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

static enum sahm_status take_batch(void *ctx, const struct uop_batch *batch, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	struct watch *w = ctx;
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

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	enum sahm_status status = core_operands_check(&r->operands, "sahm core time", err);
	if (status != SAHM_OK)
		return status;
	if ((r->stamps || r->uops) && r->operands.streams.nr > 1)
		return sahm_fail(err, SAHM_USAGE, "--stamps and --uops take one core and one stream");
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

static enum sahm_status run_logged(const struct request *r, struct core_jobs *jobs, struct watch *w,
				   struct core_counts *counts, struct sahm_err *err)
{
	struct atomic_file stamps, uops;
	enum sahm_status status = open_log(r->stamps, r->force, &stamps, &w->stamps, err);
	if (status == SAHM_OK)
		status = open_log(r->uops, r->force, &uops, &w->uops, err);
	if (status == SAHM_OK && w->stamps)
		core_log_stamps_head(w->stamps);
	jobs->ctx = w;
	jobs->epoch = r->per_epoch ? take_epoch : NULL;
	jobs->batch = w->stamps || w->uops ? take_batch : NULL;
	if (status == SAHM_OK)
		status = core_jobs_run(jobs, counts, err);
	status = close_log(&stamps, w->stamps, status, err);
	return close_log(&uops, w->uops, status, err);
}

/* The configurations: cores in the order that they were given, each with all combinations of the axes' values. */
struct cores {
	struct core_axes axes;
	size_t nr;
	const char **names;		/* [nr] */
	struct core_model *models;	/* [nr] */
	char (*hashes)[HASH_HEX_BYTES]; /* [nr] */
	struct core_setting *settings;	/* [nr][axes.nr] */
};

/* Configuration `i`: combination `point` on core `name`. */
static enum sahm_status read_core(const struct request *r, struct cores *c, size_t i, const char *name, size_t point,
				  struct sahm_err *err)
{
	struct option_list all = {0};
	enum sahm_status status = SAHM_OK;
	c->names[i] = name;
	for (size_t k = 0; k < r->settings.list.nr && status == SAHM_OK; k++)
		status = option_list_add(&all, r->settings.list.items[k], err);
	for (unsigned k = 0; k < c->axes.nr && status == SAHM_OK; k++) {
		const struct core_axis *axis = &c->axes.axes[k];
		size_t value = core_axes_value(&c->axes, point, k);
		c->settings[i * c->axes.nr + k] = axis->values[value];
		status = option_list_add(&all, axis->arguments[value], err);
	}
	if (status == SAHM_OK)
		status = core_request_model(name, &all, &c->models[i], err);
	if (status == SAHM_USAGE && r->cores.nr > 1) {
		struct sahm_err cause = *err;
		status = sahm_fail(err, status, "%s (core %s)", cause.msg, name);
	}
	if (status == SAHM_OK)
		status = core_model_hash(&c->models[i], c->hashes[i], err);
	free(all.items);
	return status;
}

static enum sahm_status read_cores(const struct request *r, struct cores *c, struct sahm_err *err)
{
	static const char *const usual[] = {DEFAULT_CORE};
	const char *const *names = r->cores.nr > 0 ? r->cores.items : usual;
	size_t nr_names = r->cores.nr > 0 ? r->cores.nr : 1;
	enum sahm_status status = core_axes_read(&c->axes, &r->axes, nr_names, err);
	if (status != SAHM_OK)
		return status;
	c->nr = nr_names * c->axes.nr_points;
	if ((r->stamps || r->uops) && c->nr > 1)
		return sahm_fail(err, SAHM_USAGE, "--stamps and --uops take one core and one stream");
	c->names = calloc(c->nr, sizeof(*c->names));
	c->models = calloc(c->nr, sizeof(*c->models));
	c->hashes = calloc(c->nr, sizeof(*c->hashes));
	c->settings = calloc(c->nr * (c->axes.nr + 1), sizeof(*c->settings));
	if (!c->names || !c->models || !c->hashes || !c->settings)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < c->nr && status == SAHM_OK; i++)
		status = read_core(r, c, i, names[i / c->axes.nr_points], i % c->axes.nr_points, err);
	return status;
}

static void release_cores(struct cores *c)
{
	core_axes_release(&c->axes);
	free(c->names);
	free(c->models);
	free(c->hashes);
	free(c->settings);
}

static enum sahm_status run_streams(const struct request *r, const struct cores *cores, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	size_t nr = cores->nr * streams->nr;
	struct core_result *results = calloc(nr, sizeof(*results));
	struct core_counts *counts = calloc(nr, sizeof(*counts));
	const struct core_model **models = calloc(cores->nr, sizeof(*models));
	uint64_t *nr_sampled = calloc(streams->nr, sizeof(*nr_sampled));
	struct watch w = {.results = results, .nr_cores = cores->nr};
	struct core_jobs jobs = {.streams = streams->items,
				 .nr_streams = streams->nr,
				 .models = models,
				 .nr_models = cores->nr,
				 .form = (enum lane_form)r->lanes,
				 .sampling = &r->sampling,
				 .nr_threads = r->jobs};
	enum sahm_status status = results && counts && models && nr_sampled ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < cores->nr && status == SAHM_OK; i++)
		models[i] = &cores->models[i];
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		size_t stream = i / cores->nr, core = i % cores->nr;
		results[i] = (struct core_result){.stream = core_operands_label(&r->operands, stream),
						  .core = cores->names[core],
						  .sampling = r->sampling,
						  .model = &cores->models[core],
						  .config_hash = cores->hashes[core],
						  .settings = &cores->settings[core * cores->axes.nr],
						  .nr_settings = cores->axes.nr};
	}
	if (status == SAHM_OK)
		status = core_operands_look(&r->operands, &r->sampling, nr_sampled, &jobs.total, err);
	if (status == SAHM_OK)
		status = run_logged(r, &jobs, &w, counts, err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		results[i].nr_sampled = nr_sampled[i / cores->nr];
		results[i].counts = counts[i];
	}
	if (status == SAHM_OK)
		status = print(r, results, nr, err);
	for (size_t i = 0; results && i < nr; i++)
		free(results[i].epochs);
	free(results);
	free(counts);
	free(models);
	free(nr_sampled);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct cores cores = {0};
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
		status = read_cores(&r, &cores, err);
	if (status == SAHM_OK)
		status = core_operands_record(&r.operands, r.force, err);
	if (status == SAHM_OK)
		status = run_streams(&r, &cores, err);
	release_cores(&cores);
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
