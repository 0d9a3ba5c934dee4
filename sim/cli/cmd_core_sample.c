/* sahm core sample: where in a program events happen. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cores/uarch/hpm_set.h"
#include "results/cores/sample_report.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/output.h"

#define DEFAULT_BUFFER_BYTES 4096u
#define MAX_BUFFER_BYTES (UINT64_C(1) << 30)
#define DEFAULT_TOP 20u

static const char *const by_words[] = {
	[SAMPLES_BY_FUNCTION] = "function", [SAMPLES_BY_PC] = "pc", [SAMPLES_BY_ADDRESS] = "address", NULL};

/* Of scalar counters an event would take several. */
static const char *const counter_words[] = {"add", "plain", "distributed", NULL};
static const enum hpm_kind counter_kinds[] = {HPM_ADD, HPM_PLAIN, HPM_DISTRIBUTED};

struct request {
	enum output_form form;
	struct option_list cores, events, thresholds;
	struct settings settings;
	struct stream_sampling sampling;
	/* Options that were given: of_taking none of --report, of_report only of it. */
	const char *of_warm, *of_top, *of_taking, *of_report;
	const char *output, *report;
	uint64_t buffer_bytes, top;
	uint32_t skid, issue_pct;
	unsigned by, counters;
	bool force;
	struct core_operands operands;

	struct option_list list; /* of events, one each: what follows */
	struct hpm *hpm;
	struct hpm_set *set; /* only has the events: what they are called, and the selector of each */
	uint64_t every[HPM_COUNTERS];
};

