/* sahm ipu study */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ipu/studies/study_overlap.h"
#include "ipu/studies/study_values.h"
#include "ipu/unit/load.h"
#include "results/metrics/json.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/ipu_soft.h"
#include "sim/cli/ipu_study_plot.h"
#include "sim/cli/ipu_study_report.h"
#include "sim/cli/overwriting.h"

struct request {
	const struct study *study;
	uint64_t seed, windows, tensors, lines, hit_mhz, ipu_mhz;
	const char *given_windows, *given_tensors, *given_lines; /* NULL: they are not */
	const char *given_signals;				 /* the last option that only a study on signals has */
	const char *trust, *plot, *output;
	struct soft_request soft;
	enum output_form form;
	bool force;
	enum hart_engine engine;
};

/* An IPU that is slower than the GPU by more sees next to nothing, and a study of it takes next to forever. */
#define MOST_RATIO 1000u

/* What a study has to work with. */
struct workplace {
	const struct request *request;
	const struct ipu_program *program;
	const struct abi *abi;
	const struct soft_loaded *soft;
	struct textbuf *out;
	struct figure *figures; /* [STUDY_FIGURES], which have begun; NULL: none are asked for */
};

struct study {
	const char *name;
	const char *program, *abi;  /* NULL: it runs none */
	const char *const *figures; /* [STUDY_FIGURES]: their names, and NULL; NULL: it has none */
	enum sahm_status (*run)(const struct workplace *w, struct sahm_err *err);
};

static void begin_json(struct jwriter *j, const struct workplace *w)
{
	jwrite_init(j, w->out);
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "study", w->request->study->name);
	if (!w->program)
		return;
	jwrite_bool(j, "synthetic", true);
	jwrite_u64(j, "seed", w->request->seed);
	jwrite_u64(j, "hit_mhz", w->request->hit_mhz);
	jwrite_u64(j, "ipu_mhz", w->request->ipu_mhz);
}

static void end_json(struct jwriter *j)
{
	jwrite_end_object(j);
	jwrite_finish(j);
}

static const struct ipu_unit_maker *maker_of(const struct workplace *w)
{
	return w->soft->soft ? &w->soft->pro.maker : NULL;
}

/* Appends what soft logic has seen of the signals, of all parts of a study together. */
static void report_soft(const struct workplace *w, uint64_t taken, uint64_t dropped, struct jwriter *j)
{
	if (!w->soft->soft)
		return;
	const char *name = soft_description(w->soft->soft)->name;
	if (!j) {
		textbuf_printf(w->out, "\nSoft logic '%s' took %" PRIu64 " input sets and dropped %" PRIu64 ".\n", name,
			       taken, dropped);
		return;
	}
	jwrite_begin_object(j, "soft");
	jwrite_string(j, "name", name);
	jwrite_u64(j, "taken", taken);
	jwrite_u64(j, "dropped", dropped);
	jwrite_end_object(j);
}

static enum sahm_status fail_wrong(uint64_t nr, struct sahm_err *err)
{
	return nr == 0 ? SAHM_OK
		       : sahm_fail(err, SAHM_GUEST, "%" PRIu64 " packet%s not what the signals demand", nr,
				   nr == 1 ? " is" : "s are");
}

static enum sahm_status study_overlap(const struct workplace *w, struct sahm_err *err)
{
	const struct request *r = w->request;
	const struct overlap_options o = {.maker = maker_of(w),
					  .seed = r->seed,
					  .nr_windows = r->windows,
					  .hit_mhz = (uint32_t)r->hit_mhz,
					  .ipu_mhz = (uint32_t)r->ipu_mhz};
	struct overlap_result results[NR_OVERLAP_SCENARIOS];
	uint64_t nr_wrong = 0, taken = 0, dropped = 0;
	bool ok = true;
	for (unsigned i = 0; i < NR_OVERLAP_SCENARIOS; i++) {
		enum sahm_status status = overlap_run(w->program, w->abi, i, &o, &results[i], err);
		if (status != SAHM_OK)
			return status;
		nr_wrong += results[i].nr_wrong;
		taken += results[i].soft_taken;
		dropped += results[i].soft_dropped;
	}
	if (r->form == OUTPUT_JSON) {
		struct jwriter j;
		begin_json(&j, w);
		study_overlap_json(results, &j);
		report_soft(w, taken, dropped, &j);
		end_json(&j);
	} else if (r->form == OUTPUT_CSV) {
		ok = study_overlap_csv(results, w->out);
	} else {
		ok = study_overlap_text(results, w->out);
		report_soft(w, taken, dropped, NULL);
	}
	ok = ok && (!w->figures || study_overlap_plot(results, w->figures));
	return ok ? fail_wrong(nr_wrong, err) : sahm_fail_nomem(err);
}

