/* The queue: what its operator does to it. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/queue/queue_internal.h"

static const struct redis_script retry_script = {"retry", queue_retry_lua, NULL};
static const struct redis_script unqueue_script = {"unqueue", queue_unqueue_lua, NULL};

enum sahm_status queue_drain(struct queue *q, bool drain, struct sahm_err *err)
{
	queue_begin(q, drain ? "HSET" : "HDEL", "meta", "");
	redis_word(&q->words, META_DRAIN);
	if (drain)
		redis_word(&q->words, "1");
	return queue_call(q, 0, NULL, err);
}

/* Carries out the script in the making, whose answer is a number, and adds that. */
static enum sahm_status add_number(struct queue *q, const struct redis_script *script, uint64_t *nr,
				   struct sahm_err *err)
{
	struct reply *reply = NULL;
	int64_t value = 0;
	enum sahm_status status = queue_script(q, script, &reply, err);
	if (status == SAHM_OK && !reply_number(reply, 0, INT64_MAX / 2, &value))
		status = queue_fail_reply(q, "a number of runs", err);
	reply_free(reply);
	*nr += (uint64_t)value;
	return status;
}

/* The program that a dead letter would go back to; NULL: none of it is a run of any. */
static const char *program_of(struct arena *a, const struct reply *entry, bool *failed)
{
	char id[QUEUE_ID_BYTES];
	struct queue_run run;
	if (!queue_read_entry(entry, id, &run))
		return NULL;
	return queue_copy_name(a, reply_member(entry->elements[1], FIELD_PROGRAM), MAX_QUEUE_PROGRAM, failed);
}

/* Puts those letters of entries[nr] back that are of `program`, beginning with entries[first]. */
static enum sahm_status put_back(struct queue *q, const char *program, const struct reply *page,
				 const char *const *programs, size_t first, uint64_t *nr, struct sahm_err *err)
{
	enum sahm_status status = queue_make_stream(q, program, err);
	if (status != SAHM_OK)
		return status;
	redis_script_begin(&q->words, &retry_script, 4);
	queue_key(q, "dead", "");
	queue_key(q, "runs", "");
	queue_key(q, "programs", "");
	queue_key(q, "jobs:", program);
	redis_word(&q->words, program);
	for (size_t i = first; i < page->nr; i++)
		if (programs[i] && strcmp(programs[i], program) == 0)
			redis_word(&q->words, page->elements[i]->elements[0]->bytes);
	return add_number(q, &retry_script, nr, err);
}

/* A page of letters, program by program. */
static enum sahm_status put_page_back(struct queue *q, const struct reply *page, uint64_t *nr, struct sahm_err *err)
{
	struct arena a;
	bool failed = false;
	enum sahm_status status = SAHM_OK;
	arena_init(&a);
	const char **programs = arena_alloc(&a, page->nr, sizeof(*programs));
	for (size_t i = 0; i < page->nr && programs; i++)
		programs[i] = program_of(&a, page->elements[i], &failed);
	if (!programs || failed)
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < page->nr && status == SAHM_OK; i++) {
		bool is_first = programs[i] != NULL;
		for (size_t k = 0; k < i && is_first; k++)
			is_first = !programs[k] || strcmp(programs[k], programs[i]) != 0;
		if (is_first)
			status = put_back(q, programs[i], page, programs, i, nr, err);
	}
	arena_release(&a);
	return status;
}

enum sahm_status queue_retry(struct queue *q, uint64_t *nr, struct sahm_err *err)
{
	char from[QUEUE_CURSOR_BYTES] = "-";
	struct reply *page = NULL;
	uint64_t left = 0;
	bool more = true;
	*nr = 0;
	/* What is given up while this goes on waits for the next time: or it might never end. */
	enum sahm_status status = queue_ask_length(q, "XLEN", "dead", &left, err);
	while (status == SAHM_OK && more && left > 0) {
		status = queue_page(q, "dead", "", from, left < QUEUE_PAGE ? left : QUEUE_PAGE, &page, &more, err);
		if (status != SAHM_OK)
			break;
		left -= page->nr < left ? page->nr : left;
		status = put_page_back(q, page, nr, err);
		reply_free(page);
	}
	return status;
}

