/* sahm sweep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/companion.h"
#include "sim/base/file.h"
#include "sim/base/shell.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/sweep_gathering.h"
#include "sim/cli/sweep_progress.h"
#include "sim/cli/sweep_summary.h"
#include "sim/queue/sweep_remote.h"
#include "sim/sweep/manifest.h"
#include "sim/sweep/pool.h"

/* The default name of a results database: the configuration's without its ending. */
#define STORE_ENDING ".sqlite"

struct request {
	struct sweep_request sweep;
	struct sweep_options options;
	struct settings settings;
	struct space_argument *axes; /* [sweep.nr_axes] */
	unsigned evaluator;
	const char *given_evaluator; /* NULL: nobody has chosen one */
	const char *store;
	struct textbuf default_store;
	struct redis_request redis;
	struct queue *queue; /* NULL: processes of this machine do it */
	bool detach, dry_run, quiet;
	uint32_t stall_timeout_s;
};

/* Axes and what changes along with them, in the order in which they were given. */
static enum sahm_status take_axis(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	struct space_argument *axes = realloc(r->axes, (r->sweep.nr_axes + 1) * sizeof(*axes));
	if (!axes)
		return sahm_fail_nomem(err);
	r->axes = axes;
	axes[r->sweep.nr_axes++] = (struct space_argument){w->value, w->row->value_is};
	return SAHM_OK;
}

static enum sahm_status take_shard(void *shard, struct option_walk *w, struct sahm_err *err)
{
	return sweep_shard_read(w->value, shard)
		       ? SAHM_OK
		       : sahm_fail(err, SAHM_USAGE, "--shard is written as I/N, I from 1 to N, not '%s'", w->value);
}

static const struct option_row options[] = {
	{JOBS_OPTION("processes that run at once (with --redis: that plan); without it as many as there are processors",
		     options.nr_workers)},
	{"output", 'o', "FILE",
	 "the results database (the configuration's name with " STORE_ENDING ", in the current folder)", OPTION_STRING,
	 AT(const char *, store), .old = "store"},
	{"axis", 'a', "KEY=VALUES",
	 "an axis: KEY=V1,V2,... or KEY=FIRST..LAST or KEY=FIRST..LAST..STEP; can be repeated", OPTION_TAKE,
	 .take = take_axis},
	{"zip", 'z', "KEY=VALUES", "another key that changes together with the axis before it", OPTION_TAKE,
	 .take = take_axis, .value_is = true},
	{SET_OPTION("change the configuration of all points; can be repeated")},
	{POLICY_OPTION},
	{SCX_SET_OPTION},
	{"evaluator", 'e', "NAME", "run (the simulation) or limit: upper bounds from residencies, without simulation",
	 OPTION_CHOICE, AT(unsigned, evaluator), .what = "evaluator", .words = evaluator_names, NOTE(given_evaluator)},
	{"dry-run", 'n', NULL, "print what would be done and, from a few runs, an estimate of time and size",
	 OPTION_FLAG, AT(bool, dry_run)},
	{"shard", 0, "I/N", "run only part I of N of the points, for job arrays; into a separate results database",
	 OPTION_TAKE, AT(struct sweep_shard, options.shard), .take = take_shard},
	{"retry-failed", 0, NULL, "repeat runs that failed before", OPTION_FLAG, AT(bool, options.retry_failed)},
	{"timeout", 0, "SECONDS", "a run that takes longer has failed (no limit)", OPTION_WHOLE,
	 AT(unsigned, options.timeout_s), .least = 1, .most = MAX_TIMEOUT_S},
	{STALL_TIMEOUT_OPTION},
	{MEMORY_OPTION("without it any is allowed", options.memory_bytes)},
	{"no-threads", 0, NULL, "do not keep rows per thread: smaller results", OPTION_CLEAR,
	 AT(bool, options.keep_threads)},
	{"mix-versions", 0, NULL, "add to results of another version of sahm", OPTION_FLAG,
	 AT(bool, options.mix_versions)},
	{"redis", 0, "URL",
	 "let `sahm worker` processes, on any machine, carry out the runs, through the Redis server "
	 "at URL (docs/queue.md): redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]; "
	 "$" REDIS_PASSWORD_VARIABLE " can hold the password instead",
	 OPTION_STRING, AT(const char *, redis.url)},
	{QUEUE_OPTION},
	{"detach", 0, NULL, "do not wait for the workers: `sahm collect` fetches the results", OPTION_FLAG,
	 AT(bool, detach)},
	{CLAIM_OPTION},
	{QUIET_OPTION("no progress, no summary")},
	{ONE_OPERAND(sweep.config, "configuration", "a configuration is missing: sahm sweep CONFIG")},
};

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	if (!r->redis.url && (r->redis.queue || r->detach || r->redis.claim_s))
		return sahm_fail(err, SAHM_USAGE, "--%s needs --redis",
				 r->detach	  ? "detach"
				 : r->redis.queue ? "queue"
						  : "claim");
	if (r->redis.url && r->dry_run)
		return sahm_fail(err, SAHM_USAGE, "--dry-run estimates what this machine does: leave --redis out");
	r->sweep.axes = r->axes;
	r->sweep.settings = r->settings.list.items;
	r->sweep.nr_settings = r->settings.list.nr;
	r->sweep.evaluator = r->given_evaluator ? evaluator_names[r->evaluator] : NULL;
	return SAHM_OK;
}

