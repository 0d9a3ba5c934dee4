/* Writing JSON: one value into a text buffer, members in the order in which they are written, two blanks per level.
 * Numbers are the shortest that read back exactly; a value that is no number is written as null. */
#ifndef SAHM_RESULTS_METRICS_JSON_H
#define SAHM_RESULTS_METRICS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/textbuf.h"

struct jwriter {
	struct textbuf *out;
	unsigned depth;
	unsigned flat; /* arrays and objects on one line that it is inside of */
	bool first;    /* nothing in the present object or array yet */
};

void jwrite_init(struct jwriter *j, struct textbuf *out);

/* Objects and arrays. `key` is the member's name inside an object, NULL inside an array or at the top. A flat array or
 * object stands on one line, with all that is in it. */
void jwrite_begin_object(struct jwriter *j, const char *key);
void jwrite_begin_flat_object(struct jwriter *j, const char *key);
void jwrite_end_object(struct jwriter *j);
void jwrite_begin_array(struct jwriter *j, const char *key, bool flat);
void jwrite_end_array(struct jwriter *j);

void jwrite_string(struct jwriter *j, const char *key, const char *value);
void jwrite_u64(struct jwriter *j, const char *key, uint64_t value);
void jwrite_i64(struct jwriter *j, const char *key, int64_t value);
void jwrite_double(struct jwriter *j, const char *key, double value);
void jwrite_bool(struct jwriter *j, const char *key, bool value);

/* Appends `text` as a string, with its quotation marks: invalid UTF-8 is replaced. */
void json_quote(struct textbuf *out, const char *text);

/* Ends the text with a line end. */
void jwrite_finish(struct jwriter *j);

#endif
