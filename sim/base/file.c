#include "sim/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/hold.h"
#include "sim/base/number.h"

/* Files above 2 GiB, days after 2038: what reads sizes and clocks takes 64 bits for granted. */
_Static_assert(sizeof(off_t) >= 8 && sizeof(time_t) >= 8,
	       "on this host, build with CPPFLAGS='-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64'");

const char *file_label(const char *path)
{
	return strcmp(path, "-") == 0 ? STDIN_LABEL : path;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool text_ends_in(const char *text, const char *ending)
{
	size_t len = strlen(text), ending_len = strlen(ending);
	return len >= ending_len && strcmp(text + len - ending_len, ending) == 0;
}

bool file_is_absent(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == ELOOP || cause == ENAMETOOLONG;
}

char *file_behind_links(const char *path)
{
	struct stat st;
	/* Folders on the way to it lead to the same place by either name. */
	bool is_link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
	char *real = is_link ? realpath(path, NULL) : NULL;
	/* Without memory nobody knows where it leads. */
	return real || (is_link && errno == ENOMEM) ? real : strdup(path);
}

uint64_t file_bytes(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

enum sahm_status file_read_open(int fd, const char *path, size_t max_bytes, char **text, size_t *len,
				struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	char *buf = NULL;
	size_t used = 0, room = 0;
	uint64_t bytes = file_bytes(fd);
	off_t at = lseek(fd, 0, SEEK_CUR);
	/* Of a file one need not read a GiB, nor have the memory for it, to see that it is too large. */
	if (at >= 0 && bytes > (uint64_t)at && bytes - (uint64_t)at > max_bytes)
		return sahm_fail(err, SAHM_FORMAT, "'%s' is larger than %zu bytes", path, max_bytes);
	for (;;) {
		if (used + 1 >= room) {
			room = room ? room * 2 : (size_t)16 * 1024;
			char *bigger = realloc(buf, room);
			if (!bigger) {
				status = sahm_fail_nomem(err);
				goto out;
			}
			buf = bigger;
		}
		ssize_t got = read(fd, buf + used, room - used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			status = sahm_fail(err, SAHM_IO, "cannot read '%s': %s", path, strerror(errno));
			goto out;
		}
		if (got == 0)
			break;
		used += (size_t)got;
		if (used > max_bytes) {
			status = sahm_fail(err, SAHM_FORMAT, "'%s' is larger than %zu bytes", path, max_bytes);
			goto out;
		}
	}
	if (file_bytes(fd) < bytes) {
		status = sahm_fail(err, SAHM_IO, FILE_SHRANK, path);
		goto out;
	}
	buf[used] = '\0';
	*text = buf;
	*len = used;
	buf = NULL;
out:
	free(buf);
	return status;
}

enum sahm_status file_read(const char *path, size_t max_bytes, char **text, size_t *len, struct sahm_err *err)
{
	if (strcmp(path, "-") == 0)
		return file_read_open(STDIN_FILENO, path, max_bytes, text, len, err);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	enum sahm_status status = file_read_open(fd, path, max_bytes, text, len, err);
	close(fd);
	return status;
}

int file_open_regular(const char *path, struct sahm_err *err)
{
	struct stat st;
	/* Of a regular file O_NONBLOCK means nothing. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	sahm_fail(err, SAHM_IO, "cannot open '%s': it is not a regular file", path);
	return -1;
}

enum sahm_status file_read_regular(const char *path, size_t max_bytes, char **text, size_t *len, struct sahm_err *err)
{
	int fd = file_open_regular(path, err);
	if (fd < 0)
		return SAHM_IO;
	enum sahm_status status = file_read_open(fd, path, max_bytes, text, len, err);
	close(fd);
	return status;
}

/* A file may grow while it is read. */
static enum sahm_status hash_rest(int fd, const char *path, uint64_t most, struct hash *h, uint64_t *bytes,
				  struct sahm_err *err)
{
	char buf[65536];
	for (*bytes = 0; *bytes <= most;) {
		ssize_t got = read(fd, buf, sizeof(buf));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", path, strerror(errno));
		if (got == 0)
			return SAHM_OK;
		*bytes += (uint64_t)got;
		hash_add(h, buf, (size_t)got);
	}
	return sahm_fail(err, SAHM_RANGE, "'%s' is larger than %llu bytes", path, (unsigned long long)most);
}

enum sahm_status file_hash_regular(const char *path, uint64_t most, uint8_t hash[HASH_BYTES], uint64_t *bytes,
				   struct sahm_err *err)
{
	struct stat st;
	struct hash h;
	int fd = file_open_regular(path, err);
	if (fd < 0)
		return SAHM_IO;
	hash_init(&h);
	enum sahm_status status =
		fstat(fd, &st) == 0 && (uint64_t)st.st_size > most
			? sahm_fail(err, SAHM_RANGE, "'%s' is larger than %llu bytes", path, (unsigned long long)most)
			: hash_rest(fd, path, most, &h, bytes, err);
	hash_end(&h, hash);
	close(fd);
	return status;
}

enum sahm_status file_hash_hex(const char *path, char hex[HASH_HEX_BYTES], struct sahm_err *err)
{
	uint8_t hash[HASH_BYTES];
	uint64_t bytes;
	enum sahm_status status = file_hash_regular(path, UINT64_MAX, hash, &bytes, err);
	if (status == SAHM_OK)
		hash_hex(hash, hex);
	return status;
}

static void remove_temporary(const struct atomic_file *f)
{
	if (f->temporary && *f->temporary)
		unlink(f->temporary);
}

static void release(struct atomic_file *f)
{
	free(f->path);
	free(f->temporary);
	*f = (struct atomic_file){0};
}

/* Suffixes of the names of folder and file, or one of them: as long as it can be. */
#define TEMPORARY_ROOM 64
#define MAX_TRIES 1000u

/* The folder that `path` is in. NULL when there is no memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

/* A name beside `path` that nobody else uses is found by trying: this is the one to try for the `try`th time. */
static void name_beside(const char *path, unsigned try, char *temporary, size_t room)
{
	snprintf(temporary, room, "%.*s.sahm-%ld-%u", (int)(base_name(path) - path), path, (long)getpid(), try);
}

/* Creates a file of its own beside `path`, whose name is put into `temporary`. */
static int create_beside(const char *path, mode_t mode, char *temporary, size_t room)
{
	int fd;
	unsigned try = 0;
	do {
		name_beside(path, try, temporary, room);
		fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	} while (fd < 0 && errno == EEXIST && try++ < MAX_TRIES);
	return fd;
}

/* By which linkat() finds a file that has no name. */
static void name_descriptor(int fd, char name[TEMPORARY_ROOM])
{
	snprintf(name, TEMPORARY_ROOM, "/proc/self/fd/%d", fd);
}

/* Creates a file without a name in the folder of `path`, which vanishes with the process however that ends. -1 where
 * the file system has no such files, or nothing could give it a name later: NFS, FAT, a system without /proc. */
static int create_nameless(const char *path, mode_t mode)
{
	char name[TEMPORARY_ROOM], *folder = folder_of(path);
	int fd = folder ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode) : -1;
	free(folder);
	if (fd < 0)
		return -1;
	name_descriptor(fd, name);
	if (access(name, F_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Puts a file without a name in its place. Where one is there that is replaced, a link cannot do it, only a rename can:
 * for that moment it is called f->temporary, and signals wait. 0, or an errno. */
static int place_nameless(struct atomic_file *f, int fd)
{
	char name[TEMPORARY_ROOM];
	struct signal_hold hold;
	unsigned try = 0;
	name_descriptor(fd, name);
	if (linkat(AT_FDCWD, name, AT_FDCWD, f->path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno != EEXIST || f->is_new)
		return errno;
	signal_hold_begin(&hold);
	int failed, cause = 0;
	do {
		name_beside(f->path, try, f->temporary, strlen(f->path) + TEMPORARY_ROOM);
		failed = linkat(AT_FDCWD, name, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW);
	} while (failed && errno == EEXIST && try++ < MAX_TRIES);
	if (failed) {
		cause = errno;
	} else if (rename(f->temporary, f->path) != 0) {
		cause = errno;
		unlink(f->temporary);
	}
	*f->temporary = '\0';
	signal_hold_end(&hold);
	return cause;
}

/* Puts a file that has a name in its place. 0, or an errno. */
static int place_named(const struct atomic_file *f)
{
	if (!f->is_new)
		return rename(f->temporary, f->path) == 0 ? 0 : errno;
	if (renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path, RENAME_NOREPLACE) == 0)
		return 0;
	/* NFS has links, but not this kind of rename. */
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	if (link(f->temporary, f->path) != 0)
		return errno;
	unlink(f->temporary);
	return 0;
}

/* The descriptor that `path` is a name of, or -1. Opened by that name, a regular file would be written to from its
 * beginning on, or replaced, whatever has been printed to it before. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	uint64_t fd;
	if (strcmp(path, "/dev/stdin") == 0)
		return STDIN_FILENO;
	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		const char *digits = path + strlen(folders[i]);
		if (strncmp(path, folders[i], strlen(folders[i])) == 0 &&
		    number_read_u64(digits, strlen(digits), &fd) == NUMBER_OK && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

/* A descriptor of its own for what `descriptor` writes to. Those that this program has opened itself, all of them
 * closed on exec, are nobody else's to name. */
static int duplicate(int descriptor)
{
	int of_descriptor = fcntl(descriptor, F_GETFD), of_file = fcntl(descriptor, F_GETFL);
	if (of_descriptor < 0 || of_descriptor & FD_CLOEXEC || (of_file & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		return -1;
	}
	return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

/* The descriptor of a file that has no name, or only a temporary one; `room` is that of f->temporary. */
static int create(struct atomic_file *f, size_t room, mode_t mode)
{
	*f->temporary = '\0';
	int fd = create_nameless(f->path, mode);
	return fd >= 0 ? fd : create_beside(f->path, mode, f->temporary, room);
}

/* Gives it the stream of `fd`, which is -1 and an errno where nothing could be opened. */
static enum sahm_status open_stream(struct atomic_file *f, int fd, const char *path, struct sahm_err *err)
{
	f->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
	if (f->stream)
		return SAHM_OK;
	int cause = errno;
	if (fd >= 0) {
		close(fd);
		remove_temporary(f);
	}
	release(f);
	return sahm_fail(err, cause == ENOMEM ? SAHM_NOMEM : SAHM_IO, "cannot create '%s': %s", path, strerror(cause));
}

bool file_would_replace(const char *path)
{
	struct stat st;
	return descriptor_of(path) < 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

enum sahm_status file_refuse_existing(const char *path, struct sahm_err *err)
{
	return file_would_replace(path) ? sahm_fail(err, SAHM_USAGE, FILE_EXISTS "; --force replaces it", path)
					: SAHM_OK;
}

enum sahm_status atomic_file_open(struct atomic_file *f, const char *path, struct sahm_err *err)
{
	return atomic_file_begin(f, path, true, err);
}

enum sahm_status atomic_file_begin(struct atomic_file *f, const char *path, bool replaces, struct sahm_err *err)
{
	struct stat st;
	/* A pipe, terminal or device cannot be replaced by a rename, and must not be: it is written to as it is, by the
	 * name that was given; a link in /dev may lead to what has no other. */
	int descriptor = descriptor_of(path);
	bool exists = stat(path, &st) == 0;
	bool as_it_is = descriptor >= 0 || (exists && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
	if (!*path || (exists && S_ISDIR(st.st_mode))) {
		*f = (struct atomic_file){0};
		return sahm_fail(err, SAHM_IO, "cannot create '%s': %s", path, strerror(*path ? EISDIR : ENOENT));
	}
	if (!replaces && exists && !as_it_is) {
		*f = (struct atomic_file){0};
		return sahm_fail(err, SAHM_USAGE, FILE_EXISTS, path);
	}
	/* Else a link is followed: its target is replaced, not the link. One that leads nowhere is refused. */
	char *real = as_it_is ? NULL : realpath(path, NULL);
	if (!real && !as_it_is && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
		int lost = errno;
		*f = (struct atomic_file){0};
		return sahm_fail(err, SAHM_IO, "cannot create '%s', a link: %s", path, strerror(lost));
	}
	size_t room = strlen(real ? real : path) + TEMPORARY_ROOM;
	*f = (struct atomic_file){
		.path = real ? real : strdup(path), .temporary = malloc(room), .is_new = !replaces && !as_it_is};
	if (!f->path || !f->temporary) {
		release(f);
		return sahm_fail_nomem(err);
	}
	int fd;
	if (as_it_is) {
		free(f->temporary);
		f->temporary = NULL;
		fd = descriptor >= 0 ? duplicate(descriptor) : open(f->path, O_WRONLY | O_CLOEXEC);
	} else {
		fd = create(f, room, 0666);
		/* A file that is replaced stays as private as it was. */
		if (fd >= 0 && exists)
			(void)fchmod(fd, st.st_mode & 0777);
	}
	return open_stream(f, fd, path, err);
}

enum sahm_status atomic_file_create(struct atomic_file *f, const char *path, mode_t mode, struct sahm_err *err)
{
	size_t room = strlen(path) + TEMPORARY_ROOM;
	*f = (struct atomic_file){.path = strdup(path), .temporary = malloc(room), .is_new = true};
	if (!f->path || !f->temporary) {
		release(f);
		return sahm_fail_nomem(err);
	}
	return open_stream(f, create(f, room, mode), path, err);
}

void atomic_file_abort(struct atomic_file *f)
{
	if (f->stream)
		fclose(f->stream);
	remove_temporary(f);
	release(f);
}

int file_sync_name(const char *path)
{
	char folder[PATH_MAX];
	size_t len = strlen(path);
	int cause = 0;
	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len > 0 && path[len - 1] != '/')
		len--;
	if (len >= sizeof(folder))
		return ENAMETOOLONG;
	snprintf(folder, sizeof(folder), "%.*s", len > 0 ? (int)len : 1, len > 0 ? path : ".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Some file systems cannot sync folders, and some folders cannot be read: that is no failure. */
	if (fd >= 0 && fsync(fd) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
		cause = errno;
	if (fd >= 0)
		close(fd);
	return cause;
}

/* Why something could not be written: stdio remembers only that. A failed write fails again: to write what is left in
 * the buffer, or else a byte more, which does no harm to a file that is thrown away. A pipe or device gets no such
 * byte. */
static int cause_of_failure(const struct atomic_file *f)
{
	if (fflush(f->stream) != 0 || write(fileno(f->stream), "", f->temporary ? 1 : 0) < 0)
		return errno;
	return EIO;
}

enum sahm_status atomic_file_commit(struct atomic_file *f, struct sahm_err *err)
{
	int cause = 0;
	errno = 0;
	if (ferror(f->stream))
		cause = cause_of_failure(f);
	else if (fflush(f->stream) != 0 || (f->temporary && fsync(fileno(f->stream)) != 0))
		cause = errno ? errno : EIO;
	bool has_name = f->temporary && *f->temporary;
	if (!cause && f->temporary && !has_name)
		cause = place_nameless(f, fileno(f->stream));
	/* After fsync() there is nothing left that closing could fail to write. */
	if (fclose(f->stream) != 0 && !cause && !f->temporary)
		cause = errno;
	f->stream = NULL;
	if (!cause && has_name)
		cause = place_named(f);
	if (!cause && f->temporary) {
		*f->temporary = '\0';
		cause = file_sync_name(f->path);
		/* A file that replaced nothing can be as it was before; else the next call replaces it again. */
		if (cause && f->is_new)
			unlink(f->path);
	}
	if (cause) {
		bool is_taken = f->is_new && cause == EEXIST;
		enum sahm_status status = is_taken ? SAHM_USAGE : cause == ENOMEM ? SAHM_NOMEM : SAHM_IO;
		if (is_taken)
			sahm_fail(err, status, FILE_EXISTS, f->path);
		else
			sahm_fail(err, status, "cannot write '%s': %s", f->path, strerror(cause));
		atomic_file_abort(f);
		return status;
	}
	release(f);
	return SAHM_OK;
}

enum sahm_status file_make_folder(const char *folder, struct sahm_err *err)
{
	struct stat st;
	int cause = mkdir(folder, 0777) == 0 ? file_sync_name(folder) : errno;
	if (!cause)
		return SAHM_OK;
	if (cause == EEXIST && stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot create folder '%s': %s", folder,
			 cause == EEXIST ? "a file is called so" : strerror(cause));
}

enum sahm_status file_remove(const char *path, struct sahm_err *err)
{
	if (unlink(path) == 0 || errno == ENOENT)
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot replace '%s': %s", path, strerror(errno));
}

enum sahm_status file_write(const char *path, const void *bytes, size_t len, struct sahm_err *err)
{
	return file_put(path, true, bytes, len, err);
}

enum sahm_status file_put(const char *path, bool replaces, const void *bytes, size_t len, struct sahm_err *err)
{
	struct atomic_file f;
	enum sahm_status status = atomic_file_begin(&f, path, replaces, err);
	if (status != SAHM_OK)
		return status;
	fwrite(bytes, 1, len, f.stream);
	return atomic_file_commit(&f, err);
}
