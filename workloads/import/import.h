/* Importing: from the output of other tools to traces.
 *
 * A reader per format (import_format_list.h) turns a file into rows: at one moment, for each group (a CPU, a thread, a
 * cgroup; one nameless group where the tool knows none), a value for each column (an event, by the name that the tool
 * gives it). Expressions over columns make the counters of an epoch; one complete row makes one epoch. Missing counts
 * are never taken for 0: the row is skipped, and the report says how many were, and why. Only a group of which nothing
 * at all was counted is taken to have been idle when groups are summed.
 *
 * Values may be fractions. Counts are rounded cumulatively: after every epoch the whole counts given out differ from
 * the exact sum by at most one half, so that totals are kept. No floating point is involved.
 */
#ifndef SAHM_WORKLOADS_IMPORT_IMPORT_H
#define SAHM_WORKLOADS_IMPORT_IMPORT_H

#include "workloads/trace/trace.h"

/* Bounds of a file: different events (columns), and CPUs, threads or cgroups. */
#define MAX_IMPORT_COLUMNS 256u
#define MAX_IMPORT_GROUPS 4096u

struct import_format;

/* The formats in the order of their list, NULL at the end. */
extern const struct import_format *const import_formats[];

/* Name of a format (one of import_formats[]), and one line about it; constant storage. */
const char *import_format_name(const struct import_format *format);
const char *import_format_help(const struct import_format *format);

/* The format called `name`; NULL, and SAHM_USAGE with a suggestion in `err`, when there is none. */
const struct import_format *import_format_named(const char *name, struct sahm_err *err);

/* Events that stand for counters without --map. */
struct import_event {
	enum counter counter;
	const char *expression, *source;
};

/* NULL as expression at the end; rows of one counter from the best to the last resort. */
extern const struct import_event import_events[];

/* How groups become traces. */
enum import_groups {
	IMPORT_SUM,  /* one trace of their sums */
	IMPORT_EACH, /* a trace for each, named NAME-GROUP */
	IMPORT_ONLY  /* one trace of one group */
};

/* Expressions for counters and times, and assumed values. */
struct import_map;

struct import_options {
	const struct import_format *format; /* NULL: by what the first file looks like */
	const struct import_format *
		*guessed;	      /* set to what the first file looks like, where that decides; may be NULL */
	struct provenance provenance; /* what is set here replaces what files say */
	uint64_t epoch_ns;	      /* 0: the files' own interval, or DEFAULT_EPOCH_MS where they know none */
	const struct import_map *map; /* NULL: events by import_events[] */
	const char *separator;	      /* of fields; NULL: by the looks */
	const char *group_column;     /* csv: the column that names the group; NULL: none */
	enum import_groups groups;
	const char *only;   /* IMPORT_ONLY: the group's name */
	const char *pmu;    /* NULL: events of every PMU */
	unsigned recording; /* which one of several in a file, from 1; 0: all, one after the other */
	bool cumulative;    /* values are running totals, */
	bool differences;   /* or none are, where the format has a way to tell that this overrules */
	bool keep_idle;	    /* rows of nothing but zeros become epochs too */
	bool no_cycles;	    /* leave cycles out even where they are known */
	bool by_time;	    /* cut rows to epochs of equal length instead of taking each for one */
	bool join;	    /* files are runs of one program with different events */
	bool rotate;	    /* consecutive rows counted different events in turn: join them to epochs */
};

/* Whether options beside format, provenance and epoch length are set: a file in our own form takes none. */
bool import_options_transform(const struct import_options *options);

/* An empty map, to be freed with import_map_free(); NULL when memory is short. */
struct import_map *import_map_new(void);

/* NULL is fine. The options that point to it, and nothing of what was imported, need it until then. */
void import_map_free(struct import_map *map);

/* Adds "TARGET=EXPRESSION": TARGET is a counter, `time_UNIT` (when a row ended) or `duration_UNIT` (how long it
 * lasted), UNIT one of s, ms, us, ns. EXPRESSION is sums, differences, products and quotients of columns: `Bc + Bi`,
 * `0.001 * x`, `2 * (a - b)`, `n / (1 - hit)`, `delta(total)` for a running total, `zero(x)` for 0 where x was not
 * counted. A name with blanks or operators in it stands in double quotes; `-` and `/` between names need blanks around
 * them, since names hold them. SAHM_USAGE
 * says what is wrong; SAHM_NOMEM. */
enum sahm_status import_map_add(struct import_map *map, const char *text, struct sahm_err *err);

/* Adds "COUNTER=N" (N from 0 to 2^64 - 1): the count of every row in which no event stands for COUNTER, or the one that
 * does is not supported. Fails as import_map_add() does. */
enum sahm_status import_map_assume(struct import_map *map, const char *text, struct sahm_err *err);

/* Imports `nr_files` files ("-": standard input) as one recording: several are the parts of one process (callgrind) or,
 * with options->join, runs of one program. On success *traces holds *nr_traces traces (one unless IMPORT_EACH); the
 * caller frees them and the array (free()). `notes` (may be NULL) gets what was skipped, assumed or looks odd, a line
 * each.
 * SAHM_IO, SAHM_FORMAT with file and line, SAHM_USAGE when options and files do not fit together, SAHM_NOMEM. */
enum sahm_status trace_import(const char *const *files, size_t nr_files, const struct import_options *options,
			      struct textbuf *notes, struct trace ***traces, size_t *nr_traces, struct sahm_err *err);

/* The same from an open stream, one file. `file` stands in messages. */
enum sahm_status trace_import_stream(FILE *in, const char *file, const struct import_options *options,
				     struct textbuf *notes, struct trace ***traces, size_t *nr_traces,
				     struct sahm_err *err);

#endif