static enum sahm_status study_values(const struct workplace *w, struct sahm_err *err)
{
	const struct request *r = w->request;
	const struct values_options o = {.maker = maker_of(w),
					 .seed = r->seed,
					 .nr_tensors = (uint32_t)r->tensors,
					 .nr_lines = (uint32_t)r->lines,
					 .hit_mhz = (uint32_t)r->hit_mhz,
					 .ipu_mhz = (uint32_t)r->ipu_mhz};
	struct values_result results[NR_VALUES_APPLICATIONS];
	uint64_t nr_wrong = 0, taken = 0, dropped = 0;
	bool ok = true;
	for (unsigned i = 0; i < NR_VALUES_APPLICATIONS; i++) {
		enum sahm_status status =
			values_run(w->program, w->abi, (enum values_application)i, &o, &results[i], err);
		if (status != SAHM_OK)
			return status;
		nr_wrong += results[i].nr_wrong;
		taken += results[i].soft_taken;
		dropped += results[i].soft_dropped;
	}
	if (r->form == OUTPUT_JSON) {
		struct jwriter j;
		begin_json(&j, w);
		study_values_json(results, &j);
		report_soft(w, taken, dropped, &j);
		end_json(&j);
	} else if (r->form == OUTPUT_CSV) {
		study_values_csv(results, w->out);
	} else {
		ok = study_values_text(results, w->out);
		report_soft(w, taken, dropped, NULL);
	}
	ok = ok && (!w->figures || study_values_plot(results, w->figures));
	return ok ? fail_wrong(nr_wrong, err) : sahm_fail_nomem(err);
}

static enum sahm_status study_cost(const struct workplace *w, struct sahm_err *err)
{
	bool ok = true;
	if (w->request->form == OUTPUT_JSON) {
		struct jwriter j;
		begin_json(&j, w);
		study_cost_json(&j);
		end_json(&j);
	} else if (w->request->form == OUTPUT_CSV) {
		study_cost_csv(w->out);
	} else {
		ok = study_cost_text(w->out);
	}
	return ok ? SAHM_OK : sahm_fail_nomem(err);
}

static const struct study studies[] = {
	{"overlap", "overlap", "gpu_activity", study_overlap_figures, study_overlap},
	{"values", "histogram", "l1d_write", study_values_figures, study_values},
	{"cost", NULL, NULL, NULL, study_cost},
};

#define NR_STUDIES ARRAY_SIZE(studies)

static enum sahm_status take_study(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	struct suggest s;
	char hint[SUGGEST_BYTES];
	if (r->study)
		return sahm_fail(err, SAHM_USAGE, "one study at a time: '%s' is too many", w->value);
	suggest_init(&s, w->value);
	for (size_t i = 0; i < NR_STUDIES; i++) {
		if (strcmp(studies[i].name, w->value) == 0)
			r->study = &studies[i];
		suggest_offer(&s, studies[i].name);
	}
	return r->study ? SAHM_OK
			: sahm_fail(err, SAHM_USAGE, "unknown study '%s'%s (there are overlap, values and cost)",
				    w->value, suggest_text(&s, hint));
}