/* Whether an entry is one of a run of `bundle`; any is where that is NULL. */
static bool is_of(const struct reply *entry, const uint8_t *bundle)
{
	const struct reply *b = reply_member(entry->elements[1], FIELD_BUNDLE);
	return !bundle || (reply_is_bytes(b, HASH_BYTES, HASH_BYTES) && memcmp(b->bytes, bundle, HASH_BYTES) == 0);
}

/* Begins one of the two scripts; adds the entries of the page that are meant, and carries it out. */
static enum sahm_status drop_page(struct queue *q, const char *program, const struct reply *page, const uint8_t *bundle,
				  uint64_t *nr, struct sahm_err *err)
{
	const struct redis_script *script = program ? &unqueue_script : &retry_script;
	char id[QUEUE_ID_BYTES];
	redis_script_begin(&q->words, script, 2);
	queue_key(q, program ? "jobs:" : "dead", program ? program : "");
	queue_key(q, "runs", "");
	if (!program)
		redis_word(&q->words, "");
	for (size_t i = 0; i < page->nr; i++) {
		const struct reply *entry = page->elements[i];
		if (!reply_is_array(entry, 2, 2) || !queue_read_id(entry->elements[0], id) || !is_of(entry, bundle))
			continue;
		redis_word(&q->words, id);
		const struct reply *run = reply_member(entry->elements[1], FIELD_RUN);
		if (program)
			redis_word_bytes(&q->words, run ? run->bytes : "", run ? run->len : 0);
	}
	return add_number(q, script, nr, err);
}

/* Removes runs of `bundle` (NULL: of all) from the stream of `program` (NULL: from the dead letters). */
static enum sahm_status drop(struct queue *q, const char *program, const uint8_t *bundle, uint64_t *nr,
			     struct sahm_err *err)
{
	char from[QUEUE_CURSOR_BYTES] = "-";
	struct reply *page = NULL;
	bool more = true;
	enum sahm_status status = SAHM_OK;
	while (more && status == SAHM_OK) {
		status = queue_page(q, program ? "jobs:" : "dead", program ? program : "", from, QUEUE_PAGE, &page,
				    &more, err);
		if (status == SAHM_OK)
			status = drop_page(q, program, page, bundle, nr, err);
		reply_free(page);
		page = NULL;
	}
	return status;
}

enum sahm_status queue_purge_dead(struct queue *q, uint64_t *nr, struct sahm_err *err)
{
	*nr = 0;
	return drop(q, NULL, NULL, nr, err);
}

/* Program and bundle of a submission; *program is NULL where it has none that are any. */
static enum sahm_status read_claim(struct queue *q, const char *id, struct arena *a, const char **program,
				   uint8_t bundle[HASH_BYTES], struct sahm_err *err)
{
	struct reply *reply = NULL;
	bool failed = false;
	*program = NULL;
	queue_begin(q, "HMGET", "submission:", id);
	redis_word(&q->words, "program");
	redis_word(&q->words, "bundle");
	enum sahm_status status = queue_ask_array(q, "a submission", 2, &reply, err);
	if (status != SAHM_OK)
		return status;
	if (reply_is_bytes(reply->elements[1], HASH_BYTES, HASH_BYTES)) {
		memcpy(bundle, reply->elements[1]->bytes, HASH_BYTES);
		*program = queue_copy_name(a, reply->elements[0], MAX_QUEUE_PROGRAM, &failed);
	}
	reply_free(reply);
	return failed ? sahm_fail_nomem(err) : SAHM_OK;
}

