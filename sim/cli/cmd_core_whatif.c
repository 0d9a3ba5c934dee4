/* sahm core whatif: what a core would gain from ideal parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/plot.h"
#include "results/cores/core_whatif.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_jobs.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define DEFAULT_PARTS "fetch,branch,l1d,units,queues,widths"

struct request {
	enum output_form form;
	struct option_list cores;
	struct settings settings;
	struct stream_sampling sampling;
	const char *of_warm, *ideal, *plot;
	uint32_t jobs;
	unsigned lanes; /* enum lane_form */
	bool shapley, force;
	struct core_operands operands;
};

static const struct option_row options[] = {
	{CORE_OPTION(cores, "")},
	{SET_OPTION("change a value of the core, such as rob=256; can be repeated")},
	{"ideal", 0, "PARTS",
	 "up to eight parts, with commas: fetch, branch, l1d, l2, llc, tlb, units, queues, widths (" DEFAULT_PARTS ")",
	 OPTION_STRING, AT(const char *, ideal), .preset_text = DEFAULT_PARTS},
	{"shapley", 0, NULL,
	 "also print the fair share of each part in the cycles that all of them save: computes all sets of parts",
	 OPTION_FLAG, AT(bool, shapley)},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per stream and set of ideal parts")},
	{"plot", 0, "DIR",
	 "write figures of interactions, and with --shapley of shares, to DIR: data, script, and .svg and .png drawn by "
	 "gnuplot",
	 OPTION_STRING, AT(const char *, plot), .written = true, .folder = true},
	{CORE_JOBS_OPTION(jobs)},
	{LANES_OPTION(lanes)},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_TAKE, AT(struct core_operands, operands), .take = take_core_operand},
};

static enum sahm_status add_part(struct whatif *w, const char *name, struct sahm_err *err)
{
	const char *names[NR_IDEALS + 1] = {NULL};
	unsigned part;
	for (unsigned i = 0; i < NR_IDEALS; i++)
		names[i] = ideal_name((enum ideal)i);
	enum sahm_status status = read_choice("part of --ideal", name, names, &part, err);
	for (unsigned i = 0; i < w->nr_parts && status == SAHM_OK; i++)
		if (w->parts[i] == part)
			status = sahm_fail(err, SAHM_USAGE, "part '%s' of --ideal is there twice", name);
	if (status == SAHM_OK && w->nr_parts == MAX_WHATIF_PARTS)
		status = sahm_fail(err, SAHM_USAGE, "--ideal has more than %u parts", MAX_WHATIF_PARTS);
	if (status == SAHM_OK && part == IDEAL_LLC && w->model->geometry.llc.bytes == 0)
		status = sahm_fail(err, SAHM_USAGE, "part 'llc' of --ideal: core %s has no LLC", w->core);
	if (status == SAHM_OK)
		w->parts[w->nr_parts++] = (enum ideal)part;
	return status;
}

static enum sahm_status read_parts(const struct request *r, struct whatif *w, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	const char *p = r->ideal ? r->ideal : DEFAULT_PARTS;
	for (size_t len; status == SAHM_OK; p += len + 1) {
		char name[CORE_PART_NAME_BYTES];
		len = strcspn(p, ",");
		snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), p);
		status = add_part(w, name, err);
		if (!p[len])
			break;
	}
	w->has_shapley = r->shapley;
	if (status == SAHM_OK)
		whatif_choose_sets(w);
	return status;
}

