/* Rebuilds the record of a result from its rows. */
#include <math.h>
#include <string.h>

#include "results/store/store_internal.h"
#include "sim/engine/sim.h"

/* A run that is being read. */
struct reading {
	struct store *store;
	int64_t run;
	struct arena *arena;
	struct record *record;
	bool has_threads;
};

static enum sahm_status damaged(struct store *store, int64_t run, const char *what, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: run %lld: %s", store->path, (long long)run,
			 what);
}

static bool get_u64(sqlite3_stmt *s, int column, uint64_t *value)
{
	int64_t stored = sqlite3_column_int64(s, column);
	*value = (uint64_t)stored;
	return sqlite3_column_type(s, column) == SQLITE_INTEGER && stored >= 0;
}

static bool get_u32(sqlite3_stmt *s, int column, uint32_t *value)
{
	uint64_t stored;
	bool ok = get_u64(s, column, &stored);
	*value = (uint32_t)stored;
	return ok && stored <= UINT32_MAX;
}

static bool get_flag(sqlite3_stmt *s, int column, bool *flag)
{
	uint32_t stored;
	bool ok = get_u32(s, column, &stored);
	*flag = stored;
	return ok && stored <= 1;
}

/* SQLite keeps no zero below zero. Values that are not numbers are encoded as one. */
static double kept_double(double value)
{
	return value == 0 ? 0 : value;
}

/* NULL is what is no number. */
static bool get_double(sqlite3_stmt *s, int column, double *value)
{
	int type = sqlite3_column_type(s, column);
	*value = type == SQLITE_NULL ? NAN : kept_double(sqlite3_column_double(s, column));
	return type == SQLITE_NULL || type == SQLITE_FLOAT || type == SQLITE_INTEGER;
}

/* A copy of a text; NULL where it is none, or memory is short, which *short_of_memory tells. */
static const char *get_text(sqlite3_stmt *s, int column, struct arena *a, bool *short_of_memory)
{
	if (sqlite3_column_type(s, column) != SQLITE_TEXT)
		return NULL;
	const char *text = (const char *)sqlite3_column_text(s, column);
	if (text && strlen(text) != (size_t)sqlite3_column_bytes(s, column))
		return NULL;
	const char *copy = text ? arena_strdup(a, text) : NULL;
	*short_of_memory |= !copy;
	return copy;
}

static enum sahm_status state_of(struct store *store, sqlite3_stmt *s, int64_t *run, enum run_state *state, bool *found,
				 struct sahm_err *err)
{
	uint32_t stored = 0;
	enum sahm_status status = SAHM_OK;
	int code = sqlite3_step(s);
	*found = code == SQLITE_ROW;
	*run = *found ? sqlite3_column_int64(s, 0) : 0;
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		status = store_fail(store, err);
	else if (*found && (!get_u32(s, 1, &stored) || stored > RUN_FAILED))
		status = damaged(store, *run, "its state is invalid", err);
	*state = (enum run_state)stored;
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_find_run(struct store *store, const uint8_t hash[HASH_BYTES], int64_t *run,
				enum run_state *state, bool *found, struct sahm_err *err)
{
	sqlite3_stmt *s = store_statement(store, STATEMENT_FIND_STATE);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_blob(s, 1, hash, HASH_BYTES, SQLITE_STATIC);
	return state_of(store, s, run, state, found, err);
}

enum sahm_status store_run_state(struct store *store, int64_t run, enum run_state *state, bool *found,
				 struct sahm_err *err)
{
	sqlite3_stmt *s = store_statement(store, STATEMENT_RUN_STATE);
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, run);
	return state_of(store, s, &run, state, found, err);
}

/* Numbers of rows, as far as a record can have them. */
static enum sahm_status count_rows(const struct reading *g, const char *sql, int64_t id, uint32_t *nr,
				   struct sahm_err *err)
{
	int64_t value;
	sqlite3_stmt *s = store_prepare(g->store, sql);
	if (!s)
		return store_fail(g->store, err);
	sqlite3_bind_int64(s, 1, id);
	enum sahm_status status = store_get(g->store, s, &value, NULL, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK && value > UINT32_MAX)
		status = damaged(g->store, g->run, "it has too many rows", err);
	*nr = (uint32_t)value;
	return status;
}

