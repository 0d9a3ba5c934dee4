/* Intel PCM's tables: pcm -csv=FILE (pcm.x until 2022), a row per interval under two header rows,
 *
 *     System,System,System,System,...,Socket 0,...,Core0 (Socket 0),...
 *     Date,Time,EXEC,IPC,FREQ,...,INST,ACYC,TIME(ticks),...,EXEC,IPC,...
 *
 * with semicolons, and a name only where it changes, until 2019. The first row says whose columns those of the second
 * are: all CPUs (System), a socket's, a die's, or a core's. Each of these begins with EXEC; some versions miscount the
 * columns in the first row, so that only the order of its names counts. Counts stand there in millions with two
 * decimals; they become columns in ones. [intel/pcm, src/pcm.cpp: print_csv_header(), print_csv()] */
#include <stdio.h>
#include <string.h>

#include "workloads/import/import_perf_internal.h"

#define MILLION 1000000

/* From the whole to its parts. */
enum level { LEVEL_SYSTEM, LEVEL_SOCKET, LEVEL_DIE, LEVEL_CORE, NR_LEVELS };

/* The columns of one of those whose counts stand in a row. */
struct part {
	struct field raw; /* as the file has it */
	char name[24];
	enum level level;
	unsigned end; /* its fields, from its EXEC on, up to this one */
	bool has_instructions;
};

/* Where a field goes. */
struct target {
	unsigned group, column; /* column MAX_IMPORT_COLUMNS: nowhere */
	bool is_in_millions;
};

struct reader {
	char separator;
	char *names; /* the first header row; NULL: there was none yet */
	struct part *parts;
	unsigned nr_parts;
	struct target *targets; /* by field */
	unsigned nr_fields;	/* 0: no header was read yet */
	/* Core columns have no ticks until 2021: theirs are those of the system. */
	unsigned ticks_field, ticks_column, *tickless, nr_tickless;
	unsigned time_group, time_column;
};

/* Fields up to the last one that is not empty: a separator follows it. */
static unsigned count_fields(const char *text, size_t len, char separator)
{
	unsigned nr = 1;
	while (len > 0 && (text[len - 1] == separator || text[len - 1] == ' '))
		len--;
	for (size_t i = 0; i < len; i++)
		nr += text[i] == separator;
	return len > 0 ? nr : 0;
}

/* "Core12 (Socket 1)" is "Core12", "Socket 0" is "Socket0"; false for what are no counts of CPUs. */
static bool read_part(const struct field *f, struct part *part)
{
	static const char *const words[NR_LEVELS] = {"System", "Socket", "SKT", "Core"};
	for (unsigned level = 0; level < NR_LEVELS; level++) {
		size_t word = strlen(words[level]), at = word, first;
		if (f->len < word || memcmp(f->text, words[level], word) != 0)
			continue;
		while (level != LEVEL_SYSTEM && at < f->len && f->text[at] == ' ')
			at++;
		first = at;
		while (at < f->len && (is_digit(f->text[at]) || (level == LEVEL_DIE && f->text[at] == '.')))
			at++;
		bool is_whole =
			at == f->len || (level == LEVEL_CORE && import_line_begins(f->text + at, f->len - at, " ("));
		bool is_numbered = at > first && at - first < 16;
		if (!is_whole || is_numbered != (level != LEVEL_SYSTEM) ||
		    (level == LEVEL_DIE && !memchr(f->text + first, '.', at - first)))
			return false;
		*part = (struct part){.raw = *f, .level = (enum level)level};
		snprintf(part->name, sizeof(part->name), "%s%.*s", words[level], (int)(at - first), f->text + first);
		return true;
	}
	return false;
}

/* Whose counts the first header row announces, in order. */
static enum sahm_status read_parts(struct import *im, struct reader *r)
{
	struct field f;
	struct part part;
	unsigned i = 0, most = count_fields(r->names, strlen(r->names), r->separator) + 1;
	char *rest = r->names;
	r->parts = arena_alloc(&im->arena, most, sizeof(*r->parts));
	if (!r->parts)
		return sahm_fail_nomem(im->err);
	r->nr_parts = 0;
	for (; field_next(&rest, r->separator, &f); i++) {
		/* The first two are those of the date. Its third one is empty where it is the system's. */
		field_trim(&f);
		if (i == 2 && f.len == 0)
			f = (struct field){"System", strlen("System")};
		if (i < 2 || !read_part(&f, &part))
			continue;
		if (r->nr_parts == 0 || strcmp(r->parts[r->nr_parts - 1].name, part.name) != 0)
			r->parts[r->nr_parts++] = part;
	}
	return SAHM_OK;
}

