#include "results/studies/epoch_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"

#define FIRST_LINE_STEM "# sahm epoch table "
#define FIRST_LINE FIRST_LINE_STEM "1"
#define CYCLES_ENDING "_cycles"

/* As traces have them (workloads/FORMAT.md). */
static const char *const source_words[] = {"modelled", "synthetic"};

void epoch_table_release(struct epoch_table *t)
{
	arena_release(&t->arena);
	free(t->programs);
	free(t->rows);
	free(t->traced);
}

enum sahm_status epoch_table_add_program(struct epoch_table *t, const struct table_program *program,
					 struct sahm_err *err)
{
	struct table_program *grown = realloc(t->programs, (t->nr_programs + 1) * sizeof(*grown));
	if (!grown)
		return sahm_fail_nomem(err);
	t->programs = grown;
	grown[t->nr_programs++] = *program;
	return SAHM_OK;
}

static bool is_name_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("._+-", c));
}

void epoch_table_name(const char *path, const char *ending, char name[TABLE_NAME_BYTES])
{
	const char *base = base_name(path);
	size_t len = strlen(base) - (text_ends_in(base, ending) ? strlen(ending) : 0);
	len = len < TABLE_NAME_BYTES ? len : TABLE_NAME_BYTES - 1;
	for (size_t i = 0; i < len; i++)
		name[i] = base[i];
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(name[i]))
			name[i] = '_';
	name[len] = '\0';
}

size_t epoch_table_nr_unfinished(const struct epoch_table *t)
{
	size_t nr = 0;
	for (size_t i = 0; i < t->nr_programs; i++)
		nr += t->programs[i].nr == 0;
	return nr;
}

/* ---- Writing ---- */

void epoch_table_write_components(unsigned components, struct textbuf *out)
{
	if (!components)
		textbuf_puts(out, "none");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		if (components >> c & 1)
			textbuf_printf(out, "%s%s", components & ((1u << c) - 1) ? "+" : "",
				       component_key((enum component)c));
}

static void write_heading(const struct epoch_table *t, struct textbuf *out)
{
	textbuf_puts(out, "program,epoch");
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		textbuf_printf(out, ",%s", counter_rows[c].name);
	for (unsigned k = 1; k < t->nr_cores; k++)
		textbuf_printf(out, ",%s" CYCLES_ENDING, t->cores[k].name);
	textbuf_putc(out, '\n');
}

void epoch_table_write_row(const struct epoch_table *t, const struct table_epoch *row, struct textbuf *out)
{
	textbuf_printf(out, "%s,%" PRIu64, t->programs[row->program].name, row->number);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		textbuf_printf(out, ",%" PRIu64, row->counts.count[c]);
	for (unsigned k = 1; k < t->nr_cores; k++)
		textbuf_printf(out, ",%" PRIu64, row->cycles[k]);
	textbuf_putc(out, '\n');
}

void epoch_table_write(const struct epoch_table *t, struct textbuf *out)
{
	const struct stream_sampling *sampling = &t->sampling;
	textbuf_printf(out, FIRST_LINE "\n# source: %s\n# program: %s\n# command: %s\n", source_words[t->is_synthetic],
		       t->made_by, t->command);
	textbuf_printf(out, "# sampling: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", sampling->skip,
		       sampling->every, sampling->take, sampling->warm);
	if (t->has_measured_clock)
		textbuf_puts(out, "# clock: measured\n");
	for (unsigned k = 0; k < t->nr_cores; k++) {
		const struct table_core *c = &t->cores[k];
		textbuf_printf(out, "# core: %s %s %" PRIu64 " ", c->name, c->hash, c->storage_bytes);
		epoch_table_write_components(c->components, out);
		textbuf_putc(out, '\n');
	}
	for (size_t i = 0; i < t->nr_programs; i++) {
		const struct table_program *p = &t->programs[i];
		textbuf_printf(out, "# stream: %s %s %" PRIu64 "\n", p->name, p->digest, p->nr_sampled);
	}
	write_heading(t, out);
	for (size_t i = 0; i < t->nr_rows; i++)
		epoch_table_write_row(t, &t->rows[i], out);
}

/* ---- Reading ---- */

struct reader {
	struct line_reader *lines;
	struct epoch_table *table;
	size_t room; /* of table->rows */
	struct sahm_err *err;
};

static enum sahm_status SAHM_PRINTF(2, 3) fail_line(struct reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(r->lines, r->err, fmt, ap);
	va_end(ap);
	return status;
}

