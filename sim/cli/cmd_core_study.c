/* sahm core study: an in-order core beside an out-of-order one; or one core, with samplers of cycle stacks, units that
 * make them, units that try a prefetcher, or predicted loads; or EDGE blocks, on no core of ours. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/ideal.h"
#include "ipu/unit/pro.h"
#include "results/chart/plot.h"
#include "results/studies/core_study.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_jobs.h"
#include "sim/cli/core_request.h"
#include "sim/cli/core_study_ab.h"
#include "sim/cli/core_study_edge.h"
#include "sim/cli/core_study_fidelity.h"
#include "sim/cli/core_study_ipu_pics.h"
#include "sim/cli/core_study_tea.h"
#include "sim/cli/core_study_vp.h"
#include "sim/cli/ipu_loaded.h"
#include "sim/cli/output.h"

/* The pair of the paper: both have the same caches and predictor. */
#define DEFAULT_IN_ORDER "gem5-inorder"
#define DEFAULT_OUT_OF_ORDER "gem5-ooo"

/* The studies of core_study_names, and then: */
#define STUDY_TEA ((unsigned)NR_CORE_STUDIES)
#define STUDY_IPU_PICS (STUDY_TEA + 1)
#define STUDY_AB (STUDY_TEA + 2)
#define STUDY_VP (STUDY_TEA + 3)
#define STUDY_FIDELITY (STUDY_TEA + 4)
#define STUDY_EDGE (STUDY_TEA + 5)

#define STUDY_WORDS "bottlenecks|frontend|tea|ipu-pics|ab|value-prediction|fidelity|edge"

struct request {
	enum output_form form;
	const char *study; /* NULL: none was given */
	unsigned kind;	   /* enum core_study_kind, or STUDY_... */
	const char *core, *periods;
	uint64_t seed, period;
	const char *of_pair, *of_lanes, *of_core, *of_periods, *of_jitter, *of_period;
	struct ab_request ab; /* its own options */
	struct vp_request vp;
	struct edge_request edge;
	uint64_t draw_seed; /* of both */
	const char *of_ab, *of_vp, *of_edge, *of_draw_seed;
	const char *cores[NR_STUDY_SIDES];
	struct option_list axes;
	const char *of_axes;
	struct settings settings;
	struct stream_sampling sampling;
	const char *of_warm, *plot;
	uint32_t jobs;
	unsigned lanes; /* enum lane_form */
	bool force;
	struct core_operands operands;
};

/* The study, then streams or a command. */
static enum sahm_status take_operand(void *request, struct option_walk *w, struct sahm_err *err)
{
	static const char *const names[] = {"bottlenecks",	"frontend", "tea",  "ipu-pics", "ab",
					    "value-prediction", "fidelity", "edge", NULL};
	_Static_assert(ARRAY_SIZE(names) == STUDY_EDGE + 2, "all, in the order of enum core_study_kind");
	struct request *r = request;
	if (r->study)
		return take_core_operand(&r->operands, w, err);
	r->study = w->value;
	return read_choice("study", w->value, names, &r->kind, err);
}

