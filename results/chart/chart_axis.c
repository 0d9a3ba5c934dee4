/* Ranges of values, readable steps, and rows that lie below each other. */
#include <math.h>
#include <stdio.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "sim/base/number.h"

/* Beyond this, a span of values would overflow in what gnuplot makes of it. */
#define MOST_DRAWN 1e100
/* A range below this share of its values is none: tics could not be told apart. */
#define LEAST_SHARE 1e-9

bool chart_has(double value)
{
	return isfinite(value) && fabs(value) <= MOST_DRAWN;
}

void chart_range_add(struct chart_range *r, double value)
{
	if (!chart_has(value))
		return;
	r->least = r->any && r->least < value ? r->least : value;
	r->most = r->any && r->most > value ? r->most : value;
	r->any = true;
}

struct chart_range chart_range_drawn(const struct chart_range *r, bool from_zero, double room)
{
	struct chart_range drawn = *r;
	if (from_zero)
		chart_range_add(&drawn, 0);
	double size = fmax(fabs(drawn.least), fabs(drawn.most)), span = drawn.most - drawn.least;
	if (!drawn.any || size < 1 / MOST_DRAWN)
		return (struct chart_range){from_zero ? 0 : -1, 1, true};
	if (span <= size * LEAST_SHARE) {
		drawn.least -= size * 0.05;
		drawn.most += size * 0.05;
		return drawn;
	}
	if (!from_zero || drawn.least < 0)
		drawn.least -= span * room;
	if (!from_zero || drawn.most > 0)
		drawn.most += span * room;
	return drawn;
}

void chart_range_set(const char *axis, const struct chart_range *drawn, struct textbuf *script)
{
	textbuf_printf(script, "set %srange [", axis);
	number_write_double(script, drawn->least, 0);
	textbuf_putc(script, ':');
	number_write_double(script, drawn->most, 0);
	textbuf_puts(script, "] noextend\n");
}

/* Reading decimals rounds once, where products with 0.1 would round at each step. */
static double decimal(int64_t nr, int exponent)
{
	char text[64];
	double value = 0;
	snprintf(text, sizeof(text), "%llde%d", (long long)nr, exponent);
	number_read_double(text, &value);
	return value;
}

struct chart_step chart_step(double least_step)
{
	static const int digits[] = {1, 2, 5};
	struct chart_step step = {1, 0};
	while (decimal(1, step.exponent) < least_step)
		step.exponent++;
	while (decimal(1, step.exponent - 1) >= least_step)
		step.exponent--;
	/* The power of ten below is too small: one of its multiples may do. */
	for (size_t d = 1; d < sizeof(digits) / sizeof(digits[0]); d++)
		if (decimal(digits[d], step.exponent - 1) >= least_step)
			return (struct chart_step){digits[d], step.exponent - 1};
	return step;
}

double chart_multiple(const struct chart_step *step, int64_t nr)
{
	return decimal(nr * step->digit, step->exponent);
}

void chart_tic_text(double value, struct textbuf *script)
{
	textbuf_putc(script, '\'');
	number_write_double(script, value + 0.0, 0);
	textbuf_puts(script, "' ");
}

/* Least height of a row with a label of its own. */
#define LABEL_PX 14u

struct chart_rows chart_rows(size_t nr, size_t nr_apart, unsigned least_px)
{
	unsigned pitch = nr <= 4 ? 64 : nr <= 12 ? 40 : nr <= 60 ? 25 : 17;
	unsigned most = MAX_PLOT_PX - CHART_ABOVE_PX - CHART_BELOW_PX;
	pitch = pitch < least_px ? least_px : pitch;
	/* Half a row stands between those apart and the others; a figure without rows says so in the room of one. */
	size_t halves = nr == 0 ? 2 : 2 * nr + (nr_apart > 0);
	if (pitch > 2 * most / halves)
		pitch = (unsigned)(2 * most / halves);
	struct chart_rows rows = {.nr = nr, .nr_apart = nr_apart < nr ? nr_apart : 0};
	rows.rows_px = pitch > 0 ? (unsigned)(halves * pitch / 2) : most;
	rows.step = pitch >= LABEL_PX ? 1 : (unsigned)(halves * LABEL_PX / (2 * (size_t)rows.rows_px)) + 1;
	rows.font = pitch >= 20 ? 14 : 11;
	rows.half = nr <= 4 ? 0.36 : 0.40;
	return rows;
}

