/* sahm reproduce */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "results/metrics/table.h"
#include "results/page/page_folder.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/sweep/reproduce.h"

#define DEFAULT_FOLDER "reproduced"

struct request {
	struct reproduce_request reproduce;
	const char *folder;
	enum output_form form;
	bool no_plots, list, any, force;
};

static enum sahm_status take_id(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	/* "fig4.7" is 4.7. */
	const char *digits = w->value + strcspn(w->value, "0123456789");
	const char *word = strncasecmp(w->value, "fig", 3) == 0 && *digits ? digits : w->value;
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, word);
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		if (strcasecmp(word, reproduced_rows[i].id) == 0) {
			r->reproduce.wanted[i] = r->any = true;
			return SAHM_OK;
		}
		suggest_offer(&s, reproduced_rows[i].id);
	}
	return sahm_fail(err, SAHM_USAGE, "there is no '%.80s' (`sahm reproduce --list` lists what there is)%s", word,
			 suggest_text(&s, near));
}

static const struct option_row options[] = {
	{"output", 'o', "DIR",
	 "write page, figures and data into the folder DIR, created if missing (" DEFAULT_FOLDER ")", OPTION_STRING,
	 AT(const char *, folder), .folder = true, .preset_text = DEFAULT_FOLDER},
	{"force", 0, NULL, "replace a page that was made from other results", OPTION_FORCE, AT(bool, force)},
	{"suite", 0, "NAME",
	 "take the traces of this suite: a shipped one (" REPRODUCE_SUITE ", the default; open; small), "
	 "a file with a list `traces`, or a folder of traces",
	 OPTION_STRING, AT(const char *, reproduce.suite), .preset_text = REPRODUCE_SUITE},
	{"speedups", 0, "FILE",
	 "also take measured speedups: those of the core_types in this configuration, as sahm core specialize writes it",
	 OPTION_STRING, AT(const char *, reproduce.speedups)},
	{"costs", 0, "FILE",
	 "budget: take areas and powers of cores from this table, like configs/costs/cores.cfg, instead of a range of areas",
	 OPTION_STRING, AT(const char *, reproduce.costs)},
	{"no-plots", 0, NULL, "draw no figures; data and scripts for gnuplot are still written", OPTION_FLAG,
	 AT(bool, no_plots)},
	{"list", 0, NULL, "list the experiments, and do nothing", OPTION_FLAG, AT(bool, list)},
	{JSON_OPTION("print the claims as one JSON object")},
	{CSV_OPTION("print the claims as CSV")},
	{TAKE_OPERANDS(take_id)},
};

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	if (strcmp(r->folder, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "--output is '%s', must be a folder", r->folder);
	for (unsigned i = 0; i < NR_REPRODUCED && !r->any; i++)
		r->reproduce.wanted[i] = r->reproduce.speedups || !paper_study_is_measured(reproduced_rows[i].study);
	bool measured = false;
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		measured |= r->reproduce.wanted[i] && paper_study_is_measured(reproduced_rows[i].study);
	if (r->reproduce.speedups && !measured)
		return sahm_fail(err, SAHM_USAGE,
				 "--speedups is for m4.7, m4.8, m4.10 and budget: none of them is asked for");
	if (r->reproduce.costs && !r->reproduce.wanted[REPRODUCED_BUDGET])
		return sahm_fail(err, SAHM_USAGE, "--costs is for budget, which is not asked for");
	return SAHM_OK;
}

static enum sahm_status print_list(struct sahm_err *err)
{
	struct textbuf out;
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2;
	table_row(&t, false);
	table_cell(&t, "id");
	table_cell(&t, "what");
	table_cell(&t, "configuration");
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		const struct reproduced_row *row = &reproduced_rows[i];
		table_row(&t, i == 0);
		table_cell(&t, "%s", row->id);
		table_cell(&t, "%s", row->heading);
		table_cell(&t, "%s", paper_study_files[row->study]);
	}
	textbuf_init(&out);
	enum sahm_status status =
		table_write(&t, bold_output(NULL), &out) ? print_output(OUTPUT_TEXT, &out, err) : sahm_fail_nomem(err);
	table_release(&t);
	textbuf_release(&out);
	return status;
}

