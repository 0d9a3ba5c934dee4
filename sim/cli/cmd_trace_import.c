/* sahm trace import */
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "workloads/import/import.h"

enum {
	OPT_OUTPUT,
	OPT_FORMAT,
	OPT_MAP,
	OPT_ASSUME,
	OPT_JOIN,
	OPT_EPOCH,
	OPT_BY_TIME,
	OPT_EACH,
	OPT_ONLY,
	OPT_GROUP,
	OPT_PMU,
	OPT_RECORDING,
	OPT_CUMULATIVE,
	OPT_SEPARATOR,
	OPT_KEEP_IDLE,
	OPT_NO_CYCLES,
	OPT_PROVENANCE
};

static const struct option_row options[] = {
	[OPT_OUTPUT] =
		{"output", 'o', "FILE",
		 "write the trace to FILE (default: NAME.trc in the current folder), as CSV when its name ends in "
		 ".csv or .csv.zst, compressed by zstd when it ends in .zst; with --each, to the folder FILE"},
	[OPT_FORMAT] = {"format", 'f', "FORMAT",
			"what FILE is, where its looks deceive (sahm help import lists the formats)"},
	[OPT_MAP] = {"map", 'm', "COUNTER=EXPRESSION",
		     "make a counter from events or columns: sums, differences, multiples; can be repeated"},
	[OPT_ASSUME] = {"assume", 'a', "COUNTER=N",
			"take N for every epoch where nothing stands for a counter; can be repeated"},
	[OPT_JOIN] = {"join", 'j', NULL,
		      "FILEs are runs of one program with different events: join them by cumulative instructions"},
	[OPT_EPOCH] = {"epoch-ms", 'e', "MS",
		       "length of an epoch, in ms of baseline time (default: the usual interval of FILE, or 100)"},
	[OPT_BY_TIME] =
		{"by-time", 't', NULL,
		 "cut intervals to epochs of exactly --epoch-ms by their times, instead of taking each for one"},
	[OPT_EACH] = {"each", 0, NULL, "make a trace for each CPU, thread or cgroup instead of one of their sums"},
	[OPT_ONLY] = {"only", 0, "NAME", "take one CPU, thread or cgroup alone (CPU0, comm-1234, ...)"},
	[OPT_GROUP] = {"group", 0, "COLUMN", "the column of a table that names CPU, thread or cgroup"},
	[OPT_PMU] = {"pmu", 0, "NAME", "of events that name a PMU take those of NAME alone (cpu_core, ...)"},
	[OPT_RECORDING] = {"recording", 0, "N", "take the Nth recording of a file that perf stat --append wrote"},
	[OPT_CUMULATIVE] = {"cumulative", 0, NULL, "counts are running totals, not those of an interval"},
	[OPT_SEPARATOR] = {"separator", 'x', "SEP", "what separates fields, where it is not seen"},
	[OPT_KEEP_IDLE] = {"keep-idle", 0, NULL, "make epochs of rows in which nothing happened, too"},
	[OPT_NO_CYCLES] = {"no-cycles", 0, NULL, "leave out cycles even where they are known"},
	[OPT_PROVENANCE] = {"provenance", 'p', "KEY=VALUE",
			    "say where the trace comes from; can be repeated (name, source, program, tool, machine, "
			    "date, epoch, licence, note, event.COUNTER)"},
	{0},
};

struct request {
	const char **inputs;
	size_t nr_inputs;
	const char *output;
	struct import_options import;
	struct import_map *map;
	struct arena arena;
};

static enum sahm_status set_epoch(struct request *r, const char *text, struct sahm_err *err)
{
	double ms, min = ms_of_ns(MIN_EPOCH_NS), max = ms_of_ns(MAX_EPOCH_NS);
	if (number_read_double(text, &ms) != NUMBER_OK || ms < min || ms > max)
		return sahm_fail(err, SAHM_USAGE, "--epoch-ms is '%s', must be a number from %.10g to %.10g", text, min,
				 max);
	r->import.epoch_ns = ns_of_ms(ms);
	return SAHM_OK;
}

