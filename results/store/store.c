/* Opening and closing stores. */
#include "results/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "results/store/store_internal.h"
#include "results/store/store_schema.h"
#include "sim/base/array.h"
#include "sim/base/companion.h"
#include "sim/base/file.h"

/* How long others may keep the file to themselves: a process that folds a log into it. */
#define BUSY_MS 10000

/* Pages of the log with which it is folded into the file. */
#define MAX_LOG_PAGES 1000

/* Pages that are kept, in KiB; what a greater transaction changes goes to the log early. */
#define CACHE_KIB 32768

/* A commit returns when the log is on disk: a queue then forgets its results, and a manifest stands for them. The log
 * is cut down to 64 MiB when what planning a large sweep has put there is in the file. */
#define LOG_PRAGMAS "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864;"

/* How long a writer that ends waits for such readers, before it leaves the log to the next writer. */
#define READERS_MS 1000

/* Of a store this small all pages are checked whenever it is opened: that takes a few milliseconds. */
#define SMALL_BYTES (4 << 20)

/* Byte of the file that says with what it is written, by SQLite's file format: 1 a rollback journal, 2 a log. */
#define WRITE_VERSION_AT 18

/* The work that a statement may take, in ticks of STEPS_OF_TICK steps of SQLite's machine: BASE_TICKS, and one more for
 * each BYTES_OF_TICK of the store. The heaviest statements, of a merge, take a fifteenth of that. */
#define STEPS_OF_TICK 1000000
#define BASE_TICKS 100
#define BYTES_OF_TICK 65536u

/* The memory that SQLite may take: BASE_HEAP_BYTES, and twice the size of the store. What it sorts stays in memory. */
#define BASE_HEAP_BYTES (INT64_C(512) << 20)

/* Bytes of a database of the connection and of its log. */
static uint64_t bytes_of(sqlite3 *db, const char *name)
{
	static const int files[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
	uint64_t sum = 0;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		sqlite3_file *file = NULL;
		sqlite3_int64 bytes = 0;
		if (sqlite3_file_control(db, name, files[i], &file) == SQLITE_OK && file && file->pMethods &&
		    file->pMethods->xFileSize(file, &bytes) == SQLITE_OK)
			sum += (uint64_t)bytes;
	}
	return sum;
}

/* SQLite calls this once a tick, and gives the statement up if the result is not 0. */
static int tick(void *context)
{
	struct store *store = context;
	if (++store->nr_ticks <= BASE_TICKS)
		return 0;
	return store->nr_ticks - BASE_TICKS >
	       (bytes_of(store->db, "main") + bytes_of(store->db, "theirs")) / BYTES_OF_TICK;
}

void store_bound_memory(const struct store *store)
{
	uint64_t bytes = bytes_of(store->db, "main") + bytes_of(store->db, "theirs");
	sqlite3_hard_heap_limit64(BASE_HEAP_BYTES + 2 * store_integer(bytes));
}

/* Far above what sahm's own statements and rows need. */
static const struct {
	int id, value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, 64 << 20},    {SQLITE_LIMIT_SQL_LENGTH, 1000000}, {SQLITE_LIMIT_EXPR_DEPTH, 200},
	{SQLITE_LIMIT_COMPOUND_SELECT, 16}, {SQLITE_LIMIT_VDBE_OP, 1000000},	{SQLITE_LIMIT_FUNCTION_ARG, 16},
	{SQLITE_LIMIT_ATTACHED, 1}, /* `theirs`, at a merge */
	{SQLITE_LIMIT_TRIGGER_DEPTH, 1},    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

/* Opens the database as store->way says. A connection serves one purpose: whatever a file from elsewhere holds, nothing
 * of it is carried out, no statement goes on without end, and nothing is written but the store and its log. */
