#include <math.h>
#include <string.h>

#include "results/page/page_internal.h"
#include "sim/base/number.h"

/* Columns that are told apart as numbers. */
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
