#include "results/metrics/table.h"

#include <stdio.h>

#include "sim/base/clean.h"

#define CELL_BYTES 512

struct table_row {
	struct table_row *next;
	bool ruled;
	unsigned nr_cells;
	const char *cells[MAX_TABLE_COLUMNS];
};

void table_init(struct table *t)
{
	*t = (struct table){.left = 1};
}

void table_release(struct table *t)
{
	arena_release(&t->arena);
}

void table_row(struct table *t, bool ruled)
{
	struct table_row *row = arena_alloc(&t->arena, 1, sizeof(*row));
	if (!row) {
		t->failed = true;
		return;
	}
	row->ruled = ruled;
	if (t->last)
		t->last->next = row;
	else
		t->first = row;
	t->last = row;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	char text[CELL_BYTES];
	struct table_row *row = t->last;
	va_list ap;
	if (t->failed || row->nr_cells == MAX_TABLE_COLUMNS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* Rows end where they end, whatever a cell quotes. */
	clean_text(text);
	row->cells[row->nr_cells] = arena_strdup(&t->arena, text);
	if (!row->cells[row->nr_cells++])
		t->failed = true;
	if (row->nr_cells > t->nr_columns)
		t->nr_columns = row->nr_cells;
}

void table_words(struct table *t, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		table_cell(t, "%s", words[i]);
}

void table_cell_text(struct table *t, struct textbuf *text)
{
	table_cell(t, "%s", text->text);
	t->failed |= textbuf_failed(text);
	textbuf_release(text);
	textbuf_init(text);
}

/* Characters that `text` takes on a terminal, for UTF-8 without wide or combining ones. */
static unsigned width_of(const char *text)
{
	unsigned n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void fill(struct textbuf *out, char c, unsigned n)
{
	while (n-- > 0)
		textbuf_putc(out, c);
}

static void write_row(const struct table *t, const struct table_row *row, const unsigned *widths, struct textbuf *out)
{
	for (unsigned c = 0; c < row->nr_cells; c++) {
		unsigned pad = widths[c] - width_of(row->cells[c]);
		bool left = t->left >> c & 1u;
		textbuf_puts(out, c > 0 ? "  " : "");
		fill(out, ' ', left ? 0 : pad);
		textbuf_puts(out, row->cells[c]);
		fill(out, ' ', left && c + 1 < row->nr_cells ? pad : 0);
	}
}

bool table_write(const struct table *t, bool bold, struct textbuf *out)
{
	unsigned widths[MAX_TABLE_COLUMNS] = {0}, total = 0;
	if (t->failed)
		return false;
	for (const struct table_row *row = t->first; row; row = row->next)
		for (unsigned c = 0; c < row->nr_cells; c++)
			if (width_of(row->cells[c]) > widths[c])
				widths[c] = width_of(row->cells[c]);
	for (unsigned c = 0; c < t->nr_columns; c++)
		total += widths[c] + (c ? 2 : 0);
	for (const struct table_row *row = t->first; row; row = row->next) {
		bool heading = bold && row == t->first;
		if (row->ruled) {
			fill(out, '-', total);
			textbuf_putc(out, '\n');
		}
		textbuf_puts(out, heading ? TEXT_BOLD : "");
		write_row(t, row, widths, out);
		textbuf_puts(out, heading ? TEXT_PLAIN "\n" : "\n");
	}
	return !textbuf_failed(out);
}
