/* The CSV form of traces: reading and writing. */
#include "workloads/trace/trace_csv.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/digits.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"

#define FIRST_LINE_STEM "# sahm trace "
#define FIRST_LINE FIRST_LINE_STEM "1"
#define EPOCH_KEY "epoch_ns"
/* Most columns of a file, those that are passed over included. */
#define MAX_COLUMNS 256
#define NO_COLUMN 0xffu

_Static_assert(DIGITS_SLACK <= LINE_SLACK, "digits are read from the reader's lines");

struct reader {
	struct line_reader *lines;
	struct arena arena;
	struct provenance provenance;
	struct textbuf *notes;
	struct sahm_err *err;
	uint64_t epoch_ns;
	uint8_t counter_of[MAX_COLUMNS]; /* by column: enum counter, or NO_COLUMN */
	unsigned nr_columns;
	bool has[NR_COUNTERS];
	bool brief;	 /* as in struct csv_options */
	bool ours;	 /* begins with FIRST_LINE: its comments speak to us */
	uint64_t nr_odd; /* epochs with more branches or accesses than instructions */
	unsigned first_odd_line;
};

static enum sahm_status SAHM_PRINTF(2, 3) fail_line(struct reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(r->lines, r->err, fmt, ap);
	va_end(ap);
	return status;
}

static bool is_known_key(const char *key, size_t len)
{
	return (len == strlen(EPOCH_KEY) && memcmp(key, EPOCH_KEY, len) == 0) || provenance_knows(key, len);
}

/* `# key: value`; comments of any other shape are the writer's own, as are all of a file that is not ours. */
static enum sahm_status read_comment(struct reader *r)
{
	char *key = r->lines->text + 1;
	if (r->lines->line == 1 && strncmp(r->lines->text, PROFILE_FIRST_WORDS, strlen(PROFILE_FIRST_WORDS)) == 0)
		return fail_line(r, "a profile, not a trace; `sahm trace synth` makes traces from it");
	if (r->lines->line == 1 && strncmp(r->lines->text, FIRST_LINE_STEM, strlen(FIRST_LINE_STEM)) == 0) {
		r->ours = strcmp(r->lines->text, FIRST_LINE) == 0;
		return r->ours ? SAHM_OK
			       : fail_line(r, "version '%.40s', this program reads version 1",
					   r->lines->text + strlen(FIRST_LINE_STEM));
	}
	if (!r->ours)
		return SAHM_OK;
	key += strspn(key, " \t");
	size_t len = strcspn(key, ":= \t");
	char *sign = key + len + strspn(key + len, " \t");
	if (len == 0 || (*sign != ':' && *sign != '='))
		return SAHM_OK;
	/* `# source = synthetic` must not be passed over in silence; `# two words: free text` may. */
	if (*sign == '=' || sign != key + len) {
		if (!is_known_key(key, len))
			return SAHM_OK;
		return fail_line(r, "'%.*s' is written as '# %.*s: value'", (int)len, key, (int)len, key);
	}
	char *value = sign + 1;
	value += strspn(value, " \t");
	if (len == strlen(EPOCH_KEY) && memcmp(key, EPOCH_KEY, len) == 0) {
		if (number_read_u64(value, strlen(value), &r->epoch_ns) != NUMBER_OK || r->epoch_ns < MIN_EPOCH_NS ||
		    r->epoch_ns > MAX_EPOCH_NS)
			return fail_line(r, "epoch_ns '%.40s', must be a whole number from %" PRIu64 " to %" PRIu64,
					 value, MIN_EPOCH_NS, MAX_EPOCH_NS);
		return SAHM_OK;
	}
	struct sahm_err cause;
	enum sahm_status status = provenance_set(&r->provenance, &r->arena, key, len, value, &cause);
	return status == SAHM_OK ? SAHM_OK
				 : sahm_fail_at(r->err, status, r->lines->file, r->lines->line, "%s", cause.msg);
}

