/* Heat maps: a value for each pair of two things. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "sim/base/number.h"

#define ROW_PX 32u
/* Room for the numbers at the colours. */
#define MIN_MAP_PX 160u
/* Longer labels of columns lean, below the map. */
#define MAX_LEVEL_CHARS 6u
#define BELOW_PX 70u
#define BELOW_LEANING_PX 80u
#define BELOW_LEANING_CHAR_PX 5u
/* Cells of larger maps are too small for their values. */
#define MAX_COLUMNS_WITH_TEXT 14u
#define MAX_DECIMALS 6u

enum { ROW_LABEL = 1, COLUMN_LABEL, VALUE };

static void data_of(const struct chart *c, const struct chart_heat *h, struct textbuf *data)
{
	textbuf_printf(data, "row,column,%s%s", chart_prefix(c), c->value_key);
	csv_end_row(data);
	for (size_t i = 0; i < h->nr_rows * h->nr_columns; i++) {
		chart_label(h->row_labels[i / h->nr_columns], data);
		chart_label(h->column_labels[i % h->nr_columns], data);
		csv_double(data, chart_has(h->values[i]) ? h->values[i] : NAN);
		csv_end_row(data);
	}
}

static void place_alt(const struct chart *c, const struct chart_heat *h, const char *words, size_t i,
		      struct textbuf *alt)
{
	textbuf_printf(alt, " %s ", words);
	chart_value(c, h->values[i], alt);
	textbuf_puts(alt, " at ");
	chart_add_label(alt, h->row_axis);
	textbuf_putc(alt, ' ');
	chart_add_label(alt, h->row_labels[i / h->nr_columns]);
	textbuf_puts(alt, ", ");
	chart_add_label(alt, h->column_axis);
	textbuf_putc(alt, ' ');
	chart_add_label(alt, h->column_labels[i % h->nr_columns]);
	textbuf_putc(alt, '.');
}

static void alt_of(const struct chart *c, const struct chart_heat *h, size_t low, size_t high, struct textbuf *alt)
{
	chart_alt_begin(c, "Heat map", alt);
	textbuf_printf(alt, " It has %zu rows (", h->nr_rows);
	chart_add_label(alt, h->row_axis);
	textbuf_printf(alt, ") and %zu columns (", h->nr_columns);
	chart_add_label(alt, h->column_axis);
	textbuf_puts(alt, ").");
	if (low == SIZE_MAX) {
		textbuf_puts(alt, " There are no values.");
		return;
	}
	place_alt(c, h, "Lowest:", low, alt);
	place_alt(c, h, "Highest:", high, alt);
}

/* One hue from light to dark, which reads the same without colour. At 0.65 black and white have the same contrast with
 * it, 4.5. Of signed values, two hues from light at 0, as dark as each other, on ranges of equal length. */
static void write_cells(const struct chart_heat *h, double low, double high, struct textbuf *script)
{
	bool has_text = h->nr_columns <= MAX_COLUMNS_WITH_TEXT;
	double span = high - low;
	unsigned decimals = span > 0 ? 0 : 2;
	/* Enough for a hundred steps between the ends. */
	for (double s = span; s > 0 && s < 100 && decimals < MAX_DECIMALS; s *= 10)
		decimals++;
	if (h->is_signed) {
		high = fmax(fabs(low), fabs(high));
		low = -high;
		span = 2 * high;
	}
	textbuf_puts(script, h->is_signed ? "set palette defined (-1 '#7f3b08', -0.5 '#e08214', 0 '#f4f4f4', "
					    "0.5 '#4f97cb', 1 '#08306b')\nlow = "
					  : "set palette defined (0 '#d6e6f4', 0.35 '#6aaed6', 0.7 '#2070b4', "
					    "1 '#08306b')\nlow = ");
	number_write_double(script, low, 1);
	textbuf_puts(script, "\nhigh = ");
	number_write_double(script, span > 0 ? high : low + (low != 0 ? fabs(low) : 1), 1);
	textbuf_printf(script,
		       "\nset cbrange [low:high]\n"
		       "ink(v) = %s ? 0xffffff : 0x000000\n"
		       "plot data skip 1 using (x($0)):(y($0)):(x($0)-0.5):(x($0)+0.5):(y($0)-0.5):(y($0)+0.5):%d "
		       "with boxxyerror fillstyle solid border lc rgb '#909090' lw 0.4 linecolor palette notitle, \\\n",
		       h->is_signed ? "abs(v) > 0.6 * high" : "v > low + 0.65 * (high - low)", VALUE);
	if (has_text)
		textbuf_printf(script,
			       " data skip 1 using (x($0)):(y($0)):(sprintf('%%.%uf', abs($%d) < 0.5e-%u ? 0 : $%d)):"
			       "(ink($%d)) with labels font ',11' textcolor rgb variable notitle, \\\n",
			       decimals, VALUE, decimals, VALUE, VALUE);
}

