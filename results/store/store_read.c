/* Done runs, and those still open. */
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
			? sahm_fail(err, SAHM_RANGE, "results file '%s' has no run %lld", store->path, (long long)run)
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
		status = sahm_fail(err, SAHM_CONFIG, "results file '%s' has no sweep '%s'%s", store->path, which,
				   all.text);
	else if (status == SAHM_OK)
		status = sahm_fail(
			err, SAHM_CONFIG,
			"results file '%s' has no sweep yet: its planning is not finished, or its log '%s-wal' is missing",
			store->path, store->path);
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

/* Runs that failed in a way that is known by how their messages begin. */
enum sahm_status store_failed_runs(struct store *store, const struct store_part *part, const char *beginning,
				   uint8_t (*hashes)[HASH_BYTES], size_t room, size_t *nr, struct sahm_err *err)
{
	int code = SQLITE_DONE;
	sqlite3_stmt *s =
		store_prepare(store, "SELECT hash FROM run AS r WHERE state = 2 AND "
				     "substr(message, 1, length(?4)) = ?4 AND EXISTS (SELECT 1 FROM point AS p "
				     "WHERE p.run = r.id AND p.sweep = ?1 AND p.position % ?2 = ?3) ORDER BY id");
	*nr = 0;
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, part->sweep);
	sqlite3_bind_int64(s, 2, store_integer(part->nr));
	sqlite3_bind_int64(s, 3, store_integer(part->index));
	sqlite3_bind_text(s, 4, beginning, -1, SQLITE_STATIC);
	while (*nr < room && (code = sqlite3_step(s)) == SQLITE_ROW)
		if (sqlite3_column_bytes(s, 0) == (int)HASH_BYTES)
			memcpy(hashes[(*nr)++], sqlite3_column_blob(s, 0), HASH_BYTES);
	enum sahm_status status = *nr == room || code == SQLITE_DONE ? SAHM_OK : store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}

/* Digests of what a sweep has found. */

/* Of every point: its position, then all of its run but hash and program. Names stand for their ids. */
static const char runs_sql[] =
	"SELECT p.position, r.state, r.message, (SELECT name FROM chip WHERE id = r.chip), r.nr_cores, "
	"r.nr_threads, r.synthetic"
#define COLUMN_SPEEDUP(member) ", r." #member
#define COLUMN_SHARE COLUMN_SPEEDUP
#define COLUMN_RATE COLUMN_SPEEDUP
#define COLUMN_NUMBER COLUMN_SPEEDUP
#define COLUMN_TIME COLUMN_SPEEDUP
#define COLUMN_WAIT COLUMN_SPEEDUP
#define COLUMN_ENERGY(member)
#define RUN_METRIC(member, form, words) COLUMN_##form(member)
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	" FROM point p JOIN run r ON r.id = p.run WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 "
	"ORDER BY p.position";

/* Only of those whose traces have an assumed time base: the digests of all others are older than this. */
static const char nominal_sql[] =
	"SELECT p.position, r.nominal_time FROM point p JOIN run r ON r.id = p.run "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 AND r.nominal_time <> 0 ORDER BY p.position";

/* Likewise of those whose energy is known. */
static const char energy_sql[] =
	"SELECT p.position, r.energy_j, r.instruction_nj, r.power_w, r.edp, r.ed2p FROM point p JOIN run r ON r.id = p.run "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 AND r.energy_j IS NOT NULL ORDER BY p.position";

static const char intervals_sql[] =
	"SELECT p.position, i.metric, i.low, i.high FROM point p JOIN interval i ON i.run = p.run "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 ORDER BY p.position, i.metric";

static const char threads_sql[] =
	"SELECT p.position, t.thread, n.name, t.speedup, t.served_share, t.matched_share, t.completed_ns, "
	"t.present_ns, t.migrations FROM point p JOIN thread t ON t.run = p.run JOIN thread_name n ON n.id = t.name "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 ORDER BY p.position, t.thread";

static const char thread_energy_sql[] =
	"SELECT p.position, t.thread, t.energy_j, t.instruction_nj FROM point p JOIN thread t ON t.run = p.run "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 AND t.energy_j IS NOT NULL ORDER BY p.position, t.thread";

static void hash_column(struct hash *h, sqlite3_stmt *s, int column)
{
	int type = sqlite3_column_type(s, column);
	hash_add_u64(h, (uint64_t)type);
	if (type == SQLITE_INTEGER) {
		hash_add_u64(h, (uint64_t)sqlite3_column_int64(s, column));
	} else if (type == SQLITE_FLOAT) {
		double value = sqlite3_column_double(s, column);
		uint64_t bits;
		memcpy(&bits, &value, sizeof(bits));
		hash_add_u64(h, bits);
	} else if (type != SQLITE_NULL) {
		const void *bytes = sqlite3_column_blob(s, column);
		size_t len = (size_t)sqlite3_column_bytes(s, column);
		hash_add_u64(h, len);
		hash_add(h, bytes ? bytes : "", len);
	}
}

static enum sahm_status hash_rows(struct store *store, const char *sql, int64_t sweep, uint64_t first, uint64_t last,
				  struct hash *h, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	int code = SQLITE_ERROR;
	if (s && sqlite3_bind_int64(s, 1, sweep) == SQLITE_OK &&
	    sqlite3_bind_int64(s, 2, store_integer(first)) == SQLITE_OK &&
	    sqlite3_bind_int64(s, 3, store_integer(last)) == SQLITE_OK)
		while ((code = sqlite3_step(s)) == SQLITE_ROW)
			for (int i = 0; i < sqlite3_column_count(s); i++)
				hash_column(h, s, i);
	enum sahm_status status = code == SQLITE_DONE ? SAHM_OK : store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_digest(struct store *store, int64_t sweep, uint64_t first, uint64_t last, bool threads,
			      uint8_t hash[HASH_BYTES], struct sahm_err *err)
{
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, "sahm results 1");
	enum sahm_status status = hash_rows(store, runs_sql, sweep, first, last, &h, err);
	if (status == SAHM_OK)
		status = hash_rows(store, nominal_sql, sweep, first, last, &h, err);
	if (status == SAHM_OK)
		status = hash_rows(store, energy_sql, sweep, first, last, &h, err);
	if (status == SAHM_OK)
		status = hash_rows(store, intervals_sql, sweep, first, last, &h, err);
	if (status == SAHM_OK && threads)
		status = hash_rows(store, threads_sql, sweep, first, last, &h, err);
	if (status == SAHM_OK && threads)
		status = hash_rows(store, thread_energy_sql, sweep, first, last, &h, err);
	hash_end(&h, hash);
	return status;
}
