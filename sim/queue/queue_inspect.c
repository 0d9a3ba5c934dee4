/* The contents of a queue: runs, submissions, workers. Entries of an unexpected form are skipped: no sahm has
 * written them. */
#include <stdlib.h>
#include <string.h>

#include "sim/queue/queue_internal.h"

enum sahm_status queue_ask_array(struct queue *q, const char *what, size_t least, struct reply **reply,
				 struct sahm_err *err)
{
	enum sahm_status status = queue_call(q, 0, reply, err);
	if (status == SAHM_OK && !reply_is_array(*reply, least, MAX_REPLY_ELEMENTS)) {
		reply_free(*reply);
		*reply = NULL;
		status = queue_fail_reply(q, what, err);
	}
	return status;
}

bool queue_is_missing(const struct queue *q, enum sahm_status status, const struct sahm_err *cause)
{
	const char *word = redis_link_error(q->link);
	return status == SAHM_TOOL && (strcmp(word, "NOGROUP") == 0 ||
				       (strcmp(word, "ERR") == 0 && strstr(cause->msg, "no such key") != NULL));
}

const char *queue_copy_name(struct arena *a, const struct reply *reply, size_t most, bool *failed)
{
	if (!reply_is_bytes(reply, 1, most))
		return NULL;
	const char *text = queue_text(a, reply, most);
	*failed |= !text;
	return text && strlen(text) == reply->len && memcmp(text, reply->bytes, reply->len) == 0 ? text : NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum sahm_status queue_read_names(struct queue *q, const char *key, size_t most, struct arena *a, const char ***names,
				  size_t *nr, struct sahm_err *err)
{
	struct reply *reply = NULL;
	bool failed = false;
	*nr = 0;
	queue_begin(q, "SMEMBERS", key, "");
	enum sahm_status status = queue_ask_array(q, "a set", 0, &reply, err);
	if (status != SAHM_OK)
		return status;
	*names = arena_alloc(a, reply->nr, sizeof(**names));
	for (size_t i = 0; i < reply->nr && *names; i++) {
		const char *name = queue_copy_name(a, reply->elements[i], most, &failed);
		if (name)
			(*names)[(*nr)++] = name;
	}
	reply_free(reply);
	if (!*names || failed)
		return sahm_fail_nomem(err);
	qsort(*names, *nr, sizeof(**names), compare_names);
	return SAHM_OK;
}

enum sahm_status queue_programs(struct queue *q, struct arena *a, const char ***programs, size_t *nr,
				struct sahm_err *err)
{
	return queue_read_names(q, "programs", MAX_QUEUE_PROGRAM, a, programs, nr, err);
}

enum sahm_status queue_ask_time(struct queue *q, uint64_t *unix_ms, struct sahm_err *err)
{
	struct reply *reply = NULL;
	int64_t s = 0, us = 0;
	redis_words_begin(&q->words, "TIME");
	enum sahm_status status = queue_ask_array(q, "a time", 2, &reply, err);
	if (status == SAHM_OK && (!reply_number(reply->elements[0], 0, INT64_MAX / 1000 - 1, &s) ||
				  !reply_number(reply->elements[1], 0, 999999, &us)))
		status = queue_fail_reply(q, "a time", err);
	reply_free(reply);
	*unix_ms = (uint64_t)s * 1000 + (uint64_t)us / 1000;
	return status;
}

/* Claims that are too old, of `claimed`: as many as are listed. */
static enum sahm_status count_abandoned(struct queue *q, const char *program, uint64_t claimed, uint64_t *nr,
					struct sahm_err *err)
{
	char from[QUEUE_CURSOR_BYTES] = "-";
	struct reply *reply = NULL;
	bool more = claimed > 0;
	enum sahm_status status = SAHM_OK;
	while (more && *nr < claimed && status == SAHM_OK) {
		queue_begin(q, "XPENDING", "jobs:", program);
		redis_word(&q->words, QUEUE_GROUP);
		redis_word(&q->words, "IDLE");
		redis_word_u64(&q->words, q->claim_ms);
		redis_word(&q->words, from);
		redis_word(&q->words, "+");
		redis_word_u64(&q->words, QUEUE_PAGE);
		status = queue_ask_array(q, "claims", 0, &reply, err);
		if (status != SAHM_OK)
			break;
		*nr += reply->nr;
		more = reply->nr >= QUEUE_PAGE;
		const struct reply *last = more ? reply->elements[reply->nr - 1] : NULL;
		from[0] = '(';
		if (more && (!reply_is_array(last, 1, SIZE_MAX) || !queue_read_id(last->elements[0], from + 1)))
			status = queue_fail_reply(q, "claims", err);
		reply_free(reply);
	}
	return status;
}

/* Adds to workers what they have, of a summary of claims. */
static void add_claims(const struct reply *claims, struct queue_worker_row *workers, size_t nr_workers)
{
	const struct reply *list = claims->nr > 3 ? claims->elements[3] : NULL;
	for (size_t i = 0; reply_is_array(list, 1, SIZE_MAX) && i < list->nr; i++) {
		const struct reply *row = list->elements[i];
		if (!reply_is_array(row, 2, 2))
			continue;
		for (size_t k = 0; k < nr_workers; k++)
			if (strcmp(row->elements[0]->bytes, workers[k].name) == 0)
				workers[k].claimed += queue_number(row->elements[1]);
	}
}

/* Adds the runs of one program, also to workers[nr_workers]. */
static enum sahm_status count_runs(struct queue *q, const char *program, struct queue_counts *counts,
				   struct queue_worker_row *workers, size_t nr_workers, struct sahm_err *err)
{
	struct reply *reply = NULL;
	struct sahm_err cause;
	uint64_t all, abandoned = 0;
	queue_begin(q, "XLEN", "jobs:", program);
	enum sahm_status status = queue_ask_number(q, "a length", &all, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "XPENDING", "jobs:", program);
	redis_word(&q->words, QUEUE_GROUP);
	status = queue_ask_array(q, "claims", 1, &reply, &cause);
	if (status != SAHM_OK && !queue_is_missing(q, status, &cause))
		return sahm_fail(err, status, "%s", cause.msg);
	uint64_t claimed = status == SAHM_OK ? queue_number(reply->elements[0]) : 0;
	if (status == SAHM_OK)
		add_claims(reply, workers, nr_workers);
	reply_free(reply);
	status = count_abandoned(q, program, claimed, &abandoned, err);
	/* Between the questions runs come and go. */
	counts->waiting += all > claimed ? all - claimed : 0;
	counts->claimed += claimed;
	counts->abandoned += abandoned < claimed ? abandoned : claimed;
	return status;
}

enum sahm_status queue_page(struct queue *q, const char *key, const char *rest, char from[QUEUE_CURSOR_BYTES],
			    size_t most, struct reply **reply, bool *more, struct sahm_err *err)
{
	queue_begin(q, "XRANGE", key, rest);
	redis_word(&q->words, from);
	redis_word(&q->words, "+");
	redis_word(&q->words, "COUNT");
	redis_word_u64(&q->words, most);
	enum sahm_status status = queue_ask_array(q, "entries", 0, reply, err);
	if (status != SAHM_OK)
		return status;
	*more = (*reply)->nr >= most;
	const struct reply *last = (*reply)->nr > 0 ? (*reply)->elements[(*reply)->nr - 1] : NULL;
	from[0] = '(';
	if (!last || (reply_is_array(last, 2, 2) && queue_read_id(last->elements[0], from + 1)))
		return SAHM_OK;
	reply_free(*reply);
	*reply = NULL;
	return queue_fail_reply(q, "entries", err);
}

/* "": of none. */
static const char *program_of_letter(const struct reply *entry)
{
	const struct reply *of = reply_is_array(entry, 2, 2) ? reply_member(entry->elements[1], FIELD_PROGRAM) : NULL;
	return of ? of->bytes : "";
}

/* Adds the dead letters of one program. */
static enum sahm_status count_dead(struct queue *q, const char *program, uint64_t *nr, struct sahm_err *err)
{
	char from[QUEUE_CURSOR_BYTES] = "-";
	struct reply *reply = NULL;
	bool more = true;
	while (more) {
		enum sahm_status status = queue_page(q, "dead", "", from, QUEUE_PAGE, &reply, &more, err);
		if (status != SAHM_OK)
			return status;
		for (size_t i = 0; i < reply->nr; i++)
			*nr += strcmp(program_of_letter(reply->elements[i]), program) == 0;
		reply_free(reply);
	}
	return SAHM_OK;
}

enum sahm_status queue_ask_length(struct queue *q, const char *command, const char *key, uint64_t *nr,
				  struct sahm_err *err)
{
	queue_begin(q, command, key, "");
	return queue_ask_number(q, "a length", nr, err);
}

/* What is the queue's, and no program's. */
static enum sahm_status count_common(struct queue *q, struct queue_counts *counts, struct sahm_err *err)
{
	struct reply *reply = NULL;
	uint64_t now_ms;
	enum sahm_status status = queue_ask_length(q, "XLEN", "results", &counts->results, err);
	if (status == SAHM_OK)
		status = queue_ask_length(q, "SCARD", "submissions", &counts->submissions, err);
	if (status == SAHM_OK)
		status = queue_ask_time(q, &now_ms, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "ZCOUNT", "workers", "");
	redis_word_i64(&q->words, (int64_t)(now_ms - 2 * q->claim_ms));
	redis_word(&q->words, "+inf");
	status = queue_ask_number(q, "a number of workers", &counts->workers, err);
	if (status != SAHM_OK)
		return status;
	queue_begin(q, "HMGET", "meta", "");
	redis_word(&q->words, META_DRAIN);
	redis_word(&q->words, META_RESULT_BYTES);
	status = queue_ask_array(q, "the overview of a queue", 2, &reply, err);
	if (status != SAHM_OK)
		return status;
	counts->draining = reply_is_bytes(reply->elements[0], 0, SIZE_MAX);
	counts->result_bytes = queue_number(reply->elements[1]);
	reply_free(reply);
	return SAHM_OK;
}

enum sahm_status queue_count(struct queue *q, const char *program, struct queue_counts *counts, struct sahm_err *err)
{
	const char **programs = &program;
	size_t nr = 1;
	struct arena a;
	arena_init(&a);
	*counts = (struct queue_counts){0};
	enum sahm_status status = count_common(q, counts, err);
	if (status == SAHM_OK && !program)
		status = queue_programs(q, &a, &programs, &nr, err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++)
		status = count_runs(q, programs[i], counts, NULL, 0, err);
	if (status == SAHM_OK)
		status = program ? count_dead(q, program, &counts->dead, err)
				 : queue_ask_length(q, "XLEN", "dead", &counts->dead, err);
	arena_release(&a);
	return status;
}

/* Adds all dead letters to *all, and to the programs of which they are. */
static enum sahm_status count_letters(struct queue *q, struct queue_program *programs, size_t nr, uint64_t *all,
				      struct sahm_err *err)
{
	char from[QUEUE_CURSOR_BYTES] = "-";
	struct reply *reply = NULL;
	bool more = true;
	while (more) {
		enum sahm_status status = queue_page(q, "dead", "", from, QUEUE_PAGE, &reply, &more, err);
		if (status != SAHM_OK)
			return status;
		for (size_t i = 0; i < reply->nr; i++) {
			const char *of = program_of_letter(reply->elements[i]);
			for (size_t k = 0; k < nr; k++)
				programs[k].counts.dead += strcmp(of, programs[k].name) == 0;
		}
		*all += reply->nr;
		reply_free(reply);
	}
	return SAHM_OK;
}

enum sahm_status queue_count_each(struct queue *q, struct arena *a, struct queue_counts *all,
				  struct queue_program **programs, size_t *nr, struct queue_worker_row *workers,
				  size_t nr_workers, struct sahm_err *err)
{
	const char **names;
	*all = (struct queue_counts){0};
	enum sahm_status status = queue_programs(q, a, &names, nr, err);
	if (status == SAHM_OK)
		status = count_common(q, all, err);
	if (status != SAHM_OK)
		return status;
	*programs = arena_alloc(a, *nr, sizeof(**programs));
	if (!*programs)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < *nr && status == SAHM_OK; i++) {
		struct queue_counts *counts = &(*programs)[i].counts;
		(*programs)[i] = (struct queue_program){.name = names[i]};
		status = count_runs(q, names[i], counts, workers, nr_workers, err);
		all->waiting += counts->waiting;
		all->claimed += counts->claimed;
		all->abandoned += counts->abandoned;
	}
	return status == SAHM_OK ? count_letters(q, *programs, *nr, &all->dead, err) : status;
}

