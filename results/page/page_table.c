#include "results/page/page_internal.h"

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
	page_escape_breakable(p, fmt, ap);
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
		page_escape_breakable(p, fmt, ap);
	textbuf_puts(&p->body, end);
	va_end(ap);
}

void page_end_table(struct page *p)
{
	bool has_body = p->row > 1;
	end_row(p);
	textbuf_puts(&p->body, has_body ? "</tbody>\n</table></div>\n" : "</table></div>\n");
}
