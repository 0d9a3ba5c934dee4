/* The queue: who has asked for runs, and who carries them out. */
#include <stdlib.h>
#include <string.h>

#include "sim/queue/queue_look_internal.h"

/* Groups of the stream of results, a row each; NULL where there is none. */
static enum sahm_status ask_groups(struct queue *q, struct reply **groups, struct sahm_err *err)
{
	struct sahm_err cause;
	queue_begin(q, "XINFO GROUPS", "results", "");
	enum sahm_status status = queue_ask_array(q, "groups", 0, groups, &cause);
	if (status == SAHM_OK || queue_is_missing(q, status, &cause))
		return SAHM_OK;
	return sahm_fail(err, status, "%s", cause.msg);
}

/* Entries that the group called `id` has not acknowledged: all there are, where the server has lost count. */
static uint64_t count_uncollected(const struct reply *groups, const char *id, uint64_t all)
{
	for (size_t i = 0; groups && i < groups->nr; i++) {
		int64_t pending, lag;
		const struct reply *row = groups->elements[i], *name = reply_member(row, "name");
		if (!name || strcmp(name->bytes, id) != 0)
			continue;
		if (!reply_number(reply_member(row, "pending"), 0, INT64_MAX / 2, &pending) ||
		    !reply_number(reply_member(row, "lag"), 0, INT64_MAX / 2, &lag))
			return all;
		return (uint64_t)(pending + lag) < all ? (uint64_t)(pending + lag) : all;
	}
	return 0;
}

static bool is_submission_id(const char *id)
{
	size_t len = strlen(id);
	return len > 0 && len < SUBMISSION_BYTES && strspn(id, "0123456789abcdef") == len;
}

static enum sahm_status read_submission(struct queue *q, struct arena *a, const char *id, struct queue_submission *s,
					struct sahm_err *err)
{
	struct reply *reply = NULL;
	queue_begin(q, "HMGET", "submission:", id);
	for (const char *const *field = (const char *const[]){"program", "name", "host", "submitted", "runs", NULL};
	     *field; field++)
		redis_word(&q->words, *field);
	enum sahm_status status = queue_ask_array(q, "a submission", 5, &reply, err);
	if (status != SAHM_OK)
		return status;
	memcpy(s->id, id, strlen(id) + 1);
	s->program = queue_text(a, reply->elements[0], MAX_QUEUE_PROGRAM);
	s->name = queue_text(a, reply->elements[1], MAX_QUEUE_TEXT);
	s->host = queue_text(a, reply->elements[2], MAX_QUEUE_TEXT);
	s->submitted_unix_ms = (int64_t)queue_number(reply->elements[3]);
	s->nr_runs = queue_number(reply->elements[4]);
	reply_free(reply);
	return s->program && s->name && s->host ? SAHM_OK : sahm_fail_nomem(err);
}

static int compare_submissions(const void *a, const void *b)
{
	const struct queue_submission *x = a, *y = b;
	if (x->submitted_unix_ms != y->submitted_unix_ms)
		return x->submitted_unix_ms < y->submitted_unix_ms ? -1 : 1;
	return strcmp(x->id, y->id);
}

enum sahm_status queue_submissions(struct queue *q, struct arena *a, struct queue_submission **submissions, size_t *nr,
				   struct sahm_err *err)
{
	struct reply *groups = NULL;
	const char **ids;
	size_t nr_ids;
	uint64_t all = 0;
	*nr = 0;
	enum sahm_status status = queue_read_names(q, "submissions", SUBMISSION_BYTES - 1, a, &ids, &nr_ids, err);
	if (status == SAHM_OK)
		status = queue_ask_length(q, "XLEN", "results", &all, err);
	if (status == SAHM_OK)
		status = ask_groups(q, &groups, err);
	if (status != SAHM_OK)
		return status;
	*submissions = arena_alloc(a, nr_ids, sizeof(**submissions));
	if (!*submissions)
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < nr_ids && status == SAHM_OK; i++) {
		if (!is_submission_id(ids[i]))
			continue;
		(*submissions)[*nr].uncollected = count_uncollected(groups, ids[i], all);
		status = read_submission(q, a, ids[i], &(*submissions)[(*nr)++], err);
	}
	reply_free(groups);
	if (status == SAHM_OK)
		qsort(*submissions, *nr, sizeof(**submissions), compare_submissions);
	return status;
}

static enum sahm_status read_vitals(struct queue *q, struct arena *a, const char *name, struct queue_vitals *v,
				    struct sahm_err *err)
{
	static const char *const fields[] = {"host",   "pid",	  "processes", "started", "done",
					     "failed", "busy_ms", "held",      NULL};
	struct reply *reply = NULL;
	queue_begin(q, "HMGET", "worker:", name);
	for (size_t i = 0; fields[i]; i++)
		redis_word(&q->words, fields[i]);
	enum sahm_status status = queue_ask_array(q, "a worker", 8, &reply, err);
	if (status != SAHM_OK)
		return status;
	const char *host = queue_text(a, reply->elements[0], sizeof(v->host) - 1);
	if (host)
		memcpy(v->host, host, strlen(host) + 1);
	v->pid = (int64_t)queue_number(reply->elements[1]);
	v->processes = (int64_t)queue_number(reply->elements[2]);
	v->started_unix_ms = (int64_t)queue_number(reply->elements[3]);
	v->done = queue_number(reply->elements[4]);
	v->failed = queue_number(reply->elements[5]);
	v->busy_ms = queue_number(reply->elements[6]);
	v->held = queue_number(reply->elements[7]);
	reply_free(reply);
	return host ? SAHM_OK : sahm_fail_nomem(err);
}

static int compare_workers(const void *a, const void *b)
{
	const struct queue_worker_row *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* Names and when they were heard of last, in turn. */
static enum sahm_status read_workers(struct queue *q, struct arena *a, const struct reply *list, uint64_t now_ms,
				     struct queue_worker_row *rows, size_t *nr, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i + 1 < list->nr && status == SAHM_OK; i += 2) {
		bool failed = false;
		int64_t heard;
		struct queue_worker_row *row = &rows[*nr];
		row->name = queue_copy_name(a, list->elements[i], MAX_WORKER_NAME, &failed);
		if (failed)
			return sahm_fail_nomem(err);
		if (!row->name || !reply_number(list->elements[i + 1], 0, INT64_MAX, &heard))
			continue;
		row->silent_ms = (uint64_t)heard < now_ms ? now_ms - (uint64_t)heard : 0;
		status = read_vitals(q, a, row->name, &row->vitals, err);
		(*nr)++;
	}
	return status;
}

enum sahm_status queue_workers(struct queue *q, struct arena *a, struct queue_worker_row **workers, size_t *nr,
			       struct sahm_err *err)
{
	struct reply *reply = NULL;
	uint64_t now_ms;
	*nr = 0;
	enum sahm_status status = queue_ask_time(q, &now_ms, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "ZRANGE", "workers", "");
	redis_word(&q->words, "0");
	redis_word(&q->words, "-1");
	redis_word(&q->words, "WITHSCORES");
	status = queue_ask_array(q, "workers", 0, &reply, err);
	if (status != SAHM_OK)
		return status;
	*workers = arena_alloc(a, reply->nr / 2, sizeof(**workers));
	status = *workers ? read_workers(q, a, reply, now_ms, *workers, nr, err) : sahm_fail_nomem(err);
	reply_free(reply);
	if (status == SAHM_OK)
		qsort(*workers, *nr, sizeof(**workers), compare_workers);
	return status;
}
