/* Planning: sweeps, their axes and points, and the runs that these lead to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "sim/base/number.h"

/* Programs are added when something is planned, so that one without runs is never here. */
enum sahm_status store_set_program(struct store *store, const char *version, bool mixed, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	sqlite3_stmt *s =
		store_prepare(store, "SELECT version FROM program WHERE version <> ? ORDER BY id DESC LIMIT 1");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, version, -1, SQLITE_STATIC);
	int code = sqlite3_step(s);
	if (code == SQLITE_ROW && !mixed)
		status = sahm_fail(err, SAHM_CONFIG, "results file '%s' has runs of program '%s', this one is '%s'",
				   store->path, (const char *)sqlite3_column_text(s, 0), version);
	else if (code != SQLITE_ROW && code != SQLITE_DONE)
		status = store_fail(store, err);
	sqlite3_finalize(s);
	if (status != SAHM_OK)
		return status;
	char *copy = strdup(version);
	if (!copy)
		return sahm_fail_nomem(err);
	free(store->program);
	store->program = copy;
	store->program_id = 0;
	return SAHM_OK;
}

static enum sahm_status find_program(struct store *store, struct sahm_err *err)
{
	bool found;
	sqlite3_stmt *find = store_statement(store, STATEMENT_FIND_PROGRAM);
	if (!find)
		return store_fail(store, err);
	sqlite3_bind_text(find, 1, store->program, -1, SQLITE_STATIC);
	enum sahm_status status = store_get(store, find, &store->program_id, &found, err);
	if (status != SAHM_OK || found)
		return status;
	sqlite3_stmt *add = store_statement(store, STATEMENT_ADD_PROGRAM);
	if (!add)
		return store_fail(store, err);
	sqlite3_bind_text(add, 1, store->program, -1, SQLITE_STATIC);
	status = store_run(store, add, err);
	store->program_id = sqlite3_last_insert_rowid(store->db);
	return status;
}

/* Gives up the plan if `status` is a failure. */
static enum sahm_status unless_failed(struct store *store, enum sahm_status status)
{
	if (status != SAHM_OK)
		store_undo(store);
	return status;
}

static enum sahm_status begin(struct store *store, const struct store_sweep *sweep, struct sahm_err *err)
{
	enum sahm_status status = store_begin(store, err);
	if (status == SAHM_OK)
		status = find_program(store, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_stmt *s = store_statement(store, STATEMENT_ADD_SWEEP);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, sweep->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, sweep->evaluator, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 3, sweep->config, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 4, store_integer(sweep->nr_points));
	status = store_run(store, s, err);
	store->sweep = sqlite3_last_insert_rowid(store->db);
	return status;
}

enum sahm_status store_plan_begin(struct store *store, const struct store_sweep *sweep, struct sahm_err *err)
{
	if (store->planning)
		return sahm_fail(err, SAHM_CONFIG, "results file '%s': a sweep is being planned already", store->path);
	if (!store->program)
		return sahm_fail(err, SAHM_CONFIG, "results file '%s': no program was given for the planned runs",
				 store->path);
	enum sahm_status status = store_commit(store, err);
	if (status != SAHM_OK)
		return status;
	status = unless_failed(store, begin(store, sweep, err));
	store->planning = status == SAHM_OK;
	store->nr_axes = store->nr_values = 0;
	return status;
}

/* A failure before has given the plan up. */
static enum sahm_status must_plan(struct store *store, struct sahm_err *err)
{
	if (store->planning)
		return SAHM_OK;
	return sahm_fail(err, SAHM_CONFIG, "results file '%s': no sweep is being planned", store->path);
}

