/* Recorded signals of a HIT, as a stream of rows or of input sets, in memory that does not depend on how long it is.
 *
 * CSV: a header row with the names of signals in any order, then rows of values, decimal or hexadecimal after 0x. An
 * empty cell gives no new value (in a file of one column it is written as ""). Lines that begin with # and blank ones
 * are passed over. Two columns are no signals: `cycle`, the first one if it is there, and `hit_mhz`, the HIT's clock
 * from that row on; empty: as before.
 *
 * Binary: little-endian. SIGNALS_MAGIC; u32 flags (enum signal_flag); u32 number of columns; the name of each, padded
 * with zeros to SIGNALS_NAME_BYTES; then rows: u64 cycle if flagged, u32 hit_mhz if flagged (0: as before), u32 mask of
 * the cells that are filled, bit i for column i; u64 for each column, looked at where it is filled.
 *
 * Both may be compressed by zstd.
 *
 * Without cycles, row i is cycle i, from 0, and its filled cells are one input set. With cycles, which rise from row to
 * row, a signal of rate 0 (abi.h) is valid in the cycles where its cell is filled; one of rate r keeps its value from
 * row to row and is valid in every cycle that is a multiple of r, from its first value to the cycle of the last row: so
 * sets arise between rows, too. All signals that are valid in one cycle are one input set. A level (abi.h) is never one
 * of them, with cycles or without: its cell is its value from that cycle on.
 *
 * Each set costs time, some tens of nanoseconds and whatever a program makes of it, however few bytes it has come from:
 * two rows can make 10^10 of them, which take minutes. A row so late that signals of one rate would be valid more often
 * in between (SIGNALS_MAX_BETWEEN) is refused.
 */
#ifndef SAHM_IPU_UNIT_SIGNALS_H
#define SAHM_IPU_UNIT_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ipu/unit/abi.h"
#include "ipu/unit/unit.h"
#include "sim/base/err.h"

#define SIGNALS_MAGIC "SAHMSIG1"
#define SIGNALS_NAME_BYTES 32u
#define SIGNALS_MAX_COLUMNS NR_IOREGS
/* Columns of CSV that are no signals. */
#define CYCLE_COLUMN "cycle"
#define HIT_MHZ_COLUMN "hit_mhz"
/* Largest cycle that a row can name: some ten days at 1 GHz. */
#define SIGNALS_MAX_CYCLE UINT64_C(1000000000000000)
/* How often signals of one rate can be valid between one row and the next. */
#define SIGNALS_MAX_BETWEEN UINT64_C(10000000000)

enum signal_form { SIGNALS_CSV, SIGNALS_BINARY };
enum signal_flag { SIGNALS_HAVE_CYCLE = 1, SIGNALS_HAVE_HIT_MHZ = 2 };

struct signal_columns {
	unsigned flags; /* enum signal_flag, as bits */
	unsigned nr;	/* of signals, at least 1 */
	char names[SIGNALS_MAX_COLUMNS][SIGNALS_NAME_BYTES + 1];
};

struct signal_row {
	uint64_t cycle;
	uint32_t hit_mhz; /* 0: as before */
	uint32_t filled;  /* columns, a bit each; only their values mean something */
	uint64_t values[SIGNALS_MAX_COLUMNS];
};

/* What happens in one cycle, one of these or several: the clock changes, levels change, an input set comes. */
struct signal_set {
	uint64_t cycle;
	uint32_t hit_mhz;	/* 0: as before */
	uint32_t valid;		/* IORegs, a bit each; 0: no input set */
	uint32_t levels;	/* IORegs of levels that the row gives, a bit each */
	const uint64_t *values; /* by IOReg, until the next call for the reader */
	bool has_address;	/* the ABI's `addr` is among these or those */
	uint64_t address;
};

struct signal_reader;

/* Begins to read `in`, which stays the caller's; `file` stands in messages and must outlive the reader, as must `abi`.
 * Every column must be a signal of `abi`; NULL: any names will do, values have up to 64 bits, and there are rows but no
 * sets. Names of earlier versions of the spec are refused as such. SAHM_FORMAT, SAHM_IO, SAHM_NOMEM. */
enum sahm_status signal_reader_new(struct signal_reader **reader, FILE *in, const char *file, const struct abi *abi,
				   struct sahm_err *err);
/* The same from the file `path` ("-": standard input). */
enum sahm_status signal_reader_open(struct signal_reader **reader, const char *path, const struct abi *abi,
				    struct sahm_err *err);

const struct signal_columns *signal_reader_columns(const struct signal_reader *r);
enum signal_form signal_reader_form(const struct signal_reader *r);

/* The next row, or the next set; *more is false when there is none. A reader gives one or the other. SAHM_FORMAT,
 * SAHM_IO. */
enum sahm_status signal_reader_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err);
enum sahm_status signal_reader_set(struct signal_reader *r, struct signal_set *set, bool *more, struct sahm_err *err);

/* The cycle of the last row so far, which sets need not have come of; false: there has been none. After the last set it
 * is where the signals end. */
bool signal_reader_last_cycle(const struct signal_reader *r, uint64_t *cycle);

/* Ends reading, of which `status` (with *err) is what came of it, and frees `r`, which may be NULL. Returns `status`,
 * or the error in its compressed data (zstd_stream.h). */
enum sahm_status signal_reader_free(struct signal_reader *r, enum sahm_status status, struct sahm_err *err);

/* Gives the set to the unit: first the clock, then levels, ADDR, and the inputs. */
void signal_set_apply(const struct signal_set *set, struct ipu_unit *u);

/* What stands in front of the rows, and a row. Failures are the stream's (ferror()). */
void signals_write_head(FILE *out, enum signal_form form, const struct signal_columns *columns);
void signals_write_row(FILE *out, enum signal_form form, const struct signal_columns *columns,
		       const struct signal_row *row);

#endif
