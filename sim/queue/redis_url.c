#include "sim/queue/redis_url.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/number.h"

/* As a domain name has them. */
#define MAX_HOST_BYTES 253u

#define FORM "redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]"

/* Messages quote nothing but the scheme: where a URL is wrong, any other part of it may be the password. */
static enum sahm_status fail(struct sahm_err *err, const char *what)
{
	return sahm_fail(err, SAHM_USAGE, "in the URL of the Redis server %s; its form is " FORM, what);
}

/* Length of the scheme at the beginning of `text`, which "://" follows; 0: there is none. */
static size_t scheme_len(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
	return strncmp(text + len, "://", 3) == 0 ? len : 0;
}

static bool is_scheme(const char *text, size_t len, const char *scheme)
{
	return len == strlen(scheme) && strncasecmp(text, scheme, len) == 0;
}

static enum sahm_status check_scheme(const char *text, const char **rest, struct sahm_err *err)
{
	size_t len = scheme_len(text);
	*rest = text + len + strlen("://");
	if (is_scheme(text, len, "redis"))
		return SAHM_OK;
	if (is_scheme(text, len, "rediss"))
		return sahm_fail(err, SAHM_USAGE,
				 "rediss:// cannot be used: the library that sahm is built with has no TLS; give the "
				 "redis:// URL of the near end of a tunnel, as by stunnel or ssh -L");
	if (len == 0 || len > 32)
		return fail(err, "there is no redis:// in front");
	return sahm_fail(err, SAHM_USAGE,
			 "'%.*s://' is not the scheme of a Redis server that can be used; did you mean 'redis://'? "
			 "The form is " FORM,
			 (int)len, text);
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The `len` bytes at `text` without %XX; NULL where nothing stands. */
static enum sahm_status decode(const char **decoded, const char *text, size_t len, struct arena *a,
			       struct sahm_err *err)
{
	*decoded = NULL;
	if (len == 0)
		return SAHM_OK;
	char *out = arena_alloc(a, len + 1, 1);
	size_t nr = 0;
	if (!out)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c <= ' ' || c == 0x7f || strchr("/?#@[]", text[i]))
			return fail(err, "a character in user or password has to be written as %XX (\"/\" as %2F, "
					 "\"@\" as %40)");
		if (c == '%') {
			int high = i + 1 < len ? hex_digit(text[i + 1]) : -1;
			int low = i + 2 < len ? hex_digit(text[i + 2]) : -1;
			if (high < 0 || low < 0)
				return fail(err, "no two hexadecimal digits follow a \"%\" (itself written as %25)");
			c = (unsigned char)(high * 16 + low);
			if (c == 0)
				return fail(err, "a NUL (%00) stands in user or password");
			i += 2;
		}
		out[nr++] = (char)c;
	}
	*decoded = out;
	return SAHM_OK;
}

static enum sahm_status read_login(struct redis_url *url, const char *text, size_t len, struct arena *a,
				   struct sahm_err *err)
{
	const char *colon = memchr(text, ':', len);
	size_t user_len = colon ? (size_t)(colon - text) : len;
	enum sahm_status status = decode(&url->user, text, user_len, a, err);
	if (status == SAHM_OK && colon)
		status = decode(&url->password, colon + 1, len - user_len - 1, a, err);
	return status;
}

static enum sahm_status read_host(struct redis_url *url, const char *text, size_t len, struct arena *a,
				  struct sahm_err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
	if (len == 0)
		return fail(err, "there is no host");
	if (len > MAX_HOST_BYTES)
		return fail(err, "the host is too long");
	if (strspn(text, allowed) < len)
		return fail(err, "a character stands in the host that no host has");
	url->host = arena_strndup(a, text, len);
	return url->host ? SAHM_OK : sahm_fail_nomem(err);
}

/* An address in brackets, of which `text` is the first; *len: of all that. */
static enum sahm_status read_address(struct redis_url *url, const char *text, size_t *len, struct arena *a,
				     struct sahm_err *err)
{
	struct in6_addr address;
	const char *end = strchr(text, ']');
	if (!end)
		return fail(err, "a \"]\" is missing");
	*len = (size_t)(end - text) + 1;
	url->host = arena_strndup(a, text + 1, *len - 2);
	if (!url->host)
		return sahm_fail_nomem(err);
	return inet_pton(AF_INET6, url->host, &address) == 1 ? SAHM_OK
							     : fail(err, "no IPv6 address stands in the brackets");
}

static bool read_number(const char *text, size_t len, uint64_t min, uint64_t max, uint64_t *value)
{
	return number_read_u64(text, len, value) == NUMBER_OK && *value >= min && *value <= max;
}

/* The part after user and password. */
static enum sahm_status read_place(struct redis_url *url, const char *text, struct arena *a, struct sahm_err *err)
{
	uint64_t port = REDIS_DEFAULT_PORT, database = 0;
	size_t len = strcspn(text, ":/?#");
	enum sahm_status status =
		text[0] == '[' ? read_address(url, text, &len, a, err) : read_host(url, text, len, a, err);
	if (status != SAHM_OK)
		return status;
	text += len;
	if (*text == ':') {
		len = strcspn(++text, "/?#");
		if (memchr(text, ':', len))
			return fail(err, "an IPv6 address has to stand in brackets");
		if (!read_number(text, len, 1, UINT16_MAX, &port))
			return fail(err, "the port is not a number from 1 to 65535");
		text += len;
	}
	if (*text == '/') {
		len = strcspn(++text, "?#");
		if (len > 0 && !read_number(text, len, 0, MAX_REDIS_DATABASE, &database))
			return fail(err, "the database is not a number from 0 to 65535");
		text += len;
	}
	_Static_assert(MAX_REDIS_DATABASE == 65535, "as the message has it");
	if (*text)
		return fail(err, *text == '?' || *text == '#' ? "\"?\" and \"#\" have no meaning"
							      : "extra text after the address");
	url->port = (uint16_t)port;
	url->database = (uint32_t)database;
	return SAHM_OK;
}

enum sahm_status redis_url_read(struct redis_url *url, const char *text, struct arena *a, struct sahm_err *err)
{
	const char *rest;
	struct redis_url read = {0};
	enum sahm_status status = check_scheme(text, &rest, err);
	if (status != SAHM_OK)
		return status;
	/* The last one, to tell an '@' inside a password from the one that ends it. */
	const char *at = strrchr(rest, '@');
	if (at)
		status = read_login(&read, rest, (size_t)(at - rest), a, err);
	if (status == SAHM_OK)
		status = read_place(&read, at ? at + 1 : rest, a, err);
	const char *password = getenv(REDIS_PASSWORD_VARIABLE);
	if (status == SAHM_OK && !read.password && password && *password) {
		read.password = arena_strdup(a, password);
		if (!read.password)
			return sahm_fail_nomem(err);
	}
	if (status == SAHM_OK)
		*url = read;
	return status;
}

static void encode(const char *text, struct textbuf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_~";
	for (; *text; text++) {
		if (strchr(plain, *text))
			textbuf_putc(out, *text);
		else
			textbuf_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
	}
}

void redis_url_write(const struct redis_url *url, struct textbuf *out)
{
	textbuf_puts(out, "redis://");
	if (url->user) {
		encode(url->user, out);
		textbuf_putc(out, '@');
	}
	textbuf_printf(out, strchr(url->host, ':') ? "[%s]" : "%s", url->host);
	textbuf_printf(out, ":%u/%u", (unsigned)url->port, (unsigned)url->database);
}
