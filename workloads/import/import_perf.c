#include "workloads/import/import_perf_internal.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"

/* Longest name of a CPU or thread and a cgroup together. */
#define MAX_GROUP_BYTES 1024u

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

enum sahm_status perf_take(struct import *im, const struct perf_line *line)
{
	unsigned group, column;
	if (!import_recording_is_chosen(im)) {
		import_skip(im, SKIP_OTHER_RECORDING, im->lines.line, NULL);
		return SAHM_OK;
	}
	enum sahm_status status = SAHM_OK;
	if (im->row_line && line->stamp_ns != im->row_stamp_ns)
		status = import_end_row(im, true, im->row_stamp_ns);
	im->row_stamp_ns = line->stamp_ns;
	if (status == SAHM_OK)
		status = find_group(im, line, &group);
	if (status == SAHM_OK)
		status = import_column(im, line->event.text, line->event.len, &column);
	if (status == SAHM_OK)
		import_text(im, group, column, line->value.text, line->value.len, line->running_pct100);
	return status;
}

static enum sahm_status end_recording(struct import *im)
{
	return im->row_line ? import_end_row(im, true, im->row_stamp_ns) : SAHM_OK;
}

/* "# started on DATE" begins a recording. */
static enum sahm_status read_comment(struct import *im)
{
	static const char started[] = "# started on ";
	if (strncmp(im->lines.text, started, sizeof(started) - 1) != 0)
		return SAHM_OK;
	enum sahm_status status = end_recording(im);
	return status == SAHM_OK ? import_begin_recording(im, im->lines.text + sizeof(started) - 1) : status;
}

enum sahm_status perf_read(struct import *im, const char *tool, enum sahm_status (*read_line)(struct import *im))
{
	bool more = true;
	enum sahm_status status = import_say(im, PROVENANCE_TOOL, tool);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		if (im->lines.text[0] == '#')
			status = read_comment(im);
		else if (im->lines.text[strspn(im->lines.text, " \t")])
			status = read_line(im);
	}
	return status == SAHM_OK ? end_recording(im) : status;
}
