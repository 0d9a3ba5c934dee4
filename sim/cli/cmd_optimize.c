/* sahm optimize */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cores/chip/core_costs.h"
#include "results/metrics/trace_words.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/shell.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"
#include "sim/sweep/optimize.h"
#include "sim/sweep/pool.h"

/* The table that is taken when none is named, in the data folder. */
#define DEFAULT_COSTS "configs/costs/cores.cfg"
#define TITLE_BYTES 256
#define PATH_BYTES (DATA_FOLDER_BYTES + sizeof(DEFAULT_COSTS) + 1)

static const char *const metric_words[] = {
#define RUN_METRIC(member, form, words) #member,
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	NULL};

struct request {
	const char *config, *output, *types, *costs; /* NULL: none given */
	struct settings settings;
	double area_mm2, power_w;    /* INFINITY: no such budget */
	uint64_t cores, least_cores; /* cores 0: no such budget */
	enum run_metric metric;
	const char *given_metric; /* NULL: none */
	const char *bound;	  /* "METRIC=VALUE"; NULL: none */
	int direction;		  /* 1: --maximize, -1: --minimize, 0: by the metric */
	enum evaluator evaluator;
	struct optimize_options options;
	enum output_form form;
	bool quiet, force;
	uint32_t stall_timeout_s;
};

static const struct option_row options[] = {
	{"cores", 0, "N", "budget: at most N cores", OPTION_COUNT, AT(uint64_t, cores), .least = 1, .most = MAX_CORES},
	{"least-cores", 0, "N", "at least N cores (1)", OPTION_COUNT, AT(uint64_t, least_cores), .least = 1,
	 .most = MAX_CORES, .preset = 1},
	{"area", 0, "MM2", "budget: at most this area, by the table of costs", OPTION_AMOUNT, AT(double, area_mm2)},
	{"power", 0, "W", "budget: at most this power, by the table of costs", OPTION_AMOUNT, AT(double, power_w)},
	{"types", 't', "LIST",
	 "core types to choose from, with their speedups in %: "
	 "baseline,branch:30,l2+branch:30/20,berti (those of the configuration's chip)",
	 OPTION_STRING, AT(const char *, types)},
	{"costs", 0, "FILE", "the table of costs (configs/costs/cores.cfg of the data folder)", OPTION_STRING,
	 AT(const char *, costs)},
	{"metric", 'm', "NAME",
	 "optimise this metric of a whole run (speedup_mean; stp if there are more threads than "
	 "cores)",
	 OPTION_CHOICE, AT(enum run_metric, metric), .what = "metric", .words = metric_words, NOTE(given_metric)},
	{"maximize", 0, NULL, "higher values are better", OPTION_ONE_OF, AT(int, direction), .value_is = 1},
	{"minimize", 0, NULL, "lower values are better; by default, whatever is usual for the metric", OPTION_ONE_OF,
	 AT(int, direction), .value_is = -1},
	{"bound", 0, "METRIC=VALUE",
	 "leave out chips on which this metric is worse than VALUE, in the unit of JSON: power_w=1.2, antt=2",
	 OPTION_STRING, AT(const char *, bound)},
	{"evaluator", 0, "NAME", "run (the default), or limit: upper bounds from residencies, without simulation",
	 OPTION_CHOICE, AT(enum evaluator, evaluator), .what = "evaluator", .words = evaluator_names},
	{"method", 0, "NAME", "exhaustive, anneal, or auto (the default): exhaustive if feasible", OPTION_CHOICE,
	 AT(enum optimize_method, options.method), .what = "method", .words = optimize_method_names},
	{"exhaustive-limit", 0, "N", "number of chips up to which auto is exhaustive (5000)", OPTION_COUNT,
	 AT(uint64_t, options.exhaustive_limit), .most = MAX_OPTIMIZE_MIXES, .preset = 5000},
	{"jobs", 'j', "N", "number of processes of an exhaustive search (one per processor)", OPTION_COUNT,
	 AT(uint32_t, options.nr_workers), .least = 1, .most = MAX_POOL_WORKERS},
	{"seed", 0, "N", "seed of the annealing (1)", OPTION_COUNT, AT(uint64_t, options.anneal.seed),
	 .most = (uint64_t)MAX_SEED},
	{"restarts", 0, "N", "number of restarts of the annealing (4)", OPTION_COUNT,
	 AT(uint32_t, options.anneal.nr_restarts), .least = 1, .most = 1000000},
	{"steps", 0, "N", "steps at each temperature (50)", OPTION_COUNT, AT(uint32_t, options.anneal.nr_steps),
	 .least = 1, .most = 1000000},
	{"hottest", 0, "X", "first temperature, as a multiple of the metric's spread (0.5)", OPTION_AMOUNT,
	 AT(double, options.anneal.hottest)},
	{"coldest", 0, "X", "last temperature (0.005)", OPTION_AMOUNT, AT(double, options.anneal.coldest)},
	{"cooling", 0, "X", "divide the temperature by this after each step (1.15)", OPTION_AMOUNT,
	 AT(double, options.anneal.cooling)},
	{"top", 0, "N", "number of chips to show (5)", OPTION_COUNT, AT(uint32_t, options.top), .least = 1,
	 .most = MAX_OPTIMIZE_TOP, .preset = 5},
	{SET_OPTION("change the configuration; can be repeated")},
	{POLICY_OPTION},
	{SCX_SET_OPTION},
	{STALL_TIMEOUT_OPTION},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV: a row per chip")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{QUIET_OPTION("no progress")},
	{ONE_OPERAND(config, "configuration", "a configuration is missing: sahm optimize CONFIG --cores N")},
};

