#include "results/store/store_export.h"

#include <math.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/store/store_internal.h"
#include "results/store/store_schema.h"

/* Bytes that are gathered before they are written. */
#define PIECE_BYTES 65536u

/* Content of a column; NULL is empty, or null. */
enum kind { INTEGER, REAL, TRUTH, TEXT, LABEL };

struct column {
	const char *name, *sql;
	enum kind kind;
};

#define HASH                                                                                                           \
	{                                                                                                              \
		"hash", "lower(hex(r.hash))", TEXT                                                                     \
	}

static const struct column of_points[] = {
	{"state", "CASE r.state WHEN 0 THEN 'planned' WHEN 1 THEN 'done' ELSE 'failed' END", TEXT},
	{"message", "r.message", TEXT},
	HASH,
	{"program", "(SELECT version FROM program WHERE id = r.program)", TEXT},
	{"made_of", "(SELECT name FROM chip WHERE id = r.chip)", TEXT},
	{"nr_cores", "r.nr_cores", INTEGER},
	{"nr_threads", "r.nr_threads", INTEGER},
	{"synthetic", "r.synthetic", TRUTH},
	{"nominal_time", "r.nominal_time", TRUTH},
#define RUN_METRIC(member, form, words) {#member, "r." #member, REAL},
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	{0},
};

