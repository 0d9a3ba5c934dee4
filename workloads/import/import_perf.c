#include "workloads/import/import_perf_internal.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"

/* Longest name of a CPU or thread and a cgroup together. */
#define MAX_GROUP_BYTES 1024u

/* No recording lasts this many ns. */
#define DURATION_END ((decimal)NS_PER_S * (decimal)NS_PER_S * DECIMAL_ONE)

bool field_is(const struct field *f, const char *word)
{
	return f->len == strlen(word) && memcmp(f->text, word, f->len) == 0;
}

void field_trim(struct field *f)
{
	while (f->len > 0 && (*f->text == ' ' || *f->text == '\t'))
		f->text++, f->len--;
	while (f->len > 0 && (f->text[f->len - 1] == ' ' || f->text[f->len - 1] == '\t'))
		f->len--;
}

bool field_next(char **rest, char separator, struct field *f)
{
	if (!*rest || !**rest)
		return false;
	char *end = strchrnul(*rest, separator);
	*f = (struct field){*rest, (size_t)(end - *rest)};
	*rest = *end ? end + 1 : NULL;
	return true;
}

static size_t count_digits(const struct field *f, size_t from)
{
	size_t at = from;
	while (at < f->len && is_digit(f->text[at]))
		at++;
	return at - from;
}

bool perf_stamp(const struct field *f, uint64_t *ns)
{
	decimal seconds;
	size_t whole = count_digits(f, 0);
	/* Decimals are in units of a ns by chance: both are thousand-millionths. A stamp has nine of them. */
	if (whole == 0 || whole > 9 || f->len != whole + 10 || f->text[whole] != '.' ||
	    decimal_read(f->text, f->len, &seconds) != NUMBER_OK)
		return false;
	*ns = (uint64_t)seconds;
	return true;
}

size_t perf_stamp_len(const char *line, size_t len)
{
	const struct field f = {line, len};
	size_t at = 0;
	while (at < len && (line[at] == ' ' || line[at] == '\t'))
		at++;
	size_t whole = count_digits(&f, at), point = at + whole;
	if (whole == 0 || point == len || line[point] != '.' || count_digits(&f, point + 1) != 9)
		return 0;
	/* perf script --ns */
	if (import_line_begins(line + point + 10, len - point - 10, ": "))
		return 0;
	return point + 10;
}

int perf_percentage(const struct field *f)
{
	size_t whole = count_digits(f, 0), decimals = whole < f->len ? count_digits(f, whole + 1) : 0;
	decimal value;
	if (whole == 0 || whole > 3 || decimals == 0 || f->len != whole + 1 + decimals || f->text[whole] != '.' ||
	    decimal_read(f->text, f->len, &value) != NUMBER_OK)
		return -1;
	value = (value + DECIMAL_ONE / 200) / (DECIMAL_ONE / 100);
	return value > 10000 ? 10000 : (int)value;
}

bool perf_is_group(const struct field *f)
{
	size_t digits = 0;
	while (digits < f->len && is_digit(f->text[f->len - 1 - digits]))
		digits++;
	if (digits == 0 || digits == f->len)
		return false;
	/* comm-tid; the comm can be anything. Others are "CPU0", "S0-D0-C1", "S0-D0-L3-ID0". */
	if (f->text[f->len - 1 - digits] == '-')
		return f->len > digits + 1;
	for (size_t i = 0; i < f->len; i++)
		if (!is_digit(f->text[i]) && f->text[i] != '-' && (f->text[i] < 'A' || f->text[i] > 'Z'))
			return false;
	return f->text[0] >= 'A';
}

/* CPU or thread and cgroup together make a group. */
static enum sahm_status find_group(struct import *im, const struct perf_line *line, unsigned *group)
{
	char both[MAX_GROUP_BYTES];
	if (line->cgroup.len == 0 || line->group.len == 0) {
		const struct field *f = line->cgroup.len ? &line->cgroup : &line->group;
		return import_group(im, f->text, f->len, group);
	}
	int n = snprintf(both, sizeof(both), "%.*s %.*s", (int)line->group.len, line->group.text, (int)line->cgroup.len,
			 line->cgroup.text);
	if (n < 0 || (size_t)n >= sizeof(both))
		return import_fail(im, "the names of CPU and cgroup are too long");
	return import_group(im, both, (size_t)n, group);
}

/* Says which tool it was, once something of it is counted. */
static enum sahm_status say_tool(struct import *im, const struct perf_recording *rec)
{
	char tool[64];
	snprintf(tool, sizeof(tool), "perf stat%s%s", rec->has_intervals ? " -I" : "", rec->form);
	return import_say(im, PROVENANCE_TOOL, tool);
}

/* Closes the row in the making; only stamps, or how long the recording lasted, say when it ended. */
static enum sahm_status end_row(struct import *im, struct perf_recording *rec)
{
	uint64_t ns = rec->elapsed_ns ? rec->elapsed_ns : rec->on_cpu_ns;
	if (!im->row_line)
		return SAHM_OK;
	rec->is_mixed |= !rec->is_whole;
	im->intervals.are_runs = im->intervals.are_exact = !rec->is_mixed;
	if (!rec->is_whole)
		return import_end_row(im, true, rec->stamp_ns);
	rec->nr_on_cpu += rec->elapsed_ns == 0 && rec->on_cpu_ns > 0;
	return import_end_row(im, ns > 0, ns);
}

