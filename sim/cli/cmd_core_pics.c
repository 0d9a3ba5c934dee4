/* sahm core pics: per-instruction cycle stacks of programs on cores. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/plot.h"
#include "results/cores/pics_compare.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/pics_ipu.h"
#include "sim/cli/pics_remedies.h"

#define PICS_CORE "tea"
#define DEFAULT_TOP 10u
#define DEFAULT_PLOT_TOP 3u
#define OUTPUT_FOLDED ((enum output_form)(OUTPUT_CSV + 1))

static const char *const scheme_words[] = {
#define STACK_SCHEME(suffix, name, events, help) name,
#include "cores/uarch/stack_scheme_list.h"
#undef STACK_SCHEME
	NULL};

struct request {
	enum output_form form;
	struct option_list cores, schemes, soft_prefetches, no_flushes;
	struct settings settings;
	struct stream_sampling sampling;
	/* Options that were given. */
	const char *of_warm, *of_top, *of_by, *of_period, *of_jitter, *of_base;
	const char *elf, *plot;
	uint64_t top, period, seed, base;
	uint32_t jobs;
	unsigned by;
	bool compares, force;
	struct pics_ipu_request ipu;
	struct core_operands operands;

	enum stack_scheme scheme_list[NR_STACK_SCHEMES]; /* [nr_schemes]: what follows */
	unsigned nr_schemes;
	struct pics_remedies remedies;
	struct option_list lane_cores; /* each core once for each lane */
};

static const struct option_row options[] = {
	{"core", 'c', "NAME|FILE",
	 "a core of configs/cores (sahm core list), or a file with the same keys; can be repeated (" PICS_CORE ")",
	 OPTION_LIST, AT(struct option_list, cores)},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{"by", 0, "WHAT", "stacks of each instruction (the default), block, function or program", OPTION_CHOICE,
	 AT(unsigned, by), .what = "--by", .words = pics_by_words, NOTE(of_by)},
	{"top", 0, "N", "the N highest stacks; 0: all (10; in figures 3; in CSV and JSON all)", OPTION_WHOLE,
	 AT(uint64_t, top), .most = UINT32_MAX, .preset = DEFAULT_TOP, NOTE(of_top)},
	{"elf", 0, "FILE", "take names and texts of code from FILE, which the stream does not name or which has moved",
	 OPTION_STRING, AT(const char *, elf)},
	{"base", 0, "ADDR",
	 "with --elf: the address of its first loaded byte (where the stream has a file of this name, or begins)",
	 OPTION_SIZE, AT(uint64_t, base), .most = UINT64_MAX, NOTE(of_base)},
	{"scheme", 0, "SCHEMES", "also take samples, as these would, with commas between: tea, nci, ibs, spe, ris",
	 OPTION_LIST, AT(struct option_list, schemes)},
	{"period", 0, "CYCLES", "with --scheme: the cycles from each sample to the next", OPTION_WHOLE,
	 AT(uint64_t, period), .least = 1, .most = UINT64_MAX / 4, NOTE(of_period)},
	{"jitter", 0, "SEED", "with --scheme: take each sample in any cycle of its period, chosen at random",
	 OPTION_WHOLE, AT(uint64_t, seed), .most = UINT64_MAX, NOTE(of_jitter)},
	{"soft-prefetch", 0, "PC[,PC]:N[,N]",
	 "also run the program with a prefetch at these loads, of the address that they have N executions later; with "
	 "several N, once for each",
	 OPTION_LIST, AT(struct option_list, soft_prefetches)},
	{"no-flush", 0, "PC[,PC]",
	 "also run the program without the flushes of these fences and system instructions; with --soft-prefetch, both",
	 OPTION_LIST, AT(struct option_list, no_flushes)},
	PICS_IPU_OPTIONS(ipu),
	{"compare", 0, NULL, "compare two streams, or two cores on a stream", OPTION_FLAG, AT(bool, compares)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per stack and signature")},
	{"folded", 0, NULL, "print folded stacks, which programs for flame graphs read", OPTION_ONE_OF,
	 AT(enum output_form, form), .value_is = OUTPUT_FOLDED},
	{"plot", 0, "DIR",
	 "write figures of the highest stacks to DIR: data, script, and .svg and .png drawn by gnuplot", OPTION_STRING,
	 AT(const char *, plot), .written = true, .folder = true},
	{CORE_JOBS_OPTION(jobs)},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- The request ---- */

static enum sahm_status read_schemes(struct request *r, struct sahm_err *err)
{
	struct option_list list = {0};
	enum sahm_status status =
		core_request_split(&r->schemes, "--scheme", "a scheme", &r->operands.arena, &list, err);
	bool is_listed[NR_STACK_SCHEMES] = {false};
	for (size_t i = 0; i < list.nr && status == SAHM_OK; i++) {
		unsigned which = 0;
		status = read_choice("scheme", list.items[i], scheme_words, &which, err);
		if (status == SAHM_OK && !is_listed[which]) {
			is_listed[which] = true;
			r->scheme_list[r->nr_schemes++] = (enum stack_scheme)which;
		}
	}
	free(list.items);
	return status;
}

static enum sahm_status check_schemes(const struct request *r, struct sahm_err *err)
{
	if (r->nr_schemes > 0 && !r->of_period)
		return sahm_fail(err, SAHM_USAGE, "--scheme needs --period CYCLES: how often a sample is taken");
	if (r->nr_schemes == 0 && (r->of_period || r->of_jitter))
		return sahm_fail(err, SAHM_USAGE, "--%s has no effect without --scheme",
				 r->of_period ? r->of_period : r->of_jitter);
	if (r->nr_schemes > 0 && r->form == OUTPUT_FOLDED)
		return sahm_fail(err, SAHM_USAGE, "--folded prints exact stacks: without --scheme");
	return SAHM_OK;
}

static enum sahm_status check_remedies(const struct request *r, struct sahm_err *err)
{
	const char *extra = r->compares		       ? "--compare"
			    : r->nr_schemes > 0	       ? "--scheme"
			    : r->form == OUTPUT_FOLDED ? "--folded"
						       : NULL;
	if (r->remedies.nr_lanes == 1 || !extra)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "%s is of programs as they are: without --%s", extra,
			 r->soft_prefetches.nr > 0 ? "soft-prefetch" : "no-flush");
}

static enum sahm_status repeat_cores(struct request *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->cores.nr * r->remedies.nr_lanes && status == SAHM_OK; i++)
		status = option_list_add(&r->lane_cores, r->cores.items[i / r->remedies.nr_lanes], err);
	return status;
}

