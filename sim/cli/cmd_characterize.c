/* sahm characterize */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/characterize_plot.h"
#include "results/characterize_report.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "workloads/percentile.h"

enum { OPT_CUTS, OPT_DETAILS, OPT_PLOT, OPT_JSON, OPT_CSV, OPT_OUTPUT };

#define PERCENTILE "percentile"

static const struct option_row options[] = {
	[OPT_CUTS] =
		{"cuts", 'c', "CUTS",
		 "set of cuts (p25, p50, intuitive), percentiles over the epochs of these traces (percentile:50), cuts "
		 "of one's own (branch_pct=1,l1i_mpki=1,l1d_pct=2,l2_pct=10), or these beside a set, separated by "
		 "commas"},
	[OPT_DETAILS] = {"details", 0, NULL,
			 "print more below the table: occupancy by set of cuts, transitions, lengths of intervals"},
	[OPT_PLOT] = {"plot", 0, "DIR",
		      "write figures to the folder DIR (made if missing): data (.csv), scripts (.gp), and .svg and "
		      ".png drawn by gnuplot"},
	[OPT_JSON] = {"json", 0, NULL, "print one JSON object"},
	[OPT_CSV] = {"csv", 0, NULL, "print CSV: a row per trace, then their mean"},
	[OPT_OUTPUT] = {"output", 'o', "FILE", "write the result to FILE instead of standard output"},
	{0},
};

struct request {
	const char *output;
	const char *plot;
	bool details;
	const char *cuts_set;
	uint64_t percentile_ppb;     /* instead of the set, unless 0 */
	bool has_cut[NR_COMPONENTS]; /* given beside the set, */
	double cut[NR_COMPONENTS];   /* in the unit of the metric */
	struct cuts cuts;
	struct textbuf cuts_name; /* "p25,l2_pct=5" */
	const char **paths;
	size_t nr_paths;
	enum output_form form;
};

/* "percentile:50": `text` is what stands behind the word. */
static enum sahm_status note_percentile(const char *text, struct request *r, struct sahm_err *err)
{
	double pct;
	uint64_t ppb = 0;
	if (*text == ':' && number_read_double(text + 1, &pct) == NUMBER_OK && pct > 0 && pct < 100)
		ppb = (uint64_t)llround(pct * (double)PPB_PER_PCT);
	if (ppb < 1 || ppb >= PPB_ONE)
		return sahm_fail(err, SAHM_USAGE,
				 "--cuts: '" PERCENTILE "%s' must be " PERCENTILE ":N, N a number from %.7f to %.7f",
				 text, 1 / (double)PPB_PER_PCT, (double)(PPB_ONE - 1) / (double)PPB_PER_PCT);
	r->percentile_ppb = ppb;
	return SAHM_OK;
}

/* One part of a --cuts value: the name of a set, percentile:N, or key=value. */
static enum sahm_status note_cut(char *part, struct request *r, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	char *eq = strchr(part, '=');
	if (eq)
		*eq = '\0';
	size_t word = strlen(PERCENTILE);
	if (!eq && strncmp(part, PERCENTILE, word) == 0 && (part[word] == '\0' || part[word] == ':'))
		return note_percentile(part + word, r, err);
	suggest_init(&s, part);
	suggest_offer(&s, PERCENTILE ":50");
	for (size_t i = 0; !eq && cut_set_names[i]; i++) {
		if (strcmp(cut_set_names[i], part) == 0) {
			r->cuts_set = cut_set_names[i];
			r->percentile_ppb = 0;
			return SAHM_OK;
		}
		suggest_offer(&s, cut_set_names[i]);
	}
	for (int c = 0; c < NR_COMPONENTS; c++) {
		double value;
		suggest_offer(&s, metric_rows[c].key);
		if (!eq || strcmp(part, metric_rows[c].key) != 0)
			continue;
		if (number_read_double(eq + 1, &value) != NUMBER_OK || value < 0 || value > MAX_CUT)
			return sahm_fail(err, SAHM_USAGE, "--cuts: '%s' is '%s', must be a number from 0 to %.10g %s",
					 part, eq + 1, MAX_CUT, metric_rows[c].unit);
		r->has_cut[c] = true;
		r->cut[c] = value;
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_USAGE, "--cuts: unknown %s '%s'%s", eq ? "cut" : "set of cuts", part,
			 suggest_text(&s, near));
}

static enum sahm_status note_cuts(const char *text, struct request *r, struct sahm_err *err)
{
	char *copy = strdup(text);
	enum sahm_status status = copy ? SAHM_OK : sahm_fail_nomem(err);
	for (char *part = copy, *comma; part && status == SAHM_OK; part = comma) {
		comma = strchr(part, ',');
		if (comma)
			*comma++ = '\0';
		status = note_cut(part, r, err);
	}
	free(copy);
	return status;
}

