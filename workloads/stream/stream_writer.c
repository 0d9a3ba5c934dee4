/* Streams written: blocks as they are executed become parts of a chunk, chunks an epoch, and epochs the file. */
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

/* Chunks and epochs */

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
	w->epoch = (struct stream_epoch){.offset = w->offset, .number = w->epoch.number};
	w->epoch_omitted = 0;
	hash_init(&w->epoch_hash);
	begin_chunk(w);
}

/* Appends to the file, which is opened only for that. */
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

/* Compresses a part after the `len` bytes of the body; how many bytes it takes there, or SIZE_MAX. */
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

/* Ends the chunk, or the epoch and its last chunk, and begins the next; `successor` is the pc after the epoch, 0 if it
 * is not known. */
static void write_chunk(struct stream_writer *w, bool is_last, uint64_t successor)
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
	put_le(head + CHUNK_HEADER_FLAGS,
	       (w->fresh ? (unsigned)CHUNK_FRESH : 0) | (is_last ? (unsigned)CHUNK_LAST : 0) |
		       (w->warms ? (unsigned)CHUNK_WARM : 0),
	       4);
	put_le(head + CHUNK_HEADER_EPOCH, w->epoch.number, 8);
	put_le(head + CHUNK_HEADER_SUCCESSOR, successor, 8);
	put_le(head + CHUNK_HEADER_INSTRUCTIONS, w->instructions, 4);
	put_le(head + CHUNK_HEADER_ENTRIES, w->entries, 4);
	put_le(head + CHUNK_HEADER_OMITTED, w->omitted, 8);
	digest_of(w->body, len, head + CHUNK_HEADER_BODY);
	digest_of(head, CHUNK_HEADER_DIGEST, head + CHUNK_HEADER_DIGEST);
	if (!append(w, head, sizeof(head), w->body, len))
		return;
	hash_add(&w->epoch_hash, head + CHUNK_HEADER_DIGEST, DIGEST_BYTES);
	w->epoch_omitted += w->omitted;
	w->epoch.warm += w->warms ? w->instructions : 0;
	w->fresh = w->model.nr_instructions > MAX_MODEL_INSTRUCTIONS || w->model.nr_slots > MAX_MODEL_SLOTS;
	begin_chunk(w);
}

static void write_epoch(struct stream_writer *w, uint64_t successor)
{
	uint8_t whole[HASH_BYTES];
	if (w->index.nr == w->epochs_room) {
		uint64_t room = w->epochs_room ? w->epochs_room * 2 : 64;
		struct stream_epoch *bigger = realloc(w->index.epochs, room * sizeof(*bigger));
		if (!bigger) {
			stream_fail_nomem(w);
			return;
		}
		w->index.epochs = bigger;
		w->epochs_room = room;
	}
	write_chunk(w, true, successor);
	if (w->status != SAHM_OK)
		return;
	hash_end(&w->epoch_hash, whole);
	memcpy(w->epoch.digest, whole, DIGEST_BYTES);
	w->index.epochs[w->index.nr++] = w->epoch;
	w->index.omitted += w->epoch_omitted;
	w->epoch.number++;
	begin_epoch(w);
}

/* Blocks */

/* Room for `more` bytes, which are then put without looking. */
static bool reserve(struct stream_writer *w, enum stream_part which, size_t more)
{
	struct part *p = &w->parts[which];
	if (p->room - p->len >= more)
		return true;
	size_t room = p->room * 2 > p->len + more ? p->room * 2 : p->len + more + 4096;
	uint8_t *bigger = realloc(p->bytes, room);
	if (!bigger) {
		stream_fail_nomem(w);
		return false;
	}
	p->bytes = bigger;
	p->room = room;
	return true;
}

static inline void put(struct part *p, uint8_t byte)
{
	p->bytes[p->len++] = byte;
}

static inline void put_varint(struct part *p, uint64_t v)
{
	while (v >= 0x80) {
		put(p, (uint8_t)(v | 0x80));
		v >>= 7;
	}
	put(p, (uint8_t)v);
}

static inline void put_symbol(struct part *p, uint64_t *run, unsigned symbol)
{
	put_varint(p, *run << SYMBOL_BITS | (symbol - 1));
	*run = 0;
}

