/* sahm compare: policies on systems, or a study. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/studies/compare.h"
#include "sched/policies/policies.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"
#include "sim/sweep/operands.h"
#include "sim/sweep/optimize.h"
#include "sim/sweep/pool.h"
#include "sim/sweep/versus.h"

/* The study that is taken when none is named, in the data folder. */
#define DEFAULT_STUDY "configs/studies/policies.cfg"
#define TITLE_BYTES 256

struct request {
	struct option_list operands;
	const char *study, *output; /* NULL: systems are compared, or the shipped study is run */
	struct option_list policies;
	const char *chip, *given_metric, *given_jobs, *given_samples;
	struct option_list settings;
	enum run_metric metric;
	int direction; /* 1: --maximize, -1: --minimize, 0: by the metric */
	uint32_t nr_samples, nr_workers, stall_timeout_s;
	enum output_form form;
	bool dry_run, quiet, force, claims;
};

static const char *const metric_words[] = {
#define RUN_METRIC(member, form, words) #member,
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	NULL};

static const struct option_row options[] = {
	{"policy", 'p', "LIST",
	 "the policies, separated by commas: built-in ones (sahm policy list), files of plug-ins; can be repeated",
	 OPTION_LIST, AT(struct option_list, policies)},
	{"chip", 0, "LIST", "the chip, as for `sahm run`: 2*baseline,l2:30", OPTION_STRING, AT(const char *, chip),
	 .what = "chip"},
	{"set", 's', "KEY.PATH=VALUE", "change all configurations; can be repeated", OPTION_LIST,
	 AT(struct option_list, settings)},
	{"metric", 'm', "NAME", "compare this metric of a whole run (speedup_system)", OPTION_CHOICE,
	 AT(enum run_metric, metric), .what = "metric", .words = metric_words, NOTE(given_metric)},
	{"maximize", 0, NULL, "higher values are better", OPTION_ONE_OF, AT(int, direction), .value_is = 1},
	{"minimize", 0, NULL, "lower values are better; by default, whatever is usual for the metric", OPTION_ONE_OF,
	 AT(int, direction), .value_is = -1},
	{"samples", 0, "N", "samples of systems that do not set their own number (20)", OPTION_COUNT,
	 AT(uint32_t, nr_samples), .least = 1, .most = MAX_SAMPLES, .preset = 20, NOTE(given_samples)},
	{"jobs", 'j', "N", "number of processes (one per processor); a COMPARISON runs in one, and does not take this",
	 OPTION_COUNT, AT(uint32_t, nr_workers), .least = 1, .most = MAX_POOL_WORKERS, NOTE(given_jobs)},
	{"claims", 0, NULL, "of a COMPARISON: fail if a required claim does not hold", OPTION_FLAG, AT(bool, claims)},
	{STALL_TIMEOUT_OPTION},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION(
		"print CSV: a row per policy and system; of a COMPARISON per run, per policy and suite, and per claim")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{QUIET_OPTION("no progress")},
	{"dry-run", 'n', NULL, "of a COMPARISON: read all inputs and list the runs, but do not run them", OPTION_FLAG,
	 AT(bool, dry_run)},
	{OPERANDS(operands, NULL)},
};

/* Decides between a comparison, the shipped one without operands, and systems. An input that can be read only once
 * is a comparison, as in earlier versions. */
