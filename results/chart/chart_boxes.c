/* Box plots that lie, one a row. */
#include <math.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "sim/base/array.h"

/* Columns of data; those of dots follow, instead of MARK if there are no marks. */
enum { LABEL = 1, LEAST, P25, MEDIAN, P75, MOST, MEAN, MARK };

#define DOT_POINT "pt 7 ps 0.8 lc rgb '#2070b4'"

bool chart_has_box(const struct box *b)
{
	return chart_has(b->least) && chart_has(b->p25) && chart_has(b->median) && chart_has(b->p75) &&
	       chart_has(b->most) && chart_has(b->mean);
}

void chart_box_heading(const struct chart *c, struct textbuf *data)
{
	static const char *const words[] = {"least", "p25", "median", "p75", "most", "mean"};
	for (size_t w = 0; w < ARRAY_SIZE(words); w++)
		textbuf_printf(data, ",%s%s_%s", chart_prefix(c), words[w], c->value_key);
}

void chart_box_fields(const struct box *b, struct textbuf *data)
{
	const double values[] = {b->least, b->p25, b->median, b->p75, b->most, b->mean};
	for (size_t v = 0; v < ARRAY_SIZE(values); v++)
		csv_double(data, chart_has_box(b) ? values[v] : NAN);
}

static size_t nr_dots(const struct chart_boxes *b, size_t i)
{
	return b->dots ? b->dots[i].nr : 0;
}

static size_t most_dots(const struct chart_boxes *b)
{
	size_t most = 0;
	for (size_t i = 0; i < b->nr; i++)
		most = nr_dots(b, i) > most ? nr_dots(b, i) : most;
	return most;
}

static double mark_of(const struct chart_boxes *b, size_t i)
{
	return b->marks && chart_has(b->marks[i]) ? b->marks[i] : NAN;
}

static void data_of(const struct chart *c, const struct chart_boxes *b, struct textbuf *data)
{
	bool names = chart_needs_names(b->labels, b->nr, data);
	chart_label_heading(c->row_key, names, data);
	chart_box_heading(c, data);
	if (b->marks) {
		textbuf_printf(data, ",%s", chart_prefix(c));
		chart_key(data, b->mark_words);
		textbuf_printf(data, "_%s", c->value_key);
	}
	for (size_t k = 0; k < most_dots(b); k++)
		textbuf_printf(data, ",%svalue%zu_%s", chart_prefix(c), k + 1, c->value_key);
	chart_name_heading(c->row_key, names, data);
	csv_end_row(data);
	for (size_t i = 0; i < b->nr; i++) {
		chart_label(b->labels[i], data);
		chart_box_fields(&b->boxes[i], data);
		if (b->marks)
			csv_double(data, mark_of(b, i));
		for (size_t k = 0; k < most_dots(b); k++)
			csv_double(data, k < nr_dots(b, i) ? b->dots[i].values[k] : NAN);
		chart_name(b->labels[i], names, data);
		csv_end_row(data);
	}
}

static void row_alt(const struct chart *c, const struct chart_boxes *b, size_t i, struct textbuf *alt)
{
	const struct box *box = &b->boxes[i];
	textbuf_putc(alt, ' ');
	chart_add_label(alt, b->labels[i]);
	if (!chart_has_box(box)) {
		textbuf_puts(alt, ": no values.");
		return;
	}
	textbuf_puts(alt, ": mean ");
	chart_value(c, box->mean, alt);
	textbuf_puts(alt, ", median ");
	chart_value(c, box->median, alt);
	textbuf_puts(alt, ", from ");
	chart_value(c, box->least, alt);
	textbuf_puts(alt, " to ");
	chart_value(c, box->most, alt);
	if (b->marks) {
		textbuf_printf(alt, ", %s ", b->mark_words);
		chart_value(c, mark_of(b, i), alt);
	}
	textbuf_putc(alt, '.');
}

/* Few rows are listed one by one; of many only the extremes and the outliers. */
#define MAX_TOLD 8

static void alt_of(const struct chart *c, const struct chart_boxes *b, size_t nr_apart, struct textbuf *alt)
{
	struct chart_extremes means = {0}, ends = {0};
	size_t nr = b->nr - nr_apart;
	chart_alt_begin(c, "Box plots", alt);
	textbuf_printf(alt, " There are %zu %s", nr, c->row_words);
	if (b->box_words && *b->box_words)
		textbuf_printf(alt, "; boxes are of %s", b->box_words);
	textbuf_putc(alt, '.');
	for (size_t i = 0; i < nr; i++) {
		if (!chart_has_box(&b->boxes[i]))
			continue;
		chart_extremes_add(&means, b->boxes[i].mean, b->labels[i]);
		chart_extremes_add(&ends, b->boxes[i].least, b->labels[i]);
		chart_extremes_add(&ends, b->boxes[i].most, b->labels[i]);
	}
	textbuf_puts(alt, " Means: ");
	chart_extremes_write(c, &means, alt);
	textbuf_puts(alt, ". Whole range: ");
	chart_extremes_write(c, &ends, alt);
	textbuf_putc(alt, '.');
	for (size_t i = b->nr <= MAX_TOLD ? 0 : nr; i < b->nr; i++)
		row_alt(c, b, i, alt);
}

