/* sahm core specialize: what specialised cores gain over a baseline, by behavioural state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cores/uarch/core_storage.h"
#include "results/chart/plot.h"
#include "results/studies/specialization.h"
#include "sim/base/array.h"
#include "sim/base/clock.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_jobs.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/shipped_file.h"
#include "sim/engine/model.h"
#include "sim/sweep/pool.h"
#include "sim/sweep/specialize.h"

/* The specialised cores of configs/cores. To add one: here, and its file. */
static const char *const usual_cores[] = {
	"special-branch",   "special-branch-256",     "special-l1i",
	"special-l1i-size", "special-l1i-entangling", "special-l1d",
	"special-l1d-size", "special-l1d-berti",      "special-l2",
	"special-l2-size",  "special-l2-best-offset", "special-l2-stream",
	"general",
};

#define EPOCHS_FILE "epochs.csv"
#define MAX_RESAMPLES 1000000u

static const char *const time_words[] = {[SPECIALIZE_ASSUMED] = "assumed", [SPECIALIZE_MEASURED] = "measured", NULL};

struct request {
	enum output_form form;
	const char *baseline, *from, *folder;
	const char *traces;	  /* a suite */
	struct option_list lists; /* of --cores, as they were given */
	struct stream_sampling sampling;
	const char *of_warm;
	struct specialize_options options;
	unsigned time;
	uint32_t jobs;
	unsigned lanes; /* enum lane_form */
	bool plot, force, measures_clock;
	struct core_operands operands;

	/* what follows from it */
	struct arena arena;
	struct option_list cores;  /* the baseline first */
	struct core_model *models; /* [cores.nr] */
	char epochs_path[4096];
};

