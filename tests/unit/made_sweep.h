/* Stores made up for questions, in memory: rows are put by SQL, and a copy stays here for a second opinion. */
#ifndef SAHM_TESTS_UNIT_MADE_SWEEP_H
#define SAHM_TESTS_UNIT_MADE_SWEEP_H

#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/query.h"
#include "results/store/store_schema.h"
#include "tests/unit/test.h"

#define MADE_POINTS 4096u

struct made_point {
	bool is_there;
	enum run_state state;
	double values[NR_RUN_METRICS];
	int nr_cores;
};

struct made_sweep {
	sqlite3 *db;
	struct query q;
	uint64_t nr_points;
	struct made_point points[MADE_POINTS];
};

static inline void sql(sqlite3 *db, const char *fmt, ...)
{
	char *error = NULL;
	va_list ap;
	va_start(ap, fmt);
	char *text = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	assert_non_null(text);
	if (sqlite3_exec(db, text, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", text, error);
	sqlite3_free(text);
}

/* An empty store with the chips that points are given. */
static inline sqlite3 *made_store(void)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	struct textbuf schema;
	textbuf_init(&schema);
	store_write_schema(&schema);
	sql(db, "%s", schema.text);
	textbuf_release(&schema);
	sql(db, "INSERT INTO program VALUES (1, 'sahm-test')");
	for (int n = 1; n <= 16; n++) {
		sql(db, "INSERT INTO chip VALUES (%d, '%d baseline + 1 branch 30 %%')", n, n - 1);
		sql(db, "INSERT INTO chip_core VALUES (%d, 0, 'baseline', '', %d)", n, n - 1);
		sql(db, "INSERT INTO chip_core VALUES (%d, 1, 'branch', '30', 1)", n);
	}
	return db;
}

/* Sweep `id` with axes of sizes[nr] values called 0, 1, ...; names are "a.x", "b.y", "c.z". */
static inline void made_axes(sqlite3 *db, int id, const unsigned *sizes, unsigned nr)
{
	static const char *const names[] = {"a.x", "b.y", "c.z"};
	uint64_t stride = 1;
	for (unsigned i = nr; i-- > 0;) {
		sql(db, "INSERT INTO axis VALUES (%d, %u, '%s', %u, %llu)", id, i, names[i], sizes[i], stride);
		for (unsigned v = 0; v < sizes[i]; v++)
			sql(db, "INSERT INTO axis_value VALUES (%d, %u, %u, %u, '%s=%u')", id, i, v, v, names[i], v);
		stride *= sizes[i];
	}
	sql(db,
	    "INSERT INTO sweep (id, identity, name, evaluator, config, nr_points, planned) VALUES (%d, x'%02x', "
	    "'made', 'run', 'seed = 1;', %llu, %d)",
	    id, id, stride, id);
}

static inline void put_value(sqlite3 *db, int64_t run, const char *metric, double value)
{
	if (!isnan(value))
		sql(db, "UPDATE run SET %s = %!.17g WHERE id = %lld", metric, value, (long long)run);
}

/* Run `run` of the point at `position`; ids and rows come in no order that could matter. */
static inline void made_run(sqlite3 *db, int sweep, int64_t run, uint64_t position, const struct made_point *p)
{
	sql(db,
	    "INSERT INTO run (id, hash, program, state, message, chip, nr_cores, nr_threads, synthetic) VALUES "
	    "(%lld, x'%08llx', 1, %d, %s, %d, %d, 0, 0)",
	    (long long)run, (unsigned long long)run, p->state, p->state == RUN_FAILED ? "'it broke'" : "''",
	    p->nr_cores, p->nr_cores);
	sql(db, "INSERT INTO point VALUES (%d, %llu, %lld)", sweep, (unsigned long long)position, (long long)run);
	for (int m = 0; m < NR_RUN_METRICS && p->state == RUN_DONE; m++)
		put_value(db, run, run_metric_rows[m].name, p->values[m]);
}

/* A random store: values in 64ths, so that sums are exact and ties come up; some points fail, are planned, lack a
 * value, or are not there. `whole`: all are done. */
static inline void make_sweep(struct made_sweep *made, unsigned seed, const unsigned *sizes, unsigned nr, bool whole)
{
	struct sahm_err err;
	memset(made, 0, sizeof(*made));
	srand(seed);
	made->db = made_store();
	made_axes(made->db, 1, sizes, nr);
	made->nr_points = 1;
	for (unsigned i = 0; i < nr; i++)
		made->nr_points *= sizes[i];
	assert_true(made->nr_points <= MADE_POINTS);
	sql(made->db, "BEGIN");
	for (uint64_t i = made->nr_points; i-- > 0;) {
		struct made_point *p = &made->points[i];
		int luck = rand() % 20;
		p->is_there = whole || luck != 0;
		p->state = whole || luck > 2 ? RUN_DONE : luck == 1 ? RUN_FAILED : RUN_PLANNED;
		p->nr_cores = 1 + rand() % 16;
		for (int m = 0; m < NR_RUN_METRICS; m++) {
			int value = rand() % 64;
			bool has = p->state == RUN_DONE && (whole || rand() % 16);
			p->values[m] = has ? (value - 16) / 64.0 : NAN;
		}
		if (p->is_there)
			made_run(made->db, 1, (int64_t)(i * 7919 % 65537), i, p);
	}
	sql(made->db, "COMMIT");
	if (query_begin_db(&made->q, made->db, "made", 1, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static inline void end_sweep(struct made_sweep *made)
{
	query_release(&made->q);
	assert_int_equal(sqlite3_close(made->db), SQLITE_OK);
}

/* Whether a point has a part in an answer about `metric`. */
static inline bool counts(const struct made_point *p, enum run_metric metric)
{
	return p->is_there && p->state == RUN_DONE && !isnan(p->values[metric]);
}

/* The answer as JSON; its three forms can all be written. */
static inline json_t *json_of_answer(const struct query_answer *a)
{
	struct textbuf out, rest;
	json_error_t where;
	textbuf_init(&out);
	textbuf_init(&rest);
	assert_true(query_answer_json(a, &out));
	assert_true(query_answer_text(a, false, &rest) && query_answer_csv(a, &rest));
	json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &where);
	if (!root)
		fail_msg("line %d: %s\n%s", where.line, where.text, out.text);
	textbuf_release(&out);
	textbuf_release(&rest);
	return root;
}

static inline double json_number_of(const json_t *row, const char *key)
{
	const json_t *value = json_object_get(row, key);
	assert_non_null(value);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

#endif
