/* Edges of critical paths by the static instructions that they connect: a hash table of indices into a list. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/path_rows_internal.h"

#define FIRST_EDGES 512u /* a power of two */

struct path_table {
	uint32_t nr, room;	/* room: a power of two */
	bool has_lost;		/* edges, for want of room */
	uint32_t *slots;	/* [2 * room]: 1 + an index, or 0 */
	struct path_edge *list; /* [room] */
};

struct path_table *path_table_new(void)
{
	struct path_table *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->room = FIRST_EDGES;
	t->slots = calloc(2 * t->room, sizeof(*t->slots));
	t->list = malloc(t->room * sizeof(*t->list));
	if (t->slots && t->list)
		return t;
	path_table_free(t);
	return NULL;
}

void path_table_free(struct path_table *t)
{
	if (!t)
		return;
	free(t->slots);
	free(t->list);
	free(t);
}

/* The slot of an edge, or the empty one where it belongs. */
static uint32_t *find_slot(const struct path_table *t, uint64_t from, uint64_t to, uint32_t cause)
{
	uint64_t hash = ((from * UINT64_C(0x9e3779b97f4a7c15)) ^ to) * UINT64_C(0xd6e8feb86659fd93) + cause;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
		uint32_t *slot = &t->slots[i & (2 * t->room - 1)];
		if (*slot == 0)
			return slot;
		const struct path_edge *e = &t->list[*slot - 1];
		if (e->from_pc == from && e->to_pc == to && e->cause == cause)
			return slot;
	}
}

static void fill_slots(struct path_table *t)
{
	memset(t->slots, 0, 2 * t->room * sizeof(*t->slots));
	for (uint32_t i = 0; i < t->nr; i++)
		*find_slot(t, t->list[i].from_pc, t->list[i].to_pc, t->list[i].cause) = i + 1;
}

static bool grow(struct path_table *t)
{
	uint32_t room = 2 * t->room;
	struct path_edge *list = realloc(t->list, room * sizeof(*list));
	if (!list)
		return false;
	t->list = list;
	uint32_t *slots = realloc(t->slots, 2 * room * sizeof(*slots));
	if (!slots)
		return false;
	t->slots = slots;
	t->room = room;
	fill_slots(t);
	return true;
}

void path_table_add(struct path_table *t, uint64_t from_pc, uint64_t to_pc, unsigned cause, uint64_t cycles)
{
	uint32_t *slot = find_slot(t, from_pc, to_pc, cause);
	if (*slot == 0) {
		if (t->nr == t->room) {
			if (t->room == MAX_PATH_EDGES || !grow(t)) {
				t->has_lost = true;
				return;
			}
			slot = find_slot(t, from_pc, to_pc, cause);
		}
		t->list[t->nr++] = (struct path_edge){from_pc, to_pc, cause, 0, 0};
		*slot = t->nr;
	}
	t->list[*slot - 1].cycles += cycles;
	t->list[*slot - 1].times++;
}

static int by_cycles(const void *a, const void *b)
{
	const struct path_edge *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	if (x->from_pc != y->from_pc)
		return x->from_pc < y->from_pc ? -1 : 1;
	if (x->to_pc != y->to_pc)
		return x->to_pc < y->to_pc ? -1 : 1;
	return x->cause < y->cause ? -1 : x->cause > y->cause;
}

struct path_edges path_table_edges(struct path_table *t)
{
	qsort(t->list, t->nr, sizeof(*t->list), by_cycles);
	fill_slots(t);
	return (struct path_edges){t->nr, t->has_lost, t->list};
}