static const struct option_row options[] = {
	{"seed", 0, "N", "seed of the synthetic signals (1)", OPTION_SIZE, AT(uint64_t, seed), .most = UINT64_MAX,
	 .preset = 1, NOTE(given_signals)},
	{"windows", 0, "N", "overlap: windows of 256 cycles per scenario (1000)", OPTION_SIZE, AT(uint64_t, windows),
	 .least = 1, .most = 1000000000, .preset = 1000, NOTE(given_windows)},
	{"tensors", 0, "N", "values: tensors per application (20)", OPTION_SIZE, AT(uint64_t, tensors), .least = 1,
	 .most = 1000000, .preset = 20, NOTE(given_tensors)},
	{"lines", 0, "N", "values: lines of 16 values per tensor, up to 16M (40,000)", OPTION_SIZE, AT(uint64_t, lines),
	 .least = 1, .most = VALUES_MAX_LINES, .preset = 40000, NOTE(given_lines)},
	{"hit-mhz", 0, "MHZ", "clock of the GPU, at most 1000 times that of the IPU (1400)", OPTION_SIZE,
	 AT(uint64_t, hit_mhz), .least = IPU_MIN_MHZ, .most = IPU_MAX_MHZ, .preset = STUDY_GPU_MHZ,
	 NOTE(given_signals)},
	{"ipu-mhz", 0, "MHZ", "clock of the IPU (2000)", OPTION_SIZE, AT(uint64_t, ipu_mhz), .least = IPU_MIN_MHZ,
	 .most = IPU_MAX_MHZ, .preset = IPU_DEFAULT_MHZ, NOTE(given_signals)},
	{"trust", 0, "FILE", ipu_trust_help, OPTION_STRING, AT(const char *, trust), NOTE(given_signals)},
	SOFT_OPTIONS(soft),
	{"plot", 0, "DIR", "overlap, values: write figures to DIR: data, script, and .svg and .png drawn by gnuplot",
	 OPTION_STRING, AT(const char *, plot), .written = true, .folder = true, NOTE(given_signals)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV: windows (overlap), similarities (values) or figures (cost)")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{HART_ENGINE_OPTION("engine", engine), NOTE(given_signals)},
	{TAKE_OPERANDS(take_study)},
};

static const char *option_of_others(const struct request *r)
{
	const char *of_values = r->given_tensors ? r->given_tensors : r->given_lines;
	if (r->study->run == study_overlap)
		return of_values;
	if (r->study->run == study_values || r->given_windows)
		return r->given_windows;
	return of_values ? of_values : r->given_signals;
}

static enum sahm_status check_figures(const struct request *r, struct sahm_err *err)
{
	static const char *const endings[] = {"csv", "gp", "svg", "png"};
	const char *const *figures = r->study->figures;
	enum sahm_status status = core_request_check_figures(r->plot, figures, r->force, err);
	for (size_t i = 0; i < STUDY_FIGURES * ARRAY_SIZE(endings) && status == SAHM_OK; i++) {
		char path[PATH_MAX];
		snprintf(path, sizeof(path), "%s/%s.%s", r->plot, figures[i / ARRAY_SIZE(endings)],
			 endings[i % ARRAY_SIZE(endings)]);
		if (r->output && (strcmp(r->output, path) == 0 || is_same_file(r->output, path)))
			status = sahm_fail(err, SAHM_USAGE, "--output and --plot would both write '%s'", r->output);
		else
			status = refuse_overwriting(path, r->trust, err);
	}
	return status;
}

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	if (!r->study)
		return sahm_fail(err, SAHM_USAGE, "a study is missing: sahm ipu study overlap|values|cost");
	const char *of_others = option_of_others(r);
	if (!of_others && r->soft.file && !r->study->program)
		of_others = "soft";
	if (of_others)
		return sahm_fail(err, SAHM_USAGE, "--%s does not apply to the study '%s'", of_others, r->study->name);
	if (r->hit_mhz > MOST_RATIO * r->ipu_mhz)
		return sahm_fail(err, SAHM_USAGE,
				 "--hit-mhz is '%" PRIu64 "', must be at most %u times --ipu-mhz, which is %" PRIu64,
				 r->hit_mhz, MOST_RATIO, r->ipu_mhz);
	enum sahm_status status = soft_request_check(&r->soft, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->output, r->trust, err);
	if (status == SAHM_OK && r->soft.file)
		status = refuse_overwriting(r->output, r->soft.file, err);
	if (status == SAHM_OK && r->plot)
		status = check_figures(r, err);
	return status == SAHM_OK ? try_output(r->output, r->force, err) : status;
}