static const struct option_row options[] = {
	{"output", 'o', "DIR",
	 "write the epoch table and all that follows from it into the folder DIR, created if missing", OPTION_STRING,
	 AT(const char *, folder), .folder = true,
	 .missing = "a folder is missing: sahm core specialize STREAM... -o DIR"},
	{"cores", 'c', "CORES",
	 "the cores, with commas between: of configs/cores (sahm core list), or files with the same keys (the specialised "
	 "ones); with --from, cores of the table (all)",
	 OPTION_LIST, AT(struct option_list, lists)},
	{"baseline", 0, "NAME|FILE", "the core that they are compared with (" DEFAULT_CORE ")", OPTION_STRING,
	 AT(const char *, baseline)},
	{"from", 0, "EPOCHS", "compute everything from this epoch table, without streams", OPTION_STRING,
	 AT(const char *, from)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{MEASURE_CLOCK_OPTION(measures_clock)},
	{"traces", 0, "SUITE",
	 "take the states of epochs from the traces of their programs, as sahm run does, not from the baseline's "
	 "counters: a suite such as open, or a folder",
	 OPTION_STRING, AT(const char *, traces)},
	{"cuts", 0, "SET", "the thresholds that are shown in full: p25, p50 or intuitive (the default); files have all",
	 OPTION_CHOICE, AT(unsigned, options.set), .what = "--cuts", .words = cut_set_names},
	{"time", 0, "HOW",
	 "assumed (each epoch lasts as long on the baseline, the default) or measured (as many cycles as it took)",
	 OPTION_CHOICE, AT(unsigned, time), .what = "--time", .words = time_words},
	{"min-epochs", 0, "N", "a state with fewer epochs is scarce (20)", OPTION_WHOLE,
	 AT(uint32_t, options.min_epochs), .least = 1, .most = 1000000, .preset = SPECIALIZE_MIN_EPOCHS},
	{"min-programs", 0, "N", "a state in fewer programs is scarce (3)", OPTION_WHOLE,
	 AT(uint32_t, options.min_programs), .least = 1, .most = 1000000, .preset = SPECIALIZE_MIN_PROGRAMS},
	{"resamples", 0, "N", "draw the programs N times for each interval (2000)", OPTION_WHOLE,
	 AT(uint32_t, options.nr_resamples), .least = 100, .most = MAX_RESAMPLES, .preset = SPECIALIZE_RESAMPLES},
	{"seed", 0, "N", "the seed of that (1)", OPTION_WHOLE, AT(uint64_t, options.seed), .most = UINT64_MAX,
	 .preset = 1},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per thresholds, core and state")},
	{"plot", 0, NULL, "also draw figures in DIR: data, script, and .svg and .png drawn by gnuplot", OPTION_FLAG,
	 AT(bool, plot)},
	{"jobs", 'j', "N", "streams that are measured at once (as many as there are processors)", OPTION_WHOLE,
	 AT(uint32_t, jobs), .least = 1, .most = MAX_CORE_JOBS},
	{LANES_OPTION(lanes)},
	{"force", 0, NULL, "replace files that exist already, also an epoch table that was measured in another way",
	 OPTION_FORCE, AT(bool, force)},
	{OPERANDS(operands.streams, NULL)},
};

/* ---- The request ---- */

/* "A,B" of --cores, or the usual ones. */
static enum sahm_status split_cores(struct request *r, struct sahm_err *err)
{
	enum sahm_status status = r->from ? SAHM_OK : option_list_add(&r->cores, r->baseline, err);
	for (size_t i = 0; i < r->lists.nr && status == SAHM_OK; i++) {
		char *rest = arena_strdup(&r->arena, r->lists.items[i]);
		if (!rest)
			return sahm_fail_nomem(err);
		for (char *word; status == SAHM_OK && (word = strsep(&rest, ","));)
			status =
				*word ? option_list_add(&r->cores, word, err)
				      : sahm_fail(err, SAHM_USAGE, "--cores '%s' has an empty name", r->lists.items[i]);
	}
	for (size_t i = 0; r->lists.nr == 0 && !r->from && i < ARRAY_SIZE(usual_cores) && status == SAHM_OK; i++)
		status = option_list_add(&r->cores, usual_cores[i], err);
	if (status == SAHM_OK && r->cores.nr > MAX_TABLE_CORES)
		status = sahm_fail(err, SAHM_USAGE, "%zu cores are too many: at most %u beside the baseline",
				   r->cores.nr - 1, MAX_TABLE_CORES - 1);
	return status;
}

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	bool has_streams = r->operands.suite || r->operands.streams.nr > 0;
	if (strcmp(r->folder, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "--output is '%s', must be a folder", r->folder);
	if (r->from &&
	    (has_streams || r->baseline || r->measures_clock || r->sampling.every > 0 || r->sampling.skip > 0))
		return sahm_fail(
			err, SAHM_USAGE,
			"--from reads what was measured: it excludes streams, their sampling, --measure-clock and "
			"--baseline");
	if (!r->from && !has_streams)
		return sahm_fail(err, SAHM_USAGE,
				 "a stream is missing: sahm core specialize STREAM... -o DIR, --suite open, or --from "
				 "EPOCHS");
	r->baseline = r->baseline ? r->baseline : DEFAULT_CORE;
	r->options.time = (enum specialize_time)r->time;
	enum sahm_status status = core_operands_resolve(&r->operands, err);
	if (status == SAHM_OK)
		status = core_jobs_check_form((enum lane_form)r->lanes, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r->sampling, r->of_warm, err);
	if (status == SAHM_OK)
		status = split_cores(r, err);
	int len = snprintf(r->epochs_path, sizeof(r->epochs_path), "%s/" EPOCHS_FILE, r->folder);
	if (status == SAHM_OK && (len < 0 || (size_t)len >= sizeof(r->epochs_path)))
		status = sahm_fail(err, SAHM_USAGE, "the name of the folder is too long");
	return status;
}

/* The files that follow from the table. */
static enum sahm_status file_in(const struct request *r, const char *name, char path[4096], struct sahm_err *err)
{
	int len = snprintf(path, 4096, "%s/%s", r->folder, name);
	return len > 0 && len < 4096 ? SAHM_OK : sahm_fail(err, SAHM_USAGE, "the name of the folder is too long");
}

/* The file `name` replaces no input, and without `replaces` no file. */
static enum sahm_status check_output(const struct request *r, const char *name, bool replaces, struct sahm_err *err)
{
	static const struct option_list none;
	char path[4096];
	const char *const outputs[] = {path};
	enum sahm_status status = file_in(r, name, path, err);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(&r->operands, r->from ? &none : &r->cores, outputs, 1, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(path, r->from, err);
	return status == SAHM_OK && !replaces ? file_refuse_existing(path, err) : status;
}

static enum sahm_status check_outputs(const struct request *r, bool replaces, struct sahm_err *err)
{
	enum sahm_status status = try_folder(r->folder, err);
	if (status == SAHM_OK && !r->from)
		status = check_output(r, EPOCHS_FILE, true, err);
	for (const struct special_file *f = special_files; f->name && status == SAHM_OK; f++)
		status = check_output(r, f->name, replaces, err);
	for (const char *const *f = special_figures; *f && r->plot && !replaces && status == SAHM_OK; f++)
		status = plot_refuse_existing(r->folder, *f, err);
	return status;
}

/* ---- Measuring ---- */

static enum sahm_status name_core(const struct request *r, size_t i, struct epoch_table *t, struct sahm_err *err)
{
	struct table_core *c = &t->cores[i];
	const struct core_model *m = &r->models[i];
	epoch_table_name(r->cores.items[i], ".cfg", c->name);
	for (size_t k = 0; k < i; k++)
		if (strcmp(t->cores[k].name, c->name) == 0)
			return sahm_fail(err, SAHM_USAGE, "two cores are called '%s': rename a file", c->name);
	c->storage_bytes = core_storage(&m->geometry).core_bytes;
	c->components = specialize_components(&r->models[0], m);
	t->nr_cores++;
	return core_model_hash(m, c->hash, err);
}

static enum sahm_status read_cores(struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	static const struct option_list none;
	enum sahm_status status = SAHM_OK;
	r->models = calloc(r->cores.nr, sizeof(*r->models));
	if (!r->models)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < r->cores.nr && status == SAHM_OK; i++) {
		status = core_request_model(r->cores.items[i], &none, &r->models[i], err);
		if (status == SAHM_OK)
			status = name_core(r, i, t, err);
	}
	return status;
}

static enum sahm_status check_clock(const struct request *r, struct sahm_err *err)
{
	bool any = false;
	for (size_t i = 0; i < r->cores.nr; i++)
		any |= core_geometry_needs_clock(&r->models[i].geometry);
	return any || !r->measures_clock ? SAHM_OK : sahm_fail(err, SAHM_USAGE, NO_CLOCK);
}

static enum sahm_status read_streams(const struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	uint64_t *nr_sampled = calloc(streams->nr, sizeof(*nr_sampled)), total = 0;
	enum sahm_status status = nr_sampled ? core_operands_look(&r->operands, &r->sampling, nr_sampled, &total, err)
					     : sahm_fail_nomem(err);
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++) {
		struct table_program p = {.nr_sampled = nr_sampled[i]};
		epoch_table_name(streams->items[i], ".stream", p.name);
		for (size_t k = 0; k < i && status == SAHM_OK; k++)
			if (strcmp(t->programs[k].name, p.name) == 0)
				status = sahm_fail(err, SAHM_USAGE, "'%s' and '%s' are both called '%s': rename a file",
						   streams->items[k], streams->items[i], p.name);
		if (status == SAHM_OK)
			status = file_hash_hex(streams->items[i], p.digest, err);
		if (status == SAHM_OK)
			status = epoch_table_add_program(t, &p, err);
	}
	free(nr_sampled);
	return status;
}

