/* Columns, groups and cells of the importer: what readers fill. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workloads/import/import_internal.h"

enum sahm_status import_fail(struct import *im, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(&im->lines, im->err, fmt, ap);
	va_end(ap);
	return status;
}

enum sahm_status import_next_line(struct import *im, bool *more)
{
	return line_reader_next(&im->lines, more, im->err);
}

enum sahm_status import_say(struct import *im, enum provenance_key key, const char *text)
{
	const char *name = provenance_key_name(key);
	struct sahm_err cause;
	if (im->provenance.text[key])
		return SAHM_OK;
	enum sahm_status status = provenance_set(&im->provenance, &im->arena, name, strlen(name), text, &cause);
	/* Metadata of a file are worth having, no more: too long a text is left out. */
	return status == SAHM_NOMEM ? sahm_fail_nomem(im->err) : SAHM_OK;
}

/* How much of a name stands in front of ":u" and the like (perf-list(1), EVENT MODIFIERS), and of "_pebs". */
static size_t without_modifiers(const char *name, size_t len)
{
	static const char pebs[] = "_pebs";
	const char *colon = memrchr(name, ':', len);
	if (colon && colon > name && colon + 1 < name + len &&
	    strspn(colon + 1, "ukhIGHpPSDWebRX") >= (size_t)(name + len - colon - 1))
		len = (size_t)(colon - name);
	size_t suffix = sizeof(pebs) - 1;
	return len > suffix && strncasecmp(name + len - suffix, pebs, suffix) == 0 ? len - suffix : len;
}

/* The name without PMU ("cpu_core/branches/u") and modifiers ("branches:u"); a raw event keeps its name. */
static const char *plain_name(struct arena *a, const char *name, size_t *pmu_len)
{
	const char *slash = strchr(name, '/'), *close = slash ? strchr(slash + 1, '/') : NULL;
	*pmu_len = close ? (size_t)(slash - name) : 0;
	if (!slash)
		return arena_strndup(a, name, without_modifiers(name, strlen(name)));
	if (!close || close == slash + 1 || memchr(slash + 1, '=', (size_t)(close - slash - 1)))
		return name;
	return arena_strndup(a, slash + 1, without_modifiers(slash + 1, (size_t)(close - slash - 1)));
}

static enum sahm_status add_column(struct import *im, const char *name, size_t len, unsigned *column)
{
	size_t pmu_len;
	if (im->nr_columns == MAX_IMPORT_COLUMNS)
		return import_fail(im, "more than %u different events", MAX_IMPORT_COLUMNS);
	struct column *c = &im->columns[im->nr_columns];
	c->name = arena_strndup(&im->arena, name, len);
	c->plain = c->name ? plain_name(&im->arena, c->name, &pmu_len) : NULL;
	if (!c->plain)
		return sahm_fail_nomem(im->err);
	c->len = len;
	const char *pmu = im->options->pmu;
	c->ignored = pmu && pmu_len > 0 && (strlen(pmu) != pmu_len || memcmp(pmu, c->name, pmu_len) != 0);
	*column = im->nr_columns++;
	return import_resolve(im);
}

enum sahm_status import_column(struct import *im, const char *name, size_t len, unsigned *column)
{
	/* Events come in the same order in every row. */
	for (unsigned tried = 0, i = im->next_column; tried < im->nr_columns; tried++, i++) {
		i = i < im->nr_columns ? i : 0;
		if (im->columns[i].len == len && memcmp(im->columns[i].name, name, len) == 0) {
			*column = i;
			im->next_column = i + 1;
			return SAHM_OK;
		}
	}
	return add_column(im, name, len, column);
}

/* Room for the output of one more group. */
static enum sahm_status add_output(struct import *im, const struct group *group)
{
	struct output *more = realloc(im->outputs, (im->nr_outputs + 1) * sizeof(*more));
	if (!more)
		return sahm_fail_nomem(im->err);
	im->outputs = more;
	im->outputs[im->nr_outputs++] = (struct output){.group = group, .rises = true};
	return SAHM_OK;
}

static bool is_group(const struct import *im, unsigned i, const char *name, size_t len)
{
	return i < im->nr_groups && im->groups[i].len == len && memcmp(im->groups[i].name, name, len) == 0;
}

/* Where the group is in group_slots, or the free slot that it would take. */
static uint16_t *group_slot(struct import *im, const char *name, size_t len)
{
	for (uint32_t at = import_hash_name(name, len);; at++) {
		uint16_t *slot = &im->group_slots[at % GROUP_SLOTS];
		if (*slot == 0 || is_group(im, *slot - 1u, name, len))
			return slot;
	}
}

