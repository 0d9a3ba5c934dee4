/* Charts of made-up numbers, each with what may go wrong in it. They are the same on every machine. */
#ifndef SAHM_TESTS_UNIT_RESULTS_CHART_CHART_CASES_H
#define SAHM_TESTS_UNIT_RESULTS_CHART_CHART_CASES_H

#include <math.h>
#include <stdlib.h>

#include "results/chart/chart.h"
#include "sim/base/textbuf.h"
#include "tests/unit/test.h"

static const struct chart made_chart = {
	.title = "Speedup of benchmarks on the canonical chip",
	.subtitle = "39 traces",
	.value_axis = "speedup (%)",
	.value_key = "speedup_pct",
	.row_key = "benchmark",
	.row_words = "benchmarks",
	.unit = "%",
	.synthetic = true,
};

/* From 0 to 1, evenly enough. */
static inline double made_number(size_t i)
{
	return (double)(i * 2654435761u % 1000u) / 1000.0;
}

/* "name_0", ..., to be released with release_labels(). */
static inline const char **made_labels(const char *name, size_t nr)
{
	const char **labels = calloc(nr + 1, sizeof(*labels));
	assert_non_null(labels);
	for (size_t i = 0; i < nr; i++) {
		struct textbuf label;
		textbuf_init(&label);
		textbuf_printf(&label, "%s_%zu", name, i);
		labels[i] = textbuf_detach(&label);
		assert_non_null(labels[i]);
	}
	return labels;
}

static inline void release_labels(const char **labels)
{
	for (size_t i = 0; labels[i]; i++)
		free((char *)labels[i]);
	free(labels);
}

static inline struct box made_box(size_t i, double from, double span)
{
	double values[9];
	for (size_t n = 0; n < 9; n++)
		values[n] = from + span * made_number(9 * i + n) * made_number(9 * i + n + 1);
	return box_of(values, 9);
}

/* Bars: rows with `nr_series` values each, of which `nr_marks` are marks; values are from `from` on. */
static inline void make_bars(struct figure *f, size_t nr, size_t nr_apart, unsigned nr_series, unsigned nr_marks,
			     bool numbers, double from, double span)
{
	static const char *const series[] = {"idealised", "100 ms", "10 ms", "1 ms", "five",
					     "six",	  "seven",  "eight", "nine", "ten"};
	const char **labels = made_labels("bench", nr);
	double *values = calloc(nr * nr_series + 1, sizeof(*values));
	assert_non_null(values);
	for (size_t i = 0; i < nr; i++)
		for (unsigned s = 0; s < nr_series; s++)
			values[i * nr_series + s] = from + span * made_number(i) * (1 - 0.07 * s);
	struct chart_bars b = {.labels = labels,
			       .nr_rows = nr,
			       .series = series,
			       .nr_series = nr_series,
			       .nr_marks = nr_marks,
			       .values = values,
			       .nr_apart = nr_apart,
			       .numbers = numbers};
	chart_bars(&made_chart, &b, f);
	free(values);
	release_labels(labels);
}

static inline void make_boxes(struct figure *f, size_t nr, size_t nr_apart, bool with_marks, double from, double span)
{
	const char **labels = made_labels("bench", nr);
	struct box *boxes = calloc(nr + 1, sizeof(*boxes));
	double *marks = calloc(nr + 1, sizeof(*marks));
	assert_non_null(boxes);
	assert_non_null(marks);
	for (size_t i = 0; i < nr; i++) {
		boxes[i] = made_box(i, from, span);
		marks[i] = boxes[i].mean * 0.9;
	}
	struct chart_boxes b = {.labels = labels,
				.boxes = boxes,
				.nr = nr,
				.nr_apart = nr_apart,
				.marks = with_marks ? marks : NULL,
				.mark_words = "mean, simulated at 10 ms",
				.box_words = "255 configurations"};
	chart_boxes(&made_chart, &b, f);
	free(marks);
	free(boxes);
	release_labels(labels);
}

static inline void make_panels(struct figure *f, size_t nr, double from, double span)
{
	static const char *const panels[] = {"no branch core", "branch core 10 %", "branch core 20 %",
					     "branch core 30 %"};
	const char **labels = made_labels("L1I 10 + L1D 20 + L2 30 ", nr);
	struct box *boxes = calloc(4 * nr + 1, sizeof(*boxes));
	assert_non_null(boxes);
	for (size_t i = 0; i < 4 * nr; i++)
		boxes[i] = made_box(i, from, span * (double)(i % (nr / 4 + 1) + 3) / (double)(nr / 4 + 4));
	struct chart_panels p = {.panels = panels,
				 .nr_panels = 4,
				 .labels = labels,
				 .boxes = boxes,
				 .nr = nr,
				 .box_words = "39 benchmarks"};
	chart_panels(&made_chart, &p, f);
	free(boxes);
	release_labels(labels);
}

static inline void make_means(struct figure *f, size_t nr, size_t per_group)
{
	const char **labels = made_labels("value", nr), **groups = made_labels("axis", nr);
	struct chart_mean *rows = calloc(nr + 1, sizeof(*rows));
	assert_non_null(rows);
	for (size_t i = 0; i < nr; i++) {
		double mean = 100 + 5 * made_number(i);
		rows[i] = (struct chart_mean){.group = groups[i / per_group],
					      .label = labels[i],
					      .mean = mean,
					      .low = mean - 0.5 - made_number(i + 3),
					      .high = mean + 0.7 + made_number(i + 7),
					      .nr = 12};
	}
	chart_means(&made_chart, rows, nr, "95 % of resampled means", f);
	free(rows);
	release_labels(groups);
	release_labels(labels);
}

static inline void make_histogram(struct figure *f, size_t nr, double from, double span)
{
	double *values = calloc(nr + 1, sizeof(*values));
	assert_non_null(values);
	for (size_t i = 0; i < nr; i++)
		values[i] = from + span * made_number(i) * made_number(i + 1);
	chart_histogram(&made_chart, values, nr, "configurations", f);
	free(values);
}

/* Labels that try to get out of their column, into the script or into the SVG. */
static const char *const hostile_labels[] = {
	"\"; system(\"touch PWNED\"); \"",
	"`touch PWNED`",
	"'.system('touch PWNED').'",
	"$(touch PWNED) | sh",
	"a,b,\"c\",d",
	"two\nlines\r\n\n\nmore",
	"@macro _{sub}^{sup} {/Bold x} &{y}",
	"back\\slash\\n\\t\\",
	"<svg onload=\"x\"> & ]]> </text>",
	"100% %s %n %d %%",
	"gr\xc3\xb6\xc3\x9f"
	"e 5 %",
	"\xff\xfe broken \xc3",
	"# comment",
	"NaN",
	"",
	"12.5",
	"many many many many many many many many many many many many many many many many many many many many many many"
	"many many many many many many many many many many many many many many many many many many many many many many"
	"many many many many many many many many many many many many many many many many many many many many many many"
	"many many many many many many many many many many many many many many many many many many many many many many",
};

#define NR_HOSTILE ARRAY_SIZE(hostile_labels)

#endif
