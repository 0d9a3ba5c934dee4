#include "results/store/query.h"

#include <stdlib.h>
#include <string.h>

#include "results/metrics/metric_text.h"
#include "results/store/query_internal.h"
#include "results/store/store_internal.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"

/* Most values of all axes; more than a sweep can have. */
#define MAX_VALUES (UINT64_C(1) << 24)

static enum sahm_status read_label(const struct query *q, sqlite3_stmt *s, int column, struct arena *a,
				   struct query_label *label, struct sahm_err *err)
{
	int type = sqlite3_column_type(s, column);
	double value = sqlite3_column_double(s, column), read;
	if (type == SQLITE_FLOAT) {
		struct textbuf b;
		textbuf_init(&b);
		if (value - value == 0)
			number_write_double(&b, value, 0);
		else
			textbuf_puts(&b, "-");
		label->text = textbuf_failed(&b) ? NULL : arena_strndup(a, b.text, b.len);
		textbuf_release(&b);
		label->is_number = value - value == 0;
		return label->text ? SAHM_OK : sahm_fail_nomem(err);
	}
	if (type == SQLITE_NULL || type == SQLITE_BLOB)
		return query_damaged(q, err, "an axis' value has no label");
	const char *text = (const char *)sqlite3_column_text(s, column);
	label->text = text ? arena_strdup(a, text) : NULL;
	label->is_number = type == SQLITE_INTEGER && text && number_read_double(text, &read) == NUMBER_OK;
	return label->text ? SAHM_OK : sahm_fail_nomem(err);
}

/* As many rows as an axis says that it has values, or it is not believed. */
static enum sahm_status check_nr_values(const struct query *q, uint32_t axis, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	uint64_t nr = 0;
	enum sahm_status status =
		query_prepare(q, "SELECT count(*) FROM axis_value WHERE sweep = ?1 AND axis = ?2", &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	sqlite3_bind_int64(s, 2, axis);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && there)
		status = query_count(q, s, 0, MAX_VALUES, "number of values", &nr, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK && nr != q->axes[axis].nr_values)
		status = query_damaged(q, err, "the values of axis '%s' are not all there", q->axes[axis].name);
	return status;
}

static enum sahm_status read_labels(struct query *q, uint32_t axis, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there = true;
	struct query_axis *x = &q->axes[axis];
	uint64_t expected = 0, value;
	enum sahm_status status = check_nr_values(q, axis, err);
	if (status != SAHM_OK)
		return status;
	x->labels = arena_alloc(&q->arena, x->nr_values, sizeof(*x->labels));
	if (!x->labels)
		return sahm_fail_nomem(err);
	status = query_prepare(q, "SELECT value, label FROM axis_value WHERE sweep = ?1 AND axis = ?2 ORDER BY value",
			       &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	sqlite3_bind_int64(s, 2, axis);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		status = query_count(q, s, 0, x->nr_values - 1, "number of an axis' value", &value, err);
		if (status == SAHM_OK && (value != expected || value >= x->nr_values))
			status = query_damaged(q, err, "the values of axis '%s' are not all there", x->name);
		if (status == SAHM_OK)
			status = read_label(q, s, 1, &q->arena, &x->labels[expected++], err);
	}
	sqlite3_finalize(s);
	if (status == SAHM_OK && expected != x->nr_values)
		status = query_damaged(q, err, "the values of axis '%s' are not all there", x->name);
	return status;
}

