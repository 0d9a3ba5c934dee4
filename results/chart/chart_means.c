/* Means with intervals, in groups with a heading each. Headings are rows too, without data. */
#include <math.h>
#include <string.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "sim/base/number.h"

static bool begins_group(const struct chart_mean *rows, size_t i)
{
	return i == 0 || strcmp(rows[i - 1].group, rows[i].group) != 0;
}

static bool has_interval(const struct chart_mean *row)
{
	return chart_has(row->mean) && chart_has(row->low) && chart_has(row->high);
}

static bool needs_names(const struct chart_mean *rows, size_t nr, struct textbuf *data)
{
	bool needs = false;
	for (size_t i = 0; i < nr && !needs; i++) {
		const char *both[] = {rows[i].group, rows[i].label};
		needs = chart_needs_names(both, 2, data);
	}
	return needs;
}

static void data_of(const struct chart *c, const struct chart_mean *rows, size_t nr, struct textbuf *data)
{
	bool names = needs_names(rows, nr, data);
	chart_label_heading("group", names, data);
	textbuf_putc(data, ',');
	chart_label_heading(c->row_key, names, data);
	textbuf_printf(data, ",%smean_%s,%slow_%s,%shigh_%s,nr_values", chart_prefix(c), c->value_key, chart_prefix(c),
		       c->value_key, chart_prefix(c), c->value_key);
	chart_name_heading("group", names, data);
	chart_name_heading(c->row_key, names, data);
	csv_end_row(data);
	for (size_t i = 0; i < nr; i++) {
		chart_label(rows[i].group, data);
		chart_label(rows[i].label, data);
		csv_double(data, chart_has(rows[i].mean) ? rows[i].mean : NAN);
		csv_double(data, has_interval(&rows[i]) ? rows[i].low : NAN);
		csv_double(data, has_interval(&rows[i]) ? rows[i].high : NAN);
		csv_u64(data, rows[i].nr);
		chart_name(rows[i].group, names, data);
		chart_name(rows[i].label, names, data);
		csv_end_row(data);
	}
}

static void alt_of(const struct chart *c, const struct chart_mean *rows, size_t nr, const char *interval_words,
		   struct textbuf *alt)
{
	chart_alt_begin(c, "Means with intervals", alt);
	if (interval_words && *interval_words)
		textbuf_printf(alt, " Intervals: %s.", interval_words);
	for (size_t i = 0; i < nr;) {
		struct chart_extremes means = {0};
		textbuf_putc(alt, ' ');
		chart_add_label(alt, rows[i].group);
		textbuf_puts(alt, ": ");
		size_t from = i;
		do
			chart_extremes_add(&means, rows[i].mean, rows[i].label);
		while (++i < nr && !begins_group(rows, i));
		textbuf_printf(alt, "%zu %s, ", i - from, c->row_words);
		chart_extremes_write(c, &means, alt);
		textbuf_putc(alt, '.');
	}
}

/* Sets at(): a row stands below as many headings as there are groups up to its own. */
static void places(const struct chart_mean *rows, size_t nr, struct textbuf *script)
{
	bool any = false;
	textbuf_puts(script, "firsts = '");
	for (size_t i = 0; i < nr; i++) {
		if (begins_group(rows, i)) {
			textbuf_printf(script, "%s%zu", any ? " " : "", i);
			any = true;
		}
	}
	textbuf_puts(script, "'\n"
			     "heads(row) = sum [k=1:words(firsts)] (row >= int(word(firsts, k)) ? 1 : 0)\n"
			     "begins(row) = row == 0 || heads(row) > heads(row - 1)\n"
			     "at(row) = row + 1 + heads(row)\n");
}

/* A band under each heading. */
static void headings(const struct chart_mean *rows, size_t nr, struct textbuf *script)
{
	size_t place = 0;
	for (size_t i = 0; i < nr; i++) {
		place++;
		if (!begins_group(rows, i))
			continue;
		textbuf_printf(script,
			       "set object rectangle from graph 0, first %zu.5 to graph 1, first %zu.5 back fillcolor "
			       "rgb '#e8e8e8' fillstyle solid noborder\n",
			       place - 1, place);
		place++;
	}
}

static void interval_elements(struct textbuf *script)
{
	static const char style[] = "notitle with vectors nohead lw 1.6 lc rgb '" CHART_INK "'";
	textbuf_printf(script, " data skip 1 using 4:(at($0)):($5-$4):(0) %s, \\\n", style);
	textbuf_printf(script, " data skip 1 using 4:(at($0)-half/2):(0):(half) %s, \\\n", style);
	textbuf_printf(script, " data skip 1 using 5:(at($0)-half/2):(0):(half) %s, \\\n", style);
}

void chart_means(const struct chart *c, const struct chart_mean *rows, size_t nr, const char *interval_words,
		 struct figure *f)
{
	struct chart_range range = {0};
	struct chart_legend legend;
	size_t nr_groups = 0;
	bool any_interval = false;
	for (size_t i = 0; i < nr; i++) {
		nr_groups += begins_group(rows, i);
		chart_range_add(&range, rows[i].mean);
		if (!has_interval(&rows[i]))
			continue;
		chart_range_add(&range, rows[i].low);
		chart_range_add(&range, rows[i].high);
		any_interval = true;
	}
	struct chart_rows lying = chart_rows(nr + nr_groups, 0, 0);
	struct chart_range drawn = chart_range_drawn(&range, false, 0.05);
	data_of(c, rows, nr, &f->data);
	alt_of(c, rows, nr, interval_words, &f->alt);

	chart_legend_init(&legend, CHART_WIDTH_PX);
	chart_legend_point(&legend, CHART_MEAN_POINT, "mean");
	if (any_interval)
		chart_legend_whiskers(&legend, interval_words ? interval_words : "interval");
	f->width_px = CHART_WIDTH_PX;
	f->height_px = chart_height(&lying, legend.top_px + CHART_ABOVE_PX / 2);
	plot_begin_script(&f->script, f->name, f->width_px, f->height_px);
	chart_title(c, &f->script);
	chart_legend_end(&legend, &f->script);
	chart_range_set("x", &drawn, &f->script);
	if (drawn.least < 0)
		textbuf_puts(&f->script, "set arrow from 0, graph 0 to 0, graph 1 nohead lw 1 lc rgb '#404040'\n");
	chart_rows_axes(c, &lying, &f->script);
	if (nr > 0)
		places(rows, nr, &f->script);
	headings(rows, nr, &f->script);
	chart_rows_plot(c, &lying, 2, drawn.least, &f->script);
	if (nr > 0) {
		textbuf_puts(&f->script, " data skip 1 using (begins($0) ? ");
		number_write_double(&f->script, drawn.least, 0);
		textbuf_puts(&f->script, " : NaN):(at($0)-1):1 with labels left offset 0.5,0 notitle, \\\n");
	}
	if (any_interval)
		interval_elements(&f->script);
	if (range.any)
		textbuf_puts(&f->script,
			     " data skip 1 using 3:(at($0)) notitle with points " CHART_MEAN_POINT ", \\\n");
	chart_end_elements(&f->script);
	plot_end_script(&f->script);
}
