/* Reading profiles: keys, header row, rows. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/base/number.h"
#include "workloads/synth/profile_internal.h"
#include "workloads/trace/trace_csv.h"

#define FIRST_LINE_STEM PROFILE_FIRST_WORDS
#define FIRST_LINE FIRST_LINE_STEM "1"

const struct profile_key_row profile_keys[] = {
#define KEY(suffix, name, required, help) {name, required, help},
#include "workloads/synth/profile_key_list.h"
#undef KEY
	{0},
};

const struct profile_column_row profile_columns[NR_PROFILE_COLUMNS] = {
#define COLUMN(suffix, name, min, max, whole, help) {name, min, max, whole, help},
#include "workloads/synth/profile_column_list.h"
#undef COLUMN
};

enum profile_column profile_metric_column(enum component c, bool high)
{
	return (enum profile_column)(PROFILE_BRANCH_LOW + 2 * (unsigned)c + high);
}

/* What a field is called. */
static const char *profile_field_name(unsigned field)
{
	if (field == FIELD_NAME)
		return "name";
	return field < FIELD_NAME ? profile_columns[field].name : state_name(field - FIELD_STATE);
}

enum sahm_status profile_fail(struct profile_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(&r->lines, r->err, fmt, ap);
	va_end(ap);
	return status;
}

/* Reads a value of a column; '-' only where a typical value need not be there. */
enum sahm_status profile_read_value(struct profile_reader *r, unsigned field, const char *text, decimal *value)
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
		return profile_fail(r, "%s is empty", profile_field_name(field));
	enum number_fault fault = decimal_read(text, strlen(text), value);
	if (fault == NUMBER_NOT)
		return profile_fail(r, "%s '%.40s' is not a number", profile_field_name(field), text);
	if (fault != NUMBER_OK || *value < min || *value > max)
		return profile_fail(r, "%s '%.40s' is out of range, must be from %s to %s", profile_field_name(field),
				    text, min_text, max_text);
	if (c && c->whole && *value % DECIMAL_ONE != 0)
		return profile_fail(r, "%s '%.40s' is not whole", profile_field_name(field), text);
	return SAHM_OK;
}

unsigned profile_find_field(const char *name, char near[SUGGEST_BYTES])
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
		status = profile_fail(r, "missing in the table or, for all rows, above it: %s (sahm help synth)",
				      missing.text);
	textbuf_release(&missing);
	for (unsigned k = 0; k < NR_PROFILE_KEYS && status == SAHM_OK; k++)
		if (profile_keys[k].required && !r->line_of_key[k])
			textbuf_printf(&missing, "%s'# %s: ...'", missing.len ? ", " : "", profile_keys[k].name);
	if (missing.len > 0)
		status = profile_fail(r, "missing above the table: %s", missing.text);
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
		unsigned field = profile_find_field(name, near);
		if (field == NR_FIELDS)
			return strpbrk(name, ";\t")
				       ? profile_fail(r, "fields are separated by commas, not as in '%.40s'", name)
				       : profile_fail(r, "no column is called '%.40s'%s", name, near);
		if (r->in_table[field])
			return profile_fail(r, "column '%s' stands twice", name);
		if (field < FIELD_NAME && r->line_of_column[field])
			return profile_fail(r, "column '%s' stands above the table too, in line %u", name,
					    r->line_of_column[field]);
		has_state |= field >= FIELD_STATE;
		r->in_table[field] = true;
		r->field_of[r->nr_fields++] = field;
	}
	if (!r->in_table[FIELD_NAME])
		return profile_fail(r, "column 'name' is missing");
	if (!has_state)
		return profile_fail(r, "there is no column for any state, such as 'Low' or 'L2+Branch'");
	return check_complete(r);
}

static enum sahm_status name_row(struct profile_reader *r, struct profile_row *row, const char *name)
{
	if (profile_check_name(r, name) != SAHM_OK)
		return SAHM_FORMAT;
	for (size_t i = 0; i + 1 < r->p->nr_rows; i++)
		if (profile_same_name(r->p->rows[i].name, name))
			return profile_fail(r, "'%.40s' stands twice, first in line %u", name, r->p->rows[i].line);
	row->name = arena_strdup(&r->p->arena, name);
	return row->name ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status add_row(struct profile_reader *r, struct profile_row **row)
{
	struct profile *p = r->p;
	if (p->nr_rows == MAX_PROFILE_ROWS)
		return profile_fail(r, "more than %u benchmarks", MAX_PROFILE_ROWS);
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

/* Before any field is read: a decimal comma makes nonsense of all behind it. */
static enum sahm_status check_width(struct profile_reader *r)
{
	unsigned nr = 1;
	for (const char *c = r->lines.text; *c; c++)
		nr += *c == ',';
	return nr == r->nr_fields ? SAHM_OK
				  : profile_fail(r, "%u fields, the head of the table has %u", nr, r->nr_fields);
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
			status = profile_read_value(r, field, text,
						    field < FIELD_NAME ? &row->value[field]
								       : &row->share[field - FIELD_STATE]);
	}
	return status == SAHM_OK ? profile_check_row(r, row) : status;
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
		return profile_fail(r, "not a profile: its first line is not '%s'", FIRST_LINE);
	if (strcmp(text, FIRST_LINE) != 0)
		return profile_fail(r, "version '%.40s', this program reads version 1", text + strlen(FIRST_LINE_STEM));
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
			status = profile_read_comment(r, text);
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