/* Has each row of `id` taken, of which there are `nr`; `take` says whether it is one. */
static enum sahm_status read_rows(const struct reading *g, const char *sql, int64_t id, uint32_t nr,
				  bool (*take)(const struct reading *g, sqlite3_stmt *s, uint32_t row,
					       bool *short_of_memory),
				  const char *what, struct sahm_err *err)
{
	int code;
	uint32_t row = 0;
	bool ok = true, short_of_memory = false;
	sqlite3_stmt *s = store_prepare(g->store, sql);
	if (!s)
		return store_fail(g->store, err);
	sqlite3_bind_int64(s, 1, id);
	while (ok && (code = sqlite3_step(s)) == SQLITE_ROW) {
		ok = row < nr && take(g, s, row, &short_of_memory);
		row++;
	}
	enum sahm_status status = SAHM_OK;
	if (short_of_memory)
		status = sahm_fail_nomem(err);
	else if (ok && code != SQLITE_DONE)
		status = store_fail(g->store, err);
	else if (!ok || row != nr)
		status = damaged(g->store, g->run, what, err);
	sqlite3_finalize(s);
	return status;
}

static bool take_core(const struct reading *g, sqlite3_stmt *s, uint32_t row, bool *short_of_memory)
{
	uint32_t number;
	struct record_core *c = &g->record->chip[row];
	c->type = get_text(s, 1, g->arena, short_of_memory);
	c->speedups = get_text(s, 2, g->arena, short_of_memory);
	return get_u32(s, 0, &number) && number == row && get_u32(s, 3, &c->count) && c->type && c->speedups;
}

static enum sahm_status read_chip(const struct reading *g, int64_t chip, struct sahm_err *err)
{
	struct record *r = g->record;
	enum sahm_status status =
		count_rows(g, "SELECT count(*) FROM chip_core WHERE chip = ?", chip, &r->nr_groups, err);
	if (status != SAHM_OK)
		return status;
	r->chip = arena_alloc(g->arena, r->nr_groups, sizeof(*r->chip));
	if (!r->chip)
		return sahm_fail_nomem(err);
	return read_rows(g, "SELECT row, type, speedups_pct, count FROM chip_core WHERE chip = ? ORDER BY row", chip,
			 r->nr_groups, take_core, "its chip is damaged", err);
}

static bool take_thread(const struct reading *g, sqlite3_stmt *s, uint32_t row, bool *short_of_memory)
{
	uint32_t number;
	struct record_thread *t = &g->record->threads[row];
	t->name = get_text(s, 1, g->arena, short_of_memory);
	return get_u32(s, 0, &number) && number == row && t->name && get_double(s, 2, &t->speedup) &&
	       get_double(s, 3, &t->served_share) && get_double(s, 4, &t->matched_share) &&
	       get_u64(s, 5, &t->completed_ns) && get_u64(s, 6, &t->present_ns) && get_u64(s, 7, &t->migrations) &&
	       get_double(s, 8, &t->energy_j) && get_double(s, 9, &t->instruction_nj);
}

static const struct record_thread blank_thread = {"", NAN, NAN, NAN, 0, 0, 0, NAN, NAN};

