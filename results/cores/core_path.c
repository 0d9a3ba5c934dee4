#include "results/cores/core_path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/core_path_internal.h"
#include "results/metrics/csv.h"

/* ---- Causes of several cores, and sums of streams ---- */

static bool add_name(struct path_view *v, size_t core, unsigned cause)
{
	char name[PATH_CAUSE_NAME_BYTES];
	size_t at = 0;
	path_cause_name(&v->report->results[core].model->timing, cause, name);
	while (at < v->nr_names && strcmp(v->names[at].name, name) != 0)
		at++;
	v->name_of[core][cause] = (uint32_t)at;
	if (at < v->nr_names)
		return true;
	struct path_name *bigger = realloc(v->names, (v->nr_names + 1) * sizeof(*bigger));
	if (!bigger)
		return false;
	v->names = bigger;
	memcpy(bigger[at].name, name, sizeof(name));
	bigger[at].is_front_end = path_cause_is_front_end(cause);
	v->nr_names++;
	return true;
}

static void add_paths(struct core_counts *sum, const struct core_counts *c)
{
	sum->timing.instructions += c->timing.instructions;
	sum->timing.cycles += c->timing.cycles;
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		sum->path.cycles[i] += c->path.cycles[i];
	sum->path.windows += c->path.windows;
	sum->path.cuts += c->path.cuts;
}

bool path_view_init(struct path_view *v, const struct path_report *report)
{
	*v = (struct path_view){.report = report, .nr_folders = SIZE_MAX};
	for (size_t k = 0; k < report->nr_streams; k++)
		v->nr_folders = core_report_shared_folders(report->results[0].stream,
							   report->results[k * report->nr_cores].stream, v->nr_folders);
	v->sums = calloc(report->nr_cores, sizeof(*v->sums));
	v->name_of = calloc(report->nr_cores, sizeof(*v->name_of));
	if (!v->sums || !v->name_of)
		return false;
	for (unsigned cause = 0; cause < NR_PATH_CAUSES; cause++)
		for (size_t i = 0; i < report->nr_cores; i++)
			if (path_cause_is_there(&report->results[i].model->timing, cause) && !add_name(v, i, cause))
				return false;
	for (size_t i = 0; i < report->nr_cores; i++) {
		v->sums[i] = report->results[i];
		v->sums[i].stream = "all streams";
		v->sums[i].counts = (struct core_counts){0};
		for (size_t k = 0; k < report->nr_streams; k++)
			add_paths(&v->sums[i].counts, &report->results[k * report->nr_cores + i].counts);
	}
	return true;
}

void path_view_release(struct path_view *v)
{
	free(v->sums);
	free(v->names);
	free(v->name_of);
}

const struct core_result *path_view_result(const struct path_view *v, size_t stream, size_t core)
{
	const struct path_report *r = v->report;
	return stream < r->nr_streams ? &r->results[stream * r->nr_cores + core] : &v->sums[core];
}

void path_view_cycles(const struct path_view *v, size_t core, const struct path_counts *p, uint64_t *cycles)
{
	const struct core_timing *t = &v->report->results[core].model->timing;
	for (size_t i = 0; i < v->nr_names; i++)
		cycles[i] = CAUSE_NOT_THERE;
	for (unsigned cause = 0; cause < NR_PATH_CAUSES; cause++)
		if (path_cause_is_there(t, cause))
			cycles[v->name_of[core][cause]] = p->cycles[cause];
}

const char *path_stream_name(const struct path_view *v, size_t stream)
{
	const struct core_result *r = path_view_result(v, stream, 0);
	return r->stream + (stream < v->report->nr_streams ? v->nr_folders : 0);
}

/* ---- CSV ---- */

static void csv_causes(const struct core_result *r, bool is_sum, const struct core_epoch *e, struct textbuf *out)
{
	const struct core_counts *c = e ? &e->counts : &r->counts;
	for (unsigned cause = 0; cause < NR_PATH_CAUSES; cause++) {
		char name[PATH_CAUSE_NAME_BYTES];
		if (c->path.cycles[cause] == 0)
			continue;
		csv_string(out, is_sum ? "" : r->stream);
		csv_string(out, r->core);
		if (r->nr_settings > 0)
			core_report_csv_settings(r, out);
		csv_string(out, r->config_hash);
		core_report_csv_sample(is_sum ? 0 : r->nr_sampled, out);
		if (e)
			csv_u64(out, e->number);
		else
			csv_string(out, "");
		csv_u64(out, c->timing.instructions);
		csv_string(out, path_cause_name(&r->model->timing, cause, name));
		csv_string(out, path_cause_is_front_end(cause) ? "true" : "false");
		csv_u64(out, c->path.cycles[cause]);
		csv_end_row(out);
	}
}

bool path_csv(const struct path_report *report, struct textbuf *out)
{
	struct path_view v;
	bool ok = path_view_init(&v, report), has_epochs = report->results[0].epochs != NULL;
	textbuf_puts(out, report->results[0].nr_settings > 0 ? "stream,core,settings" : "stream,core");
	textbuf_puts(out, ",config_hash,sampled_epochs,epoch,instructions,cause,front_end,cycles\n");
	for (size_t i = 0; ok && i < report->nr_streams * report->nr_cores; i++) {
		const struct core_result *r = &report->results[i];
		for (uint64_t e = 0; e < r->nr_epochs; e++)
			csv_causes(r, false, &r->epochs[e], out);
		if (!has_epochs)
			csv_causes(r, false, NULL, out);
	}
	for (size_t i = 0; ok && report->nr_streams > 1 && !has_epochs && i < report->nr_cores; i++)
		csv_causes(&v.sums[i], true, NULL, out);
	path_view_release(&v);
	return ok;
}

