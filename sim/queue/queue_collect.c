/* The submitter's side of the queue: results come, and what everybody has goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/queue/queue_internal.h"

static const struct redis_script settle_script = {"settle", queue_settle_lua, NULL};
static const struct redis_script forget_script = {"forget", queue_forget_lua, NULL};

/* Entries that are read at a time. */
#define READ_COUNT 4u
#define WAIT_MARGIN_MS 5000u

/* Lengths in entries have 4 bytes, least significant first. */
static uint32_t read_u32(const char *bytes)
{
	const unsigned char *b = (const unsigned char *)bytes;
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Gives the records of an entry to `take`; *damaged when it is none. */
static enum sahm_status take_records(const struct reply *fields, struct queue_result *r, queue_result_fn *take,
				     void *ctx, bool *damaged, struct sahm_err *err)
{
	const struct reply *hashes = reply_member(fields, FIELD_RUN), *packed = reply_member(fields, FIELD_RECORDS);
	char *records = NULL;
	size_t len = 0, at = 0, nr = hashes->len / HASH_BYTES;
	struct sahm_err why;
	*damaged = true;
	if (!reply_is_bytes(packed, 1, MAX_REPLY_BYTES) || nr > MAX_RESULT_RUNS)
		return SAHM_OK;
	enum sahm_status status = queue_unpack(packed, &records, &len, &why);
	if (status == SAHM_FORMAT)
		return SAHM_OK;
	if (status != SAHM_OK)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK && len - at >= 4; i++) {
		r->len = read_u32(records + at);
		r->record = records + at + 4;
		if (r->len > len - at - 4)
			break;
		at += 4 + r->len;
		memcpy(r->hash, hashes->bytes + i * HASH_BYTES, HASH_BYTES);
		*damaged = i + 1 < nr || at != len;
		status = take(ctx, r, err);
	}
	free(records);
	return status;
}

static enum sahm_status take_fields(struct arena *a, const struct reply *fields, queue_result_fn *take, void *ctx,
				    bool *damaged, struct sahm_err *err)
{
	const struct reply *hashes = reply_member(fields, FIELD_RUN), *why = reply_member(fields, FIELD_GIVEN_UP);
	struct queue_result r = {.why = "",
				 .worker = queue_text(a, reply_member(fields, FIELD_WORKER), MAX_WORKER_NAME)};
	*damaged = !reply_is_bytes(hashes, HASH_BYTES, MAX_RESULT_RUNS * HASH_BYTES) || hashes->len % HASH_BYTES;
	if (*damaged)
		return SAHM_OK;
	if (!r.worker)
		return sahm_fail_nomem(err);
	if (!why)
		return take_records(fields, &r, take, ctx, damaged, err);
	memcpy(r.hash, hashes->bytes, HASH_BYTES);
	r.why = queue_text(a, why, MAX_QUEUE_ERROR);
	r.tries = queue_number(reply_member(fields, FIELD_TRIES));
	return r.why ? take(ctx, &r, err) : sahm_fail_nomem(err);
}

static enum sahm_status take_entries(struct queue *q, struct queue_collecting *c, const struct reply *entries,
				     queue_result_fn *take, void *ctx, size_t *nr, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < entries->nr && status == SAHM_OK; i++) {
		const struct reply *entry = entries->elements[i];
		char id[QUEUE_ID_BYTES];
		bool damaged = true;
		struct arena a;
		if (!reply_is_array(entry, 2, 2) || !queue_read_id(entry->elements[0], id))
			return queue_fail_reply(q, "an entry of a stream", err);
		/* One that was removed meanwhile has no fields any more. */
		arena_init(&a);
		if (entry->elements[1]->kind != REPLY_NIL)
			status = take_fields(&a, entry->elements[1], take, ctx, &damaged, err);
		arena_release(&a);
		/* What was not taken comes again. */
		if (status != SAHM_OK)
			return status;
		c->nr_damaged += damaged;
		textbuf_add(&c->ids, id, strlen(id) + 1);
		c->nr_ids++;
		++*nr;
	}
	return textbuf_failed(&c->ids) ? sahm_fail_nomem(err) : SAHM_OK;
}

enum sahm_status queue_collect(struct queue *q, struct queue_collecting *c, bool again, unsigned wait_ms,
			       queue_result_fn *take, void *ctx, size_t *nr_entries, struct sahm_err *err)
{
	struct reply *reply = NULL;
	*nr_entries = 0;
	redis_words_begin(&q->words, "XREADGROUP GROUP");
	redis_word(&q->words, c->id);
	redis_word(&q->words, "collector");
	redis_word(&q->words, "COUNT");
	redis_word_u64(&q->words, READ_COUNT);
	/* 0 would be for ever. */
	if (!again && wait_ms > 0) {
		redis_word(&q->words, "BLOCK");
		redis_word_u64(&q->words, wait_ms);
	}
	redis_word(&q->words, "STREAMS");
	queue_key(q, "results", "");
	redis_word(&q->words, again ? "0" : ">");
	enum sahm_status status = queue_call(q, wait_ms + WAIT_MARGIN_MS, &reply, err);
	if (status == SAHM_OK && reply->kind != REPLY_NIL) {
		const struct reply *stream = reply_is_array(reply, 1, 1) ? reply->elements[0] : NULL;
		const struct reply *entries = reply_is_array(stream, 2, 2) ? stream->elements[1] : NULL;
		status = reply_is_array(entries, 0, READ_COUNT)
				 ? take_entries(q, c, entries, take, ctx, nr_entries, err)
				 : queue_fail_reply(q, "results", err);
	}
	reply_free(reply);
	return status;
}

