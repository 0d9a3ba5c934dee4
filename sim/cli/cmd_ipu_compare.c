/* sahm ipu compare */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/run_facts.h"
#include "results/metrics/run_metrics.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/policy_guard.h"

#define DEFAULT_CONFIG "configs/realistic-39.cfg"
#define SCHEMA "sahm-ipu-compare/1"

struct request {
	const char *config, *output;
	const char *trust; /* as given; then where it is */
	char trust_path[IPU_PATH_BYTES];
	struct settings settings;
	struct option_list images;
	enum output_form form;
	bool force;
	uint32_t stall_timeout_s;
	enum hart_engine engine;
};

static const char *const output_form_words[] = {
	[OUTPUT_TEXT] = "text", [OUTPUT_JSON] = "json", [OUTPUT_CSV] = "csv", NULL};

/* The configuration, then images. */
static enum sahm_status take_operand(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (r->config)
		return option_list_add(&r->images, w->value, err);
	r->config = w->value;
	return SAHM_OK;
}

static const struct option_row options[] = {
	{SET_OPTION("change the configuration; can be repeated (introspection.ipu_mhz=1000)")},
	{POLICY_OPTION},
	{SCX_SET_OPTION},
	{STALL_TIMEOUT_OPTION},
	{"trust", 0, "FILE", "the trust file that images must satisfy, instead of introspection.trust", OPTION_STRING,
	 AT(const char *, trust)},
	{"format", 0, "NAME", "text (the default), csv or json", OPTION_CHOICE, AT(enum output_form, form),
	 .what = "format", .words = output_form_words},
	{JSON_OPTION("print one JSON object: like --format json")},
	{CSV_OPTION("print CSV: like --format csv")},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{HART_ENGINE_OPTION("engine", engine)},
	{TAKE_OPERANDS(take_operand)},
};

/* Images that are compared where none is named. */
static const char *const default_images[] = {"classify", "classify-ewma", "predict", NULL};

/* What a classifier makes of the study. */
struct outcome {
	struct textbuf name;
	struct run_metrics metrics;
	double accurate_share;
	bool has_ipus; /* then also: */
	struct probe_counts counts;
	struct probe_metrics probes;
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	enum sahm_status status = refuse_overwriting(r->output, r->config, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->output, r->trust, err);
	for (size_t i = 0; i < r->images.nr && status == SAHM_OK; i++)
		status = refuse_overwriting(r->output, r->images.items[i], err);
	return status;
}

/* Timesteps whose thread was in the state in which its last one began: there the built-in classifier is right. */
static uint64_t count_unchanged(const struct run_result *result)
{
	uint64_t nr = 0;
	for (uint32_t t = 0; t < result->nr_threads; t++) {
		const struct run_thread_result *r = &result->threads[t];
		uint64_t first = r->counts.executed < r->nr_simulations ? r->counts.executed : r->nr_simulations;
		nr += r->counts.executed - first - r->counts.transitions;
	}
	return nr;
}

static enum sahm_status evaluate(const struct run_config *config, const char *name, struct outcome *o,
				 struct sahm_err *err)
{
	struct run_result result;
	struct textbuf faults;
	policy_guard_begin();
	enum sahm_status status = run_execute(config, SIM_EVENT, &result, err);
	policy_guard_end();
	if (status != SAHM_OK)
		return status;
	textbuf_puts(&o->name, name);
	status = run_metrics_of(&result, &o->metrics, err);
	uint64_t nr_accurate = config->oracle ? o->metrics.executed : count_unchanged(&result);
	/* In continuous time nobody counts them. */
	o->accurate_share =
		o->metrics.executed && !result.is_continuous ? (double)nr_accurate / (double)o->metrics.executed : NAN;
	o->has_ipus = config->introspection;
	for (uint32_t c = 0; c < result.nr_cores && o->has_ipus; c++)
		probe_counts_add(&o->counts, &result.probes[c]);
	if (o->has_ipus) {
		run_metrics_of_probe(config, &result, &o->counts, result.nr_cores, &o->probes);
		o->accurate_share = o->probes.accurate_share;
	}
	textbuf_init(&faults);
	if (run_facts_faults(&result, &faults))
		print_warning("%s: %s", name, faults.text);
	textbuf_release(&faults);
	run_result_release(&result);
	return status;
}

