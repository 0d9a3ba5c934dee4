/* Numbers as text: strict reading, exact writing. In the C locale, which the program never leaves; a host of the
 * library that calls setlocale() does not change LC_NUMERIC. */
#ifndef SAHM_SIM_BASE_NUMBER_H
#define SAHM_SIM_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/textbuf.h"

enum number_fault {
	NUMBER_OK,
	NUMBER_NOT,	 /* not a number of this kind, or followed by something else */
	NUMBER_NEGATIVE, /* a well-formed number below 0 where none may stand */
	NUMBER_OVERFLOW, /* too large for the type */
	NUMBER_FRACTION, /* a well-formed number that is not whole */
	NUMBER_UNDERFLOW /* not zero, yet too small to be distinguished from it */
};

/* Whether `c` is a decimal digit. */
static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads the `len` bytes at `text` as a whole decimal number without sign, leading '+' or blanks. */
enum number_fault number_read_u64(const char *text, size_t len, uint64_t *value);

/* Reads the string `text`, all of it, as an address or a size: whole, without sign or blanks, decimal or hexadecimal
 * after "0x", optionally followed by K, M or G for multiples of 1024, 1024^2 and 1024^3 ("4096", "0x80000000", "16M").
 */
enum number_fault number_read_size(const char *text, uint64_t *value);

/* Reads the string `text` as a finite decimal floating-point number, all of it ("1", "-0.5", "1e-3"; no hexadecimal, no
 * "inf" or "nan"). */
enum number_fault number_read_double(const char *text, double *value);

/* Appends the shortest decimal form of `value` that reads back as the same double. A whole number keeps a final ".0"
 * when `point` is not 0 (configurations distinguish integers and floats by it). `value` is finite. */
void number_write_double(struct textbuf *b, double value, int point);

#endif
