#include "cores/uarch/cache.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/replacement_pdp.h"
#include "cores/uarch/storage_bits.h"

/* Ages of RRIP, predictions of how late a line is used again. */
#define AGE_BITS 2u
#define MAX_AGE ((1u << AGE_BITS) - 1)
#define AGE_OF_NEW_LINES (MAX_AGE - 1)

static bool is_power_of_two(uint32_t n)
{
	return n && (n & (n - 1)) == 0;
}

const char *cache_spec_fault(const struct cache_spec *spec)
{
	if (!is_power_of_two(spec->line_bytes) || spec->line_bytes < MIN_LINE_BYTES ||
	    spec->line_bytes > MAX_LINE_BYTES)
		return "a line is a power of two of bytes, 16 to 4096";
	if (spec->ways == 0 || spec->ways > MAX_CACHE_WAYS)
		return "ways are 1 to 64";
	if (spec->bytes == 0 || spec->bytes > MAX_CACHE_BYTES)
		return "its size is 1 byte to 1 GiB";
	uint32_t set_bytes = spec->ways * spec->line_bytes;
	if (spec->bytes % set_bytes)
		return "its size is no multiple of ways times a line";
	if (!is_power_of_two(spec->bytes / set_bytes))
		return "its size makes a number of sets that is no power of two";
	if (spec->replacement >= NR_REPLACEMENTS)
		return "there is no such replacement policy";
	if (spec->replacement == REPLACE_PLRU && !is_power_of_two(spec->ways))
		return "plru needs a number of ways that is a power of two";
	return NULL;
}

const char *cache_replacement_name(enum cache_replacement replacement)
{
	static const char *const names[NR_REPLACEMENTS] = {
#define REPLACEMENT(suffix, name, help) [REPLACE_##suffix] = name,
#include "cores/uarch/replacement_list.h"
#undef REPLACEMENT
	};
	return names[replacement];
}

uint64_t cache_replacement_bits(const struct cache_spec *spec)
{
	uint64_t nr_lines = spec->bytes / spec->line_bytes, nr_sets = nr_lines / spec->ways;
	switch ((enum cache_replacement)spec->replacement) {
	case REPLACE_LRU:
		return nr_lines * storage_bits_below(spec->ways);
	case REPLACE_PLRU:
		return nr_sets * (spec->ways - 1);
	case REPLACE_RANDOM:
		return 64;
	case REPLACE_RRIP:
		return nr_lines * AGE_BITS;
	case REPLACE_PDP:
		return pdp_bits((uint32_t)nr_sets, spec->ways);
	case NR_REPLACEMENTS:
		break;
	}
	return 0;
}

enum sahm_status cache_init(struct cache *c, const struct cache_spec *spec, struct sahm_err *err)
{
	uint32_t nr_lines = spec->bytes / spec->line_bytes;
	bool has_trees = spec->replacement == REPLACE_PLRU, has_ages = spec->replacement == REPLACE_RRIP;
	bool has_pdp = spec->replacement == REPLACE_PDP;
	*c = (struct cache){
		.lines = calloc(nr_lines, sizeof(*c->lines)),
		.trees = has_trees ? calloc(nr_lines / spec->ways, sizeof(*c->trees)) : NULL,
		.ages = has_ages ? calloc(nr_lines, sizeof(*c->ages)) : NULL,
		.pdp = has_pdp ? pdp_new(nr_lines / spec->ways, spec->ways) : NULL,
		.random = 1,
		.set_mask = nr_lines / spec->ways - 1,
		.ways = spec->ways,
		.line_shift = (uint8_t)__builtin_ctz(spec->line_bytes),
		.replacement = (uint8_t)spec->replacement,
		.is_first_latest = !has_trees && !has_ages && !has_pdp,
	};
	bool failed = !c->lines || (has_trees && !c->trees) || (has_ages && !c->ages) || (has_pdp && !c->pdp);
	return failed ? sahm_fail_nomem(err) : SAHM_OK;
}

enum sahm_status cache_init_facts(struct cache *c, const struct cache_spec *spec, uint64_t seed, struct sahm_err *err)
{
	enum sahm_status status = cache_init(c, spec, err);
	if (status != SAHM_OK)
		return status;
	c->random = seed;
	c->facts = calloc(spec->bytes / spec->line_bytes, sizeof(*c->facts));
	return c->facts ? SAHM_OK : sahm_fail_nomem(err);
}

void cache_release(struct cache *c)
{
	free(c->lines);
	free(c->facts);
	free(c->trees);
	free(c->ages);
	pdp_free(c->pdp);
	c->lines = c->facts = c->trees = NULL;
	c->ages = NULL;
	c->pdp = NULL;
}

/* Replacement */

/* The bits of the tree on the way to `way` point away from it. Node 1 is the root; a bit that is set points to the
 * upper half. */
static void plru_touch(struct cache *c, uint64_t *tree, uint32_t way)
{
	uint32_t node = 1;
	for (uint32_t half = c->ways / 2; half > 0; half /= 2) {
		bool is_upper = way & half;
		*tree = is_upper ? *tree & ~(UINT64_C(1) << node) : *tree | UINT64_C(1) << node;
		node = 2 * node + is_upper;
	}
}

static uint32_t plru_victim(const struct cache *c, uint64_t tree)
{
	uint32_t node = 1, way = 0;
	for (uint32_t half = c->ways / 2; half > 0; half /= 2) {
		bool is_upper = tree >> node & 1;
		way += is_upper ? half : 0;
		node = 2 * node + is_upper;
	}
	return way;
}

