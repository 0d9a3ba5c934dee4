/* One point: its settings, its results, and how to repeat it. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results/metrics/metric_text.h"
#include "results/store/query_internal.h"
#include "results/store/store_schema.h"
#include "sim/base/shell.h"

/* Where metrics begin in the row of a run. */
enum {
	COLUMN_ID,
	COLUMN_STATE,
	COLUMN_MESSAGE,
	COLUMN_SYNTHETIC,
	COLUMN_NOMINAL,
	COLUMN_CORES,
	COLUMN_THREADS,
	COLUMN_CHIP,
	COLUMN_AWAKE,
	COLUMN_METRICS
};

struct about {
	const struct query *q;
	uint64_t position;
	int64_t run;
	struct query_answer *a;
	bool has_energy;
};

static void add_settings(const char *lines, struct textbuf *command, struct about *p, struct query_table *t,
			 const char *axis)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");
		if (len > 0) {
			struct textbuf b;
			textbuf_puts(command, " --set ");
			shell_write(command, lines, len);
			textbuf_init(&b);
			textbuf_add(&b, lines, len);
			answer_cell(p->a, t, text_cell(axis));
			answer_cell(p->a, t, text_cell(answer_keep(p->a, &b)));
		}
		lines += len + (lines[len] == '\n');
	}
}

/* Values on all axes, with the settings that they stand for; and the command with which a run is made again. */
static enum sahm_status add_axes(struct about *p, struct sahm_err *err)
{
	const struct query *q = p->q;
	struct query_table *t = answer_table(p->a, "settings", NULL, IN_JSON);
	struct textbuf command;
	sqlite3_stmt *s;
	bool there;
	enum sahm_status status = query_prepare(
		q, "SELECT settings FROM axis_value WHERE sweep = ?1 AND axis = ?2 AND value = ?3", &s, err);
	if (status != SAHM_OK)
		return status;
	answer_column(t, "axis", NULL, true, IN_ALL);
	answer_column(t, "setting", NULL, true, IN_ALL);
	textbuf_init(&command);
	textbuf_puts(&command, "sahm run sweep.cfg");
	for (uint32_t i = 0; i < q->nr_axes && status == SAHM_OK; i++) {
		const struct query_axis *x = &q->axes[i];
		uint64_t value = query_value_at(x, p->position);
		const char *settings = "";
		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, q->sweep);
		sqlite3_bind_int64(s, 2, i);
		sqlite3_bind_int64(s, 3, (int64_t)value);
		status = query_step(q, s, &there, err);
		if (status == SAHM_OK && !there)
			status = query_damaged(q, err, "the values of axis '%s' are not all there", x->name);
		if (status == SAHM_OK)
			status = query_string(q, s, 0, &p->a->arena, "settings of a value", &settings, err);
		answer_fact(p->a, NULL, x->name, text_cell(x->labels[value].text));
		add_settings(settings, &command, p, t, x->name);
	}
	sqlite3_finalize(s);
	const char *words = answer_keep(p->a, &command);
	if (strcmp(q->evaluator, "run") == 0)
		answer_fact(p->a, "command", NULL, text_cell(words));
	return status;
}

/* Low and high of the interval of metric `which`; NAN where there is none, and of times and waits: they are of all
 * samples together (run_samples_put_means()), and the interval is of a mean. */
static enum sahm_status read_interval(const struct about *p, sqlite3_stmt *s, int which, double bounds[2],
				      struct sahm_err *err)
{
	bool there;
	enum run_form form = run_metric_rows[which].form;
	bounds[0] = bounds[1] = NAN;
	if (form == RUN_TIME || form == RUN_WAIT)
		return SAHM_OK;
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, p->run);
	sqlite3_bind_text(s, 2, run_metric_rows[which].name, -1, SQLITE_STATIC);
	enum sahm_status status = query_step(p->q, s, &there, err);
	bounds[0] = status == SAHM_OK && there ? query_value(s, 0) : NAN;
	bounds[1] = status == SAHM_OK && there ? query_value(s, 1) : NAN;
	return status;
}

