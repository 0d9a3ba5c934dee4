/* Submitting: files that workers need are there before the first run is. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/queue/queue_internal.h"
#include "sim/queue/transfer.h"

static const struct redis_script enqueue_script = {"enqueue", queue_enqueue_lua, NULL};

/* Maximum number of files of a submission to remember while it is submitted again. */
#define MAX_KNOWN_FILES ((size_t)4 * MAX_BUNDLE_FILES)

static void field(struct queue *q, const char *name, const void *bytes, size_t len)
{
	redis_word(&q->words, name);
	redis_word_bytes(&q->words, bytes, len);
}

static void field_u64(struct queue *q, const char *name, uint64_t value)
{
	redis_word(&q->words, name);
	redis_word_u64(&q->words, value);
}

static bool has_hash(const struct textbuf *files, const char *hash)
{
	for (size_t at = 0; at + HASH_BYTES <= files->len; at += HASH_BYTES)
		if (memcmp(files->text + at, hash, HASH_BYTES) == 0)
			return true;
	return false;
}

/* Files that it had with another bundle, when it was made first, stay its own: runs that are there still need them. */
static enum sahm_status add_known_files(struct queue *q, const char *id, struct textbuf *files, struct sahm_err *err)
{
	struct reply *reply = NULL;
	queue_begin(q, "HGET", "submission:", id);
	redis_word(&q->words, "files");
	enum sahm_status status = queue_call(q, 0, &reply, err);
	size_t len =
		status == SAHM_OK && reply_is_bytes(reply, HASH_BYTES, MAX_KNOWN_FILES * HASH_BYTES) ? reply->len : 0;
	for (size_t at = 0; at + HASH_BYTES <= len && !textbuf_failed(files); at += HASH_BYTES)
		if (!has_hash(files, reply->bytes + at))
			textbuf_add(files, reply->bytes + at, HASH_BYTES);
	reply_free(reply);
	return status;
}

/* The bundle is one of its files. */
static enum sahm_status describe(struct queue *q, const char *id, const struct bundle *b, uint64_t nr_runs,
				 struct sahm_err *err)
{
	char host[65] = "";
	struct textbuf files;
	gethostname(host, sizeof(host) - 1);
	textbuf_init(&files);
	textbuf_add(&files, (const char *)b->hash, HASH_BYTES);
	for (uint32_t i = 0; i < b->nr_files; i++)
		textbuf_add(&files, (const char *)b->files[i].hash, HASH_BYTES);
	enum sahm_status status = add_known_files(q, id, &files, err);
	queue_begin(q, "HSET", "submission:", id);
	field(q, "program", b->program, strlen(b->program));
	field(q, "name", b->name, strlen(b->name));
	field(q, "host", host, strlen(host));
	field_u64(q, "submitted", clock_ns(CLOCK_REALTIME) / NS_PER_MS);
	field_u64(q, "runs", nr_runs);
	field(q, "bundle", b->hash, HASH_BYTES);
	field(q, "files", files.text, files.len);
	if (status == SAHM_OK)
		status = textbuf_failed(&files) ? sahm_fail_nomem(err) : queue_call(q, 0, NULL, err);
	textbuf_release(&files);
	return status;
}

static enum sahm_status add_to_set(struct queue *q, const char *set, const char *member, struct sahm_err *err)
{
	queue_begin(q, "SADD", set, "");
	redis_word(&q->words, member);
	return queue_call(q, 0, NULL, err);
}

enum sahm_status queue_submit(struct queue *q, const char *id, const struct bundle *b, uint64_t nr_runs,
			      struct sahm_err *err)
{
	enum sahm_status status = queue_settle_meta(q, err);
	if (status == SAHM_OK)
		status = describe(q, id, b, nr_runs, err);
	if (status == SAHM_OK)
		status = add_to_set(q, "submissions", id, err);
	if (status == SAHM_OK)
		status = add_to_set(q, "programs", b->program, err);
	if (status == SAHM_OK)
		status = queue_make_stream(q, b->program, err);
	if (status != SAHM_OK)
		return status;
	/* From the first result that is there: some of its runs may have been asked for by others. */
	queue_begin(q, "XGROUP CREATE", "results", "");
	redis_word(&q->words, id);
	redis_word(&q->words, "0");
	redis_word(&q->words, "MKSTREAM");
	status = queue_call(q, 0, NULL, err);
	return status == SAHM_TOOL && strcmp(redis_link_error(q->link), "BUSYGROUP") == 0 ? SAHM_OK : status;
}

enum sahm_status queue_has_submission(struct queue *q, const char *id, bool *has, struct sahm_err *err)
{
	uint64_t number;
	queue_begin(q, "SISMEMBER", "submissions", "");
	redis_word(&q->words, id);
	enum sahm_status status = queue_ask_number(q, "whether it has a submission", &number, err);
	*has = status == SAHM_OK && number == 1;
	return status;
}

enum sahm_status queue_send_files(struct queue *q, const struct bundle *b, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < b->nr_files && status == SAHM_OK; i++)
		if (b->files[i].kind != BUNDLE_PLUGIN)
			status = transfer_send_file(q->link, q->prefix, &b->files[i], NULL, err);
	/* A process that finds this key finds the others. */
	return status == SAHM_OK ? transfer_send(q->link, q->prefix, b->hash, b->text, b->len, NULL, err) : status;
}

enum sahm_status queue_enqueue(struct queue *q, const char *id, const char *program, const struct queue_run *runs,
			       size_t nr, bool force, uint64_t *added, struct sahm_err *err)
{
	struct reply *reply = NULL;
	int64_t number = 0;
	redis_script_begin(&q->words, &enqueue_script, 5);
	queue_key(q, "runs", "");
	queue_key(q, "jobs:", program);
	queue_key(q, "dead", "");
	queue_key(q, "submission:", id);
	queue_key(q, "submissions", "");
	redis_word_bytes(&q->words, runs[0].bundle, HASH_BYTES);
	redis_word(&q->words, force ? "1" : "0");
	redis_word(&q->words, q->prefix);
	for (size_t i = 0; i < nr; i++) {
		redis_word_bytes(&q->words, runs[i].hash, HASH_BYTES);
		redis_word_u64(&q->words, runs[i].position);
	}
	enum sahm_status status = queue_script(q, &enqueue_script, &reply, err);
	if (status == SAHM_OK && !reply_number(reply, 0, (int64_t)nr, &number))
		status = queue_fail_reply(q, "a number of new runs", err);
	reply_free(reply);
	*added = (uint64_t)number;
	return status;
}