static enum sahm_status check_comparison(const struct request *r, struct sahm_err *err)
{
	size_t nr_streams = r->operands.command ? 1 : r->operands.streams.nr;
	const char *extra = r->of_by		       ? "--by"
			    : r->nr_schemes > 0	       ? "--scheme"
			    : r->plot		       ? "--plot"
			    : r->form == OUTPUT_FOLDED ? "--folded"
						       : NULL;
	if (extra)
		return sahm_fail(err, SAHM_USAGE, "%s has no effect with --compare", extra);
	if (nr_streams * r->cores.nr != 2)
		return sahm_fail(err, SAHM_USAGE,
				 "--compare takes two streams and a core, or two cores and a stream, not %zu stream%s "
				 "and %zu core%s",
				 nr_streams, nr_streams == 1 ? "" : "s", r->cores.nr, r->cores.nr == 1 ? "" : "s");
	return SAHM_OK;
}

static enum sahm_status check_ipu(const struct request *r, struct sahm_err *err)
{
	size_t nr_streams = r->operands.command ? 1 : r->operands.streams.nr;
	const char *extra = r->compares			? "--compare"
			    : r->form == OUTPUT_FOLDED	? "--folded"
			    : r->soft_prefetches.nr > 0 ? "--soft-prefetch"
			    : r->no_flushes.nr > 0	? "--no-flush"
							: NULL;
	if (r->ipu.program && extra)
		return sahm_fail(err, SAHM_USAGE, "--ipu looks at a program as it is: without %s", extra);
	if (r->ipu.program && nr_streams * r->cores.nr != 1)
		return sahm_fail(err, SAHM_USAGE, "--ipu looks at one stream on one core");
	return SAHM_OK;
}

static enum sahm_status check_forms(const struct request *r, struct sahm_err *err)
{
	if (r->of_base && !r->elf)
		return sahm_fail(err, SAHM_USAGE, "--base is of --elf FILE");
	if (r->form == OUTPUT_FOLDED && (r->of_by || r->of_top))
		return sahm_fail(err, SAHM_USAGE, "--folded prints all instructions: without --%s",
				 r->of_by ? r->of_by : r->of_top);
	if (r->plot && r->cores.nr * r->operands.streams.nr > 1)
		return sahm_fail(err, SAHM_USAGE, "--plot draws one stream on one core");
	return SAHM_OK;
}

