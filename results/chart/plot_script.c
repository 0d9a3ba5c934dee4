/* What scripts and data for gnuplot are made of. */
#include <string.h>

#include "results/chart/plot.h"
#include "sim/base/utf8.h"

void plot_string(struct textbuf *script, const char *text)
{
	textbuf_putc(script, '\'');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		/* Doubled, as gnuplot has it, one at the beginning would still end the string. */
		if (c == '\'')
			textbuf_puts(script, "\xe2\x80\x99");
		else
			textbuf_putc(script, c < 0x20 || c == 0x7f ? '?' : *text);
	}
	textbuf_putc(script, '\'');
}

/* A script can be run by hand, one or several at a time, and then writes beside itself. Startup files are not its
 * business: everything that it relies on is reset and set. */
void plot_begin_script(struct textbuf *script, const char *name, unsigned width_px, unsigned height_px)
{
	textbuf_printf(script, "# Draws %s.svg and %s.png from %s.csv: gnuplot %s.gp\n", name, name, name, name);
	textbuf_printf(script,
		       "reset\n"
		       "data = '%s.csv'\n"
		       "if (!exists('svg')) svg = '%s.svg'\n"
		       "if (!exists('png')) png = '%s.png'\n"
		       "width_px = %u\n"
		       "height_px = %u\n",
		       name, name, name, width_px, height_px);
	textbuf_puts(script, "set encoding utf8\n"
			     "set datafile separator comma\n"
			     "set terminal svg size width_px,height_px font 'sans-serif,14' noenhanced "
			     "background '#ffffff'\n"
			     "set output svg\n"
			     "set tics nomirror out\n"
			     "set border 3 lw 1 lc rgb '#404040'\n");
}

void plot_end_script(struct textbuf *script)
{
	textbuf_puts(
		script,
		"set terminal pngcairo size 2*width_px,2*height_px font 'Sans,14' fontscale 2 linewidth 2 pointscale 2 "
		"noenhanced background '#ffffff'\n"
		"set output png\n"
		"replot\n"
		"set output\n"
		"undefine svg png\n");
}

/* Bytes of the character at `p`, and what stands for it in a label. Brackets: gnuplot writes ]]> into an SVG as it is,
 * where XML does not allow it. */
static size_t label_char(const char *p, char shown[5])
{
	static const char acted_on[] = "\"\\%,[]";
	static const char harmless[] = "'/_ ()";
	unsigned len = utf8_len(p);
	const char *found = *p ? strchr(acted_on, *p) : NULL;
	memcpy(shown, "?", 2);
	if (found) {
		shown[0] = harmless[found - acted_on];
	} else if (len > 0 && (unsigned char)*p >= 0x20 && *p != 0x7f && !utf8_is_noncharacter(p)) {
		memcpy(shown, p, len);
		shown[len] = '\0';
	}
	return len ? len : 1;
}

void plot_label(struct textbuf *out, const char *text)
{
	char shown[5];
	size_t nr = 0, at = 0;
	for (const char *p = text; *p; p += label_char(p, shown))
		nr++;
	for (const char *p = text; *p; at++) {
		p += label_char(p, shown);
		if (nr <= MAX_LABEL || at < MAX_LABEL / 2 || at > nr - MAX_LABEL / 2)
			textbuf_puts(out, shown);
		else if (at == MAX_LABEL / 2)
			textbuf_puts(out, "\xe2\x80\xa6");
	}
}
