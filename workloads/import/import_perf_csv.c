/* perf stat -x SEP, with -I MS or without.
 *
 *     [TIME] [GROUP [NR]] VALUE UNIT EVENT [CGROUP] [VARIANCE] RUN-TIME PERCENTAGE [METRIC METRIC-UNIT]
 *
 * with any separator, blanks included. The fields depend on perf's options, so they are recognised by their form, and
 * names that hold the separator ("cpu/event=0x1,cmask=4/") are put together again. Source: perf-stat(1), section CSV
 * FORMAT, and files of perf 6.1. */
#include <string.h>

#include "workloads/import/import_perf_internal.h"

#include "sim/base/number.h"

#define MAX_FIELDS 64u
#define MAX_SEPARATOR_BYTES 15u

struct reader {
	struct perf_recording recording;
	char separator[MAX_SEPARATOR_BYTES + 1];
	size_t len;
};

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *find(const struct reader *r, const char *text, const char *end)
{
	/* Blanks can be the separator, and "<not counted>" holds one. */
	const char *from = text < end && *text == '<' ? memchr(text, '>', (size_t)(end - text)) : NULL;
	from = from ? from : text;
	return r->len == 1 ? memchr(from, r->separator[0], (size_t)(end - from))
			   : memmem(from, (size_t)(end - from), r->separator, r->len);
}

static unsigned split(const struct reader *r, const char *text, size_t len, struct field fields[MAX_FIELDS])
{
	unsigned nr = 0;
	const char *end = text + len;
	while (nr < MAX_FIELDS) {
		const char *next = find(r, text, end);
		fields[nr++] = (struct field){text, (size_t)((next ? next : end) - text)};
		if (!next)
			break;
		text = next + r->len;
	}
	return nr;
}

static bool is_value(const struct field *f)
{
	decimal value;
	return field_is(f, "<not counted>") || field_is(f, "<not supported>") ||
	       decimal_read(f->text, f->len, &value) == NUMBER_OK;
}

static bool is_whole(const struct field *f)
{
	uint64_t value;
	return number_read_u64(f->text, f->len, &value) == NUMBER_OK;
}

/* "u", "uk", "ppp": the part after an event's ':' when that is the separator. */
static bool is_modifier(const struct field *f)
{
	return f->len > 0 && f->len <= 8 && strspn(f->text, "ukhGHpPSDeW") >= f->len;
}

/* The fields of an event: one, or those up to the '/' that closes its name. */
static unsigned event_fields(const struct reader *r, const struct field *fields, unsigned nr)
{
	unsigned n = 0, slashes = 0;
	do
		for (size_t i = 0; i < fields[n].len; i++)
			slashes += fields[n].text[i] == '/';
	while (++n < nr && slashes % 2 == 1);
	if (slashes % 2 == 1)
		return 1;
	/* More than one: "page-faults" ':' "u". */
	if (n < nr && r->separator[0] == ':' && is_modifier(&fields[n]))
		n++;
	return n;
}

/* Whether it is called as events are, rather than as words of a program. */
static bool is_event(const struct field *f)
{
	return f->len == 0 || is_word(f->text[0]) || f->text[0] == '_' || f->text[0] == '[';
}

static struct field join(const struct field *first, const struct field *last)
{
	return (struct field){first->text, (size_t)(last->text + last->len - first->text)};
}

/* Number of fields that name the group, those before a value: the name of a thread may hold the separator. */
static unsigned group_fields(const struct field *f, unsigned nr, struct field *group)
{
	for (unsigned n = 1; n < 6 && n + 3 < nr && !is_value(&f[0]); n++) {
		*group = join(&f[0], &f[n - 1]);
		field_trim(group);
		if (perf_is_group(group) && (n == 1 || is_value(&f[n])))
			return n;
	}
	*group = (struct field){"", 0};
	return 0;
}

/* Whether a field is the variance of -r: "0.18%". */
static bool is_variance(const struct field *f)
{
	return f->len > 1 && f->text[f->len - 1] == '%' && perf_percentage(&(struct field){f->text, f->len - 1}) >= 0;
}

/* Splits a line; false when it is none of perf's. */
static bool parse(const struct reader *r, struct field *f, unsigned nr, struct perf_line *line)
{
	field_trim(&f[0]);
	*line = (struct perf_line){.group = {"", 0}, .cgroup = {"", 0}, .running_pct100 = -1};
	line->has_stamp = perf_stamp(&f[0], &line->stamp_ns);
	unsigned at = line->has_stamp, n = at < nr ? group_fields(f + at, nr - at, &line->group) : 0;
	if (nr < at + 3)
		return false;
	if (n > 0) {
		at += n;
		/* "S0", "4": the number of CPUs after a socket. */
		if (is_value(&f[at]) && is_value(&f[at + 1]))
			at++;
	}
	line->value = f[at++];
	field_trim(&line->value);
	if (++at >= nr || (!line->has_stamp && !is_value(&line->value)))
		return false;
	n = event_fields(r, &f[at], nr - at);
	line->event = join(&f[at], &f[at + n - 1]);
	field_trim(&line->event);
	at += n;
	/* The run time and the percentage close what belongs to the event. */
	for (unsigned i = at; i + 1 < nr; i++) {
		int pct100 = perf_percentage(&f[i + 1]);
		if (pct100 < 0 || !is_whole(&f[i]))
			continue;
		line->is_mean = i > at && is_variance(&f[i - 1]);
		bool is_cgroup = i > at && f[at].len > 0 && f[at].text[f[at].len - 1] != '%';
		if (is_cgroup)
			line->cgroup = f[at];
		line->running_pct100 = pct100;
		break;
	}
	/* Without a stamp there must be all of it, so that nothing else passes for a count. */
	return line->has_stamp || (line->running_pct100 >= 0 && is_event(&line->event));
}

