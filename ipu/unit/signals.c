#include "ipu/unit/signals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "sim/base/file.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/base/zstd_stream.h"

#define NO_GROUP 0xffu

/* CSV: fields that are no signals. */
enum { FIELD_CYCLE = 0xfe, FIELD_HIT_MHZ = 0xff };

#define HEAD_BYTES (sizeof(SIGNALS_MAGIC) - 1 + 4 + 4)
/* Binary: what is read at a time; more than a header, and than a row. */
#define BUFFER_BYTES ((size_t)1 << 17)
#define ALL_FLAGS (SIGNALS_HAVE_CYCLE | SIGNALS_HAVE_HIT_MHZ)

#define MAX_FIELDS (SIGNALS_MAX_COLUMNS + 2)

/* Signals of one rate above 0. */
struct rate_group {
	uint64_t rate;
	uint64_t due;  /* the next cycle in which they are valid; meaningless while `held` is empty */
	uint32_t held; /* IORegs of those that have had a value */
};

struct signal_reader {
	FILE *opened; /* by signal_reader_open(), or NULL */
	struct zstd_reader *zstd;
	const char *file;
	const struct abi *abi;
	struct signal_columns columns;
	const struct abi_signal *signals[SIGNALS_MAX_COLUMNS]; /* by column; NULL without an ABI spec */
	enum signal_form form;
	uint64_t nr_rows;
	uint64_t last_cycle; /* of the last row, if there was one */

	/* CSV */
	struct line_reader lines;
	uint8_t column_of[MAX_FIELDS]; /* by field: a column, or FIELD_CYCLE, FIELD_HIT_MHZ */
	unsigned nr_fields;

	/* Binary: bytes that were read and not used. */
	uint8_t *bytes;
	size_t start, end, row_bytes;

	/* Sets */
	struct signal_row row;
	bool has_row; /* `row` was read and not used */
	struct rate_group groups[SIGNALS_MAX_COLUMNS];
	unsigned nr_groups;
	uint8_t group_of[SIGNALS_MAX_COLUMNS]; /* by column, or NO_GROUP; levels have none */
	uint64_t values[NR_IOREGS];
};

static bool is_name(const char *name, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	return len > 0 && strspn(name, allowed) == len;
}

static enum sahm_status fail_unknown(const struct signal_reader *r, const char *name, struct sahm_err *err)
{
	struct suggest s;
	char hint[SUGGEST_BYTES];
	if (abi_is_former(r->abi, name))
		return sahm_fail(err, SAHM_FORMAT,
				 "'%s' is a signal of an earlier version of '%s' (%s): record the signals again for "
				 "the present one",
				 name, r->abi->name, r->abi->file);
	suggest_init(&s, name);
	for (unsigned i = 0; i < r->abi->nr_signals; i++)
		suggest_offer(&s, r->abi->signals[i].name);
	suggest_offer(&s, HIT_MHZ_COLUMN);
	return sahm_fail(err, SAHM_FORMAT, "'%.40s' is no signal of '%s'%s", name, r->abi->name,
			 suggest_text(&s, hint));
}

/* Takes `name[len]` as the next column: SAHM_FORMAT, the message without a place. */
static enum sahm_status add_column(struct signal_reader *r, const char *name, size_t len, struct sahm_err *err)
{
	struct signal_columns *c = &r->columns;
	if (c->nr == SIGNALS_MAX_COLUMNS)
		return sahm_fail(err, SAHM_FORMAT, "more than %d signals", SIGNALS_MAX_COLUMNS);
	for (unsigned i = 0; i < c->nr; i++)
		if (strcmp(c->names[i], name) == 0)
			return sahm_fail(err, SAHM_FORMAT, "column '%.40s' stands twice", name);
	if (!r->abi && !is_name(name, len))
		return sahm_fail(err, SAHM_FORMAT, "'%.40s' is no name of a signal: lower-case letters, digits, _",
				 name);
	if (r->abi && !(r->signals[c->nr] = abi_find(r->abi, name)))
		return fail_unknown(r, name, err);
	if (len > SIGNALS_NAME_BYTES)
		return sahm_fail(err, SAHM_FORMAT, "the name '%.40s' has more than %u characters", name,
				 SIGNALS_NAME_BYTES);
	memcpy(c->names[c->nr++], name, len + 1);
	return SAHM_OK;
}

