/* sahm core signals: signals of cores, cycle by cycle, and what can be read from them over time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/tma_pass.h"
#include "results/chart/chart.h"
#include "results/cores/temporal_report.h"
#include "results/cores/waves.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/engine/core_probe.h"

#define DEFAULT_CYCLES 1000u

struct request {
	enum output_form form;
	struct option_list cores;
	struct settings settings;
	struct option_list events;
	struct stream_sampling sampling;
	const char *of_from, *of_cycles, *of_overlap, *of_warm, *plot, *output, *abi;
	uint64_t from, cycles;
	uint32_t jobs, issue_pct, padding;
	bool recoveries, force;
	struct core_operands operands;

	enum waves_form waves_form; /* what follows */
	struct waves waves;
	struct core_wiring wiring; /* with --abi */
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "; with --overlap and --recoveries, can be repeated")},
	{SET_OPTION("change a value of each core, such as rob=256; can be repeated")},
	{"from", 0, "N", "the first cycle that is written (0)", OPTION_WHOLE, AT(uint64_t, from), .most = MAX_SAMPLING,
	 NOTE(of_from)},
	{"cycles", 0, "N", "how many cycles are written (1000)", OPTION_WHOLE, AT(uint64_t, cycles), .least = 1,
	 .most = MAX_SAMPLING, .preset = DEFAULT_CYCLES, NOTE(of_cycles)},
	{"events", 0, "LIST",
	 "signals and events of the core's family to write, with commas between; all: all signals (those that are not "
	 "of a single class of instructions)",
	 OPTION_LIST, AT(struct option_list, events)},
	{"abi", 0, "SPEC",
	 "instead write what the core shows an introspection unit: the signals of an ABI spec, pics or a file, in the form "
	 "that `sahm ipu run` reads",
	 OPTION_STRING, AT(const char *, abi)},
	{"output", 'o', "FILE",
	 "write to FILE, in the form that its name ends with: .vcd, .csv, .json or .sig (without: CSV to standard "
	 "output)",
	 OPTION_STRING, AT(const char *, output)},
	{"overlap", 0, "N",
	 "instead print the slots that Frontend and BadSpec could both claim: bubbles with a refill of L1I and a "
	 "recovery within N cycles (the paper: 50)",
	 OPTION_WHOLE, AT(uint32_t, padding), .most = MAX_TEMPORAL_PADDING, NOTE(of_overlap)},
	{"recoveries", 0, NULL, "instead print how long recoveries are", OPTION_FLAG, AT(bool, recoveries)},
	{WRONG_PATH_OPTION(issue_pct)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per change; with --overlap, per stream, core and class; with --recoveries, per "
		    "stream, core and length")},
	{"plot", 0, "DIR",
	 "with --recoveries: write a figure of their lengths to DIR: data, script, and .svg and .png drawn by gnuplot",
	 OPTION_STRING, AT(const char *, plot), .written = true, .folder = true},
	{CORE_JOBS_OPTION(jobs)},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

static bool is_report(const struct request *r)
{
	return r->of_overlap || r->recoveries;
}

/* ---- The request ---- */

static enum sahm_status check_options(const struct request *r, struct sahm_err *err)
{
	if (r->of_overlap && r->recoveries && r->form == OUTPUT_CSV)
		return sahm_fail(err, SAHM_USAGE, "--csv has rows of either --overlap or --recoveries");
	if (is_report(r) && (r->output || r->of_from || r->of_cycles || r->events.nr > 0 || r->abi))
		return sahm_fail(err, SAHM_USAGE, "%s is of the whole stream and goes to standard output: without %s",
				 r->of_overlap ? "--overlap" : "--recoveries",
				 r->output	? "--output"
				 : r->of_from	? "--from"
				 : r->of_cycles ? "--cycles"
				 : r->abi	? "--abi"
						: "--events");
	if (r->abi && r->events.nr > 0)
		return sahm_fail(err, SAHM_USAGE, "--abi says which signals are written: without --events");
	if (r->plot && !r->recoveries)
		return sahm_fail(err, SAHM_USAGE, "--plot needs --recoveries, whose lengths it draws");
	if (r->plot && r->cores.nr > MAX_STEPS_SERIES)
		return sahm_fail(err, SAHM_USAGE, "--plot draws at most %u cores", MAX_STEPS_SERIES);
	return SAHM_OK;
}