static enum sahm_status set_provenance(struct request *r, const char *text, struct sahm_err *err)
{
	struct sahm_err cause;
	const char *eq = strchr(text, '=');
	if (!eq)
		return sahm_fail(err, SAHM_USAGE, "--provenance '%s': written as KEY=VALUE", text);
	if (provenance_set(&r->import.provenance, &r->arena, text, (size_t)(eq - text), eq + 1, &cause) != SAHM_OK)
		return sahm_fail(err, cause.status == SAHM_NOMEM ? SAHM_NOMEM : SAHM_USAGE, "--provenance: %s",
				 cause.msg);
	return SAHM_OK;
}

static enum sahm_status set_recording(struct request *r, const char *text, struct sahm_err *err)
{
	uint64_t n;
	if (number_read_u64(text, strlen(text), &n) != NUMBER_OK || n < 1 || n > UINT32_MAX)
		return sahm_fail(err, SAHM_USAGE, "--recording is '%s', must be a whole number from 1 on", text);
	r->import.recording = (unsigned)n;
	return SAHM_OK;
}

static enum sahm_status set_groups(struct request *r, enum import_groups groups, const char *only, struct sahm_err *err)
{
	if (r->import.groups != IMPORT_SUM && r->import.groups != groups)
		return sahm_fail(err, SAHM_USAGE, "--each and --only exclude each other");
	r->import.groups = groups;
	r->import.only = only;
	return SAHM_OK;
}

static enum sahm_status need_map(struct request *r, struct sahm_err *err)
{
	if (!r->map)
		r->map = import_map_new();
	r->import.map = r->map;
	return r->map ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status take_option(struct request *r, int option, const char *value, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	switch (option) {
	case OPT_OUTPUT:
		r->output = value;
		break;
	case OPT_FORMAT:
		r->import.format = import_format_named(value, err);
		return r->import.format ? SAHM_OK : SAHM_USAGE;
	case OPT_MAP:
		status = need_map(r, err);
		return status == SAHM_OK ? import_map_add(r->map, value, err) : status;
	case OPT_ASSUME:
		status = need_map(r, err);
		return status == SAHM_OK ? import_map_assume(r->map, value, err) : status;
	case OPT_JOIN:
		r->import.join = true;
		break;
	case OPT_EPOCH:
		return set_epoch(r, value, err);
	case OPT_BY_TIME:
		r->import.by_time = true;
		break;
	case OPT_EACH:
		return set_groups(r, IMPORT_EACH, NULL, err);
	case OPT_ONLY:
		return set_groups(r, IMPORT_ONLY, value, err);
	case OPT_GROUP:
		r->import.group_column = value;
		break;
	case OPT_PMU:
		r->import.pmu = value;
		break;
	case OPT_RECORDING:
		return set_recording(r, value, err);
	case OPT_CUMULATIVE:
		r->import.cumulative = true;
		break;
	case OPT_SEPARATOR:
		if (!*value)
			return sahm_fail(err, SAHM_USAGE, "--separator is empty");
		r->import.separator = strcmp(value, "\\t") == 0 ? "\t" : value;
		break;
	case OPT_KEEP_IDLE:
		r->import.keep_idle = true;
		break;
	case OPT_NO_CYCLES:
		r->import.no_cycles = true;
		break;
	default:
		return set_provenance(r, value, err);
	}
	return SAHM_OK;
}

static enum sahm_status parse(char **args, struct request *r, struct sahm_err *err)
{
	struct option_walk w;
	enum sahm_status status = SAHM_OK;
	size_t nr_args = 0;
	while (args[nr_args])
		nr_args++;
	r->inputs = arena_alloc(&r->arena, nr_args, sizeof(*r->inputs));
	if (!r->inputs)
		return sahm_fail_nomem(err);
	option_walk_init(&w, options, args);
	while (status == SAHM_OK) {
		int option = option_walk_next(&w, err);
		if (option == OPTION_END)
			return r->nr_inputs
				       ? SAHM_OK
				       : sahm_fail(err, SAHM_USAGE, "a file is missing: sahm trace import FILE...");
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		if (option == OPTION_OPERAND)
			r->inputs[r->nr_inputs++] = w.value;
		else
			status = take_option(r, option, w.value, err);
	}
	return status;
}

static bool is_taken(const char *const *paths, size_t nr, const char *path)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(paths[i], path) == 0)
			return true;
	return false;
}

