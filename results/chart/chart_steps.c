/* Distributions: how much of something has at most a size. */
#include "results/chart/chart_internal.h"
#include "results/metrics/csv.h"
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
}

static void alt_of(const struct chart *c, const struct chart_steps *s, struct textbuf *alt)
{
	chart_alt_begin(c, "Steps", alt);
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
			       " data skip %zu every ::0::%zu using %d:%d notitle with steps lw 2.4 lc rgb '%s', \\\n",
			       first + 1, i - first, X, VALUE, chart_fill(s->points[i].series));
		first = i + 1;
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
	data_of(c, s, &f->data);
	alt_of(c, s, &f->alt);
	chart_legend_init(&legend, CHART_WIDTH_PX);
	for (unsigned i = 0; i < s->nr_series; i++)
		chart_legend_fill(&legend, i, s->series[i]);
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
	if (s->nr > 0) {
		textbuf_puts(script, "plot");
		write_lines(s, script);
	} else {
		chart_nothing(c, script);
	}
	chart_end_elements(script);
	plot_end_script(script);
}
