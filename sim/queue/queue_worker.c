/* A worker's life: answers of its processes, answers of the queue, waiting, and its end. */
#include "sim/queue/queue_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sodium/randombytes.h>

#include "sim/base/clean.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/engine/model.h"
#include "sim/queue/queue_internal.h"
#include "sim/queue/queue_worker_internal.h"

/* Longest record that goes through. */
#define MAX_RECORD_BYTES ((size_t)8 << 20)
/* How long one tries to have a connection at first. */
#define CONNECT_NS (5 * NS_PER_S)
/* How long one waits for a new run in one go, and sleeps where one cannot ask. */
#define WAIT_MS 500u
#define SLEEP_NS (100 * NS_PER_MS)
/* When one says for the first time how it goes. */
#define FIRST_REPORT_NS (10 * NS_PER_S)
/* How often one says that others' runs wait. */
#define TELL_NS (60 * NS_PER_S)
/* Longest sentence about a limit. */
#define LIMIT_BYTES 160

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct working *w = ctx;
	size_t nr = 0;
	working_refill(w);
	while (nr < room && !w->stopping) {
		uint32_t i = hold_next(w);
		if (i == NONE_HELD)
			break;
		const struct held *h = &w->held[i];
		/* Others do it by now. */
		if (h->lost)
			hold_drop(w, i);
		else
			jobs[nr++] = JOB_OF(i, h->slot, h->job.run.position);
	}
	return nr;
}

static unsigned timeout_of(void *ctx, uint64_t job)
{
	const struct working *w = ctx;
	return w->timeout_s[SLOT_OF(job)];
}

/* The run that was carried out must be the one that was requested; for another program's runs this cannot be
 * checked. */
static bool is_the_run(const struct working *w, const struct held *h, const uint8_t *hash)
{
	return memcmp(hash, h->job.run.hash, HASH_BYTES) == 0 ||
	       strcmp(w->streams[h->stream].program, model_version()) != 0;
}

/* A run went beyond a limit of time (SAHM_RANGE) or memory (SAHM_NOMEM): says which, and whose it is. False: there is
 * no such limit. */
static bool explain_limit(const struct working *w, uint32_t slot, enum sahm_status cause, const char *why,
			  char text[LIMIT_BYTES])
{
	char memory[SWEEP_MEMORY_BYTES];
	bool is_own = cause == SAHM_RANGE ? w->is_own_timeout[slot] : w->is_own_memory[slot];
	if (cause != SAHM_RANGE && (cause != SAHM_NOMEM || !sweep_limits_memory(w->slots[slot].memory_bytes)))
		return false;
	if (cause == SAHM_NOMEM) {
		sweep_explain_memory(w->slots[slot].memory_bytes, memory);
		why = memory;
	}
	snprintf(text, LIMIT_BYTES, "%s%s", why, is_own ? ", the limit of this worker" : "");
	return true;
}

static enum sahm_status take_answer(struct working *w, uint32_t held, const char *answer, size_t len,
				    struct sahm_err *err)
{
	static const uint8_t unresolved[HASH_BYTES];
	struct held *h = &w->held[held];
	const char *why = NULL, *record_bytes = answer + sizeof(struct sweep_answer);
	size_t record_len = len - sizeof(struct sweep_answer);
	struct sweep_answer head;
	struct record record;
	struct arena a;
	char limit[LIMIT_BYTES];
	memcpy(&head, answer, sizeof(head));
	arena_init(&a);
	bool is_unresolved = memcmp(head.hash, unresolved, HASH_BYTES) == 0;
	bool is_environment = sahm_is_environment(head.status);
	if (head.status == SAHM_NOMEM && explain_limit(w, h->slot, SAHM_NOMEM, NULL, limit)) {
		arena_release(&a);
		working_fail_job(w, h->stream, &h->job, limit);
		hold_drop(w, held);
		return SAHM_OK;
	}
	if (is_unresolved || is_environment)
		why = record_decode(&a, record_bytes, record_len, &record, err) == SAHM_OK ? record.message
											   : "it cannot be resolved";
	else if (!is_the_run(w, h, head.hash))
		why = "it resolves to another run here than where it was planned";
	else if (record_len > MAX_RECORD_BYTES)
		why = "its result is too large to travel";
	enum sahm_status status = SAHM_OK;
	/* Its folder may be gone: a new one is placed. */
	if (why && is_unresolved)
		memset(w->slots[h->slot].hash, 0, HASH_BYTES);
	if (why) {
		if (is_environment)
			working_return_job(w, h->stream, &h->job, why);
		else
			working_refuse_job(w, h->stream, &h->job, why);
		hold_drop(w, held);
	} else {
		w->outcome->done++;
		w->rest_ns = 0;
		w->busy_ns += record_wall_ns(record_bytes, record_len);
		if (!working_put_out(w, held, record_bytes, record_len))
			status = sahm_fail_nomem(err);
	}
	arena_release(&a);
	return status;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct working *w = ctx;
	w->nr_marked++;
	w->worked_ns = working_now_ns();
	enum sahm_status status = take_answer(w, HELD_OF(job), answer, len, err);
	if (status == SAHM_OK)
		working_flush(w, false);
	return status;
}

