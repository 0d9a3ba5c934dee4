/* Stores: what a sweep has found, in an SQLite database that survives anything.
 *
 * A store holds *runs*, each known by a hash (results/studies/evaluate.h) and either planned, done or failed, and
 * *sweeps*: spaces of points, each of which is a position and leads to a run; points of one sweep or of several may
 * share a run. Durations are in a separate table, so that all else is a pure function of configuration, traces and
 * program. The schema is store_schema.sql, docs/results.md describes it; write-ahead log, one writer at a time, any
 * number of readers. Committed data survives any crash of the program; a store that was closed is one file.
 * All functions fail with SAHM_IO where the database cannot be read or written (a full disk), with a message that names
 * the store; what was committed before stays. A function that writes and fails gives up all that was not committed.
 * SAHM_FORMAT: the file is damaged. Numbers have 63 bits: a time of more than INT64_MAX ns is kept as that.
 * The writer's lock ends with its process. A database from elsewhere is not trusted: everything read from it is checked
 * (test_store_files.c, fuzz_store.c).
 */
#ifndef SAHM_RESULTS_STORE_STORE_H
#define SAHM_RESULTS_STORE_STORE_H

#include "results/store/run_record.h"
#include "sim/base/hash.h"
#include "workloads/trace/provenance.h"

struct store;

enum store_access {
	STORE_READ,  /* it must be there; also from a medium that cannot be written */
	STORE_WRITE, /* made where there is none; nobody else may write it meanwhile */
};

enum run_state { RUN_PLANNED, RUN_DONE, RUN_FAILED };

/* An axis of a sweep's space. */
struct store_axis {
	const char *name;
	uint64_t nr_values;
	uint64_t stride; /* value of a position: position / stride % nr_values */
	bool has_names;	 /* labels are text, whatever they look like; else numbers where they are some */
};

struct store_sweep {
	const char *name;      /* of the configuration */
	const char *evaluator; /* its name */
	const char *config;    /* what `sahm sweep` reads to do the same again */
	uint64_t nr_points;    /* of the whole space */
};

/* Selects parts of a sweep: points whose position modulo `nr` is `index`. With `threads` runs that are done but were
 * kept without their rows per thread count as those that are still to be done. */
struct store_part {
	int64_t sweep;
	uint64_t index, nr; /* nr at least 1 */
	bool threads;
};

/* All of the sweep `id`. */
#define STORE_WHOLE(id) (&(const struct store_part){.sweep = (id), .nr = 1})

struct store_counts {
	uint64_t points;			    /* of the part that the store has */
	uint64_t planned, done, failed, threadless; /* different runs among them */
};

/* One run that is planned, and one of its points. */
struct store_job {
	int64_t run;
	uint64_t position;
};

/* Opens the store at `path` (NULL: a temporary one, which is gone when it is closed or its process ends). A file that
 * is made for it goes again when it is closed without any sweep. SAHM_FORMAT when the file is no store, or one of a
 * later schema; SAHM_IO also when somebody else writes it. On success the caller closes it. */
enum sahm_status store_open(struct store **store, const char *path, enum store_access access, struct sahm_err *err);

/* Commits, folds the log into the file and closes; the store is gone either way. Fails as store_check_place() does
 * where the file is not in its place any more. NULL is fine. */
enum sahm_status store_close(struct store *store, struct sahm_err *err);

/* Closes without committing what was not: after a failure, and in a process that was forked. NULL is fine. */
void store_abandon(struct store *store);

/* In a process that was forked from the one that opened it: gives up the lock and never touches the database. */
void store_leave(struct store *store);

/* Fails with SAHM_IO where the file that is written does not stand at its path any more: somebody has removed or
 * replaced it, and what was written is lost. A temporary store is always well. */
enum sahm_status store_check_place(const struct store *store, struct sahm_err *err);

/* Bytes that the database takes, its log apart. */
uint64_t store_bytes(struct store *store);

/* Commits all that was put. */
enum sahm_status store_commit(struct store *store, struct sahm_err *err);

/* The program (model_version()) whose runs are planned from now on. Fails with SAHM_CONFIG, naming both, when the store
 * has runs of another one, unless `mixed`. */
enum sahm_status store_set_program(struct store *store, const char *version, bool mixed, struct sahm_err *err);

/* Planning a sweep: begin, axes with their values, points in ascending order, end; or abandon, which leaves the store
 * as it was before store_plan_begin(). The plan is one transaction. */
enum sahm_status store_plan_begin(struct store *store, const struct store_sweep *sweep, struct sahm_err *err);
/* Axes in order; `settings` of a value are "key=value" lines. */
enum sahm_status store_plan_axis(struct store *store, const struct store_axis *axis, struct sahm_err *err);
enum sahm_status store_plan_value(struct store *store, const char *label, const char *settings, struct sahm_err *err);
/* The point at `position`, whose run has `hash`; a run that is not there yet is planned. */
enum sahm_status store_plan_point(struct store *store, uint64_t position, const uint8_t hash[HASH_BYTES],
				  struct sahm_err *err);
/* Commits; `identity` is that of the whole sweep. If the store has that sweep already, points are added to it. Its id
 * is put into *sweep. */
enum sahm_status store_plan_end(struct store *store, const uint8_t identity[HASH_BYTES], int64_t *sweep,
				struct sahm_err *err);
void store_plan_abandon(struct store *store);

/* Adds to a sweep which counters of its traces are assumed or modelled, and commits: table `counter_origin`, made with
 * its first row. */
enum sahm_status store_add_origins(struct store *store, int64_t sweep, struct counter_origins origins,
				   struct sahm_err *err);