static enum sahm_status run_on_signals(const struct request *r, struct arena *arena, struct workplace *w,
				       struct sahm_err *err)
{
	struct abi abi;
	struct ipu_program *program = NULL;
	struct trust *trust = NULL;
	struct soft_loaded soft = {0};
	char path[IPU_PATH_BYTES];
	enum sahm_status status = find_ipu_abi(r->study->abi, path, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->output, path, err);
	if (status == SAHM_OK)
		status = abi_read(arena, path, &abi, err);
	if (status == SAHM_OK)
		status = find_ipu_program(r->study->program, path, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->output, path, err);
	if (status == SAHM_OK)
		status = read_ipu_trust(r->trust, &trust, err);
	if (status == SAHM_OK)
		status = soft_loaded_read(&soft, &r->soft, err);
	if (status == SAHM_OK)
		status = ipu_load_bundle(&program, path, &abi, NULL, 0, trust, soft_source_image(&soft.source), err);
	if (status == SAHM_OK)
		status = soft_loaded_open(&soft, &r->soft, &abi, err);
	soft.pro.starts_with_image = true; /* the studies' programs do not know of it */
	trust_free(trust);
	if (status == SAHM_OK) {
		if (r->engine == HART_INTERP)
			ipu_program_interpret(program);
		w->program = program;
		w->abi = &abi;
		w->soft = &soft;
		status = r->study->run(w, err);
	}
	ipu_program_free(program);
	soft_loaded_release(&soft);
	return status;
}

/* The report comes first: it does not depend on gnuplot. */
static enum sahm_status show(const struct request *r, struct textbuf *out, struct figure *figures,
			     enum sahm_status status, struct sahm_err *err)
{
	struct textbuf notes;
	textbuf_init(&notes);
	/* A study that found something wrong is shown, too. */
	if (out->len > 0) {
		enum sahm_status written =
			write_output(r->output, r->force, r->form, out, status == SAHM_OK ? err : NULL);
		status = status == SAHM_OK ? written : status;
	}
	if (figures && status == SAHM_OK)
		status = file_make_folder(r->plot, err);
	for (unsigned i = 0; figures && i < STUDY_FIGURES && status == SAHM_OK; i++)
		status = figure_write(&figures[i], r->plot, err);
	for (unsigned i = 0; figures && i < STUDY_FIGURES && status == SAHM_OK; i++)
		status = plot_draw(r->plot, figures[i].name, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	return status;
}

static enum sahm_status run_study(const struct request *r, struct arena *arena, struct textbuf *out,
				  struct sahm_err *err)
{
	struct figure figures[STUDY_FIGURES];
	struct workplace w = {.request = r, .out = out};
	for (unsigned i = 0; i < STUDY_FIGURES; i++)
		figure_init(&figures[i], r->study->figures ? r->study->figures[i] : "");
	w.figures = r->plot ? figures : NULL;
	enum sahm_status status = r->study->program ? run_on_signals(r, arena, &w, err) : r->study->run(&w, err);
	if (textbuf_failed(out))
		status = sahm_fail_nomem(err);
	status = show(r, out, w.figures, status, err);
	for (unsigned i = 0; i < STUDY_FIGURES; i++)
		figure_release(&figures[i]);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct arena arena;
	struct textbuf out;
	arena_init(&arena);
	textbuf_init(&out);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = run_study(&r, &arena, &out, err);
	textbuf_release(&out);
	arena_release(&arena);
	return status;
}

extern const struct command command_ipu_study;
const struct command command_ipu_study = {
	.name = "ipu study",
	.operands = "overlap|values|cost",
	.summary = "repeat one of the paper's IPU studies: on signals with known answers, or of its costs",
	.details = "overlap and values run a shipped program on generated signals, check every packet, and fail if "
		   "one is wrong. All signals are synthetic: they show how exact the IPU is, not what real GPUs "
		   "do.\n"
		   "overlap: counts the active cycles (of 256) of a GPU's SIMT cores, tensor core and memory "
		   "for patterns with known counts. Reports how many sets drop while a packet is sent, the data "
		   "rate of one IPU and of a GPU with 108 at 1.4 GHz, and in how many windows none, one, two or "
		   "three units are busy more than 25 % of the time (paper, section 2.5, figure 2.11). --plot "
		   "and --csv show the first 100 windows of each pattern as in figure 2.8(c): over time, and sorted "
		   "by utilization of the SIMT cores with the mean up to each window.\n"
		   "values: makes histograms of the values in tensors, of which the IPU sees one in four. "
		   "Reports how exact they are for the values that it saw, how far they are from the "
		   "histogram of all values, and the cosine similarity of applications. --plot and --csv show it "
		   "between tensors, too, as in figure 2.8(d).\n"
		   "cost: computes the area, power and bandwidth of IPUs (IPU_lite and IPU_pro) that the paper "
		   "publishes in chapter 2 from the parts that it publishes, and lists those that differ. It "
		   "quotes the paper: nothing is synthesised or measured.\n"
		   "--plot needs gnuplot. Without gnuplot, data and scripts are still written.",
	.options = options,
	.run = run,
};
