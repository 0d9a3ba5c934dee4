/* Locks of stores: who writes, who reads.
 *
 * A store has one writer, who locks the whole file by flock(); the system lists who has that lock. Two bytes far beyond
 * any content are locked besides, by the open file:
 * - WRITER_BYTE by the writer, so that a reader can ask whether there is one without locking anything;
 * - READERS_BYTE, shared, by readers of a store that nobody wrote when they opened it. They read the file, and a log
 * that a crash has left, as files that do not change. A writer who comes later appends to the log, but folds it into
 * the file only while it has this lock to itself. A reader that finds a writer takes part in SQLite's own locking
 * instead. SQLite uses POSIX locks, and closing any descriptor of the file drops those of the whole process: the
 * descriptor with our locks is closed after the connection.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "results/store/store_internal.h"

#define WRITER_BYTE (INT64_MAX - 2)
#define READERS_BYTE (INT64_MAX - 1)

static int lock_byte(int fd, short type, int64_t byte)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
	int failed;
	while ((failed = fcntl(fd, F_OFD_SETLK, &lock)) != 0 && errno == EINTR)
		;
	return failed;
}

/* Whether a lock failed since another process has it, and not for want of locks in the file system. */
static bool is_taken(int cause)
{
	return cause == EAGAIN || cause == EACCES;
}

bool store_has_writer(int fd)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = WRITER_BYTE, .l_len = 1};
	return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool store_lock_reader(const struct store *store)
{
	return !lock_byte(store->lock, F_RDLCK, READERS_BYTE) || !is_taken(errno);
}

bool store_keep_readers_out(const struct store *store, int ms)
{
	int failed;
	while ((failed = lock_byte(store->lock, F_WRLCK, READERS_BYTE)) != 0 && is_taken(errno) && (ms -= 10) >= 0)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return !failed || !is_taken(errno);
}

void store_let_readers_in(const struct store *store)
{
	lock_byte(store->lock, F_UNLCK, READERS_BYTE);
}

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

/* Opens the file, or makes an empty one. */
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

int store_lock_writer(const struct store *store, bool *created, struct sahm_err *err)
{
	const char *path = store->path;
	struct stat st;
	int fd = open_file(store->file, created), failed;
	if (fd < 0) {
		sahm_fail(err, SAHM_IO, "cannot write results file '%s': %s", path, strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		sahm_fail(err, SAHM_IO, "cannot write results file '%s': it is not a regular file", path);
		return -1;
	}
	while ((failed = flock(fd, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
		;
	if (!failed) {
		lock_byte(fd, F_WRLCK, WRITER_BYTE);
		return fd;
	}
	if (errno != EWOULDBLOCK) {
		sahm_fail(err, SAHM_IO, "cannot lock results file '%s': %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	long holder = holder_of(st.st_ino);
	if (holder == (long)getpid()) {
		/* It stays open: see above. */
		sahm_fail(err, SAHM_IO, "results file '%s' is open already in this process", path);
		return -1;
	}
	if (holder)
		sahm_fail(err, SAHM_IO, "results file '%s' is written by another process (PID %ld)", path, holder);
	else
		sahm_fail(err, SAHM_IO, "results file '%s' is written by another process", path);
	close(fd);
	return -1;
}
