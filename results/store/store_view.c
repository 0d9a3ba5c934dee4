/* Views: sweep_<id> shows a sweep without joins, for questions in SQL. */
#include "results/store/store_internal.h"

static void quote(struct textbuf *out, const char *name)
{
	textbuf_putc(out, '"');
	for (; *name; name++) {
		if (*name == '"')
			textbuf_putc(out, '"');
		textbuf_putc(out, *name);
	}
	textbuf_putc(out, '"');
}

static enum sahm_status write_axes(struct store *store, int64_t sweep, struct textbuf *sql, struct sahm_err *err)
{
	int code;
	sqlite3_stmt *s = store_statement(store, STATEMENT_VIEW_AXES);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, sweep);
	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		const char *axis = (const char *)sqlite3_column_text(s, 1);
		struct textbuf name;
		textbuf_init(&name);
		store_axis_column(axis ? axis : "", &name);
		textbuf_printf(sql,
			       ",\n  (SELECT label FROM axis_value WHERE sweep = %lld AND axis = %lld"
			       " AND value = p.position / %lld %% %lld) AS ",
			       (long long)sweep, (long long)sqlite3_column_int64(s, 0),
			       (long long)sqlite3_column_int64(s, 3), (long long)sqlite3_column_int64(s, 2));
		quote(sql, name.text);
		if (textbuf_failed(&name))
			sql->failed = true;
		textbuf_release(&name);
	}
	enum sahm_status status = code == SQLITE_DONE ? SAHM_OK : store_fail(store, err);
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_write_view(struct store *store, int64_t sweep, struct textbuf *sql, struct sahm_err *err)
{
	textbuf_printf(sql, "CREATE VIEW sweep_%lld AS\nSELECT p.position", (long long)sweep);
	enum sahm_status status = write_axes(store, sweep, sql, err);
	textbuf_puts(sql, ",\n  CASE r.state WHEN 0 THEN 'planned' WHEN 1 THEN 'done' ELSE 'failed' END AS state,\n"
			  "  r.message, lower(hex(r.hash)) AS hash,\n"
			  "  (SELECT version FROM program WHERE id = r.program) AS program,\n"
			  "  (SELECT name FROM chip WHERE id = r.chip) AS made_of,\n"
			  "  r.nr_cores, r.nr_threads, r.synthetic, r.nominal_time");
#define RUN_METRIC(member, form, words) textbuf_puts(sql, ",\n  r." #member);
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	textbuf_printf(sql, ",\n  r.id AS run\nFROM point AS p JOIN run AS r ON r.id = p.run WHERE p.sweep = %lld",
		       (long long)sweep);
	if (status == SAHM_OK && textbuf_failed(sql))
		status = sahm_fail_nomem(err);
	return status;
}

enum sahm_status store_make_view(struct store *store, int64_t sweep, struct sahm_err *err)
{
	struct textbuf sql;
	textbuf_init(&sql);
	enum sahm_status status = store_write_view(store, sweep, &sql, err);
	if (status == SAHM_OK)
		status = store_exec(store, sql.text, err);
	textbuf_release(&sql);
	return status;
}

/* Appends the row of a view to sqlite_schema. SQLite compiles the view's statement first: text that it refuses would
 * make the whole file unreadable. */
static enum sahm_status add_row(struct store *store, sqlite3_stmt *add, int64_t sweep, struct sahm_err *err)
{
	struct textbuf sql;
	textbuf_init(&sql);
	enum sahm_status status = store_write_view(store, sweep, &sql, err);
	if (status == SAHM_OK) {
		sqlite3_stmt *create = store_prepare(store, sql.text);
		if (!create)
			status = store_fail(store, err);
		sqlite3_finalize(create);
	}
	if (status == SAHM_OK) {
		sqlite3_bind_int64(add, 1, sweep);
		sqlite3_bind_text(add, 2, sql.text, -1, SQLITE_STATIC);
		status = store_run(store, add, err);
		sqlite3_clear_bindings(add);
	}
	textbuf_release(&sql);
	return status;
}

static enum sahm_status add_rows_before(struct store *store, int64_t last, struct sahm_err *err)
{
	int code = SQLITE_ERROR;
	enum sahm_status status = SAHM_OK;
	sqlite3_stmt *sweeps =
		store_prepare(store, "SELECT ours FROM merge_sweep WHERE is_new AND ours < ?1 ORDER BY ours");
	sqlite3_stmt *add = store_prepare(store, "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) "
						 "VALUES ('view', 'sweep_' || ?1, 'sweep_' || ?1, 0, ?2)");
	if (sweeps && add) {
		sqlite3_bind_int64(sweeps, 1, last);
		while (status == SAHM_OK && (code = sqlite3_step(sweeps)) == SQLITE_ROW)
			status = add_row(store, add, sqlite3_column_int64(sweeps, 0), err);
	}
	if (status == SAHM_OK && code != SQLITE_DONE)
		status = store_fail(store, err);
	sqlite3_finalize(add);
	sqlite3_finalize(sweeps);
	return status;
}

static void set_schema_writable(struct store *store, int writable)
{
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, !writable, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, writable, NULL);
}

/* CREATE VIEW searches all of sqlite_schema for the row that it has just written, because that table has no index. So
 * only the last view is made by it, which also changes the schema's version, the sign for every connection to read
 * sqlite_schema again. The others become rows of it directly, in the same transaction: nobody sees one without the
 * other, whenever the process dies. */
enum sahm_status store_make_views(struct store *store, struct sahm_err *err)
{
	int64_t nr, last = 0;
	enum sahm_status status = store_ask(store, "SELECT count(*) FROM merge_sweep WHERE is_new", &nr, err);
	if (status == SAHM_OK && nr > 0)
		status = store_ask(store, "SELECT max(ours) FROM merge_sweep WHERE is_new", &last, err);
	if (status == SAHM_OK && nr > 1) {
		set_schema_writable(store, 1);
		status = add_rows_before(store, last, err);
		set_schema_writable(store, 0);
	}
	return status == SAHM_OK && nr > 0 ? store_make_view(store, last, err) : status;
}
