#include <string.h>

#include "results/metrics/table.h"
#include "sim/base/units.h"
#include "sim/cli/queue_look.h"
#include "sim/cli/sweep_progress.h"
#include "sim/cli/sweep_summary.h"
#include "sim/engine/model.h"

/* Digits of an id that are shown: enough to tell one from another. */
#define ID_DIGITS 12
/* Letters of names and hosts that are shown. */
#define NAME_LETTERS 40

void write_number_of(uint64_t nr, const char *word, struct textbuf *out)
{
	write_count(nr, out);
	textbuf_printf(out, " %s%s", word, nr == 1 ? "" : "s");
}

static void cell_count(struct table *t, uint64_t nr)
{
	struct textbuf text;
	textbuf_init(&text);
	write_count(nr, &text);
	table_cell_text(t, &text);
	textbuf_release(&text);
}

static void cell_duration(struct table *t, double seconds)
{
	struct textbuf text;
	textbuf_init(&text);
	write_duration(seconds < 0 ? 0 : seconds, &text);
	table_cell_text(t, &text);
	textbuf_release(&text);
}

static void write_rate(double rate, struct textbuf *out)
{
	textbuf_printf(out, rate < 9.95 ? "%.1f/s" : "%.0f/s", rate);
}

static void cell_rate(struct table *t, double rate)
{
	struct textbuf text;
	textbuf_init(&text);
	write_rate(rate, &text);
	table_cell_text(t, &text);
	textbuf_release(&text);
}

static void begin_table(struct table *t, const char *const *headings, unsigned left)
{
	table_init(t);
	t->left = left;
	table_row(t, false);
	for (; *headings; headings++)
		table_cell(t, "%s", *headings);
}

/* Writes a table with a blank line in front. */
static void end_table(struct table *t, bool bold, struct textbuf *out)
{
	textbuf_putc(out, '\n');
	out->failed |= !table_write(t, bold, out);
	table_release(t);
}

static void write_programs(const struct queue_look *now, bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"program", "waiting", "claimed", "given up", "whose", NULL};
	struct table t;
	begin_table(&t, headings, 1u | 1u << 4);
	for (size_t i = 0; i < now->nr_programs; i++) {
		const struct queue_program *p = &now->programs[i];
		const bool has_runs = p->counts.waiting + p->counts.claimed + p->counts.dead > 0;
		table_row(&t, i == 0);
		table_cell(&t, "%s", p->name);
		cell_count(&t, p->counts.waiting);
		cell_count(&t, p->counts.claimed);
		cell_count(&t, p->counts.dead);
		table_cell(&t, "%s",
			   strcmp(p->name, model_version()) == 0 ? "this program"
			   : has_runs				 ? "this program does not take them"
								 : "another program");
	}
	end_table(&t, bold, out);
}

static void write_submissions(const struct queue_look *now, bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"submission", "sweep", "host", "runs", "age", "not collected", NULL};
	struct table t;
	begin_table(&t, headings, 7u);
	for (size_t i = 0; i < now->nr_submissions; i++) {
		const struct queue_submission *s = &now->submissions[i];
		table_row(&t, i == 0);
		table_cell(&t, "%.*s", ID_DIGITS, s->id);
		table_cell(&t, "%.*s", NAME_LETTERS, *s->name ? s->name : "-");
		table_cell(&t, "%.*s", NAME_LETTERS, *s->host ? s->host : "-");
		cell_count(&t, s->nr_runs);
		if (s->submitted_unix_ms > 0)
			cell_duration(&t, (double)(now->unix_ms - s->submitted_unix_ms) / 1000);
		else
			table_cell(&t, "-");
		cell_count(&t, s->uncollected);
	}
	end_table(&t, bold, out);
}

/* How fast a worker is, or why that cannot be said. */
static void cell_pace(struct table *t, const struct queue *q, const struct queue_look *now,
		      const struct queue_look *before, const struct queue_worker_row *w)
{
	const double rate = queue_worker_rate(now, before, w);
	if (!queue_worker_lives(q, w))
		table_cell(t, "lost");
	else if (rate == 0 && w->claimed == 0)
		table_cell(t, "idle");
	else if (rate == 0 && !before)
		table_cell(t, "-");
	else
		cell_rate(t, rate);
}

static void write_workers(const struct queue *q, const struct queue_look *now, const struct queue_look *before,
			  bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"worker", "host",    "processes", "done", "failed",
					       "rate",	 "claimed", "heard of",	 NULL};
	struct table t;
	begin_table(&t, headings, 3u);
	for (size_t i = 0; i < now->nr_workers; i++) {
		const struct queue_worker_row *w = &now->workers[i];
		table_row(&t, i == 0);
		table_cell(&t, "%.*s", NAME_LETTERS, w->name);
		table_cell(&t, "%.*s", NAME_LETTERS, *w->vitals.host ? w->vitals.host : "-");
		cell_count(&t, (uint64_t)w->vitals.processes);
		cell_count(&t, w->vitals.done);
		cell_count(&t, w->vitals.failed);
		cell_pace(&t, q, now, before, w);
		cell_count(&t, w->claimed);
		cell_duration(&t, (double)w->silent_ms / 1000);
	}
	end_table(&t, bold, out);
}

