/* Gathering results from the queue into the store. */
#include <stdio.h>
#include <string.h>

#include "sim/base/clock.h"
#include "sim/base/strtable.h"
#include "sim/base/units.h"
#include "sim/queue/sweep_remote_internal.h"

/* How often results are committed and acknowledged. */
#define COMMIT_NS (NS_PER_S / 2)
#define COMMIT_RUNS 2000u
/* How long one waits for results in one go. */
#define WAIT_MS 200u
/* How often one counts workers. */
#define COUNT_NS (2 * NS_PER_S)
/* After this time without results, checks whether any can arrive: a worker that has them would have shown signs of
 * life. */
#define QUIET_NS (5 * NS_PER_S)
/* Runs that were given up of which one asks how they stand. */
#define MAX_GIVEN_UP 1024u
/* Second results that are kept in one go. */
#define MAX_DIFFERING 10000u

struct gathering {
	const struct gather_options *options;
	struct store *store;
	struct queue *queue;
	struct gathered *g;
	struct queue_collecting collecting;
	const char *program; /* whose runs these are; NULL: not known */
	uint64_t total, before;
	uint64_t started_ns, committed_ns, counted_ns, heard_ns, nr_workers;
	const char *why; /* nothing is handed out; NULL: it is */
	uint32_t nr_uncommitted;
	bool again;   /* what was read before and not acknowledged comes first */
	bool emptied; /* nothing new was there when one looked last */
	bool undone;  /* the store has failed, and given up what was not committed: nothing of it is acknowledged */
	struct arena arena;
	struct strtable workers; /* their names and numbers */
	uint32_t nr_names;
};

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Numbers of workers in the order in which they are heard of, as those of a pool have some. */
static uint32_t number_of(struct gathering *x, const char *worker, uint32_t process)
{
	char name[MAX_WORKER_NAME + 16];
	snprintf(name, sizeof(name), "%s/%u", worker, process);
	uint32_t *number = strtable_at(&x->workers, name);
	if (!number)
		return 0;
	if (*number == 0)
		*number = ++x->nr_names;
	return *number - 1;
}

static enum sahm_status put(struct gathering *x, int64_t run, const struct record *record, struct sahm_err *err)
{
	*(record->failed ? &x->g->failed : &x->g->done) += 1;
	x->g->left -= x->g->left > 0;
	x->nr_uncommitted++;
	return store_put(x->store, run, record, x->options->note->part.threads, err);
}

/* A result of a run that the store has one of. */
static enum sahm_status hold_against(struct gathering *x, int64_t run, const struct record *record, const char *worker,
				     struct sahm_err *err)
{
	bool same = false, has_threads = true, is_new = false;
	struct record known;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = store_result(x->store, run, &a, &known, &has_threads, err);
	bool given_up = status == SAHM_OK && known.failed &&
			strncmp(known.message, QUEUE_GIVEN_UP, strlen(QUEUE_GIVEN_UP)) == 0;
	bool failed = status == SAHM_OK && known.failed;
	arena_release(&a);
	if (status != SAHM_OK)
		return status;
	/* The queue had given it up, and somebody has done it all the same. */
	if (given_up) {
		x->g->given_up -= x->g->given_up > 0;
		x->g->done += !record->failed;
		x->g->failed += record->failed;
		x->nr_uncommitted++;
		return store_put_over(x->store, run, record, x->options->note->part.threads, err);
	}
	status = store_is_same(x->store, run, record, &same, err);
	if (status != SAHM_OK)
		return status;
	if (!same && x->g->differing == MAX_DIFFERING)
		return sahm_fail(err, SAHM_CHECKSUM,
				 "more than %u results arrived twice and were not equal: something is wrong with a "
				 "worker, the last one was '%.100s'",
				 MAX_DIFFERING, worker);
	if (!same) {
		status = store_put_second(x->store, run, record, worker, &is_new, err);
		x->g->differing += is_new;
		x->nr_uncommitted++;
		return status;
	}
	if (!failed && !has_threads && x->options->note->part.threads && record->nr_threads > 0)
		return put(x, run, record, err);
	x->g->again++;
	return SAHM_OK;
}

static enum sahm_status put_given_up(struct gathering *x, int64_t run, const struct queue_result *r, struct arena *a,
				     struct sahm_err *err)
{
	struct record record;
	char text[MAX_QUEUE_ERROR + 100];
	snprintf(text, sizeof(text), QUEUE_GIVEN_UP "%llu deliveries: %s", (unsigned long long)r->tries, r->why);
	enum sahm_status status = record_of_failure(a, text, &record, err);
	x->g->given_up++;
	return status == SAHM_OK ? put(x, run, &record, err) : status;
}

