/* perf stat -I MS -x SEP.
 *
 *     TIME [GROUP [NR]] VALUE UNIT EVENT [CGROUP] [VARIANCE] RUN-TIME PERCENTAGE [METRIC METRIC-UNIT]
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
	char separator[MAX_SEPARATOR_BYTES + 1];
	size_t len;
};

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Between the stamp and the next field is the separator, or several when fields are blank: the shortest
 * such stretch of the first lines is it. */
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
	for (size_t at = 0; status == SAHM_OK && at < len;) {
		const char *eol = memchr(head + at, '\n', len - at);
		size_t end = eol ? (size_t)(eol - head) : len, from;
		while (at < end && head[at] == ' ')
			at++;
		size_t stamp = at;
		while (at < end && (is_digit(head[at]) || head[at] == '.'))
			at++;
		for (from = at; at > stamp && at < end && !is_word(head[at]) && head[at] != '<' && head[at] != '-';)
			at++;
		if (at > from && at < end && at - from <= MAX_SEPARATOR_BYTES && (r->len == 0 || at - from < r->len)) {
			r->len = at - from;
			memcpy(r->separator, head + from, r->len);
		}
		at = end + 1;
	}
	if (status == SAHM_OK && r->len == 0)
		status = sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				      "no line has a time and an event: was perf stat run with -I and -x?");
	return status;
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

static struct field join(const struct field *first, const struct field *last)
{
	return (struct field){first->text, (size_t)(last->text + last->len - first->text)};
}

/* Number of fields after the stamp that name the group: the name of a thread may hold the separator. */
static unsigned group_fields(const struct field *f, unsigned nr, struct field *group)
{
	for (unsigned n = 1; n < 6 && n + 4 < nr && !is_value(&f[1]); n++) {
		*group = join(&f[1], &f[n]);
		field_trim(group);
		if (perf_is_group(group) && (n == 1 || is_value(&f[n + 1])))
			return n;
	}
	*group = (struct field){"", 0};
	return 0;
}

/* Takes a line apart; false when it is none of perf's. */
static bool parse(const struct reader *r, struct field *f, unsigned nr, struct perf_line *line)
{
	unsigned at = 1;
	field_trim(&f[0]);
	*line = (struct perf_line){.group = {"", 0}, .cgroup = {"", 0}, .running_pct100 = -1};
	if (nr < 4 || !perf_stamp(&f[0], &line->stamp_ns))
		return false;
	unsigned n = group_fields(f, nr, &line->group);
	if (n > 0) {
		at += n;
		/* "S0", "4": the number of CPUs after a socket. */
		if (is_value(&f[at]) && is_value(&f[at + 1]))
			at++;
	}
	line->value = f[at++];
	field_trim(&line->value);
	if (++at >= nr)
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
		bool is_cgroup = i > at && f[at].len > 0 && f[at].text[f[at].len - 1] != '%';
		if (is_cgroup)
			line->cgroup = f[at];
		line->running_pct100 = pct100;
		break;
	}
	return true;
}

static enum sahm_status read_line(struct import *im)
{
	const struct reader *r = im->state;
	struct field fields[MAX_FIELDS];
	struct perf_line line;
	size_t indent = strspn(im->lines.text, " \t");
	unsigned nr = split(r, im->lines.text + indent, im->lines.len - indent, fields);
	struct field first = fields[0];
	enum import_skip reason = im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT;
	field_trim(&first);
	if (parse(r, fields, nr, &line) && (line.running_pct100 >= 0 || im->lines.ended)) {
		if (line.event.len > 0)
			return perf_take(im, &line);
		reason = SKIP_METRIC;
	} else if (field_is(&first, "summary")) {
		reason = SKIP_SUMMARY;
	}
	import_skip(im, reason, im->lines.line, NULL);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader r;
	im->state = &r;
	enum sahm_status status = find_separator(im, &r);
	if (status == SAHM_OK)
		status = perf_read(im, "perf stat -I -x", read_line);
	im->state = NULL;
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	size_t stamp = perf_stamp_len(line, len);
	return stamp > 0 && stamp < len && !import_line_holds(line + stamp, len - stamp, "    ");
}

const struct import_format import_format_perf_csv = {
	.owns_line = owns_line, .is_counted_by_tool = true, .how = "perf stat run with -I and -x", .read = read};
