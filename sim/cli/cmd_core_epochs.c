/* sahm core epochs: a stream on a core becomes a trace of epochs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/core_trace.h"
#include "sim/base/array.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

enum { TIME_ASSUMED, TIME_MEASURED };
static const char *const time_words[] = {[TIME_ASSUMED] = "assumed", [TIME_MEASURED] = "measured", NULL};

#define DEFAULT_MHZ 3200u
#define MAX_MHZ 100000u

struct request {
	struct option_list cores;
	struct settings settings;
	unsigned time;
	uint32_t mhz;
	const char *of_mhz, *output;
	bool force;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "")},
	{SET_OPTION("change a value of the core, such as rob=256; can be repeated")},
	{"time", 0, "HOW",
	 "assumed (an epoch of the stream counts as 100 ms, the default) or measured (cycles divided by the frequency)",
	 OPTION_CHOICE, AT(unsigned, time), .what = "--time", .words = time_words},
	{"mhz", 0, "N", "with --time measured: the frequency (3200)", OPTION_WHOLE, AT(uint32_t, mhz), .least = 1,
	 .most = MAX_MHZ, .preset = DEFAULT_MHZ, NOTE(of_mhz)},
	{"output", 'o', "FILE", "write the trace to FILE; .csv means CSV, .zst compression", OPTION_STRING,
	 AT(const char *, output), .missing = "an output is missing: sahm core epochs STREAM -o TRACE"},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

static enum sahm_status describe(const struct request *r, const struct core_result *result, const struct stream *s,
				 struct arena *a, struct provenance *p, struct sahm_err *err)
{
	char text[256];
	static const struct {
		enum counter counter;
		const char *event;
	} events[] = {
		{COUNTER_INSTRUCTIONS, "instructions of the stream"},
		{COUNTER_BRANCHES, "branches, calls, returns and jumps executed"},
		{COUNTER_BRANCH_MISSES, "wrong directions, indirect targets and returns"},
		{COUNTER_L1I_MISSES, "lines fetched that were not in L1I"},
		{COUNTER_L1D_ACCESSES, "lines read and written by instructions"},
		{COUNTER_L1D_MISSES, "of these, not in L1D"},
		{COUNTER_L2_ACCESSES, "misses of L1I and L1D"},
		{COUNTER_L2_MISSES, "of these, not in L2"},
		{COUNTER_CYCLES, "cycles of the model of the core"},
	};
	snprintf(text, sizeof(text), "model of a core: %s, configuration %.16s", result->model->name,
		 result->config_hash);
	p->text[PROVENANCE_SOURCE] = "modelled";
	p->text[PROVENANCE_PROGRAM] = arena_strdup(a, stream_program(s));
	p->text[PROVENANCE_TOOL] = "sahm core epochs";
	p->text[PROVENANCE_MACHINE] = arena_strdup(a, text);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		p->event[events[i].counter] = events[i].event;
	provenance_say_origins(p, true);
	p->origin[COUNTER_CYCLES] = "modelled";
	if (r->time == TIME_ASSUMED)
		p->text[PROVENANCE_EPOCH] = "an epoch of the instruction stream, replayed as 100 ms of baseline time";
	if (stream_is_sampled(s))
		p->text[PROVENANCE_NOTE] = "a sample: epochs between these were left out";
	if (!p->text[PROVENANCE_PROGRAM] || !p->text[PROVENANCE_MACHINE])
		return sahm_fail_nomem(err);
	return provenance_name_after(p, a, result->stream, "", err);
}

/* What the trace takes for granted, and does not show. */
static void print_remarks(const struct request *r, const struct core_result *result, const struct stream *s,
			  uint64_t left_out)
{
	uint64_t least = UINT64_MAX, most = 0;
	/* With assumed time, the last one is left out as a whole. */
	for (uint64_t i = 0; i + (left_out > 0) < result->nr_epochs; i++) {
		uint64_t nr = result->epochs[i].counts.timing.instructions;
		least = nr < least ? nr : least;
		most = nr > most ? nr : most;
	}
	if (r->time == TIME_ASSUMED && least == most)
		print_remark("assumed time: an epoch of the stream, %" PRIu64 " instructions, counts as %.0f ms", most,
			     DEFAULT_EPOCH_MS);
	else if (r->time == TIME_ASSUMED)
		print_remark("assumed time: an epoch of the stream, %" PRIu64 " to %" PRIu64
			     " instructions, counts as %.0f ms",
			     least, most, DEFAULT_EPOCH_MS);
	if (stream_is_sampled(s))
		print_remark("%s is a sample: epochs between these were left out", result->stream);
	if (left_out > 0)
		print_warning("left out at the end: %" PRIu64 " instruction%s, which %s not fill an epoch", left_out,
			      left_out == 1 ? "" : "s", left_out == 1 ? "does" : "do");
}

