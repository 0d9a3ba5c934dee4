#include "results/page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/page/page_internal.h"
#include "sim/base/utf8.h"

/* Nothing is fetched but pictures from the page's own folder ('self' is nothing for a page that is read from a file),
 * nothing is run, nothing is sent. */
#define POLICY                                                                                                         \
	"default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action "     \
	"'none'"

/* Identifiers of the page's own have a character that those of sections do not have. */
#define MAIN_ID ":main"
#define CONTENTS_ID ":contents"
#define HEADING_ID ":heading" /* after the section's */

/* Characters without a blank, after which a line may end: hashes and paths are wider than paper. */
#define LONG_WORD 20u

#define REPLACEMENT "\xef\xbf\xbd"

void page_init(struct page *p, const char *title, const char *lead)
{
	*p = (struct page){.title = title, .lead = lead};
	textbuf_init(&p->body);
	textbuf_init(&p->contents);
}

void page_release(struct page *p)
{
	textbuf_release(&p->body);
	textbuf_release(&p->contents);
}

/* C0, C1 and DEL; tabs and line ends are none here. */
static bool is_control(const char *text, unsigned len)
{
	unsigned char c = (unsigned char)text[0];
	if (len == 1)
		return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
	return len == 2 && c == 0xc2 && (unsigned char)text[1] < 0xa0;
}

static const char *reference_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	return NULL;
}

/* With `breakable`, what has no blank for a long way can be broken there. */
static void escape(struct textbuf *out, const char *text, bool breakable)
{
	bool is_joint = false; /* in front of this character words are broken rather than elsewhere */
	for (unsigned run = 0; *text; run++) {
		if (*text == ' ' || *text == '\n')
			run = 0;
		if (breakable && (run >= LONG_WORD || (is_joint && run >= LONG_WORD / 3))) {
			textbuf_puts(out, "<wbr>");
			run = 0;
		}
		is_joint = strchr("+/,._", *text);
		unsigned len = utf8_len(text);
		const char *reference = reference_of(*text);
		if (!len || utf8_is_noncharacter(text))
			textbuf_puts(out, REPLACEMENT);
		else if (reference)
			textbuf_puts(out, reference);
		else if (!is_control(text, len))
			textbuf_add(out, text, len);
		text += len ? len : 1;
	}
}

void page_escape(struct textbuf *out, const char *text)
{
	escape(out, text, false);
}

/* What `fmt` comes to, at the end of the page. */
static void add_formatted(struct page *p, bool breakable, const char *fmt, va_list ap)
{
	char brief[512], *whole = NULL;
	va_list again;
	va_copy(again, ap);
	int len = vsnprintf(brief, sizeof(brief), fmt, ap);
	if (len >= (int)sizeof(brief)) {
		whole = malloc((size_t)len + 1);
		if (whole)
			vsnprintf(whole, (size_t)len + 1, fmt, again);
	}
	va_end(again);
	if (len < 0 || (len >= (int)sizeof(brief) && !whole))
		p->failed = true;
	else
		escape(&p->body, whole ? whole : brief, breakable);
	free(whole);
}

void page_escape_formatted(struct page *p, const char *fmt, va_list ap)
{
	add_formatted(p, false, fmt, ap);
}

/* The same for a cell of a table: words that are long can be broken. */
static void escape_breakable(struct page *p, const char *fmt, va_list ap)
{
	add_formatted(p, true, fmt, ap);
}

void page_begin_region(struct page *p, const char *class, const char *label)
{
	/* The keyboard moves what has the focus. */
	textbuf_printf(&p->body, "<div class=\"%s\" role=\"region\" tabindex=\"0\" aria-label=\"", class);
	p->nr_regions++;
	if (label)
		page_escape(&p->body, label);
	else
		textbuf_printf(&p->body, "table %u", p->nr_regions);
	textbuf_puts(&p->body, "\">");
}

