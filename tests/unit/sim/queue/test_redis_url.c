/* URLs of Redis servers: accepted and refused addresses, and that no password gets into a message. */
#include "sim/queue/redis_url.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static void expect_text(const char *name, const char *what, const char *got, const char *expected)
{
	if ((got == NULL) != (expected == NULL) || (got && strcmp(got, expected) != 0))
		fail_msg("%s: %s is '%s', not '%s'", name, what, got ? got : "(none)", expected ? expected : "(none)");
}

static void test_read(void **state)
{
	static const struct {
		const char *name, *text, *host, *user, *password;
		unsigned port, database;
		const char *written;
	} rows[] = {
		{"host alone", "redis://h", "h", NULL, NULL, 6379, 0, "redis://h:6379/0"},
		{"letter case", "REDIS://Host.Example", "Host.Example", NULL, NULL, 6379, 0,
		 "redis://Host.Example:6379/0"},
		{"slash without database", "redis://h/", "h", NULL, NULL, 6379, 0, "redis://h:6379/0"},
		{"port", "redis://h:1", "h", NULL, NULL, 1, 0, "redis://h:1/0"},
		{"highest port", "redis://h:65535/", "h", NULL, NULL, 65535, 0, "redis://h:65535/0"},
		{"database", "redis://h/7", "h", NULL, NULL, 6379, 7, "redis://h:6379/7"},
		{"highest database", "redis://h/65535", "h", NULL, NULL, 6379, 65535, "redis://h:6379/65535"},
		{"IPv4", "redis://10.0.0.1:80/2", "10.0.0.1", NULL, NULL, 80, 2, "redis://10.0.0.1:80/2"},
		{"IPv6", "redis://[::1]", "::1", NULL, NULL, 6379, 0, "redis://[::1]:6379/0"},
		{"IPv6, all of it", "redis://u:p@[fe80::1:2]:81/3", "fe80::1:2", "u", "p", 81, 3,
		 "redis://u@[fe80::1:2]:81/3"},
		{"user alone", "redis://me@h", "h", "me", NULL, 6379, 0, "redis://me@h:6379/0"},
		{"password alone", "redis://:secret@h", "h", NULL, "secret", 6379, 0, "redis://h:6379/0"},
		{"both", "redis://me:secret@h:80/1", "h", "me", "secret", 80, 1, "redis://me@h:80/1"},
		{"nothing in front of @", "redis://@h", "h", NULL, NULL, 6379, 0, "redis://h:6379/0"},
		{"colon in the password", "redis://me:a:b@h", "h", "me", "a:b", 6379, 0, "redis://me@h:6379/0"},
		{"encoded", "redis://m%40e:%2f%3A%25%c3%a4@h", "h", "m@e", "/:%\xc3\xa4", 6379, 0,
		 "redis://m%40e@h:6379/0"},
		{"other bytes", "redis://\xc3\xa4:\xff@h", "h", "\xc3\xa4", "\xff", 6379, 0, "redis://%C3%A4@h:6379/0"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a;
		struct redis_url url;
		struct sahm_err err;
		struct textbuf out;
		arena_init(&a);
		textbuf_init(&out);
		if (redis_url_read(&url, rows[i].text, &a, &err) != SAHM_OK)
			fail_msg("%s: %s", rows[i].name, err.msg);
		expect_text(rows[i].name, "host", url.host, rows[i].host);
		expect_text(rows[i].name, "user", url.user, rows[i].user);
		expect_text(rows[i].name, "password", url.password, rows[i].password);
		if (url.port != rows[i].port || url.database != rows[i].database)
			fail_msg("%s: port %u, database %u", rows[i].name, (unsigned)url.port, (unsigned)url.database);
		redis_url_write(&url, &out);
		expect_text(rows[i].name, "what is shown", out.text, rows[i].written);
		textbuf_release(&out);
		arena_release(&a);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *name, *text, *message;
	} rows[] = {
		{"TLS", "rediss://me:secret@h",
		 "rediss:// cannot be used: the library that sahm is built with has no TLS"},
		{"TLS, letter case", "RedisS://h", "no TLS"},
		{"other scheme", "http://secret@h", "'http://' is not the scheme"},
		{"longer scheme", "redisss://secret@h", "did you mean 'redis://'?"},
		{"shorter scheme", "redi://secret@h", "did you mean 'redis://'?"},
		{"no scheme", "secret@h:6379", "no redis:// in front"},
		{"no scheme, with port", "h:6379", "no redis:// in front"},
		{"one slash", "redis:/h", "no redis:// in front"},
		{"scheme of many letters", "secretsecretsecretsecretsecretsecret://h", "no redis:// in front"},
		{"nothing", "", "no redis:// in front"},
		{"nothing behind the scheme", "redis://", "there is no host"},
		{"no host, but a port", "redis://:6379", "there is no host"},
		{"no host, but a login", "redis://me:secret@", "there is no host"},
		{"no host, but a database", "redis:///1", "there is no host"},
		{"forgotten host", "redis://me:secret", "the port is not a number"},
		{"host with a blank", "redis://a secret/1", "a character stands in the host"},
		{"host with a control character", "redis://a\nb", "a character stands in the host"},
		{"host with %XX", "redis://a%41", "a character stands in the host"},
		{"port 0", "redis://h:0", "the port is not a number from 1 to 65535"},
		{"port above", "redis://h:65536", "the port is not a number from 1 to 65535"},
		{"port far above", "redis://h:99999999999999999999999", "the port is not a number"},
		{"port missing", "redis://h:", "the port is not a number"},
		{"port with a sign", "redis://h:+80", "the port is not a number"},
		{"port with more", "redis://h:80x", "the port is not a number"},
		{"database above", "redis://h/65536", "the database is not a number from 0 to 65535"},
		{"database below", "redis://h/-1", "the database is not a number"},
		{"database with more", "redis://h/1secret", "the database is not a number"},
		{"slash behind the database", "redis://h/1/", "the database is not a number"},
		{"query", "redis://h/1?password=secret", "have no meaning"},
		{"query without database", "redis://h?db=1", "have no meaning"},
		{"query behind the port", "redis://h:80?db=1", "have no meaning"},
		{"fragment", "redis://h/#secret", "have no meaning"},
		{"IPv6 without brackets", "redis://fe80::1", "has to stand in brackets"},
		{"IPv6 without its end", "redis://[::1", "a \"]\" is missing"},
		{"IPv6 that is none", "redis://[1.2.3.4]", "no IPv6 address stands in the brackets"},
		{"IPv6 with a zone", "redis://[fe80::1%25eth0]", "no IPv6 address"},
		{"IPv6 with nothing", "redis://[]", "no IPv6 address"},
		{"IPv6 and more", "redis://[::1]secret", "extra text after the address"},
		{"%XX cut off", "redis://:secret%4@h", "no two hexadecimal digits follow"},
		{"%XX at the end", "redis://:secret%@h", "no two hexadecimal digits follow"},
		{"%XX of other letters", "redis://:secret%4g@h", "no two hexadecimal digits follow"},
		{"%XX with a sign", "redis://:secret%+4@h", "no two hexadecimal digits follow"},
		{"NUL", "redis://:secret%00@h", "a NUL"},
		{"slash in the password", "redis://:sec/ret@h", "written as %XX"},
		{"@ in the password", "redis://:sec@ret@h", "written as %XX"},
		{"? in the password", "redis://:sec?ret@h", "written as %XX"},
		{"# in the user", "redis://sec#ret:x@h", "written as %XX"},
		{"bracket in the password", "redis://:[secret]@h", "written as %XX"},
		{"blank in the password", "redis://:sec ret@h", "written as %XX"},
		{"control character in the password", "redis://:sec\tret@h", "written as %XX"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a;
		struct redis_url url = {.host = "untouched"};
		struct sahm_err err;
		arena_init(&a);
		if (redis_url_read(&url, rows[i].text, &a, &err) != SAHM_USAGE)
			fail_msg("%s is not refused", rows[i].name);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("%s: '%s'", rows[i].name, err.msg);
		if (strstr(err.msg, "sec") || strstr(err.msg, "ret@"))
			fail_msg("%s shows a password: '%s'", rows[i].name, err.msg);
		assert_string_equal(url.host, "untouched");
		arena_release(&a);
	}
}

static void test_hosts_of_any_length(void **state)
{
	char text[300] = "redis://";
	struct arena a;
	struct redis_url url;
	(void)state;
	for (size_t len = 252; len <= 254; len++) {
		memset(text + 8, 'h', len);
		text[8 + len] = '\0';
		arena_init(&a);
		assert_int_equal(redis_url_read(&url, text, &a, NULL), len <= 253 ? SAHM_OK : SAHM_USAGE);
		arena_release(&a);
	}
}

/* The environment's password is for URLs that have none. */
static void test_environment(void **state)
{
	static const struct {
		const char *name, *text, *variable, *password;
	} rows[] = {
		{"not set", "redis://h", NULL, NULL},
		{"empty", "redis://h", "", NULL},
		{"set", "redis://h", "from outside", "from outside"},
		{"as it is", "redis://h", "%41/@", "%41/@"},
		{"with a user", "redis://me@h", "from outside", "from outside"},
		{"beside another", "redis://:own@h", "from outside", "own"},
		{"beside an empty one", "redis://me:@h", "from outside", "from outside"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a;
		struct redis_url url;
		arena_init(&a);
		if (rows[i].variable)
			setenv(REDIS_PASSWORD_VARIABLE, rows[i].variable, 1);
		assert_int_equal(redis_url_read(&url, rows[i].text, &a, NULL), SAHM_OK);
		unsetenv(REDIS_PASSWORD_VARIABLE);
		expect_text(rows[i].name, "password", url.password, rows[i].password);
		arena_release(&a);
	}
}

TEST_FILE(test_redis_url)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_hosts_of_any_length),
		cmocka_unit_test(test_environment),
	};
	unsetenv(REDIS_PASSWORD_VARIABLE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
