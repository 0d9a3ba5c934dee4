/* What stands in a queue, put there without the functions of the queue; on a real server that the tests of a program
 * share.
 */
#ifndef SAHM_TESTS_UNIT_SIM_QUEUE_MADE_RUN_QUEUE_H
#define SAHM_TESTS_UNIT_SIM_QUEUE_MADE_RUN_QUEUE_H

#include "sim/queue/queue_internal.h"
#include "tests/unit/made_store.h"
#include "tests/unit/sim/queue/made_redis.h"

#define OTHER "0.1.0-00000000"
#define JOBS "jobs:" PROGRAM

static struct made_redis redis; /* one for all tests */

static inline int start(void **state)
{
	(void)state;
	if (has_redis())
		start_redis(&redis, "");
	return 0;
}

static inline int stop(void **state)
{
	(void)state;
	if (redis.port)
		stop_redis(&redis);
	return 0;
}

static inline struct reply *call(struct queue *q)
{
	struct reply *reply = NULL;
	MUST_WORK(queue_call(q, 0, &reply, ERR));
	return reply;
}

/* A command on one of the queue's keys, followed by words, NULL at the end; its answer, if it is a number. */
static inline int64_t command(struct queue *q, const char *name, const char *key, ...)
{
	va_list words;
	queue_begin(q, name, key, "");
	va_start(words, key);
	for (const char *word; (word = va_arg(words, const char *));)
		redis_word(&q->words, word);
	va_end(words);
	struct reply *reply = call(q);
	int64_t number = reply->kind == REPLY_INTEGER ? reply->integer : -1;
	reply_free(reply);
	return number;
}

#define DO(q, ...) command(q, __VA_ARGS__, (const char *)NULL)

static inline struct queue open_queue(const char *name)
{
	struct queue q;
	const struct queue_options options = {.url = redis.url, .name = name};
	need_redis();
	MUST_WORK(queue_connect(&q, &options, ERR));
	return q;
}

/* One on an empty server. */
static inline struct queue open_empty(void)
{
	struct queue q = open_queue("tried");
	redis_words_begin(&q.words, "FLUSHALL");
	reply_free(call(&q));
	return q;
}

static inline void fill(char letter, char hash[HASH_BYTES + 1])
{
	memset(hash, letter, HASH_BYTES);
	hash[HASH_BYTES] = '\0';
}

/* The hash of a run is its position in decimal. */
static inline const char *run_at(unsigned position)
{
	static char hash[HASH_BYTES + 1];
	snprintf(hash, sizeof(hash), "%0*u", (int)HASH_BYTES, position);
	return hash;
}

static inline void add_run(struct queue *q, const char *program, char bundle, unsigned position)
{
	char key[160], b[HASH_BYTES + 1], p[16];
	fill(bundle, b);
	snprintf(key, sizeof(key), "jobs:%s", program);
	snprintf(p, sizeof(p), "%u", position);
	MUST_WORK(queue_make_stream(q, program, ERR));
	DO(q, "SADD", "programs", program);
	DO(q, "XADD", key, "*", "b", b, "p", p, "r", run_at(position));
	DO(q, "HSET", "runs", run_at(position), "q");
}

/* Adds a dead letter; its run has the state of one, unless `state` is another. */
static inline void add_letter(struct queue *q, const char *program, char bundle, unsigned position, const char *state)
{
	char b[HASH_BYTES + 1], p[16], own[64];
	fill(bundle, b);
	snprintf(p, sizeof(p), "%u", position);
	snprintf(own, sizeof(own), "%u-1", position + 1);
	DO(q, "XADD", "dead", own, "b", b, "p", p, "r", run_at(position), "g", program, "n", "3", "e", "why \033[1m",
	   "w", "w1");
	snprintf(own, sizeof(own), "d%u-1", position + 1);
	if (!state || *state)
		DO(q, "HSET", "runs", run_at(position), state ? state : own);
}

static inline void add_submission(struct queue *q, const char *id, char bundle, const char *submitted)
{
	char b[HASH_BYTES + 1], key[64], file[16 + 2 * HASH_BYTES] = "file:";
	fill(bundle, b);
	snprintf(key, sizeof(key), "submission:%s", id);
	for (unsigned i = 0; i < HASH_BYTES; i++)
		snprintf(file + 5 + 2 * i, 3, "%02x", (unsigned)bundle);
	DO(q, "SADD", "submissions", id);
	DO(q, "HSET", key, "program", PROGRAM, "name", "made \033[0m", "host", "desk", "submitted", submitted, "runs",
	   "12", "bundle", b, "files", b);
	DO(q, "SET", file, "text");
	DO(q, "XGROUP CREATE", "results", id, "0", "MKSTREAM");
}

static inline void take(struct queue *q, const char *program, const char *worker, const char *count)
{
	redis_words_begin(&q->words, "XREADGROUP GROUP workers");
	redis_word(&q->words, worker);
	redis_word(&q->words, "COUNT");
	redis_word(&q->words, count);
	redis_word(&q->words, "STREAMS");
	queue_key(q, "jobs:", program);
	redis_word(&q->words, ">");
	reply_free(call(q));
}

/* The state of a run; "" where there is none. */
static inline const char *state_of(struct queue *q, unsigned position)
{
	static char state[64];
	queue_begin(q, "HGET", "runs", "");
	redis_word(&q->words, run_at(position));
	struct reply *reply = call(q);
	snprintf(state, sizeof(state), "%s", reply->bytes);
	reply_free(reply);
	return state;
}

static inline int64_t nr_keys(struct queue *q)
{
	redis_words_begin(&q->words, "DBSIZE");
	struct reply *reply = call(q);
	int64_t nr = reply->integer;
	reply_free(reply);
	return nr;
}

static inline int64_t nr_pending(struct queue *q, const char *program)
{
	int64_t nr = -1;
	queue_begin(q, "XPENDING", "jobs:", program);
	redis_word(&q->words, QUEUE_GROUP);
	struct reply *reply = call(q);
	assert_true(reply_is_array(reply, 1, 4) && reply_number(reply->elements[0], 0, INT64_MAX, &nr));
	reply_free(reply);
	return nr;
}

#endif
