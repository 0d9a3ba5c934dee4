/* Blocks as they are executed become parts of a chunk. */
#include <stdlib.h>

#include "workloads/stream/stream_writer_internal.h"

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

void stream_finish_block(struct stream_writer *w)
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
		stream_finish_block(w);
	if (w->status != SAHM_OK || block >= w->nr_blocks)
		return;
	struct written_block *wb = w->blocks[block];
	struct stream_block *b = &wb->block;
	if (w->ends)
		stream_write_epoch(w, b->instructions[0].pc);
	else if (is_full(w))
		stream_write_chunk(w, false, 0);
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
