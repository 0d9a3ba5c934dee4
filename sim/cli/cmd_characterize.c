/* sahm characterize */
#include <stdlib.h>
#include <string.h>

#include "results/characterize_report.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"

enum { OPT_CUTS, OPT_JSON, OPT_CSV, OPT_OUTPUT };

static const struct option_row options[] = {
	[OPT_CUTS] =
		{"cuts", 'c', "CUTS",
		 "set of cuts (p25, p50, intuitive), cuts of one's own (branch_pct=1,l1i_mpki=1,l1d_pct=2,l2_pct=10), "
		 "or both, separated by commas"},
	[OPT_JSON] = {"json", 0, NULL, "print one JSON object"},
	[OPT_CSV] = {"csv", 0, NULL, "print CSV: a row per trace, then their mean"},
	[OPT_OUTPUT] = {"output", 'o', "FILE", "write the result to FILE instead of standard output"},
	{0},
};

struct request {
	const char *output;
	const char *cuts_set;
	bool has_cut[NR_COMPONENTS]; /* given beside the set, */
	double cut[NR_COMPONENTS];   /* in the unit of the metric */
	struct cuts cuts;
	struct textbuf cuts_name; /* "p25,l2_pct=5" */
	const char **paths;
	size_t nr_paths;
	enum output_form form;
};

/* One part of a --cuts value: the name of a set, or key=value. */
static enum sahm_status note_cut(char *part, struct request *r, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	char *eq = strchr(part, '=');
	if (eq)
		*eq = '\0';
	suggest_init(&s, part);
	for (size_t i = 0; !eq && cut_set_names[i]; i++) {
		if (strcmp(cut_set_names[i], part) == 0) {
			r->cuts_set = cut_set_names[i];
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

/* The cuts in force: the set's first, wherever it stood, then single ones. */
static void settle_cuts(struct request *r)
{
	cuts_named(r->cuts_set, &r->cuts);
	textbuf_puts(&r->cuts_name, r->cuts_set);
	for (int c = 0; c < NR_COMPONENTS; c++) {
		if (!r->has_cut[c])
			continue;
		cuts_set(&r->cuts, (enum component)c, r->cut[c]);
		textbuf_printf(&r->cuts_name, ",%s=", metric_rows[c].key);
		number_write_double(&r->cuts_name, cuts_get(&r->cuts, (enum component)c), 0);
	}
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

static bool report(const struct request *r, const struct characterized *rows, struct textbuf *out)
{
	switch (r->form) {
	case OUTPUT_JSON:
		return characterize_report_json(rows, r->nr_paths, r->cuts_name.text, out);
	case OUTPUT_CSV:
		return characterize_report_csv(rows, r->nr_paths, out);
	default:
		return characterize_report_text(rows, r->nr_paths, r->cuts_name.text, bold_output(r->output), out);
	}
}

/* Opens and counts one trace after the other: only their names and counts stay in memory. */
static enum sahm_status characterize(const struct request *r, struct arena *a, struct characterized *rows,
				     struct sahm_err *err)
{
	for (size_t i = 0; i < r->nr_paths; i++) {
		struct trace *trace;
		enum sahm_status status = open_trace(r->paths[i], &trace, err);
		if (status != SAHM_OK)
			return status;
		rows[i].name = arena_strdup(a, trace_name(trace));
		status =
			rows[i].name ? characterize_trace(trace, &r->cuts, &rows[i].counts, err) : sahm_fail_nomem(err);
		trace_free(trace);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.cuts_set = DEFAULT_CUTS};
	struct arena a;
	struct textbuf out;
	size_t nr_args = 0;
	while (args[nr_args])
		nr_args++;
	arena_init(&a);
	textbuf_init(&out);
	textbuf_init(&r.cuts_name);
	r.paths = arena_alloc(&a, nr_args, sizeof(*r.paths));
	struct characterized *rows = arena_alloc(&a, nr_args, sizeof(*rows));
	enum sahm_status status = r.paths && rows ? parse(args, &r, err) : sahm_fail_nomem(err);
	settle_cuts(&r);
	if (status == SAHM_OK)
		status = characterize(&r, &a, rows, err);
	if (status == SAHM_OK && !report(&r, rows, &out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r.output, &out, err);
	textbuf_release(&r.cuts_name);
	textbuf_release(&out);
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
		   "A TRACE is a CSV file or a binary trace.",
	.options = options,
	.run = run,
};
