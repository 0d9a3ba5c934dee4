/* Charts: figures of numbers with labels. Each fills a figure (results/chart/plot.h).
 *
 * Rows are in the order in which they are given, from the top down where they lie; there may be none, or more than
 * labels can be printed for. Values are in the unit of the value axis; NAN: none, and nothing is drawn (so for what is
 * infinite or beyond 1e100). Bars begin at zero, and so does every axis of bars and boxes. Labels and names are made
 * harmless (as plot_label() does, but % stays); titles are not from outside.
 *
 * The first column of data is that of labels, called `row_key`. Where making labels harmless changed one, it is called
 * "..._label", and the last column has whole names and that key. Columns of values are called "synthetic_..." where any
 * of their traces was generated, as trace_words_prefix() has it.
 */
#ifndef SAHM_RESULTS_CHART_CHART_H
#define SAHM_RESULTS_CHART_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "results/chart/chart_paper.h"
#include "results/chart/plot.h"
#include "results/metrics/box.h"

/* How a bar of series `series` is filled: in no colour of states. */
const char *chart_fill(unsigned series);

/* To add a chart: a function and what it draws here, a file chart_<name>.c made of the parts in chart_internal.h, and
 * its pictures in tests/unit/results/chart. */
struct chart {
	const char *title;
	bool is_titled;		 /* the page around it prints the title: the picture has the subtitle only */
	const char *subtitle;	 /* below it: "39 traces, synthetic" */
	const char *value_axis;	 /* with its unit: "speedup (%)" */
	const char *value_key;	 /* of columns of data: "speedup_pct" */
	const char *row_key;	 /* of the column of labels: "benchmark" */
	const char *row_words;	 /* how rows are called: "benchmarks" */
	const char *unit;	 /* after a value in text: "%"; may be "" */
	bool synthetic, nominal; /* trace_words.h: title and text say so unless the subtitle does */
	const struct chart_paper
		*paper; /* [nr_paper], of bars and boxes; the text for those who cannot see omits them */
	size_t nr_paper;
};

/* Bars in groups: a group per row, a bar per series in it. Of the last nr_marks series, values stand as marks (of
 * different shapes) upon the row's bars. */
struct chart_bars {
	const char *const *labels; /* [nr_rows] */
	size_t nr_rows;
	const char *const *series; /* [nr_series] */
	unsigned nr_series, nr_marks;
	const double *values; /* [nr_rows][nr_series] */
	size_t nr_apart;      /* the last rows, set apart by a line: means */
	bool numbers;	      /* each bar has its value beside it */
	bool is_stacked; /* bars of a row continue each other: values below 0 to the left of 0; no marks or numbers */
};

void chart_bars(const struct chart *c, const struct chart_bars *b, struct figure *f);

/* Values of a row, in the order in which they are drawn. */
struct chart_dots {
	const double *values; /* [nr] */
	size_t nr;	      /* below MIN_BOX_VALUES; 0: the row has a box */
};

/* Fewer values are dots: quartiles of them would say less than the values. */
#define MIN_BOX_VALUES 10u

/* Box plots: box from p25 to p75, line at the median, triangle at the mean, whiskers over the whole range. */
struct chart_boxes {
	const char *const *labels; /* [nr] */
	const struct box *boxes;   /* [nr]; none where `least` is NAN */
	size_t nr;
	size_t nr_apart;	       /* as in struct chart_bars */
	const double *marks;	       /* [nr]: another value per row, drawn as a ring; NULL: none */
	const char *mark_words;	       /* its meaning: "mean, simulated at 10 ms" */
	const struct chart_dots *dots; /* [nr]: rows that show each value instead of a box; NULL: none */
	const char *box_words;	       /* subject of the boxes: "255 configurations" */
	bool is_close;		       /* the axis shows only the boxes' range; else zero is on it */
};

void chart_boxes(const struct chart *c, const struct chart_boxes *b, struct figure *f);

