#include "results/cores/pics_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/pics_internal.h"
#include "results/metrics/csv.h"
#include "sim/base/file.h"

static const char *lane_of(const struct pics_report *r, size_t result)
{
	return r->lanes ? r->lanes[result % r->nr_lanes] : NULL;
}

/* ---- CSV ---- */

static void csv_hex(struct textbuf *out, bool is_there, uint64_t value)
{
	char text[24] = "";
	if (is_there)
		snprintf(text, sizeof(text), "0x%" PRIx64, value);
	csv_string(out, text);
}

struct csv_writer {
	const struct pics_report *report;
	const struct pics_view *view;
	const char *scheme;
	size_t result; /* of report->results[] */
	struct textbuf *out;
};

static void csv_unit(const struct csv_writer *w, const struct pics_unit *u)
{
	const struct pics_view *v = w->view;
	const struct code_name *n = &v->names[u->insn];
	bool is_insn = v->by == PICS_INSTRUCTION, has_place = v->by != PICS_PROGRAM;
	csv_hex(w->out, true, v->stacks->insns[u->insn].pc);
	csv_u64(w->out, u->nr_insns);
	csv_string(w->out, has_place && n->place.module ? n->place.module : "");
	csv_string(w->out, has_place && n->place.function ? n->place.function : "");
	csv_hex(w->out, has_place && v->by != PICS_FUNCTION && n->place.function, n->place.function_offset);
	csv_string(w->out, has_place && n->file ? n->file : "");
	if (has_place && n->file && n->line > 0)
		csv_u64(w->out, n->line);
	else
		csv_string(w->out, "");
	csv_string(w->out, is_insn && n->text ? n->text : "");
}

static void csv_part(const struct csv_writer *w, const struct pics_unit *u, const struct pics_part *p)
{
	const struct pics_result *result = &w->report->results[w->result];
	char name[STACK_SIGNATURE_NAME_BYTES];
	csv_string(w->out, result->run->stream);
	csv_string(w->out, result->run->core);
	csv_string(w->out, result->run->config_hash);
	core_report_csv_sample(result->run->nr_sampled, w->out);
	if (w->report->lanes)
		csv_string(w->out, lane_of(w->report, w->result));
	csv_string(w->out, w->scheme);
	csv_unit(w, u);
	csv_string(w->out, signature_name(p->signature, name));
	csv_u64(w->out, p->cycles);
	csv_u64(w->out, w->view->stacks->units);
	if (p->executions > 0)
		csv_u64(w->out, p->executions);
	else
		csv_string(w->out, "");
	csv_end_row(w->out);
}

static void csv_parts(const struct csv_writer *w, const struct pics_parts *parts)
{
	for (size_t i = 0; i < pics_nr_shown(w->report, w->view); i++)
		for (size_t k = parts->first[i]; k < parts->first[i + 1]; k++)
			csv_part(w, &w->view->units[i], &parts->parts[k]);
}

static bool csv_result(const struct pics_report *r, size_t result, struct textbuf *out)
{
	const struct pics_result *x = &r->results[result];
	struct pics_view v;
	struct pics_schemes schemes = {0};
	bool ok = pics_view_init(&v, x->stacks, x->names, r->by) &&
		  (r->nr_schemes == 0 || pics_schemes_init(&schemes, r, x, &v));
	struct csv_writer w = {.report = r, .view = &v, .scheme = "exact", .result = result, .out = out};
	if (ok)
		csv_parts(&w, &v.parts);
	for (unsigned i = 0; i < schemes.nr && ok; i++) {
		w.scheme = stack_scheme_name(schemes.of[i].scheme);
		csv_parts(&w, &schemes.of[i].parts);
	}
	pics_schemes_release(&schemes);
	pics_view_release(&v);
	return ok;
}

bool pics_csv(const struct pics_report *r, struct textbuf *out)
{
	bool ok = true;
	if (r->ipu)
		return ipu_stacks_csv(r->ipu, r->top, out);
	textbuf_printf(out,
		       "stream,core,config_hash,sampled_epochs,%sscheme,pc,instructions,module,function,"
		       "function_offset,file,line,text,signature,units,units_per_cycle,executions\n",
		       r->lanes ? "lane," : "");
	for (size_t i = 0; i < r->nr * r->nr_lanes && ok; i++)
		ok = csv_result(r, i, out);
	return ok;
}

/* ---- JSON ---- */

static void json_hex(struct jwriter *j, const char *key, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	jwrite_string(j, key, text);
}

