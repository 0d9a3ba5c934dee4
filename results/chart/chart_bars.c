/* Bars that lie in groups, with marks upon them. */
#include <math.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "sim/base/array.h"

/* Values follow the column of labels. */
#define FIRST_COLUMN 2u
/* Minimum height of one of several bars of a row, and the share of the range that a number beside the longest needs. */
#define BAR_PX 17u
#define NUMBER_ROOM 0.1

/* Shapes differ, not only colours; where one mark hides another, the first lies below. */
static const struct {
	const char *point, *outline; /* the outline is a larger point below */
} points[] = {
	{"pt 7 ps 1.0 lc rgb '#000000'", "pt 7 ps 1.35 lc rgb '#ffffff'"},
	{"pt 13 ps 1.1 lc rgb '#ffffff'", "pt 13 ps 1.6 lc rgb '#000000'"},
	{"pt 9 ps 1.1 lc rgb '#1C53C1'", "pt 9 ps 1.6 lc rgb '#ffffff'"},
	{"pt 5 ps 0.8 lc rgb '#450002'", "pt 5 ps 1.15 lc rgb '#ffffff'"},
	{"pt 7 ps 0.9 lc rgb '#ffffff'", "pt 7 ps 1.3 lc rgb '#000000'"},
	{"pt 5 ps 0.75 lc rgb '#AFEB6B'", "pt 5 ps 1.1 lc rgb '#000000'"},
};
/* Minimum height of a mark in its row. */
#define MARK_PX 11u

#define NR_POINTS ARRAY_SIZE(points)

static unsigned nr_bars(const struct chart_bars *b)
{
	return b->nr_marks < b->nr_series ? b->nr_series - b->nr_marks : 0;
}

static double value_of(const struct chart_bars *b, size_t row, unsigned series)
{
	return b->values[row * b->nr_series + series];
}

/* What a series has, over all of its rows. */
static struct chart_range range_of(const struct chart_bars *b, unsigned series)
{
	struct chart_range r = {0};
	for (size_t i = 0; i < b->nr_rows; i++)
		chart_range_add(&r, value_of(b, i, series));
	return r;
}

/* The ends of a row's stack. */
static void add_stack(const struct chart_bars *b, size_t row, struct chart_range *range)
{
	double above = 0, below = 0;
	for (unsigned s = 0; s < b->nr_series; s++) {
		double value = value_of(b, row, s);
		above += chart_has(value) && value > 0 ? value : 0;
		below += chart_has(value) && value < 0 ? value : 0;
	}
	chart_range_add(range, above);
	chart_range_add(range, below);
}

static void data_of(const struct chart *c, const struct chart_bars *b, struct textbuf *data)
{
	bool names = chart_needs_names(b->labels, b->nr_rows, data);
	chart_label_heading(c->row_key, names, data);
	for (unsigned s = 0; s < b->nr_series; s++) {
		textbuf_printf(data, ",%s", chart_prefix(c));
		if (b->nr_series > 1) {
			chart_key(data, b->series[s]);
			textbuf_putc(data, '_');
		}
		textbuf_puts(data, c->value_key);
	}
	chart_name_heading(c->row_key, names, data);
	csv_end_row(data);
	for (size_t i = 0; i < b->nr_rows; i++) {
		chart_label(b->labels[i], data);
		for (unsigned s = 0; s < b->nr_series; s++)
			csv_double(data, chart_has(value_of(b, i, s)) ? value_of(b, i, s) : NAN);
		chart_name(b->labels[i], names, data);
		csv_end_row(data);
	}
}

/* Appends where the middle of a row's n-th bar or mark of `nr` lies. */
static void middle(unsigned n, unsigned nr, struct textbuf *script)
{
	textbuf_printf(script, "(at($0) + half * %.6g)", (2.0 * n + 1) / nr - 1);
}

/* Appends from where to where a bar reaches: from zero, or from the bars of its side before it. */
static void bar_ends(const struct chart_bars *b, unsigned own, struct textbuf *script)
{
	for (unsigned above = 0; above <= 1; above++) {
		textbuf_putc(script, '(');
		for (unsigned k = FIRST_COLUMN; b->is_stacked && k < own; k++)
			textbuf_printf(script, "($%u < 0 ? below(%u) : above(%u)) + ", own, k, k);
		textbuf_printf(script, "($%u %c 0 ? $%u : 0)):", own, above ? '>' : '<', own);
	}
}

