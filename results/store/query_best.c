/* The best points of a sweep, or the worst. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/query_internal.h"
#include "sim/base/array.h"

/* Further cells of a point. */
static const enum run_metric beside[] = {RUN_METRIC_speedup_mean, RUN_METRIC_served_share, RUN_METRIC_migrations_per_s};
#define NR_BESIDE ARRAY_SIZE(beside)

/* Beside STP the speedup of threads says nothing more. */
static bool is_shown(enum run_metric other, enum run_metric metric)
{
	return other != metric && (other != RUN_METRIC_speedup_mean || metric != RUN_METRIC_stp);
}

struct candidate {
	double value;
	uint64_t position;
	int64_t run;
};

/* The best so far: candidates are appended to those that were kept, and cut when there is no more room. */
struct heap {
	struct candidate *items;
	size_t nr, room;
	uint64_t wanted;
	int direction;
	struct query_tally tally;
};

static int compare_most(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

static int compare_least(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

static void cut(struct heap *h)
{
	if (h->nr)
		qsort(h->items, h->nr, sizeof(*h->items), h->direction > 0 ? compare_most : compare_least);
	if (h->nr > h->wanted)
		h->nr = (size_t)h->wanted;
}

static enum sahm_status offer(void *ctx, const struct query_row *row, struct sahm_err *err)
{
	struct heap *h = ctx;
	bool has_value = !isnan(row->values[0]);
	query_tally_row(&h->tally, row, has_value);
	if (!has_value)
		return SAHM_OK;
	if (h->nr == h->room && h->nr / 2 >= h->wanted)
		cut(h);
	struct candidate *items = query_grow(h->items, &h->room, h->nr, sizeof(*items));
	if (!items)
		return sahm_fail_nomem(err);
	h->items = items;
	h->items[h->nr++] = (struct candidate){row->values[0], row->position, row->run};
	return SAHM_OK;
}

static void make_columns(const struct query *q, enum run_metric metric, struct query_answer *a, struct query_table *t)
{
	answer_column(t, "position", "position", false, IN_ALL);
	answer_column(t, run_metric_rows[metric].name, run_metric_rows[metric].name, false, IN_ALL);
	answer_axis_columns(q, a, t, IN_ALL);
	for (size_t i = 0; i < NR_BESIDE; i++)
		if (is_shown(beside[i], metric))
			answer_column(t, run_metric_rows[beside[i]].name, run_metric_rows[beside[i]].words, false,
				      IN_ALL);
	answer_column(t, "nr_cores", "cores", false, IN_ALL);
	answer_column(t, "made_of", "made of", true, IN_ALL & ~IN_TEXT);
	/* Without what all chips have. */
	answer_column(t, "", "made of", true, IN_TEXT);
}

/* Length of the first part of "a + b + c". */
static size_t part_of(const char *text)
{
	const char *end = strstr(text, " + ");
	return end ? (size_t)(end - text) : strlen(text);
}

static const char *next_part(const char *text)
{
	text += part_of(text);
	return *text ? text + strlen(" + ") : NULL;
}

static bool has_part(const char *text, const char *part, size_t len)
{
	for (; text; text = next_part(text))
		if (part_of(text) == len && memcmp(text, part, len) == 0)
			return true;
	return false;
}

/* Whether every row's chip has this part. */
static bool all_have(const struct query_table *t, const char *part, size_t len)
{
	for (size_t i = t->nr_columns - 1; i < t->nr_cells; i += t->nr_columns)
		if (t->cells[i].kind != CELL_TEXT || !has_part(t->cells[i].text, part, len))
			return false;
	return true;
}

/* Appends the parts of `text` that all chips have, or those that they do not. */
static void write_parts(const struct query_table *t, const char *text, bool common, struct textbuf *out)
{
	for (; text; text = next_part(text)) {
		size_t len = part_of(text);
		if (all_have(t, text, len) == common)
			textbuf_printf(out, "%s%.*s", out->len ? " + " : "", (int)len, text);
	}
}

/* The last column, for people, keeps what chips differ in: it is what is looked for, and there is room for it. */
static void fold_parts(struct query_answer *a, struct query_table *t)
{
	struct textbuf common;
	size_t last = t->nr_columns - 1;
	if (t->nr_cells == 0 || t->cells[last].kind != CELL_TEXT)
		return;
	textbuf_init(&common);
	write_parts(t, t->cells[last].text, true, &common);
	if (common.len == 0) {
		textbuf_release(&common);
		return;
	}
	/* All of them first: the common part is searched in all texts. */
	const char **rest = arena_alloc(&a->arena, t->nr_cells / t->nr_columns, sizeof(*rest));
	for (size_t r = 0; rest && r < t->nr_cells / t->nr_columns; r++) {
		struct textbuf b;
		textbuf_init(&b);
		write_parts(t, t->cells[r * t->nr_columns + last].text, false, &b);
		rest[r] = answer_keep(a, &b);
	}
	a->failed |= !rest;
	for (size_t r = 0; rest && r < t->nr_cells / t->nr_columns; r++)
		t->cells[r * t->nr_columns + last] = text_cell(rest[r]);
	answer_fact(a, NULL, "all chips have", text_cell(answer_keep(a, &common)));
}

/* All of a run that is shown. */
static enum sahm_status add_row(const struct query *q, sqlite3_stmt *s, enum run_metric metric,
				const struct candidate *c, struct query_answer *a, struct query_table *t,
				struct sahm_err *err)
{
	bool there;
	const char *chip = NULL;
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, c->run);
	enum sahm_status status = query_step(q, s, &there, err);
	if (status == SAHM_OK && !there)
		status = query_damaged(q, err, "point %" PRIu64 " has no run", c->position);
	if (status == SAHM_OK && sqlite3_column_type(s, 1) != SQLITE_NULL)
		status = query_string(q, s, 1, &a->arena, "name of a chip", &chip, err);
	if (status != SAHM_OK)
		return status;
	double nr_cores = query_value(s, 0);
	answer_cell(a, t, count_cell(c->position));
	answer_cell(a, t, metric_cell(run_metric_rows[metric].form, c->value));
	answer_axis_cells(q, a, t, c->position);
	for (size_t i = 0; i < NR_BESIDE; i++)
		if (is_shown(beside[i], metric))
			answer_cell(a, t, metric_cell(run_metric_rows[beside[i]].form, query_value(s, 2 + (int)i)));
	answer_cell(a, t, plain_cell(nr_cores));
	answer_cell(a, t, text_cell(chip));
	answer_cell(a, t, text_cell(chip));
	return SAHM_OK;
}

static enum sahm_status add_rows(const struct query *q, enum run_metric metric, const struct heap *h,
				 struct query_answer *a, struct sahm_err *err)
{
	struct query_table *t = answer_table(a, "best", NULL, IN_ALL);
	struct textbuf sql;
	sqlite3_stmt *s;
	make_columns(q, metric, a, t);
	textbuf_init(&sql);
	textbuf_puts(&sql, "SELECT r.nr_cores, c.name");
	for (size_t i = 0; i < NR_BESIDE; i++)
		textbuf_printf(&sql, ", r.%s", run_metric_rows[beside[i]].name);
	textbuf_puts(&sql, " FROM run r LEFT JOIN chip c ON c.id = r.chip WHERE r.id = ?1");
	enum sahm_status status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : query_prepare(q, sql.text, &s, err);
	textbuf_release(&sql);
	if (status != SAHM_OK)
		return status;
	for (size_t i = 0; i < h->nr && status == SAHM_OK; i++)
		status = add_row(q, s, metric, &h->items[i], a, t, err);
	sqlite3_finalize(s);
	/* The name of the chip includes the number of cores. */
	bool one_chip = answer_fold(a, t, "made_of", "chip made of");
	answer_fold(a, t, "nr_cores", one_chip ? NULL : "cores");
	if (one_chip)
		t->columns[t->nr_columns - 1].where = 0;
	else
		fold_parts(a, t);
	return status;
}

enum sahm_status query_best(struct query *q, enum run_metric metric, int direction, uint64_t nr, struct query_answer *a,
			    struct sahm_err *err)
{
	struct heap h = {.wanted = nr, .direction = direction};
	query_begin_answer(q, a, "best");
	enum sahm_status status = query_walk(q, &metric, 1, offer, &h, err);
	if (status == SAHM_OK) {
		cut(&h);
		if (h.nr == 0)
			query_end_heading(q, a, &h.tally, "no point has a value of %s", run_metric_rows[metric].name);
		else
			query_end_heading(q, a, &h.tally, "the %zu point%s with the %s %s, of %" PRIu64, h.nr,
					  h.nr == 1 ? "" : "s", direction > 0 ? "highest" : "lowest",
					  run_metric_rows[metric].name, h.tally.nr_done - h.tally.nr_without);
		answer_fact(a, "metric", NULL, text_cell(run_metric_rows[metric].name));
		answer_fact(a, "direction", NULL, text_cell(direction > 0 ? "max" : "min"));
		query_note_tally(q, a, &h.tally);
		query_note_metric(a, &h.tally, metric);
		status = query_note_sharing(q, run_metric_rows[metric].form, a, err);
		if (status == SAHM_OK)
			status = add_rows(q, metric, &h, a, err);
	}
	free(h.items);
	return status;
}
