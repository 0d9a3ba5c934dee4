/* From events of a scheduler to bursts of threads. */
#include "workloads/bursts/import_sched.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/lines.h"
#include "sim/base/strtable.h"
#include "sim/base/suggest.h"
#include "sim/base/zstd_stream.h"
#include "workloads/bursts/import_sched_internal.h"

/* What a thread does, as far as the events so far say. WOKEN: of its first event, a wake-up, it may have slept before
 * that, or be running. */
enum { UNKNOWN, WOKEN, RUNNING, READY, SLEEPING };

struct reader {
	struct sched_log *log;
	struct line_reader lines;
	struct arena arena;
	struct strtable by_tid; /* index in log->threads + 1 */
	struct sahm_err *err;
	uint64_t nr_torn; /* contradictions */
	unsigned first_torn, first_lost;
	uint64_t nr_losses;	 /* lines that tell of lost events */
	bool is_report, by_perf; /* looks of trace-cmd and perf */
	bool cut_short;
};

void sched_log_release(struct sched_log *log)
{
	for (uint32_t i = 0; i < log->nr_threads; i++)
		burst_list_release(&log->threads[i].list);
	free(log->threads);
	*log = (struct sched_log){0};
}

static enum sahm_status SAHM_PRINTF(2, 3) fail_line(struct reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(&r->lines, r->err, fmt, ap);
	va_end(ap);
	return status;
}

