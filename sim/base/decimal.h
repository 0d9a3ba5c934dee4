/* Exact decimal numbers: whole thousand-millionths in 128 bits, for counts and factors that are not whole.
 *
 * Sums and differences are those of integers. A product of two decimals is in units of 1/DECIMAL_ONE^2; their caller
 * provides the memory for such products.
 */
#ifndef SAHM_SIM_BASE_DECIMAL_H
#define SAHM_SIM_BASE_DECIMAL_H

#include "sim/base/number.h"

__extension__ typedef __int128 decimal;

#define DECIMAL_ONE INT64_C(1000000000)

/* Numbers of this size and larger are NUMBER_OVERFLOW. */
#define DECIMAL_END ((decimal)10000000000 * 10000000000 * DECIMAL_ONE)

/* Reads the `len` bytes at `text` as a decimal number, all of them: "12", "-0.5", "1.2e+09". Digits after the ninth
 * decimal are rounded, halves away from zero. NUMBER_OK, NUMBER_NOT or NUMBER_OVERFLOW. */
enum number_fault decimal_read(const char *text, size_t len, decimal *value);

/* Reads the number with which the string `text` begins: "-12.5", without exponent and with no more decimals than a
 * decimal has, so that nothing is rounded; the next character is no digit, nor a '.' that could be its point. Its
 * length, 0 where there is none or it overflows. */
size_t decimal_read_plain(const char *text, decimal *value);

/* Appends the shortest form of `value`: "0.5", "-3". */
void decimal_write(struct textbuf *b, decimal value);

/* Products and quotients of values that are themselves in units of 1/DECIMAL_ONE^2, in the same unit, halves rounded
 * away from zero. False where the divisor is 0, or the result is EXACT_END or more in size; *result is unchanged then.
 */
#define EXACT_END ((decimal)1 << 125)
bool exact_product(decimal a, decimal b, decimal *result);
bool exact_quotient(decimal a, decimal b, decimal *result);

#endif