static void write_letters(const struct queue_look *now, struct textbuf *out)
{
	for (size_t i = 0; i < now->nr_letters; i++) {
		const struct queue_letter *l = &now->letters[i];
		char hash[HASH_HEX_BYTES];
		hash_hex(l->run.hash, hash);
		textbuf_printf(out, "%s%.*s  point %llu, after %llu tries", i == 0 ? "\ngiven up:\n" : "", ID_DIGITS,
			       hash, (unsigned long long)l->run.position, (unsigned long long)l->tries);
		if (strcmp(l->program, model_version()) != 0) {
			textbuf_puts(out, ", of ");
			textbuf_label(out, l->program);
		}
		textbuf_puts(out, ": ");
		textbuf_label(out, l->why);
		textbuf_putc(out, '\n');
	}
	if (now->nr_letters > 0 && now->nr_letters < now->all.dead) {
		textbuf_puts(out, "and ");
		write_count(now->all.dead - now->nr_letters, out);
		textbuf_puts(out, " more\n");
	}
}

static void write_runs(const struct queue_counts *c, struct textbuf *out)
{
	summary_row(out, "runs");
	write_count(c->waiting, out);
	textbuf_puts(out, " waiting, ");
	write_count(c->claimed, out);
	textbuf_puts(out, " claimed");
	if (c->abandoned) {
		textbuf_puts(out, " (of which ");
		write_count(c->abandoned, out);
		textbuf_puts(out, " can be taken over)");
	}
	textbuf_puts(out, ", ");
	write_count(c->dead, out);
	textbuf_puts(out, " given up");
	textbuf_puts(out, c->dead ? ": --dead lists them, `sahm queue retry` puts them back\n" : "\n");
}

static void write_results(const struct queue_counts *c, struct textbuf *out)
{
	summary_row(out, "results");
	if (c->results == 0) {
		textbuf_puts(out, "none wait to be collected\n");
		return;
	}
	write_number_of(c->results, "packet", out);
	textbuf_printf(out, " not collected, %.1f MB%s\n", (double)c->result_bytes / 1e6,
		       c->result_bytes >= (uint64_t)QUEUE_MAX_RESULT_BYTES
			       ? ": workers wait until somebody collects (`sahm collect`)"
			       : "");
}

/* How fast it goes, and how long yet. */
static void write_pace(const struct queue *q, const struct queue_look *now, const struct queue_look *before,
		       struct textbuf *out)
{
	double rate = queue_rate(q, now, before);
	uint64_t left = now->all.waiting + now->all.claimed;
	summary_row(out, "rate");
	if (now->all.workers == 0) {
		textbuf_puts(out, "no workers");
	} else if (rate == 0 && left == 0) {
		textbuf_puts(out, "none now, of ");
		write_number_of(now->all.workers, "worker", out);
	} else if (rate == 0 && !before) {
		textbuf_puts(out, "not known yet, of ");
		write_number_of(now->all.workers, "worker", out);
	} else {
		write_rate(rate, out);
		textbuf_puts(out, " over ");
		write_number_of(now->all.workers, "worker", out);
		if (before)
			textbuf_printf(out, ", in the last %.0f s",
				       (double)(now->at_ns - before->at_ns) / (double)NS_PER_S);
		else
			textbuf_puts(out, ", of the time worked");
	}
	textbuf_putc(out, '\n');
	summary_row(out, "left");
	if (left == 0)
		textbuf_puts(out, "nothing");
	else if (rate > 0)
		write_duration((double)left / rate, out);
	else
		textbuf_puts(out, "not known");
	textbuf_putc(out, '\n');
}

static void write_warning(const struct queue_look *now, struct textbuf *out)
{
	if (!now->evicts)
		return;
	summary_row(out, "warning");
	textbuf_puts(out, QUEUE_EVICTS "\n");
}

void queue_look_write(const struct queue *q, const char *where, const struct queue_look *now,
		      const struct queue_look *before, bool bold, struct textbuf *out)
{
	if (queue_look_is_empty(now)) {
		textbuf_printf(out, "queue '%s' on %s: it is empty and has no workers\n", q->name, where);
		write_warning(now, out);
		return;
	}
	summary_row(out, "queue");
	textbuf_printf(out, "'%s' on %s%s\n", q->name, where,
		       now->all.draining ? ", drained: nothing is handed out (`sahm queue drain --off`)" : "");
	write_runs(&now->all, out);
	write_results(&now->all, out);
	write_pace(q, now, before, out);
	summary_row(out, "memory");
	textbuf_printf(out, "%.1f MB, of the whole server\n", (double)now->memory_bytes / 1e6);
	write_warning(now, out);
	if (now->nr_programs > 0)
		write_programs(now, bold, out);
	if (now->nr_submissions > 0)
		write_submissions(now, bold, out);
	if (now->nr_workers > 0)
		write_workers(q, now, before, bold, out);
	write_letters(now, out);
}
