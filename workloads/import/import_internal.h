/* Shared by the files of the importer: the calls of readers, and their implementation.
 *
 * A reader finds columns and groups by name (import_column(), import_group()), puts values into their cells
 * (import_count(), import_no_count()), and closes the row (import_end_row()), at which import_rows.c makes an epoch of
 * it or counts it as skipped. All functions that return a status fill im->err.
 */
#ifndef SAHM_WORKLOADS_IMPORT_IMPORT_INTERNAL_H
#define SAHM_WORKLOADS_IMPORT_IMPORT_INTERNAL_H

#include "cores/chip/cuts.h"
#include "sim/base/arena.h"
#include "sim/base/decimal.h"
#include "sim/base/lines.h"
#include "workloads/import/import.h"
#include "workloads/trace/spread.h"

enum import_skip {
#define SKIP(name, rows, text) SKIP_##name,
#include "workloads/import/import_skip_list.h"
#undef SKIP
	NR_SKIPS
};

/* What is made of columns: the counters, then these. */
enum { TARGET_TIME = NR_COUNTERS, TARGET_DURATION, NR_TARGETS };

#define MAX_TERMS 32u

/* A column in an expression. */
struct term {
	const char *name;
	unsigned column; /* once it is resolved */
	bool delta, zero;
};

/* What an expression does, operands first. */
struct op {
	enum { OP_COLUMN, OP_NUMBER, OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_NEGATE } kind;
	unsigned term;	/* OP_COLUMN */
	decimal number; /* OP_NUMBER, in 1/DECIMAL_ONE^2 */
};

#define MAX_OPS (4 * MAX_TERMS)

/* Values on the way are in 1/DECIMAL_ONE^2 and stay below EXACT_END in size: 2^64 fits, and so does the sum of two of
 * them in 128 bits. Sums and whole multiples are exact, quotients are rounded to that unit. */
struct expression {
	struct term terms[MAX_TERMS];
	struct op ops[MAX_OPS];
	unsigned nr_terms, nr_ops;
	bool is_derived; /* columns are multiplied with one another, or divided by one another */
};

struct import_map {
	struct arena arena;
	const struct expression *expression[NR_TARGETS]; /* NULL: none is given */
	uint64_t unit_ns[NR_TARGETS];			 /* of the two times */
	bool is_assumed[NR_COUNTERS];
	uint64_t assumed[NR_COUNTERS];
};

/* Reads an expression; SAHM_FORMAT says what is wrong with it. */
enum sahm_status expression_read(const char *text, struct arena *a, struct expression *e, struct sahm_err *err);

/* Makes the expression that is only a column. */
void expression_of_column(struct expression *e, unsigned column);

struct import;

/* Appends the expression, which is resolved, with the names that its columns have. */
void expression_write(const struct import *im, const struct expression *e, struct textbuf *b);

/* The counter's or time's name. */
const char *import_target_name(unsigned target);

struct column {
	const char *name;
	const char *plain; /* without PMU, modifiers */
	size_t len;
	bool ignored; /* of another PMU */
};

struct cell {
	decimal value;
	decimal total;		/* the last value that running totals count from */
	unsigned total_of;	/* im->nr_begun when it was read; 0: there is none */
	int16_t running_pct100; /* hundredths of %: share of the interval in which it was counted; -1: not known */
	bool is_there;
	uint8_t skip; /* enum import_skip where it is not there */
};

/* When the row before ended. */
struct stamp {
	bool is_known;
	uint64_t ns;
};

struct group {
	const char *name;
	size_t len;
	struct stamp stamp; /* csv: rows of groups take turns */
	bool chosen;
	unsigned begun;	    /* im->nr_begun when it was last seen */
	bool seen;	    /* something stands in its cells: it is in im->seen */
	bool is_idle;	    /* it did not run in this row */
	struct cell *cells; /* by column */
};

/* How one counter was multiplexed. */
struct running {
	uint64_t nr, sum_pct100;
	int16_t min_pct100;
};

/* Rows kept apart for import_join.c. */
struct kept_row {
	struct epoch_counts counts;
	unsigned line;
	uint16_t has; /* a bit per counter */
};

/* Windows that counted different events in turn, on their way to an epoch (import_rotate.c). All in 1/DECIMAL_ONE^2. */
struct rotation {
	decimal sum[NR_COUNTERS];	   /* of the windows in which a counter was counted, */
	decimal instructions[NR_COUNTERS]; /* and the instructions of those windows */
	uint16_t has;			   /* a bit per counter that one of them has */
	uint64_t duration_ns;		   /* of the nr_timed windows whose length is known */
	unsigned nr_timed;
	unsigned nr_windows, first_line;
};