/* The next word of a row; *rest is the part after the separator, NULL after the last word. */
static char *next_word(char **rest, char separator)
{
	char *word = *rest, *end = strchr(word, separator);
	*rest = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return word;
}

/* Reads the next line; one must be there. */
static enum sahm_status next_line(struct reader *r, const char *what)
{
	bool more;
	enum sahm_status status = line_reader_next(r->lines, &more, r->err);
	if (status == SAHM_OK && !more)
		status = sahm_fail_at(r->err, SAHM_FORMAT, r->lines->file, r->lines->line + 1,
				      "the table ends where %s is expected", what);
	return status;
}

/* The text after "# KEY: " in the line; NULL if the line is another one. */
static char *value_of(struct reader *r, const char *key)
{
	char *text = r->lines->text;
	size_t len = strlen(key);
	bool is_it = strncmp(text, "# ", 2) == 0 && strncmp(text + 2, key, len) == 0 &&
		     strncmp(text + 2 + len, ": ", 2) == 0;
	return is_it ? text + len + 4 : NULL;
}

static enum sahm_status read_comment_text(struct reader *r, const char *key, const char **text)
{
	enum sahm_status status = next_line(r, key);
	char *value = status == SAHM_OK ? value_of(r, key) : NULL;
	if (status == SAHM_OK && (!value || !*value))
		return fail_line(r, "'%.40s', must be '# %s: ...'", r->lines->text, key);
	if (status == SAHM_OK && !(*text = arena_strdup(&r->table->arena, value)))
		status = sahm_fail_nomem(r->err);
	return status;
}

static enum sahm_status read_source(struct reader *r)
{
	const char *word;
	enum sahm_status status = read_comment_text(r, "source", &word);
	if (status != SAHM_OK)
		return status;
	r->table->is_synthetic = strcmp(word, source_words[true]) == 0;
	if (strcmp(word, source_words[r->table->is_synthetic]) != 0)
		return fail_line(r, "source is '%.40s', must be %s or %s", word, source_words[false],
				 source_words[true]);
	return SAHM_OK;
}

static enum sahm_status read_number(struct reader *r, const char *what, const char *text, uint64_t *value)
{
	switch (number_read_u64(text, strlen(text), value)) {
	case NUMBER_OK:
		return SAHM_OK;
	case NUMBER_NEGATIVE:
		return fail_line(r, "%s is '%.40s', which is negative", what, text);
	case NUMBER_OVERFLOW:
		return fail_line(r, "%s is '%.40s', which does not fit 64 bits", what, text);
	default:
		return fail_line(r, "%s is '%.40s', must be a whole number", what, text);
	}
}

static enum sahm_status read_sampling(struct reader *r)
{
	struct stream_sampling *p = &r->table->sampling;
	uint64_t *const values[] = {&p->skip, &p->every, &p->take, &p->warm};
	enum sahm_status status = next_line(r, "sampling");
	char *rest = status == SAHM_OK ? value_of(r, "sampling") : NULL;
	for (unsigned i = 0; i < 4 && status == SAHM_OK; i++)
		status = rest ? read_number(r, "sampling", next_word(&rest, ' '), values[i])
			      : fail_line(r, "four numbers are expected: '# sampling: SKIP EVERY TAKE WARM'");
	if (status == SAHM_OK && rest)
		status = fail_line(r, "'%.40s' follows the sampling", rest);
	return status;
}

/* The line is there only if the clock was measured. */
static enum sahm_status read_clock(struct reader *r)
{
	const char *value = value_of(r, "clock");
	r->table->has_measured_clock = value;
	if (!value)
		return SAHM_OK;
	return strcmp(value, "measured") == 0 ? next_line(r, "a core")
					      : fail_line(r, "clock is '%.40s', must be measured", value);
}

static enum sahm_status read_name(struct reader *r, const char *what, const char *text, char name[TABLE_NAME_BYTES])
{
	size_t len = strlen(text);
	bool ok = len > 0 && len < TABLE_NAME_BYTES;
	for (size_t i = 0; i < len && ok; i++)
		ok = is_name_char(text[i]);
	if (!ok)
		return fail_line(r, "'%.80s' is no name of a %s: 1 to %u letters, digits and '._+-'", text, what,
				 TABLE_NAME_BYTES - 1);
	memcpy(name, text, len + 1);
	return SAHM_OK;
}

