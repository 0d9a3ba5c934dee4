/* sahm export */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "results/store/store_export.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

struct request {
	const char *store, *sweep, *output;
	enum export_kind kind;
	enum export_form form;
	bool force;
};

static const struct option_row options[] = {
	{"csv", 0, NULL, "write CSV with a header line (the default)", OPTION_ONE_OF, AT(enum export_form, form),
	 .value_is = EXPORT_CSV},
	{"jsonl", 0, NULL, "write JSON Lines: one object per line", OPTION_ONE_OF, AT(enum export_form, form),
	 .value_is = EXPORT_JSONL},
	{"sweep", 0, "ID", "export this sweep instead of the last one that was planned", OPTION_STRING,
	 AT(const char *, sweep)},
	{"threads", 0, NULL, "write one row per point and thread", OPTION_ONE_OF, AT(enum export_kind, kind),
	 .value_is = EXPORT_THREADS},
	{"timings", 0, NULL, "add when each run was carried out, and how long it took", OPTION_ONE_OF,
	 AT(enum export_kind, kind), .value_is = EXPORT_TIMINGS},
	{"output", 'o', "FILE", "write to FILE instead of standard output", OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{ONE_OPERAND(store, "store", "a results database is missing: sahm export RESULTS")},
};

static void warn(const struct export_counts *c)
{
	if (c->planned > 0)
		print_warning("%" PRIu64 " of %" PRIu64 " points %s not done: `sahm sweep` goes on where it stopped",
			      c->planned, c->points, c->planned == 1 ? "is" : "are");
	if (c->absent > 0)
		print_warning("%" PRIu64 " of %" PRIu64
			      " points of the sweep are not in the results file, which has a part of it",
			      c->absent, c->points + c->absent);
	if (c->failed > 0)
		print_warning("%" PRIu64 " of %" PRIu64
			      " points failed: column 'message' says why, `sahm sweep --retry-failed` tries again",
			      c->failed, c->points);
}

static enum sahm_status export_to(const struct request *r, struct store *store, int64_t sweep, struct sahm_err *err)
{
	struct export_counts counts = {0};
	struct atomic_file file;
	enum sahm_status status;
	if (!r->output || strcmp(r->output, "-") == 0) {
		status = store_export(store, sweep, r->kind, r->form, data_output(), &counts, err);
	} else {
		status = atomic_file_begin(&file, r->output, r->force, err);
		if (status != SAHM_OK)
			return status;
		status = store_export(store, sweep, r->kind, r->form, file.stream, &counts, err);
		if (status == SAHM_OK)
			status = atomic_file_commit(&file, err);
		else
			atomic_file_abort(&file);
	}
	if (status == SAHM_OK)
		warn(&counts);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.kind = EXPORT_POINTS, .form = EXPORT_CSV};
	struct store *store;
	int64_t sweep;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r.output, r.store, err);
	if (status == SAHM_OK)
		status = store_open(&store, r.store, STORE_READ, err);
	if (status != SAHM_OK)
		return status;
	status = store_find_sweep(store, r.sweep, &sweep, err);
	if (status == SAHM_OK)
		status = export_to(&r, store, sweep, err);
	store_abandon(store);
	return status;
}

extern const struct command command_export;
const struct command command_export = {
	.name = "export",
	.operands = "RESULTS",
	.summary = "write a sweep's results as CSV or JSON Lines",
	.details = "RESULTS is a results database that `sahm sweep` has written. Each point of the sweep "
		   "becomes a row, in the order of the points: its value on each axis, whether its run is done, "
		   "the run's hash, the chip, and every metric (`sahm help results`). Shares and speedups are "
		   "fractions: 0.18 is 18 %. If a run has several samples, each metric also has the bounds of "
		   "its 95 % interval. Unknown values are empty (null in JSON).\n"
		   "Equal results give equal bytes, for any number of workers. --timings adds when and how fast "
		   "each run was carried out. --threads needs a sweep that kept its threads.\n"
		   "The sweep may still be running: points that are not done are exported as `planned`, with a "
		   "warning.",
	.options = options,
	.run = run,
};
