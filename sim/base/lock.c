#include "sim/base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the lock is still that of the file: who had it before may have put another one in its place. */
static bool is_file_of(int fd, const char *path)
{
	struct stat locked, named;
	return fstat(fd, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
	       locked.st_ino == named.st_ino;
}

static int open_file(struct file_lock *l, bool creates)
{
	/* Not to be held up by a pipe that nobody writes to; of a regular file it means nothing. */
	int fd = open(l->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	l->was_created = false;
	if (fd < 0 && errno == ENOENT && creates) {
		fd = open(l->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		l->was_created = fd >= 0;
	}
	return fd;
}

enum sahm_status file_lock_take(struct file_lock *l, const char *path, bool creates, struct sahm_err *err)
{
	struct stat st;
	unsigned tries = 0;
	*l = (struct file_lock){.path = path};
	for (;;) {
		l->fd = open_file(l, creates);
		/* Somebody was quicker; or it is a link that leads nowhere. */
		if (l->fd < 0 && creates && errno == EEXIST && tries++ < 1000)
			continue;
		if (l->fd < 0)
			return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
		if (fstat(l->fd, &st) == 0 && !S_ISREG(st.st_mode)) {
			close(l->fd);
			return sahm_fail(err, SAHM_IO, "cannot open '%s': it is not a regular file", path);
		}
		int failed;
		while ((failed = flock(l->fd, LOCK_EX)) != 0 && errno == EINTR)
			;
		if (failed) {
			sahm_fail(err, SAHM_IO, "cannot lock '%s': %s", path, strerror(errno));
			file_lock_release(l);
			return SAHM_IO;
		}
		if (is_file_of(l->fd, path))
			return SAHM_OK;
		close(l->fd);
	}
}

void file_lock_release(struct file_lock *l)
{
	struct stat st;
	if (l->was_created && is_file_of(l->fd, l->path) && fstat(l->fd, &st) == 0 && st.st_size == 0)
		unlink(l->path);
	close(l->fd);
}
