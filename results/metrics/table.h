/* Tables for people: columns aligned to the right, or to the left where asked for; two blanks between them. */
#ifndef SAHM_RESULTS_METRICS_TABLE_H
#define SAHM_RESULTS_METRICS_TABLE_H

#include <stdbool.h>

#include "sim/base/arena.h"
#include "sim/base/textbuf.h"

#define MAX_TABLE_COLUMNS 24

struct table_row;

struct table {
	struct arena arena;
	unsigned nr_columns;
	unsigned left; /* columns aligned to the left, a bit each; the first from the start */
	struct table_row *first, *last;
	bool failed; /* memory was short */
};

/* Begins a table; release it with table_release(). */
void table_init(struct table *t);
void table_release(struct table *t);

/* Begins a row; its cells follow, at most MAX_TABLE_COLUMNS. A ruled row has a line of dashes above it. */
void table_row(struct table *t, bool ruled);
void table_cell(struct table *t, const char *fmt, ...) SAHM_PRINTF(2, 3);

/* A cell for each of the `nr` words. */
void table_words(struct table *t, const char *const *words, size_t nr);

/* Appends the text as a cell and empties it. */
void table_cell_text(struct table *t, struct textbuf *text);

/* Appends the table to `out`; its first row is a heading, in bold when `bold`. False when memory was short. */
bool table_write(const struct table *t, bool bold, struct textbuf *out);

#endif
