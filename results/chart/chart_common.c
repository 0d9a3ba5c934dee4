/* What charts share, but for legends (chart_internal.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "results/metrics/trace_words.h"
#include "sim/base/array.h"
#include "sim/base/clean.h"
#include "sim/base/err.h"
#include "sim/base/number.h"
#include "sim/base/utf8.h"

/* Text: strings of scripts, headings of data, sentences. */

/* Longest lines of a title, in characters, of each font. */
#define TITLE_CHARS 105u
#define SMALL_TITLE_CHARS 140u

/* Where the middle of its first line is, below the top: a title of gnuplot's own would stand upon the plot. */
#define TITLE_PX 22u
#define SMALL_TITLE_PX 16u

/* A closing quotation mark. */
#define QUOTE "\xe2\x80\x99"

/* Appends the character at `p` as it is shown; returns its bytes. */
static unsigned shown_char(struct textbuf *out, const char *p)
{
	/* gnuplot 5.4 takes a quote at the beginning of a string for its end, doubled or not. */
	static const char acted_on[] = "[]`'\"\\";
	static const char *const harmless[] = {"(", ")", QUOTE, QUOTE, QUOTE, "/"};
	const char *found = strchr(acted_on, *p);
	unsigned len = utf8_len(p);
	if (found)
		textbuf_puts(out, harmless[found - acted_on]);
	else if (len == 0 || (unsigned char)*p < 0x20 || *p == 0x7f || utf8_is_noncharacter(p))
		textbuf_putc(out, '?');
	else
		textbuf_add(out, p, len);
	return len ? len : 1;
}

static void harmless_text(struct textbuf *out, const char *text)
{
	while (*text)
		text += shown_char(out, text);
}

void chart_string(struct textbuf *script, const char *text)
{
	struct textbuf shown;
	textbuf_init(&shown);
	harmless_text(&shown, text);
	plot_string(script, shown.text);
	textbuf_release_part(&shown, script);
}

/* Bytes of the next line of `text`, of at most `width` characters. */
static size_t line_bytes(const char *text, unsigned width)
{
	size_t at = 0, blank = 0;
	for (unsigned nr = 0; nr < width; nr++) {
		if (!text[at])
			return at;
		if (text[at] == ' ')
			blank = at;
		unsigned len = utf8_len(text + at);
		at += len ? len : 1;
	}
	return !text[at] || text[at] == ' ' || blank == 0 ? at : blank;
}

unsigned chart_lines(struct textbuf *script, const char *text, unsigned width)
{
	unsigned nr = 0;
	struct textbuf shown, line;
	textbuf_init(&shown);
	harmless_text(&shown, text);
	const char *rest = shown.text;
	do {
		size_t len = line_bytes(rest, width);
		textbuf_init(&line);
		textbuf_add(&line, rest, len);
		if (nr++ > 0)
			textbuf_puts(script, ".\"\\n\".");
		plot_string(script, line.text);
		textbuf_release_part(&line, script);
		rest += len + strspn(rest + len, " ");
	} while (*rest);
	textbuf_release_part(&shown, script);
	return nr;
}

/* What the subtitle leaves unsaid of traces. */
static const char *missing_trace_words(const struct chart *c)
{
	const char *said = c->subtitle ? c->subtitle : "";
	return trace_words(c->synthetic && !strstr(said, "synthetic"),
			   c->nominal && !strstr(said, "assumed time base"));
}

void chart_title(const struct chart *c, struct textbuf *script)
{
	struct textbuf below;
	textbuf_init(&below);
	textbuf_puts(&below, c->subtitle ? c->subtitle : "");
	/* Without the comma where nothing stands before it. */
	textbuf_puts(&below, missing_trace_words(c) + (below.len == 0 && *missing_trace_words(c) ? strlen(", ") : 0));
	bool is_long = strlen(c->title) > TITLE_CHARS || below.len > TITLE_CHARS;
	textbuf_puts(script, "set label ");
	if (!c->is_titled)
		chart_lines(script, c->title, is_long ? SMALL_TITLE_CHARS : TITLE_CHARS);
	else if (below.len == 0)
		textbuf_puts(script, "''");
	if (below.len > 0) {
		textbuf_puts(script, c->is_titled ? "" : ".\"\\n\".");
		chart_lines(script, below.text, is_long ? SMALL_TITLE_CHARS : TITLE_CHARS);
	}
	textbuf_printf(script, " at screen 0.5, 1-%u.0/height_px center font ',%u'\n",
		       is_long ? SMALL_TITLE_PX : TITLE_PX, is_long ? 11 : 14);
	textbuf_release_part(&below, script);
}

const char *chart_prefix(const struct chart *c)
{
	return trace_words_prefix(c->synthetic, c->nominal);
}

void chart_key(struct textbuf *data, const char *words)
{
	size_t from = data->len;
	for (; *words; words++) {
		unsigned char ch = (unsigned char)*words;
		bool keeps = (ch >= 'a' && ch <= 'z') || is_digit(*words);
		if (keeps)
			textbuf_putc(data, *words);
		else if (ch >= 'A' && ch <= 'Z')
			textbuf_putc(data, (char)(ch - 'A' + 'a'));
		else if (data->len > from && data->text[data->len - 1] != '_')
			textbuf_putc(data, '_');
	}
	/* No _ at the end. */
	if (data->len > from && data->text[data->len - 1] == '_')
		data->text[--data->len] = '\0';
}

