/* Small strict texts: a line that says what they are, then lines `name: value` in a fixed order. Keys and signatures
 * are such texts. Messages never quote them: what is wrong may be a secret. */
#ifndef SAHM_IPU_TRUST_FIELDS_INTERNAL_H
#define SAHM_IPU_TRUST_FIELDS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

struct field_walk {
	const char *file; /* for messages; the caller's */
	const char *text, *at, *end;
	unsigned line; /* number of the line last read, from 1 */
	struct sahm_err *err;
};

/* Begins a walk over `len` bytes. */
void field_walk_init(struct field_walk *w, const char *file, const char *text, size_t len, struct sahm_err *err);

/* Fails with SAHM_FORMAT at the line last read. */
enum sahm_status field_fail(const struct field_walk *w, const char *fmt, ...) SAHM_PRINTF(2, 3);

/* Reads the first line, which must be one of `headers` (NULL at their end): *which is its index. `what` the text is,
 * for messages. */
enum sahm_status field_header(struct field_walk *w, const char *what, const char *const *headers, size_t *which);

/* Skips lines that begin with '#'. */
enum sahm_status field_skip_comments(struct field_walk *w);

/* Reads the line `name: value`. The value, at least one character, is not NUL-terminated. */
enum sahm_status field_value(struct field_walk *w, const char *name, const char **value, size_t *len);

/* The same for a value of exactly `nr_bytes` bytes in hexadecimal digits. */
enum sahm_status field_hex(struct field_walk *w, const char *name, uint8_t *bytes, size_t nr_bytes);

/* Whether the next line begins with `name: `. */
bool field_is_next(const struct field_walk *w, const char *name);

/* Nothing may follow. */
enum sahm_status field_end(struct field_walk *w);

#endif
