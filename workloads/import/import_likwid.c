/* likwid-perfctr, in two forms. With -t, a line for each interval:
 *
 *     GROUP-ID NR-OF-EVENTS NR-OF-CPUS SECONDS VALUE...
 *
 * with the values of all CPUs for the first event or metric, then for the second, and so on; a header line
 * "# GID|MetricsCount|CpuCount|Total runtime [s]|NAME|..." names them, one for each group in turn. Blanks separate
 * fields, or commas with -O. The program's own output can stand between the lines.
 *
 * Without -t, a table of events for each group, or for each group in each marked region, in frames or with -O as CSV:
 *
 *     Event,Counter,HWThread 0,HWThread 1
 *     INSTR_RETIRED_ANY,FIXC0,VALUE,VALUE
 *
 * Tables of metrics, and of sums and means over the CPUs, follow it, and are passed over.
 *
 * A metric group prints ratios, from which import_event_list.h derives counts: cycles are the time that a CPU was not
 * halted, in cycles of its nominal clock (`Runtime unhalted [s]` is that by likwid's group files), and all else is per
 * instruction. Built from likwid 5.2 and its documentation; no whole file was at hand. */
#include <string.h>

#include "workloads/import/import_perf_internal.h"

#define MAX_GROUP_SETS 32u
/* Fields in front of the values, in lines and in the header. */
#define NR_LEADING 4u
/* Longest name of a CPU. */
#define MAX_CPU_BYTES 40u
/* No run lasts longer, as in perf's stamps. */
#define MAX_SECONDS ((decimal)1000000000 * DECIMAL_ONE)

/* One group of events, in likwid's sense. */
struct event_set {
	unsigned nr_columns;
	unsigned columns[MAX_IMPORT_COLUMNS];
	unsigned clock, seconds; /* position of the metrics that make cycles; nr_columns: it has none */
};

struct reader {
	struct event_set sets[MAX_GROUP_SETS];
	unsigned nr_sets;
	unsigned cpus[MAX_IMPORT_GROUPS]; /* groups, in the importer's sense, by position in a line */
	unsigned nr_cpus;
	bool is_noted;
	decimal clock_mhz;	     /* nominal clock; 0: not known */
	unsigned clock, seconds;     /* columns "busy MHz" and "busy s", whose product is millions of cycles */
	uint64_t stamp_ns, table_ns; /* when the last table ended; how long the present one lasted, 0: not known */
	bool in_table;		     /* rows of events follow */
	unsigned nr_tables;
	unsigned nr_table_cpus, table_cpus[MAX_IMPORT_GROUPS];
};

static void note_source(struct import *im, struct reader *r)
{
	if (im->notes && !r->is_noted)
		textbuf_printf(im->notes,
			       "%s: likwid's output is read as documented; no real file was at hand to try it on\n",
			       im->file);
	r->is_noted = true;
}

/* "CPU clock:\t2.30 GHz", with a comma instead of the tab in CSV. */
static void read_clock(struct reader *r, const char *text)
{
	decimal ghz;
	text += strspn(text, " \t,");
	if (decimal_read(text, strcspn(text, " "), &ghz) == NUMBER_OK && ghz > 0 && ghz < 1000 * (decimal)DECIMAL_ONE)
		r->clock_mhz = ghz * 1000;
}

static bool next_field(char **rest, struct field *f, const char *separators)
{
	if (!*rest)
		return false;
	/* Blanks can be many, commas and bars count each. */
	if (strchr(separators, ' '))
		*rest += strspn(*rest, separators);
	size_t len = strcspn(*rest, separators);
	*f = (struct field){*rest, len};
	*rest = (*rest)[len] ? *rest + len + 1 : NULL;
	field_trim(f);
	return len > 0 || *rest || !strchr(separators, ' ');
}

