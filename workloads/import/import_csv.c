/* Any table with a header row: fields separated by comma, semicolon, tab, bar or blanks, in double quotes where they
 * hold the separator. Lines that begin with '#' are comments. */
#include <stdio.h>
#include <string.h>

#include "workloads/import/import_perf_internal.h"

#include "sim/base/number.h"

struct reader {
	char separator;			      /* ' ': any number of blanks */
	unsigned columns[MAX_IMPORT_COLUMNS]; /* MAX_IMPORT_COLUMNS: it has no name */
	unsigned nr_columns;
	unsigned group_field; /* that names the group; MAX_IMPORT_COLUMNS: none */
	unsigned group;	      /* of all rows, or of the present one */
	unsigned time_field;  /* by which rows of groups are summed; MAX_IMPORT_COLUMNS: they are not */
	char time[64];	      /* what it said last */
	bool lacks_names;     /* the header row has empty fields, and no row of counts was read yet */
	unsigned clock[2];    /* im->columns[] that times and durations are read from; MAX_IMPORT_COLUMNS: none */
	struct field fields[MAX_IMPORT_COLUMNS];
};

static enum sahm_status find_separator(struct import *im, struct reader *r)
{
	static const char candidates[] = "\t;|,";
	const char *given = im->options->separator;
	if (given && (strlen(given) != 1 || strchr("\"#", given[0])))
		return sahm_fail(im->err, SAHM_USAGE, "--separator: a table's fields are separated by one character");
	r->separator = given ? given[0] : ' ';
	/* From the rarest on: the others belong to names and numbers, such as "cpu/event=1,cmask=4/" and "0,5". */
	for (const char *c = candidates; *c && !given; c++) {
		if (strchr(im->lines.text, *c)) {
			r->separator = *c;
			break;
		}
	}
	return SAHM_OK;
}

/* Takes the line apart, in place; false when a quote is not closed or there are too many fields. */
static bool split(struct reader *r, char *text, unsigned *nr)
{
	for (*nr = 0;;) {
		struct field *f = &r->fields[*nr];
		text += strspn(text, r->separator == '\t' ? " " : " \t");
		if (r->separator == ' ' && !*text)
			return true;
		if (*nr == MAX_IMPORT_COLUMNS)
			return false;
		if (*text == '"') {
			char *close = strchr(++text, '"');
			if (!close)
				return false;
			*f = (struct field){text, (size_t)(close - text)};
			text = close + 1 + strspn(close + 1, r->separator == '\t' ? " " : " \t");
			if (*text && *text != r->separator && r->separator != ' ')
				return false;
		} else {
			size_t len =
				r->separator == ' ' ? strcspn(text, " \t") : strcspn(text, (char[]){r->separator, 0});
			*f = (struct field){text, len};
			text += len;
		}
		field_trim(f);
		(*nr)++;
		if (!*text)
			return true;
		if (*text == r->separator)
			text++;
	}
}

/* Rows of one time belong together. */
static enum sahm_status find_time(struct import *im, struct reader *r)
{
	const struct expression *e = im->expression[TARGET_TIME];
	for (unsigned i = 0; i < r->nr_columns && e && e->nr_terms == 1; i++) {
		if (r->columns[i] == e->terms[0].column) {
			r->time_field = i;
			return SAHM_OK;
		}
	}
	return sahm_fail(im->err, SAHM_USAGE,
			 "--group needs --each, --only, or a time by which rows belong together (--map time_s=COLUMN)");
}

static unsigned clock_column(const struct import *im, unsigned target)
{
	const struct expression *e = im->expression[target];
	return e && e->nr_terms == 1 ? e->terms[0].column : MAX_IMPORT_COLUMNS;
}

static bool is_number(const struct field *f)
{
	decimal value;
	return f->len > 0 && decimal_read(f->text, f->len, &value) == NUMBER_OK;
}

static unsigned count_numbers(const struct reader *r, unsigned nr)
{
	unsigned found = 0;
	for (unsigned i = 0; i < nr; i++)
		found += is_number(&r->fields[i]);
	return found;
}

/* Rows of counts must have names above them. */
static enum sahm_status check_names(struct import *im, struct reader *r, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		r->lacks_names |= r->fields[i].len == 0;
		if (is_number(&r->fields[i]) && 2 * count_numbers(r, nr) > nr)
			return import_fail(im,
					   "the first row holds numbers, such as '%.*s': add a header row "
					   "that names the columns",
					   (int)(r->fields[i].len < 40 ? r->fields[i].len : 40), r->fields[i].text);
	}
	return SAHM_OK;
}

