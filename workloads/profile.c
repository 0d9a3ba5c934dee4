/* Reading profiles: keys, header row, rows. */
#include "workloads/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "workloads/trace.h"

#define FIRST_LINE_STEM PROFILE_FIRST_WORDS
#define FIRST_LINE FIRST_LINE_STEM "1"
#define MAX_DIGITS 19

enum profile_key {
#define KEY(suffix, name, required, help) KEY_##suffix,
#include "workloads/profile_key_list.h"
#undef KEY
	NR_PROFILE_KEYS
};

const struct profile_key_row profile_keys[] = {
#define KEY(suffix, name, required, help) {name, required, help},
#include "workloads/profile_key_list.h"
#undef KEY
	{0},
};

const struct profile_column_row profile_columns[NR_PROFILE_COLUMNS] = {
#define COLUMN(suffix, name, min, max, whole, help) {name, min, max, whole, help},
#include "workloads/profile_column_list.h"
#undef COLUMN
};

/* Fields of the table: the name, the columns, the states. */
enum { FIELD_NAME = NR_PROFILE_COLUMNS, FIELD_STATE, NR_FIELDS = FIELD_STATE + NR_STATES };

struct reader {
	struct line_reader lines;
	struct profile *p;
	struct sahm_err *err;
	unsigned field_of[NR_FIELDS]; /* by place in the table */
	unsigned nr_fields;
	bool in_table[NR_FIELDS];
	unsigned line_of_key[NR_PROFILE_KEYS];	     /* 0: not there */
	unsigned line_of_column[NR_PROFILE_COLUMNS]; /* where it stands above the table */
	decimal for_all[NR_PROFILE_COLUMNS];
	unsigned line_of_follow[NR_STATES][NR_STATES];
	size_t room; /* rows */
};

enum profile_column profile_metric_column(enum component c, bool high)
{
	return (enum profile_column)(PROFILE_BRANCH_LOW + 2 * (unsigned)c + high);
}

static const char *field_name(unsigned field)
{
	if (field == FIELD_NAME)
		return "name";
	return field < FIELD_NAME ? profile_columns[field].name : state_name(field - FIELD_STATE);
}

