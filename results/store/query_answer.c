#include "results/store/query_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/metric_text.h"
#include "results/metrics/origins_json.h"
#include "results/metrics/table.h"
#include "results/store/query_internal.h"
#include "sim/base/clean.h"
#include "sim/base/number.h"

#define SCHEMA "sahm-query/1"

/* Width of what stands in front of facts. */
#define FACT_WIDTH 28

/* Width from which on tables lose something, and room for a cell that does. */
#define MAX_WIDTH 120u
#define CUT_BYTES 512

/* Minimum rest of a cell that is cut. */
static const unsigned least_left[NR_FITS] = {[FIT_CUT] = 16, [FIT_CUT_LAST] = 24};

/* Whole numbers below this are exact in a double. */
#define EXACT 9007199254740992.0

void *query_grow(void *items, size_t *room, size_t nr, size_t size)
{
	if (nr < *room)
		return items;
	size_t more = *room ? *room * 2 : 64;
	void *grown = more > *room && more <= SIZE_MAX / size ? realloc(items, more * size) : NULL;
	if (grown)
		*room = more;
	return grown;
}

void query_answer_init(struct query_answer *a)
{
	*a = (struct query_answer){.question = ""};
	arena_init(&a->arena);
	textbuf_init(&a->heading);
	textbuf_init(&a->notes);
}

void query_answer_release(struct query_answer *a)
{
	for (unsigned i = 0; i < a->nr_tables; i++)
		free(a->tables[i].cells);
	textbuf_release(&a->heading);
	textbuf_release(&a->notes);
	arena_release(&a->arena);
	query_answer_init(a);
}

struct query_table *answer_table(struct query_answer *a, const char *key, const char *title, unsigned where)
{
	struct query_table *t = &a->tables[a->nr_tables++];
	*t = (struct query_table){.key = key, .title = title, .where = where};
	return t;
}

void answer_column(struct query_table *t, const char *key, const char *heading, bool left, unsigned where)
{
	t->columns[t->nr_columns++] =
		(struct query_column){.key = key, .heading = heading, .left = left, .where = where};
}

void answer_fit(struct query_table *t, enum query_fit fit)
{
	t->columns[t->nr_columns - 1].fit = fit;
}

static bool is_same_cell(const struct query_cell *x, const struct query_cell *y)
{
	if (x->kind != y->kind)
		return false;
	switch (x->kind) {
	case CELL_NONE:
		return true;
	case CELL_COUNT:
	case CELL_FLAG:
		return x->count == y->count;
	case CELL_METRIC:
	case CELL_DIFFERENCE:
	case CELL_PLAIN:
		return x->form == y->form && x->value == y->value;
	case CELL_TEXT:
	case CELL_LITERAL:
		return strcmp(x->text, y->text) == 0;
	}
	return false;
}

bool answer_fold(struct query_answer *a, struct query_table *t, const char *key, const char *words)
{
	unsigned c = 0;
	while (strcmp(t->columns[c].key, key) != 0)
		c++;
	if (t->nr_cells <= c)
		return false;
	for (size_t i = c; i < t->nr_cells; i += t->nr_columns)
		if (!is_same_cell(&t->cells[i], &t->cells[c]))
			return false;
	t->columns[c].where &= ~(unsigned)IN_TEXT;
	if (t->cells[c].kind != CELL_NONE)
		answer_fact(a, NULL, words, t->cells[c]);
	return true;
}

void answer_cell(struct query_answer *a, struct query_table *t, struct query_cell cell)
{
	struct query_cell *cells = query_grow(t->cells, &t->room, t->nr_cells, sizeof(cell));
	a->failed |= !cells;
	if (cells)
		t->cells = cells;
	if (a->failed)
		return;
	t->cells[t->nr_cells++] = cell;
}

void answer_fact(struct query_answer *a, const char *key, const char *words, struct query_cell cell)
{
	if (a->nr_facts < MAX_ANSWER_FACTS)
		a->facts[a->nr_facts++] = (struct query_fact){key, words, cell};
}

void answer_note(struct query_answer *a, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	clean_text(text);
	textbuf_printf(&a->notes, "%s\n", text);
}

struct query_cell metric_cell(enum run_form form, double value)
{
	return (struct query_cell){.kind = isfinite(value) ? CELL_METRIC : CELL_NONE, .form = form, .value = value};
}

