/* What the parts of the reader of signals share: signals.c opens and makes sets, signals_csv.c and signals_binary.c
 * read rows of either form. */
#ifndef SAHM_IPU_SIGNALS_INTERNAL_H
#define SAHM_IPU_SIGNALS_INTERNAL_H

#include "ipu/unit/signals.h"
#include "sim/base/lines.h"
#include "sim/base/zstd_stream.h"

#define CYCLE_COLUMN "cycle"
#define HIT_MHZ_COLUMN "hit_mhz"
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
	uint8_t column_of[MAX_FIELDS]; /* by field: a column, or FIELD_... of signals_csv.c */
	unsigned nr_fields;

	/* Binary: bytes that were read and not used. */
	uint8_t *bytes;
	size_t start, end, row_bytes;

	/* Sets */
	struct signal_row row;
	bool has_row; /* `row` was read and not used */
	struct rate_group groups[SIGNALS_MAX_COLUMNS];
	unsigned nr_groups;
	uint8_t group_of[SIGNALS_MAX_COLUMNS]; /* by column, or NO_GROUP */
	uint64_t values[NR_IOREGS];
};

/* Takes `name[len]` as the next column: SAHM_FORMAT, the message without a place. */
enum sahm_status signals_add_column(struct signal_reader *r, const char *name, size_t len, struct sahm_err *err);
/* Whether `value` fits the column, and `mhz` and `cycle` can stand behind what was there: the same. */
enum sahm_status signals_check_value(const struct signal_reader *r, unsigned column, uint64_t value,
				     struct sahm_err *err);
enum sahm_status signals_check_mhz(uint64_t mhz, struct sahm_err *err);
enum sahm_status signals_check_cycle(const struct signal_reader *r, uint64_t cycle, struct sahm_err *err);

enum sahm_status signals_csv_begin(struct signal_reader *r, struct sahm_err *err);
enum sahm_status signals_csv_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err);

/* Begins with the `len` bytes at `head`, which are already read, of which the first are SIGNALS_MAGIC. */
enum sahm_status signals_binary_begin(struct signal_reader *r, const char *head, size_t len, struct sahm_err *err);
enum sahm_status signals_binary_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err);

#endif
