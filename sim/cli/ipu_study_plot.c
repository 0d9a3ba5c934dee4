#include "sim/cli/ipu_study_plot.h"

#include <stdio.h>
#include <stdlib.h>

#include "results/chart/chart.h"

const char *const study_overlap_figures[] = {"study_overlap_windows", "study_overlap_sorted", NULL};
const char *const study_values_figures[] = {"study_values_applications", "study_values_tensors", NULL};

/* ---- Figure 2.8(c) ---- */

/* A line for each unit; values[i][u]. */
static void draw_lines(const struct overlap_point *points, unsigned nr, bool is_sorted, struct chart_step_point *steps,
		       struct figure *f)
{
	static const char *const units[OVERLAP_UNITS] = {"SIMT cores", "tensor core", "memory"};
	char subtitle[120];
	snprintf(subtitle, sizeof(subtitle), "%u windows of %u cycles, %u patterns%s, synthetic", nr, OVERLAP_WINDOW,
		 (unsigned)NR_OVERLAP_SCENARIOS,
		 is_sorted ? "; by rising utilization of the SIMT cores" : " one after the other");
	for (unsigned u = 0; u < OVERLAP_UNITS; u++)
		for (unsigned i = 0; i < nr; i++)
			steps[u * nr + i] = (struct chart_step_point){
				u, i, is_sorted ? points[i].mean_pct[u] : points[i].active_pct[u]};
	const struct chart c = {.title = is_sorted ? "Utilization of a GPU's units, windows sorted"
						   : "Utilization of a GPU's units over time",
				.subtitle = subtitle,
				.value_axis =
					is_sorted ? "mean of active cycles up to this window (%)" : "active cycles (%)",
				.value_key = is_sorted ? "mean_active_pct" : "active_pct",
				.row_key = "unit",
				.row_words = "units",
				.unit = "%",
				.synthetic = true};
	const struct chart_steps s = {.points = steps,
				      .nr = (size_t)OVERLAP_UNITS * nr,
				      .series = units,
				      .nr_series = OVERLAP_UNITS,
				      .x_axis = is_sorted ? "windows, sorted" : "windows",
				      .x_key = "window"};
	chart_steps(&c, &s, f);
}

bool study_overlap_plot(const struct overlap_result *results, struct figure *figures)
{
	struct overlap_point *points = calloc(MAX_OVERLAP_POINTS, sizeof(*points));
	struct chart_step_point *steps = calloc((size_t)MAX_OVERLAP_POINTS * OVERLAP_UNITS, sizeof(*steps));
	bool ok = points && steps;
	for (unsigned i = 0; i < STUDY_FIGURES && ok; i++) {
		unsigned nr = overlap_points(results, i == 1, points);
		draw_lines(points, nr, i == 1, steps, &figures[i]);
	}
	free(points);
	free(steps);
	return ok;
}

/* ---- Figure 2.8(d) ---- */

#define MAX_SIDE (NR_VALUES_APPLICATIONS * VALUES_SHOWN)
#define LABEL_BYTES 32

/* A histogram for each row, and for each column, of a map. */
struct side {
	const uint64_t *histograms[MAX_SIDE];
	char texts[MAX_SIDE][LABEL_BYTES];
	const char *labels[MAX_SIDE];
	unsigned nr;
};

static void add_side(struct side *s, const uint64_t *histogram, const char *name, unsigned tensor)
{
	s->histograms[s->nr] = histogram;
	snprintf(s->texts[s->nr], LABEL_BYTES, tensor == 0 ? "%s" : "%s %u", name, tensor);
	s->labels[s->nr] = s->texts[s->nr];
	s->nr++;
}

static bool draw_map(struct side *s, const char *title, const char *axis, struct figure *f)
{
	double *values = calloc((size_t)s->nr * s->nr, sizeof(*values));
	if (!values)
		return false;
	for (unsigned i = 0; i < s->nr * s->nr; i++)
		values[i] = values_similarity(s->histograms[i / s->nr], s->histograms[i % s->nr]);
	const struct chart c = {.title = title,
				.subtitle = "histograms of 128 buckets by the packets, synthetic",
				.value_axis = "cosine similarity",
				.value_key = "cosine_similarity",
				.unit = "",
				.synthetic = true};
	const struct chart_heat h = {.row_axis = axis,
				     .column_axis = axis,
				     .row_labels = s->labels,
				     .column_labels = s->labels,
				     .nr_rows = s->nr,
				     .nr_columns = s->nr,
				     .values = values};
	chart_heat(&c, &h, f);
	free(values);
	return true;
}

bool study_values_plot(const struct values_result *results, struct figure *figures)
{
	struct side *sides = calloc(STUDY_FIGURES, sizeof(*sides));
	if (!sides)
		return false;
	for (unsigned a = 0; a < NR_VALUES_APPLICATIONS; a++) {
		add_side(&sides[0], results[a].sum, results[a].name, 0);
		for (unsigned i = 0; i < results[a].nr_shown; i++)
			add_side(&sides[1], results[a].shown[i], results[a].name, i + 1);
	}
	bool ok = draw_map(&sides[0], "Similarity of applications by their values", "application", &figures[0]) &&
		  draw_map(&sides[1], "Similarity of tensors by their values", "tensor", &figures[1]);
	free(sides);
	return ok;
}
