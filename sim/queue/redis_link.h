/* A connection to a Redis server that comes back when it is lost.
 *
 * Commands are lists of bytes strings, never formats. Every reply is checked while it is read: one that has more than
 * MAX_REPLY_ELEMENTS elements or more than MAX_REPLY_BYTES bytes ends the connection, as does one that is no reply at
 * all; nothing that a server sends can do more. A connection that fails, or whose reply does not come in time, is
 * dead: calls fail with SAHM_IO until a new one is there, for which the first call tries that comes after a pause; the
 * pauses grow. A new connection logs in, chooses its database, and has its timeouts, as the first one. What was sent
 * before and not answered may have been carried out or not.
 * Not to be used by two threads; a process that was forked calls redis_link_leave().
 */
#ifndef SAHM_SIM_QUEUE_REDIS_LINK_H
#define SAHM_SIM_QUEUE_REDIS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/queue/redis_url.h"

#define MAX_REPLY_ELEMENTS (UINT32_C(1) << 20)
#define MAX_REPLY_BYTES (UINT64_C(64) << 20)

/* Pauses between attempts to connect: the first, and the longest; each is twice the one before. */
#define REDIS_FIRST_PAUSE_MS 50u
#define REDIS_LONGEST_PAUSE_MS 5000u

/* Whether this program can speak to Redis at all; without, redis_link_open() fails with SAHM_TOOL and says so. */
bool redis_is_built_in(void);

/* Of the library that reads replies, "0.14.1"; "" where none is built in. */
const char *redis_library_version(void);

enum reply_kind { REPLY_NIL, REPLY_INTEGER, REPLY_STRING, REPLY_STATUS, REPLY_ERROR, REPLY_ARRAY };

struct reply {
	enum reply_kind kind;
	int64_t integer;   /* REPLY_INTEGER */
	const char *bytes; /* [len], followed by a NUL: REPLY_STRING, REPLY_STATUS, REPLY_ERROR; else "" */
	size_t len;
	struct reply **elements; /* [nr]: REPLY_ARRAY */
	size_t nr;
};

/* NULL is fine. */
void reply_free(struct reply *reply);

/* Interpret a reply; false if it is of another kind. `reply` may be NULL. */
bool reply_is_array(const struct reply *reply, size_t least, size_t most);
/* A string or a status of `least` to `most` bytes. */
bool reply_is_bytes(const struct reply *reply, size_t least, size_t most);
/* An integer, or a string that is one in decimal, from `min` to `max`. */
bool reply_number(const struct reply *reply, int64_t min, int64_t max, int64_t *value);
/* Of an array of names and values in turn, as HGETALL and XINFO give it, the value of `name`; NULL: it has none. */
const struct reply *reply_member(const struct reply *reply, const char *name);

/* A command in the making: its words are copied. Without memory nothing is sent, and the call fails with SAHM_NOMEM. */
struct redis_words {
	struct textbuf bytes;
	size_t *ends; /* [nr]: where each word ends in `bytes` */
	size_t nr, room;
	bool failed;
};

void redis_words_init(struct redis_words *w);
void redis_words_release(struct redis_words *w);
/* Starts a command with words that are separated by single spaces: "XADD", "SCRIPT LOAD". */
void redis_words_begin(struct redis_words *w, const char *words);
void redis_word(struct redis_words *w, const char *text);
void redis_word_bytes(struct redis_words *w, const void *bytes, size_t len);
void redis_word_u64(struct redis_words *w, uint64_t value);
void redis_word_i64(struct redis_words *w, int64_t value);

struct redis_link;

struct redis_link_options {
	unsigned connect_ms; /* most that connecting takes, and each step of logging in; 0: 5000 */
	unsigned reply_ms;   /* most that one waits for a reply, unless a call says more; 0: 10000 */
};

/* Connects. On success the caller frees the link, which copies `url`. SAHM_IO: nobody is there, or in time;
 * SAHM_CONFIG: login or database are refused; SAHM_TOOL: it is no Redis server, one that is too old (before 7.0), or
 * this program is built without; SAHM_NOMEM. Messages name the server, never a password. */
enum sahm_status redis_link_open(struct redis_link **link, const struct redis_url *url,
				 const struct redis_link_options *options, struct sahm_err *err);
/* Also closes. NULL is fine. */
void redis_link_free(struct redis_link *link);

/* In a process that was forked from the one that opened it: closes its copy of the socket, without a word to the
 * server. The link can only be freed then. */
void redis_link_leave(struct redis_link *link);

/* Carries out one command. On success the caller frees *reply (may be NULL: the reply does not matter). SAHM_IO: the
 * connection is lost, or was, and the pause is not over. SAHM_TOOL: the server answered with an error, whose first word
 * is redis_link_error() then; the link is as good as before. `reply_ms` is 0 or, for a command that blocks, the most
 * that one waits. */
enum sahm_status redis_link_call(struct redis_link *link, const struct redis_words *words, unsigned reply_ms,
				 struct reply **reply, struct sahm_err *err);

/* The same in two steps, for several commands at a time: commands wait in a buffer until the first reply is
 * requested; replies come in the order of commands, and all must be received before redis_link_call() is used again.
 * An error from the server is a reply here. After SAHM_IO nothing more can be received. */
enum sahm_status redis_link_send(struct redis_link *link, const struct redis_words *words, struct sahm_err *err);
enum sahm_status redis_link_receive(struct redis_link *link, struct reply **reply, struct sahm_err *err);

/* Carries out a Lua script: its name stands in front of what the server says against it. Begin `words` with
 * redis_script_begin(), then add keys and arguments. */
struct redis_script {
	const char *name; /* for messages */
	const char *text;
	const char *library; /* functions that stand before it; NULL: none */
};
void redis_script_begin(struct redis_words *words, const struct redis_script *script, unsigned nr_keys);
enum sahm_status redis_link_script(struct redis_link *link, const struct redis_script *script,
				   const struct redis_words *words, struct reply **reply, struct sahm_err *err);

/* First word of the error that the server answered last ("NOGROUP", "OOM"), "" before any. */
const char *redis_link_error(const struct redis_link *link);

/* From here on `go_on` is asked several times a second while the link waits for the server; where it says no, waiting
 * ends as if the time were over. NULL: nobody is asked. Looking up the server's name asks nobody. */
void redis_link_ask(struct redis_link *link, bool (*go_on)(void *ctx), void *ctx);

/* Whether a connection stands, as far as is known. */
bool redis_link_is_up(const struct redis_link *link);

/* Tries to have one, if the pause is over. SAHM_OK when one stands; else as redis_link_open(). */
enum sahm_status redis_link_try(struct redis_link *link, struct sahm_err *err);

/* Waits for one, as long as `go_on` (called several times a second) is true. Fails as the last attempt did; what
 * waiting does not cure (SAHM_CONFIG, SAHM_TOOL, SAHM_NOMEM) at once. */
enum sahm_status redis_link_wait(struct redis_link *link, bool (*go_on)(void *ctx), void *ctx, struct sahm_err *err);

/* How many connections there were: who remembers it sees that one was lost. */
uint64_t redis_link_nr_connections(const struct redis_link *link);

/* "host:port", as it stands in messages. */
const char *redis_link_name(const struct redis_link *link);

#endif