/* Whether a submission but `id` has `bundle`, whose runs are all of one program. */
static enum sahm_status is_shared(struct queue *q, const char *id, const uint8_t bundle[HASH_BYTES], bool *shared,
				  struct sahm_err *err)
{
	struct arena a;
	const char **ids, *program;
	uint8_t other[HASH_BYTES];
	size_t nr;
	arena_init(&a);
	*shared = false;
	enum sahm_status status = queue_read_names(q, "submissions", SUBMISSION_BYTES - 1, &a, &ids, &nr, err);
	for (size_t i = 0; status == SAHM_OK && i < nr && !*shared; i++) {
		if (strcmp(ids[i], id) == 0)
			continue;
		status = read_claim(q, ids[i], &a, &program, other, err);
		*shared = status == SAHM_OK && program && memcmp(bundle, other, HASH_BYTES) == 0;
	}
	arena_release(&a);
	return status;
}

enum sahm_status queue_purge_submission(struct queue *q, const char *id, uint64_t *nr, struct sahm_err *err)
{
	struct arena a;
	const char *program;
	uint8_t bundle[HASH_BYTES];
	bool has = false, shared = false;
	*nr = 0;
	enum sahm_status status = queue_has_submission(q, id, &has, err);
	if (status != SAHM_OK)
		return status;
	if (!has)
		return sahm_fail(err, SAHM_CONFIG, "queue '%s' has no submission '%s'", q->name, id);
	arena_init(&a);
	status = read_claim(q, id, &a, &program, bundle, err);
	if (status == SAHM_OK && program)
		status = is_shared(q, id, bundle, &shared, err);
	if (status == SAHM_OK && program && !shared) {
		status = drop(q, program, bundle, nr, err);
		if (status == SAHM_OK)
			status = drop(q, NULL, bundle, nr, err);
	}
	arena_release(&a);
	return status == SAHM_OK ? queue_forget(q, id, err) : status;
}

/* Removes what a page of SCAN has. */
static enum sahm_status unlink_keys(struct queue *q, const struct reply *keys, uint64_t *nr, struct sahm_err *err)
{
	uint64_t removed = 0;
	size_t wanted = 0, len = strlen(q->prefix);
	redis_words_begin(&q->words, "UNLINK");
	for (size_t i = 0; i < keys->nr; i++) {
		const struct reply *key = keys->elements[i];
		if (!reply_is_bytes(key, len, SIZE_MAX) || memcmp(key->bytes, q->prefix, len) != 0)
			return queue_fail_reply(q, "keys of this queue", err);
		redis_word_bytes(&q->words, key->bytes, key->len);
		wanted++;
	}
	if (wanted == 0)
		return SAHM_OK;
	enum sahm_status status = queue_ask_number(q, "a number of keys", &removed, err);
	*nr += removed;
	return status;
}

enum sahm_status queue_purge(struct queue *q, uint64_t *nr, struct sahm_err *err)
{
	char pattern[sizeof(q->prefix) + 1];
	uint64_t cursor = 0;
	enum sahm_status status = SAHM_OK;
	size_t len = strlen(q->prefix);
	memcpy(pattern, q->prefix, len);
	memcpy(pattern + len, "*", 2);
	*nr = 0;
	do {
		struct reply *reply = NULL;
		redis_words_begin(&q->words, "SCAN");
		redis_word_u64(&q->words, cursor);
		redis_word(&q->words, "MATCH");
		redis_word(&q->words, pattern);
		redis_word(&q->words, "COUNT");
		redis_word_u64(&q->words, QUEUE_PAGE);
		status = queue_ask_array(q, "keys", 2, &reply, err);
		if (status != SAHM_OK)
			return status;
		if (!reply_is_bytes(reply->elements[0], 1, 20) ||
		    number_read_u64(reply->elements[0]->bytes, reply->elements[0]->len, &cursor) != NUMBER_OK ||
		    !reply_is_array(reply->elements[1], 0, SIZE_MAX))
			status = queue_fail_reply(q, "keys", err);
		else
			status = unlink_keys(q, reply->elements[1], nr, err);
		reply_free(reply);
	} while (status == SAHM_OK && cursor != 0);
	return status;
}
