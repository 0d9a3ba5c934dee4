/* sahm core list, show */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/core_storage.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"
#include "sim/cli/shipped_file.h"

struct request {
	enum output_form form;
	const char *core;
	struct settings settings;
};

static const struct option_row list_options[] = {
	{JSON_OPTION("print one JSON object")},
	{NO_OPERANDS("sahm core list")},
};

static const struct option_row show_options[] = {
	{SET_OPTION("change a value; can be repeated")},
	{ONE_OPERAND(core, "core", "a core is missing: sahm core show NAME (sahm core list shows the names)")},
};

/* ---- list ---- */

typedef enum sahm_status core_fn(void *ctx, const char *name, const struct core_model *model, struct sahm_err *err);

struct core_walk {
	core_fn *take;
	void *ctx;
	enum sahm_status status;
	struct sahm_err *err;
};

static void visit_core(void *ctx, const char *name)
{
	static const struct option_list no_settings;
	struct core_walk *w = ctx;
	struct core_model model;
	if (w->status == SAHM_OK)
		w->status = core_request_model(name, &no_settings, &model, w->err);
	if (w->status == SAHM_OK)
		w->status = w->take(w->ctx, name, &model, w->err);
}

/* Calls `take` for each model in the data folder, in the order of their names. */
static enum sahm_status each_core(core_fn *take, void *ctx, struct sahm_err *err)
{
	struct core_walk w = {take, ctx, SAHM_OK, err};
	if (shipped_each(&shipped_cores, data_folder(), visit_core, &w))
		return w.status;
	if (errno == ENOMEM)
		return sahm_fail_nomem(err);
	sahm_fail(err, SAHM_IO, "cannot read the models of cores in '%s/%s'", data_folder(), shipped_cores.folder);
	explain_data_folder(err);
	return SAHM_IO;
}

static enum sahm_status add_row(void *ctx, const char *name, const struct core_model *m, struct sahm_err *err)
{
	struct table *t = ctx;
	const struct core_timing *c = &m->timing;
	const struct core_geometry *g = &m->geometry;
	bool is_in_order = c->kind == CORE_IN_ORDER;
	(void)err;
	table_row(t, t->first && t->first == t->last);
	table_cell(t, "%s", name);
	table_cell(t, "%s", core_kind_name((enum core_kind)c->kind));
	table_cell(t, "%u", is_in_order ? c->issue_width : c->dispatch_width);
	table_cell(t, is_in_order ? "-" : "%u", c->rob);
	table_cell(t, "%" PRIu32, g->l1i.bytes / 1024);
	table_cell(t, "%" PRIu32, g->l1d.bytes / 1024);
	table_cell(t, "%" PRIu32, g->l2.bytes / 1024);
	table_cell(t, g->llc.bytes > 0 ? "%" PRIu32 : "-", g->llc.bytes / 1024);
	table_cell(t, "%u", c->mshrs);
	table_cell(t, "%s", predictor_kind_name((enum predictor_kind)g->predictor.kind));
	table_cell(t, "%s", m->name);
	return SAHM_OK;
}

static enum sahm_status list_text(struct textbuf *out, struct sahm_err *err)
{
	static const char *const heads[] = {"core",   "kind",	 "width", "ROB",       "L1I KiB",	 "L1D KiB",
					    "L2 KiB", "LLC KiB", "MSHRs", "predictor", "name in results"};
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 9 | 1u << 10;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	enum sahm_status status = each_core(add_row, &t, err);
	if (status == SAHM_OK && !table_write(&t, bold_output(NULL), out))
		status = sahm_fail_nomem(err);
	table_release(&t);
	return status;
}

static enum sahm_status add_object(void *ctx, const char *name, const struct core_model *m, struct sahm_err *err)
{
	struct jwriter *j = ctx;
	char hash[HASH_HEX_BYTES];
	enum sahm_status status = core_model_hash(m, hash, err);
	if (status != SAHM_OK)
		return status;
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "core", name);
	jwrite_string(j, "name", m->name);
	jwrite_string(j, "kind", core_kind_name((enum core_kind)m->timing.kind));
	jwrite_string(j, "source", m->source);
	jwrite_string(j, "config_hash", hash);
	jwrite_end_object(j);
	return SAHM_OK;
}

static enum sahm_status list_json(struct textbuf *out, struct sahm_err *err)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_begin_array(&j, "cores", false);
	enum sahm_status status = each_core(add_object, &j, err);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return status;
}

static enum sahm_status run_list(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct textbuf out;
	enum sahm_status status = options_parse(list_options, args, &r, err);
	textbuf_init(&out);
	if (status == SAHM_OK)
		status = (r.form == OUTPUT_JSON ? list_json : list_text)(&out, err);
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r.form, &out, err);
	textbuf_release(&out);
	return status;
}

/* ---- show ---- */

static enum sahm_status run_show(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_model model;
	struct textbuf out;
	enum sahm_status status = options_parse(show_options, args, &r, err);
	textbuf_init(&out);
	if (status == SAHM_OK)
		status = core_request_model(r.core, &r.settings.list, &model, err);
	if (status == SAHM_OK) {
		core_model_write(&model, &out);
		core_storage_write(&model.geometry, &out);
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &out, err);
	}
	textbuf_release(&out);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_list, command_core_show;

const struct command command_core_list = {
	.name = "core list",
	.operands = "",
	.summary = "list the shipped models of cores",
	.details =
		"These models compute cycles from instruction streams (sahm core time). Types of cores whose speedups "
		"are numbers, which chips of sahm run consist of, are listed by sahm help cores.",
	.options = list_options,
	.run = run_list,
};

const struct command command_core_show = {
	.name = "core show",
	.operands = "NAME|FILE",
	.summary = "print every value of a model of a core, as a file",
	.details = "The output is a complete model: saved to a file and given as --core FILE, it runs the same core.",
	.options = show_options,
	.run = run_show,
};
