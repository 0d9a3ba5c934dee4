/* The worker's side of the queue: runs come, results and errors go. */
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/queue/queue_internal.h"

static const struct redis_script take_script = {"take", queue_take_lua, queue_bury_lua};
static const struct redis_script beat_script = {"beat", queue_beat_lua, NULL};
static const struct redis_script fail_script = {"fail", queue_fail_lua, queue_bury_lua};
static const struct redis_script unable_script = {"unable", queue_unable_lua, NULL};
static const struct redis_script hand_back_script = {"hand_back", queue_hand_back_lua, NULL};

/* Extra time that the server may take to reply after the requested wait. */
#define WAIT_MARGIN_MS 5000u

/* Entries that are no runs are somebody's mistake: they are removed, so that they come to nobody any more. */
static enum sahm_status remove_entry(struct queue *q, const char *program, const char *id, struct sahm_err *err)
{
	queue_begin(q, "XACK", "jobs:", program);
	redis_word(&q->words, QUEUE_GROUP);
	redis_word(&q->words, id);
	enum sahm_status status = queue_call(q, 0, NULL, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "XDEL", "jobs:", program);
	redis_word(&q->words, id);
	return queue_call(q, 0, NULL, err);
}

/* Reads one entry, [id, fields] followed by its deliveries, into the next job. */
static enum sahm_status take_entry(struct queue *q, const char *program, const struct reply *entry, uint32_t deliveries,
				   struct queue_job *jobs, size_t *nr, struct sahm_err *err)
{
	struct queue_job *job = &jobs[*nr];
	*job = (struct queue_job){.deliveries = deliveries};
	if (queue_read_entry(entry, job->id, &job->run)) {
		++*nr;
		return SAHM_OK;
	}
	if (!reply_is_array(entry, 1, 3) || !queue_read_id(entry->elements[0], job->id))
		return queue_fail_reply(q, "an entry of a stream", err);
	return remove_entry(q, program, job->id, err);
}

static enum sahm_status read_taken(struct queue *q, struct queue_taking *t, const struct reply *reply,
				   struct queue_job *jobs, size_t *nr, struct sahm_err *err)
{
	int64_t deliveries;
	enum sahm_status status = SAHM_OK;
	int64_t nr_left;
	if (!reply_is_array(reply, 3, 3) || !reply_is_array(reply->elements[1], 0, MAX_TAKE) ||
	    !reply_number(reply->elements[2], 0, MAX_TAKE, &nr_left) ||
	    !reply_is_bytes(reply->elements[0], 0, QUEUE_ID_BYTES - 1))
		return queue_fail_reply(q, "runs", err);
	if (t->reclaim && !queue_read_id(reply->elements[0], t->cursor))
		return queue_fail_reply(q, "where to go on looking for lost runs", err);
	const struct reply *given = reply->elements[1];
	t->nr_left = (size_t)nr_left;
	for (size_t i = 0; i < given->nr && status == SAHM_OK; i++) {
		const struct reply *row = given->elements[i];
		if (!reply_is_array(row, 3, 3) || !reply_number(row->elements[2], 1, UINT32_MAX, &deliveries))
			return queue_fail_reply(q, "a run", err);
		status = take_entry(q, t->program, row, (uint32_t)deliveries, jobs, nr, err);
	}
	return status;
}

enum sahm_status queue_take(struct queue *q, struct queue_taking *t, struct queue_job *jobs, size_t *nr,
			    enum queue_answer *answer, struct sahm_err *err)
{
	static const char *const keys[] = {"runs", "dead", "results", "meta", "errors", "workers"};
	struct reply *reply = NULL;
	redis_script_begin(&q->words, &take_script, 1 + ARRAY_SIZE(keys));
	queue_key(q, "jobs:", t->program);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		queue_key(q, keys[i], "");
	redis_word(&q->words, t->worker);
	redis_word(&q->words, t->program);
	redis_word_u64(&q->words, t->want);
	redis_word_u64(&q->words, t->least);
	redis_word_u64(&q->words, q->claim_ms);
	redis_word_u64(&q->words, QUEUE_TRIES);
	redis_word_i64(&q->words, QUEUE_MAX_RESULT_BYTES);
	redis_word(&q->words, t->reclaim ? t->cursor : "");
	redis_word(&q->words, q->prefix);
	*nr = 0;
	*answer = QUEUE_JOBS;
	enum sahm_status status = queue_script(q, &take_script, &reply, err);
	if (queue_is_gone(q, status))
		status = queue_make_stream(q, t->program, err);
	else if (status == SAHM_OK && reply_is_bytes(reply, 1, MAX_QUEUE_TEXT))
		*answer = strcmp(reply->bytes, "drain") == 0 ? QUEUE_DRAINED : QUEUE_FULL;
	else if (status == SAHM_OK)
		status = read_taken(q, t, reply, jobs, nr, err);
	reply_free(reply);
	return status;
}

