/* Submissions: the part of a results file that is on its way elsewhere. */
#include <string.h>

#include "results/store/store_internal.h"

static bool is_id(const char *id)
{
	size_t len = strnlen(id, SUBMISSION_BYTES);
	return len == SUBMISSION_BYTES - 1 && strspn(id, "0123456789abcdef") == len;
}

static bool is_part(const struct store_part *part)
{
	return part->nr > 0 && part->nr <= INT64_MAX && part->index < part->nr;
}

static enum sahm_status must_have_sweep(struct store *store, int64_t sweep, struct sahm_err *err)
{
	int64_t one;
	bool found;
	sqlite3_stmt *s = store_prepare(store, "SELECT 1 FROM sweep WHERE id = ?");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, sweep);
	enum sahm_status status = store_get(store, s, &one, &found, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK && !found)
		status = sahm_fail(err, SAHM_RANGE, "results file '%s' has no sweep %lld", store->path,
				   (long long)sweep);
	return status;
}

static enum sahm_status add(struct store *store, const struct store_submission *submission, struct sahm_err *err)
{
	sqlite3_stmt *s =
		store_prepare(store, "INSERT OR REPLACE INTO submission (id, sweep, shard, nr_shards, threads) "
				     "VALUES (?, ?, ?, ?, ?)");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, submission->id, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 2, submission->part.sweep);
	sqlite3_bind_int64(s, 3, store_integer(submission->part.index));
	sqlite3_bind_int64(s, 4, store_integer(submission->part.nr));
	sqlite3_bind_int(s, 5, submission->part.threads);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_note_submission(struct store *store, const struct store_submission *submission,
				       struct sahm_err *err)
{
	if (!is_id(submission->id) || !is_part(&submission->part))
		return sahm_fail(err, SAHM_RANGE, "results file '%s': a submission has no id or no part", store->path);
	enum sahm_status status = store_begin(store, err);
	if (status == SAHM_OK)
		status = must_have_sweep(store, submission->part.sweep, err);
	if (status == SAHM_OK)
		status = store_exec(store, store_submission_sql, err);
	if (status == SAHM_OK)
		status = add(store, submission, err);
	if (status == SAHM_OK)
		return store_commit(store, err);
	store_undo(store);
	return status;
}

/* A row becomes a submission; false: it is none. Its last column says whether there is that sweep. */
static bool take(sqlite3_stmt *s, struct store_submission *submission)
{
	for (int i = 1; i <= 5; i++)
		if (sqlite3_column_type(s, i) != SQLITE_INTEGER || sqlite3_column_int64(s, i) < 0)
			return false;
	const char *id = sqlite3_column_type(s, 0) == SQLITE_TEXT ? (const char *)sqlite3_column_text(s, 0) : NULL;
	if (!id || sqlite3_column_bytes(s, 0) != (int)SUBMISSION_BYTES - 1 || !is_id(id))
		return false;
	memcpy(submission->id, id, SUBMISSION_BYTES);
	submission->part = (struct store_part){.sweep = sqlite3_column_int64(s, 1),
					       .index = (uint64_t)sqlite3_column_int64(s, 2),
					       .nr = (uint64_t)sqlite3_column_int64(s, 3),
					       .threads = sqlite3_column_int64(s, 4) != 0};
	return is_part(&submission->part) && sqlite3_column_int64(s, 4) <= 1 && sqlite3_column_int64(s, 5) == 1;
}

static enum sahm_status read_all(struct store *store, struct store_submission *all, size_t room, size_t *nr,
				 struct sahm_err *err)
{
	int code = SQLITE_DONE;
	bool ok = true;
	sqlite3_stmt *s = store_prepare(
		store, "SELECT id, sweep, shard, nr_shards, threads, EXISTS (SELECT 1 FROM sweep AS w WHERE w.id = "
		       "u.sweep) FROM submission AS u ORDER BY sweep, nr_shards, shard, threads, id");
	if (!s)
		return store_fail(store, err);
	while (ok && *nr < room && (code = sqlite3_step(s)) == SQLITE_ROW)
		ok = take(s, &all[(*nr)++]);
	enum sahm_status status = SAHM_OK;
	if (!ok)
		status = sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: a submission is invalid",
				   store->path);
	else if (code != SQLITE_ROW && code != SQLITE_DONE)
		status = store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_submissions(struct store *store, struct arena *a, struct store_submission **submissions,
				   size_t *nr, struct sahm_err *err)
{
	int64_t room = 0;
	bool has;
	*submissions = NULL;
	*nr = 0;
	enum sahm_status status = store_has_table(store, "main", "submission", &has, err);
	if (status == SAHM_OK && has)
		status = store_ask(store, "SELECT count(id) FROM submission", &room, err);
	if (status != SAHM_OK || room == 0)
		return status;
	*submissions = arena_alloc(a, (size_t)room, sizeof(**submissions));
	return *submissions ? read_all(store, *submissions, (size_t)room, nr, err) : sahm_fail_nomem(err);
}

static enum sahm_status drop(struct store *store, const char *id, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, "DELETE FROM submission WHERE id = ?");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, id, -1, SQLITE_STATIC);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_end_submission(struct store *store, const char *id, struct sahm_err *err)
{
	bool has;
	enum sahm_status status = store_begin(store, err);
	if (status == SAHM_OK)
		status = store_has_table(store, "main", "submission", &has, err);
	if (status == SAHM_OK && has)
		status = drop(store, id, err);
	if (status == SAHM_OK)
		return store_commit(store, err);
	store_undo(store);
	return status;
}
