/* Second results: what runs have given besides what the store has of them. */

#include "results/store/store_internal.h"

const char store_count_seconds_sql[] =
	"SELECT count(DISTINCT s.run) FROM second_result AS s JOIN run AS r ON r.id = s.run "
	"WHERE ?1 = 0 OR EXISTS (SELECT 1 FROM point AS p WHERE p.run = s.run AND p.sweep = ?1)";

/* Makes the table `second_result` where there is none. */
static enum sahm_status store_make_seconds(struct store *store, struct sahm_err *err)
{
	return store_exec(store, store_second_sql, err);
}

static enum sahm_status is_there(struct store *store, int64_t run, const void *bytes, size_t len, bool *is,
				 struct sahm_err *err)
{
	int64_t one;
	sqlite3_stmt *s = store_prepare(store, "SELECT 1 FROM second_result WHERE run = ? AND record = ?");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_blob64(s, 2, bytes, len, SQLITE_STATIC);
	enum sahm_status status = store_get(store, s, &one, is, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status add(struct store *store, int64_t run, const struct record *record, const void *bytes,
			    size_t len, const char *from, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(
		store, "INSERT INTO second_result (run, number, made_by, state, message, record) VALUES (?1, "
		       "(SELECT coalesce(max(number), 0) + 1 FROM second_result WHERE run = ?1), ?2, ?3, ?4, ?5)");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_text(s, 2, from, -1, SQLITE_STATIC);
	sqlite3_bind_int(s, 3, record->failed ? RUN_FAILED : RUN_DONE);
	if (*record->message)
		sqlite3_bind_text(s, 4, record->message, -1, SQLITE_STATIC);
	sqlite3_bind_blob64(s, 5, bytes, len, SQLITE_STATIC);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status must_have_result(struct store *store, int64_t run, struct sahm_err *err)
{
	enum run_state state;
	bool found;
	enum sahm_status status = store_run_state(store, run, &state, &found, err);
	if (status == SAHM_OK && (!found || state == RUN_PLANNED))
		status = sahm_fail(err, SAHM_RANGE, "results file '%s' has no run %lld that is done or failed",
				   store->path, (long long)run);
	return status;
}

enum sahm_status store_put_second(struct store *store, int64_t run, const struct record *record, const char *from,
				  bool *is_new, struct sahm_err *err)
{
	struct textbuf bytes;
	bool known = false;
	textbuf_init(&bytes);
	record_encode(record, &bytes);
	enum sahm_status status = textbuf_failed(&bytes) ? sahm_fail_nomem(err) : store_begin(store, err);
	size_t len = status == SAHM_OK ? bytes.len - RECORD_TIMING_BYTES : 0;
	if (status == SAHM_OK)
		status = must_have_result(store, run, err);
	if (status == SAHM_OK)
		status = store_make_seconds(store, err);
	if (status == SAHM_OK)
		status = is_there(store, run, bytes.text, len, &known, err);
	if (status == SAHM_OK && !known)
		status = add(store, run, record, bytes.text, len, from, err);
	textbuf_release(&bytes);
	if (status == SAHM_OK)
		*is_new = !known;
	else
		store_undo(store);
	return status;
}

enum sahm_status store_count_seconds(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err)
{
	int64_t value = 0;
	bool has;
	*nr = 0;
	enum sahm_status status = store_has_table(store, "main", "second_result", &has, err);
	if (status != SAHM_OK || !has)
		return status;
	sqlite3_stmt *s = store_prepare(store, store_count_seconds_sql);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, sweep);
	status = store_get(store, s, &value, NULL, err);
	sqlite3_finalize(s);
	*nr = (uint64_t)value;
	return status;
}

static const char drop_replaced[] =
	"DELETE FROM main.second_result WHERE state = 2 AND run IN (SELECT m.ours FROM merge_run AS m\n"
	"  JOIN theirs.run AS t ON t.id = m.theirs WHERE m.how = 'replace' AND t.state <> 2);\n";

enum sahm_status store_drop_replaced_seconds(struct store *store, struct sahm_err *err)
{
	bool has;
	enum sahm_status status = store_has_table(store, "main", "second_result", &has, err);
	return status == SAHM_OK && has ? store_exec(store, drop_replaced, err) : status;
}

/* Theirs beside a failure stay away where we have more than that; of two failures one is the first result now. */
static const char add_theirs[] =
	"INSERT INTO main.second_result (run, number, made_by, state, message, record)\n"
	"  SELECT o.id, (SELECT coalesce(max(number), 0) FROM main.second_result WHERE run = o.id)\n"
	"    + row_number() OVER (PARTITION BY o.id ORDER BY s.number), s.made_by, s.state, s.message, s.record\n"
	"  FROM merge_run AS m JOIN theirs.second_result AS s ON s.run = m.theirs\n"
	"  JOIN theirs.run AS t ON t.id = m.theirs JOIN main.run AS o ON o.id = m.ours\n"
	"  WHERE NOT (s.state = 2 AND t.state = 2 AND o.state <> 2) AND NOT EXISTS\n"
	"    (SELECT 1 FROM main.second_result AS k WHERE k.run = o.id AND k.record = s.record);\n"
	"DELETE FROM main.second_result WHERE state = 2 AND run IN (SELECT ours FROM merge_run) AND EXISTS\n"
	"  (SELECT 1 FROM main.run AS r WHERE r.id = second_result.run AND r.state = 2\n"
	"  AND r.message IS second_result.message);\n";

enum sahm_status store_add_seconds(struct store *store, struct sahm_err *err)
{
	bool has, any = false;
	int64_t one;
	enum sahm_status status = store_has_table(store, "theirs", "second_result", &has, err);
	if (status != SAHM_OK || !has)
		return status;
	sqlite3_stmt *s = store_prepare(
		store, "SELECT 1 FROM merge_run AS m JOIN theirs.second_result AS s ON s.run = m.theirs LIMIT 1");
	if (!s)
		return store_fail(store, err);
	status = store_get(store, s, &one, &any, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK && any)
		status = store_make_seconds(store, err);
	return status == SAHM_OK && any ? store_exec(store, add_theirs, err) : status;
}
