/* The lock of a store's only writer: flock() of the file, which ends with the process. It is independent of SQLite's
 * own locks, that are POSIX ones: closing any descriptor of the file drops those of the whole process, so that this
 * one is closed after the connection. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_internal.h"
#include "sim/base/file.h"

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

int store_lock_take(const char *path, bool *created, struct sahm_err *err)
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

bool store_is_one(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char bytes[sizeof(magic)];
	int fd = file_open_regular(path, NULL);
	if (fd < 0)
		return false;
	ssize_t nr = read(fd, bytes, sizeof(bytes));
	close(fd);
	return nr == (ssize_t)sizeof(bytes) && memcmp(bytes, magic, sizeof(magic)) == 0;
}
