#include "sim/queue/redis_link.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/clean.h"
#include "sim/base/clock.h"
#include "sim/base/number.h"
#include "sim/queue/redis_link_internal.h"

#define DEFAULT_CONNECT_MS 5000u
#define DEFAULT_REPLY_MS 10000u

/* The first whose XAUTOCLAIM leaves out entries that are gone, and whose scripts pass on the errors of commands. */
#define OLDEST_MAJOR 7u

/* Of what a server says, so much is shown: of an error, of a refused login, of its version. */
#define MAX_SAID 500
#define MAX_REFUSAL 300
#define MAX_VERSION 32

/* A buffer that has grown further is given back when it has been sent. */
#define KEPT_BUFFER ((size_t)1 << 20)

unsigned redis_pause_ms(unsigned nr_failures, uint64_t noise)
{
	uint64_t pause = REDIS_LONGEST_PAUSE_MS;
	if (nr_failures < 16 && (uint64_t)REDIS_FIRST_PAUSE_MS << nr_failures < pause)
		pause = (uint64_t)REDIS_FIRST_PAUSE_MS << nr_failures;
	return (unsigned)(pause - noise % (pause / 2 + 1));
}

/* So that those who lost the same server do not come back all at once; nothing that is simulated depends on it. */
static uint64_t make_noise(uint64_t now_ns)
{
	uint64_t x = now_ns ^ (uint64_t)getpid() << 40;
	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return x >> 32;
}

/* Closes the connection, for the reason in link->last, and sets when to try again. */
static void drop(struct redis_link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
	reply_reader_free(link->reader);
	link->reader = NULL;
	textbuf_release(&link->out);
	link->nr_awaited = 0;
	link->error[0] = '\0';
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	link->next_try_ns = now + redis_pause_ms(link->nr_failures, make_noise(now)) * NS_PER_MS;
}

/* The connection is lost, or none is there, for the reason in link->last. */
static enum sahm_status fail_as_last(const struct redis_link *link, struct sahm_err *err)
{
	return sahm_fail(err, link->last.status, "%s", link->last.msg);
}

/* Ends a connection that failed with `status`, for the reason in link->last: to callers there is no connection. */
static enum sahm_status lose(struct redis_link *link, enum sahm_status status, struct sahm_err *err)
{
	drop(link);
	link->last.status = status == SAHM_NOMEM ? SAHM_NOMEM : SAHM_IO;
	return fail_as_last(link, err);
}

/* Appends a command to those that wait to be sent. */
static enum sahm_status put(struct redis_link *link, const struct redis_words *words, struct sahm_err *err)
{
	if (redis_words_failed(words))
		return sahm_fail_nomem(err);
	redis_words_write(words, &link->out);
	if (textbuf_failed(&link->out))
		return sahm_fail_nomem(err);
	link->nr_awaited++;
	return SAHM_OK;
}

static struct deadline deadline_of(const struct redis_link *link, uint64_t ms)
{
	return deadline_after_ms(ms, link->go_on, link->ctx);
}

static enum sahm_status no_answer(const struct redis_link *link, const char *why, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_IO, "the connection to the Redis server '%s' is lost: %s", link->name, why);
}

