/* Folders of bundles: their files by numbers, beside the text. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/queue/bundle_internal.h"
#include "sim/queue/file_cache_internal.h"

/* How often a folder is looked for and made, when others remove it or make it meanwhile. */
#define MAX_ROUNDS 20u
/* Pause while somebody removes it. */
#define PAUSE_NS 50000000L

static const struct own_plugin *find_plugin(const struct file_cache *cache, const struct bundle_file *file)
{
	for (size_t i = 0; i < cache->nr_plugins; i++)
		if (memcmp(cache->plugins[i].hash, file->hash, HASH_BYTES) == 0)
			return &cache->plugins[i];
	return NULL;
}

/* Everything that the folder links to is present; plug-ins come from this machine, even if another one made the
 * folder. */
static enum sahm_status check_files(struct file_cache *cache, const struct bundle *b, struct sahm_err *err)
{
	for (uint32_t i = 0; i < b->nr_files; i++) {
		const struct bundle_file *file = &b->files[i];
		char hex[HASH_HEX_BYTES];
		hash_hex(file->hash, hex);
		if (file->kind == BUNDLE_PLUGIN && !find_plugin(cache, file))
			return sahm_fail(err, SAHM_CONFIG,
					 "the sweep needs the plug-in '%s' with the hash %s, which this worker was not "
					 "given (--plugin FILE): code does not travel",
					 file->name, hex);
		if (file->kind != BUNDLE_PLUGIN && !file_cache_has(cache, file->hash, file->bytes))
			return sahm_fail(err, SAHM_IO, "file '%s' of a bundle is not in '%s': %s", file->name,
					 cache->folder, hex);
	}
	return SAHM_OK;
}

