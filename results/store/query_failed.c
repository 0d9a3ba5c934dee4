/* Failed and missing points. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/query_internal.h"
#include "sim/base/strtable.h"

/* Most characters of a list of positions for people. */
#define MAX_RANGES_TEXT 60u

/* Positions from `first` to `last`. */
static void write_range(struct textbuf *out, uint64_t first, uint64_t last)
{
	textbuf_printf(out, "%s%" PRIu64, out->len ? ", " : "", first);
	if (last > first)
		textbuf_printf(out, "%s%" PRIu64, last == first + 1 ? ", " : "-", last);
}

struct group {
	const char *message;
	uint64_t nr, first;
	struct textbuf ranges;
	uint64_t from, to; /* the range that is not yet written */
	bool cut;
};

struct failures {
	struct group *groups;
	size_t nr, room;
	struct strtable table; /* message: 1 + index of its group */
};

static void end_range(struct group *g)
{
	if (g->cut)
		return;
	if (g->ranges.len > MAX_RANGES_TEXT) {
		textbuf_puts(&g->ranges, ", ...");
		g->cut = true;
	} else {
		write_range(&g->ranges, g->from, g->to);
	}
}

static enum sahm_status add_failure(struct failures *f, uint64_t position, const char *message, struct sahm_err *err)
{
	uint32_t *number = strtable_at(&f->table, message);
	struct group *groups = query_grow(f->groups, &f->room, f->nr, sizeof(*groups));
	if (groups)
		f->groups = groups;
	if (!number || !groups)
		return sahm_fail_nomem(err);
	if (!*number) {
		struct group *made = &f->groups[f->nr++];
		*made = (struct group){
			.message = message, .nr = 1, .first = position, .from = position, .to = position};
		textbuf_init(&made->ranges);
		*number = (uint32_t)f->nr;
		return SAHM_OK;
	}
	struct group *g = &f->groups[*number - 1];
	g->nr++;
	if (position != g->to + 1) {
		end_range(g);
		g->from = position;
	}
	g->to = position;
	return SAHM_OK;
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	if (x->nr != y->nr)
		return x->nr > y->nr ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void add_groups(struct failures *f, struct query_answer *a)
{
	struct query_table *t = answer_table(a, "messages", NULL, IN_TEXT | IN_JSON);
	answer_column(t, "points", "points", false, IN_ALL);
	answer_column(t, "position", "first", false, IN_JSON);
	answer_column(t, "positions", "positions", true, IN_TEXT);
	answer_column(t, "message", "message", true, IN_ALL);
	if (f->nr)
		qsort(f->groups, f->nr, sizeof(*f->groups), compare_groups);
	for (size_t i = 0; i < f->nr; i++) {
		struct group *g = &f->groups[i];
		end_range(g);
		answer_cell(a, t, count_cell(g->nr));
		answer_cell(a, t, count_cell(g->first));
		answer_cell(a, t, text_cell(answer_keep(a, &g->ranges)));
		answer_cell(a, t, text_cell(g->message));
	}
}

static enum sahm_status read_failures(const struct query *q, struct failures *f, struct query_answer *a,
				      uint64_t *nr_failed, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there = true;
	struct query_table *t = answer_table(a, "points", NULL, IN_CSV | IN_JSON | NO_TRACE_COLUMNS);
	answer_column(t, "position", NULL, false, IN_ALL);
	answer_axis_columns(q, a, t, IN_ALL);
	answer_column(t, "message", NULL, true, IN_ALL);
	enum sahm_status status =
		query_prepare(q,
			      "SELECT p.position, coalesce(r.message, '') FROM point p JOIN run r ON r.id = p.run "
			      "WHERE p.sweep = ?1 AND r.state = 2 ORDER BY p.position",
			      &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		uint64_t position = 0;
		const char *message = "";
		if (q->nr_points == 0)
			status = query_damaged(q, err, "there are points in a space without any");
		else
			status = query_count(q, s, 0, q->nr_points - 1, "position of a point", &position, err);
		if (status == SAHM_OK)
			status = query_string(q, s, 1, &a->arena, "message of a run", &message, err);
		if (status != SAHM_OK || !query_is_chosen(q, position))
			continue;
		status = add_failure(f, position, message, err);
		answer_cell(a, t, count_cell(position));
		answer_axis_cells(q, a, t, position);
		answer_cell(a, t, text_cell(message));
		++*nr_failed;
	}
	sqlite3_finalize(s);
	return status;
}

enum sahm_status query_failed(struct query *q, struct query_answer *a, struct sahm_err *err)
{
	struct failures f = {0};
	struct query_tally tally = {0};
	uint64_t nr = 0;
	query_begin_answer(q, a, "failed");
	strtable_init(&f.table, &a->arena);
	enum sahm_status status = read_failures(q, &f, a, &nr, err);
	if (status == SAHM_OK) {
		if (nr)
			query_end_heading(q, a, &tally, "%" PRIu64 " point%s failed", nr, nr == 1 ? "" : "s");
		else
			query_end_heading(q, a, &tally, "no point failed");
		answer_fact(a, "failed", NULL, count_cell(nr));
		add_groups(&f, a);
	}
	for (size_t i = 0; i < f.nr; i++)
		textbuf_release(&f.groups[i].ranges);
	free(f.groups);
	return status;
}

/* From how many gaps on equal steps are one row, and most rows for people. */
#define MIN_STRIDE 3u
#define MAX_STRIDES 20u

/* Why positions are not done. */
enum { LACK_ABSENT, LACK_FAILED, LACK_PLANNED, NR_LACKS };
static const char *const lacks[NR_LACKS] = {"not in the results file", "failed", "planned"};

/* Why a position is not done; NULL: it is. */
static const char *lack_of(enum run_state state)
{
	return state == RUN_DONE ? NULL : lacks[state == RUN_FAILED ? LACK_FAILED : LACK_PLANNED];
}

/* Gaps for one reason: `nr` of `length` positions each, every `distance` positions. */
struct stride {
	const char *why;
	uint64_t from, length, distance, nr;
};

struct gaps {
	const struct query *q;
	struct query_answer *a;
	struct query_table *t;
	const char *why; /* of the range from `from` to next - 1; NULL: none is open */
	uint64_t from, next;
	uint64_t nr;
	struct stride open[NR_LACKS]; /* by `why` */
	struct stride *strides;
	size_t nr_strides, room;
};

static void add_stride(struct gaps *g, const struct stride *s)
{
	struct stride *strides = query_grow(g->strides, &g->room, g->nr_strides, sizeof(*strides));
	g->a->failed |= !strides;
	if (!strides)
		return;
	g->strides = strides;
	g->strides[g->nr_strides++] = *s;
}

/* Two gaps have always got one distance: from three on they are a stride. */
static void end_stride(struct gaps *g, struct stride *s)
{
	struct stride one = *s;
	one.nr = 1;
	if (s->nr >= MIN_STRIDE)
		add_stride(g, s);
	for (uint64_t i = 0; i < s->nr && s->nr < MIN_STRIDE; i++, one.from += s->distance)
		add_stride(g, &one);
	s->nr = 0;
}

/* A gap for people continues with equal steps, or restarts. */
static void add_gap(struct gaps *g)
{
	unsigned lack = 0;
	while (lacks[lack] != g->why)
		lack++;
	struct stride *s = &g->open[lack];
	uint64_t length = g->next - g->from;
	uint64_t distance = s->nr ? g->from - (s->from + (s->nr - 1) * s->distance) : 0;
	if (s->nr && s->length == length && (s->nr == 1 || s->distance == distance)) {
		s->distance = distance;
		s->nr++;
		return;
	}
	if (s->nr == 2 && s->length == length) {
		/* The second of two can begin a stride. */
		struct stride first = *s;
		first.nr = 1;
		add_stride(g, &first);
		s->from += s->distance;
		s->distance = distance;
		return;
	}
	end_stride(g, s);
	*s = (struct stride){.why = g->why, .from = g->from, .length = length, .nr = 1};
}

static int compare_strides(const void *a, const void *b)
{
	const struct stride *x = a, *y = b;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* For people: gaps with equal steps, as shards leave them, are one row, and there are not too many. */
static void add_strides(struct gaps *g)
{
	struct query_table *t = answer_table(g->a, "strides", NULL, IN_TEXT);
	bool any = false;
	uint64_t nr_more = 0;
	for (unsigned i = 0; i < NR_LACKS; i++)
		end_stride(g, &g->open[i]);
	if (g->nr_strides)
		qsort(g->strides, g->nr_strides, sizeof(*g->strides), compare_strides);
	for (size_t i = 0; i < g->nr_strides && i < MAX_STRIDES; i++)
		any |= g->strides[i].nr > 1;
	answer_column(t, "from", "from", false, IN_ALL);
	answer_column(t, "to", "to", false, IN_ALL);
	answer_column(t, "which", "which", true, any ? IN_ALL : IN_ALL & ~IN_TEXT);
	answer_column(t, "points", "points", false, IN_ALL);
	answer_column(t, "why", "why", true, IN_ALL);
	for (size_t i = 0; i < g->nr_strides; i++) {
		const struct stride *s = &g->strides[i];
		struct textbuf which;
		if (i >= MAX_STRIDES) {
			nr_more += s->nr * s->length;
			continue;
		}
		textbuf_init(&which);
		if (s->nr > 1)
			textbuf_printf(&which, "%" PRIu64 " of every %" PRIu64, s->length, s->distance);
		else
			textbuf_puts(&which, "all");
		answer_cell(g->a, t, count_cell(s->from));
		answer_cell(g->a, t, count_cell(s->from + (s->nr - 1) * s->distance + s->length - 1));
		answer_cell(g->a, t, text_cell(answer_keep(g->a, &which)));
		answer_cell(g->a, t, count_cell(s->nr * s->length));
		answer_cell(g->a, t, text_cell(s->why));
	}
	if (nr_more)
		answer_note(g->a, "%zu more rows, of %" PRIu64 " points: --csv and --json have all",
			    g->nr_strides - MAX_STRIDES, nr_more);
}

static void end_gap(struct gaps *g)
{
	if (g->why) {
		add_gap(g);
		answer_cell(g->a, g->t, count_cell(g->from));
		answer_cell(g->a, g->t, count_cell(g->next - 1));
		answer_cell(g->a, g->t, count_cell(g->next - g->from));
		answer_cell(g->a, g->t, text_cell(g->why));
		g->nr += g->next - g->from;
	}
	g->why = NULL;
}

/* Positions up to `to` (not included), for the reason `why`. */
static void go_on(struct gaps *g, uint64_t to, const char *why)
{
	if (to == g->next)
		return;
	if (g->why != why) {
		end_gap(g);
		g->why = why;
		g->from = g->next;
	}
	g->next = to;
}

static enum sahm_status pass_point(void *ctx, const struct query_row *row, struct sahm_err *err)
{
	(void)err;
	go_on(ctx, row->position, lacks[LACK_ABSENT]);
	go_on(ctx, row->position + 1, lack_of(row->state));
	return SAHM_OK;
}

enum sahm_status query_missing(struct query *q, struct query_answer *a, struct sahm_err *err)
{
	struct gaps g = {.q = q, .a = a};
	struct query_tally none = {0};
	query_begin_answer(q, a, "missing");
	g.t = answer_table(a, "missing", NULL, IN_CSV | IN_JSON | NO_TRACE_COLUMNS);
	answer_column(g.t, "from", "from", false, IN_ALL);
	answer_column(g.t, "to", "to", false, IN_ALL);
	answer_column(g.t, "points", "points", false, IN_ALL);
	answer_column(g.t, "why", "why", true, IN_ALL);
	for (uint32_t i = 0; i < q->nr_axes; i++)
		q->axes[i].chosen = NULL;
	enum sahm_status status = query_walk(q, NULL, 0, pass_point, &g, err);
	if (status == SAHM_OK) {
		go_on(&g, q->nr_points, lacks[LACK_ABSENT]);
		end_gap(&g);
		add_strides(&g);
	}
	free(g.strides);
	if (status != SAHM_OK)
		return status;
	query_end_heading(q, a, &none, "not done: %" PRIu64 " of %" PRIu64 " points", g.nr, q->nr_points);
	answer_fact(a, "nr_missing", NULL, count_cell(g.nr));
	answer_fact(a, "points", NULL, count_cell(q->nr_points));
	return SAHM_OK;
}