/* "power_w=1.2" */
static enum sahm_status read_bound(const char *text, struct optimize_workload *w, struct sahm_err *err)
{
	size_t len = strcspn(text, "=");
	int which = 0;
	char near[SUGGEST_BYTES], word[SUGGEST_BYTES];
	struct suggest s;
	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), text);
	while (metric_words[which] && strcmp(metric_words[which], word) != 0)
		which++;
	if (!metric_words[which]) {
		suggest_init(&s, word);
		for (int i = 0; metric_words[i]; i++)
			suggest_offer(&s, metric_words[i]);
		return sahm_fail(err, SAHM_USAGE, "--bound: unknown metric '%s'%s", word, suggest_text(&s, near));
	}
	if (text[len] != '=' || number_read_double(text + len + 1, &w->bound) != NUMBER_OK)
		return sahm_fail(err, SAHM_USAGE, "--bound is '%.60s', must be METRIC=VALUE with a number", text);
	w->has_bound = true;
	w->bound_metric = (enum run_metric)which;
	w->bound_direction = run_metric_direction(w->bound_metric);
	if (w->bound_direction == 0)
		return sahm_fail(err, SAHM_USAGE, "--bound: neither more nor less of '%s' is better", word);
	return SAHM_OK;
}

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	const struct optimize_anneal *a = &r->options.anneal;
	if (refuse_overwriting(r->output, r->config, err) != SAHM_OK ||
	    refuse_overwriting(r->output, r->costs, err) != SAHM_OK)
		return err->status;
	if (r->cores == 0 && isinf(r->area_mm2) && isinf(r->power_w))
		return sahm_fail(err, SAHM_USAGE, "a budget is missing: --cores N, --area MM2 or --power W");
	if (r->cores != 0 && r->least_cores > r->cores)
		return sahm_fail(err, SAHM_USAGE, "--least-cores %llu is more than --cores %llu",
				 (unsigned long long)r->least_cores, (unsigned long long)r->cores);
	if (a->coldest > a->hottest)
		return sahm_fail(err, SAHM_USAGE, "--coldest %g is above --hottest %g", a->coldest, a->hottest);
	if (a->cooling < 1.001)
		return sahm_fail(err, SAHM_USAGE, "--cooling is %g, must be at least 1.001", a->cooling);
	if (r->direction == 0)
		r->direction = run_metric_direction(r->metric);
	if (r->direction == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "neither more nor less of '%s' is better as such: say --maximize or --minimize",
				 run_metric_rows[r->metric].name);
	/* With room for the chip, which the search sets. */
	enum sahm_status status = option_list_add(&r->settings.list, NULL, err);
	if (status == SAHM_OK)
		r->settings.list.nr--;
	return status;
}

