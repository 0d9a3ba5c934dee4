/* Room in a cache: what is there, and what may go. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/queue/file_cache_internal.h"

/* What is being made has a name that begins so; a process that dies leaves it, and after an hour anybody removes it. */
#define TEMPORARY_PREFIX ".making-"
#define TEMPORARY_AGE_S 3600
/* What was used within this time stays. */
#define KEPT_AGE_S (24 * 3600)
/* How long what was counted on disk is believed: others add to it, too. */
#define COUNT_AGE_S 10u

/* Deepest that something in the cache is: bundles, a bundle, a number, a file. */
#define MAX_DEPTH 8u

/* Something of the cache that could go. */
struct entry {
	char name[HASH_HEX_BYTES];
	struct timespec used; /* last */
	uint64_t bytes;	      /* that its removal frees */
};

struct entries {
	struct entry *at;
	size_t nr, room;
	uint64_t bytes; /* of all, those that cannot go included */
};

/* Calls `each` for what is in `folder`; links are not followed. False without memory. */
static bool walk_folder(int folder, bool (*each)(void *ctx, int folder, const char *name, const struct stat *st),
			void *ctx)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	bool fine = true;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return true;
	}
	while (fine && (e = readdir(dir))) {
		struct stat st;
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			fine = each(ctx, folder, e->d_name, &st);
	}
	closedir(dir);
	return fine;
}

static void remove_below(int folder, const char *name, unsigned depth);

static bool remove_each(void *ctx, int folder, const char *name, const struct stat *st)
{
	const unsigned *depth = ctx;
	(void)st;
	remove_below(folder, name, *depth);
	return true;
}

static void remove_below(int folder, const char *name, unsigned depth)
{
	if (unlinkat(folder, name, 0) == 0 || depth == MAX_DEPTH)
		return;
	unsigned below = depth + 1;
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	walk_folder(fd, remove_each, &below);
	close(fd);
	(void)unlinkat(folder, name, AT_REMOVEDIR);
}

void file_cache_remove(int folder, const char *name)
{
	remove_below(folder, name, 0);
}

static bool is_old(const struct stat *st, time_t age_s)
{
	return time(NULL) - st->st_mtime > age_s;
}

void file_cache_name_temporary(struct file_cache *cache, char name[TEMPORARY_BYTES])
{
	snprintf(name, TEMPORARY_BYTES, TEMPORARY_PREFIX "%ld-%u", (long)getpid(), cache->nr_temporaries++);
}

/* Whether it is being written: its bytes count unless its writer is gone. */
static bool is_temporary(int folder, const char *name, const struct stat *st, bool *removed)
{
	*removed = false;
	if (strncmp(name, TEMPORARY_PREFIX, strlen(TEMPORARY_PREFIX)) != 0)
		return false;
	*removed = is_old(st, TEMPORARY_AGE_S);
	if (*removed)
		file_cache_remove(folder, name);
	return true;
}

static bool add_entry(struct entries *list, const char *name, const struct stat *st, uint64_t bytes)
{
	if (strlen(name) >= sizeof(list->at->name))
		return true;
	if (list->nr == list->room) {
		const size_t room = list->room ? 2 * list->room : 256;
		struct entry *at = realloc(list->at, room * sizeof(*at));
		if (!at)
			return false;
		list->at = at;
		list->room = room;
	}
	struct entry *e = &list->at[list->nr++];
	*e = (struct entry){.used = st->st_mtim, .bytes = bytes};
	memcpy(e->name, name, strlen(name) + 1);
	return true;
}

/* A file that a bundle has, too, frees nothing when it goes here. */
static bool note_file(void *ctx, int folder, const char *name, const struct stat *st)
{
	struct entries *list = ctx;
	bool removed;
	const bool is_made = is_temporary(folder, name, st, &removed);
	if (!S_ISREG(st->st_mode) || removed)
		return true;
	list->bytes += (uint64_t)st->st_size;
	if (is_made || st->st_nlink > 1 || !is_old(st, KEPT_AGE_S))
		return true;
	return add_entry(list, name, st, (uint64_t)st->st_size);
}