/* Finds where the counts of each begin and end in the second header row. */
static enum sahm_status place_parts(struct import *im, struct reader *r)
{
	struct field f;
	unsigned i = 0, nr = 0;
	r->nr_fields = count_fields(im->lines.text, im->lines.len, r->separator);
	for (char *rest = im->lines.text; field_next(&rest, r->separator, &f); i++) {
		field_trim(&f);
		bool begins = field_is(&f, "EXEC");
		if (begins && nr > 0)
			r->parts[nr - 1].end = i;
		if (begins && nr++ == r->nr_parts)
			break;
		if (nr > 0)
			r->parts[nr - 1].has_instructions |= field_is(&f, "INST");
		if (nr > 0 && r->parts[nr - 1].level == LEVEL_SYSTEM && field_is(&f, "TIME(ticks)"))
			r->ticks_field = i;
	}
	if (nr != r->nr_parts || nr == 0)
		return import_fail(im, "the header rows do not fit together: %u of the first row, and 'EXEC' %u times",
				   r->nr_parts, nr);
	r->parts[nr - 1].end = r->nr_fields;
	return SAHM_OK;
}

/* Whose counts are used: the whole where they are summed, the smallest parts for --each. */
static bool is_chosen(const struct import *im, const struct part *part, enum level level)
{
	const char *only = im->options->groups == IMPORT_ONLY ? im->options->only : NULL;
	return only ? strcmp(only, part->name) == 0 || field_is(&part->raw, only) : part->level == level;
}

static enum level choose_level(const struct import *im, const struct reader *r)
{
	enum level best = r->parts[0].level;
	if (im->options->groups == IMPORT_EACH) {
		for (unsigned p = 0; p < r->nr_parts; p++)
			best = r->parts[p].level > best ? r->parts[p].level : best;
		return best;
	}
	for (unsigned p = 0; p < r->nr_parts; p++)
		if (r->parts[p].has_instructions)
			return r->parts[p].level;
	return r->parts[r->nr_parts - 1].level;
}

