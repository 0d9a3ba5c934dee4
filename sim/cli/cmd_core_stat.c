/* sahm core stat: what hardware counters of a modelled core count. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/stat_report.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/output.h"
#include "workloads/stream/function_map.h"

#define MAX_MHZ 100000u
#define MAX_INTERVAL_MS 1000000u
#define MAX_SEPARATOR_BYTES 15u

static const char *const counter_words[] = {
#define HPM_KIND(suffix, name, help) name,
#include "cores/uarch/hpm_kind_list.h"
#undef HPM_KIND
	NULL};

struct request {
	enum output_form form;
	struct option_list cores, events;
	struct settings settings;
	struct stream_sampling sampling;
	const char *of_warm, *of_slice, *separator, *region;
	uint64_t slice_cycles;
	uint32_t jobs, issue_pct, mhz, interval_ms;
	unsigned counters;
	bool multiplex, truth, per_epoch;
	bool force;
	struct core_operands operands;

	struct option_list list; /* of events, one each */
};

static const struct option_row options[] = {
	{"event", 'e', "EVENTS",
	 "count these, with commas between: events of the core's family with or without native:, presets of PAPI, cycles, "
	 "instructions, selectors such as 0x202 or r202 (sahm core events lists them; cycles, instructions, mispredictions and misses unless given)",
	 OPTION_LIST, AT(struct option_list, events)},
	{"core", 'c', "NAME|FILE",
	 "a core of configs/cores (sahm core list), or a file with the same keys (" DEFAULT_CORE ")", OPTION_LIST,
	 AT(struct option_list, cores), .most = 1},
	{SET_OPTION("change a value of the core, such as events=boom; can be repeated")},
	{"multiplex", 0, NULL, "let events that need more counters than there are take turns, and scale their counts",
	 OPTION_FLAG, AT(bool, multiplex)},
	{"slice", 0, "N", "with --multiplex: cycles of a turn (100000)", OPTION_WHOLE, AT(uint64_t, slice_cycles),
	 .least = 1, .most = UINT32_MAX, .preset = HPM_SLICE_CYCLES, NOTE(of_slice)},
	{"truth", 0, NULL, "also print what happened, whatever counters saw of it", OPTION_FLAG, AT(bool, truth)},
	{"counters", 0, "KIND",
	 "what counters of an event with several sources count: plain (1 in a cycle, the default, as real cores do), "
	 "scalar (a counter for each source), add (all that are high) or distributed",
	 OPTION_CHOICE, AT(unsigned, counters), .what = "--counters", .words = counter_words},
	{"region", 0, "FUNCTION", "count only while the next instruction to retire is one of the function's own",
	 OPTION_STRING, AT(const char *, region)},
	{"interval", 'I', "MS", "print counts each MS milliseconds of simulated time; needs --mhz", OPTION_WHOLE,
	 AT(uint32_t, interval_ms), .least = 1, .most = MAX_INTERVAL_MS},
	{"per-epoch", 0, NULL, "print counts of each epoch of the stream", OPTION_FLAG, AT(bool, per_epoch)},
	{"mhz", 0, "N", "the core's frequency, for times", OPTION_WHOLE, AT(uint32_t, mhz), .least = 1,
	 .most = MAX_MHZ},
	{"field-separator", 'x', "SEP", "print the fields of perf stat -x, with SEP between them; '\\t' is a tab",
	 OPTION_STRING, AT(const char *, separator)},
	{JSON_OPTION("print one JSON object")},
	{WRONG_PATH_OPTION(issue_pct)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{CORE_JOBS_OPTION(jobs)},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* Of families without presets, and of the U74; they need no turns. */
static const char *const usual[] = {
	"cycles", "instructions", "BRANCH_MISPREDICTION", "ICACHE_MISS", "DCACHE_MISS", "ITLB_MISS", "DTLB_MISS", NULL};
static const char *const usual_u74[] = {"cycles", "instructions", "PAPI_BR_MSP", "PAPI_L1_DCM", NULL};

/* ---- The request ---- */

static enum sahm_status check_forms(const struct request *r, struct sahm_err *err)
{
	if (r->interval_ms > 0 && r->mhz == 0)
		return sahm_fail(err, SAHM_USAGE, "-I counts milliseconds of simulated time: give --mhz as well");
	if (r->interval_ms > 0 && r->per_epoch)
		return sahm_fail(err, SAHM_USAGE, "-I and --per-epoch cannot be combined");
	if (r->region && (r->interval_ms > 0 || r->per_epoch))
		return sahm_fail(err, SAHM_USAGE, "--region cannot be combined with -I or --per-epoch");
	if (r->of_slice && !r->multiplex)
		return sahm_fail(err, SAHM_USAGE, "--slice has no effect without --multiplex");
	if (r->separator && r->form == OUTPUT_JSON)
		return sahm_fail(err, SAHM_USAGE, "-x and --json cannot be combined");
	if (r->separator && (!*r->separator || strlen(r->separator) > MAX_SEPARATOR_BYTES))
		return sahm_fail(err, SAHM_USAGE, "-x takes 1 to %u characters", MAX_SEPARATOR_BYTES);
	if (r->separator && r->per_epoch && r->mhz == 0)
		return sahm_fail(err, SAHM_USAGE, "with -x, rows of --per-epoch begin with a time: give --mhz as well");
	if ((r->separator || r->region) && r->operands.streams.nr > 1)
		return sahm_fail(err, SAHM_USAGE, "%s is for one stream: '%s' is too many",
				 r->separator ? "-x" : "--region", r->operands.streams.items[1]);
	return SAHM_OK;
}

/* ---- Counting ---- */

/* A stream on the core. */
struct counted {
	struct hpm *hpm, *true_hpm;
	struct hpm_set *set, *truth;
	struct hpm_windows *windows;
	struct signal_pass *pass;
	uint64_t instructions; /* of the present epoch */
	struct pc_span *spans;
};

struct stat {
	const struct request *request;
	const struct core_runs *runs;
	struct counted *streams; /* [operands.streams.nr] */
};

static enum sahm_status make_set(const struct request *r, const struct core_model *m, const struct hpm_spec *spec,
				 struct hpm **hpm, struct hpm_set **set, struct sahm_err *err)
{
	const char *const *name = m->events == FAMILY_U74 ? usual_u74 : usual;
	enum sahm_status status = SAHM_OK;
	*hpm = hpm_new(spec);
	*set = *hpm ? hpm_set_new(*hpm) : NULL;
	if (!*set)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < r->list.nr && status == SAHM_OK; i++)
		status = hpm_set_add(*set, r->list.items[i], err);
	for (; r->list.nr == 0 && *name && status == SAHM_OK; name++)
		status = hpm_set_add(*set, *name, err);
	return status;
}

/* The sets start, or a message says how they could. */
static enum sahm_status start_sets(const struct request *r, const struct counted *c, struct sahm_err *err)
{
	struct sahm_err cause;
	enum sahm_status status = SAHM_OK;
	if (r->multiplex)
		status = hpm_set_multiplex(c->set, r->slice_cycles, err);
	if (status == SAHM_OK && hpm_set_start(c->set, &cause) != SAHM_OK)
		status = sahm_fail(err, SAHM_USAGE, "%s%s", cause.msg,
				   hpm_set_takes_turns(c->set) ? ": --multiplex lets them take turns" : "");
	if (status == SAHM_OK && c->truth && hpm_set_start(c->truth, &cause) != SAHM_OK)
		status = sahm_fail(err, SAHM_USAGE, "--truth: %s", cause.msg);
	return status;
}

static enum sahm_status make_sets(const struct request *r, const struct core_model *m, struct counted *c,
				  struct sahm_err *err)
{
	struct hpm_spec spec = {.family = m->events,
				.kind = (uint8_t)r->counters,
				.nr_counters = (uint8_t)event_family_counters((enum event_family)m->events),
				.core = &m->timing};
	enum sahm_status status = make_set(r, m, &spec, &c->hpm, &c->set, err);
	/* Add wires see everything, and there are enough of them. */
	spec.kind = HPM_ADD;
	spec.nr_counters = HPM_COUNTERS;
	if (status == SAHM_OK && r->truth)
		status = make_set(r, m, &spec, &c->true_hpm, &c->truth, err);
	return status == SAHM_OK ? start_sets(r, c, err) : status;
}

static enum sahm_status find_region(const struct request *r, const char *path, struct counted *c, size_t *nr,
				    struct sahm_err *err)
{
	struct function_map *map = NULL;
	struct pc_range *ranges = NULL;
	enum sahm_status status = function_map_open(path, &map, err);
	if (status == SAHM_OK)
		status = function_map_ranges(map, r->region, &ranges, nr, err);
	if (map)
		print_notes(function_map_notes(map));
	c->spans = status == SAHM_OK ? calloc(*nr, sizeof(*c->spans)) : NULL;
	if (status == SAHM_OK && !c->spans)
		status = sahm_fail_nomem(err);
	for (size_t i = 0; status == SAHM_OK && i < *nr; i++)
		c->spans[i] = (struct pc_span){ranges[i].begin, ranges[i].end};
	free(ranges);
	function_map_free(map);
	return status;
}

static void take_run(void *ctx, const struct signal_run *run)
{
	hpm_windows_run(ctx, run);
}

static enum sahm_status begin_stream(struct stat *st, size_t i, struct sahm_err *err)
{
	const struct request *r = st->request;
	const struct core_model *m = &st->runs->models[0];
	struct counted *c = &st->streams[i];
	struct hpm_windows_options o = {.interval_cycles = (uint64_t)r->interval_ms * r->mhz * 1000};
	struct signal_options of_signals = {
		.wrong_path_issue_pct = r->issue_pct, .has_causes = r->region != NULL, .take = take_run};
	const char *path = r->operands.streams.items[i];
	enum sahm_status status = make_sets(r, m, c, err);
	if (status == SAHM_OK)
		status = core_request_stream_classes(path, &of_signals.has_no_multiply_add, err);
	if (status == SAHM_OK && r->region)
		status = find_region(r, path, c, &o.nr_spans, err);
	if (status != SAHM_OK)
		return status;
	of_signals.wanted = hpm_set_signals(c->set);
	o.set = c->set;
	o.truth = c->truth;
	o.spans = c->spans;
	of_signals.ctx = c->windows = hpm_windows_new(&o);
	c->pass = c->windows ? signal_pass_new(&m->timing, &of_signals) : NULL;
	return c->pass ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct stat *st = ctx;
	struct counted *c = &st->streams[stream];
	(void)core;
	c->instructions += batch->nr_instructions;
	return signal_pass_run(c->pass, batch, stamps, notes) ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status take_epoch_end(void *ctx, size_t stream, size_t core, uint64_t epoch, struct sahm_err *err)
{
	struct stat *st = ctx;
	struct counted *c = &st->streams[stream];
	uint64_t instructions = c->instructions;
	(void)core;
	c->instructions = 0;
	if (!st->request->per_epoch)
		return SAHM_OK;
	return hpm_windows_cut(c->windows, instructions, epoch) ? SAHM_OK : sahm_fail_nomem(err);
}

static void release(struct counted *c)
{
	signal_pass_free(c->pass);
	hpm_windows_free(c->windows);
	hpm_set_free(c->set);
	hpm_set_free(c->truth);
	hpm_free(c->hpm);
	hpm_free(c->true_hpm);
	free(c->spans);
}

/* ---- Output ---- */

static enum sahm_status report(const struct stat *st, struct sahm_err *err)
{
	const struct request *r = st->request;
	struct stat_result *results = calloc(st->runs->nr, sizeof(*results));
	struct textbuf out;
	enum sahm_status status = results ? SAHM_OK : sahm_fail_nomem(err);
	textbuf_init(&out);
	for (size_t i = 0; i < st->runs->nr && status == SAHM_OK; i++) {
		const struct counted *c = &st->streams[i];
		results[i] = (struct stat_result){&st->runs->results[i], c->set, c->windows};
		if (!signal_pass_end(c->pass) || !hpm_windows_end(c->windows))
			status = sahm_fail_nomem(err);
	}
	const struct stat_report report = {.results = results,
					   .nr_streams = st->runs->nr,
					   .counters = counter_words[r->counters],
					   .separator = r->separator,
					   .region = r->region,
					   .mhz = r->mhz,
					   .per_window = r->per_epoch || r->interval_ms > 0,
					   .per_epoch = r->per_epoch,
					   .has_truth = r->truth};
	if (status == SAHM_OK && r->region && hpm_windows_total(st->streams[0].windows)->instructions == 0)
		print_warning("--region: no instruction of '%s' is executed in what was run", r->region);
	if (status == SAHM_OK) {
		(r->form == OUTPUT_JSON ? stat_json : r->separator ? stat_csv : stat_text)(&report, &out);
		status = textbuf_failed(&out) ? sahm_fail_nomem(err)
					      : print_output(r->separator ? OUTPUT_CSV : r->form, &out, err);
	}
	textbuf_release(&out);
	free(results);
	return status;
}

/* ---- The command ---- */

static enum sahm_status run_streams(const struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	struct stat st = {.request = r, .runs = runs};
	struct core_jobs jobs = {.form = LANES_SCALAR,
				 .nr_threads = r->jobs,
				 .ctx = &st,
				 .batch = take_batch,
				 .takes_notes = true,
				 .epoch_end = take_epoch_end};
	enum sahm_status status = core_runs_begin(runs, &r->operands, &r->sampling, &jobs, err);
	st.streams = status == SAHM_OK ? calloc(runs->nr, sizeof(*st.streams)) : NULL;
	if (status == SAHM_OK && !st.streams)
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < runs->nr && status == SAHM_OK; i++)
		status = begin_stream(&st, i, err);
	if (status == SAHM_OK)
		status = core_runs_finish(runs, &jobs, err);
	if (status == SAHM_OK)
		status = report(&st, err);
	for (size_t i = 0; st.streams && i < runs->nr; i++)
		release(&st.streams[i]);
	free(st.streams);
	return status;
}

/* Before a command is recorded, which takes long. */
static enum sahm_status check_events(const struct request *r, const struct core_model *m, struct sahm_err *err)
{
	struct counted c = {0};
	enum sahm_status status = make_sets(r, m, &c, err);
	release(&c);
	return status;
}

static enum sahm_status prepare(struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep};
	enum sahm_status status = core_operands_resolve(&r->operands, err);
	if (r->separator && strcmp(r->separator, "\\t") == 0)
		r->separator = "\t"; /* as perf reads it */
	if (status == SAHM_OK)
		status = check_forms(r, err);
	if (status == SAHM_OK)
		status = core_request_split(&r->events, "-e", "an event", &r->operands.arena, &r->list, err);
	if (status == SAHM_OK)
		status = core_runs_read_watched(runs, "sahm core stat", &r->operands, &r->sampling, r->of_warm,
						&r->cores, &r->settings.list, err);
	if (status == SAHM_OK)
		status = check_events(r, &runs->models[0], err);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(&r->operands, &r->cores, outputs, ARRAY_SIZE(outputs), err);
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
		status = run_streams(&r, &runs, err);
	core_runs_release(&runs);
	free(r.cores.items);
	free(r.events.items);
	free(r.list.items);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_stat;
const struct command command_core_stat = {
	.name = "core stat",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "count events of a program with the counters of a modelled core",
	.details =
		"Counts as perf stat does, with as many event counters as the core's family has. More events are an error, "
		"unless --multiplex lets them take turns: counts are then scaled by enabled and running cycles, and the share "
		"of cycles in which an event was counted follows it. --truth shows how far a count is from what "
		"happened.\n"
		"With -- COMMAND, its output goes to standard error. If it fails, a warning gives its exit code, and sahm still "
		"exits with 0 where there is something to count.\n"
		"Boundaries are at instructions: an interval or a turn ends with the first instruction to retire at or past "
		"its end. With -I, the output of -x is read by sahm trace import (docs/counters.md).",
	.options = options,
	.run = run,
};
