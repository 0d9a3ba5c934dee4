/* likwid-perfctr -t: a line for each interval,
 *
 *     GROUP-ID NR-OF-EVENTS NR-OF-CPUS SECONDS VALUE...
 *
 * with the values of all CPUs for the first event or metric, then for the second, and so on; a header line
 * "# GID|MetricsCount|CpuCount|Total runtime [s]|NAME|..." names them, one for each group in turn. Blanks separate
 * fields, or commas with -O. The program's own output can stand between the lines.
 *
 * Built from likwid's documentation and from lines quoted in public test files; no whole file was at hand. */
#include <string.h>

#include "workloads/import/import_perf_internal.h"

#define MAX_GROUP_SETS 32u
/* Fields in front of the values, in lines and in the header. */
#define NR_LEADING 4u
/* No run lasts longer, as in perf's stamps. */
#define MAX_SECONDS ((decimal)1000000000 * DECIMAL_ONE)

/* One group of events, in likwid's sense. */
struct event_set {
	unsigned nr_columns;
	unsigned columns[MAX_IMPORT_COLUMNS];
};

struct reader {
	struct event_set sets[MAX_GROUP_SETS];
	unsigned nr_sets;
	unsigned cpus[MAX_IMPORT_GROUPS]; /* groups, in the importer's sense, by position in a line */
	unsigned nr_cpus;
	uint64_t stamp_ns;
};

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
	struct event_set *set = &r->sets[r->nr_sets];
	enum sahm_status status = SAHM_OK;
	if (r->nr_sets == MAX_GROUP_SETS)
		return import_fail(im, "more than %u groups of events", MAX_GROUP_SETS);
	set->nr_columns = 0;
	for (unsigned i = 0; status == SAHM_OK && next_field(&text, &f, "|"); i++) {
		if (i < NR_LEADING)
			continue;
		if (set->nr_columns == MAX_IMPORT_COLUMNS)
			return import_fail(im, "more than %u different events", MAX_IMPORT_COLUMNS);
		status = import_column(im, f.text, f.len, &set->columns[set->nr_columns++]);
	}
	r->nr_sets++;
	return status;
}

/* "# CORES: 0|1|2" names the CPUs; without it they are counted. */
static enum sahm_status read_cpus(struct import *im, struct reader *r, char *text)
{
	struct field f;
	enum sahm_status status = SAHM_OK;
	r->nr_cpus = 0;
	while (status == SAHM_OK && next_field(&text, &f, "|") && r->nr_cpus < MAX_IMPORT_GROUPS) {
		char name[40];
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
			import_text(im, r->cpus[cpu], set->columns[c], f.text, f.len, -1);
	return status == SAHM_OK ? import_end_row(im, true, (uint64_t)seconds) : status;
}

static enum sahm_status read(struct import *im)
{
	static const char cores[] = "# CORES: ";
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "likwid-perfctr -t") : sahm_fail_nomem(im->err);
	if (status == SAHM_OK && im->notes)
		textbuf_printf(
			im->notes,
			"%s: timelines of likwid are read as documented; no real file was at hand to try it on\n",
			im->file);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		char *text = im->lines.text;
		if (strstr(text, "GID|") && strstr(text, "|CpuCount|"))
			status = read_header(im, r, strstr(text, "GID|"));
		else if (strncmp(text, cores, sizeof(cores) - 1) == 0)
			status = read_cpus(im, r, text + sizeof(cores) - 1);
		else if (text[0] != '#' && text[strspn(text, " \t")])
			status = read_values(im, r);
	}
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	return import_line_holds(line, len, "GID|") && import_line_holds(line, len, "|CpuCount|");
}

const struct import_format import_format_likwid = {
	.owns_line = owns_line, .is_counted_by_tool = true, .how = "likwid-perfctr run with -t", .read = read};