/* Whether a line, without its end and without a stamp, is one of perf's with this separator. */
static bool is_line(const struct reader *r, const char *text, size_t len)
{
	struct field fields[MAX_FIELDS];
	struct perf_line line;
	len -= len > 0 && text[len - 1] == '\r';
	return parse(r, fields, split(r, text, len, fields), &line) && !line.has_stamp && line.event.len > 0;
}

/* Separators of lines without a stamp, which does not show them. */
static const char separators[] = ",;|\t: ";

/* The separator with which a line of the head is one of perf's. */
static void find_by_fields(struct reader *r, const char *head, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *eol = memchr(head + at, '\n', len - at);
		size_t end = eol ? (size_t)(eol - head) : len;
		for (const char *s = separators; *s; s++) {
			r->separator[0] = *s;
			r->len = 1;
			if (is_line(r, head + at, end - at))
				return;
		}
		at = end + 1;
	}
	r->len = 0;
}

/* Between the stamp and the next field is the separator, or several when fields are blank: the shortest
 * such stretch of the first lines is it. */
static void find_by_stamps(struct reader *r, const char *head, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *eol = memchr(head + at, '\n', len - at);
		size_t end = eol ? (size_t)(eol - head) : len, from;
		size_t stamp_len = perf_stamp_len(head + at, end - at);
		from = at += stamp_len;
		while (stamp_len > 0 && at < end && !is_word(head[at]) && head[at] != '<' && head[at] != '-')
			at++;
		if (at > from && at < end && at - from <= MAX_SEPARATOR_BYTES && (r->len == 0 || at - from < r->len)) {
			r->len = at - from;
			memcpy(r->separator, head + from, r->len);
		}
		at = end + 1;
	}
}

static enum sahm_status find_separator(struct import *im, struct reader *r)
{
	const char *head, *given = im->options->separator;
	size_t len;
	if (given && strlen(given) > MAX_SEPARATOR_BYTES)
		return sahm_fail(im->err, SAHM_USAGE, "--separator is longer than %u bytes", MAX_SEPARATOR_BYTES);
	r->len = given ? strlen(given) : 0;
	if (given) {
		memcpy(r->separator, given, r->len);
		return SAHM_OK;
	}
	enum sahm_status status = line_reader_head(&im->lines, &head, &len, im->err);
	if (status == SAHM_OK)
		find_by_stamps(r, head, len);
	if (status == SAHM_OK && r->len == 0)
		find_by_fields(r, head, len);
	if (status == SAHM_OK && r->len == 0)
		status = sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				      "no line has a count and an event: was perf stat run with -x?");
	return status;
}

static enum sahm_status read_line(struct import *im)
{
	struct reader *r = im->state;
	struct field fields[MAX_FIELDS];
	struct perf_line line;
	size_t indent = strspn(im->lines.text, " \t");
	unsigned nr = split(r, im->lines.text + indent, im->lines.len - indent, fields);
	struct field first = fields[0];
	enum import_skip reason = im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT;
	field_trim(&first);
	if (parse(r, fields, nr, &line) && (line.running_pct100 >= 0 || im->lines.ended)) {
		if (line.event.len > 0)
			return perf_take(im, &r->recording, &line);
		reason = SKIP_METRIC;
	} else if (nr > 4 && fields[0].len + fields[1].len + fields[2].len == 0) {
		reason = SKIP_METRIC;
	} else if (field_is(&first, "summary")) {
		reason = SKIP_SUMMARY;
	}
	import_skip(im, reason, im->lines.line, NULL);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader r = {.recording = {.form = " -x"}};
	im->state = &r;
	enum sahm_status status = find_separator(im, &r);
	if (status == SAHM_OK)
		status = perf_read(im, &r.recording, read_line);
	im->state = NULL;
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	size_t stamp = perf_stamp_len(line, len);
	struct reader r = {.len = 1};
	/* Blanks separate words of anything. */
	for (const char *s = separators; stamp == 0 && *s != ' '; s++) {
		r.separator[0] = *s;
		if (memchr(line, *s, len) && is_line(&r, line, len))
			return true;
	}
	return stamp > 0 && stamp < len && !import_line_holds(line + stamp, len - stamp, "    ");
}

const struct import_format import_format_perf_csv = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.how = "perf stat run with -x, and with LC_ALL=C where decimals have commas",
	.read = read};
