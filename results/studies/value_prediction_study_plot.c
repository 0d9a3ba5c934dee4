/* The figure of the study of value prediction: figure 17. */
#include <inttypes.h>
#include <stdio.h>

#include "results/chart/chart.h"
#include "results/studies/value_prediction_study_internal.h"
#include "sim/base/file.h"

const char *const value_study_figures[] = {"study_value_prediction", NULL};

enum { UNAWARE, AWARE, NR_CURVES };

/* The points of both curves. */
static size_t put_points(const struct value_program *p, struct chart_step_point points[NR_VALUE_POINTS + 1])
{
	size_t nr = 0;
	for (unsigned i = 0; i < NR_VALUE_POINTS; i++) {
		unsigned curve = i < NR_UNAWARE_POINTS ? UNAWARE : AWARE;
		/* Both begin without prediction. */
		if (i == NR_UNAWARE_POINTS)
			points[nr++] = (struct chart_step_point){AWARE, 0, value_cpi(p, 0)};
		points[nr++] = (struct chart_step_point){curve, value_coverage_pct(p, i), value_cpi(p, i)};
	}
	return nr;
}

static void draw(const struct value_study *s, const struct value_program *programs, size_t nr, struct figure *f)
{
	static const char *const series[NR_CURVES] = {"unaware", "aware of the critical path"};
	struct value_program all = value_study_all(programs, nr);
	struct chart_step_point points[NR_VALUE_POINTS + 1];
	struct chart_point published[NR_VALUE_PUBLISHED];
	char labels[NR_VALUE_PUBLISHED][120], subtitle[200];
	for (unsigned i = 0; i < NR_VALUE_PUBLISHED; i++) {
		const struct value_published *v = &value_published[i];
		snprintf(labels[i], sizeof(labels[i]), "%s (+%.1f %%)", v->label, v->speedup_pct);
		published[i] = (struct chart_point){.label = labels[i],
						    .x = v->coverage_pct,
						    .value = value_cpi(&all, 0) / (1 + v->speedup_pct / 100)};
	}
	snprintf(
		subtitle, sizeof(subtitle),
		"%.60s, %zu stream%s, %.4g %% right; published: speedups of other programs and cores, applied to this CPI",
		s->core, nr, nr == 1 ? "" : "s", 100 * s->accuracy);
	const struct chart c = {.title = "Value prediction of loads",
				.subtitle = subtitle,
				.value_axis = "CPI",
				.value_key = "cpi",
				.row_key = "curve",
				.row_words = "curves",
				.unit = ""};
	const struct chart_steps steps = {.points = points,
					  .nr = put_points(&all, points),
					  .series = series,
					  .nr_series = NR_CURVES,
					  .x_axis = "covered loads (% of loads)",
					  .x_key = "covered_pct",
					  .is_close = true,
					  .is_line = true,
					  .published = published,
					  .nr_published = NR_VALUE_PUBLISHED};
	chart_steps(&c, &steps, f);
}

enum sahm_status value_study_plot_write(const struct value_study *s, const struct value_program *programs, size_t nr,
					const char *folder, struct sahm_err *err)
{
	struct figure f;
	enum sahm_status status = file_make_folder(folder, err);
	if (status != SAHM_OK)
		return status;
	figure_init(&f, value_study_figures[0]);
	draw(s, programs, nr, &f);
	status = figure_write(&f, folder, err);
	figure_release(&f);
	return status;
}

enum sahm_status value_study_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	return plot_draw(folder, value_study_figures[0], notes, err);
}
