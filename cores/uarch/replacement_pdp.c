#include "cores/uarch/replacement_pdp.h"

#include <stdbool.h>
#include <stdlib.h>

#include "cores/uarch/storage_bits.h"

#define NR_DISTANCES (PDP_MAX_DISTANCE / PDP_DISTANCE_STEP)
#define LIST_ENTRIES (PDP_MAX_DISTANCE / PDP_SAMPLE_PERIOD)
#define MAX_REMAINING ((1u << PDP_REMAINING_BITS) - 1)
#define MAX_STEPS (MAX_REMAINING - 1)

/* Recent lines of a sampled set: a ring. */
struct sample {
	uint32_t nr; /* accesses so far; its low bits say where in the ring the next entry is */
	uint16_t tags[LIST_ENTRIES];
	bool is_there[LIST_ENTRIES];
};

struct line_state {
	uint8_t remaining; /* protection, in steps */
	bool is_reused;
};

struct pdp {
	uint32_t ways, set_shift, spread;	 /* set_shift: log2 of sets; every `spread`-th is sampled */
	uint32_t distance, step, full;		 /* full: protection of a line that was just used, in steps */
	uint32_t nr_entries, hits[NR_DISTANCES]; /* since d was found, and half of those before */
	uint32_t since;				 /* entries since then */
	struct line_state *lines;		 /* [sets][ways] */
	uint8_t *clocks;			 /* [sets]: accesses of the current step so far */
	struct sample *samples;			 /* [sets / spread] */
};

/* The first step can be a part of one. */
static void protect_for(struct pdp *p, uint32_t distance)
{
	p->distance = distance;
	p->step = (distance + MAX_STEPS - 1) / MAX_STEPS;
	p->full = (distance + p->step - 1) / p->step + (p->step > 1);
}

static uint32_t sampled_sets(uint32_t nr_sets)
{
	return nr_sets < PDP_SAMPLED_SETS ? nr_sets : PDP_SAMPLED_SETS;
}

struct pdp *pdp_new(uint32_t nr_sets, uint32_t ways)
{
	struct pdp *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->ways = ways;
	p->set_shift = (uint32_t)storage_bits_below(nr_sets);
	p->spread = nr_sets / sampled_sets(nr_sets);
	protect_for(p, ways);
	p->lines = calloc((size_t)nr_sets * ways, sizeof(*p->lines));
	p->clocks = calloc(nr_sets, sizeof(*p->clocks));
	p->samples = calloc(sampled_sets(nr_sets), sizeof(*p->samples));
	if (p->lines && p->clocks && p->samples)
		return p;
	pdp_free(p);
	return NULL;
}

void pdp_free(struct pdp *p)
{
	if (!p)
		return;
	free(p->lines);
	free(p->clocks);
	free(p->samples);
	free(p);
}

uint32_t pdp_distance(const struct pdp *p)
{
	return p->distance;
}

/* Fractions are compared by multiplication: counters are below 2^11, and all sums below 2^26. */
static void learn(struct pdp *p)
{
	uint64_t hits = 0, held = 0, best_hits = 0, best_held = 1;
	uint32_t best = p->distance;
	for (uint32_t i = 0; i < NR_DISTANCES; i++) {
		uint32_t distance = (i + 1) * PDP_DISTANCE_STEP;
		hits += p->hits[i];
		held += (uint64_t)p->hits[i] * distance;
		uint64_t others = p->nr_entries > hits ? p->nr_entries - hits : 0;
		uint64_t all_held = held + others * (distance + p->ways);
		if (distance >= p->ways && hits * best_held > best_hits * all_held) {
			best_hits = hits;
			best_held = all_held;
			best = distance;
		}
	}
	protect_for(p, best);
	p->nr_entries /= 2;
	for (uint32_t i = 0; i < NR_DISTANCES; i++)
		p->hits[i] /= 2;
	p->since = 0;
}

