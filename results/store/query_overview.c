/* Overview of a results file. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results/metrics/trace_words.h"
#include "results/store/query_internal.h"
#include "results/store/store_internal.h"

/* Values of an axis that are shown for people: the first ones and the last. */
#define MAX_SHOWN_VALUES 6u

struct states {
	uint64_t nr[3];
	struct query_tally tally; /* of those that are done */
};

/* How many points of `sweep` have a run in each state, and of what traces. */
static enum sahm_status count_states(const struct query *q, int64_t sweep, struct states *n, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there = true;
	enum sahm_status status = query_prepare(q,
						"SELECT r.state, count(*), total(r.synthetic), total(r.nominal_time) "
						"FROM point p JOIN run r ON r.id = p.run WHERE p.sweep = ?1 "
						"GROUP BY r.state ORDER BY r.state",
						&s, err);
	*n = (struct states){.nr = {0}};
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, sweep);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		uint64_t state = 0;
		status = query_count(q, s, 0, RUN_FAILED, "state of a run", &state, err);
		if (status == SAHM_OK)
			status = query_count(q, s, 1, INT64_MAX, "number of runs", &n->nr[state], err);
		if (status == SAHM_OK && state == RUN_DONE) {
			n->tally.nr_synthetic = query_value(s, 2) > 0;
			n->tally.nr_nominal = query_value(s, 3) > 0;
		}
	}
	sqlite3_finalize(s);
	return status;
}

/* The versions of the programs whose runs a sweep has, joined by commas. */
static enum sahm_status add_programs(const struct query *q, int64_t sweep, struct query_answer *a,
				     struct query_table *t, struct sahm_err *err)
{
	struct textbuf b;
	struct arena words;
	sqlite3_stmt *s;
	bool there = true;
	enum sahm_status status = query_prepare(
		q,
		"SELECT version FROM program WHERE id IN (SELECT r.program FROM point p JOIN run r ON r.id = p.run "
		"WHERE p.sweep = ?1) ORDER BY version",
		&s, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&b);
	arena_init(&words);
	sqlite3_bind_int64(s, 1, sweep);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		const char *version = "";
		status = query_string(q, s, 0, &words, "version of a program", &version, err);
		textbuf_printf(&b, "%s%s", b.len ? ", " : "", version);
	}
	sqlite3_finalize(s);
	arena_release(&words);
	answer_cell(a, t, text_cell(answer_keep(a, &b)));
	return status;
}

static enum sahm_status add_sweeps(const struct query *q, struct query_answer *a, struct sahm_err *err)
{
	struct query_table *t = answer_table(a, "sweeps", NULL, IN_ALL | NO_TRACE_COLUMNS);
	sqlite3_stmt *s;
	bool there = true;
	enum sahm_status status =
		query_prepare(q, "SELECT id, name, evaluator, nr_points FROM sweep ORDER BY id", &s, err);
	if (status != SAHM_OK)
		return status;
	answer_column(t, "id", "sweep", false, IN_ALL);
	answer_column(t, "name", "name", true, IN_ALL);
	answer_column(t, "evaluator", "evaluator", true, IN_ALL);
	answer_column(t, "nr_points", "points", false, IN_ALL);
	answer_column(t, "done", "done", false, IN_ALL);
	answer_column(t, "failed", "failed", false, IN_ALL);
	answer_column(t, "planned", "planned", false, IN_ALL);
	answer_column(t, "absent", "absent", false, IN_ALL);
	answer_column(t, "programs", "made by", true, IN_ALL);
	/* In CSV, where no heading speaks for the one sweep that was asked about. */
	answer_column(t, SYNTHETIC_KEY, NULL, false, IN_CSV);
	answer_column(t, NOMINAL_KEY, NULL, false, IN_CSV);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		const char *name = "", *evaluator = "";
		uint64_t nr_points = 0, id = 0;
		struct states n;
		status = query_count(q, s, 0, INT64_MAX, "id of a sweep", &id, err);
		if (status == SAHM_OK)
			status = query_string(q, s, 1, &a->arena, "name of a sweep", &name, err);
		if (status == SAHM_OK)
			status = query_string(q, s, 2, &a->arena, "evaluator of a sweep", &evaluator, err);
		if (status == SAHM_OK)
			status = query_count(q, s, 3, INT64_MAX, "number of points", &nr_points, err);
		if (status == SAHM_OK)
			status = count_states(q, (int64_t)id, &n, err);
		if (status != SAHM_OK)
			break;
		answer_cell(a, t, count_cell(id));
		answer_cell(a, t, text_cell(name));
		answer_cell(a, t, text_cell(evaluator));
		answer_cell(a, t, count_cell(nr_points));
		answer_cell(a, t, count_cell(n.nr[RUN_DONE]));
		answer_cell(a, t, count_cell(n.nr[RUN_FAILED]));
		answer_cell(a, t, count_cell(n.nr[RUN_PLANNED]));
		/* Points of other shards. */
		uint64_t there_are = n.nr[RUN_DONE] + n.nr[RUN_FAILED] + n.nr[RUN_PLANNED];
		answer_cell(a, t, count_cell(nr_points > there_are ? nr_points - there_are : 0));
		status = add_programs(q, (int64_t)id, a, t, err);
		answer_cell(a, t, flag_cell(n.tally.nr_synthetic > 0));
		answer_cell(a, t, flag_cell(n.tally.nr_nominal > 0));
	}
	sqlite3_finalize(s);
	return status;
}