/* The character at `p` as plot_label() has it, but for %, which gnuplot leaves alone in what it reads from data. Of
 * `nr` characters, it is the one at `at`. */
static unsigned label_char(struct textbuf *out, const char *p, size_t at, size_t nr)
{
	char one[5] = "";
	unsigned len = utf8_len(p);
	len = len ? len : 1;
	memcpy(one, p, len);
	if (nr > MAX_LABEL && at == MAX_LABEL / 2)
		textbuf_puts(out, "\xe2\x80\xa6");
	else if (nr > MAX_LABEL && at > MAX_LABEL / 2 && at <= nr - MAX_LABEL / 2)
		return len;
	else if (*p == '%')
		textbuf_putc(out, '%');
	else
		plot_label(out, one);
	return len;
}

void chart_add_label(struct textbuf *out, const char *text)
{
	size_t nr = 0, at = 0;
	for (const char *p = text; *p; nr++) {
		unsigned len = utf8_len(p);
		p += len ? len : 1;
	}
	while (*text)
		text += label_char(out, text, at++, nr);
	/* gnuplot takes "" in data for a quote that does not end. */
	if (nr == 0)
		textbuf_puts(out, "(empty)");
}

bool chart_needs_names(const char *const *labels, size_t nr, struct textbuf *data)
{
	bool needs = false;
	for (size_t i = 0; i < nr && !needs; i++) {
		struct textbuf label;
		textbuf_init(&label);
		chart_add_label(&label, labels[i]);
		needs = strcmp(label.text, labels[i]) != 0;
		textbuf_release_part(&label, data);
	}
	return needs;
}

void chart_label_heading(const char *key, bool names, struct textbuf *data)
{
	textbuf_printf(data, names ? "%s_label" : "%s", key);
}

void chart_label(const char *label, struct textbuf *data)
{
	struct textbuf shown;
	textbuf_init(&shown);
	chart_add_label(&shown, label);
	csv_string(data, shown.text);
	textbuf_release_part(&shown, data);
}

void chart_name_heading(const char *key, bool names, struct textbuf *data)
{
	if (names)
		textbuf_printf(data, ",%s", key);
}

/* Whole names end rows: whatever they hold, gnuplot has read by then what it needs. */
void chart_name(const char *name, bool names, struct textbuf *data)
{
	if (!names)
		return;
	size_t at = data->len;
	csv_string(data, name);
	if (!textbuf_failed(data))
		clean_text(data->text + at);
}

int chart_decimals(double most)
{
	double size = fabs(most);
	return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
}

void chart_value(const struct chart *c, double value, struct textbuf *out)
{
	chart_value_within(c, value, 0, out);
}

void chart_value_within(const struct chart *c, double value, double step, struct textbuf *out)
{
	double size = fabs(value);
	int decimals = chart_decimals(value), least = 1;
	for (double s = step; s > 0 && s < 1 && least < 9; s *= 10)
		least++;
	if (step > 0 && step < 1 && least > decimals)
		decimals = least;
	if (!isfinite(value)) {
		textbuf_puts(out, "none");
		return;
	}
	if (value != 0 && (size < 0.001 || size >= 1e7))
		textbuf_printf(out, "%.3g", value);
	else
		textbuf_printf(out, "%.*f", value == floor(value) ? 0 : decimals, value + 0.0);
	if (c->unit && *c->unit)
		textbuf_printf(out, " %s", c->unit);
}

void chart_alt_begin(const struct chart *c, const char *kind, struct textbuf *alt)
{
	textbuf_printf(alt, "%s: %s", kind, c->title);
	if (c->subtitle && *c->subtitle)
		textbuf_printf(alt, "; %s", c->subtitle);
	textbuf_printf(alt, "%s. Values are %s.", missing_trace_words(c), c->value_axis);
}

void chart_extremes_add(struct chart_extremes *e, double value, const char *label)
{
	if (!chart_has(value))
		return;
	if (e->nr == 0 || value < e->least) {
		e->least = value;
		e->least_label = label;
	}
	if (e->nr == 0 || value > e->most) {
		e->most = value;
		e->most_label = label;
	}
	e->sum += value;
	e->nr++;
}

void chart_extremes_write(const struct chart *c, const struct chart_extremes *e, struct textbuf *alt)
{
	if (e->nr == 0) {
		textbuf_puts(alt, "no values");
		return;
	}
	textbuf_puts(alt, "least ");
	chart_value(c, e->least, alt);
	textbuf_puts(alt, " (");
	chart_add_label(alt, e->least_label);
	textbuf_puts(alt, "), most ");
	chart_value(c, e->most, alt);
	textbuf_puts(alt, " (");
	chart_add_label(alt, e->most_label);
	textbuf_puts(alt, ")");
}

/* Ranges of values, readable steps, and rows that lie below each other. */

/* Beyond this, a span of values would overflow in what gnuplot makes of it. */
#define MOST_DRAWN 1e100
/* A range below this share of its values is none: tics would not be distinct. */
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

bool chart_range_is_wide(const struct chart_range *r)
{
	return r->any && r->least > 0 && r->most > 20 * r->least;
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
	for (size_t d = 1; d < ARRAY_SIZE(digits); d++)
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

/* Minimum height of a row with a label. */
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
	/* A legend that does not fit is cut off: a picture beyond the bound is none at all. */
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
	/* Where labels would overlap, every `step`-th row has one; rows set apart are counted from the first of them.
	 */
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