/* The cuts in force: the set's or the percentiles first, wherever they stood, then single ones. */
static enum sahm_status settle_cuts(struct request *r, struct trace *const *traces, struct sahm_err *err)
{
	unsigned open = 0;
	enum sahm_status status = SAHM_OK;
	cuts_named(r->cuts_set, &r->cuts);
	for (int c = 0; c < NR_COMPONENTS; c++)
		open |= (unsigned)!r->has_cut[c] << c;
	if (r->percentile_ppb) {
		textbuf_puts(&r->cuts_name, PERCENTILE ":");
		number_write_double(&r->cuts_name, (double)r->percentile_ppb / (double)PPB_PER_PCT, 0);
		status = percentile_cuts(traces, r->nr_paths, r->percentile_ppb, open, &r->cuts, err);
	} else {
		textbuf_puts(&r->cuts_name, r->cuts_set);
	}
	for (int c = 0; c < NR_COMPONENTS; c++) {
		if (!r->has_cut[c])
			continue;
		cuts_set(&r->cuts, (enum component)c, r->cut[c]);
		textbuf_printf(&r->cuts_name, ",%s=", metric_rows[c].key);
		number_write_double(&r->cuts_name, cuts_get(&r->cuts, (enum component)c), 0);
	}
	return status;
}

static enum sahm_status parse(char **args, struct request *r, struct sahm_err *err)
{
	struct option_walk w;
	option_walk_init(&w, options, args);
	for (;;) {
		int option = option_walk_next(&w, err);
		switch (option) {
		case OPTION_END:
			return r->nr_paths
				       ? SAHM_OK
				       : sahm_fail(err, SAHM_USAGE, "a trace is missing: sahm characterize TRACE...");
		case OPTION_ERROR:
			return SAHM_USAGE;
		case OPTION_OPERAND:
			r->paths[r->nr_paths++] = w.value;
			break;
		case OPT_CUTS:
			if (note_cuts(w.value, r, err) != SAHM_OK)
				return err->status;
			break;
		case OPT_DETAILS:
			r->details = true;
			break;
		case OPT_PLOT:
			r->plot = w.value;
			break;
		case OPT_JSON:
		case OPT_CSV:
			if (choose_form(&r->form, option == OPT_JSON ? OUTPUT_JSON : OUTPUT_CSV, err) != SAHM_OK)
				return SAHM_USAGE;
			break;
		default:
			r->output = w.value;
		}
	}
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
	return row->name ? characterize_trace(trace, &r->cuts, &row->counts, err) : sahm_fail_nomem(err);
}

/* Opens and counts traces. Percentiles need them all before the first can be counted; otherwise one is open at a time,
 * and only names and counts stay in memory. */
static enum sahm_status characterize(struct request *r, struct arena *a, struct characterized *rows,
				     struct sahm_err *err)
{
	struct trace **traces = arena_alloc(a, r->nr_paths, sizeof(struct trace *));
	enum sahm_status status = traces ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < r->nr_paths && status == SAHM_OK && r->percentile_ppb; i++)
		status = open_trace(r->paths[i], &traces[i], err);
	if (status == SAHM_OK)
		status = settle_cuts(r, traces, err);
	for (size_t i = 0; i < r->nr_paths && status == SAHM_OK; i++) {
		if (!traces[i])
			status = open_trace(r->paths[i], &traces[i], err);
		if (status == SAHM_OK)
			status = count_trace(r, a, traces[i], &rows[i], err);
		trace_free(traces[i]);
		traces[i] = NULL;
	}
	for (size_t i = 0; traces && i < r->nr_paths; i++)
		trace_free(traces[i]);
	return status;
}

/* The report comes first: it does not depend on gnuplot. */
static enum sahm_status show(const struct request *r, const struct characterize_study *study, struct sahm_err *err)
{
	struct textbuf out, notes;
	textbuf_init(&out);
	textbuf_init(&notes);
	enum sahm_status status = report(r, study, &out) ? write_output(r->output, &out, err) : sahm_fail_nomem(err);
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
	struct request r = {.cuts_set = DEFAULT_CUTS};
	struct arena a;
	size_t nr_args = 0;
	while (args[nr_args])
		nr_args++;
	arena_init(&a);
	textbuf_init(&r.cuts_name);
	r.paths = arena_alloc(&a, nr_args, sizeof(*r.paths));
	struct characterized *rows = arena_alloc(&a, nr_args, sizeof(*rows));
	enum sahm_status status = r.paths && rows ? parse(args, &r, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = characterize(&r, &a, rows, err);
	if (status == SAHM_OK) {
		struct characterize_study study = {rows, r.nr_paths, &r.cuts, r.cuts_name.text, r.percentile_ppb > 0};
		status = show(&r, &study, err);
	}
	textbuf_release(&r.cuts_name);
	arena_release(&a);
	return status;
}

extern const struct command command_characterize;
const struct command command_characterize = {
	.name = "characterize",
	.operands = "TRACE...",
	.summary = "show in which states traces spend their time, and how often they change",
	.details = "Prints, for each trace and on average, the share of epochs in each of the 16 states, the share of "
		   "epochs "
		   "in the same state as the one before, and the number of intervals (runs of epochs in one state).\n"
		   "Percentiles as cuts are taken over all epochs of all TRACEs together, epochs in which a metric "
		   "has no "
		   "value left out, with linear interpolation; the cuts are printed.\n"
		   "With --plot, gnuplot must be installed; without it, data and scripts are still written.\n"
		   "A TRACE is a CSV file or a binary trace.",
	.options = options,
	.run = run,
};
