/* sahm characterize */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/report/characterize_plot.h"
#include "results/report/characterize_report.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/cuts_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/sweep/operands.h"

struct request {
	const char *output;
	const char *plot;
	bool details, force;
	struct cuts_request asked;
	struct cuts cuts;
	struct textbuf cuts_name;	     /* "p25,l2_pct=5" */
	struct option_list operands, traces; /* and those that they stand for */
	enum output_form form;
};

static const struct option_row options[] = {
	{CUTS_OPTION("", asked)},
	{"details", 0, NULL,
	 "print more below the table: residency for each set of thresholds, transitions, lengths of "
	 "intervals",
	 OPTION_FLAG, AT(bool, details)},
	{"plot", 0, "DIR",
	 "write figures to the folder DIR (created if missing): data (.csv), scripts (.gp), and .svg "
	 "and .png drawn by gnuplot",
	 OPTION_STRING, AT(const char *, plot), .written = true, .folder = true},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV: a row per trace, then their mean")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{OPERANDS(operands, "a trace is missing: sahm characterize TRACE...")},
};

/* Whether the result or a trace is called as a picture, its script or its data. */
static enum sahm_status keep_figures(const struct request *r, struct sahm_err *err)
{
	static const char *const endings[] = {"csv", "gp", "svg", "png"};
	char path[PATH_MAX];
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_CHARACTERIZE_FIGURES && r->plot; i++)
		for (unsigned k = 0; k < ARRAY_SIZE(endings) && status == SAHM_OK; k++) {
			snprintf(path, sizeof(path), "%s/%s.%s", r->plot, characterize_figure_names[i], endings[k]);
			if (r->output && (strcmp(r->output, path) == 0 || is_same_file(r->output, path)))
				status = sahm_fail(err, SAHM_USAGE, "--output and --plot would both write '%s'",
						   r->output);
			for (size_t t = 0; t < r->traces.nr && status == SAHM_OK; t++)
				status = refuse_overwriting(path, r->traces.items[t], err);
		}
	return status;
}

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	for (size_t i = 0; i < r->traces.nr; i++)
		if (refuse_overwriting(r->output, r->traces.items[i], err) != SAHM_OK)
			return SAHM_USAGE;
	enum sahm_status status = keep_figures(r, err);
	return status == SAHM_OK && r->plot && !r->force ? characterize_plot_refuse_existing(r->plot, err) : status;
}

static bool report(const struct request *r, const struct characterize_study *study, struct textbuf *out)
{
	bool bold = bold_output(r->output);
	switch (r->form) {
	case OUTPUT_JSON:
		return characterize_report_json(study, out);
	case OUTPUT_CSV:
		return characterize_report_csv(study, out);
	default:
		return characterize_report_text(study, bold, out) &&
		       (!r->details || characterize_details_text(study, bold, out));
	}
}

static enum sahm_status count_trace(const struct request *r, struct arena *a, struct trace *trace,
				    struct characterized *row, struct sahm_err *err)
{
	row->name = arena_strdup(a, trace_name(trace));
	row->epoch_ns = trace_epoch_ns(trace);
	row->synthetic = provenance_is_synthetic(trace_provenance(trace));
	row->nominal = provenance_is_nominal(trace_provenance(trace));
	row->origins = provenance_origins(trace_provenance(trace));
	return row->name ? characterize_trace(trace, &r->cuts, &row->counts, err) : sahm_fail_nomem(err);
}

/* Opens and counts traces. Percentiles need them all before the first can be counted; otherwise one is open at a time,
 * and only names and counts stay in memory. */
static enum sahm_status characterize(struct request *r, struct arena *a, struct characterized *rows,
				     struct sahm_err *err)
{
	struct trace **traces = arena_alloc(a, r->traces.nr, sizeof(struct trace *));
	enum sahm_status status = traces ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < r->traces.nr && status == SAHM_OK && cuts_request_needs_traces(&r->asked); i++)
		status = open_trace(r->traces.items[i], &traces[i], err);
	if (status == SAHM_OK)
		status = cuts_request_settle(&r->asked, traces, r->traces.nr, &r->cuts, &r->cuts_name, err);
	for (size_t i = 0; i < r->traces.nr && status == SAHM_OK; i++) {
		if (!traces[i])
			status = open_trace(r->traces.items[i], &traces[i], err);
		if (status == SAHM_OK)
			status = count_trace(r, a, traces[i], &rows[i], err);
		trace_free(traces[i]);
		traces[i] = NULL;
	}
	for (size_t i = 0; traces && i < r->traces.nr; i++)
		trace_free(traces[i]);
	return status;
}

/* The report comes first: it does not depend on gnuplot. */
static enum sahm_status show(const struct request *r, const struct characterize_study *study, struct sahm_err *err)
{
	struct textbuf out, notes;
	textbuf_init(&out);
	textbuf_init(&notes);
	enum sahm_status status =
		report(r, study, &out) ? write_output(r->output, r->force, r->form, &out, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK && r->plot)
		status = characterize_plot_write(study, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = characterize_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.asked = {.set = DEFAULT_CUTS}};
	struct arena a;
	struct characterized *rows = NULL;
	arena_init(&a);
	textbuf_init(&r.cuts_name);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = operands_read_traces(&a, &r.operands, data_folder(), &r.traces, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK && !(rows = arena_alloc(&a, r.traces.nr, sizeof(*rows))))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = try_folder(r.plot, err);
	if (status == SAHM_OK)
		status = characterize(&r, &a, rows, err);
	if (status == SAHM_OK) {
		struct characterize_study study = {rows, r.traces.nr, &r.cuts, r.cuts_name.text,
						   cuts_request_needs_traces(&r.asked)};
		status = show(&r, &study, err);
	}
	textbuf_release(&r.cuts_name);
	free(r.traces.items);
	free(r.operands.items);
	arena_release(&a);
	return status;
}

extern const struct command command_characterize;
const struct command command_characterize = {
	.name = "characterize",
	.operands = "TRACE...",
	.summary = "show the states in which traces spend their time",
	.details = "Prints for each trace, and on average, the share of epochs in each of the 16 states, the "
		   "share of epochs in the same state as the epoch before, and the number of intervals (runs of "
		   "epochs in one state).\n"
		   "Percentiles as thresholds are taken over all epochs of all TRACEs together, with linear "
		   "interpolation. Epochs in which a metric has no value do not count. The thresholds are "
		   "printed.\n"
		   "--plot needs gnuplot. Without gnuplot, data and scripts are still written.\n"
		   "A TRACE is a file, a folder, or the name of a shipped suite or trace. Folders and suites "
		   "stand for all their traces. `sahm trace list` shows the shipped ones.",
	.options = options,
	.run = run,
};