unsigned chart_height(const struct chart_rows *rows, unsigned legend_px)
{
	unsigned height = CHART_ABOVE_PX + CHART_BELOW_PX + rows->rows_px;
	/* What does not fit of a legend is cut off: a picture beyond the bound is none at all. */
	height = height > legend_px ? height : legend_px;
	return height < MAX_PLOT_PX ? height : MAX_PLOT_PX;
}

void chart_rows_axes(const struct chart *c, const struct chart_rows *rows, struct textbuf *script)
{
	size_t first_apart = rows->nr - rows->nr_apart;
	double last = (double)rows->nr + (rows->nr_apart > 0 ? 1.0 : 0.5);
	textbuf_printf(script,
		       "set tmargin at screen (height_px-%u.0)/height_px\n"
		       "set bmargin at screen (height_px-%u.0)/height_px\n",
		       CHART_ABOVE_PX, CHART_ABOVE_PX + rows->rows_px);
	textbuf_puts(script, "set xlabel ");
	chart_string(script, c->value_axis);
	textbuf_printf(script,
		       " offset 0,0.4\n"
		       "set datafile commentschars ''\n"
		       "half = %.2f\n"
		       "at(row) = row + 1 + (row >= %zu ? 0.5 : 0)\n"
		       "set yrange [%.1f:0.5] noextend\n"
		       "set ytics scale 0 font ',%u'\n"
		       "set xtics scale 0.6 offset 0,0.3 format '%%.10g'\n"
		       "set grid xtics lt 1 lw 0.5 lc rgb '#d0d0d0'\n"
		       "set grid back\n",
		       rows->half, rows->nr_apart > 0 ? first_apart : rows->nr, last > 1 ? last : 1.5, rows->font);
	if (rows->nr_apart > 0)
		textbuf_printf(script,
			       "set arrow from graph 0, first %zu.75 to graph 1, first %zu.75 nohead lw 1 "
			       "lc rgb '#404040'\n",
			       first_apart, first_apart);
}

void chart_rows_plot(const struct chart *c, const struct chart_rows *rows, unsigned label_column, double from,
		     struct textbuf *script)
{
	size_t first_apart = rows->nr - rows->nr_apart, step = rows->step;
	if (rows->nr == 0) {
		chart_nothing(c, script);
		return;
	}
	/* Labels that would overlap are left out, but for every so-maniest; those apart come first. */
	textbuf_puts(script, "plot data skip 1 using (");
	number_write_double(script, from, 0);
	textbuf_printf(script, "):(at($0)):ytic(");
	if (step > 1 && rows->nr_apart > 0)
		textbuf_printf(script, "($0 >= %zu ? int($0-%zu) %% %zu == 0 : int($0) %% %zu == 0 && $0 + %zu <= %zu)",
			       first_apart, first_apart, step, step, step, first_apart);
	else
		textbuf_printf(script, "int($0) %% %zu == 0", step);
	textbuf_printf(script, " ? strcol(%u) : '') with dots lc rgb '#404040' notitle, \\\n", label_column);
}

void chart_nothing(const struct chart *c, struct textbuf *script)
{
	textbuf_puts(script, "set label 'no '.");
	chart_string(script, c->row_words);
	textbuf_puts(script, " at graph 0.5, graph 0.5 center\nplot");
}

void chart_end_elements(struct textbuf *script)
{
	textbuf_puts(script, " NaN notitle\n");
}
