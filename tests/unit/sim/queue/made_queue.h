/* Queues on a real server, for tests of what goes in and comes out: one server for each test program, emptied before
 * each test; and commands of somebody who is no sahm. */
#ifndef SAHM_TESTS_UNIT_SIM_QUEUE_MADE_QUEUE_H
#define SAHM_TESTS_UNIT_SIM_QUEUE_MADE_QUEUE_H

#include "sim/queue/queue_internal.h"
#include "tests/unit/made_store.h"
#include "tests/unit/sim/queue/made_redis.h"

#define OTHER_PROGRAM "0.1.0-00000000"
#define MADE_QUEUE "tried"
#define KEY(name) "sahm:{" MADE_QUEUE "}:" name
#define JOBS_KEY KEY("jobs:" PROGRAM)

static struct made_redis made_server;

/* Group setup and teardown. */
static inline int start_server(void **state)
{
	(void)state;
	if (has_redis() && redis_is_built_in())
		start_redis(&made_server, "--enable-debug-command yes");
	return 0;
}

static inline int stop_server(void **state)
{
	(void)state;
	if (made_server.port)
		stop_redis(&made_server);
	return 0;
}

/* A connection more to the queue of the test. */
static inline struct queue join_queue(unsigned claim_s)
{
	struct queue q;
	const struct queue_options options = {.url = made_server.url, .name = MADE_QUEUE, .claim_s = claim_s};
	MUST_WORK(queue_connect(&q, &options, ERR));
	return q;
}

/* Any command, its words separated by single spaces, followed by one of any `len` bytes unless that is NULL. The
 * caller frees the reply. */
static inline struct reply *ask_with(struct queue *q, const char *words, const void *bytes, size_t len)
{
	struct reply *reply = NULL;
	redis_words_begin(&q->words, words);
	if (bytes)
		redis_word_bytes(&q->words, bytes, len);
	MUST_WORK(redis_link_call(q->link, &q->words, 0, &reply, ERR));
	return reply;
}

static inline struct reply *ask(struct queue *q, const char *words)
{
	return ask_with(q, words, NULL, 0);
}

/* The same for one that answers a number; -1: it does not. */
static inline int64_t ask_number(struct queue *q, const char *words)
{
	struct reply *reply = ask(q, words);
	int64_t number = reply_number(reply, INT64_MIN, INT64_MAX, &number) ? number : -1;
	reply_free(reply);
	return number;
}

static inline void tell(struct queue *q, const char *words)
{
	reply_free(ask(q, words));
}

/* A queue on an empty server; skips the test where there is no server. */
static inline struct queue open_queue(unsigned claim_s)
{
	struct queue q;
	need_redis();
	const struct queue_options options = {.url = made_server.url, .name = "other"};
	MUST_WORK(queue_connect(&q, &options, ERR));
	tell(&q, "CONFIG SET maxmemory 0");
	tell(&q, "FLUSHALL");
	queue_disconnect(&q);
	return join_queue(claim_s);
}

#define BUNDLE_TEXT "what is in it is for others"

/* A bundle without files, of `text`. */
static inline struct bundle make_bundle(const char *text)
{
	struct bundle b = {.text = text, .len = strlen(text), .program = PROGRAM, .name = "made"};
	struct hash h;
	hash_init(&h);
	hash_add(&h, b.text, b.len);
	hash_end(&h, b.hash);
	return b;
}

static inline void submit(struct queue *q, const char *id, uint64_t nr_runs)
{
	const struct bundle b = make_bundle(BUNDLE_TEXT);
	MUST_WORK(queue_submit(q, id, &b, nr_runs, ERR));
}

/* The run `number`, at that position. */
static inline struct queue_run run_of(uint64_t number)
{
	struct queue_run run = {.position = number};
	const struct bundle b = make_bundle(BUNDLE_TEXT);
	hash_of_number(number, run.hash);
	memcpy(run.bundle, b.hash, HASH_BYTES);
	return run;
}

/* The submission that asks for runs where it does not matter which. */
#define ONE "0a"

/* Enqueues runs first to first + nr - 1, and returns how many were new. */
static inline uint64_t enqueue(struct queue *q, uint64_t first, size_t nr, bool force)
{
	static struct queue_run runs[MAX_ENQUEUE];
	uint64_t added = 0;
	assert_true(nr <= MAX_ENQUEUE);
	for (size_t i = 0; i < nr; i++)
		runs[i] = run_of(first + i);
	MUST_WORK(queue_enqueue(q, ONE, PROGRAM, runs, nr, force, &added, ERR));
	return added;
}

