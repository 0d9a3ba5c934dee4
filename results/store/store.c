/* Stores: opening, closing, transactions and what goes wrong. */
#include "results/store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_internal.h"
#include "results/store/store_schema.h"
#include "sim/base/array.h"

/* How long others may keep the file to themselves: whoever folds a log into it. */
#define BUSY_MS 10000

/* Pages that are kept, in KiB; what a greater transaction changes goes to the log early. */
#define CACHE_KIB 32768

/* The log is cut down to 64 MiB when what planning a large sweep has put there is in the file. */
#define LOG_PRAGMAS "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;"

sqlite3 *store_db(struct store *store)
{
	return store->db;
}

int64_t store_integer(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static enum sahm_status fail_with(struct store *store, int code, int cause, const char *words, struct sahm_err *err)
{
	const char *verb = store->access == STORE_READ ? "read" : "write";
	bool is_full = cause == ENOSPC || cause == EFBIG || cause == EDQUOT;
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return sahm_fail_nomem(err);
	case SQLITE_NOTADB:
		return sahm_fail(err, SAHM_FORMAT, "'%s' is no store of sahm", store->path);
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* a table or column is missing */
	case SQLITE_SCHEMA:
	case SQLITE_MISMATCH:
	case SQLITE_CONSTRAINT:
	case SQLITE_TOOBIG:
		if (store->other)
			return sahm_fail(err, SAHM_FORMAT, "store '%s' or '%s' is damaged: %s", store->other,
					 store->path, words);
		return sahm_fail(err, SAHM_FORMAT, "store '%s' is damaged: %s", store->path, words);
	case SQLITE_IOERR:
		if (is_full)
			words = sqlite3_errstr(SQLITE_FULL);
		break;
	case SQLITE_BUSY:
		words = "another process keeps it locked";
		cause = 0;
		break;
	case SQLITE_READONLY:
		words = "the file or its folder is read-only";
		cause = 0;
		break;
	default:
		break;
	}
	if (cause && !is_full)
		return sahm_fail(err, SAHM_IO, "cannot %s store '%s': %s (%s)", verb, store->path, words,
				 strerror(cause));
	return sahm_fail(err, SAHM_IO, "cannot %s store '%s': %s", verb, store->path, words);
}

enum sahm_status store_fail(struct store *store, struct sahm_err *err)
{
	int code = sqlite3_extended_errcode(store->db), cause = 0;
	if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
		cause = sqlite3_system_errno(store->db);
	/* Of a failed commit it does not know. */
	if ((code & 0xff) == SQLITE_IOERR && !cause)
		cause = errno;
	return fail_with(store, code, cause, sqlite3_errmsg(store->db), err);
}