static enum sahm_status read_header(struct import *im, struct reader *r)
{
	unsigned nr;
	const char *group = im->options->group_column;
	enum sahm_status status = find_separator(im, r);
	if (status != SAHM_OK)
		return status;
	for (const unsigned char *c = (const unsigned char *)im->lines.text; *c; c++)
		if ((*c < 0x20 && *c != '\t') || *c == 0x7f)
			return import_fail(im, "byte 0x%02x does not belong in a header row: this is no table", *c);
	if (!split(r, im->lines.text, &nr))
		return import_fail(im, "a header row of at most %u fields was expected", MAX_IMPORT_COLUMNS);
	status = check_names(im, r, nr);
	r->group_field = r->time_field = MAX_IMPORT_COLUMNS;
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		for (unsigned j = 0; j < i; j++)
			if (r->fields[i].len > 0 && r->fields[j].len == r->fields[i].len &&
			    memcmp(r->fields[i].text, r->fields[j].text, r->fields[i].len) == 0)
				return import_fail(im, "column '%.*s' stands twice", (int)r->fields[i].len,
						   r->fields[i].text);
		if (group && field_is(&r->fields[i], group))
			r->group_field = i;
	}
	if (status == SAHM_OK && group && r->group_field == MAX_IMPORT_COLUMNS)
		return import_fail(im, "--group: no column is called '%s'", group);
	/* All names first: which column is meant must not depend on their order. */
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		r->columns[i] = MAX_IMPORT_COLUMNS;
		if (r->fields[i].len == 0)
			continue;
		status = import_column(im, r->fields[i].text, r->fields[i].len, &r->columns[i]);
	}
	r->nr_columns = nr;
	r->clock[0] = clock_column(im, TARGET_TIME);
	r->clock[1] = clock_column(im, TARGET_DURATION);
	if (status == SAHM_OK && group && im->options->groups == IMPORT_SUM)
		status = find_time(im, r);
	return status == SAHM_OK && !group ? import_group(im, "", 0, &r->group) : status;
}

/* Copies "1,234,567.5" without the commas between its thousands; false when they stand elsewhere. */
static bool plain_number(const struct field *f, char plain[40], size_t *len)
{
	size_t since = 0, n = 0;
	bool grouped = false, whole = true;
	/* "0,001": a decimal comma. */
	if (*f->text == '0')
		return false;
	for (size_t k = 0; k < f->len && n < 40; k++) {
		char c = f->text[k];
		if (whole && !is_digit(c) && k > 0) {
			if (grouped ? since != 3 : since > 3 || c != ',')
				return false;
			grouped = true;
			whole = c == ',';
			since = 0;
		}
		since += is_digit(c);
		if (c != ',')
			plain[n++] = c;
		else if (!whole || k == 0)
			return false;
	}
	*len = n;
	return n < 40 && (!whole || since == 3);
}

/* "0,5": one comma between digits. */
static bool has_decimal_comma(const struct field *f, char plain[40], size_t *len)
{
	const char *comma = memchr(f->text, ',', f->len);
	if (f->len >= 40 || memchr(comma + 1, ',', f->len - (size_t)(comma + 1 - f->text)) ||
	    memchr(f->text, '.', f->len))
		return false;
	memcpy(plain, f->text, f->len);
	plain[comma - f->text] = '.';
	*len = f->len;
	return true;
}

/* Commas stand between thousands, or, where they do not separate fields, in front of decimals. */
static void take_field(struct import *im, const struct reader *r, unsigned i)
{
	char grouped[40], decimals[40];
	const struct field *f = &r->fields[i];
	size_t grouped_len = 0, decimals_len = 0;
	decimal value;
	bool is_grouped = false, is_decimal = false;
	if (memchr(f->text, ',', f->len)) {
		is_grouped = plain_number(f, grouped, &grouped_len);
		is_decimal = r->separator != ',' && has_decimal_comma(f, decimals, &decimals_len);
	}
	const char *plain = is_grouped ? grouped : decimals;
	size_t len = is_grouped ? grouped_len : decimals_len;
	if (is_grouped && is_decimal)
		import_no_count(im, r->group, r->columns[i], SKIP_AMBIGUOUS);
	else if ((is_grouped || is_decimal) && decimal_read(plain, len, &value) == NUMBER_OK)
		import_count(im, r->group, r->columns[i], value, -1);
	else
		import_text(im, r->group, r->columns[i], f->text, f->len, -1);
}