enum sahm_status perf_begin(struct import *im, struct perf_recording *rec, const char *date)
{
	bool is_begun = rec->is_fresh && !date;
	enum sahm_status status = end_row(im, rec);
	rec->has_intervals = rec->is_whole = false;
	rec->is_headed = true;
	rec->is_fresh = date != NULL;
	rec->stamp_ns = rec->elapsed_ns = rec->on_cpu_ns = 0;
	return is_begun || status != SAHM_OK ? status : import_begin_recording(im, date);
}

/* Whether these are the group and event with which the recording began. */
static bool is_first(const struct perf_recording *rec, const struct perf_line *line, char name[PERF_FIRST_BYTES])
{
	snprintf(name, PERF_FIRST_BYTES, "%.*s %.*s %.*s", (int)line->event.len, line->event.text, (int)line->group.len,
		 line->group.text, (int)line->cgroup.len, line->cgroup.text);
	return strcmp(name, rec->first) == 0;
}

/* Finds the recording that a line without stamp counts as a whole. Where no comment or heading says that another one
 * begins, as on standard error, the return of its first event does. */
static enum sahm_status find_whole(struct import *im, struct perf_recording *rec, const struct perf_line *line)
{
	char name[PERF_FIRST_BYTES];
	enum sahm_status status = SAHM_OK;
	if (rec->is_whole && (rec->is_headed || !is_first(rec, line, name)))
		return SAHM_OK;
	is_first(rec, line, name);
	if (!rec->is_headed) {
		status = perf_begin(im, rec, NULL);
		rec->is_headed = false;
	}
	memcpy(rec->first, name, sizeof(name));
	rec->is_whole = true;
	return status;
}

/* An event that shows how long the recording lasted, or its program ran on CPUs: the longest of all groups. */
static void take_duration(struct perf_recording *rec, const struct perf_line *line)
{
	static const char elapsed[] = "duration_time", on_cpu[] = "task-clock";
	bool is_elapsed = import_line_begins(line->event.text, line->event.len, elapsed);
	uint64_t *ns = is_elapsed ? &rec->elapsed_ns : &rec->on_cpu_ns;
	decimal value;
	if ((!is_elapsed && !import_line_begins(line->event.text, line->event.len, on_cpu)) ||
	    decimal_read(line->value.text, line->value.len, &value) != NUMBER_OK || value < 0 || value >= DURATION_END)
		return;
	/* perf counts the one in ns, the other in ms. */
	uint64_t counted_ns = (uint64_t)(value / (is_elapsed ? DECIMAL_ONE : DECIMAL_ONE / (decimal)NS_PER_MS));
	if (counted_ns > *ns)
		*ns = counted_ns;
}

/* Into the row in the making. */
static enum sahm_status take_value(struct import *im, const struct perf_line *line)
{
	unsigned group, column;
	enum sahm_status status = find_group(im, line, &group);
	if (status == SAHM_OK)
		status = import_column(im, line->event.text, line->event.len, &column);
	if (status == SAHM_OK)
		import_text(im, group, column, line->value.text, line->value.len, line->running_pct100);
	return status;
}

enum sahm_status perf_take(struct import *im, struct perf_recording *rec, const struct perf_line *line)
{
	enum sahm_status status = SAHM_OK;
	if (!line->has_stamp && rec->has_intervals) {
		import_skip(im, SKIP_SUMMARY, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (!line->has_stamp) {
		status = find_whole(im, rec, line);
	} else if (rec->is_whole) {
		status = perf_begin(im, rec, NULL);
		rec->is_headed = false;
	}
	rec->has_intervals |= line->has_stamp;
	rec->is_fresh = false;
	if (status != SAHM_OK)
		return status;
	if (!import_recording_is_chosen(im)) {
		import_skip(im, SKIP_OTHER_RECORDING, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (line->has_stamp && im->row_line && line->stamp_ns != rec->stamp_ns)
		status = end_row(im, rec);
	if (status == SAHM_OK && im->row_line == 0)
		status = say_tool(im, rec);
	rec->stamp_ns = line->stamp_ns;
	if (!line->has_stamp) {
		take_duration(rec, line);
		rec->nr_means += line->is_mean;
	}
	return status == SAHM_OK ? take_value(im, line) : status;
}

/* "# started on DATE" begins a recording. */
static enum sahm_status read_comment(struct import *im, struct perf_recording *rec)
{
	static const char started[] = "# started on ";
	if (strncmp(im->lines.text, started, sizeof(started) - 1) != 0)
		return SAHM_OK;
	return perf_begin(im, rec, im->lines.text + sizeof(started) - 1);
}

static void report(struct import *im, const struct perf_recording *rec)
{
	if (rec->nr_on_cpu && im->notes)
		textbuf_printf(im->notes,
			       "%s: recordings are taken to last as long as their task-clock: elapsed time, the event "
			       "duration_time, is missing\n",
			       im->file);
	if (rec->nr_means && im->notes)
		textbuf_printf(im->notes, "%s: counts are means over the runs of perf stat -r\n", im->file);
}

enum sahm_status perf_read(struct import *im, struct perf_recording *rec,
			   enum sahm_status (*read_line)(struct import *im))
{
	bool more = true;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		if (im->lines.text[0] == '#')
			status = read_comment(im, rec);
		else if (im->lines.text[strspn(im->lines.text, " \t")])
			status = read_line(im);
	}
	if (status == SAHM_OK)
		status = end_row(im, rec);
	report(im, rec);
	return status;
}
