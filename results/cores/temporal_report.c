#include "results/cores/temporal_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/cores/tma_report_internal.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "sim/base/array.h"
#include "sim/base/file.h"

const char recoveries_figure_name[] = "recoveries";

/* Those whose shares the bound is compared with. */
static const enum tma_kind kinds[] = {TMA_PUBLISHED, TMA_EXACT};
static const enum tma_class classes[] = {TMA_FRONTEND, TMA_BADSPEC};

/* The results, and of several streams their sums. */
struct view {
	const struct temporal_report *report;
	struct tma_report tma; /* of the results' windows */
	struct tma_result *windows;
	struct tma_view names;
	struct temporal_counts *sums; /* [nr_cores] */
};

static bool add_lengths(struct temporal_counts *sum, const struct temporal_counts *c)
{
	if (c->nr_lengths > sum->nr_lengths) {
		uint64_t *grown = realloc((void *)sum->of_length, c->nr_lengths * sizeof(*grown));
		if (!grown)
			return false;
		memset(grown + sum->nr_lengths, 0, (c->nr_lengths - sum->nr_lengths) * sizeof(*grown));
		sum->of_length = grown;
		sum->nr_lengths = c->nr_lengths;
	}
	for (size_t i = 0; i < c->nr_lengths; i++)
		((uint64_t *)sum->of_length)[i] += c->of_length[i];
	sum->cycles += c->cycles;
	sum->doubtful += c->doubtful;
	sum->recoveries += c->recoveries;
	return true;
}

static bool view_init(struct view *v, const struct temporal_report *report)
{
	size_t nr = report->nr_streams * report->nr_cores;
	bool ok = true;
	*v = (struct view){.report = report};
	v->windows = calloc(nr, sizeof(*v->windows));
	v->sums = calloc(report->nr_cores, sizeof(*v->sums));
	if (!v->windows || !v->sums)
		return false;
	for (size_t i = 0; i < nr && ok; i++) {
		v->windows[i] = (struct tma_result){.run = report->results[i].run, .window = report->results[i].window};
		ok = add_lengths(&v->sums[i % report->nr_cores], &report->results[i].counts);
	}
	v->tma = (struct tma_report){
		.nr_streams = report->nr_streams, .nr_cores = report->nr_cores, .results = v->windows};
	return ok && tma_view_init(&v->names, &v->tma);
}

static void view_release(struct view *v)
{
	for (size_t i = 0; v->sums && i < v->report->nr_cores; i++)
		free((void *)v->sums[i].of_length);
	if (v->names.report)
		tma_view_release(&v->names);
	free(v->windows);
	free(v->sums);
}

static const struct temporal_counts *counts_of(const struct view *v, size_t row, size_t core)
{
	const struct temporal_report *r = v->report;
	return row < r->nr_streams ? &r->results[row * r->nr_cores + core].counts : &v->sums[core];
}

/* Part of all slots. */
static double bound_of(const struct tma_window *w, const struct temporal_counts *c)
{
	return (double)c->doubtful / (double)(w->counts.width * w->counts.cycles);
}

/* By what part of itself the share of the class can be wrong. */
static double change_of(double bound, double share)
{
	return share > 0 ? bound / share : NAN;
}

/* The length that `share` of all recoveries do not exceed. */
static size_t quantile(const struct temporal_counts *c, double share)
{
	uint64_t sum = 0;
	size_t i = 0;
	for (; i < c->nr_lengths; i++) {
		sum += c->of_length[i];
		if (sum > 0 && (double)sum >= share * (double)c->recoveries)
			return i;
	}
	return 0;
}

static size_t most_frequent(const struct temporal_counts *c)
{
	size_t most = 0;
	for (size_t i = 1; i < c->nr_lengths; i++)
		if (most == 0 || c->of_length[i] > c->of_length[most])
			most = i;
	return most;
}

/* ---- Text ---- */

static void pct_cell(struct table *t, double part, int digits)
{
	table_cell(t, isnan(part) ? "-" : "%.*f", digits, 100 * part);
}