static void line_element(const char *from, const char *y, const char *dx, const char *dy, const char *style,
			 struct textbuf *script)
{
	textbuf_printf(script, " data skip 1 using (box($%s)):(%s):(%s):(%s) notitle with vectors nohead %s, \\\n",
		       from, y, dx, dy, style);
}

/* Whiskers, caps, the box upon them, the median and the mean upon that. A box without width is still a line, and the
 * median hides none of it: it is as high. */
static void box_elements(struct textbuf *script)
{
	static const char thin[] = "lw 1 lc rgb '" CHART_INK "'";
	line_element("2", "at($0)", "$6-$2", "0", thin, script);
	line_element("2", "at($0)-half/2", "0", "half", thin, script);
	line_element("6", "at($0)-half/2", "0", "half", thin, script);
	textbuf_puts(script,
		     " data skip 1 using (box($4)):(at($0)):3:5:(at($0)-half):(at($0)+half) with boxxyerror notitle "
		     "fillcolor rgb '" CHART_FILL "' fillstyle solid 1.0 border lc rgb '" CHART_INK "' lw 0.8, \\\n");
	line_element("4", "at($0)-half", "0", "2*half", CHART_MEDIAN_LINE, script);
	textbuf_puts(script, " data skip 1 using (box($7)):(at($0)) notitle with points " CHART_MEAN_POINT ", \\\n");
}

void chart_boxes(const struct chart *c, const struct chart_boxes *b, struct figure *f)
{
	bool any_mark = false, any_box = false;
	size_t dots = most_dots(b);
	struct chart_range range = {0};
	struct chart_legend legend;
	struct chart_rows rows = chart_rows(b->nr, b->nr_apart, 0);
	for (size_t i = 0; i < b->nr; i++) {
		if (chart_has_box(&b->boxes[i])) {
			chart_range_add(&range, b->boxes[i].least);
			chart_range_add(&range, b->boxes[i].most);
			any_box |= nr_dots(b, i) == 0;
		}
		for (size_t k = 0; k < nr_dots(b, i); k++)
			chart_range_add(&range, b->dots[i].values[k]);
		chart_range_add(&range, mark_of(b, i));
		any_mark |= chart_has(mark_of(b, i));
	}
	chart_paper_add(c, &range);
	struct chart_range drawn = chart_range_drawn(&range, !b->is_close, 0.04);
	data_of(c, b, &f->data);
	alt_of(c, b, rows.nr_apart, &f->alt);

	chart_legend_init(&legend, CHART_WIDTH_PX);
	legend.beside_px = chart_paper_px(c->paper, c->nr_paper);
	if (any_box || dots == 0)
		chart_legend_boxes(&legend, b->box_words, b->marks ? b->mark_words : NULL);
	if (dots > 0)
		chart_legend_point(&legend, DOT_POINT, any_box ? "each value, of fewer than ten" : "each value");
	if (dots > 0 && !any_box && b->marks)
		chart_legend_point(&legend, CHART_RING_POINT, b->mark_words);
	f->width_px = CHART_WIDTH_PX;
	f->height_px = chart_height(&rows, legend.top_px + CHART_ABOVE_PX / 2);
	plot_begin_script(&f->script, f->name, f->width_px, f->height_px);
	chart_title(c, &f->script);
	chart_legend_end(&legend, &f->script);
	chart_range_set("x", &drawn, &f->script);
	if (drawn.least <= 0 && drawn.most >= 0)
		textbuf_puts(&f->script, "set arrow from 0, graph 0 to 0, graph 1 nohead lw 1 lc rgb '#404040'\n");
	chart_rows_axes(c, &rows, &f->script);
	textbuf_puts(&f->script, "paper_half = half\npaper_at(row, part) = at(row)\n");
	chart_paper_draw(c->paper, c->nr_paper, false, &f->script);
	if (dots > 0)
		textbuf_printf(&f->script, "box(v) = valid(%d) ? NaN : v\n", b->marks ? MARK + 1 : MARK);
	else
		textbuf_puts(&f->script, "box(v) = v\n");
	chart_rows_plot(c, &rows, LABEL, drawn.least, &f->script);
	if (any_box)
		box_elements(&f->script);
	for (size_t k = 0; k < dots; k++)
		textbuf_printf(&f->script, " data skip 1 using %zu:(at($0)) notitle with points %s, \\\n",
			       k + (b->marks ? MARK + 1 : MARK), DOT_POINT);
	/* Lower than the mean, which it would cover. */
	if (any_mark)
		textbuf_printf(&f->script, " data skip 1 using %d:(at($0)+half*0.6) notitle with points %s, \\\n", MARK,
			       CHART_RING_POINT);
	chart_end_elements(&f->script);
	plot_end_script(&f->script);
}
