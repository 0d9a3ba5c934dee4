/* Histograms: bins of equal width that stand side by side, between readable edges. */
#include <math.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "sim/base/number.h"
#include "sim/base/stats.h"

#define WIDTH_PX 1140u
#define HEIGHT_PX 520u
#define MAX_BINS 40
#define MAX_TICS 10
#define MEAN_LINE "dt 2 lw 2.6 lc rgb '" CHART_MEAN "'"

/* Bins [edge(first + n), edge(first + n + 1)). */
struct bins {
	struct chart_step step;
	int64_t first;
	size_t nr, count[2 * MAX_BINS + 2], most;
};

/* Moves what is drawn to the front, in order; returns how many. */
static size_t drawn_values(double *values, size_t nr)
{
	size_t kept = 0;
	for (size_t i = 0; i < nr; i++)
		if (chart_has(values[i]))
			values[kept++] = values[i];
	stats_sort(values, kept);
	return kept;
}

static double edge(const struct bins *b, size_t n)
{
	return chart_multiple(&b->step, b->first + (int64_t)n);
}

/* The step is the smallest readable one with at most as many bins as the square root of the number of values. */
static void fill_bins(struct bins *b, const double *values, size_t nr)
{
	struct chart_range range = {0}, drawn;
	chart_range_add(&range, values[0]);
	chart_range_add(&range, values[nr - 1]);
	drawn = chart_range_drawn(&range, false, 0);
	double wanted = ceil(sqrt((double)nr));
	wanted = wanted > MAX_BINS ? MAX_BINS : wanted;
	*b = (struct bins){.step = chart_step((drawn.most - drawn.least) / wanted)};
	b->first = (int64_t)floor(values[0] / chart_multiple(&b->step, 1));
	/* The quotient is rounded; edges are what counts. */
	while (edge(b, 0) > values[0])
		b->first--;
	while (edge(b, 1) <= values[0])
		b->first++;
	size_t bin = 0;
	for (size_t i = 0; i < nr; i++) {
		while (edge(b, bin + 1) <= values[i])
			bin++;
		b->count[bin]++;
		b->most = b->count[bin] > b->most ? b->count[bin] : b->most;
	}
	b->nr = bin + 1;
}

static void data_of(const struct chart *c, const struct bins *b, struct textbuf *data)
{
	textbuf_printf(data, "%sfrom_%s,%sbelow_%s,nr_", chart_prefix(c), c->value_key, chart_prefix(c), c->value_key);
	chart_key(data, c->row_words);
	csv_end_row(data);
	for (size_t n = 0; n < b->nr; n++) {
		csv_double(data, edge(b, n));
		csv_double(data, edge(b, n + 1));
		csv_u64(data, b->count[n]);
		csv_end_row(data);
	}
}

static void alt_of(const struct chart *c, const struct bins *b, const double *values, size_t nr, double mean,
		   struct textbuf *alt)
{
	size_t fullest = 0;
	chart_alt_begin(c, "Histogram", alt);
	double step = chart_multiple(&b->step, 1);
	textbuf_printf(alt, " There are %zu %s: least ", nr, c->row_words);
	chart_value_within(c, values[0], step, alt);
	textbuf_puts(alt, ", median ");
	chart_value_within(c, stats_percentile(values, nr, 50), step, alt);
	textbuf_puts(alt, ", mean ");
	chart_value_within(c, mean, step, alt);
	textbuf_puts(alt, ", most ");
	chart_value_within(c, values[nr - 1], step, alt);
	for (size_t n = 1; n < b->nr; n++)
		fullest = b->count[n] > b->count[fullest] ? n : fullest;
	textbuf_printf(alt, ". The fullest of %zu bins has %zu, from ", b->nr, b->count[fullest]);
	chart_value_within(c, edge(b, fullest), step, alt);
	textbuf_puts(alt, " to below ");
	chart_value_within(c, edge(b, fullest + 1), step, alt);
	textbuf_putc(alt, '.');
}

static void line_at(double value, const char *style, struct textbuf *script)
{
	textbuf_puts(script, "set arrow from first ");
	number_write_double(script, value, 0);
	textbuf_puts(script, ", graph 0 to first ");
	number_write_double(script, value, 0);
	textbuf_printf(script, ", graph 1 nohead front %s\n", style);
}

