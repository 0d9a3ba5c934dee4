/* Shared by commands that use a queue: its place, from options and the environment. */
#ifndef SAHM_SIM_CLI_REDIS_REQUEST_H
#define SAHM_SIM_CLI_REDIS_REQUEST_H

#include "sim/cli/common_options.h"
#include "sim/queue/queue.h"

/* Where the server is, when no option says so. */
#define REDIS_VARIABLE "SAHM_REDIS"

/* For rows of option tables, to stand in their braces: into the member `redis` of struct request. */
#define REDIS_OPTION                                                                                                   \
	"redis", 0, "URL",                                                                                             \
		"the Redis server, as redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]; without it "                   \
		"$" REDIS_VARIABLE ". A password is better kept in $" REDIS_PASSWORD_VARIABLE                          \
		", where no list of processes shows it",                                                               \
		OPTION_STRING, AT(const char *, redis.url)
#define QUEUE_OPTION                                                                                                   \
	"queue", 0, "NAME", "the queue, of several that a server can have; without it '" DEFAULT_QUEUE "'",            \
		OPTION_STRING, AT(const char *, redis.queue)
#define CLAIM_OPTION                                                                                                   \
	"claim", 0, "SECONDS",                                                                                         \
		"how long a run stays with a worker of which nothing is heard; without it as the queue has "           \
		"it, or 30. The value must be the same in all commands on a queue",                                    \
		OPTION_WHOLE, AT(unsigned, redis.claim_s), .least = MIN_QUEUE_CLAIM_S, .most = MAX_QUEUE_CLAIM_S

/* Values of these options, or 0. */
struct redis_request {
	const char *url, *queue;
	unsigned claim_s;
	bool look;     /* nothing is written */
	bool any_meta; /* everything is removed, whatever it is */
};

/* For the last row of these tables: SAHM_USAGE, for an operand of a command about queues, which takes none. */
option_take refuse_queue_operand;

/* Fills `options`, whose strings are those of the request and the environment. SAHM_USAGE: nobody says where the server
 * is. */
enum sahm_status redis_request_options(const struct redis_request *r, struct queue_options *options,
				       struct sahm_err *err);

/* The same, and opens the queue; fails as queue_connect() does, naming the environment variable if the URL came from
 * one. On success the caller closes it. */
enum sahm_status redis_request_open(const struct redis_request *r, struct queue *q, struct sahm_err *err);

/* Appends the server's URL without its password: for people. */
enum sahm_status redis_request_where(const struct redis_request *r, struct textbuf *out, struct sahm_err *err);

#endif