void store_undo(struct store *store)
{
	for (int i = 0; i < NR_STORE_STATEMENTS; i++)
		sqlite3_reset(store->statements[i]);
	/* SQLite has done it itself after some failures. */
	if (!sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	store->planning = false;
	store->program_id = 0;
}

enum sahm_status store_fail_undo(struct store *store, struct sahm_err *err)
{
	enum sahm_status status = store_fail(store, err);
	store_undo(store);
	return status;
}

enum sahm_status store_exec(struct store *store, const char *sql, struct sahm_err *err)
{
	errno = 0;
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? SAHM_OK : store_fail(store, err);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql)
{
	sqlite3_stmt *s = NULL;
	sqlite3_prepare_v2(store->db, sql, -1, &s, NULL);
	return s;
}

sqlite3_stmt *store_statement(struct store *store, enum store_statement which)
{
	sqlite3_stmt **s = &store->statements[which];
	if (*s) {
		sqlite3_reset(*s);
		sqlite3_clear_bindings(*s);
	} else {
		sqlite3_prepare_v3(store->db, store_statements[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL);
	}
	return *s;
}

enum sahm_status store_run(struct store *store, sqlite3_stmt *s, struct sahm_err *err)
{
	errno = 0;
	int code = sqlite3_step(s);
	enum sahm_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_get(struct store *store, sqlite3_stmt *s, int64_t *value, bool *found, struct sahm_err *err)
{
	int code = sqlite3_step(s);
	enum sahm_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SAHM_OK : store_fail(store, err);
	*value = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	if (found)
		*found = code == SQLITE_ROW;
	sqlite3_reset(s);
	return status;
}

enum sahm_status store_ask(struct store *store, const char *sql, int64_t *value, struct sahm_err *err)
{
	sqlite3_stmt *s = store_prepare(store, sql);
	if (!s)
		return store_fail(store, err);
	enum sahm_status status = store_get(store, s, value, NULL, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_begin(struct store *store, struct sahm_err *err)
{
	return sqlite3_get_autocommit(store->db) ? store_exec(store, "BEGIN IMMEDIATE", err) : SAHM_OK;
}

enum sahm_status store_commit(struct store *store, struct sahm_err *err)
{
	if (sqlite3_get_autocommit(store->db))
		return SAHM_OK;
	enum sahm_status status = store_exec(store, "COMMIT", err);
	if (status != SAHM_OK)
		store_undo(store);
	return status;
}

/* Names are percent-encoded, and none begins like something else than a file. */
char *store_uri(const char *path, const char *query)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, *path == '/' ? "file:" : "file:./");
	for (const char *p = path; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (strchr("%?#", c) || c <= ' ' || c >= 0x7f)
			textbuf_printf(&b, "%%%02x", c);
		else
			textbuf_putc(&b, *p);
	}
	char *uri = textbuf_failed(&b) ? NULL : sqlite3_mprintf("%s?%s", b.text, query);
	textbuf_release(&b);
	return uri;
}

static enum sahm_status connect(struct store *store, const char *query, struct sahm_err *err)
{
	/* A database without a name is in a file of SQLite's own that nobody else sees, as far as it does not fit its
	 * cache. */
	bool is_temporary = strcmp(query, "") == 0;
	char *uri = is_temporary ? sqlite3_mprintf("") : store_uri(store->path, query);
	int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
	if (!uri)
		return sahm_fail_nomem(err);
	int code = sqlite3_open_v2(uri, &store->db, flags, NULL);
	sqlite3_free(uri);
	if (!store->db)
		return sahm_fail_nomem(err);
	if (code != SQLITE_OK)
		return store_fail(store, err);
	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	/* A file from elsewhere may hold anything; nothing of it is carried out. */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
	char pragmas[128];
	sqlite3_snprintf(sizeof(pragmas), pragmas, "PRAGMA cell_size_check = ON; PRAGMA cache_size = -%d;", CACHE_KIB);
	return store_exec(store, pragmas, err);
}

/* Whether the file has no table yet, and nobody's mark. */
static enum sahm_status inspect(struct store *store, bool *is_new, struct sahm_err *err)
{
	int64_t application, version, nr_tables = 0;
	enum sahm_status status = store_ask(store, "PRAGMA application_id", &application, err);
	if (status == SAHM_OK)
		status = store_ask(store, "PRAGMA user_version", &version, err);
	if (status == SAHM_OK && application == 0)
		status = store_ask(store, "SELECT count(*) FROM sqlite_schema", &nr_tables, err);
	if (status != SAHM_OK)
		return status;
	/* What is shorter than a page is empty to SQLite. */
	struct stat st;
	int64_t nr_pages = 0;
	*is_new = application == 0 && version == 0 && nr_tables == 0;
	if (*is_new)
		status = store_ask(store, "PRAGMA page_count", &nr_pages, err);
	if (status != SAHM_OK)
		return status;
	if (*is_new && nr_pages == 0 && store->lock >= 0 && fstat(store->lock, &st) == 0 && st.st_size > 0)
		*is_new = false;
	if (*is_new && store->access == STORE_WRITE)
		return SAHM_OK;
	if (application != STORE_APPLICATION || version < 1)
		return sahm_fail(err, SAHM_FORMAT, "'%s' is no store of sahm", store->path);
	if (version != STORE_VERSION)
		return sahm_fail(err, SAHM_FORMAT,
				 "store '%s' was made by %s sahm: its schema has version %lld, known is %d",
				 store->path, version > STORE_VERSION ? "a later" : "an earlier", (long long)version,
				 STORE_VERSION);
	return SAHM_OK;
}

/* In one transaction, before the file has a log: a crash leaves an empty file. */
static enum sahm_status make_schema(struct store *store, struct sahm_err *err)
{
	char marks[128];
	sqlite3_snprintf(sizeof(marks), marks, "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d;",
			 STORE_APPLICATION, STORE_VERSION);
	enum sahm_status status = store_exec(store, marks, err);
	if (status == SAHM_OK)
		status = store_exec(store, store_schema, err);
	if (status == SAHM_OK)
		status = store_exec(store, "COMMIT", err);
	return status;
}

static enum sahm_status open_writing(struct store *store, const char *path, struct sahm_err *err)
{
	bool is_new = false;
	if (path && (store->lock = store_lock_take(path, &store->created, err)) < 0)
		return SAHM_IO;
	enum sahm_status status = connect(store, path ? "mode=rw" : "", err);
	if (status == SAHM_OK)
		status = inspect(store, &is_new, err);
	if (status == SAHM_OK && is_new)
		status = make_schema(store, err);
	if (status == SAHM_OK)
		status = store_exec(store, LOG_PRAGMAS, err);
	/* Whether it can be written at all shows here, not after hours. */
	if (status == SAHM_OK)
		status = store_exec(store, "BEGIN IMMEDIATE; COMMIT;", err);
	return status;
}

static bool has_log(const char *path)
{
	struct stat st;
	char *log = sqlite3_mprintf("%s-wal", path);
	bool has = !log || (stat(log, &st) == 0 && st.st_size > 0);
	sqlite3_free(log);
	return has;
}

/* The log of a store has an index beside it, which readers write, too, and remove when they are the last: that comes
 * first. Where it cannot be, an index that is there may do; else, if there is no log, the file is all that there is. */
static enum sahm_status open_reading(struct store *store, const char *path, struct sahm_err *err)
{
	static const char *const ways[] = {"mode=rw", "mode=ro", "immutable=1"};
	struct stat st;
	bool is_new;
	enum sahm_status status = SAHM_IO;
	if (stat(path, &st) != 0)
		return sahm_fail(err, SAHM_IO, "cannot read store '%s': %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return sahm_fail(err, SAHM_IO, "cannot read store '%s': it is not a regular file", path);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		store->immutable = i == 2;
		if (store->immutable && has_log(path))
			break;
		sqlite3_close(store->db);
		store->db = NULL;
		status = connect(store, ways[i], err);
		if (status == SAHM_OK)
			status = inspect(store, &is_new, err);
		if (status != SAHM_IO)
			break;
	}
	if (status == SAHM_OK)
		status = store_exec(store, "PRAGMA query_only = ON", err);
	return status;
}

/* Whether a file that was made for this store is of no use to anybody. */
static bool is_vain(struct store *store)
{
	struct stat st;
	int64_t nr_sweeps = 0;
	struct sahm_err ignored;
	if (!store->created || fstat(store->lock, &st) != 0)
		return false;
	return st.st_size == 0 ||
	       (store_ask(store, "SELECT count(*) FROM sweep", &nr_sweeps, &ignored) == SAHM_OK && nr_sweeps == 0);
}

/* Whether the file that has the lock is the one at the path. */
static bool is_in_place(const struct store *store)
{
	struct stat ours, there;
	return store->lock < 0 || fstat(store->lock, &ours) != 0 ||
	       (stat(store->path, &there) == 0 && ours.st_ino == there.st_ino && ours.st_dev == there.st_dev);
}

enum sahm_status store_check_place(const struct store *store, struct sahm_err *err)
{
	if (is_in_place(store))
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "store '%s' was removed or replaced while it was written", store->path);
}

static void release(struct store *store)
{
	bool vain = is_vain(store), in_place = is_in_place(store);
	for (int i = 0; i < NR_STORE_STATEMENTS; i++)
		sqlite3_finalize(store->statements[i]);
	sqlite3_close(store->db);
	/* Behind SQLite, which takes its log away, and before the lock goes, so that it is nobody else's store yet. */
	if (vain && in_place)
		unlink(store->path);
	if (store->lock >= 0)
		close(store->lock);
	free(store->path);
	free(store->program);
	free(store);
}

enum sahm_status store_open(struct store **store, const char *path, enum store_access access, struct sahm_err *err)
{
	struct store *s = calloc(1, sizeof(*s));
	if (!s)
		return sahm_fail_nomem(err);
	s->access = path ? access : STORE_WRITE;
	s->lock = -1;
	s->owner = getpid();
	s->path = strdup(path ? path : "temporary");
	struct sahm_err failure;
	enum sahm_status status = s->path ? SAHM_OK : sahm_fail_nomem(&failure);
	if (status == SAHM_OK)
		status = s->access == STORE_READ ? open_reading(s, path, &failure) : open_writing(s, path, &failure);
	if (status == SAHM_OK) {
		*store = s;
		return SAHM_OK;
	}
	release(s);
	if (err)
		*err = failure;
	return status;
}

enum sahm_status store_close(struct store *store, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (!store)
		return SAHM_OK;
	if (store->planning)
		store_plan_abandon(store);
	if (store->access == STORE_WRITE) {
		status = store_commit(store, err);
		/* A log that somebody reads stays, and they fold it in. */
		errno = 0;
		int code = sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
		if (status == SAHM_OK && code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY)
			status = store_fail(store, err);
		if (status == SAHM_OK)
			status = store_check_place(store, err);
	}
	release(store);
	return status;
}

void store_abandon(struct store *store)
{
	if (!store)
		return;
	if (store->owner != getpid()) {
		store_leave(store);
		return;
	}
	store_undo(store);
	release(store);
}

void store_leave(struct store *store)
{
	if (store->lock >= 0)
		close(store->lock);
	store->lock = -1;
}