/* What a search works on. */
struct work {
	struct arena arena;
	struct optimize_workload workload;
	struct optimize_problem problem;
	bool synthetic, nominal, is_shared, has_area, has_power;
};

/* How far it is, on a terminal. */
static void show_progress(void *ctx, uint64_t evaluated, uint64_t total)
{
	uint64_t *last = ctx;
	if (evaluated < *last + 1 + *last / 50 && evaluated != total)
		return;
	*last = evaluated;
	if (total)
		print_progress("%llu of %llu chips evaluated", (unsigned long long)evaluated,
			       (unsigned long long)total);
	else
		print_progress("%llu chips evaluated", (unsigned long long)evaluated);
}

/* Whether more threads are awake on average than there are cores. Threads may come and go, so this takes a run of the
 * unchanged configuration, unless they are fewer than the cores. */
static enum sahm_status find_sharing(const struct request *r, const struct run_config *config, bool *is_shared,
				     struct sahm_err *err)
{
	uint64_t nr_cores = r->cores ? r->cores : config->chip.nr_cores;
	struct run_result result;
	struct run_metrics m;
	*is_shared = false;
	if (r->evaluator != EVALUATE_RUN || config->alone || config->nr_threads <= nr_cores)
		return SAHM_OK;
	enum sahm_status status = run_execute(config, SIM_EVENT, &result, err);
	if (status != SAHM_OK)
		return status;
	status = run_metrics_of(&result, &m, err);
	*is_shared = status == SAHM_OK && run_metrics_awake(config, &m, &result) > (double)nr_cores;
	run_result_release(&result);
	return status;
}

/* Reads the unchanged configuration once, to report its errors and to find its core types. */
static enum sahm_status read_config(struct request *r, const char *data, struct work *w, struct sahm_err *err)
{
	struct run_config config;
	struct cfg_node *root = NULL;
	enum sahm_status status = cfg_read_or_suggest(&w->arena, r->config, data, "configs/", &root, err);
	if (status != SAHM_OK)
		return status;
	cfg_take(root, "sweep");
	w->workload = (struct optimize_workload){.root = root,
						 .settings = r->settings.list.items,
						 .nr_settings = r->settings.list.nr,
						 .data_folder = data,
						 .cache = run_cache_new(),
						 .evaluator = r->evaluator,
						 .metric = r->metric};
	if (!w->workload.cache)
		return sahm_fail_nomem(err);
	status = run_config_make(&config, root, r->settings.list.items, r->settings.list.nr, data, w->workload.cache,
				 err);
	if (status != SAHM_OK)
		return status;
	w->workload.minimize = r->direction < 0;
	if (r->bound)
		status = read_bound(r->bound, &w->workload, err);
	if (status != SAHM_OK) {
		run_config_release(&config);
		return status;
	}
	run_config_remark(&config);
	print_notes(&config.notes);
	const struct trace_counts traces = trace_counts_of(&config);
	w->synthetic = traces.nr_synthetic > 0;
	w->nominal = traces.nr_nominal > 0;
	status = refuse_overwriting_inputs(r->output, &config, err);
	if (status == SAHM_OK)
		status = optimize_check(&config, err);
	if (status == SAHM_OK && r->types)
		status = optimize_types_read(&w->arena, r->types, &w->problem.space, err);
	else if (status == SAHM_OK)
		status = optimize_types_of(&w->arena, &config, &w->problem.space, err);
	if (status == SAHM_OK)
		status = find_sharing(r, &config, &w->is_shared, err);
	if (status == SAHM_OK && !r->given_metric && w->is_shared)
		r->metric = w->workload.metric = RUN_METRIC_stp;
	run_config_release(&config);
	return status;
}