static enum sahm_status read_hash(struct reader *r, const char *text, char hash[HASH_HEX_BYTES])
{
	size_t len = strlen(text);
	if (len != HASH_HEX_BYTES - 1 || strspn(text, "0123456789abcdef") != len)
		return fail_line(r, "'%.80s' is no hash: %u digits from 0 to f", text, HASH_HEX_BYTES - 1);
	memcpy(hash, text, len + 1);
	return SAHM_OK;
}

static enum sahm_status read_components(struct reader *r, char *text, unsigned *components)
{
	*components = 0;
	if (strcmp(text, "none") == 0)
		return SAHM_OK;
	for (char *rest = text; rest;) {
		enum component c;
		char *word = next_word(&rest, '+');
		if (!component_find(word, strlen(word), &c) || strcmp(word, component_key(c)) != 0 || *components >> c)
			return fail_line(
				r, "'%.40s' are no components: none, or of branch+l1i+l1d+l2 some in this order", word);
		*components |= 1u << c;
	}
	return SAHM_OK;
}

/* The words of a line, of which there must be `nr`. */
static enum sahm_status read_words(struct reader *r, char *value, const char *form, char **words, unsigned nr)
{
	unsigned i = 0;
	for (; value && i < nr; i++)
		words[i] = next_word(&value, ' ');
	return i == nr && !value ? SAHM_OK : fail_line(r, "must be '%s'", form);
}

static enum sahm_status read_core(struct reader *r, char *value)
{
	struct epoch_table *t = r->table;
	char *words[4];
	if (t->nr_cores == MAX_TABLE_CORES)
		return fail_line(r, "more than %u cores", MAX_TABLE_CORES);
	struct table_core *c = &t->cores[t->nr_cores];
	enum sahm_status status = read_words(r, value, "# core: NAME HASH STORAGE_BYTES COMPONENTS", words, 4);
	if (status == SAHM_OK)
		status = read_name(r, "core", words[0], c->name);
	for (unsigned k = 0; k < t->nr_cores && status == SAHM_OK; k++)
		if (strcmp(t->cores[k].name, c->name) == 0)
			status = fail_line(r, "the core '%s' is here twice", c->name);
	if (status == SAHM_OK)
		status = read_hash(r, words[1], c->hash);
	if (status == SAHM_OK)
		status = read_number(r, "storage", words[2], &c->storage_bytes);
	if (status == SAHM_OK)
		status = read_components(r, words[3], &c->components);
	t->nr_cores++;
	return status;
}

static enum sahm_status read_program(struct reader *r, char *value)
{
	struct epoch_table *t = r->table;
	struct table_program p = {0};
	char *words[3];
	enum sahm_status status = read_words(r, value, "# stream: NAME DIGEST SAMPLED_EPOCHS", words, 3);
	if (status == SAHM_OK)
		status = read_name(r, "program", words[0], p.name);
	for (size_t i = 0; i < t->nr_programs && status == SAHM_OK; i++)
		if (strcmp(t->programs[i].name, p.name) == 0)
			status = fail_line(r, "the program '%s' is here twice", p.name);
	if (status == SAHM_OK)
		status = read_hash(r, words[1], p.digest);
	if (status == SAHM_OK)
		status = read_number(r, "epochs of the sample", words[2], &p.nr_sampled);
	return status == SAHM_OK ? epoch_table_add_program(t, &p, r->err) : status;
}

/* Name of column `i`. */
static void column_name(const struct epoch_table *t, unsigned i, struct textbuf *out)
{
	if (i < 2)
		textbuf_puts(out, i == 0 ? "program" : "epoch");
	else if (i < 2 + NR_COUNTERS)
		textbuf_puts(out, counter_rows[i - 2].name);
	else
		textbuf_printf(out, "%s" CYCLES_ENDING, t->cores[i - 2 - NR_COUNTERS + 1].name);
}

static unsigned nr_columns(const struct epoch_table *t)
{
	return 2 + NR_COUNTERS + t->nr_cores - 1;
}

