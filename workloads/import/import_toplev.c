/* toplev's tables: toplev.py -I MS -x, -o FILE writes a line for each node or metric of a core or thread,
 *
 *     Timestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle
 *     1.001141351,C0-T0,IpBranch,5.2,Inst_Metric,...
 *
 * with no Timestamp where there is no -I, no CPUs with --single-thread, and no header row until 2019. --valcsv FILE
 * writes the counts themselves: "Timestamp,CPU,Group,Event,Value,Perf-event,Index,STDDEV,MULTI,Nodes". Lines of one
 * time make a row. [andikleen/pmu-tools, tl_output.py, toplev.py; its wiki, "toplev CSV output fields"] */
#include <stdio.h>
#include <string.h>

#include "workloads/import/import_perf_internal.h"

#define MAX_FIELDS 16u
#define NOWHERE MAX_FIELDS
/* No run lasts longer. */
#define MAX_SECONDS ((decimal)1000000000 * DECIMAL_ONE)
/* Names that are no counters have columns so that messages can list them; these are enough. */
#define MAX_OTHER_COLUMNS 150u

/* From the whole to its parts, by how toplev calls them: "", "S0", "C0", "C0-T0". */
enum level { LEVEL_ALL, LEVEL_SOCKET, LEVEL_CORE, LEVEL_THREAD, LEVEL_UNKNOWN };

/* Which fields say what; NOWHERE: none. */
struct places {
	unsigned time, cpu, name, value, multiplex;
};

struct reader {
	char separator;
	bool has_header, has_counts; /* of --valcsv */
	struct places places;
	enum level level; /* of the lines that are used: the same counts can stand there for each of several */
	uint64_t stamp_ns;
	bool has_stamp;
	struct field fields[MAX_FIELDS];
	unsigned nr_fields;
	unsigned nr_cpus; /* in the interval before */
};

/* Splits the line in place, quotes removed; fields after the last that is of use are not split. */
static void split(struct reader *r, char *text)
{
	for (r->nr_fields = 0; r->nr_fields < MAX_FIELDS; text++) {
		struct field *f = &r->fields[r->nr_fields++];
		bool quoted = *text == '"';
		text += quoted;
		*f = (struct field){text, strcspn(text, quoted ? "\"" : (char[]){r->separator, 0})};
		text += f->len;
		if (quoted)
			text += strcspn(text, (char[]){r->separator, 0});
		field_trim(f);
		if (!*text)
			return;
	}
}

static unsigned find_field(const struct reader *r, const char *name)
{
	for (unsigned i = 0; i < r->nr_fields; i++)
		if (field_is(&r->fields[i], name))
			return i;
	return NOWHERE;
}

/* The character after the first of these words that stands in the line with another one after it; 0: none. */
static char separator_of_header(const char *line, size_t len)
{
	static const char *const pairs[][2] = {{"Area", "Value"}, {"Event", "Value"}};
	for (size_t i = 0; i < 2; i++) {
		const char *at = memmem(line, len, pairs[i][0], strlen(pairs[i][0]));
		size_t left = at ? len - (size_t)(at - line) : 0, word = strlen(pairs[i][0]);
		if (left > word + 1 && strchr(",;\t|:", at[word]) &&
		    import_line_begins(at + word + 1, left - word - 1, pairs[i][1]))
			return at[word];
	}
	return '\0';
}

static bool is_header(const char *line, size_t len)
{
	return separator_of_header(line, len) &&
	       (import_line_holds(line, len, "Multiplex") || import_line_holds(line, len, "MULTI"));
}