static enum sahm_status read_header(struct import *im, struct reader *r, char *text)
{
	struct field f;
	const char *separators = strchr(text, '|') ? "|" : ",";
	struct event_set *set = &r->sets[r->nr_sets];
	enum sahm_status status = SAHM_OK;
	note_source(im, r);
	if (r->nr_sets == MAX_GROUP_SETS)
		return import_fail(im, "more than %u groups of events", MAX_GROUP_SETS);
	set->nr_columns = 0;
	set->clock = set->seconds = MAX_IMPORT_COLUMNS;
	for (unsigned i = 0; status == SAHM_OK && next_field(&text, &f, separators); i++) {
		if (i < NR_LEADING)
			continue;
		if (set->nr_columns == MAX_IMPORT_COLUMNS)
			return import_fail(im, "more than %u different events", MAX_IMPORT_COLUMNS);
		/* Without the nominal clock, as if the CPU had never been halted. */
		if (field_is(&f, r->clock_mhz ? "Runtime unhalted [s]" : "Runtime (RDTSC) [s]"))
			set->seconds = set->nr_columns;
		if (field_is(&f, "Clock [MHz]"))
			set->clock = set->nr_columns;
		status = import_column(im, f.text, f.len, &set->columns[set->nr_columns++]);
	}
	bool has_cycles = set->seconds < MAX_IMPORT_COLUMNS && (r->clock_mhz || set->clock < MAX_IMPORT_COLUMNS);
	if (status == SAHM_OK && has_cycles)
		status = import_column(im, "busy MHz", 8, &r->clock);
	if (status == SAHM_OK && has_cycles)
		status = import_column(im, "busy s", 6, &r->seconds);
	if (status == SAHM_OK && has_cycles && !r->clock_mhz && r->nr_sets == 0 && im->notes)
		textbuf_printf(
			im->notes,
			"%s: no line says 'CPU clock': all counts are as high as if the CPUs had never been idle; "
			"give likwid's standard output as well\n",
			im->file);
	if (!has_cycles)
		set->clock = set->seconds = MAX_IMPORT_COLUMNS;
	r->nr_sets++;
	return status;
}

/* "# CORES: 0|1|2" or "# HWThreads,0,1,2" names the CPUs; without it they are counted. */
static enum sahm_status read_cpus(struct import *im, struct reader *r, char *text)
{
	struct field f;
	enum sahm_status status = SAHM_OK;
	r->nr_cpus = 0;
	text += strspn(text, ": ,");
	const char *separators = strchr(text, ',') ? "," : "|";
	while (status == SAHM_OK && next_field(&text, &f, separators) && r->nr_cpus < MAX_IMPORT_GROUPS) {
		char name[MAX_CPU_BYTES];
		int n = snprintf(name, sizeof(name), "CPU%.*s", (int)(f.len < 30 ? f.len : 30), f.text);
		status = import_group(im, name, (size_t)n, &r->cpus[r->nr_cpus++]);
	}
	return status;
}

static enum sahm_status need_cpus(struct import *im, struct reader *r, uint64_t nr)
{
	enum sahm_status status = SAHM_OK;
	while (r->nr_cpus < nr && status == SAHM_OK) {
		char name[24] = "";
		if (nr > 1)
			snprintf(name, sizeof(name), "CPU%u", r->nr_cpus);
		status = import_group(im, name, strlen(name), &r->cpus[r->nr_cpus++]);
	}
	return status;
}

/* Reads the fields in front of the values. */
static bool read_leading(char **rest, const char *separators, uint64_t leading[3], decimal *seconds)
{
	struct field f;
	for (unsigned i = 0; i < 3; i++)
		if (!next_field(rest, &f, separators) || number_read_u64(f.text, f.len, &leading[i]) != NUMBER_OK)
			return false;
	return next_field(rest, &f, separators) && decimal_read(f.text, f.len, seconds) == NUMBER_OK && *seconds >= 0 &&
	       *seconds < MAX_SECONDS;
}

static uint64_t count_fields(const char *text, const char *separators)
{
	char *rest = (char *)(uintptr_t)text;
	struct field f;
	uint64_t nr = 0;
	while (next_field(&rest, &f, separators))
		nr++;
	return nr;
}

/* A value, which can be one of the two that make cycles as well. */
static void take_value(struct import *im, const struct reader *r, const struct event_set *set, unsigned position,
		       unsigned cpu, const struct field *f)
{
	import_text(im, cpu, set->columns[position], f->text, f->len, -1);
	if (position == set->seconds)
		import_text(im, cpu, r->seconds, f->text, f->len, -1);
	if (position == set->clock && !r->clock_mhz)
		import_text(im, cpu, r->clock, f->text, f->len, -1);
}