static enum sahm_status read_heading(struct reader *r)
{
	enum sahm_status status = SAHM_OK;
	char *rest = r->lines->text;
	for (unsigned i = 0; i < nr_columns(r->table) && status == SAHM_OK; i++) {
		struct textbuf expected;
		char *word = rest ? next_word(&rest, ',') : "";
		textbuf_init(&expected);
		column_name(r->table, i, &expected);
		if (textbuf_failed(&expected))
			status = sahm_fail_nomem(r->err);
		else if (strcmp(expected.text, word) != 0)
			status = fail_line(r, "column %u is '%.80s', must be '%s'", i + 1, word, expected.text);
		textbuf_release(&expected);
	}
	if (status == SAHM_OK && rest)
		status = fail_line(r, "column %u is '%.80s', there are %u cores", nr_columns(r->table) + 1, rest,
				   r->table->nr_cores);
	return status;
}

/* All lines up to the first row. */
static enum sahm_status read_head(struct reader *r)
{
	struct epoch_table *t = r->table;
	char *value;
	enum sahm_status status = next_line(r, "'" FIRST_LINE "'");
	if (status == SAHM_OK && strcmp(r->lines->text, FIRST_LINE) != 0)
		status = strncmp(r->lines->text, FIRST_LINE_STEM, strlen(FIRST_LINE_STEM)) == 0
				 ? fail_line(r, "version '%.40s', this program reads version 1",
					     r->lines->text + strlen(FIRST_LINE_STEM))
				 : fail_line(r, "no epoch table: its first line is '" FIRST_LINE "'");
	if (status == SAHM_OK)
		status = read_source(r);
	if (status == SAHM_OK)
		status = read_comment_text(r, "program", &t->made_by);
	if (status == SAHM_OK)
		status = read_comment_text(r, "command", &t->command);
	if (status == SAHM_OK)
		status = read_sampling(r);
	if (status == SAHM_OK)
		status = next_line(r, "a core");
	if (status == SAHM_OK)
		status = read_clock(r);
	while (status == SAHM_OK && (value = value_of(r, "core"))) {
		status = read_core(r, value);
		if (status == SAHM_OK)
			status = next_line(r, "a stream");
	}
	if (status == SAHM_OK && t->nr_cores < 2)
		status = fail_line(r, "a baseline and another core must be listed before this line, there %s %u",
				   t->nr_cores == 1 ? "is" : "are", t->nr_cores);
	while (status == SAHM_OK && (value = value_of(r, "stream"))) {
		status = read_program(r, value);
		if (status == SAHM_OK)
			status = next_line(r, "the heading");
	}
	if (status == SAHM_OK && t->nr_programs == 0)
		status = fail_line(r, "no stream is listed before this line");
	return status == SAHM_OK ? read_heading(r) : status;
}

static enum sahm_status read_value(struct reader *r, unsigned column, char **rest, uint64_t *value)
{
	struct textbuf what;
	if (!*rest)
		return fail_line(r, "%u fields, there are %u columns", column, nr_columns(r->table));
	textbuf_init(&what);
	textbuf_puts(&what, "column '");
	column_name(r->table, column, &what);
	textbuf_putc(&what, '\'');
	char *word = next_word(rest, ',');
	enum sahm_status status = textbuf_failed(&what) ? sahm_fail_nomem(r->err)
				  : *word		? read_number(r, what.text, word, value)
							: fail_line(r, "%s is empty", what.text);
	textbuf_release(&what);
	return status;
}

/* What a row must be beside whole numbers. */
static enum sahm_status check_row(struct reader *r, const struct table_epoch *row)
{
	const struct epoch_table *t = r->table;
	const struct epoch_counts *e = &row->counts;
	enum counter c;
	if (e->count[COUNTER_INSTRUCTIONS] == 0)
		return fail_line(r, "column 'instructions' is 0");
	if (counters_contradict(e, &c))
		return fail_line(r, "column '%s' (%" PRIu64 ") is above '%s' (%" PRIu64 ")", counter_rows[c].name,
				 e->count[c], counter_rows[counter_rows[c].part_of].name,
				 e->count[counter_rows[c].part_of]);
	for (unsigned k = 0; k < t->nr_cores; k++)
		if (row->cycles[k] == 0)
			return fail_line(r, "column '%s%s' is 0", k > 0 ? t->cores[k].name : "cycles",
					 k > 0 ? CYCLES_ENDING : "");
	return SAHM_OK;
}

