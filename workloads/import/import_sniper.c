/* Sniper's statistics as text. Four forms, of Sniper's versions 1 to 8:
 *
 * sim.stats, sim.stats.delta (until 2012): totals of each core at snapshots, in the order of time; a row is what lies
 * between two of them. Totals that are 0 are left out from version 3 on.
 *
 *     roi-begin.L1-D[0].loads 1234
 *
 * tools/dumpstats.py: what lies between roi-begin and roi-end (or --partial), a value for each core; a row. With
 * --through-time NAME,... totals again, one statistic after the other.
 *
 *     L1-D.loads = 1234, 1240                == L1-D.loads ==
 *                                            roi-begin = 1234, 1240
 *
 * sim.out: a table of them, which has less; a row.
 *
 *       Cache L1-D                  |            |
 *         num cache accesses        |       1234 |       1240
 *
 * Outside of the region of interest (roi-begin to roi-end) Sniper only warms up caches, or fast-forwards: what lies
 * there makes no rows. Times are in femtoseconds. Since 2012 Sniper writes SQLite, which dumpstats.py turns into text.
 *
 * Sources: Sniper's tools/sniper_stats_compat.py, sniper_lib.py, dumpstats.py, gen_simout.py, common/misc/stats.cc. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "workloads/import/import_internal.h"

#define MAX_CORES MAX_IMPORT_GROUPS
#define FS_PER_NS INT64_C(1000000)
/* Times beyond 2^62 ns are nonsense. */
#define MAX_TIME_NS (INT64_C(1) << 62)
#define MAX_SNAPSHOT_BYTES 100u

/* Totals that a snapshot leaves out where they are 0, if it has any other one of the same object. */
static const char *const totals[] = {
	"performance_model.instruction_count",
	"branch_predictor.num-correct",
	"branch_predictor.num-incorrect",
	"L1-I.load-misses",
	"L1-D.loads",
	"L1-D.stores",
	"L1-D.load-misses",
	"L1-D.store-misses-I",
	"L2.loads",
	"L2.stores",
	"L2.load-misses",
	"L2.store-misses-I",
};

struct core {
	unsigned group;
	bool is_alive; /* the snapshot has something of it */
	decimal now[MAX_IMPORT_COLUMNS], base[MAX_IMPORT_COLUMNS];
	bool is_now[MAX_IMPORT_COLUMNS], is_base[MAX_IMPORT_COLUMNS]; /* there, in this snapshot and the one before */
};

/* A value of dumpstats.py --through-time. */
struct entry {
	uint32_t snapshot, column, core; /* column NO_COLUMN: a time */
	uint32_t order;			 /* in the file: qsort() keeps none where two are equal */
	decimal value;
};

#define NO_COLUMN UINT32_MAX

struct reader {
	struct core *cores[MAX_CORES]; /* NULL: not seen yet */
	unsigned nr_cores;
	/* snapshots */
	char snapshot[MAX_SNAPSHOT_BYTES]; /* the present one; "": there is none */
	bool has_base, needs_roi, in_roi;
	decimal time_fs, base_fs;
	uint64_t nr_snapshots, nr_outside;
	uint64_t stamp_ns;
	/* rows that a file has as such */
	bool is_in_row[MAX_IMPORT_COLUMNS];
	decimal duration_fs;
	char heading[64]; /* sim.out */
	/* through time */
	struct entry *entries; /* not in the arena: it grows */
	size_t nr, room;
	const char **names; /* of snapshots */
	uint32_t nr_names, room_names, next;
	char section[64];
	bool is_first_section;
};

static enum sahm_status core_of(struct import *im, struct reader *r, uint64_t number, struct core **core)
{
	char name[24];
	if (number >= MAX_CORES)
		return import_fail(im, "more than %u cores", MAX_CORES);
	*core = r->cores[number];
	if (*core)
		return SAHM_OK;
	*core = r->cores[number] = arena_alloc(&im->arena, 1, sizeof(**core));
	if (!*core)
		return sahm_fail_nomem(im->err);
	r->nr_cores = number >= r->nr_cores ? (unsigned)number + 1 : r->nr_cores;
	snprintf(name, sizeof(name), "core%u", (unsigned)number);
	return import_group(im, name, strlen(name), &(*core)->group);
}

static bool is_time(const char *name)
{
	return strcmp(name, "barrier.global_time") == 0 || strcmp(name, "performance_model.elapsed_time") == 0;
}