/* Whether `value` fits the column, and, below, `mhz` and `cycle` can follow the values before: the same. */
static enum sahm_status check_value(const struct signal_reader *r, unsigned column, uint64_t value,
				    struct sahm_err *err)
{
	unsigned bits = r->signals[column] ? r->signals[column]->bits : 64;
	if (bits >= 64 || value >> bits == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_FORMAT, "%" PRIu64 " in column '%s' does not fit its %u bit%s", value,
			 r->columns.names[column], bits, bits == 1 ? "" : "s");
}

static enum sahm_status check_mhz(uint64_t mhz, struct sahm_err *err)
{
	if (mhz >= IPU_MIN_MHZ && mhz <= IPU_MAX_MHZ)
		return SAHM_OK;
	return sahm_fail(err, SAHM_FORMAT, "%" PRIu64 " in column '" HIT_MHZ_COLUMN "', must be from %u to %u", mhz,
			 IPU_MIN_MHZ, IPU_MAX_MHZ);
}

/* Groups are due after the last row: a reader that has only rows holds nothing. */
static enum sahm_status check_between(const struct signal_reader *r, uint64_t cycle, struct sahm_err *err)
{
	for (const struct rate_group *g = r->groups; g < r->groups + r->nr_groups; g++) {
		if (!g->held || cycle <= g->due)
			continue;
		uint64_t nr = (cycle - g->due - 1) / g->rate + 1;
		if (nr > SIGNALS_MAX_BETWEEN)
			return sahm_fail(err, SAHM_FORMAT,
					 "signals of rate %" PRIu64 " are valid %" PRIu64
					 " times between cycles %" PRIu64 " and %" PRIu64 ", at most %" PRIu64
					 " are possible between two rows",
					 g->rate, nr, r->last_cycle, cycle, SIGNALS_MAX_BETWEEN);
	}
	return SAHM_OK;
}

static enum sahm_status check_cycle(const struct signal_reader *r, uint64_t cycle, struct sahm_err *err)
{
	if (cycle > SIGNALS_MAX_CYCLE)
		return sahm_fail(err, SAHM_FORMAT, "cycle %" PRIu64 " is above %" PRIu64, cycle, SIGNALS_MAX_CYCLE);
	if (r->nr_rows > 0 && cycle <= r->last_cycle)
		return sahm_fail(err, SAHM_FORMAT,
				 "cycle %" PRIu64 " does not follow cycle %" PRIu64 ": they must rise", cycle,
				 r->last_cycle);
	return check_between(r, cycle, err);
}

/* The CSV form. */

static enum sahm_status SAHM_PRINTF(3, 4) fail_line(struct signal_reader *r, struct sahm_err *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(&r->lines, err, fmt, ap);
	va_end(ap);
	return status;
}

static enum sahm_status next_line(struct signal_reader *r, bool *more, struct sahm_err *err)
{
	for (;;) {
		enum sahm_status status = line_reader_next(&r->lines, more, err);
		const char *text = r->lines.text;
		if (status != SAHM_OK || !*more || (*text != '#' && text[strspn(text, " \t")] != '\0'))
			return status;
	}
}

static enum sahm_status add_field(struct signal_reader *r, const char *name, size_t len, struct sahm_err *err)
{
	unsigned *flags = &r->columns.flags;
	struct sahm_err why;
	if (r->nr_fields == MAX_FIELDS)
		return fail_line(r, err, "more than %d columns", MAX_FIELDS);
	uint8_t *field = &r->column_of[r->nr_fields++];
	if (strcmp(name, CYCLE_COLUMN) == 0) {
		if (r->nr_fields != 1)
			return fail_line(r, err, "column '" CYCLE_COLUMN "' must be the first one");
		*flags |= SIGNALS_HAVE_CYCLE;
		*field = FIELD_CYCLE;
		return SAHM_OK;
	}
	if (strcmp(name, HIT_MHZ_COLUMN) == 0) {
		if (*flags & SIGNALS_HAVE_HIT_MHZ)
			return fail_line(r, err, "column '" HIT_MHZ_COLUMN "' stands twice");
		*flags |= SIGNALS_HAVE_HIT_MHZ;
		*field = FIELD_HIT_MHZ;
		return SAHM_OK;
	}
	*field = (uint8_t)r->columns.nr;
	enum sahm_status status = add_column(r, name, len, &why);
	return status == SAHM_OK ? SAHM_OK : fail_line(r, err, "%s", why.msg);
}

