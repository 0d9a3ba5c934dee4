/* Days of the calendar (Gregorian), as signatures and trust files write them: 2026-11-22, or "never".
 *
 * A date is one number, 20261122, so that later is larger. Something that expires on a day is valid all of that day
 * (UTC). */
#ifndef SAHM_IPU_TRUST_DATE_H
#define SAHM_IPU_TRUST_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DATE_NEVER UINT32_MAX

/* Longest form, with its closing NUL. */
#define DATE_BYTES 11

/* How it is written, for messages. */
#define DATE_FORM "a day like 2030-12-31"

/* Reads a day of the years 1 to 9999 out of exactly `len` characters; false when it is none. */
bool date_read(const char *text, size_t len, uint32_t *date);

/* The same, or "never": DATE_NEVER. */
bool date_read_expiry(const char *text, size_t len, uint32_t *date);

/* Writes a day, or "never"; returns `text`. */
const char *date_write(uint32_t date, char text[DATE_BYTES]);

/* The day (UTC) on which a clock shows `seconds` since the beginning of 1970; false when it is of no year from 1 to
 * 9999. */
bool date_of_seconds(int64_t seconds, uint32_t *date);

/* Today, by UTC; false when the system's clock shows no such day. The one place that asks for it: nothing but what has
 * expired may depend on it. */
bool date_today(uint32_t *date);

#endif