/* The barrier knows best; cores can be ahead of it or not have begun. */
static void take_time(decimal *time_fs, decimal value)
{
	*time_fs = value > *time_fs ? value : *time_fs;
}

static enum sahm_status end_row(struct import *im, struct reader *r, decimal duration_fs)
{
	decimal ns = duration_fs / FS_PER_NS / DECIMAL_ONE;
	bool has_time = ns > 0 && ns < MAX_TIME_NS - (decimal)r->stamp_ns;
	r->stamp_ns += has_time ? (uint64_t)ns : 0;
	return import_end_row(im, has_time, r->stamp_ns);
}

/* Counts the difference between two snapshots. A total cannot vanish. One that is not there yet is 0, but for the time
 * of a core that begins: the core was idle until then. */
static void count_difference(struct import *im, const struct reader *r, struct core *core, unsigned column)
{
	decimal base = core->is_base[column] ? core->base[column] : 0;
	if (base == 0 && is_time(im->columns[column].name))
		base = r->base_fs;
	if (!core->is_now[column] && core->is_base[column])
		import_no_count(im, core->group, column, SKIP_INCOMPLETE);
	else if (core->is_now[column] && core->now[column] < base)
		import_no_count(im, core->group, column, SKIP_BACKWARDS);
	else
		import_count(im, core->group, column, core->is_now[column] ? core->now[column] - base : 0, -1);
}

static enum sahm_status end_snapshot(struct import *im, struct reader *r)
{
	enum sahm_status status = SAHM_OK;
	bool is_row = r->has_base && (r->in_roi || !r->needs_roi);
	if (!r->snapshot[0])
		return SAHM_OK;
	if (r->has_base && !is_row)
		r->nr_outside++;
	for (unsigned n = 0; n < r->nr_cores; n++) {
		struct core *core = r->cores[n];
		for (unsigned c = 0; core && core->is_alive && c < im->nr_columns; c++) {
			if (is_row)
				count_difference(im, r, core, c);
			core->base[c] = core->now[c];
			core->is_base[c] = core->is_now[c];
			core->is_now[c] = false;
		}
		if (core)
			core->is_alive = false;
	}
	if (is_row)
		status = end_row(im, r, r->time_fs - r->base_fs);
	bool begins = strcmp(r->snapshot, "roi-begin") == 0, starts = strcmp(r->snapshot, "start") == 0;
	r->needs_roi |= !r->has_base && (begins || starts);
	r->in_roi = begins || (r->in_roi && strcmp(r->snapshot, "roi-end") != 0);
	r->has_base = true;
	r->base_fs = r->time_fs;
	r->time_fs = 0;
	r->snapshot[0] = '\0';
	return status;
}

static enum sahm_status begin_snapshot(struct import *im, struct reader *r, const char *name, size_t len)
{
	enum sahm_status status = SAHM_OK;
	if (strlen(r->snapshot) == len && memcmp(r->snapshot, name, len) == 0)
		return SAHM_OK;
	status = end_snapshot(im, r);
	memcpy(r->snapshot, name, len);
	r->snapshot[len] = '\0';
	r->nr_snapshots++;
	return status;
}

static enum sahm_status set_total(struct import *im, struct reader *r, uint64_t number, const char *name, decimal value)
{
	struct core *core;
	unsigned column;
	enum sahm_status status = core_of(im, r, number, &core);
	if (status != SAHM_OK)
		return status;
	core->is_alive = true;
	if (is_time(name))
		take_time(&r->time_fs, value);
	/* The totals of an object come together: those that are 0 are left out. */
	size_t object = strcspn(name, ".") + 1;
	for (size_t i = 0; i < ARRAY_SIZE(totals) && status == SAHM_OK; i++)
		if (strncmp(totals[i], name, object) == 0)
			status = import_column(im, totals[i], strlen(totals[i]), &column);
	if (status != SAHM_OK || !import_is_wanted(im, name, strlen(name)))
		return status;
	status = import_column(im, name, strlen(name), &column);
	if (status == SAHM_OK) {
		core->now[column] = value;
		core->is_now[column] = true;
	}
	return status;
}

/* "roi-begin.L1-D[0].loads 1234": its parts. */
struct total {
	const char *snapshot, *object, *core, *metric, *value;
	size_t snapshot_len, object_len, core_len, metric_len, value_len;
};

