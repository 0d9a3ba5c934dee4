/* Origins: which counters of a sweep's traces were assumed, modelled or derived. */

#include "results/store/store_internal.h"

static enum sahm_status add_row(struct store *store, int64_t sweep, const char *counter, const char *origin,
				struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, "INSERT OR IGNORE INTO counter_origin VALUES (?, ?, ?)");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, sweep);
	sqlite3_bind_text(s, 2, counter, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 3, origin, -1, SQLITE_STATIC);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_add_origins(struct store *store, int64_t sweep, struct counter_origins origins,
				   struct sahm_err *err)
{
	if (!counter_origins_any(origins))
		return SAHM_OK;
	enum sahm_status status = store_begin(store, err);
	if (status == SAHM_OK)
		status = store_exec(store, store_origin_sql, err);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		for (unsigned i = 0; i < NR_COUNTER_ORIGINS; i++)
			if (status == SAHM_OK && origins.of[i] >> c & 1)
				status = add_row(store, sweep, counter_rows[c].name, counter_origin_name(i), err);
	if (status == SAHM_OK)
		return store_commit(store, err);
	store_undo(store);
	return status;
}

static const char add_theirs[] =
	"INSERT OR IGNORE INTO main.counter_origin (sweep, counter, origin) SELECT s.ours, t.counter, t.origin\n"
	"  FROM merge_sweep AS s JOIN theirs.counter_origin AS t ON t.sweep = s.theirs;\n";

enum sahm_status store_merge_origins(struct store *store, struct sahm_err *err)
{
	bool has;
	enum sahm_status status = store_has_table(store, "theirs", "counter_origin", &has, err);
	if (status == SAHM_OK && has)
		status = store_exec(store, store_origin_sql, err);
	return status == SAHM_OK && has ? store_exec(store, add_theirs, err) : status;
}
