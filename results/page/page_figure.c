#include "results/page/page_internal.h"

static void link_to(struct page *p, const char *name, const char *ending, const char *words)
{
	textbuf_puts(&p->body, "<a href=\"");
	page_escape(&p->body, name);
	textbuf_printf(&p->body, ".%s\">%s</a>", ending, words);
}

/* Words with a name between them, in `b`, which the caller releases. */
static const char *words_with(struct page *p, struct textbuf *b, const char *before, const char *name,
			      const char *behind)
{
	textbuf_init(b);
	textbuf_printf(b, "%s%s%s", before, name, behind);
	p->failed |= textbuf_failed(b);
	return b->text;
}

static void show_picture(struct page *p, const struct figure *f)
{
	struct textbuf label;
	page_begin_region(p, "scroll picture", words_with(p, &label, "picture ", f->name, ""));
	textbuf_release(&label);
	textbuf_puts(&p->body, "<img src=\"");
	page_escape(&p->body, f->name);
	textbuf_printf(&p->body, ".svg\" width=\"%u\" height=\"%u\" alt=\"", f->width_px, f->height_px);
	page_escape(&p->body, f->alt.text);
	textbuf_puts(&p->body, "\"></div>\n");
}

void page_origin(struct page *p, const char *command, const char *hash_of, const char *hash)
{
	if (command) {
		textbuf_puts(&p->body, "<p class=\"origin\">Made by <code>");
		page_escape(&p->body, command);
		textbuf_puts(&p->body, "</code></p>\n");
	}
	if (hash) {
		textbuf_puts(&p->body, "<p class=\"origin\">Hash of the ");
		page_escape(&p->body, hash_of);
		textbuf_puts(&p->body, ": <code>");
		page_escape(&p->body, hash);
		textbuf_puts(&p->body, "</code></p>\n");
	}
}

/* What it was made by and from, and where its files are. */
static void show_origin(struct page *p, const struct page_figure *f)
{
	const char *name = f->figure->name;
	page_origin(p, f->command, f->hash_of, f->hash);
	textbuf_puts(&p->body, "<p class=\"origin\">Files: ");
	if (f->drawn) {
		link_to(p, name, "svg", "picture (SVG)");
		textbuf_puts(&p->body, ", ");
		link_to(p, name, "png", "picture (PNG)");
		textbuf_puts(&p->body, ", ");
	}
	link_to(p, name, "csv", "data (CSV)");
	textbuf_puts(&p->body, ", ");
	link_to(p, name, "gp", "script for gnuplot");
	textbuf_puts(&p->body, "</p>\n");
}

void page_figure(struct page *p, const struct page_figure *f)
{
	const struct figure *figure = f->figure;
	struct textbuf label;
	textbuf_puts(&p->body, "<figure>\n");
	if (f->drawn)
		show_picture(p, figure);
	else {
		textbuf_puts(&p->body, "<p class=\"notice\" role=\"note\">The pictures are missing: <code>gnuplot ");
		page_escape(&p->body, figure->name);
		textbuf_puts(&p->body, ".gp</code> in this folder draws them.</p>\n");
		/* What they would show can be read all the same. */
		if (figure->alt.len)
			page_paragraph(p, "%s", figure->alt.text);
	}
	textbuf_puts(&p->body, "<figcaption>\n");
	if (f->caption)
		page_paragraph(p, "%s", f->caption);
	show_origin(p, f);
	textbuf_puts(&p->body, "</figcaption>\n");
	page_csv(p, words_with(p, &label, "Data: ", figure->name, ".csv as a table"), true, figure->data.text);
	textbuf_release(&label);
	textbuf_puts(&p->body, "</figure>\n");
	p->failed |= textbuf_failed(&figure->data) || textbuf_failed(&figure->alt);
}

void page_link(struct page *p, const char *words, const char *fmt, ...)
{
	va_list ap;
	textbuf_puts(&p->body, "<p class=\"origin\"><a href=\"");
	va_start(ap, fmt);
	page_escape_formatted(p, fmt, ap);
	va_end(ap);
	textbuf_puts(&p->body, "\">");
	page_escape(&p->body, words);
	textbuf_puts(&p->body, "</a></p>\n");
}
