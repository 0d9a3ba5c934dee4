/* Files of known tools that cannot be imported: named, with a way out, rather than read as a table of odd columns. */
#include <string.h>

#include "sim/base/array.h"
#include "workloads/import/import_internal.h"

enum where { BYTES, FIRST, BEGINS, HOLDS };

static const struct {
	enum where where;
	const char *sign;
	size_t len;
	const char *what, *advice;
} rows[] = {
#define FOREIGN(where, sign, what, advice) {where, sign, sizeof(sign) - 1, what, advice},
#include "workloads/import/import_foreign_list.h"
#undef FOREIGN
};

/* Lines after these are a program's own output, or data. */
#define MAX_LINES 40u

static bool is_sign(size_t row, const char *text, size_t len)
{
	if (rows[row].where == HOLDS)
		return import_line_holds(text, len, rows[row].sign);
	return len >= rows[row].len && memcmp(text, rows[row].sign, rows[row].len) == 0;
}

static enum sahm_status fail(struct import *im, size_t row, unsigned line)
{
	return sahm_fail_at(im->err, SAHM_FORMAT, im->file, line, "this looks like %s; %s", rows[row].what,
			    rows[row].advice);
}

enum sahm_status import_check_bytes(struct import *im, const char *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].where == BYTES && is_sign(i, head, len))
			return fail(im, i, 0);
	return SAHM_OK;
}

enum sahm_status import_check_lines(struct import *im, const char *head, size_t len)
{
	for (unsigned line = 1; len > 0 && line <= MAX_LINES; line++) {
		const char *eol = memchr(head, '\n', len);
		size_t line_len = eol ? (size_t)(eol - head) : len;
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			if (rows[i].where != BYTES && (rows[i].where != FIRST || line == 1) &&
			    is_sign(i, head, line_len))
				return fail(im, i, line);
		line_len += eol != NULL;
		head += line_len;
		len -= line_len;
	}
	return SAHM_OK;
}
