/* A small schema for tests of configurations, and reading that must succeed. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_SIM_BASE_CFG_CASES_H
#define SAHM_TESTS_UNIT_SIM_BASE_CFG_CASES_H

#include <stdlib.h>
#include <string.h>

#include "sim/base/cfg.h"
#include "tests/unit/test.h"

#define KEY(...) CFG_KEY_ROW(__COUNTER__, __VA_ARGS__)
static const struct cfg_key keys[] = {
	KEY("n", CFG_INT, "apples", "7", -5, 100, "") KEY("x", CFG_NUMBER, "ms", "0.5", -10, 10, "")
		KEY("word", CFG_STRING, "", "none", 0, 0, "") KEY("flag", CFG_BOOL, "", "true", 0, 0, "") KEY(
			"values", CFG_NUMBER | CFG_ARRAY, "", "", 0, 1000,
			"") KEY("group", CFG_GROUP, "", "", 0, 0, "") KEY("group.inner", CFG_INT, "", "", 0, 100, "")
			KEY("group.deep", CFG_GROUP, "", "", 0, 0, "") KEY("group.deep.name", CFG_STRING, "", "", 0, 0,
									   "") KEY("items", CFG_LIST, "", "", 0, 0, "")
				KEY("items[]", CFG_GROUP | CFG_STRING, "", "", 0, 0, "")
					KEY("items[].count", CFG_INT, "", "", 0, 100, "")
						KEY("items[].kind", CFG_STRING, "", "", 0, 0, "")
							KEY("grid", CFG_LIST, "", "", 0, 0, "")
								KEY("grid[]", CFG_LIST, "", "", 0, 0, "")
									KEY("grid[][]", CFG_INT, "", "", 0, 100, "")};

#define NR_KEYS ARRAY_SIZE(keys)

static const struct sahm_err untouched = {.msg = "untouched"};

static inline const struct cfg_key *key(const char *path)
{
	for (size_t i = 0; i < NR_KEYS; i++)
		if (strcmp(keys[i].path, path) == 0)
			return &keys[i];
	fail_msg("no key '%s'", path);
	return NULL;
}

static inline struct cfg_node *must_read(struct arena *a, const char *text)
{
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	if (cfg_read_text(a, "t.cfg", text, strlen(text), &root, &err) != SAHM_OK)
		fail_msg("%.200s: %s", text, err.msg);
	assert_string_equal(err.msg, "untouched");
	return root;
}

/* Message for an integer that is too large. */
#define TOO_WIDE " overflows: it does not fit 32 bits (write larger ones with an L: 3000000000L)"

/* The same of one that may be too large for that, too. */
#define FAR_TOO_WIDE " overflows: it does not fit 32 bits"

/* `count` times `c` between two texts; the caller frees it. */
static inline char *repeat(const char *before, char c, size_t count, const char *after)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, before);
	for (size_t i = 0; i < count; i++)
		textbuf_putc(&b, c);
	textbuf_puts(&b, after);
	return b.text;
}

#endif