/* A column of times whose name has no unit, with a value that has none: nobody knows what it means. */
static enum sahm_status refuse_unit(struct import *im, struct reader *r, const struct field *f)
{
	const char *name = im->columns[r->clock[0]].name;
	int len = (int)(f->len < 40 ? f->len : 40);
	decimal number;
	bool is_number = decimal_read(f->text, f->len, &number) == NUMBER_OK;
	if (im->options->epoch_ns == 0 || im->options->by_time || r->time_field < MAX_IMPORT_COLUMNS)
		return is_number
			       ? import_fail(im,
					     "'%.60s' is a time, but '%.*s' has no unit: say --map time_s=\"%s\" (or "
					     "time_ms, time_us, time_ns), or --epoch-ms MS for rows of that length",
					     name, len, f->text, name)
			       : import_fail(
					 im,
					 "'%.60s' is a time, but '%.*s' is neither a number with a unit nor a date as "
					 "in 2026-11-23T14:05:00; say --epoch-ms MS for rows of that length",
					 name, len, f->text);
	if (im->notes)
		textbuf_printf(im->notes,
			       "%s: '%.60s' is not taken as time, since its unit is not known (--map time_s=\"%s\")\n",
			       im->file, name, name);
	im->expression[TARGET_TIME] = NULL;
	r->clock[0] = MAX_IMPORT_COLUMNS;
	return SAHM_OK;
}

/* Missing values are "-" or "n/a": blank. */
static bool has_digit(const struct field *f)
{
	for (size_t i = 0; i < f->len; i++)
		if (is_digit(f->text[i]))
			return true;
	return false;
}

/* A time that may have its unit, or a date, in the field. */
static enum sahm_status take_time(struct import *im, struct reader *r, unsigned i)
{
	const struct field *f = &r->fields[i];
	unsigned target = r->columns[i] == r->clock[0] ? TARGET_TIME : TARGET_DURATION;
	decimal ns;
	if (import_clock_read(f->text, f->len, &ns)) {
		import_count(im, r->group, r->columns[i], ns * DECIMAL_ONE / (decimal)im->unit_ns[target], -1);
		return SAHM_OK;
	}
	if (target == TARGET_TIME && im->lacks_unit && has_digit(f)) {
		enum sahm_status status = refuse_unit(im, r, f);
		if (status != SAHM_OK)
			return status;
	}
	take_field(im, r, i);
	return SAHM_OK;
}

static enum sahm_status read_row(struct import *im, struct reader *r)
{
	unsigned nr;
	enum sahm_status status = SAHM_OK;
	if (!split(r, im->lines.text, &nr) || nr != r->nr_columns) {
		im->nr_rows++;
		im->nr_skipped_rows++;
		import_skip(im, SKIP_FIELDS, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (r->lacks_names && count_numbers(r, nr) == 0)
		return import_fail(
			im, "a second row of names: make one header row of the two, with a name for each column");
	r->lacks_names = false;
	bool is_summed = r->time_field < nr;
	if (is_summed && !field_is(&r->fields[r->time_field], r->time)) {
		status = import_end_row(im, false, 0);
		snprintf(r->time, sizeof(r->time), "%.*s",
			 (int)(r->fields[r->time_field].len < sizeof(r->time) ? r->fields[r->time_field].len : 0),
			 r->fields[r->time_field].text);
	}
	if (status == SAHM_OK && r->group_field < nr) {
		const struct field *f = &r->fields[r->group_field];
		status = import_group(im, f->text, f->len, &r->group);
		if (!is_summed)
			im->row_stamp = &im->groups[r->group].stamp;
	}
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++)
		if (i == r->group_field || r->columns[i] == MAX_IMPORT_COLUMNS)
			continue;
		else if (r->columns[i] == r->clock[0] || r->columns[i] == r->clock[1])
			status = take_time(im, r, i);
		else
			take_field(im, r, i);
	if (!im->lines.ended && im->notes)
		textbuf_printf(im->notes, "%s:%u: the last line has no end: its last number may be cut short\n",
			       im->file, im->lines.line);
	return status == SAHM_OK && !is_summed ? import_end_row(im, false, 0) : status;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true, has_header = false;
	enum sahm_status status = r ? SAHM_OK : sahm_fail_nomem(im->err);
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		if (im->lines.text[0] == '#' || !im->lines.text[strspn(im->lines.text, " \t")])
			continue;
		status = has_header ? read_row(im, r) : read_header(im, r);
		has_header = true;
	}
	if (status == SAHM_OK && !has_header)
		status = sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "there is no header row in it");
	return status;
}

const struct import_format import_format_csv = {.has_header = true, .groups = GROUPS_APART, .read = read};
