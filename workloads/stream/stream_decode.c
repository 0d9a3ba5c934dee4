/* Streams read: chunks become blocks and accesses. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/stream/stream_reader_internal.h"

/* No symbol comes any more. */
#define SYMBOL_END 99u

static enum sahm_status broken(const struct stream *s, struct sahm_err *err)
{
	return sahm_fail_at(err, SAHM_FORMAT, s->file.path, 0, "a chunk of epoch %" PRIu64 " holds what cannot be",
			    s->epoch);
}

static inline bool get(struct rest *r, uint8_t *byte)
{
	if (r->at == r->end)
		return false;
	*byte = *r->at++;
	return true;
}

static bool get_varint(struct rest *r, uint64_t *value)
{
	uint64_t v = 0;
	uint8_t byte;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (!get(r, &byte) || (shift == 63 && byte > 1))
			return false;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = v;
			return true;
		}
	}
	return false;
}

static bool load_symbol(struct rest *r, struct symbols *s, unsigned bits)
{
	uint64_t v;
	if (r->at == r->end) {
		*s = (struct symbols){UINT64_MAX, SYMBOL_END};
		return true;
	}
	if (!get_varint(r, &v))
		return false;
	*s = (struct symbols){v >> bits, (unsigned)(v & ((1u << bits) - 1)) + 1};
	return true;
}

/* The next symbol, 0 where all is as expected. */
static inline bool get_symbol(struct rest *r, struct symbols *s, unsigned bits, unsigned *symbol)
{
	if (s->symbol == 0 && !load_symbol(r, s, bits))
		return false;
	if (s->left > 0) {
		s->left--;
		*symbol = 0;
		return true;
	}
	*symbol = s->symbol;
	s->symbol = 0;
	return true;
}

static bool is_used_up(const struct symbols *s)
{
	return s->symbol == 0 || s->symbol == SYMBOL_END;
}

/* The current block is read on when its model is gone. */
static bool keep_current(struct stream *s)
{
	const struct stream_block *b = s->current;
	struct insn *instructions = malloc(b->nr * sizeof(*instructions));
	struct stream_slot *slots = malloc((b->nr_slots ? b->nr_slots : 1) * sizeof(*slots));
	if (!instructions || !slots) {
		free(instructions);
		free(slots);
		return false;
	}
	memcpy(instructions, b->instructions, b->nr * sizeof(*instructions));
	if (b->nr_slots > 0)
		memcpy(slots, b->slots, b->nr_slots * sizeof(*slots));
	free((void *)s->kept.instructions);
	free(s->kept.slots);
	s->kept = *b;
	s->kept.instructions = instructions;
	s->kept.slots = slots;
	s->current = &s->kept;
	return true;
}

enum sahm_status stream_forget_blocks(struct stream *s, struct sahm_err *err)
{
	if (s->current && s->current != &s->kept && !keep_current(s))
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < s->model.nr; i++)
		free(s->model.blocks[i]->slots);
	arena_release(&s->arena);
	stream_model_reset(&s->model);
	return SAHM_OK;
}

static enum sahm_status unpack(struct stream *s, const struct stream_chunk *c, struct sahm_err *err)
{
	size_t raw = 1, at = 0, from = 0;
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++)
		raw += c->raw[i];
	if (raw > s->raw_room) {
		uint8_t *bigger = realloc(s->raw, raw);
		if (!bigger)
			return sahm_fail_nomem(err);
		s->raw = bigger;
		s->raw_room = raw;
	}
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++) {
		if (c->stored[i] == c->raw[i]) {
			if (c->raw[i] > 0)
				memcpy(s->raw + at, s->body + from, c->raw[i]);
		} else if (ZSTD_decompressDCtx(s->decompressor, s->raw + at, c->raw[i], s->body + from, c->stored[i]) !=
			   c->raw[i]) {
			return broken(s, err);
		}
		s->parts[i] = (struct rest){s->raw + at, s->raw + at + c->raw[i]};
		at += c->raw[i];
		from += c->stored[i];
	}
	return SAHM_OK;
}

