/* What the parts of a store share (store_internal.h). */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"

sqlite3 *store_db(struct store *store)
{
	return store->db;
}

int64_t store_integer(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static enum sahm_status fail_with(struct store *store, int code, int cause, const char *words, struct sahm_err *err)
{
	const char *verb = store->access == STORE_READ ? "read" : "write";
	bool is_full = cause == ENOSPC || cause == EFBIG || cause == EDQUOT;
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return sahm_fail_nomem(err);
	case SQLITE_NOTADB:
		return sahm_fail(err, SAHM_FORMAT,
				 "'%s' is not a results database; `sahm sweep CONFIG -o FILE` makes one", store->path);
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* a table or column is missing */
	case SQLITE_SCHEMA:
	case SQLITE_MISMATCH:
	case SQLITE_CONSTRAINT:
	case SQLITE_TOOBIG:
		if (store->other)
			return sahm_fail(err, SAHM_FORMAT, "results file '%s' or '%s' is damaged: %s", store->other,
					 store->path, words);
		return sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: %s", store->path, words);
	case SQLITE_INTERRUPT:
		return sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: a statement goes on without end",
				 store->other ? store->other : store->path);
	case SQLITE_IOERR:
		if (is_full)
			words = sqlite3_errstr(SQLITE_FULL);
		break;
	case SQLITE_BUSY:
		words = "another process keeps it locked";
		cause = 0;
		break;
	case SQLITE_READONLY:
		words = "the file or its folder is read-only";
		cause = 0;
		break;
	default:
		break;
	}
	if (cause && !is_full)
		return sahm_fail(err, SAHM_IO, "cannot %s results file '%s': %s (%s)", verb, store->path, words,
				 strerror(cause));
	return sahm_fail(err, SAHM_IO, "cannot %s results file '%s': %s", verb, store->path, words);
}

enum sahm_status store_fail(struct store *store, struct sahm_err *err)
{
	int code = sqlite3_extended_errcode(store->db), cause = 0;
	if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
		cause = sqlite3_system_errno(store->db);
	/* Of a failed commit it does not know. */
	if ((code & 0xff) == SQLITE_IOERR && !cause)
		cause = errno;
	return fail_with(store, code, cause, sqlite3_errmsg(store->db), err);
}

