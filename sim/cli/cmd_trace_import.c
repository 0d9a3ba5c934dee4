/* sahm trace import */
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/import/import.h"

struct request {
	struct option_list inputs;
	const char *output;
	bool each, force;
	struct import_options import;
	const struct import_format *guessed;
	struct import_map *map;
	struct arena arena;
	struct provenance_place provenance;
};

static enum sahm_status need_map(struct request *r, struct sahm_err *err)
{
	if (!r->map)
		r->map = import_map_new();
	r->import.map = r->map;
	return r->map ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status take_map(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	enum sahm_status status = need_map(r, err);
	return status == SAHM_OK ? import_map_add(r->map, w->value, err) : status;
}

static enum sahm_status take_assumption(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	enum sahm_status status = need_map(r, err);
	return status == SAHM_OK ? import_map_assume(r->map, w->value, err) : status;
}

static enum sahm_status take_format(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	r->import.format = import_format_named(w->value, err);
	return r->import.format ? SAHM_OK : SAHM_USAGE;
}

static const struct option_row options[] = {
	{"output", 'o', "FILE",
	 "write the trace to FILE (NAME.trc in the current folder, or NAME-2.trc if that exists); "
	 ".csv and .csv.zst mean CSV, .zst compression; with --each, FILE is a folder",
	 OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{"format", 'f', "FORMAT", "the form of FILE, if it is recognised wrongly (sahm help import lists the forms)",
	 OPTION_TAKE, .take = take_format},
	{"map", 'm', "COUNTER=EXPRESSION",
	 "make a counter from events or columns: sums, differences, multiples; can be repeated", OPTION_TAKE,
	 .take = take_map},
	{"assume", 'a', "COUNTER=N", "use N in every epoch for a counter without an event; can be repeated",
	 OPTION_TAKE, .take = take_assumption},
	{"join", 'j', NULL, "FILEs are runs of one program with different events: join them by cumulative instructions",
	 OPTION_FLAG, AT(bool, import.join)},
	{"rotate", 0, NULL,
	 "intervals, recordings or FILEs counted different events in turn: join those from one complete set to the next "
	 "into an epoch, scaled by instructions",
	 OPTION_FLAG, AT(bool, import.rotate)},
	{"epoch-ms", 'e', "MS", "length of an epoch, in ms of baseline time (the usual interval of FILE, or 100)",
	 OPTION_MS, AT(uint64_t, import.epoch_ns), .least = MIN_EPOCH_NS, .most = MAX_EPOCH_NS},
	{"by-time", 't', NULL,
	 "cut intervals to epochs of exactly --epoch-ms by their times, instead of one epoch per "
	 "interval",
	 OPTION_FLAG, AT(bool, import.by_time)},
	{"each", 0, NULL, "make a trace for each CPU, thread or cgroup instead of one of their sum", OPTION_FLAG,
	 AT(bool, each)},
	{"only", 0, "NAME", "take only this CPU, thread or cgroup (CPU0, comm-1234, ...)", OPTION_STRING,
	 AT(const char *, import.only)},
	{"group", 0, "COLUMN", "the column of a table that names CPU, thread or cgroup", OPTION_STRING,
	 AT(const char *, import.group_column)},
	{"pmu", 0, "NAME", "if events name a PMU, take only those of NAME (cpu_core, ...)", OPTION_STRING,
	 AT(const char *, import.pmu)},
	{"recording", 0, "N", "take the Nth recording of a file that perf stat --append wrote", OPTION_COUNT,
	 AT(unsigned, import.recording), .least = 1, .most = UINT32_MAX, .must = "a whole number from 1 on"},
	{"cumulative", 0, NULL, "counts are running totals, not counts of one interval", OPTION_FLAG,
	 AT(bool, import.cumulative)},
	{"differences", 0, NULL, "statistics of gem5 were reset at each dump, whatever they say of it", OPTION_FLAG,
	 AT(bool, import.differences)},
	{"separator", 'x', "SEP", "the character between fields, if it is not recognised", OPTION_STRING,
	 AT(const char *, import.separator)},
	{"keep-idle", 0, NULL, "make epochs of rows in which nothing happened, too", OPTION_FLAG,
	 AT(bool, import.keep_idle)},
	{"no-cycles", 0, NULL, "leave out cycles even if they are known", OPTION_FLAG, AT(bool, import.no_cycles)},
	{PROVENANCE_OPTION(
		"say where the trace comes from; can be repeated (name, source, program, tool, machine, date, "
		"epoch, licence, note, event.COUNTER, origin.COUNTER)")},
	{OPERANDS(inputs, "a file is missing: sahm trace import FILE...")},
};

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	struct import_options *o = &r->import;
	if (r->each && o->only)
		return sahm_fail(err, SAHM_USAGE, "--each and --only exclude each other");
	if (o->separator && !*o->separator)
		return sahm_fail(err, SAHM_USAGE, "--separator is empty");
	o->groups = r->each ? IMPORT_EACH : o->only ? IMPORT_ONLY : IMPORT_SUM;
	if (o->separator && strcmp(o->separator, "\\t") == 0)
		o->separator = "\t";
	return SAHM_OK;
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
	if (r->output && r->import.groups != IMPORT_EACH) {
		textbuf_puts(path, r->output);
		return;
	}
	for (size_t number = 1;; number++) {
		path->len = 0;
		if (r->output)
			textbuf_printf(path, "%s/", r->output);
		name_as_file(trace_name(trace), path);
		if (number > 1)
			textbuf_printf(path, "-%zu", number);
		textbuf_puts(path, ".trc");
		if (!is_taken(taken, nr, path->text))
			return;
	}
}

/* Says which reader the looks of the file chose, unless they say it themselves. */
static bool is_guess(const struct request *r)
{
	return r->guessed && strcmp(import_format_name(r->guessed), "sahm") != 0;
}

static enum sahm_status deliver(struct request *r, struct trace *const *traces, size_t nr, struct sahm_err *err)
{
	const char **paths = arena_alloc(&r->arena, nr, sizeof(*paths));
	enum sahm_status status = paths ? SAHM_OK : sahm_fail_nomem(err);
	char remark[64] = "";
	if (is_guess(r))
		snprintf(remark, sizeof(remark), "; read as %s (-f chooses another)", import_format_name(r->guessed));
	bool is_named = r->output || r->force; /* else by what is free */
	for (size_t i = 0; i < nr && status == SAHM_OK && is_named; i++) {
		struct textbuf path;
		textbuf_init(&path);
		name_output(r, traces[i], paths, i, &path);
		paths[i] = arena_strdup(&r->arena, path.text);
		status = !paths[i] || textbuf_failed(&path) ? sahm_fail_nomem(err) : SAHM_OK;
		/* A recording has more in it than what is made of it. */
		for (size_t k = 0; k < r->inputs.nr && status == SAHM_OK; k++)
			status = refuse_overwriting(path.text, r->inputs.items[k], err);
		if (status == SAHM_OK && !r->force)
			status = refuse_existing(path.text, err);
		textbuf_release(&path);
	}
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct textbuf stem;
		textbuf_init(&stem);
		name_as_file(trace_name(traces[i]), &stem);
		const char *said = i ? "" : remark;
		status = textbuf_failed(&stem) ? sahm_fail_nomem(err)
			 : is_named	       ? write_trace(paths[i], r->force, traces[i], said, err)
					       : write_named_trace(stem.text, false, traces[i], said, err);
		textbuf_release(&stem);
	}
	return status;
}