/* The file of a trace; names that differ only in what a file's name cannot hold get a number. */
static void name_output(const struct request *r, const struct trace *trace, const char *const *taken, size_t nr,
			struct textbuf *path)
{
	bool each = r->import.groups == IMPORT_EACH;
	if (r->output && !each) {
		textbuf_puts(path, r->output);
		return;
	}
	for (size_t number = 1;; number++) {
		path->len = 0;
		if (r->output)
			textbuf_printf(path, "%s/", r->output);
		name_as_file(trace, path);
		if (number > 1)
			textbuf_printf(path, "-%zu", number);
		textbuf_puts(path, ".trc");
		if (!is_taken(taken, nr, path->text))
			return;
	}
}

static enum sahm_status deliver(struct request *r, struct trace *const *traces, size_t nr, struct sahm_err *err)
{
	const char **paths = arena_alloc(&r->arena, nr, sizeof(*paths));
	enum sahm_status status = paths ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct textbuf path;
		textbuf_init(&path);
		name_output(r, traces[i], paths, i, &path);
		paths[i] = arena_strdup(&r->arena, path.text);
		status = !paths[i] || textbuf_failed(&path) ? sahm_fail_nomem(err) : SAHM_OK;
		/* A recording has more in it than what is made of it. */
		for (size_t k = 0; k < r->nr_inputs && status == SAHM_OK; k++)
			status = refuse_overwriting(path.text, r->inputs[k], err);
		if (status == SAHM_OK)
			status = write_trace(path.text, traces[i], "", err);
		textbuf_release(&path);
	}
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct trace **traces = NULL;
	struct textbuf notes;
	size_t nr = 0;
	textbuf_init(&notes);
	enum sahm_status status = parse(args, &r, err);
	if (status == SAHM_OK)
		status = trace_import(r.inputs, r.nr_inputs, &r.import, &notes, &traces, &nr, err);
	/* What was noted before a failure may explain it. */
	print_notes(&notes);
	if (status == SAHM_OK && r.output && r.import.groups == IMPORT_EACH)
		status = file_make_folder(r.output, err);
	if (status == SAHM_OK && !trace_provenance(traces[0])->text[PROVENANCE_SOURCE])
		print_warning("it is not said whether the trace is recorded or synthetic (-p source=recorded)");
	if (status == SAHM_OK)
		status = deliver(&r, traces, nr, err);
	for (size_t i = 0; i < nr; i++)
		trace_free(traces[i]);
	free(traces);
	textbuf_release(&notes);
	import_map_free(r.map);
	arena_release(&r.arena);
	return status;
}

extern const struct command command_trace_import;
const struct command command_trace_import = {
	.name = "trace import",
	.operands = "FILE...",
	.summary = "turn the output of perf stat, callgrind and other tools into a binary trace",
	.details = "Reads (FILE -: standard input) perf stat -I in all its forms, callgrind's parts (all files of a "
		   "process at once), likwid-perfctr -t, any table with a header row, and traces as `sahm trace "
		   "export` writes them, each of them compressed by zstd or not; which of them FILE is "
		   "shows from its looks. `sahm help import` says which events stand for which counter, what "
		   "expressions are, and what becomes of odd rows.",
	.options = options,
	.run = run,
};
