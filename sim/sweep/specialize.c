#include "sim/sweep/specialize.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/sweep/pool.h"
#include "sim/sweep/trace_suite.h"
#include "workloads/trace/trace.h"

/* ---- Cores ---- */

#define DIFFERS(a, b) (memcmp(&(a), &(b), sizeof(a)) != 0)

unsigned specialize_components(const struct core_model *baseline, const struct core_model *core)
{
	const struct core_geometry *a = &baseline->geometry, *b = &core->geometry;
	const struct core_timing *s = &baseline->timing, *t = &core->timing;
	bool branch = DIFFERS(a->predictor, b->predictor) || DIFFERS(a->btb, b->btb),
	     l1i = DIFFERS(a->l1i, b->l1i) || DIFFERS(a->l1i_prefetchers, b->l1i_prefetchers) ||
		   DIFFERS(a->itlb, b->itlb) || s->icache_cycles[LEVEL_L1] != t->icache_cycles[LEVEL_L1],
	     l1d = DIFFERS(a->l1d, b->l1d) || DIFFERS(a->l1d_prefetchers, b->l1d_prefetchers) ||
		   DIFFERS(a->dtlb, b->dtlb) || s->l1d_cycles != t->l1d_cycles,
	     l2 = DIFFERS(a->l2, b->l2) || DIFFERS(a->l2_prefetchers, b->l2_prefetchers) ||
		  s->icache_cycles[LEVEL_L2] != t->icache_cycles[LEVEL_L2] ||
		  s->data_cycles[LEVEL_L2] != t->data_cycles[LEVEL_L2];
	return (unsigned)branch << COMPONENT_BRANCH | (unsigned)l1i << COMPONENT_L1I | (unsigned)l1d << COMPONENT_L1D |
	       (unsigned)l2 << COMPONENT_L2;
}

/* ---- Resuming ---- */

static enum sahm_status fail_other(const struct specialize_request *r, const char *text, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_USAGE, "'%s' was measured %s: take another folder, or --force measures again",
			 r->path, text);
}

/* Why rows of `old` are not those that `t` would get. */
static enum sahm_status compare_heads(const struct specialize_request *r, const struct epoch_table *old,
				      const struct epoch_table *t, struct sahm_err *err)
{
	bool same_cores = old->nr_cores == t->nr_cores;
	char text[256];
	for (unsigned k = 0; k < t->nr_cores && same_cores; k++) {
		if (strcmp(old->cores[k].name, t->cores[k].name) != 0) {
			same_cores = false;
		} else if (strcmp(old->cores[k].hash, t->cores[k].hash) != 0) {
			snprintf(text, sizeof(text), "with another configuration of the core '%s'", t->cores[k].name);
			return fail_other(r, text, err);
		}
	}
	if (!same_cores)
		return fail_other(r, "with other cores", err);
	if (DIFFERS(old->sampling, t->sampling))
		return fail_other(r, "with another sampling", err);
	if (old->has_measured_clock != t->has_measured_clock)
		return fail_other(r, "with another clock", err);
	if (strcmp(old->made_by, t->made_by) != 0) {
		snprintf(text, sizeof(text), "by another program, %.60s", old->made_by);
		return fail_other(r, text, err);
	}
	return SAHM_OK;
}

static struct table_program *find_program(const struct epoch_table *t, const char *name, size_t *at)
{
	for (*at = 0; *at < t->nr_programs; ++*at)
		if (strcmp(t->programs[*at].name, name) == 0)
			return &t->programs[*at];
	return NULL;
}

