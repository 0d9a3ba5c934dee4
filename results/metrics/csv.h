/* Writing CSV (RFC 4180, but lines end with \n): fields one by one into a text buffer. */
#ifndef SAHM_RESULTS_METRICS_CSV_H
#define SAHM_RESULTS_METRICS_CSV_H

#include <stdint.h>

#include "sim/base/textbuf.h"

/* Appends one field, quoted where it must be, with a comma in front unless it is the first of its row. */
void csv_string(struct textbuf *out, const char *text);
void csv_u64(struct textbuf *out, uint64_t value);
void csv_i64(struct textbuf *out, int64_t value);
void csv_double(struct textbuf *out, double value); /* empty when it is not a number */

/* Ends the row. */
void csv_end_row(struct textbuf *out);

#endif