/* What a user types to get the same table: without folders, which differ, and without what changes nothing. */
static enum sahm_status write_command(const struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	struct textbuf command;
	textbuf_init(&command);
	textbuf_printf(&command, "sahm core specialize --baseline %s --cores ", t->cores[0].name);
	for (unsigned k = 1; k < t->nr_cores; k++)
		textbuf_printf(&command, "%s%s", k > 1 ? "," : "", t->cores[k].name);
	if (r->operands.suite)
		textbuf_printf(&command, " --suite %s", base_name(r->operands.suite));
	for (size_t i = 0; !r->operands.suite && i < t->nr_programs; i++)
		textbuf_printf(&command, " %s.stream", t->programs[i].name);
	if (r->sampling.skip > 0)
		textbuf_printf(&command, " --skip %llu", (unsigned long long)r->sampling.skip);
	if (r->sampling.every > 0)
		textbuf_printf(&command, " --every %llu --take %llu --warm %llu", (unsigned long long)r->sampling.every,
			       (unsigned long long)r->sampling.take, (unsigned long long)r->sampling.warm);
	if (r->measures_clock)
		textbuf_puts(&command, " --measure-clock");
	t->sampling = r->sampling;
	t->has_measured_clock = r->measures_clock;
	t->made_by = model_version();
	t->command = textbuf_keep(&command, &t->arena);
	return t->command ? SAHM_OK : sahm_fail_nomem(err);
}

