/* Header, index and names of stream files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "workloads/stream/stream_internal.h"

static unsigned entry_bytes(unsigned version)
{
	return version == 1 ? (unsigned)STREAM_ENTRY_BYTES_1 : (unsigned)STREAM_ENTRY_BYTES;
}

uint64_t stream_index_bytes(unsigned version, uint64_t nr_epochs, uint64_t modules_bytes)
{
	return STREAM_INDEX_HEADER_BYTES + nr_epochs * entry_bytes(version) + modules_bytes + DIGEST_BYTES +
	       STREAM_END_BYTES;
}

static void digest_head(const uint8_t *header, const uint8_t *from, size_t len, uint8_t out[DIGEST_BYTES])
{
	struct hash h;
	uint8_t whole[HASH_BYTES];
	hash_init(&h);
	hash_add(&h, header, STREAM_HEADER_BYTES + get_le(header + STREAM_HEADER_PROGRAM_BYTES, 4));
	hash_add(&h, from, len);
	hash_end(&h, whole);
	memcpy(out, whole, DIGEST_BYTES);
}

void stream_put_header(unsigned version, enum machine machine, const char *program, size_t len, uint8_t *out)
{
	struct hash h;
	uint8_t whole[HASH_BYTES];
	memcpy(out, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	put_le(out + STREAM_HEADER_VERSION, version, 4);
	put_le(out + STREAM_HEADER_MACHINE, machine, 4);
	put_le(out + STREAM_HEADER_PROGRAM_BYTES, len, 4);
	put_le(out + STREAM_HEADER_ZERO, 0, 4);
	memcpy(out + STREAM_HEADER_BYTES, program, len);
	hash_init(&h);
	hash_add(&h, out, STREAM_HEADER_DIGEST);
	hash_add(&h, program, len);
	hash_end(&h, whole);
	memcpy(out + STREAM_HEADER_DIGEST, whole, DIGEST_BYTES);
}

void stream_put_index(const uint8_t *header, const struct stream_index *index, uint64_t offset, uint8_t *out)
{
	unsigned version = (unsigned)get_le(header + STREAM_HEADER_VERSION, 4);
	uint8_t *end = out + stream_index_bytes(version, index->nr, index->modules_bytes) - STREAM_END_BYTES;
	uint8_t *entry = out + STREAM_INDEX_HEADER_BYTES;
	put_le(out, INDEX_MAGIC, 4);
	put_le(out + STREAM_INDEX_MODULES, index->nr_modules, 4);
	put_le(out + STREAM_INDEX_EPOCHS, index->nr, 8);
	put_le(out + STREAM_INDEX_OMITTED, index->omitted, 8);
	for (uint64_t i = 0; i < index->nr; i++, entry += entry_bytes(version)) {
		const struct stream_epoch *e = &index->epochs[i];
		put_le(entry + STREAM_ENTRY_OFFSET, e->offset, 8);
		put_le(entry + STREAM_ENTRY_INSTRUCTIONS, e->instructions, 8);
		memcpy(entry + STREAM_ENTRY_DIGEST, e->digest, DIGEST_BYTES);
		if (version == 1)
			continue;
		put_le(entry + STREAM_ENTRY_NUMBER, e->number, 8);
		put_le(entry + STREAM_ENTRY_WARM, e->warm, 8);
	}
	if (index->modules_bytes > 0)
		memcpy(entry, index->modules, index->modules_bytes);
	digest_head(header, out, (size_t)(end - DIGEST_BYTES - out), end - DIGEST_BYTES);
	put_le(end, offset, 8);
	memcpy(end + 8, END_MAGIC, 8);
}

bool stream_get_module(const uint8_t *modules, size_t len, size_t *at, struct stream_module *out)
{
	const uint8_t *m = modules + *at;
	size_t room = len - *at;
	if (room < STREAM_MODULE_HEADER_BYTES)
		return false;
	uint64_t path_bytes = get_le(m + STREAM_MODULE_PATH_BYTES, 4);
	room -= STREAM_MODULE_HEADER_BYTES;
	if (path_bytes < 2 || path_bytes > MAX_MODULE_PATH_BYTES || path_bytes > room ||
	    strnlen((const char *)m + STREAM_MODULE_HEADER_BYTES, path_bytes) != path_bytes - 1)
		return false;
	*out = (struct stream_module){.address = get_le(m + STREAM_MODULE_ADDRESS, 8),
				      .bytes = get_le(m + STREAM_MODULE_BYTES, 8),
				      .offset = get_le(m + STREAM_MODULE_OFFSET, 8),
				      .path = (const char *)m + STREAM_MODULE_HEADER_BYTES};
	*at += STREAM_MODULE_HEADER_BYTES + path_bytes;
	return true;
}

bool stream_write_all(int fd, const uint8_t *bytes, size_t len)
{
	while (len > 0) {
		ssize_t done = write(fd, bytes, len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		bytes += done;
		len -= (size_t)done;
	}
	return true;
}

enum sahm_status stream_complete(int fd, const char *part, const char *path, const uint8_t *header,
				 const struct stream_index *index, uint64_t offset, struct sahm_err *err)
{
	unsigned version = (unsigned)get_le(header + STREAM_HEADER_VERSION, 4);
	size_t len = stream_index_bytes(version, index->nr, index->modules_bytes);
	uint8_t *bytes = malloc(len);
	if (!bytes)
		return sahm_fail_nomem(err);
	stream_put_index(header, index, offset, bytes);
	bool done = lseek(fd, (off_t)offset, SEEK_SET) >= 0 && ftruncate(fd, (off_t)offset) == 0 &&
		    stream_write_all(fd, bytes, len) && fsync(fd) == 0;
	int cause = errno;
	free(bytes);
	if (!done)
		return sahm_fail(err, SAHM_IO, "cannot write '%s': %s", part, strerror(cause));
	if (rename(part, path) != 0)
		return sahm_fail(err, SAHM_IO, "cannot rename '%s' to '%s': %s", part, path, strerror(errno));
	cause = file_sync_name(path);
	return cause ? sahm_fail(err, SAHM_IO, "cannot write '%s': %s", path, strerror(cause)) : SAHM_OK;
}

enum sahm_status stream_names(const char *path, char **whole, char **part, struct sahm_err *err)
{
	char *folder = NULL;
	size_t room = strlen(path) + 1;
	*whole = *part = NULL;
	if (path[0] != '/') {
		folder = getcwd(NULL, 0);
		if (!folder)
			return sahm_fail(err, SAHM_IO, "cannot tell which folder '%s' is in: %s", path,
					 strerror(errno));
		room += strlen(folder) + 1;
	}
	*whole = malloc(room);
	*part = malloc(room + sizeof(".part"));
	if (*whole && *part) {
		snprintf(*whole, room, "%s%s%s", folder ? folder : "", folder ? "/" : "", path);
		snprintf(*part, room + sizeof(".part"), "%s.part", *whole);
	}
	free(folder);
	if (*whole && *part)
		return SAHM_OK;
	free(*whole);
	free(*part);
	*whole = *part = NULL;
	return sahm_fail_nomem(err);
}

void stream_discard(const char *path)
{
	char *whole, *part;
	if (stream_names(path, &whole, &part, NULL) != SAHM_OK)
		return;
	unlink(part);
	free(whole);
	free(part);
}