static enum sahm_status read_header(struct import *im, struct reader *r)
{
	enum sahm_status status = r->has_header ? import_end_row(im, r->has_stamp, r->stamp_ns) : SAHM_OK;
	r->separator = separator_of_header(im->lines.text, im->lines.len);
	split(r, im->lines.text);
	r->has_counts = find_field(r, "Event") != NOWHERE;
	r->places = r->has_counts
			    ? (struct places){find_field(r, "Timestamp"), find_field(r, "CPU"), find_field(r, "Event"),
					      find_field(r, "Value"), find_field(r, "MULTI")}
			    : (struct places){find_field(r, "Timestamp"), find_field(r, "CPUs"), find_field(r, "Area"),
					      find_field(r, "Value"), find_field(r, "Multiplex")};
	r->has_header = true;
	r->has_stamp = false;
	return status == SAHM_OK ? import_begin_recording(im, NULL) : status;
}

/* Old versions write 12,345.0, in quotes. The number's length, 0 where it is too long. */
static size_t without_commas(const struct field *f, char plain[40])
{
	size_t len = 0;
	for (size_t i = 0; i < f->len && len < 40; i++)
		if (f->text[i] != ',')
			plain[len++] = f->text[i];
	return len < 40 ? len : 0;
}

static bool is_number(const struct reader *r, unsigned i)
{
	char plain[40];
	decimal value;
	return i < r->nr_fields && decimal_read(plain, without_commas(&r->fields[i], plain), &value) == NUMBER_OK;
}

/* Without a header row: a time is a number with a point; a name is none, and a value follows it. */
static struct places guess_places(const struct reader *r)
{
	unsigned at = 0;
	struct places p = {.time = NOWHERE, .cpu = NOWHERE};
	if (is_number(r, 0) && memchr(r->fields[0].text, '.', r->fields[0].len))
		p.time = at++;
	if (is_number(r, at) || !is_number(r, at + 1))
		p.cpu = at++;
	p.name = at;
	p.value = at + 1;
	p.multiplex = at + 6;
	return p;
}

static enum level level_of(const struct field *cpu)
{
	if (cpu->len == 0)
		return LEVEL_ALL;
	if (is_digit(cpu->text[0]) || import_line_begins(cpu->text, cpu->len, "CPU") ||
	    import_line_holds(cpu->text, cpu->len, "-T"))
		return LEVEL_THREAD;
	return memchr(cpu->text, 'C', cpu->len) ? LEVEL_CORE : LEVEL_SOCKET;
}

/* Seconds, with as many decimals as they need. */
static bool read_stamp(const struct field *f, uint64_t *ns)
{
	decimal seconds;
	if (decimal_read(f->text, f->len, &seconds) != NUMBER_OK || seconds < 0 || seconds >= MAX_SECONDS)
		return false;
	*ns = (uint64_t)seconds;
	return true;
}

/* The CPU's group: its number is "CPU0", as new versions write it. */
static enum sahm_status find_group(struct import *im, const struct field *cpu, unsigned *group)
{
	char name[24];
	if (cpu->len == 0 || !is_digit(cpu->text[0]) || cpu->len > 16)
		return import_group(im, cpu->text, cpu->len, group);
	int n = snprintf(name, sizeof(name), "CPU%.*s", (int)cpu->len, cpu->text);
	return import_group(im, name, (size_t)n, group);
}