/* A setting of this command's own is not told as if somebody had typed it. */
static void drop_setting_from_error(const char *setting, struct sahm_err *err)
{
	static const char option[] = "--set ", colon[] = ": ";
	const size_t before = strlen(option), len = before + strlen(setting), behind = len + strlen(colon);
	if (strlen(err->msg) > behind && strncmp(err->msg, option, before) == 0 &&
	    strncmp(err->msg + before, setting, len - before) == 0 &&
	    strncmp(err->msg + len, colon, strlen(colon)) == 0)
		memmove(err->msg, err->msg + behind, strlen(err->msg + behind) + 1);
}

/* Appends to `all` what was asked for, then `more` (NULL at the end). */
static enum sahm_status add_settings(const struct request *r, const char *const *more, struct option_list *all,
				     struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->settings.list.nr && status == SAHM_OK; i++)
		status = option_list_add(all, r->settings.list.items[i], err);
	for (; *more && status == SAHM_OK; more++)
		status = option_list_add(all, *more, err);
	return status;
}

/* Loads the configuration with `image` in its place. */
static enum sahm_status load(const struct request *r, const char *image, struct run_config *config,
			     struct sahm_err *err)
{
	const char *data = data_folder();
	struct textbuf path, setting, trust;
	struct option_list all = {0};
	textbuf_init(&path);
	textbuf_init(&setting);
	textbuf_init(&trust);
	textbuf_printf(&path, "%s/%s", data, DEFAULT_CONFIG);
	textbuf_puts(&setting, "introspection.image=");
	cfg_write_string(&setting, image);
	textbuf_puts(&trust, "introspection.trust=");
	cfg_write_string(&trust, r->trust ? r->trust : "");
	const char *const own[] = {"scheduler.oracle=false", setting.text, r->trust ? trust.text : NULL, NULL};
	enum sahm_status status = textbuf_failed(&path) || textbuf_failed(&setting) || textbuf_failed(&trust)
					  ? sahm_fail_nomem(err)
					  : add_settings(r, own, &all, err);
	if (status == SAHM_OK) {
		status = run_config_load(config, r->config ? r->config : path.text, all.items, all.nr, data, err);
		if (status != SAHM_OK)
			drop_setting_from_error(setting.text, err);
	}
	free(all.items);
	textbuf_release(&path);
	textbuf_release(&setting);
	textbuf_release(&trust);
	return status;
}

/* Checks the images that follow the first one. */
static enum sahm_status check_others(const struct request *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 1; i < r->images.nr && status == SAHM_OK; i++) {
		struct run_config config;
		status = load(r, r->images.items[i], &config, err);
		if (status == SAHM_OK)
			run_config_release(&config);
	}
	return status;
}

/* Two classifiers without IPUs, then the images. */
static enum sahm_status evaluate_all(const struct request *r, struct outcome *outcomes, struct trace_counts *traces,
				     struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->images.nr && status == SAHM_OK; i++) {
		struct run_config config;
		status = load(r, r->images.items[i], &config, err);
		if (status != SAHM_OK)
			return status;
		if (r->engine == HART_INTERP)
			ipu_program_interpret(config.introspection->program);
		struct run_config without = config;
		without.introspection = NULL;
		if (i == 0) {
			*traces = trace_counts_of(&config);
			status = refuse_overwriting_inputs(r->output, &config, err);
			print_notes(&config.notes);
			/* Refuses images before anything runs. */
			if (status == SAHM_OK && config.introspection->trust)
				status = check_others(r, err);
			if (status == SAHM_OK)
				status = evaluate(&without, "built-in", &outcomes[0], err);
			without.oracle = true;
			if (status == SAHM_OK)
				status = evaluate(&without, "oracle", &outcomes[1], err);
		}
		if (status == SAHM_OK)
			status = evaluate(&config, config.introspection->name, &outcomes[2 + i], err);
		run_config_release(&config);
	}
	return status;
}