static enum sahm_status csv_begin(struct signal_reader *r, struct sahm_err *err)
{
	bool more;
	enum sahm_status status = next_line(r, &more, err);
	if (status == SAHM_OK && !more)
		status = sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "no signals: there is no header row");
	if (status != SAHM_OK)
		return status;
	for (char *rest = r->lines.text; rest && status == SAHM_OK;) {
		size_t len;
		char *name = line_next_field(&rest, &len);
		status = add_field(r, name, len, err);
	}
	if (status == SAHM_OK && r->columns.nr == 0)
		return fail_line(r, err, "the header row names no signal");
	return status;
}

/* A number as it may stand in a cell: that of a size, without its unit. */
static enum number_fault read_cell(const char *text, size_t len, uint64_t *value)
{
	if (len < 2 || text[1] != 'x')
		return number_read_u64(text, len, value);
	return strchr("KMG", text[len - 1]) ? NUMBER_NOT : number_read_size(text, value);
}

static const char *field_name(const struct signal_reader *r, unsigned column)
{
	return column == FIELD_CYCLE	 ? CYCLE_COLUMN
	       : column == FIELD_HIT_MHZ ? HIT_MHZ_COLUMN
					 : r->columns.names[column];
}

static enum sahm_status fail_number(struct signal_reader *r, enum number_fault fault, unsigned column, const char *text,
				    struct sahm_err *err)
{
	const char *name = field_name(r, column);
	switch (fault) {
	case NUMBER_NEGATIVE:
		return fail_line(r, err, "'%.40s' in column '%s' is negative", text, name);
	case NUMBER_OVERFLOW:
		return fail_line(r, err, "'%.40s' in column '%s' does not fit 64 bits", text, name);
	case NUMBER_FRACTION:
		return fail_line(r, err, "'%.40s' in column '%s' is not whole", text, name);
	default:
		return fail_line(r, err, "'%.40s' in column '%s' is not a number", text, name);
	}
}

static enum sahm_status take_value(struct signal_reader *r, struct signal_row *row, unsigned column, uint64_t value,
				   struct sahm_err *err)
{
	if (column == FIELD_CYCLE) {
		row->cycle = value;
		return check_cycle(r, value, err);
	}
	if (column == FIELD_HIT_MHZ) {
		row->hit_mhz = (uint32_t)value;
		return check_mhz(value, err);
	}
	row->filled |= UINT32_C(1) << column;
	row->values[column] = value;
	return check_value(r, column, value, err);
}

static enum sahm_status read_field(struct signal_reader *r, struct signal_row *row, unsigned column, const char *text,
				   size_t len, struct sahm_err *err)
{
	uint64_t value;
	struct sahm_err why;
	if (len == 0)
		return column == FIELD_CYCLE ? fail_line(r, err, "column '" CYCLE_COLUMN "' is empty") : SAHM_OK;
	enum number_fault fault = read_cell(text, len, &value);
	if (fault != NUMBER_OK)
		return fail_number(r, fault, column, text, err);
	enum sahm_status status = take_value(r, row, column, value, &why);
	return status == SAHM_OK ? SAHM_OK : fail_line(r, err, "%s", why.msg);
}