enum sahm_status queue_letters(struct queue *q, struct arena *a, size_t most, struct queue_letter **letters, size_t *nr,
			       struct sahm_err *err)
{
	char from[QUEUE_CURSOR_BYTES] = "-";
	struct reply *reply = NULL;
	bool more;
	*nr = 0;
	enum sahm_status status = queue_page(q, "dead", "", from, most, &reply, &more, err);
	if (status != SAHM_OK)
		return status;
	*letters = arena_alloc(a, reply->nr, sizeof(**letters));
	for (size_t i = 0; i < reply->nr && *letters && status == SAHM_OK; i++) {
		struct queue_letter *letter = &(*letters)[*nr];
		if (!queue_read_entry(reply->elements[i], letter->id, &letter->run))
			continue;
		const struct reply *fields = reply->elements[i]->elements[1];
		letter->program = queue_text(a, reply_member(fields, FIELD_PROGRAM), MAX_QUEUE_PROGRAM);
		letter->why = queue_text(a, reply_member(fields, FIELD_WHY), MAX_QUEUE_ERROR);
		letter->tries = queue_number(reply_member(fields, FIELD_TRIES));
		if (!letter->program || !letter->why)
			status = sahm_fail_nomem(err);
		(*nr)++;
	}
	reply_free(reply);
	return *letters ? status : sahm_fail_nomem(err);
}