/* A header with fewer counters than this is none of ours with a slip in it. */
#define FEW_COLUMNS 4u

static enum sahm_status check_columns(struct reader *r, const char *const *unknown, unsigned nr_unknown)
{
	unsigned nr_known = r->nr_columns - nr_unknown;
	for (int c = 0; c < NR_COUNTERS; c++) {
		if (r->has[c] || !counter_rows[c].required)
			continue;
		if (nr_known < FEW_COLUMNS)
			return fail_line(
				r, "column '%s' is missing; is it another tool's output? `sahm trace import` reads it",
				counter_rows[c].name);
		struct suggest s;
		suggest_init(&s, counter_rows[c].name);
		for (unsigned i = 0; i < nr_unknown; i++)
			suggest_offer(&s, unknown[i]);
		if (s.best)
			return fail_line(r, "column '%s' is missing; is it '%.40s'?", counter_rows[c].name, s.best);
		return fail_line(r, "column '%s' is missing", counter_rows[c].name);
	}
	return SAHM_OK;
}

/* One note for all columns that are no counters, the first few by name. */
static void note_unknown(struct reader *r, const char *const *unknown, unsigned nr)
{
	const unsigned shown = nr < 4 ? nr : 4;
	textbuf_printf(r->notes, "%s:%u: passed over, since no counter is called so: column", r->lines->file,
		       r->lines->line);
	for (unsigned i = 0; i < shown; i++)
		textbuf_printf(r->notes, "%s '%.40s'", i ? "," : "", unknown[i]);
	if (nr > shown)
		textbuf_printf(r->notes, " and %u others", nr - shown);
	textbuf_putc(r->notes, '\n');
}

/* Whether a would-be header row holds what no text does. */
static bool looks_binary(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if ((*p < 0x20 && *p != '\t') || *p >= 0x7f)
			return true;
	return false;
}

static enum sahm_status read_header(struct reader *r)
{
	const char *unknown[MAX_COLUMNS];
	unsigned nr_unknown = 0;
	bool binary = looks_binary(r->lines->text);
	for (char *rest = r->lines->text; rest;) {
		size_t len;
		char *name = line_next_field(&rest, &len);
		enum counter c;
		if (r->nr_columns == MAX_COLUMNS)
			return fail_line(r, "more than %d columns", MAX_COLUMNS);
		bool known = counter_find(name, len, &c);
		r->counter_of[r->nr_columns++] = known ? (uint8_t)c : NO_COLUMN;
		if (!known)
			unknown[nr_unknown++] = name;
		else if (r->has[c])
			return fail_line(r, "column '%s' stands twice", name);
		else
			r->has[c] = true;
	}
	if (binary && nr_unknown == r->nr_columns)
		return fail_line(
			r, "neither a CSV trace nor a binary one that is whole (sahm trace import takes only CSV)");
	enum sahm_status status = check_columns(r, unknown, nr_unknown);
	if (status == SAHM_OK && nr_unknown > 0 && r->notes && !r->brief)
		note_unknown(r, unknown, nr_unknown);
	return status;
}

static enum sahm_status fail_value(struct reader *r, enum number_fault fault, enum counter c, const char *text)
{
	const char *column = counter_rows[c].name;
	if (!*text)
		return fail_line(r, "column '%s' is empty", column);
	switch (fault) {
	case NUMBER_NEGATIVE:
		return fail_line(r, "negative count '%.40s' in column '%s'", text, column);
	case NUMBER_OVERFLOW:
		return fail_line(r, "count '%.40s' in column '%s' overflows: it does not fit 64 bits", text, column);
	case NUMBER_FRACTION:
		return fail_line(r, "count '%.40s' in column '%s' is not whole", text, column);
	default:
		return fail_line(r, "'%.40s' in column '%s' is not a number", text, column);
	}
}