static enum sahm_status add_thread(struct reader *r, uint32_t tid)
{
	struct sched_log *log = r->log;
	if (log->nr_threads == log->room) {
		uint32_t room = log->room ? 2 * log->room : 64;
		struct recorded_thread *bigger = realloc(log->threads, room * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(r->err);
		log->threads = bigger;
		log->room = room;
	}
	struct recorded_thread *t = &log->threads[log->nr_threads++];
	*t = (struct recorded_thread){.tid = tid, .cpu = -1};
	burst_list_init(&t->list);
	return SAHM_OK;
}

/* The thread of that number; made where `comm` is reported. NULL: none, or *status is a failure. */
static struct recorded_thread *thread_of(struct reader *r, uint32_t tid, const struct sched_task *task,
					 enum sahm_status *status)
{
	char key[16];
	snprintf(key, sizeof(key), "%u", tid);
	if (!task) {
		const uint32_t *known = strtable_find(&r->by_tid, key);
		return known ? &r->log->threads[*known - 1] : NULL;
	}
	uint32_t *index = strtable_at(&r->by_tid, key);
	*status = index ? SAHM_OK : sahm_fail_nomem(r->err);
	if (*status == SAHM_OK && *index == 0) {
		*status = add_thread(r, tid);
		*index = r->log->nr_threads;
	}
	if (*status != SAHM_OK)
		return NULL;
	struct recorded_thread *t = &r->log->threads[*index - 1];
	/* A program that was started again has another name; perf says ":12" where it does not know it. */
	size_t len = task->comm_len < SCHED_COMM_BYTES ? task->comm_len : SCHED_COMM_BYTES - 1;
	if (len > 0 && (task->comm[0] != ':' || !t->comm[0])) {
		memcpy(t->comm, task->comm, len);
		t->comm[len] = '\0';
		clean_text(t->comm);
	}
	return t;
}

/* The burst under way is not whole. */
static void drop(struct recorded_thread *t)
{
	t->nr_dropped++;
	t->run_ns = 0;
	t->whole = false;
}

static void mark_incomplete(struct reader *r, struct recorded_thread *t)
{
	if (r->nr_torn++ == 0)
		r->first_torn = r->lines.line;
	t->whole = false;
}

static enum sahm_status end_sleep(struct reader *r, struct recorded_thread *t, uint64_t ns)
{
	struct burst b = {t->run_ns, ns - t->since_ns};
	bool whole = t->whole;
	t->run_ns = 0;
	t->whole = true;
	if (!whole) {
		t->nr_dropped++;
		return SAHM_OK;
	}
	t->nr_raised += b.run_ns < MIN_BURST_RUN_NS;
	t->nr_shortened += b.run_ns > MAX_BURST_NS || b.sleep_ns > MAX_BURST_NS;
	b.run_ns = b.run_ns < MIN_BURST_RUN_NS ? MIN_BURST_RUN_NS : b.run_ns;
	b.run_ns = b.run_ns > MAX_BURST_NS ? MAX_BURST_NS : b.run_ns;
	b.sleep_ns = b.sleep_ns > MAX_BURST_NS ? MAX_BURST_NS : b.sleep_ns;
	t->slept_ns += b.sleep_ns;
	return burst_list_add(&t->list, b, r->err);
}

static void switch_out(struct reader *r, struct recorded_thread *t, const struct sched_event *e)
{
	bool elsewhere = e->cpu >= 0 && t->cpu >= 0 && e->cpu != t->cpu;
	if (t->state == RUNNING && !elsewhere) {
		t->run_ns += e->ns - t->since_ns;
		t->on_cpu_ns += e->ns - t->since_ns;
	} else if (t->state == UNKNOWN || t->state == WOKEN) {
		t->whole = false;
	} else {
		mark_incomplete(r, t);
	}
	t->since_ns = e->ns;
	t->nr_preempted += e->end == SCHED_PREEMPTED;
	t->state = e->end == SCHED_PREEMPTED ? READY : SLEEPING;
	if (e->end == SCHED_EXITS) {
		drop(t);
		t->state = UNKNOWN;
	}
}

static enum sahm_status switch_in(struct reader *r, struct recorded_thread *t, const struct sched_event *e)
{
	enum sahm_status status = SAHM_OK;
	if (t->state == SLEEPING) {
		t->nr_unwoken++;
		status = end_sleep(r, t, e->ns);
	} else if (t->state == UNKNOWN) {
		t->whole = false;
	} else if (t->state == RUNNING) {
		mark_incomplete(r, t);
	}
	t->state = RUNNING;
	t->since_ns = e->ns;
	t->cpu = e->cpu;
	return status;
}

static enum sahm_status wake(struct reader *r, struct recorded_thread *t, const struct sched_event *e)
{
	if (t->state == SLEEPING) {
		t->state = READY;
		return end_sleep(r, t, e->ns);
	}
	if (t->state == UNKNOWN) {
		t->state = WOKEN;
		t->run_ns = 0;
		t->whole = true;
	}
	return SAHM_OK;
}

/* Who was running or asleep meanwhile is not known. */
static void lose(struct reader *r, uint64_t nr)
{
	if (r->nr_losses++ == 0)
		r->first_lost = r->lines.line;
	if (__builtin_add_overflow(r->log->nr_lost, nr, &r->log->nr_lost))
		r->log->nr_lost = UINT64_MAX;
	for (uint32_t i = 0; i < r->log->nr_threads; i++) {
		struct recorded_thread *t = &r->log->threads[i];
		if (t->state != UNKNOWN)
			drop(t);
		t->state = UNKNOWN;
	}
}

static enum sahm_status take_time(struct reader *r, const struct sched_event *e)
{
	struct sched_log *log = r->log;
	bool first = log->nr_switches + log->nr_wakeups == 0;
	if (!first && e->ns < log->to_ns)
		return fail_line(r,
				 "time goes back from %" PRIu64 ".%09" PRIu64 " s to %" PRIu64 ".%09" PRIu64
				 " s: is it several recordings, or one that is not in order?",
				 log->to_ns / 1000000000, log->to_ns % 1000000000, e->ns / 1000000000,
				 e->ns % 1000000000);
	if (first)
		log->from_ns = e->ns;
	log->to_ns = e->ns;
	return SAHM_OK;
}

static enum sahm_status take_event(struct reader *r, const struct sched_event *e)
{
	enum sahm_status status = take_time(r, e);
	struct recorded_thread *t = NULL;
	r->by_perf |= e->by_perf;
	if (status == SAHM_OK && e->kind == SCHED_SWITCH && e->prev.tid)
		t = thread_of(r, e->prev.tid, &e->prev, &status);
	if (t)
		switch_out(r, t, e);
	t = status == SAHM_OK && e->next.tid ? thread_of(r, e->next.tid, &e->next, &status) : NULL;
	if (t)
		status = e->kind == SCHED_SWITCH ? switch_in(r, t, e) : wake(r, t, e);
	*(e->kind == SCHED_SWITCH ? &r->log->nr_switches : &r->log->nr_wakeups) += 1;
	t = status == SAHM_OK && e->process ? thread_of(r, e->current, NULL, &status) : NULL;
	if (t)
		t->process = e->process;
	return status;
}

/* Binary recordings are distinguished from their text by how they begin. */
static enum sahm_status check_head(struct reader *r)
{
	const char *head;
	size_t len;
	enum sahm_status status = line_reader_head(&r->lines, &head, &len, r->err);
	if (status != SAHM_OK)
		return status;
	if (len >= 8 && memcmp(head, "PERFILE2", 8) == 0)
		return sahm_fail_at(r->err, SAHM_FORMAT, r->lines.file, 0,
				    "a binary recording of perf; its text is wanted: perf sched script -i FILE");
	if (len >= 10 && memcmp(head, "\x17\x08\x44tracing", 10) == 0)
		return sahm_fail_at(r->err, SAHM_FORMAT, r->lines.file, 0,
				    "a binary recording of trace-cmd; its text is wanted: trace-cmd report -i FILE");
	return SAHM_OK;
}

static enum sahm_status read_lines(struct reader *r)
{
	enum sahm_status status = check_head(r);
	while (status == SAHM_OK) {
		struct sched_event e;
		bool more;
		status = line_reader_next(&r->lines, &more, r->err);
		if (status != SAHM_OK || !more)
			break;
		r->is_report |= strncmp(r->lines.text, "cpus=", 5) == 0;
		sched_line_read(r->lines.text, &e);
		if (e.kind == SCHED_WRONG && !r->lines.ended)
			r->cut_short = true;
		else if (e.kind == SCHED_WRONG)
			status = fail_line(r, "not readable: '%.100s'", e.rest);
		else if (e.kind == SCHED_LOST)
			lose(r, e.nr_lost);
		else if (e.kind == SCHED_SWITCH || e.kind == SCHED_WAKE)
			status = take_event(r, &e);
	}
	if (status == SAHM_OK && r->log->nr_switches == 0)
		return sahm_fail_at(r->err, SAHM_FORMAT, r->lines.file, 0,
				    "no sched_switch in it: neither perf sched script, perf script, trace-cmd report "
				    "nor a trace file of the kernel");
	return status;
}

static void note(const struct reader *r, struct textbuf *notes)
{
	const struct sched_log *log = r->log;
	const char *file = r->lines.file;
	if (r->nr_losses)
		textbuf_printf(notes,
			       "%s:%u: events were lost in %" PRIu64 " place%s%s; bursts under way there are dropped\n",
			       file, r->first_lost, r->nr_losses, r->nr_losses == 1 ? "" : "s",
			       r->nr_losses == 1 ? "" : ", here first");
	if (r->nr_torn)
		textbuf_printf(notes,
			       "%s:%u: a thread is switched although it was elsewhere, %" PRIu64
			       " time%s%s: events seem to be missing, bursts under way there are dropped\n",
			       file, r->first_torn, r->nr_torn, r->nr_torn == 1 ? "" : "s",
			       r->nr_torn == 1 ? "" : ", here first");
	if (log->nr_wakeups == 0)
		textbuf_printf(notes,
			       "%s: no wake-ups in it: sleeps last until a thread is switched in, and so hold what it "
			       "waited (record sched_wakeup or sched_waking, too)\n",
			       file);
	if (r->cut_short)
		textbuf_printf(notes, "%s:%u: the last line is cut short, and passed over\n", file, r->lines.line);
}

enum sahm_status sched_log_read(struct sched_log *log, FILE *in, const char *file, struct textbuf *notes,
				struct sahm_err *err)
{
	struct reader r = {.log = log, .err = err};
	*log = (struct sched_log){0};
	arena_init(&r.arena);
	strtable_init(&r.by_tid, &r.arena);
	struct zstd_reader *z = zstd_reader_new(in, file);
	if (!z)
		return sahm_fail_nomem(err);
	enum sahm_status status = line_reader_init(&r.lines, zstd_reader_stream(z), file, err);
	if (status == SAHM_OK)
		status = read_lines(&r);
	for (uint32_t i = 0; i < log->nr_threads; i++)
		if (log->threads[i].state != UNKNOWN)
			drop(&log->threads[i]);
	log->tool = r.by_perf ? "perf script" : r.is_report ? "trace-cmd report" : "ftrace";
	if (status == SAHM_OK && notes)
		note(&r, notes);
	line_reader_release(&r.lines);
	arena_release(&r.arena);
	status = zstd_reader_free(z, status, err);
	if (status != SAHM_OK)
		sched_log_release(log);
	return status;
}

enum sahm_status sched_log_open(struct sched_log *log, const char *path, struct textbuf *notes, struct sahm_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	enum sahm_status status = sched_log_read(log, in, file_label(path), notes, err);
	if (!is_stdin)
		fclose(in);
	return status;
}

static bool is_chosen(const struct sched_choice *c, const struct recorded_thread *t)
{
	return (!c->comm || strcmp(c->comm, t->comm) == 0) && (!c->has_tid || c->tid == t->tid) &&
	       (!c->has_process || c->process == t->process);
}

/* How the wanted thread was described. */
static void describe(const struct sched_choice *c, struct textbuf *b)
{
	if (c->comm)
		textbuf_printf(b, " called '%.60s'", c->comm);
	if (c->has_tid)
		textbuf_printf(b, " with tid %u", c->tid);
	if (c->has_process)
		textbuf_printf(b, " of process %u", c->process);
}

static enum sahm_status fail_none(const struct sched_log *log, const struct sched_choice *c, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	struct textbuf b;
	bool told = false;
	suggest_init(&s, c->comm ? c->comm : "");
	for (uint32_t i = 0; i < log->nr_threads; i++) {
		told |= log->threads[i].process != 0;
		if (c->comm && strcmp(c->comm, log->threads[i].comm) != 0)
			suggest_offer(&s, log->threads[i].comm);
	}
	textbuf_init(&b);
	describe(c, &b);
	enum sahm_status status = sahm_fail(
		err, SAHM_RANGE, "there is no thread%s%s%s", b.text,
		c->has_process && !told ? "; the recording does not tell processes, its pids are threads'" : "",
		c->comm ? suggest_text(&s, near) : "");
	textbuf_release(&b);
	return status;
}

enum sahm_status sched_log_choose(struct sched_log *log, const struct sched_choice *choice,
				  struct recorded_thread **thread, struct sahm_err *err)
{
	struct textbuf tids, what;
	unsigned nr = 0;
	textbuf_init(&tids);
	for (uint32_t i = 0; i < log->nr_threads; i++) {
		if (!is_chosen(choice, &log->threads[i]))
			continue;
		*thread = &log->threads[i];
		if (nr++ < 8)
			textbuf_printf(&tids, "%s%u", nr > 1 ? ", " : "", log->threads[i].tid);
	}
	if (nr == 0) {
		textbuf_release(&tids);
		return fail_none(log, choice, err);
	}
	enum sahm_status status = SAHM_OK;
	textbuf_init(&what);
	describe(choice, &what);
	if (nr > 1 && (textbuf_failed(&what) || textbuf_failed(&tids)))
		status = sahm_fail_nomem(err);
	else if (nr > 1)
		status = sahm_fail(err, SAHM_RANGE, "there are %u threads%s: tid %s%s", nr, what.text, tids.text,
				   nr > 8 ? ", ..." : "");
	textbuf_release(&what);
	textbuf_release(&tids);
	return status;
}

/* What was left out, as the note of a list. */
static void describe_left_out(const struct recorded_thread *t, struct textbuf *b)
{
	textbuf_printf(b, "%" PRIu64 " burst%s not whole in the recording left out", t->nr_dropped,
		       t->nr_dropped == 1 ? "" : "s");
	if (t->nr_unwoken)
		textbuf_printf(b, "; %" PRIu64 " sleep%s without a wake-up, until switched in", t->nr_unwoken,
			       t->nr_unwoken == 1 ? "" : "s");
	if (t->nr_raised)
		textbuf_printf(b, "; %" PRIu64 " run time%s raised to %" PRIu64 " ns", t->nr_raised,
			       t->nr_raised == 1 ? "" : "s", MIN_BURST_RUN_NS);
	if (t->nr_shortened)
		textbuf_printf(b, "; %" PRIu64 " time%s cut to %" PRIu64 " ns", t->nr_shortened,
			       t->nr_shortened == 1 ? "" : "s", MAX_BURST_NS);
}

enum sahm_status sched_thread_finish(const struct sched_log *log, struct recorded_thread *thread,
				     const struct provenance *given, struct sahm_err *err)
{
	struct burst_list *l = &thread->list;
	struct textbuf tool, left_out;
	struct {
		const char *key, *value;
	} rows[3];
	if (l->nr == 0)
		return sahm_fail(err, SAHM_FORMAT,
				 "thread %u ('%s') has no whole burst in the recording: it was not seen to wake, sleep "
				 "and wake again",
				 thread->tid, thread->comm);
	textbuf_init(&tool);
	textbuf_init(&left_out);
	textbuf_printf(&tool, "%s: sched_switch%s; thread %u, %.3f s", log->tool,
		       log->nr_wakeups ? " and wake-ups" : "", thread->tid, (double)(log->to_ns - log->from_ns) / 1e9);
	describe_left_out(thread, &left_out);
	bool failed = textbuf_failed(&tool) || textbuf_failed(&left_out);
	rows[0].key = "name", rows[0].value = thread->comm[0] ? thread->comm : "thread";
	rows[1].key = "tool", rows[1].value = tool.text;
	rows[2].key = "note", rows[2].value = left_out.text;
	enum sahm_status status = failed ? sahm_fail_nomem(err) : SAHM_OK;
	for (size_t i = 0; i < 3 && status == SAHM_OK; i++) {
		struct sahm_err cause;
		status = provenance_set(&l->provenance, &l->arena, rows[i].key, strlen(rows[i].key), rows[i].value,
					&cause);
		/* A name of blanks. */
		if (status == SAHM_FORMAT)
			status = provenance_set(&l->provenance, &l->arena, "name", 4, "thread", &cause);
		if (status != SAHM_OK)
			sahm_fail(err, status, "%s", cause.msg);
	}
	if (status == SAHM_OK)
		provenance_override(&l->provenance, given);
	textbuf_release(&tool);
	textbuf_release(&left_out);
	return status;
}