static const struct option_row options[] = {
	{"in-order", 0, "NAME|FILE",
	 "the in-order core: of configs/cores (sahm core list), or a file with the same keys (" DEFAULT_IN_ORDER ")",
	 OPTION_STRING, AT(const char *, cores[SIDE_IN_ORDER]), .preset_text = DEFAULT_IN_ORDER, NOTE(of_pair)},
	{"out-of-order", 0, "NAME|FILE", "the out-of-order core (" DEFAULT_OUT_OF_ORDER ")", OPTION_STRING,
	 AT(const char *, cores[SIDE_OUT_OF_ORDER]), .preset_text = DEFAULT_OUT_OF_ORDER, NOTE(of_pair)},
	{"core", 'c', "NAME|FILE",
	 "of the studies of one core, and of fidelity: the core (" DEFAULT_TEA_CORE "; of ab: " DEFAULT_AB_CORE
	 "; of value-prediction: " DEFAULT_VP_CORE "; of fidelity: the in-order and the out-of-order one)",
	 OPTION_STRING, AT(const char *, core), NOTE(of_core)},
	{"axis", 'a', "KEY=VALUES", "of fidelity: compute each core with several values of a key, as in sahm core time",
	 OPTION_LIST, AT(struct option_list, axes), NOTE(of_axes)},
	{"periods", 0, "CYCLES",
	 "of tea: the cycles from each sample to the next, at most 8, ascending, with commas between (" DEFAULT_TEA_PERIODS
	 ")",
	 OPTION_STRING, AT(const char *, periods), .preset_text = DEFAULT_TEA_PERIODS, NOTE(of_periods)},
	{"jitter", 0, "SEED", "of tea: chooses when in its period each sample is taken (1)", OPTION_WHOLE,
	 AT(uint64_t, seed), .most = UINT64_MAX, .preset = DEFAULT_TEA_SEED, NOTE(of_jitter)},
	{"period", 0, "CYCLES",
	 "of ipu-pics: the cycles from each sample to the next (50,000; the dissertation, of longer runs: 400,000); of "
	 "ab: those from each packet to the next (1,048,576; the dissertation: 2,147,483,648)",
	 OPTION_WHOLE, AT(uint64_t, period), .least = 1, .most = UINT32_MAX, NOTE(of_period)},
	{"prefetcher", 0, "NAME|FILE",
	 "of ab: the prefetcher that is tried: entangling, next-line, or the file of a soft-logic module with the "
	 "inputs and registers of l1i-entangling (" DEFAULT_AB_PREFETCHER ")",
	 OPTION_STRING, AT(const char *, ab.prefetcher), .preset_text = DEFAULT_AB_PREFETCHER, NOTE(of_ab)},
	{"against", 0, "NAME",
	 "of ab: the prefetcher that it is compared with: entangling, next-line or none (" DEFAULT_AB_AGAINST ")",
	 OPTION_STRING, AT(const char *, ab.against), .preset_text = DEFAULT_AB_AGAINST, NOTE(of_ab)},
	{"entries", 0, "N", "of ab: entries of the entangling prefetcher's table, a multiple of 16 (2048)",
	 OPTION_WHOLE, AT(uint64_t, ab.entries), .least = ENTANGLING_WAYS, .most = MAX_ENTANGLING_ENTRIES,
	 .preset = DEFAULT_AB_ENTRIES, NOTE(of_ab)},
	{"hit-mhz", 0, "MHZ", "of ab: clock of the core (1300, that of the soft logic)", OPTION_SIZE,
	 AT(uint32_t, ab.unit.hit_mhz), .least = IPU_MIN_MHZ, .most = IPU_MAX_MHZ, .preset = DEFAULT_AB_HIT_MHZ,
	 NOTE(of_ab)},
	{"soft-mhz", 0, "MHZ", "of ab: clock of the soft logic (1300)", OPTION_SIZE, AT(uint32_t, ab.soft_mhz),
	 .least = IPU_MIN_MHZ, .most = IPU_MAX_MHZ, .preset = IPU_DEFAULT_SOFT_MHZ, NOTE(of_ab)},
	{"mode", 0, "MODE",
	 "of ab: how the unit handles a core that is faster: every, sub-sample=N, window=N, phases=MHZ (window=64)",
	 OPTION_TAKE, AT(struct ipu_unit_config, ab.unit), .take = take_ipu_mode, NOTE(of_ab)},
	{"soft-in-process", 0, NULL, "of ab: run a module's file in this process, without a sandbox", OPTION_FLAG,
	 AT(bool, ab.in_process), NOTE(of_ab)},
	{"seed", 0, "N",
	 "of value-prediction: chooses which loads are drawn, and which of them are predicted wrong; of edge: which accesses "
	 "miss and which branches are mispredicted (1)",
	 OPTION_WHOLE, AT(uint64_t, draw_seed), .most = UINT64_MAX, .preset = DEFAULT_VP_SEED, NOTE(of_draw_seed)},
	{"accuracy", 0, "X", "of value-prediction: the share of predictions that are right, above 0 (1)", OPTION_AMOUNT,
	 AT(double, vp.accuracy), NOTE(of_vp)},
	{"blocks", 0, "HOW", "of edge: blocks in flight: four of 32 instructions, or one of 128 (four)", OPTION_CHOICE,
	 AT(unsigned, edge.blocks), .what = "--blocks", .words = edge_block_words, NOTE(of_edge)},
	{"hammocks", 0, NULL, "of edge: if-convert hammocks of up to 8 instructions", OPTION_FLAG,
	 AT(bool, edge.has_hammocks), NOTE(of_edge)},
	{"decode-cycles", 0, "N", "of edge: cycles of decoding (1); contiguous_2 takes one more", OPTION_SIZE,
	 AT(uint32_t, edge.decode_cycles), .most = MAX_EDGE_DECODE_CYCLES, .preset = 1, NOTE(of_edge)},
	{SET_OPTION("change a value of the cores, such as l1i.size_kib=64; can be repeated")},
	{TIMED_SAMPLING_OPTIONS(sampling, of_warm)},
	{SUITE_STREAM_OPTIONS(operands)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION(
		"print CSV, a row per stream and core, of frontend per set of ideal parts, of tea per stream, period, "
		"scheme and granularity, of ipu-pics per stream and setting, of ab per stream and source of counts, of "
		"value-prediction per stream and point of a curve, of fidelity per stream, core and model, of edge per stream and format")},
	{"plot", 0, "DIR", "write figures to DIR: data, script, and .svg and .png drawn by gnuplot", OPTION_STRING,
	 AT(const char *, plot), .written = true, .folder = true},
	{CORE_JOBS_OPTION(jobs)},
	{LANES_OPTION(lanes), NOTE(of_lanes)},
	{KEEP_OPTION(operands)},
	{FORCE_OPTION},
	{TAKE_OPERANDS(take_operand)},
};

