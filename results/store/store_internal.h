/* What the parts of a store share: its connection, its statements, and how failures of SQLite become messages. */
#ifndef SAHM_RESULTS_STORE_STORE_INTERNAL_H
#define SAHM_RESULTS_STORE_STORE_INTERNAL_H

#include <sqlite3.h>
#include <sys/types.h>

#include "results/store/store.h"

/* Whether the run `r` is done, and was kept without its threads: a condition in SQL. */
#define STORE_THREADLESS                                                                                               \
	"(r.state = 1 AND ifnull(r.nr_threads, 0) > 0 AND NOT EXISTS (SELECT 1 FROM thread AS t WHERE t.run = r.id))"

/* Statements that are prepared once and kept; their text is in store_common.c. */
enum store_statement {
	STATEMENT_FIND_PROGRAM,
	STATEMENT_ADD_PROGRAM,
	STATEMENT_ADD_SWEEP,
	STATEMENT_FIND_SWEEP,
	STATEMENT_ADD_AXIS,
	STATEMENT_ADD_VALUE,
	STATEMENT_FIND_RUN,
	STATEMENT_FIND_STATE,
	STATEMENT_RUN_STATE,
	STATEMENT_ADD_RUN,
	STATEMENT_ADD_POINT,
	STATEMENT_JOBS,
	STATEMENT_RUN_HASH,
	STATEMENT_THREADLESS,
	STATEMENT_PUT_RUN,
	STATEMENT_PUT_TIMING,
	STATEMENT_PUT_THREAD,
	STATEMENT_PUT_INTERVAL,
	STATEMENT_FIND_CHIP,
	STATEMENT_ADD_CHIP,
	STATEMENT_ADD_CORE,
	STATEMENT_FIND_NAME,
	STATEMENT_ADD_NAME,
	STATEMENT_VIEW_AXES,
	NR_STORE_STATEMENTS
};

struct store {
	sqlite3 *db;
	sqlite3_stmt *statements[NR_STORE_STATEMENTS]; /* NULL until it is used */
	char *path;				       /* as it was given, for messages */
	char *file;				       /* through a link: companions are beside it */
	const char *way;			       /* how it was opened: parameters of SQLite's URI */
	const char *other;			       /* that is being merged, or NULL */
	enum store_access access;
	bool created;	   /* for this: it goes again if nothing is ever planned in it */
	int lock;	   /* descriptor of the file with our locks, or -1: see store.c */
	unsigned nr_ticks; /* of the progress handler since the statement began */
	pid_t owner;	   /* process that opened it */
	char *program;	   /* store_set_program() */
	int64_t program_id;
	bool planning;
	int64_t sweep; /* that is being planned */
	uint64_t nr_axes, nr_values;
	bool has_names; /* the axis that is being planned */
};

/* The connection: for reading. */
sqlite3 *store_db(struct store *store);

/* The failure that the connection has just had; nothing is undone. SAHM_IO; SAHM_FORMAT when the file is damaged;
 * SAHM_NOMEM. */
enum sahm_status store_fail(struct store *store, struct sahm_err *err);

/* Gives up what was not committed. */
void store_undo(struct store *store);

/* store_fail() and store_undo(). */
enum sahm_status store_fail_undo(struct store *store, struct sahm_err *err);

/* Statements without results, one or several. */
enum sahm_status store_exec(struct store *store, const char *sql, struct sahm_err *err);

/* A statement to be finalized by the caller; NULL is a failure, which store_fail() tells. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql);

/* A statement of the list, reset and without values; NULL is a failure, which store_fail() tells. */
sqlite3_stmt *store_statement(struct store *store, enum store_statement which);

/* Carries out a statement that has no results, and resets it. */
enum sahm_status store_run(struct store *store, sqlite3_stmt *s, struct sahm_err *err);

/* The integer that is the only result of a statement, which is reset; *found (may be NULL) tells whether there was one.
 */
enum sahm_status store_get(struct store *store, sqlite3_stmt *s, int64_t *value, bool *found, struct sahm_err *err);

/* The same of a query in words, which has no values. */
enum sahm_status store_ask(struct store *store, const char *sql, int64_t *value, struct sahm_err *err);

/* Begins a transaction that writes, unless there is one. */
enum sahm_status store_begin(struct store *store, struct sahm_err *err);

/* SQLite has signed numbers: larger values (times of 292 years) become the maximum. */
int64_t store_integer(uint64_t value);

/* How a run stands; *found is false where there is none. SAHM_FORMAT where it stands in no way that there is. */
enum sahm_status store_run_state(struct store *store, int64_t run, enum run_state *state, bool *found,
				 struct sahm_err *err);