/* Makes failed runs of the part planned ones again; their number goes into *nr. */
enum sahm_status store_retry(struct store *store, const struct store_part *part, uint64_t *nr, struct sahm_err *err);

enum sahm_status store_count(struct store *store, const struct store_part *part, struct store_counts *counts,
			     struct sahm_err *err);

/* Runs of the part that are still open, with an id above `after` (0 at first), in the order of ids: at most `room` into
 * jobs[], their number into *nr. */
enum sahm_status store_jobs(struct store *store, const struct store_part *part, int64_t after, struct store_job *jobs,
			    size_t room, size_t *nr, struct sahm_err *err);

/* The hash of a run. SAHM_RANGE when there is none with this id. */
enum sahm_status store_run_hash(struct store *store, int64_t run, uint8_t hash[HASH_BYTES], struct sahm_err *err);

/* Puts what was found of a planned run; `keep_threads` with a row per thread. Of a run that is done already, and has
 * none, these rows are all that is put. Committed by store_commit(). */
enum sahm_status store_put(struct store *store, int64_t run, const struct record *record, bool keep_threads,
			   struct sahm_err *err);

/* The run that has `hash`; *found is false where there is none. */
enum sahm_status store_find_run(struct store *store, const uint8_t hash[HASH_BYTES], int64_t *run,
				enum run_state *state, bool *found, struct sahm_err *err);

/* The result of a run that is done or failed, as the record that was put; strings and arrays come from `a`, all
 * of timing is 0. *has_threads: its rows per thread are there, else record.threads has names that are "" and numbers
 * that are NAN and 0. Means of intervals, which a store does not have, are NAN. SAHM_RANGE where the run is not there
 * or has no result; SAHM_FORMAT where its rows are none. */
enum sahm_status store_result(struct store *store, int64_t run, struct arena *a, struct record *record,
			      bool *has_threads, struct sahm_err *err);

/* Whether `record`, which somebody else made of a run that is done or failed, is what the store has of it, to the bit
 * (but for timing, and for threads where the store has none, and as a store keeps it: of failures the message, times
 * up to INT64_MAX, -0.0 as 0.0, intervals without their means). Fails as store_result() does. */
enum sahm_status store_is_same(struct store *store, int64_t run, const struct record *record, bool *same,
			       struct sahm_err *err);

/* Keeps a record that is not what the store has, beside that: table `second_result`, made with its first row. `from`:
 * who made it. One that exists already, no matter who made it, is not put again, *is_new. Committed by store_commit().
 * SAHM_RANGE where the run has no result. */
enum sahm_status store_put_second(struct store *store, int64_t run, const struct record *record, const char *from,
				  bool *is_new, struct sahm_err *err);

/* Runs of the sweep (0: of all) with second results. */
enum sahm_status store_count_seconds(struct store *store, int64_t sweep, uint64_t *nr, struct sahm_err *err);

/* store_put() for a run that failed: it takes the place of that, and of other failures beside it. SAHM_RANGE where the
 * run did not fail. */
enum sahm_status store_put_over(struct store *store, int64_t run, const struct record *record, bool keep_threads,
				struct sahm_err *err);

/* Hashes of runs of the part that failed with a message that begins so: at most `room` of them, *nr, in the order of
 * ids. */
enum sahm_status store_failed_runs(struct store *store, const struct store_part *part, const char *beginning,
				   uint8_t (*hashes)[HASH_BYTES], size_t room, size_t *nr, struct sahm_err *err);

/* The part of a results file that is in a queue elsewhere: table `submission`, made with its first row. */
#define SUBMISSION_BYTES 33u /* an id in hexadecimal with its closing NUL */
struct store_submission {
	char id[SUBMISSION_BYTES];
	struct store_part part;
};
/* Notes a submission; commits. One with the same part takes the place of the one before. SAHM_RANGE where there is no
 * such sweep or part, or the id is none. */
enum sahm_status store_note_submission(struct store *store, const struct store_submission *submission,
				       struct sahm_err *err);
/* All of them in the order of sweeps, *nr of them, from `a`. SAHM_FORMAT where one is none. */
enum sahm_status store_submissions(struct store *store, struct arena *a, struct store_submission **submissions,
				   size_t *nr, struct sahm_err *err);
/* It has come to its end; commits, with all that was put. One that is not there is none. */
enum sahm_status store_end_submission(struct store *store, const char *id, struct sahm_err *err);

/* The sweep that is meant: `which` as text, its id, or NULL for the one that was planned last. SAHM_CONFIG where there
 * is none, and which there are. */
enum sahm_status store_find_sweep(struct store *store, const char *which, int64_t *sweep, struct sahm_err *err);

/* Digest of what points first to last of a sweep have found, but for hashes and programs: with `threads` their rows,
 * too. The same for the same results, in whatever order they were put. */
enum sahm_status store_digest(struct store *store, int64_t sweep, uint64_t first, uint64_t last, bool threads,
			      uint8_t hash[HASH_BYTES], struct sahm_err *err);

/* Makes known to `store`, a new one, which runs the store at `path` has and how they stand, without what was found. */
enum sahm_status store_borrow(struct store *store, const char *path, struct sahm_err *err);

/* Adds all sweeps and runs of the store at `path` to `store`. A run that both have must have the same rows but for its
 * timing, else SAHM_CHECKSUM and nothing is added; one that is done takes the place of one that is not. Second results
 * of both are kept, submissions are not merged. */
enum sahm_status store_merge(struct store *store, const char *path, bool mixed, struct sahm_err *err);

#endif
