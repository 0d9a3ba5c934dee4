/* Distributions: how much of something has at most a size. */
#include <stdio.h>

#include "results/chart/chart_internal.h"
#include "results/metrics/csv.h"
#include "sim/base/array.h"
#include "sim/base/number.h"

#define HEIGHT_PX 560u
#define BELOW_PX 86u

enum { X = 2, VALUE };

static void data_of(const struct chart *c, const struct chart_steps *s, struct textbuf *data)
{
	textbuf_printf(data, "%s,%s,%s%s", c->row_key, s->x_key, chart_prefix(c), c->value_key);
	csv_end_row(data);
	for (size_t i = 0; i < s->nr; i++) {
		chart_label(s->series[s->points[i].series], data);
		csv_double(data, s->points[i].x);
		csv_double(data, s->points[i].value);
		csv_end_row(data);
	}
	for (size_t i = 0; i < s->nr_published; i++) {
		chart_label(s->published[i].label, data);
		csv_double(data, s->published[i].x);
		csv_double(data, s->published[i].value);
		csv_end_row(data);
	}
}

static void alt_of(const struct chart *c, const struct chart_steps *s, struct textbuf *alt)
{
	chart_alt_begin(c, s->is_line ? "Lines" : "Steps", alt);
	textbuf_puts(alt, " Across: ");
	chart_add_label(alt, s->x_axis);
	textbuf_putc(alt, '.');
	for (size_t i = 0; i < s->nr; i++) {
		if (i + 1 < s->nr && s->points[i + 1].series == s->points[i].series)
			continue;
		textbuf_putc(alt, ' ');
		chart_add_label(alt, s->series[s->points[i].series]);
		textbuf_puts(alt, ": up to ");
		chart_value(c, s->points[i].value, alt);
		textbuf_puts(alt, " at ");
		number_write_double(alt, s->points[i].x, 0);
		textbuf_putc(alt, '.');
	}
}

/* A line for each series, whose points follow each other. */
static void write_lines(const struct chart_steps *s, struct textbuf *script)
{
	size_t first = 0;
	for (size_t i = 0; i < s->nr; i++) {
		if (i + 1 < s->nr && s->points[i + 1].series == s->points[i].series)
			continue;
		textbuf_printf(script,
			       " data skip %zu every ::0::%zu using %d:%d notitle with %s lw 2.4 lc rgb '%s', \\\n",
			       first + 1, i - first, X, VALUE, s->is_line ? "linespoints pt 7 ps 0.6" : "steps",
			       chart_fill(s->points[i].series));
		first = i + 1;
	}
}

static const char *const marks[] = {"pt 2 ps 1.2 lw 2", "pt 1 ps 1.2 lw 2", "pt 6 ps 1.2 lw 2", "pt 4 ps 1.2 lw 2"};
#define MARK_BYTES 64u

/* How a published point is drawn. */
static const char *mark_of(size_t number, char text[MARK_BYTES])
{
	snprintf(text, MARK_BYTES, "%s lc rgb '" CHART_PAPER "'", marks[number % ARRAY_SIZE(marks)]);
	return text;
}

static void write_published(const struct chart_steps *s, struct textbuf *script)
{
	char mark[MARK_BYTES];
	for (size_t i = 0; i < s->nr_published; i++) {
		textbuf_puts(script, "set label '' at first ");
		number_write_double(script, s->published[i].x, 0);
		textbuf_puts(script, ", first ");
		number_write_double(script, s->published[i].value, 0);
		textbuf_printf(script, " point %s front\n", mark_of(i, mark));
	}
}

void chart_steps(const struct chart *c, const struct chart_steps *s, struct figure *f)
{
	struct textbuf *script = &f->script;
	struct chart_range xs = {0}, values = {0};
	struct chart_legend legend;
	for (size_t i = 0; i < s->nr; i++) {
		chart_range_add(&xs, s->points[i].x);
		chart_range_add(&values, s->points[i].value);
	}
	for (size_t i = 0; i < s->nr_published; i++) {
		chart_range_add(&xs, s->published[i].x);
		chart_range_add(&values, s->published[i].value);
	}
	data_of(c, s, &f->data);
	alt_of(c, s, &f->alt);
	chart_legend_init(&legend, CHART_WIDTH_PX);
	for (unsigned i = 0; i < s->nr_series; i++)
		chart_legend_fill(&legend, i, s->series[i]);
	for (size_t i = 0; i < s->nr_published; i++) {
		char mark[MARK_BYTES];
		chart_legend_point(&legend, mark_of(i, mark), s->published[i].label);
	}
	f->width_px = CHART_WIDTH_PX;
	f->height_px = HEIGHT_PX;
	plot_begin_script(script, f->name, f->width_px, f->height_px);
	chart_title(c, script);
	chart_legend_end(&legend, script);
	struct chart_range across = chart_range_drawn(&xs, !s->is_close, s->is_close ? 0 : 0.05);
	struct chart_range up = chart_range_drawn(&values, !s->is_close, 0.02);
	if (!s->is_close && chart_range_is_wide(&xs)) {
		across = (struct chart_range){xs.least, xs.most * 1.2, true};
		textbuf_puts(script, "set logscale x\n");
	}
	chart_range_set("x", &across, script);
	chart_range_set("y", &up, script);
	textbuf_puts(script, "set datafile commentschars ''\nset border 3\nset xtics nomirror out\nset ytics nomirror "
			     "out\nset xlabel ");
	chart_string(script, s->x_axis);
	textbuf_puts(script, "\nset ylabel ");
	chart_string(script, c->value_axis);
	textbuf_printf(script,
		       "\nset tmargin at screen (height_px-%u.0)/height_px\nset bmargin at screen %u.0/height_px\n",
		       CHART_ABOVE_PX, BELOW_PX);
	write_published(s, script);
	if (s->nr > 0) {
		textbuf_puts(script, "plot");
		write_lines(s, script);
	} else {
		chart_nothing(c, script);
	}
	chart_end_elements(script);
	plot_end_script(script);
}
