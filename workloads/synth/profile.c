/* Reading profiles: lines above the table (keys, and columns that are the same in all rows), its header row, rows. */
#include "workloads/synth/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "workloads/trace/trace.h"
#include "workloads/trace/trace_csv.h"

#define FIRST_LINE_STEM PROFILE_FIRST_WORDS
#define FIRST_LINE FIRST_LINE_STEM "1"

#define MAX_DIGITS 19

/* What a profile says of all its benchmarks, as lines `# key: value` above the table, in the order of the help:
 * KEY(symbol, key, required, help). To add a key: a row here, its case in read_key(), a test in test_profile.c. */
#define PROFILE_KEYS(KEY)                                                                                              \
	KEY(KEY_SEED, "seed", true, "whole number; other seeds give other traces of the same kind")                    \
	KEY(KEY_EPOCH_MS, "epoch_ms", true, "length of an epoch in ms of baseline time")                               \
	KEY(KEY_CUTS, "cuts", true, "the thresholds between LOW and HIGH: a named set")                                \
	KEY(KEY_DIGITS, "digits", true,                                                                                \
	    "significant digits of the counts, 2 to 19: a trace compresses the better, the fewer they are")            \
	KEY(KEY_FOLLOW, "follow", false,                                                                               \
	    "FROM > TO: FACTOR, how much likelier TO is after FROM than its share says; 0 is never (FROM > FROM "      \
	    "too); any number of lines")                                                                               \
	KEY(KEY_MACHINE, "machine", false, "source of the magnitudes")                                                 \
	KEY(KEY_LICENCE, "licence", false, "terms under which the traces may be passed on")                            \
	KEY(KEY_NOTE, "note", false, "anything else")

enum profile_key { PROFILE_KEYS(ROW_SYMBOL) NR_PROFILE_KEYS };

const struct profile_key_row profile_keys[] = {PROFILE_KEYS(ROW_ELEMENT){0}};

const struct profile_column_row profile_columns[NR_PROFILE_COLUMNS] = {
#define COLUMN(suffix, name, min, max, whole, help) {name, min, max, whole, help},
#include "workloads/synth/profile_column_list.h"
#undef COLUMN
};

enum profile_column profile_metric_column(enum component c, bool high)
{
	return (enum profile_column)(PROFILE_BRANCH_LOW + 2 * (unsigned)c + high);
}

/* Fields of the table: the name, the columns, the states. */
enum { FIELD_NAME = NR_PROFILE_COLUMNS, FIELD_STATE, NR_FIELDS = FIELD_STATE + NR_STATES };

struct profile_reader {
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

/* Name of a field. */
static const char *profile_field_name(unsigned field)
{
	if (field == FIELD_NAME)
		return "name";
	return field < FIELD_NAME ? profile_columns[field].name : state_name(field - FIELD_STATE);
}

/* Fails with SAHM_FORMAT at the present line. */
SAHM_PRINTF(2, 3) static enum sahm_status fail(struct profile_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(&r->lines, r->err, fmt, ap);
	va_end(ap);
	return status;
}

/* Reads a value of a column or state; '-' only where a typical value need not be there. */
static enum sahm_status read_value(struct profile_reader *r, unsigned field, const char *text, decimal *value)
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
		return fail(r, "%s is empty", profile_field_name(field));
	enum number_fault fault = decimal_read(text, strlen(text), value);
	if (fault == NUMBER_NOT)
		return fail(r, "%s '%.40s' is not a number", profile_field_name(field), text);
	if (fault != NUMBER_OK || *value < min || *value > max)
		return fail(r, "%s '%.40s' is out of range, must be from %s to %s", profile_field_name(field), text,
			    min_text, max_text);
	if (c && c->whole && *value % DECIMAL_ONE != 0)
		return fail(r, "%s '%.40s' is not whole", profile_field_name(field), text);
	return SAHM_OK;
}

/* The field called `name`, a state's in any order and letter case; NR_FIELDS when there is none, with a suggestion in
 * `near`. */
