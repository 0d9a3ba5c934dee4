/* What pages show of results: CSV, answers of stores, figures. */
#include <math.h>
#include <string.h>

#include "results/page/page_internal.h"
#include "sim/base/number.h"

/* Columns recognised as numbers. */
#define MAX_COLUMNS 256u

/* Digits of a number that is not whole. */
#define SHOWN_DIGITS 6

/* From here on, where they would be shown with an exponent, the whole part stays whole. */
#define WHOLE_FROM 999999.5
#define EXACT 9007199254740992.0

static void empty(struct textbuf *b)
{
	b->len = 0;
	if (b->room)
		b->text[0] = '\0';
}

/* Reads the field at *at, as results/metrics/csv.h writes them, and goes on to the next one. Whether it ends its row.
 */
static bool read_field(const char **at, struct textbuf *field)
{
	const char *s = *at;
	bool quoted = *s == '"';
	empty(field);
	for (s += quoted; *s; s++) {
		if (quoted && *s == '"' && s[1] == '"')
			s++;
		else if (quoted && *s == '"') {
			quoted = false;
			continue;
		} else if (!quoted && (*s == ',' || *s == '\n'))
			break;
		textbuf_putc(field, *s);
	}
	bool ends = *s != ',';
	*at = *s ? s + 1 : s;
	return ends;
}

/* Which columns have nothing but numbers in the rows that are shown, and how many rows there are. */
static size_t survey(const char *at, bool is_number[MAX_COLUMNS], struct textbuf *field)
{
	bool seen[MAX_COLUMNS] = {false};
	size_t nr_rows = 0;
	double value;
	memset(is_number, true, sizeof(bool) * MAX_COLUMNS);
	while (*at) {
		bool ends = false;
		for (unsigned c = 0; !ends; c++) {
			ends = read_field(&at, field);
			if (c >= MAX_COLUMNS || nr_rows >= MAX_PAGE_ROWS || !field->len)
				continue;
			seen[c] = true;
			is_number[c] &= number_read_double(field->text, &value) != NUMBER_NOT;
		}
		nr_rows++;
	}
	for (unsigned c = 0; c < MAX_COLUMNS; c++)
		is_number[c] &= seen[c];
	return nr_rows;
}

/* A field as people read it: of a number with a fraction, as many digits as they can use. */
static void show_field(struct page *p, bool is_number, const char *text)
{
	double value;
	bool is_long = is_number && strpbrk(text, ".e") && number_read_double(text, &value) == NUMBER_OK;
	if (is_long && fabs(value) >= WHOLE_FROM && fabs(value) < EXACT)
		page_cell(p, is_number, PAGE_PLAIN, "%.0f", value);
	else if (is_long)
		page_cell(p, is_number, PAGE_PLAIN, "%.*g", SHOWN_DIGITS, value + 0.0);
	else
		page_cell(p, is_number, PAGE_PLAIN, "%s", text);
}

static void show_row(struct page *p, const char **at, const bool is_number[MAX_COLUMNS], bool headings,
		     struct textbuf *field)
{
	bool ends = false;
	page_row(p);
	for (unsigned c = 0; !ends; c++) {
		ends = read_field(at, field);
		if (headings)
			page_heading(p, c < MAX_COLUMNS && is_number[c], "%s", field->text);
		else
			show_field(p, c < MAX_COLUMNS && is_number[c], field->text);
	}
}

void page_csv(struct page *p, const char *summary, bool opens, const char *csv)
{
	bool is_number[MAX_COLUMNS];
	struct textbuf field;
	const char *at = csv;
	textbuf_init(&field);
	if (opens)
		page_begin_details_of(p, "data", summary);
	if (!*at)
		page_paragraph(p, "No data.");
	else {
		/* The headings are no numbers. */
		do {
		} while (!read_field(&at, &field));
		size_t nr_rows = survey(at, is_number, &field);
		page_begin_table(p, summary);
		at = csv;
		show_row(p, &at, is_number, true, &field);
		for (unsigned i = 0; *at && i < MAX_PAGE_ROWS; i++)
			show_row(p, &at, is_number, false, &field);
		page_end_table(p);
		if (nr_rows > MAX_PAGE_ROWS)
			page_paragraph(p, "The first %u rows of %zu are shown; the file has the other %zu.",
				       MAX_PAGE_ROWS, nr_rows, nr_rows - MAX_PAGE_ROWS);
	}
	if (opens)
		page_end_details(p);
	p->failed |= textbuf_failed(&field);
	textbuf_release(&field);
}

/* Each line is a paragraph. */
static void show_lines(struct page *p, const struct textbuf *lines)
{
	const char *line = lines->text;
	while (*line) {
		size_t len = strcspn(line, "\n");
		if (len)
			page_paragraph(p, "%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static const char *cell_text(const struct query_cell *c, struct textbuf *scratch)
{
	textbuf_release(scratch);
	query_cell_write(c, scratch);
	return scratch->text;
}

/* A column stands to the right unless it is to stand to the left, or has words. */
static bool is_number_column(const struct query_table *t, unsigned column)
{
	bool is = !t->columns[column].left;
	for (size_t i = column; i < t->nr_cells; i += t->nr_columns)
		is &= t->cells[i].kind != CELL_TEXT;
	return is;
}

static void show_table(struct page *p, const struct query_table *t, struct textbuf *scratch)
{
	bool is_number[MAX_ANSWER_COLUMNS];
	for (unsigned c = 0; c < t->nr_columns; c++)
		is_number[c] = is_number_column(t, c);
	page_begin_table(p, t->title);
	page_row(p);
	for (unsigned c = 0; c < t->nr_columns; c++)
		if (t->columns[c].where & IN_TEXT)
			page_heading(p, is_number[c], "%s", t->columns[c].heading ? t->columns[c].heading : "-");
	for (size_t i = 0; i < t->nr_cells; i++) {
		unsigned c = (unsigned)(i % t->nr_columns);
		if (c == 0)
			page_row(p);
		if (!(t->columns[c].where & IN_TEXT))
			continue;
		enum page_mark mark = t->cells[i].kind == CELL_NONE ? PAGE_MUTED : PAGE_PLAIN;
		page_cell(p, is_number[c], mark, "%s", cell_text(&t->cells[i], scratch));
		p->failed |= textbuf_failed(scratch);
	}
	page_end_table(p);
}

static void show_facts(struct page *p, const struct query_answer *a, struct textbuf *scratch)
{
	bool any = false;
	for (unsigned i = 0; i < a->nr_facts; i++) {
		const struct query_fact *f = &a->facts[i];
		if (!f->words)
			continue;
		if (!any)
			page_begin_facts(p);
		any = true;
		page_fact(p, f->words, "%s", cell_text(&f->cell, scratch));
		p->failed |= textbuf_failed(scratch);
	}
	if (any)
		page_end_facts(p);
}

void page_answer(struct page *p, const struct query_answer *a)
{
	struct textbuf scratch;
	textbuf_init(&scratch);
	show_lines(p, &a->heading);
	show_facts(p, a, &scratch);
	for (unsigned i = 0; i < a->nr_tables; i++)
		if (a->tables[i].where & IN_TEXT && a->tables[i].nr_cells)
			show_table(p, &a->tables[i], &scratch);
	show_lines(p, &a->notes);
	p->failed |= a->failed || textbuf_failed(&a->heading) || textbuf_failed(&a->notes);
	textbuf_release(&scratch);
}

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

/* Its maker and source, and the place of its files. */
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