/* Box plots in panels one above the other, which share labels below and the value axis' range: boxes stand.
 * boxes[p * nr + i] is that of label i in panel p. */
struct chart_panels {
	const char *const *panels; /* [nr_panels]: titles */
	size_t nr_panels;
	const char *const *labels; /* [nr] */
	const struct box *boxes;   /* [nr_panels][nr] */
	size_t nr;
	const char *box_words;
};

void chart_panels(const struct chart *c, const struct chart_panels *p, struct figure *f);

/* Means with intervals: a point and a bar from `low` to `high` per row; rows in groups with a heading each. The axis
 * need not begin at zero. */
struct chart_mean {
	const char *group; /* of the row; rows of a group follow each other */
	const char *label;
	double mean, low, high; /* low and high NAN: no interval */
	size_t nr;		/* of values after the mean */
};

void chart_means(const struct chart *c, const struct chart_mean *rows, size_t nr, const char *interval_words,
		 struct figure *f);

/* Heat map: a cell for each pair of a row and a column, from light (lowest value) to dark, or in two colours on both
 * sides of 0; small maps have numbers in their cells. */
struct chart_heat {
	const char *row_axis, *column_axis;
	const char *const *row_labels;	  /* [nr_rows] */
	const char *const *column_labels; /* [nr_columns] */
	size_t nr_rows, nr_columns;	  /* at least 1 */
	const double *values;		  /* [nr_rows][nr_columns] */
	bool is_signed;			  /* two colours */
};

/* Largest map that is legible. */
#define MAX_HEAT_ROWS 60u
#define MAX_HEAT_COLUMNS 40u

void chart_heat(const struct chart *c, const struct chart_heat *h, struct figure *f);

/* Points by two values; those of a series have the same mark, and those of the last one their labels. Values of x are
 * on a logarithmic scale if all are above 0 and the largest is more than 20 times the smallest; zero is on other axes.
 */
struct chart_point {
	const char *label;
	unsigned series;
	double x, value; /* one that is NAN: it is not drawn */
};

struct chart_scatter {
	const struct chart_point *points; /* [nr] */
	size_t nr;
	const char *const *series; /* [nr_series], at most MAX_SCATTER_SERIES */
	unsigned nr_series;
	const char *x_axis, *x_key; /* as value_axis and value_key of struct chart */
};

#define MAX_SCATTER_SERIES 3u

/* SAHM_NOMEM. */
enum sahm_status chart_scatter(const struct chart *c, const struct chart_scatter *p, struct figure *f,
			       struct sahm_err *err);

/* Steps: from each point on, the value is the point's, up to the next one of its series, whose points are in the order
 * of x and follow each other. Zero is on both axes, but not on that of x where its values are all above 0 and range so
 * widely that it is logarithmic. */
struct chart_step_point {
	unsigned series;
	double x, value;
};

struct chart_steps {
	const struct chart_step_point *points; /* [nr] */
	size_t nr;
	const char *const *series; /* [nr_series], at most MAX_STEPS_SERIES */
	unsigned nr_series;
	const char *x_axis, *x_key;	     /* as value_axis and value_key of struct chart */
	bool is_close;			     /* the axes show only the range of the points */
	bool is_line;			     /* straight lines from point to point, each of which is marked */
	const struct chart_point *published; /* [nr_published]: marks in the paper's colour, labels in the legend */
	size_t nr_published;
};

#define MAX_STEPS_SERIES 8u

void chart_steps(const struct chart *c, const struct chart_steps *s, struct figure *f);

/* How many of `values` lie in each of equal parts of their range, between readable edges (of which the lower one
 * belongs to a part), as bars that stand side by side, with lines at mean and median; the axis says "number of `what`".
 * `values` are put into another order by this, and those that are none are lost. */
void chart_histogram(const struct chart *c, double *values, size_t nr, const char *what, struct figure *f);

#endif
