/* sahm core tma: top-down analysis of programs on cores. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/tma_pass.h"
#include "results/chart/plot.h"
#include "results/cores/tma_report.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/output.h"

#define DEFAULT_LEVEL 2u

static const char *const counter_words[] = {
#define HPM_KIND(suffix, name, help) name,
#include "cores/uarch/hpm_kind_list.h"
#undef HPM_KIND
	NULL};

struct request {
	enum output_form form;
	struct option_list cores;
	struct settings settings;
	struct option_list axes;
	struct option_list formulas, approximations; /* as they were given */
	struct stream_sampling sampling;
	const char *of_warm, *plot;
	const char *of_report, *of_counts; /* an option that only the report, or only its counts, look at */
	uint32_t jobs, level, issue_pct;
	unsigned counters;
	bool per_lane, per_epoch, explain, force;
	struct core_operands operands;

	unsigned kinds; /* what follows: enum tma_kind, a bit each */
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "; can be repeated")},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{CORE_AXIS_OPTION(axes)},
	{"formulas", 0, "KINDS",
	 "whose shares are shown, with commas between: published, released (also as the code really runs) or exact (all)",
	 OPTION_LIST, AT(struct option_list, formulas)},
	{"approx", 0, "WHAT",
	 "also show the released formulas with an approximation, each separately: lane, recovery, issue, with commas "
	 "between",
	 OPTION_LIST, AT(struct option_list, approximations)},
	{"level", 0, "N", "the deepest level of classes, 1 to 3 (2)", OPTION_WHOLE, AT(uint32_t, level), .least = 1,
	 .most = NR_TMA_LEVELS, .preset = DEFAULT_LEVEL, NOTE(of_report)},
	{"counters", 0, "KIND",
	 "how counters count an event with several sources: add (all that are high in a cycle, the default, as formulas "
	 "need the sum), plain (one), scalar (a counter for each) or distributed",
	 OPTION_CHOICE, AT(unsigned, counters), .what = "--counters", .words = counter_words, .preset = HPM_ADD,
	 NOTE(of_counts)},
	{WRONG_PATH_OPTION(issue_pct), NOTE(of_counts)},
	{"per-lane", 0, NULL, "also print the lanes of events that have several", OPTION_FLAG, AT(bool, per_lane),
	 NOTE(of_report)},
	{"per-epoch", 0, NULL, "also print each epoch of the stream", OPTION_FLAG, AT(bool, per_epoch),
	 NOTE(of_report)},
	{"explain", 0, NULL, "print the formulas for each core, and stop", OPTION_FLAG, AT(bool, explain)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands), NOTE(of_report)},
	{JSON_OPTION("print one JSON object"), NOTE(of_report)},
	{CSV_OPTION("print CSV, a row per stream, core, kind and class; with --per-lane, per event and lane"),
	 NOTE(of_report)},
	{"plot", 0, "DIR",
	 "write figures of the levels, a bar per stream, core and kind, to DIR: data, script, and .svg and .png drawn by "
	 "gnuplot",
	 OPTION_STRING, AT(const char *, plot), .written = true, .folder = true, NOTE(of_report)},
	{CORE_JOBS_OPTION(jobs), NOTE(of_report)},
	{KEEP_OPTION(operands), NOTE(of_report)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- The request ---- */

struct kind_word {
	const char *word;
	unsigned kinds;
};

/* Adds what the words of `lists`, with commas between, stand for. */
static enum sahm_status take_words(const struct option_list *lists, const char *option, const struct kind_word *words,
				   unsigned *kinds, struct sahm_err *err)
{
	for (size_t i = 0; i < lists->nr; i++)
		for (const char *at = lists->items[i]; at;) {
			size_t len = strcspn(at, ",");
			const struct kind_word *w = words;
			while (w->word && (strlen(w->word) != len || strncmp(w->word, at, len) != 0))
				w++;
			if (!w->word)
				return sahm_fail(err, SAHM_USAGE, "%s: '%.*s' must be one of %s, %s, %s%s", option,
						 (int)(len < 40 ? len : 40), at, words[0].word, words[1].word,
						 words[2].word,
						 strncmp(at, "as-run", len) == 0 && len == strlen("as-run")
							 ? "; as-run comes with released"
							 : "");
			*kinds |= w->kinds;
			at = at[len] ? at + len + 1 : NULL;
		}
	return SAHM_OK;
}

static const struct kind_word formula_words[] = {{"published", 1u << TMA_PUBLISHED},
						 {"released", 1u << TMA_RELEASED | 1u << TMA_AS_RUN},
						 {"exact", 1u << TMA_EXACT},
						 {NULL, 0}};
static const struct kind_word approximation_words[] = {
	{"lane", 1u << TMA_LANE}, {"recovery", 1u << TMA_RECOVERY}, {"issue", 1u << TMA_ISSUE}, {NULL, 0}};

static enum sahm_status read_kinds(struct request *r, struct sahm_err *err)
{
	enum sahm_status status = take_words(&r->formulas, "--formulas", formula_words, &r->kinds, err);
	for (unsigned i = 0; r->formulas.nr == 0 && formula_words[i].word; i++)
		r->kinds |= formula_words[i].kinds;
	return status == SAHM_OK ? take_words(&r->approximations, "--approx", approximation_words, &r->kinds, err)
				 : status;
}

static enum sahm_status check_explain(const struct request *r, struct sahm_err *err)
{
	const char *extra = r->of_report	? r->of_report
			    : r->of_counts	? r->of_counts
			    : r->operands.suite ? "suite"
			    : r->of_warm	? r->of_warm
			    : r->sampling.skip	? "skip"
			    : r->sampling.every ? "every"
			    : r->sampling.take	? "take"
						: NULL;
	if (extra)
		return sahm_fail(err, SAHM_USAGE, "--explain prints formulas and stops: without --%s", extra);
	if (r->operands.streams.nr > 0)
		return sahm_fail(err, SAHM_USAGE, "--explain prints formulas and stops: '%s' is too many",
				 r->operands.streams.items[0]);
	return SAHM_OK;
}

/* The kinds that a core has. */
static unsigned kinds_of(const struct core_model *m)
{
	unsigned kinds = 0;
	for (enum tma_kind k = 0; k < NR_TMA_KINDS; k++)
		if (tma_has_kind((enum event_family)m->events, signal_nr_lanes(&m->timing, SIGNAL_FETCH_BUBBLE), k))
			kinds |= 1u << k;
	return kinds;
}

static const char *reason_of_none(const struct core_model *m)
{
	if (m->events == FAMILY_U74)
		return "has a U74's events, which lack issue, fetch bubbles and recovering; -s events=rocket or "
		       "events=boom gives it others";
	return m->events == FAMILY_ROCKET ? "has Rocket's formulas, which have no approximations" : "has only one lane";
}

/* Reports cores that have none of these kinds. If they were asked for, and no core has one, that is an error. */
static enum sahm_status check_kinds(const struct core_runs *runs, const char *option, const char *word, unsigned kinds,
				    bool was_asked, struct sahm_err *err)
{
	size_t first = 0, nr = 0;
	for (size_t i = runs->nr_cores; i-- > 0;)
		if (!(kinds_of(&runs->models[i]) & kinds)) {
			first = i;
			nr++;
		}
	if (nr == 0)
		return SAHM_OK;
	const char *name = runs->names[first], *reason = reason_of_none(&runs->models[first]);
	if (was_asked && nr == runs->nr_cores)
		return sahm_fail(err, SAHM_USAGE, "%s%s: %s %s", option, word, name, reason);
	if (!was_asked && runs->models[first].events == FAMILY_U74)
		print_remark("%s has no formulas, only exact shares (-s events=rocket views it as Rocket)", name);
	else
		print_remark("%s%s: not of %s, which %s", option, word, name, reason);
	return SAHM_OK;
}

/* Leaves out the kinds that no core has. */
static enum sahm_status choose_kinds(struct request *r, const struct core_runs *runs, struct sahm_err *err)
{
	const unsigned formulas = formula_words[0].kinds | formula_words[1].kinds;
	enum sahm_status status = SAHM_OK;
	unsigned had = 0;
	if (r->kinds & formulas)
		status = check_kinds(runs, "--formulas", "", r->kinds & formulas, r->formulas.nr > 0, err);
	for (const struct kind_word *w = approximation_words; w->word && status == SAHM_OK; w++)
		if (r->kinds & w->kinds)
			status = check_kinds(runs, "--approx ", w->word, w->kinds, true, err);
	for (size_t i = 0; i < runs->nr_cores; i++)
		had |= kinds_of(&runs->models[i]);
	r->kinds &= had;
	return status;
}

/* Whether anything is counted. */
static bool has_counts(const struct request *r)
{
	return r->per_lane || (r->kinds & TMA_FORMULA_KINDS);
}

static enum sahm_status check_counters(const struct request *r, const struct core_runs *runs, struct sahm_err *err)
{
	for (size_t i = 0; i < runs->nr_cores; i++) {
		const struct core_model *m = &runs->models[i];
		enum event_family family = (enum event_family)m->events;
		unsigned nr = tma_nr_counters(&m->timing, family, (enum hpm_kind)r->counters);
		if ((r->kinds & kinds_of(m) & TMA_FORMULA_KINDS) && nr > event_family_counters(family))
			return sahm_fail(err, SAHM_USAGE,
					 "--counters %s: formulas need %u counters on %s, which has at most %u",
					 counter_words[r->counters], nr, runs->names[i], event_family_counters(family));
	}
	if (r->of_counts && !has_counts(r))
		return sahm_fail(err, SAHM_USAGE,
				 "--%s has no effect: only formulas and --per-lane are of counts, exact slots are not",
				 r->of_counts);
	return SAHM_OK;
}

/* ---- Watching ---- */

/* A stream on a core. */
struct watched {
	struct tma_pass *pass;
	uint64_t *epochs; /* [nr]: their numbers */
	size_t nr, room;
};

struct watch {
	const struct request *request;
	const struct core_runs *runs;
	struct watched *pairs; /* [streams][nr_cores] */
};

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct watch *w = ctx;
	struct watched *x = &w->pairs[stream * w->runs->nr_cores + core];
	const struct core_model *m = &w->runs->models[core];
	const struct tma_options o = {.family = (enum event_family)m->events,
				      .counters = (enum hpm_kind)w->request->counters,
				      .wrong_path_issue_pct = w->request->issue_pct,
				      .only_exact = !has_counts(w->request)};
	x->pass = tma_pass_new(&m->timing, &o);
	if (!x->pass)
		return sahm_fail_nomem(err);
	watch->slots = tma_pass_slots(x->pass);
	return SAHM_OK;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct watch *w = ctx;
	struct watched *x = &w->pairs[stream * w->runs->nr_cores + core];
	return tma_pass_run(x->pass, batch, stamps, notes) ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status take_epoch_end(void *ctx, size_t stream, size_t core, uint64_t epoch, struct sahm_err *err)
{
	struct watch *w = ctx;
	struct watched *x = &w->pairs[stream * w->runs->nr_cores + core];
	if (!w->request->per_epoch)
		return SAHM_OK;
	if (x->nr == x->room) {
		size_t room = x->room ? 2 * x->room : 32;
		uint64_t *grown = realloc(x->epochs, room * sizeof(*grown));
		if (!grown)
			return sahm_fail_nomem(err);
		x->epochs = grown;
		x->room = room;
	}
	x->epochs[x->nr++] = epoch;
	return tma_pass_end_window(x->pass) ? SAHM_OK : sahm_fail_nomem(err);
}

static void release(struct watched *x)
{
	tma_pass_free(x->pass);
	free(x->epochs);
}

/* ---- Output ---- */

static bool write_explanation(const struct request *r, const struct core_runs *runs, struct textbuf *out)
{
	bool ok = true;
	for (size_t i = 0; i < runs->nr_cores && ok; i++) {
		const struct core_model *m = &runs->models[i];
		textbuf_printf(out, "%s%s:\n", i > 0 ? "\n" : "", runs->names[i]);
		ok = tma_explain(&m->timing, (enum event_family)m->events, r->kinds, bold_output(NULL), out);
	}
	return ok;
}

static enum sahm_status explain(const struct request *r, const struct core_runs *runs, struct sahm_err *err)
{
	struct textbuf out;
	textbuf_init(&out);
	bool ok = write_explanation(r, runs, &out) && !textbuf_failed(&out);
	enum sahm_status status = ok ? print_output(OUTPUT_TEXT, &out, err) : sahm_fail_nomem(err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status plot(const struct request *r, const struct tma_report *report, struct textbuf *notes,
			     struct sahm_err *err)
{
	enum sahm_status status = tma_plot_write(report, r->plot, err);
	for (unsigned i = 0; i < r->level && status == SAHM_OK; i++)
		status = plot_draw(r->plot, tma_figure_names[i], notes, err);
	return status;
}

static enum sahm_status print(const struct request *r, const struct tma_report *report, struct sahm_err *err)
{
	struct textbuf out, notes;
	textbuf_init(&out);
	textbuf_init(&notes);
	bool ok = r->form == OUTPUT_JSON		      ? tma_json(report, &out)
		  : r->form == OUTPUT_CSV && report->per_lane ? tma_lanes_csv(report, &out)
		  : r->form == OUTPUT_CSV		      ? tma_csv(report, &out)
							      : tma_text(report, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = plot(r, report, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* The windows of a stream on a core. */
static enum sahm_status make_result(const struct request *r, struct watched *x, const struct core_result *run,
				    struct tma_result *out, struct sahm_err *err)
{
	struct tma_epoch *epochs = r->per_epoch ? calloc(x->nr + 1, sizeof(*epochs)) : NULL;
	if ((r->per_epoch && !epochs) || !tma_pass_end(x->pass)) {
		free(epochs);
		return sahm_fail_nomem(err);
	}
	for (size_t i = 0; epochs && i < x->nr; i++)
		epochs[i] = (struct tma_epoch){x->epochs[i], tma_pass_window(x->pass, i)};
	*out = (struct tma_result){run, tma_pass_total(x->pass), epochs, epochs ? x->nr : 0};
	return SAHM_OK;
}

static enum sahm_status report(const struct request *r, struct core_runs *runs, struct watch *w, struct sahm_err *err)
{
	const char *remarks[] = {r->issue_pct > 0 ? "Formulas see an estimate of wrong paths, which streams do not have"
						  : "Formulas see no wrong path: streams have none"};
	struct tma_result *results = calloc(runs->nr, sizeof(*results));
	enum sahm_status status = results ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < runs->nr && status == SAHM_OK; i++)
		status = make_result(r, &w->pairs[i], &runs->results[i], &results[i], err);
	const struct tma_report report = {.nr_streams = r->operands.streams.nr,
					  .nr_cores = runs->nr_cores,
					  .results = results,
					  .kinds = r->kinds,
					  .level = r->level,
					  .counters = (enum hpm_kind)r->counters,
					  .per_lane = r->per_lane,
					  .remarks = remarks,
					  .nr_remarks = r->kinds & TMA_FORMULA_KINDS ? ARRAY_SIZE(remarks) : 0};
	if (status == SAHM_OK)
		status = print(r, &report, err);
	for (size_t i = 0; results && i < runs->nr; i++)
		free((void *)results[i].epochs);
	free(results);
	return status;
}

/* ---- The command ---- */

static enum sahm_status run_streams(const struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	struct watch w = {.request = r, .runs = runs};
	struct core_jobs jobs = {.form = LANES_SCALAR,
				 .nr_threads = r->jobs,
				 .ctx = &w,
				 .begin = begin,
				 .batch = has_counts(r) ? take_batch : NULL,
				 .takes_notes = has_counts(r),
				 .epoch_end = take_epoch_end};
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	w.pairs = status == SAHM_OK ? calloc(runs->nr, sizeof(*w.pairs)) : NULL;
	if (status == SAHM_OK && !w.pairs)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_runs_finish(runs, &jobs, err);
	if (status == SAHM_OK)
		status = report(r, runs, &w, err);
	for (size_t i = 0; w.pairs && i < runs->nr; i++)
		release(&w.pairs[i]);
	free(w.pairs);
	return status;
}

static enum sahm_status check_outputs(const struct request *r, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep};
	const char *figures[NR_TMA_LEVELS + 1] = {NULL};
	for (unsigned i = 0; i < r->level; i++)
		figures[i] = tma_figure_names[i];
	enum sahm_status status =
		core_operands_check_outputs(&r->operands, &r->cores, outputs, ARRAY_SIZE(outputs), err);
	return status == SAHM_OK ? core_request_check_figures(r->plot, figures, r->force, err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_runs runs = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = read_kinds(&r, err);
	if (status == SAHM_OK && r.explain)
		status = check_explain(&r, err);
	if (status == SAHM_OK && !r.explain)
		status = core_operands_resolve(&r.operands, err);
	if (status == SAHM_OK && !r.explain)
		status = core_operands_check(&r.operands, "sahm core tma", err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r.sampling, r.of_warm, err);
	if (status == SAHM_OK)
		status = core_runs_read(&runs, &r.cores, &r.settings.list, &r.axes, err);
	if (status == SAHM_OK)
		status = core_runs_check_ports(&runs, err);
	if (status == SAHM_OK)
		status = choose_kinds(&r, &runs, err);
	if (status == SAHM_OK)
		status = check_counters(&r, &runs, err);
	if (status == SAHM_OK && !r.explain)
		status = check_outputs(&r, err);
	if (status == SAHM_OK && !r.explain)
		status = core_operands_record(&r.operands, r.force, err);
	if (status == SAHM_OK)
		status = r.explain ? explain(&r, &runs, err) : run_streams(&r, &runs, err);
	core_runs_release(&runs);
	free(r.cores.items);
	free(r.axes.items);
	free(r.formulas.items);
	free(r.approximations.items);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_tma;
const struct command command_core_tma = {
	.name = "core tma",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "say in which classes the slots of dispatch are: top-down analysis",
	.details =
		"Each cycle has as many slots as the core can dispatch uops (in-order: issue). A slot has a uop that "
		"commits (Retiring), is lost to a flush (BadSpec), or is empty since the front end has no uop (Frontend) or "
		"the back end no room (Backend). Formulas estimate this from counters, as published by Icicle, as its "
		"released code has them, and as that code really runs; exact shares count each slot. The gap of a class is "
		"its share by a formula less the exact one, in points.\n"
		"The key events of a core says whose formulas it has: rocket, which is usual for in-order cores, or boom. "
		"Cores with events of u74 have none, only exact shares (docs/top-down.md).",
	.options = options,
	.run = run,
};