static void add_axes(const struct query *q, struct query_answer *a)
{
	struct query_table *t = answer_table(a, "axes", NULL, IN_TEXT | IN_JSON);
	struct query_table *values = answer_table(a, "values", NULL, IN_JSON);
	answer_column(t, "axis", "axis", true, IN_ALL);
	answer_column(t, "nr_values", "values", false, IN_ALL);
	answer_column(t, "shown", "which", true, IN_TEXT);
	answer_fit(t, FIT_CUT);
	answer_column(values, "axis", NULL, true, IN_ALL);
	answer_column(values, "value", NULL, true, IN_ALL);
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		const struct query_axis *x = &q->axes[i];
		struct textbuf b;
		textbuf_init(&b);
		for (uint64_t v = 0; v < x->nr_values; v++) {
			bool shown =
				x->nr_values <= MAX_SHOWN_VALUES || v + 2 < MAX_SHOWN_VALUES || v + 1 == x->nr_values;
			if (shown) {
				textbuf_puts(&b, v ? ", " : "");
				query_write_label(&x->labels[v], &b);
			} else if (v + 2 == x->nr_values) {
				textbuf_puts(&b, ", ...");
			}
			answer_cell(a, values, text_cell(x->name));
			answer_cell(a, values,
				    (struct query_cell){.kind = x->labels[v].is_number ? CELL_LITERAL : CELL_TEXT,
							.text = x->labels[v].text});
		}
		answer_cell(a, t, text_cell(x->name));
		answer_cell(a, t, count_cell(x->nr_values));
		answer_cell(a, t, text_cell(answer_keep(a, &b)));
	}
}

struct search {
	bool any;
	double best;
	uint64_t position;
	struct query_tally tally;
};

static enum sahm_status look(void *ctx, const struct query_row *row, struct sahm_err *err)
{
	struct search *s = ctx;
	double value = row->values[0];
	(void)err;
	query_tally_row(&s->tally, row, !isnan(value));
	if (!isnan(value) && (!s->any || value > s->best)) {
		s->any = true;
		s->best = value;
		s->position = row->position;
	}
	return SAHM_OK;
}

static enum sahm_status add_best(const struct query *q, struct query_answer *a, struct search *search,
				 struct sahm_err *err)
{
	enum run_metric metric;
	struct textbuf b;
	enum sahm_status status = query_usual_metric(q, &metric, err);
	if (status == SAHM_OK)
		status = query_walk(q, &metric, 1, look, search, err);
	if (status != SAHM_OK || !search->any)
		return status;
	textbuf_init(&b);
	query_write_position(q, search->position, &b);
	const char *where = answer_keep(a, &b);
	bool is_stp = metric == RUN_METRIC_stp;
	answer_fact(a, is_stp ? "best_stp" : "best_speedup_mean", is_stp ? "best stp" : "best speedup_mean",
		    metric_cell(run_metric_rows[metric].form, search->best));
	answer_fact(a, "best_position", "... at point", count_cell(search->position));
	answer_fact(a, NULL, *where ? "... which is" : NULL, text_cell(where));
	return SAHM_OK;
}