static enum sahm_status connect(struct store *store, struct sahm_err *err)
{
	/* A database without a name is in a file of SQLite's own that nobody else sees, as far as it does not fit its
	 * cache. */
	bool is_temporary = !store->file;
	char *uri = is_temporary ? sqlite3_mprintf("") : store_uri(store->file, store->way);
	int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
	if (!uri || store_register_vfs() != SQLITE_OK) {
		sqlite3_free(uri);
		return sahm_fail_nomem(err);
	}
	int code = sqlite3_open_v2(uri, &store->db, flags, NULL);
	sqlite3_free(uri);
	if (!store->db)
		return sahm_fail_nomem(err);
	if (code != SQLITE_OK)
		return store_fail(store, err);
	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		sqlite3_limit(store->db, limits[i].id, limits[i].value);
	sqlite3_progress_handler(store->db, STEPS_OF_TICK, tick, store);
	if (!is_temporary)
		store_bound_memory(store);
	/* A reader that has the file for itself keeps the log's index in its own memory. SQLite has to know before it
	 * looks at the file. */
	char pragmas[256];
	sqlite3_snprintf(sizeof(pragmas), pragmas,
			 "%sPRAGMA cell_size_check = ON; PRAGMA cache_size = -%d; PRAGMA temp_store = MEMORY;",
			 strstr(store->way, STORE_VFS_STILL) ? "PRAGMA locking_mode = EXCLUSIVE;" : "", CACHE_KIB);
	return store_exec(store, pragmas, err);
}

static void disconnect(struct store *store)
{
	for (int i = 0; i < NR_STORE_STATEMENTS; i++) {
		sqlite3_finalize(store->statements[i]);
		store->statements[i] = NULL;
	}
	sqlite3_close(store->db);
	store->db = NULL;
}

/* Whether the file is marked as a store of this version. */
static enum sahm_status check_marks(struct store *store, struct sahm_err *err)
{
	int64_t application, version;
	enum sahm_status status = store_ask(store, "PRAGMA application_id", &application, err);
	if (status == SAHM_OK)
		status = store_ask(store, "PRAGMA user_version", &version, err);
	if (status != SAHM_OK)
		return status;
	if (application != STORE_APPLICATION || version < 1)
		return sahm_fail(err, SAHM_FORMAT,
				 "'%s' is not a results database; `sahm sweep CONFIG -o FILE` makes one", store->path);
	if (version != STORE_VERSION)
		return sahm_fail(err, SAHM_FORMAT,
				 "results file '%s' was made by %s sahm: its schema has version %lld, known is %d",
				 store->path, version > STORE_VERSION ? "a later" : "an earlier", (long long)version,
				 STORE_VERSION);
	return SAHM_OK;
}

/* Whether every page is checked when the store is opened. Of a large store that takes longer than most questions, so it
 * is done where something will be written because of what the store holds, where another user has made it, and where it
 * is small. */
static bool needs_page_check(const struct store *store)
{
	struct stat st;
	return store->access == STORE_WRITE || fstat(store->lock, &st) != 0 || st.st_uid != geteuid() ||
	       st.st_size <= SMALL_BYTES;
}

/* Connects to a file for reading, and checks that it is a store. */
static enum sahm_status connect_checked(struct store *store, const char *way, struct sahm_err *err)
{
	store->way = way;
	enum sahm_status status = connect(store, err);
	if (status == SAHM_OK)
		status = check_marks(store, err);
	if (status == SAHM_OK)
		status = store_check_schema(store, err);
	if (status == SAHM_OK && needs_page_check(store))
		status = store_check_pages(store, false, err);
	return status;
}

#define FILE_ALONE "mode=ro&immutable=1&vfs=" STORE_VFS_STILL
#define FILE_WITH_LOG "mode=ro&vfs=" STORE_VFS_STILL

/* The sweeps of a store: their number, and their identities as one text, to be freed with sqlite3_free(). */
struct sweeps {
	char *identities;
	int64_t nr;
};

/* Contents of the file without its log; nothing where it is no results file. It is none after a crash while the log
 * was being folded in. */
static void find_sweeps(struct store *store, struct sweeps *sweeps)
{
	struct sahm_err ignored;
	*sweeps = (struct sweeps){0};
	if (connect_checked(store, FILE_ALONE, &ignored) == SAHM_OK) {
		sqlite3_stmt *s = store_prepare(store, "SELECT group_concat(hex(identity)), count(id) FROM sweep");
		if (s && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0)) {
			sweeps->identities = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
			sweeps->nr = sweeps->identities ? sqlite3_column_int64(s, 1) : 0;
		}
		sqlite3_finalize(s);
	}
	disconnect(store);
}

/* Whether those sweeps are still there. */
static enum sahm_status check_sweeps(struct store *store, const struct sweeps *sweeps, struct sahm_err *err)
{
	int64_t nr = 0;
	sqlite3_stmt *s = store_prepare(store, "SELECT count(id) FROM sweep WHERE instr(?, hex(identity)) > 0");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_text(s, 1, sweeps->identities, -1, SQLITE_STATIC);
	enum sahm_status status = store_get(store, s, &nr, NULL, err);
	sqlite3_finalize(s);
	if (status == SAHM_OK && nr < sweeps->nr)
		status = sahm_fail(err, SAHM_FORMAT,
				   "cannot use results file '%s': '%s-wal' is the log of another database", store->path,
				   store->file);
	return status;
}