/* Whether the file is a good trace, which a table of counts with the same columns need not be. */
static bool can_be_opened(const char *path)
{
	struct trace *trace;
	struct sahm_err ignored;
	if (!trace_is_one(path) || trace_open(path, NULL, &trace, &ignored) != SAHM_OK)
		return false;
	trace_free(trace);
	return true;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.provenance = {&r.import.provenance, &r.arena}};
	struct trace **traces = NULL;
	struct textbuf notes;
	size_t nr = 0;
	textbuf_init(&notes);
	r.import.guessed = &r.guessed;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = trace_import(r.inputs.items, r.inputs.nr, &r.import, &notes, &traces, &nr, err);
	/* What was noted before a failure may explain it. */
	print_notes(&notes);
	if (status == SAHM_FORMAT && can_be_opened(r.inputs.items[0]))
		print_remark(
			"%s is a trace already: `sahm run`, `sahm characterize` and `sahm trace info` take it as it is",
			file_label(r.inputs.items[0]));
	else if (status == SAHM_FORMAT && is_guess(&r))
		print_remark("%s is read as %s (-f chooses another)", file_label(r.inputs.items[0]),
			     import_format_name(r.guessed));
	if (status == SAHM_OK && r.output && r.import.groups == IMPORT_EACH)
		status = file_make_folder(r.output, err);
	if (status == SAHM_OK && !trace_provenance(traces[0])->text[PROVENANCE_SOURCE])
		print_warning("the source of the trace is not known: recorded or synthetic? (-p source=recorded)");
	if (status == SAHM_OK)
		status = deliver(&r, traces, nr, err);
	for (size_t i = 0; i < nr; i++)
		trace_free(traces[i]);
	free(traces);
	textbuf_release(&notes);
	import_map_free(r.map);
	free(r.inputs.items);
	arena_release(&r.arena);
	return status;
}

extern const struct command command_trace_import;
const struct command command_trace_import = {
	.name = "trace import",
	.operands = "FILE...",
	.summary = "turn the output of perf stat, callgrind and other tools into a trace",
	.details =
		"Reads perf stat in all its forms, with -I or without, perf script, the parts of callgrind (all "
		"files of one process), likwid-perfctr, pcm -csv, pcm-core -csv, toplev -x, EMON's output, statistics of "
		"gem5, ChampSim and Sniper, any table with a header row, and traces as `sahm trace export` writes them, "
		"each compressed by zstd or not (FILE -: standard input). The form is recognised from the content. "
		"`sahm help import` lists formats, events, expressions and the treatment of incomplete rows.",
	.options = options,
	.run = run,
};
