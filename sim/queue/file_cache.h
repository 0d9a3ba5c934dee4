/* Files by the hash of their bytes, on a worker's disk.
 *
 * A folder with `files/<hash>`, and `bundles/<hash>/` with links to them, as bundles name them. Several workers may
 * share it: a file appears complete (temporary file, fsync, rename) and never changes. A process verifies each file
 * the first time it uses it. Files unused for a day are removed when room is needed. */
#ifndef SAHM_SIM_QUEUE_FILE_CACHE_H
#define SAHM_SIM_QUEUE_FILE_CACHE_H

#include "sim/queue/bundle.h"

struct file_cache;

/* Opens the cache in `folder`, which is made where there is none (as are the folders above it); it holds at most
 * `max_bytes`. On success the caller frees it. SAHM_IO, also where a folder of it belongs to another user, or others
 * can write to it; SAHM_NOMEM. */
enum sahm_status file_cache_open(struct file_cache **cache, const char *folder, uint64_t max_bytes,
				 struct sahm_err *err);
/* Recreates its folder if it was removed, and forgets which files were verified. SAHM_IO, SAHM_NOMEM. */
enum sahm_status file_cache_reopen(struct file_cache *cache, struct sahm_err *err);
/* NULL is fine. What is on disk stays. */
void file_cache_free(struct file_cache *cache);

/* Whether the file is there, `bytes` long and with the right hash; one that is not right is removed. */
bool file_cache_has(struct file_cache *cache, const uint8_t hash[HASH_BYTES], uint64_t bytes);

/* Tells the cache of a plug-in on this machine's disk, by the hash of its bytes (put into `hash`). SAHM_IO,
 * SAHM_NOMEM. */
enum sahm_status file_cache_add_plugin(struct file_cache *cache, const char *path, uint8_t hash[HASH_BYTES],
				       struct sahm_err *err);

/* A file that arrives in pieces. */
struct arriving_file;
/* SAHM_RANGE: there is no room for it. SAHM_IO, SAHM_NOMEM. */
enum sahm_status file_cache_begin(struct file_cache *cache, const uint8_t hash[HASH_BYTES], uint64_t bytes,
				  struct arriving_file **file, struct sahm_err *err);
enum sahm_status arriving_file_add(struct arriving_file *file, const void *bytes, size_t len, struct sahm_err *err);
/* It is there, or SAHM_CHECKSUM: it is not what was announced; SAHM_IO. Frees `file` either way. */
enum sahm_status arriving_file_end(struct arriving_file *file, struct sahm_err *err);
/* Gives it up. NULL is fine. */
void arriving_file_abort(struct arriving_file *file);

/* Makes the folder of a bundle, all of whose files are there, and appends its path, absolute, to `folder`. SAHM_IO;
 * SAHM_CONFIG: a plug-in is not one of this machine's, which the message names with its hash. */
enum sahm_status file_cache_place(struct file_cache *cache, const struct bundle *b, struct textbuf *folder,
				  struct sahm_err *err);

/* Appends the folder that is meant where none is given: sahm in $XDG_CACHE_HOME, or in .cache of $HOME; nothing where
 * there is neither. */
void file_cache_default(struct textbuf *folder);

#endif
