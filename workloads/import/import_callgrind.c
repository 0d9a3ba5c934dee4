/* callgrind's output: a part for each interval, all in one file (--combine-dumps=yes) or a file each, the last one
 * without a suffix. Files come in any order: parts are sorted when all are read.
 *
 * A part is a header of `key: value` lines, costs by line of code, which are not looked at, and `totals:`. Columns at
 * the end that are 0 are left out. `summary:` is what was counted, `totals:` what the written costs add up to; they can
 * differ by little, and the summary is taken. Source: callgrind manual, "Callgrind Format Specification". */
#include <stdlib.h>
#include <string.h>

#include "workloads/import/import_internal.h"

#define MAX_EVENTS 64u

/* Totals and summary that differ by more than this part are worth a word. */
#define MUCH 1000

struct part {
	uint64_t pid, number, thread;
	const char *file;
	unsigned line;
	unsigned nr_values;	  /* beyond these: 0 */
	bool has_totals, differs; /* it is complete; the totals are not the summary */
	const unsigned *columns;  /* of its events */
	unsigned nr_columns;
	decimal *values;
};

struct reader {
	struct part *parts; /* not in the arena: it grows */
	size_t nr, room;
	bool has_threads;
	uint64_t nr_cut, nr_holes; /* parts without totals; places at which parts are missing */
	/* of the present file */
	const unsigned *columns;
	unsigned nr_columns;
	uint64_t pid, thread;
	struct part *part; /* the present one; NULL before the first */
};

static enum sahm_status begin_part(struct import *im, struct reader *r, uint64_t number)
{
	if (r->nr == r->room) {
		size_t room = r->room ? r->room * 2 : 64;
		struct part *more = realloc(r->parts, room * sizeof(*more));
		if (!more)
			return sahm_fail_nomem(im->err);
		r->parts = more;
		r->room = room;
	}
	r->part = &r->parts[r->nr++];
	*r->part = (struct part){
		.pid = r->pid, .number = number, .thread = r->thread, .file = im->file, .line = im->lines.line};
	return SAHM_OK;
}

/* A file without a `part:` line is its only part. */
static enum sahm_status need_part(struct import *im, struct reader *r)
{
	return r->part ? SAHM_OK : begin_part(im, r, 1);
}

/* Next word of a line, or false. */
static bool next_word(const char **rest, const char **word, size_t *len)
{
	*rest += strspn(*rest, " \t");
	*word = *rest;
	*len = strcspn(*rest, " \t");
	*rest += *len;
	return *len > 0;
}

static enum sahm_status read_events(struct import *im, struct reader *r, const char *text)
{
	const char *word;
	size_t len;
	enum sahm_status status = need_part(im, r);
	unsigned columns[MAX_EVENTS], nr = 0;
	/* Costs are by the events in front of them. */
	if (status == SAHM_OK && r->part->values)
		return import_fail(im, "'events:' follows costs");
	while (status == SAHM_OK && next_word(&text, &word, &len)) {
		if (nr == MAX_EVENTS)
			return import_fail(im, "more than %u events", MAX_EVENTS);
		status = import_column(im, word, len, &columns[nr++]);
	}
	if (status != SAHM_OK)
		return status;
	/* Most parts have those of the part before. */
	if (nr == 0 || nr != r->nr_columns || memcmp(r->columns, columns, nr * sizeof(*columns)) != 0) {
		unsigned *copy = arena_alloc(&im->arena, nr, sizeof(*copy));
		if (!copy)
			return sahm_fail_nomem(im->err);
		memcpy(copy, columns, nr * sizeof(*copy));
		r->columns = copy;
		r->nr_columns = nr;
	}
	r->part->columns = r->columns;
	r->part->nr_columns = nr;
	return SAHM_OK;
}