struct progress {
	bool shows;
	uint64_t began_ns;
};

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct progress *p = ctx;
	uint64_t elapsed = clock_ns(CLOCK_MONOTONIC) - p->began_ns;
	double rate = (double)done / (double)(elapsed > 0 ? elapsed : 1);
	if (p->shows)
		print_progress("%.0f of %.0f million instructions, %.1f million a second, %.0f s left",
			       (double)done * 1e-6, (double)total * 1e-6, rate * 1e3,
			       (double)(total - done) / rate / 1e9);
}

static void describe(const struct request *r, struct specialize_request *s)
{
	*s = (struct specialize_request){.streams = r->operands.streams.items,
					 .form = (enum lane_form)r->lanes,
					 .nr_workers = r->jobs ? r->jobs : pool_nr_processors(),
					 .path = r->epochs_path,
					 .force = r->force};
}

static enum sahm_status read_traces(const struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	return r->traces ? specialize_read_traces(t, r->traces, data_folder(), err) : SAHM_OK;
}

/* The table without what must be measured. */
static enum sahm_status prepare(struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	struct specialize_request s;
	size_t nr_taken;
	enum sahm_status status = read_cores(r, t, err);
	if (status == SAHM_OK)
		status = check_clock(r, err);
	if (status == SAHM_OK)
		status = read_streams(r, t, err);
	if (status == SAHM_OK)
		status = write_command(r, t, err);
	describe(r, &s);
	if (status == SAHM_OK)
		status = specialize_resume(&s, t, &nr_taken, err);
	/* Files beside a table that is continued were made from it, or would be made again. */
	if (status == SAHM_OK)
		status = check_outputs(r, r->force || nr_taken > 0, err);
	/* Missing traces should not become known at the end only. */
	if (status == SAHM_OK)
		status = read_traces(r, t, err);
	if (status == SAHM_OK && nr_taken > 0)
		print_remark("taken from '%s': %zu of %zu streams", r->epochs_path, nr_taken, t->nr_programs);
	return status;
}

static enum sahm_status measure(struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	const struct core_model *models[MAX_TABLE_CORES];
	struct progress p = {.shows = isatty(STDERR_FILENO), .began_ns = clock_ns(CLOCK_MONOTONIC)};
	struct specialize_request s;
	describe(r, &s);
	s.models = models;
	s.progress = show_progress;
	s.ctx = &p;
	for (unsigned k = 0; k < t->nr_cores; k++)
		models[k] = &r->models[k];
	enum sahm_status status = specialize_measure(&s, t, err);
	if (p.shows)
		end_progress();
	return status;
}