#define BOUND(member, side)                                                                                            \
	{#member "_" #side, "(SELECT " #side " FROM interval WHERE run = r.id AND metric = '" #member "')", REAL},

static const struct column of_intervals[] = {
#define RUN_METRIC(member, form, words) BOUND(member, low) BOUND(member, high)
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	{0},
};

static const struct column of_threads[] = {
	HASH,
	{"synthetic", "r.synthetic", TRUTH},
	{"nominal_time", "r.nominal_time", TRUTH},
	{"thread", "t.thread", INTEGER},
	{"name", "(SELECT name FROM thread_name WHERE id = t.name)", TEXT},
	{"speedup", "t.speedup", REAL},
	{"served_share", "t.served_share", REAL},
	{"matched_share", "t.matched_share", REAL},
	{"completed_ns", "t.completed_ns", INTEGER},
	{"present_ns", "t.present_ns", INTEGER},
	{"migrations", "t.migrations", INTEGER},
	{"energy_j", "t.energy_j", REAL},
	{"instruction_nj", "t.instruction_nj", REAL},
	{"power_w", STORE_THREAD_POWER_W, REAL},
	{"edp", STORE_THREAD_EDP, REAL},
	{"ed2p", STORE_THREAD_ED2P, REAL},
	{0},
};

static const struct column of_timings[] = {
	HASH,
	{"started_unix_ms", "t.started_unix_ms", INTEGER},
	{"wall_ns", "t.wall_ns", INTEGER},
	{"cpu_ns", "t.cpu_ns", INTEGER},
	{"worker", "t.worker", INTEGER},
	{0},
};

/* CROSS JOIN: in this order, which is that of the rows. */
static const struct {
	const struct column *columns;
	const char *join, *order;
} kinds[] = {
	[EXPORT_POINTS] = {of_points, "", ""},
	[EXPORT_THREADS] = {of_threads, " CROSS JOIN thread AS t ON t.run = r.id", ", t.thread"},
	[EXPORT_TIMINGS] = {of_timings, " CROSS JOIN timing AS t ON t.run = r.id", ""},
};

struct store_export {
	struct store *store;
	int64_t sweep;
	struct arena arena;
	struct column *columns;
	uint32_t nr, room;
	struct textbuf sql, out;
	enum export_form form;
	FILE *stream;
};

static enum sahm_status add_columns(struct store_export *e, const struct column *rows, struct sahm_err *err)
{
	for (; rows->name; rows++) {
		if (e->nr == e->room) {
			struct column *more = arena_alloc(&e->arena, 2 * e->room + 64, sizeof(*more));
			if (!more)
				return sahm_fail_nomem(err);
			if (e->nr > 0)
				memcpy(more, e->columns, e->nr * sizeof(*more));
			e->columns = more;
			e->room = 2 * e->room + 64;
		}
		textbuf_printf(&e->sql, "%s\n  %s", e->nr ? "," : "", rows->sql);
		e->columns[e->nr++] = *rows;
	}
	return SAHM_OK;
}

static enum sahm_status add_axis(struct store_export *e, sqlite3_stmt *s, struct sahm_err *err)
{
	const char *axis = (const char *)sqlite3_column_text(s, 1);
	struct textbuf name, sql;
	textbuf_init(&name);
	textbuf_init(&sql);
	store_axis_column(axis ? axis : "", &name);
	textbuf_printf(&sql,
		       "(SELECT label FROM axis_value WHERE sweep = %lld AND axis = %lld AND value = p.position / %lld "
		       "%% %lld)",
		       (long long)e->sweep, (long long)sqlite3_column_int64(s, 0),
		       (long long)sqlite3_column_int64(s, 2), (long long)sqlite3_column_int64(s, 3));
	const struct column rows[] = {{arena_strdup(&e->arena, name.text), arena_strdup(&e->arena, sql.text), LABEL},
				      {0}};
	bool ok = !textbuf_failed(&name) && !textbuf_failed(&sql) && rows[0].name && rows[0].sql;
	textbuf_release(&name);
	textbuf_release(&sql);
	return ok ? add_columns(e, rows, err) : sahm_fail_nomem(err);
}

static enum sahm_status add_axes(struct store_export *e, struct sahm_err *err)
{
	int code;
	enum sahm_status status = SAHM_OK;
	sqlite3_stmt *s =
		store_prepare(e->store, "SELECT axis, name, stride, nr_values FROM axis WHERE sweep = ? ORDER BY axis");
	if (!s)
		return store_fail(e->store, err);
	sqlite3_bind_int64(s, 1, e->sweep);
	while (status == SAHM_OK && (code = sqlite3_step(s)) != SQLITE_DONE)
		status = code == SQLITE_ROW ? add_axis(e, s, err) : store_fail(e->store, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status has_intervals(struct store_export *e, bool *has, struct sahm_err *err)
{
	int64_t one;
	sqlite3_stmt *s = store_prepare(
		e->store,
		"SELECT 1 WHERE EXISTS (SELECT 1 FROM interval) AND EXISTS (SELECT 1 FROM point AS p WHERE sweep = ? "
		"AND EXISTS (SELECT 1 FROM interval AS i WHERE i.run = p.run))");
	if (!s)
		return store_fail(e->store, err);
	sqlite3_bind_int64(s, 1, e->sweep);
	enum sahm_status status = store_get(e->store, s, &one, has, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status write_query(struct store_export *e, enum export_kind kind, struct sahm_err *err)
{
	static const struct column position[] = {{"position", "p.position", INTEGER}, {0}};
	bool has = false;
	textbuf_puts(&e->sql, "SELECT");
	enum sahm_status status = add_columns(e, position, err);
	if (status == SAHM_OK)
		status = add_axes(e, err);
	if (status == SAHM_OK)
		status = add_columns(e, kinds[kind].columns, err);
	if (status == SAHM_OK && kind == EXPORT_POINTS)
		status = has_intervals(e, &has, err);
	if (status == SAHM_OK && has)
		status = add_columns(e, of_intervals, err);
	textbuf_printf(
		&e->sql,
		"\nFROM point AS p CROSS JOIN run AS r ON r.id = p.run%s WHERE p.sweep = %lld ORDER BY p.position%s",
		kinds[kind].join, (long long)e->sweep, kinds[kind].order);
	return status == SAHM_OK && textbuf_failed(&e->sql) ? sahm_fail_nomem(err) : status;
}

static void csv_integer(struct textbuf *out, int64_t value)
{
	if (value >= 0)
		csv_u64(out, (uint64_t)value);
	else
		csv_double(out, (double)value);
}

static void put_csv(struct textbuf *out, enum kind kind, sqlite3_stmt *s, int i)
{
	int type = sqlite3_column_type(s, i);
	const char *text;
	if (type == SQLITE_NULL)
		csv_double(out, NAN);
	else if (kind == TRUTH)
		csv_string(out, sqlite3_column_int(s, i) ? "true" : "false");
	else if (kind == INTEGER || (kind == LABEL && type == SQLITE_INTEGER))
		csv_integer(out, sqlite3_column_int64(s, i));
	else if (kind == REAL || (kind == LABEL && type == SQLITE_FLOAT))
		csv_double(out, sqlite3_column_double(s, i));
	else
		csv_string(out, (text = (const char *)sqlite3_column_text(s, i)) ? text : "");
}

static void put_json(struct jwriter *j, const struct column *c, sqlite3_stmt *s, int i)
{
	int type = sqlite3_column_type(s, i);
	const char *text;
	if (type == SQLITE_NULL)
		jwrite_double(j, c->name, NAN);
	else if (c->kind == TRUTH)
		jwrite_bool(j, c->name, sqlite3_column_int(s, i) != 0);
	else if (c->kind == INTEGER || (c->kind == LABEL && type == SQLITE_INTEGER))
		jwrite_i64(j, c->name, sqlite3_column_int64(s, i));
	else if (c->kind == REAL || (c->kind == LABEL && type == SQLITE_FLOAT))
		jwrite_double(j, c->name, sqlite3_column_double(s, i));
	else
		jwrite_string(j, c->name, (text = (const char *)sqlite3_column_text(s, i)) ? text : "");
}

static void put_row(struct store_export *e, sqlite3_stmt *s)
{
	struct jwriter j;
	if (e->form == EXPORT_CSV) {
		for (uint32_t i = 0; i < e->nr; i++)
			put_csv(&e->out, e->columns[i].kind, s, (int)i);
		csv_end_row(&e->out);
		return;
	}
	jwrite_init(&j, &e->out);
	jwrite_begin_flat_object(&j, NULL);
	for (uint32_t i = 0; i < e->nr; i++)
		put_json(&j, &e->columns[i], s, (int)i);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

/* The first column with text or bytes where a number belongs; e->nr: there is none. */
static uint32_t find_damage(const struct store_export *e, sqlite3_stmt *s)
{
	for (uint32_t i = 0; i < e->nr; i++) {
		enum kind kind = e->columns[i].kind;
		int type = sqlite3_column_type(s, (int)i);
		if ((kind == INTEGER || kind == REAL || kind == TRUTH) && (type == SQLITE_TEXT || type == SQLITE_BLOB))
			return i;
	}
	return e->nr;
}

/* Hands on what has been gathered, if it is `least` bytes; false: nobody takes it. */
static bool flush(struct store_export *e, size_t least)
{
	if (e->out.len < least || textbuf_failed(&e->out))
		return true;
	bool ok = fwrite(e->out.text, 1, e->out.len, e->stream) == e->out.len;
	e->out.len = 0;
	e->out.text[0] = '\0';
	return ok;
}

static enum sahm_status write_rows(struct store_export *e, struct sahm_err *err)
{
	int code = SQLITE_DONE;
	uint32_t damaged = e->nr;
	sqlite3_stmt *s = store_prepare(e->store, e->sql.text);
	if (!s)
		return store_fail(e->store, err);
	for (uint32_t i = 0; i < e->nr && e->form == EXPORT_CSV; i++)
		csv_string(&e->out, e->columns[i].name);
	if (e->form == EXPORT_CSV)
		csv_end_row(&e->out);
	bool taken = true;
	while (taken && (code = sqlite3_step(s)) == SQLITE_ROW && (damaged = find_damage(e, s)) == e->nr) {
		put_row(e, s);
		taken = flush(e, PIECE_BYTES);
	}
	enum sahm_status status = SAHM_OK;
	if (taken && code == SQLITE_ROW)
		status = sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: a value of '%s' is not a number",
				   e->store->path, e->columns[damaged].name);
	else if (taken && code != SQLITE_DONE)
		status = store_fail(e->store, err);
	if (taken && e->out.len > 0)
		flush(e, 1);
	if (status == SAHM_OK && textbuf_failed(&e->out))
		status = sahm_fail_nomem(err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status count(struct store_export *e, struct export_counts *counts, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(
		e->store, "SELECT count(*), coalesce(sum(r.state = 0), 0), coalesce(sum(r.state = 2), 0), "
			  "(SELECT nr_points FROM sweep WHERE id = ?1) "
			  "FROM point AS p CROSS JOIN run AS r ON r.id = p.run WHERE p.sweep = ?1");
	if (!s)
		return store_fail(e->store, err);
	sqlite3_bind_int64(s, 1, e->sweep);
	enum sahm_status status = sqlite3_step(s) == SQLITE_ROW ? SAHM_OK : store_fail(e->store, err);
	if (status == SAHM_OK)
		*counts = (struct export_counts){(uint64_t)sqlite3_column_int64(s, 0),
						 (uint64_t)sqlite3_column_int64(s, 1),
						 (uint64_t)sqlite3_column_int64(s, 2), 0};
	uint64_t whole = status == SAHM_OK ? (uint64_t)sqlite3_column_int64(s, 3) : 0;
	if (whole > counts->points)
		counts->absent = whole - counts->points;
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_export(struct store *store, int64_t sweep, enum export_kind kind, enum export_form form,
			      FILE *out, struct export_counts *counts, struct sahm_err *err)
{
	struct store_export e = {.store = store, .sweep = sweep, .form = form, .stream = out};
	/* One transaction sees one state of the store. */
	bool begins = sqlite3_get_autocommit(store->db) != 0;
	enum sahm_status status = begins ? store_exec(store, "BEGIN", err) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	arena_init(&e.arena);
	textbuf_init(&e.sql);
	textbuf_init(&e.out);
	status = write_query(&e, kind, err);
	if (status == SAHM_OK)
		status = count(&e, counts, err);
	if (status == SAHM_OK)
		status = write_rows(&e, err);
	textbuf_release(&e.out);
	textbuf_release(&e.sql);
	arena_release(&e.arena);
	if (begins)
		store_undo(store);
	return status;
}