static enum sahm_status choose(struct request *r, const char *shipped, struct sahm_err *err)
{
	bool for_systems = r->policies.nr || r->chip || r->settings.nr || r->given_metric || r->direction ||
			   r->given_jobs || r->given_samples;
	if (r->operands.nr == 0) {
		r->study = shipped;
		return for_systems
			       ? sahm_fail(
					 err, SAHM_USAGE,
					 "name what to compare, as in `sahm compare -p sahm,fair open-39`; without a CONFIG, "
					 "TRACE or COMPARISON, the shipped comparison runs, which takes only "
					 "--claims, --dry-run, --stall-timeout and options of output")
			       : SAHM_OK;
	}
	const char *only = r->operands.nr == 1 ? r->operands.items[0] : NULL;
	struct stat st;
	bool is_study = only && (strcmp(only, "-") == 0 ||
				 (stat(only, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)));
	enum sahm_status status = SAHM_OK;
	if (only && !is_study && !trace_is_one(only))
		status = study_find_out(only, &is_study, err);
	for (size_t i = 0; i < r->operands.nr && !only && status == SAHM_OK; i++) {
		bool is_among = false;
		if (!trace_is_one(r->operands.items[i]))
			status = study_find_out(r->operands.items[i], &is_among, err);
		if (status == SAHM_OK && is_among)
			return sahm_fail(err, SAHM_USAGE, "'%s' is a comparison, which runs without other operands",
					 r->operands.items[i]);
	}
	if (status == SAHM_OK && is_study && for_systems)
		return sahm_fail(
			err, SAHM_USAGE,
			"'%s' is a comparison, which lists its policies and systems: of the options, it takes --claims, "
			"--dry-run, --stall-timeout and those of output",
			only);
	r->study = is_study ? only : NULL;
	return status;
}

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (r->dry_run && r->form != OUTPUT_TEXT)
		return sahm_fail(err, SAHM_USAGE, "--dry-run has but one form");
	for (size_t i = 0; i < r->operands.nr && r->policies.nr; i++)
		if (sched_policy_find(r->operands.items[i]) && access(r->operands.items[i], F_OK) != 0)
			return sahm_fail(err, SAHM_USAGE, "'%s' is a policy: list all of them in one option, -p %s,%s",
					 r->operands.items[i], r->policies.items[0], r->operands.items[i]);
	for (size_t i = 0; i < r->operands.nr && status == SAHM_OK; i++)
		status = refuse_overwriting(r->output, r->operands.items[i], err);
	return status;
}

/* The comparison itself reports errors in the configuration of a suite. */
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

