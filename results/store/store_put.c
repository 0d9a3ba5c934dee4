/* What was found becomes rows. */
#include "results/store/store_internal.h"
#include "sim/base/array.h"

static void write_chip(const struct record *r, struct textbuf *name)
{
	for (uint32_t g = 0; g < r->nr_groups; g++) {
		const struct record_core *c = &r->chip[g];
		textbuf_printf(name, "%s%u %s", g ? " + " : "", c->count, c->type);
		if (*c->speedups)
			textbuf_printf(name, " %s %%", c->speedups);
	}
}

static enum sahm_status add_cores(struct store *store, const struct record *r, int64_t chip, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (uint32_t g = 0; g < r->nr_groups && status == SAHM_OK; g++) {
		sqlite3_stmt *s = store_statement(store, STATEMENT_ADD_CORE);
		if (!s)
			return store_fail(store, err);
		sqlite3_bind_int64(s, 1, chip);
		sqlite3_bind_int64(s, 2, g);
		sqlite3_bind_text(s, 3, r->chip[g].type, -1, SQLITE_STATIC);
		sqlite3_bind_text(s, 4, r->chip[g].speedups, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 5, r->chip[g].count);
		status = store_run(store, s, err);
	}
	return status;
}

/* The id of `name` by the statement `find`; if there is none, by `add`, and *added. */
static enum sahm_status find_or_add(struct store *store, enum store_statement find, enum store_statement add,
				    const char *name, int64_t *id, bool *added, struct sahm_err *err)
{
	bool found;
	sqlite3_stmt *s = store_statement(store, find);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
	enum sahm_status status = store_get(store, s, id, &found, err);
	*added = status == SAHM_OK && !found;
	if (!*added)
		return status;
	s = store_statement(store, add);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
	status = store_run(store, s, err);
	*id = sqlite3_last_insert_rowid(store->db);
	return status;
}

static enum sahm_status find_chip(struct store *store, const struct record *r, int64_t *chip, struct sahm_err *err)
{
	bool added = false;
	struct textbuf name;
	textbuf_init(&name);
	write_chip(r, &name);
	enum sahm_status status = textbuf_failed(&name) ? sahm_fail_nomem(err)
							: find_or_add(store, STATEMENT_FIND_CHIP, STATEMENT_ADD_CHIP,
								      name.text, chip, &added, err);
	textbuf_release(&name);
	return status == SAHM_OK && added ? add_cores(store, r, *chip, err) : status;
}

static enum sahm_status put_run(struct store *store, int64_t run, const struct record *r, struct sahm_err *err)
{
	int64_t chip = 0;
	int place = 1;
	enum sahm_status status = r->failed ? SAHM_OK : find_chip(store, r, &chip, err);
	sqlite3_stmt *s = status == SAHM_OK ? store_statement(store, STATEMENT_PUT_RUN) : NULL;
	if (!s)
		return status == SAHM_OK ? store_fail(store, err) : status;
	sqlite3_bind_int(s, place++, r->failed ? RUN_FAILED : RUN_DONE);
	if (*r->message)
		sqlite3_bind_text(s, place, r->message, -1, SQLITE_STATIC);
	place++;
	if (r->failed) {
		place += 5 + NR_RUN_METRICS;
	} else {
		sqlite3_bind_int64(s, place++, chip);
		sqlite3_bind_int64(s, place++, r->nr_cores);
		sqlite3_bind_int64(s, place++, r->nr_threads);
		sqlite3_bind_int(s, place++, r->synthetic);
		sqlite3_bind_int(s, place++, r->nominal);
		/* What is no number becomes NULL. */
		for (int m = 0; m < NR_RUN_METRICS; m++)
			sqlite3_bind_double(s, place++, r->metrics[m]);
	}
	sqlite3_bind_int64(s, place, run);
	status = store_run(store, s, err);
	if (status == SAHM_OK && sqlite3_changes(store->db) != 1)
		status = sahm_fail(err, SAHM_RANGE, "results file '%s' has no run %lld that is planned", store->path,
				   (long long)run);
	return status;
}