static enum sahm_status csv_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err)
{
	unsigned nr = 0;
	enum sahm_status status = next_line(r, more, err);
	row->hit_mhz = row->filled = 0;
	if (status != SAHM_OK || !*more)
		return status;
	for (char *rest = r->lines.text; rest && status == SAHM_OK; nr++) {
		size_t len;
		char *text = line_next_field(&rest, &len);
		if (nr < r->nr_fields)
			status = read_field(r, row, r->column_of[nr], text, len, err);
	}
	if (status == SAHM_OK && nr != r->nr_fields)
		status = fail_line(r, err, "%u field%s, the header has %u", nr, nr == 1 ? "" : "s", r->nr_fields);
	return status;
}

/* The binary form. */

static uint64_t peek64(const void *at)
{
	return peek(at, 4) | (uint64_t)peek((const uint8_t *)at + 4, 4) << 32;
}

/* The next `nr` bytes, or NULL: with *status SAHM_OK where the file ends before. */
static const uint8_t *take(struct signal_reader *r, size_t nr, enum sahm_status *status, struct sahm_err *err)
{
	*status = SAHM_OK;
	if (r->end - r->start < nr) {
		FILE *in = zstd_reader_stream(r->zstd);
		memmove(r->bytes, r->bytes + r->start, r->end - r->start);
		r->end -= r->start;
		r->start = 0;
		r->end += fread(r->bytes + r->end, 1, BUFFER_BYTES - r->end, in);
		if (ferror(in)) {
			*status = sahm_fail(err, SAHM_IO, "cannot read '%s': %s", r->file, strerror(errno));
			return NULL;
		}
	}
	if (r->end - r->start < nr)
		return NULL;
	r->start += nr;
	return r->bytes + r->start - nr;
}

static enum sahm_status fail_header(const struct signal_reader *r, const char *why, struct sahm_err *err)
{
	return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "header: %s", why);
}

static enum sahm_status read_names(struct signal_reader *r, unsigned nr, struct sahm_err *err)
{
	for (unsigned i = 0; i < nr; i++) {
		enum sahm_status status;
		struct sahm_err why;
		char name[SIGNALS_NAME_BYTES + 1] = {0};
		const uint8_t *bytes = take(r, SIGNALS_NAME_BYTES, &status, err);
		if (!bytes)
			return status != SAHM_OK ? status : fail_header(r, "cut short", err);
		memcpy(name, bytes, SIGNALS_NAME_BYTES);
		size_t len = strlen(name);
		for (size_t at = len; at < SIGNALS_NAME_BYTES; at++)
			if (name[at] != '\0')
				return fail_header(r, "a name is not padded with zeros", err);
		/* CSV has columns of these names. */
		if (strcmp(name, CYCLE_COLUMN) == 0 || strcmp(name, HIT_MHZ_COLUMN) == 0)
			return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "header: '%s' is no name of a signal", name);
		if (add_column(r, name, len, &why) != SAHM_OK)
			return fail_header(r, why.msg, err);
	}
	return SAHM_OK;
}

/* Begins with the `len` bytes at `head`, which are already read, of which the first are SIGNALS_MAGIC. */
static enum sahm_status binary_begin(struct signal_reader *r, const char *head, size_t len, struct sahm_err *err)
{
	enum sahm_status status;
	r->bytes = malloc(BUFFER_BYTES);
	if (!r->bytes)
		return sahm_fail_nomem(err);
	memcpy(r->bytes, head, len); /* at most MAX_LINE_CHARS and a few */
	r->end = len;
	const uint8_t *bytes = take(r, HEAD_BYTES, &status, err);
	if (!bytes)
		return status != SAHM_OK ? status : fail_header(r, "cut short", err);
	uint32_t flags = peek(bytes + HEAD_BYTES - 8, 4), nr = peek(bytes + HEAD_BYTES - 4, 4);
	if (flags & ~(uint32_t)ALL_FLAGS)
		return fail_header(r, "flags that this program does not know", err);
	if (nr < 1 || nr > SIGNALS_MAX_COLUMNS)
		return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "header: %" PRIu32 " columns, must be from 1 to %d",
				    nr, SIGNALS_MAX_COLUMNS);
	r->columns.flags = flags;
	r->row_bytes = (flags & SIGNALS_HAVE_CYCLE ? 8u : 0u) + (flags & SIGNALS_HAVE_HIT_MHZ ? 4u : 0u) + 4 + 8 * nr;
	return read_names(r, nr, err);
}

