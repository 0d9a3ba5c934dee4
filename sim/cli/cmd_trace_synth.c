/* sahm trace synth */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/studies/claims_report.h"
#include "results/studies/suite.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/synth/synth.h"

static const char *const trace_form_words[] = {"csv", "csv.zst", "trc", "trc.zst", NULL};
#define DEFAULT_FORM "csv.zst"
/* The profile that is taken when none is given, in the data folder. */
#define STUDY_PROFILE "workloads/suites/synthetic/spec2017.profile"

struct request {
	const char *profile, *output, *form;
	struct option_list only;
	bool verify, csv, force;
	uint64_t seed, nr_seeds;
	const char *given_seed; /* NULL: it is not */
};

static enum sahm_status take_form(void *form, struct option_walk *w, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, w->value);
	*(const char **)form = w->value;
	for (size_t i = 0; trace_form_words[i]; i++) {
		if (strcmp(trace_form_words[i], w->value) == 0)
			return SAHM_OK;
		suggest_offer(&s, trace_form_words[i]);
	}
	return sahm_fail(err, SAHM_USAGE, "--form is '%s', must be csv, csv.zst, trc or trc.zst%s", w->value,
			 suggest_text(&s, near));
}

static const struct option_row options[] = {
	{"output", 'o', "DIR", "write the traces into the folder DIR (created if missing), one file each",
	 OPTION_STRING, AT(const char *, output), .folder = true},
	{FORCE_OPTION},
	{"form", 'f', "FORM", "form of the files: csv, csv.zst (compressed, the default), trc or trc.zst", OPTION_TAKE,
	 AT(const char *, form), .words = trace_form_words, .take = take_form},
	{"only", 0, "NAME", "make only the trace of this benchmark; can be repeated", OPTION_LIST,
	 AT(struct option_list, only)},
	{"seed", 's', "N", "the seed, instead of the profile's", OPTION_COUNT, AT(uint64_t, seed), .most = UINT64_MAX,
	 NOTE(given_seed)},
	{"verify", 0, NULL, "compare the traces with the paper's claims; fail if one does not hold", OPTION_FLAG,
	 AT(bool, verify)},
	{"seeds", 0, "N", "with --verify: try N seeds from the first on, each within twice the tolerances",
	 OPTION_COUNT, AT(uint64_t, nr_seeds), .least = 1, .most = MAX_CLAIM_SEEDS},
	{"csv", 0, NULL, "with --verify: print CSV", OPTION_FLAG, AT(bool, csv)},
	{ONE_OPERAND(profile, "profile", NULL)},
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (r->output && (!*r->output || strcmp(r->output, "-") == 0))
		return sahm_fail(err, SAHM_USAGE, "--output is '%s', must be a folder", r->output);
	if (!r->output && !r->verify)
		return sahm_fail(err, SAHM_USAGE, "say what to do: -o DIR writes traces, --verify checks them");
	if (!r->verify && (r->nr_seeds > 0 || r->csv))
		return sahm_fail(err, SAHM_USAGE, "--%s is for --verify", r->csv ? "csv" : "seeds");
	if (r->verify && (r->output || r->form || r->only.nr > 0))
		return sahm_fail(err, SAHM_USAGE, "--verify writes no traces, and takes all of them");
	if (!r->verify && !r->profile)
		return sahm_fail(err, SAHM_USAGE, "a profile is missing: sahm trace synth PROFILE -o DIR");
	return SAHM_OK;
}

/* Whether row `i` is selected. */
static bool is_wanted(const struct request *r, const struct profile *p, size_t i)
{
	bool wanted = r->only.nr == 0;
	for (size_t o = 0; o < r->only.nr; o++)
		wanted |= profile_same_name(r->only.items[o], p->rows[i].name);
	return wanted;
}

static enum sahm_status check_only(const struct request *r, const struct profile *p, struct sahm_err *err)
{
	for (size_t o = 0; o < r->only.nr; o++) {
		char near[SUGGEST_BYTES];
		struct suggest s;
		size_t i = 0;
		suggest_init(&s, r->only.items[o]);
		while (i < p->nr_rows && !profile_same_name(p->rows[i].name, r->only.items[o]))
			suggest_offer(&s, p->rows[i++].name);
		if (i == p->nr_rows)
			return sahm_fail(err, SAHM_USAGE, "'%s' has no benchmark '%s'%s", p->file, r->only.items[o],
					 suggest_text(&s, near));
	}
	return SAHM_OK;
}

