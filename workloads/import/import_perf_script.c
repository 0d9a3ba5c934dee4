/* perf script: samples of perf record, a line each, with the lines of a call chain below it.
 *
 *     [COMM] [[PID/]TID] [[CPU]] TIME: PERIOD EVENT: ...
 *
 * The sum of an event's periods estimates its count. Samples make rows of equal length from the first one on. An event
 * of which a row has no sample counts 0 there; since its first sample can be anywhere, rows are made after the last
 * line. Source: perf-script(1), files of perf 6.1, and quoted lines of perf 4 to 6. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/import/import_perf_internal.h"

/* The command that prints what is needed. */
#define COMMAND "perf script -F comm,tid,time,period,event"

/* Longest name of a thread, with its number. */
#define MAX_THREAD_BYTES 256u

/* Where samples span more rows, a time is wrong. */
#define MAX_ROWS UINT64_C(1000000)

/* No time is later, in s. */
#define SECONDS_END UINT64_C(1000000000)

/* Events that the note about the mean periods names. */
#define MAX_SHOWN 8u

/* Periods of an event and a thread in a row. */
struct tally {
	uint64_t row, sum;
	unsigned line; /* of the first sample */
	uint16_t group, column;
};

struct reader {
	struct tally *tallies; /* rows in order; not in the arena: they grow */
	size_t nr, room;
	size_t *last[MAX_IMPORT_GROUPS]; /* by column: 1 + the last tally, 0: there is none; NULL: of all columns */
	uint64_t epoch_ns, nr_samples, first_ns, last_ns;
	double sum[MAX_IMPORT_COLUMNS];	    /* of periods */
	uint64_t nr_of[MAX_IMPORT_COLUMNS]; /* samples */
	uint64_t nr_bare;		    /* samples without a period */
	unsigned first_bare_line;
	bool has_others; /* beside the scheduler's events */
	bool in_chain;
};

