/* When what is due: a time for each of a fixed number of events, the earliest first, lowest number on a tie.
 *
 * A binary heap of (time, number) with the place of every event, so that a time can be changed where it stands. Inline
 * because the engine that uses it does so several times per event.
 */
#ifndef SAHM_SIM_ENGINE_AGENDA_H
#define SAHM_SIM_ENGINE_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/units.h"

struct agenda_entry {
	uint64_t ns;
	uint32_t number;
};

struct agenda {
	struct agenda_entry *heap; /* [nr]; all events are in it, those that are never due, too */
	uint32_t *places;	   /* [nr] */
	uint32_t nr;
};

/* `nr` events, at least 1, none of them due. False when memory is short. */
static inline bool agenda_init(struct agenda *a, struct arena *arena, uint32_t nr)
{
	a->heap = arena_alloc(arena, nr, sizeof(*a->heap));
	a->places = arena_alloc(arena, nr, sizeof(*a->places));
	a->nr = nr;
	for (uint32_t i = 0; i < nr && a->heap && a->places; i++) {
		a->heap[i] = (struct agenda_entry){NEVER, i};
		a->places[i] = i;
	}
	return a->heap && a->places;
}

static inline bool agenda_before(const struct agenda_entry *a, const struct agenda_entry *b)
{
	/* Without branches: what they would depend on cannot be foretold. */
	return (a->ns < b->ns) | ((a->ns == b->ns) & (a->number < b->number));
}

static inline void agenda_put(struct agenda *a, uint32_t place, struct agenda_entry entry)
{
	a->heap[place] = entry;
	a->places[entry.number] = place;
}

/* Event `number` is due at `ns`, and no longer when it was. */
static inline void agenda_set(struct agenda *a, uint32_t number, uint64_t ns)
{
	uint32_t place = a->places[number];
	struct agenda_entry entry = {ns, number};
	if (a->heap[place].ns == ns)
		return;
	while (place > 0 && agenda_before(&entry, &a->heap[(place - 1) / 2])) {
		agenda_put(a, place, a->heap[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	for (uint32_t child; (child = 2 * place + 1) < a->nr; place = child) {
		if (child + 1 < a->nr)
			child += agenda_before(&a->heap[child + 1], &a->heap[child]);
		if (!agenda_before(&a->heap[child], &entry))
			break;
		agenda_put(a, place, a->heap[child]);
	}
	agenda_put(a, place, entry);
}

static inline uint64_t agenda_ns(const struct agenda *a, uint32_t number)
{
	return a->heap[a->places[number]].ns;
}

/* The event that comes first. */
static inline const struct agenda_entry *agenda_first(const struct agenda *a)
{
	return &a->heap[0];
}

#endif