static enum sahm_status take_over(const struct specialize_request *r, const struct epoch_table *old,
				  struct epoch_table *t, size_t *nr_taken, struct sahm_err *err)
{
	char text[256];
	size_t at;
	enum sahm_status status = compare_heads(r, old, t, err);
	for (size_t i = 0; i < old->nr_programs && status == SAHM_OK; i++) {
		const struct table_program *p = &old->programs[i], *mine = find_program(t, p->name, &at);
		snprintf(text, sizeof(text), "with %s stream '%s'", mine ? "another" : "the", p->name);
		if (!mine || strcmp(mine->digest, p->digest) != 0)
			status = fail_other(r, text, err);
	}
	for (size_t i = 0; i < old->nr_programs && status == SAHM_OK; i++) {
		const struct table_program *p = &old->programs[i];
		find_program(t, p->name, &at);
		if (p->nr > 0)
			status = epoch_table_insert(t, at, &old->rows[p->first], p->nr, err);
		*nr_taken += p->nr > 0;
	}
	return status;
}

enum sahm_status specialize_resume(const struct specialize_request *r, struct epoch_table *t, size_t *nr_taken,
				   struct sahm_err *err)
{
	struct epoch_table old = {0};
	struct sahm_err cause;
	*nr_taken = 0;
	if (access(r->path, F_OK) != 0 && file_is_absent(errno))
		return SAHM_OK;
	enum sahm_status status = epoch_table_open(r->path, &old, &cause);
	if (status == SAHM_FORMAT)
		status = sahm_fail(&cause, SAHM_USAGE, "%s; --force replaces it", cause.msg);
	if (status == SAHM_OK)
		status = take_over(r, &old, t, nr_taken, &cause);
	epoch_table_release(&old);
	if (status == SAHM_OK || (status == SAHM_USAGE && r->force))
		return SAHM_OK;
	return sahm_fail(err, status, "%s", cause.msg);
}

/* ---- States of traces ---- */

/* Trace and stream may come from two runs of the program, and their epochs end some instructions apart. */
static enum sahm_status check_traced(const struct table_epoch *row, const struct epoch_counts *traced,
				     const struct trace *trace, const char *program, struct sahm_err *err)
{
	static const struct {
		enum counter counter;
		unsigned pct;
	} same[] = {{COUNTER_INSTRUCTIONS, 1}, {COUNTER_BRANCHES, 10}};
	for (size_t c = 0; c < ARRAY_SIZE(same); c++) {
		uint64_t ours = row->counts.count[same[c].counter], theirs = traced->count[same[c].counter];
		if ((theirs > ours ? theirs - ours : ours - theirs) > ours / 100 * same[c].pct)
			return sahm_fail(err, SAHM_USAGE,
					 "%s: epoch %" PRIu64 " has %" PRIu64 " %s, in the epoch table %" PRIu64
					 ": it is no trace of the stream '%s'",
					 trace_file(trace), row->number, theirs, counter_rows[same[c].counter].name,
					 ours, program);
	}
	return SAHM_OK;
}

static enum sahm_status read_traced(struct epoch_table *t, const struct table_program *p, struct trace *trace,
				    struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = p->first; i < p->first + p->nr && status == SAHM_OK; i++) {
		const struct table_epoch *row = &t->rows[i];
		struct epoch_counts *e = &t->traced[i];
		/* Traces do not have what a program ran after its last whole epoch. */
		if (row->number == trace_nr_epochs(trace) && i + 1 == p->first + p->nr) {
			*e = row->counts;
			continue;
		}
		if (row->number >= trace_nr_epochs(trace))
			return sahm_fail(err, SAHM_USAGE,
					 "%s has no epoch %" PRIu64 ": it is no trace of the stream '%s'",
					 trace_file(trace), row->number, p->name);
		status = trace_read(trace, row->number, 1, e, err);
		if (status == SAHM_OK)
			status = check_traced(row, e, trace, p->name, err);
	}
	return status;
}

/* The node of the trace of `program`, or NULL. */
static const struct cfg_node *find_trace(const struct trace_suite *suite, const char *program)
{
	const struct cfg_node *t = suite->traces->first;
	size_t len = strlen(program);
	for (; t; t = t->next) {
		const char *name = base_name(t->value.string);
		if (strncmp(name, program, len) == 0 && name[len] == '.')
			break;
	}
	return t;
}

