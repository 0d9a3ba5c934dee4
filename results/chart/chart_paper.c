#include "results/chart/chart_paper.h"

#include <string.h>

#include "results/chart/chart_internal.h"
#include "sim/base/number.h"

#define PREFIX "paper: "
#define LABEL_CHARS 24u
#define CHAR_PX 7u

unsigned chart_paper_px(const struct chart_paper *paper, size_t nr)
{
	size_t longest = 0;
	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(PREFIX) + strlen(paper[i].words);
		longest = len > longest ? len : longest;
	}
	longest = longest > LABEL_CHARS ? LABEL_CHARS : longest;
	return longest ? (unsigned)longest * CHAR_PX + CHAR_PX : 0;
}

void chart_paper_add(const struct chart *c, struct chart_range *r)
{
	for (size_t i = 0; i < c->nr_paper; i++)
		chart_range_add(r, c->paper[i].value);
}

/* White around it shows the line upon any bar. */
void chart_paper_line(const char *from, const char *to, struct textbuf *script)
{
	textbuf_printf(script, "set arrow from %s to %s nohead front lw 6 lc rgb '#ffffff'\n", from, to);
	textbuf_printf(script, "set arrow from %s to %s nohead front lw 3 lc rgb '" CHART_PAPER "'\n", from, to);
}

static void line(const struct chart_paper *p, struct textbuf *script)
{
	struct textbuf ends[2];
	for (unsigned e = 0; e < 2; e++) {
		textbuf_init(&ends[e]);
		textbuf_puts(&ends[e], "first ");
		number_write_double(&ends[e], p->value, 0);
		textbuf_printf(&ends[e], ", first (paper_at(%zu, %u) %c 1.2 * paper_half)", p->row, p->part,
			       e ? '+' : '-');
	}
	chart_paper_line(ends[0].text, ends[1].text, script);
	textbuf_release_part(&ends[0], script);
	textbuf_release_part(&ends[1], script);
}

static bool is_one_place(const struct chart_paper *a, const struct chart_paper *b, bool by_part)
{
	return a->row == b->row && (!by_part || a->part == b->part);
}

void chart_paper_draw(const struct chart_paper *paper, size_t nr, bool by_part, struct textbuf *script)
{
	for (size_t i = 0, next; i < nr; i = next) {
		struct textbuf words;
		textbuf_init(&words);
		textbuf_puts(&words, PREFIX);
		for (next = i; next < nr && is_one_place(&paper[i], &paper[next], by_part); next++) {
			line(&paper[next], script);
			textbuf_printf(&words, "%s%s", next > i ? ", " : "", paper[next].words);
		}
		textbuf_puts(script, "set label ");
		chart_lines(script, words.text, LABEL_CHARS);
		textbuf_printf(script,
			       " at graph 1, first paper_at(%zu, %u) left offset 1,0 front font ',12' textcolor rgb "
			       "'" CHART_PAPER "'\n",
			       paper[i].row, paper[i].part);
		textbuf_release_part(&words, script);
	}
}