static void share_cell(struct table *t, double share, const char *format)
{
	if (isfinite(share))
		table_cell(t, format, 100 * share + 0.0);
	else
		table_cell(t, "-");
}

static void write_text(const struct outcome *outcomes, size_t nr, const struct trace_counts *traces, bool bold,
		       struct textbuf *out)
{
	static const char *const headings[] = {"classifier", "speedup",	 "matched",	"served",
					       "migrations", "accurate", "invocations", "instructions",
					       "B/s",	     "dropped",	 "rejected",	"faults"};
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, headings, ARRAY_SIZE(headings));
	for (size_t i = 0; i < nr; i++) {
		const struct outcome *o = &outcomes[i];
		table_row(&t, i == 0);
		table_cell(&t, "%s", o->name.text);
		share_cell(&t, o->metrics.speedup_system, "%+.2f %%");
		share_cell(&t, o->metrics.matched_share, "%.2f %%");
		share_cell(&t, o->metrics.served_share, "%.2f %%");
		table_cell(&t, "%" PRIu64, o->metrics.migrations);
		share_cell(&t, o->accurate_share, "%.2f %%");
		if (!o->has_ipus)
			continue;
		table_cell(&t, "%" PRIu64, o->counts.invocations);
		if (o->counts.invocations)
			table_cell(&t, "%.1f", o->probes.instructions_per_invocation);
		else
			table_cell(&t, "-");
		table_cell(&t, "%.1f", o->probes.bytes_per_s);
		table_cell(&t, "%" PRIu64, o->counts.dropped);
		table_cell(&t, "%" PRIu64, o->counts.rejected);
		table_cell(&t, "%" PRIu64, o->counts.nr_faults);
	}
	out->failed |= !table_write(&t, bold, out);
	table_release(&t);
	textbuf_puts(out, "\naccurate: executed timesteps whose thread was observed in the state in which they began; "
			  "instructions:\nper invocation; B/s: per core and simulated second; dropped: input sets that "
			  "came while the IPU was running;\nrejected: packets that are no state words; faults: IPUs "
			  "that went into ERROR\n");
	if (traces->nr_synthetic)
		textbuf_printf(out, "synthetic: %zu of %zu traces\n", traces->nr_synthetic, traces->nr);
	if (traces->nr_nominal)
		textbuf_printf(out, "assumed time base: %zu of %zu traces\n", traces->nr_nominal, traces->nr);
}

static void write_csv(const struct outcome *outcomes, size_t nr, const struct trace_counts *traces, struct textbuf *out)
{
	textbuf_puts(out, "classifier,speedup,matched_share,served_share,migrations,accurate_share,invocations,"
			  "instructions,bytes_per_s,dropped_sets,rejected_packets,faults,synthetic,nominal_time\n");
	for (size_t i = 0; i < nr; i++) {
		const struct outcome *o = &outcomes[i];
		const uint64_t last[] = {o->counts.dropped, o->counts.rejected, o->counts.nr_faults};
		csv_string(out, o->name.text);
		csv_double(out, o->metrics.speedup_system);
		csv_double(out, o->metrics.matched_share);
		csv_double(out, o->metrics.served_share);
		csv_u64(out, o->metrics.migrations);
		csv_double(out, o->accurate_share);
		for (int empty = 0; empty < 6 && !o->has_ipus; empty++)
			csv_double(out, NAN);
		if (o->has_ipus) {
			csv_u64(out, o->counts.invocations);
			csv_u64(out, o->counts.instructions);
			csv_double(out, o->probes.bytes_per_s);
		}
		for (size_t k = 0; k < ARRAY_SIZE(last) && o->has_ipus; k++)
			csv_u64(out, last[k]);
		csv_string(out, traces->nr_synthetic ? "yes" : "no");
		csv_string(out, traces->nr_nominal ? "yes" : "no");
		csv_end_row(out);
	}
}