static enum sahm_status read_axes(struct query *q, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there = true;
	enum sahm_status status = query_prepare(
		q, "SELECT axis, name, nr_values, stride FROM axis WHERE sweep = ?1 ORDER BY axis", &s, err);
	if (status != SAHM_OK)
		return status;
	q->axes = arena_alloc(&q->arena, MAX_QUERY_AXES, sizeof(*q->axes));
	if (!q->axes)
		status = sahm_fail_nomem(err);
	sqlite3_bind_int64(s, 1, q->sweep);
	while (status == SAHM_OK && (status = query_step(q, s, &there, err)) == SAHM_OK && there) {
		struct query_axis *x = &q->axes[q->nr_axes];
		uint64_t number;
		if (q->nr_axes == MAX_QUERY_AXES) {
			status = query_damaged(q, err, "there are more than %u axes", MAX_QUERY_AXES);
			break;
		}
		status = query_count(q, s, 0, MAX_QUERY_AXES - 1, "number of an axis", &number, err);
		if (status == SAHM_OK && number != q->nr_axes)
			status = query_damaged(q, err, "axis %u is not there", q->nr_axes);
		if (status == SAHM_OK)
			status = query_string(q, s, 1, &q->arena, "name of an axis", &x->name, err);
		if (status == SAHM_OK)
			status = query_count(q, s, 2, MAX_VALUES, "number of values", &x->nr_values, err);
		if (status == SAHM_OK)
			status = query_count(q, s, 3, INT64_MAX, "stride of an axis", &x->stride, err);
		if (status == SAHM_OK && (x->nr_values == 0 || x->stride == 0))
			status = query_damaged(q, err, "axis '%s' has no values, or a stride of 0", x->name);
		q->nr_axes++;
	}
	sqlite3_finalize(s);
	for (uint32_t i = 0; i < q->nr_axes && status == SAHM_OK; i++)
		status = read_labels(q, i, err);
	return status;
}

static enum sahm_status read_sweep(struct query *q, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	enum sahm_status status =
		query_prepare(q, "SELECT name, evaluator, nr_points FROM sweep WHERE id = ?1", &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && !there)
		status = query_damaged(q, err, "there is no sweep %lld", (long long)q->sweep);
	if (status == SAHM_OK)
		status = query_string(q, s, 0, &q->arena, "name of a sweep", &q->name, err);
	if (status == SAHM_OK)
		status = query_string(q, s, 1, &q->arena, "evaluator of a sweep", &q->evaluator, err);
	if (status == SAHM_OK)
		status = query_count(q, s, 2, INT64_MAX, "number of points", &q->nr_points, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status query_begin_db(struct query *q, struct sqlite3 *db, const char *file, int64_t sweep,
				struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	*q = (struct query){.db = db, .file = file, .sweep = sweep, .name = "", .evaluator = ""};
	arena_init(&q->arena);
	/* Later writes do not change what is read here. */
	if (sqlite3_get_autocommit(db)) {
		enum sahm_status status = query_prepare(q, "BEGIN", &s, err);
		if (status == SAHM_OK) {
			status = query_step(q, s, &there, err);
			sqlite3_finalize(s);
		}
		if (status != SAHM_OK)
			return status;
		q->in_transaction = true;
	}
	enum sahm_status status = read_sweep(q, err);
	return status == SAHM_OK ? read_axes(q, err) : status;
}

enum sahm_status query_begin(struct query *q, struct store *store, const char *file, const char *which,
			     struct sahm_err *err)
{
	int64_t sweep;
	enum sahm_status status = store_find_sweep(store, which, &sweep, err);
	if (status == SAHM_OK)
		status = query_begin_db(q, store_db(store), file, sweep, err);
	else
		*q = (struct query){.name = ""};
	q->which = which;
	return status;
}

void query_release(struct query *q)
{
	if (q->in_transaction)
		sqlite3_exec(q->db, "ROLLBACK", NULL, NULL, NULL);
	for (uint32_t i = 0; i < q->nr_axes; i++)
		q->axes[i].chosen = NULL;
	arena_release(&q->arena);
	*q = (struct query){.name = ""};
}

/* Whether `word` is the last part of the name "a.b.word". */
static bool is_last_part(const char *name, const char *word, size_t len)
{
	const char *dot = strrchr(name, '.');
	return dot && strlen(dot + 1) == len && memcmp(dot + 1, word, len) == 0;
}

/* The axis whose name, or only the last part of it, precedes a '=' in `text`; that is put into
 * *equals. */
static struct query_axis *find_axis(const struct query *q, const char *text, const char **equals)
{
	struct query_axis *found = NULL;
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		size_t len = strlen(q->axes[i].name);
		/* A name can hold a '=': the longest that fits is meant. */
		if (strncmp(text, q->axes[i].name, len) == 0 && text[len] == '=' && (!found || text + len > *equals)) {
			found = &q->axes[i];
			*equals = text + len;
		}
	}
	if (found)
		return found;
	*equals = strchr(text, '=');
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		if (!is_last_part(q->axes[i].name, text, (size_t)(*equals - text)))
			continue;
		if (found)
			return NULL;
		found = &q->axes[i];
	}
	return found;
}

