/* pcm-core -csv=FILE of Intel PCM: for each interval
 *
 *     Time elapsed: 1000 ms
 *     txn_rate: 1
 *     Event0: L1D.REPLACEMENT (raw 0x151)
 *
 *     Core,IPC,Instructions,Cycles,RefCycles,Event0,Event1,Event2,Event3
 *     0,1.10,2200000.00,2000000.00,2100000.00,512.00,0.00,0.00,0.00,
 *     *,...
 *
 * a line for each core, and one for all of them. Columns of events are called as the events are.
 * [intel/pcm, src/pcm-core.cpp] */
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/import/import_perf_internal.h"

/* No interval lasts longer. */
#define MAX_MS UINT64_C(1000000000)
#define MAX_EVENTS 32u

struct reader {
	char *events[MAX_EVENTS]; /* NULL: not named */
	unsigned columns[MAX_IMPORT_COLUMNS];
	unsigned nr_columns; /* 0: there was no header row yet */
	uint64_t stamp_ns;
	unsigned group;
};

static bool next_field(char **rest, struct field *f)
{
	bool is_there = field_next(rest, ',', f);
	if (is_there)
		field_trim(f);
	return is_there;
}

/* The number of "Event12", from the digits on; MAX_EVENTS where it is none. */
static unsigned event_number(const char *text, size_t len)
{
	uint64_t nr;
	return number_read_u64(text, len, &nr) == NUMBER_OK && nr < MAX_EVENTS ? (unsigned)nr : MAX_EVENTS;
}

/* "Event0: NAME (raw 0x151)" */
static enum sahm_status read_event(struct import *im, struct reader *r, const char *text)
{
	size_t digits = strcspn(text, ":");
	unsigned nr = event_number(text, digits);
	if (nr == MAX_EVENTS || !text[digits])
		return SAHM_OK;
	const char *name = text + digits + 1 + strspn(text + digits + 1, " ");
	const char *raw = strstr(name, " (raw ");
	size_t len = raw ? (size_t)(raw - name) : strlen(name);
	r->events[nr] = len > 0 ? arena_strndup(&im->arena, name, len) : NULL;
	return r->events[nr] || len == 0 ? SAHM_OK : sahm_fail_nomem(im->err);
}

static enum sahm_status read_header(struct import *im, struct reader *r)
{
	static const char word[] = "Event";
	enum sahm_status status = SAHM_OK;
	char *rest = im->lines.text;
	struct field f;
	r->nr_columns = 0;
	while (status == SAHM_OK && next_field(&rest, &f)) {
		const char *name = f.text;
		size_t len = f.len;
		unsigned nr = MAX_EVENTS;
		if (import_line_begins(f.text, f.len, word))
			nr = event_number(f.text + strlen(word), f.len - strlen(word));
		if (nr < MAX_EVENTS && r->events[nr]) {
			name = r->events[nr];
			len = strlen(name);
		}
		if (r->nr_columns == MAX_IMPORT_COLUMNS)
			return import_fail(im, "more than %u different events", MAX_IMPORT_COLUMNS);
		/* The first is the core's number. */
		r->columns[r->nr_columns] = 0;
		if (r->nr_columns > 0)
			status = import_column(im, name, len, &r->columns[r->nr_columns]);
		r->nr_columns++;
	}
	return status;
}

/* A new interval begins. */
static enum sahm_status read_elapsed(struct import *im, struct reader *r, const char *text)
{
	uint64_t ms;
	enum sahm_status status = import_end_row(im, true, r->stamp_ns);
	if (number_read_u64(text, strcspn(text, " "), &ms) == NUMBER_OK && ms < MAX_MS)
		r->stamp_ns += ms * NS_PER_MS;
	return status;
}

/* Whether the line of a core, or of all ("*"), is used: the whole where they are summed. */
static bool is_chosen(const struct import *im, const struct field *core, const char *name)
{
	bool is_sum = field_is(core, "*");
	switch (im->options->groups) {
	case IMPORT_SUM:
		return is_sum;
	case IMPORT_EACH:
		return !is_sum;
	default:
		return field_is(core, im->options->only) || strcmp(name, im->options->only) == 0;
	}
}

static enum sahm_status read_core(struct import *im, struct reader *r)
{
	char *rest = im->lines.text, name[24];
	struct field f;
	unsigned nr = 0;
	for (char *counted = rest; next_field(&counted, &f);)
		nr++;
	/* Every value is followed by a comma. */
	bool is_whole = nr == r->nr_columns && im->lines.len > 0 && rest[im->lines.len - 1] == ',';
	if (!is_whole || !next_field(&rest, &f) || f.len > 16) {
		import_skip(im, im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	snprintf(name, sizeof(name), "%s%.*s", field_is(&f, "*") ? "" : "Core", (int)f.len, f.text);
	bool chosen = is_chosen(im, &f, name), only = im->options->groups == IMPORT_ONLY;
	if (!chosen && !only)
		return SAHM_OK;
	/* With --only all of them have groups, so that a message can name them. */
	const char *group = chosen && only ? im->options->only : name;
	enum sahm_status status = import_group(im, group, strlen(group), &r->group);
	if (!chosen) {
		import_skip(im, SKIP_OTHER_GROUP, im->lines.line, NULL);
		return status;
	}
	for (unsigned i = 1; i < nr && status == SAHM_OK && next_field(&rest, &f); i++)
		import_text(im, r->group, r->columns[i], f.text, f.len, -1);
	return status;
}

static const char first_columns[] = "Core,IPC,Instructions,Cycles";

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	static const char elapsed[] = "Time elapsed: ", rate[] = "txn_rate: ", event[] = "Event";
	const char *text = im->lines.text;
	size_t len = im->lines.len;
	if (import_line_begins(text, len, elapsed))
		return read_elapsed(im, r, text + strlen(elapsed));
	if (import_line_begins(text, len, rate) && strcmp(text + strlen(rate), "1") != 0)
		return import_fail(im, "counts are per transaction (%s): run pcm-core without -tr", text);
	if (import_line_begins(text, len, event))
		return read_event(im, r, text + strlen(event));
	if (import_line_begins(text, len, first_columns))
		return read_header(im, r);
	if (r->nr_columns > 0 && (is_digit(text[0]) || text[0] == '*'))
		return read_core(im, r);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "pcm-core -csv") : sahm_fail_nomem(im->err);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		status = read_line(im, r);
	}
	return status == SAHM_OK ? import_end_row(im, true, r->stamp_ns) : status;
}

static bool owns_line(const char *line, size_t len)
{
	return import_line_begins(line, len, first_columns);
}

const struct import_format import_format_pcm_core = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.how = "it made with pcm-core -csv",
	.lacks = "; pcm-core counts what -e names: runs with other events are joined by --join",
	.read = read};