static enum sahm_status check_row(const struct signal_reader *r, const struct signal_row *row, struct sahm_err *err)
{
	if (r->columns.nr < 32 && row->filled >> r->columns.nr != 0)
		return sahm_fail(err, SAHM_FORMAT, "its mask has bits for more than %u columns", r->columns.nr);
	if (row->hit_mhz > 0 && check_mhz(row->hit_mhz, err) != SAHM_OK)
		return SAHM_FORMAT;
	if (r->columns.flags & SIGNALS_HAVE_CYCLE && check_cycle(r, row->cycle, err) != SAHM_OK)
		return SAHM_FORMAT;
	for (unsigned c = 0; c < r->columns.nr; c++)
		if (row->filled >> c & 1 && check_value(r, c, row->values[c], err) != SAHM_OK)
			return SAHM_FORMAT;
	return SAHM_OK;
}

static enum sahm_status binary_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err)
{
	enum sahm_status status;
	struct sahm_err why;
	const uint8_t *at = take(r, r->row_bytes, &status, err);
	*more = at != NULL;
	if (!at && status == SAHM_OK && r->end > r->start)
		return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "cut short after row %" PRIu64, r->nr_rows);
	if (!at)
		return status;
	row->hit_mhz = 0;
	if (r->columns.flags & SIGNALS_HAVE_CYCLE) {
		row->cycle = peek64(at);
		at += 8;
	}
	if (r->columns.flags & SIGNALS_HAVE_HIT_MHZ) {
		row->hit_mhz = peek(at, 4);
		at += 4;
	}
	row->filled = peek(at, 4);
	at += 4;
	for (unsigned c = 0; c < r->columns.nr; c++)
		row->values[c] = peek64(at + (size_t)8 * c);
	if (check_row(r, row, &why) == SAHM_OK)
		return SAHM_OK;
	return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "row %" PRIu64 ": %s", r->nr_rows + 1, why.msg);
}

/* Rows of either form, and the sets that they make. */

static void group_columns(struct signal_reader *r)
{
	for (unsigned c = 0; c < r->columns.nr; c++) {
		uint64_t rate = r->signals[c] && !r->signals[c]->is_level ? r->signals[c]->rate : 0;
		unsigned g = 0;
		while (g < r->nr_groups && r->groups[g].rate != rate)
			g++;
		if (rate > 0 && g == r->nr_groups)
			r->groups[r->nr_groups++].rate = rate;
		r->group_of[c] = rate > 0 ? (uint8_t)g : NO_GROUP;
	}
}

static enum sahm_status begin(struct signal_reader *r, struct sahm_err *err)
{
	const char *head;
	size_t len;
	enum sahm_status status = line_reader_init(&r->lines, zstd_reader_stream(r->zstd), r->file, err);
	if (status == SAHM_OK)
		status = line_reader_head(&r->lines, &head, &len, err);
	if (status != SAHM_OK)
		return status;
	bool is_binary = len >= strlen(SIGNALS_MAGIC) && memcmp(head, SIGNALS_MAGIC, strlen(SIGNALS_MAGIC)) == 0;
	r->form = is_binary ? SIGNALS_BINARY : SIGNALS_CSV;
	return is_binary ? binary_begin(r, head, len, err) : csv_begin(r, err);
}

enum sahm_status signal_reader_new(struct signal_reader **reader, FILE *in, const char *file, const struct abi *abi,
				   struct sahm_err *err)
{
	*reader = NULL;
	struct signal_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return sahm_fail_nomem(err);
	r->file = file;
	r->abi = abi;
	r->zstd = zstd_reader_new(in, file);
	enum sahm_status status = r->zstd ? begin(r, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK)
		return signal_reader_free(r, status, err);
	group_columns(r);
	*reader = r;
	return SAHM_OK;
}

