/* The schema of stores: what is made, and whether a database has it. */
#include "results/store/store_schema.h"

#include <stdlib.h>
#include <string.h>

#include "results/store/store_internal.h"
#include "sim/base/number.h"

/* Stands where the columns of metrics belong. */
#define METRICS_MARK " -- RUN_METRICS"

extern const char store_schema_sql[];

void store_write_schema(struct textbuf *out)
{
	const char *mark = strstr(store_schema_sql, METRICS_MARK);
	textbuf_add(out, store_schema_sql, (size_t)(mark - store_schema_sql));
#define RUN_METRIC(member, form, words) textbuf_puts(out, ",\n  " #member " REAL");
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	textbuf_puts(out, mark + strlen(METRICS_MARK));
}

enum sahm_status store_make_schema(struct store *store, struct sahm_err *err)
{
	struct textbuf sql;
	textbuf_init(&sql);
	textbuf_printf(&sql, "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d;",
		       STORE_APPLICATION, STORE_VERSION);
	store_write_schema(&sql);
	textbuf_puts(&sql, "COMMIT");
	enum sahm_status status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : store_exec(store, sql.text, err);
	textbuf_release(&sql);
	return status;
}

/* Schemas are compared but for their white space. */
static bool is_same_sql(const char *a, const char *b)
{
	static const char blanks[] = " \t\n";
	if (!a || !b)
		return a == b;
	for (;;) {
		size_t blanks_a = strspn(a, blanks), blanks_b = strspn(b, blanks);
		a += blanks_a;
		b += blanks_b;
		if (*a != *b || !blanks_a != !blanks_b)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

/* The schema that sahm makes, in a separate database. */
static enum sahm_status open_model(struct store *model, struct sahm_err *err)
{
	if (sqlite3_open_v2(":memory:", &model->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		return sahm_fail_nomem(err);
	enum sahm_status status = store_make_schema(model, err);
	if (status == SAHM_OK)
		status = store_exec(model, store_second_sql, err);
	if (status == SAHM_OK)
		status = store_exec(model, store_submission_sql, err);
	if (status == SAHM_OK)
		status = store_exec(model, store_origin_sql, err);
	return status;
}

enum sahm_status store_make_image(unsigned char **image, size_t *len, struct sahm_err *err)
{
	struct store model = {.path = (char *)"new", .access = STORE_WRITE};
	sqlite3_int64 size = 0;
	unsigned char *bytes = NULL;
	enum sahm_status status = SAHM_NOMEM;
	if (sqlite3_open_v2(":memory:", &model.db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
		status = store_make_schema(&model, err);
	if (status == SAHM_OK && !(bytes = sqlite3_serialize(model.db, "main", &size, 0)))
		status = SAHM_NOMEM;
	sqlite3_close(model.db);
	if (status != SAHM_OK)
		return status == SAHM_NOMEM ? sahm_fail_nomem(err) : status;
	/* Versions of the file format for writing and reading: 2 says that there is a log. */
	bytes[18] = bytes[19] = 2;
	*image = bytes;
	*len = (size_t)size;
	return SAHM_OK;
}

#define IS_OPTIONAL "tbl_name IN ('second_result', 'submission', 'counter_origin')"
#define NO_VIEW "type <> 'view'"

static const char *text_of(sqlite3_stmt *s, int column)
{
	return (const char *)sqlite3_column_text(s, column);
}

/* For each row of `rows`, finds that of `others` with the same type, name and table. The first that is missing there,
 * or has other SQL, is left to `rows`; else *differs is false. */
static enum sahm_status compare(sqlite3_stmt *rows, sqlite3_stmt *others, bool *differs)
{
	int code;
	*differs = false;
	while (!*differs && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		for (int i = 0; i < 3; i++)
			sqlite3_bind_value(others, i + 1, sqlite3_column_value(rows, i));
		*differs = sqlite3_step(others) != SQLITE_ROW || !is_same_sql(text_of(rows, 3), text_of(others, 0));
		sqlite3_reset(others);
	}
	return *differs || code == SQLITE_DONE ? SAHM_OK : SAHM_IO;
}

/* Compares tables and indexes: all of the store's must be of the model, and all of the model's in the store. */
static enum sahm_status compare_tables(struct store *store, struct store *model, struct sahm_err *err)
{
	static const char list[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE " NO_VIEW,
			  list_needed[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE NOT " IS_OPTIONAL,
			  find[] = "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ? AND tbl_name = ?";
	enum sahm_status status = SAHM_OK;
	for (int i = 0; i < 2 && status == SAHM_OK; i++) {
		bool differs = false;
		sqlite3_stmt *rows = store_prepare(i ? model : store, i ? list_needed : list);
		sqlite3_stmt *others = rows ? store_prepare(i ? store : model, find) : NULL;
		if (!rows || !others || compare(rows, others, &differs) != SAHM_OK)
			status = store_fail(store, err);
		else if (differs)
			status = sahm_fail(
				err, SAHM_FORMAT, "'%s' is no results database of sahm: its %s '%.100s' is %s",
				store->path, text_of(rows, 0) ? text_of(rows, 0) : "entry",
				text_of(rows, 1) ? text_of(rows, 1) : "", i ? "missing" : "not as sahm makes it");
		sqlite3_finalize(rows);
		sqlite3_finalize(others);
	}
	return status;
}

/* Compares the view of a sweep, by its name, with the one that sahm makes. Views are read when the tables are known to
 * be tables: a view in the place of `axis` could have rows without end. */
static enum sahm_status compare_view(struct store *store, const char *name, const char *sql, bool *is_same,
				     struct sahm_err *err)
{
	struct textbuf expected;
	uint64_t sweep;
	*is_same = false;
	const char *number = name && strncmp(name, "sweep_", 6) == 0 ? name + 6 : "";
	if (number_read_u64(number, strlen(number), &sweep) != NUMBER_OK || sweep > INT64_MAX)
		return SAHM_OK;
	textbuf_init(&expected);
	enum sahm_status status = store_write_view(store, (int64_t)sweep, &expected, err);
	*is_same = status == SAHM_OK && is_same_sql(sql, expected.text);
	textbuf_release(&expected);
	return status;
}

static enum sahm_status compare_views(struct store *store, struct sahm_err *err)
{
	int64_t nr_sweeps = 0, nr_views = 0;
	bool is_same = true;
	int code = SQLITE_DONE;
	/* count(*) is carried out in one step, which no bound ends. */
	enum sahm_status status = store_ask(store, "SELECT count(id) FROM sweep", &nr_sweeps, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_stmt *s = store_prepare(store, "SELECT name, sql FROM sqlite_schema WHERE NOT (" NO_VIEW ")");
	if (!s)
		return store_fail(store, err);
	while (status == SAHM_OK && is_same && (code = sqlite3_step(s)) == SQLITE_ROW) {
		status = compare_view(store, text_of(s, 0), text_of(s, 1), &is_same, err);
		nr_views++;
	}
	if (status == SAHM_OK && !is_same)
		status = sahm_fail(err, SAHM_FORMAT,
				   "'%s' is no results database of sahm: its view '%.100s' is not as sahm makes it",
				   store->path, text_of(s, 0) ? text_of(s, 0) : "");
	else if (status == SAHM_OK && code != SQLITE_DONE)
		status = store_fail(store, err);
	else if (status == SAHM_OK && nr_views != nr_sweeps)
		status = sahm_fail(err, SAHM_FORMAT,
				   "'%s' is no results database of sahm: it has %lld sweeps and %lld views of sweeps",
				   store->path, (long long)nr_sweeps, (long long)nr_views);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_check_schema(struct store *store, struct sahm_err *err)
{
	struct store model = {.path = store->path, .access = store->access};
	enum sahm_status status = open_model(&model, err);
	if (status == SAHM_OK)
		status = compare_tables(store, &model, err);
	sqlite3_close(model.db);
	return status == SAHM_OK ? compare_views(store, err) : status;
}

enum sahm_status store_check_pages(struct store *store, bool with_indexes, struct sahm_err *err)
{
	static const char null_value[] = "NULL value in ";
	sqlite3_stmt *s = store_prepare(store, with_indexes ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)");
	if (!s)
		return store_fail(store, err);
	enum sahm_status status = sqlite3_step(s) == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	/* Damaged pages come first. SQLite 3.40 finds NULLs that are not there in tables without row ids whose first
	 * column is not of the key; we check values when we read them. */
	if (status == SAHM_OK && (!text_of(s, 0) || (strcmp(text_of(s, 0), "ok") != 0 &&
						     strncmp(text_of(s, 0), null_value, strlen(null_value)) != 0)))
		status = sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: %s", store->path,
				   text_of(s, 0) ? text_of(s, 0) : "");
	sqlite3_finalize(s);
	return status;
}
