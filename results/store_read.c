/* What is there, and what is still to be done. */
#include <string.h>

#include "results/store_internal.h"
#include "sim/base/number.h"

/* Sweeps that a message lists, at most. */
#define MOST_LISTED 8

enum sahm_status store_count(struct store *store, int64_t sweep, struct store_counts *counts, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(
		store, "SELECT (SELECT count(*) FROM point WHERE sweep = ?1), coalesce(sum(state = 0), 0), "
		       "coalesce(sum(state = 1), 0), coalesce(sum(state = 2), 0) FROM run AS r "
		       "WHERE EXISTS (SELECT 1 FROM point AS p WHERE p.run = r.id AND p.sweep = ?1)");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, sweep);
	enum sahm_status status = sqlite3_step(s) == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	if (status == SAHM_OK)
		*counts = (struct store_counts){
			(uint64_t)sqlite3_column_int64(s, 0),
			(uint64_t)sqlite3_column_int64(s, 1),
			(uint64_t)sqlite3_column_int64(s, 2),
			(uint64_t)sqlite3_column_int64(s, 3),
		};
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_jobs(struct store *store, int64_t sweep, int64_t after, struct store_job *jobs, size_t room,
			    size_t *nr, struct sahm_err *err)
{
	int code;
	sqlite3_stmt *s = store_statement(store, STATEMENT_JOBS);
	*nr = 0;
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, after);
	sqlite3_bind_int64(s, 2, sweep);
	sqlite3_bind_int64(s, 3, store_integer(room));
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

/* Carries out a statement about the sweep ?1; as many rows as it changes go into *nr. */
static enum sahm_status change(struct store *store, const char *sql, int64_t sweep, uint64_t *nr, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	if (!s)
		return store_fail(store, err);
	if (sqlite3_bind_parameter_count(s) > 0)
		sqlite3_bind_int64(s, 1, sweep);
	enum sahm_status status = store_run(store, s, err);
	*nr = (uint64_t)sqlite3_changes64(store->db);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status retry(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err)
{
	static const char *const steps[] = {
		"DELETE FROM timing WHERE run IN (SELECT id FROM run AS r WHERE state = 2 "
		"AND EXISTS (SELECT 1 FROM point AS p WHERE p.run = r.id AND p.sweep = ?1))",
		"UPDATE run SET state = 0, message = NULL WHERE state = 2 "
		"AND EXISTS (SELECT 1 FROM point AS p WHERE p.run = run.id AND p.sweep = ?1)",
	};
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && status == SAHM_OK; i++)
		status = change(store, steps[i], sweep, nr, err);
	return status;
}

/* Planned runs have neither intervals nor timings; those that have become planned have them still. */
static enum sahm_status want_threads(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err)
{
	static const char plan[] =
		"UPDATE run SET state = 0, message = NULL, chip = NULL, nr_cores = NULL, nr_threads = NULL, "
		"synthetic = NULL"
#define RUN_METRIC(member, form, words) ", " #member " = NULL"
#include "results/run_metric_list.h"
#undef RUN_METRIC
		" WHERE state = 1 AND nr_threads > 0 AND NOT EXISTS (SELECT 1 FROM thread AS t WHERE t.run = run.id) "
		"AND EXISTS (SELECT 1 FROM point AS p WHERE p.run = run.id AND p.sweep = ?1)";
	static const char *const rest[] = {
		"DELETE FROM interval WHERE (SELECT state FROM run WHERE id = interval.run) = 0",
		"DELETE FROM timing WHERE (SELECT state FROM run WHERE id = timing.run) = 0",
	};
	uint64_t ignored;
	enum sahm_status status = change(store, plan, sweep, nr, err);
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]) && status == SAHM_OK && *nr > 0; i++)
		status = change(store, rest[i], sweep, &ignored, err);
	return status;
}

/* Carries out `what` in a transaction of its own. */
static enum sahm_status plan_again(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err,
				   enum sahm_status (*what)(struct store *store, int64_t sweep, uint64_t *nr,
							    struct sahm_err *err))
{
	enum sahm_status status = store_commit(store, err);
	if (status == SAHM_OK)
		status = store_begin(store, err);
	if (status == SAHM_OK)
		status = what(store, sweep, nr, err);
	if (status == SAHM_OK)
		return store_commit(store, err);
	store_undo(store);
	return status;
}

enum sahm_status store_retry(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err)
{
	return plan_again(store, sweep, nr, err, retry);
}

enum sahm_status store_want_threads(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err)
{
	return plan_again(store, sweep, nr, err, want_threads);
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