/* The accesses of the current block are others than when it was last executed. */
static bool write_shape(struct stream_writer *w, struct stream_block *b)
{
	struct part *p = &w->parts[STREAM_SHAPES];
	uint32_t nr = w->nr_pending, before = 0;
	struct stream_shape *shape = malloc((nr ? nr : 1) * sizeof(*shape));
	if (!shape || !reserve(w, STREAM_SHAPES, 2 * MAX_VARINT_BYTES + (size_t)nr * 6)) {
		free(shape);
		stream_fail_nomem(w);
		return false;
	}
	put_varint(p, w->shape_run);
	w->shape_run = 0;
	put_varint(p, nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct pending *a = &w->pending[i];
		shape[i] = (struct stream_shape){.instruction = a->instruction, .is_store = a->is_store};
		put_varint(p, (a->instruction - before) << 1 | a->is_store);
		before = a->instruction;
	}
	bool done = stream_model_reshape(&w->model, b, shape, nr);
	free(shape);
	if (!done) {
		stream_fail_nomem(w);
		return false;
	}
	for (uint32_t i = 0; i < nr; i++) {
		if (b->slots[i].bytes != 0)
			continue;
		b->slots[i].bytes = (uint16_t)w->pending[i].bytes;
		put_varint(p, w->pending[i].bytes);
	}
	return true;
}

static bool has_shape(const struct stream_writer *w, const struct stream_block *b)
{
	if (b->nr_slots != w->nr_pending)
		return false;
	for (uint32_t i = 0; i < b->nr_slots; i++)
		if (b->slots[i].instruction != w->pending[i].instruction ||
		    b->slots[i].is_store != w->pending[i].is_store)
			return false;
	return true;
}

static inline void write_access(struct stream_writer *w, struct stream_slot *s, const struct pending *a)
{
	uint64_t by_stride = s->last + s->stride, by_neighbour = w->model.previous + s->relative;
	struct part *hits = &w->parts[STREAM_HITS];
	if (a->bytes != s->bytes) {
		put_symbol(hits, &w->hit_run, HIT_SIZE);
		put_varint(&w->parts[STREAM_SIZES], a->bytes);
		s->bytes = (uint16_t)a->bytes;
	}
	if (a->address == (s->prefers_relative ? by_neighbour : by_stride)) {
		w->hit_run++;
	} else if (a->address == (s->prefers_relative ? by_stride : by_neighbour)) {
		put_symbol(hits, &w->hit_run, HIT_OTHER);
		s->prefers_relative = !s->prefers_relative;
	} else {
		uint64_t step = zigzag(a->address - s->last), leap = zigzag(a->address - w->model.previous);
		put_symbol(hits, &w->hit_run, leap < step ? HIT_LEAP : HIT_STEP);
		put_varint(&w->parts[leap < step ? STREAM_LEAPS : STREAM_STEPS], leap < step ? leap : step);
	}
	stream_model_touch(&w->model, s, a->address);
}

static void finish_block(struct stream_writer *w)
{
	struct stream_block *b = &w->current->block;
	uint32_t nr = w->nr_pending;
	if (has_shape(w, b))
		w->shape_run++;
	else if (!write_shape(w, b))
		return;
	if (nr > 0 &&
	    (!reserve(w, STREAM_HITS, (size_t)nr * 2 * MAX_VARINT_BYTES) || !reserve(w, STREAM_SIZES, (size_t)nr * 2) ||
	     !reserve(w, STREAM_STEPS, (size_t)nr * MAX_VARINT_BYTES) ||
	     !reserve(w, STREAM_LEAPS, (size_t)nr * MAX_VARINT_BYTES)))
		return;
	for (uint32_t i = 0; i < nr; i++)
		write_access(w, &b->slots[i], &w->pending[i]);
	w->allowance -= MAX_ENTRY_BYTES + (int64_t)nr * MAX_ENCODED_ACCESS_BYTES;
	w->current = NULL;
	w->nr_pending = 0;
}

static bool is_full(struct stream_writer *w)
{
	if (w->instructions >= CHUNK_INSTRUCTIONS)
		return true;
	if (w->allowance >= 0)
		return false;
	w->allowance = CHUNK_RAW_BYTES;
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++)
		w->allowance -= (int64_t)w->parts[i].len;
	return w->allowance < 0;
}