enum sahm_status signal_reader_open(struct signal_reader **reader, const char *path, const struct abi *abi,
				    struct sahm_err *err)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	*reader = NULL;
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", file_label(path), strerror(errno));
	enum sahm_status status = signal_reader_new(reader, in, file_label(path), abi, err);
	if (in == stdin)
		return status;
	if (status == SAHM_OK)
		(*reader)->opened = in;
	else
		fclose(in);
	return status;
}

enum sahm_status signal_reader_free(struct signal_reader *r, enum sahm_status status, struct sahm_err *err)
{
	if (!r)
		return status;
	line_reader_release(&r->lines);
	free(r->bytes);
	if (r->zstd)
		status = zstd_reader_free(r->zstd, status, err);
	if (r->opened)
		fclose(r->opened);
	free(r);
	return status;
}

const struct signal_columns *signal_reader_columns(const struct signal_reader *r)
{
	return &r->columns;
}

enum signal_form signal_reader_form(const struct signal_reader *r)
{
	return r->form;
}

enum sahm_status signal_reader_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err)
{
	enum sahm_status status =
		r->form == SIGNALS_BINARY ? binary_row(r, row, more, err) : csv_row(r, row, more, err);
	if (status == SAHM_OK && *more) {
		if (!(r->columns.flags & SIGNALS_HAVE_CYCLE))
			row->cycle = r->nr_rows;
		r->last_cycle = row->cycle;
		r->nr_rows++;
	}
	return status;
}

bool signal_reader_last_cycle(const struct signal_reader *r, uint64_t *cycle)
{
	*cycle = r->last_cycle;
	return r->nr_rows > 0;
}

static void put(struct signal_reader *r, struct signal_set *set, uint64_t cycle, uint32_t mhz, uint32_t valid,
		uint32_t levels)
{
	const struct abi_signal *addr = r->abi->addr;
	*set = (struct signal_set){
		.cycle = cycle, .hit_mhz = mhz, .valid = valid, .levels = levels, .values = r->values};
	if (addr && ((valid | levels) >> addr->reg & 1)) {
		set->has_address = true;
		set->address = r->values[addr->reg];
	}
}

/* Takes the values of the row over; returns the IORegs of those that are valid now only for that reason, and in *levels
 * those of levels. */
static uint32_t take_row(struct signal_reader *r, uint32_t *levels)
{
	bool keeps_values = r->columns.flags & SIGNALS_HAVE_CYCLE;
	uint32_t valid = 0;
	*levels = 0;
	for (unsigned c = 0; c < r->columns.nr; c++) {
		if (!(r->row.filled >> c & 1))
			continue;
		unsigned reg = r->signals[c]->reg;
		r->values[reg] = r->row.values[c];
		if (r->signals[c]->is_level) {
			*levels |= UINT32_C(1) << reg;
			continue;
		}
		if (!keeps_values || r->group_of[c] == NO_GROUP) {
			valid |= UINT32_C(1) << reg;
			continue;
		}
		struct rate_group *g = &r->groups[r->group_of[c]];
		if (!g->held)
			g->due = r->row.cycle + (g->rate - r->row.cycle % g->rate) % g->rate;
		g->held |= UINT32_C(1) << reg;
	}
	r->has_row = false;
	return valid;
}

/* The IORegs that are valid in `cycle` because of their rate. */
static uint32_t take_due(struct signal_reader *r, uint64_t cycle)
{
	uint32_t valid = 0;
	for (struct rate_group *g = r->groups; g < r->groups + r->nr_groups; g++) {
		if (!g->held || g->due != cycle)
			continue;
		valid |= g->held;
		g->due += g->rate;
	}
	return valid;
}

static uint64_t first_due(const struct signal_reader *r)
{
	uint64_t due = NEVER;
	for (unsigned g = 0; g < r->nr_groups; g++)
		if (r->groups[g].held && r->groups[g].due < due)
			due = r->groups[g].due;
	return due;
}

