/* What a text that a test has made has in it. */
#ifndef SAHM_TESTS_UNIT_TEXT_PARTS_H
#define SAHM_TESTS_UNIT_TEXT_PARTS_H

#include <stdio.h>
#include <string.h>

#include "sim/base/textbuf.h"
#include "tests/unit/test.h"

static inline void check_part(const struct textbuf *text, const char *part, bool wanted)
{
	assert_false(textbuf_failed(text));
	if ((strstr(text->text, part) != NULL) == wanted)
		return;
	/* Longer than what cmocka prints. */
	fprintf(stderr, "'%s' is%s in:\n%s\n", part, wanted ? " not" : "", text->text);
	fail();
}

static inline void has(const struct textbuf *text, const char *part)
{
	check_part(text, part, true);
}

static inline void has_not(const struct textbuf *text, const char *part)
{
	check_part(text, part, false);
}

#endif