static enum sahm_status lose(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	struct working *w = ctx;
	uint32_t held = HELD_OF(job);
	char limit[LIMIT_BYTES];
	(void)err;
	w->worked_ns = working_now_ns();
	if (explain_limit(w, SLOT_OF(job), cause, why, limit))
		working_fail_job(w, w->held[held].stream, &w->held[held].job, limit);
	else if (sahm_is_environment(cause))
		working_return_job(w, w->held[held].stream, &w->held[held].job, why);
	else
		working_fail_job(w, w->held[held].stream, &w->held[held].job, why);
	hold_drop(w, held);
	return SAHM_OK;
}

/* Hands back what is in hand: waiting runs, or, when nothing is under way any more, all without a result. */
static void hand_back(struct working *w, bool waiting_alone)
{
	for (uint32_t s = 0; s < w->nr_streams; s++) {
		struct sahm_err err;
		size_t nr = hold_list(w, s, waiting_alone), kept = 0;
		for (size_t i = 0; i < nr; i++)
			if (w->held[hold_place(w, w->listed[i])].state != HELD_ANSWERED)
				w->listed[kept++] = w->listed[i];
		/* In pieces, as the server's stack allows. */
		for (size_t i = 0; i < kept; i += MAX_TAKE) {
			size_t some = kept - i < MAX_TAKE ? kept - i : MAX_TAKE;
			if (queue_hand_back(&w->queue, w->name, w->streams[s].program, w->listed + i, some, &err) !=
			    SAHM_OK) {
				working_report_failure(w, &err);
				return;
			}
			w->outcome->handed_back += some;
		}
	}
	if (!waiting_alone)
		return;
	for (uint32_t i; (i = hold_next(w)) != NONE_HELD;)
		hold_drop(w, i);
}

/* Looks whether it is to end. False: at once. */
static bool look_for_stop(struct working *w)
{
	working_has_time(w);
	if (!w->give_up_ns)
		return true;
	if (!w->stopping) {
		w->stopping = true;
		if (working_has_link(w))
			hand_back(w, true);
	}
	return working_now_ns() < w->give_up_ns;
}

static bool tick(void *ctx)
{
	struct working *w = ctx;
	if (!look_for_stop(w))
		return false;
	if (working_has_link(w))
		working_beat(w);
	working_flush(w, false);
	return true;
}

static void sleep_briefly(void)
{
	const struct timespec t = {0, (long)SLEEP_NS};
	nanosleep(&t, NULL);
}

/* Runs of programs that wait: how many are not this one's, and *ours. */
static enum sahm_status look_at_others(struct working *w, const char **programs, size_t nr, uint64_t *nr_theirs,
				       const char **whose, bool *ours, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*nr_theirs = 0;
	*ours = false;
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct queue_counts counts;
		status = queue_count(&w->queue, programs[i], &counts, err);
		if (status != SAHM_OK || counts.waiting + counts.claimed == 0)
			continue;
		if (strcmp(programs[i], model_version()) == 0) {
			*ours = true;
		} else {
			*nr_theirs += counts.waiting + counts.claimed;
			*whose = programs[i];
		}
	}
	return status;
}