/* Reads the line as a row; its program's name is in *name. */
static enum sahm_status read_row(struct reader *r, const char **name, struct table_epoch *row)
{
	unsigned column = 0;
	char *rest = r->lines->text;
	*row = (struct table_epoch){0};
	*name = next_word(&rest, ',');
	enum sahm_status status = read_value(r, ++column, &rest, &row->number);
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++)
		status = read_value(r, ++column, &rest, &row->counts.count[c]);
	for (unsigned k = 1; k < r->table->nr_cores && status == SAHM_OK; k++)
		status = read_value(r, ++column, &rest, &row->cycles[k]);
	if (status == SAHM_OK && rest)
		status = fail_line(r, "more fields than the %u columns", nr_columns(r->table));
	row->cycles[0] = row->counts.count[COUNTER_CYCLES];
	return status == SAHM_OK ? check_row(r, row) : status;
}

static enum sahm_status append_row(struct reader *r, const struct table_epoch *row)
{
	struct epoch_table *t = r->table;
	if (t->nr_rows == r->room) {
		size_t room = r->room ? 2 * r->room : 256;
		struct table_epoch *grown = realloc(t->rows, room * sizeof(*grown));
		if (!grown)
			return sahm_fail_nomem(r->err);
		t->rows = grown;
		r->room = room;
	}
	t->rows[t->nr_rows++] = *row;
	return SAHM_OK;
}

/* The row after those of the table, of *program or a later one. */
static enum sahm_status add_row(struct reader *r, size_t *program)
{
	struct epoch_table *t = r->table;
	struct table_epoch row;
	const char *name;
	enum sahm_status status = read_row(r, &name, &row);
	if (status != SAHM_OK)
		return status;
	while (*program < t->nr_programs && strcmp(t->programs[*program].name, name) != 0)
		++*program;
	if (*program == t->nr_programs)
		return fail_line(r, "column 'program' is '%.80s': no stream is called so, or its rows are out of order",
				 name);
	struct table_program *p = &t->programs[*program];
	if (p->nr > 0 && t->rows[t->nr_rows - 1].number >= row.number)
		return fail_line(r, "column 'epoch' is %" PRIu64 " after %" PRIu64 ", must increase", row.number,
				 t->rows[t->nr_rows - 1].number);
	row.program = (uint32_t)*program;
	if (p->nr++ == 0)
		p->first = t->nr_rows;
	return append_row(r, &row);
}

static enum sahm_status read_rows(struct reader *r)
{
	size_t program = 0;
	for (bool more;;) {
		enum sahm_status status = line_reader_next(r->lines, &more, r->err);
		if (status != SAHM_OK)
			return status;
		if (!more)
			break;
		status = add_row(r, &program);
		if (status != SAHM_OK)
			return status;
	}
	return r->lines->ended ? SAHM_OK : fail_line(r, "the last line has no end: the table was cut short");
}

/* A stream has no rows yet, or, where it is a sample that was measured whole, one for each of its epochs. */
static enum sahm_status check_epochs_of_samples(const struct epoch_table *t, const char *file, struct sahm_err *err)
{
	for (size_t i = 0; i < t->nr_programs && t->sampling.skip == 0 && t->sampling.every == 0; i++) {
		const struct table_program *p = &t->programs[i];
		if (p->nr > 0 && p->nr_sampled > 0 && p->nr != p->nr_sampled)
			return sahm_fail_at(err, SAHM_FORMAT, file, 0,
					    "epochs of '%s' in the table: %zu, in its stream: %" PRIu64, p->name, p->nr,
					    p->nr_sampled);
	}
	return SAHM_OK;
}

enum sahm_status epoch_table_read(FILE *stream, const char *file, struct epoch_table *t, struct sahm_err *err)
{
	struct line_reader lines;
	struct reader r = {.lines = &lines, .table = t, .err = err};
	enum sahm_status status = line_reader_init(&lines, stream, file, err);
	if (status != SAHM_OK)
		return status;
	status = read_head(&r);
	if (status == SAHM_OK)
		status = read_rows(&r);
	if (status == SAHM_OK)
		status = check_epochs_of_samples(t, file, err);
	line_reader_release(&lines);
	return status;
}

enum sahm_status epoch_table_open(const char *path, struct epoch_table *t, struct sahm_err *err)
{
	int fd = file_open_regular(path, err);
	if (fd < 0)
		return SAHM_IO;
	FILE *in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return sahm_fail_nomem(err);
	}
	enum sahm_status status = epoch_table_read(in, path, t, err);
	fclose(in);
	return status;
}

/* ---- Parts ---- */