static enum sahm_status read_table(struct request *r, struct epoch_table *t, struct sahm_err *err)
{
	enum sahm_status status = epoch_table_open(r->from, t, err);
	size_t nr_unfinished = status == SAHM_OK ? epoch_table_nr_unfinished(t) : 0;
	if (nr_unfinished > 0)
		return sahm_fail(err, SAHM_FORMAT,
				 "%s: %zu of %zu streams have no epochs yet: the command in it finishes them", r->from,
				 nr_unfinished, t->nr_programs);
	if (status == SAHM_OK && r->cores.nr > 0)
		status = epoch_table_choose(t, r->cores.items, r->cores.nr, err);
	if (status == SAHM_OK)
		status = check_outputs(r, r->force, err);
	return status == SAHM_OK ? read_traces(r, t, err) : status;
}

/* ---- Output ---- */

static enum sahm_status write_files(const struct request *r, const struct specialization *s, struct sahm_err *err)
{
	char path[4096];
	enum sahm_status status = SAHM_OK;
	for (const struct special_file *f = special_files; f->name && status == SAHM_OK; f++) {
		struct textbuf text;
		textbuf_init(&text);
		f->write(s, f->set, &text);
		status = textbuf_failed(&text) ? sahm_fail_nomem(err) : file_in(r, f->name, path, err);
		if (status == SAHM_OK)
			status = file_write(path, text.text, text.len, err);
		textbuf_release(&text);
	}
	return status;
}

static enum sahm_status print(const struct request *r, const struct specialization *s, struct sahm_err *err)
{
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		specialization_json(s, 0, &out);
	else if (r->form == OUTPUT_CSV)
		specialization_csv_states(s, 0, &out);
	else
		ok = specialization_text(s, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = specialization_plot_write(s, r->folder, err);
	for (const char *const *f = special_figures; *f && !r->plot && r->force && status == SAHM_OK; f++)
		status = plot_remove(r->folder, *f, err);
	if (status == SAHM_OK && r->plot)
		status = specialization_plot_draw(r->folder, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.options.set = NR_CUT_SETS - 1};
	struct epoch_table table = {0};
	struct specialization s = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = r.from ? read_table(&r, &table, err) : prepare(&r, &table, err);
	if (status == SAHM_OK)
		status = file_make_folder(r.folder, err);
	if (status == SAHM_OK && !r.from)
		status = measure(&r, &table, err);
	if (status == SAHM_OK && !r.from)
		status = read_traces(&r, &table, err);
	if (status == SAHM_OK)
		status = specialization_make(&table, &r.options, &s, err);
	if (status == SAHM_OK)
		status = write_files(&r, &s, err);
	if (status == SAHM_OK)
		status = print(&r, &s, err);
	specialization_release(&s);
	epoch_table_release(&table);
	core_operands_release(&r.operands);
	arena_release(&r.arena);
	free(r.models);
	free(r.cores.items);
	free(r.lists.items);
	return status;
}

extern const struct command command_core_specialize;
const struct command command_core_specialize = {
	.name = "core specialize",
	.operands = "STREAM... | --suite NAME | --from EPOCHS",
	.summary = "measure what specialised cores gain, by behavioural state",
	.details =
		"Each stream is read once, on the baseline and all cores. DIR/" EPOCHS_FILE
		" gets the baseline's counters and the cycles of each core, epoch by epoch, a stream at a time: a run that "
		"was interrupted takes the streams that are there and measures the rest.\n"
		"The baseline's counters, or with --traces those of traces, give the state of each epoch, by three sets of "
		"thresholds. Printed and written "
		"into DIR are the speedups by state with 95 % intervals over programs, by program and by component, their "
		"storage, and core types for sahm run (cores-SET.cfg, components-SET.cfg). A state with few epochs or "
		"programs is scarce and marked; its speedup in core types comes from other states.\n"
		"--plot needs gnuplot. Without gnuplot, data and scripts are still written.",
	.options = options,
	.run = run,
};