/* Whether one of the first `nr` types lacks the very cell that `cause` asks for: one row of the table can be that of
 * several types, which have other speedups. */
static bool was_asked_for(const struct core_costs *costs, enum core_cost which, const struct mix_space *space,
			  uint32_t nr, const struct sahm_err *cause)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct sahm_err other;
		double price;
		if (core_costs_find(costs, space->types[i].type, space->types[i].speedups, 0, which, &price, &other) !=
			    SAHM_OK &&
		    strcmp(other.msg, cause->msg) == 0)
			return true;
	}
	return false;
}

/* One price of every type. Of those that are missing all are asked for where there is a budget for them. */
static enum sahm_status read_prices(const struct core_costs *costs, enum core_cost which, bool is_needed,
				    struct mix_space *space, bool *has, struct sahm_err *err)
{
	unsigned nr_missing = 0;
	for (uint32_t i = 0; i < space->nr_types; i++) {
		struct mix_type *t = &space->types[i];
		struct sahm_err cause;
		enum sahm_status status = core_costs_find(costs, t->type, t->speedups, 0, which,
							  which == CORE_AREA_MM2 ? &t->area_mm2 : &t->power_w, &cause);
		if (status == SAHM_OK || was_asked_for(costs, which, space, i, &cause))
			continue;
		if (is_needed)
			print_error(&cause);
		nr_missing++;
	}
	*has = nr_missing == 0;
	if (nr_missing == 0)
		return SAHM_OK;
	for (uint32_t i = 0; i < space->nr_types; i++)
		*(which == CORE_AREA_MM2 ? &space->types[i].area_mm2 : &space->types[i].power_w) = 0;
	if (!is_needed)
		return SAHM_OK;
	return sahm_fail(err, SAHM_CONFIG,
			 "a budget of %s needs that of every core type, and %u %s missing: fill the table, or a copy "
			 "of it (--costs), or leave the types out (--types)",
			 which == CORE_AREA_MM2 ? "area" : "power", nr_missing, nr_missing == 1 ? "is" : "are");
}

static enum sahm_status read_costs(const struct request *r, const char *data, struct work *w, struct sahm_err *err)
{
	char shipped[PATH_BYTES];
	struct core_costs costs;
	struct sahm_err second;
	struct mix_space *space = &w->problem.space;
	space->max_area_mm2 = r->area_mm2;
	space->max_power_w = r->power_w;
	bool needs_area = isfinite(r->area_mm2), needs_power = isfinite(r->power_w);
	if (!needs_area && !needs_power && !r->costs)
		return SAHM_OK;
	snprintf(shipped, sizeof(shipped), "%s/%s", data, DEFAULT_COSTS);
	enum sahm_status status = refuse_overwriting(r->output, shipped, err);
	if (status == SAHM_OK)
		status = core_costs_read(&costs, r->costs ? r->costs : shipped, err);
	if (status != SAHM_OK)
		return status;
	status = read_prices(&costs, CORE_AREA_MM2, needs_area, space, &w->has_area, err);
	enum sahm_status power =
		read_prices(&costs, CORE_POWER_W, needs_power, space, &w->has_power, status == SAHM_OK ? err : &second);
	if (status != SAHM_OK && power != SAHM_OK) {
		print_error(err);
		*err = second;
	}
	core_costs_release(&costs);
	return status == SAHM_OK ? power : status;
}

static void set_bounds(const struct request *r, struct mix_space *space)
{
	space->least = (uint32_t)r->least_cores;
	space->most = r->cores ? (uint32_t)r->cores : MAX_CORES;
	for (uint32_t i = 0; i < space->nr_types; i++)
		space->types[i].most = space->most;
}

static void write_command(const struct request *r, const struct mix_space *space, const struct optimize_chip *best,
			  struct textbuf *out)
{
	struct textbuf setting;
	textbuf_init(&setting);
	mix_write_setting(space, best->counts, &setting);
	textbuf_puts(out, "sahm run ");
	shell_write_word(out, r->config);
	for (size_t i = 0; i <= r->settings.list.nr; i++) {
		textbuf_puts(out, " --set ");
		shell_write_word(out, i < r->settings.list.nr ? r->settings.list.items[i] : setting.text);
	}
	textbuf_release_part(&setting, out);
}

