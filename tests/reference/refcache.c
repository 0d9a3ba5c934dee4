#include "tests/reference/refcache.h"

#include <stdlib.h>

struct line {
	uint64_t address;  /* of its first byte */
	uint64_t used;	   /* when; 0: there is none */
	uint32_t age, way; /* of RRIP: the prediction; among those of an age the lowest way leaves */
	uint64_t step;	   /* of PDP: from this step of its set on it is not protected */
	bool is_reused;
};

struct past {
	uint64_t address, set;
	uint64_t number; /* among the accesses to its set */
	bool is_met;	 /* an entry of a sampled set whose next use was found */
};

struct refcache {
	struct cache_spec spec;
	uint64_t nr_sets, now;
	uint32_t nr_lines;
	/* Of PDP. */
	struct past *past;
	uint64_t distance, counts[256], nr_entries, nr_new_entries;
	uint64_t *steps, *waited; /* [sets]: steps, accesses since the last one */
	struct line lines[];
};

struct refcache *refcache_new(const struct cache_spec *spec, uint32_t nr_accesses)
{
	uint32_t nr = spec->bytes / spec->line_bytes;
	struct refcache *c = calloc(1, sizeof(*c) + nr * sizeof(c->lines[0]));
	if (!c)
		return NULL;
	c->spec = *spec;
	c->nr_lines = nr;
	c->nr_sets = nr / spec->ways;
	c->distance = spec->ways;
	c->past = calloc(nr_accesses, sizeof(*c->past));
	c->steps = calloc(c->nr_sets, sizeof(*c->steps));
	c->waited = calloc(c->nr_sets, sizeof(*c->waited));
	if (c->past && c->steps && c->waited)
		return c;
	refcache_free(c);
	return NULL;
}

void refcache_free(struct refcache *c)
{
	if (!c)
		return;
	free(c->past);
	free(c->steps);
	free(c->waited);
	free(c);
}

static uint64_t set_of(const struct refcache *c, uint64_t address)
{
	return address / c->spec.line_bytes % c->nr_sets;
}

static uint64_t protection(const struct refcache *c, const struct line *l)
{
	uint64_t now = c->steps[set_of(c, l->address)];
	return l->step > now ? l->step - now : 0;
}

/* Whether `a`, of a lower or higher way, leaves before `b`. */
static bool leaves_before(const struct refcache *c, const struct line *a, const struct line *b)
{
	uint64_t pa = protection(c, a), pb = protection(c, b);
	if (c->spec.replacement == REPLACE_RRIP)
		return a->age > b->age || (a->age == b->age && a->way < b->way);
	if (c->spec.replacement == REPLACE_LRU)
		return a->used < b->used;
	if (pa == 0 || pb == 0)
		return pa == 0 && (pb > 0 || a->way < b->way);
	if (a->is_reused != b->is_reused)
		return b->is_reused;
	return pa > pb || (pa == pb && a->way < b->way);
}

/* With RRIP: lines of the set of `victim` become as much older as it lacks of the highest age. */
static void age(struct refcache *c, const struct line *victim)
{
	uint32_t years = 3 - victim->age;
	for (struct line *l = c->lines; l < c->lines + c->nr_lines; l++)
		if (l->used && set_of(c, l->address) == set_of(c, victim->address))
			l->age += years;
}

/* ---- PDP ---- */

static void find_distance(struct refcache *c)
{
	uint64_t best_hits = 0, best_held = 1;
	for (uint64_t d = 4; d <= 256; d += 4) {
		uint64_t hits = 0, held = 0;
		for (uint64_t i = 1; i <= d; i++) {
			hits += c->counts[i - 1];
			held += c->counts[i - 1] * ((i + 3) / 4 * 4);
		}
		held += hits < c->nr_entries ? (c->nr_entries - hits) * (d + c->spec.ways) : 0;
		if (d >= c->spec.ways && hits * best_held > best_hits * held) {
			best_hits = hits;
			best_held = held;
			c->distance = d;
		}
	}
}

/* Counters have steps of 4: a remainder of halving them moves within a step. */
static void halve(struct refcache *c)
{
	c->nr_entries /= 2;
	for (unsigned i = 0; i < 256; i += 4) {
		uint64_t sum = (c->counts[i] + c->counts[i + 1] + c->counts[i + 2] + c->counts[i + 3]) / 2;
		c->counts[i] = sum;
		c->counts[i + 1] = c->counts[i + 2] = c->counts[i + 3] = 0;
	}
}

static void sample(struct refcache *c, struct past *now)
{
	uint64_t sampled = c->nr_sets < 64 ? 1 : c->nr_sets / 64, line = now->address / c->spec.line_bytes;
	for (struct past *p = c->past; p < now; p++)
		now->number += p->set == now->set;
	if (now->set % sampled != 0)
		return;
	for (struct past *p = now; p-- > c->past;) {
		uint64_t other = p->address / c->spec.line_bytes;
		if (p->set != now->set || p->number % 8 != 0 || p->is_met || now->number - p->number > 256 ||
		    (line ^ other) / c->nr_sets % 65536 != 0)
			continue;
		p->is_met = true;
		c->counts[now->number - p->number - 1]++;
		break;
	}
	if (now->number % 8 != 0)
		return;
	c->nr_entries++;
	if (++c->nr_new_entries % 256 != 0)
		return;
	find_distance(c);
	halve(c);
}

/* The line was filled or hit. */
static void protect(struct refcache *c, struct line *l, bool is_hit)
{
	uint64_t set = set_of(c, l->address), step;
	struct past *now = &c->past[c->now - 1];
	*now = (struct past){.address = l->address, .set = set};
	sample(c, now);
	step = c->distance / 14 + (c->distance % 14 > 0);
	if (++c->waited[set] >= step) {
		c->waited[set] = 0;
		c->steps[set]++;
	}
	l->step = c->steps[set] + c->distance / step + (c->distance % step > 0) + (step > 1);
	l->is_reused = is_hit;
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
			if (c->spec.replacement == REPLACE_PDP)
				protect(c, l, true);
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
	*place = (struct line){.address = begin, .used = c->now, .age = 2, .way = way};
	if (c->spec.replacement == REPLACE_PDP)
		protect(c, place, false);
	return false;
}