/* A row as its expressions see it. */
struct row {
	struct value {
		decimal exact; /* in 1/DECIMAL_ONE^2 */
		bool is_there;
		uint8_t skip;
		const char *column;	/* that has no count */
		int16_t running_pct100; /* the minimum of its columns; -1: not known */
	} v[NR_COUNTERS];
	decimal counts[NR_COUNTERS];
	uint16_t has, assumed; /* a bit per counter: that were counted, and that were not */
	const char *column;    /* that is to blame */
};

/* One trace in the making. */
struct output {
	struct trace_builder *builder; /* from the first epoch on */
	const struct group *group;     /* NULL: the sum of all chosen ones */
	decimal carry[NR_COUNTERS];    /* exact sum less counts given out, in 1/DECIMAL_ONE^2 */
	struct running running[NR_COUNTERS];
	uint64_t nr_epochs;
	uint64_t nr_assumed[NR_COUNTERS];      /* epochs with an assumed count */
	decimal before[NR_COUNTERS];	       /* counts of the row before */
	bool rises;			       /* none has ever fallen */
	uint64_t nr_taken;		       /* rows that made epochs */
	uint64_t nr_cycleless, nr_late_cycles; /* of them, without cycles; with, where the first had none */
	bool has_cycles;
	struct spread spread; /* by time: rows on their way to epochs, */
	uint64_t room_ns;     /* and what is free in the present one; 0: it was not begun */
	struct rotation rotation;
	struct kept_row *kept; /* to be joined */
	size_t nr_kept, room_kept;
};

/* Lengths of rows: the first ones decide what is usual. */
#define MAX_FIRST_ROWS 1001u

struct intervals {
	uint64_t first_ns[MAX_FIRST_ROWS];
	unsigned nr_first;
	uint64_t usual_ns; /* 0 until decided */
	bool are_exact;	   /* no timer jitters, and the last one is whole */
	bool are_runs;	   /* of these: rows are whole recordings, as long as they happened to be */
	uint64_t nr_gaps, gap_ns;
	uint64_t shortest_ns, longest_ns; /* of those that are no gaps, the last one apart */
	uint64_t last_ns;		  /* the last one, not checked */
	unsigned last_line, first_line[MAX_FIRST_ROWS], first_gap_line;
};

/* A power of two, so that half of them stay free. */
#define GROUP_SLOTS (2 * MAX_IMPORT_GROUPS)

struct import {
	const struct import_options *options;
	const struct import_format *format;
	struct arena arena;
	struct textbuf *notes;
	struct sahm_err *err;
	const char *file; /* as it stands in messages */
	struct line_reader lines;
	struct provenance provenance; /* what the files say */
	struct expression *defaults;  /* of import_events[], once they have been read */
	const char **wanted;	      /* names in expressions, by their hash; NULL: not made yet */
	void *state;		      /* the reader's */

	struct column columns[MAX_IMPORT_COLUMNS];
	unsigned nr_columns, next_column; /* the one that is likely to come next */
	struct group groups[MAX_IMPORT_GROUPS];
	unsigned nr_groups, next_group;
	uint16_t group_slots[GROUP_SLOTS]; /* 1 + group, by the hash of its name; 0: free */
	unsigned seen[MAX_IMPORT_GROUPS];  /* groups in the row in the making, as they came */
	unsigned nr_seen, nr_expected;	   /* in the row, and in all rows of the recording together, */
	unsigned nr_summed;		   /* and of which the recording's epochs were summed; 0: none yet */

	const struct expression *expression[NR_TARGETS]; /* in force: in `resolved`; NULL: assumed, or none yet */
	struct expression resolved[NR_TARGETS];
	uint64_t unit_ns[NR_TARGETS]; /* of the two times */
	bool lacks_unit;	      /* the column of times was found by its name, which has no unit */
	bool uses_totals;	      /* delta() stands in one of them */
	bool frozen;		      /* an epoch was made: expressions stay */
	struct output *outputs;	      /* by group, or one */
	unsigned nr_outputs;

