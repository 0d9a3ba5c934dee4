#include "sim/base/quantity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/textbuf.h"

/* Smallest first, those of one dimension side by side and a thousandfold apart. */
static const struct unit {
	const char *name, *words;
	enum { TIME, FREQUENCY, POWER } dimension;
	int exponent; /* of ten, to the dimension's base */
} units[] = {
	{"ns", "nanoseconds", TIME, -9},    {"us", "microseconds", TIME, -6},	{"ms", "milliseconds", TIME, -3},
	{"s", "seconds", TIME, 0},	    {"Hz", "hertz", FREQUENCY, 0},	{"kHz", "kilohertz", FREQUENCY, 3},
	{"MHz", "megahertz", FREQUENCY, 6}, {"GHz", "gigahertz", FREQUENCY, 9}, {"mW", "milliwatts", POWER, -3},
	{"W", "watts", POWER, 0},
};

static const struct unit *find_unit(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == len && memcmp(units[i].name, name, len) == 0)
			return &units[i];
	return NULL;
}

bool quantity_is_one(const char *text)
{
	decimal number;
	size_t at = decimal_read_plain(text, &number), letters = 0;
	if (at == 0)
		return false;
	at += strspn(text + at, " ");
	while (isalpha((unsigned char)text[at + letters]))
		letters++;
	if (letters == 0)
		return text[at] == '%';
	/* "1e5", "5L", "0x5" */
	return letters > 1 || (!strchr("eEL", text[at]) && !is_digit(text[at + 1]));
}

static enum sahm_status fail_unit(const char *text, size_t len, const char *unit, bool is_speedup, struct sahm_err *err)
{
	const struct unit *to = find_unit(unit, strlen(unit));
	struct textbuf all;
	textbuf_init(&all);
	for (size_t i = 0; i < ARRAY_SIZE(units) && to; i++)
		if (units[i].dimension == to->dimension) {
			bool is_last = i + 1 == ARRAY_SIZE(units) || units[i + 1].dimension != to->dimension;
			textbuf_printf(&all, "%s%s", !all.len ? "" : is_last ? " or " : ", ", units[i].name);
		}
	if (!to)
		textbuf_printf(&all, "%s%s", unit, is_speedup ? " or x" : "");
	enum sahm_status status = textbuf_failed(&all) ? sahm_fail_nomem(err)
						       : sahm_fail(err, SAHM_FORMAT, "is '%.*s', must be in %s",
								   len > 60 ? 60 : (int)len, text, all.text);
	textbuf_release(&all);
	return status;
}

enum sahm_status quantity_read(const char *text, size_t len, const char *unit, bool is_speedup, decimal *value,
			       struct sahm_err *err)
{
	decimal number;
	size_t at = decimal_read_plain(text, &number);
	at += strspn(text + at, " ");
	const char *given = text + at;
	size_t given_len = at < len ? len - at : 0;
	if (strlen(unit) == given_len && memcmp(given, unit, given_len) == 0) {
		*value = number;
		return SAHM_OK;
	}
	if (is_speedup && given_len == 1 && *given == 'x') {
		*value = (number - DECIMAL_ONE) * 100;
		return SAHM_OK;
	}
	const struct unit *from = find_unit(given, given_len), *to = find_unit(unit, strlen(unit));
	if (!from || !to || from->dimension != to->dimension)
		return fail_unit(text, len, unit, is_speedup, err);
	int shift = from->exponent - to->exponent;
	for (; shift > 0; shift--)
		number *= 10;
	for (; shift < 0; shift++) {
		if (number % 10 != 0)
			return sahm_fail(err, SAHM_FORMAT, "is '%.*s', which has more than nine decimals in %s",
					 len > 60 ? 60 : (int)len, text, unit);
		number /= 10;
	}
	*value = number;
	return SAHM_OK;
}

const char *quantity_neighbour(const char *unit, bool larger, const char **words)
{
	const struct unit *of = find_unit(unit, strlen(unit));
	if (!of || of == (larger ? &units[ARRAY_SIZE(units) - 1] : units))
		return NULL;
	const struct unit *next = larger ? of + 1 : of - 1;
	if (next->dimension != of->dimension)
		return NULL;
	*words = next->words;
	return next->name;
}

double quantity_to_double(decimal value)
{
	decimal size = value < 0 ? -value : value;
	char text[64];
	/* Dividing would round twice. */
	snprintf(text, sizeof(text), "%s%llu%018llu.%09llu", value < 0 ? "-" : "",
		 (unsigned long long)(size / DECIMAL_ONE / 1000000000000000000),
		 (unsigned long long)(size / DECIMAL_ONE % 1000000000000000000),
		 (unsigned long long)(size % DECIMAL_ONE));
	return strtod(text, NULL);
}
