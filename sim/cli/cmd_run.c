/* sahm run */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/run_facts.h"
#include "results/report/run_report.h"
#include "results/timeline/timeline.h"
#include "sched/host/host.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"
#include "sim/sweep/operands.h"
#include "sim/sweep/optimize.h"

struct request {
	struct option_list operands;
	const char *chip, *output;
	struct settings settings;
	enum output_form form;
	bool print_config, details, force;
	uint32_t stall_timeout_s;
	enum sim_engine engine;
	enum hart_engine ipu_engine;
	const char *given_ipu_engine;	      /* NULL: nobody has chosen it */
	const char *timeline, *timeline_form; /* NULL: none; as its file's name says */
	enum timeline_form form_of_timeline;
	bool traces_policy;
};

static const char *const sim_engine_words[] = {[SIM_EVENT] = "event", [SIM_PLAIN] = "plain", NULL};

static enum sahm_status take_engine(void *engine, struct option_walk *w, struct sahm_err *err)
{
	for (unsigned e = 0; e < NR_HART_ENGINES; e++)
		if (strcmp(w->value, hart_engine_name((enum hart_engine)e)) == 0)
			return sahm_fail(err, SAHM_USAGE,
					 "--engine is event or plain, which simulate; --ipu-engine=%s executes the "
					 "programs of IPUs",
					 w->value);
	return read_choice("engine", w->value, sim_engine_words, engine, err);
}

static const struct option_row options[] = {
	{SET_OPTION("change the configuration; can be repeated (chip.cores[1].count=4)")},
	{POLICY_OPTION},
	{SCX_SET_OPTION},
	{"chip", 0, "LIST",
	 "the chip, instead of the configuration's: core types, with numbers of cores and speedups in "
	 "%: 2*baseline,l2:30,branch+l1i:30/20",
	 OPTION_STRING, AT(const char *, chip), .what = "chip"},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV: a row per thread, then mean and system")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{"details", 0, NULL, "also print one row per core and per state, which --json always has", OPTION_FLAG,
	 AT(bool, details)},
	{"print-config", 0, NULL, "print the resolved configuration, with all defaults, and do not run it", OPTION_FLAG,
	 AT(bool, print_config)},
	{"engine", 0, "NAME",
	 "event (the default) or plain, which executes every timestep; the results are the same. Where threads sleep, cores "
	 "share or levels change, a third one runs instead",
	 OPTION_TAKE, AT(enum sim_engine, engine), .words = sim_engine_words, .take = take_engine},
	{"timeline", 0, "FILE",
	 "also write a timeline to FILE: .json for Perfetto, .txt, .trace or .ftrace as text like "
	 "ftrace's; with .zst added, compressed",
	 OPTION_STRING, AT(const char *, timeline), .written = true},
	{"timeline-form", 0, "NAME", "chrome or ftrace, for any name of the timeline's file", OPTION_STRING,
	 AT(const char *, timeline_form), .words = timeline_form_names},
	{"trace-policy", 0, NULL, "also print each operation of the policy, and each of its calls, to standard error",
	 OPTION_FLAG, AT(bool, traces_policy)},
	{STALL_TIMEOUT_OPTION},
	{HART_ENGINE_OPTION("ipu-engine", ipu_engine), NOTE(given_ipu_engine)},
	{OPERANDS(operands, "nothing to run: sahm run CONFIG, or sahm run TRACE...")},
};

#define TITLE_BYTES 256

static enum sahm_status refuse_operands(const char *output, const struct request *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->operands.nr && status == SAHM_OK; i++)
		status = refuse_overwriting(output, r->operands.items[i], err);
	return status;
}

