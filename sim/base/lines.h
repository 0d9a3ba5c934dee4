/* Reading text line by line, in bounded memory, with line numbers. */
#ifndef SAHM_SIM_BASE_LINES_H
#define SAHM_SIM_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/base/err.h"

/* Longest line, without its end. */
#define MAX_LINE_CHARS 65535

/* Bytes from a line's closing NUL on that may be read, whatever they are. */
#define LINE_SLACK 8u

struct line_reader {
	FILE *stream;	  /* the caller's */
	const char *file; /* for messages; the caller's */
	unsigned line;	  /* number of the line last read, from 1 */
	char *text;	  /* that line, NUL-terminated, without its end (\n or \r\n); valid until the next call */
	size_t len;
	bool ended; /* whether it had an end: the last line of a file that was cut short has none */
	char *buf;
	size_t start, end; /* unread bytes in buf */
	size_t nul;	   /* place in buf of the first NUL byte that was read; `end` without one */
	bool eof;
};

/* Begins to read `stream`; SAHM_NOMEM, and nothing to release then. A byte order mark at its start is skipped. */
enum sahm_status line_reader_init(struct line_reader *r, FILE *stream, const char *file, struct sahm_err *err);

void line_reader_release(struct line_reader *r);

/* Reads the next line into r->text and r->len; *more is false when there is none. SAHM_FORMAT for a line that is too
 * long or holds a NUL byte, SAHM_IO when reading fails. */
enum sahm_status line_reader_next(struct line_reader *r, bool *more, struct sahm_err *err);

/* The first bytes of the stream, as many as there are up to MAX_LINE_CHARS, before any line is read: *text is not
 * NUL-terminated and valid until the next call. SAHM_IO when reading fails. */
enum sahm_status line_reader_head(struct line_reader *r, const char **text, size_t *len, struct sahm_err *err);

/* Fails with SAHM_FORMAT at the line last read. */
enum sahm_status line_reader_fail(const struct line_reader *r, struct sahm_err *err, const char *fmt, va_list ap);

/* Takes the next field off a row of fields with commas between, in place: what stands before the comma, without blanks
 * and double quotes around it, NUL-terminated, *len bytes. *rest is the next part, NULL after the last field. */
char *line_next_field(char **rest, size_t *len);

#endif
