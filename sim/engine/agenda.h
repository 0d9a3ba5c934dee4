/* When what is due: a time for each of a fixed number of events, the earliest first, lowest number on a tie.
 *
 * A tree of minima over the events' times: a change walks from a leaf up to the root, without a branch that could not
 * be foretold, which those of a binary heap are. Inline because the engine that uses it does so several times per
 * event.
 */
#ifndef SAHM_SIM_ENGINE_AGENDA_H
#define SAHM_SIM_ENGINE_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/units.h"

struct agenda {
	uint64_t *least; /* [2 * width]: of node i's children 2 * i and 2 * i + 1, from the root, 1; leaves from `width`
			    on */
	uint32_t width;	 /* a power of two, no less than the number of events */
};

/* `nr` events, at least 1, none of them due. False when memory is short. */
static inline bool agenda_init(struct agenda *a, struct arena *arena, uint32_t nr)
{
	a->width = 1;
	while (a->width < nr)
		a->width *= 2;
	a->least = arena_alloc(arena, 2 * (size_t)a->width, sizeof(*a->least));
	for (uint32_t i = 0; i < 2 * a->width && a->least; i++)
		a->least[i] = NEVER;
	return a->least != NULL;
}

/* Event `number` is due at `ns`, and no longer when it was. */
static inline void agenda_set(struct agenda *a, uint32_t number, uint64_t ns)
{
	size_t i = (size_t)a->width + number;
	a->least[i] = ns;
	while (i > 1) {
		uint64_t other = a->least[i ^ 1];
		ns = other < ns ? other : ns;
		i /= 2;
		a->least[i] = ns;
	}
}

static inline uint64_t agenda_ns(const struct agenda *a, uint32_t number)
{
	return a->least[a->width + number];
}

/* When the event that comes first is due, and which one that is. */
static inline uint64_t agenda_first_ns(const struct agenda *a)
{
	return a->least[1];
}

static inline uint32_t agenda_first(const struct agenda *a)
{
	const uint64_t *least = a->least, first = least[1];
	size_t width = a->width, i = 1;
	while (i < width) {
		i *= 2;
		i += least[i] != first;
	}
	return (uint32_t)(i - width);
}

#endif