static enum sahm_status report(const struct request *r, const struct work *w, const struct optimize_result *result,
			       struct sahm_err *err)
{
	struct textbuf out, command;
	char title[TITLE_BYTES];
	snprintf(title, sizeof(title), "%s", base_name(r->config));
	clean_text(title);
	textbuf_init(&out);
	textbuf_init(&command);
	write_command(r, &w->problem.space, &result->best[0], &command);
	const struct optimize_report report = {.problem = &w->problem,
					       .options = &r->options,
					       .result = result,
					       .title = title,
					       .command = command.text,
					       .metric = r->metric,
					       .evaluator = w->workload.evaluator,
					       .bound = r->bound,
					       .synthetic = w->synthetic,
					       .nominal = w->nominal,
					       .is_shared = w->is_shared,
					       .has_area = w->has_area,
					       .has_power = w->has_power,
					       .bold = bold_output(r->output)};
	bool ok = r->form == OUTPUT_JSON  ? optimize_report_json(&report, &out)
		  : r->form == OUTPUT_CSV ? optimize_report_csv(&report, &out)
					  : optimize_report_text(&report, &out);
	enum sahm_status status = ok && !textbuf_failed(&command)
					  ? write_output(r->output, r->force, r->form, &out, err)
					  : sahm_fail_nomem(err);
	textbuf_release(&command);
	textbuf_release(&out);
	return status;
}

static enum sahm_status search(struct request *r, struct work *w, struct sahm_err *err)
{
	struct optimize_result result;
	uint64_t last = 0;
	w->problem.minimize = r->direction < 0;
	w->problem.evaluate = optimize_workload_value;
	w->problem.ctx = &w->workload;
	r->options.worker_begin = policy_guard_begin;
	if (isatty(STDERR_FILENO) && !r->quiet) {
		r->options.progress = show_progress;
		r->options.progress_ctx = &last;
	}
	enum sahm_status status = try_output(r->output, r->force, err);
	if (status != SAHM_OK)
		return status;
	policy_guard_begin();
	status = optimize_search(&w->problem, &r->options, &result, err);
	policy_guard_end();
	if (last > 0)
		end_progress();
	if (status != SAHM_OK)
		return status;
	status = optimize_keep_bound(&w->workload, &result, err);
	if (status == SAHM_OK)
		status = report(r, w, &result, err);
	optimize_result_release(&result);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.area_mm2 = INFINITY,
			    .power_w = INFINITY,
			    .options = {.anneal = OPTIMIZE_ANNEAL_DEFAULTS, .nr_workers = pool_nr_processors()}};
	struct work w = {.synthetic = false};
	const char *data = data_folder();
	arena_init(&w.arena);
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK) {
		status = read_config(&r, data, &w, err);
		status = status == SAHM_OK ? status : explain_config(r.config, status, err);
	}
	if (status == SAHM_OK)
		status = read_costs(&r, data, &w, err);
	if (status == SAHM_OK) {
		set_bounds(&r, &w.problem.space);
		status = search(&r, &w, err);
	}
	run_cache_free(w.workload.cache);
	arena_release(&w.arena);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_optimize;
const struct command command_optimize = {
	.name = "optimize",
	.operands = "CONFIG",
	.summary = "find the best chip for a workload within a budget",
	.details = "Runs the workload of CONFIG on chips that are made of the given core types, and prints the "
		   "best ones within the budget of cores, area or power, with the command that runs the best "
		   "one. Among equal chips, the one with fewer cores is better, then the one with less area. If "
		   "there are few chips, all are evaluated. If there are many, simulated annealing evaluates "
		   "some, and the best one found may not be the optimum.\n"
		   "Area and power come from configs/costs/cores.cfg, whose cells are empty because no such "
		   "figures are published. Fill them in a copy, and name it with --costs.",
	.options = options,
	.run = run,
};