/* connect_checked() of a file that nobody writes just now. A log that a crash has left may be one of another file, or
 * of another copy of this one. Pages of both do not fit together; where they do, a sweep of the file is missing, though
 * sweeps are never deleted. */
static enum sahm_status connect_still(struct store *store, bool has_log, struct sahm_err *err)
{
	struct sweeps sweeps;
	if (!has_log)
		return connect_checked(store, FILE_ALONE, err);
	find_sweeps(store, &sweeps);
	enum sahm_status status = connect_checked(store, FILE_WITH_LOG, err);
	if (status == SAHM_OK)
		status = store_check_pages(store, true, err);
	if (status == SAHM_OK && sweeps.nr > 0)
		status = check_sweeps(store, &sweeps, err);
	sqlite3_free(sweeps.identities);
	return status;
}

/* After a commit: folds the log into the file when it has become long, as SQLite does, unless readers of the file
 * itself are in the way. */
static int fold(void *context, sqlite3 *db, const char *name, int nr_pages)
{
	const struct store *store = context;
	if (nr_pages < MAX_LOG_PAGES || !store_keep_readers_out(store, 0))
		return SQLITE_OK;
	sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	store_let_readers_in(store);
	return SQLITE_OK;
}

/* Puts a store without sweeps in the place of an empty file, which has the writer's locks. A crash leaves either. */
static enum sahm_status fill(struct store *store, struct sahm_err *err)
{
	unsigned char *image;
	size_t len;
	enum sahm_status status = store_make_image(&image, &len, err);
	if (status != SAHM_OK)
		return status;
	status = file_write(store->file, image, len, err);
	sqlite3_free(image);
	if (status != SAHM_OK)
		return status;
	/* Who was waiting for the empty file finds that it is not in its place any more. */
	bool created;
	int fd = store_lock_writer(store, &created, err);
	if (fd < 0)
		return SAHM_IO;
	close(store->lock);
	store->lock = fd;
	return SAHM_OK;
}

/* Whether the file that has the lock is the one at the path. */
static bool is_in_place(const struct store *store)
{
	struct stat ours, there;
	return store->lock < 0 || fstat(store->lock, &ours) != 0 ||
	       (stat(store->path, &there) == 0 && ours.st_ino == there.st_ino && ours.st_dev == there.st_dev);
}

/* Takes the writer's locks of the file that stands in its place: an empty one may just have been filled. */
static bool take_place(struct store *store, struct sahm_err *err)
{
	for (;;) {
		bool created;
		if ((store->lock = store_lock_writer(store, &created, err)) < 0)
			return false;
		store->created |= created;
		if (is_in_place(store))
			return true;
		close(store->lock);
	}
}

/* Whether the file has the mark of a database without a log: `VACUUM INTO` makes such copies. */
static bool is_logless(const struct store *store)
{
	unsigned char version;
	return pread(store->lock, &version, 1, WRITE_VERSION_AT) == 1 && version == 1;
}

/* Nothing is written before the file and its companions are known to be a store's, and locked. */
static enum sahm_status open_writing(struct store *store, struct sahm_err *err)
{
	bool has_log = false;
	enum sahm_status status = SAHM_OK;
	if (store->file) {
		if (!take_place(store, err))
			return SAHM_IO;
		status = store_check_companions(store, &has_log, err);
		if (status == SAHM_OK && file_bytes(store->lock) == 0) {
			status = fill(store, err);
		} else if (status == SAHM_OK) {
			status = connect_still(store, has_log, err);
			disconnect(store);
		}
		if (status != SAHM_OK)
			return status;
	}
	store->way = "mode=rw&vfs=" STORE_VFS_WRITE;
	status = connect(store, err);
	if (status == SAHM_OK && !store->file)
		return store_make_schema(store, err);
	if (status == SAHM_OK && is_logless(store) && store_keep_readers_out(store, READERS_MS)) {
		status = store_exec(store, "PRAGMA journal_mode = MEMORY; PRAGMA journal_mode = WAL", err);
		store_let_readers_in(store);
	}
	if (status == SAHM_OK)
		status = store_exec(store, LOG_PRAGMAS, err);
	if (status == SAHM_OK)
		sqlite3_wal_hook(store->db, fold, store);
	/* Whether it can be written at all shows here, not after hours. */
	if (status == SAHM_OK)
		status = store_exec(store, "BEGIN IMMEDIATE; COMMIT;", err);
	return status;
}