static enum sahm_status SAHM_PRINTF(2, 3) fail_line(struct reader *r, const char *fmt, ...)
{
	char msg[SAHM_WHOLE_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return sahm_fail_at(r->err, SAHM_FORMAT, r->lines.file, r->lines.line, "%s", msg);
}

/* Reads a value of a column; '-' only where a typical value need not be there. */
static enum sahm_status read_value(struct reader *r, unsigned field, const char *text, decimal *value)
{
	const struct profile_column_row *c = field < FIELD_NAME ? &profile_columns[field] : NULL;
	bool may_lack = field >= PROFILE_BRANCH_LOW && field <= PROFILE_L2_HIGH;
	const char *min_text = c ? c->min : "0", *max_text = c ? c->max : "1000000000";
	decimal min, max;
	*value = PROFILE_NONE;
	if (may_lack && strcmp(text, "-") == 0)
		return SAHM_OK;
	decimal_read(min_text, strlen(min_text), &min);
	decimal_read(max_text, strlen(max_text), &max);
	if (!*text)
		return fail_line(r, "%s is empty", field_name(field));
	enum number_fault fault = decimal_read(text, strlen(text), value);
	if (fault == NUMBER_NOT)
		return fail_line(r, "%s '%.40s' is not a number", field_name(field), text);
	if (fault != NUMBER_OK || *value < min || *value > max)
		return fail_line(r, "%s '%.40s' is out of range, must be from %s to %s", field_name(field), text,
				 min_text, max_text);
	if (c && c->whole && *value % DECIMAL_ONE != 0)
		return fail_line(r, "%s '%.40s' is not whole", field_name(field), text);
	return SAHM_OK;
}

static bool find_state(const char *text, size_t len, unsigned *state)
{
	for (*state = 0; *state < NR_STATES; ++*state)
		if (strlen(state_name(*state)) == len && memcmp(state_name(*state), text, len) == 0)
			return true;
	return false;
}

/* Cuts blanks off both ends, in place. */
static char *trimmed(char *text)
{
	text += strspn(text, " \t");
	size_t len = strlen(text);
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		text[--len] = '\0';
	return text;
}

/* FROM > TO: FACTOR */
static enum sahm_status read_follow(struct reader *r, char *text)
{
	char *sign = strchr(text, '>'), *colon = sign ? strchr(sign, ':') : NULL;
	if (!colon)
		return fail_line(r, "'%.80s' is not of the form FROM > TO: FACTOR", text);
	*sign = *colon = '\0';
	const char *factor_text = trimmed(colon + 1);
	unsigned ends[2];
	for (unsigned i = 0; i < 2; i++) {
		const char *name = trimmed(i ? sign + 1 : text);
		char near[SUGGEST_BYTES];
		struct suggest s;
		suggest_init(&s, name);
		for (unsigned state = 0; state < NR_STATES; state++)
			suggest_offer(&s, state_name(state));
		if (!find_state(name, strlen(name), &ends[i]))
			return fail_line(r, "no state is called '%.40s'%s", name, suggest_text(&s, near));
	}
	decimal factor;
	const decimal least = DECIMAL_ONE / FOLLOW_ONE;
	/* What is less than the least would become 0, and unlikely is not never. */
	if (decimal_read(factor_text, strlen(factor_text), &factor) != NUMBER_OK || factor < 0 ||
	    (factor > 0 && factor < least) || factor >= (decimal)MAX_FOLLOW * DECIMAL_ONE)
		return fail_line(r, "factor '%.40s' must be 0 or a number from 0.000001 to below %u", factor_text,
				 MAX_FOLLOW);
	unsigned *line = &r->line_of_follow[ends[0]][ends[1]];
	if (*line)
		return fail_line(r, "'%s > %s' stands twice, first in line %u", state_name(ends[0]),
				 state_name(ends[1]), *line);
	*line = r->lines.line;
	r->p->follow[ends[0]][ends[1]] = (uint32_t)(factor / least);
	return SAHM_OK;
}

static enum sahm_status read_whole(struct reader *r, const char *key, const char *text, uint64_t min, uint64_t max,
				   uint64_t *value)
{
	if (number_read_u64(text, strlen(text), value) != NUMBER_OK || *value < min || *value > max)
		return fail_line(r, "%s '%.40s', must be a whole number from %" PRIu64 " to %" PRIu64, key, text, min,
				 max);
	return SAHM_OK;
}

static enum sahm_status read_epoch(struct reader *r, const char *text)
{
	decimal ms;
	const decimal per_ns = DECIMAL_ONE / (decimal)NS_PER_MS;
	if (decimal_read(text, strlen(text), &ms) != NUMBER_OK || ms % per_ns != 0 ||
	    ms < (decimal)MIN_EPOCH_NS * per_ns || ms > (decimal)MAX_EPOCH_NS * per_ns)
		return fail_line(r, "epoch_ms '%.40s', must be whole ns, from %.15g to %.15g ms", text,
				 ms_of_ns(MIN_EPOCH_NS), ms_of_ns(MAX_EPOCH_NS));
	r->p->epoch_ns = (uint64_t)(ms / per_ns);
	return SAHM_OK;
}

static enum sahm_status read_cuts(struct reader *r, const char *text)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	if (cuts_named(text, &r->p->cuts))
		return SAHM_OK;
	suggest_init(&s, text);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		suggest_offer(&s, cut_set_names[i]);
	return fail_line(r, "no set of cuts is called '%.40s'%s", text, suggest_text(&s, near));
}

static enum sahm_status read_origin(struct reader *r, enum provenance_key key, const char *text)
{
	const char *name = provenance_key_name(key);
	struct sahm_err cause;
	enum sahm_status status = provenance_set(&r->p->provenance, &r->p->arena, name, strlen(name), text, &cause);
	return status == SAHM_OK ? SAHM_OK
				 : sahm_fail_at(r->err, status, r->lines.file, r->lines.line, "%s", cause.msg);
}

