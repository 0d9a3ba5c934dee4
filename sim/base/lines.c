#include "sim/base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A line, its end and room for the NUL. */
#define BUF_BYTES ((size_t)MAX_LINE_CHARS + 3)

/* Offset in buf of the first NUL byte from `from` on; `end` when there is none. */
static size_t find_nul(const struct line_reader *r, size_t from)
{
	const char *nul = memchr(r->buf + from, '\0', r->end - from);
	return nul ? (size_t)(nul - r->buf) : r->end;
}

enum sahm_status line_reader_init(struct line_reader *r, FILE *stream, const char *file, struct sahm_err *err)
{
	*r = (struct line_reader){.stream = stream, .file = file, .buf = malloc(BUF_BYTES + LINE_SLACK)};
	return r->buf ? SAHM_OK : sahm_fail_nomem(err);
}

void line_reader_release(struct line_reader *r)
{
	free(r->buf);
	*r = (struct line_reader){0};
}

/* Moves the unread bytes to the front and reads more after them. */
static enum sahm_status fill(struct line_reader *r, struct sahm_err *err)
{
	memmove(r->buf, r->buf + r->start, r->end - r->start);
	r->end -= r->start;
	r->start = 0;
	size_t got = fread(r->buf + r->end, 1, BUF_BYTES - 1 - r->end, r->stream);
	if (got == 0 && ferror(r->stream))
		return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", r->file, strerror(errno));
	if (r->line == 0 && r->end == 0 && got >= 3 && memcmp(r->buf, "\xef\xbb\xbf", 3) == 0)
		r->start = 3;
	r->end += got;
	r->eof = got == 0;
	r->nul = find_nul(r, r->start);
	return SAHM_OK;
}

enum sahm_status line_reader_head(struct line_reader *r, const char **text, size_t *len, struct sahm_err *err)
{
	enum sahm_status status = r->end == r->start && !r->eof ? fill(r, err) : SAHM_OK;
	*text = r->buf + r->start;
	*len = r->end - r->start;
	return status;
}

enum sahm_status line_reader_next(struct line_reader *r, bool *more, struct sahm_err *err)
{
	char *eol;
	for (;;) {
		eol = memchr(r->buf + r->start, '\n', r->end - r->start);
		if (eol || r->eof)
			break;
		if (r->end - r->start > MAX_LINE_CHARS + 1)
			return sahm_fail_at(err, SAHM_FORMAT, r->file, r->line + 1, "line is longer than %d characters",
					    MAX_LINE_CHARS);
		enum sahm_status status = fill(r, err);
		if (status != SAHM_OK)
			return status;
	}
	*more = eol || r->end > r->start;
	if (!*more)
		return SAHM_OK;
	r->line++;
	r->text = r->buf + r->start;
	r->len = eol ? (size_t)(eol - r->text) : r->end - r->start;
	r->start += r->len + (eol != NULL);
	r->ended = eol != NULL;
	if (r->len > 0 && r->text[r->len - 1] == '\r')
		r->len--;
	if (r->len > MAX_LINE_CHARS)
		return sahm_fail_at(err, SAHM_FORMAT, r->file, r->line, "line is longer than %d characters",
				    MAX_LINE_CHARS);
	r->text[r->len] = '\0';
	/* The NUL that ended the line before has taken the place of its end, not of a byte to come. */
	if (r->nul < (size_t)(r->text - r->buf) + r->len)
		return sahm_fail_at(err, SAHM_FORMAT, r->file, r->line, "byte 0x00 does not belong in text");
	return SAHM_OK;
}

enum sahm_status line_reader_fail(const struct line_reader *r, struct sahm_err *err, const char *fmt, va_list ap)
{
	char msg[SAHM_WHOLE_BYTES];
	vsnprintf(msg, sizeof(msg), fmt, ap);
	return sahm_fail_at(err, SAHM_FORMAT, r->file, r->line, "%s", msg);
}

char *line_next_field(char **rest, size_t *len)
{
	char *field = *rest, *comma = strchr(field, ',');
	*rest = comma ? comma + 1 : NULL;
	size_t n = comma ? (size_t)(comma - field) : strlen(field);
	while (n > 0 && (*field == ' ' || *field == '\t'))
		field++, n--;
	while (n > 0 && (field[n - 1] == ' ' || field[n - 1] == '\t'))
		n--;
	if (n >= 2 && field[0] == '"' && field[n - 1] == '"')
		field++, n -= 2;
	field[n] = '\0';
	*len = n;
	return field;
}
