/* Between the files of the cache. */
#ifndef SAHM_SIM_QUEUE_FILE_CACHE_INTERNAL_H
#define SAHM_SIM_QUEUE_FILE_CACHE_INTERNAL_H

#include "sim/base/strtable.h"
#include "sim/queue/file_cache.h"

#define TEMPORARY_BYTES 64u

/* Bundles whose folders nobody removes while this process has them. */
#define MAX_HELD_BUNDLES 32u

struct own_plugin {
	uint8_t hash[HASH_BYTES];
	const char *path; /* absolute */
};

struct file_cache {
	struct arena arena; /* of all strings and of the tables */
	const char *folder; /* absolute */
	int files, bundles; /* its two folders */
	uint64_t max_bytes;
	struct strtable verified; /* hash of a file, as its name: 1 since it was found right */
	struct strtable placed;	  /* the same of bundles' folders */
	struct own_plugin *plugins;
	size_t nr_plugins;
	int held[MAX_HELD_BUNDLES]; /* folders with a shared lock, or -1 */
	unsigned next_held;
	uint64_t used_bytes, counted_ns; /* by clock_ns(CLOCK_MONOTONIC); 0: never */
	unsigned nr_temporaries;	 /* that were made so far */
};

/* Makes room for `bytes` more, which count as used from then on. SAHM_RANGE, SAHM_IO, SAHM_NOMEM. */
enum sahm_status file_cache_make_room(struct file_cache *cache, uint64_t bytes, struct sahm_err *err);

/* Name of the next temporary file or folder; it may be there. */
void file_cache_name_temporary(struct file_cache *cache, char name[TEMPORARY_BYTES]);

/* Removes what is called `name` in `folder`, with all that is in it; links are not followed. What cannot be removed
 * stays. */
void file_cache_remove(int folder, const char *name);

/* Whether what is open belongs to the user, and nobody else can write to it. */
bool file_cache_is_own(int fd);

/* Opens the regular file `name` of `folder`, and no link; -1: it is not there, not the user's own, or something else.
 */
int file_cache_open_file(int folder, const char *name, uint64_t *bytes);

/* Whether the rest of `fd` has `hash`. */
bool file_cache_hashes_to(int fd, const uint8_t hash[HASH_BYTES]);

/* Writes all of it. */
bool file_cache_write(int fd, const void *bytes, size_t len);

#endif