struct query_cell difference_cell(enum run_form form, double value)
{
	return (struct query_cell){.kind = isfinite(value) ? CELL_DIFFERENCE : CELL_NONE, .form = form, .value = value};
}

struct query_cell plain_cell(double value)
{
	return (struct query_cell){.kind = isfinite(value) ? CELL_PLAIN : CELL_NONE, .value = value};
}

struct query_cell text_cell(const char *text)
{
	return (struct query_cell){.kind = text ? CELL_TEXT : CELL_NONE, .text = text};
}

const char *answer_keep(struct query_answer *a, struct textbuf *b)
{
	const char *text = textbuf_failed(b) ? NULL : arena_strndup(&a->arena, b->text, b->len);
	a->failed |= !text;
	textbuf_release(b);
	return text ? text : "";
}

void query_cell_write(const struct query_cell *c, struct textbuf *out)
{
	char text[METRIC_TEXT_BYTES];
	switch (c->kind) {
	case CELL_NONE:
		textbuf_putc(out, '-');
		break;
	case CELL_COUNT:
		textbuf_printf(out, "%" PRIu64, c->count);
		break;
	case CELL_METRIC:
		textbuf_puts(out, metric_text(c->form, c->value, c->value, text));
		break;
	case CELL_DIFFERENCE:
		textbuf_puts(out, metric_difference_text(c->form, c->value, c->value, text));
		break;
	case CELL_PLAIN:
		textbuf_printf(out, "%.6g", c->value + 0.0);
		break;
	case CELL_TEXT:
	case CELL_LITERAL:
		textbuf_puts(out, c->text);
		break;
	case CELL_FLAG:
		textbuf_puts(out, c->count ? "yes" : "no");
		break;
	}
}

/* What a store says must not drive a terminal. */
static const char *cell_text(const struct query_cell *c, struct textbuf *scratch)
{
	if (!textbuf_failed(scratch) && scratch->room) {
		scratch->len = 0;
		scratch->text[0] = '\0';
	}
	query_cell_write(c, scratch);
	if (!textbuf_failed(scratch) && scratch->room)
		clean_text(scratch->text);
	return scratch->text;
}