static unsigned find_field(const char *name, char near[SUGGEST_BYTES])
{
	struct suggest s;
	unsigned state;
	suggest_init(&s, name);
	if (state_find(name, strlen(name), &state))
		return FIELD_STATE + state;
	for (unsigned field = 0; field < NR_FIELDS; field++) {
		if (strcmp(profile_field_name(field), name) == 0)
			return field;
		suggest_offer(&s, profile_field_name(field));
	}
	suggest_text(&s, near);
	return NR_FIELDS;
}

/* Lines above the table */

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
static enum sahm_status read_follow(struct profile_reader *r, char *text)
{
	char *sign = strchr(text, '>'), *colon = sign ? strchr(sign, ':') : NULL;
	if (!colon)
		return fail(r, "'%.80s' is not of the form FROM > TO: FACTOR", text);
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
		if (i == 0 && *name && name[strlen(name) - 1] == '-')
			return fail(r, "'%.40s>' is written as '>': FROM > TO: FACTOR", name);
		if (!state_find(name, strlen(name), &ends[i]))
			return fail(r, "no state is called '%.40s'%s", name, suggest_text(&s, near));
	}
	decimal factor;
	const decimal least = DECIMAL_ONE / FOLLOW_ONE;
	/* Values below the minimum would become 0, and unlikely is not never. */
	if (decimal_read(factor_text, strlen(factor_text), &factor) != NUMBER_OK || factor < 0 ||
	    (factor > 0 && factor < least) || factor >= (decimal)MAX_FOLLOW * DECIMAL_ONE)
		return fail(r, "factor '%.40s' must be 0 or a number from 0.000001 to below %u", factor_text,
			    MAX_FOLLOW);
	unsigned *line = &r->line_of_follow[ends[0]][ends[1]];
	if (*line)
		return fail(r, "'%s > %s' stands twice, first in line %u", state_name(ends[0]), state_name(ends[1]),
			    *line);
	*line = r->lines.line;
	r->p->follow[ends[0]][ends[1]] = (uint32_t)(factor / least);
	return SAHM_OK;
}

static enum sahm_status read_whole(struct profile_reader *r, const char *key, const char *text, uint64_t min,
				   uint64_t max, uint64_t *value)
{
	if (number_read_u64(text, strlen(text), value) != NUMBER_OK || *value < min || *value > max)
		return fail(r, "%s '%.40s', must be a whole number from %" PRIu64 " to %" PRIu64, key, text, min, max);
	return SAHM_OK;
}

static enum sahm_status read_epoch(struct profile_reader *r, const char *text)
{
	decimal ms;
	const decimal per_ns = DECIMAL_ONE / (decimal)NS_PER_MS;
	if (decimal_read(text, strlen(text), &ms) != NUMBER_OK || ms % per_ns != 0 ||
	    ms < (decimal)MIN_EPOCH_NS * per_ns || ms > (decimal)MAX_EPOCH_NS * per_ns)
		return fail(r, "epoch_ms '%.40s', must be whole ns, from %.15g to %.15g ms", text,
			    ms_of_ns(MIN_EPOCH_NS), ms_of_ns(MAX_EPOCH_NS));
	r->p->epoch_ns = (uint64_t)(ms / per_ns);
	return SAHM_OK;
}

static enum sahm_status read_cuts(struct profile_reader *r, const char *text)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, text);
	for (unsigned i = 0; i < NR_CUT_SETS; i++) {
		suggest_offer(&s, cut_set_names[i]);
		if (strcmp(cut_set_names[i], text) == 0) {
			r->p->cuts_name = cut_set_names[i];
			cuts_named(text, &r->p->cuts);
			return SAHM_OK;
		}
	}
	return fail(r, "no set of thresholds is called '%.40s'%s", text, suggest_text(&s, near));
}

static enum sahm_status read_origin(struct profile_reader *r, enum provenance_key key, const char *text)
{
	const char *name = provenance_key_name(key);
	struct sahm_err cause;
	enum sahm_status status = provenance_set(&r->p->provenance, &r->p->arena, name, strlen(name), text, &cause);
	return status == SAHM_OK ? SAHM_OK
				 : sahm_fail_at(r->err, status, r->lines.file, r->lines.line, "%s", cause.msg);
}

