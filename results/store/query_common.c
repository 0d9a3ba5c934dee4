/* What questions share: statements, the walk over a sweep's points, headings and notes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/metrics/metric_text.h"
#include "results/metrics/trace_words.h"
#include "results/store/query_internal.h"
#include "results/store/store_internal.h"
#include "sim/base/clean.h"

/* What SQLite said. */
static enum sahm_status fail_of(const struct query *q, int code, struct sahm_err *err)
{
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return sahm_fail_nomem(err);
	case SQLITE_ERROR:
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_SCHEMA:
	case SQLITE_MISMATCH:
	case SQLITE_FORMAT:
	case SQLITE_TOOBIG:
	case SQLITE_AUTH:
		return query_damaged(q, err, "%s", sqlite3_errmsg(q->db));
	default:
		return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", q->file, sqlite3_errmsg(q->db));
	}
}

enum sahm_status query_prepare(const struct query *q, const char *sql, sqlite3_stmt **s, struct sahm_err *err)
{
	int code = sqlite3_prepare_v2(q->db, sql, -1, s, NULL);
	return code == SQLITE_OK ? SAHM_OK : fail_of(q, code, err);
}

enum sahm_status query_step(const struct query *q, sqlite3_stmt *s, bool *there, struct sahm_err *err)
{
	int code = sqlite3_step(s);
	*there = code == SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE ? SAHM_OK : fail_of(q, code, err);
}