static bool parse_total(const char *text, size_t len, struct total *t)
{
	const char *end = text + len, *open = memchr(text, '[', len);
	const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
	const char *blank = close ? memchr(close, ' ', (size_t)(end - close)) : NULL;
	const char *point = open ? memrchr(text, '.', (size_t)(open - text)) : NULL;
	if (!point || !blank || close[1] != '.' || point == text || memchr(text, ' ', (size_t)(open - text)))
		return false;
	*t = (struct total){text, point + 1, open + 1, close + 2, blank + 1, 0, 0, 0, 0, 0};
	t->snapshot_len = (size_t)(point - text);
	t->object_len = (size_t)(open - t->object);
	t->core_len = (size_t)(close - t->core);
	t->metric_len = (size_t)(blank - t->metric);
	t->value_len = (size_t)(end - t->value);
	while (t->value_len > 0 && strchr(" \r", t->value[t->value_len - 1]))
		t->value_len--;
	uint64_t number;
	decimal value;
	return t->object_len > 0 && t->object_len < 32 && t->metric_len > 0 && t->metric_len < 64 &&
	       t->snapshot_len < MAX_SNAPSHOT_BYTES && number_read_u64(t->core, t->core_len, &number) == NUMBER_OK &&
	       decimal_read(t->value, t->value_len, &value) == NUMBER_OK && value >= 0;
}

