/* Figures of studies of cores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/studies/core_study_internal.h"
#include "sim/base/file.h"

/* "gain": groups of bars of a core; "promised": two bars of a stream and core. */
static const char *const figures[NR_CORE_STUDIES][6] = {
	[STUDY_BOTTLENECKS] = {"study_bottlenecks"},
	[STUDY_FRONTEND] = {"study_gain_in_order", "study_gain_out_of_order", "study_promised_fetch",
			    "study_promised_branch", "study_promised_both"},
};

const char *const *core_study_figures(enum core_study_kind kind)
{
	return figures[kind];
}

/* A figure's rows: a row per stream of one core, or of both. */
struct bars {
	const struct study_rows *rows;
	struct chart chart;
	unsigned first_side, nr_sides, nr_series;
	const char *series[NR_PATH_GROUPS];
	/* Fills in values[nr_series]. */
	void (*fill)(const struct bars *b, const struct study_counts *c, double *values);
	enum study_set set; /* of what was promised */
	bool is_stacked;
};

static void fill_groups(const struct bars *b, const struct study_counts *c, double *values)
{
	uint64_t groups[NR_PATH_GROUPS];
	study_groups(&c->path, groups);
	for (unsigned g = 0; g < b->nr_series; g++)
		values[g] = study_pct((int64_t)groups[g], c->cycles[SET_NONE]);
}

static void fill_gains(const struct bars *b, const struct study_counts *c, double *values)
{
	for (unsigned k = 0; k < b->nr_series; k++)
		values[k] = study_pct(study_gain(c, (enum study_set)(k + SET_FETCH)), c->cycles[SET_NONE]);
}

static void fill_promised(const struct bars *b, const struct study_counts *c, double *values)
{
	values[0] = study_pct((int64_t)study_promised(&c->path, b->set), c->cycles[SET_NONE]);
	values[1] = study_pct(study_gain(c, b->set), c->cycles[SET_NONE]);
}

#define LABEL_BYTES 256

/* "xz I" of ".../xz.stream". */
static void label_of(const struct bars *b, size_t row, unsigned side, char label[LABEL_BYTES])
{
	const char *name = study_row_name(b->rows, row);
	const char *end = strstr(name, ".stream");
	int len = end && !end[strlen(".stream")] ? (int)(end - name) : LABEL_BYTES - 8;
	const char *letter = b->nr_sides == 1 ? "" : side == SIDE_IN_ORDER ? " I" : " O";
	snprintf(label, LABEL_BYTES, "%.*s%s", len < LABEL_BYTES - 8 ? len : LABEL_BYTES - 8, name, letter);
}

static enum sahm_status draw(const struct bars *b, struct figure *f, struct sahm_err *err)
{
	const struct study_rows *rows = b->rows;
	size_t nr = rows->nr * b->nr_sides;
	const char **labels = calloc(nr, sizeof(*labels));
	char(*texts)[LABEL_BYTES] = calloc(nr, sizeof(*texts));
	double *values = calloc(nr * b->nr_series, sizeof(*values));
	enum sahm_status status = labels && texts && values ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		const struct core_study_result *r = study_row(rows, i / b->nr_sides);
		unsigned side = b->first_side + (unsigned)(i % b->nr_sides);
		label_of(b, i / b->nr_sides, side, texts[i]);
		labels[i] = texts[i];
		b->fill(b, &r->sides[side], &values[i * b->nr_series]);
	}
	const struct chart_bars bars = {.labels = labels,
					.nr_rows = nr,
					.series = b->series,
					.nr_series = b->nr_series,
					.values = values,
					.nr_apart = rows->nr > 1 ? b->nr_sides : 0,
					.is_stacked = b->is_stacked};
	if (status == SAHM_OK)
		chart_bars(&b->chart, &bars, f);
	free(labels);
	free(texts);
	free(values);
	return status;
}