/* Characters that `text` takes on a terminal, as the table counts them. */
static unsigned width_of(const char *text)
{
	unsigned n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* Width of each column that people see. */
static void measure(const struct query_table *t, struct textbuf *scratch, unsigned widths[MAX_ANSWER_COLUMNS])
{
	for (unsigned c = 0; c < t->nr_columns; c++) {
		struct query_cell heading = text_cell(t->columns[c].heading ? t->columns[c].heading : "");
		widths[c] = 0;
		if (!(t->columns[c].where & IN_TEXT))
			continue;
		widths[c] = width_of(cell_text(&heading, scratch));
		for (size_t i = c; i < t->nr_cells; i += t->nr_columns) {
			unsigned width = width_of(cell_text(&t->cells[i], scratch));
			widths[c] = width > widths[c] ? width : widths[c];
		}
	}
}

/* How wide the table is with columns of most[fit] characters at most. */
static unsigned total_of(const struct query_table *t, const unsigned *widths, const unsigned most[NR_FITS])
{
	unsigned total = 0;
	for (unsigned c = 0; c < t->nr_columns; c++) {
		unsigned limit = most[t->columns[c].fit];
		if (t->columns[c].where & IN_TEXT)
			total += (widths[c] < limit ? widths[c] : limit) + (total ? 2 : 0);
	}
	return total;
}

/* Cuts "a + b + c" after a whole part, and says so; within a part only where the first is too long. */
static const char *cut_text(const char *text, unsigned most, char cut[CUT_BYTES])
{
	static const char more[] = "...";
	size_t end = 0, bytes = 0;
	unsigned n = 0;
	if (width_of(text) <= most)
		return text;
	for (; text[bytes] && bytes < CUT_BYTES - sizeof(more); bytes++) {
		n += ((unsigned char)text[bytes] & 0xc0) != 0x80;
		if (n > most - (sizeof(more) - 1))
			break;
		if (bytes >= 2 && memcmp(text + bytes - 2, " + ", 3) == 0)
			end = bytes + 1;
	}
	snprintf(cut, CUT_BYTES, "%.*s%s", (int)(end ? end : bytes), text, more);
	return cut;
}

static void write_columns(const struct query_table *t, const unsigned most[NR_FITS], bool bold, struct textbuf *scratch,
			  struct textbuf *out)
{
	struct table table;
	char cut[CUT_BYTES];
	unsigned shown = 0;
	table_init(&table);
	table.left = 0;
	table_row(&table, false);
	for (unsigned c = 0; c < t->nr_columns; c++) {
		if (!(t->columns[c].where & IN_TEXT))
			continue;
		struct query_cell heading = text_cell(t->columns[c].heading);
		table.left |= (unsigned)t->columns[c].left << shown++;
		table_cell(&table, "%s", cell_text(&heading, scratch));
	}
	for (size_t i = 0; i < t->nr_cells; i++) {
		unsigned c = (unsigned)(i % t->nr_columns);
		if (c == 0)
			table_row(&table, i == 0);
		if (!(t->columns[c].where & IN_TEXT))
			continue;
		const char *text = cell_text(&t->cells[i], scratch);
		table_cell(&table, "%s", cut_text(text, most[t->columns[c].fit], cut));
	}
	out->failed |= !table_write(&table, bold, out);
	table_release(&table);
}

/* The table as wide as people can read it, where its columns allow for that. */
static void write_table(const struct query_table *t, bool bold, struct textbuf *scratch, struct textbuf *out)
{
	struct query_table narrow = *t;
	unsigned widths[MAX_ANSWER_COLUMNS], most[NR_FITS], nr_left_out = 0;
	for (unsigned i = 0; i < NR_FITS; i++)
		most[i] = CUT_BYTES;
	measure(t, scratch, widths);
	bool too_wide = total_of(t, widths, most) > MAX_WIDTH;
	for (unsigned c = 0; c < t->nr_columns && too_wide; c++)
		if (t->columns[c].where & IN_TEXT && t->columns[c].fit == FIT_LEAVE_OUT) {
			narrow.columns[c].where &= ~(unsigned)IN_TEXT;
			nr_left_out++;
		}
	for (unsigned fit = FIT_CUT; fit <= FIT_CUT_LAST; fit++)
		while (most[fit] > least_left[fit] && total_of(&narrow, widths, most) > MAX_WIDTH)
			most[fit]--;
	write_columns(&narrow, most, bold, scratch, out);
	if (nr_left_out)
		textbuf_printf(out, "\n%u columns are left out, --csv and --json have them\n", nr_left_out);
}

bool query_answer_text(const struct query_answer *a, bool bold, struct textbuf *out)
{
	struct textbuf scratch;
	bool parted = a->heading.len > 0; /* from what comes, by an empty line */
	textbuf_init(&scratch);
	textbuf_add(out, a->heading.text, a->heading.len);
	for (unsigned i = 0; i < a->nr_facts; i++) {
		const struct query_fact *f = &a->facts[i];
		if (!f->words)
			continue;
		struct query_cell words = text_cell(f->words);
		textbuf_printf(out, "%s%-*s ", parted ? "\n" : "", FACT_WIDTH, cell_text(&words, &scratch));
		textbuf_printf(out, "%s\n", cell_text(&f->cell, &scratch));
		parted = false;
	}
	for (unsigned i = 0; i < a->nr_tables; i++) {
		const struct query_table *t = &a->tables[i];
		if (!(t->where & IN_TEXT) || !t->nr_cells)
			continue;
		textbuf_puts(out, out->len ? "\n" : "");
		if (t->title) {
			textbuf_label(out, t->title);
			textbuf_puts(out, "\n\n");
		}
		write_table(t, bold, &scratch, out);
	}
	if (a->notes.len) {
		textbuf_puts(out, out->len ? "\n" : "");
		textbuf_add(out, a->notes.text, a->notes.len);
	}
	out->failed |=
		a->failed || textbuf_failed(&scratch) || textbuf_failed(&a->heading) || textbuf_failed(&a->notes);
	textbuf_release(&scratch);
	return !textbuf_failed(out);
}

static void csv_cell(const struct query_cell *c, struct textbuf *out)
{
	switch (c->kind) {
	case CELL_NONE:
		csv_double(out, NAN);
		break;
	case CELL_COUNT:
		csv_u64(out, c->count);
		break;
	case CELL_FLAG:
		csv_string(out, c->count ? "yes" : "no");
		break;
	case CELL_METRIC:
	case CELL_DIFFERENCE:
	case CELL_PLAIN:
		csv_double(out, c->value);
		break;
	case CELL_TEXT:
	case CELL_LITERAL:
		csv_string(out, c->text);
		break;
	}
}

/* CSV has no heading that could say what the traces are. */
static void end_row(const struct query_answer *a, const struct query_table *t, bool is_heading, struct textbuf *out)
{
	for (unsigned i = 0; i < a->nr_facts && !(t->where & NO_TRACE_COLUMNS); i++) {
		const struct query_fact *f = &a->facts[i];
		if (!f->key || (strcmp(f->key, SYNTHETIC_KEY) != 0 && strcmp(f->key, NOMINAL_KEY) != 0))
			continue;
		if (is_heading)
			csv_string(out, f->key);
		else
			csv_cell(&f->cell, out);
	}
	csv_end_row(out);
}

bool query_answer_csv(const struct query_answer *a, struct textbuf *out)
{
	for (unsigned i = 0; i < a->nr_tables; i++) {
		const struct query_table *t = &a->tables[i];
		if (!(t->where & IN_CSV))
			continue;
		for (unsigned c = 0; c < t->nr_columns; c++)
			if (t->columns[c].where & IN_CSV)
				csv_string(out, t->columns[c].key);
		end_row(a, t, true, out);
		for (size_t k = 0; k < t->nr_cells; k++) {
			unsigned c = (unsigned)(k % t->nr_columns);
			if (t->columns[c].where & IN_CSV)
				csv_cell(&t->cells[k], out);
			if (c + 1 == t->nr_columns)
				end_row(a, t, false, out);
		}
	}
	out->failed |= a->failed;
	return !textbuf_failed(out);
}

static void json_cell(struct jwriter *j, const char *key, const struct query_cell *c)
{
	double number;
	uint64_t whole;
	switch (c->kind) {
	case CELL_NONE:
		jwrite_double(j, key, NAN);
		break;
	case CELL_COUNT:
		jwrite_u64(j, key, c->count);
		break;
	case CELL_FLAG:
		jwrite_bool(j, key, c->count != 0);
		break;
	case CELL_PLAIN:
		if (c->value >= 0 && c->value < EXACT && c->value == floor(c->value)) {
			jwrite_u64(j, key, (uint64_t)c->value);
			break;
		}
		jwrite_double(j, key, c->value);
		break;
	case CELL_METRIC:
	case CELL_DIFFERENCE:
		jwrite_double(j, key, c->value);
		break;
	case CELL_LITERAL:
		/* Whole numbers stay such. */
		if (number_read_u64(c->text, strlen(c->text), &whole) == NUMBER_OK) {
			jwrite_u64(j, key, whole);
			break;
		}
		if (number_read_double(c->text, &number) == NUMBER_OK) {
			jwrite_double(j, key, number);
			break;
		}
		jwrite_string(j, key, c->text);
		break;
	case CELL_TEXT:
		jwrite_string(j, key, c->text);
		break;
	}
}

bool query_answer_json(const struct query_answer *a, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_string(&j, "question", a->question);
	for (unsigned i = 0; i < a->nr_facts; i++)
		if (a->facts[i].key)
			json_cell(&j, a->facts[i].key, &a->facts[i].cell);
	if (counter_origins_any(a->origins))
		origins_write_json(a->origins, &j);
	for (unsigned i = 0; i < a->nr_tables; i++) {
		const struct query_table *t = &a->tables[i];
		if (!(t->where & IN_JSON))
			continue;
		jwrite_begin_array(&j, t->key, false);
		for (size_t k = 0; k < t->nr_cells; k++) {
			unsigned c = (unsigned)(k % t->nr_columns);
			if (c == 0)
				jwrite_begin_flat_object(&j, NULL);
			if (t->columns[c].where & IN_JSON)
				json_cell(&j, t->columns[c].key, &t->cells[k]);
			if (c + 1 == t->nr_columns)
				jwrite_end_object(&j);
		}
		jwrite_end_array(&j);
	}
	jwrite_end_object(&j);
	jwrite_finish(&j);
	out->failed |= a->failed;
	return !textbuf_failed(out);
}
