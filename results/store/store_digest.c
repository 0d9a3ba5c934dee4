/* Digests of what a sweep has found. */
#include <string.h>

#include "results/store/store_internal.h"

/* Of every point: its position, then all of its run but hash and program. Names stand for their ids. */
static const char runs_sql[] =
	"SELECT p.position, r.state, r.message, (SELECT name FROM chip WHERE id = r.chip), r.nr_cores, "
	"r.nr_threads, r.synthetic"
#define RUN_METRIC(member, form, words) ", r." #member
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	" FROM point p JOIN run r ON r.id = p.run WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 "
	"ORDER BY p.position";

/* Of those alone whose traces have nominal time: the digests of all others are older than this. */
static const char nominal_sql[] =
	"SELECT p.position, r.nominal_time FROM point p JOIN run r ON r.id = p.run "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 AND r.nominal_time <> 0 ORDER BY p.position";

static const char intervals_sql[] =
	"SELECT p.position, i.metric, i.low, i.high FROM point p JOIN interval i ON i.run = p.run "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 ORDER BY p.position, i.metric";

static const char threads_sql[] =
	"SELECT p.position, t.thread, n.name, t.speedup, t.served_share, t.matched_share, t.completed_ns, "
	"t.present_ns, t.migrations FROM point p JOIN thread t ON t.run = p.run JOIN thread_name n ON n.id = t.name "
	"WHERE p.sweep = ?1 AND p.position BETWEEN ?2 AND ?3 ORDER BY p.position, t.thread";

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
		status = hash_rows(store, intervals_sql, sweep, first, last, &h, err);
	if (status == SAHM_OK && threads)
		status = hash_rows(store, threads_sql, sweep, first, last, &h, err);
	hash_end(&h, hash);
	return status;
}
