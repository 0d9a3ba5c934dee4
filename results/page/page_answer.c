#include <string.h>

#include "results/page/page_internal.h"
#include "results/store/query_answer_internal.h"

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
