/* Epoch tables: what several cores took for each epoch of several programs.
 *
 * A CSV file: comments that say how it was measured, a heading, and a row per program and epoch with the counters of
 * the first core, the baseline, and the cycles of each other core (docs/specialization.md). Reading is strict: a table
 * that is read and written again is the same to the byte, but for line ends and leading zeros. A table that a
 * measurement is still making has no rows of the programs that are not finished.
 */
#ifndef SAHM_RESULTS_STUDIES_EPOCH_TABLE_H
#define SAHM_RESULTS_STUDIES_EPOCH_TABLE_H

#include <stdio.h>

#include "cores/chip/counters.h"
#include "cores/chip/state.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/core_run.h"

/* The baseline included. */
#define MAX_TABLE_CORES MAX_LANES
/* Of cores and programs: letters, digits, '.', '_', '+' and '-'; with the closing NUL. */
#define TABLE_NAME_BYTES 64u

struct table_core {
	char name[TABLE_NAME_BYTES];
	char hash[HASH_HEX_BYTES]; /* of its configuration */
	uint64_t storage_bytes;	   /* of its structures without LLC (cores/uarch/core_storage.h) */
	unsigned components;	   /* in which it differs from the baseline: a bit for each enum component */
};

struct table_program {
	char name[TABLE_NAME_BYTES];
	char digest[HASH_HEX_BYTES]; /* of its stream's file */
	uint64_t nr_sampled;	     /* epochs of the stream if it is a sample; 0: it is all of the program */
	size_t first, nr;	     /* its rows; 0: it is not finished */
};

struct table_epoch {
	uint32_t program;
	uint64_t number;
	struct epoch_counts counts;	  /* on the baseline, with its cycles */
	uint64_t cycles[MAX_TABLE_CORES]; /* of each core; cycles[0] are those of the baseline, too */
};

struct epoch_table {
	struct arena arena; /* of the texts */
	bool is_synthetic;  /* not measured: made up, for a test or an example */
	const char *made_by, *command;
	struct stream_sampling sampling;
	bool has_measured_clock; /* core_run_measured(); of a table without a line about it, the nominal one */
	struct table_core cores[MAX_TABLE_CORES];
	unsigned nr_cores;
	struct table_program *programs; /* [nr_programs] */
	size_t nr_programs;
	struct table_epoch *rows; /* [nr_rows]: by program, by number */
	size_t nr_rows;
	/* Not of the file: [nr_rows], counters of the same epochs in traces, and whose they are; NULL: there are none.
	 */
	struct epoch_counts *traced;
	const char *traced_by;
};

/* All zeros is an empty table; release it in any case. */
void epoch_table_release(struct epoch_table *t);

/* Appends a program without rows. SAHM_NOMEM. */
enum sahm_status epoch_table_add_program(struct epoch_table *t, const struct table_program *program,
					 struct sahm_err *err);

/* The name of the file `path` as one of a table: without folder and `ending`; other characters become '_'. */
void epoch_table_name(const char *path, const char *ending, char name[TABLE_NAME_BYTES]);

/* Programs without rows. */
size_t epoch_table_nr_unfinished(const struct epoch_table *t);

/* Appends the whole table, or a row. */
void epoch_table_write(const struct epoch_table *t, struct textbuf *out);
void epoch_table_write_row(const struct epoch_table *t, const struct table_epoch *row, struct textbuf *out);

/* Reads a table, `t` being empty. SAHM_FORMAT with file, line and column; SAHM_IO, SAHM_NOMEM. */
enum sahm_status epoch_table_read(FILE *stream, const char *file, struct epoch_table *t, struct sahm_err *err);
enum sahm_status epoch_table_open(const char *path, struct epoch_table *t, struct sahm_err *err);

/* Puts rows[nr] of the unfinished program `program` in their place. SAHM_NOMEM. */
enum sahm_status epoch_table_insert(struct epoch_table *t, size_t program, const struct table_epoch *rows, size_t nr,
				    struct sahm_err *err);

/* Reads rows as epoch_table_write_row() writes them: the rows of one program, which it puts in their place.
 * SAHM_FORMAT, SAHM_NOMEM. */
enum sahm_status epoch_table_insert_text(struct epoch_table *t, size_t program, const char *text, size_t len,
					 struct sahm_err *err);

/* Leaves only the cores named in names[nr], in this order, after the baseline. SAHM_USAGE: one is not there. */
enum sahm_status epoch_table_choose(struct epoch_table *t, const char *const *names, size_t nr, struct sahm_err *err);

/* Appends "branch+l1d" or "none". */
void epoch_table_write_components(unsigned components, struct textbuf *out);

#endif