static void add_stream(struct working *w, const char *program)
{
	if (w->nr_streams == MAX_STREAMS || strlen(program) >= sizeof(w->streams[0].program))
		return;
	for (uint32_t s = 0; s < w->nr_streams; s++)
		if (strcmp(w->streams[s].program, program) == 0)
			return;
	struct stream *s = &w->streams[w->nr_streams++];
	snprintf(s->program, sizeof(s->program), "%s", program);
	s->taking = (struct queue_taking){.worker = w->name, .program = s->program, .cursor = "0-0"};
}

/* Runs of other programs: reports them, or takes them if --any-program was given. SAHM_CONFIG: there are no others. */
static enum sahm_status check_foreign_runs(struct working *w, struct sahm_err *err)
{
	const char *whose = "", **programs;
	uint64_t nr = 0;
	size_t nr_programs = 0;
	bool ours = false;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = queue_programs(&w->queue, &a, &programs, &nr_programs, err);
	if (status == SAHM_OK)
		status = look_at_others(w, programs, nr_programs, &nr, &whose, &ours, err);
	if (status == SAHM_OK && nr > 0 && w->options->any_program) {
		for (size_t i = 0; i < nr_programs; i++)
			add_stream(w, programs[i]);
	} else if (status == SAHM_OK && nr > 0) {
		struct sahm_err refusal;
		sahm_fail(
			&refusal, SAHM_CONFIG,
			"%llu runs in queue '%s' were planned by program '%.60s', this is '%s': it does not take them "
			"(--any-program: it does)",
			(unsigned long long)nr, w->queue.name, whose, model_version());
		if (ours || w->told_ns)
			working_report(w, refusal.msg);
		else
			status = sahm_fail(err, SAHM_CONFIG, "%s", refusal.msg);
	}
	w->told_ns = working_now_ns() + TELL_NS;
	arena_release(&a);
	return status;
}

static bool is_idle_for_long(const struct working *w)
{
	return w->options->idle_s && working_now_ns() - w->worked_ns > w->options->idle_s * NS_PER_S;
}

/* One look for work, without any under way. */
static void look_for_work(struct working *w)
{
	struct queue_job job;
	struct sahm_err err;
	size_t nr;
	working_refill(w);
	if (w->nr_waiting > 0 || w->stopping)
		return;
	bool can_ask = !working_is_paused(w) && working_now_ns() >= w->refused_ns && redis_link_is_up(w->queue.link);
	/* Where all that came failed at once there may be more. */
	if (can_ask && w->found)
		return;
	/* With several streams, or after a failure, one asks now and then. */
	if (!can_ask || w->nr_streams > 1) {
		sleep_briefly();
		return;
	}
	enum sahm_status status = queue_wait(&w->queue, &w->streams[0].taking, WAIT_MS, &job, &nr, &err);
	if (status != SAHM_OK)
		working_note_failure(w, &err);
	else
		working_admit(w, 0, &job, nr, false);
	w->take_ns = 0;
}

static bool wait_for_work(void *ctx)
{
	struct working *w = ctx;
	struct sahm_err err;
	if (!look_for_stop(w) || working_is_starved(w))
		return false;
	bool sent = working_flush(w, true);
	if (w->stopping && sent)
		return false;
	if (is_idle_for_long(w) && sent && w->nr_waiting == 0)
		return false;
	if (!sent || !working_has_link(w)) {
		sleep_briefly();
		return true;
	}
	working_beat(w);
	if (working_now_ns() >= w->told_ns && check_foreign_runs(w, &err) != SAHM_OK)
		working_note_failure(w, &err);
	look_for_work(w);
	w->mark_ns = working_now_ns();
	w->nr_marked = 0;
	return true;
}

static const struct pool_ops ops = {
	.begin = process_begin,
	.work = process_work,
	.next = next,
	.take = take,
	.lost = lose,
	.tick = tick,
	.wait = wait_for_work,
	.timeout_s = timeout_of,
};