enum sahm_status import_group(struct import *im, const char *name, size_t len, unsigned *group)
{
	while (len > 0 && (name[len - 1] == ' ' || name[len - 1] == '\t'))
		len--;
	/* The next value is often of the same group. */
	if (is_group(im, im->next_group, name, len)) {
		*group = im->next_group;
		return SAHM_OK;
	}
	uint16_t *slot = group_slot(im, name, len);
	if (*slot) {
		*group = im->next_group = *slot - 1u;
		return SAHM_OK;
	}
	if (im->nr_groups == MAX_IMPORT_GROUPS)
		return import_fail(im, "more than %u CPUs, threads or cgroups", MAX_IMPORT_GROUPS);
	struct group *g = &im->groups[im->nr_groups];
	g->name = arena_strndup(&im->arena, name, len);
	g->cells = arena_alloc(&im->arena, MAX_IMPORT_COLUMNS, sizeof(*g->cells));
	if (!g->name || !g->cells)
		return sahm_fail_nomem(im->err);
	for (unsigned c = 0; c < MAX_IMPORT_COLUMNS; c++)
		g->cells[c].skip = SKIP_INCOMPLETE;
	g->len = len;
	g->chosen = im->options->groups != IMPORT_ONLY || strcmp(im->options->only, g->name) == 0;
	*group = im->next_group = im->nr_groups++;
	*slot = (uint16_t)im->nr_groups;
	if (im->options->groups == IMPORT_EACH)
		return add_output(im, g);
	return im->nr_outputs ? SAHM_OK : add_output(im, NULL);
}

void import_skip(struct import *im, enum import_skip reason, unsigned line, const char *column)
{
	if (im->skipped[reason]++ == 0) {
		im->first_skipped_line[reason] = line;
		im->first_skipped_file[reason] = im->file;
		im->first_skipped_column[reason] = column;
	}
}

/* The cell to be filled, or NULL when what it says is passed over. */
static struct cell *open_cell(struct import *im, unsigned group, unsigned column)
{
	struct cell *cell = &im->groups[group].cells[column];
	unsigned line = im->lines.line;
	if (!im->groups[group].chosen) {
		import_skip(im, SKIP_OTHER_GROUP, line, NULL);
		return NULL;
	}
	if (im->columns[column].ignored) {
		import_skip(im, SKIP_OTHER_PMU, line, NULL);
		return NULL;
	}
	/* Which of the two is meant? */
	if (cell->is_there || cell->skip != SKIP_INCOMPLETE) {
		cell->is_there = false;
		cell->skip = SKIP_REPEATED;
		return NULL;
	}
	if (im->row_line == 0)
		im->row_line = line;
	if (!im->groups[group].seen)
		im->seen[im->nr_seen++] = group;
	if (im->groups[group].begun != im->nr_begun)
		im->nr_expected++;
	im->groups[group].begun = im->nr_begun;
	im->groups[group].seen = true;
	return cell;
}

void import_count(struct import *im, unsigned group, unsigned column, decimal value, int running_pct100)
{
	struct cell *cell = open_cell(im, group, column);
	if (!cell)
		return;
	cell->value = value;
	cell->running_pct100 = (int16_t)running_pct100;
	cell->is_there = true;
}

void import_no_count(struct import *im, unsigned group, unsigned column, enum import_skip reason)
{
	struct cell *cell = open_cell(im, group, column);
	if (!cell)
		return;
	cell->skip = (uint8_t)reason;
	im->nr_unsupported += reason == SKIP_NOT_SUPPORTED;
}

static bool is_one_of(const char *text, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && strncasecmp(*words, text, len) == 0)
			return true;
	return false;
}

void import_text(struct import *im, unsigned group, unsigned column, const char *text, size_t len, int running_pct100)
{
	static const char *const not_counted[] = {"<not counted>", NULL};
	static const char *const not_supported[] = {"<not supported>", NULL};
	static const char *const blank[] = {"", "-", "nan", "na", "n/a", "null", "none", NULL};
	decimal value;
	enum number_fault fault = decimal_read(text, len, &value);
	if (fault == NUMBER_OVERFLOW)
		import_no_count(im, group, column, SKIP_TOO_LARGE);
	else if (fault == NUMBER_OK)
		import_count(im, group, column, value, running_pct100);
	else if (is_one_of(text, len, not_counted))
		import_no_count(im, group, column, SKIP_NOT_COUNTED);
	else if (is_one_of(text, len, not_supported))
		import_no_count(im, group, column, SKIP_NOT_SUPPORTED);
	else
		import_no_count(im, group, column, is_one_of(text, len, blank) ? SKIP_BLANK : SKIP_TEXT);
}

void import_clear_row(struct import *im)
{
	for (unsigned i = 0; i < im->nr_seen; i++) {
		struct group *g = &im->groups[im->seen[i]];
		struct cell *cells = g->cells;
		g->seen = false;
		for (unsigned c = 0; c < im->nr_columns; c++) {
			cells[c].is_there = false;
			cells[c].skip = SKIP_INCOMPLETE;
		}
	}
	im->nr_seen = 0;
	im->row_line = 0;
}

enum sahm_status import_begin_recording(struct import *im, const char *date)
{
	im->nr_recordings++;
	im->nr_begun++;
	im->nr_expected = im->nr_summed = 0;
	im->stamp = (struct stamp){0};
	return date && import_recording_is_chosen(im) ? import_say(im, PROVENANCE_DATE, date) : SAHM_OK;
}

bool import_recording_is_chosen(const struct import *im)
{
	unsigned wanted = im->options->recording;
	return wanted == 0 || wanted == (im->nr_recordings ? im->nr_recordings : 1);
}
