/* Any table with a header row: fields separated by comma, semicolon, tab, bar or blanks, in double quotes where they
 * hold the separator. Lines that begin with '#' are comments. */
#include <string.h>

#include "workloads/import_perf_internal.h"

struct reader {
	char separator;			      /* ' ': any number of blanks */
	unsigned columns[MAX_IMPORT_COLUMNS]; /* MAX_IMPORT_COLUMNS: it has no name */
	unsigned nr_columns;
	unsigned group_field; /* that names the group; MAX_IMPORT_COLUMNS: none */
	unsigned group;	      /* of all rows, or of the present one */
	struct field fields[MAX_IMPORT_COLUMNS];
};

static enum sahm_status find_separator(struct import *im, struct reader *r)
{
	static const char candidates[] = "\t;,|";
	const char *given = im->options->separator;
	if (given && (strlen(given) != 1 || strchr("\"#", given[0])))
		return sahm_fail(im->err, SAHM_USAGE, "--separator: a table's fields are separated by one character");
	r->separator = given ? given[0] : ' ';
	/* The rarest of those that are there separates; the others belong to names, such as "cpu/event=1,cmask=4/". */
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
	r->group_field = MAX_IMPORT_COLUMNS;
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		for (unsigned j = 0; j < i; j++)
			if (r->fields[i].len > 0 && r->fields[j].len == r->fields[i].len &&
			    memcmp(r->fields[i].text, r->fields[j].text, r->fields[i].len) == 0)
				return import_fail(im, "column '%.*s' stands twice", (int)r->fields[i].len,
						   r->fields[i].text);
		if (group && field_is(&r->fields[i], group))
			r->group_field = i;
	}
	if (group && r->group_field == MAX_IMPORT_COLUMNS)
		return import_fail(im, "--group: no column is called '%s'", group);
	/* All names first: which column is meant must not depend on their order. */
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		r->columns[i] = MAX_IMPORT_COLUMNS;
		if (r->fields[i].len == 0)
			continue;
		status = import_column(im, r->fields[i].text, r->fields[i].len, &r->columns[i]);
	}
	r->nr_columns = nr;
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
		bool is_digit = c >= '0' && c <= '9';
		if (whole && !is_digit && k > 0) {
			if (grouped ? since != 3 : since > 3 || c != ',')
				return false;
			grouped = true;
			whole = c == ',';
			since = 0;
		}
		since += is_digit;
		if (c != ',')
			plain[n++] = c;
		else if (!whole || k == 0)
			return false;
	}
	*len = n;
	return n < 40 && (!whole || since == 3);
}

/* A count in quotes can hold commas between thousands. */
static void take_field(struct import *im, const struct reader *r, unsigned i)
{
	char plain[40];
	const struct field *f = &r->fields[i];
	size_t n;
	decimal value;
	if (memchr(f->text, ',', f->len) && plain_number(f, plain, &n)) {
		if (decimal_read(plain, n, &value) == NUMBER_OK) {
			import_count(im, r->group, r->columns[i], value, -1);
			return;
		}
	}
	import_text(im, r->group, r->columns[i], f->text, f->len, -1);
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
	if (r->group_field < nr) {
		const struct field *f = &r->fields[r->group_field];
		status = import_group(im, f->text, f->len, &r->group);
		im->row_stamp = &im->groups[r->group].stamp;
	}
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++)
		if (i != r->group_field && r->columns[i] < MAX_IMPORT_COLUMNS)
			take_field(im, r, i);
	return status == SAHM_OK ? import_end_row(im, false, 0) : status;
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true, has_header = false;
	enum sahm_status status = r ? SAHM_OK : sahm_fail_nomem(im->err);
	if (status == SAHM_OK && im->options->group_column && im->options->groups == IMPORT_SUM)
		return sahm_fail(im->err, SAHM_USAGE,
				 "--group needs --each or --only: which rows belong together is not known");
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

const struct import_format import_format_csv = {.read = read};
