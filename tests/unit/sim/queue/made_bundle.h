/* Bundles of sweeps, and caches into which their files come without a server between. */
#ifndef SAHM_TESTS_UNIT_SIM_QUEUE_MADE_BUNDLE_H
#define SAHM_TESTS_UNIT_SIM_QUEUE_MADE_BUNDLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/queue/file_cache.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

#define CACHE_BYTES (UINT64_C(1) << 30)

static inline void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status != SAHM_OK)
		fail_msg("%s", err->msg);
}

/* "<own folder>/<name>", one of a few at a time. */
static inline const char *in_own(const char *name)
{
	static char paths[8][512];
	static unsigned next;
	char *path = paths[next++ % 8];
	snprintf(path, sizeof(paths[0]), "%s/%s", own_folder, name);
	return path;
}

/* Not by file_write(), which waits for the disk twice a file: test_many_files has thousands. */
static inline void put_file(const char *path, const void *bytes, size_t len)
{
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

static inline void put_text(const char *path, const char *text)
{
	put_file(path, text, strlen(text));
}

static inline void copy_to(const char *from, const char *to)
{
	struct sahm_err err;
	char *text;
	size_t len;
	must(file_read(from, (size_t)1 << 28, &text, &len, &err), &err);
	put_file(to, text, len);
	free(text);
}

static inline void hash_of(const void *bytes, size_t len, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add(&h, bytes, len);
	hash_end(&h, hash);
}

static inline struct file_cache *open_cache(const char *name)
{
	struct file_cache *cache = NULL;
	struct sahm_err err;
	must(file_cache_open(&cache, in_own(name), CACHE_BYTES, &err), &err);
	return cache;
}

/* Puts bytes into the cache, in pieces. */
static inline enum sahm_status put_bytes(struct file_cache *cache, const uint8_t hash[HASH_BYTES], const char *bytes,
					 size_t len, struct sahm_err *err)
{
	struct arriving_file *file = NULL;
	enum sahm_status status = file_cache_begin(cache, hash, len, &file, err);
	for (size_t at = 0, piece; at < len && status == SAHM_OK; at += piece) {
		piece = len - at < 1000000 ? len - at : 1000000;
		status = arriving_file_add(file, bytes + at, piece, err);
	}
	if (status == SAHM_OK)
		return arriving_file_end(file, err);
	arriving_file_abort(file);
	return status;
}

/* Brings all files of a bundle that was made here into the cache; plug-ins learn it. */
static inline void deliver(struct file_cache *cache, const struct bundle *made)
{
	struct sahm_err err;
	for (uint32_t i = 0; i < made->nr_files; i++) {
		const struct bundle_file *file = &made->files[i];
		uint8_t hash[HASH_BYTES];
		char *bytes;
		size_t len;
		if (file->kind == BUNDLE_PLUGIN) {
			must(file_cache_add_plugin(cache, file->path, hash, &err), &err);
			assert_memory_equal(hash, file->hash, HASH_BYTES);
			continue;
		}
		must(file_read(file->path, (size_t)1 << 28, &bytes, &len, &err), &err);
		assert_int_equal(len, file->bytes);
		must(put_bytes(cache, file->hash, bytes, len, &err), &err);
		assert_true(file_cache_has(cache, file->hash, file->bytes));
		free(bytes);
	}
}

/* Reads text that is known by its own hash. */
static inline enum sahm_status read_text_as_bundle(struct bundle *b, const char *text, struct sahm_err *err)
{
	uint8_t hash[HASH_BYTES];
	hash_of(text, strlen(text), hash);
	return bundle_read(b, text, strlen(text), hash, err);
}

/* `text` with the first `from` in it replaced, to be freed. */
static inline char *with(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	if (!at)
		fail_msg("'%s' is not in:\n%s", from, text);
	size_t len = strlen(text) - strlen(from) + strlen(to) + 1;
	char *made = malloc(len);
	assert_non_null(made);
	snprintf(made, len, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	return made;
}

#endif