struct sample {
	uint64_t ns, period;
	bool has_period, has_more; /* something follows the event */
	struct field front, event;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads "1234.567890" or, with --ns, nine decimals, as far as `end`; where it begins, or NULL. */
static const char *read_time(const char *line, const char *end, uint64_t *ns)
{
	const char *at = end;
	uint64_t fraction = 0, seconds, unit = 1;
	while (at > line && is_digit(at[-1]) && end - at < 10) {
		fraction += (uint64_t)(*--at - '0') * unit;
		unit *= 10;
	}
	if ((end - at != 6 && end - at != 9) || at == line || at[-1] != '.')
		return NULL;
	const char *point = --at;
	while (at > line && is_digit(at[-1]))
		at--;
	if (number_read_u64(at, (size_t)(point - at), &seconds) != NUMBER_OK || seconds >= SECONDS_END ||
	    (at > line && !is_blank(at[-1])))
		return NULL;
	*ns = seconds * NS_PER_S + fraction * (NS_PER_S / unit);
	return at;
}

static struct field next_word(const char **at, const char *end)
{
	while (*at < end && is_blank(**at))
		++*at;
	const char *from = *at;
	while (*at < end && !is_blank(**at))
		++*at;
	return (struct field){from, (size_t)(*at - from)};
}

/* Takes the terms of "instructions/period=100000/u" off, which say how it was sampled. */
static void drop_terms(struct field *event)
{
	const char *slash = memchr(event->text, '/', event->len);
	size_t front = slash ? (size_t)(slash - event->text) : event->len;
	if (slash &&
	    (import_line_begins(slash, event->len - front, "/period=") ||
	     import_line_begins(slash, event->len - front, "/freq=")) &&
	    !memchr(slash, ',', event->len - front))
		event->len = front;
}

/* Splits a line; false when it is no sample. */
static bool parse(const char *line, size_t len, struct sample *s)
{
	const char *end = line + len, *colon = line;
	for (; (colon = memchr(colon, ':', (size_t)(end - colon))); colon++) {
		const char *at = colon + 1, *from = read_time(line, colon, &s->ns);
		if (!from || (at < end && !is_blank(*at)))
			continue;
		struct field word = next_word(&at, end);
		s->has_period = number_read_u64(word.text, word.len, &s->period) == NUMBER_OK;
		if (s->has_period)
			word = next_word(&at, end);
		/* An event's name can hold colons; one follows it. */
		if (word.len < 2 || word.text[word.len - 1] != ':' || is_digit(word.text[0]))
			continue;
		s->event = (struct field){word.text, word.len - 1};
		drop_terms(&s->event);
		s->front = (struct field){line, (size_t)(from - line)};
		s->has_more = next_word(&at, end).len > 0;
		return true;
	}
	return false;
}

static bool is_number(const struct field *f)
{
	size_t digits = 0;
	while (digits < f->len && is_digit(f->text[digits]))
		digits++;
	return f->len > 0 && digits == f->len;
}

/* Takes "[001]", and the letters of -F misc after it, off the end. */
static void drop_cpu(struct field *f)
{
	const char *open = memrchr(f->text, '[', f->len), *end = f->text + f->len;
	const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
	if (!close || !is_number(&(struct field){open + 1, (size_t)(close - open - 1)}))
		return;
	f->len = (size_t)(open - f->text);
}

/* Names the thread as perf stat --per-thread does: "comm-tid", without parts that the line lacks. */
static void name_thread(struct field front, char name[MAX_THREAD_BYTES])
{
	field_trim(&front);
	drop_cpu(&front);
	field_trim(&front);
	size_t at = front.len;
	while (at > 0 && !is_blank(front.text[at - 1]))
		at--;
	/* "pid/tid" */
	struct field tid = {front.text + at, front.len - at};
	const char *slash = memchr(tid.text, '/', tid.len);
	if (slash && is_number(&(struct field){tid.text, (size_t)(slash - tid.text)}))
		tid = (struct field){slash + 1, (size_t)(tid.text + tid.len - slash - 1)};
	bool has_tid = is_number(&tid);
	if (has_tid)
		front.len = at;
	field_trim(&front);
	snprintf(name, MAX_THREAD_BYTES, "%.*s%s%.*s", (int)(front.len < 200 ? front.len : 200), front.text,
		 has_tid && front.len > 0 ? "-" : "", has_tid ? (int)(tid.len < 20 ? tid.len : 20) : 0, tid.text);
}

static enum sahm_status add(struct import *im, struct reader *r, const struct tally *t)
{
	size_t **last = &r->last[t->group];
	if (!*last)
		*last = arena_alloc(&im->arena, MAX_IMPORT_COLUMNS, sizeof(**last));
	if (!*last)
		return sahm_fail_nomem(im->err);
	struct tally *before = (*last)[t->column] ? &r->tallies[(*last)[t->column] - 1] : NULL;
	if (before && before->row == t->row) {
		if (t->sum > UINT64_MAX - before->sum)
			return import_fail(im, "the periods of this row do not fit 64 bits");
		before->sum += t->sum;
		return SAHM_OK;
	}
	if (r->nr == r->room) {
		size_t room = r->room ? r->room * 2 : 1024;
		struct tally *more = realloc(r->tallies, room * sizeof(*more));
		if (!more)
			return sahm_fail_nomem(im->err);
		r->tallies = more;
		r->room = room;
	}
	r->tallies[r->nr++] = *t;
	(*last)[t->column] = r->nr;
	return SAHM_OK;
}

static enum sahm_status take(struct import *im, struct reader *r, const struct sample *s)
{
	char name[MAX_THREAD_BYTES];
	unsigned group, column;
	if (r->nr_samples++ == 0)
		r->first_ns = r->last_ns = s->ns;
	uint64_t row = s->ns < r->first_ns ? 0 : (s->ns - r->first_ns) / r->epoch_ns;
	if (s->ns < r->first_ns || row < (r->last_ns - r->first_ns) / r->epoch_ns)
		return import_fail(
			im,
			"time runs backwards, from %.9g s to %.9g s: give each recording separately, as perf "
			"script prints it",
			(double)r->last_ns / (double)NS_PER_S, (double)s->ns / (double)NS_PER_S);
	if (row >= MAX_ROWS)
		return import_fail(im,
				   "%.9g s after the first sample, there would be %" PRIu64
				   " rows or more: is its time right (--epoch-ms makes longer ones)?",
				   (double)(s->ns - r->first_ns) / (double)NS_PER_S, MAX_ROWS);
	r->last_ns = s->ns > r->last_ns ? s->ns : r->last_ns;
	name_thread(s->front, name);
	enum sahm_status status = import_group(im, name, strlen(name), &group);
	if (status == SAHM_OK)
		status = import_column(im, s->event.text, s->event.len, &column);
	if (status != SAHM_OK)
		return status;
	if (!im->groups[group].chosen || im->columns[column].ignored) {
		import_skip(im, im->groups[group].chosen ? SKIP_OTHER_PMU : SKIP_OTHER_GROUP, im->lines.line, NULL);
		return SAHM_OK;
	}
	r->sum[column] += (double)s->period;
	r->nr_of[column]++;
	return add(im, r,
		   &(struct tally){.row = row,
				   .sum = s->period,
				   .line = im->lines.line,
				   .group = (uint16_t)group,
				   .column = (uint16_t)column});
}

static enum sahm_status read_comment(struct import *im)
{
	static const char captured[] = "# captured on";
	const char *text = im->lines.text, *colon = strchr(text, ':');
	if (strncmp(text, captured, sizeof(captured) - 1) != 0 || !colon)
		return SAHM_OK;
	return import_say(im, PROVENANCE_DATE, colon + 1 + strspn(colon + 1, " "));
}

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	struct sample s;
	/* The last line of a file that was cut short may lack the end of an event's name. */
	if (*im->lines.text != '\t' && im->lines.ended && parse(im->lines.text, im->lines.len, &s)) {
		r->in_chain = !s.has_more;
		if (import_line_begins(s.event.text, s.event.len, "PERF_RECORD_"))
			return SAHM_OK;
		r->has_others |= !import_line_begins(s.event.text, s.event.len, "sched");
		if (s.has_period)
			return take(im, r, &s);
		if (r->nr_bare++ == 0)
			r->first_bare_line = im->lines.line;
		return SAHM_OK;
	}
	bool is_record = import_line_holds(im->lines.text, im->lines.len, ": PERF_RECORD_");
	if (*im->lines.text != '\t' && !r->in_chain && !is_record)
		import_skip(im, im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT, im->lines.line, NULL);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = im->state ? im->state : arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "perf script") : sahm_fail_nomem(im->err);
	if (status != SAHM_OK)
		return status;
	im->state = r;
	r->epoch_ns = im->options->epoch_ns ? im->options->epoch_ns : ns_of_ms(DEFAULT_EPOCH_MS);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		if (im->lines.text[0] == '#')
			status = read_comment(im);
		else if (im->lines.text[strspn(im->lines.text, " \t")])
			status = read_line(im, r);
		else
			r->in_chain = false;
	}
	return status;
}

