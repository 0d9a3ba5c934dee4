/* What tests of tables ask: lines, with their blanks squeezed. */
#ifndef SAHM_TESTS_UNIT_RESULTS_STUDIES_TABLE_LINES_H
#define SAHM_TESTS_UNIT_RESULTS_STUDIES_TABLE_LINES_H

#include <string.h>

#include "sim/base/textbuf.h"
#include "tests/unit/test.h"

/* Runs of blanks within a line become one, so that only the words count; those at its beginning stay. */
static inline void squeeze(struct textbuf *b)
{
	size_t len = 0;
	for (size_t i = 0; i < b->len; i++)
		if (b->text[i] != ' ' || (len > 0 && b->text[len - 1] != ' '))
			b->text[len++] = b->text[i];
	b->text[len] = '\0';
	b->len = len;
}

static inline void expect_lines(const struct textbuf *out, const char *const *lines)
{
	for (; *lines; lines++) {
		const char *at = strstr(out->text, *lines);
		if (!at || (at > out->text && at[-1] != '\n'))
			fail_msg("'%s' is not in\n%s", *lines, out->text);
	}
}

static inline unsigned nr_lines(const struct textbuf *out)
{
	unsigned nr = 0;
	for (size_t i = 0; i < out->len; i++)
		nr += out->text[i] == '\n';
	return nr;
}

#endif
