/* sahm rerun */
#include <stdio.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"
#include "sim/cli/sweep_progress.h"
#include "sim/engine/model.h"
#include "sim/sweep/manifest.h"
#include "sim/sweep/pool.h"

struct request {
	const char *manifest, *store;
	struct sweep_options options;
	bool quiet;
	uint32_t stall_timeout_s;
};

static const struct option_row options[] = {
	{JOBS_OPTION("processes that run at once; without it as many as there are processors", options.nr_workers)},
	{"output", 'o', "FILE",
	 "keep the results in this results database; if the rerun is interrupted, it continues from "
	 "there",
	 OPTION_STRING, AT(const char *, store), .old = "store"},
	{"timeout", 0, "SECONDS", "a run that takes longer has failed (as in the manifest)", OPTION_WHOLE,
	 AT(unsigned, options.timeout_s), .least = 1, .most = MAX_TIMEOUT_S},
	{STALL_TIMEOUT_OPTION},
	{MEMORY_OPTION("without it as in the manifest", options.memory_bytes)},
	{QUIET_OPTION("no progress, no summary")},
	{ONE_OPERAND(manifest, "manifest", "a manifest is missing: sahm rerun MANIFEST")},
};

static enum sahm_status compare(const struct sweep *sweep, const struct manifest *m, struct store *store,
				const struct sweep_plan *plan, const char *path, bool quiet, struct sahm_err *err)
{
	uint32_t nr_differing;
	uint64_t first = 0, last = 0;
	enum sahm_status status = manifest_check_results(m, store, plan->part.sweep, sweep->space.nr_points,
							 &nr_differing, &first, &last, err);
	if (status != SAHM_OK)
		return status;
	if (nr_differing > 0) {
		struct textbuf where;
		textbuf_init(&where);
		textbuf_printf(&where, first == last ? "of point %llu" : "among points %llu to %llu",
			       (unsigned long long)first, (unsigned long long)last);
		status = sahm_fail(err, SAHM_CHECKSUM,
				   "results differ from those of '%s' in %u of %u digests, the first %s", path,
				   nr_differing, m->nr_results, where.text);
		textbuf_release(&where);
		return status;
	}
	if (!quiet)
		print_line("%llu point%s: every byte is as in %s", (unsigned long long)m->nr_points,
			   m->nr_points == 1 ? "" : "s", path);
	return SAHM_OK;
}

static enum sahm_status rerun(struct request *r, const struct sweep *sweep, const struct manifest *m,
			      struct store *store, int *exit_code, struct sahm_err *err)
{
	struct sweep_progress_line line;
	struct sweep_plan plan;
	struct sweep_outcome outcome = {0};
	sweep_progress_begin(&line, r->quiet);
	r->options.shard = m->shard;
	r->options.keep_threads = m->threads;
	if (r->options.timeout_s == 0)
		r->options.timeout_s = m->timeout_s;
	if (r->options.memory_bytes == 0)
		r->options.memory_bytes = m->memory_bytes;
	enum sahm_status status = sweep_progress_plan(&line, sweep, &r->options, store, &plan, err);
	if (status != SAHM_OK)
		return status;
	if (!plan.interrupted)
		status = manifest_check_plan(m, &plan, err);
	/* Nothing would be done again. */
	if (status == SAHM_OK && !plan.interrupted && m->nr_points > 0 && sweep_nr_left(&plan) == 0)
		status = sahm_fail(err, SAHM_USAGE, "'%s' has all results already", r->store);
	if (status == SAHM_OK && !plan.interrupted)
		status = sweep_carry_out(sweep, &r->options, store, &plan, &outcome, err);
	sweep_progress_end(&line);
	if (status == SAHM_OK && (plan.interrupted || outcome.interrupted)) {
		status = sahm_fail(err, SAHM_IO, "interrupted: nothing was compared");
		*exit_code = 128 + sweep_progress_signal();
	}
	if (status == SAHM_OK)
		status = compare(sweep, m, store, &plan, r->manifest, r->quiet, err);
	/* Nobody can ask a store that is only here. */
	if (status != SAHM_OK && outcome.failed > 0)
		print_warning("%llu run%s failed: %.900s", (unsigned long long)outcome.failed,
			      outcome.failed == 1 ? "" : "s", outcome.why);
	sweep_plan_release(&plan);
	return status;
}

static enum sahm_status rerun_into(struct request *r, const struct sweep *sweep, const struct manifest *m,
				   int *exit_code, struct sahm_err *err)
{
	struct store *store;
	struct sahm_err ignored;
	enum sahm_status status = store_open(&store, r->store, STORE_WRITE, err);
	if (status != SAHM_OK)
		return status;
	status = rerun(r, sweep, m, store, exit_code, err);
	enum sahm_status closed = store_close(store, status == SAHM_OK ? err : &ignored);
	return status == SAHM_OK ? closed : status;
}

static enum sahm_status run_program(char **args, int *exit_code, struct sahm_err *err)
{
	struct request r = {.options = {.nr_workers = pool_nr_processors(), .worker_begin = policy_guard_begin}};
	struct sweep sweep;
	struct manifest m;
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = refuse_companions(r.store, err);
	if (status != SAHM_OK)
		return status;
	const struct sweep_request request = {.config = r.manifest, .data_folder = data_folder()};
	status = sweep_read(&sweep, &request, err);
	if (status != SAHM_OK)
		return explain_config(r.manifest, status, err);
	status = manifest_read(&sweep, &m, err);
	if (status == SAHM_OK && strcmp(m.program, model_version()) != 0)
		print_warning("the manifest was made by sahm %s, this is %s: results may differ", m.program,
			      model_version());
	if (status == SAHM_OK)
		status = rerun_into(&r, &sweep, &m, exit_code, err);
	sweep_release(&sweep);
	return status;
}

extern const struct command command_rerun;
const struct command command_rerun = {
	.name = "rerun",
	.operands = "MANIFEST",
	.summary = "repeat a sweep from its manifest and compare every byte",
	.details = "Repeats the sweep that MANIFEST describes, and compares all results with the recorded ones, "
		   "except for times. `sahm sweep` writes the manifest beside its results. The command fails if "
		   "a trace has changed or a result differs.\n"
		   "A manifest is also a configuration: `sahm sweep MANIFEST` runs all points of its sweep.",
	.options = options,
	.run_program = run_program,
};