static enum sahm_status check_outputs(const struct request *r, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep, r->ipu.packets};
	enum sahm_status status =
		core_operands_check_outputs(&r->operands, &r->cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = try_output(r->ipu.packets, r->force, err);
	if (status == SAHM_OK && r->elf)
		status = refuse_overwriting(r->operands.keep, r->elf, err);
	return status == SAHM_OK ? core_request_check_figures(r->plot, pics_figure_names(false), r->force, err)
				 : status;
}

static enum sahm_status prepare(struct request *r, struct core_runs *runs, struct pics_ipu *ipu, struct sahm_err *err)
{
	enum sahm_status status = r->cores.nr == 0 ? option_list_add(&r->cores, PICS_CORE, err) : SAHM_OK;
	if (status == SAHM_OK)
		status = read_schemes(r, err);
	if (status == SAHM_OK)
		status = check_schemes(r, err);
	if (status == SAHM_OK)
		status = pics_remedies_read(&r->remedies, &r->soft_prefetches, &r->no_flushes, err);
	if (status == SAHM_OK)
		status = check_remedies(r, err);
	if (status == SAHM_OK)
		status = repeat_cores(r, err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r->operands, err);
	if (status == SAHM_OK)
		status = core_runs_read_watched(runs, "sahm core pics", &r->operands, &r->sampling, r->of_warm,
						&r->lane_cores, &r->settings.list, err);
	if (status == SAHM_OK)
		status = r->compares ? check_comparison(r, err) : SAHM_OK;
	if (status == SAHM_OK)
		status = check_ipu(r, err);
	if (status == SAHM_OK)
		status = check_forms(r, err);
	if (status == SAHM_OK)
		status = pics_ipu_read(ipu, &r->ipu, err);
	if (status == SAHM_OK)
		status = check_outputs(r, err);
	return status == SAHM_OK ? core_operands_record(&r->operands, r->force, err) : status;
}

/* ---- Watching ---- */

struct watch {
	const struct request *request;
	struct core_runs *runs;
	struct pics_ipu *ipu;	     /* NULL: there is none */
	struct stack_pass **passes;  /* [runs->nr] */
	struct code_names **names;   /* [streams] */
	struct code_name **of_insns; /* [runs->nr]: of the stacks' insns */
	struct pics_result *results; /* [runs->nr] */
};

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct watch *w = ctx;
	const struct request *r = w->request;
	const struct stack_sampling sampling = {
		.period = r->period, .has_jitter = r->of_jitter != NULL, .seed = r->seed};
	struct stack_pass *pass = stack_pass_new(&w->runs->models[core].timing, &sampling, r->nr_schemes > 0 ? 1 : 0);
	w->passes[stream * w->runs->nr_cores + core] = pass;
	if (!pass)
		return sahm_fail_nomem(err);
	watch->signatures = stack_pass_signatures(pass);
	return w->ipu ? pics_ipu_begin(w->ipu, &w->runs->models[core].timing, r->force, err) : SAHM_OK;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct watch *w = ctx;
	struct stack_pass *pass = w->passes[stream * w->runs->nr_cores + core];
	enum sahm_status status = SAHM_OK;
	(void)notes;
	/* First: the pass gives each uop the signature of its whole instruction. */
	if (w->ipu)
		status = core_probe_run(w->ipu->probe, batch, stamps, stack_pass_signatures(pass), err);
	return status == SAHM_OK && !stack_pass_run(pass, batch, stamps) ? sahm_fail_nomem(err) : status;
}

static enum sahm_status init_watch(struct watch *w, struct sahm_err *err)
{
	w->passes = calloc(w->runs->nr, sizeof(*w->passes));
	w->names = calloc(w->runs->nr, sizeof(struct code_names *));
	w->of_insns = calloc(w->runs->nr, sizeof(*w->of_insns));
	w->results = calloc(w->runs->nr, sizeof(*w->results));
	return w->passes && w->names && w->of_insns && w->results ? SAHM_OK : sahm_fail_nomem(err);
}

static void release_watch(struct watch *w)
{
	for (size_t i = 0; i < w->runs->nr; i++) {
		stack_pass_free(w->passes ? w->passes[i] : NULL);
		code_names_free(w->names ? w->names[i] : NULL);
		free(w->of_insns ? w->of_insns[i] : NULL);
	}
	free(w->passes);
	free(w->names);
	free(w->of_insns);
	free(w->results);
}

/* ---- Names ---- */