/* The folder of a number, -1: it is not there. */
static int open_number(int folder, uint32_t number)
{
	char name[16];
	snprintf(name, sizeof(name), "%u", number);
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_cached(const struct file_cache *cache, const struct bundle_file *file, int fd)
{
	char hex[HASH_HEX_BYTES];
	struct stat here, there;
	hash_hex(file->hash, hex);
	return fstat(fd, &here) == 0 && fstatat(cache->files, hex, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

static bool is_file_right(const struct file_cache *cache, const struct bundle_file *file, int folder)
{
	uint64_t bytes = 0;
	int number = open_number(folder, file->number);
	int fd = number >= 0 ? file_cache_open_file(number, file->name, &bytes) : -1;
	/* The cache has verified it. */
	bool is_right =
		fd >= 0 && file_cache_is_own(number) && bytes == file->bytes &&
		((file->kind != BUNDLE_PLUGIN && is_cached(cache, file, fd)) || file_cache_hashes_to(fd, file->hash));
	if (fd >= 0)
		close(fd);
	if (number >= 0)
		close(number);
	return is_right;
}

static bool is_folder_right(const struct file_cache *cache, const struct bundle *b, int folder)
{
	uint64_t bytes = 0;
	int fd = file_cache_open_file(folder, BUNDLE_CONFIG, &bytes);
	bool is_right = fd >= 0 && file_cache_is_own(folder) && bytes == b->len && file_cache_hashes_to(fd, b->hash);
	if (fd >= 0)
		close(fd);
	for (uint32_t i = 0; i < b->nr_files && is_right; i++)
		is_right = is_file_right(cache, &b->files[i], folder);
	return is_right;
}

/* Copies a regular file that has to be as `file` says. */
static enum sahm_status copy_file(const char *path, int from, const struct bundle_file *file, int folder,
				  struct sahm_err *err)
{
	const size_t room = (size_t)64 << 10;
	uint8_t hash[HASH_BYTES];
	struct hash h;
	char *buf = malloc(room);
	int to = openat(folder, file->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	ssize_t got = to >= 0 && buf ? 1 : -1;
	uint64_t bytes = 0;
	hash_init(&h);
	while (got > 0 && bytes <= file->bytes) {
		got = read(from, buf, room);
		if (got < 0 && errno == EINTR) {
			got = 1;
			continue;
		}
		if (got > 0) {
			hash_add(&h, buf, (size_t)got);
			bytes += (uint64_t)got;
			got = file_cache_write(to, buf, (size_t)got) ? got : -1;
		}
	}
	enum sahm_status status = SAHM_OK;
	if (got < 0)
		status = sahm_fail(err, buf ? SAHM_IO : SAHM_NOMEM, "cannot copy '%s': %s", path, strerror(errno));
	hash_end(&h, hash);
	if (status == SAHM_OK && (bytes != file->bytes || memcmp(hash, file->hash, HASH_BYTES) != 0))
		status = sahm_fail(err, SAHM_IO, "'%s' is not what it was when it was hashed", path);
	if (to >= 0)
		close(to);
	free(buf);
	return status;
}

static enum sahm_status put_plugin(struct file_cache *cache, const struct bundle_file *file, int folder,
				   struct sahm_err *err)
{
	const struct own_plugin *plugin = find_plugin(cache, file);
	int fd = file_open_regular(plugin->path, err);
	if (fd < 0)
		return SAHM_IO;
	enum sahm_status status = copy_file(plugin->path, fd, file, folder, err);
	close(fd);
	return status;
}

/* A link to what the cache has, or a copy where file systems do not like links. */
static enum sahm_status put_data(struct file_cache *cache, const struct bundle_file *file, int folder,
				 struct sahm_err *err)
{
	char hex[HASH_HEX_BYTES];
	uint64_t bytes = 0;
	hash_hex(file->hash, hex);
	if (linkat(cache->files, hex, folder, file->name, 0) == 0)
		return SAHM_OK;
	int fd = file_cache_open_file(cache->files, hex, &bytes);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "file '%s' of a bundle is not in '%s' any more: %s", file->name,
				 cache->folder, hex);
	enum sahm_status status = copy_file(hex, fd, file, folder, err);
	close(fd);
	return status;
}

static enum sahm_status put_file(struct file_cache *cache, const struct bundle_file *file, int folder,
				 struct sahm_err *err)
{
	char name[16];
	snprintf(name, sizeof(name), "%u", file->number);
	if (mkdirat(folder, name, 0700) != 0 && errno != EEXIST)
		return sahm_fail(err, SAHM_IO, "cannot create a folder in '%s': %s", cache->folder, strerror(errno));
	int fd = open_number(folder, file->number);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "cannot open a folder in '%s': %s", cache->folder, strerror(errno));
	enum sahm_status status =
		file->kind == BUNDLE_PLUGIN ? put_plugin(cache, file, fd, err) : put_data(cache, file, fd, err);
	close(fd);
	return status;
}

static enum sahm_status fill_folder(struct file_cache *cache, const struct bundle *b, int folder, struct sahm_err *err)
{
	int fd = openat(folder, BUNDLE_CONFIG, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool done = fd >= 0 && file_cache_write(fd, b->text, b->len) && fsync(fd) == 0;
	enum sahm_status status =
		done ? SAHM_OK : sahm_fail(err, SAHM_IO, "cannot write into '%s': %s", cache->folder, strerror(errno));
	if (fd >= 0)
		close(fd);
	for (uint32_t i = 0; i < b->nr_files && status == SAHM_OK; i++)
		status = put_file(cache, &b->files[i], folder, err);
	return status;
}

/* Makes the folder elsewhere and gives it its name, unless another process was first. */
static enum sahm_status make_folder(struct file_cache *cache, const struct bundle *b, const char *hex,
				    struct sahm_err *err)
{
	char name[TEMPORARY_BYTES];
	int made;
	do {
		file_cache_name_temporary(cache, name);
		made = mkdirat(cache->bundles, name, 0700);
	} while (made != 0 && errno == EEXIST);
	int fd = made == 0 ? openat(cache->bundles, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	enum sahm_status status =
		fd >= 0 ? fill_folder(cache, b, fd, err)
			: sahm_fail(err, SAHM_IO, "cannot create a folder in '%s': %s", cache->folder, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (status == SAHM_OK && renameat(cache->bundles, name, cache->bundles, hex) == 0)
		return SAHM_OK;
	if (status == SAHM_OK && errno != EEXIST && errno != ENOTEMPTY)
		status = sahm_fail(err, SAHM_IO, "cannot write into '%s': %s", cache->folder, strerror(errno));
	file_cache_remove(cache->bundles, name);
	return status;
}

/* Opens the folder so that nobody removes it. -1: it is not there, or is being removed. */
static int hold_folder(const struct file_cache *cache, const char *hex)
{
	struct stat here, there;
	int fd = openat(cache->bundles, hex, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_SH | LOCK_NB) == 0 && fstat(fd, &here) == 0 &&
	    fstatat(cache->bundles, hex, &there, AT_SYMLINK_NOFOLLOW) == 0 && here.st_ino == there.st_ino &&
	    here.st_dev == there.st_dev)
		return fd;
	close(fd);
	return -1;
}

/* Keeps the lock until this process is done with the cache, or has used many others since. */
static void keep(struct file_cache *cache, int fd)
{
	struct stat here, there;
	for (unsigned i = 0; i < MAX_HELD_BUNDLES; i++)
		if (cache->held[i] >= 0 && fstat(fd, &here) == 0 && fstat(cache->held[i], &there) == 0 &&
		    here.st_ino == there.st_ino && here.st_dev == there.st_dev) {
			close(fd);
			return;
		}
	int *place = &cache->held[cache->next_held];
	cache->next_held = (cache->next_held + 1) % MAX_HELD_BUNDLES;
	if (*place >= 0)
		close(*place);
	*place = fd;
}

/* Takes the folder, if it is there and right; one that is not is moved out of the way. */
static bool take_folder(struct file_cache *cache, const struct bundle *b, const char *hex, bool *is_there)
{
	char away[TEMPORARY_BYTES];
	struct stat st;
	int fd = hold_folder(cache, hex);
	*is_there = fstatat(cache->bundles, hex, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (fd < 0 && (!*is_there || S_ISDIR(st.st_mode)))
		return false;
	const uint32_t *placed = strtable_find(&cache->placed, hex);
	if (fd >= 0 && ((placed && *placed) || is_folder_right(cache, b, fd))) {
		uint32_t *row = strtable_at(&cache->placed, hex);
		if (row)
			*row = 1;
		(void)futimens(fd, NULL);
		keep(cache, fd);
		return true;
	}
	if (fd >= 0)
		close(fd);
	file_cache_name_temporary(cache, away);
	if (renameat(cache->bundles, hex, cache->bundles, away) == 0)
		file_cache_remove(cache->bundles, away);
	*is_there = false;
	return false;
}

enum sahm_status file_cache_place(struct file_cache *cache, const struct bundle *b, struct textbuf *folder,
				  struct sahm_err *err)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	char hex[HASH_HEX_BYTES];
	hash_hex(b->hash, hex);
	enum sahm_status status = check_files(cache, b, err);
	for (unsigned round = 0; round < MAX_ROUNDS && status == SAHM_OK; round++) {
		bool is_there = false;
		if (take_folder(cache, b, hex, &is_there)) {
			textbuf_printf(folder, "%s/bundles/%s", cache->folder, hex);
			return textbuf_failed(folder) ? sahm_fail_nomem(err) : SAHM_OK;
		}
		if (is_there)
			nanosleep(&pause, NULL);
		else
			status = make_folder(cache, b, hex, err);
	}
	return status == SAHM_OK ? sahm_fail(err, SAHM_IO, "'%s/bundles/%s' comes and goes", cache->folder, hex)
				 : status;
}