	unsigned row_line; /* first line of the row in the making; 0: nothing is in it yet */
	struct stamp stamp;
	struct stamp *row_stamp; /* the one that the row goes by */
	unsigned nr_recordings;	 /* of the present file */
	unsigned nr_begun;	 /* times at which running totals restarted, the start among them */
	uint64_t nr_rows, nr_skipped_rows;
	uint64_t nr_windows, nr_epochs_of_windows; /* with --rotate: rows that are parts of epochs, and those epochs */
	uint64_t skipped[NR_SKIPS];
	unsigned first_skipped_line[NR_SKIPS];
	const char *first_skipped_file[NR_SKIPS];
	const char *first_skipped_column[NR_SKIPS];
	char machine[512];     /* callgrind: its caches, as they are described */
	uint64_t nr_differing; /* callgrind: parts whose totals are not their summary */
	uint64_t nr_jumps;     /* rows at which time does not advance */
	uint64_t nr_timeless;  /* rows whose time cannot be read */
	uint64_t nr_idle;      /* times that a group did not run */
	uint64_t nr_placeless; /* rows of a run to be joined whose instructions are not known */
	uint64_t nr_unsupported;
	uint64_t nr_odd, nr_uneven, nr_unmeasured;
	unsigned first_timeless_line, first_idle_line, first_jump_line, first_odd_line, first_uneven_line;
	struct intervals intervals;
};

/* The reader of a format. */
struct import_format {
	bool is_counted_by_tool; /* its input was recorded, which need not be stated */
	bool is_model;		 /* which models caches and the branch predictor */
	const char *how;	 /* "perf stat run with -I": what a file that holds nothing may lack */
	const char *lacks;	 /* "; was ...?": why events may be missing; NULL: no idea */
	bool has_header;	 /* columns are named by people or any tool, times among them */
	bool takes_several;	 /* files of one process, in any order */
	bool subtracts_totals;	 /* the reader sees to running totals */
	bool is_live;		 /* rows come as they are counted: options of files are of no use */
	enum {
		GROUPS_TOGETHER,   /* a row has all of them */
		GROUPS_APART,	   /* rows of one each follow one another */
		GROUPS_COME_AND_GO /* a row has those that there were */
	} groups;
	/* Whether a line, without its end, is one that only this tool writes; NULL: the format is recognised otherwise,
	 * or not at all. Formats are asked in the order of their list. */
	bool (*owns_line)(const char *line, size_t len);
	/* Reads one file, line by line from im->lines. */
	enum sahm_status (*read)(struct import *im);
	/* After the last file; NULL: nothing is left to do. */
	enum sahm_status (*end)(struct import *im);
	/* Frees what is not in the arena, whatever happened; NULL: there is nothing. */
	void (*release)(struct import *im);
};

/* Whether the first row of a file names three of our counters or more: a table, whatever else its lines look like. */
bool import_names_counters(const char *head, size_t len);

/* The format that the first bytes of a file look like; `transforms` as import_options_transform() says: files in our
 * own form are tables like any other then. Never NULL. */
const struct import_format *import_detect(const char *head, size_t len, bool transforms);

/* import_foreign.c: SAHM_FORMAT, with a way out, where the file is one of a known tool that cannot be imported, by its
 * first bytes and by its first lines. */
enum sahm_status import_check_bytes(struct import *im, const char *head, size_t len);
enum sahm_status import_check_lines(struct import *im, const char *head, size_t len);

enum sahm_status SAHM_PRINTF(2, 3) import_fail(struct import *im, const char *fmt, ...); /* at the present line */

/* Next line of the present file. */
enum sahm_status import_next_line(struct import *im, bool *more);

/* Whether a line, of which neither end nor a NUL is known, begins with or contains a word. */
bool import_line_begins(const char *line, size_t len, const char *word);
bool import_line_holds(const char *line, size_t len, const char *word);

/* Collects the names for import_is_wanted(), before a reader begins: SAHM_NOMEM. */
enum sahm_status import_collect_names(struct import *im);

/* Whether --map, or an event that stands for a counter without it, has a column of exactly this name: readers of tools
 * that print thousands of numbers make columns of these only. */
bool import_is_wanted(struct import *im, const char *name, size_t len);
/* The same, or in small letters, in which the list has Intel's names. */
bool import_is_event_wanted(struct import *im, const char *name, size_t len);

/* For tables by name. */
uint32_t import_hash_name(const char *name, size_t len);

/* Columns and groups, made when they are new. */
enum sahm_status import_column(struct import *im, const char *name, size_t len, unsigned *column);
enum sahm_status import_group(struct import *im, const char *name, size_t len, unsigned *group);

/* Puts a value, or the reason why there is none, into the row. */
void import_count(struct import *im, unsigned group, unsigned column, decimal value, int running_pct100);
void import_no_count(struct import *im, unsigned group, unsigned column, enum import_skip reason);

/* Reads a cell's text: a number, blank, <not counted>, <not supported>, or something else. */
void import_text(struct import *im, unsigned group, unsigned column, const char *text, size_t len, int running_pct100);

/* Counts a line, or a row, that is passed over. */
void import_skip(struct import *im, enum import_skip reason, unsigned line, const char *column);