/* Whether a timeline can be written as was asked, and in which form. */
static enum sahm_status choose_timeline(struct request *r, struct sahm_err *err)
{
	unsigned which = 0;
	if (!r->timeline)
		return r->timeline_form ? sahm_fail(err, SAHM_USAGE, "--timeline-form goes with --timeline FILE")
					: SAHM_OK;
	if (r->print_config)
		return sahm_fail(err, SAHM_USAGE, "--print-config runs nothing: there is no timeline");
	if (strcmp(r->timeline, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "a timeline needs a file; standard output is the result's");
	if (refuse_operands(r->timeline, r, err) != SAHM_OK)
		return err->status;
	if (r->output && is_same_file(r->timeline, r->output))
		return sahm_fail(err, SAHM_USAGE, "the timeline '%s' would overwrite the result", r->timeline);
	if (r->timeline_form &&
	    read_choice("form of timelines", r->timeline_form, timeline_form_names, &which, err) != SAHM_OK)
		return SAHM_USAGE;
	r->form_of_timeline = (enum timeline_form)which;
	if (!r->timeline_form && !timeline_form_of(r->timeline, &r->form_of_timeline))
		return sahm_fail(err, SAHM_USAGE,
				 "the form of the timeline '%s' does not show in its name: end it in .json, .txt, "
				 ".trace or .ftrace, or say --timeline-form",
				 r->timeline);
	return SAHM_OK;
}

/* What several options say together. */
static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	if (r->print_config && r->traces_policy)
		return sahm_fail(err, SAHM_USAGE, "--print-config runs nothing: there is no policy to trace");
	if (r->print_config && r->form != OUTPUT_TEXT)
		return sahm_fail(err, SAHM_USAGE, "--print-config has but one form");
	enum sahm_status status = refuse_operands(r->output, r, err);
	return status == SAHM_OK ? choose_timeline(r, err) : status;
}

static void warn_of_faults(const struct run_config *config, const struct run_result *result)
{
	struct textbuf faults, ignored, waiting;
	textbuf_init(&faults);
	textbuf_init(&ignored);
	textbuf_init(&waiting);
	if (run_facts_faults(result, &faults))
		print_warning("%s", faults.text);
	if (run_facts_ignored(config, result, &ignored))
		print_warning("%s", ignored.text);
	if (run_facts_waiting(config, result, &waiting))
		print_warning("%s", waiting.text);
	textbuf_release(&faults);
	textbuf_release(&ignored);
	textbuf_release(&waiting);
}

/* A line of --trace-policy: operations with their time, calls below them. */
static void print_trace(struct host_listener *listener, u64 now_ns, unsigned depth, const char *text)
{
	(void)listener;
	if (depth == 0)
		print_remark("%6llu.%06llu ms  %s", (unsigned long long)(now_ns / NS_PER_MS),
			     (unsigned long long)(now_ns % NS_PER_MS), text);
	else
		print_remark("%*s%s", (int)(18 + 2 * depth), "", text);
}

/* Carries the configuration out, with its timeline if one was asked for. */
static enum sahm_status simulate(const struct request *r, const struct run_config *config, const char *title,
				 struct run_result *result, struct sahm_err *err)
{
	struct timeline_file *file = NULL;
	struct host_listener tracing = {print_trace}, *listener = r->traces_policy ? &tracing : NULL;
	enum sahm_status status = SAHM_OK;
	if (!r->timeline)
		return run_execute_with_listeners(config, r->engine, NULL, listener, result, err);
	status = timeline_file_open(&file, r->timeline, r->force, r->form_of_timeline, config, title, err);
	if (status != SAHM_OK)
		return status;
	enum sahm_status run_status =
		run_execute_with_listeners(config, r->engine, timeline_file_listener(file), listener, result, err);
	status = timeline_file_close(file, run_status, err);
	if (run_status == SAHM_OK && status != SAHM_OK)
		run_result_release(result);
	return status;
}

static enum sahm_status execute(const struct request *r, const struct run_config *config, const char *name,
				struct textbuf *out, struct sahm_err *err)
{
	struct run_result result;
	char title[TITLE_BYTES]; /* fit for one line */
	snprintf(title, sizeof(title), "%s", name);
	clean_text(title);
	policy_guard_begin();
	enum sahm_status status = simulate(r, config, title, &result, err);
	policy_guard_end();
	if (status != SAHM_OK)
		return status;
	const struct run_report_look look = {title, bold_output(r->output), r->details};
	bool ok = false;
	struct textbuf given_up;
	textbuf_init(&given_up);
	if (run_facts_given_up(config, &result, &given_up))
		print_warning("given up %s", given_up.text);
	textbuf_release(&given_up);
	warn_of_faults(config, &result);
	switch (r->form) {
	case OUTPUT_JSON:
		ok = run_report_json(config, &result, out);
		break;
	case OUTPUT_CSV:
		ok = run_report_csv(config, &result, r->details, out);
		break;
	case OUTPUT_TEXT:
		ok = run_report_text(config, &result, &look, out);
		break;
	}
	run_result_release(&result);
	return ok ? SAHM_OK : sahm_fail_nomem(err);
}