/* What a worker has. */
struct made_hand {
	struct queue_job jobs[MAX_TAKE];
	const struct queue_job *list[MAX_TAKE];
	size_t nr;
	enum queue_answer answer;
};

/* Takes up to `want` runs; what others have left, too, where `cursor` (then the place of the next look) is given. */
static inline void take_runs(struct queue *q, const char *worker, size_t want, size_t least, char *cursor,
			     struct made_hand *hand)
{
	struct queue_taking t = {
		.worker = worker, .program = PROGRAM, .want = want, .least = least, .reclaim = cursor != NULL};
	if (cursor)
		snprintf(t.cursor, sizeof(t.cursor), "%s", cursor);
	MUST_WORK(queue_take(q, &t, hand->jobs, &hand->nr, &hand->answer, ERR));
	if (cursor)
		snprintf(cursor, QUEUE_ID_BYTES, "%s", t.cursor);
	for (size_t i = 0; i < hand->nr; i++)
		hand->list[i] = &hand->jobs[i];
}

/* All that others have left and may be had, at most `least` of it. */
static inline void take_left(struct queue *q, const char *worker, size_t least, struct made_hand *hand)
{
	char cursor[QUEUE_ID_BYTES] = "0-0";
	take_runs(q, worker, least, least, cursor, hand);
}

static inline void expect_hand(const struct made_hand *hand, size_t nr, uint64_t first, uint32_t deliveries)
{
	assert_int_equal(hand->answer, QUEUE_JOBS);
	assert_int_equal(hand->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		struct queue_run run = run_of(first + i);
		assert_memory_equal(hand->jobs[i].run.hash, run.hash, HASH_BYTES);
		assert_memory_equal(hand->jobs[i].run.bundle, run.bundle, HASH_BYTES);
		assert_int_equal(hand->jobs[i].run.position, first + i);
		assert_int_equal(hand->jobs[i].deliveries, deliveries);
	}
}

/* Results of what is in hand: of each job the text "record of N", N its position. */
static inline void results_begin(struct queue_results *r)
{
	textbuf_init(&r->hashes);
	textbuf_init(&r->records);
	r->nr = 0;
}

static inline void results_add(struct queue_results *r, const struct queue_job *job, const char *record, size_t len)
{
	const char length[4] = {(char)(len & 0xff), (char)(len >> 8 & 0xff), (char)(len >> 16 & 0xff),
				(char)(len >> 24 & 0xff)};
	textbuf_add(&r->hashes, (const char *)job->run.hash, HASH_BYTES);
	textbuf_add(&r->records, length, sizeof(length));
	textbuf_add(&r->records, record, len);
	r->jobs[r->nr++] = job;
}

static inline void results_end(struct queue_results *r)
{
	textbuf_release(&r->hashes);
	textbuf_release(&r->records);
}

static inline enum sahm_status try_answer(struct queue *q, const char *worker, const struct made_hand *hand,
					  struct sahm_err *err)
{
	static struct queue_results r;
	results_begin(&r);
	for (size_t i = 0; i < hand->nr; i++) {
		char record[48];
		snprintf(record, sizeof(record), "record of %llu", (unsigned long long)hand->jobs[i].run.position);
		results_add(&r, &hand->jobs[i], record, strlen(record));
	}
	enum sahm_status status = queue_put_results(q, worker, PROGRAM, &r, err);
	results_end(&r);
	return status;
}

static inline void answer(struct queue *q, const char *worker, const struct made_hand *hand)
{
	MUST_WORK(try_answer(q, worker, hand, ERR));
}

/* How runs stand: waiting, in hands, given up. */
static inline void expect_runs(struct queue *q, uint64_t waiting, uint64_t claimed, uint64_t dead)
{
	struct queue_counts c;
	MUST_WORK(queue_count(q, PROGRAM, &c, ERR));
	if (c.waiting != waiting || c.claimed != claimed || c.dead != dead)
		fail_msg("waiting %llu, claimed %llu, dead %llu", (unsigned long long)c.waiting,
			 (unsigned long long)c.claimed, (unsigned long long)c.dead);
}

#endif