enum sahm_status epoch_table_insert(struct epoch_table *t, size_t program, const struct table_epoch *rows, size_t nr,
				    struct sahm_err *err)
{
	size_t at = 0;
	struct table_epoch *grown = realloc(t->rows, (t->nr_rows + nr + 1) * sizeof(*grown));
	if (!grown)
		return sahm_fail_nomem(err);
	t->rows = grown;
	for (size_t i = 0; i < program; i++)
		at += t->programs[i].nr;
	memmove(&grown[at + nr], &grown[at], (t->nr_rows - at) * sizeof(*grown));
	for (size_t i = 0; i < nr; i++) {
		grown[at + i] = rows[i];
		grown[at + i].program = (uint32_t)program;
	}
	t->nr_rows += nr;
	t->programs[program].nr = nr;
	t->programs[program].first = at;
	for (size_t i = program + 1; i < t->nr_programs; i++)
		t->programs[i].first += t->programs[i].nr > 0 ? nr : 0;
	return SAHM_OK;
}

/* Reads rows into a table of one program, the same cores and no head. */
static enum sahm_status read_part(FILE *stream, const struct epoch_table *whole, size_t program,
				  struct epoch_table *part, struct sahm_err *err)
{
	struct line_reader lines;
	struct reader r = {.lines = &lines, .table = part, .err = err};
	struct table_program p = whole->programs[program];
	p.nr = 0;
	part->nr_cores = whole->nr_cores;
	memcpy(part->cores, whole->cores, sizeof(part->cores));
	enum sahm_status status = line_reader_init(&lines, stream, p.name, err);
	if (status != SAHM_OK)
		return status;
	status = epoch_table_add_program(part, &p, err);
	if (status == SAHM_OK)
		status = read_rows(&r);
	line_reader_release(&lines);
	return status;
}

enum sahm_status epoch_table_insert_text(struct epoch_table *t, size_t program, const char *text, size_t len,
					 struct sahm_err *err)
{
	struct epoch_table part = {0};
	FILE *in = fmemopen((void *)(uintptr_t)text, len, "r");
	if (!in)
		return sahm_fail_nomem(err);
	enum sahm_status status = read_part(in, t, program, &part, err);
	if (status == SAHM_OK)
		status = epoch_table_insert(t, program, part.rows, part.nr_rows, err);
	fclose(in);
	epoch_table_release(&part);
	return status;
}

static enum sahm_status find_core(const struct epoch_table *t, const char *name, unsigned *which, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (unsigned k = 1; k < t->nr_cores; k++) {
		if (strcmp(t->cores[k].name, name) == 0) {
			*which = k;
			return SAHM_OK;
		}
		suggest_offer(&s, t->cores[k].name);
	}
	struct textbuf all;
	textbuf_init(&all);
	for (unsigned k = 1; k < t->nr_cores; k++)
		textbuf_printf(&all, "%s%s", k > 1 ? ", " : ", it has ", t->cores[k].name);
	const char *others = *suggest_text(&s, near) || textbuf_failed(&all) ? near : all.text;
	enum sahm_status status = sahm_fail(err, SAHM_USAGE, "the table has no core '%.80s'%.400s", name, others);
	textbuf_release(&all);
	return status;
}

enum sahm_status epoch_table_choose(struct epoch_table *t, const char *const *names, size_t nr, struct sahm_err *err)
{
	struct table_core cores[MAX_TABLE_CORES];
	uint64_t cycles[MAX_TABLE_CORES];
	unsigned chosen[MAX_TABLE_CORES] = {0};
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		status = i + 1 < MAX_TABLE_CORES ? find_core(t, names[i], &chosen[i + 1], err)
						 : sahm_fail(err, SAHM_USAGE, "more than %u cores", MAX_TABLE_CORES);
		for (size_t k = 1; k <= i && status == SAHM_OK; k++)
			if (chosen[k] == chosen[i + 1])
				status = sahm_fail(err, SAHM_USAGE, "the core '%.80s' is named twice", names[i]);
	}
	if (status != SAHM_OK)
		return status;
	memcpy(cores, t->cores, sizeof(cores));
	t->nr_cores = (unsigned)nr + 1;
	for (unsigned k = 0; k < t->nr_cores; k++)
		t->cores[k] = cores[chosen[k]];
	for (size_t i = 0; i < t->nr_rows; i++) {
		memcpy(cycles, t->rows[i].cycles, sizeof(cycles));
		for (unsigned k = 0; k < t->nr_cores; k++)
			t->rows[i].cycles[k] = cycles[chosen[k]];
	}
	return SAHM_OK;
}
