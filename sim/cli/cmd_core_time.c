/* sahm core time: instruction streams through models of cores. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/cores/core_log.h"
#include "results/cores/core_report.h"
#include "sim/base/array.h"
#include "sim/base/clock.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define MAX_CORE_JOBS 256u
#define PROGRESS_NS (NS_PER_S / 5)

struct request {
	enum output_form form;
	struct option_list cores;
	struct settings settings;
	struct stream_sampling sampling;
	const char *of_warm;
	uint32_t jobs;
	bool per_epoch, force;
	const char *stamps, *uops;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "; can be repeated")},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{SAMPLING_OPTIONS(sampling, of_warm, "read the first N instructions without running them (0)",
			  "run only a part of each N instructions: the last ones (all)",
			  "with --every: the number of instructions that are timed (a tenth)")},
	{SUITE_STREAM_OPTIONS(operands)},
	{"per-epoch", 0, NULL, "also print each epoch of the stream", OPTION_FLAG, AT(bool, per_epoch)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per core and stream, or per epoch")},
	{"jobs", 'j', "N", "cores and streams that run at once (as many as there are processors)", OPTION_WHOLE,
	 AT(uint32_t, jobs), .least = 1, .most = MAX_CORE_JOBS},
	{"stamps", 0, "FILE", "write the times of every uop to FILE, as CSV", OPTION_STRING, AT(const char *, stamps),
	 .written = true},
	{"uops", 0, "FILE", "write what the timing model was given for every uop to FILE, a JSON object per line",
	 OPTION_STRING, AT(const char *, uops), .written = true},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- Jobs ---- */

struct job {
	const char *path; /* of the stream */
	struct core_result *result;
	enum sahm_status status;
	struct sahm_err err;
	atomic_uint_fast64_t nr_done; /* instructions */
	struct crew *crew;
};

struct crew {
	const struct request *request;
	struct job *jobs; /* [nr] */
	size_t nr;
	atomic_size_t next;
	atomic_size_t nr_ended;
	FILE *stamps, *uops; /* of a single job, or NULL */
	uint64_t seq_stamps, seq_uops;
};

static enum sahm_status take_batch(void *ctx, const struct uop_batch *batch, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	struct job *j = ctx;
	(void)err;
	if (j->crew->stamps)
		core_log_stamps(j->crew->stamps, &j->crew->seq_stamps, batch, stamps);
	if (j->crew->uops)
		core_log_uops(j->crew->uops, &j->crew->seq_uops, &j->result->model->timing, batch);
	return SAHM_OK;
}

static enum sahm_status take_epoch(void *ctx, uint64_t epoch, const struct core_counts *counts, struct sahm_err *err)
{
	struct job *j = ctx;
	return core_result_add_epoch(j->result, epoch, counts, err);
}

static void take_progress(void *ctx, uint64_t nr_instructions)
{
	struct job *j = ctx;
	atomic_store(&j->nr_done, nr_instructions);
}

static void run_job(struct job *j)
{
	struct crew *c = j->crew;
	struct stream *s = NULL;
	struct core_observer o = {.ctx = j, .progress = take_progress};
	if (c->stamps || c->uops)
		o.batch = take_batch;
	if (c->request->per_epoch)
		o.epoch = take_epoch;
	/* Notes were printed when the streams were first looked at. */
	j->status = stream_open(j->path, NULL, &s, &j->err);
	if (j->status == SAHM_OK)
		j->status = core_run(s, j->result->model, &c->request->sampling, &o, &j->result->counts, &j->err);
	if (j->status == SAHM_OK)
		atomic_store(&j->nr_done, stream_nr_instructions(s));
	stream_free(s);
}

static void *work(void *ctx)
{
	struct crew *c = ctx;
	for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->nr;) {
		run_job(&c->jobs[i]);
		atomic_fetch_add(&c->nr_ended, 1);
	}
	return NULL;
}

static void show_progress(const struct crew *c, uint64_t total, uint64_t began_ns)
{
	uint64_t done = 0, elapsed = clock_ns(CLOCK_MONOTONIC) - began_ns;
	for (size_t i = 0; i < c->nr; i++)
		done += atomic_load(&c->jobs[i].nr_done);
	double rate = (double)done / (double)(elapsed > 0 ? elapsed : 1);
	if (done > 0)
		print_progress("%.0f of %.0f million instructions, %.1f million a second, %.0f s left",
			       (double)done * 1e-6, (double)total * 1e-6, rate * 1e3,
			       (double)(total - done) / rate / 1e9);
}

static enum sahm_status run_jobs(struct crew *c, uint64_t total, struct sahm_err *err)
{
	pthread_t threads[MAX_CORE_JOBS];
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t nr = c->request->jobs > 0 ? c->request->jobs : processors > 0 ? (size_t)processors : 1, nr_begun = 0;
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	bool shows = isatty(STDERR_FILENO);
	enum sahm_status status = SAHM_OK;
	nr = nr < c->nr ? nr : c->nr;
	nr = nr < MAX_CORE_JOBS ? nr : MAX_CORE_JOBS;
	/* One job needs no thread, unless progress is shown beside it. */
	while ((nr > 1 || shows) && nr_begun < nr && pthread_create(&threads[nr_begun], NULL, work, c) == 0)
		nr_begun++;
	if (nr_begun == 0)
		work(c);
	while (shows && atomic_load(&c->nr_ended) < c->nr) {
		struct timespec pause = {.tv_nsec = PROGRESS_NS};
		nanosleep(&pause, NULL);
		show_progress(c, total, began_ns);
	}
	for (size_t i = 0; i < nr_begun; i++)
		pthread_join(threads[i], NULL);
	if (shows)
		end_progress();
	for (size_t i = 0; i < c->nr && status == SAHM_OK; i++)
		if (c->jobs[i].status != SAHM_OK)
			status = sahm_fail(err, c->jobs[i].status, "%s", c->jobs[i].err.msg);
	return status;
}

