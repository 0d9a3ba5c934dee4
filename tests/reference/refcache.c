#include "tests/reference/refcache.h"

#include <stdlib.h>

struct line {
	uint64_t address;  /* of its first byte */
	uint64_t used;	   /* when; 0: there is none */
	uint32_t age, way; /* of RRIP: the prediction; among those of an age the lowest way leaves */
};

struct refcache {
	struct cache_spec spec;
	uint64_t nr_sets, now;
	uint32_t nr_lines;
	struct line lines[];
};

struct refcache *refcache_new(const struct cache_spec *spec)
{
	uint32_t nr = spec->bytes / spec->line_bytes;
	struct refcache *c = calloc(1, sizeof(*c) + nr * sizeof(c->lines[0]));
	if (c) {
		c->spec = *spec;
		c->nr_lines = nr;
		c->nr_sets = nr / spec->ways;
	}
	return c;
}

void refcache_free(struct refcache *c)
{
	free(c);
}

static uint64_t set_of(const struct refcache *c, uint64_t address)
{
	return address / c->spec.line_bytes % c->nr_sets;
}

/* With RRIP: whether `a` leaves before `b`. */
static bool leaves_before(const struct refcache *c, const struct line *a, const struct line *b)
{
	if (c->spec.replacement == REPLACE_RRIP)
		return a->age > b->age || (a->age == b->age && a->way < b->way);
	return a->used < b->used;
}

/* With RRIP: lines of the set of `victim` become as much older as it lacks of the highest age. */
static void age(struct refcache *c, const struct line *victim)
{
	uint32_t years = 3 - victim->age;
	for (struct line *l = c->lines; l < c->lines + c->nr_lines; l++)
		if (l->used && set_of(c, l->address) == set_of(c, victim->address))
			l->age += years;
}

bool refcache_access(struct refcache *c, uint64_t address)
{
	uint64_t begin = address - address % c->spec.line_bytes;
	struct line *free_line = NULL, *next = NULL;
	uint32_t in_set = 0;
	c->now++;
	for (struct line *l = c->lines; l < c->lines + c->nr_lines; l++) {
		if (!l->used) {
			free_line = l;
		} else if (l->address == begin) {
			l->used = c->now;
			l->age = 0;
			return true;
		} else if (set_of(c, l->address) == set_of(c, begin)) {
			in_set++;
			if (!next || leaves_before(c, l, next))
				next = l;
		}
	}
	/* Whatever is free serves any set: only how many lines a set has counts. */
	struct line *place = in_set < c->spec.ways ? free_line : next;
	uint32_t way = in_set < c->spec.ways ? in_set : next->way;
	if (place == next)
		age(c, next);
	*place = (struct line){begin, c->now, 2, way};
	return false;
}
