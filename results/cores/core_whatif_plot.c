/* Figures of what-if. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/cores/core_whatif_internal.h"
#include "sim/base/file.h"

enum { INTERACTIONS, SHAPLEY };

const char *const whatif_figure_names[NR_WHATIF_FIGURES + 1] = {
	[INTERACTIONS] = "whatif_interactions", [SHAPLEY] = "whatif_shapley"};

static bool has_figure(const struct whatif *w, unsigned which)
{
	return which == INTERACTIONS ? w->nr_parts > 1 : w->has_shapley;
}

static void part_names(const struct whatif *w, const char **names)
{
	for (unsigned i = 0; i < w->nr_parts; i++)
		names[i] = ideal_name(w->parts[i]);
}

static void interactions(const struct whatif *w, const struct whatif_result *all, const char *subtitle,
			 struct figure *f)
{
	const char *names[MAX_WHATIF_PARTS];
	double values[MAX_WHATIF_PARTS * MAX_WHATIF_PARTS];
	char text[240];
	snprintf(text, sizeof(text), "%s; above 0: saved only by both, below 0: by either", subtitle);
	part_names(w, names);
	for (unsigned i = 0; i < w->nr_parts; i++)
		for (unsigned k = 0; k < w->nr_parts; k++)
			values[i * w->nr_parts + k] =
				i == k ? (double)NAN : whatif_pct(whatif_interaction(all, i, k), all->cycles[0]);
	const struct chart c = {.title = "Interactions of ideal parts",
				.subtitle = text,
				.value_axis = "% of cycles",
				.value_key = "interaction_pct",
				.row_key = "part",
				.row_words = "parts",
				.unit = "%"};
	const struct chart_heat h = {.row_axis = "ideal",
				     .column_axis = "and",
				     .row_labels = names,
				     .column_labels = names,
				     .nr_rows = w->nr_parts,
				     .nr_columns = w->nr_parts,
				     .values = values,
				     .is_signed = true};
	chart_heat(&c, &h, f);
}

static enum sahm_status shapley(const struct whatif_rows *rows, const char *subtitle, struct figure *f,
				struct sahm_err *err)
{
	const struct whatif *w = rows->w;
	const char *names[MAX_WHATIF_PARTS];
	const char **labels = calloc(rows->nr, sizeof(*labels));
	double *values = calloc(rows->nr * w->nr_parts, sizeof(*values));
	enum sahm_status status = labels && values ? SAHM_OK : sahm_fail_nomem(err);
	part_names(w, names);
	for (size_t i = 0; i < rows->nr && status == SAHM_OK; i++) {
		const struct whatif_result *r = whatif_row(rows, i);
		struct whatif_share shares[MAX_WHATIF_PARTS];
		whatif_row_shares(rows, i, shares);
		labels[i] = whatif_row_name(rows, i);
		for (unsigned k = 0; k < w->nr_parts; k++)
			values[i * w->nr_parts + k] = whatif_pct(shares[k].cycles, r->cycles[0]);
	}
	const struct chart c = {.title = "Fair share of each ideal part in the cycles that all of them save",
				.subtitle = subtitle,
				.value_axis = "Shapley value, % of cycles",
				.value_key = "shapley_pct",
				.row_key = "stream",
				.row_words = "streams",
				.unit = "%"};
	const struct chart_bars b = {.labels = labels,
				     .nr_rows = rows->nr,
				     .series = names,
				     .nr_series = w->nr_parts,
				     .values = values,
				     .nr_apart = rows->nr > 1 ? 1 : 0,
				     .is_stacked = true};
	if (status == SAHM_OK)
		chart_bars(&c, &b, f);
	free(labels);
	free(values);
	return status;
}

enum sahm_status whatif_plot_write(const struct whatif *w, const struct whatif_result *results, size_t nr,
				   const char *folder, struct sahm_err *err)
{
	struct whatif_rows rows;
	char subtitle[160];
	enum sahm_status status = file_make_folder(folder, err);
	whatif_rows_init(&rows, w, results, nr);
	snprintf(subtitle, sizeof(subtitle), "%.60s, %zu stream%s", w->core, nr, nr == 1 ? "" : "s");
	for (unsigned i = 0; i < NR_WHATIF_FIGURES && status == SAHM_OK; i++) {
		struct figure f;
		if (!has_figure(w, i))
			continue;
		figure_init(&f, whatif_figure_names[i]);
		if (i == INTERACTIONS)
			interactions(w, whatif_row(&rows, rows.nr - 1), subtitle, &f);
		else
			status = shapley(&rows, subtitle, &f, err);
		if (status == SAHM_OK)
			status = figure_write(&f, folder, err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status whatif_plot_draw(const struct whatif *w, const char *folder, struct textbuf *notes,
				  struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_WHATIF_FIGURES && status == SAHM_OK; i++)
		if (has_figure(w, i))
			status = plot_draw(folder, whatif_figure_names[i], notes, err);
	return status;
}
