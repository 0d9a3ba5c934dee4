/* sahm trace resample, slice, concat, offset */
#include <inttypes.h>

#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/reshape_request.h"
#include "workloads/trace/reshape.h"

#define OUTPUT_ROW(what)                                                                                               \
	{                                                                                                              \
		"output", 'o', "FILE",                                                                                 \
			"write to FILE (- is standard output), as CSV if it ends in .csv or .csv.zst, else in binary " \
			"form; "                                                                                       \
			"compressed by zstd if it ends in .zst (default: NAME-" what                                   \
			".trc in the current folder, NAME.trc "                                                        \
			"with --name; followed by -2, -3 ... if it exists)",                                           \
			RESHAPE_OPTION(RESHAPE_OUTPUT)                                                                 \
	}
#define NAME_ROW(otherwise)                                                                                            \
	{                                                                                                              \
		"name", 'n', "NAME", "call the result NAME (default: " otherwise ")", RESHAPE_OPTION(RESHAPE_NAME)     \
	}

enum { RESAMPLE_MS = NR_RESHAPE_COMMON, RESAMPLE_INSTRUCTIONS };

static const struct option_row resample_options[] = {
	OUTPUT_ROW("resample"),
	NAME_ROW("as TRACE is called"),
	RESHAPE_FORCE_ROW,
	{"epoch-ms", 'e', "MS", "new length of an epoch, in ms of baseline time", RESHAPE_OPTION(RESAMPLE_MS)},
	{"epoch-instructions", 'i', "N", "make epochs of N instructions; --epoch-ms then gives their assumed length",
	 RESHAPE_OPTION(RESAMPLE_INSTRUCTIONS)},
	RESHAPE_INPUTS,
};

enum { SLICE_FROM_MS = NR_RESHAPE_COMMON, SLICE_TO_MS, SLICE_FROM_EPOCH, SLICE_TO_EPOCH };

static const struct option_row slice_options[] = {
	OUTPUT_ROW("slice"),
	NAME_ROW("as TRACE is called"),
	RESHAPE_FORCE_ROW,
	{"from-ms", 0, "MS", "take epochs that begin at MS or later (default: 0)", RESHAPE_OPTION(SLICE_FROM_MS)},
	{"to-ms", 0, "MS", "take epochs that begin before MS (default: the end)", RESHAPE_OPTION(SLICE_TO_MS)},
	{"from-epoch", 0, "I", "take epoch I and later ones; the first is 0", RESHAPE_OPTION(SLICE_FROM_EPOCH)},
	{"to-epoch", 0, "J", "take epochs before epoch J", RESHAPE_OPTION(SLICE_TO_EPOCH)},
	RESHAPE_INPUTS,
};

static const struct option_row concat_options[] = {
	OUTPUT_ROW("concat"),
	NAME_ROW("the names of the parts, joined by +"),
	RESHAPE_FORCE_ROW,
	RESHAPE_INPUTS,
};

enum { OFFSET_EPOCHS = NR_RESHAPE_COMMON, OFFSET_MS };

static const struct option_row offset_options[] = {
	OUTPUT_ROW("offset"),
	NAME_ROW("as TRACE is called"),
	RESHAPE_FORCE_ROW,
	{"epochs", 0, "K", "begin K epochs later; K may exceed the number of epochs", RESHAPE_OPTION(OFFSET_EPOCHS)},
	{"ms", 0, "MS", "begin MS later, a whole number of epochs", RESHAPE_OPTION(OFFSET_MS)},
	RESHAPE_INPUTS,
};

static enum sahm_status resample(struct reshape_request *r, struct sahm_err *err)
{
	char remark[96] = "";
	uint64_t epoch_ns = 0, instructions = 0, last;
	const char *name = r->given[RESHAPE_NAME];
	enum sahm_status status =
		request_ms(r, RESAMPLE_MS, ms_of_ns(MIN_EPOCH_NS), ms_of_ns(MAX_EPOCH_NS), &epoch_ns, err);
	if (status == SAHM_OK)
		status = request_whole(r, RESAMPLE_INSTRUCTIONS, 1, &instructions, err);
	if (status == SAHM_OK && !epoch_ns && !instructions)
		status = sahm_fail(err, SAHM_USAGE,
				   "the new length of epochs is missing: --epoch-ms MS or --epoch-instructions N");
	if (status == SAHM_OK)
		status = request_open(r, err);
	if (status != SAHM_OK)
		return status;
	if (instructions) {
		status = reshape_resample_instructions(r->traces[0], instructions, epoch_ns, name, &r->result, &last,
						       err);
		if (status == SAHM_OK && last < instructions)
			snprintf(remark, sizeof(remark), "; the last one holds what is left, %" PRIu64 " instruction%s",
				 last, last == 1 ? "" : "s");
		if (status == SAHM_OK)
			print_warning("the time base is assumed from here on: an epoch of %" PRIu64
				      " instruction%s counts as " MS_TEXT ", however long it took",
				      instructions, instructions == 1 ? "" : "s", ms_of_ns(trace_epoch_ns(r->result)));
	} else {
		status = reshape_resample_time(r->traces[0], epoch_ns, name, &r->result, &last, err);
		if (status == SAHM_OK && last < epoch_ns)
			snprintf(remark, sizeof(remark), "; the last one holds what is left, " MS_TEXT, ms_of_ns(last));
	}
	return status == SAHM_OK ? request_deliver(r, remark, err) : status;
}