/* Whether the database called `schema` ("main", "theirs") has the table `name`: for those that are made with their
 * first row. */
enum sahm_status store_has_table(struct store *store, const char *schema, const char *name, bool *has,
				 struct sahm_err *err);

/* SQL: how many runs of the sweep ?1 (0: of all) have rows of the table `second_result`, where there is one. */
extern const char store_count_seconds_sql[];

/* Second results at a merge, between its runs (by the table merge_run) and before it is committed: those of ours that
 * belong to a failure which gives way to a result go; those of theirs that ours does not have are added. */
enum sahm_status store_drop_replaced_seconds(struct store *store, struct sahm_err *err);
enum sahm_status store_add_seconds(struct store *store, struct sahm_err *err);

/* At a merge, when it has mapped sweeps (table merge_sweep): a counter is assumed or modelled where either store says
 * so. */
enum sahm_status store_merge_origins(struct store *store, struct sahm_err *err);

/* Gives the sweep its view, sweep_<id>. */
enum sahm_status store_make_view(struct store *store, int64_t sweep, struct sahm_err *err);

/* Gives each new sweep of a merge (by the table merge_sweep) its view, in time linear in their number. This connection
 * does not know the views before the store is opened again. */
enum sahm_status store_make_views(struct store *store, struct sahm_err *err);

/* Appends the statement that makes it: its text is also the row of the view in sqlite_schema. */
enum sahm_status store_write_view(struct store *store, int64_t sweep, struct textbuf *sql, struct sahm_err *err);

/* Carries out the statements of store_write_schema(), in one transaction. */
enum sahm_status store_make_schema(struct store *store, struct sahm_err *err);

/* The file of a store without any sweep, to be freed with sqlite3_free(). */
enum sahm_status store_make_image(unsigned char **image, size_t *len, struct sahm_err *err);

/* The statements that make the tables `second_result`, `submission` and `counter_origin` where there are none. */
extern const char store_second_sql[], store_submission_sql[], store_origin_sql[];

/* Opens the file and takes the writer's locks, without waiting. -1 is a failure: SAHM_IO. *created: the file was not
 * there, and is empty now. Closing the descriptor gives the locks up. */
int store_lock_writer(const struct store *store, bool *created, struct sahm_err *err);

/* Whether another process has the writer's lock of the descriptor's file. */
bool store_has_writer(int fd);

/* Takes the lock of a reader of the file itself, without waiting. Fails while the log is being folded into the file.
 * Where the file system has no locks of bytes, this and the next one always work. */
bool store_lock_reader(const struct store *store);

/* Keeps such readers out, and waits up to `ms` for those that are there. A store's own lock of either kind is given up
 * by store_let_readers_in(). */
bool store_keep_readers_out(const struct store *store, int ms);
void store_let_readers_in(const struct store *store);

/* Files that SQLite would look for beside a database. */
enum store_companion { STORE_JOURNAL, STORE_LOG, STORE_INDEX };

/* Fails with SAHM_FORMAT where a companion of the open file store->lock is not one that a sahm of this user or of the
 * store's owner has made. *has_log: there is a log with something in it. */
enum sahm_status store_check_companions(const struct store *store, bool *has_log, struct sahm_err *err);

/* Removes what SQLite has left beside a database that this process has created and that goes away. */
void store_remove_companions(const struct store *store);

/* Fails with SAHM_FORMAT unless the database has the tables, indexes and views that sahm makes, and no others. */
enum sahm_status store_check_schema(struct store *store, struct sahm_err *err);

/* Bounds the memory that SQLite may take by the sizes of the databases of the connection. */
void store_bound_memory(const struct store *store);

/* SQLite's own check of all pages, and whether indexes agree with their tables: for databases that others may have
 * made. SAHM_FORMAT. */
enum sahm_status store_check_pages(struct store *store, bool with_indexes, struct sahm_err *err);

/* SQLite's names of the layer that opens files of stores (store_vfs.c): for a writer; for a reader beside a writer; for
 * a reader while nobody writes. */
#define STORE_VFS_WRITE "sahm-write"
#define STORE_VFS_LIVE "sahm-live"
#define STORE_VFS_STILL "sahm-still"

/* Makes them known to SQLite, once in a process. A code of SQLite. */
int store_register_vfs(void);

/* Name of an axis as a column beside those of points, runs, threads and timings: itself, or "axis.<name>" where one of
 * them is called so. */
void store_axis_column(const char *axis, struct textbuf *name);

/* "file:<path>?<query>", to be freed with sqlite3_free(); NULL: out of memory. */
char *store_uri(const char *path, const char *query);

#endif
