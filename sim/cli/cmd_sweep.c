/* sahm sweep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_guard.h"
#include "sim/cli/sweep_progress.h"
#include "sim/sweep/manifest.h"
#include "sim/sweep/pool.h"

/* What a store is called whose name is not given, behind the configuration's without its ending. */
#define STORE_ENDING ".sqlite"
#define MANIFEST_ENDING ".manifest"

enum {
	OPT_JOBS,
	OPT_STORE,
	OPT_AXIS,
	OPT_ZIP,
	OPT_SET,
	OPT_EVALUATOR,
	OPT_DRY_RUN,
	OPT_SHARD,
	OPT_RETRY,
	OPT_TIMEOUT,
	OPT_NO_THREADS,
	OPT_MIX,
	OPT_QUIET
};

static const struct option_row options[] = {
	[OPT_JOBS] = {"jobs", 'j', "N", "processes that run at once; without it as many as there are processors"},
	[OPT_STORE] = {"store", 'o', "FILE",
		       "where results go; without it the configuration's name with " STORE_ENDING
		       " in the current folder"},
	[OPT_AXIS] = {"axis", 'a', "KEY=VALUES",
		      "an axis: KEY=V1,V2,... or KEY=FIRST..LAST or KEY=FIRST..LAST..STEP; can be repeated"},
	[OPT_ZIP] = {"zip", 'z', "KEY=VALUES", "another key that changes along with the axis before it"},
	[OPT_SET] = {"set", 's', "KEY.PATH=VALUE", "change the configuration of all points; can be repeated"},
	[OPT_EVALUATOR] = {"evaluator", 'e', "NAME", "run (the simulation) or limit (from occupancies alone)"},
	[OPT_DRY_RUN] = {"dry-run", 'n', NULL,
			 "say what would be done and, from some runs, how long it takes and how large the store gets"},
	[OPT_SHARD] = {"shard", 0, "I/N",
		       "only the I-th of N parts of the points, for job arrays; into a store of its own"},
	[OPT_RETRY] = {"retry-failed", 0, NULL, "run again what failed before"},
	[OPT_TIMEOUT] = {"timeout", 0, "SECONDS", "a run that takes longer has failed; without it none has"},
	[OPT_NO_THREADS] = {"no-threads", 0, NULL, "keep no rows per thread: a smaller store"},
	[OPT_MIX] = {"mix-versions", 0, NULL, "add to a store that has results of another version of the program"},
	[OPT_QUIET] = {"quiet", 'q', NULL, "no progress, no summary"},
	{0},
};

struct request {
	struct sweep_request sweep;
	struct sweep_options options;
	const char *store;
	struct textbuf default_store;
	bool dry_run, quiet;
};

static enum sahm_status take_option(struct request *r, int option, const char *value, struct space_argument *axes,
				    struct sahm_err *err)
{
	struct sweep_options *o = &r->options;
	uint64_t number;
	enum sahm_status status = SAHM_OK;
	switch (option) {
	case OPTION_OPERAND:
		if (r->sweep.config)
			return sahm_fail(err, SAHM_USAGE, "one configuration at a time: '%s' is too many", value);
		r->sweep.config = value;
		return SAHM_OK;
	case OPT_JOBS:
		status = read_whole("jobs", value, 1, MAX_POOL_WORKERS, &number, err);
		o->nr_workers = status == SAHM_OK ? (uint32_t)number : 0;
		return status;
	case OPT_TIMEOUT:
		status = read_whole("timeout", value, 1, MAX_TIMEOUT_S, &number, err);
		o->timeout_s = status == SAHM_OK ? (unsigned)number : 0;
		return status;
	case OPT_STORE:
		r->store = value;
		return SAHM_OK;
	case OPT_AXIS:
	case OPT_ZIP:
		axes[r->sweep.nr_axes++] = (struct space_argument){value, option == OPT_ZIP};
		return SAHM_OK;
	case OPT_SET:
		r->sweep.settings[r->sweep.nr_settings++] = value;
		return SAHM_OK;
	case OPT_EVALUATOR:
		r->sweep.evaluator = value;
		return read_choice("evaluator", value, evaluator_names, &(unsigned){0}, err);
	case OPT_DRY_RUN:
		r->dry_run = true;
		return SAHM_OK;
	case OPT_SHARD:
		return sweep_shard_read(value, &o->shard)
			       ? SAHM_OK
			       : sahm_fail(err, SAHM_USAGE, "--shard is written as I/N, I from 1 to N, not '%s'",
					   value);
	case OPT_RETRY:
		o->retry_failed = true;
		return SAHM_OK;
	case OPT_NO_THREADS:
		o->keep_threads = false;
		return SAHM_OK;
	case OPT_MIX:
		o->mix_versions = true;
		return SAHM_OK;
	default:
		r->quiet = true;
		return SAHM_OK;
	}
}

