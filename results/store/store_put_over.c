/* A result in the place of a failure. */
#include "results/store/store_internal.h"
#include "sim/base/array.h"

/* ?1: the run; ?2: what comes in its place, as table second_result has records. */
static const char drop_seconds[] = "DELETE FROM second_result WHERE run = ?1 AND (state = 2 OR record = ?2)";

static const char *const drop_failure[] = {
	"DELETE FROM timing WHERE run = ?1",
	"DELETE FROM thread WHERE run = ?1",
	"DELETE FROM interval WHERE run = ?1",
	"UPDATE run SET state = 0, message = NULL WHERE id = ?1",
};

static enum sahm_status run_about(struct store *store, const char *sql, int64_t run, const struct textbuf *record,
				  struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	if (record)
		sqlite3_bind_blob64(s, 2, record->text, record->len - RECORD_TIMING_BYTES, SQLITE_STATIC);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status drop_seconds_of(struct store *store, int64_t run, const struct record *record,
					struct sahm_err *err)
{
	struct textbuf bytes;
	bool has;
	enum sahm_status status = store_has_table(store, "main", "second_result", &has, err);
	if (status != SAHM_OK || !has)
		return status;
	textbuf_init(&bytes);
	record_encode(record, &bytes);
	status = textbuf_failed(&bytes) ? sahm_fail_nomem(err) : run_about(store, drop_seconds, run, &bytes, err);
	textbuf_release(&bytes);
	return status;
}

static enum sahm_status drop(struct store *store, int64_t run, const struct record *record, struct sahm_err *err)
{
	enum run_state state;
	bool found;
	enum sahm_status status = store_run_state(store, run, &state, &found, err);
	if (status == SAHM_OK && (!found || state != RUN_FAILED))
		status = sahm_fail(err, SAHM_RANGE, "store '%s' has no run %lld that failed", store->path,
				   (long long)run);
	if (status == SAHM_OK)
		status = drop_seconds_of(store, run, record, err);
	for (size_t i = 0; i < ARRAY_SIZE(drop_failure) && status == SAHM_OK; i++)
		status = run_about(store, drop_failure[i], run, NULL, err);
	return status;
}

enum sahm_status store_put_over(struct store *store, int64_t run, const struct record *record, bool keep_threads,
				struct sahm_err *err)
{
	enum sahm_status status = store_begin(store, err);
	if (status == SAHM_OK)
		status = drop(store, run, record, err);
	if (status == SAHM_OK)
		return store_put(store, run, record, keep_threads, err);
	store_undo(store);
	return status;
}