static enum sahm_status open_names(const struct request *r, size_t stream, struct code_names **names,
				   struct sahm_err *err)
{
	const struct code_file elf = {.path = r->elf, .has_base = r->of_base != NULL, .base = r->base};
	struct stream *s = NULL;
	enum sahm_status status = stream_open(r->operands.streams.items[stream], NULL, &s, err);
	if (status == SAHM_OK)
		status = code_names_new(s, r->elf ? &elf : NULL, names, err);
	stream_free(s);
	return status;
}

/* The result of run `i`, whose stream's names are open. */
static enum sahm_status make_result(struct watch *w, size_t i, struct sahm_err *err)
{
	if (!stack_pass_end(w->passes[i]))
		return sahm_fail_nomem(err);
	const struct stacks *s = stack_pass_stacks(w->passes[i]);
	w->of_insns[i] = calloc(s->nr_insns + 1, sizeof(*w->of_insns[i]));
	w->results[i] = (struct pics_result){.run = &w->runs->results[i],
					     .stacks = s,
					     .names = w->of_insns[i],
					     .samples = w->request->nr_schemes > 0 ? stack_pass_samples(w->passes[i], 0)
										   : NULL};
	return w->of_insns[i] ? pics_names(w->names[i / w->runs->nr_cores], s, w->of_insns[i], err)
			      : sahm_fail_nomem(err);
}

static enum sahm_status make_results(struct watch *w, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < w->runs->nr && status == SAHM_OK; i++)
		status = make_result(w, i, err);
	if (status == SAHM_OK && w->ipu) {
		w->ipu->stacks.stacks = w->results[0].stacks;
		w->ipu->stacks.names = w->results[0].names;
		status = pics_ipu_end(w->ipu, err);
	}
	for (size_t i = 0; i < w->request->operands.streams.nr && status == SAHM_OK; i++)
		print_notes(code_names_notes(w->names[i]));
	return status;
}

/* ---- Output ---- */

static void warn_of_few_samples(const struct request *r, const struct pics_result *x)
{
	struct textbuf few;
	textbuf_init(&few);
	for (unsigned i = 0; i < r->nr_schemes; i++) {
		uint64_t taken = x->samples->of[stack_scheme_kind(r->scheme_list[i])].taken;
		if (taken < MIN_PICS_SAMPLES)
			textbuf_printf(&few, "%s%s %" PRIu64, few.len > 0 ? ", " : "",
				       stack_scheme_name(r->scheme_list[i]), taken);
	}
	if (few.len > 0)
		print_warning("%s on %s: fewer than %u samples (%s), which say little; a smaller --period takes more",
			      x->run->stream, x->run->core, MIN_PICS_SAMPLES, few.text);
	textbuf_release(&few);
}

static enum sahm_status plot(const struct request *r, struct pics_report report, struct textbuf *notes,
			     struct sahm_err *err)
{
	const char *const *names = pics_figure_names(report.lanes != NULL);
	report.top = r->of_top ? r->top : DEFAULT_PLOT_TOP;
	enum sahm_status status = pics_plot_write(&report, r->plot, err);
	for (unsigned i = 0; names[i] && status == SAHM_OK; i++)
		status = plot_draw(r->plot, names[i], notes, err);
	return status;
}

static uint64_t top_of(const struct request *r)
{
	return r->of_top || r->form == OUTPUT_TEXT ? r->top : 0;
}

static enum sahm_status report(const struct request *r, const struct watch *w, struct textbuf *out,
			       struct textbuf *notes, struct sahm_err *err)
{
	struct pics_report report = {.results = w->results,
				     .nr = w->runs->nr / r->remedies.nr_lanes,
				     .nr_lanes = r->remedies.nr_lanes,
				     .lanes = r->remedies.nr_lanes > 1 ? r->remedies.labels : NULL,
				     .by = (enum pics_by)r->by,
				     .top = top_of(r),
				     .nr_schemes = r->nr_schemes,
				     .ipu = w->ipu ? &w->ipu->stacks : NULL};
	memcpy(report.schemes, r->scheme_list, sizeof(report.schemes));
	bool ok = r->form == OUTPUT_JSON     ? pics_json(&report, out)
		  : r->form == OUTPUT_CSV    ? pics_csv(&report, out)
		  : r->form == OUTPUT_FOLDED ? pics_folded(&report, out)
					     : pics_text(&report, bold_output(NULL), out);
	if (!ok)
		return sahm_fail_nomem(err);
	return r->plot ? plot(r, report, notes, err) : SAHM_OK;
}