static enum sahm_status read_costs(struct import *im, struct reader *r, const char *text, bool is_summary)
{
	const char *word;
	size_t len;
	decimal values[MAX_EVENTS];
	unsigned nr = 0;
	enum sahm_status status = need_part(im, r);
	if (status != SAHM_OK)
		return status;
	if (r->part->nr_columns == 0)
		return import_fail(im, "costs stand in front of 'events:'");
	while (next_word(&text, &word, &len)) {
		uint64_t count;
		if (nr == r->part->nr_columns)
			return import_fail(im, "more costs than events (%u)", nr);
		if (number_read_u64(word, len, &count) != NUMBER_OK)
			return import_fail(im, "'%.*s' is not a whole number", (int)(len < 40 ? len : 40), word);
		values[nr++] = (decimal)count * DECIMAL_ONE;
	}
	struct part *part = r->part;
	if (part->values) {
		decimal before = part->nr_values ? part->values[0] : 0, now = nr ? values[0] : 0;
		decimal away = before > now ? before - now : now - before;
		part->differs = away > now / MUCH;
	} else {
		part->values = arena_alloc(&im->arena, part->nr_columns, sizeof(*values));
		if (!part->values)
			return sahm_fail_nomem(im->err);
	}
	/* The totals are what callgrind says it collected; the summary of the last part counts a little more. */
	if (!is_summary || !part->has_totals) {
		memcpy(part->values, values, nr * sizeof(*values));
		part->nr_values = nr;
	}
	part->has_totals |= !is_summary;
	return SAHM_OK;
}

/* The text after `key:`, or NULL. */
static const char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);
	return strncmp(text, key, len) == 0 && text[len] == ':' ? text + len + 1 + strspn(text + len + 1, " \t") : NULL;
}

static enum sahm_status read_number(struct import *im, const char *text, uint64_t *value)
{
	size_t len = strcspn(text, " \t");
	if (number_read_u64(text, len, value) == NUMBER_OK)
		return SAHM_OK;
	return import_fail(im, "'%.40s' is not a whole number", text);
}

/* The model that stands for a machine. */
static enum sahm_status read_description(struct import *im, const char *text)
{
	if (strncmp(text, "Timerange", 9) == 0 || strncmp(text, "Trigger", 7) == 0)
		return SAHM_OK;
	if (strlen(im->machine) + strlen(text) + 3 < sizeof(im->machine) && !strstr(im->machine, text)) {
		if (*im->machine)
			strcat(im->machine, "; ");
		strcat(im->machine, text);
	}
	return SAHM_OK;
}

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	const char *text = im->lines.text, *value;
	uint64_t number;
	/* The last number of a line that was cut short can be any. */
	if (!im->lines.ended && (value_of(text, "totals") || value_of(text, "summary")))
		return SAHM_OK;
	enum sahm_status status = SAHM_OK;
	if ((value = value_of(text, "part"))) {
		status = read_number(im, value, &number);
		return status == SAHM_OK ? begin_part(im, r, number) : status;
	}
	if ((value = value_of(text, "events")))
		return read_events(im, r, value);
	if ((value = value_of(text, "summary")))
		return read_costs(im, r, value, true);
	if ((value = value_of(text, "totals")))
		return read_costs(im, r, value, false);
	if ((value = value_of(text, "pid")))
		return read_number(im, value, &r->pid);
	if ((value = value_of(text, "thread"))) {
		status = read_number(im, value, &r->thread);
		r->has_threads = true;
		if (r->part)
			r->part->thread = r->thread;
		return status;
	}
	if ((value = value_of(text, "cmd")) && *value)
		return import_say(im, PROVENANCE_PROGRAM, value);
	if ((value = value_of(text, "creator")) && *value)
		return import_say(im, PROVENANCE_TOOL, value);
	if ((value = value_of(text, "desc")))
		return read_description(im, value);
	return status;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = im->state ? im->state : arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? SAHM_OK : sahm_fail_nomem(im->err);
	if (status != SAHM_OK)
		return status;
	im->state = r;
	r->part = NULL;
	r->pid = r->thread = 0;
	r->nr_columns = 0;
	/* Costs by line of code begin with a digit, '+', '-' or '*', or name a place with '='. */
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		if (im->lines.text[0] >= 'a' && im->lines.text[0] <= 'z' && im->lines.text[1] != '=')
			status = read_line(im, r);
	}
	return status;
}