static void sample(struct pdp *p, struct sample *s, uint64_t line)
{
	uint16_t tag = (uint16_t)(line >> p->set_shift);
	/* The latest entry is found first; `i` is how many there are after it. */
	for (uint32_t i = 0; s->nr > i * PDP_SAMPLE_PERIOD && i < LIST_ENTRIES; i++) {
		uint32_t number = (s->nr - 1) / PDP_SAMPLE_PERIOD - i, slot = number % LIST_ENTRIES;
		if (!s->is_there[slot] || s->tags[slot] != tag)
			continue;
		p->hits[(s->nr - number * PDP_SAMPLE_PERIOD - 1) / PDP_DISTANCE_STEP]++;
		s->is_there[slot] = false;
		break;
	}
	if (s->nr % PDP_SAMPLE_PERIOD == 0) {
		uint32_t slot = s->nr / PDP_SAMPLE_PERIOD % LIST_ENTRIES;
		s->tags[slot] = tag;
		s->is_there[slot] = true;
		p->nr_entries++;
		if (++p->since == PDP_LEARN_PERIOD)
			learn(p);
	}
	s->nr++;
}

static void access_set(struct pdp *p, uint64_t set, uint32_t way, uint64_t line, bool is_hit)
{
	struct line_state *lines = &p->lines[set * p->ways];
	if (set % p->spread == 0)
		sample(p, &p->samples[set / p->spread], line);
	if (++p->clocks[set] >= p->step) {
		p->clocks[set] = 0;
		for (uint32_t i = 0; i < p->ways; i++)
			lines[i].remaining = (uint8_t)(lines[i].remaining - (lines[i].remaining > 0));
	}
	lines[way] = (struct line_state){(uint8_t)p->full, is_hit};
}

void pdp_hit(struct pdp *p, uint64_t set, uint32_t way, uint64_t line)
{
	access_set(p, set, way, line, true);
}

void pdp_fill(struct pdp *p, uint64_t set, uint32_t way, uint64_t line)
{
	access_set(p, set, way, line, false);
}

static bool leaves_before(const struct line_state *a, const struct line_state *b)
{
	if ((a->remaining == 0) != (b->remaining == 0))
		return a->remaining == 0;
	if (a->remaining == 0)
		return false;
	return a->is_reused != b->is_reused ? b->is_reused : a->remaining > b->remaining;
}

uint32_t pdp_victim(const struct pdp *p, uint64_t set)
{
	const struct line_state *lines = &p->lines[set * p->ways];
	uint32_t victim = 0;
	for (uint32_t i = 1; i < p->ways; i++)
		if (leaves_before(&lines[i], &lines[victim]))
			victim = i;
	return victim;
}

uint64_t pdp_bits(uint32_t nr_sets, uint32_t ways)
{
	/* A line's remaining protection and whether it was reused; a set's clock, which counts to the longest step. */
	const uint64_t max_step = (PDP_MAX_DISTANCE + MAX_STEPS - 1) / MAX_STEPS;
	uint64_t set = ways * (PDP_REMAINING_BITS + 1) + storage_bits_below(max_step);
	/* Tags with a valid bit, and the place in the ring. */
	uint64_t sampled = LIST_ENTRIES * (PDP_TAG_BITS + 1) + storage_bits_below(PDP_MAX_DISTANCE);
	/* A distance counts at most as often as there are entries in all lists, and half of as many before: below twice
	 * that. Entries are below twice a period; d takes one of NR_DISTANCES values. */
	uint64_t nr_lists = sampled_sets(nr_sets);
	uint64_t counter = storage_bits_below(2 * nr_lists * LIST_ENTRIES);
	uint64_t learning = NR_DISTANCES * counter + storage_bits_below(2 * PDP_LEARN_PERIOD) +
			    storage_bits_below(PDP_LEARN_PERIOD) + storage_bits_below(NR_DISTANCES + 1);
	return nr_sets * set + nr_lists * sampled + learning;
}