/* Of a field that is no number: the name of its column is a second header, of another trace. */
static enum sahm_status fail_field(struct reader *r, enum number_fault fault, enum counter c, const char *text)
{
	enum counter named;
	if (counter_find(text, strlen(text), &named) && named == c)
		return fail_line(r, "a second header is here: two traces one after the other are no trace");
	return fail_value(r, fault, c, text);
}

/* Reads a row that is all digits and commas. False where it is not: then read_fields() finds out. */
static bool read_plain_row(const struct reader *r, struct epoch_counts *e)
{
	const char *p = r->lines->text;
	*e = (struct epoch_counts){0};
	for (unsigned column = 0; column < r->nr_columns; column++) {
		uint64_t count;
		unsigned c = r->counter_of[column];
		p = digits_read(p, &count);
		if (!p || c == NO_COLUMN || *p++ != (column + 1 < r->nr_columns ? ',' : '\0'))
			return false;
		e->count[c] = count;
	}
	return true;
}

static enum sahm_status read_fields(struct reader *r, struct epoch_counts *e)
{
	unsigned column = 0;
	*e = (struct epoch_counts){0};
	for (char *rest = r->lines->text; rest; column++) {
		size_t len;
		char *text = line_next_field(&rest, &len);
		if (column >= r->nr_columns || r->counter_of[column] == NO_COLUMN)
			continue;
		enum counter c = (enum counter)r->counter_of[column];
		enum number_fault fault = number_read_u64(text, len, &e->count[c]);
		if (fault != NUMBER_OK)
			return fail_field(r, fault, c, text);
	}
	return column == r->nr_columns ? SAHM_OK : fail_line(r, "%u fields, the header has %u", column, r->nr_columns);
}

static enum sahm_status read_row(struct reader *r, struct epoch_counts *e)
{
	enum sahm_status status = read_plain_row(r, e) ? SAHM_OK : read_fields(r, e);
	enum counter c;
	if (status != SAHM_OK)
		return status;
	if (counters_contradict(e, &c))
		return fail_line(r, "%s (%" PRIu64 ") above %s (%" PRIu64 ")", counter_rows[c].name, e->count[c],
				 counter_rows[counter_rows[c].part_of].name, e->count[counter_rows[c].part_of]);
	/* Real tools do this (callgrind with string instructions), and no metric is hurt. */
	uint64_t instructions = e->count[COUNTER_INSTRUCTIONS];
	if (e->count[COUNTER_BRANCHES] > instructions || e->count[COUNTER_L1D_ACCESSES] > instructions) {
		if (r->nr_odd++ == 0)
			r->first_odd_line = r->lines->line;
	}
	return SAHM_OK;
}

/* What the file leaves open, and what the caller knows better. */
static enum sahm_status settle(struct reader *r, const char *file, const struct csv_options *options)
{
	const char *source = options->provenance.text[PROVENANCE_SOURCE];
	if (provenance_is_synthetic(&r->provenance) && source && strcmp(source, "synthetic") != 0)
		return sahm_fail_at(r->err, SAHM_FORMAT, file, 0,
				    "the file says that it is synthetic, which source=%s cannot change", source);
	provenance_override(&r->provenance, &options->provenance);
	if (options->epoch_ns)
		r->epoch_ns = options->epoch_ns;
	if (r->epoch_ns == 0) {
		r->epoch_ns = ns_of_ms(DEFAULT_EPOCH_MS);
		if (r->notes)
			textbuf_printf(r->notes, "%s: no epoch length is given, taken as %g ms\n", file,
				       DEFAULT_EPOCH_MS);
	}
	if (!r->lines->ended && r->notes)
		textbuf_printf(r->notes, "%s:%u: the last line has no end: its last number may be cut short\n", file,
			       r->lines->line);
	if (r->nr_odd && r->notes && !options->brief)
		textbuf_printf(r->notes,
			       "%s:%u: %" PRIu64 " epoch%s with more branches or data accesses than instructions%s\n",
			       file, r->first_odd_line, r->nr_odd, r->nr_odd == 1 ? "" : "s",
			       r->nr_odd == 1 ? "" : ", this one first");
	return r->provenance.text[PROVENANCE_NAME] ? SAHM_OK
						   : provenance_name_after(&r->provenance, &r->arena, file, "", r->err);
}

