#include "sim/base/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t skip_digits(const char *text, size_t len, size_t at)
{
	while (at < len && is_digit(text[at]))
		at++;
	return at;
}

/* The error of text that is not all digits: tells a negative or fractional number from no number at all. */
static enum number_fault diagnose(const char *text, size_t len)
{
	size_t from = len && (text[0] == '-' || text[0] == '+');
	size_t at = skip_digits(text, len, from);
	if (at == from)
		return NUMBER_NOT;
	if (at < len && text[at] == '.')
		at = skip_digits(text, len, at + 1);
	if (at != len)
		return NUMBER_NOT;
	if (text[0] == '-')
		return NUMBER_NEGATIVE;
	return text[0] == '+' ? NUMBER_NOT : NUMBER_FRACTION;
}

enum number_fault number_read_u64(const char *text, size_t len, uint64_t *value)
{
	if (len == 0 || skip_digits(text, len, 0) != len)
		return diagnose(text, len);
	uint64_t v = 0;
	for (size_t i = 0; i < len; i++) {
		uint64_t digit = (uint64_t)(text[i] - '0');
		if (v > (UINT64_MAX - digit) / 10)
			return NUMBER_OVERFLOW;
		v = v * 10 + digit;
	}
	*value = v;
	return NUMBER_OK;
}

/* The `len` bytes at `text` as a hexadecimal number without prefix; NUMBER_NOT also when digits end sooner. */
static enum number_fault read_hex(const char *text, size_t len, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	uint64_t v = 0;
	if (len == 0 || strspn(text, digits) < len)
		return NUMBER_NOT;
	for (size_t i = 0; i < len; i++) {
		if (v >> 60)
			return NUMBER_OVERFLOW;
		v = v << 4 | (uint64_t)(strchr(digits, text[i]) - digits) % 16;
	}
	*value = v;
	return NUMBER_OK;
}

enum number_fault number_read_size(const char *text, uint64_t *value)
{
	static const char units[] = "KMG";
	size_t len = strlen(text);
	const char *unit = len ? strchr(units, text[len - 1]) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	uint64_t v = 0;
	if (unit)
		len--;
	bool is_hex = len >= 2 && text[0] == '0' && text[1] == 'x';
	enum number_fault fault = is_hex ? read_hex(text + 2, len - 2, &v) : number_read_u64(text, len, &v);
	if (fault != NUMBER_OK)
		return fault;
	if (v > UINT64_MAX >> shift)
		return NUMBER_OVERFLOW;
	*value = v << shift;
	return NUMBER_OK;
}

enum number_fault number_read_double(const char *text, double *value)
{
	size_t len = strlen(text);
	size_t sign = len && (text[0] == '-' || text[0] == '+');
	size_t whole = skip_digits(text, len, sign);
	size_t digits = whole - sign, at = whole;
	if (at < len && text[at] == '.') {
		at = skip_digits(text, len, at + 1);
		digits += at - whole - 1;
	}
	if (digits == 0)
		return NUMBER_NOT;
	if (at < len && (text[at] == 'e' || text[at] == 'E')) {
		size_t exponent = at + 1 + (at + 1 < len && (text[at + 1] == '-' || text[at + 1] == '+'));
		at = skip_digits(text, len, exponent);
		if (at == exponent)
			return NUMBER_NOT;
	}
	if (at != len)
		return NUMBER_NOT;
	errno = 0;
	double v = strtod(text, NULL);
	if (!isfinite(v))
		return NUMBER_OVERFLOW;
	/* Also set for subnormal numbers, which are fine. */
	if (v == 0 && errno == ERANGE)
		return NUMBER_UNDERFLOW;
	*value = v;
	return NUMBER_OK;
}

void number_write_double(struct textbuf *b, double value, int point)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	textbuf_puts(b, text);
	if (point && !strpbrk(text, ".e"))
		textbuf_puts(b, ".0");
}
