/* perf stat, with -I MS or without, the form for people:
 *
 *     [TIME] [GROUP [NR]] VALUE [UNIT] EVENT [CGROUP] [# METRIC] [( +- VARIANCE% )] [(PERCENTAGE%)]
 *
 * aligned by blanks, with separators of thousands by the user's locale. Without -I, lines stand between a heading with
 * the command and "SECONDS seconds time elapsed". Source: perf-stat(1), files of perf 6.1 and quoted ones of 3.x to
 * 6.x. */
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "workloads/import/import_perf_internal.h"

#define MAX_WORDS 24u
/* No recording lasts longer. */
#define MAX_SECONDS ((decimal)1000000000 * DECIMAL_ONE)

static const char heading[] = "Performance counter stats for ";

struct reader {
	struct perf_recording recording;
	bool is_summary; /* the section repeats the intervals above it */
	bool in_section; /* between heading and elapsed time */
	bool is_mean;	 /* over several runs */
	unsigned
		heading_line; /* the heading, whose command has several lines, goes on after this one; 0: it does not */
};

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

/* Takes out the narrow and the no-break space, and the apostrophe of Swiss locales, between thousands. */
static void join_thousands(char *text)
{
	static const char *const spaces[] = {"\xe2\x80\xaf", "\xc2\xa0", "\xe2\x80\x99"};
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

/* "(24.98%)", with a decimal comma in some languages and in brackets in perf 3, at the end of the line. */
static int percentage(const struct field *f)
{
	char digits[16];
	if (f->len < 4 || f->len > sizeof(digits) || !strchr("([", f->text[0]) || f->text[f->len - 2] != '%' ||
	    !strchr(")]", f->text[f->len - 1]))
		return -1;
	for (size_t i = 0; i + 3 < f->len; i++)
		digits[i] = f->text[i + 1] == ',' ? '.' : f->text[i + 1];
	return perf_percentage(&(struct field){digits, f->len - 3});
}

static bool parse(struct field *w, unsigned nr, char plain[32], struct perf_line *line)
{
	*line = (struct perf_line){.group = {"", 0}, .cgroup = {"", 0}, .running_pct100 = -1};
	line->has_stamp = nr > 0 && perf_stamp(&w[0], &line->stamp_ns);
	unsigned first = line->has_stamp, at = first;
	while (at < nr && !is_value(&w[at]))
		at++;
	if (at + 1 >= nr)
		return false;
	if (at > first)
		line->group = (struct field){w[first].text, (size_t)(w[at - 1].text + w[at - 1].len - w[first].text)};
	if (at > first && !perf_is_group(&line->group))
		return false;
	/* The number of CPUs after a socket. */
	if (at > first && at + 2 < nr && is_value(&w[at + 1]))
		at++;
	line->value = w[at++];
	if (line->value.text[0] != '<')
		line->value.text = plain_number(&line->value, plain, &line->value.len);
	if (at < nr && is_unit(&w[at]))
		at++;
	if (at == nr || field_is(&w[at], "#"))
		return at < nr; /* only a metric */
	line->event = w[at++];
	/* Nor are "(msec)" of perf 4 and the variance of -r. */
	if (at < nr && !field_is(&w[at], "#") && !strchr("([", w[at].text[0]))
		line->cgroup = w[at];
	/* perf leaves 100 % out. */
	line->running_pct100 = line->value.text[0] == '<' ? -1 : 10000;
	if (percentage(&w[nr - 1]) >= 0)
		line->running_pct100 = percentage(&w[nr - 1]);
	return true;
}

/* One of a heading's lines, the last of which ends with a colon. */
static void read_heading_line(struct import *im, struct reader *r, const char *text)
{
	static const char runs[] = " runs):";
	size_t len = strlen(text);
	r->heading_line = len > 0 && text[len - 1] == ':' ? 0 : im->lines.line;
	r->is_mean = len >= sizeof(runs) && strcmp(text + len - (sizeof(runs) - 1), runs) == 0;
}

/* A heading begins a recording, or the summary of its intervals. */
static enum sahm_status read_heading(struct import *im, struct reader *r, const char *text)
{
	if (r->recording.has_intervals && !r->is_summary) {
		r->is_summary = true;
		import_skip(im, SKIP_SUMMARY, im->lines.line, NULL);
		return SAHM_OK;
	}
	r->is_summary = false;
	r->in_section = true;
	read_heading_line(im, r, text);
	return perf_begin(im, &r->recording, NULL);
}

/* Reads the seconds with which a line begins: their mark is that of decimals, even in front of three of them. */
static bool read_seconds(const struct field *f, uint64_t *ns)
{
	char plain[32];
	decimal seconds;
	if (f->len >= sizeof(plain))
		return false;
	for (size_t i = 0; i < f->len; i++)
		plain[i] = f->text[i] == ',' ? '.' : f->text[i];
	if (decimal_read(plain, f->len, &seconds) != NUMBER_OK || seconds < 0 || seconds >= MAX_SECONDS)
		return false;
	*ns = (uint64_t)seconds;
	return true;
}

/* Lines of a recording without -I that count nothing: "1.23 +- 0.01 seconds time elapsed", "0.1 seconds user", and a
 * table of the runs. */
static bool read_time(struct reader *r, const struct field *words, unsigned nr)
{
	unsigned at = nr > 3 && field_is(&words[1], "+-") ? 3 : 1;
	uint64_t ns;
	if (nr > 0 && field_is(&words[0], "#") && nr > 1 && !is_value(&words[1]))
		return true;
	if (nr > 1 && words[1].len > 1 && words[1].text[0] == '(' && strchr("+-", words[1].text[1]))
		return r->in_section && r->is_mean;
	if (nr < at + 2 || !field_is(&words[at], "seconds") || !read_seconds(&words[0], &ns))
		return false;
	if (field_is(&words[at + 1], "user") || field_is(&words[at + 1], "sys"))
		return true;
	if (!field_is(&words[at + 1], "time"))
		return false;
	r->recording.elapsed_ns = ns;
	r->in_section = false;
	return true;
}

static enum sahm_status read_line(struct import *im)
{
	struct reader *r = im->state;
	struct field words[MAX_WORDS];
	struct perf_line line;
	char plain[32];
	uint64_t stamp;
	enum import_skip reason = im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT;
	join_thousands(im->lines.text);
	const char *text = im->lines.text + strspn(im->lines.text, " ");
	if (strncmp(text, heading, sizeof(heading) - 1) == 0)
		return read_heading(im, r, text);
	if (!r->is_summary && r->heading_line && r->heading_line + 1 == im->lines.line) {
		read_heading_line(im, r, text);
		return SAHM_OK;
	}
	unsigned nr = split(im->lines.text, words);
	if (nr > 0 && perf_stamp(&words[0], &stamp) && (nr < 2 || !field_is(&words[1], "seconds")))
		r->is_summary = false;
	if (r->is_summary)
		reason = SKIP_SUMMARY;
	else if (!r->recording.has_intervals && read_time(r, words, nr))
		return SAHM_OK;
	else if (nr > 1 && field_is(&words[0], "#"))
		reason = SKIP_METRIC;
	else if (parse(words, nr, plain, &line) && im->lines.ended && (line.has_stamp || r->in_section)) {
		line.is_mean = r->is_mean;
		if (line.event.len > 0)
			return perf_take(im, &r->recording, &line);
		reason = SKIP_METRIC;
	}
	import_skip(im, reason, im->lines.line, NULL);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader r = {.recording = {.form = ""}};
	im->state = &r;
	enum sahm_status status = perf_read(im, &r.recording, read_line);
	im->state = NULL;
	return status;
}

/* The form for people is aligned; blanks as separator make at most a few in a row. */
static bool owns_line(const char *line, size_t len)
{
	size_t stamp = perf_stamp_len(line, len);
	if (stamp > 0 && stamp < len)
		return import_line_holds(line + stamp, len - stamp, "    ");
	while (len > 0 && *line == ' ')
		line++, len--;
	return import_line_begins(line, len, heading) ||
	       (import_line_begins(line, len, "#") && import_line_holds(line, len, " time ") &&
		import_line_holds(line, len, " counts ") && import_line_holds(line, len, "events"));
}

const struct import_format import_format_perf_text = {
	.owns_line = owns_line, .is_counted_by_tool = true, .how = "it written by perf stat", .read = read};
