/* Merging: all that another store has, in one transaction.
 *
 * Ids differ between stores, so that runs are matched by their hashes, sweeps by their identities, chips, threads and
 * programs by their names. Of a run that both have, what is done counts more than what failed, and that more than what
 * is planned; of two failures the lesser message is kept, so that the order of merging does not show. Which store's
 * timing a run keeps does not matter. Second results of both are kept (store_second.c), and the origins of both
 * (store_origin.c); submissions are of one store.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"

/* From their ids to ours. Of runs also how theirs are handled: it is added, takes the place of ours, must be like ours,
 * or is left out. */
static const char make_map[] =
	"CREATE TEMP TABLE merge_chip (theirs INTEGER PRIMARY KEY, ours INTEGER);\n"
	"CREATE TEMP TABLE merge_name (theirs INTEGER PRIMARY KEY, ours INTEGER);\n"
	"CREATE TEMP TABLE merge_run (theirs INTEGER PRIMARY KEY, ours INTEGER, how TEXT NOT NULL);\n"
	"CREATE TEMP TABLE merge_sweep (theirs INTEGER PRIMARY KEY, ours INTEGER, is_new INTEGER NOT NULL);\n";

static const char drop_map[] = "DROP TABLE IF EXISTS temp.merge_chip; DROP TABLE IF EXISTS temp.merge_name;\n"
			       "DROP TABLE IF EXISTS temp.merge_run; DROP TABLE IF EXISTS temp.merge_sweep;";

static const char fill_map[] =
	"INSERT INTO main.program (version) SELECT version FROM theirs.program WHERE true ORDER BY id\n"
	"  ON CONFLICT DO NOTHING;\n"
	"INSERT INTO main.thread_name (name) SELECT name FROM theirs.thread_name WHERE true ORDER BY id\n"
	"  ON CONFLICT DO NOTHING;\n"
	"INSERT INTO merge_name SELECT t.id, o.id FROM theirs.thread_name AS t "
	"JOIN main.thread_name AS o USING (name);\n"
	"INSERT INTO main.chip_core (chip, row, type, speedups_pct, count)\n"
	"  SELECT (SELECT coalesce(max(id), 0) FROM main.chip) + t.id, c.row, c.type, c.speedups_pct, c.count\n"
	"  FROM theirs.chip AS t JOIN theirs.chip_core AS c ON c.chip = t.id\n"
	"  WHERE t.name NOT IN (SELECT name FROM main.chip);\n"
	"INSERT INTO main.chip (id, name) SELECT (SELECT coalesce(max(id), 0) FROM main.chip) + id, name\n"
	"  FROM theirs.chip WHERE name NOT IN (SELECT name FROM main.chip);\n"
	"INSERT INTO merge_chip SELECT t.id, o.id FROM theirs.chip AS t JOIN main.chip AS o USING (name);\n"
	/* Ranks: planned 0, failed 1, done 2. */
	"INSERT INTO merge_run SELECT t.id, o.id, CASE\n"
	"  WHEN o.id IS NULL THEN 'add'\n"
	"  WHEN t.state = 1 AND o.state = 1 THEN 'check'\n"
	"  WHEN (t.state * 2) % 3 > (o.state * 2) % 3 THEN 'replace'\n"
	"  WHEN t.state = 2 AND o.state = 2 AND t.message < o.message THEN 'replace'\n"
	"  ELSE 'keep' END\n"
	"  FROM theirs.run AS t LEFT JOIN main.run AS o ON o.hash = t.hash;\n";