/* A new recording begins: times restart. `date`: what the tool says, or NULL. SAHM_NOMEM. */
enum sahm_status import_begin_recording(struct import *im, const char *date);
bool import_recording_is_chosen(const struct import *im);

/* Closes the row, if anything is in it. The stamp is when it ended, in ns since the recording began; has_stamp false
 * where the tool does not know. */
enum sahm_status import_end_row(struct import *im, bool has_stamp, uint64_t stamp_ns);

/* Empties all cells for the next row. */
void import_clear_row(struct import *im);

/* Sets a provenance text unless one is set. SAHM_NOMEM. */
enum sahm_status import_say(struct import *im, enum provenance_key key, const char *text);

/* import_resolve.c: picks expressions for what columns there are; SAHM_FORMAT where that is ambiguous. */
enum sahm_status import_resolve(struct import *im);
/* Whether the user's --assume counts for a counter for which no event stands. */
bool import_is_assumed(const struct import *im, unsigned c);
enum sahm_status import_fail_unresolved(struct import *im);
/* Whether what --map says of a target names columns that there are: SAHM_FORMAT. */
enum sahm_status import_check_map(struct import *im, unsigned target);
/* Advice where events are missing or not supported; may be empty. */
const char *import_hint(const struct import *im);
/* Whether `name` is that of a time, as --map has it. */
bool import_time_named(const char *name, unsigned *target, uint64_t *unit_ns);
/* import_time.c: whether a table's column is called as times are ("Timestamp", "elapsed_ms", "time [us]"). *unit_ns is
 * 0 where its name has no unit. */
bool import_time_column(const char *name, size_t len, unsigned *target, uint64_t *unit_ns);
/* Reads a time that says what it is: "12.5 ms", "2026-11-23T14:05:00.25Z", "14:05:00". False for all else, plain
 * numbers among it. */
bool import_clock_read(const char *text, size_t len, decimal *ns);
/* Remarks on events that stand for a counter as well, and are used for nothing. */
void import_report_choices(struct import *im);

/* Which events stand for the counters, as provenance. */
enum sahm_status import_say_events(struct import *im, struct provenance *p, const struct output *out);

/* import_epochs.c: from exact counts of a row to an epoch. */
enum sahm_status import_add_epoch(struct import *im, struct output *out, const decimal *counts, uint16_t has,
				  uint64_t duration_ns);

/* import_rotate.c: adds a row, which lasted *duration_ns, to the windows before it. *is_whole is set when they have all
 * counters: *row and *duration_ns are those of all of them then. Returns why the row, or all of them, make no epoch, or
 * NR_SKIPS. */
enum import_skip import_rotate(struct import *im, struct output *out, struct row *row, uint64_t *duration_ns,
			       bool *is_whole);
/* After the last row: counts the windows that make no epoch. */
void import_end_rotation(struct import *im, struct output *out);

/* After the last row. */
enum sahm_status import_end_epochs(struct import *im, struct output *out);

/* import_report.c */
const char *import_skip_text(enum import_skip reason);
/* `with_time`: remarks about intervals too. */
void import_report(struct import *im, bool with_time);
uint64_t import_epoch_ns(const struct import *im);
void intervals_add(struct intervals *iv, uint64_t ns, unsigned line);
void intervals_decide(struct intervals *iv);

/* The readers, one for each form. */
#define FORMAT(symbol, name, help) extern const struct import_format import_format_##symbol;
#include "workloads/import/import_format_list.h"
#undef FORMAT

/* import_common.c: a new import, released with import_free() (NULL is fine): SAHM_NOMEM. */
enum sahm_status import_new(const struct import_options *options, struct textbuf *notes, struct import **im,
			    struct sahm_err *err);
void import_free(struct import *im);
/* Reads one file of several, or the only one, compressed or not. *ours is set, and the traces made, when it is in our
 * own form. */
enum sahm_status import_read_stream(struct import *im, FILE *in, const char *file, bool *ours, struct trace ***traces,
				    size_t *nr_traces);
enum sahm_status import_read_file(struct import *im, const char *file, bool *ours, struct trace ***traces,
				  size_t *nr_traces);
/* Makes the traces after the last row, as trace_import() does. */
enum sahm_status import_complete(struct import *im, struct trace ***traces, size_t *nr_traces);
/* One run of several that are joined. Whatever happens, *im is released with import_free(). */
enum sahm_status import_read_run(const char *file, const struct import_options *options, struct textbuf *notes,
				 struct import **im, struct sahm_err *err);

/* import_join.c: trace_import() with options->join. */
enum sahm_status import_join(const char *const *files, size_t nr_files, const struct import_options *options,
			     struct textbuf *notes, struct trace ***traces, size_t *nr_traces, struct sahm_err *err);

#endif
