#include "sim/queue/file_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/queue/bundle_internal.h"
#include "sim/queue/file_cache_internal.h"

#define PIECE_BYTES ((size_t)64 << 10)

bool file_cache_write(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;
	while (len > 0) {
		ssize_t done = write(fd, p, len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		p += done;
		len -= (size_t)done;
	}
	return true;
}

bool file_cache_hashes_to(int fd, const uint8_t hash[HASH_BYTES])
{
	uint8_t found[HASH_BYTES];
	struct hash h;
	char *buf = malloc(PIECE_BYTES);
	ssize_t got = buf ? 1 : -1;
	hash_init(&h);
	while (got > 0 || (got < 0 && buf && errno == EINTR)) {
		got = read(fd, buf, PIECE_BYTES);
		if (got > 0)
			hash_add(&h, buf, (size_t)got);
	}
	hash_end(&h, found);
	free(buf);
	return got == 0 && memcmp(found, hash, HASH_BYTES) == 0;
}

bool file_cache_is_own(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int file_cache_open_file(int folder, const char *name, uint64_t *bytes)
{
	struct stat st;
	/* Of a regular file O_NONBLOCK means nothing. */
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && file_cache_is_own(fd)) {
		*bytes = (uint64_t)st.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

/* Makes the folder and those above it, for nobody else to look into. */
static enum sahm_status make_folders(const char *folder, struct sahm_err *err)
{
	char *path = strdup(folder);
	struct stat st;
	if (!path)
		return sahm_fail_nomem(err);
	int cause = 0;
	for (char *p = path + 1; *path && !cause; p++) {
		const char was = *p;
		if (was != '/' && was != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)))
			cause = errno;
		*p = was;
		if (was == '\0')
			break;
	}
	free(path);
	return cause ? sahm_fail(err, SAHM_IO, "cannot create folder '%s': %s", folder, strerror(cause)) : SAHM_OK;
}

/* A file that another user can write may change after it was verified. `name` is NULL for the folder itself. */
static enum sahm_status check_owner(int fd, const char *folder, const char *name, struct sahm_err *err)
{
	struct stat st;
	const char *slash = name ? "/" : "", *last = name ? name : "";
	if (fstat(fd, &st) != 0)
		return sahm_fail(err, SAHM_IO, "cannot open folder '%s%s%s': %s", folder, slash, last, strerror(errno));
	if (st.st_uid != geteuid())
		return sahm_fail(
			err, SAHM_IO,
			"the folder '%s%s%s' belongs to another user (UID %lu): choose a folder of the worker's "
			"user",
			folder, slash, last, (unsigned long)st.st_uid);
	if (!file_cache_is_own(fd))
		return sahm_fail(err, SAHM_IO,
				 "others can write to the folder '%s%s%s' (mode %04o): `chmod go-w` makes it "
				 "one that files of the queue can be kept in",
				 folder, slash, last, (unsigned)st.st_mode & 07777);
	return SAHM_OK;
}

static enum sahm_status open_room(struct file_cache *cache, int folder, const char *name, int *fd, struct sahm_err *err)
{
	if (mkdirat(folder, name, 0700) == 0 || errno == EEXIST)
		*fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *fd >= 0 ? check_owner(*fd, cache->folder, name, err)
			: sahm_fail(err, SAHM_IO, "cannot open folder '%s/%s': %s", cache->folder, name,
				    strerror(errno));
}

static enum sahm_status open_folders(struct file_cache *cache, const char *folder, struct sahm_err *err)
{
	enum sahm_status status = make_folders(folder, err);
	if (status != SAHM_OK)
		return status;
	char *real = realpath(folder, NULL);
	int fd = real ? open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0) {
		status = sahm_fail(err, SAHM_IO, "cannot open folder '%s': %s", folder, strerror(errno));
		free(real);
		return status;
	}
	cache->folder = arena_strdup(&cache->arena, real);
	free(real);
	status = cache->folder ? check_owner(fd, cache->folder, NULL, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = open_room(cache, fd, "files", &cache->files, err);
	if (status == SAHM_OK)
		status = open_room(cache, fd, "bundles", &cache->bundles, err);
	close(fd);
	return status;
}

enum sahm_status file_cache_open(struct file_cache **cache, const char *folder, uint64_t max_bytes,
				 struct sahm_err *err)
{
	struct file_cache *made = calloc(1, sizeof(*made));
	if (!made)
		return sahm_fail_nomem(err);
	made->files = made->bundles = -1;
	for (unsigned i = 0; i < MAX_HELD_BUNDLES; i++)
		made->held[i] = -1;
	made->max_bytes = max_bytes;
	strtable_init(&made->verified, &made->arena);
	strtable_init(&made->placed, &made->arena);
	enum sahm_status status = open_folders(made, folder, err);
	/* Leftovers of interrupted processes are removed even if there is room. */
	if (status == SAHM_OK)
		status = file_cache_make_room(made, 0, err);
	if (status != SAHM_OK && status != SAHM_RANGE) {
		file_cache_free(made);
		return status;
	}
	*cache = made;
	return SAHM_OK;
}

static void close_folder(int *folder)
{
	if (*folder >= 0)
		close(*folder);
	*folder = -1;
}

enum sahm_status file_cache_reopen(struct file_cache *cache, struct sahm_err *err)
{
	close_folder(&cache->files);
	close_folder(&cache->bundles);
	strtable_init(&cache->verified, &cache->arena);
	strtable_init(&cache->placed, &cache->arena);
	cache->counted_ns = 0;
	return open_folders(cache, cache->folder, err);
}

void file_cache_free(struct file_cache *cache)
{
	if (!cache)
		return;
	for (unsigned i = 0; i < MAX_HELD_BUNDLES; i++)
		if (cache->held[i] >= 0)
			close(cache->held[i]);
	close_folder(&cache->files);
	close_folder(&cache->bundles);
	free(cache->plugins);
	arena_release(&cache->arena);
	free(cache);
}

bool file_cache_has(struct file_cache *cache, const uint8_t hash[HASH_BYTES], uint64_t bytes)
{
	char hex[HASH_HEX_BYTES];
	uint64_t has = 0;
	struct stat st;
	hash_hex(hash, hex);
	int fd = file_cache_open_file(cache->files, hex, &has);
	if (fd < 0) {
		/* A link, say: files that cannot be opened must not block others. */
		if (fstatat(cache->files, hex, &st, AT_SYMLINK_NOFOLLOW) == 0)
			file_cache_remove(cache->files, hex);
		return false;
	}
	const uint32_t *verified = strtable_find(&cache->verified, hex);
	bool is_right = verified && *verified && has == bytes;
	if (!is_right) {
		is_right = has <= MAX_BUNDLE_FILE_BYTES && file_cache_hashes_to(fd, hash);
		if (!is_right)
			file_cache_remove(cache->files, hex);
		uint32_t *row = strtable_at(&cache->verified, hex);
		if (row)
			*row = is_right;
	}
	if (is_right)
		(void)futimens(fd, NULL);
	close(fd);
	/* Of a file that is right, who announces another length is wrong. */
	return is_right && has == bytes;
}

enum sahm_status file_cache_add_plugin(struct file_cache *cache, const char *path, uint8_t hash[HASH_BYTES],
				       struct sahm_err *err)
{
	uint64_t bytes;
	enum sahm_status status = bundle_hash_file(path, hash, &bytes, err);
	if (status != SAHM_OK)
		return status;
	char *real = realpath(path, NULL);
	if (!real)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	struct own_plugin *more = realloc(cache->plugins, (cache->nr_plugins + 1) * sizeof(*more));
	const char *copy = more ? arena_strdup(&cache->arena, real) : NULL;
	free(real);
	cache->plugins = more ? more : cache->plugins;
	if (!copy)
		return sahm_fail_nomem(err);
	struct own_plugin *plugin = &cache->plugins[cache->nr_plugins++];
	plugin->path = copy;
	memcpy(plugin->hash, hash, HASH_BYTES);
	return SAHM_OK;
}

struct arriving_file {
	struct file_cache *cache;
	uint8_t hash[HASH_BYTES]; /* announced */
	struct hash so_far;
	uint64_t bytes, arrived;
	int fd;
	char name[TEMPORARY_BYTES];
};

static enum sahm_status fail_write(const struct arriving_file *file, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_IO, "cannot write into '%s': %s", file->cache->folder, strerror(errno));
}