/* Where there are none, how many there were is only said: that must not be more than there can be. */
static enum sahm_status read_threads(struct reading *g, struct sahm_err *err)
{
	struct record *r = g->record;
	uint32_t nr = 0;
	enum sahm_status status = count_rows(g, "SELECT count(*) FROM thread WHERE run = ?", g->run, &nr, err);
	if (status != SAHM_OK)
		return status;
	g->has_threads = nr > 0 || r->nr_threads == 0;
	if (g->has_threads ? nr != r->nr_threads : r->nr_threads > MAX_THREADS)
		return damaged(g->store, g->run, "its threads are not all there", err);
	r->threads = arena_alloc(g->arena, r->nr_threads, sizeof(*r->threads));
	if (!r->threads)
		return sahm_fail_nomem(err);
	for (uint32_t t = 0; t < r->nr_threads; t++)
		r->threads[t] = blank_thread;
	return read_rows(g,
			 "SELECT t.thread, n.name, t.speedup, t.served_share, t.matched_share, t.completed_ns, "
			 "t.present_ns, t.migrations, t.energy_j, t.instruction_nj "
			 "FROM thread AS t LEFT JOIN thread_name AS n ON n.id = t.name "
			 "WHERE t.run = ? ORDER BY t.thread",
			 g->run, nr, take_thread, "its threads are damaged", err);
}

static bool take_interval(const struct reading *g, sqlite3_stmt *s, uint32_t row, bool *short_of_memory)
{
	const char *name = (const char *)sqlite3_column_text(s, 0);
	(void)row;
	*short_of_memory |= !name && sqlite3_column_type(s, 0) == SQLITE_TEXT;
	for (int m = 0; m < NR_RUN_METRICS && name; m++) {
		struct stats_interval *i = &g->record->intervals[m];
		if (strcmp(run_metric_rows[m].name, name) == 0)
			return get_double(s, 1, &i->low) && get_double(s, 2, &i->high);
	}
	return false;
}

/* One for each metric, or none at all. No metric has two. */
static enum sahm_status read_intervals(const struct reading *g, struct sahm_err *err)
{
	struct record *r = g->record;
	uint32_t nr = 0;
	enum sahm_status status = count_rows(g, "SELECT count(*) FROM interval WHERE run = ?", g->run, &nr, err);
	r->has_intervals = nr > 0;
	for (int m = 0; m < NR_RUN_METRICS; m++)
		r->intervals[m] = (struct stats_interval){NAN, NAN, NAN};
	if (status != SAHM_OK || nr == 0)
		return status;
	return read_rows(g, "SELECT metric, low, high FROM interval WHERE run = ? ORDER BY metric", g->run,
			 NR_RUN_METRICS, take_interval, "its intervals are damaged", err);
}

static const char run_sql[] = "SELECT state, message, chip, nr_cores, nr_threads, synthetic, nominal_time"
#define RUN_METRIC(member, form, words) ", " #member
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
			      " FROM run WHERE id = ?";

/* What is in the run's own row; its chip's id. */
static enum sahm_status take_run(const struct reading *g, sqlite3_stmt *s, int64_t *chip, struct sahm_err *err)
{
	struct record *r = g->record;
	uint64_t id;
	uint32_t state;
	bool short_of_memory = false;
	if (!get_u32(s, 0, &state) || state > RUN_FAILED)
		return damaged(g->store, g->run, "its state is invalid", err);
	if (state == RUN_PLANNED)
		return sahm_fail(err, SAHM_RANGE, "results file '%s' has no run %lld that is done or failed",
				 g->store->path, (long long)g->run);
	bool has_message = sqlite3_column_type(s, 1) != SQLITE_NULL;
	const char *message = has_message ? get_text(s, 1, g->arena, &short_of_memory) : "";
	if (short_of_memory)
		return sahm_fail_nomem(err);
	if (!message)
		return damaged(g->store, g->run, "its message is not text", err);
	if (state == RUN_FAILED)
		return record_of_failure(g->arena, message, r, err);
	*r = (struct record){.message = message};
	bool ok = get_u64(s, 2, &id) && get_u32(s, 3, &r->nr_cores) && get_u32(s, 4, &r->nr_threads) &&
		  get_flag(s, 5, &r->synthetic) && get_flag(s, 6, &r->nominal);
	for (int m = 0; m < NR_RUN_METRICS; m++)
		ok &= get_double(s, 7 + m, &r->metrics[m]);
	*chip = ok ? (int64_t)id : 0;
	return ok ? SAHM_OK : damaged(g->store, g->run, "its row is damaged", err);
}

