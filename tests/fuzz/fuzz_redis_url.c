/* The input, up to its first NUL, is the URL of a Redis server. Accepted addresses are in bounds, and their text means
 * the same again, except for the password. */
#include "sim/queue/redis_url.h"

#include "tests/fuzz/fuzz.h"

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct redis_url url = {0}, again = {0};
	struct sahm_err err;
	struct textbuf shown;
	char *text = strndup((const char *)data, size);
	MUST(text);
	unsetenv(REDIS_PASSWORD_VARIABLE);
	arena_init(&a);
	textbuf_init(&shown);
	enum sahm_status status = redis_url_read(&url, text, &a, &err);
	if (status == SAHM_OK) {
		MUST(url.host && *url.host && url.port > 0 && url.database <= MAX_REDIS_DATABASE);
		MUST((!url.user || *url.user) && (!url.password || *url.password));
		redis_url_write(&url, &shown);
		MUST(!textbuf_failed(&shown));
		MUST(redis_url_read(&again, shown.text, &a, NULL) == SAHM_OK);
		MUST(is_same(url.host, again.host) && is_same(url.user, again.user) && !again.password);
		MUST(url.port == again.port && url.database == again.database);
	} else {
		MUST(status == SAHM_USAGE);
		must_explain(&err, status, "");
	}
	textbuf_release(&shown);
	arena_release(&a);
	free(text);
	return 0;
}
