/* Streams' files: their contents are checked here before use. */
#include "workloads/stream/stream_file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads `len` bytes at `offset`; SAHM_IO, also where the file is shorter than it was. */
static enum sahm_status stream_file_read(const struct stream_file *f, uint64_t offset, uint8_t *out, size_t len,
					 struct sahm_err *err)
{
	while (len > 0) {
		ssize_t got = pread(f->fd, out, len, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", f->path, strerror(errno));
		if (got == 0)
			return sahm_fail(err, SAHM_IO, "cannot read '%s': it was cut short meanwhile", f->path);
		out += got;
		offset += (uint64_t)got;
		len -= (size_t)got;
	}
	return SAHM_OK;
}

static enum sahm_status damaged(const struct stream_file *f, const char *what, struct sahm_err *err)
{
	return sahm_fail_at(err, SAHM_CHECKSUM, f->path, 0, "%s is damaged: it differs from its checksum", what);
}

static enum sahm_status read_header(struct stream_file *f, struct sahm_err *err)
{
	uint8_t head[STREAM_HEADER_BYTES], *again;
	if (f->bytes < STREAM_HEADER_BYTES)
		return sahm_fail_at(err, SAHM_FORMAT, f->path, 0, "not an instruction stream: it is too short");
	enum sahm_status status = stream_file_read(f, 0, head, sizeof(head), err);
	if (status != SAHM_OK)
		return status;
	if (memcmp(head, STREAM_MAGIC, STREAM_MAGIC_BYTES) != 0)
		return sahm_fail_at(err, SAHM_FORMAT, f->path, 0, "not an instruction stream");
	uint64_t version = get_le(head + STREAM_HEADER_VERSION, 4), len = get_le(head + STREAM_HEADER_PROGRAM_BYTES, 4);
	uint64_t machine = get_le(head + STREAM_HEADER_MACHINE, 4);
	if (version == 0 || version > STREAM_VERSION)
		return sahm_fail(err, SAHM_FORMAT, "%s: version %" PRIu64 " of instruction streams is not known, %u is",
				 f->path, version, STREAM_VERSION);
	if (len > MAX_PROGRAM_BYTES || len > f->bytes - STREAM_HEADER_BYTES || machine >= NR_MACHINES)
		return damaged(f, "the header", err);
	f->header = malloc(STREAM_HEADER_BYTES + len + 1);
	again = malloc(STREAM_HEADER_BYTES + len);
	if (!f->header || !again) {
		free(again);
		return sahm_fail_nomem(err);
	}
	status = stream_file_read(f, 0, f->header, STREAM_HEADER_BYTES + len, err);
	f->header[STREAM_HEADER_BYTES + len] = '\0';
	/* There is one header to a version, a machine and a program. */
	stream_put_header((unsigned)version, (enum machine)machine, (const char *)f->header + STREAM_HEADER_BYTES, len,
			  again);
	if (status == SAHM_OK && memcmp(again, f->header, STREAM_HEADER_BYTES) != 0)
		status = damaged(f, "the header", err);
	free(again);
	f->version = (unsigned)version;
	return status;
}

enum sahm_status stream_file_chunk(const struct stream_file *f, uint64_t offset, uint64_t end, struct stream_chunk *c,
				   struct sahm_err *err)
{
	uint8_t head[CHUNK_HEADER_BYTES], digest[DIGEST_BYTES];
	uint64_t raw = 0;
	if (end - offset < sizeof(head))
		return damaged(f, "a chunk", err);
	enum sahm_status status = stream_file_read(f, offset, head, sizeof(head), err);
	if (status != SAHM_OK)
		return status;
	digest_of(head, CHUNK_HEADER_DIGEST, digest);
	if (get_le(head, 4) != CHUNK_MAGIC || memcmp(digest, head + CHUNK_HEADER_DIGEST, DIGEST_BYTES) != 0)
		return damaged(f, "the header of a chunk", err);
	*c = (struct stream_chunk){.epoch = get_le(head + CHUNK_HEADER_EPOCH, 8),
				   .successor = get_le(head + CHUNK_HEADER_SUCCESSOR, 8),
				   .omitted = get_le(head + CHUNK_HEADER_OMITTED, 8),
				   .flags = (uint32_t)get_le(head + CHUNK_HEADER_FLAGS, 4),
				   .instructions = (uint32_t)get_le(head + CHUNK_HEADER_INSTRUCTIONS, 4),
				   .entries = (uint32_t)get_le(head + CHUNK_HEADER_ENTRIES, 4)};
	unsigned flags = CHUNK_FRESH | CHUNK_LAST | (f->version == 1 ? 0u : (unsigned)CHUNK_WARM);
	bool possible = (c->flags & ~flags) == 0 &&
			(c->flags & (CHUNK_LAST | CHUNK_WARM)) != (CHUNK_LAST | CHUNK_WARM) && c->entries >= 1 &&
			c->entries <= c->instructions && c->instructions <= MAX_CHUNK_INSTRUCTIONS;
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++) {
		c->raw[i] = (uint32_t)get_le(head + CHUNK_HEADER_PARTS + 8 * i, 4);
		c->stored[i] = (uint32_t)get_le(head + CHUNK_HEADER_PARTS + 8 * i + 4, 4);
		possible = possible && c->stored[i] <= c->raw[i];
		raw += c->raw[i];
		c->body_bytes += c->stored[i];
	}
	memcpy(c->body_digest, head + CHUNK_HEADER_BODY, DIGEST_BYTES);
	memcpy(c->digest, head + CHUNK_HEADER_DIGEST, DIGEST_BYTES);
	if (!possible || raw > MAX_CHUNK_RAW_BYTES)
		return sahm_fail_at(err, SAHM_FORMAT, f->path, 0, "the header of a chunk says what cannot be");
	return SAHM_OK;
}