static enum sahm_status choose_form(struct request *r, struct sahm_err *err)
{
	static const struct {
		const char *ending;
		enum waves_form form;
	} forms[] = {{".vcd", WAVES_VCD}, {".csv", WAVES_CSV}, {".json", WAVES_JSON}, {".sig", WAVES_BINARY}};
	r->waves_form = r->form == OUTPUT_JSON ? WAVES_JSON : WAVES_CSV;
	if (!r->output)
		return SAHM_OK;
	if (r->form != OUTPUT_TEXT)
		return sahm_fail(err, SAHM_USAGE, "the name of --output says its form: without --json and --csv");
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (text_ends_in(r->output, forms[i].ending)) {
			r->waves_form = forms[i].form;
			return SAHM_OK;
		}
	return sahm_fail(err, SAHM_USAGE, "'%s' ends in none of .vcd, .csv, .json, .sig", r->output);
}

static enum sahm_status read_abi(struct request *r, struct sahm_err *err)
{
	char path[IPU_PATH_BYTES];
	struct abi abi;
	if (r->waves_form != WAVES_CSV && r->waves_form != WAVES_BINARY)
		return sahm_fail(err, SAHM_USAGE, "--abi writes CSV, or to a file that ends in .sig");
	enum sahm_status status = find_ipu_abi(r->abi, path, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->output, path, err);
	if (status == SAHM_OK)
		status = abi_read(&r->operands.arena, path, &abi, err);
	return status == SAHM_OK ? core_wire(&abi, &r->wiring, err) : status;
}

/* Of a window: one stream on one core. */
static enum sahm_status read_window(struct request *r, const struct core_runs *runs, struct sahm_err *err)
{
	const struct core_model *m = &runs->models[0];
	enum sahm_status status = choose_form(r, err);
	if (status == SAHM_OK && (runs->nr_cores > 1 || r->operands.streams.nr > 1))
		status = sahm_fail(err, SAHM_USAGE, "signals are those of one stream on one core");
	if (status == SAHM_OK && r->abi)
		return read_abi(r, err);
	if (r->events.nr == 0)
		waves_usual(&r->waves, &m->timing);
	for (size_t i = 0; i < r->events.nr && status == SAHM_OK; i++)
		status = waves_add(&r->waves, r->events.items[i], &m->timing, (enum event_family)m->events, err);
	return status == SAHM_OK ? waves_check(&r->waves, r->waves_form, err) : status;
}

/* ---- A window ---- */

struct window {
	const struct request *request;
	const struct core_runs *runs;
	struct signal_pass *pass;
	struct waves_writer *writer;
	uint64_t nr_cycles; /* that have come */
	bool is_stopped;
};

static void take_waves(void *ctx, const struct signal_run *run)
{
	struct window *w = ctx;
	w->nr_cycles = run->first + run->nr;
	waves_take(w->writer, run);
}

static enum sahm_status take_window_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
					  const struct uop_stamps *stamps, const struct timing_notes *notes,
					  struct sahm_err *err)
{
	struct window *w = ctx;
	(void)stream;
	(void)core;
	if (!w->pass || !signal_pass_run(w->pass, batch, stamps, notes))
		return sahm_fail_nomem(err);
	/* Nothing that follows is looked at: the run ends by what is no failure. */
	w->is_stopped = waves_is_done(w->writer);
	return w->is_stopped ? sahm_fail(err, SAHM_RANGE, "the window ends") : SAHM_OK;
}

static enum sahm_status run_window(struct window *w, struct core_runs *runs, FILE *out, struct sahm_err *err)
{
	const struct request *r = w->request;
	struct core_jobs jobs = {
		.form = LANES_SCALAR, .nr_threads = 1, .ctx = w, .batch = take_window_batch, .takes_notes = true};
	struct signal_options o = {.wrong_path_issue_pct = r->issue_pct, .take = take_waves, .ctx = w};
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	if (status == SAHM_OK)
		status = core_request_stream_classes(r->operands.streams.items[0], &o.has_no_multiply_add, err);
	if (status != SAHM_OK)
		return status;
	const struct waves_window window = {
		.from = r->from, .cycles = r->cycles, .stream = runs->results[0].stream, .core = runs->names[0]};
	w->writer = waves_writer_new(out, r->waves_form, &r->waves, &window);
	w->pass = signal_pass_new(&runs->models[0].timing, &o);
	if (!w->writer || !w->pass)
		return sahm_fail_nomem(err);
	struct sahm_err end;
	status = core_runs_finish(runs, &jobs, &end);
	if (status != SAHM_OK && !w->is_stopped)
		return sahm_fail(err, status, "%s", end.msg);
	return w->is_stopped || signal_pass_end(w->pass) ? SAHM_OK : sahm_fail_nomem(err);
}

/* With --abi. */
struct recording {
	struct core_recorder *recorder;
	uint16_t signatures[BATCH_UOPS];
};

static enum sahm_status begin_recording(void *ctx, size_t stream, size_t core, struct core_watch *watch,
					struct sahm_err *err)
{
	struct recording *x = ctx;
	(void)stream;
	(void)core;
	(void)err;
	watch->signatures = x->signatures;
	return SAHM_OK;
}