/* What a folder has that stands nowhere else: plug-ins, configurations. */
static bool add_own_bytes(void *ctx, int folder, const char *name, const struct stat *st)
{
	uint64_t *bytes = ctx;
	if (S_ISREG(st->st_mode) && st->st_nlink == 1)
		*bytes += (uint64_t)st->st_size;
	int fd = S_ISDIR(st->st_mode) ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd >= 0) {
		walk_folder(fd, add_own_bytes, bytes);
		close(fd);
	}
	return true;
}

static bool note_bundle(void *ctx, int folder, const char *name, const struct stat *st)
{
	struct entries *list = ctx;
	uint64_t bytes = 0;
	bool removed;
	const bool is_made = is_temporary(folder, name, st, &removed);
	if (!S_ISDIR(st->st_mode) || removed)
		return true;
	add_own_bytes(&bytes, folder, name, st);
	list->bytes += bytes;
	return is_made || !is_old(st, KEPT_AGE_S) || add_entry(list, name, st, bytes);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	if (x->used.tv_nsec != y->used.tv_nsec)
		return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool list_entries(int folder, bool (*note)(void *ctx, int folder, const char *name, const struct stat *st),
			 struct entries *list)
{
	*list = (struct entries){0};
	if (!walk_folder(folder, note, list))
		return false;
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), compare_entries);
	return true;
}

/* Removes it unless it was used just now, or is in use. */
static bool evict_bundle(struct file_cache *cache, const char *name)
{
	char away[TEMPORARY_BYTES];
	struct stat st;
	int fd = openat(cache->bundles, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool goes = flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 && is_old(&st, KEPT_AGE_S);
	/* A process that has just opened it finds it gone, and makes it again. */
	if (goes) {
		file_cache_name_temporary(cache, away);
		goes = renameat(cache->bundles, name, cache->bundles, away) == 0;
	}
	if (goes)
		file_cache_remove(cache->bundles, away);
	close(fd);
	return goes;
}

/* What is there, and of that what may go: files, and the bundle that was used longest ago. */
static enum sahm_status evict(struct file_cache *cache, uint64_t bytes, bool *more)
{
	struct entries files, bundles = {0};
	bool fine =
		list_entries(cache->files, note_file, &files) && list_entries(cache->bundles, note_bundle, &bundles);
	uint64_t used = files.bytes + bundles.bytes;
	for (size_t i = 0; fine && i < files.nr && used + bytes > cache->max_bytes; i++)
		if (unlinkat(cache->files, files.at[i].name, 0) == 0)
			used -= files.at[i].bytes;
	*more = false;
	/* Files of its own are free then, and are seen by the next round. */
	for (size_t i = 0; fine && i < bundles.nr && used + bytes > cache->max_bytes && !*more; i++) {
		*more = evict_bundle(cache, bundles.at[i].name);
		used -= *more ? bundles.at[i].bytes : 0;
	}
	free(files.at);
	free(bundles.at);
	cache->used_bytes = used;
	return fine ? SAHM_OK : SAHM_NOMEM;
}

enum sahm_status file_cache_make_room(struct file_cache *cache, uint64_t bytes, struct sahm_err *err)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	const bool is_fresh = cache->counted_ns && now - cache->counted_ns < COUNT_AGE_S * NS_PER_S;
	/* Removes nothing for a file that can never fit. */
	bool more = bytes <= cache->max_bytes && (!is_fresh || cache->used_bytes + bytes > cache->max_bytes);
	while (more) {
		if (evict(cache, bytes, &more) != SAHM_OK)
			return sahm_fail_nomem(err);
		cache->counted_ns = now;
	}
	if (bytes > cache->max_bytes || cache->used_bytes > cache->max_bytes - bytes)
		return sahm_fail(err, SAHM_RANGE,
				 "no room for %llu bytes in '%s': %llu of %llu are used, and nothing there has been "
				 "unused for a day",
				 (unsigned long long)bytes, cache->folder, (unsigned long long)cache->used_bytes,
				 (unsigned long long)cache->max_bytes);
	cache->used_bytes += bytes;
	return SAHM_OK;
}
