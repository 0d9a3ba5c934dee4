/* What charts share: text, ranges, rows that lie below each other, legends.
 *
 * gnuplot counts rows of data from 0 ($0), and at(row) is where one stands.
 */
#ifndef SAHM_RESULTS_CHART_CHART_INTERNAL_H
#define SAHM_RESULTS_CHART_CHART_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/chart/chart.h"
#include "sim/base/textbuf.h"

#define CHART_WIDTH_PX 1140u
/* Title above, axis below, legend on the right. */
#define CHART_ABOVE_PX 70u
#define CHART_BELOW_PX 70u
#define CHART_LEGEND_PX 260u

/* No colour of states (results/report/characterize_plot.c). */
#define CHART_FILL "#D5C6F3"
#define CHART_INK "#303030"
#define CHART_MEDIAN "#1C53C1"
#define CHART_MEAN "#3A5006"

/* Whether a value is drawn, and in data: one that is a number, and not so large that gnuplot's sums overflow. */
bool chart_has(double value);

/* Appends `text` as a string of gnuplot: valid UTF-8 without control characters, brackets or backquotes. */
void chart_string(struct textbuf *script, const char *text);

/* Appends the same in lines of at most `width` characters, broken at blanks where there are any; returns how many. */
unsigned chart_lines(struct textbuf *script, const char *text, unsigned width);

/* Sets title and subtitle, which says what traces are. */
void chart_title(const struct chart *c, struct textbuf *script);

/* trace_words_prefix(). */
const char *chart_prefix(const struct chart *c);

/* Appends `words` as part of a heading of data: small letters, digits and _. */
void chart_key(struct textbuf *data, const char *words);

/* Appends `text` as a label: as plot_label() has it, but % stays; "(empty)" when it is empty. */
void chart_add_label(struct textbuf *out, const char *text);

/* Labels as columns: whether whole names need a separate one, its heading, and both fields of a row. */
bool chart_needs_names(const char *const *labels, size_t nr, struct textbuf *data);
void chart_label_heading(const char *key, bool names, struct textbuf *data);
void chart_label(const char *label, struct textbuf *data);
void chart_name_heading(const char *key, bool names, struct textbuf *data);
void chart_name(const char *name, bool names, struct textbuf *data);

/* A range of values that grows with each new value; sets the range of an axis ("x" or "y"), from zero if required, with
 * room at its ends as a share of it. */
struct chart_range {
	double least, most;
	bool any;
};

void chart_range_add(struct chart_range *r, double value);
void chart_paper_add(const struct chart *c, struct chart_range *r);
/* The ends as they are drawn, never the same. */
struct chart_range chart_range_drawn(const struct chart_range *r, bool from_zero, double room);
/* Whether its axis has powers of ten: all values are above 0, and the largest is more than 20 times the smallest. */
bool chart_range_is_wide(const struct chart_range *r);
void chart_range_set(const char *axis, const struct chart_range *drawn, struct textbuf *script);

/* The smallest of 1, 2, 5, 10, 20 ... (and 0.5, 0.2, 0.1 ...) that is not below `least_step`, which is above 0: `digit`
 * times ten to the `exponent`; and a whole multiple of it, exactly as its decimals are read. */
struct chart_step {
	int digit, exponent;
};

struct chart_step chart_step(double least_step);
double chart_multiple(const struct chart_step *step, int64_t nr);

/* Appends a value as the text of a tic, and a blank. */
void chart_tic_text(double value, struct textbuf *script);

/* Number of fraction digits of values up to `most`. */
int chart_decimals(double most);

/* Appends a value in words: "12.3 %". */
void chart_value(const struct chart *c, double value, struct textbuf *out);

/* The same, of one among values that a tenth of `step` is to tell apart. */
void chart_value_within(const struct chart *c, double value, double step, struct textbuf *out);

/* Rows that lie below each other, the last ones set apart. */
struct chart_rows {
	size_t nr, nr_apart;
	unsigned rows_px; /* of all of them */
	unsigned step;	  /* every `step`-th has its label */
	unsigned font;
	double half; /* of what lies in a row, up and down, as a share of it */
};

/* Rows of at least `least_px` each, or what they get in a picture that has its bounds. */
struct chart_rows chart_rows(size_t nr, size_t nr_apart, unsigned least_px);

/* Height of the figure: rows or legend, whichever needs more. */
unsigned chart_height(const struct chart_rows *rows, unsigned legend_px);

/* Sets axes of rows, and half and at(). */
void chart_rows_axes(const struct chart *c, const struct chart_rows *rows, struct textbuf *script);
/* Begins the plot command with an element that writes labels (column `label_column`), at the value `from`. */
void chart_rows_plot(const struct chart *c, const struct chart_rows *rows, unsigned label_column, double from,
		     struct textbuf *script);
/* Begins the plot command of a chart without rows, which says so. */
void chart_nothing(const struct chart *c, struct textbuf *script);

/* The plot command ends in an element that draws nothing: those before it end in a comma. */
void chart_end_elements(struct textbuf *script);

/* Legends stand on the right, in pixels from above; `top_px` grows. They need no data. */
struct chart_legend {
	struct textbuf script;
	unsigned top_px, width_px, beside_px; /* beside_px: between plot and legend, of labels of rows */
};

void chart_legend_init(struct chart_legend *l, unsigned width_px);
void chart_legend_fill(struct chart_legend *l, unsigned series, const char *text);
void chart_legend_point(struct chart_legend *l, const char *point, const char *text);
/* The same of a point with an outline. */
void chart_legend_mark(struct chart_legend *l, const char *point, const char *outline, const char *text);
/* Whiskers (lying) or a line that stands, in `colour`. */
void chart_legend_whiskers(struct chart_legend *l, const char *text);
void chart_legend_line(struct chart_legend *l, const char *style, const char *text);
/* Appends it, with room for it, to a script that has begun. */
void chart_legend_end(struct chart_legend *l, struct textbuf *script);

/* Style of boxes, and the legend that explains it. */
#define CHART_MEAN_POINT "pt 9 ps 0.9 lc rgb '" CHART_MEAN "'"
#define CHART_RING_POINT "pt 6 ps 1.1 lw 1.6 lc rgb '#000000'"
#define CHART_MEDIAN_LINE "lw 2.6 lc rgb '" CHART_MEDIAN "'"
void chart_legend_boxes(struct chart_legend *l, const char *box_words, const char *mark_words);

/* Headings and fields of boxes in data: minimum, p25, median, p75, maximum, mean. */
void chart_box_heading(const struct chart *c, struct textbuf *data);
void chart_box_fields(const struct box *b, struct textbuf *data);
bool chart_has_box(const struct box *b);

/* The hatching upon a bar of series `series`, or NULL. */
const char *chart_hatching(unsigned series);

/* Begins the text for those who cannot see: what kind of chart, of what. */
void chart_alt_begin(const struct chart *c, const char *kind, struct textbuf *alt);

/* Minimum and maximum of values and their places, for a sentence. */
struct chart_extremes {
	double least, most, sum;
	const char *least_label, *most_label;
	size_t nr;
};

void chart_extremes_add(struct chart_extremes *e, double value, const char *label);
/* As text, with the names of their rows, or "no values". */
void chart_extremes_write(const struct chart *c, const struct chart_extremes *e, struct textbuf *alt);

#endif
