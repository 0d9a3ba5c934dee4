/* What is there, and what is still to be done. */
#include <string.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "sim/base/number.h"

/* Sweeps that a message lists, at most. */
#define MOST_LISTED 8

static void bind_part(sqlite3_stmt *s, int place, const struct store_part *part)
{
	sqlite3_bind_int64(s, place, part->sweep);
	sqlite3_bind_int64(s, place + 1, store_integer(part->nr));
	sqlite3_bind_int64(s, place + 2, store_integer(part->index));
	sqlite3_bind_int64(s, place + 3, part->threads);
}

enum sahm_status store_count(struct store *store, const struct store_part *part, struct store_counts *counts,
			     struct sahm_err *err)
{
	sqlite3_stmt *s =
		store_prepare(store, "WITH part AS (SELECT run FROM point WHERE sweep = ?1 AND position % ?2 = ?3), "
				     "runs AS (SELECT r.state, ?4 AND " STORE_THREADLESS " AS threadless FROM run AS r "
				     "WHERE r.id IN (SELECT run FROM part)) "
				     "SELECT (SELECT count(*) FROM part), coalesce(sum(state = 0), 0), "
				     "coalesce(sum(state = 1 AND NOT threadless), 0), coalesce(sum(state = 2), 0), "
				     "coalesce(sum(threadless), 0) FROM runs");
	if (!s)
		return store_fail(store, err);
	bind_part(s, 1, part);
	enum sahm_status status = sqlite3_step(s) == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	if (status == SAHM_OK)
		*counts = (struct store_counts){
			.points = (uint64_t)sqlite3_column_int64(s, 0),
			.planned = (uint64_t)sqlite3_column_int64(s, 1),
			.done = (uint64_t)sqlite3_column_int64(s, 2),
			.failed = (uint64_t)sqlite3_column_int64(s, 3),
			.threadless = (uint64_t)sqlite3_column_int64(s, 4),
		};
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_jobs(struct store *store, const struct store_part *part, int64_t after, struct store_job *jobs,
			    size_t room, size_t *nr, struct sahm_err *err)
{
	int code;
	sqlite3_stmt *s = store_statement(store, STATEMENT_JOBS);
	*nr = 0;
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, after);
	bind_part(s, 2, part);
	sqlite3_bind_int64(s, 6, store_integer(room));
	while ((code = sqlite3_step(s)) == SQLITE_ROW && *nr < room)
		jobs[(*nr)++] = (struct store_job){sqlite3_column_int64(s, 0), (uint64_t)sqlite3_column_int64(s, 1)};
	enum sahm_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_run_hash(struct store *store, int64_t run, uint8_t hash[HASH_BYTES], struct sahm_err *err)
{
	sqlite3_stmt *s = store_statement(store, STATEMENT_RUN_HASH);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	int code = sqlite3_step(s);
	bool whole = code == SQLITE_ROW && sqlite3_column_bytes(s, 0) == (int)HASH_BYTES;
	if (whole)
		memcpy(hash, sqlite3_column_blob(s, 0), HASH_BYTES);
	enum sahm_status status =
		whole ? SAHM_OK
		: code == SQLITE_ROW || code == SQLITE_DONE
			? sahm_fail(err, SAHM_RANGE, "store '%s' has no run %lld", store->path, (long long)run)
			: store_fail(store, err);
	sqlite3_reset(s);
	return status;
}

static enum sahm_status retry(struct store *store, const struct store_part *part, uint64_t *nr, struct sahm_err *err)
{
	bool has_seconds;
	/* First failures beside those that are tried again, where there is a table of them. */
	static const char *const steps[] = {
		"DELETE FROM second_result WHERE state = 2 AND run IN (SELECT id FROM run AS r WHERE state = 2 AND "
		"EXISTS (SELECT 1 FROM point AS p WHERE p.run = r.id AND p.sweep = ?1 AND p.position % ?2 = ?3 AND ?4 "
		"NOT NULL))",
		"DELETE FROM timing WHERE run IN (SELECT id FROM run AS r WHERE state = 2 AND EXISTS (SELECT 1 "
		"FROM point AS p WHERE p.run = r.id AND p.sweep = ?1 AND p.position % ?2 = ?3 AND ?4 NOT NULL))",
		"UPDATE run SET state = 0, message = NULL WHERE state = 2 AND EXISTS (SELECT 1 "
		"FROM point AS p WHERE p.run = run.id AND p.sweep = ?1 AND p.position % ?2 = ?3 AND ?4 NOT NULL)",
	};
	enum sahm_status status = store_has_table(store, "main", "second_result", &has_seconds, err);
	for (size_t i = has_seconds ? 0 : 1; i < ARRAY_SIZE(steps) && status == SAHM_OK; i++) {
		sqlite3_stmt *s = store_prepare(store, steps[i]);
		if (!s)
			return store_fail(store, err);
		bind_part(s, 1, part);
		status = store_run(store, s, err);
		*nr = (uint64_t)sqlite3_changes64(store->db);
		sqlite3_finalize(s);
	}
	return status;
}

enum sahm_status store_retry(struct store *store, const struct store_part *part, uint64_t *nr, struct sahm_err *err)
{
	enum sahm_status status = store_commit(store, err);
	if (status == SAHM_OK)
		status = store_begin(store, err);
	if (status == SAHM_OK)
		status = retry(store, part, nr, err);
	if (status == SAHM_OK)
		return store_commit(store, err);
	store_undo(store);
	return status;
}

/* "; it has 1 'a' and 2 'b'" */
static enum sahm_status list_sweeps(struct store *store, struct textbuf *out, struct sahm_err *err)
{
	int code, nr = 0;
	sqlite3_stmt *s = store_prepare(store, "SELECT id, name FROM sweep ORDER BY planned DESC");
	if (!s)
		return store_fail(store, err);
	while ((code = sqlite3_step(s)) == SQLITE_ROW && nr < MOST_LISTED) {
		const char *name = (const char *)sqlite3_column_text(s, 1);
		textbuf_printf(out, "%s%lld '%.60s'", nr++ ? ", " : "; it has ", (long long)sqlite3_column_int64(s, 0),
			       name ? name : "");
	}
	if (code == SQLITE_ROW)
		textbuf_puts(out, " and others");
	enum sahm_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status fail_to_find(struct store *store, const char *which, struct sahm_err *err)
{
	struct textbuf all;
	textbuf_init(&all);
	enum sahm_status status = list_sweeps(store, &all, err);
	if (status == SAHM_OK && which)
		status = sahm_fail(err, SAHM_CONFIG, "store '%s' has no sweep '%s'%s", store->path, which, all.text);
	else if (status == SAHM_OK)
		status = sahm_fail(err, SAHM_CONFIG, "store '%s' has no sweep", store->path);
	textbuf_release(&all);
	return status;
}

enum sahm_status store_find_sweep(struct store *store, const char *which, int64_t *sweep, struct sahm_err *err)
{
	uint64_t id = 0;
	bool found;
	if (which && (number_read_u64(which, strlen(which), &id) != NUMBER_OK || id > INT64_MAX))
		return fail_to_find(store, which, err);
	sqlite3_stmt *s = store_prepare(store, which ? "SELECT id FROM sweep WHERE id = ?1"
						     : "SELECT id FROM sweep ORDER BY planned DESC, id DESC LIMIT 1");
	if (!s)
		return store_fail(store, err);
	if (which)
		sqlite3_bind_int64(s, 1, (int64_t)id);
	enum sahm_status status = store_get(store, s, sweep, &found, err);
	sqlite3_finalize(s);
	return status == SAHM_OK && !found ? fail_to_find(store, which, err) : status;
}
