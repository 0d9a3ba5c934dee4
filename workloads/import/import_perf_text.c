/* perf stat -I MS, the form for people:
 *
 *     TIME [GROUP [NR]] VALUE [UNIT] EVENT [CGROUP] [# METRIC] [(PERCENTAGE%)]
 *
 * aligned by blanks, with separators of thousands by the user's locale. Source: perf-stat(1) and files of perf 6.1. */
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "workloads/import/import_perf_internal.h"

#define MAX_WORDS 24u

/* Units that perf prints between a value and its event. */
static bool is_unit(const struct field *f)
{
	static const char *const units[] = {"msec", "sec", "ns",  "us",	   "ms", "Joules", "Bytes", "KB", "KiB", "MB",
					    "MiB",  "GB",  "GiB", "Watts", "W",	 "C",	   "%",	    "mV", NULL};
	for (const char *const *u = units; *u; u++)
		if (field_is(f, *u))
			return true;
	return false;
}

/* Puts a number that is written for people into `plain`: groups of three digits are joined, a decimal comma becomes a
 * point. NULL when it is no number. */
static const char *plain_number(const struct field *f, char plain[32], size_t *len)
{
	size_t n = 0, since = 0;
	char mark = 0;
	bool grouped = true; /* every mark so far is followed by three digits */
	for (size_t i = 0; i < f->len && n < 31; i++) {
		char c = f->text[i];
		if (is_digit(c)) {
			plain[n++] = c;
			since++;
			continue;
		}
		if ((c != ',' && c != '.' && c != '\'') || i == 0 || i + 1 == f->len)
			return NULL;
		if (mark)
			grouped &= since == 3;
		/* Another mark after groups is that of decimals. */
		if (mark && c != mark) {
			decimal value;
			plain[n++] = '.';
			size_t rest = f->len - i - 1;
			if (!grouped || rest > 31 - n)
				return NULL;
			memcpy(plain + n, f->text + i + 1, rest);
			*len = n + rest;
			return decimal_read(plain, *len, &value) == NUMBER_OK ? plain : NULL;
		}
		mark = c;
		since = 0;
	}
	*len = n;
	if (n == 0 || n == 31)
		return NULL;
	if (!mark || (grouped && since == 3))
		return plain;
	/* One mark that groups nothing: decimals. */
	if (memchr(f->text, mark, f->len) != memrchr(f->text, mark, f->len) || mark == '\'')
		return NULL;
	memmove(plain + n - since + 1, plain + n - since, since);
	plain[n - since] = '.';
	*len = n + 1;
	return plain;
}

/* Takes out the narrow and the no-break space that some languages put between thousands. */
static void join_thousands(char *text)
{
	static const char *const spaces[] = {"\xe2\x80\xaf", "\xc2\xa0"};
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++) {
		size_t len = strlen(spaces[i]);
		for (char *at = text; (at = strstr(at, spaces[i]));)
			memmove(at, at + len, strlen(at + len) + 1);
	}
}

static unsigned split(const char *text, struct field words[MAX_WORDS])
{
	unsigned nr = 0;
	for (;;) {
		text += strspn(text, " \t");
		size_t len = strcspn(text, " \t");
		if (len == 0 || nr == MAX_WORDS)
			return nr;
		/* One word, whatever is not counted. */
		if (strncmp(text, "<not ", 5) == 0)
			len = strcspn(text, ">") + (strchr(text, '>') != NULL);
		words[nr++] = (struct field){text, len};
		text += len;
	}
}

static bool is_value(const struct field *f)
{
	char plain[32];
	size_t len;
	/* "<x>-12" is a thread. */
	return strncmp(f->text, "<not ", 5) == 0 || plain_number(f, plain, &len);
}

/* "(24.98%)" at the end of the line. */
static int percentage(const struct field *f)
{
	if (f->len < 4 || f->text[0] != '(' || f->text[f->len - 2] != '%' || f->text[f->len - 1] != ')')
		return -1;
	return perf_percentage(&(struct field){f->text + 1, f->len - 3});
}

static bool parse(struct field *w, unsigned nr, char plain[32], struct perf_line *line)
{
	unsigned at = 1;
	*line = (struct perf_line){.group = {"", 0}, .cgroup = {"", 0}, .running_pct100 = -1};
	if (nr < 3 || !perf_stamp(&w[0], &line->stamp_ns))
		return false;
	while (at < nr && !is_value(&w[at]))
		at++;
	if (at + 1 >= nr)
		return false;
	if (at > 1)
		line->group = (struct field){w[1].text, (size_t)(w[at - 1].text + w[at - 1].len - w[1].text)};
	if (at > 1 && !perf_is_group(&line->group))
		return false;
	/* The number of CPUs after a socket. */
	if (at > 1 && at + 2 < nr && is_value(&w[at + 1]))
		at++;
	line->value = w[at++];
	if (line->value.text[0] != '<')
		line->value.text = plain_number(&line->value, plain, &line->value.len);
	if (at < nr && is_unit(&w[at]))
		at++;
	if (at == nr || field_is(&w[at], "#"))
		return at < nr; /* only a metric */
	line->event = w[at++];
	if (at < nr && !field_is(&w[at], "#") && percentage(&w[at]) < 0)
		line->cgroup = w[at];
	/* perf leaves 100 % out. */
	line->running_pct100 = line->value.text[0] == '<' ? -1 : 10000;
	if (percentage(&w[nr - 1]) >= 0)
		line->running_pct100 = percentage(&w[nr - 1]);
	return true;
}

static enum sahm_status read_line(struct import *im)
{
	bool *is_summary = im->state;
	struct field words[MAX_WORDS];
	struct perf_line line;
	char plain[32];
	uint64_t stamp;
	join_thousands(im->lines.text);
	unsigned nr = split(im->lines.text, words);
	/* After the intervals come the totals, with the command, which can have several lines. */
	if (strncmp(im->lines.text, " Performance counter stats", 26) == 0)
		*is_summary = true;
	else if (perf_stamp(&words[0], &stamp) && (nr < 2 || !field_is(&words[1], "seconds")))
		*is_summary = false;
	if (*is_summary) {
		import_skip(im, SKIP_SUMMARY, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (parse(words, nr, plain, &line) && im->lines.ended) {
		if (line.event.len > 0)
			return perf_take(im, &line);
		import_skip(im, SKIP_METRIC, im->lines.line, NULL);
		return SAHM_OK;
	}
	import_skip(im, im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT, im->lines.line, NULL);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	bool is_summary = false;
	im->state = &is_summary;
	enum sahm_status status = perf_read(im, "perf stat -I", read_line);
	im->state = NULL;
	return status;
}

/* The form for people is aligned; blanks as separator make at most a few in a row. */
static bool owns_line(const char *line, size_t len)
{
	size_t stamp = perf_stamp_len(line, len);
	if (stamp > 0 && stamp < len)
		return import_line_holds(line + stamp, len - stamp, "    ");
	/* Without -I there are no intervals, which the reader reports. */
	return import_line_begins(line, len, " Performance counter stats") ||
	       (import_line_begins(line, len, "#") && import_line_holds(line, len, " time ") &&
		import_line_holds(line, len, " counts ") && import_line_holds(line, len, "events"));
}

const struct import_format import_format_perf_text = {
	.owns_line = owns_line, .is_counted_by_tool = true, .how = "perf stat run with -I", .read = read};