/* Outlines would be all that is seen of very many bars. */
static void bar(const struct chart_bars *b, unsigned series, bool outlined, struct textbuf *script)
{
	unsigned own = FIRST_COLUMN + series, nr = b->is_stacked ? 1 : nr_bars(b), place = b->is_stacked ? 0 : series;
	const char *hatching = chart_hatching(series);
	for (unsigned hatched = 0; hatched <= (hatching ? 1u : 0u); hatched++) {
		textbuf_printf(script, " data skip 1 using (valid(%u) ? 0 : NaN):(at($0)):", own);
		bar_ends(b, own, script);
		textbuf_printf(script, "(at($0) + half * %.6g):(at($0) + half * %.6g) with boxxyerror notitle ",
			       2.0 * place / nr - 1, 2.0 * (place + 1) / nr - 1);
		textbuf_printf(script, "fillcolor rgb '%s' fillstyle %s %s, \\\n",
			       hatched ? hatching : chart_fill(series), hatched ? "transparent pattern 4" : "solid 1.0",
			       outlined ? "border lc rgb '" CHART_INK "' lw 0.6" : "noborder");
	}
}

/* Appends where a bar ends: beyond its value, unless a mark lies further out. */
static void end_of_bar(const struct chart_bars *b, unsigned own, bool below, struct textbuf *script)
{
	unsigned first = FIRST_COLUMN + nr_bars(b), nr = nr_bars(b) == 1 ? b->nr_series - 1 : 0;
	for (unsigned m = 0; m < nr; m++)
		textbuf_printf(script, "%s(%u, ", below ? "least" : "most", first + m);
	textbuf_printf(script, "$%u", own);
	for (unsigned m = 0; m < nr; m++)
		textbuf_putc(script, ')');
}

/* Numbers stand beyond the ends of bars: one element for each side, unless nothing is there. */
static void numbers(const struct chart_bars *b, unsigned series, double most, struct textbuf *script)
{
	struct chart_range r = range_of(b, series);
	unsigned own = FIRST_COLUMN + series;
	bool is_plain = most == 0 || (most >= 0.001 && most < 1e7);
	for (int below = 0; below <= 1; below++) {
		if (below ? r.least >= 0 : r.most < 0)
			continue;
		textbuf_printf(script, " data skip 1 using (valid(%u) && $%u %s 0 ? ", own, own, below ? "<" : ">=");
		end_of_bar(b, own, below, script);
		textbuf_puts(script, " : NaN):");
		middle(series, nr_bars(b), script);
		textbuf_printf(script, ":(sprintf('%%.%d%c', $%u)) with labels %s font ',11' notitle, \\\n",
			       is_plain ? chart_decimals(most) : 3, is_plain ? 'f' : 'g', own,
			       below ? "right offset -0.8,0" : "left offset 0.8,0");
	}
}

/* Marks of a row stand below each other, so that equal values are all seen. */
static void marks(const struct chart_bars *b, struct textbuf *script)
{
	for (unsigned m = 0; m < b->nr_series - nr_bars(b); m++) {
		unsigned series = nr_bars(b) + m;
		if (!range_of(b, series).any)
			continue;
		for (unsigned over = 0; over <= 1; over++) {
			textbuf_printf(script, " data skip 1 using %u:", FIRST_COLUMN + series);
			middle(m, b->nr_series - nr_bars(b), script);
			textbuf_printf(script, " notitle with points %s, \\\n",
				       over ? points[m % NR_POINTS].point : points[m % NR_POINTS].outline);
		}
	}
}

static void legend_of(const struct chart_bars *b, struct chart_legend *l)
{
	for (unsigned s = 0; s < b->nr_series; s++) {
		struct textbuf label;
		textbuf_init(&label);
		chart_add_label(&label, b->series[s]);
		if (s < nr_bars(b))
			chart_legend_fill(l, s, label.text);
		else
			chart_legend_mark(l, points[(s - nr_bars(b)) % NR_POINTS].point,
					  points[(s - nr_bars(b)) % NR_POINTS].outline, label.text);
		textbuf_release_part(&label, &l->script);
	}
}