static const struct option_row options[] = {
	{"event", 'e', "EVENTS",
	 "take samples of these, with commas between: events of the core's family with or without native:, selectors, "
	 "and presets of PAPI that take one counter (sahm core events lists them)",
	 OPTION_LIST, AT(struct option_list, events), NOTE(of_taking)},
	{"threshold", 'c', "N",
	 "take one each time that the event has been counted N times; one for all, or one for each with commas between",
	 OPTION_LIST, AT(struct option_list, thresholds), NOTE(of_taking)},
	{"core", 0, "NAME|FILE",
	 "a core of configs/cores (sahm core list), or a file with the same keys; -c is the threshold here (" DEFAULT_CORE
	 ")",
	 OPTION_LIST, AT(struct option_list, cores), .most = 1, NOTE(of_taking)},
	{SET_OPTION("change a value of the core, such as rob=256; can be repeated"), NOTE(of_taking)},
	{"output", 'o', "FILE", "write the samples to FILE", OPTION_STRING, AT(const char *, output), NOTE(of_taking)},
	{"buffer", 0, "BYTES",
	 "size of the buffer that samples go to; when no other fits in, an interrupt empties it (4096)", OPTION_SIZE,
	 AT(uint64_t, buffer_bytes), .least = PES_SAMPLE_BYTES, .most = MAX_BUFFER_BYTES,
	 .preset = DEFAULT_BUFFER_BYTES, NOTE(of_taking)},
	{"skid", 0, "N", "samples have the pc of the N-th instruction after the one that had the event (0)",
	 OPTION_WHOLE, AT(uint32_t, skid), .most = PES_MAX_SKID, NOTE(of_taking)},
	{"counters", 0, "KIND",
	 "what a counter of an event with several sources counts in a cycle: add (all that are high, the default, so that "
	 "a sample stands for N events), plain (one) or distributed",
	 OPTION_CHOICE, AT(unsigned, counters), .what = "--counters", .words = counter_words, NOTE(of_taking)},
	{WRONG_PATH_OPTION(issue_pct), NOTE(of_taking)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{"report", 0, "FILE", "instead print where the samples in FILE are", OPTION_STRING, AT(const char *, report)},
	{"by", 0, "WHAT", "with --report: a row for each function (the default), pc or data address", OPTION_CHOICE,
	 AT(unsigned, by), .what = "--by", .words = by_words, NOTE(of_report)},
	{"top", 0, "N", "with --report: N rows at most; 0: all (20; in CSV and JSON all)", OPTION_WHOLE,
	 AT(uint64_t, top), .most = UINT32_MAX, .preset = DEFAULT_TOP, NOTE(of_top)},
	{JSON_OPTION("with --report: print one JSON object"), NOTE(of_report)},
	{CSV_OPTION("with --report: print CSV, a row per event and function, pc or address"), NOTE(of_report)},
	{KEEP_OPTION(operands), NOTE(of_taking)},
	{FORCE_OPTION, NOTE(of_taking)},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

/* ---- Taking samples ---- */

struct sampler {
	const struct request *request;
	FILE *out;
	struct hpm *hpm;	     /* the request's */
	char digest[HASH_HEX_BYTES]; /* of the stream; "": it is not kept */
	struct signal_pass *pass;
	uint8_t *buffer;
	struct sahm_err err; /* of a register: of a mistake of ours */
	bool failed;
};

static void set_register(struct sampler *s, unsigned csr, uint64_t value)
{
	s->failed |= hpm_write(s->hpm, HPM_MACHINE, csr, value, &s->err) != SAHM_OK;
}

/* Writes out what is in the buffer: what the handler of its interrupt does. */
static void drain(void *user, struct hpm *hpm)
{
	struct sampler *s = user;
	uint64_t offset = 0;
	s->failed |= hpm_read(hpm, HPM_MACHINE, CSR_MHPMMOFFSET, &offset, &s->err) != SAHM_OK;
	fwrite(s->buffer, 1, offset, s->out);
	set_register(s, CSR_MHPMMOFFSET, 0);
}

static void take_run(void *ctx, const struct signal_run *run)
{
	struct sampler *s = ctx;
	hpm_run(s->hpm, run);
	signal_pass_want_boundaries(s->pass, hpm_wants_boundaries(s->hpm));
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	struct sampler *s = ctx;
	(void)stream;
	(void)core;
	return signal_pass_run(s->pass, batch, stamps, notes) ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status begin_sampling(struct sampler *s, const struct core_model *m, struct sahm_err *err)
{
	const struct request *r = s->request;
	struct signal_options o = {.wrong_path_issue_pct = r->issue_pct,
				   .has_causes = true,
				   .wanted = hpm_set_event_signals(r->set),
				   .take = take_run,
				   .ctx = s};
	enum sahm_status status =
		core_request_stream_classes(r->operands.streams.items[0], &o.has_no_multiply_add, err);
	if (status != SAHM_OK)
		return status;
	s->buffer = malloc(r->buffer_bytes);
	s->pass = signal_pass_new(&m->timing, &o);
	if (!s->buffer || !s->pass)
		return sahm_fail_nomem(err);
	const struct hpm_sampling sampling = {
		.memory = s->buffer, .bytes = r->buffer_bytes, .skid = r->skid, .full = drain, .user = s};
	status = hpm_sample(s->hpm, &sampling, err);
	if (status != SAHM_OK)
		return status;
	signal_pass_want_boundaries(s->pass, hpm_wants_boundaries(s->hpm));
	set_register(s, CSR_MHPMMSIZE, r->buffer_bytes);
	for (unsigned i = 0; i < r->list.nr; i++) {
		set_register(s, CSR_MHPMEVENT + i, hpm_set_event_selector(r->set, i, 0));
		set_register(s, CSR_MHPMMTHRESHOLD + i, r->every[i]);
	}
	return SAHM_OK;
}

static void describe(const struct sampler *s, const struct core_result *run, struct sample_head *h)
{
	const struct request *r = s->request;
	struct pes_totals totals;
	struct hpm_undercount u;
	hpm_sample_totals(s->hpm, &totals);
	*h = (struct sample_head){.samples = totals.written,
				  .lost = totals.lost,
				  .fulls = totals.fulls,
				  .cycles = run->counts.timing.cycles,
				  .instructions = run->counts.timing.instructions,
				  .buffer_bytes = r->buffer_bytes,
				  .skid = r->skid,
				  .nr_events = (unsigned)r->list.nr,
				  .stream = r->operands.keep ? r->operands.keep : run->stream,
				  .stream_digest = s->digest,
				  .core = run->core,
				  .family = event_family_name((enum event_family)run->model->events),
				  .counters = counter_words[r->counters]};
	for (unsigned i = 0; i < h->nr_events; i++) {
		hpm_undercount(s->hpm, HPM_FIRST + i, &u);
		h->events[i] = (struct sample_event){.counter = (uint8_t)(HPM_FIRST + i),
						     .selector = hpm_set_event_selector(r->set, i, 0),
						     .threshold = r->every[i],
						     .counted = u.counted,
						     .name = hpm_set_event_name(r->set, i)};
	}
}

static enum sahm_status write_head(const struct sampler *s, const struct core_runs *runs, struct sample_head *h,
				   struct sahm_err *err)
{
	describe(s, &runs->results[0], h);
	return sample_head_write(s->out, h) ? SAHM_OK : sahm_fail_nomem(err);
}

/* The head is written first for its length, and last with what is only known then. */
static enum sahm_status sample_stream(struct sampler *s, struct core_runs *runs, struct sample_head *h,
				      struct sahm_err *err)
{
	struct core_jobs jobs = {
		.form = LANES_SCALAR, .nr_threads = 1, .ctx = s, .batch = take_batch, .takes_notes = true};
	enum sahm_status status = core_runs_begin(runs, &s->request->operands, &s->request->sampling, &jobs, err);
	if (status == SAHM_OK && (!s->request->operands.command || s->request->operands.keep))
		status = file_hash_hex(s->request->operands.streams.items[0], s->digest, err);
	if (status == SAHM_OK)
		status = begin_sampling(s, &runs->models[0], err);
	if (status == SAHM_OK)
		status = write_head(s, runs, h, err);
	if (status == SAHM_OK)
		status = core_runs_finish(runs, &jobs, err);
	if (status != SAHM_OK)
		return status;
	if (!signal_pass_end(s->pass))
		return sahm_fail_nomem(err);
	hpm_finish(s->hpm);
	drain(s, s->hpm);
	if (s->failed)
		return sahm_fail(err, SAHM_RANGE, "%s", s->err.msg);
	/* rewind() would forget a failure to write. */
	if (fseek(s->out, 0, SEEK_SET) != 0)
		return sahm_fail(err, SAHM_IO, "cannot write '%s': %s", s->request->output, strerror(errno));
	return write_head(s, runs, h, err);
}

static enum sahm_status sample_to_file(const struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	struct atomic_file f;
	struct sample_head head = {0};
	enum sahm_status status = atomic_file_begin(&f, r->output, r->force, err);
	if (status != SAHM_OK)
		return status;
	struct sampler s = {.request = r, .out = f.stream, .hpm = r->hpm};
	status = sample_stream(&s, runs, &head, err);
	signal_pass_free(s.pass);
	free(s.buffer);
	if (status != SAHM_OK) {
		atomic_file_abort(&f);
		return status;
	}
	status = atomic_file_commit(&f, err);
	if (status == SAHM_OK)
		print_remark("%s: %" PRIu64 " sample%s, %" PRIu64 " lost", r->output, head.samples,
			     head.samples == 1 ? "" : "s", head.lost);
	return status;
}

/* ---- The request ---- */

/* A sample is of one counter, which has a threshold: not of several, nor of cycles and instructions. */
static enum sahm_status check_event(const struct hpm_set *set, unsigned event, struct sahm_err *err)
{
	const char *name = hpm_set_event_name(set, event);
	unsigned nr = hpm_set_event_counters(set, event);
	struct textbuf selectors;
	if (nr == 1)
		return SAHM_OK;
	if (nr == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "-e: %s has a fixed counter, and only event counters have thresholds; sahm core stat "
				 "--region FUNCTION counts it in a function",
				 name);
	textbuf_init(&selectors);
	for (unsigned i = 0; i < nr; i++)
		textbuf_printf(&selectors, "%s0x%" PRIx64, i > 0 ? ", " : "", hpm_set_event_selector(set, event, i));
	enum sahm_status status =
		textbuf_failed(&selectors)
			? sahm_fail_nomem(err)
			: sahm_fail(err, SAHM_USAGE, "-e: %s takes %u counters, and a sample is of one: take one of %s",
				    name, nr, selectors.text);
	textbuf_release(&selectors);
	return status;
}

static enum sahm_status read_events(struct request *r, const struct core_model *m, struct sahm_err *err)
{
	enum event_family family = (enum event_family)m->events;
	const struct hpm_spec spec = {.family = (uint8_t)family,
				      .kind = (uint8_t)counter_kinds[r->counters],
				      .nr_counters = (uint8_t)event_family_counters(family),
				      .core = &m->timing};
	enum sahm_status status = SAHM_OK;
	if (r->list.nr > spec.nr_counters)
		return sahm_fail(err, SAHM_USAGE, "-e: %zu events, but a core of family %s has %u event counters",
				 r->list.nr, event_family_name(family), spec.nr_counters);
	r->hpm = hpm_new(&spec);
	r->set = r->hpm ? hpm_set_new(r->hpm) : NULL;
	if (!r->set)
		return sahm_fail_nomem(err);
	for (unsigned i = 0; i < r->list.nr && status == SAHM_OK; i++) {
		status = hpm_set_add(r->set, r->list.items[i], err);
		if (status == SAHM_OK)
			status = check_event(r->set, i, err);
		if (status == SAHM_OK && hpm_set_event_is_never(r->set, i))
			print_warning("%s never happens on this core", hpm_set_event_name(r->set, i));
	}
	return status;
}

static enum sahm_status read_thresholds(struct request *r, struct sahm_err *err)
{
	struct option_list list = {0};
	enum sahm_status status =
		core_request_split(&r->thresholds, "-c", "a threshold", &r->operands.arena, &list, err);
	if (status == SAHM_OK && list.nr != 1 && list.nr != r->list.nr)
		status = sahm_fail(err, SAHM_USAGE,
				   "-c: %zu thresholds for %zu event%s: give one for all, or one for each", list.nr,
				   r->list.nr, r->list.nr == 1 ? "" : "s");
	for (size_t i = 0; i < r->list.nr && status == SAHM_OK; i++) {
		const char *text = list.items[list.nr == 1 ? 0 : i];
		if (number_read_u64(text, strlen(text), &r->every[i]) != NUMBER_OK || r->every[i] == 0)
			status = sahm_fail(err, SAHM_USAGE,
					   "-c: a threshold is a whole number from 1 to %" PRIu64
					   ", not '%.40s' (the core is --core)",
					   UINT64_MAX, text);
	}
	free(list.items);
	return status;
}

static enum sahm_status check_sampling(const struct request *r, struct sahm_err *err)
{
	if (r->events.nr == 0)
		return sahm_fail(err, SAHM_USAGE, "an event is missing: -e EVENT -c N");
	if (r->thresholds.nr == 0)
		return sahm_fail(err, SAHM_USAGE, "a threshold is missing: -c N takes a sample every N events");
	return SAHM_OK;
}

static enum sahm_status check_rest(const struct request *r, struct sahm_err *err)
{
	if (!r->output)
		return sahm_fail(err, SAHM_USAGE, "a file for the samples is missing: -o FILE");
	if (r->of_report || r->of_top)
		return sahm_fail(err, SAHM_USAGE, "--%s has no effect without --report",
				 r->of_report ? r->of_report : r->of_top);
	if (r->operands.streams.nr == 0 && !r->operands.command)
		return sahm_fail(err, SAHM_USAGE,
				 "a stream is missing: sahm core sample STREAM, or sahm core sample -- COMMAND");
	return SAHM_OK;
}

static enum sahm_status check_one_stream(const struct request *r, struct sahm_err *err)
{
	if (r->operands.streams.nr <= 1)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "samples are of one stream: '%s' is too many", r->operands.streams.items[1]);
}

static enum sahm_status prepare(struct request *r, struct core_runs *runs, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep, r->output};
	enum sahm_status status = check_sampling(r, err);
	if (status == SAHM_OK)
		status = core_request_split(&r->events, "-e", "an event", &r->operands.arena, &r->list, err);
	/* Before -o: `-c u74` means a core to other commands. */
	if (status == SAHM_OK)
		status = read_thresholds(r, err);
	if (status == SAHM_OK)
		status = check_rest(r, err);
	if (status == SAHM_OK)
		status = check_one_stream(r, err);
	if (status == SAHM_OK)
		status = core_runs_read_watched(runs, "sahm core sample", &r->operands, &r->sampling, r->of_warm,
						&r->cores, &r->settings.list, err);
	if (status == SAHM_OK)
		status = read_events(r, &runs->models[0], err);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(&r->operands, &r->cores, outputs, 2, err);
	if (status == SAHM_OK)
		status = try_file_output(r->output, r->force, err);
	return status == SAHM_OK ? core_operands_record(&r->operands, r->force, err) : status;
}

/* ---- The report ---- */

/* Opens the stream, if it is that of the samples. */
static enum sahm_status open_sampled(const char *path, const struct sample_head *h, struct stream **s,
				     struct sahm_err *err)
{
	char digest[HASH_HEX_BYTES];
	if (!*h->stream_digest)
		return sahm_fail(err, SAHM_USAGE, "the stream of command '%s' was not kept (--keep FILE)", h->stream);
	enum sahm_status status = file_hash_hex(path, digest, err);
	if (status == SAHM_OK && strcmp(digest, h->stream_digest) != 0)
		status = strcmp(path, h->stream) == 0
				 ? sahm_fail(err, SAHM_USAGE, "'%s' has changed since it was sampled", path)
				 : sahm_fail(err, SAHM_USAGE, "'%s' is another stream than the sampled one, '%s'", path,
					     h->stream);
	return status == SAHM_OK ? stream_open(path, NULL, s, err) : status;
}

/* The map of the stream that the samples are of, where it was or was given. NULL where there is none, which is no
 * failure unless it was given: a warning says why. */
static enum sahm_status find_functions(const struct request *r, const struct sample_head *h, struct function_map **map,
				       struct sahm_err *err)
{
	const char *given = r->operands.streams.nr > 0 ? r->operands.streams.items[0] : NULL;
	struct stream *s = NULL;
	struct sahm_err reason;
	if (r->by == SAMPLES_BY_ADDRESS && !given)
		return SAHM_OK;
	enum sahm_status status = open_sampled(given ? given : h->stream, h, &s, &reason);
	/* One that is there has to be read. */
	bool is_needed = given || (status == SAHM_IO && access(h->stream, F_OK) == 0);
	if (status == SAHM_NOMEM || (status != SAHM_OK && is_needed))
		return sahm_fail(err, status, "%s", reason.msg);
	if (status != SAHM_OK) {
		print_warning("%s: functions have no names here%s", reason.msg,
			      *h->stream_digest ? "; give the stream if it is elsewhere now" : "");
		return SAHM_OK;
	}
	status = function_map_new(s, map, err);
	stream_free(s);
	return status;
}

static enum sahm_status print(const struct request *r, const struct sample_report *report, struct sahm_err *err)
{
	struct textbuf out;
	textbuf_init(&out);
	bool ok = r->form == OUTPUT_JSON  ? sample_report_json(report, &out)
		  : r->form == OUTPUT_CSV ? sample_report_csv(report, &out)
					  : sample_report_text(report, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	textbuf_release(&out);
	return status;
}

/* An option that was given and is only for taking samples, or NULL. */
static const char *of_taking(const struct request *r)
{
	return r->of_taking	   ? r->of_taking
	       : r->sampling.skip  ? "skip"
	       : r->sampling.every ? "every"
	       : r->sampling.take  ? "take"
				   : r->of_warm;
}

static enum sahm_status report(const struct request *r, struct sahm_err *err)
{
	struct sample_file file;
	struct sample_report report;
	struct function_map *map = NULL;
	uint64_t top = r->of_top ? r->top : r->form == OUTPUT_TEXT ? DEFAULT_TOP : 0;
	const char *other = of_taking(r);
	if (other)
		return sahm_fail(err, SAHM_USAGE, "--%s has no effect with --report, which only reads its file", other);
	if (r->operands.command)
		return sahm_fail(err, SAHM_USAGE, "a command cannot be run with --report, which only reads its file");
	enum sahm_status status = check_one_stream(r, err);
	if (status == SAHM_OK)
		status = sample_file_read(r->report, &file, err);
	if (status != SAHM_OK)
		return status;
	status = find_functions(r, &file.head, &map, err);
	if (status == SAHM_OK) {
		status = sample_report_init(&report, &file, (enum sample_key)r->by, top, map, err);
		if (map)
			print_notes(function_map_notes(map));
		if (status == SAHM_OK)
			status = print(r, &report, err);
		sample_report_release(&report);
	}
	function_map_free(map);
	sample_file_release(&file);
	return status;
}

/* ---- The command ---- */

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_runs runs = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && r.report)
		status = report(&r, err);
	else if (status == SAHM_OK && (status = prepare(&r, &runs, err)) == SAHM_OK)
		status = sample_to_file(&r, &runs, err);
	core_runs_release(&runs);
	free(r.cores.items);
	free(r.events.items);
	free(r.thresholds.items);
	free(r.list.items);
	hpm_set_free(r.set);
	hpm_free(r.hpm);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_sample;
const struct command command_core_sample = {
	.name = "core sample",
	.operands = "[STREAM | -- COMMAND [ARG]...]",
	.summary = "find the instructions and functions that have an event",
	.details =
		"Takes precise samples: each time that a counter reaches its threshold, the pc, cycle and data address of the "
		"instruction whose event it was. They go to a buffer; when that is full, an interrupt writes it out, which "
		"takes no cycles here. Samples that find no room are lost, and counted.\n"
		"--report prints where they are. Names of functions come from the stream's list of mapped files and the "
		"symbols in these; give the stream as well if it has moved. The stream of a command is there only with "
		"--keep (docs/counters.md).",
	.options = options,
	.run = run,
};
