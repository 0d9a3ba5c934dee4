/* Figures of cycle stacks (paper TEA, figures 6 and 11). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/cores/pics_internal.h"
#include "sim/base/file.h"

static const char *const figures[] = {"pics_stacks", NULL};
static const char *const lane_figures[] = {"pics_remedies", "pics_speedup", NULL};

const char *const *pics_figure_names(bool has_lanes)
{
	return has_lanes ? lane_figures : figures;
}

/* Signatures that have a colour each; the others share one. */
#define MAX_SERIES 10u
/* Characters of a function's name in a label. */
#define MAX_FUNCTION 14

/* Bars of the same units: exact, by a scheme, in a lane. */
struct bars {
	size_t nr_rows;
	bool failed;			 /* memory was short */
	struct textbuf *labels;		 /* [nr_rows] */
	const char **texts;		 /* [nr_rows] */
	double (*shares)[NR_SIGNATURES]; /* [nr_rows] */
	unsigned nr_series;
	char names[MAX_SERIES + 1][STACK_SIGNATURE_NAME_BYTES];
	const char *series[MAX_SERIES + 1];
	double *values; /* [nr_rows][nr_series] */
};

static bool init_bars(struct bars *b, size_t nr_rows)
{
	*b = (struct bars){.labels = calloc(nr_rows + 1, sizeof(*b->labels)),
			   .texts = calloc(nr_rows + 1, sizeof(*b->texts)),
			   .shares = calloc(nr_rows + 1, sizeof(*b->shares)),
			   .values = calloc((nr_rows + 1) * (MAX_SERIES + 1), sizeof(*b->values))};
	return b->labels && b->texts && b->shares && b->values;
}

static void release_bars(struct bars *b)
{
	for (size_t i = 0; i < b->nr_rows; i++)
		textbuf_release(&b->labels[i]);
	free(b->labels);
	free(b->texts);
	free(b->shares);
	free(b->values);
}

/* Short: a word follows, and labels are cut. */
static void label_unit(const struct pics_view *v, const struct pics_unit *u, const char *program, struct textbuf *out)
{
	const struct function_place *place = &v->names[u->insn].place;
	bool is_short = place->function && strlen(place->function) <= MAX_FUNCTION;
	if (v->by == PICS_PROGRAM)
		textbuf_puts(out, program);
	else if (v->by == PICS_FUNCTION && place->function)
		textbuf_printf(out, "%.*s", MAX_FUNCTION, place->function);
	else if (is_short)
		textbuf_printf(out, "%s+0x%" PRIx64, place->function, place->function_offset);
	else
		textbuf_printf(out, "0x%" PRIx64, v->stacks->insns[u->insn].pc);
}

static void add_row(struct bars *b, const struct pics_view *v, size_t named, const struct pics_parts *parts,
		    size_t unit, uint64_t total, const char *program, const char *word)
{
	struct textbuf *label = &b->labels[b->nr_rows];
	textbuf_init(label);
	label_unit(v, &v->units[named], program, label);
	textbuf_printf(label, "%s%s", *word ? " " : "", word);
	b->texts[b->nr_rows] = label->text;
	b->failed |= textbuf_failed(label);
	for (size_t i = parts->first[unit]; i < parts->first[unit + 1]; i++)
		b->shares[b->nr_rows][parts->parts[i].signature] += pics_pct(parts->parts[i].cycles, total);
	b->nr_rows++;
}

static double size_of(const struct bars *b, unsigned signature)
{
	double sum = 0;
	for (size_t i = 0; i < b->nr_rows; i++)
		sum += b->shares[i][signature];
	return sum;
}

/* The largest signatures, in the order of their numbers, and one series of all others. */
static void choose_series(struct bars *b)
{
	bool is_taken[NR_SIGNATURES] = {false}, any_left = false;
	char name[STACK_SIGNATURE_NAME_BYTES];
	for (unsigned nr = 0; nr < MAX_SERIES; nr++) {
		unsigned most = NR_SIGNATURES;
		for (unsigned k = 0; k < NR_SIGNATURES; k++)
			if (!is_taken[k] && size_of(b, k) > 0 &&
			    (most == NR_SIGNATURES || size_of(b, k) > size_of(b, most)))
				most = k;
		if (most < NR_SIGNATURES)
			is_taken[most] = true;
	}
	for (unsigned k = 0; k < NR_SIGNATURES; k++) {
		any_left |= !is_taken[k] && size_of(b, k) > 0;
		if (is_taken[k])
			snprintf(b->names[b->nr_series++], STACK_SIGNATURE_NAME_BYTES, "%s", signature_name(k, name));
	}
	if (any_left)
		snprintf(b->names[b->nr_series++], STACK_SIGNATURE_NAME_BYTES, "others");
	for (unsigned i = 0; i < b->nr_series; i++)
		b->series[i] = b->names[i];
	for (size_t i = 0; i < b->nr_rows; i++) {
		double *row = b->values + i * b->nr_series;
		unsigned at = 0;
		for (unsigned k = 0; k < NR_SIGNATURES; k++)
			if (is_taken[k])
				row[at++] = b->shares[i][k];
			else if (any_left)
				row[b->nr_series - 1] += b->shares[i][k];
	}
}