static enum sahm_status parse(char **args, struct request *r, struct space_argument *axes, struct sahm_err *err)
{
	struct option_walk w;
	int option;
	option_walk_init(&w, options, args);
	r->options = (struct sweep_options){.nr_workers = pool_nr_processors(),
					    .keep_threads = true,
					    .shard = {0, 1},
					    .worker_begin = policy_guard_begin};
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		enum sahm_status status = take_option(r, option, w.value, axes, err);
		if (status != SAHM_OK)
			return status;
	}
	if (!r->sweep.config)
		return sahm_fail(err, SAHM_USAGE, "a configuration is missing: sahm sweep CONFIG");
	r->sweep.axes = axes;
	return SAHM_OK;
}

/* Appends the name of the store for a configuration. */
static void name_store(const char *config, struct textbuf *out)
{
	const char *label = strcmp(config, "-") == 0 ? "sweep" : config, *slash = strrchr(label, '/');
	const char *name = slash ? slash + 1 : label, *dot = strrchr(name, '.');
	textbuf_add(out, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
	textbuf_puts(out, STORE_ENDING);
}

static void write_row(struct textbuf *out, const char *what)
{
	textbuf_printf(out, "%-10s", what);
}

/* Whether there are more shards than points, and this is one too many. */
static bool is_empty(const struct sweep *sweep, const struct sweep_shard *shard)
{
	return shard->index >= sweep->space.nr_points;
}

/* "2,048 points: chip (256) x setting (8)". */
static void write_space(const struct sweep *sweep, const struct sweep_plan *plan, const struct sweep_shard *shard,
			struct textbuf *out)
{
	const struct space *space = &sweep->space;
	write_row(out, "space");
	write_count(space->nr_points, out);
	textbuf_puts(out, space->nr_points == 1 ? " point" : " points");
	for (uint32_t i = 0; i < space->nr_axes; i++) {
		textbuf_printf(out, "%s%s (", i ? " x " : ": ", space->axes[i].name);
		write_count(space->axes[i].nr_values, out);
		textbuf_putc(out, ')');
	}
	if (shard->nr > 1)
		textbuf_printf(out, "; shard %llu of %llu", (unsigned long long)shard->index + 1,
			       (unsigned long long)shard->nr);
	if (is_empty(sweep, shard)) {
		textbuf_puts(out, " has no points");
	} else if (shard->nr > 1) {
		textbuf_puts(out, ": ");
		write_count(plan->counts.points, out);
		textbuf_puts(out, " of them");
	}
	textbuf_putc(out, '\n');
	write_row(out, "runs");
	write_count(plan->counts.planned + plan->counts.done + plan->counts.failed, out);
	textbuf_puts(out, " different");
	if (plan->counts.done || plan->counts.failed) {
		textbuf_puts(out, ", of which ");
		write_count(plan->counts.done + plan->counts.failed, out);
		textbuf_puts(out, " the store has already");
	}
	if (plan->nr_without_threads) {
		textbuf_puts(out, "; ");
		write_count(plan->nr_without_threads, out);
		textbuf_puts(out, plan->nr_without_threads == 1
					  ? " was kept without its threads, and is run again"
					  : " were kept without their threads, and are run again");
	}
	textbuf_putc(out, '\n');
}

static void write_bytes(double bytes, struct textbuf *out)
{
	static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
	unsigned unit = 0;
	for (; bytes >= 1000 && unit < 4; unit++)
		bytes /= 1000;
	textbuf_printf(out, bytes < 9.95 && unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static enum sahm_status tell_dry_run(const struct request *r, const struct sweep *sweep, struct store *store,
				     const struct sweep_plan *plan, struct textbuf *out, struct sahm_err *err)
{
	struct sweep_estimate e;
	enum sahm_status status = sweep_estimate(sweep, &r->options, store, plan, &e, err);
	if (status != SAHM_OK)
		return status;
	write_row(out, "estimate");
	if (plan->counts.planned == 0) {
		textbuf_puts(out, "nothing is left to do\n");
	} else if (e.nr_tried == 0) {
		textbuf_puts(out, "none: the runs that were tried did not end well\n");
	} else {
		textbuf_puts(out, "about ");
		write_duration(e.seconds, out);
		textbuf_printf(out, " with -j %u, and ", r->options.nr_workers);
		write_bytes(e.bytes + (access(r->store, F_OK) == 0 ? 0 : e.new_bytes), out);
		textbuf_printf(out, " in the store; from %llu run%s\n", (unsigned long long)e.nr_tried,
			       e.nr_tried == 1 ? "" : "s");
	}
	return SAHM_OK;
}

static void write_outcome(const char *path, const struct sweep_plan *plan, const struct sweep_outcome *outcome,
			  struct textbuf *out)
{
	double seconds = (double)outcome->elapsed_ns / (double)NS_PER_S;
	uint64_t nr = outcome->done + outcome->failed;
	write_row(out, "result");
	textbuf_printf(out, "%s: ", path);
	write_count(plan->counts.done + outcome->done, out);
	textbuf_puts(out, " done");
	if (plan->counts.failed + outcome->failed) {
		textbuf_puts(out, ", ");
		write_count(plan->counts.failed + outcome->failed, out);
		textbuf_puts(out, " failed");
	}
	if (nr > 0) {
		textbuf_puts(out, "; ");
		write_count(nr, out);
		textbuf_puts(out, " in ");
		write_duration(seconds, out);
		if (seconds > 0)
			textbuf_printf(out, " (%.0f/s)", (double)nr / seconds);
	}
	textbuf_putc(out, '\n');
}

/* The manifest stands beside the store when every point has a result. */
static enum sahm_status write_manifest(const struct request *r, const struct sweep *sweep, struct store *store,
				       const struct sweep_plan *plan, struct textbuf *out, struct sahm_err *err)
{
	struct textbuf path, text;
	textbuf_init(&path);
	textbuf_init(&text);
	textbuf_printf(&path, "%s" MANIFEST_ENDING, r->store);
	enum sahm_status status = manifest_write(sweep, &r->options, store, plan, &text, err);
	if (status == SAHM_OK)
		status = textbuf_failed(&path) ? sahm_fail_nomem(err) : write_output(path.text, &text, err);
	if (status == SAHM_OK) {
		write_row(out, "manifest");
		textbuf_printf(out, "%s\n", path.text);
	}
	textbuf_release(&path);
	textbuf_release(&text);
	return status;
}

/* Everything between reading and closing the store. */
static enum sahm_status sweep_into(struct request *r, const struct sweep *sweep, struct store *store,
				   struct textbuf *out, int *exit_code, struct sahm_err *err)
{
	struct sweep_progress_line line;
	struct sweep_plan plan;
	struct sweep_outcome outcome = {0};
	sweep_progress_begin(&line, r->quiet);
	r->options.progress = sweep_progress_show;
	r->options.ctx = &line;
	enum sahm_status status = sweep_plan(sweep, &r->options, store, &plan, err);
	sweep_progress_end(&line);
	if (status != SAHM_OK)
		return status;
	print_notes(&plan.notes);
	if (!plan.interrupted) {
		write_space(sweep, &plan, &r->options.shard, out);
		if (r->dry_run)
			status = tell_dry_run(r, sweep, store, &plan, out, err);
		else
			status = sweep_carry_out(sweep, &r->options, store, &plan, &outcome, err);
	}
	sweep_progress_end(&line);
	bool interrupted = plan.interrupted || outcome.interrupted;
	if (status == SAHM_OK && !interrupted && !r->dry_run) {
		status = store_check_place(store, err);
		if (status == SAHM_OK)
			write_outcome(r->store, &plan, &outcome, out);
		if (status == SAHM_OK && !is_empty(sweep, &r->options.shard))
			status = write_manifest(r, sweep, store, &plan, out, err);
		if (status == SAHM_OK) {
			write_row(out, "ask");
			textbuf_printf(out, "sahm query %s\n", r->store);
		}
	}
	if (status == SAHM_OK && interrupted) {
		status = sahm_fail(err, SAHM_IO,
				   "interrupted: %llu of %llu runs are done; the same command goes on from there",
				   (unsigned long long)(plan.counts.done + outcome.done),
				   (unsigned long long)(plan.counts.planned + plan.counts.done + plan.counts.failed));
		*exit_code = 128 + sweep_progress_signal();
	}
	uint64_t failed = plan.counts.failed + outcome.failed;
	if (status == SAHM_OK && failed > 0 && !r->dry_run)
		status = sahm_fail(err, SAHM_POLICY,
				   "%llu run%s failed: `sahm query %s failed` says why, --retry-failed runs them again",
				   (unsigned long long)failed, failed == 1 ? "" : "s", r->store);
	sweep_plan_release(&plan);
	return status;
}

static enum sahm_status sweep_it(struct request *r, struct textbuf *out, int *exit_code, struct sahm_err *err)
{
	struct sweep sweep;
	struct store *store = NULL;
	enum sahm_status status = sweep_read(&sweep, &r->sweep, err);
	if (status != SAHM_OK)
		return status;
	if (sweep.space.nr_axes == 0)
		print_warning("nothing is swept: '%s' has no section 'sweep', and no --axis is given", sweep.name);
	status = store_open(&store, r->dry_run ? NULL : r->store, STORE_WRITE, err);
	if (status == SAHM_OK && r->dry_run && access(r->store, F_OK) == 0)
		status = store_borrow(store, r->store, err);
	if (status == SAHM_OK) {
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
	struct request r = {0};
	struct textbuf out;
	size_t nr_args = 0;
	char folder[DATA_FOLDER_BYTES];
	while (args[nr_args])
		nr_args++;
	textbuf_init(&out);
	textbuf_init(&r.default_store);
	r.sweep.settings = calloc(nr_args + 1, sizeof(*r.sweep.settings));
	struct space_argument *axes = calloc(nr_args + 1, sizeof(*axes));
	enum sahm_status status = r.sweep.settings && axes ? parse(args, &r, axes, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK && !r.store) {
		name_store(r.sweep.config, &r.default_store);
		r.store = r.default_store.text;
		status = textbuf_failed(&r.default_store) ? sahm_fail_nomem(err) : SAHM_OK;
	}
	if (status == SAHM_OK && is_same_file(r.store, r.sweep.config))
		status = sahm_fail(err, SAHM_USAGE, "the store '%s' would overwrite the configuration", r.store);
	if (status == SAHM_OK) {
		r.sweep.data_folder = data_folder(folder);
		status = sweep_it(&r, &out, exit_code, err);
	}
	if (!r.quiet && !textbuf_failed(&out))
		fputs(out.text, stdout);
	textbuf_release(&out);
	textbuf_release(&r.default_store);
	free(r.sweep.settings);
	free(axes);
	return status;
}

extern const struct command command_sweep;
const struct command command_sweep = {
	.name = "sweep",
	.operands = "CONFIG",
	.summary = "run every point of a space of configurations, into a store",
	.details =
		"Runs the configuration CONFIG once for every point of the space that its section `sweep` and the "
		"options --axis span: `sahm help sweeps`. Points that come to the same run share it. First every point "
		"is resolved, so that what is wrong with one shows before the first run; then several processes run, "
		"and "
		"results go into the store, an SQLite database (docs/store.md).\n"
		"Whatever ends a sweep in the middle, the same command goes on where it stopped. A store can take "
		"several sweeps; what one has run the next does not run again. When all is done a manifest stands "
		"beside "
		"the store, with which `sahm rerun` does it again.\n"
		"`sahm query` answers questions to the store, `sahm export` writes it as CSV or JSON Lines, `sahm "
		"merge` "
		"puts shards together.",
	.options = options,
	.run_program = run_program,
};
