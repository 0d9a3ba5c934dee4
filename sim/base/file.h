/* Whole files: reading one into memory, and writing one that is either complete or not there. */
#ifndef SAHM_SIM_BASE_FILE_H
#define SAHM_SIM_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "sim/base/err.h"
#include "sim/base/hash.h"

/* Reads all of `path` ("-": standard input) into *text, with a closing NUL that *len does not count; the
 * caller frees it. Fails with SAHM_IO, SAHM_NOMEM, or SAHM_FORMAT when there are more than `max_bytes`. */
enum sahm_status file_read(const char *path, size_t max_bytes, char **text, size_t *len, struct sahm_err *err);

/* Opens `path` for reading if it is a regular file, without being held up by one that is not: a pipe that nobody writes
 * to, a device without an end. -1: SAHM_IO is what is in *err. */
int file_open_regular(const char *path, struct sahm_err *err);

/* file_read() of a regular file; "-" is one that is called so. */
enum sahm_status file_read_regular(const char *path, size_t max_bytes, char **text, size_t *len, struct sahm_err *err);

/* Hashes a regular file, of which *bytes are read. SAHM_IO; SAHM_RANGE: it has more than `most`. */
enum sahm_status file_hash_regular(const char *path, uint64_t most, uint8_t hash[HASH_BYTES], uint64_t *bytes,
				   struct sahm_err *err);

/* The same in hexadecimal, of any length. SAHM_IO. */
enum sahm_status file_hash_hex(const char *path, char hex[HASH_HEX_BYTES], struct sahm_err *err);

/* Of the regular file of `fd`; 0 where there is none, or its size says nothing. */
uint64_t file_bytes(int fd);

/* Message for a file (%s) that became shorter than it was when reading began: what was read
 * may end anywhere. */
#define FILE_SHRANK "'%s' became shorter while it was read"

/* file_read() of what `fd` has been opened for, which is called `path` in messages. */
enum sahm_status file_read_open(int fd, const char *path, size_t max_bytes, char **text, size_t *len,
				struct sahm_err *err);

/* What stands for standard input in messages. */
#define STDIN_LABEL "<stdin>"

/* How `path` is called in messages: itself, or STDIN_LABEL for "-". */
const char *file_label(const char *path);

/* The last part of `path`, after its last '/'; its folder is the part before it. */
const char *base_name(const char *path);

bool text_ends_in(const char *text, const char *ending);

/* Whether `cause`, an errno of stat(), access() or realpath(), says that there is no such file. Any other one says that
 * nobody could look, and another file must not be taken for it. */
bool file_is_absent(int cause);

/* Where the file is that `path` leads to by a link: `path` itself where it is none, or leads nowhere. For what belongs
 * to a file and stands beside it. The caller frees it; NULL when there is no memory. */
char *file_behind_links(const char *path);

/* Makes the names in the folder of `path` survive a power failure: an fsync() of a file does not do that for its name.
 * 0, or an errno. */
int file_sync_name(const char *path);

/* Creates the folder `folder` unless it is there; the one that holds it must be. SAHM_IO. */
enum sahm_status file_make_folder(const char *folder, struct sahm_err *err);

/* A file in the making, which atomic_file_commit() puts in the target's place: one without a name, of which nothing is
 * left whatever ends the process, or, on file systems that have no such files, one called .sahm-PID-N beside the
 * target. `temporary` is the name that it has just now, "" for none; NULL: the target is written to as it is. */
struct atomic_file {
	FILE *stream;
	char *path, *temporary;
	bool is_new; /* it replaces nothing */
};

/* Begins to write `path`. On failure there is nothing to release. SAHM_IO, SAHM_NOMEM. */
enum sahm_status atomic_file_open(struct atomic_file *f, const char *path, struct sahm_err *err);

/* The same, but unless `replaces` a regular file at `path` is refused: now, or by atomic_file_commit() if it has
 * appeared since, with SAHM_USAGE. */
enum sahm_status atomic_file_begin(struct atomic_file *f, const char *path, bool replaces, struct sahm_err *err);

/* The message then. */
#define FILE_EXISTS "'%s' exists already"

/* Whether writing `path` would replace a regular file; pipes, devices and names of descriptors are written to as they
 * are. */
bool file_would_replace(const char *path);

/* Refuses that, where --force would allow it. SAHM_USAGE. */
enum sahm_status file_refuse_existing(const char *path, struct sahm_err *err);

/* The same for a file that must not be there yet, by the time of atomic_file_commit(), be it as a link. It has `mode`,
 * as far as the umask leaves it, from its beginning. */
enum sahm_status atomic_file_create(struct atomic_file *f, const char *path, mode_t mode, struct sahm_err *err);

/* Flushes, fsyncs, renames and fsyncs the folder; when this returns SAHM_OK the file is complete and survives a power
 * failure. Writes to the stream need not be
 * checked: one that failed fails this, with its cause where that can still be found. On failure the temporary
 * file is gone, and the target is as it was before, unless only the fsync of the folder failed. Releases `f` either
 * way. SAHM_IO, SAHM_NOMEM. */
enum sahm_status atomic_file_commit(struct atomic_file *f, struct sahm_err *err);

/* Gives up: removes the temporary file and releases `f`. */
void atomic_file_abort(struct atomic_file *f);

/* Removes the file `path`, if it is there, to make room for another one. SAHM_IO. */
enum sahm_status file_remove(const char *path, struct sahm_err *err);

/* Writes `path` in one go, complete or not at all. */
enum sahm_status file_write(const char *path, const void *bytes, size_t len, struct sahm_err *err);

/* The same, with `replaces` as of atomic_file_begin(). */
enum sahm_status file_put(const char *path, bool replaces, const void *bytes, size_t len, struct sahm_err *err);

#endif
