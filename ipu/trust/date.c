#include "ipu/trust/date.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/base/number.h"

static bool is_leap(unsigned year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned days_of(unsigned month, unsigned year)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return days[month - 1] + (month == 2 && is_leap(year) ? 1u : 0u);
}

bool date_read(const char *text, size_t len, uint32_t *date)
{
	static const char form[] = "0000-00-00";
	uint32_t number = 0;
	if (len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (form[i] == '0' ? !is_digit(text[i]) : text[i] != form[i])
			return false;
		if (is_digit(text[i]))
			number = number * 10 + (uint32_t)(text[i] - '0');
	}
	unsigned year = number / 10000, month = number / 100 % 100, day = number % 100;
	if (year == 0 || month == 0 || month > 12 || day == 0 || day > days_of(month, year))
		return false;
	*date = number;
	return true;
}

bool date_read_expiry(const char *text, size_t len, uint32_t *date)
{
	static const char never[] = "never";
	if (len != sizeof(never) - 1 || memcmp(text, never, len) != 0)
		return date_read(text, len, date);
	*date = DATE_NEVER;
	return true;
}

const char *date_write(uint32_t date, char text[DATE_BYTES])
{
	if (date == DATE_NEVER)
		snprintf(text, DATE_BYTES, "never");
	else
		snprintf(text, DATE_BYTES, "%04u-%02u-%02u", date / 10000 % 10000, date / 100 % 100, date % 100);
	return text;
}

/* Of the calendar as it goes on to both sides, which repeats itself after 400 years. */
#define SECONDS_OF_DAY 86400
#define DAYS_OF_400_YEARS 146097

/* From 0001-01-01 up to 1970-01-01, and up to 10000-01-01. */
#define DAYS_BEFORE_1970 719162
#define DAYS_BEFORE_10000 3652059

bool date_of_seconds(int64_t seconds, uint32_t *date)
{
	/* Rounded down, in years before 1970, too. */
	int64_t before = seconds % SECONDS_OF_DAY < 0 ? 1 : 0, days = seconds / SECONDS_OF_DAY - before;
	days += DAYS_BEFORE_1970;
	if (days < 0 || days >= DAYS_BEFORE_10000)
		return false;
	unsigned left = (unsigned)(days % DAYS_OF_400_YEARS);
	unsigned year = 400 * (unsigned)(days / DAYS_OF_400_YEARS) + 1, month = 1;
	for (; left >= 365u + is_leap(year); year++)
		left -= 365u + is_leap(year);
	for (; left >= days_of(month, year); month++)
		left -= days_of(month, year);
	*date = year * 10000 + month * 100 + left + 1;
	return true;
}

bool date_today(uint32_t *date)
{
	time_t now = time(NULL);
	return now != (time_t)-1 && date_of_seconds(now, date);
}