enum sahm_status file_cache_begin(struct file_cache *cache, const uint8_t hash[HASH_BYTES], uint64_t bytes,
				  struct arriving_file **file, struct sahm_err *err)
{
	if (bytes > MAX_BUNDLE_FILE_BYTES)
		return sahm_fail(err, SAHM_RANGE, "a file of %llu bytes is larger than %llu MiB",
				 (unsigned long long)bytes, (unsigned long long)(MAX_BUNDLE_FILE_BYTES >> 20));
	enum sahm_status status = file_cache_make_room(cache, bytes, err);
	if (status != SAHM_OK)
		return status;
	/* Hashing needs a stricter alignment than malloc() guarantees. */
	struct arriving_file *made = aligned_alloc(_Alignof(struct arriving_file), sizeof(*made));
	if (!made)
		return sahm_fail_nomem(err);
	*made = (struct arriving_file){.cache = cache, .bytes = bytes};
	memcpy(made->hash, hash, HASH_BYTES);
	hash_init(&made->so_far);
	do {
		file_cache_name_temporary(cache, made->name);
		made->fd = openat(cache->files, made->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	} while (made->fd < 0 && errno == EEXIST);
	/* As long as it will be, so that others who count see what it takes. */
	if (made->fd < 0 || ftruncate(made->fd, (off_t)bytes) != 0) {
		status = fail_write(made, err);
		arriving_file_abort(made);
		return status;
	}
	*file = made;
	return SAHM_OK;
}

enum sahm_status arriving_file_add(struct arriving_file *file, const void *bytes, size_t len, struct sahm_err *err)
{
	if (len > file->bytes - file->arrived)
		return sahm_fail(err, SAHM_CHECKSUM, "a file that was announced with %llu bytes has more",
				 (unsigned long long)file->bytes);
	if (!file_cache_write(file->fd, bytes, len))
		return fail_write(file, err);
	hash_add(&file->so_far, bytes, len);
	file->arrived += len;
	return SAHM_OK;
}

/* Puts what is complete where it belongs. */
static enum sahm_status finish(struct arriving_file *file, struct sahm_err *err)
{
	struct file_cache *cache = file->cache;
	uint8_t hash[HASH_BYTES];
	char hex[HASH_HEX_BYTES];
	struct hash h = file->so_far;
	hash_end(&h, hash);
	hash_hex(file->hash, hex);
	if (file->arrived != file->bytes || memcmp(hash, file->hash, HASH_BYTES) != 0)
		return sahm_fail(err, SAHM_CHECKSUM, "a file that arrived is not the one that was announced, %s", hex);
	/* Nobody has a reason to write it again. */
	if (fchmod(file->fd, 0400) != 0 || fsync(file->fd) != 0 ||
	    renameat(cache->files, file->name, cache->files, hex) != 0)
		return fail_write(file, err);
	(void)fsync(cache->files);
	close(file->fd);
	file->fd = -1;
	uint32_t *row = strtable_at(&cache->verified, hex);
	if (row)
		*row = 1;
	free(file);
	return SAHM_OK;
}

enum sahm_status arriving_file_end(struct arriving_file *file, struct sahm_err *err)
{
	enum sahm_status status = finish(file, err);
	if (status != SAHM_OK)
		arriving_file_abort(file);
	return status;
}

void arriving_file_abort(struct arriving_file *file)
{
	if (!file)
		return;
	struct file_cache *cache = file->cache;
	if (file->fd >= 0) {
		close(file->fd);
		(void)unlinkat(cache->files, file->name, 0);
	}
	cache->used_bytes -= cache->used_bytes > file->bytes ? file->bytes : cache->used_bytes;
	free(file);
}

void file_cache_default(struct textbuf *folder)
{
	const char *own = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	/* One that is relative means nothing (XDG Base Directory Specification). */
	if (own && *own == '/')
		textbuf_printf(folder, "%s/sahm", own);
	else if (home && *home == '/')
		textbuf_printf(folder, "%s/.cache/sahm", home);
}