static enum sahm_status load_chunk(struct stream *s, struct sahm_err *err)
{
	struct stream_chunk c;
	const struct stream_file *f = &s->file;
	bool is_first = s->instructions == 0;
	uint64_t end = s->epoch + 1 < f->index.nr ? f->index.epochs[s->epoch + 1].offset : f->content;
	enum sahm_status status = stream_file_chunk(f, s->offset, end, &c, err);
	if (status != SAHM_OK)
		return status;
	if (c.epoch != f->index.epochs[s->epoch].number || c.body_bytes > end - s->offset - CHUNK_HEADER_BYTES ||
	    (is_first && !(c.flags & CHUNK_FRESH)))
		return broken(s, err);
	status = stream_file_body(f, s->offset, &c, &s->body, &s->body_room, err);
	if (status == SAHM_OK)
		status = unpack(s, &c, err);
	if (status != SAHM_OK)
		return status;
	s->offset += CHUNK_HEADER_BYTES + c.body_bytes;
	s->instructions += c.instructions;
	s->warm += c.flags & CHUNK_WARM ? c.instructions : 0;
	hash_add(&s->hash, c.digest, DIGEST_BYTES);
	s->is_last = c.flags & CHUNK_LAST;
	s->successor = c.successor;
	s->entries = c.entries;
	s->chunk_instructions = c.instructions;
	s->sequence = s->shapes = s->hits = (struct symbols){0};
	if (c.flags & CHUNK_FRESH)
		status = stream_forget_blocks(s, err);
	/* What is read of it makes the model larger by less than a chunk. */
	if (s->model.nr_instructions > MAX_MODEL_INSTRUCTIONS || s->model.nr_slots > MAX_MODEL_SLOTS)
		return broken(s, err);
	return status;
}

/* The chunk has been read, and the epoch if it was the last: nothing may be left of it. */
static enum sahm_status end_chunk(struct stream *s, struct sahm_err *err)
{
	const struct stream_epoch *e = &s->file.index.epochs[s->epoch];
	uint8_t whole[HASH_BYTES];
	bool fine = s->chunk_instructions == 0 && is_used_up(&s->sequence) && is_used_up(&s->shapes) &&
		    is_used_up(&s->hits);
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++)
		fine = fine && s->parts[i].at == s->parts[i].end;
	if (!fine)
		return broken(s, err);
	if (!s->is_last)
		return SAHM_OK;
	hash_end(&s->hash, whole);
	if (memcmp(whole, e->digest, DIGEST_BYTES) != 0)
		return sahm_fail_at(err, SAHM_CHECKSUM, s->file.path, 0,
				    "epoch %" PRIu64 " is damaged: it differs from its checksum", s->epoch);
	return s->instructions == e->instructions && s->warm == e->warm ? SAHM_OK : broken(s, err);
}

static bool is_register(uint8_t number)
{
	return number < NR_INSN_REGISTERS || number == NO_REGISTER;
}

static bool read_instruction(struct stream *s, struct insn *in)
{
	struct rest *p = s->parts;
	uint64_t v;
	if (!get_varint(&p[STREAM_BLOCKS], &v) || !get(&p[STREAM_LENGTHS], &in->length) ||
	    !get(&p[STREAM_CLASSES], &in->class) || in->length < 1 || in->length > MAX_INSN_BYTES ||
	    in->class >= NR_INSN_CLASSES)
		return false;
	in->pc = s->model.code + unzigzag(v);
	s->model.code = in->pc + in->length;
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		if (!get(&p[STREAM_REGISTERS], &in->source[i]) || !is_register(in->source[i]))
			return false;
	if (!get(&p[STREAM_REGISTERS], &in->destination) || !is_register(in->destination))
		return false;
	if (insn_has_target((enum insn_class)in->class)) {
		if (!get_varint(&p[STREAM_TARGETS], &v))
			return false;
		in->target = in->pc + unzigzag(v);
	}
	return true;
}

