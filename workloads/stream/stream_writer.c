/* Streams written: chunks, and the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workloads/stream/stream_writer_internal.h"

/* Higher ones take longer than the rest of the writer together. */
#define COMPRESSION_LEVEL 1

/* Shorter parts are stored as they are. */
#define MIN_COMPRESSED_BYTES 32u

/* Keeps the first failure; the writer is idle from then on. */
static void stream_fail(struct stream_writer *w, const char *what)
{
	if (w->status == SAHM_OK)
		w->status = sahm_fail(&w->err, SAHM_IO, "%s '%s': %s", what, w->part_path, strerror(errno));
	w->current = NULL;
}

void stream_fail_nomem(struct stream_writer *w)
{
	if (w->status == SAHM_OK)
		w->status = sahm_fail_nomem(&w->err);
	w->current = NULL;
}

static void begin_chunk(struct stream_writer *w)
{
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++)
		w->parts[i].len = 0;
	w->sequence_run = w->shape_run = w->hit_run = 0;
	w->instructions = w->entries = 0;
	w->allowance = CHUNK_RAW_BYTES;
	w->omitted = 0;
	if (w->fresh) {
		stream_model_reset(&w->model);
		w->stamp++;
	}
}

static void begin_epoch(struct stream_writer *w)
{
	w->fresh = true;
	w->ends = false;
	w->epoch = (struct stream_epoch){.offset = w->offset};
	hash_init(&w->epoch_hash);
	begin_chunk(w);
}

/* Appends to the file, which is opened for that alone. */
static bool append(struct stream_writer *w, const uint8_t *head, size_t head_len, const uint8_t *body, size_t body_len)
{
	struct stat st;
	int fd = open(w->part_path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		stream_fail(w, "cannot open");
		return false;
	}
	bool done = false;
	if (fstat(fd, &st) == 0 && (uint64_t)st.st_size != w->offset)
		w->status = sahm_fail(&w->err, SAHM_IO, "'%s' was changed while it was written", w->part_path);
	else
		done = stream_write_all(fd, head, head_len) && stream_write_all(fd, body, body_len);
	int cause = errno;
	if (close(fd) != 0 && done) {
		cause = errno;
		done = false;
	}
	errno = cause;
	if (!done)
		stream_fail(w, "cannot write");
	w->offset += head_len + body_len;
	return done;
}

/* Compresses a part behind the `len` bytes of the body; how many bytes it takes there, or SIZE_MAX. */
static size_t pack(struct stream_writer *w, const struct part *p, size_t len)
{
	size_t bound = ZSTD_compressBound(p->len);
	if (w->body_room - len < bound) {
		size_t room = 2 * (len + bound);
		uint8_t *bigger = realloc(w->body, room);
		if (!bigger) {
			stream_fail_nomem(w);
			return SIZE_MAX;
		}
		w->body = bigger;
		w->body_room = room;
	}
	if (p->len >= MIN_COMPRESSED_BYTES) {
		size_t packed =
			ZSTD_compressCCtx(w->compressor, w->body + len, bound, p->bytes, p->len, COMPRESSION_LEVEL);
		if (ZSTD_isError(packed)) {
			stream_fail_nomem(w);
			return SIZE_MAX;
		}
		if (packed < p->len)
			return packed;
	}
	if (p->len > 0)
		memcpy(w->body + len, p->bytes, p->len);
	return p->len;
}

void stream_write_chunk(struct stream_writer *w, bool is_last, uint64_t successor)
{
	uint8_t head[CHUNK_HEADER_BYTES];
	size_t len = 0;
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++) {
		size_t packed = pack(w, &w->parts[i], len);
		if (packed == SIZE_MAX)
			return;
		put_le(head + CHUNK_HEADER_PARTS + 8 * i, w->parts[i].len, 4);
		put_le(head + CHUNK_HEADER_PARTS + 8 * i + 4, packed, 4);
		len += packed;
	}
	put_le(head, CHUNK_MAGIC, 4);
	put_le(head + CHUNK_HEADER_FLAGS, (w->fresh ? (unsigned)CHUNK_FRESH : 0) | (is_last ? (unsigned)CHUNK_LAST : 0),
	       4);
	put_le(head + CHUNK_HEADER_EPOCH, w->nr_epochs, 8);
	put_le(head + CHUNK_HEADER_SUCCESSOR, successor, 8);
	put_le(head + CHUNK_HEADER_INSTRUCTIONS, w->instructions, 4);
	put_le(head + CHUNK_HEADER_ENTRIES, w->entries, 4);
	put_le(head + CHUNK_HEADER_OMITTED, w->omitted, 8);
	digest_of(w->body, len, head + CHUNK_HEADER_BODY);
	digest_of(head, CHUNK_HEADER_DIGEST, head + CHUNK_HEADER_DIGEST);
	if (!append(w, head, sizeof(head), w->body, len))
		return;
	hash_add(&w->epoch_hash, head + CHUNK_HEADER_DIGEST, DIGEST_BYTES);
	w->omitted_before += w->omitted;
	w->fresh = w->model.nr_instructions > MAX_MODEL_INSTRUCTIONS || w->model.nr_slots > MAX_MODEL_SLOTS;
	begin_chunk(w);
}

