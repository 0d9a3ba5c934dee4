/* The binary form of signals. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/unit/signals_internal.h"

#define HEAD_BYTES (sizeof(SIGNALS_MAGIC) - 1 + 4 + 4)
/* What is read at a time; more than a header, and than a row. */
#define BUFFER_BYTES ((size_t)1 << 17)
#define ALL_FLAGS (SIGNALS_HAVE_CYCLE | SIGNALS_HAVE_HIT_MHZ)

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
		/* As CSV it would be taken for one of these. */
		if (strcmp(name, CYCLE_COLUMN) == 0 || strcmp(name, HIT_MHZ_COLUMN) == 0)
			return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "header: '%s' is no name of a signal", name);
		if (signals_add_column(r, name, len, &why) != SAHM_OK)
			return fail_header(r, why.msg, err);
	}
	return SAHM_OK;
}

enum sahm_status signals_binary_begin(struct signal_reader *r, const char *head, size_t len, struct sahm_err *err)
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
	if (row->hit_mhz > 0 && signals_check_mhz(row->hit_mhz, err) != SAHM_OK)
		return SAHM_FORMAT;
	if (r->columns.flags & SIGNALS_HAVE_CYCLE && signals_check_cycle(r, row->cycle, err) != SAHM_OK)
		return SAHM_FORMAT;
	for (unsigned c = 0; c < r->columns.nr; c++)
		if (row->filled >> c & 1 && signals_check_value(r, c, row->values[c], err) != SAHM_OK)
			return SAHM_FORMAT;
	return SAHM_OK;
}

enum sahm_status signals_binary_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err)
{
	enum sahm_status status;
	struct sahm_err why;
	const uint8_t *at = take(r, r->row_bytes, &status, err);
	*more = at != NULL;
	if (!at && status == SAHM_OK && r->end > r->start)
		return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "cut short behind row %" PRIu64, r->nr_rows);
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