static enum sahm_status read_key(struct profile_reader *r, enum profile_key key, char *text)
{
	uint64_t digits = 0;
	enum sahm_status status;
	if (r->line_of_key[key] && key != KEY_FOLLOW)
		return fail(r, "'%s' stands twice, first in line %u", profile_keys[key].name, r->line_of_key[key]);
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

static enum sahm_status fail_late(struct profile_reader *r, const char *key)
{
	return fail(r, "'%s' stands below the head of the table, which is too late", key);
}

static bool is_known(const char *key)
{
	char near[SUGGEST_BYTES];
	for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
		if (strcmp(profile_keys[k].name, key) == 0)
			return true;
	return find_field(key, near) < FIELD_NAME;
}

/* `# key: value`, or a remark: any comment that does not begin with a word and ':', or with a word that is not even
 * nearly a key or column. */
static enum sahm_status read_comment(struct profile_reader *r, char *text)
{
	char *key = text + 1 + strspn(text + 1, " \t"), near[SUGGEST_BYTES];
	size_t len = strcspn(key, ":= \t");
	char *sign = key + len + strspn(key + len, " \t"), *value = trimmed(sign + (*sign != '\0'));
	bool is_colon = key[len] == ':', is_other = *sign == '=' || *sign == ':';
	if (len == 0 || !is_other)
		return SAHM_OK;
	key[len] = '\0';
	/* `# spread = 2` must not be passed over in silence; `# two words: free text` may. */
	if (!is_colon)
		return is_known(key) ? fail(r, "'%s' is written as '# %s: value'", key, key) : SAHM_OK;
	for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
		if (strcmp(profile_keys[k].name, key) == 0)
			return r->nr_fields > 0 ? fail_late(r, key) : read_key(r, (enum profile_key)k, value);
	unsigned field = find_field(key, near);
	if (field < NR_FIELDS && field >= FIELD_NAME)
		return fail(r, "'%s' can only stand in the table", key);
	if (field == NR_FIELDS) {
		struct suggest s;
		suggest_init(&s, key);
		for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
			suggest_offer(&s, profile_keys[k].name);
		if (s.best)
			suggest_text(&s, near);
		return *near ? fail(r, "no key or column is called '%.40s'%s", key, near) : SAHM_OK;
	}
	if (r->nr_fields > 0)
		return fail_late(r, key);
	if (r->line_of_column[field])
		return fail(r, "'%s' stands twice, first in line %u", key, r->line_of_column[field]);
	r->line_of_column[field] = r->lines.line;
	return read_value(r, field, value, &r->for_all[field]);
}

/* The table: what its names and rows must be like */

/* The column that says how many events there are for a component to miss; NR_PROFILE_COLUMNS: all instructions. */
static enum profile_column density_column(enum component c)
{
	static const enum profile_column columns[NR_COMPONENTS] = {
		[COMPONENT_BRANCH] = PROFILE_BRANCHES_PKI,
		[COMPONENT_L1I] = NR_PROFILE_COLUMNS,
		[COMPONENT_L1D] = PROFILE_L1D_ACCESSES_PKI,
		[COMPONENT_L2] = PROFILE_L2_PER_MISS,
	};
	return columns[c];
}

static bool has_no_events(const struct profile_row *row, enum component c)
{
	enum profile_column column = density_column(c);
	return column < NR_PROFILE_COLUMNS && row->value[column] == 0;
}

/* A typical value must be there and lie on its side of the cut wherever a state of the row needs it. */
static enum sahm_status check_metric(struct profile_reader *r, const struct profile_row *row, enum component c,
				     bool high)
{
	enum profile_column column = profile_metric_column(c, high);
	decimal value = row->value[column];
	const char *name = profile_columns[column].name;
	unsigned state = 0;
	while (state < NR_STATES && (row->share[state] == 0 || ((state >> c) & 1u) != high))
		state++;
	if (state == NR_STATES)
		return SAHM_OK;
	if (high && has_no_events(row, c))
		return fail(r, "%s of '%s' is 0, which spends time in %s", profile_columns[density_column(c)].name,
			    row->name, state_name(state));
	if (value == PROFILE_NONE)
		return fail(r, "%s is missing: '%s' spends time in %s", name, row->name, state_name(state));
	/* ppb x DECIMAL_ONE on both sides */
	bool is_above = value * metric_rows[c].ppb_per_unit > (decimal)r->p->cuts.ppb[c] * DECIMAL_ONE;
	if (is_above != high)
		return fail(r, "%s of '%s' is %s the threshold, which is %g %s", name, row->name,
			    high ? "not above" : "above", cuts_get(&r->p->cuts, c), metric_rows[c].unit);
	return SAHM_OK;
}

static enum sahm_status check_row(struct profile_reader *r, const struct profile_row *row)
{
	decimal sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		sum += row->share[s];
	if (sum == 0)
		return fail(r, "'%s' spends time in no state", row->name);
	if (row->value[PROFILE_EPOCHS] > (decimal)(MAX_TRACE_NS / r->p->epoch_ns) * DECIMAL_ONE)
		return fail(r, "'%s' lasts longer than %" PRIu64 " ns", row->name, MAX_TRACE_NS);
	if (row->value[PROFILE_SINGLE_PCT] + row->value[PROFILE_LONG_PCT] > 100 * (decimal)DECIMAL_ONE)
		return fail(r, "single_pct and long_pct of '%s' are more than 100 together", row->name);
	if (row->value[PROFILE_LONG_EPOCHS] < row->value[PROFILE_SHORT_EPOCHS])
		return fail(r, "long_epochs of '%s' is below its short_epochs", row->name);
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

bool profile_same_name(const char *a, const char *b)
{
	size_t len = profile_stem_len(a);
	return profile_stem_len(b) == len && strncmp(a, b, len) == 0;
}

/* Names become names of files as they are, so that no two of them become the same. */
static enum sahm_status check_name(struct profile_reader *r, const char *name)
{
	bool is_fine = *name != '.' && *name != ' ';
	if (!*name)
		return fail(r, "the name is empty");
	if (strlen(name) > MAX_PROFILE_NAME_BYTES)
		return fail(r, "name '%.40s...' is longer than %u bytes", name, MAX_PROFILE_NAME_BYTES);
	for (const char *c = name; *c; c++)
		is_fine &= (unsigned char)*c >= 0x20 && *c != 0x7f && *c != '/';
	return is_fine ? SAHM_OK
		       : fail(r,
			      "name '%.40s' cannot be that of a file: it begins with '.' or a blank, or has '/' or "
			      "a control character in it",
			      name);
}

/* All that is missing, so that it need not be found out one by one. */
static enum sahm_status check_complete(struct profile_reader *r)
{
	struct textbuf missing;
	enum sahm_status status = SAHM_OK;
	textbuf_init(&missing);
	for (unsigned c = 0; c < NR_PROFILE_COLUMNS; c++)
		if (!r->in_table[c] && !r->line_of_column[c])
			textbuf_printf(&missing, "%s%s", missing.len ? ", " : "", profile_columns[c].name);
	if (missing.len > 0)
		status = fail(r, "missing in the table or, for all rows, above it: %s (sahm help synth)", missing.text);
	textbuf_release(&missing);
	for (unsigned k = 0; k < NR_PROFILE_KEYS && status == SAHM_OK; k++)
		if (profile_keys[k].required && !r->line_of_key[k])
			textbuf_printf(&missing, "%s'# %s: ...'", missing.len ? ", " : "", profile_keys[k].name);
	if (missing.len > 0)
		status = fail(r, "missing above the table: %s", missing.text);
	textbuf_release(&missing);
	return status;
}

static enum sahm_status read_header(struct profile_reader *r)
{
	char near[SUGGEST_BYTES];
	bool has_state = false;
	for (char *rest = r->lines.text; rest;) {
		size_t len;
		const char *name = line_next_field(&rest, &len);
		unsigned field = find_field(name, near);
		if (field == NR_FIELDS)
			return strpbrk(name, ";\t") ? fail(r, "fields are separated by commas, not as in '%.40s'", name)
						    : fail(r, "no column is called '%.40s'%s", name, near);
		if (r->in_table[field])
			return fail(r, "column '%s' stands twice", name);
		if (field < FIELD_NAME && r->line_of_column[field])
			return fail(r, "column '%s' stands above the table too, in line %u", name,
				    r->line_of_column[field]);
		has_state |= field >= FIELD_STATE;
		r->in_table[field] = true;
		r->field_of[r->nr_fields++] = field;
	}
	if (!r->in_table[FIELD_NAME])
		return fail(r, "column 'name' is missing");
	if (!has_state)
		return fail(r, "there is no column for any state, such as 'Low' or 'L2+Branch'");
	return check_complete(r);
}

static enum sahm_status name_row(struct profile_reader *r, struct profile_row *row, const char *name)
{
	if (check_name(r, name) != SAHM_OK)
		return SAHM_FORMAT;
	for (size_t i = 0; i + 1 < r->p->nr_rows; i++)
		if (profile_same_name(r->p->rows[i].name, name))
			return fail(r, "'%.40s' stands twice, first in line %u", name, r->p->rows[i].line);
	row->name = arena_strdup(&r->p->arena, name);
	return row->name ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status add_row(struct profile_reader *r, struct profile_row **row)
{
	struct profile *p = r->p;
	if (p->nr_rows == MAX_PROFILE_ROWS)
		return fail(r, "more than %u benchmarks", MAX_PROFILE_ROWS);
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

/* Before any field is read: a decimal comma makes nonsense of all fields after it. */
static enum sahm_status check_width(struct profile_reader *r)
{
	unsigned nr = 1;
	for (const char *c = r->lines.text; *c; c++)
		nr += *c == ',';
	return nr == r->nr_fields ? SAHM_OK : fail(r, "%u fields, the head of the table has %u", nr, r->nr_fields);
}

static enum sahm_status read_row(struct profile_reader *r)
{
	struct profile_row *row = NULL;
	unsigned place = 0;
	enum sahm_status status = check_width(r);
	if (status == SAHM_OK)
		status = add_row(r, &row);
	for (char *rest = r->lines.text; status == SAHM_OK && rest; place++) {
		size_t len;
		const char *text = line_next_field(&rest, &len);
		unsigned field = r->field_of[place];
		if (field == FIELD_NAME)
			status = name_row(r, row, text);
		else
			status = read_value(r, field, text,
					    field < FIELD_NAME ? &row->value[field] : &row->share[field - FIELD_STATE]);
	}
	return status == SAHM_OK ? check_row(r, row) : status;
}

/* The line without what stands around it: blanks, and the commas and quotes that spreadsheets put around a line that is
 * no row of their table. Rows stay as they are. */
static char *bare(char *text)
{
	text += strspn(text, " \t");
	size_t quote = text[0] == '"' && text[1] == '#', len = strlen(text);
	if (text[quote] != '#')
		return text[strspn(text, ", \t")] ? text : text + len;
	while (strchr(quote ? " \t,\"" : " \t,", text[len - 1]))
		text[--len] = '\0';
	return text + quote;
}

static enum sahm_status read_first(struct profile_reader *r, const char *text)
{
	if (strncmp(text, FIRST_LINE_STEM, strlen(FIRST_LINE_STEM)) != 0)
		return fail(r, "not a profile: its first line is not '%s'", FIRST_LINE);
	if (strcmp(text, FIRST_LINE) != 0)
		return fail(r, "version '%.40s', this program reads version 1", text + strlen(FIRST_LINE_STEM));
	return SAHM_OK;
}

static enum sahm_status read_lines(struct profile_reader *r)
{
	bool more = true;
	for (;;) {
		enum sahm_status status = line_reader_next(&r->lines, &more, r->err);
		if (status != SAHM_OK)
			return status;
		if (!more)
			break;
		char *text = bare(r->lines.text);
		if (r->lines.line == 1)
			status = read_first(r, text);
		else if (*text == '#')
			status = read_comment(r, text);
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
	struct profile_reader r = {.p = p, .err = err};
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