/* ---- Cores ---- */

/* The two cores, and the models of their sets of ideal parts: [side * nr_sets + set]. */
struct cores {
	struct core_model models[NR_STUDY_SIDES * NR_STUDY_SETS];
	char hashes[NR_STUDY_SIDES][HASH_HEX_BYTES];
};

static enum sahm_status read_core(const struct request *r, struct core_study *s, struct cores *c, unsigned side,
				  struct sahm_err *err)
{
	static const char *const words[NR_STUDY_SIDES] = {"in-order", "out-of-order"};
	static const enum core_kind kinds[NR_STUDY_SIDES] = {CORE_IN_ORDER, CORE_OUT_OF_ORDER};
	const char *name = r->cores[side];
	unsigned nr_sets = core_study_nr_sets(s->kind);
	struct core_model *model = &c->models[side * nr_sets];
	enum sahm_status status = core_request_model(name, &r->settings.list, model, err);
	if (status == SAHM_USAGE && r->settings.list.nr > 0) {
		struct sahm_err cause = *err;
		status = sahm_fail(err, status, "%s (core %s)", cause.msg, name);
	}
	if (status == SAHM_OK && model->timing.kind != kinds[side])
		status = sahm_fail(err, SAHM_USAGE, "--%s: core '%s' is %s; sahm core list shows the kinds of cores",
				   words[side], name, words[!side]);
	if (status == SAHM_OK)
		status = core_model_hash(model, c->hashes[side], err);
	for (unsigned set = 1; set < nr_sets && status == SAHM_OK; set++) {
		model[set] = *model;
		core_model_idealize(&model[set], study_set_ideals((enum study_set)set));
	}
	s->cores[side] = (struct study_core){name, model, c->hashes[side]};
	return status;
}

/* ---- The command ---- */