static enum sahm_status put_timing(struct store *store, int64_t run, const struct record_timing *t,
				   struct sahm_err *err)
{
	sqlite3_stmt *s = store_statement(store, STATEMENT_PUT_TIMING);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, store_integer(t->started_unix_ms));
	sqlite3_bind_int64(s, 3, store_integer(t->wall_ns));
	sqlite3_bind_int64(s, 4, store_integer(t->cpu_ns));
	sqlite3_bind_int64(s, 5, t->worker);
	return store_run(store, s, err);
}

static enum sahm_status put_thread(struct store *store, int64_t run, uint32_t i, const struct record_thread *t,
				   struct sahm_err *err)
{
	int64_t name;
	bool added;
	enum sahm_status status =
		find_or_add(store, STATEMENT_FIND_NAME, STATEMENT_ADD_NAME, t->name, &name, &added, err);
	sqlite3_stmt *s = status == SAHM_OK ? store_statement(store, STATEMENT_PUT_THREAD) : NULL;
	if (!s)
		return status == SAHM_OK ? store_fail(store, err) : status;
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, i);
	sqlite3_bind_int64(s, 3, name);
	sqlite3_bind_double(s, 4, t->speedup);
	sqlite3_bind_double(s, 5, t->served_share);
	sqlite3_bind_double(s, 6, t->matched_share);
	sqlite3_bind_int64(s, 7, store_integer(t->completed_ns));
	sqlite3_bind_int64(s, 8, store_integer(t->present_ns));
	sqlite3_bind_int64(s, 9, store_integer(t->migrations));
	sqlite3_bind_double(s, 10, t->energy_j);
	sqlite3_bind_double(s, 11, t->instruction_nj);
	return store_run(store, s, err);
}

static enum sahm_status put_interval(struct store *store, int64_t run, int metric, const struct stats_interval *i,
				     struct sahm_err *err)
{
	sqlite3_stmt *s = store_statement(store, STATEMENT_PUT_INTERVAL);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_text(s, 2, run_metric_rows[metric].name, -1, SQLITE_STATIC);
	sqlite3_bind_double(s, 3, i->low);
	sqlite3_bind_double(s, 4, i->high);
	return store_run(store, s, err);
}

/* Whether the run is done and was kept without its threads. */
static enum sahm_status lacks_threads(struct store *store, int64_t run, bool *lacks, struct sahm_err *err)
{
	int64_t one;
	sqlite3_stmt *s = store_statement(store, STATEMENT_THREADLESS);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	return store_get(store, s, &one, lacks, err);
}

enum sahm_status store_put(struct store *store, int64_t run, const struct record *record, bool keep_threads,
			   struct sahm_err *err)
{
	bool done = false;
	enum sahm_status status = store_begin(store, err);
	if (status == SAHM_OK && keep_threads)
		status = lacks_threads(store, run, &done, err);
	/* It has its results, whatever becomes of the second time. */
	if (status == SAHM_OK && done && record->failed)
		return SAHM_OK;
	if (status == SAHM_OK && !done)
		status = put_run(store, run, record, err);
	if (status == SAHM_OK)
		status = put_timing(store, run, &record->timing, err);
	for (uint32_t t = 0; t < record->nr_threads && keep_threads && !record->failed && status == SAHM_OK; t++)
		status = put_thread(store, run, t, &record->threads[t], err);
	bool has_intervals = record->has_intervals && !record->failed && !done;
	for (int m = 0; m < NR_RUN_METRICS && has_intervals && status == SAHM_OK; m++)
		status = put_interval(store, run, m, &record->intervals[m], err);
	if (status != SAHM_OK)
		store_undo(store);
	return status;
}

/* A result in the place of a failure. */

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
		status = sahm_fail(err, SAHM_RANGE, "results file '%s' has no run %lld that failed", store->path,
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
