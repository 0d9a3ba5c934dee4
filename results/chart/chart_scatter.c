/* Points by two values. */
#include <math.h>

#include "results/chart/chart_internal.h"
#include "results/metrics/csv.h"
#include "sim/base/number.h"

#define HEIGHT_PX 560u
#define BELOW_PX 86u

enum { LABEL = 1, SERIES, X, VALUE };

static const char *const marks[MAX_SCATTER_SERIES] = {
	CHART_RING_POINT,
	"pt 7 ps 0.8 lc rgb '" CHART_MEDIAN "'",
	CHART_MEAN_POINT,
};

static bool is_drawn(const struct chart_point *p)
{
	return chart_has(p->x) && chart_has(p->value);
}

static void data_of(const struct chart *c, const struct chart_scatter *p, struct textbuf *data)
{
	textbuf_printf(data, "%s,series,%s,%s%s", c->row_key, p->x_key, chart_prefix(c), c->value_key);
	csv_end_row(data);
	for (size_t i = 0; i < p->nr; i++) {
		chart_label(p->points[i].label, data);
		chart_label(p->series[p->points[i].series], data);
		csv_double(data, is_drawn(&p->points[i]) ? p->points[i].x : NAN);
		csv_double(data, is_drawn(&p->points[i]) ? p->points[i].value : NAN);
		csv_end_row(data);
	}
}

static void alt_of(const struct chart *c, const struct chart_scatter *p, struct textbuf *alt)
{
	chart_alt_begin(c, "Points", alt);
	textbuf_puts(alt, " Across: ");
	chart_add_label(alt, p->x_axis);
	textbuf_putc(alt, '.');
	for (unsigned s = 0; s < p->nr_series; s++) {
		struct chart_extremes e = {0};
		for (size_t i = 0; i < p->nr; i++)
			if (p->points[i].series == s && is_drawn(&p->points[i]))
				chart_extremes_add(&e, p->points[i].value, p->points[i].label);
		textbuf_putc(alt, ' ');
		chart_add_label(alt, p->series[s]);
		textbuf_puts(alt, ": ");
		chart_extremes_write(c, &e, alt);
		textbuf_putc(alt, '.');
	}
}

/* The points of a series; the last one has the labels. */
static void write_series(const struct chart_scatter *p, unsigned series, struct textbuf *script)
{
	for (size_t i = 0; i < p->nr; i++) {
		if (p->points[i].series != series || !is_drawn(&p->points[i]))
			continue;
		textbuf_printf(script, " data skip %zu every ::0::0 using %d:%d notitle with points %s, \\\n", i + 1, X,
			       VALUE, marks[series]);
		if (series + 1 == p->nr_series)
			textbuf_printf(script,
				       " data skip %zu every ::0::0 using %d:%d:%d notitle with labels left "
				       "offset 0.8,0 font ',10', \\\n",
				       i + 1, X, VALUE, LABEL);
	}
}

/* The range across; with powers of ten along it if all values are above 0 and the largest is 20 times the smallest. */
static void set_across(const struct chart_range *xs, struct textbuf *script)
{
	struct chart_range drawn = chart_range_drawn(xs, true, 0.15);
	if (xs->any && xs->least > 0 && xs->most > 20 * xs->least) {
		/* Room for labels on the right. */
		drawn = (struct chart_range){xs->least / 1.5, xs->most * 4, true};
		textbuf_puts(script, "set logscale x\n");
	}
	chart_range_set("x", &drawn, script);
}

void chart_scatter(const struct chart *c, const struct chart_scatter *p, struct figure *f)
{
	struct chart_range xs = {0}, values = {0};
	struct chart_legend legend;
	struct textbuf *script = &f->script;
	for (size_t i = 0; i < p->nr; i++) {
		if (!is_drawn(&p->points[i]))
			continue;
		chart_range_add(&xs, p->points[i].x);
		chart_range_add(&values, p->points[i].value);
	}
	data_of(c, p, &f->data);
	alt_of(c, p, &f->alt);
	chart_legend_init(&legend, CHART_WIDTH_PX);
	for (unsigned s = 0; s < p->nr_series; s++)
		chart_legend_point(&legend, marks[s], p->series[s]);
	f->width_px = CHART_WIDTH_PX;
	f->height_px = HEIGHT_PX;
	plot_begin_script(script, f->name, f->width_px, f->height_px);
	chart_title(c, script);
	chart_legend_end(&legend, script);
	struct chart_range drawn = chart_range_drawn(&values, true, 0.05);
	set_across(&xs, script);
	chart_range_set("y", &drawn, script);
	textbuf_puts(script, "set datafile commentschars ''\nset border 3\nset xtics nomirror out\nset ytics nomirror "
			     "out\nset xzeroaxis\nset xlabel ");
	chart_string(script, p->x_axis);
	textbuf_puts(script, "\nset ylabel ");
	chart_string(script, c->value_axis);
	textbuf_printf(script,
		       "\nset tmargin at screen (height_px-%u.0)/height_px\nset bmargin at screen %u.0/height_px\n",
		       CHART_ABOVE_PX, BELOW_PX);
	if (values.any) {
		textbuf_puts(script, "plot");
		for (unsigned s = 0; s < p->nr_series; s++)
			write_series(p, s, script);
	} else {
		chart_nothing(c, script);
	}
	chart_end_elements(script);
	plot_end_script(script);
}