static enum sahm_status add_metrics(struct about *p, sqlite3_stmt *run, struct sahm_err *err)
{
	struct query_table *t = answer_table(p->a, "metrics", NULL, IN_ALL);
	double bounds[NR_RUN_METRICS][2];
	bool has_intervals = false;
	sqlite3_stmt *s;
	enum sahm_status status =
		query_prepare(p->q, "SELECT low, high FROM interval WHERE run = ?1 AND metric = ?2", &s, err);
	if (status != SAHM_OK)
		return status;
	for (int m = 0; m < NR_RUN_METRICS && status == SAHM_OK; m++) {
		status = read_interval(p, s, m, bounds[m], err);
		has_intervals |= !isnan(bounds[m][0]) || !isnan(bounds[m][1]);
	}
	sqlite3_finalize(s);
	unsigned where = has_intervals ? IN_ALL : IN_ALL & ~IN_TEXT;
	answer_column(t, "metric", "metric", true, IN_ALL);
	answer_column(t, "value", "value", false, IN_ALL);
	answer_column(t, "low", "low (95 %)", false, where);
	answer_column(t, "high", "high (95 %)", false, where);
	for (int m = 0; m < NR_RUN_METRICS && status == SAHM_OK; m++) {
		double value = query_value(run, COLUMN_METRICS + m);
		/* Waits that nobody had are left out, and energy that is not known. */
		if (why_no_metric(run_metric_rows[m].form) && isnan(value))
			continue;
		p->has_energy |= run_metric_rows[m].form == RUN_ENERGY;
		answer_cell(p->a, t, text_cell(run_metric_rows[m].name));
		answer_cell(p->a, t, metric_cell(run_metric_rows[m].form, value));
		answer_cell(p->a, t, metric_cell(run_metric_rows[m].form, bounds[m][0]));
		answer_cell(p->a, t, metric_cell(run_metric_rows[m].form, bounds[m][1]));
	}
	return status;
}

static enum sahm_status add_threads(struct about *p, struct sahm_err *err)
{
	enum { NR_ENERGY = 5 };
	static const struct {
		const char *name, *words;
	} energy[NR_ENERGY] = {{"energy_j", "energy, J"},
			       {"instruction_nj", "nJ/instr."},
			       {"power_w", "mean W"},
			       {"edp", "EDP"},
			       {"ed2p", "ED2P"}};
	struct query_table *t = answer_table(p->a, "threads", NULL, IN_TEXT | IN_JSON);
	sqlite3_stmt *s;
	bool there = true;
	enum sahm_status status =
		query_prepare(p->q,
			      "SELECT coalesce(n.name, ''), t.speedup, t.served_share, "
			      "t.matched_share, t.migrations, t.completed_ns, "
			      "t.present_ns, t.energy_j, t.instruction_nj, " STORE_THREAD_POWER_W ", " STORE_THREAD_EDP
			      ", " STORE_THREAD_ED2P " FROM thread t LEFT JOIN thread_name n ON n.id = t.name "
			      "WHERE t.run = ?1 ORDER BY t.thread",
			      &s, err);
	if (status != SAHM_OK)
		return status;
	answer_column(t, "name", "thread", true, IN_ALL);
	answer_column(t, "speedup", "speedup", false, IN_ALL);
	answer_column(t, "served_share", "served", false, IN_ALL);
	answer_column(t, "matched_share", "matched", false, IN_ALL);
	answer_column(t, "migrations", "migrations", false, IN_ALL);
	answer_column(t, "completed_ns", "baseline time", false, IN_ALL);
	answer_column(t, "present_ns", "present", false, IN_ALL);
	for (int i = 0; i < NR_ENERGY && p->has_energy; i++)
		answer_column(t, energy[i].name, energy[i].words, false, IN_ALL);
	sqlite3_bind_int64(s, 1, p->run);
	while (status == SAHM_OK && (status = query_step(p->q, s, &there, err)) == SAHM_OK && there) {
		const char *name = "";
		status = query_string(p->q, s, 0, &p->a->arena, "name of a thread", &name, err);
		answer_cell(p->a, t, text_cell(name));
		answer_cell(p->a, t, metric_cell(RUN_SPEEDUP, query_value(s, 1)));
		answer_cell(p->a, t, metric_cell(RUN_SHARE, query_value(s, 2)));
		answer_cell(p->a, t, metric_cell(RUN_SHARE, query_value(s, 3)));
		answer_cell(p->a, t, plain_cell(query_value(s, 4)));
		answer_cell(p->a, t, metric_cell(RUN_TIME, query_value(s, 5)));
		answer_cell(p->a, t, metric_cell(RUN_TIME, query_value(s, 6)));
		for (int i = 0; i < NR_ENERGY && p->has_energy; i++)
			answer_cell(p->a, t, metric_cell(RUN_ENERGY, query_value(s, 7 + i)));
	}
	sqlite3_finalize(s);
	return status;
}

