/* The CSV form of signals. */
#include <inttypes.h>
#include <string.h>

#include "ipu/unit/signals_internal.h"
#include "sim/base/number.h"

/* Fields that are no signals. */
enum { FIELD_CYCLE = 0xfe, FIELD_HIT_MHZ = 0xff };

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
	enum sahm_status status = signals_add_column(r, name, len, &why);
	return status == SAHM_OK ? SAHM_OK : fail_line(r, err, "%s", why.msg);
}

enum sahm_status signals_csv_begin(struct signal_reader *r, struct sahm_err *err)
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

/* A number as it may stand in a cell: that of a size, without a unit behind it. */
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
		return signals_check_cycle(r, value, err);
	}
	if (column == FIELD_HIT_MHZ) {
		row->hit_mhz = (uint32_t)value;
		return signals_check_mhz(value, err);
	}
	row->filled |= UINT32_C(1) << column;
	row->values[column] = value;
	return signals_check_value(r, column, value, err);
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

enum sahm_status signals_csv_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err)
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