enum sahm_status signal_reader_set(struct signal_reader *r, struct signal_set *set, bool *more, struct sahm_err *err)
{
	for (;;) {
		if (!r->has_row) {
			enum sahm_status status = signal_reader_row(r, &r->row, &r->has_row, err);
			*more = r->has_row;
			if (status != SAHM_OK || !*more)
				return status;
		}
		*more = true;
		uint64_t due = first_due(r);
		if (due < r->row.cycle) {
			put(r, set, due, 0, take_due(r, due), 0);
			return SAHM_OK;
		}
		uint32_t levels, valid = take_row(r, &levels);
		valid |= take_due(r, r->row.cycle);
		if (valid == 0 && levels == 0 && r->row.hit_mhz == 0)
			continue;
		put(r, set, r->row.cycle, r->row.hit_mhz, valid, levels);
		return SAHM_OK;
	}
}

void signal_set_apply(const struct signal_set *set, struct ipu_unit *u)
{
	if (set->hit_mhz > 0)
		ipu_unit_set_hit_mhz(u, set->cycle, set->hit_mhz);
	if (set->levels != 0)
		ipu_unit_levels(u, set->cycle, set->levels, set->values);
	if (set->has_address)
		ipu_unit_address(u, set->cycle, set->address);
	if (set->valid != 0)
		ipu_unit_input(u, set->cycle, set->valid, set->values);
}

/* Writing, in both forms. */

static void put32(FILE *out, uint32_t value)
{
	uint8_t bytes[4];
	poke(bytes, 4, value);
	fwrite(bytes, 1, sizeof(bytes), out);
}

static void put64(FILE *out, uint64_t value)
{
	put32(out, (uint32_t)value);
	put32(out, (uint32_t)(value >> 32));
}

static void write_csv_head(FILE *out, const struct signal_columns *c)
{
	const char *comma = "";
	if (c->flags & SIGNALS_HAVE_CYCLE) {
		fputs(CYCLE_COLUMN, out);
		comma = ",";
	}
	if (c->flags & SIGNALS_HAVE_HIT_MHZ) {
		fprintf(out, "%s" HIT_MHZ_COLUMN, comma);
		comma = ",";
	}
	for (unsigned i = 0; i < c->nr; i++, comma = ",")
		fprintf(out, "%s%s", comma, c->names[i]);
	putc('\n', out);
}

void signals_write_head(FILE *out, enum signal_form form, const struct signal_columns *columns)
{
	if (form == SIGNALS_CSV) {
		write_csv_head(out, columns);
		return;
	}
	fputs(SIGNALS_MAGIC, out);
	put32(out, columns->flags);
	put32(out, columns->nr);
	for (unsigned i = 0; i < columns->nr; i++) {
		char name[SIGNALS_NAME_BYTES] = {0};
		memcpy(name, columns->names[i], strlen(columns->names[i]));
		fwrite(name, 1, sizeof(name), out);
	}
}

static void write_csv_row(FILE *out, const struct signal_columns *c, const struct signal_row *row)
{
	const char *comma = "";
	if (c->flags & SIGNALS_HAVE_CYCLE) {
		fprintf(out, "%" PRIu64, row->cycle);
		comma = ",";
	}
	if (c->flags & SIGNALS_HAVE_HIT_MHZ) {
		fputs(comma, out);
		if (row->hit_mhz)
			fprintf(out, "%" PRIu32, row->hit_mhz);
		comma = ",";
	}
	if (!*comma && c->nr == 1 && !(row->filled & 1))
		fputs("\"\"", out); /* a blank line is no row */
	for (unsigned i = 0; i < c->nr; i++, comma = ",") {
		fputs(comma, out);
		if (row->filled >> i & 1)
			fprintf(out, "%" PRIu64, row->values[i]);
	}
	putc('\n', out);
}

void signals_write_row(FILE *out, enum signal_form form, const struct signal_columns *columns,
		       const struct signal_row *row)
{
	if (form == SIGNALS_CSV) {
		write_csv_row(out, columns, row);
		return;
	}
	if (columns->flags & SIGNALS_HAVE_CYCLE)
		put64(out, row->cycle);
	if (columns->flags & SIGNALS_HAVE_HIT_MHZ)
		put32(out, row->hit_mhz);
	put32(out, row->filled);
	for (unsigned i = 0; i < columns->nr; i++)
		put64(out, row->filled >> i & 1 ? row->values[i] : 0);
}