static enum sahm_status read_block(struct stream *s, struct stream_block **block, struct sahm_err *err)
{
	uint64_t nr;
	if (!get_varint(&s->parts[STREAM_BLOCKS], &nr) || nr < 1 || nr > MAX_BLOCK_INSTRUCTIONS ||
	    nr > s->chunk_instructions)
		return broken(s, err);
	struct stream_block *b = arena_alloc(&s->arena, 1, sizeof(*b));
	struct insn *in = arena_alloc(&s->arena, nr, sizeof(*in));
	if (!b || !in)
		return sahm_fail_nomem(err);
	for (uint64_t i = 0; i < nr; i++)
		if (!read_instruction(s, &in[i]))
			return broken(s, err);
	b->instructions = in;
	b->nr = (uint16_t)nr;
	*block = b;
	return stream_model_add(&s->model, b) ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status stream_look_ahead(struct stream *s, struct sahm_err *err)
{
	struct stream_model *m = &s->model;
	enum sahm_status status = SAHM_OK;
	unsigned symbol;
	uint64_t id;
	s->following = NULL;
	if (s->entries == 0) {
		if (s->started)
			status = end_chunk(s, err);
		if (status != SAHM_OK || (s->started && s->is_last))
			return status;
		status = load_chunk(s, err);
		if (status != SAHM_OK)
			return status;
		s->started = true;
	}
	id = stream_model_next(m);
	if (!get_symbol(&s->parts[STREAM_SEQUENCE], &s->sequence, SYMBOL_BITS, &symbol))
		return broken(s, err);
	if (symbol == NEXT_NEW) {
		status = read_block(s, &s->following, err);
		if (status != SAHM_OK)
			return status;
	} else {
		if (symbol == NEXT_FIRST || symbol == NEXT_SECOND)
			id = m->current ? m->current->next[symbol - NEXT_FIRST] : NO_BLOCK;
		else if (symbol == NEXT_KNOWN && !get_varint(&s->parts[STREAM_JUMPS], &id))
			return broken(s, err);
		/* Where symbols have ended, the expected one follows. */
		if (id >= m->nr)
			return broken(s, err);
		s->following = m->blocks[id];
	}
	if (s->following->nr > s->chunk_instructions)
		return broken(s, err);
	s->chunk_instructions -= s->following->nr;
	s->entries--;
	return SAHM_OK;
}

static enum sahm_status read_shape(struct stream *s, struct stream_block *b, struct sahm_err *err)
{
	struct rest *p = &s->parts[STREAM_SHAPES];
	uint64_t nr, v;
	uint32_t instruction = 0, in_a_row = 0;
	if (!get_varint(p, &nr) || nr > (uint64_t)b->nr * MAX_ACCESSES)
		return broken(s, err);
	if (nr > s->shape_room) {
		struct stream_shape *bigger = realloc(s->shape, nr * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		s->shape = bigger;
		s->shape_room = (uint32_t)nr;
	}
	for (uint64_t i = 0; i < nr; i++) {
		if (!get_varint(p, &v) || v >> 1 >= b->nr)
			return broken(s, err);
		in_a_row = v >> 1 == 0 ? in_a_row + 1 : 1;
		instruction += (uint32_t)(v >> 1);
		if (instruction >= b->nr || in_a_row > MAX_ACCESSES)
			return broken(s, err);
		s->shape[i] = (struct stream_shape){(uint16_t)instruction, v & 1};
	}
	if (!stream_model_reshape(&s->model, b, s->shape, (uint32_t)nr))
		return sahm_fail_nomem(err);
	for (uint64_t i = 0; i < nr; i++) {
		if (b->slots[i].bytes != 0)
			continue;
		if (!get_varint(p, &v) || v < 1 || v > MAX_ACCESS_BYTES)
			return broken(s, err);
		b->slots[i].bytes = (uint16_t)v;
	}
	return SAHM_OK;
}

static bool read_access(struct stream *s, struct stream_slot *slot, struct access *out)
{
	struct rest *hits = &s->parts[STREAM_HITS];
	uint64_t address, by_stride = slot->last + slot->stride, by_neighbour = s->model.previous + slot->relative, v;
	unsigned symbol;
	if (!get_symbol(hits, &s->hits, SYMBOL_BITS, &symbol))
		return false;
	if (symbol == HIT_SIZE) {
		if (!get_varint(&s->parts[STREAM_SIZES], &v) || v < 1 || v > MAX_ACCESS_BYTES ||
		    !get_symbol(hits, &s->hits, SYMBOL_BITS, &symbol))
			return false;
		slot->bytes = (uint16_t)v;
	}
	switch (symbol) {
	case HIT_SIZE:
		return false;
	case HIT_OTHER:
		address = slot->prefers_relative ? by_stride : by_neighbour;
		slot->prefers_relative = !slot->prefers_relative;
		break;
	case HIT_STEP:
	case HIT_LEAP:
		if (!get_varint(&s->parts[symbol == HIT_STEP ? STREAM_STEPS : STREAM_LEAPS], &v))
			return false;
		address = (symbol == HIT_STEP ? slot->last : s->model.previous) + unzigzag(v);
		break;
	default:
		address = slot->prefers_relative ? by_neighbour : by_stride;
		break;
	}
	stream_model_touch(&s->model, slot, address);
	*out = (struct access){address, slot->bytes, slot->is_store};
	return true;
}

enum sahm_status stream_read_accesses(struct stream *s, struct stream_block *b, struct sahm_err *err)
{
	unsigned symbol;
	if (!get_symbol(&s->parts[STREAM_SHAPES], &s->shapes, 0, &symbol))
		return broken(s, err);
	if (symbol == 1) {
		enum sahm_status status = read_shape(s, b, err);
		if (status != SAHM_OK)
			return status;
	}
	if (b->nr_slots > s->accesses_room) {
		struct access *bigger = realloc(s->accesses, b->nr_slots * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		s->accesses = bigger;
		s->accesses_room = b->nr_slots;
	}
	for (uint32_t i = 0; i < b->nr_slots; i++)
		if (!read_access(s, &b->slots[i], &s->accesses[i]))
			return broken(s, err);
	return SAHM_OK;
}