static void write_json(const struct outcome *outcomes, size_t nr, const struct trace_counts *traces,
		       struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_bool(&j, "synthetic", traces->nr_synthetic > 0);
	jwrite_bool(&j, "nominal_time", traces->nr_nominal > 0);
	jwrite_begin_array(&j, "classifiers", false);
	for (size_t i = 0; i < nr; i++) {
		const struct outcome *o = &outcomes[i];
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "classifier", o->name.text);
		jwrite_double(&j, "speedup", o->metrics.speedup_system);
		jwrite_double(&j, "matched_share", o->metrics.matched_share);
		jwrite_double(&j, "served_share", o->metrics.served_share);
		jwrite_u64(&j, "migrations", o->metrics.migrations);
		jwrite_double(&j, "accurate_share", o->accurate_share);
		if (o->has_ipus) {
			jwrite_u64(&j, "invocations", o->counts.invocations);
			jwrite_u64(&j, "instructions", o->counts.instructions);
			jwrite_double(&j, "bytes_per_s", o->probes.bytes_per_s);
			jwrite_u64(&j, "dropped_sets", o->counts.dropped);
			jwrite_u64(&j, "rejected_packets", o->counts.rejected);
			jwrite_u64(&j, "faults", o->counts.nr_faults);
		}
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

static enum sahm_status compare(struct request *r, struct sahm_err *err)
{
	for (size_t i = 0; r->images.nr == i && default_images[i]; i++)
		if (option_list_add(&r->images, default_images[i], err) != SAHM_OK)
			return err->status;
	size_t nr = r->images.nr + 2;
	struct outcome *outcomes = calloc(nr, sizeof(*outcomes));
	struct trace_counts traces = {0};
	struct textbuf out;
	if (!outcomes)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr; i++)
		textbuf_init(&outcomes[i].name);
	textbuf_init(&out);
	enum sahm_status status = SAHM_OK;
	if (r->trust) {
		status = check_ipu_trust(r->trust, r->trust_path, err);
		r->trust = r->trust_path;
	}
	if (status == SAHM_OK)
		status = evaluate_all(r, outcomes, &traces, err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++)
		if (textbuf_failed(&outcomes[i].name))
			status = sahm_fail_nomem(err);
	if (status == SAHM_OK && r->form == OUTPUT_TEXT)
		write_text(outcomes, nr, &traces, bold_output(r->output), &out);
	else if (status == SAHM_OK)
		(r->form == OUTPUT_CSV ? write_csv : write_json)(outcomes, nr, &traces, &out);
	if (status == SAHM_OK && textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r->output, r->force, r->form, &out, err);
	textbuf_release(&out);
	for (size_t i = 0; i < nr; i++)
		textbuf_release(&outcomes[i].name);
	free(outcomes);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = compare(&r, err);
	settings_release(&r.settings);
	free(r.images.items);
	return status;
}

extern const struct command command_ipu_compare;
const struct command command_ipu_compare = {
	.name = "ipu compare",
	.operands = "[CONFIG [IMAGE...]]",
	.summary = "compare what schedulers gain from introspection programs",
	.details = "Runs CONFIG several times, with different sources of the threads' states: the built-in "
		   "classifier, the oracle, and IPUs that run each IMAGE (in place of introspection.image). "
		   "Without CONFIG it takes the paper's realistic system. An IMAGE is a file or the name of a "
		   "shipped program; without any, these are classify, classify-ewma and predict. With a trust "
		   "file, nothing runs unless every image is accepted.\n"
		   "Each source gets a row: speedup of the system, the shares of executed timesteps that "
		   "matched and were served, migrations, the share of timesteps whose state was known at their "
		   "beginning, and what the IPUs spent on it.",
	.options = options,
	.run = run,
};