enum sahm_status query_damaged(const struct query *q, struct sahm_err *err, const char *fmt, ...)
{
	char what[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return sahm_fail(err, SAHM_FORMAT, "results file '%s' is damaged: %s", q->file, what);
}

enum sahm_status query_count(const struct query *q, sqlite3_stmt *s, int column, uint64_t most, const char *what,
			     uint64_t *count, struct sahm_err *err)
{
	int64_t value = sqlite3_column_int64(s, column);
	if (sqlite3_column_type(s, column) != SQLITE_INTEGER || value < 0 || (uint64_t)value > most)
		return query_damaged(q, err, "%s is not possible", what);
	*count = (uint64_t)value;
	return SAHM_OK;
}

enum sahm_status query_string(const struct query *q, sqlite3_stmt *s, int column, struct arena *a, const char *what,
			      const char **text, struct sahm_err *err)
{
	if (sqlite3_column_type(s, column) != SQLITE_TEXT)
		return query_damaged(q, err, "%s is not a text", what);
	const char *there = (const char *)sqlite3_column_text(s, column);
	const char *copy = there ? arena_strdup(a, there) : NULL;
	if (!copy)
		return sahm_fail_nomem(err);
	*text = copy;
	return SAHM_OK;
}

double query_value(sqlite3_stmt *s, int column)
{
	int type = sqlite3_column_type(s, column);
	double value = sqlite3_column_double(s, column);
	return (type == SQLITE_FLOAT || type == SQLITE_INTEGER) && isfinite(value) ? value : NAN;
}

/* Columns of the walk in front of the metrics. */
enum {
	COLUMN_POSITION,
	COLUMN_RUN,
	COLUMN_STATE,
	COLUMN_SYNTHETIC,
	COLUMN_NOMINAL,
	COLUMN_CHIP,
	COLUMN_CORES,
	COLUMN_METRICS
};

static enum sahm_status prepare_walk(const struct query *q, const enum run_metric *metrics, uint32_t nr,
				     sqlite3_stmt **s, struct sahm_err *err)
{
	struct textbuf sql;
	textbuf_init(&sql);
	textbuf_puts(&sql, "SELECT p.position, r.id, r.state, r.synthetic, r.nominal_time, r.chip, r.nr_cores");
	/* Names of this program's own. */
	for (uint32_t i = 0; i < nr; i++)
		textbuf_printf(&sql, ", r.%s", run_metric_rows[metrics[i]].name);
	textbuf_puts(&sql, " FROM point p LEFT JOIN run r ON r.id = p.run WHERE p.sweep = ?1 ORDER BY p.position");
	enum sahm_status status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : query_prepare(q, sql.text, s, err);
	textbuf_release(&sql);
	if (status == SAHM_OK)
		sqlite3_bind_int64(*s, 1, q->sweep);
	return status;
}

static enum sahm_status read_row(const struct query *q, sqlite3_stmt *s, uint32_t nr, struct query_row *row,
				 struct sahm_err *err)
{
	uint64_t state = 0;
	enum sahm_status status =
		query_count(q, s, COLUMN_POSITION, INT64_MAX, "position of a point", &row->position, err);
	if (status == SAHM_OK && row->position >= q->nr_points)
		status = query_damaged(q, err, "position %" PRIu64 " of %" PRIu64 " is not possible", row->position,
				       q->nr_points);
	if (status == SAHM_OK && sqlite3_column_type(s, COLUMN_RUN) != SQLITE_INTEGER)
		status = query_damaged(q, err, "point %" PRIu64 " has no run", row->position);
	if (status == SAHM_OK)
		status = query_count(q, s, COLUMN_STATE, RUN_FAILED, "state of a run", &state, err);
	if (status != SAHM_OK)
		return status;
	row->run = sqlite3_column_int64(s, COLUMN_RUN);
	row->state = (enum run_state)state;
	row->synthetic = sqlite3_column_int64(s, COLUMN_SYNTHETIC) != 0;
	row->nominal = sqlite3_column_int64(s, COLUMN_NOMINAL) != 0;
	row->chip = sqlite3_column_type(s, COLUMN_CHIP) == SQLITE_INTEGER ? sqlite3_column_int64(s, COLUMN_CHIP) : 0;
	row->nr_cores = query_value(s, COLUMN_CORES);
	for (uint32_t i = 0; i < nr; i++)
		row->values[i] = row->state == RUN_DONE ? query_value(s, COLUMN_METRICS + (int)i) : NAN;
	return SAHM_OK;
}

bool query_is_chosen(const struct query *q, uint64_t position)
{
	for (uint32_t i = 0; i < q->nr_axes; i++)
		if (q->axes[i].chosen && !q->axes[i].chosen[query_value_at(&q->axes[i], position)])
			return false;
	return true;
}

enum sahm_status query_walk(const struct query *q, const enum run_metric *metrics, uint32_t nr,
			    enum sahm_status (*visit)(void *ctx, const struct query_row *row, struct sahm_err *err),
			    void *ctx, struct sahm_err *err)
{
	sqlite3_stmt *s;
	struct query_row row = {0};
	bool there = true, first = true;
	uint64_t last = 0;
	enum sahm_status status = prepare_walk(q, metrics, nr, &s, err);
	if (status != SAHM_OK)
		return status;
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		status = read_row(q, s, nr, &row, err);
		/* A damaged index can give rows twice, or out of order. */
		if (status == SAHM_OK && !first && row.position <= last)
			status = query_damaged(q, err, "point %" PRIu64 " is out of order", row.position);
		first = false;
		last = row.position;
		if (status == SAHM_OK && query_is_chosen(q, row.position))
			status = visit(ctx, &row, err);
	}
	sqlite3_finalize(s);
	return status;
}

void query_tally_row(struct query_tally *t, const struct query_row *row, bool has_value)
{
	t->nr_done += row->state == RUN_DONE;
	t->nr_planned += row->state == RUN_PLANNED;
	t->nr_failed += row->state == RUN_FAILED;
	t->nr_without += row->state == RUN_DONE && !has_value;
	t->nr_synthetic += row->state == RUN_DONE && row->synthetic;
	t->nr_nominal += row->state == RUN_DONE && row->nominal;
}

void query_begin_answer(const struct query *q, struct query_answer *a, const char *question)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, q->name);
	a->question = question;
	answer_fact(a, "sweep", NULL, text_cell(answer_keep(a, &b)));
	answer_fact(a, "evaluator", NULL, text_cell(q->evaluator));
}