/* Heading cells of each table. */
static void begin_table(struct table *t)
{
	table_init(t);
	t->left |= 1u << 1;
	table_row(t, false);
	table_cell(t, "stream");
	table_cell(t, "core");
}

static void begin_row(const struct view *v, size_t row, size_t core, struct table *t)
{
	table_row(t, core == 0 && (row == 0 || row == v->report->nr_streams));
	table_cell(t, "%s", core == 0 ? tma_view_stream(&v->names, row) : "");
	table_cell(t, "%s", tma_view_result(&v->names, row, core)->run->core);
}

static void overlap_cells(const struct tma_window *w, const struct temporal_counts *c, enum tma_kind kind,
			  struct table *t)
{
	struct tma_shares shares;
	tma_evaluate(w, kind, &shares);
	table_cell(t, "%s", tma_kind_name(kind));
	for (size_t k = 0; k < ARRAY_SIZE(classes); k++) {
		pct_cell(t, shares.of[classes[k]], 1);
		pct_cell(t, change_of(bound_of(w, c), shares.of[classes[k]]), 2);
	}
}

static bool write_overlap(const struct view *v, bool bold, struct textbuf *out)
{
	struct table t;
	char name[TMA_NAME_BYTES];
	textbuf_printf(out,
		       "Slots in doubt: fetch bubbles within %u cycles of both a refill of L1I and a recovery. A class "
		       "can change by these, in %% of itself:\n",
		       v->report->padding);
	begin_table(&t);
	t.left |= 1u << 5;
	table_cell(&t, "slots");
	table_cell(&t, "in doubt");
	table_cell(&t, "%%");
	table_cell(&t, "formulas");
	for (size_t k = 0; k < ARRAY_SIZE(classes); k++) {
		table_cell(&t, "%s, %%", tma_class_name(NULL, classes[k], name));
		table_cell(&t, "+-, %%");
	}
	for (size_t i = 0; i < v->names.nr_rows * v->report->nr_cores; i++) {
		size_t row = i / v->report->nr_cores, core = i % v->report->nr_cores;
		const struct tma_window *w = &tma_view_result(&v->names, row, core)->window;
		const struct temporal_counts *c = counts_of(v, row, core);
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
			if (k == 0) {
				begin_row(v, row, core, &t);
				table_cell(&t, "%" PRIu64, w->counts.width * w->counts.cycles);
				table_cell(&t, "%" PRIu64, c->doubtful);
				pct_cell(&t, bound_of(w, c), 3);
			} else {
				table_row(&t, false);
				for (unsigned blank = 0; blank < 5; blank++)
					table_cell(&t, "%s", "");
			}
			overlap_cells(w, c, kinds[k], &t);
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_recoveries(const struct view *v, bool bold, struct textbuf *out)
{
	static const double quantiles[] = {0.5, 0.9, 0.99, 1};
	static const char *const heads[] = {"recoveries", "cycles", "most frequent", "% of them",
					    "median",	  "90 %",   "99 %",	     "longest"};
	struct table t;
	textbuf_puts(out, "Lengths of recoveries, in cycles:\n");
	begin_table(&t);
	table_words(&t, heads, ARRAY_SIZE(heads));
	for (size_t i = 0; i < v->names.nr_rows * v->report->nr_cores; i++) {
		size_t row = i / v->report->nr_cores, core = i % v->report->nr_cores;
		const struct temporal_counts *c = counts_of(v, row, core);
		uint64_t cycles = 0;
		for (size_t k = 0; k < c->nr_lengths; k++)
			cycles += k * c->of_length[k];
		begin_row(v, row, core, &t);
		table_cell(&t, "%" PRIu64, c->recoveries);
		table_cell(&t, "%" PRIu64, cycles);
		if (c->recoveries == 0)
			continue;
		table_cell(&t, "%zu", most_frequent(c));
		pct_cell(&t, (double)c->of_length[most_frequent(c)] / (double)c->recoveries, 1);
		for (size_t k = 0; k < ARRAY_SIZE(quantiles); k++)
			table_cell(&t, "%zu", quantile(c, quantiles[k]));
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

bool temporal_text(const struct temporal_report *r, bool bold, struct textbuf *out)
{
	struct view v;
	const char *before = "\n";
	bool ok = view_init(&v, r);
	if (ok && r->has_overlap)
		ok = write_overlap(&v, bold, out);
	if (ok && r->has_overlap && r->has_recoveries)
		textbuf_putc(out, '\n');
	if (ok && r->has_recoveries)
		ok = write_recoveries(&v, bold, out);
	core_report_sampling(&r->results[0].run->sampling, out);
	for (size_t i = 0; i < r->nr_streams * r->nr_cores; i += r->nr_cores)
		core_report_sample(r->results[i].run->stream, r->results[i].run->nr_sampled, &before, out);
	view_release(&v);
	return ok;
}

/* ---- CSV ---- */

static void csv_names(const struct core_result *r, struct textbuf *out)
{
	csv_string(out, r->stream);
	csv_string(out, r->core);
	csv_string(out, r->config_hash);
	core_report_csv_sample(r->nr_sampled, out);
}

static void csv_overlap(const struct temporal_report *report, const struct temporal_result *r, struct textbuf *out)
{
	char name[TMA_NAME_BYTES];
	struct tma_shares shares;
	double bound = bound_of(&r->window, &r->counts);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		tma_evaluate(&r->window, kinds[i], &shares);
		for (size_t k = 0; k < ARRAY_SIZE(classes); k++) {
			csv_names(r->run, out);
			csv_u64(out, report->padding);
			csv_u64(out, r->window.counts.width * r->window.counts.cycles);
			csv_u64(out, r->counts.doubtful);
			csv_double(out, bound);
			csv_string(out, tma_kind_name(kinds[i]));
			csv_string(out, tma_class_name(NULL, classes[k], name));
			csv_double(out, shares.of[classes[k]]);
			csv_double(out, change_of(bound, shares.of[classes[k]]));
			csv_end_row(out);
		}
	}
}

static void csv_recoveries(const struct temporal_result *r, struct textbuf *out)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < r->counts.nr_lengths; i++) {
		if (r->counts.of_length[i] == 0)
			continue;
		sum += r->counts.of_length[i];
		csv_names(r->run, out);
		csv_u64(out, i);
		csv_u64(out, r->counts.of_length[i]);
		csv_double(out, (double)sum / (double)r->counts.recoveries);
		csv_end_row(out);
	}
}

bool temporal_csv(const struct temporal_report *r, struct textbuf *out)
{
	textbuf_printf(out, "stream,core,config_hash,sampled_epochs,%s\n",
		       r->has_overlap ? "padding_cycles,slots,slots_in_doubt,bound,formulas,class,share,perturbation"
				      : "length_cycles,recoveries,share_up_to");
	for (size_t i = 0; i < r->nr_streams * r->nr_cores; i++)
		if (r->has_overlap)
			csv_overlap(r, &r->results[i], out);
		else
			csv_recoveries(&r->results[i], out);
	return true;
}

/* ---- JSON ---- */

static void json_overlap(struct jwriter *j, const struct temporal_report *report, const struct temporal_result *r)
{
	char name[TMA_NAME_BYTES];
	struct tma_shares shares;
	double bound = bound_of(&r->window, &r->counts);
	jwrite_begin_object(j, "overlap");
	jwrite_u64(j, "padding_cycles", report->padding);
	jwrite_u64(j, "slots", r->window.counts.width * r->window.counts.cycles);
	jwrite_u64(j, "slots_in_doubt", r->counts.doubtful);
	jwrite_double(j, "bound", bound);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		tma_evaluate(&r->window, kinds[i], &shares);
		jwrite_begin_object(j, tma_kind_name(kinds[i]));
		for (size_t k = 0; k < ARRAY_SIZE(classes); k++) {
			jwrite_begin_flat_object(j, tma_class_name(NULL, classes[k], name));
			jwrite_double(j, "share", shares.of[classes[k]]);
			jwrite_double(j, "perturbation", change_of(bound, shares.of[classes[k]]));
			jwrite_end_object(j);
		}
		jwrite_end_object(j);
	}
	jwrite_end_object(j);
}