/* What INFO has of memory; the caller frees *reply. */
static enum sahm_status ask_memory(struct queue *q, struct reply **reply, struct sahm_err *err)
{
	redis_words_begin(&q->words, "INFO memory");
	enum sahm_status status = queue_call(q, 0, reply, err);
	if (status == SAHM_OK && !reply_is_bytes(*reply, 0, SIZE_MAX)) {
		reply_free(*reply);
		*reply = NULL;
		status = queue_fail_reply(q, "its use of memory", err);
	}
	return status;
}

/* The value of a row; NULL: there is none. `name` begins with a line end and ends with a colon. */
static const char *info_value(const struct reply *info, const char *name)
{
	const char *row = strstr(info->bytes, name);
	return row ? row + strlen(name) : NULL;
}

enum sahm_status queue_memory(struct queue *q, uint64_t *bytes, struct sahm_err *err)
{
	struct reply *reply = NULL;
	enum sahm_status status = ask_memory(q, &reply, err);
	if (status != SAHM_OK)
		return status;
	const char *used = info_value(reply, "\nused_memory:");
	if (used)
		*bytes = strtoull(used, NULL, 10);
	else
		status = queue_fail_reply(q, "its use of memory", err);
	reply_free(reply);
	return status;
}

enum sahm_status queue_check_server(struct queue *q, bool *evicts, struct sahm_err *err)
{
	struct reply *reply = NULL;
	struct sahm_err cause;
	enum sahm_status status = ask_memory(q, &reply, &cause);
	*evicts = false;
	if (status == SAHM_TOOL || status == SAHM_FORMAT)
		return SAHM_OK;
	if (status != SAHM_OK)
		return sahm_fail(err, status, "%s", cause.msg);
	const char *limit = info_value(reply, "\nmaxmemory:"), *policy = info_value(reply, "\nmaxmemory_policy:");
	if (limit && policy && strtoull(limit, NULL, 10) > 0) {
		static const char any[] = "allkeys-";
		*evicts = strncmp(policy, any, strlen(any)) == 0;
	}
	reply_free(reply);
	return SAHM_OK;
}

/* ---- Submissions and workers ---- */

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

/* Entries that the group `id` has not acknowledged; all, if the server has lost count. */
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