static enum sahm_status record_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				     const struct uop_stamps *stamps, const struct timing_notes *notes,
				     struct sahm_err *err)
{
	struct recording *x = ctx;
	(void)stream;
	(void)core;
	(void)notes;
	if (!core_recorder_run(x->recorder, batch, stamps, x->signatures))
		return sahm_fail_nomem(err);
	return core_recorder_is_done(x->recorder) ? sahm_fail(err, SAHM_RANGE, "the window ends") : SAHM_OK;
}

static enum sahm_status run_recording(struct recording *x, const struct request *r, struct core_runs *runs,
				      struct sahm_err *err)
{
	struct core_jobs jobs = {
		.form = LANES_SCALAR, .nr_threads = 1, .ctx = x, .begin = begin_recording, .batch = record_batch};
	struct sahm_err end;
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	if (status != SAHM_OK)
		return status;
	status = core_runs_finish(runs, &jobs, &end);
	if (core_recorder_is_done(x->recorder))
		return SAHM_OK;
	if (status != SAHM_OK)
		return sahm_fail(err, status, "%s", end.msg);
	return core_recorder_end(x->recorder) ? SAHM_OK : sahm_fail_nomem(err);
}

/* Of a window of which `nr` cycles were written; the core has `of_core`. */
static enum sahm_status check_window(const struct request *r, uint64_t nr, uint64_t of_core, struct sahm_err *err)
{
	if (nr == 0)
		return sahm_fail(err, SAHM_USAGE, "--from %" PRIu64 ": the last cycle is %" PRIu64, r->from,
				 of_core - 1);
	if (nr < r->cycles && r->of_cycles)
		print_remark("the stream ends after %" PRIu64 " of the %" PRIu64 " cycles", nr, r->cycles);
	return SAHM_OK;
}

static enum sahm_status write_recording(struct core_runs *runs, const struct request *r, FILE *out,
					struct sahm_err *err)
{
	struct recording x;
	enum signal_form form = r->waves_form == WAVES_BINARY ? SIGNALS_BINARY : SIGNALS_CSV;
	x.recorder = core_recorder_new(&runs->models[0].timing, &r->wiring, out, form, r->from, r->cycles);
	if (!x.recorder)
		return sahm_fail_nomem(err);
	enum sahm_status status = run_recording(&x, r, runs, err);
	if (status == SAHM_OK)
		status = check_window(r, core_recorder_nr(x.recorder), core_recorder_of_core(x.recorder), err);
	core_recorder_free(x.recorder);
	return status;
}

static enum sahm_status write_window_to(struct core_runs *runs, const struct request *r, FILE *out,
					struct sahm_err *err)
{
	struct window w = {.request = r, .runs = runs};
	if (r->abi)
		return write_recording(runs, r, out, err);
	enum sahm_status status = run_window(&w, runs, out, err);
	if (status == SAHM_OK)
		status = check_window(r, waves_end(w.writer), w.nr_cycles, err);
	signal_pass_free(w.pass);
	waves_writer_free(w.writer);
	return status;
}

static enum sahm_status write_window(struct core_runs *runs, const struct request *r, struct sahm_err *err)
{
	struct atomic_file f;
	if (!r->output)
		return write_window_to(runs, r, data_output(), err);
	enum sahm_status status = atomic_file_begin(&f, r->output, r->force, err);
	if (status != SAHM_OK)
		return status;
	status = write_window_to(runs, r, f.stream, err);
	if (status == SAHM_OK)
		return atomic_file_commit(&f, err);
	atomic_file_abort(&f);
	return status;
}

/* ---- Reports ---- */

/* A stream on a core. */
struct watched {
	struct signal_pass *pass;
	struct temporal *temporal;
	struct tma_pass *tma; /* NULL: only recoveries are asked for */
};

struct watch {
	const struct request *request;
	const struct core_runs *runs;
	struct watched *pairs; /* [streams][nr_cores] */
};

static void take_run(void *ctx, const struct signal_run *run)
{
	temporal_take(ctx, run);
}

static bool begin_watching(const struct request *r, const struct core_model *m, struct watched *x)
{
	x->temporal = temporal_new(r->padding);
	const struct signal_options o = {.wrong_path_issue_pct = r->issue_pct, .take = take_run, .ctx = x->temporal};
	x->pass = x->temporal ? signal_pass_new(&m->timing, &o) : NULL;
	const struct tma_options t = {
		.family = (enum event_family)m->events, .counters = HPM_ADD, .wrong_path_issue_pct = r->issue_pct};
	x->tma = x->pass && r->of_overlap ? tma_pass_new(&m->timing, &t) : NULL;
	return x->pass && (x->tma || !r->of_overlap);
}

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct watch *w = ctx;
	struct watched *x = &w->pairs[stream * w->runs->nr_cores + core];
	if (!begin_watching(w->request, &w->runs->models[core], x))
		return sahm_fail_nomem(err);
	watch->slots = x->tma ? tma_pass_slots(x->tma) : NULL;
	return SAHM_OK;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct watch *w = ctx;
	struct watched *x = &w->pairs[stream * w->runs->nr_cores + core];
	bool ok = signal_pass_run(x->pass, batch, stamps, notes) &&
		  (!x->tma || tma_pass_run(x->tma, batch, stamps, notes));
	return ok ? SAHM_OK : sahm_fail_nomem(err);
}