/* The axis closest to `word` by its name, or only by its last part. */
static void suggest_axis(const struct query *q, const char *word, struct suggest *near)
{
	suggest_init(near, word);
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		const char *dot = strrchr(q->axes[i].name, '.');
		suggest_offer(near, q->axes[i].name);
		if (dot)
			suggest_offer(near, dot + 1);
		if (dot && near->best == dot + 1)
			near->best = q->axes[i].name;
	}
}

static bool is_label(const struct query_label *label, const char *text)
{
	double a, b;
	if (strcmp(label->text, text) == 0)
		return true;
	return label->is_number && number_read_double(label->text, &a) == NUMBER_OK &&
	       number_read_double(text, &b) == NUMBER_OK && a == b;
}

enum sahm_status query_where(struct query *q, const char *text, struct sahm_err *err)
{
	struct suggest near;
	char suggestion[SUGGEST_BYTES];
	const char *equals = strchr(text, '=');
	bool found = false;
	if (!equals)
		return sahm_fail(err, SAHM_USAGE, "'%s' is not AXIS=VALUE", text);
	struct query_axis *x = find_axis(q, text, &equals);
	if (!x) {
		char *word = arena_strndup(&q->arena, text, (size_t)(equals - text));
		if (!word)
			return sahm_fail_nomem(err);
		suggest_axis(q, word, &near);
		return sahm_fail(err, SAHM_USAGE, "the sweep has no axis '%s'%s", word,
				 suggest_text(&near, suggestion));
	}
	if (!x->chosen)
		x->chosen = arena_alloc(&q->arena, x->nr_values, sizeof(*x->chosen));
	if (!x->chosen)
		return sahm_fail_nomem(err);
	suggest_init(&near, equals + 1);
	for (uint64_t v = 0; v < x->nr_values; v++) {
		bool is_it = is_label(&x->labels[v], equals + 1);
		x->chosen[v] |= is_it;
		found |= is_it;
		if (x->nr_values <= 4096)
			suggest_offer(&near, x->labels[v].text);
	}
	if (!found)
		return sahm_fail(err, SAHM_USAGE, "axis '%s' has no value '%s'%s", x->name, equals + 1,
				 suggest_text(&near, suggestion));
	return SAHM_OK;
}

enum sahm_status query_usual_metric(const struct query *q, enum run_metric *metric, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	/* Threads that have the chip to themselves, one after the other, always run. */
	enum sahm_status status = query_prepare(
		q,
		"SELECT 1 FROM run r WHERE nr_threads > nr_cores AND running_share < 1 AND "
		"id IN (SELECT run FROM point WHERE sweep = ?1) AND " QUERY_NR_AWAKE " > nr_cores LIMIT 1",
		&s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	status = query_step(q, s, &there, err);
	*metric = status == SAHM_OK && there ? RUN_METRIC_stp : RUN_METRIC_speedup_mean;
	sqlite3_finalize(s);
	return status;
}

enum sahm_status query_note_sharing(const struct query *q, enum run_form form, struct query_answer *a,
				    struct sahm_err *err)
{
	enum run_metric usual = RUN_METRIC_speedup_mean;
	enum sahm_status status = form == RUN_SPEEDUP ? query_usual_metric(q, &usual, err) : SAHM_OK;
	if (status == SAHM_OK && usual == RUN_METRIC_stp)
		answer_note(a, "%s", why_below_zero);
	return status;
}

enum sahm_status query_metric(const char *name, enum run_metric *metric, struct sahm_err *err)
{
	struct suggest near;
	char suggestion[SUGGEST_BYTES];
	suggest_init(&near, name);
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		if (strcmp(run_metric_rows[m].name, name) == 0) {
			*metric = (enum run_metric)m;
			return SAHM_OK;
		}
		suggest_offer(&near, run_metric_rows[m].name);
	}
	return sahm_fail(err, SAHM_USAGE, "unknown metric '%s'%s", name,
			 suggest_or(&near, "sahm help results lists them", suggestion));
}