static void warn(const struct profile *p, const struct profile_row *row, const struct synth_outcome *outcome)
{
	if (outcome->displaced > 0)
		print_warning("%s:%u: %" PRIu64
			      " epoch%s of '%s' %s not in the state that the shares say: the '# follow: "
			      "... 0' lines leave no place for it",
			      p->file, row->line, outcome->displaced, outcome->displaced == 1 ? "" : "s", row->name,
			      outcome->displaced == 1 ? "is" : "are");
	for (unsigned s = 0; s < NR_STATES && outcome->displaced == 0; s++)
		if ((outcome->unvisited >> s) & 1u)
			print_warning("%s:%u: '%s' is never in %s: its share is less than one epoch", p->file,
				      row->line, row->name, state_name(s));
}

/* `DIR/` followed by a star would count a trace twice that is there in two forms. */
static void warn_of_other_forms(const char *path, const char *form)
{
	int stem_len = (int)(strlen(path) - strlen(form));
	for (size_t i = 0; trace_form_words[i]; i++) {
		struct textbuf other;
		textbuf_init(&other);
		textbuf_printf(&other, "%.*s%s", stem_len, path, trace_form_words[i]);
		if (strcmp(trace_form_words[i], form) != 0 && access(other.text, F_OK) == 0)
			print_warning("'%s' is there too, the same benchmark in another form", other.text);
		textbuf_release(&other);
	}
}

/* The file of a row's trace. */
static void name_output(const struct request *r, const struct profile_row *row, struct textbuf *path)
{
	struct textbuf name;
	textbuf_init(&name);
	textbuf_printf(&name, "%.*s" SYNTHETIC_SUFFIX, (int)profile_stem_len(row->name), row->name);
	textbuf_printf(path, "%s%s", r->output, r->output[strlen(r->output) - 1] == '/' ? "" : "/");
	name_as_file(name.text, path);
	textbuf_printf(path, ".%s", r->form ? r->form : DEFAULT_FORM);
	textbuf_release_part(&name, path);
}

/* Before the first trace is made. */
static enum sahm_status refuse_existing_traces(const struct request *r, const struct profile *p, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < p->nr_rows && status == SAHM_OK && !r->force; i++) {
		struct textbuf path;
		if (!is_wanted(r, p, i))
			continue;
		textbuf_init(&path);
		name_output(r, &p->rows[i], &path);
		if (textbuf_failed(&path))
			status = sahm_fail_nomem(err);
		else if (!is_same_file(path.text, p->file))
			status = refuse_existing(path.text, err);
		textbuf_release(&path);
	}
	return status;
}

static enum sahm_status make_one(const struct request *r, const struct profile *p, size_t i, uint64_t seed,
				 struct sahm_err *err)
{
	struct trace *trace;
	struct textbuf path;
	struct synth_outcome outcome;
	const char *form = r->form ? r->form : DEFAULT_FORM;
	enum sahm_status status = synth_trace(p, i, seed, &trace, &outcome, err);
	if (status != SAHM_OK)
		return status;
	warn(p, &p->rows[i], &outcome);
	textbuf_init(&path);
	name_output(r, &p->rows[i], &path);
	status = textbuf_failed(&path) ? sahm_fail_nomem(err) : SAHM_OK;
	if (status == SAHM_OK) {
		warn_of_other_forms(path.text, form);
		status = refuse_overwriting(path.text, p->file, err);
	}
	if (status == SAHM_OK) {
		status = write_trace(path.text, r->force, trace, "", err);
	}
	textbuf_release(&path);
	trace_free(trace);
	return status;
}

static enum sahm_status make(const struct request *r, const struct profile *p, struct sahm_err *err)
{
	enum sahm_status status = check_only(r, p, err);
	if (status == SAHM_OK)
		status = refuse_existing_traces(r, p, err);
	if (status == SAHM_OK)
		status = file_make_folder(r->output, err);
	for (size_t i = 0; i < p->nr_rows && status == SAHM_OK; i++)
		if (is_wanted(r, p, i))
			status = make_one(r, p, i, r->given_seed ? r->seed : p->seed, err);
	return status;
}