/* Each gives a hash of a run that is not as ours is. Threads are compared where both stores have them. */
static const char *const checks[] = {
	"SELECT lower(hex(t.hash)) FROM merge_run AS m JOIN theirs.run AS t ON t.id = m.theirs "
	"JOIN main.run AS o ON o.id = m.ours\n"
	"LEFT JOIN merge_chip AS c ON c.theirs = t.chip\n"
	"WHERE m.how = 'check' AND NOT ((t.message IS o.message) AND (c.ours IS o.chip) "
	"AND (t.nr_cores IS o.nr_cores)\n"
	"  AND (t.nr_threads IS o.nr_threads) AND (t.synthetic IS o.synthetic)\n"
	"  AND (t.nominal_time IS o.nominal_time)"
#define RUN_METRIC(member, form, words) "\n  AND (t." #member " IS o." #member ")"
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	") LIMIT 1",
	"SELECT lower(hex(o.hash)) FROM merge_run AS m JOIN main.run AS o ON o.id = m.ours WHERE m.how = 'check'\n"
	"AND EXISTS (SELECT 1 FROM theirs.thread WHERE run = m.theirs)\n"
	"AND EXISTS (SELECT 1 FROM main.thread WHERE run = m.ours)\n"
	"AND (EXISTS "
	"(SELECT thread, n.ours, speedup, served_share, matched_share, completed_ns, present_ns, migrations, energy_j,\n"
	"  instruction_nj\n"
	"  FROM theirs.thread JOIN merge_name AS n ON n.theirs = name WHERE run = m.theirs EXCEPT\n"
	"  SELECT thread, name, speedup, served_share, matched_share, completed_ns, present_ns, migrations, energy_j,\n"
	"  instruction_nj\n"
	"  FROM main.thread WHERE run = m.ours)\n"
	"OR (SELECT count(*) FROM theirs.thread WHERE run = m.theirs)\n"
	"  <> (SELECT count(*) FROM main.thread WHERE run = m.ours)) LIMIT 1",
	"SELECT lower(hex(o.hash)) FROM merge_run AS m JOIN main.run AS o ON o.id = m.ours WHERE m.how = 'check'\n"
	"AND (EXISTS (SELECT metric, low, high FROM theirs.interval WHERE run = m.theirs EXCEPT\n"
	"  SELECT metric, low, high FROM main.interval WHERE run = m.ours)\n"
	"OR (SELECT count(*) FROM theirs.interval WHERE run = m.theirs)\n"
	"  <> (SELECT count(*) FROM main.interval WHERE run = m.ours)) LIMIT 1",
};

static const char add_runs[] =
	"INSERT INTO main.run (hash, program, state, message, chip, nr_cores, nr_threads, synthetic, nominal_time"
#define RUN_METRIC(member, form, words) ", " #member
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	")\n  SELECT t.hash, p.id, t.state, t.message, c.ours, t.nr_cores, t.nr_threads, t.synthetic, t.nominal_time"
#define RUN_METRIC(member, form, words) ", t." #member
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	"\n  FROM merge_run AS m JOIN theirs.run AS t ON t.id = m.theirs\n"
	"  JOIN theirs.program AS q ON q.id = t.program JOIN main.program AS p ON p.version = q.version\n"
	"  LEFT JOIN merge_chip AS c ON c.theirs = t.chip WHERE m.how = 'add' ORDER BY m.theirs;\n"
	"UPDATE merge_run SET ours = (SELECT o.id FROM theirs.run AS t JOIN main.run AS o ON o.hash = t.hash\n"
	"  WHERE t.id = merge_run.theirs) WHERE how = 'add';\n"
	"UPDATE main.run SET state = t.state, message = t.message, chip = c.ours, nr_cores = t.nr_cores,\n"
	"  nr_threads = t.nr_threads, synthetic = t.synthetic, nominal_time = t.nominal_time"
#define RUN_METRIC(member, form, words) ", " #member " = t." #member
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	"\n  FROM merge_run AS m JOIN theirs.run AS t ON t.id = m.theirs "
	"LEFT JOIN merge_chip AS c ON c.theirs = t.chip\n"
	"  WHERE m.how = 'replace' AND run.id = m.ours;\n"
	"INSERT OR IGNORE INTO main.thread (run, thread, name, speedup, served_share, matched_share, completed_ns,\n"
	"  present_ns, migrations, energy_j, instruction_nj) SELECT m.ours, t.thread, n.ours, t.speedup, t.served_share, t.matched_share,\n"
	"  t.completed_ns, t.present_ns, t.migrations, t.energy_j, t.instruction_nj FROM merge_run AS m JOIN theirs.thread AS t ON t.run = m.theirs\n"
	"  JOIN merge_name AS n ON n.theirs = t.name WHERE m.how <> 'keep' ORDER BY m.ours;\n"
	"INSERT OR IGNORE INTO main.interval (run, metric, low, high) SELECT m.ours, t.metric, t.low, t.high\n"
	"  FROM merge_run AS m JOIN theirs.interval AS t ON t.run = m.theirs WHERE m.how <> 'keep';\n"
	"INSERT OR REPLACE INTO main.timing (run, started_unix_ms, wall_ns, cpu_ns, worker)\n"
	"  SELECT m.ours, t.started_unix_ms, t.wall_ns, t.cpu_ns, t.worker\n"
	"  FROM merge_run AS m JOIN theirs.timing AS t ON t.run = m.theirs WHERE m.how IN ('add', 'replace');\n";

