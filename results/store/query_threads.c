/* Each thread over all points. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/query_internal.h"
#include "results/store/store_schema.h"
#include "sim/base/stats.h"
#include "sim/base/suggest.h"

/* Columns of the threads' table that can be asked for, with their forms. */
static const struct query_thread_column columns[] = {
	{"speedup", "t.speedup", "speedup", RUN_SPEEDUP, 1},
	{"served_share", "t.served_share", "served", RUN_SHARE, 1},
	{"matched_share", "t.matched_share", "matched", RUN_SHARE, 1},
	{"completed_ns", "t.completed_ns", "baseline time completed", RUN_TIME, 1},
	{"present_ns", "t.present_ns", "time present", RUN_TIME, -1},
	{"migrations", "t.migrations", "migrations", RUN_RATE, -1},
	{"energy_j", "t.energy_j", "energy, J", RUN_ENERGY, -1},
	{"instruction_nj", "t.instruction_nj", "energy per instruction, nJ", RUN_ENERGY, -1},
	{"power_w", STORE_THREAD_POWER_W, "mean power, W", RUN_ENERGY, -1},
	{"edp", STORE_THREAD_EDP, "energy-delay product", RUN_ENERGY, -1},
	{"ed2p", STORE_THREAD_ED2P, "energy-delay-squared product", RUN_ENERGY, -1},
	{0},
};

static enum sahm_status find_lane(struct query_lanes *l, uint64_t thread, int64_t name_id, struct query_lane **lane,
				  struct sahm_err *err)
{
	char key[64];
	if (l->next >= l->nr)
		l->next = 0;
	if (l->next < l->nr && l->items[l->next].thread == thread && l->items[l->next].name_id == name_id) {
		*lane = &l->items[l->next++];
		return SAHM_OK;
	}
	snprintf(key, sizeof(key), "%" PRIu64 " %" PRId64, thread, name_id);
	uint32_t *number = strtable_at(&l->table, key);
	struct query_lane *items = query_grow(l->items, &l->room, l->nr, sizeof(*items));
	if (items)
		l->items = items;
	if (!number || !items)
		return sahm_fail_nomem(err);
	if (!*number) {
		l->items[l->nr] = (struct query_lane){.thread = thread, .name_id = name_id, .name = ""};
		*number = (uint32_t)++l->nr;
	}
	l->next = *number;
	*lane = &l->items[*number - 1];
	return SAHM_OK;
}

static enum sahm_status add_value(struct query_lanes *l, uint64_t position, uint64_t thread, int64_t name_id,
				  double value, struct sahm_err *err)
{
	struct query_lane *lane = NULL;
	enum sahm_status status = find_lane(l, thread, name_id, &lane, err);
	if (status != SAHM_OK || isnan(value))
		return status;
	double *values = query_grow(lane->values, &lane->room, lane->nr, sizeof(*values));
	if (!values)
		return sahm_fail_nomem(err);
	lane->values = values;
	if (lane->nr == 0 || (l->column->direction > 0 ? value > lane->best : value < lane->best)) {
		lane->best = value;
		lane->position = position;
	}
	lane->values[lane->nr++] = value;
	return SAHM_OK;
}

static enum sahm_status read_values(const struct query *q, struct query_lanes *l, struct sahm_err *err)
{
	struct textbuf sql;
	sqlite3_stmt *s;
	bool there = true;
	textbuf_init(&sql);
	textbuf_printf(&sql,
		       "SELECT p.position, t.thread, t.name, r.synthetic, r.nominal_time, %s FROM point p JOIN run r "
		       "ON r.id = p.run "
		       "JOIN thread t ON t.run = r.id WHERE p.sweep = ?1 AND r.state = 1 ORDER BY p.position, t.thread",
		       l->column->sql);
	enum sahm_status status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : query_prepare(q, sql.text, &s, err);
	textbuf_release(&sql);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		uint64_t position = 0, thread = 0;
		status = query_count(q, s, 0, INT64_MAX, "position of a point", &position, err);
		if (status == SAHM_OK && position >= q->nr_points)
			status = query_damaged(q, err, "position %" PRIu64 " of %" PRIu64 " is not possible", position,
					       q->nr_points);
		if (status == SAHM_OK)
			status = query_count(q, s, 1, UINT32_MAX, "index of a thread", &thread, err);
		if (status != SAHM_OK || !query_is_chosen(q, position))
			continue;
		l->tally.nr_done += !l->any || position != l->last;
		l->tally.nr_synthetic += sqlite3_column_int64(s, 3) != 0;
		l->tally.nr_nominal += sqlite3_column_int64(s, 4) != 0;
		l->any = true;
		l->last = position;
		status = add_value(l, position, thread, sqlite3_column_int64(s, 2), query_value(s, 5), err);
	}
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status read_names(const struct query *q, struct query_lanes *l, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	enum sahm_status status = query_prepare(q, "SELECT name FROM thread_name WHERE id = ?1", &s, err);
	if (status != SAHM_OK)
		return status;
	for (size_t i = 0; i < l->nr && status == SAHM_OK; i++) {
		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, l->items[i].name_id);
		status = query_step(q, s, &there, err);
		if (status == SAHM_OK && !there)
			status = query_damaged(q, err, "a thread has no name");
		if (status == SAHM_OK)
			status = query_string(q, s, 0, &l->arena, "name of a thread", &l->items[i].name, err);
	}
	sqlite3_finalize(s);
	return status;
}