static void json_recoveries(struct jwriter *j, const struct temporal_counts *c)
{
	uint64_t sum = 0;
	jwrite_u64(j, "recoveries", c->recoveries);
	jwrite_begin_array(j, "lengths", false);
	for (size_t i = 0; i < c->nr_lengths; i++) {
		if (c->of_length[i] == 0)
			continue;
		sum += c->of_length[i];
		jwrite_begin_flat_object(j, NULL);
		jwrite_u64(j, "length_cycles", i);
		jwrite_u64(j, "recoveries", c->of_length[i]);
		jwrite_double(j, "share_up_to", (double)sum / (double)c->recoveries);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

bool temporal_json(const struct temporal_report *r, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", TEMPORAL_SCHEMA);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < r->nr_streams * r->nr_cores; i++) {
		const struct temporal_result *x = &r->results[i];
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", x->run->stream);
		jwrite_string(&j, "core", x->run->core);
		jwrite_string(&j, "core_name", x->run->model->name);
		jwrite_string(&j, "config_hash", x->run->config_hash);
		core_report_json_sampling(&j, x->run->nr_sampled, &x->run->sampling);
		jwrite_u64(&j, "cycles", x->counts.cycles);
		if (r->has_overlap)
			json_overlap(&j, r, x);
		if (r->has_recoveries)
			json_recoveries(&j, &x->counts);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return true;
}

/* ---- Figure ---- */

static void draw(const struct view *v, const char *const *names, const struct chart_step_point *points, size_t nr,
		 struct figure *f)
{
	const struct temporal_report *r = v->report;
	char subtitle[160];
	if (r->nr_streams == 1)
		snprintf(subtitle, sizeof(subtitle), "%.60s", tma_view_stream(&v->names, 0));
	else
		snprintf(subtitle, sizeof(subtitle), "%zu streams", r->nr_streams);
	const struct chart c = {.title = "Recoveries by length",
				.subtitle = subtitle,
				.value_axis = "recoveries of at most this length (%)",
				.value_key = "recoveries_pct",
				.row_key = "core",
				.row_words = "cores",
				.unit = "%"};
	const struct chart_steps steps = {.points = points,
					  .nr = nr,
					  .series = names,
					  .nr_series = (unsigned)r->nr_cores,
					  .x_axis = "length (cycles)",
					  .x_key = "length_cycles"};
	chart_steps(&c, &steps, f);
}

/* For the caller to free; NULL when memory is short. */
static struct chart_step_point *points_of(const struct view *v, size_t *nr)
{
	size_t room = 1;
	for (size_t i = 0; i < v->report->nr_cores; i++)
		room += v->sums[i].nr_lengths + 1;
	struct chart_step_point *points = calloc(room, sizeof(*points));
	*nr = 0;
	for (size_t i = 0; points && i < v->report->nr_cores; i++) {
		const struct temporal_counts *c = &v->sums[i];
		uint64_t sum = 0;
		points[(*nr)++] = (struct chart_step_point){(unsigned)i, 1, 0}; /* none is shorter */
		for (size_t k = 0; k < c->nr_lengths; k++) {
			sum += c->of_length[k];
			if (c->of_length[k] > 0)
				points[(*nr)++] = (struct chart_step_point){(unsigned)i, (double)k,
									    100 * (double)sum / (double)c->recoveries};
		}
	}
	return points;
}

enum sahm_status temporal_plot_write(const struct temporal_report *r, const char *folder, struct sahm_err *err)
{
	struct view v;
	struct figure f;
	size_t nr = 0;
	enum sahm_status status = file_make_folder(folder, err);
	if (status != SAHM_OK)
		return status;
	figure_init(&f, recoveries_figure_name);
	const char **names = calloc(r->nr_cores, sizeof(*names));
	struct chart_step_point *points = view_init(&v, r) && names ? points_of(&v, &nr) : NULL;
	for (size_t i = 0; points && i < r->nr_cores; i++)
		names[i] = r->results[i].run->core;
	if (points)
		draw(&v, names, points, nr, &f);
	status = points ? figure_write(&f, folder, err) : sahm_fail_nomem(err);
	free((void *)names);
	free(points);
	figure_release(&f);
	view_release(&v);
	return status;
}
