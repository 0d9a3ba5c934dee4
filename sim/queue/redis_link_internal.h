/* Between the parts of a link: commands (redis_words.c), replies (redis_reply.c), sockets (redis_socket.c), and the
 * connection that uses them (redis_link.c). */
#ifndef SAHM_SIM_QUEUE_REDIS_LINK_INTERNAL_H
#define SAHM_SIM_QUEUE_REDIS_LINK_INTERNAL_H

#include "sim/queue/redis_link.h"

/* Longest line that a reply may have: a status, an error, a number. */
#define MAX_REPLY_LINE ((size_t)64 << 10)

/* Bytes that are read at a time. */
#define REPLY_PIECE ((size_t)64 << 10)

/* How often waiting functions call go_on(). */
#define GO_ON_MS 50

/* Makes replies of the bytes that a server sends, whatever they are. */
struct reply_reader;

enum reply_fault {
	REPLY_FINE,
	REPLY_MALFORMED, /* no reply */
	REPLY_TOO_LARGE, /* beyond MAX_REPLY_ELEMENTS, MAX_REPLY_BYTES or MAX_REPLY_LINE */
	REPLY_NO_MEMORY,
};

/* NULL: out of memory. */
struct reply_reader *reply_reader_new(void);
/* NULL is fine. */
void reply_reader_free(struct reply_reader *r);
/* Adds `len` bytes, REPLY_PIECE at most: take whole replies before adding more. */
enum reply_fault reply_reader_feed(struct reply_reader *r, const void *bytes, size_t len);
/* The next reply, which the caller frees, or NULL: not all of it is there yet. After a fault only
 * reply_reader_free() may be called. */
enum reply_fault reply_reader_next(struct reply_reader *r, struct reply **reply);
/* Whether all that was added was taken. */
bool reply_reader_is_empty(const struct reply_reader *r);

bool redis_words_failed(const struct redis_words *w);
/* Appends the command as it goes over the line. */
void redis_words_write(const struct redis_words *w, struct textbuf *out);
/* How long somebody waits. */
struct deadline {
	uint64_t until_ns;	  /* by the monotonic clock */
	bool (*go_on)(void *ctx); /* asked every GO_ON_MS; NULL: nobody */
	void *ctx;
};

/* `ms` from now. */
struct deadline deadline_after_ms(uint64_t ms, bool (*go_on)(void *ctx), void *ctx);

/* Waits until `fd` (-1: nothing but time) has `events` (as in poll()), or fails: true. False: it took too long, or
 * nobody wants to go on. Signals are no reason. */
bool redis_socket_wait(int fd, short events, const struct deadline *p);

/* A connection to the server, to whatever of its addresses answers: never blocks, closed on exec. SAHM_IO,
 * SAHM_NOMEM; `name` is the server's in messages. */
enum sahm_status redis_socket_open(int *fd, const struct redis_url *url, const char *name, const struct deadline *p,
				   struct sahm_err *err);

struct redis_link {
	struct arena arena;
	struct redis_url url;
	struct redis_link_options options;
	const char *name;
	int fd; /* -1: none */
	struct reply_reader *reader;
	struct textbuf out; /* commands that were not sent yet */
	size_t nr_awaited;  /* replies */
	bool left;	    /* to the process that this one was forked from */
	char error[32];
	uint64_t nr_connections;
	unsigned nr_failures;  /* attempts since the last connection stood */
	uint64_t next_try_ns;  /* by the monotonic clock */
	struct sahm_err last;  /* why there is no connection */
	bool (*go_on)(void *); /* redis_link_ask() */
	void *ctx;
};

/* Pause after this number of failed attempts, between half of the nominal one and all of it, depending on `noise`. */
unsigned redis_pause_ms(unsigned nr_failures, uint64_t noise);

#endif
