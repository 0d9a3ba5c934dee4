/* Legends of charts, and what fills bars: a key of gnuplot's own cannot show hatching upon a colour, nor a box. */
#include "results/chart/chart_internal.h"
#include "sim/base/array.h"

#define ROW_PX 24u
#define LINE_PX 19u
#define SAMPLE_PX 28u
#define TEXT_CHARS 24u

/* None is the colour of a state (results/report/characterize_plot.c): they differ from those by a CIE 1976 colour
 * distance of at least 35, and from the paper's by 40. Any two differ by 42 in full sight, 19 with protanopia or
 * deuteranopia and 26 with tritanopia. Light and dark by turns: neighbours differ by a CIE lightness of at least 33. */
static const char *const fills[] = {
	"#BEA7EB", "#3A5006", "#FFACA7", "#450002", "#AFEB6B", "#1C53C1", "#84F9E4", "#C03F38",
};
/* Ink that shows upon them. */
static const char *const inks[] = {
	"#000000", "#FFFFFF", "#000000", "#FFFFFF", "#000000", "#FFFFFF", "#000000", "#FFFFFF",
};

#define NR_FILLS ARRAY_SIZE(fills)

const char *chart_fill(unsigned series)
{
	return fills[series % NR_FILLS];
}

const char *chart_hatching(unsigned series)
{
	return series / NR_FILLS % 2 == 1 ? inks[series % NR_FILLS] : NULL;
}

void chart_legend_init(struct chart_legend *l, unsigned width_px)
{
	*l = (struct chart_legend){.top_px = CHART_ABOVE_PX, .width_px = width_px};
	textbuf_init(&l->script);
}

static unsigned left_px(const struct chart_legend *l)
{
	return l->width_px - CHART_LEGEND_PX;
}

/* Appends a place `x_px` from the legend's left side and `y_px` below its row's top. */
static void place(struct chart_legend *l, unsigned x_px, unsigned y_px)
{
	textbuf_printf(&l->script, "screen %u.0/width_px,1-%u.0/height_px", left_px(l) + x_px, l->top_px + y_px);
}

static void rectangle(struct chart_legend *l, const char *fill, const char *style)
{
	textbuf_puts(&l->script, "set object rectangle from ");
	place(l, 0, 17);
	textbuf_puts(&l->script, " to ");
	place(l, SAMPLE_PX, 0);
	textbuf_printf(&l->script, " front fillcolor rgb '%s' fillstyle %s border lc rgb '" CHART_INK "' lw 0.6\n",
		       fill, style);
}

static void line(struct chart_legend *l, unsigned from_x, unsigned from_y, unsigned to_x, unsigned to_y,
		 const char *style)
{
	textbuf_puts(&l->script, "set arrow from ");
	place(l, from_x, from_y);
	textbuf_puts(&l->script, " to ");
	place(l, to_x, to_y);
	textbuf_printf(&l->script, " nohead front %s\n", style);
}

/* The text beside a sample, or, at the left side, by its own place; ends the row. */
static void text_at(struct chart_legend *l, unsigned x_px, const char *text, unsigned chars)
{
	textbuf_puts(&l->script, "set label ");
	unsigned nr = chart_lines(&l->script, text, chars);
	textbuf_puts(&l->script, " at ");
	place(l, x_px, 9);
	textbuf_puts(&l->script, " left font ',12'\n");
	l->top_px += ROW_PX + (nr - 1) * LINE_PX;
}

static void text_row(struct chart_legend *l, const char *text)
{
	text_at(l, 0, text, TEXT_CHARS + 4);
}

void chart_legend_fill(struct chart_legend *l, unsigned series, const char *text)
{
	rectangle(l, chart_fill(series), "solid 1.0");
	if (chart_hatching(series))
		rectangle(l, chart_hatching(series), "transparent pattern 4");
	text_at(l, SAMPLE_PX + 8, text, TEXT_CHARS);
}

static void point_at(struct chart_legend *l, const char *point)
{
	textbuf_puts(&l->script, "set label '' at ");
	place(l, SAMPLE_PX / 2, 9);
	textbuf_printf(&l->script, " point %s front\n", point);
}

void chart_legend_point(struct chart_legend *l, const char *point, const char *text)
{
	point_at(l, point);
	text_at(l, SAMPLE_PX + 8, text, TEXT_CHARS);
}

void chart_legend_mark(struct chart_legend *l, const char *point, const char *outline, const char *text)
{
	point_at(l, outline);
	chart_legend_point(l, point, text);
}

static void box_row(struct chart_legend *l)
{
	rectangle(l, CHART_FILL, "solid 1.0");
	text_at(l, SAMPLE_PX + 8, "25th to 75th percentile", TEXT_CHARS);
}

void chart_legend_whiskers(struct chart_legend *l, const char *text)
{
	static const char style[] = "lw 1 lc rgb '" CHART_INK "'";
	line(l, 0, 9, SAMPLE_PX, 9, style);
	line(l, 0, 4, 0, 14, style);
	line(l, SAMPLE_PX, 4, SAMPLE_PX, 14, style);
	text_at(l, SAMPLE_PX + 8, text, TEXT_CHARS);
}

void chart_legend_line(struct chart_legend *l, const char *style, const char *text)
{
	line(l, SAMPLE_PX / 2, 0, SAMPLE_PX / 2, 18, style);
	text_at(l, SAMPLE_PX + 8, text, TEXT_CHARS);
}

void chart_legend_boxes(struct chart_legend *l, const char *box_words, const char *mark_words)
{
	if (box_words && *box_words) {
		struct textbuf words;
		textbuf_init(&words);
		textbuf_printf(&words, "boxes of %s", box_words);
		text_row(l, words.text);
		textbuf_release_part(&words, &l->script);
	}
	box_row(l);
	chart_legend_line(l, CHART_MEDIAN_LINE, "median");
	chart_legend_point(l, CHART_MEAN_POINT, "mean");
	chart_legend_whiskers(l, "entire range");
	if (mark_words)
		chart_legend_point(l, CHART_RING_POINT, mark_words);
}

void chart_legend_end(struct chart_legend *l, struct textbuf *script)
{
	textbuf_printf(script, "set rmargin at screen %u.0/width_px\n", left_px(l) - 32 - l->beside_px);
	textbuf_puts(script, l->script.text);
	textbuf_release_part(&l->script, script);
}
