/* What follows, as far as what came before tells. */
#include <stdlib.h>
#include <string.h>

#include "workloads/stream/stream_internal.h"

void stream_model_reset(struct stream_model *m)
{
	m->nr = 0;
	m->nr_instructions = 0;
	m->nr_slots = 0;
	m->current = NULL;
	m->previous = 0;
	m->code = 0;
	m->history = 0;
	m->nr_calls = 0;
	memset(m->guesses, 0xff, sizeof(m->guesses)); /* NO_BLOCK */
}

void stream_model_release(struct stream_model *m)
{
	free(m->blocks);
	free(m->scratch);
	m->blocks = NULL;
	m->scratch = NULL;
}

static uint8_t end_of(const struct insn *last)
{
	switch (last->class) {
	case INSN_CALL:
	case INSN_INDIRECT_CALL:
		return END_CALL;
	case INSN_RETURN:
		return END_RETURN;
	case INSN_INDIRECT_JUMP:
		return END_INDIRECT;
	default:
		return END_PLAIN;
	}
}

bool stream_model_add(struct stream_model *m, struct stream_block *b)
{
	if (m->nr == m->room) {
		uint32_t room = m->room ? m->room * 2 : 1024;
		struct stream_block **bigger = realloc(m->blocks, room * sizeof(*bigger));
		if (!bigger)
			return false;
		m->blocks = bigger;
		m->room = room;
	}
	b->id = m->nr;
	b->next[0] = b->next[1] = b->after = NO_BLOCK;
	b->nr_slots = 0;
	b->end = end_of(&b->instructions[b->nr - 1]);
	m->blocks[m->nr++] = b;
	m->nr_instructions += b->nr;
	return true;
}

static uint32_t *guess_of(const struct stream_model *m)
{
	return (uint32_t *)&m->guesses[(m->history * UINT32_C(0x85ebca6b)) >> 16];
}

uint32_t stream_model_next(const struct stream_model *m)
{
	const struct stream_block *b = m->current;
	if (!b)
		return NO_BLOCK;
	if (b->end == END_RETURN && m->nr_calls > 0) {
		uint32_t after = m->blocks[m->calls[(m->nr_calls - 1) % NR_CALLS]]->after;
		if (after != NO_BLOCK)
			return after;
	}
	uint32_t guess = *guess_of(m);
	/* A guess of another block's history tells nothing of this one. */
	bool likely = guess == b->next[0] || guess == b->next[1] || b->end != END_PLAIN;
	return guess != NO_BLOCK && likely ? guess : b->next[0];
}

void stream_model_follow(struct stream_model *m, struct stream_block *b)
{
	struct stream_block *from = m->current;
	if (from) {
		if (from->next[0] != b->id) {
			from->next[1] = from->next[0];
			from->next[0] = b->id;
		}
		*guess_of(m) = b->id;
		if (from->end == END_CALL) {
			m->calls[m->nr_calls % NR_CALLS] = from->id;
			m->nr_calls++;
		} else if (from->end == END_RETURN && m->nr_calls > 0) {
			m->nr_calls--;
			m->blocks[m->calls[m->nr_calls % NR_CALLS]]->after = b->id;
		}
	}
	m->history = m->history << 6 ^ (b->id * UINT32_C(0x9e3779b1)) >> 12;
	m->current = b;
}

static bool make_room(struct stream_slot **slots, uint32_t *room, uint32_t nr)
{
	if (nr <= *room)
		return true;
	uint32_t bigger_room = nr < 2 * *room ? 2 * *room : nr;
	struct stream_slot *bigger = realloc(*slots, bigger_room * sizeof(*bigger));
	if (!bigger)
		return false;
	*slots = bigger;
	*room = bigger_room;
	return true;
}

bool stream_model_reshape(struct stream_model *m, struct stream_block *b, const struct stream_shape *shape, uint32_t nr)
{
	uint32_t old = 0;
	if (!make_room(&m->scratch, &m->scratch_room, nr) || !make_room(&b->slots, &b->room, nr))
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t same = old;
		while (same < b->nr_slots && (b->slots[same].instruction < shape[i].instruction ||
					      (b->slots[same].instruction == shape[i].instruction &&
					       b->slots[same].is_store != shape[i].is_store)))
			same++;
		if (same < b->nr_slots && b->slots[same].instruction == shape[i].instruction) {
			m->scratch[i] = b->slots[same];
			old = same + 1;
		} else {
			m->scratch[i] = (struct stream_slot){.last = m->previous,
							     .instruction = shape[i].instruction,
							     .is_store = shape[i].is_store};
		}
	}
	if (nr > 0)
		memcpy(b->slots, m->scratch, nr * sizeof(*b->slots));
	m->nr_slots += nr;
	m->nr_slots -= b->nr_slots;
	b->nr_slots = nr;
	return true;
}