enum sahm_status queue_wait(struct queue *q, const struct queue_taking *t, unsigned wait_ms, struct queue_job *job,
			    size_t *nr, struct sahm_err *err)
{
	struct reply *reply = NULL;
	*nr = 0;
	redis_words_begin(&q->words, "XREADGROUP GROUP " QUEUE_GROUP);
	redis_word(&q->words, t->worker);
	redis_word(&q->words, "COUNT");
	redis_word(&q->words, "1");
	redis_word(&q->words, "BLOCK");
	redis_word_u64(&q->words, wait_ms);
	redis_word(&q->words, "STREAMS");
	queue_key(q, "jobs:", t->program);
	redis_word(&q->words, ">");
	enum sahm_status status = queue_call(q, wait_ms + WAIT_MARGIN_MS, &reply, err);
	if (queue_is_gone(q, status))
		return queue_make_stream(q, t->program, err);
	if (status != SAHM_OK || reply->kind == REPLY_NIL) {
		reply_free(reply);
		return status;
	}
	/* One stream, one entry. */
	const struct reply *stream = reply_is_array(reply, 1, 1) ? reply->elements[0] : NULL;
	const struct reply *entries = reply_is_array(stream, 2, 2) ? stream->elements[1] : NULL;
	status = reply_is_array(entries, 1, 1) ? take_entry(q, t->program, entries->elements[0], 1, job, nr, err)
					       : queue_fail_reply(q, "a run", err);
	reply_free(reply);
	return status;
}

static void put_vital(struct queue *q, const char *name, uint64_t value)
{
	redis_word(&q->words, name);
	redis_word_u64(&q->words, value);
}

enum sahm_status queue_beat(struct queue *q, const char *worker, const char *program, const struct queue_vitals *v,
			    const struct queue_job *const *jobs, size_t nr, bool *lost, struct sahm_err *err)
{
	struct reply *reply = NULL;
	int64_t which;
	redis_script_begin(&q->words, &beat_script, 3);
	queue_key(q, "jobs:", program);
	queue_key(q, "workers", "");
	queue_key(q, "worker:", worker);
	redis_word(&q->words, worker);
	redis_word_u64(&q->words, q->claim_ms);
	redis_word_u64(&q->words, 18);
	redis_word(&q->words, "host");
	redis_word(&q->words, v->host);
	redis_word(&q->words, "program");
	redis_word(&q->words, v->program);
	put_vital(q, "pid", (uint64_t)v->pid);
	put_vital(q, "processes", (uint64_t)v->processes);
	put_vital(q, "started", (uint64_t)v->started_unix_ms);
	put_vital(q, "done", v->done);
	put_vital(q, "failed", v->failed);
	put_vital(q, "busy_ms", v->busy_ms);
	put_vital(q, "held", v->held);
	for (size_t i = 0; i < nr; i++)
		redis_word(&q->words, jobs[i]->id);
	for (size_t i = 0; i < nr; i++)
		lost[i] = false;
	enum sahm_status status = queue_script(q, &beat_script, &reply, err);
	if (queue_is_gone(q, status)) {
		/* Gives up the claims on all its runs. Results that it still sends are accepted. */
		return queue_make_stream(q, program, err);
	}
	if (status == SAHM_OK && !reply_is_array(reply, 0, nr))
		status = queue_fail_reply(q, "which runs are lost", err);
	for (size_t i = 0; status == SAHM_OK && i < reply->nr; i++) {
		if (!reply_number(reply->elements[i], 0, (int64_t)nr - 1, &which))
			status = queue_fail_reply(q, "which runs are lost", err);
		else
			lost[which] = true;
	}
	reply_free(reply);
	return status;
}

