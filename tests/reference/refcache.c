#include "tests/reference/refcache.h"

#include <stdlib.h>

struct line {
	uint64_t address; /* of its first byte */
	uint64_t used;	  /* when; 0: there is none */
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

bool refcache_access(struct refcache *c, uint64_t address)
{
	uint64_t begin = address - address % c->spec.line_bytes;
	struct line *free_line = NULL, *oldest = NULL;
	uint32_t in_set = 0;
	c->now++;
	for (struct line *l = c->lines; l < c->lines + c->nr_lines; l++) {
		if (!l->used) {
			free_line = l;
		} else if (l->address == begin) {
			l->used = c->now;
			return true;
		} else if (set_of(c, l->address) == set_of(c, begin)) {
			in_set++;
			if (!oldest || l->used < oldest->used)
				oldest = l;
		}
	}
	/* Whatever is free serves any set: only how many lines a set has counts. */
	struct line *place = in_set < c->spec.ways ? free_line : oldest;
	*place = (struct line){begin, c->now};
	return false;
}