/* Where threads share cores, speedups are far below zero, however good the chip is. */
static void explain_speedups(struct about *p, sqlite3_stmt *s)
{
	double cores = query_value(s, COLUMN_CORES), awake = query_value(s, COLUMN_AWAKE);
	struct textbuf b;
	if (!(awake > cores && cores > 0 && query_value(s, COLUMN_METRICS + RUN_METRIC_running_share) < 1))
		return;
	textbuf_init(&b);
	textbuf_printf(&b, "%.3g threads awake on average on %.0f core%s: fair shares give each %+.2f %%", awake, cores,
		       cores == 1 ? "" : "s", (cores / awake - 1) * 100);
	answer_fact(p->a, NULL, "speedups", text_cell(answer_keep(p->a, &b)));
}

static enum sahm_status add_run(struct about *p, sqlite3_stmt *s, struct sahm_err *err)
{
	static const char *const states[] = {"planned", "done", "failed"};
	uint64_t state = 0;
	const char *message = NULL, *chip = NULL;
	struct query_tally tally = {0};
	enum sahm_status status = SAHM_OK;
	if (sqlite3_column_type(s, COLUMN_ID) != SQLITE_INTEGER)
		return query_damaged(p->q, err, "point %" PRIu64 " has no run", p->position);
	p->run = sqlite3_column_int64(s, COLUMN_ID);
	status = query_count(p->q, s, COLUMN_STATE, RUN_FAILED, "state of a run", &state, err);
	if (status == SAHM_OK && sqlite3_column_type(s, COLUMN_MESSAGE) != SQLITE_NULL)
		status = query_string(p->q, s, COLUMN_MESSAGE, &p->a->arena, "message of a run", &message, err);
	if (status == SAHM_OK && sqlite3_column_type(s, COLUMN_CHIP) != SQLITE_NULL)
		status = query_string(p->q, s, COLUMN_CHIP, &p->a->arena, "name of a chip", &chip, err);
	if (status != SAHM_OK)
		return status;
	tally.nr_synthetic = sqlite3_column_int64(s, COLUMN_SYNTHETIC) != 0;
	tally.nr_nominal = sqlite3_column_int64(s, COLUMN_NOMINAL) != 0;
	message = message && *message ? message : NULL;
	query_end_heading(p->q, p->a, &tally, "point %" PRIu64 ", %s", p->position, states[state]);
	answer_fact(p->a, "position", NULL, count_cell(p->position));
	answer_fact(p->a, "state", NULL, text_cell(states[state]));
	answer_fact(p->a, "message", message ? (state == RUN_FAILED ? "failed because" : "remarks") : NULL,
		    text_cell(message));
	answer_fact(p->a, "made_of", chip ? "chip made of" : NULL, text_cell(chip));
	answer_fact(p->a, "nr_cores", chip ? "cores" : NULL, plain_cell(query_value(s, COLUMN_CORES)));
	status = add_axes(p, err);
	if (state == RUN_DONE)
		explain_speedups(p, s);
	if (status == SAHM_OK && state == RUN_DONE)
		status = add_metrics(p, s, err);
	if (status == SAHM_OK && state == RUN_DONE)
		status = add_threads(p, err);
	return status;
}