/* A block that the model does not have yet. */
static void write_block(struct stream_writer *w, struct written_block *wb)
{
	struct stream_block *b = &wb->block;
	struct part *p = w->parts;
	size_t nr = b->nr;
	if (!stream_model_add(&w->model, b)) {
		stream_fail_nomem(w);
		return;
	}
	wb->stamp = w->stamp;
	w->allowance -= (int64_t)(nr * MAX_ENCODED_INSTRUCTION_BYTES);
	if (!reserve(w, STREAM_BLOCKS, (nr + 2) * MAX_VARINT_BYTES) || !reserve(w, STREAM_LENGTHS, nr) ||
	    !reserve(w, STREAM_CLASSES, nr) || !reserve(w, STREAM_REGISTERS, nr * (MAX_SOURCES + 1)) ||
	    !reserve(w, STREAM_TARGETS, nr * MAX_VARINT_BYTES))
		return;
	put_varint(&p[STREAM_BLOCKS], nr);
	for (size_t i = 0; i < nr; i++) {
		const struct insn *in = &b->instructions[i];
		put_varint(&p[STREAM_BLOCKS], zigzag(in->pc - w->model.code));
		w->model.code = in->pc + in->length;
		put(&p[STREAM_LENGTHS], in->length);
		put(&p[STREAM_CLASSES], in->class);
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			put(&p[STREAM_REGISTERS], in->source[s]);
		put(&p[STREAM_REGISTERS], in->destination);
		if (insn_has_target((enum insn_class)in->class))
			put_varint(&p[STREAM_TARGETS], zigzag(in->target - in->pc));
	}
}

void stream_writer_enter(struct stream_writer *w, uint32_t block)
{
	if (w->current)
		finish_block(w);
	if (w->status != SAHM_OK || block >= w->nr_blocks)
		return;
	struct written_block *wb = w->blocks[block];
	struct stream_block *b = &wb->block;
	if (w->ends)
		write_epoch(w, b->instructions[0].pc);
	else if (is_full(w))
		write_chunk(w, false, 0);
	if (w->status != SAHM_OK || !reserve(w, STREAM_SEQUENCE, MAX_VARINT_BYTES) ||
	    !reserve(w, STREAM_JUMPS, MAX_VARINT_BYTES))
		return;
	struct stream_model *m = &w->model;
	uint32_t expected = stream_model_next(m);
	if (wb->stamp != w->stamp) {
		put_symbol(&w->parts[STREAM_SEQUENCE], &w->sequence_run, NEXT_NEW);
		write_block(w, wb);
		if (w->status != SAHM_OK)
			return;
	} else if (b->id == expected) {
		w->sequence_run++;
	} else if (m->current && b->id == m->current->next[0]) {
		put_symbol(&w->parts[STREAM_SEQUENCE], &w->sequence_run, NEXT_FIRST);
	} else if (m->current && b->id == m->current->next[1]) {
		put_symbol(&w->parts[STREAM_SEQUENCE], &w->sequence_run, NEXT_SECOND);
	} else {
		put_symbol(&w->parts[STREAM_SEQUENCE], &w->sequence_run, NEXT_KNOWN);
		put_varint(&w->parts[STREAM_JUMPS], b->id);
	}
	stream_model_follow(m, b);
	w->entries++;
	w->instructions += b->nr;
	w->epoch.instructions += b->nr;
	w->current = wb;
	w->nr_pending = w->first_of_instruction = 0;
	w->last_of_kind[0] = w->last_of_kind[1] = UINT32_MAX;
}

/* An access of at most what one can have. */
static void add_access(struct stream_writer *w, unsigned i, uint64_t address, uint32_t bytes, bool is_store)
{
	uint32_t nr = w->nr_pending, last = w->last_of_kind[is_store];
	if (nr == 0 || w->pending[nr - 1].instruction != i) {
		/* Those of other instructions are not looked at again. */
		w->first_of_instruction = nr;
	} else if (last != UINT32_MAX && last >= w->first_of_instruction) {
		struct pending *before = &w->pending[last];
		if (before->address + before->bytes == address && before->bytes + bytes <= MAX_ACCESS_BYTES) {
			before->bytes += bytes;
			return;
		}
	}
	if (nr - w->first_of_instruction == MAX_ACCESSES) {
		w->omitted++;
		return;
	}
	if (nr == w->pending_room) {
		uint32_t room = nr ? 2 * nr : 256;
		struct pending *bigger = realloc(w->pending, room * sizeof(*bigger));
		if (!bigger) {
			stream_fail_nomem(w);
			return;
		}
		w->pending = bigger;
		w->pending_room = room;
	}
	w->pending[nr] = (struct pending){address, bytes, (uint16_t)i, is_store};
	w->last_of_kind[is_store] = nr;
	w->nr_pending++;
}