static void json_parts(struct jwriter *j, const char *key, const struct pics_parts *parts, size_t unit)
{
	char name[STACK_SIGNATURE_NAME_BYTES];
	jwrite_begin_array(j, key, false);
	for (size_t i = parts->first[unit]; i < parts->first[unit + 1]; i++) {
		const struct pics_part *p = &parts->parts[i];
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "signature", signature_name(p->signature, name));
		jwrite_u64(j, "units", p->cycles);
		if (p->executions > 0)
			jwrite_u64(j, "executions", p->executions);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void json_name(struct jwriter *j, const struct pics_view *v, const struct code_name *n)
{
	if (v->by == PICS_PROGRAM)
		return;
	if (n->place.module)
		jwrite_string(j, "module", n->place.module);
	if (n->place.function)
		jwrite_string(j, "function", n->place.function);
	if (n->place.function && v->by != PICS_FUNCTION)
		json_hex(j, "function_offset", n->place.function_offset);
	if (n->file)
		jwrite_string(j, "file", n->file);
	if (n->file && n->line > 0)
		jwrite_u64(j, "line", n->line);
	if (n->text && v->by == PICS_INSTRUCTION)
		jwrite_string(j, "text", n->text);
}

static void json_unit(struct jwriter *j, const struct pics_view *v, const struct pics_schemes *schemes, size_t unit)
{
	const struct pics_unit *u = &v->units[unit];
	jwrite_begin_object(j, NULL);
	json_hex(j, "pc", v->stacks->insns[u->insn].pc);
	jwrite_u64(j, "instructions", u->nr_insns);
	json_name(j, v, &v->names[u->insn]);
	jwrite_u64(j, "units", u->cycles);
	jwrite_double(j, "share", pics_pct(u->cycles, pics_total(v->stacks)) / 100);
	jwrite_u64(j, "executions", u->executions);
	json_parts(j, "stack", &v->parts, unit);
	if (schemes->nr > 0)
		jwrite_begin_object(j, "samples");
	for (unsigned i = 0; i < schemes->nr; i++)
		json_parts(j, stack_scheme_name(schemes->of[i].scheme), &schemes->of[i].parts, unit);
	if (schemes->nr > 0)
		jwrite_end_object(j);
	jwrite_end_object(j);
}

static void json_scheme(struct jwriter *j, const struct pics_scheme *x, const struct stack_samples *s)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "scheme", stack_scheme_name(x->scheme));
	jwrite_u64(j, "taken", s->of[x->kind].taken);
	jwrite_u64(j, "wrong_path", s->of[x->kind].wrong_path);
	jwrite_u64(j, "skipped", s->of[x->kind].skipped);
	jwrite_u64(j, "late", s->of[x->kind].late);
	jwrite_begin_flat_object(j, "error");
	for (enum pics_by by = 0; by < NR_PICS_BY; by++)
		jwrite_double(j, pics_by_words[by], x->error[by]);
	jwrite_end_object(j);
	jwrite_begin_flat_object(j, "chance_error");
	for (enum pics_by by = 0; by < NR_PICS_BY; by++)
		jwrite_double(j, pics_by_words[by], x->chance[by]);
	jwrite_end_object(j);
	jwrite_end_object(j);
}

static void json_schemes(struct jwriter *j, const struct pics_schemes *schemes, const struct stack_samples *s)
{
	if (schemes->nr == 0)
		return;
	jwrite_begin_flat_object(j, "sampling");
	jwrite_u64(j, "period_cycles", s->sampling.period);
	if (s->sampling.has_jitter)
		jwrite_u64(j, "jitter_seed", s->sampling.seed);
	jwrite_u64(j, "due", s->nr_due);
	jwrite_end_object(j);
	jwrite_begin_array(j, "schemes", false);
	for (unsigned i = 0; i < schemes->nr; i++)
		json_scheme(j, &schemes->of[i], s);
	jwrite_end_array(j);
}

static void json_head(struct jwriter *j, const struct pics_report *r, size_t result)
{
	const struct pics_result *x = &r->results[result];
	const struct stacks *s = x->stacks;
	uint64_t with, combined;
	pics_count_events(s, &with, &combined);
	jwrite_string(j, "stream", x->run->stream);
	jwrite_string(j, "core", x->run->core);
	jwrite_string(j, "config_hash", x->run->config_hash);
	core_report_json_sampling(j, x->run->nr_sampled, &x->run->sampling);
	if (r->lanes)
		jwrite_string(j, "lane", lane_of(r, result));
	jwrite_u64(j, "cycles", s->cycles);
	jwrite_u64(j, "instructions", s->instructions);
	jwrite_u64(j, "units_per_cycle", s->units);
	jwrite_begin_flat_object(j, "states");
	for (enum commit_state i = 0; i < NR_COMMIT_STATES; i++)
		jwrite_u64(j, commit_state_name(i), s->states[i]);
	jwrite_end_object(j);
	jwrite_u64(j, "p99_stall_without_events_below_cycles", pics_short_stall(s));
	jwrite_u64(j, "instructions_with_events", with);
	jwrite_u64(j, "instructions_with_several_events", combined);
}

static bool json_result(struct jwriter *j, const struct pics_report *r, size_t result)
{
	const struct pics_result *x = &r->results[result];
	struct pics_view v;
	struct pics_schemes schemes = {0};
	bool ok = pics_view_init(&v, x->stacks, x->names, r->by) &&
		  (r->nr_schemes == 0 || pics_schemes_init(&schemes, r, x, &v));
	jwrite_begin_object(j, NULL);
	json_head(j, r, result);
	if (ok) {
		json_schemes(j, &schemes, x->samples);
		jwrite_string(j, "by", pics_by_words[r->by]);
		jwrite_u64(j, "nr_stacks", v.nr);
		jwrite_begin_array(j, "stacks", false);
		for (size_t i = 0; i < pics_nr_shown(r, &v); i++)
			json_unit(j, &v, &schemes, i);
		jwrite_end_array(j);
		ok = !r->ipu || ipu_stacks_json(r->ipu, r->top, j);
	}
	jwrite_end_object(j);
	pics_schemes_release(&schemes);
	pics_view_release(&v);
	return ok;
}