enum sahm_status store_plan_axis(struct store *store, const struct store_axis *axis, struct sahm_err *err)
{
	enum sahm_status status = must_plan(store, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_stmt *s = store_statement(store, STATEMENT_ADD_AXIS);
	if (!s)
		return store_fail_undo(store, err);
	sqlite3_bind_int64(s, 1, store->sweep);
	sqlite3_bind_int64(s, 2, (int64_t)store->nr_axes++);
	sqlite3_bind_text(s, 3, axis->name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 4, store_integer(axis->nr_values));
	sqlite3_bind_int64(s, 5, store_integer(axis->stride));
	store->nr_values = 0;
	store->has_names = axis->has_names;
	return unless_failed(store, store_run(store, s, err));
}

/* A number where it is one, a whole one where it is written so. */
static void bind_label(sqlite3_stmt *s, int place, const char *label)
{
	double value;
	if (number_read_double(label, &value) != NUMBER_OK)
		sqlite3_bind_text(s, place, label, -1, SQLITE_STATIC);
	else if (!strpbrk(label, ".eE") && fabs(value) < 9007199254740992.0)
		sqlite3_bind_int64(s, place, (int64_t)value);
	else
		sqlite3_bind_double(s, place, value);
}

enum sahm_status store_plan_value(struct store *store, const char *label, const char *settings, struct sahm_err *err)
{
	enum sahm_status status = must_plan(store, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_stmt *s = store_statement(store, STATEMENT_ADD_VALUE);
	if (!s)
		return store_fail_undo(store, err);
	sqlite3_bind_int64(s, 1, store->sweep);
	sqlite3_bind_int64(s, 2, (int64_t)store->nr_axes - 1);
	sqlite3_bind_int64(s, 3, (int64_t)store->nr_values++);
	if (store->has_names)
		sqlite3_bind_text(s, 4, label, -1, SQLITE_STATIC);
	else
		bind_label(s, 4, label);
	sqlite3_bind_text(s, 5, settings, -1, SQLITE_STATIC);
	return unless_failed(store, store_run(store, s, err));
}

static enum sahm_status plan_run(struct store *store, const uint8_t hash[HASH_BYTES], int64_t *run,
				 struct sahm_err *err)
{
	bool found;
	sqlite3_stmt *find = store_statement(store, STATEMENT_FIND_RUN);
	if (!find)
		return store_fail(store, err);
	sqlite3_bind_blob(find, 1, hash, HASH_BYTES, SQLITE_STATIC);
	enum sahm_status status = store_get(store, find, run, &found, err);
	if (status != SAHM_OK || found)
		return status;
	sqlite3_stmt *add = store_statement(store, STATEMENT_ADD_RUN);
	if (!add)
		return store_fail(store, err);
	sqlite3_bind_blob(add, 1, hash, HASH_BYTES, SQLITE_STATIC);
	sqlite3_bind_int64(add, 2, store->program_id);
	status = store_run(store, add, err);
	*run = sqlite3_last_insert_rowid(store->db);
	return status;
}

enum sahm_status store_plan_point(struct store *store, uint64_t position, const uint8_t hash[HASH_BYTES],
				  struct sahm_err *err)
{
	int64_t run;
	enum sahm_status status = must_plan(store, err);
	if (status != SAHM_OK)
		return status;
	status = plan_run(store, hash, &run, err);
	sqlite3_stmt *s = status == SAHM_OK ? store_statement(store, STATEMENT_ADD_POINT) : NULL;
	if (status == SAHM_OK && !s)
		status = store_fail(store, err);
	if (status != SAHM_OK)
		return unless_failed(store, status);
	sqlite3_bind_int64(s, 1, store->sweep);
	sqlite3_bind_int64(s, 2, store_integer(position));
	sqlite3_bind_int64(s, 3, run);
	return unless_failed(store, store_run(store, s, err));
}

/* Carries out a statement about two sweeps, ?1 and ?2. */
static enum sahm_status run_about(struct store *store, const char *sql, int64_t one, int64_t other,
				  struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, one);
	if (sqlite3_bind_parameter_count(s) > 1)
		sqlite3_bind_int64(s, 2, other);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	return status;
}

/* Moves the points of the sweep in the making to `known`, which is the same one, and takes it back. */
static enum sahm_status add_to(struct store *store, int64_t known, struct sahm_err *err)
{
	static const char *const steps[] = {
		"INSERT OR IGNORE INTO point SELECT ?2, position, run FROM point WHERE sweep = ?1",
		"DELETE FROM point WHERE sweep = ?1",
		"DELETE FROM axis_value WHERE sweep = ?1",
		"DELETE FROM axis WHERE sweep = ?1",
		"DELETE FROM sweep WHERE id = ?1",
	};
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < ARRAY_SIZE(steps) && status == SAHM_OK; i++)
		status = run_about(store, steps[i], store->sweep, known, err);
	return status;
}

static const char mark_last[] = "UPDATE sweep SET planned = (SELECT max(planned) + 1 FROM sweep) "
				"WHERE id = ?1 AND planned < (SELECT max(planned) FROM sweep)";

/* Whether `known` has all points of the sweep in the making. */
static enum sahm_status is_all_there(struct store *store, int64_t known, bool *is, struct sahm_err *err)
{
	int64_t one;
	bool found;
	sqlite3_stmt *s = store_prepare(
		store, "SELECT 1 FROM point AS p WHERE sweep = ?1 AND NOT EXISTS "
		       "(SELECT 1 FROM point AS k WHERE k.sweep = ?2 AND k.position = p.position) LIMIT 1");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, store->sweep);
	sqlite3_bind_int64(s, 2, known);
	enum sahm_status status = store_get(store, s, &one, &found, err);
	sqlite3_finalize(s);
	*is = !found;
	return status;
}

static enum sahm_status plan_known(struct store *store, int64_t known, struct sahm_err *err)
{
	bool is = false;
	enum sahm_status status = is_all_there(store, known, &is, err);
	if (status != SAHM_OK)
		return status;
	if (!is)
		return add_to(store, known, err);
	store_undo(store);
	return store_begin(store, err);
}

static enum sahm_status plan_new(struct store *store, const uint8_t identity[HASH_BYTES], struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, "UPDATE sweep SET identity = ?2 WHERE id = ?1");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, store->sweep);
	sqlite3_bind_blob(s, 2, identity, HASH_BYTES, SQLITE_STATIC);
	enum sahm_status status = store_run(store, s, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK)
		status = store_make_view(store, store->sweep, err);
	return status;
}

enum sahm_status store_plan_end(struct store *store, const uint8_t identity[HASH_BYTES], int64_t *sweep,
				struct sahm_err *err)
{
	int64_t known;
	bool found = false;
	enum sahm_status status = must_plan(store, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_stmt *find = store_statement(store, STATEMENT_FIND_SWEEP);
	if (!find)
		return store_fail_undo(store, err);
	sqlite3_bind_blob(find, 1, identity, HASH_BYTES, SQLITE_STATIC);
	status = store_get(store, find, &known, &found, err);
	if (!found)
		known = store->sweep;
	if (status == SAHM_OK)
		status = found ? plan_known(store, known, err) : plan_new(store, identity, err);
	if (status == SAHM_OK)
		status = run_about(store, mark_last, known, 0, err);
	if (status == SAHM_OK)
		status = store_commit(store, err);
	else
		store_undo(store);
	store->planning = false;
	if (status == SAHM_OK)
		*sweep = known;
	return status;
}

void store_plan_abandon(struct store *store)
{
	if (store->planning)
		store_undo(store);
}