static enum sahm_status print(const struct request *r, const struct core_study *s,
			      const struct core_study_result *results, size_t nr, struct sahm_err *err)
{
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		core_study_json(s, results, nr, &out);
	else if (r->form == OUTPUT_CSV)
		core_study_csv(s, results, nr, &out);
	else
		ok = core_study_text(s, results, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = core_study_plot_write(s, results, nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = core_study_plot_draw(s, r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* Counts of a stream on each model, as core_jobs_run() has them. */
static void take_counts(const struct core_study *s, const struct core_counts *counts, struct core_study_result *result)
{
	unsigned nr_sets = core_study_nr_sets(s->kind);
	result->instructions = counts->timing.instructions;
	for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
		struct study_counts *to = &result->sides[side];
		to->path = counts[side * nr_sets].path;
		for (unsigned set = 0; set < nr_sets; set++)
			to->cycles[set] = counts[side * nr_sets + set].timing.cycles;
	}
}

static enum sahm_status run_models(const struct request *r, const struct core_study *s, const struct cores *c,
				   struct core_study_result *results, uint64_t total, struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	const struct core_model *models[NR_STUDY_SIDES * NR_STUDY_SETS];
	size_t nr_models = NR_STUDY_SIDES * core_study_nr_sets(s->kind);
	struct core_counts *counts = calloc(streams->nr * nr_models, sizeof(*counts));
	const struct core_jobs jobs = {.streams = streams->items,
				       .nr_streams = streams->nr,
				       .models = models,
				       .nr_models = nr_models,
				       .form = (enum lane_form)r->lanes,
				       .sampling = &r->sampling,
				       .nr_threads = r->jobs,
				       .total = total,
				       .path = PATH_CAUSES};
	enum sahm_status status = counts ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr_models; i++)
		models[i] = &c->models[i];
	if (status == SAHM_OK)
		status = core_jobs_run(&jobs, counts, err);
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++)
		take_counts(s, &counts[i * nr_models], &results[i]);
	free(counts);
	return status;
}

static enum sahm_status run_streams(const struct request *r, const struct core_study *s, const struct cores *c,
				    struct sahm_err *err)
{
	const struct option_list *streams = &r->operands.streams;
	struct core_study_result *results = calloc(streams->nr, sizeof(*results));
	uint64_t *nr_sampled = calloc(streams->nr, sizeof(*nr_sampled)), total = 0;
	enum sahm_status status = results && nr_sampled ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_operands_look(&r->operands, &r->sampling, nr_sampled, &total, err);
	for (size_t i = 0; i < streams->nr && status == SAHM_OK; i++) {
		results[i].stream = core_operands_label(&r->operands, i);
		results[i].nr_sampled = nr_sampled[i];
	}
	if (status == SAHM_OK)
		status = run_models(r, s, c, results, total, err);
	if (status == SAHM_OK)
		status = print(r, s, results, streams->nr, err);
	free(nr_sampled);
	free(results);
	return status;
}

static enum sahm_status check_outputs(const struct request *r, const struct core_study *s, struct sahm_err *err)
{
	const char *names[NR_STUDY_SIDES] = {r->cores[SIDE_IN_ORDER], r->cores[SIDE_OUT_OF_ORDER]};
	const struct option_list cores = {.items = names, .nr = ARRAY_SIZE(names)};
	const char *const outputs[] = {r->operands.keep};
	enum sahm_status status = core_operands_check_outputs(&r->operands, &cores, outputs, ARRAY_SIZE(outputs), err);
	if (status != SAHM_OK)
		return status;
	return core_request_check_figures(r->plot, core_study_figures(s->kind), r->force, err);
}

/* Options of other studies than the chosen one. */
static enum sahm_status check_study_options(const struct request *r, struct sahm_err *err)
{
	const char *of_tea = r->of_periods ? r->of_periods : r->of_jitter,
		   *of_others = r->of_pair || r->kind == STUDY_VP ? r->of_pair : r->of_lanes;
	bool is_fidelity = r->kind == STUDY_FIDELITY, has_pair = r->kind < STUDY_TEA;
	if (has_pair && r->of_core)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the studies of one core, not of %s", r->of_core,
				 r->study);
	if (!is_fidelity && r->of_axes)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the study fidelity", r->of_axes);
	if (is_fidelity && r->of_core && r->of_pair)
		return sahm_fail(err, SAHM_USAGE, "--%s replaces the two cores: not with --%s", r->of_core, r->of_pair);
	if (r->kind != STUDY_TEA && of_tea)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the study tea%s", of_tea,
				 r->kind == STUDY_IPU_PICS && r->of_periods ? "; ipu-pics takes --period" : "");
	if (r->kind != STUDY_IPU_PICS && r->kind != STUDY_AB && r->of_period)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the studies ipu-pics and ab%s", r->of_period,
				 r->kind == STUDY_TEA ? "; tea takes --periods" : "");
	if (r->kind != STUDY_AB && r->of_ab)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the study ab", r->of_ab);
	if (r->kind != STUDY_EDGE && r->of_edge)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the study edge", r->of_edge);
	if (r->kind == STUDY_EDGE && (r->of_core || r->of_pair || r->settings.list.nr > 0))
		return sahm_fail(err, SAHM_USAGE, "--%s: the study edge has no core of configs/cores",
				 r->of_core   ? r->of_core
				 : r->of_pair ? r->of_pair
					      : "set");
	if (r->kind != STUDY_VP && r->of_vp)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the study value-prediction", r->of_vp);
	if (r->vp.accuracy > 1)
		return sahm_fail(err, SAHM_USAGE, "--accuracy is a share, at most 1");
	if (r->kind != STUDY_VP && r->kind != STUDY_EDGE && r->of_draw_seed)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the studies value-prediction and edge", r->of_draw_seed);
	if (r->ab.entries % ENTANGLING_WAYS != 0)
		return sahm_fail(err, SAHM_USAGE, "--entries is '%" PRIu64 "', must be a multiple of %u", r->ab.entries,
				 ENTANGLING_WAYS);
	if (is_fidelity)
		of_others = r->of_lanes;
	if (!has_pair && of_others)
		return sahm_fail(err, SAHM_USAGE, "--%s is of the studies of two cores, not of %s%s", of_others,
				 r->study, r->of_pair ? ", which takes --core" : "");
	return SAHM_OK;
}

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	char command[64];
	if (!r->study)
		return sahm_fail(err, SAHM_USAGE, "a study is missing: sahm core study " STUDY_WORDS " STREAM...");
	snprintf(command, sizeof(command), "sahm core study %s", r->study);
	enum sahm_status status = check_study_options(r, err);
	if (status == SAHM_OK)
		status = core_operands_resolve(&r->operands, err);
	if (status == SAHM_OK)
		status = core_operands_check(&r->operands, command, err);
	if (status == SAHM_OK)
		status = core_jobs_check_form((enum lane_form)r->lanes, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r->sampling, r->of_warm, err);
	return status;
}