static enum sahm_status read_total(struct import *im, struct reader *r, const struct total *t)
{
	char name[100];
	uint64_t number = 0;
	decimal value = 0;
	/* The last number of a line that was cut short can be any. */
	if (!im->lines.ended) {
		import_skip(im, SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	snprintf(name, sizeof(name), "%.*s.%.*s", (int)t->object_len, t->object, (int)t->metric_len, t->metric);
	number_read_u64(t->core, t->core_len, &number);
	decimal_read(t->value, t->value_len, &value);
	enum sahm_status status = begin_snapshot(im, r, t->snapshot, t->snapshot_len);
	return status == SAHM_OK ? set_total(im, r, number, name, value) : status;
}

/* The next value of a list, without blanks around it. */
static bool next_value(const char **rest, char separator, const char **value, size_t *len)
{
	if (!*rest)
		return false;
	const char *end = strchr(*rest, separator);
	*value = *rest + strspn(*rest, " ");
	*len = end && end > *value ? (size_t)(end - *value) : end ? 0 : strlen(*value);
	while (*len > 0 && strchr(" \r", (*value)[*len - 1]))
		--*len;
	*rest = end ? end + 1 : NULL;
	return true;
}

static enum sahm_status end_given_row(struct import *im, struct reader *r)
{
	enum sahm_status status = end_row(im, r, r->duration_fs);
	memset(r->is_in_row, 0, sizeof(r->is_in_row));
	r->duration_fs = 0;
	return status;
}

/* A value for each core, as it stands. A name that is there twice begins a new row. */
static enum sahm_status count_values(struct import *im, struct reader *r, const char *name, const char *values,
				     char separator)
{
	unsigned column;
	size_t len;
	const char *value;
	if (!import_is_wanted(im, name, strlen(name)))
		return SAHM_OK;
	enum sahm_status status = import_column(im, name, strlen(name), &column);
	if (status == SAHM_OK && r->is_in_row[column])
		status = end_given_row(im, r);
	if (status == SAHM_OK)
		r->is_in_row[column] = true;
	for (uint64_t n = 0; status == SAHM_OK && next_value(&values, separator, &value, &len); n++) {
		struct core *core;
		status = core_of(im, r, n, &core);
		if (status == SAHM_OK && !values && !im->lines.ended)
			import_skip(im, SKIP_CUT_SHORT, im->lines.line, NULL);
		else if (status == SAHM_OK)
			import_text(im, core->group, column, value, len, -1);
	}
	return status;
}

static void take_duration(struct reader *r, const char *values, char separator, int64_t unit_fs)
{
	const char *value;
	size_t len;
	decimal time;
	while (next_value(&values, separator, &value, &len))
		if (decimal_read(value, len, &time) == NUMBER_OK && time < DECIMAL_END / unit_fs)
			take_time(&r->duration_fs, time * unit_fs);
}

/* "L1-D.loads = 1234, 1240" */
static enum sahm_status read_list(struct import *im, struct reader *r, const char *text, const char *equals)
{
	char name[100];
	size_t len = (size_t)(equals - text);
	if (len == 0 || len >= sizeof(name) || memchr(text, ' ', len))
		return SAHM_OK;
	memcpy(name, text, len);
	name[len] = '\0';
	enum sahm_status status = count_values(im, r, name, equals + 3, ',');
	if (strcmp(name, "global.time") == 0 || is_time(name))
		take_duration(r, equals + 3, ',', 1);
	return status;
}

/* "    num cache accesses | 1234 | 1240" */
static enum sahm_status read_table(struct import *im, struct reader *r, const char *text, const char *bar)
{
	char title[64], name[140];
	const char *begin = text + strspn(text, " ");
	size_t len = bar > begin ? (size_t)(bar - begin) : 0;
	while (len > 0 && begin[len - 1] == ' ')
		len--;
	if (len == 0) {
		r->heading[0] = '\0';
		return strstr(bar, " Core 0") ? end_given_row(im, r) : SAHM_OK;
	}
	if (len >= sizeof(title))
		return SAHM_OK;
	memcpy(title, begin, len);
	title[len] = '\0';
	if (bar[strspn(bar, "| \r")] == '\0') {
		memcpy(r->heading, title, sizeof(title));
		return SAHM_OK;
	}
	snprintf(name, sizeof(name), "%s%s%s", r->heading, r->heading[0] ? " " : "", title);
	if (strcmp(name, "Time (ns)") == 0 || strcmp(name, "Time") == 0)
		take_duration(r, bar + 1, '|', FS_PER_NS);
	return count_values(im, r, name, bar + 1, '|');
}

static enum sahm_status add_entry(struct import *im, struct reader *r, struct entry entry)
{
	if (r->nr == r->room) {
		size_t room = r->room ? r->room * 2 : 1024;
		struct entry *more = realloc(r->entries, room * sizeof(*more));
		if (!more)
			return sahm_fail_nomem(im->err);
		r->entries = more;
		r->room = room;
	}
	entry.order = (uint32_t)r->nr;
	r->entries[r->nr++] = entry;
	return SAHM_OK;
}

/* Snapshots have the same order in every section. */
static enum sahm_status check_snapshot(struct import *im, struct reader *r, const char *name, size_t len)
{
	if (r->is_first_section) {
		if (r->nr_names == r->room_names) {
			uint32_t room = r->room_names ? r->room_names * 2 : 64;
			const char **more = realloc(r->names, room * sizeof(*more));
			if (!more)
				return sahm_fail_nomem(im->err);
			r->names = more;
			r->room_names = room;
		}
		r->names[r->nr_names] = arena_strndup(&im->arena, name, len);
		if (!r->names[r->nr_names++])
			return sahm_fail_nomem(im->err);
	}
	if (r->next < r->nr_names && strlen(r->names[r->next]) == len && memcmp(r->names[r->next], name, len) == 0)
		return SAHM_OK;
	return import_fail(im, "'%.*s' is not the snapshot that stands here for the first statistic", (int)len, name);
}

/* A section of dumpstats.py --through-time: "roi-begin = 1234, 1240". */
static enum sahm_status read_through_time(struct import *im, struct reader *r, const char *text, const char *equals)
{
	size_t len = (size_t)(equals - text);
	const char *value, *values = equals + 3;
	bool wanted = import_is_wanted(im, r->section, strlen(r->section));
	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (len == 0 || len >= MAX_SNAPSHOT_BYTES)
		return SAHM_OK;
	enum sahm_status status = check_snapshot(im, r, text, len);
	for (uint32_t core = 0; status == SAHM_OK && next_value(&values, ',', &value, &len); core++) {
		struct entry entry = {.snapshot = r->next, .column = NO_COLUMN, .core = core};
		bool is_number = decimal_read(value, len, &entry.value) == NUMBER_OK && entry.value >= 0;
		if (!is_number || (!values && !im->lines.ended)) {
			import_skip(im, SKIP_CUT_SHORT, im->lines.line, NULL);
			continue;
		}
		if (is_time(r->section))
			status = add_entry(im, r, entry);
		if (status == SAHM_OK && wanted) {
			unsigned column;
			status = import_column(im, r->section, strlen(r->section), &column);
			entry.column = column;
			if (status == SAHM_OK)
				status = add_entry(im, r, entry);
		}
	}
	r->next++;
	return status;
}

static int by_snapshot(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->snapshot != y->snapshot)
		return x->snapshot < y->snapshot ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static enum sahm_status end_through_time(struct import *im, struct reader *r)
{
	enum sahm_status status = SAHM_OK;
	if (r->next < r->nr_names && im->notes)
		textbuf_printf(
			im->notes,
			"%s: '%.60s' has %u of %u snapshots: was the file cut short? Totals that are missing count as "
			"0\n",
			im->file, r->section, r->next, r->nr_names);
	if (r->nr > 0)
		qsort(r->entries, r->nr, sizeof(*r->entries), by_snapshot);
	for (size_t i = 0; i < r->nr && status == SAHM_OK; i++) {
		const struct entry *e = &r->entries[i];
		const char *name = r->names[e->snapshot];
		struct core *core;
		status = begin_snapshot(im, r, name, strlen(name));
		if (status == SAHM_OK && e->column == NO_COLUMN)
			take_time(&r->time_fs, e->value);
		if (status != SAHM_OK || e->column == NO_COLUMN)
			continue;
		status = core_of(im, r, e->core, &core);
		if (status != SAHM_OK)
			break;
		core->is_alive = true;
		core->now[e->column] = e->value;
		core->is_now[e->column] = true;
	}
	return status;
}

/* "== L1-D.loads ==" */
static bool read_section(struct reader *r, const char *text)
{
	size_t len = strlen(text);
	while (len > 0 && strchr(" \r", text[len - 1]))
		len--;
	if (len < 7 || len - 6 >= sizeof(r->section) || strncmp(text, "== ", 3) != 0 ||
	    memcmp(text + len - 3, " ==", 3) != 0)
		return false;
	r->is_first_section = !r->section[0];
	memcpy(r->section, text + 3, len - 6);
	r->section[len - 6] = '\0';
	r->next = 0;
	return true;
}

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	const char *text = im->lines.text, *mark;
	struct total total;
	if (parse_total(text, strlen(text), &total))
		return read_total(im, r, &total);
	if (read_section(r, text))
		return SAHM_OK;
	mark = strstr(text, " = ");
	if (mark)
		return r->section[0] ? read_through_time(im, r, text, mark) : read_list(im, r, text, mark);
	mark = strchr(text, '|');
	return mark ? read_table(im, r, text, mark) : SAHM_OK;
}

static void report(struct import *im, const struct reader *r)
{
	if (r->nr_outside)
		textbuf_printf(im->notes,
			       "%s: %llu interval%s outside of the region of interest (roi-begin to roi-end) make%s no "
			       "rows\n",
			       im->file, (unsigned long long)r->nr_outside, r->nr_outside == 1 ? "" : "s",
			       r->nr_outside == 1 ? "s" : "");
}

/* Statistics, but no row. */
static enum sahm_status check_rows(struct import *im, const struct reader *r)
{
	if (im->nr_columns == 0)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				    "no statistics are in it: sim.out, sim.stats of version 3, and what "
				    "tools/dumpstats.py prints can be imported");
	if (r->nr_snapshots == 1)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				    "there is only one snapshot: a row is what lies between two");
	if (r->nr_snapshots > 0 && r->nr_outside + 1 == r->nr_snapshots)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				    "nothing lies in the region of interest: 'roi-begin' is missing, or the last of "
				    "%llu snapshots",
				    (unsigned long long)r->nr_snapshots);
	return SAHM_OK;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = im->state = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "Sniper") : sahm_fail_nomem(im->err);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		status = read_line(im, r);
	}
	if (status == SAHM_OK)
		status = end_through_time(im, r);
	if (status == SAHM_OK)
		status = r->snapshot[0] ? end_snapshot(im, r) : end_given_row(im, r);
	if (status == SAHM_OK)
		status = check_rows(im, r);
	if (status == SAHM_OK && im->notes)
		report(im, r);
	return status;
}

static void release(struct import *im)
{
	struct reader *r = im->state;
	if (!r)
		return;
	free(r->entries);
	free(r->names);
}

static bool owns_line(const char *line, size_t len)
{
	static const char *const objects[] = {"performance_model.", "branch_predictor.num-", "L1-I.", "L1-D.",
					      "core.instructions"};
	struct total total;
	bool is_section = import_line_begins(line, len, "== ");
	if (parse_total(line, len, &total) ||
	    (import_line_begins(line, len, " ") && import_line_holds(line, len, "| Core 0 ")))
		return true;
	size_t at = is_section ? 3 : 0;
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		if (import_line_begins(line + at, len - at, objects[i]))
			return import_line_holds(line, len, is_section ? " ==" : " = ");
	return false;
}

const struct import_format import_format_sniper = {.owns_line = owns_line,
						   .is_counted_by_tool = true,
						   .is_model = true,
						   .how = "Sniper run to its end",
						   .groups = GROUPS_COME_AND_GO,
						   .read = read,
						   .release = release};