static int open_readable(const char *path, struct sahm_err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		sahm_fail(err, SAHM_IO, "cannot read results file '%s': %s%s", path, strerror(errno),
			  errno == ENOENT ? "; `sahm sweep CONFIG -o FILE` makes one" : "");
	} else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		sahm_fail(err, SAHM_IO, "cannot read results file '%s': it is not a regular file", path);
		close(fd);
		fd = -1;
	}
	return fd;
}

static enum sahm_status open_reading(struct store *store, struct sahm_err *err)
{
	enum sahm_status status;
	if ((store->lock = open_readable(store->path, err)) < 0)
		return SAHM_IO;
	for (int ms = 0;; ms += 10) {
		bool has_log, is_locked = store_lock_reader(store);
		status = store_check_companions(store, &has_log, err);
		if (status != SAHM_OK)
			break;
		bool is_live = has_log && store_has_writer(store->lock);
		if (is_locked && !is_live) {
			status = connect_still(store, has_log, err);
			break;
		}
		if (is_locked)
			store_let_readers_in(store);
		status = is_live ? connect_checked(store, "mode=ro&vfs=" STORE_VFS_LIVE, err)
				 : sahm_fail(err, SAHM_IO,
					     "cannot read results file '%s': another process keeps it locked",
					     store->path);
		/* Its writer may just have ended, or be folding its log. */
		if (status != SAHM_IO || ms >= BUSY_MS)
			break;
		disconnect(store);
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	if (status == SAHM_OK)
		status = store_exec(store, "PRAGMA query_only = ON", err);
	return status;
}

/* Whether a file that was made for this store is of no use to anybody. */
static bool is_disposable(struct store *store)
{
	struct stat st;
	int64_t nr_sweeps = 0;
	struct sahm_err ignored;
	if (!store->created || fstat(store->lock, &st) != 0)
		return false;
	return st.st_size == 0 ||
	       (store_ask(store, "SELECT count(id) FROM sweep", &nr_sweeps, &ignored) == SAHM_OK && nr_sweeps == 0);
}

enum sahm_status store_check_place(const struct store *store, struct sahm_err *err)
{
	if (is_in_place(store))
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "results file '%s' was removed or replaced while it was written", store->path);
}

static void release(struct store *store)
{
	bool disposable = is_disposable(store), in_place = is_in_place(store);
	/* SQLite folds the log when it closes. */
	if (store->db && store->lock >= 0 && store->access == STORE_WRITE && !store_keep_readers_out(store, 0))
		sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	disconnect(store);
	/* After SQLite, which takes its log away unless something failed, and before the lock goes, so that it is
	 * nobody else's store yet. */
	if (disposable && in_place) {
		unlink(store->path);
		store_remove_companions(store);
	}
	if (store->lock >= 0)
		close(store->lock);
	free(store->path);
	free(store->file);
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
	s->file = path ? file_behind_links(path) : NULL;
	struct sahm_err failure;
	enum sahm_status status = s->path && (s->file || !path) ? SAHM_OK : sahm_fail_nomem(&failure);
	if (status == SAHM_OK)
		status = s->access == STORE_READ ? open_reading(s, &failure) : open_writing(s, &failure);
	if (status == SAHM_OK) {
		*store = s;
		return SAHM_OK;
	}
	release(s);
	if (err)
		*err = failure;
	return status;
}

/* Folds the log into the file. A log that somebody reads stays, for the next writer. */
static enum sahm_status settle(struct store *store, struct sahm_err *err)
{
	int code = SQLITE_BUSY;
	errno = 0;
	if (store->file && store_keep_readers_out(store, READERS_MS))
		code = sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	return code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY ? SAHM_OK : store_fail(store, err);
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
		if (status == SAHM_OK)
			status = settle(store, err);
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

uint64_t store_bytes(struct store *store)
{
	int64_t pages = 0, size = 0;
	struct sahm_err ignored;
	if (store_ask(store, "PRAGMA page_count", &pages, &ignored) != SAHM_OK ||
	    store_ask(store, "PRAGMA page_size", &size, &ignored) != SAHM_OK)
		return 0;
	return (uint64_t)pages * (uint64_t)size;
}
