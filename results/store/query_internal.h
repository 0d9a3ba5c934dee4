/* What files of query share. */
#ifndef SAHM_RESULTS_STORE_QUERY_INTERNAL_H
#define SAHM_RESULTS_STORE_QUERY_INTERNAL_H

#include <sqlite3.h>

#include "results/store/query.h"
#include "sim/base/strtable.h"

/* Statements: values that are no constants of this program are bound, never spliced. */

/* Prepares `sql`; on failure there is nothing to finalize. */
enum sahm_status query_prepare(const struct query *q, const char *sql, sqlite3_stmt **s, struct sahm_err *err);

/* Goes on to the next row: *there tells whether there is one. */
enum sahm_status query_step(const struct query *q, sqlite3_stmt *s, bool *there, struct sahm_err *err);

/* The store's contents are not as they should be: `what` is wrong. SAHM_FORMAT. */
enum sahm_status query_damaged(const struct query *q, struct sahm_err *err, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* Columns of the present row. A count is an integer from 0 to `most`; a text is one, copied into `a`; a value is a
 * finite number, else NAN. `what` for the message. */
enum sahm_status query_count(const struct query *q, sqlite3_stmt *s, int column, uint64_t most, const char *what,
			     uint64_t *count, struct sahm_err *err);
enum sahm_status query_string(const struct query *q, sqlite3_stmt *s, int column, struct arena *a, const char *what,
			      const char **text, struct sahm_err *err);
double query_value(sqlite3_stmt *s, int column);

/* Most metrics that are asked for at once. */
#define MAX_ROW_METRICS MAX_QUERY_OBJECTIVES

/* A point of the sweep with its run. */
struct query_row {
	uint64_t position;
	int64_t run;
	enum run_state state;
	bool synthetic, nominal; /* trace_words.h */
	int64_t chip;		 /* 0: none */
	double nr_cores;
	double values[MAX_ROW_METRICS]; /* NAN: none, as of all runs that are not done */
};

/* Calls `visit` for each point of the sweep that is chosen, in the order of positions, with the values of metrics[nr].
 * A status of `visit` that is not SAHM_OK ends the walk, and is returned. */
enum sahm_status query_walk(const struct query *q, const enum run_metric *metrics, uint32_t nr,
			    enum sahm_status (*visit)(void *ctx, const struct query_row *row, struct sahm_err *err),
			    void *ctx, struct sahm_err *err);

/* Which value `position` has on an axis. */
static inline uint64_t query_value_at(const struct query_axis *axis, uint64_t position)
{
	return position / axis->stride % axis->nr_values;
}

/* How many points of the whole space are chosen. */
uint64_t query_nr_chosen(const struct query *q);

bool query_is_chosen(const struct query *q, uint64_t position);

/* The points of an answer. */
struct query_tally {
	uint64_t nr_done, nr_planned, nr_failed;
	uint64_t nr_without; /* done, but there is no value */
	uint64_t nr_synthetic, nr_nominal;
};

void query_tally_row(struct query_tally *t, const struct query_row *row, bool has_value);

/* Begins the answer to `question`, with a heading: the sweep's name, `what` in words, how many points, and
 * what traces are. */
void query_begin_answer(const struct query *q, struct query_answer *a, const char *question);
void query_end_heading(const struct query *q, struct query_answer *a, const struct query_tally *t, const char *fmt, ...)
	SAHM_PRINTF(4, 5);

/* Notes on points that are left out; every one that is in the store is in `t`. */
void query_note_tally(const struct query *q, struct query_answer *a, const struct query_tally *t);

/* SQL: number of threads of run `r` that were awake on average, as run_metrics_awake(). Throughput is the time
 * completed over the time simulated, and speedups are of the time awake. */
#define QUERY_NR_AWAKE                                                                                                 \
	"r.stp * (SELECT sum(completed_ns / (1.0 + speedup)) / sum(completed_ns) FROM thread WHERE run = r.id)"

/* Explains speedups of metrics of this form where a run of the sweep has more awake threads than cores. */
enum sahm_status query_note_sharing(const struct query *q, enum run_form form, struct query_answer *a,
				    struct sahm_err *err);

/* Notes why points can lack a value of `metric`, if some do. */
void query_note_metric(struct query_answer *a, const struct query_tally *t, enum run_metric metric);

/* Building an answer. Columns come before cells; a row is full when as many cells were added as there are columns. */
struct query_table *answer_table(struct query_answer *a, const char *key, const char *title, unsigned where);
void answer_column(struct query_table *t, const char *key, const char *heading, bool left, unsigned where);
void answer_cell(struct query_answer *a, struct query_table *t, struct query_cell cell);
/* Content of the last column for people where the table is too wide. */
void answer_fit(struct query_table *t, enum query_fit fit);
/* Leaves the column `key` out for people where it has the same in every row, and makes it a fact, called `words` (NULL:
 * none). Whether that is so. After the last row. */
bool answer_fold(struct query_answer *a, struct query_table *t, const char *key, const char *words);
void answer_fact(struct query_answer *a, const char *key, const char *words, struct query_cell cell);
void answer_note(struct query_answer *a, const char *fmt, ...) SAHM_PRINTF(2, 3);

static inline struct query_cell count_cell(uint64_t count)
{
	return (struct query_cell){.kind = CELL_COUNT, .count = count};
}

static inline struct query_cell flag_cell(bool flag)
{
	return (struct query_cell){.kind = CELL_FLAG, .count = flag};
}

/* A missing value is a double, too. */
struct query_cell metric_cell(enum run_form form, double value);
struct query_cell difference_cell(enum run_form form, double value);
struct query_cell plain_cell(double value);
/* NULL: none. */
struct query_cell text_cell(const char *text);

/* A thread over all points that have it: one index and one name. */
struct query_lane {
	uint64_t thread;
	int64_t name_id;
	const char *name;
	double *values; /* in the order of positions */
	size_t nr, room;
	double best;
	uint64_t position; /* of the best */
};

/* A column of the threads' table that can be asked for. */
struct query_thread_column {
	const char *name, *sql, *words; /* an expression of the thread `t` */
	enum run_form form;
	int direction; /* as run_metric_direction() */
};

struct query_lanes {
	const struct query_thread_column *column;
	struct query_lane *items; /* in the order of threads */
	size_t nr, room;
	size_t next; /* that is likely to come next: points have the same threads in the same order */
	struct arena arena;
	struct strtable table; /* "index name": 1 + index of the lane */
	struct query_tally tally;
	uint64_t last; /* position */
	bool any;
};

/* Reads the column called `column` of all threads of the points that are chosen. The caller releases `l`, whatever this
 * returns. */
enum sahm_status query_lanes_read(const struct query *q, const char *column, struct query_lanes *l,
				  struct sahm_err *err);
void query_lanes_release(struct query_lanes *l);

/* Writes the answer of query_threads() into `a`, from the rows read. Sorts the values of each thread. */
void query_lanes_answer(const struct query *q, struct query_lanes *l, struct query_answer *a);

/* How many runs of the sweep have given different results at different times; and a line that says so, of that number
 * and of query_seconds_words(). */
enum sahm_status query_seconds(const struct query *q, uint64_t *nr, struct sahm_err *err);
#define QUERY_SECONDS "%" PRIu64 " %s given different results at different times: table second_result"
static inline const char *query_seconds_words(uint64_t nr)
{
	return nr == 1 ? "run has" : "runs have";
}

/* Which counters of the sweep's traces are assumed or modelled, in words, from the answer's arena; "" where none is
 * known to be. */
const char *query_origins_words(struct query_answer *a);

/* Appends the hash of the whole sweep, axes and runs, in hexadecimal. */
enum sahm_status query_identity(const struct query *q, struct textbuf *out, struct sahm_err *err);

/* A column per axis, called as in exports where its name is taken, and the cells of a position. */
void answer_axis_columns(const struct query *q, struct query_answer *a, struct query_table *t, unsigned where);
void answer_axis_cells(const struct query *q, struct query_answer *a, struct query_table *t, uint64_t position);

/* Appends a label to a list of some, in parentheses where it is a list itself. */
void query_write_label(const struct query_label *label, struct textbuf *out);

/* Appends "a=1, b=2". */
void query_write_position(const struct query *q, uint64_t position, struct textbuf *out);

/* Copies the text in `b`, which is released, into the answer. */
const char *answer_keep(struct query_answer *a, struct textbuf *b);

/* `items`, which has room for *room of `size` bytes and holds nr, with room for one more; NULL when memory is short,
 * and `items` is as it was. */
void *query_grow(void *items, size_t *room, size_t nr, size_t size);

#endif