static enum sahm_status read_key(struct reader *r, enum profile_key key, char *text)
{
	uint64_t digits = 0;
	enum sahm_status status;
	if (r->line_of_key[key] && key != KEY_FOLLOW)
		return fail_line(r, "'%s' stands twice, first in line %u", profile_keys[key].name, r->line_of_key[key]);
	r->line_of_key[key] = r->lines.line;
	switch (key) {
	case KEY_SEED:
		return read_whole(r, "seed", text, 0, UINT64_MAX, &r->p->seed);
	case KEY_EPOCH_MS:
		return read_epoch(r, text);
	case KEY_CUTS:
		return read_cuts(r, text);
	case KEY_DIGITS:
		status = read_whole(r, "digits", text, 2, MAX_DIGITS, &digits);
		r->p->digits = (unsigned)digits;
		return status;
	case KEY_FOLLOW:
		return read_follow(r, text);
	case KEY_MACHINE:
		return read_origin(r, PROVENANCE_MACHINE, text);
	case KEY_LICENCE:
		return read_origin(r, PROVENANCE_LICENCE, text);
	case KEY_NOTE:
		return read_origin(r, PROVENANCE_NOTE, text);
	case NR_PROFILE_KEYS:
		break;
	}
	return SAHM_OK;
}

/* Field called `name`; NR_FIELDS when there is none, with a suggestion in `near`. */
static unsigned find_field(const char *name, char near[SUGGEST_BYTES])
{
	struct suggest s;
	suggest_init(&s, name);
	for (unsigned field = 0; field < NR_FIELDS; field++) {
		if (strcmp(field_name(field), name) == 0)
			return field;
		suggest_offer(&s, field_name(field));
	}
	suggest_text(&s, near);
	return NR_FIELDS;
}

static enum sahm_status fail_late(struct reader *r, const char *key)
{
	return fail_line(r, "'%s' stands below the head of the table, which is too late", key);
}

/* A line above the table: `# key: value`, or a remark, which is any comment that does not begin with a word and ':'. */
static enum sahm_status read_comment(struct reader *r)
{
	char *key = strchr(r->lines.text, '#') + 1, near[SUGGEST_BYTES];
	key += strspn(key, " \t");
	size_t len = strcspn(key, ": \t");
	if (len == 0 || key[len] != ':')
		return SAHM_OK;
	key[len] = '\0';
	char *value = trimmed(key + len + 1);
	for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
		if (strcmp(profile_keys[k].name, key) == 0)
			return r->nr_fields > 0 ? fail_late(r, key) : read_key(r, (enum profile_key)k, value);
	unsigned field = find_field(key, near);
	if (field >= FIELD_NAME) {
		struct suggest s;
		suggest_init(&s, key);
		for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
			suggest_offer(&s, profile_keys[k].name);
		if (s.best)
			suggest_text(&s, near);
		return field == NR_FIELDS ? fail_line(r, "no key or column is called '%.40s'%s", key, near)
					  : fail_line(r, "'%s' can only stand in the table", key);
	}
	if (r->nr_fields > 0)
		return fail_late(r, key);
	if (r->line_of_column[field])
		return fail_line(r, "'%s' stands twice, first in line %u", key, r->line_of_column[field]);
	r->line_of_column[field] = r->lines.line;
	return read_value(r, field, value, &r->for_all[field]);
}

static enum sahm_status read_header(struct reader *r)
{
	char near[SUGGEST_BYTES];
	bool has_state = false;
	for (char *rest = r->lines.text; rest;) {
		size_t len;
		const char *name = line_next_field(&rest, &len);
		unsigned field = find_field(name, near);
		if (field == NR_FIELDS)
			return fail_line(r, "no column is called '%.40s'%s", name, near);
		if (r->in_table[field])
			return fail_line(r, "column '%s' stands twice", name);
		if (field < FIELD_NAME && r->line_of_column[field])
			return fail_line(r, "column '%s' stands above the table too, in line %u", name,
					 r->line_of_column[field]);
		has_state |= field >= FIELD_STATE;
		r->in_table[field] = true;
		r->field_of[r->nr_fields++] = field;
	}
	if (!r->in_table[FIELD_NAME])
		return fail_line(r, "column 'name' is missing");
	if (!has_state)
		return fail_line(r, "there is no column for any state, such as 'Low' or 'L2+Branch'");
	for (unsigned c = 0; c < NR_PROFILE_COLUMNS; c++)
		if (!r->in_table[c] && !r->line_of_column[c])
			return fail_line(r, "'%s' (%s) is missing, in the table or, for all rows, above it",
					 profile_columns[c].name, profile_columns[c].help);
	for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
		if (profile_keys[k].required && !r->line_of_key[k])
			return fail_line(r, "'# %s: ' (%s) is missing above the table", profile_keys[k].name,
					 profile_keys[k].help);
	return SAHM_OK;
}

