/* Writing signals, in both forms. */
#include <inttypes.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/unit/signals_internal.h"

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