enum sahm_status stream_file_body(const struct stream_file *f, uint64_t offset, const struct stream_chunk *c,
				  uint8_t **body, size_t *room, struct sahm_err *err)
{
	uint8_t digest[DIGEST_BYTES];
	if (c->body_bytes >= *room) {
		uint8_t *bigger = realloc(*body, c->body_bytes + 1);
		if (!bigger)
			return sahm_fail_nomem(err);
		*body = bigger;
		*room = c->body_bytes + 1;
	}
	enum sahm_status status = stream_file_read(f, offset + CHUNK_HEADER_BYTES, *body, c->body_bytes, err);
	if (status != SAHM_OK)
		return status;
	digest_of(*body, c->body_bytes, digest);
	return memcmp(digest, c->body_digest, DIGEST_BYTES) == 0 ? SAHM_OK : damaged(f, "a chunk", err);
}

/* The epochs follow one another. */
static bool epochs_fit(const struct stream_file *f, uint64_t begin)
{
	uint64_t least = begin;
	for (uint64_t i = 0; i < f->index.nr; i++) {
		const struct stream_epoch *e = &f->index.epochs[i];
		if (e->instructions == 0 || e->offset < least || (i == 0 && e->offset != begin) ||
		    e->offset >= f->content || e->warm >= e->instructions || (i > 0 && e->number <= e[-1].number))
			return false;
		least = e->offset + CHUNK_HEADER_BYTES;
	}
	return f->index.nr > 0 || f->content == begin;
}

static bool sum_instructions(struct stream_file *f)
{
	for (uint64_t i = 0; i < f->index.nr; i++) {
		if (f->index.epochs[i].instructions > UINT64_MAX - f->nr_instructions)
			return false;
		f->nr_instructions += f->index.epochs[i].instructions;
	}
	return true;
}

/* Modules are kept as they stand in `bytes`. */
static enum sahm_status read_modules(struct stream_file *f, const uint8_t *bytes, size_t len, struct sahm_err *err)
{
	struct stream_module m;
	size_t at = 0;
	for (uint32_t i = 0; i < f->index.nr_modules; i++)
		if (!stream_get_module(bytes, len, &at, &m))
			return damaged(f, "the index", err);
	if (at != len)
		return damaged(f, "the index", err);
	f->index.modules_bytes = len;
	f->index.modules = malloc(len ? len : 1);
	if (!f->index.modules)
		return sahm_fail_nomem(err);
	memcpy(f->index.modules, bytes, len);
	return SAHM_OK;
}