static enum sahm_status add_times(const struct query *q, struct query_answer *a, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	enum sahm_status status =
		query_prepare(q,
			      "SELECT count(*), total(wall_ns), total(cpu_ns), count(DISTINCT worker) FROM timing "
			      "WHERE run IN (SELECT run FROM point WHERE sweep = ?1)",
			      &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && there && query_value(s, 0) > 0) {
		double nr = query_value(s, 0), cpu_ns = query_value(s, 2);
		answer_fact(a, "runs_timed", NULL, plain_cell(nr));
		answer_fact(a, "wall_ns", "time of all runs", metric_cell(RUN_TIME, query_value(s, 1)));
		answer_fact(a, "cpu_ns", "processor time", metric_cell(RUN_TIME, cpu_ns));
		answer_fact(a, NULL, "... per run", metric_cell(RUN_TIME, cpu_ns / nr));
		answer_fact(a, "workers", "workers", plain_cell(query_value(s, 3)));
	}
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status has_table(const struct query *q, const char *name, bool *has, struct sahm_err *err)
{
	sqlite3_stmt *s;
	enum sahm_status status =
		query_prepare(q, "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1", &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
	status = query_step(q, s, has, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status query_seconds(const struct query *q, uint64_t *nr, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	*nr = 0;
	enum sahm_status status = has_table(q, "second_result", &there, err);
	if (status != SAHM_OK || !there)
		return status;
	status = query_prepare(q, store_count_seconds_sql, &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && there)
		status = query_count(q, s, 0, INT64_MAX, "number of second results", nr, err);
	sqlite3_finalize(s);
	return status;
}

static enum sahm_status add_seconds(const struct query *q, struct query_answer *a, struct sahm_err *err)
{
	uint64_t nr;
	enum sahm_status status = query_seconds(q, &nr, err);
	if (status != SAHM_OK || nr == 0)
		return status;
	answer_fact(a, "runs_with_second_results", NULL, count_cell(nr));
	answer_note(a, QUERY_SECONDS, nr, query_seconds_words(nr));
	return SAHM_OK;
}

static enum sahm_status read_origin(const struct query *q, sqlite3_stmt *s, struct query_answer *a,
				    struct sahm_err *err)
{
	const char *name, *origin;
	enum counter c;
	enum sahm_status status = query_string(q, s, 0, &a->arena, "name of a counter", &name, err);
	if (status == SAHM_OK)
		status = query_string(q, s, 1, &a->arena, "origin of a counter", &origin, err);
	if (status != SAHM_OK)
		return status;
	unsigned i = 0;
	while (i < NR_COUNTER_ORIGINS && strcmp(origin, counter_origin_name(i)) != 0)
		i++;
	if (!counter_find(name, strlen(name), &c) || i == NR_COUNTER_ORIGINS)
		return query_damaged(q, err, "origin of a counter is not possible");
	a->origins.of[i] |= (uint16_t)(1u << c);
	return SAHM_OK;
}

static enum sahm_status read_origins(const struct query *q, struct query_answer *a, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	enum sahm_status status = has_table(q, "counter_origin", &there, err);
	if (status != SAHM_OK || !there)
		return status;
	status = query_prepare(q, "SELECT counter, origin FROM counter_origin WHERE sweep = ?1", &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there)
		status = read_origin(q, s, a, err);
	sqlite3_finalize(s);
	return status;
}

const char *query_origins_words(struct query_answer *a)
{
	struct textbuf b;
	textbuf_init(&b);
	trace_words_origins(a->origins, &b);
	if (b.len)
		textbuf_puts(&b, " (in one trace or more)");
	return answer_keep(a, &b);
}

enum sahm_status query_overview(struct query *q, struct query_answer *a, struct sahm_err *err)
{
	struct search search = {0};
	query_begin_answer(q, a, "overview");
	enum sahm_status status = add_best(q, a, &search, err);
	if (status == SAHM_OK)
		status = add_times(q, a, err);
	if (status == SAHM_OK)
		status = add_sweeps(q, a, err);
	if (status != SAHM_OK)
		return status;
	answer_fact(a, "sweep_id", NULL, count_cell((uint64_t)q->sweep));
	query_end_heading(q, a, &search.tally, "sweep %" PRId64 ", %" PRIu64 " points", q->sweep, q->nr_points);
	add_axes(q, a);
	status = add_seconds(q, a, err);
	if (status == SAHM_OK)
		status = read_origins(q, a, err);
	const char *origins = query_origins_words(a);
	if (*origins)
		answer_note(a, "not all counts were measured: %s", origins);
	answer_note(a, "more: sahm query RESULTS best, worst, axes, pareto, point, failed, missing, threads, config");
	return status;
}