/* ---- JSON ---- */

static void json_counts(struct jwriter *j, const struct core_result *r, const struct core_counts *c)
{
	jwrite_u64(j, "instructions", c->timing.instructions);
	jwrite_u64(j, "cycles", c->timing.cycles);
	jwrite_double(j, "cpi", (double)c->timing.cycles / (double)c->timing.instructions);
	jwrite_u64(j, "front_end", path_front_end(&c->path));
	jwrite_begin_flat_object(j, "causes");
	for (unsigned cause = 0; cause < NR_PATH_CAUSES; cause++) {
		char name[PATH_CAUSE_NAME_BYTES];
		if (c->path.cycles[cause] > 0)
			jwrite_u64(j, path_cause_name(&r->model->timing, cause, name), c->path.cycles[cause]);
	}
	jwrite_end_object(j);
	jwrite_u64(j, "windows", c->path.windows);
	jwrite_u64(j, "cuts", c->path.cuts);
}

static void json_address(struct jwriter *j, const char *key, uint64_t address)
{
	struct textbuf text;
	textbuf_init(&text);
	textbuf_printf(&text, "0x%" PRIx64, address);
	jwrite_string(j, key, text.text);
	textbuf_release_part(&text, j->out);
}

/* Members of the present object. */
static void json_place(struct jwriter *j, const struct path_place *p)
{
	json_address(j, "pc", p->pc);
	if (!p->file)
		return;
	jwrite_string(j, "file", p->file);
	json_address(j, "offset", p->offset);
}

static void json_instruction(struct jwriter *j, const struct core_result *r, const struct path_instruction *in)
{
	char name[PATH_CAUSE_NAME_BYTES];
	jwrite_begin_flat_object(j, NULL);
	json_place(j, &in->place);
	jwrite_u64(j, "cycles", in->cycles);
	jwrite_begin_flat_object(j, "main_causes");
	for (unsigned i = 0; i < in->nr_causes; i++)
		jwrite_u64(j, path_cause_name(&r->model->timing, in->causes[i], name), in->of_cause[i]);
	jwrite_end_object(j);
	jwrite_end_object(j);
}

static void json_edge(struct jwriter *j, const struct core_result *r, const struct path_top_edge *e)
{
	char name[PATH_CAUSE_NAME_BYTES];
	jwrite_begin_flat_object(j, NULL);
	jwrite_begin_flat_object(j, "from");
	json_place(j, &e->from);
	jwrite_end_object(j);
	jwrite_begin_flat_object(j, "to");
	json_place(j, &e->to);
	jwrite_end_object(j);
	jwrite_string(j, "cause", path_cause_name(&r->model->timing, e->cause, name));
	jwrite_u64(j, "cycles", e->cycles);
	jwrite_u64(j, "times", e->times);
	jwrite_end_object(j);
}

static void json_tops(struct jwriter *j, const struct core_result *r, const struct path_tops *t)
{
	jwrite_begin_array(j, "top_instructions", false);
	for (size_t i = 0; i < t->nr_instructions; i++)
		json_instruction(j, r, &t->instructions[i]);
	jwrite_end_array(j);
	jwrite_begin_array(j, "top_edges", false);
	for (size_t i = 0; i < t->nr_edges; i++)
		json_edge(j, r, &t->edges[i]);
	jwrite_end_array(j);
	jwrite_bool(j, "all_edges_known", !t->is_part);
}

static void json_epochs(struct jwriter *j, const struct core_result *r)
{
	jwrite_begin_array(j, "epochs", false);
	for (uint64_t e = 0; e < r->nr_epochs; e++) {
		jwrite_begin_object(j, NULL);
		jwrite_u64(j, "epoch", r->epochs[e].number);
		json_counts(j, r, &r->epochs[e].counts);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void json_core(struct jwriter *j, const struct core_result *r)
{
	jwrite_string(j, "core", r->core);
	jwrite_string(j, "core_name", r->model->name);
	jwrite_string(j, "config_hash", r->config_hash);
	core_report_json_settings(j, r);
}

bool path_json(const struct path_report *report, struct textbuf *out)
{
	struct path_view v;
	struct jwriter j;
	bool ok = path_view_init(&v, report);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", PATH_SCHEMA);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; ok && i < report->nr_streams * report->nr_cores; i++) {
		const struct core_result *r = &report->results[i];
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", r->stream);
		json_core(&j, r);
		core_report_json_sampling(&j, r->nr_sampled, &r->sampling);
		json_counts(&j, r, &r->counts);
		if (report->tops)
			json_tops(&j, r, &report->tops[i]);
		if (r->epochs)
			json_epochs(&j, r);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	if (report->nr_streams > 1) {
		jwrite_begin_array(&j, "all", false);
		for (size_t i = 0; ok && i < report->nr_cores; i++) {
			jwrite_begin_object(&j, NULL);
			json_core(&j, &v.sums[i]);
			json_counts(&j, &v.sums[i], &v.sums[i].counts);
			jwrite_end_object(&j);
		}
		jwrite_end_array(&j);
	}
	jwrite_end_object(&j);
	jwrite_finish(&j);
	path_view_release(&v);
	return ok;
}