/* Sends a command whose place is inside of a transaction. */
static enum sahm_status send_ids(struct queue *q, const char *words, const char *key, const char *rest,
				 const char *group, const struct queue_results *r, struct sahm_err *err)
{
	queue_begin(q, words, key, rest);
	if (group)
		redis_word(&q->words, group);
	for (size_t i = 0; i < r->nr; i++)
		redis_word(&q->words, r->jobs[i]->id);
	return redis_link_send(q->link, &q->words, err);
}

static enum sahm_status send_results(struct queue *q, const char *worker, const char *program,
				     const struct queue_results *r, const struct textbuf *packed, struct sahm_err *err)
{
	redis_words_begin(&q->words, "MULTI");
	enum sahm_status status = redis_link_send(q->link, &q->words, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "XADD", "results", "");
	redis_word(&q->words, "*");
	redis_word(&q->words, FIELD_WORKER);
	redis_word(&q->words, worker);
	redis_word(&q->words, FIELD_BUNDLE);
	redis_word_bytes(&q->words, r->jobs[0]->run.bundle, HASH_BYTES);
	redis_word(&q->words, FIELD_RUN);
	redis_word_bytes(&q->words, r->hashes.text, r->hashes.len);
	redis_word(&q->words, FIELD_RECORDS);
	redis_word_bytes(&q->words, packed->text, packed->len);
	status = redis_link_send(q->link, &q->words, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "HINCRBY", "meta", "");
	redis_word(&q->words, META_RESULT_BYTES);
	redis_word_u64(&q->words, packed->len);
	status = redis_link_send(q->link, &q->words, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "HDEL", "errors", "");
	for (size_t i = 0; i < r->nr; i++)
		redis_word_bytes(&q->words, r->jobs[i]->run.hash, HASH_BYTES);
	status = redis_link_send(q->link, &q->words, err);
	if (status == SAHM_OK)
		status = send_ids(q, "XACK", "jobs:", program, QUEUE_GROUP, r, err);
	if (status == SAHM_OK)
		status = send_ids(q, "XDEL", "jobs:", program, NULL, r, err);
	if (status != SAHM_OK)
		return status;
	redis_words_begin(&q->words, "EXEC");
	return redis_link_send(q->link, &q->words, err);
}

/* Commands of the transaction with MULTI and EXEC, and those inside. */
#define NR_SENT 7u
#define NR_INSIDE (NR_SENT - 2)

/* A failure of one inside of a transaction does not undo the others: the result is there if its XADD went well. */
static enum sahm_status check_transaction(struct queue *q, const struct reply *exec, const char *first_error,
					  struct sahm_err *err)
{
	const struct reply *added = reply_is_array(exec, NR_INSIDE, NR_INSIDE) ? exec->elements[0] : NULL;
	char id[QUEUE_ID_BYTES];
	if (added && queue_read_id(added, id))
		return SAHM_OK;
	const char *says = *first_error				 ? first_error
			   : added && added->kind == REPLY_ERROR ? added->bytes
			   : exec && exec->kind == REPLY_ERROR	 ? exec->bytes
								 : NULL;
	if (!says)
		return queue_fail_reply(q, "that results are written", err);
	return sahm_fail(err, SAHM_TOOL, "redis at '%s' does not take results: %.200s", redis_link_name(q->link), says);
}

enum sahm_status queue_put_results(struct queue *q, const char *worker, const char *program,
				   const struct queue_results *r, struct sahm_err *err)
{
	char first_error[256] = "";
	struct reply *reply = NULL;
	struct textbuf packed;
	textbuf_init(&packed);
	enum sahm_status status = textbuf_failed(&r->hashes) || textbuf_failed(&r->records)
					  ? sahm_fail_nomem(err)
					  : queue_pack(&r->records, &packed, err);
	if (status == SAHM_OK)
		status = send_results(q, worker, program, r, &packed, err);
	textbuf_release(&packed);
	for (unsigned i = 0; i < NR_SENT && status == SAHM_OK; i++) {
		reply_free(reply);
		reply = NULL;
		status = redis_link_receive(q->link, &reply, err);
		if (status == SAHM_OK && reply->kind == REPLY_ERROR && !*first_error)
			snprintf(first_error, sizeof(first_error), "%s", reply->bytes);
	}
	if (status == SAHM_OK)
		status = check_transaction(q, reply, first_error, err);
	reply_free(reply);
	return status;
}

