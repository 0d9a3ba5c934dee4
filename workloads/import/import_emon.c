/* EMON of Intel SEP, its own output (emon.dat): a line for each event, of the time stamp counter's ticks and a count of
 * each CPU, with tabs between; a line of '-' ends a set of events, one of '=' the last of them.
 *
 *     INST_RETIRED.ANY	2,100,000,000	812,345,678	801,234,567
 *     L2_RQSTS.MISS	2,100,000,000	1,234,567	1,345,678
 *     ----------
 *
 * A set makes a row; --rotate joins sets that take turns. Events of sockets have as many counts as there are sockets or
 * units: only what stands for a counter is read. Built from what a public script (parse_emon_rocksdb.pl) reads of it;
 * no real file was at hand. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "workloads/import/import_perf_internal.h"

static const char instructions[] = "INST_RETIRED.ANY";

struct reader {
	unsigned nr_cpus;
	unsigned groups[MAX_IMPORT_GROUPS];
};

static bool next_field(char **rest, struct field *f)
{
	*rest += strspn(*rest, "\t ");
	*f = (struct field){*rest, strcspn(*rest, "\t ")};
	*rest += f->len;
	return f->len > 0;
}

/* "812,345,678" without commas; 0 where it is no count. */
static size_t read_digits(const struct field *f, char digits[32])
{
	size_t len = 0;
	for (size_t i = 0; i < f->len; i++) {
		if (f->text[i] == ',')
			continue;
		if (!is_digit(f->text[i]) || len == 31)
			return 0;
		digits[len++] = f->text[i];
	}
	return len;
}

static enum sahm_status need_cpu(struct import *im, struct reader *r, unsigned cpu)
{
	char name[24];
	if (cpu == MAX_IMPORT_GROUPS)
		return import_fail(im, "more than %u CPUs", MAX_IMPORT_GROUPS);
	if (cpu < r->nr_cpus)
		return SAHM_OK;
	int n = snprintf(name, sizeof(name), "CPU%u", cpu);
	return import_group(im, name, (size_t)n, &r->groups[r->nr_cpus++]);
}

/* Whether the line has an event, ticks and at least one count; how many counts. */
static bool is_event(const char *text, unsigned *nr_counts)
{
	char *rest = (char *)(uintptr_t)text, digits[32];
	struct field f;
	unsigned nr = 0;
	if (!next_field(&rest, &f) || (!isalpha((unsigned char)f.text[0]) && f.text[0] != '_'))
		return false;
	for (; next_field(&rest, &f); nr++)
		if (read_digits(&f, digits) == 0)
			return false;
	*nr_counts = nr > 0 ? nr - 1 : 0;
	return nr > 1;
}

static enum sahm_status read_event(struct import *im, struct reader *r)
{
	char *rest = im->lines.text, digits[32];
	struct field name, f;
	unsigned column, nr_counts;
	enum sahm_status status = SAHM_OK;
	if (!is_event(rest, &nr_counts))
		return SAHM_OK;
	if (!im->lines.ended) {
		import_skip(im, SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	next_field(&rest, &name);
	bool wanted = import_is_event_wanted(im, name.text, name.len);
	if (wanted || im->nr_columns < MAX_IMPORT_COLUMNS / 2)
		status = import_column(im, name.text, name.len, &column);
	if (status != SAHM_OK || !wanted)
		return status;
	/* Instructions have a count for every CPU. */
	if (r->nr_cpus > 0 && nr_counts != r->nr_cpus) {
		import_skip(im, SKIP_UNREADABLE, im->lines.line, NULL);
		return SAHM_OK;
	}
	next_field(&rest, &f);
	for (unsigned cpu = 0; cpu < nr_counts && status == SAHM_OK && next_field(&rest, &f); cpu++) {
		status = need_cpu(im, r, cpu);
		if (status == SAHM_OK)
			import_text(im, r->groups[cpu], column, digits, read_digits(&f, digits), -1);
	}
	return status;
}

static bool is_rule(const char *text)
{
	size_t len = strspn(text, "-");
	len = len ? len : strspn(text, "=");
	return len >= 10 && !text[len];
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "emon") : sahm_fail_nomem(im->err);
	if (status == SAHM_OK && im->notes)
		textbuf_printf(im->notes,
			       "%s: EMON's output is read as scripts do; no real file was at hand to try it on\n",
			       im->file);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		status = is_rule(im->lines.text) ? import_end_row(im, false, 0) : read_event(im, r);
	}
	/* A set that nothing ends may lack events. */
	if (status == SAHM_OK && im->row_line > 0) {
		import_skip(im, SKIP_CUT_SHORT, im->row_line, NULL);
		import_clear_row(im);
	}
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	size_t name = strlen(instructions);
	return len > name + 1 && import_line_begins(line, len, instructions) && line[name] == '\t' &&
	       is_digit(line[name + 1]);
}

const struct import_format import_format_emon = {.owns_line = owns_line,
						 .is_counted_by_tool = true,
						 .how = "it made by emon",
						 .lacks = "; emon counts what its list of events (-i) names",
						 .read = read};