static void describe_groups(struct bars *b)
{
	b->chart.title = "Critical path by group of causes";
	b->chart.value_axis = "% of cycles";
	b->chart.value_key = "share_pct";
	b->fill = fill_groups;
	b->is_stacked = true;
	b->nr_series = NR_PATH_GROUPS;
	for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
		b->series[g] = path_group_name((enum path_group)g);
}

static void describe_gains(struct bars *b, enum study_side side)
{
	b->chart.title = side == SIDE_IN_ORDER ? "What ideal fetch and ideal branches save, in order"
					       : "What ideal fetch and ideal branches save, out of order";
	b->chart.value_axis = "saved, % of cycles";
	b->chart.value_key = "gain_pct";
	b->chart.row_words = "streams";
	b->first_side = side;
	b->nr_sides = 1;
	b->fill = fill_gains;
	b->nr_series = NR_STUDY_SETS - SET_FETCH;
	for (unsigned k = 0; k < b->nr_series; k++)
		b->series[k] = study_set_name((enum study_set)(k + SET_FETCH));
}

static void describe_promised(struct bars *b, enum study_set set)
{
	static const char *const titles[NR_STUDY_SETS] = {
		[SET_FETCH] = "Ideal fetch: saved cycles that the critical path promised, and that were obtained",
		[SET_BRANCH] = "Ideal branches: saved cycles that the critical path promised, and that were obtained",
		[SET_BOTH] = "Both ideal: saved cycles that the critical path promised, and that were obtained",
	};
	b->chart.title = titles[set];
	b->chart.value_axis = "saved, % of cycles";
	b->chart.value_key = "pct";
	b->fill = fill_promised;
	b->set = set;
	b->nr_series = 2;
	b->series[0] = "promised";
	b->series[1] = "obtained";
}

/* Figure `which` of a study. */
static void describe(struct bars *b, enum core_study_kind kind, unsigned which)
{
	if (kind == STUDY_BOTTLENECKS)
		describe_groups(b);
	else if (which < NR_STUDY_SIDES)
		describe_gains(b, (enum study_side)which);
	else
		describe_promised(b, (enum study_set)(which - NR_STUDY_SIDES + SET_FETCH));
}

/* "rocket (I), tea (O), 2 streams" */
static void write_subtitle(const struct bars *b, char *text, size_t room)
{
	const struct study_core *cores = b->rows->study->cores;
	size_t nr = b->rows->nr_streams;
	const char *plural = nr == 1 ? "" : "s";
	if (b->nr_sides == 1)
		snprintf(text, room, "%.60s, %zu stream%s", cores[b->first_side].core, nr, plural);
	else
		snprintf(text, room, "%.60s (I), %.60s (O), %zu stream%s", cores[SIDE_IN_ORDER].core,
			 cores[SIDE_OUT_OF_ORDER].core, nr, plural);
}

enum sahm_status core_study_plot_write(const struct core_study *s, const struct core_study_result *results, size_t nr,
				       const char *folder, struct sahm_err *err)
{
	struct study_rows rows;
	enum sahm_status status = file_make_folder(folder, err);
	study_rows_init(&rows, s, results, nr);
	for (unsigned i = 0; figures[s->kind][i] && status == SAHM_OK; i++) {
		char subtitle[200];
		struct bars b = {
			.rows = &rows,
			.nr_sides = NR_STUDY_SIDES,
			.chart = {.subtitle = subtitle, .row_key = "stream", .row_words = "rows", .unit = "%"}};
		struct figure f;
		describe(&b, s->kind, i);
		write_subtitle(&b, subtitle, sizeof(subtitle));
		figure_init(&f, figures[s->kind][i]);
		status = draw(&b, &f, err);
		if (status == SAHM_OK)
			status = figure_write(&f, folder, err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status core_study_plot_draw(const struct core_study *s, const char *folder, struct textbuf *notes,
				      struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; figures[s->kind][i] && status == SAHM_OK; i++)
		status = plot_draw(folder, figures[s->kind][i], notes, err);
	return status;
}
