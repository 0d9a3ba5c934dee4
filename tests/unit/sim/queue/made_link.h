/* Links to servers that tests have made, and commands in one line. */
#ifndef SAHM_TESTS_UNIT_SIM_QUEUE_MADE_LINK_H
#define SAHM_TESTS_UNIT_SIM_QUEUE_MADE_LINK_H

#include "sim/base/clock.h"
#include "sim/queue/redis_link.h"
#include "tests/unit/made_store.h"
#include "tests/unit/sim/queue/made_redis.h"

static inline uint64_t now_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC) / NS_PER_MS;
}

/* "redis://LOGIN@127.0.0.1:PORT/DATABASE"; waits for `reply_ms` for replies. */
static inline enum sahm_status try_link(struct redis_link **link, const char *login, uint16_t port, unsigned database,
					unsigned reply_ms, struct sahm_err *err)
{
	struct redis_link_options options = {.connect_ms = reply_ms, .reply_ms = reply_ms};
	struct redis_url url;
	struct arena a;
	char text[128];
	snprintf(text, sizeof(text), "redis://%s@127.0.0.1:%u/%u", login, (unsigned)port, database);
	arena_init(&a);
	enum sahm_status status = redis_url_read(&url, text, &a, err);
	if (status == SAHM_OK)
		status = redis_link_open(link, &url, &options, err);
	arena_release(&a);
	return status;
}

static inline struct redis_link *open_link(const char *login, uint16_t port, unsigned database)
{
	struct redis_link *link = NULL;
	MUST_WORK(try_link(&link, login, port, database, 10000, ERR));
	return link;
}

/* A command whose words have no spaces. *reply may be NULL. */
static inline enum sahm_status try_call(struct redis_link *link, const char *words, struct reply **reply,
					struct sahm_err *err)
{
	struct redis_words w;
	redis_words_init(&w);
	redis_words_begin(&w, words);
	enum sahm_status status = redis_link_call(link, &w, 0, reply, err);
	redis_words_release(&w);
	return status;
}

/* The caller frees the reply. */
static inline struct reply *call(struct redis_link *link, const char *words)
{
	struct reply *reply = NULL;
	MUST_WORK(try_call(link, words, &reply, ERR));
	assert_non_null(reply);
	return reply;
}

/* The command's answer is this string or status; NULL: nil. */
static inline void expect_answer(struct redis_link *link, const char *words, const char *answer)
{
	struct reply *reply = call(link, words);
	if (answer ? !reply_is_bytes(reply, strlen(answer), strlen(answer)) || strcmp(reply->bytes, answer) != 0
		   : reply->kind != REPLY_NIL)
		fail_msg("%s: kind %d, '%s'", words, (int)reply->kind, reply->bytes);
	reply_free(reply);
}

static inline void expect_number(struct redis_link *link, const char *words, int64_t expected)
{
	struct reply *reply = call(link, words);
	int64_t value;
	assert_true(reply_number(reply, INT64_MIN, INT64_MAX, &value));
	assert_int_equal(value, expected);
	reply_free(reply);
}

/* Waits for a connection, `ms` at most. */
struct watched_deadline {
	uint64_t until_ms, asked_ms, longest_ms; /* longest_ms: between two questions */
	unsigned nr_asked;
};

static inline bool before_deadline(void *ctx)
{
	struct watched_deadline *d = ctx;
	uint64_t now = now_ms(), since = now - d->asked_ms;
	d->longest_ms = since > d->longest_ms ? since : d->longest_ms;
	d->asked_ms = now;
	d->nr_asked++;
	return now < d->until_ms;
}

static inline struct watched_deadline deadline_in(uint64_t ms)
{
	return (struct watched_deadline){.until_ms = now_ms() + ms, .asked_ms = now_ms()};
}

static inline void wait_for_link(struct redis_link *link)
{
	struct watched_deadline d = deadline_in(20000);
	MUST_WORK(redis_link_wait(link, before_deadline, &d, ERR));
}

#endif
