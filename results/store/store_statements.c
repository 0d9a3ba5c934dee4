#include "results/store/store_internal.h"

/* A sweep in the making has no identity yet; none is ever committed without. */
const char *const store_statements[NR_STORE_STATEMENTS] = {
	[STATEMENT_FIND_PROGRAM] = "SELECT id FROM program WHERE version = ?",
	[STATEMENT_ADD_PROGRAM] = "INSERT INTO program (version) VALUES (?)",
	[STATEMENT_ADD_SWEEP] = "INSERT INTO sweep (identity, planned, name, evaluator, config, nr_points) "
				"VALUES (x'', (SELECT coalesce(max(planned), 0) + 1 FROM sweep), ?, ?, ?, ?)",
	[STATEMENT_FIND_SWEEP] = "SELECT id FROM sweep WHERE identity = ?",
	[STATEMENT_ADD_AXIS] = "INSERT INTO axis (sweep, axis, name, nr_values, stride) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_ADD_VALUE] = "INSERT INTO axis_value (sweep, axis, value, label, settings) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_FIND_RUN] = "SELECT id FROM run WHERE hash = ?",
	[STATEMENT_FIND_STATE] = "SELECT id, state FROM run WHERE hash = ?",
	[STATEMENT_RUN_STATE] = "SELECT id, state FROM run WHERE id = ?",
	[STATEMENT_ADD_RUN] = "INSERT INTO run (hash, program, state) VALUES (?, ?, 0)",
	[STATEMENT_ADD_POINT] = "INSERT INTO point (sweep, position, run) VALUES (?, ?, ?)",
	/* CROSS JOIN: runs first, in the order of their ids. */
	[STATEMENT_JOBS] = "SELECT r.id, min(p.position) FROM run AS r CROSS JOIN point AS p ON p.run = r.id "
			   "WHERE r.id > ?1 AND p.sweep = ?2 AND p.position % ?3 = ?4 AND (r.state = 0 "
			   "OR (?5 AND " STORE_THREADLESS ")) GROUP BY r.id ORDER BY r.id LIMIT ?6",
	[STATEMENT_THREADLESS] = "SELECT 1 FROM run AS r WHERE r.id = ? AND " STORE_THREADLESS,
	[STATEMENT_RUN_HASH] = "SELECT hash FROM run WHERE id = ?",
	[STATEMENT_PUT_RUN] = "UPDATE run SET state = ?, message = ?, chip = ?, nr_cores = ?, nr_threads = ?, "
			      "synthetic = ?, nominal_time = ?"
#define RUN_METRIC(member, form, words) ", " #member " = ?"
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
			      " WHERE id = ? AND state = 0",
	[STATEMENT_PUT_TIMING] = "INSERT OR REPLACE INTO timing (run, started_unix_ms, wall_ns, cpu_ns, worker) "
				 "VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_PUT_THREAD] = "INSERT INTO thread (run, thread, name, speedup, served_share, matched_share, "
				 "completed_ns, present_ns, migrations) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[STATEMENT_PUT_INTERVAL] = "INSERT INTO interval (run, metric, low, high) VALUES (?, ?, ?, ?)",
	[STATEMENT_FIND_CHIP] = "SELECT id FROM chip WHERE name = ?",
	[STATEMENT_ADD_CHIP] = "INSERT INTO chip (name) VALUES (?)",
	[STATEMENT_ADD_CORE] = "INSERT INTO chip_core (chip, row, type, speedups_pct, count) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_FIND_NAME] = "SELECT id FROM thread_name WHERE name = ?",
	[STATEMENT_ADD_NAME] = "INSERT INTO thread_name (name) VALUES (?)",
};