static void write_head(const struct page *p, struct textbuf *out)
{
	textbuf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	textbuf_puts(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n");
	textbuf_puts(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	textbuf_puts(out, "<meta name=\"color-scheme\" content=\"light dark\">\n");
	textbuf_puts(out, "<meta name=\"referrer\" content=\"no-referrer\">\n" PAGE_MARK);
	textbuf_puts(out, p->mark ? p->mark : "");
	textbuf_puts(out, "<title>");
	page_escape(out, p->title);
	/* Else browsers ask for an icon. */
	textbuf_puts(out, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n");
	textbuf_puts(out, page_css);
	textbuf_puts(out, "</style>\n</head>\n");
}

bool page_write(const struct page *p, struct textbuf *out)
{
	write_head(p, out);
	textbuf_puts(out, "<body>\n<a class=\"skip\" href=\"#" MAIN_ID "\">Skip to the content</a>\n<header>\n<h1>");
	page_escape(out, p->title);
	textbuf_puts(out, "</h1>\n");
	if (p->lead) {
		textbuf_puts(out, "<p class=\"lead\">");
		page_escape(out, p->lead);
		textbuf_puts(out, "</p>\n");
	}
	textbuf_puts(out, "</header>\n");
	if (p->contents.len) {
		textbuf_puts(out, "<nav aria-labelledby=\"" CONTENTS_ID "\">\n<p id=\"" CONTENTS_ID
				  "\">Contents</p>\n<ul>\n");
		textbuf_add(out, p->contents.text, p->contents.len);
		textbuf_puts(out, "</ul>\n</nav>\n");
	}
	textbuf_puts(out, "<main id=\"" MAIN_ID "\" tabindex=\"-1\">\n");
	textbuf_add(out, p->body.text, p->body.len);
	textbuf_puts(out, p->in_section ? "</section>\n" : "");
	textbuf_puts(out, "</main>\n</body>\n</html>\n");
	out->failed |= p->failed || textbuf_failed(&p->body) || textbuf_failed(&p->contents);
	return !textbuf_failed(out);
}

void page_section(struct page *p, const char *id, const char *heading)
{
	textbuf_puts(&p->contents, "<li><a href=\"#");
	page_escape(&p->contents, id);
	textbuf_puts(&p->contents, "\">");
	page_escape(&p->contents, heading);
	textbuf_puts(&p->contents, "</a></li>\n");

	textbuf_puts(&p->body, p->in_section ? "</section>\n<section id=\"" : "<section id=\"");
	page_escape(&p->body, id);
	textbuf_puts(&p->body, "\" aria-labelledby=\"");
	page_escape(&p->body, id);
	textbuf_puts(&p->body, HEADING_ID "\">\n<h2 id=\"");
	page_escape(&p->body, id);
	textbuf_puts(&p->body, HEADING_ID "\">");
	page_escape(&p->body, heading);
	textbuf_puts(&p->body, "</h2>\n");
	p->in_section = true;
}

void page_subheading(struct page *p, const char *heading)
{
	/* No level is left out where there is no section yet. */
	char level = p->in_section ? '3' : '2';
	textbuf_printf(&p->body, "<h%c>", level);
	page_escape(&p->body, heading);
	textbuf_printf(&p->body, "</h%c>\n", level);
}

void page_paragraph(struct page *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	textbuf_puts(&p->body, "<p>");
	page_escape_formatted(p, fmt, ap);
	textbuf_puts(&p->body, "</p>\n");
	va_end(ap);
}

void page_notice(struct page *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	textbuf_puts(&p->body, "<p class=\"notice\" role=\"note\">");
	page_escape_formatted(p, fmt, ap);
	textbuf_puts(&p->body, "</p>\n");
	va_end(ap);
}

void page_verbatim(struct page *p, const char *text)
{
	page_begin_region(p, "scroll verbatim", "text as it stands");
	textbuf_puts(&p->body, "<pre><code>");
	page_escape(&p->body, text);
	textbuf_puts(&p->body, "</code></pre></div>\n");
}

void page_begin_facts(struct page *p)
{
	textbuf_puts(&p->body, "<dl>\n");
}

void page_fact(struct page *p, const char *name, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	textbuf_puts(&p->body, "<div><dt>");
	page_escape(&p->body, name);
	textbuf_puts(&p->body, "</dt><dd>");
	page_escape_formatted(p, fmt, ap);
	textbuf_puts(&p->body, "</dd></div>\n");
	va_end(ap);
}

void page_end_facts(struct page *p)
{
	textbuf_puts(&p->body, "</dl>\n");
}

void page_begin_details_of(struct page *p, const char *class, const char *summary)
{
	textbuf_printf(&p->body, "<details%s%s%s>\n<summary>", *class ? " class=\"" : "", class, *class ? "\"" : "");
	page_escape(&p->body, summary);
	textbuf_puts(&p->body, "</summary>\n");
}

void page_begin_details(struct page *p, const char *summary)
{
	page_begin_details_of(p, "", summary);
}

void page_end_details(struct page *p)
{
	textbuf_puts(&p->body, "</details>\n");
}

static const char *const mark_classes[] = {
	[PAGE_PLAIN] = "", [PAGE_GOOD] = "good", [PAGE_BAD] = "bad", [PAGE_MUTED] = "muted", [PAGE_PHRASE] = "phrase"};

void page_begin_table(struct page *p, const char *caption)
{
	page_begin_region(p, "scroll", caption);
	textbuf_puts(&p->body, "<table>\n");
	if (caption) {
		/* The part that stays in sight when the table moves. */
		textbuf_puts(&p->body, "<caption><span>");
		page_escape(&p->body, caption);
		textbuf_puts(&p->body, "</span></caption>\n");
	}
	p->row = p->column = 0;
	p->in_row = false;
}

/* Headings stand in <thead>, which each sheet of paper repeats. */
static void end_row(struct page *p)
{
	if (p->in_row)
		textbuf_puts(&p->body, p->row == 1 ? "</tr></thead>\n" : "</tr>\n");
	p->in_row = false;
}

void page_row(struct page *p)
{
	end_row(p);
	textbuf_puts(&p->body, p->row == 0 ? "<thead><tr>" : p->row == 1 ? "<tbody>\n<tr>" : "<tr>");
	p->in_row = true;
	p->row++;
	p->column = 0;
}

/* Begins a cell; returns what ends it. */
static const char *begin_cell(struct page *p, bool is_number, enum page_mark mark)
{
	const char *class = mark_classes[mark];
	bool heads_column = p->row == 1, heads = heads_column || p->column == 0;
	textbuf_puts(&p->body, !heads ? "<td" : heads_column ? "<th scope=\"col\"" : "<th scope=\"row\"");
	if (is_number || *class)
		textbuf_printf(&p->body, " class=\"%s%s%s\"", is_number ? "number" : "", is_number && *class ? " " : "",
			       class);
	textbuf_putc(&p->body, '>');
	p->column++;
	return heads ? "</th>" : "</td>";
}

void page_heading(struct page *p, bool is_number, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *end = begin_cell(p, is_number, PAGE_PLAIN);
	escape_breakable(p, fmt, ap);
	textbuf_puts(&p->body, end);
	va_end(ap);
}

void page_cell(struct page *p, bool is_number, enum page_mark mark, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *end = begin_cell(p, is_number, mark);
	if (is_number)
		page_escape_formatted(p, fmt, ap);
	else
		escape_breakable(p, fmt, ap);
	textbuf_puts(&p->body, end);
	va_end(ap);
}

void page_end_table(struct page *p)
{
	bool has_body = p->row > 1;
	end_row(p);
	textbuf_puts(&p->body, has_body ? "</tbody>\n</table></div>\n" : "</table></div>\n");
}
