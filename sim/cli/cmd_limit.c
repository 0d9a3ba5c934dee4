/* sahm limit */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "results/report/limit_report.h"
#include "results/studies/level_study.h"
#include "results/studies/limit_steps.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/cuts_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/sweep/operands.h"

#define TITLE_BYTES 256

/* Timesteps of simulations, in ms: those of scheduler.timestep_ms. */
#define MIN_TIMESTEP_MS 0.001
#define MAX_TIMESTEP_MS 1e6

struct request {
	struct option_list operands, traces; /* `traces`: paths of those that the operands stand for */
	struct operand_system system;	     /* or a configuration; else its root is NULL */
	struct settings settings;
	const char *output;
	enum output_form form;
	uint64_t timesteps_ns[MAX_LIMIT_TIMESTEPS];
	size_t nr_timesteps;
	bool by_config, is_sorted, force, levels;
	unsigned sort;
	double against_pct;
	struct cuts_request cuts;
	/* The given option that makes sense only with traces, or only with a configuration; NULL if there is none. */
	const char *for_traces, *for_config;
};

static enum sahm_status take_timesteps(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	char *copy = strdup(w->value);
	enum sahm_status status = copy ? SAHM_OK : sahm_fail_nomem(err);
	r->nr_timesteps = 0;
	for (char *part = copy, *comma; part && status == SAHM_OK; part = comma) {
		double ms;
		comma = strchr(part, ',');
		if (comma)
			*comma++ = '\0';
		if (number_read_double(part, &ms) != NUMBER_OK || ms < MIN_TIMESTEP_MS || ms > MAX_TIMESTEP_MS)
			status = sahm_fail(err, SAHM_USAGE, "--simulate: '%s' must be a number from %.7g to %.7g ms",
					   part, MIN_TIMESTEP_MS, MAX_TIMESTEP_MS);
		else if (r->nr_timesteps == MAX_LIMIT_TIMESTEPS)
			status = sahm_fail(err, SAHM_USAGE, "--simulate: at most %u timesteps", MAX_LIMIT_TIMESTEPS);
		else
			r->timesteps_ns[r->nr_timesteps++] = ns_of_ms(ms);
	}
	free(copy);
	return status;
}

static enum sahm_status take_sort(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	r->is_sorted = true;
	return read_choice("column", w->value, limit_sort_names, &r->sort, err);
}

static enum sahm_status take_against(void *to, struct option_walk *w, struct sahm_err *err)
{
	double pct;
	if (number_read_double(w->value, &pct) != NUMBER_OK || pct <= 0 || pct > MAX_SPEEDUP_PCT)
		return sahm_fail(err, SAHM_USAGE, "--against: '%s' must be a number above 0 and at most %g %%",
				 w->value, MAX_SPEEDUP_PCT);
	*(double *)to = pct;
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"simulate", 0, "MS[,MS...]",
	 "with a CONFIG: also simulate each thread alone, with timesteps of this many ms, under the "
	 "policy " LIMIT_STEPS_POLICY " with the oracle, without inertia, costs and warm-up",
	 OPTION_TAKE, .take = take_timesteps, NOTE(for_config)},
	{"levels", 0, NULL,
	 "with a CONFIG whose cores have frequency levels: print at which of them the work in each state takes the minimum of "
	 "energy, and of energy times time, instead",
	 OPTION_FLAG, AT(bool, levels), NOTE(for_config)},
	{SET_OPTION("with a CONFIG: change it; can be repeated (chip.cores[1].speedup_pct=20)"), NOTE(for_config)},
	{"configs", 0, NULL,
	 "with traces: one row per configuration of the space, over traces, instead of one per trace", OPTION_FLAG,
	 AT(bool, by_config), NOTE(for_traces)},
	{"sort", 0, "COLUMN",
	 "sort these rows by mean (the default), least, p25, median, p75 or most, best first, or by "
	 "index",
	 OPTION_TAKE, .words = limit_sort_names, .take = take_sort, NOTE(for_traces)},
	{"against", 0, "PCT",
	 "with traces: compare 25th percentiles with a core that is this many % better everywhere (5)", OPTION_TAKE,
	 AT(double, against_pct), .take = take_against, NOTE(for_traces)},
	{CUTS_OPTION("with traces: ", cuts), NOTE(for_traces)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV: a row per trace, thread or configuration, then means")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{OPERANDS(operands, "a configuration or a trace is missing: sahm limit CONFIG, or sahm limit TRACE...")},
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (r->is_sorted && !r->by_config)
		return sahm_fail(err, SAHM_USAGE, "--sort goes with --configs");
	if (r->levels && r->nr_timesteps > 0)
		return sahm_fail(err, SAHM_USAGE, "--levels is a closed form: there is nothing to simulate");
	for (size_t i = 0; i < r->operands.nr; i++)
		if (refuse_overwriting(r->output, r->operands.items[i], err) != SAHM_OK)
			return err->status;
	return SAHM_OK;
}

