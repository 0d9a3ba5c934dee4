/* sahm core time: instruction streams through models of cores. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/cores/core_log.h"
#include "results/cores/core_report.h"
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
	const char *stamps, *uops, *keep;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores)},
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
	{"keep", 0, "FILE", "with a command: keep its stream as FILE", OPTION_STRING, AT(const char *, keep),
	 .written = true},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- Jobs ---- */

struct job {
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
	j->status = stream_open(j->result->stream, NULL, &s, &j->err);
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
	if (r->keep && !r->operands.command)
		return sahm_fail(err, SAHM_USAGE, "--keep is of a command: sahm core time --keep FILE -- COMMAND");
	if ((r->stamps || r->uops) && (nr_streams > 1 || r->cores.nr > 1))
		return sahm_fail(err, SAHM_USAGE, "--stamps and --uops take one core and one stream");
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

/* Every stream can be read, before any is run: how many instructions there are for one core. */
static enum sahm_status look_at_streams(const struct option_list *streams, const struct stream_sampling *sampling,
					uint64_t *total, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++) {
		struct stream *s = NULL;
		status = open_stream(streams->items[i], &s, err);
		if (status == SAHM_OK && stream_nr_instructions(s) == 0)
			status = sahm_fail(err, SAHM_FORMAT, "%s: there are no instructions in it", streams->items[i]);
		if (status == SAHM_OK && (sampling->skip > 0 || sampling->every > 0) && stream_is_sampled(s))
			status = sahm_fail(err, SAHM_USAGE, "'%s' is sampled already: --skip and --every are of others",
					   streams->items[i]);
		if (status == SAHM_OK)
			*total += stream_nr_instructions(s);
		stream_free(s);
	}
	return status;
}

static enum sahm_status run_streams(const struct request *r, const struct option_list *streams, struct sahm_err *err)
{
	static const char *const usual[] = {DEFAULT_CORE};
	const char *const *cores = r->cores.nr > 0 ? r->cores.items : usual;
	size_t nr_cores = r->cores.nr > 0 ? r->cores.nr : 1, nr = nr_cores * streams->nr;
	uint64_t total = 0;
	struct core_model *models = calloc(nr_cores, sizeof(*models));
	char(*hashes)[HASH_HEX_BYTES] = calloc(nr_cores, sizeof(*hashes));
	struct core_result *results = calloc(nr, sizeof(*results));
	struct crew c = {.request = r, .jobs = calloc(nr, sizeof(*c.jobs)), .nr = nr};
	enum sahm_status status = models && hashes && results && c.jobs ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr_cores && status == SAHM_OK; i++) {
		status = core_request_model(cores[i], &r->settings.list, &models[i], err);
		if (status == SAHM_OK)
			status = core_model_hash(&models[i], hashes[i], err);
	}
	if (status == SAHM_OK)
		status = look_at_streams(streams, &r->sampling, &total, err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct core_result *result = &results[i];
		result->stream = streams->items[i / nr_cores];
		result->model = &models[i % nr_cores];
		result->config_hash = hashes[i % nr_cores];
		c.jobs[i].result = result;
		c.jobs[i].crew = &c;
	}
	if (status == SAHM_OK)
		status = run_logged(r, &c, total * nr_cores, err);
	if (status == SAHM_OK)
		status = print(r, results, nr, err);
	for (size_t i = 0; results && i < nr; i++)
		free(results[i].epochs);
	free(models);
	free(hashes);
	free(results);
	free(c.jobs);
	return status;
}

/* Records the command into `keep`, or a file that is gone afterwards. */
static enum sahm_status run_command(const struct request *r, struct sahm_err *err)
{
	const char *folder = getenv("TMPDIR");
	char own[4096];
	struct option_list streams = {0};
	const char *path = r->keep;
	enum sahm_status status = SAHM_OK;
	if (!path) {
		int len = snprintf(own, sizeof(own), "%s/sahm-XXXXXX", folder && *folder ? folder : "/tmp");
		int fd = len > 0 && (size_t)len < sizeof(own) ? mkstemp(own) : -1;
		if (fd < 0)
			return sahm_fail(err, SAHM_IO, "cannot create a temporary file in '%s': %s",
					 folder && *folder ? folder : "/tmp", strerror(errno));
		close(fd);
		path = own;
	} else if (!r->force) {
		status = file_refuse_existing(path, err);
	}
	if (status == SAHM_OK)
		status = core_request_record(r->operands.command, path, err);
	if (status == SAHM_OK)
		status = option_list_add(&streams, path, err);
	if (status == SAHM_OK)
		status = run_streams(r, &streams, err);
	free(streams.items);
	if (!r->keep)
		unlink(own);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r.operands, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r.sampling, r.of_warm, err);
	if (status == SAHM_OK)
		status = r.operands.command ? run_command(&r, err) : run_streams(&r, &r.operands.streams, err);
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
		   "recorded into a temporary stream first; its standard output goes to standard error. Of a long "
		   "command, every second, fourth, ... epoch is taken, so that 16 to 32 are.\n"
		   "The reason why nothing is dispatched in a cycle is what the next uop waits for longest. "
		   "An in-order core dispatches a uop when it issues.",
	.options = options,
	.run = run,
};
