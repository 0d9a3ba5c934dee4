/* The queue: opening it, and what its files share. */
#include "sim/base/clean.h"
#include "sim/queue/queue_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/zstd_block.h"

/* Results that are taken in one piece are not longer than that, unpacked. */
#define MAX_UNPACKED_BYTES ((size_t)48 << 20)

void queue_key(struct queue *q, const char *name, const char *rest)
{
	char key[512];
	int len = snprintf(key, sizeof(key), "%s%s%s", q->prefix, name, rest);
	/* Names are short, and checked where they come from. */
	redis_word_bytes(&q->words, key, (size_t)len < sizeof(key) ? (size_t)len : sizeof(key) - 1);
}

void queue_begin(struct queue *q, const char *words, const char *key, const char *rest)
{
	redis_words_begin(&q->words, words);
	queue_key(q, key, rest);
}

enum sahm_status queue_call(struct queue *q, unsigned reply_ms, struct reply **reply, struct sahm_err *err)
{
	return redis_link_call(q->link, &q->words, reply_ms, reply, err);
}

enum sahm_status queue_script(struct queue *q, const struct redis_script *script, struct reply **reply,
			      struct sahm_err *err)
{
	return redis_link_script(q->link, script, &q->words, reply, err);
}

enum sahm_status queue_fail_reply(const struct queue *q, const char *what, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_FORMAT, "redis at '%s' gives something else than %s", redis_link_name(q->link),
			 what);
}

enum sahm_status queue_ask_number(struct queue *q, const char *what, uint64_t *number, struct sahm_err *err)
{
	struct reply *reply = NULL;
	int64_t value = 0;
	enum sahm_status status = queue_call(q, 0, &reply, err);
	if (status == SAHM_OK && !reply_number(reply, 0, INT64_MAX, &value))
		status = queue_fail_reply(q, what, err);
	reply_free(reply);
	*number = (uint64_t)value;
	return status;
}

enum sahm_status queue_make_stream(struct queue *q, const char *program, struct sahm_err *err)
{
	queue_begin(q, "XGROUP CREATE", "jobs:", program);
	redis_word(&q->words, QUEUE_GROUP);
	redis_word(&q->words, "0");
	redis_word(&q->words, "MKSTREAM");
	enum sahm_status status = queue_call(q, 0, NULL, err);
	return status == SAHM_TOOL && strcmp(redis_link_error(q->link), "BUSYGROUP") == 0 ? SAHM_OK : status;
}

bool queue_read_id(const struct reply *reply, char id[QUEUE_ID_BYTES])
{
	if (!reply_is_bytes(reply, 3, QUEUE_ID_BYTES - 1))
		return false;
	size_t dash = strspn(reply->bytes, "0123456789");
	if (dash == 0 || reply->bytes[dash] != '-')
		return false;
	size_t end = dash + 1 + strspn(reply->bytes + dash + 1, "0123456789");
	if (end == dash + 1 || end != reply->len)
		return false;
	memcpy(id, reply->bytes, reply->len + 1);
	return true;
}

bool queue_read_entry(const struct reply *entry, char id[QUEUE_ID_BYTES], struct queue_run *run)
{
	int64_t position;
	if (!reply_is_array(entry, 2, 3) || !queue_read_id(entry->elements[0], id))
		return false;
	const struct reply *fields = entry->elements[1];
	const struct reply *hash = reply_member(fields, FIELD_RUN), *bundle = reply_member(fields, FIELD_BUNDLE);
	if (!reply_is_bytes(hash, HASH_BYTES, HASH_BYTES) || !reply_is_bytes(bundle, HASH_BYTES, HASH_BYTES) ||
	    !reply_number(reply_member(fields, FIELD_POSITION), 0, (int64_t)MAX_SPACE_POINTS - 1, &position))
		return false;
	memcpy(run->hash, hash->bytes, HASH_BYTES);
	memcpy(run->bundle, bundle->bytes, HASH_BYTES);
	run->position = (uint64_t)position;
	return true;
}

const char *queue_text(struct arena *a, const struct reply *reply, size_t most)
{
	bool is_text = reply_is_bytes(reply, 0, SIZE_MAX);
	size_t len = is_text ? strnlen(reply->bytes, reply->len < most ? reply->len : most) : 0;
	char *text = arena_strndup(a, is_text ? reply->bytes : "", len);
	if (text)
		clean_text(text);
	return text;
}

uint64_t queue_number(const struct reply *reply)
{
	int64_t value;
	return reply_number(reply, 0, INT64_MAX, &value) ? (uint64_t)value : 0;
}

