/* Text of charts: strings of scripts, headings of data, sentences. */
#include <math.h>
#include <string.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "results/metrics/trace_words.h"
#include "sim/base/err.h"
#include "sim/base/utf8.h"

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
static const char *unsaid(const struct chart *c)
{
	const char *said = c->subtitle ? c->subtitle : "";
	return trace_words(c->synthetic && !strstr(said, "synthetic"), c->nominal && !strstr(said, "nominal time"));
}

void chart_title(const struct chart *c, struct textbuf *script)
{
	struct textbuf below;
	textbuf_init(&below);
	textbuf_puts(&below, c->subtitle ? c->subtitle : "");
	/* Without the comma where nothing stands before it. */
	textbuf_puts(&below, unsaid(c) + (below.len == 0 && *unsaid(c) ? strlen(", ") : 0));
	bool is_long = strlen(c->title) > TITLE_CHARS || below.len > TITLE_CHARS;
	textbuf_puts(script, "set label ");
	chart_lines(script, c->title, is_long ? SMALL_TITLE_CHARS : TITLE_CHARS);
	if (below.len > 0) {
		textbuf_puts(script, ".\"\\n\".");
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
		bool keeps = (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
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
	textbuf_printf(alt, "%s. Values are %s.", unsaid(c), c->value_axis);
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