static enum sahm_status take_line(struct import *im, struct reader *r, const struct places *p)
{
	struct field name = r->fields[p->name], cpu = {"", 0};
	unsigned column, group;
	bool wanted = import_is_event_wanted(im, name.text, name.len);
	enum sahm_status status = SAHM_OK;
	if (wanted || im->nr_columns < MAX_OTHER_COLUMNS)
		status = import_column(im, name.text, name.len, &column);
	if (status != SAHM_OK || !wanted)
		return status;
	if (p->cpu < r->nr_fields)
		cpu = r->fields[p->cpu];
	if (r->level == LEVEL_UNKNOWN)
		r->level = level_of(&cpu);
	if (r->level != level_of(&cpu)) {
		import_skip(im, SKIP_SUMMARY, im->lines.line, NULL);
		return SAHM_OK;
	}
	status = find_group(im, &cpu, &group);
	/* Groups of events have some in common. Whichever counted first is as good as any. */
	if (status != SAHM_OK || (r->has_counts && im->groups[group].cells[column].is_there))
		return status;
	int running = p->multiplex < r->nr_fields ? perf_percentage(&r->fields[p->multiplex]) : -1;
	char plain[40];
	import_text(im, group, column, plain, without_commas(&r->fields[p->value], plain), running);
	return SAHM_OK;
}

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	uint64_t stamp_ns = 0;
	const char *separators = ",;\t|";
	if (!r->separator) {
		const char *at = strpbrk(im->lines.text, separators);
		r->separator = at ? *at : ',';
	}
	split(r, im->lines.text);
	struct places p = r->has_header ? r->places : guess_places(r);
	bool is_timed = p.time < r->nr_fields;
	if (is_timed && (field_is(&r->fields[p.time], "SUMMARY") || field_is(&r->fields[p.time], "nan"))) {
		import_skip(im, SKIP_SUMMARY, im->lines.line, NULL);
		return SAHM_OK;
	}
	/* The last number of a line that was cut short can be any. */
	bool is_fine = p.name < r->nr_fields && p.value < r->nr_fields && r->fields[p.name].len > 0 &&
		       (!is_timed || read_stamp(&r->fields[p.time], &stamp_ns)) &&
		       (is_number(r, p.value) || r->fields[p.value].len == 0);
	if (!is_fine || !im->lines.ended) {
		import_skip(im, im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	enum sahm_status status = SAHM_OK;
	if (is_timed && r->has_stamp && stamp_ns != r->stamp_ns) {
		r->nr_cpus = im->nr_seen;
		status = import_end_row(im, true, r->stamp_ns);
	}
	r->has_stamp = is_timed;
	r->stamp_ns = stamp_ns;
	if (status == SAHM_OK && !import_recording_is_chosen(im)) {
		import_skip(im, SKIP_OTHER_RECORDING, im->lines.line, NULL);
		return SAHM_OK;
	}
	return status == SAHM_OK ? take_line(im, r, &p) : status;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "toplev") : sahm_fail_nomem(im->err);
	if (r)
		r->level = LEVEL_UNKNOWN;
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		const char *text = im->lines.text;
		if (is_header(text, im->lines.len))
			status = read_header(im, r);
		else if (text[0] != '#' && text[strspn(text, " \t\"")] != '#' && text[strspn(text, " \t")])
			status = read_line(im, r);
	}
	/* A file that was cut ends in an interval that lacks CPUs. */
	if (status == SAHM_OK && im->row_line && im->nr_seen < r->nr_cpus && im->options->groups == IMPORT_SUM) {
		im->nr_rows++;
		im->nr_skipped_rows++;
		import_skip(im, SKIP_GROUP, im->row_line, NULL);
		import_clear_row(im);
	}
	return status == SAHM_OK ? import_end_row(im, r->has_stamp, r->stamp_ns) : status;
}

/* "# 4.8-full on Intel(R) ... [skx]" stands above all that toplev writes, with or without -x. */
static bool is_version(const char *line, size_t len)
{
	size_t at = 2;
	if (!import_line_begins(line, len, "# ") || len < 4 || !is_digit(line[2]))
		return false;
	bool has_point = false;
	for (; at < len && line[at] != ' '; at++)
		has_point |= line[at] == '.';
	return has_point && import_line_begins(line + at, len - at, " on ");
}

static bool owns_line(const char *line, size_t len)
{
	return is_header(line, len) || is_version(line, len);
}

const struct import_format import_format_toplev = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.groups = GROUPS_COME_AND_GO,
	.how = "toplev run with -x, (or --valcsv FILE)",
	.lacks = "; toplev prints metrics for counters with --nodes '+Instructions,+IpBranch,+IpMispredict,+IpLoad,"
		 "+L1MPKI,+L2MPKI_All,+L2HPKI_All', and no L1I misses (docs/importing.md)",
	.read = read};