static int compare(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static void note(struct import *im, const struct part *p, const char *what)
{
	if (im->notes)
		textbuf_printf(im->notes, "%s:%u: part %llu %s\n", p->file, p->line, (unsigned long long)p->number,
			       what);
}

static enum sahm_status take_part(struct import *im, struct reader *r, const struct part *p)
{
	char name[32] = "";
	unsigned group;
	if (r->has_threads)
		snprintf(name, sizeof(name), "thread-%llu", (unsigned long long)p->thread);
	im->file = p->file;
	im->lines.line = p->line;
	if (!p->has_totals && r->nr_cut++ == 0)
		note(im, p, p->values ? "is cut short; its summary is complete" : "is cut short");
	else if (p->differs)
		im->nr_differing++;
	enum sahm_status status = import_group(im, name, strlen(name), &group);
	for (unsigned i = 0; i < p->nr_columns && status == SAHM_OK && p->values; i++)
		import_count(im, group, p->columns[i], i < p->nr_values ? p->values[i] : 0, -1);
	/* Counts missing of one thread are missing in the row. */
	for (unsigned i = 0; i < im->nr_columns && status == SAHM_OK && !p->values; i++)
		import_no_count(im, group, i, SKIP_INCOMPLETE);
	return status;
}

static enum sahm_status take_parts(struct import *im, struct reader *r)
{
	enum sahm_status status = SAHM_OK;
	if (r->nr > 0)
		qsort(r->parts, r->nr, sizeof(*r->parts), compare);
	for (size_t i = 0; i < r->nr && status == SAHM_OK; i++) {
		const struct part *p = &r->parts[i], *before = i ? p - 1 : NULL;
		if (before && before->pid != p->pid)
			return sahm_fail_at(im->err, SAHM_FORMAT, p->file, p->line,
					    "parts of two processes, %llu and %llu: import each separately",
					    (unsigned long long)before->pid, (unsigned long long)p->pid);
		if (before && compare(before, p) == 0)
			return sahm_fail_at(im->err, SAHM_FORMAT, p->file, p->line,
					    "part %llu is there twice, here and at %s:%u",
					    (unsigned long long)p->number, before->file, before->line);
		if (before && p->number > before->number + 1 && r->nr_holes++ == 0 && im->notes)
			textbuf_printf(im->notes, "%s:%u: parts %llu to %llu are missing in front of it\n", p->file,
				       p->line, (unsigned long long)before->number + 1,
				       (unsigned long long)p->number - 1);
		/* Threads of one part make one row. */
		if (before && before->number != p->number)
			status = import_end_row(im, false, 0);
		if (status == SAHM_OK)
			status = take_part(im, r, p);
	}
	return status == SAHM_OK ? import_end_row(im, false, 0) : status;
}

static enum sahm_status end(struct import *im)
{
	struct reader *r = im->state;
	if (r->nr > 0 && r->parts[0].number > 1 && im->notes && r->nr == 1)
		note(im, &r->parts[0], "is only a part: give all files of the process at once");
	enum sahm_status status = take_parts(im, r);
	if (r->nr_cut > 1 && im->notes)
		textbuf_printf(im->notes, "%s: %llu parts are cut short, the first one as above\n", im->file,
			       (unsigned long long)r->nr_cut);
	if (r->nr_holes > 1 && im->notes)
		textbuf_printf(im->notes, "%s: parts are missing at %llu places, the first one as above\n", im->file,
			       (unsigned long long)r->nr_holes);
	if (im->nr_differing && im->notes)
		textbuf_printf(im->notes, "%s: in %llu part%s 'summary:' is far from 'totals:', which were taken\n",
			       im->file, (unsigned long long)im->nr_differing, im->nr_differing == 1 ? "" : "s");
	free(r->parts);
	r->parts = NULL;
	if (status == SAHM_OK && *im->machine)
		status = import_say(im, PROVENANCE_MACHINE, im->machine);
	return status == SAHM_OK ? import_say(im, PROVENANCE_EPOCH, "interval between two dumps of callgrind") : status;
}

static void release(struct import *im)
{
	struct reader *r = im->state;
	if (r)
		free(r->parts);
}

static bool owns_line(const char *line, size_t len)
{
	return import_line_begins(line, len, "# callgrind format") ||
	       import_line_begins(line, len, "creator: callgrind");
}

const struct import_format import_format_callgrind = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.is_model = true,
	.how = "it finished by callgrind",
	.lacks = "; was callgrind run with --cache-sim=yes and --branch-sim=yes?",
	.takes_several = true,
	.groups = GROUPS_COME_AND_GO,
	.read = read,
	.end = end,
	.release = release,
};