/* First and last row of a thread. */
struct life {
	uint64_t first, last;
	bool is_there;
};

static bool is_alive(const struct life *life, uint64_t row)
{
	return life->is_there && life->first <= row && row <= life->last;
}

/* 0 for all events that a thread has no samples of. */
static void fill(struct import *im, unsigned group)
{
	for (unsigned c = 0; c < im->nr_columns; c++)
		if (!im->columns[c].ignored && !im->groups[group].cells[c].is_there)
			import_count(im, group, c, 0, -1);
}

/* Fills what a row has no samples of, for threads that have some; with --each, for all from their first sample to the
 * last. The last row ends with the last sample. */
static enum sahm_status end_row(struct import *im, const struct reader *r, const struct life *lives, uint64_t row)
{
	uint64_t from_ns = row * r->epoch_ns, end_ns = from_ns + r->epoch_ns, span_ns = r->last_ns - r->first_ns;
	for (unsigned s = 0, nr = im->nr_seen; s < nr; s++)
		fill(im, im->seen[s]);
	for (unsigned g = 0; im->options->groups == IMPORT_EACH && g < im->nr_groups; g++)
		if (is_alive(&lives[g], row))
			fill(im, g);
	if (im->nr_seen == 0)
		fill(im, r->tallies[0].group);
	/* Rows without samples may have been passed over. */
	im->stamp.ns = from_ns;
	/* The only one has its length from nothing else. */
	if (span_ns < end_ns && row > r->tallies[0].row)
		end_ns = span_ns > from_ns ? span_ns : from_ns + 1;
	return import_end_row(im, true, end_ns);
}

/* Rows without any samples, from one to the one in front of another. */
static enum sahm_status pass_idle(struct import *im, const struct reader *r, const struct life *lives, uint64_t from,
				  uint64_t to)
{
	enum sahm_status status = SAHM_OK;
	uint64_t nr = im->options->groups == IMPORT_EACH ? 0 : to - from;
	for (; im->options->keep_idle && from < to && status == SAHM_OK; from++)
		status = end_row(im, r, lives, from);
	if (im->options->keep_idle || from == to)
		return status;
	for (unsigned g = 0; im->options->groups == IMPORT_EACH && g < im->nr_groups; g++)
		nr += is_alive(&lives[g], from) ? to - from : 0;
	if (nr == 0)
		return SAHM_OK;
	import_skip(im, SKIP_IDLE, im->lines.line, NULL);
	im->skipped[SKIP_IDLE] += nr - 1;
	im->nr_rows += nr;
	im->nr_skipped_rows += nr;
	return SAHM_OK;
}