/* Whether `text` has no more than what stands in names of core types and lists of numbers. */
static bool is_plain(const char *text)
{
	return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.,")] == '\0';
}

/* A store knows chips by their words: a record may not make up such that mean something else. */
static bool is_plausible(const struct record *r)
{
	for (uint32_t g = 0; g < r->nr_groups; g++)
		if (!is_plain(r->chip[g].type) || !is_plain(r->chip[g].speedups))
			return false;
	return r->nr_threads <= MAX_THREADS;
}

static enum sahm_status take_result(struct gathering *x, const struct queue_result *r, struct sahm_err *err)
{
	enum run_state state;
	int64_t run;
	bool found;
	enum sahm_status status = store_find_run(x->store, r->hash, &run, &state, &found, err);
	/* Of another submission. */
	if (status != SAHM_OK || !found)
		return status;
	struct record record;
	struct sahm_err cause;
	struct arena a;
	x->heard_ns = now_ns();
	arena_init(&a);
	if (!r->record) {
		/* One that is done is done, and one that was put back is not given up any more. */
		enum queue_state known = QUEUE_UNKNOWN;
		if (state == RUN_PLANNED)
			status = queue_states(x->queue, &r->hash, 1, &known, err);
		if (status == SAHM_OK && state == RUN_PLANNED && known != QUEUE_ON_ITS_WAY)
			status = put_given_up(x, run, r, &a, err);
	} else {
		status = record_decode(&a, r->record, r->len, &record, &cause);
		if (status == SAHM_OK && !is_plausible(&record)) {
			x->g->damaged++;
		} else if (status == SAHM_OK) {
			record.timing.worker = number_of(x, r->worker, record.timing.worker);
			status = state == RUN_PLANNED ? put(x, run, &record, err)
						      : hold_against(x, run, &record, r->worker, err);
		} else if (status == SAHM_FORMAT) {
			x->g->damaged++;
			status = SAHM_OK;
		} else {
			status = sahm_fail_nomem(err);
		}
	}
	arena_release(&a);
	return status;
}

static enum sahm_status take(void *ctx, const struct queue_result *r, struct sahm_err *err)
{
	struct gathering *x = ctx;
	enum sahm_status status = take_result(x, r, err);
	x->undone |= status != SAHM_OK;
	return status;
}

static bool is_part_done(const struct gathered *g)
{
	return g->left == 0;
}

static enum sahm_status count_left(struct gathering *x, struct sahm_err *err)
{
	struct store_counts counts;
	enum sahm_status status = store_count(x->store, &x->options->note->part, &counts, err);
	x->g->left = status == SAHM_OK ? counts.planned + (x->options->note->part.threads ? counts.threadless : 0)
				       : x->g->left;
	return status;
}

/* Acknowledges results that are stored permanently. */
static enum sahm_status commit(struct gathering *x, struct sahm_err *err)
{
	x->committed_ns = now_ns();
	if (x->undone)
		return SAHM_OK;
	enum sahm_status status = x->nr_uncommitted ? store_commit(x->store, err) : SAHM_OK;
	x->undone = status != SAHM_OK;
	if (status != SAHM_OK)
		return status;
	x->nr_uncommitted = 0;
	return x->collecting.nr_ids ? queue_settle(x->queue, &x->collecting, err) : SAHM_OK;
}

static bool show(void *ctx)
{
	struct gathering *x = ctx;
	const struct gather_options *o = x->options;
	const struct sweep_progress progress = {.total = x->total,
						.before = x->before,
						.done = x->g->done,
						.failed = x->g->failed,
						.elapsed_ns = now_ns() - x->started_ns,
						.remote = true,
						.workers = x->nr_workers,
						.why = x->why};
	if (o->progress && !o->progress(o->ctx, &progress))
		x->g->interrupted = true;
	return !x->g->interrupted;
}

/* Entries that were read and not acknowledged are read again. */
static void read_again(struct gathering *x)
{
	x->again = true;
	x->collecting.ids.len = 0;
	x->collecting.nr_ids = 0;
}

/* The server has lost the submission: everything that is left is submitted again. */
static enum sahm_status submit_anew(struct gathering *x, bool force, struct sahm_err *err)
{
	uint64_t added = 0;
	read_again(x);
	if (!x->options->submission) {
		x->g->missing = true;
		return SAHM_OK;
	}
	enum sahm_status status =
		submission_put(x->options->submission, x->store, x->queue, force, show, x, &added, err);
	x->g->resubmitted += added;
	return status;
}