static void alt_of(const struct chart *c, const struct chart_bars *b, size_t nr_apart, struct textbuf *alt)
{
	chart_alt_begin(c, "Bar chart", alt);
	textbuf_printf(alt, " There are %zu %s.", b->nr_rows - nr_apart, c->row_words);
	for (unsigned s = 0; s < b->nr_series; s++) {
		struct chart_extremes e = {0};
		for (size_t i = 0; i < b->nr_rows - nr_apart; i++)
			chart_extremes_add(&e, value_of(b, i, s), b->labels[i]);
		textbuf_putc(alt, ' ');
		if (b->nr_series > 1) {
			chart_add_label(alt, b->series[s]);
			textbuf_puts(alt, ": ");
		} else {
			textbuf_puts(alt, "Values: ");
		}
		chart_extremes_write(c, &e, alt);
		for (size_t i = b->nr_rows - nr_apart; i < b->nr_rows; i++) {
			textbuf_puts(alt, ", ");
			chart_add_label(alt, b->labels[i]);
			textbuf_putc(alt, ' ');
			chart_value(c, value_of(b, i, s), alt);
		}
		if (nr_apart == 0 && e.nr > 0) {
			textbuf_puts(alt, ", mean ");
			chart_value(c, e.sum / (double)e.nr, alt);
		}
		textbuf_putc(alt, '.');
	}
}

void chart_bars(const struct chart *c, const struct chart_bars *b, struct figure *f)
{
	struct chart_range range = {0};
	struct chart_legend legend;
	unsigned bars = nr_bars(b);
	unsigned bars_px = bars > 1 && !b->is_stacked ? bars * BAR_PX * 5 / 4 : 0, marks_px = b->nr_marks * MARK_PX;
	struct chart_rows rows = chart_rows(b->nr_rows, b->nr_apart, bars_px > marks_px ? bars_px : marks_px);
	for (unsigned s = 0; s < b->nr_series; s++) {
		struct chart_range r = range_of(b, s);
		if (r.any) {
			chart_range_add(&range, r.least);
			chart_range_add(&range, r.most);
		}
	}
	for (size_t i = 0; i < b->nr_rows && b->is_stacked; i++)
		add_stack(b, i, &range);
	chart_paper_add(c, &range);
	struct chart_range drawn = chart_range_drawn(&range, true, b->numbers ? NUMBER_ROOM : 0.04);
	data_of(c, b, &f->data);
	alt_of(c, b, rows.nr_apart, &f->alt);

	bool has_legend = b->nr_series > 1;
	chart_legend_init(&legend, CHART_WIDTH_PX);
	legend.beside_px = chart_paper_px(c->paper, c->nr_paper);
	if (has_legend)
		legend_of(b, &legend);
	f->width_px = CHART_WIDTH_PX;
	f->height_px = chart_height(&rows, legend.top_px + CHART_ABOVE_PX / 2);
	plot_begin_script(&f->script, f->name, f->width_px, f->height_px);
	chart_title(c, &f->script);
	if (has_legend)
		chart_legend_end(&legend, &f->script);
	else
		textbuf_release(&legend.script);
	chart_range_set("x", &drawn, &f->script);
	textbuf_puts(&f->script, "set arrow from 0, graph 0 to 0, graph 1 nohead lw 1 lc rgb '#404040'\n");
	chart_rows_axes(c, &rows, &f->script);
	textbuf_printf(&f->script,
		       "paper_half = half / %u\n"
		       "paper_at(row, part) = at(row) + half * ((2.0 * part + 1) / %u - 1)\n",
		       bars, bars);
	chart_paper_draw(c->paper, c->nr_paper, true, &f->script);
	if (b->numbers)
		textbuf_puts(&f->script, "least(c, end) = valid(c) && column(c) < end ? column(c) : end\n"
					 "most(c, end) = valid(c) && column(c) > end ? column(c) : end\n");
	if (b->is_stacked)
		textbuf_puts(&f->script, "above(c) = valid(c) && column(c) > 0 ? column(c) : 0\n"
					 "below(c) = valid(c) && column(c) < 0 ? column(c) : 0\n");
	chart_rows_plot(c, &rows, 1, drawn.least, &f->script);
	double size = fmax(fabs(range.least), fabs(range.most));
	for (unsigned s = 0; s < bars; s++)
		if (range_of(b, s).any)
			bar(b, s, rows.step == 1, &f->script);
	for (unsigned s = 0; s < bars && b->numbers; s++)
		if (range_of(b, s).any)
			numbers(b, s, size, &f->script);
	marks(b, &f->script);
	chart_end_elements(&f->script);
	plot_end_script(&f->script);
}