/* Sends what waits. */
static enum sahm_status flush(struct redis_link *link, unsigned ms, struct sahm_err *err)
{
	/* The more there is, the longer it may take. */
	struct deadline p = deadline_of(link, ms * (1 + (uint64_t)(link->out.len >> 20)));
	for (size_t sent = 0; sent < link->out.len;) {
		ssize_t nr = send(link->fd, link->out.text + sent, link->out.len - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (nr > 0)
			sent += (size_t)nr;
		else if (nr < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			return no_answer(link, strerror(errno), err);
		else if (!redis_socket_wait(link->fd, POLLOUT, &p))
			return no_answer(link, "it takes nothing any more", err);
	}
	if (link->out.room > KEPT_BUFFER)
		textbuf_release(&link->out);
	link->out.len = 0;
	return SAHM_OK;
}

static enum sahm_status explain(const struct redis_link *link, enum reply_fault fault, struct sahm_err *err)
{
	switch (fault) {
	case REPLY_MALFORMED:
		return sahm_fail(err, SAHM_FORMAT, "the Redis server '%s' sent something that is not a reply",
				 link->name);
	case REPLY_TOO_LARGE:
		return sahm_fail(err, SAHM_FORMAT, "a reply of the Redis server '%s' is too large", link->name);
	case REPLY_NO_MEMORY:
		return sahm_fail_nomem(err);
	default:
		return SAHM_OK;
	}
}

/* Sends what waits, and reads a reply. A failure does not end the connection yet: its status says what it was, SAHM_IO,
 * SAHM_FORMAT (no reply, or too large) or SAHM_NOMEM. */
static enum sahm_status get(struct redis_link *link, unsigned ms, struct reply **reply, struct sahm_err *err)
{
	char bytes[REPLY_PIECE];
	*reply = NULL;
	enum sahm_status status = flush(link, ms, err);
	if (status != SAHM_OK)
		return status;
	struct deadline p = deadline_of(link, ms);
	for (;;) {
		enum reply_fault fault = reply_reader_next(link->reader, reply);
		if (fault != REPLY_FINE)
			return explain(link, fault, err);
		if (*reply)
			break;
		if (!redis_socket_wait(link->fd, POLLIN, &p))
			return no_answer(link, "it does not answer in time", err);
		ssize_t nr = recv(link->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (nr == 0)
			return no_answer(link, "it has closed it", err);
		if (nr < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			return no_answer(link, strerror(errno), err);
		if (nr > 0 && reply_reader_feed(link->reader, bytes, (size_t)nr) != REPLY_FINE)
			return sahm_fail_nomem(err);
	}
	link->nr_awaited--;
	return SAHM_OK;
}

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
	enum sahm_status status = put(link, words, err);
	*reply = NULL;
	if (status == SAHM_OK)
		status = get(link, link->options.connect_ms, reply, err);
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
				   r->len < MAX_REFUSAL ? (int)r->len : MAX_REFUSAL, r->bytes);
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

/* A number at *at, which is moved past it; false if there is none. */
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

/* Logs in, chooses the database, and makes sure that it is a Redis server that will do. Fails as redis_link_open(). */
static enum sahm_status log_in(struct redis_link *link, struct sahm_err *err)
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

/* A new connection, with all that belongs to one. */
static enum sahm_status connect_anew(struct redis_link *link, struct sahm_err *err)
{
	struct deadline p = deadline_of(link, link->options.connect_ms);
	enum sahm_status status = redis_socket_open(&link->fd, &link->url, link->name, &p, err);
	if (status != SAHM_OK)
		return status;
	link->reader = reply_reader_new();
	return link->reader ? log_in(link, err) : sahm_fail_nomem(err);
}

enum sahm_status redis_link_try(struct redis_link *link, struct sahm_err *err)
{
	if (link->fd >= 0)
		return SAHM_OK;
	if (link->left || clock_ns(CLOCK_MONOTONIC) < link->next_try_ns)
		return fail_as_last(link, err);
	if (connect_anew(link, &link->last) == SAHM_OK) {
		link->nr_failures = 0;
		link->nr_connections++;
		return SAHM_OK;
	}
	drop(link);
	link->nr_failures++;
	return fail_as_last(link, err);
}

/* The server has closed the connection, or says what nobody asked for. */
static enum sahm_status check_silence(struct redis_link *link, struct sahm_err *err)
{
	char byte;
	if (!reply_reader_is_empty(link->reader))
		return sahm_fail(err, SAHM_IO, "the Redis server '%s' sent more than it was asked for", link->name);
	ssize_t nr = recv(link->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	if (nr > 0)
		return sahm_fail(err, SAHM_IO, "the Redis server '%s' sent more than it was asked for", link->name);
	if (nr == 0)
		return no_answer(link, "it has closed it", err);
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? SAHM_OK
									 : no_answer(link, strerror(errno), err);
}

enum sahm_status redis_link_send(struct redis_link *link, const struct redis_words *words, struct sahm_err *err)
{
	if (redis_words_failed(words)) {
		/* What was sent before would wait for the rest: a transaction that never ends. */
		sahm_fail_nomem(&link->last);
		return link->nr_awaited > 0 ? lose(link, SAHM_NOMEM, err) : sahm_fail_nomem(err);
	}
	enum sahm_status status = redis_link_try(link, err);
	if (status != SAHM_OK)
		return status;
	if (link->nr_awaited == 0)
		status = check_silence(link, &link->last);
	if (status == SAHM_OK)
		status = put(link, words, &link->last);
	return status == SAHM_OK ? SAHM_OK : lose(link, status, err);
}

/* First word of an error, or as much of it as there is room for. */
static void remember_error(struct redis_link *link, const struct reply *reply)
{
	size_t len = strcspn(reply->bytes, " ");
	len = len < sizeof(link->error) ? len : sizeof(link->error) - 1;
	memcpy(link->error, reply->bytes, len);
	link->error[len] = '\0';
	clean_text(link->error);
}

static enum sahm_status receive(struct redis_link *link, unsigned ms, struct reply **reply, struct sahm_err *err)
{
	*reply = NULL;
	if (link->fd < 0)
		return fail_as_last(link, err);
	if (link->nr_awaited == 0)
		return sahm_fail(err, SAHM_IO, "no reply of the Redis server '%s' is expected", link->name);
	enum sahm_status status = get(link, ms ? ms : link->options.reply_ms, reply, &link->last);
	if (status != SAHM_OK)
		return lose(link, status, err);
	if ((*reply)->kind == REPLY_ERROR)
		remember_error(link, *reply);
	return SAHM_OK;
}

enum sahm_status redis_link_receive(struct redis_link *link, struct reply **reply, struct sahm_err *err)
{
	return receive(link, 0, reply, err);
}

enum sahm_status redis_link_call(struct redis_link *link, const struct redis_words *words, unsigned reply_ms,
				 struct reply **reply, struct sahm_err *err)
{
	struct reply *got = NULL;
	if (reply)
		*reply = NULL;
	enum sahm_status status = redis_link_send(link, words, err);
	if (status != SAHM_OK)
		return status;
	/* Replies to what was sent before, and given up. */
	do {
		reply_free(got);
		status = receive(link, reply_ms, &got, err);
	} while (status == SAHM_OK && link->nr_awaited > 0);
	if (status == SAHM_OK && got->kind == REPLY_ERROR && strcmp(redis_link_error(link), "OOM") == 0)
		status = sahm_fail(
			err, SAHM_TOOL,
			"the Redis server '%s' has no room left (OOM, its maxmemory): give it more, or collect the "
			"results that wait on it; the same command then goes on",
			link->name);
	else if (status == SAHM_OK && got->kind == REPLY_ERROR)
		status = sahm_fail(err, SAHM_TOOL, "the Redis server '%s' refuses %.*s: %.*s", link->name,
				   (int)words->ends[0], words->bytes.text,
				   got->len < MAX_SAID ? (int)got->len : MAX_SAID, got->bytes);
	if (status == SAHM_OK && reply)
		*reply = got;
	else
		reply_free(got);
	return status;
}

enum sahm_status redis_link_script(struct redis_link *link, const struct redis_script *script,
				   const struct redis_words *words, struct reply **reply, struct sahm_err *err)
{
	struct sahm_err why;
	enum sahm_status status = redis_link_call(link, words, 0, reply, &why);
	if (status == SAHM_TOOL)
		return sahm_fail(err, status, "script '%s': %s", script->name, why.msg);
	return status == SAHM_OK ? SAHM_OK : sahm_fail(err, status, "%s", why.msg);
}

const char *redis_link_error(const struct redis_link *link)
{
	return link->error;
}

bool redis_link_is_up(const struct redis_link *link)
{
	return link->fd >= 0;
}

void redis_link_ask(struct redis_link *link, bool (*go_on)(void *ctx), void *ctx)
{
	link->go_on = go_on;
	link->ctx = ctx;
}

enum sahm_status redis_link_wait(struct redis_link *link, bool (*go_on)(void *ctx), void *ctx, struct sahm_err *err)
{
	enum sahm_status status;
	redis_link_ask(link, go_on, ctx);
	while ((status = redis_link_try(link, err)) == SAHM_IO && !link->left) {
		struct deadline p = {link->next_try_ns, go_on, ctx};
		redis_socket_wait(-1, 0, &p);
		if (!go_on(ctx))
			break;
	}
	redis_link_ask(link, NULL, NULL);
	return status;
}

uint64_t redis_link_nr_connections(const struct redis_link *link)
{
	return link->nr_connections;
}

const char *redis_link_name(const struct redis_link *link)
{
	return link->name;
}

static const char *copy(struct redis_link *link, const char *text, bool *failed)
{
	const char *copied = text ? arena_strdup(&link->arena, text) : NULL;
	*failed |= text && !copied;
	return copied;
}

static bool copy_url(struct redis_link *link, const struct redis_url *url)
{
	bool failed = false;
	struct textbuf name;
	link->url = (struct redis_url){copy(link, url->host, &failed), copy(link, url->user, &failed),
				       copy(link, url->password, &failed), url->port, url->database};
	textbuf_init(&name);
	textbuf_printf(&name, strchr(url->host, ':') ? "[%s]:%u" : "%s:%u", url->host, (unsigned)url->port);
	link->name = copy(link, name.text, &failed);
	failed |= textbuf_failed(&name);
	textbuf_release(&name);
	return !failed;
}

enum sahm_status redis_link_open(struct redis_link **link, const struct redis_url *url,
				 const struct redis_link_options *options, struct sahm_err *err)
{
	if (!redis_is_built_in())
		return sahm_fail(err, SAHM_TOOL, "this program was built without hiredis, and cannot speak to Redis");
	struct redis_link *l = calloc(1, sizeof(*l));
	if (!l)
		return sahm_fail_nomem(err);
	l->fd = -1;
	arena_init(&l->arena);
	textbuf_init(&l->out);
	l->options.connect_ms = options && options->connect_ms ? options->connect_ms : DEFAULT_CONNECT_MS;
	l->options.reply_ms = options && options->reply_ms ? options->reply_ms : DEFAULT_REPLY_MS;
	enum sahm_status status = copy_url(l, url) ? redis_link_try(l, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK)
		redis_link_free(l);
	else
		*link = l;
	return status;
}

void redis_link_leave(struct redis_link *link)
{
	drop(link);
	link->left = true;
	sahm_fail(&link->last, SAHM_IO, "the connection to the Redis server '%s' is another process's", link->name);
}

void redis_link_free(struct redis_link *link)
{
	if (!link)
		return;
	drop(link);
	arena_release(&link->arena);
	free(link);
}