void query_end_heading(const struct query *q, struct query_answer *a, const struct query_tally *t, const char *fmt, ...)
{
	char words[256];
	struct textbuf b;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	textbuf_init(&b);
	textbuf_printf(&b, "%s: %s", q->name, words);
	if (!textbuf_failed(&b))
		clean_text(b.text);
	textbuf_puts(&a->heading, b.text);
	textbuf_printf(&a->heading, "%s\n", trace_words_in_brackets(t->nr_synthetic > 0, t->nr_nominal > 0));
	a->failed |= textbuf_failed(&b);
	textbuf_release(&b);
	answer_fact(a, SYNTHETIC_KEY, NULL, flag_cell(t->nr_synthetic > 0));
	answer_fact(a, NOMINAL_KEY, NULL, flag_cell(t->nr_nominal > 0));
}

uint64_t query_nr_chosen(const struct query *q)
{
	uint64_t nr = q->nr_points;
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		const struct query_axis *x = &q->axes[i];
		uint64_t nr_values = 0;
		for (uint64_t v = 0; x->chosen && v < x->nr_values; v++)
			nr_values += x->chosen[v];
		if (x->chosen)
			nr = nr / x->nr_values * nr_values;
	}
	return nr;
}

void query_note_metric(struct query_answer *a, const struct query_tally *t, enum run_metric metric)
{
	const char *why = why_no_metric(run_metric_rows[metric].form);
	if (t->nr_without && why)
		answer_note(a, "%s", why);
}

void query_note_tally(const struct query *q, struct query_answer *a, const struct query_tally *t)
{
	uint64_t nr_chosen = query_nr_chosen(q), nr_there = t->nr_done + t->nr_planned + t->nr_failed;
	uint64_t nr_absent = nr_chosen > nr_there ? nr_chosen - nr_there : 0;
	if (t->nr_without)
		answer_note(a, "left out: %" PRIu64 " point%s without a value", t->nr_without,
			    t->nr_without == 1 ? "" : "s");
	if (t->nr_failed)
		answer_note(a, "left out: %" PRIu64 " point%s that failed", t->nr_failed, t->nr_failed == 1 ? "" : "s");
	if (t->nr_planned)
		answer_note(a, "left out: %" PRIu64 " point%s not yet done", t->nr_planned,
			    t->nr_planned == 1 ? "" : "s");
	if (nr_absent)
		answer_note(a, "left out: %" PRIu64 " point%s not in the results file", nr_absent,
			    nr_absent == 1 ? "" : "s");
	answer_fact(a, "points", NULL, count_cell(t->nr_done - t->nr_without));
	answer_fact(a, "without_value", NULL, count_cell(t->nr_without));
	answer_fact(a, "failed", NULL, count_cell(t->nr_failed));
	answer_fact(a, "planned", NULL, count_cell(t->nr_planned));
	answer_fact(a, "absent", NULL, count_cell(nr_absent));
}

void answer_axis_columns(const struct query *q, struct query_answer *a, struct query_table *t, unsigned where)
{
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		struct textbuf key;
		textbuf_init(&key);
		store_axis_column(q->axes[i].name, &key);
		answer_column(t, answer_keep(a, &key), q->axes[i].name, false, where);
		answer_fit(t, FIT_CUT_LAST);
	}
}

void answer_axis_cells(const struct query *q, struct query_answer *a, struct query_table *t, uint64_t position)
{
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		const struct query_label *label = &q->axes[i].labels[query_value_at(&q->axes[i], position)];
		answer_cell(
			a, t,
			(struct query_cell){.kind = label->is_number ? CELL_LITERAL : CELL_TEXT, .text = label->text});
	}
}

void query_write_label(const struct query_label *label, struct textbuf *out)
{
	bool is_list = strstr(label->text, ", ") != NULL;
	textbuf_printf(out, "%s%s%s", is_list ? "(" : "", label->text, is_list ? ")" : "");
}

void query_write_position(const struct query *q, uint64_t position, struct textbuf *out)
{
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		textbuf_printf(out, "%s%s=", i ? ", " : "", q->axes[i].name);
		query_write_label(&q->axes[i].labels[query_value_at(&q->axes[i], position)], out);
	}
}