enum sahm_status queue_pack(const struct textbuf *records, struct textbuf *packed, struct sahm_err *err)
{
	return zstd_pack(records->text, records->len, packed) ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status queue_unpack(const struct reply *packed, char **records, size_t *len, struct sahm_err *err)
{
	return zstd_unpack(packed->bytes, packed->len, MAX_UNPACKED_BYTES, records, len, err);
}

static bool is_name(const char *name)
{
	size_t len = strlen(name);
	return len > 0 && len <= MAX_QUEUE_NAME &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == len;
}

/* Sets the field of meta to `value` unless it has one; what it has goes into *text, from the arena. */
static enum sahm_status settle_on(struct queue *q, bool look, const char *field, const char *value, const char **text,
				  struct sahm_err *err)
{
	struct reply *reply = NULL;
	struct sahm_err refusal = {.status = SAHM_OK};
	enum sahm_status status = SAHM_OK;
	queue_begin(q, "HSETNX", "meta", "");
	redis_word(&q->words, field);
	redis_word(&q->words, value);
	if (!look)
		status = queue_call(q, 0, NULL, &refusal);
	/* A server without room refuses whatever writes; what was settled before can be read, and results collected. */
	if (status != SAHM_OK && strcmp(redis_link_error(q->link), "OOM") != 0)
		return sahm_fail(err, status, "%s", refusal.msg);
	queue_begin(q, "HGET", "meta", "");
	redis_word(&q->words, field);
	status = queue_call(q, 0, &reply, err);
	*text = status == SAHM_OK ? queue_text(&q->arena, reply, MAX_QUEUE_TEXT) : "";
	if (look && status == SAHM_OK && reply->kind == REPLY_NIL)
		*text = arena_strdup(&q->arena, value);
	if (status == SAHM_OK && refusal.status != SAHM_OK && reply->kind == REPLY_NIL)
		status = sahm_fail(err, refusal.status, "%s", refusal.msg);
	reply_free(reply);
	return *text ? status : sahm_fail_nomem(err);
}

static enum sahm_status find_claim(struct queue *q, bool look, unsigned wanted_s, struct sahm_err *err)
{
	char text[32];
	const char *claim, *end;
	/* A server that has lost its data gets the claim that its workers still have. */
	uint64_t claim_ms = wanted_s ? wanted_s * UINT64_C(1000) : q->claim_ms ? q->claim_ms : QUEUE_CLAIM_S * 1000;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)claim_ms);
	enum sahm_status status = settle_on(q, look, META_CLAIM, text, &claim, err);
	if (status != SAHM_OK)
		return status;
	q->claim_ms = strtoull(claim, (char **)&end, 10);
	if (*end || q->claim_ms < MIN_QUEUE_CLAIM_S * 1000 || q->claim_ms > MAX_QUEUE_CLAIM_S * 1000)
		return queue_fail_reply(q, "a time of claims", err);
	if (wanted_s && q->claim_ms != wanted_s * 1000ull)
		return sahm_fail(
			err, SAHM_CONFIG,
			"queue '%s' has claims of %llu s already, and all workers the same: %u s cannot be had "
			"before it is purged",
			q->name, (unsigned long long)q->claim_ms / 1000, wanted_s);
	return SAHM_OK;
}

static enum sahm_status settle_meta(struct queue *q, bool look, unsigned claim_s, struct sahm_err *err)
{
	const char *format;
	enum sahm_status status = settle_on(q, look, META_FORMAT, QUEUE_FORMAT, &format, err);
	if (status == SAHM_OK && strcmp(format, QUEUE_FORMAT) != 0)
		status = sahm_fail(
			err, SAHM_CONFIG,
			"queue '%s' on redis at '%s' was made by another sahm: its layout is '%s', known is '%s'",
			q->name, redis_link_name(q->link), format, QUEUE_FORMAT);
	return status == SAHM_OK ? find_claim(q, look, claim_s, err) : status;
}

/* Whether the server's `meta` is none: a key of another type, or without what there has to be. */
static bool has_no_meta(const struct queue *q, enum sahm_status status)
{
	return status == SAHM_FORMAT || (status == SAHM_TOOL && strcmp(redis_link_error(q->link), "WRONGTYPE") == 0);
}

enum sahm_status queue_settle_meta(struct queue *q, struct sahm_err *err)
{
	return settle_meta(q, false, 0, err);
}

enum sahm_status queue_connect(struct queue *q, const struct queue_options *options, struct sahm_err *err)
{
	const char *name = options->name ? options->name : DEFAULT_QUEUE;
	struct redis_url url;
	if (!is_name(name))
		return sahm_fail(err, SAHM_USAGE,
				 "a queue's name has up to %u letters, digits, '-', '_' and '.': '%.80s' is none",
				 MAX_QUEUE_NAME, name);
	*q = (struct queue){0};
	arena_init(&q->arena);
	redis_words_init(&q->words);
	snprintf(q->name, sizeof(q->name), "%s", name);
	snprintf(q->prefix, sizeof(q->prefix), "sahm:{%s}:", name);
	enum sahm_status status = redis_url_read(&url, options->url, &q->arena, err);
	if (status == SAHM_OK)
		status = redis_link_open(&q->link, &url, options->link, err);
	if (status == SAHM_OK) {
		struct sahm_err cause;
		status = settle_meta(q, options->look, options->claim_s, &cause);
		if (options->any_meta && has_no_meta(q, status)) {
			q->claim_ms = QUEUE_CLAIM_S * 1000;
			status = SAHM_OK;
		}
		if (status != SAHM_OK)
			sahm_fail(err, status, "%s", cause.msg);
	}
	if (status != SAHM_OK)
		queue_disconnect(q);
	return status;
}

void queue_disconnect(struct queue *q)
{
	redis_link_free(q->link);
	redis_words_release(&q->words);
	arena_release(&q->arena);
	*q = (struct queue){0};
}

bool queue_is_gone(const struct queue *q, enum sahm_status status)
{
	const char *error = redis_link_error(q->link);
	return status == SAHM_TOOL && (strcmp(error, "NOGROUP") == 0 || strcmp(error, "UNBLOCKED") == 0);
}