static void draw_bars(struct bars *b, const struct pics_result *result, const char *title, const char *axis,
		      struct figure *f)
{
	char subtitle[160];
	snprintf(subtitle, sizeof(subtitle), "%.60s on %.60s", base_name(result->run->stream), result->run->core);
	choose_series(b);
	const struct chart c = {.title = title,
				.subtitle = subtitle,
				.value_axis = axis,
				.value_key = "cycles_pct",
				.row_key = "stack",
				.row_words = "stacks",
				.unit = "%"};
	const struct chart_bars bars = {.labels = b->texts,
					.nr_rows = b->nr_rows,
					.series = b->series,
					.nr_series = b->nr_series,
					.values = b->values,
					.is_stacked = true};
	chart_bars(&c, &bars, f);
}

/* ---- Exact stacks and schemes ---- */

static bool add_schemes(struct bars *b, const struct pics_report *r, const struct pics_result *result,
			const struct pics_view *v, const struct pics_schemes *schemes)
{
	const char *program = base_name(result->run->stream);
	size_t nr = pics_nr_shown(r, v);
	if (!init_bars(b, nr * (1 + schemes->nr)))
		return false;
	for (size_t i = 0; i < nr; i++) {
		add_row(b, v, i, &v->parts, i, pics_total(v->stacks), program, schemes->nr > 0 ? "exact" : "");
		for (unsigned k = 0; k < schemes->nr; k++)
			add_row(b, v, i, &schemes->of[k].parts, i, schemes->of[k].total, program,
				stack_scheme_name(schemes->of[k].scheme));
	}
	return !b->failed;
}

static bool draw_stacks(const struct pics_report *r, struct figure *f)
{
	const struct pics_result *result = &r->results[0];
	struct pics_view v;
	struct pics_schemes schemes = {0};
	struct bars b = {0};
	bool ok = pics_view_init(&v, result->stacks, result->names, r->by) &&
		  (r->nr_schemes == 0 || pics_schemes_init(&schemes, r, result, &v)) &&
		  add_schemes(&b, r, result, &v, &schemes);
	if (ok)
		draw_bars(&b, result, "The highest cycle stacks", "% of all cycles", f);
	release_bars(&b);
	pics_schemes_release(&schemes);
	pics_view_release(&v);
	return ok;
}

/* ---- Remedies ---- */

static bool add_lanes(struct bars *b, const struct pics_report *r, const struct pics_view *views)
{
	const char *program = base_name(r->results[0].run->stream);
	size_t nr = pics_nr_shown(r, &views[0]), *order = pics_lane_order(views, r->nr_lanes);
	if (!order || !init_bars(b, nr * r->nr_lanes)) {
		free(order);
		return false;
	}
	for (size_t i = 0; i < nr; i++) {
		uint64_t pc = views[0].stacks->insns[views[0].units[order[i]].insn].pc;
		for (size_t k = 0; k < r->nr_lanes; k++)
			add_row(b, &views[0], order[i], &views[k].parts, pics_unit_at(&views[k], pc),
				pics_total(views[0].stacks), program, r->lanes[k]);
	}
	free(order);
	return !b->failed;
}

static bool draw_lanes(const struct pics_report *r, struct figure *f)
{
	struct pics_view *views = calloc(r->nr_lanes, sizeof(*views));
	struct bars b = {0};
	bool ok = views != NULL;
	for (size_t k = 0; k < r->nr_lanes && ok; k++)
		ok = pics_view_init(&views[k], r->results[k].stacks, r->results[k].names, r->by);
	ok = ok && add_lanes(&b, r, views);
	if (ok)
		draw_bars(&b, &r->results[0], "Cycle stacks with remedies", "% of all cycles without remedies", f);
	release_bars(&b);
	for (size_t k = 0; views && k < r->nr_lanes; k++)
		pics_view_release(&views[k]);
	free(views);
	return ok;
}

static bool draw_speedups(const struct pics_report *r, struct figure *f)
{
	static const char *const series[] = {"speedup"};
	double *values = calloc(r->nr_lanes, sizeof(*values));
	char subtitle[160];
	for (size_t k = 0; values && k < r->nr_lanes; k++)
		values[k] = (double)r->results[0].stacks->cycles / (double)r->results[k].stacks->cycles;
	snprintf(subtitle, sizeof(subtitle), "%.60s on %.60s", base_name(r->results[0].run->stream),
		 r->results[0].run->core);
	const struct chart c = {.title = "Speedup by remedies",
				.subtitle = subtitle,
				.value_axis = "speedup",
				.value_key = "speedup",
				.row_key = "lane",
				.row_words = "lanes",
				.unit = ""};
	const struct chart_bars bars = {.labels = r->lanes,
					.nr_rows = r->nr_lanes,
					.series = series,
					.nr_series = 1,
					.values = values,
					.numbers = true};
	if (values)
		chart_bars(&c, &bars, f);
	free(values);
	return values != NULL;
}

enum sahm_status pics_plot_write(const struct pics_report *r, const char *folder, struct sahm_err *err)
{
	static bool (*const draw[])(const struct pics_report *, struct figure *) = {draw_lanes, draw_speedups};
	const char *const *names = pics_figure_names(r->lanes != NULL);
	enum sahm_status status = file_make_folder(folder, err);
	for (unsigned i = 0; names[i] && status == SAHM_OK; i++) {
		struct figure f;
		figure_init(&f, names[i]);
		bool ok = r->lanes ? draw[i](r, &f) : draw_stacks(r, &f);
		status = ok ? figure_write(&f, folder, err) : sahm_fail_nomem(err);
		figure_release(&f);
	}
	return status;
}