static enum sahm_status study_pair(struct request *r, struct sahm_err *err)
{
	struct core_study s = {.kind = (enum core_study_kind)r->kind, .sampling = r->sampling};
	struct cores *cores = calloc(1, sizeof(*cores));
	enum sahm_status status = cores ? SAHM_OK : sahm_fail_nomem(err);
	for (unsigned side = 0; side < NR_STUDY_SIDES && status == SAHM_OK; side++)
		status = read_core(r, &s, cores, side, err);
	if (status == SAHM_OK)
		status = check_outputs(r, &s, err);
	if (status == SAHM_OK)
		status = core_operands_record(&r->operands, r->force, err);
	if (status == SAHM_OK)
		status = run_streams(r, &s, cores, err);
	free(cores);
	return status;
}

static enum sahm_status study_tea(struct request *r, struct sahm_err *err)
{
	const struct tea_request tea = {.form = r->form,
					.core = r->core,
					.periods = r->periods,
					.seed = r->seed,
					.settings = &r->settings.list,
					.sampling = &r->sampling,
					.operands = &r->operands,
					.plot = r->plot,
					.jobs = r->jobs,
					.force = r->force};
	return core_study_tea(&tea, err);
}

static enum sahm_status study_ipu_pics(struct request *r, struct sahm_err *err)
{
	const struct ipu_pics_request request = {.form = r->form,
						 .core = r->core,
						 .period = r->period,
						 .settings = &r->settings.list,
						 .sampling = &r->sampling,
						 .operands = &r->operands,
						 .plot = r->plot,
						 .jobs = r->jobs,
						 .force = r->force};
	return core_study_ipu_pics(&request, err);
}

static enum sahm_status study_ab(struct request *r, struct sahm_err *err)
{
	struct ab_request request = r->ab;
	request.form = r->form;
	request.core = r->core;
	request.period = r->period;
	request.settings = &r->settings.list;
	request.sampling = &r->sampling;
	request.operands = &r->operands;
	request.plot = r->plot;
	request.jobs = r->jobs;
	request.force = r->force;
	return core_study_ab(&request, err);
}

static enum sahm_status study_vp(struct request *r, struct sahm_err *err)
{
	struct vp_request request = r->vp;
	request.form = r->form;
	request.core = r->core;
	request.lanes = (enum lane_form)r->lanes;
	request.settings = &r->settings.list;
	request.seed = r->draw_seed;
	request.sampling = &r->sampling;
	request.operands = &r->operands;
	request.plot = r->plot;
	request.jobs = r->jobs;
	request.force = r->force;
	return core_study_vp(&request, err);
}

static enum sahm_status study_fidelity(struct request *r, struct sahm_err *err)
{
	const char *one[] = {r->core};
	const struct option_list pair = {.items = r->cores, .nr = NR_STUDY_SIDES}, core = {.items = one, .nr = 1};
	const struct fidelity_request request = {.form = r->form,
						 .cores = r->of_core ? &core : &pair,
						 .settings = &r->settings.list,
						 .axes = &r->axes,
						 .sampling = &r->sampling,
						 .operands = &r->operands,
						 .plot = r->plot,
						 .jobs = r->jobs,
						 .force = r->force};
	return core_study_fidelity(&request, err);
}

static enum sahm_status study_edge(struct request *r, struct sahm_err *err)
{
	struct edge_request request = r->edge;
	request.form = r->form;
	request.seed = r->draw_seed;
	request.sampling = &r->sampling;
	request.operands = &r->operands;
	request.plot = r->plot;
	request.jobs = r->jobs;
	request.force = r->force;
	return core_study_edge(&request, err);
}