void store_undo(struct store *store)
{
	for (int i = 0; i < NR_STORE_STATEMENTS; i++)
		sqlite3_reset(store->statements[i]);
	/* SQLite has done it itself after some failures. */
	if (!sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	store->planning = false;
	store->program_id = 0;
}

enum sahm_status store_fail_undo(struct store *store, struct sahm_err *err)
{
	enum sahm_status status = store_fail(store, err);
	store_undo(store);
	return status;
}

/* Statements that run at the same time share one bound on work. */
static void begin_statement(struct store *store)
{
	for (sqlite3_stmt *s = sqlite3_next_stmt(store->db, NULL); s; s = sqlite3_next_stmt(store->db, s))
		if (sqlite3_stmt_busy(s))
			return;
	store->nr_ticks = 0;
}

enum sahm_status store_exec(struct store *store, const char *sql, struct sahm_err *err)
{
	errno = 0;
	begin_statement(store);
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? SAHM_OK : store_fail(store, err);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql)
{
	sqlite3_stmt *s = NULL;
	begin_statement(store);
	sqlite3_prepare_v2(store->db, sql, -1, &s, NULL);
	return s;
}

/* A sweep in the making has no identity yet; none is ever committed without. */
static const char *const statements[NR_STORE_STATEMENTS] = {
	[STATEMENT_FIND_PROGRAM] = "SELECT id FROM program WHERE version = ?",
	[STATEMENT_ADD_PROGRAM] = "INSERT INTO program (version) VALUES (?)",
	[STATEMENT_ADD_SWEEP] = "INSERT INTO sweep (identity, planned, name, evaluator, config, nr_points) "
				"VALUES (x'', (SELECT coalesce(max(planned), 0) + 1 FROM sweep), ?, ?, ?, ?)",
	[STATEMENT_FIND_SWEEP] = "SELECT id FROM sweep WHERE identity = ?",
	[STATEMENT_ADD_AXIS] = "INSERT INTO axis (sweep, axis, name, nr_values, stride) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_ADD_VALUE] = "INSERT INTO axis_value (sweep, axis, value, label, settings) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_FIND_RUN] = "SELECT id FROM run WHERE hash = ?",
	[STATEMENT_FIND_STATE] = "SELECT id, state FROM run WHERE hash = ?",
	[STATEMENT_RUN_STATE] = "SELECT id, state FROM run WHERE id = ?",
	[STATEMENT_ADD_RUN] = "INSERT INTO run (hash, program, state) VALUES (?, ?, 0)",
	[STATEMENT_ADD_POINT] = "INSERT INTO point (sweep, position, run) VALUES (?, ?, ?)",
	/* CROSS JOIN: runs first, in the order of their ids. */
	[STATEMENT_JOBS] = "SELECT r.id, min(p.position) FROM run AS r CROSS JOIN point AS p ON p.run = r.id "
			   "WHERE r.id > ?1 AND p.sweep = ?2 AND p.position % ?3 = ?4 AND (r.state = 0 "
			   "OR (?5 AND " STORE_THREADLESS ")) GROUP BY r.id ORDER BY r.id LIMIT ?6",
	[STATEMENT_THREADLESS] = "SELECT 1 FROM run AS r WHERE r.id = ? AND " STORE_THREADLESS,
	[STATEMENT_RUN_HASH] = "SELECT hash FROM run WHERE id = ?",
	[STATEMENT_PUT_RUN] = "UPDATE run SET state = ?, message = ?, chip = ?, nr_cores = ?, nr_threads = ?, "
			      "synthetic = ?, nominal_time = ?"
#define RUN_METRIC(member, form, words) ", " #member " = ?"
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
			      " WHERE id = ? AND state = 0",
	[STATEMENT_PUT_TIMING] = "INSERT OR REPLACE INTO timing (run, started_unix_ms, wall_ns, cpu_ns, worker) "
				 "VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_PUT_THREAD] = "INSERT INTO thread (run, thread, name, speedup, served_share, matched_share, "
				 "completed_ns, present_ns, migrations, energy_j, instruction_nj) "
				 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[STATEMENT_PUT_INTERVAL] = "INSERT INTO interval (run, metric, low, high) VALUES (?, ?, ?, ?)",
	[STATEMENT_FIND_CHIP] = "SELECT id FROM chip WHERE name = ?",
	[STATEMENT_ADD_CHIP] = "INSERT INTO chip (name) VALUES (?)",
	[STATEMENT_ADD_CORE] = "INSERT INTO chip_core (chip, row, type, speedups_pct, count) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_FIND_NAME] = "SELECT id FROM thread_name WHERE name = ?",
	[STATEMENT_ADD_NAME] = "INSERT INTO thread_name (name) VALUES (?)",
	[STATEMENT_VIEW_AXES] = "SELECT axis, name, nr_values, stride FROM axis WHERE sweep = ? ORDER BY axis",
};

sqlite3_stmt *store_statement(struct store *store, enum store_statement which)
{
	sqlite3_stmt **s = &store->statements[which];
	begin_statement(store);
	if (*s) {
		sqlite3_reset(*s);
		sqlite3_clear_bindings(*s);
	} else {
		sqlite3_prepare_v3(store->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL);
	}
	return *s;
}

enum sahm_status store_run(struct store *store, sqlite3_stmt *s, struct sahm_err *err)
{
	errno = 0;
	int code = sqlite3_step(s);
	enum sahm_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_get(struct store *store, sqlite3_stmt *s, int64_t *value, bool *found, struct sahm_err *err)
{
	int code = sqlite3_step(s);
	enum sahm_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	*value = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	if (found)
		*found = code == SQLITE_ROW;
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_ask(struct store *store, const char *sql, int64_t *value, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	if (!s)
		return store_fail(store, err);
	enum sahm_status status = store_get(store, s, value, NULL, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_begin(struct store *store, struct sahm_err *err)
{
	return sqlite3_get_autocommit(store->db) ? store_exec(store, "BEGIN IMMEDIATE", err) : SAHM_OK;
}

enum sahm_status store_commit(struct store *store, struct sahm_err *err)
{
	if (sqlite3_get_autocommit(store->db))
		return SAHM_OK;
	enum sahm_status status = store_exec(store, "COMMIT", err);
	if (status != SAHM_OK)
		store_undo(store);
	return status;
}

/* Names are percent-encoded, and none begins like something else than a file. */
char *store_uri(const char *path, const char *query)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, *path == '/' ? "file:" : "file:./");
	for (const char *p = path; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (strchr("%?#", c) || c <= ' ' || c >= 0x7f)
			textbuf_printf(&b, "%%%02x", c);
		else
			textbuf_putc(&b, *p);
	}
	char *uri = textbuf_failed(&b) ? NULL : sqlite3_mprintf("%s?%s", b.text, query);
	textbuf_release(&b);
	return uri;
}

enum sahm_status store_has_table(struct store *store, const char *schema, const char *name, bool *has,
				 struct sahm_err *err)
{
	int64_t one;
	*has = false;
	char *sql = sqlite3_mprintf("SELECT 1 FROM %s.sqlite_schema WHERE type = 'table' AND name = %Q", schema, name);
	if (!sql)
		return sahm_fail_nomem(err);
	sqlite3_stmt *s = store_prepare(store, sql);
	sqlite3_free(sql);
	if (!s)
		return store_fail(store, err);
	enum sahm_status status = store_get(store, s, &one, has, err);
	sqlite3_finalize(s);
	return status;
}

/* Columns of a point, a run, a thread and a timing; axes are called otherwise. */
static const char *const columns[] = {
	"position",	   "run",      "hash",	     "state",	     "message",	     "program",
	"made_of",	   "nr_cores", "nr_threads", "synthetic",    "nominal_time",
#define RUN_METRIC(member, form, words) #member, #member "_low", #member "_high",
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	"thread",	   "name",     "speedup",    "completed_ns", "present_ns",   "migrations",
	"started_unix_ms", "wall_ns",  "cpu_ns",     "worker",
};

void store_axis_column(const char *axis, struct textbuf *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (strcasecmp(columns[i], axis) == 0)
			textbuf_puts(name, "axis.");
	textbuf_puts(name, axis);
}
