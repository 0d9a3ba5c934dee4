/* sahm compare */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "results/studies/compare.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"

/* The study that is taken when none is named, in the data folder. */
#define DEFAULT_STUDY "configs/studies/policies.cfg"
#define TITLE_BYTES 256

struct request {
	const char *study, *output;
	enum output_form form;
	bool dry_run, quiet, force;
};

static const struct option_row options[] = {
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV: a row per run, per policy and suite, and per claim")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{QUIET_OPTION("no progress")},
	{"dry-run", 'n', NULL, "read all that the runs need and list them, but make none", OPTION_FLAG,
	 AT(bool, dry_run)},
	{ONE_OPERAND(study, "study", NULL)},
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (r->dry_run && r->form != OUTPUT_TEXT)
		return sahm_fail(err, SAHM_USAGE, "--dry-run has but one form");
	return refuse_overwriting(r->output, r->study, err);
}

/* What is wrong with a suite's configuration is the comparison's to say. */
static enum sahm_status keep_inputs(const char *output, const struct study *study, const char *data,
				    struct sahm_err *err)
{
	for (uint32_t i = 0; i < study->nr_suites && output; i++) {
		const struct study_suite *suite = &study->suites[i];
		struct run_config config;
		enum sahm_status status = refuse_overwriting(output, suite->profile, err);
		if (status != SAHM_OK)
			return status;
		status = run_config_load(&config, suite->config, NULL, 0, data, err);
		if (status == SAHM_NOMEM)
			return status;
		if (status != SAHM_OK)
			continue;
		status = refuse_overwriting_inputs(output, &config, err);
		run_config_release(&config);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* How far it is, on a terminal. */
static void show_progress(void *ctx, uint64_t nr_done, uint64_t nr_runs)
{
	bool *shown = ctx;
	*shown = true;
	print_progress("%llu of %llu runs", (unsigned long long)nr_done, (unsigned long long)nr_runs);
}

static enum sahm_status compare(const struct request *r, const struct study *study, const char *data,
				struct textbuf *out, struct comparison *c, struct sahm_err *err)
{
	char title[TITLE_BYTES];
	bool shown = false;
	const struct compare_watch watch = {show_progress, &shown};
	const bool is_watched = isatty(STDERR_FILENO) && !r->quiet;
	policy_guard_begin();
	enum sahm_status status = compare_run(study, data, is_watched ? &watch : NULL, c, err);
	policy_guard_end();
	if (shown)
		end_progress();
	if (status != SAHM_OK)
		return status;
	print_notes(&c->notes);
	snprintf(title, sizeof(title), "%s", base_name(study->file));
	clean_text(title);
	bool ok = r->form == OUTPUT_JSON  ? compare_json(c, out)
		  : r->form == OUTPUT_CSV ? compare_csv(c, out)
					  : compare_text(c, title, bold_output(r->output), out);
	if (ok)
		return SAHM_OK;
	compare_release(c);
	return sahm_fail_nomem(err);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	char shipped[DATA_FOLDER_BYTES + sizeof(DEFAULT_STUDY) + 1];
	struct study study;
	struct comparison c = {0};
	struct textbuf out;
	const char *data = data_folder();
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK) {
		snprintf(shipped, sizeof(shipped), "%s/%s", data, DEFAULT_STUDY);
		status = study_read(&study, r.study ? r.study : shipped, data, err);
	}
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	status = keep_inputs(r.output, &study, data, err);
	if (status != SAHM_OK) {
		study_release(&study);
		return status;
	}
	if (r.dry_run)
		status = compare_check(&study, data, err);
	else
		status = compare(&r, &study, data, &out, &c, err);
	if (status == SAHM_OK && r.dry_run)
		compare_list(&study, &out);
	if (status == SAHM_OK && textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r.output, r.force, r.form, &out, err);
	uint32_t nr_broken = status == SAHM_OK && !r.dry_run ? compare_nr_broken(&c) : 0;
	if (nr_broken > 0)
		status = sahm_fail(err, SAHM_RANGE, "%u required claim%s not hold", nr_broken,
				   nr_broken == 1 ? " does" : "s do");
	if (c.study)
		compare_release(&c);
	textbuf_release(&out);
	study_release(&study);
	return status;
}

extern const struct command command_compare;
const struct command command_compare = {
	.name = "compare",
	.operands = "[STUDY]",
	.summary = "run several policies on several systems, side by side",
	.details = "Runs every policy of the file STUDY on each of its suites with each of its costs of a move, one "
		   "after the other, and prints mean speedups, what is lost from the least to the greatest cost, moves "
		   "per second, how often the study's subject was above and below each other policy, and whether the "
		   "study's claims hold. Without STUDY it takes the one that came with sahm, which compares all "
		   "built-in policies.\n"
		   "`sahm help studies` lists what a study can say. Suites that are made of synthetic traces, or of "
		   "traces of nominal time, say so. Fails when a required claim does not hold.",
	.options = options,
	.run = run,
};