/* A typical value must be there and lie on its side of the cut wherever a state of the row needs it. */
static enum sahm_status check_metric(struct reader *r, const struct profile_row *row, enum component c, bool high)
{
	enum profile_column column = profile_metric_column(c, high);
	decimal value = row->value[column];
	const char *name = profile_columns[column].name;
	unsigned state = 0;
	while (state < NR_STATES && (row->share[state] == 0 || ((state >> c) & 1u) != high))
		state++;
	if (state == NR_STATES)
		return SAHM_OK;
	if (value == PROFILE_NONE)
		return fail_line(r, "%s is missing: '%s' spends time in %s", name, row->name, state_name(state));
	/* ppb x DECIMAL_ONE on both sides */
	bool is_above = value * metric_rows[c].ppb_per_unit > (decimal)r->p->cuts.ppb[c] * DECIMAL_ONE;
	if (is_above != high)
		return fail_line(r, "%s of '%s' is %s the cut, which is %g %s", name, row->name,
				 high ? "not above" : "above", cuts_get(&r->p->cuts, c), metric_rows[c].unit);
	return SAHM_OK;
}

static enum sahm_status check_row(struct reader *r, const struct profile_row *row)
{
	decimal sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		sum += row->share[s];
	if (sum == 0)
		return fail_line(r, "'%s' spends time in no state", row->name);
	if (row->value[PROFILE_EPOCHS] > (decimal)(MAX_TRACE_NS / r->p->epoch_ns) * DECIMAL_ONE)
		return fail_line(r, "'%s' lasts longer than %" PRIu64 " ns", row->name, MAX_TRACE_NS);
	if (row->value[PROFILE_SINGLE_PCT] + row->value[PROFILE_LONG_PCT] > 100 * (decimal)DECIMAL_ONE)
		return fail_line(r, "single_pct and long_pct of '%s' are more than 100 together", row->name);
	for (unsigned i = 0; i < 2 * NR_COMPONENTS; i++) {
		enum sahm_status status = check_metric(r, row, (enum component)(i / 2), i % 2);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

size_t profile_stem_len(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SYNTHETIC_SUFFIX);
	bool has_suffix = len > suffix && strcmp(name + len - suffix, SYNTHETIC_SUFFIX) == 0;
	return has_suffix ? len - suffix : len;
}

/* Names become names of files as they are, so that no two of them become the same. */
static enum sahm_status check_name(struct reader *r, const char *name)
{
	bool is_fine = *name != '.' && *name != ' ';
	if (!*name)
		return fail_line(r, "the name is empty");
	if (strlen(name) > MAX_PROFILE_NAME_BYTES)
		return fail_line(r, "name '%.40s...' is longer than %u bytes", name, MAX_PROFILE_NAME_BYTES);
	for (const char *c = name; *c; c++)
		is_fine &= (unsigned char)*c >= 0x20 && *c != 0x7f && *c != '/';
	return is_fine ? SAHM_OK
		       : fail_line(
				 r,
				 "name '%.40s' cannot be that of a file: it begins with '.' or a blank, or has '/' or "
				 "a control character in it",
				 name);
}

static enum sahm_status name_row(struct reader *r, struct profile_row *row, const char *name)
{
	size_t len = profile_stem_len(name);
	if (check_name(r, name) != SAHM_OK)
		return SAHM_FORMAT;
	for (size_t i = 0; i + 1 < r->p->nr_rows; i++)
		if (strncmp(r->p->rows[i].name, name, len) == 0 && profile_stem_len(r->p->rows[i].name) == len)
			return fail_line(r, "'%.40s' stands twice, first in line %u", name, r->p->rows[i].line);
	row->name = arena_strdup(&r->p->arena, name);
	return row->name ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status add_row(struct reader *r, struct profile_row **row)
{
	struct profile *p = r->p;
	if (p->nr_rows == MAX_PROFILE_ROWS)
		return fail_line(r, "more than %u benchmarks", MAX_PROFILE_ROWS);
	if (p->nr_rows == r->room) {
		size_t room = r->room ? 2 * r->room : 64;
		struct profile_row *bigger = realloc(p->rows, room * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(r->err);
		p->rows = bigger;
		r->room = room;
	}
	*row = &p->rows[p->nr_rows++];
	**row = (struct profile_row){.line = r->lines.line};
	memcpy((*row)->value, r->for_all, sizeof(r->for_all));
	return SAHM_OK;
}

static enum sahm_status read_row(struct reader *r)
{
	struct profile_row *row = NULL;
	unsigned place = 0;
	enum sahm_status status = add_row(r, &row);
	for (char *rest = r->lines.text; status == SAHM_OK && rest; place++) {
		size_t len;
		const char *text = line_next_field(&rest, &len);
		if (place >= r->nr_fields)
			continue;
		unsigned field = r->field_of[place];
		if (field == FIELD_NAME)
			status = name_row(r, row, text);
		else
			status = read_value(r, field, text,
					    field < FIELD_NAME ? &row->value[field] : &row->share[field - FIELD_STATE]);
	}
	if (status == SAHM_OK && place != r->nr_fields)
		return fail_line(r, "%u fields, the head of the table has %u", place, r->nr_fields);
	return status == SAHM_OK ? check_row(r, row) : status;
}

static enum sahm_status read_first(struct reader *r)
{
	const char *text = r->lines.text;
	if (strncmp(text, FIRST_LINE_STEM, strlen(FIRST_LINE_STEM)) != 0)
		return fail_line(r, "not a profile: its first line is not '%s'", FIRST_LINE);
	if (strcmp(text, FIRST_LINE) != 0)
		return fail_line(r, "version '%.40s', this program reads version 1", text + strlen(FIRST_LINE_STEM));
	return SAHM_OK;
}

static enum sahm_status read_lines(struct reader *r)
{
	bool more = true;
	for (;;) {
		enum sahm_status status = line_reader_next(&r->lines, &more, r->err);
		if (status != SAHM_OK)
			return status;
		if (!more)
			break;
		const char *text = r->lines.text + strspn(r->lines.text, " \t");
		if (r->lines.line == 1)
			status = read_first(r);
		else if (*text == '#')
			status = read_comment(r);
		else if (*text && r->nr_fields == 0)
			status = read_header(r);
		else if (*text)
			status = read_row(r);
		if (status != SAHM_OK)
			return status;
	}
	if (r->p->nr_rows == 0)
		return sahm_fail_at(r->err, SAHM_FORMAT, r->lines.file, 0, "empty profile: there is no benchmark");
	return SAHM_OK;
}

enum sahm_status profile_read_stream(FILE *in, const char *file, struct profile *p, struct sahm_err *err)
{
	struct reader r = {.p = p, .err = err};
	*p = (struct profile){.file = file};
	arena_init(&p->arena);
	for (unsigned from = 0; from < NR_STATES; from++)
		for (unsigned to = 0; to < NR_STATES; to++)
			p->follow[from][to] = FOLLOW_ONE;
	enum sahm_status status = line_reader_init(&r.lines, in, file, err);
	if (status != SAHM_OK)
		return status;
	p->file = arena_strdup(&p->arena, file);
	status = p->file ? read_lines(&r) : sahm_fail_nomem(err);
	line_reader_release(&r.lines);
	if (status != SAHM_OK)
		profile_release(p);
	return status;
}

enum sahm_status profile_read(const char *path, struct profile *p, struct sahm_err *err)
{
	bool from_stdin = strcmp(path, "-") == 0;
	FILE *in = from_stdin ? stdin : fopen(path, "re");
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	enum sahm_status status = profile_read_stream(in, file_label(path), p, err);
	if (!from_stdin)
		fclose(in);
	return status;
}

bool profile_is_one(const char *path)
{
	char head[sizeof(FIRST_LINE_STEM)] = "";
	struct stat st;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	FILE *in = fopen(path, "re");
	size_t got = in ? fread(head, 1, sizeof(head) - 1, in) : 0;
	if (in)
		fclose(in);
	return got == sizeof(head) - 1 && strcmp(head, FIRST_LINE_STEM) == 0;
}

void profile_release(struct profile *p)
{
	free(p->rows);
	arena_release(&p->arena);
	*p = (struct profile){0};
}
