#include "sim/base/decimal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"

#define DECIMALS 9

/* Reads "[+-]digits" as an exponent; values out of any use are cut to one that is still out of use. */
static bool read_exponent(const char *text, size_t len, int *exponent)
{
	size_t at = len && (text[0] == '-' || text[0] == '+');
	int e = 0;
	if (at == len)
		return false;
	for (; at < len; at++) {
		if (!is_digit(text[at]))
			return false;
		if (e < 1000)
			e = e * 10 + (text[at] - '0');
	}
	*exponent = text[0] == '-' ? -e : e;
	return true;
}

/* mantissa * 10^shift, rounded; false when it is DECIMAL_END or more. */
static bool shifted(decimal mantissa, int shift, decimal *value)
{
	int dropped = 0;
	for (; shift > 0 && mantissa != 0; shift--) {
		if (mantissa >= DECIMAL_END)
			return false;
		mantissa *= 10;
	}
	/* Only the last digit that goes decides: 0.4999 is not rounded twice. */
	for (; shift < 0 && (mantissa != 0 || dropped != 0); shift++) {
		dropped = (int)(mantissa % 10);
		mantissa /= 10;
	}
	*value = mantissa + (dropped >= 5);
	return *value < DECIMAL_END;
}

enum number_fault decimal_read(const char *text, size_t len, decimal *value)
{
	size_t sign = len && (text[0] == '-' || text[0] == '+'), at = sign;
	uint64_t small = 0;
	/* Most numbers are short and whole. */
	while (at < len && at - sign < 18 && is_digit(text[at]))
		small = small * 10 + (uint64_t)(text[at++] - '0');
	if (at == len && at > sign) {
		*value = (decimal)small * DECIMAL_ONE;
		*value = text[0] == '-' ? -*value : *value;
		return NUMBER_OK;
	}
	decimal mantissa = (decimal)small;
	size_t nr_digits = at - sign;
	int shift = DECIMALS, exponent = 0;
	bool behind_point = false;
	for (; at < len && (is_digit(text[at]) || (text[at] == '.' && !behind_point)); at++) {
		if (text[at] == '.') {
			behind_point = true;
			continue;
		}
		nr_digits++;
		/* Digits after those that can matter only move the point. */
		if (mantissa < DECIMAL_END) {
			mantissa = mantissa * 10 + (text[at] - '0');
			shift -= behind_point;
		} else {
			shift += !behind_point;
		}
	}
	if (nr_digits == 0)
		return NUMBER_NOT;
	if (at < len && (text[at] == 'e' || text[at] == 'E')) {
		if (!read_exponent(text + at + 1, len - at - 1, &exponent))
			return NUMBER_NOT;
		at = len;
	}
	if (at != len)
		return NUMBER_NOT;
	if (!shifted(mantissa, shift + exponent, value))
		return NUMBER_OVERFLOW;
	if (text[0] == '-')
		*value = -*value;
	return NUMBER_OK;
}

size_t decimal_read_plain(const char *text, decimal *value)
{
	size_t sign = text[0] == '-', whole = strspn(text + sign, "0123456789"), len = sign + whole;
	if (whole == 0)
		return 0;
	if (text[len] == '.' && text[len + 1] != '.') {
		size_t behind = strspn(text + len + 1, "0123456789");
		if (behind == 0 || behind > DECIMALS)
			return 0;
		len += 1 + behind;
	}
	return decimal_read(text, len, value) == NUMBER_OK ? len : 0;
}

void decimal_write(struct textbuf *b, decimal value)
{
	decimal size = value < 0 ? -value : value, whole = size / DECIMAL_ONE;
	unsigned rest = (unsigned)(size % DECIMAL_ONE);
	char digits[48];
	int n = (int)sizeof(digits);
	do
		digits[--n] = (char)('0' + (int)(whole % 10));
	while ((whole /= 10) != 0);
	if (value < 0)
		textbuf_putc(b, '-');
	textbuf_add(b, digits + n, sizeof(digits) - (size_t)n);
	if (rest == 0)
		return;
	char text[DECIMALS + 2];
	int len = DECIMALS + 1;
	snprintf(text, sizeof(text), ".%09u", rest);
	while (text[len - 1] == '0')
		len--;
	textbuf_add(b, text, (size_t)len);
}

__extension__ typedef unsigned __int128 wide;

#define EXACT_UNIT ((wide)DECIMAL_ONE * DECIMAL_ONE)

/* The 256 bits of a * b. */
static void multiply_wide(wide a, wide b, wide *high, wide *low)
{
	wide a1 = a >> 64, a0 = (uint64_t)a, b1 = b >> 64, b0 = (uint64_t)b;
	wide middle = a0 * b1, other = a1 * b0, bottom = a0 * b0;
	wide carry = (bottom >> 64) + (uint64_t)middle + (uint64_t)other;
	*low = carry << 64 | (uint64_t)bottom;
	*high = a1 * b1 + (middle >> 64) + (other >> 64) + (carry >> 64);
}

/* (*rest * 2^64 + digit) / c: one digit of a quotient, where *rest < c and the highest bit of c is set (Knuth, The Art
 * of Computer Programming, volume 2, 4.3.1, algorithm D). */
static uint64_t quotient_digit(wide *rest, uint64_t digit, wide c)
{
	wide high = c >> 64, low = (uint64_t)c;
	wide estimate = *rest / high, left = *rest % high;
	while (left >> 64 == 0 && (estimate >> 64 || estimate * low > (left << 64 | digit))) {
		estimate--;
		left += high;
	}
	*rest = (*rest << 64 | digit) - estimate * c;
	return (uint64_t)estimate;
}

/* a * b / c, rounded; false when that is EXACT_END or more. `c` is not 0. */
static bool scale(wide a, wide b, wide c, wide *result)
{
	wide rest, low, quotient;
	multiply_wide(a, b, &rest, &low);
	if (rest >= c)
		return false;
	if (c >> 64 == 0) {
		wide first = rest << 64 | low >> 64, second = first % c << 64 | (uint64_t)low;
		quotient = first / c << 64 | second / c;
		rest = second % c;
	} else {
		int shift = __builtin_clzll((uint64_t)(c >> 64));
		c <<= shift;
		rest = shift ? rest << shift | low >> (128 - shift) : rest;
		low <<= shift;
		quotient = (wide)quotient_digit(&rest, (uint64_t)(low >> 64), c) << 64;
		quotient |= quotient_digit(&rest, (uint64_t)low, c);
	}
	quotient += rest >= c - rest;
	*result = quotient;
	return quotient < (wide)EXACT_END;
}

static bool scale_signed(decimal a, decimal b, decimal c, decimal *result)
{
	wide size;
	bool is_negative = ((a < 0) ^ (b < 0)) != (c < 0);
	if (!scale((wide)(a < 0 ? -a : a), (wide)(b < 0 ? -b : b), (wide)(c < 0 ? -c : c), &size))
		return false;
	*result = is_negative ? -(decimal)size : (decimal)size;
	return true;
}

bool exact_product(decimal a, decimal b, decimal *result)
{
	return scale_signed(a, b, (decimal)EXACT_UNIT, result);
}

bool exact_quotient(decimal a, decimal b, decimal *result)
{
	return b != 0 && scale_signed(a, (decimal)EXACT_UNIT, b, result);
}