/* The index at `offset`, of which the file's end says that it is there. */
static enum sahm_status read_index(struct stream_file *f, uint64_t begin, uint64_t offset, struct sahm_err *err)
{
	uint64_t len = f->bytes - offset;
	uint8_t *index = malloc(len), *again = malloc(len);
	enum sahm_status status = index && again ? stream_file_read(f, offset, index, len, err) : sahm_fail_nomem(err);
	uint64_t nr = status == SAHM_OK ? get_le(index + STREAM_INDEX_EPOCHS, 8) : 0;
	uint64_t fixed = nr <= len / STREAM_ENTRY_BYTES_1 ? stream_index_bytes(f->version, nr, 0) : UINT64_MAX;
	size_t entry_bytes = f->version == 1 ? STREAM_ENTRY_BYTES_1 : STREAM_ENTRY_BYTES;
	if (status == SAHM_OK && (fixed > len || (f->version == 1 && fixed != len)))
		status = damaged(f, "the index", err);
	f->index.epochs = status == SAHM_OK ? calloc(nr ? nr : 1, sizeof(*f->index.epochs)) : NULL;
	if (status == SAHM_OK && !f->index.epochs)
		status = sahm_fail_nomem(err);
	for (uint64_t i = 0; status == SAHM_OK && i < nr; i++) {
		const uint8_t *entry = index + STREAM_INDEX_HEADER_BYTES + i * entry_bytes;
		struct stream_epoch *e = &f->index.epochs[i];
		e->offset = get_le(entry + STREAM_ENTRY_OFFSET, 8);
		e->instructions = get_le(entry + STREAM_ENTRY_INSTRUCTIONS, 8);
		memcpy(e->digest, entry + STREAM_ENTRY_DIGEST, DIGEST_BYTES);
		e->number = f->version == 1 ? i : get_le(entry + STREAM_ENTRY_NUMBER, 8);
		e->warm = f->version == 1 ? 0 : get_le(entry + STREAM_ENTRY_WARM, 8);
	}
	if (status == SAHM_OK && f->version > 1) {
		f->index.nr_modules = (uint32_t)get_le(index + STREAM_INDEX_MODULES, 4);
		status = read_modules(f, index + STREAM_INDEX_HEADER_BYTES + nr * entry_bytes, len - fixed, err);
	}
	if (status == SAHM_OK) {
		f->index.nr = nr;
		f->index.omitted = get_le(index + STREAM_INDEX_OMITTED, 8);
		f->content = offset;
		f->complete = true;
		/* There is one index to what it says. */
		stream_put_index(f->header, &f->index, offset, again);
		if (memcmp(again, index, len) != 0)
			status = damaged(f, "the index", err);
		else if (!epochs_fit(f, begin) || !sum_instructions(f))
			status = sahm_fail_at(err, SAHM_FORMAT, f->path, 0, "the index says what cannot be");
	}
	free(index);
	free(again);
	return status;
}

/* Of an index that begins with `head`: bytes that it has at most. */
static uint64_t longest_index(const struct stream_file *f, const uint8_t *head)
{
	uint64_t nr_modules = get_le(head + STREAM_INDEX_MODULES, 4);
	return stream_index_bytes(f->version, f->index.nr,
				  nr_modules * (STREAM_MODULE_HEADER_BYTES + MAX_MODULE_PATH_BYTES));
}

/* What stands at `offset`, where a chunk or the index begins, in a file that does not end as a whole one does. */
enum follows { FOLLOWS_CHUNK, FOLLOWS_CUT /* what ends early */, FOLLOWS_DAMAGE };

static enum sahm_status look_at(const struct stream_file *f, uint64_t offset, enum follows *what, struct sahm_err *err)
{
	uint8_t head[STREAM_INDEX_HEADER_BYTES], chunk[4], index[4];
	uint64_t left = f->bytes - offset;
	size_t known = left < sizeof(head) ? left : sizeof(head), magic = known < 4 ? known : 4;
	enum sahm_status status = stream_file_read(f, offset, head, known, err);
	if (status != SAHM_OK)
		return status;
	put_le(chunk, CHUNK_MAGIC, 4);
	put_le(index, INDEX_MAGIC, 4);
	*what = FOLLOWS_DAMAGE;
	if (memcmp(head, chunk, magic) == 0)
		*what = left < CHUNK_HEADER_BYTES ? FOLLOWS_CUT : FOLLOWS_CHUNK;
	else if (memcmp(head, index, magic) == 0 &&
		 (known < sizeof(head) ||
		  (get_le(head + STREAM_INDEX_EPOCHS, 8) == f->index.nr && left < longest_index(f, head))))
		*what = FOLLOWS_CUT;
	return SAHM_OK;
}