/* SRRIP with priority for hits (A. Jaleel et al., "High performance cache replacement using re-reference interval
 * prediction (RRIP)", ISCA 2010): a hit makes a line young, and all lines age until one can leave. */
static uint32_t rrip_victim(uint8_t *ages, uint32_t ways)
{
	uint32_t oldest = 0;
	for (uint32_t i = 1; i < ways; i++)
		if (ages[i] > ages[oldest])
			oldest = i;
	uint8_t years = (uint8_t)(MAX_AGE - ages[oldest]);
	for (uint32_t i = 0; i < ways && years > 0; i++)
		ages[i] = (uint8_t)(ages[i] + years);
	return oldest;
}

/* A line that stays in its way was hit. */
static void hit_way(struct cache *c, size_t set, uint32_t way)
{
	if (c->replacement == REPLACE_PLRU)
		plru_touch(c, &c->trees[set / c->ways], way);
	else if (c->replacement == REPLACE_RRIP)
		c->ages[set + way] = 0;
	else if (c->replacement == REPLACE_PDP)
		pdp_hit(c->pdp, set / c->ways, way, c->lines[set + way] - 1);
}

/* The way that a new line gets where lines stay in their ways: an empty one, else the policy's choice. */
static uint32_t choose_way(struct cache *c, size_t set)
{
	for (uint32_t i = 0; i < c->ways; i++)
		if (c->lines[set + i] == 0)
			return i;
	if (c->replacement == REPLACE_PLRU)
		return plru_victim(c, c->trees[set / c->ways]);
	if (c->replacement == REPLACE_RRIP)
		return rrip_victim(&c->ages[set], c->ways);
	if (c->replacement == REPLACE_PDP)
		return pdp_victim(c->pdp, set / c->ways);
	/* Marsaglia's xorshift64. */
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return (uint32_t)((c->random >> 32) * c->ways >> 32);
}

/* Moves `nr` ways of a set back by one. */
static void move_back(struct cache *c, size_t set, uint32_t nr)
{
	memmove(&c->lines[set + 1], &c->lines[set], nr * sizeof(*c->lines));
	if (c->facts)
		memmove(&c->facts[set + 1], &c->facts[set], nr * sizeof(*c->facts));
}

uint64_t *cache_find_other(struct cache *c, size_t set, uint64_t tag)
{
	uint32_t way = 0;
	while (way < c->ways && c->lines[set + way] != tag)
		way++;
	if (way == c->ways)
		return NULL;
	if (!c->is_first_latest)
		hit_way(c, set, way);
	if (!c->is_first_latest || way == 0)
		return &c->facts[set + way];
	uint64_t facts = c->facts[set + way];
	if (c->replacement == REPLACE_RANDOM) {
		/* Any way is as good as another: the first is found first. */
		c->lines[set + way] = c->lines[set];
		c->facts[set + way] = c->facts[set];
	} else {
		move_back(c, set, way);
	}
	c->lines[set] = tag;
	c->facts[set] = facts;
	return &c->facts[set];
}

/* Number of the way of all sets that has the line; SIZE_MAX: none. */
static size_t way_of(const struct cache *c, uint64_t line)
{
	size_t set = (line & c->set_mask) * c->ways;
	for (uint32_t way = 0; way < c->ways; way++)
		if (c->lines[set + way] == line + 1)
			return set + way;
	return SIZE_MAX;
}

uint64_t *cache_peek(const struct cache *c, uint64_t line)
{
	size_t way = way_of(c, line);
	return way == SIZE_MAX ? NULL : &c->facts[way];
}

bool cache_has(const struct cache *c, uint64_t line)
{
	return way_of(c, line) != SIZE_MAX;
}

void cache_fill(struct cache *c, uint64_t line, uint64_t facts, struct cache_victim *victim)
{
	size_t set = (line & c->set_mask) * c->ways;
	uint32_t way = c->replacement == REPLACE_LRU ? c->ways - 1 : choose_way(c, set);
	uint64_t leaves = c->lines[set + way];
	*victim = (struct cache_victim){leaves - 1, c->facts ? c->facts[set + way] : 0, leaves != 0};
	if (c->replacement == REPLACE_LRU) {
		move_back(c, set, way);
		way = 0;
	} else if (c->replacement == REPLACE_PLRU) {
		plru_touch(c, &c->trees[set / c->ways], way);
	} else if (c->replacement == REPLACE_RRIP) {
		c->ages[set + way] = AGE_OF_NEW_LINES;
	} else if (c->replacement == REPLACE_PDP) {
		pdp_fill(c->pdp, set / c->ways, way, line);
	}
	c->lines[set + way] = line + 1;
	if (c->facts)
		c->facts[set + way] = facts;
}

/* With LRU: one walk over the set. */
static bool access_in_order(struct cache *c, uint64_t *set, uint64_t tag)
{
	/* Lines move back by one on the way, until the place is reached that the line leaves, or the last one's is
	 * lost. */
	uint64_t moved = set[0];
	for (uint32_t i = 1; i < c->ways; i++) {
		uint64_t here = set[i];
		set[i] = moved;
		if (here == tag) {
			set[0] = tag;
			return true;
		}
		moved = here;
	}
	set[0] = tag;
	return false;
}

bool cache_access_other(struct cache *c, uint64_t *set, uint64_t tag)
{
	struct cache_victim victim;
	if (c->replacement == REPLACE_LRU)
		return access_in_order(c, set, tag);
	size_t first = (size_t)(set - c->lines);
	for (uint32_t way = 0; way < c->ways; way++)
		if (set[way] == tag) {
			hit_way(c, first, way);
			return true;
		}
	cache_fill(c, tag - 1, 0, &victim);
	return false;
}