enum sahm_status trace_csv_read_lines(struct line_reader *lines, const struct csv_options *options,
				      struct textbuf *notes, struct trace **trace, struct sahm_err *err)
{
	struct reader r = {.lines = lines, .notes = notes, .brief = options->brief, .err = err};
	struct trace_builder *builder = NULL;
	bool more = true;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK) {
		struct epoch_counts e;
		status = line_reader_next(r.lines, &more, err);
		if (status != SAHM_OK || !more)
			break;
		if (r.lines->text[strspn(r.lines->text, " \t")] == '\0')
			continue;
		if (r.lines->text[0] == '#') {
			status = read_comment(&r);
		} else if (!builder) {
			status = read_header(&r);
			if (status == SAHM_OK && !(builder = trace_builder_new(r.has[COUNTER_CYCLES])))
				status = sahm_fail_nomem(err);
		} else {
			status = read_row(&r, &e);
			if (status == SAHM_OK)
				status = trace_builder_add(builder, &e, err);
		}
	}
	if (status == SAHM_OK && !builder)
		status = sahm_fail_at(err, SAHM_FORMAT, lines->file, 0, "empty trace: there is no header row");
	if (status == SAHM_OK)
		status = settle(&r, lines->file, options);
	if (status == SAHM_OK)
		status = trace_builder_finish(builder, lines->file, r.epoch_ns, &r.provenance, trace, err);
	trace_builder_free(builder);
	arena_release(&r.arena);
	return status;
}

enum sahm_status trace_csv_read(FILE *in, const char *file, const struct csv_options *options, struct textbuf *notes,
				struct trace **trace, struct sahm_err *err)
{
	struct line_reader lines;
	enum sahm_status status = line_reader_init(&lines, in, file, err);
	if (status != SAHM_OK)
		return status;
	status = trace_csv_read_lines(&lines, options, notes, trace, err);
	line_reader_release(&lines);
	return status;
}

#define BATCH 256u

enum sahm_status trace_write_csv(struct trace *trace, FILE *out, struct sahm_err *err)
{
	struct epoch_counts batch[BATCH];
	unsigned nr_columns = trace_has_cycles(trace) ? NR_COUNTERS : NR_COUNTERS - 1;
	uint64_t nr_epochs = trace_nr_epochs(trace);
	struct textbuf head;
	textbuf_init(&head);
	textbuf_puts(&head, FIRST_LINE "\n");
	provenance_write(trace_provenance(trace), "# ", &head);
	textbuf_printf(&head, "# " EPOCH_KEY ": %" PRIu64 "\n", trace_epoch_ns(trace));
	for (unsigned c = 0; c < nr_columns; c++)
		textbuf_printf(&head, "%s%s", c ? "," : "", counter_rows[c].name);
	bool failed = textbuf_failed(&head);
	fprintf(out, "%s\n", head.text);
	textbuf_release(&head);
	if (failed)
		return sahm_fail_nomem(err);
	for (uint64_t e = 0; e < nr_epochs; e += BATCH) {
		uint64_t nr = nr_epochs - e < BATCH ? nr_epochs - e : BATCH;
		enum sahm_status status = trace_read(trace, e, nr, batch, err);
		if (status != SAHM_OK)
			return status;
		for (uint64_t i = 0; i < nr; i++)
			for (unsigned c = 0; c < nr_columns; c++)
				fprintf(out, "%" PRIu64 "%c", batch[i].count[c], c + 1 < nr_columns ? ',' : '\n');
	}
	return SAHM_OK;
}
