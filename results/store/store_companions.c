/* The files beside a database: which of them SQLite may see. docs/security.md says against what this is a guard. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "sim/base/file.h"

/* Bytes of the file format of SQLite (sqlite.org/fileformat2.html): the header of a log, and of a database the two at
 * which the size of its pages stands. */
#define LOG_HEADER_BYTES 32
#define LOG_MAGIC 0x377f0682u /* checksums of little-endian words; one more: of big-endian ones */
#define LOG_VERSION 3007000u
#define PAGE_SIZE_AT 16

/* Steps in which SQLite lets the index of a log grow, and what it cuts an old one to before it is used again. */
#define INDEX_BYTES 4096
#define NEW_INDEX_BYTES 3

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little_endian(const unsigned char *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Whether a log's header is one of SQLite's, for pages of this size. */
static bool is_log_header(const unsigned char *header, uint32_t page_size)
{
	uint32_t (*word)(const unsigned char *) = big_endian(header) & 1 ? big_endian : little_endian;
	uint32_t one = 0, two = 0;
	for (size_t i = 0; i < LOG_HEADER_BYTES - 8; i += 8) {
		one += word(header + i) + two;
		two += word(header + i + 4) + one;
	}
	return (big_endian(header) & ~1u) == LOG_MAGIC && big_endian(header + 4) == LOG_VERSION &&
	       big_endian(header + 8) == page_size && big_endian(header + 24) == one && big_endian(header + 28) == two;
}

/* Whether the log can belong to the database. Its frames are SQLite's to check, by salts and checksums; from the first
 * one on that does not fit, it ignores them. A header that a power failure kept from the disk is missing or zero: then
 * nothing of the log counts. */
static bool is_log_of(const struct store *store, const char *path)
{
	static const unsigned char zeros[LOG_HEADER_BYTES];
	unsigned char header[LOG_HEADER_BYTES], size[2];
	int fd = file_open_regular(path, NULL);
	if (fd < 0)
		return false;
	ssize_t nr = pread(fd, header, sizeof(header), 0);
	close(fd);
	if (nr < 0 || pread(store->lock, size, sizeof(size), PAGE_SIZE_AT) != (ssize_t)sizeof(size))
		return false;
	if (memcmp(header, zeros, (size_t)nr) == 0)
		return true;
	/* A full disk may have kept the rest. */
	if (nr < (ssize_t)sizeof(header))
		return nr >= 4 && (big_endian(header) & ~1u) == LOG_MAGIC;
	uint32_t page_size = (uint32_t)size[0] << 8 | size[1];
	return is_log_header(header, page_size == 1 ? 65536 : page_size);
}

/* What is wrong with a companion; NULL: nothing. */
static const char *fault_of(const struct store *store, enum store_companion which, const char *path,
			    const struct stat *st, uid_t owner)
{
	if (S_ISLNK(st->st_mode))
		return "is a symbolic link";
	if (S_ISDIR(st->st_mode))
		return "is a folder";
	if (S_ISFIFO(st->st_mode))
		return "is a FIFO";
	if (!S_ISREG(st->st_mode))
		return "is not a regular file";
	if (st->st_uid != owner && st->st_uid != geteuid())
		return "belongs to another user";
	if (st->st_nlink > 1)
		return "has other names (hard links)";
	if (which == STORE_JOURNAL && st->st_size > 0)
		return "is a rollback journal, and sahm makes none";
	if (which == STORE_LOG && st->st_size > 0 && !is_log_of(store, path))
		return "is not the log of this database";
	if (which == STORE_INDEX && st->st_size % INDEX_BYTES != 0 && st->st_size != NEW_INDEX_BYTES)
		return "is not the index of a log";
	return NULL;
}

static const char *const ends[] = {[STORE_JOURNAL] = "-journal", [STORE_LOG] = "-wal", [STORE_INDEX] = "-shm"};

enum sahm_status store_check_companions(const struct store *store, bool *has_log, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct stat own, st;
	*has_log = false;
	if (fstat(store->lock, &own) != 0)
		return sahm_fail(err, SAHM_IO, "cannot read results file '%s': %s", store->path, strerror(errno));
	for (enum store_companion i = 0; i < ARRAY_SIZE(ends) && status == SAHM_OK; i++) {
		char *path = sqlite3_mprintf("%s%s", store->file, ends[i]);
		if (!path)
			return sahm_fail_nomem(err);
		if (lstat(path, &st) == 0) {
			const char *fault = fault_of(store, i, path, &st, own.st_uid);
			if (fault)
				status = sahm_fail(err, SAHM_FORMAT, "cannot use results file '%s': '%s' %s",
						   store->path, path, fault);
			*has_log |= i == STORE_LOG && st.st_size > 0;
		} else if (errno != ENOENT) {
			status = sahm_fail(err, SAHM_IO, "cannot read '%s': %s", path, strerror(errno));
		}
		sqlite3_free(path);
	}
	return status;
}

void store_remove_companions(const struct store *store)
{
	for (enum store_companion i = 0; i < ARRAY_SIZE(ends); i++) {
		char *path = sqlite3_mprintf("%s%s", store->file, ends[i]);
		if (path)
			unlink(path);
		sqlite3_free(path);
	}
}