static int compare_lanes(const void *a, const void *b)
{
	const struct query_lane *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_lanes(const struct query *q, struct query_lanes *l, struct query_answer *a)
{
	enum run_form form = l->column->form;
	struct query_table *t = answer_table(a, "threads", NULL, IN_ALL);
	answer_column(t, "name", "thread", true, IN_ALL);
	answer_column(t, "points", "points", false, IN_ALL);
	answer_column(t, "mean", "mean", false, IN_ALL);
	answer_column(t, "p25", "p25", false, IN_ALL);
	answer_column(t, "median", "median", false, IN_ALL);
	answer_column(t, "p75", "p75", false, IN_ALL);
	answer_column(t, "best", "best", false, IN_ALL);
	answer_column(t, "position", "position", false, IN_ALL);
	/* The position says it, too. */
	unsigned first = t->nr_columns;
	answer_axis_columns(q, a, t, IN_ALL);
	for (unsigned i = first; i < t->nr_columns; i++)
		t->columns[i].fit = FIT_LEAVE_OUT;
	for (size_t i = 0; i < l->nr; i++) {
		struct query_lane *lane = &l->items[i];
		struct textbuf name;
		textbuf_init(&name);
		textbuf_puts(&name, lane->name);
		answer_cell(a, t, text_cell(answer_keep(a, &name)));
		answer_cell(a, t, count_cell(lane->nr));
		if (lane->nr == 0) {
			for (unsigned c = 2; c < t->nr_columns; c++)
				answer_cell(a, t, text_cell(NULL));
			continue;
		}
		/* Before they are sorted: in the order of positions, as everywhere. */
		answer_cell(a, t, metric_cell(form, stats_mean(lane->values, lane->nr)));
		stats_sort(lane->values, lane->nr);
		answer_cell(a, t, metric_cell(form, stats_percentile(lane->values, lane->nr, 25)));
		answer_cell(a, t, metric_cell(form, stats_percentile(lane->values, lane->nr, 50)));
		answer_cell(a, t, metric_cell(form, stats_percentile(lane->values, lane->nr, 75)));
		answer_cell(a, t, metric_cell(form, lane->best));
		answer_cell(a, t, count_cell(lane->position));
		answer_axis_cells(q, a, t, lane->position);
	}
}

static enum sahm_status find_column(const char *name, const struct query_thread_column **column, struct sahm_err *err)
{
	struct suggest near;
	char suggestion[SUGGEST_BYTES];
	suggest_init(&near, name);
	for (const struct query_thread_column *c = columns; c->name; c++) {
		if (strcmp(c->name, name) == 0) {
			*column = c;
			return SAHM_OK;
		}
		suggest_offer(&near, c->name);
	}
	return sahm_fail(err, SAHM_USAGE, "threads have no metric '%s'%s", name, suggest_text(&near, suggestion));
}

enum sahm_status query_lanes_read(const struct query *q, const char *column, struct query_lanes *l,
				  struct sahm_err *err)
{
	*l = (struct query_lanes){0};
	arena_init(&l->arena);
	strtable_init(&l->table, &l->arena);
	enum sahm_status status = find_column(column, &l->column, err);
	if (status == SAHM_OK)
		status = read_values(q, l, err);
	if (status == SAHM_OK)
		status = read_names(q, l, err);
	if (status == SAHM_OK && l->nr)
		qsort(l->items, l->nr, sizeof(*l->items), compare_lanes);
	return status;
}

void query_lanes_release(struct query_lanes *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->items[i].values);
	free(l->items);
	arena_release(&l->arena);
	*l = (struct query_lanes){0};
}

void query_lanes_answer(const struct query *q, struct query_lanes *l, struct query_answer *a)
{
	query_begin_answer(q, a, "threads");
	query_end_heading(q, a, &l->tally, "%s of each thread, over %" PRIu64 " point%s", l->column->words,
			  l->tally.nr_done, l->tally.nr_done == 1 ? "" : "s");
	answer_fact(a, "metric", NULL, text_cell(l->column->name));
	answer_fact(a, "points", NULL, count_cell(l->tally.nr_done));
	add_lanes(q, l, a);
	if (l->nr == 0)
		answer_note(a, "no point that is done has threads in the results file");
}

enum sahm_status query_threads(struct query *q, const char *column, struct query_answer *a, struct sahm_err *err)
{
	struct query_lanes l;
	enum sahm_status status = query_lanes_read(q, column, &l, err);
	if (status == SAHM_OK)
		query_lanes_answer(q, &l, a);
	if (status == SAHM_OK && strcmp(column, "speedup") == 0)
		status = query_note_sharing(q, RUN_SPEEDUP, a, err);
	query_lanes_release(&l);
	return status;
}