static bool is_in_millions(const struct field *f)
{
	static const char *const names[] = {"INST", "ACYC", "TIME(ticks)", "L2MISS", "L3MISS"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (field_is(f, names[i]))
			return true;
	return false;
}

/* Makes columns of the names in the second header row, for those that are chosen. */
static enum sahm_status make_columns(struct import *im, struct reader *r)
{
	enum level level = choose_level(im, r);
	enum sahm_status status = SAHM_OK;
	struct field f;
	char *rest = im->lines.text;
	unsigned i = 0, group = 0;
	r->targets = arena_alloc(&im->arena, r->nr_fields, sizeof(*r->targets));
	r->tickless = arena_alloc(&im->arena, r->nr_parts, sizeof(*r->tickless));
	if (!r->targets || !r->tickless)
		return sahm_fail_nomem(im->err);
	r->nr_tickless = 0;
	r->time_group = MAX_IMPORT_GROUPS;
	for (unsigned p = 0; p < r->nr_parts && status == SAHM_OK; p++) {
		const struct part *part = &r->parts[p];
		bool chosen = is_chosen(im, part, level), has_ticks = part->level != LEVEL_CORE;
		bool seen[MAX_IMPORT_COLUMNS] = {false};
		const char *name = im->options->groups == IMPORT_ONLY ? im->options->only : part->name;
		if (chosen)
			status = import_group(im, name, strlen(name), &group);
		if (chosen && r->time_group == MAX_IMPORT_GROUPS)
			r->time_group = group;
		for (; i < part->end && status == SAHM_OK && field_next(&rest, r->separator, &f); i++) {
			struct target *t = &r->targets[i];
			t->column = MAX_IMPORT_COLUMNS;
			field_trim(&f);
			if (!chosen || f.len == 0 || i < 2)
				continue;
			*t = (struct target){.group = group, .is_in_millions = is_in_millions(&f)};
			status = import_column(im, f.text, f.len, &t->column);
			has_ticks |= field_is(&f, "TIME(ticks)");
			/* Energies and sleep states of all sockets follow the last one's counts. Cells that nothing
			 * needs stay empty. */
			bool is_used = status == SAHM_OK && !seen[t->column] && import_is_wanted(im, f.text, f.len);
			if (status == SAHM_OK)
				seen[t->column] = true;
			t->column = is_used ? t->column : MAX_IMPORT_COLUMNS;
		}
		if (chosen && !has_ticks && r->ticks_field > 0)
			r->tickless[r->nr_tickless++] = group;
	}
	if (status == SAHM_OK && r->nr_tickless > 0)
		status = import_column(im, "TIME(ticks)", strlen("TIME(ticks)"), &r->ticks_column);
	return status == SAHM_OK ? import_column(im, "time_s", strlen("time_s"), &r->time_column) : status;
}

static enum sahm_status fail_only(struct import *im, const struct reader *r)
{
	return import_fail(im, "--only: nothing is of '%s'; there are '%s' to '%s'", im->options->only,
			   r->parts[0].name, r->parts[r->nr_parts - 1].name);
}

static enum sahm_status read_names(struct import *im, struct reader *r)
{
	r->ticks_field = 0;
	if (!r->names)
		return import_fail(im,
				   "the row above 'Date' and 'Time', which says whose columns are which, is missing");
	enum sahm_status status = import_begin_recording(im, NULL);
	if (status == SAHM_OK)
		status = read_parts(im, r);
	if (status == SAHM_OK)
		status = place_parts(im, r);
	if (status == SAHM_OK)
		status = make_columns(im, r);
	return status == SAHM_OK && r->time_group == MAX_IMPORT_GROUPS ? fail_only(im, r) : status;
}

static void take_count(struct import *im, unsigned group, unsigned column, const struct field *f, bool in_millions)
{
	decimal value;
	if (!in_millions || decimal_read(f->text, f->len, &value) != NUMBER_OK)
		import_text(im, group, column, f->text, f->len, -1);
	else if (value > DECIMAL_END / MILLION || value < -(DECIMAL_END / MILLION))
		import_no_count(im, group, column, SKIP_TOO_LARGE);
	else
		import_count(im, group, column, value * MILLION, -1);
}

static void take_time(struct import *im, const struct reader *r, const struct field *date, const struct field *time)
{
	char text[64];
	decimal ns;
	int n = snprintf(text, sizeof(text), "%.*s %.*s", (int)(date->len < 20 ? date->len : 20), date->text,
			 (int)(time->len < 20 ? time->len : 20), time->text);
	if (import_clock_read(text, (size_t)n, &ns))
		import_count(im, r->time_group, r->time_column, ns, -1);
}

static enum sahm_status read_row(struct import *im, struct reader *r)
{
	struct field f, date = {NULL, 0};
	char *rest = im->lines.text;
	unsigned nr = count_fields(rest, im->lines.len, r->separator);
	/* A row begins with its line's end, so that the last one of a file has none; it ends with a separator. */
	bool is_cut = !im->lines.ended && (im->lines.len == 0 || rest[im->lines.len - 1] != r->separator);
	if (!import_recording_is_chosen(im)) {
		import_skip(im, SKIP_OTHER_RECORDING, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (is_cut || (nr != r->nr_fields && !is_digit(rest[0]))) {
		import_skip(im, is_cut ? SKIP_CUT_SHORT : SKIP_UNREADABLE, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (nr != r->nr_fields) {
		im->nr_rows++;
		im->nr_skipped_rows++;
		import_skip(im, SKIP_FIELDS, im->lines.line, NULL);
		return SAHM_OK;
	}
	for (unsigned i = 0; i < nr && field_next(&rest, r->separator, &f); i++) {
		const struct target *t = &r->targets[i];
		if (i > 1 && t->column == MAX_IMPORT_COLUMNS && i != r->ticks_field)
			continue;
		field_trim(&f);
		if (i == 0)
			date = f;
		else if (i == 1)
			take_time(im, r, &date, &f);
		else if (t->column < MAX_IMPORT_COLUMNS)
			take_count(im, t->group, t->column, &f, t->is_in_millions);
		for (unsigned k = 0; i > 0 && i == r->ticks_field && k < r->nr_tickless; k++)
			take_count(im, r->tickless[k], r->ticks_column, &f, true);
	}
	return import_end_row(im, false, 0);
}

static bool begins_with(const char *line, size_t len, const char *words)
{
	for (const char *s = ",;"; *s; s++) {
		char text[32];
		snprintf(text, sizeof(text), "%s", words);
		for (char *c = text; *c; c++)
			*c = *c == ',' ? *s : *c;
		if (import_line_begins(line, len, text))
			return true;
	}
	return false;
}

static bool is_first_header(const char *line, size_t len)
{
	return begins_with(line, len, "System,,") || begins_with(line, len, "System,System,") ||
	       begins_with(line, len, ",,System,") || begins_with(line, len, ",,Socket") ||
	       begins_with(line, len, ",,Core");
}

static bool is_second_header(const char *line, size_t len)
{
	return begins_with(line, len, "Date,Time,EXEC,");
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "pcm -csv") : sahm_fail_nomem(im->err);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		const char *text = im->lines.text;
		if (is_first_header(text, im->lines.len)) {
			r->separator = strchr(text, ';') ? ';' : ',';
			r->names = arena_strndup(&im->arena, text, im->lines.len);
			status = r->names ? SAHM_OK : sahm_fail_nomem(im->err);
		} else if (is_second_header(text, im->lines.len)) {
			status = read_names(im, r);
		} else if (r->nr_fields > 0 && text[strspn(text, " \t")]) {
			status = read_row(im, r);
		}
	}
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	return is_first_header(line, len) || is_second_header(line, len);
}

const struct import_format import_format_pcm = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.how = "it made with pcm -csv",
	.lacks = "; pcm does not count branches and L1 misses: perf stat and pcm-core -e do (docs/importing.md)",
	.read = read};