static void release(struct watched *x)
{
	signal_pass_free(x->pass);
	temporal_free(x->temporal);
	tma_pass_free(x->tma);
}

static enum sahm_status print(const struct request *r, const struct temporal_report *report, struct sahm_err *err)
{
	struct textbuf out, notes;
	textbuf_init(&out);
	textbuf_init(&notes);
	bool ok = r->form == OUTPUT_JSON  ? temporal_json(report, &out)
		  : r->form == OUTPUT_CSV ? temporal_csv(report, &out)
					  : temporal_text(report, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = temporal_plot_write(report, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = plot_draw(r->plot, recoveries_figure_name, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status report(const struct request *r, const struct core_runs *runs, struct watch *w,
			       struct sahm_err *err)
{
	struct temporal_result *results = calloc(runs->nr, sizeof(*results));
	bool ok = results != NULL;
	for (size_t i = 0; i < runs->nr && ok; i++) {
		struct watched *x = &w->pairs[i];
		results[i].run = &runs->results[i];
		ok = signal_pass_end(x->pass) && temporal_end(x->temporal, &results[i].counts) &&
		     (!x->tma || tma_pass_end(x->tma));
		if (ok && x->tma)
			results[i].window = tma_pass_total(x->tma);
	}
	const struct temporal_report t = {.nr_streams = r->operands.streams.nr,
					  .nr_cores = runs->nr_cores,
					  .results = results,
					  .padding = r->padding,
					  .has_overlap = r->of_overlap,
					  .has_recoveries = r->recoveries};
	enum sahm_status status = ok ? print(r, &t, err) : sahm_fail_nomem(err);
	free(results);
	return status;
}

static enum sahm_status run_report(const struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	struct watch w = {.request = r, .runs = runs};
	struct core_jobs jobs = {.form = LANES_SCALAR,
				 .nr_threads = r->jobs,
				 .ctx = &w,
				 .begin = begin,
				 .batch = take_batch,
				 .takes_notes = true};
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

/* ---- The command ---- */

static enum sahm_status check_outputs(const struct request *r, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep, r->output};
	const char *const figures[] = {recoveries_figure_name, NULL};
	enum sahm_status status = core_operands_check_outputs(&r->operands, &r->cores, outputs, 2, err);
	if (status == SAHM_OK)
		status = try_output(r->output, r->force, err);
	return status == SAHM_OK ? core_request_check_figures(r->plot, figures, r->force, err) : status;
}

static enum sahm_status prepare(struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	enum sahm_status status = check_options(r, err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r->operands, err);
	if (status == SAHM_OK)
		status = core_runs_read_watched(runs, "sahm core signals", &r->operands, &r->sampling, r->of_warm,
						&r->cores, &r->settings.list, err);
	if (status == SAHM_OK && !is_report(r))
		status = read_window(r, runs, err);
	if (status == SAHM_OK)
		status = check_outputs(r, err);
	return status == SAHM_OK ? core_operands_record(&r->operands, r->force, err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_runs runs = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = prepare(&r, &runs, err);
	if (status == SAHM_OK)
		status = is_report(&r) ? run_report(&r, &runs, err) : write_window(&runs, &r, err);
	core_runs_release(&runs);
	free(r.cores.items);
	free(r.events.items);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_signals;
const struct command command_core_signals = {
	.name = "core signals",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "show what a core does in each cycle, or what only cycles can show",
	.details =
		"Writes signals of one core, and events of its family, in a window of cycles: a row, or change, where "
		"one of them changes. One with lanes is a number, or a vector, of which bit j is lane j. VCD is for GTKWave "
		"and others; a cycle is 1 ns in it. CSV and .sig are the forms of `sahm ipu signals`, for programs of IPUs.\n"
		"--abi pics writes the 17 signals that the shipped IPU program pics wants, of the whole stream with a large "
		"--cycles (docs/introspection.md).\n"
		"--overlap bounds what Frontend and BadSpec lose to each other, and --recoveries has the distribution of "
		"how long the core recovers from flushes, both over the whole stream (docs/counters.md).",
	.options = options,
	.run = run,
};
