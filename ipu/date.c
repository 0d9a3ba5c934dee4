#include "ipu/date.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

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
		bool is_digit = text[i] >= '0' && text[i] <= '9';
		if (form[i] == '0' ? !is_digit : text[i] != form[i])
			return false;
		if (is_digit)
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

uint32_t date_today(void)
{
	struct tm tm;
	time_t now = time(NULL);
	/* A clock that shows no such day has expired everything. */
	if (now == (time_t)-1 || !gmtime_r(&now, &tm) || tm.tm_year + 1900 < 1 || tm.tm_year + 1900 > 9999)
		return DATE_NEVER - 1;
	return (uint32_t)(tm.tm_year + 1900) * 10000 + (uint32_t)(tm.tm_mon + 1) * 100 + (uint32_t)tm.tm_mday;
}
