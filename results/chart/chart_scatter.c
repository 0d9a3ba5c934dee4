/* Points by two values. */
#include <math.h>
#include <stdlib.h>

#include "results/chart/chart_internal.h"
#include "results/metrics/csv.h"
#include "sim/base/number.h"

#define HEIGHT_PX 560u
#define BELOW_PX 86u
#define LABEL_PX 12.0

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

static bool has_label(const struct chart_scatter *p, size_t i)
{
	return p->points[i].series + 1 == p->nr_series && is_drawn(&p->points[i]);
}

/* Whether two points are closer across than a label is long, a fifth of the width: on a logarithmic one, the fifth
 * power of their ratio is below that of the ends. */
static bool is_near(double a, double b, const struct chart_range *xs, bool is_log)
{
	if (!is_log)
		return fabs(a - b) < (xs->most - xs->least) / 5;
	double ratio = a > b ? a / b : b / a;
	return ratio * ratio * ratio * ratio * ratio < xs->most / xs->least;
}

/* Where labels are: beside their points, or as far above as it takes to be `row` above the next one below that is as
 * far to the left or right as a label is long. at[p->nr] */
static void place_labels(const struct chart_scatter *p, const struct chart_range *xs, bool is_log, double row,
			 double *at)
{
	for (size_t done = 0; done < p->nr; done++) {
		size_t next = p->nr;
		for (size_t i = 0; i < p->nr; i++)
			if (isnan(at[i]) && has_label(p, i) &&
			    (next == p->nr || p->points[i].value < p->points[next].value))
				next = i;
		if (next == p->nr)
			return;
		double y = p->points[next].value;
		for (size_t i = 0; i < p->nr; i++)
			if (!isnan(at[i]) && is_near(p->points[i].x, p->points[next].x, xs, is_log))
				y = fmax(y, at[i] + row);
		at[next] = y;
	}
}

/* The points of a series; the last one has the labels. */
static void write_series(const struct chart_scatter *p, unsigned series, const double *label_at, struct textbuf *script)
{
	for (size_t i = 0; i < p->nr; i++) {
		if (p->points[i].series != series || !is_drawn(&p->points[i]))
			continue;
		textbuf_printf(script, " data skip %zu every ::0::0 using %d:%d notitle with points %s, \\\n", i + 1, X,
			       VALUE, marks[series]);
		if (!has_label(p, i))
			continue;
		textbuf_printf(script, " data skip %zu every ::0::0 using %d:(", i + 1, X);
		number_write_double(script, label_at[i], 1);
		textbuf_printf(script, "):%d notitle with labels left offset 0.8,0 font ',10', \\\n", LABEL);
	}
}

static void set_across(const struct chart_range *xs, struct textbuf *script)
{
	struct chart_range drawn = chart_range_drawn(xs, true, 0.15);
	if (chart_range_is_wide(xs)) {
		/* Room for labels on the right. */
		drawn = (struct chart_range){xs->least / 1.5, xs->most * 4, true};
		textbuf_puts(script, "set logscale x\n");
	}
	chart_range_set("x", &drawn, script);
}

enum sahm_status chart_scatter(const struct chart *c, const struct chart_scatter *p, struct figure *f,
			       struct sahm_err *err)
{
	double *label_at = malloc((p->nr + 1) * sizeof(*label_at));
	if (!label_at)
		return sahm_fail_nomem(err);
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
		for (size_t i = 0; i < p->nr; i++)
			label_at[i] = NAN;
		double row = (drawn.most - drawn.least) * LABEL_PX / (HEIGHT_PX - CHART_ABOVE_PX - BELOW_PX);
		place_labels(p, &xs, chart_range_is_wide(&xs), row, label_at);
		textbuf_puts(script, "plot");
		for (unsigned s = 0; s < p->nr_series; s++)
			write_series(p, s, label_at, script);
	} else {
		chart_nothing(c, script);
	}
	chart_end_elements(script);
	plot_end_script(script);
	free(label_at);
	return SAHM_OK;
}