/* ---- The command ---- */

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	size_t nr_streams = r->operands.command ? 1 : r->operands.streams.nr;
	if (nr_streams == 0)
		return sahm_fail(
			err, SAHM_USAGE,
			"a stream is missing: sahm core time STREAM..., sahm core time --suite open, or sahm core time "
			"-- COMMAND");
	if (r->operands.command && r->operands.streams.nr > 0)
		return sahm_fail(err, SAHM_USAGE, "'%s' precedes --: give streams or a command, not both",
				 r->operands.streams.items[0]);
	if (r->operands.keep && !r->operands.command)
		return sahm_fail(err, SAHM_USAGE, "--keep is of a command: sahm core time --keep FILE -- COMMAND");
	if ((r->stamps || r->uops) && (nr_streams > 1 || r->cores.nr > 1))
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

static enum sahm_status run_logged(const struct request *r, struct crew *c, uint64_t total, struct sahm_err *err)
{
	struct atomic_file stamps, uops;
	enum sahm_status status = open_log(r->stamps, r->force, &stamps, &c->stamps, err);
	if (status == SAHM_OK)
		status = open_log(r->uops, r->force, &uops, &c->uops, err);
	if (status == SAHM_OK && c->stamps)
		core_log_stamps_head(c->stamps);
	if (status == SAHM_OK)
		status = run_jobs(c, total, err);
	status = close_log(&stamps, c->stamps, status, err);
	return close_log(&uops, c->uops, status, err);
}

/* Every stream can be read, before any is run. results[i * nr_cores] and the next ones are of stream i; *total becomes
 * the number of instructions for one core. */
static enum sahm_status look_at_streams(const struct request *r, struct core_result *results, size_t nr_cores,
					uint64_t *total, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++) {
		struct stream *s = NULL;
		status = open_stream(streams->items[i], &s, err);
		if (status == SAHM_OK)
			status =
				core_request_check_sampling(&r->sampling, s, core_operands_label(&r->operands, i), err);
		if (status == SAHM_OK)
			*total += stream_nr_instructions(s);
		for (size_t k = 0; k < nr_cores && status == SAHM_OK; k++)
			results[i * nr_cores + k].nr_sampled = stream_is_sampled(s) ? stream_nr_epochs(s) : 0;
		stream_free(s);
	}
	return status;
}

/* The cores, in the order that they were given. */
struct cores {
	const char *const *names;
	size_t nr;
	struct core_model *models;	/* [nr] */
	char (*hashes)[HASH_HEX_BYTES]; /* [nr] */
};

static enum sahm_status read_cores(const struct request *r, struct cores *out, struct sahm_err *err)
{
	static const char *const usual[] = {DEFAULT_CORE};
	bool has_any = r->cores.nr > 0;
	*out = (struct cores){.names = has_any ? r->cores.items : usual, .nr = has_any ? r->cores.nr : 1};
	out->models = calloc(out->nr, sizeof(*out->models));
	out->hashes = calloc(out->nr, sizeof(*out->hashes));
	enum sahm_status status = out->models && out->hashes ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < out->nr && status == SAHM_OK; i++) {
		status = core_request_model(out->names[i], &r->settings.list, &out->models[i], err);
		if (status == SAHM_USAGE && out->nr > 1) {
			struct sahm_err cause = *err;
			status = sahm_fail(err, status, "%s (core %s)", cause.msg, out->names[i]);
		}
		if (status == SAHM_OK)
			status = core_model_hash(&out->models[i], out->hashes[i], err);
	}
	return status;
}

static enum sahm_status run_streams(const struct request *r, const struct cores *cores, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	size_t nr = cores->nr * streams->nr;
	uint64_t total = 0;
	struct core_result *results = calloc(nr, sizeof(*results));
	struct crew c = {.request = r, .jobs = calloc(nr, sizeof(*c.jobs)), .nr = nr};
	enum sahm_status status = results && c.jobs ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		size_t stream = i / cores->nr, core = i % cores->nr;
		results[i] = (struct core_result){.stream = core_operands_label(&r->operands, stream),
						  .core = cores->names[core],
						  .sampling = r->sampling,
						  .model = &cores->models[core],
						  .config_hash = cores->hashes[core]};
		c.jobs[i].path = streams->items[stream];
		c.jobs[i].result = &results[i];
		c.jobs[i].crew = &c;
	}
	if (status == SAHM_OK)
		status = look_at_streams(r, results, cores->nr, &total, err);
	if (status == SAHM_OK)
		status = run_logged(r, &c, total * cores->nr, err);
	if (status == SAHM_OK)
		status = print(r, results, nr, err);
	for (size_t i = 0; results && i < nr; i++)
		free(results[i].epochs);
	free(results);
	free(c.jobs);
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
	free(cores.models);
	free(cores.hashes);
	free(r.cores.items);
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