static void edge_tics(const struct bins *b, struct textbuf *script)
{
	/* Edges at the multiples of a step that reads well, of which one is zero. */
	int64_t every = b->nr < MAX_TICS ? 1 : b->nr < 2 * MAX_TICS ? 2 : b->nr < 5 * MAX_TICS ? 5 : 10;
	bool any = false;
	textbuf_puts(script, "set xtics scale 0.6 (");
	for (size_t n = 0; n <= b->nr; n++) {
		if ((b->first + (int64_t)n) % every != 0)
			continue;
		textbuf_puts(script, any ? ", " : "");
		chart_tic_text(edge(b, n), script);
		number_write_double(script, edge(b, n), 0);
		any = true;
	}
	textbuf_puts(script, ")\n");
}

void chart_histogram(const struct chart *c, double *values, size_t nr, const char *what, struct figure *f)
{
	struct bins bins = {.nr = 0};
	struct chart_legend legend;
	double mean = 0, median = 0;
	nr = drawn_values(values, nr);
	if (nr > 0) {
		fill_bins(&bins, values, nr);
		mean = stats_mean(values, nr);
		median = stats_percentile(values, nr, 50);
		alt_of(c, &bins, values, nr, mean, &f->alt);
	} else {
		chart_alt_begin(c, "Histogram", &f->alt);
		textbuf_puts(&f->alt, " There are no values.");
	}
	data_of(c, &bins, &f->data);
	f->width_px = WIDTH_PX;
	f->height_px = HEIGHT_PX;
	plot_begin_script(&f->script, f->name, f->width_px, f->height_px);
	chart_title(c, &f->script);
	textbuf_puts(&f->script, "set xlabel ");
	chart_string(&f->script, c->value_axis);
	textbuf_puts(&f->script, "\nset ylabel 'number of '.");
	chart_string(&f->script, what);
	/* Counts are whole. */
	struct chart_step tics = chart_step(fmax((double)bins.most / 6, 1));
	textbuf_printf(&f->script, "\nset ytics 0, %.0f", chart_multiple(&tics, 1));
	textbuf_puts(&f->script, "\nset tmargin at screen 1-70.0/height_px"
				 "\nset grid ytics lt 1 lw 0.5 lc rgb '#d0d0d0'\nset grid back\n"
				 "set ytics scale 0.6 format '%h'\n");
	struct chart_range counts = {0, (double)(bins.most > 0 ? bins.most : 1) * 1.05, true};
	chart_range_set("y", &counts, &f->script);
	if (nr == 0) {
		textbuf_puts(&f->script, "set xrange [0:1]\n");
		chart_nothing(c, &f->script);
		chart_end_elements(&f->script);
		plot_end_script(&f->script);
		return;
	}
	struct textbuf words;
	textbuf_init(&words);
	chart_legend_init(&legend, WIDTH_PX);
	textbuf_puts(&words, "median: ");
	chart_value_within(c, median, chart_multiple(&bins.step, 1), &words);
	chart_legend_line(&legend, CHART_MEDIAN_LINE, words.text);
	textbuf_release_part(&words, &f->script);
	textbuf_puts(&words, "mean: ");
	chart_value_within(c, mean, chart_multiple(&bins.step, 1), &words);
	chart_legend_line(&legend, MEAN_LINE, words.text);
	textbuf_release_part(&words, &f->script);
	chart_legend_end(&legend, &f->script);
	/* A line at an edge is seen whole. */
	double width = edge(&bins, 1) - edge(&bins, 0);
	struct chart_range all = {edge(&bins, 0) - width / 2, edge(&bins, bins.nr) + width / 2, true};
	edge_tics(&bins, &f->script);
	chart_range_set("x", &all, &f->script);
	line_at(median, CHART_MEDIAN_LINE, &f->script);
	line_at(mean, MEAN_LINE, &f->script);
	textbuf_puts(&f->script, "plot data skip 1 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror notitle fillcolor rgb "
				 "'" CHART_FILL "' fillstyle solid 1.0 border lc rgb '" CHART_INK "' lw 0.6, \\\n");
	chart_end_elements(&f->script);
	plot_end_script(&f->script);
}