void stream_write_epoch(struct stream_writer *w, uint64_t successor)
{
	uint8_t whole[HASH_BYTES];
	if (w->nr_epochs == w->epochs_room) {
		uint64_t room = w->epochs_room ? w->epochs_room * 2 : 64;
		struct stream_epoch *bigger = realloc(w->epochs, room * sizeof(*bigger));
		if (!bigger) {
			stream_fail_nomem(w);
			return;
		}
		w->epochs = bigger;
		w->epochs_room = room;
	}
	stream_write_chunk(w, true, successor);
	if (w->status != SAHM_OK)
		return;
	hash_end(&w->epoch_hash, whole);
	memcpy(w->epoch.digest, whole, DIGEST_BYTES);
	w->epochs[w->nr_epochs++] = w->epoch;
	begin_epoch(w);
}

static void writer_free(struct stream_writer *w)
{
	for (uint32_t i = 0; i < w->nr_blocks; i++) {
		free(w->blocks[i]->instructions);
		free(w->blocks[i]->block.slots);
		free(w->blocks[i]);
	}
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++)
		free(w->parts[i].bytes);
	stream_model_release(&w->model);
	ZSTD_freeCCtx(w->compressor);
	free(w->blocks);
	free(w->table);
	free(w->pending);
	free(w->body);
	free(w->epochs);
	free(w->header);
	free(w->path);
	free(w->part_path);
	free(w);
}

static bool create(struct stream_writer *w)
{
	/* What an earlier one left goes; a link that somebody put there, its name being easy to guess, leads nowhere.
	 */
	int removed = unlink(w->part_path);
	int fd = removed == 0 || errno == ENOENT
			 ? open(w->part_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)
			 : -1;
	if (fd < 0) {
		stream_fail(w, "cannot create");
		return false;
	}
	if (close(fd) != 0) {
		stream_fail(w, "cannot create");
		return false;
	}
	return append(w, w->header, STREAM_HEADER_BYTES, w->header + STREAM_HEADER_BYTES,
		      get_le(w->header + STREAM_HEADER_PROGRAM_BYTES, 4));
}

struct stream_writer *stream_writer_new(const char *path, enum machine machine, const char *program,
					struct sahm_err *err)
{
	size_t len = strlen(program);
	/* What hashes is aligned to more than malloc() promises. */
	struct stream_writer *w = aligned_alloc(_Alignof(struct stream_writer), sizeof(*w));
	if (!w) {
		sahm_fail_nomem(err);
		return NULL;
	}
	memset(w, 0, sizeof(*w));
	len = len < MAX_PROGRAM_BYTES ? len : MAX_PROGRAM_BYTES;
	w->compressor = ZSTD_createCCtx();
	w->header = malloc(STREAM_HEADER_BYTES + len);
	if (!w->compressor || !w->header) {
		w->status = sahm_fail_nomem(&w->err);
	} else {
		stream_put_header(machine, program, len, w->header);
		w->status = stream_names(path, &w->path, &w->part_path, &w->err);
	}
	if (w->status == SAHM_OK && create(w))
		begin_epoch(w);
	if (w->status == SAHM_OK)
		return w;
	sahm_fail(err, w->status, "%s", w->err.msg);
	writer_free(w);
	return NULL;
}

enum sahm_status stream_writer_finish(struct stream_writer *w, struct sahm_err *err)
{
	if (w->current)
		stream_finish_block(w);
	if (w->status == SAHM_OK && w->epoch.instructions > 0)
		stream_write_epoch(w, 0);
	if (w->status == SAHM_OK) {
		int fd = open(w->part_path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			stream_fail(w, "cannot open");
		else
			w->status = stream_complete(fd, w->part_path, w->path, w->header, w->epochs, w->nr_epochs,
						    w->omitted_before, w->offset, &w->err);
		if (fd >= 0)
			close(fd);
	}
	enum sahm_status status = w->status;
	if (status != SAHM_OK)
		sahm_fail(err, status, "%s", w->err.msg);
	writer_free(w);
	return status;
}