bool pics_json(const struct pics_report *r, struct textbuf *out)
{
	struct jwriter j;
	bool ok = true;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", PICS_SCHEMA);
	jwrite_begin_array(&j, "results", false);
	for (size_t i = 0; i < r->nr * r->nr_lanes && ok; i++)
		ok = json_result(&j, r, i);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return ok;
}

/* ---- Folded stacks ---- */

/* A line of folded stacks: its frames, and cycles in units. */
struct fold {
	char *frames;
	uint64_t units;
	uint64_t count; /* cycles */
};

static int by_frames(const void *a, const void *b)
{
	return strcmp(((const struct fold *)a)->frames, ((const struct fold *)b)->frames);
}

/* A frame: what separates frames from each other and from the count becomes '_'. */
static void add_frame(struct textbuf *out, const char *text)
{
	for (; *text; text++)
		textbuf_putc(out, *text == ';' || *text == ' ' || (unsigned char)*text < ' ' ? '_' : *text);
}

static char *frames_of(const struct pics_result *x, const struct stack_cell *c)
{
	const struct code_name *n = &x->names[c->insn];
	const uint64_t pc = x->stacks->insns[c->insn].pc;
	struct textbuf out;
	char name[STACK_SIGNATURE_NAME_BYTES];
	textbuf_init(&out);
	add_frame(&out, base_name(x->run->stream));
	textbuf_putc(&out, ';');
	add_frame(&out, n->place.function ? n->place.function : n->place.module ? base_name(n->place.module) : "?");
	textbuf_putc(&out, ';');
	if (n->file && n->line > 0) {
		add_frame(&out, base_name(n->file));
		textbuf_printf(&out, ":%u", n->line);
	} else if (n->place.module) {
		textbuf_printf(&out, "+0x%" PRIx64,
			       n->place.function ? n->place.function_offset : n->place.module_offset);
	} else {
		textbuf_printf(&out, "0x%" PRIx64, pc);
	}
	textbuf_printf(&out, ";%s", signature_name(c->signature, name));
	return textbuf_detach(&out);
}

static size_t merge_folds(struct fold *folds, size_t nr)
{
	size_t kept = 0;
	qsort(folds, nr, sizeof(*folds), by_frames);
	for (size_t i = 0; i < nr; i++)
		if (kept > 0 && by_frames(&folds[kept - 1], &folds[i]) == 0) {
			folds[kept - 1].units += folds[i].units;
			free(folds[i].frames);
		} else {
			folds[kept++] = folds[i];
		}
	return kept;
}

struct remainder {
	uint64_t left;
	size_t fold;
};

static int largest_first(const void *a, const void *b)
{
	const struct remainder *x = a, *y = b;
	if (x->left != y->left)
		return x->left > y->left ? -1 : 1;
	return (x->fold > y->fold) - (x->fold < y->fold);
}

/* Rounds units to cycles: down, and then up those with the largest remainders. */
static bool round_folds(struct fold *folds, size_t nr, const struct stacks *s)
{
	uint64_t missing = s->cycles;
	struct remainder *remainders = calloc(nr + 1, sizeof(*remainders));
	if (!remainders)
		return false;
	for (size_t i = 0; i < nr; i++) {
		folds[i].count = folds[i].units / s->units;
		missing -= folds[i].count;
		remainders[i] = (struct remainder){folds[i].units % s->units, i};
	}
	qsort(remainders, nr, sizeof(*remainders), largest_first);
	for (size_t i = 0; i < nr && i < missing; i++)
		folds[remainders[i].fold].count++;
	free(remainders);
	return true;
}

static bool fold_result(const struct pics_result *x, struct textbuf *out)
{
	const struct stacks *s = x->stacks;
	struct fold *folds = calloc(s->nr_cells + 1, sizeof(*folds));
	size_t nr = 0;
	bool ok = folds != NULL;
	for (; ok && nr < s->nr_cells; nr += ok) {
		folds[nr] = (struct fold){.frames = frames_of(x, &s->cells[nr]), .units = s->cells[nr].cycles};
		ok = folds[nr].frames != NULL;
	}
	if (ok) {
		nr = merge_folds(folds, nr);
		ok = round_folds(folds, nr, s);
	}
	for (size_t i = 0; i < nr; i++) {
		if (ok && folds[i].count > 0)
			textbuf_printf(out, "%s %" PRIu64 "\n", folds[i].frames, folds[i].count);
		free(folds[i].frames);
	}
	free(folds);
	return ok;
}

bool pics_folded(const struct pics_report *r, struct textbuf *out)
{
	bool ok = true;
	for (size_t i = 0; i < r->nr && ok; i++)
		ok = fold_result(&r->results[i * r->nr_lanes], out);
	return ok;
}
