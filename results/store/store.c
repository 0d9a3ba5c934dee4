/* Opening and closing stores. */
#include "results/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_internal.h"
#include "results/store/store_schema.h"
#include "sim/base/array.h"
#include "sim/base/companion.h"
#include "sim/base/file.h"

/* How long others may keep the file to themselves: whoever folds a log into it. */
#define BUSY_MS 10000

/* Pages that are kept, in KiB; what a greater transaction changes goes to the log early. */
#define CACHE_KIB 32768

/* The log is cut down to 64 MiB when what planning a large sweep has put there is in the file. */
#define LOG_PRAGMAS "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;"

/* The lock of a store's only writer: flock() of the file, which ends with the process. It is independent of SQLite's
 * own locks, that are POSIX ones: closing any descriptor of the file drops those of the whole process, so that this
 * one is closed after the connection. */

/* Who has the lock of the file with this inode, as far as Linux tells; 0: not known. File systems differ in what they
 * take for a device, so that only the inode is compared, and two such locks are one too many. */
static long holder_of(ino_t inode)
{
	char line[256], kind[16];
	unsigned long long locked;
	long pid, holder = 0;
	FILE *in = fopen("/proc/locks", "re");
	if (!in)
		return 0;
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%*s %15s %*s %*s %ld %*[^:]:%*[^:]:%llu", kind, &pid, &locked) != 3 ||
		    strcmp(kind, "FLOCK") != 0 || locked != inode)
			continue;
		if (holder && holder != pid) {
			holder = 0;
			break;
		}
		holder = pid;
	}
	fclose(in);
	return holder > 0 ? holder : 0;
}

static int open_file(const char *path, bool *created)
{
	/* Not to be held up by a pipe that nobody writes to; of a regular file it means nothing. */
	int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, fd = open(path, flags);
	*created = false;
	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = open(path, flags | O_CREAT | O_EXCL, 0666);
	*created = fd >= 0;
	return fd < 0 && errno == EEXIST ? open(path, flags) : fd;
}

/* Opens the file `path` and takes the lock, without waiting. -1 is a failure. *created: the file was made for this. */
static int take_lock(const char *path, bool *created, struct sahm_err *err)
{
	struct stat st;
	int fd = open_file(path, created), failed;
	if (fd < 0) {
		sahm_fail(err, SAHM_IO, "cannot write store '%s': %s", path, strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		sahm_fail(err, SAHM_IO, "cannot write store '%s': it is not a regular file", path);
		return -1;
	}
	while ((failed = flock(fd, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
		;
	if (!failed)
		return fd;
	if (errno != EWOULDBLOCK) {
		sahm_fail(err, SAHM_IO, "cannot lock store '%s': %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	long holder = holder_of(st.st_ino);
	if (holder == (long)getpid()) {
		/* It stays open: see above. */
		sahm_fail(err, SAHM_IO, "store '%s' is open already in this process", path);
		return -1;
	}
	if (holder)
		sahm_fail(err, SAHM_IO, "store '%s' is written by another process (PID %ld)", path, holder);
	else
		sahm_fail(err, SAHM_IO, "store '%s' is written by another process", path);
	close(fd);
	return -1;
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

/* Stands where the columns of metrics belong. */
#define METRICS_MARK " -- RUN_METRICS"

extern const char store_schema_sql[];

void store_write_schema(struct textbuf *out)
{
	const char *mark = strstr(store_schema_sql, METRICS_MARK);
	textbuf_add(out, store_schema_sql, (size_t)(mark - store_schema_sql));
#define RUN_METRIC(member, form, words) textbuf_puts(out, ",\n  " #member " REAL");
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	textbuf_puts(out, mark + strlen(METRICS_MARK));
}

/* In one transaction, before the file has a log: a crash leaves an empty file. */
static enum sahm_status make_schema(struct store *store, struct sahm_err *err)
{
	struct textbuf sql;
	textbuf_init(&sql);
	textbuf_printf(&sql, "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d;",
		       STORE_APPLICATION, STORE_VERSION);
	store_write_schema(&sql);
	textbuf_puts(&sql, "COMMIT");
	enum sahm_status status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : store_exec(store, sql.text, err);
	textbuf_release(&sql);
	return status;
}

static enum sahm_status open_writing(struct store *store, const char *path, struct sahm_err *err)
{
	bool is_new = false;
	if (path && (store->lock = take_lock(path, &store->created, err)) < 0)
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

bool store_is_one(const char *path)
{
	return database_is_one(path);
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
