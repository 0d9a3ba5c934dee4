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
	{"csv", 0, NULL, "write CSV, with a line of names in front (the default)", OPTION_ONE_OF,
	 AT(enum export_form, form), .value_is = EXPORT_CSV},
	{"jsonl", 0, NULL, "write JSON Lines: an object per line", OPTION_ONE_OF, AT(enum export_form, form),
	 .value_is = EXPORT_JSONL},
	{"sweep", 0, "ID", "take this sweep of the store instead of the one that was planned last", OPTION_STRING,
	 AT(const char *, sweep)},
	{"threads", 0, NULL, "write a row per point and thread", OPTION_ONE_OF, AT(enum export_kind, kind),
	 .value_is = EXPORT_THREADS},
	{"timings", 0, NULL, "write when each run was carried out, and how long it took", OPTION_ONE_OF,
	 AT(enum export_kind, kind), .value_is = EXPORT_TIMINGS},
	{"output", 'o', "FILE", "write to FILE instead of standard output", OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{ONE_OPERAND(store, "store", "a store is missing: sahm export STORE")},
};

static void warn(const struct export_counts *c)
{
	if (c->planned > 0)
		print_warning("%" PRIu64 " of %" PRIu64 " points %s not done: `sahm sweep` goes on where it stopped",
			      c->planned, c->points, c->planned == 1 ? "is" : "are");
	if (c->absent > 0)
		print_warning("%" PRIu64 " of %" PRIu64
			      " points of the sweep are not in the store, which has a part of it",
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
	.operands = "STORE",
	.summary = "write what a sweep has found as CSV or JSON Lines",
	.details =
		"STORE is a file that `sahm sweep` has filled. Each point of the sweep becomes a row, in the order of "
		"their positions: the value on each axis, whether the run is done, the hash by which it is known, the "
		"chip, and every metric (`sahm help results`); shares and speedups are fractions, 0.18 is 18 %. A run "
		"of several samples also has the bounds of each metric's 95 % interval. What is not there is empty "
		"(null in JSON).\n"
		"Two stores with the same results give the same bytes, however many workers there were and in whatever "
		"order they finished; when and how fast runs were carried out is written with --timings alone. "
		"--threads needs a sweep that kept its threads.\n"
		"A sweep may be under way meanwhile: what is not done yet is exported as `planned`, with a warning. "
		"The store is an SQLite database, and can be asked in SQL as well.",
	.options = options,
	.run = run,
};
