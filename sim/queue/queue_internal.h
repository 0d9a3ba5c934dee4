/* Between the files of the queue: names of keys, scripts, and how commands are put together and replies checked. */
#ifndef SAHM_SIM_QUEUE_QUEUE_INTERNAL_H
#define SAHM_SIM_QUEUE_QUEUE_INTERNAL_H

#include "sim/queue/queue.h"

/* Layout of the keys: queues of another one are left alone. */
#define QUEUE_FORMAT "1"

/* The group of a stream of runs. */
#define QUEUE_GROUP "workers"

/* Fields of entries: of runs, of dead letters, of results. */
#define FIELD_BUNDLE "b"
#define FIELD_POSITION "p"
#define FIELD_RUN "r"
#define FIELD_PROGRAM "g"
#define FIELD_TRIES "n"
#define FIELD_WHY "e"
#define FIELD_WORKER "w"
#define FIELD_RECORDS "z"
#define FIELD_GIVEN_UP "x"

/* Fields of meta. */
#define META_FORMAT "format"
#define META_CLAIM "claim_ms"
#define META_DRAIN "drain"
#define META_RESULT_BYTES "result_bytes"

/* Longest text that is taken from a server. */
#define MAX_QUEUE_TEXT 256u

/* Longest version of a program. */
#define MAX_QUEUE_PROGRAM 128u

/* Gives meta what it should have, after the server has lost its data. */
enum sahm_status queue_settle_meta(struct queue *q, struct sahm_err *err);

/* Adds the key `name` of the queue, followed by `rest`, to the command in the making. */
void queue_key(struct queue *q, const char *name, const char *rest);

/* What has to happen at once on the server: queue_enqueue.lua and so on. Each script is carried out whole or, where the
 * server has no memory, not at all: what adds comes before what removes. To add one: write the file, declare it here,
 * and give its caller a struct redis_script. */
extern const char queue_enqueue_lua[], queue_bury_lua[], queue_take_lua[], queue_fail_lua[], queue_hand_back_lua[],
	queue_beat_lua[], queue_unable_lua[], queue_settle_lua[], queue_forget_lua[], queue_retry_lua[],
	queue_unqueue_lua[];

/* Carries out the command in the making; redis_link_call() and redis_link_script(). */
enum sahm_status queue_call(struct queue *q, unsigned reply_ms, struct reply **reply, struct sahm_err *err);
enum sahm_status queue_script(struct queue *q, const struct redis_script *script, struct reply **reply,
			      struct sahm_err *err);

/* The answer was none of those that `what` has. */
enum sahm_status queue_fail_reply(const struct queue *q, const char *what, struct sahm_err *err);

/* Begins a command of words that are separated by spaces, as redis_words_begin(), followed by a key. */
void queue_begin(struct queue *q, const char *words, const char *key, const char *rest);

/* Carries out the command in the making, whose answer is a number from 0. */
enum sahm_status queue_ask_number(struct queue *q, const char *what, uint64_t *number, struct sahm_err *err);

/* Makes the stream of a program's runs with its group, unless it is there. */
enum sahm_status queue_make_stream(struct queue *q, const char *program, struct sahm_err *err);

/* Reads an entry of a stream of runs, or a dead letter: [id, [field, value, ...]]. False when it is none. */
bool queue_read_entry(const struct reply *entry, char id[QUEUE_ID_BYTES], struct queue_run *run);

/* Reads an id of an entry; false when it is none. */
bool queue_read_id(const struct reply *reply, char id[QUEUE_ID_BYTES]);

/* A text from the server, cut to `most` bytes and cleaned, from `a`; "" where there is none; NULL: no memory. */
const char *queue_text(struct arena *a, const struct reply *reply, size_t most);

/* 0 where there is none, or it is no number from 0. */
uint64_t queue_number(const struct reply *reply);

/* Results as they travel: compressed, with a limit for what comes out. */
enum sahm_status queue_pack(const struct textbuf *records, struct textbuf *packed, struct sahm_err *err);
enum sahm_status queue_unpack(const struct reply *packed, char **records, size_t *len, struct sahm_err *err);

/* ---- How those ask who operate a queue (queue_inspect.c) ---- */

/* Rows that are asked for at a time. */
#define QUEUE_PAGE 512u

/* Where pages of a stream begin: "-" at first, "(" and the id of the last entry then. */
#define QUEUE_CURSOR_BYTES (QUEUE_ID_BYTES + 1)

/* Carries out the command in the making, whose reply is an array of at least `least` elements. */
enum sahm_status queue_ask_array(struct queue *q, const char *what, size_t least, struct reply **reply,
				 struct sahm_err *err);

/* Asks for the number of elements: XLEN, SCARD. */
enum sahm_status queue_ask_length(struct queue *q, const char *command, const char *key, uint64_t *nr,
				  struct sahm_err *err);

/* The server's time. */
enum sahm_status queue_ask_time(struct queue *q, uint64_t *unix_ms, struct sahm_err *err);

/* Up to `most` entries of a stream from `from` on, which is moved past them; *more: there may be others. */
enum sahm_status queue_page(struct queue *q, const char *key, const char *rest, char from[QUEUE_CURSOR_BYTES],
			    size_t most, struct reply **reply, bool *more, struct sahm_err *err);

/* Whether the server said that there is no such stream, or no such group of it. */
bool queue_is_missing(const struct queue *q, enum sahm_status status, const struct sahm_err *cause);

/* Copies a name that is one: without anything in it that a terminal or a key could stumble over. NULL: it is none, or
 * (*failed) memory is short. */
const char *queue_copy_name(struct arena *a, const struct reply *reply, size_t most, bool *failed);

/* Names from a set, in order. */
enum sahm_status queue_read_names(struct queue *q, const char *key, size_t most, struct arena *a, const char ***names,
				  size_t *nr, struct sahm_err *err);

#endif