/* Appends the name of the store for a configuration. */
static void name_store(const char *config, struct textbuf *out)
{
	const char *name = strcmp(config, "-") == 0 ? "sweep" : base_name(config), *dot = strrchr(name, '.');
	textbuf_add(out, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
	textbuf_puts(out, STORE_ENDING);
}

static enum sahm_status write_manifest_to(const char *path, const struct sweep *sweep, const struct sweep_options *how,
					  struct store *store, const struct sweep_plan *plan, struct sahm_err *err)
{
	struct textbuf text;
	textbuf_init(&text);
	enum sahm_status status = manifest_write(sweep, how, store, plan, &text, err);
	if (status == SAHM_OK)
		status = file_write(path, text.text, text.len, err);
	textbuf_release(&text);
	return status;
}

/* The manifest stands beside the store when every point has a result that it is to stand for: those of the shard, or
 * all. */
static enum sahm_status write_manifest(const struct request *r, const struct sweep *sweep, struct store *store,
				       const struct sweep_plan *plan, struct textbuf *out, struct sahm_err *err)
{
	struct sweep_options how = r->options;
	struct store_counts counts;
	struct textbuf path;
	enum sahm_status status = store_count(store, STORE_WHOLE(plan->part.sweep), &counts, err);
	if (status != SAHM_OK)
		return status;
	uint64_t nr = counts.points;
	if (nr == sweep->space.nr_points)
		how.shard = (struct sweep_shard){0, 1};
	summary_row(out, "manifest");
	textbuf_init(&path);
	textbuf_printf(&path, "%s" MANIFEST_ENDING, r->store);
	if (textbuf_failed(&path)) {
		status = sahm_fail_nomem(err);
	} else if (nr == 0 || nr != sweep_shard_points(sweep, &how.shard)) {
		textbuf_puts(
			out,
			nr ? "none, since the results file has other parts of the sweep, too: with all of them, sweep "
			     "without --shard\n"
			   : "none, since there are no points\n");
	} else if (is_same_file(path.text, r->sweep.config)) {
		textbuf_label(out, path.text);
		textbuf_puts(out, ", the configuration, is left as it is\n");
	} else {
		status = write_manifest_to(path.text, sweep, &how, store, plan, err);
		textbuf_label(out, path.text);
		textbuf_putc(out, '\n');
	}
	textbuf_release(&path);
	return status;
}

/* Says what the sweep would be, and makes none. */
static enum sahm_status estimate(const struct request *r, const struct sweep *sweep, struct store *store,
				 const struct sweep_plan *plan, struct textbuf *out, bool *interrupted,
				 struct sahm_err *err)
{
	struct sweep_estimate e;
	enum sahm_status status = sweep_estimate(sweep, &r->options, store, plan, &e, err);
	*interrupted = status == SAHM_OK && e.interrupted;
	if (status == SAHM_OK && !e.interrupted)
		summary_estimate(plan, &e, r->options.nr_workers, access(r->store, F_OK) != 0, out);
	return status;
}

/* What the summary and the manifest know of a sweep, from results that were gathered. */
static struct sweep_outcome outcome_of(const struct gathered *g)
{
	return (struct sweep_outcome){.interrupted = g->interrupted,
				      .done = g->done,
				      .failed = g->failed,
				      .mended = g->mended,
				      .elapsed_ns = g->elapsed_ns};
}

/* Waits for what workers find. */
static enum sahm_status gather(const struct request *r, struct store *store, const struct sweep_submission *submission,
			       struct sweep_outcome *outcome, struct textbuf *out, struct sahm_err *err)
{
	const struct gather_options how = {.note = &submission->note,
					   .submission = submission,
					   .wait = true,
					   .progress = r->options.progress,
					   .ctx = r->options.ctx};
	struct gathered g;
	enum sahm_status status = sweep_gather(&how, store, r->queue, &g, err);
	*outcome = outcome_of(&g);
	gathering_write(&g, out);
	return status == SAHM_OK ? gathering_check(&g, r->store, err) : status;
}

/* The server as --redis takes it, but for its password, which is nobody's to see. */
static enum sahm_status write_where(const struct request *r, struct textbuf *out, struct sahm_err *err)
{
	struct textbuf where;
	textbuf_init(&where);
	enum sahm_status status = redis_request_where(&r->redis, &where, err);
	if (status == SAHM_OK)
		shell_write_word(out, where.text);
	textbuf_release(&where);
	return status;
}

/* Opens the queue, if its server keeps what it is given. */
static enum sahm_status open_queue(const struct redis_request *r, struct queue *queue, struct sahm_err *err)
{
	bool evicts = false;
	enum sahm_status status = redis_request_open(r, queue, err);
	if (status != SAHM_OK)
		return status;
	status = queue_check_server(queue, &evicts, err);
	if (status == SAHM_OK && evicts)
		status = sahm_fail(err, SAHM_CONFIG, "%s (`sahm collect` still fetches results)", QUEUE_EVICTS);
	if (status != SAHM_OK)
		queue_disconnect(queue);
	return status;
}

/* Has workers carry it out. *detached: nobody waits for them. */
static enum sahm_status carry_out_elsewhere(const struct request *r, const struct sweep *sweep, struct store *store,
					    const struct sweep_plan *plan, struct sweep_outcome *outcome,
					    struct textbuf *out, bool *detached, struct sahm_err *err)
{
	struct sweep_submission submission;
	*outcome = (struct sweep_outcome){0};
	*detached = r->detach;
	enum sahm_status status =
		sweep_submit(sweep, &r->options, store, plan, r->queue, &submission, &outcome->interrupted, err);
	if (status != SAHM_OK)
		return status;
	if (r->detach && !outcome->interrupted) {
		summary_row(out, "submitted");
		write_count(submission.nr_runs, out);
		textbuf_printf(out, " run%s as %.12s; `sahm collect ", submission.nr_runs == 1 ? "" : "s",
			       submission.note.id);
		shell_write_file(out, r->store);
		textbuf_puts(out, " --redis ");
		status = write_where(r, out, err);
		textbuf_printf(out, "%s%s` fetches results\n", r->redis.queue ? " --queue " : "",
			       r->redis.queue ? r->redis.queue : "");
	} else if (!outcome->interrupted) {
		status = gather(r, store, &submission, outcome, out, err);
	}
	sweep_submission_release(&submission);
	return status;
}

/* Carries it out, and says what became of it. */
static enum sahm_status carry_out(const struct request *r, const struct sweep *sweep, struct store *store,
				  const struct sweep_plan *plan, struct textbuf *out, bool *interrupted,
				  uint64_t *nr_failed, struct sahm_err *err)
{
	struct sweep_outcome outcome;
	bool detached = false, is_submitted = false;
	uint64_t nr_seconds;
	enum sahm_status status = r->queue ? sweep_is_submitted(plan, store, &is_submitted, err) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	/* What is done already needs nobody. */
	if (r->queue && (sweep_nr_left(plan) > 0 || is_submitted))
		status = carry_out_elsewhere(r, sweep, store, plan, &outcome, out, &detached, err);
	else
		status = sweep_carry_out(sweep, &r->options, store, plan, &outcome, err);
	*interrupted = outcome.interrupted;
	*nr_failed = plan->counts.failed + outcome.failed - outcome.mended;
	if (status != SAHM_OK)
		return status;
	if (outcome.interrupted)
		return sahm_fail(err, SAHM_IO,
				 "interrupted: %llu of %llu runs are done; the same command goes on from there",
				 (unsigned long long)(plan->counts.done + outcome.done),
				 (unsigned long long)(sweep_nr_left(plan) + plan->counts.done + plan->counts.failed));
	status = store_check_place(store, err);
	if (status != SAHM_OK || detached)
		return status;
	summary_outcome(r->store, plan, &outcome, out);
	status = store_count_seconds(store, plan->part.sweep, &nr_seconds, err);
	if (status != SAHM_OK)
		return status;
	summary_seconds(nr_seconds, out);
	status = write_manifest(r, sweep, store, plan, out, err);
	if (status != SAHM_OK)
		return status;
	summary_row(out, "ask");
	textbuf_puts(out, "sahm query ");
	shell_write_file(out, r->store);
	textbuf_putc(out, '\n');
	return SAHM_OK;
}

/* Everything between reading and closing the store. */
static enum sahm_status sweep_into(struct request *r, const struct sweep *sweep, struct store *store,
				   struct textbuf *out, int *exit_code, struct sahm_err *err)
{
	struct sweep_progress_line line;
	struct sweep_plan plan;
	uint64_t nr_failed = 0;
	sweep_progress_begin(&line, r->quiet);
	enum sahm_status status = sweep_progress_plan(&line, sweep, &r->options, store, &plan, err);
	if (status != SAHM_OK)
		return status;
	bool interrupted = plan.interrupted;
	if (!interrupted)
		summary_space(sweep, &plan, &r->options.shard, out);
	if (!interrupted && r->dry_run)
		status = estimate(r, sweep, store, &plan, out, &interrupted, err);
	else if (!interrupted)
		status = carry_out(r, sweep, store, &plan, out, &interrupted, &nr_failed, err);
	sweep_progress_end(&line);
	if (interrupted)
		*exit_code = 128 + sweep_progress_signal();
	if (interrupted && status == SAHM_OK)
		status = sahm_fail(err, SAHM_IO, "interrupted: nothing was run");
	if (status == SAHM_OK && nr_failed > 0)
		status = summary_failed(nr_failed, r->store, ", --retry-failed runs them again", err);
	sweep_plan_release(&plan);
	return status;
}

static enum sahm_status sweep_it(struct request *r, struct textbuf *out, int *exit_code, struct sahm_err *err)
{
	struct sweep sweep;
	struct store *store = NULL;
	enum sahm_status status = sweep_read(&sweep, &r->sweep, err);
	if (status != SAHM_OK)
		return explain_config(r->sweep.config, status, err);
	if (sweep.space.nr_axes == 0)
		print_warning("nothing is swept: '%s' has no axes in a section 'sweep', and no --axis is given",
			      r->sweep.config);
	status = store_open(&store, r->dry_run ? NULL : r->store, STORE_WRITE, err);
	if (status == SAHM_OK && r->dry_run && access(r->store, F_OK) == 0)
		status = store_borrow(store, r->store, err);
	if (status != SAHM_OK) {
		store_abandon(store);
	} else {
		status = sweep_into(r, &sweep, store, out, exit_code, err);
		struct sahm_err ignored;
		enum sahm_status closed = store_close(store, status == SAHM_OK ? err : &ignored);
		status = status == SAHM_OK ? closed : status;
	}
	sweep_release(&sweep);
	return status;
}

static enum sahm_status run_program(char **args, int *exit_code, struct sahm_err *err)
{
	struct request r = {.options = {.nr_workers = pool_nr_processors(),
					.keep_threads = true,
					.shard = {0, 1},
					.worker_begin = policy_guard_begin}};
	struct textbuf out;
	textbuf_init(&out);
	textbuf_init(&r.default_store);
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK && !r.store) {
		name_store(r.sweep.config, &r.default_store);
		r.store = r.default_store.text;
		status = textbuf_failed(&r.default_store) ? sahm_fail_nomem(err) : SAHM_OK;
	}
	if (status == SAHM_OK && strcmp(r.store, "-") == 0)
		status = sahm_fail(err, SAHM_USAGE,
				   "a results database is a file, not standard output; a file called so is './-'");
	if (status == SAHM_OK && refuse_overwriting(r.store, r.sweep.config, err) != SAHM_OK)
		status = explain_config(r.sweep.config, err->status, err);
	if (status == SAHM_OK)
		status = companion_refuse(r.store, err);
	if (status == SAHM_OK && !r.dry_run)
		status = refuse_companions(r.store, err);
	/* Whether somebody is there shows before anything is planned. */
	struct queue queue;
	if (status == SAHM_OK && r.redis.url) {
		status = open_queue(&r.redis, &queue, err);
		r.queue = status == SAHM_OK ? &queue : NULL;
	}
	if (status == SAHM_OK) {
		r.sweep.data_folder = data_folder();
		status = sweep_it(&r, &out, exit_code, err);
	}
	if (r.queue)
		queue_disconnect(r.queue);
	if (!r.quiet && !textbuf_failed(&out))
		print_text(&out);
	textbuf_release(&out);
	textbuf_release(&r.default_store);
	settings_release(&r.settings);
	free(r.axes);
	return status;
}

extern const struct command command_sweep;
const struct command command_sweep = {
	.name = "sweep",
	.operands = "CONFIG",
	.summary = "run every point of a space of configurations",
	.details = "Runs CONFIG once for every point of the space that its section `sweep` and the options "
		   "--axis span (`sahm help sweeps`). Points with the same resolved configuration share one "
		   "run. All points are resolved first, so that errors appear before the first run. Then "
		   "several processes run, and their results go into a results database (SQLite).\n"
		   "If a sweep is interrupted, the same command continues where it stopped. One database can "
		   "hold several sweeps; a run that is already there is not repeated. At the end, a manifest is "
		   "written beside it, from which `sahm rerun` repeats the sweep.\n"
		   "`sahm query` answers questions about the results, `sahm report` makes a page, `sahm export` "
		   "writes CSV or JSON Lines, `sahm merge` joins shards.\n"
		   "With --redis, the runs go into a queue, and workers on any number of machines carry them "
		   "out. The results are the same.",
	.options = options,
	.run_program = run_program,
};
