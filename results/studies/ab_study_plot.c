/* The figure of the A/B test: the dissertation's 2.8(a), the distribution of errors over programs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/chart/chart.h"
#include "results/studies/ab_study.h"
#include "sim/base/file.h"

#define FIGURE "study_ab_errors"

const char *const ab_figures[] = {FIGURE, NULL};

#define NR_ROWS (NR_AB_ESTIMATES * NR_AB_METRICS)

/* Boxes of the errors, which replace values[nr] for each; few values are dots. */
static void draw(struct chart *c, const struct ab_program *programs, size_t nr, double *values, struct figure *f)
{
	static const char *const labels[NR_ROWS] = {"miss rate if all hit L2", "coverage if all hit L2",
						    "accuracy if all hit L2",  "miss rate with latency",
						    "coverage with latency",   "accuracy with latency"};
	struct box boxes[NR_ROWS];
	struct chart_dots dots[NR_ROWS];
	for (unsigned row = 0; row < NR_ROWS; row++) {
		double *own = &values[row * nr];
		size_t n = 0;
		for (size_t i = 0; i < nr; i++) {
			double error = ab_error_pct(&programs[i], (enum ab_unit)(row / NR_AB_METRICS),
						    (enum ab_metric)(row % NR_AB_METRICS));
			if (ab_counts_for_means(&programs[i]) && !isnan(error))
				own[n++] = error;
		}
		boxes[row] = (struct box){NAN, NAN, NAN, NAN, NAN, NAN};
		dots[row] = (struct chart_dots){own, n < MIN_BOX_VALUES ? n : 0};
		if (n >= MIN_BOX_VALUES)
			boxes[row] = box_of(own, n);
	}
	c->title = "Errors of an A/B test of a prefetcher in soft logic";
	c->value_axis = "error relative to the truth (%)";
	c->value_key = "error_pct";
	c->row_key = "metric";
	c->row_words = "metrics";
	const struct chart_boxes b = {
		.labels = labels, .boxes = boxes, .nr = NR_ROWS, .dots = dots, .box_words = "programs"};
	chart_boxes(c, &b, f);
}

enum sahm_status ab_plot_write(const struct ab_study *s, const struct ab_program *programs, size_t nr,
			       const char *folder, struct sahm_err *err)
{
	char subtitle[160];
	double *values = calloc(NR_ROWS * (nr + 1), sizeof(*values));
	struct figure f;
	size_t counted = 0;
	enum sahm_status status = values ? file_make_folder(folder, err) : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr; i++)
		counted += ab_counts_for_means(&programs[i]);
	snprintf(subtitle, sizeof(subtitle), "%.40s beside %.40s, %zu stream%s with L1I misses", s->prefetcher, s->core,
		 counted, counted == 1 ? "" : "s");
	struct chart c = {.subtitle = subtitle, .unit = "%"};
	figure_init(&f, FIGURE);
	if (status == SAHM_OK) {
		draw(&c, programs, nr, values, &f);
		status = figure_write(&f, folder, err);
	}
	figure_release(&f);
	free(values);
	return status;
}

enum sahm_status ab_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	return plot_draw(folder, FIGURE, notes, err);
}
