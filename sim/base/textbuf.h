/* Growing text buffer.
 *
 * A failed allocation is remembered instead of reported at every call: the buffer stays empty from then on, and
 * textbuf_failed() tells at the end. Caller storage: textbuf_init() and textbuf_release().
 */
#ifndef SAHM_SIM_BASE_TEXTBUF_H
#define SAHM_SIM_BASE_TEXTBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/base/err.h"

struct arena;

struct textbuf {
	char *text; /* NUL-terminated; never NULL */
	size_t len, room;
	bool failed;
};

void textbuf_init(struct textbuf *b);
void textbuf_release(struct textbuf *b);

/* Releases `b`, whose text is part of `whole`: that has failed, too, if `b` had. */
void textbuf_release_part(struct textbuf *b, struct textbuf *whole);

/* The text, to be freed by the caller (free()), and an empty buffer; NULL when nothing was ever added, or that failed.
 */
char *textbuf_detach(struct textbuf *b);

/* The text, copied to `a`; releases `b`. NULL when memory is short. */
char *textbuf_keep(struct textbuf *b, struct arena *a);

bool textbuf_failed(const struct textbuf *b);

void textbuf_add(struct textbuf *b, const char *bytes, size_t len);

/* Appends `len` bytes that the caller writes before the next call; NULL when memory is short. */
char *textbuf_extend(struct textbuf *b, size_t len);

void textbuf_puts(struct textbuf *b, const char *text);

/* Appends a name or a value from outside for people to read: as clean_text() leaves it. */
void textbuf_label(struct textbuf *b, const char *text);

void textbuf_putc(struct textbuf *b, char c);
void textbuf_printf(struct textbuf *b, const char *fmt, ...) SAHM_PRINTF(2, 3);

#endif