static enum sahm_status compare(const struct request *r, const struct watch *w, struct textbuf *out,
				struct sahm_err *err)
{
	struct pics_comparison c;
	enum sahm_status status = pics_comparison_init(&c, &w->results[0], &w->results[1], top_of(r), err);
	if (status == SAHM_OK) {
		bool ok = r->form == OUTPUT_JSON  ? pics_comparison_json(&c, out)
			  : r->form == OUTPUT_CSV ? pics_comparison_csv(&c, out)
						  : pics_comparison_text(&c, bold_output(NULL), out);
		status = ok ? SAHM_OK : sahm_fail_nomem(err);
	}
	pics_comparison_release(&c);
	return status;
}

static enum sahm_status print(const struct request *r, const struct watch *w, struct sahm_err *err)
{
	struct textbuf out, notes;
	textbuf_init(&out);
	textbuf_init(&notes);
	for (size_t i = 0; i < w->runs->nr; i++)
		warn_of_few_samples(r, &w->results[i]);
	enum sahm_status status = r->compares ? compare(r, w, &out, err) : report(r, w, &out, &notes, err);
	if (status == SAHM_OK && textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = print_output(r->form, &out, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* ---- The command ---- */

static enum sahm_status run_lanes(struct watch *w, struct core_jobs *jobs, struct sahm_err *err)
{
	const struct pics_remedies *remedies = &w->request->remedies;
	const struct remedies **listed = calloc(w->runs->nr_cores, sizeof(const struct remedies *));
	if (!listed)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < w->runs->nr_cores && remedies->nr_lanes > 1; i++)
		listed[i] = remedies->lanes[i % remedies->nr_lanes];
	jobs->remedies = listed;
	enum sahm_status status = core_runs_finish(w->runs, jobs, err);
	free(listed);
	return status;
}

static enum sahm_status run_streams(const struct request *r, struct core_runs *runs, struct pics_ipu *ipu,
				    struct sahm_err *err)
{
	struct watch w = {.request = r, .runs = runs, .ipu = r->ipu.program ? ipu : NULL};
	struct core_jobs jobs = {
		.form = LANES_SCALAR, .nr_threads = r->jobs, .ctx = &w, .begin = begin, .batch = take_batch};
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	if (status == SAHM_OK)
		status = init_watch(&w, err);
	/* Before work that takes long: --elf can be wrong. */
	for (size_t i = 0; i < r->operands.streams.nr && status == SAHM_OK; i++)
		status = open_names(r, i, &w.names[i], err);
	if (status == SAHM_OK)
		status = run_lanes(&w, &jobs, err);
	if (status == SAHM_OK)
		status = make_results(&w, err);
	if (status == SAHM_OK)
		status = print(r, &w, err);
	release_watch(&w);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.ipu.config = {.mismatch = IPU_EVERY,
					   .mismatch_arg = 1,
					   .max_cycles = IPU_DEFAULT_MAX_CYCLES,
					   .fifo_bytes = IPU_DEFAULT_FIFO_BYTES}};
	struct core_runs runs = {0};
	struct pics_ipu ipu = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = prepare(&r, &runs, &ipu, err);
	if (status == SAHM_OK)
		status = run_streams(&r, &runs, &ipu, err);
	pics_ipu_release(&ipu);
	core_runs_release(&runs);
	free(r.cores.items);
	free(r.schemes.items);
	free(r.soft_prefetches.items);
	free(r.no_flushes.items);
	free(r.lane_cores.items);
	free(r.ipu.settings.items);
	pics_remedies_release(&r.remedies);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_pics;
const struct command command_core_pics = {
	.name = "core pics",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "find the instructions that cost time, and why: cycle stacks",
	.details =
		"Each cycle is charged to instructions. If some commit, they share it. Else it goes to the oldest one if that is "
		"in the reorder buffer, to the last one if that flushed the pipeline, or to the next one to be dispatched. The "
		"signature of an instruction is the set of its events, such as ST-L1 for a load that missed L1D, or Base for "
		"none: `sahm help ST-L1` explains an event. A stack has the cycles of an instruction by signature, exactly.\n"
		"--scheme shows beside this what hardware samplers would report, and their errors: tea and nci see all events, "
		"ibs, spe and ris are models of three products. --compare shows what got slower or faster, and by which "
		"event.\n"
		"--soft-prefetch and --no-flush show how the stacks would change with the program: first as it is, then with each "
		"distance, or without the flushes (docs/pics.md).\n"
		"--ipu shows what an introspection unit beside the core would report, and loses (docs/introspection.md).",
	.options = options,
	.run = run,
};