/* Nothing that the run reads is written over. */
static enum sahm_status check_outputs(const struct request *r, const struct run_config *config, struct sahm_err *err)
{
	enum sahm_status status = refuse_overwriting_inputs(r->output, config, err);
	return status == SAHM_OK ? refuse_overwriting_inputs(r->timeline, config, err) : status;
}

/* The configuration that the operands stand for, on the chip that was asked for; its tree lives in `a`. */
static enum sahm_status load(struct request *r, struct arena *a, struct run_config *config, const char **title,
			     struct sahm_err *err)
{
	struct operand_system system;
	const char *chip;
	*title = NULL;
	enum sahm_status status = operands_read_config(a, &r->operands, data_folder(), &system, err);
	/* A file that was read as a configuration and is none. Later errors are not about what the file is. */
	if (status != SAHM_OK && r->operands.nr == 1 && !trace_is_one(r->operands.items[0]))
		return explain_config(r->operands.items[0], status, err);
	if (status == SAHM_OK && r->chip)
		status = optimize_chip_read(a, r->chip, &chip, err);
	if (status == SAHM_OK && r->chip)
		status = cfg_set(a, system.root, config_keys, NR_CONFIG_KEYS, chip, err);
	if (status == SAHM_OK)
		status = run_config_make(config, system.root, r->settings.list.items, r->settings.list.nr,
					 data_folder(), NULL, err);
	if (status == SAHM_OK)
		*title = system.title;
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct run_config config;
	struct textbuf out;
	struct arena a;
	const char *title;
	arena_init(&a);
	textbuf_init(&out);
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = load(&r, &a, &config, &title, err);
	if (status == SAHM_OK) {
		print_notes(&config.notes);
		if (r.engine == SIM_PLAIN && (config.nr_shared > 0 || config.has_levels))
			print_remark(
				"cores that share or have levels run on the engine in continuous time, not on 'plain'");
		if (config.introspection && r.ipu_engine == HART_INTERP)
			ipu_program_interpret(config.introspection->program);
		status = check_outputs(&r, &config, err);
		if (status == SAHM_OK && r.given_ipu_engine && !config.introspection)
			status = sahm_fail(err, SAHM_USAGE,
					   "--ipu-engine goes with IPUs: %s has none (introspection.image)",
					   r.operands.items[0]);
		else if (status == SAHM_OK && r.print_config)
			run_config_write(&config, &out);
		else if (status == SAHM_OK)
			status = execute(&r, &config, title, &out, err);
		run_config_release(&config);
	}
	if (status == SAHM_OK && textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r.output, r.force, r.form, &out, err);
	arena_release(&a);
	textbuf_release(&out);
	free(r.operands.items);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_run;
const struct command command_run = {
	.name = "run",
	.operands = "CONFIG | TRACE...",
	.summary = "simulate traces or a configuration on a chip",
	.details = "Reads the configuration CONFIG (-: standard input; or the name of a shipped one, such as "
		   "open-39), replays its traces on its chip under its scheduling policy, and prints speedups, "
		   "shares and migrations. `sahm help config` lists the keys of a configuration.\n"
		   "Traces run without a configuration: all at the same time, on the chip and under the "
		   "scheduler of the shipped canonical.cfg unless options say otherwise. A TRACE is a file, a "
		   "folder, or the name of a suite (open, small) or of a shipped trace (gzip, or open/xz, "
		   "since small has an xz, too). Folders and "
		   "suites stand for all their traces. `sahm trace list` shows the shipped ones. --print-config "
		   "prints the resulting configuration.",
	.options = options,
	.run = run,
};