static enum sahm_status make_rows(struct import *im, const struct reader *r)
{
	enum sahm_status status = SAHM_OK;
	struct life *lives = arena_alloc(&im->arena, MAX_IMPORT_GROUPS, sizeof(*lives));
	if (!lives)
		return sahm_fail_nomem(im->err);
	for (size_t i = 0; i < r->nr; i++) {
		struct life *life = &lives[r->tallies[i].group];
		life->first = life->is_there ? life->first : r->tallies[i].row;
		life->last = r->tallies[i].row;
		life->is_there = true;
	}
	uint64_t next = r->tallies[0].row;
	for (size_t at = 0; at < r->nr && status == SAHM_OK;) {
		const struct tally *t = &r->tallies[at];
		im->lines.line = t->line;
		status = pass_idle(im, r, lives, next, t->row);
		next = t->row + 1;
		for (; at < r->nr && t->row + 1 == next; t = &r->tallies[++at])
			import_count(im, t->group, t->column, (decimal)t->sum * DECIMAL_ONE, -1);
		if (status == SAHM_OK)
			status = end_row(im, r, lives, next - 1);
	}
	return status;
}

/* How much a sample stands for: nothing finer shows in the counts. */
static enum sahm_status say_resolution(struct import *im, const struct reader *r)
{
	struct textbuf b;
	unsigned shown = 0;
	textbuf_init(&b);
	textbuf_puts(&b, "estimated from samples, each of which stands for");
	for (unsigned c = 0; c < im->nr_columns; c++) {
		if (r->nr_of[c] == 0 || shown++ >= MAX_SHOWN)
			continue;
		textbuf_printf(&b, "%s %.0f %.60s", shown > 1 ? "," : "", r->sum[c] / (double)r->nr_of[c],
			       im->columns[c].name);
	}
	textbuf_puts(&b, shown > MAX_SHOWN ? ", ... on average" : " on average");
	enum sahm_status status = textbuf_failed(&b) ? sahm_fail_nomem(im->err) : SAHM_OK;
	if (status == SAHM_OK && im->notes)
		textbuf_printf(im->notes, "%s: counts are %s\n", im->file, b.text);
	if (status == SAHM_OK)
		status = import_say(im, PROVENANCE_NOTE, b.text);
	textbuf_release(&b);
	return status;
}

static enum sahm_status end(struct import *im)
{
	struct reader *r = im->state;
	if (r->nr_samples + r->nr_bare > 0 && !r->has_others && !im->options->map)
		return sahm_fail_at(
			im->err, SAHM_FORMAT, im->file, 0,
			"only events of the scheduler, which count nothing: sahm trace bursts takes run and "
			"sleep times from them");
	if (r->nr_samples == 0 && r->nr_bare > 0)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, r->first_bare_line,
				    "samples without a period, which cannot be counted: run " COMMAND);
	if (r->nr_bare > 0 && im->notes)
		textbuf_printf(im->notes,
			       "%s:%u: %" PRIu64 " sample%s passed over without a period, which " COMMAND " prints\n",
			       im->file, r->first_bare_line, r->nr_bare, r->nr_bare > 1 ? "s" : "");
	if (r->nr == 0)
		return SAHM_OK;
	enum sahm_status status = say_resolution(im, r);
	return status == SAHM_OK ? make_rows(im, r) : status;
}

static void release(struct import *im)
{
	struct reader *r = im->state;
	if (r)
		free(r->tallies);
}

/* The header of --header names the command that recorded, for files that hold nothing else. */
static bool owns_line(const char *line, size_t len)
{
	struct sample s;
	static const char command[] = "# cmdline : ";
	len -= len > 0 && line[len - 1] == '\r';
	return parse(line, len, &s) ||
	       (import_line_begins(line, len, command) && import_line_holds(line, len, "perf record"));
}

const struct import_format import_format_perf_script = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.how = COMMAND " run on it, and are there samples",
	.lacks = "; an event without any sample is not in the file",
	.groups = GROUPS_COME_AND_GO,
	.read = read,
	.end = end,
	.release = release,
};