/* Shipped traces have the names that they have in the data folder. */
static enum sahm_status open_traced(struct arena *a, const char *name, const char *data_folder, struct trace **trace,
				    struct sahm_err *err)
{
	struct textbuf path;
	textbuf_init(&path);
	textbuf_printf(&path, "%s%s%s", *name == '/' ? "" : data_folder, *name == '/' ? "" : "/", name);
	const char *kept = textbuf_keep(&path, a);
	return kept ? trace_open(kept, NULL, trace, err) : sahm_fail_nomem(err);
}

enum sahm_status specialize_read_traces(struct epoch_table *t, const char *asked, const char *data_folder,
					struct sahm_err *err)
{
	struct trace_suite suite;
	enum sahm_status status = trace_suite_read(&t->arena, asked, data_folder, &suite, err);
	free(t->traced);
	t->traced = calloc(t->nr_rows + 1, sizeof(*t->traced));
	if (status == SAHM_OK && !t->traced)
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < t->nr_programs && status == SAHM_OK; i++) {
		const struct table_program *p = &t->programs[i];
		const struct cfg_node *found = find_trace(&suite, p->name);
		struct trace *trace = NULL;
		status = found ? open_traced(&t->arena, found->value.string, data_folder, &trace, err)
			       : sahm_fail(err, SAHM_USAGE, "the suite '%s' has no trace of the stream '%s'", asked,
					   p->name);
		if (status == SAHM_OK)
			status = read_traced(t, p, trace, err);
		trace_free(trace);
	}
	if (status == SAHM_OK)
		t->traced_by = suite.name;
	return status;
}

/* ---- Measuring ---- */

struct measurement {
	const struct specialize_request *request;
	struct epoch_table *table;
	size_t next;		       /* program to hand out */
	atomic_uint_fast64_t *nr_done; /* [nr_programs]: instructions, shared with the workers */
	uint64_t total;
};

/* In a worker: a stream that is being measured. */
struct progress_of {
	const struct measurement *m;
	uint64_t program;
	struct table_epoch *rows;
	size_t nr, room;
};

/* Counts of an epoch on a core. Epochs come in order, each on all cores; whichever comes first makes the row. */
static enum sahm_status take_epoch(void *ctx, unsigned core, uint64_t epoch, const struct core_counts *counts,
				   struct sahm_err *err)
{
	struct progress_of *p = ctx;
	size_t at = p->nr;
	while (at > 0 && p->rows[at - 1].number > epoch)
		at--;
	if (at == 0 || p->rows[at - 1].number != epoch) {
		if (p->nr == p->room) {
			size_t room = p->room ? 2 * p->room : 64;
			struct table_epoch *grown = realloc(p->rows, room * sizeof(*grown));
			if (!grown)
				return sahm_fail_nomem(err);
			p->rows = grown;
			p->room = room;
		}
		memmove(&p->rows[at + 1], &p->rows[at], (p->nr++ - at) * sizeof(*p->rows));
		p->rows[at++] = (struct table_epoch){.program = (uint32_t)p->program, .number = epoch};
	}
	struct table_epoch *row = &p->rows[at - 1];
	row->cycles[core] = counts->timing.cycles;
	if (core == 0) {
		row->counts = counts->functional.epoch;
		row->counts.count[COUNTER_CYCLES] = counts->timing.cycles;
	}
	return SAHM_OK;
}

static void take_progress(void *ctx, uint64_t nr_instructions)
{
	struct progress_of *p = ctx;
	atomic_store(&p->m->nr_done[p->program], nr_instructions);
}

/* An answer is rows of text, or '!', the status as a letter from 'A' on, and a message. */
#define FAILURE_MARK '!'