/* Nothing has come for a while: whether anything can. */
static enum sahm_status look_whether_lost(struct gathering *x, struct sahm_err *err)
{
	struct queue_counts counts;
	bool has;
	x->heard_ns = now_ns();
	enum sahm_status status = queue_has_submission(x->queue, x->options->note->id, &has, err);
	if (status == SAHM_OK && !has)
		return submit_anew(x, false, err);
	/* Workers may miss a file that the server has lost. */
	if (status == SAHM_OK && x->options->submission)
		status = queue_send_files(x->queue, &x->options->submission->bundle, err);
	if (status == SAHM_OK)
		status = queue_count(x->queue, x->program, &counts, err);
	if (status != SAHM_OK || counts.waiting + counts.claimed > 0)
		return status;
	/* Results may have come between. */
	size_t nr;
	status = queue_collect(x->queue, &x->collecting, false, 0, take, x, &nr, err);
	if (queue_is_gone(x->queue, status))
		return submit_anew(x, false, err);
	if (status != SAHM_OK || nr > 0)
		return status;
	status = commit(x, err);
	if (status == SAHM_OK)
		status = count_left(x, err);
	return status == SAHM_OK && x->g->left > 0 ? submit_anew(x, true, err) : status;
}

static enum sahm_status count_workers(struct gathering *x, struct sahm_err *err)
{
	struct queue_pulse pulse;
	x->counted_ns = now_ns();
	enum sahm_status status = queue_feel(x->queue, &pulse, err);
	if (status != SAHM_OK)
		return status;
	x->nr_workers = pulse.workers;
	x->why = pulse.draining ? "the queue is being drained: nothing is handed out until `sahm queue drain --off`"
		 : pulse.result_bytes >= (uint64_t)QUEUE_MAX_RESULT_BYTES
			 ? "workers wait until somebody collects results: `sahm queue status` says whose they are, "
			   "`sahm queue "
			   "purge --submission ID` removes what nobody wants"
			 : NULL;
	return SAHM_OK;
}

/* One look for results; *nr entries had come. */
static enum sahm_status gather_some(struct gathering *x, size_t *nr, struct sahm_err *err)
{
	/* Looks a last time, without waiting, when everything is there. */
	bool at_end = is_part_done(x->g) && !x->emptied;
	unsigned wait_ms = x->options->wait && !at_end ? WAIT_MS : 0;
	bool again = x->again;
	enum sahm_status status = queue_collect(x->queue, &x->collecting, again, wait_ms, take, x, nr, err);
	if (queue_is_gone(x->queue, status))
		return submit_anew(x, false, err);
	if (status != SAHM_OK)
		return status;
	x->g->damaged += x->collecting.nr_damaged;
	x->collecting.nr_damaged = 0;
	x->again = again && *nr > 0;
	x->emptied = !again && *nr == 0;
	uint64_t now = now_ns();
	/* Reads from the beginning, where acknowledged entries must be gone by then. */
	if ((again && *nr > 0) || x->nr_uncommitted >= COMMIT_RUNS || now - x->committed_ns >= COMMIT_NS)
		status = commit(x, err);
	if (status == SAHM_OK && now - x->counted_ns >= COUNT_NS)
		status = count_workers(x, err);
	if (status == SAHM_OK && now - x->heard_ns >= QUIET_NS && x->options->wait)
		status = look_whether_lost(x, err);
	return status;
}

/* The connection is lost: what was not acknowledged comes again. */
static enum sahm_status reconnect(struct gathering *x, struct sahm_err *err)
{
	read_again(x);
	x->why = "the connection to the server is lost: trying to have one again";
	enum sahm_status status = redis_link_wait(x->queue->link, show, x, err);
	x->why = NULL;
	return status;
}

/* Runs that the queue gave up and has put back, or still has as dead letters. */
static enum sahm_status count_given_up(struct gathering *x, uint64_t *on_their_way, uint64_t *dead,
				       struct sahm_err *err)
{
	uint8_t hashes[MAX_GIVEN_UP][HASH_BYTES];
	enum queue_state states[MAX_GIVEN_UP];
	size_t nr;
	*on_their_way = *dead = 0;
	enum sahm_status status =
		store_failed_runs(x->store, &x->options->note->part, QUEUE_GIVEN_UP, hashes, MAX_GIVEN_UP, &nr, err);
	if (status == SAHM_OK)
		status = queue_states(x->queue, hashes, nr, states, err);
	for (size_t i = 0; status == SAHM_OK && i < nr; i++) {
		*on_their_way += states[i] == QUEUE_ON_ITS_WAY;
		*dead += states[i] == QUEUE_DEAD;
	}
	return status;
}

