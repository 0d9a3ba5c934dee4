/* Profiles: tables from which synthetic traces are made, a row per benchmark.
 *
 *   # sahm profile 1
 *   # seed: 1
 *   # epoch_ms: 100                      keys of profile.c
 *   # spread: 2                          or a column that is the same in all rows
 *   name,   epochs, Low, L2+Branch, ...  `name`, columns of profile_column_list.h, states
 *   server,   3000,  40,        60, ...
 *
 * A state's column holds the share of the time that is spent in it: parts of their sum, which need not be 100; a state
 * without a column has none. Nothing has a default: every other column stands in the table or, once for all rows, above
 * it. A typical value of a side (LOW or HIGH) that no state of a row needs is written `-`. Decimal values are kept
 * exactly, as whole DECIMAL_ONEths. A comment that does not begin with a word and a colon is a remark. The model that
 * the values are of: workloads/synth/synth.h.
 */
#ifndef SAHM_WORKLOADS_SYNTH_PROFILE_H
#define SAHM_WORKLOADS_SYNTH_PROFILE_H

#include <stdio.h>

#include "cores/chip/cuts.h"
#include "sim/base/arena.h"
#include "sim/base/decimal.h"
#include "workloads/trace/provenance.h"

enum profile_column {
#define COLUMN(suffix, name, min, max, whole, help) PROFILE_##suffix,
#include "workloads/synth/profile_column_list.h"
#undef COLUMN
	NR_PROFILE_COLUMNS
};

struct profile_column_row {
	const char *name;
	const char *min, *max; /* decimal text */
	bool whole;
	const char *help;
};

/* profile_columns[c] describes column c. */
extern const struct profile_column_row profile_columns[NR_PROFILE_COLUMNS];

struct profile_key_row {
	const char *name;
	bool required;
	const char *help;
};

/* Every key; the last row has no name. */
extern const struct profile_key_row profile_keys[];

/* The column of a component's typical value where it is LOW, or HIGH. */
enum profile_column profile_metric_column(enum component c, bool high);

/* A typical value that is not given. */
#define PROFILE_NONE ((decimal)-1)

#define MAX_PROFILE_ROWS 16384u

/* Longest name of a benchmark: that of its trace's file is longer, and file systems end at 255. */
#define MAX_PROFILE_NAME_BYTES 200u

/* What the name of a trace ends with. A benchmark's own may, too; it is not repeated then. */
#define SYNTHETIC_SUFFIX "-synthetic"

/* Factors of transitions are below this, cut to whole FOLLOW_ONEths, of which all but 0 are at least one. */
#define MAX_FOLLOW 1000u
#define FOLLOW_ONE 1000000u

struct profile_row {
	const char *name; /* 1 to MAX_PROFILE_NAME_BYTES bytes that a file may be called */
	unsigned line;	  /* in the file */
	decimal value[NR_PROFILE_COLUMNS];
	decimal share[NR_STATES]; /* parts of their sum, which is above 0 */
};

struct profile {
	const char *file; /* its value */
	uint64_t seed;
	uint64_t epoch_ns; /* MIN_EPOCH_NS to MAX_EPOCH_NS */
	struct cuts cuts;
	const char *cuts_name; /* of the set */
	unsigned digits;
	uint32_t follow[NR_STATES][NR_STATES]; /* [from][to], FOLLOW_ONEths */
	struct provenance provenance;	       /* machine, licence and note, for every trace */
	struct profile_row *rows;
	size_t nr_rows; /* 1 to MAX_PROFILE_ROWS, each of another name */
	struct arena arena;
};

/* Reads the profile at `path` ("-": standard input). SAHM_IO; SAHM_FORMAT with file, line, column and what is wrong;
 * SAHM_NOMEM. Release it with profile_release() if this succeeds. */
enum sahm_status profile_read(const char *path, struct profile *p, struct sahm_err *err);

/* The same from an open stream, which stays the caller's; `file` stands in messages. */
enum sahm_status profile_read_stream(FILE *in, const char *file, struct profile *p, struct sahm_err *err);

/* Length of what a benchmark called `name` and its trace are both called: SYNTHETIC_SUFFIX does not count. */
size_t profile_stem_len(const char *name);

/* Whether two names are those of one benchmark: the same but for SYNTHETIC_SUFFIX. */
bool profile_same_name(const char *a, const char *b);

/* Whether the regular file at `path` begins as a profile does: for messages, where one stands in the wrong place. */
bool profile_is_one(const char *path);

void profile_release(struct profile *p);

#endif