/* How long a trace is, as the end of a sentence; in `text`. */
static const char *length_text(const struct trace *trace, char *text, size_t room)
{
	uint64_t nr = trace_nr_epochs(trace), epoch_ns = trace_epoch_ns(trace);
	snprintf(text, room, "has %" PRIu64 " epoch%s of " MS_TEXT " and ends at " MS_TEXT, nr, nr == 1 ? "" : "s",
		 ms_of_ns(epoch_ns), ms_of_ns(nr * epoch_ns));
	return text;
}

/* A bound of a slice, given by one of two options, as an epoch; *epoch is left alone when neither is there. */
static enum sahm_status read_bound(const struct reshape_request *r, int ms_option, int epoch_option, uint64_t *epoch,
				   struct sahm_err *err)
{
	const struct trace *trace = r->traces[0];
	uint64_t ns = 0, epoch_ns = trace_epoch_ns(trace), nr = trace_nr_epochs(trace);
	enum sahm_status status = request_ms(r, ms_option, 0, MAX_TIME_MS, &ns, err);
	if (status == SAHM_OK)
		status = request_whole(r, epoch_option, 0, epoch, err);
	if (status != SAHM_OK)
		return status;
	/* Rounded up: epochs that have begun before are not taken. */
	if (r->given[ms_option])
		*epoch = ns / epoch_ns + (ns % epoch_ns != 0);
	bool is_beyond = r->given[ms_option] ? ns > nr * epoch_ns : *epoch > nr;
	if (is_beyond) {
		int option = r->given[ms_option] ? ms_option : epoch_option;
		char length[128];
		return sahm_fail(err, SAHM_RANGE, "--%s is %s, but '%s' %s", r->options[option].name, r->given[option],
				 trace_file(trace), length_text(trace, length, sizeof(length)));
	}
	return SAHM_OK;
}

/* A bound as it was given: "--to-ms 190"; in `text`. */
static const char *bound_text(const struct reshape_request *r, int ms_option, int epoch_option, const char *otherwise,
			      char *text, size_t room)
{
	int option = r->given[ms_option] ? ms_option : epoch_option;
	snprintf(text, room, "%s%s%s%s", r->given[option] ? "--" : "", r->given[option] ? r->options[option].name : "",
		 r->given[option] ? " " : otherwise, r->given[option] ? r->given[option] : "");
	return text;
}

static enum sahm_status fail_empty(const struct reshape_request *r, struct sahm_err *err)
{
	char length[128], from[96], to[96];
	return sahm_fail(err, SAHM_RANGE, "the slice is empty: '%s' %s, no epoch begins between %s and %s",
			 trace_file(r->traces[0]), length_text(r->traces[0], length, sizeof(length)),
			 bound_text(r, SLICE_FROM_MS, SLICE_FROM_EPOCH, "the beginning", from, sizeof(from)),
			 bound_text(r, SLICE_TO_MS, SLICE_TO_EPOCH, "the end", to, sizeof(to)));
}

static enum sahm_status slice(struct reshape_request *r, struct sahm_err *err)
{
	uint64_t first = 0, end = 0;
	const char *const *given = r->given;
	if (!given[SLICE_FROM_MS] && !given[SLICE_TO_MS] && !given[SLICE_FROM_EPOCH] && !given[SLICE_TO_EPOCH])
		return sahm_fail(err, SAHM_USAGE, "a bound is missing: --from-ms, --to-ms, --from-epoch or --to-epoch");
	if ((given[SLICE_FROM_MS] && given[SLICE_FROM_EPOCH]) || (given[SLICE_TO_MS] && given[SLICE_TO_EPOCH]))
		return sahm_fail(err, SAHM_USAGE, "a bound is given both in ms and in epochs");
	enum sahm_status status = request_open(r, err);
	if (status != SAHM_OK)
		return status;
	end = trace_nr_epochs(r->traces[0]);
	status = read_bound(r, SLICE_FROM_MS, SLICE_FROM_EPOCH, &first, err);
	if (status == SAHM_OK)
		status = read_bound(r, SLICE_TO_MS, SLICE_TO_EPOCH, &end, err);
	if (status == SAHM_OK && first >= end)
		status = fail_empty(r, err);
	if (status == SAHM_OK)
		status = reshape_slice(r->traces[0], first, end, given[RESHAPE_NAME], &r->result, err);
	return status == SAHM_OK ? request_deliver(r, "", err) : status;
}