static enum sahm_status print(const struct request *r, const struct whatif *w, const struct whatif_result *results,
			      size_t nr, struct sahm_err *err)
{
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		whatif_json(w, results, nr, &out);
	else if (r->form == OUTPUT_CSV)
		whatif_csv(w, results, nr, &out);
	else
		ok = whatif_text(w, results, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = whatif_plot_write(w, results, nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = whatif_plot_draw(w, r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* The core with each set of ideal parts: models[w->nr_sets], for the caller to free. */
static struct core_model *make_models(const struct whatif *w)
{
	struct core_model *models = calloc(w->nr_sets, sizeof(*models));
	for (unsigned i = 0; models && i < w->nr_sets; i++) {
		models[i] = *w->model;
		core_model_idealize(&models[i], whatif_ideals(w, w->sets[i]));
	}
	return models;
}

static enum sahm_status run_sets(const struct request *r, const struct whatif *w, struct whatif_result *results,
				 uint64_t total, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	const struct core_model *models[MAX_WHATIF_SUBSETS];
	struct core_model *own = make_models(w);
	struct core_counts *counts = calloc(streams->nr * w->nr_sets, sizeof(*counts));
	const struct core_jobs jobs = {.streams = streams->items,
				       .nr_streams = streams->nr,
				       .models = models,
				       .nr_models = w->nr_sets,
				       .form = (enum lane_form)r->lanes,
				       .sampling = &r->sampling,
				       .nr_threads = r->jobs,
				       .total = total};
	enum sahm_status status = own && counts ? SAHM_OK : sahm_fail_nomem(err);
	for (unsigned i = 0; i < w->nr_sets && status == SAHM_OK; i++)
		models[i] = &own[i];
	if (status == SAHM_OK)
		status = core_jobs_run(&jobs, counts, err);
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++) {
		results[i].instructions = counts[i * w->nr_sets].timing.instructions;
		for (unsigned k = 0; k < w->nr_sets; k++)
			results[i].cycles[w->sets[k]] = counts[i * w->nr_sets + k].timing.cycles;
	}
	free(own);
	free(counts);
	return status;
}

static enum sahm_status run_streams(const struct request *r, const struct whatif *w, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	struct whatif_result *results = calloc(streams->nr, sizeof(*results));
	uint64_t *nr_sampled = calloc(streams->nr, sizeof(*nr_sampled)), total = 0;
	enum sahm_status status = results && nr_sampled ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_operands_look(&r->operands, &r->sampling, nr_sampled, &total, err);
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++) {
		results[i].stream = core_operands_label(&r->operands, i);
		results[i].nr_sampled = nr_sampled[i];
	}
	if (status == SAHM_OK)
		status = run_sets(r, w, results, total, err);
	if (status == SAHM_OK)
		status = print(r, w, results, streams->nr, err);
	free(nr_sampled);
	free(results);
	return status;
}

static enum sahm_status check_outputs(const struct request *r, struct sahm_err *err)
{
	const char *const outputs[] = {r->operands.keep};
	enum sahm_status status =
		core_operands_check_outputs(&r->operands, &r->cores, outputs, ARRAY_SIZE(outputs), err);
	return status == SAHM_OK ? core_request_check_figures(r->plot, whatif_figure_names, r->force, err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_model *model = calloc(1, sizeof(*model));
	char hash[HASH_HEX_BYTES];
	struct whatif w = {.model = model, .config_hash = hash};
	enum sahm_status status = model ? options_parse(options, args, &r, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r.operands, err);
	if (status == SAHM_OK)
		status = core_operands_check(&r.operands, "sahm core whatif", err);
	if (status == SAHM_OK && r.cores.nr > 1)
		status = sahm_fail(err, SAHM_USAGE, "--core can be given once: parts are those of one core");
	if (status == SAHM_OK)
		status = core_jobs_check_form((enum lane_form)r.lanes, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r.sampling, r.of_warm, err);
	if (status == SAHM_OK) {
		w.core = r.cores.nr > 0 ? r.cores.items[0] : DEFAULT_CORE;
		w.sampling = r.sampling;
		status = core_request_model(w.core, &r.settings.list, model, err);
	}
	if (status == SAHM_OK)
		status = core_model_hash(model, hash, err);
	if (status == SAHM_OK)
		status = read_parts(&r, &w, err);
	if (status == SAHM_OK)
		status = check_outputs(&r, err);
	if (status == SAHM_OK)
		status = core_operands_record(&r.operands, r.force, err);
	if (status == SAHM_OK)
		status = run_streams(&r, &w, err);
	free(model);
	free(r.cores.items);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_whatif;
const struct command command_core_whatif = {
	.name = "core whatif",
	.operands = "STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary = "compute what a core would gain if parts of it were ideal",
	.details = "Prints the cycles that each ideal part saves, and for each two of them the interaction: what both "
		   "save beyond the sum of each. It is above 0 if they hide each other's costs, and below 0 if they "
		   "save the same cycles. With --shapley, the cycles that all parts save together are divided among "
		   "them: a part's share is what it saves on average over all orders in which parts become ideal, "
		   "and the shares add up to the whole.\n"
		   "An ideal core has the same misses and mispredictions, which then cost nothing. The parts are those "
		   "of the key `ideal`: sahm help branch and so on explain them.\n"
		   "--plot needs gnuplot. Without gnuplot, data and scripts are still written.",
	.options = options,
	.run = run,
};
