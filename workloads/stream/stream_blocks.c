/* Blocks as they are announced. */
#include <stdlib.h>
#include <string.h>

#include "workloads/stream/stream_writer_internal.h"

static bool same_instruction(const struct insn *a, const struct insn *b)
{
	return a->pc == b->pc && a->target == b->target && a->length == b->length && a->class == b->class &&
	       memcmp(a->source, b->source, sizeof(a->source)) == 0 && a->destination == b->destination;
}

static bool same_block(const struct stream_block *b, const struct insn *instructions, unsigned nr)
{
	bool same = b->nr == nr;
	for (unsigned i = 0; same && i < nr; i++)
		same = same_instruction(&b->instructions[i], &instructions[i]);
	return same;
}

static uint32_t place_of(const struct stream_writer *w, const struct insn *instructions, unsigned nr)
{
	uint64_t v = nr;
	for (unsigned i = 0; i < nr; i++)
		v = (v ^ instructions[i].pc ^ (uint64_t)instructions[i].length << 8 ^ instructions[i].class) *
		    UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(v >> 32) & w->table_mask;
}

static void insert(struct stream_writer *w, uint32_t id)
{
	struct written_block *wb = w->blocks[id];
	uint32_t *place = &w->table[place_of(w, wb->instructions, wb->block.nr)];
	wb->next_equal = *place;
	*place = id;
}

/* Room for one more block, and a table that is at most full once over. */
static bool make_room(struct stream_writer *w)
{
	if (w->nr_blocks < w->blocks_room)
		return true;
	uint32_t room = w->blocks_room ? 2 * w->blocks_room : 1024;
	struct written_block **blocks = realloc(w->blocks, room * sizeof(struct written_block *));
	if (blocks)
		w->blocks = blocks;
	uint32_t *table = blocks ? malloc(room * sizeof(*table)) : NULL;
	if (!table)
		return false;
	free(w->table);
	memset(table, 0xff, room * sizeof(*table)); /* NO_BLOCK */
	w->table = table;
	w->table_mask = room - 1;
	w->blocks_room = room;
	for (uint32_t i = 0; i < w->nr_blocks; i++)
		insert(w, i);
	return true;
}

static bool is_register(uint8_t number)
{
	return number < NR_INSN_REGISTERS || number == NO_REGISTER;
}

static bool is_instruction(const struct insn *in)
{
	bool fine = in->length >= 1 && in->length <= MAX_INSN_BYTES && in->class < NR_INSN_CLASSES &&
		    is_register(in->destination);
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		fine = fine && is_register(in->source[i]);
	return fine;
}

uint32_t stream_writer_block(struct stream_writer *w, const struct insn *instructions, unsigned nr)
{
	bool fine = nr >= 1 && nr <= MAX_BLOCK_INSTRUCTIONS;
	for (unsigned i = 0; fine && i < nr; i++)
		fine = is_instruction(&instructions[i]);
	if (!fine && w->status == SAHM_OK)
		w->status = sahm_fail(&w->err, SAHM_RANGE, "a block of %u instructions is none", nr);
	if (!fine)
		w->current = NULL;
	if (w->status != SAHM_OK)
		return NO_BLOCK;
	if (!make_room(w)) {
		stream_fail_nomem(w);
		return NO_BLOCK;
	}
	for (uint32_t i = w->table[place_of(w, instructions, nr)]; i != NO_BLOCK; i = w->blocks[i]->next_equal)
		if (same_block(&w->blocks[i]->block, instructions, nr))
			return i;
	struct written_block *wb = calloc(1, sizeof(*wb));
	struct insn *copy = malloc(nr * sizeof(*copy));
	if (!wb || !copy) {
		free(wb);
		free(copy);
		stream_fail_nomem(w);
		return NO_BLOCK;
	}
	memcpy(copy, instructions, nr * sizeof(*copy));
	wb->instructions = copy;
	wb->block.instructions = copy;
	wb->block.nr = (uint16_t)nr;
	w->blocks[w->nr_blocks] = wb;
	insert(w, w->nr_blocks);
	return w->nr_blocks++;
}