static void introduce(struct working *w)
{
	struct queue_vitals *v = &w->vitals;
	gethostname(v->host, sizeof(v->host) - 1);
	clean_text(v->host);
	snprintf(v->program, sizeof(v->program), "%s", model_version());
	v->pid = getpid();
	v->processes = w->options->nr_processes;
	v->started_unix_ms = (int64_t)(clock_ns(CLOCK_REALTIME) / NS_PER_MS);
	/* A name that nobody else has or had: whose it was is not to be mistaken. */
	snprintf(w->name, sizeof(w->name), "%.64s:%lld:%08x", v->host, (long long)v->pid, randombytes_random());
}

static enum sahm_status prepare(struct working *w, struct sahm_err *err)
{
	const struct queue_worker_options *o = w->options;
	enum sahm_status status = hold_init(w, err);
	if (status == SAHM_OK)
		status = file_cache_open(&w->cache, o->cache, o->cache_bytes, err);
	for (size_t i = 0; i < o->nr_plugins && status == SAHM_OK; i++) {
		uint8_t hash[HASH_BYTES];
		status = file_cache_add_plugin(w->cache, o->plugins[i], hash, err);
	}
	if (status == SAHM_OK)
		status = check_foreign_runs(w, err);
	if (status == SAHM_OK)
		status = queue_make_stream(&w->queue, w->streams[0].program, err);
	if (status != SAHM_OK)
		return status;
	char text[SAHM_ERR_BYTES];
	snprintf(text, sizeof(text), "%s takes runs of program '%s' from queue '%s' on redis at '%s', %u process%s",
		 w->name, w->streams[0].program, w->queue.name, redis_link_name(w->queue.link), o->nr_processes,
		 o->nr_processes == 1 ? "" : "es");
	working_report(w, text);
	w->reported_ns = working_now_ns();
	w->report_ns = w->reported_ns + FIRST_REPORT_NS;
	return SAHM_OK;
}

/* Workers may be started along with their server. */
static enum sahm_status connect_soon(struct working *w, struct sahm_err *err)
{
	uint64_t until = working_now_ns() + CONNECT_NS;
	for (;;) {
		enum sahm_status status = queue_connect(&w->queue, &w->options->queue, err);
		if (status != SAHM_IO || working_stop(w) != WORKER_GO_ON || working_now_ns() >= until)
			return status;
		working_report_failure(w, err);
		sleep_briefly();
	}
}

enum sahm_status queue_work(const struct queue_worker_options *options, struct queue_worker_outcome *outcome,
			    struct sahm_err *err)
{
	struct working *w = calloc(1, sizeof(*w));
	/* Others have the next try. */
	const struct pool_options pool = {.nr_workers = options->nr_processes, .batch = 1, .tries = 1};
	uint64_t started = working_now_ns();
	bool stopped = false;
	*outcome = (struct queue_worker_outcome){0};
	if (!w)
		return sahm_fail_nomem(err);
	w->options = options;
	w->outcome = outcome;
	w->was_up = true;
	w->worked_ns = w->mark_ns = started;
	w->target = 2 * (size_t)options->nr_processes;
	enum sahm_status status = connect_soon(w, err);
	bool opened = status == SAHM_OK;
	if (opened) {
		redis_link_ask(w->queue.link, working_has_time, w);
		introduce(w);
		add_stream(w, model_version());
		status = prepare(w, err);
	}
	if (status == SAHM_OK)
		status = pool_run(&ops, &pool, w, &stopped, err);
	if (status == SAHM_OK && working_is_starved(w))
		status = sahm_fail_nomem(err);
	/* Sends results and hands the rest back. */
	if (w->first_out && !working_has_link(w))
		working_report(w,
			       "there is no connection: other workers will repeat the runs whose results could not be "
			       "sent");
	struct sahm_err ignored;
	if (status == SAHM_OK && working_has_link(w)) {
		w->retry_out_ns = 0;
		working_flush(w, true);
		hand_back(w, false);
		queue_leave(&w->queue, w->name, w->streams[0].program, &ignored);
	}
	while (w->first_out)
		working_drop_outgoing(w);
	file_cache_free(w->cache);
	hold_release(w);
	if (opened)
		queue_disconnect(&w->queue);
	outcome->elapsed_ns = working_now_ns() - started;
	free(w);
	return status;
}