/* Finds out what the operands stand for: traces, or one configuration. */
static enum sahm_status read_operands(struct request *r, struct arena *a, struct sahm_err *err)
{
	const char *config = NULL, *trace = NULL, *excess = NULL;
	for (size_t i = 0; i < r->operands.nr; i++) {
		const char *operand = r->operands.items[i];
		struct operand_system system;
		enum sahm_status status = operand_read(a, operand, data_folder(), &r->traces, &system, err);
		if (status != SAHM_OK)
			return trace_is_one(operand) ? status : explain_config(operand, status, err);
		if (system.root && config)
			excess = operand;
		else if (system.root)
			r->system = system;
		*(system.root ? &config : &trace) = operand;
	}
	if (config && trace)
		return sahm_fail(err, SAHM_USAGE, "traces, or one configuration: '%s' is not a trace, '%s' is", config,
				 trace);
	if (excess)
		return sahm_fail(err, SAHM_USAGE, "one configuration at a time: '%s' is too many", excess);
	if (trace && r->for_config)
		return sahm_fail(err, SAHM_USAGE, "--%s goes with a configuration, and '%s' is a trace", r->for_config,
				 trace);
	if (config && r->for_traces)
		return sahm_fail(err, SAHM_USAGE, "--%s goes with traces, and '%s' is not a trace", r->for_traces,
				 config);
	return SAHM_OK;
}

static enum sahm_status count_trace(struct arena *a, struct trace *trace, const struct cuts *cuts,
				    struct limit_trace *row, struct sahm_err *err)
{
	uint64_t nr = trace_nr_epochs(trace), in_state[NR_STATES] = {0};
	uint8_t *states = malloc(nr);
	row->name = arena_strdup(a, trace_name(trace));
	row->nr_epochs = nr;
	row->synthetic = provenance_is_synthetic(trace_provenance(trace));
	row->nominal = provenance_is_nominal(trace_provenance(trace));
	enum sahm_status status = states && row->name ? trace_states(trace, cuts, states, err) : sahm_fail_nomem(err);
	for (uint64_t e = 0; e < nr && status == SAHM_OK; e++)
		in_state[states[e]]++;
	limit_weights(in_state, row->weights);
	free(states);
	return status;
}

/* Percentiles as cuts need all traces before the first can be counted; otherwise one is open at a time. */
static enum sahm_status count_traces(const struct request *r, struct arena *a, struct limit_trace *rows,
				     struct textbuf *cuts_name, struct sahm_err *err)
{
	struct trace **traces = arena_alloc(a, r->traces.nr, sizeof(struct trace *));
	struct cuts cuts = {0};
	enum sahm_status status = traces ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < r->traces.nr && status == SAHM_OK && cuts_request_needs_traces(&r->cuts); i++)
		status = open_trace(r->traces.items[i], &traces[i], err);
	if (status == SAHM_OK)
		status = cuts_request_settle(&r->cuts, traces, r->traces.nr, &cuts, cuts_name, err);
	for (size_t i = 0; i < r->traces.nr && status == SAHM_OK; i++) {
		if (!traces[i])
			status = open_trace(r->traces.items[i], &traces[i], err);
		if (status == SAHM_OK)
			status = count_trace(a, traces[i], &cuts, &rows[i], err);
		trace_free(traces[i]);
		traces[i] = NULL;
	}
	for (size_t i = 0; traces && i < r->traces.nr; i++)
		trace_free(traces[i]);
	return status;
}