/* What differs between studies. */
static void preset(struct request *r)
{
	if (!r->core)
		r->core = r->kind == STUDY_AB	? DEFAULT_AB_CORE
			  : r->kind == STUDY_VP ? DEFAULT_VP_CORE
						: DEFAULT_TEA_CORE;
	if (!r->of_period)
		r->period = r->kind == STUDY_AB ? DEFAULT_AB_PERIOD : DEFAULT_IPU_PICS_PERIOD;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.cores = {DEFAULT_IN_ORDER, DEFAULT_OUT_OF_ORDER},
			    .vp.accuracy = 1,
			    .ab.unit = {.ipu_mhz = IPU_DEFAULT_MHZ,
					.mismatch = IPU_WINDOW,
					.mismatch_arg = DEFAULT_AB_WINDOW,
					.max_cycles = IPU_DEFAULT_MAX_CYCLES,
					.fifo_bytes = IPU_DEFAULT_FIFO_BYTES}};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		preset(&r);
	if (status == SAHM_OK)
		status = r.kind == STUDY_TEA	    ? study_tea(&r, err)
			 : r.kind == STUDY_IPU_PICS ? study_ipu_pics(&r, err)
			 : r.kind == STUDY_AB	    ? study_ab(&r, err)
			 : r.kind == STUDY_VP	    ? study_vp(&r, err)
			 : r.kind == STUDY_FIDELITY ? study_fidelity(&r, err)
			 : r.kind == STUDY_EDGE	    ? study_edge(&r, err)
						    : study_pair(&r, err);
	core_operands_release(&r.operands);
	settings_release(&r.settings);
	free(r.axes.items);
	return status;
}

extern const struct command command_core_study;
const struct command command_core_study = {
	.name = "core study",
	.operands = STUDY_WORDS " STREAM... | --suite NAME | -- COMMAND [ARG]...",
	.summary =
		"compare what slows two cores down, or what samplers of cycle stacks and introspection units get wrong; "
		"try a prefetcher beside a core; predict the values of loads",
	.details =
		"bottlenecks: prints the cycles of each core's critical path by groups of causes, in % of the "
		"cycles and per instruction.\n"
		"frontend: prints what ideal fetch, ideal branches and both save on each core. Beside it stands what "
		"the critical path promised: its cycles that are charged to what the ideal part removes.\n"
		"These two print in which streams the orderings hold that the Calipers paper reports (sections 5.1 and "
		"5.2). Its cycles are those of other programs and cores: compare only orderings and shares.\n"
		"The default cores are the paper's, which have the same caches and predictor.\n"
		"tea: prints the errors of sampled cycle stacks (sahm core pics) on one core: by stream, granularity and "
		"period, each beside the error of as many cycles drawn at random, and how well counts of events "
		"correlate with cycles (paper TEA, figures 5 and 7 to 9; docs/pics.md).\n"
		"ipu-pics: prints what an introspection unit beside the core loses that makes cycle stacks: drop errors, missing "
		"PCs, errors beside those of TEA at the same cycles, in three settings for a core that is faster than its unit "
		"(dissertation, section 2.5; docs/introspection.md).\n"
		"ab: tries an L1I prefetcher in the soft logic of an IPU_pro beside the core, which does not have it, and prints "
		"its miss rate, coverage and accuracy beside the true ones, and which of two prefetchers is better for each "
		"stream (dissertation, section 2.5, figure 2.8a; docs/ab-test.md).\n"
		"value-prediction: prints CPI of a core that predicts the values of more and more loads, drawn at random, and "
		"with those first for which the critical path waits, and in which streams few of these bring most of the gain "
		"(Calipers, section 5.3, figure 17; docs/critical-path.md).\n"
		"fidelity: prints the cycles of the timing models beside the length of the published graph (sahm core graph) "
		"on the same uops, and what makes up the largest difference (counterpart of figure 11 of the Calipers paper).\n"
		"edge: makes EDGE blocks from executed paths, and prints the shares of READ, MOV and NULL in the critical path and "
		"what three formats of blocks cost (Calipers paper, section 6; docs/critical-path.md). All of it is synthetic: "
		"there is no EDGE compiler here.\n"
		"--plot needs gnuplot. Without gnuplot, data and scripts are still written.",
	.options = options,
	.run = run,
};