static enum sahm_status write_folder(const struct request *r, struct reproduction *found, struct sahm_err *err)
{
	struct textbuf notes;
	enum sahm_status status = refuse_overwriting_in(r->folder, found->suite.asked, err);
	if (status == SAHM_OK && found->speedups)
		status = refuse_overwriting_in(r->folder, found->speedups, err);
	if (status == SAHM_OK && found->costs)
		status = refuse_overwriting_in(r->folder, found->costs, err);
	for (const struct cfg_node *t = found->suite.traces->first; t && status == SAHM_OK; t = t->next)
		status = refuse_overwriting_in(r->folder, t->value.string, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&notes);
	status = reproduction_write(found, r->folder, r->force, !r->no_plots, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	/* The page is there even where gnuplot has failed. */
	if (status == SAHM_OK || status == SAHM_TOOL)
		print_remark("sahm: wrote '%s/" PAGE_FILE "'", r->folder);
	return status;
}

static bool has_claims(const struct claims_shown *claims)
{
	bool has = false;
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		has |= claims->chosen[c];
	return has;
}

static enum sahm_status report(const struct request *r, const struct reproduction *found,
			       const struct claims_shown *claims, struct sahm_err *err)
{
	bool ok = true;
	const char *tables = found->side_by_side.len > 0 ? found->side_by_side.text : "";
	const char *budget = found->budget.len > 0 ? found->budget.text : "";
	struct textbuf out;
	textbuf_init(&out);
	if (r->form == OUTPUT_TEXT && !has_claims(claims)) {
		/* Without the line end that separates them from claims. */
		textbuf_puts(&out, *tables ? tables + 1 : "");
	} else {
		ok = r->form == OUTPUT_JSON  ? claims_table_json(claims, &out)
		     : r->form == OUTPUT_CSV ? claims_table_csv(claims, &out)
					     : claims_table_text(claims, bold_output(NULL), &out);
		if (r->form == OUTPUT_TEXT)
			textbuf_puts(&out, tables);
	}
	if (r->form == OUTPUT_TEXT && *budget)
		textbuf_printf(&out, "%s%s", out.len > 0 ? "\n" : "", budget);
	enum sahm_status status = ok ? print_output(r->form, &out, err) : sahm_fail_nomem(err);
	/* Printed before the report about the page, wherever both go. */
	if (status == SAHM_OK)
		status = flush_output(err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status check_claims(const struct claims_shown *claims, struct sahm_err *err)
{
	unsigned nr_broken = claims_nr_broken(claims), nr_changed = claims_nr_changed(claims);
	char broken[64] = "", changed[64] = "";
	if (nr_broken == 0 && nr_changed == 0)
		return SAHM_OK;
	if (nr_broken > 0)
		snprintf(broken, sizeof(broken), "%u required claim%s not hold%s", nr_broken,
			 nr_broken == 1 ? " does" : "s do", nr_changed > 0 ? ", " : "");
	if (nr_changed > 0)
		snprintf(changed, sizeof(changed), "%u predicted value%s", nr_changed,
			 nr_changed == 1 ? " is not as known" : "s are not as known");
	return sahm_fail(err, SAHM_RANGE, "%s%s", broken, changed);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.reproduce.data_folder = data_folder()};
	struct reproduction found;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status != SAHM_OK || r.list)
		return status == SAHM_OK ? print_list(err) : status;
	status = reproduction_check_folder(r.folder, &r.reproduce, r.force, err);
	if (status == SAHM_OK)
		status = try_folder(r.folder, err);
	if (status == SAHM_OK)
		status = reproduce(&r.reproduce, &found, err);
	if (status != SAHM_OK)
		return status;
	print_notes(&found.notes);
	const struct claims_shown claims = reproduction_claims(&found);
	status = report(&r, &found, &claims, err);
	if (status == SAHM_OK)
		status = write_folder(&r, &found, err);
	if (status == SAHM_OK)
		status = check_claims(&claims, err);
	reproduction_release(&found);
	return status;
}

extern const struct command command_reproduce;
const struct command command_reproduce = {
	.name = "reproduce",
	.operands = "[ID...]",
	.summary = "repeat the paper's figures and check its claims",
	.details =
		"Repeats the experiments of table 4.3 and figures 4.2 to 4.10 and A.3 of the paper, those "
		"with an ID or all, and prints the paper's values beside the ones found here. The folder DIR "
		"gets a page, " PAGE_FILE ", that works without a network: figures (SVG and PNG, drawn by "
		"gnuplot), their data (CSV), and the commands that repeat them.\n"
		"The exit code is 1 if a required claim does not hold, or if a predicted one comes to another value than "
		"this version is known to find. Whether a predicted claim of the paper holds is only reported: it "
		"depends on traces that are not public. The column basis shows which claims the suite was fitted to, which "
		"are implied by these, and which are predicted.\n"
		"The suite " REPRODUCE_SUITE " stands in for the paper's traces. It is synthetic, and "
		"calibrated to what was published. Only on this suite are claims checked; on any other, the "
		"paper's values are context. If a suite has more or fewer traces than figure 4.10's chip has "
		"cores, several such chips and several threads per trace, at different offsets, are "
		"simulated.\n"
		"Experiments with an m in their ID repeat some of them with measured speedups, beside the assumed "
		"ones: those that were measured on the suite open, or those of --speedups. Without an ID, they take "
		"part only with --speedups.\n"
		"The experiment budget compares chips of specialised cores with chips of general cores within the same area or "
		"power. The paper claims more performance per area and gives no figure, and no areas are published: it prints "
		"how large a specialised core may be until it loses, or, with --costs, the best chips by your figures.\n"
		"The configurations are in configs/studies/paper and configs/studies/measured; `sahm sweep` takes "
		"each of them, too.",
	.options = options,
	.run = run,
};
