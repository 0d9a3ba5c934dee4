/* Answers to questions: facts and tables of typed cells, and one way each of writing them for people, as CSV and as
 * JSON. An answer is filled by results/store/query.h; strings in it are its own, or live as long. */
#ifndef SAHM_RESULTS_STORE_QUERY_ANSWER_H
#define SAHM_RESULTS_STORE_QUERY_ANSWER_H

#include <stdbool.h>

#include "results/metrics/run_metrics.h"
#include "sim/base/arena.h"
#include "sim/base/textbuf.h"

#define MAX_ANSWER_TABLES 4u
#define MAX_ANSWER_COLUMNS 40u
#define MAX_ANSWER_FACTS 40u

/* Keys of facts about the traces. */
#define SYNTHETIC_KEY "synthetic"
#define NOMINAL_KEY "nominal_time"

enum query_cell_kind {
	CELL_NONE,
	CELL_COUNT,	 /* `count` */
	CELL_METRIC,	 /* `value`, in its form */
	CELL_DIFFERENCE, /* of two metrics, likewise */
	CELL_PLAIN,	 /* `value`, as short as it can be */
	CELL_TEXT,	 /* `text` */
	CELL_LITERAL,	 /* `text`, which is a number */
	CELL_FLAG,	 /* `count` is not 0 */
};

struct query_cell {
	enum query_cell_kind kind;
	enum run_form form;
	union {
		uint64_t count;
		double value;
		const char *text;
	};
};

/* Where a table or a column shows. */
enum { IN_TEXT = 1, IN_CSV = 2, IN_JSON = 4, IN_ALL = 7 };

/* Of a table: its CSV does not end with facts about the traces, for its rows are no results, or have them each. */
#define NO_TRACE_COLUMNS 8u

/* Content of a column for people where the table is too wide: all of it; nothing; or the beginning of each
 * text, at the end of a part of "a + b" where that can be; FIT_CUT_LAST where all this is not enough. */
enum query_fit { FIT_WHOLE, FIT_LEAVE_OUT, FIT_CUT, FIT_CUT_LAST, NR_FITS };

struct query_column {
	const char *key;     /* in CSV and JSON */
	const char *heading; /* for people */
	bool left;	     /* aligned to the left for people */
	unsigned where;
	enum query_fit fit;
};

struct query_table {
	const char *key;   /* in JSON */
	const char *title; /* for people; NULL: none */
	unsigned where;	   /* one table of an answer is in CSV */
	struct query_column columns[MAX_ANSWER_COLUMNS];
	unsigned nr_columns;
	struct query_cell *cells; /* row by row */
	size_t nr_cells, room;
};

/* A fact is outside the tables: a member of the JSON object, a line for people. */
struct query_fact {
	const char *key;   /* NULL: not in JSON */
	const char *words; /* NULL: not for people */
	struct query_cell cell;
};

struct query_answer {
	struct arena arena;
	const char *question;
	struct textbuf heading; /* for people, first */
	struct query_fact facts[MAX_ANSWER_FACTS];
	unsigned nr_facts;
	struct query_table tables[MAX_ANSWER_TABLES];
	unsigned nr_tables;
	struct counter_origins origins; /* of the sweep's traces; in JSON where there are some */
	struct textbuf notes;		/* for people, last; lines */
	bool failed;			/* memory was short */
};

void query_answer_init(struct query_answer *a);
void query_answer_release(struct query_answer *a);

/* Appends a cell as people read it, a dash where there is nothing. Text in it is as the store has it: control
 * characters and all. */
void query_cell_write(const struct query_cell *c, struct textbuf *out);

/* Each appends to `out`; false when memory was short. */
bool query_answer_text(const struct query_answer *a, bool bold, struct textbuf *out);
bool query_answer_csv(const struct query_answer *a, struct textbuf *out);
bool query_answer_json(const struct query_answer *a, struct textbuf *out);

#endif
