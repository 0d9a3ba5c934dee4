/* Formats by their names, and by what the first bytes of a file look like. */
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/base/suggest.h"
#include "workloads/import/import_internal.h"
#include "workloads/trace/trace_csv.h"
#include "workloads/trace/trace_internal.h"

const struct import_format *const import_formats[] = {
#define FORMAT(symbol, name, help) &import_format_##symbol,
#include "workloads/import/import_format_list.h"
#undef FORMAT
	NULL,
};

/* In the order of import_formats[]. */
static const struct {
	const char *name, *help;
} format_rows[] = {
#define FORMAT(symbol, name, help) {name, help},
#include "workloads/import/import_format_list.h"
#undef FORMAT
};

const char *import_format_name(const struct import_format *format)
{
	size_t i = 0;
	while (import_formats[i] != format)
		i++;
	return format_rows[i].name;
}

const char *import_format_help(const struct import_format *format)
{
	size_t i = 0;
	while (import_formats[i] != format)
		i++;
	return format_rows[i].help;
}

const struct import_format *import_format_named(const char *name, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (size_t i = 0; import_formats[i]; i++) {
		if (strcmp(format_rows[i].name, name) == 0)
			return import_formats[i];
		suggest_offer(&s, format_rows[i].name);
	}
	sahm_fail(err, SAHM_USAGE, "--format: unknown format '%s'%s", name,
		  suggest_or(&s, "sahm help import lists them", near));
	return NULL;
}

struct line {
	const char *text;
	size_t len;
};

static bool next_line(struct line *rest, struct line *line)
{
	if (rest->len == 0)
		return false;
	const char *eol = memchr(rest->text, '\n', rest->len);
	size_t len = eol ? (size_t)(eol - rest->text) : rest->len;
	*line = (struct line){rest->text, len};
	rest->text += len + (eol != NULL);
	rest->len -= len + (eol != NULL);
	return true;
}

/* The format of which only one tool writes such a line; NULL for all others. */
static const struct import_format *format_of(const struct line *line)
{
	for (size_t i = 0; import_formats[i]; i++)
		if (import_formats[i]->owns_line && import_formats[i]->owns_line(line->text, line->len))
			return import_formats[i];
	return NULL;
}

/* The next field of the line, from *at on, without blanks and quotes around it; false after the last one. As
 * import_csv.c has it, a separator at the end is followed by an empty field. */
static bool next_field(const struct line *line, char separator, size_t *at, struct line *field)
{
	const char *blanks = separator == '\t' ? " \r" : " \t\r";
	while (separator == ' ' && *at < line->len && strchr(blanks, line->text[*at]))
		++*at;
	if (*at > line->len || (*at == line->len && separator == ' '))
		return false;
	const char *text = line->text + *at;
	size_t len = 0;
	bool quoted = false;
	for (; *at + len < line->len && (quoted || text[len] != separator); len++)
		quoted ^= text[len] == '"';
	*at += len + 1;
	while (len > 0 && strchr("\" \t\r", text[len - 1]))
		len--;
	while (len > 0 && strchr("\" \t", *text))
		text++, len--;
	*field = (struct line){text, len};
	return true;
}

/* What separates the fields of a row: the first of these that it has, or blanks. */
static char separator_of(const struct line *line)
{
	static const char separators[] = "\t;|,";
	for (const char *s = separators; *s; s++)
		if (memchr(line->text, *s, line->len))
			return *s;
	return ' ';
}

static unsigned count_fields(const struct line *line, char separator)
{
	struct line field;
	unsigned nr = 0;
	for (size_t at = 0; next_field(line, separator, &at, &field);)
		nr++;
	return nr;
}

static bool is_time(const struct line *field)
{
	unsigned target;
	uint64_t unit_ns;
	return import_time_column(field->text, field->len, &target, &unit_ns);
}

/* Only names, and as many as the next row has fields: the header row of a table, whatever its rows look like. Words
 * that a program printed in front of perf's lines are none. */
static bool is_header(const struct line *line, struct line rest)
{
	struct line field, row;
	char separator = separator_of(line);
	unsigned nr = 0, nr_known = 0;
	for (size_t at = 0; next_field(line, separator, &at, &field); nr++) {
		decimal value;
		enum counter c;
		if (field.len > 0 && decimal_read(field.text, field.len, &value) == NUMBER_OK)
			return false;
		nr_known += is_time(&field) || counter_find(field.text, field.len, &c);
	}
	while (next_line(&rest, &row))
		if (row.len > 0 && row.text[0] != '#' && row.text[0] != '\r')
			return nr > 1 && (nr_known > 1 || separator != ' ') &&
			       (nr_known > 1 || count_fields(&row, separator) == nr);
	return false;
}

/* A table of all our counters and without times: a trace whose first line is gone. */
static bool is_ours(const struct line *line)
{
	struct line field;
	uint32_t found = 0;
	for (size_t at = 0; next_field(line, ',', &at, &field);) {
		enum counter c;
		if (is_time(&field))
			return false;
		if (counter_find(field.text, field.len, &c))
			found |= 1u << c;
	}
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (counter_rows[c].required && !(found >> c & 1))
			return false;
	return true;
}

bool import_names_counters(const char *head, size_t len)
{
	struct line rest = {head, len}, line, field;
	while (next_line(&rest, &line)) {
		unsigned nr = 0;
		if (line.len == 0 || line.text[0] == '#' || line.text[0] == '\r')
			continue;
		char separator = separator_of(&line);
		for (size_t at = 0; next_field(&line, separator, &at, &field);) {
			enum counter c;
			nr += counter_find(field.text, field.len, &c);
		}
		return nr >= 3;
	}
	return false;
}

const struct import_format *import_detect(const char *head, size_t len, bool transforms)
{
	struct line rest = {head, len}, line;
	const struct import_format *format;
	bool is_first = true, is_perf = false, is_table = import_names_counters(head, len);
	if (len >= TRACE_MAGIC_BYTES && memcmp(head, TRACE_MAGIC, TRACE_MAGIC_BYTES) == 0)
		return &import_format_sahm;
	while (next_line(&rest, &line)) {
		format = format_of(&line);
		is_perf |= import_line_begins(line.text, line.len, "# started on ");
		/* A trace of ours with transformed columns (--map, ...) is read as a table. */
		if (format && (!is_table || format == &import_format_sahm))
			return format == &import_format_sahm && transforms ? &import_format_csv : format;
		if (line.len == 0 || line.text[0] == '#' || line.text[0] == '\r' || !is_first)
			continue;
		if (is_ours(&line) && !transforms)
			return &import_format_sahm;
		/* Rows below it may begin as perf's do. */
		if (!is_perf && is_header(&line, rest))
			return &import_format_csv;
		is_first = false;
	}
	return is_perf ? &import_format_perf_csv : &import_format_csv;
}

/* The reader of traces says what a profile is. */
static bool owns_line(const char *line, size_t len)
{
	return import_line_begins(line, len, "# sahm trace ") || import_line_begins(line, len, PROFILE_FIRST_WORDS);
}

/* Its reader is trace_csv.c; import_common.c calls it. */
const struct import_format import_format_sahm = {.owns_line = owns_line};