/* How many of the `nr_claims` claims that a suite is to meet do not hold. */
static unsigned count_broken(const struct claims_of_seed *seeds, uint64_t nr, unsigned *nr_claims)
{
	unsigned broken = 0;
	*nr_claims = 0;
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		bool holds = true;
		if (!claim_is_of_suite((enum claim)c))
			continue;
		++*nr_claims;
		for (uint64_t i = 0; i < nr; i++)
			holds &= seeds[i].results[c].holds;
		broken += !holds;
	}
	return broken;
}

static bool report(const struct request *r, const struct claims_of_seed *seeds, struct textbuf *out)
{
	unsigned nr = (unsigned)r->nr_seeds;
	if (nr == 0)
		return r->csv ? claims_report_csv(seeds->results, true, out)
			      : claims_report_text(seeds->results, true, bold_output(NULL), out);
	return r->csv ? claims_report_seeds_csv(seeds, nr, true, out)
		      : claims_report_seeds_text(seeds, nr, true, bold_output(NULL), out);
}

static enum sahm_status verify(const struct request *r, const struct profile *p, struct sahm_err *err)
{
	uint64_t nr = r->nr_seeds ? r->nr_seeds : 1, first = r->given_seed ? r->seed : p->seed;
	if (first > UINT64_MAX - (nr - 1))
		return sahm_fail(err, SAHM_USAGE, "there are no %" PRIu64 " seeds from %" PRIu64 " on", nr, first);
	struct claims_of_seed *seeds = calloc(nr, sizeof(*seeds));
	struct textbuf out;
	enum sahm_status status = seeds ? SAHM_OK : sahm_fail_nomem(err);
	textbuf_init(&out);
	for (uint64_t i = 0; i < nr && status == SAHM_OK; i++) {
		seeds[i].seed = first + i;
		status = suite_evaluate(p, first + i, r->nr_seeds ? CLAIMS_SEED_FACTOR : 1, seeds[i].results, err);
	}
	if (!r->csv)
		textbuf_printf(&out, "%s", base_name(p->file));
	if (!r->csv && r->nr_seeds == 0)
		textbuf_printf(&out, ", seed %" PRIu64, first);
	textbuf_puts(&out, r->csv ? "" : ": ");
	clean_text(out.text);
	if (status == SAHM_OK)
		status = report(r, seeds, &out) ? print_output(r->csv ? OUTPUT_CSV : OUTPUT_TEXT, &out, err)
						: sahm_fail_nomem(err);
	unsigned nr_claims = 0, broken = status == SAHM_OK ? count_broken(seeds, nr, &nr_claims) : 0;
	if (broken > 0)
		status = sahm_fail(err, SAHM_RANGE, "%u of %u claims do%s not hold", broken, nr_claims,
				   broken == 1 ? "es" : "");
	textbuf_release(&out);
	free(seeds);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	char study[DATA_FOLDER_BYTES + sizeof(STUDY_PROFILE) + 1];
	struct profile p;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK && !r.profile) {
		snprintf(study, sizeof(study), "%s/%s", data_folder(), STUDY_PROFILE);
		r.profile = study;
	}
	if (status == SAHM_OK)
		status = profile_read(r.profile, &p, err);
	if (status == SAHM_FORMAT && r.profile && trace_is_one(r.profile))
		status = sahm_fail(err, SAHM_FORMAT,
				   "'%s' is a trace, not a profile; `sahm help synth` explains profiles", r.profile);
	if (status == SAHM_OK) {
		status = r.verify ? verify(&r, &p, err) : make(&r, &p, err);
		profile_release(&p);
	}
	free(r.only.items);
	return status;
}

extern const struct command command_trace_synth;
const struct command command_trace_synth = {
	.name = "trace synth",
	.operands = "PROFILE",
	.summary = "make synthetic traces from a profile, or verify the shipped ones",
	.details = "A profile is a table with one row per benchmark: how long it spends in each state, the "
		   "lengths of the intervals, and typical values of the metrics. `sahm help synth` explains the "
		   "columns. The same profile and seed give the same bytes on any machine.\n"
		   "Traces are called NAME-synthetic, and everything that is made from them is marked as "
		   "synthetic.\n"
		   "--verify generates all traces in memory, writes none, and prints the paper's values beside "
		   "those of the traces. Without PROFILE it takes the one of the shipped suite, for which all "
		   "claims hold. They need not hold for other profiles.",
	.options = options,
	.run = run,
};