static enum sahm_status read_run(struct reading *g, struct sahm_err *err)
{
	int64_t chip = 0;
	sqlite3_stmt *s = store_prepare(g->store, run_sql);
	if (!s)
		return store_fail(g->store, err);
	sqlite3_bind_int64(s, 1, g->run);
	int code = sqlite3_step(s);
	enum sahm_status status = SAHM_OK;
	if (code == SQLITE_ROW)
		status = take_run(g, s, &chip, err);
	else if (code == SQLITE_DONE)
		status = sahm_fail(err, SAHM_RANGE, "results file '%s' has no run %lld", g->store->path,
				   (long long)g->run);
	else
		status = store_fail(g->store, err);
	sqlite3_finalize(s);
	g->has_threads = true;
	if (status != SAHM_OK || g->record->failed)
		return status;
	status = read_chip(g, chip, err);
	if (status == SAHM_OK)
		status = read_threads(g, err);
	return status == SAHM_OK ? read_intervals(g, err) : status;
}

enum sahm_status store_result(struct store *store, int64_t run, struct arena *a, struct record *record,
			      bool *has_threads, struct sahm_err *err)
{
	struct reading g = {store, run, a, record, false};
	/* One transaction sees one state of the store. */
	bool begins = sqlite3_get_autocommit(store->db) != 0;
	enum sahm_status status = begins ? store_exec(store, "BEGIN", err) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	status = read_run(&g, err);
	*has_threads = g.has_threads;
	if (begins)
		store_undo(store);
	return status;
}

static struct record_thread kept_thread(const struct record_thread *t)
{
	return (struct record_thread){t->name,
				      kept_double(t->speedup),
				      kept_double(t->served_share),
				      kept_double(t->matched_share),
				      (uint64_t)store_integer(t->completed_ns),
				      (uint64_t)store_integer(t->present_ns),
				      (uint64_t)store_integer(t->migrations),
				      kept_double(t->energy_j),
				      kept_double(t->instruction_nj)};
}

/* The output of store_result() if `r` were put. */
static enum sahm_status keep(struct arena *a, const struct record *r, bool has_threads, struct record *kept,
			     struct sahm_err *err)
{
	if (r->failed)
		return record_of_failure(a, r->message, kept, err);
	*kept = *r;
	kept->timing = (struct record_timing){0};
	kept->threads = arena_alloc(a, r->nr_threads, sizeof(*kept->threads));
	if (!kept->threads)
		return sahm_fail_nomem(err);
	for (uint32_t t = 0; t < r->nr_threads; t++)
		kept->threads[t] = has_threads ? kept_thread(&r->threads[t]) : blank_thread;
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		kept->metrics[m] = kept_double(r->metrics[m]);
		kept->intervals[m].mean = NAN;
		kept->intervals[m].low = kept_double(r->intervals[m].low);
		kept->intervals[m].high = kept_double(r->intervals[m].high);
	}
	return SAHM_OK;
}

enum sahm_status store_is_same(struct store *store, int64_t run, const struct record *record, bool *same,
			       struct sahm_err *err)
{
	struct arena a;
	struct textbuf ours, theirs;
	struct record found, kept;
	bool has_threads;
	arena_init(&a);
	textbuf_init(&ours);
	textbuf_init(&theirs);
	enum sahm_status status = store_result(store, run, &a, &found, &has_threads, err);
	if (status == SAHM_OK)
		status = keep(&a, record, has_threads, &kept, err);
	if (status == SAHM_OK) {
		record_encode(&found, &ours);
		record_encode(&kept, &theirs);
		if (textbuf_failed(&ours) || textbuf_failed(&theirs))
			status = sahm_fail_nomem(err);
	}
	if (status == SAHM_OK)
		*same = ours.len == theirs.len && memcmp(ours.text, theirs.text, ours.len - RECORD_TIMING_BYTES) == 0;
	textbuf_release(&theirs);
	textbuf_release(&ours);
	arena_release(&a);
	return status;
}