static const char add_sweeps[] =
	"INSERT INTO merge_sweep SELECT t.id, o.id, o.id IS NULL\n"
	"  FROM theirs.sweep AS t LEFT JOIN main.sweep AS o ON o.identity = t.identity;\n"
	"INSERT INTO main.sweep (identity, planned, name, evaluator, config, nr_points)\n"
	"  SELECT identity, planned + (SELECT coalesce(max(planned), 0) FROM main.sweep), "
	"name, evaluator, config, nr_points\n"
	"  FROM theirs.sweep WHERE id IN (SELECT theirs FROM merge_sweep WHERE is_new) ORDER BY planned, id;\n"
	"UPDATE merge_sweep SET ours = "
	"(SELECT o.id FROM theirs.sweep AS t JOIN main.sweep AS o ON o.identity = t.identity\n"
	"  WHERE t.id = merge_sweep.theirs) WHERE is_new;\n"
	"INSERT INTO main.axis (sweep, axis, name, nr_values, stride) "
	"SELECT s.ours, t.axis, t.name, t.nr_values, t.stride\n"
	"  FROM merge_sweep AS s JOIN theirs.axis AS t ON t.sweep = s.theirs WHERE s.is_new;\n"
	"INSERT INTO main.axis_value (sweep, axis, value, label, settings)\n"
	"  SELECT s.ours, t.axis, t.value, t.label, t.settings\n"
	"  FROM merge_sweep AS s JOIN theirs.axis_value AS t ON t.sweep = s.theirs WHERE s.is_new;\n";

static const char add_points[] =
	"INSERT OR IGNORE INTO main.point (sweep, position, run) SELECT s.ours, t.position, m.ours\n"
	"  FROM merge_sweep AS s CROSS JOIN theirs.point AS t ON t.sweep = s.theirs\n"
	"  JOIN merge_run AS m ON m.theirs = t.run ORDER BY s.ours, t.position;\n";

/* A sweep's identity says which runs its points lead to: this is damage. */
static const char check_points[] =
	"SELECT lower(hex(r.hash)) FROM merge_sweep AS s CROSS JOIN theirs.point AS t ON t.sweep = s.theirs\n"
	"JOIN merge_run AS m ON m.theirs = t.run JOIN main.point AS o ON o.sweep = s.ours AND o.position = t.position\n"
	"JOIN main.run AS r ON r.id = o.run WHERE o.run <> m.ours LIMIT 1";

static enum sahm_status check(struct store *store, const char *sql, const char *path, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	if (!s)
		return store_fail(store, err);
	int code = sqlite3_step(s);
	enum sahm_status status = SAHM_OK;
	if (code == SQLITE_ROW)
		status = sahm_fail(
			err, SAHM_CHECKSUM,
			"results files '%s' and '%s' differ in what they found for run %.16s..., none of '%s' was added",
			store->path, path, (const char *)sqlite3_column_text(s, 0), path);
	else if (code != SQLITE_DONE)
		status = store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}

