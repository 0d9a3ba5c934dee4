/* Replies: reading them with hiredis, which no other file knows, and taking them for what they should be. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/queue/redis_link_internal.h"

void reply_free(struct reply *reply)
{
	if (!reply)
		return;
	for (size_t i = 0; i < reply->nr; i++)
		reply_free(reply->elements[i]);
	free(reply->elements);
	free(reply);
}

bool reply_is_array(const struct reply *reply, size_t least, size_t most)
{
	return reply && reply->kind == REPLY_ARRAY && reply->nr >= least && reply->nr <= most;
}

bool reply_is_bytes(const struct reply *reply, size_t least, size_t most)
{
	return reply && (reply->kind == REPLY_STRING || reply->kind == REPLY_STATUS) && reply->len >= least &&
	       reply->len <= most;
}

static bool read_i64(const char *text, size_t len, int64_t *value)
{
	uint64_t magnitude;
	bool negative = len > 0 && text[0] == '-';
	if (number_read_u64(text + negative, len - negative, &magnitude) != NUMBER_OK ||
	    magnitude > (uint64_t)INT64_MAX + negative)
		return false;
	*value = negative ? -(int64_t)(magnitude / 2) - (int64_t)(magnitude - magnitude / 2) : (int64_t)magnitude;
	return true;
}

bool reply_number(const struct reply *reply, int64_t min, int64_t max, int64_t *value)
{
	int64_t number;
	if (!reply)
		return false;
	if (reply->kind == REPLY_INTEGER)
		number = reply->integer;
	else if (reply->kind != REPLY_STRING || !read_i64(reply->bytes, reply->len, &number))
		return false;
	if (number < min || number > max)
		return false;
	*value = number;
	return true;
}

const struct reply *reply_member(const struct reply *reply, const char *name)
{
	size_t len = strlen(name);
	if (!reply || reply->kind != REPLY_ARRAY)
		return NULL;
	for (size_t i = 0; i + 1 < reply->nr; i += 2) {
		const struct reply *key = reply->elements[i];
		if (reply_is_bytes(key, len, len) && memcmp(key->bytes, name, len) == 0)
			return reply->elements[i + 1];
	}
	return NULL;
}

#ifdef SAHM_NO_REDIS

bool redis_is_built_in(void)
{
	return false;
}

const char *redis_library_version(void)
{
	return "";
}

/* Nobody gets that far: redis_link_open() fails. */
struct reply_reader *reply_reader_new(void)
{
	return NULL;
}

void reply_reader_free(struct reply_reader *r)
{
	(void)r;
}

enum reply_fault reply_reader_feed(struct reply_reader *r, const void *bytes, size_t len)
{
	(void)r;
	(void)bytes;
	(void)len;
	return REPLY_NO_MEMORY;
}

enum reply_fault reply_reader_next(struct reply_reader *r, struct reply **reply)
{
	(void)r;
	*reply = NULL;
	return REPLY_NO_MEMORY;
}

bool reply_reader_is_empty(const struct reply_reader *r)
{
	(void)r;
	return true;
}

#else

#include <hiredis/hiredis.h>

/* Longest line in front of a string's bytes: "$" is gone, a number and "\r\n" follow. */
#define MAX_HEADING 24u

struct reply_reader {
	redisReader *reader;
	redisReplyObjectFunctions functions; /* the reader keeps a pointer to them, and not a constant one */
	/* Of the reply that is being read. */
	uint64_t nr_elements, nr_bytes;
	bool too_large;
};

bool redis_is_built_in(void)
{
	return true;
}

const char *redis_library_version(void)
{
#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)
	return VERSION_TEXT(HIREDIS_MAJOR, HIREDIS_MINOR, HIREDIS_PATCH);
}

/* Puts a reply in its place; the reader itself keeps the outermost one. */
static void *put(const redisReadTask *task, struct reply *reply)
{
	if (task->parent) {
		struct reply *array = task->parent->obj;
		array->elements[task->idx] = reply;
	}
	return reply;
}

/* NULL is a failure, of memory or of limits, upon which the reader gives up and frees all. */
static struct reply *new_reply(const redisReadTask *task, enum reply_kind kind, size_t nr_bytes)
{
	struct reply_reader *r = task->privdata;
	r->nr_elements++;
	r->nr_bytes += nr_bytes;
	if (r->nr_elements > MAX_REPLY_ELEMENTS || r->nr_bytes > MAX_REPLY_BYTES) {
		r->too_large = true;
		return NULL;
	}
	struct reply *reply = malloc(sizeof(*reply) + nr_bytes + 1);
	if (!reply)
		return NULL;
	char *bytes = (char *)(reply + 1);
	bytes[nr_bytes] = '\0';
	*reply = (struct reply){.kind = kind, .bytes = bytes, .len = nr_bytes};
	return reply;
}