enum sahm_status queue_feel(struct queue *q, struct queue_pulse *pulse, struct sahm_err *err)
{
	struct reply *reply = NULL;
	*pulse = (struct queue_pulse){0};
	queue_begin(q, "ZCARD", "workers", "");
	enum sahm_status status = queue_ask_number(q, "a number of workers", &pulse->workers, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "HMGET", "meta", "");
	redis_word(&q->words, META_DRAIN);
	redis_word(&q->words, META_RESULT_BYTES);
	status = queue_call(q, 0, &reply, err);
	if (status == SAHM_OK && reply_is_array(reply, 2, 2)) {
		pulse->draining = reply_is_bytes(reply->elements[0], 0, MAX_QUEUE_TEXT);
		pulse->result_bytes = queue_number(reply->elements[1]);
	}
	reply_free(reply);
	return status;
}

enum sahm_status queue_states(struct queue *q, const uint8_t (*hashes)[HASH_BYTES], size_t nr, enum queue_state *states,
			      struct sahm_err *err)
{
	struct reply *reply = NULL;
	if (nr == 0)
		return SAHM_OK;
	queue_begin(q, "HMGET", "runs", "");
	for (size_t i = 0; i < nr; i++)
		redis_word_bytes(&q->words, hashes[i], HASH_BYTES);
	enum sahm_status status = queue_call(q, 0, &reply, err);
	if (status == SAHM_OK && !reply_is_array(reply, nr, nr))
		status = queue_fail_reply(q, "how runs stand", err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		const struct reply *state = reply->elements[i];
		states[i] = !reply_is_bytes(state, 1, MAX_QUEUE_TEXT) ? QUEUE_UNKNOWN
			    : *state->bytes == 'd'		      ? QUEUE_DEAD
								      : QUEUE_ON_ITS_WAY;
	}
	reply_free(reply);
	return status;
}

/* Entries that are acknowledged at a time. */
#define MAX_SETTLE 64u
/* Times that one looks for what nobody waits for, 16 entries each. */
#define MAX_TIDY 65536u

/* Begins the script; `from`: where to begin to look for what nobody waits for. */
static void begin_settle(struct queue *q, const char *id, const char *from)
{
	static const char *const keys[] = {"results", "runs", "meta", "dead"};
	redis_script_begin(&q->words, &settle_script, ARRAY_SIZE(keys));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		queue_key(q, keys[i], "");
	redis_word(&q->words, q->prefix);
	redis_word(&q->words, id);
	redis_word(&q->words, from);
}

enum sahm_status queue_settle(struct queue *q, struct queue_collecting *c, struct sahm_err *err)
{
	const char *at = c->ids.text;
	enum sahm_status status = textbuf_failed(&c->ids) ? sahm_fail_nomem(err) : SAHM_OK;
	for (size_t left = c->nr_ids; status == SAHM_OK && left > 0;) {
		size_t nr = left < MAX_SETTLE ? left : MAX_SETTLE;
		begin_settle(q, c->id, "");
		for (size_t i = 0; i < nr; i++, at += strlen(at) + 1)
			redis_word(&q->words, at);
		status = queue_script(q, &settle_script, NULL, err);
		left -= nr;
	}
	if (status == SAHM_OK) {
		c->ids.len = 0;
		c->nr_ids = 0;
	}
	return status;
}

/* Removes results that no submission waits for, after a submission has gone. */
static enum sahm_status tidy(struct queue *q, struct sahm_err *err)
{
	char from[QUEUE_ID_BYTES + 1] = "-";
	enum sahm_status status = SAHM_OK;
	/* A server could go on for ever. */
	for (unsigned round = 0; status == SAHM_OK && *from && round < MAX_TIDY; round++) {
		struct reply *reply = NULL;
		begin_settle(q, "", from);
		status = queue_script(q, &settle_script, &reply, err);
		if (status == SAHM_OK && !reply_is_bytes(reply, 0, sizeof(from) - 1))
			status = queue_fail_reply(q, "where to go on", err);
		if (status == SAHM_OK)
			snprintf(from, sizeof(from), "%s", reply->bytes);
		reply_free(reply);
	}
	return status;
}

enum sahm_status queue_forget(struct queue *q, const char *id, struct sahm_err *err)
{
	redis_script_begin(&q->words, &forget_script, 8);
	queue_key(q, "submissions", "");
	queue_key(q, "results", "");
	queue_key(q, "submission:", id);
	queue_key(q, "runs", "");
	queue_key(q, "errors", "");
	queue_key(q, "dead", "");
	queue_key(q, "programs", "");
	queue_key(q, "meta", "");
	redis_word(&q->words, q->prefix);
	redis_word(&q->words, id);
	enum sahm_status status = queue_script(q, &forget_script, NULL, err);
	/* Removes what existed only for it. */
	return status == SAHM_OK ? tidy(q, err) : status;
}
