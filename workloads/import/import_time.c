/* Times in tables: columns that are called as times are, and values with a unit or a date in them. */
#include <string.h>
#include <strings.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

static const struct {
	const char *word;
	uint64_t ns;
} units[] = {
	{"s", NS_PER_S},
	{"sec", NS_PER_S},
	{"secs", NS_PER_S},
	{"second", NS_PER_S},
	{"seconds", NS_PER_S},
	{"ms", NS_PER_MS},
	{"msec", NS_PER_MS},
	{"msecs", NS_PER_MS},
	{"millisecond", NS_PER_MS},
	{"milliseconds", NS_PER_MS},
	{"us", 1000},
	{"usec", 1000},
	{"usecs", 1000},
	{"\xc2\xb5s", 1000},
	{"\xce\xbcs", 1000},
	{"microsecond", 1000},
	{"microseconds", 1000},
	{"ns", 1},
	{"nsec", 1},
	{"nanosecond", 1},
	{"nanoseconds", 1},
};

static uint64_t unit_of(const char *text, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].word) == len && strncasecmp(units[i].word, text, len) == 0)
			return units[i].ns;
	return 0;
}

bool import_time_column(const char *name, size_t len, unsigned *target, uint64_t *unit_ns)
{
	/* Longer words before those that they begin with. */
	static const struct {
		const char *word;
		unsigned target;
	} words[] = {
		{"timestamp", TARGET_TIME},    {"time stamp", TARGET_TIME},   {"time_stamp", TARGET_TIME},
		{"elapsed time", TARGET_TIME}, {"elapsed_time", TARGET_TIME}, {"time elapsed", TARGET_TIME},
		{"time_elapsed", TARGET_TIME}, {"elapsed", TARGET_TIME},      {"time", TARGET_TIME},
		{"duration", TARGET_DURATION},
	};
	static const char opening[] = " \t_-.,([{/", closing[] = " \t)]}";
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t at = strlen(words[i].word), end = len;
		if (len < at || strncasecmp(words[i].word, name, at) != 0)
			continue;
		*target = words[i].target;
		*unit_ns = 0;
		if (len == at)
			return *target == TARGET_TIME;
		if (!strchr(opening, name[at]))
			return false;
		while (at < end && strchr(opening, name[at]))
			at++;
		while (end > at && strchr(closing, name[end - 1]))
			end--;
		*unit_ns = unit_of(name + at, end - at);
		return *unit_ns > 0;
	}
	return false;
}

/* Reads `digits` digits at *at (0: one or two) up to `most`. */
static bool read_part(const char **at, const char *end, unsigned digits, unsigned most, unsigned *value)
{
	unsigned nr = 0;
	for (*value = 0; *at < end && is_digit(**at) && nr < (digits ? digits : 2); nr++)
		*value = *value * 10 + (unsigned)(*(*at)++ - '0');
	return nr > 0 && (digits == 0 || nr == digits) && *value <= most;
}

static bool read_char(const char **at, const char *end, const char *one_of)
{
	if (*at >= end || !strchr(one_of, **at))
		return false;
	(*at)++;
	return true;
}

/* Days from 1970-01-01 on, in the Gregorian calendar. */
static int64_t days_of(unsigned year, unsigned month, unsigned day)
{
	static const uint16_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	unsigned leap_years = month > 2 ? year : year - 1;
	return (int64_t)year * 365 + leap_years / 4 - leap_years / 100 + leap_years / 400 + before[month - 1] + day -
	       (1970 * 365 + 1969 / 4 - 1969 / 100 + 1969 / 400 + 1);
}

/* "14:05", "14:05:00", "14:05:00.25" */
static bool read_clock(const char **at, const char *end, decimal *ns)
{
	unsigned hour, minute, second = 0;
	if (!read_part(at, end, 0, 24, &hour) || !read_char(at, end, ":") || !read_part(at, end, 2, 59, &minute))
		return false;
	/* 60: a leap second. */
	if (read_char(at, end, ":") && !read_part(at, end, 2, 60, &second))
		return false;
	*ns = (decimal)((hour * 60 + minute) * 60 + second) * NS_PER_S;
	if (!read_char(at, end, ".,"))
		return true;
	uint64_t unit = NS_PER_S;
	const char *first = *at;
	for (; *at < end && is_digit(**at); (*at)++) {
		unit /= 10;
		*ns += (decimal)unit * (**at - '0');
	}
	return *at > first;
}

/* "Z", "+01:00", "-0530" or nothing. */
static bool read_zone(const char **at, const char *end, decimal *ns)
{
	unsigned hours, minutes = 0;
	while (read_char(at, end, " "))
		;
	if (*at == end || read_char(at, end, "Zz"))
		return true;
	bool is_east = **at == '+';
	if (!read_char(at, end, "+-") || !read_part(at, end, 2, 15, &hours))
		return false;
	bool has_colon = read_char(at, end, ":");
	if ((has_colon || *at < end) && !read_part(at, end, 2, 59, &minutes))
		return false;
	decimal offset = (decimal)(hours * 60 + minutes) * 60 * NS_PER_S;
	*ns += is_east ? -offset : offset;
	return true;
}

static bool read_date(const char *text, size_t len, decimal *ns)
{
	const char *at = text, *end = text + len;
	unsigned year, month, day;
	decimal clock = 0;
	if (len > 2 && (text[1] == ':' || text[2] == ':'))
		return read_clock(&at, end, ns) && at == end;
	if (!read_part(&at, end, 4, 9999, &year) || !read_char(&at, end, "-/") || !read_part(&at, end, 2, 12, &month) ||
	    !read_char(&at, end, "-/") || !read_part(&at, end, 2, 31, &day) || year == 0 || month == 0 || day == 0)
		return false;
	if (at < end && (!read_char(&at, end, "Tt ") || !read_clock(&at, end, &clock) || !read_zone(&at, end, &clock)))
		return false;
	*ns = (decimal)days_of(year, month, day) * 86400 * NS_PER_S + clock;
	return at == end;
}

bool import_clock_read(const char *text, size_t len, decimal *ns)
{
	size_t digits = len;
	decimal value;
	while (digits > 0 && !is_digit(text[digits - 1]) && text[digits - 1] != '.')
		digits--;
	size_t unit_at = digits;
	while (unit_at < len && text[unit_at] == ' ')
		unit_at++;
	uint64_t unit_ns = unit_of(text + unit_at, len - unit_at);
	if (unit_ns == 0 || decimal_read(text, digits, &value) != NUMBER_OK)
		return read_date(text, len, ns);
	if (value > EXACT_END / DECIMAL_ONE || value < -EXACT_END / DECIMAL_ONE)
		return false;
	*ns = value * (decimal)unit_ns / DECIMAL_ONE;
	return true;
}