static void *create_string(const redisReadTask *task, char *bytes, size_t len)
{
	enum reply_kind kind = task->type == REDIS_REPLY_STATUS	 ? REPLY_STATUS
			       : task->type == REDIS_REPLY_ERROR ? REPLY_ERROR
								 : REPLY_STRING;
	struct reply *reply = new_reply(task, kind, len);
	if (!reply)
		return NULL;
	memcpy(reply + 1, bytes, len);
	return put(task, reply);
}

static void *create_array(const redisReadTask *task, int nr)
{
	struct reply_reader *r = task->privdata;
	if (nr < 0 || (uint64_t)nr >= MAX_REPLY_ELEMENTS - r->nr_elements) {
		r->too_large = true;
		return NULL;
	}
	struct reply *reply = new_reply(task, REPLY_ARRAY, 0);
	if (!reply)
		return NULL;
	if (nr > 0) {
		reply->elements = calloc((size_t)nr, sizeof(*reply->elements));
		if (!reply->elements) {
			free(reply);
			return NULL;
		}
		reply->nr = (size_t)nr;
	}
	return put(task, reply);
}

static void *create_integer(const redisReadTask *task, long long value)
{
	struct reply *reply = new_reply(task, REPLY_INTEGER, 0);
	if (!reply)
		return NULL;
	reply->integer = value;
	return put(task, reply);
}

static void *create_nil(const redisReadTask *task)
{
	struct reply *reply = new_reply(task, REPLY_NIL, 0);
	return reply ? put(task, reply) : NULL;
}

static void free_object(void *object)
{
	reply_free(object);
}

struct reply_reader *reply_reader_new(void)
{
	struct reply_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->functions =
		(redisReplyObjectFunctions){create_string, create_array, create_integer, create_nil, free_object};
	r->reader = redisReaderCreateWithFunctions(&r->functions);
	if (!r->reader) {
		free(r);
		return NULL;
	}
	r->reader->privdata = r;
	return r;
}

void reply_reader_free(struct reply_reader *r)
{
	if (!r)
		return;
	redisReaderFree(r->reader);
	free(r);
}

enum reply_fault reply_reader_feed(struct reply_reader *r, const void *bytes, size_t len)
{
	return redisReaderFeed(r->reader, bytes, len) == REDIS_OK ? REPLY_FINE : REPLY_NO_MEMORY;
}

/* The reader waits for the rest of something: that may not grow without end, since the reader keeps all of it, and
 * looks through lines from their beginning every time. */
static enum reply_fault check_rest(const struct reply_reader *r)
{
	const redisReader *reader = r->reader;
	size_t len = reader->len - reader->pos;
	if (reader->ridx < 0 || len == 0)
		return REPLY_FINE;
	if (reader->rstack[reader->ridx].type != REDIS_REPLY_STRING)
		return len <= MAX_REPLY_LINE ? REPLY_FINE : REPLY_TOO_LARGE;
	const char *heading = reader->buf + reader->pos;
	const char *end = memchr(heading, '\r', len < MAX_HEADING ? len : MAX_HEADING);
	uint64_t announced;
	if (!end)
		return len < MAX_HEADING ? REPLY_FINE : REPLY_MALFORMED;
	if (end + 1 == heading + len)
		return REPLY_FINE;
	if (end[1] != '\n' || number_read_u64(heading, (size_t)(end - heading), &announced) != NUMBER_OK)
		return REPLY_MALFORMED;
	return announced <= MAX_REPLY_BYTES - r->nr_bytes ? REPLY_FINE : REPLY_TOO_LARGE;
}

enum reply_fault reply_reader_next(struct reply_reader *r, struct reply **reply)
{
	void *object = NULL;
	*reply = NULL;
	if (redisReaderGetReply(r->reader, &object) != REDIS_OK) {
		if (r->too_large)
			return REPLY_TOO_LARGE;
		return r->reader->err == REDIS_ERR_OOM ? REPLY_NO_MEMORY : REPLY_MALFORMED;
	}
	if (!object)
		return check_rest(r);
	r->nr_elements = 0;
	r->nr_bytes = 0;
	*reply = object;
	return REPLY_FINE;
}

bool reply_reader_is_empty(const struct reply_reader *r)
{
	return r->reader->pos == r->reader->len && r->reader->ridx < 0;
}

#endif
