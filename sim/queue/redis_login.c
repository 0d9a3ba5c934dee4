/* Logging in to a server, and making sure that it is one that will do. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/queue/redis_link_internal.h"

/* The first whose XAUTOCLAIM leaves out entries that are gone, and whose scripts pass on the errors of commands. */
#define OLDEST_MAJOR 7u

/* Of what a server says, so much is shown. */
#define MAX_SAID 300
#define MAX_VERSION 32

static bool begins_with(const struct reply *reply, const char *text)
{
	size_t len = strlen(text);
	return reply->len >= len && memcmp(reply->bytes, text, len) == 0;
}

/* Answers of a server that will be there soon. */
static bool is_not_ready(const struct reply *reply)
{
	static const char *const answers[] = {"LOADING ", "BUSY ", "MASTERDOWN ", "CLUSTERDOWN ",
					      "ERR max number of clients"};
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (begins_with(reply, answers[i]))
			return true;
	return false;
}

static bool contains(const struct reply *reply, const char *text)
{
	return text && memmem(reply->bytes, reply->len, text, strlen(text));
}

static enum sahm_status no_server(const struct redis_link *link, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_TOOL, "'%s' does not answer as a Redis server does", link->name);
}

/* A step of logging in, whose reply the caller frees. */
static enum sahm_status step(struct redis_link *link, const struct redis_words *words, const char *what,
			     struct reply **reply, struct sahm_err *err)
{
	enum sahm_status status = redis_link_put(link, words, err);
	*reply = NULL;
	if (status == SAHM_OK)
		status = redis_link_get(link, link->options.connect_ms, reply, err);
	if (status == SAHM_FORMAT)
		return no_server(link, err);
	if (status != SAHM_OK || (*reply)->kind != REPLY_ERROR)
		return status;
	const struct reply *r = *reply;
	bool is_soon = is_not_ready(r);
	/* Old servers repeat commands that they do not know, and what stood in them. */
	if (contains(r, link->url.password))
		status = sahm_fail(err, SAHM_CONFIG, "the Redis server '%s' refuses %s", link->name, what);
	else
		status = sahm_fail(err, is_soon ? SAHM_IO : SAHM_CONFIG, "the Redis server '%s' %s %s: %.*s",
				   link->name, is_soon ? "is not ready for" : "refuses", what,
				   r->len < MAX_SAID ? (int)r->len : MAX_SAID, r->bytes);
	reply_free(*reply);
	*reply = NULL;
	return status;
}

/* A step whose answer is `expected`. */
static enum sahm_status step_for(struct redis_link *link, const struct redis_words *words, const char *what,
				 const char *expected, struct sahm_err *err)
{
	struct reply *reply;
	enum sahm_status status = step(link, words, what, &reply, err);
	if (status != SAHM_OK)
		return status;
	bool is_right = reply->kind == REPLY_STATUS && strcmp(reply->bytes, expected) == 0;
	reply_free(reply);
	return is_right ? SAHM_OK : no_server(link, err);
}

static enum sahm_status authenticate(struct redis_link *link, struct redis_words *words, struct sahm_err *err)
{
	const struct redis_url *url = &link->url;
	if (!url->user && !url->password)
		return SAHM_OK;
	redis_words_begin(words, "AUTH");
	if (url->user)
		redis_word(words, url->user);
	redis_word(words, url->password ? url->password : "");
	return step_for(link, words, "the login", "OK", err);
}

static enum sahm_status choose_database(struct redis_link *link, struct redis_words *words, struct sahm_err *err)
{
	if (link->url.database == 0)
		return SAHM_OK;
	redis_words_begin(words, "SELECT");
	redis_word_u64(words, link->url.database);
	return step_for(link, words, "the database", "OK", err);
}

/* A number at *at, behind which *at is set; false: none is there. */
static bool read_part(const char **at, uint64_t *value)
{
	size_t len = strspn(*at, "0123456789");
	bool is_number = number_read_u64(*at, len, value) == NUMBER_OK;
	*at += len;
	return is_number;
}

static enum sahm_status check_version(struct redis_link *link, struct redis_words *words, struct sahm_err *err)
{
	static const char field[] = "redis_version:";
	struct reply *reply;
	redis_words_begin(words, "INFO server");
	enum sahm_status status = step(link, words, "a look at its version", &reply, err);
	if (status != SAHM_OK)
		return status;
	/* A NUL in it ends the text. */
	const char *at = reply->kind == REPLY_STRING ? strstr(reply->bytes, field) : NULL;
	const char *version = at ? at += strlen(field) : "";
	size_t len = strcspn(version, "\r\n");
	uint64_t major = 0, minor = 0;
	if (!at || !read_part(&at, &major) || *at++ != '.' || !read_part(&at, &minor))
		status = no_server(link, err);
	else if (major < OLDEST_MAJOR)
		status = sahm_fail(err, SAHM_TOOL, "the Redis server '%s' has version %.*s; %u.0 is needed at least",
				   link->name, len < MAX_VERSION ? (int)len : MAX_VERSION, version, OLDEST_MAJOR);
	reply_free(reply);
	return status;
}

enum sahm_status redis_login(struct redis_link *link, struct sahm_err *err)
{
	struct redis_words words;
	redis_words_init(&words);
	enum sahm_status status = authenticate(link, &words, err);
	redis_words_begin(&words, "PING");
	/* Unlike logging in and INFO, this waits until a server that has just been started has loaded its data. */
	if (status == SAHM_OK)
		status = step_for(link, &words, "a PING", "PONG", err);
	if (status == SAHM_OK)
		status = choose_database(link, &words, err);
	if (status == SAHM_OK)
		status = check_version(link, &words, err);
	redis_words_release(&words);
	return status;
}