void stream_writer_access(struct stream_writer *w, unsigned i, uint64_t address, uint32_t bytes, bool is_store)
{
	if (!w->current || bytes == 0)
		return;
	if (i >= w->current->block.nr || (w->nr_pending > 0 && i < w->pending[w->nr_pending - 1].instruction)) {
		w->omitted++;
		return;
	}
	for (; bytes > MAX_ACCESS_BYTES && w->current; bytes -= MAX_ACCESS_BYTES, address += MAX_ACCESS_BYTES)
		add_access(w, i, address, MAX_ACCESS_BYTES, is_store);
	if (w->current)
		add_access(w, i, address, bytes, is_store);
}

void stream_writer_end_epoch(struct stream_writer *w)
{
	w->ends = w->epoch.instructions > 0;
}

void stream_writer_begin(struct stream_writer *w, uint64_t number, bool warms)
{
	if (w->current)
		finish_block(w);
	if (w->status == SAHM_OK && w->entries > 0 && warms != w->warms)
		write_chunk(w, false, 0);
	w->epoch.number = number;
	w->warms = warms;
}

void stream_writer_break(struct stream_writer *w, uint64_t pc)
{
	if (w->current)
		finish_block(w);
	if (w->status == SAHM_OK && w->entries > 0)
		write_epoch(w, pc);
}

void stream_writer_module(struct stream_writer *w, const struct stream_module *m)
{
	struct stream_index *x = &w->index;
	size_t len = strlen(m->path), at = x->modules_bytes;
	len = len < MAX_MODULE_PATH_BYTES ? len : MAX_MODULE_PATH_BYTES - 1;
	if (len == 0 || x->nr_modules == MAX_STREAM_MODULES)
		return;
	uint8_t *bigger = realloc(x->modules, at + STREAM_MODULE_HEADER_BYTES + len + 1);
	if (!bigger) {
		stream_fail_nomem(w);
		return;
	}
	put_le(bigger + at + STREAM_MODULE_ADDRESS, m->address, 8);
	put_le(bigger + at + STREAM_MODULE_BYTES, m->bytes, 8);
	put_le(bigger + at + STREAM_MODULE_OFFSET, m->offset, 8);
	put_le(bigger + at + STREAM_MODULE_PATH_BYTES, len + 1, 4);
	memcpy(bigger + at + STREAM_MODULE_HEADER_BYTES, m->path, len);
	bigger[at + STREAM_MODULE_HEADER_BYTES + len] = '\0';
	x->modules = bigger;
	x->modules_bytes += STREAM_MODULE_HEADER_BYTES + len + 1;
	x->nr_modules++;
}

/* The writer */

void stream_writer_abandon(struct stream_writer *w)
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
	free(w->index.epochs);
	free(w->index.modules);
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
	/* Hash states are aligned to more than malloc() promises. */
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
		stream_put_header(STREAM_VERSION, machine, program, len, w->header);
		w->status = stream_names(path, &w->path, &w->part_path, &w->err);
	}
	if (w->status == SAHM_OK && create(w))
		begin_epoch(w);
	if (w->status == SAHM_OK)
		return w;
	sahm_fail(err, w->status, "%s", w->err.msg);
	stream_writer_abandon(w);
	return NULL;
}

enum sahm_status stream_writer_finish(struct stream_writer *w, struct sahm_err *err)
{
	if (w->current)
		finish_block(w);
	/* What only warmed has nothing to warm for. */
	if (w->status == SAHM_OK && (w->warms || w->entries == 0))
		w->offset = w->epoch.offset;
	else if (w->status == SAHM_OK && w->epoch.instructions > 0)
		write_epoch(w, 0);
	if (w->status == SAHM_OK) {
		int fd = open(w->part_path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			stream_fail(w, "cannot open");
		else
			w->status =
				stream_complete(fd, w->part_path, w->path, w->header, &w->index, w->offset, &w->err);
		if (fd >= 0)
			close(fd);
	}
	enum sahm_status status = w->status;
	if (status != SAHM_OK)
		sahm_fail(err, status, "%s", w->err.msg);
	stream_writer_abandon(w);
	return status;
}