static enum sahm_status concat(struct reshape_request *r, struct sahm_err *err)
{
	struct textbuf notes;
	textbuf_init(&notes);
	enum sahm_status status = request_open(r, err);
	if (status == SAHM_OK)
		status = reshape_concat(r->traces, (unsigned)r->inputs.nr, r->given[RESHAPE_NAME], &notes, &r->result,
					err);
	if (status == SAHM_OK)
		print_notes(&notes);
	textbuf_release(&notes);
	return status == SAHM_OK ? request_deliver(r, "", err) : status;
}

static enum sahm_status offset(struct reshape_request *r, struct sahm_err *err)
{
	uint64_t nr_epochs = 0, ns = 0;
	bool in_ms = r->given[OFFSET_MS];
	if (!in_ms == !r->given[OFFSET_EPOCHS])
		return sahm_fail(err, SAHM_USAGE,
				 in_ms ? "--epochs and --ms exclude each other"
				       : "how much later is missing: --epochs K or --ms MS");
	enum sahm_status status = request_whole(r, OFFSET_EPOCHS, 0, &nr_epochs, err);
	if (status == SAHM_OK)
		status = request_ms(r, OFFSET_MS, 0, MAX_TIME_MS, &ns, err);
	if (status == SAHM_OK)
		status = request_open(r, err);
	if (status != SAHM_OK)
		return status;
	uint64_t epoch_ns = trace_epoch_ns(r->traces[0]);
	if (in_ms && ns % epoch_ns != 0)
		return sahm_fail(err, SAHM_RANGE,
				 "--ms is %s, not a whole number of epochs of '%s', which last " MS_TEXT
				 "; sahm trace resample makes them shorter",
				 r->given[OFFSET_MS], trace_file(r->traces[0]), ms_of_ns(epoch_ns));
	if (in_ms)
		nr_epochs = ns / epoch_ns;
	status = reshape_offset(r->traces[0], nr_epochs, r->given[RESHAPE_NAME], &r->result, err);
	return status == SAHM_OK ? request_deliver(r, "", err) : status;
}

static enum sahm_status run_resample(char **args, struct sahm_err *err)
{
	return request_run(&(struct reshape_request){.command = "resample", .options = resample_options}, args,
			   resample, err);
}

static enum sahm_status run_slice(char **args, struct sahm_err *err)
{
	return request_run(&(struct reshape_request){.command = "slice", .options = slice_options}, args, slice, err);
}

static enum sahm_status run_concat(char **args, struct sahm_err *err)
{
	struct reshape_request r = {.command = "concat", .options = concat_options, .takes_many = true};
	return request_run(&r, args, concat, err);
}

static enum sahm_status run_offset(char **args, struct sahm_err *err)
{
	return request_run(&(struct reshape_request){.command = "offset", .options = offset_options}, args, offset,
			   err);
}

extern const struct command command_trace_resample, command_trace_slice, command_trace_concat, command_trace_offset;

const struct command command_trace_resample = {
	.name = "trace resample",
	.operands = "TRACE",
	.summary = "change the length of a trace's epochs, in time or instructions",
	.details = "Spreads the counts of each epoch of TRACE evenly over its time or, with "
		   "--epoch-instructions, over its instructions. Every counter keeps its total. The last epoch "
		   "holds the rest and may be shorter.\n"
		   "With --epoch-instructions, the time base is assumed: an epoch counts as the trace's time "
		   "divided by the number of epochs, unless --epoch-ms says otherwise. An epoch of TRACE "
		   "without instructions adds its counts to the new epoch in which it falls.",
	.options = resample_options,
	.run = run_resample,
};

const struct command command_trace_slice = {
	.name = "trace slice",
	.operands = "TRACE",
	.summary = "cut a stretch out of a trace",
	.details = "Takes whole epochs: from epoch I to before epoch J, or those that begin between two times. "
		   "Without a bound, it starts at the beginning or ends at the end of TRACE.",
	.options = slice_options,
	.run = run_slice,
};

const struct command command_trace_concat = {
	.name = "trace concat",
	.operands = "TRACE TRACE...",
	.summary = "join traces one after the other",
	.details = "All epochs must have the same length (sahm trace resample). The result has cycles if all "
		   "traces have them, and the parts of their origin in which they agree. It is synthetic, or "
		   "has an assumed time base, if any of them does.",
	.options = concat_options,
	.run = run_concat,
};

const struct command command_trace_offset = {
	.name = "trace offset",
	.operands = "TRACE",
	.summary = "let a trace begin at a later epoch",
	.details = "The skipped epochs follow at the end. Since a trace repeats, this is the same program at "
		   "another moment.",
	.options = offset_options,
	.run = run_offset,
};
