#include <math.h>
#include <string.h>

#include "results/metrics/json.h"
#include "sim/cli/queue_look.h"
#include "sim/engine/model.h"

static void write_counts(struct jwriter *j, const struct queue_counts *c)
{
	jwrite_u64(j, "waiting", c->waiting);
	jwrite_u64(j, "claimed", c->claimed);
	jwrite_u64(j, "abandoned", c->abandoned);
	jwrite_u64(j, "dead", c->dead);
}

static void write_programs(struct jwriter *j, const struct queue_look *now)
{
	jwrite_begin_array(j, "programs", false);
	for (size_t i = 0; i < now->nr_programs; i++) {
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "program", now->programs[i].name);
		jwrite_bool(j, "this", strcmp(now->programs[i].name, model_version()) == 0);
		write_counts(j, &now->programs[i].counts);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void write_submissions(struct jwriter *j, const struct queue_look *now)
{
	jwrite_begin_array(j, "submissions", false);
	for (size_t i = 0; i < now->nr_submissions; i++) {
		const struct queue_submission *s = &now->submissions[i];
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "id", s->id);
		jwrite_string(j, "sweep", s->name);
		jwrite_string(j, "host", s->host);
		jwrite_string(j, "program", s->program);
		jwrite_i64(j, "submitted_unix_ms", s->submitted_unix_ms);
		jwrite_u64(j, "runs", s->nr_runs);
		jwrite_u64(j, "uncollected", s->uncollected);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void write_workers(struct jwriter *j, const struct queue *q, const struct queue_look *now,
			  const struct queue_look *before)
{
	jwrite_begin_array(j, "workers", false);
	for (size_t i = 0; i < now->nr_workers; i++) {
		const struct queue_worker_row *w = &now->workers[i];
		const struct queue_vitals *v = &w->vitals;
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "name", w->name);
		jwrite_string(j, "host", v->host);
		jwrite_i64(j, "pid", v->pid);
		jwrite_i64(j, "processes", v->processes);
		jwrite_i64(j, "started_unix_ms", v->started_unix_ms);
		jwrite_u64(j, "done", v->done);
		jwrite_u64(j, "failed", v->failed);
		jwrite_u64(j, "busy_ms", v->busy_ms);
		jwrite_u64(j, "held", v->held);
		jwrite_u64(j, "claimed", w->claimed);
		jwrite_u64(j, "silent_ms", w->silent_ms);
		jwrite_bool(j, "lives", queue_worker_lives(q, w));
		jwrite_double(j, "rate_per_s", queue_worker_rate(now, before, w));
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void write_letters(struct jwriter *j, const struct queue_look *now)
{
	char hash[HASH_HEX_BYTES];
	jwrite_begin_array(j, "letters", false);
	for (size_t i = 0; i < now->nr_letters; i++) {
		const struct queue_letter *l = &now->letters[i];
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "id", l->id);
		hash_hex(l->run.hash, hash);
		jwrite_string(j, "run", hash);
		hash_hex(l->run.bundle, hash);
		jwrite_string(j, "bundle", hash);
		jwrite_u64(j, "position", l->run.position);
		jwrite_string(j, "program", l->program);
		jwrite_u64(j, "tries", l->tries);
		jwrite_string(j, "error", l->why);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void write_object(const struct queue *q, const char *where, const struct queue_look *now,
			 const struct queue_look *before, bool with_letters, struct textbuf *out)
{
	struct jwriter j;
	const double rate = queue_rate(q, now, before);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "queue", q->name);
	jwrite_string(&j, "server", where);
	jwrite_i64(&j, "unix_ms", now->unix_ms);
	jwrite_bool(&j, "draining", now->all.draining);
	jwrite_u64(&j, "claim_ms", q->claim_ms);
	jwrite_begin_flat_object(&j, "runs");
	write_counts(&j, &now->all);
	jwrite_end_object(&j);
	jwrite_begin_flat_object(&j, "results");
	jwrite_u64(&j, "packets", now->all.results);
	jwrite_u64(&j, "bytes", now->all.result_bytes);
	jwrite_end_object(&j);
	jwrite_double(&j, "rate_per_s", rate);
	jwrite_string(&j, "rate_over", before ? "time since an earlier look" : "time worked");
	jwrite_double(&j, "left_s", rate > 0 ? (double)(now->all.waiting + now->all.claimed) / rate : NAN);
	jwrite_u64(&j, "memory_bytes", now->memory_bytes);
	jwrite_bool(&j, "evicts", now->evicts);
	write_programs(&j, now);
	write_submissions(&j, now);
	write_workers(&j, q, now, before);
	if (with_letters)
		write_letters(&j, now);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

/* Appends `text` without its line ends but the last, and without what indents lines: strings have no line ends. */
static void write_as_line(const struct textbuf *text, struct textbuf *out)
{
	out->failed |= textbuf_failed(text);
	for (const char *p = text->text; *p;) {
		size_t len = strcspn(p, "\n");
		textbuf_add(out, p, len);
		p += len;
		if (*p && p[-1] == ',')
			textbuf_putc(out, ' ');
		p += strspn(p, "\n ");
	}
	textbuf_putc(out, '\n');
}

void queue_look_write_json(const struct queue *q, const char *where, const struct queue_look *now,
			   const struct queue_look *before, bool with_letters, bool line, struct textbuf *out)
{
	struct textbuf text;
	if (!line) {
		write_object(q, where, now, before, with_letters, out);
		return;
	}
	textbuf_init(&text);
	write_object(q, where, now, before, with_letters, &text);
	write_as_line(&text, out);
	textbuf_release_part(&text, out);
}