/* Whether everything expected is gathered. */
static enum sahm_status is_finished(struct gathering *x, bool *finished, struct sahm_err *err)
{
	*finished = x->g->missing || (!x->options->wait && x->emptied);
	/* Late results of runs that had been given up are stored, too. */
	if (*finished || !is_part_done(x->g) || !x->emptied)
		return SAHM_OK;
	/* Runs of other parts may have been counted. */
	enum sahm_status status = commit(x, err);
	if (status == SAHM_OK)
		status = count_left(x, err);
	if (status != SAHM_OK || !is_part_done(x->g))
		return status;
	uint64_t on_their_way, dead;
	status = count_given_up(x, &on_their_way, &dead, err);
	*finished = status == SAHM_OK && on_their_way == 0;
	return status;
}

static enum sahm_status gather_all(struct gathering *x, struct sahm_err *err)
{
	bool finished = false;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK && !finished && show(x)) {
		size_t nr = 0;
		status = gather_some(x, &nr, err);
		if (status == SAHM_OK)
			status = is_finished(x, &finished, err);
		if (status == SAHM_IO && !redis_link_is_up(x->queue->link)) {
			status = reconnect(x, err);
			if (x->g->interrupted)
				return SAHM_OK;
		}
	}
	return status;
}

/* All is there. Dead letters keep the submission: they can be put back. */
static enum sahm_status end_submission(struct gathering *x, struct sahm_err *err)
{
	uint64_t on_their_way, dead;
	enum sahm_status status = count_given_up(x, &on_their_way, &dead, err);
	if (status != SAHM_OK || on_their_way + dead > 0)
		return status;
	status = queue_forget(x->queue, x->options->note->id, err);
	if (status == SAHM_OK)
		status = store_end_submission(x->store, x->options->note->id, err);
	if (status == SAHM_OK)
		status = store_commit(x->store, err);
	x->g->ended = status == SAHM_OK;
	return status;
}

/* Some runs may have failed before, or at first, and be done by now; `before` had failed. */
static enum sahm_status count_failed(struct gathering *x, uint64_t before, struct sahm_err *err)
{
	struct store_counts counts;
	enum sahm_status status = store_count(x->store, &x->options->note->part, &counts, err);
	if (status != SAHM_OK)
		return status;
	x->g->failed = counts.failed > before ? counts.failed - before : 0;
	x->g->mended = counts.failed < before ? before - counts.failed : 0;
	return SAHM_OK;
}

enum sahm_status sweep_gather(const struct gather_options *options, struct store *store, struct queue *queue,
			      struct gathered *g, struct sahm_err *err)
{
	struct gathering x = {.options = options,
			      .store = store,
			      .queue = queue,
			      .g = g,
			      .collecting = {.id = options->note->id},
			      .program = options->submission ? options->submission->bundle.program : NULL,
			      .started_ns = now_ns(),
			      .committed_ns = now_ns(),
			      .heard_ns = now_ns(),
			      .again = true};
	struct store_counts counts;
	*g = (struct gathered){0};
	arena_init(&x.arena);
	strtable_init(&x.workers, &x.arena);
	textbuf_init(&x.collecting.ids);
	enum sahm_status status = store_count(store, &options->note->part, &counts, err);
	if (status == SAHM_OK)
		status = count_left(&x, err);
	x.before = status == SAHM_OK ? counts.done + counts.failed : 0;
	x.total = x.before + g->left;
	if (status == SAHM_OK)
		status = gather_all(&x, err);
	/* After a failure of the store nothing can be committed; after any other everything is. */
	struct sahm_err ignored;
	enum sahm_status committed = commit(&x, status == SAHM_OK ? err : &ignored);
	status = status == SAHM_OK ? committed : status;
	if (status == SAHM_OK)
		status = count_failed(&x, counts.failed, err);
	if (status == SAHM_OK && g->left == 0 && !g->interrupted)
		status = end_submission(&x, err);
	g->elapsed_ns = now_ns() - x.started_ns;
	textbuf_release(&x.collecting.ids);
	arena_release(&x.arena);
	return status;
}