static enum sahm_status study_traces(const struct request *r, struct arena *a, struct textbuf *out,
				     struct sahm_err *err)
{
	struct limit_trace *rows = arena_alloc(a, r->traces.nr, sizeof(*rows));
	struct limit_against against[NR_LIMIT_NAMED];
	struct limit_study study;
	struct textbuf cuts_name;
	textbuf_init(&cuts_name);
	enum sahm_status status = rows ? count_traces(r, a, rows, &cuts_name, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = limit_against(rows, r->traces.nr, r->against_pct, against, err);
	if (status == SAHM_OK)
		status = limit_study_of_space(&study, rows, r->traces.nr, err);
	if (status == SAHM_OK) {
		const struct limit_report report = {.study = &study,
						    .cuts_name = cuts_name.text,
						    .against_pct = r->against_pct,
						    .against = against,
						    .by_config = r->by_config,
						    .sort = (enum limit_sort)r->sort};
		bool ok = r->form == OUTPUT_JSON  ? limit_report_json(&report, out)
			  : r->form == OUTPUT_CSV ? limit_report_csv(&report, out)
						  : limit_report_text(&report, bold_output(r->output), out);
		status = ok ? SAHM_OK : sahm_fail_nomem(err);
		limit_study_release(&study);
	}
	textbuf_release(&cuts_name);
	return status;
}

static enum sahm_status study_threads(const struct request *r, struct arena *a, const struct run_config *config,
				      struct textbuf *out, struct sahm_err *err)
{
	char title[TITLE_BYTES];
	struct record record;
	double *simulated = arena_alloc(a, (size_t)config->nr_threads * MAX_LIMIT_TIMESTEPS, sizeof(*simulated));
	enum sahm_status status = simulated ? record_of_limit(a, config, &record, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = limit_simulate(config, r->timesteps_ns, r->nr_timesteps, simulated, err);
	if (status != SAHM_OK)
		return status;
	snprintf(title, sizeof(title), "%s", r->system.title);
	clean_text(title);
	for (size_t i = 0; i < r->nr_timesteps * config->nr_threads; i++) {
		if (!isnan(simulated[i]))
			continue;
		print_warning("the simulation of thread '%s' was given up: it took %d times as long as on a "
			      "baseline core",
			      record.threads[i / r->nr_timesteps].name, GIVE_UP_FACTOR);
		break;
	}
	const struct limit_threads l = {config, &record, r->timesteps_ns, r->nr_timesteps, simulated};
	bool ok = r->form == OUTPUT_JSON  ? limit_threads_json(&l, out)
		  : r->form == OUTPUT_CSV ? limit_threads_csv(&l, out)
					  : limit_threads_text(&l, title, bold_output(r->output), out);
	return ok ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status study_levels(const struct request *r, struct arena *a, const struct run_config *config,
				     struct textbuf *out, struct sahm_err *err)
{
	char title[TITLE_BYTES];
	struct level_study study;
	enum sahm_status status = level_study(config, a, &study, err);
	if (status != SAHM_OK)
		return status;
	snprintf(title, sizeof(title), "%s", r->system.title);
	clean_text(title);
	bool ok = r->form == OUTPUT_JSON  ? level_study_json(&study, out)
		  : r->form == OUTPUT_CSV ? level_study_csv(&study, out)
					  : level_study_text(&study, title, bold_output(r->output), out);
	return ok ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status study_config(const struct request *r, struct arena *a, struct textbuf *out,
				     struct sahm_err *err)
{
	struct run_config config;
	enum sahm_status status = run_config_make(&config, r->system.root, r->settings.list.items, r->settings.list.nr,
						  data_folder(), NULL, err);
	if (status != SAHM_OK)
		return status;
	print_notes(&config.notes);
	status = refuse_overwriting_inputs(r->output, &config, err);
	if (status == SAHM_OK)
		status = (r->levels ? study_levels : study_threads)(r, a, &config, out, err);
	run_config_release(&config);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.against_pct = GENERAL_PCT, .cuts = {.set = DEFAULT_CUTS}};
	struct textbuf out;
	struct arena a;
	arena_init(&a);
	textbuf_init(&out);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = read_operands(&r, &a, err);
	if (status == SAHM_OK)
		status = r.system.root ? study_config(&r, &a, &out, err) : study_traces(&r, &a, &out, err);
	if (status == SAHM_OK)
		status = write_output(r.output, r.force, r.form, &out, err);
	textbuf_release(&out);
	settings_release(&r.settings);
	free(r.operands.items);
	free(r.traces.items);
	arena_release(&a);
	return status;
}

extern const struct command command_limit;
const struct command command_limit = {
	.name = "limit",
	.operands = "CONFIG | TRACE...",
	.summary = "compute upper bounds for single threads from state residencies",
	.details =
		"The upper bound is the speedup of a thread that has the chip to itself, is always on the "
		"best core for its state, and migrates for free. It follows from the shares of time that the "
		"thread spends in the 16 states.\n"
		"With traces: prints the bound of each trace, and on average, on the canonical chip (a "
		"baseline core and one core per component at 30 %); the distribution of the bound over the "
		"paper's 255 configurations with a specialised core; and chips with branch cores of 30, 10 "
		"and 0 %, whose 25th percentile over the traces is compared with a core that is slightly "
		"better everywhere.\n"
		"With a configuration: prints the bound of each thread on the cores that its tenant and "
		"affinity allow. Scheduler, costs, times and other threads have no influence. --simulate "
		"prints beside it what a simulation reaches, which approaches the bound as the timestep "
		"shrinks. It uses the policy " LIMIT_STEPS_POLICY " with the oracle, which puts each thread on "
		"the best core for the state at the beginning of a timestep, and replays each trace once. --levels "
		"prints for each group of cores with frequency levels, and each state, the level at which a core that "
		"always executes does the work for the minimum of energy (chip.costs must have their figures).\n"
		"A CONFIG is what `sahm run` takes; a TRACE is a file, or the name of a shipped trace or suite.",
	.options = options,
	.run = run,
};