static enum sahm_status run_study(const struct request *r, const char *data, struct textbuf *out, struct sahm_err *err)
{
	struct study study;
	struct comparison c = {0};
	enum sahm_status status = study_read(&study, r->study, data, err);
	if (status != SAHM_OK)
		return status;
	status = keep_inputs(r->output, &study, data, err);
	if (status == SAHM_OK && r->dry_run)
		status = compare_check(&study, data, err);
	else if (status == SAHM_OK)
		status = compare(r, &study, data, out, &c, err);
	if (status == SAHM_OK && r->dry_run)
		compare_list(&study, out);
	if (status == SAHM_OK && textbuf_failed(out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r->output, r->force, r->form, out, err);
	uint32_t nr_broken = status == SAHM_OK && r->claims ? compare_nr_broken(&c) : 0;
	if (nr_broken > 0)
		status = sahm_fail(err, SAHM_RANGE, "%u required claim%s not hold", nr_broken,
				   nr_broken == 1 ? " does" : "s do");
	if (c.study)
		compare_release(&c);
	study_release(&study);
	return status;
}

/* "sahm, fair": the names of a list. */
static enum sahm_status add_policies(const char *list, struct arena *a, struct option_list *policies,
				     struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (const char *at = list; at && status == SAHM_OK;) {
		at += strspn(at, " ");
		size_t len = strcspn(at, ","), end = len;
		while (end > 0 && at[end - 1] == ' ')
			end--;
		const char *name = arena_strndup(a, at, end);
		if (!name)
			return sahm_fail_nomem(err);
		if (end == 0)
			return sahm_fail(err, SAHM_USAGE, "an empty name in --policy '%.60s'", list);
		for (size_t i = 0; i < policies->nr; i++)
			if (strcmp(policies->items[i], name) == 0)
				return sahm_fail(err, SAHM_USAGE, "--policy names '%.60s' twice", name);
		status = option_list_add(policies, name, err);
		at = at[len] ? at + len + 1 : NULL;
	}
	return status;
}

/* The policies: those that were named, or all that are built in. */
static enum sahm_status read_policies(const struct request *r, struct arena *a, struct option_list *policies,
				      struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (const struct sched_ext_ops *const *p = sched_policies; *p && !r->policies.nr && status == SAHM_OK; p++)
		status = option_list_add(policies, (*p)->name, err);
	for (size_t i = 0; i < r->policies.nr && status == SAHM_OK; i++)
		status = add_policies(r->policies.items[i], a, policies, err);
	return status;
}

static enum sahm_status read_systems(const struct request *r, struct arena *a, struct versus_request *q,
				     struct sahm_err *err)
{
	struct operand_system *systems;
	const char *chip = NULL;
	enum sahm_status status = operands_read_systems(a, &r->operands, q->data_folder, &systems, &q->nr_systems, err);
	if (status == SAHM_OK && r->chip)
		status = optimize_chip_read(a, r->chip, &chip, err);
	q->systems = status == SAHM_OK ? arena_alloc(a, q->nr_systems, sizeof(*q->systems)) : NULL;
	if (status == SAHM_OK && !q->systems)
		return sahm_fail_nomem(err);
	for (size_t s = 0; s < q->nr_systems && status == SAHM_OK; s++) {
		q->systems[s] = (struct versus_system){.title = systems[s].title, .root = systems[s].root};
		cfg_take(systems[s].root, "sweep");
		if (chip)
			status = cfg_set(a, systems[s].root, config_keys, NR_CONFIG_KEYS, chip, err);
	}
	return status;
}

static enum sahm_status run_versus(const struct request *r, struct arena *a, const char *data, struct textbuf *out,
				   struct sahm_err *err)
{
	bool shown = false;
	struct option_list policies = {0};
	struct versus v;
	struct versus_request q = {.settings = r->settings.items,
				   .nr_settings = r->settings.nr,
				   .data_folder = data,
				   .metric = r->given_metric ? r->metric : RUN_METRIC_speedup_system,
				   .nr_samples = r->nr_samples,
				   .nr_workers = r->nr_workers,
				   .worker_begin = policy_guard_begin,
				   .progress = isatty(STDERR_FILENO) && !r->quiet ? show_progress : NULL,
				   .progress_ctx = &shown};
	q.direction = r->direction ? r->direction : run_metric_direction(q.metric);
	if (q.direction == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "neither more nor less of '%s' is better as such: say --maximize or --minimize",
				 run_metric_rows[q.metric].name);
	enum sahm_status status = read_policies(r, a, &policies, err);
	q.policies = policies.items;
	q.nr_policies = policies.nr;
	if (status == SAHM_OK)
		status = read_systems(r, a, &q, err);
	/* After what may be wrong with the files: one of them may be a comparison that cannot be read. */
	if (status == SAHM_OK && (r->dry_run || r->claims))
		status = sahm_fail(err, SAHM_USAGE, "--%s goes with a comparison", r->dry_run ? "dry-run" : "claims");
	if (status == SAHM_OK)
		status = try_output(r->output, r->force, err);
	if (status == SAHM_OK) {
		status = versus_run(&q, &v, err);
		policy_guard_end();
		if (shown)
			end_progress();
	}
	if (status == SAHM_OK) {
		print_notes(&v.notes);
		bool ok = r->form == OUTPUT_JSON  ? versus_json(&v, out)
			  : r->form == OUTPUT_CSV ? versus_csv(&v, out)
						  : versus_text(&v, bold_output(r->output), out);
		status = ok ? write_output(r->output, r->force, r->form, out, err) : sahm_fail_nomem(err);
		versus_release(&v);
	}
	free(policies.items);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.nr_workers = pool_nr_processors()};
	char shipped[DATA_FOLDER_BYTES + sizeof(DEFAULT_STUDY) + 1];
	struct textbuf out;
	struct arena a;
	const char *data = data_folder();
	arena_init(&a);
	textbuf_init(&out);
	snprintf(shipped, sizeof(shipped), "%s/%s", data, DEFAULT_STUDY);
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = choose(&r, shipped, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = r.study ? run_study(&r, data, &out, err) : run_versus(&r, &a, data, &out, err);
	free(r.operands.items);
	free(r.settings.items);
	free(r.policies.items);
	textbuf_release(&out);
	arena_release(&a);
	return status;
}

extern const struct command command_compare;
const struct command command_compare = {
	.name = "compare",
	.operands = "[CONFIG... | TRACE... | COMPARISON]",
	.summary = "rank scheduling policies on your own or the shipped systems",
	.details =
		"Runs each policy on each system and ranks them. The table shows by how much each policy "
		"trails the best one, with a 95 % interval of the mean difference. Differences are paired: "
		"all policies run the same samples, with the same offsets of threads.\n"
		"A system is a configuration, or all TRACEs together; TRACEs are named as for `sahm run`. "
		"Without --policy, all built-in policies are compared.\n"
		"A COMPARISON is a file that lists policies, suites and migration costs (`sahm help "
		"comparisons`). Its report has the mean speedup of each policy for each suite and cost, the "
		"loss from the lowest to the highest cost, migrations per second, each policy over all suites, "
		"and how often one policy beats the others. With --claims, the exit code says whether the file's claims hold. Without "
		"operands, the shipped comparison of all built-in policies runs.\n"
		"The report marks synthetic traces and traces with an assumed time base.",
	.options = options,
	.run = run,
};