/* How to make the run again stands last, where it is in sight. */
static void note_command(const struct about *p)
{
	for (unsigned i = 0; i < p->a->nr_facts; i++) {
		const struct query_fact *f = &p->a->facts[i];
		if (!f->key || strcmp(f->key, "command") != 0)
			continue;
		struct textbuf b;
		textbuf_init(&b);
		textbuf_puts(&b, "repeat it: sahm query ");
		shell_write_file(&b, p->q->file);
		textbuf_puts(&b, " config");
		if (p->q->which) {
			textbuf_puts(&b, " --sweep ");
			shell_write_word(&b, p->q->which);
		}
		textbuf_printf(&b, " > sweep.cfg\n           %s\n", f->cell.text);
		for (size_t k = 0; k < b.len && !textbuf_failed(&b); k++)
			if (b.text[k] != '\n' && ((unsigned char)b.text[k] < 0x20 || b.text[k] == 0x7f))
				b.text[k] = '?';
		textbuf_puts(&p->a->notes, b.text);
		p->a->failed |= textbuf_failed(&b);
		textbuf_release(&b);
	}
}

enum sahm_status query_point(struct query *q, uint64_t position, struct query_answer *a, struct sahm_err *err)
{
	struct about p = {.q = q, .position = position, .a = a};
	struct textbuf sql;
	sqlite3_stmt *s;
	bool there;
	if (position >= q->nr_points)
		return sahm_fail(err, SAHM_USAGE, "there is no point %" PRIu64 ": the sweep has %" PRIu64, position,
				 q->nr_points);
	query_begin_answer(q, a, "point");
	textbuf_init(&sql);
	textbuf_puts(
		&sql,
		"SELECT r.id, r.state, r.message, r.synthetic, r.nominal_time, r.nr_cores, r.nr_threads, c.name, " QUERY_NR_AWAKE);
	for (int m = 0; m < NR_RUN_METRICS; m++)
		textbuf_printf(&sql, ", r.%s", run_metric_rows[m].name);
	textbuf_puts(&sql, " FROM point p LEFT JOIN run r ON r.id = p.run LEFT JOIN chip c ON c.id = r.chip "
			   "WHERE p.sweep = ?1 AND p.position = ?2");
	enum sahm_status status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : query_prepare(q, sql.text, &s, err);
	textbuf_release(&sql);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	sqlite3_bind_int64(s, 2, (int64_t)position);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && !there)
		status = sahm_fail(err, SAHM_RANGE,
				   "point %" PRIu64 " is not in the results file: another part of the sweep has it",
				   position);
	if (status == SAHM_OK)
		status = add_run(&p, s, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK)
		note_command(&p);
	return status;
}

enum sahm_status query_config(struct query *q, struct textbuf *out, struct sahm_err *err)
{
	struct arena a;
	sqlite3_stmt *s;
	bool there;
	const char *text = "";
	enum sahm_status status = query_prepare(q, "SELECT config FROM sweep WHERE id = ?1", &s, err);
	if (status != SAHM_OK)
		return status;
	arena_init(&a);
	sqlite3_bind_int64(s, 1, q->sweep);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && !there)
		status = query_damaged(q, err, "there is no sweep %" PRId64, q->sweep);
	if (status == SAHM_OK)
		status = query_string(q, s, 0, &a, "configuration of a sweep", &text, err);
	textbuf_puts(out, text);
	if (*text && text[strlen(text) - 1] != '\n')
		textbuf_putc(out, '\n');
	sqlite3_finalize(s);
	arena_release(&a);
	return status;
}

enum sahm_status query_identity(const struct query *q, struct textbuf *out, struct sahm_err *err)
{
	sqlite3_stmt *s;
	bool there;
	enum sahm_status status = query_prepare(q, "SELECT identity FROM sweep WHERE id = ?1", &s, err);
	if (status != SAHM_OK)
		return status;
	sqlite3_bind_int64(s, 1, q->sweep);
	status = query_step(q, s, &there, err);
	if (status == SAHM_OK && (!there || sqlite3_column_type(s, 0) != SQLITE_BLOB))
		status = query_damaged(q, err, "the sweep has no identity");
	const unsigned char *bytes = status == SAHM_OK ? sqlite3_column_blob(s, 0) : NULL;
	for (int i = 0; bytes && i < sqlite3_column_bytes(s, 0); i++)
		textbuf_printf(out, "%02x", bytes[i]);
	sqlite3_finalize(s);
	return status;
}