static enum sahm_status make(const struct request *r, const struct core_result *result, const struct stream *s,
			     struct sahm_err *err)
{
	struct arena a;
	struct provenance p = {0};
	struct trace *trace = NULL;
	uint64_t left_out = 0;
	arena_init(&a);
	enum sahm_status status = describe(r, result, s, &a, &p, err);
	if (status == SAHM_OK)
		status = core_trace_make(result, r->time == TIME_MEASURED ? r->mhz : 0, ns_of_ms(DEFAULT_EPOCH_MS), &p,
					 r->output, &trace, &left_out, err);
	if (status == SAHM_OK)
		status = write_trace(r->output, r->force, trace, "", err);
	if (status == SAHM_OK)
		print_remarks(r, result, s, left_out);
	trace_free(trace);
	arena_release(&a);
	return status;
}

static enum sahm_status take_epoch(void *ctx, unsigned core, uint64_t epoch, const struct core_counts *counts,
				   struct sahm_err *err)
{
	(void)core;
	return core_result_add_epoch(ctx, epoch, counts, err);
}

static enum sahm_status run_stream(struct request *r, struct sahm_err *err)
{
	static const struct stream_sampling all;
	struct core_model *model = calloc(1, sizeof(*model));
	char hash[HASH_HEX_BYTES];
	struct core_result result = {.model = model, .config_hash = hash};
	struct core_observer o = {.ctx = &result, .epoch = take_epoch};
	const struct core_model *const models[] = {model};
	struct stream *s = NULL;
	enum sahm_status status = model ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_request_model(r->cores.nr > 0 ? r->cores.items[0] : DEFAULT_CORE, &r->settings.list,
					    model, err);
	if (status == SAHM_OK)
		status = core_model_hash(model, hash, err);
	if (status == SAHM_OK)
		status = try_output(strcmp(r->output, "-") == 0 ? NULL : r->output, r->force, err);
	if (status == SAHM_OK)
		status = core_operands_record(&r->operands, r->force, err);
	if (status == SAHM_OK) {
		result.stream = core_operands_label(&r->operands, 0);
		status = open_stream(r->operands.streams.items[0], &s, err);
	}
	if (status == SAHM_OK)
		status = core_run(s, models, 1, LANES_BEST, &all, &o, &result.counts, err);
	if (status == SAHM_OK && result.nr_epochs == 0)
		status = sahm_fail(err, SAHM_FORMAT, "%s: there are no instructions in it", result.stream);
	if (status == SAHM_OK)
		status = make(r, &result, s, err);
	stream_free(s);
	free(result.epochs);
	free(model);
	return status;
}

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (r->operands.keep && !r->operands.command)
		return sahm_fail(err, SAHM_USAGE,
				 "--keep is of a command: sahm core epochs --keep FILE -o TRACE -- COMMAND");
	if (r->operands.command && r->operands.streams.nr > 0)
		return sahm_fail(err, SAHM_USAGE, "'%s' precedes --: give a stream or a command, not both",
				 r->operands.streams.items[0]);
	if (!r->operands.command && r->operands.streams.nr != 1)
		return sahm_fail(err, SAHM_USAGE, "one stream is needed: sahm core epochs STREAM -o TRACE");
	if (r->cores.nr > 1)
		return sahm_fail(err, SAHM_USAGE, "--core can be given once: a trace is of one core");
	if (r->of_mhz && r->time != TIME_MEASURED)
		return sahm_fail(err, SAHM_USAGE, "--mhz needs --time measured");
	return SAHM_OK;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	const char *const outputs[] = {r.output, r.operands.keep};
	if (status == SAHM_OK)
		status = core_operands_check_outputs(&r.operands, &r.cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = run_stream(&r, err);
	free(r.cores.items);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_epochs;
const struct command command_core_epochs = {
	.name = "core epochs",
	.operands = "STREAM | -- COMMAND [ARG]...",
	.summary = "make a trace of what a core does with a stream, epoch by epoch",
	.details =
		"The trace has all eight counters and the cycles, as the model of the core counts them; sahm characterize "
		"and sahm run take it. sahm trace resample --epoch-ms 100 gives measured time epochs of 100 ms.",
	.options = options,
	.run = run,
};