void chart_heat(const struct chart *c, const struct chart_heat *h, struct figure *f)
{
	size_t low = SIZE_MAX, high = SIZE_MAX, nr = h->nr_rows * h->nr_columns;
	struct textbuf *script = &f->script;
	for (size_t i = 0; i < nr; i++) {
		if (!chart_has(h->values[i]))
			continue;
		if (low == SIZE_MAX || h->values[i] < h->values[low])
			low = i;
		if (high == SIZE_MAX || h->values[i] > h->values[high])
			high = i;
	}
	data_of(c, h, &f->data);
	alt_of(c, h, low, high, &f->alt);
	f->width_px = CHART_WIDTH_PX;
	bool leans = h->nr_columns > MAX_COLUMNS_WITH_TEXT;
	size_t longest = 0;
	for (size_t i = 0; i < h->nr_columns; i++)
		longest = strlen(h->column_labels[i]) > longest ? strlen(h->column_labels[i]) : longest;
	leans |= longest > MAX_LEVEL_CHARS;
	unsigned below_px = leans ? BELOW_LEANING_PX + BELOW_LEANING_CHAR_PX * (unsigned)longest : BELOW_PX;
	unsigned map_px = (unsigned)h->nr_rows * ROW_PX;
	f->height_px = CHART_ABOVE_PX + (map_px > MIN_MAP_PX ? map_px : MIN_MAP_PX) + below_px;
	plot_begin_script(script, f->name, f->width_px, f->height_px);
	chart_title(c, script);
	textbuf_puts(script, "set xlabel ");
	chart_string(script, h->column_axis);
	textbuf_puts(script, "\nset ylabel ");
	chart_string(script, h->row_axis);
	textbuf_puts(script, "\nset cblabel ");
	chart_string(script, c->value_axis);
	textbuf_printf(script,
		       "\nset datafile commentschars ''\n"
		       "set tmargin at screen (height_px-%u.0)/height_px\n"
		       "set bmargin at screen %u.0/height_px\n"
		       "set border 15\nset cbtics out\n"
		       "y(i) = int(i) / %zu\n"
		       "x(i) = int(i) %% %zu\n"
		       "set xrange [-0.5:%zu-0.5] noextend\n"
		       "set yrange [%zu-0.5:-0.5] noextend\n"
		       "set xtics scale 0%s\nset ytics scale 0\n",
		       CHART_ABOVE_PX, below_px, h->nr_columns, h->nr_columns, h->nr_columns, h->nr_rows,
		       leans ? " rotate by 35 right" : "");
	if (low == SIZE_MAX) {
		textbuf_puts(script, "unset colorbox\n");
		chart_nothing(c, script);
	} else {
		write_cells(h, h->values[low], h->values[high], script);
		textbuf_printf(script,
			       " data skip 1 using (x($0)):(y($0)):xtic(%d):ytic(%d) with dots lc rgb '#404040' "
			       "notitle, \\\n",
			       COLUMN_LABEL, ROW_LABEL);
	}
	chart_end_elements(script);
	plot_end_script(script);
}