/* Another program may have found other things. */
static enum sahm_status check_programs(struct store *store, const char *path, struct sahm_err *err)
{
	sqlite3_stmt *s =
		store_prepare(store, "SELECT min(version), max(version) FROM (SELECT version FROM main.program "
				     "UNION SELECT version FROM theirs.program)");
	if (!s)
		return store_fail(store, err);
	enum sahm_status status = sqlite3_step(s) == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	const char *one = (const char *)sqlite3_column_text(s, 0), *other = (const char *)sqlite3_column_text(s, 1);
	if (status == SAHM_OK && one && other && strcmp(one, other) != 0)
		status = sahm_fail(err, SAHM_CONFIG, "results files '%s' and '%s' have runs of programs '%s' and '%s'",
				   store->path, path, one, other);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status merge(struct store *store, const char *path, bool mixed, struct sahm_err *err)
{
	enum sahm_status status = mixed ? SAHM_OK : check_programs(store, path, err);
	if (status == SAHM_OK)
		status = store_exec(store, make_map, err);
	if (status == SAHM_OK)
		status = store_exec(store, fill_map, err);
	for (size_t i = 0; i < ARRAY_SIZE(checks) && status == SAHM_OK; i++)
		status = check(store, checks[i], path, err);
	if (status == SAHM_OK)
		status = store_drop_replaced_seconds(store, err);
	if (status == SAHM_OK)
		status = store_exec(store, add_runs, err);
	if (status == SAHM_OK)
		status = store_add_seconds(store, err);
	if (status == SAHM_OK)
		status = store_exec(store, add_sweeps, err);
	if (status == SAHM_OK)
		status = store_merge_origins(store, err);
	if (status == SAHM_OK)
		status = check(store, check_points, path, err);
	if (status == SAHM_OK)
		status = store_exec(store, add_points, err);
	if (status == SAHM_OK)
		status = store_make_views(store, err);
	if (status == SAHM_OK)
		status = store_exec(store, drop_map, err);
	return status;
}

static bool is_same(const char *a, const char *b)
{
	struct stat of_a, of_b;
	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* A reader of a file that nobody writes has it for itself (store.c). SQLite has to know before it looks at the file,
 * and takes that from the setting for databases that are attached. */
static const char attach_still[] = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA main.locking_mode = NORMAL;\n"
				   "ATTACH %Q AS theirs; PRAGMA locking_mode = NORMAL;",
		  attach_live[] = "ATTACH %Q AS theirs;";

/* Attaches the database of `from`, which stays open meanwhile and keeps its locks, to that of `store` as `theirs`. */
static enum sahm_status attach(struct store *store, const struct store *from, struct sahm_err *err)
{
	char *uri = store_uri(from->file, from->way);
	char *sql = uri ? sqlite3_mprintf(strstr(from->way, STORE_VFS_STILL) ? attach_still : attach_live, uri) : NULL;
	enum sahm_status status = sql ? store_exec(store, sql, err) : sahm_fail_nomem(err);
	sqlite3_free(sql);
	sqlite3_free(uri);
	if (status == SAHM_OK)
		store_bound_memory(store);
	return status;
}

static void detach(struct store *store)
{
	for (int i = 0; i < NR_STORE_STATEMENTS; i++)
		sqlite3_reset(store->statements[i]);
	sqlite3_exec(store->db, "DETACH theirs", NULL, NULL, NULL);
}

enum sahm_status store_merge(struct store *store, const char *path, bool mixed, struct sahm_err *err)
{
	struct store *from;
	if (is_same(store->path, path))
		return sahm_fail(err, SAHM_USAGE, "'%s' cannot be merged with itself", path);
	enum sahm_status status = store_commit(store, err);
	if (status == SAHM_OK)
		status = store_open(&from, path, STORE_READ, err);
	if (status != SAHM_OK)
		return status;
	store->other = path;
	status = store_check_pages(from, false, err);
	if (status == SAHM_OK)
		status = attach(store, from, err);
	if (status == SAHM_OK) {
		status = store_begin(store, err);
		if (status == SAHM_OK)
			status = merge(store, path, mixed, err);
		if (status == SAHM_OK)
			status = store_commit(store, err);
		else
			store_undo(store);
		detach(store);
	}
	store->other = NULL;
	store_abandon(from);
	return status;
}

/* Contents of another results file, without results: for plans that only count. */
static const char copy[] =
	"INSERT INTO main.program (version) SELECT version FROM theirs.program WHERE true ORDER BY id\n"
	"  ON CONFLICT DO NOTHING;\n"
	/* Of a run that was kept without its threads the number of them tells that. */
	"INSERT INTO main.run (hash, program, state, nr_threads) SELECT t.hash, p.id, t.state,\n"
	"  CASE WHEN EXISTS (SELECT 1 FROM theirs.thread AS r WHERE r.run = t.id) THEN NULL ELSE t.nr_threads END\n"
	"  FROM theirs.run AS t\n"
	"  JOIN theirs.program AS q ON q.id = t.program JOIN main.program AS p USING (version)\n"
	"  ORDER BY t.id;\n";

enum sahm_status store_borrow(struct store *store, const char *path, struct sahm_err *err)
{
	struct store *from = NULL;
	char *name = strdup(path);
	enum sahm_status status = name ? store_open(&from, path, STORE_READ, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = attach(store, from, err);
	if (status == SAHM_OK) {
		status = store_exec(store, copy, err);
		detach(store);
	}
	store_abandon(from);
	/* An error in the current content is an error of that file. */
	if (status == SAHM_OK) {
		free(store->path);
		store->path = name;
	} else {
		free(name);
	}
	return status;
}