static enum sahm_status read_values(struct import *im, struct reader *r)
{
	const char *separators = strchr(im->lines.text, ',') ? "," : " \t";
	char *rest = im->lines.text;
	uint64_t leading[3];
	decimal seconds;
	struct field f;
	bool ok = read_leading(&rest, separators, leading, &seconds);
	/* Groups are counted from 1, in the order of the headers. */
	ok = ok && leading[0] >= 1 && leading[0] <= r->nr_sets && leading[2] >= 1 && leading[2] <= MAX_IMPORT_GROUPS;
	const struct event_set *set = ok ? &r->sets[leading[0] - 1] : NULL;
	ok = ok && leading[1] == set->nr_columns && rest && count_fields(rest, separators) == leading[1] * leading[2];
	/* The last number of a line that was cut short can be any. */
	if (!ok || !im->lines.ended) {
		import_skip(im, im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	enum sahm_status status = need_cpus(im, r, leading[2]);
	for (unsigned c = 0; c < set->nr_columns && status == SAHM_OK; c++)
		for (unsigned cpu = 0; cpu < leading[2] && next_field(&rest, &f, separators); cpu++)
			take_value(im, r, set, c, r->cpus[cpu], &f);
	for (unsigned cpu = 0; set->seconds < MAX_IMPORT_COLUMNS && r->clock_mhz && cpu < leading[2]; cpu++)
		import_count(im, r->cpus[cpu], r->clock, r->clock_mhz, -1);
	return status == SAHM_OK ? import_end_row(im, true, (uint64_t)seconds) : status;
}

/* The next cell of a table's line, in a frame or of CSV. */
static bool next_cell(char **rest, bool is_framed, struct field *f)
{
	return next_field(rest, f, is_framed ? "|" : ",") && (!is_framed || *rest || f->len > 0);
}

/* "Event,Counter,HWThread 0,..." begins a table of events, "Event,Counter,Sum,..." one of sums. */
static enum sahm_status begin_table(struct import *im, struct reader *r, char *rest, bool is_framed)
{
	struct field f;
	enum sahm_status status = SAHM_OK;
	r->in_table = false;
	r->nr_table_cpus = 0;
	if (!next_cell(&rest, is_framed, &f) || !field_is(&f, "Counter"))
		return status;
	while (status == SAHM_OK && next_cell(&rest, is_framed, &f) && f.len > 0) {
		const char *digits = memrchr(f.text, ' ', f.len);
		if (r->nr_table_cpus == MAX_IMPORT_GROUPS)
			return import_fail(im, "more than %u CPUs, threads or cgroups", MAX_IMPORT_GROUPS);
		if (!digits)
			break;
		char name[MAX_CPU_BYTES];
		int n = snprintf(name, sizeof(name), "CPU%.*s", (int)(f.text + f.len - digits - 1), digits + 1);
		size_t len = (size_t)n < sizeof(name) ? (size_t)n : sizeof(name) - 1;
		status = import_group(im, name, len, &r->table_cpus[r->nr_table_cpus++]);
	}
	r->in_table = r->nr_table_cpus > 0;
	if (status == SAHM_OK && r->in_table) {
		note_source(im, r);
		r->nr_tables++;
	}
	return status;
}

/* Ends the row of a group, or of a group in a region. Its time stands in another table, in front of it (of a region) or
 * after it. */
static enum sahm_status end_table(struct import *im, struct reader *r)
{
	if (!im->row_line)
		return SAHM_OK;
	r->stamp_ns += r->table_ns;
	bool has_stamp = r->table_ns > 0;
	r->table_ns = 0;
	return import_end_row(im, has_stamp, r->stamp_ns);
}

static bool is_title(const char *line, size_t len)
{
	return import_line_begins(line, len, "Group ") || import_line_begins(line, len, "Region ") ||
	       (import_line_begins(line, len, "TABLE,") && import_line_holds(line, len, " Raw,"));
}

static enum sahm_status read_table_line(struct import *im, struct reader *r, char *text)
{
	bool is_framed = text[0] == '|';
	char *rest = is_framed ? text + 1 : text;
	struct field name, f;
	decimal seconds;
	unsigned column;
	if (!next_cell(&rest, is_framed, &name) || name.len == 0) {
		r->in_table = false;
		return SAHM_OK;
	}
	if (field_is(&name, "Event"))
		return begin_table(im, r, rest, is_framed);
	/* Titles of other tables; in a frame, headers. */
	r->in_table &= !field_is(&name, "TABLE") && !field_is(&name, "STRUCT") && !field_is(&name, "Metric");
	bool is_time = field_is(&name, "RDTSC Runtime [s]") || field_is(&name, "Runtime (RDTSC) [s]");
	if (is_time && next_cell(&rest, is_framed, &f) && decimal_read(f.text, f.len, &seconds) == NUMBER_OK &&
	    seconds > 0 && seconds < MAX_SECONDS)
		r->table_ns = (uint64_t)seconds;
	/* The last number of a line that was cut short can be any. */
	if (!im->lines.ended) {
		import_skip(im, SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	/* Events of the memory controller and the like are many, and repeat for each of their counters. */
	if (!r->in_table || !import_is_wanted(im, name.text, name.len) || !next_cell(&rest, is_framed, &f))
		return SAHM_OK;
	enum sahm_status status = import_column(im, name.text, name.len, &column);
	unsigned cpu = 0;
	for (; status == SAHM_OK && cpu < r->nr_table_cpus && next_cell(&rest, is_framed, &f); cpu++)
		import_text(im, r->table_cpus[cpu], column, f.text, f.len, -1);
	return status;
}

static bool is_table_line(const char *text)
{
	return text[0] == '|' || strncmp(text, "TABLE,", 6) == 0 || strncmp(text, "STRUCT,", 7) == 0 ||
	       strncmp(text, "Event,Counter,", 14) == 0;
}

static const char *after(const char *text, const char *word)
{
	size_t len = strlen(word);
	return strncmp(text, word, len) == 0 ? text + len : NULL;
}

static bool is_header(const char *line, size_t len)
{
	return (import_line_holds(line, len, "GID|") && import_line_holds(line, len, "|CpuCount|")) ||
	       (import_line_holds(line, len, "GID,") && import_line_holds(line, len, "Count,CpuCount,"));
}

/* Names with blanks in them, between blanks. */
static bool is_blank_header(const char *line, size_t len)
{
	return import_line_begins(line, len, "# GID ") && import_line_holds(line, len, "Count CpuCount ");
}

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	char *text = im->lines.text;
	const char *cpus = after(text, "# CORES"), *clock = after(text, "CPU clock:");
	cpus = cpus ? cpus : after(text, "# HWThreads");
	if (is_title(text, im->lines.len)) {
		enum sahm_status status = end_table(im, r);
		if (status != SAHM_OK)
			return status;
	}
	if (is_header(text, im->lines.len))
		return read_header(im, r, strstr(text, "GID"));
	if (is_blank_header(text, im->lines.len))
		return import_fail(
			im,
			"likwid-perfctr -o FILE separates names that hold blanks by blanks: add -O, or leave out -o");
	if (cpus)
		return read_cpus(im, r, text + (cpus - text));
	if (clock)
		read_clock(r, clock);
	else if (is_table_line(text) || r->in_table)
		/* Lines of a frame. */
		return text[0] == '+' ? SAHM_OK : read_table_line(im, r, text);
	else if (text[0] != '#' && text[strspn(text, " \t")] && r->nr_sets > 0)
		return read_values(im, r);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? SAHM_OK : sahm_fail_nomem(im->err);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		status = read_line(im, r);
	}
	if (status == SAHM_OK)
		status = end_table(im, r);
	return status == SAHM_OK
		       ? import_say(im, PROVENANCE_TOOL, r->nr_tables ? "likwid-perfctr" : "likwid-perfctr -t")
		       : status;
}

static bool owns_line(const char *line, size_t len)
{
	return is_header(line, len) || is_blank_header(line, len) || import_line_begins(line, len, "Event,Counter,") ||
	       (import_line_begins(line, len, "|") && import_line_holds(line, len, " Event ") &&
		import_line_holds(line, len, " Counter "));
}

const struct import_format import_format_likwid = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.how = "likwid-perfctr run with -t, or with a group of events",
	.lacks = "; a group of likwid has few of them: give several (-g BRANCH -g ICACHE -g L2CACHE) and --rotate here",
	.read = read};