static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	const struct measurement *m = ctx;
	const struct epoch_table *t = m->table;
	struct progress_of p = {.m = m, .program = job};
	const struct core_observer o = {.ctx = &p, .epoch = take_epoch, .progress = take_progress};
	struct core_counts *counts = calloc(t->nr_cores, sizeof(*counts));
	struct stream *s = NULL;
	struct sahm_err err;
	enum sahm_status status =
		counts ? stream_open(m->request->streams[job], NULL, &s, &err) : sahm_fail_nomem(&err);
	if (status == SAHM_OK)
		status = (t->has_measured_clock ? core_run_measured : core_run)(
			s, m->request->models, t->nr_cores, m->request->form, &t->sampling, &o, counts, &err);
	for (size_t i = 0; i < p.nr && status == SAHM_OK; i++)
		epoch_table_write_row(t, &p.rows[i], answer);
	if (status == SAHM_OK && p.nr == 0)
		status = sahm_fail(&err, SAHM_FORMAT, "%s: there are no instructions in it", m->request->streams[job]);
	if (status == SAHM_OK)
		take_progress(&p, stream_nr_instructions(s));
	else
		textbuf_printf(answer, "%c%c%s", FAILURE_MARK, (char)('A' + status), err.msg);
	stream_free(s);
	free(p.rows);
	free(counts);
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct measurement *m = ctx;
	size_t nr = 0;
	for (; m->next < m->table->nr_programs && nr < room; m->next++)
		if (m->table->programs[m->next].nr == 0)
			jobs[nr++] = m->next;
	return nr;
}

static enum sahm_status write_file(const struct measurement *m, struct sahm_err *err)
{
	struct textbuf text;
	textbuf_init(&text);
	epoch_table_write(m->table, &text);
	enum sahm_status status =
		textbuf_failed(&text) ? sahm_fail_nomem(err) : file_write(m->request->path, text.text, text.len, err);
	textbuf_release(&text);
	return status;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct measurement *m = ctx;
	if (len < 2)
		return sahm_fail_nomem(err);
	if (answer[0] == FAILURE_MARK)
		return sahm_fail(err, (enum sahm_status)(answer[1] - 'A'), "%.*s", (int)(len - 2), answer + 2);
	enum sahm_status status = epoch_table_insert_text(m->table, job, answer, len, err);
	return status == SAHM_OK ? write_file(m, err) : status;
}

static enum sahm_status lose(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	const struct measurement *m = ctx;
	return sahm_fail(err, cause, "%s: %s", m->request->streams[job], why);
}

static bool tick(void *ctx)
{
	const struct measurement *m = ctx;
	uint64_t done = 0;
	for (size_t i = 0; i < m->table->nr_programs; i++)
		done += atomic_load(&m->nr_done[i]);
	if (m->request->progress && done > 0)
		m->request->progress(m->request->ctx, done, m->total);
	return true;
}

static enum sahm_status add_up(struct measurement *m, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < m->table->nr_programs && status == SAHM_OK; i++) {
		struct stream *s = NULL;
		if (m->table->programs[i].nr > 0)
			continue;
		status = stream_open(m->request->streams[i], NULL, &s, err);
		if (status == SAHM_OK)
			m->total += stream_nr_instructions(s);
		stream_free(s);
	}
	return status;
}

enum sahm_status specialize_measure(const struct specialize_request *r, struct epoch_table *t, struct sahm_err *err)
{
	static const struct pool_ops ops = {.work = work, .next = next, .take = take, .lost = lose, .tick = tick};
	const struct pool_options options = {.nr_workers = r->nr_workers, .batch = 1};
	struct measurement m = {.request = r, .table = t};
	size_t bytes = t->nr_programs * sizeof(*m.nr_done);
	bool stopped;
	void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return sahm_fail_nomem(err);
	m.nr_done = shared;
	enum sahm_status status = add_up(&m, err);
	/* The file shows from now on what is being measured, and in which way. */
	if (status == SAHM_OK)
		status = write_file(&m, err);
	if (status == SAHM_OK && epoch_table_nr_unfinished(t) > 0)
		status = pool_run(&ops, &options, &m, &stopped, err);
	munmap(shared, bytes);
	return status;
}
