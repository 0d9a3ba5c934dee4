/* How those ask who operate a queue. */
#ifndef SAHM_SWEEP_QUEUE_LOOK_INTERNAL_H
#define SAHM_SWEEP_QUEUE_LOOK_INTERNAL_H

#include "sim/queue/queue_internal.h"

/* Rows that are asked for at a time. */
#define QUEUE_PAGE 512u

/* Where pages of a stream begin: "-" at first, "(" and the id of the last entry then. */
#define QUEUE_CURSOR_BYTES (QUEUE_ID_BYTES + 1)

/* Carries out the command in the making, whose answer is an array of `least` elements or more. */
enum sahm_status queue_ask_array(struct queue *q, const char *what, size_t least, struct reply **reply,
				 struct sahm_err *err);

/* Asks for the number of elements: XLEN, SCARD. */
enum sahm_status queue_ask_length(struct queue *q, const char *command, const char *key, uint64_t *nr,
				  struct sahm_err *err);

/* The server's time. */
enum sahm_status queue_ask_time(struct queue *q, uint64_t *unix_ms, struct sahm_err *err);

/* Up to `most` entries of a stream from `from` on, which is moved behind them; *more: there may be others. */
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