static enum sahm_status add_epoch(struct stream_file *f, uint64_t *room, const struct stream_epoch *e,
				  struct sahm_err *err)
{
	if (f->index.nr == *room) {
		struct stream_epoch *bigger = realloc(f->index.epochs, (*room ? 2 * *room : 64) * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		f->index.epochs = bigger;
		*room = *room ? 2 * *room : 64;
	}
	f->index.epochs[f->index.nr++] = *e;
	return SAHM_OK;
}

/* Whether the chunk can come next, where `e` has been read of its epoch. */
static bool follows(const struct stream_file *f, const struct stream_epoch *e, const struct stream_chunk *c)
{
	uint64_t nr = f->index.nr;
	if (e->instructions > 0)
		return c->epoch == e->number && (!(c->flags & CHUNK_WARM) || e->warm == e->instructions);
	return f->version == 1 ? c->epoch == nr : nr == 0 || c->epoch > f->index.epochs[nr - 1].number;
}

/* Goes from chunk to chunk, as far as whole ones go. */
static enum sahm_status scan(struct stream_file *f, uint64_t begin, struct sahm_err *err)
{
	struct stream_chunk c;
	struct stream_epoch e = {.offset = begin};
	uint64_t room = 0, body_offset = begin, omitted = 0;
	uint8_t *body = NULL, whole[HASH_BYTES];
	size_t body_room = 0;
	struct hash h;
	enum follows what;
	enum sahm_status status = SAHM_OK;
	f->content = begin;
	hash_init(&h);
	for (uint64_t offset = begin; offset < f->bytes; offset = body_offset + c.body_bytes) {
		status = look_at(f, offset, &what, err);
		if (status == SAHM_OK && what == FOLLOWS_DAMAGE)
			status = damaged(f, "a chunk or the index", err);
		if (status != SAHM_OK || what == FOLLOWS_CUT)
			break;
		status = stream_file_chunk(f, offset, f->bytes, &c, err);
		body_offset = offset + CHUNK_HEADER_BYTES;
		if (status != SAHM_OK || c.body_bytes > f->bytes - body_offset)
			break;
		status = stream_file_body(f, offset, &c, &body, &body_room, err);
		if (status == SAHM_OK && !follows(f, &e, &c))
			status = sahm_fail(err, SAHM_FORMAT,
					   "%s: the chunk after epoch %" PRIu64 " is not its successor", f->path,
					   f->index.nr);
		if (status != SAHM_OK)
			break;
		e.number = c.epoch;
		e.warm += c.flags & CHUNK_WARM ? c.instructions : 0;
		e.instructions += c.instructions;
		omitted += c.omitted;
		hash_add(&h, c.digest, DIGEST_BYTES);
		if (!(c.flags & CHUNK_LAST))
			continue;
		hash_end(&h, whole);
		memcpy(e.digest, whole, DIGEST_BYTES);
		status = add_epoch(f, &room, &e, err);
		if (status != SAHM_OK)
			break;
		f->content = body_offset + c.body_bytes;
		f->nr_instructions += e.instructions;
		f->index.omitted += omitted;
		e = (struct stream_epoch){.offset = f->content};
		omitted = 0;
		hash_init(&h);
	}
	free(body);
	return status;
}

static enum sahm_status read_epochs(struct stream_file *f, struct sahm_err *err)
{
	uint64_t begin = STREAM_HEADER_BYTES + get_le(f->header + STREAM_HEADER_PROGRAM_BYTES, 4);
	uint64_t least = stream_index_bytes(f->version, 0, 0);
	uint8_t end[STREAM_END_BYTES];
	if (f->bytes - begin >= least) {
		enum sahm_status status = stream_file_read(f, f->bytes - sizeof(end), end, sizeof(end), err);
		if (status != SAHM_OK)
			return status;
		if (memcmp(end + 8, END_MAGIC, 8) == 0) {
			uint64_t offset = get_le(end, 8);
			return offset < begin || offset > f->bytes - least ? damaged(f, "the end", err)
									   : read_index(f, begin, offset, err);
		}
	}
	return scan(f, begin, err);
}

enum sahm_status stream_file_open(const char *path, int flags, struct stream_file *f, struct sahm_err *err)
{
	struct stat st;
	*f = (struct stream_file){.fd = open(path, flags | O_CLOEXEC | O_NONBLOCK), .path = malloc(strlen(path) + 1)};
	enum sahm_status status = SAHM_OK;
	if (f->fd < 0 || fstat(f->fd, &st) != 0)
		status = sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	else if (!f->path)
		status = sahm_fail_nomem(err);
	else if (!S_ISREG(st.st_mode))
		status = sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path,
				   S_ISDIR(st.st_mode) ? strerror(EISDIR) : "it is not a regular file");
	if (status == SAHM_OK) {
		strcpy(f->path, path);
		f->bytes = (uint64_t)st.st_size;
		status = read_header(f, err);
	}
	if (status == SAHM_OK)
		status = read_epochs(f, err);
	if (status != SAHM_OK)
		stream_file_release(f);
	return status;
}

void stream_file_release(struct stream_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	free(f->header);
	free(f->index.epochs);
	free(f->index.modules);
	*f = (struct stream_file){.fd = -1};
}

enum sahm_status stream_recover(const char *path, struct sahm_err *err)
{
	struct stream_file f;
	char *whole, *part;
	enum sahm_status status = stream_names(path, &whole, &part, err);
	if (status != SAHM_OK)
		return status;
	status = stream_file_open(part, O_RDWR | O_NOFOLLOW, &f, err);
	if (status == SAHM_OK) {
		status = stream_complete(f.fd, part, whole, f.header, &f.index, f.content, err);
		stream_file_release(&f);
	}
	free(whole);
	free(part);
	return status;
}