enum sahm_status queue_fail_job(struct queue *q, const char *worker, const char *program, const struct queue_job *job,
				const char *why, struct sahm_err *err)
{
	static const char *const keys[] = {"runs", "dead", "results", "meta", "errors"};
	redis_script_begin(&q->words, &fail_script, 1 + ARRAY_SIZE(keys));
	queue_key(q, "jobs:", program);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		queue_key(q, keys[i], "");
	redis_word(&q->words, worker);
	redis_word(&q->words, program);
	redis_word_u64(&q->words, QUEUE_TRIES);
	redis_word(&q->words, job->id);
	redis_word_bytes(&q->words, why, strnlen(why, MAX_QUEUE_ERROR));
	enum sahm_status status = queue_script(q, &fail_script, NULL, err);
	return queue_is_gone(q, status) ? SAHM_OK : status;
}

enum sahm_status queue_note_unable(struct queue *q, const char *worker, const char *program,
				   const uint8_t bundle[HASH_BYTES], uint64_t *nr_able, struct sahm_err *err)
{
	struct reply *reply = NULL;
	char hex[HASH_HEX_BYTES];
	int64_t able = 0;
	hash_hex(bundle, hex);
	redis_script_begin(&q->words, &unable_script, 2);
	queue_key(q, "unable:", hex);
	queue_key(q, "workers", "");
	redis_word(&q->words, worker);
	redis_word(&q->words, program);
	redis_word(&q->words, q->prefix);
	enum sahm_status status = queue_script(q, &unable_script, &reply, err);
	if (status == SAHM_OK && !reply_number(reply, 0, INT64_MAX, &able))
		status = queue_fail_reply(q, "a number of workers", err);
	reply_free(reply);
	*nr_able = (uint64_t)able;
	return status;
}

enum sahm_status queue_hand_back(struct queue *q, const char *worker, const char *program,
				 const struct queue_job *const *jobs, size_t nr, struct sahm_err *err)
{
	redis_script_begin(&q->words, &hand_back_script, 1);
	queue_key(q, "jobs:", program);
	redis_word(&q->words, worker);
	for (size_t i = 0; i < nr; i++) {
		redis_word(&q->words, jobs[i]->id);
		redis_word_u64(&q->words, jobs[i]->deliveries);
	}
	enum sahm_status status = nr ? queue_script(q, &hand_back_script, NULL, err) : SAHM_OK;
	return queue_is_gone(q, status) ? SAHM_OK : status;
}

enum sahm_status queue_leave(struct queue *q, const char *worker, const char *program, struct sahm_err *err)
{
	uint64_t pending = 0;
	queue_begin(q, "ZREM", "workers", "");
	redis_word(&q->words, worker);
	enum sahm_status status = queue_call(q, 0, NULL, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "DEL", "worker:", worker);
	status = queue_call(q, 0, NULL, err);
	if (status != SAHM_OK)
		return status;
	/* What it still has would go with it: then others have to find it first. */
	struct reply *reply = NULL;
	queue_begin(q, "XPENDING", "jobs:", program);
	redis_word(&q->words, QUEUE_GROUP);
	redis_word(&q->words, "-");
	redis_word(&q->words, "+");
	redis_word(&q->words, "1");
	redis_word(&q->words, worker);
	status = queue_call(q, 0, &reply, err);
	pending = status == SAHM_OK && reply_is_array(reply, 0, 1) ? reply->nr : 1;
	reply_free(reply);
	if (queue_is_gone(q, status))
		return SAHM_OK;
	if (status != SAHM_OK || pending > 0)
		return status;
	queue_begin(q, "XGROUP DELCONSUMER", "jobs:", program);
	redis_word(&q->words, QUEUE_GROUP);
	redis_word(&q->words, worker);
	return queue_call(q, 0, NULL, err);
}
